//! Initialisers of automatic objects.

use crate::context::Class;
use crate::func::{Home, Lowerer};
use crate::place::{Place, access_of};
use braid_ir::{Access, BinOp, CmpOp, Expr, Loc, Op, Operand, Ty};
use braid_sema::hir::{self, ExprKind, Init, InitItem, InitList, LocalId};
use braid_sema::types::{QualType, TypeId, TypeKind};

/// A repeated item up to this often becomes single stores, beyond it a loop.
const MAX_UNROLLED: u64 = 8;

impl Lowerer<'_, '_, '_> {
    /// Gives a local (or the hidden local of a compound literal) its initial value.
    pub fn initialise(&mut self, local: LocalId, init: &Init, loc: Loc) {
        let ty = self.locals[local].ty;
        match self.homes[local] {
            Home::Reg(reg) => {
                let values: Vec<&hir::Expr> = match init {
                    Init::Expr(expr) => vec![expr],
                    Init::List(list) => list.items.iter().map(|item| &item.value).collect(),
                };
                if values.is_empty() {
                    let zero = self.cx.zero(self.body.regs[reg].ty);
                    self.body.write_variable(reg, zero, loc);
                }
                for value in values {
                    let value = self.value(value);
                    self.body.write_variable(reg, value, loc);
                }
            }
            Home::Memory(object) => {
                if !self.scoped[local] {
                    self.body.emit(Op::LocalLive { local: object }, loc);
                }
                let ptr = self.local_address(local, loc);
                self.init_object(ptr, ty, init, loc);
            }
            Home::Pointer(reg) => self.init_object(Operand::Reg(reg), ty, init, loc),
        }
    }

    fn init_object(&mut self, ptr: Operand, ty: QualType, init: &Init, loc: Loc) {
        match init {
            Init::Expr(expr) if is_string(expr) => self.init_string(ptr, ty.ty, expr, true, loc),
            Init::Expr(expr) => self.init_part(ptr, ty, expr, loc),
            Init::List(list) => self.init_list(ptr, ty, list, loc),
        }
    }

    fn init_part(&mut self, ptr: Operand, ty: QualType, expr: &hir::Expr, loc: Loc) {
        match self.cx.class(ty.ty) {
            Class::Scalar(scalar) => {
                let value = self.value(expr);
                // Initialisation is not an atomic access, even of an atomic object.
                let access = Access { volatile: ty.quals.is_volatile, ..Access::default() };
                self.store_at(ptr, scalar, value, access, loc);
            }
            Class::Aggregate => self.value_into(expr, ptr),
            Class::Void => self.effect(expr),
        }
    }

    fn init_list(&mut self, ptr: Operand, ty: QualType, list: &InitList, loc: Loc) {
        if !list.covers {
            self.fill_zero(ptr, ty.ty, loc);
        }
        let mut active = 0;
        for item in &list.items {
            let before = self.body.visible_so_far();
            let item_loc = self.loc(item.value.span);
            if item.count > 1 {
                self.init_repeated(ptr, item, item_loc);
            } else {
                let at = self.offset_ptr(ptr, item.offset, item_loc);
                self.init_item(at, item, item_loc);
            }
            // The store of a scalar is not what its value does.
            let own = u32::from(matches!(self.cx.class(item.ty.ty), Class::Scalar(_)));
            active += u32::from(self.body.visible_so_far() - before > own);
        }
        self.body.unordered |= active > 1;
    }

    fn fill_zero(&mut self, ptr: Operand, ty: TypeId, loc: Loc) {
        let size = self.cx.size_of(ty);
        if size > 0 {
            let len = self.cx.word_const(size);
            let byte = self.cx.int(8, 0);
            let shape = self.cx.shape_of(ty);
            self.body.emit(Op::Fill { dst: ptr, byte, len, shape }, loc);
        }
    }

    /// One item, once, at its address.
    fn init_item(&mut self, at: Operand, item: &InitItem, loc: Loc) {
        if is_string(&item.value) && matches!(self.cx.types.kind(item.ty.ty), TypeKind::Array { .. }) {
            return self.init_string(at, item.ty.ty, &item.value, false, loc);
        }
        match item.bits {
            Some(field) => {
                let value = self.value(&item.value);
                let access = Access { order: Default::default(), ..access_of(item.ty) };
                self.store(Place::Bits { ptr: at, access, field }, item.ty.ty, value, loc);
            }
            None => self.init_part(at, item.ty, &item.value, loc),
        }
    }

    /// `[a ... b] = v`: the first element is initialised, the others are copies of it.
    fn init_repeated(&mut self, ptr: Operand, item: &InitItem, loc: Loc) {
        let first = self.offset_ptr(ptr, item.offset, loc);
        self.init_item(first, item, loc);
        if item.count <= MAX_UNROLLED {
            for index in 1..item.count {
                let at = self.offset_ptr(ptr, item.offset + index * item.stride, loc);
                self.copy_element(at, first, item, loc);
            }
            return;
        }
        self.copy_in_loop(first, item, loc);
    }

    fn copy_element(&mut self, at: Operand, first: Operand, item: &InitItem, loc: Loc) {
        let ty = item.ty.ty;
        if let Some(field) = item.bits {
            let place = |ptr| Place::Bits { ptr, access: Access::default(), field };
            let value = self.load(place(first), ty, loc);
            return self.store(place(at), ty, value, loc);
        }
        match self.cx.class(ty) {
            Class::Scalar(scalar) => {
                let value = self.load_at(first, scalar, Access::default(), loc);
                self.store_at(at, scalar, value, Access::default(), loc);
            }
            Class::Aggregate | Class::Void => self.copy(at, first, ty, loc),
        }
    }

    fn copy_in_loop(&mut self, first: Operand, item: &InitItem, loc: Loc) {
        let word = self.cx.word();
        let (stride, end) = (self.cx.word_const(item.stride), self.cx.word_const(item.stride * item.count));
        let offset = self.body.temp(word);
        self.set_temp(offset, stride, loc);
        let (header, body, after) = (self.body.new_block(), self.body.new_block(), self.body.new_block());
        self.body.flow_into(header, loc);
        let more = Expr::Compare { op: CmpOp::Ult, ty: word, a: Operand::Reg(offset), b: end };
        let more = self.emit_value(more, Ty::BOOL, loc);
        self.body.branch(more, body, after, loc);
        self.body.current = body;
        let at = Expr::PtrAdd { ptr: first, offset: Operand::Reg(offset) };
        let at = self.emit_value(at, Ty::Ptr, loc);
        self.copy_element(at, first, item, loc);
        let next = Expr::Binary { op: BinOp::Add, ty: word, a: Operand::Reg(offset), b: stride };
        let next = self.emit_value(next, word, loc);
        self.set_temp(offset, next, loc);
        self.body.jump_then(header, after, loc);
    }

    /// A character array from a string literal, which may be longer or shorter.
    fn init_string(&mut self, ptr: Operand, ty: TypeId, string: &hir::Expr, zero_rest: bool, loc: Loc) {
        let src = self.address(string);
        let size = self.cx.size_of(ty);
        let len = size.min(self.cx.size_of(string.ty.ty));
        let TypeKind::Array { elem, .. } = *self.cx.types.kind(ty) else { return };
        let shape = self.cx.shape_of(elem.ty);
        if len > 0 {
            let len = self.cx.word_const(len);
            self.body.emit(Op::Copy { dst: ptr, src, len, shape, overlapping: false }, loc);
        }
        if zero_rest && size > len {
            let dst = self.offset_ptr(ptr, len, loc);
            let rest = self.cx.word_const(size - len);
            let byte = self.cx.int(8, 0);
            self.body.emit(Op::Fill { dst, byte, len: rest, shape }, loc);
        }
    }
}

fn is_string(expr: &hir::Expr) -> bool {
    matches!(expr.kind, ExprKind::Str(_))
}
