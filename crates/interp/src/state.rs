//! The state of an execution: a plain value that can be cloned at any step.
//!
//! It holds everything that changes and nothing else: the program is in [`crate::image`], the world in
//! [`crate::env`]. Registers of all frames of a thread are one vector; so are its frame objects.

use crate::arena::Region;
use crate::memory::Memory;
use crate::value::{ObjId, Value};
use braid_ir::{FuncId, Loc, RegId};

#[derive(Clone, Debug)]
pub struct State {
    pub threads: Vec<Thread>,
    /// Index of the running thread.
    pub current: usize,
    pub memory: Memory,
    /// Where control first depended on base addresses.
    pub depends_on_address: Option<Loc>,
}

#[derive(Clone, Debug)]
pub struct Thread {
    /// 0 is main.
    pub number: u32,
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
