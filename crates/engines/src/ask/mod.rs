//! The questions that every formula engine asks about a bounded program, and the order in which it asks them.
//!
//! An engine encodes the executions of a bounded program as a [`Formula`] and says which node comes before which
//! ([`Precedence`]). From that, [`questions`] makes the terms for violations and unwinding assertions ([`mod@end`]),
//! for data races ([`race`]) and deadlocks ([`deadlock`]), and [`addresses`] the conditions under which reads mix addresses
//! and numbers; [`decide`] asks them, and reads traces out of models ([`trace`]). Nothing here knows how an engine encodes memory or order.

pub mod addresses;
mod confused;
pub mod deadlock;
pub mod decide;
pub mod end;
mod left_running;
pub mod race;
pub mod trace;

pub use decide::Asker;

use crate::engine::Known;
use braid_analysis::Facts;
use braid_base::HashMap;
use braid_base::faults::active;
use braid_bounded::guards::implies;
use braid_bounded::{AccessId, Bounded, Interrupted, NodeId, ThreadIx, What};
use braid_ir::{GlobalId, Program};
use braid_logic::{Assignment, Term, Terms};
use braid_solver::{Answer, Failure, Limits};
use deadlock::Deadlock;
use race::Race;

/// The order of nodes, as an engine encodes it.
pub trait Precedence {
    /// Bool: node `a` comes before node `b`.
    fn before(&mut self, terms: &mut Terms, bounded: &Bounded, a: NodeId, b: NodeId) -> Term;

    /// Bool: the execution comes as far as the node. In an encoding of all steps of all threads it always does; an
    /// encoding of a part of each execution says how far it goes.
    fn happens(&mut self, terms: &mut Terms, _: &Bounded, _: NodeId) -> Term {
        terms.bool(true)
    }

    /// Bool: the node is the next one that is executed after all that happens, in an encoding of a part of each
    /// execution. Where all steps are encoded, nothing comes after them.
    fn is_next(&mut self, _: &mut Terms, _: &Bounded, _: NodeId) -> Option<Term> {
        None
    }

    /// Returns true if the thread may have been started without having had a turn, so that it stands before its first
    /// visible step, on whatever path. Its nodes that are not executed need not have come before anything then.
    fn begins_late(&self, _: &Bounded, _: ThreadIx) -> bool {
        false
    }
}

/// A point of a thread, before its next step.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    pub thread: ThreadIx,
    /// The node before the point, which may be the one that starts the thread.
    pub previous: Option<NodeId>,
    /// Bool: the thread comes to the point.
    pub guard: Term,
}

impl Standing {
    /// Bool: the thread has come as far as the point, if `done` tells of a node that it was executed in time.
    ///
    /// The node before the point is done, or none of the thread's nodes is executed and the one that starts it is done. The
    /// second case matters where threads begin late ([`Precedence::begins_late`]): a node that is not executed is done
    /// only when its thread has had a turn. The fault `late-thread-needs-turn` leaves it out;
    /// `rounds/late_first_step_by_chance.c` needs one round more then.
    pub fn holds(
        self,
        terms: &mut Terms,
        bounded: &Bounded,
        order: &mut dyn Precedence,
        done: &mut dyn FnMut(&mut Terms, &mut dyn Precedence, NodeId) -> Term,
    ) -> Term {
        let Some(previous) = self.previous else { return terms.bool(true) };
        let usual = done(terms, order, previous);
        if active("late-thread-needs-turn") || !order.begins_late(bounded, self.thread) {
            return usual;
        }
        let (Some(start), Some(untouched)) =
            (bounded.threads[self.thread].parent, untouched(terms, bounded, self))
        else {
            return usual;
        };
        let started = done(terms, order, start);
        let at_start = terms.and(untouched, started);
        terms.or(usual, at_start)
    }
}

/// Bool: no node of the thread before the point is executed. None if one of them certainly is, or if there are none.
pub fn untouched(terms: &mut Terms, bounded: &Bounded, at: Standing) -> Option<Term> {
    let previous = at.previous.filter(|previous| bounded.nodes[*previous].thread == at.thread)?;
    let count = bounded.nodes[previous].index as usize + 1;
    let mut parts = Vec::new();
    for node in &bounded.threads[at.thread].nodes[..count] {
        let executed = bounded.nodes[*node].executed;
        if implies(terms, at.guard, executed) {
            return None;
        }
        parts.push(terms.not(executed));
    }
    Some(terms.and_all(parts))
}

/// Ranks of nodes in the execution of a model: of two nodes the one with the smaller rank is first. A node without a
/// rank is not ordered with other threads.
pub type Ranks = HashMap<NodeId, u32>;

/// The executions of a bounded program, in a solver.
pub trait Formula {
    /// Asks whether there is an execution in which the term holds.
    fn solve(&mut self, terms: &mut Terms, question: Term, limits: &Limits) -> Result<Answer, Failure>;

    /// The values of all symbols, and the order, of the last execution found.
    fn model(&mut self, terms: &Terms) -> Result<(Assignment, Ranks), Failure>;

    /// Conflicts spent so far.
    fn conflicts(&self) -> u64;
}

/// The facts that the questions depend on, besides the bounded program.
pub struct Asked<'a> {
    pub program: &'a Program,
    pub facts: &'a Facts,
    /// Data races on this variable only.
    pub race_on: Option<GlobalId>,
    /// True if acquiring a mutex that the thread holds is a violation that ends the execution, and not a wait.
    pub relock_ends: bool,
}

/// Conditions under which reads of shared memory use addresses as numbers, or something else as pointers.
pub struct Settled {
    /// Bool: a read uses an address as a number.
    pub mixed: Term,
    /// Bool: a read uses something other than a whole pointer as a pointer.
    pub torn: Term,
    /// The reads that may use an address as a number, each with its condition.
    pub numbers: Vec<(AccessId, Term)>,
    /// The reads that may use something other than a whole pointer as a pointer, each with its condition.
    pub pointers: Vec<(AccessId, Term)>,
}

/// The engine's knowledge about reads.
pub struct Reads<'a> {
    pub settled: Settled,
    /// A read whose initial value is over-approximated: a model may show an execution that does not exist.
    pub approximate: Option<AccessId>,
    pub interrupt: &'a dyn Fn() -> bool,
}

/// The questions, as terms.
pub struct Questions {
    /// For each obligation, Bool: it is reached before the program ends.
    pub obligations: Vec<Term>,
    pub races: Vec<Race>,
    pub deadlock: Option<Deadlock>,
    /// For each mark, Bool: it is reached before the program ends.
    marks: Vec<Term>,
    /// For each thread but the first, Bool: it is started before the program ends.
    started: Vec<Term>,
    /// Bool: `main` returns while another thread goes on.
    left_running: Term,
    settled: Settled,
    approximate: Option<AccessId>,
}

/// The questions about a bounded program. Definitions that deadlocks need are added to the constraints.
pub fn questions(
    terms: &mut Terms,
    bounded: &Bounded,
    asked: &Asked,
    reads: Reads,
    order: &mut dyn Precedence,
    constraints: &mut Vec<Term>,
) -> Result<Questions, Interrupted> {
    let Reads { settled, approximate, interrupt } = reads;
    let obligations = end::obligations(terms, bounded, &settled, order, interrupt)?;
    let races = race::Finder::new(terms, bounded, asked, order).races(interrupt)?;
    let relock_ends = asked.relock_ends;
    let deadlock = deadlock::Finder { terms, bounded, order, relock_ends, constraints }.find();
    let marks = end::marks(terms, bounded, order, interrupt)?;
    let started = end::started(terms, bounded, order);
    let left_running = left_running::left_running(terms, bounded, order);
    Ok(Questions { obligations, races, deadlock, marks, started, left_running, settled, approximate })
}

impl Questions {
    /// No questions.
    pub fn none(terms: &mut Terms) -> Questions {
        let never = terms.bool(false);
        let settled = Settled { mixed: never, torn: never, numbers: Vec::new(), pointers: Vec::new() };
        Questions {
            obligations: Vec::new(),
            races: Vec::new(),
            deadlock: None,
            marks: Vec::new(),
            started: Vec::new(),
            left_running: never,
            settled,
            approximate: None,
        }
    }

    /// Replaces the terms of the questions by equivalent ones, to make the formula smaller. The conditions of single
    /// reads and the parts of a deadlock stay as they are: they serve mostly to read a model.
    pub fn rewrite(&mut self, new: &mut dyn FnMut(Term) -> Term) {
        let Questions { obligations, races, deadlock, marks, started, left_running, settled, .. } = self;
        let all = obligations
            .iter_mut()
            .chain(marks)
            .chain(started)
            .chain([&mut settled.mixed, &mut settled.torn])
            .chain(races.iter_mut().map(|race| &mut race.term))
            .chain(deadlock.iter_mut().map(|found| &mut found.term))
            .chain([left_running]);
        all.for_each(|term| *term = new(*term));
    }

    /// The access that depends on an address, in a model in which the obligation is reached, if it is known.
    fn looks_at_address(&self, what: &What, holds: &mut dyn FnMut(Term) -> bool) -> Option<AccessId> {
        let list = match what {
            What::LoadedAddresses => &self.settled.numbers,
            What::TornPointers => &self.settled.pointers,
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
            | What::Refused { .. } => return None,
        };
        list.iter().find(|(_, term)| holds(*term)).map(|(access, _)| *access)
    }

    /// Removes the questions about violations that are known already.
    pub fn leave_out(&mut self, terms: &mut Terms, bounded: &Bounded, known: &Known) {
        let never = terms.bool(false);
        for (obligation, term) in bounded.obligations.iter().zip(&mut self.obligations) {
            if matches!(obligation.what, What::Violation(check) if known.checks.contains(check)) {
                *term = never;
            }
        }
        if known.checks.contains(braid_props::Check::DataRace) {
            self.races.clear();
        }
        self.races
            .retain(|race| race::places(bounded, race).is_none_or(|places| !known.races.contains(&places)));
        if known.checks.contains(braid_props::Check::Deadlock) {
            self.deadlock = None;
        }
    }
}
