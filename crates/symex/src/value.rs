//! Values: bits as a term, and what they owe to addresses.
//!
//! The bits are those of the layout's base addresses. A value that depends on them in any way but "base
//! plus a plain number" holds for this layout only, so control that depends on it proves nothing about
//! other layouts; the taint says which values these are. It over-approximates: a value called plain is
//! plain, one called mixed may be plain after all.

use braid_logic::{Term, Terms};

/// Bits (a bit-vector of the type's width; `Int(1)` has width 1; floats their IEEE bits) and what they
/// owe to addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    pub term: Term,
    pub taint: Taint,
}

impl Value {
    /// No address had a part in it.
    pub fn plain(term: Term) -> Value {
        Value { term, taint: Taint::None }
    }

    /// One of two values; the condition is plain.
    pub fn select(terms: &mut Terms, cond: Term, then: Value, other: Value) -> Value {
        let taint = match terms.as_bool(cond) {
            Some(true) => then.taint,
            Some(false) => other.taint,
            None => then.taint.join(other.taint),
        };
        let term = if terms.width(then.term) == 1 {
            // Bits stay conditions written as numbers.
            let (yes, no) = (truth(terms, then.term), truth(terms, other.term));
            let chosen = terms.ite(cond, yes, no);
            bit(terms, chosen)
        } else {
            terms.ite(cond, then.term, other.term)
        };
        Value { term, taint }
    }
}

/// What a value owes to addresses, in ascending order of doubt.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Taint {
    /// No address had a part in it.
    None,
    /// An integer from shared memory, or made from such: plain unless addresses are stored there as
    /// integers.
    Loaded,
    /// The base of an object plus a plain number (or, on some paths, a plain number).
    Address,
    /// Any other function of base addresses.
    Mixed,
}

impl Taint {
    /// Of a value that is one or the other.
    pub fn join(self, other: Taint) -> Taint {
        match (self, other) {
            // Nobody could tell any more which of the two it is.
            (Taint::Loaded, Taint::Address) | (Taint::Address, Taint::Loaded) => Taint::Mixed,
            _ => self.max(other),
        }
    }

    /// Whether no address can have had a part in it, as far as memory holds none as integers.
    pub fn is_plain(self) -> bool {
        self <= Taint::Loaded
    }

    /// Of something computed from the value that is no longer base plus number.
    pub fn blurred(self) -> Taint {
        if self.is_plain() { self } else { Taint::Mixed }
    }
}

/// A bit-vector of width 1 as a Boolean.
pub fn truth(terms: &mut Terms, term: Term) -> Term {
    let one = terms.bits(1, 1);
    terms.eq(term, one)
}

/// A Boolean as a bit-vector of width 1.
pub fn bit(terms: &mut Terms, condition: Term) -> Term {
    terms.from_bool(1, condition)
}

#[cfg(test)]
mod tests {
    use super::*;
    use braid_logic::Sort;

    #[test]
    fn bits_and_truths_are_inverse() {
        let mut terms = Terms::new();
        let (a, b) = (terms.symbol("a", Sort::bits(1)), terms.symbol("b", Sort::bits(1)));
        let (p, q) = (terms.symbol("p", Sort::Bool), terms.symbol("q", Sort::Bool));
        let wide = terms.symbol("w", Sort::bits(32));
        let (not_a, both, part) = (terms.bv_not(a), terms.bv_and(a, b), terms.extract(wide, 7, 7));
        for x in [a, not_a, both, part] {
            let condition = truth(&mut terms, x);
            assert_eq!(bit(&mut terms, condition), x);
        }
        let (and, or, eq) = (terms.and(p, q), terms.or(p, q), terms.eq(a, b));
        let not_p = terms.not(p);
        for x in [p, not_p, and, or, eq] {
            let number = bit(&mut terms, x);
            assert_eq!(truth(&mut terms, number), x);
        }
        let zero = Value::plain(terms.bits(1, 0));
        let chosen = Value::select(&mut terms, p, Value::plain(a), zero).term;
        let condition = truth(&mut terms, chosen);
        assert_eq!(bit(&mut terms, condition), chosen);
        let yes = terms.bool(true);
        let one = bit(&mut terms, yes);
        assert_eq!(terms.as_bits(one), Some(1));
    }

    #[test]
    fn a_choice_owes_what_both_owe() {
        let mut terms = Terms::new();
        let c = terms.symbol("c", Sort::Bool);
        let (x, y) = (terms.symbol("x", Sort::bits(8)), terms.symbol("y", Sort::bits(8)));
        let (then, other) = (Value::plain(x), Value { term: y, taint: Taint::Address });
        assert_eq!(Value::select(&mut terms, c, then, other).taint, Taint::Address);
        let yes = terms.bool(true);
        assert_eq!(Value::select(&mut terms, yes, then, other), then);
        assert_eq!((Taint::Loaded.blurred(), Taint::Address.blurred()), (Taint::Loaded, Taint::Mixed));
    }
}
