//! The depth-first search.
//!
//! A node is a state at a scheduling point. Its threads are tried one after the other, each with every
//! sequence of answers to the choices it makes; a thread that has been tried falls asleep for those
//! that follow, and stays asleep below them as long as nothing they do conflicts with what it did.
//!
//! Only decisions are kept on the way (thread, answers). The schedule of a violation comes from taking
//! the same decisions once more with a recorder.

use super::choices::Script;
use super::graph::Graph;
use super::livelock::{self, Cycle};
use super::node::{Decision, Node, Position, Sleeper};
use super::store::{Distinct, Store, Visit};
use super::{Collect, Cut, End, EndKind, Exploration, ExploreOptions, Found, Progress, Share};
use crate::answers::MOST_TRIES;
use crate::footprint::Footprint;
use crate::hash::Hash128;
use crate::image::{Image, SetupError};
use crate::machine::{Machine, Options};
use crate::race::FindingKey;
use crate::reached::Marks;
use crate::report::{Outcome, Report, Resource};
use crate::spin::Spins;
use crate::state::Status;
use crate::trace::{Trace, TraceEnd};
use crate::transition::Moved;
use crate::visible::StepKind;
use braid_base::faults::active;
use braid_ir::{InstrId, Loc};
use braid_props::Check;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Limits are looked at every so many transitions, and the watcher is told every so many of those.
const POLL: u64 = 64;
const WATCH: u64 = 16;

/// The memory of the process is looked at every so many of the polls.
const MEASURE: u64 = 16;

/// Of the memory limit so large a part is left for what comes between two looks: 1 / SPARE.
const SPARE: u64 = 32;

/// What copying, hashing and storing a state costs besides, in instructions: as such, and for each thread.
const STATE_WORK: u64 = 32;
const THREAD_WORK: u64 = 4;

/// A path of fewer steps is recorded whatever the time.
const RECORD_POLL: usize = 4096;

/// Memory of a node besides what its state shares with others, about.
const NODE_COST: u64 = 1500;

pub(super) struct Search<'a> {
    image: &'a Image<'a>,
    options: Rc<ExploreOptions>,
    machine: Machine<'a>,
    script: Script,
    store: Store,
    stack: Vec<Node>,
    /// In transitions.
    next_poll: u64,
    polls: u64,
    reduction: bool,
    /// Kept if livelocks are looked for.
    graph: Option<Box<Graph>>,
    dead_addresses: bool,
    /// Findings of the machine that are in the result.
    reported: usize,
    known: Distinct<FindingKey>,
    cuts: Distinct<Cut>,
    unsupported: Distinct<(String, Loc)>,
    result: Exploration,
}

impl<'a> Search<'a> {
    /// A search that stands before the first step of the program.
    pub fn new(
        image: &'a Image<'a>,
        options: Rc<ExploreOptions>,
        machine_options: Options,
    ) -> Result<Search<'a>, SetupError> {
        let mut machine = Machine::new(image, machine_options)?;
        machine.state.memory.start_tally();
        machine.padding_stays_open = true;
        machine.marks = Some(Box::new(Marks::new(image)));
        let bounded = options.rounds.is_some() || options.context_bound.is_some();
        let checks = options.machine.question.checks;
        let pointer_bytes = image.program.pointer_bytes;
        let position = Position { last: 0, switches: 0, round: 1 };
        let mut root = Node::new(machine.state.clone(), position, Vec::new());
        root.todo = vec![0];
        let graph = checks.contains(Check::Livelock).then(|| Box::new(Graph::with_root()));
        Ok(Search {
            image,
            machine,
            script: Script::new(&options, pointer_bytes),
            store: Store::default(),
            stack: vec![root],
            next_poll: POLL,
            polls: 0,
            reduction: options.reduction && !bounded && (graph.is_none() || active("livelock-reduced")),
            options,
            graph,
            dead_addresses: checks.contains(Check::MemoryLeak),
            reported: 0,
            known: Distinct::default(),
            cuts: Distinct::default(),
            unsupported: Distinct::default(),
            result: Exploration::default(),
        })
    }

    /// Makes every instruction a visible step.
    #[cfg(test)]
    pub fn see_every_step(&mut self) {
        self.machine.every_step = true;
    }

    pub fn limit_threads(&mut self, limit: Option<u32>) {
        self.machine.options.limits.threads = limit;
    }

    pub fn machine_options(&self) -> Options {
        self.machine.options
    }

    /// What the search has cost.
    pub fn work(&self) -> u64 {
        self.machine.work
    }

    /// Adds what a search before it has cost.
    pub fn add_work(&mut self, work: u64) {
        self.machine.work += work;
    }

    /// Goes on up to the end of the share. What was found since the beginning.
    pub fn run(
        &mut self,
        share: Share,
        interrupt: &AtomicBool,
        watch: &mut dyn FnMut(&Progress),
    ) -> Exploration {
        let end = self.go_on(share, interrupt, watch);
        let mut result = self.result.clone();
        result.reached =
            self.machine.marks.as_ref().map(|marks| marks.reached(self.image)).unwrap_or_default();
        result.states = self.store.len() as u64;
        result.cuts = self.cuts.list.iter().cloned().chain(end).collect();
        result.unsupported = self.unsupported.list.clone();
        result.partial = self.machine.partial.clone();
        result
    }

    /// The limit at which it has paused, if it is not at its end.
    fn go_on(
        &mut self,
        share: Share,
        interrupt: &AtomicBool,
        watch: &mut dyn FnMut(&Progress),
    ) -> Option<Cut> {
        while !self.stack.is_empty() {
            if self.result.transitions >= self.next_poll || self.is_late() {
                self.next_poll = self.result.transitions + POLL;
                let cut = self.poll(share, interrupt, watch);
                if cut.is_some() {
                    return cut;
                }
            }
            if let Some(limit) = share.states.filter(|limit| self.store.len() as u64 > *limit) {
                return Some(Cut::States(limit));
            }
            if self.has_enough() {
                return None;
            }
            match self.next_decision() {
                Some(decision) => self.follow(decision),
                None => self.leave_node(),
            }
        }
        self.find_livelock();
        None
    }

    /// Looks for a livelock, once, in the graph of a search that has come to its end.
    fn find_livelock(&mut self) {
        let Some(mut graph) =
            self.graph.take().filter(|graph| !graph.done && self.is_wanted(Check::Livelock))
        else {
            return;
        };
        graph.done = true;
        if let Some(cycle) = livelock::find(&graph, self.image) {
            match self.record_cycle(&cycle) {
                Some(found) => self.result.violations.push(found),
                None => self.cuts.add(Cut::Timeout),
            }
        }
        self.graph = Some(graph);
    }

    /// Whether all violations that are wanted have been found.
    fn has_enough(&self) -> bool {
        let violations = &self.result.violations;
        match self.options.collect {
            Collect::All => false,
            Collect::First => !violations.is_empty(),
            Collect::Each { .. } if violations.is_empty() => false,
            Collect::Each { .. } => {
                self.options.machine.question.checks.iter().all(|check| !self.is_wanted(check))
            }
        }
    }

    /// Whether a further violation of the check is collected.
    fn is_wanted(&self, check: Check) -> bool {
        let found = || self.result.violations.iter().filter(|found| found.report.check == check).count();
        match self.options.collect {
            Collect::All | Collect::First => true,
            Collect::Each { races } => found() < if check == Check::DataRace { races } else { 1 },
        }
    }

    fn poll(
        &mut self,
        share: Share,
        interrupt: &AtomicBool,
        watch: &mut dyn FnMut(&Progress),
    ) -> Option<Cut> {
        let graph = self.graph.as_ref().map_or(0, |graph| graph.bytes());
        let bytes = graph
            + self.store.bytes()
            + self.stack.len() as u64 * NODE_COST
            + self.machine.state.memory.used();
        self.result.bytes = self.result.bytes.max(bytes);
        self.polls += 1;
        if self.polls.is_multiple_of(WATCH) {
            watch(&Progress {
                states: self.store.len() as u64,
                transitions: self.result.transitions,
                work: self.machine.work_done(),
                depth: self.stack.len(),
                bytes,
                violations: self.result.violations.len(),
            });
        }
        if interrupt.load(Ordering::Relaxed) {
            return Some(Cut::Interrupted);
        }
        if self.is_late() {
            return Some(Cut::Timeout);
        }
        if let Some(limit) = share.work.filter(|limit| self.machine.work_done() > *limit) {
            return Some(Cut::Work(limit));
        }
        let whole = self.options.machine.limits.memory;
        let full = bytes > share.memory || self.polls.is_multiple_of(MEASURE) && self.is_full(whole);
        full.then_some(Cut::Memory(whole))
    }

    /// Returns true if the process has no room left for what the table of states may need next.
    fn is_full(&self, limit: u64) -> bool {
        let used = self.options.memory_in_use.and_then(|measure| measure());
        used.is_some_and(|used| used + self.store.growth() > limit - limit / SPARE)
    }

    fn is_late(&self) -> bool {
        self.options.machine.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// What the topmost node tries next.
    fn next_decision(&mut self) -> Option<Decision> {
        loop {
            let node = self.stack.last_mut()?;
            if let Some(decision) = node.trying.take() {
                return Some(decision);
            }
            let thread = node.todo.pop()?;
            let beyond = self.forbidden(thread);
            if beyond.is_none() || self.is_section(thread) {
                return Some(Decision { thread, answers: Vec::new(), beyond: beyond.is_some() });
            }
            self.cut_here(thread);
        }
    }

    /// Whether the thread stands before a section in the topmost node.
    fn is_section(&mut self, thread: usize) -> bool {
        let Some(node) = self.stack.last() else { return false };
        self.machine.state.clone_from(&node.state);
        self.machine.pending(thread).is_some_and(|pending| pending.kind == StepKind::Section)
    }

    /// The bound that forbids the thread to run next, if one does.
    fn forbidden(&self, thread: usize) -> Option<Cut> {
        let next = self.stack.last()?.position_after(thread, &self.options.round_order);
        match (self.options.context_bound, self.options.rounds) {
            (Some(limit), _) if next.switches > limit + u32::from(active("bound-off-by-one")) => {
                Some(Cut::Contexts(limit))
            }
            (_, Some(limit)) if next.round > limit + u32::from(active("round-off-by-one")) => {
                Some(Cut::Rounds(limit))
            }
            _ => None,
        }
    }

    /// The thread can run from the topmost node, but a bound forbids it.
    fn cut_here(&mut self, thread: usize) {
        if let Some(cut) = self.forbidden(thread) {
            self.cuts.add(cut);
        }
        if let Some(node) = self.stack.last_mut() {
            node.goes_on = true;
        }
    }

    /// Takes a transition from the topmost node.
    fn follow(&mut self, decision: Decision) {
        let Decision { thread, answers, beyond } = decision;
        let Some(node) = self.stack.last_mut() else { return };
        self.machine.state.clone_from(&node.state);
        self.script.begin(&answers, node.state.threads.len() as u32);
        self.result.transitions += 1;
        let threads = node.state.threads.len();
        self.machine.work += STATE_WORK + THREAD_WORK * threads as u64;
        self.machine.trail = self.graph.as_ref().map(|_| Default::default());
        let moved = self.machine.transition(thread, &mut self.script);
        if let Some(graph) = &mut self.graph {
            let waits = matches!(moved, Ok(Moved::Done)) && self.machine.waits_for_others();
            let goes_on = beyond || self.script.cut.is_some() || waits;
            graph.tried(node.number, thread, &moved, goes_on);
        }
        self.result.threads = self.result.threads.max(self.machine.state.threads.len());
        node.tries = node.tries.saturating_add(1);
        node.untried |= self.script.cut.is_some();
        node.taken = Some(Decision { thread, answers: self.script.answers(), beyond });
        if self.reduction {
            if active("last-answer-touches") {
                node.footprint = Footprint::default();
            }
            node.footprint.extend(&self.machine.touched);
        }
        match &moved {
            Ok(Moved::Done) | Err(_) => node.moved = true,
            Ok(Moved::Blocked(wait)) => node.blocked(wait.clone()),
            Ok(Moved::Refused(place)) => node.refused_now = Some(*place),
        }
        let next = self.script.next();
        let sleep = self.sleep_below();
        if let Some(node) = self.stack.last_mut() {
            match next {
                Some(answers) => node.trying = Some(Decision { thread, answers, beyond }),
                None => {
                    // So many a replay does not try: it could not confirm the wait.
                    if node.tries > MOST_TRIES && !node.moved {
                        node.untried = true;
                        let place = self.machine.next_op(thread).loc;
                        self.cuts.add(Cut::Values(place));
                    }
                    node.tried(thread, self.reduction);
                }
            }
        }
        self.note_flags();
        let last = self.stack.last().is_some_and(|node| node.trying.is_none());
        let number = self.stack.last().map_or(0, |node| node.number);
        match moved {
            Ok(Moved::Done) | Err(_) if beyond => {
                self.cut_here(thread);
                self.report_findings()
            }
            Ok(Moved::Blocked(_) | Moved::Refused(_)) if beyond => self.report_findings(),
            Ok(Moved::Done) => self.arrive(thread, sleep),
            Ok(Moved::Blocked(_) | Moved::Refused(_)) => {}
            Err(outcome) => {
                if let Some(node) = self.stack.last_mut() {
                    node.goes_on = true;
                }
                self.report_findings();
                self.ended(*outcome);
            }
        }
        if let Some(graph) = self.graph.as_mut().filter(|_| last) {
            graph.finished(number, thread);
        }
    }

    /// Who stays asleep below the transition just taken.
    fn sleep_below(&self) -> Vec<Sleeper> {
        let Some(node) = self.stack.last().filter(|_| self.reduction) else { return Vec::new() };
        let touched = &self.machine.touched;
        node.sleep
            .iter()
            .filter(|sleeper| active("sleep-never-wakes") || !sleeper.footprint.conflicts(touched))
            .cloned()
            .collect()
    }

    fn note_flags(&mut self) {
        if let Some(loc) = self.machine.state.depends_on_address {
            self.result.depends_on_address.get_or_insert(loc);
            self.result.stale |= self.machine.state.memory.stale.get();
        }
        if let Some((instr, site)) = self.script.cut.take().filter(|_| !active("value-cut-forgotten")) {
            let loc = if site.line > 0 { site } else { self.place_of(instr) };
            self.cuts.add(Cut::Values(loc));
        }
    }

    fn place_of(&self, instr: InstrId) -> Loc {
        self.image.origin.iter().find(|(id, _)| *id == instr).map_or(Loc::NONE, |(_, loc)| *loc)
    }

    /// The machine has come to a new scheduling point.
    fn arrive(&mut self, thread: usize, mut sleep: Vec<Sleeper>) {
        if self.machine.races_in_sections() && !active("section-race-asleep") {
            sleep.retain(|sleeper| !self.would_race(sleeper));
        }
        let Some(node) = self.stack.last_mut() else { return };
        node.goes_on = true;
        let position = node.position_after(thread, &self.options.round_order);
        let from = node.number;
        let key = self.key(position);
        let number = self.graph.as_mut().map_or(0, |graph| {
            let number = graph.number(key);
            let code = self.machine.trail.take().unwrap_or_default();
            graph.arrived(from, thread, number, self.script.answers(), code);
            number
        });
        let mask = sleep.iter().fold(0, |mask, sleeper| mask | bit(sleeper.thread));
        match self.store.visit(key, mask) {
            Visit::Seen => self.report_findings(),
            Visit::New => self.enter(position, number, sleep, None),
            Visit::Again(awake) => self.enter(position, number, sleep, Some(awake)),
        }
    }

    /// Whether a sleeper is a section with an access that races with what another thread is now about
    /// to do. Such a race belongs to the step rather than to the state, so the step must be taken here.
    fn would_race(&self, sleeper: &Sleeper) -> bool {
        let machine = &self.machine;
        if machine.pending(sleeper.thread).is_none_or(|pending| pending.kind != StepKind::Section) {
            return false;
        }
        let others = (0..machine.state.threads.len()).filter(|thread| *thread != sleeper.thread);
        others.filter_map(|thread| machine.pending(thread)).any(|pending| {
            let mut touches = pending.footprint.touches();
            touches.any(|touch| sleeper.footprint.touches().any(|inside| inside.races_with(touch)))
        })
    }

    fn key(&mut self, position: Position) -> u128 {
        let fixed = self.options.machine.question.fixed_addresses;
        let hash = self.machine.state.hash(self.image, self.image.live(), self.dead_addresses, fixed);
        if self.options.rounds.is_none() && self.options.context_bound.is_none() {
            return hash;
        }
        let mut bounded = Hash128::new(11);
        bounded.wide(hash);
        bounded.word(position.last as u64);
        bounded.word(u64::from(position.switches) << 32 | u64::from(position.round));
        bounded.finish()
    }

    /// Puts the machine's state on the stack. `only` are the threads to be tried if the state was seen
    /// before.
    fn enter(&mut self, position: Position, number: u32, sleep: Vec<Sleeper>, only: Option<u64>) {
        if only.is_none() {
            let pending = self.machine.look();
            let spins = self.machine.find_spins(&pending, &mut self.script);
            if let Spins::Unknown(place) = spins {
                self.cuts.add(Cut::Spinning(place));
            }
            self.note_state(number, spins != Spins::No);
            if spins == Spins::Yes && self.machine.state.alone {
                // All that can follow are the states of its round, and the same deadlock in each of them.
                return self.report_findings();
            }
        }
        self.report_findings();
        let state = self.machine.state.clone();
        if state.ready == 0 || state.frozen {
            let outcome = self.machine.conclude(&[], None);
            return self.ended(outcome);
        }
        let mut node = Node::new(state, position, sleep);
        node.new = only.is_none();
        node.number = number;
        for thread in (0..node.state.threads.len()).rev() {
            let asleep = node.sleep.iter().any(|sleeper| sleeper.thread == thread);
            let excluded = only.is_some_and(|only| only & bit(thread) == 0);
            if node.state.threads[thread].status != Status::Ready || asleep || excluded {
                continue;
            }
            match self.machine.wait_of(thread) {
                Some(wait) => {
                    node.waits[thread] = Some(wait);
                    if let Some(graph) = &mut self.graph {
                        graph.states[number as usize].set_idle(thread);
                    }
                }
                None => node.todo.push(thread),
            }
        }
        self.stack.push(node);
    }

    /// Notes of a new state what the graph has to know.
    fn note_state(&mut self, number: u32, spins: bool) {
        let Some(graph) = &mut self.graph else { return };
        let state = &mut graph.states[number as usize];
        state.threads = self.machine.state.threads.len() as u32;
        state.memory = self.machine.state.memory.hash();
        state.spins = spins;
        for (thread, at) in self.machine.state.threads.iter().enumerate() {
            if matches!(at.status, Status::Finished(_)) {
                state.set_idle(thread);
            }
        }
    }

    /// Nothing is left to try at the topmost node.
    fn leave_node(&mut self) {
        let Some(node) = self.stack.pop() else { return };
        let asleep = !node.sleep.is_empty() && !node.goes_on;
        if !node.new || (node.goes_on || asleep) && !node.inner_wait {
            return;
        }
        self.machine.state = node.state;
        if node.inner_wait {
            self.machine.find_cycles_in(&node.waits);
            self.report_findings();
        }
        if !node.goes_on && !asleep {
            let outcome = self.machine.conclude(&node.waits, node.refused);
            self.ended(outcome);
        }
    }

    /// An execution came to its end.
    fn ended(&mut self, outcome: Outcome) {
        self.result.executions += 1;
        let (kind, cut_off) = match &outcome {
            Outcome::Exited { code } => (EndKind::Exit(*code), false),
            Outcome::Aborted { .. } => (EndKind::Abort, false),
            Outcome::Violation(report) if report.check == Check::Deadlock => (EndKind::Blocked, false),
            Outcome::Violation(report) => (EndKind::Violation(report.check, report.place), true),
            Outcome::InvalidUnchecked(report) => (EndKind::Invalid(report.check, report.place), true),
            Outcome::Unsupported { place, .. } => (EndKind::Unsupported(*place), true),
            Outcome::Blocked { .. } => (EndKind::Blocked, false),
            Outcome::AssumeFailed { .. } => (EndKind::Stopped, false),
            Outcome::ResourceLimit { .. } => (EndKind::Exhausted, true),
        };
        let program = self.image.program;
        let internal = |id| program.globals[id].internal;
        let globals = if cut_off { 0 } else { self.machine.state.memory.hash_globals(internal) };
        self.result.outcomes.insert(End { kind, globals });
        match outcome {
            Outcome::Violation(report) => self.violated(*report),
            Outcome::InvalidUnchecked(report) => {
                if !self.result.invalid.iter().any(|r| (r.check, r.place) == (report.check, report.place)) {
                    self.result.invalid.push(*report);
                }
            }
            Outcome::Unsupported { what, place, .. } => self.unsupported.add((what, place)),
            Outcome::ResourceLimit { resource: Resource::OutOfMemory { limit }, .. } => {
                self.cuts.add(Cut::Memory(limit));
            }
            Outcome::ResourceLimit { resource: Resource::Timeout, .. } => self.cuts.add(Cut::Timeout),
            Outcome::ResourceLimit { resource, place, .. } => self.cuts.add(Cut::Resource(resource, place)),
            Outcome::Exited { .. }
            | Outcome::Aborted { .. }
            | Outcome::Blocked { .. }
            | Outcome::AssumeFailed { .. } => {}
        }
    }

    /// A violation that ended the execution.
    fn violated(&mut self, report: Report) {
        let spots = match report.threads.as_slice() {
            [] => vec![self.machine.running_spot()],
            views => {
                let mut spots: Vec<_> =
                    views.iter().map(|view| self.machine.spot(view.number as usize)).collect();
                spots.sort();
                spots
            }
        };
        let key = FindingKey { check: report.check, spots };
        if self.known.knows(&key) || self.machine.findings.knows(&key) {
            return;
        }
        self.known.add(key);
        self.found(report, None);
    }

    /// Races and cycles of waits the machine has found since.
    fn report_findings(&mut self) {
        while let Some(finding) = self.machine.findings.list().get(self.reported) {
            let (key, report) = (finding.key.clone(), finding.report.clone());
            self.reported += 1;
            self.found(report, Some(&key));
        }
    }

    /// A violation counts with its schedule only.
    fn found(&mut self, report: Report, key: Option<&FindingKey>) {
        if !self.is_wanted(report.check) {
            return;
        }
        match self.record(key, report.check) {
            Some(trace) => self.result.violations.push(Found { report, trace }),
            None => self.cuts.add(Cut::Timeout),
        }
    }

    /// Takes the decisions that led here once more and records them. The trace ends with the finding,
    /// or with the violation that ends the execution. `None` if there is no time for that.
    fn record(&self, key: Option<&FindingKey>, check: Check) -> Option<Trace> {
        #[cfg(test)]
        if self.machine.every_step {
            return Some(Trace::default());
        }
        let mut machine = Machine::new(self.image, self.machine.options).expect("as when the search began");
        machine.recorder = Some(Box::default());
        machine.padding_stays_open = true;
        let pointer_bytes = self.image.program.pointer_bytes;
        let mut script = Script::new(&self.options, pointer_bytes);
        let mut end = None;
        let decisions = self.stack.iter().filter_map(|node| node.taken.as_ref());
        for (index, Decision { thread, answers, .. }) in decisions.enumerate() {
            if index % RECORD_POLL == RECORD_POLL - 1 && self.is_late() {
                return None;
            }
            script.begin(answers, machine.state.threads.len() as u32);
            match machine.transition(*thread, &mut script) {
                Ok(_) => {}
                Err(outcome) => {
                    end = machine.end_of(&outcome);
                    break;
                }
            }
            machine.look();
        }
        if let Some(key) = key {
            if key.check == Check::Deadlock {
                machine.look_inside(&mut script);
                let pending = machine.look();
                machine.find_spins(&pending, &mut script);
            }
            let finding = machine.findings.list().iter().find(|finding| finding.key == *key);
            end = finding.map(|finding| TraceEnd { check: key.check, at: finding.at.clone(), from: None });
        }
        let end = end.or_else(|| self.end_here(&machine, key, check));
        let trace = machine.recorder.take().map(|recorder| recorder.trace).unwrap_or_default();
        Some(Trace { violation: end, ..trace })
    }

    /// Takes the decisions of a livelock and records them. `None` if there is no time for that.
    fn record_cycle(&self, cycle: &Cycle) -> Option<Found> {
        let mut machine = Machine::new(self.image, self.machine.options).expect("as when the search began");
        machine.recorder = Some(Box::default());
        machine.padding_stays_open = true;
        let mut script = Script::new(&self.options, self.image.program.pointer_bytes);
        let mut from = 0;
        for (index, decision) in cycle.way.iter().chain(&cycle.tour).enumerate() {
            if index % RECORD_POLL == RECORD_POLL - 1 && self.is_late() {
                return None;
            }
            if index == cycle.way.len() {
                machine.begin_tour(&mut script);
                from = machine.recorder.as_ref().map_or(0, |recorder| recorder.trace.steps.len());
            }
            script.begin(&decision.answers, machine.state.threads.len() as u32);
            let moved = machine.tour_step(decision.thread, &mut script);
            assert!(matches!(moved, Ok(Moved::Done)), "a step of the search can be taken again");
        }
        let outcome = machine.end_tour();
        let Some(Outcome::Violation(report)) = outcome else {
            panic!("the search has found a livelock that the judge does not see");
        };
        let at = machine.findings.list().last().map_or_else(Vec::new, |finding| finding.at.clone());
        let end = TraceEnd { check: Check::Livelock, at, from: Some(from) };
        let trace = machine.recorder.take().map(|recorder| recorder.trace).unwrap_or_default();
        Some(Found { report: *report, trace: Trace { violation: Some(end), ..trace } })
    }

    /// The violation at the end of the path: every thread waits, or has ended, which ends the program.
    fn end_here(&self, machine: &Machine, key: Option<&FindingKey>, check: Check) -> Option<TraceEnd> {
        let ready = |thread: &usize| machine.state.threads[*thread].status == Status::Ready;
        let at: Vec<_> =
            (0..machine.state.threads.len()).filter(ready).map(|thread| machine.next_op(thread)).collect();
        let check = if at.is_empty() { check } else { key.map_or(Check::Deadlock, |key| key.check) };
        Some(TraceEnd { check, at, from: None })
    }
}

fn bit(thread: usize) -> u64 {
    if thread < 64 { 1 << thread } else { 0 }
}
