//! One instruction of a thread that runs alone: whether a spinning thread may execute it, what it changes, and what it
//! has read.

use super::every::Every;
use super::round::Round;
use super::{Hold, Look};
use crate::footprint::{Area, Touch};
use crate::image::Code;
use crate::machine::Machine;
use crate::state::Status;
use crate::value::{ObjId, Value};
use crate::visible::{Pending, StepKind};
use braid_base::faults::active;
use braid_ir::*;
use std::collections::BTreeSet;

/// A recursive mutex has the number of its owner behind its first word, and then how often it is held (`models/c/mutex.c`).
const OWNER: u64 = 4;
const DEPTH: u64 = 8;

impl Machine<'_> {
    /// Executes one instruction. Returns false if the thread does not spin.
    pub(super) fn step_alone(&mut self, round: &mut Round, every: &mut Every, may_ask: bool) -> bool {
        let at = &self.state.threads[round.thread];
        let pc = at.frame.pc;
        let pending = self.step_at(at);
        if !self.is_allowed(round, pc, pending.as_ref()) {
            return false;
        }
        if may_ask && self.fails_to_lock(round, every, pc) {
            return self.ends_section_well(round, every);
        }
        let written = self.written(pending.as_ref());
        (every.wide, self.state.depends_on_address) = (false, None);
        let asked = self.asked;
        if self.step(every).is_err() || self.asked != asked && !may_ask {
            return false;
        }
        if every.wide && !self.mix_answer(round.thread, pc) {
            return false;
        }
        if !self.is_unchanged(round, pc, pending.as_ref(), &written) {
            return false;
        }
        self.note_look(round, pc, pending.as_ref());
        if self.state.depends_on_address.is_some() {
            if round.mark.is_none() {
                return false;
            }
            if matches!(self.image.code[pc as usize], Code::Branch { .. } | Code::Switch { .. }) {
                round.branches.insert(pc);
            }
        }
        self.ends_section_well(round, every)
    }

    /// Lets an attempt to acquire a lock fail that another spinning thread may hold just now, if that is the answer.
    fn fails_to_lock(&mut self, round: &mut Round, every: &mut Every, pc: u32) -> bool {
        let Some(Op::TryLock { dst, mutex }) = self.image.ops[pc as usize] else { return false };
        let thread = &self.state.threads[round.thread];
        let at = self.state.memory.locate(self.fetch_in(thread, *mutex), 4, true).ok();
        let lock = at.map(|at| self.state.memory.identity_in(at).base + at.offset);
        let Some(lock) = lock else { return false };
        let disturbed = match round.disturbed.get(&lock) {
            Some(Hold::Alone) => true,
            // A reader looks whether there are others before it tries.
            Some(Hold::Shared) => {
                let looks = |look: &Look| look.area == Area::Shadow && look.start == lock && !look.tries;
                !round.looks_inside.iter().any(looks)
            }
            None => false,
        };
        if !disturbed || every.answers.pick(2) == 0 {
            return false;
        }
        let thread = &mut self.state.threads[round.thread];
        thread.set(*dst, Value::plain(0));
        thread.frame.pc += 1;
        true
    }

    /// Returns true if a spinning thread may execute the instruction.
    fn is_allowed(&self, round: &mut Round, pc: u32, pending: Option<&Pending>) -> bool {
        let thread = &self.state.threads[round.thread];
        let lock_at = |mutex: Operand| {
            let at = self.state.memory.locate(self.fetch_in(thread, mutex), 4, true).ok()?;
            Some(self.state.memory.identity_in(at).base + at.offset)
        };
        match self.image.ops[pc as usize] {
            Some(Op::Lock { mutex }) => lock_at(*mutex).is_some_and(|lock| {
                round.locks.insert(lock);
                true
            }),
            Some(Op::TryLock { mutex, .. }) => lock_at(*mutex).is_some_and(|lock| {
                round.locks.insert(lock);
                round.spin.tried.insert(lock);
                true
            }),
            // It gives back no lock of another thread.
            Some(Op::Unlock { mutex }) => lock_at(*mutex).is_some_and(|lock| {
                round.locks.insert(lock);
                thread.held.contains(&lock)
            }),
            Some(
                Op::Spawn { .. }
                | Op::Join { .. }
                | Op::Detach { .. }
                | Op::ExitThread { .. }
                | Op::ExitProgram { .. }
                | Op::Abort
                | Op::Unsupported { .. },
            ) => false,
            Some(Op::Alloc { .. } | Op::Free { .. } | Op::LocalLive { .. } | Op::LocalDead { .. }) => {
                pending.is_none()
            }
            // The end of a frame whose objects others can reach.
            None => pending.is_none(),
            Some(
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
                | Op::Nondet { .. }
                | Op::Input { .. }
                | Op::Output { .. }
                | Op::ThreadState { .. }
                | Op::Pair { .. }
                | Op::AtomicBegin { .. }
                | Op::AtomicEnd
                | Op::SelfHandle { .. }
                | Op::SelfNumber { .. }
                | Op::Partial { .. },
            ) => true,
        }
    }

    /// The objects that the step writes and others can reach, as they are.
    fn written(&self, pending: Option<&Pending>) -> Vec<(ObjId, Option<u128>)> {
        let touches = pending.into_iter().flat_map(|pending| pending.footprint.touches());
        let writes = touches.filter(|touch| touch.write && matches!(touch.area, Area::Memory | Area::Shadow));
        let objects: BTreeSet<ObjId> =
            writes.filter_map(|touch| self.state.memory.object_at(touch.start)).collect();
        objects.into_iter().map(|id| (id, self.state.memory.hash_of(id))).collect()
    }

    /// Returns true if the step has changed nothing but locks, or what belongs to a lock.
    fn is_unchanged(
        &self,
        round: &mut Round,
        pc: u32,
        pending: Option<&Pending>,
        written: &[(ObjId, Option<u128>)],
    ) -> bool {
        let changed = || written.iter().any(|(id, before)| self.state.memory.hash_of(*id) != *before);
        match self.image.ops[pc as usize] {
            // Whether others notice is seen when the section ends.
            Some(Op::Lock { .. } | Op::TryLock { .. } | Op::Unlock { .. }) => true,
            Some(Op::Store { access, .. }) if access.space == Space::Shadow => {
                round.shadow_changed |= changed() && !self.is_of_held_lock(round, pending);
                true
            }
            Some(_) | None => active("spin-ignores-writes") || !changed(),
        }
    }

    /// Returns true if all that the step writes says how often the thread holds a mutex: others see of a recursive mutex
    /// that it is held, and not how often. What lies behind a lock of another kind belongs to something else.
    fn is_of_held_lock(&self, round: &Round, pending: Option<&Pending>) -> bool {
        let thread = &self.state.threads[round.thread];
        let is_owner = |lock: u64| self.shadow_word(lock + OWNER) == Some(thread.number as i32 + 1);
        let counts = |lock: u64, start: u64| match active("lock-takes-neighbours") {
            true => (lock..lock + 40).contains(&start),
            false => [lock + OWNER, lock + DEPTH].contains(&start) && is_owner(lock),
        };
        let touches = pending.into_iter().flat_map(|pending| pending.footprint.touches());
        let mut writes = touches.filter(|touch| touch.write);
        writes.all(|touch| thread.held.iter().any(|lock| counts(*lock, touch.start)))
    }

    /// A word of shadow state.
    pub(super) fn shadow_word(&self, address: u64) -> Option<i32> {
        let memory = &self.state.memory;
        let at = memory.locate(Value::plain(u128::from(address)), 4, false).ok()?;
        Some(memory.read(at, 4, Space::Shadow)?.bits as u32 as i32)
    }

    /// Remembers the locks that others find taken after a section which has used some: readers hold a lock together, and
    /// its word is negative. A lock that was taken and given back within the section is not seen.
    fn note_taken(&self, round: &mut Round, used: &BTreeSet<u64>) {
        for lock in used.iter().filter(|lock| !round.held.contains(lock)) {
            let hold = match self.shadow_word(*lock) {
                _ if active("lock-taken-in-passing") => Hold::Alone,
                Some(0) | None => continue,
                Some(..0) => Hold::Shared,
                Some(1..) => Hold::Alone,
            };
            let known = round.spin.taken.entry(*lock).or_insert(hold);
            *known = (*known).max(hold);
        }
    }

    /// Returns true unless the step ends a section that has changed shadow state other than that of locks, or after which
    /// another thread may go on.
    fn ends_section_well(&mut self, round: &mut Round, every: &mut Every) -> bool {
        let thread = &self.state.threads[round.thread];
        if thread.section > 0 {
            return true;
        }
        round.first_section = false;
        let locks = std::mem::take(&mut round.locks);
        self.note_taken(round, &locks);
        let lock_used = !locks.is_empty();
        let looks = std::mem::take(&mut round.looks_inside);
        round.looks.extend(looks.into_iter().filter(|look| !lock_used || look.tries));
        let changed = std::mem::take(&mut round.shadow_changed);
        (!changed || lock_used) && (!lock_used || self.gives_away_unseen(round, every))
    }

    /// Returns false if the thread has given away locks that it held where its round began, and another thread may now go
    /// on. One in a loop may spin all the same: that is known when its own round is.
    fn gives_away_unseen(&mut self, round: &mut Round, every: &mut Every) -> bool {
        let mut held = self.state.threads[round.thread].held.clone();
        let mut given = round.held.clone();
        given.retain(|lock| {
            let index = held.iter().position(|other| other == lock);
            index.map(|index| held.swap_remove(index)).is_none()
        });
        if given.is_empty() || round.mark.is_some() || active("spin-ignores-locks") {
            return true;
        }
        round.spin.given.extend(given);
        for other in (0..self.state.threads.len()).filter(|other| *other != round.thread) {
            let at = &self.state.threads[other];
            let (ready, in_loop) = (at.status == Status::Ready, self.is_in_loop(at));
            if ready && !self.still_waits(other, every) {
                if !in_loop {
                    return false;
                }
                round.spin.awake.insert(other);
            }
        }
        !active("spin-keeps-locks")
    }

    /// Returns true if the thread is blocked.
    fn still_waits(&mut self, thread: usize, every: &mut Every) -> bool {
        let enters = self.pending(thread).is_some_and(|pending| pending.kind == StepKind::Section);
        self.wait_of(thread).is_some() || enters && self.waits_in_section(thread, &mut *every.env).is_some()
    }

    /// Remembers a read of shared memory, and makes its value mixed at the marked place.
    fn note_look(&mut self, round: &mut Round, pc: u32, pending: Option<&Pending>) {
        let Some(pending) = pending else { return };
        let (registers, tries): (Vec<RegId>, bool) = match self.image.ops[pc as usize] {
            Some(Op::Load { dst, .. } | Op::Rmw { dst, .. }) => (vec![*dst], false),
            Some(Op::CmpXchg(c)) => (vec![c.ok, c.old], false),
            Some(Op::TryLock { dst, .. }) => (vec![*dst], true),
            Some(Op::ThreadState { dst, .. }) if !active("thread-state-unseen") => (vec![*dst], false),
            // The bytes that are copied cannot be marked.
            Some(Op::Copy { .. }) => (Vec::new(), false),
            Some(_) | None => return,
        };
        let copies = registers.is_empty();
        let is_read = |touch: &&Touch| {
            matches!(touch.area, Area::Memory | Area::Shadow | Area::Ends) && !(copies && touch.write)
        };
        let Some(touch) = pending.footprint.touches().find(is_read) else { return };
        let place = self.site_of(&self.state.threads[round.thread], pc).loc;
        let look = Look { area: touch.area, start: touch.start, len: touch.len, tries, place };
        round.looks_inside.push(look);
        if round.mark == Some(look) {
            registers.into_iter().for_each(|reg| self.mix(round.thread, reg));
        }
    }
}
