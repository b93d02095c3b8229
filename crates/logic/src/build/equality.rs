//! Equality of all sorts.
//!
//! Equations with a constant are solved for the unknown as far as that costs nothing: through sums,
//! complements, extensions, concatenations and `ite`s with constant branches.

use crate::bits;
use crate::node::{BvOp, Node};
use crate::sort::Sort;
use crate::store::{Term, Terms};

/// How many steps an equation is followed into its sides; deeper, it is left as it is.
const DEPTH: usize = 20;

impl Terms {
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        self.eq_within(a, b, DEPTH)
    }

    fn eq_within(&mut self, a: Term, b: Term, depth: usize) -> Term {
        assert_eq!(self.sort(a), self.sort(b), "both sides have one sort");
        if a == b {
            return self.bool(true);
        }
        let (a, b) = self.ordered(a, b);
        match self.sort(a) {
            Sort::Bool => self.eq_bool(a, b),
            Sort::BitVec(_) => self.eq_bits(a, b, depth),
            Sort::Int => self.eq_int(a, b),
            Sort::Array { .. } => self.intern(Node::Eq(a, b), Sort::Bool),
        }
    }

    /// Not equal.
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    fn eq_bool(&mut self, a: Term, b: Term) -> Term {
        if let Some(constant) = self.as_bool(b) {
            return if constant { a } else { self.not(a) };
        }
        if let Node::Not(inner) = self.node(a) {
            return self.ne(inner, b);
        }
        if let Node::Not(inner) = self.node(b) {
            return self.ne(a, inner);
        }
        self.intern(Node::Eq(a, b), Sort::Bool)
    }

    fn eq_int(&mut self, a: Term, b: Term) -> Term {
        if let Some(k) = self.as_int(b) {
            if self.as_int(a).is_some() {
                // Equal constants are one term.
                return self.bool(false);
            }
            if let Node::IntAdd(x, c) = self.node(a)
                && let Some(rest) = self.as_int(c).and_then(|c| k.checked_sub(c))
            {
                let rest = self.int(rest);
                return self.eq(x, rest);
            }
        }
        self.intern(Node::Eq(a, b), Sort::Bool)
    }

    fn eq_bits(&mut self, a: Term, b: Term, depth: usize) -> Term {
        if let Some(folded) = self.fold_predicate(a, b, |x, y| x == y) {
            return folded;
        }
        if let Some((a, b)) = self.narrow_unsigned(a, b).or_else(|| self.narrow_signed(a, b)) {
            return self.eq_within(a, b, depth);
        }
        let simpler = match (self.as_bits(b), depth.checked_sub(1)) {
            (_, None) => None,
            (Some(k), Some(depth)) => self.eq_constant(a, k, depth),
            (None, Some(depth)) => self.eq_terms(a, b, depth).or_else(|| self.eq_terms(b, a, depth)),
        };
        simpler.unwrap_or_else(|| self.intern(Node::Eq(a, b), Sort::Bool))
    }

    fn eq_constant(&mut self, a: Term, k: u128, depth: usize) -> Option<Term> {
        let width = self.width(a);
        if width == 1 && k == 0 {
            let one = self.bits(1, 1);
            let is_one = self.eq_within(a, one, depth);
            return Some(self.not(is_one));
        }
        match self.node(a) {
            Node::Binary(op, x, y) => self.eq_binary(op, x, y, k, depth),
            Node::BvNot(x) => Some(self.eq_value(x, !k, depth)),
            Node::Concat(x, y) => {
                let low = self.width(y);
                let (high, low) = (self.eq_value(x, k >> low, depth), self.eq_value(y, k, depth));
                Some(self.and(high, low))
            }
            // If the constant had fitted the extended term, the equation would have been narrowed.
            Node::ZeroExtend(x) if k > bits::mask(self.width(x)) => Some(self.bool(false)),
            Node::SignExtend(x) if bits::sign_extend(self.width(x), width, k) != k => Some(self.bool(false)),
            Node::Ite(condition, yes, no) => self.eq_ite(condition, yes, no, k, depth),
            _ => None,
        }
    }

    /// `a == k`, where `k` is taken modulo the width of `a`.
    fn eq_value(&mut self, a: Term, k: u128, depth: usize) -> Term {
        let k = self.bits(self.width(a), k);
        self.eq_within(a, k, depth)
    }

    fn eq_binary(&mut self, op: BvOp, x: Term, y: Term, k: u128, depth: usize) -> Option<Term> {
        let width = self.width(x);
        match (op, self.as_bits(x), self.as_bits(y)) {
            (BvOp::Add, _, Some(c)) => Some(self.eq_value(x, k.wrapping_sub(c), depth)),
            (BvOp::Sub, Some(c), _) => Some(self.eq_value(y, c.wrapping_sub(k), depth)),
            (BvOp::Sub | BvOp::Xor, None, None) if k == 0 => Some(self.eq_within(x, y, depth)),
            (BvOp::Xor, _, Some(c)) => Some(self.eq_value(x, k ^ c, depth)),
            (BvOp::Mul, _, Some(c)) if c & 1 == 1 => {
                Some(self.eq_value(x, bits::inverse_of_odd(width, c).wrapping_mul(k), depth))
            }
            (BvOp::And, _, Some(c)) if k & !c != 0 => Some(self.bool(false)),
            (BvOp::Or, _, Some(c)) if c & !k != 0 => Some(self.bool(false)),
            _ => None,
        }
    }

    /// `(condition ? yes : no) == k` where a branch is constant.
    fn eq_ite(&mut self, condition: Term, yes: Term, no: Term, k: u128, depth: usize) -> Option<Term> {
        let opposite = self.not(condition);
        let (guard, constant, rest) = match (self.as_bits(yes), self.as_bits(no)) {
            (Some(constant), _) => (condition, constant, no),
            (None, Some(constant)) => (opposite, constant, yes),
            (None, None) => return None,
        };
        let rest_equal = self.eq_value(rest, k, depth);
        if constant == k {
            return Some(self.or(guard, rest_equal));
        }
        let not_guard = self.not(guard);
        Some(self.and(not_guard, rest_equal))
    }

    /// Rules for two terms, to be tried in both orders.
    fn eq_terms(&mut self, a: Term, b: Term, depth: usize) -> Option<Term> {
        match (self.node(a), self.node(b)) {
            (Node::BvNot(x), Node::BvNot(y)) => Some(self.eq_within(x, y, depth)),
            (Node::Binary(BvOp::Add, x, y), _) => self.eq_sum(x, y, b, depth),
            (Node::Binary(BvOp::Sub, x, y), _) if x == b => Some(self.eq_value(y, 0, depth)),
            (Node::Ite(condition, x, y), _) if x == b => {
                let other = self.eq_within(y, b, depth);
                Some(self.or(condition, other))
            }
            (Node::Ite(condition, x, y), _) if y == b => {
                let opposite = self.not(condition);
                let other = self.eq_within(x, b, depth);
                Some(self.or(opposite, other))
            }
            (Node::Ite(c, x, y), Node::Ite(d, v, w)) => self.eq_choices((c, x, y), (d, v, w)),
            (Node::Concat(x, y), Node::Concat(v, w)) if self.width(x) == self.width(v) => {
                let (high, low) = (self.eq_within(x, v, depth), self.eq_within(y, w, depth));
                Some(self.and(high, low))
            }
            _ => None,
        }
    }

    /// `x + y == b`.
    fn eq_sum(&mut self, x: Term, y: Term, b: Term, depth: usize) -> Option<Term> {
        if x == b {
            return Some(self.eq_value(y, 0, depth));
        }
        if y == b {
            return Some(self.eq_value(x, 0, depth));
        }
        let Node::Binary(BvOp::Add, v, w) = self.node(b) else { return None };
        if let (Some(c), Some(d)) = (self.as_bits(y), self.as_bits(w)) {
            let shift = self.bits(self.width(x), d.wrapping_sub(c));
            let right = self.bv_add(v, shift);
            // `x == v + shift` keeps one sum; with equal constants none is left.
            return Some(if c == d { self.eq_within(x, v, depth) } else { self.intern_eq(x, right) });
        }
        // What both sums contain cancels.
        let rests = [(x, v, y, w), (x, w, y, v), (y, v, x, w), (y, w, x, v)];
        let (_, _, left, right) = rests.into_iter().find(|(one, other, _, _)| one == other)?;
        Some(self.eq_within(left, right, depth))
    }

    /// An equation that needs no further rule.
    fn intern_eq(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return self.bool(true);
        }
        let (a, b) = self.ordered(a, b);
        self.intern(Node::Eq(a, b), Sort::Bool)
    }

    /// Two choices between the same two constants.
    fn eq_choices(&mut self, a: (Term, Term, Term), b: (Term, Term, Term)) -> Option<Term> {
        self.as_bits(a.1)?;
        self.as_bits(a.2)?;
        if (a.1, a.2) == (b.1, b.2) {
            Some(self.eq(a.0, b.0))
        } else if (a.1, a.2) == (b.2, b.1) {
            Some(self.ne(a.0, b.0))
        } else {
            None
        }
    }
}
