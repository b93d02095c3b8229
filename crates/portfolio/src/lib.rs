//! Chooses and combines engines, and deepens bounds: from a program and a request to a verdict.
//!
//! [`plan`] is the strategy, a table of stages; [`run`] goes through it. Each engine works in a thread of its own
//! ([`worker`]) and keeps there what it knows from stage to stage. Engines of one stage work side by side, and the
//! answer does not depend on the machine ([`pace`]). Where a violation is found, the engine that found it looks for the
//! others. What is proved is kept per property.
//!
//! Budgets count states, runs and conflicts; the user's limits (time, memory, Ctrl-C) are polled by the engines. Does
//! not print: a watcher is told what goes on.

mod deepen;
mod pace;
mod plan;
mod record;
mod run;
mod worker;

pub use braid_solver::{Meter, memory_in_use, peak_memory};
pub use record::{Event, PhaseRecord};

use braid_engines::{Certificate, Engine, Setup};
use braid_interp::{Limits, RoundOrder};
use braid_ir::{Program, Question};
use braid_props::{Check, CheckSet};
use braid_solver::Failure;
use braid_verdict::{LoopName, Verdict};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A question about a program, with limits, bounds and settings.
#[derive(Clone, Debug)]
pub struct Request {
    /// The engine that decides; without one, all of them as [`plan`] says.
    pub engine: Option<&'static Engine>,
    pub question: Question,
    /// The limits of the whole work.
    pub limits: Limits,
    pub bounds: Given,
    pub setup: Setup,
    /// One violation is enough; otherwise one of each property is looked for, and every racy pair of places.
    pub stop_at_first: bool,
    /// Set from outside to end the work.
    pub interrupt: Arc<AtomicBool>,
    /// Shows how far a solver is.
    pub meter: Arc<Meter>,
}

/// Bounds that the user gives.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Given {
    /// The one bound to try; otherwise bounds grow.
    pub unwind: Option<u32>,
    /// Bounds of single loops.
    pub unwindset: Vec<(LoopName, u32)>,
    pub rounds: Option<u32>,
    /// The order of the threads in a round, if it is given.
    pub round_order: Option<RoundOrder>,
    pub contexts: Option<u32>,
    pub runs: Option<u64>,
}

/// The answer, and what it took.
#[derive(Clone, Debug)]
pub struct Report {
    pub verdict: Verdict,
    /// Properties that no execution violates, with the engine that proved it, whatever the verdict on the whole is.
    pub proved: Vec<(CheckSet, &'static str)>,
    /// Invariants that show some of what is proved.
    pub certificates: Vec<Certificate>,
    /// In order.
    pub phases: Vec<PhaseRecord>,
    /// There are more racy pairs of places than are listed.
    pub more_races: bool,
    /// A defect of ours that showed after a violation was confirmed: some may be missing, but those listed hold.
    pub defect: Option<String>,
}

/// The verdict on one property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OfProperty {
    Violated,
    /// By this engine.
    Proved(&'static str),
    Unknown,
}

impl Report {
    /// The verdict on one of the properties that were asked for. A violation of another property ends executions, so
    /// where there is one, what is not proved is unknown.
    pub fn of_property(&self, check: Check) -> OfProperty {
        let violated = match &self.verdict {
            Verdict::Unsafe(found) => found.iter().any(|one| one.report().check == check),
            Verdict::Safe { .. } | Verdict::Unknown(_) => false,
        };
        let proof = self.proved.iter().find(|(checks, _)| checks.contains(check));
        match proof {
            _ if violated => OfProperty::Violated,
            Some((_, engine)) => OfProperty::Proved(engine),
            None => OfProperty::Unknown,
        }
    }

    /// A verdict with nothing to add. Each of its reasons is there once, whichever engines came across it.
    pub fn new(mut verdict: Verdict, phases: Vec<PhaseRecord>) -> Report {
        if let Verdict::Unknown(reasons) = &mut verdict {
            let mut seen: Vec<braid_verdict::Reason> = Vec::new();
            reasons.retain(|reason| {
                let new = !seen.contains(reason);
                seen.extend(new.then(|| reason.clone()));
                new
            });
        }
        Report {
            verdict,
            proved: Vec::new(),
            certificates: Vec::new(),
            phases,
            more_races: false,
            defect: None,
        }
    }
}

/// Why there is no answer at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// A defect of ours, and what showed it.
    Internal(String),
    /// The solver cannot be started.
    Solver(Failure),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Internal(what) => f.write_str(what),
            Trouble::Solver(failure) => failure.fmt(f),
        }
    }
}

impl std::error::Error for Trouble {}

/// Checks the program, telling `watch` what goes on.
pub fn check(
    program: &Program,
    request: &Request,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Report, Trouble> {
    run::run(program, request, watch)
}
