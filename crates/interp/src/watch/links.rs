//! What an instruction reads and sets, by register and by byte.
//!
//! Asked before the instruction is executed. Of a failing access only the registers are known.

use super::{Link, Machine};
use crate::image::Code;
use crate::state::Thread;
use crate::value::Value;
use braid_base::Idx;
use braid_ir::{AllocKind, Expr, Guard, Op, Operand, RegId, Space, ThreadAsk};

/// Collects links of one instruction.
struct Links<'m, 'a> {
    machine: &'m Machine<'a>,
    thread: &'m Thread,
    frame: u32,
    uses: Vec<Link>,
    sets: Vec<Link>,
}

impl Machine<'_> {
    pub(super) fn links(&self, thread: &Thread, frame: u32) -> (Vec<Link>, Vec<Link>) {
        let mut links = Links { machine: self, thread, frame, uses: Vec::new(), sets: Vec::new() };
        let pc = thread.frame.pc as usize;
        match self.image.ops[pc] {
            Some(op) => links.operation(op),
            None => links.terminator(&self.image.code[pc]),
        }
        (links.uses, links.sets)
    }

    /// What a guard reads. Its registers are its own and hold what it last computed.
    pub(super) fn guard_links(&self, thread: &Thread, frame: u32, guard: &Guard) -> Vec<Link> {
        let mut links = Links { machine: self, thread, frame, uses: Vec::new(), sets: Vec::new() };
        links.guard(guard);
        links.uses
    }
}

impl Links<'_, '_> {
    fn reg(&self, reg: RegId) -> Link {
        Link::Reg { frame: self.frame, reg: reg.0 }
    }

    fn take(&mut self, operand: Operand) {
        if let Operand::Reg(reg) = operand {
            self.uses.push(self.reg(reg));
        }
    }

    fn put(&mut self, reg: RegId) {
        self.sets.push(self.reg(reg));
    }

    fn value(&self, operand: Operand) -> Value {
        self.machine.fetch_in(self.thread, operand)
    }

    fn bytes(&self, ptr: Operand, len: u64, space: Space) -> Option<Link> {
        let memory = &self.machine.state.memory;
        let at = memory.locate(self.value(ptr), len, false).ok()?;
        Some(Link::Bytes { space, start: memory.identity_in(at).base + at.offset, len })
    }

    fn read(&mut self, ptr: Operand, len: u64, space: Space) {
        self.take(ptr);
        self.uses.extend(self.bytes(ptr, len, space));
    }

    fn write(&mut self, ptr: Operand, len: u64, space: Space) {
        self.take(ptr);
        self.sets.extend(self.bytes(ptr, len, space));
    }

    fn size(&self, ty: braid_ir::Ty) -> u64 {
        ty.bytes(self.machine.image.program.pointer_bytes)
    }

    /// All bytes of an object and of the state kept under it.
    fn whole(&mut self, start: u64, len: u64) {
        for space in [Space::Memory, Space::Shadow] {
            self.sets.push(Link::Bytes { space, start, len: len.max(1) });
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match *expr {
            Expr::Use(a) | Expr::Unary { a, .. } | Expr::Cast { a, .. } | Expr::ObjectSize(a) => self.take(a),
            Expr::Binary { a, b, .. }
            | Expr::Compare { a, b, .. }
            | Expr::Fits { a, b, .. }
            | Expr::PtrDiff { a, b }
            | Expr::Math { a, b, .. } => [a, b].into_iter().for_each(|operand| self.take(operand)),
            Expr::Select { cond, then, other, .. } => {
                self.take(cond);
                // Only the side that was chosen has a part in the result.
                self.take(if self.value(cond).is_true() { then } else { other });
            }
            Expr::PtrAdd { ptr, offset } => [ptr, offset].into_iter().for_each(|operand| self.take(operand)),
            Expr::LocalAddr(_) | Expr::ThreadLocalAddr(_) => {}
        }
    }

    fn guard(&mut self, guard: &Guard) {
        for instr in &guard.instrs {
            match &instr.op {
                Op::Load { ty, ptr, access, .. } => self.read(*ptr, self.size(*ty), access.space),
                other => self.operation(other),
            }
        }
        self.take(guard.cond);
    }

    fn operation(&mut self, op: &Op) {
        match op {
            Op::Assign { dst, value } => {
                self.expr(value);
                self.put(*dst);
            }
            Op::Load { dst, ty, ptr, access } => {
                self.read(*ptr, self.size(*ty), access.space);
                self.put(*dst);
            }
            Op::Store { ty, ptr, value, access } => {
                self.take(*value);
                self.write(*ptr, self.size(*ty), access.space);
            }
            Op::Rmw { dst, ty, ptr, value, .. } => {
                self.take(*value);
                self.read(*ptr, self.size(*ty), Space::Memory);
                self.write(*ptr, self.size(*ty), Space::Memory);
                self.put(*dst);
            }
            Op::CmpXchg(c) => {
                [c.expected, c.desired].into_iter().for_each(|operand| self.take(operand));
                self.read(c.ptr, self.size(c.ty), Space::Memory);
                self.write(c.ptr, self.size(c.ty), Space::Memory);
                [c.ok, c.old].into_iter().for_each(|reg| self.put(reg));
            }
            Op::Copy { dst, src, len, .. } => {
                self.take(*len);
                let bytes = self.value(*len).address();
                self.read(*src, bytes, Space::Memory);
                self.write(*dst, bytes, Space::Memory);
            }
            Op::Fill { dst, byte, len, .. } => {
                [*len, *byte].into_iter().for_each(|operand| self.take(operand));
                self.write(*dst, self.value(*len).address(), Space::Memory);
            }
            Op::Call { callee, args, .. } => {
                if let braid_ir::Callee::Pointer(pointer) = callee {
                    self.take(*pointer);
                }
                args.iter().for_each(|arg| self.take(*arg));
            }
            Op::Assume { cond } => self.take(*cond),
            Op::Assert { cond, .. } => self.expr(cond),
            Op::Alloc { dst, size, align, .. } => {
                [*size, *align].into_iter().for_each(|operand| self.take(operand));
                self.put(*dst);
            }
            Op::Free { ptr, kind } => {
                self.take(*ptr);
                let pointer = self.value(*ptr);
                let memory = &self.machine.state.memory;
                let object = memory.object_of(pointer).and_then(|id| memory.identity(id));
                match (object, kind) {
                    (Some(object), AllocKind::Heap | AllocKind::Stack) => {
                        self.whole(object.base, object.size)
                    }
                    (None, AllocKind::Heap | AllocKind::Stack) => {}
                }
            }
            Op::LocalLive { local } | Op::LocalDead { local } => {
                let object = self.thread.locals.get(self.thread.frame.locals + local.index());
                let memory = &self.machine.state.memory;
                let identity = object.copied().flatten().and_then(|id| memory.identity(id));
                if let Some(identity) = identity {
                    self.whole(identity.base, identity.size);
                }
            }
            Op::Nondet { dst, .. } | Op::Input { dst } | Op::SelfHandle { dst } | Op::SelfNumber { dst } => {
                self.put(*dst);
            }
            Op::Output { byte, .. } => self.take(*byte),
            Op::Spawn { dst, func, arg } => {
                [*func, *arg].into_iter().for_each(|operand| self.take(operand));
                self.put(*dst);
            }
            Op::Join { dst, handle } => {
                self.take(*handle);
                let target = self.machine.thread_of(self.value(*handle));
                self.uses.extend(target.map(|thread| Link::End(thread as u32)));
                self.sets.extend(self.thread_state(*handle));
                dst.iter().for_each(|dst| self.put(*dst));
            }
            Op::Detach { handle } => {
                self.take(*handle);
                self.sets.extend(self.thread_state(*handle));
            }
            Op::Pair { dst, word, mutex } => {
                self.take(*mutex);
                let len = u64::from(self.machine.image.program.pointer_bytes);
                self.read(*word, len, Space::Shadow);
                self.write(*word, len, Space::Shadow);
                self.put(*dst);
            }
            Op::ThreadState { dst, ask, handle } => {
                self.take(*handle);
                self.uses.extend(self.thread_state(*handle));
                if *ask == ThreadAsk::Claim {
                    self.sets.extend(self.thread_state(*handle));
                }
                self.put(*dst);
            }
            Op::Lock { mutex } | Op::Unlock { mutex } => self.mutex(*mutex),
            Op::TryLock { dst, mutex } => {
                self.mutex(*mutex);
                self.put(*dst);
            }
            Op::AtomicBegin { when } => when.iter().for_each(|guard| self.guard(guard)),
            Op::ExitThread { value } => {
                self.take(*value);
                self.sets.push(Link::End(self.thread.number));
            }
            Op::ExitProgram { code } => self.take(*code),
            Op::AtomicEnd | Op::Fence { .. } | Op::Abort | Op::Unsupported { .. } | Op::Partial { .. } => {}
        }
    }

    /// Whether a thread can be joined is state under its handle, where no object has bytes.
    fn thread_state(&self, handle: Operand) -> Option<Link> {
        let target = self.machine.thread_of(self.value(handle))?;
        let object = self.machine.state.threads.get(target)?.handle;
        let start = self.machine.state.memory.identity(object)?.base;
        Some(Link::Bytes { space: Space::Shadow, start, len: 1 })
    }

    /// The objects of the running function come to their ends.
    fn frame_ends(&mut self) {
        let (thread, memory) = (self.thread, &self.machine.state.memory);
        let locals = thread.locals.get(thread.frame.locals..).unwrap_or_default().iter().flatten();
        let blocks = thread.blocks.get(thread.frame.blocks..).unwrap_or_default();
        let objects: Vec<_> = locals.chain(blocks).filter_map(|id| memory.get(*id)).collect();
        for object in objects {
            self.whole(object.identity.base, object.identity.size);
        }
    }

    fn mutex(&mut self, mutex: Operand) {
        self.read(mutex, 4, Space::Shadow);
        self.write(mutex, 4, Space::Shadow);
    }

    fn terminator(&mut self, code: &Code<'_>) {
        match code {
            Code::Branch { cond, .. } => self.take(*cond),
            Code::Switch { value, .. } => self.take(*value),
            Code::Return(value) => {
                value.iter().for_each(|value| self.take(*value));
                if self.thread.callers.is_empty() {
                    self.sets.push(Link::End(self.thread.number));
                }
                if !self.machine.is_lasting(self.thread) {
                    self.frame_ends();
                }
            }
            Code::Jump(_) | Code::Unreachable => {}
            Code::Assign { .. } | Code::Hot(_) | Code::Load { .. } | Code::Store { .. } | Code::Other(_) => {
                unreachable!("instructions have their IR")
            }
        }
    }
}
