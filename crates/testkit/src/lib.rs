//! What tests are made of: fixtures and their runner, random programs, families of growing ones, shrinking,
//! mutation, processes with limits.
//!
//! Test code only: no crate depends on this one outside its tests. Nothing here prints; results are
//! values, and the tests and tasks that use them do the talking.

pub mod check;
pub mod contract;
pub mod differential;
pub mod disciplined;
pub mod effects;
pub mod expanded;
pub mod families;
pub mod faults;
pub mod fixture;
pub mod frontend;
pub mod r#gen;
pub mod harness;
pub mod mutants;
pub mod mutate;
pub mod native;
pub mod process;
pub mod threads;
pub mod translated;
pub mod tree;

pub use braid_base::rng;
