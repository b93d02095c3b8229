//! The simplifying constructors, by kind of operation.
//!
//! Each looks at its arguments and at most a few levels below them. A rule is an equivalence for all
//! values; results are built through constructors again, on smaller arguments, so simplification
//! terminates. What two files need is here.

mod arith;
mod array;
mod bitwise;
mod compare;
mod connective;
mod equality;
mod int;
mod overflow;
mod shift;
mod slice;
#[cfg(test)]
mod tests;

use crate::node::Node;
use crate::store::{Term, Terms};

/// A bit-vector that is a constant (no condition), or one of two constants.
#[derive(Clone, Copy)]
struct Choice {
    condition: Option<Term>,
    yes: u128,
    no: u128,
}

/// The condition that decides both, if one does; `Some(None)` if both are constants.
fn common_condition(a: Choice, b: Choice) -> Option<Option<Term>> {
    match (a.condition, b.condition) {
        (Some(x), Some(y)) if x != y => None,
        (x, y) => Some(x.or(y)),
    }
}

impl Terms {
    fn as_choice(&self, term: Term) -> Option<Choice> {
        match self.node(term) {
            Node::Bits(value) => Some(Choice { condition: None, yes: value, no: value }),
            Node::Ite(condition, a, b) => {
                Some(Choice { condition: Some(condition), yes: self.as_bits(a)?, no: self.as_bits(b)? })
            }
            _ => None,
        }
    }

    /// Folds an operation on constants, also below one `ite`.
    fn fold_unary(&mut self, width: u32, a: Term, f: impl Fn(u128) -> u128) -> Option<Term> {
        let a = self.as_choice(a)?;
        Some(self.choose_bits(width, a.condition, f(a.yes), f(a.no)))
    }

    /// Folds an operation on constants, also below `ite`s with one condition.
    fn fold_binary(&mut self, width: u32, a: Term, b: Term, f: impl Fn(u128, u128) -> u128) -> Option<Term> {
        let (a, b) = (self.as_choice(a)?, self.as_choice(b)?);
        let condition = common_condition(a, b)?;
        Some(self.choose_bits(width, condition, f(a.yes, b.yes), f(a.no, b.no)))
    }

    /// The same for a comparison.
    fn fold_predicate(&mut self, a: Term, b: Term, f: impl Fn(u128, u128) -> bool) -> Option<Term> {
        let (a, b) = (self.as_choice(a)?, self.as_choice(b)?);
        let condition = common_condition(a, b)?;
        let (yes, no) = (self.bool(f(a.yes, b.yes)), self.bool(f(a.no, b.no)));
        Some(match condition {
            None => yes,
            Some(condition) => self.ite(condition, yes, no),
        })
    }

    fn choose_bits(&mut self, width: u32, condition: Option<Term>, yes: u128, no: u128) -> Term {
        let yes = self.bits(width, yes);
        match condition {
            None => yes,
            Some(condition) => {
                let no = self.bits(width, no);
                self.ite(condition, yes, no)
            }
        }
    }

    /// The order of commutative arguments: by index, a constant last.
    fn ordered(&self, a: Term, b: Term) -> (Term, Term) {
        match (self.is_constant(a), self.is_constant(b)) {
            (true, false) => (b, a),
            (false, true) => (a, b),
            (true, true) | (false, false) => (a.min(b), a.max(b)),
        }
    }

    /// Both widths, which must be equal.
    fn common_width(&self, a: Term, b: Term) -> u32 {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "operands have one width");
        width
    }
}
