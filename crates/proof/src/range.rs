//! Sets of integers as strided intervals: `{lo, lo + step, ..., hi}`.
//!
//! A range describes the values of a register of width `w` (1..=128): it stands for the bit patterns `x mod 2^w` of
//! its members. A range also describes byte offsets of pointers; then its members are plain integers ([`Range::plus`],
//! [`Range::interferes`]). Every operation contains all concrete results of the IR (`ir::fold`): integers wrap,
//! shift counts are taken modulo the width, and runs that divide by zero are left out.
//!
//! The idea: `add`, `mul` and the bit operations commute with `mod 2^w`, so they are done on integers and the result
//! is brought back by [`Range::wrap`]. Operations that read a sign or a magnitude first cut the range into at most
//! two pieces that lie in one window of 2^w integers (signed, unsigned, or one that begins at another range). The
//! normal form at width `w` lies in `-2^(w-1) ..= 2^w - 1` and spans less than 2^w; thus a signed and an unsigned
//! variable keep their natural bounds, and each pattern occurs once. All operations accept ranges that are not normal.
//!
//! Strides: Balakrishnan and Reps, "Analyzing memory accesses in x86 executables" (CC 2004), section 3. Bounds of bit
//! operations: Warren, "Hacker's Delight" (2nd edition), section 4-3.
//!
//! Relies on: fields that only this module sets, hence `lo <= hi`, `step == 0` exactly if `lo == hi`, and `step`
//! divides `hi - lo`. [`Range::new`] refuses anything else, so that forged files do no harm.
//!
//! Does not: track values above 64 bits with precision (they are often [`Range::full`]), or floats.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The greatest width whose signed and unsigned values, and sums of them, fit in `i128` with room to spare.
const PRECISE: u8 = 64;

/// A non-empty set of integers `{lo, lo + step, ..., hi}`; `step` is 0 exactly if `lo == hi`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Range {
    lo: i128,
    hi: i128,
    step: u64,
}

/// As text, because numbers of JSON are too small: `lo hi step`.
impl Serialize for Range {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{} {} {}", self.lo, self.hi, self.step))
    }
}

impl<'de> Deserialize<'de> for Range {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Range, D::Error> {
        let text = String::deserialize(from)?;
        let mut words = text.split(' ');
        let mut bound = || words.next()?.parse().ok();
        let (lo, hi) = (bound(), bound());
        let step = words.next().and_then(|word| word.parse().ok());
        let range = lo.zip(hi).zip(step).and_then(|((lo, hi), step)| Range::new(lo, hi, step));
        range.ok_or_else(|| D::Error::custom(format!("`{text}` is no range")))
    }
}

/// The two readings of a bit pattern as an integer.
#[derive(Clone, Copy)]
enum View {
    Signed,
    Unsigned,
}

impl View {
    /// The bounds of the members, read in this way; `None` if they are not known to fit in `i128`.
    fn hull(self, range: Range, w: u8) -> Option<(i128, i128)> {
        match self {
            View::Signed => Some(range.signed(w)),
            View::Unsigned => range.unsigned(w),
        }
    }

    /// The least and the greatest integer of this reading, as far as `i128` reaches.
    fn window(self, w: u8) -> (i128, i128) {
        match self {
            View::Signed => (signed_min(w), !signed_min(w)),
            View::Unsigned if w <= PRECISE => (0, (1 << w) - 1),
            View::Unsigned => (0, i128::MAX),
        }
    }
}

/// Construction, normal form, views.
impl Range {
    /// Any offset of a pointer.
    pub const UNBOUNDED: Range = Range { lo: i64::MIN as i128, hi: i64::MAX as i128, step: 1 };

    /// The range with these bounds and this stride, or `None` if they do not describe one.
    pub fn new(lo: i128, hi: i128, step: u64) -> Option<Range> {
        let range = Range { lo, hi, step };
        range.is_well_formed().then_some(range)
    }

    /// Returns true if the fields keep the promises of the type; false only inside [`Range::new`].
    fn is_well_formed(self) -> bool {
        match self.step {
            0 => self.lo == self.hi,
            step => self.lo < self.hi && self.span().is_multiple_of(u128::from(step)),
        }
    }

    /// The least member.
    pub fn lo(self) -> i128 {
        self.lo
    }

    /// The greatest member.
    pub fn hi(self) -> i128 {
        self.hi
    }

    /// The distance of neighbours, 0 if there is one member.
    pub fn step(self) -> u64 {
        self.step
    }

    /// The only member, if there is one.
    pub fn single(self) -> Option<i128> {
        (self.step == 0).then_some(self.lo)
    }

    /// One integer.
    pub fn point(value: i128) -> Range {
        spaced(value, value, 0)
    }

    /// All integers from `lo` to `hi`, which is at least `lo`.
    pub fn interval(lo: i128, hi: i128) -> Range {
        spaced(lo, hi.max(lo), 1)
    }

    /// All patterns of width `w`.
    pub fn full(w: u8) -> Range {
        match w {
            0 | 1 => spaced(0, 1, 1),
            _ => spaced(signed_min(w), !signed_min(w), 1),
        }
    }

    /// One pattern, as its signed value (0 or 1 at width 1). Bits above the width are dropped.
    pub fn constant(bits: u128, w: u8) -> Range {
        let unused = 128 - u32::from(w.clamp(1, 128));
        let value = if w <= 1 { (bits & 1) as i128 } else { ((bits << unused) as i128) >> unused };
        spaced(value, value, 0)
    }

    /// The patterns of the integers `{lo, lo + step, ...}` up to `hi`, in normal form: as they are, shifted by a
    /// multiple of 2^w, or else all patterns that agree with `lo` in the low bits that the stride leaves alone.
    pub fn wrap(lo: i128, hi: i128, step: u64, w: u8) -> Range {
        if lo > hi {
            return Range::full(w);
        }
        let range = spaced(lo, hi, u128::from(step));
        if range.is_normal(w) {
            return range;
        }
        if w > PRECISE {
            return range.single().map_or(Range::full(w), |value| Range::constant(value as u128, w));
        }
        let modulus = 1i128 << w;
        let first = lo.wrapping_sub(normal_min(w)).rem_euclid(modulus) + normal_min(w);
        if range.span() < modulus as u128 {
            let shifted = Range { lo: first, hi: first + (range.hi - range.lo), step: range.step };
            if shifted.is_normal(w) {
                return shifted;
            }
        }
        residues(first, range.step, w)
    }

    /// The same patterns in normal form at width `w`, or more if there is none for them.
    pub fn normal(self, w: u8) -> Range {
        Range::wrap(self.lo, self.hi, self.step, w)
    }

    /// Returns true if the range is in normal form at width `w`.
    pub fn is_normal(self, w: u8) -> bool {
        let small = w > PRECISE || self.span() < 1u128 << w;
        small && self.lo >= normal_min(w) && self.hi <= normal_max(w)
    }

    /// The bounds of the patterns, read as signed. Width 1 has the signed values -1 and 0.
    pub fn signed(self, w: u8) -> (i128, i128) {
        hull(self.normal(w).signed_pieces(w))
    }

    /// The bounds of the patterns, read as unsigned; `None` if they are not known to fit in `i128` (above 64 bits).
    pub fn unsigned(self, w: u8) -> Option<(i128, i128)> {
        self.normal(w).unsigned_pieces(w).map(hull)
    }

    fn span(self) -> u128 {
        self.hi.abs_diff(self.lo)
    }

    /// The members, each moved by a multiple of 2^w into the window of 2^w integers that begins at `base`, in pieces
    /// that keep the stride. The width is at most [`PRECISE`] and the range spans less than 2^w.
    fn pieces(self, base: i128, w: u8) -> Pieces {
        let modulus = 1i128 << w;
        let shift = (self.lo - base).div_euclid(modulus) * modulus;
        let moved = Range { lo: self.lo - shift, hi: self.hi - shift, step: self.step };
        let next = base + modulus;
        let beyond = moved.clip(next, i128::MAX);
        let beyond = beyond.map(|r| Range { lo: r.lo - modulus, hi: r.hi - modulus, step: r.step });
        [moved.clip(base, next - 1), beyond]
    }

    /// The signed values of a range in normal form.
    fn signed_pieces(self, w: u8) -> Pieces {
        if w > PRECISE { [Some(self), None] } else { self.pieces(signed_min(w), w) }
    }

    /// The unsigned values of a range in normal form, if they are known.
    fn unsigned_pieces(self, w: u8) -> Option<Pieces> {
        match w <= PRECISE {
            true => Some(self.pieces(0, w)),
            false => (self.lo >= 0).then_some([Some(self), None]),
        }
    }

    /// The members below 0 and the others, which have a sign bit each.
    fn halves(self) -> Pieces {
        [self.clip(i128::MIN, -1), self.clip(0, i128::MAX)]
    }
}

/// Ranges as sets.
impl Range {
    /// Returns true if the integer is a member.
    pub fn contains(self, value: i128) -> bool {
        let inside = self.lo <= value && value <= self.hi;
        inside && value.abs_diff(self.lo).is_multiple_of(u128::from(self.step.max(1)))
    }

    /// Returns true if every member of `other` is a member, as integers. See [`Range::covers`] for patterns.
    pub fn includes(self, other: Range) -> bool {
        let inside = self.contains(other.lo) && other.hi <= self.hi;
        inside && (other.step == 0 || other.step.is_multiple_of(self.step.max(1)))
    }

    /// Returns true if this range is in normal form at width `w` and has every pattern of `other`: -1 covers 255 at
    /// width 8 without including it. Exact if `other` is in normal form too.
    pub fn covers(self, other: Range, w: u8) -> bool {
        if !self.is_normal(w) {
            return false;
        }
        other.normal(w).beside(self, w).into_iter().flatten().all(|piece| self.includes(piece))
    }

    /// The least bounds and the greatest stride that contain both, as integers. The result can span too much for the
    /// normal form of a width; [`Range::normal`] mends that.
    pub fn join(self, other: Range) -> Range {
        let apart = self.lo.abs_diff(other.lo);
        let step = gcd(gcd(self.step.into(), other.step.into()), apart);
        spaced(self.lo.min(other.lo), self.hi.max(other.hi), step)
    }

    /// The integers in both, a subset of this range; exact unless their stride needs more than 64 bits.
    pub fn meet(self, other: Range) -> Option<Range> {
        if self.step == 0 || other.step == 0 {
            let (one, all) = if self.step == 0 { (self, other) } else { (other, self) };
            return all.contains(one.lo).then_some(one);
        }
        let (s, t) = (u128::from(self.step), u128::from(other.step));
        let skip = first_meeting(self.lo, s, other.lo, t)? * s;
        if skip > self.span() {
            return None;
        }
        let common = u64::try_from(s / gcd(s, t) * t).map_or(s, u128::from);
        spaced(self.lo.wrapping_add_unsigned(skip), self.hi, common).clip(other.lo, other.hi)
    }

    /// A range that contains both, in normal form at width `w`; bounds that grow jump to the next threshold.
    ///
    /// *Claim*: `x = widen(x, y)` changes `x` only finitely often, whatever the `y`s. *Proof*: while the stride stays,
    /// a bound that moves passes its threshold, of which there are finitely many; all patterns with the stride's low
    /// bits, once reached, cover what has the same stride; and a stride that changes becomes a proper divisor.
    pub fn widen(self, new: Range, w: u8) -> Range {
        let (old, new) = (self.normal(w), new.normal(w));
        if old.covers(new, w) {
            return old;
        }
        let joined = old.join(new);
        let step = u128::from(joined.step.max(1));
        let lower = thresholds(w).filter(|t| *t <= joined.lo).max();
        let upper = thresholds(w).filter(|t| *t >= joined.hi).min();
        let (mut lo, mut hi) = (joined.lo, joined.hi);
        if let (true, Some(threshold)) = (lo < old.lo, lower) {
            lo = lo.wrapping_sub_unsigned(lo.abs_diff(threshold) / step * step);
        }
        if let (true, Some(threshold)) = (hi > old.hi, upper) {
            hi = hi.wrapping_add_unsigned(hi.abs_diff(threshold) / step * step);
        }
        Range::wrap(lo, hi, joined.step, w)
    }

    /// The members between two bounds; `None` if there are none.
    fn clip(self, lo: i128, hi: i128) -> Option<Range> {
        let (from, to) = (self.lo.max(lo), self.hi.min(hi));
        if from > to {
            return None;
        }
        let step = u128::from(self.step.max(1));
        // `from` is at most `self.hi`, which is a member, so that the next member exists.
        let first = self.lo.wrapping_add_unsigned(from.abs_diff(self.lo).div_ceil(step) * step);
        (first <= to).then(|| spaced(first, to, step))
    }

    /// The integers of the range, moved by multiples of 2^w to where those of `other` are. Both are in normal form.
    fn beside(self, other: Range, w: u8) -> Pieces {
        if w > PRECISE { [Some(self), None] } else { self.pieces(other.lo, w) }
    }

    /// The members whose patterns `other` has too. This range is in normal form, the other spans less than 2^w.
    fn common(self, other: Range, w: u8) -> Option<Range> {
        let pieces = other.beside(self, w).into_iter().flatten();
        pieces.filter_map(|piece| self.meet(piece)).reduce(Range::join)
    }
}

/// Arithmetic at a width.
impl Range {
    pub fn add(self, other: Range, w: u8) -> Range {
        let (a, b) = (self.normal(w), other.normal(w));
        normal_or_full(a.sum(b), w)
    }

    pub fn sub(self, other: Range, w: u8) -> Range {
        let (a, b) = (self.normal(w), other.normal(w));
        normal_or_full(b.negated().and_then(|b| a.sum(b)), w)
    }

    pub fn neg(self, w: u8) -> Range {
        normal_or_full(self.normal(w).negated(), w)
    }

    pub fn mul(self, other: Range, w: u8) -> Range {
        normal_or_full(self.short(w).product(other.short(w)), w)
    }

    pub fn udiv(self, other: Range, w: u8) -> Range {
        self.divide_unsigned(other, w, quotient)
    }

    pub fn urem(self, other: Range, w: u8) -> Range {
        self.divide_unsigned(other, w, remainder)
    }

    pub fn sdiv(self, other: Range, w: u8) -> Range {
        self.divide_signed(other, w, quotient)
    }

    pub fn srem(self, other: Range, w: u8) -> Range {
        self.divide_signed(other, w, remainder)
    }

    /// The joined results of a division for the unsigned values of both.
    fn divide_unsigned(self, other: Range, w: u8, f: fn(Range, Range) -> Option<Range>) -> Range {
        let (a, b) = (self.normal(w).unsigned_pieces(w), other.normal(w).unsigned_pieces(w));
        a.zip(b).map_or(Range::full(w), |(a, b)| join_pairs(a, b, w, |a, b| join_signs(a, b, f)))
    }

    /// The joined results of a division for the signed values of both.
    fn divide_signed(self, other: Range, w: u8, f: fn(Range, Range) -> Option<Range>) -> Range {
        let (a, b) = (self.normal(w).signed_pieces(w), other.normal(w).signed_pieces(w));
        join_pairs(a, b, w, |a, b| join_signs(a, b, f))
    }

    /// The normal form in which a single pattern is as close to 0 as it can be.
    fn short(self, w: u8) -> Range {
        let normal = self.normal(w);
        normal.single().map_or(normal, |value| Range::constant(value as u128, w))
    }

    fn sum(self, other: Range) -> Option<Range> {
        let step = gcd(self.step.into(), other.step.into());
        Some(spaced(self.lo.checked_add(other.lo)?, self.hi.checked_add(other.hi)?, step))
    }

    fn negated(self) -> Option<Range> {
        Some(Range { lo: self.hi.checked_neg()?, hi: self.lo.checked_neg()?, step: self.step })
    }

    /// `(a + i s)(b + j t) = ab + i sb + j ta + ij st`: the strides are the three factors' common divisor.
    fn product(self, other: Range) -> Option<Range> {
        let (lo, hi) = corners(self, other, i128::checked_mul)?;
        let times = |x: u128, y: u128| x.checked_mul(y).unwrap_or(1);
        let (s, t) = (u128::from(self.step), u128::from(other.step));
        let (a, b) = (self.lo.unsigned_abs(), other.lo.unsigned_abs());
        Some(spaced(lo, hi, gcd(gcd(times(s, b), times(t, a)), times(s, t))))
    }
}

/// Bits at a width.
impl Range {
    pub fn not(self, w: u8) -> Range {
        self.normal(w).flipped().normal(w)
    }

    pub fn or(self, other: Range, w: u8) -> Range {
        join_pairs(self.normal(w).halves(), other.normal(w).halves(), w, |a, b| Some(bitwise_or(a, b)))
    }

    pub fn and(self, other: Range, w: u8) -> Range {
        let and = |a: Range, b: Range| Some(bitwise_or(a.flipped(), b.flipped()).flipped());
        join_pairs(self.normal(w).halves(), other.normal(w).halves(), w, and)
    }

    pub fn xor(self, other: Range, w: u8) -> Range {
        join_pairs(self.normal(w).halves(), other.normal(w).halves(), w, |a, b| Some(bitwise_xor(a, b)))
    }

    /// A left shift multiplies by a power of two.
    pub fn shl(self, other: Range, w: u8) -> Range {
        match other.counts(w) {
            (least, most) if most < 64 => self.mul(spaced(1 << least, 1 << most, 1 << least), w),
            _ => Range::full(w),
        }
    }

    pub fn lshr(self, other: Range, w: u8) -> Range {
        let counts = other.counts(w);
        let pieces = self.normal(w).unsigned_pieces(w).into_iter().flatten().flatten();
        normal_or_full(pieces.map(|piece| piece.shifted_right(counts)).reduce(Range::join), w)
    }

    pub fn ashr(self, other: Range, w: u8) -> Range {
        let counts = other.counts(w);
        let pieces = self.normal(w).signed_pieces(w).into_iter().flatten();
        normal_or_full(pieces.map(|piece| piece.shifted_right(counts)).reduce(Range::join), w)
    }

    /// The least and the greatest shift count that the patterns stand for.
    fn counts(self, w: u8) -> (u32, u32) {
        let width = i128::from(w.max(1));
        match self.unsigned(w) {
            Some((lo, hi)) if lo / width == hi / width => ((lo % width) as u32, (hi % width) as u32),
            _ => (0, u32::from(w.max(1)) - 1),
        }
    }

    fn shifted_right(self, (least, most): (u32, u32)) -> Range {
        let lo = (self.lo >> least).min(self.lo >> most);
        let hi = (self.hi >> least).max(self.hi >> most);
        let step = if least == most { divided_step(self.step, 1 << least) } else { 1 };
        spaced(lo, hi, step)
    }

    /// All bits flipped: `-1 - x`.
    fn flipped(self) -> Range {
        Range { lo: !self.hi, hi: !self.lo, step: self.step }
    }

    /// The bits that are the same in all members, as far as the stride tells: all of them or some of the lowest.
    fn known_bits(self) -> u128 {
        if self.step == 0 { u128::MAX } else { (1 << self.step.trailing_zeros()) - 1 }
    }

    /// The bounds of a range whose members have one sign, as bits.
    fn bits(self) -> (u128, u128) {
        (self.lo as u128, self.hi as u128)
    }
}

/// Casts.
impl Range {
    /// The low `to` bits.
    pub fn trunc(self, to: u8) -> Range {
        self.normal(to)
    }

    pub fn zext(self, from: u8, to: u8) -> Range {
        if to <= from {
            return self.trunc(to);
        }
        let all = spaced(0, (u128::MAX >> (128 - from.min(127))) as i128, 1);
        let values = self.normal(from).unsigned_pieces(from).into_iter().flatten().flatten();
        values.reduce(Range::join).unwrap_or(all).normal(to)
    }

    pub fn sext(self, from: u8, to: u8) -> Range {
        if to <= from {
            return self.trunc(to);
        }
        normal_or_full(self.normal(from).signed_pieces(from).into_iter().flatten().reduce(Range::join), to)
    }
}

/// Comparisons: the answer, if it is the same for all pairs of patterns.
impl Range {
    pub fn eq(self, other: Range, w: u8) -> Option<bool> {
        let (a, b) = (self.normal(w), other.normal(w));
        match a.common(b, w) {
            None => Some(false),
            Some(_) => (a.step == 0 && b.step == 0).then_some(true),
        }
    }

    pub fn ne(self, other: Range, w: u8) -> Option<bool> {
        self.eq(other, w).map(|same| !same)
    }

    pub fn slt(self, other: Range, w: u8) -> Option<bool> {
        self.below(other, 1, View::Signed, w)
    }

    pub fn sle(self, other: Range, w: u8) -> Option<bool> {
        self.below(other, 0, View::Signed, w)
    }

    pub fn ult(self, other: Range, w: u8) -> Option<bool> {
        self.below(other, 1, View::Unsigned, w)
    }

    pub fn ule(self, other: Range, w: u8) -> Option<bool> {
        self.below(other, 0, View::Unsigned, w)
    }

    /// `Some(true)` if `a + gap <= b` for all pairs, `Some(false)` if for none.
    fn below(self, other: Range, gap: i128, view: View, w: u8) -> Option<bool> {
        let (a, b) = (view.hull(self, w)?, view.hull(other, w)?);
        if a.1.checked_add(gap).is_some_and(|most| most <= b.0) {
            return Some(true);
        }
        a.0.checked_add(gap).is_none_or(|least| least > b.1).then_some(false)
    }
}

/// A range refined by a branch, `None` if no member allows it.
pub type Refined = Option<Range>;

/// Branches: the members of each side for which the comparison can hold with some member of the other, in normal form.
impl Range {
    pub fn assume_eq(self, other: Range, w: u8) -> (Refined, Refined) {
        let (a, b) = (self.normal(w), other.normal(w));
        a.common(b, w).zip(b.common(a, w)).unzip()
    }

    pub fn assume_ne(self, other: Range, w: u8) -> (Refined, Refined) {
        let (a, b) = (self.normal(w), other.normal(w));
        (a.without(b, w), b.without(a, w))
    }

    pub fn assume_slt(self, other: Range, w: u8) -> (Refined, Refined) {
        self.assume_below(other, 1, View::Signed, w)
    }

    pub fn assume_sle(self, other: Range, w: u8) -> (Refined, Refined) {
        self.assume_below(other, 0, View::Signed, w)
    }

    pub fn assume_ult(self, other: Range, w: u8) -> (Refined, Refined) {
        self.assume_below(other, 1, View::Unsigned, w)
    }

    pub fn assume_ule(self, other: Range, w: u8) -> (Refined, Refined) {
        self.assume_below(other, 0, View::Unsigned, w)
    }

    /// The sides of `a + gap <= b`.
    fn assume_below(self, other: Range, gap: i128, view: View, w: u8) -> (Refined, Refined) {
        let (a, b) = (self.normal(w), other.normal(w));
        let (Some((least, _)), Some((_, most))) = (view.hull(a, w), view.hull(b, w)) else {
            return (Some(a), Some(b));
        };
        let (bottom, top) = view.window(w);
        let low = most.checked_sub(gap).and_then(|most| interval(bottom, most));
        let high = least.checked_add(gap).and_then(|least| interval(least, top));
        (low.and_then(|low| a.common(low, w)), high.and_then(|high| b.common(high, w)))
    }

    /// The members that differ from some pattern of `other`, up to a hole inside. Both are in normal form.
    fn without(self, other: Range, w: u8) -> Refined {
        let Some(value) = other.single() else { return Some(self) };
        let same = |member: i128| Range::constant(member as u128, w) == Range::constant(value as u128, w);
        match (same(self.lo), same(self.hi)) {
            (true, true) => None,
            (true, false) => self.clip(self.lo + 1, self.hi),
            (false, true) => self.clip(self.lo, self.hi - 1),
            (false, false) => Some(self),
        }
    }
}

/// Offsets of pointers.
impl Range {
    /// The sums as integers, or [`Range::UNBOUNDED`] if one of them is not in it.
    pub fn plus(self, other: Range) -> Range {
        let all = Range::UNBOUNDED;
        self.sum(other).filter(|sum| all.lo <= sum.lo && sum.hi <= all.hi).unwrap_or(all)
    }

    /// Returns true if the bytes `x..x + a_len` and `y..y + b_len` may intersect for some `x` in `a` and `y` in `b`.
    ///
    /// They do exactly if `-a_len < x - y < b_len`. Unless a range is [`Range::UNBOUNDED`], which stands for every
    /// offset, the differences have the common divisor of the strides as their stride.
    pub fn interferes(a: Range, a_len: u64, b: Range, b_len: u64) -> bool {
        if a_len == 0 || b_len == 0 {
            return false;
        }
        if a == Range::UNBOUNDED || b == Range::UNBOUNDED {
            return true;
        }
        let near = |d: Range| d.clip(1 - i128::from(a_len), i128::from(b_len) - 1).is_some();
        b.negated().and_then(|b| a.sum(b)).is_none_or(near)
    }
}

/// The parts of a range, in each of which all members are read alike.
type Pieces = [Option<Range>; 2];

/// The bounds of the pieces, of which there is at least one.
fn hull(pieces: Pieces) -> (i128, i128) {
    let lo = pieces.iter().flatten().map(|r| r.lo).min().unwrap_or(i128::MIN);
    let hi = pieces.iter().flatten().map(|r| r.hi).max().unwrap_or(i128::MAX);
    (lo, hi)
}

/// The results of `f` for all pairs of pieces, joined, in normal form; everything if there is none.
fn join_pairs(left: Pieces, right: Pieces, w: u8, f: impl Fn(Range, Range) -> Option<Range>) -> Range {
    let mut joined: Option<Range> = None;
    for a in left.into_iter().flatten() {
        let results = right.into_iter().flatten().filter_map(|b| f(a, b));
        joined = joined.into_iter().chain(results).reduce(Range::join);
    }
    normal_or_full(joined, w)
}

fn normal_or_full(range: Option<Range>, w: u8) -> Range {
    range.map_or(Range::full(w), |r| r.normal(w))
}

/// The results of a division for each sign of the arguments, joined; `None` if the divisor can only be 0.
fn join_signs(a: Range, b: Range, f: fn(Range, Range) -> Option<Range>) -> Option<Range> {
    let divisors = [b.clip(i128::MIN, -1), b.clip(1, i128::MAX)].into_iter().flatten();
    let pairs = divisors.flat_map(|b| a.halves().into_iter().flatten().map(move |a| (a, b)));
    pairs.map(|(a, b)| f(a, b).unwrap_or(Range::full(128))).reduce(Range::join)
}

/// The quotients, rounded toward 0, of arguments of one sign each; `None` if one of them does not fit.
fn quotient(a: Range, b: Range) -> Option<Range> {
    let (lo, hi) = corners(a, b, i128::checked_div)?;
    let step = if b.step == 0 { divided_step(a.step, b.lo.unsigned_abs()) } else { 1 };
    Some(spaced(lo, hi, step))
}

/// The remainders, which have the sign of the dividend, of arguments of one sign each; `None` if a magnitude does
/// not fit.
fn remainder(a: Range, b: Range) -> Option<Range> {
    let magnitude = |r: Range| if r.lo < 0 { r.negated() } else { Some(r) };
    let positive = remainder_of(magnitude(a)?, magnitude(b)?);
    if a.lo < 0 { positive.negated() } else { Some(positive) }
}

/// The remainders of integers that are not negative by positive ones: `a - kb`, which keeps the common divisor of
/// the strides and the divisor.
fn remainder_of(a: Range, b: Range) -> Range {
    if a.hi < b.lo {
        return a;
    }
    if b.step == 0 && a.lo / b.lo == a.hi / b.lo {
        return spaced(a.lo % b.lo, a.hi % b.lo, a.step.into());
    }
    let step = gcd(gcd(a.step.into(), b.step.into()), b.lo.unsigned_abs());
    spaced((a.lo.unsigned_abs() % step) as i128, a.hi.min(b.hi - 1), step)
}

/// The bounds of an operation that is monotone in each argument; `None` if one of them does not fit.
fn corners(a: Range, b: Range, f: fn(i128, i128) -> Option<i128>) -> Option<(i128, i128)> {
    let corners = [f(a.lo, b.lo)?, f(a.lo, b.hi)?, f(a.hi, b.lo)?, f(a.hi, b.hi)?];
    Some((corners.into_iter().min()?, corners.into_iter().max()?))
}

/// The stride of members of one sign divided by a constant.
fn divided_step(step: u64, divisor: u128) -> u128 {
    let step = u128::from(step);
    if step.is_multiple_of(divisor) { step / divisor } else { 1 }
}

/// `a | b` for arguments of one sign each. A low bit is known if both are, or if one is known to be set.
fn bitwise_or(a: Range, b: Range) -> Range {
    let ((x, _), (y, _)) = (a.bits(), b.bits());
    let known = (a.known_bits() & b.known_bits()) | (a.known_bits() & x) | (b.known_bits() & y);
    with_known_bits(least_or(a.bits(), b.bits()), greatest_or(a.bits(), b.bits()), x | y, known)
}

/// `a ^ b` for arguments of one sign each.
fn bitwise_xor(a: Range, b: Range) -> Range {
    let sample = (a.lo ^ b.lo) as u128;
    let known = a.known_bits() & b.known_bits();
    with_known_bits(least_xor(a.bits(), b.bits()), greatest_xor(a.bits(), b.bits()), sample, known)
}

/// The patterns between two bounds that agree with `sample`, which is one of them, in the lowest known bits.
fn with_known_bits(lo: u128, hi: u128, sample: u128, known: u128) -> Range {
    let step = 1u128 << known.trailing_ones().min(63);
    let skip = sample.wrapping_sub(lo) & (step - 1);
    spaced((lo + skip) as i128, hi as i128, step)
}

/// The least `x | y` (minOR in Hacker's Delight): raising the bound that lacks a bit of the other may clear all
/// bits below.
fn least_or((a, b): (u128, u128), (c, d): (u128, u128)) -> u128 {
    let mut bit = top_bit(a ^ c);
    while bit != 0 {
        if a & !c & bit != 0 && raised(c, bit) <= d {
            return a | raised(c, bit);
        }
        if c & !a & bit != 0 && raised(a, bit) <= b {
            return raised(a, bit) | c;
        }
        bit >>= 1;
    }
    a | c
}

/// The greatest `x | y` (maxOR): lowering a bound by a bit that the other has too may set all bits below.
fn greatest_or((a, b): (u128, u128), (c, d): (u128, u128)) -> u128 {
    let mut bit = top_bit(b & d);
    while bit != 0 {
        if b & d & bit != 0 {
            if lowered(b, bit) >= a {
                return lowered(b, bit) | d;
            }
            if lowered(d, bit) >= c {
                return b | lowered(d, bit);
            }
        }
        bit >>= 1;
    }
    b | d
}

/// The least `x ^ y` (minXOR): each bit that one bound lacks is added to it if that is possible.
fn least_xor((mut a, b): (u128, u128), (mut c, d): (u128, u128)) -> u128 {
    let mut bit = top_bit(a ^ c);
    while bit != 0 {
        if a & !c & bit != 0 && raised(c, bit) <= d {
            c = raised(c, bit);
        } else if c & !a & bit != 0 && raised(a, bit) <= b {
            a = raised(a, bit);
        }
        bit >>= 1;
    }
    a ^ c
}

/// The greatest `x ^ y` (maxXOR): each bit that both bounds have is taken from one of them if that is possible.
fn greatest_xor((a, mut b): (u128, u128), (c, mut d): (u128, u128)) -> u128 {
    let mut bit = top_bit(b & d);
    while bit != 0 {
        if b & d & bit != 0 {
            if lowered(b, bit) >= a {
                b = lowered(b, bit);
            } else if lowered(d, bit) >= c {
                d = lowered(d, bit);
            }
        }
        bit >>= 1;
    }
    b ^ d
}

/// The least number above `x` with the bit that `x` lacks and the same bits above it.
fn raised(x: u128, bit: u128) -> u128 {
    (x | bit) & bit.wrapping_neg()
}

/// The greatest number below `x` without the bit that `x` has and the same bits above it.
fn lowered(x: u128, bit: u128) -> u128 {
    (x - bit) | (bit - 1)
}

/// The highest bit of `x` alone, 0 if there is none.
fn top_bit(x: u128) -> u128 {
    (1u128 << 127).checked_shr(x.leading_zeros()).unwrap_or(0)
}

/// The integers `lo`, `lo + step`, ... up to `hi`, which is at least `lo`. A stride that does not fit is replaced by
/// a power of two that divides it, and 0 by 1.
fn spaced(lo: i128, hi: i128, step: u128) -> Range {
    let step = u64::try_from(step).unwrap_or(1 << step.trailing_zeros().min(63)).max(1);
    let span = hi.abs_diff(lo);
    let span = span - span % u128::from(step);
    Range { lo, hi: lo.wrapping_add_unsigned(span), step: if span == 0 { 0 } else { step } }
}

fn interval(lo: i128, hi: i128) -> Option<Range> {
    (lo <= hi).then(|| spaced(lo, hi, 1))
}

/// All patterns of width `w` that differ from that of `value` by a multiple of `step` and a multiple of 2^w.
fn residues(value: i128, step: u64, w: u8) -> Range {
    let step = 1i128 << step.trailing_zeros().min(w.into());
    let lo = normal_min(w) + (value - normal_min(w)).rem_euclid(step);
    spaced(lo, normal_min(w) + (1 << w) - 1, step.unsigned_abs())
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The least `k` for which `a + ks` differs from `b` by a multiple of `t` (Chinese remainders). The strides are
/// positive and less than 2^64, `k` is less than `t`.
fn first_meeting(a: i128, s: u128, b: i128, t: u128) -> Option<u128> {
    let shared = gcd(s, t);
    let apart = b.abs_diff(a);
    if !apart.is_multiple_of(shared) {
        return None;
    }
    let cycle = t / shared;
    let steps = apart / shared % cycle * inverse(s / shared % cycle, cycle) % cycle;
    Some(if b < a && steps != 0 { cycle - steps } else { steps })
}

/// The inverse of `x` modulo `m`, which have no common divisor (Euclid's extended algorithm).
fn inverse(x: u128, m: u128) -> u128 {
    let (mut old, mut new) = ((m, 0), (x, 1));
    while new.0 != 0 {
        let times = old.0 / new.0;
        let factor = (old.1 + (m - times % m) * new.1) % m;
        (old, new) = (new, (old.0 % new.0, factor));
    }
    old.1 % m
}

/// `-2^(w-1)`; the greatest signed value is its complement.
fn signed_min(w: u8) -> i128 {
    i128::MIN >> (128 - w.clamp(1, 128))
}

fn normal_min(w: u8) -> i128 {
    if w <= 1 { 0 } else { signed_min(w) }
}

fn normal_max(w: u8) -> i128 {
    if w <= PRECISE { (1 << w) - 1 } else { !signed_min(w) }
}

/// The bounds to which [`Range::widen`] jumps: those of the usual types, and those of loops that count to 0 or 1.
fn thresholds(w: u8) -> impl Iterator<Item = i128> {
    let unsigned = [0, 1, 8, 16, 32].map(|bits| (1i128 << bits) - 1);
    let signed = [8, 16, 32, w].map(signed_min);
    let all = signed.into_iter().flat_map(|least| [least, !least]).chain(unsigned);
    let all = all.chain([-1, normal_min(w), normal_max(w)]);
    all.filter(move |t| normal_min(w) <= *t && *t <= normal_max(w))
}

#[cfg(test)]
mod tests;
