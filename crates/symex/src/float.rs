//! Floating-point operations as terms, exact where IEEE 754 is.
//!
//! The arithmetic is [`braid_logic::float`]'s, which folds constants; here are the functions of the C
//! library that it does not know, and which of them are exact at all.

use braid_ir::{BinOp, CmpOp, MathFn, Ty, UnOp};
use braid_logic::float::{Format, Rounding};
use braid_logic::{Term, Terms, bits};

/// The format of a floating-point type.
pub fn format(ty: Ty) -> Format {
    match ty {
        Ty::F32 => Format::BINARY32,
        Ty::F64 => Format::BINARY64,
        Ty::Int(_) | Ty::Ptr => unreachable!("verified: floating-point operations work on floats"),
    }
}

pub fn binary(terms: &mut Terms, op: BinOp, ty: Ty, a: Term, b: Term) -> Term {
    match op {
        BinOp::FAdd => format(ty).add(terms, a, b),
        BinOp::FSub => format(ty).sub(terms, a, b),
        BinOp::FMul => format(ty).mul(terms, a, b),
        BinOp::FDiv => format(ty).div(terms, a, b),
        BinOp::Add
        | BinOp::Sub
        | BinOp::Mul
        | BinOp::SDiv
        | BinOp::UDiv
        | BinOp::SRem
        | BinOp::URem
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor
        | BinOp::Shl
        | BinOp::LShr
        | BinOp::AShr => unreachable!("verified: integer operations do not work on floats"),
    }
}

pub fn unary(terms: &mut Terms, op: UnOp, ty: Ty, a: Term) -> Term {
    match op {
        UnOp::FNeg => format(ty).neg(terms, a),
        UnOp::FAbs => format(ty).abs(terms, a),
        UnOp::Not | UnOp::Neg | UnOp::Popcount | UnOp::Clz | UnOp::Ctz | UnOp::Bswap => {
            unreachable!("verified: integer operations do not work on floats")
        }
    }
}

/// A comparison, as a Boolean.
pub fn compare(terms: &mut Terms, op: CmpOp, ty: Ty, a: Term, b: Term) -> Term {
    match op {
        CmpOp::FEq => format(ty).eq(terms, a, b),
        CmpOp::FNe => {
            let equal = format(ty).eq(terms, a, b);
            terms.not(equal)
        }
        CmpOp::FLt => format(ty).lt(terms, a, b),
        CmpOp::FLe => format(ty).le(terms, a, b),
        CmpOp::Eq | CmpOp::Ne | CmpOp::Slt | CmpOp::Sle | CmpOp::Ult | CmpOp::Ule => {
            unreachable!("verified: integer comparisons do not work on floats")
        }
    }
}

/// A function of the C library; `None` if it is not an exact one.
pub fn math(terms: &mut Terms, f: MathFn, ty: Ty, a: Term, b: Term) -> Option<Term> {
    let format = format(ty);
    Some(match f {
        MathFn::Sqrt => format.sqrt(terms, a),
        MathFn::Floor => format.round_to_integral(terms, a, Rounding::Down),
        MathFn::Ceil => format.round_to_integral(terms, a, Rounding::Up),
        MathFn::Trunc => format.round_to_integral(terms, a, Rounding::Truncate),
        MathFn::Round => format.round_to_integral(terms, a, Rounding::NearestAway),
        MathFn::Rint => format.round_to_integral(terms, a, Rounding::NearestEven),
        MathFn::Fmod => format.fmod(terms, a, b),
        MathFn::Remainder => format.remainder(terms, a, b),
        MathFn::Fmin => {
            let less = format.lt(terms, a, b);
            choose_number(terms, format, less, a, b)
        }
        MathFn::Fmax => {
            let greater = format.lt(terms, b, a);
            choose_number(terms, format, greater, a, b)
        }
        MathFn::Copysign => format.with_sign_of(terms, a, b),
        MathFn::Nextafter => next_after(terms, format, a, b),
        MathFn::Sin
        | MathFn::Cos
        | MathFn::Tan
        | MathFn::Asin
        | MathFn::Acos
        | MathFn::Atan
        | MathFn::Atan2
        | MathFn::Sinh
        | MathFn::Cosh
        | MathFn::Tanh
        | MathFn::Asinh
        | MathFn::Acosh
        | MathFn::Atanh
        | MathFn::Exp
        | MathFn::Exp2
        | MathFn::Expm1
        | MathFn::Log
        | MathFn::Log2
        | MathFn::Log10
        | MathFn::Log1p
        | MathFn::Pow
        | MathFn::Cbrt
        | MathFn::Hypot => return None,
    })
}

/// `a` if it is better or `b` is a NaN; `b` otherwise, also of two equal ones.
fn choose_number(terms: &mut Terms, format: Format, better: Term, a: Term, b: Term) -> Term {
    let nan = format.is_nan(terms, b);
    let first = terms.or(nan, better);
    terms.ite(first, a, b)
}

/// The next representable value after `a` in the direction of `b`. Read as integers, the magnitudes of
/// floats are in order, so the next one is the next integer.
fn next_after(terms: &mut Terms, format: Format, a: Term, b: Term) -> Term {
    let width = format.width();
    let (one, minus_one) = (terms.bits(width, 1), terms.bits(width, bits::mask(width)));
    let upwards = format.lt(terms, a, b);
    let negative = format.is_sign_negative(terms, a);
    let away_from_zero = terms.ne(upwards, negative);
    let step = terms.ite(away_from_zero, one, minus_one);
    let moved = terms.bv_add(a, step);
    let smallest = format.with_sign_of(terms, one, b);
    let zero = format.is_zero(terms, a);
    let moved = terms.ite(zero, smallest, moved);
    let equal = format.eq(terms, a, b);
    let result = terms.ite(equal, b, moved);
    let (unordered, sum) = (format.unordered(terms, a, b), format.add(terms, a, b));
    terms.ite(unordered, sum, result)
}
