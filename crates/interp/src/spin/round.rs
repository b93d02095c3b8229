//! The round of one thread that runs alone: the states it can come to, and what happened on the way.

use super::every::Every;
use super::{Hold, Look, Spin};
use crate::Image;
use crate::env::Environment;
use crate::machine::Machine;
use crate::state::State;
use braid_base::HashMap;
use braid_base::faults::active;
use braid_ir::Op;
use std::collections::{BTreeMap, BTreeSet};

/// A thread whose round takes more instructions than this may spin; it is not known.
const STEPS: u32 = 50_000;

/// A thread that comes to more states, at choices and at the place where its round began, may spin, too.
const STATES: usize = 2_000;
/// The hash of a state in which one thread runs alone. Addresses that are given out do not count: a round that
/// allocates and frees comes back to where it was.
fn hash_alone(image: &Image, state: &mut State) -> u128 {
    state.hash(image, image.live(), false, false)
}

/// How a thread that runs alone goes on.
pub(super) enum Alone<T> {
    On(T),
    /// It ends, waits, is stopped or changes something.
    Stops,
    TooLong,
}

/// The states a thread can come to by itself, and what happened on the way.
pub(super) struct Round {
    pub thread: usize,
    /// Where it began.
    home: (u32, usize),
    /// The locks it held there.
    pub held: Vec<u64>,
    /// The value of this read is mixed.
    pub mark: Option<Look>,
    /// Locks that other spinning threads acquire meanwhile: an attempt to acquire one may fail.
    pub disturbed: BTreeMap<u64, Hold>,
    pub states: Vec<State>,
    known: HashMap<u128, usize>,
    /// Steps between the states, by number.
    edges: Vec<(usize, usize)>,
    steps: u32,
    /// It has not left the section that it stood before.
    pub first_section: bool,
    /// Instructions executed, by the number of open calls.
    pub visited: BTreeMap<usize, BTreeSet<u32>>,
    /// The section it is in has changed shadow state, or used these locks.
    pub shadow_changed: bool,
    pub locks: BTreeSet<u64>,
    /// The reads in the section it is in, and all others. How the library looks at its own locks does not count, except
    /// for an attempt to take one.
    pub looks_inside: Vec<Look>,
    pub looks: BTreeSet<Look>,
    /// Branches on something mixed.
    pub branches: BTreeSet<u32>,
    pub spin: Spin,
}

impl Round {
    pub fn new(start: State, thread: usize, mark: Option<Look>) -> Round {
        let at = &start.threads[thread];
        Round {
            thread,
            home: (at.frame.pc, at.callers.len()),
            held: at.held.clone(),
            mark,
            disturbed: BTreeMap::new(),
            states: vec![start],
            known: HashMap::default(),
            edges: Vec::new(),
            steps: 0,
            first_section: true,
            visited: BTreeMap::new(),
            shadow_changed: false,
            locks: BTreeSet::new(),
            looks_inside: Vec::new(),
            looks: BTreeSet::new(),
            branches: BTreeSet::new(),
            spin: Spin::default(),
        }
    }

    /// The thread has come from one state to another one.
    fn arrive(&mut self, from: usize, hash: u128, state: &State) {
        let count = self.states.len();
        let to = *self.known.entry(hash).or_insert(count);
        if to == count {
            self.states.push(state.clone());
        }
        self.edges.push((from, to));
    }

    /// Returns true if the first state can be reached from every state.
    pub fn returns(&self) -> bool {
        let mut back = vec![false; self.states.len()];
        back[0] = true;
        loop {
            let before = back.iter().filter(|known| **known).count();
            for (from, to) in &self.edges {
                back[*from] |= back[*to];
            }
            if back.iter().filter(|known| **known).count() == before {
                return before == back.len() && !self.edges.is_empty();
            }
        }
    }
}

/// A thread that goes round without coming to where it began, nor to a choice, never comes back there. Its state is kept
/// now and then, after twice as many steps each time (Brent, *An improved Monte Carlo factorization algorithm*, 1980,
/// section 2).
#[derive(Default)]
struct Elsewhere {
    steps: u32,
    kept: Option<((u32, usize), u128)>,
}

impl Elsewhere {
    /// Returns true if the state at this place has to be known.
    fn is_asked(&mut self, place: (u32, usize)) -> bool {
        self.steps += 1;
        self.is_time() || self.kept.is_some_and(|(kept, _)| kept == place)
    }

    fn is_time(&self) -> bool {
        self.steps >= 256 && self.steps.is_power_of_two()
    }

    /// Returns true if this is the state that was kept; keeps it if it is time.
    fn comes_round(&mut self, place: (u32, usize), hash: u128) -> bool {
        let known = self.kept == Some((place, hash));
        if self.is_time() {
            self.kept = Some((place, hash));
        }
        known
    }
}

impl Machine<'_> {
    /// The present state with the thread running.
    pub(super) fn begin_alone(&mut self, thread: usize) -> State {
        self.state.switch_to(thread);
        let at = &mut self.state.threads[thread];
        (at.doomed, at.paused, at.fresh) = (false, false, false);
        if at.unentered {
            at.unentered = false;
            at.section += 1;
        }
        self.state.clone()
    }

    /// Follows the thread with all answers to its questions until no new states come.
    pub(super) fn follow_alone(&mut self, round: &mut Round, env: &mut dyn Environment) -> Alone<()> {
        let mut next = 0;
        let mut every = self.every(env);
        while next < round.states.len() {
            if round.states.len() > STATES {
                return Alone::TooLong;
            }
            every.answers.begin(&[]);
            loop {
                self.state = round.states[next].clone();
                match self.segment(round, &mut every) {
                    Alone::On(hash) => {
                        if round.known.is_empty() {
                            round.known.insert(hash_alone(self.image, &mut round.states[0]), 0);
                        }
                        round.arrive(next, hash, &self.state);
                    }
                    Alone::Stops => return Alone::Stops,
                    Alone::TooLong => return Alone::TooLong,
                }
                let Some(prefix) = every.answers.next() else { break };
                every.answers.begin(&prefix);
            }
            next += 1;
        }
        Alone::On(())
    }

    /// Runs the thread up to its next choice, or to where its round began. The first instruction may ask.
    fn segment(&mut self, round: &mut Round, every: &mut Every) -> Alone<u128> {
        let mut first = true;
        let mut elsewhere = Elsewhere::default();
        loop {
            round.steps += 1;
            if round.steps > STEPS {
                return Alone::TooLong;
            }
            let at = &self.state.threads[round.thread];
            let (place, func) = ((at.frame.pc, at.callers.len()), at.frame.func);
            if !first && at.bulk == 0 && (place == round.home || self.may_ask(round, place.0)) {
                return Alone::On(hash_alone(self.image, &mut self.state));
            }
            if at.bulk == 0 && elsewhere.is_asked(place) {
                let hash = hash_alone(self.image, &mut self.state);
                if elsewhere.comes_round(place, hash) {
                    return Alone::Stops;
                }
            }
            if self.image.function(func).timed && !active("spin-ignores-time") {
                return Alone::Stops;
            }
            round.visited.entry(place.1).or_default().insert(place.0);
            if !self.step_alone(round, every, first) {
                return Alone::Stops;
            }
            first = false;
        }
    }

    /// Returns true if the instruction may ask the environment.
    fn may_ask(&self, round: &Round, pc: u32) -> bool {
        match self.image.ops[pc as usize] {
            Some(Op::Nondet { .. } | Op::Input { .. }) => true,
            Some(Op::CmpXchg(c)) => c.weak,
            Some(Op::TryLock { .. }) => !round.disturbed.is_empty(),
            Some(_) | None => false,
        }
    }
}
