//! What each operation makes of the ranges of its arguments.
//!
//! An interval is computed in exact arithmetic and kept only if it does not leave the width (or leaves it
//! by one turn for all values); known bits are computed apart, and the two refine each other.

use super::range::Range;
use crate::bits;
use crate::node::{BvOp, Node};

pub fn binary(op: BvOp, a: Range, b: Range) -> Range {
    match op {
        BvOp::Add => add(a, b),
        BvOp::Sub => sub(a, b),
        BvOp::Mul => mul(a, b),
        BvOp::Udiv => udiv(a, b),
        BvOp::Urem => urem(a, b),
        BvOp::Sdiv => sdiv(a, b),
        BvOp::Srem => srem(a, b),
        BvOp::And => and(a, b),
        BvOp::Or => or(a, b),
        BvOp::Xor => xor(a, b),
        BvOp::Shl => shl(a, b),
        BvOp::Lshr => lshr(a, b),
        BvOp::Ashr => ashr(a, b),
    }
}

/// The signed interval, unless a bound overflowed or leaves the width.
fn signed_or_full(width: u32, min: Option<i128>, max: Option<i128>) -> Range {
    match (min, max) {
        (Some(min), Some(max)) => Range::signed(width, min, max),
        (None, _) | (_, None) => Range::full(width),
    }
}

/// An unsigned interval given by sums that may carry out of the width: right if both do or neither does.
/// The carry of 128-bit sums is in the second part of each bound.
fn wrapped(width: u32, min: (u128, bool), max: (u128, bool)) -> Range {
    let mask = bits::mask(width);
    let carry = |bound: (u128, bool)| bound.1 || bound.0 > mask;
    if carry(min) == carry(max) {
        Range::unsigned(width, min.0 & mask, max.0 & mask)
    } else {
        Range::full(width)
    }
}

fn add(a: Range, b: Range) -> Range {
    let width = a.width();
    let unsigned = wrapped(width, a.umin().overflowing_add(b.umin()), a.umax().overflowing_add(b.umax()));
    let signed = signed_or_full(width, a.smin().checked_add(b.smin()), a.smax().checked_add(b.smax()));
    let known = sum_bits(width, (a.zeros(), a.ones()), (b.zeros(), b.ones()), 0);
    unsigned.meet(signed).meet(known)
}

fn sub(a: Range, b: Range) -> Range {
    let width = a.width();
    let mask = bits::mask(width);
    let (min, max) = (a.umin().overflowing_sub(b.umax()), a.umax().overflowing_sub(b.umin()));
    let unsigned =
        if min.1 == max.1 { Range::unsigned(width, min.0 & mask, max.0 & mask) } else { Range::full(width) };
    let signed = signed_or_full(width, a.smin().checked_sub(b.smax()), a.smax().checked_sub(b.smin()));
    // a + not b + 1
    let known = sum_bits(width, (a.zeros(), a.ones()), (b.ones(), b.zeros()), 1);
    unsigned.meet(signed).meet(known)
}

/// The bits of `a + b + carry` that are known, given (zeros, ones) of both. The carry into a place is
/// known where the sum of the largest and that of the smallest values agree about it.
fn sum_bits(width: u32, a: (u128, u128), b: (u128, u128), carry: u128) -> Range {
    let (a_max, b_max) = (!a.0, !b.0);
    let max = a_max.wrapping_add(b_max).wrapping_add(carry);
    let min = a.1.wrapping_add(b.1).wrapping_add(carry);
    let carry_in_max = max ^ a_max ^ b_max;
    let carry_in_min = min ^ a.1 ^ b.1;
    let known = (a.0 | a.1) & (b.0 | b.1) & !(carry_in_max ^ carry_in_min);
    Range::known_bits(width, !min & known, min & known)
}

fn mul(a: Range, b: Range) -> Range {
    let width = a.width();
    let unsigned = match a.umax().checked_mul(b.umax()) {
        Some(max) => Range::unsigned(width, a.umin().wrapping_mul(b.umin()), max),
        None => Range::full(width),
    };
    let corners = [(a.smin(), b.smin()), (a.smin(), b.smax()), (a.smax(), b.smin()), (a.smax(), b.smax())];
    let signed = from_corners(width, corners.map(|(x, y)| x.checked_mul(y)));
    let low_zeros = (a.trailing_zeros() + b.trailing_zeros()).min(width);
    unsigned.meet(signed).meet(Range::known_bits(width, bits::mask(low_zeros), 0))
}

/// The signed interval of values at the corners of a rectangle; all values if one is not defined.
fn from_corners(width: u32, corners: [Option<i128>; 4]) -> Range {
    let [Some(p), Some(q), Some(r), Some(s)] = corners else { return Range::full(width) };
    Range::signed(width, p.min(q).min(r).min(s), p.max(q).max(r).max(s))
}

fn udiv(a: Range, b: Range) -> Range {
    if b.umin() == 0 {
        return Range::full(a.width());
    }
    Range::unsigned(a.width(), a.umin() / b.umax(), a.umax() / b.umin())
}

fn urem(a: Range, b: Range) -> Range {
    if a.umax() < b.umin() {
        return a;
    }
    // A remainder by zero is the dividend.
    let limit = if b.umin() == 0 { u128::MAX } else { b.umax() - 1 };
    Range::unsigned(a.width(), 0, a.umax().min(limit))
}

fn sdiv(a: Range, b: Range) -> Range {
    let spans_zero = b.smin() <= 0 && b.smax() >= 0;
    let min = bits::signed(a.width(), bits::min_signed(a.width()));
    let may_wrap = a.smin() == min && b.smin() <= -1 && b.smax() >= -1;
    if spans_zero || may_wrap {
        return Range::full(a.width());
    }
    let corners = [(a.smin(), b.smin()), (a.smin(), b.smax()), (a.smax(), b.smin()), (a.smax(), b.smax())];
    from_corners(a.width(), corners.map(|(x, y)| x.checked_div(y)))
}

fn srem(a: Range, b: Range) -> Range {
    // The sign is the dividend's and the magnitude at most the dividend's.
    let (mut min, mut max) = (a.smin().min(0), a.smax().max(0));
    let spans_zero = b.smin() <= 0 && b.smax() >= 0;
    if !spans_zero {
        let largest = b.smin().unsigned_abs().max(b.smax().unsigned_abs()) - 1;
        let largest = i128::try_from(largest).unwrap_or(i128::MAX);
        (min, max) = (min.max(-largest), max.min(largest));
    }
    Range::signed(a.width(), min, max)
}

fn and(a: Range, b: Range) -> Range {
    let known = Range::known_bits(a.width(), a.zeros() | b.zeros(), a.ones() & b.ones());
    known.meet(Range::unsigned(a.width(), 0, a.umax().min(b.umax())))
}

fn or(a: Range, b: Range) -> Range {
    let known = Range::known_bits(a.width(), a.zeros() & b.zeros(), a.ones() | b.ones());
    known.meet(Range::unsigned(a.width(), a.umin().max(b.umin()), bits::mask(a.width())))
}

fn xor(a: Range, b: Range) -> Range {
    let zeros = a.zeros() & b.zeros() | a.ones() & b.ones();
    let ones = a.zeros() & b.ones() | a.ones() & b.zeros();
    Range::known_bits(a.width(), zeros, ones)
}

pub fn not(a: Range) -> Range {
    let mask = bits::mask(a.width());
    let unsigned = Range::unsigned(a.width(), !a.umax() & mask, !a.umin() & mask);
    let signed = Range::signed(a.width(), !a.smax(), !a.smin());
    unsigned.meet(signed).meet(Range::known_bits(a.width(), a.ones(), a.zeros()))
}

fn shl(a: Range, count: Range) -> Range {
    let width = a.width();
    let least = u32::try_from(count.umin()).unwrap_or(u32::MAX).min(width);
    let low_zeros = a.trailing_zeros().saturating_add(least).min(width);
    let known = Range::known_bits(width, bits::mask(low_zeros), 0);
    let fits = count.umax() < u128::from(width) && {
        let most = count.umax() as u32;
        a.umax() <= bits::mask(width) >> most
    };
    if !fits {
        return known;
    }
    known.meet(Range::unsigned(width, a.umin() << count.umin(), a.umax() << count.umax()))
}

fn lshr(a: Range, count: Range) -> Range {
    let shifted = |value: u128, count: u128| bits::binary(BvOp::Lshr, a.width(), value, count);
    Range::unsigned(a.width(), shifted(a.umin(), count.umax()), shifted(a.umax(), count.umin()))
}

fn ashr(a: Range, count: Range) -> Range {
    let last = u128::from(a.width() - 1);
    let (least, most) = (count.umin().min(last) as u32, count.umax().min(last) as u32);
    // Shifting moves towards zero (from below: towards -1).
    let min = (a.smin() >> least).min(a.smin() >> most);
    let max = (a.smax() >> least).max(a.smax() >> most);
    Range::signed(a.width(), min, max)
}

pub fn concat(high: Range, low: Range) -> Range {
    let width = high.width() + low.width();
    let join = |h: u128, l: u128| bits::concat(low.width(), h, l);
    let known = Range::known_bits(width, join(high.zeros(), low.zeros()), join(high.ones(), low.ones()));
    let unsigned = Range::unsigned(width, join(high.umin(), low.umin()), join(high.umax(), low.umax()));
    // The sign is the upper part's: a signed number shifted left stays one.
    let signed_join = |h: i128, l: u128| h << low.width() | l as i128;
    let (min, max) = (signed_join(high.smin(), low.umin()), signed_join(high.smax(), low.umax()));
    known.meet(unsigned).meet(Range::signed(width, min, max))
}

pub fn extract(a: Range, hi: u32, lo: u32) -> Range {
    let width = hi - lo + 1;
    let part = |value: u128| bits::extract(hi, lo, value);
    let mut range = Range::known_bits(width, part(a.zeros()), part(a.ones()));
    // If nothing above the part varies, the part is ordered as the whole.
    let above = |value: u128| if hi == 127 { 0 } else { value >> (hi + 1) };
    if above(a.umin()) == above(a.umax()) {
        range = range.meet(Range::unsigned(width, part(a.umin()), part(a.umax())));
    }
    if a.signed_bits() <= hi + 1 {
        range = range.meet(Range::signed(width, a.smin() >> lo, a.smax() >> lo));
    }
    range
}

pub fn zero_extend(a: Range, width: u32) -> Range {
    let high = bits::mask(width) & !bits::mask(a.width());
    Range::unsigned(width, a.umin(), a.umax()).meet(Range::known_bits(width, a.zeros() | high, a.ones()))
}

pub fn sign_extend(a: Range, width: u32) -> Range {
    let extend = |bits: u128| bits::sign_extend(a.width(), width, bits);
    Range::signed(width, a.smin(), a.smax()).meet(Range::known_bits(
        width,
        extend(a.zeros()),
        extend(a.ones()),
    ))
}

/// Whether they are equal, if that is the same for all values.
pub fn eq(a: Range, b: Range) -> Option<bool> {
    let disjoint = a.umax() < b.umin()
        || b.umax() < a.umin()
        || a.smax() < b.smin()
        || b.smax() < a.smin()
        || a.zeros() & b.ones() | a.ones() & b.zeros() != 0;
    if disjoint {
        return Some(false);
    }
    (a.as_constant()? == b.as_constant()?).then_some(true)
}

pub fn ult(a: Range, b: Range) -> Option<bool> {
    decide(a.umax() < b.umin(), a.umin() >= b.umax())
}

pub fn slt(a: Range, b: Range) -> Option<bool> {
    decide(a.smax() < b.smin(), a.smin() >= b.smax())
}

fn decide(always: bool, never: bool) -> Option<bool> {
    match (always, never) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        (false, false) => None,
    }
}

/// What `x == bound`, `x < bound` or its negation says about `x`.
pub fn below(comparison: Node, width: u32, bound: u128, holds: bool) -> Option<Range> {
    let full = Range::full(width);
    let signed_bound = bits::signed(width, bound);
    match (comparison, holds) {
        (Node::Eq(..), true) => Some(Range::constant(width, bound)),
        (Node::Eq(..), false) => without(full, bound),
        (Node::Ult(..), true) => Some(Range::unsigned(width, 0, bound.checked_sub(1)?)),
        (Node::Ult(..), false) => Some(Range::unsigned(width, bound, full.umax())),
        (Node::Slt(..), true) => Some(Range::signed(width, full.smin(), signed_bound.checked_sub(1)?)),
        (Node::Slt(..), false) => Some(Range::signed(width, signed_bound, full.smax())),
        (_, _) => None,
    }
}

/// What `bound < x` or its negation says about `x`.
pub fn above(comparison: Node, width: u32, bound: u128, holds: bool) -> Option<Range> {
    let full = Range::full(width);
    let signed_bound = bits::signed(width, bound);
    match (comparison, holds) {
        (Node::Ult(..), true) => Some(Range::unsigned(width, bound.checked_add(1)?, full.umax())),
        (Node::Ult(..), false) => Some(Range::unsigned(width, 0, bound)),
        (Node::Slt(..), true) => Some(Range::signed(width, signed_bound.checked_add(1)?, full.smax())),
        (Node::Slt(..), false) => Some(Range::signed(width, full.smin(), signed_bound)),
        (_, _) => None,
    }
}

/// All values but one; an interval only if that one is at the border.
fn without(full: Range, value: u128) -> Option<Range> {
    if value == 0 {
        Some(Range::unsigned(full.width(), 1, full.umax()))
    } else if value == full.umax() {
        Some(Range::unsigned(full.width(), 0, full.umax() - 1))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ranges of three bits of every kind: unsigned and signed intervals, known bits.
    fn samples() -> Vec<Range> {
        let mut found = Vec::new();
        for low in 0..8u128 {
            for high in low..8 {
                found.push(Range::unsigned(3, low, high));
                found.push(Range::signed(3, low as i128 - 4, high as i128 - 4));
            }
            found.extend((0..8).filter(|ones| low & ones == 0).map(|ones| Range::known_bits(3, low, ones)));
        }
        found
    }

    fn values(range: &Range) -> Vec<u128> {
        (0..1 << range.width()).filter(|v| range.contains(*v)).collect()
    }

    /// Every result of an operation on values is in the range that the operation on ranges gives.
    #[test]
    fn all_operations_of_three_bits_are_sound() {
        let samples: Vec<(Range, Vec<u128>)> = samples().into_iter().map(|r| (r, values(&r))).collect();
        for (a, xs) in &samples {
            for (b, ys) in &samples {
                let results = BvOp::ALL.map(|op| (op, binary(op, *a, *b)));
                let joined = concat(*a, *b);
                let (equal, less, signed_less) = (eq(*a, *b), ult(*a, *b), slt(*a, *b));
                for (x, y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (*x, *y))) {
                    for (op, range) in results {
                        let value = bits::binary(op, 3, x, y);
                        assert!(range.contains(value), "{op:?} of {a:?} and {b:?}: {value} not in {range:?}");
                    }
                    assert!(joined.contains(x << 3 | y));
                    assert!(a.join(*b).contains(x) && a.join(*b).contains(y));
                    assert!(x != y || a.meet(*b).contains(x));
                    assert!(equal.is_none_or(|e| e == (x == y)) && less.is_none_or(|l| l == (x < y)));
                    assert!(signed_less.is_none_or(|l| l == bits::slt(3, x, y)));
                }
            }
        }
    }

    #[test]
    fn slices_of_three_bits_are_sound() {
        for a in samples() {
            for x in values(&a) {
                assert!(not(a).contains(!x & 7) && zero_extend(a, 5).contains(x));
                assert!(sign_extend(a, 5).contains(bits::sign_extend(3, 5, x)), "{a:?}");
                for (hi, lo) in [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (2, 0)] {
                    assert!(extract(a, hi, lo).contains(bits::extract(hi, lo, x)), "{a:?} {hi} {lo}");
                }
            }
        }
    }

    /// Intervals that do not wrap are exact.
    #[test]
    fn what_programs_do_is_precise() {
        let (counter, index) = (Range::unsigned(32, 0, 99), Range::unsigned(32, 3, 10));
        let sum = binary(BvOp::Add, counter, index);
        assert_eq!((sum.umin(), sum.umax(), sum.smax()), (3, 109, 109));
        let difference = binary(BvOp::Sub, counter, index);
        assert_eq!((difference.smin(), difference.smax()), (-10, 96));
        assert_eq!(binary(BvOp::Mul, counter, index).umax(), 990);
        assert_eq!(binary(BvOp::Udiv, counter, index).umax(), 33);
        assert_eq!(binary(BvOp::Urem, counter, index).umax(), 9);
        assert_eq!(binary(BvOp::And, counter, index).umax(), 10);
        assert_eq!(binary(BvOp::Or, counter, index).umax(), 127);
        let wrapping = binary(BvOp::Add, Range::unsigned(8, 250, 255), Range::constant(8, 10));
        assert_eq!((wrapping.umin(), wrapping.umax()), (4, 9));
        let even = binary(BvOp::Mul, Range::full(8), Range::constant(8, 4));
        assert_eq!(even.zeros(), 3);
    }
}
