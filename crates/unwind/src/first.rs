//! The first visible step of a thread.
//!
//! A step that nobody else can tell from doing nothing needs no node: a read of a variable that is never written, say. But
//! where rounds are counted, and the turn of a thread comes before that of the thread that starts it, there is a time at which
//! the thread is there and has not had a turn. It stands before its first visible step then, as the interpreter counts
//! them (`interp/visible`), and not behind it. So for such orders the first visible step has a node on every path.
//!
//! * *Claim.* If no node of a thread is executed before a point of a path, then no visible step is.
//! * *Relies on.* Before its first visible step a thread has not published what it has made itself, so only accesses to objects
//!   of others are visible, a step that violates a property, and the end of the thread. All other visible steps have nodes
//!   anyway. Allocations that are visible because the program compares addresses are left out.
//! * *Fault.* `first-steps-without-nodes` leaves these nodes out; `rounds/late_first_step.c` and
//!   `rounds/late_violation.c` need fewer rounds then.

use crate::events::Events;
use crate::state::State;
use braid_base::faults::active;
use braid_bounded::guards::implies;
use braid_bounded::*;
use braid_logic::{Term, Terms};
use braid_symex::object::Kind;
use braid_verdict::Bounds;

/// Returns true if first visible steps need nodes: a thread may be started after its turn in a round.
pub(crate) fn needed(bounds: &Bounds) -> bool {
    bounds.may_start_late() && !active("first-steps-without-nodes")
}

impl Events<'_> {
    /// Gives the present step a node if it is visible and may be the first visible one of its thread.
    pub fn first_step(&mut self, terms: &mut Terms, state: &State) {
        if self.may_be_first(terms, state, state.guard) {
            self.node(state);
        }
    }

    /// A node for a step that ends the execution if the condition holds, and is visible only then.
    pub fn first_violation(&mut self, terms: &mut Terms, state: &State, reached: Term) {
        if self.may_be_first(terms, state, reached) {
            let node = self.new_node(reached);
            self.here.doomed = Some(node);
        }
    }

    /// Returns true if first steps have nodes, and the path may have come here without executing one.
    fn may_be_first(&self, terms: &mut Terms, state: &State, guard: Term) -> bool {
        let thread = self.here.thread;
        if !self.out.first_steps || thread == ThreadIx(0) || state.path.section.is_some() {
            return false;
        }
        let nodes = &self.out.threads[thread].nodes;
        !nodes.iter().any(|node| implies(terms, guard, self.out.nodes[*node].executed))
    }

    /// Returns true if an access to the object is visible before the first visible step of the running thread.
    pub fn is_of_others(&self, number: ObjectNo) -> bool {
        let Some(object) = self.out.objects.get(number).filter(|object| !object.read_only) else {
            return false;
        };
        match object.kind {
            Kind::Global(_) => true,
            Kind::Function(_) | Kind::Thread(_) => false,
            Kind::ThreadLocal(thread, _) => thread != self.here.thread,
            Kind::Frame | Kind::Stack | Kind::Heap => {
                object.made.is_some_and(|made| made.thread != self.here.thread)
            }
        }
    }
}
