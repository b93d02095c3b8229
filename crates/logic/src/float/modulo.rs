//! Remainders of division, which are exact: of the truncated quotient (C's `fmod`) and of the nearest one
//! (`remainder`).
//!
//! Long division of significands: the remainder of the dividend's significand, then doubled and reduced
//! once per unit by which the exponents differ. The units are grouped by the binary digits of the
//! difference, so only one choice per digit is needed. The price is one subtraction per possible unit:
//! about 300 for binary32 and 2,100 for binary64 (some 17,000 terms): right for constants and for the
//! occasional symbolic use, not for code that leans on it.

use super::divide::subtract_if_possible;
use super::round::Unrounded;
use super::{Format, Unpacked};
use crate::store::{Term, Terms};

/// A step of long division.
#[derive(Clone, Copy)]
struct Reduced {
    remainder: Term,
    /// The lowest digit of the quotient so far.
    digit: Term,
}

impl Format {
    /// `a - n * b` for `n = trunc(a / b)`.
    pub fn fmod(self, terms: &mut Terms, a: Term, b: Term) -> Term {
        let (x, y) = (self.unpack(terms, a), self.unpack(terms, b));
        let (result, _) = self.truncated(terms, (a, x), (b, y));
        let invalid = terms.or(x.infinite, y.zero);
        self.guard_nans(terms, &[(a, x), (b, y)], invalid, result)
    }

    /// `a - n * b` for the integer `n` nearest to `a / b`, of two the even one.
    pub fn remainder(self, terms: &mut Terms, a: Term, b: Term) -> Term {
        let (x, y) = (self.unpack(terms, a), self.unpack(terms, b));
        let (truncated, odd) = self.truncated(terms, (a, x), (b, y));
        let (rest, divisor) = (self.abs(terms, truncated), self.abs(terms, b));
        // Exact unless it is by far the larger one; rounding does not change which is larger.
        let other = self.sub(terms, divisor, rest);
        let (closer, tie) = (self.lt(terms, other, rest), self.eq(terms, other, rest));
        let odd_tie = terms.and(tie, odd);
        let up = terms.or(closer, odd_tie);
        let size = terms.ite(up, other, rest);
        let size = self.magnitude(terms, size);
        let negative = terms.xor(x.negative, up);
        let result = self.with_sign(terms, negative, size);
        let invalid = terms.or(x.infinite, y.zero);
        self.guard_nans(terms, &[(a, x), (b, y)], invalid, result)
    }

    /// The remainder of truncating division of numbers, and whether the truncated quotient is odd.
    fn truncated(
        self,
        terms: &mut Terms,
        (a, x): (Term, Unpacked),
        (b, y): (Term, Unpacked),
    ) -> (Term, Term) {
        let (size_a, size_b) = (self.magnitude(terms, a), self.magnitude(terms, b));
        let distance = terms.bv_sub(x.exponent, y.exponent);
        let reduced = self.reduce(terms, x.significand, y.significand, distance);
        let exact = Unrounded {
            negative: x.negative,
            exponent: y.exponent,
            significand: super::convert::at_least(terms, reduced.remainder, self.precision() + 2),
            may_underflow: false,
        };
        let rounded = self.round(terms, exact);
        // Also for an infinite divisor; and the distance is not negative otherwise.
        let smaller = terms.ult(size_a, size_b);
        let not_smaller = terms.not(smaller);
        let digit = terms.to_bool(reduced.digit);
        (terms.ite(smaller, a, rounded), terms.and(not_smaller, digit))
    }

    /// `dividend * 2^distance` by `divisor`, for `distance` not negative.
    fn reduce(self, terms: &mut Terms, dividend: Term, divisor: Term, distance: Term) -> Reduced {
        let precision = self.precision();
        let zero = terms.bits(1, 0);
        let mut reduced = Reduced { remainder: terms.bits(precision, 0), digit: zero };
        for at in (0..precision).rev() {
            let next = terms.extract(dividend, at, at);
            reduced = step(terms, reduced.remainder, divisor, next);
        }
        for position in 0..self.exponent {
            let mut further = reduced;
            for _ in 0..1u32 << position {
                further = step(terms, further.remainder, divisor, zero);
            }
            let chosen = terms.bit(distance, position);
            reduced = Reduced {
                remainder: terms.ite(chosen, further.remainder, reduced.remainder),
                digit: terms.ite(chosen, further.digit, reduced.digit),
            };
        }
        reduced
    }
}

/// The remainder, doubled, plus the next digit, reduced.
fn step(terms: &mut Terms, remainder: Term, divisor: Term, next: Term) -> Reduced {
    let width = terms.width(divisor);
    let doubled = terms.concat(remainder, next);
    let divisor = terms.zero_extend(divisor, width + 1);
    let (digit, reduced) = subtract_if_possible(terms, doubled, divisor);
    Reduced { remainder: terms.extract(reduced, width - 1, 0), digit }
}
