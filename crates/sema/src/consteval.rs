//! Constant evaluation over the typed tree: integers of every width exactly, floating point in the
//! type's own precision, and address constants (an entity plus an offset).
//!
//! GCC folds more than the standard's integer constant expressions (casts of floats, address
//! arithmetic, `const` objects in static initialisers); this evaluator accepts what GCC 12 accepts.
//! Only the parts that are needed are looked at: the dead arm of `?:` or `&&` may be anything.

use crate::check::Checker;
use crate::hir::{BinaryOp, Builtin, CastKind, CompareOp, EntityId, EntityKind, Expr, ExprKind, UnaryOp};
use crate::types::{FloatKind, TypeId, TypeKind, Types};
use braid_base::Span;

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Const {
    /// Bit pattern in the type's width; pointers to absolute addresses too.
    Int(u128),
    Float(f64),
    Addr {
        target: EntityId,
        offset: i64,
    },
}

/// Why an expression has no constant value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum NotConst {
    Variable(Span),
    DivisionByZero(Span),
    Unsupported(String),
}

type Eval = Result<Const, NotConst>;

impl Types {
    /// Truncates to the width of an integer or pointer type; for `_Bool`, "is it not zero".
    pub fn wrap(&self, ty: TypeId, value: u128) -> u128 {
        if self.is_bool(ty) {
            return u128::from(value != 0);
        }
        match self.bits(ty) {
            128 => value,
            bits => value & ((1 << bits) - 1),
        }
    }

    /// The mathematical value of a bit pattern, as far as `i128` goes.
    pub fn extend(&self, ty: TypeId, value: u128) -> i128 {
        let unused = 128 - self.bits(ty);
        if self.is_signed_type(ty) { ((value << unused) as i128) >> unused } else { value as i128 }
    }

    /// Rounds to the precision of a floating type.
    pub fn round_float(&self, ty: TypeId, value: f64) -> f64 {
        match self.kind(ty) {
            TypeKind::Float(FloatKind::Float) => f64::from(value as f32),
            _ => value,
        }
    }

    /// Converts an integer of type `from` to a floating type, rounding once.
    pub fn int_to_float(&self, from: TypeId, value: u128, to: TypeId) -> f64 {
        let single = matches!(self.kind(to), TypeKind::Float(FloatKind::Float));
        match (self.is_signed_type(from), single) {
            (true, true) => f64::from(self.extend(from, value) as f32),
            (true, false) => self.extend(from, value) as f64,
            (false, true) => f64::from(value as f32),
            (false, false) => value as f64,
        }
    }

    /// Converts toward zero; out of range saturates, as GCC folds it.
    pub fn float_to_int(&self, value: f64, to: TypeId) -> u128 {
        let bits = self.bits(to);
        if self.is_bool(to) {
            u128::from(value != 0.0)
        } else if self.is_signed_type(to) {
            let max = ((1u128 << (bits - 1)) - 1) as i128;
            self.wrap(to, (value as i128).clamp(-max - 1, max) as u128)
        } else {
            let max = if bits == 128 { u128::MAX } else { (1 << bits) - 1 };
            (value as u128).min(max)
        }
    }
}

impl Checker<'_> {
    /// The value of a constant expression as GCC folds it, without looking into variables.
    pub fn eval(&self, e: &Expr) -> Eval {
        Evaluator { checker: self, const_objects: false, overflow: None }.eval(e)
    }

    /// The value of a static initialiser: `const` objects with known values count as constants.
    pub fn eval_static(&self, e: &Expr) -> Eval {
        Evaluator { checker: self, const_objects: true, overflow: None }.eval(e)
    }

    pub fn eval_int(&self, e: &Expr) -> Option<u128> {
        match self.eval(e) {
            Ok(Const::Int(value)) if self.types.is_integer(e.ty.ty) => Some(value),
            _ => None,
        }
    }

    /// An integer constant expression that the language requires; reports if it is none.
    pub fn require_int(&mut self, e: &Expr, what: &str) -> Option<i128> {
        if self.types.is_error(e.ty.ty) {
            return None;
        }
        if !self.types.is_integer(e.ty.ty) {
            let ty = self.show(e.ty.ty);
            self.error("not-an-integer", e.span, format!("{what} has type '{ty}', not an integer type"));
            return None;
        }
        let mut evaluator = Evaluator { checker: self, const_objects: false, overflow: None };
        let result = evaluator.eval(e);
        let overflow = evaluator.overflow;
        match result {
            Ok(Const::Int(value)) => {
                if let Some(span) = overflow {
                    self.warn("overflow", span, "integer overflow in a constant expression");
                }
                Some(self.types.extend(e.ty.ty, value))
            }
            Err(NotConst::DivisionByZero(span)) => {
                self.error("division-by-zero", span, format!("division by zero in {what}"));
                None
            }
            Ok(Const::Float(_) | Const::Addr { .. })
            | Err(NotConst::Variable(_) | NotConst::Unsupported(_)) => {
                self.error("not-constant", e.span, format!("{what} is not an integer constant"));
                None
            }
        }
    }

    /// Integer constant zero, or that cast to `void *`.
    pub fn is_null_constant(&self, e: &Expr) -> bool {
        let void_pointer = e.ty.ty == self.common.void_ptr;
        (void_pointer || self.types.is_integer(e.ty.ty)) && matches!(self.eval(e), Ok(Const::Int(0)))
    }
}

struct Evaluator<'c, 'a> {
    checker: &'c Checker<'a>,
    const_objects: bool,
    /// Where a signed operation first did not fit.
    overflow: Option<Span>,
}

impl Evaluator<'_, '_> {
    fn types(&self) -> &Types {
        self.checker.types
    }

    fn eval(&mut self, e: &Expr) -> Eval {
        match &e.kind {
            ExprKind::Int(value) => Ok(Const::Int(*value)),
            ExprKind::Float(value) => Ok(Const::Float(*value)),
            ExprKind::AddrOf(lvalue) | ExprKind::Decay(lvalue) => self.address(lvalue),
            ExprKind::Load(lvalue) => self.load(lvalue, e.span),
            ExprKind::Cast { kind, operand } => self.cast(*kind, operand, e),
            ExprKind::Unary { op, operand } => self.unary(*op, operand, e),
            ExprKind::Binary { op, lhs, rhs } => self.binary(*op, lhs, rhs, e),
            ExprKind::Compare { op, lhs, rhs } => self.compare(*op, lhs, rhs),
            ExprKind::PtrAdd { ptr, index, size, negate, .. } => {
                self.ptr_add(ptr, index, size, *negate, e.span)
            }
            ExprKind::PtrDiff { lhs, rhs, size } => self.ptr_diff(lhs, rhs, size, e),
            ExprKind::LogAnd(lhs, rhs) => {
                if !self.truth(lhs)? {
                    return Ok(Const::Int(0));
                }
                Ok(Const::Int(u128::from(self.truth(rhs)?)))
            }
            ExprKind::LogOr(lhs, rhs) => {
                if self.truth(lhs)? {
                    return Ok(Const::Int(1));
                }
                Ok(Const::Int(u128::from(self.truth(rhs)?)))
            }
            ExprKind::LogNot(operand) => Ok(Const::Int(u128::from(!self.truth(operand)?))),
            ExprKind::Cond { cond, then, other } => {
                if self.truth(cond)? {
                    self.eval(then)
                } else {
                    self.eval(other)
                }
            }
            ExprKind::Builtin { op, args } => self.builtin(*op, args, e),
            ExprKind::CondOmitted { .. }
            | ExprKind::Local(_)
            | ExprKind::Entity(_)
            | ExprKind::Str(_)
            | ExprKind::Deref(_)
            | ExprKind::Member { .. }
            | ExprKind::CompoundLiteral { .. }
            | ExprKind::Comma(..)
            | ExprKind::Assign { .. }
            | ExprKind::AssignOp(_)
            | ExprKind::AssignPtr { .. }
            | ExprKind::Call { .. }
            | ExprKind::VaArg { .. }
            | ExprKind::StmtExpr { .. }
            | ExprKind::SetVlaLen { .. } => Err(NotConst::Variable(e.span)),
            ExprKind::Unsupported(reason) => Err(NotConst::Unsupported(reason.clone())),
        }
    }

    fn truth(&mut self, e: &Expr) -> Result<bool, NotConst> {
        match self.eval(e)? {
            Const::Int(value) => Ok(value != 0),
            Const::Float(value) => Ok(value != 0.0),
            Const::Addr { target, .. } => self.never_null(target, e.span).map(|()| true),
        }
    }

    fn never_null(&self, target: EntityId, span: Span) -> Result<(), NotConst> {
        let entity = &self.checker.entities[target];
        let may_be_absent = entity.attrs.weak && matches!(entity.kind, EntityKind::Undefined);
        if may_be_absent { Err(NotConst::Variable(span)) } else { Ok(()) }
    }

    /// The address of an lvalue with static storage.
    fn address(&mut self, lvalue: &Expr) -> Eval {
        match &lvalue.kind {
            ExprKind::Entity(id) | ExprKind::Str(id) => {
                if self.checker.entities[*id].thread_local {
                    return Err(NotConst::Variable(lvalue.span));
                }
                Ok(Const::Addr { target: *id, offset: 0 })
            }
            ExprKind::Deref(pointer) => self.eval(pointer),
            ExprKind::Member { base, offset, .. } => {
                let base = self.address(base)?;
                Ok(self.shift(base, *offset as i64))
            }
            ExprKind::Unsupported(reason) => Err(NotConst::Unsupported(reason.clone())),
            _ => Err(NotConst::Variable(lvalue.span)),
        }
    }

    fn shift(&self, address: Const, by: i64) -> Const {
        match address {
            Const::Addr { target, offset } => Const::Addr { target, offset: offset.wrapping_add(by) },
            Const::Int(at) => {
                let moved = at.wrapping_add(by as i128 as u128);
                Const::Int(self.types().wrap(self.checker.common.uintptr, moved))
            }
            Const::Float(_) => address,
        }
    }

    fn load(&mut self, lvalue: &Expr, span: Span) -> Eval {
        match &lvalue.kind {
            ExprKind::Entity(id) if self.const_objects || self.checker.info[*id].is_constexpr => {
                self.checker.info[*id].const_value.ok_or(NotConst::Variable(span))
            }
            ExprKind::Deref(pointer) => match &pointer.kind {
                ExprKind::Unsupported(reason) => Err(NotConst::Unsupported(reason.clone())),
                _ => Err(NotConst::Variable(span)),
            },
            _ => Err(NotConst::Variable(span)),
        }
    }

    fn cast(&mut self, kind: CastKind, operand: &Expr, e: &Expr) -> Eval {
        let value = self.eval(operand)?;
        let (from, to) = (operand.ty.ty, e.ty.ty);
        let types = self.types();
        match (kind, value) {
            (CastKind::ToBool, Const::Int(v)) => Ok(Const::Int(u128::from(v != 0))),
            (CastKind::ToBool, Const::Float(v)) => Ok(Const::Int(u128::from(v != 0.0))),
            (CastKind::ToBool, Const::Addr { target, .. }) => {
                self.never_null(target, e.span).map(|()| Const::Int(1))
            }
            (CastKind::Int | CastKind::PtrToInt | CastKind::IntToPtr, Const::Int(v)) => {
                Ok(Const::Int(types.wrap(to, types.extend(from, v) as u128)))
            }
            (CastKind::Int | CastKind::PtrToInt | CastKind::IntToPtr, Const::Addr { .. }) => {
                if types.bits(from) == types.bits(to) { Ok(value) } else { Err(NotConst::Variable(e.span)) }
            }
            (CastKind::IntToFloat, Const::Int(v)) => Ok(Const::Float(types.int_to_float(from, v, to))),
            (CastKind::FloatToInt, Const::Float(v)) => Ok(Const::Int(types.float_to_int(v, to))),
            (CastKind::Float, Const::Float(v)) => Ok(Const::Float(types.round_float(to, v))),
            (CastKind::Ptr | CastKind::Same, value) => Ok(value),
            _ => Err(NotConst::Variable(e.span)),
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr, e: &Expr) -> Eval {
        let ty = e.ty.ty;
        match (op, self.eval(operand)?) {
            (UnaryOp::Neg, Const::Int(v)) => {
                let negated = self.types().extend(ty, v).wrapping_neg();
                Ok(Const::Int(self.fit(ty, negated, e.span)))
            }
            (UnaryOp::Neg, Const::Float(v)) => Ok(Const::Float(-v)),
            (UnaryOp::BitNot, Const::Int(v)) => Ok(Const::Int(self.types().wrap(ty, !v))),
            (UnaryOp::BitNot, Const::Float(_)) | (_, Const::Addr { .. }) => Err(NotConst::Variable(e.span)),
        }
    }

    /// Wraps a result to its type and notes a signed overflow.
    fn fit(&mut self, ty: TypeId, exact: i128, span: Span) -> u128 {
        let wrapped = self.types().wrap(ty, exact as u128);
        if self.types().is_signed_type(ty) && self.types().extend(ty, wrapped) != exact {
            self.overflow.get_or_insert(span);
        }
        wrapped
    }

    fn binary(&mut self, op: BinaryOp, lhs: &Expr, rhs: &Expr, e: &Expr) -> Eval {
        match (self.eval(lhs)?, self.eval(rhs)?) {
            (Const::Int(a), Const::Int(b)) => self.int_binary(op, a, b, rhs.ty.ty, e),
            (Const::Float(a), Const::Float(b)) => {
                let exact = match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    BinaryOp::Mul => a * b,
                    BinaryOp::Div => a / b,
                    BinaryOp::Rem
                    | BinaryOp::Shl
                    | BinaryOp::Shr
                    | BinaryOp::And
                    | BinaryOp::Or
                    | BinaryOp::Xor => return Err(NotConst::Variable(e.span)),
                };
                // One operation in `double` and one rounding to `float` gives the `float` result.
                Ok(Const::Float(self.types().round_float(e.ty.ty, exact)))
            }
            (address @ Const::Addr { .. }, Const::Int(n)) if matches!(op, BinaryOp::Add | BinaryOp::Sub) => {
                let n = self.types().extend(rhs.ty.ty, n) as i64;
                Ok(self.shift(address, if op == BinaryOp::Sub { n.wrapping_neg() } else { n }))
            }
            (Const::Int(n), address @ Const::Addr { .. }) if op == BinaryOp::Add => {
                let n = self.types().extend(lhs.ty.ty, n) as i64;
                Ok(self.shift(address, n))
            }
            (Const::Addr { target: a, offset: x }, Const::Addr { target: b, offset: y })
                if a == b && op == BinaryOp::Sub =>
            {
                Ok(Const::Int(self.types().wrap(e.ty.ty, x.wrapping_sub(y) as i128 as u128)))
            }
            _ => Err(NotConst::Variable(e.span)),
        }
    }

    fn int_binary(&mut self, op: BinaryOp, a: u128, b: u128, count_ty: TypeId, e: &Expr) -> Eval {
        let ty = e.ty.ty;
        let (x, y) = (self.types().extend(ty, a), self.types().extend(ty, b));
        let signed = self.types().is_signed_type(ty);
        let value = match op {
            BinaryOp::Add => self.fit(ty, x.wrapping_add(y), e.span),
            BinaryOp::Sub => self.fit(ty, x.wrapping_sub(y), e.span),
            BinaryOp::Mul => self.fit(ty, x.wrapping_mul(y), e.span),
            BinaryOp::Div | BinaryOp::Rem if b == 0 => return Err(NotConst::DivisionByZero(e.span)),
            BinaryOp::Div if signed => self.fit(ty, x.wrapping_div(y), e.span),
            BinaryOp::Rem if signed => self.fit(ty, x.wrapping_rem(y), e.span),
            BinaryOp::Div => a / b,
            BinaryOp::Rem => a % b,
            BinaryOp::Shl | BinaryOp::Shr => {
                let count = self.types().extend(count_ty, b);
                if count < 0 {
                    return Err(NotConst::Variable(e.span));
                }
                self.shifted(op, ty, a, count as u128)
            }
            BinaryOp::And => a & b,
            BinaryOp::Or => a | b,
            BinaryOp::Xor => a ^ b,
        };
        Ok(Const::Int(value))
    }

    fn shifted(&self, op: BinaryOp, ty: TypeId, value: u128, count: u128) -> u128 {
        let types = self.types();
        let count = count.min(128) as u32;
        if op == BinaryOp::Shl {
            return types.wrap(ty, value.checked_shl(count).unwrap_or(0));
        }
        if types.is_signed_type(ty) {
            types.wrap(ty, (types.extend(ty, value) >> count.min(127)) as u128)
        } else {
            value.checked_shr(count).unwrap_or(0)
        }
    }

    fn compare(&mut self, op: CompareOp, lhs: &Expr, rhs: &Expr) -> Eval {
        use std::cmp::Ordering;
        let ordering = match (self.eval(lhs)?, self.eval(rhs)?) {
            (Const::Int(a), Const::Int(b)) if self.types().is_signed_type(lhs.ty.ty) => {
                Some(self.types().extend(lhs.ty.ty, a).cmp(&self.types().extend(lhs.ty.ty, b)))
            }
            (Const::Int(a), Const::Int(b)) => Some(a.cmp(&b)),
            (Const::Float(a), Const::Float(b)) => a.partial_cmp(&b),
            (Const::Addr { target: a, offset: x }, Const::Addr { target: b, offset: y }) if a == b => {
                Some(x.cmp(&y))
            }
            (Const::Addr { target, .. }, Const::Int(0)) | (Const::Int(0), Const::Addr { target, .. }) => {
                self.never_null(target, lhs.span)?;
                return self.unequal(op, lhs.span);
            }
            (Const::Addr { .. }, Const::Addr { .. }) => return self.unequal(op, lhs.span),
            _ => return Err(NotConst::Variable(lhs.span)),
        };
        let holds = match op {
            CompareOp::Eq => ordering == Some(Ordering::Equal),
            CompareOp::Ne => ordering != Some(Ordering::Equal),
            CompareOp::Lt => ordering == Some(Ordering::Less),
            CompareOp::Gt => ordering == Some(Ordering::Greater),
            CompareOp::Le => ordering.is_some_and(Ordering::is_le),
            CompareOp::Ge => ordering.is_some_and(Ordering::is_ge),
        };
        Ok(Const::Int(u128::from(holds)))
    }

    fn unequal(&self, op: CompareOp, span: Span) -> Eval {
        match op {
            CompareOp::Eq => Ok(Const::Int(0)),
            CompareOp::Ne => Ok(Const::Int(1)),
            CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge => Err(NotConst::Variable(span)),
        }
    }

    fn ptr_add(&mut self, ptr: &Expr, index: &Expr, size: &Expr, negate: bool, span: Span) -> Eval {
        let base = self.eval(ptr)?;
        let (Const::Int(n), Const::Int(size)) = (self.eval(index)?, self.eval(size)?) else {
            return Err(NotConst::Variable(span));
        };
        let bytes = (self.types().extend(index.ty.ty, n) as i64).wrapping_mul(size as i64);
        Ok(self.shift(base, if negate { bytes.wrapping_neg() } else { bytes }))
    }

    fn ptr_diff(&mut self, lhs: &Expr, rhs: &Expr, size: &Expr, e: &Expr) -> Eval {
        let bytes = match (self.eval(lhs)?, self.eval(rhs)?) {
            (Const::Addr { target: a, offset: x }, Const::Addr { target: b, offset: y }) if a == b => {
                x.wrapping_sub(y)
            }
            (Const::Int(x), Const::Int(y)) => (x as i64).wrapping_sub(y as i64),
            _ => return Err(NotConst::Variable(e.span)),
        };
        match self.eval(size)? {
            Const::Int(size) if size != 0 => {
                let n = i128::from(bytes / size as i64);
                Ok(Const::Int(self.types().wrap(e.ty.ty, n as u128)))
            }
            _ => Err(NotConst::Variable(e.span)),
        }
    }

    fn builtin(&mut self, op: Builtin, args: &[Expr], e: &Expr) -> Eval {
        let Some(first) = args.first() else { return Err(NotConst::Variable(e.span)) };
        let value = match self.eval(first)? {
            Const::Int(value) => value,
            Const::Float(value) => return float_builtin(op, value, e.span),
            Const::Addr { .. } => return Err(NotConst::Variable(e.span)),
        };
        let bits = self.types().bits(first.ty.ty);
        let folded = match op {
            Builtin::Popcount => value.count_ones(),
            Builtin::Parity => value.count_ones() % 2,
            Builtin::Clz if value != 0 => value.leading_zeros() - (128 - bits),
            Builtin::Ctz if value != 0 => value.trailing_zeros(),
            Builtin::Ffs => {
                if value == 0 {
                    0
                } else {
                    value.trailing_zeros() + 1
                }
            }
            Builtin::Clrsb => {
                let wide = self.types().extend(first.ty.ty, value);
                let spread = if wide < 0 { !wide } else { wide } as u128;
                spread.leading_zeros() - (128 - bits) - 1
            }
            Builtin::Bswap => return Ok(Const::Int(value.swap_bytes() >> (128 - bits))),
            _ => return Err(NotConst::Variable(e.span)),
        };
        Ok(Const::Int(u128::from(folded)))
    }
}

fn float_builtin(op: Builtin, value: f64, span: Span) -> Eval {
    let test = match op {
        Builtin::Fabs => return Ok(Const::Float(value.abs())),
        Builtin::IsNan => value.is_nan(),
        Builtin::IsInf => value.is_infinite(),
        Builtin::IsFinite => value.is_finite(),
        Builtin::Signbit => value.is_sign_negative(),
        _ => return Err(NotConst::Variable(span)),
    };
    Ok(Const::Int(u128::from(test)))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_messages;
    use expect_test::expect;

    #[test]
    fn constants_are_exact() {
        check_messages(
            "_Static_assert((char)200 == -56 && (unsigned char)-1 == 255 && (_Bool)0.5 && (int)-3.9 == -3, \"\");\n\
             _Static_assert(-7 / 2 == -3 && -7 % 2 == -1 && -1 >> 5 == -1 && ~0u >> 31 == 1, \"\");\n\
             _Static_assert(((__int128)1 << 100) >> 98 == 4 && (unsigned __int128)-1 / 3 > 1, \"\");\n\
             _Static_assert(1.0f / 3 != 1.0 / 3 && (float)0.1 != 0.1 && 0.1f + 0.2f == 0.3f, \"\");\n\
             _Static_assert((0 && 1 / 0) == 0 && (1 || 1 / 0) && (1 ? 2 : 1 / 0) == 2, \"\");\n\
             _Static_assert(__builtin_clz(1) == 31 && __builtin_bswap32(0x01020304) == 0x04030201 && __builtin_ffs(8) == 4, \"\");\n\
             int a[10]; _Static_assert(&a[7] - &a[2] == 5 && &a[1] != 0, \"\"); struct s { char c; int i; };\n\
             _Static_assert((unsigned long)&((struct s *)0)->i == 4, \"\"); _Static_assert(sizeof a == 41, \"size\");\n",
            expect![[r#"
                t.c:8:62: error: static assertion failed: "size" [static-assert]
            "#]],
        );
    }

    #[test]
    fn what_is_no_constant() {
        check_messages(
            "int v; enum { A = 1 / 0, B = v, C = 2147483647 + 1 }; int a[v]; int b[-1]; struct s { int x : v; }; int c[(int)2.9];\n",
            expect![[r#"
                t.c:1:19: error: division by zero in value of enumerator 'A' [division-by-zero]
                t.c:1:30: error: value of enumerator 'B' is not an integer constant [not-constant]
                t.c:1:37: warning: integer overflow in a constant expression [overflow]
                t.c:1:61: error: the size of an array at file scope must be constant [array-size]
                note: a 'const' variable is not a constant in C; use an enumerator or a macro
                t.c:1:71: error: array size is negative (-1) [array-size]
                t.c:1:95: error: width of bit-field 'x' is not an integer constant [not-constant]
            "#]],
        );
    }
}
