//! The function of one thread: its code without calls and loops, cut into steps.
//!
//! Inverso, Tomasco, Fischer, La Torre, Parlato, CAV 2014, section 3. A step begins with a label and a `JUMP`: if the step
//! was executed in an earlier round, or if the thread stops before it in this one, control goes on to the next label of
//! the text. So a thread that is called again jumps from label to label to the step where it stopped, and its variables,
//! which are static, have kept their values. `GUARD` stands before the first step of a block: a thread that comes there by a
//! branch does not stop at a step of the branch that it has not taken.
//!
//! A step is an access that other threads can see, an atomic section, or an operation on threads, with everything after it
//! that nobody else sees.

use crate::Untranslatable;
use crate::expr::{self, Place};
use crate::fold::{Folds, forward_order, is_address};
use crate::names::Names;
use crate::program::{Object, Shared};
use crate::types::{signed_type, value_type};
use braid_base::{HashMap, HashSet, IndexVec};
use braid_ir::*;
use braid_props::Check;

/// Leaves of a copy that threads may see in the middle.
const MOST_LEAVES: usize = 256;

/// The text of a thread's function.
pub struct Written {
    pub text: String,
    /// The number of steps.
    pub steps: usize,
}

/// Writes the function of a thread.
pub fn write(shared: &mut Shared<'_>, thread: usize) -> Result<Written, Untranslatable> {
    let program = shared.program;
    let func = shared.threads[thread].func;
    let function = &program.functions[func];
    let (order, edges) = forward_order(function);
    let mut body = Body {
        thread,
        function,
        folds: Folds::find(program, function),
        names: Names::new(),
        regs: HashMap::default(),
        locals: HashMap::default(),
        read: HashSet::default(),
        depths: section_depths(function, &order),
        values: HashMap::default(),
        known: HashMap::default(),
        known_after: HashMap::default(),
        dead: dead_ends(shared, function, &order),
        parts: HashMap::default(),
        depth: 0,
        wrote: false,
        wrote_after: HashSet::default(),
        lines: Vec::new(),
        steps: 0,
        guarded: false,
        commented: Loc::NONE,
        at: Loc::NONE,
        shared,
    };
    for name in body.shared.names_in_use() {
        body.names.fresh(&name);
    }
    body.lines.push(format!("    JUMP(0, L{thread}_1);"));
    body.steps = 1;
    body.guarded = true;
    if let Some(parameter) = function.params.first().filter(|_| thread > 0)
        && reads(function, *parameter)
    {
        let name = body.reg(*parameter);
        body.line(&format!("{name} = argument[{thread}];"));
    }
    let order: Vec<BlockId> = order.into_iter().filter(|block| !body.dead.contains(block)).collect();
    for (position, block) in order.iter().enumerate() {
        let next = order.get(position + 1).copied();
        body.block(*block, next, edges.get(block).copied().unwrap_or(0))?;
    }
    Ok(body.finish())
}

/// Returns true if the function reads the register.
fn reads(function: &Function, reg: RegId) -> bool {
    let is_it = |operand: Operand| operand.reg() == Some(reg);
    let reads = |instr: &Instr| instr.op.operands().any(is_it);
    function
        .blocks
        .iter()
        .any(|block| block.instrs.iter().any(reads) || block.end.kind.operand().is_some_and(is_it))
}

/// The blocks that lead to nothing but something that is not modelled.
fn dead_ends(shared: &Shared, function: &Function, order: &[BlockId]) -> HashSet<BlockId> {
    let mut dead: HashSet<BlockId> = HashSet::default();
    for block in order.iter().rev() {
        let code = &function.blocks[*block];
        let mut ends = None;
        for instr in &code.instrs {
            match &instr.op {
                Op::Assign { .. } | Op::Load { .. } | Op::LocalLive { .. } | Op::LocalDead { .. } => continue,
                Op::Assert { check, .. } if *check != Check::Assertion && !shared.checks.contains(*check) => {
                    continue;
                }
                Op::Unsupported { .. } => ends = Some(true),
                _ => ends = Some(false),
            }
            break;
        }
        let successors = braid_analysis::cfg::successors(&code.end.kind);
        let all = !successors.is_empty() && successors.iter().all(|to| dead.contains(to));
        if ends.unwrap_or(all) {
            dead.insert(*block);
        }
    }
    dead
}

/// The number of open sections at the beginning of each block.
fn section_depths(function: &Function, order: &[BlockId]) -> IndexVec<BlockId, u32> {
    let mut depths: IndexVec<BlockId, u32> = function.blocks.iter().map(|_| 0).collect();
    for block in order {
        let mut depth = depths[*block];
        for instr in &function.blocks[*block].instrs {
            match instr.op {
                Op::AtomicBegin { .. } => depth += 1,
                Op::AtomicEnd => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        for to in braid_analysis::cfg::successors(&function.blocks[*block].end.kind) {
            depths[to] = depth;
        }
    }
    depths
}

struct Body<'s, 'a> {
    shared: &'s mut Shared<'a>,
    thread: usize,
    function: &'a Function,
    folds: Folds,
    names: Names,
    regs: HashMap<RegId, String>,
    locals: HashMap<LocalId, String>,
    /// Names of registers and frame objects that are read.
    read: HashSet<String>,
    depths: IndexVec<BlockId, u32>,
    /// Values of registers that are written where they are used.
    values: HashMap<RegId, Expr>,
    /// Addresses that registers hold, whether they are written where they are used or not.
    known: HashMap<RegId, Expr>,
    /// The addresses known at the end of each block.
    known_after: HashMap<BlockId, HashMap<RegId, Expr>>,
    /// Blocks from which an execution is not followed.
    dead: HashSet<BlockId>,
    /// Variables for parts of copies.
    parts: HashMap<Ty, String>,
    /// The number of open sections.
    depth: u32,
    /// The step has written to memory.
    wrote: bool,
    /// Blocks at whose end it has.
    wrote_after: HashSet<BlockId>,
    lines: Vec<String>,
    steps: usize,
    /// The block has a guard already.
    guarded: bool,
    /// The place that the last comment names.
    commented: Loc,
    at: Loc,
}

/// Bytes of an access.
struct Range {
    pointer: Operand,
    /// The first byte, from the pointer on.
    start: i128,
    length: String,
}

/// A place in memory.
enum Address {
    Object(Object, i128),
    /// Further bytes of an object, by an expression.
    Indexed(Object, i128, String),
    Text(String),
}

impl Body<'_, '_> {
    /// Adds a line of code, with the source beside it if that is new.
    fn line(&mut self, code: &str) {
        let mut text = format!("    {code}");
        let same = self.at.line == self.commented.line && self.at.file == self.commented.file;
        let is_library = self.shared.program.file_name(self.at.file).starts_with('<');
        if self.at.line > 0 && !same && !is_library {
            self.commented = self.at;
            let place = format!("{}:{}", self.shared.program.file_name(self.at.file), self.at.line);
            let source = (self.shared.source)(self.at).map_or(String::new(), |line| format!(": {line}"));
            let comment = format!("{place}{source}").replace("*/", "* /").replace("/*", "/ *");
            text = format!("{text:<56} /* {comment} */");
        }
        self.lines.push(text);
    }

    /// Begins a step.
    fn begin_step(&mut self) {
        let (thread, step) = (self.thread, self.steps);
        if !self.guarded {
            self.lines.push(format!("    GUARD({step});"));
        }
        self.guarded = true;
        self.steps += 1;
        self.lines.push(format!("L{thread}_{step}:"));
        self.lines.push(format!("    JUMP({step}, L{thread}_{});", step + 1));
        // The next line says again where it comes from.
        self.commented = Loc::NONE;
    }

    fn refuse(&self, what: impl Into<String>) -> Untranslatable {
        Untranslatable { what: what.into(), place: self.at }
    }

    fn block(&mut self, block: BlockId, next: Option<BlockId>, edges: usize) -> Result<(), Untranslatable> {
        let code = &self.function.blocks[block];
        if edges > 0 {
            self.lines.push(format!("B{}_{}:;", self.thread, block.0));
        }
        self.values.clear();
        self.known = self.known_before(block);
        self.guarded = block == BlockId(0);
        self.depth = self.depths[block];
        let wrote = self.before(block).any(|from| self.wrote_after.contains(&from));
        self.wrote = wrote;
        for (at, instr) in code.instrs.iter().enumerate() {
            self.at = instr.loc;
            if let Op::Assign { dst, value } = &instr.op {
                if self.folds.is_folded(block, at) {
                    let value = self.settled(value);
                    self.forget(*dst);
                    self.values.insert(*dst, value);
                    self.know(*dst, &value);
                    continue;
                }
                if self.folds.is_dead(block, at) {
                    continue;
                }
            }
            if self.depth == 0 && self.is_step(instr) {
                self.begin_step();
                self.wrote = false;
                self.announce(instr)?;
            }
            match instr.op {
                Op::AtomicBegin { .. } => self.depth += 1,
                Op::AtomicEnd => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            self.instr(instr)?;
            instr.op.destinations(&mut |reg| self.forget(reg));
            if let Op::Assign { dst, value } = &instr.op {
                self.know(*dst, value);
            }
        }
        // A register that is written where it is used has no variable that other blocks could read.
        let is_variable = |operand: Operand| operand.reg().is_none_or(|reg| !self.values.contains_key(&reg));
        let mut known = self.known.clone();
        known.retain(|_, value| value.operands().all(is_variable));
        self.known_after.insert(block, known);
        if self.wrote {
            self.wrote_after.insert(block);
        }
        self.at = code.end.loc;
        let ends = code.instrs.last().is_some_and(|instr| match &instr.op {
            Op::ExitThread { .. } | Op::ExitProgram { .. } | Op::Abort | Op::Unsupported { .. } => true,
            Op::Assert { .. } => matches!(code.end.kind, TermKind::Unreachable),
            _ => false,
        });
        if ends { Ok(()) } else { self.terminator(&code.end.kind, next) }
    }

    /// The blocks that lead to a block and have been written.
    fn before(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        self.known_after.keys().copied().filter(move |from| {
            braid_analysis::cfg::successors(&self.function.blocks[*from].end.kind).contains(&block)
        })
    }

    /// The addresses known at the beginning of a block: those that all blocks before it agree on.
    fn known_before(&self, block: BlockId) -> HashMap<RegId, Expr> {
        let mut before = self.before(block).map(|from| &self.known_after[&from]);
        let mut known = before.next().cloned().unwrap_or_default();
        for other in before {
            known.retain(|reg, value| other.get(reg) == Some(value));
        }
        known
    }

    /// A register gets another value.
    fn forget(&mut self, reg: RegId) {
        self.values.remove(&reg);
        self.known.remove(&reg);
        self.known.retain(|_, value| value.operands().all(|operand| operand.reg() != Some(reg)));
    }

    /// A register holds an address from now on.
    fn know(&mut self, dst: RegId, value: &Expr) {
        let value = match value {
            Expr::Use(Operand::Reg(reg)) => self.known.get(reg).copied().unwrap_or(*value),
            _ => *value,
        };
        let is_own = value.operands().any(|operand| operand.reg() == Some(dst));
        let is_sum = matches!(value, Expr::PtrAdd { .. });
        if !is_own && (is_sum || is_address(self.shared.program, &value)) {
            self.known.insert(dst, value);
        }
    }

    /// The value of an assignment that is folded: copies of folded registers are their values.
    fn settled(&self, value: &Expr) -> Expr {
        match value {
            Expr::Use(Operand::Reg(reg)) => self.values.get(reg).copied().unwrap_or(*value),
            _ => *value,
        }
    }

    /// Returns true if other threads can tell when the instruction is executed.
    fn is_step(&self, instr: &Instr) -> bool {
        match &instr.op {
            Op::AtomicBegin { .. }
            | Op::Lock { .. }
            | Op::TryLock { .. }
            | Op::Unlock { .. }
            | Op::Join { .. }
            | Op::Spawn { .. }
            | Op::Detach { .. }
            | Op::ExitProgram { .. }
            | Op::Abort
            | Op::Pair { .. } => true,
            Op::ThreadState { .. } => self.shared.joins_elsewhere,
            Op::Load { .. }
            | Op::Store { .. }
            | Op::Rmw { .. }
            | Op::CmpXchg(_)
            | Op::Copy { .. }
            | Op::Fill { .. }
            | Op::Free { .. } => self.is_visible(instr),
            Op::Assign { .. }
            | Op::Fence { .. }
            | Op::Call { .. }
            | Op::Assume { .. }
            | Op::Assert { .. }
            | Op::Alloc { .. }
            | Op::LocalLive { .. }
            | Op::LocalDead { .. }
            | Op::Nondet { .. }
            | Op::Input { .. }
            | Op::Output { .. }
            | Op::AtomicEnd
            | Op::SelfHandle { .. }
            | Op::SelfNumber { .. }
            | Op::ExitThread { .. }
            | Op::Unsupported { .. }
            | Op::Partial { .. } => false,
        }
    }

    /// Returns true if other threads may tell when an access is made. A bit-field is one memory location with its neighbours,
    /// which matters to data races alone.
    fn is_visible(&self, instr: &Instr) -> bool {
        let extent = match &instr.op {
            Op::Load { access, .. } | Op::Store { access, .. } => access.extent,
            _ => (0, 0),
        };
        (self.shared.is_visible)(instr.id)
            || (extent != (0, 0) && self.shared.checks.contains(Check::DataRace))
    }

    fn reg(&mut self, reg: RegId) -> String {
        if let Some(name) = self.regs.get(&reg) {
            return name.clone();
        }
        let wanted =
            self.function.regs[reg].name.map_or_else(|| format!("r{}", reg.0), |name| name.to_string());
        let name = self.names.fresh(&wanted);
        self.regs.insert(reg, name.clone());
        name
    }

    fn local(&mut self, local: LocalId) -> String {
        if let Some(name) = self.locals.get(&local) {
            return name.clone();
        }
        let wanted = self.function.locals[local].name.map_or("object".to_string(), |name| name.to_string());
        let name = self.names.fresh(&wanted);
        self.locals.insert(local, name.clone());
        name
    }

    fn value(&mut self, operand: Operand) -> Result<String, Untranslatable> {
        self.operand(operand).map_err(|what| self.refuse(what))
    }

    fn expr(&mut self, value: &Expr) -> Result<String, Untranslatable> {
        expr::text(self, value).map_err(|what| self.refuse(what))
    }

    /// Where a pointer points to, if that is a known object.
    fn resolve(&mut self, pointer: Operand) -> Result<Address, Untranslatable> {
        let known = match pointer {
            Operand::Const(id) => match self.shared.program.consts.get(id) {
                Const::Global(global, offset) => {
                    return Ok(Address::Object(Object::Global(global), offset.into()));
                }
                _ => None,
            },
            Operand::Reg(reg) => self.values.get(&reg).or_else(|| self.known.get(&reg)).copied(),
        };
        match known {
            Some(Expr::Use(other)) => self.resolve(other),
            Some(Expr::LocalAddr(local)) => Ok(Address::Object(Object::Local(local), 0)),
            Some(Expr::ThreadLocalAddr(global)) => {
                Ok(Address::Object(Object::ThreadLocal(self.thread, global), 0))
            }
            Some(Expr::PtrAdd { ptr, offset }) => match (self.resolve(ptr)?, self.constant(offset)) {
                (Address::Object(object, at), Some(Const::Int { width, bits })) => {
                    Ok(Address::Object(object, at + expr::signed(width, bits)))
                }
                (Address::Indexed(object, at, by), Some(Const::Int { width, bits })) => {
                    Ok(Address::Indexed(object, at + expr::signed(width, bits), by))
                }
                (Address::Object(object, at), None) => {
                    let by = self.value(offset)?;
                    Ok(Address::Indexed(object, at, by))
                }
                _ => Ok(Address::Text(self.value(pointer)?)),
            },
            _ => Ok(Address::Text(self.value(pointer)?)),
        }
    }

    /// The name of an object and its shape.
    fn object(&mut self, object: Object) -> (String, ShapeId) {
        match object {
            Object::Global(global) | Object::ThreadLocal(_, global) => {
                (self.shared.object_name(object), self.shared.program.globals[global].shape)
            }
            Object::Local(local) => (self.local(local), self.function.locals[local].shape),
        }
    }

    /// The text of an address as a pointer to bytes.
    fn pointer_text(&mut self, address: &Address, further: i128) -> String {
        match address {
            Address::Text(text) if further == 0 => text.clone(),
            Address::Text(text) => format!("({text} + {further})"),
            Address::Indexed(object, offset, by) => {
                let (name, _) = self.object(*object);
                self.read.insert(name.clone());
                let long = signed_type(Ty::Int(8 * self.shared.program.pointer_bytes), 8);
                match offset + further {
                    0 => format!("((char *)&{name} + ({long}){by})"),
                    offset => format!("((char *)&{name} + {offset} + ({long}){by})"),
                }
            }
            Address::Object(object, offset) => {
                let (name, _) = self.object(*object);
                self.read.insert(name.clone());
                match offset + further {
                    0 => format!("(char *)&{name}"),
                    offset => format!("((char *)&{name} + {offset})"),
                }
            }
        }
    }

    /// The object or part of one that an access goes to.
    fn lvalue(&mut self, ty: Ty, pointer: Operand) -> Result<String, Untranslatable> {
        let address = self.resolve(pointer)?;
        let bytes = self.shared.program.pointer_bytes;
        if let Address::Object(object, offset) = &address
            && let Ok(offset) = u64::try_from(*offset)
        {
            let (name, shape) = self.object(*object);
            if let Some(member) = self.shared.types.member(shape, offset, ty, &name) {
                return Ok(member);
            }
        }
        if let Ty::Int(width) = ty
            && width > 1
            && crate::types::stored_bits(width) != u32::from(width)
        {
            return Err(self.refuse(format!("an access of {width} bits")));
        }
        Ok(self.word(&address, 0, value_type(ty, bytes)))
    }

    /// Memory at an address, read as a value of a C type.
    fn word(&mut self, address: &Address, further: i128, ty: &str) -> String {
        let text = self.pointer_text(address, further);
        let text = text.strip_prefix("(char *)").unwrap_or(&text);
        let space = if ty.ends_with('*') { "" } else { " " };
        format!("*({ty}{space}*){text}")
    }

    /// The word in which a model keeps the state of a synchronisation object. It lies in bytes of the object that the model
    /// does not use otherwise; objects of one word have words of their own beside them.
    fn shadow(&mut self, instr: &Instr, pointer: Operand) -> Result<String, Untranslatable> {
        let address = self.resolve(pointer)?;
        let model = (self.shared.model)(instr.id);
        let within = braid_models::state_offset(model, self.shared.program.pointer_bytes);
        if let Some(delta) = within {
            return Ok(self.word(&address, delta, "int"));
        }
        match address {
            Address::Object(object, offset) => {
                let (name, shape) = self.object(object);
                let twin = self.shared.shadow_name((self.thread, object), &name, shape);
                Ok(format!("{twin}[{}]", offset / 4))
            }
            Address::Indexed(object, offset, by) => {
                let (name, shape) = self.object(object);
                let twin = self.shared.shadow_name((self.thread, object), &name, shape);
                Ok(format!("{twin}[({offset} + {by}) / 4]"))
            }
            Address::Text(_) => Err(self.refuse(format!("the state of a {model} object behind a pointer"))),
        }
    }

    /// A plain write makes a synchronisation object as new.
    fn renew(&mut self, pointer: Operand) -> Result<(), Untranslatable> {
        if let Address::Object(object, offset) = self.resolve(pointer)?
            && let Some(twin) = self.shared.known_shadow((self.thread, object))
        {
            self.line(&format!("{twin}[{}] = 0;", offset / 4));
        }
        Ok(())
    }

    fn set(&mut self, dst: RegId, text: &str) {
        let name = self.reg(dst);
        self.line(&format!("{name} = {};", bare(text)));
    }

    fn instr(&mut self, instr: &Instr) -> Result<(), Untranslatable> {
        match &instr.op {
            Op::Assign { dst, value } => {
                let text = self.expr(value)?;
                self.set(*dst, &text);
            }
            Op::Load { dst, ty, ptr, access } => {
                let place = self.access(instr, *ty, *ptr, access.space)?;
                if access.space == Space::Memory {
                    let range = self.range(*ty, *ptr, access.extent);
                    self.touch(instr, range, &how("READ", access.order))?;
                }
                if let Address::Object(object, _) = self.resolve(*ptr)? {
                    let (name, _) = self.object(object);
                    self.read.insert(name);
                }
                self.set(*dst, &place);
            }
            Op::Store { ty, ptr, value, access } => {
                let place = self.access(instr, *ty, *ptr, access.space)?;
                let value = self.value(*value)?;
                self.wrote = true;
                if access.space == Space::Memory {
                    let range = self.range(*ty, *ptr, access.extent);
                    self.touch(instr, range, &how("WRITE", access.order))?;
                }
                self.line(&format!("{place} = {};", bare(&value)));
                if access.space == Space::Memory && !instr.internal {
                    self.renew(*ptr)?;
                }
            }
            Op::Rmw { dst, op, ty, ptr, value, .. } => {
                let range = self.range(*ty, *ptr, (0, 0));
                self.touch(instr, range, "WRITE | ATOMIC")?;
                self.rmw(*dst, *op, *ty, *ptr, *value)?;
            }
            Op::CmpXchg(exchange) => {
                let range = self.range(exchange.ty, exchange.ptr, (0, 0));
                self.touch(instr, range, "READ | ATOMIC")?;
                self.exchange(instr, exchange)?;
            }
            Op::Copy { dst, src, len, shape, .. } => {
                if (self.shared.is_visible)(instr.id) && self.depth == 0 {
                    return self.copy_in_steps(instr, [*dst, *src, *len], *shape);
                }
                let whole = |pointer: Operand, length: String| Range { pointer, start: 0, length };
                let length = self.value(*len)?;
                self.touch(instr, whole(*src, length.clone()), "READ")?;
                self.touch(instr, whole(*dst, length), "WRITE")?;
                let [dst, src, len] = [*dst, *src, *len].map(|part| self.value(part));
                self.line(&format!("memcpy({}, {}, {});", dst?, src?, len?));
            }
            Op::Fill { dst, byte, len, .. } => {
                let length = self.value(*len)?;
                let range = Range { pointer: *dst, start: 0, length };
                if self.depth == 0 {
                    self.next(instr, Range { length: range.length.clone(), ..range }, "WRITE")?;
                }
                self.touch(instr, range, "WRITE")?;
                let [dst, byte, len] = [*dst, *byte, *len].map(|part| self.value(part));
                self.line(&format!("memset({}, {}, {});", dst?, byte?, len?));
            }
            Op::Assume { cond } => {
                let cond = self.value(*cond)?;
                // A section whose assumption fails is not entered.
                match self.depth {
                    0 => self.line(&format!("if (!{cond}) {{ HALT; }}")),
                    _ => self.line(&format!("assume({cond});")),
                }
            }
            Op::Assert { check, cond, .. } => self.assert(*check, cond)?,
            Op::Alloc { dst, kind, size, zeroed, .. } => {
                if *kind == AllocKind::Stack {
                    return Err(self.refuse("an array of variable length"));
                }
                let size = self.value(*size)?;
                let text = if *zeroed { format!("calloc(1, {size})") } else { format!("malloc({size})") };
                self.set(*dst, &text);
                if self.shared.asks_blocks {
                    let (block, name) = (self.shared.new_block(), self.reg(*dst));
                    self.line(&format!("blocks[{block}] = {name}; sizes[{block}] = {size};"));
                }
            }
            Op::Free { kind: AllocKind::Heap, ptr } => {
                if self.races(instr, *ptr)? {
                    let range = self.block_range(*ptr)?;
                    self.touch(instr, range, "WRITE")?;
                }
                let pointer = self.value(*ptr)?;
                self.line(&format!("free({pointer});"));
            }
            Op::Free { kind: AllocKind::Stack, .. } => return Err(self.refuse("an array of variable length")),
            Op::Nondet { dst, ty, kind } => {
                let text = self.choice(*ty, *kind)?;
                self.set(*dst, &text);
            }
            Op::Input { dst } => self.set(*dst, "nondet() % 257 - 1"),
            Op::Spawn { dst, func, arg } => self.spawn(*dst, *func, *arg)?,
            Op::Join { dst, handle } => {
                let handle = self.value(*handle)?;
                self.wait(&format!("{handle} - 1 < THREADS && ended[{handle} - 1]"), &handle)?;
                self.line(&format!("state[{handle} - 1] = 0;"));
                if let Some(dst) = dst {
                    self.set(*dst, &format!("result[{handle} - 1]"));
                }
            }
            Op::Detach { handle } => {
                let handle = self.value(*handle)?;
                self.line(&format!("state[{handle} - 1] = 2;"));
            }
            Op::ThreadState { dst, ask, handle } => {
                let handle = self.value(*handle)?;
                let text = match ask {
                    ThreadAsk::Claim => format!("claim({handle}, {})", self.thread + 1),
                    ThreadAsk::Join => format!("state_of({handle})"),
                    ThreadAsk::Life => format!("life_of({handle})"),
                };
                self.shared.asks.insert(*ask);
                self.set(*dst, &text);
            }
            Op::Pair { dst, word, mutex } => {
                let address = self.resolve(*word)?;
                let model = (self.shared.model)(instr.id);
                let within =
                    braid_models::state_offset(model, self.shared.program.pointer_bytes).unwrap_or(0);
                let word = self.word(&address, within, "char *");
                let mutex = self.value(*mutex)?;
                self.set(*dst, &format!("{word} != 0 && {word} != {mutex}"));
                self.line(&format!("{word} = {mutex};"));
            }
            Op::Lock { mutex } => {
                let word = self.shadow(instr, *mutex)?;
                self.wait(&format!("{word} == 0"), &word)?;
                self.wrote = true;
                self.line(&format!("{word} = {};", self.thread + 1));
            }
            Op::TryLock { dst, mutex } => {
                let word = self.shadow(instr, *mutex)?;
                let name = self.reg(*dst);
                self.read.insert(name.clone());
                self.line(&format!("{name} = {word} == 0;"));
                self.line(&format!("if ({name}) {word} = {};", self.thread + 1));
            }
            Op::Unlock { mutex } => {
                let word = self.shadow(instr, *mutex)?;
                self.wrote = true;
                if self.shared.checks.contains(Check::LockMisuse) {
                    self.check(&format!("{word} == {}", self.thread + 1), Check::LockMisuse);
                }
                self.line(&format!("{word} = 0;"));
            }
            Op::AtomicBegin { when } => {
                if let Some(guard) = when {
                    for inner in &guard.instrs {
                        self.instr(inner)?;
                    }
                    let cond = self.value(guard.cond)?;
                    self.wait(&cond, "0")?;
                }
            }
            Op::SelfHandle { dst } | Op::SelfNumber { dst } => {
                let number = self.thread + 1;
                self.set(*dst, &number.to_string());
            }
            Op::ExitThread { value } => {
                let value = self.value(*value)?;
                self.end(&value);
            }
            Op::ExitProgram { .. } | Op::Abort => self.line("finished = 1; HALT;"),
            Op::Unsupported { what } => self.line(&format!("assume(0); /* not modelled: {what} */")),
            Op::Partial { what, .. } => self.line(&format!("/* beyond the bounds: {what} */")),
            Op::Call { .. } => return Err(self.refuse("a call that is not inlined")),
            Op::Fence { .. }
            | Op::LocalLive { .. }
            | Op::LocalDead { .. }
            | Op::Output { .. }
            | Op::AtomicEnd => {}
        }
        Ok(())
    }

    /// A copy that others may see in the middle: each leaf is read in a step and written in another.
    fn copy_in_steps(
        &mut self,
        instr: &Instr,
        [dst, src, len]: [Operand; 3],
        shape: ShapeId,
    ) -> Result<(), Untranslatable> {
        let Some(Const::Int { bits, .. }) = self.constant(len) else {
            return Err(self.refuse("a copy of a length that is not known, of memory that threads share"));
        };
        let mut leaves = Vec::new();
        self.leaves(shape, 0, &mut leaves);
        let size = self.shared.program.shape_size(shape).max(1);
        let whole = bits as u64 / size;
        if whole * size != bits as u64 || whole as usize * leaves.len() > MOST_LEAVES {
            return Err(self.refuse("a long copy of memory that threads share"));
        }
        let [to, from] = [self.resolve(dst)?, self.resolve(src)?];
        let bytes = self.shared.program.pointer_bytes;
        let mut first = true;
        for part in 0..whole {
            for (offset, ty) in &leaves {
                let at = i128::from(part * size + offset);
                let name = self.part_name(*ty);
                if !std::mem::replace(&mut first, false) {
                    self.begin_step();
                }
                let part = |pointer| Range { pointer, start: at, length: ty.bytes(bytes).to_string() };
                let read = self.word(&from, at, value_type(*ty, bytes));
                self.next(instr, part(src), "READ")?;
                self.touch(instr, part(src), "READ")?;
                self.line(&format!("{name} = {read};"));
                self.begin_step();
                self.next(instr, part(dst), "WRITE")?;
                self.touch(instr, part(dst), "WRITE")?;
                let written = self.word(&to, at, value_type(*ty, bytes));
                self.line(&format!("{written} = {name};"));
            }
        }
        Ok(())
    }

    /// The leaves of a shape: offsets and types.
    fn leaves(&self, shape: ShapeId, at: u64, found: &mut Vec<(u64, Ty)>) {
        let program = self.shared.program;
        match &program.shapes[shape] {
            Shape::Scalar(ty) => found.push((at, *ty)),
            Shape::Bytes(size) => found.extend((0..*size).map(|byte| (at + byte, Ty::Int(8)))),
            Shape::Array { elem, len } => {
                let step = program.shape_size(*elem);
                (0..*len).for_each(|index| self.leaves(*elem, at + index * step, found));
            }
            Shape::Struct { fields, .. } => {
                fields.iter().for_each(|field| self.leaves(field.shape, at + field.offset, found));
            }
            Shape::Union { size, .. } => found.extend((0..*size).map(|byte| (at + byte, Ty::Int(8)))),
        }
    }

    /// The variable that holds a part of a copy between two steps.
    fn part_name(&mut self, ty: Ty) -> String {
        let names = &mut self.names;
        let name = self.parts.entry(ty).or_insert_with(|| names.fresh("part"));
        name.clone()
    }

    /// The thread waits for a condition: for the end of a thread or for a lock that one has, if that has a number.
    fn wait(&mut self, condition: &str, whom: &str) -> Result<(), Untranslatable> {
        if !self.shared.checks.contains(Check::Deadlock) {
            self.line(&format!("assume({condition});"));
            return Ok(());
        }
        if self.wrote && self.depth > 0 {
            return Err(self.refuse("a section that waits after it has written"));
        }
        self.commented = Loc::NONE;
        self.line(&format!("WAIT({condition}, {whom});"));
        Ok(())
    }

    /// An access that may race: others that are about to make one are compared with it.
    fn touch(&mut self, instr: &Instr, place: Range, how: &str) -> Result<(), Untranslatable> {
        if self.races(instr, place.pointer)? {
            self.commented = Loc::NONE;
            let text = self.range_text(&place)?;
            self.line(&format!("TOUCH({text}, {how});"));
        }
        Ok(())
    }

    /// Tells, at the beginning of a step, which access the thread is about to make.
    fn next(&mut self, instr: &Instr, place: Range, how: &str) -> Result<(), Untranslatable> {
        if self.races(instr, place.pointer)? {
            let text = self.range_text(&place)?;
            let jump = self.lines.pop();
            self.lines.push(format!("    NEXT({}, {text}, {how});", self.steps - 1));
            self.lines.extend(jump);
        }
        Ok(())
    }

    /// The first byte of a range and its length.
    fn range_text(&mut self, place: &Range) -> Result<String, Untranslatable> {
        let address = self.resolve(place.pointer)?;
        let start = self.pointer_text(&address, place.start);
        Ok(format!("{start}, {}", place.length))
    }

    /// Returns true if data races of the instruction are asked about. The library's own variables do not race while the
    /// library uses them.
    fn races(&mut self, instr: &Instr, pointer: Operand) -> Result<bool, Untranslatable> {
        if !self.shared.checks.contains(Check::DataRace) || !self.is_visible(instr) {
            return Ok(false);
        }
        let program = self.shared.program;
        Ok(match self.resolve(pointer)? {
            Address::Object(Object::Global(global), _) | Address::Indexed(Object::Global(global), ..) => {
                !(instr.internal && program.globals[global].internal)
            }
            Address::Object(..) | Address::Indexed(..) | Address::Text(_) => true,
        })
    }

    /// The bytes of an access, with those of the same memory location.
    fn range(&self, ty: Ty, pointer: Operand, extent: (u16, u16)) -> Range {
        let length = ty.bytes(self.shared.program.pointer_bytes) + u64::from(extent.0) + u64::from(extent.1);
        Range { pointer, start: -i128::from(extent.0), length: length.to_string() }
    }

    /// Tells which access the thread is about to make, for an instruction that is a step of its own.
    fn announce(&mut self, instr: &Instr) -> Result<(), Untranslatable> {
        match &instr.op {
            Op::Load { ty, ptr, access, .. } if access.space == Space::Memory => {
                let range = self.range(*ty, *ptr, access.extent);
                self.next(instr, range, &how("READ", access.order))
            }
            Op::Store { ty, ptr, access, .. } if access.space == Space::Memory => {
                let range = self.range(*ty, *ptr, access.extent);
                self.next(instr, range, &how("WRITE", access.order))
            }
            Op::Rmw { ty, ptr, .. } => {
                let range = self.range(*ty, *ptr, (0, 0));
                self.next(instr, range, "WRITE | ATOMIC")
            }
            Op::CmpXchg(exchange) => {
                let range = self.range(exchange.ty, exchange.ptr, (0, 0));
                let place = self.lvalue(exchange.ty, exchange.ptr)?;
                let expected = self.value(exchange.expected)?;
                let ty = value_type(exchange.ty, self.shared.program.pointer_bytes);
                self.next(instr, range, &format!("(({ty}){place} == {expected} ? WRITE : READ) | ATOMIC"))
            }
            Op::Free { ptr, .. } => {
                let range = self.block_range(*ptr)?;
                self.next(instr, range, "WRITE")
            }
            // Copies tell it of each of their steps.
            _ => Ok(()),
        }
    }

    /// All bytes of a heap block.
    fn block_range(&mut self, pointer: Operand) -> Result<Range, Untranslatable> {
        self.shared.asks_blocks = true;
        let text = self.value(pointer)?;
        Ok(Range { pointer, start: 0, length: format!("block_size({text})") })
    }

    fn access(
        &mut self,
        instr: &Instr,
        ty: Ty,
        ptr: Operand,
        space: Space,
    ) -> Result<String, Untranslatable> {
        match space {
            Space::Memory => self.lvalue(ty, ptr),
            Space::Shadow => self.shadow(instr, ptr),
        }
    }

    fn rmw(
        &mut self,
        dst: RegId,
        op: RmwOp,
        ty: Ty,
        ptr: Operand,
        value: Operand,
    ) -> Result<(), Untranslatable> {
        let place = self.lvalue(ty, ptr)?;
        let value = self.value(value)?;
        self.set(dst, &place);
        let old = self.reg(dst);
        self.read.insert(old.clone());
        let new = match op {
            RmwOp::Exchange => value,
            RmwOp::Add => format!("{old} + {value}"),
            RmwOp::Sub => format!("{old} - {value}"),
            RmwOp::And => format!("{old} & {value}"),
            RmwOp::Or => format!("{old} | {value}"),
            RmwOp::Xor => format!("{old} ^ {value}"),
            RmwOp::Nand => format!("~({old} & {value})"),
        };
        self.line(&format!("{place} = {new};"));
        Ok(())
    }

    fn exchange(&mut self, instr: &Instr, exchange: &CmpXchg) -> Result<(), Untranslatable> {
        let place = self.lvalue(exchange.ty, exchange.ptr)?;
        let [expected, desired] = [exchange.expected, exchange.desired].map(|part| self.value(part));
        let (expected, desired) = (expected?, desired?);
        self.set(exchange.old, &place);
        let (old, ok) = (self.reg(exchange.old), self.reg(exchange.ok));
        self.read.extend([old.clone(), ok.clone()]);
        let fails = if exchange.weak { " && !(nondet() & 1)" } else { "" };
        self.line(&format!("{ok} = {old} == {expected}{fails};"));
        if self.races(instr, exchange.ptr)? {
            let range = self.range(exchange.ty, exchange.ptr, (0, 0));
            let text = self.range_text(&range)?;
            self.line(&format!("if ({ok}) TOUCH({text}, WRITE | ATOMIC);"));
        }
        self.line(&format!("if ({ok}) {place} = {desired};"));
        Ok(())
    }

    fn assert(&mut self, check: Check, cond: &Expr) -> Result<(), Untranslatable> {
        if !self.shared.checks.contains(check) {
            if check == Check::Assertion {
                let cond = self.expr(cond)?;
                self.line(&format!("if (!({cond})) {{ finished = 1; HALT; }}"));
            }
            return Ok(());
        }
        let cond = self.expr(cond)?;
        self.check(&cond, check);
        Ok(())
    }

    /// An assertion that stands for a property.
    fn check(&mut self, cond: &str, check: Check) {
        // The comment names the property and the place, whatever was said before.
        self.commented = Loc::NONE;
        let name = match check {
            Check::Assertion => String::new(),
            other => format!(" /* {other} */"),
        };
        self.line(&format!("CHECK({cond});{name}"));
    }

    fn choice(&mut self, ty: Ty, kind: ChoiceKind) -> Result<String, Untranslatable> {
        match kind {
            ChoiceKind::AllocFail | ChoiceKind::CallFail | ChoiceKind::Spurious | ChoiceKind::Base => {
                return Ok("0".to_string());
            }
            ChoiceKind::Value
            | ChoiceKind::Uninit
            | ChoiceKind::Clock
            | ChoiceKind::Timeout
            | ChoiceKind::Wake
            | ChoiceKind::WeakFail
            | ChoiceKind::Random => {}
        }
        match ty {
            Ty::Int(1) => Ok("nondet() & 1".to_string()),
            Ty::Int(width @ 0..=64) if crate::types::stored_bits(width) == u32::from(width) => {
                let ty = value_type(ty, self.shared.program.pointer_bytes);
                if width == 64 {
                    Ok(format!("({ty})nondet() << 32 | nondet()"))
                } else {
                    Ok(format!("({ty})nondet()"))
                }
            }
            Ty::Ptr if kind == ChoiceKind::Uninit => Ok("0".to_string()),
            Ty::Int(_) | Ty::F32 | Ty::F64 | Ty::Ptr => Err(self.refuse("an arbitrary value of such a type")),
        }
    }

    fn spawn(&mut self, dst: RegId, func: Operand, arg: Operand) -> Result<(), Untranslatable> {
        let started = match self.constant(func) {
            Some(Const::Func(func)) => self.shared.threads.iter().position(|thread| thread.func == func),
            _ => None,
        };
        let Some(started) = started else { return Err(self.refuse("a thread whose function is not known")) };
        let arg = self.value(arg)?;
        self.line(&format!("argument[{started}] = {arg};"));
        self.line(&format!("started[{started}] = 1; state[{started}] = 1;"));
        self.set(dst, &(started + 1).to_string());
        Ok(())
    }

    /// The thread ends with a value.
    fn end(&mut self, value: &str) {
        let thread = self.thread;
        // After a thread that ends inside a section nobody goes on.
        let last = if self.depth > 0 { " finished = 1;" } else { "" };
        self.line(&format!("result[{thread}] = {value}; ended[{thread}] = 1;{last} HALT;"));
    }

    fn terminator(&mut self, kind: &TermKind, next: Option<BlockId>) -> Result<(), Untranslatable> {
        match kind {
            TermKind::Jump(to) => self.goto(*to, next),
            TermKind::Branch { cond, then, other } => {
                let cond = self.value(*cond)?;
                if self.dead.contains(other) {
                    self.line(&format!("assume({});", bare(&cond)));
                    self.goto(*then, next);
                } else if self.dead.contains(then) {
                    self.line(&format!("assume(!{cond});"));
                    self.goto(*other, next);
                } else if Some(*then) == next {
                    self.line(&format!("if (!{cond}) goto B{}_{};", self.thread, other.0));
                } else {
                    self.line(&format!("if ({}) goto B{}_{};", bare(&cond), self.thread, then.0));
                    self.goto(*other, next);
                }
            }
            TermKind::Switch { ty, value, cases, default } => {
                let value = self.value(*value)?;
                let width = ty.bits(self.shared.program.pointer_bytes) as u8;
                for (pattern, to) in cases {
                    let pattern = expr::number(width, *pattern);
                    match self.dead.contains(to) {
                        true => self.line(&format!("assume({value} != {pattern});")),
                        false => {
                            self.line(&format!("if ({value} == {pattern}) goto B{}_{};", self.thread, to.0));
                        }
                    }
                }
                self.goto(*default, next);
            }
            TermKind::Return(value) => {
                let value = match value {
                    Some(value) if self.function.ret == Some(Ty::Ptr) => self.value(*value)?,
                    Some(value) if matches!(self.function.ret, Some(Ty::Int(_))) => {
                        format!("(char *)(unsigned long){}", self.value(*value)?)
                    }
                    _ => "0".to_string(),
                };
                self.end(&value);
            }
            TermKind::Unreachable => self.line("assume(0);"),
        }
        Ok(())
    }

    fn goto(&mut self, to: BlockId, next: Option<BlockId>) {
        if self.dead.contains(&to) {
            self.line("assume(0);");
        } else if Some(to) != next {
            self.line(&format!("goto B{}_{};", self.thread, to.0));
        }
    }

    fn finish(mut self) -> Written {
        let (thread, steps) = (self.thread, self.steps);
        let bytes = self.shared.program.pointer_bytes;
        let mut head = Vec::new();
        let mut unread: Vec<String> = self.regs.values().chain(self.locals.values()).cloned().collect();
        unread.retain(|name| !self.read.contains(name));
        unread.sort();
        let mut locals: Vec<(LocalId, String)> = self.locals.drain().collect();
        locals.sort();
        for (local, name) in locals {
            let declared = self.shared.types.declare(self.function.locals[local].shape, &name);
            head.push(format!("    static {declared};"));
        }
        let mut parts: Vec<(Ty, String)> = self.parts.drain().collect();
        parts.sort();
        for (ty, name) in parts {
            head.push(format!("    static {};", declared(value_type(ty, bytes), &name)));
        }
        let mut regs: Vec<(RegId, String)> = self.regs.drain().collect();
        regs.sort();
        for (reg, name) in regs {
            head.push(format!(
                "    static {};",
                declared(value_type(self.function.regs[reg].ty, bytes), &name)
            ));
        }
        let used: HashSet<String> = self.lines.iter().flat_map(|line| targets(line)).collect();
        let is_used = |line: &String| match line.strip_suffix(":;") {
            Some(label) => used.contains(label),
            None => true,
        };
        let name = &self.shared.threads[thread].name;
        let mut text = format!("static void {name}(void)\n{{\n");
        for line in head.iter().chain(self.lines.iter().filter(|line| is_used(line))) {
            text += line;
            text.push('\n');
        }
        text += &format!("L{thread}_{steps}:\n");
        for name in unread {
            text += &format!("    (void){name};\n");
        }
        text += "    return;\n}\n";
        let text = text.replace("HALT;", &format!("GUARD({steps}); return;"));
        Written { text, steps }
    }
}

/// The text without parentheses around all of it.
fn bare(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else { return text };
    let mut depth = 0i32;
    let closes = inner.chars().any(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth < 0
    });
    if closes { text } else { inner }
}

/// The kind of an access, for data races.
fn how(way: &str, order: Order) -> String {
    if order == Order::Plain { way.to_string() } else { format!("{way} | ATOMIC") }
}

/// The declaration of a variable of a type.
fn declared(ty: &str, name: &str) -> String {
    let space = if ty.ends_with('*') { "" } else { " " };
    format!("{ty}{space}{name}")
}

/// The labels that a line jumps to.
fn targets(line: &str) -> Vec<String> {
    let parts = line.split("goto ").skip(1);
    parts.filter_map(|part| part.split(';').next()).map(str::to_string).collect()
}

impl Place for Body<'_, '_> {
    fn pointer_bytes(&self) -> u8 {
        self.shared.program.pointer_bytes
    }

    fn constant(&mut self, operand: Operand) -> Option<Const> {
        match operand {
            Operand::Const(id) => Some(self.shared.program.consts.get(id)),
            Operand::Reg(reg) => match self.values.get(&reg) {
                Some(Expr::Use(Operand::Const(id))) => Some(self.shared.program.consts.get(*id)),
                _ => None,
            },
        }
    }

    fn operand(&mut self, operand: Operand) -> Result<String, String> {
        let id = match operand {
            Operand::Const(id) => id,
            Operand::Reg(reg) => {
                let Some(value) = self.values.get(&reg).copied() else {
                    let name = self.reg(reg);
                    self.read.insert(name.clone());
                    return Ok(name);
                };
                let text = expr::text(self, &value)?;
                let simple = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                return Ok(if simple { text } else { format!("({text})") });
            }
        };
        Ok(match self.shared.program.consts.get(id) {
            Const::Int { width, bits } => expr::number(width, bits),
            Const::F32(bits) => format!("{:?}f", f32::from_bits(bits)),
            Const::F64(bits) => format!("{:?}", f64::from_bits(bits)),
            Const::Null => "(char *)0".to_string(),
            Const::Global(global, offset) => {
                let address = Address::Object(Object::Global(global), offset.into());
                self.pointer_text(&address, 0)
            }
            Const::Func(func) => self.shared.function_address(func),
        })
    }

    fn address(&mut self, expr: &Expr) -> Result<String, String> {
        let object = match expr {
            Expr::LocalAddr(local) => Object::Local(*local),
            Expr::ThreadLocalAddr(global) => Object::ThreadLocal(self.thread, *global),
            _ => return Err("an address".to_string()),
        };
        Ok(self.pointer_text(&Address::Object(object, 0), 0))
    }
}
