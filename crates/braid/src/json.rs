//! The answer of `braid check --json`: one object, the verdict first. The manual is `docs/json.md`.

use crate::front::Loaded;
use crate::schedules::Written;
use crate::{exit, stats};
use braid_engines::order::Location;
use braid_ir::Program;
use braid_portfolio::{PhaseRecord, Report};
use braid_props::{Check, CheckSet};
use braid_report::json::{self, Place, Replay, Violation};
use braid_verdict::{Counterexample, Coverage, Note, Reason, Verdict, holds_for_sequential_consistency_only};
use serde::Serialize;
use std::io::Write;

/// The version of the format.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Answer<'a> {
    verdict: &'static str,
    braid_check: u32,
    exit_code: u8,
    /// The word of SV-COMP, with a property file.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    properties: Vec<&'static str>,
    not_checked: Vec<&'static str>,
    assumptions: Vec<String>,
    /// The program uses memory orders weaker than `seq_cst`, which were taken for `seq_cst`.
    sequential_consistency_only: bool,
    /// What a proof covers; only with `SAFE`.
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<CoverageEntry>,
    violations: Vec<Violation<'a>>,
    /// There are more data races than those listed.
    more_races: bool,
    reasons: Vec<ReasonEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    statistics: Option<Statistics>,
}

#[derive(Serialize)]
struct CoverageEntry {
    threads: usize,
    engine: &'static str,
    bound: Option<u32>,
    text: String,
    notes: Vec<NoteEntry>,
}

#[derive(Serialize)]
struct NoteEntry {
    kind: &'static str,
    text: String,
    place: Option<Place>,
}

#[derive(Serialize)]
struct ReasonEntry {
    kind: &'static str,
    text: String,
    is_bound: bool,
    place: Option<Place>,
    bound: Option<u32>,
}

#[derive(Serialize)]
struct Statistics {
    phases: Vec<PhaseEntry>,
    peak_memory_bytes: Option<u64>,
}

#[derive(Serialize)]
struct PhaseEntry {
    name: String,
    result: String,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<OrderEntry>,
}

#[derive(Serialize)]
struct OrderEntry {
    threads: usize,
    events: usize,
    cells: usize,
    reads_from_candidates: usize,
    order_literals: usize,
    variables: u64,
    clauses: u64,
    conflicts: u64,
    parts: Vec<Part>,
    locations: Vec<LocationEntry>,
}

#[derive(Serialize)]
struct LocationEntry {
    name: String,
    reads: usize,
    writes: usize,
    reads_from_candidates: usize,
    order_literals: usize,
    clauses: usize,
}

#[derive(Serialize)]
struct Part {
    name: &'static str,
    seconds: f64,
}

/// What the object is made of.
pub struct Input<'a> {
    pub loaded: &'a Loaded,
    pub report: &'a Report,
    pub checks: CheckSet,
    pub assumptions: Vec<String>,
    pub written: &'a [Written],
    pub exit_code: u8,
    pub result: Option<String>,
    pub stats: bool,
}

/// Writes the object as text, with a line break at its end.
pub fn write(input: Input<'_>, to: impl Write) -> std::io::Result<()> {
    let loaded = input.loaded;
    let verdict = &input.report.verdict;
    let (word, counterexamples, reasons): (_, &[Counterexample], &[Reason]) = match verdict {
        Verdict::Safe { .. } => ("SAFE", &[], &[]),
        Verdict::Unsafe(counterexamples) => ("UNSAFE", counterexamples, &[]),
        Verdict::Unknown(reasons) => ("UNKNOWN", &[], reasons),
    };
    let files: Vec<String> = input.written.iter().map(|file| file.path.display().to_string()).collect();
    let replay = |index: usize| {
        let (file, written) = (files.get(index)?, input.written.get(index)?);
        Some(Replay { file, command: &written.replay })
    };
    let violation = |(index, found)| json::violation(loaded.context(), found, replay(index));
    let answer = Answer {
        verdict: word,
        braid_check: VERSION,
        exit_code: input.exit_code,
        result: input.result,
        properties: input.checks.iter().map(Check::id).collect(),
        not_checked: CheckSet::every().without(input.checks).iter().map(Check::id).collect(),
        assumptions: input.assumptions,
        sequential_consistency_only: holds_for_sequential_consistency_only(&loaded.program),
        coverage: coverage_entry(loaded, verdict),
        violations: counterexamples.iter().enumerate().map(violation).collect(),
        more_races: input.report.more_races,
        reasons: reasons.iter().map(|reason| reason_entry(loaded, reason)).collect(),
        statistics: input.stats.then(|| statistics(&input.report.phases)),
    };
    json::write(&answer, to)
}

/// Writes the object of a check that a limit ended before there was an answer.
pub fn write_limit(
    reason: &Reason,
    checks: CheckSet,
    result: Option<String>,
    to: impl Write,
) -> std::io::Result<()> {
    let entry = ReasonEntry {
        kind: reason.kind(),
        text: reason.text(&Program::default()),
        is_bound: reason.is_bound(),
        place: None,
        bound: None,
    };
    let answer = Answer {
        verdict: "UNKNOWN",
        braid_check: VERSION,
        exit_code: exit::UNKNOWN,
        result,
        properties: checks.iter().map(Check::id).collect(),
        not_checked: CheckSet::every().without(checks).iter().map(Check::id).collect(),
        assumptions: Vec::new(),
        sequential_consistency_only: false,
        coverage: None,
        violations: Vec::new(),
        more_races: false,
        reasons: vec![entry],
        statistics: None,
    };
    json::write(&answer, to)
}

fn note_entry(loaded: &Loaded, note: &Note) -> NoteEntry {
    let place = json::place(loaded.context(), note.place);
    NoteEntry { kind: note.kind.id(), text: note.text.clone(), place }
}

fn coverage_entry(loaded: &Loaded, verdict: &Verdict) -> Option<CoverageEntry> {
    match verdict {
        Verdict::Safe { coverage: Coverage { threads, method, notes }, .. } => Some(CoverageEntry {
            threads: *threads,
            engine: method.engine,
            bound: method.bound,
            text: method.text.clone(),
            notes: notes.iter().map(|note| note_entry(loaded, note)).collect(),
        }),
        Verdict::Unsafe(_) | Verdict::Unknown(_) => None,
    }
}

fn reason_entry(loaded: &Loaded, reason: &Reason) -> ReasonEntry {
    ReasonEntry {
        kind: reason.kind(),
        text: reason.text(&loaded.program),
        is_bound: reason.is_bound(),
        place: reason.place().and_then(|loc| json::place(loaded.context(), loc)),
        bound: reason.bound(),
    }
}

fn statistics(phases: &[PhaseRecord]) -> Statistics {
    Statistics { phases: phases.iter().map(phase_entry).collect(), peak_memory_bytes: stats::peak_memory() }
}

fn location_entry(location: &Location) -> LocationEntry {
    LocationEntry {
        name: location.name.clone(),
        reads: location.reads,
        writes: location.writes,
        reads_from_candidates: location.counts.candidates,
        order_literals: location.counts.literals,
        clauses: location.counts.clauses,
    }
}

fn phase_entry(phase: &PhaseRecord) -> PhaseEntry {
    let order = phase.order.as_ref().map(|order| OrderEntry {
        threads: order.threads,
        events: order.events,
        cells: order.cells,
        reads_from_candidates: order.counts.candidates,
        order_literals: order.counts.literals,
        variables: order.solver.variables,
        clauses: order.solver.clauses,
        conflicts: order.solver.conflicts,
        parts: order.spent.0.iter().map(|(name, time)| Part { name, seconds: time.as_secs_f64() }).collect(),
        locations: order.locations.iter().map(location_entry).collect(),
    });
    PhaseEntry {
        name: phase.name.clone(),
        result: phase.result.clone(),
        seconds: phase.time.as_secs_f64(),
        states: phase.states,
        order,
    }
}
