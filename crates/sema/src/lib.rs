//! Syntax tree in, typed tree out: names, types, layout, conversions, constant evaluation.

pub mod hir;
pub mod types;
