//! Deadlocks: a reachable state in which threads wait for ever.
//!
//! The state is the *probe*, a node of no thread that can lie anywhere in the order. Each step that may block was
//! unwound a second time with its reads at the probe (`unwind/trial`), which tells whether it would block there. The
//! conditions are those of a wait-for graph (Coffman, Elphick, Shoshani, Computing Surveys 1971; Holt, Computing
//! Surveys 1972).
//!
//! * *Claim.* There is a deadlock at the probe if and only if (a) every thread that was started has ended, is blocked
//!   or spins, and one is blocked or spins; or (b) there is a set of threads each of which waits for a lock held by a
//!   member of the set, for the end of a member, or for a lock whose owner has ended (a *closed* set).
//! * *Relies on.* A thread stands before a step at the probe if the node before the step precedes the probe, and the
//!   step itself follows it. The program has not ended at the probe, and no atomic section is open.
//! * *Proof.* (a) is total deadlock. For (b), follow the wait-for edges from any member: they stay in the finite set,
//!   so they come to a cycle, or to an owner that has ended and will not release its lock. Conversely, the threads of
//!   a cycle, or the one that waits for an ended owner, form such a set.
//! * *Fault.* `total-wait-forgotten` (`lost_signal_stuck.c`), `ended-owners-forgotten` (`owner_ended_stuck.c`),
//!   `wait-after-end` (`after_open_section.c`), `unwritten-waits-certain` (`check count`).

use super::confused::computed_words;
use super::{Precedence, Standing};
use braid_base::HashSet;
use braid_base::faults::active;
use braid_bounded::{Bounded, NodeId, Obstacle, ThreadIx, Wait, Way, initial};
use braid_logic::{Sort, Term, Terms};

/// The formula of deadlocks.
pub struct Deadlock {
    /// Bool: there is a deadlock.
    pub term: Term,
    /// Bool: it is a total deadlock: every thread has ended, is blocked or spins.
    pub total: Term,
    /// Bool: a thread spins in a loop instead of blocking.
    pub spins: Term,
    /// Bools: the thread has ended.
    pub ended: Vec<(ThreadIx, Term)>,
    /// The steps at which a thread may be blocked.
    pub waits: Vec<Waiting>,
}

/// A step at which a thread may be blocked.
pub struct Waiting {
    /// Position in the list of waits.
    pub wait: usize,
    /// Bool: the thread is blocked there.
    pub waits: Term,
    /// Bool: it belongs to the set.
    pub in_set: Term,
}

impl Deadlock {
    /// Bool: a thread is blocked at a step whose condition may read memory that was never written.
    pub fn on_unwritten(&self, terms: &mut Terms, bounded: &Bounded) -> Term {
        if active("unwritten-waits-certain") {
            return terms.bool(false);
        }
        let mut found = Vec::new();
        for Waiting { wait, waits, .. } in &self.waits {
            let mut conditions = bounded.waits[*wait]
                .refusals
                .iter()
                .filter(|refusal| matches!(refusal.by, Obstacle::Condition));
            if conditions.any(|refusal| initial::may_be_unwritten(terms, bounded, refusal.guard)) {
                found.push(*waits);
            }
        }
        terms.or_all(found)
    }
}

impl Deadlock {
    /// Bool: a thread is blocked at a lock whose word something else than a lock computes, too: the bits of a condition
    /// variable, say, that the program also takes for a mutex. Whether they are the number of a thread depends on how
    /// threads are numbered.
    pub fn on_numbers(&self, terms: &mut Terms, bounded: &Bounded) -> Term {
        let computed = computed_words(terms, bounded);
        let words: HashSet<Term> = bounded
            .accesses
            .iter()
            .filter(|access| Some(access.node) == bounded.probe && computed.contains(&access.pointer))
            .filter_map(|access| if let Way::Read(symbol) = access.way { Some(symbol) } else { None })
            .collect();
        let mut found = Vec::new();
        for Waiting { wait, waits, .. } in self.waits.iter().filter(|_| !active("numbers-certain")) {
            let mut locks =
                bounded.waits[*wait].refusals.iter().filter(|r| matches!(r.by, Obstacle::Lock { .. }));
            let reads = |guard: Term| {
                let symbols = terms.free_symbols(&[guard]);
                symbols.into_iter().any(|symbol| words.contains(&terms.symbol_term(symbol)))
            };
            if !words.is_empty() && locks.any(|refusal| reads(refusal.guard)) {
                found.push(*waits);
            }
        }
        terms.or_all(found)
    }
}

pub struct Finder<'a> {
    pub terms: &'a mut Terms,
    pub bounded: &'a Bounded,
    pub order: &'a mut dyn Precedence,
    /// True if a thread that waits for a lock it holds misuses it, which ends the execution.
    pub relock_ends: bool,
    pub constraints: &'a mut Vec<Term>,
}

impl Finder<'_> {
    /// The formula, if there is a probe.
    pub fn find(&mut self) -> Option<Deadlock> {
        let probe = self.bounded.probe?;
        let threads: Vec<ThreadIx> =
            self.bounded.threads.ids().filter(|thread| !self.bounded.is_probe(*thread)).collect();
        let ended: Vec<Term> = threads.iter().map(|thread| self.has_ended(*thread, probe)).collect();
        let chosen: Vec<Term> = threads.iter().map(|_| self.terms.fresh("stuck", Sort::Bool)).collect();
        let mut blocked: Vec<Vec<Term>> = vec![Vec::new(); threads.len()];
        let mut in_closed_set: Vec<Vec<Term>> = vec![Vec::new(); threads.len()];
        let (mut waits, mut spins) = (Vec::new(), Vec::new());
        let shared = Shared { threads: &threads, ended: &ended, chosen: &chosen };
        // A wait without refusals never blocks. Its step may have no node, because it was dropped before it got one.
        let waits_somewhere = |(_, wait): &(usize, &Wait)| !wait.refusals.is_empty();
        for (index, wait) in self.bounded.waits.iter().enumerate().filter(waits_somewhere) {
            let Some(at) = threads.iter().position(|thread| *thread == wait.thread) else { continue };
            let stands = self.stands(wait, probe);
            let (waiting, lost) = self.waiting(wait, &shared);
            let waiting = self.terms.and(stands, waiting);
            let lost = self.terms.and(stands, lost);
            blocked[at].push(waiting);
            in_closed_set[at].push(lost);
            if wait.refusals.iter().any(|refusal| matches!(refusal.by, Obstacle::Spins)) {
                spins.push(waiting);
            }
            let in_set = self.terms.and(chosen[at], lost);
            waits.push(Waiting { wait: index, waits: waiting, in_set });
        }
        for (at, list) in in_closed_set.into_iter().enumerate() {
            let some = self.terms.or_all(list);
            let meaning = self.terms.implies(chosen[at], some);
            self.constraints.push(meaning);
        }
        let closed = self.terms.or_all(chosen.clone());
        let total = self.total(&threads, &ended, blocked, probe);
        let found = if active("total-wait-forgotten") { closed } else { self.terms.or(closed, total) };
        let going = if active("wait-after-end") { self.terms.bool(true) } else { self.is_going(probe) };
        let term = self.terms.and(found, going);
        let ended = threads.into_iter().zip(ended).collect();
        let spins = self.terms.or_all(spins);
        Some(Deadlock { term, total, spins, ended, waits })
    }

    fn earlier(&mut self, a: NodeId, b: NodeId) -> Term {
        self.order.before(self.terms, self.bounded, a, b)
    }

    /// Bool: the program has not ended at the probe, and no atomic section is open.
    fn is_going(&mut self, probe: NodeId) -> Term {
        let mut parts = Vec::new();
        for end in &self.bounded.ends {
            let later = self.earlier(probe, end.node);
            parts.push(self.terms.implies(end.guard, later));
        }
        self.terms.and_all(parts)
    }

    /// Bool: the thread has ended at the probe.
    fn has_ended(&mut self, thread: ThreadIx, probe: NodeId) -> Term {
        let known = &self.bounded.threads[thread];
        let finished = known.finished;
        match known.nodes.last().copied().or(known.parent) {
            Some(last) if !self.terms.is_false(finished) => {
                let before = self.earlier(last, probe);
                self.terms.and(finished, before)
            }
            Some(_) | None => finished,
        }
    }

    /// Bool: the thread stands before the step at the probe.
    fn stands(&mut self, wait: &Wait, probe: NodeId) -> Term {
        let (bounded, mut parts) = (self.bounded, vec![wait.reached]);
        let at = Standing { thread: wait.thread, previous: wait.before, guard: wait.reached };
        parts.push(at.holds(self.terms, bounded, self.order, &mut |terms, order, node| {
            order.before(terms, bounded, node, probe)
        }));
        if let Some(node) = wait.node {
            parts.push(self.earlier(probe, node));
        }
        self.terms.and_all(parts)
    }

    /// Bools: the step would block; it would block on a member of the set, or on a lock whose owner has ended.
    fn waiting(&mut self, wait: &Wait, shared: &Shared) -> (Term, Term) {
        let (mut waiting, mut lost) = (Vec::new(), Vec::new());
        for refusal in &wait.refusals {
            match &refusal.by {
                Obstacle::Condition | Obstacle::Spins => waiting.push(refusal.guard),
                Obstacle::Lock { holders } => {
                    waiting.push(refusal.guard);
                    let for_ever = self.held_for_ever(wait.thread, holders, shared);
                    lost.push(self.terms.and(refusal.guard, for_ever));
                }
                Obstacle::Join { handle } => {
                    let (waits, of_set) = self.joins(*handle, shared);
                    waiting.push(self.terms.and(refusal.guard, waits));
                    lost.push(self.terms.and(refusal.guard, of_set));
                }
            }
        }
        (self.terms.or_all(waiting), self.terms.or_all(lost))
    }

    /// Bool: a holder belongs to the set, or has ended.
    fn held_for_ever(&mut self, waiter: ThreadIx, holders: &[(Term, Term)], shared: &Shared) -> Term {
        let mut found = Vec::new();
        for (there, number) in holders {
            for (at, thread) in shared.threads.iter().enumerate() {
                if *thread == waiter && self.relock_ends {
                    continue;
                }
                let expected = self.terms.bits(32, Bounded::number_of(*thread).into());
                let is_it = self.terms.eq(*number, expected);
                let stuck = match active("ended-owners-forgotten") {
                    true => shared.chosen[at],
                    false => self.terms.or(shared.chosen[at], shared.ended[at]),
                };
                found.push(self.terms.and_all([*there, is_it, stuck]));
            }
        }
        self.terms.or_all(found)
    }

    /// Bools: the thread with this handle has not ended; it has not ended and belongs to the set.
    fn joins(&mut self, handle: Term, shared: &Shared) -> (Term, Term) {
        let (mut waits, mut of_set) = (Vec::new(), Vec::new());
        for (at, thread) in shared.threads.iter().enumerate() {
            let own = self.bounded.threads[*thread].handle;
            let own = self.bounded.layout.address(self.terms, own, 0);
            let is_it = self.terms.eq(handle, own);
            let running = self.terms.not(shared.ended[at]);
            let waiting = self.terms.and(is_it, running);
            waits.push(waiting);
            of_set.push(self.terms.and(waiting, shared.chosen[at]));
        }
        (self.terms.or_all(waits), self.terms.or_all(of_set))
    }

    /// Bool: every thread that was started has ended or is blocked, and one is blocked.
    fn total(
        &mut self,
        threads: &[ThreadIx],
        ended: &[Term],
        blocked: Vec<Vec<Term>>,
        probe: NodeId,
    ) -> Term {
        let (mut parts, mut some) = (Vec::new(), Vec::new());
        for ((thread, ended), blocked) in threads.iter().zip(ended).zip(blocked) {
            let blocked = self.terms.or_all(blocked);
            some.push(blocked);
            let quiet = self.terms.or(*ended, blocked);
            let started = self.is_started(*thread, probe);
            parts.push(self.terms.implies(started, quiet));
        }
        parts.push(self.terms.or_all(some));
        self.terms.and_all(parts)
    }

    /// Bool: the thread was started before the probe.
    fn is_started(&mut self, thread: ThreadIx, probe: NodeId) -> Term {
        let Some(parent) = self.bounded.threads[thread].parent else { return self.terms.bool(true) };
        let start = self.bounded.spawned.iter().find(|(_, child)| *child == thread);
        let Some((log, _)) = start else { return self.terms.bool(true) };
        let guard = self.bounded.threads[log.thread].log[log.index as usize].guard;
        let before = self.earlier(parent, probe);
        self.terms.and(guard, before)
    }
}

/// The Bools that all waits share, by thread.
struct Shared<'a> {
    threads: &'a [ThreadIx],
    ended: &'a [Term],
    chosen: &'a [Term],
}
