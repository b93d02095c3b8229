//! The bounded program: what `unwind` makes and the engines encode.
//!
//! A *node* is a point in the order of an execution: a visible step of a thread, an atomic section as a
//! whole. *Accesses* happen at nodes; those of one node happen in the order of the list, at one time.
//! Nodes and accesses have conditions under which they are executed; a node that is not executed keeps
//! its place in its thread's order. *Obligations* are what should not be reachable.

use braid_base::faults::{Fault, active};
use braid_base::{IndexVec, define_ids};
use braid_ir::{ChoiceKind, FuncId, InstrId, Loc};
use braid_logic::Term;
use braid_props::Check;
use braid_symex::{Layout, LogRef, Memory, Objects, Taint, ThreadIx};
use std::rc::Rc;

define_ids! {
    /// A point in the order.
    NodeId "n";
}

#[derive(Clone, Copy, Debug)]
pub struct LogEntry {
    pub func: FuncId,
    pub instr: InstrId,
    pub loc: Loc,
    /// Bool: whether it is executed.
    pub guard: Term,
}

#[derive(Clone, Debug)]
pub struct Thread {
    /// The node of the `spawn` and its thread.
    pub parent: Option<NodeId>,
    /// All of it is here; not yet while it is being unwound.
    pub unwound: bool,
    /// Its function returns nothing: the joiner gets any value.
    pub void: bool,
    /// The number of its handle's object.
    pub handle: u32,
    /// In order.
    pub nodes: Vec<NodeId>,
    /// Bool: it comes to its end.
    pub finished: Term,
    /// What it leaves to its joiner.
    pub result: Term,
    /// What it executes, in an order that keeps that of every path.
    pub log: Vec<LogEntry>,
    /// The symbols made while it was unwound, from the first to the one after the last; others that it has
    /// started have theirs among them.
    pub symbols: (usize, usize),
}

#[derive(Clone, Debug)]
pub struct Node {
    pub thread: ThreadIx,
    /// Position in the thread.
    pub index: u32,
    /// Bool.
    pub executed: Term,
    pub log: LogRef,
    /// Starts this thread.
    pub spawns: Option<ThreadIx>,
}

/// What an access is to: contents, the state of models, or whether the object lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Area {
    Memory,
    Shadow,
    /// One bit per object, true while it lives; the offset does not matter.
    Life,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// The value read: a symbol.
    Read(Term),
    Write(Term),
}

#[derive(Clone, Debug)]
pub struct Access {
    pub node: NodeId,
    /// Bool: executed, and to memory that others may see.
    pub guard: Term,
    pub area: Area,
    pub pointer: Term,
    pub bytes: u32,
    pub way: Way,
    /// The objects it may touch, ascending; everything that others may see, without.
    pub objects: Option<Rc<[u32]>>,
    /// How it counts for data races, if it does.
    pub racy: Option<Racy>,
    /// The operation on a lock that looks at its word, or sets it.
    pub lock: Option<LockUse>,
    /// What a written value owes to addresses; of a read, what it takes without making a number of it: an address, if
    /// it reads a whole pointer.
    pub taint: Taint,
}

impl Access {
    /// Returns true if it reads a whole pointer.
    pub fn reads_pointer(&self) -> bool {
        matches!(self.way, Way::Read(_)) && self.taint == Taint::Address
    }

    /// Returns true if `read` makes a number of an address, should it take its value from this write.
    pub fn becomes_number(&self, read: &Access) -> bool {
        self.taint > Taint::Loaded && !read.reads_pointer()
    }
}

/// What an operation does to the word of a lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockUse {
    /// Takes it, once it is free.
    Take,
    /// Takes it if it is free, which the term says.
    Try(Term),
    Give,
}

/// What data races depend on, besides address and order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Racy {
    pub log: LogRef,
    pub atomic: bool,
    /// Inside an atomic section.
    pub section: bool,
    /// By `free`, which counts as a write of the whole object.
    pub frees: bool,
    /// The write of a compare-and-exchange: whether it happens depends on what the same step reads.
    pub exchanges: bool,
    /// In a library model, whose own variables do not count.
    pub internal: bool,
    /// Bytes before and after it that belong to the same memory location.
    pub extent: (u16, u16),
}

/// A `join`: it waits for a thread whose handle is this.
#[derive(Clone, Debug)]
pub struct Join {
    pub node: NodeId,
    /// Bool.
    pub guard: Term,
    pub handle: Term,
    /// The thread, if the handle is a constant.
    pub thread: Option<ThreadIx>,
    /// The thread's result, or a symbol for it.
    pub result: Term,
}

/// A step at which a thread may have to wait.
#[derive(Clone, Debug)]
pub struct Wait {
    pub thread: ThreadIx,
    /// The node before it, or the start of the thread.
    pub before: Option<NodeId>,
    /// Its own node; none if the thread does nothing after it that others could see.
    pub node: Option<NodeId>,
    /// What the thread executes next, if there is no node.
    pub log: Option<LogRef>,
    /// Bool: the thread comes here, and the wait is asked about.
    pub reached: Term,
    /// Why it would have to wait at the probe.
    pub refusals: Vec<Refusal>,
}

#[derive(Clone, Debug)]
pub struct Refusal {
    /// Bool.
    pub guard: Term,
    pub by: Obstacle,
}

/// What a thread waits for.
#[derive(Clone, Debug)]
pub enum Obstacle {
    /// A lock: conditions, and under each the number of a thread that holds it.
    Lock { holders: Vec<(Term, Term)> },
    /// The end of the thread with this handle, unless it has ended.
    Join { handle: Term },
    /// Nobody in particular.
    Condition,
    /// It does not wait but goes round in a loop.
    Spins,
}

/// After this no other thread does anything: the end of the program, or a section left in the middle.
#[derive(Clone, Copy, Debug)]
pub struct End {
    pub node: NodeId,
    /// Bool.
    pub guard: Term,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    Violation(Check),
    /// The loop goes on.
    Loop {
        function: FuncId,
        bound: u32,
    },
    Recursion {
        function: FuncId,
        bound: u32,
    },
    Threads {
        bound: u32,
    },
    Unsupported(String),
    /// The program stands for only part of the behaviour of the C program from here on.
    Partial {
        what: String,
        bound: bool,
    },
    /// Invalid, but not checked.
    Invalid(Check),
    /// The program ends with a heap block that was not freed.
    MayBeLost,
    Addresses,
    /// The same, if two of these threads may have the same id; all of them, without a list. With `running`, which is
    /// there at that moment, only if it may have got the id of another one that was gone.
    ThreadIds {
        threads: Option<Rc<[ThreadIx]>>,
        running: Option<ThreadIx>,
    },
    /// The same, if a read of shared memory makes a number of an address.
    LoadedAddresses,
    /// The same, if a pointer is read that is no whole one.
    TornPointers,
    /// The same, if an address that was moved before its object is near null.
    StrayAddresses,
    /// The same of what happens in a section, if it is refused.
    Refused {
        node: NodeId,
        /// Bool.
        entered: Term,
        doubt: Doubt,
    },
}

impl What {
    /// Returns true for obligations that say: control depends on where objects lie.
    pub fn is_address(&self) -> bool {
        match self {
            What::Addresses
            | What::LoadedAddresses
            | What::TornPointers
            | What::StrayAddresses
            | What::Refused { .. }
            | What::ThreadIds { .. } => true,
            What::Violation(_)
            | What::Loop { .. }
            | What::Recursion { .. }
            | What::Threads { .. }
            | What::Unsupported(_)
            | What::Partial { .. }
            | What::Invalid(_)
            | What::MayBeLost => false,
        }
    }

    /// Returns true for obligations that larger bounds may discharge.
    pub fn is_bound(&self) -> bool {
        match self {
            What::Loop { .. } | What::Recursion { .. } | What::Threads { .. } => true,
            What::Violation(_)
            | What::Unsupported(_)
            | What::Partial { .. }
            | What::Invalid(_)
            | What::MayBeLost
            | What::Addresses
            | What::ThreadIds { .. }
            | What::LoadedAddresses
            | What::TornPointers
            | What::StrayAddresses
            | What::Refused { .. } => false,
        }
    }
}

/// When it matters to a section that is refused where objects lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doubt {
    Always,
    /// If it reads numbers where addresses may be.
    Loaded,
    /// If threads may have the same id.
    Ids,
}

/// Something that should not happen.
#[derive(Clone, Debug)]
pub struct Obligation {
    pub thread: ThreadIx,
    /// The last node before it in its thread.
    pub after: Option<NodeId>,
    /// Bool.
    pub reached: Term,
    pub what: What,
    pub place: Loc,
    pub log: Option<LogRef>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChoiceOf {
    Kind(ChoiceKind),
    Input,
}

/// A value that the program leaves open.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    pub log: LogRef,
    pub of: ChoiceOf,
    pub value: Term,
}

/// Something that executions may come to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MarkOf {
    /// An instruction is executed.
    Executed(InstrId),
    /// An assumption holds.
    Passed(InstrId),
    /// A function begins.
    Entered(FuncId),
}

/// When an execution comes to something.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    pub of: MarkOf,
    /// Bool.
    pub guard: Term,
}

pub struct Bounded {
    pub layout: Layout,
    pub threads: IndexVec<ThreadIx, Thread>,
    pub nodes: IndexVec<NodeId, Node>,
    /// Those of a thread in the order of its nodes.
    pub accesses: Vec<Access>,
    pub joins: Vec<Join>,
    pub waits: Vec<Wait>,
    /// The state in which waits are looked at; it has a thread of its own, in which nothing else is.
    pub probe: Option<NodeId>,
    /// Which operation started which thread.
    pub spawned: Vec<(LogRef, ThreadIx)>,
    pub ends: Vec<End>,
    pub obligations: Vec<Obligation>,
    /// Hold in every execution.
    pub constraints: Vec<Term>,
    pub choices: Vec<Choice>,
    /// When executions come to what was asked about.
    pub marks: Vec<Mark>,
    pub objects: Objects,
    /// Memory when the first thread was started.
    pub initial: Memory,
    /// The facts rely on `one_use`, and a thread may be used more than once, or a condition variable with two mutexes:
    /// this program is not to be trusted.
    pub refutes_one_use: bool,
}

impl Bounded {
    /// Returns true for the thread of the probe, which is not a thread of the program.
    pub fn is_probe(&self, thread: ThreadIx) -> bool {
        self.probe.is_some_and(|probe| self.nodes[probe].thread == thread)
    }

    /// The number by which locks know a thread.
    pub fn number_of(thread: ThreadIx) -> u32 {
        thread.0 + 1
    }

    /// Returns true if `a` certainly precedes `b`: in the same thread, or `b` is in a thread started after `a`.
    pub fn is_before(&self, a: NodeId, b: NodeId) -> bool {
        let first = &self.nodes[a];
        let mut at = b;
        loop {
            let node = &self.nodes[at];
            if node.thread == first.thread {
                return first.index < node.index || (at != b && at == a);
            }
            match self.threads[node.thread].parent {
                Some(parent) if !active(Fault::StartEdgeDropped) => at = parent,
                Some(_) => return false,
                None => return false,
            }
        }
    }

    /// Calls `see` on every term of the program, in a fixed order.
    pub fn each_term(&self, see: &mut dyn FnMut(Term)) {
        self.nodes.iter().for_each(|node| see(node.executed));
        for access in &self.accesses {
            let value = match access.way {
                Way::Read(value) | Way::Write(value) => value,
            };
            [access.guard, access.pointer, value].into_iter().for_each(&mut *see);
            if let Some(LockUse::Try(free)) = access.lock {
                see(free);
            }
        }
        for join in &self.joins {
            [join.guard, join.handle, join.result].into_iter().for_each(&mut *see);
        }
        for wait in &self.waits {
            see(wait.reached);
            for refusal in &wait.refusals {
                see(refusal.guard);
                match &refusal.by {
                    Obstacle::Lock { holders } => {
                        holders.iter().flat_map(|(there, number)| [*there, *number]).for_each(&mut *see);
                    }
                    Obstacle::Join { handle } => see(*handle),
                    Obstacle::Condition | Obstacle::Spins => {}
                }
            }
        }
        self.ends.iter().for_each(|end| see(end.guard));
        self.obligations.iter().for_each(|obligation| see(obligation.reached));
        self.constraints.iter().for_each(|term| see(*term));
        self.choices.iter().for_each(|choice| see(choice.value));
        self.marks.iter().for_each(|mark| see(mark.guard));
        for thread in self.threads.iter() {
            [thread.finished, thread.result].into_iter().for_each(&mut *see);
        }
    }
}
