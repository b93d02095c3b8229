//! Theories inside the SAT search: the safe side of CaDiCaL's external propagator.
//!
//! The interface is IPASIR-UP (Fazekas, Niemetz, Preiner, Kirchweger, Szeider, Biere: SAT 2023),
//! reduced to what a theory wants to hear. The adapter between the two (`adapter.rs`) turns the
//! solver's batched, repeated and out-of-order notifications into a plain stack:
//!
//! * `assign` comes once for each observed literal that became true, in the order of the solver's trail, and
//!   never for one that is already true;
//! * `new_level` and `backtrack` bracket them; `backtrack(l)` undoes exactly what was assigned above
//!   level `l`;
//! * calls happen only during a search, never while clauses are added between searches;
//! * what a theory says (implied literals, clauses) is forgotten if the assignment under which it was said is
//!   undone before the solver has taken it; it will be asked again.
//!
//! The theory must speak of observed variables only. A broken contract ends the search with an internal
//! error; so does a panic. A variable cannot be observed during a search: declare it before, or end the
//! search and start again.

use crate::lit::Lit;

/// A theory: decides whether an assignment of observed variables is consistent.
pub trait Propagator {
    /// An observed literal became true. A literal this theory implied comes back here like any other.
    fn assign(&mut self, literal: Lit, says: &mut Says);

    /// A decision level begins; levels count from 1, assignments before the first hold for good.
    fn new_level(&mut self);

    /// Undo every assignment above this level.
    fn backtrack(&mut self, level: usize);

    /// All assignments of the moment are known, and there is no clause waiting: time for work that is
    /// not worth doing at each assignment. Called before each decision, so it should be cheap if
    /// nothing changed.
    fn propagate(&mut self, says: &mut Says) {
        let _ = says;
    }

    /// Why a literal that this theory implied is true: literals, all assigned before it, that imply it
    /// together.
    fn explain(&mut self, literal: Lit, because: &mut Vec<Lit>);

    /// Every observed variable has a value. To reject the model, say a clause that it violates.
    fn check(&mut self, says: &mut Says) {
        let _ = says;
    }

    /// An unassigned observed literal to decide next; `None` leaves it to the solver.
    fn decide(&mut self) -> Option<Lit> {
        None
    }

    /// Whether the solver may forget explanations when they seem useless. It will ask again if needed.
    fn explanations_are_forgettable(&self) -> bool {
        true
    }
}

/// What a theory tells the solver.
#[derive(Debug, Default)]
pub struct Says {
    pub(crate) implied: Vec<Lit>,
    pub(crate) lemmas: Vec<Lemma>,
}

/// A clause that holds in the theory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lemma {
    pub clause: Vec<Lit>,
    pub forgettable: bool,
}

impl Says {
    /// The current assignment implies this literal; the reason is given when [`Propagator::explain`] asks.
    pub fn imply(&mut self, literal: Lit) {
        self.implied.push(literal);
    }

    /// A clause that holds in every consistent assignment; most useful if the current one violates it.
    /// The solver may forget it later. No further assignment is delivered until the solver has taken
    /// it.
    pub fn clause(&mut self, clause: Vec<Lit>) {
        self.lemmas.push(Lemma { clause, forgettable: true });
    }

    /// Like [`Says::clause`], but the solver keeps it for good.
    pub fn permanent_clause(&mut self, clause: Vec<Lit>) {
        self.lemmas.push(Lemma { clause, forgettable: false });
    }
}

#[cfg(test)]
mod tests;
