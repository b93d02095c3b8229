//! The story of a violation: everything that renderings of a counterexample show, as data.
//!
//! Made once, by [`crate::confirm`], from a watched replay. A [`Step`] is what one thread does on one source line
//! without interruption; its number is the same in every rendering. A step is *essential* if it has a part in the
//! violation (see `slice`): renderings for people leave the others out. Steps of library models belong to
//! the line that calls them. Texts are in the program's terms: variables, locks, blocks, threads.

mod actions;
mod build;
mod control;
mod names;
mod order;
mod ranges;
mod signs;
mod slice;
#[cfg(test)]
mod tests;
mod why;

use crate::schedule::ChoiceName;
use braid_base::Symbol;
use braid_ir::Loc;
use std::sync::Arc;

pub(crate) use build::{Material, build};

/// A thread of the execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoryThread {
    /// Its spawn path.
    pub path: String,
    /// The function it runs, if it ran at all.
    pub function: Option<Symbol>,
}

/// A function on a call stack, innermost first, with the place it is at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    pub function: Symbol,
    pub place: Loc,
}

/// What a step does that somebody may want to know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A variable changes. `old` is `None` if it had no value; `new` if it is too long to show.
    Assign {
        variable: String,
        old: Option<String>,
        new: Option<String>,
        shared: bool,
    },
    /// A variable that other threads can reach is read.
    Read {
        variable: String,
        value: Option<String>,
    },
    Lock {
        mutex: String,
    },
    /// An attempt to lock, and whether it was successful.
    TryLock {
        mutex: String,
        taken: bool,
    },
    Unlock {
        mutex: String,
    },
    /// A library function refuses what it is given, or goes on with what it must not be given; and the error it gives.
    Refuse {
        text: String,
        error: Option<String>,
    },
    /// The thread starts another.
    Start {
        thread: usize,
        function: Symbol,
        /// Where the call stands; the step begins where its leftmost part does.
        place: Loc,
    },
    /// The thread has waited for the end of another.
    Join {
        thread: usize,
    },
    /// The thread ends.
    End,
    Allocate {
        block: String,
        bytes: u64,
    },
    Free {
        block: String,
    },
    /// A function of the program is called; parameters and their values.
    Call {
        function: Symbol,
        arguments: Vec<(String, String)>,
    },
    Return {
        value: Option<String>,
    },
    /// A value that the program leaves open.
    Choose {
        choice: ChoiceName,
        value: String,
        /// Where the call stands.
        place: Loc,
    },
    /// This is where the property is violated, in words.
    Violate {
        text: String,
    },
}

/// What one thread does on one source line without interruption.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// From 1.
    pub number: usize,
    /// Index into the story's threads.
    pub thread: usize,
    pub place: Loc,
    /// Innermost first; the first entry is at `place`.
    pub stack: Arc<[Call]>,
    pub actions: Vec<Action>,
    /// It has a part in the violation.
    pub essential: bool,
    /// Another thread ran before it.
    pub switch: bool,
}

/// Everything about one violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Story {
    pub threads: Vec<StoryThread>,
    pub steps: Vec<Step>,
    /// Sentences that explain the violation beyond its message.
    pub why: Vec<String>,
    /// The execution was too long to keep all of it: its beginning is left out, or steps are only places.
    pub abridged: bool,
}

impl Story {
    /// How often another thread gets to run.
    pub fn switches(&self) -> usize {
        self.steps.iter().filter(|step| step.switch).count()
    }

    /// The step or steps at which the property is violated.
    pub fn violating(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|step| step.violates())
    }
}

impl Step {
    pub fn violates(&self) -> bool {
        self.actions.iter().any(|action| matches!(action, Action::Violate { .. }))
    }

    /// The function it is in.
    pub fn function(&self) -> Option<Symbol> {
        self.stack.first().map(|call| call.function)
    }
}
