//! Solvers: one trait, and what stands behind it.
//!
//! * [`Embedded`], the default: terms are bit-blasted (`blast`, `arrays`, on `circuits` and `gates`)
//!   into CaDiCaL (`sat`), inside this process. Engines can get at literals, add clauses, and connect a
//!   theory ([`Propagator`]).
//! * [`Process`]: any solver that reads SMT-LIB 2, as a child process.
//! * [`dump`]: the assertions as a file, in SMT-LIB or DIMACS.
//!
//! Every model is evaluated on the original assertions and assumptions; a mismatch is an error, never
//! an answer. An answer under limits is `Unknown` with the limit that ended it.
//!
//! The only crate that knows CaDiCaL. Does not print, and knows nothing of programs.

mod adapter;
mod answer;
mod arrays;
mod blast;
mod child;
pub mod circuits;
pub mod divider;
pub mod dump;
mod embedded;
mod expand;
pub mod gates;
mod guard;
mod limits;
mod lit;
mod meter;
mod model;
mod process;

pub mod propagator;
mod sat;
#[cfg(test)]
mod testing;

pub use answer::{Answer, Failure, Statistics};
pub use blast::Blaster;
pub use embedded::{Clause, Embedded};
pub use limits::{Interrupt, Limits, Stop, Watch, memory_in_use, peak_memory};
pub use lit::{Clauses, Cnf, Lit, Var};
pub use meter::Meter;

pub use process::Process;
pub use propagator::{Propagator, Says};
pub use sat::Sat;

use braid_logic::{Assignment, Term, Terms, Value};

/// A solver for terms of one store.
pub trait Solver {
    /// Demands that a Boolean term hold from now on.
    fn assert(&mut self, terms: &Terms, term: Term) -> Result<(), Failure>;

    /// Searches for a model of the assertions in which the assumptions hold too.
    fn solve(&mut self, terms: &Terms, assumptions: &[Term], limits: &Limits) -> Result<Answer, Failure>;

    /// The value of any term in the model that the last `solve` found; an internal error without one.
    /// Symbols that did not matter are zero.
    fn value(&mut self, terms: &Terms, term: Term) -> Result<Value, Failure>;

    /// Assumptions of the last `solve` that cannot hold together with the assertions, in the order given; not
    /// necessarily a minimal set. Empty unless the answer was unsatisfiable.
    fn failed(&self) -> &[Term];

    fn statistics(&self) -> Statistics;
}

/// The value of a term in a model that should be there.
fn evaluate(terms: &Terms, term: Term, model: Option<&Assignment>) -> Result<Value, Failure> {
    let model = model.ok_or_else(|| Failure::Internal("a value was asked without a model".to_string()))?;
    braid_logic::evaluate(terms, term, model).map_err(|e| Failure::Unsupported(e.to_string()))
}
