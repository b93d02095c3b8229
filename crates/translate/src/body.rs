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
//!
//! * `instr`: instructions as statements; `memory`: addresses and accesses; `copies`: copies that others see in the middle.
//! * `known`: addresses that registers hold.
//! * `races`: data races as assertions; `laps`: iterations of loops in which the thread may spin.

mod copies;
mod instr;
mod known;
mod laps;
mod memory;
mod races;

use crate::Untranslatable;
use crate::expr::{self, Place};
use crate::fold::{Folds, forward_order};
use crate::names::Names;
use crate::program::{Object, Shared};
use crate::types::value_type;
use braid_base::faults::active;
use braid_base::{HashMap, HashSet, IndexVec};
use braid_ir::*;
use braid_props::Check;
use memory::Address;

/// The text of a thread's function.
pub struct Written {
    pub text: String,
    /// The number of steps.
    pub steps: usize,
    /// The instruction that each step begins with; the first step begins with none.
    pub begins: Vec<Option<InstrId>>,
}

/// Writes the function of a thread.
pub fn write(shared: &mut Shared<'_>, thread: usize) -> Result<Written, Untranslatable> {
    let program = shared.program;
    let func = shared.threads[thread].func;
    let function = &program.functions[func];
    let (order, edges) = forward_order(function);
    let (sections, refused) = sections(function, &order);
    let mut body = Body {
        thread,
        function,
        folds: Folds::find(program, function, &|instr| laps::reads(shared.laps, instr)),
        spins: shared.laps.funcs.contains(&func),
        saved: HashMap::default(),
        saves: Vec::new(),
        names: Names::new(),
        regs: HashMap::default(),
        locals: HashMap::default(),
        read: HashSet::default(),
        depths: section_depths(function, &order),
        sections,
        refused,
        section: None,
        touches: HashMap::default(),
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
        begins: vec![None],
        current: None,
        guarded: false,
        commented: Loc::NONE,
        at: Loc::NONE,
        shared,
    };
    for name in body.shared.names_in_use() {
        body.names.fresh(&name);
    }
    body.try_line();
    body.lines.push(format!("    JUMP(0, L{thread}_1);"));
    body.count_step();
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

/// A section: the instruction that opens it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Section {
    opened_by: InstrId,
    /// The library's.
    internal: bool,
}

impl Section {
    /// The outermost section behind an instruction that opens one, with so many open before.
    fn opened(outer: Option<Section>, depth: u32, instr: &Instr) -> Option<Section> {
        outer.filter(|_| depth > 0).or(Some(Section { opened_by: instr.id, internal: instr.internal }))
    }
}

/// The outermost section that is open at the beginning of each block; and those that may be found to be impossible after
/// they have begun, because an assumption fails or a lock is not free.
fn sections(
    function: &Function,
    order: &[BlockId],
) -> (IndexVec<BlockId, Option<Section>>, HashSet<InstrId>) {
    let depths = section_depths(function, order);
    let mut open: IndexVec<BlockId, Option<Section>> = function.blocks.iter().map(|_| None).collect();
    let mut refused = HashSet::default();
    for block in order {
        let (mut depth, mut section) = (depths[*block], open[*block]);
        for instr in &function.blocks[*block].instrs {
            let is_refused = match instr.op {
                Op::AtomicBegin { ref when } => {
                    section = Section::opened(section, depth, instr);
                    depth += 1;
                    when.is_some()
                }
                Op::AtomicEnd => {
                    depth = depth.saturating_sub(1);
                    false
                }
                Op::Assume { .. } | Op::Lock { .. } | Op::Join { .. } => depth > 0,
                _ => false,
            };
            refused.extend(section.filter(|_| is_refused).map(|section| section.opened_by));
        }
        for to in braid_analysis::cfg::successors(&function.blocks[*block].end.kind) {
            open[to] = section.filter(|_| depth > 0);
        }
    }
    (open, refused)
}

struct Body<'s, 'a> {
    shared: &'s mut Shared<'a>,
    thread: usize,
    function: &'a Function,
    folds: Folds,
    /// The thread may spin in a loop.
    spins: bool,
    /// The variables that keep registers at the heads of loops, by loop and position.
    saved: HashMap<(usize, usize), String>,
    /// Their declarations.
    saves: Vec<String>,
    names: Names,
    regs: HashMap<RegId, String>,
    locals: HashMap<LocalId, String>,
    /// Names of registers and frame objects that are read.
    read: HashSet<String>,
    depths: IndexVec<BlockId, u32>,
    /// The outermost section that is open at the beginning of each block.
    sections: IndexVec<BlockId, Option<Section>>,
    /// Sections that may be found to be impossible after they have begun.
    refused: HashSet<InstrId>,
    section: Option<Section>,
    /// Accesses of such sections that may race: the variable that tells it, and the place.
    touches: HashMap<InstrId, Vec<(String, Loc)>>,
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
    begins: Vec<Option<InstrId>>,
    /// The instruction that is being written.
    current: Option<InstrId>,
    /// The block has a guard already.
    guarded: bool,
    /// The place that the last comment names.
    commented: Loc,
    at: Loc,
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
        if !self.guarded && !active("translated-guard-dropped") {
            self.lines.push(format!("    GUARD({step});"));
        }
        self.guarded = true;
        self.steps += 1;
        self.begins.push(self.current);
        self.lines.push(format!("L{thread}_{step}:"));
        self.lines.push(format!("    JUMP({step}, L{thread}_{});", step + 1));
        self.count_step();
        // The next line says again where it comes from.
        self.commented = Loc::NONE;
    }

    /// Writes to the log of an execution, if one is kept.
    fn log(&mut self, what: char, number: u32) {
        if self.shared.logs {
            self.lines.push(format!("    LOG(\"{what}\", {number}u);"));
        }
    }

    fn refuse(&self, what: impl Into<String>) -> Untranslatable {
        Untranslatable { what: what.into(), place: self.at }
    }

    fn block(&mut self, block: BlockId, next: Option<BlockId>, edges: usize) -> Result<(), Untranslatable> {
        let code = &self.function.blocks[block];
        if edges > 0 {
            self.lines.push(format!("B{}_{}:;", self.thread, block.0));
        }
        self.log('b', block.0);
        self.values.clear();
        self.known = self.known_before(block);
        self.guarded = block == BlockId(0);
        self.depth = self.depths[block];
        self.section = self.sections[block];
        let wrote = self.before(block).any(|from| self.wrote_after.contains(&from));
        self.wrote = wrote;
        for (at, instr) in code.instrs.iter().enumerate() {
            self.at = instr.loc;
            self.lap(instr)?;
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
            self.current = Some(instr.id);
            if self.is_interrupted(instr) {
                self.begin_step();
                self.wrote = false;
                self.announce(instr)?;
            } else {
                self.log('i', instr.id.0);
            }
            match instr.op {
                Op::AtomicBegin { .. } => {
                    self.section = Section::opened(self.section, self.depth, instr);
                    self.depth += 1;
                }
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
        if matches!(code.end.kind, TermKind::Return(_)) {
            self.log('i', code.end.id.0);
        }
        let ends = code.instrs.last().is_some_and(|instr| match &instr.op {
            Op::ExitThread { .. } | Op::ExitProgram { .. } | Op::Abort | Op::Unsupported { .. } => true,
            Op::Assert { .. } => matches!(code.end.kind, TermKind::Unreachable),
            _ => false,
        });
        if ends { Ok(()) } else { self.terminator(&code.end.kind, next) }
    }

    /// Returns true if the thread may stop before the instruction.
    fn is_interrupted(&self, instr: &Instr) -> bool {
        if active("translated-accesses-in-one-step")
            && matches!(instr.op, Op::Store { .. })
            && self.commented.line == instr.loc.line
        {
            return false;
        }
        (self.depth == 0 || active("translated-switch-in-section")) && self.is_step(instr)
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
        head.append(&mut self.saves);
        let mut parts: Vec<(Ty, String)> = self.parts.drain().collect();
        parts.sort();
        for (ty, name) in parts {
            head.push(format!("    static {};", declared(value_type(ty, bytes), &name)));
        }
        let mut regs: Vec<(RegId, String)> = self.regs.drain().collect();
        regs.sort();
        for (reg, name) in regs {
            let declared = declared(value_type(self.function.regs[reg].ty, bytes), &name);
            head.push(match active("translated-locals-forgotten") {
                true => format!("    {declared} = 0;"),
                false => format!("    static {declared};"),
            });
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
        let mut meets: Vec<&(String, Loc)> = self.touches.values().flatten().collect();
        meets.sort();
        for (name, _) in meets {
            text += &format!("    (void){name};\n");
        }
        for name in unread {
            text += &format!("    (void){name};\n");
        }
        text += "    return;\n}\n";
        let text = text.replace("HALT;", &format!("GUARD({steps}); return;"));
        Written { text, steps, begins: self.begins }
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

/// The declaration of a variable of a type.
fn declared(ty: &str, name: &str) -> String {
    let space = if ty.ends_with('*') { "" } else { " " };
    format!("{ty}{space}{name}")
}

/// The labels that a line jumps to.
fn targets(line: &str) -> Vec<String> {
    let code = line.split("/*").next().unwrap_or(line);
    let parts = code.split("goto ").skip(1);
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
