//! One file per subcommand.

pub mod check;
pub mod explore;
pub mod ir;
pub mod run;
