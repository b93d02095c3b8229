//! The engines, one module per technique. They do not import each other.
//!
//! * [`engine`]: what an engine is, what it is asked and what it answers; [`registry`] lists the engines.
//! * [`work`]: what a search may use, and the only way to the judge.
//! * [`ask`]: the questions that every formula engine asks about a bounded program.
//! * [`formula`]: what searches of formula engines have in common.
//! * [`explicit`], [`random`], [`lockset`], [`order`], [`seq`]: the engines.

pub mod ask;
pub mod engine;
pub mod explicit;
pub mod formula;
pub mod lockset;
pub mod order;
pub mod random;
pub mod registry;
pub mod seq;
pub mod work;

mod subject;

pub use braid_proof::Certificate;
pub use engine::{
    Chosen, Clear, Engine, Finding, Known, MOST_RACES, Search, Setup, SolverChoice, Statistics, Switch, Task,
};
pub use lockset::{Failed as NoInvariant, prove as find_invariants};
pub use registry::ENGINES;
pub use subject::Subject;
pub use work::{Allowance, Judge, Work};
