//! Heap blocks that are left when the program ends.
//!
//! An end looks at the life of every block. Blocks of other threads may not be known yet when it is met, so that is
//! done when all is unwound. While threads run, a block's life begins with a write of its own: before it, there is
//! nothing to be left. Whether a block that is left is also *lost* is not followed here; if none is left, none is lost.

use crate::events::Events;
use crate::exec::Frame;
use crate::shared::{Event, Targets};
use crate::state::State;
use braid_base::IndexVec;
use braid_base::faults::active;
use braid_bounded::*;
use braid_ir::Loc;
use braid_logic::{Sort, Term, Terms};
use braid_props::Check;
use braid_symex::object::{Kind, Object};

/// A normal end of the program while other threads may run.
pub(crate) struct Finish {
    node: NodeId,
    guard: Term,
    log: LogRef,
    place: Loc,
}

impl Events<'_> {
    /// Returns true if it matters which blocks are there at the end.
    pub fn counts_blocks(&self) -> bool {
        [Check::MemoryLeak, Check::MemoryCleanup]
            .iter()
            .any(|check| self.given.options.question.checks.contains(*check))
    }

    /// Returns true if an object's end may be noticed by the end of the program.
    pub fn is_counted(&self, kind: Kind) -> bool {
        kind == Kind::Heap && self.counts_blocks()
    }

    /// A heap block comes to life.
    pub fn block_begins(&mut self, terms: &mut Terms, state: &State, number: ObjectNo) {
        if !state.path.multi || !self.counts_blocks() || state.path.is_trial() {
            return;
        }
        let node = self.node(state);
        let pointer = self.out.layout.address(terms, number, 0);
        let alive = terms.bits(8, 1);
        // Nobody else can have its address yet.
        self.here.racy = None;
        self.event(terms, life_of(node, state.guard, pointer, Way::Write(alive), &Targets::of(vec![number])));
        self.pending.begun.push(number);
    }

    /// The program ends normally.
    pub fn program_finishes(&mut self, terms: &mut Terms, state: &State, loc: Loc) {
        if self.counts_blocks() && !terms.is_false(state.guard) && !state.path.is_trial() {
            if state.path.multi {
                let node = self.node(state);
                let (guard, log, place) = (state.guard, self.here.log, self.site(loc));
                self.pending.finishes.push(Finish { node, guard, log, place });
            } else {
                let lives: Vec<(ObjectNo, Term)> = self.blocks(|_, number| state.memory.alive(terms, number));
                for what in self.left_over() {
                    let reached = self.some_left(terms, state.guard, &lives);
                    self.obligation(terms, state, reached, what, self.site(loc));
                }
            }
        }
        // Once `main` has returned, only functions of the library are left.
        let is_library = |frame: &Frame| self.given.program.functions[frame.func].internal;
        let returns = self.here.thread == ThreadIx(0) && self.here.stack.iter().all(is_library);
        self.program_ends(terms, state, returns);
    }

    /// Looks at all blocks from all ends.
    pub fn look_from_ends(&mut self, terms: &mut Terms) {
        self.here.racy = None;
        for Finish { node, guard, log, place } in std::mem::take(&mut self.pending.finishes) {
            let lives = self.blocks(|this, number| {
                let value = terms.fresh("left", Sort::bits(8));
                let pointer = this.out.layout.address(terms, number, 0);
                this.event(
                    terms,
                    life_of(node, guard, pointer, Way::Read(value), &Targets::of(vec![number])),
                );
                let one = terms.bits(8, 1);
                terms.eq(value, one)
            });
            let thread = self.out.nodes[node].thread;
            let reached = self.some_left(terms, guard, &lives);
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
    pub fn blocks_begin_later(&mut self, terms: &mut Terms) {
        for number in std::mem::take(&mut self.pending.begun) {
            let never = terms.bool(active("blocks-live-from-the-start"));
            self.out.initial.change(terms, &self.out.objects, number).alive = never;
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
    fn some_left(&mut self, terms: &mut Terms, guard: Term, lives: &[(ObjectNo, Term)]) -> Term {
        let mut left = Vec::new();
        for (number, alive) in lives {
            let made = self.out.objects.get(*number).and_then(|object| object.made);
            let made = made.map(|made| self.out.threads[made.thread].log[made.index as usize].guard);
            let made = made.unwrap_or_else(|| terms.bool(true));
            left.push(terms.and(made, *alive));
        }
        let left = terms.or_all(left);
        terms.and(guard, left)
    }

    /// The obligations that a block that is left breaks.
    fn left_over(&self) -> Vec<What> {
        let checks = self.given.options.question.checks;
        let cleanup = checks.contains(Check::MemoryCleanup).then_some(What::Violation(Check::MemoryCleanup));
        let leak = checks.contains(Check::MemoryLeak).then_some(What::MayBeLost);
        cleanup.into_iter().chain(leak).collect()
    }
}

/// An access to the life of an object.
fn life_of<'t>(node: NodeId, guard: Term, pointer: Term, way: Way, targets: &'t Targets) -> Event<'t> {
    Event { node, guard, area: Area::Life, pointer, bytes: 1, way, targets }
}
