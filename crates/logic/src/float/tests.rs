//! Every operation, bit by bit, against the machine's arithmetic.
//!
//! Each circuit is built once over symbols and evaluated on many operands: all pairs of special values,
//! random bits, and operands chosen so that the interesting cases (near cancellation, ties, borders of
//! the range) are frequent.

use super::{Format, Rounding};
use crate::random::Rng;
use crate::*;
use std::hint::black_box;

/// A circuit over up to three float operands.
struct Circuit {
    terms: Terms,
    inputs: Vec<Term>,
    output: Term,
}

impl Circuit {
    fn new(widths: &[u32], build: impl FnOnce(&mut Terms, &[Term]) -> Term) -> Circuit {
        let mut terms = Terms::new();
        let inputs: Vec<Term> = widths.iter().map(|w| terms.fresh("x", Sort::bits(*w))).collect();
        let output = build(&mut terms, &inputs);
        Circuit { terms, inputs, output }
    }

    /// The value of the output.
    fn run(&self, operands: &[u128]) -> u128 {
        let mut assignment = Assignment::new();
        for (input, value) in self.inputs.iter().zip(operands) {
            assignment.set_term(&self.terms, *input, Value::bits(self.terms.width(*input), *value));
        }
        match evaluate(&self.terms, self.output, &assignment) {
            Ok(Value::Bool(value)) => value.into(),
            Ok(Value::Bits { bits, .. }) => bits,
            other => panic!("{other:?}"),
        }
    }
}

/// Encodings worth trying with everything.
fn specials(format: Format) -> Vec<u128> {
    let one = format.one();
    let unit = 1u128 << format.fraction;
    let infinity = format.infinity_bits();
    let positive = [
        0,
        1,
        2,
        3,
        unit - 1,
        unit,
        unit + 1,
        2 * unit,
        one - unit - 1,
        one - unit,
        one - unit + 1,
        one - 1,
        one,
        one + 1,
        one + unit / 2,
        one + unit,
        one + 2 * unit + unit / 4,
        one + u128::from(format.fraction - 1) * unit + 1,
        one + u128::from(format.fraction) * unit + 1,
        one + 31 * unit,
        one + 32 * unit - 1,
        one + 63 * unit,
        one + 63 * unit - 1,
        infinity - unit,
        infinity - 1,
        infinity,
        infinity + 1,
        infinity + unit / 2,
        infinity + unit / 2 + 5,
        infinity + unit / 2 - 1,
    ];
    positive.iter().flat_map(|p| [*p, *p | format.sign_mask()]).collect()
}

impl Format {
    fn one(self) -> u128 {
        (self.bias() as u128) << self.fraction
    }
}

/// A random encoding: uniform bits, or few significant ones, or an exponent near that of `near`.
fn random_float(rng: &mut Rng, format: Format, near: Option<u128>) -> u128 {
    let bits = rng.bits(128) & bits::mask(format.width());
    let fraction_mask = bits::mask(format.fraction);
    let sparse = match rng.below(4) {
        0 => bits & !fraction_mask | (1u128 << rng.below(format.fraction as usize)),
        1 => bits & !fraction_mask | (fraction_mask ^ 1u128 << rng.below(format.fraction as usize)),
        2 => bits & !(fraction_mask >> rng.below(format.fraction as usize)),
        _ => bits,
    };
    let Some(near) = near.filter(|_| rng.below(3) != 0) else { return sparse };
    let exponent = near >> format.fraction & bits::mask(format.exponent);
    let reach = 2 * format.fraction as usize + 8;
    let moved = exponent + rng.below(reach) as u128;
    let moved = moved.saturating_sub(reach as u128 / 2).min(bits::mask(format.exponent));
    let close = if rng.below(4) == 0 { near & fraction_mask } else { sparse & fraction_mask };
    sparse & format.sign_mask() | moved << format.fraction | close
}

fn compare(name: &str, circuit: &Circuit, operands: &[u128], expected: u128) {
    let found = circuit.run(operands);
    assert!(found == expected, "{name} of {operands:x?}: {found:#x}, the machine says {expected:#x}");
}

fn check_unary(name: &str, format: Format, cases: usize, circuit: &Circuit, machine: impl Fn(u128) -> u128) {
    for x in specials(format) {
        compare(name, circuit, &[x], machine(x));
    }
    let mut rng = Rng::new(1);
    // Around one the fractional places matter.
    for case in 0..cases {
        let near = (case % 2 == 0).then(|| format.one());
        let x = random_float(&mut rng, format, near);
        compare(name, circuit, &[x], machine(x));
    }
}

fn check_binary(
    name: &str,
    format: Format,
    cases: usize,
    circuit: &Circuit,
    machine: impl Fn(u128, u128) -> u128,
) {
    for x in specials(format) {
        for y in specials(format) {
            compare(name, circuit, &[x, y], machine(x, y));
        }
    }
    let mut rng = Rng::new(2);
    for _ in 0..cases {
        let x = random_float(&mut rng, format, None);
        let y = random_float(&mut rng, format, Some(x));
        compare(name, circuit, &[x, y], machine(x, y));
    }
}

/// All tests of one format, whose bits are those of `$float`.
macro_rules! tests_of_format {
    ($module:ident, $format:expr, $float:ident, $bits:ident, $other:ident, $other_format:expr) => {
        mod $module {
            use super::*;

            const FORMAT: Format = $format;
            const WIDTH: u32 = $bits::BITS;

            fn float(bits: u128) -> $float {
                black_box($float::from_bits(bits as $bits))
            }

            fn encode(value: $float) -> u128 {
                black_box(value).to_bits().into()
            }

            fn binary(build: impl FnOnce(Format, &mut Terms, Term, Term) -> Term) -> Circuit {
                Circuit::new(&[WIDTH, WIDTH], |terms, x| build(FORMAT, terms, x[0], x[1]))
            }

            fn unary(build: impl FnOnce(Format, &mut Terms, Term) -> Term) -> Circuit {
                Circuit::new(&[WIDTH], |terms, x| build(FORMAT, terms, x[0]))
            }

            pub fn arithmetic(cases: usize) {
                let check = |name, circuit: Circuit, machine: fn($float, $float) -> $float| {
                    check_binary(name, FORMAT, cases, &circuit, |x, y| encode(machine(float(x), float(y))));
                };
                check("add", binary(Format::add), |x, y| x + y);
                check("sub", binary(Format::sub), |x, y| x - y);
                check("mul", binary(Format::mul), |x, y| x * y);
                check("div", binary(Format::div), |x, y| x / y);
                let root = unary(Format::sqrt);
                check_unary("sqrt", FORMAT, cases, &root, |x| encode(float(x).sqrt()));
            }

            pub fn fused(cases: usize) {
                let circuit = Circuit::new(&[WIDTH; 3], |t, x| FORMAT.fma(t, x[0], x[1], x[2]));
                let check = |x, y, z| {
                    let machine = encode(float(x).mul_add(float(y), float(z)));
                    let found = circuit.run(&[x, y, z]);
                    // Which of several NaNs survives depends on the form of the instruction.
                    let nans = [x, y, z].iter().filter(|v| float(**v).is_nan()).count();
                    let both_nan = float(found).is_nan() && float(machine).is_nan();
                    let same = found == machine || (nans > 1 && both_nan);
                    assert!(same, "fma of {x:x} {y:x} {z:x}: {found:#x}, the machine says {machine:#x}");
                };
                let few: Vec<u128> = specials(FORMAT).into_iter().step_by(3).collect();
                for &x in &few {
                    for &y in &specials(FORMAT) {
                        few.iter().for_each(|z| check(x, y, *z));
                    }
                }
                let mut rng = Rng::new(3);
                for _ in 0..cases {
                    let x = random_float(&mut rng, FORMAT, None);
                    let y = random_float(&mut rng, FORMAT, None);
                    // An addend near the product, often its negation.
                    let product = encode(float(x) * float(y));
                    let z = match rng.below(3) {
                        0 => product ^ FORMAT.sign_mask() ^ rng.below(4) as u128,
                        _ => random_float(&mut rng, FORMAT, Some(product)),
                    };
                    check(x, y, z);
                }
            }

            /// The remainder of the nearest quotient, by way of truncating ones.
            fn remainder(x: $float, y: $float) -> $float {
                if x.is_nan() || y.is_nan() || x.is_infinite() || y == 0.0 {
                    return x % y;
                }
                let (size, divisor) = (x.abs(), y.abs());
                let rest = size % divisor;
                // If doubling overflows the quotient is below two, and this is right, too.
                let odd = size % (divisor * 2.0) >= divisor;
                let other = divisor - rest;
                let up = rest > other || (rest == other && odd);
                let nearest = if up { rest - divisor } else { rest };
                if x.is_sign_negative() { -nearest } else { nearest }
            }

            pub fn modulo(cases: usize) {
                let circuit = binary(Format::fmod);
                let nearest = binary(Format::remainder);
                let mut rng = Rng::new(4);
                let specials = specials(FORMAT);
                for case in 0..cases {
                    let (x, y) = match case % 3 {
                        0 => (*rng.pick(&specials), *rng.pick(&specials)),
                        1 => (random_float(&mut rng, FORMAT, None), random_float(&mut rng, FORMAT, None)),
                        _ => {
                            let y = random_float(&mut rng, FORMAT, None);
                            (random_float(&mut rng, FORMAT, Some(y)), y)
                        }
                    };
                    compare("fmod", &circuit, &[x, y], encode(float(x) % float(y)));
                    compare("remainder", &nearest, &[x, y], encode(remainder(float(x), float(y))));
                    // Ties: an odd multiple of half the divisor.
                    let tie = encode(float(y) * (rng.below(64) as $float + 0.5));
                    compare("remainder", &nearest, &[tie, y], encode(remainder(float(tie), float(y))));
                }
            }

            pub fn comparison(cases: usize) {
                let check = |name, circuit: Circuit, machine: fn($float, $float) -> bool| {
                    check_binary(name, FORMAT, cases, &circuit, |x, y| machine(float(x), float(y)).into());
                };
                check("eq", binary(Format::eq), |x, y| x == y);
                check("lt", binary(Format::lt), |x, y| x < y);
                check("le", binary(Format::le), |x, y| x <= y);
                check("unordered", binary(Format::unordered), |x, y| x.is_nan() || y.is_nan());
                let bits = |x: $float| u128::from(x.to_bits());
                let signed = binary(Format::with_sign_of);
                check_binary("copysign", FORMAT, cases, &signed, |x, y| bits(float(x).copysign(float(y))));
                let check = |name, circuit: Circuit, machine: fn($float) -> u128| {
                    check_unary(name, FORMAT, cases, &circuit, |x| machine(float(x)));
                };
                check("neg", unary(Format::neg), |x| (-x).to_bits().into());
                check("abs", unary(Format::abs), |x| x.abs().to_bits().into());
                check("is_nan", unary(Format::is_nan), |x| x.is_nan().into());
                check("is_infinite", unary(Format::is_infinite), |x| x.is_infinite().into());
                check("is_zero", unary(Format::is_zero), |x| (x == 0.0).into());
                check("signbit", unary(Format::is_sign_negative), |x| x.is_sign_negative().into());
            }

            pub fn integral(cases: usize) {
                for rounding in Rounding::ALL {
                    let circuit = unary(|f, t, x| f.round_to_integral(t, x, rounding));
                    check_unary(&format!("{rounding:?}"), FORMAT, cases, &circuit, |x| {
                        // The C library makes signalling NaNs quiet, Rust's functions do not all.
                        if float(x).is_nan() {
                            return x | FORMAT.quiet_bit();
                        }
                        let x = float(x);
                        encode(match rounding {
                            Rounding::Truncate => x.trunc(),
                            Rounding::Down => x.floor(),
                            Rounding::Up => x.ceil(),
                            Rounding::NearestEven => x.round_ties_even(),
                            Rounding::NearestAway => x.round(),
                        })
                    });
                }
            }

            pub fn formats(cases: usize) {
                let circuit = unary(|f, t, x| f.convert(t, x, $other_format));
                check_unary("convert", FORMAT, cases, &circuit, |x| {
                    black_box(float(x) as $other).to_bits().into()
                });
            }

            pub fn from_integers(cases: usize) {
                for width in [1, 2, 8, 16, 23, 24, 25, 26, 31, 32, 33, 53, 54, 55, 63, 64, 65, 100, 127, 128]
                {
                    let signed = Circuit::new(&[width], |t, x| FORMAT.of_signed(t, x[0]));
                    let unsigned = Circuit::new(&[width], |t, x| FORMAT.of_unsigned(t, x[0]));
                    let mut rng = Rng::new(width.into());
                    for _ in 0..cases / 10 {
                        // Ties need few bits.
                        let x = rng.value(width) & !(rng.value(width) >> rng.below(width as usize));
                        let x = if rng.below(2) == 0 { x } else { rng.value(width) };
                        let machine = encode(black_box(bits::signed(width, x)) as $float);
                        compare("of_signed", &signed, &[x], machine);
                        compare("of_unsigned", &unsigned, &[x], encode(black_box(x) as $float));
                    }
                }
            }

            pub fn to_integers(cases: usize) {
                for width in [1, 2, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128] {
                    for signed in [false, true] {
                        check_to_integer(width, signed, cases / 10);
                    }
                }
            }

            fn check_to_integer(width: u32, signed: bool, cases: usize) {
                let value = unary(|f, t, x| f.to_integer(t, x, width, signed).value);
                let outside = unary(|f, t, x| f.to_integer(t, x, width, signed).out_of_range);
                let mut rng = Rng::new(width.into());
                let border = (FORMAT.bias() as u128 + u128::from(width) - 1) << FORMAT.fraction;
                let mut operands = specials(FORMAT);
                let around = [border, border << 1 >> 1, border + (1 << FORMAT.fraction)];
                for middle in around {
                    for at in 0..5 {
                        operands.push(middle + at - 2);
                        operands.push(middle + at - 2 | FORMAT.sign_mask());
                    }
                }
                operands.extend((0..cases).map(|_| random_float(&mut rng, FORMAT, Some(border))));
                operands.extend((0..cases).map(|_| random_float(&mut rng, FORMAT, None)));
                for x in operands {
                    let expected = exact_integer(float(x).trunc(), width, signed);
                    compare("out_of_range", &outside, &[x], expected.is_none().into());
                    if let Some(expected) = expected {
                        compare("to_integer", &value, &[x], expected);
                    }
                }
            }

            /// Rust's conversions saturate, so a value that comes back unchanged was in range.
            fn exact_integer(x: $float, width: u32, signed: bool) -> Option<u128> {
                if signed {
                    let value = x as i128;
                    let fits = bits::signed(width, value as u128 & bits::mask(width)) == value;
                    // The largest `i128` is no float; its rounded value is one too large.
                    let exact = value as $float == x && value != i128::MAX;
                    (fits && exact).then_some(value as u128 & bits::mask(width))
                } else {
                    let value = x as u128;
                    let exact = value as $float == x && value != u128::MAX;
                    (value <= bits::mask(width) && exact).then_some(value)
                }
            }

            #[test]
            fn arithmetic_is_the_machines() {
                arithmetic(2000);
            }

            #[test]
            fn fused_multiply_add_is_the_machines() {
                fused(3000);
            }

            #[test]
            fn remainder_is_the_machines() {
                modulo(if WIDTH == 32 { 2000 } else { 300 });
            }

            #[test]
            fn comparison_is_the_machines() {
                comparison(500);
            }

            #[test]
            fn integral_values_are_the_machines() {
                integral(1500);
            }

            #[test]
            fn conversions_are_the_machines() {
                formats(4000);
                from_integers(2000);
                to_integers(500);
            }

            #[test]
            #[ignore = "long: millions of cases"]
            fn long() {
                arithmetic(400_000);
                fused(400_000);
                modulo(20_000);
                comparison(100_000);
                integral(100_000);
                formats(500_000);
                from_integers(500_000);
                to_integers(50_000);
            }
        }
    };
}

tests_of_format!(binary32, Format::BINARY32, f32, u32, f64, Format::BINARY64);
tests_of_format!(binary64, Format::BINARY64, f64, u64, f32, Format::BINARY32);

/// The rules of `to_integer_x86`, written with the machine's conversions.
#[test]
fn conversions_out_of_range_are_those_of_sse() {
    fn to_i64(x: f64) -> i64 {
        if (-(2f64.powi(63))..2f64.powi(63)).contains(&x) { x as i64 } else { i64::MIN }
    }
    fn to_i32(x: f64) -> i32 {
        if x > -2_147_483_649.0 && x < 2_147_483_648.0 { x as i32 } else { i32::MIN }
    }
    fn machine(x: f64, width: u32, signed: bool) -> u128 {
        let half = 2f64.powi(63);
        let wide = match (signed, width) {
            (true, ..=32) | (false, ..=16) => to_i32(x) as u128,
            (true, ..=64) | (false, ..=32) => to_i64(x) as u128,
            (false, ..=64) if x >= half => u128::from(to_i64(x - half) as u64 ^ 1 << 63),
            (false, ..=64) => to_i64(x) as u128,
            (false, _) if x > -1.0 => x as u128,
            (_, _) => x as i128 as u128,
        };
        wide & bits::mask(width)
    }
    let mut rng = Rng::new(5);
    for (format, narrow) in [(Format::BINARY64, false), (Format::BINARY32, true)] {
        for width in [1, 8, 16, 32, 64, 128] {
            for signed in [false, true] {
                let circuit =
                    Circuit::new(&[format.width()], |t, x| format.to_integer_x86(t, x[0], width, signed));
                let near = (format.bias() as u128 + u128::from(width)) << format.fraction;
                let random: Vec<u128> =
                    (0..300).map(|_| random_float(&mut rng, format, Some(near))).collect();
                for x in specials(format).into_iter().chain(random) {
                    let value =
                        if narrow { f32::from_bits(x as u32).into() } else { f64::from_bits(x as u64) };
                    compare("to_integer_x86", &circuit, &[x], machine(value, width, signed));
                }
            }
        }
    }
}

#[test]
fn constants_fold() {
    let mut terms = Terms::new();
    let format = Format::BINARY64;
    let [a, b] = [1.1f64, 2.2].map(|x| terms.bits(64, x.to_bits().into()));
    let sum = format.add(&mut terms, a, b);
    assert_eq!(terms.as_bits(sum), Some((1.1f64 + 2.2).to_bits().into()));
    let quotient = format.div(&mut terms, a, b);
    assert_eq!(terms.as_bits(quotient), Some((1.1f64 / 2.2).to_bits().into()));
    let root = format.sqrt(&mut terms, b);
    assert_eq!(terms.as_bits(root), Some(2.2f64.sqrt().to_bits().into()));
    let rest = format.fmod(&mut terms, b, a);
    assert_eq!(terms.as_bits(rest), Some((2.2f64 % 1.1).to_bits().into()));
}
