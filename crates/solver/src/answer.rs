//! What a solver may say.

use crate::limits::Stop;
use std::fmt;

/// The outcome of a call that worked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    Sat,
    Unsat,
    Unknown(Stop),
}

/// A call that did not work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// This solver cannot decide formulas with such a construct.
    Unsupported(String),
    /// The solver's program cannot be started.
    NotInstalled { command: String, reason: String },
    /// The solver's process died, closed its output, or answered what cannot be understood.
    Process { command: String, reason: String },
    /// A limit was reached while the formula was being built.
    Stopped(Stop),
    /// A bug of ours or of a theory.
    Internal(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Unsupported(what) => write!(f, "not supported by this solver: {what}"),
            Failure::NotInstalled { command, reason } => {
                write!(f, "cannot start the solver '{command}': {reason}; is it installed?")
            }
            Failure::Process { command, reason } => write!(f, "the solver '{command}' {reason}"),
            Failure::Stopped(stop) => write!(f, "{stop} while the formula was being built"),
            Failure::Internal(what) => write!(f, "internal error in the solver: {what}"),
        }
    }
}

impl std::error::Error for Failure {}

/// Counts since the solver was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    pub variables: u64,
    /// Clauses given to the SAT solver, or assertions given to another process.
    pub clauses: u64,
    pub conflicts: u64,
    pub decisions: u64,
    pub propagations: u64,
    /// Calls of `solve`.
    pub solves: u64,
}
