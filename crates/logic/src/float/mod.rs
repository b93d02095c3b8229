//! IEEE 754 binary floating point as bit-vector terms, exact, rounding to nearest even.
//!
//! A float is a bit-vector in the interchange format: sign, biased exponent, fraction. Operations take
//! the operands apart (`Unpacked`), compute an exact or sticky significand (`Unrounded`) and
//! round it once. Special values are chosen around that by `ite`s. Constant operands fold to constants,
//! as with every constructor.
//!
//! **NaN.** As SSE on x86-64: of several NaN operands the first one is the result, made quiet (top bit of
//! the fraction set), with sign and payload kept; an invalid operation on numbers gives the *negative*
//! quiet NaN without payload. A compiler may exchange the operands of a commutative operation, and then
//! another of two NaNs survives: such bits are not determined by the C program either.
//!
//! No other rounding mode, no exception flags. The widest intermediate results fit 128 bits for
//! significands of up to 53 bits.

mod add;
mod compare;
mod convert;
mod divide;
mod integer;
mod integral;
mod modulo;
mod multiply;
mod round;
#[cfg(test)]
mod tests;

pub use integer::Converted;
pub use integral::Rounding;

use crate::bits;
use crate::store::{Term, Terms};

/// A binary interchange format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Format {
    /// Bits of the exponent.
    pub exponent: u32,
    /// Bits of the fraction, without the hidden bit.
    pub fraction: u32,
}

/// A float taken apart. The value of a number is `significand * 2^(exponent - fraction)`; a subnormal
/// number has leading zeros and the smallest exponent.
#[derive(Clone, Copy)]
struct Unpacked {
    negative: Term,
    /// Signed, of the format's working width.
    exponent: Term,
    /// One bit more than the fraction.
    significand: Term,
    nan: Term,
    infinite: Term,
    zero: Term,
}

impl Format {
    /// `float`.
    pub const BINARY32: Format = Format { exponent: 8, fraction: 23 };
    /// `double`.
    pub const BINARY64: Format = Format { exponent: 11, fraction: 52 };

    /// Bits in all.
    pub fn width(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    /// Bits of the significand, with the hidden bit.
    fn precision(self) -> u32 {
        self.fraction + 1
    }

    fn bias(self) -> i128 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The exponent of the smallest normal number, and of all subnormal ones.
    fn min_exponent(self) -> i128 {
        1 - self.bias()
    }

    fn max_exponent(self) -> i128 {
        self.bias()
    }

    /// The width in which exponents are computed: products and fused sums of any two fit.
    fn working_width(self) -> u32 {
        self.exponent + 4
    }

    /// An exponent as a constant of the working width.
    fn exponent_term(self, terms: &mut Terms, value: i128) -> Term {
        terms.bits(self.working_width(), value as u128)
    }

    /// Infinity without its sign: the largest magnitude that is no NaN.
    fn infinity_bits(self) -> u128 {
        bits::mask(self.exponent) << self.fraction
    }

    fn sign_mask(self) -> u128 {
        1 << (self.width() - 1)
    }

    fn quiet_bit(self) -> u128 {
        1 << (self.fraction - 1)
    }

    /// What an invalid operation on numbers gives.
    fn default_nan(self, terms: &mut Terms) -> Term {
        terms.bits(self.width(), self.sign_mask() | self.infinity_bits() | self.quiet_bit())
    }

    /// All but the sign.
    fn magnitude(self, terms: &mut Terms, a: Term) -> Term {
        assert_eq!(terms.width(a), self.width(), "the float has the width of its format");
        terms.extract(a, self.width() - 2, 0)
    }

    pub fn is_nan(self, terms: &mut Terms, a: Term) -> Term {
        let magnitude = self.magnitude(terms, a);
        let infinity = terms.bits(self.width() - 1, self.infinity_bits());
        terms.ult(infinity, magnitude)
    }

    pub fn is_infinite(self, terms: &mut Terms, a: Term) -> Term {
        let magnitude = self.magnitude(terms, a);
        let infinity = terms.bits(self.width() - 1, self.infinity_bits());
        terms.eq(magnitude, infinity)
    }

    /// Zero of either sign.
    pub fn is_zero(self, terms: &mut Terms, a: Term) -> Term {
        let magnitude = self.magnitude(terms, a);
        let zero = terms.bits(self.width() - 1, 0);
        terms.eq(magnitude, zero)
    }

    /// The sign bit, also of a NaN.
    pub fn is_sign_negative(self, terms: &mut Terms, a: Term) -> Term {
        terms.bit(a, self.width() - 1)
    }

    /// Only the sign bit changes, also of a NaN.
    pub fn neg(self, terms: &mut Terms, a: Term) -> Term {
        let (sign, magnitude) =
            (terms.extract(a, self.width() - 1, self.width() - 1), self.magnitude(terms, a));
        let flipped = terms.bv_not(sign);
        terms.concat(flipped, magnitude)
    }

    /// The absolute value; also of a NaN.
    pub fn abs(self, terms: &mut Terms, a: Term) -> Term {
        let magnitude = self.magnitude(terms, a);
        terms.zero_extend(magnitude, self.width())
    }

    /// `a` with the sign of `b`; also of NaNs.
    pub fn with_sign_of(self, terms: &mut Terms, a: Term, b: Term) -> Term {
        let (sign, magnitude) =
            (terms.extract(b, self.width() - 1, self.width() - 1), self.magnitude(terms, a));
        terms.concat(sign, magnitude)
    }

    fn infinity(self, terms: &mut Terms, negative: Term) -> Term {
        let magnitude = terms.bits(self.width() - 1, self.infinity_bits());
        self.with_sign(terms, negative, magnitude)
    }

    fn zero(self, terms: &mut Terms, negative: Term) -> Term {
        let magnitude = terms.bits(self.width() - 1, 0);
        self.with_sign(terms, negative, magnitude)
    }

    fn with_sign(self, terms: &mut Terms, negative: Term, magnitude: Term) -> Term {
        let sign = terms.from_bool(1, negative);
        terms.concat(sign, magnitude)
    }

    /// A NaN made quiet.
    fn quiet(self, terms: &mut Terms, nan: Term) -> Term {
        let bit = terms.bits(self.width(), self.quiet_bit());
        terms.bv_or(nan, bit)
    }

    /// `result`, unless an operand is a NaN or the operation is invalid.
    fn guard_nans(
        self,
        terms: &mut Terms,
        operands: &[(Term, Unpacked)],
        invalid: Term,
        result: Term,
    ) -> Term {
        let default = self.default_nan(terms);
        let mut result = terms.ite(invalid, default, result);
        for (bits, parts) in operands.iter().rev() {
            let quiet = self.quiet(terms, *bits);
            result = terms.ite(parts.nan, quiet, result);
        }
        result
    }

    fn unpack(self, terms: &mut Terms, a: Term) -> Unpacked {
        let field = terms.extract(a, self.width() - 2, self.fraction);
        let fraction = terms.extract(a, self.fraction - 1, 0);
        let zero_field = terms.bits(self.exponent, 0);
        let subnormal = terms.eq(field, zero_field);
        let normal = terms.not(subnormal);
        let hidden = terms.from_bool(1, normal);
        let wide = terms.zero_extend(field, self.working_width());
        let bias = self.exponent_term(terms, -self.bias());
        let unbiased = terms.bv_add(wide, bias);
        let min_exponent = self.exponent_term(terms, self.min_exponent());
        Unpacked {
            negative: self.is_sign_negative(terms, a),
            exponent: terms.ite(subnormal, min_exponent, unbiased),
            significand: terms.concat(hidden, fraction),
            nan: self.is_nan(terms, a),
            infinite: self.is_infinite(terms, a),
            zero: self.is_zero(terms, a),
        }
    }

    /// The same number with the top bit of the significand set, unless it is zero.
    fn normalised(self, terms: &mut Terms, a: Unpacked) -> Unpacked {
        let (exponent, significand) = round::normalise(terms, a.exponent, a.significand, None);
        Unpacked { exponent, significand, ..a }
    }
}
