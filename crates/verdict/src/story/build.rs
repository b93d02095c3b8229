//! From a watched replay to a story.

use super::actions::Actions;
use super::names::Names;
use super::order::order;
use super::slice::slice;
use super::{Action, Call, Step, Story, StoryThread, why};
use braid_base::HashMap;
use braid_interp::watch::{Activation, Effect, Event, Link, Moment, Observation};
use braid_interp::{Report, ThreadPath, Trace};
use braid_ir::{InstrId, Loc, Program};
use braid_props::Check;
use std::sync::Arc;

/// What a story is made of.
pub(crate) struct Material<'a> {
    pub program: &'a Program,
    pub report: &'a Report,
    pub trace: &'a Trace,
    pub seen: &'a Observation,
    /// When the violation was found.
    pub moment: &'a Moment,
    pub threads: &'a [ThreadPath],
}

pub(crate) fn build(material: &Material<'_>) -> Story {
    let seen = material.seen;
    let count = material.moment.events.saturating_sub(seen.dropped);
    if seen.lost || seen.dropped > 0 && count == 0 {
        return abridged(material);
    }
    let last = last_events(material);
    let events = &seen.events[..count.min(seen.events.len())];
    let ends: Vec<u32> = texts(material.report).iter().map(|(thread, _)| *thread).collect();
    let told = order(events, &seen.frames, &ends);
    let lost = lost(material.report, &told.events);
    // That the program ends is not what is wrong with a leak.
    let criterion: &[Event] = if lost.is_empty() { &last } else { &[] };
    let mut kept = slice(material.program, &told.frames, &told.events, criterion, &lost);
    // All that threads do to each other for ever has a part in a livelock.
    let cycle = material.moment.cycle.map(|cycle| cycle.saturating_sub(seen.dropped));
    let repeats = |index: usize| cycle.is_some_and(|cycle| told.places[index] >= cycle);
    for (index, kept) in kept.iter_mut().enumerate().take(told.events.len()) {
        *kept |= told.events[index].visible && repeats(index);
    }
    let mut first = None;
    let names = Names::new(material.program, material.threads);
    let mut builder = Builder {
        frames: &told.frames,
        program: material.program,
        actions: Actions::new(names, &told.frames),
        steps: Vec::new(),
        open: None,
        stacks: HashMap::default(),
    };
    for (index, (event, kept)) in told.events.iter().zip(&kept).take(told.tail).enumerate() {
        builder.add(event, *kept);
        if first.is_none() && event.visible && repeats(index) {
            first = Some(builder.steps.len());
        }
    }
    let tail: Vec<(&Event, bool)> = told.events.iter().copied().zip(kept).skip(told.tail).collect();
    builder.end(material.report, &last, &tail);
    let mut why = why::explain(material, &told.events, &last, &builder.actions.names);
    why.extend(first.map(|number| format!("The steps from {number} on can be repeated for ever.")));
    Story { threads: threads(material), steps: number(builder.steps), why, abridged: seen.dropped > 0 }
}

/// The instructions at which the violation stands.
fn last_events(material: &Material<'_>) -> Vec<Event> {
    if material.report.threads.is_empty() {
        return material.seen.failed.iter().cloned().collect();
    }
    material.moment.about.clone()
}

fn threads(material: &Material<'_>) -> Vec<StoryThread> {
    let first = |number: usize| {
        let frames = material.seen.frames.iter();
        let own = frames.filter(|frame| frame.thread as usize == number);
        let mut users = own.filter(|frame| !material.program.functions[frame.func].internal);
        users.next().map(|frame| material.program.functions[frame.func].name)
    };
    let paths = material.threads.iter().enumerate();
    paths.map(|(number, path)| StoryThread { path: path.to_string(), function: first(number) }).collect()
}

/// Gives steps their numbers and marks the switches.
fn number(mut steps: Vec<Step>) -> Vec<Step> {
    let mut last = steps.first().map(|step| step.thread);
    for (index, step) in steps.iter_mut().enumerate() {
        step.number = index + 1;
        step.switch = last.replace(step.thread) != Some(step.thread);
    }
    steps
}

/// What makes events belong to one step.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key {
    thread: u32,
    frame: u32,
    file: braid_ir::FileId,
    line: u32,
}

struct Open {
    key: Key,
    /// What the step has executed in its own function.
    executed: Vec<InstrId>,
}

struct Builder<'a> {
    frames: &'a [Activation],
    program: &'a Program,
    actions: Actions<'a>,
    steps: Vec<Step>,
    open: Option<Open>,
    /// Callers of an activation.
    stacks: HashMap<(u32, Loc), Arc<[Call]>>,
}

impl Builder<'_> {
    fn add(&mut self, event: &Event, kept: bool) {
        if event.site.line == 0 || self.is_internal(event.user_frame) || is_idle(event) {
            return;
        }
        self.step_for(event);
        if let Some(step) = self.steps.last_mut() {
            self.actions.add(event, &mut step.actions);
            step.essential |= kept;
        }
    }

    /// Whether the activation belongs to a library model, and so does everything around it.
    fn is_internal(&self, frame: u32) -> bool {
        let activation = self.frames.get(frame as usize);
        activation.is_none_or(|activation| self.program.functions[activation.func].internal)
    }

    /// What each thread says where the violation stands.
    fn texts(&self, report: &Report, last: &[Event]) -> Vec<(u32, String)> {
        let better = |(thread, text): (u32, String)| {
            let event = last.iter().find(|event| event.thread == thread);
            let own = event.and_then(|event| self.about(event, &text));
            (thread, own.unwrap_or(text))
        };
        if report.threads.is_empty() {
            texts(report)
        } else {
            texts(report).into_iter().map(better).collect()
        }
    }

    /// What is about to happen, by the names of the program.
    fn about(&self, event: &Event, text: &str) -> Option<String> {
        // What the program has a name for is named already.
        if text.contains('\'') && !text.contains("(") && !matches!(*event.effect, Effect::Lock(_)) {
            return Some(text.replace('\'', ""));
        }
        let how = |atomic: &bool| if *atomic { "atomically " } else { "" };
        let names = &self.actions.names;
        match &*event.effect {
            Effect::Read { at, atomic, .. } => Some(format!("{}reads {}", how(atomic), names.area(at))),
            Effect::Write { at, atomic, .. } => Some(format!("{}writes {}", how(atomic), names.area(at))),
            Effect::Free(object) => Some(format!("frees {}", names.block(object))),
            Effect::Lock(at) => {
                let holder = text.rsplit_once(" held by ").map(|(_, holder)| holder)?;
                Some(format!("waits for {}, held by {holder}", names.lock(at)))
            }
            _ => None,
        }
    }

    /// Opens a new step if the event does not go on with the last one.
    fn step_for(&mut self, event: &Event) {
        let Loc { file, line, .. } = event.site;
        let key = Key { thread: event.thread, frame: event.user_frame, file, line };
        let own = event.frame == event.user_frame;
        if let Some(open) = self.open.as_mut().filter(|open| open.key == key) {
            // Coming to the same instruction again is another round, but for leaves of a copy.
            let again =
                own && open.executed.contains(&event.instr) && open.executed.last() != Some(&event.instr);
            if !again {
                if own {
                    open.executed.push(event.instr);
                }
                return self.begin_earlier(event);
            }
        }
        let executed = if own { vec![event.instr] } else { Vec::new() };
        self.open = Some(Open { key, executed });
        let stack = self.stack(event.user_frame, event.site);
        let thread = event.thread as usize;
        let (actions, place) = (Vec::new(), event.site);
        self.steps.push(Step { number: 0, thread, place, stack, actions, essential: false, switch: false });
    }

    /// A step stands where its leftmost part does: a call before its arguments.
    fn begin_earlier(&mut self, event: &Event) {
        let column = event.site.column;
        if self.steps.last().is_some_and(|step| column > 0 && column < step.place.column) {
            let stack = self.stack(event.user_frame, event.site);
            if let Some(step) = self.steps.last_mut() {
                (step.place, step.stack) = (event.site, stack);
            }
        }
    }

    fn stack(&mut self, frame: u32, place: Loc) -> Arc<[Call]> {
        if let Some(stack) = self.stacks.get(&(frame, place)) {
            return stack.clone();
        }
        let mut calls = Vec::new();
        let (mut next, mut at) = (Some(frame), place);
        while let Some(activation) = next.and_then(|frame| self.frames.get(frame as usize)) {
            let function = &self.program.functions[activation.func];
            if !function.internal && at.line > 0 {
                calls.push(Call { function: function.name, place: at });
            }
            (next, at) = (activation.caller, activation.call);
        }
        let stack: Arc<[Call]> = calls.into();
        self.stacks.insert((frame, place), stack.clone());
        stack
    }

    /// The steps at which the violation stands, and what their threads did before that nobody noticed.
    fn end(&mut self, report: &Report, last: &[Event], tail: &[(&Event, bool)]) {
        let mut texts = self.texts(report, last);
        // Whoever ran last goes on.
        let running = self.steps.last().map(|step| step.thread);
        texts.sort_by_key(|(thread, _)| Some(*thread as usize) != running);
        for (thread, text) in texts {
            for (event, kept) in tail.iter().filter(|(event, _)| event.thread == thread) {
                self.add(event, *kept);
            }
            let shown = |event: &&Event| event.site.line > 0 && !self.is_internal(event.user_frame);
            match last.iter().filter(|event| event.thread == thread).find(shown) {
                Some(event) => self.step_for(event),
                None => self.step_at(thread, report),
            }
            if let Some(step) = self.steps.last_mut() {
                step.essential = true;
                step.actions.push(Action::Violate { text });
            }
        }
    }

    /// A step for a violation that no instruction stands for, such as a leak at the end.
    fn step_at(&mut self, thread: u32, report: &Report) {
        // What comes after the last line of the program is told with it.
        if matches!(report.check, Check::MemoryLeak | Check::MemoryCleanup)
            && self.steps.last().is_some_and(|step| step.thread == thread as usize)
        {
            return;
        }
        let goes_on = self.steps.last().is_some_and(|step| {
            step.thread == thread as usize
                && (step.place.file, step.place.line) == (report.place.file, report.place.line)
        });
        if goes_on {
            return;
        }
        let user = report.stack.iter().filter(|entry| !entry.internal && entry.loc.line > 0);
        let stack: Vec<Call> =
            user.map(|entry| Call { function: entry.function, place: entry.loc }).collect();
        self.open = None;
        self.steps.push(Step {
            number: 0,
            thread: thread as usize,
            place: report.place,
            stack: stack.into(),
            actions: Vec::new(),
            essential: true,
            switch: false,
        });
    }
}

/// The blocks that a leak is about: those of its place that are left.
fn lost(report: &Report, events: &[&Event]) -> Vec<u64> {
    if !matches!(report.check, Check::MemoryLeak | Check::MemoryCleanup) {
        return Vec::new();
    }
    let mut blocks: Vec<u64> = Vec::new();
    for event in events {
        match &*event.effect {
            Effect::Alloc(object) if event.site == report.place => blocks.push(object.base),
            Effect::Free(object) => blocks.retain(|block| *block != object.base),
            _ => {}
        }
    }
    blocks
}

/// Whether the instruction only arranges for others: a jump, or a variable that comes to life.
fn is_idle(event: &Event) -> bool {
    let sets_register = event.sets.iter().any(|link| matches!(link, Link::Reg { .. }));
    *event.effect == Effect::Nothing && event.uses.is_empty() && !sets_register
}

/// What the violation says: for races and deadlocks each thread its own part.
fn texts(report: &Report) -> Vec<(u32, String)> {
    if report.threads.is_empty() {
        return vec![(report.thread, report.message.clone())];
    }
    report.threads.iter().map(|view| (view.number, view.text.clone())).collect()
}

/// The visible steps alone, by source lines, of an execution that was too long to be watched to its end.
fn abridged(material: &Material<'_>) -> Story {
    let number_of = |path: &ThreadPath| material.threads.iter().position(|thread| thread == path);
    let mut steps: Vec<Step> = Vec::new();
    for op in material.trace.steps.iter().filter(|op| op.loc.line > 0) {
        let Some(thread) = number_of(&op.thread) else { continue };
        let same = |step: &Step| step.thread == thread && step.place == op.loc;
        if !steps.last().is_some_and(same) {
            let stack: Arc<[Call]> = [Call { function: op.function, place: op.loc }].into();
            let actions = Vec::new();
            steps.push(Step {
                number: 0,
                thread,
                place: op.loc,
                stack,
                actions,
                essential: true,
                switch: false,
            });
        }
    }
    for (thread, text) in texts(material.report) {
        let view = material.report.threads.iter().find(|view| view.number == thread);
        let place = view.map_or(material.report.place, |view| view.place);
        let entries = view.map_or(&material.report.stack, |view| &view.stack);
        let user = entries.iter().filter(|entry| !entry.internal);
        let stack: Vec<Call> =
            user.map(|entry| Call { function: entry.function, place: entry.loc }).collect();
        let (actions, stack) = (vec![Action::Violate { text }], stack.into());
        let thread = thread as usize;
        steps.push(Step { number: 0, thread, place, stack, actions, essential: true, switch: false });
    }
    let names = Names::new(material.program, material.threads);
    let why = why::explain(material, &[], &[], &names);
    Story { threads: threads(material), steps: number(steps), why, abridged: true }
}
