//! The graph of all states, kept while a search looks for livelocks.
//!
//! A node is a state; its *actions* are the threads that can take a step there, each with the states that the answers to its
//! questions lead to. Sleep sets keep states and leave out steps, so a search that keeps the graph runs without them.

use crate::transition::Moved;
use braid_base::HashMap;
use std::collections::BTreeSet;

/// Memory for a state while livelocks are looked for, about: its place in a closed set, its edges and its numbers.
const LOOKING: usize = 160;

/// Instructions of a transition, with the number of open calls.
pub(super) type Code = BTreeSet<(u32, u32)>;

/// A step with one sequence of answers.
#[derive(Debug)]
pub(super) struct Edge {
    pub to: u32,
    pub answers: Box<[u32]>,
    /// Number of the instructions it executes.
    pub code: u32,
}

/// A step of a thread, with all answers.
#[derive(Debug)]
pub(super) struct Action {
    pub thread: u32,
    pub edges: Vec<Edge>,
    /// With some answer it ends the execution, not all answers were tried, or it is known to be part of no livelock.
    pub leaves: bool,
    /// With some answer an `assume` forbids it.
    refused: bool,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub actions: Vec<Action>,
    /// Threads so far.
    pub threads: u32,
    /// Threads that have ended or have to wait, by number.
    idle: Vec<u64>,
    /// The contents of memory, as a hash.
    pub memory: u128,
    /// It is a deadlock in which threads spin, or that is not known.
    pub spins: bool,
}

impl State {
    /// Returns true if the thread has ended, or has to wait whatever its choices are.
    pub fn is_idle(&self, thread: u32) -> bool {
        self.idle.get(thread as usize / 64).is_some_and(|word| word >> (thread % 64) & 1 == 1)
    }

    pub fn set_idle(&mut self, thread: usize) {
        let word = thread / 64;
        self.idle.resize(self.idle.len().max(word + 1), 0);
        self.idle[word] |= 1 << (thread % 64);
    }

    /// The action of a thread, which is the last one that was begun.
    fn action(&mut self, thread: usize) -> &mut Action {
        let thread = thread as u32;
        if self.actions.last().is_none_or(|action| action.thread != thread) {
            self.actions.push(Action { thread, edges: Vec::new(), leaves: false, refused: false });
        }
        self.actions.last_mut().expect("it was pushed if it was not there")
    }
}

#[derive(Debug, Default)]
pub(super) struct Graph {
    pub states: Vec<State>,
    numbers: HashMap<u128, u32>,
    pub code: Vec<Code>,
    codes: HashMap<Code, u32>,
    edges: u64,
    /// It was looked at after the search had come to its end.
    pub done: bool,
}

impl Graph {
    /// A graph that has only the state in which the program begins, which never comes again.
    pub fn with_root() -> Graph {
        Graph { states: vec![State::default()], ..Graph::default() }
    }

    /// The number of a state by its hash.
    pub fn number(&mut self, hash: u128) -> u32 {
        let next = self.states.len() as u32;
        let number = *self.numbers.entry(hash).or_insert(next);
        if number == next {
            self.states.push(State::default());
        }
        number
    }

    /// Memory it takes, about, with what looking for livelocks takes in the end.
    pub fn bytes(&self) -> u64 {
        let state = size_of::<State>() + size_of::<(u128, u32)>() + size_of::<Action>() * 2 + LOOKING;
        let edge = size_of::<Edge>() + size_of::<usize>();
        self.states.len() as u64 * state as u64 + self.edges * edge as u64
    }

    /// A thread was tried in a state with one sequence of answers. The step `leaves` if there are more answers than are
    /// tried, or if it is known to be part of no livelock.
    pub fn tried<E>(&mut self, from: u32, thread: usize, moved: &Result<Moved, E>, leaves: bool) {
        let action = self.states[from as usize].action(thread);
        action.leaves |= leaves;
        match moved {
            Ok(Moved::Done | Moved::Blocked(_)) => {}
            Ok(Moved::Refused(_)) => action.refused = true,
            Err(_) => action.leaves = true,
        }
    }

    /// A thread came from one state to another one.
    pub fn arrived(&mut self, from: u32, thread: usize, to: u32, answers: Vec<u32>, code: Code) {
        let next = self.code.len() as u32;
        let number = *self.codes.entry(code.clone()).or_insert(next);
        if number == next {
            self.code.push(code);
        }
        self.edges += 1;
        let edge = Edge { to, answers: answers.into(), code: number };
        self.states[from as usize].action(thread).edges.push(edge);
    }

    /// A thread was tried in a state with all answers. One that has to wait with every one of them is idle.
    pub fn finished(&mut self, from: u32, thread: usize) {
        let state = &mut self.states[from as usize];
        let Some(action) = state.actions.last().filter(|action| action.thread as usize == thread) else {
            return;
        };
        if action.edges.is_empty() && !action.leaves {
            let refused = action.refused;
            state.actions.pop();
            if !refused {
                state.set_idle(thread);
            }
        }
    }
}
