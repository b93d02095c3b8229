//! Declarations: file scope and blocks, linkage, redeclarations, objects and their storage.
//!
//! An entity (anything with static storage, and every function) is known by its source name in
//! `linked` as long as it has linkage; declarations merge into it. Locals live in the function.
//! Function definitions are in `function`, initialisers in `init`.

use crate::attrs::Attrs;
use crate::check::Checker;
use crate::hir::{
    Entity, EntityAttrs, EntityId, EntityKind, ExprKind, Init, Linkage, LocalId, StaticInit, Stmt, StmtKind,
};
use crate::scope::Binding;
use crate::spec::Specs;
use crate::types::{ArrayLen, QualType, TypeKind};
use braid_base::{Diagnostic, Span, Symbol};
use braid_syntax::ast::{self, StorageClass};

/// A declaration of something with linkage.
pub(crate) struct EntityDecl {
    pub name: Symbol,
    pub span: Span,
    pub ty: QualType,
    pub storage: Option<StorageClass>,
    pub thread_local: bool,
    pub inline: bool,
    pub asm_label: Option<Symbol>,
    pub align: Option<u64>,
    pub defines: bool,
}

impl Checker<'_> {
    pub fn item(&mut self, item: &ast::Item) {
        match item {
            ast::Item::Declaration(decl) => self.declaration(decl, &mut Vec::new()),
            ast::Item::Function(def) => self.function_def(def),
            ast::Item::StaticAssert(assert) => self.static_assert(assert),
            ast::Item::Asm(span) => {
                self.warn("file-scope-asm", *span, "assembly at file scope is ignored");
            }
        }
    }

    pub fn static_assert(&mut self, assert: &ast::StaticAssert) {
        let cond = self.rvalue(&assert.cond);
        if self.require_int(&cond, "static assertion") == Some(0) {
            let message = match &assert.message {
                Some(text) => format!("static assertion failed: \"{text}\""),
                None => "static assertion failed".to_owned(),
            };
            self.error("static-assert", assert.span, message);
        }
    }

    /// A declaration at file or block scope; statements of the latter go to `out`.
    pub fn declaration(&mut self, decl: &ast::Declaration, out: &mut Vec<Stmt>) {
        let outer = std::mem::take(&mut self.vla_sets);
        let specs = self.specs(&decl.specs, decl.declarators.is_empty());
        if decl.declarators.is_empty() {
            self.check_lone(decl);
        }
        for declarator in &decl.declarators {
            self.init_declarator(&decl.specs, &specs, declarator, out);
        }
        self.emit_vla_sets(decl.span, out);
        self.vla_sets = outer;
    }

    /// A declaration without declarators must at least declare a tag.
    fn check_lone(&mut self, decl: &ast::Declaration) {
        let declares = match &decl.specs.ty {
            ast::TypeSpec::Record(spec) => spec.tag.is_some(),
            ast::TypeSpec::Enum(_) => true,
            _ => false,
        };
        if !declares {
            self.warn("useless-declaration", decl.span, "this declaration declares nothing");
        }
    }

    fn emit_vla_sets(&mut self, span: Span, out: &mut Vec<Stmt>) {
        for set in self.vla_sets.drain(..) {
            out.push(Stmt { kind: StmtKind::Expr(set), span });
        }
    }

    fn init_declarator(
        &mut self,
        ast_specs: &ast::DeclSpecs,
        specs: &Specs,
        declarator: &ast::InitDeclarator,
        out: &mut Vec<Stmt>,
    ) {
        let Some((name, span)) = declarator.declarator.name else {
            self.error("unnamed-declarator", declarator.declarator.span, "this declaration has no name");
            return;
        };
        let own = self.attrs(&[&declarator.declarator.attrs, &declarator.attrs]);
        let attrs = merge_attrs(&specs.attrs, &own);
        if specs.is_auto {
            return self.auto_typed(ast_specs, declarator, name, span, &attrs, out);
        }
        let base = self.apply_type_attrs(specs.ty, &own, span);
        let ty = self.build_type(base, &declarator.declarator.parts, span);
        self.emit_vla_sets(span, out);
        let typedef_align = if declarator.declarator.parts.is_empty() { specs.align } else { None };
        let align = attrs.aligned.max(typedef_align);
        let decl = EntityDecl {
            name,
            span,
            ty,
            storage: ast_specs.storage,
            thread_local: ast_specs.thread_local,
            inline: ast_specs.inline,
            asm_label: declarator.asm_label,
            align,
            defines: false,
        };
        if ast_specs.storage == Some(StorageClass::Typedef) {
            return self.typedef(&decl, &attrs);
        }
        if self.types.is_function(ty.ty) {
            return self.function_decl(&decl, &attrs, declarator.init.is_some());
        }
        if ast_specs.inline && !self.types.is_error(ty.ty) {
            self.error("bad-inline", span, format!("variable '{name}' declared 'inline'"));
        }
        if self.scopes.at_file_scope() || ast_specs.storage == Some(StorageClass::Extern) {
            self.linked_variable(decl, &attrs, declarator.init.as_ref());
        } else if ast_specs.storage == Some(StorageClass::Static) || ast_specs.thread_local {
            self.static_local(decl, &attrs, declarator.init.as_ref());
        } else {
            self.local_variable(decl, &attrs, declarator.init.as_ref(), out);
        }
    }

    /// `__auto_type x = e;`
    fn auto_typed(
        &mut self,
        ast_specs: &ast::DeclSpecs,
        declarator: &ast::InitDeclarator,
        name: Symbol,
        span: Span,
        attrs: &Attrs,
        out: &mut Vec<Stmt>,
    ) {
        let Some(ast::Initializer::Expr(e)) = &declarator.init else {
            self.error("bad-auto-type", span, "'__auto_type' needs an initialiser to take its type from");
            self.scopes.bind(name, Binding::Error);
            return;
        };
        if self.func.is_none() {
            self.error("bad-auto-type", span, "'__auto_type' at file scope is not supported");
            self.scopes.bind(name, Binding::Error);
            return;
        }
        let value = self.rvalue(e);
        self.emit_vla_sets(span, out);
        if self.types.is_void(value.ty.ty) {
            self.error("void-value", e.span, "this expression has no value (its type is 'void')");
        }
        let ty = self.types.qualify(value.ty, ast_specs.quals);
        let local = self.declare_local(name, ty, span, attrs);
        out.push(Stmt { kind: StmtKind::Decl { local, init: Some(Init::Expr(value)) }, span });
    }

    // Typedefs

    fn typedef(&mut self, decl: &EntityDecl, attrs: &Attrs) {
        if attrs.transparent_union {
            if let Some(id) = self.types.record_of(decl.ty.ty) {
                self.transparent.insert(id);
            }
        }
        let previous = self.scopes.here(decl.name).cloned();
        match previous {
            Some(Binding::Typedef { ty, span, .. }) => {
                let same = self.types.compatible_qual(ty, decl.ty);
                if !same {
                    let text = format!(
                        "conflicting types for typedef '{}': '{}', earlier '{}'",
                        decl.name,
                        self.types.show(decl.ty),
                        self.types.show(ty)
                    );
                    self.report(
                        Diagnostic::error("conflicting-types", decl.span, text)
                            .note_at(span, "previous declaration is here"),
                    );
                }
            }
            Some(other) => self.different_kind(decl.name, decl.span, &other),
            None => {}
        }
        let binding = Binding::Typedef { ty: decl.ty, align: decl.align, span: decl.span };
        self.scopes.bind(decl.name, binding);
    }

    pub fn binding_span(&self, binding: &Binding) -> Option<Span> {
        match binding {
            Binding::Typedef { span, .. } | Binding::EnumConst { span, .. } => Some(*span),
            Binding::Local(id) => self.func.as_ref().map(|f| f.locals[*id].span),
            Binding::Entity(id) => Some(self.entities[*id].span),
            Binding::Unsupported { .. } | Binding::Error => None,
        }
    }

    fn different_kind(&mut self, name: Symbol, span: Span, previous: &Binding) {
        if matches!(previous, Binding::Error) {
            return;
        }
        let text = format!("'{name}' redeclared as a different kind of symbol");
        let mut diagnostic = Diagnostic::error("redefinition", span, text);
        if let Some(previous) = self.binding_span(previous) {
            diagnostic = diagnostic.note_at(previous, "previous declaration is here");
        }
        self.report(diagnostic);
    }

    // Functions and objects with linkage

    fn function_decl(&mut self, decl: &EntityDecl, attrs: &Attrs, has_init: bool) {
        if has_init {
            self.error("bad-initialiser", decl.span, format!("function '{}' cannot have an initialiser", decl.name));
        }
        let block_static =
            !self.scopes.at_file_scope() && decl.storage == Some(StorageClass::Static);
        if block_static {
            self.error("bad-storage", decl.span, format!("function '{}' declared 'static' in a block", decl.name));
        }
        if self.scopes.here(decl.name).is_some_and(|b| matches!(b, Binding::Unsupported { .. })) {
            // A forward declaration of a nested function (`auto int f(int);`).
            return;
        }
        self.declare_entity(decl, attrs);
    }

    /// Declares or redeclares something with linkage, and binds its name here.
    pub fn declare_entity(&mut self, decl: &EntityDecl, attrs: &Attrs) -> EntityId {
        let here = self.scopes.here(decl.name).cloned();
        match here {
            None | Some(Binding::Entity(_)) => {}
            Some(other) => self.different_kind(decl.name, decl.span, &other),
        }
        let known = self.linked.get(&decl.name).copied();
        let id = match known {
            Some(id) => {
                self.redeclare(id, decl);
                id
            }
            None => self.first_declaration(decl),
        };
        self.merge_entity_attrs(id, decl, attrs);
        self.scopes.bind(decl.name, Binding::Entity(id));
        id
    }

    fn first_declaration(&mut self, decl: &EntityDecl) -> EntityId {
        let internal = decl.storage == Some(StorageClass::Static);
        let id = self.new_entity(
            Entity {
                name: decl.asm_label.map_or(decl.name, plain_label),
                linkage: if internal { Linkage::Internal } else { Linkage::External },
                ty: decl.ty,
                kind: EntityKind::Undefined,
                span: decl.span,
                used: false,
                thread_local: decl.thread_local,
                align: None,
                attrs: EntityAttrs::default(),
            },
            decl.name,
        );
        self.linked.insert(decl.name, id);
        id
    }

    fn redeclare(&mut self, id: EntityId, decl: &EntityDecl) {
        let previous = self.entities[id].span;
        self.merge_types(id, decl);
        let is_function = self.types.is_function(decl.ty.ty);
        let internal = self.entities[id].linkage == Linkage::Internal;
        let says_static = decl.storage == Some(StorageClass::Static);
        let says_plain = !is_function && decl.storage.is_none() && self.scopes.at_file_scope();
        let problem = if says_static && !internal {
            Some("static declaration of '{}' follows a non-static one")
        } else if says_plain && internal {
            Some("non-static declaration of '{}' follows a static one")
        } else if !is_function && self.entities[id].thread_local != decl.thread_local {
            Some("declarations of '{}' disagree on '_Thread_local'")
        } else {
            None
        };
        if let Some(problem) = problem {
            // GCC lets a call without declaration come before a static definition, with a warning.
            let text = problem.replace("{}", decl.name.as_str());
            let diagnostic = if self.info[id].implicit {
                self.entities[id].linkage = Linkage::Internal;
                Diagnostic::warning("linkage-mismatch", decl.span, text)
            } else {
                Diagnostic::error("linkage-mismatch", decl.span, text)
            };
            self.report(diagnostic.note_at(previous, "previous declaration is here"));
        }
        if let Some(label) = decl.asm_label {
            self.entities[id].name = plain_label(label);
        }
        if self.info[id].implicit {
            self.info[id].implicit = false;
            self.info[id].only_inline = true;
        }
    }

    fn merge_types(&mut self, id: EntityId, decl: &EntityDecl) {
        let old = self.entities[id].ty;
        if self.types.compatible_qual(old, decl.ty) {
            let ty = self.types.composite(old.ty, decl.ty.ty);
            self.entities[id].ty = QualType { ty, quals: old.quals };
            return;
        }
        let text = format!(
            "conflicting types for '{}': '{}', earlier '{}'",
            decl.name,
            self.types.show(decl.ty),
            self.types.show(old)
        );
        let was_implicit = self.info[id].implicit;
        let diagnostic = if was_implicit {
            Diagnostic::warning("conflicting-types", decl.span, text)
        } else {
            Diagnostic::error("conflicting-types", decl.span, text)
        };
        let note = if was_implicit { "it was used here without declaration" } else { "previous declaration is here" };
        let previous = self.entities[id].span;
        self.report(diagnostic.note_at(previous, note));
        self.entities[id].ty = decl.ty;
    }

    fn merge_entity_attrs(&mut self, id: EntityId, decl: &EntityDecl, attrs: &Attrs) {
        let at_file_scope = self.scopes.at_file_scope();
        let entity = &mut self.entities[id];
        entity.align = entity.align.max(decl.align);
        entity.attrs.noreturn |= attrs.noreturn;
        entity.attrs.weak |= attrs.weak;
        entity.attrs.constructor = attrs.constructor.or(entity.attrs.constructor);
        entity.attrs.destructor = attrs.destructor.or(entity.attrs.destructor);
        let info = &mut self.info[id];
        info.keep |= attrs.used;
        if at_file_scope {
            let is_extern = decl.storage == Some(StorageClass::Extern);
            // GNU's old rule turns the roles of `inline` and `extern inline` around.
            info.only_inline &= decl.inline && if attrs.gnu_inline { is_extern } else { !is_extern };
            if attrs.gnu_inline && is_extern && decl.inline && decl.defines {
                info.gnu_extern_inline = true;
            }
        }
    }

    fn linked_variable(&mut self, mut decl: EntityDecl, attrs: &Attrs, init: Option<&ast::Initializer>) {
        let at_file_scope = self.scopes.at_file_scope();
        if matches!(decl.storage, Some(StorageClass::Auto | StorageClass::Register)) {
            self.error("bad-storage", decl.span, format!("'{}' at file scope is 'auto' or 'register'", decl.name));
            decl.storage = None;
        }
        if self.types.is_void(decl.ty.ty) && (decl.storage != Some(StorageClass::Extern) || init.is_some()) {
            self.error("void-variable", decl.span, format!("variable '{}' has type 'void'", decl.name));
            decl.ty = self.error_type();
        }
        if self.types.is_variably_modified(decl.ty.ty) {
            let text = format!("'{}' has static storage but a size known only at run time", decl.name);
            self.error("variably-modified", decl.span, text);
            decl.ty = self.error_type();
        }
        if init.is_some() && !at_file_scope {
            self.error("bad-initialiser", decl.span, format!("'extern {}' in a block has an initialiser", decl.name));
            return;
        }
        let id = self.declare_entity(&decl, attrs);
        match init {
            Some(init) => self.define_variable(id, &decl, init),
            None => {
                let is_extern = decl.storage == Some(StorageClass::Extern);
                let undefined = matches!(self.entities[id].kind, EntityKind::Undefined);
                if !is_extern && undefined {
                    self.entities[id].kind = EntityKind::Tentative;
                    self.entities[id].span = decl.span;
                }
            }
        }
    }

    fn define_variable(&mut self, id: EntityId, decl: &EntityDecl, init: &ast::Initializer) {
        if let Some(previous) = self.info[id].defined {
            self.redefinition(decl.name, decl.span, previous);
            return;
        }
        self.info[id].defined = Some(decl.span);
        self.entities[id].span = decl.span;
        self.initialise_entity(id, init);
    }

    pub fn redefinition(&mut self, name: Symbol, span: Span, previous: Span) {
        self.report(
            Diagnostic::error("redefinition", span, format!("redefinition of '{name}'"))
                .note_at(previous, "previous definition is here"),
        );
    }

    /// Gives a static object its initial value (and an array of unknown length its length).
    fn initialise_entity(&mut self, id: EntityId, init: &ast::Initializer) {
        let ty = self.entities[id].ty;
        let outer = self.initialising.replace(id);
        let result = self.static_initialiser(ty, init);
        self.initialising = outer;
        self.entities[id].ty = QualType { ty: result.ty, quals: ty.quals };
        self.entities[id].kind = EntityKind::Variable(result.init);
        self.info[id].unsupported = result.unsupported;
        if ty.quals.is_const && !ty.quals.is_volatile {
            self.info[id].const_value = result.scalar;
        }
    }

    fn static_local(&mut self, decl: EntityDecl, attrs: &Attrs, init: Option<&ast::Initializer>) {
        self.check_not_declared(decl.name, decl.span);
        let mut ty = decl.ty;
        if self.types.is_variably_modified(ty.ty) {
            let text = format!("'{}' has static storage but a size known only at run time", decl.name);
            self.error("variably-modified", decl.span, text);
            ty = self.error_type();
        }
        let align = decl.align;
        let id = self.new_entity(
            Entity {
                name: decl.name,
                linkage: Linkage::Internal,
                ty,
                kind: EntityKind::Tentative,
                span: decl.span,
                used: false,
                thread_local: decl.thread_local,
                align,
                attrs: EntityAttrs::default(),
            },
            decl.name,
        );
        self.info[id].keep = attrs.used;
        self.scopes.bind(decl.name, Binding::Entity(id));
        match init {
            Some(init) => self.initialise_entity(id, init),
            None if self.types.is_complete(ty.ty) => {
                let size = self.types.layout(ty.ty).map_or(0, |l| l.size);
                self.entities[id].kind = EntityKind::Variable(StaticInit { size, ..StaticInit::default() });
            }
            None => self.incomplete_variable(decl.name, decl.span, ty),
        }
    }

    pub fn incomplete_variable(&mut self, name: Symbol, span: Span, ty: QualType) {
        if !self.types.is_error(ty.ty) {
            let shown = self.types.show(ty);
            self.error("incomplete-type", span, format!("variable '{name}' has incomplete type '{shown}'"));
        }
    }

    // Locals

    fn check_not_declared(&mut self, name: Symbol, span: Span) {
        if let Some(previous) = self.scopes.here(name).cloned() {
            if matches!(previous, Binding::Error) {
                return;
            }
            let mut diagnostic = Diagnostic::error("redefinition", span, format!("redefinition of '{name}'"));
            if let Some(previous) = self.binding_span(&previous) {
                diagnostic = diagnostic.note_at(previous, "previous definition is here");
            }
            self.report(diagnostic);
        }
    }

    fn declare_local(&mut self, name: Symbol, ty: QualType, span: Span, attrs: &Attrs) -> LocalId {
        self.check_not_declared(name, span);
        let local = self.new_local(Some(name), ty, span);
        let cleanup = attrs.cleanup.and_then(|(function, at)| self.cleanup_function(function, at));
        let func = self.func.as_mut().expect("locals are declared inside functions only");
        func.locals[local].align = attrs.aligned;
        if cleanup.is_some() {
            func.locals[local].cleanup = cleanup;
            func.locals[local].address_taken = true;
        }
        self.scopes.bind(name, Binding::Local(local));
        local
    }

    fn cleanup_function(&mut self, name: Symbol, span: Span) -> Option<EntityId> {
        match self.scopes.ordinary.get(name) {
            Some(Binding::Entity(id)) if self.types.is_function(self.entities[*id].ty.ty) => {
                let id = *id;
                self.mention(id);
                Some(id)
            }
            _ => {
                self.error("bad-cleanup", span, format!("the cleanup '{name}' is not a function"));
                None
            }
        }
    }

    fn local_variable(
        &mut self,
        decl: EntityDecl,
        attrs: &Attrs,
        init: Option<&ast::Initializer>,
        out: &mut Vec<Stmt>,
    ) {
        let attrs = Attrs { aligned: decl.align, ..attrs.clone() };
        let local = self.declare_local(decl.name, decl.ty, decl.span, &attrs);
        let is_vla = self.types.is_vla(decl.ty.ty);
        let init = match init {
            Some(init) if is_vla => {
                if !matches!(init, ast::Initializer::List(list) if list.items.is_empty()) {
                    let text = format!("'{}' has a size known only at run time and cannot be initialised", decl.name);
                    self.error("variably-modified", decl.span, text);
                }
                None
            }
            Some(init) => {
                let (ty, init) = self.auto_initialiser(decl.ty, init);
                let func = self.func.as_mut().expect("locals are declared inside functions only");
                func.locals[local].ty.ty = ty;
                Some(init)
            }
            None => None,
        };
        let sets = std::mem::take(&mut self.vla_sets);
        out.extend(sets.into_iter().map(|set| Stmt { kind: StmtKind::Expr(set), span: decl.span }));
        let func = self.func.as_mut().expect("locals are declared inside functions only");
        let ty = func.locals[local].ty;
        if !is_vla {
            if let Some(block) = func.block_locals.last_mut() {
                block.push(local);
            }
        }
        if !self.types.is_complete(ty.ty) {
            self.incomplete_variable(decl.name, decl.span, ty);
        }
        out.push(Stmt { kind: StmtKind::Decl { local, init }, span: decl.span });
    }

    // The end of the unit

    /// Settles tentative definitions and the roles of inline functions.
    pub fn finish_entities(&mut self) {
        for id in self.entities.ids() {
            if matches!(self.entities[id].kind, EntityKind::Tentative) {
                self.finish_tentative(id);
            }
            let entity = &mut self.entities[id];
            if entity.linkage == Linkage::External && self.info[id].only_inline {
                let kind = std::mem::replace(&mut entity.kind, EntityKind::Undefined);
                entity.kind = match kind {
                    EntityKind::Function(function) => EntityKind::InlineFunction(function),
                    other => other,
                };
            }
        }
    }

    fn finish_tentative(&mut self, id: EntityId) {
        let (ty, span, name) = (self.entities[id].ty, self.entities[id].span, self.info[id].c_name);
        if let Some((elem, ArrayLen::Unknown)) = self.types.element(ty.ty) {
            self.warn("incomplete-array", span, format!("array '{name}' is assumed to have one element"));
            let ty = self.types.intern(TypeKind::Array { elem, len: ArrayLen::Known(1) });
            self.entities[id].ty.ty = ty;
        } else if !self.types.is_complete(ty.ty) {
            self.incomplete_variable(name, span, ty);
            return;
        }
        if self.entities[id].linkage == Linkage::Internal {
            let size = self.types.layout(self.entities[id].ty.ty).map_or(0, |l| l.size);
            self.entities[id].kind = EntityKind::Variable(StaticInit { size, ..StaticInit::default() });
        }
    }
}

/// GCC marks verbatim labels with `*`, and headers sometimes with `\1`.
fn plain_label(label: Symbol) -> Symbol {
    let text = label.as_str().trim_start_matches(['*', '\u{1}']);
    if text.len() == label.as_str().len() { label } else { Symbol::intern(text) }
}

pub(crate) fn merge_attrs(specs: &Attrs, own: &Attrs) -> Attrs {
    Attrs {
        packed: specs.packed || own.packed,
        pragma_pack: None,
        aligned: specs.aligned.max(own.aligned),
        noreturn: specs.noreturn || own.noreturn,
        constructor: own.constructor.or(specs.constructor),
        destructor: own.destructor.or(specs.destructor),
        weak: specs.weak || own.weak,
        used: specs.used || own.used,
        gnu_inline: specs.gnu_inline || own.gnu_inline,
        transparent_union: specs.transparent_union || own.transparent_union,
        cleanup: own.cleanup.or(specs.cleanup),
        vector_size: None,
        mode: None,
    }
}

/// Whether an expression is a mere mention of an entity (for calls by name).
pub(crate) fn entity_of(kind: &ExprKind) -> Option<EntityId> {
    match kind {
        ExprKind::Entity(id) => Some(*id),
        _ => None,
    }
}
