//! The strategy, from first to last.
//!
//! 1. An exhaustive search of [`QUICK`] states: decides small programs, all properties at once.
//! 2. Random runs: find what is easy to find.
//! 3. The `order` engine with growing bounds, in legs ([`LEGS`]); after each leg an exhaustive search of more
//!    states, if more states are all that the last one lacked. A program with endless loops but few states is
//!    proved there, and so are the properties that `order` does not decide.
//!
//! `SAFE` needs a complete exhaustive search, or a proof by `order` with no property left undecided; and no
//! library model in the program that leaves behaviour out. A bound that the user fixes (`--unwind`) is the only
//! one, and no large search follows unless `order` proved its part.

use crate::deepen::{Bounded, DEEPEST, Deepened, Deepening};
use crate::record::{Event, PhaseRecord};
use crate::{Engine, Report, Request, Trouble, explain};
use braid_analysis::Facts;
use braid_engines::explicit::{self, RandomBudget};
use braid_engines::order::{self, SolverChoice};
use braid_interp::{Cut, Exploration, ExploreOptions, Image, Outcome, RaceModel, place_text};
use braid_ir::Program;
use braid_props::{Check, CheckSet};
use braid_solver::{Failure, Limits, Process, Stop, Watch};
use braid_unwind::Bounds;
use braid_verdict::{Candidate, Reason, Unconfirmed, Verdict, assumptions, confirm, omissions, reasons};
use std::sync::Arc;
use std::time::Instant;

/// States of the first exhaustive search.
const QUICK: u64 = 20_000;
/// Bounds up to which `order` goes, and the states of the search that follows.
const LEGS: [(u32, u64); 2] = [(8, 200_000), (DEEPEST, 2_000_000)];
/// The name of that phase.
const RANDOM_RUNS: &str = "random runs";
const RANDOM: RandomBudget = RandomBudget { runs: 200, steps: 20_000, all: 400_000 };

/// Does what the request asks for.
pub fn run(
    program: &Program,
    request: &Request,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Report, Trouble> {
    let image = match Image::new(program, request.machine.checks) {
        Ok(image) => image,
        Err(error) => {
            let verdict = Verdict::Unknown(vec![Reason::Setup(error)]);
            return Ok(Report { verdict, phases: Vec::new() });
        }
    };
    check_solver(request)?;
    let order = Progress::NotRun;
    let mut session =
        Session { program, request, image: &image, watch, phases: Vec::new(), search: None, order };
    let verdict = match request.engine {
        Engine::Explicit => session.explicit_only(),
        Engine::Order => session.order_only(),
        Engine::Portfolio => session.portfolio(),
    };
    let verdict = match verdict {
        Ok(answer) | Err(End::Answer(answer)) => answer,
        Err(End::Trouble(trouble)) => return Err(trouble),
    };
    Ok(Report { verdict, phases: session.phases })
}

/// A solver that cannot be started is better known at once.
fn check_solver(request: &Request) -> Result<(), Trouble> {
    match &request.solver {
        SolverChoice::Process(name) if request.engine != Engine::Explicit => {
            Process::start(name).map(|_| ()).map_err(Trouble::Solver)
        }
        SolverChoice::Process(_) | SolverChoice::Embedded => Ok(()),
    }
}

/// The end of the work, before all of it is done.
enum End {
    Answer(Verdict),
    Trouble(Trouble),
}

/// What `order` has come to, as to the properties it decides.
enum Progress {
    NotRun,
    Proved,
    /// At least one.
    Open(Vec<Reason>),
}

struct Session<'a> {
    program: &'a Program,
    request: &'a Request,
    image: &'a Image<'a>,
    watch: &'a mut dyn FnMut(Event<'_>),
    phases: Vec<PhaseRecord>,
    /// The last exhaustive search, which was not complete.
    search: Option<Exploration>,
    order: Progress,
}

impl Session<'_> {
    fn portfolio(&mut self) -> Result<Verdict, End> {
        self.exhaustive(Some(QUICK))?;
        self.random()?;
        let largest = LEGS[LEGS.len() - 1].1;
        let checks = self.request.machine.checks;
        if self.undecided() == checks && !checks.is_empty() {
            // `order` decides none of them.
            self.larger_search(largest)?;
            return Ok(self.conclude());
        }
        let facts = self.facts();
        let fixed = self.request.unwind;
        let mut series = Deepening::new(fixed, self.request.unwindset.clone());
        for (bound, states) in LEGS {
            let further = self.deepen(&facts, &mut series, bound)?;
            if further {
                self.larger_search(states)?;
                continue;
            }
            // Nothing more will come from `order`: the largest search is the last resort.
            let proved = matches!(self.order, Progress::Proved);
            if !(proved && self.undecided().is_empty()) && (proved || fixed.is_none()) {
                self.larger_search(largest)?;
            }
            break;
        }
        Ok(self.conclude())
    }

    fn explicit_only(&mut self) -> Result<Verdict, End> {
        self.exhaustive(None)?;
        let left = self.search.as_ref().map_or_else(Vec::new, |search| reasons(self.program, search));
        Ok(Verdict::Unknown(left))
    }

    fn order_only(&mut self) -> Result<Verdict, End> {
        let facts = self.facts();
        let mut series = Deepening::new(self.request.unwind, self.request.unwindset.clone());
        self.deepen(&facts, &mut series, DEEPEST)?;
        Ok(self.conclude())
    }

    /// The properties that only an exhaustive search decides.
    fn undecided(&self) -> CheckSet {
        order::undecided(self.request.machine.checks)
    }

    /// The verdict of a proof, unless models leave behaviour out.
    fn safe(&self) -> Verdict {
        let omitted: Vec<Reason> = omissions(self.program).collect();
        if !omitted.is_empty() {
            return Verdict::Unknown(omitted);
        }
        Verdict::Safe { assumptions: self.assumptions() }
    }

    fn assumptions(&self) -> Vec<String> {
        let allocation = self.request.malloc_may_fail.then_some("malloc succeeds");
        let wakeups = self.request.spurious_wakeups.then_some("no spurious wake-ups");
        let lifted: Vec<&str> = allocation.into_iter().chain(wakeups).collect();
        assumptions(self.program, &lifted)
    }

    /// What is to be said when everything has been tried.
    fn conclude(&self) -> Verdict {
        let undecided = self.undecided();
        let mut left = match &self.order {
            Progress::Proved if undecided.is_empty() => return self.safe(),
            Progress::Proved | Progress::NotRun => Vec::new(),
            Progress::Open(reasons) => reasons.clone(),
        };
        if !undecided.is_empty() {
            let checks = self.request.machine.checks;
            left.push(explain::of_search(self.program, undecided, checks, self.search.as_ref()));
        }
        left.extend(omissions(self.program));
        assert!(!left.is_empty(), "what is neither proved nor undecided is open");
        Verdict::Unknown(left)
    }

    /// A limit of the user's ended a phase: that, and what was open by then.
    fn stopped(&self, limit: String, phase: String) -> End {
        let mut left = vec![Reason::Stopped { limit, phase }];
        if !matches!(self.order, Progress::NotRun)
            && let Verdict::Unknown(open) = self.conclude()
        {
            left.extend(open);
        }
        End::Answer(Verdict::Unknown(left))
    }

    /// A search of more states, if that is all the last one lacked.
    fn larger_search(&mut self, states: u64) -> Result<(), End> {
        if self.more_states_may_do() { self.exhaustive(Some(states)) } else { Ok(()) }
    }

    /// Whether a search of more states than the last one may be complete.
    fn more_states_may_do(&self) -> bool {
        self.search.as_ref().is_some_and(|search| {
            search.unsupported.is_empty()
                && search.invalid.is_empty()
                && search.depends_on_address.is_none()
                && search.cuts.iter().all(|cut| matches!(cut, Cut::States(_)))
        })
    }

    /// An exhaustive search; ends the work if it decides.
    fn exhaustive(&mut self, states: Option<u64>) -> Result<(), End> {
        let request = self.request;
        let name = match states {
            Some(states) => format!("explicit, up to {states} states"),
            None => "explicit".to_string(),
        };
        let options = ExploreOptions {
            machine: request.machine,
            rounds: request.rounds,
            context_bound: request.context_bound,
            max_states: states,
            malloc_may_fail: request.malloc_may_fail,
            spurious_wakeups: request.spurious_wakeups,
            ..ExploreOptions::default()
        };
        let begin = self.begin(&name);
        let watch = &mut *self.watch;
        let searched = explicit::exhaustive(self.image, &options, &request.interrupt, &mut |progress| {
            watch(Event::Searching(&name, progress));
        });
        let searched = searched.map_err(|error| End::Answer(Verdict::Unknown(vec![Reason::Setup(error)])))?;
        let exploration = searched.exploration;
        let result = search_result(searched.violation.as_ref(), &exploration);
        let states = Some(exploration.states);
        self.end(PhaseRecord { name: name.clone(), result, time: begin.elapsed(), states, order: None });
        if let Some(candidate) = searched.violation {
            return Err(self.judge("explicit", candidate));
        }
        if exploration.is_complete() {
            return Err(End::Answer(self.safe()));
        }
        let ended = exploration.cuts.iter().find(|cut| matches!(cut, Cut::Timeout | Cut::Interrupted));
        if let Some(cut) = ended {
            let limit = cut.to_string();
            self.search = Some(exploration);
            return Err(self.stopped(limit, name));
        }
        // All executions were seen: no engine can say more about what they run into.
        if exploration.cuts.is_empty() && exploration.depends_on_address.is_none() {
            return Err(End::Answer(Verdict::Unknown(reasons(self.program, &exploration))));
        }
        self.search = Some(exploration);
        Ok(())
    }

    /// Random runs; ends the work if one of them goes wrong.
    fn random(&mut self) -> Result<(), End> {
        let begin = self.begin(RANDOM_RUNS);
        let request = self.request;
        let found = explicit::random(self.image, request.machine, RANDOM, &request.interrupt)
            .map_err(|error| End::Answer(Verdict::Unknown(vec![Reason::Setup(error)])))?;
        let result = found.as_ref().map_or("nothing found".to_string(), |found| found.check.to_string());
        self.note(RANDOM_RUNS, result, begin);
        if let Some(candidate) = found {
            return Err(self.judge(RANDOM_RUNS, candidate));
        }
        let over = Watch::new(&self.limits()).poll();
        over.map_or(Ok(()), |stop| Err(self.stopped(stop.to_string(), RANDOM_RUNS.to_string())))
    }

    /// The user's limits.
    fn limits(&self) -> Limits {
        Limits {
            conflicts: None,
            deadline: self.request.machine.limits.deadline,
            memory: Some(self.request.machine.limits.memory),
            interrupt: Some(Arc::clone(&self.request.interrupt)),
        }
    }

    fn facts(&mut self) -> Facts {
        let begin = self.begin("analysis");
        let misuse_ends = self.request.machine.checks.contains(Check::LockMisuse);
        let facts = Facts::new(self.program, braid_analysis::Options { misuse_ends });
        self.note("analysis", "done".to_string(), begin);
        facts
    }

    /// Runs `order` up to a bound; ends the work at a violation or when time is up. Says whether larger bounds
    /// may help.
    fn deepen(&mut self, facts: &Facts, series: &mut Deepening, up_to: u32) -> Result<bool, End> {
        let deepened = series.go(&mut Order { session: self, facts }, up_to).map_err(failed)?;
        let further = matches!(deepened, Deepened::Further { .. });
        let mut stopped = None;
        self.order = match deepened {
            Deepened::Violation(candidate) => return Err(self.judge("order", *candidate)),
            Deepened::Proved => Progress::Proved,
            Deepened::Open { gaps } | Deepened::Further { gaps } => Progress::Open(explain::of_gaps(&gaps)),
            Deepened::Stopped { stop, phase, unwind, gaps } => {
                stopped = Some(stop);
                let mut left = vec![explain::of_stop(stop, phase, unwind)];
                left.extend(explain::of_gaps(&gaps));
                Progress::Open(left)
            }
        };
        match stopped {
            // Others may still decide.
            None | Some(Stop::GaveUp | Stop::Conflicts) => Ok(further),
            Some(Stop::Deadline | Stop::Memory | Stop::Interrupted) => Err(End::Answer(self.conclude())),
        }
    }

    /// Replays what an engine believes to be a violation.
    fn judge(&self, engine: &str, candidate: Candidate) -> End {
        let mut options = self.request.machine;
        // The search may have used up the time; a replay is short.
        options.limits.deadline = None;
        let (check, place) = (candidate.check, candidate.place);
        match confirm(self.image, options, candidate) {
            Ok(counterexample) => End::Answer(Verdict::Unsafe(vec![counterexample])),
            Err(error) => match resource(&error) {
                Some(limit) => {
                    let phase = format!("replay of a {check} violation");
                    End::Answer(Verdict::Unknown(vec![Reason::Stopped { limit, phase }]))
                }
                None => {
                    let at =
                        place.map_or(String::new(), |loc| format!(" at {}", place_text(self.program, loc)));
                    let what =
                        format!("{engine} finds a {check} violation{at}, but the interpreter: {error}");
                    End::Trouble(Trouble::Internal(what))
                }
            },
        }
    }

    fn begin(&mut self, name: &str) -> Instant {
        (self.watch)(Event::Begin(name));
        Instant::now()
    }

    fn note(&mut self, name: &str, result: String, begin: Instant) {
        let (name, time) = (name.to_string(), begin.elapsed());
        self.end(PhaseRecord { name, result, time, states: None, order: None });
    }

    fn end(&mut self, record: PhaseRecord) {
        (self.watch)(Event::End(&record));
        self.phases.push(record);
    }
}

/// The `order` engine at work for a session.
struct Order<'s, 'a> {
    session: &'s mut Session<'a>,
    facts: &'s Facts,
}

impl Bounded for Order<'_, '_> {
    fn search(&mut self, bounds: &Bounds) -> Result<order::Outcome, Failure> {
        let request = self.session.request;
        let settings = order::Settings {
            checks: request.machine.checks,
            bounds: bounds.clone(),
            encoding: request.encoding,
            solver: request.solver.clone(),
            limits: self.session.limits(),
            spurious_wakeups: request.spurious_wakeups,
            malloc_may_fail: request.malloc_may_fail,
            races_in_sections: request.machine.race_model == RaceModel::SvComp,
            race_on: request.machine.race_on,
            dump: request.dump.clone(),
        };
        let name = format!("order, bound {}", bounds.unwind);
        let begin = self.session.begin(&name);
        let mut statistics = order::Statistics::default();
        let outcome = order::check(self.session.program, self.facts, &settings, &mut statistics);
        let result = match &outcome {
            Ok(order::Outcome::Violation(candidate)) => candidate.check.to_string(),
            Ok(order::Outcome::Clear { gaps }) if gaps.is_empty() => "clear".to_string(),
            Ok(order::Outcome::Clear { gaps }) => format!("clear, with {} open", gaps.len()),
            Ok(order::Outcome::Stopped { stop, .. }) => stop.to_string(),
            Err(failure) => failure.to_string(),
        };
        let (time, order) = (begin.elapsed(), Some(statistics));
        self.session.end(PhaseRecord { name, result, time, states: None, order });
        outcome
    }
}

/// A solver that fails is a reason, unless it is our own.
fn failed(failure: Failure) -> End {
    match failure {
        Failure::NotInstalled { .. } => End::Trouble(Trouble::Solver(failure)),
        Failure::Internal(what) => End::Trouble(Trouble::Internal(format!("order: {what}"))),
        Failure::Unsupported(_) | Failure::Process { .. } | Failure::Stopped(_) => {
            End::Answer(Verdict::Unknown(vec![Reason::Solver(failure.to_string())]))
        }
    }
}

/// How an exhaustive search ended, in a few words.
fn search_result(violation: Option<&Candidate>, exploration: &Exploration) -> String {
    match (violation, exploration.cuts.first()) {
        (Some(candidate), _) => candidate.check.to_string(),
        (None, Some(cut)) => cut.to_string(),
        (None, None) => "complete".to_string(),
    }
}

/// The limit that a replay ran into, if that is what was wrong with it.
fn resource(error: &Unconfirmed) -> Option<String> {
    match error {
        Unconfirmed::NotReached { outcome, .. } => match outcome.as_deref()? {
            Outcome::ResourceLimit { resource, .. } => Some(resource.to_string()),
            Outcome::Exited { .. }
            | Outcome::Aborted { .. }
            | Outcome::Violation(_)
            | Outcome::InvalidUnchecked(_)
            | Outcome::Unsupported { .. }
            | Outcome::Blocked { .. }
            | Outcome::AssumeFailed { .. } => None,
        },
        Unconfirmed::Timeout => Some("time limit reached in the replay".to_string()),
        Unconfirmed::Setup(_) | Unconfirmed::Mismatch(_) => None,
    }
}

#[cfg(test)]
mod tests;
