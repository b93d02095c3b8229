//! Shared memory is accesses at nodes: how the world of an unwinding does what instructions ask of it.

use crate::events::Events;
use crate::shared::{Event, Seen, Targets, area_of};
use crate::state::{Path, State};
use braid_analysis::Facts;
use braid_base::Idx;
use braid_bounded::*;
use braid_ir::*;
use braid_logic::{Sort, Term, Terms};
use braid_props::Check;
use braid_symex::object::Kind;
use braid_symex::step::{
    Code, Death, Elsewhere, Hazard, Purpose, Reach, Resolved, Touch, Wait as WaitFor, World,
};
use braid_symex::{Contents, Stored, Taint, Value};

impl World for Events<'_> {
    type Path = Path;
    type Shared = Seen;

    fn program(&self) -> &Program {
        self.given.program
    }

    fn facts(&self) -> &Facts {
        self.given.facts
    }

    fn objects(&self) -> &Objects {
        &self.out.objects
    }

    fn code(&self) -> Code {
        let frame = self.here.stack.last().expect("code is in a function");
        Code { func: frame.func, instance: frame.instance }
    }

    fn now(&self) -> LogRef {
        self.here.log
    }

    fn place(&self) -> Loc {
        self.out.threads[self.here.thread].log[self.here.log.index as usize].loc
    }

    fn go_back(&mut self, to: LogRef) {
        self.here.log = to;
    }

    fn checks(&self, check: Check) -> bool {
        self.given.options.question.checks.contains(check)
    }

    fn strays(&mut self) -> &mut bool {
        &mut self.pending.strays
    }

    fn begin(&mut self, terms: &mut Terms, state: &State, instr: &Instr) -> bool {
        if !matches!(instr.op, Op::Assign { value: Expr::Use(_) | Expr::Cast { .. }, .. }) {
            self.note(terms, state, instr.id, instr.loc);
        }
        if self.ends_trial(terms, state, instr) {
            return false;
        }
        self.here.racy = self.racy_of(state, &instr.op);
        true
    }

    fn end(&mut self) {
        self.here.racy = None;
    }

    fn next_part(&mut self, terms: &mut Terms, state: &State, instr: &Instr) {
        self.note(terms, state, instr.id, instr.loc);
    }

    fn mark(&mut self, terms: &mut Terms, state: &State, instr: InstrId, passed: bool) {
        if self.given.options.executed.contains(&instr) {
            self.add_mark(terms, state, if passed { MarkOf::Passed(instr) } else { MarkOf::Executed(instr) });
        }
    }

    fn is_atomic(&self, state: &State) -> bool {
        state.path.section.is_some()
    }

    fn is_alone(&self, state: &State) -> bool {
        !state.path.multi
    }

    fn owns_life(&self, state: &State, object: ObjectNo) -> bool {
        !self.is_life_seen(state, object)
    }

    fn owns(&self, state: &State, object: ObjectNo, space: Space, range: Option<(u64, u64)>) -> bool {
        !self.is_seen(state, object, space, range)
    }

    fn resolve(
        &mut self,
        terms: &mut Terms,
        state: &State,
        pointer: Term,
        purpose: Purpose,
    ) -> Resolved<Seen> {
        match purpose {
            Purpose::Access(access) => self.resolve_access(terms, state, pointer, &access),
            Purpose::Free(operand, _) => self.resolve_free(terms, state, pointer, operand),
            Purpose::Compare(operand) => self.resolve_compare(terms, state, pointer, operand),
        }
    }

    fn lives(
        &mut self,
        terms: &mut Terms,
        state: &State,
        pointer: Term,
        purpose: Purpose,
        resolved: &mut Resolved<Seen>,
    ) -> Vec<Term> {
        self.lives_of(terms, state, pointer, purpose, resolved)
    }

    fn elsewhere(
        &mut self,
        terms: &mut Terms,
        state: &State,
        pointer: Term,
        purpose: Purpose,
        resolved: &Resolved<Seen>,
    ) -> Elsewhere {
        self.ask_elsewhere(terms, state, pointer, purpose, resolved)
    }

    fn read(
        &mut self,
        terms: &mut Terms,
        state: &State,
        touch: &Touch,
        (cond, seen): &(Term, Seen),
    ) -> Value {
        let taint = if touch.piece.pointer { Taint::Address } else { Taint::Loaded };
        let symbol = terms.fresh("r", Sort::bits(8 * touch.piece.bytes));
        let event = Event {
            node: seen.node,
            guard: terms.and(state.guard, *cond),
            area: area_of(touch.space),
            pointer: touch.pointer,
            bytes: touch.piece.bytes,
            way: Way::Read(symbol),
            targets: &seen.objects,
        };
        let read = self.touch(terms, event, touch);
        if let Some(read) = read.filter(|_| touch.piece.pointer) {
            self.out.accesses[read].taint = taint;
        }
        Value { term: symbol, taint }
    }

    fn write(
        &mut self,
        terms: &mut Terms,
        state: &State,
        touch: &Touch,
        (cond, seen): &(Term, Seen),
        value: Value,
    ) {
        let (guard, bytes) = (terms.and(state.guard, *cond), touch.piece.bytes);
        let event = |area: Area, value: Term| {
            let (node, targets) = (seen.node, &seen.objects);
            Event { node, guard, area, pointer: touch.pointer, bytes, way: Way::Write(value), targets }
        };
        if let Some(written) = self.touch(terms, event(area_of(touch.space), value.term), touch) {
            self.out.accesses[written].taint = value.taint;
        }
        if touch.space == Space::Memory && self.may_reset(terms, &seen.objects, touch) {
            let zero = terms.bits(8 * bytes, 0);
            self.event(terms, event(Area::Shadow, zero));
        }
    }

    fn peek(&mut self, terms: &mut Terms, state: &State, object: ObjectNo, start: u64, when: Term) -> Term {
        let pointer = self.out.layout.address(terms, object, start as i64);
        let node = self.node(state);
        let symbol = terms.fresh("r", Sort::bits(32));
        let guard = terms.and(state.guard, when);
        let targets = &Targets::of(vec![object]);
        let (area, way) = (Area::Shadow, Way::Read(symbol));
        self.event(terms, Event { node, guard, area, pointer, bytes: 4, way, targets });
        symbol
    }

    fn allocate(&mut self, terms: &mut Terms, state: &State, object: Object) -> ObjectNo {
        let kind = object.kind;
        let number = self.out.objects.add(object);
        if kind == Kind::Heap {
            self.block_begins(terms, state, number);
        }
        number
    }

    fn end_life(&mut self, terms: &mut Terms, state: &State, death: Death<'_, Seen>) {
        let (node, here, targets) = match death.open {
            Some((seen, when)) => (seen.node, when, seen.objects.clone()),
            None => {
                let noticed = |(number, _): &&(ObjectNo, Term)| self.is_life_noticed(state, *number);
                let (known, zones): (Vec<ObjectNo>, Vec<Term>) =
                    death.objects.iter().filter(noticed).copied().unzip();
                if known.is_empty() {
                    return;
                }
                (self.node(state), terms.or_all(zones), Targets::of(known))
            }
        };
        let guard = terms.and(state.guard, here);
        let (pointer, way) = (death.pointer, Way::Write(terms.bits(8, 0)));
        let area = Area::Life;
        self.event(terms, Event { node, guard, area, pointer, bytes: 1, way, targets: &targets });
    }

    fn volatile(&mut self, terms: &mut Terms, pointer: Term, ty: Ty) -> Option<Value> {
        self.round_signal(terms, pointer, ty)
    }

    fn may_be_in_use(&self, terms: &Terms, state: &State, reach: &Reach<Seen>) -> bool {
        let holds = |number: &ObjectNo| {
            let place = self.out.objects.get(*number).and_then(|object| object.place);
            place.is_none_or(|place| self.later.may_hold_state(place, None))
        };
        let own = reach.own.iter().any(|(number, _, _)| {
            let here = state.memory.known(*number).and_then(|known| known.shadow.as_ref());
            let here = here.is_some_and(|shadow| !Events::is_all_zero(terms, shadow));
            (here || self.is_seen(state, *number, Space::Shadow, None)) && holds(number)
        });
        let seen = reach.shared.as_ref().is_some_and(|(_, seen)| {
            let open = seen.objects.places.as_ref();
            seen.objects.known.iter().any(holds)
                || open.is_none_or(|places| places.iter().any(|p| self.later.may_hold_state(*p, None)))
        });
        own || seen
    }

    fn may_be_held_together(&self, terms: &Terms, pointer: Term, reach: &Reach<Seen>) -> bool {
        let range = self
            .out
            .layout
            .constant(terms, pointer)
            .map(|(_, offset)| (offset.max(0) as u64, offset.max(0) as u64 + 4));
        let seen = reach.shared.as_ref().map(|(_, seen)| &seen.objects);
        let own = reach.own.iter().map(|(number, _, _)| *number);
        let known = seen.iter().flat_map(|objects| objects.known.iter().copied());
        let mut places = own.chain(known).map(|number| self.out.objects.get(number).and_then(|o| o.place));
        let open = seen.is_some_and(|objects| objects.places.as_ref().is_none_or(|p| !p.is_empty()));
        open || places.any(|place| place.is_none_or(|place| self.later.is_state_stored(place, range)))
    }

    fn locks_in(&self, state: &State, object: ObjectNo) -> Option<Option<Vec<u64>>> {
        let place = self.out.objects.get(object).and_then(|object| object.place);
        let words = self.later.locks(place?).filter(|_| !state.path.is_trial())?;
        Some(words.map(|words| words.iter().map(|(start, _)| *start).collect()))
    }

    fn choose(&mut self, terms: &mut Terms, of: ChoiceOf, ty: Ty) -> Value {
        self.choice(terms, of, ty)
    }

    fn is_possible(&self, kind: ChoiceKind) -> bool {
        match kind {
            ChoiceKind::AllocFail => self.given.options.question.malloc_may_fail,
            ChoiceKind::Spurious => self.given.options.question.spurious_wakeups,
            ChoiceKind::CallFail => self.given.options.question.calls_may_fail,
            ChoiceKind::Value
            | ChoiceKind::Random
            | ChoiceKind::Uninit
            | ChoiceKind::Clock
            | ChoiceKind::Timeout
            | ChoiceKind::Wake
            | ChoiceKind::WeakFail
            | ChoiceKind::Base => true,
        }
    }

    fn constrain(&mut self, condition: Term) {
        self.out.constraints.push(condition);
    }

    fn oblige(&mut self, terms: &mut Terms, state: &State, reached: Term, hazard: Hazard, loc: Loc) {
        let place = self.site(loc);
        self.obligation(terms, state, reached, hazard.into(), place);
    }

    fn on_addresses(&mut self, terms: &mut Terms, state: &State, open: Term, hazard: Hazard, loc: Loc) {
        let doubt = match hazard {
            Hazard::LoadedAddresses => Doubt::Loaded,
            Hazard::Violation(_)
            | Hazard::Invalid(_)
            | Hazard::Unsupported(_)
            | Hazard::Partial { .. }
            | Hazard::Addresses
            | Hazard::OutOfObject => Doubt::Always,
        };
        self.on_addresses_if(terms, state, open, (hazard.into(), doubt), loc);
    }

    fn compares_handles(
        &mut self,
        terms: &mut Terms,
        state: &State,
        fixed: Term,
        pointers: [Term; 2],
        loc: Loc,
    ) {
        self.thread_ids(terms, state, fixed, pointers, loc);
    }

    fn stop(&mut self, state: &State, reached: Term) {
        self.left_open(state, reached);
    }

    fn thread_local(&self, global: GlobalId) -> ObjectNo {
        self.thread_locals[self.here.thread].get(&global).copied().unwrap_or(ObjectNo::NONE)
    }

    fn self_handle(&self) -> ObjectNo {
        self.out.threads[self.here.thread].handle
    }

    fn self_number(&self) -> u32 {
        Bounded::number_of(self.here.thread)
    }

    fn enter(&mut self, terms: &mut Terms, state: &mut State) {
        self.enter_section(terms, state, true);
    }

    fn leave(&mut self, terms: &mut Terms, state: &mut State) {
        self.leave_section(terms, state);
    }

    fn require(
        &mut self,
        terms: &mut Terms,
        state: &mut State,
        condition: Term,
        wait: Option<WaitFor>,
        loc: Loc,
    ) {
        let obstacle = wait.map(|wait| match wait {
            WaitFor::Lock { holders } => Obstacle::Lock { holders },
            WaitFor::Condition => Obstacle::Condition,
        });
        self.require_or_refuse(terms, state, condition, obstacle, loc);
    }

    fn asks_holders(&self, state: &State) -> bool {
        state.path.is_trial()
    }

    fn begin_lock(&mut self) {
        self.lock_from = self.out.accesses.next_id();
    }

    fn takes_lock(&mut self, pointer: Term) -> bool {
        !self.round_locks(pointer)
    }

    fn releases_lock(&mut self, terms: &mut Terms, state: &mut State, pointer: Term) -> bool {
        !self.round_unlocks(terms, state, pointer)
    }

    fn end_lock(&mut self, state: &State, pointer: Term, lock: LockUse) {
        if state.path.is_trial() && lock == LockUse::Acquire {
            return;
        }
        // All accesses to the word since the operation began are this operation's.
        for access in self.out.accesses.iter_mut().skip(self.lock_from.index()) {
            if access.area == Area::Shadow && access.pointer == pointer {
                access.lock = Some(lock);
            }
        }
    }

    fn pairs(&mut self, word: Term, mutex: Term) -> bool {
        if self.given.facts.options.one_use {
            self.pending.pairs.push((word, mutex));
        }
        self.given.facts.options.one_use
    }

    fn synchronise(&mut self, terms: &mut Terms, state: &mut State, instr: &Instr) {
        self.thread_operation(terms, state, instr);
    }
}

impl Events<'_> {
    /// How accesses of the operation count for data races.
    fn racy_of(&self, state: &State, op: &Op) -> Option<Racy> {
        let section = state.path.section.is_some_and(|section| section.node.is_some());
        if !self.checks(Check::DataRace)
            || state.path.is_trial()
            || (section && !self.given.options.question.races_in_sections())
        {
            return None;
        }
        let (atomic, extent, frees) = match op {
            Op::Load { access, .. } | Op::Store { access, .. } => {
                (access.order != Order::Plain, access.extent, false)
            }
            Op::Rmw { .. } | Op::CmpXchg(_) => (true, (0, 0), false),
            Op::Copy { .. } | Op::Fill { .. } => (false, (0, 0), false),
            Op::Free { .. } => (false, (0, 0), true),
            Op::Assign { .. }
            | Op::Fence { .. }
            | Op::Output { .. }
            | Op::Call { .. }
            | Op::Assume { .. }
            | Op::Assert { .. }
            | Op::Alloc { .. }
            | Op::LocalLive { .. }
            | Op::LocalDead { .. }
            | Op::Nondet { .. }
            | Op::Input { .. }
            | Op::Spawn { .. }
            | Op::Join { .. }
            | Op::Detach { .. }
            | Op::ThreadState { .. }
            | Op::Pair { .. }
            | Op::Lock { .. }
            | Op::TryLock { .. }
            | Op::Unlock { .. }
            | Op::AtomicBegin { .. }
            | Op::AtomicEnd
            | Op::SelfHandle { .. }
            | Op::SelfNumber { .. }
            | Op::ExitThread { .. }
            | Op::ExitProgram { .. }
            | Op::Abort
            | Op::Unsupported { .. }
            | Op::Partial { .. } => return None,
        };
        let (log, internal) = (self.here.log, self.is_internal());
        Some(Racy { log, atomic, section, frees, exchanges: false, internal, extent })
    }

    /// Writes down an access to a piece, which counts for data races as its kind says.
    fn touch(&mut self, terms: &mut Terms, event: Event, touch: &Touch) -> Option<AccessId> {
        let racy = self.here.racy;
        let exchanges = touch.piece.exchanged;
        self.here.racy = racy.filter(|_| !touch.piece.padding).map(|racy| Racy { exchanges, ..racy });
        let id = self.event(terms, event);
        self.here.racy = racy;
        id
    }

    /// Returns true if a plain write may fall on bytes with which a model keeps state.
    fn may_reset(&self, terms: &Terms, objects: &Targets, touch: &Touch) -> bool {
        let bytes = u64::from(touch.piece.bytes);
        let range = self
            .out
            .layout
            .constant(terms, touch.pointer)
            .map(|(_, offset)| (offset.max(0) as u64, offset.max(0) as u64 + bytes));
        let known = objects.known.iter().filter_map(|n| self.out.objects.get(*n)?.place);
        let open = objects.places.iter().flat_map(|places| places.iter().copied());
        let mut all = known.chain(open);
        objects.places.is_none() || all.any(|place| self.later.may_hold_state(place, range))
    }

    /// Returns true if state is zero everywhere: the objects there are as new.
    fn is_all_zero(terms: &Terms, shadow: &Contents) -> bool {
        let is_zero = |(_, _, stored): &(u64, u64, Stored)| match stored {
            Stored::Value(value) | Stored::Filled(value) => terms.as_bits(value.term) == Some(0),
            Stored::Merged(_) => false,
        };
        shadow.written().is_some_and(|entries| entries.iter().all(is_zero))
    }
}
