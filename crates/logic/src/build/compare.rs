//! Order of bit-vectors. Only strict order has nodes; the others are negations of it.
//!
//! Operands that are extensions or small constants are compared at the smallest width that holds them.

use crate::bits;
use crate::node::Node;
use crate::sort::Sort;
use crate::store::{Term, Terms};

impl Terms {
    /// Unsigned `a < b`.
    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        if a == b {
            return self.bool(false);
        }
        if let Some(folded) = self.fold_predicate(a, b, |x, y| x < y) {
            return folded;
        }
        if let Some((a, b)) = self.narrow_unsigned(a, b).or_else(|| self.narrow_signed(a, b)) {
            return self.ult(a, b);
        }
        let simpler = match (self.as_bits(a), self.as_bits(b)) {
            (_, Some(bound)) => self.ult_bound(a, bound, width),
            (Some(bound), _) => self.ugt_bound(b, bound, width),
            (None, None) => None,
        };
        simpler.unwrap_or_else(|| self.intern(Node::Ult(a, b), Sort::Bool))
    }

    /// `a < bound`.
    fn ult_bound(&mut self, a: Term, bound: u128, width: u32) -> Option<Term> {
        if bound == 0 {
            return Some(self.bool(false));
        }
        if bound > self.largest(a) {
            return Some(self.bool(true));
        }
        if bound == 1 || bound == bits::mask(width) {
            let edge = self.bits(width, if bound == 1 { 0 } else { bound });
            return Some(if bound == 1 { self.eq(a, edge) } else { self.ne(a, edge) });
        }
        None
    }

    /// `bound < b`.
    fn ugt_bound(&mut self, b: Term, bound: u128, width: u32) -> Option<Term> {
        if bound >= self.largest(b) {
            return Some(self.bool(false));
        }
        if bound == 0 || bound + 1 == bits::mask(width) {
            let edge = self.bits(width, if bound == 0 { 0 } else { bound + 1 });
            return Some(if bound == 0 { self.ne(b, edge) } else { self.eq(b, edge) });
        }
        None
    }

    /// A bound that is seen at a glance.
    fn largest(&self, a: Term) -> u128 {
        match self.node(a) {
            Node::ZeroExtend(inner) => bits::mask(self.width(inner)),
            _ => bits::mask(self.width(a)),
        }
    }

    /// Signed `a < b`.
    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        if a == b {
            return self.bool(false);
        }
        if let Some(folded) = self.fold_predicate(a, b, |x, y| bits::slt(width, x, y)) {
            return folded;
        }
        if let Some((a, b)) = self.narrow_unsigned(a, b) {
            return self.ult(a, b);
        }
        if let Some((a, b)) = self.narrow_signed(a, b) {
            return self.slt(a, b);
        }
        let simpler = match (self.as_bits(a), self.as_bits(b)) {
            (_, Some(bound)) => self.slt_bound(a, bound, width),
            (Some(bound), _) => self.sgt_bound(b, bound, width),
            (None, None) => None,
        };
        simpler.unwrap_or_else(|| self.intern(Node::Slt(a, b), Sort::Bool))
    }

    /// `a < bound`.
    fn slt_bound(&mut self, a: Term, bound: u128, width: u32) -> Option<Term> {
        let (min, max) = self.signed_limits(a);
        let bound = bits::signed(width, bound);
        let edge = |terms: &mut Self, value: i128| terms.bits(width, value as u128);
        if bound <= min {
            Some(self.bool(false))
        } else if bound > max {
            Some(self.bool(true))
        } else if bound == min + 1 {
            let edge = edge(self, min);
            Some(self.eq(a, edge))
        } else if bound == max {
            let edge = edge(self, max);
            Some(self.ne(a, edge))
        } else {
            None
        }
    }

    /// `bound < b`.
    fn sgt_bound(&mut self, b: Term, bound: u128, width: u32) -> Option<Term> {
        let (min, max) = self.signed_limits(b);
        let bound = bits::signed(width, bound);
        let edge = |terms: &mut Self, value: i128| terms.bits(width, value as u128);
        if bound >= max {
            Some(self.bool(false))
        } else if bound < min {
            Some(self.bool(true))
        } else if bound == max - 1 {
            let edge = edge(self, max);
            Some(self.eq(b, edge))
        } else if bound == min {
            let edge = edge(self, min);
            Some(self.ne(b, edge))
        } else {
            None
        }
    }

    /// Bounds that are seen at a glance.
    fn signed_limits(&self, a: Term) -> (i128, i128) {
        let of_width = |w: u32| (bits::signed(w, bits::min_signed(w)), bits::signed(w, bits::max_signed(w)));
        match self.node(a) {
            Node::SignExtend(inner) => of_width(self.width(inner)),
            Node::ZeroExtend(inner) => (0, bits::mask(self.width(inner)) as i128),
            _ => of_width(self.width(a)),
        }
    }

    /// Unsigned `a <= b`.
    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        let greater = self.ult(b, a);
        self.not(greater)
    }

    /// Unsigned `a > b`.
    pub fn ugt(&mut self, a: Term, b: Term) -> Term {
        self.ult(b, a)
    }

    /// Unsigned `a >= b`.
    pub fn uge(&mut self, a: Term, b: Term) -> Term {
        self.ule(b, a)
    }

    /// Signed `a <= b`.
    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        let greater = self.slt(b, a);
        self.not(greater)
    }

    /// Signed `a > b`.
    pub fn sgt(&mut self, a: Term, b: Term) -> Term {
        self.slt(b, a)
    }

    /// Signed `a >= b`.
    pub fn sge(&mut self, a: Term, b: Term) -> Term {
        self.sle(b, a)
    }

    /// Both operands at a smaller width that their zero-extension restores.
    pub(super) fn narrow_unsigned(&mut self, a: Term, b: Term) -> Option<(Term, Term)> {
        let need = self.unsigned_need(a)?.max(self.unsigned_need(b)?);
        self.narrow_both(a, b, need)
    }

    /// Both operands at a smaller width that their sign-extension restores; signed and unsigned order
    /// and equality are the same there.
    pub(super) fn narrow_signed(&mut self, a: Term, b: Term) -> Option<(Term, Term)> {
        let need = self.signed_need(a)?.max(self.signed_need(b)?);
        self.narrow_both(a, b, need)
    }

    fn narrow_both(&mut self, a: Term, b: Term, need: u32) -> Option<(Term, Term)> {
        if need >= self.width(a) {
            return None;
        }
        Some((self.extract(a, need - 1, 0), self.extract(b, need - 1, 0)))
    }

    fn unsigned_need(&self, a: Term) -> Option<u32> {
        match self.node(a) {
            Node::Bits(value) => Some((128 - value.leading_zeros()).max(1)),
            Node::ZeroExtend(inner) => Some(self.width(inner)),
            _ => None,
        }
    }

    fn signed_need(&self, a: Term) -> Option<u32> {
        match self.node(a) {
            Node::Bits(value) => {
                let value = bits::signed(self.width(a), value);
                Some(129 - if value < 0 { value.leading_ones() } else { value.leading_zeros() })
            }
            Node::ZeroExtend(inner) => Some(self.width(inner) + 1),
            Node::SignExtend(inner) => Some(self.width(inner)),
            _ => None,
        }
    }
}
