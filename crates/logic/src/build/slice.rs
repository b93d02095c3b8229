//! Concatenation, extraction and extension.
//!
//! Extraction moves towards the leaves and concatenation of adjacent parts restores the whole, so
//! memory that is written in words and read in bytes, or the other way round, leaves no trace. Zeros at
//! the top are always a zero-extension at the top.

use crate::bits;
use crate::node::{BvOp, Node};
use crate::sort::Sort;
use crate::store::{Term, Terms};

/// How deep an extraction looks into arithmetic that promotion to a wider type has left.
const PROMOTION_DEPTH: usize = 4;

impl Terms {
    /// `high` above `low`; together at most 128 bits.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let (high_width, low_width) = (self.width(high), self.width(low));
        let width = high_width + low_width;
        if let Some(folded) = self.fold_binary(width, high, low, |h, l| bits::concat(low_width, h, l)) {
            return folded;
        }
        match self.node(high) {
            Node::Bits(value) if value >> (high_width - 1) == 0 => {
                return self.concat_leading_zeros(high_width, value, low);
            }
            Node::ZeroExtend(inner) => {
                let rest = self.concat(inner, low);
                return self.zero_extend(rest, width);
            }
            Node::Concat(first, second) => {
                let rest = self.concat(second, low);
                return self.concat(first, rest);
            }
            _ => {}
        }
        if let Some(merged) = self.merge_adjacent(high, low) {
            return merged;
        }
        self.intern(Node::Concat(high, low), Sort::bits(width))
    }

    /// A constant whose top bit is zero, above `low`.
    fn concat_leading_zeros(&mut self, high_width: u32, value: u128, low: Term) -> Term {
        let width = high_width + self.width(low);
        let used = 128 - value.leading_zeros();
        let rest = if used == 0 {
            low
        } else {
            let value = self.bits(used, value);
            self.concat(value, low)
        };
        self.zero_extend(rest, width)
    }

    /// Joins `high` with the first part of `low`.
    fn merge_adjacent(&mut self, high: Term, low: Term) -> Option<Term> {
        let (next, rest) = match self.node(low) {
            Node::Concat(next, rest) => (next, Some(rest)),
            Node::ZeroExtend(inner) => {
                let zeros = self.bits(self.width(low) - self.width(inner), 0);
                (zeros, Some(inner))
            }
            _ => (low, None),
        };
        let merged = match (self.node(high), self.node(next)) {
            (Node::Extract { hi, lo, of }, Node::Extract { hi: hi2, lo: lo2, of: of2 })
                if of == of2 && lo == hi2 + 1 =>
            {
                self.extract(of, hi.into(), lo2.into())
            }
            (Node::Bits(h), Node::Bits(l)) => {
                let (h_width, l_width) = (self.width(high), self.width(next));
                self.bits(h_width + l_width, bits::concat(l_width, h, l))
            }
            _ => return None,
        };
        Some(match rest {
            None => merged,
            Some(rest) => self.concat(merged, rest),
        })
    }

    /// Bits `hi` down to `lo` of `a`, both included.
    pub fn extract(&mut self, a: Term, hi: u32, lo: u32) -> Term {
        let from = self.width(a);
        assert!(lo <= hi && hi < from, "bits {hi} to {lo} of {from}");
        let width = hi - lo + 1;
        if width == from {
            return a;
        }
        if let Some(folded) = self.fold_unary(width, a, |x| bits::extract(hi, lo, x)) {
            return folded;
        }
        match self.node(a) {
            Node::Extract { lo: base, of, .. } => {
                self.extract(of, hi + u32::from(base), lo + u32::from(base))
            }
            Node::Concat(x, y) => self.extract_concat(x, y, hi, lo),
            Node::ZeroExtend(x) => self.extract_extension(x, hi, lo, false),
            Node::SignExtend(x) => self.extract_extension(x, hi, lo, true),
            Node::Binary(..) | Node::BvNot(_) if lo == 0 && self.is_promoted(a, PROMOTION_DEPTH) => {
                self.demote(a, width)
            }
            _ => {
                let node = Node::Extract { hi: hi as u8, lo: lo as u8, of: a };
                self.intern(node, Sort::bits(width))
            }
        }
    }

    fn extract_concat(&mut self, x: Term, y: Term, hi: u32, lo: u32) -> Term {
        let border = self.width(y);
        if lo >= border {
            self.extract(x, hi - border, lo - border)
        } else if hi < border {
            self.extract(y, hi, lo)
        } else {
            let (high, low) = (self.extract(x, hi - border, 0), self.extract(y, border - 1, lo));
            self.concat(high, low)
        }
    }

    fn extract_extension(&mut self, inner: Term, hi: u32, lo: u32, sign: bool) -> Term {
        let (border, width) = (self.width(inner), hi - lo + 1);
        if hi < border {
            return self.extract(inner, hi, lo);
        }
        if lo >= border && !sign {
            return self.bits(width, 0);
        }
        // What is left of the inner term, its sign bit at least.
        let part = self.extract(inner, border - 1, lo.min(border - 1));
        if sign { self.sign_extend(part, width) } else { self.zero_extend(part, width) }
    }

    /// Whether low bits of `a` can be computed from low bits of its leaves, which are extensions or
    /// constants: what C's promotions leave of arithmetic on small types.
    fn is_promoted(&self, a: Term, depth: usize) -> bool {
        match self.node(a) {
            Node::Bits(_) | Node::ZeroExtend(_) | Node::SignExtend(_) => true,
            Node::BvNot(x) => depth > 0 && self.is_promoted(x, depth - 1),
            Node::Binary(BvOp::Add | BvOp::Sub | BvOp::Mul | BvOp::And | BvOp::Or | BvOp::Xor, x, y) => {
                depth > 0 && self.is_promoted(x, depth - 1) && self.is_promoted(y, depth - 1)
            }
            _ => false,
        }
    }

    /// The low bits of a term for which [`Self::is_promoted`] holds.
    fn demote(&mut self, a: Term, width: u32) -> Term {
        match self.node(a) {
            Node::Binary(op, x, y) => {
                let (x, y) = (self.demote(x, width), self.demote(y, width));
                self.bv(op, x, y)
            }
            Node::BvNot(x) => {
                let x = self.demote(x, width);
                self.bv_not(x)
            }
            _ => self.extract(a, width - 1, 0),
        }
    }

    /// Zeros above, up to `width` bits in all; `width` is not below that of `a`.
    pub fn zero_extend(&mut self, a: Term, width: u32) -> Term {
        let from = self.width(a);
        assert!(from <= width, "extension from {from} to {width} bits");
        if from == width {
            return a;
        }
        if let Some(folded) = self.fold_unary(width, a, |x| x) {
            return folded;
        }
        if let Node::ZeroExtend(inner) = self.node(a) {
            return self.zero_extend(inner, width);
        }
        self.intern(Node::ZeroExtend(a), Sort::bits(width))
    }

    /// Copies of the sign above, up to `width` bits in all; `width` is not below that of `a`.
    pub fn sign_extend(&mut self, a: Term, width: u32) -> Term {
        let from = self.width(a);
        assert!(from <= width, "extension from {from} to {width} bits");
        if from == width {
            return a;
        }
        if let Some(folded) = self.fold_unary(width, a, |x| bits::sign_extend(from, width, x)) {
            return folded;
        }
        match self.node(a) {
            Node::SignExtend(inner) => self.sign_extend(inner, width),
            Node::ZeroExtend(inner) => self.zero_extend(inner, width),
            _ => self.intern(Node::SignExtend(a), Sort::bits(width)),
        }
    }

    /// `a` at another width: extended with zeros, or its low bits.
    pub fn resize_unsigned(&mut self, a: Term, width: u32) -> Term {
        if self.width(a) < width { self.zero_extend(a, width) } else { self.extract(a, width - 1, 0) }
    }

    /// `a` at another width: extended with its sign, or its low bits.
    pub fn resize_signed(&mut self, a: Term, width: u32) -> Term {
        if self.width(a) < width { self.sign_extend(a, width) } else { self.extract(a, width - 1, 0) }
    }

    /// One bit as a Boolean.
    pub fn bit(&mut self, a: Term, index: u32) -> Term {
        let bit = self.extract(a, index, index);
        let one = self.bits(1, 1);
        self.eq(bit, one)
    }

    /// 1 or 0 of this width.
    pub fn from_bool(&mut self, width: u32, a: Term) -> Term {
        let (one, zero) = (self.bits(width, 1), self.bits(width, 0));
        self.ite(a, one, zero)
    }

    /// Whether it is not zero.
    pub fn to_bool(&mut self, a: Term) -> Term {
        let zero = self.bits(self.width(a), 0);
        self.ne(a, zero)
    }
}
