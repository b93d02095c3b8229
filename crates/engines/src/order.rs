//! Reads-from choices and an order that makes them an execution.
//!
//! The program is unwound up to the bounds ([`braid_unwind`]); memory that others may see is divided into
//! cells (`cells`), and each read chooses its source (`encode`) so that there is an order (`times`). A model is an execution; its trace
//! (`trace`) goes to the judge. If there is no violation, the same formula is asked whether anything that
//! the bounds left out, or that is not supported, can be reached; only if not, there is a proof.
//!
//! Threads in the model run on after a violation or the end of the program; what they do then has no
//! influence on what came before, so nothing needs to be said about it. A section that is left in the
//! middle by a bound or by something unsupported ends the execution like the end of the program.

mod addresses;
mod deadlock;
mod encode;
mod graph;
mod others;
mod races;
mod theory;
mod times;
mod trace;

use crate::Subject;
use braid_analysis::Facts;
use braid_base::faults::{Fault, active};
pub use braid_bounded::locations::{Counts, Location};
use braid_bounded::prune::prune;
use braid_bounded::{Bounded, Interrupted, Mark, MarkOf, What, cells};
use braid_interp::{Image, Reached};
use braid_ir::{FuncId, GlobalId, Loc, Program};
use braid_logic::{Assignment, Evaluator, Term, Terms};
use braid_props::{Check, CheckSet};
use braid_solver::{Answer, Failure, Limits, Process, Solver, Stop, Watch};
use braid_unwind::Bounds;
use braid_verdict::{Candidate, Landmarks, confirm};
use encode::Encoded;
pub use others::{Known, others};
use std::cell::Cell;
use std::path::PathBuf;
use std::time::{Duration, Instant};
pub use times::Encoding;

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
    /// What suits the solver, without.
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

/// What stands between "no violation within the bounds" and a proof; each can be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Gap {
    /// The loop goes on after `bound` iterations.
    Loop {
        function: String,
        place: Loc,
        bound: u32,
    },
    /// The function calls itself again at depth `bound`.
    Recursion {
        function: String,
        place: Loc,
        bound: u32,
    },
    /// More threads are started.
    Threads {
        place: Loc,
        bound: u32,
    },
    Unsupported {
        what: String,
        place: Loc,
    },
    /// From here on the program stands for only part of the behaviour of the C program.
    Partial {
        what: String,
        bound: bool,
        place: Loc,
    },
    /// An access that is invalid but not checked; nothing is known of what follows.
    Invalid {
        check: Check,
        place: Loc,
    },
    /// Control depends on where objects lie in memory.
    Addresses {
        place: Loc,
    },
    /// A heap block may be left at the end of the program, and may be lost.
    MayBeLost {
        place: Loc,
    },
}

impl Gap {
    /// Whether larger bounds may close it.
    pub fn is_bound(&self) -> bool {
        match self {
            Gap::Loop { .. } | Gap::Recursion { .. } | Gap::Threads { .. } => true,
            Gap::Unsupported { .. }
            | Gap::Partial { .. }
            | Gap::Invalid { .. }
            | Gap::Addresses { .. }
            | Gap::MayBeLost { .. } => false,
        }
    }
}

/// A gap where it is not known whether a deadlock is one.
const MAY_SPIN: &str = "a loop that may wait for something outside of the program";

/// What a search under bounds found.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// An execution that should violate a property; to be confirmed.
    Violation(Box<Candidate>),
    /// There is none within the bounds. Without gaps there is none at all, as far as the properties are
    /// concerned that this engine decides.
    Clear { gaps: Vec<Gap> },
    /// A limit was reached in this phase of the work.
    Stopped { stop: Stop, phase: Phase },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    Unwind,
    Encode,
    Solve,
    /// The second search, for what the bounds left out.
    Bounds,
}

/// What a search cost, for `--stats`.
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
    /// Time per phase, in order.
    pub phases: Vec<(&'static str, Duration)>,
    /// With a proof: what executions come to, if that was found out.
    pub reached: Option<Box<Reached>>,
}

/// Conflicts that the search for what executions come to may take in any case.
const FEW_CONFLICTS: u64 = 100;
/// Questions that it may ask.
const MOST_QUESTIONS: usize = 16;

fn know(known: &mut Reached, mark: MarkOf) {
    match mark {
        MarkOf::Executed(instr) => known.executed.insert(instr),
        MarkOf::Passed(instr) => known.passed.insert(instr),
        MarkOf::Entered(function) => known.started.insert(function),
    };
}

fn is_known(known: &Reached, mark: MarkOf) -> bool {
    match mark {
        MarkOf::Executed(instr) => known.executed.contains(&instr),
        MarkOf::Passed(instr) => known.passed.contains(&instr),
        MarkOf::Entered(function) => known.started.contains(&function),
    }
}

/// What the engine works on.
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
    // What comes next is no search of this kind.
    reset();
    outcome
}

/// Calls and loops of the program nest in unwinding; the stack of a usual thread is too small for that.
fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    const STACK: usize = 1 << 30;
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        match worker.expect("the system gives a thread").join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
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

    /// Runs one phase and notes its time.
    fn timed<T>(&mut self, name: &'static str, work: impl FnOnce(&mut Self) -> T) -> T {
        let begin = Instant::now();
        let result = work(self);
        let spent = begin.elapsed();
        match self.statistics.phases.iter_mut().find(|(known, _)| *known == name) {
            Some((_, total)) => *total += spent,
            None => self.statistics.phases.push((name, spent)),
        }
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
        let Ok(encoded) = encoded else { return Ok(self.stopped(Phase::Encode)) };
        self.statistics.threads = bounded.threads.len() - usize::from(bounded.probe.is_some());
        self.statistics.events = bounded.accesses.len();
        self.statistics.cells = encoded.cells;
        self.statistics.counts = encoded.counts;
        self.statistics.locations.clone_from(&encoded.locations);
        self.search(&bounded, &encoded)
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
    fn encode(&mut self, bounded: &mut Bounded) -> Result<Encoded, Interrupted> {
        self.statistics.possible = cells::pairs(&mut self.terms, bounded);
        let watch = &self.watch;
        let known = prune(&mut self.terms, bounded, &|| watch.poll().is_some())?;
        let (program, facts, on) = (self.program, self.facts, self.settings.race_on);
        let relock_ends = self.settings.checks.contains(Check::LockMisuse);
        let question = races::Question { program, facts, on, relock_ends };
        let watch = &self.watch;
        let encoding = self.settings.encoding(bounded.nodes.len());
        let (estimate, most) = (&self.estimate, self.most_clauses());
        let interrupt = || estimate.get() > most || watch.poll().is_some();
        encode::encode(&mut self.terms, bounded, encoding, &question, &known, &interrupt, estimate)
    }

    /// Bool: an obligation of a kind is reached.
    fn reached(&mut self, bounded: &Bounded, encoded: &Encoded, wanted: &dyn Fn(&What) -> bool) -> Term {
        let list: Vec<Term> = (bounded.obligations.iter().zip(&encoded.obligations))
            .filter(|(obligation, _)| wanted(&obligation.what))
            .map(|(_, term)| *term)
            .collect();
        self.terms.or_all(list)
    }

    /// Bool: a property is violated, wherever objects lie.
    fn violated_anyhow(&mut self, bounded: &Bounded, encoded: &Encoded) -> Term {
        let violated = self.reached(bounded, encoded, &|what| matches!(what, What::Violation(_)));
        let races = self.terms.or_all(encoded.races.iter().map(|race| race.term).collect::<Vec<_>>());
        let stuck = encoded.deadlock.as_ref().map_or_else(|| self.terms.bool(false), |found| found.term);
        self.terms.or_all([violated, races, stuck])
    }

    /// Bool: a property is violated. What depends on where objects lie is not what the program does.
    fn violated(&mut self, bounded: &Bounded, encoded: &Encoded) -> Term {
        let violated = self.violated_anyhow(bounded, encoded);
        let mut addresses = Vec::new();
        for obligation in bounded.obligations.iter().filter(|obligation| is_address(&obligation.what)) {
            addresses.push(encoded.reached(&mut self.terms, obligation));
        }
        let addresses = self.terms.or_all(addresses);
        let fixed = self.terms.not(addresses);
        self.terms.and(violated, fixed)
    }

    /// Violations first; if there are none, what the bounds left out.
    fn search(&mut self, bounded: &Bounded, encoded: &Encoded) -> Result<Outcome, Failure> {
        let anyhow = self.violated_anyhow(bounded, encoded);
        let bounds = self.reached(bounded, encoded, &is_bound);
        let is_rest = |what: &What| !matches!(what, What::Violation(_)) && !is_bound(what);
        let rest = self.reached(bounded, encoded, &is_rest);
        let violated = self.violated(bounded, encoded);
        self.dump(encoded, violated)?;
        let mut solver = Lazy { settings: self.settings, solver: None };
        let mut gaps = Vec::new();
        let mut question = violated;
        loop {
            match self.solve("solve", encoded, &mut solver, question)? {
                Answer::Sat => {
                    let found = self.candidate(bounded, encoded, &mut solver)?;
                    let Some(spins) = self.doubtful(encoded, &mut solver, &found)? else {
                        return Ok(self.unless_guessed(found));
                    };
                    let end = found.trace.violation.iter().flat_map(|end| &end.at).next();
                    let place = end.map_or(Loc::NONE, |op| op.loc);
                    gaps.push(Gap::Unsupported { what: MAY_SPIN.to_string(), place });
                    let without = self.terms.not(spins);
                    question = self.terms.and(violated, without);
                }
                Answer::Unsat => break,
                Answer::Unknown(stop) => {
                    self.count(&solver);
                    return Ok(Outcome::Stopped { stop, phase: Phase::Solve });
                }
            }
        }
        if let Some(found) = self.by_chance(bounded, encoded, &mut solver, anyhow)? {
            return Ok(Outcome::Violation(Box::new(found)));
        }
        if let Some(found) = self.lost(bounded, encoded, &mut solver)? {
            return Ok(Outcome::Violation(Box::new(found)));
        }
        for question in [bounds, rest].into_iter().filter(|_| !active(Fault::BoundsNotAsked)) {
            let answer = self.solve("bounds", encoded, &mut solver, question)?;
            match answer {
                Answer::Sat => {
                    let model = solver.model(&self.terms)?;
                    gaps.extend(self.gaps(bounded, encoded, &model));
                }
                Answer::Unsat => {}
                Answer::Unknown(stop) => {
                    self.count(&solver);
                    return Ok(Outcome::Stopped { stop, phase: Phase::Bounds });
                }
            }
        }
        self.count(&solver);
        gaps.dedup();
        if gaps.is_empty() {
            self.statistics.reached =
                self.timed("notes", |search| search.comes_to(bounded, encoded, &mut solver));
        }
        Ok(Outcome::Clear { gaps })
    }

    /// What executions come to, if that can be found out with a tenth of the conflicts that the proof took: one
    /// question for all that is open, and again for what the execution that answers it does not come to.
    fn comes_to(&mut self, bounded: &Bounded, encoded: &Encoded, solver: &mut Lazy) -> Option<Box<Reached>> {
        let mut limits = self.settings.limits.clone();
        let most = FEW_CONFLICTS + self.statistics.solver.conflicts / 10;
        let begin = solver.conflicts();
        let mut known = Reached::default();
        let mut unknown: Vec<Mark> = bounded.marks.clone();
        for _ in 0..MOST_QUESTIONS {
            unknown.retain(|mark| !self.terms.is_false(mark.guard) && !is_known(&known, mark.of));
            let question = self.terms.or_all(unknown.iter().map(|mark| mark.guard).collect::<Vec<_>>());
            limits.conflicts = Some((begin + most).checked_sub(solver.conflicts())?);
            match solver.solve(&mut self.terms, encoded, question, &limits).ok()? {
                Answer::Unsat => return Some(Box::new(known)),
                Answer::Unknown(_) => return None,
                Answer::Sat => {}
            }
            let model = solver.model(&self.terms).ok()?;
            let mut evaluator = Evaluator::new(&self.terms, &model);
            for mark in unknown.iter().filter(|mark| evaluator.bool(mark.guard) == Ok(true)) {
                know(&mut known, mark.of);
            }
        }
        None
    }

    /// Asks the solver in a phase of this name.
    fn solve(
        &mut self,
        name: &'static str,
        encoded: &Encoded,
        solver: &mut Lazy,
        question: Term,
    ) -> Result<Answer, Failure> {
        self.timed(name, |search| solver.solve(&mut search.terms, encoded, question, &search.settings.limits))
    }

    fn candidate(
        &mut self,
        bounded: &Bounded,
        encoded: &Encoded,
        solver: &mut Lazy,
    ) -> Result<Candidate, Failure> {
        let model = solver.model(&self.terms)?;
        self.count(solver);
        trace::candidate(&self.terms, bounded, encoded, &model, self.program).map_err(Failure::Internal)
    }

    /// A violation in an execution that depends on where objects lie: it counts if the interpreter, whose
    /// objects lie elsewhere, has it too.
    fn by_chance(
        &mut self,
        bounded: &Bounded,
        encoded: &Encoded,
        solver: &mut Lazy,
        violated: Term,
    ) -> Result<Option<Candidate>, Failure> {
        let mut on_addresses = bounded.obligations.iter().zip(&encoded.obligations);
        let depends = on_addresses.any(|(o, term)| is_address(&o.what) && !self.terms.is_false(*term));
        if !depends {
            return Ok(None);
        }
        let answer = self.solve("solve", encoded, solver, violated)?;
        if answer != Answer::Sat {
            return Ok(None);
        }
        let found = self.candidate(bounded, encoded, solver)?;
        Ok(self.replays(&found).then_some(found))
    }

    /// An execution that ends with a heap block left, if the interpreter finds that it is lost.
    fn lost(
        &mut self,
        bounded: &Bounded,
        encoded: &Encoded,
        solver: &mut Lazy,
    ) -> Result<Option<Candidate>, Failure> {
        let left = self.reached(bounded, encoded, &|what| *what == What::MayBeLost);
        if self.terms.is_false(left) || self.solve("solve", encoded, solver, left)? != Answer::Sat {
            return Ok(None);
        }
        let found = self.candidate(bounded, encoded, solver)?;
        Ok(self.replays(&found).then_some(found))
    }

    /// The violation; or, if it is approximate and does not replay, what is not known exactly.
    fn unless_guessed(&self, found: Candidate) -> Outcome {
        match &found.approximate {
            Some(guess) if !self.replays(&found) => {
                let (what, place) = (guess.what.clone(), guess.place);
                Outcome::Clear { gaps: vec![Gap::Unsupported { what, place }] }
            }
            Some(_) | None => Outcome::Violation(Box::new(found)),
        }
    }

    /// Bool, that a thread spins, if one does in a deadlock that the interpreter does not have: whether a loop spins is
    /// for the interpreter to say, where signals and time may end it.
    fn doubtful(
        &mut self,
        encoded: &Encoded,
        solver: &mut Lazy,
        found: &Candidate,
    ) -> Result<Option<Term>, Failure> {
        let Some(deadlock) = encoded.deadlock.as_ref().filter(|_| found.check == Check::Deadlock) else {
            return Ok(None);
        };
        let spins = deadlock.spins;
        let model = solver.model(&self.terms)?;
        let in_use = Evaluator::new(&self.terms, &model).bool(spins) == Ok(true);
        Ok((in_use && !self.replays(found)).then_some(spins))
    }

    /// Returns true if the interpreter confirms it, on the program before any pass.
    fn replays(&self, found: &Candidate) -> bool {
        let Input { subject, judge } = self.input;
        let Ok(image) = Image::new(subject.source, judge.checks) else { return false };
        let limits = braid_interp::Limits { deadline: self.settings.limits.deadline, ..judge.limits };
        let options = braid_interp::Options { limits, ..judge };
        confirm(&image, options, found.clone()).is_ok()
    }

    fn count(&mut self, solver: &Lazy) {
        if let Some(solver) = &solver.solver {
            self.statistics.solver = solver.statistics();
        }
    }

    fn dump(&mut self, encoded: &Encoded, violated: Term) -> Result<(), Failure> {
        let Some(path) = &self.settings.dump else { return Ok(()) };
        let mut all = encoded.all_constraints(&mut self.terms);
        all.push(violated);
        let written = braid_solver::dump::dump(path, &self.terms, &all, &self.settings.limits);
        written.map_err(|error| Failure::Unsupported(error.to_string()))
    }

    /// What is reached in a model besides violations.
    fn gaps(&self, bounded: &Bounded, encoded: &Encoded, model: &Assignment) -> Vec<Gap> {
        let mut evaluator = Evaluator::new(&self.terms, model);
        let mut gaps: Vec<Gap> = Vec::new();
        for (obligation, term) in bounded.obligations.iter().zip(&encoded.obligations) {
            if evaluator.bool(*term) != Ok(true) {
                continue;
            }
            let looks =
                encoded.looks_at_address(&obligation.what, &mut |term| evaluator.bool(term) == Ok(true));
            let place = looks.map_or(obligation.place, |access| trace::place_of(bounded, access));
            let name = |func: FuncId| self.program.functions[func].name.to_string();
            let gap = match &obligation.what {
                What::Violation(_) => continue,
                What::Loop { function, bound } => {
                    Gap::Loop { function: name(*function), place, bound: *bound }
                }
                What::Recursion { function, bound } => {
                    Gap::Recursion { function: name(*function), place, bound: *bound }
                }
                What::Threads { bound } => Gap::Threads { place, bound: *bound },
                What::Unsupported(what) => Gap::Unsupported { what: what.clone(), place },
                What::Partial { what, bound } => Gap::Partial { what: what.clone(), bound: *bound, place },
                What::Invalid(check) => Gap::Invalid { check: *check, place },
                What::Addresses
                | What::LoadedAddresses
                | What::TornPointers
                | What::StrayAddresses
                | What::Refused { .. }
                | What::ThreadIds { .. } => Gap::Addresses { place },
                What::MayBeLost => Gap::MayBeLost { place },
            };
            if !gaps.contains(&gap) {
                gaps.push(gap);
            }
        }
        gaps
    }
}

fn is_address(what: &What) -> bool {
    match what {
        What::Addresses
        | What::LoadedAddresses
        | What::TornPointers
        | What::StrayAddresses
        | What::Refused { .. }
        | What::ThreadIds { .. } => true,
        What::Violation(_)
        | What::Loop { .. }
        | What::Recursion { .. }
        | What::Threads { .. }
        | What::Unsupported(_)
        | What::Partial { .. }
        | What::Invalid(_)
        | What::MayBeLost => false,
    }
}

fn is_bound(what: &What) -> bool {
    match what {
        What::Loop { .. } | What::Recursion { .. } | What::Threads { .. } => true,
        What::Violation(_)
        | What::Unsupported(_)
        | What::Partial { .. }
        | What::Invalid(_)
        | What::MayBeLost
        | What::Addresses
        | What::ThreadIds { .. }
        | What::LoadedAddresses
        | What::TornPointers
        | What::StrayAddresses
        | What::Refused { .. } => false,
    }
}

/// A solver that is started when there is something to solve.
struct Lazy<'a> {
    settings: &'a Settings,
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

impl Lazy<'_> {
    /// Asks a question about a formula, which is the same every time.
    fn solve(
        &mut self,
        terms: &mut Terms,
        encoded: &Encoded,
        question: Term,
        limits: &Limits,
    ) -> Result<Answer, Failure> {
        if terms.is_false(question) {
            return Ok(Answer::Unsat);
        }
        let mut solver = match self.solver.take() {
            Some(solver) => solver,
            None => self.start(terms, encoded, limits)?,
        };
        let answer = solver.solve(terms, &[question], limits);
        self.solver = Some(solver);
        answer
    }

    /// A solver that knows the formula.
    fn start(
        &self,
        terms: &mut Terms,
        encoded: &Encoded,
        limits: &Limits,
    ) -> Result<Box<dyn Solver>, Failure> {
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

    /// Those it had so far.
    fn conflicts(&self) -> u64 {
        self.solver.as_ref().map_or(0, |solver| solver.statistics().conflicts)
    }

    /// The values of all symbols.
    fn model(&mut self, terms: &Terms) -> Result<Assignment, Failure> {
        let mut model = Assignment::new();
        let Some(solver) = &mut self.solver else { return Ok(model) };
        for symbol in terms.symbols() {
            let value = solver.value(terms, terms.symbol_term(symbol))?;
            model.set(symbol, value);
        }
        Ok(model)
    }
}
