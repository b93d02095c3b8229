//! Assignment, compound assignment, `++` and `--`.
//!
//! An update names the type it computes in and the conversions on both sides, so that the lvalue is
//! evaluated once.

use crate::assignable::Purpose;
use crate::check::{Checker, int_const, is_lvalue, node};
use crate::hir::{AssignOp, BinaryOp, Expr, ExprKind, IncResult};
use crate::ops::{Class, classify};
use crate::types::{IntKind, QualType, TypeId};
use braid_base::Span;
use braid_syntax::ast;

impl Checker<'_> {
    /// Reports unless the lvalue can be assigned to.
    fn check_modifiable(&mut self, lhs: &Expr, span: Span) -> bool {
        if self.types.is_error(lhs.ty.ty) {
            return false;
        }
        let problem = if !is_lvalue(lhs) || self.types.is_function(lhs.ty.ty) {
            (
                "lvalue-required",
                "the left side of an assignment must be a variable, member or '*pointer'".to_owned(),
            )
        } else if self.types.is_array(lhs.ty.ty) {
            ("array-assignment", "an array cannot be assigned to".to_owned())
        } else if lhs.ty.quals.is_const || self.has_const_member(lhs.ty) {
            ("read-only", format!("assignment to {}, which is 'const'", self.describe(lhs)))
        } else if !self.types.is_complete(lhs.ty.ty) {
            ("incomplete-type", format!("assignment to incomplete type '{}'", self.types.show(lhs.ty)))
        } else {
            return true;
        };
        self.error(problem.0, span, problem.1);
        false
    }

    fn describe(&self, lvalue: &Expr) -> String {
        match &lvalue.kind {
            ExprKind::Entity(id) => format!("'{}'", self.info[*id].c_name),
            ExprKind::Local(id) => match self.func.as_ref().and_then(|f| f.locals[*id].name) {
                Some(name) => format!("'{name}'"),
                None => "an object".to_owned(),
            },
            ExprKind::Member { .. } => "a member".to_owned(),
            _ => "an object".to_owned(),
        }
    }

    pub fn assign(&mut self, lhs: &ast::Expr, rhs: &ast::Expr, span: Span) -> Expr {
        let (lhs, rhs) = (self.expr(lhs), self.rvalue(rhs));
        if !self.check_modifiable(&lhs, span) {
            return self.error_expr(span);
        }
        let rhs = self.assign_convert(rhs, lhs.ty, Purpose::Assign, span);
        if self.types.is_error(rhs.ty.ty) {
            return rhs;
        }
        let ty = lhs.ty.ty;
        node(ExprKind::Assign { lhs: Box::new(lhs), rhs: Box::new(rhs) }, ty, span)
    }

    pub fn compound_assign(
        &mut self,
        op: ast::BinaryOp,
        lhs: &ast::Expr,
        rhs: &ast::Expr,
        span: Span,
    ) -> Expr {
        let (lhs, rhs) = (self.expr(lhs), self.rvalue(rhs));
        let (a, b) = (lhs.ty.ty, rhs.ty.ty);
        if !self.check_modifiable(&lhs, span) || self.types.is_error(b) {
            return self.error_expr(span);
        }
        if self.types.is_unsupported(a) || self.types.is_unsupported(b) {
            let odd = if self.types.is_unsupported(a) { a } else { b };
            return self.unsupported_operator(odd, a, span);
        }
        match classify(op) {
            Class::Arithmetic(arithmetic @ (BinaryOp::Add | BinaryOp::Sub))
                if self.types.is_pointer(a) && self.types.is_integer(b) =>
            {
                self.assign_ptr(lhs, rhs, arithmetic == BinaryOp::Sub, IncResult::New, span)
            }
            Class::Arithmetic(arithmetic) if self.arithmetic_operands(arithmetic, a, b) => {
                let rhs = self.promote(rhs);
                let own = self.promoted_lvalue(&lhs);
                let compute = self.common_type(own, rhs.ty.ty);
                let rhs = self.convert(rhs, compute);
                self.assign_op(arithmetic, lhs, rhs, compute, IncResult::New, span)
            }
            Class::Shift(shift) if self.types.is_integer(a) && self.types.is_integer(b) => {
                let rhs = self.promote(rhs);
                let compute = self.promoted_lvalue(&lhs);
                self.assign_op(shift, lhs, rhs, compute, IncResult::New, span)
            }
            Class::Arithmetic(_) | Class::Shift(_) | Class::Compare(_) | Class::And | Class::Or => {
                self.bad_operands(op, a, b, span)
            }
        }
    }

    /// The type an arithmetic lvalue's value is promoted to.
    fn promoted_lvalue(&mut self, lvalue: &Expr) -> TypeId {
        let ty = lvalue.ty.ty;
        if !self.types.is_integer(ty) {
            return ty;
        }
        let kind = match &lvalue.kind {
            ExprKind::Member { bits: Some(bits), .. } if bits.width < 32 => IntKind::Int,
            ExprKind::Member { bits: Some(bits), .. } if bits.width == 32 => {
                if self.types.is_signed_type(ty) { IntKind::Int } else { IntKind::UInt }
            }
            _ => self.promoted_kind(ty),
        };
        self.types.int(kind)
    }

    fn assign_op(
        &mut self,
        op: BinaryOp,
        lhs: Expr,
        rhs: Expr,
        compute: TypeId,
        result: IncResult,
        span: Span,
    ) -> Expr {
        let ty = lhs.ty.ty;
        let convert = self.cast_steps(ty, compute);
        let back = self.cast_steps(compute, ty);
        let compute = QualType::plain(compute);
        let update = AssignOp { op, lhs, rhs, convert, compute, back, result };
        node(ExprKind::AssignOp(Box::new(update)), ty, span)
    }

    fn assign_ptr(&mut self, lhs: Expr, index: Expr, negate: bool, result: IncResult, span: Span) -> Expr {
        let Some(size) = self.pointee_size(&lhs, span) else { return self.error_expr(span) };
        let ty = lhs.ty.ty;
        let kind = ExprKind::AssignPtr {
            lhs: Box::new(lhs),
            index: Box::new(index),
            size: Box::new(size),
            negate,
            result,
        };
        node(kind, ty, span)
    }

    pub fn increment(&mut self, operand: &ast::Expr, down: bool, post: bool, span: Span) -> Expr {
        let lhs = self.expr(operand);
        if !self.check_modifiable(&lhs, span) {
            return self.error_expr(span);
        }
        let ty = lhs.ty.ty;
        let result = if post { IncResult::Old } else { IncResult::New };
        if self.types.is_unsupported(ty) {
            return self.unsupported_operator(ty, ty, span);
        }
        if self.types.is_pointer(ty) {
            let one = self.int_value(1, span);
            return self.assign_ptr(lhs, one, down, result, span);
        }
        if !self.types.is_arithmetic(ty) {
            let shown = self.show(ty);
            self.error("bad-operand", span, format!("'++' and '--' do not take type '{shown}'"));
            return self.error_expr(span);
        }
        let compute = self.promoted_lvalue(&lhs);
        let one = if self.types.is_float(compute) {
            node(ExprKind::Float(1.0), compute, span)
        } else {
            int_const(1, compute, span)
        };
        let op = if down { BinaryOp::Sub } else { BinaryOp::Add };
        self.assign_op(op, lhs, one, compute, result, span)
    }
}
