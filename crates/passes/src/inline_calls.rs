//! A program in which calls are replaced by the bodies of the callees; loops stay.
//!
//! The functions in which threads begin (the program's entry among them) keep their ids and get new bodies; every copied
//! instruction has a new id ([`Expanded::origins`]). Other functions lose their bodies unless a call of them is kept.
//! Recursion is followed up to a bound, what goes deeper is cut. How: [`crate::expand`].
//!
//! Where a loop is kept, branches out of it stay although their conditions are known, and so do loads in it of variables
//! that nobody writes: whether a thread spins depends on them. A thread that calls a wait which ends when time has passed
//! does not spin, and nor does one whose library function ends it when it is cancelled; the interpreter tells both by the
//! library function. So if deadlocks by spinning matter, calls of library functions are kept.

use crate::expand::{Expanded, Plan, Refused, expand};
use braid_analysis::Facts;
use braid_ir::{FuncId, Program};
use braid_props::CheckSet;

/// What [`inline_calls`] does.
#[derive(Clone, Copy)]
pub struct Inline<'a> {
    /// Returns true for functions whose calls stay calls.
    pub keep: &'a dyn Fn(FuncId) -> bool,
    /// Calls of a function from within itself, if their number is not known beforehand.
    pub recursion: u32,
    /// Checks whose violation ends an execution: nothing is copied behind one that certainly fails.
    pub checks: CheckSet,
    /// Instructions made at most.
    pub most: usize,
}

/// Copies the bodies of callees into the functions in which threads begin. The facts are those of the program, without
/// guesses.
pub fn inline_calls(program: &Program, facts: &Facts, options: &Inline) -> Result<Expanded, Refused> {
    let Inline { keep, recursion, checks, most } = *options;
    let expanded = expand(program, facts, &Plan { keep, unroll: None, recursion, checks, most })?;
    crate::pipeline::verify(&expanded.program, "inline_calls");
    Ok(expanded)
}
