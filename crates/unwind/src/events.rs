//! The world of an unwinding: shared memory is accesses at nodes.

use crate::exec::{Frame, Interrupt, Options, Saved};
use crate::left::Finish;
use crate::phase::Later;
use crate::query::Query;
use crate::shared::{Event, Seen, Targets, area_of};
use crate::spin::Round;
use crate::state::{Entry, Path, State};
use crate::summaries::Summaries;
use braid_analysis::Facts;
use braid_base::{HashMap, Idx, IndexVec};
use braid_bounded::*;
use braid_ir::*;
use braid_logic::{Sort, Term, Terms};
use braid_props::Check;
use braid_symex::object::{Kind, initial_contents};
use braid_symex::step::{
    Code, Death, Elsewhere, Hazard, Purpose, Reach, Resolved, Step, Touch, Wait as WaitFor, World,
};
use braid_symex::{Contents, Initial, Layout, Stored, Taint, Value};

/// The program, and what is asked of it.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a> {
    pub program: &'a Program,
    pub facts: &'a Facts,
    pub options: &'a Options,
    pub interrupt: Interrupt<'a>,
}

/// The point of the program that is being unwound.
pub(crate) struct Here {
    /// The running thread.
    pub thread: ThreadIx,
    pub stack: Vec<Frame>,
    /// Frame objects and stack blocks of the frames below.
    pub saved: Vec<Saved>,
    /// Where the running thread has ended early, and with what.
    pub exits: Vec<(Term, Term)>,
    /// The last instruction executed, for its log entry.
    pub log: LogRef,
    /// How the accesses of the current instruction count for data races.
    pub racy: Option<Racy>,
}

/// A step that is only tried, at the probe.
#[derive(Default)]
pub(crate) struct Trial {
    /// Where the running trial would have written what it might read.
    pub writes: Vec<(Area, Term)>,
    /// The running trial has read what it might have written: whether it waits after that is not known.
    pub lost: bool,
    /// The section of the running trial is one of a library model.
    pub internal: bool,
    /// The round of a loop that is being tried.
    pub round: Option<Round>,
}

/// Questions that are answered when everything is unwound.
#[derive(Default)]
pub(crate) struct Pending {
    pub queries: Vec<Query>,
    /// The targets of accesses; numbers of objects are filled in at the end.
    pub targets: Vec<(AccessId, Targets)>,
    /// Where threads are detached.
    pub detached: Vec<(NodeId, Option<ThreadIx>)>,
    /// The threads that were joined, detached or asked about; `None` where that is not known. With whether it was
    /// more than a question.
    pub thread_uses: Vec<(Option<ThreadIx>, bool)>,
    /// The words of condition variables and the mutexes with which threads wait there.
    pub pairs: Vec<(Term, Term)>,
    /// Bools, each saying of a handle that it is a thread's.
    pub handles: Vec<(Term, Term)>,
    /// Normal ends of the program.
    pub finishes: Vec<Finish>,
    /// Heap blocks made while other threads may run, if the ends of the program look at them.
    pub begun: Vec<ObjectNo>,
    pub sections: Vec<Entry>,
    /// An address may have been moved to before its object.
    pub strays: bool,
}

/// The bounded program as far as it is unwound.
pub(crate) struct Events<'a> {
    pub given: Given<'a>,
    pub later: Later,
    pub out: Bounded,
    pub here: Here,
    pub trial: Trial,
    pub pending: Pending,
    pub summaries: Summaries,
    /// Thread-local variables of each thread.
    pub thread_locals: IndexVec<ThreadIx, HashMap<GlobalId, ObjectNo>>,
    /// The first access of the operation on a lock that has begun last.
    pub lock_from: AccessId,
}

impl Here {
    /// The beginning of a thread.
    pub fn at_start(thread: ThreadIx, log: LogRef) -> Here {
        Here { thread, stack: Vec::new(), saved: Vec::new(), exits: Vec::new(), log, racy: None }
    }
}

impl<'a> Events<'a> {
    pub fn new(terms: &mut Terms, given: Given<'a>) -> Events<'a> {
        let Given { program, facts, .. } = given;
        let layout = Layout::new(program.pointer_bytes);
        let mut objects = Objects::new(layout);
        add_statics(terms, program, facts, &mut objects);
        let zero = terms.bits(layout.pointer_bits, 0);
        let thread = Thread {
            parent: None,
            unwound: false,
            void: false,
            handle: ObjectNo::NONE,
            nodes: Vec::new(),
            finished: terms.bool(false),
            result: zero,
            log: Vec::new(),
            symbols: (0, 0),
        };
        let out = Bounded {
            layout,
            threads: [thread].into_iter().collect(),
            nodes: IndexVec::new(),
            accesses: IndexVec::new(),
            joins: Vec::new(),
            waits: Vec::new(),
            probe: None,
            spawned: Vec::new(),
            ends: Vec::new(),
            obligations: Vec::new(),
            constraints: Vec::new(),
            choices: Vec::new(),
            marks: Vec::new(),
            objects,
            initial: Memory::default(),
            refutes_one_use: false,
        };
        Events {
            given,
            later: Later::new(program, facts),
            out,
            here: Here::at_start(ThreadIx(0), LogRef { thread: ThreadIx(0), index: 0 }),
            trial: Trial::default(),
            pending: Pending { strays: begins_astray(program), ..Pending::default() },
            summaries: Summaries::default(),
            thread_locals: [HashMap::default()].into_iter().collect(),
            lock_from: AccessId(0),
        }
    }

    /// The objects that belong to a thread.
    pub fn begin_thread(&mut self, terms: &mut Terms, thread: ThreadIx, made: Option<LogRef>) {
        let handle = self.out.objects.add(Object {
            kind: Kind::Thread(thread),
            place: None,
            size: terms.bits(self.out.layout.pointer_bits, 0),
            room: 0,
            read_only: true,
            align: 16,
            made,
            contents: Contents::new(0, Initial::Zero),
        });
        self.out.threads[thread].handle = handle;
        for (id, global) in self.given.program.globals.enumerated().filter(|(_, global)| global.thread_local)
        {
            let contents = initial_contents(terms, self.given.program, &self.out.objects, id);
            let size = self.pointer_bits(terms, global.size.into());
            let number = self.out.objects.add(Object {
                kind: Kind::ThreadLocal(thread, id),
                place: self.given.facts.pointers.find(braid_analysis::Object::ThreadLocal(id)),
                size,
                room: global.size,
                read_only: global.read_only,
                align: global.align,
                made,
                contents,
            });
            self.thread_locals[thread].insert(id, number);
        }
    }

    /// The meaning of instructions, in this world.
    pub fn step<'s>(&'s mut self, terms: &'s mut Terms) -> Step<'s, Events<'a>> {
        Step::new(terms, self)
    }

    pub fn pointer_bits(&self, terms: &mut Terms, value: u128) -> Term {
        terms.bits(self.out.layout.pointer_bits, value)
    }

    /// Returns true if the code that is executed belongs to a library model.
    pub fn is_internal(&self) -> bool {
        let frame = self.here.stack.last();
        frame.is_some_and(|frame| self.given.program.functions[frame.func].internal)
    }

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
        // What has been written down of the word since the operation began is this operation's.
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

/// Variables and functions get the first numbers.
fn add_statics(terms: &mut Terms, program: &Program, facts: &Facts, objects: &mut Objects) {
    let layout = objects.layout;
    let zero = terms.bits(layout.pointer_bits, 0);
    for (id, _) in program.functions.enumerated() {
        let number = objects.add(Object {
            kind: Kind::Function(id),
            place: facts.pointers.find(braid_analysis::Object::Function(id)),
            size: zero,
            room: 0,
            read_only: true,
            align: 1,
            made: None,
            contents: Contents::new(0, Initial::Zero),
        });
        objects.know(Const::Func(id), number);
    }
    let first = objects.next();
    let statics: Vec<GlobalId> =
        program.globals.enumerated().filter(|(_, global)| !global.thread_local).map(|(id, _)| id).collect();
    for (index, id) in statics.iter().enumerate() {
        objects.know(Const::Global(*id, 0), ObjectNo(first.0 + index as u32));
    }
    for id in statics {
        let contents = initial_contents(terms, program, objects, id);
        let global = &program.globals[id];
        let size = terms.bits(layout.pointer_bits, global.size.into());
        objects.add(Object {
            kind: Kind::Global(id),
            place: facts.pointers.find(braid_analysis::Object::Global(id)),
            size,
            room: global.size,
            read_only: global.read_only,
            align: global.align,
            made: None,
            contents,
        });
    }
}

/// Whether a variable points to before an object from the beginning.
fn begins_astray(program: &Program) -> bool {
    let pointers = program.globals.iter().flat_map(|global| &global.init.pointers);
    pointers.into_iter().any(|(_, constant)| matches!(constant, Const::Global(_, offset) if *offset < 0))
}
