//! The search for an invariant: points of functions are looked at until the draft of a certificate lacks nothing.
//!
//! An instance is a function with the call that leads to it, as long as there are few for a function; further calls, and
//! recursive ones, share one. What a point depends on (objects, exits of callees) wakes it when that changes. Callees come before their
//! callers, and blocks in reverse postorder, so that a point is looked at again when what comes before it has settled.

use super::join::{Join, fix_bounds, widened};
use super::shape::{Shape, thresholds};
use braid_base::HashMap;
use braid_ir::{BlockId, Callee, Const, FuncId, InstrId, Op, Operand, Program, Question, RegId};
use braid_models::Effect;
use braid_proof::certificate::{Access, Cell, Certificate};
use braid_proof::check::draft::{Aspect, Draft, Gap, Halt, Watch, join_passed};
use braid_proof::check::{Invalid, Missing, Point, Verdict, check};
use braid_proof::{InstanceId, Key, Loaded, LockName, Mode, ObjectId, Range, State, ThreadId, Value};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// Contexts of a function that are told apart: many in small programs, a few in large ones.
const CONTEXTS: (usize, usize) = (2, 16);
/// Contexts that the functions of a program share out among them.
const ALL_CONTEXTS: usize = 4096;
/// Places that start threads of a function and are told apart.
const MOST_SITES: usize = 8;
/// Places that start threads; with more, those of one function are not told apart.
const ALL_SITES: usize = 24;
/// Instances of all functions, beside one for each.
const MOST_INSTANCES: usize = 3000;
/// Joins at the head of a loop before states are widened there.
const VISITS: u32 = 3;
/// Joins at an entry or an exit before states are widened there.
const ENTRIES: u32 = 12;
/// Joins of a value in memory, or that a function returns, before it is widened; and before it goes on without thresholds.
const VALUES: u32 = 4;
const MOST_VALUES: u32 = 40;
/// Instructions that are executed between two looks at the limits.
const BETWEEN_POLLS: u64 = 1 << 10;
/// Steps before the search gives up: so many, and so many for each instruction of the program.
const LEAST_STEPS: u64 = 1 << 22;
const STEPS_EACH: u64 = 1 << 9;
/// Gaps that the checker may find when the search has ended.
const REPAIRS: u32 = 64;

/// What states of a block are told apart by: locks held, and values of registers.
type Trait = (Vec<(Option<LockName>, Mode)>, Vec<(RegId, Value)>);

/// Where the search has ended without an invariant.
#[derive(Debug)]
pub enum Failed {
    Interrupted,
    /// A step for which nothing could be found.
    Stuck(String),
}

/// The order in which points are looked at: instance, block, state of the block.
type Turn = (Reverse<InstanceId>, u32, u32);

pub struct Search<'a> {
    program: &'a Program,
    question: &'a Question,
    draft: Draft<'a>,
    shapes: HashMap<FuncId, Rc<Shape>>,
    /// Constants that the program compares with, for values in memory.
    thresholds: Vec<i128>,
    queue: BTreeSet<Turn>,
    depends: HashMap<(ObjectId, Aspect), BTreeSet<Turn>>,
    /// What points know of objects as long as no access disturbs it.
    watches: HashMap<ObjectId, HashMap<Turn, Vec<Watch>>>,
    watched: HashMap<Turn, BTreeSet<ObjectId>>,
    halted: HashMap<Turn, Halt>,
    callers: HashMap<InstanceId, BTreeSet<Turn>>,
    /// The instance that calls it first; none for roots.
    parents: HashMap<InstanceId, InstanceId>,
    contexts: HashMap<FuncId, usize>,
    most_contexts: usize,
    /// The instance that further calls of a function share.
    shared: HashMap<FuncId, InstanceId>,
    /// The threads that a place of the program starts.
    started: HashMap<(InstrId, FuncId), Vec<ThreadId>>,
    /// The places that start threads in a function.
    sites: HashMap<FuncId, usize>,
    visits: HashMap<Turn, u32>,
    values: HashMap<(ObjectId, i128), u32>,
    results: HashMap<InstanceId, u32>,
    /// States of a block that are told apart.
    most_states: usize,
    keys: HashMap<(InstanceId, BlockId), Vec<Trait>>,
    /// What is known of threads has changed, which every point may depend on.
    facts_changed: bool,
    pub steps: u64,
    polled: u64,
    most_steps: u64,
    pub repairs: u32,
}

/// The turn of the entry of an instance, and of its exit; those of the blocks are between them.
const ENTRY: u32 = 0;
const EXIT: u32 = u32::MAX;

impl<'a> Search<'a> {
    pub fn new(program: &'a Program, question: &'a Question, most_states: usize) -> Search<'a> {
        Search {
            most_states,
            keys: HashMap::default(),
            program,
            question,
            draft: Draft::new(program, question),
            shapes: HashMap::default(),
            thresholds: thresholds(program, program.functions.iter()),
            queue: BTreeSet::new(),
            depends: HashMap::default(),
            watches: HashMap::default(),
            watched: HashMap::default(),
            halted: HashMap::default(),
            callers: HashMap::default(),
            parents: HashMap::default(),
            contexts: HashMap::default(),
            most_contexts: (ALL_CONTEXTS / user_functions(program)).clamp(CONTEXTS.0, CONTEXTS.1),
            sites: sites(program),
            shared: HashMap::default(),
            started: HashMap::default(),
            visits: HashMap::default(),
            values: HashMap::default(),
            results: HashMap::default(),
            facts_changed: false,
            steps: 0,
            polled: 0,
            most_steps: LEAST_STEPS + STEPS_EACH * instructions(program),
            repairs: 0,
        }
    }

    /// Looks for an invariant and lets the checker judge it. `poll` is told of the instructions that were executed since, and
    /// says whether to go on.
    pub fn run(&mut self, entry: FuncId, poll: &mut dyn FnMut(u64) -> bool) -> Result<Verdict, Failed> {
        self.draft.add_thread(entry);
        let begin = self.draft.begin();
        self.fill(None, begin.list)?;
        loop {
            self.settle(poll)?;
            match check(self.program, self.question, &self.draft.certificate) {
                Ok(verdict) => return Ok(verdict),
                Err(Invalid::Step(at)) if at.missing != Missing::Other && self.repairs < REPAIRS => {
                    self.repairs += 1;
                    let gap = Gap { instance: at.instance, instr: at.instr, missing: at.missing.clone() };
                    if !self.fill(None, vec![gap])? {
                        return Err(Failed::Stuck(Invalid::Step(at).to_string()));
                    }
                }
                Err(invalid) => return Err(Failed::Stuck(invalid.to_string())),
            }
        }
    }

    /// The invariant that was found.
    pub fn certificate(self) -> Certificate {
        self.draft.certificate
    }

    /// Looks at points until nothing is missing.
    fn settle(&mut self, poll: &mut dyn FnMut(u64) -> bool) -> Result<(), Failed> {
        loop {
            while let Some(turn) = self.queue.pop_first() {
                self.look(turn)?;
                if self.steps > self.most_steps {
                    return Err(Failed::Stuck(format!("{} steps were not enough", self.steps)));
                }
                if self.steps - self.polled >= BETWEEN_POLLS {
                    let steps = self.steps - std::mem::replace(&mut self.polled, self.steps);
                    if !poll(steps) {
                        return Err(Failed::Interrupted);
                    }
                }
            }
            if !std::mem::take(&mut self.facts_changed) && !self.draft.next_round() {
                return Ok(());
            }
            self.wake_all();
        }
    }

    fn wake_all(&mut self) {
        for id in self.draft.certificate.instances.ids() {
            self.wake_instance(id);
        }
    }

    fn wake_instance(&mut self, id: InstanceId) {
        let blocks = self.draft.certificate.instances[id].blocks.enumerated();
        let points =
            blocks.flat_map(|(block, states)| (0..states.len()).map(move |k| Point::Block(id, block, k)));
        let points: Vec<Point> = points.chain([Point::Entry(id), Point::Exit(id)]).collect();
        let turns: Vec<Turn> = points.into_iter().map(|point| self.turn(point)).collect();
        wake_up(&mut self.queue, &mut self.halted, turns);
    }

    /// What instances below this one make may be made again.
    fn wake_below(&mut self, id: InstanceId) {
        let mut below = BTreeSet::from([id]);
        let mut next = vec![id];
        while let Some(from) = next.pop() {
            for (caller, _, _, to) in &self.draft.certificate.calls {
                if *caller == from && below.insert(*to) {
                    next.push(*to);
                }
            }
        }
        below.into_iter().for_each(|id| self.wake_instance(id));
    }

    fn shape(&mut self, instance: InstanceId) -> Rc<Shape> {
        let (program, function) = (self.program, self.draft.certificate.instances[instance].function);
        self.shapes.entry(function).or_insert_with(|| Rc::new(Shape::new(program, function))).clone()
    }

    fn turn(&mut self, point: Point) -> Turn {
        match point {
            Point::Entry(id) => (Reverse(id), ENTRY, 0),
            Point::Block(id, block, index) => {
                (Reverse(id), 1 + self.shape(id).rank[block].min(EXIT - 2), index as u32)
            }
            Point::Exit(id) => (Reverse(id), EXIT, 0),
        }
    }

    fn point(&mut self, (Reverse(id), rank, index): Turn) -> Point {
        match rank {
            ENTRY => Point::Entry(id),
            EXIT => Point::Exit(id),
            rank => Point::Block(id, self.shape(id).order[rank as usize - 1], index as usize),
        }
    }

    /// Looks at a point, and adds to the draft what it lacks.
    fn look(&mut self, turn: Turn) -> Result<(), Failed> {
        let point = self.point(turn);
        if self.draft.state(point).is_none() {
            return Ok(());
        }
        let resumed = self.halted.remove(&turn);
        let is_resumed = resumed.is_some();
        self.steps += match point {
            Point::Block(id, block, _) => {
                let function = self.draft.certificate.instances[id].function;
                let from = resumed.as_ref().map_or(0, |halt| halt.index);
                1 + (self.program.functions[function].blocks[block].instrs.len() - from) as u64
            }
            Point::Entry(_) | Point::Exit(_) => 1,
        };
        let (gaps, halt) = self.draft.follow(point, resumed);
        for depends in gaps.depends {
            self.depends.entry(depends).or_default().insert(turn);
        }
        self.watch(turn, gaps.watches, is_resumed);
        // What is missing before the call may change what comes there.
        let at_call = halt.filter(|halt| gaps.list.iter().all(|gap| gap.instr == halt.instr));
        if let Some(halt) = at_call {
            self.halted.insert(turn, halt);
        }
        for callee in gaps.enters {
            self.callers.entry(callee).or_default().insert(turn);
        }
        if let Some(settled) = gaps.settled {
            self.draft.set_state(point, settled);
            if let Point::Exit(id) = point {
                self.wake_callers(id);
            }
        }
        self.fill(Some(turn), gaps.list)?;
        Ok(())
    }

    /// Adds what is missing. Returns true if the draft has changed; then the point is looked at again.
    fn fill(&mut self, turn: Option<Turn>, gaps: Vec<Gap>) -> Result<bool, Failed> {
        let cell_of = |gap: &Gap| match &gap.missing {
            Missing::Access(object, ..) | Missing::Value(object, ..) | Missing::Parts(object, _) => {
                Some(*object)
            }
            _ => None,
        };
        // The numbers of cells are those that they had before cells came: these gaps come first, and those are looked for again
        // whose objects get new cells.
        let is_moved = |object: ObjectId| {
            gaps.iter().any(|gap| matches!(gap.missing, Missing::Cell(other, ..) if other == object))
        };
        let (in_cells, mut others): (Vec<&Gap>, Vec<&Gap>) =
            gaps.iter().partition(|gap| cell_of(gap).is_some());
        let (stale, in_cells): (Vec<&Gap>, Vec<&Gap>) =
            in_cells.into_iter().partition(|gap| cell_of(gap).is_some_and(is_moved));
        others.dedup();
        let mut changed = !stale.is_empty();
        let mut again = !stale.is_empty();
        for gap in in_cells.into_iter().chain(others) {
            let stays = cell_of(gap).is_some() || matches!(gap.missing, Missing::State(Point::Block(..), _));
            again |= !stays;
            changed |= self.fill_one(gap.clone())?;
        }
        if changed && again {
            self.queue.extend(turn);
        }
        Ok(changed)
    }

    fn fill_one(&mut self, gap: Gap) -> Result<bool, Failed> {
        let Gap { instance, instr, missing } = gap;
        let certificate = &mut self.draft.certificate;
        Ok(match missing {
            Missing::State(point, state) => self.arrive(point, *state)?,
            Missing::Result(of, value) => self.result(of, &value),
            Missing::Unknown(point, key) => self.forget(point, key),
            Missing::Cell(object, space, at, bytes) => {
                add_cell(
                    self.draft.cells(object),
                    Cell { space, at, bytes, mixed: false, value: Value::NONE, accesses: Vec::new() },
                );
                self.wake(object, &[Aspect::Shape, Aspect::Values]);
                self.wake_watching(object);
                true
            }
            Missing::Access(object, cell, access) => {
                let grown = add_access(&mut self.draft.cells(object)[cell], access);
                if let Some(access) = &grown {
                    self.wake_disturbed(object, cell, access);
                }
                grown.is_some()
            }
            Missing::Value(object, cell, value) => self.grow(object, cell, &value),
            Missing::Parts(object, cell) => {
                let cell = &mut self.draft.cells(object)[cell];
                let any = Value::any((8 * cell.bytes.clamp(1, 16)) as u8);
                if cell.bytes <= 16 && !cell.value.includes(&any) {
                    cell.value.numbers = any.numbers;
                } else {
                    cell.mixed = true;
                }
                self.wake(object, &[Aspect::Values]);
                true
            }
            Missing::Object(place, size) => {
                self.draft.add_object(place, size);
                true
            }
            Missing::Size(object, size) => {
                let Some(made) = self.draft.made(object) else { return Ok(false) };
                made.size = made.size.map(|known| known.join(size));
                self.wake(object, &[Aspect::Shape]);
                true
            }
            Missing::Several(object) => {
                for one in [object, ObjectId(object.0 - 1)] {
                    if let Some(made) = self.draft.made(one) {
                        made.single = false;
                    }
                    self.wake(one, &[Aspect::Shape]);
                    self.wake_watching(one);
                }
                true
            }
            Missing::Call(function) => {
                let callee = self.callee(instance, function);
                let was_once = self.draft.is_once(callee);
                self.draft.add_call(instance, instr, function, callee);
                self.wake_instance(callee);
                if was_once && !self.draft.is_once(callee) {
                    self.wake_below(callee);
                }
                true
            }
            Missing::Start(function) => {
                let thread = self.start(instance, instr, function);
                self.draft.add_start(instance, instr, function, thread);
                true
            }
            Missing::Threads(of, threads) => {
                let known = &mut certificate.instances[of].threads;
                let before = known.len();
                known.extend(threads);
                let changed = known.len() != before;
                self.facts_changed |= changed;
                if changed {
                    self.wake_instance(of);
                }
                changed
            }
            Missing::Descendants(thread, more) => {
                certificate.threads[thread].descendants.extend(more);
                self.close();
                self.facts_changed = true;
                true
            }
            Missing::Overlap(thread, more) => {
                for other in &more {
                    certificate.threads[*other].overlap.insert(thread);
                }
                certificate.threads[thread].overlap.extend(more);
                self.facts_changed = true;
                true
            }
            Missing::Left(thread, more) => {
                certificate.threads[thread].left.extend(more);
                self.facts_changed = true;
                true
            }
            Missing::Many(thread) => {
                certificate.threads[thread].single = false;
                self.facts_changed = true;
                true
            }
            Missing::Most(thread, count) => {
                let most = &mut certificate.threads[thread].most;
                *most = most.zip(count).map(|(known, count)| known.max(count));
                self.facts_changed = true;
                true
            }
            Missing::Apart(thread, least) => {
                let apart = &mut certificate.threads[thread].apart;
                *apart = apart.zip(least).map(|((reg, known), least)| (reg, known.min(least)));
                self.facts_changed = true;
                true
            }
            Missing::Other => false,
        })
    }

    fn wake(&mut self, object: ObjectId, aspects: &[Aspect]) {
        for aspect in aspects {
            if let Some(turns) = self.depends.get(&(object, *aspect)) {
                wake_up(&mut self.queue, &mut self.halted, turns.iter().copied());
            }
        }
    }

    /// Wakes the points that know something of an object.
    fn wake_watching(&mut self, object: ObjectId) {
        if let Some(watching) = self.watches.get(&object) {
            wake_up(&mut self.queue, &mut self.halted, watching.keys().copied());
        }
    }

    /// Wakes the points that cannot know any more what they know of an object.
    fn wake_disturbed(&mut self, object: ObjectId, cell: usize, access: &Access) {
        let Some(watching) = self.watches.get(&object) else { return };
        let disturbed =
            |watches: &[Watch]| watches.iter().any(|watch| self.draft.is_disturbed(watch, cell, access));
        let waits = |turn: &Turn| self.queue.contains(turn) && !self.halted.contains_key(turn);
        let turns = watching.iter().filter(|(turn, watches)| !waits(turn) && disturbed(watches));
        let turns: Vec<Turn> = turns.map(|(turn, _)| *turn).collect();
        wake_up(&mut self.queue, &mut self.halted, turns);
    }

    /// Replaces what a point watches, or adds to it.
    fn watch(&mut self, turn: Turn, watches: Vec<Watch>, also: bool) {
        let known = if also { BTreeSet::new() } else { self.watched.remove(&turn).unwrap_or_default() };
        for object in known {
            if let Some(watching) = self.watches.get_mut(&object) {
                watching.remove(&turn);
            }
        }
        for watch in watches {
            let object = watch.object();
            let own = self.watches.entry(object).or_default().entry(turn).or_default();
            if !own.contains(&watch) {
                own.push(watch);
            }
            self.watched.entry(turn).or_default().insert(object);
        }
    }

    fn wake_callers(&mut self, callee: InstanceId) {
        let Some(turns) = self.callers.get(&callee) else { return };
        for turn in turns {
            // A look that ended at this call goes on there.
            if self.halted.get(turn).is_some_and(|halt| !halt.callees.contains(&callee)) {
                self.halted.remove(turn);
            }
            self.queue.insert(*turn);
        }
    }
}

/// States and results.
impl Search<'_> {
    /// Joins a state into that of a point.
    fn arrive(&mut self, point: Point, mut state: State) -> Result<bool, Failed> {
        let mut trimmed = None;
        match point {
            Point::Block(id, block, _) => {
                let live = self.draft.live(self.draft.certificate.instances[id].function, block);
                fix_bounds(&mut state, live);
                let registers = state.registers.iter().filter(|(reg, _)| live.contains(reg));
                let registers = registers.map(|(reg, value)| (*reg, value.clone())).collect();
                trimmed = Some(State { registers, ..state.clone() });
            }
            Point::Entry(_) => {}
            Point::Exit(_) => {
                state.registers.clear();
                state.forms.clear();
                state.loaded.clear();
                state.tried.clear();
            }
        }
        let point = match point {
            Point::Block(id, block, _) => Point::Block(id, block, self.part(id, block, &state)),
            Point::Entry(_) | Point::Exit(_) => point,
        };
        let turn = self.turn(point);
        let known = self.draft.state(point).cloned();
        let is_new = known.is_none();
        let old = known.or(trimmed).unwrap_or_else(|| state.clone());
        let (Point::Entry(id) | Point::Block(id, ..) | Point::Exit(id)) = point;
        let shape = self.shape(id);
        let visits = self.visits.get(&turn).copied().unwrap_or(0);
        let patience = match point {
            Point::Block(_, block, _) if shape.heads.contains(&block) => VISITS,
            Point::Block(..) => u32::MAX,
            Point::Entry(_) | Point::Exit(_) => ENTRIES,
        };
        let widen = (visits >= patience && !is_new).then_some(shape.thresholds.as_slice());
        let join = Join { program: self.program, draft: &self.draft, point, widen };
        let joined = join.states(&old, &state);
        if !joined.complete {
            return Err(Failed::Stuck(format!("no state includes two that reach {point:?}")));
        }
        let changed = is_new || joined.state != old;
        if changed {
            *self.visits.entry(turn).or_default() += u32::from(!is_new);
            self.draft.set_state(point, joined.state);
            wake_up(&mut self.queue, &mut self.halted, [turn]);
            if let Point::Exit(id) = point {
                self.wake_callers(id);
            }
        }
        Ok(self.fill(Some(turn), joined.gaps)? || changed)
    }

    /// The number of the state of a block that another one is joined with: states that differ in locks held, or in what conditions
    /// ahead may depend on, are kept apart as long as there are few.
    fn part(&mut self, id: InstanceId, block: BlockId, state: &State) -> usize {
        if self.most_states == 1 {
            return 0;
        }
        let shape = self.shape(id);
        let live = self.draft.live(self.draft.certificate.instances[id].function, block);
        let exact = state.registers.iter().filter(|(reg, value)| {
            let matters = !value.targets.is_empty() || shape.deciding.contains(reg);
            matters && live.contains(reg) && is_exact(value)
        });
        let key = (
            state.holds.iter().filter(|hold| hold.certain).map(|hold| (hold.name, hold.mode)).collect(),
            exact.map(|(reg, value)| (*reg, value.clone())).collect(),
        );
        let keys = self.keys.entry((id, block)).or_default();
        match keys.iter().position(|known| *known == key) {
            Some(index) => index,
            None if keys.len() < self.most_states => {
                keys.push(key);
                keys.len() - 1
            }
            None => keys.iter().position(|(held, _)| *held == key.0).unwrap_or(0),
        }
    }

    fn result(&mut self, of: InstanceId, value: &Value) -> bool {
        let function = self.draft.certificate.instances[of].function;
        let bits =
            self.program.functions[function].ret.map_or(64, |ty| braid_proof::eval::width(self.program, ty));
        let visits = self.results.entry(of).or_default();
        *visits += 1;
        let Some((_, result)) = &mut self.draft.certificate.instances[of].exit else { return false };
        let old = result.clone();
        grow(result, value, bits, *visits, &self.thresholds);
        let changed = *result != old;
        if changed {
            self.wake_callers(of);
        }
        changed
    }

    /// A place that others can change is not known at a point.
    fn forget(&mut self, point: Point, key: Key) -> bool {
        let Some(mut state) = self.draft.state(point).cloned() else { return false };
        state.loaded.retain(|_, from| *from != Loaded::Place(key));
        let known = Arc::make_mut(&mut state.known);
        match known.get_mut(&key).filter(|known| known.dirty) {
            Some(entry) => entry.dirty = false,
            None => _ = known.remove(&key),
        }
        self.draft.set_state(point, state);
        let (Point::Entry(id) | Point::Block(id, ..) | Point::Exit(id)) = point;
        self.wake_instance(id);
        self.wake_callers(id);
        true
    }
}

/// Calls and threads.
impl Search<'_> {
    /// The instance that a call enters.
    fn callee(&mut self, from: InstanceId, function: FuncId) -> InstanceId {
        let mut above = Some(from);
        while let Some(id) = above {
            if self.draft.certificate.instances[id].function == function {
                return id;
            }
            above = self.parents.get(&id).copied();
        }
        let count = self.contexts.entry(function).or_default();
        let all = self.draft.certificate.instances.len();
        let is_full = *count >= self.most_contexts || all >= MOST_INSTANCES + self.program.functions.len();
        if let Some(shared) = self.shared.get(&function).filter(|_| is_full) {
            return *shared;
        }
        *count += 1;
        let threads = self.draft.certificate.instances[from].threads.clone();
        let callee = self.draft.add_instance(function, threads);
        self.shared.insert(function, callee);
        self.parents.insert(callee, from);
        callee
    }

    /// The thread that an instruction starts in an instance. Threads that descend from one of this place are that one, too.
    fn start(&mut self, from: InstanceId, instr: InstrId, function: FuncId) -> ThreadId {
        let certificate = &self.draft.certificate;
        let starters = certificate.instances[from].threads.clone();
        let known = self.started.get(&(instr, function)).map_or(&[][..], Vec::as_slice);
        let above = |thread: &ThreadId| {
            starters.iter().any(|one| one == thread || certificate.threads[*thread].descendants.contains(one))
        };
        let sites = self.sites.get(&function).copied().unwrap_or(0);
        let all_sites: usize = self.sites.values().sum();
        let of_function = || self.started.iter().filter(|((_, other), _)| *other == function);
        let again = known.iter().find(|thread| above(thread)).or(known.get(CONTEXTS.1)).or_else(|| {
            of_function()
                .find_map(|(_, known)| known.first())
                .filter(|_| sites > MOST_SITES || all_sites > ALL_SITES)
        });
        if let Some(thread) = again.copied() {
            self.draft.certificate.threads[thread].single = false;
            self.facts_changed = true;
            return thread;
        }
        let thread = self.draft.add_thread(function);
        self.started.entry((instr, function)).or_default().push(thread);
        thread
    }

    /// Descendants of a descendant are descendants.
    fn close(&mut self) {
        let threads = &mut self.draft.certificate.threads;
        loop {
            let mut changed = false;
            for id in threads.ids() {
                let below: BTreeSet<ThreadId> =
                    threads[id].descendants.iter().flat_map(|t| threads[*t].descendants.clone()).collect();
                let known = &mut threads[id].descendants;
                let before = known.len();
                known.extend(below);
                changed |= known.len() != before;
            }
            if !changed {
                return;
            }
        }
    }
}

/// Memory.
impl Search<'_> {
    /// A cell holds a value, too.
    fn grow(&mut self, object: ObjectId, index: usize, value: &Value) -> bool {
        let thresholds = std::mem::take(&mut self.thresholds);
        let cell = &mut self.draft.cells(object)[index];
        let visits = self.values.entry((object, cell.at.lo())).or_default();
        *visits += 1;
        let bits = (8 * cell.bytes.clamp(1, 16)) as u8;
        grow(&mut cell.value, value, bits, *visits, &thresholds);
        self.thresholds = thresholds;
        self.wake(object, &[Aspect::Values]);
        true
    }
}

fn instructions(program: &Program) -> u64 {
    let blocks = program.functions.iter().filter(|function| !function.internal).flat_map(|f| &f.blocks);
    blocks.map(|block| block.instrs.len() as u64).sum()
}

fn user_functions(program: &Program) -> usize {
    program.functions.iter().filter(|function| !function.internal).count().max(1)
}

/// How many places start threads in each function, as far as the text names it.
fn sites(program: &Program) -> HashMap<FuncId, usize> {
    let mut found = HashMap::default();
    let code = program.functions.iter().flat_map(|function| &function.blocks).flat_map(|block| &block.instrs);
    for instr in code {
        let Op::Call { callee: Callee::Direct(callee), args, .. } = &instr.op else { continue };
        let callee = &program.functions[*callee];
        let starts = matches!(braid_models::effect(callee.name.as_str()), Some(Effect::Start { .. }));
        let routines = args.iter().filter(|_| callee.internal && starts).filter_map(|arg| match arg {
            Operand::Const(id) => match program.consts.get(*id) {
                Const::Func(function) => Some(function),
                _ => None,
            },
            Operand::Reg(_) => None,
        });
        routines.for_each(|function| *found.entry(function).or_default() += 1);
    }
    found
}

/// Points are to be looked at from their beginning.
fn wake_up(
    queue: &mut BTreeSet<Turn>,
    halted: &mut HashMap<Turn, Halt>,
    turns: impl IntoIterator<Item = Turn>,
) {
    for turn in turns {
        halted.remove(&turn);
        queue.insert(turn);
    }
}

/// Returns true if there is one value.
fn is_exact(value: &Value) -> bool {
    let one = value.targets.len() + usize::from(value.numbers.is_some()) == 1 && value.handles.is_empty();
    one && value.numbers.is_none_or(|range| range.step() == 0)
        && value.targets.iter().all(|(_, at)| at.step() == 0)
}

fn grow(known: &mut Value, value: &Value, bits: u8, visits: u32, thresholds: &[i128]) {
    if visits > MOST_VALUES {
        known.widen(value, bits);
    } else if visits > VALUES {
        *known = widened(known, value, bits, thresholds);
    } else {
        known.join(value);
        known.numbers = known.numbers.map(|range| range.normal(bits));
    }
}

/// Adds a cell; those that it meets become one with it.
fn add_cell(cells: &mut Vec<Cell>, mut new: Cell) {
    // Places that meet each other are one.
    if new.at.step() != 0 && new.at.step() < new.bytes {
        new.bytes += (new.at.hi() - new.at.lo()) as u64;
        new.at = Range::point(new.at.lo());
        new.mixed = true;
    }
    let meets = |cell: &Cell, new: &Cell| {
        cell.space == new.space && Range::interferes(cell.at, cell.bytes, new.at, new.bytes)
    };
    while let Some(index) = cells.iter().position(|cell| meets(cell, &new)) {
        let old = cells.remove(index);
        let joined = old.at.join(new.at);
        let alike = old.bytes == new.bytes && (joined.step() == 0 || joined.step() >= new.bytes);
        if alike {
            new.at = joined;
            new.mixed |= old.mixed;
        } else {
            let end = |cell: &Cell| cell.at.hi() + i128::from(cell.bytes);
            let (lo, hi) = (old.at.lo().min(new.at.lo()), end(&old).max(end(&new)));
            new.at = Range::point(lo);
            new.bytes = (hi - lo) as u64;
            new.mixed = true;
        }
        new.value.join(&old.value);
        old.accesses.into_iter().for_each(|access| _ = add_access(&mut new, access));
    }
    cells.push(new);
}

/// Adds an access to a cell. Returns it, with what was known of it before, if that is new.
fn add_access(cell: &mut Cell, access: Access) -> Option<Access> {
    let same = |old: &&mut Access| {
        (old.instance, old.instr, old.kind) == (access.instance, access.instr, access.kind)
    };
    let Some(old) = cell.accesses.iter_mut().find(same) else {
        cell.accesses.push(access.clone());
        return Some(access);
    };
    let before = old.clone();
    old.alive.extend(&access.alive);
    old.held.retain(|held| access.held.contains(held));
    old.atomic &= access.atomic;
    old.passed = join_passed(&old.passed, &access.passed, false);
    if old.own != access.own {
        old.own = None;
    }
    (*old != before).then(|| old.clone())
}
