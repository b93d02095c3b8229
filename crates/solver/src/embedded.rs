//! The default solver: bit-blasting into CaDiCaL.
//!
//! Assertions are kept and translated when a search needs them, so that limits hold while large
//! formulas are built. Every model is evaluated on the original assertions and assumptions before it is
//! handed out: a term that is not true there is a bug of ours, reported as an internal error.
//!
//! Engines that work with clauses and theories have access to the literals of terms and to the SAT
//! solver itself.

use crate::Solver;
use crate::answer::{Answer, Failure, Statistics};
use crate::blast::Blaster;
use crate::limits::{Limits, Watch};
use crate::lit::{Clauses, Lit, Var};
use crate::propagator::Propagator;
use crate::sat::Sat;
use braid_logic::{Assignment, Evaluator, Term, Terms, Value};
use std::cell::RefCell;
use std::rc::Rc;

/// Boolean terms of which one must hold; there are less of them where some are false.
pub type Clause = [Term; 4];

/// Bit-blasting and a SAT solver. All terms must come from one store.
pub struct Embedded {
    blaster: Blaster<Sat>,
    assertions: Vec<Term>,
    /// One of each must hold.
    clauses: Vec<Clause>,
    /// How many of the assertions and of the clauses are translated.
    translated: (usize, usize),
    model: Option<Assignment>,
    failed: Vec<Term>,
}

impl Default for Embedded {
    fn default() -> Embedded {
        Embedded::new()
    }
}

impl Embedded {
    pub fn new() -> Embedded {
        Embedded::with(Sat::new())
    }

    /// For formulas with a theory, see [`Sat::searching`].
    pub fn searching() -> Embedded {
        Embedded::with(Sat::searching())
    }

    fn with(sat: Sat) -> Embedded {
        Embedded {
            blaster: Blaster::new(sat),
            assertions: Vec::new(),
            clauses: Vec::new(),
            translated: (0, 0),
            model: None,
            failed: Vec::new(),
        }
    }

    /// The literal of a Boolean term; it stays the same for the life of the solver.
    pub fn literal(&mut self, terms: &Terms, term: Term, watch: &Watch) -> Result<Lit, Failure> {
        self.blaster.literal(terms, term, watch)
    }

    /// The literals of a bit-vector term, the lowest bit first.
    pub fn bits(&mut self, terms: &Terms, term: Term, watch: &Watch) -> Result<Rc<[Lit]>, Failure> {
        self.blaster.bits(terms, term, watch)
    }

    /// Demands that one of these hold from now on. Much cheaper than a term that says so.
    pub fn assert_any(&mut self, clause: Clause) {
        self.clauses.push(clause);
    }

    /// A variable that is no term's.
    pub fn new_var(&mut self) -> Var {
        self.blaster.gates.sink_mut().new_var()
    }

    /// Adds a clause. The model is not checked against it.
    pub fn add_clause(&mut self, clause: &[Lit]) {
        self.blaster.gates.add_clause(clause);
    }

    /// The value of a literal in the last model.
    pub fn literal_value(&self, literal: Lit) -> bool {
        self.blaster.gates.sink().value(literal)
    }

    /// The SAT solver: to freeze variables, set phases, connect a theory.
    pub fn sat(&mut self) -> &mut Sat {
        self.blaster.gates.sink_mut()
    }

    /// Connects a theory over these variables; see [`Sat::connect`].
    pub fn connect<P: Propagator + 'static>(
        &mut self,
        theory: Rc<RefCell<P>>,
        observed: &[Var],
    ) -> Result<(), Failure> {
        self.sat().connect(theory, observed)
    }

    /// Like [`Solver::solve`], with raw literals as further assumptions. If it is unsatisfiable, the literals
    /// to blame are in [`Sat::failed`].
    pub fn solve_with_literals(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        literals: &[Lit],
        limits: &Limits,
    ) -> Result<Answer, Failure> {
        self.model = None;
        self.failed.clear();
        match self.search(terms, assumptions, literals, limits) {
            Err(Failure::Stopped(stop)) => Ok(Answer::Unknown(stop)),
            outcome => outcome,
        }
    }

    fn search(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        literals: &[Lit],
        limits: &Limits,
    ) -> Result<Answer, Failure> {
        let watch = Watch::new(limits);
        while let Some(assertion) = self.assertions.get(self.translated.0) {
            self.blaster.assert(terms, *assertion, &watch)?;
            self.translated.0 += 1;
        }
        while let Some(clause) = self.clauses.get(self.translated.1) {
            self.blaster.assert_any(terms, clause, &watch)?;
            self.translated.1 += 1;
        }
        let mut assumed = Vec::new();
        for term in assumptions {
            assumed.push(self.blaster.literal(terms, *term, &watch)?);
        }
        let all = [&assumed, literals].concat();
        let mut limits = limits.clone();
        loop {
            self.blaster.settle_arrays(terms, &watch)?;
            let before = self.statistics().conflicts;
            let answer = self.sat().solve(&all, &limits)?;
            let used = self.statistics().conflicts - before;
            limits.conflicts = limits.conflicts.map(|budget| budget.saturating_sub(used));
            match answer {
                Answer::Sat if self.accept_model(terms, assumptions)? => return Ok(Answer::Sat),
                Answer::Sat => {}
                Answer::Unsat => {
                    let failed = self.blaster.gates.sink().failed();
                    let pairs = assumptions.iter().zip(&assumed);
                    let terms = pairs.filter(|(_, literal)| failed.binary_search(literal).is_ok());
                    self.failed = terms.map(|(term, _)| *term).collect();
                    return Ok(Answer::Unsat);
                }
                Answer::Unknown(stop) => return Ok(Answer::Unknown(stop)),
            }
        }
    }

    /// Keeps the model if all that was demanded is true in it; otherwise adds what the arrays need to
    /// find a better one.
    fn accept_model(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<bool, Failure> {
        let model = self.blaster.model(terms);
        let mut evaluator = Evaluator::new(terms, &model);
        let mut holds = |term: &Term| evaluator.bool(*term) == Ok(true);
        let wrong = self.assertions.iter().chain(assumptions).find(|term| !holds(term));
        let wrong =
            wrong.or_else(|| self.clauses.iter().find(|clause| !clause.iter().any(&mut holds))?.first());
        let wrong = wrong.copied();
        let Some(wrong) = wrong else {
            self.model = Some(model);
            return Ok(true);
        };
        let claims = |blaster: &Blaster<Sat>, literal| blaster.gates.sink().value(literal);
        let value = |term| match evaluator.value(term) {
            Ok(Value::Array(array)) => Some(array),
            Ok(Value::Bool(_) | Value::Bits { .. } | Value::Int(_)) | Err(_) => None,
        };
        if self.blaster.refine_arrays(claims, value) {
            return Ok(false);
        }
        Err(Failure::Internal(format!("{wrong} is false in the model that should satisfy it")))
    }
}

impl Solver for Embedded {
    fn assert(&mut self, _terms: &Terms, term: Term) -> Result<(), Failure> {
        self.assertions.push(term);
        Ok(())
    }

    fn solve(&mut self, terms: &Terms, assumptions: &[Term], limits: &Limits) -> Result<Answer, Failure> {
        self.solve_with_literals(terms, assumptions, &[], limits)
    }

    fn value(&mut self, terms: &Terms, term: Term) -> Result<Value, Failure> {
        crate::evaluate(terms, term, self.model.as_ref())
    }

    fn failed(&self) -> &[Term] {
        &self.failed
    }

    fn statistics(&self) -> Statistics {
        self.blaster.gates.sink().statistics()
    }
}

#[cfg(test)]
mod tests;
