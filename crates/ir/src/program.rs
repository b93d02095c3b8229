//! Programs, functions, blocks, memory objects and their shapes.

use crate::instr::{Const, Instr, Terminator};
use braid_base::{HashMap, IndexVec, Symbol, define_ids};

define_ids! {
    /// A function of the program.
    FuncId "f";
    /// A static object: variable or string literal.
    GlobalId "g";
    /// A memory object of a function's frame.
    LocalId "l";
    /// A register of a function.
    RegId "r";
    /// A basic block of a function.
    BlockId "b";
    /// A constant of the program's pool.
    ConstId "c";
    /// How memory divides into leaves.
    ShapeId "s";
    /// A source file, by name.
    FileId "file";
    /// An instruction or terminator; unique in the program and kept by passes, so schedules can name it. Copies that a
    /// pass makes have new ones.
    InstrId "i";
}

/// The type of a value: what a register holds and an access moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Ty {
    /// 1 to 128 bits, no signedness. An access of `Int(n)` touches `n.div_ceil(8)` bytes,
    /// little-endian.
    Int(u8),
    F32,
    F64,
    Ptr,
}

impl Ty {
    pub const BOOL: Ty = Ty::Int(1);

    /// Bits of a value, given the pointer size of the program.
    pub fn bits(self, pointer_bytes: u8) -> u32 {
        match self {
            Ty::Int(width) => u32::from(width),
            Ty::F32 => 32,
            Ty::F64 => 64,
            Ty::Ptr => u32::from(pointer_bytes) * 8,
        }
    }

    /// Bytes an access of this type touches.
    pub fn bytes(self, pointer_bytes: u8) -> u64 {
        u64::from(self.bits(pointer_bytes).div_ceil(8))
    }
}

/// Where in the user's source something stands. Line 0 means nowhere (synthesised).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Loc {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
}

impl Loc {
    pub const NONE: Loc = Loc { file: FileId(0), line: 0, column: 0 };
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Program {
    /// 8 (LP64) or 4 (ILP32).
    pub pointer_bytes: u8,
    pub files: IndexVec<FileId, Symbol>,
    pub shapes: IndexVec<ShapeId, Shape>,
    pub consts: ConstPool,
    pub globals: IndexVec<GlobalId, Global>,
    pub functions: IndexVec<FuncId, Function>,
    /// Synthesised by `lower`: runs constructors, calls `main` with its arguments, runs exit
    /// handlers, ends the program with `main`'s value. `None` if the program has no entry point
    /// (then only `braid ir` has a use for it).
    pub entry: Option<FuncId>,
    /// The function that `entry` calls for the user, if the program ends when it returns (nothing runs
    /// at exit): the objects of its outermost frame live as long as the program.
    pub main: Option<FuncId>,
    /// Assumptions under which this IR stands for the C program, e.g. `long double as double`.
    pub assumptions: Vec<String>,
    /// One past the largest instruction id in use.
    pub next_instr: u32,
}

/// Interned constants.
#[derive(Clone, Debug, Default)]
pub struct ConstPool {
    items: IndexVec<ConstId, Const>,
    known: HashMap<Const, ConstId>,
}

impl ConstPool {
    pub fn intern(&mut self, value: Const) -> ConstId {
        let items = &mut self.items;
        *self.known.entry(value).or_insert_with(|| items.push(value))
    }

    pub fn get(&self, id: ConstId) -> Const {
        self.items[id]
    }

    pub fn iter(&self) -> impl Iterator<Item = Const> + '_ {
        self.items.iter().copied()
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

impl PartialEq for ConstPool {
    fn eq(&self, other: &Self) -> bool {
        self.items == other.items
    }
}

/// A static object.
#[derive(Clone, PartialEq, Debug)]
pub struct Global {
    /// Unique in the program; `lower` appends `.1`, `.2` … to internal names that clash, and names
    /// string literals `str.N`.
    pub name: Symbol,
    pub shape: ShapeId,
    pub size: u64,
    pub align: u64,
    pub thread_local: bool,
    /// Writing to it is an invalid access.
    pub read_only: bool,
    /// State of a library model: accesses are internal.
    pub internal: bool,
    pub init: InitData,
    pub loc: Loc,
}

/// Initial contents: zero but for `data` (ascending, disjoint), then addresses on top.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct InitData {
    pub data: Vec<(u64, Vec<u8>)>,
    /// (offset, pointer constant): `Const::Global` or `Const::Func`.
    pub pointers: Vec<(u64, Const)>,
}

/// How an object divides into leaves: the units of `copy` and `fill`, and the first guess at cells.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    Scalar(Ty),
    /// Bytes without known structure (also padding-rich or overlapping things that must be copied
    /// byte-exactly): every byte is a leaf.
    Bytes(u64),
    Array {
        elem: ShapeId,
        len: u64,
    },
    /// Fields ascending and disjoint; bytes between them are padding, copied with the field before.
    Struct {
        name: Option<Symbol>,
        size: u64,
        fields: Vec<ShapeField>,
    },
    /// Members overlap; the leaves of a union are those of its first largest member, bytes beyond it
    /// single.
    Union {
        name: Option<Symbol>,
        size: u64,
        members: Vec<ShapeField>,
    },
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ShapeField {
    pub name: Option<Symbol>,
    pub offset: u64,
    pub shape: ShapeId,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Unique in the program (as for globals).
    pub name: Symbol,
    pub params: Vec<RegId>,
    pub ret: Option<Ty>,
    pub regs: IndexVec<RegId, Reg>,
    pub locals: IndexVec<LocalId, Local>,
    /// Block 0 is the entry. Empty for a function without a body (only its address is used); calling
    /// one is an error of the verifier.
    pub blocks: IndexVec<BlockId, Block>,
    /// Written by a library model: no race reports on it, no trace lines, no user-visible bounds.
    pub internal: bool,
    /// The whole body runs as one atomic section.
    pub atomic: bool,
    /// A library model of a wait that ends when time has passed: a thread that calls it does not spin.
    pub timed: bool,
    /// A library model that installs signal handlers.
    pub installs_handlers: bool,
    pub loc: Loc,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Reg {
    pub ty: Ty,
    /// The variable it holds, for traces.
    pub name: Option<Symbol>,
}

/// A frame object: exists from `LocalLive` to `LocalDead` (or the end of the frame). Each `LocalLive`
/// makes a fresh object.
#[derive(Clone, PartialEq, Debug)]
pub struct Local {
    pub name: Option<Symbol>,
    pub shape: ShapeId,
    pub size: u64,
    pub align: u64,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    pub instrs: Vec<Instr>,
    pub end: Terminator,
}

impl Program {
    pub fn function_named(&self, name: &str) -> Option<FuncId> {
        self.functions.enumerated().find(|(_, f)| f.name.as_str() == name).map(|(id, _)| id)
    }

    /// Bytes a shape covers.
    pub fn shape_size(&self, shape: ShapeId) -> u64 {
        match &self.shapes[shape] {
            Shape::Scalar(ty) => ty.bytes(self.pointer_bytes),
            Shape::Bytes(size) | Shape::Struct { size, .. } | Shape::Union { size, .. } => *size,
            Shape::Array { elem, len } => self.shape_size(*elem) * len,
        }
    }

    pub fn file_name(&self, file: FileId) -> &'static str {
        self.files.get(file).map_or("?", |name| name.as_str())
    }
}
