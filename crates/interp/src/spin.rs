//! Spinning: threads that go round in a loop until somebody else changes memory, and nobody is left who could.
//!
//! Deadlock has a fourth form: every unfinished thread is blocked or spins, and at least one spins. It is a predicate
//! of one state. A thread *spins* in a state if, run alone from there on a copy,
//!
//! * whatever its own choices are, it can always come back to that state, and never ends, waits or is stopped;
//! * it changes no memory that others can reach. Locks that it takes and gives back do not count; a lock that it held
//!   already is not given away;
//! * a branch depends on memory that it has read, and would lead where the thread never comes; and the loop can be left
//!   by a branch on something that changes ([`crate::loops`]). A loop without an exit only stops its thread, like an
//!   `assume`;
//! * it calls no wait that ends when time has passed, and does not look at a variable that a signal handler may write.
//!
//! The first pass follows the thread from choice to choice until all states on its way are known. A value out of too many
//! possible ones counts as *mixed*, which is how values made of addresses are known: a branch on it ends the question.
//! Then it is followed once more for each place in shared memory that it has read: what is read there is mixed, which
//! shows the branches that depend on it.
//!
//! *Claim*: where the predicate holds no thread ever goes on. *Relies on*: a state determines, with the answers to a
//! thread's questions, what the thread does; states are told apart by their canonical hash. *Proof*: at every point of
//! its round a spinning thread has changed nothing but locks, which it did not hold in the state itself and gives back; so the
//! others find memory as in the state, or wait a little longer for such a lock. A `trylock` of one spinning thread could
//! fail because of a lock that another one takes meanwhile, so that is excluded. *Fault*: `SpinIgnoresWrites`, noticed
//! by `deadlocks/spin_handshake.c`.

use crate::Image;
use crate::answers::{Answers, MOST_TRIES, wakers};
use crate::deadlock::Wait;
use crate::env::{Choice, Environment};
use crate::footprint::{Area, Touch};
use crate::image::Code;
use crate::liveness::successors;
use crate::machine::Machine;
use crate::naming;
use crate::object::Kind;
use crate::race::{Finding, FindingKey};
use crate::report::{Report, ThreadView};
use crate::state::{State, Status, Thread};
use crate::transition::Moved;
use crate::value::{ObjId, Prov, Value, mask};
use crate::visible::{Pending, StepKind};
use crate::watch::Link;
use braid_base::HashMap;
use braid_base::faults::{Fault, active};
use braid_ir::*;
use braid_props::Check;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// A thread whose round takes more instructions than this may spin; it is not known.
const STEPS: u32 = 50_000;

/// The same for states at choices and at the place where the round began.
const STATES: usize = 2_000;

/// Values of so many bits are all tried.
const FEW_BITS: u32 = 8;

/// What the predicate says of a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Spinning {
    /// Some thread goes on, or none spins.
    No,
    /// The round of a thread that stands here was too long.
    Unknown(Loc),
    /// No thread can go on; whoever does not wait spins.
    All(Vec<(usize, Stuck)>),
}

/// Why a thread cannot go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Stuck {
    Waits(Option<Wait>),
    Spins(Spin),
}

/// What a thread does in its round.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Spin {
    /// What decides that it goes round.
    on: Vec<Look>,
    /// Addresses of the locks that it takes and gives back,
    taken: BTreeSet<u64>,
    /// and of those it tries.
    tried: BTreeSet<u64>,
}

/// A read of memory that others can reach.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Look {
    start: u64,
    len: u64,
    shadow: bool,
    /// The attempt to take a lock.
    tries: bool,
    /// Where it stands, outside of library models.
    place: Loc,
}

/// The hash of a state in which one thread runs alone. Addresses that are given out do not count: a round that
/// allocates and frees comes back to where it was.
fn hash_alone(image: &Image, state: &mut State) -> u128 {
    state.hash(image, image.live(), false, false)
}

/// How a thread that runs alone goes on.
enum Alone<T> {
    On(T),
    /// It ends, waits, is stopped or changes something.
    Stops,
    TooLong,
}

/// Gives every possible answer where there are not too many. Output goes nowhere.
struct Every<'e> {
    env: &'e mut dyn Environment,
    answers: Answers,
    threads: u32,
    pointer_bytes: u8,
    /// A question had more answers than are tried.
    wide: bool,
}

impl Environment for Every<'_> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let bits = choice.ty.bits(self.pointer_bytes);
        match choice.kind {
            ChoiceKind::Value | ChoiceKind::Uninit | ChoiceKind::Clock | ChoiceKind::Random => {
                let few = bits <= FEW_BITS && matches!(choice.ty, Ty::Int(_));
                self.wide |= !few;
                self.answers.pick(if few { 1 << bits } else { 1 }) as u128
            }
            ChoiceKind::Timeout | ChoiceKind::WeakFail => self.answers.pick(2) as u128,
            ChoiceKind::Wake => self.answers.pick(wakers(self.threads, bits)) as u128,
            ChoiceKind::AllocFail | ChoiceKind::CallFail | ChoiceKind::Spurious | ChoiceKind::Base => {
                self.answers.pick(if self.env.may_happen(choice.kind) { 2 } else { 1 }) as u128
            }
        }
    }

    fn input(&mut self, _thread: u32, _instr: InstrId) -> Option<u8> {
        self.wide = true;
        None
    }

    fn output(&mut self, _stream: u8, _bytes: &[u8]) -> io::Result<()> {
        Ok(())
    }
}

/// The states a thread can come to by itself, and what happened on the way.
struct Round {
    thread: usize,
    /// Where it began.
    home: (u32, usize),
    held: Vec<u64>,
    /// What is read here is mixed.
    mark: Option<Look>,
    states: Vec<State>,
    known: HashMap<u128, usize>,
    /// Steps between the states, by number.
    edges: Vec<(usize, usize)>,
    steps: u32,
    /// It has not left the section that it stood before.
    first_section: bool,
    /// Instructions executed, by the number of open calls.
    visited: BTreeMap<usize, BTreeSet<u32>>,
    /// The section it is in has changed shadow state, or used a lock.
    shadow_changed: bool,
    lock_used: bool,
    /// What was read in the section it is in, and what was read otherwise. How the library looks at its own locks does
    /// not count, except for an attempt to take one.
    looks_inside: Vec<Look>,
    looks: BTreeSet<Look>,
    /// Branches on something mixed.
    branches: BTreeSet<u32>,
    spin: Spin,
}

impl Machine<'_> {
    /// Looks for a deadlock in which threads spin, and records it; what the threads are about to do is known. Returns
    /// the place of a thread of which it could not be decided.
    pub(crate) fn find_spins(
        &mut self,
        pending: &[Option<Pending>],
        env: &mut dyn Environment,
    ) -> Option<Loc> {
        match self.spinning(pending, env) {
            Spinning::No => None,
            Spinning::Unknown(place) => Some(place),
            Spinning::All(stuck) => {
                self.spin_found(&stuck);
                None
            }
        }
    }

    /// The same for a run that ends there: the report, if there is such a deadlock.
    pub(crate) fn ends_spinning(&mut self, env: &mut dyn Environment) -> Option<Box<Report>> {
        let pending: Vec<_> = (0..self.state.threads.len()).map(|thread| self.pending(thread)).collect();
        match self.spinning(&pending, env) {
            Spinning::No | Spinning::Unknown(_) => None,
            Spinning::All(stuck) => Some(Box::new(self.spin_report(&stuck))),
        }
    }

    /// Returns true unless it is plain to see that some thread goes on or that none spins.
    fn may_spin(&self, pending: &[Option<Pending>]) -> bool {
        let checked = self.options.checks.contains(Check::Deadlock) && !active(Fault::SpinsNotLookedFor);
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
                Some(StepKind::Access | StepKind::TryLock | StepKind::Unlock | StepKind::Pause) | None => {
                    !in_loop
                }
                Some(
                    StepKind::Alloc
                    | StepKind::Free
                    | StepKind::Death
                    | StepKind::Spawn
                    | StepKind::Detach
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
        let spins = || {
            stuck.iter().filter_map(|(_, why)| if let Stuck::Spins(spin) = why { Some(spin) } else { None })
        };
        let disturbs = |one: &Spin, other: &Spin| one.taken.intersection(&other.tried).next().is_some();
        let disturbed = spins()
            .enumerate()
            .any(|(i, one)| spins().enumerate().any(|(j, other)| i != j && disturbs(one, other)));
        if spins().next().is_none() || disturbed {
            return Spinning::No;
        }
        stuck.sort_by_key(|(thread, _)| *thread);
        Spinning::All(stuck)
    }

    fn stuck(&mut self, thread: usize, env: &mut dyn Environment) -> Alone<Stuck> {
        if let Some(wait) = self.wait_of(thread) {
            return Alone::On(Stuck::Waits(Some(wait)));
        }
        let mut may_wait = self.pending(thread).is_some_and(|pending| pending.kind == StepKind::Section);
        if self.is_in_loop(&self.state.threads[thread]) {
            match self.spin_of(thread, env, &mut may_wait) {
                Alone::On(spin) => return Alone::On(Stuck::Spins(spin)),
                Alone::Stops => {}
                Alone::TooLong => return Alone::TooLong,
            }
        }
        let wait = if may_wait { self.waits_in_section(thread, env) } else { None };
        wait.map_or(Alone::Stops, |wait| Alone::On(Stuck::Waits(wait)))
    }

    /// Whom a thread waits for that stands before a section, if it waits there whatever its choices are.
    fn waits_in_section(&mut self, thread: usize, env: &mut dyn Environment) -> Option<Option<Wait>> {
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

    fn every<'e>(&self, env: &'e mut dyn Environment) -> Every<'e> {
        Every {
            env,
            answers: Answers::default(),
            threads: self.state.threads.len() as u32,
            pointer_bytes: self.image.program.pointer_bytes,
            wide: false,
        }
    }

    /// The round of a thread that spins. For one that does not, whether it has stopped in the section it
    /// stood before, where it may have to wait.
    fn spin_of(&mut self, thread: usize, env: &mut dyn Environment, waits: &mut bool) -> Alone<Spin> {
        let before = self.state.clone();
        let result = self.spin_rounds(thread, env, waits);
        self.state = before;
        result
    }

    fn spin_rounds(&mut self, thread: usize, env: &mut dyn Environment, waits: &mut bool) -> Alone<Spin> {
        let mut round = Round::new(self.begin_alone(thread), thread, None);
        let start = round.states[0].clone();
        let followed = self.follow_alone(&mut round, env);
        *waits &= round.first_section;
        match followed {
            Alone::On(()) => {}
            Alone::Stops => return Alone::Stops,
            Alone::TooLong => return Alone::TooLong,
        }
        let Some((_, loop_code)) = round.visited.first_key_value() else { return Alone::Stops };
        let has_exit = self.image.loops().has_exit(self.image, loop_code) || active(Fault::SpinNeedsNoExit);
        if !round.returns() || !has_exit {
            return Alone::Stops;
        }
        let visited: BTreeSet<u32> = round.visited.into_values().flatten().collect();
        let mut on = Vec::new();
        for look in round.looks {
            let mut marked = Round::new(start.clone(), thread, Some(look));
            match self.follow_alone(&mut marked, env) {
                Alone::On(()) => {}
                Alone::Stops => return Alone::Stops,
                Alone::TooLong => return Alone::TooLong,
            }
            if marked.branches.iter().any(|pc| self.leads_elsewhere(*pc, &visited)) {
                on.push(look);
            }
        }
        let needs_none = active(Fault::SpinNeedsNoExit);
        if on.is_empty() && !needs_none || on.iter().any(|look| self.handler_may_write(look)) {
            return Alone::Stops;
        }
        Alone::On(Spin { on, ..round.spin })
    }

    /// The present state with the thread running.
    fn begin_alone(&mut self, thread: usize) -> State {
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
    fn follow_alone(&mut self, round: &mut Round, env: &mut dyn Environment) -> Alone<()> {
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
        loop {
            round.steps += 1;
            if round.steps > STEPS {
                return Alone::TooLong;
            }
            let at = &self.state.threads[round.thread];
            let place = (at.frame.pc, at.callers.len());
            if !first && at.bulk == 0 && (place == round.home || self.may_ask(place.0)) {
                return Alone::On(hash_alone(self.image, &mut self.state));
            }
            if self.image.function(at.frame.func).timed && !active(Fault::SpinIgnoresTime) {
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
    fn may_ask(&self, pc: u32) -> bool {
        match self.image.ops[pc as usize] {
            Some(Op::Nondet { .. } | Op::Input { .. }) => true,
            Some(Op::CmpXchg(c)) => c.weak,
            Some(_) | None => false,
        }
    }

    /// One instruction; false if the thread does not spin.
    fn step_alone(&mut self, round: &mut Round, every: &mut Every, may_ask: bool) -> bool {
        let at = &self.state.threads[round.thread];
        let pc = at.frame.pc;
        let pending = self.step_at(at);
        if !self.is_allowed(round, pc, pending.as_ref()) {
            return false;
        }
        let written = self.written(pending.as_ref());
        (every.wide, self.state.depends_on_address) = (false, None);
        let asked = self.asked;
        if self.step(every).is_err() || self.asked != asked && !may_ask {
            return false;
        }
        if every.wide && !self.mix_answer(round.thread, pc) {
            return false;
        }
        if !self.is_unchanged(round, pc, &written) {
            return false;
        }
        self.note_look(round, pc, pending.as_ref());
        if self.state.depends_on_address.is_some() {
            if round.mark.is_none() {
                return false;
            }
            if matches!(self.image.code[pc as usize], Code::Branch { .. } | Code::Switch { .. }) {
                round.branches.insert(pc);
            }
        }
        self.ends_section_well(round)
    }

    /// Returns true if a spinning thread may execute the instruction.
    fn is_allowed(&self, round: &mut Round, pc: u32, pending: Option<&Pending>) -> bool {
        let thread = &self.state.threads[round.thread];
        let lock_at = |mutex: Operand| {
            let at = self.state.memory.locate(self.fetch_in(thread, mutex), 4, true).ok()?;
            Some(self.state.memory.identity_in(at).base + at.offset)
        };
        match self.image.ops[pc as usize] {
            Some(Op::Lock { mutex }) => {
                round.lock_used = true;
                lock_at(*mutex).is_some()
            }
            Some(Op::TryLock { mutex, .. }) => {
                round.lock_used = true;
                lock_at(*mutex).is_some_and(|lock| {
                    round.spin.tried.insert(lock);
                    true
                })
            }
            // Whether it held the lock already is seen afterwards; somebody else's it does not give back.
            Some(Op::Unlock { mutex }) => {
                round.lock_used = true;
                lock_at(*mutex).is_some_and(|lock| thread.held.contains(&lock))
            }
            Some(
                Op::Spawn { .. }
                | Op::Join { .. }
                | Op::Detach { .. }
                | Op::ExitThread { .. }
                | Op::ExitProgram { .. }
                | Op::Abort
                | Op::Unsupported { .. },
            ) => false,
            Some(Op::Alloc { .. } | Op::Free { .. } | Op::LocalLive { .. } | Op::LocalDead { .. }) => {
                pending.is_none()
            }
            // The end of a frame whose objects others can reach.
            None => pending.is_none(),
            Some(
                Op::Assign { .. }
                | Op::Load { .. }
                | Op::Store { .. }
                | Op::Rmw { .. }
                | Op::CmpXchg(_)
                | Op::Fence { .. }
                | Op::Copy { .. }
                | Op::Fill { .. }
                | Op::Call { .. }
                | Op::Assume { .. }
                | Op::Assert { .. }
                | Op::Nondet { .. }
                | Op::Input { .. }
                | Op::Output { .. }
                | Op::ThreadState { .. }
                | Op::Pair { .. }
                | Op::AtomicBegin { .. }
                | Op::AtomicEnd
                | Op::SelfHandle { .. }
                | Op::SelfNumber { .. }
                | Op::Partial { .. },
            ) => true,
        }
    }

    /// The objects that the step writes and others can reach, as they are.
    fn written(&self, pending: Option<&Pending>) -> Vec<(ObjId, Option<u128>)> {
        let touches = pending.into_iter().flat_map(|pending| pending.footprint.touches());
        let writes = touches.filter(|touch| touch.write && matches!(touch.area, Area::Memory | Area::Shadow));
        let objects: BTreeSet<ObjId> =
            writes.filter_map(|touch| self.state.memory.object_at(touch.start)).collect();
        objects.into_iter().map(|id| (id, self.state.memory.hash_of(id))).collect()
    }

    /// Returns true if the step has changed nothing but locks, or what belongs to a lock.
    fn is_unchanged(&self, round: &mut Round, pc: u32, written: &[(ObjId, Option<u128>)]) -> bool {
        let changed = || written.iter().any(|(id, before)| self.state.memory.hash_of(*id) != *before);
        match self.image.ops[pc as usize] {
            Some(Op::Lock { .. } | Op::TryLock { .. }) => {
                let held = &self.state.threads[round.thread].held;
                round.spin.taken.extend(held.iter().filter(|lock| !round.held.contains(lock)));
                true
            }
            Some(Op::Unlock { .. }) if active(Fault::SpinIgnoresLocks) => true,
            Some(Op::Unlock { .. }) => {
                let mut held = self.state.threads[round.thread].held.clone();
                round.held.iter().all(|lock| {
                    let index = held.iter().position(|other| other == lock);
                    index.map(|index| held.swap_remove(index)).is_some()
                })
            }
            Some(Op::Store { access, .. }) if access.space == Space::Shadow => {
                round.shadow_changed |= changed();
                true
            }
            Some(_) | None => active(Fault::SpinIgnoresWrites) || !changed(),
        }
    }

    /// Returns true unless the step ends a section that has changed shadow state other than that of locks.
    fn ends_section_well(&self, round: &mut Round) -> bool {
        let thread = &self.state.threads[round.thread];
        if thread.section > 0 {
            return true;
        }
        round.first_section = false;
        let lock_used = std::mem::take(&mut round.lock_used);
        let looks = std::mem::take(&mut round.looks_inside);
        round.looks.extend(looks.into_iter().filter(|look| !lock_used || look.tries));
        !std::mem::take(&mut round.shadow_changed) || lock_used
    }

    /// The answer to a question with too many others is mixed; false if that is not possible.
    fn mix_answer(&mut self, thread: usize, pc: u32) -> bool {
        match self.image.ops[pc as usize] {
            Some(Op::Nondet { dst, .. } | Op::Input { dst }) => {
                self.mix(thread, *dst);
                true
            }
            Some(_) | None => false,
        }
    }

    fn mix(&mut self, thread: usize, reg: RegId) {
        let at = &mut self.state.threads[thread];
        let value = at.frame_regs()[reg.0 as usize];
        at.set(reg, Value { prov: Prov::Mixed, ..value });
    }

    /// Remembers a read of shared memory. What is read at the marked place is mixed.
    fn note_look(&mut self, round: &mut Round, pc: u32, pending: Option<&Pending>) {
        let Some(pending) = pending else { return };
        let is_data = |touch: &&Touch| matches!(touch.area, Area::Memory | Area::Shadow);
        let Some(touch) = pending.footprint.touches().find(is_data) else { return };
        let (registers, tries): (Vec<RegId>, bool) = match self.image.ops[pc as usize] {
            Some(Op::Load { dst, .. } | Op::Rmw { dst, .. }) => (vec![*dst], false),
            Some(Op::CmpXchg(c)) => (vec![c.ok, c.old], false),
            Some(Op::TryLock { dst, .. }) => (vec![*dst], true),
            Some(_) | None => return,
        };
        let shadow = touch.area == Area::Shadow;
        let place = self.site_of(&self.state.threads[round.thread], pc).loc;
        let look = Look { start: touch.start, len: touch.len, shadow, tries, place };
        round.looks_inside.push(look);
        if round.mark == Some(look) {
            registers.into_iter().for_each(|reg| self.mix(round.thread, reg));
        }
    }

    /// Returns true if the branch leads where the thread never comes.
    fn leads_elsewhere(&self, pc: u32, visited: &BTreeSet<u32>) -> bool {
        let mut found = false;
        successors(&self.image.code[pc as usize], pc, |next| found |= !visited.contains(&next));
        found
    }

    fn handler_may_write(&self, look: &Look) -> bool {
        if active(Fault::SpinIgnoresSignals) {
            return false;
        }
        let memory = &self.state.memory;
        let object = memory.object_at(look.start).and_then(|id| memory.identity(id));
        match object.map(|object| object.kind) {
            Some(Kind::Global(id)) => self.image.handler_writes().may_write(id),
            _ => self.image.handler_writes().anything,
        }
    }

    #[cold]
    fn spin_found(&mut self, stuck: &[(usize, Stuck)]) {
        let mut spots: Vec<_> = stuck.iter().map(|(thread, _)| self.spot(*thread)).collect();
        spots.sort();
        let key = FindingKey { check: Check::Deadlock, spots };
        if self.findings.knows(&key) {
            return;
        }
        let report = self.spin_report(stuck);
        let at = stuck.iter().map(|(thread, _)| self.next_op(*thread)).collect();
        let locks: Vec<_> = report.threads.iter().map(|view| (view.number as usize, view.lock)).collect();
        let mut moment = self.moment(&locks);
        for (thread, why) in stuck {
            let Stuck::Spins(spin) = why else { continue };
            let event = moment.about.iter_mut().find(|event| event.thread as usize == *thread);
            let links = spin.on.iter().map(|look| {
                let space = if look.shadow { Space::Shadow } else { Space::Memory };
                Link::Bytes { space, start: look.start, len: look.len }
            });
            if let Some(event) = event {
                event.uses.extend(links);
            }
        }
        self.findings.push(Finding { key, report, at, moment });
    }

    fn spin_report(&self, stuck: &[(usize, Stuck)]) -> Report {
        // A thread that spins comes first: the report stands there.
        let mut order: Vec<&(usize, Stuck)> = stuck.iter().collect();
        order.sort_by_key(|(_, why)| matches!(why, Stuck::Waits(_)));
        let views: Vec<ThreadView> = order
            .into_iter()
            .map(|(thread, why)| match why {
                Stuck::Waits(wait) => {
                    self.wait_view(*thread, wait.as_ref(), wait.as_ref().map_or(&[], |wait| &wait.threads))
                }
                Stuck::Spins(spin) => {
                    // Wherever it stands in its round, this is what it waits for.
                    let view = self.view(*thread, self.spin_text(spin));
                    ThreadView { place: spin.on.first().map_or(view.place, |look| look.place), ..view }
                }
            })
            .collect();
        let message = match views.as_slice() {
            [one] => format!("the only unfinished thread, {}, {}", one.path, one.text),
            _ => {
                let parts: Vec<_> = views.iter().map(|view| format!("{} {}", view.path, view.text)).collect();
                format!("all {} unfinished threads wait or spin: {}", views.len(), parts.join("; "))
            }
        };
        self.deadlock_report(message, views)
    }

    fn spin_text(&self, spin: &Spin) -> String {
        let mut parts: Vec<String> = spin.on.iter().map(|look| self.look_text(look)).collect();
        parts.dedup();
        format!("spins on {}", parts.join(", and on "))
    }

    fn look_text(&self, look: &Look) -> String {
        if look.tries {
            let text = self.mutex_text(look.start);
            return match self.holder_text(look.start) {
                Some(holders) => format!("{text}, which {holders} holds"),
                None => format!("{text}, which is never free"),
            };
        }
        let memory = &self.state.memory;
        let object = memory.object_at(look.start).and_then(|id| memory.identity(id));
        let program = self.image.program;
        let named = object.as_ref().and_then(|object| {
            let offset = look.start - object.base;
            match look.shadow {
                false => Some(
                    naming::declared(program, object)? + &naming::path(program, object, offset, look.len)?,
                ),
                true => naming::lock(program, object, offset),
            }
        });
        let name = match (named, &object) {
            (Some(name), _) => format!("'{name}'"),
            (None, Some(object)) => object.describe(program),
            (None, None) => "an object".into(),
        };
        let pointer = Value { bits: u128::from(look.start), prov: Prov::None };
        let value = memory.locate(pointer, look.len, false).ok();
        let space = if look.shadow { Space::Shadow } else { Space::Memory };
        let value = value.and_then(|at| memory.read(at, look.len as usize, space));
        match value {
            Some(value) if value.is_plain() => {
                format!("{name}, which stays {}", signed(value.bits, look.len))
            }
            Some(_) => format!("{name}, which keeps its address"),
            None => format!("{name}, which nobody changes"),
        }
    }
}

impl Machine<'_> {
    /// The threads that hold a lock.
    fn holder_text(&self, lock: u64) -> Option<String> {
        let memory = &self.state.memory;
        let at = memory.locate(Value::plain(u128::from(lock)), 4, false).ok()?;
        let word = memory.read(at, 4, Space::Shadow)?.bits as u32;
        let paths: Vec<String> = match word {
            0 => Vec::new(),
            _ => self
                .holders(at, word)
                .iter()
                .map(|thread| self.state.threads[*thread].path.to_string())
                .collect(),
        };
        (!paths.is_empty()).then(|| paths.join(", "))
    }
}

/// A number of so many bytes as the program would print it.
fn signed(bits: u128, bytes: u64) -> i128 {
    let width = (bytes * 8).min(128) as u32;
    let bits = bits & mask(width as u8);
    if width < 128 && bits >> (width - 1) & 1 == 1 && width > 8 {
        bits as i128 - (1i128 << width)
    } else {
        bits as i128
    }
}

impl Round {
    fn new(start: State, thread: usize, mark: Option<Look>) -> Round {
        let at = &start.threads[thread];
        Round {
            thread,
            home: (at.frame.pc, at.callers.len()),
            held: at.held.clone(),
            mark,
            states: vec![start],
            known: HashMap::default(),
            edges: Vec::new(),
            steps: 0,
            first_section: true,
            visited: BTreeMap::new(),
            shadow_changed: false,
            lock_used: false,
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
    fn returns(&self) -> bool {
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
