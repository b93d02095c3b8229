//! Violations as JSON values: what `braid check --json` prints of each, and what the HTML page is made of. The
//! manual is `docs/json.md`, the schema `docs/check-2.schema.json`.

mod layout;

pub use layout::write;

use crate::{Context, words};
use braid_base::HashMap;
use braid_interp::{OpRef, Report, StackEntry, ThreadPath};
use braid_ir::Loc;
use braid_verdict::schedule::ChoiceName;
use braid_verdict::story::{Action as Told, Call as StoryCall, Step as StoryStep, Story};
use braid_verdict::{Counterexample, switches};
use serde::{Serialize, Serializer};
use std::fmt::Display;

#[derive(Serialize)]
pub struct Place {
    file: &'static str,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct Call {
    function: &'static str,
    place: Option<Place>,
}

#[derive(Serialize)]
pub struct Violation<'a> {
    property: &'static str,
    message: &'a str,
    place: Option<Place>,
    thread: &'a str,
    stack: Vec<Call>,
    threads: Vec<Participant<'a>>,
    notes: Vec<Note<'a>>,
    /// Sentences that explain it.
    why: &'a [String],
    /// Changes of the running thread in the schedule.
    context_switches: usize,
    /// Who runs when, by source lines.
    interleaving: Interleaving<'a>,
    trace: Trace<'a>,
    schedule_file: Option<&'a str>,
    replay: Option<&'a str>,
}

#[derive(Serialize)]
struct Participant<'a> {
    thread: &'a str,
    does: &'a str,
    place: Option<Place>,
    holds: &'a [String],
    stack: Vec<Call>,
}

#[derive(Serialize)]
struct Note<'a> {
    text: &'a str,
    function: Option<&'static str>,
    place: Option<Place>,
}

/// Rows made one by one as they are written, for there may be a hundred thousand. Steps of one thread that follow each
/// other on one line are one row; those without a place are left out.
struct Interleaving<'a> {
    context: Context<'a>,
    steps: &'a [OpRef],
}

#[derive(Serialize)]
struct Row<'a> {
    #[serde(serialize_with = "as_shown")]
    thread: &'a ThreadPath,
    place: Option<Place>,
}

/// The story, step by step.
#[derive(Serialize)]
pub struct Trace<'a> {
    abridged: bool,
    threads: Vec<Thread<'a>>,
    /// Call stacks, named by their index.
    stacks: Vec<Vec<Call>>,
    steps: Steps<'a>,
}

/// The steps, made one by one as they are written.
struct Steps<'a> {
    context: Context<'a>,
    story: &'a Story,
    /// The stack of each.
    stacks: Vec<usize>,
}

#[derive(Serialize)]
struct Thread<'a> {
    thread: &'a str,
    function: Option<&'static str>,
}

#[derive(Serialize)]
struct Step<'a> {
    number: usize,
    thread: &'a str,
    place: Option<Place>,
    function: Option<&'static str>,
    stack: usize,
    essential: bool,
    switch: bool,
    /// The actions for people.
    text: Vec<String>,
    actions: Vec<Action<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Action<'a> {
    Assign { variable: &'a str, old: Option<&'a str>, new: Option<&'a str>, shared: bool },
    Read { variable: &'a str, value: Option<&'a str> },
    Lock { mutex: &'a str },
    TryLock { mutex: &'a str, taken: bool },
    Refuse { message: &'a str, error: Option<&'a str> },
    Unlock { mutex: &'a str },
    Start { thread: &'a str, function: &'a str },
    Join { thread: &'a str },
    End,
    Allocate { block: &'a str, bytes: u64 },
    Free { block: &'a str },
    Call { function: &'a str, arguments: Vec<Argument<'a>> },
    Return { value: Option<&'a str> },
    Choose { choice: ChoiceName, value: &'a str },
    Violate { text: &'a str },
}

#[derive(Serialize)]
struct Argument<'a> {
    name: &'a str,
    value: &'a str,
}

/// A schedule file that was written, and the command that replays it.
#[derive(Clone, Copy)]
pub struct Replay<'a> {
    pub file: &'a str,
    pub command: &'a str,
}

pub fn place(context: Context<'_>, loc: Loc) -> Option<Place> {
    (loc.line > 0).then(|| Place { file: context.file(loc), line: loc.line, column: loc.column })
}

fn stack(context: Context<'_>, entries: &[StackEntry]) -> Vec<Call> {
    let user = entries.iter().filter(|entry| !entry.internal);
    user.map(|entry| Call { function: entry.function.as_str(), place: place(context, entry.loc) }).collect()
}

pub fn violation<'a>(
    context: Context<'a>,
    found: &'a Counterexample,
    replay: Option<Replay<'a>>,
) -> Violation<'a> {
    let report: &Report = found.report();
    let participants = report.threads.iter().map(|view| Participant {
        thread: &view.path,
        does: &view.text,
        place: place(context, view.place),
        holds: &view.holds,
        stack: stack(context, &view.stack),
    });
    let notes = report.related.iter().map(|related| Note {
        text: &related.text,
        function: related.function.map(|function| function.as_str()),
        place: place(context, related.loc),
    });
    Violation {
        property: report.check.id(),
        message: &report.message,
        place: place(context, report.place),
        thread: &report.path,
        stack: stack(context, &report.stack),
        threads: participants.collect(),
        notes: notes.collect(),
        why: &found.story().why,
        context_switches: switches(found.trace()),
        interleaving: Interleaving { context, steps: &found.trace().steps },
        trace: trace(context, found.story()),
        schedule_file: replay.map(|replay| replay.file),
        replay: replay.map(|replay| replay.command),
    }
}

impl Serialize for Interleaving<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut last: Option<&OpRef> = None;
        let line = |op: &OpRef| (op.loc.file, op.loc.line);
        let placed = self.steps.iter().filter(|step| step.loc.line > 0);
        serializer.collect_seq(placed.filter_map(|step| {
            let before = last.replace(step);
            let new = before.is_none_or(|before| before.thread != step.thread || line(before) != line(step));
            new.then(|| Row { thread: &step.thread, place: place(self.context, step.loc) })
        }))
    }
}

impl Serialize for Steps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let steps = self.story.steps.iter().zip(&self.stacks);
        serializer.collect_seq(steps.map(|(step, stack)| step_value(self.context, self.story, step, *stack)))
    }
}

fn as_shown<T: Display, S: Serializer>(value: T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&value)
}

/// The whole story.
fn trace<'a>(context: Context<'a>, story: &'a Story) -> Trace<'a> {
    let mut known: HashMap<*const StoryCall, usize> = HashMap::default();
    let mut stacks: Vec<Vec<Call>> = Vec::new();
    let mut of_step = Vec::with_capacity(story.steps.len());
    for step in &story.steps {
        // Steps at one place of one activation share their stack.
        of_step.push(*known.entry(step.stack.as_ptr()).or_insert_with(|| {
            let call = |call: &StoryCall| Call {
                function: call.function.as_str(),
                place: place(context, call.place),
            };
            stacks.push(step.stack.iter().map(call).collect());
            stacks.len() - 1
        }));
    }
    let thread = |thread: &'a braid_verdict::story::StoryThread| Thread {
        thread: &thread.path,
        function: thread.function.map(|function| function.as_str()),
    };
    let threads = story.threads.iter().map(thread).collect();
    Trace { abridged: story.abridged, threads, stacks, steps: Steps { context, story, stacks: of_step } }
}

fn step_value<'a>(context: Context<'_>, story: &'a Story, step: &'a StoryStep, stack: usize) -> Step<'a> {
    Step {
        number: step.number,
        thread: path(story, step.thread),
        place: place(context, step.place),
        function: step.function().map(|function| function.as_str()),
        stack,
        essential: step.essential,
        switch: step.switch,
        text: words::phrases(story, step),
        actions: step.actions.iter().map(|told| action(story, told)).collect(),
    }
}

fn path(story: &Story, thread: usize) -> &str {
    story.threads.get(thread).map_or("", |thread| &thread.path)
}

fn action<'a>(story: &'a Story, told: &'a Told) -> Action<'a> {
    match told {
        Told::Assign { variable, old, new, shared } => {
            Action::Assign { variable, old: old.as_deref(), new: new.as_deref(), shared: *shared }
        }
        Told::Read { variable, value } => Action::Read { variable, value: value.as_deref() },
        Told::Lock { mutex } => Action::Lock { mutex },
        Told::TryLock { mutex, taken } => Action::TryLock { mutex, taken: *taken },
        Told::Refuse { text, error } => Action::Refuse { message: text, error: error.as_deref() },
        Told::Unlock { mutex } => Action::Unlock { mutex },
        Told::Start { thread, function, .. } => {
            Action::Start { thread: path(story, *thread), function: function.as_str() }
        }
        Told::Join { thread } => Action::Join { thread: path(story, *thread) },
        Told::End => Action::End,
        Told::Allocate { block, bytes } => Action::Allocate { block, bytes: *bytes },
        Told::Free { block } => Action::Free { block },
        Told::Call { function, arguments } => {
            let arguments = arguments.iter().map(|(name, value)| Argument { name, value }).collect();
            Action::Call { function: function.as_str(), arguments }
        }
        Told::Return { value } => Action::Return { value: value.as_deref() },
        Told::Choose { choice, value, .. } => Action::Choose { choice: *choice, value },
        Told::Violate { text } => Action::Violate { text },
    }
}
