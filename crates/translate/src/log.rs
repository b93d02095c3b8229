//! From the log of a sequential execution to an execution of the program of threads.
//!
//! A text for [`crate::Backend::Logged`] prints what it executes: whose turn it is, the blocks, instructions and steps that
//! are executed, the values that are chosen, and the steps that a question about races or deadlocks is about. [`Table`] knows
//! the instruction of the source behind each of them, so [`Table::executions`] reads from the log the steps of the program
//! of threads, as a schedule file has them: of each segment the last step is listed, because what a thread does before it
//! comes with it.
//!
//! *Claim*: none. What is read is a proposal; only its replay by the interpreter makes it a counterexample.
//!
//! An operation is named by how often its thread executed the instruction before. Loads of known values are not
//! written, but the source executes them, so the instructions that a block stands for are counted instead of those
//! that are left ([`braid_passes::ThreadInstance::passed`]).

use braid_base::{HashMap, HashSet, IndexVec, Symbol};
use braid_interp::{ChoiceLabel, OpRef, ThreadPath, Trace, TraceChoice};
use braid_ir::*;
use braid_passes::{Expanded, Origins};
use braid_props::Check;

/// The instructions of the source behind the text.
pub struct Table {
    origins: Origins,
    threads: Vec<ThreadTable>,
    /// By the start of a thread: the thread.
    started: HashMap<InstrId, usize>,
    /// The operations that matter for an execution.
    ops: HashMap<InstrId, Op>,
    /// Ends of threads.
    ends: HashSet<InstrId>,
    /// Instructions of the source: their functions and places.
    places: HashMap<InstrId, (Symbol, Loc)>,
}

struct ThreadTable {
    begins: Vec<Option<InstrId>>,
    passed: IndexVec<BlockId, Vec<InstrId>>,
}

/// An execution of the program of threads that is to be replayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Execution {
    /// The property that is violated at its end, if the text states it; otherwise the interpreter has seen it.
    pub check: Option<Check>,
    /// The operations that the violation stands at.
    pub at: Vec<OpRef>,
    /// The way there.
    pub trace: Trace,
}

/// A line that is no part of a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadLog(pub String);

impl std::fmt::Display for BadLog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the log of the sequential program has the line '{}', which means nothing here", self.0)
    }
}

impl std::error::Error for BadLog {}

impl Table {
    pub(crate) fn new(source: &Program, expanded: &Expanded, begins: Vec<Vec<Option<InstrId>>>) -> Table {
        let mut table = Table {
            origins: expanded.origins.clone(),
            threads: Vec::new(),
            started: HashMap::default(),
            ops: HashMap::default(),
            ends: HashSet::default(),
            places: places(source),
        };
        for (index, (thread, begins)) in expanded.threads.iter().zip(begins).enumerate() {
            table.threads.push(ThreadTable { begins, passed: thread.passed.clone() });
            table.started.extend(thread.spawns.last().map(|spawn| (*spawn, index)));
            for block in expanded.program.functions[thread.func].blocks.iter() {
                table.ends.insert(block.end.id);
                let ends = block.instrs.iter().filter(|instr| matches!(instr.op, Op::ExitThread { .. }));
                table.ends.extend(ends.map(|instr| instr.id));
                table.ops.extend(block.instrs.iter().map(|instr| (instr.id, instr.op.clone())));
            }
        }
        table
    }

    /// The executions that a log may tell of. The text reads and writes a leaf of a copy in two steps, the source in one: at
    /// the time of the first of them, or of the second.
    pub fn executions(&self, log: &str) -> Result<Vec<Execution>, BadLog> {
        let mut found: Vec<Execution> = Vec::new();
        for early in [true, false] {
            let mut reader = Reader::new(self, early);
            for line in log.lines() {
                reader.line(line).ok_or_else(|| BadLog(line.to_string()))?;
            }
            found.push(reader.finish());
        }
        found.dedup();
        Ok(found)
    }
}

/// For each instruction, its function and its place.
fn places(source: &Program) -> HashMap<InstrId, (Symbol, Loc)> {
    let mut places = HashMap::default();
    for function in source.functions.iter() {
        for block in function.blocks.iter() {
            places.extend(block.instrs.iter().map(|instr| (instr.id, (function.name, instr.loc))));
            places.insert(block.end.id, (function.name, block.end.loc));
        }
    }
    places
}

/// A thread while the log is read.
#[derive(Clone, Default)]
struct Progress {
    path: Option<ThreadPath>,
    children: u32,
    /// How often each instruction of the source was executed.
    counts: HashMap<InstrId, u32>,
    block: Option<BlockId>,
    /// The instructions of the block that were counted.
    counted: usize,
    /// The last step that was executed in this turn.
    last: Option<OpRef>,
}

/// The part of an execution that the log is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The rounds: a thread runs.
    Thread,
    /// The rounds: the driver chooses.
    Driver,
    /// The question, and the property that it is about.
    Question(Check),
}

struct Reader<'t> {
    table: &'t Table,
    /// A leaf of a copy is executed when it is read, not when it is written.
    early: bool,
    threads: Vec<Progress>,
    phase: Phase,
    running: usize,
    /// The operation that is being executed.
    here: Option<(InstrId, OpRef)>,
    /// Values that it has asked for.
    values: Vec<u32>,
    /// The operations that a question is about.
    asked: Vec<OpRef>,
    /// The last operation of a data race in the section that one of the threads executes.
    inside: Option<OpRef>,
    trace: Trace,
}

impl<'t> Reader<'t> {
    fn new(table: &'t Table, early: bool) -> Reader<'t> {
        let mut threads = vec![Progress::default(); table.threads.len()];
        if let Some(first) = threads.first_mut() {
            first.path = Some(ThreadPath::main());
        }
        Reader {
            table,
            early,
            threads,
            phase: Phase::Driver,
            running: 0,
            here: None,
            values: Vec::new(),
            asked: Vec::new(),
            inside: None,
            trace: Trace::default(),
        }
    }

    /// Reads a line; `None` if it means nothing.
    fn line(&mut self, line: &str) -> Option<()> {
        let (what, number) = line.split_once(' ')?;
        let number: u32 = number.parse().ok()?;
        if what != "v" {
            self.choose();
        }
        match what {
            "v" if self.phase == Phase::Thread => self.values.push(number),
            "v" => {}
            "c" | "r" | "d" => {
                self.end_turn();
                self.phase = match what {
                    "c" => Phase::Driver,
                    "r" => Phase::Question(Check::DataRace),
                    _ => Phase::Question(Check::Deadlock),
                };
            }
            "t" => {
                self.running = Some(number as usize).filter(|thread| *thread < self.threads.len())?;
                if self.phase == Phase::Driver {
                    self.phase = Phase::Thread;
                }
            }
            "b" => self.enter(BlockId(number))?,
            "i" => self.instr(InstrId(number))?,
            "s" | "n" => self.step(number)?,
            _ => return None,
        }
        Some(())
    }

    /// Returns true if the instructions of the running thread are executed rather than tried.
    fn counts(&self) -> bool {
        match self.phase {
            Phase::Thread | Phase::Question(Check::DataRace) => true,
            Phase::Driver | Phase::Question(_) => false,
        }
    }

    /// The thread comes to a block: what it stood in is executed.
    fn enter(&mut self, block: BlockId) -> Option<()> {
        if !self.counts() {
            return Some(());
        }
        let passed = &self.table.threads[self.running].passed;
        passed.get(block)?;
        self.count_to(usize::MAX);
        let thread = &mut self.threads[self.running];
        (thread.block, thread.counted) = (Some(block), 0);
        Some(())
    }

    /// The thread executes an instruction, which is no step of its own.
    fn instr(&mut self, id: InstrId) -> Option<()> {
        if !self.counts() {
            return Some(());
        }
        let op = self.reach(id)?;
        if self.phase != Phase::Thread {
            self.inside = Some(op);
            return Some(());
        }
        self.start(id);
        if self.table.ends.contains(&id) {
            self.threads[self.running].last = Some(op.clone());
        }
        self.here = Some((id, op));
        Some(())
    }

    /// The thread executes a step, or a question is about it.
    fn step(&mut self, number: u32) -> Option<()> {
        let begins = &self.table.threads[self.running].begins;
        let Some(id) = *begins.get(number as usize)? else { return Some(()) };
        let first = begins.iter().position(|begin| *begin == Some(id))? as u32;
        let mut op = self.reach(id)?;
        let is_copy = matches!(self.table.ops.get(&id), Some(Op::Copy { .. }));
        let is_read = (number - first).is_multiple_of(2);
        if is_copy {
            // A leaf that was executed when it was read is behind the thread when it is written.
            let asked = matches!(self.phase, Phase::Question(_));
            op.occurrence += (number - first) / 2 + u32::from(self.early && asked && !is_read);
        }
        if let Phase::Question(_) = self.phase {
            if !self.asked.iter().any(|known| known.same(&op)) {
                self.asked.push(op);
            }
            return Some(());
        }
        self.start(id);
        // The source reads and writes a leaf in one step.
        if !is_copy || is_read == self.early {
            self.threads[self.running].last = Some(op.clone());
        }
        self.here = Some((id, op));
        Some(())
    }

    /// Names the thread that the instruction starts, if it starts one.
    fn start(&mut self, id: InstrId) {
        let Some(started) = self.table.started.get(&id) else { return };
        let parent = &mut self.threads[self.running];
        parent.children += 1;
        let path = parent.path.as_ref().map(|path| path.child(parent.children));
        self.threads[*started].path = path;
    }

    /// The operation of the source that an instruction of the running thread is, now that it is executed.
    fn reach(&mut self, id: InstrId) -> Option<OpRef> {
        let passed = self.passed();
        let at = passed.iter().position(|other| *other == id).unwrap_or(passed.len());
        self.count_to(at);
        let instr = self.table.origins.of(id);
        let (function, loc) = *self.table.places.get(&instr)?;
        let thread = &self.threads[self.running];
        let occurrence = thread.counts.get(&instr).copied().unwrap_or(0);
        Some(OpRef { thread: thread.path.clone()?, function, instr, occurrence, loc })
    }

    /// The instructions of the block that the running thread is in.
    fn passed(&self) -> &'t [InstrId] {
        let block = self.threads[self.running].block;
        block.map_or(&[], |block| &self.table.threads[self.running].passed[block])
    }

    /// Counts the instructions of the block of the running thread up to this one.
    fn count_to(&mut self, end: usize) {
        let passed = self.passed();
        let thread = &mut self.threads[self.running];
        let end = end.min(passed.len());
        for id in passed.get(thread.counted..end).unwrap_or(&[]) {
            *thread.counts.entry(self.table.origins.of(*id)).or_default() += 1;
        }
        thread.counted = thread.counted.max(end);
    }

    /// Writes down the choice that the operation has made, if it has.
    fn choose(&mut self) {
        let values = std::mem::take(&mut self.values);
        let Some((id, at)) = self.here.clone().filter(|_| !values.is_empty()) else { return };
        let number = values.iter().fold(0u128, |number, value| number << 32 | u128::from(*value));
        let (kind, value) = match self.table.ops.get(&id) {
            Some(Op::Nondet { kind, ty: Ty::Int(width), .. }) if *width < 128 => {
                (ChoiceLabel::Kind(*kind), number & ((1 << width) - 1))
            }
            Some(Op::Nondet { kind, .. }) => (ChoiceLabel::Kind(*kind), number),
            Some(Op::Input { .. }) => (ChoiceLabel::Input, u128::from((number as u32 % 257).wrapping_sub(1))),
            Some(Op::CmpXchg(_)) => (ChoiceLabel::Kind(ChoiceKind::WeakFail), number & 1),
            _ => return,
        };
        self.trace.choices.push(TraceChoice { at, kind, value });
    }

    /// Lists the last step of the thread that has run.
    fn end_turn(&mut self) {
        self.trace.steps.extend(self.threads[self.running].last.take());
    }

    fn finish(mut self) -> Execution {
        self.choose();
        let (check, at) = match self.phase {
            Phase::Question(check) => {
                let mut asked = std::mem::take(&mut self.asked);
                // An access in an atomic section is seen when the section is entered; the other thread stands before its own.
                if let (Some(inside), Some(last)) = (self.inside.take(), asked.last_mut()) {
                    *last = inside;
                }
                (Some(check), asked)
            }
            Phase::Thread | Phase::Driver => {
                self.end_turn();
                let here = self.here.take();
                let check = here.as_ref().and_then(|(id, _)| match self.table.ops.get(id)? {
                    Op::Assert { check, .. } => Some(*check),
                    Op::Unlock { .. } => Some(Check::LockMisuse),
                    _ => None,
                });
                (check, here.into_iter().map(|(_, op)| op).collect())
            }
        };
        Execution { check, at, trace: self.trace }
    }
}
