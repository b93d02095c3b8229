//! Integer operations as terms.
//!
//! Values of width 1 are computed as Booleans, so that conditions stay conditions.

use crate::value::{bit, truth};
use braid_base::faults::active;
use braid_ir::{BinOp, CmpOp, FitsOp, UnOp};
use braid_logic::{BvOp, Term, Terms, bits};

/// An integer operation. Quotients by zero have some value.
pub fn binary(terms: &mut Terms, op: BinOp, a: Term, b: Term) -> Term {
    if terms.width(a) == 1
        && let Some(result) = binary_of_bits(terms, op, a, b)
    {
        return result;
    }
    let op = match op {
        BinOp::Add => BvOp::Add,
        BinOp::Sub => BvOp::Sub,
        BinOp::Mul => BvOp::Mul,
        BinOp::SDiv => BvOp::Sdiv,
        BinOp::UDiv => BvOp::Udiv,
        BinOp::SRem => BvOp::Srem,
        BinOp::URem => BvOp::Urem,
        BinOp::And => BvOp::And,
        BinOp::Or => BvOp::Or,
        BinOp::Xor => BvOp::Xor,
        BinOp::Shl => return shift(terms, BvOp::Shl, a, b),
        BinOp::LShr => return shift(terms, BvOp::Lshr, a, b),
        BinOp::AShr => return shift(terms, BvOp::Ashr, a, b),
        BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv => {
            unreachable!("verified: floating-point operations do not work on integers")
        }
    };
    terms.bv(op, a, b)
}

fn binary_of_bits(terms: &mut Terms, op: BinOp, a: Term, b: Term) -> Option<Term> {
    let (a, b) = (truth(terms, a), truth(terms, b));
    let result = match op {
        BinOp::And | BinOp::Mul => terms.and(a, b),
        BinOp::Or => terms.or(a, b),
        BinOp::Xor | BinOp::Add | BinOp::Sub => terms.xor(a, b),
        // Counts are taken modulo 1.
        BinOp::Shl | BinOp::LShr | BinOp::AShr => a,
        BinOp::SDiv
        | BinOp::UDiv
        | BinOp::SRem
        | BinOp::URem
        | BinOp::FAdd
        | BinOp::FSub
        | BinOp::FMul
        | BinOp::FDiv => return None,
    };
    Some(bit(terms, result))
}

/// The count is taken modulo the width.
fn shift(terms: &mut Terms, op: BvOp, a: Term, count: Term) -> Term {
    let width = terms.width(a);
    let count = if width.is_power_of_two() {
        let mask = terms.bits(width, u128::from(width - 1));
        terms.bv_and(count, mask)
    } else {
        let modulus = terms.bits(width, u128::from(width));
        terms.bv_urem(count, modulus)
    };
    terms.bv(op, a, count)
}

/// Under which condition the operation has a result; `None` if it always has.
pub fn definedness(terms: &mut Terms, op: BinOp, b: Term) -> Option<Term> {
    match op {
        BinOp::SDiv | BinOp::UDiv | BinOp::SRem | BinOp::URem => {
            let nonzero = terms.to_bool(b);
            (!terms.is_true(nonzero)).then_some(nonzero)
        }
        BinOp::Add
        | BinOp::Sub
        | BinOp::Mul
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor
        | BinOp::Shl
        | BinOp::LShr
        | BinOp::AShr
        | BinOp::FAdd
        | BinOp::FSub
        | BinOp::FMul
        | BinOp::FDiv => None,
    }
}

pub fn unary(terms: &mut Terms, op: UnOp, a: Term) -> Term {
    let width = terms.width(a);
    match op {
        UnOp::Not if width == 1 => {
            let condition = truth(terms, a);
            let opposite = terms.not(condition);
            bit(terms, opposite)
        }
        UnOp::Not => terms.bv_not(a),
        UnOp::Neg => terms.bv_neg(a),
        UnOp::Popcount => popcount(terms, a),
        // The bit looked at last decides: the highest for leading zeros, the lowest for trailing ones.
        UnOp::Clz => first_set(terms, a, (0..width).map(|at| (at, width - 1 - at))),
        UnOp::Ctz => first_set(terms, a, (0..width).rev().map(|at| (at, at))),
        UnOp::Bswap => swap_bytes(terms, a),
        UnOp::FNeg | UnOp::FAbs => {
            unreachable!("verified: floating-point operations do not work on integers")
        }
    }
}

/// Of pairs (bit, result) the result of the last one whose bit is set; the width if none is.
fn first_set(terms: &mut Terms, a: Term, order: impl Iterator<Item = (u32, u32)>) -> Term {
    let width = terms.width(a);
    let mut result = terms.bits(width, u128::from(width));
    for (at, count) in order {
        let (set, count) = (terms.bit(a, at), terms.bits(width, u128::from(count)));
        result = terms.ite(set, count, result);
    }
    result
}

/// A tree of sums, each as wide as it needs to be.
fn popcount(terms: &mut Terms, a: Term) -> Term {
    let width = terms.width(a);
    let mut row: Vec<Term> = (0..width).map(|at| terms.extract(a, at, at)).collect();
    while row.len() > 1 {
        let wider = (terms.width(row[0]) + 1).min(width);
        let extended: Vec<Term> = row.iter().map(|t| terms.zero_extend(*t, wider)).collect();
        row = extended
            .chunks(2)
            .map(|pair| if let [x, y] = pair { terms.bv_add(*x, *y) } else { pair[0] })
            .collect();
    }
    terms.zero_extend(row[0], width)
}

fn swap_bytes(terms: &mut Terms, a: Term) -> Term {
    let width = terms.width(a);
    let byte = |terms: &mut Terms, index: u32| terms.extract(a, 8 * index + 7, 8 * index);
    let mut result = byte(terms, 0);
    for index in 1..width / 8 {
        let low = byte(terms, index);
        result = terms.concat(result, low);
    }
    result
}

/// A comparison of integers or pointers, as a Boolean.
pub fn compare(terms: &mut Terms, op: CmpOp, a: Term, b: Term) -> Term {
    match op {
        CmpOp::Eq => terms.eq(a, b),
        CmpOp::Ne => terms.ne(a, b),
        CmpOp::Slt if active("compares-unsigned") => terms.ult(a, b),
        CmpOp::Slt => terms.slt(a, b),
        CmpOp::Sle => terms.sle(a, b),
        CmpOp::Ult => terms.ult(a, b),
        CmpOp::Ule => terms.ule(a, b),
        CmpOp::FEq | CmpOp::FNe | CmpOp::FLt | CmpOp::FLe => {
            unreachable!("verified: floating-point comparisons do not work on integers")
        }
    }
}

/// Whether the mathematically exact result is a value of the type, as a Boolean.
pub fn fits(terms: &mut Terms, op: FitsOp, signed: bool, a: Term, b: Term) -> Term {
    let overflows = match (op, signed) {
        (FitsOp::Add, true) => terms.sadd_overflow(a, b),
        (FitsOp::Add, false) => terms.uadd_overflow(a, b),
        (FitsOp::Sub, true) => terms.ssub_overflow(a, b),
        (FitsOp::Sub, false) => terms.usub_overflow(a, b),
        (FitsOp::Mul, true) => terms.smul_overflow(a, b),
        (FitsOp::Mul, false) => terms.umul_overflow(a, b),
        (FitsOp::Div, true) => terms.sdiv_overflow(a, b),
        (FitsOp::Div, false) => terms.bool(false),
        (FitsOp::Shl, _) => shift_overflow(terms, signed, a, b),
        (FitsOp::ShiftCount, _) => {
            let width = terms.bits(terms.width(b), u128::from(terms.width(b)));
            terms.uge(b, width)
        }
    };
    terms.not(overflows)
}

/// Whether the exact `a << b` exceeds the largest value of the type. A count of the width or more leaves
/// room for zero only; a negative number is above the largest one.
fn shift_overflow(terms: &mut Terms, signed: bool, a: Term, b: Term) -> Term {
    let width = terms.width(a);
    let largest = if signed { bits::max_signed(width) } else { bits::mask(width) };
    let largest = terms.bits(width, largest);
    let room = terms.bv_lshr(largest, b);
    terms.ugt(a, room)
}
