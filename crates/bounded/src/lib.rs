//! The *bounded program*: for each thread a loop-free list of guarded accesses over terms, and the analyses and
//! rewritings that every formula engine shares.
//!
//! [`program`] is the data, [`mod@print`] its text form, [`mod@verify`] the rules it keeps, and [`prune`] the pipeline of
//! rewritings. What is known of it whatever the order of its nodes:
//!
//! * [`guards`]: implications between conditions; [`before`]: nodes that certainly come before others;
//! * [`cells`]: shared memory, divided so that each access covers whole cells; [`initial`]: what they held when the first
//!   thread was started;
//! * [`locks`]: sections of locks; [`symmetry`]: threads that are interchangeable;
//! * [`values`]: what each read can give, with [`publication`]: heap blocks that are initialised before others know
//!   them; [`grid`]: intervals of cells by how far each thread has come;
//! * [`locations`]: what each location costs, for statistics.
//!
//! Nothing here knows of an encoding of the order, or of a solver's formula.

pub mod before;
pub mod cells;
pub mod grid;
pub mod guards;
pub mod initial;
pub mod locations;
pub mod locks;
pub mod print;
pub mod program;
pub mod prune;
pub mod publication;
mod rewrite;
pub mod symmetry;
pub mod values;
pub mod verify;

pub use braid_symex::object;
pub use braid_symex::{LogRef, Memory, Object, Objects, ThreadIx};
pub use program::*;

/// Work was ended from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted;
