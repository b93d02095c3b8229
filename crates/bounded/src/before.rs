//! What is certainly ordered: by the program, by starts of threads, by joins that were executed.

use crate::guards::implies;
use crate::{Bounded, NodeId, ThreadIx};
use braid_base::faults::{Fault, active};
use braid_logic::{Term, Terms};

pub struct Before<'a> {
    bounded: &'a Bounded,
}

impl<'a> Before<'a> {
    pub fn new(bounded: &'a Bounded) -> Before<'a> {
        Before { bounded }
    }

    /// Whether `a` certainly precedes `b`: the same thread, or `b` in a thread started after `a`.
    pub fn always(&self, a: NodeId, b: NodeId) -> bool {
        self.bounded.is_before(a, b)
    }

    /// The same if `b` is executed under this guard: joins before it were executed, too.
    pub fn given(&self, terms: &mut Terms, a: NodeId, b: NodeId, guard: Term) -> bool {
        if self.always(a, b) {
            return true;
        }
        let joined = self.bounded.nodes[a].thread;
        self.ends_before(terms, joined, b, guard)
    }

    /// Whether a thread has been joined before `b`, in `b`'s thread or an ancestor of it.
    fn ends_before(&self, terms: &mut Terms, thread: ThreadIx, b: NodeId, guard: Term) -> bool {
        for join in self.bounded.joins.iter().filter(|_| !active(Fault::JoinEdgeDropped)) {
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
