//! The remainder of truncating division (C's `fmod`), which is exact.
//!
//! Long division of significands: the remainder of the dividend's significand, then doubled and reduced
//! once per unit by which the exponents differ. The units are grouped by the binary digits of the
//! difference, so only one choice per digit is needed. The price is one subtraction per possible unit:
//! about 300 for binary32 and 2,100 for binary64 (some 20,000 terms): right for constants and for the
//! occasional symbolic use, not for code that leans on it.

use super::Format;
use super::divide::subtract_if_possible;
use super::round::Unrounded;
use crate::store::{Term, Terms};

impl Format {
    /// `a - n * b` for `n = trunc(a / b)`.
    pub fn fmod(self, terms: &mut Terms, a: Term, b: Term) -> Term {
        let (x, y) = (self.unpack(terms, a), self.unpack(terms, b));
        let (size_a, size_b) = (self.magnitude(terms, a), self.magnitude(terms, b));
        let distance = terms.bv_sub(x.exponent, y.exponent);
        let remainder = self.reduce(terms, x.significand, y.significand, distance);
        let exact = Unrounded {
            negative: x.negative,
            exponent: y.exponent,
            significand: super::convert::at_least(terms, remainder, self.precision() + 2),
            may_underflow: false,
        };
        let rounded = self.round(terms, exact);
        // Also for an infinite divisor; and the distance is not negative otherwise.
        let smaller = terms.ult(size_a, size_b);
        let result = terms.ite(smaller, a, rounded);
        let invalid = terms.or(x.infinite, y.zero);
        self.guard_nans(terms, &[(a, x), (b, y)], invalid, result)
    }

    /// `dividend * 2^distance` modulo `divisor`, for `distance` not negative.
    fn reduce(self, terms: &mut Terms, dividend: Term, divisor: Term, distance: Term) -> Term {
        let precision = self.precision();
        let mut remainder = terms.bits(precision, 0);
        for at in (0..precision).rev() {
            let next = terms.extract(dividend, at, at);
            remainder = step(terms, remainder, divisor, next);
        }
        let zero = terms.bits(1, 0);
        for digit in 0..self.exponent {
            let mut reduced = remainder;
            for _ in 0..1u32 << digit {
                reduced = step(terms, reduced, divisor, zero);
            }
            let chosen = terms.bit(distance, digit);
            remainder = terms.ite(chosen, reduced, remainder);
        }
        remainder
    }
}

/// The remainder, doubled, plus the next digit, reduced.
fn step(terms: &mut Terms, remainder: Term, divisor: Term, next: Term) -> Term {
    let width = terms.width(divisor);
    let doubled = terms.concat(remainder, next);
    let divisor = terms.zero_extend(divisor, width + 1);
    let (_, reduced) = subtract_if_possible(terms, doubled, divisor);
    terms.extract(reduced, width - 1, 0)
}
