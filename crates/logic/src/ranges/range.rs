//! A set of bit-vectors: those in an unsigned interval, in a signed interval, and with certain bits.

use super::transfer;
use crate::bits;
use braid_base::ticks;

/// Never empty as a description, though the three parts together may admit no value where assumptions
/// contradict each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    width: u32,
    umin: u128,
    umax: u128,
    smin: i128,
    smax: i128,
    /// Bits that are zero in all values.
    zeros: u128,
    /// Bits that are one in all values.
    ones: u128,
}

impl Range {
    /// All values of this width.
    pub fn full(width: u32) -> Range {
        Range {
            width,
            umin: 0,
            umax: bits::mask(width),
            smin: bits::signed(width, bits::min_signed(width)),
            smax: bits::signed(width, bits::max_signed(width)),
            zeros: 0,
            ones: 0,
        }
    }

    /// One value. All of its bits and bounds are known, so there is nothing to refine.
    pub fn constant(width: u32, value: u128) -> Range {
        debug_assert!(value <= bits::mask(width), "a constant has no more bits than its width");
        let signed = bits::signed(width, value);
        let zeros = !value & bits::mask(width);
        Range { width, umin: value, umax: value, smin: signed, smax: signed, zeros, ones: value }
    }

    /// From `min` to `max`, both included; all values if there are none between.
    pub fn unsigned(width: u32, min: u128, max: u128) -> Range {
        let full = Range::full(width);
        if min > max || max > full.umax {
            return full;
        }
        Range { umin: min, umax: max, ..full }.refined()
    }

    /// From `min` to `max`, both included; all values if there are none between.
    pub fn signed(width: u32, min: i128, max: i128) -> Range {
        let full = Range::full(width);
        if min > max || min < full.smin || max > full.smax {
            return full;
        }
        Range { smin: min, smax: max, ..full }.refined()
    }

    /// The values with these bits zero and these one.
    pub fn known_bits(width: u32, zeros: u128, ones: u128) -> Range {
        let full = Range::full(width);
        if zeros & ones != 0 {
            return full;
        }
        Range { zeros: zeros & full.umax, ones: ones & full.umax, ..full }.refined()
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn umin(&self) -> u128 {
        self.umin
    }

    pub fn umax(&self) -> u128 {
        self.umax
    }

    pub fn smin(&self) -> i128 {
        self.smin
    }

    pub fn smax(&self) -> i128 {
        self.smax
    }

    /// Bits that are zero in all values.
    pub fn zeros(&self) -> u128 {
        self.zeros
    }

    /// Bits that are one in all values.
    pub fn ones(&self) -> u128 {
        self.ones
    }

    /// The value, if there is only one.
    pub fn as_constant(&self) -> Option<u128> {
        (self.umin == self.umax).then_some(self.umin)
    }

    pub fn contains(&self, value: u128) -> bool {
        let signed = bits::signed(self.width, value);
        (self.umin..=self.umax).contains(&value)
            && (self.smin..=self.smax).contains(&signed)
            && value & self.zeros == 0
            && value & self.ones == self.ones
    }

    /// How many bits hold every value as an unsigned number; at least one.
    pub fn unsigned_bits(&self) -> u32 {
        (128 - self.umax.leading_zeros()).max(1)
    }

    /// How many bits hold every value as a signed number.
    pub fn signed_bits(&self) -> u32 {
        signed_bits(self.smin).max(signed_bits(self.smax))
    }

    /// How many low bits are surely zero.
    pub fn trailing_zeros(&self) -> u32 {
        self.zeros.trailing_ones().min(self.width)
    }

    /// Whether both may have a value in common.
    pub fn may_equal(self, other: Range) -> bool {
        transfer::eq(self, other) != Some(false)
    }

    /// Values of this range above those of another.
    pub fn above(self, low: Range) -> Range {
        transfer::concat(self, low)
    }

    /// The values that are in one or the other.
    pub fn join(self, other: Range) -> Range {
        Range {
            width: self.width,
            umin: self.umin.min(other.umin),
            umax: self.umax.max(other.umax),
            smin: self.smin.min(other.smin),
            smax: self.smax.max(other.smax),
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
        }
    }

    /// The values that are in both. If there are none, `self`.
    pub fn meet(self, other: Range) -> Range {
        let both = Range {
            width: self.width,
            umin: self.umin.max(other.umin),
            umax: self.umax.min(other.umax),
            smin: self.smin.max(other.smin),
            smax: self.smax.min(other.smax),
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
        };
        if both.is_consistent() { both.refined() } else { self }
    }

    fn is_consistent(&self) -> bool {
        self.umin <= self.umax && self.smin <= self.smax && self.zeros & self.ones == 0
    }

    /// Each part tightened by the others; unchanged if they contradict each other.
    fn refined(self) -> Range {
        ticks::add(1);
        let mut range = self;
        // Bounds tell bits, and bits tell bounds of the other sign: two rounds reach nearly all of it.
        for _ in 0..2 {
            let next = range.signs_agreed().bits_from_bounds().bounds_from_bits();
            if !next.is_consistent() {
                return self;
            }
            if next == range {
                break;
            }
            range = next;
        }
        range
    }

    /// Where all values have one sign, both orders are the same.
    fn signs_agreed(mut self) -> Range {
        let min_signed = bits::min_signed(self.width);
        let to_unsigned = |value: i128| value as u128 & bits::mask(self.width);
        if self.umax < min_signed || self.umin >= min_signed {
            self.smin = self.smin.max(bits::signed(self.width, self.umin));
            self.smax = self.smax.min(bits::signed(self.width, self.umax));
        }
        if self.smin >= 0 || self.smax < 0 {
            self.umin = self.umin.max(to_unsigned(self.smin));
            self.umax = self.umax.min(to_unsigned(self.smax));
        }
        self
    }

    /// The leading bits that the bounds share are known.
    fn bits_from_bounds(mut self) -> Range {
        if self.umin <= self.umax {
            let differing = 128 - (self.umin ^ self.umax).leading_zeros();
            let shared = bits::mask(self.width) & !bits::mask(differing);
            self.ones |= self.umin & shared;
            self.zeros |= !self.umin & shared;
        }
        self
    }

    fn bounds_from_bits(mut self) -> Range {
        self.umin = self.umin.max(self.ones);
        self.umax = self.umax.min(!self.zeros & bits::mask(self.width));
        self
    }
}

fn signed_bits(value: i128) -> u32 {
    129 - if value < 0 { value.leading_ones() } else { value.leading_zeros() }
}
