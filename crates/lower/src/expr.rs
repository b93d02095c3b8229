//! Expressions of scalar type, and expressions evaluated for their effects.
//!
//! Evaluation is strictly left to right, one instruction per access of memory. Where C leaves the
//! order of two visible operations open this is one of the allowed orders; the assumption `operands
//! left to right` that goes with it is not recorded here yet.

use crate::context::Class;
use crate::func::Lowerer;
use crate::place::is_lvalue;
use braid_ir::{BinOp, CastOp, Expr, Loc, Operand, Ty};
use braid_sema::hir::{self, Bound, CastKind, ExprKind, StmtKind};
use braid_sema::types::TypeKind;

impl Lowerer<'_, '_, '_> {
    /// The value of a scalar expression.
    pub fn value(&mut self, expr: &hir::Expr) -> Operand {
        let loc = self.loc(expr.span);
        match &expr.kind {
            ExprKind::Int(bits) => self.int_constant(*bits, expr, loc),
            ExprKind::Float(value) => {
                self.note_long_double(expr.ty.ty);
                let ty = self.cx.scalar(expr.ty.ty);
                self.cx.float(ty, *value)
            }
            ExprKind::Local(_)
            | ExprKind::Entity(_)
            | ExprKind::Str(_)
            | ExprKind::Deref(_)
            | ExprKind::Member { .. }
            | ExprKind::CompoundLiteral { .. } => self.lvalue_value(expr, loc),
            ExprKind::Load(lvalue) => {
                self.note_long_double(expr.ty.ty);
                let place = self.place(lvalue);
                self.load(place, expr.ty.ty, loc)
            }
            ExprKind::Decay(lvalue) | ExprKind::AddrOf(lvalue) => self.address(lvalue),
            ExprKind::Cast { kind, operand } => self.cast_value(*kind, operand, expr, loc),
            ExprKind::Unary { op, operand } => {
                let a = self.value(operand);
                self.unary(*op, expr.ty.ty, a, loc)
            }
            ExprKind::Binary { op, lhs, rhs } => {
                let (a, b) = self.two_values(lhs, rhs, loc);
                self.binary(*op, expr.ty.ty, rhs.ty.ty, a, b, loc)
            }
            ExprKind::Compare { .. } | ExprKind::LogNot(_) => {
                let bit = self.truth(expr);
                let ty = self.cx.scalar(expr.ty.ty);
                self.widen_bit(bit, ty, loc)
            }
            ExprKind::LogAnd(..) | ExprKind::LogOr(..) => {
                let ty = self.cx.scalar(expr.ty.ty);
                Operand::Reg(self.logical(expr, ty, loc))
            }
            ExprKind::PtrAdd { ptr, index, size, negate, bound } => {
                let start = self.body.visible_so_far();
                let base = self.value(ptr);
                self.pointer_sum((base, start), index, size, *negate, *bound, loc)
            }
            ExprKind::PtrDiff { lhs, rhs, size } => self.pointer_difference(lhs, rhs, size, expr, loc),
            ExprKind::Cond { cond, then, other } => self.conditional(cond, then, other, expr, loc),
            ExprKind::CondOmitted { cond, convert, other } => {
                self.conditional_omitted(cond, convert, other, expr, loc)
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.value(second)
            }
            ExprKind::Assign { lhs, rhs } => self.assign(lhs, rhs, true, loc),
            ExprKind::AssignOp(assign) => self.assign_op(assign, true, loc),
            ExprKind::AssignPtr { lhs, index, size, negate, result } => {
                self.assign_ptr(lhs, (index, size, *negate), Some(*result), loc)
            }
            ExprKind::Call { callee, args } => {
                let result = self.call(expr, callee, args, loc);
                self.scalar_result(result, expr)
            }
            ExprKind::Builtin { op, args } => self.builtin(*op, args, expr, loc),
            ExprKind::VaArg { list } => self.va_arg(list, expr, loc),
            ExprKind::StmtExpr { body, result } => self.statement_value(body, result.as_deref(), expr),
            ExprKind::SetVlaLen { local, count } => {
                self.set_vla_len(*local, count, loc);
                self.dead_value(expr)
            }
            ExprKind::Unsupported(what) => {
                self.unsupported(what, loc);
                self.dead_value(expr)
            }
        }
    }

    /// A value for code that is never reached, or for an expression of type `void`.
    pub fn dead_value(&mut self, expr: &hir::Expr) -> Operand {
        let ty = self.cx.scalar(expr.ty.ty);
        self.cx.zero(ty)
    }

    fn int_constant(&mut self, bits: u128, expr: &hir::Expr, loc: Loc) -> Operand {
        match self.cx.scalar(expr.ty.ty) {
            Ty::Int(width) => self.cx.int(width, bits),
            Ty::Ptr => {
                let word = self.cx.word();
                let value = self.cx.int(self.cx.pointer_bits(), bits);
                self.cast(CastOp::IntToPtr, value, word, Ty::Ptr, loc)
            }
            ty @ (Ty::F32 | Ty::F64) => self.cx.float(ty, bits as f64),
        }
    }

    /// An lvalue where a value is expected: a function designator or an array stands for its address.
    fn lvalue_value(&mut self, expr: &hir::Expr, loc: Loc) -> Operand {
        let designates_address =
            matches!(self.cx.types.kind(expr.ty.ty), TypeKind::Function(_) | TypeKind::Array { .. });
        if designates_address {
            return self.address(expr);
        }
        let place = self.place(expr);
        self.load(place, expr.ty.ty, loc)
    }

    pub fn two_values(&mut self, lhs: &hir::Expr, rhs: &hir::Expr, loc: Loc) -> (Operand, Operand) {
        let start = self.body.visible_so_far();
        let a = self.value(lhs);
        let a = self.body.keep(a);
        let middle = self.body.visible_so_far();
        let b = self.value(rhs);
        self.body.note_order(&[start, middle, self.body.visible_so_far()]);
        (self.body.settle(a, loc), b)
    }

    fn cast_value(&mut self, kind: CastKind, operand: &hir::Expr, expr: &hir::Expr, loc: Loc) -> Operand {
        self.note_long_double(expr.ty.ty);
        match kind {
            CastKind::ToVoid => {
                self.effect(operand);
                self.dead_value(expr)
            }
            CastKind::ToBool => {
                let bit = self.truth(operand);
                let ty = self.cx.scalar(expr.ty.ty);
                self.widen_bit(bit, ty, loc)
            }
            _ => {
                let value = self.value(operand);
                self.convert(kind, operand.ty.ty, expr.ty.ty, value, loc)
            }
        }
    }

    /// `base ± index * size`; `start` is where the evaluation of the base began.
    pub fn pointer_sum(
        &mut self,
        (base, start): (Operand, u32),
        index: &hir::Expr,
        size: &hir::Expr,
        negate: bool,
        bound: Bound,
        loc: Loc,
    ) -> Operand {
        let base = self.body.keep(base);
        let middle = self.body.visible_so_far();
        let position = self.value(index);
        let position = self.body.keep(position);
        self.body.note_order(&[start, middle, self.body.visible_so_far()]);
        let size = self.value(size);
        let position = self.body.settle(position, loc);
        let position = self.index_word(position, index.ty.ty, loc);
        self.subscript_check(position, bound, loc);
        let base = self.body.settle(base, loc);
        self.pointer_step(base, position, size, negate, loc)
    }

    fn pointer_difference(
        &mut self,
        lhs: &hir::Expr,
        rhs: &hir::Expr,
        size: &hir::Expr,
        expr: &hir::Expr,
        loc: Loc,
    ) -> Operand {
        let (a, b) = self.two_values(lhs, rhs, loc);
        let word = self.cx.word();
        let bytes = self.emit_value(Expr::PtrDiff { a, b }, word, loc);
        let size = self.value(size);
        let elements = match self.cx.const_int(size) {
            Some(0 | 1) => bytes,
            _ => self.emit_value(Expr::Binary { op: BinOp::SDiv, ty: word, a: bytes, b: size }, word, loc),
        };
        let ty = self.cx.scalar(expr.ty.ty);
        self.resize(elements, word, true, ty, loc)
    }

    fn conditional(
        &mut self,
        cond: &hir::Expr,
        then: &hir::Expr,
        other: &hir::Expr,
        expr: &hir::Expr,
        loc: Loc,
    ) -> Operand {
        let ty = self.cx.scalar(expr.ty.ty);
        let result = self.body.temp(ty);
        let (yes, no, after) = (self.body.new_block(), self.body.new_block(), self.body.new_block());
        self.branch_on(cond, yes, no);
        for (block, arm) in [(yes, then), (no, other)] {
            self.body.current = block;
            if self.cx.class(arm.ty.ty) == Class::Scalar(ty) {
                let value = self.value(arm);
                self.set_temp(result, value, loc);
            } else {
                // `void` on one side: the value is not used.
                self.effect(arm);
                let value = self.cx.zero(ty);
                self.set_temp(result, value, loc);
            }
            self.body.flow_into(after, loc);
        }
        Operand::Reg(result)
    }

    fn conditional_omitted(
        &mut self,
        cond: &hir::Expr,
        convert: &[(CastKind, braid_sema::types::QualType)],
        other: &hir::Expr,
        expr: &hir::Expr,
        loc: Loc,
    ) -> Operand {
        let ty = self.cx.scalar(expr.ty.ty);
        let result = self.body.temp(ty);
        let (yes, no, after) = (self.body.new_block(), self.body.new_block(), self.body.new_block());
        let value = self.value(cond);
        let cond_ty = self.cx.scalar(cond.ty.ty);
        let bit = self.nonzero(value, cond_ty, loc);
        self.body.branch(bit, yes, no, loc);
        self.body.current = yes;
        let value = self.convert_all(convert, cond.ty.ty, value, loc);
        self.set_temp(result, value, loc);
        self.body.jump_then(after, no, loc);
        let value = self.value(other);
        self.set_temp(result, value, loc);
        self.body.flow_into(after, loc);
        Operand::Reg(result)
    }

    fn statement_value(&mut self, body: &hir::Stmt, result: Option<&hir::Expr>, expr: &hir::Expr) -> Operand {
        let mut value = None;
        self.inside_statements(body, |this| {
            if let Some(result) = result {
                value = Some(this.value(result));
            }
        });
        value.unwrap_or_else(|| self.dead_value(expr))
    }

    /// Runs the statements of a statement expression, then `last` inside their scope.
    pub fn inside_statements(&mut self, body: &hir::Stmt, last: impl FnOnce(&mut Self)) {
        let loc = self.loc(body.span);
        if let StmtKind::Block { locals, stmts } = &body.kind {
            let scope = self.enter_block(locals, loc);
            for stmt in stmts {
                self.stmt(stmt);
            }
            last(self);
            self.leave_block(scope, loc);
        } else {
            self.stmt(body);
            last(self);
        }
    }

    fn set_vla_len(&mut self, local: hir::LocalId, count: &hir::Expr, loc: Loc) {
        let value = self.value(count);
        let from = self.cx.scalar(count.ty.ty);
        let is_signed = self.cx.is_signed(count.ty.ty);
        let ty = self.locals[local].ty.ty;
        let to = self.cx.scalar(ty);
        let value = self.resize(value, from, is_signed, to, loc);
        let place = match self.homes[local] {
            crate::func::Home::Reg(reg) => crate::place::Place::Reg(reg),
            _ => {
                let ptr = self.local_address(local, loc);
                crate::place::Place::Memory { ptr, access: braid_ir::Access::default() }
            }
        };
        self.store(place, ty, value, loc);
    }

    /// Evaluates an expression whose value is not used.
    pub fn effect(&mut self, expr: &hir::Expr) {
        let loc = self.loc(expr.span);
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => {}
            ExprKind::Load(lvalue) => self.discarded_load(lvalue, expr),
            ExprKind::Cast { operand, .. } if self.says_unused(expr, operand) => {}
            ExprKind::Cast { operand, .. } => self.effect(operand),
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.effect(second);
            }
            ExprKind::Cond { cond, then, other } => {
                let (yes, no, after) = (self.body.new_block(), self.body.new_block(), self.body.new_block());
                self.branch_on(cond, yes, no);
                for (block, arm) in [(yes, then), (no, other)] {
                    self.body.current = block;
                    self.effect(arm);
                    self.body.flow_into(after, loc);
                }
            }
            ExprKind::LogAnd(..) | ExprKind::LogOr(..) => {
                let after = self.body.new_block();
                self.branch_on(expr, after, after);
                self.body.current = after;
            }
            ExprKind::Assign { lhs, rhs } => self.assign_effect(lhs, rhs, loc),
            ExprKind::AssignOp(assign) => {
                self.assign_op(assign, false, loc);
            }
            ExprKind::AssignPtr { lhs, index, size, negate, .. } => {
                self.assign_ptr(lhs, (index, size, *negate), None, loc);
            }
            ExprKind::Call { callee, args } => self.call_for_effect(expr, callee, args, loc),
            ExprKind::StmtExpr { body, result } => self.inside_statements(body, |this| {
                if let Some(result) = result {
                    this.effect(result);
                }
            }),
            ExprKind::CompoundLiteral { local, init } => self.initialise(*local, init, loc),
            _ if is_lvalue(expr) => {
                self.address(expr);
            }
            _ => match self.cx.class(expr.ty.ty) {
                Class::Aggregate => {
                    self.materialise(expr);
                }
                Class::Void | Class::Scalar(_) => {
                    self.value(expr);
                }
            },
        }
    }

    /// `(void)x` is how C says "unused", not an access.
    fn says_unused(&self, cast: &hir::Expr, operand: &hir::Expr) -> bool {
        let ExprKind::Load(lvalue) = &operand.kind else { return false };
        let quals = lvalue.ty.quals;
        let named = matches!(lvalue.kind, ExprKind::Local(_) | ExprKind::Entity(_));
        let to_void = matches!(self.cx.class(cast.ty.ty), Class::Void);
        to_void && named && !quals.is_volatile && !quals.is_atomic
    }

    /// A value that is read and dropped.
    fn discarded_load(&mut self, lvalue: &hir::Expr, expr: &hir::Expr) {
        match self.cx.class(expr.ty.ty) {
            Class::Aggregate | Class::Void => {
                self.address(lvalue);
            }
            Class::Scalar(_) => {
                self.value(expr);
            }
        }
    }
}
