//! The program model: functions as control-flow graphs of small instructions over a memory of
//! objects.
//!
//! * [`program`]: programs, functions, blocks, objects, shapes.
//! * [`instr`]: instructions, pure expressions, terminators.
//! * [`print`] and [`parse`]: the text form, which reads back to the same program.
//! * [`verify`]: what every well-formed program satisfies; run after every pass.
//! * [`Question`]: the properties and assumptions that are asked about.
//! * `signals`: which variables signal handlers may write.
//! * [`fold`]: the values of expressions over constants.
//! * [`dot`]: control-flow graphs for Graphviz.
//!
//! One instruction is at most one visible step (`copy` and `fill`: one per leaf). Registers are
//! mutable and private to their frame; everything whose address can be known elsewhere is memory.

pub mod dot;
pub mod fold;
pub mod instr;
pub mod parse;
pub mod print;
pub mod program;
mod question;
mod signals;
pub mod verify;
mod words;

pub use instr::*;
pub use parse::{ParseError, parse};
pub use print::{PrintOptions, print, print_with};
pub use program::*;
pub use question::{Question, RaceModel};
pub use signals::HandlerWrites;
pub use verify::{VerifyError, verify};
