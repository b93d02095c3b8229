//! The judge: a candidate becomes a counterexample by being replayed, and in no other way.

use braid_interp::{
    Image, Machine, Mismatch, Options, Outcome, Report, Run, RunEnv, Schedule, SetupError, Trace,
};
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
    /// The trace was followed, but the violation is not there.
    NotReached {
        check: Check,
        outcome: Box<Outcome>,
    },
}

impl fmt::Display for Unconfirmed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unconfirmed::Setup(error) => write!(f, "the replay cannot start: {error}"),
            Unconfirmed::Mismatch(mismatch) => {
                write!(f, "the replay does not follow the schedule: {mismatch}")
            }
            Unconfirmed::NotReached { check, outcome } => {
                write!(f, "the replay does not show the {check} violation but ends with {outcome:?}")
            }
        }
    }
}

impl std::error::Error for Unconfirmed {}

/// Replays the candidate on the IR before any pass.
pub fn confirm(image: &Image, options: Options, candidate: Candidate) -> Result<Counterexample, Unconfirmed> {
    let mut env = RunEnv::new(std::io::empty(), std::io::sink(), std::io::sink(), None);
    let mut machine = Machine::new(image, options).map_err(Unconfirmed::Setup)?;
    let schedule = Schedule::Replay(candidate.trace.clone());
    let run = machine.run_scheduled(&mut env, &schedule, false).map_err(Unconfirmed::Mismatch)?;
    let fits = |report: &Report| {
        report.check == candidate.check && candidate.place.is_none_or(|place| place == report.place)
    };
    let Run { outcome, recorded, .. } = run;
    if let Some(report) = recorded.into_iter().find(fits) {
        return Ok(Counterexample { report, trace: candidate.trace });
    }
    match outcome {
        Outcome::Violation(report) if fits(&report) => {
            Ok(Counterexample { report: *report, trace: candidate.trace })
        }
        outcome => Err(Unconfirmed::NotReached { check: candidate.check, outcome: Box::new(outcome) }),
    }
}
