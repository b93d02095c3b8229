//! The reference interpreter of the IR: the judge of every other engine.
//!
//! Clarity and exactness come before speed, and no code is shared with the engines it judges. The
//! parts: [`image`] (the program, prepared once), [`state`] (a plain value that is cloned at will),
//! [`machine`] (how one instruction changes a state), [`memory`] with [`contents`] and [`arena`]
//! (objects, bytes, addresses), [`value`] and [`taint`] (bits and what they owe to addresses), [`env`]
//! (everything the program leaves open), [`report`] (how a run ends).
//!
//! Threads: `threads` (their operations), `escape` (what others can reach), [`visible`] and
//! [`footprint`] (what others can notice of a step), `transition` (a visible step and what follows it),
//! `race`, `deadlock` and `spin` with `loops` (what can be wrong with a state), [`run`] (one schedule), [`trace`] (a schedule
//! as data), [`watch`] (everything a replay did, for those who explain it), [`explore`](mod@explore) with `canon` and `liveness` (all schedules, states told apart).
//!
//! It relies on the IR being verified. It prints nothing and asks the operating system for nothing
//! but the time.
//!
//! ```text
//! let image = Image::new(&program, checks)?;
//! let outcome = Machine::new(&image, Options { question, limits, ..Options::default() })?.run(&mut env);
//! ```

mod answers;
pub mod arena;
pub mod arith;
mod bulk;
mod call;
mod canon;
pub mod contents;
mod cow;
mod deadlock;
pub mod env;
mod escape;
mod eval;
mod exits;
pub mod explore;
mod fault;
pub mod float;
pub mod footprint;
#[cfg(test)]
mod fuzz;
mod hash;
mod hot;
pub mod image;
mod leak;
mod livelock;
mod liveness;
mod loops;
pub mod machine;
pub mod memory;
pub mod naming;
pub mod object;
mod ops;
mod race;
mod reached;
mod recorder;
pub mod replay;
pub mod report;
pub mod run;
pub mod shape;
mod spin;
pub mod state;
pub mod taint;
#[cfg(test)]
mod testing;
mod threads;
pub mod trace;
mod transition;
pub mod value;
pub mod visible;
pub mod watch;

pub use env::{Choice, Environment, RunEnv};
pub use explore::{
    Collect, Cut, End, EndKind, Exploration, ExploreOptions, Explorer, Found, Progress, Share, explore,
};
pub use image::{Image, SetupError};
pub use machine::{Limits, Machine, Options};
pub use object::place_text;
pub use reached::Reached;
pub use replay::{Mismatch, Replayed};
pub use report::{Outcome, Partial, Related, Report, Resource, StackEntry, ThreadView, render_stack};
pub use run::{Run, Schedule};
pub use trace::{
    BadOrder, BadPath, ChoiceLabel, ObjectRef, OpRef, RoundOrder, ThreadPath, Trace, TraceChoice, TraceEnd,
    TraceMemory,
};
