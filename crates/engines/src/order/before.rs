//! What is certainly ordered: by the program, by starts of threads, by joins that were executed.

use braid_base::faults::{Fault, active};
use braid_logic::{Node, Term, Terms};
use braid_unwind::{Bounded, NodeId, ThreadIx};

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

/// Parts of a guard that are looked at.
pub const PARTS: usize = 256;

/// Whether a guard obviously implies another.
pub fn implies(terms: &mut Terms, a: Term, b: Term) -> bool {
    terms.is_true(b) || is_part(terms, a, b) || terms.and(a, b) == a
}

/// Whether a guard is the other one and more. Guards grow along a path, so the other one is a part as it stands; and
/// a part was made before the whole.
fn is_part(terms: &Terms, whole: Term, part: Term) -> bool {
    let mut stack = vec![whole];
    for _ in 0..PARTS {
        let Some(term) = stack.pop() else { return false };
        if term == part {
            return true;
        }
        if let Node::And(x, y) = terms.node(term) {
            stack.extend([x, y].into_iter().filter(|term| *term >= part));
        }
    }
    false
}
