//! Solvers.

mod adapter;
pub mod answer;
mod guard;
pub mod limits;
pub mod lit;
pub mod propagator;
pub mod sat;
#[cfg(test)]
mod testing;
