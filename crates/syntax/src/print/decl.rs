//! Declarations, specifiers, declarators, initialisers.

use super::Printer;
use crate::ast::*;

impl Printer<'_> {
    pub(super) fn declaration(&mut self, declaration: &Declaration) {
        self.specs(&declaration.specs);
        self.list(&declaration.declarators, |p, d| {
            p.declarator(&d.declarator);
            if let Some(label) = d.asm_label {
                p.word("__asm__(");
                p.string_bytes(label.as_str().bytes().map(u32::from), "");
                p.push(")");
            }
            p.attributes(&d.attrs);
            if let Some(init) = &d.init {
                p.push(" = ");
                p.initializer(init);
            }
        });
        self.push(";");
    }

    pub(super) fn function(&mut self, function: &FunctionDef) {
        // Attributes behind the declarator of a definition are moved in front, where gcc takes them.
        self.specs_with(&function.specs, &function.attrs);
        self.declarator(&function.declarator);
        for params in &function.old_style_params {
            self.new_line();
            self.declaration(params);
        }
        self.new_line();
        self.block(&function.body);
    }

    pub(super) fn static_assert(&mut self, assertion: &StaticAssert) {
        self.push("_Static_assert(");
        self.expr(&assertion.cond, super::expr::ASSIGNMENT);
        if let Some(message) = &assertion.message {
            self.push(", ");
            self.string_bytes(message.bytes().map(u32::from), "");
        }
        self.push(");");
    }

    fn specs(&mut self, specs: &DeclSpecs) {
        self.specs_with(specs, &[]);
    }

    fn specs_with(&mut self, specs: &DeclSpecs, more_attrs: &[Attribute]) {
        match specs.storage {
            Some(StorageClass::Typedef) => self.word("typedef"),
            Some(StorageClass::Extern) => self.word("extern"),
            Some(StorageClass::Static) => self.word("static"),
            Some(StorageClass::Auto) => self.word("auto"),
            Some(StorageClass::Register) => self.word("register"),
            None => {}
        }
        let flags =
            [(specs.thread_local, "__thread"), (specs.inline, "__inline__"), (specs.noreturn, "_Noreturn")];
        for (_, text) in flags.iter().filter(|(on, _)| *on) {
            self.word(text);
        }
        for alignas in &specs.alignas {
            self.word("_Alignas(");
            match alignas {
                Alignas::Type(ty) => self.type_name(ty),
                Alignas::Expr(expr) => self.expr(expr, super::expr::CONDITIONAL),
            }
            self.push(")");
        }
        self.quals(specs.quals);
        self.attributes(&specs.attrs);
        self.attributes(more_attrs);
        self.type_spec(&specs.ty);
    }

    fn quals(&mut self, quals: Quals) {
        let words = [
            (quals.is_const, "const"),
            (quals.is_volatile, "volatile"),
            (quals.is_restrict, "__restrict"),
            (quals.is_atomic, "_Atomic"),
        ];
        for (_, text) in words.iter().filter(|(on, _)| *on) {
            self.word(text);
        }
    }

    fn type_spec(&mut self, ty: &TypeSpec) {
        match ty {
            TypeSpec::Basic(basic) => self.word(basic_type(*basic)),
            TypeSpec::Implicit => {}
            TypeSpec::Typedef(name) => self.word(name.as_str()),
            TypeSpec::Record(record) => self.record(record),
            TypeSpec::Enum(spec) => self.enumeration(spec),
            TypeSpec::TypeofExpr(expr) => {
                self.word("__typeof__(");
                self.expr(expr, super::expr::COMMA);
                self.push(")");
            }
            TypeSpec::TypeofType(ty) => {
                self.word("__typeof__(");
                self.type_name(ty);
                self.push(")");
            }
            TypeSpec::Atomic(ty) => {
                self.word("_Atomic(");
                self.type_name(ty);
                self.push(")");
            }
            TypeSpec::Auto => self.word("__auto_type"),
        }
    }

    fn record(&mut self, record: &RecordSpec) {
        self.word(match record.kind {
            RecordKind::Struct => "struct",
            RecordKind::Union => "union",
        });
        self.attributes(&record.attrs);
        if let Some((tag, _)) = record.tag {
            self.word(tag.as_str());
        }
        let Some(members) = &record.members else { return };
        self.push(" {");
        self.indent += 1;
        for member in members {
            self.new_line();
            match member {
                MemberDecl::Fields(fields) => self.fields(fields),
                MemberDecl::StaticAssert(assertion) => self.static_assert(assertion),
            }
        }
        self.indent -= 1;
        self.new_line();
        self.push("}");
    }

    fn fields(&mut self, fields: &FieldDecl) {
        self.specs(&fields.specs);
        self.list(&fields.declarators, |p, field| {
            p.declarator(&field.declarator);
            if let Some(width) = &field.width {
                p.push(" : ");
                p.expr(width, super::expr::CONDITIONAL);
            }
            p.attributes(&field.attrs);
        });
        self.push(";");
    }

    fn enumeration(&mut self, spec: &EnumSpec) {
        self.word("enum");
        self.attributes(&spec.attrs);
        if let Some((tag, _)) = spec.tag {
            self.word(tag.as_str());
        }
        let Some(enumerators) = &spec.enumerators else { return };
        self.push(" { ");
        self.list(enumerators, |p, enumerator| {
            p.push(enumerator.name.as_str());
            if let Some(value) = &enumerator.value {
                p.push(" = ");
                p.expr(value, super::expr::CONDITIONAL);
            }
        });
        self.push(" }");
    }

    pub(super) fn attributes(&mut self, attrs: &[Attribute]) {
        for attr in attrs {
            // Words that gcc knows as keywords are spelled so that both name the attribute.
            self.word("__attribute__((__");
            self.push(attr.name.as_str());
            self.push("__");
            if !attr.args.is_empty() {
                self.push("(");
                self.list(&attr.args, |p, arg| p.expr(arg, super::expr::ASSIGNMENT));
                self.push(")");
            }
            self.push("))");
        }
    }

    pub(super) fn type_name(&mut self, ty: &TypeName) {
        self.specs(&ty.specs);
        self.declarator(&ty.declarator);
    }

    /// Pointers are written in front of what they apply to, arrays and functions behind it; where a
    /// suffix follows a pointer the part between needs parentheses.
    pub(super) fn declarator(&mut self, declarator: &Declarator) {
        let mut prefixes: Vec<(&DeclaratorPart, bool)> = Vec::new();
        let mut after_pointer = false;
        for part in &declarator.parts {
            match part {
                DeclaratorPart::Pointer { .. } => {
                    prefixes.push((part, false));
                    after_pointer = true;
                }
                DeclaratorPart::Array { .. } | DeclaratorPart::Function(_) if after_pointer => {
                    if let Some((_, grouped)) = prefixes.last_mut() {
                        *grouped = true;
                    }
                    after_pointer = false;
                }
                DeclaratorPart::Array { .. } | DeclaratorPart::Function(_) => {}
            }
        }
        for (part, grouped) in prefixes.iter().rev() {
            let DeclaratorPart::Pointer { quals } = part else { continue };
            self.word(if *grouped { "(*" } else { "*" });
            self.quals(*quals);
        }
        self.declarator_name(declarator);
        self.declarator_suffixes(declarator);
    }

    /// Attributes inside a declarator stand behind a pointer or need a group of their own.
    fn declarator_name(&mut self, declarator: &Declarator) {
        let behind_pointer = matches!(declarator.parts.first(), Some(DeclaratorPart::Pointer { .. }));
        let group = !declarator.attrs.is_empty() && !behind_pointer && declarator.name.is_some();
        if group {
            self.word("(");
        }
        if group || behind_pointer {
            self.attributes(&declarator.attrs);
        }
        if let Some((name, _)) = declarator.name {
            self.word(name.as_str());
        }
        if group {
            self.push(")");
        }
    }

    fn declarator_suffixes(&mut self, declarator: &Declarator) {
        let mut after_pointer = false;
        for part in &declarator.parts {
            if after_pointer && !matches!(part, DeclaratorPart::Pointer { .. }) {
                self.push(")");
            }
            after_pointer = matches!(part, DeclaratorPart::Pointer { .. });
            match part {
                DeclaratorPart::Pointer { .. } => {}
                DeclaratorPart::Array { size, quals } => self.array_suffix(size, *quals),
                DeclaratorPart::Function(params) => self.params(params),
            }
        }
    }

    fn array_suffix(&mut self, size: &ArraySize, quals: Quals) {
        self.push("[");
        self.quals(quals);
        match size {
            ArraySize::Unknown => {}
            ArraySize::Star => self.word("*"),
            ArraySize::Expr(expr) => {
                if quals != Quals::default() {
                    self.push(" ");
                }
                self.expr(expr, super::expr::ASSIGNMENT);
            }
        }
        self.push("]");
    }

    fn params(&mut self, params: &Params) {
        self.push("(");
        match params {
            Params::Unspecified => {}
            Params::Identifiers(names) => self.list(names, |p, (name, _)| p.push(name.as_str())),
            Params::Prototype { params, variadic: false } if params.is_empty() => self.push("void"),
            Params::Prototype { params, variadic } => {
                self.list(params, |p, param| {
                    p.specs(&param.specs);
                    p.declarator(&param.declarator);
                    p.attributes(&param.attrs);
                });
                match (variadic, params.is_empty()) {
                    (true, true) => self.push("..."),
                    (true, false) => self.push(", ..."),
                    (false, _) => {}
                }
            }
        }
        self.push(")");
    }

    pub(super) fn initializer(&mut self, init: &Initializer) {
        match init {
            Initializer::Expr(expr) => self.expr(expr, super::expr::ASSIGNMENT),
            Initializer::List(list) => self.init_list(list),
        }
    }

    pub(super) fn init_list(&mut self, list: &InitList) {
        self.push("{");
        self.list(&list.items, |p, item| {
            p.designators(&item.designators);
            if !item.designators.is_empty() {
                p.push(" = ");
            }
            p.initializer(&item.init);
        });
        self.push("}");
    }

    pub(super) fn designators(&mut self, designators: &[Designator]) {
        for designator in designators {
            match designator {
                Designator::Field(name, _) => {
                    self.push(".");
                    self.push(name.as_str());
                }
                Designator::Index(index) => {
                    self.push("[");
                    self.expr(index, super::expr::CONDITIONAL);
                    self.push("]");
                }
                Designator::Range(first, last) => {
                    self.push("[");
                    self.expr(first, super::expr::CONDITIONAL);
                    self.push(" ... ");
                    self.expr(last, super::expr::CONDITIONAL);
                    self.push("]");
                }
            }
        }
    }
}

fn basic_type(basic: BasicType) -> &'static str {
    match basic {
        BasicType::Void => "void",
        BasicType::Bool => "_Bool",
        BasicType::Char => "char",
        BasicType::SChar => "signed char",
        BasicType::UChar => "unsigned char",
        BasicType::Short => "short",
        BasicType::UShort => "unsigned short",
        BasicType::Int => "int",
        BasicType::UInt => "unsigned int",
        BasicType::Long => "long",
        BasicType::ULong => "unsigned long",
        BasicType::LongLong => "long long",
        BasicType::ULongLong => "unsigned long long",
        BasicType::Int128 => "__int128",
        BasicType::UInt128 => "unsigned __int128",
        BasicType::Float => "float",
        BasicType::Double => "double",
        BasicType::LongDouble => "long double",
        BasicType::Float128 => "_Float128",
        BasicType::Complex => "_Complex double",
        BasicType::VaList => "__builtin_va_list",
    }
}
