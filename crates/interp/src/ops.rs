//! The operations that are not in the machine's hot path.

use crate::arith;
use crate::env::Environment;
use crate::eval::Eval;
use crate::machine::{Machine, Step};
use crate::object::{Identity, Kind, Site};
use crate::report::{Outcome, Resource};
use crate::state::Status;
use crate::taint;
use crate::value::{Prov, Value, mask};
use braid_base::Idx;
use braid_base::faults::active;
use braid_ir::*;

/// Alignment of a block whose program asks for an impossible one.
const DEFAULT_ALIGN: u64 = 16;

impl Machine<'_> {
    pub(crate) fn operation(&mut self, op: &Op, env: &mut dyn Environment) -> Step {
        match op {
            Op::Assign { .. } | Op::Load { .. } | Op::Store { .. } => {
                unreachable!("these have their own code in the image")
            }
            Op::Rmw { dst, op, ty, ptr, value, order: _ } => self.rmw(*dst, *op, *ty, *ptr, *value, env),
            Op::CmpXchg(c) => self.cmpxchg(c, env),
            Op::Fence { order: _ } => Ok(()),
            Op::Copy { dst, src, len, shape, overlapping } => {
                let (dst, src) = (self.operand(*dst), self.operand(*src));
                let len = self.size_operand(*len);
                self.copy(dst, src, len, *shape, *overlapping, env)
            }
            Op::Fill { dst, byte, len, shape } => {
                let (dst, byte) = (self.operand(*dst), self.operand(*byte));
                let len = self.size_operand(*len);
                self.fill(dst, byte.bits as u8, len, *shape)
            }
            Op::Call { dst, callee, args } => self.call(*dst, *callee, args, env),
            Op::Assume { cond } => {
                let cond = self.operand(*cond);
                let pc = self.pc();
                self.note_address(cond, pc);
                if let Some(marks) = &mut self.marks {
                    marks.execute(pc);
                    if cond.is_true() {
                        marks.pass(pc);
                    }
                }
                if cond.is_true() {
                    return Ok(());
                }
                Err(Box::new(Outcome::AssumeFailed { place: self.site().loc }))
            }
            Op::Assert { check, about: Some(_), .. } if !self.options.question.checks.contains(*check) => {
                Ok(())
            }
            Op::Assert { check, cond, message, about } => {
                let pc = self.pc();
                if let Some(marks) = &mut self.marks {
                    marks.execute(pc);
                }
                let thread = &self.state.threads[self.state.current];
                let value = Eval::new(self.image, thread, &self.state.memory).expr(cond);
                let Ok(value) = value else { return Err(self.division_by_zero()) };
                self.note_address(value, self.pc());
                if value.is_true() { Ok(()) } else { Err(self.failed_check(*check, cond, *message, *about)) }
            }
            Op::Alloc { dst, kind, size, align, zeroed } => {
                let (size, align) = (self.size_operand(*size), self.size_operand(*align));
                self.alloc(*dst, *kind, size, align, *zeroed, env)
            }
            Op::Free { kind, ptr } => self.free(*kind, self.operand(*ptr)),
            Op::LocalLive { local } => self.local_live(*local),
            Op::LocalDead { local } => self.local_dead(*local),
            Op::Nondet { dst, ty, kind } => {
                let bits = self.choose(*kind, *ty, env);
                self.set(*dst, Value::plain(bits));
                Ok(())
            }
            Op::Input { dst } => {
                let bits = self.input(env);
                self.set(*dst, Value::plain(bits));
                Ok(())
            }
            Op::Output { stream, byte } => {
                let byte = self.operand(*byte).bits as u8;
                let written = env.output(*stream, &[byte]);
                written.map_err(|error| self.resource(Resource::Output { error: error.to_string() }))
            }
            Op::Spawn { .. }
            | Op::Join { .. }
            | Op::Detach { .. }
            | Op::ThreadState { .. }
            | Op::Pair { .. }
            | Op::Lock { .. }
            | Op::TryLock { .. }
            | Op::Unlock { .. }
            | Op::AtomicBegin { .. }
            | Op::AtomicEnd
            | Op::SelfHandle { .. }
            | Op::SelfNumber { .. }
            | Op::ExitThread { .. } => self.thread_operation(op, env),
            Op::ExitProgram { code } => {
                let code = self.operand(*code);
                self.note_address(code, self.pc());
                self.mark_return();
                Err(self.exit(code.bits as u32 as i32))
            }
            Op::Abort => Err(Box::new(Outcome::Aborted { place: self.site().loc, stack: self.stack() })),
            Op::Unsupported { what } => Err(self.unsupported(what.as_str())),
            Op::Partial { what, bound } => {
                self.note_partial(*what, *bound);
                Ok(())
            }
        }
    }

    /// Notes that `main` returns while another thread has not ended, if so. A thread that an `assume` stopped counts: the
    /// steps that led to the `assume` change nothing, so there is an execution in which `main` returns before them.
    fn mark_return(&mut self) {
        let (threads, current) = (&self.state.threads, self.state.current);
        let others = threads.iter().enumerate().filter(|(number, _)| *number != current);
        let running =
            others.into_iter().any(|(_, thread)| matches!(thread.status, Status::Ready | Status::Stopped(_)));
        let main = &threads[current];
        let mut frames = main.callers.iter().chain([&main.frame]);
        // Once it has returned, only functions of the library are left.
        let returns = main.number == 0 && frames.all(|frame| self.image.function(frame.func).internal);
        if let Some(marks) = self.marks.as_mut().filter(|_| running && returns) {
            marks.leave_running();
        }
    }

    /// A size that decides what happens next.
    fn size_operand(&mut self, operand: Operand) -> u64 {
        let value = self.operand(operand);
        self.note_address(value, self.pc());
        value.bits as u64
    }

    fn load_ty(&mut self, ptr: Operand, ty: Ty, env: &mut dyn Environment) -> Step<(Value, Value, u8)> {
        let pointer_bytes = self.image.program.pointer_bytes;
        let (bytes, width) = (ty.bytes(pointer_bytes) as u8, ty.bits(pointer_bytes) as u8);
        let pointer = self.operand(ptr);
        // The whole operation writes; one that may not is reported as a write.
        self.locate(pointer, u64::from(bytes), true)?;
        let value = self.load(pointer, bytes, width, Space::Memory, env)?;
        Ok((pointer, value, bytes))
    }

    fn rmw(
        &mut self,
        dst: RegId,
        op: RmwOp,
        ty: Ty,
        ptr: Operand,
        value: Operand,
        env: &mut dyn Environment,
    ) -> Step {
        let (pointer, old, bytes) = self.load_ty(ptr, ty, env)?;
        let operand = self.operand(value);
        let new = match (arith::rmw_operation(op), ty) {
            (Some(binop), Ty::Int(width)) => {
                let Ok(bits) = arith::binary(binop, width, old.bits, operand.bits) else {
                    return Err(self.division_by_zero());
                };
                let plain = old.is_plain() && operand.is_plain();
                let memory = &self.state.memory;
                let prov = if plain { Prov::None } else { taint::binary(memory, binop, width, old, operand) };
                match op {
                    RmwOp::Nand if plain => Value::plain(!bits & mask(width)),
                    RmwOp::Nand => Value { bits: !bits & mask(width), prov: Prov::Mixed },
                    RmwOp::Exchange | RmwOp::Add | RmwOp::Sub | RmwOp::And | RmwOp::Or | RmwOp::Xor => {
                        Value { bits, prov }
                    }
                }
            }
            _ => operand,
        };
        self.store(pointer, bytes, new, Space::Memory)?;
        self.set(dst, old);
        Ok(())
    }

    fn cmpxchg(&mut self, c: &CmpXchg, env: &mut dyn Environment) -> Step {
        let (pointer, old, bytes) = self.load_ty(c.ptr, c.ty, env)?;
        let (expected, desired) = (self.operand(c.expected), self.operand(c.desired));
        // Floating-point objects are compared by their bits.
        let width = c.ty.bits(self.image.program.pointer_bytes) as u8;
        let ty = if c.ty == Ty::Ptr { Ty::Ptr } else { Ty::Int(width) };
        let thread = &self.state.threads[self.state.current];
        let eval = Eval::new(self.image, thread, &self.state.memory);
        let equal = eval.compare_values(CmpOp::Eq, ty, old, expected);
        self.note_address(equal, self.pc());
        let fails = equal.is_true() && c.weak && self.choose(ChoiceKind::WeakFail, Ty::BOOL, env) == 1;
        let stored = equal.is_true() && !fails;
        if stored {
            self.store(pointer, bytes, desired, Space::Memory)?;
        }
        self.set(c.old, old);
        self.set(c.ok, Value::bool(stored));
        Ok(())
    }

    fn alloc(
        &mut self,
        dst: RegId,
        kind: AllocKind,
        size: u64,
        align: u64,
        zeroed: bool,
        env: &mut dyn Environment,
    ) -> Step {
        let align = if align.is_power_of_two() { align } else { DEFAULT_ALIGN };
        let born = self.site();
        if let Some(base) = self.reused_base(kind, size, align, env) {
            let identity = Identity { kind: Kind::Heap, base, size, align, read_only: false, born };
            let object = self.state.memory.allocate(identity, zeroed);
            self.note_made(base);
            self.set(dst, Value { bits: u128::from(base), prov: Prov::Object(object) });
            return Ok(());
        }
        let thread = &mut self.state.threads[self.state.current];
        let (region, kind) = match kind {
            AllocKind::Heap => (&mut thread.heap, Kind::Heap),
            AllocKind::Stack => (&mut thread.stack, Kind::Stack),
        };
        let Ok(base) = region.place(size, align) else {
            return Err(self.resource(Resource::Addresses { size }));
        };
        let identity = Identity { kind, base, size, align, read_only: false, born };
        let object = self.state.memory.allocate(identity, zeroed);
        if kind == Kind::Stack {
            thread.blocks.push(object);
        }
        self.note_made(base);
        self.set(dst, Value { bits: u128::from(base), prov: Prov::Object(object) });
        Ok(())
    }

    /// The base address of a freed block, if a new one is to lie there. Real allocators give out what was freed; which of
    /// it they choose is not known, so that is asked of each.
    fn reused_base(
        &mut self,
        kind: AllocKind,
        size: u64,
        align: u64,
        env: &mut dyn Environment,
    ) -> Option<u64> {
        if !self.options.reuse || kind != AllocKind::Heap || active("addresses-never-reused") {
            return None;
        }
        let registers = self.state.threads.iter().flat_map(|thread| thread.regs.iter().copied());
        let bases = self.state.memory.reusable(size, align, registers);
        bases.into_iter().find(|_| self.choose(ChoiceKind::Base, Ty::BOOL, env) == 1)
    }

    fn free(&mut self, kind: AllocKind, pointer: Value) -> Step {
        if pointer.bits == 0 {
            return Ok(());
        }
        let wanted = match kind {
            AllocKind::Heap => Kind::Heap,
            AllocKind::Stack => Kind::Stack,
        };
        let object = match self.state.memory.block_at(pointer, wanted) {
            Ok(object) => object,
            Err(invalid) => return Err(self.invalid_free(*invalid)),
        };
        if !matches!(pointer.prov, Prov::Object(_)) {
            self.depend_on_address(self.pc());
        }
        self.ends_unlocked([&object].into_iter())?;
        let size = self.state.memory.get(object).map_or(0, |object| object.identity.size);
        let died = self.site();
        self.state.memory.kill(object, died);
        if kind == AllocKind::Stack {
            let thread = &mut self.state.threads[self.state.current];
            if let Some(index) = thread.blocks.iter().rposition(|block| *block == object) {
                thread.blocks.remove(index);
            }
            thread.stack.release_last(pointer.address(), size);
        }
        Ok(())
    }

    fn local_live(&mut self, local: LocalId) -> Step {
        self.local_dead(local)?;
        let loc = self.image.origin[self.pc() as usize].1;
        let thread = &mut self.state.threads[self.state.current];
        let frame = thread.frame;
        let declared = &self.image.function(frame.func).locals[local];
        let offset = self.image.functions[frame.func.index()].layout.offsets[local.index()];
        let identity = Identity {
            kind: Kind::Local(frame.func, local),
            base: frame.base + offset,
            size: declared.size,
            align: declared.align,
            read_only: false,
            born: Site { func: frame.func, loc },
        };
        thread.locals[frame.locals + local.index()] = Some(self.state.memory.allocate(identity, false));
        self.note_made(identity.base);
        Ok(())
    }

    /// The object stays known to the frame, so that its address can still be told from others.
    fn local_dead(&mut self, local: LocalId) -> Step {
        let loc = self.image.origin[self.pc() as usize].1;
        let thread = &self.state.threads[self.state.current];
        let frame = thread.frame;
        if let Some(object) = thread.locals[frame.locals + local.index()] {
            self.ends_unlocked([&object].into_iter())?;
            self.state.memory.kill(object, Site { func: frame.func, loc });
        }
        Ok(())
    }
}
