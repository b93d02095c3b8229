//! The answer of `braid check --json`: one object, the verdict first. The manual is `docs/json.md`.

use crate::front::Loaded;
use crate::schedules::Written;
use crate::stats;
use braid_interp::{OpRef, Report as Violated, StackEntry};
use braid_ir::Loc;
use braid_portfolio::{PhaseRecord, Report};
use braid_props::{Check, CheckSet};
use braid_verdict::{Counterexample, Reason, Verdict};
use serde::Serialize;

/// The version of the format.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Answer {
    verdict: &'static str,
    braid_check: u32,
    exit_code: u8,
    /// The word of SV-COMP, with a property file.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    properties: Vec<&'static str>,
    assumptions: Vec<String>,
    violations: Vec<Violation>,
    reasons: Vec<ReasonEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    statistics: Option<Statistics>,
}

#[derive(Serialize)]
struct Place {
    file: String,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct Call {
    function: String,
    place: Option<Place>,
}

#[derive(Serialize)]
struct Violation {
    property: &'static str,
    message: String,
    place: Option<Place>,
    thread: String,
    stack: Vec<Call>,
    threads: Vec<Participant>,
    notes: Vec<Note>,
    /// Who runs when, by source lines.
    interleaving: Vec<Row>,
    schedule_file: Option<String>,
    replay: Option<String>,
}

#[derive(Serialize)]
struct Participant {
    thread: String,
    does: String,
    place: Option<Place>,
    holds: Vec<String>,
    stack: Vec<Call>,
}

#[derive(Serialize)]
struct Note {
    text: String,
    function: Option<String>,
    place: Option<Place>,
}

#[derive(Serialize)]
struct Row {
    thread: String,
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
    variables: u64,
    clauses: u64,
    conflicts: u64,
    parts: Vec<Part>,
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

/// The object as text, with a line break at its end.
pub fn render(input: Input<'_>) -> String {
    let loaded = input.loaded;
    let verdict = &input.report.verdict;
    let (word, counterexamples, reasons): (_, &[Counterexample], &[Reason]) = match verdict {
        Verdict::Safe { .. } => ("SAFE", &[], &[]),
        Verdict::Unsafe(counterexamples) => ("UNSAFE", counterexamples, &[]),
        Verdict::Unknown(reasons) => ("UNKNOWN", &[], reasons),
    };
    let violation =
        |(index, found): (usize, &Counterexample)| violation(loaded, found, input.written.get(index));
    let answer = Answer {
        verdict: word,
        braid_check: VERSION,
        exit_code: input.exit_code,
        result: input.result,
        properties: input.checks.iter().map(Check::id).collect(),
        assumptions: input.assumptions,
        violations: counterexamples.iter().enumerate().map(violation).collect(),
        reasons: reasons.iter().map(|reason| reason_entry(loaded, reason)).collect(),
        statistics: input.stats.then(|| statistics(&input.report.phases)),
    };
    serde_json::to_string_pretty(&answer).expect("the answer has only string keys") + "\n"
}

fn place(loaded: &Loaded, loc: Loc) -> Option<Place> {
    let file = || loaded.program.file_name(loc.file).to_string();
    (loc.line > 0).then(|| Place { file: file(), line: loc.line, column: loc.column })
}

fn stack(loaded: &Loaded, entries: &[StackEntry]) -> Vec<Call> {
    let user = entries.iter().filter(|entry| !entry.internal);
    user.map(|entry| Call { function: entry.function.to_string(), place: place(loaded, entry.loc) }).collect()
}

fn violation(loaded: &Loaded, found: &Counterexample, written: Option<&Written>) -> Violation {
    let report: &Violated = found.report();
    let participants = report.threads.iter().map(|view| Participant {
        thread: view.path.clone(),
        does: view.text.clone(),
        place: place(loaded, view.place),
        holds: view.holds.clone(),
        stack: stack(loaded, &view.stack),
    });
    let notes = report.related.iter().map(|related| Note {
        text: related.text.clone(),
        function: related.function.map(|function| function.to_string()),
        place: place(loaded, related.loc),
    });
    let rows = rows(&found.trace().steps).into_iter();
    Violation {
        property: report.check.id(),
        message: report.message.clone(),
        place: place(loaded, report.place),
        thread: report.path.clone(),
        stack: stack(loaded, &report.stack),
        threads: participants.collect(),
        notes: notes.collect(),
        interleaving: rows.map(|(thread, loc)| Row { place: place(loaded, loc), thread }).collect(),
        schedule_file: written.map(|written| written.path.display().to_string()),
        replay: written.map(|written| written.replay.clone()),
    }
}

/// Steps of one thread that follow each other on one line are one row; those without a place are left out.
fn rows(steps: &[OpRef]) -> Vec<(String, Loc)> {
    let mut rows: Vec<(String, Loc)> = Vec::new();
    for step in steps.iter().filter(|step| step.loc.line > 0) {
        let thread = step.thread.to_string();
        let line = |loc: Loc| (loc.file, loc.line);
        if rows.last().is_none_or(|(last, loc)| *last != thread || line(*loc) != line(step.loc)) {
            rows.push((thread, step.loc));
        }
    }
    rows
}

fn reason_entry(loaded: &Loaded, reason: &Reason) -> ReasonEntry {
    ReasonEntry {
        kind: reason.kind(),
        text: reason.text(&loaded.program),
        is_bound: reason.is_bound(),
        place: reason.place().and_then(|loc| place(loaded, loc)),
        bound: reason.bound(),
    }
}

fn statistics(phases: &[PhaseRecord]) -> Statistics {
    Statistics { phases: phases.iter().map(phase_entry).collect(), peak_memory_bytes: stats::peak_memory() }
}

fn phase_entry(phase: &PhaseRecord) -> PhaseEntry {
    let order = phase.order.as_ref().map(|order| OrderEntry {
        threads: order.threads,
        events: order.events,
        cells: order.cells,
        reads_from_candidates: order.candidates,
        variables: order.solver.variables,
        clauses: order.solver.clauses,
        conflicts: order.solver.conflicts,
        parts: order.phases.iter().map(|(name, time)| Part { name, seconds: time.as_secs_f64() }).collect(),
    });
    PhaseEntry {
        name: phase.name.clone(),
        result: phase.result.clone(),
        seconds: phase.time.as_secs_f64(),
        states: phase.states,
        order,
    }
}
