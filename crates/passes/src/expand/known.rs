//! What is known of registers: constants, and pointers made of numbers.
//!
//! Expressions are folded by [`braid_ir::fold`]. The IR has no constant for a pointer that is a number, such as
//! `(void *)1`; but threads often get their number that way, so it is followed here.

use braid_ir::fold::{cut, fold, signed};
use braid_ir::{CastOp, CmpOp, Const, ConstId, ConstPool, Expr, Operand, Ty};

/// A value that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    Const(ConstId),
    /// A pointer that is this number, not 0.
    Number(u128),
}

/// By register of a function.
pub(super) type Values = Vec<Option<Known>>;

/// Constants, and how many bits an address has.
pub(super) struct Folder<'a> {
    pub pool: &'a mut ConstPool,
    pub pointer_bits: u8,
}

impl Folder<'_> {
    /// The value of an expression over registers of which something is known. `renamed` is the expression with known
    /// constants in place of registers; what is returned besides is a simpler form of it.
    pub fn value(
        &mut self,
        expr: &Expr,
        renamed: Expr,
        lookup: &dyn Fn(Operand) -> Option<Known>,
    ) -> (Expr, Option<Known>) {
        if let Some(known) = self.with_numbers(expr, lookup) {
            return (self.shown(known, renamed), Some(known));
        }
        match fold(self.pool, self.pointer_bits, &renamed) {
            Some(operand @ Operand::Const(id)) => (Expr::Use(operand), Some(Known::Const(id))),
            Some(operand @ Operand::Reg(_)) => (Expr::Use(operand), None),
            None => (renamed, None),
        }
    }

    fn shown(&self, known: Known, otherwise: Expr) -> Expr {
        match known {
            Known::Const(id) => Expr::Use(Operand::Const(id)),
            Known::Number(_) => otherwise,
        }
    }

    fn constant(&mut self, value: Const) -> Known {
        Known::Const(self.pool.intern(value))
    }

    /// A pointer that is a number.
    pub fn pointer(&mut self, number: u128) -> Known {
        match cut(number, self.pointer_bits) {
            0 => self.constant(Const::Null),
            number => Known::Number(number),
        }
    }

    /// The number that a pointer is.
    pub fn number(&self, known: Known) -> Option<u128> {
        match known {
            Known::Number(number) => Some(number),
            Known::Const(id) => match self.pool.get(id) {
                Const::Null => Some(0),
                Const::Int { .. } | Const::F32(_) | Const::F64(_) | Const::Global(..) | Const::Func(_) => {
                    None
                }
            },
        }
    }

    fn int(&self, known: Known) -> Option<u128> {
        match known {
            Known::Const(id) => match self.pool.get(id) {
                Const::Int { bits, .. } => Some(bits),
                Const::F32(_) | Const::F64(_) | Const::Null | Const::Global(..) | Const::Func(_) => None,
            },
            Known::Number(_) => None,
        }
    }

    /// Expressions in which pointers are numbers, or that are one of their operands.
    fn with_numbers(&mut self, expr: &Expr, lookup: &dyn Fn(Operand) -> Option<Known>) -> Option<Known> {
        match *expr {
            Expr::Use(a) => lookup(a),
            Expr::Cast { op: CastOp::PtrToInt, a, .. } => {
                let bits = self.number(lookup(a)?)?;
                Some(self.constant(Const::Int { width: self.pointer_bits, bits }))
            }
            Expr::Cast { op: CastOp::IntToPtr, a, .. } => {
                let number = self.int(lookup(a)?)?;
                Some(self.pointer(number))
            }
            Expr::PtrAdd { ptr, offset } => {
                let (start, offset) = (self.number(lookup(ptr)?)?, self.int(lookup(offset)?)?);
                // Null plus something is an address that the interpreter tells from others.
                (start != 0).then(|| {
                    let offset = signed(offset, self.pointer_bits);
                    self.pointer(start.wrapping_add(offset as u128))
                })
            }
            Expr::Compare { op: op @ (CmpOp::Eq | CmpOp::Ne), ty: Ty::Ptr, a, b } => {
                let (a, b) = (self.number(lookup(a)?)?, self.number(lookup(b)?)?);
                let holds = (a == b) == (op == CmpOp::Eq);
                Some(self.constant(Const::Int { width: 1, bits: u128::from(holds) }))
            }
            Expr::Select { cond, then, other, .. } => {
                let chosen = if self.int(lookup(cond)?)? == 0 { other } else { then };
                lookup(chosen)
            }
            Expr::Unary { .. }
            | Expr::Binary { .. }
            | Expr::Compare { .. }
            | Expr::Fits { .. }
            | Expr::Cast { .. }
            | Expr::PtrDiff { .. }
            | Expr::LocalAddr(_)
            | Expr::ThreadLocalAddr(_)
            | Expr::ObjectSize(_)
            | Expr::Math { .. } => None,
        }
    }
}
