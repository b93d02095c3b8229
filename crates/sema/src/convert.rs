//! Conversions: lvalue to value, promotions, the usual arithmetic conversions, casts, and the checks
//! of assignment-like conversions.
//!
//! Every conversion becomes explicit `Cast` nodes between neighbouring representations: a pointer
//! goes to a narrow integer by way of the integer of its own width. Constants convert at once.
//!
//! GCC computes with bit-fields wider than `int` in their own width (`unsigned long x : 40` adds
//! modulo 2^40). Such results are marked as `Same(Shr(Shl(x, k), k))`, which no source cast can make.

use crate::check::{Checker, int_const, node};
use crate::hir::{BinaryOp, CastKind, Expr, ExprKind};
use crate::types::{FloatKind, IntKind, QualType, TypeId, TypeKind};
use braid_base::Span;

/// Conversion steps, innermost first.
pub(crate) type Steps = Vec<(CastKind, QualType)>;

impl Checker<'_> {
    /// The value of an expression: arrays and functions become pointers, lvalues are loaded.
    pub fn value_of(&mut self, mut e: Expr) -> Expr {
        let span = e.span;
        match *self.types.kind(e.ty.ty) {
            TypeKind::Array { elem, .. } => {
                self.take_address(&e);
                crate::access::only_address(&mut e);
                let ty = self.types.pointer_to(elem);
                node(ExprKind::Decay(Box::new(e)), ty, span)
            }
            TypeKind::Function(_) => {
                let ty = self.types.pointer_to(e.ty);
                match e.kind {
                    ExprKind::Deref(pointer) => Expr { ty: QualType::plain(ty), ..*pointer },
                    _ => node(ExprKind::AddrOf(Box::new(e)), ty, span),
                }
            }
            TypeKind::Void => match e.kind {
                ExprKind::Deref(pointer) => {
                    node(ExprKind::Cast { kind: CastKind::ToVoid, operand: pointer }, e.ty.ty, span)
                }
                _ => e,
            },
            TypeKind::Unsupported { name, .. } => match e.kind {
                ExprKind::Unsupported(_) => e,
                _ if needs_load(&e) => self.unsupported(format!("a value of type {name}"), e.ty.ty, span),
                _ => e,
            },
            TypeKind::Record(id) if self.types.records[id].def.is_none() && needs_load(&e) => {
                let ty = self.show(e.ty.ty);
                self.error("incomplete-type", span, format!("'{ty}' is an incomplete type"));
                self.error_expr(span)
            }
            _ if needs_load(&e) => {
                let ty = e.ty.ty;
                node(ExprKind::Load(Box::new(e)), ty, span)
            }
            _ => e,
        }
    }

    pub fn unsupported(&self, reason: String, ty: TypeId, span: Span) -> Expr {
        node(ExprKind::Unsupported(reason), ty, span)
    }

    // Promotions

    /// The kind an integer type promotes to.
    pub fn promoted_kind(&self, ty: TypeId) -> IntKind {
        match self.types.as_int(ty) {
            Some(kind) if rank(kind) >= rank(IntKind::Int) => kind,
            _ => IntKind::Int,
        }
    }

    /// Integer promotion; other types pass.
    pub fn promote(&mut self, e: Expr) -> Expr {
        if !self.types.is_integer(e.ty.ty) {
            return e;
        }
        let kind = match bit_width(&e) {
            Some(width) if width < 32 => IntKind::Int,
            Some(32) if self.types.is_signed_type(e.ty.ty) => IntKind::Int,
            Some(32) => IntKind::UInt,
            _ => self.promoted_kind(e.ty.ty),
        };
        let ty = self.types.int(kind);
        self.convert(e, ty)
    }

    /// Default argument promotions: integer promotion, and `float` to `double`.
    pub fn default_promote(&mut self, e: Expr) -> Expr {
        if e.ty.ty == self.common.float { self.convert(e, self.common.double) } else { self.promote(e) }
    }

    /// Bits a value wider than `int` is computed in, if fewer than its type has.
    fn precision(&self, e: &Expr) -> Option<u32> {
        let bits = match &e.kind {
            ExprKind::Cast { kind: CastKind::Same, operand } => {
                narrowed_bits(operand, self.types.bits(e.ty.ty))?
            }
            ExprKind::Cond { then, other, .. } => {
                let bits = self.precision(then)?;
                (self.precision(other) == Some(bits)).then_some(bits)?
            }
            ExprKind::Comma(_, value) => self.precision(value)?,
            _ => u32::from(bit_width(e)?),
        };
        (bits > 32 && bits < self.types.bits(e.ty.ty)).then_some(bits)
    }

    /// Reduces a value to `bits` bits of its type and marks it so.
    pub fn narrow(&mut self, e: Expr, bits: Option<u32>) -> Expr {
        let Some(bits) = bits else { return e };
        let (ty, span) = (e.ty.ty, e.span);
        let (shift, int) = (u128::from(self.types.bits(ty) - bits), self.common.int);
        let count = || Box::new(int_const(shift, int, span));
        // Shifting left must not be judged as signed overflow, so it happens in the unsigned type.
        let unsigned = self.unsigned_of(ty);
        let (left, right) = (count(), count());
        let up = self.convert(e, unsigned);
        let up = node(ExprKind::Binary { op: BinaryOp::Shl, lhs: Box::new(up), rhs: left }, unsigned, span);
        let up = self.convert(up, ty);
        let down = node(ExprKind::Binary { op: BinaryOp::Shr, lhs: Box::new(up), rhs: right }, ty, span);
        node(ExprKind::Cast { kind: CastKind::Same, operand: Box::new(down) }, ty, span)
    }

    pub fn unsigned_of(&mut self, ty: TypeId) -> TypeId {
        match self.types.as_int(ty) {
            Some(kind) => self.types.int(unsigned_kind(kind)),
            None => ty,
        }
    }

    /// Usual arithmetic conversions of two arithmetic rvalues; the last result is the precision to
    /// which an operator's result must be narrowed.
    pub fn usual_conversions(&mut self, lhs: Expr, rhs: Expr) -> (Expr, Expr, TypeId, Option<u32>) {
        let (lhs, rhs) = (self.promote(lhs), self.promote(rhs));
        let ty = self.common_type(lhs.ty.ty, rhs.ty.ty);
        let bits = self.common_precision(&lhs, &rhs);
        if bits.is_some() {
            let ty = self.precise_type(&lhs, &rhs);
            let (lhs, rhs) = (self.convert(lhs, ty), self.convert(rhs, ty));
            let (lhs, rhs) = (self.narrow(lhs, bits), self.narrow(rhs, bits));
            return (lhs, rhs, ty, bits);
        }
        (self.convert(lhs, ty), self.convert(rhs, ty), ty, None)
    }

    /// The narrower-than-type precision both operands are computed in, if any.
    fn common_precision(&self, lhs: &Expr, rhs: &Expr) -> Option<u32> {
        if !self.types.is_integer(lhs.ty.ty) || !self.types.is_integer(rhs.ty.ty) {
            return None;
        }
        let width = |e: &Expr| self.precision(e).unwrap_or(self.types.bits(e.ty.ty));
        let bits = width(lhs).max(width(rhs));
        let narrow = |e: &Expr| self.precision(e) == Some(bits);
        let full = |e: &Expr| width(e) == bits && self.precision(e).is_none();
        ((narrow(lhs) || narrow(rhs)) && !full(lhs) && !full(rhs)).then_some(bits)
    }

    /// The declared type of the operand that decides the precision; unsigned wins a tie.
    fn precise_type(&self, lhs: &Expr, rhs: &Expr) -> TypeId {
        let decided = match (self.precision(lhs), self.precision(rhs)) {
            (Some(a), Some(b)) if a == b => {
                if self.types.is_signed_type(lhs.ty.ty) {
                    rhs
                } else {
                    lhs
                }
            }
            (Some(a), Some(b)) if a < b => rhs,
            (Some(_), _) => lhs,
            (None, _) => rhs,
        };
        decided.ty.ty
    }

    /// Precision to which a unary operator's result must be narrowed.
    pub fn unary_precision(&self, e: &Expr) -> Option<u32> {
        self.precision(e)
    }

    /// The common type of two promoted arithmetic types.
    pub fn common_type(&mut self, a: TypeId, b: TypeId) -> TypeId {
        let float = |ty| match self.types.kind(ty) {
            TypeKind::Float(kind) => Some(*kind),
            _ => None,
        };
        let kind = match (float(a), float(b)) {
            (None, None) => {
                let kind = self.common_int(self.promoted_kind(a), self.promoted_kind(b));
                return self.types.int(kind);
            }
            (Some(x), None) => x,
            (None, Some(y)) => y,
            (Some(x), Some(y)) => {
                if float_rank(x) >= float_rank(y) {
                    x
                } else {
                    y
                }
            }
        };
        self.types.intern(TypeKind::Float(kind))
    }

    fn common_int(&self, a: IntKind, b: IntKind) -> IntKind {
        if a == b {
            return a;
        }
        let (signed_a, signed_b) = (self.types.is_signed(a), self.types.is_signed(b));
        if signed_a == signed_b {
            return if rank(a) >= rank(b) { a } else { b };
        }
        let (signed, unsigned) = if signed_a { (a, b) } else { (b, a) };
        if rank(unsigned) >= rank(signed) {
            unsigned
        } else if self.types.int_bytes(signed) > self.types.int_bytes(unsigned) {
            signed
        } else {
            unsigned_kind(signed)
        }
    }

    // Casts

    /// The casts that take a value of scalar type `from` to scalar (or `void`) type `to`.
    pub fn cast_steps(&mut self, from: TypeId, to: TypeId) -> Steps {
        if from == to {
            return Vec::new();
        }
        let target = QualType::plain(to);
        let types = &self.types;
        let (int_from, int_to) = (types.is_integer(from), types.is_integer(to));
        let (float_from, float_to) = (types.is_float(from), types.is_float(to));
        let (ptr_from, ptr_to) = (types.is_pointer(from), types.is_pointer(to));
        let kind = if types.is_void(to) {
            CastKind::ToVoid
        } else if types.is_bool(to) {
            CastKind::ToBool
        } else if int_from && int_to {
            CastKind::Int
        } else if int_from && float_to {
            CastKind::IntToFloat
        } else if float_from && int_to {
            CastKind::FloatToInt
        } else if float_from && float_to {
            CastKind::Float
        } else if ptr_from && ptr_to {
            CastKind::Ptr
        } else if int_from && ptr_to {
            if types.bits(from) == types.bits(to) && !types.is_bool(from) {
                CastKind::IntToPtr
            } else {
                let wide = if types.is_signed_type(from) { self.common.intptr } else { self.common.uintptr };
                return vec![(CastKind::Int, QualType::plain(wide)), (CastKind::IntToPtr, target)];
            }
        } else if ptr_from && int_to {
            if types.bits(from) == types.bits(to) {
                CastKind::PtrToInt
            } else {
                // GCC sign-extends a pointer to a wider integer.
                let same_width = QualType::plain(self.common.intptr);
                return vec![(CastKind::PtrToInt, same_width), (CastKind::Int, target)];
            }
        } else {
            CastKind::Same
        };
        vec![(kind, target)]
    }

    /// Converts an rvalue to `to` without judging whether C allows it.
    pub fn convert(&mut self, e: Expr, to: TypeId) -> Expr {
        if e.ty.ty == to || self.types.is_error(e.ty.ty) {
            return e;
        }
        if self.types.is_error(to) {
            return self.error_expr(e.span);
        }
        if let Some(folded) = self.convert_constant(&e, to) {
            return folded;
        }
        let span = e.span;
        self.cast_steps(e.ty.ty, to).into_iter().fold(e, |operand, (kind, ty)| Expr {
            kind: ExprKind::Cast { kind, operand: Box::new(operand) },
            ty,
            span,
        })
    }

    fn convert_constant(&self, e: &Expr, to: TypeId) -> Option<Expr> {
        let (types, from) = (&self.types, e.ty.ty);
        let kind = match e.kind {
            ExprKind::Int(value) if types.is_integer(to) => {
                let wide =
                    if types.is_integer(from) { types.extend(from, value) as u128 } else { return None };
                ExprKind::Int(types.wrap(to, wide))
            }
            ExprKind::Int(value) if types.is_float(to) && types.is_integer(from) => {
                ExprKind::Float(types.int_to_float(from, value, to))
            }
            // Only null stays a constant; other addresses keep their casts, for the interpreter to judge.
            ExprKind::Int(0) if types.is_pointer(to) => ExprKind::Int(0),
            ExprKind::Float(value) if types.is_float(to) => ExprKind::Float(types.round_float(to, value)),
            _ => return None,
        };
        Some(node(kind, to, e.span))
    }

    /// An explicit cast makes an ordinary value: later operators must not see the bit-field (or the
    /// mark of [`Checker::narrow`]) through it.
    pub fn unmark(&mut self, e: Expr) -> Expr {
        let (ty, span) = (e.ty.ty, e.span);
        if bit_width(&e).is_none() && self.precision(&e).is_none() {
            return e;
        }
        node(ExprKind::Cast { kind: CastKind::Int, operand: Box::new(e) }, ty, span)
    }
}

/// Designators of objects have a value only once they are loaded; members of values too.
pub(crate) fn needs_load(e: &Expr) -> bool {
    matches!(
        e.kind,
        ExprKind::Local(_)
            | ExprKind::Entity(_)
            | ExprKind::Str(_)
            | ExprKind::Deref(_)
            | ExprKind::Member { .. }
            | ExprKind::CompoundLiteral { .. }
    )
}

/// Width of the bit-field whose value this is.
fn bit_width(e: &Expr) -> Option<u8> {
    match &e.kind {
        ExprKind::Load(lvalue) => match &lvalue.kind {
            ExprKind::Member { bits: Some(bits), .. } => Some(bits.width),
            _ => None,
        },
        ExprKind::Assign { lhs, .. } => assigned_width(lhs),
        ExprKind::AssignOp(op) => assigned_width(&op.lhs),
        ExprKind::Comma(_, value) => bit_width(value),
        _ => None,
    }
}

fn assigned_width(lhs: &Expr) -> Option<u8> {
    match &lhs.kind {
        ExprKind::Member { bits: Some(bits), .. } => Some(bits.width),
        _ => None,
    }
}

/// The bits left by the shift pair that [`Checker::narrow`] makes.
fn narrowed_bits(e: &Expr, width: u32) -> Option<u32> {
    match &e.kind {
        ExprKind::Binary { op: BinaryOp::Shr, rhs, .. } => match rhs.kind {
            ExprKind::Int(count) => width.checked_sub(count as u32),
            _ => None,
        },
        _ => None,
    }
}

pub(crate) fn rank(kind: IntKind) -> u8 {
    match kind {
        IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
        IntKind::Short | IntKind::UShort => 2,
        IntKind::Int | IntKind::UInt => 3,
        IntKind::Long | IntKind::ULong => 4,
        IntKind::LongLong | IntKind::ULongLong => 5,
        IntKind::Int128 | IntKind::UInt128 => 6,
    }
}

pub(crate) fn unsigned_kind(kind: IntKind) -> IntKind {
    match kind {
        IntKind::Char | IntKind::SChar | IntKind::UChar => IntKind::UChar,
        IntKind::Short | IntKind::UShort => IntKind::UShort,
        IntKind::Int | IntKind::UInt => IntKind::UInt,
        IntKind::Long | IntKind::ULong => IntKind::ULong,
        IntKind::LongLong | IntKind::ULongLong => IntKind::ULongLong,
        IntKind::Int128 | IntKind::UInt128 => IntKind::UInt128,
    }
}

fn float_rank(kind: FloatKind) -> u8 {
    match kind {
        FloatKind::Float => 1,
        FloatKind::Double => 2,
        FloatKind::LongDouble => 3,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_f;
    use expect_test::expect;

    #[test]
    fn integer_promotions_and_common_types() {
        check_f(
            "void f(char c, unsigned short s, unsigned u, long l, _Bool b, float x, double d) {\n\
             c + s; s << l; u + l; c < u; b + 1; x * c; x + d; -b; ~s; u ? l : c; c ?: d;\n\
             }\n",
            expect![[r#"
                {
                  (+ (Int:int (ld c)) (Int:int (ld s)))
                  (<< (Int:int (ld s)) (ld l))
                  (+ (Int:long (ld u)) (ld l))
                  (Lt (Int:unsigned int (Int:int (ld c))) (ld u))
                  (+ (Int:int (ld b)) 1)
                  (* (ld x) (IntToFloat:float (Int:int (ld c))))
                  (+ (Float:double (ld x)) (ld d))
                  (Neg (Int:int (ld b)))
                  (BitNot (Int:int (ld s)))
                  (? (ld u) (ld l) (Int:long (Int:int (ld c))))
                  (?: (ld c) [IntToFloat:double] (ld d))
                }
            "#]],
        );
    }

    #[test]
    fn bit_fields_promote_by_width() {
        check_f(
            "struct s { unsigned a : 3; unsigned b : 32; unsigned long w : 40; long long n : 29; } v;\n\
             void f(int k) { v.a - 1; v.b - 1; v.w + 1; (unsigned long)v.w + 1; (long long)v.n >> k; v.a = v.w; v.w += k; }\n",
            expect![[r#"
                {
                  (- (Int:int (ld (.0[0+3] v))) 1)
                  (- (ld (.4[0+32] v)) 1:unsigned int)
                  (Same:unsigned long (>> (<< (+ (Same:unsigned long (>> (<< (ld (.8[0+40] v)) 24) 24)) (Same:unsigned long (>> (<< 1:unsigned long 24) 24))) 24) 24))
                  (+ (Int:unsigned long (ld (.8[0+40] v))) 1:unsigned long)
                  (>> (Int:long long (ld (.16[0+29] v))) (ld k))
                  (= (.0[0+3] v) (Int:unsigned int (ld (.8[0+40] v))))
                  (+= (.8[0+40] v) (Int:unsigned long (ld k)) in unsigned long New)
                }
            "#]],
        );
    }

    #[test]
    fn pointers_and_integers_convert_through_their_width() {
        check_f(
            "void f(void *p, char c, unsigned u, int *q) { (char)(long)p; (int *)(long)c; (int *)u; (_Bool)p; q = 0; q = p; (char)1.5; (float)1; }\n",
            expect![[r#"
                {
                  (Int:char (PtrToInt:long (ld p)))
                  (IntToPtr:int * (Int:long (ld c)))
                  (IntToPtr:int * (Int:unsigned long (ld u)))
                  (ToBool:_Bool (ld p))
                  (= q 0:int *)
                  (= q (Ptr:int * (ld p)))
                  (FloatToInt:char 1.5:double)
                  1.0:float
                }
            "#]],
        );
    }
}
