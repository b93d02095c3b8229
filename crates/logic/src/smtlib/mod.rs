//! SMT-LIB 2 text: terms out, model values in.
//!
//! * [`mod@print`]: declarations, assertions and whole scripts; shared parts become definitions, so the text
//!   is linear in the size of the DAG.
//! * [`mod@read`]: the values that solvers print. Text from a solver is input: whatever it says, the answer
//!   is a value of the expected sort or an error.

pub mod print;
pub mod read;
#[cfg(test)]
mod tests;
pub(crate) mod token;

pub use print::{Naming, Printer, script, value_text};
pub use read::{ReadError, read_get_value, read_value};
