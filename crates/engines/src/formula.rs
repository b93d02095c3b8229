//! The parts of a search that formula engines have in common: a bounded program with its formula, and the questions
//! about it.
//!
//! An engine unwinds the program ([`unwind`]), encodes it as something that implements [`Formula`], and makes the
//! questions ([`crate::ask`]). [`Formulated`] keeps all of this between calls.

use crate::Subject;
use crate::ask::{Asker, Formula, Questions};
use crate::engine::{Clear, Count, Engine, Finding, Known, Task};
use crate::work::Work;
use braid_analysis::Facts;
use braid_bounded::Bounded;
use braid_logic::{Assignment, Term, Terms};
use braid_props::CheckSet;
use braid_solver::{Failure, Limits, Solver, Stop};
use braid_verdict::{Bounds, Coverage, Landmarks, Method, notes};

/// The smallest budget of conflicts for a search for further violations.
const CONFLICTS: u64 = 10_000;

/// A bounded program and its formula.
pub struct Formulated<F> {
    pub terms: Terms,
    pub bounded: Bounded,
    pub questions: Questions,
    pub formula: F,
}

/// The search for further violations.
pub struct Further {
    /// The candidates that were tried, confirmed or not.
    tried: Known,
    /// Conflicts up to which the search goes on.
    budget: Option<u64>,
}

impl Default for Further {
    fn default() -> Further {
        Further { tried: Known::NONE, budget: None }
    }
}

/// The program and the properties that the questions are about.
#[derive(Clone, Copy)]
pub struct About<'a, 's> {
    pub subject: &'s Subject<'a>,
    pub checks: CheckSet,
}

/// Unwinds the program within bounds. The error is the finding that a limit was reached.
pub fn unwind<'s, 'a>(
    task: Task<'a>,
    about: About<'a, 's>,
    bounds: &Bounds,
    work: &mut Work,
) -> Result<(Terms, Bounded, &'s Facts), Box<Finding>> {
    let landmarks = Landmarks::new(&about.subject.program, about.checks);
    let options = braid_unwind::Options {
        question: braid_ir::Question { checks: about.checks, ..task.question },
        bounds: bounds.clone(),
        executed: landmarks.instrs,
        entered: landmarks.functions,
    };
    let mut terms = Terms::new();
    let unwound =
        work.part("unwind", |work| about.subject.unwind(&mut terms, &options, &|| work.poll().is_err()));
    let Ok((bounded, facts)) = unwound else { return Err(stopped(work, None, "unwinding")) };
    if let Some(meter) = &work.limits().meter {
        meter.set_events(bounded.accesses.len());
    }
    Ok((terms, bounded, facts))
}

/// A limit was reached in this part of the work: the given one, or that of the user.
pub fn stopped(work: &Work, by: Option<Stop>, during: &str) -> Box<Finding> {
    let by = by.or_else(|| work.poll_all()).unwrap_or(Stop::Interrupted);
    Box::new(work.stopped(by, during))
}

impl<F: Formula> Formulated<F> {
    /// Asks about the program.
    pub fn asking<T>(
        &mut self,
        about: About,
        work: &mut Work,
        ask: impl FnOnce(&mut Asker<'_, '_>) -> T,
    ) -> T {
        ask(&mut Asker {
            terms: &mut self.terms,
            bounded: &self.bounded,
            questions: &self.questions,
            program: &about.subject.program,
            formula: &mut self.formula,
            checks: about.checks,
            work,
        })
    }

    /// Looks for a violation that is not known yet.
    ///
    /// The formula is not changed. A thread makes no step after a violation, so violations that are only reachable
    /// through another one are not found. In a trace of another violation, such a thread stops before its own.
    pub fn next(
        &mut self,
        about: About,
        further: &mut Further,
        known: &Known,
        work: &mut Work,
    ) -> Result<Finding, Failure> {
        let spent = self.formula.conflicts();
        let budget = *further.budget.get_or_insert(spent + CONFLICTS.max(2 * spent));
        loop {
            let conflicts = budget.saturating_sub(self.formula.conflicts());
            let limits = Limits { conflicts: Some(conflicts), ..work.limits().clone() };
            self.questions.leave_out(&mut self.terms, &self.bounded, known);
            self.questions.leave_out(&mut self.terms, &self.bounded, &further.tried);
            let mut tried = further.tried.clone();
            let found = self.asking(about, work, |asker| asker.next(&limits, &mut tried));
            let is_new = tried != further.tried;
            further.tried = tried;
            match found {
                Ok(None | Some(Finding::Clear(_))) if is_new => {}
                Ok(None) | Err(Failure::Stopped(_)) => return Ok(Finding::Clear(Clear::nothing_found())),
                Ok(Some(found)) => return Ok(found),
                Err(failure) => return Err(failure),
            }
        }
    }

    /// The coverage of a proof by an engine.
    pub fn coverage(&mut self, about: About, engine: &Engine, bound: u32, work: &mut Work) -> Coverage {
        let (reached, threads) = self.asking(about, work, |asker| asker.coverage());
        let attained = threads.is_some();
        let threads = threads.unwrap_or_else(|| self.threads());
        let source = about.subject.source;
        let notes = reached.map_or_else(Vec::new, |reached| notes(source, about.checks, &reached));
        let method = Method::within_bound(engine.name, bound);
        Coverage { threads: Some(threads), attained, method, notes }
    }

    /// The number of threads of all executions together, the first included.
    pub fn threads(&self) -> usize {
        self.bounded.threads.len() - usize::from(self.bounded.probe.is_some())
    }

    /// Writes a formula with these constraints, and that a property is violated, to the file that was asked for.
    pub fn dump(
        &mut self,
        about: About,
        task: &Task,
        mut constraints: Vec<Term>,
        work: &mut Work,
    ) -> Result<(), Failure> {
        let Some(path) = &task.setup.dump else { return Ok(()) };
        constraints.push(self.asking(about, work, |asker| asker.violated()));
        let written = braid_solver::dump::dump(path, &self.terms, &constraints, work.limits());
        written.map_err(|error| Failure::Unsupported(error.to_string()))
    }
}

/// The values of all symbols in the last model of a solver.
pub fn model(solver: Option<&mut Box<dyn Solver>>, terms: &Terms) -> Result<Assignment, Failure> {
    let mut model = Assignment::new();
    if let Some(solver) = solver {
        for symbol in terms.symbols() {
            let value = solver.value(terms, terms.symbol_term(symbol))?;
            model.set(symbol, value);
        }
    }
    Ok(model)
}

/// The solver's effort, for statistics.
pub fn effort(solver: &braid_solver::Statistics) -> Vec<Count> {
    vec![
        ("variables", solver.variables),
        ("clauses", solver.clauses),
        ("conflicts", solver.conflicts),
        ("decisions", solver.decisions),
        ("propagations", solver.propagations),
        ("solves", solver.solves),
    ]
}
