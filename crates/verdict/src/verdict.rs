//! The three answers, and when each may be given.

use crate::{Counterexample, Coverage, Reason, reasons};
use braid_interp::Exploration;
use braid_ir::Program;
use braid_props::CheckSet;

/// What Braid says about a program.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// All executions are covered, under the assumptions.
    Safe { assumptions: Vec<String>, coverage: Coverage },
    /// At least one, in the order found.
    Unsafe(Vec<Counterexample>),
    /// At least one, the most telling first.
    Unknown(Vec<Reason>),
}

/// The verdict of an exploration of the program whose violations have been confirmed.
pub fn of_exploration(
    program: &Program,
    checks: CheckSet,
    exploration: &Exploration,
    confirmed: Vec<Counterexample>,
    assumptions: Vec<String>,
) -> Verdict {
    let reasons = reasons(exploration);
    if !confirmed.is_empty() {
        Verdict::Unsafe(confirmed)
    } else if reasons.is_empty() {
        let coverage = Coverage::of_exploration("explore", program, checks, exploration);
        Verdict::Safe { assumptions, coverage }
    } else {
        Verdict::Unknown(reasons)
    }
}

/// The assumption that stands in the verdict line itself, because weaker memory orders are there for a reason.
const ATOMICS_AS_SEQ_CST: &str = "atomics as seq_cst";

/// Returns true if the program uses memory orders weaker than `seq_cst`, which no engine distinguishes from it: what
/// is said of the program holds under sequential consistency only.
pub fn holds_for_sequential_consistency_only(program: &Program) -> bool {
    program.assumptions.iter().any(|name| name == ATOMICS_AS_SEQ_CST)
}

/// The assumptions under which an exploration of the program speaks, without those that were `lifted`.
pub fn assumptions(program: &Program, lifted: &[&str]) -> Vec<String> {
    let mut all = vec!["sequential consistency".to_string()];
    all.extend(program.assumptions.iter().filter(|name| !lifted.contains(&name.as_str())).cloned());
    all
}
