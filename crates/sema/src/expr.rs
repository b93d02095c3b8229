//! Expressions: dispatch, names, literals, `sizeof` and its kin, type-directed selection.
//!
//! [`Checker::expr`] yields the expression as it stands (an lvalue stays one); [`Checker::rvalue`]
//! its value. Operators are in `ops`, access paths in `access`, calls in `call`.

use crate::check::{Checker, int_const, is_lvalue, node};
use crate::hir::{CastKind, EntityId, Expr, ExprKind, Init, InitItem, InitList};
use crate::scope::{Binding, similar_name};
use crate::spec::has_effects;
use crate::types::{ArrayLen, QualType, RecordKind, TypeId, TypeKind};
use braid_base::{Diagnostic, Span, Symbol};
use braid_syntax::ast::{self, Encoding};

impl Checker<'_> {
    pub fn rvalue(&mut self, e: &ast::Expr) -> Expr {
        let value = self.expr(e);
        self.value_of(value)
    }

    pub fn expr(&mut self, e: &ast::Expr) -> Expr {
        let span = e.span;
        match &e.kind {
            ast::ExprKind::Name(name) => self.name(*name, span),
            ast::ExprKind::Int(lit) => self.int_literal(*lit, span),
            ast::ExprKind::Float(lit) => self.float_literal(*lit, span),
            ast::ExprKind::Char { value, encoding } => self.char_literal(*value, *encoding, span),
            ast::ExprKind::Str(lit) => self.string_literal(lit, None, span),
            ast::ExprKind::Paren(inner) => {
                let inner = self.expr(inner);
                Expr { span, ..inner }
            }
            ast::ExprKind::Generic { control, arms } => self.generic(control, arms, span),
            ast::ExprKind::StmtExpr(block) => self.stmt_expr(block, span),
            ast::ExprKind::Index { base, index } => self.index(base, index, span),
            ast::ExprKind::Call { callee, args } => self.call(callee, args, span),
            ast::ExprKind::Member { base, field, field_span, arrow } => {
                self.member(base, *field, *field_span, *arrow, span)
            }
            ast::ExprKind::PostInc(operand) => self.increment(operand, false, true, span),
            ast::ExprKind::PostDec(operand) => self.increment(operand, true, true, span),
            ast::ExprKind::PreInc(operand) => self.increment(operand, false, false, span),
            ast::ExprKind::PreDec(operand) => self.increment(operand, true, false, span),
            ast::ExprKind::CompoundLiteral { ty, init } => self.compound_literal(ty, init, span),
            ast::ExprKind::Unary { op, operand } => self.unary(*op, operand, span),
            ast::ExprKind::SizeofExpr(operand) => self.sizeof_expr(operand, span),
            ast::ExprKind::SizeofType(name) => self.sizeof_type(name, span),
            ast::ExprKind::AlignofExpr(operand) => self.alignof_expr(operand, span),
            ast::ExprKind::AlignofType(name) => {
                let (ty, declared, _) = self.type_in_expr(name);
                let align = self.alignment_of(ty, declared).unwrap_or(1);
                self.size_const(align, span)
            }
            ast::ExprKind::Cast { ty, operand } => self.cast(ty, operand, span),
            ast::ExprKind::Binary { op, lhs, rhs } => self.binary(*op, lhs, rhs, span),
            ast::ExprKind::Cond { cond, then, other } => self.conditional(cond, then.as_deref(), other, span),
            ast::ExprKind::Assign { op: None, lhs, rhs } => self.assign(lhs, rhs, span),
            ast::ExprKind::Assign { op: Some(op), lhs, rhs } => self.compound_assign(*op, lhs, rhs, span),
            ast::ExprKind::Comma(lhs, rhs) => {
                let (lhs, rhs) = (self.rvalue(lhs), self.rvalue(rhs));
                let ty = rhs.ty;
                Expr { kind: ExprKind::Comma(Box::new(lhs), Box::new(rhs)), ty, span }
            }
            ast::ExprKind::LabelAddr(name) => {
                self.label_ref(*name, span);
                self.unsupported(format!("the address of label '{name}'"), self.common.void_ptr, span)
            }
            ast::ExprKind::Offsetof { ty, path } => self.offsetof(ty, path, span),
            ast::ExprKind::VaArg { list, ty } => self.va_arg(list, ty, span),
            ast::ExprKind::TypesCompatible { a, b } => {
                let (a, _, _) = self.type_in_expr(a);
                let (b, _, _) = self.type_in_expr(b);
                // Top-level qualifiers do not count.
                let (x, y) = (self.types.unqualified(a), self.types.unqualified(b));
                let same = self.types.compatible(x, y);
                self.int_value(i64::from(same), span)
            }
            ast::ExprKind::ChooseExpr { cond, then, other } => {
                let cond = self.rvalue(cond);
                match self.require_int(&cond, "condition of '__builtin_choose_expr'") {
                    Some(0) => self.expr(other),
                    Some(_) => self.expr(then),
                    None => self.error_expr(span),
                }
            }
            ast::ExprKind::FuncName => self.func_name(span),
            ast::ExprKind::Bool(value) => int_const(u128::from(*value), self.common.bool, span),
            ast::ExprKind::Nullptr => int_const(0, self.common.void_ptr, span),
            ast::ExprKind::RealImag { operand } => {
                self.unevaluated += 1;
                let _ = self.expr(operand);
                self.unevaluated -= 1;
                self.unsupported("'__real__' and '__imag__'".to_owned(), self.common.double, span)
            }
        }
    }

    // Names

    fn name(&mut self, name: Symbol, span: Span) -> Expr {
        let Some(binding) = self.scopes.ordinary.get(name) else { return self.undeclared(name, span) };
        match binding {
            Binding::Local(id) => {
                let id = *id;
                let func = self.func.as_ref().expect("locals occur inside functions only");
                Expr { kind: ExprKind::Local(id), ty: func.locals[id].ty, span }
            }
            Binding::Entity(id) => {
                let id = *id;
                self.entity_ref(id, span)
            }
            Binding::EnumConst { value, ty, .. } => int_const(*value, *ty, span),
            Binding::Typedef { .. } => {
                self.error("type-as-value", span, format!("'{name}' is a type, not a value"));
                self.error_expr(span)
            }
            Binding::Unsupported { ty, reason } => {
                let (ty, reason) = (*ty, reason.clone());
                self.unsupported_lvalue(ty, reason, span)
            }
            Binding::Error => self.error_expr(span),
        }
    }

    pub fn entity_ref(&mut self, id: EntityId, span: Span) -> Expr {
        self.mention(id);
        let ty = self.entities[id].ty;
        if let Some(reason) = self.info[id].unsupported.clone() {
            return self.unsupported_lvalue(ty, reason, span);
        }
        if self.unevaluated == 0 {
            self.entities[id].first_use.get_or_insert(span);
        }
        Expr { kind: ExprKind::Entity(id), ty, span }
    }

    fn undeclared(&mut self, name: Symbol, span: Span) -> Expr {
        if let Some(id) = self.builtin_function(name, span) {
            return self.entity_ref(id, span);
        }
        if !self.reported.insert(name) {
            return self.error_expr(span);
        }
        let mut diagnostic = Diagnostic::error("undeclared-name", span, format!("'{name}' is not declared"));
        if let Some(similar) = similar_name(name.as_str(), self.scopes.ordinary.names()) {
            diagnostic = diagnostic.note(format!("did you mean '{similar}'?"));
        }
        self.report(diagnostic);
        self.error_expr(span)
    }

    fn func_name(&mut self, span: Span) -> Expr {
        let Some(func) = &self.func else {
            self.warn("func-name", span, "'__func__' is used outside a function");
            let empty = ast::StrLit { units: Vec::new(), encoding: Encoding::Plain };
            return self.string_literal(&empty, None, span);
        };
        let id = match func.func_name {
            Some(id) => id,
            None => {
                let mut bytes = func.name.as_str().as_bytes().to_vec();
                bytes.push(0);
                let id = self.string_object(self.common.char, bytes, true, span);
                self.entities[id].name = Symbol::intern("__func__");
                if let Some(func) = &mut self.func {
                    func.func_name = Some(id);
                }
                id
            }
        };
        self.entity_ref(id, span)
    }

    // Types in expressions

    /// A type name inside an expression, with the array lengths that must be computed first.
    pub fn type_in_expr(&mut self, name: &ast::TypeName) -> (QualType, Option<u64>, Vec<Expr>) {
        let outer = std::mem::take(&mut self.vla_sets);
        let (ty, align) = self.type_name(name);
        let sets = std::mem::replace(&mut self.vla_sets, outer);
        (ty, align, sets)
    }

    /// `set1, set2, …, e`
    pub fn after(&self, sets: Vec<Expr>, e: Expr) -> Expr {
        sets.into_iter().rev().fold(e, |rest, set| {
            let (ty, span) = (rest.ty, rest.span);
            Expr { kind: ExprKind::Comma(Box::new(set), Box::new(rest)), ty, span }
        })
    }

    /// Size of a type as an expression of type `size_t`; GNU gives `void` and functions size 1.
    pub fn size_expr(&mut self, ty: TypeId, span: Span) -> Option<Expr> {
        match *self.types.kind(ty) {
            TypeKind::Void | TypeKind::Function(_) => Some(self.size_const(1, span)),
            TypeKind::Array { elem, len: ArrayLen::Vla(local) } => {
                let elem = self.size_expr(elem.ty, span)?;
                let count = node(ExprKind::Local(local), self.common.size, span);
                let count = self.value_of(count);
                Some(self.size_product(count, elem, span))
            }
            TypeKind::Array { elem, len: ArrayLen::Known(n) } if self.types.is_vla(elem.ty) => {
                let elem = self.size_expr(elem.ty, span)?;
                let count = self.size_const(n, span);
                Some(self.size_product(count, elem, span))
            }
            _ => self.types.layout(ty).map(|layout| self.size_const(layout.size, span)),
        }
    }

    fn size_product(&self, count: Expr, elem: Expr, span: Span) -> Expr {
        let kind =
            ExprKind::Binary { op: crate::hir::BinaryOp::Mul, lhs: Box::new(count), rhs: Box::new(elem) };
        node(kind, self.common.size, span)
    }

    fn size_of(&mut self, ty: TypeId, span: Span) -> Expr {
        if self.types.is_error(ty) {
            return self.error_expr(span);
        }
        match self.size_expr(ty, span) {
            Some(size) => size,
            None => {
                let shown = self.show(ty);
                self.error("incomplete-type", span, format!("'sizeof' of incomplete type '{shown}'"));
                self.error_expr(span)
            }
        }
    }

    fn sizeof_type(&mut self, name: &ast::TypeName, span: Span) -> Expr {
        let (ty, _, sets) = self.type_in_expr(name);
        let size = self.size_of(ty.ty, span);
        let size = self.after(sets, size);
        Expr { span, ..size }
    }

    fn sizeof_expr(&mut self, operand: &ast::Expr, span: Span) -> Expr {
        let errors = self.diags.error_count();
        let value = self.unevaluated_expr(operand);
        if matches!(&value.kind, ExprKind::Member { bits: Some(_), .. }) {
            self.error("bit-field", span, "'sizeof' applied to a bit-field");
            return self.error_expr(span);
        }
        let ty = value.ty.ty;
        let size = self.size_of(ty, span);
        if !self.types.is_vla(ty) || self.diags.error_count() != errors || self.func.is_none() {
            return size;
        }
        // The operand of variable size is evaluated, for its effects.
        let value = self.expr(operand);
        if !has_effects(&value) {
            return size;
        }
        let value = self.value_of(value);
        self.after(vec![value], size)
    }

    pub fn unevaluated_expr(&mut self, e: &ast::Expr) -> Expr {
        self.unevaluated += 1;
        let value = self.expr(e);
        self.unevaluated -= 1;
        value
    }

    fn alignof_expr(&mut self, operand: &ast::Expr, span: Span) -> Expr {
        let value = self.unevaluated_expr(operand);
        if matches!(&value.kind, ExprKind::Member { bits: Some(_), .. }) {
            self.error("bit-field", span, "'_Alignof' applied to a bit-field");
        }
        let declared = match value.kind {
            ExprKind::Local(id) => self.func.as_ref().and_then(|f| f.locals[id].align),
            ExprKind::Entity(id) => self.entities[id].align,
            _ => None,
        };
        let align = self.alignment_of(value.ty, None).unwrap_or(1);
        self.size_const(declared.unwrap_or(0).max(align), span)
    }

    /// Alignment of a type, or the one its typedef demands.
    pub fn alignment_of(&self, ty: QualType, declared: Option<u64>) -> Option<u64> {
        if declared.is_some() {
            return declared;
        }
        match self.types.element(ty.ty) {
            Some((elem, _)) => self.alignment_of(elem, None),
            None => self.types.layout(ty.ty).map(|l| l.align),
        }
    }

    // Casts and literals with a type

    fn cast(&mut self, name: &ast::TypeName, operand: &ast::Expr, span: Span) -> Expr {
        let (ty, _, sets) = self.type_in_expr(name);
        let value = self.rvalue(operand);
        let value = self.cast_value(value, ty, span);
        let value = self.after(sets, value);
        Expr { span, ..value }
    }

    /// An explicit cast of an rvalue.
    pub fn cast_value(&mut self, value: Expr, ty: QualType, span: Span) -> Expr {
        let (from, to) = (value.ty.ty, ty.ty);
        let types = &self.types;
        if types.is_error(from) || types.is_error(to) {
            return self.error_expr(span);
        }
        if types.is_void(to) {
            if types.is_void(from) {
                return value;
            }
            return node(ExprKind::Cast { kind: CastKind::ToVoid, operand: Box::new(value) }, to, span);
        }
        if (types.is_unsupported(from) || types.is_unsupported(to)) && !types.is_void(from) {
            let shown = self.show(if types.is_unsupported(to) { to } else { from });
            return self.unsupported(format!("a conversion with type {shown}"), to, span);
        }
        let mixed =
            (types.is_float(from) && types.is_pointer(to)) || (types.is_pointer(from) && types.is_float(to));
        if types.is_scalar(from) && types.is_scalar(to) && !mixed {
            let value = if from == to { self.unmark(value) } else { value };
            return self.convert(value, to);
        }
        if types.is_record(to) {
            if from == to {
                return value;
            }
            if let Some(member) = self.union_member(from, to) {
                return self.cast_to_union(value, ty, member, span);
            }
        }
        let text = format!("cannot cast '{}' to '{}'", self.show(from), self.show(to));
        self.error("bad-cast", span, text);
        self.error_expr(span)
    }

    /// GNU: a value may be cast to a union with a member of its type.
    fn union_member(&self, from: TypeId, to: TypeId) -> Option<QualType> {
        let record = &self.types.records[self.types.record_of(to)?];
        if record.kind != RecordKind::Union {
            return None;
        }
        let fields = &record.def.as_ref()?.fields;
        fields.iter().find(|f| f.bits.is_none() && self.types.compatible(f.ty.ty, from)).map(|f| f.ty)
    }

    fn cast_to_union(&mut self, value: Expr, ty: QualType, member: QualType, span: Span) -> Expr {
        if self.func.is_none() {
            return self.unsupported("a cast to a union in a static initialiser".to_owned(), ty.ty, span);
        }
        let ty = QualType::plain(ty.ty);
        let local = self.hidden_local(ty, span);
        let item = InitItem { offset: 0, bits: None, ty: member, value, count: 1, stride: 0 };
        let init = Box::new(Init::List(InitList { items: vec![item], covers: false }));
        self.value_of(Expr { kind: ExprKind::CompoundLiteral { local, init }, ty, span })
    }

    fn compound_literal(&mut self, name: &ast::TypeName, init: &ast::InitList, span: Span) -> Expr {
        let (ty, declared, sets) = self.type_in_expr(name);
        if self.types.is_vla(ty.ty) || self.types.is_function(ty.ty) || self.types.is_void(ty.ty) {
            let shown = self.types.show(ty);
            self.error("bad-literal", span, format!("a compound literal cannot have type '{shown}'"));
            return self.error_expr(span);
        }
        if self.func.is_none() {
            let result = self.static_list(ty, init);
            let ty = QualType { ty: result.ty, quals: ty.quals };
            let id = self.anonymous_object(ty, result.init, span);
            self.entities[id].align = declared;
            self.info[id].unsupported = result.unsupported;
            return self.entity_ref(id, span);
        }
        let (complete, init) = self.auto_list(ty, init);
        let ty = QualType { ty: complete, quals: ty.quals };
        let local = self.hidden_local(ty, span);
        let literal = Expr { kind: ExprKind::CompoundLiteral { local, init: Box::new(init) }, ty, span };
        self.after(sets, literal)
    }

    fn generic(&mut self, control: &ast::Expr, arms: &[ast::GenericArm], span: Span) -> Expr {
        let control = self.unevaluated_expr(control);
        self.unevaluated += 1;
        let control = self.value_of(control);
        self.unevaluated -= 1;
        if self.types.is_error(control.ty.ty) {
            return self.error_expr(span);
        }
        let mut chosen = None;
        let mut default = None;
        for arm in arms {
            match &arm.ty {
                None => default = Some(arm),
                Some(name) => {
                    let (ty, _, _) = self.type_in_expr(name);
                    let matches = self.types.compatible_qual(ty, QualType::plain(control.ty.ty));
                    if matches && chosen.is_some() {
                        self.error(
                            "generic-match",
                            name.span,
                            "two associations of '_Generic' take this type",
                        );
                    } else if matches {
                        chosen = Some(arm);
                    }
                }
            }
        }
        match chosen.or(default) {
            Some(arm) => {
                let value = self.expr(&arm.expr);
                Expr { span, ..value }
            }
            None => {
                let shown = self.show(control.ty.ty);
                self.error(
                    "no-generic-match",
                    span,
                    format!("no association of '_Generic' takes type '{shown}'"),
                );
                self.error_expr(span)
            }
        }
    }

    fn va_arg(&mut self, list: &ast::Expr, name: &ast::TypeName, span: Span) -> Expr {
        let list = self.va_list_pointer(list);
        let (ty, _, sets) = self.type_in_expr(name);
        let promoted = self.promoted_type(ty.ty);
        if promoted != ty.ty {
            let (given, becomes) = (self.show(ty.ty), self.show(promoted));
            let text = format!("'{given}' is promoted to '{becomes}' when passed through '...'");
            self.warn("va-arg-promotion", span, text);
        }
        if !self.types.is_complete(ty.ty) && !self.types.is_error(ty.ty) {
            let shown = self.types.show(ty);
            self.error("incomplete-type", span, format!("'va_arg' of incomplete type '{shown}'"));
        }
        if self.types.is_unsupported(ty.ty) {
            return self.unsupported("'va_arg' of an unsupported type".to_owned(), ty.ty, span);
        }
        let value = node(ExprKind::VaArg { list: Box::new(list) }, ty.ty, span);
        self.after(sets, value)
    }

    /// A pointer to the storage of a `va_list`.
    pub fn va_list_pointer(&mut self, list: &ast::Expr) -> Expr {
        let value = self.expr(list);
        let is_pointer_list =
            self.types.va_list.is_some_and(|ty| ty == value.ty.ty && self.types.is_pointer(ty));
        if is_pointer_list && is_lvalue(&value) {
            self.take_address(&value);
            let ty = self.types.pointer_to(value.ty);
            let span = value.span;
            return node(ExprKind::AddrOf(Box::new(value)), ty, span);
        }
        let value = self.value_of(value);
        if !self.types.is_pointer(value.ty.ty) && !self.types.is_error(value.ty.ty) {
            let shown = self.show(value.ty.ty);
            self.error("not-a-va-list", value.span, format!("expected a 'va_list', found type '{shown}'"));
            return self.error_expr(value.span);
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_f, check_messages};
    use expect_test::expect;

    #[test]
    fn literals_and_names() {
        check_f(
            "enum e { A = 5, B = 0x100000000 };\n\
             void f(void) { 1; 2147483648; 0x80000000; 1u; 1ull; 'a'; L'a'; \"s\"; 1.5f; A; B; __func__; sizeof(int); _Alignof(double); sizeof \"abc\"; f; &f; *f; }\n",
            expect![[r#"
                {
                  1
                  2147483648:long
                  2147483648:unsigned int
                  1:unsigned int
                  1:unsigned long long
                  97
                  97
                  (decay "s\0")
                  1.5:float
                  5
                  4294967296:unsigned long
                  (decay __func__)
                  4:unsigned long
                  8:unsigned long
                  4:unsigned long
                  (& f)
                  (& f)
                  (& f)
                }
            "#]],
        );
    }

    #[test]
    fn selection_by_type() {
        check_f(
            "void f(const int c, char *p) { _Generic(c, int: 1, default: 2); _Generic(\"s\", char *: 3, const char *: 4); _Generic(p, void *: 5, default: 6);\n\
             __builtin_choose_expr(0, p, 7); __builtin_types_compatible_p(int[], int[3]); (__typeof__(c))8; }\n",
            expect![[r#"
                {
                  1
                  3
                  6
                  7
                  1
                  8
                }
            "#]],
        );
    }

    #[test]
    fn members_and_casts() {
        check_f(
            "struct s { int a; struct { char b; union { long c; int d; }; }; int arr[3]; } x, *p; struct s g(void); union u { int i; float f; };\n\
             void f(void) { x.d; p->c; g().a; g().arr[1]; (*p).b; &p->arr[2]; &*p; (union u)3; (void)x; (const int)x.a; }\n",
            expect![[r#"
                {l0
                  (ld (.16 x))
                  (ld (.16 (* (ld p))))
                  (ld (.0 (call g)))
                  (ld (* (p+ (decay (.24 (call g))) 1 *4:unsigned long)))
                  (ld (.8 (* (ld p))))
                  (p+ (decay (.24 (* (ld p)))) 2 *4:unsigned long)
                  (ld p)
                  (ld (literal l0 {0: 3}))
                  (ToVoid:void (ld x))
                  (ld (.0 x))
                }
            "#]],
        );
    }

    #[test]
    fn casts_and_operands_are_checked() {
        check_messages(
            "struct s { int a : 3; } x; struct inc *q;\n\
             void f(double d, int *p) { (struct s)1; (int)x; (int *)d; (float)p; &x.a; sizeof x.a; sizeof *q; q->m; p.m; x->a; *d; d[1]; p[p]; &1; f(1); f(d, p, 1); d(); _Generic(d, int: 1); }\n",
            expect![[r#"
                t.c:2:28: error: cannot cast 'int' to 'struct s' [bad-cast]
                t.c:2:41: error: cannot cast 'struct s' to 'int' [bad-cast]
                t.c:2:49: error: cannot cast 'double' to 'int *' [bad-cast]
                t.c:2:59: error: cannot cast 'int *' to 'float' [bad-cast]
                t.c:2:69: error: cannot take the address of a bit-field [bit-field]
                t.c:2:75: error: 'sizeof' applied to a bit-field [bit-field]
                t.c:2:87: error: 'sizeof' of incomplete type 'struct inc' [incomplete-type]
                t.c:2:98: error: 'struct inc' is an incomplete type [incomplete-type]
                t.c:2:104: error: member 'm' requested in 'int *', not a struct or union [not-a-record]
                t.c:2:109: error: '->' applied to 'struct s', not a pointer [not-a-pointer]
                note: did you mean '.a'?
                t.c:2:115: error: '*' applied to 'double', not a pointer [not-a-pointer]
                t.c:2:119: error: cannot subscript 'double' with 'int' [bad-subscript]
                t.c:2:125: error: cannot subscript 'int *' with 'int *' [bad-subscript]
                t.c:2:131: error: cannot take the address of a value that is not stored anywhere [lvalue-required]
                t.c:2:135: error: too few arguments in the call of 'f': 1 given, 2 expected [argument-count]
                t.c:2:6: note: it is declared here
                t.c:2:141: error: too many arguments in the call of 'f': 3 given, 2 expected [argument-count]
                t.c:2:6: note: it is declared here
                t.c:2:153: error: called object of type 'double' is not a function [not-a-function]
                t.c:2:158: error: no association of '_Generic' takes type 'double' [no-generic-match]
            "#]],
        );
    }
}
