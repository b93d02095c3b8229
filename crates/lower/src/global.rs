//! Static objects: their layout and initial contents.

use crate::context::Context;
use crate::link::{Ref, Target};
use braid_base::faults::active;
use braid_base::{Diagnostic, IndexVec, Span, Symbol};
use braid_ir::{Const, FuncId, Function, Global, GlobalId, InitData};
use braid_models as models;
use braid_sema::hir::{self, EntityKind, StaticInit};
use braid_sema::types::{ArrayLen, TypeId, TypeKind};

impl Context<'_> {
    /// A function without a body yet.
    pub fn declare_function(&mut self, name: Symbol, internal: bool, span: Span) -> FuncId {
        let loc = self.loc(span);
        let is_model = |names: &str| internal && names.split_whitespace().any(|known| known == name.as_str());
        self.program.functions.push(Function {
            name,
            params: Vec::new(),
            ret: None,
            regs: IndexVec::new(),
            locals: IndexVec::new(),
            blocks: IndexVec::new(),
            internal,
            atomic: false,
            timed: is_model(braid_models::TIMED),
            installs_handlers: is_model(braid_models::SIGNAL_HANDLERS),
            loc,
        })
    }

    /// A static object without its initial contents yet (they may lead back to it).
    pub fn declare_global(&mut self, name: Symbol, def: Ref) -> GlobalId {
        let unit = self.linker.units[def.unit].hir.clone();
        let entity = &unit.entities[def.entity];
        let (size, read_only) = match &entity.kind {
            EntityKind::Variable(init) => (init.size.max(self.size_of(entity.ty.ty)), init.read_only),
            _ => (self.tentative_size(entity.ty.ty), false),
        };
        let races = models::is_racy_variable(entity.name.as_str()) && !active("static-storage-hidden");
        let global = Global {
            name,
            shape: self.extended_shape(entity.ty.ty, size),
            size,
            align: self.definition_align(entity),
            thread_local: entity.thread_local,
            read_only,
            internal: self.linker.units[def.unit].library && !races,
            init: InitData::default(),
            loc: self.loc(entity.span),
        };
        self.program.globals.push(global)
    }

    /// `int a[];` alone in a file has one element.
    fn tentative_size(&self, ty: TypeId) -> u64 {
        match self.types.kind(ty) {
            TypeKind::Array { elem, len: ArrayLen::Unknown } => self.size_of(elem.ty),
            _ => self.size_of(ty),
        }
    }

    pub fn fill_global(&mut self, def: Ref, id: GlobalId) {
        let unit = self.linker.units[def.unit].hir.clone();
        let entity = &unit.entities[def.entity];
        if let EntityKind::Variable(init) = &entity.kind {
            self.program.globals[id].init = self.init_data(def.unit, entity, init);
        }
    }

    fn init_data(&mut self, unit: usize, entity: &hir::Entity, init: &StaticInit) -> InitData {
        let mut pointers = Vec::new();
        for reloc in &init.relocs {
            let at = Ref { unit, entity: reloc.target };
            if let Some(address) = self.address_constant(at, reloc.addend, entity.span) {
                pointers.push((reloc.offset, address));
            }
        }
        pointers.sort_by_key(|(offset, _)| *offset);
        InitData { data: init.data.clone(), pointers }
    }

    /// The constant for the address of an entity plus an offset; `None` if it is null or was reported.
    fn address_constant(&mut self, at: Ref, addend: i64, span: Span) -> Option<Const> {
        match self.resolve(at) {
            Target::Global { id, thread_local: false } => Some(Const::Global(id, addend)),
            Target::Global { thread_local: true, .. } => {
                self.bad_initialiser(span, "the address of a thread-local object is not constant");
                None
            }
            Target::Null => None,
            Target::Function(_) | Target::Op(_) | Target::Missing if addend != 0 => {
                self.bad_initialiser(span, "an address inside a function is not supported");
                None
            }
            Target::Function(_) | Target::Op(_) | Target::Missing => Some(self.function_address(at)),
        }
    }

    fn bad_initialiser(&mut self, span: Span, message: &str) {
        self.diags.push(Diagnostic::error("initialiser", span, message));
    }

    /// A static object made by `lower` itself.
    pub fn add_global(&mut self, name: &str, ty_shape: braid_ir::ShapeId, init: InitData) -> GlobalId {
        let name = self.unique_name(name);
        let size = self.program.shape_size(ty_shape);
        let align = u64::from(self.program.pointer_bytes);
        self.program.globals.push(Global {
            name,
            shape: ty_shape,
            size,
            align,
            thread_local: false,
            read_only: false,
            internal: false,
            init,
            loc: braid_ir::Loc::NONE,
        })
    }
}
