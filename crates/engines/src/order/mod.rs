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

mod encode;
mod graph;
mod theory;
mod times;

use crate::Subject;
use crate::ask::{Asked, Formula, Ranks};
use crate::engine::{
    Clear, Count, Engine, Finding, Known, Search, Setup, SolverChoice, Statistics, Switch, Table, Task,
};
use crate::formula::{self, About, Formulated, Further};
use crate::work::Work;
use braid_bounded::locations::{Counts, Location};
use braid_bounded::prune::prune;
use braid_bounded::{Interrupted, cells};
use braid_logic::{Assignment, Evaluator, Term, Terms};
use braid_props::{Check, CheckSet};
use braid_solver::{Answer, Failure, Limits, Process, Solver, Stop, Watch};
use braid_verdict::{Bound, Bounds};
use encode::Encoded;
use std::cell::Cell;
use times::Encoding;

pub static ENGINE: Engine = Engine {
    name: "order",
    summary: "One formula for all interleavings within the bounds",
    manual: MANUAL,
    decides: |check| check != Check::Livelock,
    proves: true,
    refutes: true,
    certifies: false,
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
    encoded: Option<Formulated<Solving>>,
    counts: Sizes,
    further: Further,
    /// The solver's effort for the last answer.
    effort: braid_solver::Statistics,
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
            further: Further::default(),
            effort: braid_solver::Statistics::default(),
        }
    }

    /// Unwinds and encodes the program. The error is the finding that a limit was reached.
    fn formulate(&mut self, bounds: &Bounds, work: &mut Work) -> Result<Formulated<Solving>, Box<Finding>> {
        let task = self.task;
        if self.subject.is_none() {
            self.subject = Some(work.part("analysis", |_| Subject::new(task.source, task.question)));
        }
        let about = self.about().expect("the subject was just made");
        let (mut terms, mut bounded, facts) = formula::unwind(task, about, bounds, work)?;
        let asked = Asked {
            program: &about.subject.program,
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
            return Err(formula::stopped(work, large, "encoding"));
        };
        let proved = Known { checks: work.proved(), races: Vec::new() };
        questions.leave_out(&mut terms, &bounded, &proved);
        self.counts = Sizes {
            threads: 0,
            events: bounded.accesses.len(),
            cells: encoded.cells,
            possible,
            counts: encoded.counts,
            locations: encoded.locations.clone(),
        };
        let formula = Solving { choice: task.setup.solver.clone(), encoded, solver: None };
        let formulated = Formulated { terms, bounded, questions, formula };
        self.counts.threads = formulated.threads();
        Ok(formulated)
    }

    /// The program that the questions are about, once there is one.
    fn about(&self) -> Option<About<'a, '_>> {
        Some(About { subject: self.subject.as_ref()?, checks: self.checks })
    }

    fn note_effort(&mut self) {
        let solver = self.encoded.as_ref().and_then(|encoded| encoded.formula.solver.as_ref());
        self.effort = solver.map_or_else(Default::default, |solver| solver.statistics());
    }
}

impl Search for Order<'_> {
    fn attempt(&mut self, bounds: &Bounds, work: &mut Work<'_>) -> Result<Finding, Failure> {
        self.encoded = None;
        (self.counts, self.effort) = (Sizes::default(), Default::default());
        self.further = Further::default();
        let mut encoded = match self.formulate(bounds, work) {
            Ok(encoded) => encoded,
            Err(stopped) => return Ok(*stopped),
        };
        let about = self.about().expect("formulating has made the subject");
        let all = match self.task.setup.dump {
            Some(_) => encoded.formula.encoded.all_constraints(&mut encoded.terms),
            None => Vec::new(),
        };
        encoded.dump(about, &self.task, all, work)?;
        let finding = encoded.asking(about, work, |asker| asker.decide());
        let solver = encoded.formula.solver.as_ref();
        self.effort = solver.map_or_else(Default::default, |solver| solver.statistics());
        let finding = match finding {
            Ok(Finding::Clear(clear)) if clear.open.is_empty() => {
                let about = self.about().expect("formulating has made the subject");
                let coverage = Some(encoded.coverage(about, &ENGINE, bounds.unwind, work));
                Ok(Finding::Clear(Clear { coverage, ..clear }))
            }
            other => other,
        };
        self.encoded = Some(encoded);
        finding
    }

    fn next(&mut self, known: &Known, work: &mut Work<'_>) -> Result<Finding, Failure> {
        let (Some(mut encoded), Some(subject)) = (self.encoded.take(), &self.subject) else {
            return Ok(Finding::Clear(Clear::nothing_found()));
        };
        // Only the embedded solver counts conflicts, which the budget needs.
        if encoded.formula.choice != SolverChoice::Embedded {
            (encoded.formula.choice, encoded.formula.solver) = (SolverChoice::Embedded, None);
        }
        let about = About { subject, checks: self.checks };
        let found = encoded.next(about, &mut self.further, known, work);
        self.encoded = Some(encoded);
        self.note_effort();
        found
    }

    fn statistics(&self) -> Statistics {
        let Sizes { threads, events, cells, possible, counts, locations } = &self.counts;
        let sizes = [
            ("threads", *threads),
            ("events", *events),
            ("cells", *cells),
            ("reads-from candidates", counts.candidates),
            ("before pruning", *possible),
            ("order literals", counts.literals),
        ];
        let sizes = sizes.map(|(name, count)| (name, count as u64));
        Statistics {
            groups: vec![sizes.to_vec(), formula::effort(&self.effort)],
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
        let model = formula::model(self.solver.as_mut(), terms)?;
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
