//! Mathematical integers. Constants that would not fit `i128` are left unfolded.

use crate::node::Node;
use crate::sort::Sort;
use crate::store::{Term, Terms};

impl Terms {
    pub fn int_add(&mut self, a: Term, b: Term) -> Term {
        self.expect_ints(a, b);
        let (a, b) = self.ordered(a, b);
        if let Some(c) = self.as_int(b) {
            if c == 0 {
                return a;
            }
            let (x, d) = match self.node(a) {
                Node::Int(d) => (None, Some(d)),
                Node::IntAdd(x, d) => (Some(x), self.as_int(d)),
                _ => (None, None),
            };
            if let Some(sum) = d.and_then(|d| c.checked_add(d)) {
                let sum = self.int(sum);
                return x.map_or(sum, |x| self.int_add(x, sum));
            }
        }
        self.intern(Node::IntAdd(a, b), Sort::Int)
    }

    pub fn int_sub(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return self.int(0);
        }
        let negated = self.int_neg(b);
        self.int_add(a, negated)
    }

    pub fn int_neg(&mut self, a: Term) -> Term {
        let minus_one = self.int(-1);
        self.int_mul(a, minus_one)
    }

    pub fn int_mul(&mut self, a: Term, b: Term) -> Term {
        self.expect_ints(a, b);
        let (a, b) = self.ordered(a, b);
        if let Some(c) = self.as_int(b) {
            match c {
                0 => return b,
                1 => return a,
                _ => {}
            }
            let (x, d) = match self.node(a) {
                Node::Int(d) => (None, Some(d)),
                Node::IntMul(x, d) => (Some(x), self.as_int(d)),
                _ => (None, None),
            };
            if let Some(product) = d.and_then(|d| c.checked_mul(d)) {
                let product = self.int(product);
                return x.map_or(product, |x| self.int_mul(x, product));
            }
        }
        self.intern(Node::IntMul(a, b), Sort::Int)
    }

    pub fn int_lt(&mut self, a: Term, b: Term) -> Term {
        self.expect_ints(a, b);
        if a == b {
            return self.bool(false);
        }
        if let (Some(x), Some(y)) = (self.as_int(a), self.as_int(b)) {
            return self.bool(x < y);
        }
        if let (Node::IntAdd(x, c), Some(bound)) = (self.node(a), self.as_int(b))
            && let Some(bound) = self.as_int(c).and_then(|c| bound.checked_sub(c))
        {
            let bound = self.int(bound);
            return self.int_lt(x, bound);
        }
        if let (Some(bound), Node::IntAdd(y, c)) = (self.as_int(a), self.node(b))
            && let Some(bound) = self.as_int(c).and_then(|c| bound.checked_sub(c))
        {
            let bound = self.int(bound);
            return self.int_lt(bound, y);
        }
        self.intern(Node::IntLt(a, b), Sort::Bool)
    }

    pub fn int_le(&mut self, a: Term, b: Term) -> Term {
        let greater = self.int_lt(b, a);
        self.not(greater)
    }

    fn expect_ints(&self, a: Term, b: Term) {
        assert_eq!((self.sort(a), self.sort(b)), (Sort::Int, Sort::Int), "the operation works on integers");
    }
}
