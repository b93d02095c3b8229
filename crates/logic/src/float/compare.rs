//! Comparison. NaN compares unordered; zeros are equal.

use super::Format;
use crate::store::{Term, Terms};

impl Format {
    /// Whether one of them is a NaN.
    pub fn unordered(self, terms: &mut Terms, a: Term, b: Term) -> Term {
        let (a, b) = (self.is_nan(terms, a), self.is_nan(terms, b));
        terms.or(a, b)
    }

    pub fn eq(self, terms: &mut Terms, a: Term, b: Term) -> Term {
        let equal = self.same_number(terms, a, b);
        self.if_ordered(terms, a, b, equal)
    }

    pub fn lt(self, terms: &mut Terms, a: Term, b: Term) -> Term {
        let less = self.less_number(terms, a, b);
        self.if_ordered(terms, a, b, less)
    }

    pub fn le(self, terms: &mut Terms, a: Term, b: Term) -> Term {
        let greater = self.less_number(terms, b, a);
        let not_greater = terms.not(greater);
        self.if_ordered(terms, a, b, not_greater)
    }

    fn if_ordered(self, terms: &mut Terms, a: Term, b: Term, result: Term) -> Term {
        let unordered = self.unordered(terms, a, b);
        let ordered = terms.not(unordered);
        terms.and(ordered, result)
    }

    fn both_zero(self, terms: &mut Terms, a: Term, b: Term) -> Term {
        let (a, b) = (self.is_zero(terms, a), self.is_zero(terms, b));
        terms.and(a, b)
    }

    /// Of numbers: equal bits, or both zero.
    fn same_number(self, terms: &mut Terms, a: Term, b: Term) -> Term {
        let (same, zeros) = (terms.eq(a, b), self.both_zero(terms, a, b));
        terms.or(same, zeros)
    }

    /// Of numbers: the order of the magnitudes, by sign.
    fn less_number(self, terms: &mut Terms, a: Term, b: Term) -> Term {
        let (negative_a, negative_b) = (self.is_sign_negative(terms, a), self.is_sign_negative(terms, b));
        let (size_a, size_b) = (self.magnitude(terms, a), self.magnitude(terms, b));
        let (below, above) = (terms.ult(size_a, size_b), terms.ult(size_b, size_a));
        let same_sign = terms.ite(negative_a, above, below);
        let differ = terms.xor(negative_a, negative_b);
        let zeros = self.both_zero(terms, a, b);
        let not_zeros = terms.not(zeros);
        let signs = terms.and(negative_a, not_zeros);
        terms.ite(differ, signs, same_sign)
    }
}
