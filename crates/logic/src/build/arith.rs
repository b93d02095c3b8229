//! Sums, products and quotients of bit-vectors.
//!
//! A constant summand is moved to the top of a sum, so that constants meet. Subtraction of a constant is
//! addition of its negation; negation is subtraction from zero.

use crate::bits;
use crate::node::{BvOp, Node};
use crate::sort::Sort;
use crate::store::{Term, Terms};

impl Terms {
    /// The constructor of any binary operation.
    pub fn bv(&mut self, op: BvOp, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        if let Some(folded) = self.fold_binary(width, a, b, |x, y| bits::binary(op, width, x, y)) {
            return folded;
        }
        let (a, b) = if op.is_commutative() { self.ordered(a, b) } else { (a, b) };
        let simpler = match op {
            BvOp::Add => self.simplify_add(a, b),
            BvOp::Sub => self.simplify_sub(a, b),
            BvOp::Mul => self.simplify_mul(a, b),
            BvOp::Udiv => self.simplify_udiv(a, b),
            BvOp::Urem => self.simplify_urem(a, b),
            BvOp::Sdiv => self.simplify_sdiv(a, b),
            BvOp::Srem => self.simplify_srem(a, b),
            BvOp::And => self.simplify_and(a, b),
            BvOp::Or => self.simplify_or(a, b),
            BvOp::Xor => self.simplify_xor(a, b),
            BvOp::Shl | BvOp::Lshr | BvOp::Ashr => self.simplify_shift(op, a, b),
        };
        simpler.unwrap_or_else(|| self.intern(Node::Binary(op, a, b), Sort::bits(width)))
    }

    pub fn bv_add(&mut self, a: Term, b: Term) -> Term {
        self.bv(BvOp::Add, a, b)
    }

    pub fn bv_sub(&mut self, a: Term, b: Term) -> Term {
        self.bv(BvOp::Sub, a, b)
    }

    pub fn bv_neg(&mut self, a: Term) -> Term {
        let zero = self.bits(self.width(a), 0);
        self.bv(BvOp::Sub, zero, a)
    }

    pub fn bv_mul(&mut self, a: Term, b: Term) -> Term {
        self.bv(BvOp::Mul, a, b)
    }

    pub fn bv_udiv(&mut self, a: Term, b: Term) -> Term {
        self.bv(BvOp::Udiv, a, b)
    }

    pub fn bv_urem(&mut self, a: Term, b: Term) -> Term {
        self.bv(BvOp::Urem, a, b)
    }

    pub fn bv_sdiv(&mut self, a: Term, b: Term) -> Term {
        self.bv(BvOp::Sdiv, a, b)
    }

    pub fn bv_srem(&mut self, a: Term, b: Term) -> Term {
        self.bv(BvOp::Srem, a, b)
    }

    /// A sum as (the part that varies, the constant part).
    fn split_sum(&self, a: Term) -> Option<(Term, u128)> {
        match self.node(a) {
            Node::Binary(BvOp::Add, x, c) => Some((x, self.as_bits(c)?)),
            _ => None,
        }
    }

    fn add_constant(&mut self, a: Term, value: u128) -> Term {
        let value = self.bits(self.width(a), value);
        self.bv_add(a, value)
    }

    fn simplify_add(&mut self, a: Term, b: Term) -> Option<Term> {
        if let Some(c) = self.as_bits(b) {
            return self.simplify_add_constant(a, c);
        }
        if let Some((x, c)) = self.split_sum(a) {
            let sum = self.bv_add(x, b);
            return Some(self.add_constant(sum, c));
        }
        if let Some((y, c)) = self.split_sum(b) {
            let sum = self.bv_add(a, y);
            return Some(self.add_constant(sum, c));
        }
        if a == b {
            let two = self.bits(self.width(a), 2);
            return Some(self.bv_mul(a, two));
        }
        self.add_difference(a, b).or_else(|| self.add_difference(b, a))
    }

    /// `a + c`.
    fn simplify_add_constant(&mut self, a: Term, c: u128) -> Option<Term> {
        if c == 0 {
            return Some(a);
        }
        match self.node(a) {
            Node::Binary(BvOp::Add, x, d) => {
                let d = self.as_bits(d)?;
                Some(self.add_constant(x, c.wrapping_add(d)))
            }
            Node::Binary(BvOp::Sub, d, x) => {
                let d = self.as_bits(d)?;
                let d = self.bits(self.width(a), c.wrapping_add(d));
                Some(self.bv_sub(d, x))
            }
            _ => None,
        }
    }

    /// `a + (x - y)` where something cancels.
    fn add_difference(&mut self, a: Term, b: Term) -> Option<Term> {
        let Node::Binary(BvOp::Sub, x, y) = self.node(b) else { return None };
        if y == a {
            return Some(x);
        }
        let c = self.as_bits(x)?;
        let difference = self.bv_sub(a, y);
        Some(self.add_constant(difference, c))
    }

    fn simplify_sub(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        if a == b {
            return Some(self.bits(width, 0));
        }
        if let Some(c) = self.as_bits(b) {
            return Some(self.add_constant(a, c.wrapping_neg()));
        }
        if let Some((y, c)) = self.split_sum(b) {
            let difference = self.bv_sub(a, y);
            return Some(self.add_constant(difference, c.wrapping_neg()));
        }
        if let Some((x, c)) = self.split_sum(a) {
            let difference = self.bv_sub(x, b);
            return Some(self.add_constant(difference, c));
        }
        match (self.node(a), self.node(b)) {
            // a - (c - y) = (a + y) - c
            (_, Node::Binary(BvOp::Sub, c, y)) if self.as_bits(c).is_some() => {
                let sum = self.bv_add(a, y);
                Some(self.bv_sub(sum, c))
            }
            (Node::Binary(BvOp::Add, x, y), _) if x == b => Some(y),
            (Node::Binary(BvOp::Add, x, y), _) if y == b => Some(x),
            (_, Node::Binary(BvOp::Add, x, y)) if x == a => Some(self.bv_neg(y)),
            (_, Node::Binary(BvOp::Add, x, y)) if y == a => Some(self.bv_neg(x)),
            _ => None,
        }
    }

    fn simplify_mul(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        let c = self.as_bits(b)?;
        if c == 0 {
            return Some(b);
        }
        if c == bits::mask(width) && width > 1 {
            return Some(self.bv_neg(a));
        }
        if c.is_power_of_two() {
            return Some(self.shift_left_by(a, c.trailing_zeros()));
        }
        if let Node::Binary(BvOp::Mul, x, d) = self.node(a) {
            let d = self.as_bits(d)?;
            let product = self.bits(width, c.wrapping_mul(d));
            return Some(self.bv_mul(x, product));
        }
        None
    }

    fn simplify_udiv(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        if a == b {
            return Some(self.one_unless_zero(a));
        }
        let c = self.as_bits(b)?;
        if c == 0 {
            return Some(self.bits(width, u128::MAX));
        }
        if c.is_power_of_two() {
            return Some(self.shift_right_by(a, c.trailing_zeros()));
        }
        let Node::ZeroExtend(x) = self.node(a) else { return None };
        let inner = self.width(x);
        if c > bits::mask(inner) {
            return Some(self.bits(width, 0));
        }
        let c = self.bits(inner, c);
        let quotient = self.bv_udiv(x, c);
        Some(self.zero_extend(quotient, width))
    }

    /// `a / a`: 1, or all ones for zero.
    fn one_unless_zero(&mut self, a: Term) -> Term {
        let width = self.width(a);
        let (zero, one, ones) = (self.bits(width, 0), self.bits(width, 1), self.bits(width, u128::MAX));
        let is_zero = self.eq(a, zero);
        self.ite(is_zero, ones, one)
    }

    fn simplify_urem(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        if a == b || self.as_bits(a) == Some(0) {
            return Some(self.bits(width, 0));
        }
        if let Some(c) = self.as_bits(b) {
            if c == 0 {
                return Some(a);
            }
            if c == 1 {
                return Some(self.bits(width, 0));
            }
            if c.is_power_of_two() {
                let low = self.extract(a, c.trailing_zeros() - 1, 0);
                return Some(self.zero_extend(low, width));
            }
        }
        let (x, y) = self.narrow_unsigned(a, b)?;
        let rest = self.bv_urem(x, y);
        Some(self.zero_extend(rest, width))
    }

    fn simplify_sdiv(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        if a == b {
            return Some(self.one_unless_zero(a));
        }
        let c = self.as_bits(b)?;
        if c == bits::mask(width) {
            return Some(self.bv_neg(a));
        }
        if c == 1 {
            return Some(a);
        }
        self.sdiv_power_of_two(a, c)
    }

    /// A shift that rounds towards zero: negative dividends are raised by the divisor less one.
    fn sdiv_power_of_two(&mut self, a: Term, c: u128) -> Option<Term> {
        let width = self.width(a);
        if !c.is_power_of_two() || c <= 1 || bits::is_negative(width, c) {
            return None;
        }
        let count = c.trailing_zeros();
        let sign = self.extract(a, width - 1, width - 1);
        let raise = self.sign_extend(sign, count);
        let raise = self.zero_extend(raise, width);
        let raised = self.bv_add(a, raise);
        let quotient = self.extract(raised, width - 1, count);
        Some(self.sign_extend(quotient, width))
    }

    fn simplify_srem(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        if a == b || self.as_bits(a) == Some(0) {
            return Some(self.bits(width, 0));
        }
        let c = self.as_bits(b)?;
        if c == 0 {
            return Some(a);
        }
        if c == 1 || c == bits::mask(width) {
            return Some(self.bits(width, 0));
        }
        let quotient = self.sdiv_power_of_two(a, c)?;
        let multiple = self.shift_left_by(quotient, c.trailing_zeros());
        Some(self.bv_sub(a, multiple))
    }
}
