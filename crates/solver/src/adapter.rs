//! Between CaDiCaL's external propagator and a [`Propagator`]: a trail, delivered late and once.
//!
//! Notifications are only recorded here: a trail of literals with level marks. The theory hears of them
//! when the solver asks something (propagate, clause, decision, model), by [`Adapter::deliver`], which
//! first undoes and then replays up to the first clause the theory wants to add. So the theory is never
//! called outside a search, and never sees assignments that were taken back before they mattered.
//!
//! Everything the theory says carries the length of the delivered trail at that moment. When the solver
//! backtracks below it, what has not been handed over is dropped; an implied literal that was handed
//! over and undone, while its cause is still there, is handed over again.
//!
//! CaDiCaL ends the process on literals it does not expect, so all literals are checked before it sees
//! them: observed, unassigned for decisions, true and older than the implied literal in explanations.

use crate::guard::Guard;
use crate::lit::Lit;
use crate::propagator::{Lemma, Propagator, Says};
use braid_base::ticks;
use cadical_sys::{ExternalPropagator, FixedAssignmentListener};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// Collects the literals the solver has fixed for good, because it does not notify each of them at once.
pub struct FixedListener {
    fixed: Rc<RefCell<Vec<bool>>>,
}

impl FixedListener {
    pub fn new(fixed: Rc<RefCell<Vec<bool>>>) -> FixedListener {
        FixedListener { fixed }
    }
}

impl FixedAssignmentListener for FixedListener {
    fn notify_fixed_assignment(&mut self, number: i32) {
        let index = number.unsigned_abs() as usize;
        // Nothing here can panic: the table is borrowed by nobody else while the solver runs this.
        if let Ok(mut fixed) = self.fixed.try_borrow_mut() {
            if fixed.len() <= index {
                fixed.resize(index + 1, false);
            }
            fixed[index] = true;
        }
    }
}

/// A literal the theory implied.
struct Implied {
    literal: Lit,
    /// The length of the trail it follows from.
    follows_from: usize,
    /// The length of the trail when it was handed over; meaningful below the cursor only.
    handed_at: usize,
}

/// A clause waiting for the solver.
struct Waiting {
    lemma: Lemma,
    follows_from: usize,
}

/// Where a variable stands on the trail.
#[derive(Clone, Copy)]
struct Assigned {
    literal: Lit,
    position: usize,
}

/// The external propagator CaDiCaL talks to.
pub struct Adapter<P> {
    theory: Rc<RefCell<P>>,
    observed: Rc<RefCell<Vec<bool>>>,
    fixed: Rc<RefCell<Vec<bool>>>,
    guard: Guard,
    trail: Vec<Lit>,
    /// The length of the trail at which each level began.
    levels: Vec<usize>,
    assigned: Vec<Option<Assigned>>,
    /// How much of the trail the theory knows.
    delivered: usize,
    /// The levels the theory has opened, and the lowest one the solver has backtracked to since.
    theory_levels: usize,
    undo_to: usize,
    implied: Vec<Implied>,
    /// How many of `implied` have been handed over.
    cursor: usize,
    waiting: VecDeque<Waiting>,
    /// The clause being handed over, last literal first.
    outgoing: Option<Vec<i32>>,
}

impl<P: Propagator> Adapter<P> {
    pub fn new(
        theory: Rc<RefCell<P>>,
        observed: Rc<RefCell<Vec<bool>>>,
        fixed: Rc<RefCell<Vec<bool>>>,
        guard: Guard,
    ) -> Adapter<P> {
        Adapter {
            theory,
            observed,
            fixed,
            guard,
            trail: Vec::new(),
            levels: Vec::new(),
            assigned: Vec::new(),
            delivered: 0,
            theory_levels: 0,
            undo_to: usize::MAX,
            implied: Vec::new(),
            cursor: 0,
            waiting: VecDeque::new(),
            outgoing: None,
        }
    }

    /// The place of a literal's variable on the trail.
    fn place(&self, literal: Lit) -> Option<Assigned> {
        self.assigned.get(literal.var().number()).copied().flatten()
    }

    fn value(&self, literal: Lit) -> Option<bool> {
        self.place(literal).map(|assigned| assigned.literal == literal)
    }

    /// Records an assignment; a repeated one is ignored.
    fn push(&mut self, literal: Lit) {
        match self.place(literal) {
            Some(known) if known.literal == literal => {}
            Some(_) => self.guard.fail(format!("the solver assigned {literal:?} and its negation")),
            None => {
                let index = literal.var().number();
                if self.assigned.len() <= index {
                    self.assigned.resize(index + 1, None);
                }
                self.assigned[index] = Some(Assigned { literal, position: self.trail.len() });
                self.trail.push(literal);
            }
        }
    }

    /// Takes back everything above a level, and what followed from it.
    fn pop(&mut self, level: usize) {
        let Some(length) = self.levels.get(level).copied() else { return };
        self.levels.truncate(level);
        for literal in self.trail.drain(length..) {
            self.assigned[literal.var().number()] = None;
        }
        self.delivered = self.delivered.min(length);
        self.undo_to = self.undo_to.min(level);
        let kept = self.implied.partition_point(|implied| implied.follows_from <= length);
        self.implied.truncate(kept);
        self.cursor = self.cursor.min(kept);
        while self.cursor > 0 && self.implied[self.cursor - 1].handed_at >= length {
            self.cursor -= 1;
        }
        self.waiting.retain(|waiting| waiting.follows_from <= length);
    }

    /// Brings the theory up to date, up to the first clause it wants to add.
    fn deliver(&mut self) {
        let theory = Rc::clone(&self.theory);
        let mut theory = theory.borrow_mut();
        if self.undo_to < self.theory_levels {
            theory.backtrack(self.undo_to);
            self.theory_levels = self.undo_to;
        }
        self.undo_to = usize::MAX;
        while self.waiting.is_empty() && self.delivered < self.trail.len() {
            self.open_levels(&mut *theory);
            let mut says = Says::default();
            theory.assign(self.trail[self.delivered], &mut says);
            self.delivered += 1;
            self.collect(says);
        }
        if self.waiting.is_empty() {
            self.open_levels(&mut *theory);
        }
    }

    /// Opens, in the theory, the levels that begin at what has been delivered.
    fn open_levels(&mut self, theory: &mut P) {
        while self.levels.get(self.theory_levels).is_some_and(|begin| *begin <= self.delivered) {
            theory.new_level();
            self.theory_levels += 1;
        }
    }

    /// Takes over what the theory said.
    fn collect(&mut self, says: Says) {
        let follows_from = self.delivered;
        for literal in says.implied {
            if self.check_observed(literal) && self.value(literal) != Some(true) {
                self.implied.push(Implied { literal, follows_from, handed_at: 0 });
            }
        }
        for lemma in says.lemmas {
            if lemma.clause.iter().all(|literal| self.check_observed(*literal)) {
                self.waiting.push_back(Waiting { lemma, follows_from });
            }
        }
    }

    /// Fails if a literal's variable is not observed.
    fn check_observed(&self, literal: Lit) -> bool {
        let observed = self.observed.borrow().get(literal.var().number()).copied().unwrap_or(false);
        if !observed {
            self.guard.fail(format!("a theory spoke of {literal:?}, which it does not observe"));
        }
        observed
    }

    /// The next implied literal that is not true yet.
    fn next_implied(&mut self) -> Option<Lit> {
        while let Some(implied) = self.implied.get_mut(self.cursor) {
            implied.handed_at = self.trail.len();
            self.cursor += 1;
            let literal = implied.literal;
            if self.value(literal) != Some(true) {
                return Some(literal);
            }
        }
        None
    }

    fn propagate(&mut self) -> i32 {
        self.deliver();
        if self.waiting.is_empty() && self.cursor == self.implied.len() {
            let mut says = Says::default();
            self.theory.borrow_mut().propagate(&mut says);
            self.collect(says);
        }
        // A clause that is violated now is worth more than anything implied.
        if self.guard.is_broken() || !self.waiting.is_empty() {
            return 0;
        }
        self.next_implied().map_or(0, Lit::number)
    }

    /// The reason of an implied literal, as a clause with that literal in it.
    fn reason(&mut self, literal: Lit) -> Vec<i32> {
        let mut because = Vec::new();
        self.theory.borrow_mut().explain(literal, &mut because);
        let before = match self.place(literal) {
            Some(assigned) if assigned.literal == literal => assigned.position,
            Some(_) | None => self.trail.len(),
        };
        for reason in &because {
            let stands = self.place(*reason).is_some_and(|a| a.literal == *reason && a.position < before);
            if self.check_observed(*reason) && !stands {
                self.guard.fail(format!("{literal:?} was explained by {reason:?}, not true before it"));
            }
        }
        if self.guard.is_broken() {
            because.clear();
        }
        let mut clause: Vec<i32> = because.iter().map(|reason| (!*reason).number()).collect();
        clause.push(literal.number());
        clause
    }

    fn check(&mut self, model: &[i32]) -> bool {
        for literal in model.iter().copied().filter_map(Lit::from_number) {
            // Literals fixed during simplification may never have been notified.
            self.push(literal);
        }
        self.deliver();
        if self.waiting.is_empty() {
            let mut says = Says::default();
            self.theory.borrow_mut().check(&mut says);
            self.collect(says);
        }
        while self.waiting.is_empty() && !self.guard.is_broken() {
            let Some(literal) = self.next_implied() else { break };
            let clause = self.reason(literal).into_iter().filter_map(Lit::from_number).collect();
            let lemma = Lemma { clause, forgettable: true };
            self.waiting.push_back(Waiting { lemma, follows_from: self.delivered });
        }
        self.waiting.is_empty()
    }

    fn decide(&mut self) -> i32 {
        self.deliver();
        if !self.waiting.is_empty() {
            return 0;
        }
        let Some(literal) = self.theory.borrow_mut().decide() else { return 0 };
        let fixed = self.fixed.borrow().get(literal.var().number()).copied().unwrap_or(false);
        if !self.check_observed(literal) || fixed {
            return 0;
        }
        if self.value(literal).is_some() {
            self.guard.fail(format!("a theory decided {literal:?}, which has a value"));
            return 0;
        }
        literal.number()
    }

    /// The next literal of the clause being handed over; 0 ends it.
    fn next_outgoing(&mut self) -> i32 {
        let next = self.outgoing.as_mut().and_then(Vec::pop);
        if next.is_none() {
            self.outgoing = None;
        }
        next.unwrap_or(0)
    }
}

impl<P: Propagator> ExternalPropagator for Adapter<P> {
    fn are_reasons_forgettable(&mut self) -> bool {
        let theory = &self.theory;
        self.guard.run(true, || theory.borrow().explanations_are_forgettable())
    }

    fn notify_assignment(&mut self, numbers: &[i32]) {
        ticks::add(3 * numbers.len() as u64);
        let guard = self.guard.clone();
        guard.run((), || numbers.iter().copied().filter_map(Lit::from_number).for_each(|l| self.push(l)));
    }

    fn notify_new_decision_level(&mut self) {
        self.levels.push(self.trail.len());
    }

    fn notify_backtrack(&mut self, level: usize) {
        let guard = self.guard.clone();
        guard.run((), || self.pop(level));
    }

    fn cb_check_found_model(&mut self, model: &[i32]) -> bool {
        let guard = self.guard.clone();
        guard.run(true, || self.check(model)) || guard.is_broken()
    }

    fn cb_decide(&mut self) -> i32 {
        let guard = self.guard.clone();
        guard.run(0, || self.decide())
    }

    fn cb_propagate(&mut self) -> i32 {
        let guard = self.guard.clone();
        guard.run(0, || self.propagate())
    }

    fn cb_add_reason_clause_lit(&mut self, propagated: i32) -> i32 {
        let guard = self.guard.clone();
        if self.outgoing.is_none() {
            // A unit clause is wrong but well-formed: the answer of a broken search is thrown away.
            let neutral = vec![propagated];
            let literal = Lit::from_number(propagated);
            let clause = guard.run(neutral, || literal.map_or_else(Vec::new, |l| self.reason(l)));
            self.outgoing = Some(clause);
        }
        self.next_outgoing()
    }

    fn cb_has_external_clause(&mut self, is_forgettable: &mut bool) -> bool {
        let guard = self.guard.clone();
        let taken = guard.run(None, || {
            self.deliver();
            self.waiting.pop_front()
        });
        let Some(Waiting { lemma, .. }) = taken else { return false };
        *is_forgettable = lemma.forgettable;
        self.outgoing = Some(lemma.clause.iter().map(|literal| literal.number()).collect());
        true
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        self.next_outgoing()
    }
}

#[cfg(test)]
mod tests;
