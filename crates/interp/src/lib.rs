//! The reference interpreter of the IR: the judge of every other engine.
//!
//! Clarity and exactness come before speed, and no code is shared with the engines it judges. The
//! parts: [`image`] (the program, prepared once), [`state`] (a plain value that is cloned at will),
//! [`machine`] (how one instruction changes a state), [`memory`] with [`contents`] and [`arena`]
//! (objects, bytes, addresses), [`value`] and [`taint`] (bits and what they owe to addresses), [`env`]
//! (everything the program leaves open), [`report`] (how a run ends).
//!
//! It relies on the IR being verified. It prints nothing and asks the operating system for nothing
//! but the time.
//!
//! ```text
//! let image = Image::new(&program, checks)?;
//! let outcome = Machine::new(&image, Options { checks, limits })?.run(&mut env);
//! ```

pub mod arena;
pub mod arith;
mod bulk;
mod call;
pub mod contents;
pub mod env;
mod eval;
mod fault;
pub mod float;
#[cfg(test)]
mod fuzz;
pub mod image;
mod leak;
pub mod machine;
pub mod memory;
pub mod object;
mod ops;
pub mod report;
pub mod shape;
pub mod state;
pub mod taint;
#[cfg(test)]
mod testing;
mod threads;
pub mod value;

pub use env::{Choice, Environment, RunEnv};
pub use image::{Image, SetupError};
pub use machine::{Limits, Machine, Options};
pub use object::place_text;
pub use report::{Outcome, Related, Report, Resource, StackEntry, render_stack};
