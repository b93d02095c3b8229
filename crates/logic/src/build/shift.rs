//! Shifts. By a constant they are mere wiring: concatenation, extraction, extension.

use crate::node::BvOp;
use crate::store::{Term, Terms};

impl Terms {
    /// Counts of the width or more give 0.
    pub fn bv_shl(&mut self, a: Term, count: Term) -> Term {
        self.bv(BvOp::Shl, a, count)
    }

    /// Counts of the width or more give 0.
    pub fn bv_lshr(&mut self, a: Term, count: Term) -> Term {
        self.bv(BvOp::Lshr, a, count)
    }

    /// Counts of the width or more give copies of the sign.
    pub fn bv_ashr(&mut self, a: Term, count: Term) -> Term {
        self.bv(BvOp::Ashr, a, count)
    }

    pub(super) fn simplify_shift(&mut self, op: BvOp, a: Term, count: Term) -> Option<Term> {
        let width = self.width(a);
        if let Some(value) = self.as_bits(a) {
            let fixed = value == 0 || (op == BvOp::Ashr && value == crate::bits::mask(width));
            return fixed.then_some(a);
        }
        let count = u32::try_from(self.as_bits(count)?).unwrap_or(u32::MAX);
        Some(match op {
            BvOp::Shl => self.shift_left_by(a, count),
            BvOp::Lshr => self.shift_right_by(a, count),
            BvOp::Ashr => {
                let kept = self.extract(a, width - 1, count.min(width - 1));
                self.sign_extend(kept, width)
            }
            BvOp::Add
            | BvOp::Sub
            | BvOp::Mul
            | BvOp::Udiv
            | BvOp::Urem
            | BvOp::Sdiv
            | BvOp::Srem
            | BvOp::And
            | BvOp::Or
            | BvOp::Xor => unreachable!("{op:?} is no shift"),
        })
    }

    pub(crate) fn shift_left_by(&mut self, a: Term, count: u32) -> Term {
        let width = self.width(a);
        if count == 0 {
            return a;
        }
        if count >= width {
            return self.bits(width, 0);
        }
        let kept = self.extract(a, width - 1 - count, 0);
        let zeros = self.bits(count, 0);
        self.concat(kept, zeros)
    }

    pub(crate) fn shift_right_by(&mut self, a: Term, count: u32) -> Term {
        let width = self.width(a);
        if count >= width {
            return self.bits(width, 0);
        }
        let kept = self.extract(a, width - 1, count);
        self.zero_extend(kept, width)
    }
}
