//! From what was left open to the reasons of an `UNKNOWN`.

use braid_engines::ask::{Gap, Phase};
use braid_solver::Stop;
use braid_verdict::Reason;

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
        Gap::Partial { what, bound, place } => {
            Reason::Omission { what: what.clone(), bound: *bound, place: *place }
        }
        Gap::Invalid { check, place } => Reason::Invalid { message: check.to_string(), place: *place },
        Gap::Addresses { place } => Reason::Addresses { place: *place },
        Gap::MayBeLost { place } => Reason::MayBeLost { place: *place },
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
