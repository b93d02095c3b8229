//! What a term is made of.
//!
//! The set is small on purpose; whatever can be said with others has no node of its own:
//! `or(a, b)` is `not(and(not a, not b))`, `xor` is a negated `Eq` of Booleans, `a <= b` is
//! `not (b < a)`, `-x` is `0 - x`, a zero-extension is never a `Concat`, and shifts by constants are
//! `Concat`, `Extract` and extensions.

use crate::store::{SymbolId, Term};

/// Binary operations on two bit-vectors of one width, with the meaning SMT-LIB gives them
/// (division by zero included; shift counts are not reduced).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BvOp {
    Add,
    Sub,
    Mul,
    /// `x / 0` is all ones.
    Udiv,
    /// `x % 0` is `x`.
    Urem,
    /// Truncates. `x / 0` is -1 for `x >= 0` and 1 otherwise; the minimum divided by -1 wraps.
    Sdiv,
    /// The sign is the dividend's. `x % 0` is `x`.
    Srem,
    And,
    Or,
    Xor,
    /// Counts of the width or more give 0.
    Shl,
    /// Counts of the width or more give 0.
    Lshr,
    /// Counts of the width or more give copies of the sign.
    Ashr,
}

impl BvOp {
    pub const ALL: [BvOp; 13] = [
        BvOp::Add,
        BvOp::Sub,
        BvOp::Mul,
        BvOp::Udiv,
        BvOp::Urem,
        BvOp::Sdiv,
        BvOp::Srem,
        BvOp::And,
        BvOp::Or,
        BvOp::Xor,
        BvOp::Shl,
        BvOp::Lshr,
        BvOp::Ashr,
    ];

    pub fn is_commutative(self) -> bool {
        match self {
            BvOp::Add | BvOp::Mul | BvOp::And | BvOp::Or | BvOp::Xor => true,
            BvOp::Sub
            | BvOp::Udiv
            | BvOp::Urem
            | BvOp::Sdiv
            | BvOp::Srem
            | BvOp::Shl
            | BvOp::Lshr
            | BvOp::Ashr => false,
        }
    }
}

/// The top of a term. Arguments of commutative operations are in the order of their indices, except
/// that a constant comes last. Widths that the arguments do not determine (of constants, extensions and
/// constant arrays) are in the term's sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    Bool(bool),
    Bits(u128),
    Int(i128),
    Symbol(SymbolId),
    /// Of a Boolean.
    Not(Term),
    And(Term, Term),
    /// Of any sort; on Booleans neither argument is a negation.
    Eq(Term, Term),
    /// Of any sort; the condition is not a negation.
    Ite(Term, Term, Term),
    Binary(BvOp, Term, Term),
    /// Every bit complemented.
    BvNot(Term),
    /// The first argument is the upper part. Nested to the right.
    Concat(Term, Term),
    /// Bits `hi` down to `lo`, both included.
    Extract {
        hi: u8,
        lo: u8,
        of: Term,
    },
    /// To the width of the sort, which is larger than the argument's.
    ZeroExtend(Term),
    /// To the width of the sort, which is larger than the argument's.
    SignExtend(Term),
    /// Unsigned `<`.
    Ult(Term, Term),
    /// Signed `<`.
    Slt(Term, Term),
    /// Array, index.
    Select(Term, Term),
    /// Array, index, element.
    Store(Term, Term, Term),
    /// The element at every index.
    ConstArray(Term),
    IntAdd(Term, Term),
    IntMul(Term, Term),
    IntLt(Term, Term),
}

impl Node {
    /// The arguments, in order.
    pub fn children(&self) -> Children {
        let none = Term(0);
        let (args, len) = match *self {
            Node::Bool(_) | Node::Bits(_) | Node::Int(_) | Node::Symbol(_) => ([none; 3], 0),
            Node::Not(a)
            | Node::BvNot(a)
            | Node::Extract { of: a, .. }
            | Node::ZeroExtend(a)
            | Node::SignExtend(a)
            | Node::ConstArray(a) => ([a, none, none], 1),
            Node::And(a, b)
            | Node::Eq(a, b)
            | Node::Binary(_, a, b)
            | Node::Concat(a, b)
            | Node::Ult(a, b)
            | Node::Slt(a, b)
            | Node::Select(a, b)
            | Node::IntAdd(a, b)
            | Node::IntMul(a, b)
            | Node::IntLt(a, b) => ([a, b, none], 2),
            Node::Ite(a, b, c) | Node::Store(a, b, c) => ([a, b, c], 3),
        };
        Children { args, len, at: 0 }
    }
}

/// The arguments of a node: at most three.
#[derive(Clone, Debug)]
pub struct Children {
    args: [Term; 3],
    len: usize,
    at: usize,
}

impl Iterator for Children {
    type Item = Term;
    fn next(&mut self) -> Option<Term> {
        let next = self.args[..self.len].get(self.at).copied();
        self.at += 1;
        next
    }
}
