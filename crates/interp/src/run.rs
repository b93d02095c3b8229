//! One run under a schedule.
//!
//! In order: the running thread goes on until it waits or ends, then the lowest number that can go
//! (after very many steps of one thread the next one gets its turn, for the sake of programs that wait
//! by looping). At random: any thread that can go, at every scheduling point. Replay: the steps of a
//! recording, up to its violation; operations that are not listed run just before their thread's next
//! listed one. A recording without a violation goes on in order.

use crate::env::Environment;
use crate::machine::{Machine, POLL, Step};
use crate::recorder::{Recorder, Replay};
use crate::report::{Outcome, Report};
use crate::state::Status;
use crate::trace::{OpRef, Trace, TraceEnd};
use crate::transition::Moved;
use crate::visible::{Pending, StepKind};
use braid_ir::Loc;
use braid_props::Check;

/// Steps in a row after which another thread gets its turn.
const TURN: u32 = 10_000;

/// A thread that is alone takes so many steps at once.
const BATCH: u32 = 64;

/// So many visible steps that are not listed may lie before one that is.
const PATIENCE: u32 = 1_000_000;

/// Who runs next.
#[derive(Clone, Debug, Default)]
pub enum Schedule {
    #[default]
    InOrder,
    /// Pseudo-random, by a seed. Choices other than of threads are the environment's.
    Random(u64),
    Replay(Trace),
}

/// How a run went.
#[derive(Clone, Debug)]
pub struct Run {
    pub outcome: Outcome,
    /// Races and cycles of waits in the order found; execution went on after them.
    pub recorded: Vec<Report>,
    /// What happened; empty unless asked for.
    pub trace: Trace,
}

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

/// Picks threads.
struct Picker {
    random: Option<u64>,
    turn: u32,
}

impl Picker {
    /// The threads in the order in which they are to be tried.
    fn order(&mut self, machine: &Machine) -> Vec<usize> {
        let threads = &machine.state.threads;
        let mut order: Vec<usize> =
            (0..threads.len()).filter(|thread| threads[*thread].status == Status::Ready).collect();
        if let Some(state) = &mut self.random {
            for i in (1..order.len()).rev() {
                order.swap(i, random_below(state, i as u64 + 1) as usize);
            }
            return order;
        }
        let current = machine.state.current;
        if let Some(index) = order.iter().position(|thread| *thread == current) {
            if self.turn < TURN {
                order.remove(index);
                order.insert(0, current);
            } else {
                order.rotate_left(index + 1);
                self.turn = 0;
            }
        }
        order
    }
}

/// SplitMix64, cut to a range.
fn random_below(state: &mut u64, limit: u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ z >> 31) % limit
}

impl Machine<'_> {
    /// Runs to the end, threads in order.
    pub fn run(&mut self, env: &mut dyn Environment) -> Outcome {
        self.go_on(env, &mut Picker { random: None, turn: 0 })
    }

    /// Runs to the end under a schedule.
    pub fn run_scheduled(
        &mut self,
        env: &mut dyn Environment,
        schedule: &Schedule,
        record: bool,
    ) -> Result<Run, Box<Mismatch>> {
        let mut picker = Picker { random: None, turn: 0 };
        if record {
            self.recorder = Some(Box::default());
        }
        let mut outcome = None;
        match schedule {
            Schedule::InOrder => {}
            Schedule::Random(seed) => picker.random = Some(*seed),
            Schedule::Replay(trace) => {
                let mut recorder = Recorder::default();
                recorder.replay = Some(Replay::new(trace));
                self.recorder = Some(Box::new(recorder));
                outcome = self.replay(trace, env)?;
            }
        }
        let outcome = outcome.unwrap_or_else(|| self.go_on(env, &mut picker));
        Ok(self.result(outcome))
    }

    fn result(&mut self, outcome: Outcome) -> Run {
        let end = self.end_of(&outcome);
        let mut trace = self.recorder.take().map(|recorder| recorder.trace).unwrap_or_default();
        trace.violation = end;
        let recorded = self.findings.list().iter().map(|finding| finding.report.clone()).collect();
        Run { outcome, recorded, trace }
    }

    /// The violation that a recording ends with, if there is one.
    pub(crate) fn end_of(&self, outcome: &Outcome) -> Option<TraceEnd> {
        if let Outcome::Violation(report) = outcome {
            let waiting = report.threads.iter().map(|view| self.next_op(view.number as usize));
            let mut at: Vec<OpRef> = waiting.collect();
            if at.is_empty() {
                at.push(self.running_op());
            }
            return Some(TraceEnd { check: report.check, at });
        }
        let finding = self.findings.list().first()?;
        Some(TraceEnd { check: finding.report.check, at: finding.at.clone() })
    }

    fn go_on(&mut self, env: &mut dyn Environment, picker: &mut Picker) -> Outcome {
        match self.go_until_end(env, picker) {
            Ok(outcome) => outcome,
            Err(outcome) => *outcome,
        }
    }

    fn go_until_end(&mut self, env: &mut dyn Environment, picker: &mut Picker) -> Step<Outcome> {
        let mut steps = 0;
        loop {
            if self.state.frozen || self.state.ready == 0 {
                return Ok(self.conclude(&[], None));
            }
            if self.state.ready == 1 {
                if let Some(outcome) = self.run_alone(env)? {
                    return Ok(outcome);
                }
                self.settle_new(env)?;
                continue;
            }
            self.settle_new(env)?;
            steps += 1;
            if steps % POLL == 0 {
                self.poll()?;
            }
            self.look();
            if let Some(outcome) = self.take_turn(env, picker)? {
                return Ok(outcome);
            }
        }
    }

    /// Looks for what is wrong in the state at a scheduling point.
    pub(crate) fn look(&mut self) -> Vec<Option<Pending>> {
        let pending: Vec<_> = (0..self.state.threads.len()).map(|thread| self.pending(thread)).collect();
        self.find_races(&pending);
        self.find_cycles(&pending);
        pending
    }

    /// One transition of the first thread that can go; the end if there is none.
    fn take_turn(&mut self, env: &mut dyn Environment, picker: &mut Picker) -> Step<Option<Outcome>> {
        let mut waits = vec![None; self.state.threads.len()];
        let mut refused: Option<Loc> = None;
        let last = self.state.current;
        for thread in picker.order(self) {
            match self.transition(thread, env)? {
                Moved::Done => {
                    picker.turn = if thread == last { picker.turn + 1 } else { 0 };
                    self.state.switch_to(thread);
                    return Ok(None);
                }
                Moved::Blocked(wait) => waits[thread] = wait,
                Moved::Refused(place) => refused = Some(place),
            }
        }
        self.find_cycles_in(&waits);
        Ok(Some(self.conclude(&waits, refused)))
    }

    /// Runs the only thread that is ready until there are more or it ends; the end of the run if it
    /// has to wait.
    fn run_alone(&mut self, env: &mut dyn Environment) -> Step<Option<Outcome>> {
        let ready = self.state.threads.iter().position(|thread| thread.status == Status::Ready);
        let Some(thread) = ready else { return Ok(None) };
        self.state.switch_to(thread);
        let at = &mut self.state.threads[thread];
        (at.fresh, at.doomed, at.paused) = (false, false, false);
        if at.unentered {
            at.unentered = false;
            at.section += 1;
        }
        loop {
            for _ in 0..POLL {
                let moved =
                    if self.recorder.is_some() { self.recorded_step(env) } else { self.alone_steps(env) };
                match moved? {
                    Moved::Done if self.state.alone => {}
                    Moved::Done => return self.no_longer_alone(env).map(|()| None),
                    Moved::Blocked(wait) => {
                        let mut waits = vec![None; self.state.threads.len()];
                        waits[self.state.current] = wait;
                        self.find_cycles_in(&waits);
                        return Ok(Some(self.conclude(&waits, None)));
                    }
                    Moved::Refused(place) => {
                        self.state.retire(Status::Stopped(place));
                        return Ok(None);
                    }
                }
            }
            self.poll()?;
        }
    }

    /// Some steps, straight through sections: nobody can see inside.
    fn alone_steps(&mut self, env: &mut dyn Environment) -> Step<Moved> {
        let result = self.steps(BATCH, env);
        self.moved_alone(result)
    }

    /// One step; a section as a whole, because it may start a thread and then turn out not to be entered.
    fn recorded_step(&mut self, env: &mut dyn Environment) -> Step<Moved> {
        if self.enters_section(&self.state.threads[self.state.current]) {
            return self.section(env);
        }
        let result = self.counted_step(env);
        self.moved_alone(result)
    }

    fn moved_alone(&mut self, result: Step) -> Step<Moved> {
        match result {
            Ok(()) => Ok(Moved::Done),
            Err(outcome) => match *outcome {
                Outcome::Blocked { .. } => Ok(Moved::Blocked(self.wait_of(self.state.current))),
                Outcome::AssumeFailed { place } => Ok(Moved::Refused(place)),
                _ => Err(outcome),
            },
        }
    }

    /// A thread that is not alone any more goes on to its next visible step.
    fn no_longer_alone(&mut self, env: &mut dyn Environment) -> Step {
        let current = self.state.current;
        if self.state.threads[current].status == Status::Ready {
            self.state.threads[current].fresh = true;
        }
        self.settle_new(env)?;
        self.state.switch_to(current);
        Ok(())
    }

    /// Follows a recording; the end of the run if it came on the way.
    fn replay(&mut self, trace: &Trace, env: &mut dyn Environment) -> Result<Option<Outcome>, Box<Mismatch>> {
        for (index, step) in trace.steps.iter().enumerate() {
            let ended = self.replay_step(step, env);
            match ended {
                Ok(None) => {}
                Ok(Some(outcome)) => return Ok(Some(outcome)),
                Err(found) => return Err(Box::new(Mismatch { index, expected: step.clone(), found })),
            }
        }
        let Some(end) = &trace.violation else { return Ok(None) };
        for op in &end.at {
            if let Some(outcome) = self.bring_to(op, env) {
                return Ok(Some(outcome));
            }
        }
        self.look();
        if end.check == Check::Deadlock {
            self.look_inside(env);
        }
        Ok(self.stands_at(end))
    }

    /// Looks for cycles of waits that go through sections: what one waits for shows when it is tried.
    pub(crate) fn look_inside(&mut self, env: &mut dyn Environment) {
        let mut waits = vec![None; self.state.threads.len()];
        let before = self.state.clone();
        let recorder = self.recorder.take();
        for (thread, wait) in waits.iter_mut().enumerate() {
            *wait = self.wait_of(thread);
            let section = self.pending(thread).is_some_and(|pending| pending.kind == StepKind::Section);
            if section && !self.state.alone {
                if let Ok(Moved::Blocked(inner)) = self.transition(thread, env) {
                    *wait = inner;
                }
                self.state = before.clone();
            }
        }
        self.recorder = recorder;
        self.find_cycles_in(&waits);
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
        for _ in 0..PATIENCE {
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
            self.look();
            match self.transition(thread, env) {
                Ok(Moved::Done) => {}
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

    /// Runs the thread until it stands before the operation, as far as it goes without waiting.
    fn bring_to(&mut self, op: &OpRef, env: &mut dyn Environment) -> Option<Outcome> {
        let thread = self.thread_named(op)?;
        for _ in 0..PATIENCE {
            let count = self.recorder.as_ref().map_or(0, |r| r.count(thread as u32, op.instr));
            let ready = self.state.threads[thread].status == Status::Ready && !self.state.frozen;
            if !ready || self.next_op(thread).same(op) || count > op.occurrence {
                return None;
            }
            self.look();
            match self.transition(thread, env) {
                Ok(Moved::Done) => {}
                Ok(Moved::Blocked(_) | Moved::Refused(_)) => return None,
                Err(outcome) => return Some(*outcome),
            }
        }
        None
    }
}
