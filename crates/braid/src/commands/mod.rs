//! One file per subcommand.

pub mod explore;
pub mod ir;
pub mod run;
