//! Critical sections in the formula: they exclude each other, and the word of a lock follows from the sections.
//!
//! For each pair of acquires of one lock in different threads, the earlier section is released before the later
//! acquire: the locking constraint of predictive race detection (Huang, Meredith, Roşu, PLDI 2014).
//! [`braid_bounded::locks`] has the argument why the word of the lock needs no reads-from choice. A section that is
//! acquired and never released is the last one. The fault `sections-overlap` drops the exclusion; `lock_covered_read.c`
//! notices.

use super::{Encoder, Interrupted};
use braid_base::faults::active;
use braid_bounded::cells::{Cell, Group};
use braid_bounded::locks::{Acquire, LockGroup};
use braid_bounded::{Area, Bounded, LockUse, NodeId, Way};
use braid_logic::Term;

impl Encoder<'_> {
    /// The constraints of one group of locks: mutual exclusion of the sections, and the value of each read of a word.
    pub(super) fn lock_group(&mut self, group: &Group, lock: &LockGroup) -> Result<(), Interrupted> {
        for (index, one) in lock.acquires.iter().enumerate() {
            self.poll()?;
            for other in
                lock.acquires.as_slice()[index + 1..].iter().filter(|other| other.thread != one.thread)
            {
                self.exclude(group.area, one, other);
                self.exclude(group.area, other, one);
            }
        }
        for cell in &group.cells {
            let access = &self.bounded.accesses[cell.access];
            let Way::Read(symbol) = access.way else { continue };
            let own = Bounded::number_of(self.thread(cell));
            let own = self.terms.bits(32, own.into());
            let acquired = lock
                .acquires
                .iter()
                .find(|acquire| acquire.node == access.node && access.lock == Some(LockUse::Acquire));
            let value = match (access.lock, acquired) {
                // An acquire that is executed has found the lock free, or held by its own thread.
                (_, Some(acquire)) => {
                    let none = self.terms.bits(32, 0);
                    self.terms.ite(acquire.held, own, none)
                }
                (Some(LockUse::Release), None) => own,
                (Some(LockUse::Acquire | LockUse::Try(_)) | None, None) => {
                    self.word(group.area, lock, cell, symbol)?;
                    continue;
                }
            };
            let equal = self.equal(symbol, value);
            let meaning = self.terms.implies(access.guard, equal);
            self.constraints.push(meaning);
        }
        Ok(())
    }

    /// Mutual exclusion: if `one` is acquired before `other`, it is released in between.
    fn exclude(&mut self, area: Area, one: &Acquire, other: &Acquire) {
        let same = self.same(area, &one.cell, &other.cell);
        let both = self.terms.and_all([one.guard, other.guard, same]);
        let first = self.precedes_if(one.node, other.node, one.guard, other.guard);
        let both = self.terms.and(both, first);
        if self.terms.is_false(both) || active("sections-overlap") {
            return;
        }
        let released = self.is_released(one, other.node, other.guard);
        let meaning = self.terms.implies(both, released);
        self.constraints.push(meaning);
    }

    /// Bool: the section is released before the node, when the node is executed under the guard.
    fn is_released(&mut self, acquire: &Acquire, node: NodeId, guard: Term) -> Term {
        let mut ways = Vec::new();
        for (release, released) in &acquire.releases {
            let before = self.precedes_if(*release, node, *released, guard);
            ways.push(self.terms.and(*released, before));
        }
        self.terms.or_all(ways)
    }

    /// Encodes a read of a lock's word: it gives the number of the thread that holds the lock, or zero.
    fn word(&mut self, area: Area, lock: &LockGroup, read: &Cell, symbol: Term) -> Result<(), Interrupted> {
        let (node, executed) = (self.node(read), self.guard(read));
        let mut all = Vec::new();
        for acquire in lock.acquires.iter().filter(|acquire| acquire.node != node) {
            self.poll()?;
            let same = self.same(area, &acquire.cell, read);
            let acquired = self.terms.and(acquire.guard, same);
            if self.terms.is_false(acquired) {
                continue;
            }
            let before = self.precedes_if(acquire.node, node, acquire.guard, executed);
            if self.terms.is_false(before) {
                continue;
            }
            let released = self.is_released(acquire, node, executed);
            let kept = self.terms.not(released);
            let holds = self.terms.and_all([acquired, before, kept]);
            let number = self.terms.bits(32, Bounded::number_of(acquire.thread).into());
            let equal = self.equal(symbol, number);
            let there = self.terms.and(executed, holds);
            let meaning = self.terms.implies(there, equal);
            self.constraints.push(meaning);
            all.push(holds);
        }
        let some = self.terms.or_all(all);
        let none = self.terms.bits(32, 0);
        let free = self.equal(symbol, none);
        let either = self.terms.or(some, free);
        let meaning = self.terms.implies(executed, either);
        self.constraints.push(meaning);
        Ok(())
    }
}
