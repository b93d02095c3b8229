//! How violations are shown, and where files about them go.

use clap::Args;
use std::path::PathBuf;

#[derive(Args, Default)]
pub struct OutputArgs {
    /// Show every step of an execution, not only those that have a part in the violation
    #[arg(long)]
    pub full_trace: bool,
    /// Write a page to step through the violations in a browser
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write the violations as SARIF 2.1.0, for code hosts and editors
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// Write a witness of SV-COMP, as the file's name says: .graphml (1.0) or .yml (2.2)
    #[arg(long, value_name = "FILE", value_parser = parse_witness)]
    pub witness: Option<PathBuf>,
}

fn parse_witness(text: &str) -> Result<PathBuf, String> {
    match braid_report::witness::Format::of_name(text) {
        Some(_) => Ok(PathBuf::from(text)),
        None => Err("expected a name that ends in .graphml or .yml".to_string()),
    }
}
