//! Arithmetic on evaluated operands, with the checks C asks for before it.
//!
//! A check is an `assert` in front of the operation; the operation itself wraps, and takes shift
//! counts modulo the width, so that a run that does not check goes on as DESIGN rule 4 says.

use crate::func::Lowerer;
use braid_ir::{BinOp, CastOp, CmpOp, Expr, FitsOp, Loc, Op, Operand, Ty, UnOp};
use braid_props::Check;
use braid_sema::hir::{BinaryOp, CastKind, UnaryOp};
use braid_sema::types::TypeId;

impl Lowerer<'_, '_, '_> {
    /// Places a check, unless it is known to hold.
    pub fn check(&mut self, check: Check, cond: Expr, loc: Loc) {
        let bits = self.cx.pointer_bits();
        let cond = match braid_ir::fold::fold(&mut self.cx.program.consts, bits, &cond) {
            Some(known) if self.cx.const_int(known) == Some(1) => return,
            Some(known) => Expr::Use(known),
            None => cond,
        };
        self.body.emit(Op::Assert { check, cond, message: None, about: None }, loc);
    }

    pub fn unary(&mut self, op: UnaryOp, ty: TypeId, a: Operand, loc: Loc) -> Operand {
        let is_signed = self.cx.is_signed(ty);
        let ty = self.cx.scalar(ty);
        let op = match (op, ty) {
            (UnaryOp::Neg, Ty::F32 | Ty::F64) => UnOp::FNeg,
            (UnaryOp::Neg, _) => {
                if is_signed {
                    let zero = self.cx.zero(ty);
                    let fits = Expr::Fits { op: FitsOp::Sub, signed: true, ty, a: zero, b: a };
                    self.check(Check::SignedOverflow, fits, loc);
                }
                UnOp::Neg
            }
            (UnaryOp::BitNot, _) => UnOp::Not,
        };
        self.emit_value(Expr::Unary { op, ty, a }, ty, loc)
    }

    /// `a op b` in the type `c_ty`; `count_ty` is the type of a shift's right operand.
    pub fn binary(
        &mut self,
        op: BinaryOp,
        c_ty: TypeId,
        count_ty: TypeId,
        a: Operand,
        b: Operand,
        loc: Loc,
    ) -> Operand {
        let ty = self.cx.scalar(c_ty);
        if let Ty::F32 | Ty::F64 = ty {
            return self.float_binary(op, ty, a, b, loc);
        }
        let is_signed = self.cx.is_signed(c_ty);
        if let BinaryOp::Shl | BinaryOp::Shr = op {
            return self.shift(op, c_ty, count_ty, a, b, loc);
        }
        let overflow = |this: &mut Self, op| {
            if is_signed {
                this.check(Check::SignedOverflow, Expr::Fits { op, signed: true, ty, a, b }, loc);
            }
        };
        let op = match op {
            BinaryOp::Add => {
                overflow(self, FitsOp::Add);
                BinOp::Add
            }
            BinaryOp::Sub => {
                overflow(self, FitsOp::Sub);
                BinOp::Sub
            }
            BinaryOp::Mul => {
                overflow(self, FitsOp::Mul);
                BinOp::Mul
            }
            BinaryOp::Div | BinaryOp::Rem => {
                let zero = self.cx.zero(ty);
                let nonzero = Expr::Compare { op: CmpOp::Ne, ty, a: b, b: zero };
                self.check(Check::DivisionByZero, nonzero, loc);
                // Only a divisor of -1 can overflow.
                if !self.cx.const_int(b).is_some_and(|bits| is_positive(bits, ty)) {
                    overflow(self, FitsOp::Div);
                }
                match (op, is_signed) {
                    (BinaryOp::Div, true) => BinOp::SDiv,
                    (BinaryOp::Div, false) => BinOp::UDiv,
                    (_, true) => BinOp::SRem,
                    (_, false) => BinOp::URem,
                }
            }
            BinaryOp::And => BinOp::And,
            BinaryOp::Or => BinOp::Or,
            BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr => BinOp::Xor,
        };
        self.emit_value(Expr::Binary { op, ty, a, b }, ty, loc)
    }

    fn float_binary(&mut self, op: BinaryOp, ty: Ty, a: Operand, b: Operand, loc: Loc) -> Operand {
        let op = match op {
            BinaryOp::Add => BinOp::FAdd,
            BinaryOp::Sub => BinOp::FSub,
            BinaryOp::Mul => BinOp::FMul,
            BinaryOp::Div => BinOp::FDiv,
            // The checks before allow none of these on floats.
            BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
                self.unsupported("integer operator on a floating-point number", loc);
                return a;
            }
        };
        self.emit_value(Expr::Binary { op, ty, a, b }, ty, loc)
    }

    fn shift(
        &mut self,
        op: BinaryOp,
        c_ty: TypeId,
        count_ty: TypeId,
        a: Operand,
        count: Operand,
        loc: Loc,
    ) -> Operand {
        let is_signed = self.cx.is_signed(c_ty);
        let ty = self.cx.scalar(c_ty);
        let b = self.check_shift_count(ty, count_ty, a, count, loc);
        let op = match (op, is_signed) {
            (BinaryOp::Shl, true) => {
                self.check(Check::Shift, Expr::Fits { op: FitsOp::Shl, signed: true, ty, a, b }, loc);
                BinOp::Shl
            }
            (BinaryOp::Shl, false) => BinOp::Shl,
            (_, true) => BinOp::AShr,
            (_, false) => BinOp::LShr,
        };
        self.emit_value(Expr::Binary { op, ty, a, b }, ty, loc)
    }

    /// Checks the count in its own type and gives it in the type of the left operand. (Sign extension
    /// turns a negative count into a huge one, which the check refuses.)
    fn check_shift_count(
        &mut self,
        ty: Ty,
        count_ty: TypeId,
        a: Operand,
        count: Operand,
        loc: Loc,
    ) -> Operand {
        let own = self.cx.scalar(count_ty);
        let is_signed = self.cx.is_signed(count_ty);
        let (Ty::Int(width), Ty::Int(count_width)) = (ty, own) else { return count };
        if count_width > width {
            let limit = self.cx.int(count_width, u128::from(width));
            let in_range = Expr::Compare { op: CmpOp::Ult, ty: own, a: count, b: limit };
            self.check(Check::Shift, in_range, loc);
            return self.resize(count, own, is_signed, ty, loc);
        }
        let b = self.resize(count, own, is_signed, ty, loc);
        self.check(Check::Shift, Expr::Fits { op: FitsOp::ShiftCount, signed: false, ty, a, b }, loc);
        b
    }

    /// An integer cut or extended to another width.
    pub fn resize(&mut self, value: Operand, from: Ty, is_signed: bool, to: Ty, loc: Loc) -> Operand {
        let (Ty::Int(old), Ty::Int(new)) = (from, to) else { return value };
        let op = match old.cmp(&new) {
            std::cmp::Ordering::Equal => return value,
            std::cmp::Ordering::Greater => CastOp::Trunc,
            std::cmp::Ordering::Less if is_signed => CastOp::Sext,
            std::cmp::Ordering::Less => CastOp::Zext,
        };
        self.emit_value(Expr::Cast { op, from, to, a: value }, to, loc)
    }

    /// The same bits in another type, cut or zero-extended: what a call does where caller and callee
    /// disagree.
    pub fn fit(&mut self, value: Operand, from: Ty, to: Ty, loc: Loc) -> Operand {
        if from == to {
            return value;
        }
        let word = self.cx.word();
        let as_int = |this: &mut Self, value, ty: Ty| match ty {
            Ty::Int(_) => (value, ty),
            Ty::Ptr => (this.cast(CastOp::PtrToInt, value, Ty::Ptr, word, loc), word),
            Ty::F32 => (this.cast(CastOp::Bits, value, ty, Ty::Int(32), loc), Ty::Int(32)),
            Ty::F64 => (this.cast(CastOp::Bits, value, ty, Ty::Int(64), loc), Ty::Int(64)),
        };
        let (value, int) = as_int(self, value, from);
        match to {
            Ty::Int(_) => self.resize(value, int, false, to, loc),
            Ty::Ptr => {
                let value = self.resize(value, int, false, word, loc);
                self.cast(CastOp::IntToPtr, value, word, Ty::Ptr, loc)
            }
            Ty::F32 | Ty::F64 => {
                let bits = if to == Ty::F32 { Ty::Int(32) } else { Ty::Int(64) };
                let value = self.resize(value, int, false, bits, loc);
                self.cast(CastOp::Bits, value, bits, to, loc)
            }
        }
    }

    pub fn cast(&mut self, op: CastOp, a: Operand, from: Ty, to: Ty, loc: Loc) -> Operand {
        self.emit_value(Expr::Cast { op, from, to, a }, to, loc)
    }

    /// A C conversion of an evaluated operand.
    pub fn convert(
        &mut self,
        kind: CastKind,
        c_from: TypeId,
        c_to: TypeId,
        value: Operand,
        loc: Loc,
    ) -> Operand {
        let (from, to) = (self.cx.scalar(c_from), self.cx.scalar(c_to));
        let word = self.cx.word();
        match kind {
            CastKind::Ptr | CastKind::Same | CastKind::ToVoid => value,
            CastKind::Int => self.resize(value, from, self.cx.is_signed(c_from), to, loc),
            CastKind::ToBool => {
                let bit = self.nonzero(value, from, loc);
                self.widen_bit(bit, to, loc)
            }
            CastKind::IntToFloat => {
                let op = if self.cx.is_signed(c_from) { CastOp::SintToFloat } else { CastOp::UintToFloat };
                self.cast(op, value, from, to, loc)
            }
            CastKind::FloatToInt => {
                let op = if self.cx.is_signed(c_to) { CastOp::FloatToSint } else { CastOp::FloatToUint };
                self.cast(op, value, from, to, loc)
            }
            CastKind::Float if from == to => value,
            CastKind::Float => self.cast(CastOp::FloatToFloat, value, from, to, loc),
            CastKind::PtrToInt => {
                // A wider integer takes the sign, as GCC documents.
                let value = self.cast(CastOp::PtrToInt, value, Ty::Ptr, word, loc);
                self.resize(value, word, true, to, loc)
            }
            CastKind::IntToPtr => {
                let value = self.resize(value, from, self.cx.is_signed(c_from), word, loc);
                self.cast(CastOp::IntToPtr, value, word, Ty::Ptr, loc)
            }
        }
    }

    /// A chain of conversions, innermost first.
    pub fn convert_all(
        &mut self,
        steps: &[(CastKind, braid_sema::types::QualType)],
        from: TypeId,
        value: Operand,
        loc: Loc,
    ) -> Operand {
        let mut current = from;
        let mut value = value;
        for (kind, to) in steps {
            value = self.convert(*kind, current, to.ty, value, loc);
            current = to.ty;
        }
        value
    }

    /// A pointer plus a constant number of bytes.
    pub fn offset_ptr(&mut self, ptr: Operand, bytes: u64, loc: Loc) -> Operand {
        let offset = self.cx.word_const(bytes);
        self.emit_value(Expr::PtrAdd { ptr, offset }, Ty::Ptr, loc)
    }

    /// `ptr ± index * size`, the index of C type `index_ty`.
    pub fn pointer_add(
        &mut self,
        ptr: Operand,
        (index, index_ty): (Operand, TypeId),
        size: Operand,
        negate: bool,
        loc: Loc,
    ) -> Operand {
        let index = self.index_word(index, index_ty, loc);
        self.pointer_step(ptr, index, size, negate, loc)
    }

    /// An index of C type `ty`, as wide as a pointer.
    pub fn index_word(&mut self, index: Operand, ty: TypeId, loc: Loc) -> Operand {
        let (from, word) = (self.cx.scalar(ty), self.cx.word());
        self.resize(index, from, self.cx.is_signed(ty), word, loc)
    }

    /// `ptr ± index * size`, the index as wide as a pointer.
    pub fn pointer_step(
        &mut self,
        ptr: Operand,
        index: Operand,
        size: Operand,
        negate: bool,
        loc: Loc,
    ) -> Operand {
        let word = self.cx.word();
        let scaled = Expr::Binary { op: BinOp::Mul, ty: word, a: index, b: size };
        let mut offset = self.emit_value(scaled, word, loc);
        if negate {
            offset = self.emit_value(Expr::Unary { op: UnOp::Neg, ty: word, a: offset }, word, loc);
        }
        self.emit_value(Expr::PtrAdd { ptr, offset }, Ty::Ptr, loc)
    }
}

/// Whether the bits are a positive number of the type.
fn is_positive(bits: u128, ty: Ty) -> bool {
    match ty {
        Ty::Int(width) => braid_ir::fold::signed(bits, width) > 0,
        Ty::F32 | Ty::F64 | Ty::Ptr => false,
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
    fn checks_come_first() {
        check(
            "int f(int a, int b, long c) { return (a / b) + (a << c) - (-b); }",
            expect![[r#"
                fn &f(%a.0, %b.1, %c.2) -> i32
                b0:
                  assert division-by-zero, ne i32 %b.1, 0:i32
                  assert signed-overflow, fits div signed i32 %a.0, %b.1
                  %3 = sdiv i32 %a.0, %b.1
                  assert shift, ult i64 %c.2, 32:i64
                  %4 = trunc i64 %c.2 to i32
                  assert shift, fits shl signed i32 %a.0, %4
                  %5 = shl i32 %a.0, %4
                  assert signed-overflow, fits add signed i32 %3, %5
                  %6 = add i32 %3, %5
                  assert signed-overflow, fits sub signed i32 0:i32, %b.1
                  %7 = neg i32 %b.1
                  assert signed-overflow, fits sub signed i32 %6, %7
                  %8 = sub i32 %6, %7
                  ret %8
                }
            "#]],
        );
    }

    #[test]
    fn unsigned_arithmetic_wraps() {
        check(
            "unsigned f(unsigned a, unsigned char b) { return (a + b) * 2u / 3u; }",
            expect![[r#"
                fn &f(%a.0, %b.1) -> i32
                b0:
                  %2 = zext i8 %b.1 to i32
                  %3 = add i32 %a.0, %2
                  %4 = mul i32 %3, 2:i32
                  %5 = udiv i32 %4, 3:i32
                  ret %5
                }
            "#]],
        );
    }
}
