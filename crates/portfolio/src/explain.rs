//! From what was left open to the reasons of an `UNKNOWN`.

use braid_engines::ask::Phase;
use braid_solver::Stop;
use braid_verdict::Reason;

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
