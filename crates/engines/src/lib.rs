//! The engines, one module per technique. They do not import each other.

pub mod ask;
pub mod explicit;
pub mod order;

mod subject;

pub use subject::Subject;
