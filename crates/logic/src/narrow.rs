//! Arithmetic at the width its values need.
//!
//! A counter that stays below 100 costs 7 bits and not 32. Sums, products, bitwise operations and choices
//! are determined by the low bits of their operands, so they are computed at the width of the *result*;
//! quotients, shifts to the right and comparisons at the width of their operands. The results are extended
//! again, and extensions cancel against the extractions above them.
//!
//! The rewritten term equals the original wherever the assumptions of the [`Ranges`] hold. Whoever narrows
//! must assert those assumptions, too, and *as they were*: narrowed by itself, an assumption is just true.

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
    if let (Node::Binary(op, a, b), &[x, y]) = (terms.node(term), args) {
        let (a, b) = (ranges.range(terms, a), ranges.range(terms, b));
        return narrow_binary(terms, op, (x, a), (y, b), target);
    }
    if target.width >= width {
        return terms.rebuild(term, args);
    }
    match terms.node(term) {
        Node::Ite(..) | Node::BvNot(_) => narrow_low_bits(terms, args, width, target),
        Node::Symbol(_)
        | Node::Select(..)
        | Node::Concat(..)
        | Node::Extract { .. }
        | Node::ZeroExtend(_)
        | Node::SignExtend(_) => {
            let whole = terms.rebuild(term, args);
            cut_and_extend(terms, whole, target)
        }
        node @ (Node::Bool(_)
        | Node::Bits(_)
        | Node::Int(_)
        | Node::Not(_)
        | Node::And(..)
        | Node::Eq(..)
        | Node::Binary(..)
        | Node::Ult(..)
        | Node::Slt(..)
        | Node::Store(..)
        | Node::ConstArray(_)
        | Node::IntAdd(..)
        | Node::IntMul(..)
        | Node::IntLt(..)) => unreachable!("{node:?} is treated above or no bit-vector"),
    }
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

fn narrow_predicate(terms: &mut Terms, ranges: &mut Ranges, term: Term, args: &[Term]) -> Term {
    let node = terms.node(term);
    let (Node::Eq(a, b) | Node::Ult(a, b) | Node::Slt(a, b)) = node else {
        return terms.rebuild(term, args);
    };
    if terms.sort(a).width().is_none() {
        return terms.rebuild(term, args);
    }
    let target = common_target(&[ranges.range(terms, a), ranges.range(terms, b)]);
    if target.width >= terms.width(a) {
        return terms.rebuild(term, args);
    }
    let (x, y) = (cut(terms, args[0], target.width), cut(terms, args[1], target.width));
    if matches!(node, Node::Eq(..)) {
        terms.eq(x, y)
    } else if matches!(node, Node::Slt(..)) && target.signed {
        terms.slt(x, y)
    } else {
        // Sign-extension keeps the unsigned order; without signs the signed order is the unsigned one.
        terms.ult(x, y)
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
