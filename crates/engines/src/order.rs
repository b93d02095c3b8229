//! Reads-from choices and an order that makes them an execution.

use braid_analysis::Facts;
use braid_ir::{Loc, Program};
use braid_props::{Check, CheckSet};
use braid_solver::{Failure, Limits, Stop};
use braid_unwind::Bounds;
use braid_verdict::Candidate;
use std::path::PathBuf;
use std::time::Duration;

/// Which solver answers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum SolverChoice {
    #[default]
    Embedded,
    /// A solver in its own process, by its name (`z3`, `cvc5`, …) or a whole command.
    Process(String),
}

/// How the order of events is encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// A bit-vector time stamp for each event.
    #[default]
    Clocks,
}

#[derive(Clone, Debug)]
pub struct Settings {
    pub checks: CheckSet,
    pub bounds: Bounds,
    pub encoding: Encoding,
    pub solver: SolverChoice,
    pub limits: Limits,
    /// Waits for condition variables may end for no reason.
    pub spurious_wakeups: bool,
    pub malloc_may_fail: bool,
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
    /// An access that is invalid but not checked; nothing is known of what follows.
    Invalid {
        check: Check,
        place: Loc,
    },
    /// Control depends on where objects lie in memory.
    Addresses {
        place: Loc,
    },
}

impl Gap {
    /// Whether larger bounds may close it.
    pub fn is_bound(&self) -> bool {
        match self {
            Gap::Loop { .. } | Gap::Recursion { .. } | Gap::Threads { .. } => true,
            Gap::Unsupported { .. } | Gap::Invalid { .. } | Gap::Addresses { .. } => false,
        }
    }
}

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
    pub candidates: usize,
    pub solver: braid_solver::Statistics,
    /// Time per phase, in order.
    pub phases: Vec<(&'static str, Duration)>,
}

/// The properties this engine does not decide.
pub fn undecided(checks: CheckSet) -> CheckSet {
    checks
}

/// Looks for a violation of the properties within the bounds.
pub fn check(
    program: &Program,
    facts: &Facts,
    settings: &Settings,
    statistics: &mut Statistics,
) -> Result<Outcome, Failure> {
    let _ = (program, facts, settings, statistics);
    Ok(Outcome::Stopped { stop: Stop::GaveUp, phase: Phase::Unwind })
}
