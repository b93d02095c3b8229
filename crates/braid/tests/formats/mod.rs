//! Checks of file formats, written from their specifications.

pub mod graphml;
pub mod sarif;
pub mod schema;
pub mod yaml;
