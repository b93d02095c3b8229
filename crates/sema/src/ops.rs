//! Operators: unary and binary arithmetic, comparisons, `?:`, assignment, `++` and `--`.

use crate::check::{Checker, node};
use crate::hir::{BinaryOp, Bound, CompareOp, Expr, ExprKind, UnaryOp};
use crate::relate::join_quals;
use crate::types::{QualType, TypeId};
use braid_base::Span;
use braid_syntax::ast;

/// What an AST operator does, sorted by the conversions it needs.
pub(crate) enum Class {
    Arithmetic(BinaryOp),
    Shift(BinaryOp),
    Compare(CompareOp),
    And,
    Or,
}

pub(crate) fn classify(op: ast::BinaryOp) -> Class {
    match op {
        ast::BinaryOp::Mul => Class::Arithmetic(BinaryOp::Mul),
        ast::BinaryOp::Div => Class::Arithmetic(BinaryOp::Div),
        ast::BinaryOp::Rem => Class::Arithmetic(BinaryOp::Rem),
        ast::BinaryOp::Add => Class::Arithmetic(BinaryOp::Add),
        ast::BinaryOp::Sub => Class::Arithmetic(BinaryOp::Sub),
        ast::BinaryOp::BitAnd => Class::Arithmetic(BinaryOp::And),
        ast::BinaryOp::BitXor => Class::Arithmetic(BinaryOp::Xor),
        ast::BinaryOp::BitOr => Class::Arithmetic(BinaryOp::Or),
        ast::BinaryOp::Shl => Class::Shift(BinaryOp::Shl),
        ast::BinaryOp::Shr => Class::Shift(BinaryOp::Shr),
        ast::BinaryOp::Lt => Class::Compare(CompareOp::Lt),
        ast::BinaryOp::Gt => Class::Compare(CompareOp::Gt),
        ast::BinaryOp::Le => Class::Compare(CompareOp::Le),
        ast::BinaryOp::Ge => Class::Compare(CompareOp::Ge),
        ast::BinaryOp::Eq => Class::Compare(CompareOp::Eq),
        ast::BinaryOp::Ne => Class::Compare(CompareOp::Ne),
        ast::BinaryOp::LogAnd => Class::And,
        ast::BinaryOp::LogOr => Class::Or,
    }
}

fn spelling(op: ast::BinaryOp) -> &'static str {
    match op {
        ast::BinaryOp::Mul => "*",
        ast::BinaryOp::Div => "/",
        ast::BinaryOp::Rem => "%",
        ast::BinaryOp::Add => "+",
        ast::BinaryOp::Sub => "-",
        ast::BinaryOp::Shl => "<<",
        ast::BinaryOp::Shr => ">>",
        ast::BinaryOp::Lt => "<",
        ast::BinaryOp::Gt => ">",
        ast::BinaryOp::Le => "<=",
        ast::BinaryOp::Ge => ">=",
        ast::BinaryOp::Eq => "==",
        ast::BinaryOp::Ne => "!=",
        ast::BinaryOp::BitAnd => "&",
        ast::BinaryOp::BitXor => "^",
        ast::BinaryOp::BitOr => "|",
        ast::BinaryOp::LogAnd => "&&",
        ast::BinaryOp::LogOr => "||",
    }
}

/// Operators that floating point has.
fn takes_floats(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div)
}

impl Checker<'_> {
    // Unary

    pub fn unary(&mut self, op: ast::UnaryOp, operand: &ast::Expr, span: Span) -> Expr {
        match op {
            ast::UnaryOp::AddrOf => {
                let operand = self.expr(operand);
                self.address_of(operand, span)
            }
            ast::UnaryOp::Deref => {
                let pointer = self.rvalue(operand);
                self.deref(pointer, span)
            }
            ast::UnaryOp::Plus | ast::UnaryOp::Minus | ast::UnaryOp::BitNot => {
                let operand = self.rvalue(operand);
                self.unary_arithmetic(op, operand, span)
            }
            ast::UnaryOp::Not => {
                let operand = self.rvalue(operand);
                let operand = self.condition(operand);
                self.logical_result(ExprKind::LogNot(Box::new(operand)), span)
            }
        }
    }

    fn unary_arithmetic(&mut self, op: ast::UnaryOp, operand: Expr, span: Span) -> Expr {
        let ty = operand.ty.ty;
        let (integer_only, sign) = match op {
            ast::UnaryOp::BitNot => (true, "~"),
            ast::UnaryOp::Minus => (false, "-"),
            _ => (false, "+"),
        };
        if self.types.is_error(ty) {
            return self.error_expr(span);
        }
        if self.types.is_unsupported(ty) {
            return self.unsupported_operator(ty, ty, span);
        }
        let fits = if integer_only { self.types.is_integer(ty) } else { self.types.is_arithmetic(ty) };
        if !fits {
            let shown = self.show(ty);
            self.error("bad-operand", span, format!("operator '{sign}' does not take type '{shown}'"));
            return self.error_expr(span);
        }
        let bits = self.unary_precision(&operand);
        let operand = self.promote(operand);
        let ty = operand.ty.ty;
        let op = match op {
            ast::UnaryOp::BitNot => UnaryOp::BitNot,
            ast::UnaryOp::Minus => UnaryOp::Neg,
            _ => return Expr { span, ..operand },
        };
        let folded = match (op, &operand.kind) {
            (UnaryOp::Neg, ExprKind::Int(v)) => Some(ExprKind::Int(self.types.wrap(ty, v.wrapping_neg()))),
            (UnaryOp::BitNot, ExprKind::Int(v)) => Some(ExprKind::Int(self.types.wrap(ty, !v))),
            (UnaryOp::Neg, ExprKind::Float(v)) => Some(ExprKind::Float(-v)),
            _ => None,
        };
        let kind = folded.unwrap_or(ExprKind::Unary { op, operand: Box::new(operand) });
        self.narrow(node(kind, ty, span), bits)
    }

    pub fn unsupported_operator(&mut self, operand: TypeId, result: TypeId, span: Span) -> Expr {
        let shown = self.show(operand);
        self.unsupported(format!("arithmetic on type {shown}"), result, span)
    }

    fn logical_result(&self, kind: ExprKind, span: Span) -> Expr {
        node(kind, self.common.int, span)
    }

    /// A value used for its truth: must be scalar.
    pub fn condition(&mut self, value: Expr) -> Expr {
        let ty = value.ty.ty;
        if self.types.is_unsupported(ty) {
            return self.unsupported_operator(ty, self.common.int, value.span);
        }
        if !self.types.is_scalar(ty) && !self.types.is_error(ty) {
            let shown = self.show(ty);
            let text = format!("a condition must be a number or a pointer, not '{shown}'");
            self.error("bad-condition", value.span, text);
            return self.error_expr(value.span);
        }
        value
    }

    // Binary

    pub fn binary(&mut self, op: ast::BinaryOp, lhs: &ast::Expr, rhs: &ast::Expr, span: Span) -> Expr {
        let (lhs, rhs) = (self.rvalue(lhs), self.rvalue(rhs));
        self.binary_values(op, lhs, rhs, span)
    }

    fn binary_values(&mut self, op: ast::BinaryOp, lhs: Expr, rhs: Expr, span: Span) -> Expr {
        let (a, b) = (lhs.ty.ty, rhs.ty.ty);
        if self.types.is_error(a) || self.types.is_error(b) {
            return self.error_expr(span);
        }
        let class = classify(op);
        if self.types.is_unsupported(a) || self.types.is_unsupported(b) {
            let odd = if self.types.is_unsupported(a) { a } else { b };
            let result =
                if let Class::Arithmetic(_) | Class::Shift(_) = class { odd } else { self.common.int };
            return self.unsupported_operator(odd, result, span);
        }
        match class {
            Class::And => {
                let (lhs, rhs) = (self.condition(lhs), self.condition(rhs));
                self.logical_result(ExprKind::LogAnd(Box::new(lhs), Box::new(rhs)), span)
            }
            Class::Or => {
                let (lhs, rhs) = (self.condition(lhs), self.condition(rhs));
                self.logical_result(ExprKind::LogOr(Box::new(lhs), Box::new(rhs)), span)
            }
            Class::Compare(compare) => self.comparison(op, compare, lhs, rhs, span),
            Class::Shift(shift) if self.types.is_integer(a) && self.types.is_integer(b) => {
                let bits = self.unary_precision(&lhs);
                let (lhs, rhs) = (self.promote(lhs), self.promote(rhs));
                let ty = lhs.ty.ty;
                let value = binary_node(shift, lhs, rhs, ty, span);
                self.narrow(value, bits)
            }
            Class::Arithmetic(BinaryOp::Add) if self.types.is_pointer(a) && self.types.is_integer(b) => {
                self.ptr_add(lhs, rhs, false, Bound::NoArray, span)
            }
            Class::Arithmetic(BinaryOp::Add) if self.types.is_integer(a) && self.types.is_pointer(b) => {
                // The operands swap places; neither order is promised by C.
                self.ptr_add(rhs, lhs, false, Bound::NoArray, span)
            }
            Class::Arithmetic(BinaryOp::Sub) if self.types.is_pointer(a) && self.types.is_integer(b) => {
                self.ptr_add(lhs, rhs, true, Bound::NoArray, span)
            }
            Class::Arithmetic(BinaryOp::Sub) if self.types.is_pointer(a) && self.types.is_pointer(b) => {
                self.ptr_diff(lhs, rhs, span)
            }
            Class::Arithmetic(arithmetic) if self.arithmetic_operands(arithmetic, a, b) => {
                self.arithmetic(arithmetic, lhs, rhs, span)
            }
            Class::Arithmetic(_) | Class::Shift(_) => self.bad_operands(op, a, b, span),
        }
    }

    pub fn arithmetic_operands(&self, op: BinaryOp, a: TypeId, b: TypeId) -> bool {
        if takes_floats(op) {
            self.types.is_arithmetic(a) && self.types.is_arithmetic(b)
        } else {
            self.types.is_integer(a) && self.types.is_integer(b)
        }
    }

    pub fn bad_operands(&mut self, op: ast::BinaryOp, a: TypeId, b: TypeId, span: Span) -> Expr {
        let text =
            format!("operator '{}' does not take '{}' and '{}'", spelling(op), self.show(a), self.show(b));
        self.error("bad-operand", span, text);
        self.error_expr(span)
    }

    fn arithmetic(&mut self, op: BinaryOp, lhs: Expr, rhs: Expr, span: Span) -> Expr {
        let (lhs, rhs, ty, bits) = self.usual_conversions(lhs, rhs);
        let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem);
        if divides && matches!(rhs.kind, ExprKind::Int(0)) && self.unevaluated == 0 && self.func.is_some() {
            self.warn("division-by-zero", span, "division by zero");
        }
        let value = binary_node(op, lhs, rhs, ty, span);
        self.narrow(value, bits)
    }

    fn ptr_diff(&mut self, lhs: Expr, rhs: Expr, span: Span) -> Expr {
        let (a, b) = (self.pointee_plain(lhs.ty.ty), self.pointee_plain(rhs.ty.ty));
        if !self.types.compatible(a, b) {
            let (x, y) = (self.show(lhs.ty.ty), self.show(rhs.ty.ty));
            self.error("bad-operand", span, format!("subtraction of unrelated pointers '{x}' and '{y}'"));
            return self.error_expr(span);
        }
        let Some(size) = self.pointee_size(&lhs, span) else { return self.error_expr(span) };
        let kind = ExprKind::PtrDiff { lhs: Box::new(lhs), rhs: Box::new(rhs), size: Box::new(size) };
        node(kind, self.common.ptrdiff, span)
    }

    fn pointee_plain(&mut self, pointer: TypeId) -> TypeId {
        match self.types.pointee(pointer) {
            Some(to) => self.types.unqualified(to),
            None => self.common.error,
        }
    }

    fn comparison(
        &mut self,
        op: ast::BinaryOp,
        compare: CompareOp,
        lhs: Expr,
        rhs: Expr,
        span: Span,
    ) -> Expr {
        let (a, b) = (lhs.ty.ty, rhs.ty.ty);
        let (lhs, rhs) = if self.types.is_arithmetic(a) && self.types.is_arithmetic(b) {
            let (lhs, rhs, _, _) = self.usual_conversions(lhs, rhs);
            (lhs, rhs)
        } else if self.types.is_pointer(a) && self.types.is_pointer(b) {
            self.compare_pointers(&lhs, &rhs, span);
            (lhs, rhs)
        } else if self.types.is_pointer(a) && self.types.is_integer(b) {
            self.compare_mixed(&rhs, span);
            let rhs = self.convert(rhs, a);
            (lhs, rhs)
        } else if self.types.is_integer(a) && self.types.is_pointer(b) {
            self.compare_mixed(&lhs, span);
            let lhs = self.convert(lhs, b);
            (lhs, rhs)
        } else {
            return self.bad_operands(op, a, b, span);
        };
        let kind = ExprKind::Compare { op: compare, lhs: Box::new(lhs), rhs: Box::new(rhs) };
        self.logical_result(kind, span)
    }

    fn compare_pointers(&mut self, lhs: &Expr, rhs: &Expr, span: Span) {
        let (a, b) = (self.pointee_plain(lhs.ty.ty), self.pointee_plain(rhs.ty.ty));
        let fine = self.types.is_void(a)
            || self.types.is_void(b)
            || self.types.compatible(a, b)
            || self.is_null_constant(lhs)
            || self.is_null_constant(rhs);
        if !fine {
            let (x, y) = (self.show(lhs.ty.ty), self.show(rhs.ty.ty));
            self.warn(
                "pointer-comparison",
                span,
                format!("comparison of unrelated pointers '{x}' and '{y}'"),
            );
        }
    }

    fn compare_mixed(&mut self, integer: &Expr, span: Span) {
        if !self.is_null_constant(integer) {
            self.warn("pointer-comparison", span, "comparison between pointer and integer");
        }
    }

    // Conditional

    pub fn conditional(
        &mut self,
        cond: &ast::Expr,
        then: Option<&ast::Expr>,
        other: &ast::Expr,
        span: Span,
    ) -> Expr {
        let cond = self.rvalue(cond);
        let cond = self.condition(cond);
        let Some(then) = then else { return self.omitted_conditional(cond, other, span) };
        let (then, other) = (self.rvalue(then), self.rvalue(other));
        if self.types.is_arithmetic(then.ty.ty) && self.types.is_arithmetic(other.ty.ty) {
            let (then, other, ty, _) = self.usual_conversions(then, other);
            return cond_node(cond, then, other, ty, span);
        }
        let Some(ty) = self.merge_arms(&then, &other, span) else { return self.error_expr(span) };
        let then = self.arm(then, ty);
        let other = self.arm(other, ty);
        cond_node(cond, then, other, ty, span)
    }

    /// Converts an arm of `?:`; to `void` everything goes.
    fn arm(&mut self, e: Expr, ty: TypeId) -> Expr {
        let span = e.span;
        self.cast_value(e, QualType::plain(ty), span)
    }

    fn omitted_conditional(&mut self, cond: Expr, other: &ast::Expr, span: Span) -> Expr {
        let other = self.rvalue(other);
        let (a, b) = (cond.ty.ty, other.ty.ty);
        let ty = if self.types.is_arithmetic(a) && self.types.is_arithmetic(b) {
            Some(self.common_type(a, b))
        } else {
            self.merge_arms(&cond, &other, span)
        };
        let Some(ty) = ty else { return self.error_expr(span) };
        let convert = self.cast_steps(a, ty);
        let other = self.arm(other, ty);
        let kind = ExprKind::CondOmitted { cond: Box::new(cond), convert, other: Box::new(other) };
        node(kind, ty, span)
    }

    /// The type of `c ? then : other` unless both are arithmetic.
    fn merge_arms(&mut self, then: &Expr, other: &Expr, span: Span) -> Option<TypeId> {
        let (a, b) = (then.ty.ty, other.ty.ty);
        if self.types.is_error(a) || self.types.is_error(b) {
            return None;
        }
        if self.types.is_void(a) || self.types.is_void(b) {
            return Some(self.common.void);
        }
        if self.types.is_unsupported(a) || self.types.is_unsupported(b) {
            return Some(if self.types.is_unsupported(a) { a } else { b });
        }
        if self.types.is_record(a) && self.types.compatible(a, b) {
            return Some(a);
        }
        match (self.types.pointee(a), self.types.pointee(b)) {
            (Some(x), Some(y)) => return Some(self.merge_pointers(then, other, x, y, span)),
            (Some(_), None) if self.types.is_integer(b) => {
                self.check_null_arm(other, span);
                return Some(a);
            }
            (None, Some(_)) if self.types.is_integer(a) => {
                self.check_null_arm(then, span);
                return Some(b);
            }
            _ => {}
        }
        let text = format!("the arms of '?:' have unrelated types '{}' and '{}'", self.show(a), self.show(b));
        self.error("bad-operand", span, text);
        None
    }

    fn check_null_arm(&mut self, arm: &Expr, span: Span) {
        if !self.is_null_constant(arm) {
            self.warn("int-conversion", span, "one arm of '?:' is a pointer, the other an integer");
        }
    }

    fn merge_pointers(&mut self, then: &Expr, other: &Expr, x: QualType, y: QualType, span: Span) -> TypeId {
        if self.is_null_constant(then) && !self.is_null_constant(other) {
            return other.ty.ty;
        }
        if self.is_null_constant(other) {
            return then.ty.ty;
        }
        let quals = join_quals(x.quals, y.quals);
        let (a, b) = (self.types.unqualified(x), self.types.unqualified(y));
        let to = if self.types.compatible(a, b) {
            self.types.composite(x.ty, y.ty)
        } else {
            if !self.types.is_void(a) && !self.types.is_void(b) {
                let text = format!(
                    "the arms of '?:' have unrelated pointer types '{}' and '{}'",
                    self.show(then.ty.ty),
                    self.show(other.ty.ty)
                );
                self.warn("incompatible-pointer-types", span, text);
            }
            self.common.void
        };
        let to = self.types.qualify(QualType::plain(to), quals);
        self.types.pointer_to(to)
    }
}

fn binary_node(op: BinaryOp, lhs: Expr, rhs: Expr, ty: TypeId, span: Span) -> Expr {
    node(ExprKind::Binary { op, lhs: Box::new(lhs), rhs: Box::new(rhs) }, ty, span)
}

fn cond_node(cond: Expr, then: Expr, other: Expr, ty: TypeId, span: Span) -> Expr {
    let kind = ExprKind::Cond { cond: Box::new(cond), then: Box::new(then), other: Box::new(other) };
    node(kind, ty, span)
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_f, check_messages};
    use expect_test::expect;

    #[test]
    fn updates_compute_in_the_common_type() {
        check_f(
            "void f(char c, float x, _Bool b, int *p, unsigned short s, double d) {\n\
             c += 1; c++; --x; b++; p += c; p--; s <<= 3L; c *= d; s = c = 3; p - p; 1 + p; p[2]; &p[1] == p;\n\
             }\n",
            expect![[r#"
                {
                  (+= c 1 in int New)
                  (+= c 1 in int Old)
                  (-= x 1.0:float in float New)
                  (+= b 1 in int Old)
                  (p+= p (ld c) *4:unsigned long New)
                  (p-= p 1 *4:unsigned long Old)
                  (<<= s 3:long in int New)
                  (*= c (ld d) in double New)
                  (= s (Int:unsigned short (= c 3:char)))
                  (pdiff (ld p) (ld p) /4:unsigned long)
                  (p+ (ld p) 1 *4:unsigned long)
                  (ld (* (p+ (ld p) 2 *4:unsigned long)))
                  (Eq (p+ (ld p) 1 *4:unsigned long) (ld p))
                }
            "#]],
        );
    }

    #[test]
    fn conditionals_merge_pointers() {
        check_f(
            "void f(int c, int *p, const int *q, void *v, char *s) { c ? p : q; c ? p : 0; c ? (void *)0 : s; c ? v : q; c ? f : 0; }\n",
            expect![[r#"
                {
                  (? (ld c) (Ptr:const int * (ld p)) (ld q))
                  (? (ld c) (ld p) 0:int *)
                  (? (ld c) 0:char * (ld s))
                  (? (ld c) (Ptr:const void * (ld v)) (Ptr:const void * (ld q)))
                  (? (ld c) (& f) 0:void (*)(int, int *, const int *, void *, char *))
                }
            "#]],
        );
    }

    #[test]
    fn operands_are_checked() {
        check_messages(
            "struct s { int a; } x;\n\
             void f(int *p, double d, const int k) {\n\
             p + p; p * 2; d % 2; ~d; -p; x + 1; !x; k = 1; k++; 3 = k; p = &k + d;\n\
             x ? 1 : 2; 1 ? x : 2; if (x) ; (k + 1)++; f += 1;\n\
             }\n",
            expect![[r#"
                t.c:3:1: error: operator '+' does not take 'int *' and 'int *' [bad-operand]
                t.c:3:8: error: operator '*' does not take 'int *' and 'int' [bad-operand]
                t.c:3:15: error: operator '%' does not take 'double' and 'int' [bad-operand]
                t.c:3:22: error: operator '~' does not take type 'double' [bad-operand]
                t.c:3:26: error: operator '-' does not take type 'int *' [bad-operand]
                t.c:3:30: error: operator '+' does not take 'struct s' and 'int' [bad-operand]
                t.c:3:38: error: a condition must be a number or a pointer, not 'struct s' [bad-condition]
                t.c:3:41: error: assignment to 'k', which is 'const' [read-only]
                t.c:3:48: error: assignment to 'k', which is 'const' [read-only]
                t.c:3:53: error: the left side of an assignment must be a variable, member or '*pointer' [lvalue-required]
                t.c:3:64: error: operator '+' does not take 'const int *' and 'double' [bad-operand]
                t.c:4:1: error: a condition must be a number or a pointer, not 'struct s' [bad-condition]
                t.c:4:12: error: the arms of '?:' have unrelated types 'struct s' and 'int' [bad-operand]
                t.c:4:27: error: a condition must be a number or a pointer, not 'struct s' [bad-condition]
                t.c:4:32: error: the left side of an assignment must be a variable, member or '*pointer' [lvalue-required]
                t.c:4:43: error: the left side of an assignment must be a variable, member or '*pointer' [lvalue-required]
            "#]],
        );
    }
}
