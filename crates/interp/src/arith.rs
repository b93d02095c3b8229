//! Integer arithmetic on bit patterns of 1 to 128 bits.
//!
//! Operands and results are zero-extended. `binary` has a fast path for up to 64 bits; the general
//! path works for every width, and tests hold one against the other.

use crate::value::mask;
use braid_ir::{BinOp, CmpOp, FitsOp, RmwOp, UnOp};

/// The division or remainder has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DivisionByZero;

/// The pattern read as a signed number.
#[inline]
pub fn signed(width: u8, bits: u128) -> i128 {
    let unused = 128 - u32::from(width);
    ((bits << unused) as i128) >> unused
}

#[inline]
fn signed64(width: u8, bits: u64) -> i64 {
    let unused = 64 - u32::from(width);
    ((bits << unused) as i64) >> unused
}

#[inline(always)]
pub fn binary(op: BinOp, width: u8, a: u128, b: u128) -> Result<u128, DivisionByZero> {
    if width <= 64 { narrow(op, width, a as u64, b as u64).map(u128::from) } else { wide(op, width, a, b) }
}

#[inline(always)]
fn narrow(op: BinOp, width: u8, a: u64, b: u64) -> Result<u64, DivisionByZero> {
    let result = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::SDiv | BinOp::UDiv | BinOp::SRem | BinOp::URem if b == 0 => return Err(DivisionByZero),
        BinOp::SDiv => signed64(width, a).wrapping_div(signed64(width, b)) as u64,
        BinOp::UDiv => a / b,
        BinOp::SRem => signed64(width, a).wrapping_rem(signed64(width, b)) as u64,
        BinOp::URem => a % b,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl => a << shift_count(width, b),
        BinOp::LShr => a >> shift_count(width, b),
        BinOp::AShr => (signed64(width, a) >> shift_count(width, b)) as u64,
        BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv => {
            unreachable!("verified: floating-point operations do not work on integers")
        }
    };
    Ok(result & (u64::MAX >> (64 - u32::from(width))))
}

#[inline]
fn shift_count(width: u8, count: u64) -> u64 {
    if width.is_power_of_two() { count & u64::from(width - 1) } else { count % u64::from(width) }
}

fn wide(op: BinOp, width: u8, a: u128, b: u128) -> Result<u128, DivisionByZero> {
    let count = (b % u128::from(width)) as u32;
    let result = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::SDiv | BinOp::UDiv | BinOp::SRem | BinOp::URem if b == 0 => return Err(DivisionByZero),
        BinOp::SDiv => signed(width, a).wrapping_div(signed(width, b)) as u128,
        BinOp::UDiv => a / b,
        BinOp::SRem => signed(width, a).wrapping_rem(signed(width, b)) as u128,
        BinOp::URem => a % b,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl => a << count,
        BinOp::LShr => a >> count,
        BinOp::AShr => (signed(width, a) >> count) as u128,
        BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv => {
            unreachable!("verified: floating-point operations do not work on integers")
        }
    };
    Ok(result & mask(width))
}

pub fn unary(op: UnOp, width: u8, a: u128) -> u128 {
    let unused = 128 - u32::from(width);
    let result = match op {
        UnOp::Not => !a,
        UnOp::Neg => a.wrapping_neg(),
        UnOp::Popcount => u128::from(a.count_ones()),
        UnOp::Clz => u128::from(a.leading_zeros() - unused),
        UnOp::Ctz => u128::from(a.trailing_zeros().min(u32::from(width))),
        UnOp::Bswap => a.swap_bytes() >> unused,
        UnOp::FNeg | UnOp::FAbs => {
            unreachable!("verified: floating-point operations do not work on integers")
        }
    };
    result & mask(width)
}

#[inline(always)]
pub fn compare(op: CmpOp, width: u8, a: u128, b: u128) -> bool {
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Slt => signed(width, a) < signed(width, b),
        CmpOp::Sle => signed(width, a) <= signed(width, b),
        CmpOp::Ult => a < b,
        CmpOp::Ule => a <= b,
        CmpOp::FEq | CmpOp::FNe | CmpOp::FLt | CmpOp::FLe => {
            unreachable!("verified: floating-point comparisons do not work on integers")
        }
    }
}

/// Whether the mathematically exact result is a value of the type.
pub fn fits(op: FitsOp, is_signed: bool, width: u8, a: u128, b: u128) -> bool {
    if op == FitsOp::ShiftCount {
        return b < u128::from(width);
    }
    if is_signed {
        fits_signed(op, width, signed(width, a), signed(width, b), b)
    } else {
        fits_unsigned(op, width, a, b)
    }
}

/// `count` is `b` as a shift count, unsigned.
fn fits_signed(op: FitsOp, width: u8, a: i128, b: i128, count: u128) -> bool {
    let max = (mask(width) >> 1) as i128;
    let exact = match op {
        FitsOp::Add => a.checked_add(b),
        FitsOp::Sub => a.checked_sub(b),
        FitsOp::Mul => a.checked_mul(b),
        FitsOp::Div => return !(a == -max - 1 && b == -1),
        FitsOp::Shl => return a == 0 || (a > 0 && count < u128::from(width) && a <= max >> count as u32),
        FitsOp::ShiftCount => return count < u128::from(width),
    };
    exact.is_some_and(|value| (-max - 1..=max).contains(&value))
}

fn fits_unsigned(op: FitsOp, width: u8, a: u128, b: u128) -> bool {
    let exact = match op {
        FitsOp::Add => a.checked_add(b),
        FitsOp::Sub => a.checked_sub(b),
        FitsOp::Mul => a.checked_mul(b),
        FitsOp::Div => return true,
        FitsOp::Shl => return a == 0 || (b < u128::from(width) && a <= mask(width) >> b as u32),
        FitsOp::ShiftCount => return b < u128::from(width),
    };
    exact.is_some_and(|value| value <= mask(width))
}

/// The pure operation of an atomic read-modify-write; `None` for an exchange.
pub fn rmw_operation(op: RmwOp) -> Option<BinOp> {
    match op {
        RmwOp::Exchange => None,
        RmwOp::Add => Some(BinOp::Add),
        RmwOp::Sub => Some(BinOp::Sub),
        RmwOp::And | RmwOp::Nand => Some(BinOp::And),
        RmwOp::Or => Some(BinOp::Or),
        RmwOp::Xor => Some(BinOp::Xor),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTHS: [u8; 12] = [1, 2, 7, 8, 16, 24, 31, 32, 33, 63, 64, 127];

    /// Interesting patterns of a width and some random ones.
    fn samples(width: u8) -> Vec<u128> {
        let top = 1u128 << (width - 1);
        let mut list = vec![0, 1, 2, 3, 7, 31, top, top - 1, top + 1, mask(width), mask(width) - 1];
        let mut x = 0x1234_5678_9abc_def1_u128 * u128::from(width);
        for _ in 0..20 {
            x = x.wrapping_mul(0x2d99_787f_bd8b_4f1f_9e37_79b9_7f4a_7c15).wrapping_add(99);
            list.push(x >> 64 << 64 | x >> 64);
        }
        list.iter().map(|bits| bits & mask(width)).collect()
    }

    /// Two's complement by schoolbook bit operations: nothing shared with the code under test.
    fn slow_add(width: u8, a: u128, b: u128) -> u128 {
        let (mut result, mut carry) = (0, 0);
        for i in 0..width {
            let sum = (a >> i & 1) + (b >> i & 1) + carry;
            result |= (sum & 1) << i;
            carry = sum >> 1;
        }
        result
    }

    fn slow_mul(width: u8, a: u128, b: u128) -> u128 {
        let mut result = 0;
        for i in (0..width).filter(|i| b >> i & 1 == 1) {
            result = slow_add(width, result, a << i & mask(width));
        }
        result
    }

    fn slow_neg(width: u8, a: u128) -> u128 {
        slow_add(width, !a & mask(width), 1)
    }

    fn slow_udivrem(width: u8, a: u128, b: u128) -> (u128, u128) {
        let (mut quotient, mut rest) = (0u128, 0u128);
        for i in (0..width).rev() {
            let carry = rest >> 127;
            rest = rest << 1 | (a >> i & 1);
            if carry == 1 || rest >= b {
                rest = rest.wrapping_sub(b);
                quotient |= 1 << i;
            }
        }
        (quotient, rest)
    }

    fn slow_sdivrem(width: u8, a: u128, b: u128) -> (u128, u128) {
        let negative = |x: u128| x >> (width - 1) & 1 == 1;
        let abs = |x: u128| if negative(x) { slow_neg(width, x) } else { x };
        let (q, r) = slow_udivrem(width, abs(a), abs(b));
        let quotient = if negative(a) != negative(b) { slow_neg(width, q) } else { q };
        (quotient, if negative(a) { slow_neg(width, r) } else { r })
    }

    #[test]
    fn agrees_with_schoolbook_arithmetic() {
        for width in WIDTHS.into_iter().chain([65, 128]) {
            for a in samples(width) {
                for b in samples(width) {
                    let op = |op| binary(op, width, a, b);
                    assert_eq!(op(BinOp::Add), Ok(slow_add(width, a, b)), "{width} {a} {b}");
                    assert_eq!(op(BinOp::Sub), Ok(slow_add(width, a, slow_neg(width, b))));
                    assert_eq!(op(BinOp::Mul), Ok(slow_mul(width, a, b)));
                    if b == 0 {
                        assert_eq!(op(BinOp::SRem), Err(DivisionByZero));
                        continue;
                    }
                    let (uq, ur) = slow_udivrem(width, a, b);
                    let (sq, sr) = slow_sdivrem(width, a, b);
                    assert_eq!((op(BinOp::UDiv), op(BinOp::URem)), (Ok(uq), Ok(ur)), "{width} {a} {b}");
                    assert_eq!((op(BinOp::SDiv), op(BinOp::SRem)), (Ok(sq), Ok(sr)), "{width} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn narrow_and_wide_agree() {
        let all = BinOp::ALL.iter().filter(|op| !op.word().starts_with('f'));
        for &op in all {
            for width in WIDTHS.into_iter().filter(|w| *w <= 64) {
                for a in samples(width) {
                    for b in samples(width) {
                        let fast = narrow(op, width, a as u64, b as u64).map(u128::from);
                        assert_eq!(fast, wide(op, width, a, b), "{op:?} {width} {a} {b}");
                    }
                }
            }
        }
    }

    #[test]
    fn shifts_take_the_count_modulo_the_width() {
        assert_eq!(binary(BinOp::Shl, 32, 1, 33), Ok(2));
        assert_eq!(binary(BinOp::Shl, 24, 1, 25), Ok(2));
        assert_eq!(binary(BinOp::AShr, 24, 0x80_0000, 4), Ok(0xf8_0000));
        assert_eq!(binary(BinOp::LShr, 128, 1 << 127, 127), Ok(1));
        assert_eq!(binary(BinOp::AShr, 128, 1 << 127, 127), Ok(u128::MAX));
        assert_eq!(binary(BinOp::SDiv, 128, 1 << 127, u128::MAX), Ok(1 << 127));
        assert_eq!(binary(BinOp::SRem, 64, 1 << 63, u128::from(u64::MAX)), Ok(0));
    }

    #[test]
    fn unary_operations_see_the_width() {
        assert_eq!(unary(UnOp::Clz, 24, 1), 23);
        assert_eq!(unary(UnOp::Clz, 128, 0), 128);
        assert_eq!(unary(UnOp::Ctz, 33, 0), 33);
        assert_eq!(unary(UnOp::Ctz, 33, 1 << 32), 32);
        assert_eq!(unary(UnOp::Bswap, 24, 0x01_02_03), 0x03_02_01);
        assert_eq!(unary(UnOp::Bswap, 128, 1), 1 << 120);
        assert_eq!(unary(UnOp::Neg, 8, 1), 255);
        assert_eq!(unary(UnOp::Not, 1, 1), 0);
        assert_eq!(unary(UnOp::Popcount, 65, mask(65)), 65);
    }

    /// For widths up to 60 the exact result can be computed in 128 bits.
    #[test]
    fn fits_is_exact() {
        for width in [1, 2, 8, 16, 24, 32, 33, 60] {
            let (low, high) = (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1);
            for a in samples(width) {
                for b in samples(width) {
                    let (x, y) = (signed(width, a), signed(width, b));
                    let in_range = |v: i128| (low..=high).contains(&v);
                    assert_eq!(fits(FitsOp::Add, true, width, a, b), in_range(x + y));
                    assert_eq!(fits(FitsOp::Sub, true, width, a, b), in_range(x - y));
                    assert_eq!(fits(FitsOp::Mul, true, width, a, b), in_range(x * y), "{width} {x} {y}");
                    if y != 0 {
                        assert_eq!(fits(FitsOp::Div, true, width, a, b), in_range(x / y));
                    }
                    if b < 60 {
                        let shifted = x.max(0) << b.min(66);
                        let expected = x >= 0 && (b < 66 && in_range(shifted));
                        assert_eq!(fits(FitsOp::Shl, true, width, a, b), expected, "{width} {x} {b}");
                    }
                    assert_eq!(fits(FitsOp::Add, false, width, a, b), a + b <= mask(width));
                    assert_eq!(fits(FitsOp::Sub, false, width, a, b), a >= b);
                    assert_eq!(fits(FitsOp::Mul, false, width, a, b), a * b <= mask(width));
                }
            }
        }
    }

    #[test]
    fn fits_at_the_widest() {
        let (min, max) = (1u128 << 127, u128::MAX >> 1);
        assert!(!fits(FitsOp::Add, true, 128, max, 1) && fits(FitsOp::Add, true, 128, max, u128::MAX));
        assert!(!fits(FitsOp::Mul, true, 128, min, u128::MAX) && fits(FitsOp::Mul, true, 128, min, 1));
        assert!(
            !fits(FitsOp::Div, true, 128, min, u128::MAX) && fits(FitsOp::Div, true, 128, max, u128::MAX)
        );
        assert!(!fits(FitsOp::Add, false, 128, u128::MAX, 1));
        assert!(fits(FitsOp::Shl, true, 128, 1, 126) && !fits(FitsOp::Shl, true, 128, 1, 127));
        assert!(fits(FitsOp::ShiftCount, true, 32, 0, 31) && !fits(FitsOp::ShiftCount, true, 32, 0, 32));
        assert!(!fits(FitsOp::ShiftCount, true, 32, 0, 0xffff_ffff));
    }
}
