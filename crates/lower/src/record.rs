//! Values in memory: records by value, lowered *into* a destination address.
//!
//! A copy is one `copy` instruction with the record's shape, so each leaf is one access. Temporary
//! objects (arguments, results, rvalues whose members are used) are frame objects that come to life
//! just before use and die at the end of the full expression.

use crate::context::Class;
use crate::func::Lowerer;
use crate::place::access_of;
use braid_base::faults::active;
use braid_ir::{Access, Loc, Op, Operand, Order, Ty};
use braid_sema::hir::{self, ExprKind};
use braid_sema::types::TypeId;

/// The widest record that an atomic access can move.
const MAX_ATOMIC_BYTES: u64 = 16;

impl Lowerer<'_, '_, '_> {
    /// A fresh temporary object of a type; gives its address.
    pub fn temp_object(&mut self, ty: TypeId, loc: Loc) -> Operand {
        let align = self.cx.align_of(ty);
        let local = self.frame_object(ty, align, None);
        self.live_temp(local, loc)
    }

    pub fn live_temp(&mut self, local: braid_ir::LocalId, loc: Loc) -> Operand {
        self.body.emit(Op::LocalLive { local }, loc);
        self.temps.push(local);
        self.emit_value(braid_ir::Expr::LocalAddr(local), Ty::Ptr, loc)
    }

    /// Copies an object of type `ty`.
    pub fn copy(&mut self, dst: Operand, src: Operand, ty: TypeId, loc: Loc) {
        let size = self.cx.size_of(ty);
        if size == 0 {
            return;
        }
        let len = self.cx.word_const(size);
        let shape = self.cx.shape_of(ty);
        self.body.emit(Op::Copy { dst, src, len, shape, overlapping: false }, loc);
    }

    /// The address of an object that holds the value of an expression of record type; the object is
    /// not changed by what is evaluated later.
    pub fn materialise(&mut self, expr: &hir::Expr) -> Operand {
        let loc = self.loc(expr.span);
        if self.cx.class(expr.ty.ty) != Class::Aggregate {
            let value = self.value(expr);
            return self.scalar_object(value, expr.ty.ty, loc);
        }
        if let ExprKind::Call { callee, args } = &expr.kind {
            // The call's own temporary will do.
            if let crate::call::CallResult::Record(ptr) = self.call(expr, callee, args, loc) {
                return ptr;
            }
        }
        let ptr = self.temp_object(expr.ty.ty, loc);
        self.value_into(expr, ptr);
        ptr
    }

    fn scalar_object(&mut self, value: Operand, ty: TypeId, loc: Loc) -> Operand {
        let kept = self.body.keep(value);
        let ptr = self.temp_object(ty, loc);
        let value = self.body.settle(kept, loc);
        let scalar = self.cx.scalar(ty);
        self.store_at(ptr, scalar, value, Access::default(), loc);
        ptr
    }

    /// Evaluates an expression of record type and writes its value to `dest`.
    pub fn value_into(&mut self, expr: &hir::Expr, dest: Operand) {
        let loc = self.loc(expr.span);
        let ty = expr.ty.ty;
        match &expr.kind {
            ExprKind::Load(lvalue) if lvalue.ty.quals.is_atomic => {
                let src = self.address(lvalue);
                self.atomic_copy_out(dest, src, ty, Order::SeqCst, loc);
            }
            ExprKind::Load(lvalue) => {
                let src = self.address(lvalue);
                self.copy(dest, src, ty, loc);
            }
            ExprKind::Cond { cond, then, other } => {
                let (yes, no, after) = (self.body.new_block(), self.body.new_block(), self.body.new_block());
                self.branch_on(cond, yes, no);
                for (block, arm) in [(yes, then), (no, other)] {
                    self.body.current = block;
                    self.value_into(arm, dest);
                    self.body.flow_into(after, loc);
                }
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.value_into(second, dest);
            }
            ExprKind::Cast { operand, .. } => self.value_into(operand, dest),
            ExprKind::Assign { lhs, rhs } => {
                let src = self.assign_record_from(lhs, rhs, loc);
                self.copy(dest, src, ty, loc);
            }
            ExprKind::Call { callee, args } => {
                if let crate::call::CallResult::Record(src) = self.call(expr, callee, args, loc) {
                    self.copy(dest, src, ty, loc);
                }
            }
            ExprKind::VaArg { list } => {
                let src = self.va_arg_record(list, loc);
                self.copy(dest, src, ty, loc);
            }
            ExprKind::StmtExpr { body, result } => self.inside_statements(body, |this| {
                if let Some(result) = result {
                    this.value_into(result, dest);
                }
            }),
            ExprKind::Builtin { op, args } => self.record_builtin(*op, args, expr, dest, loc),
            ExprKind::Unsupported(what) => self.unsupported(what, loc),
            ExprKind::Local(_)
            | ExprKind::Entity(_)
            | ExprKind::Str(_)
            | ExprKind::Deref(_)
            | ExprKind::Member { .. }
            | ExprKind::CompoundLiteral { .. } => {
                let src = self.address(expr);
                self.copy(dest, src, ty, loc);
            }
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Decay(_)
            | ExprKind::AddrOf(_)
            | ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Compare { .. }
            | ExprKind::PtrAdd { .. }
            | ExprKind::PtrDiff { .. }
            | ExprKind::LogAnd(..)
            | ExprKind::LogOr(..)
            | ExprKind::LogNot(_)
            | ExprKind::CondOmitted { .. }
            | ExprKind::AssignOp(_)
            | ExprKind::AssignPtr { .. }
            | ExprKind::SetVlaLen { .. } => {
                self.unsupported("operator on a type without arithmetic", loc);
            }
        }
    }

    /// `lhs = rhs` of record type.
    pub fn assign_record(&mut self, lhs: &hir::Expr, rhs: &hir::Expr, loc: Loc) {
        if lhs.ty.quals.is_atomic {
            self.assign_record_from(lhs, rhs, loc);
            return;
        }
        let start = self.body.visible_so_far();
        let dest = self.address(lhs);
        let kept = self.body.keep(dest);
        let middle = self.body.visible_so_far();
        // A plain copy needs no temporary; anything else may look at the destination meanwhile.
        let src = match &rhs.kind {
            ExprKind::Load(lvalue) if !lvalue.ty.quals.is_atomic => self.address(lvalue),
            _ => self.materialise(rhs),
        };
        self.body.note_order(&[start, middle, self.body.visible_so_far()]);
        let dest = self.body.settle(kept, loc);
        self.copy(dest, src, lhs.ty.ty, loc);
    }

    /// The same by way of a temporary object, whose address is the result.
    fn assign_record_from(&mut self, lhs: &hir::Expr, rhs: &hir::Expr, loc: Loc) -> Operand {
        let dest = self.address(lhs);
        let kept = self.body.keep(dest);
        let src = self.materialise(rhs);
        let dest = self.body.settle(kept, loc);
        if lhs.ty.quals.is_atomic {
            self.atomic_copy_in(dest, src, lhs.ty.ty, access_of(lhs.ty).order, loc);
        } else {
            self.copy(dest, src, lhs.ty.ty, loc);
        }
        src
    }

    /// The integer type that moves an atomic record whole; `None` if there is none so wide: an atomic
    /// section moves it then, as a lock of the library would.
    pub fn atomic_cell(&self, ty: TypeId) -> Option<Ty> {
        let size = self.cx.size_of(ty);
        (1..=MAX_ATOMIC_BYTES).contains(&size).then_some(Ty::Int((size * 8) as u8))
    }

    /// Emits code inside an atomic section.
    pub fn in_section<R>(&mut self, loc: Loc, work: impl FnOnce(&mut Self) -> R) -> R {
        let torn = active("wide-atomic-torn");
        if !torn {
            self.body.emit(Op::AtomicBegin { when: None }, loc);
        }
        let result = work(self);
        if !torn {
            self.body.emit(Op::AtomicEnd, loc);
        }
        result
    }

    /// Reads the atomic record at `src` in one access and writes it to the private `dest`.
    pub fn atomic_copy_out(&mut self, dest: Operand, src: Operand, ty: TypeId, order: Order, loc: Loc) {
        match self.atomic_cell(ty) {
            Some(cell) => {
                let value = self.load_at(src, cell, Access { order, ..Access::default() }, loc);
                self.store_at(dest, cell, value, Access::default(), loc);
            }
            None => self.in_section(loc, |this| this.copy(dest, src, ty, loc)),
        }
    }

    /// Writes the record at the private `src` to the atomic `dest` in one access.
    pub fn atomic_copy_in(&mut self, dest: Operand, src: Operand, ty: TypeId, order: Order, loc: Loc) {
        match self.atomic_cell(ty) {
            Some(cell) => {
                let value = self.load_at(src, cell, Access::default(), loc);
                self.store_at(dest, cell, value, Access { order, ..Access::default() }, loc);
            }
            None => self.in_section(loc, |this| this.copy(dest, src, ty, loc)),
        }
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
    fn records_travel_by_address() {
        check(
            "struct P { int x, y; }; struct P g(struct P p) { return p; } int f(struct P p) { struct P q = g(p); p = q; return g(p).y; }",
            expect![[r#"
                fn &f(%p.0) -> i32
                  local l0 "q" s1 size 8 align 4
                  local l1 s1 size 8 align 4
                  local l2 s1 size 8 align 4
                  local l3 s1 size 8 align 4
                  local l4 s1 size 8 align 4
                b0:
                  live l0
                  %1 = local l0
                  live l1
                  %2 = local l1
                  copy %2, %p.0, 8:i64 s1
                  live l2
                  %3 = local l2
                  call &g(%3, %2)
                  copy %1, %3, 8:i64 s1
                  dead l1
                  dead l2
                  %4 = local l0
                  copy %p.0, %4, 8:i64 s1
                  live l3
                  %5 = local l3
                  copy %5, %p.0, 8:i64 s1
                  live l4
                  %6 = local l4
                  call &g(%6, %5)
                  %7 = ptradd %6, 4:i64
                  %8 = load i32 %7
                  dead l3
                  dead l4
                  ret %8
                }
            "#]],
        );
    }
}
