//! Chooses and combines engines, and deepens bounds: from a program and a request to a verdict.
//!
//! The whole strategy is [`plan`]: a quick exhaustive search and some random runs, which decide small programs
//! and find shallow mistakes; then the `order` engine with bounds that grow ([`deepen`]), and beside it a larger
//! exhaustive search ([`pace`]). Where a violation is found, the others are looked for in the same way. What an engine claims to be a violation is replayed ([`braid_verdict::confirm`]); one
//! that does not replay is [`Trouble`], never a verdict. [`explain`] turns what was left open into reasons.
//!
//! Budgets count states and steps; the user's limits (time, memory, Ctrl-C) are polled by the engines. Does not
//! print: a watcher is told what goes on.

mod deepen;
mod explain;
mod pace;
mod plan;
mod record;

pub use braid_solver::{Meter, memory_in_use, peak_memory};
pub use record::{Event, PhaseRecord};

use braid_engines::order::{Encoding, SolverChoice};
use braid_interp::Options;
use braid_ir::Program;
use braid_solver::Failure;
use braid_verdict::{LoopName, Verdict};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Who decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// All of them, as [`plan`] says.
    #[default]
    Portfolio,
    Order,
    Explicit,
}

/// What is asked about a program.
#[derive(Clone, Debug)]
pub struct Request {
    pub engine: Engine,
    /// The properties, what counts as a race, and the limits of the whole work.
    pub machine: Options,
    /// The one bound to try; otherwise bounds grow.
    pub unwind: Option<u32>,
    /// Bounds of single loops.
    pub unwindset: Vec<(LoopName, u32)>,
    /// Only for the exhaustive search.
    pub rounds: Option<u32>,
    /// Only for the exhaustive search.
    pub context_bound: Option<u32>,
    pub spurious_wakeups: bool,
    pub malloc_may_fail: bool,
    /// Library calls that ask for resources may fail.
    pub calls_may_fail: bool,
    /// Random numbers are glibc's sequence; otherwise they are open.
    pub random_is_real: bool,
    /// What suits the solver, without.
    pub encoding: Option<Encoding>,
    pub solver: SolverChoice,
    /// Where the last formula goes.
    pub dump: Option<PathBuf>,
    /// One violation is enough; otherwise one of each property is looked for, and every racy pair of places.
    pub stop_at_first: bool,
    /// Set from outside to end the work.
    pub interrupt: Arc<AtomicBool>,
    /// Shows how far the `order` engine is.
    pub meter: Arc<Meter>,
}

/// The answer, and what it took.
#[derive(Clone, Debug)]
pub struct Report {
    pub verdict: Verdict,
    /// In order.
    pub phases: Vec<PhaseRecord>,
    /// There are more racy pairs of places than are listed.
    pub more_races: bool,
    /// A defect of ours that showed after a violation was confirmed: some may be missing, but those listed hold.
    pub defect: Option<String>,
}

impl Report {
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
        Report { verdict, phases, more_races: false, defect: None }
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
    plan::run(program, request, watch)
}
