//! What to say about a term so that it is known to lie in a range.

use super::Range;
use crate::store::{Term, Terms};

impl Range {
    /// The same range as far as it costs little to say: one of the two intervals, the one that leaves fewer
    /// bits, and the known bits.
    pub fn sayable(&self) -> Range {
        let width = self.width();
        let interval = if self.signed_bits() < self.unsigned_bits() {
            Range::signed(width, self.smin(), self.smax())
        } else {
            Range::unsigned(width, self.umin(), self.umax())
        };
        interval.meet(self.bits_alone())
    }

    /// What the known bits say without the intervals.
    pub fn bits_alone(&self) -> Range {
        Range::known_bits(self.width(), self.zeros(), self.ones())
    }

    /// Bools that hold together if and only if the term is in the [sayable](Self::sayable) range.
    pub fn facts(&self, terms: &mut Terms, term: Term) -> Vec<Term> {
        let width = self.width();
        let (bits, mut facts) = (self.bits_alone(), Vec::new());
        let mut known = self.zeros() | self.ones();
        let signed = self.signed_bits() < self.unsigned_bits();
        if signed && (bits.smin(), bits.smax()) != (self.smin(), self.smax()) {
            let interval = Range::signed(width, self.smin(), self.smax());
            known &= !(interval.zeros() | interval.ones());
            let (low, high) =
                (terms.bits(width, self.smin() as u128), terms.bits(width, self.smax() as u128));
            facts.extend([terms.sle(low, term), terms.sle(term, high)]);
        } else if !signed && (bits.umin(), bits.umax()) != (self.umin(), self.umax()) {
            let interval = Range::unsigned(width, self.umin(), self.umax());
            known &= !(interval.zeros() | interval.ones());
            let (low, high) = (terms.bits(width, self.umin()), terms.bits(width, self.umax()));
            facts.extend([terms.ule(low, term), terms.ule(term, high)]);
        }
        if known != 0 {
            let (mask, ones) = (terms.bits(width, known), terms.bits(width, self.ones() & known));
            let masked = terms.bv_and(term, mask);
            facts.push(terms.eq(masked, ones));
        }
        facts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Assignment, Evaluator, Sort, Value};

    /// Every value of four bits satisfies the facts exactly if it is in the range that is said.
    #[test]
    fn facts_say_what_is_assumed() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::bits(4));
        for range in samples() {
            let said = range.sayable();
            let facts = range.facts(&mut terms, x);
            let all = terms.and_all(facts);
            for value in 0..16 {
                let mut assignment = Assignment::new();
                assignment.set_term(&terms, x, Value::bits(4, value));
                let holds = Evaluator::new(&terms, &assignment).bool(all) == Ok(true);
                assert_eq!(holds, said.contains(value), "{value} in {range:?}, said {said:?}");
                assert!(holds || !range.contains(value));
            }
        }
    }

    /// Joins of a few values, as analyses make them, and intervals with known bits.
    fn samples() -> Vec<Range> {
        let mut found = vec![Range::full(4)];
        for values in 1u32..1 << 12 {
            let list = (0..16u128).filter(|value| values.rotate_left(values % 5) >> value & 1 == 1);
            let joined = list.map(|value| Range::constant(4, value)).reduce(Range::join);
            found.extend(joined);
        }
        let bits = (0..16u128).map(|zeros| Range::known_bits(4, zeros, !zeros & 5));
        found.extend(bits.map(|known| known.meet(Range::unsigned(4, 2, 13))));
        found
    }
}
