//! The strategy, from first to last.
//!
//! 1. An exhaustive search of [`QUICK`] states: decides small programs, all properties at once. Where random numbers
//!    are open, one with glibc's own sequence comes first.
//! 2. Random runs: find what is easy to find.
//! 3. The `order` engine with growing bounds, and at its side ([`sides`]) an exhaustive search of more states,
//!    if more states are all that the first one lacked. A program with endless loops but few states is proved
//!    there, and so are the properties that `order` does not decide. A solver in a process of its own has no
//!    steps that could be counted; with one the two take turns, in legs ([`LEGS`]).
//!
//! The phase that finds a violation looks for the others, too ([`others`]).
//!
//! `SAFE` needs a complete exhaustive search, or a proof by `order` with no property left undecided; and no
//! place reached from which on a library model leaves behaviour out. A bound that the user fixes (`--unwind`) is the only
//! one, and no large search follows unless `order` proved its part.

mod others;
mod sides;

use crate::deepen::{Bounded, DEEPEST, Deepened, Deepening};
use crate::pace::{Lane, Moment};
use crate::record::{Event, PhaseRecord};
use crate::{Engine, Report, Request, Trouble, explain};
use braid_analysis::starts_threads_in_loops;
use braid_engines::explicit::{self, Exhaustive, RandomBudget};
use braid_engines::order::{self, SolverChoice};
use braid_engines::{Subject, ask};
use braid_interp::{
    Collect, Cut, Exploration, ExploreOptions, Image, Outcome, RaceModel, SetupError, Share, place_text,
};
use braid_ir::{Loc, Program};
use braid_models::RANDOM_IS_OPEN;
use braid_props::{Check, CheckSet};
use braid_solver::{Failure, Interrupt, Limits, Process, Stop, Watch, memory_in_use};
use braid_verdict::{
    Approximate, Bounds, Candidate, Counterexample, Coverage, Method, Reason, Unconfirmed, Verdict,
    assumptions, confirm_real, reasons,
};
use std::sync::Arc;
use std::time::Instant;

/// States of the first exhaustive search, and what it may cost: states of very many threads cost very much.
const QUICK: u64 = 20_000;
const QUICK_WORK: u64 = 16_000_000;
/// Bounds up to which `order` goes, and the states at which the search that follows pauses.
const LEGS: [(u32, Option<u64>); 2] = [(8, Some(200_000)), (DEEPEST, None)];
/// Work of a search ([`braid_interp::Progress::work`]) that takes about as long as a unit of `order`.
const WORK: u64 = 192;
/// Threads, the first included, of the search that comes before all if the program starts threads in a loop; and the
/// states of that search.
const FEW_THREADS: u32 = 3;
const FEW_STATES: u64 = 4_000;
/// `order` begins with few threads if a program starts more than this.
const VERY_MANY_THREADS: usize = 24;
/// Programs that start more threads than this get random runs with few of them, too.
const MANY_THREADS: usize = 8;
/// The name of that phase.
const RANDOM_RUNS: &str = "random runs";
const RANDOM: RandomBudget = RandomBudget { runs: 200, work: 400_000, all: 4_000_000, threads: None };

/// Does what the request asks for.
pub fn run(
    program: &Program,
    request: &Request,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Report, Trouble> {
    let images = match Images::new(program, request) {
        Ok(images) => images,
        Err(error) => {
            let verdict = Verdict::Unknown(vec![Reason::Setup(error)]);
            return Ok(Report::new(verdict, Vec::new()));
        }
    };
    check_solver(request)?;
    let options = explore_options(request);
    let mut session = Session::new(program, request, &images, &options, watch);
    let verdict = match request.engine {
        Engine::Explicit => session.explicit_only(),
        // No other engine has anything to say.
        Engine::Portfolio if request.machine.checks == livelock_alone() => session.explicit_only(),
        Engine::Order if request.machine.checks == livelock_alone() => {
            Ok(Verdict::Unknown(vec![Reason::Livelock]))
        }
        Engine::Order => session.order_only(),
        Engine::Portfolio => session.portfolio(),
    };
    match verdict {
        Ok(answer) | Err(End::Answer(answer)) => Ok(session.report(answer)),
        Err(End::Found(first)) => Ok(session.with_others(*first)),
        Err(End::Stopped(reason)) => {
            let verdict = session.stopped(reason);
            Ok(session.report(verdict))
        }
        Err(End::Trouble(trouble)) => Err(trouble),
    }
}

/// The program as it is searched and judged.
struct Images<'a> {
    image: Image<'a>,
    /// The same with the library's own sequence of random numbers, if the program has some and they are open.
    real: Option<Image<'a>>,
}

impl<'a> Images<'a> {
    fn new(program: &'a Program, request: &Request) -> Result<Images<'a>, SetupError> {
        let checks = request.machine.checks;
        let mut image = Image::new(program, checks)?;
        let random = program.globals.iter().any(|global| global.name.as_str() == RANDOM_IS_OPEN);
        let mut real = None;
        if request.random_is_real {
            image.set(RANDOM_IS_OPEN, 0);
        } else if random {
            let real = real.insert(Image::new(program, checks)?);
            real.set(RANDOM_IS_OPEN, 0);
        }
        Ok(Images { image, real })
    }
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
    Found(Box<First>),
    Trouble(Trouble),
    /// A limit of the user's; the reason, unless it is noted already.
    Stopped(Option<Reason>),
}

/// The first violation, confirmed, and who found it.
struct First {
    counterexample: Counterexample,
    finder: Finder,
}

/// What found a violation, and what it took.
enum Finder {
    /// With the bound on threads, if there was one.
    Exhaustive {
        states: u64,
        threads: Option<u32>,
    },
    RandomRuns,
    Order {
        bounds: Bounds,
        conflicts: u64,
    },
}

impl Finder {
    fn name(&self) -> &'static str {
        match self {
            Finder::Exhaustive { .. } => "explicit",
            Finder::RandomRuns => RANDOM_RUNS,
            Finder::Order { .. } => "order",
        }
    }
}

/// What `order` has come to, as to the properties it decides.
enum Progress {
    NotRun,
    Proved(Coverage),
    /// At least one.
    Open(Vec<Reason>),
}

struct Session<'a> {
    program: &'a Program,
    request: &'a Request,
    image: &'a Image<'a>,
    /// See [`Images`].
    real: Option<&'a Image<'a>>,
    images: &'a Images<'a>,
    options: &'a ExploreOptions,
    watch: &'a mut dyn FnMut(Event<'_>),
    /// The exhaustive search, while it pauses.
    paused: Option<Exhaustive<'a>>,
    /// With the moments of their ends.
    phases: Vec<(Moment, PhaseRecord)>,
    /// The last exhaustive search, which was not complete.
    search: Option<Exploration>,
    order: Progress,
    /// For one of two workers.
    lane: Option<Arc<Lane>>,
}

impl<'a> Session<'a> {
    fn new(
        program: &'a Program,
        request: &'a Request,
        images: &'a Images<'a>,
        options: &'a ExploreOptions,
        watch: &'a mut dyn FnMut(Event<'_>),
    ) -> Session<'a> {
        Session {
            program,
            request,
            image: &images.image,
            real: images.real.as_ref(),
            images,
            options,
            watch,
            paused: None,
            phases: Vec::new(),
            search: None,
            order: Progress::NotRun,
            lane: None,
        }
    }

    fn report(&mut self, verdict: Verdict) -> Report {
        let phases = std::mem::take(&mut self.phases);
        Report::new(verdict, phases.into_iter().map(|(_, record)| record).collect())
    }

    fn portfolio(&mut self) -> Result<Verdict, End> {
        self.real_numbers()?;
        if starts_threads_in_loops(self.program) {
            self.few_threads()?;
        }
        self.exhaustive(Some(QUICK))?;
        self.random()?;
        let fixed = self.request.unwind.is_some();
        if fixed || !self.more_states_may_do() {
            self.deepen()?;
        } else if self.request.solver == SolverChoice::Embedded {
            self.side_by_side()?;
        } else {
            self.take_turns()?;
        }
        Ok(self.conclude())
    }

    /// `order` and exhaustive searches, one after the other.
    fn take_turns(&mut self) -> Result<(), End> {
        let subject = self.subject();
        let mut series = self.series();
        for (bound, states) in LEGS {
            let further = self.go(&subject, &mut series, bound)?;
            if !further {
                if !self.is_proved() {
                    self.larger_search(None)?;
                }
                break;
            }
            self.larger_search(states)?;
        }
        Ok(())
    }

    fn explicit_only(&mut self) -> Result<Verdict, End> {
        self.real_numbers()?;
        self.exhaustive(None)?;
        let left = self.search.as_ref().map_or_else(Vec::new, reasons);
        Ok(Verdict::Unknown(left))
    }

    fn order_only(&mut self) -> Result<Verdict, End> {
        self.deepen()?;
        Ok(self.conclude())
    }

    /// The bounds to try. A program that starts very many threads is looked at with a few of them first.
    fn series(&self) -> Deepening {
        let series = Deepening::new(self.request.unwind, self.request.unwindset.clone());
        if !starts_threads_in_loops(self.program) {
            return series;
        }
        let threads = explicit::threads_of_a_run(self.image, self.request.machine, RANDOM.work);
        if threads > VERY_MANY_THREADS { series.with_threads(FEW_THREADS) } else { series }
    }

    /// Runs `order` as far as it goes.
    fn deepen(&mut self) -> Result<(), End> {
        let subject = self.subject();
        self.go(&subject, &mut self.series(), DEEPEST).map(|_| ())
    }

    /// Whether `order` has proved all properties.
    fn is_proved(&self) -> bool {
        matches!(self.order, Progress::Proved(_))
    }

    /// The verdict of a proof.
    fn safe(&self, coverage: Coverage) -> Verdict {
        Verdict::Safe { assumptions: self.assumptions(), coverage }
    }

    fn assumptions(&self) -> Vec<String> {
        let allocation = self.request.malloc_may_fail.then_some("malloc succeeds");
        let wakeups = self.request.spurious_wakeups.then_some("no spurious wake-ups");
        let calls = self.request.calls_may_fail.then_some("library calls succeed");
        let lifted: Vec<&str> = allocation.into_iter().chain(wakeups).chain(calls).collect();
        assumptions(self.program, &lifted)
    }

    /// What is to be said when everything has been tried.
    fn conclude(&self) -> Verdict {
        let left = match &self.order {
            Progress::Proved(coverage) => return self.safe(coverage.clone()),
            Progress::NotRun => Vec::new(),
            Progress::Open(reasons) => reasons.clone(),
        };
        assert!(!left.is_empty(), "what is neither proved nor undecided is open");
        Verdict::Unknown(left)
    }

    /// A limit of the user's ended a phase. First what is known to stand in the way of a proof, however much time
    /// there were; then the limit, and what was open by then.
    fn stopped(&self, reason: Option<Reason>) -> Verdict {
        let mut left: Vec<Reason> = self.obstacles();
        left.extend(reason);
        if !matches!(self.order, Progress::NotRun)
            && let Verdict::Unknown(open) = self.conclude()
        {
            let known = left.clone();
            left.extend(open.into_iter().filter(|reason| !known.contains(reason)));
        }
        Verdict::Unknown(left)
    }

    /// What the exhaustive search has run into and no engine gets past.
    fn obstacles(&self) -> Vec<Reason> {
        let known = self.search.as_ref().map_or_else(Vec::new, reasons);
        let stands = |reason: &Reason| match reason {
            Reason::Unsupported { .. }
            | Reason::Invalid { .. }
            | Reason::Addresses { .. }
            | Reason::Omission { .. }
            | Reason::Cut(Cut::Memory(_) | Cut::Resource(..) | Cut::Spinning(_)) => true,
            Reason::Cut(
                Cut::States(_)
                | Cut::Work(_)
                | Cut::Timeout
                | Cut::Interrupted
                | Cut::Values(_)
                | Cut::Rounds(_)
                | Cut::Contexts(_),
            )
            | Reason::Over { .. }
            | Reason::Loop { .. }
            | Reason::Recursion { .. }
            | Reason::Threads { .. }
            | Reason::MayBeLost { .. }
            | Reason::Stopped { .. }
            | Reason::Setup(_)
            | Reason::Solver(_)
            | Reason::Livelock
            | Reason::Termination => false,
        };
        known.into_iter().filter(stands).collect()
    }

    /// A search of more states, if that is all the last one lacked.
    fn larger_search(&mut self, states: Option<u64>) -> Result<(), End> {
        if self.more_states_may_do() { self.exhaustive(states) } else { Ok(()) }
    }

    /// Whether a search of more states than the last one may be complete.
    fn more_states_may_do(&self) -> bool {
        self.search.as_ref().is_some_and(|search| {
            search.unsupported.is_empty()
                && search.partial.is_empty()
                && search.invalid.is_empty()
                && search.depends_on_address.is_none()
                && search.cuts.iter().all(|cut| matches!(cut, Cut::States(_) | Cut::Work(_)))
        })
    }

    /// A search with the library's own sequence of random numbers, if they are open: a violation there needs no
    /// assumption. That there is none proves nothing.
    fn real_numbers(&mut self) -> Result<(), End> {
        let Some(real) = self.real else { return Ok(()) };
        let name = format!("explicit, glibc's random numbers, up to {QUICK} states");
        let begin = self.begin(&name);
        let mut search = Exhaustive::new(real, self.options).map_err(no_setup)?;
        let watch = &mut *self.watch;
        let memory = self.request.machine.limits.memory;
        let share = Share { states: Some(QUICK), work: Some(QUICK_WORK), memory };
        let searched = search.go_on(share, &self.request.interrupt, &mut |progress| {
            watch(Event::Searching(&name, progress));
        });
        let exploration = searched.exploration;
        let result = search_result(searched.violation.as_ref(), &exploration);
        let (time, states) = (begin.elapsed(), exploration.states);
        self.end(PhaseRecord { name, result, time, states: Some(states), order: None });
        let Some(candidate) = searched.violation else { return Ok(()) };
        // What is found from here on is looked for in this program.
        self.image = real;
        self.real = None;
        Err(self.judge(Finder::Exhaustive { states, threads: None }, candidate))
    }

    /// The exhaustive search, from where it paused and up to a number of states; ends the work if it decides.
    fn exhaustive(&mut self, states: Option<u64>) -> Result<(), End> {
        let name = match states {
            Some(states) => format!("explicit, up to {states} states"),
            None => "explicit".to_string(),
        };
        let mut search = match self.paused.take() {
            Some(paused) => paused,
            None => Exhaustive::new(self.image, self.options).map_err(no_setup)?,
        };
        let ended = self.go_on(&mut search, &name, states, None);
        if ended.is_ok() && self.more_states_may_do() {
            self.paused = Some(search);
        } else if ended.is_err() {
            // The answer is known, or time is up: to free millions of states one by one takes seconds, and the process ends.
            std::mem::forget(search);
        }
        ended
    }

    /// A search of executions with few threads. What goes wrong with many mostly does with two or three, where it
    /// is sooner found and easier to follow. Where there are no more threads, it is the search of all executions.
    fn few_threads(&mut self) -> Result<(), End> {
        let mut search = Exhaustive::new(self.image, self.options).map_err(no_setup)?;
        let name = format!("explicit, up to {FEW_THREADS} threads and {FEW_STATES} states");
        self.go_on(&mut search, &name, Some(FEW_STATES), Some(FEW_THREADS))?;
        if self.more_states_may_do() {
            self.paused = Some(search);
        }
        Ok(())
    }

    /// Lets a search go on up to a number of states; ends the work if it decides.
    fn go_on(
        &mut self,
        search: &mut Exhaustive<'_>,
        name: &str,
        states: Option<u64>,
        threads: Option<u32>,
    ) -> Result<(), End> {
        let request = self.request;
        search.limit_threads(threads);
        let begin = self.begin(name);
        let (watch, lane) = (&mut *self.watch, self.lane.as_deref());
        let interrupt = lane.map_or(&*request.interrupt, Lane::over);
        let memory = request.machine.limits.memory;
        // The other worker needs some, too.
        let memory = if lane.is_some() { memory / 4 * 3 } else { memory };
        let mut known = None;
        let work = states.map(|states| QUICK_WORK * states.div_ceil(QUICK));
        let searched = search.go_on(Share { states, work, memory }, interrupt, &mut |progress| {
            if let Some(lane) = lane {
                lane.spend((progress.work - known.unwrap_or(progress.work)) / WORK);
                known = Some(progress.work);
            }
            watch(Event::Searching(name, progress));
        });
        let exploration = searched.exploration;
        let result = search_result(searched.violation.as_ref(), &exploration);
        let states = exploration.states;
        let (time, seen) = (begin.elapsed(), Some(states));
        self.end(PhaseRecord { name: name.to_string(), result, time, states: seen, order: None });
        if let Some(candidate) = searched.violation {
            return Err(self.judge(Finder::Exhaustive { states, threads }, candidate));
        }
        if exploration.is_complete() {
            let coverage = Coverage::of_exploration(self.program, request.machine.checks, &exploration);
            return Err(End::Answer(self.safe(coverage)));
        }
        let ended = exploration.cuts.iter().find(|cut| matches!(cut, Cut::Timeout | Cut::Interrupted));
        if let Some(cut) = ended {
            let limit = cut.to_string();
            self.search = Some(exploration);
            return Err(End::Stopped(Some(Reason::Stopped { limit, phase: name.to_string() })));
        }
        // All executions were seen: no engine can say more about what they run into.
        if exploration.cuts.is_empty() && exploration.depends_on_address.is_none() {
            return Err(End::Answer(Verdict::Unknown(reasons(&exploration))));
        }
        self.search = Some(exploration);
        Ok(())
    }

    /// Random runs; ends the work if one of them goes wrong.
    fn random(&mut self) -> Result<(), End> {
        let begin = self.begin(RANDOM_RUNS);
        let request = self.request;
        let found = explicit::random(self.image, request.machine, self.random_budget(), &request.interrupt)
            .map_err(no_setup)?;
        let result = found.as_ref().map_or("nothing found".to_string(), |found| found.check.to_string());
        self.note(RANDOM_RUNS, result, begin);
        if let Some(candidate) = found {
            return Err(self.judge(Finder::RandomRuns, candidate));
        }
        let over = Watch::new(&self.limits()).poll();
        over.map_or(Ok(()), |stop| {
            let (limit, phase) = (stop.to_string(), RANDOM_RUNS.to_string());
            Err(End::Stopped(Some(Reason::Stopped { limit, phase })))
        })
    }

    /// What random runs may use.
    fn random_budget(&self) -> RandomBudget {
        let many = self.search.as_ref().is_some_and(|search| search.threads > MANY_THREADS);
        RandomBudget { threads: many.then_some(FEW_THREADS), ..RANDOM }
    }

    /// The user's limits.
    fn limits(&self) -> Limits {
        Limits {
            conflicts: None,
            deadline: self.request.machine.limits.deadline,
            memory: Some(self.request.machine.limits.memory),
            interrupt: Some(match &self.lane {
                Some(lane) => {
                    let lane = Arc::clone(lane);
                    Interrupt::new(move |units| lane.spend(units))
                }
                None => Arc::clone(&self.request.interrupt).into(),
            }),
            meter: Some(Arc::clone(&self.request.meter)),
        }
    }

    /// How `order` is to search.
    fn settings(&self, bounds: &Bounds) -> order::Settings {
        let request = self.request;
        order::Settings {
            checks: request.machine.checks.without(livelock_alone()),
            bounds: bounds.clone(),
            encoding: request.encoding,
            solver: request.solver.clone(),
            limits: self.limits(),
            spurious_wakeups: request.spurious_wakeups,
            malloc_may_fail: request.malloc_may_fail,
            calls_may_fail: request.calls_may_fail,
            races_in_sections: request.machine.race_model == RaceModel::SvComp,
            race_on: request.machine.race_on,
            dump: request.dump.clone(),
        }
    }

    /// What `order` works on, and what the judge replays.
    fn input<'s>(&self, subject: &'s Subject<'s>) -> order::Input<'s> {
        order::Input { subject, judge: self.request.machine }
    }

    /// The program that `order` works on, and what is known of it.
    fn subject(&mut self) -> Subject<'a> {
        let begin = self.begin("analysis");
        let subject = Subject::new(self.program, self.request.machine.checks, self.request.random_is_real);
        self.note("analysis", "done".to_string(), begin);
        subject
    }

    /// Runs `order` up to a bound; ends the work at a violation or when time is up. Says whether larger bounds
    /// may help.
    fn go(&mut self, subject: &Subject<'a>, series: &mut Deepening, up_to: u32) -> Result<bool, End> {
        let deepened = series.go(&mut Order { session: self, subject }, up_to).map_err(failed)?;
        let further = matches!(deepened, Deepened::Further { .. });
        let mut stopped = None;
        self.order = match deepened {
            Deepened::Violation(candidate) => {
                let last = self.phases.last().and_then(|(_, record)| record.order.as_ref());
                let conflicts = last.map_or(0, |statistics| statistics.solver.conflicts);
                let finder = Finder::Order { bounds: series.bounds().clone(), conflicts };
                // Any race that the replay shows is one.
                return Err(self.judge(finder, Candidate { racy: None, ..*candidate }));
            }
            // `order` knows nothing of livelocks: it has proved the rest.
            Deepened::Proved if self.request.machine.checks.contains(Check::Livelock) => {
                Progress::Open(Vec::new())
            }
            Deepened::Proved => {
                let last = self.phases.last().and_then(|(_, record)| record.order.as_ref());
                let threads = last.map_or(1, |statistics| statistics.threads);
                let reached = last.and_then(|statistics| statistics.reached.as_deref());
                let checks = self.request.machine.checks;
                let notes = reached
                    .map_or_else(Vec::new, |reached| braid_verdict::notes(self.program, checks, reached));
                let method = Method::within_bound(order::NAME, series.bounds().unwind);
                Progress::Proved(Coverage { threads, method, notes })
            }
            Deepened::Open { open } | Deepened::Further { open } => Progress::Open(open),
            Deepened::Stopped { stop, phase, unwind, open } => {
                stopped = Some(stop);
                let mut left = vec![explain::of_stop(stop, phase, unwind)];
                left.extend(open);
                Progress::Open(left)
            }
        };
        if let Progress::Open(left) = &mut self.order
            && self.request.machine.checks.contains(Check::Livelock)
        {
            left.insert(0, Reason::Livelock);
        }
        match stopped {
            // Others may still decide.
            None | Some(Stop::GaveUp | Stop::Conflicts | Stop::TooLarge) => Ok(further),
            Some(Stop::Deadline | Stop::Memory | Stop::Interrupted) => Err(End::Stopped(None)),
        }
    }

    /// Replays what an engine believes to be a violation.
    fn judge(&self, finder: Finder, candidate: Candidate) -> End {
        let mut options = self.request.machine;
        // The search may have used up the time; a replay is short, and gets a little of its own.
        options.limits.deadline = options.limits.deadline.map(|deadline| deadline + others::FIRST_GRACE);
        let (check, place) = (candidate.check, candidate.place);
        let approximate = candidate.approximate.clone();
        match confirm_real(self.image, self.real, options, candidate) {
            Ok(counterexample) => End::Found(Box::new(First { counterexample, finder })),
            Err(Unconfirmed::Over { function, place }) => {
                End::Answer(Verdict::Unknown(vec![Reason::Over { function, place }]))
            }
            Err(error) => match (resource(&error), approximate) {
                (Some(limit), _) => {
                    let phase = format!("replay of a {check} violation");
                    End::Answer(Verdict::Unknown(vec![Reason::Stopped { limit, phase }]))
                }
                (None, Some(Approximate { what, place })) => {
                    End::Answer(Verdict::Unknown(vec![Reason::Unsupported { what, place }]))
                }
                (None, None) => {
                    End::Trouble(Trouble::Internal(self.contradiction(finder.name(), check, place, &error)))
                }
            },
        }
    }

    /// That the interpreter does not show what an engine claims.
    fn contradiction(&self, engine: &str, check: Check, place: Option<Loc>, error: &Unconfirmed) -> String {
        let at = place.map_or(String::new(), |loc| format!(" at {}", place_text(self.program, loc)));
        format!("{engine} finds a {check} violation{at}, but the interpreter: {error}")
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
        let moment = self.lane.as_ref().map_or(Moment::default(), |lane| lane.now());
        self.phases.push((moment, record));
    }
}

/// The `order` engine at work for a session.
struct Order<'s, 'a> {
    session: &'s mut Session<'a>,
    subject: &'s Subject<'a>,
}

impl Bounded for Order<'_, '_> {
    fn search(&mut self, bounds: &Bounds) -> Result<ask::Outcome, Failure> {
        let settings = self.session.settings(bounds);
        let name = format!("order, bound {}", bounds.unwind);
        let begin = self.session.begin(&name);
        let mut statistics = order::Statistics::default();
        let outcome = order::check(self.session.input(self.subject), &settings, &mut statistics);
        let result = match &outcome {
            Ok(ask::Outcome::Violation(candidate)) => candidate.check.to_string(),
            Ok(ask::Outcome::Clear { open }) if open.is_empty() => "clear".to_string(),
            Ok(ask::Outcome::Clear { open }) => format!("clear, with {} open", open.len()),
            Ok(ask::Outcome::Stopped { stop, .. }) => stop.to_string(),
            Err(failure) => failure.to_string(),
        };
        let (time, order) = (begin.elapsed(), Some(statistics));
        self.session.end(PhaseRecord { name, result, time, states: None, order });
        outcome
    }
}

/// How the exhaustive search is to search.
fn explore_options(request: &Request) -> ExploreOptions {
    ExploreOptions {
        machine: request.machine,
        rounds: request.rounds,
        context_bound: request.context_bound,
        malloc_may_fail: request.malloc_may_fail,
        calls_may_fail: request.calls_may_fail,
        spurious_wakeups: request.spurious_wakeups,
        collect: Collect::First,
        memory_in_use: Some(memory_in_use),
        ..ExploreOptions::default()
    }
}

/// The property that only the exhaustive search decides.
fn livelock_alone() -> CheckSet {
    CheckSet::from_iter([Check::Livelock])
}

/// The program cannot be set up to run.
fn no_setup(error: SetupError) -> End {
    End::Answer(Verdict::Unknown(vec![Reason::Setup(error)]))
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
        Unconfirmed::Setup(_) | Unconfirmed::Mismatch(_) | Unconfirmed::Over { .. } => None,
    }
}

#[cfg(test)]
mod tests;
