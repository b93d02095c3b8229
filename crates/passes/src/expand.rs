//! One walker behind two passes: [`crate::inline_calls`] copies the bodies of callees into the functions in which threads
//! begin, [`crate::unroll_loops`] copies the iterations of loops as well.
//!
//! **Walk.** The walker follows a function's blocks in weak topological order ([`braid_analysis::wto`]), so that all
//! edges into a block are known when it is copied, except those that lead back to the head of a loop. Where control
//! arrives at a block of the source, a block of the new function is begun and what is known on the paths that arrive is
//! merged ([`Point`]); when its turn comes its code is copied. A call is walked in place: its returns jump to one new
//! block. A loop is either kept (its head is copied once and edges back lead there) or copied iteration by iteration
//! (`loops`).
//!
//! **Values.** For each point it is known which registers are constants ([`known`]), which gives the values of
//! expressions, decides branches, names the functions behind pointers and the values of loads from memory that nobody
//! writes ([`fixed`]). When loops are unrolled, the contents of memory that only the thread can reach are known as well
//! ([`private`]). Registers are not renamed per copy: an assignment is copied as it is, with its value in place of
//! the expression, and dropped at the end if nobody reads it ([`tidy`]).
//!
//! **Activations** have registers and frame objects of their own, used again by later activations of the same function.
//! The end of a frame is spelled out at each return: frame objects and stack blocks end their lives, registers
//! that may hold the address of a heap block are cleared (a block that only a dead register points to is lost), an
//! atomic function's section ends.
//!
//! **Library code.** Instructions copied from a model are marked ([`Instr::internal`]) and stand at the user's call, so
//! that reports and data races are those of the source program.
//!
//! *Claim*: the new program has the executions of the source, up to steps that nobody can see, except those that come to
//! a cut; a cut is a [`Op::Partial`] before an `assume` that fails. *Relies on*: points-to sets and constants
//! ([`Facts`]), which are over-approximations; registers that are set before they are read in each activation. *Proof*:
//! each block of the new program is a copy of one of the source in one activation; a known value holds on every path that
//! arrives, because paths are merged by intersection and registers that a kept loop sets are forgotten at its head.
//! *Fault*: a merge that keeps the values of one path; the tests of `unroll_loops` and the comparison of explorations
//! before and after the passes notice it.

mod call;
mod draft;
mod fixed;
mod known;
mod leave;
mod loops;
mod point;
mod private;
mod rename;
mod threads;
mod tidy;
mod walk;

use braid_analysis::wto::Element;
use braid_analysis::{Facts, InstanceId};
use braid_base::{HashMap, IndexVec, Symbol};
use braid_ir::*;
use braid_props::CheckSet;
use draft::Draft;
use fixed::Written;
use known::Folder;
use point::{Frame, Weights};
use std::rc::Rc;
use threads::Job;

/// A program without calls, or without calls and loops.
#[derive(Clone, Debug)]
pub struct Expanded {
    pub program: Program,
    pub origins: Origins,
    /// The functions in which threads begin; the first is the program's entry.
    pub threads: Vec<ThreadInstance>,
    pub cuts: Vec<Cut>,
    /// The copies of the heads of loops that are cut, if they were asked for.
    pub heads: Vec<LoopHeads>,
}

/// The copies of the head of a loop that is cut: the first one, and one behind each iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopHeads {
    /// The function of the new program.
    pub func: FuncId,
    pub place: Loc,
    pub copies: Vec<Head>,
    /// The `partial`s of this loop and of those in it.
    pub cuts: Vec<InstrId>,
}

/// A copy of the head of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// An `assume` that always holds, at which the copy begins.
    pub instr: InstrId,
    /// The values of the registers that are live in the source, in the same order in each copy of a head.
    pub state: Vec<Operand>,
}

/// The instruction of the source program that each new one was made for.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    /// Below are the ids of the source program.
    first: u32,
    list: Vec<InstrId>,
}

impl Origins {
    /// The instruction of the source program. That of a pass's own instruction is the call, return or start of a thread it
    /// was made for.
    pub fn of(&self, id: InstrId) -> InstrId {
        id.0.checked_sub(self.first).map_or(id, |index| self.list[index as usize])
    }
}

/// A function in which a thread begins.
#[derive(Clone, PartialEq, Debug)]
pub struct ThreadInstance {
    pub func: FuncId,
    /// The function of the source program.
    pub original: FuncId,
    /// For a thread that is started at one place only: the `spawn` of the new program that starts it, after that which
    /// starts the thread it is started by, and so on; empty for the first thread.
    pub spawns: Vec<InstrId>,
    /// For each block of the function, the instructions that an execution of the source passes there: those of the block,
    /// and assignments that were dropped because nobody reads them, such as loads of known values.
    pub passed: IndexVec<BlockId, Vec<InstrId>>,
}

/// A place behind which executions are left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cut {
    /// The `partial` of the new program.
    pub instr: InstrId,
    pub what: Symbol,
    /// The loop, or the call.
    pub place: Loc,
    pub bound: u32,
}

/// Why a program is not expanded, and the place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// More instructions than the limit; the place of the loop or call that grew.
    TooLarge {
        limit: usize,
        place: Loc,
    },
    /// A call or a start of a thread through a pointer of which nothing is known.
    UnknownFunction {
        place: Loc,
    },
    /// A stack block made in a loop that is kept, which lives longer than an iteration.
    StackBlock {
        place: Loc,
    },
    NoEntry,
}

impl Refused {
    pub fn place(self) -> Loc {
        match self {
            Refused::TooLarge { place, .. }
            | Refused::UnknownFunction { place }
            | Refused::StackBlock { place } => place,
            Refused::NoEntry => Loc::NONE,
        }
    }
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refused::TooLarge { limit, .. } => {
                write!(f, "too large: more than {limit} instructions within the bounds")
            }
            Refused::UnknownFunction { .. } => f.write_str("call through a pointer that is not known"),
            Refused::StackBlock { .. } => {
                f.write_str("a block of the stack made in a loop, which lives longer than an iteration")
            }
            Refused::NoEntry => f.write_str("the program has no entry point"),
        }
    }
}

impl std::error::Error for Refused {}

/// The bound of a loop: its function, its number there, its place.
pub type LoopBound<'a> = &'a dyn Fn(FuncId, u32, Loc) -> u32;

/// The parts of a program that are expanded.
pub(crate) struct Plan<'a> {
    /// Functions whose calls stay.
    pub keep: &'a dyn Fn(FuncId) -> bool,
    /// How loops are unrolled, unless they are kept.
    pub unroll: Option<LoopBound<'a>>,
    /// Calls of a function from within itself whose number is not known beforehand.
    pub recursion: u32,
    /// Checks whose violation ends an execution.
    pub checks: CheckSet,
    /// Instructions made at most.
    pub most: usize,
    /// The heads of loops that are cut are marked.
    pub heads: bool,
}

pub(crate) type Walk<T = ()> = Result<T, Refused>;

pub(crate) struct Walker<'a> {
    program: &'a Program,
    facts: &'a Facts,
    plan: &'a Plan<'a>,
    /// The program that is made.
    out: Program,
    origins: Origins,
    threads: Vec<ThreadInstance>,
    cuts: Vec<Cut>,
    heads: Vec<LoopHeads>,
    written: Written,
    /// Threads that are started and not walked yet.
    jobs: Vec<Job>,
    orders: HashMap<FuncId, Rc<Vec<Element>>>,
    /// Registers that may hold the address of a heap block.
    known_holders: HashMap<(FuncId, Option<InstanceId>), Rc<Vec<usize>>>,
    weights: Weights,
    /// Lives of frame objects so far.
    lives: u32,
    /// The function that is made, and the activations that lead to where the walker is.
    draft: Draft,
    stack: Vec<Frame<'a>>,
    job: Job,
    /// Loops and calls the walker is in: place, and the instructions made when it came there.
    growing: Vec<(Loc, usize)>,
    made: usize,
}

/// Expands the functions in which threads begin.
pub(crate) fn expand(program: &Program, facts: &Facts, plan: &Plan) -> Walk<Expanded> {
    assert!(!facts.options.one_use, "what is only guessed is no base of a pass");
    let entry = program.entry.ok_or(Refused::NoEntry)?;
    let mut walker = Walker {
        program,
        facts,
        plan,
        out: program.clone(),
        origins: Origins { first: program.next_instr, list: Vec::new() },
        threads: Vec::new(),
        cuts: Vec::new(),
        heads: Vec::new(),
        written: Written::new(program, facts),
        jobs: Vec::new(),
        orders: HashMap::default(),
        known_holders: HashMap::default(),
        weights: Weights::default(),
        lives: 0,
        draft: Draft::default(),
        stack: Vec::new(),
        job: Job::first(entry, facts.calls.entry),
        growing: Vec::new(),
        made: 0,
    };
    // The frame of `main`, whose objects outlive it, is no frame any more.
    walker.out.main = None;
    walker.jobs.push(walker.job.clone());
    if plan.unroll.is_none() {
        walker.add_roots();
    }
    let mut next = 0;
    while next < walker.jobs.len() {
        walker.job = walker.jobs[next].clone();
        walker.root()?;
        next += 1;
    }
    walker.drop_bodies();
    let Walker { out, origins, threads, cuts, heads, .. } = walker;
    Ok(Expanded { program: out, origins, threads, cuts, heads })
}

impl<'a> Walker<'a> {
    fn folder(&mut self) -> Folder<'_> {
        let pointer_bits = self.program.pointer_bytes * 8;
        Folder { pool: &mut self.out.consts, pointer_bits }
    }

    fn frame(&self) -> &Frame<'a> {
        self.stack.last().expect("code is in a function")
    }

    fn frame_mut(&mut self) -> &mut Frame<'a> {
        self.stack.last_mut().expect("code is in a function")
    }

    /// An id for an instruction that is made for one of the source program.
    fn fresh(&mut self, origin: InstrId) -> InstrId {
        self.origins.list.push(origin);
        self.made += 1;
        self.out.next_instr += 1;
        InstrId(self.out.next_instr - 1)
    }

    /// Appends an instruction that is made for one of the source program.
    fn emit(&mut self, block: BlockId, (origin, loc): (InstrId, Loc), op: Op) -> InstrId {
        let id = self.fresh(origin);
        let frame = self.frame();
        let (loc, internal) = (frame.place(loc), frame.function.internal);
        self.draft.blocks[block].instrs.push(Instr { id, loc, op, internal });
        id
    }

    fn end(&mut self, block: BlockId, (origin, loc): (InstrId, Loc), kind: TermKind) {
        let id = self.fresh(origin);
        let loc = self.frame().place(loc);
        self.draft.blocks[block].end = Some(Terminator { id, loc, kind });
    }

    fn constant(&mut self, value: Const) -> Operand {
        Operand::Const(self.out.consts.intern(value))
    }

    /// The instances of a function that a call or start of a thread may lead to from where the walker is.
    fn instances(&self, instr: InstrId) -> Vec<InstanceId> {
        let pointers = &self.facts.pointers;
        let frame = self.frame();
        let one = frame.instance.as_slice();
        let from = if one.is_empty() { pointers.instances_of(frame.func) } else { one };
        let reached = |from: &InstanceId| {
            pointers.callees(*from, instr).chain(pointers.spawned(*from, instr)).collect::<Vec<_>>()
        };
        from.iter().flat_map(reached).collect()
    }

    /// Fails if the program has become too large.
    fn check_size(&self) -> Walk {
        let limit = self.plan.most;
        if self.made <= limit {
            return Ok(());
        }
        // The innermost that made half of it; an outer one contains more, but names less.
        let grown = |(_, before): &&(Loc, usize)| self.made - before >= limit / 2;
        let place = self.growing.iter().rev().find(grown).or(self.growing.first());
        let place = place.map_or(Loc::NONE, |(place, _)| *place);
        Err(Refused::TooLarge { limit, place })
    }

    /// Takes the bodies of functions that nothing calls any more. Handlers of signals keep theirs: which variables they
    /// write matters to loops that wait.
    fn drop_bodies(&mut self) {
        let kept_loops = self.plan.unroll.is_none();
        if kept_loops && self.program.functions.iter().any(|f| f.installs_handlers && !f.blocks.is_empty()) {
            return;
        }
        let mut needed: IndexVec<FuncId, bool> = self.out.functions.iter().map(|_| false).collect();
        let mut waiting: Vec<FuncId> = self.threads.iter().map(|thread| thread.func).collect();
        while let Some(func) = waiting.pop() {
            if std::mem::replace(&mut needed[func], true) {
                continue;
            }
            for instr in self.out.functions[func].blocks.iter().flat_map(|block| &block.instrs) {
                let Op::Call { callee, .. } = &instr.op else { continue };
                match callee {
                    Callee::Direct(callee) => waiting.push(*callee),
                    Callee::Pointer(_) => {
                        let pointers = &self.facts.pointers;
                        let callees = pointers.instances_of(func).iter();
                        let callees = callees.flat_map(|from| pointers.callees(*from, instr.id));
                        waiting.extend(callees.map(|id| pointers.instances()[id].func));
                    }
                }
            }
        }
        for (function, needed) in self.out.functions.iter_mut().zip(&needed) {
            if !needed {
                function.blocks = IndexVec::new();
                function.locals = IndexVec::new();
                let params = function.params.iter().map(|param| function.regs[*param].clone()).collect();
                function.params = (0..function.params.len() as u32).map(RegId).collect();
                function.regs = params;
            }
        }
    }
}
