//! Arithmetic of bit-vector values: the one definition that both constant folding and evaluation use.
//!
//! A value of width `w` is a `u128` whose bits from `w` up are zero. The meaning is SMT-LIB's.

use crate::node::BvOp;

/// All ones of this width; zero for no bits.
pub fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The value read as two's complement.
pub fn signed(width: u32, value: u128) -> i128 {
    let unused = 128 - width;
    ((value << unused) as i128) >> unused
}

/// Whether the sign bit is set.
pub fn is_negative(width: u32, value: u128) -> bool {
    value >> (width - 1) & 1 == 1
}

/// The smallest signed value: only the sign bit.
pub fn min_signed(width: u32) -> u128 {
    1 << (width - 1)
}

/// The largest signed value.
pub fn max_signed(width: u32) -> u128 {
    mask(width) >> 1
}

pub fn sign_extend(from: u32, to: u32, value: u128) -> u128 {
    signed(from, value) as u128 & mask(to)
}

pub fn extract(hi: u32, lo: u32, value: u128) -> u128 {
    value >> lo & mask(hi - lo + 1)
}

/// `low` has `low_width` bits.
pub fn concat(low_width: u32, high: u128, low: u128) -> u128 {
    high << low_width | low
}

pub fn slt(width: u32, a: u128, b: u128) -> bool {
    signed(width, a) < signed(width, b)
}

pub fn binary(op: BvOp, width: u32, a: u128, b: u128) -> u128 {
    let wrapped = match op {
        BvOp::Add => a.wrapping_add(b),
        BvOp::Sub => a.wrapping_sub(b),
        BvOp::Mul => a.wrapping_mul(b),
        BvOp::Udiv => a.checked_div(b).unwrap_or(u128::MAX),
        BvOp::Urem => a.checked_rem(b).unwrap_or(a),
        BvOp::Sdiv => sdiv(signed(width, a), signed(width, b)),
        BvOp::Srem if b == 0 => a,
        BvOp::Srem => signed(width, a).wrapping_rem(signed(width, b)) as u128,
        BvOp::And => a & b,
        BvOp::Or => a | b,
        BvOp::Xor => a ^ b,
        BvOp::Shl => shift_count(width, b).map_or(0, |count| a << count),
        BvOp::Lshr => shift_count(width, b).map_or(0, |count| a >> count),
        BvOp::Ashr => (signed(width, a) >> shift_count(width, b).unwrap_or(width - 1)) as u128,
    };
    wrapped & mask(width)
}

fn sdiv(a: i128, b: i128) -> u128 {
    match b {
        0 if a < 0 => 1,
        0 => u128::MAX,
        _ => a.wrapping_div(b) as u128,
    }
}

/// The count, unless it shifts everything out.
fn shift_count(width: u32, count: u128) -> Option<u32> {
    (count < u128::from(width)).then_some(count as u32)
}

/// The inverse of an odd number modulo a power of two, by Newton's iteration.
pub fn inverse_of_odd(width: u32, odd: u128) -> u128 {
    // Right in the lowest three bits; each round doubles their number.
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse & mask(width)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against Rust's own 8-bit types, all pairs.
    #[test]
    fn eight_bits_are_those_of_the_machine() {
        for a in 0..=255u8 {
            for b in 0..=255u8 {
                let of = |op| binary(op, 8, a.into(), b.into()) as u8;
                let (sa, sb) = (a as i8, b as i8);
                assert_eq!(of(BvOp::Add), a.wrapping_add(b));
                assert_eq!(of(BvOp::Sub), a.wrapping_sub(b));
                assert_eq!(of(BvOp::Mul), a.wrapping_mul(b));
                assert_eq!(of(BvOp::And), a & b);
                assert_eq!(of(BvOp::Or), a | b);
                assert_eq!(of(BvOp::Xor), a ^ b);
                assert_eq!(of(BvOp::Udiv), a.checked_div(b).unwrap_or(255));
                assert_eq!(of(BvOp::Urem), a.checked_rem(b).unwrap_or(a));
                let by_zero = if sa < 0 { 1 } else { 255 };
                assert_eq!(of(BvOp::Sdiv), if b == 0 { by_zero } else { sa.wrapping_div(sb) as u8 });
                assert_eq!(of(BvOp::Srem), if b == 0 { a } else { sa.wrapping_rem(sb) as u8 });
                assert_eq!(of(BvOp::Shl), a.checked_shl(b.into()).unwrap_or(0));
                assert_eq!(of(BvOp::Lshr), a.checked_shr(b.into()).unwrap_or(0));
                assert_eq!(of(BvOp::Ashr), (sa >> b.min(7)) as u8);
                assert_eq!(slt(8, a.into(), b.into()), sa < sb);
            }
        }
    }

    #[test]
    fn the_widest_and_the_narrowest() {
        let min = min_signed(128);
        assert_eq!(binary(BvOp::Sdiv, 128, min, u128::MAX), min);
        assert_eq!(binary(BvOp::Srem, 128, min, u128::MAX), 0);
        assert_eq!(binary(BvOp::Ashr, 128, min, 1000), u128::MAX);
        assert_eq!(binary(BvOp::Shl, 128, 1, 127), min);
        assert_eq!(binary(BvOp::Sdiv, 1, 1, 1), 1);
        assert_eq!((mask(1), max_signed(1), min_signed(1), signed(1, 1)), (1, 0, 1, -1));
        assert_eq!(sign_extend(1, 128, 1), u128::MAX);
        for odd in (1..100_000u128).step_by(2) {
            assert_eq!(inverse_of_odd(128, odd).wrapping_mul(odd), 1);
            assert_eq!(inverse_of_odd(9, odd & 511).wrapping_mul(odd) & 511, 1);
        }
    }
}
