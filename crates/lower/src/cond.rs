//! Conditions: short-circuit control flow, and truth values as one bit.
//!
//! A comparison yields one bit, which a branch uses as it is; only a comparison used as a number is
//! widened to `int`.

use crate::func::Lowerer;
use braid_ir::{BlockId, CastOp, CmpOp, Expr, Loc, Operand, RegId, TermKind, Ty};
use braid_sema::hir::{self, CastKind, CompareOp, ExprKind};

impl Lowerer<'_, '_, '_> {
    /// Ends the current block by going to `then` if the expression is not zero, else to `other`. The
    /// caller chooses where to go on.
    pub fn branch_on(&mut self, cond: &hir::Expr, then: BlockId, other: BlockId) {
        match &cond.kind {
            ExprKind::LogNot(inner) => self.branch_on(inner, other, then),
            ExprKind::LogAnd(lhs, rhs) => {
                let next = self.body.new_block();
                self.branch_on(lhs, next, other);
                self.body.current = next;
                self.branch_on(rhs, then, other);
            }
            ExprKind::LogOr(lhs, rhs) => {
                let next = self.body.new_block();
                self.branch_on(lhs, then, next);
                self.body.current = next;
                self.branch_on(rhs, then, other);
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.branch_on(second, then, other);
            }
            ExprKind::Cast { operand, .. } if self.keeps_truth(cond) => self.branch_on(operand, then, other),
            _ => {
                let loc = self.loc(cond.span);
                let bit = self.truth(cond);
                self.branch_bit(bit, then, other, loc);
            }
        }
    }

    fn branch_bit(&mut self, bit: Operand, then: BlockId, other: BlockId, loc: Loc) {
        match self.cx.const_int(bit) {
            Some(0) => self.body.end(TermKind::Jump(other), loc),
            Some(_) => self.body.end(TermKind::Jump(then), loc),
            None => self.body.branch(bit, then, other, loc),
        }
    }

    /// Whether a cast's value is zero exactly if its operand is.
    fn keeps_truth(&self, cast: &hir::Expr) -> bool {
        let ExprKind::Cast { kind, operand } = &cast.kind else { return false };
        match kind {
            CastKind::ToBool | CastKind::Same => true,
            CastKind::Int => match (self.cx.scalar(operand.ty.ty), self.cx.scalar(cast.ty.ty)) {
                (Ty::Int(from), Ty::Int(to)) => to >= from,
                _ => false,
            },
            CastKind::IntToFloat
            | CastKind::FloatToInt
            | CastKind::Float
            | CastKind::PtrToInt
            | CastKind::IntToPtr
            | CastKind::Ptr
            | CastKind::ToVoid => false,
        }
    }

    /// Whether the expression is not zero, as one bit.
    pub fn truth(&mut self, expr: &hir::Expr) -> Operand {
        let loc = self.loc(expr.span);
        match &expr.kind {
            ExprKind::Compare { op, lhs, rhs } => self.compare(*op, lhs, rhs, loc),
            ExprKind::LogNot(inner) => {
                let bit = self.truth(inner);
                self.negate_bit(bit, loc)
            }
            ExprKind::Cast { operand, .. } if self.keeps_truth(expr) => self.truth(operand),
            ExprKind::LogAnd(..) | ExprKind::LogOr(..) => {
                let reg = self.logical(expr, Ty::BOOL, loc);
                Operand::Reg(reg)
            }
            _ => {
                let value = self.value(expr);
                let ty = self.cx.scalar(expr.ty.ty);
                self.nonzero(value, ty, loc)
            }
        }
    }

    pub fn negate_bit(&mut self, bit: Operand, loc: Loc) -> Operand {
        let zero = self.cx.int(1, 0);
        self.emit_value(Expr::Compare { op: CmpOp::Eq, ty: Ty::BOOL, a: bit, b: zero }, Ty::BOOL, loc)
    }

    /// Whether a value is not zero, as one bit.
    pub fn nonzero(&mut self, value: Operand, ty: Ty, loc: Loc) -> Operand {
        if ty == Ty::BOOL {
            return value;
        }
        let zero = self.cx.zero(ty);
        let op = match ty {
            Ty::Int(_) | Ty::Ptr => CmpOp::Ne,
            Ty::F32 | Ty::F64 => CmpOp::FNe,
        };
        self.emit_value(Expr::Compare { op, ty, a: value, b: zero }, Ty::BOOL, loc)
    }

    /// A bit as a number of type `ty`.
    pub fn widen_bit(&mut self, bit: Operand, ty: Ty, loc: Loc) -> Operand {
        match ty {
            Ty::BOOL => bit,
            _ => self.emit_value(Expr::Cast { op: CastOp::Zext, from: Ty::BOOL, to: ty, a: bit }, ty, loc),
        }
    }

    /// `&&`, `||` as a value: 0 or 1 in a register.
    pub fn logical(&mut self, expr: &hir::Expr, ty: Ty, loc: Loc) -> RegId {
        let result = self.body.temp(ty);
        let (then, other, after) = (self.body.new_block(), self.body.new_block(), self.body.new_block());
        self.branch_on(expr, then, other);
        let Ty::Int(width) = ty else { return result };
        for (block, bits) in [(then, 1), (other, 0)] {
            self.body.current = block;
            let value = self.cx.int(width, bits);
            self.set_temp(result, value, loc);
            self.body.flow_into(after, loc);
        }
        result
    }

    /// Assigns a temporary that several paths set.
    pub fn set_temp(&mut self, temp: RegId, value: Operand, loc: Loc) {
        self.body.emit(braid_ir::Op::Assign { dst: temp, value: Expr::Use(value) }, loc);
    }

    /// One bit: the comparison of two evaluated operands.
    pub fn compare(&mut self, op: CompareOp, lhs: &hir::Expr, rhs: &hir::Expr, loc: Loc) -> Operand {
        let (a, b) = self.two_values(lhs, rhs, loc);
        let ty = self.cx.scalar(lhs.ty.ty);
        let is_signed = self.cx.is_signed(lhs.ty.ty);
        self.compare_values(op, ty, is_signed, a, b, loc)
    }

    pub fn compare_values(
        &mut self,
        op: CompareOp,
        ty: Ty,
        is_signed: bool,
        a: Operand,
        b: Operand,
        loc: Loc,
    ) -> Operand {
        let (equal, differ, less, at_most) = match ty {
            Ty::F32 | Ty::F64 => (CmpOp::FEq, CmpOp::FNe, CmpOp::FLt, CmpOp::FLe),
            Ty::Int(_) if is_signed => (CmpOp::Eq, CmpOp::Ne, CmpOp::Slt, CmpOp::Sle),
            Ty::Int(_) | Ty::Ptr => (CmpOp::Eq, CmpOp::Ne, CmpOp::Ult, CmpOp::Ule),
        };
        let (op, a, b) = match op {
            CompareOp::Eq => (equal, a, b),
            CompareOp::Ne => (differ, a, b),
            CompareOp::Lt => (less, a, b),
            CompareOp::Le => (at_most, a, b),
            CompareOp::Gt => (less, b, a),
            CompareOp::Ge => (at_most, b, a),
        };
        self.emit_value(Expr::Compare { op, ty, a, b }, Ty::BOOL, loc)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::ir_of;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&ir_of(text));
    }

    #[test]
    fn comparisons_are_bits_until_used() {
        check(
            "int f(int a, int b) { if (!(a < b)) return a == b; return a && b; }",
            expect![[r#"
                fn &f(%a.0, %b.1) -> i32
                b0:
                  %2 = slt i32 %a.0, %b.1
                  br %2, b1, b6
                b1:
                  %6 = ne i32 %a.0, 0:i32
                  br %6, b2, b5
                b2:
                  %7 = ne i32 %b.1, 0:i32
                  br %7, b3, b5
                b3:
                  %5 = 1:i32
                  jump b4
                b4:
                  ret %5
                b5:
                  %5 = 0:i32
                  jump b4
                b6:
                  %3 = eq i32 %a.0, %b.1
                  %4 = zext i1 %3 to i32
                  ret %4
                }
            "#]],
        );
    }
}
