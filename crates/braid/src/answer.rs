//! The answer as text, for `explore` and `check` alike: violations with their interleavings, assumptions,
//! reasons, and the verdict as the last line.

use crate::exit;
use crate::front::Loaded;
use crate::schedules::Written;
use braid_interp::place_text;
use braid_report::text::{self, Layout};
use braid_verdict::{Counterexample, Reason, Verdict};

/// Prints every violation with its interleaving, and how to replay it.
pub fn print_violations(
    loaded: &Loaded,
    layout: Layout,
    counterexamples: &[Counterexample],
    written: &[Written],
) {
    for (index, counterexample) in counterexamples.iter().enumerate() {
        print!("{}", text::render(loaded.context(), layout, counterexample));
        if let Some(file) = written.get(index) {
            println!("  replay: {}", file.replay);
        }
        println!();
    }
    if written.is_empty() && !counterexamples.is_empty() {
        println!(
            "To replay a violation, write its schedule with --schedule-out and give it to 'braid run --schedule'."
        );
    }
}

pub fn print_assumptions(assumptions: &[String]) {
    println!("assumptions: {}", assumptions.join(", "));
}

pub fn reasons_text(loaded: &Loaded, reasons: &[Reason]) -> String {
    let texts: Vec<String> = reasons.iter().map(|reason| reason.text(&loaded.program)).collect();
    texts.join("; ")
}

/// The verdict in one line.
pub fn line(loaded: &Loaded, verdict: &Verdict) -> String {
    match verdict {
        Verdict::Safe { .. } => "SAFE".to_string(),
        Verdict::Unsafe(counterexamples) => {
            let Some(first) = counterexamples.first() else { unreachable!("UNSAFE has a counterexample") };
            let report = first.report();
            format!("UNSAFE: {} at {}", report.check, place_text(&loaded.program, report.place))
        }
        Verdict::Unknown(reasons) => format!("UNKNOWN: {}", reasons_text(loaded, reasons)),
    }
}

/// The exit code; bounds can be accepted.
pub fn exit_code(verdict: &Verdict, bounded_ok: bool) -> u8 {
    match verdict {
        Verdict::Safe { .. } => 0,
        Verdict::Unsafe(_) => exit::UNSAFE,
        Verdict::Unknown(reasons) if bounded_ok && reasons.iter().all(Reason::is_bound) => 0,
        Verdict::Unknown(_) => exit::UNKNOWN,
    }
}

/// Prints the verdict as the last line and gives its exit code.
pub fn conclude(loaded: &Loaded, verdict: &Verdict, bounded_ok: bool) -> u8 {
    println!("{}", line(loaded, verdict));
    exit_code(verdict, bounded_ok)
}
