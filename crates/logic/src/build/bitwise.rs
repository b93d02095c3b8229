//! Bitwise operations.
//!
//! Masks of low bits are extractions, and the union of parts that do not overlap is a concatenation.

use crate::bits;
use crate::node::{BvOp, Node};
use crate::sort::Sort;
use crate::store::{Term, Terms};

impl Terms {
    /// Every bit complemented.
    pub fn bv_not(&mut self, a: Term) -> Term {
        let width = self.width(a);
        if let Some(folded) = self.fold_unary(width, a, |x| !x) {
            return folded;
        }
        match self.node(a) {
            Node::BvNot(inner) => inner,
            _ => self.intern(Node::BvNot(a), Sort::bits(width)),
        }
    }

    pub fn bv_and(&mut self, a: Term, b: Term) -> Term {
        self.bv(BvOp::And, a, b)
    }

    pub fn bv_or(&mut self, a: Term, b: Term) -> Term {
        self.bv(BvOp::Or, a, b)
    }

    pub fn bv_xor(&mut self, a: Term, b: Term) -> Term {
        self.bv(BvOp::Xor, a, b)
    }

    fn are_bit_complements(&self, a: Term, b: Term) -> bool {
        self.node(a) == Node::BvNot(b) || self.node(b) == Node::BvNot(a)
    }

    /// `(x op c) op b` for a constant `b`: both constants, combined.
    fn merge_constants(&mut self, op: BvOp, a: Term, b: u128) -> Option<Term> {
        let Node::Binary(inner, x, c) = self.node(a) else { return None };
        let c = self.as_bits(c).filter(|_| inner == op)?;
        let width = self.width(a);
        let combined = self.bits(width, bits::binary(op, width, c, b));
        Some(self.bv(op, x, combined))
    }

    /// Whether `part` is an argument of the operation `op` that `whole` is.
    fn has_argument(&self, op: BvOp, whole: Term, part: Term) -> bool {
        matches!(self.node(whole), Node::Binary(o, x, y) if o == op && (x == part || y == part))
    }

    /// The rules that `and` and `or` share, with the roles of zero and all ones exchanged:
    /// idempotence, complements, absorption.
    fn simplify_lattice(&mut self, op: BvOp, dual: BvOp, a: Term, b: Term) -> Option<Term> {
        if a == b || self.has_argument(op, a, b) || self.has_argument(dual, b, a) {
            return Some(a);
        }
        if self.has_argument(op, b, a) || self.has_argument(dual, a, b) {
            return Some(b);
        }
        if self.are_bit_complements(a, b) {
            let absorbing = if op == BvOp::And { 0 } else { u128::MAX };
            return Some(self.bits(self.width(a), absorbing));
        }
        None
    }

    pub(super) fn simplify_and(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        if let Some(c) = self.as_bits(b) {
            if c == 0 {
                return Some(b);
            }
            if c == bits::mask(width) {
                return Some(a);
            }
            return self.merge_constants(BvOp::And, a, c).or_else(|| self.and_mask(a, c));
        }
        if let Some((x, y)) = self.narrow_unsigned(a, b) {
            let part = self.bv_and(x, y);
            return Some(self.zero_extend(part, width));
        }
        self.simplify_lattice(BvOp::And, BvOp::Or, a, b)
    }

    /// `a & c` where the mask has leading zeros, or is high bits only.
    fn and_mask(&mut self, a: Term, c: u128) -> Option<Term> {
        let width = self.width(a);
        let used = 128 - c.leading_zeros();
        if used < width {
            let (low, mask) = (self.extract(a, used - 1, 0), self.bits(used, c));
            let part = self.bv_and(low, mask);
            return Some(self.zero_extend(part, width));
        }
        let dropped = c.trailing_zeros();
        if dropped > 0 && c >> dropped == bits::mask(width - dropped) {
            let (high, zeros) = (self.extract(a, width - 1, dropped), self.bits(dropped, 0));
            return Some(self.concat(high, zeros));
        }
        if let Node::ZeroExtend(inner) = self.node(a) {
            let (inner_width, mask) = (self.width(inner), bits::mask(self.width(inner)));
            let mask = self.bits(inner_width, c & mask);
            let part = self.bv_and(inner, mask);
            return Some(self.zero_extend(part, width));
        }
        None
    }

    pub(super) fn simplify_or(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        if let Some(c) = self.as_bits(b) {
            if c == 0 {
                return Some(a);
            }
            if c == bits::mask(width) {
                return Some(b);
            }
            if let Some(merged) = self.merge_constants(BvOp::Or, a, c) {
                return Some(merged);
            }
        }
        self.simplify_lattice(BvOp::Or, BvOp::And, a, b)
            .or_else(|| self.join_disjoint(a, b))
            .or_else(|| self.join_disjoint(b, a))
    }

    /// `high ++ 0...0 | 0...0 ++ low` where the parts do not overlap.
    fn join_disjoint(&mut self, a: Term, b: Term) -> Option<Term> {
        let low_zeros = self.trailing_zeros(a);
        let width = self.width(a);
        let used = match self.node(b) {
            Node::Bits(value) => 128 - value.leading_zeros(),
            Node::ZeroExtend(inner) => self.width(inner),
            _ => return None,
        };
        if used > low_zeros || low_zeros >= width {
            return None;
        }
        let (high, low) = (self.extract(a, width - 1, low_zeros), self.extract(b, low_zeros - 1, 0));
        Some(self.concat(high, low))
    }

    /// How many low bits are zero at a glance.
    fn trailing_zeros(&self, a: Term) -> u32 {
        let mut at = a;
        loop {
            match self.node(at) {
                Node::Bits(0) => return self.width(at),
                Node::Bits(value) => return value.trailing_zeros(),
                Node::ZeroExtend(inner) => at = inner,
                Node::Concat(_, low) => at = low,
                // A concatenation is nested to the right, so its last part is decisive unless all zero.
                _ => return 0,
            }
        }
    }

    pub(super) fn simplify_xor(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        if a == b {
            return Some(self.bits(width, 0));
        }
        if let Some(c) = self.as_bits(b) {
            if c == 0 {
                return Some(a);
            }
            if c == bits::mask(width) {
                return Some(self.bv_not(a));
            }
            return self.merge_constants(BvOp::Xor, a, c);
        }
        if self.are_bit_complements(a, b) {
            return Some(self.bits(width, u128::MAX));
        }
        match (self.node(a), self.node(b)) {
            (Node::BvNot(x), Node::BvNot(y)) => Some(self.bv_xor(x, y)),
            (Node::Binary(BvOp::Xor, x, y), _) if x == b => Some(y),
            (Node::Binary(BvOp::Xor, x, y), _) if y == b => Some(x),
            (_, Node::Binary(BvOp::Xor, x, y)) if x == a => Some(y),
            (_, Node::Binary(BvOp::Xor, x, y)) if y == a => Some(x),
            _ => None,
        }
    }
}
