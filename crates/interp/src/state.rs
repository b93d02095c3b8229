//! The state of an execution: a plain value that can be cloned at any step.
//!
//! It holds everything that changes and nothing else: the program is in [`crate::image`], the world in
//! [`crate::env`]. Registers of all frames of a thread are one vector; so are its frame objects.

use crate::arena::Region;
use crate::memory::Memory;
use crate::trace::ThreadPath;
use crate::value::{ObjId, Value};
use braid_ir::{FuncId, Loc, RegId};
use std::ops::{Index, IndexMut};
use std::rc::Rc;

#[derive(Clone, Debug)]
pub struct State {
    pub threads: Threads,
    /// Index of the running thread.
    pub current: usize,
    pub memory: Memory,
    /// Where control first depended on base addresses.
    pub depends_on_address: Option<Loc>,
    /// Threads that are ready.
    pub ready: u32,
    /// The running thread is the only one that is ready: nobody can see its steps.
    pub alone: bool,
    /// A thread ended inside its atomic section: nobody runs any more.
    pub frozen: bool,
}

/// The threads by number. Copies share a thread until one of them changes it.
#[derive(Clone, Debug, Default)]
pub struct Threads(Vec<Rc<Thread>>);

impl Threads {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn get(&self, index: usize) -> Option<&Thread> {
        self.0.get(index).map(|thread| &**thread)
    }

    pub fn push(&mut self, thread: Thread) {
        self.0.push(Rc::new(thread));
    }

    pub fn iter(&self) -> impl Iterator<Item = &Thread> {
        self.0.iter().map(|thread| &**thread)
    }
}

impl Index<usize> for Threads {
    type Output = Thread;

    #[inline(always)]
    fn index(&self, index: usize) -> &Thread {
        &self.0[index]
    }
}

impl IndexMut<usize> for Threads {
    #[inline(always)]
    fn index_mut(&mut self, index: usize) -> &mut Thread {
        Rc::make_mut(&mut self.0[index])
    }
}

/// Whether a thread can still run. Waiting for something is not a status: it is seen from the
/// operation a thread stands before.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    Ready,
    /// By an `assume` that did not hold.
    Stopped(Loc),
    /// With the value for its joiner; `None` if it gave none, so that any may come.
    Finished(Option<Value>),
}

#[derive(Clone, Debug)]
pub struct Thread {
    /// 0 is main.
    pub number: u32,
    /// Its address is the thread's handle.
    pub handle: ObjId,
    pub path: ThreadPath,
    /// How many threads it has started.
    pub spawned: u32,
    pub status: Status,
    /// Nobody will join it.
    pub detached: bool,
    /// A thread waits to join it, or did.
    pub awaited: bool,
    /// Its routine has returned without a result to the library's function that called it: it leaves any value.
    pub void: bool,
    /// Nesting of atomic sections.
    pub section: u32,
    /// About to enter the section that its first function is.
    pub unentered: bool,
    /// Started, but not yet brought to its first visible step.
    pub fresh: bool,
    /// Its next step ends the execution; others may run before it.
    pub doomed: bool,
    /// It ran for long without a visible step.
    pub paused: bool,
    /// Bytes of the next `copy` or `fill` that are done.
    pub bulk: u64,
    /// Addresses of the mutexes it holds, in the order taken.
    pub held: Vec<u64>,
    pub frame: Frame,
    /// The waiting frames, outermost first.
    pub callers: Vec<Frame>,
    /// Registers of all frames; the running frame's begin at `frame.regs`.
    pub regs: Vec<Value>,
    /// Frame objects of all frames, by local; `None` before the first life. A dead one stays here until
    /// its local lives again, so that its address can be told from others.
    pub locals: Vec<Option<ObjId>>,
    /// Live `alloca` blocks and variable-length arrays of all frames.
    pub blocks: Vec<ObjId>,
    /// Instances of the program's thread-local variables.
    pub thread_locals: Vec<ObjId>,
    pub heap: Region,
    pub stack: Region,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Frame {
    pub func: FuncId,
    /// The next instruction.
    pub pc: u32,
    /// Where the frame's registers, locals and blocks begin in the thread's vectors.
    pub regs: usize,
    pub locals: usize,
    pub blocks: usize,
    /// Base address of the frame's objects.
    pub base: u64,
    /// Where the thread's stack region goes back to when the frame ends.
    pub stack_start: u64,
    /// The caller's register for the result.
    pub dst: Option<RegId>,
    /// The frame is an atomic section.
    pub atomic: bool,
}

impl State {
    /// The thread runs from now on.
    pub fn switch_to(&mut self, thread: usize) {
        self.current = thread;
        self.alone = self.ready == 1 && self.threads[thread].status == Status::Ready;
    }

    /// The running thread will not run any more.
    pub fn retire(&mut self, status: Status) {
        self.threads[self.current].status = status;
        self.ready -= 1;
        self.alone = false;
    }
}

impl Thread {
    #[inline(always)]
    pub fn frame_regs(&self) -> &[Value] {
        &self.regs[self.frame.regs..]
    }

    #[inline(always)]
    pub fn set(&mut self, reg: RegId, value: Value) {
        let index = self.frame.regs + reg.0 as usize;
        self.regs[index] = value;
    }

    /// The frames from the innermost on.
    pub fn frames(&self) -> impl Iterator<Item = &Frame> {
        std::iter::once(&self.frame).chain(self.callers.iter().rev())
    }

    /// Memory the thread's own tables take.
    pub fn used(&self) -> u64 {
        (self.regs.capacity() * size_of::<Value>()
            + self.callers.capacity() * size_of::<Frame>()
            + self.locals.capacity() * size_of::<Option<ObjId>>()) as u64
    }
}
