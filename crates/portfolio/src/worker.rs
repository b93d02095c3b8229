//! An engine at work, in a thread of its own.
//!
//! The thread has a large stack, because calls and loops of the program nest in unwinding, and keeps the search from stage
//! to stage: its states and terms cannot move to another thread. It takes [`Command`]s and sends what the watcher is to
//! know, and results, as [`Message`]s.

use crate::Request;
use crate::deepen::Deepening;
use crate::pace::{Lane, Moment};
use crate::plan::Entry;
use crate::record::{Event, PhaseRecord};
use braid_engines::engine::Count;
use braid_engines::{
    Allowance, Clear, Engine, Finding, Judge, Known, MOST_RACES, Search, Statistics, Task, Work, registry,
};
use braid_interp::Options;
use braid_ir::Program;
use braid_props::{Check, CheckSet};
use braid_solver::{Failure, Interrupt, Limits};
use braid_verdict::{Bounds, Counterexample, Reason};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};

/// Time beyond the time limit for the replay of the first violation and for those of the others. The command line says
/// `UNKNOWN` when a second is almost over.
const FIRST_GRACE: Duration = Duration::from_millis(600);
const GRACE: Duration = Duration::from_millis(400);

pub enum Command {
    /// Search as an entry of the plan says.
    Search(Job),
    /// Look for other violations than these.
    Others(Known),
}

pub struct Job {
    pub entry: Entry,
    /// The lane of an engine that works beside others.
    pub lane: Option<Arc<Lane>>,
    /// Properties that are proved already.
    pub proved: CheckSet,
}

pub enum Message {
    Begin(String),
    Searching(String, Vec<Count>),
    End(PhaseRecord),
    Found(Box<Found>),
    Others(Others),
    /// The worker has panicked.
    Gone,
}

impl Message {
    /// The news in it for the watcher.
    pub fn event(&self) -> Option<Event<'_>> {
        match self {
            Message::Begin(name) => Some(Event::Begin(name)),
            Message::Searching(name, counts) => Some(Event::Searching(name, counts)),
            Message::End(record) => Some(Event::End(record)),
            Message::Found(_) | Message::Others(_) | Message::Gone => None,
        }
    }
}

/// The result of a search.
pub struct Found {
    pub finding: Result<Finding, Failure>,
    /// It is an answer to all that was asked.
    pub answers: bool,
    /// It is an answer that counts: it came before those of the other lanes.
    pub wins: bool,
    /// Larger bounds than were tried may help.
    pub further: bool,
    /// When the search ended.
    pub at: Moment,
    pub phases: Vec<Timed>,
}

/// A phase with the moments of its begin and end.
pub struct Timed {
    pub begin: Moment,
    pub end: Moment,
    pub record: PhaseRecord,
}

/// Violations after the first.
#[derive(Default)]
pub struct Others {
    pub found: Vec<Counterexample>,
    pub more_races: bool,
    pub defect: Option<String>,
    pub phase: Option<PhaseRecord>,
}

/// The thread of an engine.
pub struct Worker<'a> {
    pub engine: &'static Engine,
    pub program: &'a Program,
    pub request: &'a Request,
    /// Its number, by which its messages are told apart.
    pub index: usize,
    pub sender: Sender<(usize, Message)>,
}

/// A worker that panics does not keep others waiting.
struct Leaving<'a>(&'a Worker<'a>);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.send(Message::Gone);
        }
    }
}

/// A worker that panics in a lane leaves it: an answer may be waiting for this worker.
struct LeavingLane<'a>(&'a Lane);

impl Drop for LeavingLane<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.leave(false);
        }
    }
}

impl Worker<'_> {
    fn send(&self, message: Message) {
        // The receiver outlives the workers.
        let _ = self.sender.send((self.index, message));
    }

    /// Does what it is told until nobody is left to tell it anything.
    pub fn run(&self, commands: &Receiver<Command>) {
        let _leaving = Leaving(self);
        let options =
            Options { question: self.request.question, limits: self.request.limits, ..Options::default() };
        let judge = Judge::new(self.program, options).expect("it was made before in another thread");
        let (question, setup) = (self.request.question, &self.request.setup);
        let task = Task { source: self.program, question, judge: &judge, setup };
        let mut started = Ok(None);
        let mut series: Option<Deepening> = None;
        for command in commands {
            if matches!(started, Ok(None)) {
                started = (self.engine.start)(task).map(Some);
            }
            let mut search = match &mut started {
                Ok(search) => Ok(search.as_deref_mut().expect("it was started")),
                Err(failure) => Err(failure.clone()),
            };
            match command {
                Command::Search(job) => {
                    let found = match &mut search {
                        Ok(search) => {
                            Attempts { worker: self, judge: &judge, job: &job }.go(*search, &mut series)
                        }
                        Err(failure) => failed(failure.clone(), job.lane.as_deref()),
                    };
                    self.send(Message::Found(Box::new(found)));
                }
                Command::Others(known) => {
                    let bounds =
                        series.as_ref().map_or_else(Bounds::default, |series| series.bounds().clone());
                    let others = match &mut search {
                        Ok(search) => self.others(*search, &judge, &bounds, known),
                        Err(_) => Others::default(),
                    };
                    self.send(Message::Others(others));
                }
            }
        }
        // The process ends soon, and to free millions of states one by one takes seconds.
        std::mem::forget(started);
    }

    fn limits(&self, lane: Option<&Arc<Lane>>) -> Limits {
        let request = self.request;
        Limits {
            conflicts: None,
            deadline: request.limits.deadline,
            memory: Some(request.limits.memory),
            interrupt: Some(match lane {
                Some(lane) => {
                    let lane = Arc::clone(lane);
                    Interrupt::new(move |units| lane.spend(units))
                }
                None => Arc::clone(&request.interrupt).into(),
            }),
            meter: Some(Arc::clone(&request.meter)),
        }
    }

    /// Looks for violations that are not known until there are none, or a limit is reached. The verdict is `UNSAFE` by
    /// now: a limit of the user's ends the list, and so does a defect of ours, which is told.
    fn others(&self, search: &mut dyn Search, judge: &Judge, bounds: &Bounds, mut known: Known) -> Others {
        let name = format!("others, {}", self.engine.label(bounds));
        self.send(Message::Begin(name.clone()));
        let begin = Instant::now();
        let allowance = Allowance {
            limits: self.limits(None),
            memory: self.request.limits.memory,
            over: &self.request.interrupt,
            grace: GRACE,
            proved: CheckSet::EMPTY,
        };
        let mut tell = |counts: &[Count]| self.send(Message::Searching(name.clone(), counts.to_vec()));
        let mut work = Work::new(judge, name.clone(), allowance, &mut tell);
        let mut others = Others::default();
        loop {
            let found = match search.next(&known, &mut work) {
                Ok(Finding::Violation(found)) => found,
                Ok(Finding::Clear(_) | Finding::Stopped { .. }) | Err(Failure::Stopped(_)) => break,
                Err(failure) => {
                    others.defect = Some(failure.to_string());
                    break;
                }
            };
            let (check, racy) = (found.report().check, found.report().racy_places());
            if known.has(check, racy) {
                break;
            }
            if racy.is_some() && known.races.len() == MOST_RACES {
                others.more_races = true;
                known.checks.insert(Check::DataRace);
                continue;
            }
            known.add(check, racy);
            others.found.push(*found);
        }
        self.request.meter.reset();
        let checks: CheckSet = others.found.iter().map(|found| found.report().check).collect();
        let result = if checks.is_empty() { "nothing found".to_string() } else { checks.list() };
        // The size of the formula is that of the search before.
        let brief = search.statistics().brief;
        let statistics = Statistics { brief, parts: work.parts().to_vec(), ..Statistics::default() };
        let record = PhaseRecord {
            engine: self.engine.name,
            bounds: bounds.clone(),
            takes: self.engine.bounds,
            name,
            result,
            ended: false,
            time: begin.elapsed(),
            statistics,
        };
        self.send(Message::End(record.clone()));
        others.phase = Some(record);
        others
    }
}

/// An engine that could not be started.
fn failed(failure: Failure, lane: Option<&Lane>) -> Found {
    let wins = lane.is_some_and(|lane| lane.leave(true));
    let at = lane.map_or(Moment::default(), Lane::now);
    Found { finding: Err(failure), answers: true, wins, further: false, at, phases: Vec::new() }
}

/// The attempts of one job.
struct Attempts<'a> {
    worker: &'a Worker<'a>,
    judge: &'a Judge<'a>,
    job: &'a Job,
}

impl Attempts<'_> {
    fn now(&self) -> Moment {
        self.job.lane.as_ref().map_or(Moment::default(), |lane| lane.now())
    }

    /// Searches within the bounds of the entry, or within growing ones that begin there.
    fn go(&self, search: &mut dyn Search, series: &mut Option<Deepening>) -> Found {
        let _leaving = self.job.lane.as_deref().map(LeavingLane);
        let entry = &self.job.entry;
        // A series goes on where the stage before left it.
        let series = match series.take().filter(|_| entry.deepens.is_some()) {
            Some(known) => series.insert(known),
            None => series.insert(Deepening::new(entry.first_bounds())),
        };
        let mut phases = Vec::new();
        let mut last: Vec<(CheckSet, Reason)> = Vec::new();
        let mut further = false;
        let finding = loop {
            let mut finding = self.attempt(search, series.bounds(), &mut phases);
            match &mut finding {
                Ok(Finding::Clear(clear)) if clear.open.is_empty() || clear.conclusive => break finding,
                Ok(Finding::Clear(clear)) => {
                    last.clone_from(&clear.open);
                    // A bound on loops that the user fixes does not grow, but the few threads to begin with do.
                    let raised = match (entry.deepens, entry.few_threads) {
                        (None, None) => false,
                        (loops, _) => {
                            series.advance(loops.is_some(), clear.open.iter().map(|(_, reason)| reason))
                        }
                    };
                    further = raised && entry.deepens.is_some_and(|up_to| series.bounds().unwind > up_to);
                    if !raised || further {
                        break finding;
                    }
                }
                Ok(Finding::Stopped { open, .. }) => {
                    open.append(&mut last);
                    break finding;
                }
                Ok(Finding::Violation(_)) | Err(_) => break finding,
            }
        };
        let finding = finding.map(|finding| self.with_undecided(finding));
        let answers = self.answers(&finding);
        let wins = self.job.lane.as_ref().is_some_and(|lane| lane.leave(answers));
        Found { finding, answers, wins, further, at: self.now(), phases }
    }

    /// Returns true if the result is an answer to all that is not proved yet.
    fn answers(&self, finding: &Result<Finding, Failure>) -> bool {
        let wanted = self.worker.request.question.checks.without(self.job.proved);
        match finding {
            Ok(Finding::Violation(_)) | Err(_) => true,
            Ok(Finding::Clear(clear)) => {
                clear.conclusive || (clear.coverage.is_some() && wanted.without(clear.proved).is_empty())
            }
            Ok(Finding::Stopped { .. }) => false,
        }
    }

    /// Adds the properties that the engine does not look for to what is open.
    fn with_undecided(&self, mut finding: Finding) -> Finding {
        let engine = self.worker.engine;
        let checks = self.worker.request.question.checks.without(self.job.proved);
        let checks = checks.without(engine.decided(checks));
        if let Some(check) = checks.iter().next() {
            let by = registry::deciding(check);
            let undecided = (checks, Reason::Undecided { checks, engine: engine.name, by });
            match &mut finding {
                Finding::Clear(Clear { open, .. }) | Finding::Stopped { open, .. } => {
                    open.insert(0, undecided);
                }
                Finding::Violation(_) => {}
            }
        }
        finding
    }

    fn attempt(
        &self,
        search: &mut dyn Search,
        bounds: &Bounds,
        phases: &mut Vec<Timed>,
    ) -> Result<Finding, Failure> {
        let Attempts { worker, judge, job } = *self;
        let (engine, request) = (worker.engine, worker.request);
        let name = engine.label(bounds);
        let begin = (self.now(), Instant::now());
        worker.send(Message::Begin(name.clone()));
        let memory = request.limits.memory;
        let lane = job.lane.as_ref();
        let allowance = Allowance {
            limits: worker.limits(lane),
            // The others need some, too.
            memory: if lane.is_some() { memory / 4 * 3 } else { memory },
            over: lane.map_or(&*request.interrupt, |lane| lane.over()),
            grace: FIRST_GRACE,
            proved: job.proved,
        };
        request.meter.reset();
        let mut tell = |counts: &[Count]| worker.send(Message::Searching(name.clone(), counts.to_vec()));
        let mut work = Work::new(judge, name.clone(), allowance, &mut tell);
        let finding = match search.attempt(bounds, &mut work) {
            Err(Failure::Stopped(stop)) => Ok(work.stopped(stop, "encoding")),
            other => other,
        };
        request.meter.reset();
        let ended = matches!(finding, Ok(Finding::Clear(_) | Finding::Violation(_)));
        let result = match &finding {
            Ok(finding) => finding.text(),
            Err(failure) => failure.to_string(),
        };
        let statistics = Statistics { parts: work.parts().to_vec(), ..search.statistics() };
        let (bounds, takes, time) = (bounds.clone(), engine.bounds, begin.1.elapsed());
        let record =
            PhaseRecord { engine: engine.name, bounds, takes, name, result, ended, time, statistics };
        worker.send(Message::End(record.clone()));
        phases.push(Timed { begin: begin.0, end: self.now(), record });
        finding
    }
}
