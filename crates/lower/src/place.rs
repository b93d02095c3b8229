//! Lvalues: where a value lives, and reading and writing it there.
//!
//! An access of an `_Atomic` object is one sequentially consistent operation. A bit-field is read by
//! loading its unit and cutting the field out, written by loading the unit, inserting and storing:
//! two accesses, each of which counts, for data races, for the whole run of adjacent bit-fields.

use crate::func::{Home, Lowerer};
use crate::link::{Ref, Target};
use braid_base::Symbol;
use braid_base::faults::active;
use braid_ir::{Access, BinOp, CastOp, CmpOp, Const, Expr, Loc, Op, Operand, Order, RegId, Ty};
use braid_props::Check;
use braid_sema::hir::{self, Bound, EntityId, ExprKind, LocalId};
use braid_sema::types::{ArrayLen, BitField, QualType, TypeId, TypeKind};

#[derive(Clone, Copy)]
pub(crate) enum Place {
    Reg(RegId),
    Memory { ptr: Operand, access: Access },
    Bits { ptr: Operand, access: Access, field: BitField },
}

impl Place {
    pub fn ptr(&self) -> Option<Operand> {
        match *self {
            Place::Reg(_) => None,
            Place::Memory { ptr, .. } | Place::Bits { ptr, .. } => Some(ptr),
        }
    }

    fn with_ptr(self, new: Operand) -> Place {
        match self {
            Place::Reg(_) => self,
            Place::Memory { access, .. } => Place::Memory { ptr: new, access },
            Place::Bits { access, field, .. } => Place::Bits { ptr: new, access, field },
        }
    }

    pub fn is_atomic(&self) -> bool {
        matches!(self, Place::Memory { access, .. } if access.order != Order::Plain)
    }
}

/// A place whose address waits for other evaluations.
pub(crate) struct KeptPlace {
    place: Place,
    ptr: Option<crate::body::Kept>,
}

/// How a plain lvalue of a type is accessed.
pub(crate) fn access_of(ty: QualType) -> Access {
    let order = if ty.quals.is_atomic { Order::SeqCst } else { Order::Plain };
    Access { order, volatile: ty.quals.is_volatile, ..Access::default() }
}

pub(crate) fn is_lvalue(expr: &hir::Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Local(_)
            | ExprKind::Entity(_)
            | ExprKind::Str(_)
            | ExprKind::Deref(_)
            | ExprKind::Member { .. }
            | ExprKind::CompoundLiteral { .. }
    )
}

impl Lowerer<'_, '_, '_> {
    /// The place of a scalar lvalue.
    pub fn place(&mut self, expr: &hir::Expr) -> Place {
        let loc = self.loc(expr.span);
        match &expr.kind {
            ExprKind::Local(local) => {
                if let Home::Reg(reg) = self.homes[*local] {
                    return Place::Reg(reg);
                }
            }
            ExprKind::CompoundLiteral { local, init } => {
                self.initialise(*local, init, loc);
                if let Home::Reg(reg) = self.homes[*local] {
                    return Place::Reg(reg);
                }
                let ptr = self.local_address(*local, loc);
                return Place::Memory { ptr, access: access_of(expr.ty) };
            }
            ExprKind::Member { base, offset, bits: Some(field), .. } => {
                let base = self.address_for_access(base);
                let ptr = self.offset_ptr(base, *offset, loc);
                let before = offset.saturating_sub(field.run_start);
                let after = field.run_end.saturating_sub(offset + u64::from(field.unit_bytes));
                let access = Access { extent: (before as u16, after as u16), ..access_of(expr.ty) };
                return Place::Bits { ptr, access, field: *field };
            }
            _ => {}
        }
        let ptr = self.address_for_access(expr);
        Place::Memory { ptr, access: access_of(expr.ty) }
    }

    /// The address of a scalar lvalue that is read or written next.
    ///
    /// A subscript of a declared array needs no check of its own there: if its index is out of range, so is
    /// the access, provided that the subscripts and members that follow stay inside their element. They do,
    /// as they are checked. (An index as wide as a pointer is checked all the same, because its product with
    /// the element's size may wrap around.)
    fn address_for_access(&mut self, expr: &hir::Expr) -> Operand {
        let loc = self.loc(expr.span);
        match &expr.kind {
            ExprKind::Member { base, offset, bits: None, .. } => {
                let base = self.address_for_access(base);
                self.offset_ptr(base, *offset, loc)
            }
            ExprKind::Deref(address)
                if let ExprKind::PtrAdd { ptr, index, size, negate, bound: bound @ Bound::Within(_) } =
                    &address.kind
                    && let ExprKind::Decay(array) = &ptr.kind =>
            {
                let is_object = matches!(array.kind, ExprKind::Local(_) | ExprKind::Entity(_));
                let bound = if is_object && self.cannot_wrap(index, size) { Bound::Open } else { *bound };
                let start = self.body.visible_so_far();
                let base = self.address_for_access(array);
                self.pointer_sum((base, start), index, size, *negate, bound, loc)
            }
            _ => self.address(expr),
        }
    }

    fn cannot_wrap(&self, index: &hir::Expr, size: &hir::Expr) -> bool {
        let bits = self.cx.scalar(index.ty.ty).bits(self.cx.program.pointer_bytes);
        bits < u32::from(self.cx.pointer_bits()) || matches!(size.kind, ExprKind::Int(1))
    }

    /// What a subscript demands of its index, which is as wide as a pointer.
    pub fn subscript_check(&mut self, index: Operand, bound: Bound, loc: Loc) {
        let (len, op) = match bound {
            Bound::NoArray | Bound::Open => return,
            Bound::Within(len) => (len, CmpOp::Ult),
            Bound::UpTo(len) if active("end-is-no-place") => (len, CmpOp::Ult),
            Bound::UpTo(len) => (len, CmpOp::Ule),
        };
        if self.cx.linker.units[self.unit].library || active("subscripts-unchecked") {
            return;
        }
        let word = self.cx.word();
        let len = self.array_len(len, loc);
        let known = self.cx.const_int(index).zip(self.cx.const_int(len));
        let cond = Expr::Compare { op, ty: word, a: index, b: len };
        match known {
            Some((index, len)) => {
                let holds = if op == CmpOp::Ult { index < len } else { index <= len };
                if !holds {
                    let index = braid_ir::fold::signed(index, self.cx.pointer_bits());
                    let message = Some(Symbol::intern(&subscript_text(index, len)));
                    let cond = Expr::Use(self.cx.int(1, 0));
                    self.body.emit(Op::Assert { check: Check::OutOfBounds, cond, message, about: None }, loc);
                }
            }
            None => self
                .body
                .emit(Op::Assert { check: Check::OutOfBounds, cond, message: None, about: None }, loc),
        }
    }

    /// The number of elements of an array.
    fn array_len(&mut self, len: ArrayLen, loc: Loc) -> Operand {
        match len {
            ArrayLen::Known(count) => self.cx.word_const(count),
            ArrayLen::Unknown => self.cx.word_const(0),
            ArrayLen::Vla(local) => {
                let place = match self.homes[local] {
                    Home::Reg(reg) => Place::Reg(reg),
                    Home::Memory(_) | Home::Pointer(_) => {
                        Place::Memory { ptr: self.local_address(local, loc), access: Access::default() }
                    }
                };
                let own = self.locals[local].ty.ty;
                self.load(place, own, loc)
            }
        }
    }

    /// The address of an lvalue, or of a temporary object holding a record rvalue.
    pub fn address(&mut self, expr: &hir::Expr) -> Operand {
        let loc = self.loc(expr.span);
        match &expr.kind {
            ExprKind::Local(local) => self.local_address(*local, loc),
            ExprKind::Entity(entity) | ExprKind::Str(entity) => self.entity_address(*entity, loc),
            ExprKind::Deref(ptr) => self.value(ptr),
            ExprKind::Member { base, offset, .. } => {
                let base = self.address(base);
                self.offset_ptr(base, *offset, loc)
            }
            ExprKind::CompoundLiteral { local, init } => {
                self.initialise(*local, init, loc);
                self.local_address(*local, loc)
            }
            _ => self.materialise(expr),
        }
    }

    pub fn local_address(&mut self, local: LocalId, loc: Loc) -> Operand {
        match self.homes[local] {
            Home::Memory(object) => self.emit_value(Expr::LocalAddr(object), Ty::Ptr, loc),
            Home::Pointer(reg) => Operand::Reg(reg),
            Home::Reg(_) => {
                // The checks before mark every local whose address is needed.
                self.unsupported("address of a variable kept in a register", loc);
                self.cx.constant(Const::Null)
            }
        }
    }

    pub fn entity_address(&mut self, entity: EntityId, loc: Loc) -> Operand {
        let at = Ref { unit: self.unit, entity };
        match self.cx.resolve(at) {
            Target::Global { id, thread_local: true } => {
                self.emit_value(Expr::ThreadLocalAddr(id), Ty::Ptr, loc)
            }
            Target::Global { id, thread_local: false } => self.cx.constant(Const::Global(id, 0)),
            Target::Function(_) | Target::Op(_) | Target::Missing | Target::Null => {
                let address = self.cx.function_address(at);
                self.cx.constant(address)
            }
        }
    }

    pub fn keep_place(&self, place: Place) -> KeptPlace {
        KeptPlace { place, ptr: place.ptr().map(|ptr| self.body.keep(ptr)) }
    }

    pub fn settle_place(&mut self, kept: KeptPlace, loc: Loc) -> Place {
        match kept.ptr {
            Some(ptr) => kept.place.with_ptr(self.body.settle(ptr, loc)),
            None => kept.place,
        }
    }

    /// Reads a scalar of C type `c_ty`.
    pub fn load(&mut self, place: Place, c_ty: TypeId, loc: Loc) -> Operand {
        match place {
            Place::Reg(reg) => Operand::Reg(reg),
            Place::Memory { ptr, access } => {
                let ty = self.cx.scalar(c_ty);
                self.load_at(ptr, ty, access, loc)
            }
            Place::Bits { ptr, access, field } => {
                let unit = unit_ty(field);
                let value = self.load_at(ptr, unit, access, loc);
                let ty = self.cx.scalar(c_ty);
                let shift = self.cx.int(field.unit_bytes * 8, u128::from(field.shift));
                let shifted = Expr::Binary { op: BinOp::LShr, ty: unit, a: value, b: shift };
                let shifted = self.emit_value(shifted, unit, loc);
                let bits = Ty::Int(field.width);
                let cut = self.resize(shifted, unit, false, bits, loc);
                self.resize(cut, bits, self.cx.is_signed(c_ty), ty, loc)
            }
        }
    }

    pub fn load_at(&mut self, ptr: Operand, ty: Ty, access: Access, loc: Loc) -> Operand {
        let dst = self.body.temp(ty);
        self.body.emit(Op::Load { dst, ty, ptr, access }, loc);
        Operand::Reg(dst)
    }

    pub fn store_at(&mut self, ptr: Operand, ty: Ty, value: Operand, access: Access, loc: Loc) {
        self.body.emit(Op::Store { ty, ptr, value, access }, loc);
    }

    /// Writes a scalar of C type `c_ty`.
    pub fn store(&mut self, place: Place, c_ty: TypeId, value: Operand, loc: Loc) {
        match place {
            Place::Reg(reg) => self.body.write_variable(reg, value, loc),
            Place::Memory { ptr, access } => {
                let ty = self.cx.scalar(c_ty);
                self.store_at(ptr, ty, value, access, loc);
            }
            Place::Bits { ptr, access, field } => self.store_bits(ptr, access, field, c_ty, value, loc),
        }
    }

    fn store_bits(
        &mut self,
        ptr: Operand,
        access: Access,
        field: BitField,
        c_ty: TypeId,
        value: Operand,
        loc: Loc,
    ) {
        let unit = unit_ty(field);
        let unit_bits = field.unit_bytes * 8;
        let ty = self.cx.scalar(c_ty);
        let value = self.resize(value, ty, false, unit, loc);
        if field.width == unit_bits {
            return self.store_at(ptr, unit, value, access, loc);
        }
        let ones = braid_ir::fold::cut(u128::MAX, field.width);
        let mask = self.cx.int(unit_bits, ones);
        let holes = self.cx.int(unit_bits, !(ones << field.shift));
        let shift = self.cx.int(unit_bits, u128::from(field.shift));
        let old = self.load_at(ptr, unit, access, loc);
        let mut step = |op, a, b| self.emit_value(Expr::Binary { op, ty: unit, a, b }, unit, loc);
        let rest = step(BinOp::And, old, holes);
        let value = step(BinOp::And, value, mask);
        let value = step(BinOp::Shl, value, shift);
        let new = step(BinOp::Or, rest, value);
        self.store_at(ptr, unit, new, access, loc);
    }

    /// What a place holds after `value` was stored: a bit-field keeps only its width.
    pub fn stored_value(&mut self, place: Place, c_ty: TypeId, value: Operand, loc: Loc) -> Operand {
        match place {
            Place::Reg(reg) => Operand::Reg(reg),
            Place::Memory { .. } => value,
            Place::Bits { field, .. } => {
                let ty = self.cx.scalar(c_ty);
                if ty == Ty::Int(field.width) || self.cx.is_bool(c_ty) {
                    return value;
                }
                let bits = Ty::Int(field.width);
                let cut = self.cast(CastOp::Trunc, value, ty, bits, loc);
                self.resize(cut, bits, self.cx.is_signed(c_ty), ty, loc)
            }
        }
    }

    /// The size of a type as an operand; computed for variable-length arrays.
    pub fn size_operand(&mut self, ty: TypeId, loc: Loc) -> Operand {
        if !self.is_variably_sized(ty) {
            let size = self.cx.size_of(ty);
            return self.cx.word_const(size);
        }
        let TypeKind::Array { elem, len } = *self.cx.types.kind(ty) else {
            return self.cx.word_const(0);
        };
        let count = self.array_len(len, loc);
        let size = self.size_operand(elem.ty, loc);
        let word = self.cx.word();
        self.emit_value(Expr::Binary { op: BinOp::Mul, ty: word, a: count, b: size }, word, loc)
    }
}

/// What is wrong with a subscript: in the words of the interpreter.
fn subscript_text(index: i128, len: u128) -> String {
    let elements = if len == 1 { "element" } else { "elements" };
    format!("subscript {index} of an array with {len} {elements}")
}

fn unit_ty(field: BitField) -> Ty {
    Ty::Int(field.unit_bytes * 8)
}

#[cfg(test)]
mod tests {
    use crate::testing::ir_of;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&ir_of(text));
    }

    #[test]
    fn bit_fields_touch_their_unit_only() {
        check(
            "struct S { unsigned a:3, b:7; int c; } *p; int f(void) { p->b = 5; return p->a; }",
            expect![[r#"
                fn &f() -> i32
                b0:
                  %0 = load ptr @p
                  %1 = load i16 %0
                  %2 = and i16 %1, -1017:i16
                  %3 = or i16 %2, 40:i16
                  store i16 %0, %3
                  %4 = load ptr @p
                  %5 = load i8 %4 extent 0 1
                  %6 = trunc i8 %5 to i3
                  %7 = zext i3 %6 to i32
                  ret %7
                }
            "#]],
        );
    }

    #[test]
    fn the_run_of_a_bit_field_ends_with_its_record() {
        check(
            "struct { int x; struct { unsigned a:3; unsigned b:13; }; } s; int f(void) { return s.a; }",
            expect![[r#"
                fn &f() -> i32
                b0:
                  %0 = load i8 @s+4 extent 0 1
                  %1 = trunc i8 %0 to i3
                  %2 = zext i3 %1 to i32
                  ret %2
                }
            "#]],
        );
    }

    #[test]
    fn subscripts_that_need_no_check() {
        // Known to be in range; the object itself; maybe flexible; pointer arithmetic.
        check(
            "struct S { int a[4], b[4]; } s, *p; int g[4];\n\
             int f(int i, int *q) { return s.a[3] + g[i] + p->b[i] + *(s.a + i) + q[i] + (&s.a[4] == q); }",
            expect![[r#"
                fn &f(%i.0, %q.1) -> i32
                b0:
                  %2 = load i32 @s+12
                  %3 = sext i32 %i.0 to i64
                  %4 = mul i64 %3, 4:i64
                  %5 = ptradd @g, %4
                  %6 = load i32 %5
                  assert signed-overflow, fits add signed i32 %2, %6
                  %7 = add i32 %2, %6
                  %8 = load ptr @p
                  %9 = ptradd %8, 16:i64
                  %10 = sext i32 %i.0 to i64
                  %11 = mul i64 %10, 4:i64
                  %12 = ptradd %9, %11
                  %13 = load i32 %12
                  assert signed-overflow, fits add signed i32 %7, %13
                  %14 = add i32 %7, %13
                  %15 = sext i32 %i.0 to i64
                  %16 = mul i64 %15, 4:i64
                  %17 = ptradd @s, %16
                  %18 = load i32 %17
                  assert signed-overflow, fits add signed i32 %14, %18
                  %19 = add i32 %14, %18
                  %20 = sext i32 %i.0 to i64
                  %21 = mul i64 %20, 4:i64
                  %22 = ptradd %q.1, %21
                  %23 = load i32 %22
                  assert signed-overflow, fits add signed i32 %19, %23
                  %24 = add i32 %19, %23
                  %25 = eq ptr @s+16, %q.1
                  %26 = zext i1 %25 to i32
                  assert signed-overflow, fits add signed i32 %24, %26
                  %27 = add i32 %24, %26
                  ret %27
                }
            "#]],
        );
    }

    #[test]
    fn subscripts_that_are_checked() {
        check(
            "struct S { int a[4], b[4]; } s, *p; int g[3][4];\n\
             int *f(int i, unsigned long u) { p->a[i] = s.b[i]; g[i][i] = g[0][u]; return i ? &s.a[i] : g[i]; }",
            expect![[r#"
                fn &f(%i.0, %u.1) -> ptr
                b0:
                  %2 = load ptr @p
                  %3 = sext i32 %i.0 to i64
                  assert out-of-bounds, ult i64 %3, 4:i64
                  %4 = mul i64 %3, 4:i64
                  %5 = ptradd %2, %4
                  %6 = sext i32 %i.0 to i64
                  assert out-of-bounds, ult i64 %6, 4:i64
                  %7 = mul i64 %6, 4:i64
                  %8 = ptradd @s+16, %7
                  %9 = load i32 %8
                  store i32 %5, %9
                  %10 = sext i32 %i.0 to i64
                  %11 = mul i64 %10, 16:i64
                  %12 = ptradd @g, %11
                  %13 = sext i32 %i.0 to i64
                  assert out-of-bounds, ult i64 %13, 4:i64
                  %14 = mul i64 %13, 4:i64
                  %15 = ptradd %12, %14
                  assert out-of-bounds, ult i64 %u.1, 4:i64
                  %16 = mul i64 %u.1, 4:i64
                  %17 = ptradd @g, %16
                  %18 = load i32 %17
                  store i32 %15, %18
                  %20 = ne i32 %i.0, 0:i32
                  br %20, b1, b3
                b1:
                  %21 = sext i32 %i.0 to i64
                  assert out-of-bounds, ule i64 %21, 4:i64
                  %22 = mul i64 %21, 4:i64
                  %23 = ptradd @s, %22
                  %19 = %23
                  jump b2
                b2:
                  ret %19
                b3:
                  %24 = sext i32 %i.0 to i64
                  assert out-of-bounds, ule i64 %24, 3:i64
                  %25 = mul i64 %24, 16:i64
                  %26 = ptradd @g, %25
                  %19 = %26
                  jump b2
                }
            "#]],
        );
    }

    #[test]
    fn atomic_and_volatile_accesses() {
        check(
            "_Atomic int a; volatile int v; int f(void) { a = v; return a; }",
            expect![[r#"
                fn &f() -> i32
                b0:
                  %0 = load i32 @v volatile
                  store i32 @a, %0 seq_cst
                  %1 = load i32 @a seq_cst
                  ret %1
                }
            "#]],
        );
    }
}
