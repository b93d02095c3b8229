//! The meaning of IR instructions and expressions, and of what one object holds, as terms: written once, for all
//! engines.
//!
//! * [`layout`]: pointers as bit-vectors; which object a term can point into.
//! * [`value`]: a term and what it owes to addresses.
//! * [`eval`]: pure expressions, read-modify-write operations, constants.
//! * [`contents`]: the bytes of one object in one state, at known and unknown places.
//!
//! * [`object`]: the objects that exist, by number.
//! * [`memory`]: the contents of objects along one path of one thread; [`state`]: the path.
//! * [`mod@step`]: one instruction. An engine puts its own memory behind the trait [`step::World`].
//!
//! The interpreter is the judge of all this and shares no code with it; tests hold one against the
//! other. Nothing here knows of control flow, of nodes and events, or of the order of threads: that is the caller's.

pub mod contents;
pub mod eval;
pub mod layout;
pub mod memory;
pub mod object;
pub mod state;
pub mod step;
pub mod value;

mod float;
mod integer;
mod taint;

#[cfg(test)]
mod testing;

pub use contents::{Contents, Initial, Place, Stored, TooLarge};
pub use eval::{Evaluated, Question, Unevaluated, coerce, constant, expr, rmw};
pub use layout::Layout;
pub use memory::Memory;
pub use object::{LogRef, Object, ObjectNo, Objects, ThreadIx};
pub use state::State;
pub use step::step;
pub use value::{Taint, Value, bit, truth};
