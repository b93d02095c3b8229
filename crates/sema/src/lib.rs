//! Syntax tree in, typed tree out: names, types, layout, conversions, constant evaluation.
//!
//! [`check`] walks one translation unit and yields [`hir::Unit`]; all units of a program share one
//! [`types::Types`]. Mistakes of the user become diagnostics; constructs that are left out become
//! `Unsupported` nodes, so that the rest of the program can still be used. Nothing here reads files,
//! and nothing here knows names of library functions (the `__builtin_` operators are the compiler's).

mod access;
mod assembly;
mod assign;
mod assignable;
mod atomics;
mod attrs;
mod builtins;
mod call;
mod check;
mod consteval;
mod convert;
mod decl;
mod declarator;
mod designator;
#[cfg(test)]
mod dump;
mod entity;
mod expr;
mod function;
pub mod hir;
mod init;
mod layout;
mod literal;
mod ops;
mod relate;
mod scope;
mod show;
mod spec;
mod static_init;
mod stmt;
#[cfg(test)]
mod testing;
pub mod types;

pub use check::{Library, check, check_with_library};
