//! Thread operations: the one place where concurrency enters the machine.
//!
//! A handle is the address of an object of its own. A mutex is a word in the shadow space of its object:
//! zero, or the number of the owner plus one; or minus n, and those who hold it together are in the n words
//! that follow, numbered likewise, zero for nobody. An operation that would have to wait leaves the state as
//! it was and says so; who runs next is for [`crate::transition`] and its callers to decide.

use crate::arena::Layout;
use crate::call::new_thread;
use crate::env::Environment;
use crate::eval::Eval;
use crate::footprint::{Area, Touch};
use crate::image::SetupError;
use crate::machine::{Machine, Step};
use crate::memory::Located;
use crate::naming;
use crate::object::{Identity, Kind};
use crate::report::{Outcome, Resource};
use crate::state::Status;
use crate::value::{ObjId, Prov, Value};
use braid_base::Idx;
use braid_base::faults::active;
use braid_ir::*;
use braid_props::Check;

/// More bytes than synchronisation objects have in which the models look.
const SYNC_OBJECT: u64 = 20;

impl Machine<'_> {
    pub(crate) fn thread_operation(&mut self, op: &Op, env: &mut dyn Environment) -> Step {
        match op {
            Op::Spawn { dst, func, arg } => self.spawn(*dst, *func, *arg, env),
            Op::Join { dst, handle } => self.join(*dst, *handle, env),
            Op::Detach { handle } => self.detach(*handle),
            Op::Pair { dst, word, mutex } => self.pair(*dst, *word, *mutex),
            Op::ThreadState { dst, ask, handle } => self.thread_state(*dst, *ask, *handle),
            Op::Lock { mutex } => self.lock(*mutex),
            Op::TryLock { dst, mutex } => self.try_lock(*dst, *mutex),
            Op::Unlock { mutex } => self.unlock(*mutex),
            Op::AtomicBegin { when } => self.atomic_begin(when.as_deref(), env),
            Op::AtomicEnd => {
                let thread = &mut self.state.threads[self.state.current];
                thread.section = thread.section.saturating_sub(1);
                Ok(())
            }
            Op::SelfHandle { dst } => {
                self.set(*dst, self.handle_of(self.state.current));
                Ok(())
            }
            Op::SelfNumber { dst } => {
                let number = self.state.threads[self.state.current].number + 1;
                self.set(*dst, Value::plain(u128::from(number)));
                Ok(())
            }
            Op::ExitThread { .. } if self.state.current == 0 && active("main-exit-ends-program") => {
                Err(self.exit(0))
            }
            Op::ExitThread { value } => {
                let value = self.operand(*value);
                let thread = &self.state.threads[self.state.current];
                self.ends_unlocked(thread.locals.iter().flatten().chain(&thread.blocks))?;
                self.finish(Some(value));
                Ok(())
            }
            Op::Assign { .. }
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::Rmw { .. }
            | Op::CmpXchg(_)
            | Op::Fence { .. }
            | Op::Copy { .. }
            | Op::Fill { .. }
            | Op::Call { .. }
            | Op::Assume { .. }
            | Op::Assert { .. }
            | Op::Alloc { .. }
            | Op::Free { .. }
            | Op::LocalLive { .. }
            | Op::LocalDead { .. }
            | Op::Nondet { .. }
            | Op::Input { .. }
            | Op::Output { .. }
            | Op::ExitProgram { .. }
            | Op::Abort
            | Op::Unsupported { .. }
            | Op::Partial { .. } => unreachable!("not a thread operation"),
        }
    }

    /// The instruction has to wait: the thread stands before it again.
    fn blocked(&mut self) -> Box<Outcome> {
        let thread = &mut self.state.threads[self.state.current];
        thread.frame.pc -= 1;
        Box::new(Outcome::Blocked { threads: Vec::new() })
    }

    fn spawn(&mut self, dst: RegId, func: Operand, arg: Operand, env: &mut dyn Environment) -> Step {
        let func = self.function_at(self.operand(func))?;
        if self.image.functions[func.index()].entry.is_none() {
            let name = self.image.function(func).name;
            return Err(self.unsupported(format!("a thread in '{name}', which has no definition")));
        }
        let number = self.state.threads.len() as u32;
        let allowed = self.options.limits.threads.is_none_or(|limit| number < limit);
        let regions = Layout::new(self.image.program.pointer_bytes).thread(number).filter(|_| allowed);
        let Some(regions) = regions else {
            return Err(self.resource(Resource::Threads { count: number }));
        };
        let parent = &mut self.state.threads[self.state.current];
        parent.spawned += 1;
        let path = parent.path.child(parent.spawned);
        let made = new_thread(self.image, &mut self.state.memory, number, path, func, regions);
        let mut thread = match made {
            Ok(thread) => thread,
            Err(SetupError::TooLarge { .. } | SetupError::NoEntry) => {
                return Err(self.resource(Resource::Threads { count: number }));
            }
        };
        let arg = self.operand(arg);
        self.state.memory.escape_value(arg);
        let function = self.image.function(func);
        for (index, param) in function.params.iter().enumerate() {
            let ty = function.regs[*param].ty;
            let value = match index {
                0 => arg.coerced(ty, self.image.program.pointer_bytes),
                _ => Value::plain(self.choose(ChoiceKind::Uninit, ty, env)),
            };
            thread.regs[param.index()] = value;
        }
        self.state.threads.push(thread);
        if let Some(marks) = &mut self.marks {
            marks.start(func);
        }
        self.state.ready += 1;
        self.state.alone = false;
        self.set(dst, self.handle_of(number as usize));
        self.list_spawn();
        Ok(())
    }

    fn handle_of(&self, thread: usize) -> Value {
        let object = self.state.threads[thread].handle;
        let base = self.state.memory.identity(object).map_or(0, |identity| identity.base);
        Value { bits: u128::from(base), prov: Prov::Object(object) }
    }

    /// The thread a handle stands for.
    pub(crate) fn thread_of(&self, handle: Value) -> Option<usize> {
        let object = self.state.memory.object_of(handle)?;
        let Some(identity) = self.state.memory.identity(object) else {
            // The object's slot holds another one by now; the thread still knows it.
            return self.state.threads.iter().position(|thread| thread.handle == object);
        };
        match identity.kind {
            Kind::Thread(number) if identity.base == handle.address() => Some(number as usize),
            Kind::Thread(_)
            | Kind::Function(_)
            | Kind::Global(_)
            | Kind::ThreadLocal(_)
            | Kind::Local(..)
            | Kind::Stack
            | Kind::Heap => None,
        }
    }

    /// The thread an operation is about.
    fn target(&mut self, handle: Operand) -> Step<usize> {
        let handle = self.operand(handle);
        if !matches!(handle.prov, Prov::Object(_)) {
            self.note_address(handle, self.pc());
        }
        self.thread_of(handle).ok_or_else(|| self.unsupported("joining something that is no thread"))
    }

    /// From now on another thread may get the same id.
    fn end_id(&mut self, thread: usize) {
        let (object, site) = (self.state.threads[thread].handle, self.site());
        self.state.memory.end_id(object, site, self.state.threads.len() as u32);
    }

    fn detach(&mut self, handle: Operand) -> Step {
        let target = self.target(handle)?;
        self.state.threads[target].detached = true;
        if matches!(self.state.threads[target].status, Status::Finished(_)) {
            self.end_id(target);
        }
        Ok(())
    }

    fn thread_state(&mut self, dst: RegId, ask: ThreadAsk, handle: Operand) -> Step {
        let value = self.operand(handle);
        if !matches!(value.prov, Prov::Object(_)) {
            self.note_address(value, self.pc());
        }
        let state = match self.thread_of(value) {
            Some(target) => self.state_of_thread(target, ask),
            None => ThreadState::NoThread,
        };
        self.set(dst, Value::plain(state as u128));
        Ok(())
    }

    fn state_of_thread(&mut self, target: usize, ask: ThreadAsk) -> ThreadState {
        let thread = &self.state.threads[target];
        let known = self.state.memory.get(thread.handle).is_some();
        if !known && !self.options.question.checks.contains(Check::ThreadMisuse) {
            let started = self.state.threads.len() as u32;
            if self.state.memory.id_reused_from(thread.handle).is_none_or(|threads| threads < started) {
                // A later thread may have the id by now.
                self.depend_on_address(self.pc());
            }
        }
        let thread = &self.state.threads[target];
        if active("every-thread-joinable") {
            return ThreadState::Joinable;
        }
        match ask {
            ThreadAsk::Life if thread.detached && !known => ThreadState::Gone,
            _ if thread.detached => ThreadState::Detached,
            _ if !known => ThreadState::Joined,
            ThreadAsk::Claim if target == self.state.current => ThreadState::Own,
            _ if thread.awaited => ThreadState::Awaited,
            ThreadAsk::Claim => {
                self.state.threads[target].awaited = true;
                ThreadState::Joinable
            }
            ThreadAsk::Join | ThreadAsk::Life => ThreadState::Joinable,
        }
    }

    fn join(&mut self, dst: Option<RegId>, handle: Operand, env: &mut dyn Environment) -> Step {
        let target = self.target(handle)?;
        let value = match self.state.threads[target].status {
            Status::Finished(value) => value,
            Status::Ready | Status::Stopped(_) if active("join-does-not-wait") => Some(Value::ZERO),
            Status::Ready | Status::Stopped(_) => return Err(self.blocked()),
        };
        if let Some(dst) = dst {
            let value = match value {
                Some(value) => value,
                None => Value::plain(self.choose(ChoiceKind::Uninit, Ty::Ptr, env)),
            };
            self.set(dst, value);
        }
        self.end_id(target);
        Ok(())
    }

    /// The threads that hold a mutex whose word is not zero, in order.
    pub(crate) fn holders(&self, at: Located, word: u32) -> Vec<usize> {
        let shared = (word as i32).min(0).unsigned_abs();
        let memory = &self.state.memory;
        let size = memory.identity_in(at).size;
        let places = (1..=u64::from(shared)).map(|i| Located { offset: at.offset + 4 * i, ..at });
        let inside = places.take_while(|place| place.offset + 4 <= size);
        let words = inside.filter_map(|place| memory.read(place, 4, Space::Shadow));
        let mut holders: Vec<usize> = match shared {
            0 => vec![word as usize],
            _ => words.map(|word| word.bits as usize).collect(),
        };
        holders.retain(|owner| (1..=self.state.threads.len()).contains(owner));
        holders.sort_unstable();
        holders.dedup();
        if active("one-holder-counts") {
            holders.truncate(1);
        }
        holders.iter().map(|owner| owner - 1).collect()
    }

    /// Where a mutex keeps its state, and its word.
    fn mutex(&mut self, mutex: Operand) -> Step<(Located, u64, u32)> {
        let pointer = self.operand(mutex);
        let at = self.locate(pointer, 4, true)?;
        let owner = self.state.memory.read(at, 4, Space::Shadow).map_or(0, |value| value.bits as u32);
        let address = self.state.memory.identity_in(at).base + at.offset;
        Ok((at, address, owner))
    }

    fn take(&mut self, at: Located, address: u64) {
        let thread = &mut self.state.threads[self.state.current];
        thread.held.push(address);
        let owner = Value::plain(u128::from(thread.number) + 1);
        self.state.memory.write(at, 4, owner, Space::Shadow);
    }

    fn lock(&mut self, mutex: Operand) -> Step {
        let (at, address, word) = self.mutex(mutex)?;
        if word == 0 || active("lock-does-not-wait") {
            self.take(at, address);
            return Ok(());
        }
        let own = self.holders(at, word).contains(&self.state.current);
        if own && self.options.question.checks.contains(Check::LockMisuse) {
            let message = format!("lock of {}, which the thread already holds", self.mutex_text(address));
            return Err(self.violation(Check::LockMisuse, message, Vec::new()));
        }
        Err(self.blocked())
    }

    fn pair(&mut self, dst: RegId, word: Operand, mutex: Operand) -> Step {
        let (pointer, mutex) = (self.operand(word), self.operand(mutex).address());
        let len = usize::from(self.image.program.pointer_bytes);
        let at = self.locate(pointer, len as u64, true)?;
        let last = self.state.memory.read(at, len, Space::Shadow).map_or(0, |value| value.bits as u64);
        self.state.memory.write(at, len, Value::plain(mutex.into()), Space::Shadow);
        let other = last != 0 && last != mutex && !active("any-mutex-will-do");
        self.set(dst, Value::bool(other));
        Ok(())
    }

    fn try_lock(&mut self, dst: RegId, mutex: Operand) -> Step {
        let (at, address, owner) = self.mutex(mutex)?;
        if owner == 0 {
            self.take(at, address);
        }
        self.set(dst, Value::bool(owner == 0));
        Ok(())
    }

    fn unlock(&mut self, mutex: Operand) -> Step {
        let (at, address, owner) = self.mutex(mutex)?;
        let own = self.state.threads[self.state.current].number + 1;
        let checked =
            self.options.question.checks.contains(Check::LockMisuse) && !active("foreign-unlock-allowed");
        if owner != own && checked {
            let mutex = self.mutex_text(address);
            let who = match self.state.threads.get((owner as usize).wrapping_sub(1)) {
                Some(thread) => format!("which {} holds", thread.path),
                None => "which nobody holds".into(),
            };
            return Err(self.violation(Check::LockMisuse, format!("unlock of {mutex}, {who}"), Vec::new()));
        }
        if owner == 0 || active("unlock-keeps") {
            return Ok(());
        }
        if let Some(holder) = (owner as usize).checked_sub(1).filter(|i| *i < self.state.threads.len()) {
            let held = &mut self.state.threads[holder].held;
            if let Some(index) = held.iter().rposition(|held| *held == address) {
                held.remove(index);
            }
        }
        self.state.memory.write(at, 4, Value::ZERO, Space::Shadow);
        Ok(())
    }

    fn atomic_begin(&mut self, guard: Option<&Guard>, env: &mut dyn Environment) -> Step {
        self.asked_inside &= self.state.threads[self.state.current].section > 0;
        if let Some(guard) = guard
            && !self.guard_holds(guard, env)?
        {
            return Err(self.blocked());
        }
        self.state.threads[self.state.current].section += 1;
        Ok(())
    }

    /// Runs the guard's straight-line code. Its registers are its own: they hold nothing that is read
    /// anywhere else.
    pub(crate) fn guard_holds(&mut self, guard: &Guard, env: &mut dyn Environment) -> Step<bool> {
        for instr in &guard.instrs {
            match &instr.op {
                Op::Assign { dst, value } => {
                    let thread = &self.state.threads[self.state.current];
                    let eval = Eval::new(self.image, thread, &self.state.memory);
                    let Ok(value) = eval.expr(value) else { return Err(self.division_by_zero()) };
                    self.set(*dst, value);
                }
                Op::Load { dst, ty, ptr, access } => {
                    let pointer_bytes = self.image.program.pointer_bytes;
                    let (bytes, width) = (ty.bytes(pointer_bytes) as u8, ty.bits(pointer_bytes) as u8);
                    let pointer = self.operand(*ptr);
                    let value = self.load(pointer, bytes, width, access.space, env)?;
                    self.note_guard_read(pointer, u64::from(bytes), access.space);
                    self.set(*dst, value);
                }
                _ => return Err(self.unsupported("a guard that does more than read")),
            }
        }
        let cond = self.operand(guard.cond);
        self.note_address(cond, self.pc());
        Ok(cond.is_true())
    }

    fn note_guard_read(&mut self, pointer: Value, len: u64, space: Space) {
        let Some(at) = self.noticed(pointer, len, false) else { return };
        let base = self.state.memory.identity_in(at).base;
        let area = if space == Space::Memory { Area::Memory } else { Area::Shadow };
        self.touched.add(Touch::new(area, base + at.offset, len, false));
    }

    /// Ends the running thread.
    pub(crate) fn finish(&mut self, value: Option<Value>) {
        let died = self.site();
        let thread = &mut self.state.threads[self.state.current];
        let value = value.filter(|_| !thread.void);
        self.state.frozen |= thread.section > 0 && !active("open-section-goes-on");
        let locals = std::mem::take(&mut thread.locals);
        let blocks = std::mem::take(&mut thread.blocks);
        let thread_locals = std::mem::take(&mut thread.thread_locals);
        thread.callers = Vec::new();
        thread.regs = Vec::new();
        for object in locals.into_iter().flatten().chain(blocks).chain(thread_locals) {
            self.state.memory.kill(object, died);
        }
        if self.state.threads[self.state.current].detached && !active("detached-id-lives-on") {
            self.end_id(self.state.current);
        }
        self.state.retire(Status::Finished(value));
    }

    /// Memory that comes to its end must hold no lock that a thread holds.
    pub(crate) fn ends_unlocked<'o>(&self, objects: impl Iterator<Item = &'o ObjId>) -> Step {
        let held = self.state.threads.iter().any(|thread| !thread.held.is_empty());
        if !held || !self.options.question.checks.contains(Check::LockMisuse) || active("held-lock-may-end") {
            return Ok(());
        }
        for object in objects.filter_map(|id| self.state.memory.get(*id)) {
            let (base, size) = (object.identity.base, object.identity.size);
            for thread in self.state.threads.iter() {
                let inside = |address: &&u64| (base..base.saturating_add(size)).contains(*address);
                if let Some(address) = thread.held.iter().find(inside) {
                    let message = format!(
                        "end of memory with {}, which {} holds",
                        self.mutex_text(*address),
                        thread.path
                    );
                    return Err(self.violation(Check::LockMisuse, message, Vec::new()));
                }
            }
        }
        Ok(())
    }

    /// The mutex at an address, in words.
    pub(crate) fn mutex_text(&self, address: u64) -> String {
        let Some(object) = self.state.memory.object_at(address).and_then(|id| self.state.memory.identity(id))
        else {
            return "a mutex that is gone".into();
        };
        format!("mutex {}", self.place_text(&object, address - object.base))
    }

    /// A place in an object: its name in quotes, or where the object comes from.
    fn place_text(&self, object: &Identity, offset: u64) -> String {
        if let Some(name) = naming::lock(self.image.program, object, offset) {
            return format!("'{name}'");
        }
        let text = object.describe(self.image.program);
        match offset {
            0 => format!("in {text}"),
            offset => format!("at offset {offset} of {text}"),
        }
    }

    /// What is done to an object, which `%` stands for.
    pub(crate) fn misuse_text(&self, text: &str, pointer: Value) -> String {
        let near = pointer.address()..pointer.address().saturating_add(SYNC_OBJECT);
        let text = text.split(';').next().unwrap_or(text).replace('%', &self.object_text(pointer));
        // Memory that nobody has written to may hold anything, even what destroying leaves there.
        match self.unwritten.range(near).next() {
            Some(_) => text.replace("was destroyed", "was never initialised"),
            None => text,
        }
    }

    /// The object behind a pointer, or the thread behind a handle, in words.
    pub(crate) fn object_text(&self, pointer: Value) -> String {
        if let Some(thread) = self.thread_of(pointer) {
            return self.state.threads[thread].path.to_string();
        }
        let memory = &self.state.memory;
        match memory.object_of(pointer).and_then(|id| memory.identity(id)) {
            Some(object) => self.place_text(&object, pointer.address().wrapping_sub(object.base)),
            None => format!("{:#x}", pointer.address()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{TestEnv, main_of, program};
    use crate::{Image, Machine, Options, Outcome};
    use braid_props::CheckSet;

    /// Whether the id of the first thread may be that of another one. The lines `early` come before its
    /// end, `late` after it.
    fn may_be_same(early: &str, late: &str, other: &str) -> bool {
        let items = "fn &t(%0) -> ptr {\nreg %0 ptr\nb0:\nret null\n}";
        let lines = format!(
            "b0:\n%0 = spawn &t, null\n{early}\n%1 = spawn &t, null\njoin %1\n{late}\n%2 = spawn &t, null\n\
             %3 = eq i64 %0, {other}\nbr %3, b1, b2\nb1:\nret 1:i32\nb2:\nret 0:i32"
        );
        let program = program(&main_of(items, "%0 i64, %1 i64, %2 i64, %3 i1", &lines));
        let image = Image::new(&program, CheckSet::default()).expect("a program that runs");
        let mut machine = Machine::new(&image, Options::default()).expect("a machine");
        let outcome = machine.run(&mut TestEnv::default());
        assert!(matches!(outcome, Outcome::Exited { code: 0 }), "{outcome:?}");
        machine.state.depends_on_address.is_some()
    }

    #[test]
    fn an_id_ends_with_the_join_or_when_the_thread_has_ended_and_been_detached() {
        assert!(!may_be_same("", "", "%2"));
        assert!(may_be_same("", "join %0", "%2"));
        assert!(may_be_same("detach %0", "", "%2"));
        assert!(may_be_same("", "detach %0", "%2"));
        assert!(!may_be_same("detach %0", "", "%1"));
        assert!(!may_be_same("", "detach %0", "%1"));
    }
}
