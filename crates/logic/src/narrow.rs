//! Arithmetic at the width its values need.
//!
//! A counter that stays below 100 costs 7 bits and not 32. Sums, products, bitwise operations and choices
//! are determined by the low bits of their operands, so they are computed at the width of the *result*;
//! quotients, shifts to the right and comparisons at the width of their operands. The results are extended
//! again, and extensions cancel against the extractions above them. Bits of symbols that are known become
//! constants: of a pointer to one of eight blocks, three bits remain. Equations leave out the bits that both sides
//! are known to share. Of a sum only what is above the low bits that are known of both arguments is computed.
//!
//! The rewritten term equals the original wherever the assumptions of the [`Ranges`] hold. Whoever narrows
//! must assert those assumptions, too, and *as they were*: narrowed by itself, an assumption is just true.

use crate::bits;
use crate::node::{BvOp, Node};
use crate::ranges::{Fact, Range, Ranges};
use crate::rewrite::rebuild_bottom_up;
use crate::sort::Sort;
use crate::store::{Term, Terms};
use braid_base::HashMap;

/// Rewrites terms, remembering what it has rewritten; keeps the ranges it works with.
#[derive(Clone, Default, Debug)]
pub struct Narrower {
    ranges: Ranges,
    memo: HashMap<Term, Term>,
}

/// A smaller width, and how to come back from it.
#[derive(Clone, Copy)]
struct Target {
    width: u32,
    signed: bool,
}

impl Narrower {
    pub fn new(ranges: Ranges) -> Self {
        Narrower { ranges, memo: HashMap::default() }
    }

    /// The term with its operations at the width they need.
    pub fn narrow(&mut self, terms: &mut Terms, root: Term) -> Term {
        let ranges = &mut self.ranges;
        rebuild_bottom_up(terms, root, &mut self.memo, |terms, term, args| {
            let fact = ranges.fact(terms, term);
            match fact {
                Fact::Bool(Some(value)) => terms.bool(value),
                Fact::Bool(None) => narrow_predicate(terms, ranges, term, args),
                Fact::Bits(range) => narrow_bits(terms, ranges, term, args, range),
                Fact::Untracked => terms.rebuild(term, args),
            }
        })
    }
}

/// The smallest width that holds all values of all ranges in one reading.
fn common_target(all: &[Range]) -> Target {
    let unsigned = all.iter().map(Range::unsigned_bits).max().unwrap_or(1);
    let signed = all.iter().map(Range::signed_bits).max().unwrap_or(1);
    if signed < unsigned {
        Target { width: signed, signed: true }
    } else {
        Target { width: unsigned, signed: false }
    }
}

fn cut(terms: &mut Terms, term: Term, width: u32) -> Term {
    terms.extract(term, width - 1, 0)
}

fn extend(terms: &mut Terms, term: Term, width: u32, target: Target) -> Term {
    if target.signed { terms.sign_extend(term, width) } else { terms.zero_extend(term, width) }
}

/// The term at the width of `target`, extended again.
fn cut_and_extend(terms: &mut Terms, term: Term, target: Target) -> Term {
    let width = terms.width(term);
    let low = cut(terms, term, target.width);
    extend(terms, low, width, target)
}

fn narrow_bits(terms: &mut Terms, ranges: &mut Ranges, term: Term, args: &[Term], range: Range) -> Term {
    let width = range.width();
    if let Some(value) = range.as_constant() {
        return terms.bits(width, value);
    }
    let target = common_target(&[range]);
    match terms.node(term) {
        Node::Binary(op, a, b) => {
            let (a, b) = (ranges.range(terms, a), ranges.range(terms, b));
            narrow_binary(terms, op, (args[0], a), (args[1], b), target)
        }
        Node::Symbol(_) | Node::Select(..) => {
            let whole = terms.rebuild(term, args);
            known_bits_put_in(terms, whole, range, target)
        }
        _ if target.width >= width => terms.rebuild(term, args),
        Node::Ite(..) | Node::BvNot(_) => narrow_low_bits(terms, args, width, target),
        Node::Concat(..) | Node::Extract { .. } | Node::ZeroExtend(_) | Node::SignExtend(_) => {
            let whole = terms.rebuild(term, args);
            cut_and_extend(terms, whole, target)
        }
        node @ (Node::Bool(_)
        | Node::Bits(_)
        | Node::Int(_)
        | Node::Not(_)
        | Node::And(..)
        | Node::Eq(..)
        | Node::Ult(..)
        | Node::Slt(..)
        | Node::Store(..)
        | Node::ConstArray(_)
        | Node::IntAdd(..)
        | Node::IntMul(..)
        | Node::IntLt(..)) => unreachable!("{node:?} is treated above or no bit-vector"),
    }
}

/// The term at the width of `target`, with constants for the bits that are known, extended again.
fn known_bits_put_in(terms: &mut Terms, term: Term, range: Range, target: Target) -> Term {
    let known = range.zeros() | range.ones();
    if known & bits::mask(target.width) == 0 {
        return cut_and_extend(terms, term, target);
    }
    let mut low = 0;
    let mut result: Option<Term> = None;
    while low < target.width {
        let same = if known >> low & 1 == 1 { known >> low } else { !known >> low };
        let count = same.trailing_ones().min(target.width - low);
        let part = if known >> low & 1 == 1 {
            terms.bits(count, range.ones() >> low & bits::mask(count))
        } else {
            terms.extract(term, low + count - 1, low)
        };
        result = Some(result.map_or(part, |below| terms.concat(part, below)));
        low += count;
    }
    let narrow = result.expect("a width is at least one");
    extend(terms, narrow, range.width(), target)
}

/// A choice or a complement: computed at the smaller width.
fn narrow_low_bits(terms: &mut Terms, args: &[Term], width: u32, target: Target) -> Term {
    let low = cut_arguments(terms, args, target.width);
    let narrow = match *low.as_slice() {
        [condition, yes, no] => terms.ite(condition, yes, no),
        [a] => terms.bv_not(a),
        _ => unreachable!("a choice has three arguments, a complement one"),
    };
    extend(terms, narrow, width, target)
}

/// The low bits of all bit-vectors among the arguments.
fn cut_arguments(terms: &mut Terms, args: &[Term], width: u32) -> Vec<Term> {
    args.iter().map(|a| if terms.sort(*a) == Sort::Bool { *a } else { cut(terms, *a, width) }).collect()
}

/// An operation on arguments with their ranges, whose result fits `result`.
fn narrow_binary(
    terms: &mut Terms,
    op: BvOp,
    (x, a): (Term, Range),
    (y, b): (Term, Range),
    result: Target,
) -> Term {
    let unsigned = |width: u32| Target { width, signed: false };
    let (op, target) = match op {
        BvOp::Add | BvOp::Sub | BvOp::Mul | BvOp::And | BvOp::Or | BvOp::Xor => (op, result),
        // The count must survive; bits that are shifted out of the smaller width are not needed.
        BvOp::Shl => (op, Target { width: result.width.max(b.unsigned_bits()), ..result }),
        BvOp::Lshr | BvOp::Urem => (op, unsigned(a.unsigned_bits().max(b.unsigned_bits()))),
        // A quotient by zero is all ones at any width, but of that width.
        BvOp::Udiv if b.umin() == 0 => (op, unsigned(a.width())),
        BvOp::Udiv => (op, unsigned(a.unsigned_bits().max(b.unsigned_bits()))),
        BvOp::Ashr => (op, Target { width: a.signed_bits().max(b.unsigned_bits()), signed: true }),
        BvOp::Sdiv if a.smin() >= 0 && b.smin() > 0 => {
            return narrow_binary(terms, BvOp::Udiv, (x, a), (y, b), result);
        }
        BvOp::Srem if a.smin() >= 0 && b.smin() >= 0 => {
            return narrow_binary(terms, BvOp::Urem, (x, a), (y, b), result);
        }
        // One bit more, because the smallest number divided by -1 must not wrap.
        BvOp::Sdiv | BvOp::Srem => {
            (op, Target { width: (a.signed_bits() + 1).max(b.signed_bits()), signed: true })
        }
    };
    let known = known_low_bits(&a).min(known_low_bits(&b)).min(target.width - 1);
    if known > 0 && matches!(op, BvOp::Add | BvOp::Sub) {
        let narrow = sum_above(terms, op, (x, a), (y, b), known, target.width);
        return extend(terms, narrow, a.width(), target);
    }
    if target.width >= a.width() {
        let whole = terms.bv(op, x, y);
        return if result.width < a.width() { cut_and_extend(terms, whole, result) } else { whole };
    }
    let (low_x, low_y) = (cut(terms, x, target.width), cut(terms, y, target.width));
    let low = terms.bv(op, low_x, low_y);
    let whole = extend(terms, low, a.width(), target);
    // The result may need less than the operands did.
    if result.width < target.width { cut_and_extend(terms, whole, result) } else { whole }
}

/// How many of the lowest bits are known.
fn known_low_bits(range: &Range) -> u32 {
    (range.zeros() | range.ones()).trailing_ones()
}

/// The low `width` bits of a sum or difference; of both arguments so many low bits are known that only what is above
/// them is computed.
fn sum_above(
    terms: &mut Terms,
    op: BvOp,
    (x, a): (Term, Range),
    (y, b): (Term, Range),
    known: u32,
    width: u32,
) -> Term {
    let mask = bits::mask(known);
    let (p, q) = (a.ones() & mask, b.ones() & mask);
    let (low, carry) = match op {
        BvOp::Sub => (p.wrapping_sub(q), u128::from(p < q)),
        _ => (p + q, (p + q) >> known),
    };
    let (x, y) = (terms.extract(x, width - 1, known), terms.extract(y, width - 1, known));
    let high = terms.bv(op, x, y);
    let carry = terms.bits(width - known, carry);
    let high = terms.bv(op, high, carry);
    let low = terms.bits(known, low & mask);
    terms.concat(high, low)
}

fn narrow_predicate(terms: &mut Terms, ranges: &mut Ranges, term: Term, args: &[Term]) -> Term {
    let node = terms.node(term);
    let (Node::Eq(a, b) | Node::Ult(a, b) | Node::Slt(a, b)) = node else {
        return terms.rebuild(term, args);
    };
    if terms.sort(a).width().is_none() {
        return terms.rebuild(term, args);
    }
    let (of_a, of_b) = (ranges.range(terms, a), ranges.range(terms, b));
    let target = common_target(&[of_a, of_b]);
    if matches!(node, Node::Eq(..)) {
        return narrow_equation(terms, (args[0], of_a), (args[1], of_b), target.width);
    }
    if target.width >= terms.width(a) {
        return terms.rebuild(term, args);
    }
    let (x, y) = (cut(terms, args[0], target.width), cut(terms, args[1], target.width));
    if matches!(node, Node::Slt(..)) && target.signed {
        terms.slt(x, y)
    } else {
        // Sign-extension keeps the unsigned order; without signs the signed order is the unsigned one.
        terms.ult(x, y)
    }
}

/// An equation of which only so many bits matter, without those at both ends that are known to be the same.
fn narrow_equation(terms: &mut Terms, (x, a): (Term, Range), (y, b): (Term, Range), width: u32) -> Term {
    let shared = a.zeros() & b.zeros() | a.ones() & b.ones();
    let open = !shared & bits::mask(width.min(a.width()));
    if open == 0 {
        return terms.bool(true);
    }
    let high = 127 - open.leading_zeros();
    let (x, y) = (cut(terms, x, high + 1), cut(terms, y, high + 1));
    let equal = terms.eq(x, y);
    match (terms.node(equal), open.trailing_zeros()) {
        (Node::Eq(x, y), low) if low > 0 && terms.width(x) == high + 1 => {
            let (x, y) = (terms.extract(x, high, low), terms.extract(y, high, low));
            terms.eq(x, y)
        }
        // It was solved as it stood.
        _ => equal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Assignment, Evaluator, Value};

    /// The widest operation in a term.
    fn widest(terms: &Terms, root: Term) -> u32 {
        let operations = terms.post_order(&[root]).into_iter().filter(|t| {
            matches!(
                terms.node(*t),
                Node::Binary(..) | Node::Ite(..) | Node::Ult(..) | Node::Slt(..) | Node::Eq(..)
            )
        });
        operations
            .flat_map(|t| terms.node(t).children().map(|c| terms.sort(c).width().unwrap_or(0)))
            .max()
            .unwrap_or(0)
    }

    #[test]
    fn a_counter_below_a_hundred_costs_few_bits() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", Sort::bits(32)), terms.symbol("y", Sort::bits(32)));
        let limit = terms.bits(32, 50);
        let (x_small, y_small) = (terms.ult(x, limit), terms.ult(y, limit));
        let both = terms.and(x_small, y_small);
        let mut ranges = Ranges::new();
        ranges.assume_true(&terms, both);
        let sum = terms.bv_add(x, y);
        assert_eq!((ranges.range(&terms, sum).umax(), widest(&terms, sum)), (98, 32));
        let mut narrower = Narrower::new(ranges);
        let narrow = narrower.narrow(&mut terms, sum);
        assert_eq!(widest(&terms, narrow), 7);
        let bound = terms.bits(32, 90);
        let exceeds = terms.slt(bound, sum);
        let narrow = narrower.narrow(&mut terms, exceeds);
        assert_eq!(widest(&terms, narrow), 7);
        let large = terms.bits(32, 99);
        let never = terms.sle(large, sum);
        let narrow = narrower.narrow(&mut terms, never);
        assert!(terms.is_false(narrow));
    }

    #[test]
    fn signed_values_stay_signed() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::bits(32));
        let mut ranges = Ranges::new();
        ranges.assume(&terms, x, Range::signed(32, -3, 4));
        let square = terms.bv_mul(x, x);
        let three = terms.bits(32, 3);
        let product = terms.bv_mul(x, three);
        assert_eq!((ranges.range(&terms, product).smin(), ranges.range(&terms, square).smax()), (-9, 16));
        let narrow = Narrower::new(ranges).narrow(&mut terms, product);
        assert_eq!(widest(&terms, narrow), 5);
    }

    #[test]
    fn contradictions_do_no_harm() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::bits(8));
        let mut ranges = Ranges::new();
        ranges.assume(&terms, x, Range::unsigned(8, 0, 3));
        ranges.assume(&terms, x, Range::unsigned(8, 9, 12));
        ranges.assume(&terms, x, Range::unsigned(8, 9, 2));
        assert_eq!(ranges.range(&terms, x).umax(), 3);
    }

    /// Every operation on operands in small intervals around zero, for all values in them.
    #[test]
    fn all_operations_on_small_intervals() {
        let ends = [-5i128, -4, -1, 0, 1, 3, 4];
        let intervals: Vec<(i128, i128)> =
            ends.iter().flat_map(|a| ends.iter().map(|b| (*a, *b))).filter(|(a, b)| a <= b).collect();
        for a in &intervals {
            for b in &intervals {
                check_operations(*a, *b);
            }
        }
    }

    fn check_operations(a: (i128, i128), b: (i128, i128)) {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", Sort::bits(8)), terms.symbol("y", Sort::bits(8)));
        let mut results: Vec<Term> = BvOp::ALL.iter().map(|op| terms.bv(*op, x, y)).collect();
        results.extend([terms.eq(x, y), terms.ult(x, y), terms.slt(x, y), terms.bv_not(x)]);
        let mut ranges = Ranges::new();
        ranges.assume(&terms, x, Range::signed(8, a.0, a.1));
        ranges.assume(&terms, y, Range::signed(8, b.0, b.1));
        let mut narrower = Narrower::new(ranges);
        let pairs: Vec<(Term, Term)> =
            results.iter().map(|r| (*r, narrower.narrow(&mut terms, *r))).collect();
        for (value, other) in (a.0..=a.1).flat_map(|v| (b.0..=b.1).map(move |w| (v, w))) {
            let mut assignment = Assignment::new();
            assignment.set_term(&terms, x, Value::bits(8, value as u128));
            assignment.set_term(&terms, y, Value::bits(8, other as u128));
            let mut evaluator = Evaluator::new(&terms, &assignment);
            for (whole, narrow) in &pairs {
                let (expected, found) = (evaluator.value(*whole), evaluator.value(*narrow));
                assert_eq!(
                    found,
                    expected,
                    "{:?} of {value} in {a:?} and {other} in {b:?}",
                    terms.node(*whole)
                );
            }
        }
    }

    /// Every operation on operands of which bits are known, for all their values.
    #[test]
    fn all_operations_on_known_bits() {
        let kinds: Vec<Range> = (0..16u128)
            .flat_map(|zeros| (0..16).filter(move |ones| zeros & ones == 0).map(move |ones| (zeros, ones)))
            .map(|(zeros, ones)| Range::known_bits(4, zeros, ones))
            .collect();
        for a in &kinds {
            for b in kinds.iter().step_by(3) {
                check_ranges(*a, *b);
            }
        }
    }

    /// Compares terms over two symbols in these ranges with what they are narrowed to.
    fn check_ranges(a: Range, b: Range) {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", Sort::bits(4)), terms.symbol("y", Sort::bits(4)));
        let mut results: Vec<Term> = BvOp::ALL.iter().map(|op| terms.bv(*op, x, y)).collect();
        results.extend([terms.eq(x, y), terms.ult(x, y), terms.slt(x, y), terms.bv_not(x)]);
        let (six, high) = (terms.bits(4, 6), terms.concat(x, y));
        let sum = terms.bv_add(x, six);
        results.extend([terms.eq(sum, y), terms.extract(high, 6, 2), terms.bv_sub(sum, y)]);
        let mut ranges = Ranges::new();
        ranges.assume(&terms, x, a);
        ranges.assume(&terms, y, b);
        let mut narrower = Narrower::new(ranges);
        let pairs: Vec<(Term, Term)> =
            results.iter().map(|r| (*r, narrower.narrow(&mut terms, *r))).collect();
        let values = |range: Range| (0..16u128).filter(move |value| range.contains(*value));
        for (value, other) in values(a).flat_map(|v| values(b).map(move |w| (v, w))) {
            let mut assignment = Assignment::new();
            assignment.set_term(&terms, x, Value::bits(4, value));
            assignment.set_term(&terms, y, Value::bits(4, other));
            let mut evaluator = Evaluator::new(&terms, &assignment);
            for (whole, narrow) in &pairs {
                let (expected, found) = (evaluator.value(*whole), evaluator.value(*narrow));
                assert_eq!(found, expected, "{:?} of {value} in {a:?}, {other} in {b:?}", terms.node(*whole));
            }
        }
    }

    #[test]
    fn of_a_pointer_to_one_of_eight_blocks_three_bits_remain() {
        let mut terms = Terms::new();
        let pointer = terms.symbol("p", Sort::bits(64));
        let mut ranges = Ranges::new();
        let base = |block: u128| Range::constant(64, (block << 40) + (1 << 39));
        let blocks = (8..16).map(base).reduce(Range::join).expect("there are some");
        ranges.assume(&terms, pointer, blocks);
        let mut narrower = Narrower::new(ranges);
        let eight = terms.bits(64, 8);
        let member = terms.bv_add(pointer, eight);
        let place = terms.bits(64, (9 << 40) + (1 << 39) + 8);
        let here = terms.eq(member, place);
        let narrow = narrower.narrow(&mut terms, here);
        assert_eq!(widest(&terms, narrow), 3);
        let narrow = narrower.narrow(&mut terms, member);
        let low = terms.extract(narrow, 39, 0);
        assert_eq!(terms.as_bits(low), Some((1 << 39) + 8));
    }

    /// Assumptions about results say nothing about the operands.
    #[test]
    fn assumptions_about_compound_terms() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", Sort::bits(5)), terms.symbol("y", Sort::bits(5)));
        let three = terms.bits(5, 3);
        for op in BvOp::ALL {
            let result = terms.bv(op, x, y);
            let small = terms.ule(result, three);
            let mut ranges = Ranges::new();
            ranges.assume_true(&terms, small);
            let narrow = Narrower::new(ranges).narrow(&mut terms, result);
            for values in 0..1024 {
                let mut assignment = Assignment::new();
                assignment.set_term(&terms, x, Value::bits(5, values));
                assignment.set_term(&terms, y, Value::bits(5, values >> 5));
                let mut evaluator = Evaluator::new(&terms, &assignment);
                if evaluator.bool(small) == Ok(true) {
                    assert_eq!(evaluator.value(narrow), evaluator.value(result), "{op:?} {values:#x}");
                }
            }
        }
    }
}
