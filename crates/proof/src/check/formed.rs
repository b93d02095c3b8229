//! Whether the parts of a certificate fit together: ids in range, lists in order, cells apart. What is read later needs no
//! bounds to be looked at again, so that forged files do no harm.

use super::Invalid;
use crate::certificate::{Access, Cell, Certificate, Held, Instance, Object, Place, VERSION};
use crate::eval;
use crate::range::Range;
use crate::state::{Below, Bound, Form, Hold, InstanceId, Key, Loaded, LockName, Space, State, Team};
use crate::value::{ObjectId, ThreadId, Value};
use braid_ir::{AllocKind, FuncId, Function, Op, Program, RegId};
use std::collections::BTreeMap;

type Checked = Result<(), Invalid>;

fn require(holds: bool, text: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(Invalid::Malformed(text())) }
}

/// The own object of each place, if everything fits together.
pub(super) fn verify(
    program: &Program,
    certificate: &Certificate,
) -> Result<BTreeMap<Place, ObjectId>, Invalid> {
    let fits = Fits { program, certificate };
    require(certificate.version == VERSION, || format!("version {} of the format", certificate.version))?;
    require(certificate.instances.len() < u32::MAX as usize, || "too many instances".to_string())?;
    fits.instances()?;
    fits.threads()?;
    let places = fits.objects()?;
    fits.edges()?;
    fits.memory()?;
    for (id, instance) in certificate.instances.enumerated() {
        fits.states(id, instance)?;
    }
    Ok(places)
}

struct Fits<'a> {
    program: &'a Program,
    certificate: &'a Certificate,
}

impl Fits<'_> {
    fn objects_in_all(&self) -> usize {
        eval::first_made(self.program) as usize + self.certificate.objects.len()
    }

    fn object(&self, object: ObjectId) -> bool {
        (object.0 as usize) < self.objects_in_all()
    }

    fn made(&self, object: ObjectId) -> Option<&Object> {
        let index = object.0.checked_sub(eval::first_made(self.program))?;
        self.certificate.objects.get(index as usize)
    }

    fn single(&self, object: ObjectId) -> bool {
        match self.made(object) {
            Some(made) => made.single && !made.own,
            None => {
                let global = self.program.globals.get(braid_ir::GlobalId(object.0));
                self.object(object) && !global.is_some_and(|global| global.thread_local)
            }
        }
    }

    fn thread(&self, thread: ThreadId) -> bool {
        (thread.0 as usize) < self.certificate.threads.len()
    }

    fn threads_in<'t>(&self, mut threads: impl Iterator<Item = &'t ThreadId>) -> bool {
        threads.all(|thread| self.thread(*thread))
    }

    fn instance(&self, instance: InstanceId) -> bool {
        (instance.0 as usize) < self.certificate.instances.len()
    }

    fn function_of(&self, instance: InstanceId) -> Option<&Function> {
        self.program.functions.get(self.certificate.instances.get(instance)?.function)
    }

    fn instances(&self) -> Checked {
        for (id, instance) in self.certificate.instances.enumerated() {
            let function = self.program.functions.get(instance.function);
            let blocks = function.map_or(0, |function| function.blocks.len());
            require(blocks > 0, || format!("{id} is an instance of a function without a body"))?;
            require(instance.blocks.len() == blocks, || format!("{id} has not the blocks of its function"))?;
            require(!instance.threads.is_empty(), || format!("no thread executes {id}"))?;
            require(self.threads_in(instance.threads.iter()), || {
                format!("{id} has threads that do not exist")
            })?;
        }
        Ok(())
    }

    fn threads(&self) -> Checked {
        let threads = &self.certificate.threads;
        require(!threads.is_empty(), || "there is no thread".to_string())?;
        for (id, thread) in threads.enumerated() {
            let text = |what: &str| format!("{id}: {what}");
            require(self.instance(thread.root), || text("the root does not exist"))?;
            let others = thread.descendants.iter().chain(&thread.overlap).chain(&thread.left);
            require(self.threads_in(others), || text("a thread that does not exist"))?;
            let closed = |t: &ThreadId| threads[*t].descendants.is_subset(&thread.descendants);
            require(thread.descendants.iter().all(closed), || {
                text("descendants of a descendant are missing")
            })?;
            let mutual = |t: &ThreadId| threads[*t].overlap.contains(&id);
            require(thread.overlap.iter().all(mutual), || text("an overlap is missing the other way round"))?;
            if let (Some((reg, least)), Some(function)) = (thread.apart, self.function_of(thread.root)) {
                require(function.params.first() == Some(&reg) && least > 0, || {
                    text("`apart` is no argument")
                })?;
            }
        }
        Ok(())
    }

    fn objects(&self) -> Result<BTreeMap<Place, ObjectId>, Invalid> {
        let first = eval::first_made(self.program);
        let objects = &self.certificate.objects;
        require(objects.len().is_multiple_of(2), || "objects are not in pairs".to_string())?;
        require(objects.len() < (u32::MAX - first) as usize, || "too many objects".to_string())?;
        let mut places = BTreeMap::new();
        for (index, pair) in objects.chunks(2).enumerate() {
            let own = ObjectId(first + 2 * index as u32);
            let is_pair = pair[0].own && !pair[1].own && pair[0].place == pair[1].place;
            require(is_pair, || format!("{own} is not the first of a pair"))?;
            require(self.place(pair[0].place), || format!("the place of {own} does not exist"))?;
            let sized = |object: &Object| object.size.is_none_or(|size| size.lo() >= 0 && is_offset(size));
            require(pair.iter().all(sized), || format!("the size of {own} is none"))?;
            let known = places.insert(pair[0].place, own);
            require(known.is_none(), || format!("the place of {own} has another object"))?;
        }
        Ok(places)
    }

    fn place(&self, place: Place) -> bool {
        match place {
            Place::Local(instance, local) => {
                self.function_of(instance).is_some_and(|function| function.locals.get(local).is_some())
            }
            Place::Block(instance, instr) => self.function_of(instance).is_some_and(|function| {
                let mut instrs = function.blocks.iter().flat_map(|block| &block.instrs);
                instrs.any(|one| {
                    let kind = match one.op {
                        Op::Alloc { kind, .. } => Some(kind),
                        _ => None,
                    };
                    one.id == instr && matches!(kind, Some(AllocKind::Heap | AllocKind::Stack))
                })
            }),
        }
    }

    fn edges(&self) -> Checked {
        let certificate = self.certificate;
        let calls: Vec<_> = certificate.calls.iter().map(|(n, i, f, to)| (*n, *i, *f, *to)).collect();
        require(is_ascending(calls.iter().map(|(n, i, f, _)| (*n, *i, *f))), || {
            "calls are not ascending".into()
        })?;
        for (from, instr, function, to) in calls {
            let enters = certificate.instances.get(to).map(|to| to.function) == Some(function);
            require(self.instance(from) && enters, || {
                format!("the call of {function} at {instr} in {from}")
            })?;
        }
        let starts: Vec<_> = certificate.starts.iter().map(|(n, i, f, t)| (*n, *i, *f, *t)).collect();
        require(is_ascending(starts.iter().map(|(n, i, f, _)| (*n, *i, *f))), || {
            "starts are not ascending".into()
        })?;
        for (from, instr, function, thread) in &starts {
            let begins = certificate.threads.get(*thread).map(|thread| self.root_function(thread.root));
            let fits = self.instance(*from) && begins == Some(Some(*function)) && thread.0 != 0;
            require(fits, || format!("the start of {function} at {instr} in {from}"))?;
        }
        for (id, thread) in certificate.threads.enumerated() {
            let sites = starts.iter().filter(|(.., t)| *t == id).count();
            require(!thread.single || sites <= 1, || format!("{id} is single, but {sites} places start it"))?;
        }
        Ok(())
    }

    fn root_function(&self, root: InstanceId) -> Option<FuncId> {
        self.certificate.instances.get(root).map(|root| root.function)
    }
}

/// Memory.
impl Fits<'_> {
    fn memory(&self) -> Checked {
        let memory = &self.certificate.memory;
        require(memory.len() == self.objects_in_all(), || "memory has not the objects".to_string())?;
        for (object, cells) in memory.enumerated() {
            let is_own = self.made(object).is_some_and(|made| made.own);
            let has_cells = !is_own && eval::as_function(self.program, object).is_none();
            require(has_cells || cells.is_empty(), || format!("{object} has cells"))?;
            for (index, cell) in cells.iter().enumerate() {
                self.cell(object, cell)?;
                let apart = |other: &Cell| {
                    cell.space != other.space
                        || !Range::interferes(cell.at, cell.bytes, other.at, other.bytes)
                };
                require(cells[..index].iter().all(apart), || {
                    format!("cells of {object} at {:?} meet", cell.at)
                })?;
            }
        }
        Ok(())
    }

    fn cell(&self, object: ObjectId, cell: &Cell) -> Checked {
        let text = |what: &str| format!("the cell of {object} at {:?}: {what}", cell.at);
        let sized = match cell.space {
            Space::Data => (1..=1 << 32).contains(&cell.bytes),
            Space::Sync => cell.bytes == 1,
        };
        require(sized && is_offset(cell.at), || text("it is no place"))?;
        let apart = cell.at.step() == 0 || cell.at.step() >= cell.bytes;
        require(apart || cell.mixed, || text("its places meet, and it is not mixed"))?;
        require(self.value(&cell.value), || text("its value"))?;
        let shared = |(o, _): &(ObjectId, Range)| self.made(*o).is_none_or(|made| !made.own);
        require(cell.value.targets.iter().all(shared), || text("it holds the address of an own object"))?;
        require(cell.accesses.iter().all(|access| self.access(access)), || text("an access"))
    }

    fn access(&self, access: &Access) -> bool {
        let held = |held: &Held| match held {
            Held::Section | Held::Distance(_) => true,
            Held::Place(object, _) => self.single(*object),
        };
        self.instance(access.instance)
            && self.threads_in(access.alive.iter())
            && access.held.iter().all(|(lock, _)| held(lock))
    }

    fn value(&self, value: &Value) -> bool {
        let targets = value.targets.iter();
        is_ascending(value.targets.iter().map(|(object, _)| *object))
            && targets.into_iter().all(|(object, range)| self.object(*object) && is_offset(*range))
            && is_ascending(value.handles.iter().copied())
            && value.handles.iter().all(|(thread, _)| self.thread(*thread))
    }
}

/// States.
impl Fits<'_> {
    fn states(&self, id: InstanceId, instance: &Instance) -> Checked {
        let function = &self.program.functions[instance.function];
        let exit = instance.exit.iter().map(|(state, _)| state);
        let blocks = instance.blocks.iter().flatten();
        for state in [&instance.entry].into_iter().chain(blocks).chain(exit) {
            self.state(function, state)
                .map_err(|part| Invalid::Malformed(format!("{part} of a state of {id}")))?;
        }
        let result = instance.exit.iter().all(|(_, value)| self.value(value));
        require(result, || format!("the result of {id}"))
    }

    /// Returns the name of the part that is wrong.
    fn state(&self, function: &Function, state: &State) -> Result<(), &'static str> {
        let reg = |reg: &RegId| function.regs.get(*reg).is_some();
        let part = |holds: bool, name: &'static str| if holds { Ok(()) } else { Err(name) };
        let known = |key: &Key| {
            let sized = key.bytes > 0 && key.bytes <= 1 << 32 && (key.space == Space::Data || key.bytes == 1);
            sized && self.object(key.object) && eval::as_function(self.program, key.object).is_none()
        };
        let form = |form: &Form| {
            let object = form.object.is_none_or(|object| self.object(object));
            reg(&form.base) && form.scale != 0 && object
        };
        let loaded = |loaded: &Loaded| match loaded {
            Loaded::Place(key) => known(key),
            Loaded::Element(object, by, bytes) => self.object(*object) && form(by) && *bytes > 0,
        };
        let is_own = |object: &ObjectId| self.made(*object).is_some_and(|made| made.own);
        let objects = state.ended.iter().chain(&state.lost).chain(&state.over).chain(state.released.keys());
        let threads = state.alive.iter().chain(&state.solo).chain(&state.joinable).chain(&state.touched);
        let threads = threads.chain(&state.started).chain(state.teams.keys()).chain(state.below.keys());
        part(state.registers.iter().all(|(r, value)| reg(r) && self.value(value)), "registers")?;
        part(state.forms.iter().all(|(r, by)| reg(r) && form(by)), "forms")?;
        part(state.loaded.iter().all(|(r, from)| reg(r) && loaded(from)), "loaded")?;
        part(state.tried.iter().all(|(r, (name, _))| reg(r) && self.lock(function, *name)), "tried")?;
        part(state.known.iter().all(|(key, known_)| known(key) && self.value(&known_.value)), "known")?;
        let contents = |own: &crate::state::Own| self.value(&own.data) && self.value(&own.sync);
        part(state.own.iter().all(|(object, own)| is_own(object) && contents(own)), "own")?;
        part(state.holds.iter().all(|hold| self.hold(function, hold)), "holds")?;
        let names = state.holds.iter().map(|hold| (hold.name, hold.mode));
        let mut sorted: Vec<_> = names.collect();
        sorted.sort_unstable();
        part(is_ascending(sorted.into_iter()), "holds")?;
        part(state.released.values().all(|range| is_offset(*range)), "released")?;
        part(state.teams.values().all(|team| self.team(function, team)), "teams")?;
        part(state.below.values().all(|below| self.below(function, below)), "below")?;
        part(objects.into_iter().all(|object| self.object(*object)), "objects")?;
        part(self.threads_in(threads), "threads")
    }

    fn lock(&self, function: &Function, name: LockName) -> bool {
        match name {
            LockName::Section => true,
            LockName::Place(object, _) => self.single(object),
            LockName::Relative(reg, _) => function.regs.get(reg).is_some(),
        }
    }

    fn hold(&self, function: &Function, hold: &Hold) -> bool {
        let named = hold.name.map_or(!hold.certain, |name| self.lock(function, name));
        let section = hold.name == Some(LockName::Section);
        named
            && hold.targets.is_empty() == section
            && is_ascending(hold.targets.iter().map(|(object, _)| *object))
            && hold.targets.iter().all(|(object, range)| self.object(*object) && is_offset(*range))
    }

    fn team(&self, function: &Function, team: &Team) -> bool {
        let bound = |bound: Bound| match bound {
            Bound::Const(_) => true,
            Bound::Register(reg, _) => function.regs.get(reg).is_some(),
            Bound::Outer(instance, reg, _) => {
                self.function_of(instance).is_some_and(|function| function.regs.get(reg).is_some())
            }
        };
        self.object(team.array) && bound(team.lo) && bound(team.hi)
    }

    fn below(&self, function: &Function, below: &Below) -> bool {
        let object = below.object.is_none_or(|object| self.object(object));
        object && function.regs.get(below.register).is_some()
    }
}

fn is_ascending<T: PartialOrd>(items: impl Iterator<Item = T>) -> bool {
    let mut last = None;
    for item in items {
        if last.as_ref().is_some_and(|last| *last >= item) {
            return false;
        }
        last = Some(item);
    }
    true
}

/// Returns true if all members are offsets of pointers.
fn is_offset(range: Range) -> bool {
    Range::UNBOUNDED.lo() <= range.lo() && range.hi() <= Range::UNBOUNDED.hi()
}
