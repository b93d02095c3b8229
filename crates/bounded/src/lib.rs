//! The *bounded program*: for each thread a loop-free list of guarded accesses over terms, with the analyses and the
//! rewritings that every formula engine shares.
//!
//! The literature calls such a program a symbolic event structure (Alglave, Kroening, Tautschnig, CAV 2013, section
//! 3): events of a thread are in program order and carry the condition under which they are executed, and the order
//! of events of different threads is left to an encoding.
//!
//! [`program`] is the data, [`mod@print`] its text form, [`mod@verify`] the rules of a well-formed program, and
//! [`prune`] the pipeline of rewritings. The analyses hold for every order of the nodes:
//!
//! * [`guards`]: implications between conditions; [`before`]: must-happen-before;
//! * [`cells`]: shared memory, partitioned so that each access covers whole cells; [`initial`]: the initial write,
//!   which is the contents of memory when the first thread is started;
//! * [`locks`]: critical sections; [`symmetry`]: symmetry reduction for interchangeable threads;
//! * [`values`]: value ranges of reads by interference analysis, with [`publication`]: heap blocks that are
//!   initialised before publication; [`grid`]: intervals of cells over the progress graph of the threads;
//! * [`locations`]: the size of the formula by location, for statistics.
//!
//! No file of this crate knows the formula of an engine, or how it encodes the order; the SAT solver of [`guards`] has
//! a small formula of its own. `docs/glossary.md` explains the words, `docs/order.md` the use that the default engine
//! makes of the analyses.

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
pub use braid_symex::{LogRef, Memory, Object, ObjectNo, Objects, ThreadIx};
pub use program::*;

/// The caller has interrupted the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted;
