//! Threads, mutexes, sections, and the ends of threads and of the program.
//!
//! A section is one node. Whether it is entered is a condition of its own: an `assume` in it that fails,
//! a lock that is taken, mean that it was not. A mutex is a word in the shadow space of its object, as in
//! the interpreter.

use crate::access::{At, Reach, Targets};
use crate::exec::{Frame, Step, Unwinder};
use crate::state::{Entry, Section, State, plain};
use braid_base::faults::active;
use braid_base::{HashMap, Idx};
use braid_bounded::*;
use braid_ir::*;
use braid_logic::{Sort, Term};
use braid_props::Check;
use braid_symex::object::Kind;
use braid_symex::{Taint, Value, bit, truth};

/// The most threads that hold a lock together.
const HOLDERS: u64 = 12;

impl Unwinder<'_> {
    pub fn enter_section(&mut self, mut state: State, guard: Option<&Guard>, tried: bool) -> Step<State> {
        let began = self.stack.len();
        let outside = state.guard;
        match &mut state.section {
            Some(section) => section.depth += 1,
            None if state.multi => {
                let entered = self.terms.fresh("in", Sort::Bool);
                state.guard = self.terms.and(state.guard, entered);
                let node = self.new_node(state.guard);
                self.sections.push(Entry { node, outside, entered, may_refuse: false });
                let (node, depth) = (Some(node), 1);
                state.section = Some(Section { node, depth, outside, entered, trial: false, tried, began });
            }
            None => {
                let entered = self.terms.bool(true);
                let (node, depth) = (None, 1);
                state.section =
                    Some(Section { node, depth, outside, entered, trial: false, tried: false, began });
            }
        }
        if let Some(guard) = guard {
            for instr in &guard.instrs {
                self.instruction(&mut state, instr)?;
            }
            let cond = self.operand(&state, guard.cond);
            let log = self.out.threads[self.thread].log[self.log.index as usize].loc;
            self.depends(&state, cond, log);
            let cond = truth(self.terms, cond.term);
            self.require(&mut state, cond, Some(Obstacle::Condition), log);
        }
        Ok(state)
    }

    pub fn leave_section(&mut self, state: &mut State) {
        if let Some(section) = &mut state.section {
            section.depth -= 1;
            if section.depth == 0 {
                if section.trial {
                    state.guard = self.terms.bool(false);
                }
                state.section = None;
            }
        }
    }

    pub fn atomic_begin(&mut self, state: &mut State, when: Option<&Guard>) -> Step {
        *state = self.enter_section(state.clone(), when, true)?;
        Ok(())
    }

    /// The thread stops unless the condition holds; in a section that means it was not entered. With an
    /// obstacle it waits for the condition.
    pub fn require(&mut self, state: &mut State, cond: Term, obstacle: Option<Obstacle>, loc: Loc) {
        if self.terms.is_true(cond) {
            return;
        }
        if self.is_trial(state) {
            if let Some(obstacle) = obstacle {
                let not = self.terms.not(cond);
                self.refuse(state, not, obstacle);
            }
            state.guard = self.terms.and(state.guard, cond);
            return;
        }
        if obstacle.is_some() {
            self.waits_untried(state, cond, loc);
        }
        if active("assume-stops-everybody") {
            let holds = self.terms.implies(state.guard, cond);
            self.out.constraints.push(holds);
        }
        let open = state.section.filter(|section| section.node.is_some());
        if let Some(section) = open.filter(|_| !active("refused-section-goes-on")) {
            let holds = self.terms.implies(state.guard, cond);
            self.out.constraints.push(holds);
            self.may_refuse(section.entered);
        }
        state.guard = self.terms.and(state.guard, cond);
    }

    /// Something in the section may have to wait.
    fn may_refuse(&mut self, section: Term) {
        if let Some(known) = self.sections.iter_mut().find(|known| known.entered == section) {
            known.may_refuse = true;
        }
    }

    /// A wait outside of a section is a section of its own.
    fn alone(&mut self, state: &mut State, wait: impl FnOnce(&mut Self, &mut State)) {
        let outside = state.section.is_none();
        if outside && let Ok(entered) = self.enter_section(state.clone(), None, true) {
            *state = entered;
        }
        wait(self, state);
        if outside {
            self.leave_section(state);
        }
    }

    /// Reads the owner of a mutex; what else is needed to write it.
    fn owner(&mut self, state: &mut State, mutex: Operand, loc: Loc) -> Option<(At, Reach, Term)> {
        let at = self.at(state, mutex);
        let len = self.pointer_bits(4);
        let reach = self.reach(state, at, len, true, Space::Shadow, loc)?;
        let owner = self.read(state, at, &reach, 4, Space::Shadow, false, loc)?;
        Some((at, reach, owner.term))
    }

    /// What has been written down of the word at a pointer, from the given access on, is such an operation's.
    fn is_lock_use(&mut self, from: AccessId, at: At, lock: LockUse) {
        for access in self.out.accesses.iter_mut().skip(from.index()) {
            if access.area == Area::Shadow && access.pointer == at.pointer.term {
                access.lock = Some(lock);
            }
        }
    }

    pub fn lock(&mut self, state: &mut State, mutex: Operand, loc: Loc) {
        self.alone(state, |this, state| {
            let from = this.out.accesses.next_id();
            let Some((at, reach, owner)) = this.owner(state, mutex, loc) else { return };
            let own = this.terms.bits(32, this.own_number());
            let none = this.terms.bits(32, 0);
            if this.options.checks.contains(Check::LockMisuse) {
                let alone = this.terms.eq(owner, own);
                let together = this.is_among_holders(state, at, &reach, owner, own, loc);
                let again = this.terms.or(alone, together);
                this.check(state, Check::LockMisuse, again, loc);
            }
            let free = this.terms.eq(owner, none);
            let holders =
                if this.is_trial(state) { this.holders(state, at, &reach, owner, loc) } else { Vec::new() };
            this.require(state, free, Some(Obstacle::Lock { holders }), loc);
            if this.round_locks(at.pointer.term) {
                return;
            }
            this.write(state, at, &reach, 4, Space::Shadow, plain(own), loc);
            if !this.is_trial(state) {
                this.is_lock_use(from, at, LockUse::Acquire);
            }
        });
    }

    /// Who holds a lock: conditions, and a thread's number under each.
    fn holders(
        &mut self,
        state: &mut State,
        at: At,
        reach: &Reach,
        owner: Term,
        loc: Loc,
    ) -> Vec<(Term, Term)> {
        let top = self.terms.width(owner) - 1;
        let sign = self.terms.extract(owner, top, top);
        let together = truth(self.terms, sign);
        let alone = self.terms.not(together);
        let mut holders = vec![(alone, owner)];
        for (there, number) in self.held_together(state, at, reach, owner, loc) {
            holders.push((self.terms.and(together, there), number));
        }
        holders
    }

    /// The numbers behind the word of a lock that several hold together, each with the condition that it
    /// is one.
    fn held_together(
        &mut self,
        state: &mut State,
        at: At,
        reach: &Reach,
        owner: Term,
        loc: Loc,
    ) -> Vec<(Term, Term)> {
        let mut held = Vec::new();
        if !self.may_be_held_together(at, reach) {
            return held;
        }
        for holder in 1..=HOLDERS {
            let (at, reach) = (self.shifted(at, 4 * holder), self.shift_reach(reach, 4 * holder));
            let Some(word) = self.read(state, at, &reach, 4, Space::Shadow, false, loc) else { break };
            let count = self.terms.bits(32, u128::from(holder));
            let minus = self.terms.bv_neg(owner);
            held.push((self.terms.ule(count, minus), word.term));
        }
        held
    }

    /// Bool: a lock that several hold together (its word is negative, their numbers follow) is held by this
    /// thread, too.
    fn is_among_holders(
        &mut self,
        state: &mut State,
        at: At,
        reach: &Reach,
        owner: Term,
        own: Term,
        loc: Loc,
    ) -> Term {
        let top = self.terms.width(owner) - 1;
        let sign = self.terms.extract(owner, top, top);
        let together = truth(self.terms, sign);
        if self.terms.is_false(together) {
            return together;
        }
        let mut held = Vec::new();
        for (there, number) in self.held_together(state, at, reach, owner, loc) {
            let this = self.terms.eq(number, own);
            held.push(self.terms.and(there, this));
        }
        let held = self.terms.or_all(held);
        self.terms.and(together, held)
    }

    /// Whether a model writes the word of the lock by itself.
    fn may_be_held_together(&self, at: At, reach: &Reach) -> bool {
        let range = self
            .layout
            .constant(self.terms, at.pointer.term)
            .map(|(_, offset)| (offset.max(0) as u64, offset.max(0) as u64 + 4));
        let own = reach.own.iter().map(|(number, _, _)| *number);
        let seen = reach.seen.iter().flat_map(|seen| seen.objects.known.iter().copied());
        let mut places = own.chain(seen).map(|number| self.out.objects.get(number).and_then(|o| o.place));
        let open = reach
            .seen
            .as_ref()
            .is_some_and(|seen| seen.objects.places.as_ref().is_none_or(|p| !p.is_empty()));
        open || places.any(|place| place.is_none_or(|place| self.later.is_state_stored(place, range)))
    }

    pub fn try_lock(&mut self, state: &mut State, mutex: Operand, loc: Loc) -> Option<Value> {
        let mut result = None;
        self.alone(state, |this, state| {
            let from = this.out.accesses.next_id();
            let Some((at, reach, owner)) = this.owner(state, mutex, loc) else { return };
            let own = this.terms.bits(32, this.own_number());
            let none = this.terms.bits(32, 0);
            let free = this.terms.eq(owner, none);
            let new = this.terms.ite(free, own, owner);
            if !this.round_locks(at.pointer.term) {
                this.write(state, at, &reach, 4, Space::Shadow, plain(new), loc);
                this.is_lock_use(from, at, LockUse::Try(free));
            }
            result = Some(plain(bit(this.terms, free)));
        });
        result
    }

    pub fn unlock(&mut self, state: &mut State, mutex: Operand, loc: Loc) {
        self.alone(state, |this, state| {
            let pointer = this.at(state, mutex).pointer.term;
            if this.round_unlocks(state, pointer) {
                return;
            }
            let from = this.out.accesses.next_id();
            let none = this.terms.bits(32, 0);
            let (at, reach) = if this.options.checks.contains(Check::LockMisuse) {
                let Some((at, reach, owner)) = this.owner(state, mutex, loc) else { return };
                let own = this.terms.bits(32, this.own_number());
                let foreign = this.terms.ne(owner, own);
                this.check(state, Check::LockMisuse, foreign, loc);
                (at, reach)
            } else {
                let at = this.at(state, mutex);
                let len = this.pointer_bits(4);
                let Some(reach) = this.reach(state, at, len, true, Space::Shadow, loc) else { return };
                (at, reach)
            };
            this.write(state, at, &reach, 4, Space::Shadow, plain(none), loc);
            this.is_lock_use(from, at, LockUse::Release);
        });
    }

    pub fn spawn(
        &mut self,
        state: &mut State,
        instr: &Instr,
        dst: RegId,
        func: Operand,
        arg: Operand,
    ) -> Step {
        let (after, targets) = self.functions_at(state.clone(), instr, func);
        state.guard = after.guard;
        if self.terms.is_false(state.guard) {
            return Ok(());
        }
        let bound = self.options.bounds.threads;
        let threads = self.out.threads.len() - usize::from(self.out.probe.is_some());
        if threads as u32 >= bound {
            let place = self.site(instr.loc);
            self.obligation(state, state.guard, What::Threads { bound }, place);
            self.left_open(state);
            state.guard = self.terms.bool(false);
            return Ok(());
        }
        self.multi = true;
        self.sync(state);
        if state.section.is_some_and(|section| section.node.is_none()) {
            // What the section did before is in the snapshot: nobody was there to see it. It may yet be refused.
            self.may_wait_later(state, instr.loc);
            let entered = self.terms.fresh("in", Sort::Bool);
            let outside = state.guard;
            state.guard = self.terms.and(outside, entered);
            let node = self.new_node(state.guard);
            self.sections.push(Entry { node, outside, entered, may_refuse: false });
            state.section =
                state.section.map(|section| Section { node: Some(node), outside, entered, ..section });
        }
        let node = self.node(state);
        let child = self.new_thread(node);
        let arg = self.operand(state, arg);
        self.out.nodes[node].spawns.get_or_insert(child);
        self.run_thread(child, state, &targets, instr, arg)?;
        let handle = self.layout.address(self.terms, self.out.threads[child].handle, 0);
        state.regs[braid_base::Idx::index(dst)] = Some(Value { term: handle, taint: Taint::Address });
        Ok(())
    }

    fn new_thread(&mut self, parent: NodeId) -> ThreadIx {
        let thread = Thread {
            parent: Some(parent),
            unwound: false,
            void: false,
            handle: ObjectNo::NONE,
            nodes: Vec::new(),
            finished: self.terms.bool(false),
            result: self.pointer_bits(0),
            log: Vec::new(),
            symbols: (0, 0),
        };
        let child = self.out.threads.push(thread);
        self.thread_locals.push(HashMap::default());
        self.begin_thread(child, Some(self.log));
        self.out.spawned.push((self.log, child));
        child
    }

    /// Unwinds a new thread.
    fn run_thread(
        &mut self,
        child: ThreadIx,
        parent: &State,
        targets: &[(Term, FuncId)],
        instr: &Instr,
        arg: Value,
    ) -> Step {
        let instance = self.stack.last().and_then(|frame| frame.instance);
        let (thread, log) = (std::mem::replace(&mut self.thread, child), self.log);
        let stack = std::mem::take(&mut self.stack);
        let saved = std::mem::take(&mut self.saved);
        let mut exits = std::mem::take(&mut self.exits);
        let mut result = Ok(());
        let mut rest = parent.guard;
        let symbols = self.terms.symbols().len();
        for (cond, func) in targets {
            let guard = self.terms.and(rest, *cond);
            let not = self.terms.not(*cond);
            rest = self.terms.and(rest, not);
            if self.terms.is_false(guard) {
                continue;
            }
            let pointers = &self.facts.pointers;
            let instance = instance.and_then(|from| {
                pointers.spawned(from, instr.id).find(|id| pointers.instances()[*id].func == *func)
            });
            let state = State {
                guard,
                regs: Vec::new(),
                locals: Vec::new(),
                blocks: Vec::new(),
                memory: parent.memory.clone(),
                section: None,
                multi: true,
            };
            result = self.thread_body(
                Frame { func: *func, instance, site: None, lasting: false, guard },
                state,
                arg,
                instr,
            );
            if result.is_err() {
                break;
            }
        }
        std::mem::swap(&mut self.exits, &mut exits);
        self.finish_thread(child, &exits);
        self.out.threads[child].symbols = (symbols, self.terms.symbols().len());
        (self.thread, self.log, self.stack, self.saved) = (thread, log, stack, saved);
        result
    }

    fn thread_body(&mut self, frame: Frame, mut state: State, arg: Value, instr: &Instr) -> Step {
        let function = &self.program.functions[frame.func];
        if function.blocks.is_empty() {
            let what = format!("a thread in '{}', which has no definition", function.name);
            // There is no frame to stand in.
            self.stack.push(frame);
            self.note(&state, instr.id, instr.loc);
            self.unsupported(&mut state, &what, instr.loc);
            self.stack.pop();
            return Ok(());
        }
        for returned in self.call(frame, &[arg], state)? {
            let value = match returned.value {
                Some(value) => {
                    let value = braid_symex::coerce(self.terms, self.layout, value, Ty::Ptr);
                    self.passes_for_pointer(&returned.state, value, self.last_place(instr.loc));
                    value.term
                }
                None => {
                    self.out.threads[self.thread].void = true;
                    self.terms.fresh("result", Sort::bits(self.layout.pointer_bits))
                }
            };
            let mut state = returned.state;
            self.end_thread_objects(&mut state);
            self.exits.push((state.guard, value));
        }
        Ok(())
    }

    /// Where the thread was last in the user's own code.
    fn last_place(&self, otherwise: Loc) -> Loc {
        let own = |entry: &&LogEntry| !self.program.functions[entry.func].internal;
        self.out.threads[self.thread].log.iter().rev().find(own).map_or(otherwise, |entry| entry.loc)
    }

    pub fn finish_thread(&mut self, thread: ThreadIx, exits: &[(Term, Term)]) {
        let guards: Vec<Term> = exits.iter().map(|(guard, _)| *guard).collect();
        let mut result = self.pointer_bits(0);
        for (guard, value) in exits {
            result = self.terms.ite(*guard, *value, result);
        }
        self.out.threads[thread].unwound = true;
        self.out.threads[thread].finished = self.terms.or_all(guards);
        self.out.threads[thread].result = result;
    }

    /// Thread-local variables go with their thread.
    fn end_thread_objects(&mut self, state: &mut State) {
        let always = self.terms.bool(true);
        let mut numbers: Vec<ObjectNo> = self.thread_locals[self.thread].values().copied().collect();
        numbers.sort();
        for number in numbers {
            let pointer = self.layout.address(self.terms, number, 0);
            self.kill(state, pointer, always);
        }
    }

    pub fn exit_thread(&mut self, state: &mut State, value: Operand, loc: Loc) {
        let value = self.operand(state, value);
        if self.thread != ThreadIx(0) {
            self.passes_for_pointer(state, value, loc);
        }
        let value = value.term;
        self.end_frame(state);
        for (locals, blocks) in self.saved.clone() {
            let mut outer = State { locals, blocks, ..state.clone() };
            self.end_frame(&mut outer);
        }
        self.end_thread_objects(state);
        self.left_open(state);
        if self.thread == ThreadIx(0) && self.counts_blocks() {
            let (place, what) = (self.site(loc), "blocks left when the last thread ends");
            self.obligation(state, state.guard, What::Unsupported(what.to_string()), place);
        }
        self.exits.push((state.guard, value));
        state.guard = self.terms.bool(false);
    }

    pub fn join(&mut self, state: &mut State, dst: Option<RegId>, handle: Operand, loc: Loc) {
        let Some(handle) = self.thread_handle(state, handle, loc) else { return };
        if !state.multi {
            // Nobody but the thread itself is there, and it does not end before it is joined.
            let never = self.terms.bool(false);
            self.waits_untried(state, never, loc);
            state.guard = self.terms.bool(false);
            return;
        }
        if self.is_trial(state) {
            let always = self.terms.bool(true);
            self.refuse(state, always, Obstacle::Join { handle });
            // What follows a join in a section is looked at when it has been entered.
            state.guard = self.terms.bool(false);
            return;
        }
        if state.section.is_some() {
            let never = self.terms.bool(false);
            self.waits_untried(state, never, loc);
        }
        let mut result = None;
        self.alone(state, |this, state| {
            let node = this.node(state);
            let known = this.thread_of(handle);
            let value = match known.map(|thread| &this.out.threads[thread]) {
                // It leaves any value; the join asks which.
                Some(thread) if thread.void => this.choice(ChoiceOf::Kind(ChoiceKind::Uninit), Ty::Ptr).term,
                Some(thread) if thread.unwound => thread.result,
                _ => this.terms.fresh("joined", Sort::bits(this.layout.pointer_bits)),
            };
            // What a thread leaves that returns nothing is no address.
            let taint = if known.is_some_and(|thread| this.out.threads[thread].void) {
                Taint::None
            } else {
                Taint::Address
            };
            result = Some(Value { term: value, taint });
            this.out.joins.push(Join { node, guard: state.guard, handle, thread: known, result: value });
            this.thread_becomes(state, node, handle, ThreadState::Joined);
            if let Some(section) = state.section {
                this.may_refuse(section.entered);
            }
        });
        if let (Some(dst), Some(_)) = (dst, result) {
            state.regs[braid_base::Idx::index(dst)] = result;
        }
    }

    /// Nobody will join the thread.
    pub fn detach(&mut self, state: &mut State, handle: Operand, loc: Loc) {
        let Some(handle) = self.thread_handle(state, handle, loc) else { return };
        if !state.multi {
            return self.unsupported(state, "detaching the first thread before there are others", loc);
        }
        let (node, thread) = (self.node(state), self.thread_of(handle));
        self.detached.push((node, thread));
        self.thread_uses.push((thread, true));
        self.thread_becomes(state, node, handle, ThreadState::Detached);
    }

    /// The thread, if the handle is a constant.
    pub fn thread_of(&self, handle: Term) -> Option<ThreadIx> {
        let (number, _) = self.layout.constant(self.terms, handle)?;
        match self.out.objects.get(number)?.kind {
            Kind::Thread(thread) => Some(thread),
            _ => None,
        }
    }

    /// States of threads are memory only where somebody may see a change of them.
    fn thread_becomes(&mut self, state: &State, node: NodeId, handle: Term, new: ThreadState) {
        if !self.facts.options.one_use {
            let new = self.terms.bits(8, new as u128);
            let targets = self.thread_targets(handle);
            self.event(node, state.guard, Area::Life, handle, 1, Way::Write(new), &targets);
        }
    }

    fn thread_targets(&self, handle: Term) -> Targets {
        match self.layout.constant(self.terms, handle) {
            Some((number, _)) => Targets { known: vec![number], places: Some([].into()) },
            None => Targets { known: Vec::new(), places: None },
        }
    }

    pub fn thread_state(
        &mut self,
        state: &mut State,
        ask: ThreadAsk,
        handle: Operand,
        loc: Loc,
    ) -> Option<Value> {
        let handle = self.operand(state, handle);
        let thread = self.thread_of(handle.term);
        let constant = self.layout.constant(self.terms, handle.term);
        if constant.is_some_and(|(_, offset)| thread.is_none() || offset != 0) {
            return Some(self.known_state(ThreadState::NoThread));
        }
        if constant.is_none() && matches!(handle.taint, Taint::None | Taint::Mixed) {
            let always = self.terms.bool(true);
            self.on_addresses(state, always, What::Addresses, loc);
        }
        if thread == Some(self.thread) && ask == ThreadAsk::Claim && self.facts.options.one_use {
            return Some(self.known_state(ThreadState::Own));
        }
        self.thread_uses.push((thread, ask == ThreadAsk::Claim));
        if self.facts.options.one_use || !state.multi {
            let own = thread == Some(self.thread) && ask == ThreadAsk::Claim;
            return Some(self.known_state(if own { ThreadState::Own } else { ThreadState::Joinable }));
        }
        Some(self.seen_state(state, ask, handle.term, loc))
    }

    /// Bit: the last thread that waited there did so with another mutex.
    pub fn pair(&mut self, state: &mut State, word: Operand, mutex: Operand, loc: Loc) -> Option<Value> {
        let (at, mutex) = (self.at(state, word), self.operand(state, mutex).term);
        if self.facts.options.one_use {
            self.pairs.push((at.pointer.term, mutex));
            let no = self.terms.bool(false);
            return Some(plain(bit(self.terms, no)));
        }
        let bytes = self.layout.pointer_bits / 8;
        let len = self.pointer_bits(bytes.into());
        let reach = self.reach(state, at, len, true, Space::Shadow, loc)?;
        let last = self.read(state, at, &reach, bytes, Space::Shadow, false, loc)?.term;
        self.write(state, at, &reach, bytes, Space::Shadow, plain(mutex), loc);
        let nobody = self.pointer_bits(0);
        let (some, differs) = (self.terms.ne(last, nobody), self.terms.ne(last, mutex));
        let other = self.terms.and(some, differs);
        Some(plain(bit(self.terms, other)))
    }

    /// Returns true if a thread may wait at a condition variable with another mutex than the threads before. Where a
    /// mutex always lies at the same distance from the condition variable, which of them it is does not matter.
    fn mixes_mutexes(&mut self) -> bool {
        let mut known: Vec<(Term, Term)> = Vec::new();
        let mut distances: Vec<Term> = Vec::new();
        let mut open = false;
        for (word, mutex) in std::mem::take(&mut self.pairs) {
            open |= !self.terms.is_constant(word) || !self.terms.is_constant(mutex);
            if known.iter().any(|(other, with)| *other == word && *with != mutex) {
                return true;
            }
            known.push((word, mutex));
            let distance = self.terms.bv_sub(word, mutex);
            if !distances.contains(&distance) {
                distances.push(distance);
            }
        }
        let same = distances.len() == 1 && distances.iter().all(|distance| self.terms.is_constant(*distance));
        open && !same
    }

    fn known_state(&mut self, known: ThreadState) -> Value {
        plain(self.terms.bits(32, known as u128))
    }

    /// The state of a thread as memory that others write.
    fn seen_state(&mut self, state: &mut State, ask: ThreadAsk, handle: Term, loc: Loc) -> Value {
        let is_thread = self.is_handle(handle);
        let node = self.node(state);
        let found = self.terms.fresh("life", Sort::bits(8));
        let targets = self.thread_targets(handle);
        let guard = self.terms.and(state.guard, is_thread);
        self.event(node, guard, Area::Life, handle, 1, Way::Read(found), &targets);
        let number = |this: &mut Self, state: ThreadState| this.terms.bits(8, state as u128);
        let joinable = number(self, ThreadState::Joinable);
        let is_joinable = self.terms.eq(found, joinable);
        let mut result = found;
        if ask == ThreadAsk::Claim {
            let own = self.layout.address(self.terms, self.out.threads[self.thread].handle, 0);
            let (awaited, own_state) = (number(self, ThreadState::Awaited), number(self, ThreadState::Own));
            let is_own = self.terms.eq(handle, own);
            let is_awaited = self.terms.eq(found, awaited);
            let claimed = self.terms.ite(is_joinable, awaited, found);
            let new = self.terms.ite(is_own, found, claimed);
            self.event(node, guard, Area::Life, handle, 1, Way::Write(new), &targets);
            let open = self.terms.or(is_joinable, is_awaited);
            let refused = self.terms.and(is_own, open);
            result = self.terms.ite(refused, own_state, result);
        }
        let none = number(self, ThreadState::NoThread);
        let result = self.terms.ite(is_thread, result, none);
        if ask == ThreadAsk::Life {
            let detached = number(self, ThreadState::Detached);
            let doubtful = self.terms.eq(result, detached);
            let mut here = State { guard: self.terms.and(state.guard, doubtful), ..state.clone() };
            self.unsupported(&mut here, "the question whether a detached thread has ended", loc);
            let not = self.terms.not(doubtful);
            state.guard = self.terms.and(state.guard, not);
        }
        if !self.options.checks.contains(Check::ThreadMisuse) {
            // An id that has ended may be another thread's by now.
            let open = self.terms.not(is_joinable);
            let open = self.terms.and(open, is_thread);
            self.on_addresses(state, open, What::ThreadIds { threads: None, running: None }, loc);
        }
        plain(self.terms.zero_extend(result, 32))
    }

    /// Bool: the value is the handle of a thread. Which threads there are is known at the end.
    fn is_handle(&mut self, handle: Term) -> Term {
        if self.terms.is_constant(handle) {
            return self.terms.bool(self.thread_of(handle).is_some());
        }
        let is_thread = self.terms.fresh("thread", Sort::Bool);
        self.handles.push((is_thread, handle));
        is_thread
    }

    /// Says which values are handles of threads, and whether a thread may be used more than once.
    pub fn settle_threads(&mut self) {
        let threads: Vec<ThreadIx> =
            self.out.threads.ids().filter(|thread| !self.out.is_probe(*thread)).collect();
        for (is_thread, handle) in std::mem::take(&mut self.handles) {
            let mut fits = Vec::new();
            for thread in &threads {
                let own = self.layout.address(self.terms, self.out.threads[*thread].handle, 0);
                fits.push(self.terms.eq(handle, own));
            }
            let some = self.terms.or_all(fits);
            self.out.constraints.push(self.terms.eq(is_thread, some));
        }
        let again = |(index, (thread, _)): (usize, &(Option<ThreadIx>, bool))| {
            let others = self.thread_uses.iter().enumerate().filter(|(other, _)| *other != index);
            thread.is_none() || others.into_iter().any(|(_, (other, ends))| other == thread && *ends)
        };
        let again = self.thread_uses.iter().enumerate().any(again) || self.mixes_mutexes();
        self.out.refutes_one_use = self.facts.options.one_use && again && !active("one-use-believed");
    }

    /// The handle, if it can be a thread's; otherwise the path ends.
    fn thread_handle(&mut self, state: &mut State, handle: Operand, loc: Loc) -> Option<Term> {
        let handle = self.operand(state, handle);
        match self.layout.constant(self.terms, handle.term) {
            Some((_, 0)) if self.thread_of(handle.term).is_some() => {}
            Some(_) => {
                self.unsupported(state, "joining something that is no thread", loc);
                return None;
            }
            None if matches!(handle.taint, Taint::None | Taint::Mixed) => {
                let always = self.terms.bool(true);
                self.on_addresses(state, always, What::Addresses, loc);
            }
            None => {
                let stray = self.is_stray(handle);
                self.on_addresses(state, stray, What::Addresses, loc);
            }
        }
        Some(handle.term)
    }

    /// The program ends; nobody does anything after that.
    pub fn program_ends(&mut self, state: State, returns: bool) {
        if state.multi && !self.terms.is_false(state.guard) {
            let node = self.node(&state);
            self.out.ends.push(End { node, guard: state.guard, returns });
        }
    }
}
