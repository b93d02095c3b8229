//! Where threads wait: each step that may have to wait is also tried at a point where nothing else happens.
//!
//! Deadlock is a question about one state: who stands before which step, and would have to wait there. The
//! state is a node of its own, the *probe*, which belongs to no thread. A step that may wait is unwound a
//! second time as a trial: its reads happen at the probe, its writes nowhere, it violates nothing, and it
//! ends where it would have to wait ([`Refusal`]) or where its section ends. A trial does not see what its own
//! section has written to shared memory, or done to locks; where a user's section may read that back, nothing is
//! known. The library's sections do not read back what they write.

use crate::events::Events;
use crate::exec::{Body, Step, Unwinder};
use crate::state::{Path, Section, State, outside};
use braid_base::faults::active;
use braid_base::{HashMap, HashSet, Idx, IndexVec};
use braid_bounded::*;
use braid_ir::*;
use braid_logic::{Sort, Term, Terms};
use braid_props::Check;

const MORE_THAN_WAIT: &str = "deadlock through a section that does more than wait";

impl Events<'_> {
    /// Makes the probe, if deadlocks are looked for.
    pub fn make_probe(&mut self, terms: &mut Terms) {
        if !self.given.options.question.checks.contains(Check::Deadlock) {
            return;
        }
        let never = terms.bool(false);
        let entry = LogEntry { func: FuncId(0), instr: InstrId(0), loc: Loc::NONE, guard: never };
        let nothing = self.pointer_bits(terms, 0);
        let thread = self.out.threads.push(Thread {
            parent: None,
            unwound: true,
            void: false,
            handle: ObjectNo::NONE,
            nodes: Vec::new(),
            finished: never,
            result: nothing,
            log: vec![entry],
            symbols: (0, 0),
        });
        self.thread_locals.push(HashMap::default());
        let log = LogRef { thread, index: 0 };
        let node = self.out.nodes.push(Node { thread, index: 0, executed: never, log, spawns: None });
        self.out.threads[thread].nodes.push(node);
        self.out.probe = Some(node);
    }

    /// In a trial: the thread has to wait here if the condition holds.
    pub fn refuse(&mut self, terms: &mut Terms, state: &State, cond: Term, by: Obstacle) {
        let guard = terms.and(state.guard, cond);
        if terms.is_false(guard) || self.trial.lost || self.trial.round.is_some() {
            return;
        }
        if let Some(wait) = self.out.waits.last_mut() {
            wait.refusals.push(Refusal { guard, by });
        }
    }

    /// Returns true if a trial ends at the instruction, because it does no such thing.
    pub fn ends_trial(&mut self, terms: &mut Terms, state: &State, instr: &Instr) -> bool {
        if !state.path.is_trial() {
            return false;
        }
        match step(&instr.op) {
            Kind::Ends => true,
            // A round that is tried gets all answers; one that changes something does not spin.
            Kind::Asks if self.trial.round.is_some() => false,
            Kind::Changes if self.trial.round.is_some() => true,
            // It waits only if it does with every value; what a new thread does shows when it is there.
            Kind::Asks | Kind::Changes => {
                self.untried(terms, state, instr.loc);
                true
            }
            Kind::Waits | Kind::Enters | Kind::Calls(_) | Kind::GoesOn => false,
        }
    }

    /// It is not known whether the thread waits here.
    fn untried(&mut self, terms: &mut Terms, state: &State, loc: Loc) {
        let outside = outside(state);
        let place = self.site(loc);
        self.obligation(terms, &outside, outside.guard, What::Unsupported(MORE_THAN_WAIT.into()), place);
    }

    /// An access in a trial; whether it happens.
    pub fn tries(&mut self, terms: &mut Terms, guard: Term, area: Area, pointer: Term, way: Way) -> bool {
        if matches!(way, Way::Write(_)) {
            if !(self.is_internal() && self.trial.internal) {
                self.trial.writes.push((area, pointer));
            }
            return false;
        }
        let object = |pointer: Term| self.out.layout.constant(terms, pointer).map(|(object, _)| object);
        let apart = |a: Option<ObjectNo>, b: Option<ObjectNo>| a.is_some() && b.is_some() && a != b;
        let meets = |(other, at): &(Area, Term)| *other == area && !apart(object(*at), object(pointer));
        if self.trial.writes.iter().any(meets) {
            self.trial.lost = true;
            let (thread, log) = (self.here.thread, self.here.log);
            let after = self.out.threads[thread].nodes.last().copied().or(self.out.threads[thread].parent);
            let place = self.out.threads[thread].log[log.index as usize].loc;
            let what = What::Unsupported(MORE_THAN_WAIT.into());
            self.out.obligations.push(Obligation {
                thread,
                after,
                reached: guard,
                what,
                place,
                log: Some(log),
            });
        }
        true
    }

    /// A section that began when its thread was alone starts another one; it was not tried.
    pub fn may_wait_later(&mut self, terms: &mut Terms, state: &State, loc: Loc) {
        let began = state.path.section.map_or(0, |section| section.began);
        let open: Vec<FuncId> =
            self.here.stack.iter().skip(began.saturating_sub(1)).map(|frame| frame.func).collect();
        if self.out.probe.is_some()
            && open.into_iter().any(|func| self.summaries.may_wait(self.given.program, func))
        {
            self.untried(terms, state, loc);
        }
    }

    /// The thread has to wait unless the condition holds. Where no trial says so: alone it waits for ever; in
    /// a section that was not tried nothing is known.
    pub fn waits_untried(&mut self, terms: &mut Terms, state: &State, cond: Term, loc: Loc) {
        if self.out.probe.is_none() || state.path.section.is_some_and(|section| section.tried) {
            return;
        }
        if state.path.multi {
            return self.untried(terms, state, loc);
        }
        let not = terms.not(cond);
        let reached = terms.and(state.guard, not);
        let place = self.site(loc);
        // The value of such memory is a choice, and the thread waits only if it does with every value.
        let unwritten =
            !active("unwritten-waits-certain") && initial::may_be_unwritten(terms, &self.out, cond);
        let what = if unwritten {
            What::Unsupported(initial::UNWRITTEN_WAIT.into())
        } else {
            What::Violation(Check::Deadlock)
        };
        self.obligation(terms, state, reached, what, place);
    }
}

impl Unwinder<'_> {
    /// Tries the instruction at the probe, if it begins a step that may have to wait.
    pub fn try_waiting(&mut self, block: BlockId, index: usize, instr: &Instr, state: &State) -> Step {
        let Some(probe) = self.events.out.probe.filter(|_| state.path.multi && state.path.section.is_none())
        else {
            return Ok(());
        };
        let func = self.events.here.stack.last().expect("code is in a function").func;
        let waits = match step(&instr.op) {
            Kind::Waits => true,
            Kind::Enters => self.events.summaries.may_wait(self.events.given.program, func),
            Kind::Calls(_) | Kind::Ends | Kind::Asks | Kind::Changes | Kind::GoesOn => false,
        };
        if !waits {
            return Ok(());
        }
        let asked = self.terms.fresh("waits", Sort::Bool);
        let reached = self.terms.and(state.guard, asked);
        let nodes = &self.events.out.threads[self.events.here.thread].nodes;
        let before = nodes.last().copied().or(self.events.out.threads[self.events.here.thread].parent);
        let node = Some(NodeId::from_usize(self.events.out.nodes.len()));
        let (thread, refusals) = (self.events.here.thread, Vec::new());
        self.events.out.waits.push(Wait { thread, before, node, log: None, reached, refusals });
        let entered = self.terms.bool(true);
        let section = Section {
            node: Some(probe),
            depth: 0,
            outside: reached,
            entered,
            trial: true,
            tried: true,
            began: self.events.here.stack.len(),
        };
        let path = Path { section: Some(section), ..state.path };
        let trial = State { guard: reached, path, ..state.clone() };
        let log = self.events.here.log;
        self.events.trial.writes.clear();
        self.events.trial.lost = false;
        self.events.trial.internal = self.events.given.program.functions[func].internal;
        let pending: IndexVec<BlockId, Vec<State>> =
            self.events.given.program.functions[func].blocks.iter().map(|_| Vec::new()).collect();
        let mut body = Body { pending, returned: Vec::new() };
        self.run(&mut body, block, index, trial)?;
        let order = self.events.summaries.order(self.events.given.program, func);
        self.elements(&mut body, &order)?;
        self.events.here.log = log;
        for returned in body.returned {
            let place = self.events.site(instr.loc);
            let what = What::Unsupported("a section that may wait after its function has returned".into());
            let outside = outside(&returned.state);
            self.events.obligation(self.terms, &outside, outside.guard, what, place);
        }
        Ok(())
    }
}

/// The functions that may wait, by themselves or in what they call.
pub(crate) fn find_waiting(program: &Program) -> HashSet<FuncId> {
    let instrs = |func: FuncId| program.functions[func].blocks.iter().flat_map(|block| &block.instrs);
    let mut found: HashSet<FuncId> = HashSet::default();
    loop {
        let before = found.len();
        for func in program.functions.ids() {
            let waits = |op: &Op| match step(op) {
                Kind::Waits => true,
                Kind::Calls(Callee::Direct(to)) => found.contains(&to),
                Kind::Calls(Callee::Pointer(_)) => true,
                Kind::Enters | Kind::Ends | Kind::Asks | Kind::Changes | Kind::GoesOn => false,
            };
            if instrs(func).any(|instr| waits(&instr.op)) {
                found.insert(func);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The meaning of an operation to a trial.
enum Kind {
    /// It may have to wait.
    Waits,
    /// It enters a section, in which something may have to wait.
    Enters,
    Calls(Callee),
    /// The thread, or the program, ends there.
    Ends,
    /// It asks for a value.
    Asks,
    /// It starts or detaches a thread.
    Changes,
    GoesOn,
}

/// Names every operation: a new one that waits must not be taken for one that goes on.
fn step(op: &Op) -> Kind {
    match op {
        Op::Lock { .. } | Op::Join { .. } | Op::AtomicBegin { when: Some(_) } => Kind::Waits,
        Op::AtomicBegin { when: None } => Kind::Enters,
        Op::Call { callee, .. } => Kind::Calls(*callee),
        Op::ExitThread { .. } | Op::ExitProgram { .. } | Op::Abort | Op::Unsupported { .. } => Kind::Ends,
        Op::Nondet { .. } | Op::Input { .. } => Kind::Asks,
        Op::Spawn { .. } | Op::Detach { .. } => Kind::Changes,
        Op::Assign { .. }
        | Op::Load { .. }
        | Op::Store { .. }
        | Op::Rmw { .. }
        | Op::CmpXchg(_)
        | Op::Fence { .. }
        | Op::Copy { .. }
        | Op::Fill { .. }
        | Op::Assume { .. }
        | Op::Assert { .. }
        | Op::Alloc { .. }
        | Op::Free { .. }
        | Op::LocalLive { .. }
        | Op::LocalDead { .. }
        | Op::Output { .. }
        | Op::ThreadState { .. }
        | Op::TryLock { .. }
        | Op::Pair { .. }
        | Op::Unlock { .. }
        | Op::AtomicEnd
        | Op::SelfHandle { .. }
        | Op::SelfNumber { .. }
        | Op::Partial { .. } => Kind::GoesOn,
    }
}
