//! Choices of a sequential program, replayed: first in the sequential program, then in the program of threads.
//!
//! The sequential program runs in our interpreter with the choices and keeps a log ([`braid_translate::log`]); the steps that
//! it tells of are a candidate, which the judge confirms in the program of threads or not. A candidate rests on
//! another tool's word, so one that is not confirmed is no defect: there is no verdict then.

use crate::front::Loaded;
use braid_engines::Judge;
use braid_interp::{
    Choice, Environment, Image, Limits, Machine, Options, Outcome, Schedule, Trace, TraceEnd,
};
use braid_ir::{ChoiceKind, InstrId, Loc, Question};
use braid_props::{Check, CheckSet};
use braid_translate::log::{Execution, Table};
use braid_verdict::{Approximate, Candidate, Counterexample, confirm_real};
use std::time::Instant;

/// A sequential program that keeps a log, and the program of threads it was made from.
pub struct Replayer<'a> {
    pub threads: &'a Loaded,
    pub sequential: &'a Loaded,
    pub table: &'a Table,
    pub checks: CheckSet,
    pub deadline: Option<Instant>,
}

/// A run of the sequential program.
pub struct Followed {
    /// The choices it has made, with those that were not given.
    pub choices: Vec<u32>,
    /// Fewer choices were given than it made.
    pub more: bool,
    candidates: Vec<Candidate>,
}

impl Replayer<'_> {
    /// Runs the sequential program up to its violation; says why not otherwise.
    pub fn follow(&self, choices: &[u32]) -> Result<Followed, String> {
        let checks = sequential_checks(self.checks);
        let options = self.options(checks);
        let mut image = Image::new(&self.sequential.program, checks).map_err(|error| error.to_string())?;
        image.set(braid_models::OUTPUT_IS_READ, 1);
        let mut machine = Machine::new(&image, options).map_err(|error| error.to_string())?;
        let mut world = World { given: choices, taken: Vec::new(), log: Vec::new() };
        let run = machine
            .run_scheduled(&mut world, &Schedule::InOrder, false)
            .map_err(|mismatch| mismatch.to_string())?;
        let found = match run.outcome {
            Outcome::Violation(report) => report,
            Outcome::AssumeFailed { .. } => {
                return Err("an assumption does not hold with these choices".into());
            }
            Outcome::Exited { .. } => return Err("nothing is violated with these choices".into()),
            Outcome::InvalidUnchecked(report) => {
                return Err(format!("it makes an invalid access that is not checked ({})", report.message));
            }
            other => return Err(format!("the sequential program ends with {other:?}")),
        };
        let log = String::from_utf8_lossy(&world.log);
        let executions = self.table.executions(&log).map_err(|error| error.to_string())?;
        let candidates = executions.into_iter().map(|execution| candidate(execution, found.check)).collect();
        let more = world.taken.len() > choices.len();
        Ok(Followed { choices: world.taken, more, candidates })
    }

    /// Replays what was followed in the program of threads. The first candidate that is confirmed counts.
    pub fn confirm(&self, followed: Followed) -> Result<Counterexample, String> {
        let judge = Judge::new(&self.threads.program, self.options(self.checks))
            .map_err(|error| error.to_string())?;
        let mut problem = String::new();
        for candidate in followed.candidates {
            match confirm_real(&judge.image, judge.real.as_ref(), judge.options, candidate) {
                Ok(found) => return Ok(found),
                Err(error) => problem = error.to_string(),
            }
        }
        Err(problem)
    }

    fn options(&self, checks: CheckSet) -> Options {
        let limits = Limits { deadline: self.deadline, ..Limits::default() };
        Options { question: Question::about(checks), limits, ..Options::default() }
    }
}

/// An execution that should violate a property: the one that the text states, or that the interpreter has seen.
fn candidate(execution: Execution, seen: Check) -> Candidate {
    let check = execution.check.unwrap_or(seen);
    let end = TraceEnd { check, at: execution.at, from: None };
    let trace = Trace { violation: Some(end), ..execution.trace };
    let what = "an execution that a back end has found".to_string();
    let approximate = Some(Approximate { what, place: Loc::NONE });
    Candidate { check, place: None, racy: None, trace, approximate }
}

/// The checks of the sequential program: assertions stand for those that are about threads.
pub fn sequential_checks(checks: CheckSet) -> CheckSet {
    let stated = [Check::DataRace, Check::Deadlock, Check::LockMisuse, Check::ThreadMisuse];
    checks.without(CheckSet::from_iter(stated)).with(CheckSet::from_iter([Check::Assertion]))
}

/// Gives the choices to the sequential program and keeps its log.
struct World<'a> {
    given: &'a [u32],
    taken: Vec<u32>,
    log: Vec<u8>,
}

impl Environment for World<'_> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        if choice.kind != ChoiceKind::Value {
            return 0;
        }
        let value = self.given.get(self.taken.len()).copied().unwrap_or(0);
        self.taken.push(value);
        u128::from(value)
    }

    fn input(&mut self, _thread: u32, _instr: InstrId) -> Option<u8> {
        None
    }

    fn output(&mut self, stream: u8, bytes: &[u8]) -> std::io::Result<()> {
        if stream == 1 {
            self.log.extend_from_slice(bytes);
        }
        Ok(())
    }
}
