//! Rounding to an integral value in floating point.
//!
//! Exponent and fraction together, read as one integer, count the floats of one sign in order. Clearing
//! the fractional bits truncates; adding one in the lowest integral place afterwards is the next integral
//! value, also where the carry runs into the exponent. Magnitudes below one are treated apart.

use super::{Format, Unpacked};
use crate::store::{Term, Terms};

/// Which neighbouring integral value is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// Towards zero.
    Truncate,
    /// Towards minus infinity.
    Down,
    /// Towards plus infinity.
    Up,
    /// The nearest, of two the even one.
    NearestEven,
    /// The nearest, of two the one further from zero.
    NearestAway,
}

impl Rounding {
    pub const ALL: [Rounding; 5] =
        [Rounding::Truncate, Rounding::Down, Rounding::Up, Rounding::NearestEven, Rounding::NearestAway];
}

/// What lies between a magnitude and the integral one below it.
struct Rest {
    nonzero: Term,
    half: Term,
    more_than_half: Term,
    /// Whether the integral magnitude below is odd.
    odd: Term,
}

impl Format {
    pub fn round_to_integral(self, terms: &mut Terms, a: Term, rounding: Rounding) -> Term {
        let x = self.unpack(terms, a);
        let (negative, size) = (x.negative, self.magnitude(terms, a));
        let small = self.round_below_one(terms, size, negative, rounding);
        let large = self.round_above_one(terms, x, size, rounding);
        let one = terms.bits(self.width() - 1, self.one_bits());
        let below_one = terms.ult(size, one);
        let magnitude = terms.ite(below_one, small, large);
        let result = self.with_sign(terms, negative, magnitude);
        // From here on every float is integral; infinities and NaNs, too, are beyond.
        let limit = self.exponent_term(terms, self.fraction.into());
        let integral = terms.sle(limit, x.exponent);
        let result = terms.ite(integral, a, result);
        let quiet = self.quiet(terms, a);
        terms.ite(x.nan, quiet, result)
    }

    /// 1.0
    fn one_bits(self) -> u128 {
        (self.bias() as u128) << self.fraction
    }

    fn round_below_one(self, terms: &mut Terms, size: Term, negative: Term, rounding: Rounding) -> Term {
        let width = self.width() - 1;
        let half = terms.bits(width, self.one_bits() - (1 << self.fraction));
        let rest = Rest {
            nonzero: terms.to_bool(size),
            half: terms.eq(size, half),
            more_than_half: terms.ult(half, size),
            odd: terms.bool(false),
        };
        let away = rounds_away(terms, rest, negative, rounding);
        let (one, zero) = (terms.bits(width, self.one_bits()), terms.bits(width, 0));
        terms.ite(away, one, zero)
    }

    fn round_above_one(self, terms: &mut Terms, x: Unpacked, size: Term, rounding: Rounding) -> Term {
        let width = self.width() - 1;
        // How many bits of the fraction are fractional; 1 to all of them.
        let working = self.working_width();
        let fraction_bits = terms.bits(working, self.fraction.into());
        let count = terms.bv_sub(fraction_bits, x.exponent);
        let count = terms.resize_unsigned(count, width);
        let one = terms.bits(width, 1);
        let unit = terms.bv_shl(one, count);
        let minus_one = terms.bits(width, u128::MAX);
        let mask = terms.bv_add(unit, minus_one);
        let fractional = terms.bv_and(size, mask);
        let half = terms.shift_right_by(unit, 1);
        // In the lowest integral place; for magnitudes below two that is the lowest bit of the exponent,
        // which is one there, as it should be.
        let unit_bit = terms.bv_and(size, unit);
        let rest = Rest {
            nonzero: terms.to_bool(fractional),
            half: terms.eq(fractional, half),
            more_than_half: terms.ult(half, fractional),
            odd: terms.to_bool(unit_bit),
        };
        let away = rounds_away(terms, rest, x.negative, rounding);
        let kept = terms.bv_not(mask);
        let truncated = terms.bv_and(size, kept);
        let zero = terms.bits(width, 0);
        let step = terms.ite(away, unit, zero);
        terms.bv_add(truncated, step)
    }
}

/// Whether the magnitude is rounded up.
fn rounds_away(terms: &mut Terms, rest: Rest, negative: Term, rounding: Rounding) -> Term {
    match rounding {
        Rounding::Truncate => terms.bool(false),
        Rounding::Down => terms.and(negative, rest.nonzero),
        Rounding::Up => {
            let positive = terms.not(negative);
            terms.and(positive, rest.nonzero)
        }
        Rounding::NearestEven => {
            let tie = terms.and(rest.half, rest.odd);
            terms.or(tie, rest.more_than_half)
        }
        Rounding::NearestAway => terms.or(rest.half, rest.more_than_half),
    }
}
