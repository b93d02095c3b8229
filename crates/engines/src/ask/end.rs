//! Obligations that are reached before the program ends.
//!
//! * *Claim.* The term of an obligation holds in a model if and only if the execution of the model reaches the
//!   obligation before it ends.
//! * *Relies on.* Threads of a model run on after the end of the program, and after an atomic section that was left
//!   in the middle; those steps did not happen, and no step before the end depends on them.
//! * *Proof.* An execution ends at the first [`braid_bounded::End`] that it reaches. So an obligation counts if the
//!   last node of its thread before it precedes every end that is reached.
//! * *Fault.* `end-not-ordered`, noticed by `section_left_open.c`.

use super::{Precedence, Settled};
use braid_base::faults::active;
use braid_bounded::before::Before;
use braid_bounded::{Bounded, Interrupted, Obligation, What};
use braid_logic::{Term, Terms};

/// For each obligation, Bool: it is reached before the program ends.
pub fn obligations(
    terms: &mut Terms,
    bounded: &Bounded,
    settled: &Settled,
    order: &mut dyn Precedence,
    interrupt: &dyn Fn() -> bool,
) -> Result<Vec<Term>, Interrupted> {
    let before = Before::new(bounded);
    let mut found = Vec::new();
    for obligation in &bounded.obligations {
        let reached = reached(terms, obligation, settled);
        if terms.is_false(reached) {
            found.push(reached);
            continue;
        }
        if interrupt() {
            return Err(Interrupted);
        }
        let mut parts = vec![reached];
        parts.extend(obligation.after.map(|after| order.happens(terms, bounded, after)));
        for end in &bounded.ends {
            let Some(after) = obligation.after.filter(|_| !active("end-not-ordered")) else { continue };
            if bounded.nodes[end.node].thread == obligation.thread {
                continue;
            }
            if before.given(terms, after, end.node, end.guard) {
                continue;
            }
            let both = terms.and(obligation.reached, end.guard);
            if terms.is_false(both) {
                continue;
            }
            let first = order.before(terms, bounded, after, end.node);
            parts.push(terms.implies(end.guard, first));
        }
        found.push(terms.and_all(parts));
    }
    Ok(found)
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
