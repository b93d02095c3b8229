//! A state on the search's way: what has been tried there, and what that said about the threads.

use crate::deadlock::Wait;
use crate::footprint::Footprint;
use crate::state::State;
use crate::trace::RoundOrder;
use braid_base::faults::active;
use braid_ir::Loc;
use std::rc::Rc;

/// A thread that need not run: what it would do has been seen in another order.
#[derive(Clone, Debug)]
pub(super) struct Sleeper {
    pub thread: usize,
    pub footprint: Rc<Footprint>,
}

/// Where a bounded schedule stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    pub last: usize,
    pub switches: u32,
    pub round: u32,
}

/// A thread with the first of the answers it gets.
#[derive(Clone, Debug)]
pub(super) struct Decision {
    pub thread: usize,
    pub answers: Vec<u32>,
    /// The bounds forbid the step. A section is tried all the same, for what it says about this state:
    /// whom it waits for, and with whom its accesses race.
    pub beyond: bool,
}

pub(super) struct Node {
    pub state: State,
    pub position: Position,
    pub sleep: Vec<Sleeper>,
    /// Threads to be tried, last first.
    pub todo: Vec<usize>,
    /// The thread being tried, with the answers that come next.
    pub trying: Option<Decision>,
    /// What the thread being tried touched, with all answers so far.
    pub footprint: Footprint,
    /// Whether it could go, with any of them; else whom it waits for with every one of them (nobody in
    /// particular if it depends) and where an `assume` refused it.
    pub moved: bool,
    pub wait: Option<Option<Wait>>,
    pub refused_now: Option<Loc>,
    /// With how many sequences of answers it was tried, and whether there are more than that.
    pub tries: u32,
    pub untried: bool,
    /// The decision that led on from here.
    pub taken: Option<Decision>,
    /// Something can happen from here.
    pub goes_on: bool,
    /// Reached for the first time.
    pub new: bool,
    pub waits: Vec<Option<Wait>>,
    /// Waits that only came to light when a section was tried.
    pub inner_wait: bool,
    pub refused: Option<Loc>,
    /// Its number in the graph, if one is kept.
    pub number: u32,
}

impl Node {
    pub fn new(state: State, position: Position, sleep: Vec<Sleeper>) -> Node {
        let waits = vec![None; state.threads.len()];
        Node {
            state,
            position,
            sleep,
            todo: Vec::new(),
            trying: None,
            footprint: Footprint::default(),
            moved: false,
            wait: None,
            refused_now: None,
            tries: 0,
            untried: false,
            taken: None,
            goes_on: false,
            new: true,
            waits,
            inner_wait: false,
            refused: None,
            number: 0,
        }
    }

    /// The position of the schedule once the thread has run.
    pub fn position_after(&self, thread: usize, order: &RoundOrder) -> Position {
        let Position { last, switches, round } = self.position;
        let path = |thread: usize| &self.state.threads[thread].path;
        Position {
            last: thread,
            switches: switches + u32::from(thread != last),
            round: round + u32::from(order.compare(path(thread), path(last)).is_lt()),
        }
    }

    /// The thread being tried has to wait, with the present answers.
    pub fn blocked(&mut self, wait: Option<Wait>) {
        self.wait = Some(Wait::in_both(self.wait.take(), wait));
    }

    /// The thread has been tried with all answers: it sleeps from now on. One that could not go does
    /// not: sleepers count as threads that can.
    pub fn tried(&mut self, thread: usize, reduction: bool) {
        let footprint = std::mem::take(&mut self.footprint);
        let moved = std::mem::take(&mut self.moved);
        let (wait, refused) = (self.wait.take().flatten(), self.refused_now.take());
        let untried = std::mem::take(&mut self.untried);
        self.tries = 0;
        self.refused = self.refused.or(refused.filter(|_| !moved));
        if untried && !moved && refused.is_none() {
            // It waits with every answer that was tried; with another it might go on.
            self.goes_on = true;
        } else if !moved && refused.is_none() {
            // With another answer it could go on or would be refused: then it does not wait.
            self.inner_wait |= wait.is_some();
            self.waits[thread] = wait;
        }
        let sleeps = moved || active("blocked-fall-asleep");
        if reduction && sleeps && thread < 64 && !footprint.everything {
            self.sleep.push(Sleeper { thread, footprint: Rc::new(footprint) });
        }
    }
}
