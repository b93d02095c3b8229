//! Violations as JSON values: what `braid check --json` prints of each, and what the HTML page is made of. The
//! manual is `docs/json.md`, the schema `docs/check-1.schema.json`.

use crate::{Context, words};
use braid_base::HashMap;
use braid_interp::{OpRef, Report, StackEntry};
use braid_ir::Loc;
use braid_verdict::story::{Action as Told, Call as StoryCall, Step as StoryStep, Story};
use braid_verdict::{Counterexample, switches};
use serde::Serialize;

#[derive(Serialize)]
pub struct Place {
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
pub struct Violation {
    property: &'static str,
    message: String,
    place: Option<Place>,
    thread: String,
    stack: Vec<Call>,
    threads: Vec<Participant>,
    notes: Vec<Note>,
    /// Sentences that explain it.
    why: Vec<String>,
    /// Changes of the running thread in the schedule.
    context_switches: usize,
    /// Who runs when, by source lines.
    interleaving: Vec<Row>,
    trace: Trace,
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

/// The story, step by step.
#[derive(Serialize)]
pub struct Trace {
    abridged: bool,
    threads: Vec<Thread>,
    /// Call stacks, named by their index.
    stacks: Vec<Vec<Call>>,
    steps: Vec<Step>,
}

#[derive(Serialize)]
struct Thread {
    thread: String,
    function: Option<String>,
}

#[derive(Serialize)]
struct Step {
    number: usize,
    thread: String,
    place: Option<Place>,
    function: Option<String>,
    stack: usize,
    essential: bool,
    switch: bool,
    /// The actions for people.
    text: Vec<String>,
    actions: Vec<Action>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Action {
    Assign { variable: String, old: Option<String>, new: Option<String>, shared: bool },
    Read { variable: String, value: Option<String> },
    Lock { mutex: String },
    TryLock { mutex: String, taken: bool },
    Unlock { mutex: String },
    Start { thread: String, function: String },
    Join { thread: String },
    End,
    Allocate { block: String, bytes: u64 },
    Free { block: String },
    Call { function: String, arguments: Vec<Argument> },
    Return { value: Option<String> },
    Choose { choice: &'static str, value: String },
    Violate { text: String },
}

#[derive(Serialize)]
struct Argument {
    name: String,
    value: String,
}

/// A schedule file that was written, and the command that replays it.
#[derive(Clone, Copy)]
pub struct Replay<'a> {
    pub file: &'a str,
    pub command: &'a str,
}

pub fn place(context: Context<'_>, loc: Loc) -> Option<Place> {
    (loc.line > 0).then(|| Place { file: context.file(loc).to_string(), line: loc.line, column: loc.column })
}

fn stack(context: Context<'_>, entries: &[StackEntry]) -> Vec<Call> {
    let user = entries.iter().filter(|entry| !entry.internal);
    user.map(|entry| Call { function: entry.function.to_string(), place: place(context, entry.loc) })
        .collect()
}

pub fn violation(context: Context<'_>, found: &Counterexample, replay: Option<Replay<'_>>) -> Violation {
    let report: &Report = found.report();
    let participants = report.threads.iter().map(|view| Participant {
        thread: view.path.clone(),
        does: view.text.clone(),
        place: place(context, view.place),
        holds: view.holds.clone(),
        stack: stack(context, &view.stack),
    });
    let notes = report.related.iter().map(|related| Note {
        text: related.text.clone(),
        function: related.function.map(|function| function.to_string()),
        place: place(context, related.loc),
    });
    let rows = rows(&found.trace().steps).into_iter();
    Violation {
        property: report.check.id(),
        message: report.message.clone(),
        place: place(context, report.place),
        thread: report.path.clone(),
        stack: stack(context, &report.stack),
        threads: participants.collect(),
        notes: notes.collect(),
        why: found.story().why.clone(),
        context_switches: switches(found.trace()),
        interleaving: rows.map(|(thread, loc)| Row { place: place(context, loc), thread }).collect(),
        trace: trace(context, found.story()),
        schedule_file: replay.map(|replay| replay.file.to_string()),
        replay: replay.map(|replay| replay.command.to_string()),
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

/// The whole story.
pub fn trace(context: Context<'_>, story: &Story) -> Trace {
    let mut known: HashMap<*const StoryCall, usize> = HashMap::default();
    let mut stacks: Vec<Vec<Call>> = Vec::new();
    let mut steps = Vec::with_capacity(story.steps.len());
    for step in &story.steps {
        // Steps at one place of one activation share their stack.
        let stack = *known.entry(step.stack.as_ptr()).or_insert_with(|| {
            let call = |call: &StoryCall| Call {
                function: call.function.to_string(),
                place: place(context, call.place),
            };
            stacks.push(step.stack.iter().map(call).collect());
            stacks.len() - 1
        });
        steps.push(step_value(context, story, step, stack));
    }
    let thread = |thread: &braid_verdict::story::StoryThread| Thread {
        thread: thread.path.clone(),
        function: thread.function.map(|function| function.to_string()),
    };
    Trace { abridged: story.abridged, threads: story.threads.iter().map(thread).collect(), stacks, steps }
}

fn step_value(context: Context<'_>, story: &Story, step: &StoryStep, stack: usize) -> Step {
    Step {
        number: step.number,
        thread: path(story, step.thread),
        place: place(context, step.place),
        function: step.function().map(|function| function.to_string()),
        stack,
        essential: step.essential,
        switch: step.switch,
        text: words::phrases(story, step),
        actions: step.actions.iter().map(|told| action(story, told)).collect(),
    }
}

fn path(story: &Story, thread: usize) -> String {
    story.threads.get(thread).map_or(String::new(), |thread| thread.path.clone())
}

fn action(story: &Story, told: &Told) -> Action {
    match told.clone() {
        Told::Assign { variable, old, new, shared } => Action::Assign { variable, old, new, shared },
        Told::Read { variable, value } => Action::Read { variable, value },
        Told::Lock { mutex } => Action::Lock { mutex },
        Told::TryLock { mutex, taken } => Action::TryLock { mutex, taken },
        Told::Unlock { mutex } => Action::Unlock { mutex },
        Told::Start { thread, function } => {
            Action::Start { thread: path(story, thread), function: function.to_string() }
        }
        Told::Join { thread } => Action::Join { thread: path(story, thread) },
        Told::End => Action::End,
        Told::Allocate { block, bytes } => Action::Allocate { block, bytes },
        Told::Free { block } => Action::Free { block },
        Told::Call { function, arguments } => {
            let argument = |(name, value)| Argument { name, value };
            let arguments = arguments.into_iter().map(argument).collect();
            Action::Call { function: function.to_string(), arguments }
        }
        Told::Return { value } => Action::Return { value },
        Told::Choose { kind, value } => Action::Choose { choice: kind, value },
        Told::Violate { text } => Action::Violate { text },
    }
}
