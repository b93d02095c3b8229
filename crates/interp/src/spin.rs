//! Spinning: threads that go round in a loop until somebody else changes memory, and nobody is left who could.
//!
//! Deadlock has a fourth form: every unfinished thread is blocked or spins, and at least one spins. It is a predicate
//! of one state. A thread *spins* in a state if, run alone from there on a copy,
//!
//! * whatever its own choices are, it can always come back to that state, and never ends, waits or is stopped;
//! * it changes no memory that others can reach. Locks that it takes and gives back do not count, nor do locks that it
//!   held already, gives away and takes back, if no other thread takes notice: each waits for something else all the
//!   time, or spins without a look at those locks;
//! * it reads memory that others can reach, and with other values there control could come to a way out of the loop
//!   ([`crate::exits`]). A loop without an exit only stops its thread, like an `assume`;
//! * it calls no wait that ends when time has passed, and does not look at a variable that a signal handler may write.
//!
//! The first pass follows the thread from choice to choice until all states on its way are known. A value out of too many
//! possible ones counts as *mixed*, which is how values made of addresses are known: a branch on it ends the question.
//! Then it is followed once more for each place in shared memory that it has read: what is read there is mixed, which
//! shows the branches that depend on it. Those reads are named in the report; where none is found, all are, because a
//! value may also decide as an index or as the address of a function.
//!
//! A thread that is the only unfinished one is not stopped at every visible step, so it may be asked about anywhere in its
//! round: by a search after so many instructions, by a run after so many others, by a replay where the recording ends.
//! The answer must not depend on the place. It does not: the states, the code and the reads of a round are the same
//! wherever it is entered, and nobody takes notice of the locks held there. *Fault*: `spin-keeps-locks`, noticed by
//! `deadlocks/spin_hand_over_stuck.c`.
//!
//! *Claim*: where the predicate holds no thread ever goes on. *Relies on*: a state determines, with the answers to a
//! thread's questions, what the thread does; states are told apart by their canonical hash. *Proof*: at every point of
//! its round a spinning thread has changed nothing but locks. The others find memory as in the state, wait a little longer
//! for a lock that it takes and gives back, and do not look at one that it gives away for some time. A `trylock` of one
//! spinning thread may fail because of a lock that another one holds for a part of its round, so such a thread is followed
//! with attempts that fail, too, until that leads to no more locks and attempts. *Fault*: `spin-ignores-writes`, noticed by
//! `deadlocks/spin_handshake.c`.

mod every;
mod report;
mod round;
mod step;

use crate::answers::MOST_TRIES;
use crate::deadlock::Wait;
use crate::env::Environment;
use crate::exits::Here;
use crate::footprint::Area;
use crate::liveness::successors;
use crate::machine::Machine;
use crate::object::Kind;
use crate::report::Report;
use crate::state::{Status, Thread};
use crate::transition::Moved;
use crate::visible::{Pending, StepKind};
use braid_base::faults::active;
use braid_ir::Loc;
use braid_props::Check;
use round::{Alone, Round};
use std::collections::{BTreeMap, BTreeSet};

/// The answer of the predicate for one state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Spinning {
    /// Some thread goes on, or none spins.
    No,
    /// The round of a thread that stands here was too long.
    Unknown(Loc),
    /// No thread can go on: each of them waits or spins.
    All(Vec<(usize, Stuck)>),
}

/// Whether a state is a deadlock in which threads spin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spins {
    No,
    /// The round of a thread that stands here was too long.
    Unknown(Loc),
    Yes,
}

/// Why a thread cannot go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Stuck {
    Waits(Option<Wait>),
    Spins(Spin),
}

/// The round of a thread that spins.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Spin {
    /// The reads that decide that it goes round.
    on: Vec<Look>,
    /// Addresses of the locks that others find taken meanwhile,
    taken: BTreeMap<u64, Hold>,
    /// of those it tries,
    tried: BTreeSet<u64>,
    /// and of those that it holds and gives away meanwhile,
    given: BTreeSet<u64>,
    /// when these threads do not wait.
    awake: BTreeSet<usize>,
}

/// How a lock is held for a part of a round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Hold {
    /// By readers, with whom others may read.
    Shared,
    Alone,
}

/// A read of memory that others can reach, or of what a thread is to others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Look {
    /// Memory, shadow state, or the end of a thread.
    area: Area,
    start: u64,
    len: u64,
    /// The attempt to take a lock.
    tries: bool,
    /// Where it stands, outside of library models.
    place: Loc,
}

impl Spin {
    /// The locks among those given that it tries.
    fn met(&self, others: &BTreeMap<u64, Hold>) -> BTreeMap<u64, Hold> {
        others
            .iter()
            .filter(|(lock, _)| self.tried.contains(lock))
            .map(|(lock, hold)| (*lock, *hold))
            .collect()
    }

    /// Returns true if it makes no difference to the thread that others hold none of the locks for some time.
    fn ignores(&self, locks: &BTreeSet<u64>) -> bool {
        let used = |lock: &u64| {
            let mut looks = self.on.iter().filter(|look| look.area != Area::Ends);
            let looked_at = looks.any(|look| (look.start..look.start + look.len).contains(lock));
            looked_at
                || self.tried.contains(lock)
                || self.taken.contains_key(lock)
                || self.given.contains(lock)
        };
        !locks.iter().any(used)
    }
}

/// The locks that spinning threads other than the given one hold for a part of their rounds.
fn locks_of_others(stuck: &[(usize, Stuck)], thread: usize) -> BTreeMap<u64, Hold> {
    let mut locks = BTreeMap::new();
    for (other, why) in stuck {
        let Stuck::Spins(spin) = why else { continue };
        for (lock, hold) in spin.taken.iter().filter(|_| *other != thread) {
            let known = locks.entry(*lock).or_insert(*hold);
            *known = (*known).max(*hold);
        }
    }
    locks
}

impl Machine<'_> {
    /// Looks for a deadlock in which threads spin, and records it if deadlocks are checked; what the threads are about to
    /// do is known.
    pub(crate) fn find_spins(&mut self, pending: &[Option<Pending>], env: &mut dyn Environment) -> Spins {
        match self.spinning(pending, env) {
            Spinning::No => Spins::No,
            Spinning::Unknown(place) => Spins::Unknown(place),
            Spinning::All(stuck) => {
                if self.options.question.checks.contains(Check::Deadlock) {
                    self.spin_found(&stuck);
                }
                Spins::Yes
            }
        }
    }

    /// Looks for a deadlock in which threads spin where a run has to end; the report, if there is one.
    pub(crate) fn ends_spinning(&mut self, env: &mut dyn Environment) -> Option<Box<Report>> {
        let pending: Vec<_> = (0..self.state.threads.len()).map(|thread| self.pending(thread)).collect();
        match self.spinning(&pending, env) {
            Spinning::No | Spinning::Unknown(_) => None,
            Spinning::All(_) if !self.options.question.checks.contains(Check::Deadlock) => None,
            Spinning::All(stuck) => Some(Box::new(self.spin_report(&stuck))),
        }
    }

    /// Returns true unless it is plain to see that some thread goes on or that none spins.
    fn may_spin(&self, pending: &[Option<Pending>]) -> bool {
        // A livelock is none of these states.
        let checked =
            [Check::Deadlock, Check::Livelock].iter().any(|c| self.options.question.checks.contains(*c))
                && !active("spins-not-looked-for");
        if !checked || !self.image.loops().any || self.state.frozen {
            return false;
        }
        let mut some = false;
        for (thread, at) in self.state.threads.iter().enumerate() {
            match at.status {
                Status::Finished(_) => continue,
                Status::Stopped(_) => return false,
                Status::Ready => {}
            }
            let in_loop = self.is_in_loop(at);
            let kind = pending[thread].as_ref().map(|pending| pending.kind);
            let goes_on = match kind {
                Some(StepKind::Lock | StepKind::Join) => !in_loop && self.wait_of(thread).is_none(),
                Some(StepKind::Section) => false,
                // To ask for the state of a thread counts as a step of the kind `Detach`.
                Some(
                    StepKind::Access
                    | StepKind::TryLock
                    | StepKind::Unlock
                    | StepKind::Detach
                    | StepKind::Pause,
                )
                | None => !in_loop,
                Some(
                    StepKind::Alloc
                    | StepKind::Free
                    | StepKind::Death
                    | StepKind::Spawn
                    | StepKind::ThreadEnd
                    | StepKind::ProgramEnd
                    | StepKind::Fatal,
                ) => true,
            };
            if goes_on {
                return false;
            }
            some |= in_loop;
        }
        some
    }

    fn is_in_loop(&self, thread: &Thread) -> bool {
        let loops = self.image.loops();
        let calls = thread.callers.iter().map(|frame| frame.pc.saturating_sub(1));
        loops.is_candidate(thread.frame.pc) || calls.into_iter().any(|pc| loops.is_candidate(pc))
    }

    /// Evaluates the predicate. The state, and what a replay has recorded, stay as they are.
    fn spinning(&mut self, pending: &[Option<Pending>], env: &mut dyn Environment) -> Spinning {
        if !self.may_spin(pending) {
            return Spinning::No;
        }
        // Hashes are kept with the objects: from here on each look costs what has changed since the last one.
        self.state.memory.ensure_tally();
        self.state.memory.hash();
        let before = self.state.clone();
        let (recorder, watch) = (self.recorder.take(), self.watch.take());
        let (touched, found) = (std::mem::take(&mut self.touched), self.findings.len());
        let (asked, asked_inside) = (self.asked, self.asked_inside);
        self.state.depends_on_address = None;
        let result = self.all_stuck(env);
        (self.recorder, self.watch, self.touched) = (recorder, watch, touched);
        (self.asked, self.asked_inside) = (asked, asked_inside);
        self.findings.truncate(found);
        self.state = before;
        result
    }

    fn all_stuck(&mut self, env: &mut dyn Environment) -> Spinning {
        let ready: Vec<usize> = (0..self.state.threads.len())
            .filter(|thread| self.state.threads[*thread].status == Status::Ready)
            .collect();
        // First those in loops: most questions end there.
        let (loops, others): (Vec<usize>, Vec<usize>) =
            ready.into_iter().partition(|thread| self.is_in_loop(&self.state.threads[*thread]));
        let mut stuck = Vec::new();
        let mut unknown = None;
        for thread in loops.into_iter().chain(others) {
            match self.stuck(thread, env) {
                Alone::On(why) => stuck.push((thread, why)),
                Alone::Stops => return Spinning::No,
                Alone::TooLong => unknown = Some(self.next_op(thread).loc),
            }
        }
        if let Some(place) = unknown {
            return Spinning::Unknown(place);
        }
        if !stuck.iter().any(|(_, why)| matches!(why, Stuck::Spins(_))) {
            return Spinning::No;
        }
        match self.disturb(&mut stuck, env) {
            Alone::On(()) => {}
            Alone::Stops => return Spinning::No,
            Alone::TooLong => return Spinning::Unknown(self.next_op(stuck[0].0).loc),
        }
        if self.is_noticed(&stuck) {
            return Spinning::No;
        }
        stuck.sort_by_key(|(thread, _)| *thread);
        Spinning::All(stuck)
    }

    /// Returns true if a spinning thread gives away a lock, and another thread may take notice of that.
    fn is_noticed(&self, stuck: &[(usize, Stuck)]) -> bool {
        let spins = stuck.iter().filter_map(|(_, why)| match why {
            Stuck::Spins(spin) if !spin.given.is_empty() => Some(spin),
            Stuck::Spins(_) | Stuck::Waits(_) => None,
        });
        let givers: Vec<&Spin> = spins.collect();
        let noticed = |giver: &Spin, thread: usize| match stuck.iter().find(|(other, _)| *other == thread) {
            Some((_, Stuck::Spins(spin))) => !spin.ignores(&giver.given) && !active("given-lock-unseen"),
            Some((_, Stuck::Waits(_))) | None => true,
        };
        // A section may wait for several locks, which several threads give away at the same time.
        let in_section = |thread: usize| self.wait_of(thread).is_none();
        let several = |(thread, why): &(usize, Stuck)| matches!(why, Stuck::Waits(_)) && in_section(*thread);
        givers.iter().any(|giver| giver.awake.iter().any(|thread| noticed(giver, *thread)))
            || givers.len() > 1 && stuck.iter().any(several)
    }

    /// Follows once more the threads that try locks which other spinning threads hold for a part of their rounds, now with
    /// attempts that fail. A thread may then take and try other locks than before, so this goes on until nothing is new.
    fn disturb(&mut self, stuck: &mut [(usize, Stuck)], env: &mut dyn Environment) -> Alone<()> {
        // The locks of others among those that a thread tried when it was followed last.
        let mut known: Vec<BTreeMap<u64, Hold>> = vec![BTreeMap::new(); stuck.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for index in 0..stuck.len() {
                let (thread, Stuck::Spins(spin)) = &stuck[index] else { continue };
                let thread = *thread;
                let others = locks_of_others(stuck, thread);
                let met = spin.met(&others);
                if met == known[index] {
                    continue;
                }
                let once = active("spin-disturbed-once");
                match self.spin_of(thread, env, &mut false, if once { &met } else { &others }) {
                    Alone::On(again) => {
                        known[index] = again.met(&others);
                        stuck[index].1 = Stuck::Spins(again);
                        changed = !once;
                    }
                    Alone::Stops => return Alone::Stops,
                    Alone::TooLong => return Alone::TooLong,
                }
            }
        }
        Alone::On(())
    }

    fn stuck(&mut self, thread: usize, env: &mut dyn Environment) -> Alone<Stuck> {
        if let Some(wait) = self.wait_of(thread) {
            return Alone::On(Stuck::Waits(Some(wait)));
        }
        let mut may_wait = self.pending(thread).is_some_and(|pending| pending.kind == StepKind::Section);
        if self.is_in_loop(&self.state.threads[thread]) {
            match self.spin_of(thread, env, &mut may_wait, &BTreeMap::new()) {
                Alone::On(spin) => return Alone::On(Stuck::Spins(spin)),
                Alone::Stops => {}
                Alone::TooLong => return Alone::TooLong,
            }
        }
        let wait = if may_wait { self.waits_in_section(thread, env) } else { None };
        wait.map_or(Alone::Stops, |wait| Alone::On(Stuck::Waits(wait)))
    }

    /// The wait of a thread that stands before a section, if it has to wait there whatever its choices are.
    pub(crate) fn waits_in_section(
        &mut self,
        thread: usize,
        env: &mut dyn Environment,
    ) -> Option<Option<Wait>> {
        let before = self.state.clone();
        let mut every = self.every(env);
        let mut waits: Option<Option<Wait>> = None;
        for _ in 0..MOST_TRIES {
            let moved = self.transition(thread, &mut every);
            self.state = before.clone();
            let Ok(Moved::Blocked(wait)) = moved else { return None };
            waits = Some(Wait::in_both(waits, wait));
            if every.wide {
                return None;
            }
            let Some(prefix) = every.answers.next() else { return waits };
            every.answers.begin(&prefix);
        }
        None
    }

    /// The round of a thread that spins. For one that does not, `waits` stays set if it has stopped in the section it
    /// stood before, where it may have to wait.
    fn spin_of(
        &mut self,
        thread: usize,
        env: &mut dyn Environment,
        waits: &mut bool,
        disturbed: &BTreeMap<u64, Hold>,
    ) -> Alone<Spin> {
        let before = self.state.clone();
        let result = self.spin_rounds(thread, env, waits, disturbed);
        self.state = before;
        result
    }

    fn spin_rounds(
        &mut self,
        thread: usize,
        env: &mut dyn Environment,
        waits: &mut bool,
        disturbed: &BTreeMap<u64, Hold>,
    ) -> Alone<Spin> {
        let mut round = Round::new(self.begin_alone(thread), thread, None);
        round.disturbed.clone_from(disturbed);
        let start = round.states[0].clone();
        let followed = self.follow_alone(&mut round, env);
        *waits &= round.first_section;
        match followed {
            Alone::On(()) => {}
            Alone::Stops => return Alone::Stops,
            Alone::TooLong => return Alone::TooLong,
        }
        let Some((depth, loop_code)) = round.visited.first_key_value() else { return Alone::Stops };
        let here = Here::new(&start, thread, *depth);
        let has_exit =
            self.image.loops().has_exit(self.image, loop_code, &here) || active("spin-needs-no-exit");
        if !round.returns() || !has_exit {
            return Alone::Stops;
        }
        let visited: BTreeSet<u32> = round.visited.into_values().flatten().collect();
        let mut on = Vec::new();
        for look in &round.looks {
            let mut marked = Round::new(start.clone(), thread, Some(*look));
            marked.disturbed.clone_from(disturbed);
            // Without the mark the thread came round; if it does not with the mark, that read decides something.
            let decides = match self.follow_alone(&mut marked, env) {
                Alone::On(()) => marked.branches.iter().any(|pc| self.leads_elsewhere(*pc, &visited)),
                Alone::Stops | Alone::TooLong => true,
            };
            on.extend(decides.then_some(*look));
        }
        // A value may decide where no mark can be followed: as an index, as the address of a function, in a copied record.
        if on.is_empty() && !active("spin-needs-seen-branch") {
            on.extend(round.looks.iter().copied());
        }
        let needs_none = active("spin-needs-no-exit");
        let waits_for_signal = |look: &Look| look.area != Area::Ends && self.handler_may_write(look.start);
        if on.is_empty() && !needs_none || on.iter().any(waits_for_signal) {
            return Alone::Stops;
        }
        Alone::On(Spin { on, ..round.spin })
    }

    /// Returns true if the branch leads where the thread never comes.
    fn leads_elsewhere(&self, pc: u32, visited: &BTreeSet<u32>) -> bool {
        let mut found = false;
        successors(&self.image.code[pc as usize], pc, |next| found |= !visited.contains(&next));
        found
    }

    /// Returns true if a signal handler may write the object at an address.
    pub(crate) fn handler_may_write(&self, start: u64) -> bool {
        if active("spin-ignores-signals") {
            return false;
        }
        let memory = &self.state.memory;
        let object = memory.object_at(start).and_then(|id| memory.identity(id));
        match object.map(|object| object.kind) {
            Some(Kind::Global(id)) => self.image.handler_writes().may_write(id),
            _ => self.image.handler_writes().anything,
        }
    }
}
