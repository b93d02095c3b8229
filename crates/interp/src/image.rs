//! The program, prepared once for running.
//!
//! Blocks of all functions are laid out in one array of [`Code`], so a program counter is a number;
//! checks that are not asked for are left out; constants become values, which fixes the addresses of
//! functions and static objects. The interpreter works on the IR's own operands and expressions:
//! nothing is translated that could be translated wrongly.

use crate::arena::{FrameLayout, Layout, Region};
use crate::hot::Hot;
use crate::liveness::Liveness;
use crate::loops::Loops;
use crate::memory::Memory;
use crate::object::{Identity, Kind, Site};
use crate::value::{ObjId, Prov, Value, mask};
use braid_base::{HashSet, Idx};
use braid_ir::*;
use braid_props::CheckSet;
use std::sync::OnceLock;

/// One step. Frequent operations are spelled out, the others refer to the IR.
#[derive(Clone, Debug)]
pub(crate) enum Code<'p> {
    Assign {
        dst: RegId,
        value: Expr,
    },
    /// An assignment by its shortcut; `ops` has the expression.
    Hot(Hot),
    Load {
        dst: RegId,
        ptr: Operand,
        bytes: u8,
        width: u8,
        space: Space,
    },
    Store {
        ptr: Operand,
        value: Operand,
        bytes: u8,
        space: Space,
    },
    Jump(u32),
    Branch {
        cond: Operand,
        then: u32,
        other: u32,
    },
    Switch {
        value: Operand,
        cases: Box<[(u128, u32)]>,
        default: u32,
    },
    Return(Option<Operand>),
    Unreachable,
    Other(&'p Op),
}

#[derive(Debug)]
pub(crate) struct FuncInfo {
    /// Where its code begins; `None` without a body.
    pub entry: Option<u32>,
    pub layout: FrameLayout,
}

#[derive(Debug)]
pub struct Image<'p> {
    pub program: &'p Program,
    pub(crate) code: Vec<Code<'p>>,
    /// Id and place of each step.
    pub(crate) origin: Vec<(InstrId, Loc)>,
    /// The IR of each step; `None` for the end of a block.
    pub(crate) ops: Vec<Option<&'p Op>>,
    /// Whether each step belongs to a library model.
    pub(crate) internal: Vec<bool>,
    pub(crate) functions: Vec<FuncInfo>,
    pub(crate) consts: Vec<Value>,
    /// Thread-local globals, in program order.
    pub(crate) thread_locals: Vec<GlobalId>,
    /// Memory before the first step: functions and static objects.
    pub(crate) memory: Memory,
    /// Some code of the user's asks whether two addresses are the same.
    pub(crate) compares_addresses: bool,
    /// Threads other than main may ask about the states of threads.
    pub(crate) others_ask: bool,
    live: OnceLock<Liveness>,
    loops: OnceLock<Loops>,
    handler_writes: OnceLock<HandlerWrites>,
}

/// Why a program cannot be run at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetupError {
    NoEntry,
    /// The static objects do not fit the address space.
    TooLarge {
        object: String,
    },
}

impl std::fmt::Display for SetupError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SetupError::NoEntry => f.write_str("the program has no entry point"),
            SetupError::TooLarge { object } => write!(f, "{object} does not fit the address space"),
        }
    }
}

impl std::error::Error for SetupError {}

impl<'p> Image<'p> {
    /// Prepares a verified program. Of the checks that `lower` placed, those in `checks` remain.
    pub fn new(program: &'p Program, checks: CheckSet) -> Result<Image<'p>, SetupError> {
        let mut statics = Statics::new(program);
        statics.place()?;
        let consts = program.consts.iter().map(|c| statics.constant(c)).collect();
        statics.initialise();
        let thread_locals = program.globals.enumerated().filter(|(_, g)| g.thread_local).map(|(id, _)| id);
        let mut image = Image {
            program,
            code: Vec::new(),
            origin: Vec::new(),
            ops: Vec::new(),
            internal: Vec::new(),
            functions: Vec::with_capacity(program.functions.len()),
            consts,
            thread_locals: thread_locals.collect(),
            memory: statics.memory,
            compares_addresses: false,
            others_ask: others_ask(program),
            live: OnceLock::new(),
            loops: OnceLock::new(),
            handler_writes: OnceLock::new(),
        };
        for function in &program.functions {
            image.add_function(function, checks)?;
        }
        Ok(image)
    }

    fn add_function(&mut self, function: &'p Function, checks: CheckSet) -> Result<(), SetupError> {
        let layout = FrameLayout::new(function.locals.iter().map(|l| (l.size, l.align)));
        let too_large = || SetupError::TooLarge { object: format!("the frame of '{}'", function.name) };
        let layout = layout.ok_or_else(too_large)?;
        let entry = (!function.blocks.is_empty()).then_some(self.code.len() as u32);
        self.functions.push(FuncInfo { entry, layout });
        // Misuse is told even where it is not checked: it explains what a call gave back. A memory error ends the run even
        // where it is not checked.
        let kept = |instr: &&'p Instr| match &instr.op {
            Op::Assert { check, about: None, .. } => checks.contains(*check) || check.is_memory_error(),
            _ => true,
        };
        let mut starts = Vec::with_capacity(function.blocks.len());
        let mut next = self.code.len();
        for block in &function.blocks {
            starts.push(next as u32);
            next += block.instrs.iter().filter(kept).count() + 1;
        }
        let start = |block: BlockId| starts[block.index()];
        for block in &function.blocks {
            for instr in block.instrs.iter().filter(kept) {
                self.push(instr.id, instr.loc, self.operation(&instr.op));
                self.ops.push(Some(&instr.op));
                let internal = function.internal || instr.internal;
                self.internal.push(internal);
                self.compares_addresses |= !internal && self.may_compare_addresses(&instr.op);
            }
            self.push(block.end.id, block.end.loc, terminator(&block.end.kind, start));
            self.ops.push(None);
            self.internal.push(function.internal);
        }
        Ok(())
    }

    /// Whether the operation may depend on two addresses being equal, and so on whether memory was freed
    /// before other memory was allocated.
    fn may_compare_addresses(&self, op: &Op) -> bool {
        let wide = |ty: Ty| ty.bytes(self.program.pointer_bytes) >= u64::from(self.program.pointer_bytes);
        match op {
            Op::Assign { value, .. } | Op::Assert { cond: value, .. } => match value {
                Expr::Compare { op: CmpOp::Eq | CmpOp::Ne, ty, a: Operand::Reg(_), b: Operand::Reg(_) } => {
                    wide(*ty)
                }
                _ => false,
            },
            Op::CmpXchg(c) => wide(c.ty),
            _ => false,
        }
    }

    fn push(&mut self, id: InstrId, loc: Loc, code: Code<'p>) {
        self.code.push(code);
        self.origin.push((id, loc));
    }

    fn operation(&self, op: &'p Op) -> Code<'p> {
        let pointer_bytes = self.program.pointer_bytes;
        match *op {
            Op::Assign { dst, value } => match Hot::new(dst, &value, pointer_bytes) {
                Some(hot) => Code::Hot(hot),
                None => Code::Assign { dst, value },
            },
            Op::Load { dst, ty, ptr, access } => {
                let (bytes, width) = (ty.bytes(pointer_bytes) as u8, ty.bits(pointer_bytes) as u8);
                Code::Load { dst, ptr, bytes, width, space: access.space }
            }
            Op::Store { ty, ptr, value, access } => {
                Code::Store { ptr, value, bytes: ty.bytes(pointer_bytes) as u8, space: access.space }
            }
            // Not forgotten there: `operation` in `ops` names every one.
            _ => Code::Other(op),
        }
    }

    /// The expression of an assignment.
    pub(crate) fn assigned(&self, pc: u32) -> &'p Expr {
        match self.ops[pc as usize] {
            Some(Op::Assign { value, .. }) => value,
            _ => unreachable!("a shortcut stands for an assignment"),
        }
    }

    /// Which registers are read again, found when first asked for.
    pub(crate) fn live(&self) -> &Liveness {
        self.live.get_or_init(|| Liveness::new(self))
    }

    /// The loops, found when first asked for.
    pub(crate) fn loops(&self) -> &Loops {
        self.loops.get_or_init(|| Loops::new(self))
    }

    /// The variables that signal handlers may write, found when first asked for.
    pub(crate) fn handler_writes(&self) -> &HandlerWrites {
        self.handler_writes.get_or_init(|| self.program.handler_writes())
    }

    pub(crate) fn function(&self, id: FuncId) -> &'p Function {
        &self.program.functions[id]
    }
}

fn terminator<'p>(kind: &TermKind, start: impl Fn(BlockId) -> u32) -> Code<'p> {
    match kind {
        TermKind::Jump(to) => Code::Jump(start(*to)),
        TermKind::Branch { cond, then, other } => {
            Code::Branch { cond: *cond, then: start(*then), other: start(*other) }
        }
        TermKind::Switch { ty: _, value, cases, default } => {
            let cases = cases.iter().map(|(bits, to)| (*bits, start(*to))).collect();
            Code::Switch { value: *value, cases, default: start(*default) }
        }
        TermKind::Return(value) => Code::Return(*value),
        TermKind::Unreachable => Code::Unreachable,
    }
}

/// Functions and static objects on their way into memory.
struct Statics<'p> {
    program: &'p Program,
    region: Region,
    memory: Memory,
    functions: Vec<ObjId>,
    /// Thread-local globals have no object here.
    globals: Vec<Option<ObjId>>,
}

impl<'p> Statics<'p> {
    fn new(program: &'p Program) -> Statics<'p> {
        let region = Layout::new(program.pointer_bytes).statics();
        let memory = Memory::new(program.pointer_bytes);
        Statics { program, region, memory, functions: Vec::new(), globals: Vec::new() }
    }

    fn place(&mut self) -> Result<(), SetupError> {
        for (id, function) in self.program.functions.enumerated() {
            let name = function.name.as_str();
            let object = self.allocate(Kind::Function(id), 0, 16, true, function.loc, name)?;
            self.functions.push(object);
        }
        for (id, g) in self.program.globals.enumerated() {
            let object = match g.thread_local {
                true => None,
                false => Some(self.allocate(
                    Kind::Global(id),
                    g.size,
                    g.align,
                    g.read_only,
                    g.loc,
                    g.name.as_str(),
                )?),
            };
            self.globals.push(object);
        }
        Ok(())
    }

    fn allocate(
        &mut self,
        kind: Kind,
        size: u64,
        align: u64,
        read_only: bool,
        loc: Loc,
        name: &str,
    ) -> Result<ObjId, SetupError> {
        let too_large = |_| SetupError::TooLarge { object: format!("'{name}'") };
        let base = self.region.place(size, align).map_err(too_large)?;
        let born = Site { loc, ..Site::NOWHERE };
        Ok(self.memory.allocate(Identity { kind, base, size, align, read_only, born }, true))
    }

    fn address(&self, object: ObjId, offset: i64) -> Value {
        let base = self.memory.identity(object).map_or(0, |identity| identity.base);
        let bits = u128::from(base.wrapping_add_signed(offset)) & mask(self.program.pointer_bytes * 8);
        Value { bits, prov: Prov::Object(object) }
    }

    fn constant(&self, value: Const) -> Value {
        match value {
            Const::Int { bits, .. } => Value::plain(bits),
            Const::F32(bits) => Value::plain(u128::from(bits)),
            Const::F64(bits) => Value::plain(u128::from(bits)),
            Const::Null => Value::ZERO,
            Const::Func(func) => self.address(self.functions[func.index()], 0),
            // A thread-local object has no constant address; the verifier refuses uses of one.
            Const::Global(global, offset) => {
                self.globals[global.index()].map_or(Value::ZERO, |object| self.address(object, offset))
            }
        }
    }

    fn initialise(&mut self) {
        for (index, object) in self.globals.clone().into_iter().enumerate() {
            let init = &self.program.globals[GlobalId::from_usize(index)].init;
            let Some(object) = object.filter(|_| *init != InitData::default()) else { continue };
            let pointers = init.pointers.iter().map(|(at, c)| (*at, self.constant(*c))).collect();
            initialise(&mut self.memory, object, init, pointers);
        }
    }
}

impl<'p> Image<'p> {
    /// The step of that number, which is the program counter of a frame about to take it: its id, and its operation, `None` for
    /// the end of a block. Checks that were not asked for have no number.
    pub fn step(&self, pc: u32) -> (InstrId, Option<&'p Op>) {
        (self.origin[pc as usize].0, self.ops[pc as usize])
    }
}

impl Image<'_> {
    /// Gives a global variable another first byte, if there is one of that name.
    pub fn set(&mut self, name: &str, byte: u8) {
        let global = self.program.globals.enumerated().find(|(_, global)| global.name.as_str() == name);
        let Some((id, _)) = global else { return };
        let object = self.memory.live().find(|(_, object)| object.identity.kind == Kind::Global(id));
        if let Some((object, _)) = object {
            let init = InitData { data: vec![(0, vec![byte])], pointers: Vec::new() };
            initialise(&mut self.memory, object, &init, Vec::new());
        }
    }

    /// Writes a thread-local variable's initial contents into its new instance.
    pub(crate) fn initialise_instance(&self, memory: &mut Memory, object: ObjId, global: GlobalId) {
        let init = &self.program.globals[global].init;
        // Addresses of statics are the same in every copy of the memory.
        let find = |wanted: Kind| self.memory.live().find(|(_, o)| o.identity.kind == wanted);
        let address = |c: &Const| {
            let (kind, offset) = match *c {
                Const::Global(target, offset) => (Kind::Global(target), offset),
                Const::Func(func) => (Kind::Function(func), 0),
                Const::Int { .. } | Const::F32(_) | Const::F64(_) | Const::Null => return Value::ZERO,
            };
            find(kind).map_or(Value::ZERO, |(id, object)| {
                let bits = u128::from(object.identity.base.wrapping_add_signed(offset));
                Value { bits: bits & mask(self.program.pointer_bytes * 8), prov: Prov::Object(id) }
            })
        };
        let pointers = init.pointers.iter().map(|(at, c)| (*at, address(c))).collect();
        initialise(memory, object, init, pointers);
    }
}

fn initialise(memory: &mut Memory, object: ObjId, init: &InitData, pointers: Vec<(u64, Value)>) {
    let len = usize::from(memory.pointer_bytes());
    let Some((contents, used)) = memory.contents_of(object) else { return };
    for (offset, bytes) in &init.data {
        for (i, piece) in bytes.chunks(16).enumerate() {
            let mut word = [0; 16];
            word[..piece.len()].copy_from_slice(piece);
            let at = offset + 16 * i as u64;
            contents.write(at, piece.len(), u128::from_le_bytes(word), Prov::None, used);
        }
    }
    for (offset, value) in pointers {
        contents.write(offset, len, value.bits, value.prov, used);
    }
}

/// Returns true if code that a thread other than main may run joins or detaches threads or asks about them: if such
/// code can be reached from a function whose address is taken, by calls of any kind.
fn others_ask(program: &Program) -> bool {
    let pointers = program.globals.iter().flat_map(|global| global.init.pointers.iter().map(|(_, to)| *to));
    let taken = program.consts.iter().chain(pointers).filter_map(|value| match value {
        Const::Func(func) => Some(func),
        Const::Int { .. } | Const::F32(_) | Const::F64(_) | Const::Null | Const::Global(..) => None,
    });
    // Calls through pointers lead to functions that are in the list anyway.
    let mut reached: HashSet<FuncId> = HashSet::default();
    let mut waiting: Vec<FuncId> = taken.collect();
    while let Some(func) = waiting.pop() {
        if !reached.insert(func) {
            continue;
        }
        for instr in program.functions[func].blocks.iter().flat_map(|block| &block.instrs) {
            match &instr.op {
                Op::ThreadState { .. } | Op::Detach { .. } | Op::Join { .. } => return true,
                Op::Call { callee: Callee::Direct(to), .. } => waiting.push(*to),
                _ => {}
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{main_of, program};

    #[test]
    fn unchecked_asserts_leave_no_code() {
        let lines = "b0:\nassert shift, 0:i1\njump b1\nb1:\nassert assertion, 1:i1\nret 0:i32";
        let program = program(&main_of("", "", lines));
        let length =
            |checks: &str| Image::new(&program, CheckSet::parse(checks).unwrap()).unwrap().code.len();
        assert_eq!((length("all"), length("assertion"), length("none")), (4, 3, 2));
    }

    #[test]
    fn addresses_do_not_depend_on_what_runs() {
        let text = main_of(
            "shape s0 = i8\nglobal @a s0 size 1 align 64\nglobal @b s0 size 1 align 1",
            "",
            "b0:\nret 0:i32",
        );
        for pointer in ["pointer 8", "pointer 4"] {
            let program = program(&format!("{pointer}\n{text}const @a\nconst @b-1\nconst &main\n"));
            let image = Image::new(&program, CheckSet::all()).unwrap();
            let [a, b, main] = [1, 2, 3].map(|index: usize| image.consts[index].address());
            assert!(a % 64 == 0 && main % 16 == 0 && main < a && a + 1 < b, "{a:x} {b:x} {main:x}");
        }
    }

    #[test]
    fn programs_that_cannot_start() {
        let without_entry = program("fn &f() {\nb0:\nret\n}");
        let image = Image::new(&without_entry, CheckSet::all()).unwrap();
        let start = crate::Machine::new(&image, crate::Options::default());
        assert_eq!(start.err(), Some(SetupError::NoEntry));
        let large = "pointer 4\nshape s0 = bytes 4000000000\nglobal @big s0 size 4000000000 align 1";
        let error = Image::new(&program(large), CheckSet::all()).err();
        assert_eq!(error, Some(SetupError::TooLarge { object: "'big'".into() }));
    }
}
