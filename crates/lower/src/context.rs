//! What all functions of the program share while it is lowered: the IR program under construction,
//! types, source places, constants.

use crate::errors::Errors;
use crate::link::Linker;
use crate::shape::Shapes;
use braid_base::{Diagnostics, HashMap, IndexVec, SourceMap, Span, Symbol};
use braid_ir as ir;
use braid_ir::fold::cut;
use braid_ir::{Const, FileId, Loc, Op, Operand, Order, Ty};
use braid_sema::types::{FloatKind, TypeId, TypeKind, Types};
use std::rc::Rc;

pub(crate) struct Context<'s> {
    pub sources: &'s mut SourceMap,
    pub diags: &'s mut Diagnostics,
    pub types: Types,
    pub program: ir::Program,
    pub linker: Linker,
    pub shapes: Shapes,
    /// The user's code leaves the order of visible operations open somewhere.
    pub unordered: bool,
    /// What counts as a failed assertion.
    pub errors: Errors,
    /// Functions without definition or model return any value and change nothing.
    pub nondet_undefined: bool,
    locs: HashMap<u32, Loc>,
    files: HashMap<Rc<str>, FileId>,
}

/// How values of a type are handled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    Void,
    /// In a register.
    Scalar(Ty),
    /// In memory: records, and types whose computations are unsupported.
    Aggregate,
}

impl<'s> Context<'s> {
    pub fn new(sources: &'s mut SourceMap, diags: &'s mut Diagnostics, types: Types) -> Context<'s> {
        let pointer_bytes = types.model.pointer_bytes() as u8;
        Context {
            sources,
            diags,
            types,
            program: ir::Program { pointer_bytes, files: IndexVec::new(), ..ir::Program::default() },
            linker: Linker::default(),
            shapes: Shapes::default(),
            unordered: false,
            errors: Errors::default(),
            nondet_undefined: false,
            locs: HashMap::default(),
            files: HashMap::default(),
        }
    }

    /// The place of the first character of a span.
    pub fn loc(&mut self, span: Span) -> Loc {
        if span == Span::NONE {
            return Loc::NONE;
        }
        if let Some(&loc) = self.locs.get(&span.lo) {
            return loc;
        }
        let Some(place) = self.sources.place(span.lo) else { return Loc::NONE };
        let file = match self.files.get(&place.file) {
            Some(&file) => file,
            None => {
                let file = self.program.files.push(Symbol::intern(&place.file));
                self.files.insert(place.file.clone(), file);
                file
            }
        };
        let loc = Loc { file, line: place.line, column: place.column };
        self.locs.insert(span.lo, loc);
        loc
    }

    pub fn pointer_bits(&self) -> u8 {
        self.program.pointer_bytes * 8
    }

    /// The integer type as wide as a pointer.
    pub fn word(&self) -> Ty {
        Ty::Int(self.pointer_bits())
    }

    pub fn constant(&mut self, value: Const) -> Operand {
        Operand::Const(self.program.consts.intern(value))
    }

    pub fn int(&mut self, width: u8, bits: u128) -> Operand {
        self.constant(Const::Int { width, bits: cut(bits, width) })
    }

    /// A pointer-wide integer.
    pub fn word_const(&mut self, value: u64) -> Operand {
        self.int(self.pointer_bits(), u128::from(value))
    }

    pub fn float(&mut self, ty: Ty, value: f64) -> Operand {
        match ty {
            Ty::F32 => self.constant(Const::F32((value as f32).to_bits())),
            _ => self.constant(Const::F64(value.to_bits())),
        }
    }

    /// Zero of a type; also what unreachable code gets for a value it cannot have.
    pub fn zero(&mut self, ty: Ty) -> Operand {
        match ty {
            Ty::Int(width) => self.int(width, 0),
            Ty::F32 | Ty::F64 => self.float(ty, 0.0),
            Ty::Ptr => self.constant(Const::Null),
        }
    }

    pub fn const_value(&self, operand: Operand) -> Option<Const> {
        match operand {
            Operand::Const(id) => Some(self.program.consts.get(id)),
            Operand::Reg(_) => None,
        }
    }

    pub fn const_int(&self, operand: Operand) -> Option<u128> {
        match self.const_value(operand)? {
            Const::Int { bits, .. } => Some(bits),
            Const::F32(_) | Const::F64(_) | Const::Null | Const::Global(..) | Const::Func(_) => None,
        }
    }

    pub fn class(&self, ty: TypeId) -> Class {
        match self.types.kind(ty) {
            TypeKind::Void => Class::Void,
            TypeKind::Error => Class::Scalar(Ty::Int(32)),
            TypeKind::Bool => Class::Scalar(Ty::Int(8)),
            TypeKind::Int(kind) => Class::Scalar(self.int_ty(self.types.int_bytes(*kind))),
            TypeKind::Enum(id) => {
                let bytes = self.types.enums[*id].int.map_or(4, |kind| self.types.int_bytes(kind));
                Class::Scalar(self.int_ty(bytes))
            }
            TypeKind::Float(FloatKind::Float) => Class::Scalar(Ty::F32),
            TypeKind::Float(FloatKind::Double | FloatKind::LongDouble) => Class::Scalar(Ty::F64),
            // A function designator or an array stands for its address.
            TypeKind::Pointer(_) | TypeKind::Function(_) => Class::Scalar(Ty::Ptr),
            TypeKind::Array { .. } | TypeKind::Record(_) | TypeKind::Unsupported { .. } => Class::Aggregate,
        }
    }

    fn int_ty(&self, bytes: u64) -> Ty {
        Ty::Int((bytes * 8) as u8)
    }

    /// The register type of a scalar; of anything else, a stand-in for code that is never reached.
    pub fn scalar(&self, ty: TypeId) -> Ty {
        match self.class(ty) {
            Class::Scalar(ty) => ty,
            Class::Void | Class::Aggregate => Ty::Int(32),
        }
    }

    /// Whether an integer type extends by its sign.
    pub fn is_signed(&self, ty: TypeId) -> bool {
        self.types.as_int(ty).is_some_and(|kind| self.types.is_signed(kind))
    }

    pub fn is_bool(&self, ty: TypeId) -> bool {
        matches!(self.types.kind(ty), TypeKind::Bool)
    }

    /// Size of a type; 0 if it has none.
    pub fn size_of(&self, ty: TypeId) -> u64 {
        self.types.layout(ty).map_or(0, |layout| layout.size)
    }

    pub fn align_of(&self, ty: TypeId) -> u64 {
        self.types.layout(ty).map_or(1, |layout| layout.align.max(1))
    }

    /// Records an assumption under which the IR stands for the C program.
    pub fn assume(&mut self, name: &str) {
        if !self.program.assumptions.iter().any(|a| a == name) {
            self.program.assumptions.push(name.into());
        }
    }

    /// Records the assumptions that show when all is lowered.
    pub fn note_assumptions(&mut self) {
        let instrs = || {
            let functions = self.program.functions.iter().filter(|function| !function.internal);
            functions.flat_map(|function| function.blocks.iter().flat_map(|block| &block.instrs))
        };
        let weak = instrs().any(|instr| is_weaker_than_seq_cst(&instr.op));
        let blocks = || self.program.functions.iter().flat_map(|function| function.blocks.iter());
        let threads = blocks().flat_map(|block| &block.instrs).any(|i| matches!(i.op, Op::Spawn { .. }));
        if weak {
            self.assume("atomics as seq_cst");
        }
        // With one thread nobody can tell.
        if threads && self.unordered {
            self.assume("operands left to right");
        }
    }
}

fn is_weaker_than_seq_cst(op: &Op) -> bool {
    let weak = |order: Order| !matches!(order, Order::Plain | Order::SeqCst);
    match op {
        Op::Load { access, .. } | Op::Store { access, .. } => weak(access.order),
        Op::Rmw { order, .. } | Op::Fence { order } => weak(*order),
        Op::CmpXchg(exchange) => weak(exchange.success) || weak(exchange.failure),
        _ => false,
    }
}
