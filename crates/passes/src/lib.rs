//! Transformations of programs in IR. `fix_global` keeps instruction ids, so that schedules fit the program before and
//! after; `inline_calls` and `unroll_loops` copy code, and say for each new instruction what it is a copy of. Each is
//! followed by the verifier ([`pipeline`]).

mod expand;
mod fix_global;
mod inline_calls;
pub mod pipeline;
#[cfg(test)]
mod testing;
mod unroll_loops;

pub use expand::{Cut, Expanded, Head, LoopBound, LoopHeads, Origins, Refused, ThreadInstance};
pub use fix_global::fix_global;
pub use inline_calls::{Inline, inline_calls};
pub use unroll_loops::{Unroll, unroll_loops};
