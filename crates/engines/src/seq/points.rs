//! Switch points: the nodes before which a segment may end.
//!
//! A segment that ends before a node which commutes with everything that other threads may do meanwhile is of no use.
//! The node can as well be executed at the end of that segment, and no round more is needed. So only the other nodes,
//! the *switch points*, get a position of their own; the rest belongs to the *block* of the switch point before it.
//! This is the theory of movers (Lipton, *Reduction*, CACM 1975), applied to the steps of the bounded program: an
//! access that conflicts with nobody, or only with accesses under the same lock, commutes to both sides, and the
//! release of a lock commutes to the left.
//!
//! * *Claim.* An execution in K rounds has an equivalent one in K rounds whose segments end before switch points only.
//! * *Relies on.* `conflicts` has all pairs of nodes of different threads that may be executed in either order, with a
//!   common cell that one of them writes, except pairs in two sections of one lock.
//! * *Proof.* Let a segment end before a node `n` that is no switch point. What other threads do until `n` does not
//!   conflict with `n`, or is an attempt to acquire the lock that `n` releases, which cannot have succeeded. `n` does
//!   not wait, and it does not end the program. So it can be executed at the end of the segment before. Its effect
//!   and all values that are read stay the same, and what was enabled still is. By induction on the number of such
//!   nodes there are none.
//! * *Fault.* `seq-conflicts-ignored` makes switch points of waits, joins and ends alone; `seq atomic_two_steps.c`
//!   notices.

use braid_base::faults::active;
use braid_base::{HashSet, IndexVec};
use braid_bounded::before::Before;
use braid_bounded::cells::{self, Cell, Group};
use braid_bounded::locks::Locks;
use braid_bounded::{Bounded, Interrupted, LockUse, NodeId, ThreadIx, Way};
use braid_logic::Terms;

/// The switch points of a bounded program.
pub struct Points {
    /// For each node the first node of its block. None if it belongs to the beginning of its thread.
    pub block: IndexVec<NodeId, Option<NodeId>>,
    /// For each thread its switch points, in program order.
    pub of_thread: IndexVec<ThreadIx, Vec<NodeId>>,
    /// For each node the nodes of other threads that it does not commute with, ascending.
    pub conflicts: IndexVec<NodeId, Vec<NodeId>>,
}

impl Points {
    /// Finds the switch points for rounds in which the threads take turns in the given order.
    pub fn find(
        terms: &mut Terms,
        bounded: &Bounded,
        order: &[ThreadIx],
        groups: &[Group],
        locks: &Locks,
        interrupt: &dyn Fn() -> bool,
    ) -> Result<Points, Interrupted> {
        let mut finder = Finder {
            bounded,
            locks,
            is_point: bounded.nodes.iter().map(|_| false).collect(),
            conflicts: bounded.nodes.iter().map(|_| HashSet::default()).collect(),
        };
        for group in groups {
            finder.group(terms, group, interrupt)?;
        }
        finder.waits();
        finder.late_beginnings(order);
        let Finder { is_point, conflicts, .. } = finder;
        let mut block: IndexVec<NodeId, Option<NodeId>> = bounded.nodes.iter().map(|_| None).collect();
        let mut of_thread: IndexVec<ThreadIx, Vec<NodeId>> = IndexVec::new();
        for thread in bounded.threads.iter() {
            let points: Vec<NodeId> = thread.nodes.iter().copied().filter(|node| is_point[*node]).collect();
            let mut last = None;
            for node in &thread.nodes {
                last = if is_point[*node] { Some(*node) } else { last };
                block[*node] = last;
            }
            of_thread.push(points);
        }
        let conflicts = conflicts.iter().map(|set| {
            let mut list: Vec<NodeId> = set.iter().copied().collect();
            list.sort_unstable();
            list
        });
        Ok(Points { block, of_thread, conflicts: conflicts.collect() })
    }
}

struct Finder<'a> {
    bounded: &'a Bounded,
    locks: &'a Locks,
    is_point: IndexVec<NodeId, bool>,
    conflicts: IndexVec<NodeId, HashSet<NodeId>>,
}

impl Finder<'_> {
    fn group(
        &mut self,
        terms: &mut Terms,
        group: &Group,
        interrupt: &dyn Fn() -> bool,
    ) -> Result<(), Interrupted> {
        let bounded = self.bounded;
        let before = Before::new(bounded);
        for (at, one) in group.cells.iter().enumerate() {
            if interrupt() {
                return Err(Interrupted);
            }
            for other in &group.cells[at + 1..] {
                let (a, b) = (&bounded.accesses[one.access], &bounded.accesses[other.access]);
                let (x, y) = (bounded.nodes[a.node].thread, bounded.nodes[b.node].thread);
                if x == y || bounded.is_probe(x) || bounded.is_probe(y) {
                    continue;
                }
                if !(is_write(bounded, one) || is_write(bounded, other)) || !cells::may_be_same(one, other) {
                    continue;
                }
                let is_known = self.conflicts[a.node].contains(&b.node);
                if is_known
                    || !(self.locks.mutually_exclusive(one.access, other.access).is_some()
                        || before.given(terms, a.node, b.node, b.guard)
                        || before.given(terms, b.node, a.node, a.guard))
                {
                    self.conflicts[a.node].insert(b.node);
                    self.conflicts[b.node].insert(a.node);
                    self.mark(one, other);
                }
            }
        }
        Ok(())
    }

    /// Two cells conflict: their nodes are switch points, except for the release of a lock that the other acquires.
    fn mark(&mut self, one: &Cell, other: &Cell) {
        if active("seq-conflicts-ignored") {
            return;
        }
        let (a, b) = (&self.bounded.accesses[one.access], &self.bounded.accesses[other.access]);
        let is_lock = self.locks.contains(one.access) && self.locks.contains(other.access);
        let leaves = |x: Option<LockUse>, y: Option<LockUse>| {
            is_lock && matches!((x, y), (Some(LockUse::Release), Some(LockUse::Acquire | LockUse::Release)))
        };
        self.is_point[a.node] |= !leaves(a.lock, b.lock);
        self.is_point[b.node] |= !leaves(b.lock, a.lock);
    }

    /// Nodes that wait, and nodes that end the program, are switch points whatever they access.
    fn waits(&mut self) {
        let joins = self.bounded.joins.iter().map(|join| join.node);
        // A step that never blocks may have been dropped before it got its node.
        let waits = self.bounded.waits.iter().filter(|wait| !wait.refusals.is_empty());
        let waits = waits.filter_map(|wait| wait.node);
        let ends = self.bounded.ends.iter().map(|end| end.node);
        for node in joins.chain(waits).chain(ends) {
            self.is_point[node] = true;
        }
    }
}

impl Finder<'_> {
    /// The first node of a thread whose turn comes before that of the thread that starts it, which begins a round later and
    /// not with the step that starts it; and the first node of `main` if its turn is not the first one.
    fn late_beginnings(&mut self, order: &[ThreadIx]) {
        let place = |thread: ThreadIx| order.iter().position(|known| *known == thread);
        for thread in order.iter().copied() {
            let known = &self.bounded.threads[thread];
            let is_late = match known.parent {
                Some(parent) => place(thread) < place(self.bounded.nodes[parent].thread),
                None => place(thread) > Some(0),
            };
            if let Some(first) = known.nodes.first().filter(|_| is_late) {
                self.is_point[*first] = true;
            }
        }
    }
}

fn is_write(bounded: &Bounded, cell: &Cell) -> bool {
    matches!(bounded.accesses[cell.access].way, Way::Write(_))
}
