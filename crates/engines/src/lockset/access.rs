//! Reading and writing: what is known of memory, what other threads may find there, and objects that become known to them.

use super::join::{any_life, bits_of, interfere};
use super::memory::{Contents, Entry, mix};
use super::solver::Solver;
use braid_ir::{Const, GlobalId, InstrId};
use braid_proof::InstanceId;
use braid_proof::{
    Access, Cell, Held, Key, Kind, Known, Loaded, LockName, Mode, ObjectId, Own, Place, Range, Space, State,
    Value, eval, life,
};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Places of a cell whose initial values are looked at one by one.
const MOST_PLACES: u128 = 4096;

/// The bytes of an access: `bytes` bytes from one of these offsets on.
#[derive(Clone, Copy)]
pub struct Spot {
    pub object: ObjectId,
    pub space: Space,
    pub at: Range,
    pub bytes: u64,
}

impl Spot {
    pub fn data(object: ObjectId, at: Range, bytes: u64) -> Spot {
        Spot { object, space: Space::Data, at, bytes }
    }

    /// The life of the synchronisation object there.
    pub fn life(object: ObjectId, at: Range) -> Spot {
        Spot { object, space: Space::Sync, at, bytes: 1 }
    }

    fn of(key: Key) -> Spot {
        let Key { object, space, offset, bytes } = key;
        Spot { object, space, at: Range::point(offset.into()), bytes }
    }

    /// Returns true if a place may have a byte in common.
    fn meets(&self, key: &Key) -> bool {
        Range::interferes(Range::point(key.offset.into()), key.bytes, self.at, self.bytes)
    }
}

/// An access of shared memory that an instruction makes.
pub struct Visit<'v> {
    pub instance: InstanceId,
    pub instr: InstrId,
    pub kind: Kind,
    pub atomic: bool,
    /// The registers that the address is a constant distance from, with the distance.
    pub bases: &'v [(braid_ir::RegId, i64)],
    /// The address as a linear function of the thread's argument.
    pub own: Option<(i64, i64)>,
}

impl Solver<'_> {
    /// The locks that are certainly held at an access. An address of exactly one place turns distances into places.
    fn held_at(
        &self,
        state: &State,
        visit: &Visit,
        exact: Option<(ObjectId, i64)>,
    ) -> BTreeSet<(Held, Mode)> {
        let certain = state.holds.iter().filter(|hold| hold.certain);
        let held = certain.filter_map(|hold| {
            let held = match hold.name? {
                LockName::Section => Held::Section,
                LockName::Place(object, offset) => Held::Place(object, offset),
                LockName::Relative(reg, offset) => {
                    let (_, at) = visit.bases.iter().find(|(base, _)| *base == reg)?;
                    match exact {
                        Some((object, place)) => Held::Place(object, place + offset - at),
                        None => Held::Distance(offset - at),
                    }
                }
            };
            Some((held, hold.mode))
        });
        held.collect()
    }

    /// The place of exactly one place of a single object.
    pub fn exact(&self, object: ObjectId, at: Range) -> Option<(ObjectId, i64)> {
        let offset = i64::try_from(at.single()?).ok()?;
        self.objects.is_single(self.program, object).then_some((object, offset))
    }

    /// The position of a cell, with the initial value of its places if that has flowed in.
    fn cell(&mut self, object: ObjectId, space: Space, at: Range, bytes: u64) -> usize {
        let Solver { program, objects, memory, pristine, .. } = self;
        let global = objects.global(program, object);
        let pristine = pristine.as_ref();
        memory.cell(object, space, at, bytes, |cell, contents| match global {
            Some(id) => match pristine {
                None => Value::NONE,
                Some(covered) => match key_of(object, cell) {
                    Some(key) if covered.contains(&key) => Value::NONE,
                    _ => initial_of_global(program, id, cell),
                },
            },
            None => initial_of_made(cell, contents),
        })
    }

    /// Notes an access of shared memory. The position of the cell.
    fn visit(&mut self, state: &State, spot: Spot, visit: &Visit) -> usize {
        let Spot { object, space, at, bytes } = spot;
        let cell = self.cell(object, space, at, bytes);
        let held = self.held_at(state, visit, self.exact(object, at));
        let Visit { instance, instr, kind, atomic, own, .. } = *visit;
        let own = own.filter(|_| !self.memory.objects[object].cells[cell].cell.mixed);
        let access = Access { instance, instr, kind, atomic, alive: state.alive.clone(), held, own };
        self.memory.access(object, cell, access);
        self.memory.contents(object).readers.insert(instance);
        cell
    }

    /// Returns true if no other thread can write the place before this thread's next step, or not even look at it.
    fn eligible(&mut self, instance: InstanceId, state: &State, key: Key, dirty: bool) -> bool {
        if !self.objects.is_single(self.program, key.object) {
            return false;
        }
        self.memory.contents(key.object).readers.insert(instance);
        let threads = &self.instances[instance].threads;
        let visit =
            Visit { instance, instr: InstrId(0), kind: Kind::Read, atomic: false, bases: &[], own: None };
        let held = self.held_at(state, &visit, None);
        let entries = &self.memory.objects[key.object].cells;
        let at = Range::point(key.offset.into());
        entries.iter().all(|entry| {
            let cell = &entry.cell;
            if cell.space != key.space || !Range::interferes(cell.at, cell.bytes, at, key.bytes) {
                return true;
            }
            if entry.common.as_ref().is_some_and(|common| exclude(&held, common, cell.mixed)) {
                return true;
            }
            cell.accesses.iter().all(|access| {
                let harmless = !dirty && access.kind == Kind::Read;
                harmless
                    || exclude(&held, &access.held, cell.mixed)
                    || !self.threads.concurrent(
                        (threads, &state.alive),
                        (&self.instances[access.instance].threads, &access.alive),
                    )
            })
        })
    }

    /// Shared memory gets the value of a place.
    pub fn publish(&mut self, instance: InstanceId, key: Key, value: &Value) {
        self.memory.contents(key.object).readers.insert(instance);
        let cell = self.cell(key.object, key.space, Range::point(key.offset.into()), key.bytes);
        self.memory.add(key.object, cell, value);
    }

    /// Looks again at what is known of shared memory, after locks were released or threads started.
    pub fn settle(&mut self, instance: InstanceId, state: &mut State) {
        let known = Rc::clone(&state.known);
        for (key, entry) in known.iter() {
            if self.objects.is_own(key.object) {
                continue;
            }
            let dirty = entry.dirty && self.eligible(instance, state, *key, true);
            if dirty {
                continue;
            }
            if entry.dirty {
                self.publish(instance, *key, &entry.value);
            }
            if !self.eligible(instance, state, *key, false) {
                forget(state, key);
            } else if entry.dirty {
                let known = Rc::make_mut(&mut state.known);
                known.get_mut(key).expect("the entry is there").dirty = false;
            }
        }
    }

    /// Publishes all that only this thread knows of shared memory, at its end.
    pub fn publish_all(&mut self, instance: InstanceId, state: &State) {
        let known = Rc::clone(&state.known);
        for (key, entry) in known.iter().filter(|(_, entry)| entry.dirty) {
            if !self.objects.is_own(key.object) {
                self.publish(instance, *key, &entry.value);
            }
        }
    }

    /// The first thread is about to be started, or may have been.
    pub fn lose_pristine(&mut self, state: &mut State) {
        if !std::mem::replace(&mut state.pristine, false) {
            return;
        }
        let count = self.program.globals.len() as u32;
        let here: BTreeSet<Key> = state.known.keys().filter(|key| key.object.0 < count).copied().collect();
        let covered = match self.pristine.take() {
            None => here,
            Some(before) => before.intersection(&here).copied().collect(),
        };
        self.pristine = Some(covered);
        for id in 0..count.min(self.memory.objects.len() as u32) {
            let object = ObjectId(id);
            for index in 0..self.memory.objects[object].cells.len() {
                let cell = &self.memory.objects[object].cells[index].cell;
                let is_covered = key_of(object, cell)
                    .is_some_and(|key| self.pristine.as_ref().is_some_and(|all| all.contains(&key)));
                if !is_covered {
                    let initial = initial_of_global(self.program, GlobalId(id), cell);
                    self.memory.add(object, index, &initial);
                }
            }
        }
    }

    /// Reads from one object.
    pub fn read(&mut self, state: &mut State, spot: Spot, visit: &Visit) -> Value {
        let Spot { object, space, at, bytes } = spot;
        let key = place(object, space, at, bytes);
        if self.objects.is_own(object) {
            return read_own(state, object, space, at, bytes, key);
        }
        let cell = self.visit(state, spot, visit);
        if let Some(entry) = key.and_then(|key| state.known.get(&key)) {
            return entry.value.clone();
        }
        let cell = &self.memory.objects[object].cells[cell].cell;
        let mut value = cell.value.clone();
        if let (true, Some(id)) = (state.pristine, self.objects.global(self.program, object)) {
            let part = Cell { at, bytes, mixed: cell.mixed, space, value: Value::NONE, accesses: Vec::new() };
            value.join(&initial_of_global(self.program, id, &part));
        }
        if cell.mixed {
            value = if value.is_none() { value } else { mix(&value) };
        }
        if let Some(key) = key.filter(|key| clear_of(state, key))
            && self.eligible(visit.instance, state, key, false)
        {
            Rc::make_mut(&mut state.known).insert(key, Known { value: value.clone(), dirty: false });
        }
        value
    }

    /// Writes to exactly one place.
    pub fn write_exactly(&mut self, state: &mut State, key: Key, value: &Value, visit: &Visit) {
        let own = self.objects.is_own(key.object);
        let at = Range::point(key.offset.into());
        let cell = (!own).then(|| self.visit(state, Spot::of(key), visit));
        self.drop_interfering(visit.instance, state, key);
        let dirty = own || self.eligible(visit.instance, state, key, true);
        if let Some(cell) = cell.filter(|_| !dirty) {
            self.memory.add(key.object, cell, value);
        }
        if dirty || self.eligible(visit.instance, state, key, false) {
            Rc::make_mut(&mut state.known).insert(key, Known { value: value.clone(), dirty });
        } else {
            Rc::make_mut(&mut state.known).remove(&key);
        }
        forget_loaded(state, key.object, at, key.bytes, key.space);
    }

    /// Writes to some place of an object.
    pub fn write_somewhere(&mut self, state: &mut State, spot: Spot, value: &Value, visit: &Visit) {
        let Spot { object, space, at, bytes } = spot;
        let own = self.objects.is_own(object);
        if !own {
            let cell = self.visit(state, spot, visit);
            self.memory.add(object, cell, value);
        }
        let known = Rc::clone(&state.known);
        for (key, entry) in entries_of(&known, object, space) {
            if !spot.meets(key) {
                continue;
            }
            if entry.dirty && !own {
                self.publish(visit.instance, *key, &entry.value);
            }
            let mut joined = entry.value.clone();
            joined.join(value);
            if key.bytes != bytes || !at.contains(key.offset.into()) {
                joined = mix(&joined);
            }
            joined.numbers = joined.numbers.map(|range| range.normal(bits_of(*key)));
            let stays = own || self.eligible(visit.instance, state, *key, false);
            let map = Rc::make_mut(&mut state.known);
            match stays {
                true => _ = map.insert(*key, Known { value: joined, dirty: own }),
                false => _ = map.remove(key),
            }
        }
        if let Some(mine) = state.own.get_mut(&object) {
            let part = if space == Space::Data { &mut mine.data } else { &mut mine.sync };
            part.widen(value, 64);
        }
        forget_loaded(state, object, at, bytes, space);
    }

    /// Drops entries that a write to a place destroys, but for that of the place.
    fn drop_interfering(&mut self, instance: InstanceId, state: &mut State, place: Key) {
        let Key { object, space, .. } = place;
        let known = Rc::clone(&state.known);
        for (key, entry) in entries_of(&known, object, space) {
            if *key == place || !interfere(key, &place) {
                continue;
            }
            if let Some(mine) = state.own.get_mut(&object) {
                let part = if space == Space::Data { &mut mine.data } else { &mut mine.sync };
                part.widen(&mix(&entry.value), 64);
            } else if entry.dirty {
                self.publish(instance, *key, &mix(&entry.value));
            }
            forget(state, key);
        }
    }

    /// The life of synchronisation objects that a data access may touch becomes arbitrary.
    pub fn disturb(&mut self, state: &mut State, object: ObjectId, at: Range, bytes: u64, visit: &Visit) {
        let home = self.home(object);
        self.memory.contents(home).readers.insert(visit.instance);
        let hit = |(range, size): &&(Range, u64)| Range::interferes(*range, *size, at, bytes);
        let places: Vec<Range> =
            self.memory.objects[home].sorts.iter().filter(hit).map(|(range, _)| *range).collect();
        for range in places {
            let exact = self.exact(object, range).is_some() || self.objects.is_own(object);
            match place(object, Space::Sync, range, 1).filter(|_| exact) {
                Some(key) => self.write_exactly(state, key, &any_life(), visit),
                None => self.write_somewhere(state, Spot::life(object, range), &any_life(), visit),
            }
        }
    }

    /// The object under which the synchronisation objects of a place are listed.
    fn home(&self, object: ObjectId) -> ObjectId {
        match self.objects.get(object) {
            Some(made) if !made.own => ObjectId(object.0 - 1),
            _ => object,
        }
    }

    /// Notes that a call takes such a place for a synchronisation object of so many bytes.
    pub fn note_sort(&mut self, object: ObjectId, at: Range, bytes: u64) {
        let home = self.home(object);
        if self.memory.contents(home).sorts.insert((at, bytes)) {
            self.memory.woken.extend(self.memory.objects[home].readers.iter().copied());
        }
    }

    /// The own objects in a value, and all that their contents lead to, become shared.
    pub fn leak(&mut self, instance: InstanceId, state: &mut State, value: &Value) -> Value {
        let mut waiting: Vec<ObjectId> = own_targets(self, value);
        while let Some(own) = waiting.pop() {
            let Some(contents) = state.own.remove(&own) else {
                if !state.ended.contains(&own) {
                    continue;
                }
                // It has ended: its address leaks all the same.
                self.rename(state, own);
                continue;
            };
            let shared = self.objects.shared(own);
            let entries: Vec<(Key, Known)> = [Space::Data, Space::Sync]
                .into_iter()
                .flat_map(|space| entries_of(&state.known, own, space))
                .map(|(key, entry)| (*key, entry.clone()))
                .collect();
            for (key, entry) in &entries {
                waiting.extend(own_targets(self, &entry.value));
                Rc::make_mut(&mut state.known).remove(key);
            }
            waiting.extend(own_targets(self, &contents.data));
            self.share_contents(instance, shared, &contents, &entries);
            self.rename(state, own);
            state.lost.insert(own);
            for (key, entry) in entries {
                let key = Key { object: shared, ..key };
                if self.eligible(instance, state, key, false) {
                    let value = self.renamed(&entry.value, own);
                    Rc::make_mut(&mut state.known).insert(key, Known { value, dirty: false });
                }
            }
        }
        let mut value = value.clone();
        for own in own_targets(self, &value) {
            let shared = self.objects.shared(own);
            value.rename(own, shared);
        }
        value
    }

    fn renamed(&self, value: &Value, own: ObjectId) -> Value {
        let mut value = value.clone();
        value.rename(own, self.objects.shared(own));
        value
    }

    /// The contents of an own object become those of the shared one. Own objects in them are written as shared ones: they
    /// become shared in the same step.
    fn share_contents(
        &mut self,
        instance: InstanceId,
        shared: ObjectId,
        contents: &Own,
        entries: &[(Key, Known)],
    ) {
        let public = |solver: &Self, value: &Value| {
            let mut value = value.clone();
            for inner in own_targets(solver, &value) {
                let outer = solver.objects.shared(inner);
                value.rename(inner, outer);
            }
            value
        };
        let data = public(self, &contents.data);
        let here: BTreeSet<(Space, i64, u64)> =
            entries.iter().map(|(key, _)| (key.space, key.offset, key.bytes)).collect();
        let place = self.memory.contents(shared);
        place.readers.insert(instance);
        place.covered = Some(match place.covered.take() {
            None => here.clone(),
            Some(before) => before.intersection(&here).copied().collect(),
        });
        let sync = contents.sync.clone();
        place.rest.entry(Space::Data).or_default().widen(&data, 64);
        place.rest.entry(Space::Sync).or_default().join(&sync);
        for index in 0..self.memory.objects[shared].cells.len() {
            let cell = &self.memory.objects[shared].cells[index].cell;
            let is_covered = place_of(cell).is_some_and(|place| here.contains(&place));
            if !is_covered {
                let rest = if cell.space == Space::Data { &data } else { &sync };
                self.memory.add(shared, index, rest);
            }
        }
        for (key, entry) in entries {
            let value = public(self, &entry.value);
            self.publish(instance, Key { object: shared, ..*key }, &value);
        }
    }

    /// Everything that points to an own object points to the shared one.
    pub fn rename(&mut self, state: &mut State, own: ObjectId) {
        let shared = self.objects.shared(own);
        for value in state.registers.values_mut() {
            value.rename(own, shared);
        }
        let hits = |entry: &Known| entry.value.targets.iter().any(|(object, _)| *object == own);
        if state.known.values().any(hits) {
            for entry in Rc::make_mut(&mut state.known).values_mut() {
                entry.value.rename(own, shared);
            }
        }
        for contents in state.own.values_mut() {
            contents.data.rename(own, shared);
        }
        for hold in &mut state.holds {
            for (object, _) in &mut hold.targets {
                if *object == own {
                    *object = shared;
                }
            }
            hold.targets.sort();
            if let Some(LockName::Place(object, offset)) = hold.name
                && object == own
            {
                let single = self.objects.is_single(self.program, shared);
                hold.name = single.then_some(LockName::Place(shared, offset));
                hold.certain &= single;
            }
        }
        state.holds.sort();
        let element = |loaded: &Loaded| match loaded {
            Loaded::Place(key) => key.object == own,
            Loaded::Element(object, ..) => *object == own,
        };
        state.loaded.retain(|_, loaded| !element(loaded));
        state.teams.retain(|_, team| team.array != own);
        state.below.retain(|_, below| below.object != Some(own));
        if let Some(range) = state.released.remove(&own) {
            super::join::add_range(&mut state.released, shared, range);
        }
        if state.ended.contains(&own) {
            state.ended.insert(shared);
        }
    }

    /// A new object at a place. An older own one of the place is shared from now on, or has ended.
    pub fn make(
        &mut self,
        instance: InstanceId,
        state: &mut State,
        at: Place,
        size: Range,
        zeroed: bool,
    ) -> ObjectId {
        let own = self.objects.own(at);
        let shared = self.objects.shared(own);
        let refers = |value: &Value| value.targets.iter().any(|(object, _)| *object == own);
        if state.own.contains_key(&own) {
            self.leak(instance, state, &Value::address(own, 0));
        } else if state.registers.values().any(refers)
            || state.known.values().any(|entry| refers(&entry.value))
            || state.own.values().any(|contents| refers(&contents.data))
        {
            self.rename(state, own);
        }
        // Values of callers, which are not seen here, may point to the older one.
        let callers_may_know = matches!(at, Place::Block(..)) || self.instances[instance].recursive;
        if !callers_may_know {
            state.lost.remove(&own);
        } else if state.ended.contains(&own) {
            state.lost.insert(own);
            state.ended.insert(shared);
        }
        state.ended.remove(&own);
        let alone = self.instances[instance].threads.len() == 1
            && self.instances[instance].threads.iter().all(|thread| self.threads.list[*thread].single);
        if state.made.contains(&own) || !alone {
            let object = self.objects.get_mut(shared).expect("the place has objects");
            if std::mem::replace(&mut object.single, false) {
                self.threads.changed = true;
            }
        }
        state.made.insert(own);
        if self.objects.grow(own, size) {
            self.memory.contents(shared);
            self.memory.woken.extend(self.memory.objects[shared].readers.iter().copied());
        }
        let (data, sync) = match zeroed {
            true => (Value::null(), life::ZERO),
            false => (Value::any(64), life::RAW),
        };
        state.own.insert(own, Own { data, sync: Value::number(Range::point(sync)) });
        own
    }

    /// The end of an object's life.
    pub fn end(&mut self, state: &mut State, object: ObjectId, visit: &Visit) {
        if state.own.remove(&object).is_some() {
            let known = Rc::make_mut(&mut state.known);
            known.retain(|key, _| key.object != object);
            state.ended.insert(object);
        } else if !self.objects.is_own(object) && self.objects.get(object).is_some() {
            let size = self.objects.size(self.program, object).map_or(0, |size| size.hi());
            if let Ok(bytes) = u64::try_from(size)
                && bytes > 0
            {
                let entries = &self.memory.contents(object).cells;
                let spots: Vec<Spot> = entries
                    .iter()
                    .map(|Entry { cell, .. }| Spot {
                        object,
                        space: cell.space,
                        at: cell.at,
                        bytes: cell.bytes,
                    })
                    .collect();
                for spot in spots {
                    self.visit(state, spot, visit);
                }
                self.memory.contents(object).readers.insert(visit.instance);
            }
            let known = Rc::make_mut(&mut state.known);
            known.retain(|key, _| key.object != object);
            state.ended.insert(object);
        }
        state.loaded.retain(|_, loaded| match loaded {
            Loaded::Place(key) => key.object != object,
            Loaded::Element(other, ..) => *other != object,
        });
        state.teams.retain(|_, team| team.array != object);
    }
}

/// Returns true if no two threads can hold these locks at the same time.
pub fn exclude(a: &BTreeSet<(Held, Mode)>, b: &BTreeSet<(Held, Mode)>, mixed: bool) -> bool {
    let one = |a: &BTreeSet<(Held, Mode)>, b: &BTreeSet<(Held, Mode)>| {
        a.iter().any(|(held, mode)| {
            let counts = !mixed || !matches!(held, Held::Distance(_));
            let modes = [Mode::Exclusive, Mode::Shared, Mode::Passed];
            counts && *mode == Mode::Exclusive && modes.iter().any(|mode| b.contains(&(*held, *mode)))
        })
    };
    one(a, b) || one(b, a)
}

/// The own objects that a value points to.
pub fn own_targets(solver: &Solver, value: &Value) -> Vec<ObjectId> {
    value.targets.iter().map(|(object, _)| *object).filter(|object| solver.objects.is_own(*object)).collect()
}

/// The place that the offsets are, if they are one.
pub fn place(object: ObjectId, space: Space, at: Range, bytes: u64) -> Option<Key> {
    let offset = i64::try_from(at.single()?).ok()?;
    Some(Key { object, space, offset, bytes })
}

fn place_of(cell: &Cell) -> Option<(Space, i64, u64)> {
    let offset = i64::try_from(cell.at.single()?).ok()?;
    (!cell.mixed).then_some((cell.space, offset, cell.bytes))
}

fn key_of(object: ObjectId, cell: &Cell) -> Option<Key> {
    place_of(cell).map(|(space, offset, bytes)| Key { object, space, offset, bytes })
}

/// The entries of an object.
pub fn entries_of(
    known: &BTreeMap<Key, Known>,
    object: ObjectId,
    space: Space,
) -> impl Iterator<Item = (&Key, &Known)> {
    let key = |offset, bytes| Key { object, space, offset, bytes };
    known.range(key(i64::MIN, 0)..=key(i64::MAX, u64::MAX))
}

/// Returns true if nothing is known of parts of the place.
fn clear_of(state: &State, key: &Key) -> bool {
    entries_of(&state.known, key.object, key.space).all(|(other, _)| !interfere(other, key))
}

/// Drops an entry.
pub fn forget(state: &mut State, key: &Key) {
    Rc::make_mut(&mut state.known).remove(key);
    state.loaded.retain(|_, loaded| *loaded != Loaded::Place(*key));
}

/// Registers are not what a place holds any more.
fn forget_loaded(state: &mut State, object: ObjectId, at: Range, bytes: u64, space: Space) {
    if space == Space::Sync {
        return;
    }
    state.loaded.retain(|_, loaded| match loaded {
        Loaded::Place(key) => {
            key.object != object || !Range::interferes(Range::point(key.offset.into()), key.bytes, at, bytes)
        }
        Loaded::Element(other, ..) => *other != object,
    });
    state.teams.retain(|_, team| team.array != object);
}

fn read_own(state: &State, object: ObjectId, space: Space, at: Range, bytes: u64, key: Option<Key>) -> Value {
    if let Some(entry) = key.and_then(|key| state.known.get(&key)) {
        return entry.value.clone();
    }
    let Some(contents) = state.own.get(&object) else { return Value::NONE };
    let mut value = if space == Space::Data { contents.data.clone() } else { contents.sync.clone() };
    for (other, entry) in entries_of(&state.known, object, space) {
        let here = Range::point(other.offset.into());
        if Range::interferes(here, other.bytes, at, bytes) {
            let whole = other.bytes == bytes && at.contains(other.offset.into()) && at.step() >= bytes;
            value.join(&if whole { entry.value.clone() } else { mix(&entry.value) });
        }
    }
    value
}

/// The initial value of the places of a cell of an object that the program has made and shared.
fn initial_of_made(cell: &Cell, contents: &Contents) -> Value {
    let Some(covered) = &contents.covered else { return Value::NONE };
    if place_of(cell).is_some_and(|place| covered.contains(&place)) {
        return Value::NONE;
    }
    contents.rest.get(&cell.space).cloned().unwrap_or_default()
}

/// The initial value of the places of a cell of a static variable.
pub fn initial_of_global(program: &braid_ir::Program, id: GlobalId, cell: &Cell) -> Value {
    let global = &program.globals[id];
    let span = cell.at.hi().abs_diff(cell.at.lo());
    let count = span / u128::from(cell.at.step().max(1)) + 1;
    let plain = global.init.data.is_empty() && global.init.pointers.is_empty();
    let zero = match cell.space {
        Space::Data => Value::null(),
        Space::Sync => Value::number(Range::point(life::ZERO)),
    };
    if plain {
        return zero;
    }
    if cell.space == Space::Sync {
        return initial_life(global, cell, zero);
    }
    let mut all = Value::NONE;
    if cell.mixed || count > MOST_PLACES || cell.bytes > 16 {
        all = Value::any((8 * cell.bytes).clamp(8, 64) as u8);
        for (_, target) in &global.init.pointers {
            all.join(&eval::constant(program, *target));
        }
        return all;
    }
    for index in 0..count {
        let offset = cell.at.lo() + (index * u128::from(cell.at.step())) as i128;
        all.join(&initial_at(program, global, offset, cell.bytes));
    }
    all
}

fn initial_life(global: &braid_ir::Global, cell: &Cell, zero: Value) -> Value {
    let end = cell.at.hi() + i128::from(cell.bytes);
    let inside =
        |from: u64, len: usize| i128::from(from) < end && i128::from(from) + len as i128 > cell.at.lo();
    let touched = |bytes: &[u8]| bytes.iter().any(|byte| *byte != 0);
    let data = global.init.data.iter().any(|(at, bytes)| inside(*at, bytes.len()) && touched(bytes));
    let pointers = global.init.pointers.iter().any(|(at, _)| inside(*at, 8));
    if data || pointers { any_life() } else { zero }
}

fn initial_at(program: &braid_ir::Program, global: &braid_ir::Global, offset: i128, bytes: u64) -> Value {
    let pointer_bytes = u64::from(program.pointer_bytes);
    let (from, to) = (offset, offset + i128::from(bytes));
    for (at, target) in &global.init.pointers {
        let at = i128::from(*at);
        if at == from && bytes == pointer_bytes {
            return eval::constant(program, *target);
        }
        if at < to && from < at + i128::from(pointer_bytes) {
            return mix(&eval::constant(program, *target));
        }
    }
    let mut bits: u128 = 0;
    for index in 0..bytes.min(16) {
        let position = offset + i128::from(index);
        let byte = global.init.data.iter().find_map(|(at, data)| {
            let inside = usize::try_from(position - i128::from(*at)).ok()?;
            data.get(inside)
        });
        bits |= u128::from(byte.copied().unwrap_or(0)) << (8 * index);
    }
    let width = (8 * bytes).clamp(8, 128) as u8;
    eval::constant(program, Const::Int { width, bits })
}
