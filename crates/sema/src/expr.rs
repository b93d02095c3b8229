//! Expressions: dispatch, names, literals, `sizeof` and its kin, type-directed selection.
//!
//! [`Checker::expr`] yields the expression as it stands (an lvalue stays one); [`Checker::rvalue`]
//! its value. Operators are in `ops`, access paths in `access`, calls in `call`.

use crate::check::{Checker, int_const, is_lvalue, node};
use crate::hir::{CastKind, EntityId, Expr, ExprKind, Init, InitItem, InitList, StaticInit};
use crate::scope::{Binding, similar_name};
use crate::spec::has_effects;
use crate::types::{ArrayLen, IntKind, QualType, Quals, RecordKind, TypeId, TypeKind};
use braid_base::{Diagnostic, Span, Symbol};
use braid_syntax::ast::{self, Encoding, FloatSuffix, IntSize};

impl Checker<'_> {
    pub fn rvalue(&mut self, e: &ast::Expr) -> Expr {
        let value = self.expr(e);
        self.to_rvalue(value)
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

    // Literals

    fn int_literal(&mut self, lit: ast::IntLit, span: Span) -> Expr {
        let kinds: &[IntKind] = match lit.size {
            IntSize::Plain => &[
                IntKind::Int,
                IntKind::UInt,
                IntKind::Long,
                IntKind::ULong,
                IntKind::LongLong,
                IntKind::ULongLong,
            ],
            IntSize::Long => &[IntKind::Long, IntKind::ULong, IntKind::LongLong, IntKind::ULongLong],
            IntSize::LongLong => &[IntKind::LongLong, IntKind::ULongLong],
        };
        let fits = |kind: IntKind| {
            let bits = self.types.int_bytes(kind) * 8 - u64::from(self.types.is_signed(kind));
            lit.value >> bits == 0
        };
        let allowed = |kind: IntKind| {
            let signed = self.types.is_signed(kind);
            if lit.unsigned { !signed } else { signed || !lit.decimal }
        };
        let kind = kinds.iter().copied().find(|k| allowed(*k) && fits(*k)).unwrap_or_else(|| {
            if lit.unsigned || lit.value >> 127 != 0 { IntKind::UInt128 } else { IntKind::Int128 }
        });
        let ty = self.types.int(kind);
        if matches!(kind, IntKind::Int128 | IntKind::UInt128) {
            self.warn("large-constant", span, "integer constant is too large for 'long long'");
        }
        int_const(lit.value, ty, span)
    }

    fn float_literal(&mut self, lit: ast::FloatLit, span: Span) -> Expr {
        if lit.imaginary {
            let ty = self.basic_type(ast::BasicType::Complex);
            return self.unsupported("a complex constant".to_owned(), ty, span);
        }
        let ty = match lit.kind {
            FloatSuffix::Float => self.common.float,
            FloatSuffix::Double => self.common.double,
            FloatSuffix::LongDouble => self.common.long_double,
            FloatSuffix::Float128 => {
                let ty = self.basic_type(ast::BasicType::Float128);
                return self.unsupported("a '_Float128' constant".to_owned(), ty, span);
            }
        };
        node(ExprKind::Float(self.types.round_float(ty, lit.value)), ty, span)
    }

    fn char_literal(&mut self, value: i64, encoding: Encoding, span: Span) -> Expr {
        let ty = match encoding {
            Encoding::Plain => self.common.int,
            Encoding::Wide => self.common.wchar,
            Encoding::Utf8 => self.common.uchar,
            Encoding::Utf16 => self.common.char16,
            Encoding::Utf32 => self.common.char32,
        };
        int_const(self.types.wrap(ty, value as i128 as u128), ty, span)
    }

    pub fn string_element(&self, encoding: Encoding) -> TypeId {
        match encoding {
            Encoding::Plain | Encoding::Utf8 => self.common.char,
            Encoding::Wide => self.common.wchar,
            Encoding::Utf16 => self.common.char16,
            Encoding::Utf32 => self.common.char32,
        }
    }

    /// Bytes of a string literal with its terminating zero.
    pub fn string_bytes(&self, lit: &ast::StrLit) -> Vec<u8> {
        let width = self.types.bits(self.string_element(lit.encoding)) as usize / 8;
        let units = lit.units.iter().chain(std::iter::once(&0));
        units.flat_map(|unit| unit.to_le_bytes().into_iter().take(width)).collect()
    }

    /// The string object; `limit` cuts it to that many bytes (it initialises a shorter array).
    pub fn string_literal(&mut self, lit: &ast::StrLit, limit: Option<u64>, span: Span) -> Expr {
        let elem = self.string_element(lit.encoding);
        let mut bytes = self.string_bytes(lit);
        if let Some(limit) = limit {
            bytes.truncate(limit as usize);
        }
        let id = self.string_object(elem, bytes, false, span);
        self.mention(id);
        Expr { kind: ExprKind::Str(id), ty: QualType { quals: Quals::default(), ..self.entities[id].ty }, span }
    }

    fn string_object(&mut self, elem: TypeId, bytes: Vec<u8>, is_const: bool, span: Span) -> EntityId {
        let key = (elem, bytes);
        if !is_const {
            if let Some(&id) = self.strings.get(&key) {
                return id;
            }
        }
        let width = u64::from(self.types.bits(elem) / 8);
        let size = key.1.len() as u64;
        let elem = QualType { ty: elem, quals: Quals { is_const, ..Quals::default() } };
        let ty = self.types.intern(TypeKind::Array { elem, len: ArrayLen::Known(size / width) });
        let init =
            StaticInit { size, data: vec![(0, key.1.clone())], relocs: Vec::new(), read_only: true };
        let id = self.anonymous_object(QualType::plain(ty), init, span);
        if !is_const {
            self.strings.insert(key, id);
        }
        id
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
                let count = self.to_rvalue(count);
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
        let kind = ExprKind::Binary {
            op: crate::hir::BinaryOp::Mul,
            lhs: Box::new(count),
            rhs: Box::new(elem),
        };
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
        let value = self.to_rvalue(value);
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
        let mixed = (types.is_float(from) && types.is_pointer(to)) || (types.is_pointer(from) && types.is_float(to));
        if types.is_scalar(from) && types.is_scalar(to) && !mixed {
            let value = self.unmark(value);
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
        self.to_rvalue(Expr { kind: ExprKind::CompoundLiteral { local, init }, ty, span })
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
        let control = self.to_rvalue(control);
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
                    if matches && chosen.is_none() {
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
                self.error("no-generic-match", span, format!("no association of '_Generic' takes type '{shown}'"));
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
        let is_pointer_list = self.types.va_list.is_some_and(|ty| ty == value.ty.ty && self.types.is_pointer(ty));
        if is_pointer_list && is_lvalue(&value) {
            self.take_address(&value);
            let ty = self.types.pointer_to(value.ty);
            let span = value.span;
            return node(ExprKind::AddrOf(Box::new(value)), ty, span);
        }
        let value = self.to_rvalue(value);
        if !self.types.is_pointer(value.ty.ty) && !self.types.is_error(value.ty.ty) {
            let shown = self.show(value.ty.ty);
            self.error("not-a-va-list", value.span, format!("expected a 'va_list', found type '{shown}'"));
            return self.error_expr(value.span);
        }
        value
    }
}
