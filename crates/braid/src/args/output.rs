//! How violations are shown.

use clap::Args;

#[derive(Args, Default)]
pub struct OutputArgs {
    /// Show every step of an execution, not only those that have a part in the violation
    #[arg(long)]
    pub full_trace: bool,
}
