//! Follows a recording, up to its violation; operations that are not listed run just before their thread's
//! next listed one. The judge ([`Machine::replay_to_violation`]) goes no further: nothing says that the
//! program ever would come to an end.
//!
//! A cycle of waits may go through atomic sections: what one waits for shows when it is tried; with all
//! answers, if it asks for values.

use crate::env::{Environment, Trial};
use crate::machine::{Machine, Step};
use crate::recorder::{Recorder, Replay};
use crate::report::{Outcome, Report};
use crate::run::Picker;
use crate::state::Status;
use crate::trace::{ChoiceLabel, OpRef, ThreadPath, Trace, TraceEnd};
use crate::transition::Moved;
use crate::visible::StepKind;
use crate::watch::{Moment, Observation};
use braid_ir::ChoiceKind;
use braid_props::Check;

/// So many visible steps that are not listed may lie before one that is. A pause counts as many, because
/// it comes after many steps that nobody sees.
const PATIENCE: u32 = 1_000_000;
const PAUSE_COST: u32 = 500;

/// A schedule does not fit the program: the first listed step that does not match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    pub index: usize,
    pub expected: OpRef,
    pub found: String,
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let OpRef { thread, function, instr, occurrence, .. } = &self.expected;
        write!(
            f,
            "step {} of the schedule ({thread}: {instr} of '{function}', occurrence {occurrence}) does not fit: {}",
            self.index + 1,
            self.found
        )
    }
}

impl std::error::Error for Mismatch {}

/// A replay that was watched.
#[derive(Clone, PartialEq, Debug)]
pub struct Replayed {
    /// `None` if the program goes on.
    pub outcome: Option<Outcome>,
    /// Races and cycles of waits found on the way, and when.
    pub recorded: Vec<(Report, Moment)>,
    pub seen: Observation,
    /// The threads that the outcome is about, at the end.
    pub last: Moment,
    /// By number: the spawn paths of all threads.
    pub threads: Vec<ThreadPath>,
}

impl Machine<'_> {
    /// The same as [`Machine::replay_to_violation`], with everything that was done on the way.
    pub fn watch_to_violation(
        &mut self,
        env: &mut dyn Environment,
        trace: &Trace,
    ) -> Result<Replayed, Box<Mismatch>> {
        self.watch();
        let outcome = self.replay(trace, env)?;
        let waiting: Vec<(usize, Option<u64>)> = match &outcome {
            Some(Outcome::Violation(report)) => {
                report.threads.iter().map(|view| (view.number as usize, view.lock)).collect()
            }
            Some(_) | None => Vec::new(),
        };
        let last = self.moment(&waiting);
        let findings = self.findings.list().iter();
        Ok(Replayed {
            outcome,
            recorded: findings.map(|found| (found.report.clone(), found.moment.clone())).collect(),
            seen: self.watch.take().map(|watch| watch.seen).unwrap_or_default(),
            last,
            threads: self.state.threads.iter().map(|thread| thread.path.clone()).collect(),
        })
    }

    /// Follows a recording to its violation and no further; `None` if that is not there and the program
    /// goes on. With the races and cycles of waits found on the way.
    pub fn replay_to_violation(
        &mut self,
        env: &mut dyn Environment,
        trace: &Trace,
    ) -> Result<(Option<Outcome>, Vec<Report>), Box<Mismatch>> {
        let outcome = self.replay(trace, env)?;
        Ok((outcome, self.recorded()))
    }

    /// The visible steps that a replay has taken, listed or not, without the one that ended it.
    pub fn steps_replayed(&self, end: Option<&TraceEnd>) -> Vec<OpRef> {
        let taken = self.recorder.as_ref().map_or(&[][..], |recorder| &recorder.trace.steps);
        let ends = |op: &OpRef| end.is_some_and(|end| end.at.iter().any(|at| at.same(op)));
        let count = taken.len() - usize::from(taken.last().is_some_and(ends));
        taken[..count].to_vec()
    }

    /// Follows a recording; the end of the run if it came on the way.
    pub(crate) fn replay(
        &mut self,
        trace: &Trace,
        env: &mut dyn Environment,
    ) -> Result<Option<Outcome>, Box<Mismatch>> {
        if trace.choices.iter().any(|choice| choice.kind == ChoiceLabel::Kind(ChoiceKind::Base)) {
            self.options.reuse = true;
            self.state.memory.reuse = true;
        }
        let mut recorder = Recorder::default();
        recorder.replay = Some(Replay::new(trace));
        self.recorder = Some(Box::new(recorder));
        self.tour = None;
        let from =
            trace.violation.as_ref().filter(|end| end.check == Check::Livelock).and_then(|end| end.from);
        for (index, step) in trace.steps.iter().enumerate() {
            if from == Some(index) {
                self.begin_tour(env);
            }
            let ended = self.replay_step(step, env);
            match ended {
                Ok(None) => {}
                Ok(Some(outcome)) => return Ok(Some(outcome)),
                Err(found) => return Err(Box::new(Mismatch { index, expected: step.clone(), found })),
            }
        }
        let Some(end) = &trace.violation else { return Ok(None) };
        if end.at.is_empty() {
            return Ok(self.run_to_end(env));
        }
        if end.check == Check::Livelock {
            return Ok(self.end_tour());
        }
        for op in &end.at {
            if let Some(outcome) = self.bring_to(op, env) {
                return Ok(Some(outcome));
            }
        }
        let pending = self.look();
        if end.check == Check::Deadlock {
            self.look_inside(env);
            self.find_spins(&pending, env);
        }
        Ok(self.stands_at(end).or_else(|| self.comes_next(end, env)))
    }

    /// Looks for cycles of waits that go through sections: what one waits for shows when it is tried. The
    /// answers it gets meanwhile belong to the recording.
    pub(crate) fn look_inside(&mut self, env: &mut dyn Environment) {
        let mut waits = vec![None; self.state.threads.len()];
        let before = self.state.clone();
        // What is tried here does not happen.
        let watch = self.watch.take();
        let mut answers = Vec::new();
        for (thread, wait) in waits.iter_mut().enumerate() {
            *wait = self.wait_of(thread);
            if self.pending(thread).is_none_or(|pending| pending.kind != StepKind::Section) {
                continue;
            }
            let recorder = self.recorder.clone();
            if let Ok(Moved::Blocked(inner)) = self.transition(thread, &mut Trial(env)) {
                *wait = if self.asked_inside { self.waits_anyway(thread, env).flatten() } else { inner };
                answers.extend(self.recorder.as_mut().map(|recorder| std::mem::take(&mut recorder.dropped)));
            }
            self.recorder = recorder;
            self.state = before.clone();
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.trace.choices.extend(answers.into_iter().flatten());
        }
        self.watch = watch;
        self.find_cycles_in(&waits);
    }

    /// The violation that ends the run where a recording stands: a step of the thread it names, or that
    /// nobody can go on.
    fn comes_next(&mut self, end: &TraceEnd, env: &mut dyn Environment) -> Option<Outcome> {
        let ended = if end.check == Check::Deadlock {
            self.take_turn(env, &mut Picker::in_order())
        } else {
            let stands = |thread: &usize| {
                let ready = self.state.threads[*thread].status == Status::Ready && !self.state.frozen;
                ready && end.at.iter().any(|op| self.next_op(*thread).same(op))
            };
            let thread = (0..self.state.threads.len()).find(stands)?;
            self.transition(thread, env).map(|_| None)
        };
        ended.unwrap_or_else(|outcome| Some(*outcome))
    }

    /// The outcome of a program that ends with its last thread: nobody can see what is left to do, and no step stands at
    /// the end.
    fn run_to_end(&mut self, env: &mut dyn Environment) -> Option<Outcome> {
        let mut picker = Picker::in_order();
        for _ in 0..PATIENCE {
            match self.take_turn(env, &mut picker) {
                Ok(None) => {}
                Ok(Some(outcome)) => return Some(outcome),
                Err(outcome) => return Some(*outcome),
            }
        }
        None
    }

    /// The race or cycle of waits that a recording ends with, if it has been found: the replay ends
    /// there, because nothing says that the program ever would.
    fn stands_at(&self, end: &TraceEnd) -> Option<Outcome> {
        let same = |at: &[OpRef]| {
            at.len() == end.at.len() && end.at.iter().all(|op| at.iter().any(|other| op.same(other)))
        };
        let mut findings = self.findings.list().iter();
        let finding = findings.find(|finding| finding.report.check == end.check && same(&finding.at))?;
        Some(Outcome::Violation(Box::new(finding.report.clone())))
    }

    fn thread_named(&self, op: &OpRef) -> Option<usize> {
        self.state.threads.iter().position(|thread| thread.path == op.thread)
    }

    fn take_listed(&mut self, thread: usize, op: &OpRef) -> bool {
        let replay = self.recorder.as_mut().and_then(|recorder| recorder.replay.as_mut());
        replay.is_some_and(|replay| replay.take(thread as u32, op.instr, op.occurrence))
    }

    /// Runs the step's thread until it has executed the step; says what is there instead otherwise.
    fn replay_step(&mut self, step: &OpRef, env: &mut dyn Environment) -> Result<Option<Outcome>, String> {
        let mut patience = PATIENCE;
        while patience > 0 {
            let Some(thread) = self.thread_named(step) else {
                return Err("there is no such thread at this point".into());
            };
            if self.take_listed(thread, step) {
                return Ok(None);
            }
            let count = self.recorder.as_ref().map_or(0, |r| r.count(thread as u32, step.instr));
            if count > step.occurrence {
                return Err("that operation has been executed already".into());
            }
            if self.state.threads[thread].status != Status::Ready || self.state.frozen {
                return Err("the thread has ended or stopped before it".into());
            }
            if let Err(outcome) = self.poll() {
                return Ok(Some(*outcome));
            }
            self.look();
            match self.tour_step(thread, env) {
                Ok(Moved::Done) => patience = patience.saturating_sub(self.cost_of_step(thread)),
                Ok(Moved::Blocked(_) | Moved::Refused(_)) => {
                    let next = self.next_op(thread);
                    let place = crate::object::place_text(self.image.program, next.loc);
                    return Err(format!(
                        "the thread has to wait at {} of '{}', {place}",
                        next.instr, next.function
                    ));
                }
                Err(outcome) => return Ok(Some(*outcome)),
            }
        }
        Err(format!("the thread does not come to it within {PATIENCE} steps"))
    }

    fn cost_of_step(&self, thread: usize) -> u32 {
        if self.state.threads[thread].paused { PAUSE_COST } else { 1 }
    }

    /// Runs the thread until it stands before the operation, as far as it goes without waiting.
    fn bring_to(&mut self, op: &OpRef, env: &mut dyn Environment) -> Option<Outcome> {
        let thread = self.thread_named(op)?;
        let mut patience = PATIENCE;
        while patience > 0 {
            let count = self.recorder.as_ref().map_or(0, |r| r.count(thread as u32, op.instr));
            let ready = self.state.threads[thread].status == Status::Ready && !self.state.frozen;
            if !ready || self.next_op(thread).same(op) || count > op.occurrence {
                return None;
            }
            if let Err(outcome) = self.poll() {
                return Some(*outcome);
            }
            self.look();
            match self.approach(thread, env) {
                Ok(Moved::Done) => patience = patience.saturating_sub(self.cost_of_step(thread)),
                Ok(Moved::Blocked(_) | Moved::Refused(_)) => return None,
                Err(outcome) => return Some(*outcome),
            }
        }
        None
    }

    /// A transition of a thread; only one instruction if no other thread is ready, for then transitions are long.
    fn approach(&mut self, thread: usize, env: &mut dyn Environment) -> Step<Moved> {
        self.state.switch_to(thread);
        let at = &mut self.state.threads[thread];
        if !self.state.alone || at.unentered || at.fresh {
            return self.transition(thread, env);
        }
        (at.doomed, at.paused) = (false, false);
        let moved = self.recorded_step(env)?;
        if moved == Moved::Done && !self.state.alone {
            self.no_longer_alone(env)?;
        }
        Ok(moved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestEnv, main_of, program};
    use crate::{Image, Limits, Options};
    use braid_base::Symbol;
    use braid_ir::{InstrId, Loc};
    use braid_props::CheckSet;
    use std::time::Instant;

    const ENDLESS: &str = "b0:\n%0 = load i32 @x\njump b0";

    /// What a claim about main's first instruction comes to in a program that loops for ever.
    fn judge(check: Check, occurrence: u32, deadline: Option<Instant>) -> Option<Outcome> {
        let items = "shape s0 = i32\nglobal @x s0 size 4 align 4";
        let program = program(&main_of(items, "%0 i32", ENDLESS));
        let checks = CheckSet::all();
        let image = Image::new(&program, checks).expect("a program that runs");
        let limits = Limits { deadline, ..Limits::default() };
        let options = Options { question: braid_ir::Question::about(checks), limits, ..Options::default() };
        let mut machine = Machine::new(&image, options).expect("a machine");
        let (thread, function) = (machine.state.threads[0].path.clone(), Symbol::intern("main"));
        let at = OpRef { thread, function, instr: InstrId(0), occurrence, loc: Loc::NONE };
        let trace =
            Trace { violation: Some(TraceEnd { check, at: vec![at], from: None }), ..Trace::default() };
        let replayed = machine.replay_to_violation(&mut TestEnv::default(), &trace);
        let (outcome, recorded) = replayed.expect("no step is listed");
        assert!(recorded.is_empty());
        outcome
    }

    #[test]
    fn what_is_not_there_does_not_make_the_judge_go_on_for_ever() {
        assert_eq!(judge(Check::Deadlock, 0, None), None);
        assert_eq!(judge(Check::Assertion, 0, None), None);
    }

    #[test]
    fn the_judge_keeps_the_deadline() {
        let outcome = judge(Check::Assertion, u32::MAX, Some(Instant::now()));
        let timeout = crate::Resource::Timeout;
        assert!(matches!(outcome, Some(Outcome::ResourceLimit { resource, .. }) if resource == timeout));
    }
}
