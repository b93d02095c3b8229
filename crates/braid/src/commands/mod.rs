//! One file per subcommand.

pub mod ir;
pub mod run;
