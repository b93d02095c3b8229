//! Loops that spin: an iteration that goes on changes nothing, so all such iterations are alike.
//!
//! One of them is followed for its checks; in the next one the loop ends. An iteration changes nothing if live registers
//! and memory are what they were. It may write what it has just read at the same place (an exchange of what was there, an
//! attempt to take a lock that fails); the part of it that writes something else goes on like any other loop. It may
//! take locks and give them back, if nobody in the program tries a lock without waiting for it: whoever waits for a
//! lock cannot tell how often it was taken meanwhile, whoever tries it can.
//!
//! Such a loop has no unwinding assertion, so deadlock has to ask whether its thread *spins*: it stands between the
//! iteration that was followed and the next one, and an iteration all of whose reads happen at the probe comes round, whatever
//! the thread chooses, and writes what is there. A loop that is unwound has its assertion: where that holds the loop ends.
//!
//! *Claim*: if a thread spins in a reachable state (as `interp` defines it), there is such a place in the bounded program at
//! which the trial comes round, or an unwinding assertion fails. *Relies on*: a round changes nothing, so one more of them
//! leads to the same state. *Proof*: the loop was recognised, or not. If not, it is unwound, and going round more often than
//! the bound breaks its assertion. If it was, some iteration has gone on before the state or can be added to it, and
//! the next one, with all reads in the state itself, goes on with every choice. *Fault*: `spin-not-tried`, noticed by
//! `deadlocks/spin_compare_stuck.c`.

use crate::events::Events;
use crate::exec::{Body, Step, Unwinder};
use crate::shared::Event;
use crate::state::{Path, Section, State};
use braid_analysis::wto::Loop;
use braid_base::faults::active;
use braid_base::{HashSet, Idx, IndexVec};
use braid_bounded::*;
use braid_ir::*;
use braid_logic::{Sort, Term, Terms};
use braid_props::Check;
use braid_symex::Value;
use braid_symex::object::{Kind as ObjectKind, Object};

const MANY_CHOICES: &str = "a loop that may spin, depending on values it chooses";

/// Sequences of choices that are tried.
const TRIES: usize = 64;

/// Where an iteration began.
pub(crate) struct Start {
    state: State,
    accesses: AccessId,
    objects: ObjectNo,
    threads: usize,
}

impl Start {
    /// Returns true if there may be other threads.
    pub fn is_shared(&self) -> bool {
        self.state.path.multi
    }

    pub fn new(out: &Bounded, states: &[State]) -> Option<Start> {
        let [state] = states else { return None };
        Some(Start {
            state: state.clone(),
            accesses: out.accesses.next_id(),
            objects: out.objects.newest(),
            threads: out.threads.len(),
        })
    }
}

/// A round of a loop that is only tried.
#[derive(Default)]
pub(crate) struct Round {
    /// Pointers to the locks it has taken.
    locks: Vec<Term>,
    /// Bools: what it writes is what is there.
    same: Vec<Term>,
    /// The answers to its questions: those that are given first, and those that were given, out of how many.
    first: Vec<u32>,
    given: Vec<(u32, u32)>,
    /// Answers to questions with too many answers.
    open: Vec<Term>,
    /// Values read that a signal handler may write: each is any value.
    signals: Vec<Term>,
    /// Bools: it is not known how it goes on.
    unknown: Vec<Term>,
}

impl Round {
    /// The first answers of the next round, if there is one more.
    fn next(&self) -> Option<Vec<u32>> {
        let last = self.given.iter().rposition(|(answer, count)| answer + 1 < *count)?;
        let mut first: Vec<u32> = self.given[..=last].iter().map(|(answer, _)| *answer).collect();
        first[last] += 1;
        Some(first)
    }
}

impl Unwinder<'_> {
    /// Asks whether a thread spins that stands at the head of a loop that goes on without a change. Returns the number of
    /// the wait.
    pub fn try_spinning(
        &mut self,
        component: &Loop,
        func: FuncId,
        state: &State,
        loc: Loc,
    ) -> Step<Option<usize>> {
        let asks = self.events.may_look_in(func, component) && !active("spin-not-tried");
        let Some(probe) = self.events.out.probe.filter(|_| asks && state.path.section.is_none()) else {
            return Ok(None);
        };
        let exit = self.exit_of(func, component, state);
        if self.terms.is_false(exit.can) && !exit.open {
            return Ok(None);
        }
        let asked = self.terms.fresh("spins", Sort::Bool);
        let reached = self.terms.and(state.guard, asked);
        let (mut rounds, mut open, mut unknown, mut signals) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut first = Some(Vec::new());
        let mut tries = 0;
        while let Some(answers) = first {
            self.events.trial.round = Some(Round { first: answers, ..Round::default() });
            let guard = self.try_round(component, func, state, reached, probe)?;
            let round = self.events.trial.round.take().unwrap_or_default();
            first = round.next();
            rounds.push(self.terms.and_all([guard].into_iter().chain(round.same)));
            open.extend(round.open);
            signals.extend(round.signals);
            unknown.extend(round.unknown);
            tries += 1;
            if tries > TRIES {
                unknown.push(reached);
                break;
            }
        }
        let comes_round = self.terms.and_all(rounds);
        let symbols: HashSet<_> = self.terms.free_symbols(&[comes_round]).into_iter().collect();
        let depends =
            |list: &[Term]| self.terms.free_symbols(list).iter().any(|symbol| symbols.contains(symbol));
        if depends(&signals) {
            return Ok(None);
        }
        if depends(&open) {
            unknown.push(comes_round);
        }
        if exit.open {
            let not = self.terms.not(exit.can);
            unknown.push(self.terms.and(comes_round, not));
        }
        let comes_round = self.terms.and(comes_round, exit.can);
        for reached in unknown {
            let place = self.events.site(loc);
            self.events.obligation(self.terms, state, reached, What::Unsupported(MANY_CHOICES.into()), place);
        }
        let nodes = &self.events.out.threads[self.events.here.thread].nodes;
        let before = nodes.last().copied().or(self.events.out.threads[self.events.here.thread].parent);
        let log = LogRef {
            thread: self.events.here.thread,
            index: self.events.out.threads[self.events.here.thread].log.len() as u32,
        };
        let refusals = vec![Refusal { guard: comes_round, by: Obstacle::Spins }];
        self.events.out.waits.push(Wait {
            thread: self.events.here.thread,
            before,
            node: None,
            log: Some(log),
            reached,
            refusals,
        });
        Ok(Some(self.events.out.waits.len() - 1))
    }

    /// One iteration at the probe. Bool: it comes back to the head.
    fn try_round(
        &mut self,
        component: &Loop,
        func: FuncId,
        state: &State,
        reached: Term,
        probe: NodeId,
    ) -> Step<Term> {
        let entered = self.terms.bool(true);
        let section = Section {
            node: Some(probe),
            depth: 1,
            outside: reached,
            entered,
            trial: true,
            tried: true,
            began: self.events.here.stack.len(),
        };
        let path = Path { section: Some(section), ..state.path };
        let trial = State { guard: reached, path, ..state.clone() };
        let log = self.events.here.log;
        let pending: IndexVec<BlockId, Vec<State>> =
            self.events.given.program.functions[func].blocks.iter().map(|_| Vec::new()).collect();
        let mut body = Body { pending, returned: Vec::new() };
        body.pending[component.head].push(trial);
        self.block(&mut body, component.head)?;
        self.elements(&mut body, &component.inner)?;
        self.events.here.log = log;
        let back: Vec<Term> = body.pending[component.head].iter().map(|state| state.guard).collect();
        Ok(self.terms.or_all(back))
    }
}

impl Events<'_> {
    /// For an iteration that goes on, if it has changed nothing else: Bool, that it has written something other than
    /// what was there.
    pub fn changes(
        &mut self,
        terms: &mut Terms,
        start: Option<&Start>,
        end: &[State],
        func: FuncId,
        head: BlockId,
    ) -> Option<Term> {
        let (start, [end]) = (start?, end) else { return None };
        let state = &start.state;
        if state.path.section.is_some() || end.path != state.path || end.blocks != state.blocks {
            return None;
        }
        let always = terms.bool(true);
        let live = self.summaries.live(self.given.program, func, head);
        let kept = |index: usize| match (state.regs[index], end.regs[index]) {
            (Some(a), Some(b)) => a.term == b.term,
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        let same = live.iter().all(kept) || active("spin-forgets-registers");
        let starts = self.out.threads.len() != start.threads;
        if !same || starts || !state.memory.is_kept(always, &self.out.objects, start.objects, &end.memory) {
            return None;
        }
        self.written(terms, start.accesses, end.guard)
    }

    /// Looks at the accesses from the given one on. If those that are executed under the condition write only what was
    /// there or take locks and give them back: Bool, that one writes something else after all.
    fn written(&mut self, terms: &mut Terms, from: AccessId, guard: Term) -> Option<Term> {
        let mut changed = Vec::new();
        let mut held: Vec<(Term, Term)> = Vec::new();
        for index in self.out.accesses.ids_from(from) {
            let access = self.out.accesses[index].clone();
            let Way::Write(value) = access.way else { continue };
            let both = terms.and(access.guard, guard);
            if terms.is_false(both) {
                continue;
            }
            match access.lock {
                Some(LockUse::Acquire) if self.locks_do_not_count() => {
                    held.push((access.pointer, both));
                    continue;
                }
                Some(LockUse::Release) if self.locks_do_not_count() => {
                    let taken = held.iter().rposition(|(pointer, _)| *pointer == access.pointer)?;
                    let (_, taken) = held.remove(taken);
                    if !are_alike(terms, taken, both) {
                        return None;
                    }
                    continue;
                }
                Some(LockUse::Acquire | LockUse::Release | LockUse::Try(_)) | None => {}
            }
            let fixed = terms.is_constant(value) || matches!(access.lock, Some(LockUse::Try(_)));
            let old = self.read_before(from, index).filter(|_| fixed)?;
            let same = terms.eq(value, old);
            let unchanged = terms.and(both, same);
            if terms.is_false(unchanged) {
                return None;
            }
            let differs = terms.not(same);
            if !active("spin-keeps-writes") {
                changed.push(terms.and(both, differs));
            }
        }
        if !held.is_empty() {
            return None;
        }
        Some(terms.or_all(changed))
    }

    /// The value that the step of a write has read at the same place.
    fn read_before(&self, from: AccessId, index: AccessId) -> Option<Term> {
        let write = &self.out.accesses[index];
        let reads = self.out.accesses.as_slice()[from.index()..index.index()].iter().rev();
        let mut same = reads.filter(|read| {
            read.node == write.node
                && read.pointer == write.pointer
                && (read.area, read.bytes) == (write.area, write.bytes)
        });
        match same.next()?.way {
            Way::Read(value) => Some(value),
            Way::Write(_) => None,
        }
    }

    /// Returns true if nobody can tell how often a lock was acquired and released meanwhile: nobody tries a lock without
    /// waiting for it, and nobody releases a lock that another thread holds (which ends the execution if it is checked).
    fn locks_do_not_count(&mut self) -> bool {
        let misuse_ends = self.given.options.question.checks.contains(Check::LockMisuse)
            || active("spin-forgets-foreign-unlocks");
        let tries = !active("spin-forgets-tries") && self.summaries.tries_locks(self.given.program);
        misuse_ends && !tries
    }

    /// The first step after the place of a wait is the first one from this node on, if there is one.
    pub fn place_wait(&mut self, wait: Option<usize>, from: usize) {
        let Some(wait) = wait else { return };
        let own = |node: &NodeId| self.out.nodes[*node].thread == self.here.thread;
        let next = (from..self.out.nodes.len()).map(NodeId::from_usize).find(own);
        self.out.waits[wait].node = next;
    }

    /// Returns true if an iteration may look at memory.
    fn may_look_in(&mut self, func: FuncId, component: &Loop) -> bool {
        let program = self.given.program;
        let function = &program.functions[func];
        let (looking, _) = self.summaries.looking_and_ending(program);
        let mut instrs = component.blocks.iter().flat_map(|block| &function.blocks[*block].instrs);
        instrs.any(|instr| may_look(&instr.op, looking))
    }

    /// The answer to a question in a round that is tried.
    pub fn round_answer(&mut self, terms: &mut Terms, of: ChoiceOf, width: u32) -> Option<Term> {
        let round = self.trial.round.as_mut()?;
        let few = match of {
            ChoiceOf::Kind(
                ChoiceKind::Value
                | ChoiceKind::Uninit
                | ChoiceKind::Clock
                | ChoiceKind::Random
                | ChoiceKind::Wake,
            ) => width == 1,
            ChoiceOf::Kind(
                ChoiceKind::Timeout
                | ChoiceKind::WeakFail
                | ChoiceKind::AllocFail
                | ChoiceKind::CallFail
                | ChoiceKind::Spurious
                | ChoiceKind::Base,
            ) => true,
            ChoiceOf::Input => false,
        };
        if few {
            let answer = round.first.get(round.given.len()).copied().unwrap_or(0);
            round.given.push((answer, 2));
            return Some(terms.bits(width, answer.into()));
        }
        let value = terms.fresh("c", Sort::bits(width));
        self.trial.round.as_mut()?.open.push(value);
        Some(value)
    }

    /// In a round that is tried: any value for a variable that a signal handler may write.
    pub fn round_signal(&mut self, terms: &mut Terms, pointer: Term, ty: Ty) -> Option<Value> {
        self.trial.round.as_ref()?;
        let (number, _) = self.out.layout.constant(terms, pointer)?;
        let Object { kind: ObjectKind::Global(id), .. } = self.out.objects.get(number)? else { return None };
        let (id, program) = (*id, self.given.program);
        if !self.summaries.handler_writes(program, id) {
            return None;
        }
        let any = terms.fresh("handler", Sort::bits(ty.bits(program.pointer_bytes)));
        self.trial.round.as_mut()?.signals.push(any);
        Some(Value::plain(any))
    }

    /// A round that is tried writes: it spins only if that is what is there.
    pub fn round_writes(&mut self, terms: &mut Terms, write: Event, value: Term) {
        let sort = terms.sort(value);
        let old = terms.fresh("old", sort);
        let guard = write.guard;
        self.event(terms, Event { way: Way::Read(old), ..write });
        let same = terms.eq(old, value);
        let same = terms.implies(guard, same);
        if let Some(round) = &mut self.trial.round {
            round.same.push(same);
        }
    }

    /// A round that is tried takes a lock. Returns false outside of such rounds.
    pub fn round_locks(&mut self, pointer: Term) -> bool {
        let Some(round) = &mut self.trial.round else { return false };
        round.locks.push(pointer);
        true
    }

    /// A round that is tried releases a lock: one that it has acquired, or else it is not known whether the thread spins.
    /// Returns false outside of such rounds.
    pub fn round_unlocks(&mut self, terms: &mut Terms, state: &mut State, pointer: Term) -> bool {
        let Some(round) = &mut self.trial.round else { return false };
        if let Some(index) = round.locks.iter().rposition(|lock| *lock == pointer) {
            round.locks.remove(index);
            return true;
        }
        // The thread may have held it before the round: then it spins at another point of the round, or not at all.
        round.unknown.push(state.guard);
        state.guard = terms.bool(false);
        true
    }
}

/// Returns true if two conditions are plainly the same.
fn are_alike(terms: &mut Terms, a: Term, b: Term) -> bool {
    let mut implies = |a: Term, b: Term| {
        let not = terms.not(b);
        let contrary = terms.and(a, not);
        terms.is_false(contrary)
    };
    a == b || implies(a, b) && implies(b, a)
}

/// The functions that may look at memory, by themselves or in what they call.
pub(crate) fn find_looking(program: &Program) -> HashSet<FuncId> {
    let mut found: HashSet<FuncId> = HashSet::default();
    loop {
        let before = found.len();
        for (func, function) in program.functions.enumerated() {
            let mut instrs = function.blocks.iter().flat_map(|block| &block.instrs);
            if instrs.any(|instr| may_look(&instr.op, &found)) {
                found.insert(func);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Returns true if the operation may look at memory that others write.
///
/// The interpreter has a list of its own (`interp/loops`), and that is deliberate: the judge shares no code with the encoders, so
/// a mistake in one of the two lists shows as a disagreement.
fn may_look(op: &Op, looking: &HashSet<FuncId>) -> bool {
    match op {
        Op::Load { .. } | Op::Rmw { .. } | Op::CmpXchg(_) | Op::Copy { .. } => true,
        Op::TryLock { .. } | Op::ThreadState { .. } | Op::Pair { .. } | Op::AtomicBegin { when: Some(_) } => {
            true
        }
        Op::Call { callee: Callee::Direct(func), .. } => looking.contains(func),
        Op::Call { callee: Callee::Pointer(_), .. } => true,
        Op::Assign { .. }
        | Op::Store { .. }
        | Op::Fence { .. }
        | Op::Fill { .. }
        | Op::Assume { .. }
        | Op::Assert { .. }
        | Op::Alloc { .. }
        | Op::Free { .. }
        | Op::LocalLive { .. }
        | Op::LocalDead { .. }
        | Op::Nondet { .. }
        | Op::Input { .. }
        | Op::Output { .. }
        | Op::Spawn { .. }
        | Op::Join { .. }
        | Op::Detach { .. }
        | Op::Lock { .. }
        | Op::Unlock { .. }
        | Op::AtomicBegin { when: None }
        | Op::AtomicEnd
        | Op::SelfHandle { .. }
        | Op::SelfNumber { .. }
        | Op::ExitThread { .. }
        | Op::ExitProgram { .. }
        | Op::Abort
        | Op::Unsupported { .. }
        | Op::Partial { .. } => false,
    }
}
