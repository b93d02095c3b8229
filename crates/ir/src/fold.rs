//! Folds pure expressions whose operands are constants, and a few identities (`x + 0`, `x * 1`).
//!
//! `lower` sends every expression it is about to emit through [`fold()`], so that `sizeof x * 4`, `-1`
//! and conversions of constants come out as constants; passes do so with what they know of registers. The
//! meaning is that of the IR: integers wrap, shift counts are taken modulo the width, floats are IEEE. What
//! could end a run (division by zero) or depends on addresses is left alone.

use crate::{BinOp, CastOp, CmpOp, Const, ConstPool, Expr, FitsOp, Operand, Ty, UnOp};

/// The operand that stands for `expr`, if it needs no instruction.
pub fn fold(pool: &mut ConstPool, pointer_bits: u8, expr: &Expr) -> Option<Operand> {
    if let Some(operand) = identity(pool, expr) {
        return Some(operand);
    }
    let value = constant(pool, pointer_bits, expr)?;
    Some(Operand::Const(pool.intern(value)))
}

/// The low `width` bits.
pub fn cut(bits: u128, width: u8) -> u128 {
    if width >= 128 { bits } else { bits & ((1 << width) - 1) }
}

/// The bits of an integer of `width`, read as signed.
pub fn signed(bits: u128, width: u8) -> i128 {
    let unused = 128 - u32::from(width);
    ((bits << unused) as i128) >> unused
}

fn get(pool: &ConstPool, operand: Operand) -> Option<Const> {
    match operand {
        Operand::Const(id) => Some(pool.get(id)),
        Operand::Reg(_) => None,
    }
}

fn get_int(pool: &ConstPool, operand: Operand) -> Option<u128> {
    match get(pool, operand)? {
        Const::Int { bits, .. } => Some(bits),
        Const::F32(_) | Const::F64(_) | Const::Null | Const::Global(..) | Const::Func(_) => None,
    }
}

fn get_float(pool: &ConstPool, operand: Operand) -> Option<f64> {
    match get(pool, operand)? {
        Const::F32(bits) => Some(f64::from(f32::from_bits(bits))),
        Const::F64(bits) => Some(f64::from_bits(bits)),
        Const::Int { .. } | Const::Null | Const::Global(..) | Const::Func(_) => None,
    }
}

fn int(width: u8, bits: u128) -> Const {
    Const::Int { width, bits: cut(bits, width) }
}

fn truth(value: bool) -> Const {
    Const::Int { width: 1, bits: u128::from(value) }
}

/// A float constant of type `ty`. Rounding a double result of two floats' sum, difference, product or
/// quotient to float is the correctly rounded float result, since double has more than twice the
/// digits.
fn float(ty: Ty, value: f64) -> Option<Const> {
    match ty {
        Ty::F32 => Some(Const::F32((value as f32).to_bits())),
        Ty::F64 => Some(Const::F64(value.to_bits())),
        Ty::Int(_) | Ty::Ptr => None,
    }
}

/// Expressions that equal one of their operands.
fn identity(pool: &ConstPool, expr: &Expr) -> Option<Operand> {
    match *expr {
        Expr::Use(a) => Some(a),
        Expr::Binary { op, a, b, .. } => {
            let right = get_int(pool, b);
            let left = get_int(pool, a);
            match op {
                BinOp::Add | BinOp::Or | BinOp::Xor if right == Some(0) => Some(a),
                BinOp::Add | BinOp::Or | BinOp::Xor if left == Some(0) => Some(b),
                BinOp::Sub | BinOp::Shl | BinOp::LShr | BinOp::AShr if right == Some(0) => Some(a),
                BinOp::Mul | BinOp::UDiv | BinOp::SDiv if right == Some(1) => Some(a),
                BinOp::Mul if left == Some(1) => Some(b),
                _ => None,
            }
        }
        Expr::PtrAdd { ptr, offset } if get_int(pool, offset) == Some(0) => Some(ptr),
        Expr::Select { cond, then, other, .. } => match get_int(pool, cond)? {
            0 => Some(other),
            _ => Some(then),
        },
        Expr::Cast { op, from, to, a } if from == to && op != CastOp::Forget => Some(a),
        Expr::Unary { .. }
        | Expr::Compare { .. }
        | Expr::Fits { .. }
        | Expr::Cast { .. }
        | Expr::PtrAdd { .. }
        | Expr::PtrDiff { .. }
        | Expr::LocalAddr(_)
        | Expr::ThreadLocalAddr(_)
        | Expr::ObjectSize(_)
        | Expr::Math { .. } => None,
    }
}

fn constant(pool: &ConstPool, pointer_bits: u8, expr: &Expr) -> Option<Const> {
    match *expr {
        Expr::Unary { op, ty, a } => unary(pool, op, ty, a),
        Expr::Binary { op, ty: Ty::Int(width), a, b } => {
            integer(op, width, get_int(pool, a)?, get_int(pool, b)?).map(|bits| int(width, bits))
        }
        Expr::Binary { op, ty, a, b } => floating(op, ty, get_float(pool, a)?, get_float(pool, b)?),
        Expr::Compare { op, ty, a, b } => compare(pool, op, ty, a, b).map(truth),
        Expr::Fits { op, signed, ty: Ty::Int(width), a, b } => {
            let b = get_int(pool, b)?;
            // A shift count alone decides; its left operand may be anything.
            let a = if op == FitsOp::ShiftCount { 0 } else { get_int(pool, a)? };
            Some(truth(fits(op, signed, width, a, b)))
        }
        Expr::Cast { op, from, to, a } => cast(pool, op, from, to, a),
        Expr::PtrAdd { ptr, offset } => {
            let offset = signed(get_int(pool, offset)?, pointer_bits);
            match get(pool, ptr)? {
                Const::Global(global, at) => {
                    let at = i128::from(at).checked_add(offset)?;
                    Some(Const::Global(global, i64::try_from(at).ok()?))
                }
                Const::Int { .. } | Const::F32(_) | Const::F64(_) | Const::Null | Const::Func(_) => None,
            }
        }
        Expr::PtrDiff { a, b } => match (get(pool, a)?, get(pool, b)?) {
            (Const::Global(x, i), Const::Global(y, j)) if x == y => {
                Some(int(pointer_bits, i128::from(i).wrapping_sub(i128::from(j)) as u128))
            }
            _ => None,
        },
        Expr::Use(_)
        | Expr::Fits { .. }
        | Expr::Select { .. }
        | Expr::LocalAddr(_)
        | Expr::ThreadLocalAddr(_)
        | Expr::ObjectSize(_)
        | Expr::Math { .. } => None,
    }
}

fn unary(pool: &ConstPool, op: UnOp, ty: Ty, a: Operand) -> Option<Const> {
    if let Ty::Int(width) = ty {
        let bits = get_int(pool, a)?;
        let unused = 128 - u32::from(width);
        let result = match op {
            UnOp::Not => !bits,
            UnOp::Neg => bits.wrapping_neg(),
            UnOp::Popcount => u128::from(bits.count_ones()),
            UnOp::Clz => u128::from(bits.leading_zeros() - unused),
            UnOp::Ctz => u128::from(bits.trailing_zeros().min(u32::from(width))),
            UnOp::Bswap => bits.swap_bytes() >> unused,
            UnOp::FNeg | UnOp::FAbs => return None,
        };
        return Some(int(width, result));
    }
    let value = get_float(pool, a)?;
    match op {
        UnOp::FNeg => float(ty, -value),
        UnOp::FAbs => float(ty, value.abs()),
        UnOp::Not | UnOp::Neg | UnOp::Popcount | UnOp::Clz | UnOp::Ctz | UnOp::Bswap => None,
    }
}

fn integer(op: BinOp, width: u8, a: u128, b: u128) -> Option<u128> {
    let (x, y) = (signed(a, width), signed(b, width));
    let count = (b % u128::from(width)) as u32;
    Some(match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::SDiv if y != 0 => x.wrapping_div(y) as u128,
        BinOp::UDiv => a.checked_div(b)?,
        BinOp::SRem if y != 0 => x.wrapping_rem(y) as u128,
        BinOp::URem => a.checked_rem(b)?,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl => a << count,
        BinOp::LShr => a >> count,
        BinOp::AShr => (x >> count) as u128,
        BinOp::SDiv | BinOp::SRem | BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv => return None,
    })
}

fn floating(op: BinOp, ty: Ty, a: f64, b: f64) -> Option<Const> {
    let result = match op {
        BinOp::FAdd => a + b,
        BinOp::FSub => a - b,
        BinOp::FMul => a * b,
        BinOp::FDiv => a / b,
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
        | BinOp::AShr => return None,
    };
    // The sign and payload of a NaN are the machine's business.
    if result.is_nan() { None } else { float(ty, result) }
}

fn compare(pool: &ConstPool, op: CmpOp, ty: Ty, a: Operand, b: Operand) -> Option<bool> {
    match ty {
        Ty::Int(width) => {
            let (a, b) = (get_int(pool, a)?, get_int(pool, b)?);
            Some(match op {
                CmpOp::Eq => a == b,
                CmpOp::Ne => a != b,
                CmpOp::Slt => signed(a, width) < signed(b, width),
                CmpOp::Sle => signed(a, width) <= signed(b, width),
                CmpOp::Ult => a < b,
                CmpOp::Ule => a <= b,
                CmpOp::FEq | CmpOp::FNe | CmpOp::FLt | CmpOp::FLe => return None,
            })
        }
        Ty::F32 | Ty::F64 => {
            let (a, b) = (get_float(pool, a)?, get_float(pool, b)?);
            Some(match op {
                CmpOp::FEq => a == b,
                CmpOp::FNe => a != b,
                CmpOp::FLt => a < b,
                CmpOp::FLe => a <= b,
                CmpOp::Eq | CmpOp::Ne | CmpOp::Slt | CmpOp::Sle | CmpOp::Ult | CmpOp::Ule => return None,
            })
        }
        Ty::Ptr => {
            let equal = same_address(get(pool, a)?, get(pool, b)?)?;
            match op {
                CmpOp::Eq => Some(equal),
                CmpOp::Ne => Some(!equal),
                _ => None,
            }
        }
    }
}

/// Whether two constant addresses are one. Addresses of distinct objects may meet (one past the end
/// of one, the start of another), so only null and addresses in one object are decided.
fn same_address(a: Const, b: Const) -> Option<bool> {
    match (a, b) {
        (Const::Null, Const::Null) => Some(true),
        (Const::Func(f), Const::Func(g)) => Some(f == g),
        (Const::Null, Const::Func(_)) | (Const::Func(_), Const::Null) => Some(false),
        (Const::Null, Const::Global(_, 0)) | (Const::Global(_, 0), Const::Null) => Some(false),
        (Const::Global(g, i), Const::Global(h, j)) if g == h => Some(i == j),
        _ => None,
    }
}

fn fits(op: FitsOp, is_signed: bool, width: u8, a: u128, b: u128) -> bool {
    match (op, is_signed) {
        (FitsOp::ShiftCount, _) => b < u128::from(width),
        (FitsOp::Shl, _) => {
            let value = signed(a, width);
            // A count out of range is reported by the check on the count.
            value >= 0
                && b < u128::from(width)
                && signed(cut(a << b as u32, width), width) >> (b as u32) == value
                && signed(cut(a << b as u32, width), width) >= 0
        }
        (FitsOp::Div, _) => {
            let min = cut(1 << (width - 1), width);
            !(a == min && b == cut(u128::MAX, width))
        }
        (_, true) => {
            let (a, b) = (signed(a, width), signed(b, width));
            let exact = match op {
                FitsOp::Add => a.checked_add(b),
                FitsOp::Sub => a.checked_sub(b),
                FitsOp::Mul => a.checked_mul(b),
                FitsOp::Div | FitsOp::Shl | FitsOp::ShiftCount => return true,
            };
            exact.is_some_and(|v| signed(v as u128, width) == v)
        }
        (_, false) => {
            let exact = match op {
                FitsOp::Add => a.checked_add(b),
                FitsOp::Sub => a.checked_sub(b),
                FitsOp::Mul => a.checked_mul(b),
                FitsOp::Div | FitsOp::Shl | FitsOp::ShiftCount => return true,
            };
            exact.is_some_and(|v| cut(v, width) == v)
        }
    }
}

fn cast(pool: &ConstPool, op: CastOp, from: Ty, to: Ty, a: Operand) -> Option<Const> {
    match (op, from, to) {
        (CastOp::Trunc | CastOp::Zext, _, Ty::Int(width)) => Some(int(width, get_int(pool, a)?)),
        (CastOp::Sext, Ty::Int(old), Ty::Int(new)) => Some(int(new, signed(get_int(pool, a)?, old) as u128)),
        (CastOp::FloatToFloat, _, _) => {
            let value = get_float(pool, a)?;
            if value.is_nan() { None } else { float(to, value) }
        }
        (CastOp::SintToFloat, Ty::Int(width), _) => {
            let value = signed(get_int(pool, a)?, width);
            // Through f64 a float would be rounded twice.
            match to {
                Ty::F32 => Some(Const::F32((value as f32).to_bits())),
                _ => float(to, value as f64),
            }
        }
        (CastOp::UintToFloat, _, _) => {
            let value = get_int(pool, a)?;
            match to {
                Ty::F32 => Some(Const::F32((value as f32).to_bits())),
                _ => float(to, value as f64),
            }
        }
        (CastOp::FloatToSint, _, Ty::Int(width)) => {
            let value = get_float(pool, a)?.trunc();
            let exact = value as i128;
            let in_range = value.abs() < 1e38 && signed(exact as u128, width) == exact;
            in_range.then(|| int(width, exact as u128))
        }
        (CastOp::FloatToUint, _, Ty::Int(width)) => {
            let value = get_float(pool, a)?.trunc();
            let exact = value as u128;
            let in_range = (0.0..1e38).contains(&value) && cut(exact, width) == exact;
            in_range.then(|| int(width, exact))
        }
        (CastOp::IntToPtr, _, _) => (get_int(pool, a)? == 0).then_some(Const::Null),
        (CastOp::PtrToInt, _, Ty::Int(width)) => match get(pool, a)? {
            Const::Null => Some(int(width, 0)),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(width: u8, op: BinOp, a: u128, b: u128, expected: Option<u128>) {
        let mut pool = ConstPool::default();
        let [a, b] = [a, b].map(|bits| Operand::Const(pool.intern(int(width, bits))));
        let result = fold(&mut pool, 64, &Expr::Binary { op, ty: Ty::Int(width), a, b });
        assert_eq!(result.and_then(|o| get_int(&pool, o)), expected, "{op:?} at {width} bits");
    }

    #[test]
    fn integers_wrap_at_their_width() {
        check(8, BinOp::Add, 200, 100, Some(44));
        check(32, BinOp::Sub, 0, 1, Some(0xffff_ffff));
        check(8, BinOp::SDiv, 0x80, 0xff, Some(0x80));
        check(8, BinOp::SRem, 0xf9, 2, Some(0xff));
        check(16, BinOp::AShr, 0x8000, 15, Some(0xffff));
        check(128, BinOp::Mul, u128::MAX, u128::MAX, Some(1));
    }

    #[test]
    fn division_by_zero_is_left_alone() {
        check(32, BinOp::SDiv, 1, 0, None);
        check(32, BinOp::URem, 1, 0, None);
    }

    #[test]
    fn fits_is_exact() {
        assert!(!fits(FitsOp::Add, true, 32, 0x7fff_ffff, 1));
        assert!(fits(FitsOp::Add, true, 32, 0x7fff_ffff, 0));
        assert!(!fits(FitsOp::Mul, true, 128, 1 << 126, 2));
        assert!(fits(FitsOp::Mul, false, 128, 1 << 126, 2));
        assert!(!fits(FitsOp::Shl, true, 32, 1, 31));
        assert!(fits(FitsOp::Shl, true, 32, 1, 30));
        assert!(!fits(FitsOp::Shl, true, 32, 0xffff_ffff, 0));
        assert!(!fits(FitsOp::ShiftCount, false, 32, 0, 32));
        assert!(!fits(FitsOp::Div, true, 32, 0x8000_0000, 0xffff_ffff));
    }
}
