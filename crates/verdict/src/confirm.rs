//! The judge: a candidate becomes a counterexample by being replayed, and in no other way.

use braid_interp::{Image, Machine, Mismatch, Options, Outcome, Report, Resource, RunEnv, SetupError, Trace};
use braid_ir::Loc;
use braid_props::Check;
use std::fmt;

/// What an engine believes to be an execution that violates a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub check: Check,
    /// Where the violation stands, if the engine knows.
    pub place: Option<Loc>,
    pub trace: Trace,
}

/// An execution that was replayed to its violation. Only [`confirm`] makes one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    report: Report,
    trace: Trace,
}

impl Counterexample {
    pub fn report(&self) -> &Report {
        &self.report
    }

    pub fn trace(&self) -> &Trace {
        &self.trace
    }
}

/// Why a candidate is none: the engine and the interpreter disagree, which is a defect of one of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unconfirmed {
    Setup(SetupError),
    /// The program cannot follow the trace.
    Mismatch(Box<Mismatch>),
    /// The trace was followed, but the violation is not there; with how the execution ended, if it did.
    NotReached {
        check: Check,
        outcome: Option<Box<Outcome>>,
    },
    /// The replay used up its time.
    Timeout,
}

impl fmt::Display for Unconfirmed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unconfirmed::Setup(error) => write!(f, "the replay cannot start: {error}"),
            Unconfirmed::Mismatch(mismatch) => {
                write!(f, "the replay does not follow the schedule: {mismatch}")
            }
            Unconfirmed::NotReached { check, outcome: Some(outcome) } => {
                write!(f, "the replay does not show the {check} violation but ends with {outcome:?}")
            }
            Unconfirmed::NotReached { check, outcome: None } => {
                write!(f, "the replay does not show the {check} violation: the program goes on")
            }
            Unconfirmed::Timeout => f.write_str("the replay reached the time limit"),
        }
    }
}

impl std::error::Error for Unconfirmed {}

/// Replays the candidate on the IR before any pass, within the limits of the options.
pub fn confirm(image: &Image, options: Options, candidate: Candidate) -> Result<Counterexample, Unconfirmed> {
    let mut env = RunEnv::new(std::io::empty(), std::io::sink(), std::io::sink(), None);
    let mut machine = Machine::new(image, options).map_err(Unconfirmed::Setup)?;
    let replayed = machine.replay_to_violation(&mut env, &candidate.trace);
    let (outcome, recorded) = replayed.map_err(Unconfirmed::Mismatch)?;
    let fits = |report: &Report| {
        report.check == candidate.check && candidate.place.is_none_or(|place| place == report.place)
    };
    if let Some(report) = recorded.into_iter().find(fits) {
        return Ok(Counterexample { report, trace: candidate.trace });
    }
    match outcome {
        Some(Outcome::Violation(report)) if fits(&report) => {
            Ok(Counterexample { report: *report, trace: candidate.trace })
        }
        Some(Outcome::ResourceLimit { resource: Resource::Timeout, .. }) => Err(Unconfirmed::Timeout),
        outcome => Err(Unconfirmed::NotReached { check: candidate.check, outcome: outcome.map(Box::new) }),
    }
}
