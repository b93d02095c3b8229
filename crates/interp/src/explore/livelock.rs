//! Livelocks in the graph of all states; what one is stands in [`crate::livelock`].
//!
//! A set of states with some of their actions is *closed* if every answer of each of these actions leads to a state of the
//! set and each state can be reached from each other one (an end component of a Markov decision process: de Alfaro, *Formal
//! Verification of Probabilistic Systems*, 1997, section 3.3). Whatever a fair execution does for ever is such a set.
//! Beginning with all states, the strongly connected parts are taken, and from each of them is taken away, until nothing is
//! left or nothing has to go: actions with an answer that leads out of it; actions in which a thread goes through the head of a
//! loop without an exit; and states in which a thread could go on that takes no step in the set (strong fairness, as in
//! the emptiness check of Streett automata).
//!
//! *Claim*: if there is a livelock, a set is left. *Relies on*: the graph has all states and steps. *Proof*: the states and
//! steps of a livelock are a set from which nothing has to go, and a part of one of the sets at every moment: they
//! are strongly connected, and what is taken away from a larger set belongs to none of its parts that is a livelock.
//! *Fault*: `livelock-reduced`, noticed by `livelock/apart_stuck.c`.

use super::graph::{Action, Edge, Graph};
use super::node::Decision;
use crate::image::Image;
use crate::livelock::lowest;
use crate::loops::{Loop, components};
use braid_base::faults::active;
use braid_base::{HashMap, HashSet};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A closed set: by state, the indices of its actions.
type Closed = BTreeMap<u32, Vec<usize>>;

/// An execution that comes to a livelock, and the steps that can be repeated for ever.
pub(super) struct Cycle {
    pub way: Vec<Decision>,
    pub tour: Vec<Decision>,
}

/// The first livelock in a graph whose first state is where the program begins.
pub(super) fn find(graph: &Graph, image: &Image) -> Option<Cycle> {
    let mut finder = Finder { graph, image, loops: HashMap::default() };
    let everything = graph.states.iter().enumerate();
    let everything: Closed = everything.map(|(n, s)| (n as u32, (0..s.actions.len()).collect())).collect();
    let mut waiting = vec![everything];
    while let Some(set) = waiting.pop() {
        for part in finder.parts(&set) {
            match finder.prune(&part) {
                Pruned::Livelock => return Some(finder.cycle(&part)),
                Pruned::Nothing => {}
                Pruned::Smaller(rest) => waiting.push(rest),
            }
        }
    }
    None
}

/// The fate of a strongly connected part.
enum Pruned {
    Livelock,
    /// There is none in it.
    Nothing,
    Smaller(Closed),
}

struct Finder<'a> {
    graph: &'a Graph,
    image: &'a Image<'a>,
    loops: HashMap<BTreeSet<u32>, Option<Loop>>,
}

impl<'a> Finder<'a> {
    fn action(&self, state: u32, index: usize) -> &'a Action {
        &self.graph.states[state as usize].actions[index]
    }

    /// All actions of a set.
    fn actions(&self, set: &Closed) -> impl Iterator<Item = (u32, &'a Action)> {
        set.iter().flat_map(|(state, list)| list.iter().map(|index| (*state, self.action(*state, *index))))
    }

    /// The strongly connected parts of a set in which steps can be taken, in the order of their first states.
    fn parts(&self, set: &Closed) -> Vec<Closed> {
        let states: Vec<u32> = set.keys().copied().collect();
        let place = |state: u32| states.binary_search(&state).ok();
        let targets = |state: &u32| {
            let edges = set[state].iter().flat_map(|index| &self.action(*state, *index).edges);
            edges.filter_map(|edge| place(edge.to)).collect::<Vec<usize>>()
        };
        let next: Vec<Vec<usize>> = states.iter().map(targets).collect();
        let mut parts: Vec<Vec<usize>> = components(&next);
        parts.retain(|part| part.len() > 1 || next[part[0]].contains(&part[0]));
        parts.iter_mut().for_each(|part| part.sort_unstable());
        parts.sort();
        let closed =
            |part: Vec<usize>| part.iter().map(|at| (states[*at], set[&states[*at]].clone())).collect();
        parts.into_iter().map(closed).collect()
    }

    fn prune(&mut self, part: &Closed) -> Pruned {
        let stays = |edge: &Edge| part.contains_key(&edge.to);
        let is_closed = |action: &Action| {
            let closed = !action.leaves && action.edges.iter().all(stays);
            closed || active("livelock-forgets-choices") && action.edges.iter().any(stays)
        };
        if self.actions(part).any(|(_, action)| !is_closed(action)) {
            return self.keep_actions(part, |_, action| is_closed(action));
        }
        let threads: BTreeSet<u32> = self.actions(part).map(|(_, action)| action.thread).collect();
        let state = |number: &u32| &self.graph.states[*number as usize];
        if threads.len() < 2 || part.keys().any(|number| state(number).spins) {
            return Pruned::Nothing;
        }
        for thread in &threads {
            let Err(serving) = self.waits(part, *thread) else { continue };
            return self.keep_actions(part, |_, action| action.thread != *thread || !serving(action));
        }
        let is_fair = |number: &u32| {
            let state = state(number);
            (0..state.threads).all(|thread| threads.contains(&thread) || state.is_idle(thread))
        };
        if !part.keys().all(is_fair) && !active("livelock-unfair") {
            let rest = part.iter().filter(|(number, _)| is_fair(number));
            return Pruned::Smaller(rest.map(|(number, list)| (*number, list.clone())).collect());
        }
        let memories: HashSet<u128> = part.keys().map(|number| state(number).memory).collect();
        if memories.len() < 2 { Pruned::Nothing } else { Pruned::Livelock }
    }

    /// The part with some of its actions only.
    fn keep_actions(&self, part: &Closed, keeps: impl Fn(u32, &Action) -> bool) -> Pruned {
        let list = |(state, list): (&u32, &Vec<usize>)| {
            let kept = list.iter().copied().filter(|index| keeps(*state, self.action(*state, *index)));
            (*state, kept.collect())
        };
        Pruned::Smaller(part.iter().map(list).collect())
    }

    /// Whether a thread stays in a loop with an exit; otherwise which actions go through the head of one without.
    fn waits(&mut self, part: &Closed, thread: u32) -> Result<(), impl Fn(&Action) -> bool + use<'a>> {
        let graph = self.graph;
        let own = self.actions(part).filter(|(_, action)| action.thread == thread);
        let numbers: BTreeSet<u32> =
            own.flat_map(|(_, action)| action.edges.iter().map(|edge| edge.code)).collect();
        let code: BTreeSet<(u32, u32)> =
            numbers.iter().flat_map(|number| graph.code[*number as usize].iter().copied()).collect();
        let depth = code.first().map_or(0, |(depth, _)| *depth);
        let found = self.loop_of(lowest(&code));
        if found.is_some_and(|found| found.has_exit) || active("livelock-serves") {
            return Ok(());
        }
        Err(move |action: &Action| {
            let passes = |edge: &Edge| {
                found.is_none_or(|found| graph.code[edge.code as usize].contains(&(depth, found.head)))
            };
            action.edges.iter().any(passes)
        })
    }

    fn loop_of(&mut self, code: BTreeSet<u32>) -> Option<Loop> {
        let image = self.image;
        *self.loops.entry(code).or_insert_with_key(|code| image.loops().loop_of(image, code))
    }

    /// A way to a livelock, and a tour of it.
    fn cycle(&mut self, part: &Closed) -> Cycle {
        let way = self.path(0, None, |state| part.contains_key(&state));
        let begin = way.last().map_or(0, |step| step.to);
        let short = self.tour(part, begin, false);
        // A short tour may stay in an inner loop without an exit.
        let threads: BTreeSet<u32> = self.actions(part).map(|(_, action)| action.thread).collect();
        let waits = |finder: &mut Finder<'_>, thread: u32| {
            let own = short.iter().filter(|step| step.thread == thread);
            let code: BTreeSet<(u32, u32)> =
                own.flat_map(|step| finder.graph.code[step.code as usize].iter().copied()).collect();
            finder.loop_of(lowest(&code)).is_some_and(|found| found.has_exit)
        };
        let enough = threads.iter().all(|thread| waits(self, *thread));
        let tour = if enough { short } else { self.tour(part, begin, true) };
        let decisions = |steps: Vec<Taken>| steps.into_iter().map(Taken::decision).collect();
        Cycle { way: decisions(way), tour: decisions(tour) }
    }

    /// A walk through a closed set from a state back to it: with a step of each of its threads, or with all of its actions;
    /// through states with different memory; and, for each action on the way, to where all of its answers lead.
    fn tour(&self, part: &Closed, begin: u32, all: bool) -> Vec<Taken> {
        let mut threads: HashSet<u32> = self.actions(part).map(|(_, action)| action.thread).collect();
        let mut actions: HashSet<(u32, u32)> = match all {
            true => self.actions(part).map(|(state, action)| (state, action.thread)).collect(),
            false => HashSet::default(),
        };
        let memory = |state: u32| self.graph.states[state as usize].memory;
        let other = part.keys().copied().find(|state| memory(*state) != memory(begin));
        let mut visits: HashSet<u32> = other.into_iter().collect();
        let mut seen: HashSet<u32> = HashSet::from_iter([begin]);
        let (mut walk, mut at) = (Vec::new(), begin);
        loop {
            // An action that is due here is taken at once.
            let is_due =
                |step: &Taken| threads.contains(&step.thread) || actions.contains(&(step.from, step.thread));
            let here = || self.steps(Some(part), at).into_iter();
            let steps = match here().find(is_due) {
                Some(step) => vec![step],
                None => {
                    let offers = |state: u32| self.steps(Some(part), state).iter().any(is_due);
                    let open = !visits.is_empty() || !threads.is_empty() || !actions.is_empty();
                    if !open && at == begin {
                        return walk;
                    }
                    let goal = |state: u32| match open {
                        true => visits.contains(&state) || offers(state),
                        false => state == begin,
                    };
                    self.path(at, Some(part), goal)
                }
            };
            for step in steps {
                threads.remove(&step.thread);
                actions.remove(&(step.from, step.thread));
                let own =
                    self.steps(Some(part), step.from).into_iter().filter(|own| own.thread == step.thread);
                visits.extend(own.map(|own| own.to).filter(|to| !seen.contains(to)));
                at = step.to;
                seen.insert(at);
                visits.remove(&at);
                walk.push(step);
            }
        }
    }

    /// The steps from a state that stay in a set, if there is one.
    fn steps(&self, set: Option<&Closed>, state: u32) -> Vec<Taken> {
        let all = 0..self.graph.states[state as usize].actions.len();
        let indices: Vec<usize> = set.map_or_else(|| all.collect(), |set| set[&state].clone());
        let actions = indices.into_iter().map(|index| self.action(state, index));
        let edges = actions.flat_map(|action| action.edges.iter().map(move |edge| (action, edge)));
        let stays = |edge: &Edge| set.is_none_or(|set| set.contains_key(&edge.to));
        edges.filter(|(_, edge)| stays(edge)).map(|(action, edge)| Taken::new(action, edge, state)).collect()
    }

    /// A shortest way from a state to one that is a goal, inside of a set if there is one; none if it is one.
    fn path(&self, from: u32, set: Option<&Closed>, goal: impl Fn(u32) -> bool) -> Vec<Taken> {
        let mut before: HashMap<u32, Taken> = HashMap::default();
        let mut waiting = VecDeque::from([from]);
        while let Some(state) = waiting.pop_front() {
            if goal(state) {
                let mut way = Vec::new();
                let mut at = state;
                while at != from {
                    let step = before.remove(&at).expect("every state but the first has one before it");
                    at = step.from;
                    way.push(step);
                }
                way.reverse();
                return way;
            }
            for step in self.steps(set, state) {
                let to = step.to;
                if to != from && !before.contains_key(&to) {
                    before.insert(to, step);
                    waiting.push_back(to);
                }
            }
        }
        unreachable!("every goal can be reached")
    }
}

/// A step on a way.
#[derive(Clone, Debug)]
struct Taken {
    from: u32,
    to: u32,
    thread: u32,
    answers: Vec<u32>,
    code: u32,
}

impl Taken {
    fn new(action: &Action, edge: &Edge, from: u32) -> Taken {
        Taken { from, to: edge.to, thread: action.thread, answers: edge.answers.to_vec(), code: edge.code }
    }

    fn decision(self) -> Decision {
        Decision { thread: self.thread as usize, answers: self.answers, beyond: false }
    }
}
