//! Bit-vector arithmetic as gates. The lowest bit comes first.
//!
//! * Addition ripples; a full adder is two gates with complete clauses and clauses that link them.
//! * Multiplication adds its rows one after the other. Summing columns with carries saved was measured
//!   better on commutativity (which sorting the factors settles at once) and much worse on
//!   distributivity and on factors. A constant factor is recoded into signed digits (Reitwiesner 1960),
//!   so that runs of ones cost two rows.
//! * Division: see `divider.rs`.
//! * Shifts by a variable are a stage of multiplexers for each bit of the count.
//!
//! Results have the width of the operands, and the meaning of SMT-LIB's operations in all corners:
//! division by zero gives all ones and the dividend, counts of the width and above shift everything
//! out. Widths are the caller's care: operands of one operation are equally wide.

use crate::gates::Gates;
use crate::lit::{Clauses, Lit};

/// A bit-vector, the lowest bit first.
pub type Bits = Vec<Lit>;

/// The three ways to shift.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shift {
    Left,
    LogicalRight,
    ArithmeticRight,
}

impl<S: Clauses> Gates<S> {
    /// The lowest `width` bits of a number.
    pub fn number(&self, value: u128, width: usize) -> Bits {
        (0..width).map(|bit| self.constant(value >> bit & 1 == 1)).collect()
    }

    /// The value of a vector whose bits are all constant.
    pub fn as_number(&self, bits: &[Lit]) -> Option<u128> {
        let mut value = 0;
        for (position, bit) in bits.iter().enumerate() {
            value |= u128::from(self.as_constant(*bit)?) << position;
        }
        Some(value)
    }

    pub fn new_inputs(&mut self, width: usize) -> Bits {
        (0..width).map(|_| self.new_input()).collect()
    }

    pub fn not_bits(&mut self, a: &[Lit]) -> Bits {
        a.iter().map(|bit| !*bit).collect()
    }

    pub fn and_bits(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        a.iter().zip(b).map(|(a, b)| self.and(*a, *b)).collect()
    }

    pub fn or_bits(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        a.iter().zip(b).map(|(a, b)| self.or(*a, *b)).collect()
    }

    pub fn xor_bits(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        a.iter().zip(b).map(|(a, b)| self.xor(*a, *b)).collect()
    }

    pub fn mux_bits(&mut self, condition: Lit, then: &[Lit], otherwise: &[Lit]) -> Bits {
        then.iter().zip(otherwise).map(|(t, e)| self.mux(condition, *t, *e)).collect()
    }

    /// Sum and carry out.
    pub(crate) fn add_with_carry(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> (Bits, Lit) {
        let mut carry = carry;
        let mut sum = Bits::with_capacity(a.len());
        for (a, b) in a.iter().zip(b) {
            let (bit, next) = self.full_adder(*a, *b, carry);
            sum.push(bit);
            carry = next;
        }
        (sum, carry)
    }

    pub fn add(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        let zero = self.constant(false);
        self.add_with_carry(a, b, zero).0
    }

    pub fn sub(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        self.sub_with_borrow(a, b).0
    }

    /// The difference, and whether it did not go below zero.
    pub(crate) fn sub_with_borrow(&mut self, a: &[Lit], b: &[Lit]) -> (Bits, Lit) {
        let (one, negated) = (self.constant(true), self.not_bits(b));
        self.add_with_carry(a, &negated, one)
    }

    pub fn neg(&mut self, a: &[Lit]) -> Bits {
        let zero = self.number(0, a.len());
        self.sub(&zero, a)
    }

    pub fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same: Vec<Lit> = a.iter().zip(b).map(|(a, b)| self.iff(*a, *b)).collect();
        self.and_all(&same)
    }

    /// `a < b`, unsigned: from the lowest bit up, a difference decides and equal bits keep what was.
    pub fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut less = self.constant(false);
        for (a, b) in a.iter().zip(b) {
            less = self.majority(!*a, *b, less);
        }
        less
    }

    /// `a < b`, signed: the order of the unsigned numbers with the sign bits flipped.
    pub fn signed_less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let flip = |bits: &[Lit]| {
            let mut bits = bits.to_vec();
            if let Some(sign) = bits.last_mut() {
                *sign = !*sign;
            }
            bits
        };
        self.less(&flip(a), &flip(b))
    }

    pub fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        match (self.as_number(a), self.as_number(b)) {
            (Some(factor), _) => self.multiply_by_constant(b, factor),
            (None, Some(factor)) => self.multiply_by_constant(a, factor),
            (None, None) => {
                // The order of the factors does not matter, so equal products are shared.
                let (a, b) = (a.min(b), a.max(b));
                let mut sum = self.number(0, a.len());
                for (place, bit) in b.iter().enumerate() {
                    let row: Bits = a[..a.len() - place].iter().map(|a| self.and(*a, *bit)).collect();
                    self.add_row(&mut sum, place, &row, false);
                }
                sum
            }
        }
    }

    fn multiply_by_constant(&mut self, a: &[Lit], factor: u128) -> Bits {
        let mut sum = self.number(0, a.len());
        for (place, negative) in signed_digits(factor, a.len()) {
            self.add_row(&mut sum, place, &a[..a.len() - place], negative);
        }
        sum
    }

    /// Adds a row that begins at a place, or subtracts it.
    fn add_row(&mut self, sum: &mut Bits, place: usize, row: &[Lit], subtract: bool) {
        let upper = sum.split_off(place);
        sum.extend(if subtract { self.sub(&upper, row) } else { self.add(&upper, row) });
    }

    pub fn shift(&mut self, kind: Shift, a: &[Lit], count: &[Lit]) -> Bits {
        let width = a.len();
        let fill = match (kind, a.last()) {
            (Shift::ArithmeticRight, Some(sign)) => *sign,
            (Shift::Left | Shift::LogicalRight, _) | (Shift::ArithmeticRight, None) => self.constant(false),
        };
        let mut bits = a.to_vec();
        // Bits of the count that alone shift everything out.
        let stages = count.len().min((0..usize::BITS as usize).find(|s| 1 << s >= width).unwrap_or(0));
        for (stage, bit) in count[..stages].iter().enumerate() {
            let moved = shifted(kind, &bits, 1 << stage, fill);
            bits = self.mux_bits(*bit, &moved, &bits);
        }
        let beyond = self.or_all(&count[stages..]);
        let filled = vec![fill; width];
        self.mux_bits(beyond, &filled, &bits)
    }
}

/// A shift by a constant.
fn shifted(kind: Shift, bits: &[Lit], by: usize, fill: Lit) -> Bits {
    let kept = bits.len().saturating_sub(by);
    let filler = std::iter::repeat_n(fill, bits.len() - kept);
    match kind {
        Shift::Left => filler.chain(bits[..kept].iter().copied()).collect(),
        Shift::LogicalRight | Shift::ArithmeticRight => {
            bits[bits.len() - kept..].iter().copied().chain(filler).collect()
        }
    }
}

/// A number modulo two to the width as a sum of powers of two with signs, no two of them adjacent:
/// (exponent, negative).
fn signed_digits(number: u128, width: usize) -> Vec<(usize, bool)> {
    let mut digits = Vec::new();
    let mut rest = number;
    for exponent in 0..width {
        if rest & 1 == 1 {
            // 3 modulo 4: a run of ones begins, count it as minus one and a carry.
            let negative = rest & 2 == 2 && exponent + 1 < width;
            digits.push((exponent, negative));
            // A carry out of 128 bits is a carry out of the width.
            rest = if negative { rest.wrapping_add(1) } else { rest - 1 };
        }
        rest >>= 1;
    }
    digits
}

#[cfg(test)]
mod tests;
