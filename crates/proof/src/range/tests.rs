//! Soundness against the IR's concrete semantics: all ranges of small widths, random ones of the usual widths, and
//! extreme ones. Then spot checks of precision, which no soundness test notices.

use super::*;

type Abstract = fn(Range, Range, u8) -> Range;
type Concrete = fn(u128, u128, u8) -> Option<u128>;
type Refine = fn(Range, Range, u8) -> (Refined, Refined);
type Decide = fn(Range, Range, u8) -> Option<bool>;
type Compare = fn(u128, u128, u8) -> bool;

fn cut(bits: u128, w: u8) -> u128 {
    if w == 128 { bits } else { bits & ((1 << w) - 1) }
}

fn signed(bits: u128, w: u8) -> i128 {
    let unused = 128 - u32::from(w);
    ((bits << unused) as i128) >> unused
}

fn count(bits: u128, w: u8) -> u32 {
    (bits % u128::from(w)) as u32
}

/// The operations of two arguments and their meaning as in `ir::fold`; `None` for a division by zero. Unary ones
/// ignore the second argument.
const OPERATIONS: [(&str, Abstract, Concrete); 15] = [
    ("add", Range::add, |a, b, _| Some(a.wrapping_add(b))),
    ("sub", Range::sub, |a, b, _| Some(a.wrapping_sub(b))),
    ("mul", Range::mul, |a, b, _| Some(a.wrapping_mul(b))),
    ("neg", |a, _, w| a.neg(w), |a, _, _| Some(a.wrapping_neg())),
    ("not", |a, _, w| a.not(w), |a, _, _| Some(!a)),
    ("and", Range::and, |a, b, _| Some(a & b)),
    ("or", Range::or, |a, b, _| Some(a | b)),
    ("xor", Range::xor, |a, b, _| Some(a ^ b)),
    ("shl", Range::shl, |a, b, w| Some(a << count(b, w))),
    ("lshr", Range::lshr, |a, b, w| Some(a >> count(b, w))),
    ("ashr", Range::ashr, |a, b, w| Some((signed(a, w) >> count(b, w)) as u128)),
    ("udiv", Range::udiv, |a, b, _| a.checked_div(b)),
    ("sdiv", Range::sdiv, |a, b, w| (b != 0).then(|| signed(a, w).wrapping_div(signed(b, w)) as u128)),
    ("urem", Range::urem, |a, b, _| a.checked_rem(b)),
    ("srem", Range::srem, |a, b, w| (b != 0).then(|| signed(a, w).wrapping_rem(signed(b, w)) as u128)),
];

const COMPARISONS: [(&str, Decide, Refine, Compare); 6] = [
    ("eq", Range::eq, Range::assume_eq, |a, b, _| a == b),
    ("ne", Range::ne, Range::assume_ne, |a, b, _| a != b),
    ("slt", Range::slt, Range::assume_slt, |a, b, w| signed(a, w) < signed(b, w)),
    ("sle", Range::sle, Range::assume_sle, |a, b, w| signed(a, w) <= signed(b, w)),
    ("ult", Range::ult, Range::assume_ult, |a, b, _| a < b),
    ("ule", Range::ule, Range::assume_ule, |a, b, _| a <= b),
];

fn range(lo: i128, hi: i128, step: u64) -> Range {
    Range::new(lo, hi, step).expect("well-formed")
}

fn value(x: i128) -> Range {
    range(x, x, 0)
}

fn checked(range: Range, w: u8) -> Range {
    assert!(range.is_well_formed() && range.is_normal(w), "{range:?} at {w} bits");
    range
}

/// Returns true if a pattern is in a range, by trying the integers that have it.
fn has(range: Range, bits: u128, w: u8) -> bool {
    if w > 64 {
        return range.contains(signed(bits, w));
    }
    (-2..=2).any(|k| range.contains(bits as i128 + k * (1 << w)))
}

mod small {
    //! Widths 1..=4, where a set of patterns is a mask of 16 bits.

    use super::*;

    struct Sample {
        range: Range,
        mask: u16,
    }

    fn members(range: Range) -> impl Iterator<Item = i128> {
        (range.lo..=range.hi).step_by(range.step.max(1) as usize)
    }

    fn mask(range: Range, w: u8) -> u16 {
        members(range).fold(0, |mask, x| mask | 1 << cut(x as u128, w))
    }

    fn patterns(mask: u16) -> impl Iterator<Item = u128> {
        (0..16).filter(move |bits| mask >> bits & 1 == 1)
    }

    /// All ranges in normal form.
    fn samples(w: u8) -> Vec<Sample> {
        let bounds = || normal_min(w)..=normal_max(w);
        let pairs = bounds().flat_map(|lo| bounds().map(move |hi| (lo, hi)));
        let all = pairs.flat_map(|(lo, hi)| (0..16).filter_map(move |step| Range::new(lo, hi, step)));
        all.filter(|r| r.is_normal(w)).map(|range| Sample { range, mask: mask(range, w) }).collect()
    }

    /// The masks of the results for each left pattern and each right sample.
    fn images(right: &[Sample], w: u8, concrete: Concrete) -> Vec<Vec<u16>> {
        let results = |x: u128, b: &Sample| {
            let results = patterns(b.mask).filter_map(|y| concrete(x, y, w));
            results.fold(0, |mask, result| mask | 1 << cut(result, w))
        };
        (0..1 << w).map(|x| right.iter().map(|b| results(x, b)).collect()).collect()
    }

    fn check_operations(w: u8) {
        let samples = samples(w);
        for (name, operation, concrete) in OPERATIONS {
            let images = images(&samples, w, concrete);
            for a in &samples {
                for (j, b) in samples.iter().enumerate() {
                    let result = checked(operation(a.range, b.range, w), w);
                    let expected = patterns(a.mask).fold(0, |mask, x| mask | images[x as usize][j]);
                    let missing = expected & !mask(result, w);
                    assert_eq!(missing, 0, "{name} {:?} {:?} = {result:?} at {w}", a.range, b.range);
                }
            }
        }
    }

    #[test]
    fn operations_are_sound() {
        (1..=3).for_each(check_operations);
    }

    #[test]
    fn operations_are_sound_at_4_bits() {
        check_operations(4);
    }

    /// The patterns of each side for which the comparison holds with some pattern of the other.
    fn possible(a: u16, b: u16, w: u8, compare: Compare) -> (u16, u16) {
        let pairs = patterns(a).flat_map(|x| patterns(b).map(move |y| (x, y)));
        let pairs = pairs.filter(|(x, y)| compare(*x, *y, w));
        pairs.fold((0, 0), |(left, right), (x, y)| (left | 1 << x, right | 1 << y))
    }

    fn check_side(refined: Refined, possible: u16, old: Range, w: u8) {
        let kept = refined.map_or(0, |r| mask(checked(r, w), w));
        assert_eq!(possible & !kept, 0, "{refined:?} of {old:?} lacks patterns at {w} bits");
        assert!(refined.is_none_or(|r| old.includes(r)), "{refined:?} is not inside {old:?}");
    }

    #[test]
    fn comparisons_and_branches_are_sound() {
        for w in 1..=3 {
            let samples = samples(w);
            for (a, b) in samples.iter().flat_map(|a| samples.iter().map(move |b| (a, b))) {
                for (_, decide, refine, compare) in COMPARISONS {
                    let (left, right) = possible(a.mask, b.mask, w, compare);
                    let (x, y) = refine(a.range, b.range, w);
                    check_side(x, left, a.range, w);
                    check_side(y, right, b.range, w);
                    let all = patterns(a.mask).all(|x| patterns(b.mask).all(|y| compare(x, y, w)));
                    let answer = if all { Some(true) } else { (left == 0).then_some(false) };
                    assert_eq!(decide(a.range, b.range, w), answer);
                    assert_eq!((x.is_some(), y.is_some()), (left != 0, right != 0));
                }
            }
        }
    }

    #[test]
    fn sets_are_exact_or_larger() {
        for w in 1..=3 {
            let samples = samples(w);
            for (a, b) in samples.iter().flat_map(|a| samples.iter().map(move |b| (a, b))) {
                assert_eq!(a.range.covers(b.range, w), b.mask & !a.mask == 0);
                assert_eq!(a.range.includes(b.range), members(b.range).all(|x| a.range.contains(x)));
                let join = a.range.join(b.range);
                assert!(join.is_well_formed() && join.includes(a.range) && join.includes(b.range));
                let met = a.range.meet(b.range).into_iter().flat_map(members);
                assert!(met.eq(members(a.range).filter(|x| b.range.contains(*x))));
                let wide = checked(a.range.widen(b.range, w), w);
                assert_eq!((a.mask | b.mask) & !mask(wide, w), 0);
            }
        }
    }

    #[test]
    fn views_casts_and_forms_are_sound() {
        for (w, to) in (1..=4).flat_map(|w| (1..=4).map(move |to| (w, to))) {
            for Sample { range, mask } in samples(w) {
                let (least, most) = range.unsigned(w).expect("small");
                let (low, high) = range.signed(w);
                for x in patterns(mask) {
                    assert!(to > w || has(checked(range.trunc(to), to), cut(x, to), to));
                    assert!(has(checked(range.zext(w, to), to), cut(x, to), to));
                    assert!(has(checked(range.sext(w, to), to), cut(signed(x, w) as u128, to), to));
                }
                assert_eq!(patterns(mask).map(|x| x as i128).min(), Some(least));
                assert_eq!(patterns(mask).map(|x| x as i128).max(), Some(most));
                assert_eq!(patterns(mask).map(|x| signed(x, w)).min(), Some(low));
                assert_eq!(patterns(mask).map(|x| signed(x, w)).max(), Some(high));
            }
        }
    }

    #[test]
    fn wrapping_keeps_all_patterns() {
        for (lo, hi, step) in
            (-40..40).flat_map(|lo| (lo..40).flat_map(move |hi| (1..9).map(move |s| (lo, hi, s))))
        {
            for w in 1..=4 {
                let result = checked(Range::wrap(lo, hi, step, w), w);
                assert!((lo..=hi).step_by(step as usize).all(|x| has(result, cut(x as u128, w), w)));
            }
        }
    }

    #[test]
    fn interference_is_sound_and_nearly_exact() {
        let samples = samples(3);
        for (a, b) in samples.iter().flat_map(|a| samples.iter().map(move |b| (a.range, b.range))) {
            for (m, n) in (0..4).flat_map(|m| (0..4).map(move |n| (m, n))) {
                let touch = |x: i128, y: i128| x < y + n && y < x + m && m > 0 && n > 0;
                let truth = members(a).any(|x| members(b).any(|y| touch(x, y)));
                let answer = Range::interferes(a, m as u64, b, n as u64);
                assert!(answer || !truth, "{a:?} {m} {b:?} {n}");
                if a.step == b.step || a.step == 0 || b.step == 0 {
                    assert_eq!(answer, truth, "{a:?} {m} {b:?} {n}");
                }
            }
        }
    }
}

mod random {
    //! Random ranges of the usual widths, with random members.

    use super::*;

    /// A linear congruential generator of which the high half is used (Knuth's MMIX constants).
    struct Dice(u64);

    impl Dice {
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        }

        fn below(&mut self, bound: u128) -> u128 {
            (u128::from(self.next()) << 64 | u128::from(self.next())) % bound
        }

        /// A number with few bits or one near a power of two, as often as any other.
        fn number(&mut self, w: u8) -> i128 {
            let bits = self.below(u128::from(w)) as u32;
            match self.below(4) {
                0 => self.below(20) as i128 - 10,
                1 => (1u128 << bits) as i128,
                2 => ((1u128 << bits) as i128).wrapping_sub(self.below(4) as i128),
                _ => signed(self.below(u128::MAX), w) >> bits,
            }
        }

        fn range(&mut self, w: u8) -> Range {
            let (x, y) = (self.number(w), self.number(w));
            let step = [0, 1, 4, 12, 1 << 20, 7][self.below(6) as usize];
            spaced(x.min(y), if step == 0 { x.min(y) } else { x.max(y) }, step).normal(w)
        }

        fn member(&mut self, range: Range, w: u8) -> u128 {
            let steps = range.span() / u128::from(range.step.max(1));
            let k = match self.below(3) {
                0 => 0,
                1 => steps,
                _ => self.below(steps.saturating_add(1)),
            };
            cut(range.lo.wrapping_add_unsigned(k * u128::from(range.step)) as u128, w)
        }
    }

    fn check(w: u8, dice: &mut Dice) {
        let (a, b) = (checked(dice.range(w), w), checked(dice.range(w), w));
        let pairs: Vec<(u128, u128)> = (0..6).map(|_| (dice.member(a, w), dice.member(b, w))).collect();
        for (name, operation, concrete) in OPERATIONS {
            let result = checked(operation(a, b, w), w);
            let ok = |x, y| concrete(x, y, w).is_none_or(|bits| has(result, cut(bits, w), w));
            assert!(pairs.iter().all(|(x, y)| ok(*x, *y)), "{name} {a:?} {b:?} = {result:?} at {w}");
        }
        for (name, decide, refine, compare) in COMPARISONS {
            let (answer, (left, right)) = (decide(a, b, w), refine(a, b, w));
            for (x, y) in pairs.iter().copied() {
                let truth = compare(x, y, w);
                assert!(answer.is_none_or(|answer| answer == truth), "{name} {a:?} {b:?} at {w}");
                let kept = left.is_some_and(|r| has(r, x, w)) && right.is_some_and(|r| has(r, y, w));
                assert!(kept || !truth, "{name} {a:?} {b:?} gives {left:?} {right:?} at {w}");
            }
        }
        check_forms(a, b, &pairs, w);
    }

    fn check_forms(a: Range, b: Range, pairs: &[(u128, u128)], w: u8) {
        let (joined, wide) = (a.join(b), checked(a.widen(b, w), w));
        assert!(joined.includes(a) && joined.includes(b) && wide.covers(a, w) && wide.covers(b, w));
        for (x, y) in pairs.iter().copied() {
            assert!(has(wide, x, w) && has(wide, y, w) && a.covers(Range::constant(x, w), w));
            assert!(a.unsigned(w).is_none_or(|(lo, hi)| lo <= x as i128 && x as i128 <= hi));
            assert!(a.signed(w).0 <= signed(x, w) && signed(x, w) <= a.signed(w).1);
            for to in [1, 8, 32, 64, 65, 127, 128] {
                assert!(to > w || has(checked(a.trunc(to), to), cut(x, to), to));
                assert!(has(checked(a.zext(w, to), to), cut(x, to), to));
                assert!(has(checked(a.sext(w, to), to), cut(signed(x, w) as u128, to), to));
            }
        }
    }

    #[test]
    fn operations_are_sound() {
        let mut dice = Dice(2004);
        for _ in 0..3000 {
            [8, 16, 32, 64, 65, 127, 128].into_iter().for_each(|w| check(w, &mut dice));
        }
    }

    #[test]
    fn constants_fold_exactly() {
        let mut dice = Dice(7);
        for (_, w) in (0..2000).flat_map(|k| [1, 7, 8, 16, 32, 64].map(|w| (k, w))) {
            let (x, y) = (dice.number(w) as u128, dice.number(w) as u128);
            let (a, b) = (Range::constant(x, w), Range::constant(y, w));
            for (name, operation, concrete) in OPERATIONS {
                let Some(bits) = concrete(cut(x, w), cut(y, w), w) else { continue };
                let result = operation(a, b, w).single().map(|value| cut(value as u128, w));
                assert_eq!(result, Some(cut(bits, w)), "{name} {a:?} {b:?} at {w}");
            }
            for (_, decide, _, compare) in COMPARISONS {
                assert_eq!(decide(a, b, w), Some(compare(cut(x, w), cut(y, w), w)));
            }
        }
    }

    /// Two ranges through one integer meet there, however large their strides are.
    #[test]
    fn meetings_are_found() {
        let mut dice = Dice(3);
        for _ in 0..20000 {
            let x = dice.number(100);
            let [a, b] = [0, 1].map(|_| {
                let step = u128::from(dice.next() >> dice.below(64)).max(1);
                let [below, above] = [0, 1].map(|_| (dice.below(1 << 20) * step) as i128);
                spaced(x - below, x + above, step)
            });
            let met = a.meet(b).expect("x");
            assert!(met.is_well_formed() && met.contains(x) && a.includes(met), "{a:?} {b:?} {met:?}");
        }
    }

    #[test]
    fn widening_chains_are_short() {
        let mut dice = Dice(11);
        for (_, w) in (0..300).flat_map(|k| [1, 2, 8, 32, 64, 128].map(|w| (k, w))) {
            let mut wide = dice.range(w);
            let mut changes = 0;
            for _ in 0..200 {
                let next = wide.widen(dice.range(w), w);
                changes += u32::from(next != wide);
                wide = next;
            }
            assert!(changes < 40, "{changes} changes at {w} bits");
        }
    }
}

#[test]
fn forged_ranges_are_refused() {
    for (lo, hi, step) in [(1, 0, 0), (1, 0, 1), (0, 1, 0), (0, 0, 1), (0, 5, 2), (i128::MIN, i128::MAX, 2)] {
        assert_eq!(Range::new(lo, hi, step), None);
    }
    assert!(Range::new(i128::MIN, i128::MAX, 5).is_some(), "2^128 - 1 is a multiple of 5");
}

#[test]
fn extreme_ranges_do_no_harm() {
    let (min, max) = (i128::MIN, i128::MAX);
    let bounds = [min, min + 1, -1 << 64, -1 << 63, -1, 0, 1, 1 << 63, (1 << 64) - 1, 1 << 64, max - 1, max];
    let steps = [0, 1, 2, 3, 1 << 63, u64::MAX];
    let pairs = || bounds.into_iter().flat_map(|lo| bounds.map(|hi| (lo, hi)));
    let ranges: Vec<Range> =
        pairs().flat_map(|(lo, hi)| steps.into_iter().filter_map(move |s| Range::new(lo, hi, s))).collect();
    for (a, b) in ranges.iter().flat_map(|a| ranges.iter().map(|b| (*a, *b))) {
        assert!(a.join(b).includes(a) && a.plus(b).is_well_formed());
        assert!(a.meet(b).is_none_or(Range::is_well_formed));
        Range::interferes(a, u64::MAX, b, 1);
        for w in [1, 8, 64, 65, 127, 128] {
            for (_, operation, _) in OPERATIONS {
                checked(operation(a, b, w), w);
            }
            for (_, decide, refine, _) in COMPARISONS {
                decide(a, b, w);
                refine(a, b, w);
            }
            checked(a.widen(b, w), w);
            a.covers(b, w);
            for to in [1, 64, 127, 128] {
                checked(a.zext(w, to), to);
                checked(a.sext(w, to), to);
            }
        }
    }
}

#[test]
fn strides_survive_arithmetic() {
    let index = range(0, 9, 1);
    assert_eq!(index.mul(value(4), 64), range(0, 36, 4));
    assert_eq!(index.shl(value(3), 64), range(0, 72, 8));
    assert_eq!(range(0, 36, 4).add(range(2, 14, 6), 32), range(2, 50, 2));
    assert_eq!(range(0, 36, 4).lshr(value(1), 32), range(0, 18, 2));
    assert_eq!(range(-8, 8, 8).sdiv(value(4), 32), range(-2, 2, 2));
    assert_eq!(range(1, 101, 10).urem(value(10), 32), value(1));
    assert_eq!(
        Range::full(32).mul(value(4), 32),
        range(-1 << 31, (1 << 31) - 4, 4),
        "wrapped multiples of 4"
    );
    assert_eq!(range(0, 9, 3).join(value(12)), range(0, 12, 3));
}

#[test]
fn bit_operations_keep_bounds_and_low_bits() {
    assert_eq!(Range::full(32).and(value(0xff), 32), range(0, 255, 1));
    assert_eq!(Range::full(32).and(value(0x30), 32), range(0, 0x30, 16));
    assert_eq!(range(0, 100, 1).and(value(-8), 32), range(0, 96, 8));
    assert_eq!(range(0, 96, 8).or(value(7), 32), range(7, 103, 8));
    assert_eq!(range(0, 6, 2).xor(value(1), 32), range(1, 7, 2));
    assert_eq!(range(-1, 5, 1).lshr(value(24), 32), range(0, 255, 255));
    assert_eq!(value(1).shl(range(0, 4, 1), 32), range(1, 16, 1));
    assert_eq!(Range::full(1).not(1), Range::full(1));
}

#[test]
fn results_wrap_to_where_they_fit() {
    assert_eq!(range(250, 255, 1).add(value(10), 8), range(4, 9, 1));
    assert_eq!(range(0, 10, 1).sub(value(20), 8), range(-20, -10, 1));
    assert_eq!(range(0, 200, 1).add(value(55), 8), range(55, 255, 1));
    assert_eq!(range(-1, 5, 1).zext(8, 32), range(0, 255, 1));
    assert_eq!(range(200, 255, 1).sext(8, 32), range(-56, -1, 1));
    assert_eq!(Range::constant(1, 1).sext(1, 32), value(-1));
    assert_eq!(range(0, 300, 1).trunc(8), Range::full(8));
    assert!(value(-1).covers(value(255), 8) && !value(-1).includes(value(255)));
}

#[test]
fn branches_bound_a_loop_counter() {
    let n = value(10);
    let widened = value(0).widen(value(1), 32);
    assert_eq!(widened, range(0, 1, 1));
    let widened = widened.widen(range(1, 2, 1), 32);
    assert_eq!(widened, range(0, 127, 1));
    assert_eq!(widened.assume_slt(n, 32).0, Some(range(0, 9, 1)));
    assert_eq!(n.assume_sle(widened, 32).1, Some(range(10, 127, 1)));
    assert_eq!(Range::full(32).assume_ult(n, 32).0, Some(range(0, 9, 1)));
    assert_eq!(range(-1, 9, 1).assume_ule(value(3), 8).0, Some(range(0, 3, 1)));
    assert_eq!(range(0, 36, 4).assume_slt(value(10), 32).0, Some(range(0, 8, 4)));
    assert_eq!(range(0, 10, 1).assume_ne(value(10), 32).0, Some(range(0, 9, 1)));
    assert_eq!(value(0).assume_ne(value(0), 32), (None, None));
    assert_eq!(value(200).assume_eq(range(-100, 0, 1), 8), (Some(value(200)), Some(value(-56))));
    assert_eq!(range(0, 36, 4).eq(range(2, 38, 4), 32), Some(false));
    assert_eq!(value(0).widen(value(4), 32), range(0, 124, 4));
}

#[test]
fn fields_of_arrays_do_not_interfere() {
    let (first, second) = (range(0, 72, 8), range(4, 76, 8));
    assert!(!Range::interferes(first, 4, second, 4));
    assert!(Range::interferes(first, 8, second, 4));
    assert!(Range::interferes(first, 4, range(0, 64, 16), 4));
    assert!(!Range::interferes(range(0, 36, 4), 4, value(40), 8), "the next field");
    assert!(Range::interferes(range(0, 36, 4), 4, value(39), 1));
    assert!(Range::interferes(Range::UNBOUNDED, 1, value(1 << 70), 1));
    assert!(!Range::interferes(Range::UNBOUNDED, 0, value(0), 1), "no bytes");
    assert_eq!(value(8).plus(range(0, 36, 4)), range(8, 44, 4));
    assert_eq!(Range::UNBOUNDED.plus(value(1)), Range::UNBOUNDED);
}
