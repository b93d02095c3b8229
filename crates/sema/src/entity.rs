//! Entities: functions and objects with linkage, and how their declarations merge.
//!
//! Declarations of one name in one unit are one entity, visible or not; its type is the composite of
//! all. At the end of the unit tentative definitions and the roles of inline functions are settled.

use crate::attrs::Attrs;
use crate::check::Checker;
use crate::hir::{Entity, EntityAttrs, EntityId, EntityKind, Linkage, StaticInit};
use crate::scope::Binding;
use crate::types::{ArrayLen, QualType, TypeKind};
use braid_base::{Diagnostic, Span, Symbol};
use braid_syntax::ast::StorageClass;

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
    pub fn function_decl(&mut self, decl: &EntityDecl, attrs: &Attrs, has_init: bool) {
        if has_init {
            self.error(
                "bad-initialiser",
                decl.span,
                format!("function '{}' cannot have an initialiser", decl.name),
            );
        }
        let block_static = !self.scopes.at_file_scope() && decl.storage == Some(StorageClass::Static);
        if block_static {
            self.error(
                "bad-storage",
                decl.span,
                format!("function '{}' declared 'static' in a block", decl.name),
            );
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
                first_use: None,
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
            let text = problem.replace("{}", decl.name.as_str());
            self.report(
                Diagnostic::error("linkage-mismatch", decl.span, text)
                    .note_at(previous, "previous declaration is here"),
            );
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
        // GCC forgives a `void` function that was called before it was declared.
        let returns_void = self.types.fn_type(decl.ty.ty).is_some_and(|f| self.types.is_void(f.ret.ty));
        let diagnostic = if was_implicit && returns_void {
            Diagnostic::warning("conflicting-types", decl.span, text)
        } else {
            Diagnostic::error("conflicting-types", decl.span, text)
        };
        let note = if was_implicit {
            "it was used here without declaration"
        } else {
            "previous declaration is here"
        };
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

    // The end of the unit

    /// Settles tentative definitions and the roles of inline functions.
    pub fn finish_entities(&mut self) {
        for id in self.entities.ids() {
            if matches!(self.entities[id].kind, EntityKind::Tentative) {
                self.finish_tentative(id);
            }
            let read_only = self.is_read_only(id);
            let entity = &mut self.entities[id];
            if let EntityKind::Variable(init) = &mut entity.kind {
                init.read_only |= read_only;
            }
            let inline_only = self.info[id].only_inline || self.info[id].gnu_extern_inline;
            if entity.linkage == Linkage::External && inline_only {
                let kind = std::mem::replace(&mut entity.kind, EntityKind::Undefined);
                entity.kind = match kind {
                    EntityKind::Function(function) => EntityKind::InlineFunction(function),
                    other => other,
                };
            }
        }
    }

    /// Whether the object lies in memory that cannot be written: `const` all through.
    fn is_read_only(&self, id: EntityId) -> bool {
        let mut ty = self.entities[id].ty;
        while let Some((elem, _)) = self.types.element(ty.ty) {
            ty = elem;
        }
        ty.quals.is_const && !ty.quals.is_volatile && !self.entities[id].thread_local
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
