//! One file per subcommand.

pub mod check;
pub mod explore;
pub mod init_ci;
pub mod ir;
pub mod locks;
pub mod manual;
pub mod proof;
pub mod run;
pub mod sequential;
