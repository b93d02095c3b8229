//! Conversion from and to integers of any width.
//!
//! A float out of an integer's range has no value in C. [`Format::to_integer`] says when that is so;
//! [`Format::to_integer_x86`] gives what gcc's code on x86-64 computes with SSE, and for 128 bits the
//! saturated value.

use super::convert::at_least;
use super::round::Unrounded;
use super::{Format, Unpacked};
use crate::bits;
use crate::store::{Term, Terms};

/// The result of a conversion to an integer.
#[derive(Clone, Copy, Debug)]
pub struct Converted {
    /// The truncated value; arbitrary if out of range.
    pub value: Term,
    /// Whether the truncated value does not fit, or the float is no number.
    pub out_of_range: Term,
}

impl Format {
    /// The nearest float of a signed integer.
    pub fn of_signed(self, terms: &mut Terms, a: Term) -> Term {
        let negative = terms.is_negative(a);
        let size = terms.magnitude(a);
        self.of_magnitude(terms, negative, size)
    }

    /// The nearest float of an unsigned integer.
    pub fn of_unsigned(self, terms: &mut Terms, a: Term) -> Term {
        let positive = terms.bool(false);
        self.of_magnitude(terms, positive, a)
    }

    fn of_magnitude(self, terms: &mut Terms, negative: Term, size: Term) -> Term {
        let exponent = self.exponent_term(terms, i128::from(terms.width(size)) - 1);
        let significand = at_least(terms, size, self.precision() + 2);
        self.round(terms, Unrounded { negative, exponent, significand, may_underflow: false })
    }

    /// The truncated value as an integer of this width.
    pub fn to_integer(self, terms: &mut Terms, a: Term, width: u32, signed: bool) -> Converted {
        let x = self.unpack(terms, a);
        let size = self.integral_magnitude(terms, x, width);
        let limit = terms.bits(terms.width(size), bits::mask(width));
        let limit = if signed {
            let (min, max) = (bits::min_signed(width), bits::max_signed(width));
            let (min, max) = (terms.bits(terms.width(size), min), terms.bits(terms.width(size), max));
            terms.ite(x.negative, min, max)
        } else {
            let zero = terms.bits(terms.width(size), 0);
            terms.ite(x.negative, zero, limit)
        };
        let too_large = terms.ult(limit, size);
        let first_too_large = self.exponent_term(terms, width.into());
        let far_too_large = terms.sle(first_too_large, x.exponent);
        let not_a_number = terms.or(x.nan, x.infinite);
        let size = terms.extract(size, width - 1, 0);
        let negated = terms.bv_neg(size);
        Converted {
            value: terms.ite(x.negative, negated, size),
            out_of_range: terms.or_all([too_large, far_too_large, not_a_number]),
        }
    }

    /// The truncated magnitude, right if the exponent is below `width`; of at least `width` bits.
    fn integral_magnitude(self, terms: &mut Terms, x: Unpacked, width: u32) -> Term {
        let working = self.working_width();
        let frame = width.max(self.precision());
        // Counts are exponents; they fit a frame, which is at least as wide as the precision.
        let fraction = terms.bits(working, self.fraction.into());
        let (left, right) = (terms.bv_sub(x.exponent, fraction), terms.bv_sub(fraction, x.exponent));
        let (left, right) = (terms.resize_signed(left, frame), terms.resize_signed(right, self.precision()));
        let down = terms.bv_lshr(x.significand, right);
        let down = terms.zero_extend(down, frame);
        let wide = terms.zero_extend(x.significand, frame);
        let up = terms.bv_shl(wide, left);
        let fraction = terms.bits(working, self.fraction.into());
        let has_fraction = terms.slt(x.exponent, fraction);
        terms.ite(has_fraction, down, up)
    }

    /// What gcc's code for x86-64 computes, out of range too: conversions go through a signed register
    /// of 32 or 64 bits, where the pattern of the minimum stands for "out of range".
    pub fn to_integer_x86(self, terms: &mut Terms, a: Term, width: u32, signed: bool) -> Term {
        match (signed, width) {
            (true, ..=32) | (false, ..=16) => self.to_register(terms, a, 32, width),
            (true, ..=64) | (false, ..=32) => self.to_register(terms, a, 64, width),
            (false, ..=64) => self.to_unsigned_64(terms, a, width),
            (_, _) => self.to_saturated(terms, a, width, signed),
        }
    }

    /// By way of a signed register; its low bits.
    fn to_register(self, terms: &mut Terms, a: Term, register: u32, width: u32) -> Term {
        let converted = self.to_integer(terms, a, register, true);
        let indefinite = terms.bits(register, bits::min_signed(register));
        let value = terms.ite(converted.out_of_range, indefinite, converted.value);
        terms.extract(value, width - 1, 0)
    }

    /// From 2^63 on that is subtracted before the conversion and added again after it.
    fn to_unsigned_64(self, terms: &mut Terms, a: Term, width: u32) -> Term {
        let half = terms.bits(self.width(), ((63 + self.bias()) as u128) << self.fraction);
        let below = self.lt(terms, a, half);
        let unordered = self.unordered(terms, a, half);
        let low = terms.or(below, unordered);
        let rest = self.sub(terms, a, half);
        let operand = terms.ite(low, a, rest);
        let value = self.to_register(terms, operand, 64, 64);
        let top = terms.bits(64, 1 << 63);
        let raised = terms.bv_xor(value, top);
        let value = terms.ite(low, value, raised);
        terms.extract(value, width - 1, 0)
    }

    /// The nearest value in the range of 128 bits, zero for a NaN; negative numbers as signed ones.
    fn to_saturated(self, terms: &mut Terms, a: Term, width: u32, signed: bool) -> Term {
        let as_signed = self.saturated(terms, a, true);
        let value = if signed {
            as_signed
        } else {
            let as_unsigned = self.saturated(terms, a, false);
            let minus_one =
                terms.bits(self.width(), self.sign_mask() | (self.bias() as u128) << self.fraction);
            let above = self.lt(terms, minus_one, a);
            terms.ite(above, as_unsigned, as_signed)
        };
        terms.extract(value, width - 1, 0)
    }

    fn saturated(self, terms: &mut Terms, a: Term, signed: bool) -> Term {
        let converted = self.to_integer(terms, a, 128, signed);
        let (min, max) = if signed { (bits::min_signed(128), bits::max_signed(128)) } else { (0, u128::MAX) };
        let (min, max) = (terms.bits(128, min), terms.bits(128, max));
        let negative = self.is_sign_negative(terms, a);
        let limit = terms.ite(negative, min, max);
        let value = terms.ite(converted.out_of_range, limit, converted.value);
        let (nan, zero) = (self.is_nan(terms, a), terms.bits(128, 0));
        terms.ite(nan, zero, value)
    }
}
