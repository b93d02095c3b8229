//! Livelocks: states that can be repeated for ever under a fair scheduler, and in which no thread makes progress.
//!
//! The search looks for them in the graph of all states ([`crate::explore`]); here is the judge. A schedule names the
//! step from which on it can be repeated, and the steps from there to its end are a *tour*. It is a livelock if
//!
//! * the state at the end of the tour is the one at its beginning, and is no deadlock in which threads spin;
//! * at least two threads take steps, and memory changes;
//! * every unfinished thread takes a step, or is blocked in every state of the tour. A thread that could go on in one of
//!   them would run some time (strong fairness); one that an `assume` stops is not blocked;
//! * every thread that takes steps stays in a loop with an exit ([`crate::loops`]). A thread that goes round in a loop
//!   without one serves, and makes progress;
//! * none of these threads waits for an object with a time limit, or reads a variable that a signal handler may write:
//!   time passes, and signals come from outside;
//! * where a step asks for a value, every answer leads to a state of the tour. A choice that is made for ever has each
//!   outcome some time, so one that leads away would be taken.
//!
//! *Claim*: such a tour can be taken for ever by a scheduler that is fair to threads and to choices, and no thread leaves
//! its loop meanwhile. *Relies on*: states with equal canonical hashes go on alike. *Proof*: the states of the tour and
//! the steps taken in them are closed under the answers to choices, and the tour leads from each of them to each other one;
//! so a scheduler that goes on with these steps, whatever the answers, can come to all of them again and again. No thread
//! that it passes over for ever is ready in any of the states. *Fault*: `livelock-unfair`, noticed by
//! `livelock/poll_partner.c`.

use crate::env::Environment;
use crate::footprint::{Area, Touch};
use crate::machine::{Machine, Step};
use crate::race::{Finding, FindingKey};
use crate::report::{Outcome, Report, ThreadView};
use crate::spin::Spins;
use crate::state::{State, Status};
use crate::transition::Moved;
use crate::visible::StepKind;
use braid_base::faults::active;
use braid_base::{HashSet, Idx};
use braid_ir::{FuncId, Loc};
use braid_props::Check;
use std::collections::{BTreeMap, BTreeSet};

/// So many sequences of answers to the questions of one step are tried.
const TRIES: u32 = 1 << 12;

/// So many objects are named for a thread.
const NAMED: usize = 3;

/// The part of a replay that leads back to where it began.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tour {
    begin: u128,
    /// Events before it, in an execution that is watched.
    events: usize,
    /// States on the way, and how memory was in them.
    states: HashSet<u128>,
    memories: HashSet<u128>,
    /// States that other answers lead to.
    answers: HashSet<u128>,
    /// With some answer a step ends the execution, not all answers were tried, or a step is part of no livelock.
    leaves: bool,
    /// It begins in a deadlock, or that is not known.
    spins: bool,
    /// Instructions executed, by thread, with the number of open calls.
    code: BTreeMap<usize, BTreeSet<(u32, u32)>>,
    /// Threads that are not blocked in every state.
    awake: BTreeSet<usize>,
    /// Bytes that were read or written, by whom and where.
    touches: Vec<(usize, Touch, Loc)>,
}

impl Machine<'_> {
    fn tour_hash(&mut self) -> u128 {
        let dead_addresses = self.options.question.checks.contains(Check::MemoryLeak);
        let (image, fixed) = (self.image, self.options.question.fixed_addresses);
        self.state.hash(image, image.live(), dead_addresses, fixed)
    }

    /// From here on the steps of a replay are those of a tour.
    pub(crate) fn begin_tour(&mut self, env: &mut dyn Environment) {
        self.state.memory.ensure_tally();
        let pending = self.look();
        let spins = self.find_spins(&pending, env) != Spins::No;
        let events = self.watch.as_ref().map_or(0, |watch| watch.position());
        let begin = self.tour_hash();
        self.tour = Some(Box::new(Tour { begin, events, spins, ..Tour::default() }));
    }

    /// A transition of a thread, which is noted if it belongs to a tour.
    pub(crate) fn tour_step(&mut self, thread: usize, env: &mut dyn Environment) -> Step<Moved> {
        let Some(mut tour) = self.tour.take() else { return self.transition(thread, env) };
        self.note_state(&mut tour, env);
        let before = self.state.clone();
        let (asked, place) = (self.asked, self.next_op(thread).loc);
        self.trail = Some(BTreeSet::new());
        let moved = self.transition(thread, env);
        let waits = self.waits_for_others();
        let code = self.trail.take().unwrap_or_default();
        if matches!(moved, Ok(Moved::Done)) {
            tour.leaves |= waits;
            tour.code.entry(thread).or_default().extend(code);
            tour.touches.extend(self.touched.touches().map(|touch| (thread, *touch, place)));
        }
        if self.asked != asked {
            self.aside(|machine| machine.try_answers(&mut tour, &before, thread, env));
        }
        self.tour = Some(tour);
        moved
    }

    /// Returns true if the last transition has called a wait with a time limit, or read a variable that a signal handler
    /// may write.
    pub(crate) fn waits_for_others(&self) -> bool {
        let functions = &self.image.functions;
        let is_timed = |pc: u32| {
            let at = functions.iter().rposition(|info| info.entry.is_some_and(|entry| entry <= pc));
            at.is_some_and(|function| self.image.function(FuncId::from_usize(function)).timed)
        };
        let timed = self.trail.iter().flatten().any(|(_, pc)| is_timed(*pc));
        let mut reads = self.touched.touches().filter(|touch| touch.area == Area::Memory && !touch.write);
        timed && !active("spin-ignores-time") || reads.any(|touch| self.handler_may_write(touch.start))
    }

    /// Does something that is only tried: the state and what a replay has recorded stay as they are.
    fn aside<T>(&mut self, action: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.state.clone();
        let (recorder, watch) = (self.recorder.take(), self.watch.take());
        let (touched, found) = (std::mem::take(&mut self.touched), self.findings.len());
        let (asked, asked_inside) = (self.asked, self.asked_inside);
        let result = action(self);
        (self.recorder, self.watch, self.touched) = (recorder, watch, touched);
        (self.asked, self.asked_inside) = (asked, asked_inside);
        self.findings.truncate(found);
        self.state = before;
        result
    }

    /// The present state is one of the tour.
    fn note_state(&mut self, tour: &mut Tour, env: &mut dyn Environment) {
        tour.states.insert(self.tour_hash());
        tour.memories.insert(self.state.memory.hash());
        for thread in 0..self.state.threads.len() {
            if !tour.awake.contains(&thread) && !self.is_blocked(thread, env) {
                tour.awake.insert(thread);
            }
        }
    }

    /// Returns true if the thread has ended, or has to wait whatever its choices are.
    fn is_blocked(&mut self, thread: usize, env: &mut dyn Environment) -> bool {
        match self.state.threads[thread].status {
            Status::Finished(_) => return true,
            Status::Stopped(_) => return false,
            Status::Ready => {}
        }
        if self.wait_of(thread).is_some() {
            return true;
        }
        let section = self.pending(thread).is_some_and(|pending| pending.kind == StepKind::Section);
        section && self.aside(|machine| machine.waits_in_section(thread, env).is_some())
    }

    /// Takes a step of the tour with all answers.
    fn try_answers(&mut self, tour: &mut Tour, before: &State, thread: usize, env: &mut dyn Environment) {
        self.state = before.clone();
        let mut every = self.every(env);
        for _ in 0..TRIES {
            self.state = before.clone();
            self.trail = Some(BTreeSet::new());
            let moved = self.transition(thread, &mut every);
            let waits = self.waits_for_others();
            let code = self.trail.take().unwrap_or_default();
            match moved {
                Ok(Moved::Done) => {
                    tour.leaves |= waits;
                    tour.answers.insert(self.tour_hash());
                    tour.code.entry(thread).or_default().extend(code);
                }
                Ok(Moved::Blocked(_) | Moved::Refused(_)) => {}
                Err(_) => tour.leaves = true,
            }
            tour.leaves |= every.wide;
            let Some(prefix) = every.answers.next().filter(|_| !tour.leaves) else { return };
            every.answers.begin(&prefix);
        }
        tour.leaves = true;
    }

    /// The end of a replay whose last steps are a tour: the livelock, if it is one.
    pub(crate) fn end_tour(&mut self) -> Option<Outcome> {
        let tour = self.tour.take()?;
        let threads = self.going_round(&tour)?;
        let report = self.tour_report(&tour, &threads);
        let mut spots: Vec<_> = threads.iter().map(|thread| self.spot(*thread)).collect();
        spots.sort();
        let key = FindingKey { check: Check::Livelock, spots };
        let at = threads.iter().map(|thread| self.next_op(*thread)).collect();
        let views: Vec<_> = threads.iter().map(|thread| (*thread, None)).collect();
        let mut moment = self.moment(&views);
        moment.cycle = Some(tour.events);
        self.findings.push(Finding { key, report: report.clone(), at, moment });
        Some(Outcome::Violation(Box::new(report)))
    }

    /// The threads that take steps in a tour, if it is a livelock.
    fn going_round(&mut self, tour: &Tour) -> Option<Vec<usize>> {
        let threads: Vec<usize> = tour.code.keys().copied().collect();
        let comes_back = self.tour_hash() == tour.begin && !tour.spins;
        let changes = threads.len() > 1 && tour.memories.len() > 1;
        let fair = tour.awake.iter().all(|thread| threads.contains(thread)) || active("livelock-unfair");
        let closed = !tour.leaves && tour.answers.iter().all(|state| tour.states.contains(state));
        let closed = closed || active("livelock-forgets-choices");
        let loops = self.image.loops();
        let waits = |code: &BTreeSet<(u32, u32)>| {
            loops.loop_of(self.image, &lowest(code)).is_some_and(|found| found.has_exit)
        };
        let waits = tour.code.values().all(waits) || active("livelock-serves");
        (comes_back && changes && fair && closed && waits).then_some(threads)
    }

    fn tour_report(&self, tour: &Tour, threads: &[usize]) -> Report {
        let views: Vec<ThreadView> = threads.iter().map(|thread| self.tour_view(tour, *thread)).collect();
        let parts: Vec<String> = views.iter().map(|view| format!("{} {}", view.path, view.text)).collect();
        let message =
            format!("{} threads go on for ever without progress: {}", views.len(), parts.join("; "));
        Report { check: Check::Livelock, ..self.deadlock_report(message, views) }
    }

    /// A thread that goes round, with the objects that keep it going.
    fn tour_view(&self, tour: &Tour, thread: usize) -> ThreadView {
        let is_data = |touch: &Touch| matches!(touch.area, Area::Memory | Area::Shadow);
        let meets = |one: &Touch, other: &Touch| {
            one.area == other.area && one.start < other.start + other.len && other.start < one.start + one.len
        };
        let own = || tour.touches.iter().filter(|(other, touch, _)| *other == thread && is_data(touch));
        let is_changed = |touch: &Touch| {
            let mut others = tour.touches.iter().filter(|(other, _, _)| *other != thread);
            others.any(|(_, other, _)| other.write && meets(touch, other))
        };
        let reads = |touch: &Touch| !touch.write || touch.area == Area::Shadow;
        // First what it reads and others change, then what else it reads, then what they both change.
        let mut ranked: Vec<_> =
            own().map(|(_, touch, at)| ((!reads(touch), !is_changed(touch)), touch, *at)).collect();
        ranked.sort_by_key(|(rank, _, _)| *rank);
        let best = ranked.first().map(|(rank, _, _)| *rank);
        ranked.retain(|(rank, _, _)| Some(*rank) == best);
        let place = ranked.first().map(|(_, _, at)| *at);
        let mut names: Vec<String> = Vec::new();
        for (_, touch, _) in ranked {
            let name = self.bytes_name(touch.start, touch.len, touch.area == Area::Shadow);
            if !names.contains(&name) && names.len() < NAMED {
                names.push(name);
            }
        }
        let text = match names.as_slice() {
            [] => "goes round".to_string(),
            [one] => format!("goes round on {one}"),
            [first @ .., last] => format!("goes round on {} and {last}", first.join(", ")),
        };
        let view = self.view(thread, text);
        ThreadView { place: place.unwrap_or(view.place), ..view }
    }
}

/// The instructions with the fewest open calls: those of the loop itself.
pub(crate) fn lowest(code: &BTreeSet<(u32, u32)>) -> BTreeSet<u32> {
    let depth = code.first().map_or(0, |(depth, _)| *depth);
    code.iter().take_while(|(at, _)| *at == depth).map(|(_, pc)| *pc).collect()
}
