//! `__builtin_*_overflow`: the exact result of two integers of any types, stored cut to a third type,
//! and whether it fitted.
//!
//! If the target type holds every value of both operand types, the IR's `fits` answers. Otherwise the
//! exact result is computed as a 128-bit low part and a sign part of 8 bits (0 or -1 for every result
//! that can fit anything), and fits exactly if extending the stored value gives both parts back.

use crate::func::Lowerer;
use braid_ir::{Access, BinOp, CmpOp, Expr, FitsOp, Loc, Operand, Ty, UnOp};
use braid_sema::hir::{self, Builtin};
use braid_sema::types::{TypeId, TypeKind};

const LOW: Ty = Ty::Int(128);
const HIGH: Ty = Ty::Int(8);

/// An exact integer: `high * 2^128 + low`, the high part signed.
#[derive(Clone, Copy)]
struct Wide {
    low: Operand,
    high: Operand,
}

impl Lowerer<'_, '_, '_> {
    /// The builtin; `stores` says whether the third argument is a pointer to the result or only names
    /// its type.
    pub fn overflow(&mut self, op: Builtin, args: &[hir::Expr], stores: bool, flag: Ty, loc: Loc) -> Operand {
        let [a, b, out] = args else { return self.cx.zero(flag) };
        let op = match op {
            Builtin::AddOverflow | Builtin::AddOverflowP => FitsOp::Add,
            Builtin::SubOverflow | Builtin::SubOverflowP => FitsOp::Sub,
            _ => FitsOp::Mul,
        };
        let target = match (stores, self.cx.types.kind(out.ty.ty)) {
            (true, TypeKind::Pointer(pointee)) => pointee.ty,
            _ => out.ty.ty,
        };
        let (x, y) = self.two_values(a, b, loc);
        let kept = [self.body.keep(x), self.body.keep(y)];
        let out_value = self.value(out);
        let settled = self.body.settle_all(&kept, loc);
        let operands = [(settled[0], a.ty.ty), (settled[1], b.ty.ty)];
        let (result, fits) = if operands.iter().all(|(_, ty)| self.embeds(*ty, target)) {
            self.overflow_in_target(op, operands, target, loc)
        } else {
            self.overflow_in_general(op, operands, target, loc)
        };
        if stores {
            let ty = self.cx.scalar(target);
            self.store_at(out_value, ty, result, Access::default(), loc);
        }
        let overflows = self.negate_bit(fits, loc);
        self.widen_bit(overflows, flag, loc)
    }

    /// Whether the type `into` holds every value of `ty`.
    fn embeds(&self, ty: TypeId, into: TypeId) -> bool {
        let width = |ty: TypeId| self.cx.scalar(ty).bits(self.cx.program.pointer_bytes);
        match (self.cx.is_signed(ty), self.cx.is_signed(into)) {
            (true, true) | (false, false) => width(ty) <= width(into),
            (false, true) => width(ty) < width(into),
            (true, false) => false,
        }
    }

    /// The result, and one bit: whether it is exact.
    fn overflow_in_target(
        &mut self,
        op: FitsOp,
        operands: [(Operand, TypeId); 2],
        target: TypeId,
        loc: Loc,
    ) -> (Operand, Operand) {
        let ty = self.cx.scalar(target);
        let [a, b] = operands.map(|(value, from)| {
            let (width, is_signed) = (self.cx.scalar(from), self.cx.is_signed(from));
            self.resize(value, width, is_signed, ty, loc)
        });
        let signed = self.cx.is_signed(target);
        let fits = self.emit_value(Expr::Fits { op, signed, ty, a, b }, Ty::BOOL, loc);
        (self.emit_value(Expr::Binary { op: binary_op(op), ty, a, b }, ty, loc), fits)
    }

    fn overflow_in_general(
        &mut self,
        op: FitsOp,
        operands: [(Operand, TypeId); 2],
        target: TypeId,
        loc: Loc,
    ) -> (Operand, Operand) {
        let [a, b] = operands.map(|(value, from)| self.widen(value, from, loc));
        let (exact, in_range) = match op {
            FitsOp::Mul => self.wide_product(a, b, loc),
            _ => (self.wide_sum(op, a, b, loc), self.cx.int(1, 1)),
        };
        let ty = self.cx.scalar(target);
        let result = self.resize(exact.low, LOW, false, ty, loc);
        let back = self.widen(result, target, loc);
        let low = Expr::Compare { op: CmpOp::Eq, ty: LOW, a: exact.low, b: back.low };
        let low = self.emit_value(low, Ty::BOOL, loc);
        let high = Expr::Compare { op: CmpOp::Eq, ty: HIGH, a: exact.high, b: back.high };
        let high = self.emit_value(high, Ty::BOOL, loc);
        let both = self.bits_and(low, high, loc);
        (result, self.bits_and(both, in_range, loc))
    }

    fn bits_and(&mut self, a: Operand, b: Operand, loc: Loc) -> Operand {
        self.emit_value(Expr::Binary { op: BinOp::And, ty: Ty::BOOL, a, b }, Ty::BOOL, loc)
    }

    fn widen(&mut self, value: Operand, ty: TypeId, loc: Loc) -> Wide {
        let is_signed = self.cx.is_signed(ty);
        let from = self.cx.scalar(ty);
        let low = self.resize(value, from, is_signed, LOW, loc);
        let zero = self.cx.zero(LOW);
        let high = if is_signed {
            let negative = Expr::Compare { op: CmpOp::Slt, ty: LOW, a: low, b: zero };
            let negative = self.emit_value(negative, Ty::BOOL, loc);
            self.sign_part(negative, loc)
        } else {
            self.cx.int(8, 0)
        };
        Wide { low, high }
    }

    /// -1 if the bit is set, else 0.
    fn sign_part(&mut self, negative: Operand, loc: Loc) -> Operand {
        self.resize(negative, Ty::BOOL, true, HIGH, loc)
    }

    fn wide_sum(&mut self, op: FitsOp, a: Wide, b: Wide, loc: Loc) -> Wide {
        let op = binary_op(op);
        let low = self.emit_value(Expr::Binary { op, ty: LOW, a: a.low, b: b.low }, LOW, loc);
        // A sum below its first operand carried; a difference of a larger from a smaller borrowed.
        let (less, than) = if op == BinOp::Add { (low, a.low) } else { (a.low, b.low) };
        let carry =
            self.emit_value(Expr::Compare { op: CmpOp::Ult, ty: LOW, a: less, b: than }, Ty::BOOL, loc);
        let carry = self.widen_bit(carry, HIGH, loc);
        let high = self.emit_value(Expr::Binary { op, ty: HIGH, a: a.high, b: b.high }, HIGH, loc);
        let high = self.emit_value(Expr::Binary { op, ty: HIGH, a: high, b: carry }, HIGH, loc);
        Wide { low, high }
    }

    /// The product by magnitudes, and one bit: whether its magnitude fits 128 bits. (If not, it fits no
    /// type.)
    fn wide_product(&mut self, a: Wide, b: Wide, loc: Loc) -> (Wide, Operand) {
        let (zero, none) = (self.cx.zero(LOW), self.cx.zero(HIGH));
        let magnitude = |this: &mut Self, value: Wide| {
            let negative = Expr::Compare { op: CmpOp::Ne, ty: HIGH, a: value.high, b: none };
            let cond = this.emit_value(negative, Ty::BOOL, loc);
            let minus = this.emit_value(Expr::Unary { op: UnOp::Neg, ty: LOW, a: value.low }, LOW, loc);
            let select = Expr::Select { ty: LOW, cond, then: minus, other: value.low };
            (this.emit_value(select, LOW, loc), cond)
        };
        let (x, x_negative) = magnitude(self, a);
        let (y, y_negative) = magnitude(self, b);
        let fits = Expr::Fits { op: FitsOp::Mul, signed: false, ty: LOW, a: x, b: y };
        let fits = self.emit_value(fits, Ty::BOOL, loc);
        let size = self.emit_value(Expr::Binary { op: BinOp::Mul, ty: LOW, a: x, b: y }, LOW, loc);
        let opposite = Expr::Compare { op: CmpOp::Ne, ty: Ty::BOOL, a: x_negative, b: y_negative };
        let opposite = self.emit_value(opposite, Ty::BOOL, loc);
        let nonzero = Expr::Compare { op: CmpOp::Ne, ty: LOW, a: size, b: zero };
        let nonzero = self.emit_value(nonzero, Ty::BOOL, loc);
        let cond = self.bits_and(opposite, nonzero, loc);
        let minus = self.emit_value(Expr::Unary { op: UnOp::Neg, ty: LOW, a: size }, LOW, loc);
        let low = self.emit_value(Expr::Select { ty: LOW, cond, then: minus, other: size }, LOW, loc);
        let high = self.sign_part(cond, loc);
        (Wide { low, high }, fits)
    }
}

fn binary_op(op: FitsOp) -> BinOp {
    match op {
        FitsOp::Add => BinOp::Add,
        FitsOp::Sub => BinOp::Sub,
        FitsOp::Mul | FitsOp::Div | FitsOp::Shl | FitsOp::ShiftCount => BinOp::Mul,
    }
}
