//! Quotient and square root, digit by digit.
//!
//! Restoring algorithms: one subtraction of the precision's width per digit of the result, which is much
//! smaller than a division of twice the width. Two digits more than the precision are computed, and
//! whether a remainder is left.

use super::round::Unrounded;
use super::{Format, Unpacked};
use crate::store::{Term, Terms};

impl Format {
    pub fn div(self, terms: &mut Terms, a: Term, b: Term) -> Term {
        let (x, y) = (self.unpack(terms, a), self.unpack(terms, b));
        let negative = terms.xor(x.negative, y.negative);
        let quotient = self.quotient(terms, x, y, negative);
        let rounded = self.round(terms, quotient);
        let (zero, infinity) = (self.zero(terms, negative), self.infinity(terms, negative));
        let to_zero = terms.or(x.zero, y.infinite);
        let to_infinity = terms.or(x.infinite, y.zero);
        let result = terms.ite(to_zero, zero, rounded);
        let result = terms.ite(to_infinity, infinity, result);
        let (zeros, infinities) = (terms.and(x.zero, y.zero), terms.and(x.infinite, y.infinite));
        let invalid = terms.or(zeros, infinities);
        self.guard_nans(terms, &[(a, x), (b, y)], invalid, result)
    }

    fn quotient(self, terms: &mut Terms, x: Unpacked, y: Unpacked, negative: Term) -> Unrounded {
        let (x, y) = (self.normalised(terms, x), self.normalised(terms, y));
        // The remainder stays below twice the divisor.
        let width = self.precision() + 1;
        let divisor = terms.zero_extend(y.significand, width);
        let mut remainder = terms.zero_extend(x.significand, width);
        let mut digits = Vec::new();
        for _ in 0..self.precision() + 2 {
            let (digit, rest) = subtract_if_possible(terms, remainder, divisor);
            digits.push(digit);
            remainder = terms.shift_left_by(rest, 1);
        }
        Unrounded {
            negative,
            exponent: terms.bv_sub(x.exponent, y.exponent),
            significand: with_sticky(terms, &digits, remainder),
            may_underflow: true,
        }
    }

    pub fn sqrt(self, terms: &mut Terms, a: Term) -> Term {
        let x = self.unpack(terms, a);
        let root = self.root(terms, x);
        let rounded = self.round(terms, root);
        // The root of a zero has its sign; so has positive infinity.
        let itself = terms.or(x.zero, x.infinite);
        let result = terms.ite(itself, a, rounded);
        let nonzero = terms.not(x.zero);
        let invalid = terms.and(x.negative, nonzero);
        self.guard_nans(terms, &[(a, x)], invalid, result)
    }

    fn root(self, terms: &mut Terms, x: Unpacked) -> Unrounded {
        let x = self.normalised(terms, x);
        let digits_count = self.precision() + 2;
        // The radicand as a number of two digits before the point, doubled if the exponent is odd.
        let odd = terms.bit(x.exponent, 0);
        let even = terms.zero_extend(x.significand, self.precision() + 1);
        let doubled = terms.shift_left_by(even, 1);
        let radicand = terms.ite(odd, doubled, even);
        let padding = terms.bits(2 * digits_count - (self.precision() + 1), 0);
        let radicand = terms.concat(radicand, padding);
        let width = digits_count + 2;
        let mut root = terms.bits(width, 0);
        let mut remainder = terms.bits(width, 0);
        let mut digits = Vec::new();
        for at in (0..digits_count).rev() {
            let next = terms.extract(radicand, 2 * at + 1, 2 * at);
            let kept = terms.extract(remainder, width - 3, 0);
            remainder = terms.concat(kept, next);
            let shifted = terms.shift_left_by(root, 2);
            let one = terms.bits(width, 1);
            let trial = terms.bv_or(shifted, one);
            let digit;
            (digit, remainder) = subtract_if_possible(terms, remainder, trial);
            let kept = terms.extract(root, width - 2, 0);
            root = terms.concat(kept, digit);
            digits.push(digit);
        }
        // Half the exponent, rounded down: it was made even.
        let working = self.working_width();
        let half = terms.extract(x.exponent, working - 1, 1);
        Unrounded {
            negative: terms.bool(false),
            exponent: terms.sign_extend(half, working),
            significand: with_sticky(terms, &digits, remainder),
            may_underflow: false,
        }
    }
}

/// 1 and the difference if `b` is at most `a`, else 0 and `a`.
pub(super) fn subtract_if_possible(terms: &mut Terms, a: Term, b: Term) -> (Term, Term) {
    let width = terms.width(a);
    let (wide_a, wide_b) = (terms.zero_extend(a, width + 1), terms.zero_extend(b, width + 1));
    let difference = terms.bv_sub(wide_a, wide_b);
    let borrow = terms.extract(difference, width, width);
    let borrowed = terms.bit(difference, width);
    let low = terms.extract(difference, width - 1, 0);
    (terms.bv_not(borrow), terms.ite(borrowed, a, low))
}

/// Digits, the first on top, and below them whether a remainder is left.
fn with_sticky(terms: &mut Terms, digits: &[Term], remainder: Term) -> Term {
    let left = terms.to_bool(remainder);
    let sticky = terms.from_bool(1, left);
    digits.iter().rev().fold(sticky, |low, digit| terms.concat(*digit, low))
}
