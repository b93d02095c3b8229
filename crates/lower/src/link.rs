//! Linking: which definition each name of each unit stands for.
//!
//! Definitions with external linkage are collected by name over all units ([`Context::link`]); every
//! reference is then resolved on demand ([`Context::resolve`]) to a function, an object or a library
//! operation, and remembered per unit. What is resolved gets its id at once and joins the work list,
//! so exactly what can be reached is lowered.
//!
//! Where a name is looked for:
//! * from the user's units: external definitions, the unit's own inline definition, the library;
//! * from the library's units: the same unit, then the library. A user's `malloc` replaces the
//!   library's for the user's own calls only.
//!
//! An inline definition in a system header yields to a model of the same name.

use crate::context::{Class, Context};
use crate::undefined::Undefined;
use braid_base::{Diagnostic, HashMap, HashSet, Idx, Span, Symbol};
use braid_ir::{ChoiceKind, Const, FuncId, GlobalId, Ty};
use braid_models as models;
use braid_sema::hir::{self, EntityId, EntityKind, Linkage};
use braid_sema::types::{FnType, TypeId, TypeKind};
use std::collections::VecDeque;
use std::rc::Rc;

/// An entity of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Ref {
    pub unit: usize,
    pub entity: EntityId,
}

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Target {
    Function(FuncId),
    Global {
        id: GlobalId,
        thread_local: bool,
    },
    /// A library function that is an IR operation.
    Op(models::Op),
    /// A function without definition or model.
    Missing,
    /// A weak reference to nothing: its address is null.
    Null,
}

/// What is still to be lowered.
pub(crate) enum Work {
    Function(Ref, FuncId),
    Global(Ref, GlobalId),
    /// A function that does a library operation, for its address.
    Wrapper {
        func: FuncId,
        op: models::Op,
        ty: FnType,
    },
    /// A function that has no meaning, for its address.
    Missing {
        func: FuncId,
        name: Symbol,
    },
}

/// How a function with a definition takes its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Signature {
    pub fixed: usize,
    pub variadic: bool,
    pub ret: Class,
}

pub(crate) struct LinkUnit {
    pub hir: Rc<hir::Unit>,
    /// Text of a library model.
    pub library: bool,
    targets: Vec<Option<Target>>,
}

/// A name with external linkage that some unit defines.
struct External {
    def: Ref,
    strength: Strength,
    /// The largest alignment any declaration asks for.
    align: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Tentative,
    Weak,
    Strong,
}

#[derive(Default)]
pub(crate) struct Linker {
    pub units: Vec<LinkUnit>,
    pub work: VecDeque<Work>,
    pub signatures: HashMap<FuncId, Signature>,
    externals: HashMap<Symbol, External>,
    modules: HashMap<&'static str, usize>,
    /// Functions made for the address of a library operation or of a missing function.
    stand_ins: HashMap<Symbol, FuncId>,
    taken: HashSet<Symbol>,
    counters: HashMap<Symbol, u32>,
    strings: u32,
    /// Library functions that hold only under an assumption.
    pub assumed: Vec<(FuncId, &'static str)>,
    /// Variables that no file defines.
    pub undefined: Vec<Undefined>,
    /// The numbers of the functions without body that are functions of their arguments.
    uninterpreted: HashMap<Symbol, u32>,
    /// Names already complained about.
    reported: HashSet<Symbol>,
}

impl Context<'_> {
    pub fn add_unit(&mut self, unit: hir::Unit, library: bool) -> usize {
        let targets = vec![None; unit.entities.len()];
        self.linker.units.push(LinkUnit { hir: Rc::new(unit), library, targets });
        self.linker.units.len() - 1
    }

    /// Collects the external definitions of the user's units and reports duplicates.
    pub fn link(&mut self) {
        for unit in 0..self.linker.units.len() {
            let hir = self.linker.units[unit].hir.clone();
            for (id, entity) in hir.entities.enumerated() {
                if entity.linkage == Linkage::External {
                    self.link_entity(Ref { unit, entity: id }, entity);
                }
            }
        }
        // Alignments asked for by declarations elsewhere.
        for unit in 0..self.linker.units.len() {
            let hir = self.linker.units[unit].hir.clone();
            for entity in hir.entities.iter().filter(|e| e.linkage == Linkage::External) {
                if let (Some(align), Some(known)) =
                    (entity.align, self.linker.externals.get_mut(&entity.name))
                {
                    known.align = known.align.max(align);
                }
            }
        }
    }

    fn link_entity(&mut self, def: Ref, entity: &hir::Entity) {
        let strength = match &entity.kind {
            EntityKind::Undefined | EntityKind::InlineFunction(_) => return,
            EntityKind::Tentative => Strength::Tentative,
            EntityKind::Function(_) | EntityKind::Variable(_) if entity.attrs.weak => Strength::Weak,
            EntityKind::Function(_) | EntityKind::Variable(_) => Strength::Strong,
        };
        let new = External { def, strength, align: 1 };
        let Some(known) = self.linker.externals.get(&entity.name) else {
            self.linker.taken.insert(entity.name);
            self.linker.externals.insert(entity.name, new);
            return;
        };
        let (old, old_strength) = (known.def, known.strength);
        let old_entity = &self.linker.units[old.unit].hir.entities[old.entity];
        let same_sort = is_function(&old_entity.kind) == is_function(&entity.kind);
        if (strength == Strength::Strong && old_strength == Strength::Strong) || !same_sort {
            let message = format!("'{}' is defined more than once", entity.name);
            let error = Diagnostic::error("duplicate-definition", entity.span, message)
                .note_at(old_entity.span, "the other definition is here");
            self.diags.push(error);
        } else if strength > old_strength
            || (strength == Strength::Tentative
                && old_strength == Strength::Tentative
                && self.size_of(entity.ty.ty) > self.size_of(old_entity.ty.ty))
        {
            self.linker.externals.insert(entity.name, new);
        }
    }

    /// Gives everything the user wrote a place in the program, whether reachable or not.
    pub fn add_roots(&mut self) {
        for unit in 0..self.linker.units.len() {
            let hir = self.linker.units[unit].hir.clone();
            for (id, entity) in hir.entities.enumerated() {
                let shown = match &entity.kind {
                    EntityKind::Undefined | EntityKind::InlineFunction(_) => false,
                    _ if entity.name.as_str().is_empty() => false,
                    EntityKind::Function(_) | EntityKind::Variable(_) | EntityKind::Tentative => {
                        entity.linkage == Linkage::External || entity.used
                    }
                };
                if shown && !self.sources.in_system_header(entity.span.lo) {
                    self.resolve(Ref { unit, entity: id });
                }
            }
        }
    }

    /// The definition of the name `name` with external linkage among the user's units.
    pub fn external(&self, name: &str) -> Option<Ref> {
        self.linker.externals.get(&Symbol::intern(name)).map(|external| external.def)
    }

    /// Whether some file of the user's uses one of the names, separated by blanks.
    pub fn user_mentions_any(&self, names: &str) -> bool {
        let wanted: Vec<Symbol> = names.split_whitespace().map(Symbol::intern).collect();
        let mentions = |entity: &hir::Entity| {
            entity.used && entity.linkage == Linkage::External && wanted.contains(&entity.name)
        };
        let mut units = self.linker.units.iter().filter(|unit| !unit.library);
        units.any(|unit| unit.hir.entities.iter().any(mentions))
    }

    /// Whether anything may run after `main` has returned.
    pub fn has_exit_handlers(&self) -> bool {
        let mut units = self.linker.units.iter().filter(|unit| !unit.library);
        let destructs = |entity: &hir::Entity| {
            entity.attrs.destructor.is_some() && matches!(entity.kind, EntityKind::Function(_))
        };
        self.user_mentions_any(models::EXIT_HANDLERS)
            || units.any(|unit| unit.hir.entities.iter().any(destructs))
    }

    pub fn entity(&self, at: Ref) -> &hir::Entity {
        &self.linker.units[at.unit].hir.entities[at.entity]
    }

    pub fn resolve(&mut self, at: Ref) -> Target {
        let slot = at.entity.index();
        if let Some(target) = self.linker.units[at.unit].targets[slot] {
            return target;
        }
        let target = match self.find(at) {
            Found::Entity(def) if def == at => self.place_definition(at),
            Found::Entity(def) => self.resolve(def),
            Found::Op(op) => Target::Op(op),
            Found::Nothing => self.undefined(at),
        };
        self.linker.units[at.unit].targets[slot] = Some(target);
        target
    }

    fn find(&mut self, at: Ref) -> Found {
        let hir = self.linker.units[at.unit].hir.clone();
        let entity = &hir.entities[at.entity];
        let defined_here = !matches!(entity.kind, EntityKind::Undefined);
        if entity.linkage == Linkage::Internal {
            return if defined_here { Found::Entity(at) } else { Found::Nothing };
        }
        if self.linker.units[at.unit].library {
            return if defined_here { Found::Entity(at) } else { self.find_in_library(entity.name) };
        }
        if let Some(external) = self.linker.externals.get(&entity.name) {
            return Found::Entity(external.def);
        }
        if defined_here && !self.sources.in_system_header(entity.span.lo) {
            return Found::Entity(at);
        }
        match self.find_in_library(entity.name) {
            Found::Nothing if defined_here => Found::Entity(at),
            found => found,
        }
    }

    fn find_in_library(&mut self, name: Symbol) -> Found {
        let plain = name.as_str() == models::EXIT && !self.has_exit_handlers();
        let name = if plain { Symbol::intern(models::PLAIN_EXIT) } else { name };
        let Some(row) = models::lookup(name.as_str()) else { return Found::Nothing };
        // A variable may have several names.
        let name = Symbol::intern(row.name);
        let module = match row.def {
            models::Def::Op(op) => return Found::Op(op),
            models::Def::C(module) => module,
        };
        let unit = match self.linker.modules.get(module.name) {
            Some(&unit) => unit,
            None => {
                let unit = self.load_module(module);
                self.linker.modules.insert(module.name, unit);
                unit
            }
        };
        let hir = &self.linker.units[unit].hir;
        let found = hir.entities.enumerated().find(|(_, entity)| {
            entity.name == name
                && entity.linkage == Linkage::External
                && !matches!(entity.kind, EntityKind::Undefined)
        });
        match found {
            Some((entity, _)) => Found::Entity(Ref { unit, entity }),
            None => Found::Nothing,
        }
    }

    /// The library's function of that name.
    pub fn library_function(&mut self, name: &str) -> Option<Target> {
        match self.find_in_library(Symbol::intern(name)) {
            Found::Entity(def) => Some(self.resolve(def)),
            Found::Op(op) => Some(Target::Op(op)),
            Found::Nothing => None,
        }
    }

    /// Parses and checks the C text of a model.
    fn load_module(&mut self, module: &'static models::Module) -> usize {
        let name = format!("<braid:{}>", module.name);
        // The marker makes lines count from the module's own first line.
        let text = format!("{}\n# 1 \"{name}\"\n{}", models::PRELUDE, models::text_of(module));
        let mut diags = braid_base::Diagnostics::default();
        let tree = braid_syntax::parse(self.sources, &name, text.into(), &mut diags);
        let unit = braid_sema::check(&mut self.types, self.sources, &name, &tree, &mut diags);
        for problem in diags.iter().filter(|d| d.severity == braid_base::Severity::Error) {
            let mut problem = problem.clone();
            problem.code = "internal";
            self.diags.push(problem.note("the text of a library model is wrong: this is a defect of braid"));
        }
        self.add_unit(unit, true)
    }

    /// What an undefined name means: nothing for a function (until it is called) or what the user assumes of it, null
    /// if weak, an object that must not be read for a variable.
    fn undefined(&mut self, at: Ref) -> Target {
        let hir = self.linker.units[at.unit].hir.clone();
        let entity = &hir.entities[at.entity];
        if entity.attrs.weak {
            return Target::Null;
        }
        if matches!(self.types.kind(entity.ty.ty), TypeKind::Function(_)) {
            if entity.name.as_str().starts_with(models::UNINTERPRETED) {
                return self.uninterpreted(entity.name, entity.ty.ty);
            }
            if !self.nondet_undefined || entity.attrs.noreturn {
                return Target::Missing;
            }
            self.assume("undefined functions return any value and change nothing");
            return Target::Op(models::Op::Nondet(ChoiceKind::Value));
        }
        Target::Global { id: self.undefined_variable(entity), thread_local: entity.thread_local }
    }

    /// A function that gives the same value for the same arguments, which are a few integers.
    fn uninterpreted(&mut self, name: Symbol, ty: TypeId) -> Target {
        let TypeKind::Function(signature) = self.types.kind(ty).clone() else { return Target::Missing };
        let is_integer = |ty: TypeId| matches!(self.class(ty), Class::Scalar(Ty::Int(1..=64)));
        let fits = signature.params.len() <= models::APPLICATION_ARGUMENTS
            && !signature.variadic
            && is_integer(signature.ret.ty)
            && signature.params.iter().all(|param| is_integer(param.ty));
        if !fits {
            return Target::Missing;
        }
        let next = self.linker.uninterpreted.len() as u32;
        let number = *self.linker.uninterpreted.entry(name).or_insert(next);
        Target::Op(models::Op::Uninterpreted(number))
    }

    /// Gives a definition its id and queues it.
    fn place_definition(&mut self, def: Ref) -> Target {
        let hir = self.linker.units[def.unit].hir.clone();
        let entity = &hir.entities[def.entity];
        match &entity.kind {
            EntityKind::Undefined => Target::Missing,
            EntityKind::Function(function) | EntityKind::InlineFunction(function) => {
                let name = self.definition_name(def, entity);
                let library = self.linker.units[def.unit].library;
                let id = self.declare_function(name, library, entity.span);
                if library && let Some(models::Fidelity::Assumes(what)) = fidelity(entity) {
                    self.linker.assumed.push((id, what));
                }
                self.program.functions[id].atomic =
                    !library && models::is_atomic_function(entity.name.as_str());
                let signature = Signature {
                    fixed: function.params.len(),
                    variadic: function.fn_ty.variadic,
                    ret: self.class(function.fn_ty.ret.ty),
                };
                self.linker.signatures.insert(id, signature);
                self.linker.work.push_back(Work::Function(def, id));
                Target::Function(id)
            }
            EntityKind::Variable(_) | EntityKind::Tentative => {
                let name = self.definition_name(def, entity);
                let id = self.declare_global(name, def);
                self.linker.work.push_back(Work::Global(def, id));
                Target::Global { id, thread_local: entity.thread_local }
            }
        }
    }

    /// External names of the user's stay as they are; all others are made unique.
    fn definition_name(&mut self, def: Ref, entity: &hir::Entity) -> Symbol {
        if entity.name.as_str().is_empty() {
            let number = self.linker.strings;
            self.linker.strings += 1;
            return self.unique_name(&format!("str.{number}"));
        }
        let external = self.linker.externals.get(&entity.name).is_some_and(|known| known.def == def);
        if external { entity.name } else { self.unique_name(entity.name.as_str()) }
    }

    pub fn unique_name(&mut self, wanted: &str) -> Symbol {
        let wanted = Symbol::intern(wanted);
        if self.linker.taken.insert(wanted) {
            return wanted;
        }
        loop {
            let counter = self.linker.counters.entry(wanted).or_insert(0);
            *counter += 1;
            let name = Symbol::intern(&format!("{wanted}.{counter}"));
            if self.linker.taken.insert(name) {
                return name;
            }
        }
    }

    /// The alignment of a definition: its own, or more if another unit's declaration asks for it.
    pub fn definition_align(&self, entity: &hir::Entity) -> u64 {
        let own = entity.align.unwrap_or(1).max(self.align_of(entity.ty.ty));
        match self.linker.externals.get(&entity.name) {
            Some(known) if entity.linkage == Linkage::External => own.max(known.align),
            _ => own,
        }
    }

    /// How a function that the user's files call may fail, if it is one of the library that prints.
    pub fn fallible(&self, at: Ref) -> Option<models::Fallible> {
        let entity = self.entity(at);
        let name = entity.name.as_str();
        let is_library = matches!(entity.kind, EntityKind::Undefined) && self.external(name).is_none();
        let user = !self.linker.units[at.unit].library;
        if user && is_library { models::fallible(name) } else { None }
    }

    /// The address of a function, also of one that is an operation or has no definition.
    pub fn function_address(&mut self, at: Ref) -> Const {
        if self.fallible(at).is_some() {
            self.assume(models::POINTERS_PRINT);
        }
        match self.resolve(at) {
            Target::Function(id) => Const::Func(id),
            Target::Global { id, .. } => Const::Global(id, 0),
            Target::Null => Const::Null,
            target @ (Target::Op(_) | Target::Missing) => Const::Func(self.stand_in(at, target)),
        }
    }

    fn stand_in(&mut self, at: Ref, target: Target) -> FuncId {
        let entity = self.entity(at);
        let (name, ty, span) = (entity.name, entity.ty.ty, entity.span);
        if let Some(&func) = self.linker.stand_ins.get(&name) {
            return func;
        }
        let unique = self.unique_name(name.as_str());
        let func = self.declare_function(unique, true, Span::NONE);
        self.linker.stand_ins.insert(name, func);
        let work = match (target, self.types.kind(ty)) {
            (Target::Op(op), TypeKind::Function(ty)) => Work::Wrapper { func, op, ty: ty.clone() },
            _ => Work::Missing { func, name },
        };
        if let Work::Missing { .. } = work {
            self.warn_missing(name, span);
        }
        self.linker.work.push_back(work);
        func
    }

    /// Warns, once, that a function has no meaning.
    pub fn warn_missing(&mut self, name: Symbol, span: Span) {
        if self.linker.reported.insert(name) {
            let message = format!("'{name}' has no definition and no model: a run that calls it stops there");
            self.diags.push(Diagnostic::warning("unknown-function", span, message));
        }
    }
}

enum Found {
    Entity(Ref),
    Op(models::Op),
    Nothing,
}

/// The fidelity of the library function that an entity of a model's text defines, if it has a row.
pub(crate) fn fidelity(entity: &hir::Entity) -> Option<models::Fidelity> {
    let external = entity.linkage == Linkage::External;
    external.then(|| models::lookup(entity.name.as_str())).flatten().map(|row| row.fidelity)
}

fn is_function(kind: &EntityKind) -> bool {
    matches!(kind, EntityKind::Function(_) | EntityKind::InlineFunction(_))
}

#[cfg(test)]
mod tests {
    use crate::testing::lower_files;
    use expect_test::{Expect, expect};

    fn check(files: &[&str], expected: Expect) {
        let text = match lower_files(files) {
            Ok(program) => {
                let text = braid_ir::print::print(&program);
                let shown = |line: &&str| line.starts_with("global") || line.starts_with("fn");
                text.lines().filter(shown).map(|line| format!("{line}\n")).collect()
            }
            Err(problems) => problems,
        };
        expected.assert_eq(&text);
    }

    #[test]
    fn tentative_definitions_are_one_object() {
        check(
            &[
                "int a[3]; static int s; int *p = &s;",
                "extern int a[]; int a[3] = {1}; static int s = 2; int *q = &s;",
            ],
            expect![[r#"
            global @a s1 size 12 align 4 @ 0:1:21 = { 0: "\01" }
            global @s s0 size 4 align 4 @ 1:1:22
            global @p s2 size 8 align 8 @ 1:1:30 = { 0: @s }
            global @s.1 s0 size 4 align 4 @ 0:1:44 = { 0: "\02" }
            global @q s2 size 8 align 8 @ 0:1:56 = { 0: @s.1 }
        "#]],
        );
    }

    #[test]
    fn duplicates_show_both_places() {
        check(
            &["int f(void) { return 1; }", "int f(void) { return 2; }"],
            expect![[r#"
            b.c:1:5: error: 'f' is defined more than once [duplicate-definition]
             1 | int f(void) { return 2; }
               |     ^
            a.c:1:5: note: the other definition is here
             1 | int f(void) { return 1; }
               |     ^
        "#]],
        );
    }

    #[test]
    fn strong_replaces_weak() {
        check(
            &["__attribute__((weak)) int f(void) { return 1; }", "int f(void) { return 2; }"],
            expect![[r#"
            fn &f() -> i32 @ 0:1:5 {
        "#]],
        );
    }

    #[test]
    fn undefined_variable() {
        check(
            &["extern int missing; int f(void) { return missing; }"],
            expect![[r#"
                global @missing s0 size 4 align 4 @ 0:1:12
                fn &f() -> i32 @ 0:1:25 {
            "#]],
        );
    }
}
