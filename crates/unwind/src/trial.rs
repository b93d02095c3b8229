//! Where threads wait: each step that may have to wait is also tried at a point where nothing else happens.
//!
//! Deadlock is a question about one state: who stands before which step, and would have to wait there. The
//! state is a node of its own, the *probe*, which belongs to no thread. A step that may wait is unwound a
//! second time as a trial: its reads happen at the probe, its writes nowhere, it violates nothing, and it
//! ends where it would have to wait ([`Refusal`]) or where its section ends. A trial does not see what its own
//! section has written to shared memory before the wait; the library's sections write nothing there before it.

use crate::bounded::*;
use crate::exec::{Body, Step, Unwinder};
use crate::state::{Section, State};
use braid_base::{HashMap, Idx, IndexVec};
use braid_ir::*;
use braid_logic::{Sort, Term};
use braid_props::Check;

impl Unwinder<'_> {
    /// Makes the probe, if deadlocks are looked for.
    pub fn make_probe(&mut self) {
        if !self.options.checks.contains(Check::Deadlock) {
            return;
        }
        let never = self.terms.bool(false);
        let entry = LogEntry { func: FuncId(0), instr: InstrId(0), loc: Loc::NONE, guard: never };
        let nothing = self.pointer_bits(0);
        let thread = self.out.threads.push(Thread {
            parent: None,
            unwound: true,
            void: false,
            handle: 0,
            nodes: Vec::new(),
            finished: never,
            result: nothing,
            log: vec![entry],
        });
        self.thread_locals.push(HashMap::default());
        let log = LogRef { thread, index: 0 };
        let node = self.out.nodes.push(Node { thread, index: 0, executed: never, log, spawns: None });
        self.out.threads[thread].nodes.push(node);
        self.out.probe = Some(node);
    }

    pub fn is_trial(&self, state: &State) -> bool {
        state.section.is_some_and(|section| section.trial)
    }

    /// Tries the instruction at the probe, if it begins a step that may have to wait.
    pub fn try_waiting(&mut self, block: BlockId, index: usize, instr: &Instr, state: &State) -> Step {
        let Some(probe) = self.out.probe.filter(|_| state.multi && state.section.is_none()) else {
            return Ok(());
        };
        let func = self.stack.last().expect("code is in a function").func;
        let waits = match &instr.op {
            Op::Lock { .. } | Op::Join { .. } => true,
            Op::AtomicBegin { when } => when.is_some() || self.may_wait(func),
            _ => false,
        };
        if !waits {
            return Ok(());
        }
        let asked = self.terms.fresh("waits", Sort::Bool);
        let reached = self.terms.and(state.guard, asked);
        let nodes = &self.out.threads[self.thread].nodes;
        let before = nodes.last().copied().or(self.out.threads[self.thread].parent);
        let node = NodeId::from_usize(self.out.nodes.len());
        self.out.waits.push(Wait { thread: self.thread, before, node, reached, refusals: Vec::new() });
        let entered = self.terms.bool(true);
        let section = Section {
            node: Some(probe),
            depth: 0,
            entered,
            trial: true,
            tried: true,
            began: self.stack.len(),
        };
        let trial = State { guard: reached, section: Some(section), ..state.clone() };
        let log = self.log;
        let pending: IndexVec<BlockId, Vec<State>> =
            self.program.functions[func].blocks.iter().map(|_| Vec::new()).collect();
        let mut body = Body { pending, returned: Vec::new() };
        self.run(&mut body, block, index, trial)?;
        let order = self.order_of(func);
        self.elements(&mut body, &order)?;
        self.log = log;
        for returned in body.returned {
            let place = self.site(instr.loc);
            let what = What::Unsupported("a section that may wait after its function has returned".into());
            let outside = State { section: None, ..returned.state };
            self.obligation(&outside, outside.guard, what, place);
        }
        Ok(())
    }

    /// In a trial: the thread has to wait here if the condition holds.
    pub fn refuse(&mut self, state: &State, cond: Term, by: Obstacle) {
        let guard = self.terms.and(state.guard, cond);
        if self.terms.is_false(guard) {
            return;
        }
        if let Some(wait) = self.out.waits.last_mut() {
            wait.refusals.push(Refusal { guard, by });
        }
    }

    /// Whether the function, or one that it calls, may wait inside a section.
    fn may_wait(&mut self, func: FuncId) -> bool {
        if let Some(known) = self.waiting.get(&func) {
            return *known;
        }
        // Recursion adds nothing.
        self.waiting.insert(func, false);
        let program = self.program;
        let instrs = program.functions[func].blocks.iter().flat_map(|block| &block.instrs);
        let mut waits = false;
        for instr in instrs {
            waits |= match &instr.op {
                Op::Lock { .. } | Op::Join { .. } => true,
                Op::AtomicBegin { when } => when.is_some(),
                Op::Call { callee: Callee::Direct(callee), .. } => self.may_wait(*callee),
                Op::Call { callee: Callee::Pointer(_), .. } => true,
                _ => false,
            };
        }
        self.waiting.insert(func, waits);
        waits
    }

    /// What a trial does not do: it ends there.
    pub fn ends_trial(&mut self, state: &State, instr: &Instr) -> bool {
        if !self.is_trial(state) {
            return false;
        }
        match instr.op {
            Op::ExitThread { .. } | Op::ExitProgram { .. } | Op::Abort | Op::Unsupported { .. } => true,
            // It waits only if it does with every value; what a new thread does shows when it is there.
            Op::Nondet { .. } | Op::Input { .. } | Op::Spawn { .. } | Op::Detach { .. } => {
                self.untried(state, instr.loc);
                true
            }
            _ => false,
        }
    }

    /// Whether the thread waits here is not known.
    fn untried(&mut self, state: &State, loc: Loc) {
        let what = "deadlock through a section that does more than wait".to_string();
        let outside = State { section: None, ..state.clone() };
        let place = self.site(loc);
        self.obligation(&outside, outside.guard, What::Unsupported(what), place);
    }

    /// A section that began when its thread was alone starts another one; it was not tried.
    pub fn may_wait_later(&mut self, state: &State, loc: Loc) {
        let began = state.section.map_or(0, |section| section.began);
        let open: Vec<FuncId> =
            self.stack.iter().skip(began.saturating_sub(1)).map(|frame| frame.func).collect();
        if self.out.probe.is_some() && open.into_iter().any(|func| self.may_wait(func)) {
            self.untried(state, loc);
        }
    }

    /// The thread has to wait unless the condition holds. Where no trial says so: alone it waits for ever; in
    /// a section that was not tried nothing is known.
    pub fn waits_untried(&mut self, state: &State, cond: Term, loc: Loc) {
        if self.out.probe.is_none() || state.section.is_some_and(|section| section.tried) {
            return;
        }
        if state.multi {
            return self.untried(state, loc);
        }
        let not = self.terms.not(cond);
        let reached = self.terms.and(state.guard, not);
        let place = self.site(loc);
        self.obligation(state, reached, What::Violation(Check::Deadlock), place);
    }
}
