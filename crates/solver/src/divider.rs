//! Division of bit-vectors.
//!
//! Long division with restoring: for each bit of the dividend, from the highest, the rest is shifted,
//! compared with the divisor, and reduced if it fits. The rest has never more bits than have been
//! shifted in, nor more than the divisor has; so small and constant divisors are cheap. Division by
//! zero comes out as SMT-LIB wants it: everything fits, so the quotient is all ones; the rest is the
//! dividend.
//!
//! The alternative, free vectors constrained by `a = q * b + r`, is no smaller, and it has to search even
//! when both operands are known: measured, nine fixed pairs of 64 to 128 bits took over a minute and
//! not two seconds.
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
