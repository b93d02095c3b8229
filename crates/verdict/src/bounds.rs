//! Bounds of a search. Each engine takes some of them; the rest means nothing to it.

use braid_interp::RoundOrder;
use braid_ir::{Loc, Program};

/// A kind of bound: what an engine may be asked to look at more of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Iterations of loops, and nested calls.
    Unwind,
    /// Threads of an execution.
    Threads,
    /// Rounds in which every thread runs once.
    Rounds,
    /// Changes of the running thread.
    Contexts,
    /// States of an exhaustive search.
    States,
    /// Executions that are run.
    Runs,
}

/// How a user names a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoopName {
    /// Source line, in any file or in the one whose name ends so.
    Line { file: Option<String>, line: u32 },
    /// The n-th loop (from 0) of a function, in the order of their heads in the IR.
    Nth { function: String, index: u32 },
}

/// Bounds within which an engine looks for violations. Where one is absent, the engine has no bound of that kind, or
/// one of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Iterations of each loop whose number is not known beforehand, nested activations of each recursive
    /// function, at least 1.
    pub unwind: u32,
    /// Bounds of single loops, which win over `unwind`.
    pub set: Vec<(LoopName, u32)>,
    /// Threads in all, the first included.
    pub threads: Option<u32>,
    /// Rounds, in each of which every thread runs once.
    pub rounds: Option<u32>,
    /// The order of the threads in a round; otherwise the order of creation, and where rounds run out the engine may
    /// try another.
    pub round_order: Option<RoundOrder>,
    /// Changes of the running thread.
    pub contexts: Option<u32>,
    /// States of an exhaustive search, since its beginning.
    pub states: Option<u64>,
    /// Executions that are run.
    pub runs: Option<u64>,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds::new(1)
    }
}

impl Bounds {
    pub fn new(unwind: u32) -> Bounds {
        Bounds {
            unwind,
            set: Vec::new(),
            threads: None,
            rounds: None,
            round_order: None,
            contexts: None,
            states: None,
            runs: None,
        }
    }

    /// Returns true if the turn of a thread may come before that of the thread that starts it, in an order that was asked for.
    pub fn may_start_late(&self) -> bool {
        self.round_order.as_ref().is_some_and(|order| *order != RoundOrder::Created)
    }

    /// The bound of the loop at a place, the `index`-th of the function.
    pub fn of_loop(&self, program: &Program, function: &str, index: u32, loc: Loc) -> u32 {
        let names = |name: &LoopName| match name {
            LoopName::Line { file, line } => {
                let fits =
                    file.as_ref().is_none_or(|file| program.file_name(loc.file).ends_with(file.as_str()));
                loc.line == *line && fits
            }
            LoopName::Nth { function: wanted, index: n } => wanted == function && *n == index,
        };
        self.set.iter().rev().find(|(name, _)| names(name)).map_or(self.unwind, |(_, bound)| *bound)
    }
}
