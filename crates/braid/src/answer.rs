//! The answer as text, for `explore` and `check` alike: violations with their interleavings, what a proof covers,
//! assumptions, reasons, and the verdict as the last line.

use crate::exit;
use crate::front::Loaded;
use crate::schedules::Written;
use crate::terminal::{out, outln};
use braid_interp::place_text;
use braid_portfolio::Report;
use braid_props::{Check, CheckSet};
use braid_report::text::{self, Layout};
use braid_verdict::{Counterexample, Coverage, Reason, Verdict, holds_for_sequential_consistency_only};

/// Prints every violation with its interleaving, and how to replay it.
pub fn print_violations(
    loaded: &Loaded,
    layout: Layout,
    counterexamples: &[Counterexample],
    written: &[Written],
) {
    for (index, counterexample) in counterexamples.iter().enumerate() {
        out!("{}", text::render(loaded.context(), layout, counterexample));
        if let Some(file) = written.get(index) {
            outln!("  replay: {}", file.replay);
            if let Some(native) = &file.native {
                outln!("  native: {native}");
            }
        }
        outln!();
    }
    if written.is_empty() && !counterexamples.is_empty() {
        outln!(
            "To replay a violation, write its schedule with --schedule-out and give it to 'braid run --schedule'."
        );
    }
}

/// Notes that are shown.
const SHOWN_NOTES: usize = 8;

/// Prints what a `SAFE` covers, in one line, after notes on what it says little about; other verdicts cover what they
/// show.
pub fn print_coverage(loaded: &Loaded, verdict: &Verdict, checks: CheckSet) {
    match verdict {
        Verdict::Safe { coverage, .. } => {
            for note in coverage.notes.iter().take(SHOWN_NOTES) {
                outln!("note: {}: {}", place_text(&loaded.program, note.place), note.text);
            }
            if coverage.notes.len() > SHOWN_NOTES {
                outln!("note: and {} more (--json lists all)", coverage.notes.len() - SHOWN_NOTES);
            }
            outln!("{}", coverage_text(coverage, checks));
        }
        Verdict::Unsafe(_) | Verdict::Unknown(_) => {}
    }
}

/// The properties in words.
pub fn list(checks: CheckSet) -> String {
    let ids: Vec<&str> = checks.iter().map(Check::id).collect();
    if ids.is_empty() { "nothing".to_string() } else { ids.join(", ") }
}

fn coverage_text(coverage: &Coverage, checks: CheckSet) -> String {
    let threads = match (coverage.threads, coverage.attained) {
        (None, _) => "any number".to_string(),
        (Some(count), true) => count.to_string(),
        (Some(count), false) => format!("at most {count}"),
    };
    format!(
        "checked: {}; not checked: {}; threads: {threads}; bounds: none ({})",
        list(checks),
        list(CheckSet::every().without(checks)),
        coverage.method.text
    )
}

/// The assumptions of a program with those that the violations make themselves.
pub fn with_own_assumptions(mut assumptions: Vec<String>, found: &[Counterexample]) -> Vec<String> {
    for own in found.iter().flat_map(Counterexample::assumptions) {
        if !assumptions.iter().any(|known| known == own) {
            assumptions.push(own.to_string());
        }
    }
    assumptions
}

/// Prints what is proved although the whole is not.
pub fn print_proved(report: &Report) {
    if matches!(report.verdict, Verdict::Unknown(_)) {
        for (checks, engine) in &report.proved {
            outln!("proved: {} (by {engine})", list(*checks));
        }
    }
}

pub fn print_assumptions(assumptions: &[String]) {
    outln!("assumptions: {}", assumptions.join(", "));
}

/// The reasons in one line, each once: where something is not supported at several places, they are listed behind it.
pub fn reasons_text(loaded: &Loaded, reasons: &[Reason]) -> String {
    let mut texts: Vec<String> = Vec::new();
    for (index, reason) in reasons.iter().enumerate() {
        let text = match reason {
            Reason::Unsupported { what, .. } if names(&reasons[..index], what) => continue,
            Reason::Unsupported { what, .. } => unsupported_text(loaded, &reasons[index..], what),
            other => other.text(&loaded.program),
        };
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts.join("; ")
}

/// Returns true if one of the reasons is that this is not supported.
fn names(reasons: &[Reason], unsupported: &str) -> bool {
    reasons.iter().any(|reason| matches!(reason, Reason::Unsupported { what, .. } if what == unsupported))
}

/// What is not supported, with all its places.
fn unsupported_text(loaded: &Loaded, reasons: &[Reason], unsupported: &str) -> String {
    let mut places: Vec<String> = Vec::new();
    for reason in reasons {
        if let Reason::Unsupported { what, place } = reason
            && what == unsupported
        {
            let place = place_text(&loaded.program, *place);
            if !places.contains(&place) {
                places.push(place);
            }
        }
    }
    format!("unsupported: {unsupported} at {}", places.join(", "))
}

/// The verdict in one line. A proof of a program with memory orders weaker than `seq_cst` says so in the line itself.
pub fn line(loaded: &Loaded, verdict: &Verdict) -> String {
    match verdict {
        Verdict::Safe { .. } if holds_for_sequential_consistency_only(&loaded.program) => {
            "SAFE (sequential consistency only)".to_string()
        }
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
    outln!("{}", line(loaded, verdict));
    exit_code(verdict, bounded_ok)
}
