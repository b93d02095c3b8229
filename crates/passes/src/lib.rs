//! Transformations of programs in IR. Each keeps instruction ids, so that schedules fit the program before and after,
//! and each is followed by the verifier ([`pipeline`]).

mod fix_global;
pub mod pipeline;

pub use fix_global::fix_global;
