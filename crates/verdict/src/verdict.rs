//! The three answers, and when each may be given.

use crate::{Counterexample, Reason, reasons};
use braid_interp::Exploration;
use braid_ir::Program;

/// What Braid says about a program.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// All executions are covered, under the assumptions.
    Safe { assumptions: Vec<String> },
    /// At least one, in the order found.
    Unsafe(Vec<Counterexample>),
    /// At least one, the most telling first.
    Unknown(Vec<Reason>),
}

/// The verdict of an exploration of the program whose violations have been confirmed.
pub fn of_exploration(
    exploration: &Exploration,
    confirmed: Vec<Counterexample>,
    assumptions: Vec<String>,
) -> Verdict {
    let reasons = reasons(exploration);
    if !confirmed.is_empty() {
        Verdict::Unsafe(confirmed)
    } else if reasons.is_empty() {
        Verdict::Safe { assumptions }
    } else {
        Verdict::Unknown(reasons)
    }
}

/// The assumptions under which an exploration of the program speaks, without those that were `lifted`.
pub fn assumptions(program: &Program, lifted: &[&str]) -> Vec<String> {
    let mut all = vec!["sequential consistency".to_string()];
    all.extend(program.assumptions.iter().filter(|name| !lifted.contains(&name.as_str())).cloned());
    all
}
