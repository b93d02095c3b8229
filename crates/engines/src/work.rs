//! The means of a search: limits, time by parts, and the only way to the judge.
//!
//! A [`Candidate`] becomes a counterexample here and nowhere else, by a replay of the program before any pass
//! ([`braid_verdict::confirm`]). A candidate of an exact engine that does not replay is a defect of ours
//! ([`Work::convict`]); one of an approximation is not ([`Work::try_convict`]).

use crate::engine::{Clear, Finding};
use braid_interp::{Image, Machine, Options, Outcome, RunEnv, SetupError, place_text};
use braid_ir::{Program, Question};
use braid_models::RANDOM_IS_OPEN;
use braid_props::CheckSet;
use braid_solver::{Failure, Limits, Stop, Watch};
use braid_verdict::{Approximate, Candidate, Reason, Unconfirmed, confirm_real};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time for replays after Ctrl-C.
const SHORT: Duration = Duration::from_millis(500);

/// The program ready to run, for searches that run it and for replays. It belongs to one thread.
pub struct Judge<'a> {
    pub image: Image<'a>,
    /// The program with the library's own sequence of random numbers, if it has some and they are arbitrary in
    /// `image`.
    pub real: Option<Image<'a>>,
    pub options: Options,
}

impl<'a> Judge<'a> {
    pub fn new(program: &'a Program, options: Options) -> Result<Judge<'a>, SetupError> {
        let Question { checks, random_is_real, .. } = options.question;
        let mut image = Image::new(program, checks)?;
        let random = program.globals.iter().any(|global| global.name.as_str() == RANDOM_IS_OPEN);
        // Whether the program can be set up to run is known from here on.
        Machine::new(&image, options)?;
        let mut real = None;
        if random_is_real {
            image.set(RANDOM_IS_OPEN, 0);
        } else if random {
            let real = real.insert(Image::new(program, checks)?);
            real.set(RANDOM_IS_OPEN, 0);
        }
        Ok(Judge { image, real, options })
    }

    pub fn program(&self) -> &'a Program {
        self.image.program
    }

    /// The number of threads that a single run of so much work starts, the first included.
    pub fn threads_of_a_run(&self, work: u64) -> usize {
        let limits = braid_interp::Limits { work: Some(work), ..self.options.limits };
        let Ok(mut machine) = Machine::new(&self.image, Options { limits, ..self.options }) else { return 1 };
        let mut env = RunEnv::new(std::io::empty(), std::io::sink(), std::io::sink(), Some(0));
        machine.run(&mut env);
        machine.state.threads.len()
    }
}

/// A receiver of the progress of a search: counts with their units.
pub type Tell<'a> = &'a mut dyn FnMut(&[(&'static str, u64)]);

/// The image that replays a candidate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// Arbitrary random numbers, confirmed with the library's own where that matters.
    Arbitrary,
    /// The library's own random numbers.
    Real,
}

/// One call of a search.
pub struct Work<'w> {
    judge: &'w Judge<'w>,
    /// The search in a few words, for reasons.
    label: String,
    limits: Limits,
    /// Bytes that a search may use for itself, about.
    memory: u64,
    over: &'w AtomicBool,
    watch: Watch,
    /// Time that a replay may take beyond the time limit.
    grace: Duration,
    proved: CheckSet,
    parts: Vec<(&'static str, Duration)>,
    tell: Tell<'w>,
}

/// The limits of one call of a search.
pub struct Allowance<'w> {
    /// Time, memory and Ctrl-C; its interrupt counts units of work, too.
    pub limits: Limits,
    /// Bytes that a search may use for itself, about.
    pub memory: u64,
    /// Set when the work should end.
    pub over: &'w AtomicBool,
    /// Time that a replay may take beyond the time limit.
    pub grace: Duration,
    /// Properties that are proved already.
    pub proved: CheckSet,
}

impl<'w> Work<'w> {
    pub fn new(judge: &'w Judge<'w>, label: String, allowance: Allowance<'w>, tell: Tell<'w>) -> Work<'w> {
        let Allowance { limits, memory, over, grace, proved } = allowance;
        let watch = Watch::new(&limits);
        Work { judge, label, limits, memory, over, watch, grace, proved, parts: Vec::new(), tell }
    }

    /// Looks at all limits.
    pub fn poll(&self) -> Result<(), Stop> {
        self.watch.poll().map_or(Ok(()), Err)
    }

    /// Looks at all limits, and at the memory in any case. The limit that has been reached.
    pub fn poll_all(&self) -> Option<Stop> {
        self.watch.poll_all()
    }

    /// The user's limits, for a solver.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Bytes that a search may use for itself, about.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// Properties that are proved already: their violations need not be looked for.
    pub fn proved(&self) -> CheckSet {
        self.proved
    }

    /// Set when the work should end.
    pub fn over(&self) -> &'w AtomicBool {
        self.over
    }

    /// Tells how far the search is, and that so many units of work were done since.
    pub fn progress(&mut self, units: u64, counts: &[(&'static str, u64)]) {
        if let Some(interrupt) = &self.limits.interrupt {
            interrupt.spend(units);
        }
        (self.tell)(counts);
    }

    /// Does a part of the work and notes its time.
    pub fn part<T>(&mut self, name: &'static str, work: impl FnOnce(&mut Self) -> T) -> T {
        let begin = Instant::now();
        let result = work(self);
        self.add_part(name, begin.elapsed());
        result
    }

    /// Adds to the time of a part.
    pub fn add_part(&mut self, name: &'static str, time: Duration) {
        match self.parts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, total)) => *total += time,
            None => self.parts.push((name, time)),
        }
    }

    /// Time by parts, in the order of their beginning.
    pub fn parts(&self) -> &[(&'static str, Duration)] {
        &self.parts
    }

    /// A limit ended this part of the work.
    pub fn stopped(&self, by: Stop, during: &str) -> Finding {
        self.stopped_with(by, during, Vec::new())
    }

    /// A limit ended the work; `open` is known to stand in the way of a proof.
    pub fn stopped_with(&self, by: Stop, during: &str, open: Vec<(CheckSet, Reason)>) -> Finding {
        let phase = if during.is_empty() { self.label.clone() } else { format!("{}, {during}", self.label) };
        Finding::Stopped { by, reason: Reason::Stopped { limit: by.to_string(), phase }, open }
    }

    /// Replays what an exact engine believes to be a violation. If it is none, that is a defect of ours.
    pub fn convict(&mut self, candidate: Candidate) -> Result<Finding, Failure> {
        self.certain(candidate, Numbers::Arbitrary)
    }

    /// Replays an execution of [`Judge::real`] like [`Work::convict`].
    pub fn convict_real(&mut self, candidate: Candidate) -> Result<Finding, Failure> {
        self.certain(candidate, Numbers::Real)
    }

    /// Replays an execution that may be none of the program's. Returns nothing if it is not, or if the replay reaches a
    /// limit.
    pub fn try_convict(&mut self, candidate: Candidate) -> Option<Finding> {
        match self.replay(candidate, Numbers::Arbitrary).ok()? {
            Finding::Stopped { .. } => None,
            found @ (Finding::Violation(_) | Finding::Clear(_)) => Some(found),
        }
    }

    fn certain(&mut self, candidate: Candidate, numbers: Numbers) -> Result<Finding, Failure> {
        let (check, place) = (candidate.check, candidate.place);
        let approximate = candidate.approximate.clone();
        self.replay(candidate, numbers).or_else(|error| match approximate {
            Some(Approximate { what, place }) => Ok(self.open(Reason::Approximate { what, place }, false)),
            None => {
                let program = self.judge.program();
                let at = place.map_or(String::new(), |loc| format!(" at {}", place_text(program, loc)));
                Err(Failure::Internal(format!(
                    "{} finds a {check} violation{at}, but the interpreter: {error}",
                    self.label
                )))
            }
        })
    }

    /// The judgement, or how the replay differs from what was expected.
    fn replay(&mut self, candidate: Candidate, numbers: Numbers) -> Result<Finding, Unconfirmed> {
        let mut options = self.judge.options;
        // The search may have used up its time; a replay is short, and gets a little of its own.
        let late = options.limits.deadline.map(|deadline| deadline + self.grace);
        let interrupted = self.over.load(Ordering::Relaxed);
        options.limits.deadline = if interrupted { Some(Instant::now() + SHORT) } else { late };
        let check = candidate.check;
        let (image, real) = match (numbers, &self.judge.real) {
            (Numbers::Real, Some(real)) => (real, None),
            (Numbers::Real, None) => (&self.judge.image, None),
            (Numbers::Arbitrary, real) => (&self.judge.image, real.as_ref()),
        };
        match confirm_real(image, real, options, candidate) {
            Ok(found) => Ok(Finding::Violation(Box::new(found))),
            Err(Unconfirmed::Over { function, place }) => {
                Ok(self.open(Reason::Over { function, place }, true))
            }
            Err(error) => match resource(&error) {
                Some(limit) => {
                    let phase = format!("replay of a {check} violation");
                    let reason = Reason::Stopped { limit, phase };
                    Ok(Finding::Stopped { by: Stop::Deadline, reason, open: Vec::new() })
                }
                None => Err(error),
            },
        }
    }

    /// There is no violation to show, for a reason that concerns all properties.
    fn open(&self, reason: Reason, conclusive: bool) -> Finding {
        let open = vec![(self.judge.options.question.checks, reason)];
        let text = "clear, with 1 open".to_string();
        Finding::Clear(Clear { open, conclusive, text, ..Clear::nothing_found() })
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
