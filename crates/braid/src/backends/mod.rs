//! Back ends of `braid seq --run`: other verifiers, started on the sequential program.
//!
//! A back end gives an [`Answer`]: the values of `nondet()` in an execution that violates an assertion, or that it has found
//! none. Neither is a verdict. The values are replayed ([`replay`]): the sequential program runs in our interpreter
//! with them and says which steps of which threads it executes, and the judge follows these steps in the program of
//! threads. "Nothing found" is about the rounds and loops of the translation alone.
//!
//! One file per back end: its command line and how its answer is read. [`tool`] runs programs within the time limit.

pub mod cbmc;
pub mod esbmc;
pub mod klee;
pub mod native;
pub mod replay;
pub mod search;
pub mod tool;

use braid_props::CheckSet;
use braid_translate::Backend;
use std::fmt;
use std::path::Path;
use tool::Limit;

/// The sequential program, and what is asked about it.
pub struct Job<'a> {
    /// The directory of the text and of everything that the back end writes.
    pub directory: &'a Path,
    /// The text.
    pub path: &'a Path,
    pub checks: CheckSet,
    /// The largest number of iterations of the loops that the text has.
    pub iterations: u32,
    pub limit: Limit,
}

/// The answer of a back end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The values of `nondet()`, in order, with which an assertion is violated.
    Violated(Vec<u32>),
    /// Nothing is violated within the bounds of the text.
    Nothing,
}

/// The reason why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The program cannot be started.
    Missing(String),
    TimeLimit,
    /// The program ended or answered in a way that means nothing.
    NoAnswer(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Missing(what) | Failure::NoAnswer(what) => f.write_str(what),
            Failure::TimeLimit => f.write_str("time limit reached"),
        }
    }
}

impl std::error::Error for Failure {}

/// Asks a back end.
pub fn ask(backend: Backend, job: &Job<'_>) -> Result<Answer, Failure> {
    match backend {
        Backend::Cbmc => cbmc::ask(job),
        Backend::Esbmc => esbmc::ask(job),
        Backend::Klee => klee::ask(job),
        Backend::Native | Backend::Generic | Backend::Logged => {
            unreachable!("not a verifier that can be started")
        }
    }
}
