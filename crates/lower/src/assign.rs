//! Assignments: plain, compound, increments.
//!
//! The address of the left operand comes first, then the right operand, then the store. A compound
//! assignment of memory is a load and a store: two visible steps. Of an `_Atomic` object it is one
//! read-modify-write where the IR has it, else a loop around compare-and-exchange.

use crate::context::Class;
use crate::func::Lowerer;
use crate::place::Place;
use braid_ir::{CmpXchg, Expr, Loc, Op, Operand, Order, RmwOp, Ty};
use braid_sema::hir::{self, AssignOp, BinaryOp, IncResult};

/// The operands of `p ± n`: index, element size, minus.
pub(crate) type PtrStep<'a> = (&'a hir::Expr, &'a hir::Expr, bool);

impl Lowerer<'_, '_, '_> {
    /// `lhs = rhs` of scalar type. The value of the expression is asked for only if `wanted`.
    pub fn assign(&mut self, lhs: &hir::Expr, rhs: &hir::Expr, wanted: bool, loc: Loc) -> Operand {
        let start = self.body.visible_so_far();
        let place = self.place(lhs);
        let kept = self.keep_place(place);
        let middle = self.body.visible_so_far();
        let value = self.value(rhs);
        self.body.note_order(&[start, middle, self.body.visible_so_far()]);
        let place = self.settle_place(kept, loc);
        self.store(place, lhs.ty.ty, value, loc);
        if wanted { self.stored_value(place, lhs.ty.ty, value, loc) } else { value }
    }

    pub fn assign_effect(&mut self, lhs: &hir::Expr, rhs: &hir::Expr, loc: Loc) {
        match self.cx.class(lhs.ty.ty) {
            Class::Aggregate => self.assign_record(lhs, rhs, loc),
            Class::Scalar(_) => {
                self.assign(lhs, rhs, false, loc);
            }
            Class::Void => {
                self.effect(lhs);
                self.effect(rhs);
            }
        }
    }

    /// `lhs op= rhs`, `++lhs`, `lhs++`, ….
    pub fn assign_op(&mut self, assign: &AssignOp, wanted: bool, loc: Loc) -> Operand {
        let start = self.body.visible_so_far();
        let place = self.place(&assign.lhs);
        if let (Place::Memory { ptr, .. }, true) = (place, place.is_atomic()) {
            return self.assign_op_atomic(assign, (start, ptr), wanted, loc);
        }
        let ty = assign.lhs.ty.ty;
        let kept_place = self.keep_place(place);
        let old = self.load(place, ty, loc);
        let kept = self.body.keep(old);
        let middle = self.body.visible_so_far();
        let rhs = self.value(&assign.rhs);
        self.body.note_order(&[start, middle, self.body.visible_so_far()]);
        let old = self.body.settle(kept, loc);
        let place = self.settle_place(kept_place, loc);
        let kept_result = self.body.keep(old);
        let new = self.combine(assign, old, rhs, loc);
        self.store(place, ty, new, loc);
        match assign.result {
            _ if !wanted => new,
            IncResult::New => self.stored_value(place, ty, new, loc),
            IncResult::Old => self.body.settle(kept_result, loc),
        }
    }

    /// The new value of `lhs op= rhs`.
    fn combine(&mut self, assign: &AssignOp, old: Operand, rhs: Operand, loc: Loc) -> Operand {
        let old = self.convert_all(&assign.convert, assign.lhs.ty.ty, old, loc);
        let compute = assign.compute.ty;
        let new = self.binary(assign.op, compute, assign.rhs.ty.ty, old, rhs, loc);
        self.convert_all(&assign.back, compute, new, loc)
    }

    /// `lhs ± n` for pointers; `result` says which value is wanted, if any.
    pub fn assign_ptr(
        &mut self,
        lhs: &hir::Expr,
        (index, size, negate): PtrStep<'_>,
        result: Option<IncResult>,
        loc: Loc,
    ) -> Operand {
        let place = self.place(lhs);
        if let (Place::Memory { ptr, .. }, true) = (place, place.is_atomic()) {
            return self.assign_ptr_atomic(ptr, (index, size, negate), result, loc);
        }
        let ty = lhs.ty.ty;
        let kept_place = self.keep_place(place);
        let old = self.load(place, ty, loc);
        let kept = self.body.keep(old);
        let count = self.value(index);
        let size = self.value(size);
        let old = self.body.settle(kept, loc);
        let place = self.settle_place(kept_place, loc);
        let kept_result = self.body.keep(old);
        let new = self.pointer_add(old, (count, index.ty.ty), size, negate, loc);
        self.store(place, ty, new, loc);
        match result {
            Some(IncResult::Old) => self.body.settle(kept_result, loc),
            Some(IncResult::New) => self.stored_value(place, ty, new, loc),
            None => new,
        }
    }

    /// With the point where the evaluation of `ptr` began.
    fn assign_op_atomic(
        &mut self,
        assign: &AssignOp,
        (start, ptr): (u32, Operand),
        wanted: bool,
        loc: Loc,
    ) -> Operand {
        let kept = self.body.keep(ptr);
        let middle = self.body.visible_so_far();
        let rhs = self.value(&assign.rhs);
        self.body.note_order(&[start, middle, self.body.visible_so_far()]);
        let ptr = self.body.settle(kept, loc);
        let c_ty = assign.lhs.ty.ty;
        let ty = self.cx.scalar(c_ty);
        let compute = self.cx.scalar(assign.compute.ty);
        let op = match assign.op {
            BinaryOp::Add => Some(RmwOp::Add),
            BinaryOp::Sub => Some(RmwOp::Sub),
            BinaryOp::And => Some(RmwOp::And),
            BinaryOp::Or => Some(RmwOp::Or),
            BinaryOp::Xor => Some(RmwOp::Xor),
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr => None,
        };
        // These operators commute with cutting the result to the narrower type; `_Bool` does not cut.
        if let (Some(op), Ty::Int(_), Ty::Int(_), false) = (op, ty, compute, self.cx.is_bool(c_ty)) {
            let value = self.resize(rhs, compute, false, ty, loc);
            let dst = self.body.temp(ty);
            self.body.emit(Op::Rmw { dst, op, ty, ptr, value, order: Order::SeqCst }, loc);
            let old = Operand::Reg(dst);
            return match assign.result {
                IncResult::New if wanted => self.rmw_result(op, ty, old, value, loc),
                IncResult::New | IncResult::Old => old,
            };
        }
        let (old, new) =
            self.update_loop(ptr, ty, Order::SeqCst, loc, |this, old| this.combine(assign, old, rhs, loc));
        match assign.result {
            IncResult::Old => old,
            IncResult::New => new,
        }
    }

    fn assign_ptr_atomic(
        &mut self,
        ptr: Operand,
        (index, size, negate): PtrStep<'_>,
        result: Option<IncResult>,
        loc: Loc,
    ) -> Operand {
        let kept = self.body.keep(ptr);
        let count = self.value(index);
        let size = self.value(size);
        let ptr = self.body.settle(kept, loc);
        let (old, new) = self.update_loop(ptr, Ty::Ptr, Order::SeqCst, loc, |this, old| {
            this.pointer_add(old, (count, index.ty.ty), size, negate, loc)
        });
        match result {
            Some(IncResult::Old) | None => old,
            Some(IncResult::New) => new,
        }
    }

    /// What a read-modify-write leaves behind.
    pub fn rmw_result(&mut self, op: RmwOp, ty: Ty, old: Operand, value: Operand, loc: Loc) -> Operand {
        use braid_ir::{BinOp, UnOp};
        let op = match op {
            RmwOp::Exchange => return value,
            RmwOp::Add => BinOp::Add,
            RmwOp::Sub => BinOp::Sub,
            RmwOp::And => BinOp::And,
            RmwOp::Or => BinOp::Or,
            RmwOp::Xor => BinOp::Xor,
            RmwOp::Nand => {
                let both = Expr::Binary { op: BinOp::And, ty, a: old, b: value };
                let both = self.emit_value(both, ty, loc);
                return self.emit_value(Expr::Unary { op: UnOp::Not, ty, a: both }, ty, loc);
            }
        };
        self.emit_value(Expr::Binary { op, ty, a: old, b: value }, ty, loc)
    }

    /// Replaces the value at `ptr` by a function of it: load, compute, compare-and-exchange until it
    /// succeeds. Gives the old and the new value.
    pub fn update_loop(
        &mut self,
        ptr: Operand,
        ty: Ty,
        order: Order,
        loc: Loc,
        compute: impl FnOnce(&mut Self, Operand) -> Operand,
    ) -> (Operand, Operand) {
        // Floats are compared as bits, so that NaN and -0 behave.
        let cell = match ty {
            Ty::F32 => Ty::Int(32),
            Ty::F64 => Ty::Int(64),
            Ty::Int(_) | Ty::Ptr => ty,
        };
        let access = braid_ir::Access { order: Order::SeqCst, ..Default::default() };
        let first = self.load_at(ptr, cell, access, loc);
        let current = self.body.temp(cell);
        self.set_temp(current, first, loc);
        let (again, done) = (self.body.new_block(), self.body.new_block());
        self.body.flow_into(again, loc);
        let old = self.fit(Operand::Reg(current), cell, ty, loc);
        let new = compute(self, old);
        let desired = self.fit(new, ty, cell, loc);
        let (ok, seen) = (self.body.temp(Ty::BOOL), self.body.temp(cell));
        let exchange = CmpXchg {
            ok,
            old: seen,
            ty: cell,
            ptr,
            expected: Operand::Reg(current),
            desired,
            success: order,
            failure: Order::SeqCst,
            weak: false,
        };
        self.body.emit(Op::CmpXchg(Box::new(exchange)), loc);
        let retry = self.body.new_block();
        self.body.branch(Operand::Reg(ok), done, retry, loc);
        self.body.current = retry;
        self.set_temp(current, Operand::Reg(seen), loc);
        self.body.jump_then(again, done, loc);
        (old, new)
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
    fn compound_assignment_is_two_steps() {
        check(
            "int g; int f(void) { return g += 3; }",
            expect![[r#"
                fn &f() -> i32
                b0:
                  %0 = load i32 @g
                  assert signed-overflow, fits add signed i32 %0, 3:i32
                  %1 = add i32 %0, 3:i32
                  store i32 @g, %1
                  ret %1
                }
            "#]],
        );
    }

    #[test]
    fn atomic_updates() {
        check(
            "_Atomic int a; _Atomic short s; int f(void) { a += 2; s *= 3; return a++; }",
            expect![[r#"
                fn &f() -> i32
                b0:
                  %0 = rmw add i32 @a, 2:i32 seq_cst
                  %1 = load i16 @s seq_cst
                  %2 = %1
                  jump b1
                b1:
                  %3 = sext i16 %2 to i32
                  assert signed-overflow, fits mul signed i32 %3, 3:i32
                  %4 = mul i32 %3, 3:i32
                  %5 = trunc i32 %4 to i16
                  %6, %7 = cmpxchg i16 @s, %2, %5 seq_cst seq_cst
                  br %6, b2, b3
                b2:
                  %8 = rmw add i32 @a, 1:i32 seq_cst
                  ret %8
                b3:
                  %2 = %7
                  jump b1
                }
            "#]],
        );
    }

    #[test]
    fn an_operand_keeps_its_value() {
        check(
            "int f(int x) { return x + x++; }",
            expect![[r#"
                fn &f(%x.0) -> i32
                b0:
                  %3 = %x.0
                  %2 = %x.0
                  assert signed-overflow, fits add signed i32 %x.0, 1:i32
                  %x.0 = add i32 %x.0, 1:i32
                  assert signed-overflow, fits add signed i32 %3, %2
                  %4 = add i32 %3, %2
                  ret %4
                }
            "#]],
        );
    }
}
