//! Floating point exactly as gcc's code on x86-64 computes it with SSE.
//!
//! The IEEE operations are the host's. Conversions to integers that are out of range give what
//! `cvttsd2si` gives, by way of the register width gcc uses for each type. `remainder`, `nextafter`,
//! `fmin`, `fmax` and the inverse hyperbolic functions are computed here; the other mathematical
//! functions are the host library's (`cbrt` may differ from the C library's in the last digit).

use crate::arith::signed;
use crate::value::{Value, mask};
use braid_ir::{BinOp, CmpOp, MathFn, Ty, UnOp};

pub fn binary(op: BinOp, ty: Ty, a: Value, b: Value) -> Value {
    macro_rules! compute {
        ($a:expr, $b:expr, $wrap:path) => {
            $wrap(match op {
                BinOp::FAdd => $a + $b,
                BinOp::FSub => $a - $b,
                BinOp::FMul => $a * $b,
                BinOp::FDiv => $a / $b,
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
            })
        };
    }
    match ty {
        Ty::F32 => compute!(a.as_f32(), b.as_f32(), Value::f32),
        Ty::F64 | Ty::Int(_) | Ty::Ptr => compute!(a.as_f64(), b.as_f64(), Value::f64),
    }
}

/// Negation and absolute value only touch the sign bit, also of a NaN.
pub fn unary(op: UnOp, ty: Ty, a: Value) -> Value {
    let sign = if ty == Ty::F32 { 1u128 << 31 } else { 1u128 << 63 };
    match op {
        UnOp::FNeg => Value::plain(a.bits ^ sign),
        UnOp::FAbs => Value::plain(a.bits & !sign),
        UnOp::Not | UnOp::Neg | UnOp::Popcount | UnOp::Clz | UnOp::Ctz | UnOp::Bswap => {
            unreachable!("verified: integer operations do not work on floats")
        }
    }
}

pub fn compare(op: CmpOp, ty: Ty, a: Value, b: Value) -> bool {
    // Widening is exact, so one comparison serves both types.
    let (a, b) = (widened(ty, a), widened(ty, b));
    match op {
        CmpOp::FEq => a == b,
        CmpOp::FNe => a != b,
        CmpOp::FLt => a < b,
        CmpOp::FLe => a <= b,
        CmpOp::Eq | CmpOp::Ne | CmpOp::Slt | CmpOp::Sle | CmpOp::Ult | CmpOp::Ule => {
            unreachable!("verified: integer comparisons do not work on floats")
        }
    }
}

fn widened(ty: Ty, value: Value) -> f64 {
    if ty == Ty::F32 { f64::from(value.as_f32()) } else { value.as_f64() }
}

pub fn float_to_float(to: Ty, a: Value) -> Value {
    if to == Ty::F64 { Value::f64(f64::from(a.as_f32())) } else { Value::f32(a.as_f64() as f32) }
}

/// `cvttsd2si` to 64 bits: truncation, or the "integer indefinite" pattern.
fn to_i64(x: f64) -> i64 {
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&x) { x as i64 } else { i64::MIN }
}

fn to_i32(x: f64) -> i32 {
    if x > -2_147_483_649.0 && x < 2_147_483_648.0 { x as i32 } else { i32::MIN }
}

pub fn to_sint(from: Ty, width: u8, a: Value) -> Value {
    let x = widened(from, a);
    let bits = match width {
        0..=32 => to_i32(x) as u128,
        33..=64 => to_i64(x) as u128,
        65.. => (x as i128) as u128,
    };
    Value::plain(bits & mask(width))
}

pub fn to_uint(from: Ty, width: u8, a: Value) -> Value {
    const HALF: f64 = 9_223_372_036_854_775_808.0;
    let x = widened(from, a);
    let bits = match width {
        // gcc converts to `int` for the types that promote to it, and to 64 bits for 32-bit ones.
        0..=16 => to_i32(x) as u128,
        17..=32 => to_i64(x) as u128,
        33..=64 if x >= HALF => u128::from(to_i64(x - HALF) as u64 ^ 1 << 63),
        33..=64 => to_i64(x) as u128,
        65.. if x > -1.0 => x as u128,
        65.. => (x as i128) as u128,
    };
    Value::plain(bits & mask(width))
}

pub fn from_sint(width: u8, to: Ty, a: Value) -> Value {
    let x = signed(width, a.bits);
    if to == Ty::F32 { Value::f32(x as f32) } else { Value::f64(x as f64) }
}

pub fn from_uint(to: Ty, a: Value) -> Value {
    if to == Ty::F32 { Value::f32(a.bits as f32) } else { Value::f64(a.bits as f64) }
}

pub fn math(f: MathFn, ty: Ty, a: Value, b: Value) -> Value {
    if ty == Ty::F32 {
        Value::f32(math_f32(f, a.as_f32(), b.as_f32()))
    } else {
        Value::f64(math_f64(f, a.as_f64(), b.as_f64()))
    }
}

macro_rules! math_functions {
    (
        $name:ident,
        $remainder:ident,
        $nextafter:ident,
        $asinh:ident,
        $acosh:ident,
        $atanh:ident,
        $float:ident,
        $bits:ident
    ) => {
        fn $name(f: MathFn, x: $float, y: $float) -> $float {
            match f {
                MathFn::Sqrt => x.sqrt(),
                // The C library's quieten a signalling NaN, Rust's do not.
                MathFn::Floor | MathFn::Ceil | MathFn::Trunc | MathFn::Round | MathFn::Rint if x.is_nan() => {
                    x + x
                }
                MathFn::Floor => x.floor(),
                MathFn::Ceil => x.ceil(),
                MathFn::Trunc => x.trunc(),
                MathFn::Round => x.round(),
                MathFn::Rint => x.round_ties_even(),
                MathFn::Fmod => x % y,
                MathFn::Remainder => $remainder(x, y),
                // As `minsd` and `maxsd`: the second operand if both are zero.
                MathFn::Fmin if y.is_nan() || x < y => x,
                MathFn::Fmax if y.is_nan() || x > y => x,
                MathFn::Fmin | MathFn::Fmax => y,
                MathFn::Copysign => x.copysign(y),
                MathFn::Nextafter => $nextafter(x, y),
                MathFn::Sin => x.sin(),
                MathFn::Cos => x.cos(),
                MathFn::Tan => x.tan(),
                MathFn::Asin => x.asin(),
                MathFn::Acos => x.acos(),
                MathFn::Atan => x.atan(),
                MathFn::Atan2 => x.atan2(y),
                MathFn::Sinh => x.sinh(),
                MathFn::Cosh => x.cosh(),
                MathFn::Tanh => x.tanh(),
                MathFn::Asinh => $asinh(x.abs()).copysign(x),
                MathFn::Acosh => $acosh(x),
                MathFn::Atanh => $atanh(x),
                MathFn::Exp => x.exp(),
                MathFn::Exp2 => x.exp2(),
                MathFn::Expm1 => x.exp_m1(),
                MathFn::Log => x.ln(),
                MathFn::Log2 => x.log2(),
                MathFn::Log10 => x.log10(),
                MathFn::Log1p => x.ln_1p(),
                MathFn::Pow => x.powf(y),
                MathFn::Cbrt => x.cbrt(),
                MathFn::Hypot => x.hypot(y),
            }
        }

        /// `x - n * y` for the integer `n` nearest to `x / y`, the even one of two. Exact: the
        /// remainder of truncating division is exact, and so is the one subtraction that may follow,
        /// because its operands are within a factor of two.
        fn $remainder(x: $float, y: $float) -> $float {
            if x.is_nan() || y.is_nan() {
                return x + y;
            }
            if x.is_infinite() || y == 0.0 {
                return (x * y) / (x * y);
            }
            let (size, divisor) = (x.abs(), y.abs());
            let rest = size % divisor;
            // If doubling overflows, the remainder is `size` itself, which is below twice `divisor`.
            let odd_quotient = size % (divisor * 2.0) >= divisor;
            let other = divisor - rest;
            let nearest = if rest > other || (rest == other && odd_quotient) { rest - divisor } else { rest };
            if x.is_sign_negative() { -nearest } else { nearest }
        }

        /// The inverse hyperbolic functions by the usual formulas, which lose no digits near zero and
        /// do not overflow; the host language has its own, which differ from the C library's.
        fn $asinh(x: $float) -> $float {
            let square = x * x;
            if x > (1 << 28) as $float {
                x.ln() + std::$float::consts::LN_2
            } else if x > 2.0 {
                (2.0 * x + 1.0 / ((square + 1.0).sqrt() + x)).ln()
            } else {
                (x + square / (1.0 + (1.0 + square).sqrt())).ln_1p()
            }
        }

        fn $acosh(x: $float) -> $float {
            let above = x - 1.0;
            if x < 1.0 {
                // The sign of the NaN is the processor's.
                (x - x) / (x - x)
            } else if x > (1 << 28) as $float {
                x.ln() + std::$float::consts::LN_2
            } else if x > 2.0 {
                (2.0 * x - 1.0 / (x + (x * x - 1.0).sqrt())).ln()
            } else {
                (above + (2.0 * above + above * above).sqrt()).ln_1p()
            }
        }

        fn $atanh(x: $float) -> $float {
            let size = x.abs();
            if size > 1.0 {
                return (x - x) / (x - x);
            }
            let (twice, rest) = (size + size, 1.0 - size);
            let quotient = if size < 0.5 { twice + twice * size / rest } else { twice / rest };
            (0.5 * quotient.ln_1p()).copysign(x)
        }

        /// The next representable value after `x` in the direction of `y`.
        fn $nextafter(x: $float, y: $float) -> $float {
            if x.is_nan() || y.is_nan() {
                return x + y;
            }
            if x == y {
                return y;
            }
            if x == 0.0 {
                return $float::from_bits(1).copysign(y);
            }
            let away_from_zero = (x < y) == (x > 0.0);
            let step: $bits = if away_from_zero { 1 } else { $bits::MAX };
            $float::from_bits(x.to_bits().wrapping_add(step))
        }
    };
}

math_functions!(math_f64, remainder_f64, nextafter_f64, asinh_f64, acosh_f64, atanh_f64, f64, u64);
math_functions!(math_f32, remainder_f32, nextafter_f32, asinh_f32, acosh_f32, atanh_f32, f32, u32);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_out_of_range_are_those_of_sse() {
        let sint = |width, x| signed(width, to_sint(Ty::F64, width, Value::f64(x)).bits);
        let uint = |width, x| to_uint(Ty::F64, width, Value::f64(x)).bits;
        assert_eq!(sint(32, -1.9), -1);
        assert_eq!(sint(32, 3e9), i128::from(i32::MIN));
        assert_eq!(sint(32, f64::NAN), i128::from(i32::MIN));
        assert_eq!(sint(32, -2147483648.9), i128::from(i32::MIN));
        assert_eq!(sint(8, 300.0), 44);
        assert_eq!(sint(8, 1e10), 0);
        assert_eq!(sint(64, 1e30), i128::from(i64::MIN));
        assert_eq!(sint(128, -1e30), -1_000_000_000_000_000_019_884_624_838_656);
        assert_eq!(uint(8, -1.0), 255);
        assert_eq!(uint(32, -1.0), 0xffff_ffff);
        assert_eq!(uint(32, 5e9), 5_000_000_000 & 0xffff_ffff);
        assert_eq!(uint(32, 1e30), 0);
        assert_eq!(uint(64, 1.844674407370955e19), 0xffff_ffff_ffff_f800);
        assert_eq!(uint(64, 1e30), 0);
        assert_eq!(uint(64, -1.0), u128::from(u64::MAX));
        assert_eq!(uint(64, f64::NAN), 1 << 63);
        assert_eq!(uint(128, 1e30), 1_000_000_000_000_000_019_884_624_838_656);
        assert_eq!(from_sint(8, Ty::F64, Value::plain(0x80)).as_f64(), -128.0);
        assert_eq!(from_uint(Ty::F32, Value::plain(u128::from(u64::MAX))).as_f32(), 18446744073709551616.0);
    }

    #[test]
    fn exact_functions() {
        let f = |f, x: f64, y: f64| math(f, Ty::F64, Value::f64(x), Value::f64(y)).as_f64();
        assert_eq!(f(MathFn::Remainder, 5.0, 3.0), -1.0);
        assert_eq!(f(MathFn::Remainder, 5.0, 2.0), 1.0);
        assert_eq!(f(MathFn::Remainder, 7.0, 2.0), -1.0);
        assert_eq!(f(MathFn::Remainder, -5.0, 2.0), -1.0);
        assert_eq!(f(MathFn::Remainder, 1.0, f64::INFINITY), 1.0);
        assert_eq!(f(MathFn::Remainder, f64::MAX, 1.5e308), f64::MAX - 1.5e308);
        assert_eq!(f(MathFn::Remainder, 5e-324, 1e-323), 5e-324);
        assert!(f(MathFn::Remainder, 1.0, 0.0).is_nan() && f(MathFn::Remainder, f64::INFINITY, 1.0).is_nan());
        assert_eq!(f(MathFn::Remainder, -4.0, 2.0).to_bits(), (-0.0f64).to_bits());
        assert_eq!(f(MathFn::Nextafter, 1.0, 2.0), 1.0 + f64::EPSILON);
        assert_eq!(f(MathFn::Nextafter, -1.0, 0.0), -1.0 + f64::EPSILON / 2.0);
        assert_eq!(f(MathFn::Nextafter, 0.0, -1.0), -5e-324);
        assert_eq!(f(MathFn::Nextafter, f64::MAX, f64::INFINITY), f64::INFINITY);
        assert_eq!((f(MathFn::Rint, 2.5, 0.0), f(MathFn::Round, 2.5, 0.0)), (2.0, 3.0));
        let signalling = f64::from_bits(0x7ff0_0000_0000_0001);
        assert_eq!(f(MathFn::Floor, signalling, 0.0).to_bits(), 0x7ff8_0000_0000_0001);
        assert_eq!(f(MathFn::Fmin, f64::NAN, 2.0), 2.0);
        assert_eq!(f(MathFn::Fmax, 2.0, f64::NAN), 2.0);
        assert_eq!(f(MathFn::Fmod, -7.5, 2.0), -1.5);
        assert!((f(MathFn::Asinh, -3.0, 0.0) + 1.8184464592320668).abs() < 1e-15);
        assert!((f(MathFn::Acosh, 1.5, 0.0) - 0.9624236501192069).abs() < 1e-15);
        assert!((f(MathFn::Atanh, -0.75, 0.0) + 0.9729550745276566).abs() < 1e-15);
        assert_eq!(
            (f(MathFn::Atanh, 1.0, 0.0), f(MathFn::Asinh, f64::INFINITY, 0.0)),
            (f64::INFINITY, f64::INFINITY)
        );
        assert!(f(MathFn::Acosh, 0.5, 0.0).is_nan() && f(MathFn::Atanh, 2.0, 0.0).is_nan());
        let g = |f, x: f32, y: f32| math(f, Ty::F32, Value::f32(x), Value::f32(y)).as_f32();
        assert_eq!(g(MathFn::Nextafter, 1.0, 0.0), 1.0 - f32::EPSILON / 2.0);
        assert_eq!(g(MathFn::Sqrt, 2.0, 0.0), 2.0f32.sqrt());
    }

    /// The remainder against exact integer arithmetic: `x = a`, `y = b` for integers that floats hold.
    #[test]
    fn remainder_of_integers() {
        for a in -60i64..60 {
            for b in (-9i64..10).filter(|b| *b != 0) {
                let exact = (-70..=70).map(|n| a - n * b).min_by_key(|r| {
                    let n = (a - r) / b;
                    (r.abs(), n % 2 != 0)
                });
                assert_eq!(remainder_f64(a as f64, b as f64), exact.unwrap() as f64, "{a} {b}");
            }
        }
    }
}
