//! The product: exact in twice the precision, then rounded.

use super::add::invalid_product;
use super::round::Unrounded;
use super::{Format, Unpacked};
use crate::store::{Term, Terms};

impl Format {
    pub fn mul(self, terms: &mut Terms, a: Term, b: Term) -> Term {
        let (x, y) = (self.unpack(terms, a), self.unpack(terms, b));
        let product = self.exact_product(terms, x, y);
        let rounded = self.round(terms, product);
        let (any_zero, any_infinite) = (terms.or(x.zero, y.zero), terms.or(x.infinite, y.infinite));
        let zero = self.zero(terms, product.negative);
        let result = terms.ite(any_zero, zero, rounded);
        let infinity = self.infinity(terms, product.negative);
        let result = terms.ite(any_infinite, infinity, result);
        let invalid = invalid_product(terms, x, y);
        self.guard_nans(terms, &[(a, x), (b, y)], invalid, result)
    }

    /// The product of two numbers. If one of them is zero only the sign and the significand mean
    /// something.
    pub(super) fn exact_product(self, terms: &mut Terms, x: Unpacked, y: Unpacked) -> Unrounded {
        let width = 2 * self.precision();
        let (a, b) = (terms.zero_extend(x.significand, width), terms.zero_extend(y.significand, width));
        let one = self.exponent_term(terms, 1);
        let exponent = terms.bv_add(x.exponent, y.exponent);
        Unrounded {
            negative: terms.xor(x.negative, y.negative),
            // The top bit has the weight two.
            exponent: terms.bv_add(exponent, one),
            significand: terms.bv_mul(a, b),
            may_underflow: true,
        }
    }
}
