//! Atomic sections, operations on threads, and the ends of threads and of the program.
//!
//! A section is one node. Whether it is entered is a condition of its own: an `assume` in it that fails,
//! a lock that is taken, mean that it was not.

use crate::events::Events;
use crate::shared::{Event, Targets};
use crate::state::{Entry, Section, State};
use braid_base::Idx;
use braid_base::faults::active;
use braid_bounded::*;
use braid_ir::*;
use braid_logic::{Sort, Term, Terms};
use braid_props::Check;
use braid_symex::object::Kind;
use braid_symex::step::{Hazard, World};
use braid_symex::{Taint, Value};

impl Events<'_> {
    pub fn enter_section(&mut self, terms: &mut Terms, state: &mut State, tried: bool) {
        let (began, outside) = (self.here.stack.len(), state.guard);
        match &mut state.path.section {
            Some(section) => section.depth += 1,
            None if state.path.multi => {
                let (node, entered) = self.begin_section(terms, state);
                let (node, depth) = (Some(node), 1);
                state.path.section =
                    Some(Section { node, depth, outside, entered, trial: false, tried, began });
            }
            None => {
                let entered = terms.bool(true);
                let (node, depth) = (None, 1);
                state.path.section =
                    Some(Section { node, depth, outside, entered, trial: false, tried: false, began });
            }
        }
    }

    /// The node of a section that the path has come to, and whether it is entered; the path goes on if it is.
    pub fn begin_section(&mut self, terms: &mut Terms, state: &mut State) -> (NodeId, Term) {
        let outside = state.guard;
        let entered = terms.fresh("in", Sort::Bool);
        state.guard = terms.and(outside, entered);
        let node = self.new_node(state.guard);
        self.pending.sections.push(Entry { node, outside, entered, may_refuse: false });
        (node, entered)
    }

    pub fn leave_section(&mut self, terms: &mut Terms, state: &mut State) {
        if let Some(section) = &mut state.path.section {
            section.depth -= 1;
            if section.depth == 0 {
                if section.trial {
                    state.guard = terms.bool(false);
                }
                state.path.section = None;
            }
        }
    }

    /// The thread stops unless the condition holds; in a section that means it was not entered. With an
    /// obstacle it waits for the condition.
    pub fn require_or_refuse(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        cond: Term,
        obstacle: Option<Obstacle>,
        loc: Loc,
    ) {
        if terms.is_true(cond) {
            return;
        }
        if state.path.is_trial() {
            if let Some(obstacle) = obstacle {
                let not = terms.not(cond);
                self.refuse(terms, state, not, obstacle);
            }
            state.guard = terms.and(state.guard, cond);
            return;
        }
        if obstacle.is_some() {
            self.waits_untried(terms, state, cond, loc);
        }
        if active("assume-stops-everybody") {
            let holds = terms.implies(state.guard, cond);
            self.out.constraints.push(holds);
        }
        let open = state.path.section.filter(|section| section.node.is_some());
        if let Some(section) = open.filter(|_| !active("refused-section-goes-on")) {
            let holds = terms.implies(state.guard, cond);
            self.out.constraints.push(holds);
            self.may_refuse(section.entered);
        }
        state.guard = terms.and(state.guard, cond);
    }

    /// Something in the section may have to wait.
    fn may_refuse(&mut self, section: Term) {
        if let Some(known) = self.pending.sections.iter_mut().find(|known| known.entered == section) {
            known.may_refuse = true;
        }
    }

    /// An operation on threads, or an end.
    pub fn thread_operation(&mut self, terms: &mut Terms, state: &mut State, instr: &Instr) {
        let loc = instr.loc;
        match &instr.op {
            Op::Join { dst, handle } => {
                let result = self.join(terms, state, *handle, loc);
                if let (Some(dst), Some(_)) = (dst, result) {
                    state.regs[dst.index()] = result;
                }
            }
            Op::Detach { handle } => self.detach(terms, state, *handle, loc),
            Op::ThreadState { dst, ask, handle } => {
                let value = self.thread_state(terms, state, *ask, *handle, loc);
                state.regs[dst.index()] = Some(value);
            }
            Op::ExitThread { value } => self.exit_thread(terms, state, *value, loc),
            Op::ExitProgram { code } => {
                let mut step = self.step(terms);
                let code = step.operand(state, *code);
                step.depends(state, code, loc);
                self.program_finishes(terms, state, loc);
                state.guard = terms.bool(false);
            }
            Op::Abort => {
                self.program_ends(terms, state, false);
                state.guard = terms.bool(false);
            }
            Op::Spawn { .. } => unreachable!("starts of threads are control flow"),
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
            | Op::Alloc { .. }
            | Op::Free { .. }
            | Op::LocalLive { .. }
            | Op::LocalDead { .. }
            | Op::Nondet { .. }
            | Op::Input { .. }
            | Op::Output { .. }
            | Op::Pair { .. }
            | Op::Lock { .. }
            | Op::TryLock { .. }
            | Op::Unlock { .. }
            | Op::AtomicBegin { .. }
            | Op::AtomicEnd
            | Op::SelfHandle { .. }
            | Op::SelfNumber { .. }
            | Op::Unsupported { .. }
            | Op::Partial { .. } => unreachable!("these are the same in every world"),
        }
    }

    pub fn finish_thread(&mut self, terms: &mut Terms, thread: ThreadIx, exits: &[(Term, Term)]) {
        let guards: Vec<Term> = exits.iter().map(|(guard, _)| *guard).collect();
        let mut result = self.pointer_bits(terms, 0);
        for (guard, value) in exits {
            result = terms.ite(*guard, *value, result);
        }
        self.out.threads[thread].unwound = true;
        self.out.threads[thread].finished = terms.or_all(guards);
        self.out.threads[thread].result = result;
    }

    /// Thread-local variables go with their thread.
    pub fn end_thread_objects(&mut self, terms: &mut Terms, state: &mut State) {
        let always = terms.bool(true);
        let mut numbers: Vec<ObjectNo> = self.thread_locals[self.here.thread].values().copied().collect();
        numbers.sort();
        for number in numbers {
            let pointer = self.out.layout.address(terms, number, 0);
            let loc = self.place();
            self.step(terms).end_life(state, pointer, always, loc);
        }
    }

    fn exit_thread(&mut self, terms: &mut Terms, state: &mut State, value: Operand, loc: Loc) {
        let value = self.step(terms).operand(state, value);
        if self.here.thread != ThreadIx(0) {
            self.step(terms).passes_for_pointer(state, value, loc);
        }
        let value = value.term;
        self.step(terms).end_frame(state, loc);
        for (locals, blocks) in self.here.saved.clone() {
            let mut outer = State { locals, blocks, ..state.clone() };
            self.step(terms).end_frame(&mut outer, loc);
        }
        self.end_thread_objects(terms, state);
        self.first_step(terms, state);
        self.left_open(state, state.guard);
        if self.here.thread == ThreadIx(0) && self.counts_blocks() {
            let (place, what) = (self.site(loc), "blocks left when the last thread ends");
            self.obligation(terms, state, state.guard, What::Unsupported(what.to_string()), place);
        }
        self.here.exits.push((state.guard, value));
        state.guard = terms.bool(false);
    }

    /// Waits for a thread to end; its result, unless the path ends.
    fn join(&mut self, terms: &mut Terms, state: &mut State, handle: Operand, loc: Loc) -> Option<Value> {
        let handle = self.thread_handle(terms, state, handle, loc)?;
        if !state.path.multi {
            // Nobody but the thread itself is there, and it does not end before it is joined.
            let never = terms.bool(false);
            self.waits_untried(terms, state, never, loc);
            state.guard = terms.bool(false);
            return None;
        }
        if state.path.is_trial() {
            let always = terms.bool(true);
            self.refuse(terms, state, always, Obstacle::Join { handle });
            // The rest of a section after a join is looked at when it has been entered.
            state.guard = terms.bool(false);
            return None;
        }
        let outside = state.path.section.is_none();
        if outside {
            // A wait outside of a section is a section of its own.
            self.enter_section(terms, state, true);
        } else {
            let never = terms.bool(false);
            self.waits_untried(terms, state, never, loc);
        }
        let node = self.node(state);
        let known = self.thread_of(terms, handle);
        let value = match known.map(|thread| &self.out.threads[thread]) {
            // It leaves any value; the join asks which.
            Some(thread) if thread.void => {
                self.choice(terms, ChoiceOf::Kind(ChoiceKind::Uninit), Ty::Ptr).term
            }
            Some(thread) if thread.unwound => thread.result,
            Some(_) | None => terms.fresh("joined", Sort::bits(self.out.layout.pointer_bits)),
        };
        // A thread that returns nothing leaves no address.
        let void = known.is_some_and(|thread| self.out.threads[thread].void);
        let taint = if void { Taint::None } else { Taint::Address };
        self.out.joins.push(Join { node, guard: state.guard, handle, thread: known, result: value });
        self.thread_becomes(terms, state, node, handle, ThreadState::Joined);
        if let Some(section) = state.path.section {
            self.may_refuse(section.entered);
        }
        if outside {
            self.leave_section(terms, state);
        }
        Some(Value { term: value, taint })
    }

    /// Nobody will join the thread.
    fn detach(&mut self, terms: &mut Terms, state: &mut State, handle: Operand, loc: Loc) {
        let Some(handle) = self.thread_handle(terms, state, handle, loc) else { return };
        if !state.path.multi {
            return self.step(terms).unsupported(
                state,
                "detaching the first thread before there are others",
                loc,
            );
        }
        let (node, thread) = (self.node(state), self.thread_of(terms, handle));
        self.pending.detached.push((node, thread));
        self.pending.thread_uses.push((thread, true));
        self.thread_becomes(terms, state, node, handle, ThreadState::Detached);
    }

    /// The thread, if the handle is a constant.
    pub fn thread_of(&self, terms: &Terms, handle: Term) -> Option<ThreadIx> {
        let (number, _) = self.out.layout.constant(terms, handle)?;
        self.thread_with(number)
    }

    /// States of threads are memory only where somebody may see a change of them.
    fn thread_becomes(
        &mut self,
        terms: &mut Terms,
        state: &State,
        node: NodeId,
        handle: Term,
        new: ThreadState,
    ) {
        if !self.given.facts.options.one_use {
            let new = terms.bits(8, new as u128);
            let targets = self.thread_targets(terms, handle);
            self.event(terms, state_of(node, state.guard, handle, Way::Write(new), &targets));
        }
    }

    fn thread_targets(&self, terms: &Terms, handle: Term) -> Targets {
        match self.out.layout.constant(terms, handle) {
            Some((number, _)) => Targets::of(vec![number]),
            None => Targets::all(),
        }
    }

    fn thread_state(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        ask: ThreadAsk,
        handle: Operand,
        loc: Loc,
    ) -> Value {
        let handle = self.step(terms).operand(state, handle);
        let thread = self.thread_of(terms, handle.term);
        let constant = self.out.layout.constant(terms, handle.term);
        if constant.is_some_and(|(_, offset)| thread.is_none() || offset != 0) {
            return known_state(terms, ThreadState::NoThread);
        }
        if constant.is_none() {
            self.passes_for_handle(terms, state, handle, loc);
        }
        if thread == Some(self.here.thread) && ask == ThreadAsk::Claim && self.given.facts.options.one_use {
            return known_state(terms, ThreadState::Own);
        }
        self.pending.thread_uses.push((thread, ask == ThreadAsk::Claim));
        if self.given.facts.options.one_use || !state.path.multi {
            let own = thread == Some(self.here.thread) && ask == ThreadAsk::Claim;
            return known_state(terms, if own { ThreadState::Own } else { ThreadState::Joinable });
        }
        self.seen_state(terms, state, ask, handle.term, loc)
    }

    /// Returns true if a thread may wait at a condition variable with another mutex than the threads before. Where a
    /// mutex always lies at the same distance from the condition variable, which of them it is does not matter.
    fn mixes_mutexes(&mut self, terms: &mut Terms) -> bool {
        let mut known: Vec<(Term, Term)> = Vec::new();
        let mut distances: Vec<Term> = Vec::new();
        let mut open = false;
        for (word, mutex) in std::mem::take(&mut self.pending.pairs) {
            open |= !terms.is_constant(word) || !terms.is_constant(mutex);
            if known.iter().any(|(other, with)| *other == word && *with != mutex) {
                return true;
            }
            known.push((word, mutex));
            let distance = terms.bv_sub(word, mutex);
            if !distances.contains(&distance) {
                distances.push(distance);
            }
        }
        let same = distances.len() == 1 && distances.iter().all(|distance| terms.is_constant(*distance));
        open && !same
    }

    /// The state of a thread as memory that others write.
    fn seen_state(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        ask: ThreadAsk,
        handle: Term,
        loc: Loc,
    ) -> Value {
        let is_thread = self.is_handle(terms, handle);
        let node = self.node(state);
        let found = terms.fresh("life", Sort::bits(8));
        let targets = self.thread_targets(terms, handle);
        let guard = terms.and(state.guard, is_thread);
        self.event(terms, state_of(node, guard, handle, Way::Read(found), &targets));
        let number = |terms: &mut Terms, state: ThreadState| terms.bits(8, state as u128);
        let joinable = number(terms, ThreadState::Joinable);
        let is_joinable = terms.eq(found, joinable);
        let mut result = found;
        if ask == ThreadAsk::Claim {
            let own = self.out.layout.address(terms, self.out.threads[self.here.thread].handle, 0);
            let (awaited, own_state) = (number(terms, ThreadState::Awaited), number(terms, ThreadState::Own));
            let is_own = terms.eq(handle, own);
            let is_awaited = terms.eq(found, awaited);
            let claimed = terms.ite(is_joinable, awaited, found);
            let new = terms.ite(is_own, found, claimed);
            self.event(terms, state_of(node, guard, handle, Way::Write(new), &targets));
            let open = terms.or(is_joinable, is_awaited);
            let refused = terms.and(is_own, open);
            result = terms.ite(refused, own_state, result);
        }
        let none = number(terms, ThreadState::NoThread);
        let result = terms.ite(is_thread, result, none);
        if ask == ThreadAsk::Life {
            let detached = number(terms, ThreadState::Detached);
            let doubtful = terms.eq(result, detached);
            let mut here = state.when(terms, doubtful);
            self.step(terms).unsupported(&mut here, "the question whether a detached thread has ended", loc);
            let not = terms.not(doubtful);
            state.guard = terms.and(state.guard, not);
        }
        if !self.given.options.question.checks.contains(Check::ThreadMisuse) {
            // An id that has ended may be another thread's by now.
            let open = terms.not(is_joinable);
            let open = terms.and(open, is_thread);
            let what = What::ThreadIds { threads: None, running: None };
            self.on_addresses_if(terms, state, open, (what, Doubt::Ids), loc);
        }
        Value::plain(terms.zero_extend(result, 32))
    }

    /// Bool: the value is the handle of a thread. Which threads there are is known at the end.
    fn is_handle(&mut self, terms: &mut Terms, handle: Term) -> Term {
        if terms.is_constant(handle) {
            return terms.bool(self.thread_of(terms, handle).is_some());
        }
        let is_thread = terms.fresh("thread", Sort::Bool);
        self.pending.handles.push((is_thread, handle));
        is_thread
    }

    /// Says which values are handles of threads, and whether a thread may be used more than once.
    pub fn settle_threads(&mut self, terms: &mut Terms) {
        let threads: Vec<ThreadIx> =
            self.out.threads.ids().filter(|thread| !self.out.is_probe(*thread)).collect();
        for (is_thread, handle) in std::mem::take(&mut self.pending.handles) {
            let mut fits = Vec::new();
            for thread in &threads {
                let own = self.out.layout.address(terms, self.out.threads[*thread].handle, 0);
                fits.push(terms.eq(handle, own));
            }
            let some = terms.or_all(fits);
            self.out.constraints.push(terms.eq(is_thread, some));
        }
        let again = |(index, (thread, _)): (usize, &(Option<ThreadIx>, bool))| {
            let others = self.pending.thread_uses.iter().enumerate().filter(|(other, _)| *other != index);
            thread.is_none() || others.into_iter().any(|(_, (other, ends))| other == thread && *ends)
        };
        let again = self.pending.thread_uses.iter().enumerate().any(again) || self.mixes_mutexes(terms);
        self.out.refutes_one_use = self.given.facts.options.one_use && again && !active("one-use-believed");
    }

    /// The handle, if it can be a thread's; otherwise the path ends.
    fn thread_handle(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        handle: Operand,
        loc: Loc,
    ) -> Option<Term> {
        let handle = self.step(terms).operand(state, handle);
        match self.out.layout.constant(terms, handle.term) {
            Some((_, 0)) if self.thread_of(terms, handle.term).is_some() => {}
            Some(_) => {
                self.step(terms).unsupported(state, "joining something that is no thread", loc);
                return None;
            }
            None => self.passes_for_handle(terms, state, handle, loc),
        }
        Some(handle.term)
    }

    /// A value that is not a constant is used as a handle. A handle that is set on some paths only has arbitrary bits on
    /// the others, which may be those of any thread's handle, even the running thread's: control depends on them.
    fn passes_for_handle(&mut self, terms: &mut Terms, state: &State, handle: Value, loc: Loc) {
        let open = match handle.taint {
            Taint::None | Taint::Mixed => terms.bool(true),
            Taint::Address | Taint::Loaded => self.step(terms).is_stray(handle),
        };
        self.on_addresses(terms, state, open, Hazard::Addresses, loc);
    }

    /// Ids of threads that have been joined may be given again.
    pub fn thread_ids(
        &mut self,
        terms: &mut Terms,
        state: &State,
        fixed: Term,
        pointers: [Term; 2],
        loc: Loc,
    ) {
        let mut threads = Some(Vec::new());
        for pointer in pointers {
            match (self.out.layout.candidates(terms, pointer), &mut threads) {
                (Some(list), Some(threads)) => {
                    threads.extend(list.iter().filter_map(|number| self.thread_with(*number)));
                }
                _ => threads = None,
            }
        }
        if threads.as_ref().is_none_or(|threads| threads.len() > 1) {
            let (open, own) = (terms.not(fixed), self.here.thread);
            let is_own = |pointer: &Term| self.thread_of(terms, *pointer) == Some(own);
            let running = pointers.iter().any(is_own).then_some(own);
            let what = What::ThreadIds { threads: threads.map(Into::into), running };
            self.on_addresses_if(terms, state, open, (what, Doubt::Ids), loc);
        }
    }

    /// The thread whose handle the object stands for.
    fn thread_with(&self, object: ObjectNo) -> Option<ThreadIx> {
        match self.out.objects.get(object)?.kind {
            Kind::Thread(thread) => Some(thread),
            Kind::Function(_) | Kind::Global(_) | Kind::ThreadLocal(..) => None,
            Kind::Frame | Kind::Stack | Kind::Heap => None,
        }
    }

    /// The program ends; nobody does anything after that.
    pub fn program_ends(&mut self, terms: &Terms, state: &State, returns: bool) {
        if state.path.multi && !terms.is_false(state.guard) {
            let node = self.node(state);
            self.out.ends.push(End { node, guard: state.guard, returns });
        }
    }
}

fn known_state(terms: &mut Terms, known: ThreadState) -> Value {
    Value::plain(terms.bits(32, known as u128))
}

/// An access to the state of a thread.
fn state_of(node: NodeId, guard: Term, handle: Term, way: Way, targets: &Targets) -> Event<'_> {
    Event { node, guard, area: Area::Life, pointer: handle, bytes: 1, way, targets }
}
