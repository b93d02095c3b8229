//! Division of bit-vectors.
//!
//! Long division with restoring: for each bit of the dividend, from the highest, the rest is shifted, compared with the
//! divisor, and reduced if it fits. The rest has never more bits than have been shifted in, nor more than the divisor has; so
//! small and constant divisors are cheap. Division by zero comes out as SMT-LIB wants it: everything fits, so the
//! quotient is all ones; the rest is the dividend.
//!
//! The alternative, free vectors constrained by `a = q * b + r`, is somewhat smaller, but it has to search even
//! when both operands are known: measured, fixed operands of 128 bits took a minute and not milliseconds.
//!
//! Equal divisions are shared, so quotient and remainder of the same operands cost one divider.

use crate::circuits::Bits;
use crate::gates::Gates;
use crate::lit::{Clauses, Lit};
use braid_base::HashMap;

/// Dividers made so far: operands to quotient and remainder.
#[derive(Default)]
pub struct Dividers {
    known: HashMap<(Bits, Bits), (Bits, Bits)>,
}

impl Dividers {
    /// Unsigned quotient and remainder.
    pub fn divide<S: Clauses>(&mut self, gates: &mut Gates<S>, a: &[Lit], b: &[Lit]) -> (Bits, Bits) {
        if let (Some(dividend), Some(divisor)) = (gates.as_number(a), gates.as_number(b)) {
            let quotient = dividend.checked_div(divisor).unwrap_or(u128::MAX);
            let rest = dividend.checked_rem(divisor).unwrap_or(dividend);
            return (gates.number(quotient, a.len()), gates.number(rest, a.len()));
        }
        let key = (a.to_vec(), b.to_vec());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let result = long_division(gates, a, b);
        self.known.insert(key, result.clone());
        result
    }

    /// Signed quotient, rounded towards zero, and remainder, which has the dividend's sign.
    pub fn divide_signed<S: Clauses>(&mut self, gates: &mut Gates<S>, a: &[Lit], b: &[Lit]) -> (Bits, Bits) {
        let zero = gates.constant(false);
        let (sign_a, sign_b) = (a.last().copied().unwrap_or(zero), b.last().copied().unwrap_or(zero));
        let (size_a, size_b) = (negate_if(gates, sign_a, a), negate_if(gates, sign_b, b));
        let (quotient, rest) = self.divide(gates, &size_a, &size_b);
        let differ = gates.xor(sign_a, sign_b);
        (negate_if(gates, differ, &quotient), negate_if(gates, sign_a, &rest))
    }
}

/// Long division, from the highest bit down.
fn long_division<S: Clauses>(gates: &mut Gates<S>, a: &[Lit], b: &[Lit]) -> (Bits, Bits) {
    let (width, zero) = (a.len(), gates.constant(false));
    // A rest below the divisor needs no more bits than the divisor has.
    let size = width - b.iter().rev().take_while(|bit| **bit == zero).count();
    let beyond = some_bit_from(gates, &b[..size]);
    let mut rest: Bits = Vec::with_capacity(size + 1);
    let mut quotient = vec![zero; width];
    for place in (0..width).rev() {
        rest.insert(0, a[place]);
        let length = rest.len().min(size);
        let mut divisor = b[..length].to_vec();
        divisor.resize(rest.len(), zero);
        let (difference, not_below) = gates.sub_with_borrow(&rest, &divisor);
        // Bits of the divisor above the rest make it larger.
        let fits = gates.and(not_below, !beyond[length]);
        quotient[place] = fits;
        rest = gates.mux_bits(fits, &difference, &rest);
        rest.truncate(size);
    }
    rest.resize(width, zero);
    // By zero everything fits, and the rest was cut.
    let rest = gates.mux_bits(beyond[0], &rest, a);
    (quotient, rest)
}

/// For each position, whether a bit from there on is set.
fn some_bit_from<S: Clauses>(gates: &mut Gates<S>, bits: &[Lit]) -> Vec<Lit> {
    let mut found = vec![gates.constant(false)];
    for bit in bits.iter().rev() {
        let above = found[found.len() - 1];
        found.push(gates.or(above, *bit));
    }
    found.reverse();
    found
}

/// `-a` if the condition holds, else `a`: flip all bits and add the condition.
fn negate_if<S: Clauses>(gates: &mut Gates<S>, condition: Lit, a: &[Lit]) -> Bits {
    let flipped: Bits = a.iter().map(|bit| gates.xor(*bit, condition)).collect();
    let zero = gates.number(0, a.len());
    gates.add_with_carry(&flipped, &zero, condition).0
}

#[cfg(test)]
mod measure {
    use super::*;
    use crate::limits::Limits;
    use crate::sat::Sat;
    use std::time::Instant;

    fn run(name: &str, build: impl FnOnce(&mut Gates<Sat>) -> Lit) {
        let mut gates = Gates::new(Sat::new());
        let goal = build(&mut gates);
        let start = Instant::now();
        let limits = Limits { conflicts: Some(2_000_000), deadline: Some(start + std::time::Duration::from_secs(40)), ..Limits::default() };
        let answer = gates.sink_mut().solve(&[goal], &limits);
        let s = gates.sink().statistics();
        println!("{name}: {answer:?} {:.2} s, {} vars {} clauses {} conflicts", start.elapsed().as_secs_f64(), s.variables, s.clauses, s.conflicts);
    }

    #[test]
    #[ignore]
    fn measure() {
        for w in [0usize; 0] {
            run(&format!("mul comm {w}"), |g| {
                let (a, b) = (g.new_inputs(w), g.new_inputs(w));
                let (x, y) = (g.multiply(&a, &b), g.multiply(&b, &a));
                !g.equal(&x, &y)
            });
        }
        run("adder 64 assoc", |g| {
            let (a, b, c) = (g.new_inputs(64), g.new_inputs(64), g.new_inputs(64));
            let ab = g.add(&a, &b);
            let x = g.add(&ab, &c);
            let bc = g.add(&b, &c);
            let y = g.add(&a, &bc);
            !g.equal(&x, &y)
        });
        run("adder 64: a-b == -(b-a)", |g| {
            let (a, b) = (g.new_inputs(64), g.new_inputs(64));
            let x = g.sub(&a, &b);
            let y = g.sub(&b, &a);
            let y = g.neg(&y);
            !g.equal(&x, &y)
        });
        run("factor 32 = 65521*65519", |g| {
            let (a, b) = (g.new_inputs(32), g.new_inputs(32));
            let top = g.or_all(&[&a[16..], &b[16..]].concat());
            let x = g.multiply(&a, &b);
            let n = g.number(65521 * 65519, 32);
            let eq = g.equal(&x, &n);
            let one = g.number(1, 32);
            let a1 = g.equal(&a, &one);
            g.and_all(&[eq, !top, !a1])
        });
        run("mul by 10 == (x<<3)+(x<<1), 32", |g| {
            let a = g.new_inputs(32);
            let n = g.number(10, 32);
            let x = g.multiply(&a, &n);
            let three = g.number(3, 32);
            let one = g.number(1, 32);
            let s3 = g.shift(crate::circuits::Shift::Left, &a, &three);
            let s1 = g.shift(crate::circuits::Shift::Left, &a, &one);
            let y = g.add(&s3, &s1);
            !g.equal(&x, &y)
        });
        for constrained in [false] {
            let div = |g: &mut Gates<Sat>, a: &[Lit], b: &[Lit]| Dividers::default().divide(g, a, b);
            for w in [7,8,10] {
                run(&format!("constrained {constrained}: a = q*b+r {w}"), |g| {
                    let (a, b) = (g.new_inputs(w), g.new_inputs(w));
                    let (q, r) = div(g, &a, &b);
                    let x = g.multiply(&q, &b);
                    let x = g.add(&x, &r);
                    !g.equal(&x, &a)
                });
            }
            for w in [12, 32] {
                run(&format!("constrained {constrained}: q <= a, b!=0 {w}"), |g| {
                    let (a, b) = (g.new_inputs(w), g.new_inputs(w));
                    let (q, _) = div(g, &a, &b);
                    let bad = g.less(&a, &q);
                    let nz = g.or_all(&b);
                    g.and(bad, nz)
                });
            }
            run(&format!("constrained {constrained}: sat 32 q==12345 r==77"), |g| {
                let (a, b) = (g.new_inputs(32), g.new_inputs(32));
                let (q, r) = div(g, &a, &b);
                let (n, m) = (g.number(12345, 32), g.number(77, 32));
                let (x, y) = (g.equal(&q, &n), g.equal(&r, &m));
                g.and(x, y)
            });
            run(&format!("constrained {constrained}: 32 x%10 < 10"), |g| {
                let a = g.new_inputs(32);
                let b = g.number(10, 32);
                let (_, r) = div(g, &a, &b);
                !g.less(&r, &b)
            });
            run(&format!("constrained {constrained}: 32 (x/10)*10 <= x"), |g| {
                let a = g.new_inputs(32);
                let b = g.number(10, 32);
                let (q, _) = div(g, &a, &b);
                let y = g.multiply(&q, &b);
                g.less(&a, &y)
            });
            run(&format!("constrained {constrained}: 32 x<1000 => x/10<100"), |g| {
                let a = g.new_inputs(32);
                let b = g.number(10, 32);
                let (q, _) = div(g, &a, &b);
                let (n, m) = (g.number(1000, 32), g.number(100, 32));
                let x = g.less(&a, &n);
                let y = g.less(&q, &m);
                g.and(x, !y)
            });
            run(&format!("constrained {constrained}: 32 fixed inputs"), |g| {
                let (a, b) = (g.new_inputs(32), g.new_inputs(32));
                let (q, r) = div(g, &a, &b);
                let (n, m) = (g.number(4_000_000_007, 32), g.number(65537, 32));
                let e1 = g.equal(&a, &n);
                let e2 = g.equal(&b, &m);
                let q0 = g.number(4_000_000_007 / 65537, 32);
                let r0 = g.number(4_000_000_007 % 65537, 32);
                let (x, y) = (g.equal(&q, &q0), g.equal(&r, &r0));
                let ok = g.and(x, y);
                g.and_all(&[e1, e2, !ok])
            });
            run(&format!("constrained {constrained}: monotone 10: a<=c => a/b<=c/b"), |g| {
                let (a, b, c) = (g.new_inputs(10), g.new_inputs(10), g.new_inputs(10));
                let (q, _) = div(g, &a, &b);
                let (p, _) = div(g, &c, &b);
                let less = g.less(&c, &a);
                let bad = g.less(&p, &q);
                g.and(!less, bad)
            });
        }
    }
}
