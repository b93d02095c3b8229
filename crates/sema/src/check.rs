//! The checker: the state shared by all parts of semantic analysis, and the entry point.
//!
//! One [`Checker`] walks one translation unit once, top to bottom. Each part of the language has its
//! own file with its own `impl Checker` block; this file holds what they share: the well-known types,
//! making nodes, and reporting. A type in error is [`TypeKind::Error`], which every rule accepts
//! silently, so one mistake gives one message.

use crate::hir::{
    Entity, EntityAttrs, EntityId, EntityKind, Expr, ExprKind, Label, LabelId, Linkage, Local, LocalId,
    StaticInit, Unit,
};
use crate::scope::Scopes;
use crate::types::{DataModel, FloatKind, IntKind, QualType, RecordId, TypeId, TypeKind, Types};
use braid_base::{Diagnostic, Diagnostics, HashMap, HashSet, IndexVec, Severity, SourceMap, Span, Symbol};
use braid_syntax::ast;

/// Types of library functions, used where a program calls one that it did not declare, by its name
/// or as `__builtin_name` (as GCC knows the functions of the C library).
#[derive(Default)]
pub struct Library {
    signatures: HashMap<Symbol, TypeId>,
}

impl Library {
    /// The functions a unit declares. It must have been checked with the same [`Types`].
    pub fn from_unit(types: &Types, unit: &Unit) -> Library {
        let functions = unit.entities.iter().filter(|e| types.is_function(e.ty.ty));
        Library { signatures: functions.map(|e| (e.name, e.ty.ty)).collect() }
    }

    pub(crate) fn signature(&self, name: Symbol) -> Option<TypeId> {
        self.signatures.get(&name).copied()
    }
}

/// Checks a translation unit. Errors go to `diags`; what could be understood is returned.
pub fn check(
    types: &mut Types,
    sources: &SourceMap,
    unit_name: &str,
    tu: &ast::TranslationUnit,
    diags: &mut Diagnostics,
) -> Unit {
    check_with_library(types, sources, unit_name, tu, &Library::default(), diags)
}

/// Like [`check`], with types for library functions that the program uses undeclared.
pub fn check_with_library(
    types: &mut Types,
    sources: &SourceMap,
    unit_name: &str,
    tu: &ast::TranslationUnit,
    library: &Library,
    diags: &mut Diagnostics,
) -> Unit {
    let mut checker = Checker::new(types, sources, library, diags);
    for item in &tu.items {
        if checker.diags.at_limit() {
            break;
        }
        checker.item(item);
    }
    checker.finish_unit();
    Unit { name: unit_name.to_owned(), entities: checker.entities }
}

/// Types that need no look-up.
#[derive(Clone, Copy)]
pub(crate) struct Common {
    pub error: TypeId,
    pub void: TypeId,
    pub bool: TypeId,
    pub char: TypeId,
    pub uchar: TypeId,
    pub int: TypeId,
    pub uint: TypeId,
    pub long: TypeId,
    pub ulong: TypeId,
    pub longlong: TypeId,
    pub ulonglong: TypeId,
    pub float: TypeId,
    pub double: TypeId,
    pub long_double: TypeId,
    pub size: TypeId,
    pub ptrdiff: TypeId,
    /// Integers as wide as a pointer.
    pub intptr: TypeId,
    pub uintptr: TypeId,
    pub wchar: TypeId,
    pub char16: TypeId,
    pub char32: TypeId,
    pub void_ptr: TypeId,
}

impl Common {
    fn new(types: &mut Types) -> Common {
        let wide = types.model == DataModel::Lp64;
        let pick = |lp64, ilp32| if wide { lp64 } else { ilp32 };
        let void = types.intern(TypeKind::Void);
        Common {
            error: types.intern(TypeKind::Error),
            void,
            bool: types.intern(TypeKind::Bool),
            char: types.int(IntKind::Char),
            uchar: types.int(IntKind::UChar),
            int: types.int(IntKind::Int),
            uint: types.int(IntKind::UInt),
            long: types.int(IntKind::Long),
            ulong: types.int(IntKind::ULong),
            longlong: types.int(IntKind::LongLong),
            ulonglong: types.int(IntKind::ULongLong),
            float: types.intern(TypeKind::Float(FloatKind::Float)),
            double: types.intern(TypeKind::Float(FloatKind::Double)),
            long_double: types.intern(TypeKind::Float(FloatKind::LongDouble)),
            size: types.int(pick(IntKind::ULong, IntKind::UInt)),
            ptrdiff: types.int(pick(IntKind::Long, IntKind::Int)),
            intptr: types.int(pick(IntKind::Long, IntKind::Int)),
            uintptr: types.int(pick(IntKind::ULong, IntKind::UInt)),
            wchar: types.int(pick(IntKind::Int, IntKind::Long)),
            char16: types.int(IntKind::UShort),
            char32: types.int(IntKind::UInt),
            void_ptr: types.pointer_to(QualType::plain(void)),
        }
    }
}

/// What later declarations of the same entity need to know.
pub(crate) struct EntityInfo {
    /// The name in the source (the linker's may differ).
    pub c_name: Symbol,
    pub defined: Option<Span>,
    /// Every file-scope declaration so far said `inline`, and none said `extern`.
    pub only_inline: bool,
    /// Its definition is GNU's `extern inline`: it gives way to a real one.
    pub gnu_extern_inline: bool,
    /// It sprang from a call without declaration.
    pub implicit: bool,
    /// Constant value of a `const` object, which GCC folds in other static initialisers.
    pub const_value: Option<crate::consteval::Const>,
    /// C23 `constexpr`: its value is a constant expression.
    pub is_constexpr: bool,
    /// The initialiser needs a construct that is left out: mentioning the object stops the run.
    pub unsupported: Option<String>,
    /// `__attribute__((used))`.
    pub keep: bool,
}

/// State of the function being checked.
pub(crate) struct FnCtx {
    /// `None` while the parameters are read, and if the definition is a second one.
    pub entity: Option<EntityId>,
    pub name: Symbol,
    pub ret: QualType,
    pub variadic: bool,
    pub locals: IndexVec<LocalId, Local>,
    pub labels: IndexVec<LabelId, Label>,
    pub label_scopes: Vec<HashMap<Symbol, LabelId>>,
    pub label_defined: Vec<bool>,
    /// Locals declared so far in each open block.
    pub block_locals: Vec<Vec<LocalId>>,
    /// Locals of the body's block that exist before it is opened.
    pub prologue_locals: Vec<LocalId>,
    pub switches: Vec<crate::stmt::Switch>,
    pub breakable: u32,
    pub loops: u32,
    pub func_name: Option<EntityId>,
    /// Scopes of variably modified declarations, as a tree: the parent of each, and the current one.
    pub vm_parents: Vec<u32>,
    pub vm_here: u32,
    /// Where each label stands in that tree, and each `goto`.
    pub label_vm: Vec<u32>,
    pub gotos: Vec<(LabelId, u32, Span)>,
}

pub(crate) struct Checker<'a> {
    pub types: &'a mut Types,
    pub sources: &'a SourceMap,
    pub library: &'a Library,
    pub diags: &'a mut Diagnostics,
    pub common: Common,
    pub entities: IndexVec<EntityId, Entity>,
    pub info: IndexVec<EntityId, EntityInfo>,
    /// Entities with linkage by their source name, visible or not.
    pub linked: HashMap<Symbol, EntityId>,
    pub scopes: Scopes,
    pub func: Option<FnCtx>,
    /// Inside `sizeof` and the like: nothing is used, no address is taken.
    pub unevaluated: u32,
    /// Inside the parameter list of a mere declaration.
    pub prototype: u32,
    /// Array lengths met while building a type, to be computed where the type stands.
    pub vla_sets: Vec<Expr>,
    pub strings: HashMap<(TypeId, Vec<u8>), EntityId>,
    pub transparent: HashSet<RecordId>,
    /// Who mentions whom; `None` for mentions outside any function or object.
    pub mentions: Vec<(Option<EntityId>, EntityId)>,
    /// Undeclared names already reported.
    pub reported: HashSet<Symbol>,
    /// The object whose static initialiser is being checked.
    pub initialising: Option<EntityId>,
    /// The declaration being checked says `constexpr`.
    pub declares_constexpr: bool,
}

impl<'a> Checker<'a> {
    pub fn new(
        types: &'a mut Types,
        sources: &'a SourceMap,
        library: &'a Library,
        diags: &'a mut Diagnostics,
    ) -> Checker<'a> {
        let common = Common::new(types);
        Checker {
            types,
            sources,
            library,
            diags,
            common,
            entities: IndexVec::new(),
            info: IndexVec::new(),
            linked: HashMap::default(),
            scopes: Scopes::default(),
            func: None,
            unevaluated: 0,
            prototype: 0,
            vla_sets: Vec::new(),
            strings: HashMap::default(),
            transparent: HashSet::default(),
            mentions: Vec::new(),
            reported: HashSet::default(),
            initialising: None,
            declares_constexpr: false,
        }
    }

    // Reporting

    pub fn report(&mut self, diagnostic: Diagnostic) {
        let silent = diagnostic.severity == Severity::Warning
            && diagnostic.span != Span::NONE
            && self.sources.in_system_header(diagnostic.span.lo);
        if !silent {
            self.diags.push(diagnostic);
        }
    }

    pub fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    pub fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::warning(code, span, message));
    }

    pub fn show(&self, ty: TypeId) -> String {
        self.types.show(QualType::plain(ty))
    }

    // Nodes

    pub fn error_expr(&self, span: Span) -> Expr {
        Expr {
            kind: ExprKind::Unsupported("an erroneous expression".to_owned()),
            ty: self.error_type(),
            span,
        }
    }

    pub fn error_type(&self) -> QualType {
        QualType::plain(self.common.error)
    }

    pub fn size_const(&self, value: u64, span: Span) -> Expr {
        int_const(u128::from(value), self.common.size, span)
    }

    pub fn int_value(&self, value: i64, span: Span) -> Expr {
        let bits = value as i128 as u128;
        int_const(self.types.wrap(self.common.int, bits), self.common.int, span)
    }

    /// An lvalue that cannot be reached without stopping the run.
    pub fn unsupported_lvalue(&mut self, ty: QualType, reason: String, span: Span) -> Expr {
        let pointer = self.types.pointer_to(ty);
        let address = node(ExprKind::Unsupported(reason), pointer, span);
        Expr { kind: ExprKind::Deref(Box::new(address)), ty, span }
    }

    // Locals and entities

    pub fn new_local(&mut self, name: Option<Symbol>, ty: QualType, span: Span) -> LocalId {
        let address_taken = !self.types.is_scalar(ty.ty);
        let func = self.func.as_mut().expect("locals are made inside functions only");
        func.locals.push(Local { name, ty, align: None, span, address_taken, cleanup: None })
    }

    /// A hidden local that lives as long as the block being checked.
    pub fn hidden_local(&mut self, ty: QualType, span: Span) -> LocalId {
        let local = self.new_local(None, ty, span);
        let func = self.func.as_mut().expect("hidden locals are made inside functions only");
        match func.block_locals.last_mut() {
            Some(block) => block.push(local),
            None => func.prologue_locals.push(local),
        }
        local
    }

    pub fn new_entity(&mut self, entity: Entity, c_name: Symbol) -> EntityId {
        self.info.push(EntityInfo {
            c_name,
            defined: None,
            only_inline: true,
            gnu_extern_inline: false,
            implicit: false,
            const_value: None,
            is_constexpr: false,
            unsupported: None,
            keep: false,
        });
        self.entities.push(entity)
    }

    /// An unnamed static object.
    pub fn anonymous_object(&mut self, ty: QualType, init: StaticInit, span: Span) -> EntityId {
        let name = Symbol::intern("");
        self.new_entity(
            Entity {
                name,
                linkage: Linkage::Internal,
                ty,
                kind: EntityKind::Variable(init),
                span,
                used: false,
                first_use: None,
                thread_local: false,
                align: None,
                attrs: EntityAttrs::default(),
            },
            name,
        )
    }

    pub fn mention(&mut self, entity: EntityId) {
        if self.unevaluated == 0 {
            let from = self.initialising.or(self.func.as_ref().and_then(|f| f.entity));
            self.mentions.push((from, entity));
        }
    }

    /// Marks the object an lvalue is part of as address-taken.
    pub fn take_address(&mut self, lvalue: &Expr) {
        if self.unevaluated > 0 {
            return;
        }
        let mut at = lvalue;
        loop {
            match &at.kind {
                ExprKind::Member { base, .. } => at = base,
                ExprKind::Local(id) | ExprKind::CompoundLiteral { local: id, .. } => {
                    let func = self.func.as_mut().expect("locals occur inside functions only");
                    func.locals[*id].address_taken = true;
                    return;
                }
                _ => return,
            }
        }
    }

    /// Marks as used what external definitions, constructors and their like can reach.
    fn mark_used(&mut self) {
        let mut edges: Vec<Vec<EntityId>> = (0..self.entities.len()).map(|_| Vec::new()).collect();
        let mut work: Vec<EntityId> = Vec::new();
        for &(from, to) in &self.mentions {
            match from {
                Some(from) => edges[from.0 as usize].push(to),
                None => work.push(to),
            }
        }
        for (id, entity) in self.entities.enumerated() {
            let defined = match entity.kind {
                EntityKind::Function(_) | EntityKind::Variable(_) | EntityKind::Tentative => true,
                EntityKind::Undefined | EntityKind::InlineFunction(_) => false,
            };
            let root = entity.attrs.constructor.is_some()
                || entity.attrs.destructor.is_some()
                || self.info[id].keep
                || (defined && entity.linkage == Linkage::External);
            if root {
                work.push(id);
            }
        }
        while let Some(id) = work.pop() {
            if !std::mem::replace(&mut self.entities[id].used, true) {
                work.extend(&edges[id.0 as usize]);
            }
        }
    }

    fn finish_unit(&mut self) {
        self.finish_entities();
        self.mark_used();
    }
}

/// An rvalue of an unqualified type.
pub(crate) fn node(kind: ExprKind, ty: TypeId, span: Span) -> Expr {
    Expr { kind, ty: QualType::plain(ty), span }
}

/// An integer constant; `value` must already be wrapped to the type.
pub(crate) fn int_const(value: u128, ty: TypeId, span: Span) -> Expr {
    node(ExprKind::Int(value), ty, span)
}

/// Whether the expression designates an object or function.
pub(crate) fn is_lvalue(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Local(_)
        | ExprKind::Entity(_)
        | ExprKind::Str(_)
        | ExprKind::Deref(_)
        | ExprKind::CompoundLiteral { .. } => true,
        ExprKind::Member { base, .. } => is_lvalue(base),
        _ => false,
    }
}
