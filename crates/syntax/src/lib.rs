//! C text in, syntax tree out.
//!
//! [`preprocess`] runs the system preprocessor (the only place that does input or output), `lex`
//! makes tokens and records line markers, `parse` builds the [`ast`], `print` writes a tree back as C.
//! Knows nothing of types beyond "this name is a typedef", and of no library function.

pub mod ast;
mod dialect;
mod lex;
mod literal;
mod parse;
pub mod preprocess;
mod print;
pub mod text;
mod token;

pub use dialect::Dialect;
pub use lex::OPENMP;
pub use parse::{CHAIN_LIMIT, NESTING_LIMIT, parse, parse_as};
pub use print::print;
