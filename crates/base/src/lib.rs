//! What every other crate stands on: source text and spans, interned names, typed indices and
//! diagnostics.
//!
//! Knows nothing of C but what its preprocessor makes of a line. Does no input or output: text comes in, strings go out.

mod columns;
pub mod diag;
pub mod faults;
pub mod index;
pub mod rng;
pub mod source;
pub mod stack;
pub mod symbol;
pub mod ticks;

/// For the ids that [`define_ids!`] makes.
pub use serde;

pub use diag::{Diagnostic, Diagnostics, Severity};
pub use index::{Idx, IndexVec};
pub use source::{Place, SourceMap, Span};
pub use symbol::Symbol;

/// Hash containers for look-up only. Their iteration order is unspecified, so nothing that reaches
/// the user may depend on iterating them; use a `Vec`, a `BTreeMap` or an `IndexMap` there.
pub use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
