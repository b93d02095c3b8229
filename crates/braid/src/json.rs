//! The answer of `braid check --json`: one object, the verdict first. The manual is `docs/json.md`.

use crate::front::Loaded;
use crate::schedules::Written;
use crate::{exit, stats};
use braid_engines::engine::{Count, Table};
use braid_ir::Program;
use braid_portfolio::{OfProperty, PhaseRecord, Report};
use braid_props::{Check, CheckSet};
use braid_report::json::{self, Place, Replay, Violation};
use braid_verdict::{
    Bound, Counterexample, Coverage, Note, Reason, Verdict, holds_for_sequential_consistency_only,
};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

/// The version of the format.
const VERSION: u32 = 2;

#[derive(Serialize)]
struct Answer<'a> {
    verdict: &'static str,
    braid_check: u32,
    exit_code: u8,
    /// The word of SV-COMP, with a property file.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    properties: Vec<&'static str>,
    /// The verdict on each of them, in the same order.
    verdicts: Vec<PropertyEntry>,
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
    /// Variables that no lock protects, the most suspicious first; only with `UNKNOWN`.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    unprotected: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    statistics: Option<Statistics>,
}

#[derive(Serialize)]
struct PropertyEntry {
    property: &'static str,
    verdict: &'static str,
    /// The engine that proved it; only with `SAFE`.
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<&'static str>,
}

#[derive(Serialize)]
struct CoverageEntry {
    threads: Option<usize>,
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
    engine: &'static str,
    name: String,
    bounds: BTreeMap<&'static str, u64>,
    result: String,
    seconds: f64,
    counts: BTreeMap<String, u64>,
    parts: Vec<Part>,
    tables: BTreeMap<&'static str, Vec<Row>>,
}

/// A thing of the program, and what it took.
#[derive(Serialize)]
struct Row {
    name: String,
    #[serde(flatten)]
    counts: BTreeMap<String, u64>,
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
    pub unprotected: &'a [String],
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
        verdicts: verdicts(input.report, input.checks),
        not_checked: CheckSet::every().without(input.checks).iter().map(Check::id).collect(),
        assumptions: input.assumptions,
        sequential_consistency_only: holds_for_sequential_consistency_only(&loaded.program),
        coverage: coverage_entry(loaded, verdict),
        violations: counterexamples.iter().enumerate().map(violation).collect(),
        more_races: input.report.more_races,
        reasons: reasons.iter().map(|reason| reason_entry(loaded, reason)).collect(),
        unprotected: input.unprotected,
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
        verdicts: checks.iter().map(|check| property_entry(check, "UNKNOWN", None)).collect(),
        not_checked: CheckSet::every().without(checks).iter().map(Check::id).collect(),
        assumptions: Vec::new(),
        sequential_consistency_only: false,
        coverage: None,
        violations: Vec::new(),
        more_races: false,
        reasons: vec![entry],
        unprotected: &[],
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
        Verdict::Safe { coverage: Coverage { threads, method, notes, .. }, .. } => Some(CoverageEntry {
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

fn property_entry(check: Check, verdict: &'static str, engine: Option<&'static str>) -> PropertyEntry {
    PropertyEntry { property: check.id(), verdict, engine }
}

fn verdicts(report: &Report, checks: CheckSet) -> Vec<PropertyEntry> {
    let entry = |check: Check| match report.of_property(check) {
        OfProperty::Violated => property_entry(check, "UNSAFE", None),
        OfProperty::Proved(engine) => property_entry(check, "SAFE", Some(engine)),
        OfProperty::Unknown => property_entry(check, "UNKNOWN", None),
    };
    checks.iter().map(entry).collect()
}

/// Counts by the names of their units: `order_literals`.
fn counts<'a>(list: impl IntoIterator<Item = &'a Count>) -> BTreeMap<String, u64> {
    let key = |unit: &str| unit.replace([' ', '-'], "_");
    list.into_iter().map(|(unit, count)| (key(unit), *count)).collect()
}

fn table(table: &Table) -> (&'static str, Vec<Row>) {
    let rows = table.rows.iter().map(|(name, row)| Row { name: name.clone(), counts: counts(row) });
    (table.name, rows.collect())
}

/// The bounds that the engine takes, by their names.
fn bounds(phase: &PhaseRecord) -> BTreeMap<&'static str, u64> {
    let bounds = &phase.bounds;
    let bound = |kind: &Bound| match kind {
        Bound::Unwind => Some(("unwind", u64::from(bounds.unwind))),
        Bound::Threads => bounds.threads.map(|bound| ("threads", u64::from(bound))),
        Bound::Rounds => bounds.rounds.map(|bound| ("rounds", u64::from(bound))),
        Bound::Contexts => bounds.contexts.map(|bound| ("context_switches", u64::from(bound))),
        Bound::States => bounds.states.map(|bound| ("states", bound)),
        Bound::Runs => bounds.runs.map(|bound| ("runs", bound)),
    };
    phase.takes.iter().filter_map(bound).collect()
}

fn phase_entry(phase: &PhaseRecord) -> PhaseEntry {
    let statistics = &phase.statistics;
    let part = |(name, time): &(&'static str, Duration)| Part { name, seconds: time.as_secs_f64() };
    PhaseEntry {
        engine: phase.engine,
        name: phase.name.clone(),
        bounds: bounds(phase),
        result: phase.result.clone(),
        seconds: phase.time.as_secs_f64(),
        counts: counts(statistics.brief.iter().chain(statistics.groups.iter().flatten())),
        parts: statistics.parts.iter().map(part).collect(),
        tables: statistics.tables.iter().map(table).collect(),
    }
}
