//! Atomic builtins: `__atomic_*` and `__sync_*`.
//!
//! Each is one atomic instruction; the write to `*expected` after a failed compare-and-exchange is a
//! step of its own. A memory order that is not constant is taken as the strongest; one that makes no
//! sense for the operation (a release load) likewise.

use crate::context::Class;
use crate::func::Lowerer;
use crate::link::Target;
use braid_ir::{Access, Callee, CmpOp, CmpXchg, Expr, Loc, Op, Operand, Order, RmwOp, Ty, UnOp};
use braid_models as models;
use braid_sema::hir::{self, Builtin};
use braid_sema::types::{TypeId, TypeKind};

impl Lowerer<'_, '_, '_> {
    /// The order an argument asks for.
    pub fn order_of(&mut self, arg: &hir::Expr) -> Order {
        let value = self.value(arg);
        // The high bits carry hints for hardware lock elision.
        match self.cx.const_int(value).map(|bits| bits & 0xffff) {
            Some(0) => Order::Relaxed,
            Some(1 | 2) => Order::Acquire,
            Some(3) => Order::Release,
            Some(4) => Order::AcqRel,
            _ => Order::SeqCst,
        }
    }

    fn order_arg(&mut self, args: &[hir::Expr], index: usize) -> Order {
        match args.get(index) {
            Some(arg) => self.order_of(arg),
            None => Order::SeqCst,
        }
    }

    /// An atomic builtin with a scalar result or none.
    pub fn atomic_builtin(&mut self, op: Builtin, args: &[hir::Expr], expr: &hir::Expr, loc: Loc) -> Operand {
        let [target, ..] = args else { return self.dead_value(expr) };
        let object = self.pointee(target.ty.ty);
        if self.is_wide(object) {
            return self.wide_builtin(op, args, object, expr, loc);
        }
        match op {
            Builtin::AtomicLoad => {
                let ptr = self.value(target);
                let order = load_order(self.order_arg(args, 1));
                let ty = self.cx.scalar(expr.ty.ty);
                self.load_at(ptr, ty, Access { order, ..Access::default() }, loc)
            }
            Builtin::AtomicStore => {
                let (ptr, value, cell) = self.target_and_value(args, object, loc);
                let order = store_order(self.order_arg(args, 2));
                self.store_at(ptr, cell, value, Access { order, ..Access::default() }, loc);
                self.dead_value(expr)
            }
            Builtin::AtomicExchange => {
                let (ptr, value, cell) = self.target_and_value(args, object, loc);
                let order = self.order_arg(args, 2);
                let old = self.rmw(RmwOp::Exchange, cell, ptr, value, order, loc);
                let ty = self.cx.scalar(expr.ty.ty);
                self.fit(old, cell, ty, loc)
            }
            Builtin::AtomicRmw { op, fetch_after } => match rmw_op(op) {
                Operation::Ir(op) => self.atomic_rmw(op, fetch_after, args, expr, loc),
                Operation::Extremum { less, least } => {
                    self.extremum((less, least), fetch_after, args, expr, loc)
                }
            },
            Builtin::AtomicCompareExchange { weak } => self.compare_exchange(weak, args, object, expr, loc),
            Builtin::SyncCompareSwap { returns_bool } => {
                self.compare_swap(returns_bool, args, object, expr, loc)
            }
            _ => self.dead_value(expr),
        }
    }

    /// A builtin whose result is a record.
    pub fn record_builtin(
        &mut self,
        op: Builtin,
        args: &[hir::Expr],
        expr: &hir::Expr,
        dest: Operand,
        loc: Loc,
    ) {
        let ty = expr.ty.ty;
        match (op, args) {
            (Builtin::AtomicLoad, [target, ..]) => {
                let src = self.value(target);
                let order = load_order(self.order_arg(args, 1));
                self.atomic_copy_out(dest, src, ty, order, loc);
            }
            (Builtin::AtomicExchange, [_, value, ..]) if self.is_wide(ty) => {
                let ptr = self.value(&args[0]);
                let kept = self.body.keep(ptr);
                let src = self.materialise(value);
                let ptr = self.body.settle(kept, loc);
                self.in_section(loc, |this| {
                    this.copy(dest, ptr, ty, loc);
                    this.copy(ptr, src, ty, loc);
                });
            }
            (Builtin::AtomicExchange, [_, _, ..]) => {
                let (ptr, value, cell) = self.target_and_value(args, ty, loc);
                let order = self.order_arg(args, 2);
                let old = self.rmw(RmwOp::Exchange, cell, ptr, value, order, loc);
                self.store_at(dest, cell, old, Access::default(), loc);
            }
            _ => self.unsupported("builtin on a type without arithmetic", loc),
        }
    }

    fn pointee(&self, ty: TypeId) -> TypeId {
        match self.cx.types.kind(ty) {
            TypeKind::Pointer(pointee) => pointee.ty,
            _ => ty,
        }
    }

    /// The type in which an atomic object is exchanged or compared: floats and records as bits.
    fn cell_of(&self, object: TypeId) -> Ty {
        match self.cx.class(object) {
            Class::Scalar(Ty::F32) => Ty::Int(32),
            Class::Scalar(Ty::F64) => Ty::Int(64),
            Class::Scalar(ty) => ty,
            // Wider ones are handled before.
            Class::Aggregate => self.atomic_cell(object).unwrap_or(Ty::Int(8)),
            Class::Void => Ty::Int(8),
        }
    }

    /// Returns true if no integer type is as wide as the object.
    fn is_wide(&self, object: TypeId) -> bool {
        self.cx.class(object) == Class::Aggregate && self.atomic_cell(object).is_none()
    }

    /// A builtin without a record as its result, on an object that an atomic section moves.
    fn wide_builtin(
        &mut self,
        op: Builtin,
        args: &[hir::Expr],
        object: TypeId,
        expr: &hir::Expr,
        loc: Loc,
    ) -> Operand {
        match (op, args) {
            (Builtin::AtomicStore, [target, value, ..]) => {
                let ptr = self.value(target);
                let kept = self.body.keep(ptr);
                let src = self.materialise(value);
                let ptr = self.body.settle(kept, loc);
                self.in_section(loc, |this| this.copy(ptr, src, object, loc));
                self.dead_value(expr)
            }
            (Builtin::AtomicCompareExchange { .. }, [target, expected, desired, ..]) => {
                let (ptr, expected) = self.two_values(target, expected, loc);
                let kept = [self.body.keep(ptr), self.body.keep(expected)];
                let src = self.materialise(desired);
                let settled = self.body.settle_all(&kept, loc);
                let ok = self.in_section(loc, |this| {
                    this.exchange_if_same_bytes((settled[0], object), settled[1], src, loc)
                });
                let result = self.cx.scalar(expr.ty.ty);
                self.widen_bit(ok, result, loc)
            }
            _ => {
                self.unsupported("atomic operation on a large struct or union", loc);
                self.dead_value(expr)
            }
        }
    }

    /// Copies `src` to the object if that holds the bytes of `expected`, else the object to `expected`; gives
    /// whether it did. For use in a section.
    fn exchange_if_same_bytes(
        &mut self,
        (ptr, object): (Operand, TypeId),
        expected: Operand,
        src: Operand,
        loc: Loc,
    ) -> Operand {
        let Some(Target::Function(compare)) = self.cx.library_function(models::COMPARE) else {
            self.unsupported("comparison of the bytes of a struct", loc);
            return self.cx.int(1, 0);
        };
        let size = self.cx.size_of(object);
        let args = vec![ptr, expected, self.cx.word_const(size)];
        let (int, difference) = (Ty::Int(32), self.body.temp(Ty::Int(32)));
        self.body.emit(Op::Call { dst: Some(difference), callee: Callee::Direct(compare), args }, loc);
        let zero = self.cx.zero(int);
        let equal = Expr::Compare { op: CmpOp::Eq, ty: int, a: Operand::Reg(difference), b: zero };
        let equal = self.emit_value(equal, Ty::BOOL, loc);
        let (same, other, after) = (self.body.new_block(), self.body.new_block(), self.body.new_block());
        self.body.branch(equal, same, other, loc);
        self.body.current = same;
        self.copy(ptr, src, object, loc);
        self.body.jump_then(after, other, loc);
        self.copy(expected, ptr, object, loc);
        self.body.flow_into(after, loc);
        equal
    }

    /// The smaller (`least`) or the greater of the object's value and another one, as a section: the IR has
    /// no such operation.
    fn extremum(
        &mut self,
        (less, least): (CmpOp, bool),
        fetch_after: bool,
        args: &[hir::Expr],
        expr: &hir::Expr,
        loc: Loc,
    ) -> Operand {
        let object = self.pointee(args[0].ty.ty);
        let (ptr, value, cell) = self.target_and_value(args, object, loc);
        let order = self.order_arg(args, 2);
        let (read, write) = (load_order(order), store_order(order));
        let (old, new) = self.in_section(loc, |this| {
            let old = this.load_at(ptr, cell, Access { order: read, ..Access::default() }, loc);
            let is_less = Expr::Compare { op: less, ty: cell, a: old, b: value };
            let cond = this.emit_value(is_less, Ty::BOOL, loc);
            let (then, other) = if least { (old, value) } else { (value, old) };
            let new = Expr::Select { ty: cell, cond, then, other };
            let new = this.emit_value(new, cell, loc);
            this.store_at(ptr, cell, new, Access { order: write, ..Access::default() }, loc);
            (old, new)
        });
        let result = self.cx.scalar(expr.ty.ty);
        self.fit(if fetch_after { new } else { old }, cell, result, loc)
    }

    /// The value of an expression as the bits of a cell.
    fn cell_value(&mut self, value: &hir::Expr, cell: Ty, loc: Loc) -> Operand {
        match self.cx.class(value.ty.ty) {
            Class::Aggregate => {
                let src = self.materialise(value);
                self.load_at(src, cell, Access::default(), loc)
            }
            Class::Void | Class::Scalar(_) => {
                let from = self.cx.scalar(value.ty.ty);
                let operand = self.value(value);
                self.fit(operand, from, cell, loc)
            }
        }
    }

    /// The first two arguments: where, and the new value.
    fn target_and_value(&mut self, args: &[hir::Expr], object: TypeId, loc: Loc) -> (Operand, Operand, Ty) {
        let cell = self.cell_of(object);
        let ptr = self.value(&args[0]);
        let kept = self.body.keep(ptr);
        let value = match args.get(1) {
            Some(value) => self.cell_value(value, cell, loc),
            None => self.cx.zero(cell),
        };
        (self.body.settle(kept, loc), value, cell)
    }

    fn rmw(&mut self, op: RmwOp, ty: Ty, ptr: Operand, value: Operand, order: Order, loc: Loc) -> Operand {
        let dst = self.body.temp(ty);
        self.body.emit(Op::Rmw { dst, op, ty, ptr, value, order }, loc);
        Operand::Reg(dst)
    }

    fn atomic_rmw(
        &mut self,
        op: RmwOp,
        fetch_after: bool,
        args: &[hir::Expr],
        expr: &hir::Expr,
        loc: Loc,
    ) -> Operand {
        let object = self.pointee(args[0].ty.ty);
        let result = self.cx.scalar(expr.ty.ty);
        let ty = self.cx.scalar(object);
        if ty == Ty::Ptr {
            return self.pointer_rmw(op, fetch_after, args, loc);
        }
        let (ptr, value, cell) = self.target_and_value(args, object, loc);
        let order = self.order_arg(args, 2);
        let old = self.rmw(op, cell, ptr, value, order, loc);
        let value = if fetch_after { self.rmw_result(op, cell, old, value, loc) } else { old };
        self.fit(value, cell, result, loc)
    }

    /// Addition on an atomic pointer, in bytes: a loop, since the IR adds integers only.
    fn pointer_rmw(&mut self, op: RmwOp, fetch_after: bool, args: &[hir::Expr], loc: Loc) -> Operand {
        let word = self.cx.word();
        let ptr = self.value(&args[0]);
        let kept = self.body.keep(ptr);
        let bytes = match args.get(1) {
            Some(arg) => self.cell_value(arg, word, loc),
            None => self.cx.zero(word),
        };
        let ptr = self.body.settle(kept, loc);
        let order = self.order_arg(args, 2);
        let (old, new) = self.update_loop(ptr, Ty::Ptr, order, loc, |this, old| match op {
            RmwOp::Add => this.emit_value(Expr::PtrAdd { ptr: old, offset: bytes }, Ty::Ptr, loc),
            RmwOp::Sub => {
                let minus = Expr::Unary { op: UnOp::Neg, ty: word, a: bytes };
                let offset = this.emit_value(minus, word, loc);
                this.emit_value(Expr::PtrAdd { ptr: old, offset }, Ty::Ptr, loc)
            }
            RmwOp::Exchange | RmwOp::And | RmwOp::Or | RmwOp::Xor | RmwOp::Nand => {
                let bits = this.fit(old, Ty::Ptr, word, loc);
                let bits = this.rmw_result(op, word, bits, bytes, loc);
                this.fit(bits, word, Ty::Ptr, loc)
            }
        });
        if fetch_after { new } else { old }
    }

    /// `(ptr, expected_ptr, desired, success, failure)`.
    fn compare_exchange(
        &mut self,
        weak: bool,
        args: &[hir::Expr],
        object: TypeId,
        expr: &hir::Expr,
        loc: Loc,
    ) -> Operand {
        let [target, expected, desired, ..] = args else { return self.dead_value(expr) };
        let cell = self.cell_of(object);
        let (ptr, expected) = self.two_values(target, expected, loc);
        let kept = [self.body.keep(ptr), self.body.keep(expected)];
        let desired = self.cell_value(desired, cell, loc);
        let success = self.order_arg(args, 3);
        let failure = load_order(self.order_arg(args, 4));
        let settled = self.body.settle_all(&kept, loc);
        let wanted = self.load_at(settled[1], cell, Access::default(), loc);
        let (ok, old) =
            self.exchange_if_equal((settled[0], cell), wanted, desired, (success, failure, weak), loc);

        let (failed, after) = (self.body.new_block(), self.body.new_block());
        self.body.branch(ok, after, failed, loc);
        self.body.current = failed;
        self.store_at(settled[1], cell, old, Access::default(), loc);
        self.body.flow_into(after, loc);
        let result = self.cx.scalar(expr.ty.ty);
        self.widen_bit(ok, result, loc)
    }

    fn exchange_if_equal(
        &mut self,
        (ptr, cell): (Operand, Ty),
        expected: Operand,
        desired: Operand,
        (success, failure, weak): (Order, Order, bool),
        loc: Loc,
    ) -> (Operand, Operand) {
        let (ok, old) = (self.body.temp(Ty::BOOL), self.body.temp(cell));
        let exchange = CmpXchg { ok, old, ty: cell, ptr, expected, desired, success, failure, weak };
        self.body.emit(Op::CmpXchg(Box::new(exchange)), loc);
        (Operand::Reg(ok), Operand::Reg(old))
    }

    /// `(ptr, expected, desired)` of the `__sync` family.
    fn compare_swap(
        &mut self,
        returns_bool: bool,
        args: &[hir::Expr],
        object: TypeId,
        expr: &hir::Expr,
        loc: Loc,
    ) -> Operand {
        let [_, _, desired, ..] = args else { return self.dead_value(expr) };
        let (ptr, expected, cell) = self.target_and_value(args, object, loc);
        let kept = [self.body.keep(ptr), self.body.keep(expected)];
        let desired = self.cell_value(desired, cell, loc);
        let settled = self.body.settle_all(&kept, loc);
        let orders = (Order::SeqCst, Order::SeqCst, false);
        let (ok, old) = self.exchange_if_equal((settled[0], cell), settled[1], desired, orders, loc);
        let result = self.cx.scalar(expr.ty.ty);
        if returns_bool { self.widen_bit(ok, result, loc) } else { self.fit(old, cell, result, loc) }
    }
}

/// How a read-modify-write operation is lowered.
enum Operation {
    Ir(RmwOp),
    /// Minimum (`least`) or maximum, by a comparison.
    Extremum {
        less: CmpOp,
        least: bool,
    },
}

fn rmw_op(op: hir::RmwOp) -> Operation {
    match op {
        hir::RmwOp::Add => Operation::Ir(RmwOp::Add),
        hir::RmwOp::Sub => Operation::Ir(RmwOp::Sub),
        hir::RmwOp::And => Operation::Ir(RmwOp::And),
        hir::RmwOp::Or => Operation::Ir(RmwOp::Or),
        hir::RmwOp::Xor => Operation::Ir(RmwOp::Xor),
        hir::RmwOp::Nand => Operation::Ir(RmwOp::Nand),
        hir::RmwOp::Min => Operation::Extremum { less: CmpOp::Slt, least: true },
        hir::RmwOp::UMin => Operation::Extremum { less: CmpOp::Ult, least: true },
        hir::RmwOp::Max => Operation::Extremum { less: CmpOp::Slt, least: false },
        hir::RmwOp::UMax => Operation::Extremum { less: CmpOp::Ult, least: false },
    }
}

fn load_order(order: Order) -> Order {
    match order {
        Order::Relaxed | Order::Acquire | Order::SeqCst => order,
        Order::Plain | Order::Release | Order::AcqRel => Order::SeqCst,
    }
}

fn store_order(order: Order) -> Order {
    match order {
        Order::Relaxed | Order::Release | Order::SeqCst => order,
        Order::Plain | Order::Acquire | Order::AcqRel => Order::SeqCst,
    }
}
