//! Hash-consed terms over Booleans, bit-vectors, arrays and mathematical integers.
//!
//! [`Terms`] is the store; a [`Term`] is an index into it, and equal terms are equal indices. The only
//! way to make a term is a constructor of [`Terms`] (folder `build`), and every constructor simplifies:
//! constants fold, neutral elements vanish, and what has several spellings gets one. The work per
//! constructor is bounded, so building is linear in the number of constructor calls.
//!
//! Widths go up to 128 bits. Terms get deep: no traversal recurses on the Rust stack.
//!
//! * [`eval`]: the value of a term under an assignment.
//! * [`rewrite`]: substitution, free symbols, size.
//! * [`ranges`], [`narrow`]: what values terms can take, and arithmetic at the width they need.
//! * [`float`]: IEEE 754 arithmetic as bit-vector terms.
//! * [`text`]: terms as text for people.
//! * [`smtlib`]: terms as text for other solvers, and the values in their answers.
//!
//! Knows nothing of C, of solvers or of files.

pub mod bits;
mod build;
pub mod eval;
pub mod float;
pub mod narrow;
pub mod node;
pub mod ranges;
pub mod rewrite;
pub mod smtlib;
pub mod sort;
pub mod store;
pub mod text;
pub mod value;

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;

pub use eval::{Assignment, Evaluator, IntOverflow, evaluate};
pub use node::{BvOp, Node};
pub use sort::{Sort, Width};
pub use store::{SymbolId, Term, Terms};
pub use value::{ArrayValue, Value};
