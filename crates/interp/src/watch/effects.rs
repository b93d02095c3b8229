//! What an instruction did, in terms of variables, locks, threads and blocks.
//!
//! Before the instruction its kind and what it is about are known, afterwards the new values.

use super::{Area, Before, Effect, Event, Link, Machine, Shown};
use crate::image::Code;
use crate::memory::Located;
use crate::object::{Identity, Kind};
use crate::state::Thread;
use crate::trace::ChoiceLabel;
use crate::value::{Value, mask};
use braid_base::Idx;
use braid_ir::{Access, ChoiceKind, DESTROYED, Op, Operand, Order, RegId, Space, Ty};

impl Machine<'_> {
    fn area(&self, thread: &Thread, ptr: Operand, len: u64) -> Option<(Area, Located)> {
        let at = self.state.memory.locate(self.fetch_in(thread, ptr), len, false).ok()?;
        let object = self.state.memory.object(at);
        let area = Area { object: object.identity, offset: at.offset, len, shared: object.escaped };
        Some((area, at))
    }

    /// The value of the bytes now.
    fn value_at(&self, at: Located, ty: Ty) -> Option<Shown> {
        let program = self.image.program;
        let value = self.state.memory.read(at, ty.bytes(program.pointer_bytes) as usize, Space::Memory)?;
        let bits = value.bits & mask(ty.bits(program.pointer_bytes) as u8);
        Some(self.shown(ty, Value { bits, ..value }))
    }

    /// Whether the bytes belong to a library model.
    fn is_internal(&self, object: &Identity) -> bool {
        match object.kind {
            Kind::Global(id) | Kind::ThreadLocal(id) => self.image.program.globals[id].internal,
            Kind::Local(func, _) => self.image.function(func).internal,
            Kind::Function(_) | Kind::Stack | Kind::Heap | Kind::Thread(_) => false,
        }
    }

    fn access_effect(&self, thread: &Thread, ptr: Operand, ty: Ty, access: Access, write: bool) -> Effect {
        let len = ty.bytes(self.image.program.pointer_bytes);
        let Some((at, located)) = self.area(thread, ptr, len) else { return Effect::Check };
        if access.space == Space::Shadow || self.is_internal(&at.object) {
            return Effect::Internal;
        }
        let value = self.value_at(located, ty);
        let atomic = access.order != Order::Plain;
        if write {
            Effect::Write { at, old: value, new: None, atomic }
        } else {
            Effect::Read { at, value, atomic }
        }
    }

    fn mutex_effect(&self, thread: &Thread, mutex: Operand, make: impl Fn(Area) -> Effect) -> Effect {
        self.area(thread, mutex, 4).map_or(Effect::Check, |(at, _)| make(at))
    }

    fn bulk_effect(&self, thread: &Thread, dst: Operand, len: Operand) -> Effect {
        let len = self.fetch_in(thread, len).address();
        match self.area(thread, dst, len) {
            None => Effect::Check,
            Some((at, _)) if len == 0 || self.is_internal(&at.object) => Effect::Internal,
            Some((at, _)) => Effect::Write { at, old: None, new: None, atomic: false },
        }
    }

    /// Returns true if a model stores what a destroyed object has in it: no value that means anything to a reader.
    fn destroys(&self, thread: &Thread, value: Operand) -> bool {
        let internal = self.image.function(thread.frame.func).internal;
        internal && self.fetch_in(thread, value).bits as u32 == DESTROYED
    }

    fn set_effect(&self, thread: &Thread, reg: RegId) -> Effect {
        let register = &self.image.function(thread.frame.func).regs[reg];
        let Some(name) = register.name.filter(|_| !self.image.function(thread.frame.func).internal) else {
            return Effect::Nothing;
        };
        let old = self.shown(register.ty, thread.frame_regs()[reg.index()]);
        Effect::Set { name, old, new: old }
    }

    /// The effect with what is known before the instruction is executed.
    pub(super) fn effect_before(&self, thread: &Thread) -> Effect {
        let pc = thread.frame.pc as usize;
        let Some(op) = self.image.ops[pc] else { return self.end_effect(thread, &self.image.code[pc]) };
        let atomic = Access { order: Order::SeqCst, ..Access::default() };
        match op {
            Op::Assign { dst, .. } => self.set_effect(thread, *dst),
            Op::Load { ty, ptr, access, .. } => self.access_effect(thread, *ptr, *ty, *access, false),
            Op::Store { value, .. } if self.destroys(thread, *value) => Effect::Internal,
            Op::Store { ty, ptr, access, .. } => self.access_effect(thread, *ptr, *ty, *access, true),
            Op::Rmw { ty, ptr, .. } => self.access_effect(thread, *ptr, *ty, atomic, true),
            Op::CmpXchg(c) => self.access_effect(thread, c.ptr, c.ty, atomic, true),
            Op::Copy { dst, len, .. } | Op::Fill { dst, len, .. } => self.bulk_effect(thread, *dst, *len),
            Op::Call { callee, .. } => match callee {
                braid_ir::Callee::Direct(func) => Effect::Call { func: *func, args: Vec::new() },
                braid_ir::Callee::Pointer(_) => Effect::Check,
            },
            Op::Lock { mutex } => self.mutex_effect(thread, *mutex, Effect::Lock),
            Op::TryLock { mutex, .. } => self.mutex_effect(thread, *mutex, |at| Effect::TryLock(at, false)),
            Op::Unlock { mutex } => self.mutex_effect(thread, *mutex, Effect::Unlock),
            Op::Join { handle, .. } => {
                let target = self.thread_of(self.fetch_in(thread, *handle));
                target.map_or(Effect::Check, |thread| Effect::Join { thread: thread as u32 })
            }
            Op::Free { ptr, .. } => {
                let memory = &self.state.memory;
                let object = memory.object_of(self.fetch_in(thread, *ptr)).and_then(|id| memory.get(id));
                object.map_or(Effect::Nothing, |object| Effect::Free(object.identity))
            }
            Op::ExitThread { .. } => Effect::End,
            Op::Assert { check, message: Some(text), about: Some(object), .. }
                if !self.options.question.checks.contains(*check) =>
            {
                let error = text.as_str().split(';').nth(1).map(str::to_string);
                Effect::Misuse {
                    text: self.misuse_text(text.as_str(), self.fetch_in(thread, *object)),
                    error,
                }
            }
            Op::Assume { .. }
            | Op::Assert { .. }
            | Op::ExitProgram { .. }
            | Op::Abort
            | Op::Unsupported { .. } => Effect::Check,
            Op::Partial { .. } => Effect::Nothing,
            Op::AtomicBegin { when: Some(_) } => Effect::Wait,
            Op::AtomicBegin { when: None } | Op::AtomicEnd => Effect::Internal,
            // What comes of these is known afterwards.
            Op::Spawn { .. } | Op::Alloc { .. } | Op::Nondet { .. } | Op::Input { .. } => Effect::Nothing,
            Op::LocalLive { .. }
            | Op::LocalDead { .. }
            | Op::Output { .. }
            | Op::Detach { .. }
            | Op::ThreadState { .. }
            | Op::Pair { .. }
            | Op::SelfHandle { .. }
            | Op::SelfNumber { .. }
            | Op::Fence { .. } => Effect::Nothing,
        }
    }

    fn end_effect(&self, thread: &Thread, code: &Code<'_>) -> Effect {
        match code {
            Code::Branch { cond, .. } => Effect::Branch(self.fetch_in(thread, *cond).is_true()),
            Code::Return(_) if thread.callers.is_empty() => Effect::End,
            Code::Return(value) => {
                let ty = self.image.function(thread.frame.func).ret;
                let shown = |value: &Operand| ty.map(|ty| self.shown(ty, self.fetch_in(thread, *value)));
                Effect::Return(value.as_ref().and_then(shown))
            }
            Code::Unreachable => Effect::Check,
            Code::Jump(_)
            | Code::Switch { .. }
            | Code::Assign { .. }
            | Code::Hot(_)
            | Code::Load { .. }
            | Code::Store { .. }
            | Code::Other(_) => Effect::Nothing,
        }
    }

    /// Fills in what is known now that the instruction has been executed.
    pub(super) fn complete(&self, event: &mut Event, before: &Before<'_>) {
        let thread = &self.state.threads[event.thread as usize];
        let register = |reg: RegId, ty: Ty| self.shown(ty, thread.frame_regs()[reg.index()]);
        let Some(op) = before.op else { return self.complete_end(event, before) };
        match op {
            Op::Copy { .. } | Op::Fill { .. } => {
                complete_bulk(event, before.bulk, thread.bulk);
                self.complete_leaf(event);
            }
            Op::Call { .. } => self.complete_call(event, thread),
            Op::Spawn { .. } => self.complete_spawn(event),
            Op::Alloc { dst, .. } => {
                if let Some((object, _)) = register(*dst, Ty::Ptr).target {
                    set_all(event, &object);
                    *event.effect = Effect::Alloc(object);
                }
            }
            Op::LocalLive { local } => {
                let object = thread.locals.get(thread.frame.locals + local.index());
                let identity = object.copied().flatten().and_then(|id| self.state.memory.identity(id));
                identity.iter().for_each(|object| set_all(event, object));
            }
            Op::Nondet { dst, ty, kind } => {
                *event.effect = Effect::Choice(ChoiceLabel::Kind(*kind), register(*dst, *ty));
            }
            Op::Input { dst } => {
                *event.effect = Effect::Choice(ChoiceLabel::Input, register(*dst, Ty::Int(32)));
            }
            Op::TryLock { dst, .. } => {
                if let Effect::TryLock(_, taken) = &mut *event.effect {
                    *taken = thread.frame_regs()[dst.index()].is_true();
                }
            }
            Op::Assign { dst, .. } => {
                if let Effect::Set { old, new, .. } = &mut *event.effect {
                    *new = register(*dst, old.ty);
                }
            }
            Op::Load { ty, .. } | Op::Store { ty, .. } | Op::Rmw { ty, .. } => {
                self.complete_access(event, *ty)
            }
            Op::CmpXchg(c) if thread.frame_regs()[c.ok.index()].is_true() => {
                self.complete_access(event, c.ty)
            }
            Op::CmpXchg(c) => {
                fail_exchange(event);
                let (old, expected) = (register(c.old, c.ty), self.fetch_in(thread, c.expected).bits);
                if c.weak && old.bits == expected {
                    let yes = Shown { ty: Ty::BOOL, bits: 1, target: None };
                    *event.effect = Effect::Choice(ChoiceLabel::Kind(ChoiceKind::WeakFail), yes);
                }
            }
            Op::AtomicBegin { when: Some(guard) } => {
                event.uses = self.guard_links(thread, event.frame, guard)
            }
            Op::ExitThread { .. }
            | Op::AtomicBegin { when: None }
            | Op::Join { .. }
            | Op::Lock { .. }
            | Op::Unlock { .. }
            | Op::Free { .. }
            | Op::LocalDead { .. }
            | Op::Assume { .. }
            | Op::Assert { .. }
            | Op::ExitProgram { .. }
            | Op::Abort
            | Op::Unsupported { .. }
            | Op::Partial { .. }
            | Op::AtomicEnd
            | Op::Output { .. }
            | Op::Detach { .. }
            | Op::ThreadState { .. }
            | Op::Pair { .. }
            | Op::SelfHandle { .. }
            | Op::SelfNumber { .. }
            | Op::Fence { .. } => {}
        }
    }

    /// The new value of a part that is no larger than a number.
    fn complete_leaf(&self, event: &mut Event) {
        if let Effect::Write { at: Area { len: len @ (1 | 2 | 4 | 8), .. }, .. } = &*event.effect {
            let ty = Ty::Int(8 * *len as u8);
            self.complete_access(event, ty);
        }
    }

    fn complete_access(&self, event: &mut Event, ty: Ty) {
        let now = |at: &Area| {
            let id = self.state.memory.object_at(at.object.base)?;
            let pointer =
                Value { bits: u128::from(at.object.base + at.offset), prov: crate::value::Prov::Object(id) };
            let located = self.state.memory.locate(pointer, at.len, false).ok()?;
            self.value_at(located, ty)
        };
        match &mut *event.effect {
            Effect::Write { at, new, .. } => *new = now(at),
            Effect::Read { at, value, .. } => *value = now(at),
            _ => {}
        }
    }

    fn complete_call(&self, event: &mut Event, thread: &Thread) {
        let frame = self.watch.as_ref().map_or(0, |watch| watch.seen.frames.len() as u32);
        let func = thread.frame.func;
        let function = self.image.function(func);
        let params = &function.params;
        let named = params.iter().filter_map(|param| function.regs[*param].name.map(|name| (name, *param)));
        let value = |(name, param): (_, RegId)| {
            (name, self.shown(function.regs[param].ty, thread.frame_regs()[param.index()]))
        };
        let args = if function.internal { Vec::new() } else { named.map(value).collect() };
        *event.effect = Effect::Call { func, args };
        event.sets.extend(params.iter().map(|param| Link::Reg { frame, reg: param.0 }));
    }

    fn complete_spawn(&self, event: &mut Event) {
        let Some(number) = self.state.threads.len().checked_sub(1) else { return };
        let func = self.state.threads[number].frame.func;
        *event.effect = Effect::Spawn { thread: number as u32, func };
    }

    /// The value of a call lands in the caller.
    fn complete_end(&self, event: &mut Event, before: &Before<'_>) {
        let Effect::Return(_) = &*event.effect else { return };
        let frames = self.watch.as_ref().map_or(&[][..], |watch| &watch.seen.frames);
        let caller = frames.get(event.frame as usize).and_then(|frame| frame.caller);
        if let Some((frame, reg)) = caller.zip(before.result) {
            event.sets.push(Link::Reg { frame, reg: reg.0 });
        }
    }

    /// The object an instruction that failed was about.
    pub(super) fn failed_target(&self, thread: usize) -> Option<Identity> {
        let thread = &self.state.threads[thread];
        let op = self.image.ops[thread.frame.pc.checked_sub(1)? as usize]?;
        let pointer = match op {
            Op::Load { ptr, .. } | Op::Store { ptr, .. } | Op::Rmw { ptr, .. } | Op::Free { ptr, .. } => *ptr,
            Op::CmpXchg(c) => c.ptr,
            Op::Lock { mutex } | Op::TryLock { mutex, .. } | Op::Unlock { mutex } => *mutex,
            Op::Fill { dst, .. } => *dst,
            Op::Copy { dst, src, len, .. } => {
                let len = self.fetch_in(thread, *len).address();
                let read = self.state.memory.locate(self.fetch_in(thread, *src), len, false);
                if read.is_err() { *src } else { *dst }
            }
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
            | Op::Join { .. }
            | Op::Detach { .. }
            | Op::ThreadState { .. }
            | Op::Pair { .. }
            | Op::AtomicBegin { .. }
            | Op::AtomicEnd
            | Op::SelfHandle { .. }
            | Op::SelfNumber { .. }
            | Op::ExitThread { .. }
            | Op::ExitProgram { .. }
            | Op::Abort
            | Op::Unsupported { .. }
            | Op::Partial { .. } => return None,
        };
        self.shown(Ty::Ptr, self.fetch_in(thread, pointer)).target.map(|(object, _)| object)
    }
}

/// The part of a `copy` or `fill` that was done; `now` is 0 at its end.
fn complete_bulk(event: &mut Event, before: u64, now: u64) {
    let Effect::Write { at, .. } = &mut *event.effect else { return };
    let end = if now == 0 { at.len } else { now.min(at.len) };
    at.offset += before;
    at.len = end.saturating_sub(before);
}

/// A compare-and-exchange that failed has only read.
fn fail_exchange(event: &mut Event) {
    event.sets.retain(|link| matches!(link, Link::Reg { .. }));
    if let Effect::Write { at, old, atomic, .. } = &*event.effect {
        *event.effect = Effect::Read { at: *at, value: *old, atomic: *atomic };
    }
}

/// All bytes of a new object.
fn set_all(event: &mut Event, object: &Identity) {
    for space in [Space::Memory, Space::Shadow] {
        event.sets.push(Link::Bytes { space, start: object.base, len: object.size.max(1) });
    }
}
