//! Transitions: one visible step of a thread and the steps that follow it up to the next visible one.
//!
//! Between transitions every thread that can run stands right before a visible step (see
//! [`crate::visible`]); what the steps in between do, nobody else can notice. A step that would end the
//! execution is not taken on the way: others may still run before it, so the thread stops before it.
//!
//! An atomic section is one transition. It is tried on the state itself; if an `assume` in it fails
//! or something in it would have to wait, it was not entered and the state is put back.

use crate::deadlock::Wait;
use crate::env::Environment;
use crate::footprint::{Footprint, Touch};
use crate::machine::{Machine, POLL, Step};
use crate::report::{Outcome, Resource};
use crate::state::{State, Status};
use crate::visible::StepKind;
use braid_base::faults::active;
use braid_ir::Loc;

/// After so many steps that nobody can see, a thread pauses.
const PAUSE: u32 = 20_000;

/// A section that takes more steps is given up.
const SECTION: u32 = 2_000_000;

/// Threads in a copy of a state that count as one instruction.
const COPIED: u64 = 2;

/// What became of a transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Moved {
    Done,
    /// It has to wait; nothing has changed.
    Blocked(Option<Wait>),
    /// A section whose `assume` does not hold; nothing has changed.
    Refused(Loc),
}

/// An access another thread is about to make while a section runs.
struct Rival {
    thread: usize,
    touch: Touch,
}

impl Machine<'_> {
    /// Takes the visible step the thread stands before, and what follows up to its next one.
    pub(crate) fn transition(&mut self, thread: usize, env: &mut dyn Environment) -> Step<Moved> {
        self.state.switch_to(thread);
        self.touched = Footprint::default();
        self.asked_inside = false;
        if self.state.alone {
            self.clear_marks(thread);
            let moved = self.advance(thread, env)?;
            if moved == Moved::Done {
                self.settle_new(env)?;
            }
            return Ok(moved);
        }
        let pending = self.pending(thread);
        self.clear_marks(thread);
        let moved = match pending {
            Some(pending) if pending.kind == StepKind::Section => self.section(env)?,
            Some(pending) => {
                self.touched = pending.footprint;
                self.single_step(env)?
            }
            // What it stands before has become invalid since.
            None => self.single_step(env)?,
        };
        if moved == Moved::Done {
            self.advance(thread, env)?;
            self.settle_new(env)?;
        }
        Ok(moved)
    }

    fn clear_marks(&mut self, thread: usize) {
        let thread = &mut self.state.threads[thread];
        thread.doomed = false;
        thread.paused = false;
    }

    fn single_step(&mut self, env: &mut dyn Environment) -> Step<Moved> {
        self.list_step(self.state.current);
        match self.counted_step(env) {
            Ok(()) => Ok(Moved::Done),
            Err(outcome) => match *outcome {
                Outcome::Blocked { .. } => {
                    if let Some(recorder) = &mut self.recorder {
                        recorder.trace.steps.pop();
                    }
                    Ok(Moved::Blocked(self.wait_of(self.state.current)))
                }
                Outcome::AssumeFailed { place } => {
                    self.state.retire(Status::Stopped(place));
                    Ok(Moved::Done)
                }
                _ => Err(outcome),
            },
        }
    }

    /// A step that the recorder, if there is one, knows of.
    #[inline]
    pub(crate) fn counted_step(&mut self, env: &mut dyn Environment) -> Step {
        self.count_step();
        self.work += 1;
        if let Some(trail) = &mut self.trail {
            let at = &self.state.threads[self.state.current];
            trail.insert((at.callers.len() as u32, at.frame.pc));
        }
        let result = if self.watch.is_some() { self.watched_step(env) } else { self.step(env) };
        if let Err(outcome) = &result
            && matches!(**outcome, Outcome::Blocked { .. })
        {
            self.uncount_step();
        }
        result
    }

    /// Brings new threads to their first visible steps.
    pub(crate) fn settle_new(&mut self, env: &mut dyn Environment) -> Step {
        let mut index = 0;
        while index < self.state.threads.len() {
            if self.state.threads[index].fresh && self.state.threads[index].status == Status::Ready {
                self.state.switch_to(index);
                self.advance(index, env)?;
            }
            index += 1;
        }
        Ok(())
    }

    /// Runs the thread up to its next visible step; if it is alone, as far as it goes. It is blocked only
    /// if it could not take a single step.
    fn advance(&mut self, thread: usize, env: &mut dyn Environment) -> Step<Moved> {
        if self.state.threads[thread].fresh {
            self.state.threads[thread].fresh = false;
        }
        let asked = self.asked;
        for step in 0..SECTION {
            let at = &self.state.threads[thread];
            let between = at.section == 0;
            if at.status != Status::Ready || !self.state.alone && between && self.pending(thread).is_some() {
                return Ok(Moved::Done);
            }
            if between && step >= PAUSE {
                break;
            }
            let pc = at.frame.pc;
            if self.state.alone && self.enters_section(at) {
                match self.section(env)? {
                    Moved::Done => continue,
                    Moved::Blocked(wait) if step == 0 => return Ok(Moved::Blocked(wait)),
                    Moved::Blocked(_) => return Ok(Moved::Done),
                    Moved::Refused(place) => {
                        self.state.retire(Status::Stopped(place));
                        return Ok(Moved::Done);
                    }
                }
            }
            let Err(outcome) = self.counted_step(env) else {
                // A choice is a good place to compare states; with others around it would cost more.
                if self.state.alone && self.asked != asked {
                    break;
                }
                continue;
            };
            match *outcome {
                // Not alone inside a section: a run without exploration entered it alone, and it has
                // started a thread since.
                Outcome::Blocked { .. } | Outcome::AssumeFailed { .. } if !self.state.alone && !between => {
                    return Err(
                        self.unsupported("an atomic section that starts a thread and then cannot go on")
                    );
                }
                Outcome::Blocked { .. } if step == 0 => return Ok(Moved::Blocked(self.wait_of(thread))),
                Outcome::Blocked { .. } => return Ok(Moved::Done),
                Outcome::AssumeFailed { place } => {
                    self.state.retire(Status::Stopped(place));
                    return Ok(Moved::Done);
                }
                _ if self.state.alone || !between || active("violation-comes-early") => {
                    return Err(outcome);
                }
                _ => {
                    let at = &mut self.state.threads[thread];
                    at.frame.pc = pc;
                    at.doomed = true;
                    self.uncount_step();
                    return Ok(Moved::Done);
                }
            }
        }
        // A visible step stays what it is, however late it comes.
        self.state.threads[thread].paused = self.pending(thread).is_none();
        Ok(Moved::Done)
    }

    /// Runs the section the running thread stands before.
    pub(crate) fn section(&mut self, env: &mut dyn Environment) -> Step<Moved> {
        let mut before = self.state.clone();
        self.work += self.state.threads.len() as u64 / COPIED;
        let mark = self.recorder.as_mut().map(|recorder| recorder.mark());
        let watched = self.watch.as_ref().map_or(0, |watch| watch.position());
        let found = self.findings.len();
        let thread = self.state.current;
        self.list_step(thread);
        let mut rivals = None;
        self.asked_inside = false;
        let at = &mut self.state.threads[thread];
        if at.unentered {
            at.unentered = false;
            at.section += 1;
        }
        for step in 1..=SECTION {
            if step % POLL == 0 {
                self.poll()?;
            }
            self.note_inside(thread, &mut rivals, &mut before);
            if let Err(outcome) = self.counted_step(env) {
                let moved = match *outcome {
                    Outcome::AssumeFailed { place } if active("section-not-rolled-back") => {
                        self.state.retire(Status::Stopped(place));
                        return Ok(Moved::Done);
                    }
                    Outcome::Blocked { .. } => {
                        // A thread that the section itself has started is gone with it.
                        let wait = self.wait_of(thread);
                        Moved::Blocked(wait.and_then(|wait| wait.before(before.threads.len())))
                    }
                    Outcome::AssumeFailed { place } => Moved::Refused(place),
                    _ => return Err(outcome),
                };
                let (address, stale) = (self.state.depends_on_address, self.state.memory.stale.get());
                self.state = before;
                self.state.depends_on_address = address;
                self.state.memory.stale.set(stale);
                if !active("refused-section-races") {
                    self.findings.truncate(found);
                }
                if let (Some(recorder), Some(mark)) = (&mut self.recorder, &mark) {
                    recorder.go_back(mark);
                }
                if let Some(watch) = &mut self.watch {
                    watch.go_back(watched);
                }
                return Ok(moved);
            }
            let at = &self.state.threads[thread];
            if at.section == 0 || at.status != Status::Ready {
                if let Some(recorder) = &mut self.recorder {
                    recorder.keep();
                }
                return Ok(Moved::Done);
            }
        }
        Err(self.resource(Resource::Endless { steps: SECTION }))
    }

    /// Whether accesses inside sections are looked at for races.
    pub(crate) fn races_in_sections(&self) -> bool {
        self.options.question.races_in_sections() && self.looks_for_races()
    }

    /// The accesses the other threads are about to make.
    fn rivals(&self, thread: usize) -> Vec<Rival> {
        if !self.races_in_sections() {
            return Vec::new();
        }
        let mut rivals = Vec::new();
        // Most threads of a program with many wait, or stand before a section of their own.
        let others = (0..self.state.threads.len()).filter(|other| *other != thread);
        for other in others.filter(|other| self.may_race_or_wait(*other)) {
            let Some(pending) = self.pending(other) else { continue };
            let touches = pending.footprint.touches().filter(|touch| touch.races);
            rivals.extend(touches.map(|touch| Rival { thread: other, touch: *touch }));
        }
        rivals
    }

    /// What the next instruction of a section touches. The rivals are those of the state `before` the section; they
    /// are looked for when the first access comes that can race.
    fn note_inside(&mut self, thread: usize, rivals: &mut Option<Vec<Rival>>, before: &mut State) {
        let Some(pending) = self.step_at(&self.state.threads[thread]) else { return };
        if rivals.is_none() && pending.footprint.touches().any(|touch| touch.races) {
            std::mem::swap(&mut self.state, before);
            *rivals = Some(self.rivals(thread));
            std::mem::swap(&mut self.state, before);
        }
        for rival in rivals.iter().flatten() {
            if let Some(touch) = pending.footprint.touches().find(|touch| touch.races_with(&rival.touch)) {
                self.race_found((thread, *touch), (rival.thread, rival.touch));
            }
        }
        self.touched.extend(&pending.footprint);
    }
}
