//! Visible steps: what a thread is about to do that others could notice.
//!
//! At every scheduling point each thread that can still run stands right before such a step, and
//! this says which: an access to memory that has escaped, one leaf of a `copy` or `fill` of such
//! memory, the end of the life of an object that has escaped, any thread operation, the end of the
//! program, a step that ends the execution by a violation, or, after very many steps that nobody can
//! see, any step at all (so that an endless loop of them does not go unnoticed).

use crate::footprint::{Area, Footprint, Touch};
use crate::image::Code;
use crate::machine::Machine;
use crate::memory::Located;
use crate::object::Kind;
use crate::state::{Status, Thread};
use crate::value::{ObjId, Prov, Value, fetch, mask};
use braid_base::Idx;
use braid_base::faults::active;
use braid_ir::*;
use braid_props::Check;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepKind {
    Access,
    /// Of a heap block, where the end of the program looks at which there are, or the program compares
    /// addresses: it may get the place of one that was freed before.
    Alloc,
    Free,
    /// A frame object that others may reach comes to its end.
    Death,
    Spawn,
    Join,
    /// Or the question what state a thread is in.
    Detach,
    Lock,
    TryLock,
    Unlock,
    /// An atomic section, as a whole.
    Section,
    ThreadEnd,
    ProgramEnd,
    /// It will end the execution.
    Fatal,
    Pause,
}

/// The visible step a thread stands before.
#[derive(Clone, Debug)]
pub struct Pending {
    pub kind: StepKind,
    /// Of a section: nothing yet, because what it touches is known only when it runs.
    pub footprint: Footprint,
}

/// The end of an id: threads that start later may get it.
const ID_ENDS: Touch = Touch::new(Area::Numbers, 0, 1, false);

impl Pending {
    fn new(kind: StepKind) -> Pending {
        Pending { kind, footprint: Footprint::default() }
    }

    fn one(kind: StepKind, touch: Touch) -> Pending {
        Pending { kind, footprint: Footprint::one(touch) }
    }
}

impl Machine<'_> {
    /// The visible step the thread stands before; `None` if its next step is not visible or there is
    /// none.
    pub fn pending(&self, thread: usize) -> Option<Pending> {
        let at = &self.state.threads[thread];
        if at.status != Status::Ready {
            return None;
        }
        if at.doomed {
            return Some(Pending::new(StepKind::Fatal));
        }
        if at.paused {
            return Some(Pending::new(StepKind::Pause));
        }
        if at.unentered {
            return Some(Pending::new(StepKind::Section));
        }
        #[cfg(test)]
        if self.every_step {
            return Some(self.step_at(at).unwrap_or_else(|| Pending::new(StepKind::Pause)));
        }
        self.step_at(at)
    }

    /// Returns true if the thread's next instruction is one whose step may race or has a direction when it waits:
    /// what [`Machine::look`] is about. Most threads of a program with many stand before others.
    pub(crate) fn may_race_or_wait(&self, thread: usize) -> bool {
        let at = &self.state.threads[thread];
        if at.status != Status::Ready {
            return false;
        }
        match &self.image.code[at.frame.pc as usize] {
            Code::Load { .. } | Code::Store { .. } => true,
            Code::Other(op) => match op {
                Op::Load { .. }
                | Op::Store { .. }
                | Op::Rmw { .. }
                | Op::CmpXchg(_)
                | Op::Copy { .. }
                | Op::Fill { .. }
                | Op::Free { .. }
                | Op::Lock { .. }
                | Op::Join { .. } => true,
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
                | Op::Spawn { .. }
                | Op::Detach { .. }
                | Op::ThreadState { .. }
                | Op::TryLock { .. }
                | Op::Unlock { .. }
                | Op::AtomicBegin { .. }
                | Op::AtomicEnd
                | Op::SelfHandle { .. }
                | Op::SelfNumber { .. }
                | Op::ExitThread { .. }
                | Op::ExitProgram { .. }
                | Op::Pair { .. }
                | Op::Partial { .. }
                | Op::Abort
                | Op::Unsupported { .. } => false,
            },
            Code::Assign { .. }
            | Code::Hot(_)
            | Code::Jump(_)
            | Code::Branch { .. }
            | Code::Switch { .. }
            | Code::Return(_)
            | Code::Unreachable => false,
        }
    }

    /// The same for the next instruction, as such.
    pub(crate) fn step_at(&self, thread: &Thread) -> Option<Pending> {
        let pc = thread.frame.pc as usize;
        match &self.image.code[pc] {
            Code::Assign { .. }
            | Code::Hot(_)
            | Code::Jump(_)
            | Code::Branch { .. }
            | Code::Switch { .. } => None,
            Code::Unreachable => None,
            &Code::Load { ptr, bytes, space, .. } => {
                self.access(thread, ptr, u64::from(bytes), false, space, self.access_at(pc))
            }
            &Code::Store { ptr, bytes, space, .. } => {
                self.access(thread, ptr, u64::from(bytes), true, space, self.access_at(pc))
            }
            Code::Return(_) if thread.callers.is_empty() => Some(self.outermost_return(thread)),
            Code::Return(_) if self.is_lasting(thread) => None,
            Code::Return(_) => {
                let frame = &thread.frame;
                let locals = thread.locals[frame.locals..].iter().flatten();
                self.deaths(locals.chain(&thread.blocks[frame.blocks..]))
            }
            Code::Other(op) => self.operation_at(thread, op),
        }
    }

    fn access_at(&self, pc: usize) -> Access {
        match self.image.ops[pc] {
            Some(Op::Load { access, .. } | Op::Store { access, .. }) => *access,
            _ => Access::default(),
        }
    }

    fn operation_at(&self, thread: &Thread, op: &Op) -> Option<Pending> {
        let atomic = Access { order: Order::SeqCst, ..Access::default() };
        match op {
            Op::Rmw { ty, ptr, .. } => {
                self.access(thread, *ptr, self.bytes(*ty), true, Space::Memory, atomic)
            }
            Op::CmpXchg(c) => {
                let write = self.exchanges(thread, c);
                self.access(thread, c.ptr, self.bytes(c.ty), write, Space::Memory, atomic)
            }
            Op::Copy { dst, src, len, shape, overlapping } => {
                self.copy_at(thread, *dst, *src, *len, *shape, *overlapping)
            }
            Op::Fill { dst, len, shape, .. } => self.fill_at(thread, *dst, *len, *shape),
            Op::Call { .. } | Op::AtomicBegin { .. } => {
                self.enters_section(thread).then(|| Pending::new(StepKind::Section))
            }
            Op::Free { kind: AllocKind::Heap, ptr } => {
                let pointer = self.fetch_in(thread, *ptr);
                let object = self.state.memory.block_at(pointer, Kind::Heap).ok()?;
                let escaped = self.state.memory.has_escaped(object) || pointer.is_plain();
                let mut footprint = Footprint::default();
                if escaped {
                    self.add_death(&mut footprint, object, true);
                }
                if escaped || self.options.reuse {
                    footprint.add(Touch::new(Area::Blocks, pointer.address(), 1, true));
                }
                (escaped || self.options.reuse || self.exit_counts_blocks())
                    .then_some(Pending { kind: StepKind::Free, footprint })
            }
            Op::Alloc { kind: AllocKind::Heap, .. } => {
                let compared = self.image.compares_addresses && !active("allocation-unseen");
                let noticed = self.exit_counts_blocks() || compared || self.options.reuse;
                // What one gets, another one does not get.
                let takes = self.options.reuse;
                noticed
                    .then(|| Pending::one(StepKind::Alloc, Touch::new(Area::Blocks, 0, u64::MAX >> 1, takes)))
            }
            Op::Free { kind: AllocKind::Stack, ptr } => {
                let pointer = self.fetch_in(thread, *ptr);
                let object = self.state.memory.block_at(pointer, Kind::Stack).ok()?;
                self.deaths([object].iter())
            }
            Op::LocalLive { local } | Op::LocalDead { local } => {
                let object = thread.locals[thread.frame.locals + local.index()];
                self.deaths(object.iter())
            }
            Op::Spawn { .. } => Some(Pending::one(StepKind::Spawn, Touch { write: true, ..ID_ENDS })),
            Op::Join { handle, .. } => Some(self.thread_at(thread, StepKind::Join, *handle, true)),
            Op::Detach { handle } => Some(self.thread_at(thread, StepKind::Detach, *handle, true)),
            Op::Pair { word, .. } => {
                let len = u64::from(self.image.program.pointer_bytes);
                self.access(thread, *word, len, true, Space::Shadow, Access::default())
            }
            Op::ThreadState { ask: ThreadAsk::Claim, handle, .. } => {
                let seen = self.image.others_ask && !active("claim-unseen");
                seen.then(|| self.thread_at(thread, StepKind::Detach, *handle, true))
            }
            Op::ThreadState { handle, .. } => Some(self.thread_at(thread, StepKind::Detach, *handle, false)),
            Op::Lock { mutex } => Some(self.mutex_at(thread, StepKind::Lock, *mutex)),
            Op::TryLock { mutex, .. } => Some(self.mutex_at(thread, StepKind::TryLock, *mutex)),
            Op::Unlock { mutex } => Some(self.mutex_at(thread, StepKind::Unlock, *mutex)),
            Op::ExitThread { .. } => Some(self.thread_end(thread)),
            Op::ExitProgram { .. } | Op::Abort => {
                Some(Pending { kind: StepKind::ProgramEnd, footprint: Footprint::everything() })
            }
            Op::Assign { .. } | Op::Load { .. } | Op::Store { .. } => None,
            Op::Fence { .. }
            | Op::Assume { .. }
            | Op::Assert { .. }
            | Op::Alloc { kind: AllocKind::Stack, .. }
            | Op::Nondet { .. }
            | Op::Input { .. }
            | Op::Output { .. }
            | Op::AtomicEnd
            | Op::SelfHandle { .. }
            | Op::SelfNumber { .. }
            | Op::Unsupported { .. }
            | Op::Partial { .. } => None,
        }
    }

    /// Whether the thread is about to enter an atomic section.
    pub(crate) fn enters_section(&self, thread: &Thread) -> bool {
        if thread.section > 0 || thread.unentered {
            return thread.unentered;
        }
        match self.image.ops[thread.frame.pc as usize] {
            Some(Op::AtomicBegin { .. }) => true,
            Some(Op::Call { callee: Callee::Direct(func), .. }) => self.image.function(*func).atomic,
            Some(Op::Call { callee: Callee::Pointer(pointer), .. }) => {
                let function = self.function_behind(self.fetch_in(thread, *pointer));
                function.is_some_and(|func| self.image.function(func).atomic)
            }
            _ => false,
        }
    }

    /// Whether a compare-and-exchange would write, as things stand: one that fails only reads.
    fn exchanges(&self, thread: &Thread, c: &CmpXchg) -> bool {
        let len = self.bytes(c.ty);
        let Ok(at) = self.state.memory.locate(self.fetch_in(thread, c.ptr), len, false) else { return true };
        let found = self.state.memory.read(at, len as usize, Space::Memory);
        let expected = self.fetch_in(thread, c.expected).bits;
        found.is_none_or(|found| found.bits & mask((8 * len) as u8) == expected)
    }

    /// Whether the end of the program notices even a block that only its owner can reach.
    fn exit_counts_blocks(&self) -> bool {
        self.options.question.checks.contains(Check::MemoryCleanup)
    }

    fn bytes(&self, ty: Ty) -> u64 {
        ty.bytes(self.image.program.pointer_bytes)
    }

    pub(crate) fn fetch_in(&self, thread: &Thread, operand: Operand) -> Value {
        fetch(thread.frame_regs(), &self.image.consts, operand)
    }

    /// The function a pointer with provenance points to.
    fn function_behind(&self, pointer: Value) -> Option<FuncId> {
        let id = self.state.memory.object_of(pointer)?;
        match self.state.memory.get(id)?.identity.kind {
            Kind::Function(func) => Some(func),
            Kind::Global(_)
            | Kind::ThreadLocal(_)
            | Kind::Local(..)
            | Kind::Stack
            | Kind::Heap
            | Kind::Thread(_) => None,
        }
    }

    /// Where an access would go, if it is valid and others could notice it.
    pub(crate) fn noticed(&self, pointer: Value, len: u64, write: bool) -> Option<Located> {
        let at = self.state.memory.locate(pointer, len, write).ok()?;
        let object = self.state.memory.object(at);
        let known = matches!(pointer.prov, Prov::Object(_));
        (!object.identity.read_only && (object.escaped || !known)).then_some(at)
    }

    fn access(
        &self,
        thread: &Thread,
        ptr: Operand,
        len: u64,
        write: bool,
        space: Space,
        access: Access,
    ) -> Option<Pending> {
        let at = self.noticed(self.fetch_in(thread, ptr), len, write)?;
        let mut pending = Pending::one(StepKind::Access, self.touch(thread, at, len, write, space, access));
        if space == Space::Shadow {
            pending.footprint.add(self.bytes_below(at, len));
        }
        Some(pending)
    }

    /// A plain write to the bytes resets the state a model keeps with them: whoever uses that state
    /// depends on it.
    fn bytes_below(&self, at: Located, len: u64) -> Touch {
        let base = self.state.memory.identity_in(at).base;
        Touch::new(Area::Memory, base + at.offset, len, false)
    }

    pub(crate) fn touch(
        &self,
        thread: &Thread,
        at: Located,
        len: u64,
        write: bool,
        space: Space,
        access: Access,
    ) -> Touch {
        let identity = &self.state.memory.object(at).identity;
        let area = match space {
            Space::Memory => Area::Memory,
            Space::Shadow => Area::Shadow,
        };
        let internal = match identity.kind {
            // What a library function hands out is the user's to race on.
            Kind::Global(id) | Kind::ThreadLocal(id) => {
                self.image.program.globals[id].internal && self.image.internal[thread.frame.pc as usize]
            }
            Kind::Function(_) | Kind::Local(..) | Kind::Stack | Kind::Heap | Kind::Thread(_) => false,
        };
        let races = area == Area::Memory && !internal && self.race_matters(identity.kind);
        Touch {
            atomic: access.order != Order::Plain,
            races,
            extent: access.extent,
            ..Touch::new(area, identity.base + at.offset, len, write)
        }
    }

    fn race_matters(&self, kind: Kind) -> bool {
        self.options.question.race_on.is_none_or(|global| kind == Kind::Global(global))
    }

    fn mutex_at(&self, thread: &Thread, kind: StepKind, mutex: Operand) -> Pending {
        let pointer = self.fetch_in(thread, mutex);
        match self.state.memory.locate(pointer, 4, true) {
            Ok(at) => {
                let base = self.state.memory.identity_in(at).base;
                let mut pending = Pending::one(kind, Touch::new(Area::Shadow, base + at.offset, 4, true));
                pending.footprint.add(self.bytes_below(at, 4));
                pending
            }
            Err(_) => Pending::new(kind),
        }
    }

    /// An operation on a thread; with `ends` one that may end its id.
    fn thread_at(&self, thread: &Thread, kind: StepKind, handle: Operand, ends: bool) -> Pending {
        let mut pending = Pending::new(kind);
        if let Some(target) = self.thread_of(self.fetch_in(thread, handle)) {
            pending.footprint.add(Touch::new(Area::Ends, target as u64, 1, ends));
        }
        if ends && !active("id-ends-unseen") {
            pending.footprint.add(ID_ENDS);
        }
        pending
    }

    fn outermost_return(&self, thread: &Thread) -> Pending {
        if thread.number == 0 {
            return Pending { kind: StepKind::ProgramEnd, footprint: Footprint::everything() };
        }
        self.thread_end(thread)
    }

    fn thread_end(&self, thread: &Thread) -> Pending {
        let mut footprint = Footprint::one(Touch::new(Area::Ends, u64::from(thread.number), 1, true));
        let objects = thread.locals.iter().flatten().chain(&thread.blocks).chain(&thread.thread_locals);
        let mut leaves_addresses = thread.detached;
        for object in objects.filter(|object| self.state.memory.has_escaped(**object)) {
            self.add_death(&mut footprint, *object, false);
            leaves_addresses = true;
        }
        // A new thread may get the id, or the place of the stack.
        if leaves_addresses {
            footprint.add(ID_ENDS);
        }
        Pending { kind: StepKind::ThreadEnd, footprint }
    }

    /// The end of frame objects, as far as others may reach them.
    fn deaths<'a>(&self, objects: impl Iterator<Item = &'a ObjId>) -> Option<Pending> {
        let mut pending = None;
        for object in objects.filter(|object| self.state.memory.has_escaped(**object)) {
            let pending = pending.get_or_insert_with(|| Pending::new(StepKind::Death));
            self.add_death(&mut pending.footprint, *object, false);
        }
        pending
    }

    /// The end of an object's life writes all of it, in both spaces.
    fn add_death(&self, footprint: &mut Footprint, object: ObjId, races: bool) {
        let Some(object) = self.state.memory.get(object) else { return };
        let (base, len) = (object.identity.base, object.identity.size.max(1));
        let races = races && self.race_matters(object.identity.kind);
        footprint.add(Touch { races, ..Touch::new(Area::Memory, base, len, true) });
        footprint.add(Touch::new(Area::Shadow, base, len, true));
    }
}
