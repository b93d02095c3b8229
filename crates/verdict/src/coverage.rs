//! What a proof covers: how many threads, and by which method all executions were looked at.
//!
//! A proof never depends on a bound of the search: an exhaustive search has run every interleaving, or an engine has
//! shown that no execution goes beyond the bound at which it encoded the program. The coverage says which.

use crate::{Note, notes};
use braid_interp::Exploration;
use braid_ir::Program;
use braid_props::CheckSet;

/// How all executions were covered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Method {
    /// The engine that made the proof.
    pub engine: &'static str,
    /// The bound at which no execution goes on, if the engine needs one.
    pub bound: Option<u32>,
    /// Why no bound is left open, in a few words.
    pub text: String,
}

impl Method {
    /// Every interleaving was run, up to equivalence.
    pub fn exhaustive(engine: &'static str) -> Method {
        Method { engine, bound: None, text: "every interleaving was run".to_string() }
    }

    /// An invariant that holds for any number of threads and steps.
    pub fn invariant(engine: &'static str) -> Method {
        Method { engine, bound: None, text: format!("{engine}: an invariant, checked") }
    }

    /// One formula for all executions, and a proof that none goes on beyond the bound.
    pub fn within_bound(engine: &'static str, bound: u32) -> Method {
        Method {
            engine,
            bound: Some(bound),
            text: format!("{engine}: no execution goes beyond bound {bound}"),
        }
    }
}

/// What a `SAFE` covers besides the checked properties.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coverage {
    /// Threads of the largest execution, `main` included, or an upper bound of their number; none if the proof is about any
    /// number of threads.
    pub threads: Option<usize>,
    /// True if some execution has so many threads.
    pub attained: bool,
    pub method: Method,
    /// What the proof says little about.
    pub notes: Vec<Note>,
}

impl Coverage {
    /// The coverage of a complete exhaustive search by an engine.
    pub fn of_exploration(
        engine: &'static str,
        program: &Program,
        checks: CheckSet,
        exploration: &Exploration,
    ) -> Coverage {
        let mut notes = notes(program, checks, &exploration.reached);
        notes.extend(exploration.never_ends().then(|| Note::never_ends(program)));
        let method = Method::exhaustive(engine);
        Coverage { threads: Some(exploration.threads), attained: true, method, notes }
    }
}
