//! What a search that was ended had covered, and the best next step after an `UNKNOWN`.
//!
//! What was covered is listed only where a limit ended the work: time, memory, or the user. What the reasons of an
//! `UNKNOWN` say already is not said again.

use crate::args::CheckArgs;
use crate::stats;
use crate::terminal::outln;
use braid_interp::Cut;
use braid_portfolio::{PhaseRecord, Report};
use braid_verdict::{Reason, Verdict};

/// What ended the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ended {
    Time,
    Memory,
    User,
}

/// Prints what was covered, if the work was ended before its end.
pub fn print(args: &CheckArgs, report: &Report) {
    let Verdict::Unknown(reasons) = &report.verdict else { return };
    let Some(ended) = reasons.iter().find_map(of_reason) else { return };
    outln!("covered until then:");
    for phase in &report.phases {
        outln!("  {}", stats::line(phase));
    }
    outln!("next: {}", advice(args, ended, &report.phases));
}

/// Prints what to do about functions that have neither a definition nor a model, if one of them stands in the way.
pub fn print_undefined(nondet_undefined: bool, verdict: &Verdict) {
    let Verdict::Unknown(reasons) = verdict else { return };
    let undefined: Vec<&str> = reasons.iter().filter_map(Reason::undefined_function).collect();
    if let Some(name) = undefined.first().filter(|_| !nondet_undefined) {
        outln!(
            "next: give the file that defines '{name}', or --nondet-undefined: it then returns any value and changes nothing"
        );
    }
}

fn of_reason(reason: &Reason) -> Option<Ended> {
    match reason {
        Reason::Stopped { limit, .. } if limit.contains("time limit") => Some(Ended::Time),
        Reason::Stopped { limit, .. } if limit.contains("memory limit") => Some(Ended::Memory),
        Reason::Stopped { limit, .. } if limit.contains("interrupted") => Some(Ended::User),
        Reason::Cut(Cut::Timeout) => Some(Ended::Time),
        Reason::Cut(Cut::Memory(_)) => Some(Ended::Memory),
        Reason::Cut(Cut::Interrupted) => Some(Ended::User),
        Reason::Stopped { .. }
        | Reason::Cut(
            Cut::States(_)
            | Cut::Work(_)
            | Cut::Values(_)
            | Cut::Rounds(_)
            | Cut::Contexts(_)
            | Cut::Resource(..)
            | Cut::Spinning(_),
        )
        | Reason::Unsupported { .. }
        | Reason::Invalid { .. }
        | Reason::Addresses { .. }
        | Reason::Omission { .. }
        | Reason::Over { .. }
        | Reason::Loop { .. }
        | Reason::Recursion { .. }
        | Reason::Threads { .. }
        | Reason::MayBeLost { .. }
        | Reason::Setup(_)
        | Reason::Solver(_)
        | Reason::Approximate { .. }
        | Reason::Undecided { .. }
        | Reason::Unproved { .. }
        | Reason::Termination => None,
    }
}

fn advice(args: &CheckArgs, ended: Ended, phases: &[PhaseRecord]) -> String {
    let seconds = args.limits.timeout.unwrap_or(0.0);
    let more = match ended {
        Ended::Time => format!("--timeout {:.0}", (4.0 * seconds).max(10.0)),
        Ended::Memory => format!("--memlimit {}", args.limits.memory().saturating_mul(2)),
        Ended::User => "let it run on".to_string(),
    };
    // The bound that was still decided is worth repeating as an answer of its own.
    let decided = phases.iter().rev().find_map(PhaseRecord::unwound);
    match decided.filter(|_| args.unwind.is_none()) {
        Some(bound) => format!("{more}, or --unwind {bound} for an answer within that bound"),
        None if args.properties.property.is_none() && args.properties.prop.is_none() => {
            format!("{more}, or one property at a time, such as --property assertion")
        }
        None => more,
    }
}
