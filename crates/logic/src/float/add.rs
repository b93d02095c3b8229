//! Sum, difference and fused multiply-add.
//!
//! The operand with the smaller exponent is shifted to the right, sticky, and added or subtracted. That
//! is exact whenever the result loses more than a few leading bits, because nothing is shifted out then.
//!
//! The fused operation is the same sum with significands of twice the precision: the product is exact
//! there. Its operands are not normalised: with a subnormal factor the product may have as many leading
//! zeros as the precision has bits, but then the guard bits below the product's lowest place still
//! lie below the rounding place; and if the third operand is subnormal its exponent is the smallest, so the
//! result is rounded at a fixed place that is above anything shifted out.

use super::round::{Unrounded, shift_right_sticky};
use super::{Format, Unpacked};
use crate::store::{Term, Terms};

/// Bits kept below the lowest place of the larger operand.
const GUARD: u32 = 4;

/// A summand: a sign, an exponent of the top bit, a significand.
#[derive(Clone, Copy)]
struct Summand {
    negative: Term,
    exponent: Term,
    significand: Term,
}

impl Summand {
    fn select(terms: &mut Terms, condition: Term, yes: Summand, no: Summand) -> Summand {
        Summand {
            negative: terms.ite(condition, yes.negative, no.negative),
            exponent: terms.ite(condition, yes.exponent, no.exponent),
            significand: terms.ite(condition, yes.significand, no.significand),
        }
    }
}

impl From<Unpacked> for Summand {
    fn from(a: Unpacked) -> Summand {
        Summand { negative: a.negative, exponent: a.exponent, significand: a.significand }
    }
}

impl Format {
    pub fn add(self, terms: &mut Terms, a: Term, b: Term) -> Term {
        let (x, y) = (self.unpack(terms, a), self.unpack(terms, b));
        let (size_a, size_b) = (self.magnitude(terms, a), self.magnitude(terms, b));
        // By magnitude, so that the difference is never negative.
        let exchange = terms.ult(size_a, size_b);
        let larger = Summand::select(terms, exchange, y.into(), x.into());
        let smaller = Summand::select(terms, exchange, x.into(), y.into());
        let sum = sum(terms, larger, smaller);
        let sum = Unrounded { negative: larger.negative, may_underflow: false, ..sum };
        let (rounded, nonzero) = (self.round(terms, sum), terms.to_bool(sum.significand));
        self.finish_sum(terms, rounded, nonzero, (x, y), &[(a, x), (b, y)])
    }

    pub fn sub(self, terms: &mut Terms, a: Term, b: Term) -> Term {
        let minus_b = self.neg(terms, b);
        let result = self.add(terms, a, minus_b);
        // A NaN operand keeps its sign.
        let (nan_a, nan_b) = (self.is_nan(terms, a), self.is_nan(terms, b));
        let not_a = terms.not(nan_a);
        let only_b = terms.and(not_a, nan_b);
        let quiet = self.quiet(terms, b);
        terms.ite(only_b, quiet, result)
    }

    /// `a * b + c` with one rounding.
    pub fn fma(self, terms: &mut Terms, a: Term, b: Term, c: Term) -> Term {
        let (x, y, z) = (self.unpack(terms, a), self.unpack(terms, b), self.unpack(terms, c));
        let product = self.exact_product(terms, x, y);
        let product_zero = terms.or(x.zero, y.zero);
        let product_infinite = terms.or(x.infinite, y.infinite);
        let padding = terms.bits(self.precision(), 0);
        let addend = Summand { significand: terms.concat(z.significand, padding), ..z.into() };
        let factor = Summand {
            negative: product.negative,
            exponent: product.exponent,
            significand: product.significand,
        };
        let exchange = terms.slt(factor.exponent, addend.exponent);
        let upper = Summand::select(terms, exchange, addend, factor);
        let lower = Summand::select(terms, exchange, factor, addend);
        let sum = absolute_sum(terms, upper, lower);
        let rounded = self.round(terms, sum);
        // A zero product has no meaningful exponent.
        let rounded = terms.ite(product_zero, c, rounded);
        let (sum_nonzero, c_nonzero) = (terms.to_bool(sum.significand), terms.not(z.zero));
        let nonzero = terms.ite(product_zero, c_nonzero, sum_nonzero);
        let product = Unpacked { negative: product.negative, infinite: product_infinite, ..x };
        let result = self.finish_sum(terms, rounded, nonzero, (product, z), &[]);
        let invalid = invalid_product(terms, x, y);
        self.guard_nans(terms, &[(a, x), (b, y), (c, z)], invalid, result)
    }

    /// Infinities, invalid sums, exact zeros and NaNs around a rounded sum.
    fn finish_sum(
        self,
        terms: &mut Terms,
        rounded: Term,
        nonzero: Term,
        (x, y): (Unpacked, Unpacked),
        operands: &[(Term, Unpacked)],
    ) -> Term {
        // An exact zero is positive, unless both summands are negative.
        let negative_zero = terms.and(x.negative, y.negative);
        let zero = self.zero(terms, negative_zero);
        let result = terms.ite(nonzero, rounded, zero);
        let infinite = terms.or(x.infinite, y.infinite);
        let sign = terms.ite(x.infinite, x.negative, y.negative);
        let infinity = self.infinity(terms, sign);
        let result = terms.ite(infinite, infinity, result);
        let both = terms.and(x.infinite, y.infinite);
        let opposite = terms.xor(x.negative, y.negative);
        let invalid = terms.and(both, opposite);
        self.guard_nans(terms, operands, invalid, result)
    }
}

/// Whether it is zero times infinity.
pub(super) fn invalid_product(terms: &mut Terms, x: Unpacked, y: Unpacked) -> Term {
    let (left, right) = (terms.and(x.zero, y.infinite), terms.and(x.infinite, y.zero));
    terms.or(left, right)
}

/// The sum as a two's complement number, if `lower` has no larger exponent; it may be negative only if
/// `lower` is larger. The sign is the upper one's.
fn sum(terms: &mut Terms, upper: Summand, lower: Summand) -> Unrounded {
    let distance = terms.bv_sub(upper.exponent, lower.exponent);
    let guard = terms.bits(GUARD, 0);
    let (high, low) = (terms.concat(upper.significand, guard), terms.concat(lower.significand, guard));
    let low = shift_right_sticky(terms, low, distance);
    // One bit above for the carry, and one below that makes the subtraction's carry.
    let width = terms.width(high) + 1;
    let subtract = terms.xor(upper.negative, lower.negative);
    let (high, low) = (terms.zero_extend(high, width), terms.zero_extend(low, width));
    let inverted = terms.bv_not(low);
    let low = terms.ite(subtract, inverted, low);
    let (one, carry) = (terms.bits(1, 1), terms.from_bool(1, subtract));
    let (high, low) = (terms.concat(high, one), terms.concat(low, carry));
    let sum = terms.bv_add(high, low);
    let one = terms.bits(terms.width(upper.exponent), 1);
    Unrounded {
        negative: upper.negative,
        exponent: terms.bv_add(upper.exponent, one),
        significand: terms.extract(sum, width, 1),
        may_underflow: true,
    }
}

/// The same with a positive significand.
fn absolute_sum(terms: &mut Terms, upper: Summand, lower: Summand) -> Unrounded {
    let sum = sum(terms, upper, lower);
    // Only a subtraction can be negative; a sum may reach the same bit by its carry.
    let top = terms.bit(sum.significand, terms.width(sum.significand) - 1);
    let subtract = terms.xor(upper.negative, lower.negative);
    let crossed = terms.and(top, subtract);
    let negated = terms.bv_neg(sum.significand);
    Unrounded {
        negative: terms.xor(sum.negative, crossed),
        significand: terms.ite(crossed, negated, sum.significand),
        ..sum
    }
}
