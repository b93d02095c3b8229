//! What is certainly ordered: by the program, by starts of threads, by joins that were executed.

use braid_base::faults::{Fault, active};
use braid_base::ticks;
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
const PARTS: usize = 256;

/// Whether a guard obviously implies another.
pub fn implies(terms: &mut Terms, a: Term, b: Term) -> bool {
    terms.is_true(b) || contains(terms, a, b, &mut |_| false) || terms.and(a, b) == a
}

/// Whether a guard is the other one and more: of an alternative, all sides that can be true are. Some Bools may be known
/// to be true.
pub fn contains(terms: &Terms, whole: Term, part: Term, is_true: &mut dyn FnMut(Term) -> bool) -> bool {
    let goal = literal(terms, (part, true));
    let mut budget = PARTS;
    leads_to(terms, (whole, true), goal, is_true, &mut budget)
}

/// A Bool, and whether it is meant as it stands.
type Literal = (Term, bool);

fn leads_to(
    terms: &Terms,
    from: Literal,
    goal: Literal,
    is_true: &mut dyn FnMut(Term) -> bool,
    budget: &mut usize,
) -> bool {
    ticks::add(1);
    let (term, sign) = literal(terms, from);
    // What a term is made of was made before it.
    if (term, sign) == goal || *budget == 0 || term < goal.0 {
        return (term, sign) == goal;
    }
    *budget -= 1;
    let Node::And(x, y) = terms.node(term) else { return false };
    if sign {
        return leads_to(terms, (y, true), goal, is_true, budget)
            || leads_to(terms, (x, true), goal, is_true, budget);
    }
    // One of the two is false, and each that may be leads there.
    let (x_holds, y_holds) = (is_true(x), is_true(y));
    let mut by = |side: Term| leads_to(terms, (side, false), goal, is_true, budget);
    match (x_holds, y_holds) {
        (true, true) => false,
        (true, false) => by(y),
        (false, true) => by(x),
        (false, false) if active(Fault::EitherWayWillDo) => by(x) || by(y),
        (false, false) => by(x) && by(y),
    }
}

/// Without negations around it.
fn literal(terms: &Terms, (mut term, mut sign): Literal) -> Literal {
    while let Node::Not(inner) = terms.node(term) {
        (term, sign) = (inner, !sign);
    }
    (term, sign)
}
