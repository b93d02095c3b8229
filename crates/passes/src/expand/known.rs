//! Facts about registers: constants, pointers made of numbers, and addresses of private objects.
//!
//! Expressions are folded by [`braid_ir::fold`]. The IR has no constant for a pointer that is a number, such as
//! `(void *)1`; but threads often get their number that way, so it is followed here.

use braid_ir::fold::{cut, fold, signed};
use braid_ir::{CastOp, CmpOp, Const, ConstId, ConstPool, Expr, GlobalId, LocalId, Operand, Ty};

/// An address so near behind the start of an object is not null.
const NEAR: i64 = 1 << 20;

/// A value that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    Const(ConstId),
    /// A pointer that is this number, not 0.
    Number(u128),
    /// An address in an object that only the running thread can reach.
    Address(Address),
}

/// A place in a private object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Address {
    pub base: Base,
    pub offset: i64,
}

/// An object that only the running thread can reach.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Base {
    /// A frame object of the new function, in one of its lives.
    Local {
        local: LocalId,
        life: u32,
    },
    ThreadLocal(GlobalId),
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
            Known::Number(_) | Known::Address(_) => otherwise,
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
            Known::Address(_) => None,
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
            Known::Number(_) | Known::Address(_) => None,
        }
    }

    /// The outcome of a comparison of pointers.
    fn pointers_compare(&self, op: CmpOp, a: Known, b: Known) -> Option<bool> {
        let (a, b) = match (a, b) {
            (Known::Address(a), Known::Address(b)) if a.base == b.base => (a.offset.into(), b.offset.into()),
            // No object lies at null.
            (Known::Address(a), b) | (b, Known::Address(a)) if (0..=NEAR).contains(&a.offset) => {
                let differ = op == CmpOp::Ne;
                let decided = matches!(op, CmpOp::Eq | CmpOp::Ne) && self.number(b) == Some(0);
                return decided.then_some(differ);
            }
            (Known::Const(a), Known::Const(b)) => match (self.pool.get(a), self.pool.get(b)) {
                (Const::Global(g, a), Const::Global(h, b)) if g == h => (a.into(), b.into()),
                _ => return self.numbers_compare(op, Known::Const(a), Known::Const(b)),
            },
            (a, b) => return self.numbers_compare(op, a, b),
        };
        let (a, b): (i128, i128) = (a, b);
        match op {
            CmpOp::Eq => Some(a == b),
            CmpOp::Ne => Some(a != b),
            CmpOp::Ult if a >= 0 && b >= 0 => Some(a < b),
            CmpOp::Ule if a >= 0 && b >= 0 => Some(a <= b),
            _ => None,
        }
    }

    fn numbers_compare(&self, op: CmpOp, a: Known, b: Known) -> Option<bool> {
        let (a, b) = (self.number(a)?, self.number(b)?);
        match op {
            CmpOp::Eq => Some(a == b),
            CmpOp::Ne => Some(a != b),
            _ => None,
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
                let offset = signed(self.int(lookup(offset)?)?, self.pointer_bits);
                match lookup(ptr)? {
                    Known::Number(start) => Some(self.pointer(start.wrapping_add(offset as u128))),
                    Known::Address(Address { base, offset: start }) => {
                        let offset = i64::try_from(i128::from(start).checked_add(offset)?).ok()?;
                        Some(Known::Address(Address { base, offset }))
                    }
                    Known::Const(_) => None,
                }
            }
            Expr::Compare { op, ty: Ty::Ptr, a, b } => {
                let holds = self.pointers_compare(op, lookup(a)?, lookup(b)?)?;
                Some(self.constant(Const::Int { width: 1, bits: u128::from(holds) }))
            }
            Expr::PtrDiff { a, b } => {
                let (Known::Address(a), Known::Address(b)) = (lookup(a)?, lookup(b)?) else { return None };
                let distance = i128::from(a.offset) - i128::from(b.offset);
                let bits = cut(distance as u128, self.pointer_bits);
                let value = Const::Int { width: self.pointer_bits, bits };
                (a.base == b.base).then(|| self.constant(value))
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
            | Expr::LocalAddr(_)
            | Expr::ThreadLocalAddr(_)
            | Expr::ObjectSize(_)
            | Expr::Math { .. } => None,
        }
    }
}
