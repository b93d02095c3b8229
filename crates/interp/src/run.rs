//! One run under a schedule.
//!
//! In order: the running thread goes on until it waits or ends, then the lowest number that can go
//! (after very many steps of one thread the next one gets its turn, for the sake of programs that wait
//! by looping). At random: any thread that can go, at every scheduling point. A recording is followed
//! ([`crate::replay`]), and what comes after it runs in order.

use crate::deadlock::Wait;
use crate::env::Environment;
use crate::footprint::Footprint;
use crate::machine::{Machine, POLL, Step};
use crate::replay::Mismatch;
use crate::report::{Outcome, Report};
use crate::state::Status;
use crate::trace::{OpRef, Trace, TraceEnd};
use crate::transition::Moved;
use crate::visible::{Pending, StepKind};
use braid_base::rng::split_mix;
use braid_ir::Loc;

/// Steps in a row after which another thread gets its turn.
const TURN: u32 = 10_000;

/// After every look at the limits a run looks so many times, once at each step, whether all threads wait or spin.
const SPIN_LOOKS: u32 = 32;

/// A thread that is alone takes so many steps at once.
const BATCH: u32 = 64;

/// Threads among which one is chosen that count as one instruction.
const LOOKED_AT: u64 = 4;

/// What is known of threads that could not go on.
struct Tried {
    /// By thread.
    waits: Vec<Option<Wait>>,
    /// Where an `assume` refused one.
    refused: Option<Loc>,
}

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
    /// For each of them where it stands.
    pub ends: Vec<TraceEnd>,
    /// What happened; empty unless asked for.
    pub trace: Trace,
}

/// Picks threads.
pub(crate) struct Picker {
    random: Option<u64>,
    turn: u32,
    /// By thread: what a step that could not be taken has looked at. Until another thread changes some of that, the
    /// step cannot be taken and need not be tried.
    waiting: Vec<Option<Footprint>>,
}

impl Picker {
    pub fn in_order() -> Picker {
        Picker { random: None, turn: 0, waiting: Vec::new() }
    }

    /// Notes that a thread cannot go on until something of the footprint changes.
    fn waits(&mut self, thread: usize, footprint: Footprint) {
        if self.waiting.len() <= thread {
            self.waiting.resize(thread + 1, None);
        }
        self.waiting[thread] = Some(footprint);
    }

    /// Wakes whom a transition may have helped.
    fn moved(&mut self, thread: usize, touched: &Footprint) {
        for (index, waiting) in self.waiting.iter_mut().enumerate() {
            if index == thread || waiting.as_ref().is_some_and(|footprint| footprint.conflicts(touched)) {
                *waiting = None;
            }
        }
    }

    /// Returns true if the thread's next step is known not to be possible yet.
    fn still_waits(&self, thread: usize) -> bool {
        self.waiting.get(thread).is_some_and(Option::is_some)
    }

    /// The threads in the order in which they are to be tried.
    fn order(&mut self, machine: &Machine) -> Vec<usize> {
        let threads = &machine.state.threads;
        let mut order: Vec<usize> =
            (0..threads.len()).filter(|thread| threads[*thread].status == Status::Ready).collect();
        if let Some(state) = &mut self.random {
            for i in (1..order.len()).rev() {
                order.swap(i, (split_mix(state) % (i as u64 + 1)) as usize);
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

impl Machine<'_> {
    /// Runs to the end, threads in order.
    pub fn run(&mut self, env: &mut dyn Environment) -> Outcome {
        self.go_on(env, &mut Picker::in_order())
    }

    /// Runs to the end under a schedule.
    pub fn run_scheduled(
        &mut self,
        env: &mut dyn Environment,
        schedule: &Schedule,
        record: bool,
    ) -> Result<Run, Box<Mismatch>> {
        let mut picker = Picker::in_order();
        if record {
            self.recorder = Some(Box::default());
        }
        let mut outcome = None;
        match schedule {
            Schedule::InOrder => {}
            Schedule::Random(seed) => picker.random = Some(*seed),
            Schedule::Replay(trace) => outcome = self.replay(trace, env)?,
        }
        let outcome = outcome.unwrap_or_else(|| self.go_on(env, &mut picker));
        Ok(self.result(outcome))
    }

    pub(crate) fn recorded(&self) -> Vec<Report> {
        self.findings.list().iter().map(|finding| finding.report.clone()).collect()
    }

    fn result(&mut self, outcome: Outcome) -> Run {
        let end = self.end_of(&outcome);
        let mut trace = self.recorder.take().map(|recorder| recorder.trace).unwrap_or_default();
        trace.violation = end;
        let ends = self.findings.list().iter();
        let ends =
            ends.map(|finding| TraceEnd { check: finding.report.check, at: finding.at.clone(), from: None });
        Run { outcome, recorded: self.recorded(), ends: ends.collect(), trace }
    }

    /// The violation that a recording ends with, if there is one.
    pub(crate) fn end_of(&self, outcome: &Outcome) -> Option<TraceEnd> {
        if let Outcome::Violation(report) = outcome {
            let waiting = report.threads.iter().map(|view| self.next_op(view.number as usize));
            let mut at: Vec<OpRef> = waiting.collect();
            if at.is_empty() {
                at.push(self.running_op());
            }
            return Some(TraceEnd { check: report.check, at, from: None });
        }
        let finding = self.findings.list().first()?;
        Some(TraceEnd { check: finding.report.check, at: finding.at.clone(), from: None })
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
            // A pause comes after very many steps that nobody sees.
            let paused = self.state.threads.get(self.state.current).is_some_and(|thread| thread.paused);
            let worked = self.options.limits.work.is_some_and(|limit| self.work >= limit);
            if steps % POLL == 0 || paused || worked {
                self.poll()?;
            }
            self.glance();
            if steps >= POLL
                && steps % POLL < SPIN_LOOKS
                && let Some(report) = self.ends_spinning(env)
            {
                return Ok(Outcome::Violation(report));
            }
            if let Some(outcome) = self.take_turn(env, picker)? {
                return Ok(outcome);
            }
        }
    }

    /// Looks for what is wrong in the state at a scheduling point. The visible steps of all threads.
    pub(crate) fn look(&mut self) -> Vec<Option<Pending>> {
        let pending: Vec<_> = (0..self.state.threads.len()).map(|thread| self.pending(thread)).collect();
        self.find_races(&pending);
        self.find_cycles(&pending);
        pending
    }

    /// Finds the same as [`Machine::look`], at less cost where many threads wait.
    fn glance(&mut self) {
        let threads = 0..self.state.threads.len();
        let matters = |thread: usize| self.may_race_or_wait(thread).then(|| self.pending(thread)).flatten();
        let pending: Vec<Option<Pending>> = threads.map(matters).collect();
        self.find_races(&pending);
        self.find_cycles(&pending);
    }

    /// One transition of the first thread that can go; the end if there is none.
    pub(crate) fn take_turn(
        &mut self,
        env: &mut dyn Environment,
        picker: &mut Picker,
    ) -> Step<Option<Outcome>> {
        let order = picker.order(self);
        self.work += 1 + order.len() as u64 / LOOKED_AT;
        let last = self.state.current;
        let mut tried = Tried { waits: vec![None; self.state.threads.len()], refused: None };
        let (waiting, awake): (Vec<usize>, Vec<usize>) =
            order.into_iter().partition(|thread| picker.still_waits(*thread));
        // If none of the others can go, what each of those waits for is asked once more.
        for thread in awake.into_iter().chain(waiting) {
            if self.try_turn(thread, env, picker, &mut tried)? {
                picker.turn = if thread == last { picker.turn + 1 } else { 0 };
                picker.moved(thread, &self.touched);
                self.state.switch_to(thread);
                return Ok(None);
            }
        }
        self.find_cycles_in(&tried.waits);
        Ok(Some(self.conclude(&tried.waits, tried.refused)))
    }

    /// Lets a thread take its turn if it can. Returns true if it has moved.
    fn try_turn(
        &mut self,
        thread: usize,
        env: &mut dyn Environment,
        picker: &mut Picker,
        tried: &mut Tried,
    ) -> Step<bool> {
        if self.starts_too_many(thread) {
            tried.refused = Some(self.next_op(thread).loc);
            return Ok(false);
        }
        let moved = self.transition(thread, env)?;
        let asked = self.asked_inside;
        match moved {
            Moved::Done => return Ok(true),
            Moved::Blocked(_) if asked => match self.waits_anyway(thread, env) {
                Some(wait) => tried.waits[thread] = wait,
                None => tried.refused = Some(self.next_op(thread).loc),
            },
            Moved::Blocked(wait) => tried.waits[thread] = wait,
            Moved::Refused(place) => tried.refused = Some(place),
        }
        if !asked {
            picker.waits(thread, std::mem::take(&mut self.touched));
        }
        Ok(false)
    }

    /// Returns true if the thread would start one more than the limits allow. It stands there as one that an
    /// `assume` stops, so that a run goes on with the others.
    fn starts_too_many(&self, thread: usize) -> bool {
        let full = self
            .options
            .limits
            .threads
            .is_some_and(|limit| self.state.threads.len() as u64 >= u64::from(limit));
        full && self.pending(thread).is_some_and(|pending| pending.kind == StepKind::Spawn)
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
        // Whether the thread spins is a question for between its sections: up to there it goes step by step.
        let mut look = false;
        loop {
            for _ in 0..POLL {
                if look && self.state.threads[thread].section == 0 {
                    look = false;
                    if let Some(report) = self.ends_spinning(env) {
                        return Ok(Some(Outcome::Violation(report)));
                    }
                }
                let steps = if look { 1 } else { BATCH };
                let recorded = self.recorder.is_some();
                let moved = if recorded { self.recorded_step(env) } else { self.alone_steps(steps, env) };
                match moved? {
                    Moved::Done if self.state.alone => {}
                    Moved::Done => return self.no_longer_alone(env).map(|()| None),
                    // With other answers it might have gone on; it is too late to try them.
                    Moved::Blocked(_) if self.waits_inside() && self.asked_inside => {
                        let place = self.next_op(thread).loc;
                        return Ok(Some(self.conclude(&[], Some(place))));
                    }
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
            look = true;
        }
    }

    /// Whether what the running thread stands before is inside a section, or one.
    fn waits_inside(&self) -> bool {
        let thread = &self.state.threads[self.state.current];
        thread.section > 0 || self.enters_section(thread)
    }

    /// Some steps, straight through sections: nobody can see inside.
    fn alone_steps(&mut self, steps: u32, env: &mut dyn Environment) -> Step<Moved> {
        self.work += u64::from(steps);
        let result = self.steps(steps, env);
        self.moved_alone(result)
    }

    /// One step; a section as a whole, because it may start a thread and then turn out not to be entered.
    pub(crate) fn recorded_step(&mut self, env: &mut dyn Environment) -> Step<Moved> {
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
    pub(crate) fn no_longer_alone(&mut self, env: &mut dyn Environment) -> Step {
        let current = self.state.current;
        if self.state.threads[current].status == Status::Ready {
            self.state.threads[current].fresh = true;
        }
        self.settle_new(env)?;
        self.state.switch_to(current);
        Ok(())
    }
}
