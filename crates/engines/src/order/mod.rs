//! Reads-from choices and an order that makes them an execution.
//!
//! The program is unwound up to the bounds ([`braid_unwind`]); memory that others may see is divided into
//! cells ([`cells`]), and each read chooses the write it reads from (`encode`) so that there is an order of all steps
//! (`times`). A model is an execution. The questions about it are those of every formula engine ([`crate::ask`]).
//!
//! Threads in the model run on after a violation or the end of the program; what they do then has no
//! influence on what came before, so nothing needs to be said about it. A section that is left in the
//! middle by a bound or by something unsupported ends the execution like the end of the program.

mod addresses;
mod encode;
mod graph;
mod theory;
mod times;

use crate::Subject;
use crate::ask::{Asked, Asker, Formula, Known, Outcome, Phase, Questions, Ranks, Spent};
use braid_analysis::Facts;
pub use braid_bounded::locations::{Counts, Location};
use braid_bounded::prune::prune;
use braid_bounded::{Bounded, Interrupted, cells};
use braid_interp::{Image, Reached};
use braid_ir::{GlobalId, Program};
use braid_logic::{Assignment, Evaluator, Term, Terms};
use braid_props::{Check, CheckSet};
use braid_solver::{Answer, Failure, Limits, Process, Solver, Stop, Watch};
use braid_verdict::{Bounds, Candidate, Landmarks, confirm};
use encode::Encoded;
use std::cell::Cell;
use std::path::PathBuf;
use std::time::Instant;
pub use times::Encoding;

/// The name of the engine.
pub const NAME: &str = "order";

/// Which solver answers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum SolverChoice {
    #[default]
    Embedded,
    /// A solver in its own process, by its name (`z3`, `cvc5`, …) or a whole command.
    Process(String),
}

/// Bytes that a clause takes, about.
const CLAUSE: u64 = 64;
/// Nodes up to which all pairs of them have a literal, if there is no theory.
const FEW: usize = 128;

#[derive(Clone, Debug)]
pub struct Settings {
    pub checks: CheckSet,
    pub bounds: Bounds,
    /// Without one, the encoding that suits the solver.
    pub encoding: Option<Encoding>,
    pub solver: SolverChoice,
    pub limits: Limits,
    /// Waits for condition variables may end for no reason.
    pub spurious_wakeups: bool,
    pub malloc_may_fail: bool,
    /// Library calls may fail.
    pub calls_may_fail: bool,
    /// Accesses inside atomic sections count for data races.
    pub races_in_sections: bool,
    /// Races on this variable only.
    pub race_on: Option<GlobalId>,
    /// The formula of the last search goes there: `.smt2` or `.cnf`.
    pub dump: Option<PathBuf>,
}

/// The cost of a search, for `--stats`.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    pub threads: usize,
    pub events: usize,
    pub cells: usize,
    /// Pairs of a read and what it may see, before any was ruled out.
    pub possible: usize,
    pub counts: Counts,
    pub locations: Vec<Location>,
    pub solver: braid_solver::Statistics,
    pub spent: Spent,
    /// With a proof: what executions come to, if that was found out.
    pub reached: Option<Box<Reached>>,
}

/// The program that the engine works on, and its judge.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    pub subject: &'a Subject<'a>,
    /// How the judge replays.
    pub judge: braid_interp::Options,
}

/// Looks for a violation of the properties within the bounds.
pub fn check(input: Input, settings: &Settings, statistics: &mut Statistics) -> Result<Outcome, Failure> {
    let reset = || settings.limits.meter.iter().for_each(|meter| meter.reset());
    reset();
    let outcome = on_large_stack(|| Search::new(input, settings, statistics).run());
    // The next phase is not a search of this kind.
    reset();
    outcome
}

/// Looks for further violations within the same bounds: one of each property that is not known, and every racy pair of
/// places that is not known, up to so many pairs. The limit on conflicts is that of all questions together. Everything
/// that is found is in the list, whatever the result.
///
/// The formula stays as it is: every property is still checked, and a thread that violates one goes no further, so
/// nothing is found that needs a violation before it. (Such a thread may be late for ever, and is in the trace.)
pub fn others(
    input: Input,
    settings: &Settings,
    known: Known,
    pairs: usize,
    found: &mut Vec<Candidate>,
) -> Result<(), Failure> {
    let mut statistics = Statistics::default();
    on_large_stack(|| Search::new(input, settings, &mut statistics).others(known, pairs, found))
}

/// Calls and loops of the program nest in unwinding; the stack of a usual thread is too small for that.
fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    const STACK: usize = 1 << 30;
    let done = braid_base::stack::on_stack_of(STACK, work).expect("the system gives a thread");
    done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

struct Search<'a> {
    program: &'a Program,
    facts: &'a Facts,
    input: Input<'a>,
    settings: &'a Settings,
    statistics: &'a mut Statistics,
    terms: Terms,
    watch: Watch,
    /// Clauses of the formula, about, as far as it is encoded.
    estimate: Cell<u64>,
}

impl<'a> Search<'a> {
    fn new(input: Input<'a>, settings: &'a Settings, statistics: &'a mut Statistics) -> Search<'a> {
        let watch = Watch::new(&settings.limits);
        Search {
            program: &input.subject.program,
            facts: input.subject.facts.settled(),
            input,
            settings,
            statistics,
            terms: Terms::new(),
            watch,
            estimate: Cell::new(0),
        }
    }

    /// Does one part of the work and notes its time.
    fn timed<T>(&mut self, name: &'static str, work: impl FnOnce(&mut Self) -> T) -> T {
        let begin = Instant::now();
        let result = work(self);
        self.statistics.spent.add(name, begin.elapsed());
        result
    }

    /// Clauses for which there is room, about.
    fn most_clauses(&self) -> u64 {
        self.settings.limits.memory.map_or(u64::MAX, |memory| memory / CLAUSE)
    }

    fn stopped(&self, phase: Phase) -> Outcome {
        let large = (self.estimate.get() > self.most_clauses()).then_some(Stop::TooLarge);
        let stop = large.or_else(|| self.watch.poll_all()).unwrap_or(Stop::Interrupted);
        Outcome::Stopped { stop, phase }
    }

    fn run(mut self) -> Result<Outcome, Failure> {
        let unwound = self.timed("unwind", Self::unwind);
        let Ok(mut bounded) = unwound else { return Ok(self.stopped(Phase::Unwind)) };
        if let Some(meter) = &self.settings.limits.meter {
            meter.set_events(bounded.accesses.len());
        }
        let encoded = self.timed("encode", |search| search.encode(&mut bounded));
        let Ok((encoded, questions)) = encoded else { return Ok(self.stopped(Phase::Encode)) };
        self.statistics.threads = bounded.threads.len() - usize::from(bounded.probe.is_some());
        self.statistics.events = bounded.accesses.len();
        self.statistics.cells = encoded.cells;
        self.statistics.counts = encoded.counts;
        self.statistics.locations.clone_from(&encoded.locations);
        let mut formula = Lazy { settings: self.settings, encoded: &encoded, solver: None };
        let violated = self.asking(&bounded, &questions, &mut formula, |asker| asker.violated());
        self.dump(&encoded, violated)?;
        let outcome = self.asking(&bounded, &questions, &mut formula, |asker| asker.decide());
        if let Some(solver) = &formula.solver {
            self.statistics.solver = solver.statistics();
        }
        if matches!(&outcome, Ok(Outcome::Clear { open }) if open.is_empty()) {
            self.statistics.reached =
                self.asking(&bounded, &questions, &mut formula, |asker| asker.coverage());
        }
        outcome
    }

    fn unwind(&mut self) -> Result<Bounded, Interrupted> {
        let landmarks = Landmarks::new(self.program, self.settings.checks);
        let options = braid_unwind::Options {
            checks: self.settings.checks,
            bounds: self.settings.bounds.clone(),
            spurious_wakeups: self.settings.spurious_wakeups,
            malloc_may_fail: self.settings.malloc_may_fail,
            calls_may_fail: self.settings.calls_may_fail,
            races_in_sections: self.settings.races_in_sections,
            executed: landmarks.instrs,
            entered: landmarks.functions,
        };
        let watch = &self.watch;
        let stop = || watch.poll().is_some();
        let (bounded, facts) = self.input.subject.unwind(&mut self.terms, &options, &stop)?;
        self.facts = facts;
        Ok(bounded)
    }

    /// The formula. Terms of the program become smaller by what is known of reads, but mean the same.
    fn encode(&mut self, bounded: &mut Bounded) -> Result<(Encoded, Questions), Interrupted> {
        self.statistics.possible = cells::pairs(&mut self.terms, bounded);
        let watch = &self.watch;
        let known = prune(&mut self.terms, bounded, &|| watch.poll().is_some())?;
        let (program, facts, race_on) = (self.program, self.facts, self.settings.race_on);
        let relock_ends = self.settings.checks.contains(Check::LockMisuse);
        let asked = Asked { program, facts, race_on, relock_ends };
        let watch = &self.watch;
        let encoding = self.settings.encoding(bounded.nodes.len());
        let (estimate, most) = (&self.estimate, self.most_clauses());
        let interrupt = || estimate.get() > most || watch.poll().is_some();
        encode::encode(&mut self.terms, bounded, encoding, &asked, &known, &interrupt, estimate)
    }

    /// Asks about a bounded program.
    fn asking<T>(
        &mut self,
        bounded: &Bounded,
        questions: &Questions,
        formula: &mut Lazy,
        ask: impl FnOnce(&mut Asker<'_>) -> T,
    ) -> T {
        let (input, deadline) = (self.input, self.settings.limits.deadline);
        let replays = |found: &Candidate| input.replays(deadline, found);
        ask(&mut Asker {
            terms: &mut self.terms,
            bounded,
            questions,
            program: self.program,
            formula,
            limits: &self.settings.limits,
            replays: &replays,
            spent: &mut self.statistics.spent,
        })
    }

    fn dump(&mut self, encoded: &Encoded, violated: Term) -> Result<(), Failure> {
        let Some(path) = &self.settings.dump else { return Ok(()) };
        let mut all = encoded.all_constraints(&mut self.terms);
        all.push(violated);
        let written = braid_solver::dump::dump(path, &self.terms, &all, &self.settings.limits);
        written.map_err(|error| Failure::Unsupported(error.to_string()))
    }

    /// Looks for violations that are not known until there are none, or so many data races, or a limit is reached.
    fn others(
        &mut self,
        mut known: Known,
        mut pairs: usize,
        found: &mut Vec<Candidate>,
    ) -> Result<(), Failure> {
        let Ok(mut bounded) = self.unwind() else { return Ok(()) };
        let Ok((encoded, mut questions)) = self.encode(&mut bounded) else { return Ok(()) };
        let mut formula = Lazy { settings: self.settings, encoded: &encoded, solver: None };
        let budget = self.settings.limits.conflicts;
        loop {
            questions.leave_out(&mut self.terms, &bounded, &known);
            let question = self.asking(&bounded, &questions, &mut formula, |asker| asker.violated());
            let conflicts = budget.map(|budget| budget.saturating_sub(formula.conflicts()));
            let limits = Limits { conflicts, ..self.settings.limits.clone() };
            if formula.solve(&mut self.terms, question, &limits)? != Answer::Sat {
                if !known.checks.contains(Check::MemoryLeak) {
                    found.extend(self.asking(&bounded, &questions, &mut formula, |asker| asker.lost())?);
                }
                return Ok(());
            }
            let candidate = self.asking(&bounded, &questions, &mut formula, |asker| asker.candidate())?;
            match candidate.racy {
                None => known.checks.insert(candidate.check),
                Some(places) => {
                    known.races.push(places);
                    pairs = pairs.saturating_sub(1);
                    if pairs == 0 {
                        known.checks.insert(Check::DataRace);
                    }
                }
            }
            // Whether a thread spins is for the interpreter to say.
            let certain = candidate.approximate.is_none() && candidate.check != Check::Deadlock;
            if certain || self.input.replays(self.settings.limits.deadline, &candidate) {
                found.push(candidate);
            }
        }
    }
}

impl Input<'_> {
    /// Returns true if the interpreter confirms the candidate, on the program before any pass.
    fn replays(&self, deadline: Option<Instant>, found: &Candidate) -> bool {
        let judge = self.judge;
        let Ok(image) = Image::new(self.subject.source, judge.checks) else { return false };
        let limits = braid_interp::Limits { deadline, ..judge.limits };
        confirm(&image, braid_interp::Options { limits, ..judge }, found.clone()).is_ok()
    }
}

/// A solver that is started when there is something to solve.
struct Lazy<'a> {
    settings: &'a Settings,
    encoded: &'a Encoded,
    solver: Option<Box<dyn Solver>>,
}

impl Settings {
    /// Theories live in the embedded solver only, and are not in a file. Other solvers do better with literals than
    /// with stamps, while there are few.
    fn encoding(&self, nodes: usize) -> Encoding {
        let plain = self.dump.is_some() || self.solver != SolverChoice::Embedded;
        self.encoding.unwrap_or(match plain {
            false => Encoding::Theory,
            true if nodes <= FEW => Encoding::Pairs,
            true => Encoding::Clocks,
        })
    }
}

impl Formula for Lazy<'_> {
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

impl Lazy<'_> {
    /// A solver that knows the formula.
    fn start(&self, terms: &mut Terms, limits: &Limits) -> Result<Box<dyn Solver>, Failure> {
        let encoded = self.encoded;
        match &self.settings.solver {
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
