//! Type specifiers: basic types, typedef names, `typeof`, structs, unions and enums.

use crate::attrs::Attrs;
use crate::check::Checker;
use crate::layout::{Declared, Member, lay_out};
use crate::scope::{Binding, Tag, similar_name};
use crate::types::{
    ArrayLen, DataModel, Enum, EnumId, Field, FloatKind, IntKind, QualType, Quals, Record, RecordDef,
    RecordId, RecordKind, TypeId, TypeKind,
};
use braid_base::{Diagnostic, HashMap, Span, Symbol};
use braid_syntax::ast::{self, BasicType, TypeSpec};

/// Declaration specifiers, understood.
pub(crate) struct Specs {
    pub ty: QualType,
    /// Alignment that a typedef brings along.
    pub align: Option<u64>,
    pub attrs: Attrs,
    /// `__auto_type`: the type comes from the initialiser.
    pub is_auto: bool,
}

impl Checker<'_> {
    /// `lone`: the declaration has no declarators, so `struct s;` declares a new tag here.
    pub fn specs(&mut self, specs: &ast::DeclSpecs, lone: bool) -> Specs {
        let attrs = self.spec_attrs(specs);
        let mut align = None;
        let mut is_auto = false;
        let base = match &specs.ty {
            TypeSpec::Basic(basic) => QualType::plain(self.basic_type(*basic)),
            TypeSpec::Implicit => {
                self.warn("implicit-int", specs.span, "type specifier missing, 'int' is assumed");
                QualType::plain(self.common.int)
            }
            TypeSpec::Typedef(name) => self.typedef_name(*name, specs.span, &mut align),
            TypeSpec::Record(spec) => QualType::plain(self.record_spec(spec, lone)),
            TypeSpec::Enum(spec) => QualType::plain(self.enum_spec(spec, lone)),
            TypeSpec::TypeofExpr(e) => self.typeof_expr(e),
            TypeSpec::TypeofType(name) => {
                let (ty, declared) = self.type_name(name);
                align = declared;
                self.without_atomic(ty)
            }
            TypeSpec::Atomic(name) => {
                let (ty, _) = self.type_name(name);
                if self.types.is_array(ty.ty) || self.types.is_function(ty.ty) {
                    let shown = self.types.show(ty);
                    self.error("bad-atomic", specs.span, format!("'_Atomic' applied to type '{shown}'"));
                    ty
                } else {
                    QualType { ty: ty.ty, quals: Quals { is_atomic: true, ..ty.quals } }
                }
            }
            TypeSpec::Auto => {
                is_auto = true;
                QualType::plain(self.common.int)
            }
        };
        let ty = self.types.qualify(base, specs.quals);
        let ty = self.apply_type_attrs(ty, &attrs, specs.span);
        Specs { ty, align, attrs, is_auto }
    }

    /// A type name with the alignment its typedef may bring along.
    pub fn type_name(&mut self, name: &ast::TypeName) -> (QualType, Option<u64>) {
        let specs = self.specs(&name.specs, false);
        if specs.is_auto {
            self.error(
                "bad-auto-type",
                name.span,
                "'__auto_type' needs an initialiser to take its type from",
            );
            return (self.error_type(), None);
        }
        let ty = self.build_type(specs.ty, &name.declarator.parts, name.span);
        let align = if name.declarator.parts.is_empty() { specs.align } else { None };
        (ty, align)
    }

    /// `typeof` of an atomic type drops all qualifiers, as GCC does for the sake of `<stdatomic.h>`.
    fn without_atomic(&self, ty: QualType) -> QualType {
        if ty.quals.is_atomic { QualType::plain(ty.ty) } else { ty }
    }

    fn typeof_expr(&mut self, e: &ast::Expr) -> QualType {
        let errors = self.diags.error_count();
        self.unevaluated += 1;
        let value = self.expr(e);
        self.unevaluated -= 1;
        let ty = value.ty;
        // The operand of a variably modified type is evaluated, for its effects.
        if self.types.is_variably_modified(ty.ty) && self.diags.error_count() == errors && self.func.is_some()
        {
            let value = self.expr(e);
            if has_effects(&value) {
                let value = self.value_of(value);
                let effect = self.convert(value, self.common.void);
                self.vla_sets.push(effect);
            }
        }
        self.without_atomic(ty)
    }

    fn typedef_name(&mut self, name: Symbol, span: Span, align: &mut Option<u64>) -> QualType {
        match self.scopes.ordinary.get(name) {
            Some(Binding::Typedef { ty, align: declared, .. }) => {
                *align = *declared;
                *ty
            }
            Some(Binding::Error) => self.error_type(),
            _ => {
                let similar = similar_name(name.as_str(), self.scopes.ordinary.names());
                let mut diagnostic =
                    Diagnostic::error("unknown-type", span, format!("unknown type name '{name}'"));
                if let Some(similar) = similar {
                    diagnostic = diagnostic.note(format!("did you mean '{similar}'?"));
                }
                self.report(diagnostic);
                self.error_type()
            }
        }
    }

    pub fn basic_type(&mut self, basic: BasicType) -> TypeId {
        let kind = match basic {
            BasicType::Void => TypeKind::Void,
            BasicType::Bool => TypeKind::Bool,
            BasicType::Char => TypeKind::Int(IntKind::Char),
            BasicType::SChar => TypeKind::Int(IntKind::SChar),
            BasicType::UChar => TypeKind::Int(IntKind::UChar),
            BasicType::Short => TypeKind::Int(IntKind::Short),
            BasicType::UShort => TypeKind::Int(IntKind::UShort),
            BasicType::Int => TypeKind::Int(IntKind::Int),
            BasicType::UInt => TypeKind::Int(IntKind::UInt),
            BasicType::Long => TypeKind::Int(IntKind::Long),
            BasicType::ULong => TypeKind::Int(IntKind::ULong),
            BasicType::LongLong => TypeKind::Int(IntKind::LongLong),
            BasicType::ULongLong => TypeKind::Int(IntKind::ULongLong),
            BasicType::Int128 => TypeKind::Int(IntKind::Int128),
            BasicType::UInt128 => TypeKind::Int(IntKind::UInt128),
            BasicType::Float => TypeKind::Float(FloatKind::Float),
            BasicType::Double => TypeKind::Float(FloatKind::Double),
            BasicType::LongDouble => TypeKind::Float(FloatKind::LongDouble),
            BasicType::Float128 => {
                TypeKind::Unsupported { name: Symbol::intern("_Float128"), size: 16, align: 16 }
            }
            // The base type is not kept by the parser; `double _Complex` is by far the commonest.
            BasicType::Complex => {
                TypeKind::Unsupported { name: Symbol::intern("_Complex"), size: 16, align: 8 }
            }
            BasicType::VaList => return self.va_list_type(),
        };
        self.types.intern(kind)
    }

    /// `__builtin_va_list`: an array of one tag record on x86-64, a plain pointer on i386.
    fn va_list_type(&mut self) -> TypeId {
        if let Some(ty) = self.types.va_list {
            return ty;
        }
        let ty = match self.types.model {
            DataModel::Ilp32 => self.types.pointer_to(QualType::plain(self.common.char)),
            DataModel::Lp64 => {
                let member = |name: &str, ty: TypeId, offset| Field {
                    name: Some(Symbol::intern(name)),
                    ty: QualType::plain(ty),
                    offset,
                    bits: None,
                    span: Span::NONE,
                };
                let fields = vec![
                    member("gp_offset", self.common.uint, 0),
                    member("fp_offset", self.common.uint, 4),
                    member("overflow_arg_area", self.common.void_ptr, 8),
                    member("reg_save_area", self.common.void_ptr, 16),
                ];
                let record = self.types.records.push(Record {
                    kind: RecordKind::Struct,
                    tag: Some(Symbol::intern("__va_list_tag")),
                    span: Span::NONE,
                    def: Some(RecordDef { fields, size: 24, align: 8, flexible: false }),
                });
                let elem = QualType::plain(self.types.intern(TypeKind::Record(record)));
                self.types.intern(TypeKind::Array { elem, len: ArrayLen::Known(1) })
            }
        };
        self.types.va_list = Some(ty);
        ty
    }

    // Structs and unions

    pub fn record_spec(&mut self, spec: &ast::RecordSpec, lone: bool) -> TypeId {
        let id = self.record_tag(spec, lone);
        if let Some(members) = &spec.members {
            self.define_record(id, spec, members);
        }
        self.types.intern(TypeKind::Record(id))
    }

    /// Finds or makes the record that `struct tag` means here.
    fn record_tag(&mut self, spec: &ast::RecordSpec, lone: bool) -> RecordId {
        let Some((tag, tag_span)) = spec.tag else { return self.new_record(spec, None) };
        let own_scope = spec.members.is_some() || lone;
        let found = if own_scope { self.scopes.tag_here(tag) } else { self.scopes.tags.get(tag).copied() };
        match found {
            Some(Tag::Record(id)) if self.types.records[id].kind == spec.kind => {
                if spec.members.is_none() || self.types.records[id].def.is_none() {
                    return id;
                }
                let previous = self.types.records[id].span;
                self.redefined_tag(tag, tag_span, previous);
                self.new_record(spec, Some(tag))
            }
            Some(Tag::Record(id)) => {
                let previous = self.types.records[id].span;
                self.wrong_tag(tag, tag_span, previous);
                self.new_record(spec, None)
            }
            Some(Tag::Enum(id)) => {
                let previous = self.types.enums[id].span;
                self.wrong_tag(tag, tag_span, previous);
                self.new_record(spec, None)
            }
            None => {
                let id = self.new_record(spec, Some(tag));
                self.scopes.bind_tag(tag, Tag::Record(id));
                id
            }
        }
    }

    fn new_record(&mut self, spec: &ast::RecordSpec, tag: Option<Symbol>) -> RecordId {
        let span = spec.tag.map_or(spec.span, |(_, span)| span);
        self.types.records.push(Record { kind: spec.kind, tag, span, def: None })
    }

    fn redefined_tag(&mut self, tag: Symbol, span: Span, previous: Span) {
        self.report(
            Diagnostic::error("redefinition", span, format!("redefinition of '{tag}'"))
                .note_at(previous, "previous definition is here"),
        );
    }

    fn wrong_tag(&mut self, tag: Symbol, span: Span, previous: Span) {
        self.report(
            Diagnostic::error("wrong-tag", span, format!("'{tag}' was declared as a different kind of tag"))
                .note_at(previous, "previous declaration is here"),
        );
    }

    fn define_record(&mut self, id: RecordId, spec: &ast::RecordSpec, members: &[ast::MemberDecl]) {
        let attrs = self.attrs(&[&spec.attrs]);
        let mut list = Vec::new();
        for member in members {
            match member {
                ast::MemberDecl::Fields(decl) => self.field_decl(decl, &mut list),
                ast::MemberDecl::StaticAssert(claim) => self.static_assert(claim),
            }
        }
        self.check_members(&mut list, spec.kind);
        let declared = Declared {
            kind: spec.kind,
            members: list,
            packed: attrs.packed,
            align: attrs.aligned,
            pack: attrs.pragma_pack,
        };
        let def = lay_out(self.types, &declared);
        let mut def = def;
        if def.size >= self.types.model.size_limit() {
            self.error("type-too-large", spec.span, "the size of this type exceeds the address space");
            def.size = 0;
        }
        if let Some(field) = def.fields.iter().find(|f| f.bits.is_some_and(|b| b.unit_bytes > 16)) {
            let span = field.span;
            self.error(
                "bit-field",
                span,
                "a bit-field that spreads over more than 16 bytes is not supported",
            );
        }
        if attrs.transparent_union {
            self.transparent.insert(id);
        }
        self.types.records[id].def = Some(def);
        if let Some((_, span)) = spec.tag {
            self.types.records[id].span = span;
        }
    }

    fn field_decl(&mut self, decl: &ast::FieldDecl, out: &mut Vec<Member>) {
        let specs = self.specs(&decl.specs, decl.declarators.is_empty());
        let attrs = &specs.attrs;
        if decl.declarators.is_empty() {
            let anonymous = matches!(&decl.specs.ty, TypeSpec::Record(r) if r.tag.is_none() && r.members.is_some())
                || matches!(&decl.specs.ty, TypeSpec::Typedef(_) if self.types.is_record(specs.ty.ty));
            if anonymous {
                out.push(Member {
                    name: None,
                    ty: specs.ty,
                    width: None,
                    packed: attrs.packed,
                    align: attrs.aligned,
                    type_align: specs.align,
                    span: decl.span,
                });
            }
            return;
        }
        for declarator in &decl.declarators {
            self.field(&specs, declarator, out);
        }
    }

    fn field(&mut self, specs: &Specs, field: &ast::FieldDeclarator, out: &mut Vec<Member>) {
        let own = self.attrs(&[&field.declarator.attrs, &field.attrs]);
        let base = self.apply_type_attrs(specs.ty, &own, field.declarator.span);
        let span = field.declarator.name.map_or(field.declarator.span, |(_, span)| span);
        let mut ty = self.build_type(base, &field.declarator.parts, span);
        let name = field.declarator.name.map(|(name, _)| name);
        if self.types.is_function(ty.ty) || self.types.is_variably_modified(ty.ty) {
            let shown = self.types.show(ty);
            self.error("bad-member", span, format!("a member cannot have type '{shown}'"));
            ty = self.error_type();
        }
        let width = field.width.as_ref().map(|w| self.bit_field_width(w, ty, name, span));
        if width.is_some() && !self.types.is_integer(ty.ty) {
            ty = QualType::plain(self.common.int);
        }
        out.push(Member {
            name,
            ty,
            width,
            packed: specs.attrs.packed || own.packed,
            align: specs.attrs.aligned.max(own.aligned),
            type_align: if field.declarator.parts.is_empty() { specs.align } else { None },
            span,
        });
    }

    fn bit_field_width(&mut self, width: &ast::Expr, ty: QualType, name: Option<Symbol>, span: Span) -> u64 {
        let value = self.rvalue(width);
        let shown = name.map_or("anonymous bit-field".to_owned(), |n| format!("bit-field '{n}'"));
        if self.types.is_error(ty.ty) {
            return 1;
        }
        if !self.types.is_integer(ty.ty) {
            let ty = self.types.show(ty);
            self.error("bit-field", span, format!("{shown} has type '{ty}', not an integer type"));
            return 1;
        }
        let Some(width) = self.require_int(&value, &format!("width of {shown}")) else { return 1 };
        let limit = if self.types.is_bool(ty.ty) { 1 } else { i128::from(self.types.bits(ty.ty)) };
        let problem = if width < 0 {
            "is negative"
        } else if width > limit {
            "exceeds its type"
        } else if width == 0 && name.is_some() {
            "is zero"
        } else {
            return width as u64;
        };
        self.error("bit-field", value.span, format!("width of {shown} {problem}"));
        1
    }

    /// Completeness, flexible arrays in last place only, and no name twice.
    fn check_members(&mut self, members: &mut [Member], kind: RecordKind) {
        let mut seen: HashMap<Symbol, Span> = HashMap::default();
        let last = members.len().saturating_sub(1);
        for (i, member) in members.iter_mut().enumerate() {
            let flexible = self
                .types
                .element(member.ty.ty)
                .is_some_and(|(elem, len)| len == ArrayLen::Unknown && self.types.is_complete(elem.ty));
            if flexible && kind == RecordKind::Struct && i != last {
                self.error(
                    "flexible-array",
                    member.span,
                    "a flexible array member must come last in its struct",
                );
                member.ty = self.error_type();
            } else if !flexible && !self.types.is_complete(member.ty.ty) {
                let shown = self.types.show(member.ty);
                self.error("incomplete-type", member.span, format!("member has incomplete type '{shown}'"));
                member.ty = self.error_type();
            }
            let mut names = Vec::new();
            match (member.name, self.types.record_of(member.ty.ty)) {
                (Some(name), _) => names.push((name, member.span)),
                (None, Some(inner)) if member.width.is_none() => self.member_names(inner, &mut names),
                (None, _) => {}
            }
            for (name, span) in names {
                if let Some(previous) = seen.insert(name, span) {
                    self.report(
                        Diagnostic::error("duplicate-member", span, format!("duplicate member '{name}'"))
                            .note_at(previous, "the first one is here"),
                    );
                }
            }
        }
    }

    /// Names of the members of a record, those of anonymous records inside included.
    pub fn member_names(&self, record: RecordId, out: &mut Vec<(Symbol, Span)>) {
        let Some(def) = &self.types.records[record].def else { return };
        for field in &def.fields {
            match (field.name, self.types.record_of(field.ty.ty)) {
                (Some(name), _) => out.push((name, field.span)),
                (None, Some(inner)) => self.member_names(inner, out),
                (None, None) => {}
            }
        }
    }

    // Enums

    pub fn enum_spec(&mut self, spec: &ast::EnumSpec, lone: bool) -> TypeId {
        let id = self.enum_tag(spec, lone);
        if let Some(enumerators) = &spec.enumerators {
            self.define_enum(id, spec, enumerators);
        }
        self.types.intern(TypeKind::Enum(id))
    }

    fn enum_tag(&mut self, spec: &ast::EnumSpec, lone: bool) -> EnumId {
        let span = spec.tag.map_or(spec.span, |(_, span)| span);
        let new = |this: &mut Self, tag| this.types.enums.push(Enum { tag, span, int: None });
        let Some((tag, tag_span)) = spec.tag else { return new(self, None) };
        let own_scope = spec.enumerators.is_some() || lone;
        let found = if own_scope { self.scopes.tag_here(tag) } else { self.scopes.tags.get(tag).copied() };
        match found {
            Some(Tag::Enum(id)) => {
                if spec.enumerators.is_none() || self.types.enums[id].int.is_none() {
                    return id;
                }
                let previous = self.types.enums[id].span;
                self.redefined_tag(tag, tag_span, previous);
                new(self, Some(tag))
            }
            Some(Tag::Record(id)) => {
                let previous = self.types.records[id].span;
                self.wrong_tag(tag, tag_span, previous);
                new(self, None)
            }
            None => {
                let id = new(self, Some(tag));
                self.scopes.bind_tag(tag, Tag::Enum(id));
                id
            }
        }
    }

    fn define_enum(&mut self, id: EnumId, spec: &ast::EnumSpec, enumerators: &[ast::Enumerator]) {
        let attrs = self.attrs(&[&spec.attrs]);
        let mut values: Vec<(Symbol, i128, Span)> = Vec::new();
        let mut next: i128 = 0;
        for enumerator in enumerators {
            if let Some(e) = &enumerator.value {
                let value = self.rvalue(e);
                let what = format!("value of enumerator '{}'", enumerator.name);
                next = self.require_int(&value, &what).unwrap_or(next);
            }
            if next > i128::from(u64::MAX) || next < i128::from(i64::MIN) {
                self.error(
                    "enumerator-range",
                    enumerator.span,
                    "enumerator value does not fit any integer type",
                );
                next = 0;
            }
            // Later enumerators may use this one before the enum has its type.
            let ty = self.enumerator_type(next, self.common.longlong);
            self.bind_enumerator(enumerator.name, next, ty, enumerator.span);
            values.push((enumerator.name, next, enumerator.span));
            next += 1;
        }
        let kind = self.enum_kind(&values, attrs.packed);
        self.types.enums[id].int = Some(kind);
        let wide = self.types.int(kind);
        for (name, value, span) in values {
            if i32::try_from(value).is_err() {
                let wrapped = self.types.wrap(wide, value as u128);
                self.scopes.bind(name, Binding::EnumConst { value: wrapped, ty: wide, span });
            }
        }
    }

    fn enumerator_type(&self, value: i128, wide: TypeId) -> TypeId {
        if i32::try_from(value).is_ok() {
            self.common.int
        } else if u32::try_from(value).is_ok() {
            self.common.uint
        } else if i64::try_from(value).is_ok() {
            wide
        } else {
            self.common.ulonglong
        }
    }

    fn bind_enumerator(&mut self, name: Symbol, value: i128, ty: TypeId, span: Span) {
        if let Some(previous) = self.scopes.here(name).cloned() {
            let previous = self.binding_span(&previous);
            let text = format!("redefinition of '{name}'");
            let mut diagnostic = Diagnostic::error("redefinition", span, text);
            if let Some(previous) = previous {
                diagnostic = diagnostic.note_at(previous, "previous definition is here");
            }
            self.report(diagnostic);
        }
        let value = self.types.wrap(ty, value as u128);
        self.scopes.bind(name, Binding::EnumConst { value, ty, span });
    }

    /// GCC's choice: `unsigned int` unless a value is negative, wider if needed, smallest if packed.
    fn enum_kind(&self, values: &[(Symbol, i128, Span)], packed: bool) -> IntKind {
        let min = values.iter().map(|v| v.1).min().unwrap_or(0);
        let max = values.iter().map(|v| v.1).max().unwrap_or(0);
        let signed = min < 0;
        let fits = |bits: u32| {
            if signed {
                min >= -(1i128 << (bits - 1)) && max < 1i128 << (bits - 1)
            } else {
                max < 1i128 << bits
            }
        };
        let pick = |s, u| if signed { s } else { u };
        if packed && fits(8) {
            pick(IntKind::SChar, IntKind::UChar)
        } else if packed && fits(16) {
            pick(IntKind::Short, IntKind::UShort)
        } else if fits(32) {
            pick(IntKind::Int, IntKind::UInt)
        } else if self.types.model == DataModel::Lp64 {
            pick(IntKind::Long, IntKind::ULong)
        } else {
            pick(IntKind::LongLong, IntKind::ULongLong)
        }
    }
}

/// Whether evaluating the expression can do more than yield a value.
pub(crate) fn has_effects(e: &crate::hir::Expr) -> bool {
    use crate::hir::ExprKind;
    match &e.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Local(_)
        | ExprKind::Entity(_)
        | ExprKind::Str(_) => false,
        ExprKind::Deref(inner)
        | ExprKind::Load(inner)
        | ExprKind::Decay(inner)
        | ExprKind::AddrOf(inner)
        | ExprKind::LogNot(inner) => has_effects(inner),
        ExprKind::Member { base, .. } => has_effects(base),
        ExprKind::Cast { operand, .. } | ExprKind::Unary { operand, .. } => has_effects(operand),
        ExprKind::Binary { lhs, rhs, .. } | ExprKind::Compare { lhs, rhs, .. } => {
            has_effects(lhs) || has_effects(rhs)
        }
        ExprKind::LogAnd(lhs, rhs) | ExprKind::LogOr(lhs, rhs) => has_effects(lhs) || has_effects(rhs),
        ExprKind::PtrAdd { ptr, index, .. } => has_effects(ptr) || has_effects(index),
        ExprKind::PtrDiff { lhs, rhs, .. } => has_effects(lhs) || has_effects(rhs),
        ExprKind::Cond { cond, then, other } => has_effects(cond) || has_effects(then) || has_effects(other),
        ExprKind::CompoundLiteral { .. }
        | ExprKind::CondOmitted { .. }
        | ExprKind::Comma(..)
        | ExprKind::Assign { .. }
        | ExprKind::AssignOp(_)
        | ExprKind::AssignPtr { .. }
        | ExprKind::Call { .. }
        | ExprKind::Builtin { .. }
        | ExprKind::VaArg { .. }
        | ExprKind::StmtExpr { .. }
        | ExprKind::SetVlaLen { .. }
        | ExprKind::Unsupported(_) => true,
    }
}
