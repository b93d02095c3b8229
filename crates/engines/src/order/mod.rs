//! Reads-from choices and an order that makes them an execution.
//!
//! The program is unwound up to the bounds ([`braid_unwind`]); memory that others may see is divided into
//! cells ([`cells`]), and each read chooses the write it reads from (`encode`) so that there is an order of all steps
//! (`times`). A model is an execution. The questions about it are those of every formula engine ([`crate::ask`]).
//!
//! In a model other threads run on after a violation, and after the end of the program. These steps have no influence
//! on the steps before, so no constraint excludes them, and the questions count only what comes before the end
//! ([`crate::ask::end`]). An atomic section that is left in the middle, for example at a bound, ends the execution like
//! the end of the program.

mod addresses;
mod encode;
mod graph;
mod theory;
mod times;

use crate::Subject;
use crate::ask::{Asked, Asker, Formula, Questions, Ranks};
use crate::engine::{
    Clear, Count, Engine, Finding, Known, Search, Setup, SolverChoice, Statistics, Switch, Table, Task,
};
use crate::work::Work;
use braid_bounded::locations::{Counts, Location};
use braid_bounded::prune::prune;
use braid_bounded::{Bounded, Interrupted, cells};
use braid_logic::{Assignment, Evaluator, Term, Terms};
use braid_props::{Check, CheckSet};
use braid_solver::{Answer, Failure, Limits, Process, Solver, Stop, Watch};
use braid_verdict::{Bound, Bounds, Coverage, Landmarks, Method, notes};
use encode::Encoded;
use std::cell::Cell;
use times::Encoding;

pub static ENGINE: Engine = Engine {
    name: "order",
    summary: "One formula for all interleavings within the bounds",
    manual: MANUAL,
    decides: |check| check != Check::Livelock,
    proves: true,
    bounds: &[Bound::Unwind, Bound::Threads],
    options: &[Switch {
        name: ENCODING,
        help: "How the order engine encodes the order of events",
        values: &[
            (
                THEORY,
                "A literal for each pair of events, and a theory in the embedded solver (the default there)",
            ),
            (
                "pairs",
                "A literal for each pair of events, and clauses that make them an order (the default for small programs \
                 with --solver and --dump)",
            ),
            ("clocks", "A time stamp for each event (the default for large ones there)"),
        ],
        alias: Some(ENCODING),
    }],
    has_formula: true,
    refuses,
    start: |task| Ok(Box::new(Order::new(task))),
};

const MANUAL: &str = "\
Unwinds the program up to the bounds and encodes all of its interleavings as one formula: every read chooses a write to \
read from, and a theory of strict partial orders in the solver makes the choices an execution (Alglave, Kroening, Tautschnig, Partial \
Orders for Efficient Bounded Model Checking of Concurrent Software, CAV 2013; He, Sun, Fan, Satisfiability Modulo \
Ordering Consistency Theory for Multi-threaded Program Verification, PLDI 2021). Bounds grow until there is a violation, or \
an unwinding assertion shows that no execution goes further (Clarke, Kroening, Lerda, TACAS 2004, section 3).

It does not decide livelock, and of programs with unboundedly many steps it proves nothing. docs/order.md is its design.";

const ENCODING: &str = "encoding";
const THEORY: &str = "theory";

/// The approximate size of a clause in bytes.
const CLAUSE: u64 = 64;
/// The largest number of nodes for which `pairs` is the default, if there is no theory.
const FEW: usize = 128;
/// The smallest budget of conflicts for a search for further violations.
const CONFLICTS: u64 = 10_000;

/// The error message if the theory is chosen with another solver or with a dump: only the embedded solver has it.
fn refuses(setup: &Setup) -> Option<String> {
    let outside = [("--solver", setup.solver != SolverChoice::Embedded), ("--dump", setup.dump.is_some())];
    let (flag, _) = outside.iter().find(|(_, given)| *given)?;
    (setup.options.get(&ENGINE, ENCODING) == Some(THEORY))
        .then(|| format!("--{ENCODING} {THEORY} works in the embedded solver only; drop it, or {flag}"))
}

/// The chosen encoding, or the default: the theory in the embedded solver; for other solvers and dumps, order literals
/// for programs with few nodes and timestamps for larger ones.
fn encoding(setup: &Setup, nodes: usize) -> Encoding {
    let plain = setup.dump.is_some() || setup.solver != SolverChoice::Embedded;
    match setup.options.get(&ENGINE, ENCODING) {
        Some(THEORY) => Encoding::Theory,
        Some("pairs") => Encoding::Pairs,
        Some(_) => Encoding::Clocks,
        None if !plain => Encoding::Theory,
        None if nodes <= FEW => Encoding::Pairs,
        None => Encoding::Clocks,
    }
}

/// The engine at work on one program.
struct Order<'a> {
    task: Task<'a>,
    /// The properties that it looks for.
    checks: CheckSet,
    subject: Option<Subject<'a>>,
    /// The program within the bounds of the last attempt.
    encoded: Option<Formulated>,
    counts: Sizes,
    /// The violations of candidates that were tried, whether the interpreter confirmed them or not.
    tried: Known,
    /// Conflicts up to which further violations are searched for.
    budget: Option<u64>,
    /// The solver's effort for the last answer.
    effort: braid_solver::Statistics,
}

/// A bounded program and its formula.
struct Formulated {
    terms: Terms,
    bounded: Bounded,
    questions: Questions,
    formula: Solving,
}

/// The size of a formula.
#[derive(Default)]
struct Sizes {
    threads: usize,
    events: usize,
    cells: usize,
    /// Pairs of a read and a write that it may read from, before any was ruled out.
    possible: usize,
    counts: Counts,
    locations: Vec<Location>,
}

impl<'a> Order<'a> {
    fn new(task: Task<'a>) -> Order<'a> {
        Order {
            task,
            checks: ENGINE.decided(task.question.checks),
            subject: None,
            encoded: None,
            counts: Sizes::default(),
            tried: Known::NONE,
            budget: None,
            effort: braid_solver::Statistics::default(),
        }
    }

    /// Unwinds and encodes the program. The error is the finding that a limit was reached.
    fn formulate(&mut self, bounds: &Bounds, work: &mut Work) -> Result<Formulated, Box<Finding>> {
        let task = self.task;
        let subject = match self.subject.take() {
            Some(subject) => subject,
            None => work.part("analysis", |_| Subject::new(task.source, task.question)),
        };
        let subject = self.subject.insert(subject);
        let landmarks = Landmarks::new(&subject.program, self.checks);
        let options = braid_unwind::Options {
            question: braid_ir::Question { checks: self.checks, ..task.question },
            bounds: bounds.clone(),
            executed: landmarks.instrs,
            entered: landmarks.functions,
        };
        let mut terms = Terms::new();
        let unwound =
            work.part("unwind", |work| subject.unwind(&mut terms, &options, &|| work.poll().is_err()));
        let Ok((mut bounded, facts)) = unwound else { return Err(stopped(work, None, "unwinding")) };
        if let Some(meter) = &work.limits().meter {
            meter.set_events(bounded.accesses.len());
        }
        let asked = Asked {
            program: &subject.program,
            facts,
            race_on: task.question.race_on,
            relock_ends: self.checks.contains(Check::LockMisuse),
        };
        let estimate = Cell::new(0);
        let most = work.limits().memory.map_or(u64::MAX, |memory| memory / CLAUSE);
        let encoding = encoding(task.setup, bounded.nodes.len());
        let mut possible = 0;
        let encoded = work.part("encode", |work| -> Result<_, Interrupted> {
            possible = cells::pairs(&mut terms, &bounded);
            let known = prune(&mut terms, &mut bounded, &|| work.poll().is_err())?;
            let interrupt = || estimate.get() > most || work.poll().is_err();
            encode::encode(&mut terms, &bounded, encoding, &asked, &known, &interrupt, &estimate)
        });
        let Ok((encoded, mut questions)) = encoded else {
            let large = (estimate.get() > most).then_some(Stop::TooLarge);
            return Err(stopped(work, large, "encoding"));
        };
        let proved = Known { checks: work.proved(), races: Vec::new() };
        questions.leave_out(&mut terms, &bounded, &proved);
        self.counts = Sizes {
            threads: bounded.threads.len() - usize::from(bounded.probe.is_some()),
            events: bounded.accesses.len(),
            cells: encoded.cells,
            possible,
            counts: encoded.counts,
            locations: encoded.locations.clone(),
        };
        let formula = Solving { choice: task.setup.solver.clone(), encoded, solver: None };
        Ok(Formulated { terms, bounded, questions, formula })
    }

    /// Asks about the program within the bounds of the last attempt.
    fn asking<T>(&mut self, work: &mut Work, ask: impl FnOnce(&mut Asker<'_, '_>) -> T) -> T {
        let subject = self.subject.as_ref().expect("an attempt has made it");
        let Formulated { terms, bounded, questions, formula } =
            self.encoded.as_mut().expect("an attempt has made it");
        ask(&mut Asker {
            terms,
            bounded,
            questions,
            program: &subject.program,
            formula,
            checks: self.checks,
            work,
        })
    }

    /// Writes the formula to a file, if that is asked for.
    fn dump(&mut self, work: &mut Work) -> Result<(), Failure> {
        let Some(path) = &self.task.setup.dump else { return Ok(()) };
        let violated = self.asking(work, |asker| asker.violated());
        let Some(Formulated { terms, formula, .. }) = &mut self.encoded else { return Ok(()) };
        let mut all = formula.encoded.all_constraints(terms);
        all.push(violated);
        let written = braid_solver::dump::dump(path, terms, &all, work.limits());
        written.map_err(|error| Failure::Unsupported(error.to_string()))
    }

    /// The coverage of a proof within these bounds.
    fn coverage(&mut self, bounds: &Bounds, work: &mut Work) -> Coverage {
        let reached = self.asking(work, |asker| asker.coverage());
        let notes = reached.map_or_else(Vec::new, |reached| notes(self.task.source, self.checks, &reached));
        let method = Method::within_bound(ENGINE.name, bounds.unwind);
        Coverage { threads: self.counts.threads, method, notes }
    }

    fn note_effort(&mut self) {
        let solver = self.encoded.as_ref().and_then(|encoded| encoded.formula.solver.as_ref());
        self.effort = solver.map_or_else(Default::default, |solver| solver.statistics());
    }

    fn conflicts(&self) -> u64 {
        self.encoded.as_ref().map_or(0, |encoded| encoded.formula.conflicts())
    }
}

/// A limit was reached in this part of the work: the given one, or that of the user.
fn stopped(work: &Work, by: Option<Stop>, during: &str) -> Box<Finding> {
    let by = by.or_else(|| work.poll_all()).unwrap_or(Stop::Interrupted);
    Box::new(work.stopped(by, during))
}

impl Search for Order<'_> {
    fn attempt(&mut self, bounds: &Bounds, work: &mut Work<'_>) -> Result<Finding, Failure> {
        self.encoded = None;
        (self.counts, self.effort) = (Sizes::default(), Default::default());
        (self.tried, self.budget) = (Known::NONE, None);
        match self.formulate(bounds, work) {
            Ok(encoded) => self.encoded = Some(encoded),
            Err(stopped) => return Ok(*stopped),
        }
        self.dump(work)?;
        let finding = self.asking(work, |asker| asker.decide());
        self.note_effort();
        let finding = finding?;
        match finding {
            Finding::Clear(clear) if clear.open.is_empty() => {
                let coverage = Some(self.coverage(bounds, work));
                Ok(Finding::Clear(Clear { coverage, ..clear }))
            }
            other => Ok(other),
        }
    }

    /// The formula is not changed. A thread makes no step after its violation, so violations that are only reachable
    /// through another violation of the same thread are not found. In a trace of another violation, such a thread stops
    /// before its own.
    fn next(&mut self, known: &Known, work: &mut Work<'_>) -> Result<Finding, Failure> {
        let spent = self.conflicts();
        let Some(encoded) = &mut self.encoded else { return Ok(Finding::Clear(Clear::nothing_found())) };
        // Only the embedded solver counts conflicts, which the budget needs.
        if encoded.formula.choice != SolverChoice::Embedded {
            (encoded.formula.choice, encoded.formula.solver) = (SolverChoice::Embedded, None);
        }
        let budget = *self.budget.get_or_insert(spent + CONFLICTS.max(2 * spent));
        loop {
            let conflicts = budget.saturating_sub(self.conflicts());
            let limits = Limits { conflicts: Some(conflicts), ..work.limits().clone() };
            if let Some(Formulated { terms, bounded, questions, .. }) = &mut self.encoded {
                questions.leave_out(terms, bounded, known);
                questions.leave_out(terms, bounded, &self.tried);
            }
            let mut tried = self.tried.clone();
            let found = self.asking(work, |asker| asker.next(&limits, &mut tried));
            let had_candidate = tried != self.tried;
            self.tried = tried;
            self.note_effort();
            match found {
                Ok(None | Some(Finding::Clear(_))) if had_candidate => {}
                Ok(None) | Err(Failure::Stopped(_)) => return Ok(Finding::Clear(Clear::nothing_found())),
                Ok(Some(found)) => return Ok(found),
                Err(failure) => return Err(failure),
            }
        }
    }

    fn statistics(&self) -> Statistics {
        let Sizes { threads, events, cells, possible, counts, locations } = &self.counts;
        let solver = &self.effort;
        let sizes = [
            ("threads", *threads),
            ("events", *events),
            ("cells", *cells),
            ("reads-from candidates", counts.candidates),
            ("before pruning", *possible),
            ("order literals", counts.literals),
        ];
        let effort = [
            ("variables", solver.variables),
            ("clauses", solver.clauses),
            ("conflicts", solver.conflicts),
            ("decisions", solver.decisions),
            ("propagations", solver.propagations),
            ("solves", solver.solves),
        ];
        let sizes = sizes.map(|(name, count)| (name, count as u64));
        Statistics {
            groups: vec![sizes.to_vec(), effort.to_vec()],
            tables: vec![table(locations)],
            ..Statistics::default()
        }
    }
}

/// The locations that are read and written, those with the most candidates first.
fn table(locations: &[Location]) -> Table {
    let mut list: Vec<&Location> = locations.iter().filter(|one| one.reads * one.writes > 0).collect();
    list.sort_by_key(|one| std::cmp::Reverse((one.counts.candidates, one.counts.clauses)));
    let row = |one: &Location| {
        let counts = [
            ("reads", one.reads),
            ("writes", one.writes),
            ("candidates", one.counts.candidates),
            ("order literals", one.counts.literals),
            ("clauses", one.counts.clauses),
        ];
        let counts: Vec<Count> = counts.iter().map(|(name, count)| (*name, *count as u64)).collect();
        (one.name.clone(), counts)
    };
    Table { name: "locations", rows: list.into_iter().map(row).collect() }
}

/// A formula, and a solver that is started when there is something to solve.
struct Solving {
    choice: SolverChoice,
    encoded: Encoded,
    solver: Option<Box<dyn Solver>>,
}

impl Formula for Solving {
    fn solve(&mut self, terms: &mut Terms, question: Term, limits: &Limits) -> Result<Answer, Failure> {
        if terms.is_false(question) {
            return Ok(Answer::Unsat);
        }
        let mut solver = match self.solver.take() {
            Some(solver) => solver,
            None => self.start(terms, limits)?,
        };
        let answer = solver.solve(terms, &[question], limits);
        self.solver = Some(solver);
        answer
    }

    fn model(&mut self, terms: &Terms) -> Result<(Assignment, Ranks), Failure> {
        let mut model = Assignment::new();
        if let Some(solver) = &mut self.solver {
            for symbol in terms.symbols() {
                let value = solver.value(terms, terms.symbol_term(symbol))?;
                model.set(symbol, value);
            }
        }
        let ranks = self.encoded.times.ranks(terms, &mut Evaluator::new(terms, &model));
        Ok((model, ranks.map_err(Failure::Internal)?))
    }

    fn conflicts(&self) -> u64 {
        self.solver.as_ref().map_or(0, |solver| solver.statistics().conflicts)
    }
}

impl Solving {
    /// A solver that knows the formula.
    fn start(&self, terms: &mut Terms, limits: &Limits) -> Result<Box<dyn Solver>, Failure> {
        let encoded = &self.encoded;
        match &self.choice {
            SolverChoice::Embedded => {
                let mut solver = encoded.times.solver(terms, &Watch::new(limits))?;
                encoded.constraints.iter().try_for_each(|term| solver.assert(terms, *term))?;
                encoded.clauses.iter().for_each(|clause| solver.assert_any(*clause));
                Ok(Box::new(solver))
            }
            SolverChoice::Process(command) => {
                let mut solver = Process::start(command)?;
                for term in encoded.all_constraints(terms) {
                    solver.assert(terms, term)?;
                }
                Ok(Box::new(solver))
            }
        }
    }
}
