//! A program without calls and without loops, in which every thread has a function of its own.
//!
//! Calls are replaced by the bodies of the callees and loops by copies of their iterations, as far as bounds allow; what
//! goes beyond is cut. Each `spawn` of the result starts a function that no other one starts, named after the function of
//! the source and a number; its argument is known in it if it is a constant. How: [`crate::expand`].

use crate::expand::{Expanded, LoopBound, Plan, Refused, expand};
use braid_analysis::Facts;
use braid_ir::{FuncId, Loc, Program};
use braid_props::CheckSet;

/// Library models loop over the bits of a word.
const INTERNAL: u32 = 34;

/// What [`unroll_loops`] does.
#[derive(Clone, Copy)]
pub struct Unroll<'a> {
    /// Iterations of a loop of a library model, at least 34, and calls of a function from within itself, if their number
    /// is not known beforehand.
    pub unwind: u32,
    /// Iterations of a loop of the user's, if their number is not known beforehand.
    pub bound: LoopBound<'a>,
    /// Checks whose violation ends an execution: nothing is copied behind one that certainly fails.
    pub checks: CheckSet,
    /// Instructions made at most.
    pub most: usize,
}

/// Copies the bodies of callees and the iterations of loops. The facts are those of the program, without guesses.
pub fn unroll_loops(program: &Program, facts: &Facts, options: &Unroll) -> Result<Expanded, Refused> {
    let Unroll { unwind, bound, checks, most } = *options;
    let bound = |func: FuncId, index: u32, place: Loc| match program.functions[func].internal {
        true => unwind.max(INTERNAL),
        false => bound(func, index, place),
    };
    let plan = Plan { keep: &|_| false, unroll: Some(&bound), recursion: unwind, checks, most };
    let expanded = expand(program, facts, &plan)?;
    crate::pipeline::verify(&expanded.program, "unroll_loops");
    Ok(expanded)
}
