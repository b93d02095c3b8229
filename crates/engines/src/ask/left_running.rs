//! Threads that may still run when `main` returns; a proof reports them as a note.
//!
//! The end of a thread comes after all that it does, and nothing but a join waits for it. So a thread that was
//! started before the return may end after it, unless a join of it was executed before the return. A join whose
//! handle is not a constant counts as a join of every thread: the note may be missing then, but it is never wrong.
//! The program must not have ended before the return ([`super::end`]).
//!
//! If `main` returns only after it has joined all threads, the term is false and costs no order literal: the guard of
//! the return contains the guards of the joins.

use super::Precedence;
use super::end::{Point, before_ends};
use braid_bounded::{Bounded, End, NodeId};
use braid_logic::{Term, Terms};

/// Bool: `main` returns, and a thread goes on after that.
pub fn left_running(terms: &mut Terms, bounded: &Bounded, order: &mut dyn Precedence) -> Term {
    let mut found = Vec::new();
    for end in bounded.ends.iter().filter(|end| end.returns) {
        for (id, thread) in bounded.threads.enumerated() {
            if let Some(parent) = thread.parent.filter(|_| !bounded.is_probe(id)) {
                let joins = bounded.joins.iter().filter(|join| join.thread.is_none_or(|joined| joined == id));
                let joins: Vec<(NodeId, Term)> = joins.map(|join| (join.node, join.guard)).collect();
                found.push(goes_on(terms, bounded, order, end, parent, &joins));
            }
        }
    }
    terms.or_all(found)
}

/// Bool: the program ends there, after this step started a thread, and before any of these steps joins it.
fn goes_on(
    terms: &mut Terms,
    bounded: &Bounded,
    order: &mut dyn Precedence,
    end: &End,
    start: NodeId,
    joins: &[(NodeId, Term)],
) -> Term {
    let mut all = terms.and(end.guard, bounded.nodes[start].executed);
    for (node, guard) in joins {
        let both = terms.and(all, *guard);
        if terms.is_false(both) {
            continue;
        }
        let never = terms.not(*guard);
        let later = if bounded.is_before(*node, end.node) {
            terms.bool(false)
        } else {
            order.before(terms, bounded, end.node, *node)
        };
        let not_yet = terms.or(never, later);
        all = terms.and(all, not_yet);
        if terms.is_false(all) {
            return all;
        }
    }
    if terms.is_false(all) {
        return all;
    }
    let (thread, guard) = (bounded.nodes[end.node].thread, end.guard);
    let returned =
        before_ends(terms, bounded, order, Point { thread, after: Some(end.node), guard, about_to: false });
    let started = order.before(terms, bounded, start, end.node);
    terms.and_all([all, returned, started])
}
