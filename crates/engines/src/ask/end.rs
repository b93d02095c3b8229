//! Obligations, marks and starts of threads that are reached before the program ends.
//!
//! * *Claim.* The term of an obligation or of a mark holds in a model if and only if the execution of the model reaches it
//!   before it ends.
//! * *Relies on.* Threads of a model run on after the end of the program, and after an atomic section that was left
//!   in the middle; those steps did not happen, and no step before the end depends on them.
//! * *Proof.* An execution ends at the first [`braid_bounded::End`] that it reaches. So an obligation or a mark
//!   counts if the last node of its thread before it precedes every end that is reached ([`before_ends`]).
//! * *Fault.* `end-not-ordered`, noticed by `section_left_open.c`.

use super::{Precedence, Settled};
use braid_base::faults::active;
use braid_bounded::before::Before;
use braid_bounded::{Bounded, Interrupted, Mark, Node, NodeId, Obligation, ThreadIx, What};
use braid_logic::{Term, Terms};

/// For each obligation, Bool: it is reached before the program ends.
pub fn obligations(
    terms: &mut Terms,
    bounded: &Bounded,
    settled: &Settled,
    order: &mut dyn Precedence,
    interrupt: &dyn Fn() -> bool,
) -> Result<Vec<Term>, Interrupted> {
    let mut found = Vec::new();
    for obligation in &bounded.obligations {
        let Obligation { thread, after, .. } = *obligation;
        let (guard, reached) = (obligation.reached, reached(terms, obligation, settled));
        if terms.is_false(reached) {
            found.push(reached);
            continue;
        }
        if interrupt() {
            return Err(Interrupted);
        }
        // The pointer of an access that has not happened yet counts, too: a data race may depend on it.
        let about_to = obligation.what.is_address();
        let in_time = before_ends(terms, bounded, order, Point { thread, after, guard, about_to });
        found.push(terms.and(reached, in_time));
    }
    Ok(found)
}

/// For each mark, Bool: it is reached before the program ends.
pub fn marks(
    terms: &mut Terms,
    bounded: &Bounded,
    order: &mut dyn Precedence,
    interrupt: &dyn Fn() -> bool,
) -> Result<Vec<Term>, Interrupted> {
    let mut found = Vec::new();
    for mark in &bounded.marks {
        if interrupt() {
            return Err(Interrupted);
        }
        let Mark { thread, after, guard, .. } = *mark;
        let in_time = before_ends(terms, bounded, order, Point { thread, after, guard, about_to: false });
        found.push(terms.and(guard, in_time));
    }
    Ok(found)
}

/// For each thread but the first, Bool: it is started before the program ends.
pub fn started(terms: &mut Terms, bounded: &Bounded, order: &mut dyn Precedence) -> Vec<Term> {
    let threads = bounded.threads.enumerated().filter(|(id, _)| !bounded.is_probe(*id));
    let starts: Vec<NodeId> = threads.filter_map(|(_, thread)| thread.parent).collect();
    let mut found = Vec::new();
    for start in starts {
        let Node { thread, executed: guard, .. } = bounded.nodes[start];
        let in_time =
            before_ends(terms, bounded, order, Point { thread, after: Some(start), guard, about_to: false });
        found.push(terms.and(guard, in_time));
    }
    found
}

/// A point of a thread that a model may reach after the end of the program.
pub struct Point {
    pub thread: ThreadIx,
    /// The last node before it in its thread, or the start of the thread.
    pub after: Option<NodeId>,
    /// Bool: the thread comes to it, before the program ends or after.
    pub guard: Term,
    /// True if it is enough that the thread stands before the node.
    pub about_to: bool,
}

/// Bool: a point that is reached precedes every end that is reached, and the encoded part of the execution comes to it.
pub fn before_ends(terms: &mut Terms, bounded: &Bounded, order: &mut dyn Precedence, point: Point) -> Term {
    let Point { thread, after: Some(after), guard, about_to } = point else { return terms.bool(true) };
    if terms.is_false(guard) {
        return terms.bool(true);
    }
    let before = Before::new(bounded);
    let last = if about_to { bounded.previous(after) } else { Some(after) };
    let mut parts = Vec::new();
    parts.extend(last.map(|node| order.happens(terms, bounded, node)));
    for end in bounded.ends.iter().filter(|_| !active("end-not-ordered")) {
        if bounded.nodes[end.node].thread == thread || before.given(terms, after, end.node, end.guard) {
            continue;
        }
        let both = terms.and(guard, end.guard);
        if terms.is_false(both) {
            continue;
        }
        let first = order.before(terms, bounded, after, end.node);
        parts.push(terms.implies(end.guard, first));
    }
    terms.and_all(parts)
}

/// Bool: an obligation is reached, before the program ends or after.
fn reached(terms: &mut Terms, obligation: &Obligation, settled: &Settled) -> Term {
    match obligation.what {
        What::LoadedAddresses => terms.and(obligation.reached, settled.mixed),
        What::TornPointers => terms.and(obligation.reached, settled.torn),
        What::Violation(_)
        | What::Loop { .. }
        | What::Recursion { .. }
        | What::Threads { .. }
        | What::Unsupported(_)
        | What::Partial { .. }
        | What::Invalid(_)
        | What::MayBeLost
        | What::Addresses
        | What::ThreadIds { .. }
        | What::OutOfObject
        | What::Refused { .. } => obligation.reached,
    }
}
