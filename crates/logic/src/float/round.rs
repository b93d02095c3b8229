//! The end of every operation: from an exact (or sticky) significand to a float.
//!
//! A *sticky* significand's lowest bit also stands for everything below it: it is set if anything
//! nonzero was cut off. Rounding needs the precision, one bit below it, and whether anything is below
//! that.

use super::Format;
use crate::store::{Term, Terms};

/// A nonzero number before rounding: `significand * 2^(exponent - (width of the significand - 1))`.
#[derive(Clone, Copy)]
pub struct Unrounded {
    pub negative: Term,
    /// Of the top bit of the significand; signed, of the format's working width.
    pub exponent: Term,
    /// At least two bits more than the precision; may have leading zeros.
    pub significand: Term,
    /// Whether the exponent may be below the smallest one.
    pub may_underflow: bool,
}

/// Shifts to the right; what is lost sticks in the lowest bit. `count` is unsigned.
pub fn shift_right_sticky(terms: &mut Terms, a: Term, count: Term) -> Term {
    let (width, count_width) = (terms.width(a), terms.width(count));
    let mut result = a;
    let mut stage = 0;
    while stage < count_width && 1 << stage < width {
        let shifted = shift_right_sticky_by(terms, result, 1 << stage);
        let chosen = terms.bit(count, stage);
        result = terms.ite(chosen, shifted, result);
        stage += 1;
    }
    if stage == count_width {
        return result;
    }
    // The stages cover counts below a power of two that is at least the width.
    let rest = terms.extract(count, count_width - 1, stage);
    let everything = terms.to_bool(rest);
    let nonzero = terms.to_bool(a);
    let sticky = terms.from_bool(width, nonzero);
    terms.ite(everything, sticky, result)
}

fn shift_right_sticky_by(terms: &mut Terms, a: Term, count: u32) -> Term {
    let width = terms.width(a);
    let kept = terms.extract(a, width - 1, count);
    let lost = terms.extract(a, count - 1, 0);
    let lost = terms.to_bool(lost);
    let lost = terms.from_bool(width - count, lost);
    let kept = terms.bv_or(kept, lost);
    terms.zero_extend(kept, width)
}

/// Shifts leading zeros out, lowering the exponent, but not below `floor` if there is one.
pub fn normalise(terms: &mut Terms, exponent: Term, significand: Term, floor: Option<i128>) -> (Term, Term) {
    let (width, exponent_width) = (terms.width(significand), terms.width(exponent));
    let (mut exponent, mut significand) = (exponent, significand);
    // Greedy from the largest power of two: the digits of the smaller of the number of leading zeros and
    // the distance to the floor.
    for stage in (0..width.ilog2() + 1).rev().filter(|s| 1 << s < width) {
        let count = 1u32 << stage;
        let top = terms.extract(significand, width - 1, width - count);
        let occupied = terms.to_bool(top);
        let mut shift = terms.not(occupied);
        let minus_count = terms.bits(exponent_width, u128::from(count).wrapping_neg());
        let lowered = terms.bv_add(exponent, minus_count);
        if let Some(floor) = floor {
            let floor = terms.bits(exponent_width, floor as u128);
            let allowed = terms.sle(floor, lowered);
            shift = terms.and(shift, allowed);
        }
        let shifted = terms.shift_left_by(significand, count);
        significand = terms.ite(shift, shifted, significand);
        exponent = terms.ite(shift, lowered, exponent);
    }
    (exponent, significand)
}

impl Format {
    /// Rounds to nearest even: a subnormal number, a normal number or infinity. A zero significand gives
    /// a zero.
    pub(super) fn round(self, terms: &mut Terms, number: Unrounded) -> Term {
        let (mut exponent, mut significand) = (number.exponent, number.significand);
        let floor = self.min_exponent();
        if number.may_underflow {
            (exponent, significand) = self.raise_to_floor(terms, exponent, significand);
        }
        (exponent, significand) = normalise(terms, exponent, significand, Some(floor));
        let magnitude = self.round_magnitude(terms, exponent, significand);
        let max = self.exponent_term(terms, self.max_exponent());
        let overflow = terms.slt(max, exponent);
        let infinity = terms.bits(self.width() - 1, self.infinity_bits());
        let magnitude = terms.ite(overflow, infinity, magnitude);
        self.with_sign(terms, number.negative, magnitude)
    }

    /// Shifts a number that is too small for its exponent until the exponent is the smallest one.
    fn raise_to_floor(self, terms: &mut Terms, exponent: Term, significand: Term) -> (Term, Term) {
        let floor = self.exponent_term(terms, self.min_exponent());
        let below = terms.slt(exponent, floor);
        let distance = terms.bv_sub(floor, exponent);
        let zero = self.exponent_term(terms, 0);
        let count = terms.ite(below, distance, zero);
        (terms.ite(below, floor, exponent), shift_right_sticky(terms, significand, count))
    }

    /// Exponent and fraction. The significand is normalised, or the exponent is the smallest. A carry
    /// runs from the fraction into the exponent, which is right: to the next power of two, from the
    /// subnormal to the normal numbers, and to infinity.
    fn round_magnitude(self, terms: &mut Terms, exponent: Term, significand: Term) -> Term {
        let (width, precision) = (terms.width(significand), self.precision());
        let normal = terms.bit(significand, width - 1);
        let bias = self.exponent_term(terms, self.bias());
        let biased = terms.bv_add(exponent, bias);
        let biased = terms.extract(biased, self.exponent - 1, 0);
        let subnormal_field = terms.bits(self.exponent, 0);
        let field = terms.ite(normal, biased, subnormal_field);
        let fraction = terms.extract(significand, width - 2, width - precision);
        let truncated = terms.concat(field, fraction);
        let odd = terms.bit(significand, width - precision);
        let half = terms.bit(significand, width - precision - 1);
        let below = terms.extract(significand, width - precision - 2, 0);
        let more = terms.to_bool(below);
        let not_tie_to_even = terms.or(odd, more);
        let up = terms.and(half, not_tie_to_even);
        let up = terms.from_bool(self.width() - 1, up);
        terms.bv_add(truncated, up)
    }
}
