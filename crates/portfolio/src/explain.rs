//! From what was left open to the reasons of an `UNKNOWN`.

use braid_engines::order::{Gap, Phase};
use braid_interp::Exploration;
use braid_ir::Program;
use braid_props::CheckSet;
use braid_solver::Stop;
use braid_verdict::{Reason, reasons};

/// Reasons of the search before that are quoted in one of these.
const QUOTED: usize = 3;

/// The reasons that gaps are.
pub fn of_gaps(gaps: &[Gap]) -> Vec<Reason> {
    gaps.iter().map(of_gap).collect()
}

fn of_gap(gap: &Gap) -> Reason {
    match gap {
        Gap::Loop { function, place, bound } => {
            Reason::Loop { function: function.clone(), place: *place, bound: *bound }
        }
        Gap::Recursion { function, place, bound } => {
            Reason::Recursion { function: function.clone(), place: *place, bound: *bound }
        }
        Gap::Threads { place, bound } => Reason::Threads { place: *place, bound: *bound },
        Gap::Unsupported { what, place } => Reason::Unsupported { what: what.clone(), place: *place },
        Gap::Invalid { check, place } => Reason::Invalid { message: check.to_string(), place: *place },
        Gap::Addresses { place } => Reason::Addresses { place: *place },
    }
}

/// A limit that the `order` engine reached.
pub fn of_stop(stop: Stop, phase: Phase, unwind: u32) -> Reason {
    let work = match phase {
        Phase::Unwind => "unwinding",
        Phase::Encode => "encoding",
        Phase::Solve => "solving",
        Phase::Bounds => "looking beyond the bounds",
    };
    Reason::Stopped { limit: stop.to_string(), phase: format!("order, bound {unwind}, {work}") }
}

/// Properties that only the exhaustive search decides, which did not come to its end.
pub fn of_search(
    program: &Program,
    undecided: CheckSet,
    checks: CheckSet,
    search: Option<&Exploration>,
) -> Reason {
    let why = match search {
        None => "this engine does not decide it".to_string(),
        Some(exploration) => {
            // What the models leave out is a reason of its own.
            let mut reasons = reasons(program, exploration);
            reasons.retain(|reason| !matches!(reason, Reason::Omission(_)));
            let texts: Vec<String> = reasons.iter().take(QUOTED).map(|reason| reason.text(program)).collect();
            format!("the exhaustive search is not complete: {}", texts.join(", "))
        }
    };
    Reason::Undecided { checks: undecided, why, others: checks.without(undecided) }
}
