//! What Braid says about a program, and the evidence for it.
//!
//! An engine that believes a property violated hands over a [`Candidate`]: a trace of the program's
//! operations. [`confirm`] runs it in the reference interpreter; only what comes out of there is a
//! [`Counterexample`], and only a counterexample makes a verdict `UNSAFE`. What was not looked at is a
//! [`Reason`], and a verdict with reasons is never `SAFE`.
//!
//! [`story`] is what renderings show of it: numbered steps, what they change, why it is wrong.
//! [`schedule`] is the file format in which executions travel between engines, runs and people.

mod bounds;
mod confirm;
mod coverage;
mod identity;
mod minimise;
mod notes;
mod open;
mod reason;
pub mod schedule;
pub mod story;
mod verdict;

pub use bounds::{Bound, Bounds, LoopName};
pub use confirm::{Approximate, Candidate, Counterexample, Unconfirmed, confirm};
pub use coverage::{Coverage, Method};
pub use identity::ProgramIdentity;
pub use minimise::switches;
pub use notes::{Landmarks, Note, NoteKind, notes};
pub use open::confirm_real;
pub use reason::{Reason, reasons};
pub use schedule::{ScheduleError, ScheduleFile};
pub use story::Story;
pub use verdict::{Verdict, assumptions, holds_for_sequential_consistency_only, of_exploration};
