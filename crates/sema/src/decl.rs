//! Declarations: file scope and blocks, linkage, redeclarations, objects and their storage.
//!
//! An entity (anything with static storage, and every function) is known by its source name in
//! `linked` as long as it has linkage; declarations merge into it. Locals live in the function.
//! Function definitions are in `function`, initialisers in `init`.

use crate::attrs::Attrs;
use crate::check::Checker;
use crate::entity::EntityDecl;
use crate::hir::{
    Entity, EntityAttrs, EntityId, EntityKind, ExprKind, Init, Linkage, LocalId, StaticInit, Stmt, StmtKind,
};
use crate::scope::Binding;
use crate::spec::Specs;
use crate::types::QualType;
use braid_base::{Diagnostic, Span, Symbol};
use braid_syntax::ast::{self, StorageClass};

impl Checker<'_> {
    pub fn item(&mut self, item: &ast::Item) {
        match item {
            ast::Item::Declaration(decl) => self.declaration(decl, &mut Vec::new()),
            ast::Item::Function(def) => self.function_def(def),
            ast::Item::StaticAssert(claim) => self.static_assert(claim),
            ast::Item::Asm(span) => {
                self.warn("file-scope-asm", *span, "assembly at file scope is ignored");
            }
        }
    }

    pub fn static_assert(&mut self, claim: &ast::StaticAssert) {
        let cond = self.rvalue(&claim.cond);
        if self.require_int(&cond, "static assertion") == Some(0) {
            let message = match &claim.message {
                Some(text) => format!("static assertion failed: \"{text}\""),
                None => "static assertion failed".to_owned(),
            };
            self.error("static-assert", claim.span, message);
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
        if self.func.is_some() && self.types.is_variably_modified(ty.ty) {
            self.enter_vm_scope();
        }
        self.declares_constexpr = ast_specs.is_constexpr;
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
            self.warn("bad-inline", span, format!("variable '{name}' declared 'inline'"));
        }
        if self.scopes.at_file_scope() || ast_specs.storage == Some(StorageClass::Extern) {
            self.linked_variable(decl, &attrs, declarator.init.as_ref());
        } else if ast_specs.storage == Some(StorageClass::Static) || ast_specs.thread_local {
            if ast_specs.storage != Some(StorageClass::Static) {
                let text =
                    format!("'{name}' in a function is '_Thread_local' but neither 'static' nor 'extern'");
                self.error("bad-storage", span, text);
            }
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
        if let Some(block) = self.func.as_mut().and_then(|f| f.block_locals.last_mut()) {
            block.push(local);
        }
        out.push(Stmt { kind: StmtKind::Decl { local, init: Some(Init::Expr(value)) }, span });
    }

    // Typedefs

    fn typedef(&mut self, decl: &EntityDecl, attrs: &Attrs) {
        if attrs.transparent_union
            && let Some(id) = self.types.record_of(decl.ty.ty)
        {
            self.transparent.insert(id);
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

    pub fn different_kind(&mut self, name: Symbol, span: Span, previous: &Binding) {
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

    // Objects with static storage

    fn linked_variable(&mut self, mut decl: EntityDecl, attrs: &Attrs, init: Option<&ast::Initializer>) {
        let at_file_scope = self.scopes.at_file_scope();
        if matches!(decl.storage, Some(StorageClass::Auto | StorageClass::Register)) {
            self.error(
                "bad-storage",
                decl.span,
                format!("'{}' at file scope is 'auto' or 'register'", decl.name),
            );
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
            self.error(
                "bad-initialiser",
                decl.span,
                format!("'extern {}' in a block has an initialiser", decl.name),
            );
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
            self.info[id].is_constexpr = self.declares_constexpr;
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
                first_use: None,
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
            None => {
                self.incomplete_variable(decl.name, decl.span, ty);
                self.entities[id].ty = self.error_type();
            }
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
                    let text = format!(
                        "'{}' has a size known only at run time and cannot be initialised",
                        decl.name
                    );
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
        if !is_vla && let Some(block) = func.block_locals.last_mut() {
            block.push(local);
        }
        if !self.types.is_complete(ty.ty) {
            self.incomplete_variable(decl.name, decl.span, ty);
            let error = self.error_type();
            if let Some(func) = &mut self.func {
                func.locals[local].ty = error;
            }
        }
        out.push(Stmt { kind: StmtKind::Decl { local, init }, span: decl.span });
    }
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

#[cfg(test)]
mod tests {
    use crate::testing::{check_entities, check_messages};
    use expect_test::expect;

    #[test]
    fn linkage_and_definitions() {
        check_entities(
            "extern int u; int t; int t; static int s; int d = 3; extern int d; int a[]; int a[4];\n\
             int g(); int g(int); static int h(void) { return s; } inline int i1(void) { return 1; }\n\
             extern inline int i2(void) { return h(); } int unused(void);\n\
             extern inline __attribute__((gnu_inline)) int i3(void) { return 0; } int i3(void);\n\
             int r(void) __asm__(\"other\"); int main(void) { static int l = 7; extern int u; return u + l + r(); }\n\
             __thread int th; const int ro = 1; struct s; extern struct s inc;\n",
            expect![[r#"
                u: External int undefined
                t: External int tentative
                s: Internal int size=4
                d: External int size=4 @0:03
                a: External int [4] tentative
                g: External int (int) unused undefined
                h: Internal int (void) function
                i1: External int (void) unused inline
                i2: External int (void) function
                unused: External int (void) unused undefined
                i3: External int (void) unused inline
                other: External int (void) undefined
                main: External int (void) function
                l: Internal int size=4 @0:07
                th: External int tentative
                ro: External const int size=4 @0:01
                inc: External struct s unused undefined
            "#]],
        );
    }

    #[test]
    fn conflicts_point_at_the_earlier_declaration() {
        check_messages(
            "int f(int); char f(int);\n\
             extern int x; static int x;\n\
             int y = 1; int y = 2;\n\
             typedef int T; typedef long T;\n\
             enum { A, A }; struct s { int a; char a; }; struct s { int b; }; union s *p;\n\
             int g(int a) { int a; return a; }\n\
             void h(void) { implicit(1); implicit(2); } void implicit(int);\n\
             struct inc v; int f2(int) { return 0; }\n",
            expect![[r#"
                t.c:1:18: error: conflicting types for 'f': 'char (int)', earlier 'int (int)' [conflicting-types]
                t.c:1:5: note: previous declaration is here
                t.c:2:26: error: static declaration of 'x' follows a non-static one [linkage-mismatch]
                t.c:2:12: note: previous declaration is here
                t.c:3:16: error: redefinition of 'y' [redefinition]
                t.c:3:5: note: previous definition is here
                t.c:4:29: error: conflicting types for typedef 'T': 'long', earlier 'int' [conflicting-types]
                t.c:4:13: note: previous declaration is here
                t.c:5:11: error: redefinition of 'A' [redefinition]
                t.c:5:8: note: previous definition is here
                t.c:5:39: error: duplicate member 'a' [duplicate-member]
                t.c:5:31: note: the first one is here
                t.c:5:52: error: redefinition of 's' [redefinition]
                t.c:5:23: note: previous definition is here
                t.c:5:72: error: 's' was declared as a different kind of tag [wrong-tag]
                t.c:5:23: note: previous declaration is here
                t.c:6:20: error: redefinition of 'a' [redefinition]
                t.c:6:11: note: previous definition is here
                t.c:7:16: warning: 'implicit' is called without a declaration; type 'int ()' is assumed [implicit-function]
                t.c:7:49: warning: conflicting types for 'implicit': 'void (int)', earlier 'int ()' [conflicting-types]
                t.c:7:16: note: it was used here without declaration
                t.c:8:12: error: variable 'v' has incomplete type 'struct inc' [incomplete-type]
            "#]],
        );
    }

    #[test]
    fn names_are_reported_once_with_a_suggestion() {
        check_messages(
            "struct point { int width; } p; int counter;\n\
             int f(void) { return coutner + coutner + p.widht + nothing_like_it; }\n\
             void g(void) { T x; struct nope n; x = 1; n.a = 2; }\n",
            expect![[r#"
                t.c:3:16: error: unknown type name 'T' [unknown-type]
                t.c:2:22: error: 'coutner' is not declared [undeclared-name]
                note: did you mean 'counter'?
                t.c:2:44: error: 'struct point' has no member named 'widht' [no-such-member]
                note: did you mean 'width'?
                t.c:2:52: error: 'nothing_like_it' is not declared [undeclared-name]
                t.c:3:33: error: variable 'n' has incomplete type 'struct nope' [incomplete-type]
            "#]],
        );
    }
}
