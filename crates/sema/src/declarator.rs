//! Declarators: from `int *a[n](...)` to a type, parameters, and variable array lengths.
//!
//! A variable length is computed into a hidden local where the type stands: the assignments collect
//! in `vla_sets`, and whoever asked for the type places them. In a prototype that is no definition,
//! variable lengths are forgotten (`int a[*]`).

use crate::check::{Checker, node};
use crate::hir::{ExprKind, LocalId};
use crate::scope::Binding;
use crate::types::{ArrayLen, FnType, QualType, Quals, TypeKind};
use braid_base::{Diagnostic, Span, Symbol};
use braid_syntax::ast::{self, ArraySize, DeclaratorPart, Params};

/// A parameter as declared, after adjustment.
pub(crate) struct Param {
    pub ty: QualType,
    /// Set in definitions.
    pub local: Option<LocalId>,
}

impl Checker<'_> {
    /// Applies the derivations of a declarator to the type of the specifiers.
    pub fn build_type(&mut self, base: QualType, parts: &[DeclaratorPart], span: Span) -> QualType {
        parts.iter().rev().fold(base, |ty, part| match part {
            DeclaratorPart::Pointer { quals } => QualType { ty: self.types.pointer_to(ty), quals: *quals },
            DeclaratorPart::Array { size, .. } => self.array_type(ty, size, span),
            DeclaratorPart::Function(params) => self.function_type(ty, params, span),
        })
    }

    fn array_type(&mut self, elem: QualType, size: &ArraySize, span: Span) -> QualType {
        let len = match size {
            ArraySize::Unknown | ArraySize::Star => Some(ArrayLen::Unknown),
            ArraySize::Expr(e) => self.array_len(e, span),
        };
        let Some(len) = len else { return self.error_type() };
        if self.types.is_error(elem.ty) {
            return elem;
        }
        let open_in_prototype = self.prototype > 0 && self.types.is_array(elem.ty);
        if !self.types.is_complete(elem.ty) && !open_in_prototype {
            let shown = self.types.show(elem);
            self.error("incomplete-type", span, format!("array elements have incomplete type '{shown}'"));
            return self.error_type();
        }
        if let (ArrayLen::Known(n), Some(layout)) = (len, self.types.layout(elem.ty)) {
            let limit = self.types.model.size_limit();
            if layout.size.checked_mul(n).is_none_or(|size| size >= limit) {
                self.error("type-too-large", span, "the size of this array exceeds the address space");
                return self.error_type();
            }
        }
        QualType::plain(self.types.intern(TypeKind::Array { elem, len }))
    }

    fn array_len(&mut self, size: &ast::Expr, span: Span) -> Option<ArrayLen> {
        let value = self.rvalue(size);
        if self.types.is_error(value.ty.ty) {
            return None;
        }
        if !self.types.is_integer(value.ty.ty) {
            let shown = self.show(value.ty.ty);
            self.error(
                "array-size",
                size.span,
                format!("array size has type '{shown}', not an integer type"),
            );
            return None;
        }
        if let Some(count) = self.eval_int(&value) {
            let count = self.types.extend(value.ty.ty, count);
            if count < 0 {
                self.error("array-size", size.span, format!("array size is negative ({count})"));
                return None;
            }
            return Some(ArrayLen::Known(u64::try_from(count).unwrap_or(u64::MAX)));
        }
        if self.prototype > 0 {
            return Some(ArrayLen::Unknown);
        }
        if self.func.is_none() {
            self.report(
                Diagnostic::error(
                    "array-size",
                    size.span,
                    "the size of an array at file scope must be constant",
                )
                .note("a 'const' variable is not a constant in C; use an enumerator or a macro"),
            );
            return None;
        }
        let count = self.convert(value, self.common.size);
        let local = self.hidden_local(QualType::plain(self.common.size), span);
        let set = ExprKind::SetVlaLen { local, count: Box::new(count) };
        self.vla_sets.push(node(set, self.common.void, span));
        Some(ArrayLen::Vla(local))
    }

    fn function_type(&mut self, ret: QualType, params: &Params, span: Span) -> QualType {
        let Some(ret) = self.return_type(ret, span) else { return self.error_type() };
        let ty = match params {
            Params::Unspecified | Params::Identifiers(_) => {
                FnType { ret, params: Vec::new(), variadic: false, unprototyped: true }
            }
            Params::Prototype { params, variadic } => {
                self.scopes.enter();
                self.prototype += 1;
                let list = self.params(params, false);
                self.prototype -= 1;
                self.scopes.leave();
                let params = self.param_types(&list);
                FnType { ret, params, variadic: *variadic, unprototyped: false }
            }
        };
        QualType::plain(self.types.intern(TypeKind::Function(ty)))
    }

    /// Types as they stand in the function's type: no qualifiers, no variable lengths.
    pub fn param_types(&mut self, params: &[Param]) -> Vec<QualType> {
        params.iter().map(|p| QualType::plain(self.types.erase_vla(p.ty.ty))).collect()
    }

    /// The result type without qualifiers, which mean nothing on a value.
    pub fn return_type(&mut self, ret: QualType, span: Span) -> Option<QualType> {
        if self.types.is_array(ret.ty) || self.types.is_function(ret.ty) {
            let shown = self.types.show(ret);
            self.error("bad-return-type", span, format!("a function cannot return '{shown}'"));
            return None;
        }
        Some(QualType::plain(ret.ty))
    }

    /// Declares the parameters in the current scope: as locals of the function being defined, or
    /// only by type in a mere prototype.
    pub fn params(&mut self, params: &[ast::ParamDecl], definition: bool) -> Vec<Param> {
        let mut list = Vec::with_capacity(params.len());
        for param in params {
            let specs = self.specs(&param.specs, false);
            let attrs = self.attrs(&[&param.declarator.attrs, &param.attrs]);
            let base = self.apply_type_attrs(specs.ty, &attrs, param.span);
            let (name, span) = match param.declarator.name {
                Some((name, span)) => (Some(name), span),
                None => (None, param.span),
            };
            let ty = self.param_type(base, &param.declarator.parts, span);
            if self.types.is_void(ty.ty) {
                if params.len() == 1 && name.is_none() {
                    return Vec::new();
                }
                self.error("void-parameter", span, "a parameter cannot have type 'void'");
                list.push(Param { ty: self.error_type(), local: None });
                continue;
            }
            let local = self.declare_param(name, ty, span, definition);
            list.push(Param { ty, local });
        }
        list
    }

    pub fn declare_param(
        &mut self,
        name: Option<Symbol>,
        ty: QualType,
        span: Span,
        definition: bool,
    ) -> Option<LocalId> {
        if definition && !self.types.is_complete(ty.ty) {
            let shown = self.types.show(ty);
            self.error("incomplete-type", span, format!("parameter has incomplete type '{shown}'"));
        }
        let local = definition.then(|| self.new_local(name, ty, span));
        let Some(name) = name else { return local };
        if self.scopes.here(name).is_some() {
            self.error("redefinition", span, format!("two parameters are called '{name}'"));
        }
        let binding = match local {
            Some(local) => Binding::Local(local),
            None => Binding::Unsupported { ty, reason: "a parameter outside its function".to_owned() },
        };
        self.scopes.bind(name, binding);
        local
    }

    /// The type of a parameter after adjustment: arrays and functions become pointers.
    pub fn param_type(&mut self, base: QualType, parts: &[DeclaratorPart], span: Span) -> QualType {
        if let Some(DeclaratorPart::Array { size, quals }) = parts.first() {
            let elem = self.build_type(base, &parts[1..], span);
            // The outermost length says nothing about the pointer, but a definition evaluates it.
            match size {
                ArraySize::Expr(e) if self.prototype == 0 && self.func.is_some() => {
                    let _ = self.array_len(e, span);
                }
                ArraySize::Expr(e) => {
                    self.unevaluated += 1;
                    let _ = self.rvalue(e);
                    self.unevaluated -= 1;
                }
                ArraySize::Unknown | ArraySize::Star => {}
            }
            if self.types.is_error(elem.ty) {
                return elem;
            }
            return QualType { ty: self.types.pointer_to(elem), quals: *quals };
        }
        let ty = self.build_type(base, parts, span);
        self.adjust_param(ty)
    }

    fn adjust_param(&mut self, ty: QualType) -> QualType {
        match *self.types.kind(ty.ty) {
            TypeKind::Array { elem, .. } => QualType::plain(self.types.pointer_to(elem)),
            TypeKind::Function(_) => {
                let plain = QualType { ty: ty.ty, quals: Quals::default() };
                QualType::plain(self.types.pointer_to(plain))
            }
            _ => ty,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_messages;
    use expect_test::expect;

    #[test]
    fn impossible_types_are_reported() {
        check_messages(
            "char a[0x7fffffffffffffff]; int b[1 << 30][1 << 30]; struct s { char x[1L << 46], y[1L << 46]; };\n\
             int c[2][]; void d[2]; int e[2](void); int f(void)[2]; int g(void)(void); int h(int a, void b);\n\
             typedef int v __attribute__((vector_size(31))); int i[1.5]; struct t j[3]; int k(int n, int m[n][n]);\n",
            expect![[r#"
                t.c:1:6: error: the size of this array exceeds the address space [type-too-large]
                t.c:1:33: error: the size of this array exceeds the address space [type-too-large]
                t.c:1:54: error: the size of this type exceeds the address space [type-too-large]
                t.c:2:5: error: array elements have incomplete type 'int []' [incomplete-type]
                t.c:2:18: error: array elements have incomplete type 'void' [incomplete-type]
                t.c:2:28: error: array elements have incomplete type 'int (void)' [incomplete-type]
                t.c:2:44: error: a function cannot return 'int [2]' [bad-return-type]
                t.c:2:60: error: a function cannot return 'int (void)' [bad-return-type]
                t.c:2:93: error: a parameter cannot have type 'void' [void-parameter]
                t.c:3:13: error: a vector of 31 bytes of 'int' is not possible [bad-vector]
                t.c:3:55: error: array size has type 'double', not an integer type [array-size]
                t.c:3:70: error: array elements have incomplete type 'struct t' [incomplete-type]
            "#]],
        );
    }
}
