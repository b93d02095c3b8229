//! Conversions as if by assignment: what C allows where a value meets an object of another type, and
//! how loudly GCC objects (an error, a warning, or nothing).

use crate::check::Checker;
use crate::convert::rank;
use crate::hir::{EntityId, Expr, ExprKind, Init, InitItem, InitList};
use crate::types::{QualType, Quals, TypeId};
use braid_base::{Diagnostic, Span};

/// What a value is converted for; words the messages.
#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    Assign,
    Init,
    Return,
    Arg { index: usize, callee: Option<EntityId> },
}

impl Checker<'_> {
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
            let both = types.is_unsupported(from) && types.is_unsupported(to);
            if types.is_arithmetic(from) || types.is_arithmetic(to) || both {
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
        if let Purpose::Arg { .. } = purpose
            && let Some(union) = self.transparent_argument(&value, target)
        {
            return self.wrap_in_union(value, target, union, span);
        }
        let message = format!(
            "incompatible types: {} '{}' from '{}'",
            self.purpose_text(purpose),
            self.types.show(QualType::plain(to)),
            self.show(from)
        );
        let diagnostic =
            self.with_callee_note(Diagnostic::error("incompatible-types", span, message), purpose);
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
        self.value_of(literal)
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

#[cfg(test)]
mod tests {
    use crate::testing::check_messages;
    use expect_test::expect;

    #[test]
    fn assignments_are_judged_as_gcc_does() {
        check_messages(
            "struct s { int a; }; struct t { int a; };\n\
             void f(struct s x, struct t y, int *p, char *q, const int *r, int i, double d, void *v, int (*g)(void)) {\n\
             p = q; p = r; p = i; i = p; p = v; q = v; p = 0; p = (void *)0; v = g; i = d; d = i;\n\
             x = y;\n\
             p = d;\n\
             i = f;\n\
             i = (void)0;\n\
             }\n",
            expect![[r#"
                t.c:3:1: warning: incompatible pointer types: assigning to 'int *' from 'char *' [incompatible-pointer-types]
                t.c:3:8: warning: assigning to 'int *' from 'const int *' discards 'const' [discarded-qualifiers]
                t.c:3:15: warning: conversion between pointer and integer: assigning to 'int *' from 'int' [int-conversion]
                t.c:3:22: warning: conversion between pointer and integer: assigning to 'int' from 'int *' [int-conversion]
                t.c:4:1: error: incompatible types: assigning to 'struct s' from 'struct t' [incompatible-types]
                t.c:5:1: error: incompatible types: assigning to 'int *' from 'double' [incompatible-types]
                t.c:6:1: warning: conversion between pointer and integer: assigning to 'int' from 'void (*)(struct s, struct t, int *, char *, const int *, int, double, void *, int (*)(void))' [int-conversion]
                t.c:7:5: error: this expression has no value (its type is 'void') [void-value]
            "#]],
        );
    }
}
