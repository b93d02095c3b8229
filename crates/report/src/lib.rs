//! What people and other programs see of a verdict: text, JSON, SARIF, witnesses, HTML.
//!
//! Every rendering of a violation is a function of one [`braid_verdict::Counterexample`] and the texts of the
//! program ([`Context`]): steps have the same numbers everywhere, and a rendering that leaves steps out shows a
//! subset. Nothing here prints, looks at the environment or knows the time; the caller says how wide a terminal
//! is, whether it has colours and what time it is.

mod context;
pub mod html;
pub mod json;
pub mod locks;
pub mod sarif;
mod style;
pub mod task;
pub mod text;
pub mod violation;
pub mod witness;
pub mod words;

pub use context::Context;
pub use style::{Style, Tone};
