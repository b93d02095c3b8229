//! Circuits against the machine's arithmetic: small widths completely, large ones at random.

use super::*;
use crate::answer::Answer;
use crate::divider::Dividers;
use crate::limits::Limits;
use crate::lit::Cnf;
use crate::sat::Sat;
use crate::testing::Rng;

fn mask(width: usize) -> u128 {
    u128::MAX >> (128 - width)
}

fn signed(value: u128, width: usize) -> i128 {
    (value << (128 - width)) as i128 >> (128 - width)
}

/// What the operations mean, in the order of `build`. Predicates are vectors of one bit.
fn reference(a: u128, b: u128, width: usize) -> Vec<u128> {
    let all = mask(width);
    let (sa, sb) = (signed(a, width), signed(b, width));
    let count = b.min(128) as u32;
    let shift = |value: Option<u128>| if b >= width as u128 { 0 } else { value.unwrap_or(0) };
    let ashr = sa >> count.min(127);
    let (sdiv, srem) = match sb {
        0 => (if sa < 0 { 1 } else { -1 }, sa),
        sb => (sa.wrapping_div(sb), sa.wrapping_rem(sb)),
    };
    [
        a.wrapping_add(b),
        a.wrapping_sub(b),
        a.wrapping_neg(),
        a.wrapping_mul(b),
        a.checked_div(b).unwrap_or(u128::MAX),
        a.checked_rem(b).unwrap_or(a),
        sdiv as u128,
        srem as u128,
        shift(a.checked_shl(count)),
        shift(a.checked_shr(count)),
        ashr as u128,
        a & b,
        a | b,
        a ^ b,
        !a,
        u128::from(a == b),
        u128::from(a < b),
        u128::from(sa < sb),
        if b & 1 == 1 { a } else { b },
    ]
    .map(|value| value & all)
    .to_vec()
}

fn build<S: Clauses>(gates: &mut Gates<S>, a: &[Lit], b: &[Lit]) -> Vec<Bits> {
    let mut dividers = Dividers::default();
    let (quotient, rest) = dividers.divide(gates, a, b);
    let (signed_quotient, signed_rest) = dividers.divide_signed(gates, a, b);
    vec![
        gates.add(a, b),
        gates.sub(a, b),
        gates.neg(a),
        gates.multiply(a, b),
        quotient,
        rest,
        signed_quotient,
        signed_rest,
        gates.shift(Shift::Left, a, b),
        gates.shift(Shift::LogicalRight, a, b),
        gates.shift(Shift::ArithmeticRight, a, b),
        gates.and_bits(a, b),
        gates.or_bits(a, b),
        gates.xor_bits(a, b),
        gates.not_bits(a),
        vec![gates.equal(a, b)],
        vec![gates.less(a, b)],
        vec![gates.signed_less(a, b)],
        gates.mux_bits(b[0], a, b),
    ]
}

/// All operations on two inputs, and a literal that says whether every result is as expected.
struct Bench {
    gates: Gates<Sat>,
    a: Bits,
    b: Bits,
    expected: Vec<Bits>,
    right: Lit,
}

impl Bench {
    fn new(width: usize) -> Bench {
        let mut gates = Gates::new(Sat::new());
        let (a, b) = (gates.new_inputs(width), gates.new_inputs(width));
        let results = build(&mut gates, &a, &b);
        let expected: Vec<Bits> = results.iter().map(|r| gates.new_inputs(r.len())).collect();
        let pairs: Vec<Lit> = results.iter().zip(&expected).map(|(r, e)| gates.equal(r, e)).collect();
        let right = gates.and_all(&pairs);
        Bench { gates, a, b, expected, right }
    }

    /// With the operands fixed, the results are possible, and nothing else is.
    fn check(&mut self, a: u128, b: u128) {
        let width = self.a.len();
        let fix = |bits: &[Lit], value: u128| -> Vec<Lit> {
            bits.iter().enumerate().map(|(at, bit)| bit.negate_if(value >> at & 1 == 0)).collect()
        };
        let mut assumptions = [fix(&self.a, a), fix(&self.b, b)].concat();
        for (bits, value) in self.expected.iter().zip(reference(a, b, width)) {
            assumptions.extend(fix(bits, value));
        }
        let sat = self.gates.sink_mut();
        assumptions.push(self.right);
        assert_eq!(sat.solve(&assumptions, &Limits::default()), Ok(Answer::Sat), "{a} {b} width {width}");
        assumptions.pop();
        assumptions.push(!self.right);
        assert_eq!(sat.solve(&assumptions, &Limits::default()), Ok(Answer::Unsat), "{a} {b} width {width}");
    }
}

/// Numbers near the places where something changes, or any.
fn interesting(rng: &mut Rng, width: usize) -> u128 {
    let near = rng.below(3) as u128;
    let shorter = 1 + rng.below(width);
    let value = match rng.below(6) {
        0 => near,
        1 => near.wrapping_sub(2),
        2 => (1u128 << rng.below(width)).wrapping_add(near).wrapping_sub(1),
        3 => width as u128 + near - 1,
        4 => rng.bits(shorter),
        _ => rng.bits(width),
    };
    value & mask(width)
}

#[test]
fn small_widths_completely() {
    for width in 1..=4 {
        let mut bench = Bench::new(width);
        for a in 0..1 << width {
            for b in 0..1 << width {
                bench.check(a, b);
            }
        }
    }
}

#[test]
#[ignore = "a minute"]
fn medium_widths_completely() {
    for width in 5..=8 {
        let mut bench = Bench::new(width);
        for a in 0..1 << width {
            for b in 0..1 << width {
                bench.check(a, b);
            }
        }
    }
}

#[test]
fn large_widths_at_random() {
    let mut rng = Rng::new(5);
    for width in [5, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33] {
        let mut bench = Bench::new(width);
        for _ in 0..(400 / width) {
            bench.check(interesting(&mut rng, width), interesting(&mut rng, width));
        }
    }
}

#[test]
fn the_largest_widths() {
    let mut rng = Rng::new(6);
    for width in [64, 127, 128] {
        let mut bench = Bench::new(width);
        for _ in 0..3 {
            bench.check(interesting(&mut rng, width), interesting(&mut rng, width));
        }
    }
}

/// Constant operands fold to constants, whatever the width.
#[test]
fn constants_fold() {
    let mut rng = Rng::new(8);
    for round in 0..4000 {
        let width = 1 + round % 128;
        let (a, b) = (interesting(&mut rng, width), interesting(&mut rng, width));
        let mut gates = Gates::new(Cnf::new());
        let (left, right) = (gates.number(a, width), gates.number(b, width));
        let results = build(&mut gates, &left, &right);
        let values: Vec<Option<u128>> = results.iter().map(|r| gates.as_number(r)).collect();
        let expected: Vec<u128> = reference(a, b, width);
        let masked = expected.iter().zip(&results).map(|(value, r)| Some(value & mask(r.len())));
        assert_eq!(values, masked.collect::<Vec<_>>(), "{a} {b} width {width}");
        assert_eq!(gates.sink().variables(), 1);
    }
}

/// One constant operand: the circuits that take a short cut there.
#[test]
fn one_constant_operand() {
    let mut rng = Rng::new(9);
    for round in 0..400 {
        let width = 1 + round % 20;
        let mut gates = Gates::new(Sat::new());
        let a = gates.new_inputs(width);
        let constant = interesting(&mut rng, width);
        let b = gates.number(constant, width);
        let results = build(&mut gates, &a, &b);
        let flipped = gates.multiply(&b, &a);
        assert_eq!(flipped, results[3]);
        for _ in 0..3 {
            let value = interesting(&mut rng, width);
            let fixed: Vec<Lit> =
                a.iter().enumerate().map(|(at, bit)| bit.negate_if(value >> at & 1 == 0)).collect();
            assert_eq!(gates.sink_mut().solve(&fixed, &Limits::default()), Ok(Answer::Sat));
            for (result, expected) in results.iter().zip(reference(value, constant, width)) {
                let read =
                    result.iter().rev().fold(0, |n, bit| n << 1 | u128::from(gates.sink().value(*bit)));
                assert_eq!(read, expected & mask(result.len()), "{value} {constant} width {width}");
            }
        }
    }
}

#[test]
fn signed_digits_are_sparse_and_right() {
    let mut rng = Rng::new(10);
    for round in 0..3000 {
        let width = 1 + round % 128;
        let number = interesting(&mut rng, width);
        let digits = signed_digits(number, width);
        let sum = digits.iter().fold(0u128, |sum, (exponent, negative)| {
            let power = 1u128 << exponent;
            if *negative { sum.wrapping_sub(power) } else { sum.wrapping_add(power) }
        });
        assert_eq!(sum & mask(width), number);
        assert!(digits.windows(2).all(|pair| pair[1].0 > pair[0].0 + 1));
    }
}
