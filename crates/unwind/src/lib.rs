//! From IR to a *bounded program*: for each thread instance a loop-free list of guarded events over terms.

mod bounds;

pub use bounds::{Bounds, LoopName};
