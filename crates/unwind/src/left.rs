//! Heap blocks that are left when the program ends.
//!
//! An end looks at the life of every block. Blocks of other threads may not be known yet when it is met, so that is
//! done when all is unwound. While threads run, a block's life begins with a write of its own: before it, there is
//! nothing to be left. Whether a block that is left is also *lost* is not followed here; if none is left, none is lost.

use crate::access::Targets;
use crate::exec::{Frame, Unwinder};
use crate::state::State;
use braid_base::IndexVec;
use braid_base::faults::active;
use braid_bounded::*;
use braid_ir::Loc;
use braid_logic::{Sort, Term};
use braid_props::Check;
use braid_symex::object::{Kind, Object};
use std::rc::Rc;

/// A normal end of the program while other threads may run.
pub(crate) struct Finish {
    node: NodeId,
    guard: Term,
    log: LogRef,
    place: Loc,
}

impl Unwinder<'_> {
    /// Whether it matters which blocks are there at the end.
    pub fn counts_blocks(&self) -> bool {
        [Check::MemoryLeak, Check::MemoryCleanup].iter().any(|check| self.options.checks.contains(*check))
    }

    /// Whether an object's end may be noticed by the end of the program.
    pub fn is_counted(&self, kind: Kind) -> bool {
        kind == Kind::Heap && self.counts_blocks()
    }

    /// A heap block comes to life.
    pub fn block_begins(&mut self, state: &State, number: ObjectNo) {
        if !state.multi || !self.counts_blocks() || self.is_trial(state) {
            return;
        }
        let node = self.node(state);
        let pointer = self.layout.address(self.terms, number, 0);
        let alive = self.terms.bits(8, 1);
        // Nobody else can have its address yet.
        self.racy = None;
        self.event(node, state.guard, Area::Life, pointer, 1, Way::Write(alive), &only(number));
        self.begun.push(number);
    }

    /// The program ends normally.
    pub fn program_finishes(&mut self, state: State, loc: Loc) {
        if self.counts_blocks() && !self.terms.is_false(state.guard) && !self.is_trial(&state) {
            if state.multi {
                let node = self.node(&state);
                let (guard, log, place) = (state.guard, self.log, self.site(loc));
                self.finishes.push(Finish { node, guard, log, place });
            } else {
                let lives: Vec<(ObjectNo, Term)> =
                    self.blocks(|this, number| state.memory.alive(this.terms, number));
                for what in self.left_over() {
                    let reached = self.some_left(state.guard, &lives);
                    self.obligation(&state, reached, what, self.site(loc));
                }
            }
        }
        // Once `main` has returned, only functions of the library are left.
        let is_library = |frame: &Frame| self.program.functions[frame.func].internal;
        let returns = self.thread == ThreadIx(0) && self.stack.iter().all(is_library);
        self.program_ends(state, returns);
    }

    /// Looks at all blocks from all ends.
    pub fn look_from_ends(&mut self) {
        self.racy = None;
        for Finish { node, guard, log, place } in std::mem::take(&mut self.finishes) {
            let lives = self.blocks(|this, number| {
                let value = this.terms.fresh("left", Sort::bits(8));
                let pointer = this.layout.address(this.terms, number, 0);
                this.event(node, guard, Area::Life, pointer, 1, Way::Read(value), &only(number));
                let one = this.terms.bits(8, 1);
                this.terms.eq(value, one)
            });
            let thread = self.out.nodes[node].thread;
            let reached = self.some_left(guard, &lives);
            for what in self.left_over() {
                let log = Some(log);
                self.out.obligations.push(Obligation {
                    thread,
                    after: Some(node),
                    reached,
                    what,
                    place,
                    log,
                });
            }
        }
    }

    /// In the beginning there are no blocks but those made before the first thread was started.
    pub fn blocks_begin_later(&mut self) {
        for number in std::mem::take(&mut self.begun) {
            let never = self.terms.bool(active("blocks-live-from-the-start"));
            self.out.initial.change(self.terms, &self.out.objects, number).alive = never;
        }
    }

    /// The accesses of each thread in the order of its nodes: those of the ends came last.
    pub fn order_accesses(&mut self) {
        let Bounded { nodes, accesses, threads, .. } = &mut self.out;
        let mut slots: IndexVec<ThreadIx, Vec<AccessId>> = threads.iter().map(|_| Vec::new()).collect();
        for (index, access) in accesses.enumerated() {
            slots[nodes[access.node].thread].push(index);
        }
        for slots in slots.iter().filter(|slots| slots.len() > 1) {
            let mut own: Vec<Access> = slots.iter().map(|slot| accesses[*slot].clone()).collect();
            if !own.is_sorted_by_key(|access| nodes[access.node].index) {
                own.sort_by_key(|access| nodes[access.node].index);
                slots.iter().zip(own).for_each(|(slot, access)| accesses[*slot] = access);
            }
        }
    }

    /// All heap blocks with whether they live.
    fn blocks(&mut self, mut lives: impl FnMut(&mut Self, ObjectNo) -> Term) -> Vec<(ObjectNo, Term)> {
        let own = |object: &Object| object.made.is_some_and(|made| made.thread == ThreadIx(0));
        let counts =
            |object: &Object| object.kind == Kind::Heap && (own(object) || !active("own-blocks-only"));
        let blocks = self.out.objects.iter().filter(|(_, object)| counts(object));
        let numbers: Vec<ObjectNo> = blocks.map(|(number, _)| number).collect();
        numbers.into_iter().map(|number| (number, lives(self, number))).collect()
    }

    /// Bool: a block that was made is alive.
    fn some_left(&mut self, guard: Term, lives: &[(ObjectNo, Term)]) -> Term {
        let mut left = Vec::new();
        for (number, alive) in lives {
            let made = self.out.objects.get(*number).and_then(|object| object.made);
            let made = made.map(|made| self.out.threads[made.thread].log[made.index as usize].guard);
            let made = made.unwrap_or_else(|| self.terms.bool(true));
            left.push(self.terms.and(made, *alive));
        }
        let left = self.terms.or_all(left);
        self.terms.and(guard, left)
    }

    /// What a block that is left is.
    fn left_over(&self) -> Vec<What> {
        let checks = self.options.checks;
        let cleanup = checks.contains(Check::MemoryCleanup).then_some(What::Violation(Check::MemoryCleanup));
        let leak = checks.contains(Check::MemoryLeak).then_some(What::MayBeLost);
        cleanup.into_iter().chain(leak).collect()
    }
}

/// One object.
fn only(number: ObjectNo) -> Targets {
    Targets { known: vec![number], places: Some(Rc::from([])) }
}
