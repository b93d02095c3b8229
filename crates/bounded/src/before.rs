//! Must-happen-before: pairs of nodes that every execution orders alike, by program order, thread creation and joins.
//!
//! This is the happens-before relation of Lamport (CACM 1978) restricted to edges that do not depend on the schedule,
//! the *must* relation of relation analysis (Gavrilenko, Ponce-de-León, Furbach, Heljanko, Meyer, CAV 2019). Locks
//! contribute nothing here, because their order is chosen by the solver.
//!
//! * *Claim.* If [`Before::given`] returns true for `a`, `b` and a guard, then `a` precedes `b` in every execution in
//!   which the guard of `b` holds.
//! * *Relies on.* Nodes that are not executed keep their place in program order; an executed join follows the last
//!   node of the joined thread.
//! * *Proof.* Program order and creation edges are unconditional. For a join edge, the guard of `b` implies the guard
//!   of a join that precedes `b` or is at `b`'s node, so the join was executed, and all nodes of the joined thread
//!   precede it.
//! * *Fault.* `start-edge-dropped`, noticed by `mutex_missing.c`; `join-edge-dropped`, noticed by `mutex_counter.c`.

use crate::guards::implies;
use crate::{Bounded, NodeId, ThreadIx};
use braid_base::faults::active;
use braid_logic::{Term, Terms};

pub struct Before<'a> {
    bounded: &'a Bounded,
}

impl<'a> Before<'a> {
    pub fn new(bounded: &'a Bounded) -> Before<'a> {
        Before { bounded }
    }

    /// Returns true if `a` precedes `b` unconditionally: in the same thread, or because `b`'s thread was started at or
    /// after `a`.
    pub fn always(&self, a: NodeId, b: NodeId) -> bool {
        self.bounded.is_before(a, b)
    }

    /// Returns true if `a` precedes `b` whenever `b` is executed under this guard: joins that the guard implies
    /// count, too.
    pub fn given(&self, terms: &mut Terms, a: NodeId, b: NodeId, guard: Term) -> bool {
        if self.always(a, b) {
            return true;
        }
        let joined = self.bounded.nodes[a].thread;
        self.ends_before(terms, joined, b, guard)
    }

    /// Returns true if the thread was joined before `b`, in `b`'s thread or in an ancestor of it, whenever the guard
    /// holds.
    fn ends_before(&self, terms: &mut Terms, thread: ThreadIx, b: NodeId, guard: Term) -> bool {
        for join in self.bounded.joins.iter().filter(|_| !active("join-edge-dropped")) {
            if join.thread != Some(thread) || !(self.always(join.node, b) || join.node == b) {
                continue;
            }
            if implies(terms, guard, join.guard) {
                return true;
            }
        }
        false
    }
}
