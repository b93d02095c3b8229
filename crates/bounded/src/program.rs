//! The data of a bounded program: `unwind` produces it, the engines encode it.
//!
//! A *node* is a point in the order of an execution: one visible step of a thread, or an atomic section as a whole.
//! *Accesses* happen at nodes; the accesses of one node happen in the order of the list, at one time. Nodes and
//! accesses have guards, the conditions under which they are executed; a node that is not executed keeps its place in
//! program order. *Obligations* are conditions that must not be reachable: violations of properties, unwinding
//! assertions (Clarke, Kroening, Lerda, TACAS 2004), and everything that would invalidate a proof.

use braid_base::faults::active;
use braid_base::{IndexVec, define_ids};
use braid_ir::{FuncId, InstrId, Loc};
use braid_logic::Term;
use braid_props::Check;
use braid_symex::step::Hazard;
pub use braid_symex::step::{ChoiceOf, LockUse};
use braid_symex::{Layout, LogRef, Memory, ObjectNo, Objects, Taint, ThreadIx};
use std::rc::Rc;

define_ids! {
    /// A point in the order.
    NodeId "n";
    /// An access of shared memory.
    AccessId "a";
    /// A critical section of a lock: the number of its acquire in the group of the lock.
    SectionId "s";
}

/// An instruction that a thread may execute.
#[derive(Clone, Copy, Debug)]
pub struct LogEntry {
    pub func: FuncId,
    pub instr: InstrId,
    pub loc: Loc,
    /// Bool: the instruction is executed.
    pub guard: Term,
}

/// A thread instance.
#[derive(Clone, Debug)]
pub struct Thread {
    /// The node at which the thread is started; none for the first thread.
    pub parent: Option<NodeId>,
    /// True once the thread is complete; false while it is being unwound.
    pub unwound: bool,
    /// True if the thread's function returns nothing: a joiner gets an arbitrary value.
    pub void: bool,
    /// The number of the object that stands for the thread's handle.
    pub handle: ObjectNo,
    /// The nodes in program order.
    pub nodes: Vec<NodeId>,
    /// Bool: the thread comes to its end.
    pub finished: Term,
    /// The value that a join of the thread returns.
    pub result: Term,
    /// The instructions of the thread, in an order that contains the order of every path.
    pub log: Vec<LogEntry>,
    /// The range of symbols made while the thread was unwound, end exclusive. It includes the symbols of threads that
    /// this thread has started.
    pub symbols: (usize, usize),
}

/// A point in the order, of one thread.
#[derive(Clone, Debug)]
pub struct Node {
    pub thread: ThreadIx,
    /// The position in the thread.
    pub index: u32,
    /// Bool: the node is executed.
    pub executed: Term,
    pub log: LogRef,
    /// The thread that the node starts.
    pub spawns: Option<ThreadIx>,
}

/// The kind of memory that an access is to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Area {
    /// The contents of objects.
    Memory,
    /// Shadow memory: the state of synchronisation objects, under their address.
    Shadow,
    /// One byte per object: 1 while the object lives, 0 otherwise. The offset does not matter.
    Life,
}

/// The direction of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// A read, with the symbol of the value read.
    Read(Term),
    /// A write, with the value written.
    Write(Term),
}

/// A read or a write of shared memory.
#[derive(Clone, Debug)]
pub struct Access {
    pub node: NodeId,
    /// Bool: the access is executed, and goes to shared memory.
    pub guard: Term,
    pub area: Area,
    pub pointer: Term,
    pub bytes: u32,
    pub way: Way,
    /// The objects that the access may touch, ascending. Unwinding fills the list in when all objects are known; in a
    /// well-formed program it is there.
    pub objects: Option<Rc<[ObjectNo]>>,
    /// The facts that data races depend on; none for an access that never races.
    pub racy: Option<Racy>,
    /// The lock operation that reads or writes the lock's word by this access.
    pub lock: Option<LockUse>,
    /// The dependence of a written value on addresses. For a read: an address if a whole pointer is read.
    pub taint: Taint,
}

impl Access {
    /// Returns true if the access reads a whole pointer.
    pub fn reads_pointer(&self) -> bool {
        matches!(self.way, Way::Read(_)) && self.taint == Taint::Address
    }

    /// Returns true if `read` would use an address as a number, should it read from this write.
    pub fn becomes_number(&self, read: &Access) -> bool {
        self.taint > Taint::Loaded && !read.reads_pointer()
    }
}

/// The facts that data races depend on, besides address and order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Racy {
    pub log: LogRef,
    /// True for an atomic access.
    pub atomic: bool,
    /// True inside an atomic section.
    pub section: bool,
    /// True for `free`, which counts as a write of the whole object.
    pub frees: bool,
    /// True for the write of a compare-and-exchange, which happens or not depending on the read of the same step.
    pub exchanges: bool,
    /// True in a library model, whose own variables do not count.
    pub internal: bool,
    /// Bytes before and after the access that belong to the same memory location.
    pub extent: (u16, u16),
}

/// A `join`, which waits for the thread with this handle.
#[derive(Clone, Debug)]
pub struct Join {
    pub node: NodeId,
    /// Bool: the join is executed.
    pub guard: Term,
    pub handle: Term,
    /// The joined thread, if the handle is a constant.
    pub thread: Option<ThreadIx>,
    /// The joined thread's result, or a symbol for it.
    pub result: Term,
}

/// A step at which a thread may block.
#[derive(Clone, Debug)]
pub struct Wait {
    pub thread: ThreadIx,
    /// The node before the step, which may be the one that starts the thread; none at the beginning of the first
    /// thread.
    pub before: Option<NodeId>,
    /// The step's own node; none if the thread makes no visible step from here on.
    pub node: Option<NodeId>,
    /// The next instruction of the thread, if there is no node.
    pub log: Option<LogRef>,
    /// Bool: the thread comes here, and deadlock asks about the wait.
    pub reached: Term,
    /// The reasons for which the thread would block in the state of the probe.
    pub refusals: Vec<Refusal>,
}

/// A reason for which a thread would block.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// Bool: the reason applies.
    pub guard: Term,
    pub by: Obstacle,
}

/// The cause of blocking.
#[derive(Clone, Debug)]
pub enum Obstacle {
    /// A lock: conditions, and under each the number of a thread that holds the lock.
    Lock { holders: Vec<(Term, Term)> },
    /// The end of the thread with this handle, unless it has ended.
    Join { handle: Term },
    /// A condition, which no particular thread has to establish.
    Condition,
    /// None: the thread does not block but spins in a loop.
    Spins,
}

/// A node after which no other thread makes a step: the end of the program, or an atomic section left in the middle.
#[derive(Clone, Copy, Debug)]
pub struct End {
    pub node: NodeId,
    /// Bool: the end is reached.
    pub guard: Term,
    /// True for the return of `main`.
    pub returns: bool,
}

/// The kind of an obligation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// A property is violated.
    Violation(Check),
    /// An unwinding assertion: the loop goes on after `bound` iterations.
    Loop { function: FuncId, bound: u32 },
    /// A recursion assertion: the function calls itself at depth `bound`.
    Recursion { function: FuncId, bound: u32 },
    /// More than `bound` threads are started.
    Threads { bound: u32 },
    /// An operation that is not supported.
    Unsupported(String),
    /// From here on the program stands for only part of the behaviour of the C program, because a library model leaves
    /// some out or, if `bound` is true, because of a bound that the user can raise.
    Partial { what: String, bound: bool },
    /// An invalid access of a kind that is not checked: nothing is known of what follows.
    Invalid(Check),
    /// The program ends with a heap block that was not freed and may be leaked.
    MayBeLost,
    /// Control depends on the addresses of objects.
    Addresses,
    /// Control depends on thread ids: two of these threads may have the same id (without a list, any two threads).
    /// With `running`, a thread that is alive at that moment, only if it may have got the id of one that was gone.
    ThreadIds { threads: Option<Rc<[ThreadIx]>>, running: Option<ThreadIx> },
    /// Control depends on addresses if a read of shared memory uses an address as a number.
    LoadedAddresses,
    /// Control depends on addresses if a pointer is read of which not all bytes come from one pointer.
    TornPointers,
    /// Control depends on addresses if a pointer moved to before its object is compared near null.
    OutOfObject,
    /// A thread comes to an atomic section and does not enter it, and this may depend on addresses.
    Refused {
        node: NodeId,
        /// Bool: the section is entered.
        entered: Term,
        doubt: Doubt,
    },
}

impl From<Hazard> for What {
    fn from(hazard: Hazard) -> What {
        match hazard {
            Hazard::Violation(check) => What::Violation(check),
            Hazard::Invalid(check) => What::Invalid(check),
            Hazard::Unsupported(what) => What::Unsupported(what),
            Hazard::Partial { what, bound } => What::Partial { what, bound },
            Hazard::Addresses => What::Addresses,
            Hazard::LoadedAddresses => What::LoadedAddresses,
            Hazard::OutOfObject => What::OutOfObject,
        }
    }
}

impl What {
    /// Returns true for obligations that say: control depends on where objects lie.
    pub fn is_address(&self) -> bool {
        match self {
            What::Addresses
            | What::LoadedAddresses
            | What::TornPointers
            | What::OutOfObject
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
            | What::OutOfObject
            | What::Refused { .. } => false,
        }
    }
}

/// The condition under which it depends on addresses whether an atomic section is entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doubt {
    /// It depends on addresses in any case.
    Always,
    /// It depends on addresses if a read of the section may use an address as a number.
    Loaded,
    /// It depends on addresses if two threads may have the same id.
    Ids,
}

/// A condition that must not be reachable.
#[derive(Clone, Debug)]
pub struct Obligation {
    pub thread: ThreadIx,
    /// The last node before it in its thread, or the start of the thread.
    pub after: Option<NodeId>,
    /// Bool: the condition is reached.
    pub reached: Term,
    pub what: What,
    pub place: Loc,
    pub log: Option<LogRef>,
}

/// A value that the program leaves open.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    pub log: LogRef,
    pub of: ChoiceOf,
    pub value: Term,
}

/// An event whose reachability is reported with a proof (coverage).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MarkOf {
    /// An instruction is executed.
    Executed(InstrId),
    /// An assumption holds.
    Passed(InstrId),
    /// A function begins.
    Entered(FuncId),
}

/// The condition under which an execution comes to a mark.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    pub of: MarkOf,
    pub thread: ThreadIx,
    /// The last node before it in its thread, or the start of the thread.
    pub after: Option<NodeId>,
    /// Bool: the execution comes to it.
    pub guard: Term,
}

/// A program within bounds.
pub struct Bounded {
    pub layout: Layout,
    pub threads: IndexVec<ThreadIx, Thread>,
    pub nodes: IndexVec<NodeId, Node>,
    /// All accesses; those of a thread are in program order.
    pub accesses: IndexVec<AccessId, Access>,
    pub joins: Vec<Join>,
    pub waits: Vec<Wait>,
    /// The probe: the state that deadlock asks about. It is the only node of a thread of its own.
    pub probe: Option<NodeId>,
    /// The operation that started each thread.
    pub spawned: Vec<(LogRef, ThreadIx)>,
    pub ends: Vec<End>,
    pub obligations: Vec<Obligation>,
    /// Conditions that hold in every execution.
    pub constraints: Vec<Term>,
    pub choices: Vec<Choice>,
    /// Conditions of the marks that were asked about.
    pub marks: Vec<Mark>,
    pub objects: Objects,
    /// The contents of memory when the first thread is started.
    pub initial: Memory,
    /// True if the static analyses assumed `one_use` and this program refutes it: a thread may be joined, detached or
    /// asked about more than once, or threads may wait at one condition variable with two mutexes. The caller must
    /// discard the program.
    pub refutes_one_use: bool,
    /// True if a thread in which no node has been executed stands before its first visible step. Otherwise steps that
    /// nobody else can notice have no nodes.
    pub first_steps: bool,
}

impl Bounded {
    /// Returns true for the thread of the probe, which is not a thread of the program.
    pub fn is_probe(&self, thread: ThreadIx) -> bool {
        self.probe.is_some_and(|probe| self.nodes[probe].thread == thread)
    }

    /// The thread number: the word of a lock contains it while this thread alone holds the lock. Zero means free.
    pub fn number_of(thread: ThreadIx) -> u32 {
        thread.0 + 1
    }

    /// Returns true if `a` precedes `b` by program order and thread creation alone: they are in one thread, or `b`'s
    /// thread was started at or after `a`. The fault `start-edge-dropped` forgets thread creation; `mutex_missing.c`
    /// notices.
    pub fn is_before(&self, a: NodeId, b: NodeId) -> bool {
        let first = &self.nodes[a];
        let mut at = b;
        loop {
            let node = &self.nodes[at];
            if node.thread == first.thread {
                return first.index < node.index || (at != b && at == a);
            }
            match self.threads[node.thread].parent {
                Some(parent) if !active("start-edge-dropped") => at = parent,
                Some(_) => return false,
                None => return false,
            }
        }
    }

    /// The node before this one in its thread, or the node that starts the thread.
    pub fn previous(&self, node: NodeId) -> Option<NodeId> {
        let known = &self.nodes[node];
        let thread = &self.threads[known.thread];
        match known.index.checked_sub(1) {
            Some(index) => Some(thread.nodes[index as usize]),
            None => thread.parent,
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
