//! A few values, one by one: what pointers take, whose addresses lie far apart.

use super::Range;
use crate::store::{Term, Terms};
use std::rc::Rc;

/// So many values a set has at most.
pub const MOST: usize = 64;

/// Values of a bit-vector, ascending, at least one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Few {
    width: u32,
    values: Rc<[u128]>,
}

impl Few {
    /// `None` if there are none, or too many.
    pub fn new(width: u32, values: impl IntoIterator<Item = u128>) -> Option<Few> {
        let mut list: Vec<u128> = values.into_iter().collect();
        list.sort_unstable();
        list.dedup();
        (1..=MOST).contains(&list.len()).then(|| Few { width, values: list.into() })
    }

    pub fn values(&self) -> &[u128] {
        &self.values
    }

    /// The values of one or the other.
    pub fn join(&self, other: &Few) -> Option<Few> {
        if self == other {
            return Some(self.clone());
        }
        Few::new(self.width, self.values.iter().chain(&*other.values).copied())
    }

    /// The values of both, unless there are none.
    pub(super) fn common(&self, other: &Few) -> Option<Few> {
        let common = |value: &u128| other.values.binary_search(value).is_ok();
        Few::new(self.width, self.values.iter().copied().filter(common))
    }

    /// Values of this set above those of another.
    pub fn above(&self, low: &Few) -> Option<Few> {
        let both = |high: u128, other: u128| high << low.width | other;
        self.product(low, self.width + low.width, both)
    }

    /// What an operation makes of each value.
    pub(super) fn map(&self, width: u32, operation: impl Fn(u128) -> u128) -> Option<Few> {
        Few::new(width, self.values.iter().map(|value| operation(*value)))
    }

    /// What an operation makes of each pair of values.
    pub(super) fn product(
        &self,
        other: &Few,
        width: u32,
        operation: impl Fn(u128, u128) -> u128,
    ) -> Option<Few> {
        let pairs = self.values.iter().flat_map(|a| other.values.iter().map(move |b| (*a, *b)));
        Few::new(width, pairs.map(|(a, b)| operation(a, b)))
    }

    /// Those that are in a range, unless there are none.
    pub(super) fn within(self, range: Range) -> Few {
        let inside = self.values.iter().copied().filter(|value| range.contains(*value));
        Few::new(self.width, inside).unwrap_or(self)
    }

    /// Whether there is a common value.
    pub fn meets(&self, other: &Few) -> bool {
        self.values.iter().any(|value| other.values.binary_search(value).is_ok())
    }

    /// The smallest range that has them all.
    pub fn range(&self) -> Range {
        let each = self.values.iter().map(|value| Range::constant(self.width, *value));
        each.reduce(Range::join).expect("there is a value")
    }

    /// Bool: the term has one of them.
    pub fn fact(&self, terms: &mut Terms, term: Term) -> Term {
        let mut ways = Vec::new();
        for value in self.values.iter() {
            let value = terms.bits(self.width, *value);
            ways.push(terms.eq(term, value));
        }
        terms.or_all(ways)
    }
}

/// What is known of a term: a range, and its values if they are few.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Possible {
    pub range: Range,
    pub few: Option<Few>,
}

impl Possible {
    pub fn of(range: Range) -> Possible {
        Possible { range, few: None }
    }

    /// The values of one or the other.
    pub fn join(&self, other: &Possible) -> Possible {
        let few = self.few.as_ref().zip(other.few.as_ref()).and_then(|(a, b)| a.join(b));
        let range = few.as_ref().map_or_else(|| self.range.join(other.range), Few::range);
        Possible { range, few }
    }

    /// Values of this above those of another.
    pub fn above(&self, low: &Possible) -> Possible {
        let few = self.few.as_ref().zip(low.few.as_ref()).and_then(|(a, b)| a.above(b));
        let range = few.as_ref().map_or_else(|| self.range.above(low.range), Few::range);
        Possible { range, few }
    }

    /// Whether both may have a value in common.
    pub fn may_equal(&self, other: &Possible) -> bool {
        self.range.may_equal(other.range)
            && self.few.as_ref().zip(other.few.as_ref()).is_none_or(|(a, b)| a.meets(b))
    }

    /// Whether the value may be this one.
    pub fn contains(&self, value: u128) -> bool {
        let among = |few: &Few| few.values().binary_search(&value).is_ok();
        self.range.contains(value) && self.few.as_ref().is_none_or(among)
    }

    /// Whether it says something.
    pub fn is_partial(&self) -> bool {
        self.few.is_some() || self.range.sayable() != Range::full(self.range.width())
    }

    /// Bools that hold together if and only if the term is what [`super::Ranges::assume_possible`] assumes.
    pub fn facts(&self, terms: &mut Terms, term: Term) -> Vec<Term> {
        match &self.few {
            Some(few) => vec![few.fact(terms, term)],
            None => self.range.facts(terms, term),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::Narrower;
    use crate::ranges::{Fact, Ranges};
    use crate::{Assignment, BvOp, Evaluator, Sort, Value};

    /// Terms over `x` and `y`, of every kind.
    fn results(terms: &mut Terms, x: Term, y: Term) -> Vec<Term> {
        let mut all: Vec<Term> = BvOp::ALL.iter().map(|op| terms.bv(*op, x, y)).collect();
        let (less, equal, both) = (terms.ult(x, y), terms.eq(x, y), terms.concat(x, y));
        let sum = all[0];
        all.extend([terms.ite(less, x, y), terms.ite(equal, sum, x), terms.bv_not(y)]);
        all.extend([terms.extract(both, 5, 2), terms.zero_extend(x, 6), terms.sign_extend(y, 6)]);
        all.extend([less, equal, terms.slt(y, x)]);
        all
    }

    fn sets() -> Vec<Few> {
        [&[3][..], &[0, 9], &[1, 8, 15], &[0, 2, 4, 6], &[5, 7, 11, 12]]
            .iter()
            .map(|list| Few::new(4, list.iter().copied()).expect("some"))
            .collect()
    }

    /// All values that terms take are among those found, and what they are narrowed to has the same.
    #[test]
    fn all_values_are_found() {
        for (a, b) in sets().iter().flat_map(|a| sets().into_iter().map(move |b| (a.clone(), b))) {
            let mut terms = Terms::new();
            let (x, y) = (terms.symbol("x", Sort::bits(4)), terms.symbol("y", Sort::bits(4)));
            let list = results(&mut terms, x, y);
            let mut ranges = Ranges::new();
            for (symbol, few) in [(x, &a), (y, &b)] {
                let possible = Possible { range: few.range(), few: Some(few.clone()) };
                ranges.assume_possible(&terms, symbol, &possible);
            }
            let mut narrower = Narrower::new(ranges.clone());
            let narrow: Vec<Term> = list.iter().map(|term| narrower.narrow(&mut terms, *term)).collect();
            for (p, q) in a.values().iter().flat_map(|p| b.values().iter().map(move |q| (*p, *q))) {
                let mut assignment = Assignment::new();
                assignment.set_term(&terms, x, Value::bits(4, p));
                assignment.set_term(&terms, y, Value::bits(4, q));
                let mut evaluator = Evaluator::new(&terms, &assignment);
                for (term, narrow) in list.iter().zip(&narrow) {
                    let value = evaluator.value(*term);
                    assert_eq!(value, evaluator.value(*narrow), "{:?} of {p} and {q}", terms.node(*term));
                    match ranges.fact(&terms, *term) {
                        Fact::Bits(_) => {
                            let bits = value.as_ref().ok().and_then(Value::as_bits).expect("a bit-vector");
                            assert!(ranges.possible(&terms, *term).contains(bits));
                        }
                        Fact::Bool(Some(known)) => assert_eq!(evaluator.bool(*term), Ok(known)),
                        Fact::Bool(None) | Fact::Untracked => {}
                    }
                }
            }
        }
    }

    /// The fact about a term holds exactly for the values.
    #[test]
    fn facts_are_exact() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::bits(4));
        for few in sets() {
            let fact = few.fact(&mut terms, x);
            for value in 0..16 {
                let mut assignment = Assignment::new();
                assignment.set_term(&terms, x, Value::bits(4, value));
                let holds = Evaluator::new(&terms, &assignment).bool(fact);
                assert_eq!(holds, Ok(few.values().contains(&value)));
            }
        }
    }

    /// Addresses far apart: a range of them would reach over everything in between.
    #[test]
    fn what_lies_between_is_no_value() {
        let mut terms = Terms::new();
        let p = terms.symbol("p", Sort::bits(64));
        let few = Few::new(64, [0, 0xf1 << 40, 0xf5 << 40]).expect("some");
        let mut ranges = Ranges::new();
        ranges.assume_possible(&terms, p, &Possible { range: few.range(), few: Some(few) });
        let (zone, other) = (terms.extract(p, 63, 40), terms.bits(24, 0x51));
        let there = terms.eq(zone, other);
        assert_eq!(ranges.fact(&terms, there), Fact::Bool(Some(false)));
    }
}
