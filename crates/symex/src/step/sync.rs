//! Atomic sections, locks and condition variables.
//!
//! A mutex is a word in the shadow space of its object, as in the interpreter: 0, the number of its owner, or minus the
//! number of those that hold it together, whose numbers follow.

use super::{Access, LockUse, Piece, Reach, Step, Wait, World};
use crate::{State, Value, bit, truth};
use braid_base::faults::active;
use braid_ir::{Guard, Loc, Operand, Space};
use braid_logic::Term;
use braid_props::Check;

/// The most threads that hold a lock together.
const HOLDERS: u64 = 12;

/// The word of a mutex, and its owner.
struct Owned<S> {
    access: Access,
    reach: Reach<S>,
    owner: Term,
}

impl<W: World> Step<'_, W> {
    pub(super) fn atomic_begin(&mut self, state: &mut State<W::Path>, when: Option<&Guard>) {
        self.world.enter(self.terms, state);
        let Some(guard) = when else { return };
        for instr in &guard.instrs {
            self.instruction(state, instr);
        }
        let (cond, loc) = (self.operand(state, guard.cond), self.world.place());
        self.depends(state, cond, loc);
        let cond = truth(self.terms, cond.term);
        self.world.require(self.terms, state, cond, Some(Wait::Condition), loc);
    }

    /// An operation outside of a section is a section of its own.
    fn alone(&mut self, state: &mut State<W::Path>, operation: impl FnOnce(&mut Self, &mut State<W::Path>)) {
        let outside = !self.world.is_atomic(state);
        if outside {
            self.world.enter(self.terms, state);
        }
        operation(self, state);
        if outside {
            self.world.leave(self.terms, state);
        }
    }

    /// The number of the running thread, as locks know it.
    pub(super) fn self_number(&mut self) -> Term {
        let number = self.world.self_number();
        self.terms.bits(32, number.into())
    }

    /// The word of a mutex.
    fn word(&mut self, state: &State<W::Path>, mutex: Operand, loc: Loc) -> Access {
        let at = self.at(state, mutex);
        let len = self.pointer_bits(4);
        Access { at, len, space: Space::Shadow, write: true, loc }
    }

    /// Reads the owner of a mutex.
    fn owner(&mut self, state: &mut State<W::Path>, mutex: Operand, loc: Loc) -> Option<Owned<W::Shared>> {
        let access = self.word(state, mutex, loc);
        let reach = self.reach(state, &access)?;
        let owner = self.read(state, &access, &reach, Piece::first(4))?.term;
        Some(Owned { access, reach, owner })
    }

    fn set_owner(
        &mut self,
        state: &mut State<W::Path>,
        access: &Access,
        reach: &Reach<W::Shared>,
        owner: Term,
    ) {
        self.write(state, access, reach, Piece::first(4), Value::plain(owner));
    }

    pub(super) fn lock(&mut self, state: &mut State<W::Path>, mutex: Operand, loc: Loc) {
        self.alone(state, |this, state| {
            this.world.begin_lock();
            let Some(word) = this.owner(state, mutex, loc) else { return };
            let own = this.self_number();
            let none = this.terms.bits(32, 0);
            if this.world.checks(Check::LockMisuse) {
                let alone = this.terms.eq(word.owner, own);
                let together = this.is_among_holders(state, &word, own);
                let again = this.terms.or(alone, together);
                this.check(state, Check::LockMisuse, again, loc);
            }
            let free = this.terms.eq(word.owner, none);
            let holders =
                if this.world.asks_holders(state) { this.holders(state, &word) } else { Vec::new() };
            this.world.require(this.terms, state, free, Some(Wait::Lock { holders }), loc);
            let pointer = word.access.at.pointer.term;
            if this.world.takes_lock(pointer) {
                this.set_owner(state, &word.access, &word.reach, own);
                this.world.end_lock(state, pointer, LockUse::Acquire);
            }
        });
    }

    /// Bool: several threads hold the lock together.
    fn is_shared(&mut self, owner: Term) -> Term {
        let top = self.terms.width(owner) - 1;
        let sign = self.terms.extract(owner, top, top);
        truth(self.terms, sign)
    }

    /// The threads that hold a lock: conditions, and a thread's number under each.
    fn holders(&mut self, state: &mut State<W::Path>, word: &Owned<W::Shared>) -> Vec<(Term, Term)> {
        let together = self.is_shared(word.owner);
        let alone = self.terms.not(together);
        let mut holders = vec![(alone, word.owner)];
        for (there, number) in self.held_together(state, word) {
            holders.push((self.terms.and(together, there), number));
        }
        holders
    }

    /// The numbers behind the word of a lock that several hold together, each with the condition that it
    /// is one.
    fn held_together(&mut self, state: &mut State<W::Path>, word: &Owned<W::Shared>) -> Vec<(Term, Term)> {
        let mut held = Vec::new();
        let pointer = word.access.at.pointer.term;
        if !self.world.may_be_held_together(self.terms, pointer, &word.reach) {
            return held;
        }
        for holder in 1..=HOLDERS {
            let piece = Piece { start: 4 * holder, ..Piece::first(4) };
            let Some(found) = self.read(state, &word.access, &word.reach, piece) else { break };
            let count = self.terms.bits(32, u128::from(holder));
            let minus = self.terms.bv_neg(word.owner);
            held.push((self.terms.ule(count, minus), found.term));
        }
        held
    }

    /// Bool: a lock that several hold together (its word is negative, their numbers follow) is held by this
    /// thread, too.
    fn is_among_holders(&mut self, state: &mut State<W::Path>, word: &Owned<W::Shared>, own: Term) -> Term {
        let together = self.is_shared(word.owner);
        if self.terms.is_false(together) {
            return together;
        }
        let mut held = Vec::new();
        for (there, number) in self.held_together(state, word) {
            let this = self.terms.eq(number, own);
            held.push(self.terms.and(there, this));
        }
        let held = self.terms.or_all(held);
        self.terms.and(together, held)
    }

    pub(super) fn try_lock(&mut self, state: &mut State<W::Path>, mutex: Operand, loc: Loc) -> Option<Value> {
        let mut result = None;
        self.alone(state, |this, state| {
            this.world.begin_lock();
            let Some(word) = this.owner(state, mutex, loc) else { return };
            let own = this.self_number();
            let none = this.terms.bits(32, 0);
            let free = this.terms.eq(word.owner, none);
            let new = this.terms.ite(free, own, word.owner);
            let pointer = word.access.at.pointer.term;
            if this.world.takes_lock(pointer) {
                this.set_owner(state, &word.access, &word.reach, new);
                this.world.end_lock(state, pointer, LockUse::Try(free));
            }
            result = Some(Value::plain(bit(this.terms, free)));
        });
        result
    }

    pub(super) fn unlock(&mut self, state: &mut State<W::Path>, mutex: Operand, loc: Loc) {
        self.alone(state, |this, state| {
            let pointer = this.at(state, mutex).pointer.term;
            if !this.world.releases_lock(this.terms, state, pointer) {
                return;
            }
            this.world.begin_lock();
            let none = this.terms.bits(32, 0);
            let (access, reach) = if this.world.checks(Check::LockMisuse) {
                let Some(word) = this.owner(state, mutex, loc) else { return };
                let own = this.self_number();
                let foreign = this.terms.ne(word.owner, own);
                this.check(state, Check::LockMisuse, foreign, loc);
                (word.access, word.reach)
            } else {
                let access = this.word(state, mutex, loc);
                let Some(reach) = this.reach(state, &access) else { return };
                (access, reach)
            };
            this.set_owner(state, &access, &reach, none);
            this.world.end_lock(state, pointer, LockUse::Release);
        });
    }

    /// Bit: the last thread that waited there did so with another mutex.
    pub(super) fn pair(
        &mut self,
        state: &mut State<W::Path>,
        word: Operand,
        mutex: Operand,
        loc: Loc,
    ) -> Option<Value> {
        let (at, mutex) = (self.at(state, word), self.operand(state, mutex).term);
        let bytes = self.layout.pointer_bits / 8;
        let len = self.pointer_bits(bytes.into());
        let access = Access { at, len, space: Space::Shadow, write: true, loc };
        // The word is checked even where nothing needs to be kept in it.
        let checked = if active("pair-unchecked") { None } else { Some(self.reach(state, &access)?) };
        if self.world.pairs(at.pointer.term, mutex) {
            let no = self.terms.bool(false);
            return Some(Value::plain(bit(self.terms, no)));
        }
        let reach = checked.map_or_else(|| self.reach(state, &access), Some)?;
        let last = self.read(state, &access, &reach, Piece::first(bytes))?.term;
        self.write(state, &access, &reach, Piece::first(bytes), Value::plain(mutex));
        let nobody = self.pointer_bits(0);
        let (some, differs) = (self.terms.ne(last, nobody), self.terms.ne(last, mutex));
        let other = self.terms.and(some, differs);
        Some(Value::plain(bit(self.terms, other)))
    }
}
