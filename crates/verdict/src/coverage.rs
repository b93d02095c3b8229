//! What a proof covers: how many threads, and by which method all executions were looked at.
//!
//! A proof never depends on a bound of the search: the exhaustive search has run every interleaving, or the `order`
//! engine has shown that no execution goes beyond the bound at which it encoded the program. The coverage says which.

use crate::{Note, notes};
use braid_interp::Exploration;
use braid_ir::Program;
use braid_props::CheckSet;

/// How all executions were covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Every interleaving was run, up to equivalence.
    Exhaustive,
    /// One formula for all executions, and a proof that none goes on beyond the bound.
    Order { bound: u32 },
}

impl Method {
    /// One word for programs: the engine that made the proof.
    pub fn engine(self) -> &'static str {
        match self {
            Method::Exhaustive => "explicit",
            Method::Order { .. } => "order",
        }
    }

    /// The bound at which no execution goes on, if the method needs one.
    pub fn bound(self) -> Option<u32> {
        match self {
            Method::Exhaustive => None,
            Method::Order { bound } => Some(bound),
        }
    }

    /// Why no bound is left open, in a few words.
    pub fn text(self) -> String {
        match self {
            Method::Exhaustive => "every interleaving was run".to_string(),
            Method::Order { bound } => format!("order: no execution goes beyond bound {bound}"),
        }
    }
}

/// What a `SAFE` covers besides the checked properties.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coverage {
    /// Threads of the largest execution, `main` included.
    pub threads: usize,
    pub method: Method,
    /// What the proof says little about.
    pub notes: Vec<Note>,
}

impl Coverage {
    /// The coverage of a complete exhaustive search.
    pub fn of_exploration(program: &Program, checks: CheckSet, exploration: &Exploration) -> Coverage {
        let mut notes = notes(program, checks, &exploration.reached);
        notes.extend(exploration.never_ends().then(|| Note::never_ends(program)));
        Coverage { threads: exploration.threads, method: Method::Exhaustive, notes }
    }
}
