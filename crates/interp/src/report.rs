//! How a run ends: outcomes, and the report of a violation.

use crate::object::place_text;
use braid_base::Symbol;
use braid_ir::{Loc, Program};
use braid_props::Check;
use std::fmt::Write as _;

/// One function on a call stack, innermost first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StackEntry {
    pub function: Symbol,
    /// The instruction being executed, or the call being waited for.
    pub loc: Loc,
    /// Part of a library model.
    pub internal: bool,
}

/// A place from which on the program stands for only part of the behaviour of the C program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Partial {
    pub what: Symbol,
    /// Because of a bound that the user can raise.
    pub bound: bool,
    pub place: Loc,
}

/// A place that explains a violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Related {
    /// Such as "allocated here".
    pub text: String,
    pub function: Option<Symbol>,
    pub loc: Loc,
}

/// What a thread has to do with a violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadView {
    pub number: u32,
    /// Its spawn path.
    pub path: String,
    /// What it is about to do or waits for: "writes 'x'".
    pub text: String,
    /// The innermost place outside of library models.
    pub place: Loc,
    pub stack: Vec<StackEntry>,
    /// The mutexes it holds, in words.
    pub holds: Vec<String>,
    /// Address of the mutex it waits for.
    pub lock: Option<u64>,
}

/// A violated property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    pub check: Check,
    /// What happened, in plain words.
    pub message: String,
    /// The innermost place outside of library models.
    pub place: Loc,
    /// Number of the thread; main is 0.
    pub thread: u32,
    /// Its spawn path.
    pub path: String,
    pub stack: Vec<StackEntry>,
    pub related: Vec<Related>,
    /// For a race both accesses, first the one at `place`; for a deadlock the threads of the cycle,
    /// or all that wait.
    pub threads: Vec<ThreadView>,
}

impl Report {
    /// Of a data race: the places of the two accesses, ascending. They tell it from others.
    pub fn racy_places(&self) -> Option<[Loc; 2]> {
        let [one, other] = self.threads.as_slice() else { return None };
        let places = [one.place.min(other.place), one.place.max(other.place)];
        (self.check == Check::DataRace).then_some(places)
    }
}

/// A resource the run used up.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Resource {
    Timeout,
    /// The steps a run was given.
    Steps {
        limit: u64,
    },
    OutOfMemory {
        limit: u64,
    },
    StackOverflow {
        function: Symbol,
        depth: usize,
    },
    /// There is no room for another thread.
    Threads {
        count: u32,
    },
    /// An atomic section that does not come to its end.
    Endless {
        steps: u32,
    },
    /// The address space of the data model has no room for the object.
    Addresses {
        size: u64,
    },
    /// Padding is read that a copy took along before it had a value; only a single run knows it then.
    CopiedPadding,
    /// The output could not be written.
    Output {
        error: String,
    },
}

impl std::fmt::Display for Resource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Resource::Timeout => f.write_str("time limit reached"),
            Resource::Steps { limit } => write!(f, "limit of {limit} steps reached"),
            Resource::OutOfMemory { limit } => {
                write!(f, "memory limit of {} MiB reached", limit / (1 << 20))
            }
            Resource::StackOverflow { function, depth } => {
                write!(f, "stack overflow: {depth} nested calls, the innermost of '{function}'")
            }
            Resource::Threads { count } => write!(f, "no room for more than {count} threads"),
            Resource::Endless { steps } => {
                write!(f, "an atomic section did not end within {steps} steps")
            }
            Resource::Addresses { size } => {
                write!(f, "no room in the address space for an object of {size} bytes")
            }
            Resource::CopiedPadding => f.write_str("padding is read that was copied before it had a value"),
            Resource::Output { error } => write!(f, "cannot write output: {error}"),
        }
    }
}

/// Why the run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The program ended by itself.
    Exited {
        code: i32,
    },
    /// The program called `abort` or the like.
    Aborted {
        place: Loc,
        stack: Vec<StackEntry>,
    },
    /// A property that is checked was violated.
    Violation(Box<Report>),
    /// An access or a division was invalid, but that property is not checked: nothing can be said
    /// about the program beyond this point.
    InvalidUnchecked(Box<Report>),
    /// A construct or function that is not supported was reached.
    Unsupported {
        what: String,
        place: Loc,
        stack: Vec<StackEntry>,
    },
    /// Every unfinished thread waits, but deadlocks are not checked.
    Blocked {
        threads: Vec<ThreadView>,
    },
    /// No thread can go on, and one stopped at an `assume` that does not hold.
    AssumeFailed {
        place: Loc,
    },
    ResourceLimit {
        resource: Resource,
        place: Loc,
        stack: Vec<StackEntry>,
    },
}

impl Report {
    /// The report as text: message, place, call stack, related places.
    pub fn render(&self, program: &Program) -> String {
        let mut out = format!("{}: {}: {}\n", place_text(program, self.place), self.check, self.message);
        if self.threads.is_empty() {
            out.push_str(&render_stack(program, &self.stack));
        }
        for view in &self.threads {
            let _ = writeln!(out, "  {} {}", view.path, view.text);
            for line in render_stack(program, &view.stack).lines() {
                let _ = writeln!(out, "  {line}");
            }
            if !view.holds.is_empty() {
                let _ = writeln!(out, "    holding {}", view.holds.join(", "));
            }
        }
        for related in &self.related {
            let place = place_text(program, related.loc);
            let _ = match related.function {
                Some(function) => writeln!(out, "  {} in '{function}' at {place}", related.text),
                None => writeln!(out, "  {} at {place}", related.text),
            };
        }
        out
    }
}

/// A call stack, one line per function outside of library models.
pub fn render_stack(program: &Program, stack: &[StackEntry]) -> String {
    let mut out = String::new();
    for entry in stack.iter().filter(|entry| !entry.internal) {
        let _ = writeln!(out, "  in '{}' at {}", entry.function, place_text(program, entry.loc));
    }
    out
}
