//! Solvers.

mod adapter;
pub mod answer;
mod guard;
pub mod circuits;
pub mod divider;
pub mod gates;
pub mod limits;
pub mod lit;
pub mod propagator;
pub mod sat;
#[cfg(test)]
mod testing;
