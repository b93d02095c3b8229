//! C text in, syntax tree out.
//!
//! [`preprocess`] runs the system preprocessor, [`lex`] makes tokens and records line markers,
//! [`parse`] builds the [`ast`], [`print`] writes a tree back as C. Knows nothing of types beyond
//! "this name is a typedef", and of no library function.

pub mod ast;
