//! Conversions: lvalue to value, promotions, the usual arithmetic conversions, casts, and the checks
//! of assignment-like conversions.
//!
//! Every conversion becomes explicit `Cast` nodes between neighbouring representations: a pointer
//! goes to a narrow integer by way of the integer of its own width. Constants convert at once.
//!
//! GCC computes with bit-fields wider than `int` in their own width (`unsigned long x : 40` adds
//! modulo 2^40). Such results are marked as `Same(Shr(Shl(x, k), k))`, which no source cast can make.

use crate::check::{Checker, int_const, node};
use crate::hir::{BinaryOp, CastKind, EntityId, Expr, ExprKind, Init, InitItem, InitList};
use crate::types::{FloatKind, IntKind, QualType, Quals, TypeId, TypeKind};
use braid_base::{Diagnostic, Span};

/// What a value is converted for; words the messages.
#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    Assign,
    Init,
    Return,
    Arg { index: usize, callee: Option<EntityId> },
}

/// Conversion steps, innermost first.
pub(crate) type Steps = Vec<(CastKind, QualType)>;

impl Checker<'_> {
    /// The value of an expression: arrays and functions become pointers, lvalues are loaded.
    pub fn to_rvalue(&mut self, e: Expr) -> Expr {
        let span = e.span;
        match *self.types.kind(e.ty.ty) {
            TypeKind::Array { elem, .. } => {
                self.take_address(&e);
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
            ExprKind::Cast { kind: CastKind::Same, operand } => narrowed_bits(operand, self.types.bits(e.ty.ty))?,
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
                let wide = if types.is_integer(from) { types.extend(from, value) as u128 } else { return None };
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

    /// Drops the mark of [`Checker::narrow`]: an explicit cast makes an ordinary value.
    pub fn unmark(&mut self, e: Expr) -> Expr {
        if self.precision(&e).is_none() {
            return e;
        }
        match e.kind {
            ExprKind::Cast { kind: CastKind::Same, operand } => *operand,
            // A cast keeps later operators from seeing the bit-field through it.
            _ => {
                let (ty, span) = (e.ty.ty, e.span);
                let zero = Box::new(int_const(0, ty, span));
                node(ExprKind::Binary { op: BinaryOp::Or, lhs: Box::new(e), rhs: zero }, ty, span)
            }
        }
    }

    // Assignment-like conversions

    /// Converts `value` (an rvalue) as if by assignment to an object of type `target`.
    pub fn assign_convert(&mut self, value: Expr, target: QualType, purpose: Purpose, span: Span) -> Expr {
        let (from, to) = (value.ty.ty, target.ty);
        let types = &self.types;
        if types.is_error(from) || types.is_error(to) {
            return value;
        }
        if types.is_unsupported(to) || types.is_unsupported(from) {
            if from == to && matches!(value.kind, ExprKind::Unsupported(_)) {
                return value;
            }
            if types.is_arithmetic(from) || types.is_arithmetic(to) || from == to {
                let name = self.show(if types.is_unsupported(to) { to } else { from });
                return self.unsupported(format!("a conversion with type {name}"), to, span);
            }
        }
        if types.is_void(from) {
            self.error("void-value", value.span, "this expression has no value (its type is 'void')");
            return self.error_expr(span);
        }
        let types = &self.types;
        let ok = (types.is_arithmetic(from) && types.is_arithmetic(to))
            || (types.is_bool(to) && types.is_pointer(from))
            || (types.is_record(to) && types.compatible(from, to));
        if ok {
            return self.convert(value, to);
        }
        match (types.pointee(from), types.pointee(to)) {
            (Some(a), Some(b)) => {
                if !self.is_null_constant(&value) {
                    self.check_pointees(a, b, &value, target, purpose, span);
                }
                return self.convert(value, to);
            }
            (None, Some(_)) if types.is_integer(from) => {
                if !self.is_null_constant(&value) {
                    self.int_conversion(&value, target, purpose, span);
                }
                return self.convert(value, to);
            }
            (Some(_), None) if types.is_integer(to) => {
                self.int_conversion(&value, target, purpose, span);
                return self.convert(value, to);
            }
            _ => {}
        }
        if let Purpose::Arg { .. } = purpose {
            if let Some(union) = self.transparent_argument(&value, target) {
                return self.wrap_in_union(value, target, union, span);
            }
        }
        let message = format!(
            "incompatible types: {} '{}' from '{}'",
            self.purpose_text(purpose),
            self.types.show(QualType::plain(to)),
            self.show(from)
        );
        let diagnostic = self.with_callee_note(Diagnostic::error("incompatible-types", span, message), purpose);
        self.report(diagnostic);
        self.error_expr(span)
    }

    fn purpose_text(&self, purpose: Purpose) -> String {
        match purpose {
            Purpose::Assign => "assigning to".to_owned(),
            Purpose::Init => "initialising".to_owned(),
            Purpose::Return => "returning".to_owned(),
            Purpose::Arg { index, callee: Some(id) } => {
                format!("argument {} of '{}' takes", index + 1, self.info[id].c_name)
            }
            Purpose::Arg { index, callee: None } => format!("argument {} takes", index + 1),
        }
    }

    fn with_callee_note(&self, diagnostic: Diagnostic, purpose: Purpose) -> Diagnostic {
        match purpose {
            Purpose::Arg { callee: Some(id), .. } => {
                let entity = &self.entities[id];
                diagnostic.note_at(entity.span, format!("'{}' is declared here", self.info[id].c_name))
            }
            _ => diagnostic,
        }
    }

    fn check_pointees(
        &mut self,
        from: QualType,
        to: QualType,
        value: &Expr,
        target: QualType,
        purpose: Purpose,
        span: Span,
    ) {
        let types = &mut self.types;
        let void = types.is_void(from.ty) || types.is_void(to.ty);
        let (plain_from, plain_to) = (types.unqualified(from), types.unqualified(to));
        let types = &self.types;
        if void || types.compatible(plain_from, plain_to) || self.differ_in_sign(plain_from, plain_to) {
            let lost = lost_quals(element_quals(self, from), element_quals(self, to));
            if let Some(lost) = lost {
                let text = self.purpose_text(purpose);
                let (shown, given) = (self.types.show(target), self.types.show(value.ty));
                self.warn(
                    "discarded-qualifiers",
                    span,
                    format!("{text} '{shown}' from '{given}' discards '{lost}'"),
                );
            }
            return;
        }
        let message = format!(
            "incompatible pointer types: {} '{}' from '{}'",
            self.purpose_text(purpose),
            self.types.show(QualType::plain(target.ty)),
            self.show(value.ty.ty)
        );
        let diagnostic =
            self.with_callee_note(Diagnostic::warning("incompatible-pointer-types", span, message), purpose);
        self.report(diagnostic);
    }

    /// `char *` against `unsigned char *`: harmless, and silent in GCC by default.
    fn differ_in_sign(&self, a: TypeId, b: TypeId) -> bool {
        match (self.types.as_int(a), self.types.as_int(b)) {
            (Some(a), Some(b)) => rank(a) == rank(b),
            _ => false,
        }
    }

    fn int_conversion(&mut self, value: &Expr, target: QualType, purpose: Purpose, span: Span) {
        let message = format!(
            "conversion between pointer and integer: {} '{}' from '{}'",
            self.purpose_text(purpose),
            self.types.show(QualType::plain(target.ty)),
            self.show(value.ty.ty)
        );
        let diagnostic = self.with_callee_note(Diagnostic::warning("int-conversion", span, message), purpose);
        self.report(diagnostic);
    }

    /// The member of a transparent union that takes the argument.
    fn transparent_argument(&self, value: &Expr, target: QualType) -> Option<QualType> {
        let id = self.types.record_of(target.ty)?;
        if !self.transparent.contains(&id) {
            return None;
        }
        let fields = &self.types.records[id].def.as_ref()?.fields;
        let exact = fields.iter().find(|f| self.types.compatible(f.ty.ty, value.ty.ty));
        let loose = || {
            fields.iter().find(|f| {
                let pointers = self.types.is_pointer(f.ty.ty) && self.types.is_pointer(value.ty.ty);
                pointers || (self.types.is_pointer(f.ty.ty) && self.is_null_constant(value))
            })
        };
        exact.or_else(loose).map(|f| f.ty)
    }

    fn wrap_in_union(&mut self, value: Expr, target: QualType, member: QualType, span: Span) -> Expr {
        let value = self.convert(value, member.ty);
        let union = QualType { ty: target.ty, quals: Quals::default() };
        if self.func.is_none() {
            return self.error_expr(span);
        }
        let local = self.hidden_local(union, span);
        let item = InitItem { offset: 0, bits: None, ty: member, value, count: 1, stride: 0 };
        let init = Box::new(Init::List(InitList { items: vec![item], covers: false }));
        let literal = Expr { kind: ExprKind::CompoundLiteral { local, init }, ty: union, span };
        self.to_rvalue(literal)
    }
}

/// The qualifiers that matter behind a pointer; an array's are those of its elements.
fn element_quals(checker: &Checker, qt: QualType) -> Quals {
    match checker.types.element(qt.ty) {
        Some((elem, _)) => element_quals(checker, elem),
        None => qt.quals,
    }
}

fn lost_quals(from: Quals, to: Quals) -> Option<&'static str> {
    if from.is_const && !to.is_const {
        Some("const")
    } else if from.is_volatile && !to.is_volatile {
        Some("volatile")
    } else {
        None
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
