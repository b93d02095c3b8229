//! Objects that only the running thread knows of: how they are made, how others come to know of them, how they end.
//!
//! *Claim*: in every state an own object stands for at most one object, the latest of its place that the running thread made,
//! and no other thread can find its address. *Relies on*: `memory`, which lets no address of an own object into shared memory
//! but through [`Run::expose`]. *Proof*: making one first turns what the name stood for into one of the shared objects; exposing
//! an address renames the object everywhere in the state and puts its contents into the cells. The names that callers of the
//! function have for it are mended when it returns: `lost` tells them (`calls`).

use super::cells::{Spot, first_key, last_key, places};
use super::memory::Address;
use super::registers::Run;
use super::{Invalid, Missing, only};
use crate::certificate::{Cell, Kind, Place};
use crate::range::Range;
use crate::state::{Key, Known, Loaded, LockName, Own, Space, life};
use crate::value::{ObjectId, Value};
use braid_ir::{AllocKind, LocalId, Op, RegId};
use braid_props::Check;
use std::sync::Arc;

/// Places of a cell that are known one by one when an object becomes known to others.
const PLACES: u128 = 16;

impl Run<'_, '_> {
    /// A value becomes known to other threads: own objects that it points to are shared from now on. An address of one that
    /// has ended is a number to others. The address is renamed along.
    pub fn expose(&mut self, mut value: Value, mut address: Option<&mut Address>) -> Result<Value, Invalid> {
        let own: Vec<ObjectId> =
            value.targets.iter().map(|(o, _)| *o).filter(|o| self.cx.is_own(*o)).collect();
        for object in own {
            let ended = self.state.ended.contains(&object) || !self.state.own.contains_key(&object);
            let renamed = match self.state.own.contains_key(&object) {
                true => self.leak(object)?,
                // It is a shared one by now, or over.
                false if self.state.lost.contains(&object) => vec![object],
                false => vec![],
            };
            for object in renamed {
                if let Some(address) = address.as_deref_mut() {
                    address.value.rename(object, self.cx.shared(object));
                }
                value.rename(object, self.cx.shared(object));
            }
            value.targets.retain(|(o, _)| *o != object);
            if ended {
                value.join(&Value::any(self.cx.pointer_bits()));
            }
        }
        Ok(value)
    }

    /// An own object becomes one of the shared ones of its place, and so do those that it points to. Returns all of them.
    pub fn leak(&mut self, object: ObjectId) -> Result<Vec<ObjectId>, Invalid> {
        let mut found = vec![object];
        let mut next = 0;
        while let Some(object) = found.get(next).copied() {
            next += 1;
            for inner in self.own_below(object) {
                if !found.contains(&inner) {
                    found.push(inner);
                }
            }
        }
        let contents: Vec<(ObjectId, Own)> =
            found.iter().filter_map(|object| Some((*object, self.state.own.remove(object)?))).collect();
        for object in &found {
            self.rename(*object, false);
            self.state.lost.insert(*object);
        }
        for (object, mut own) in contents {
            for inner in &found {
                own.data.rename(*inner, self.cx.shared(*inner));
            }
            self.share(object, own)?;
        }
        Ok(found)
    }

    /// Own objects that exist and that an own object may point to.
    fn own_below(&self, object: ObjectId) -> Vec<ObjectId> {
        let entries = self.state.known.range(first_key(object, Space::Data)..=last_key(object, Space::Data));
        let values = entries.map(|(_, known)| &known.value);
        let data = self.state.own.get(&object).map(|own| &own.data);
        let targets = values.chain(data).flat_map(|value| &value.targets).map(|(object, _)| *object);
        targets.filter(|object| self.cx.is_own(*object) && self.state.own.contains_key(object)).collect()
    }

    /// Whatever points to an own object points to the shared one.
    fn rename(&mut self, object: ObjectId, over: bool) {
        let shared = self.cx.shared(object);
        let mut dangling = false;
        for value in self.state.registers.values_mut() {
            dangling |= value.rename(object, shared);
        }
        if self.state.known.values().any(|known| known.value.targets.iter().any(|(o, _)| *o == object)) {
            for known in Arc::make_mut(&mut self.state.known).values_mut() {
                dangling |= known.value.rename(object, shared);
            }
        }
        for own in self.state.own.values_mut() {
            dangling |= own.data.rename(object, shared);
        }
        let single = self.cx.single(shared);
        self.state.forms.retain(|_, form| {
            if form.object == Some(object) {
                form.object = Some(shared);
                return single;
            }
            true
        });
        self.rename_locks(object, shared);
        self.state.teams.retain(|_, team| team.array != object);
        for below in self.state.below.values_mut() {
            if below.object == Some(object) {
                below.object = Some(shared);
            }
        }
        self.state.loaded.retain(|_, loaded| match loaded {
            Loaded::Place(key) => key.object != object,
            Loaded::Element(array, ..) => *array != object,
        });
        // The old one may be over, and something still points to it.
        if dangling && (over || self.state.ended.contains(&object)) {
            self.state.ended.insert(shared);
        }
    }

    fn rename_locks(&mut self, object: ObjectId, shared: ObjectId) {
        let single = self.cx.single(shared);
        let rename = |name: LockName| match name {
            LockName::Place(at, offset) if at == object => single.then_some(LockName::Place(shared, offset)),
            LockName::Place(..) | LockName::Relative(..) | LockName::Section => Some(name),
        };
        for hold in &mut self.state.holds {
            hold.name = hold.name.and_then(rename);
            hold.certain &= hold.name.is_some();
            let mut targets = Value { targets: std::mem::take(&mut hold.targets), ..Value::NONE };
            targets.rename(object, shared);
            hold.targets = targets.targets;
        }
        super::locks::merge(&mut self.state.holds);
        self.state.tried.retain(|_, (name, _)| {
            rename(*name).is_some_and(|new| {
                *name = new;
                true
            })
        });
        if let Some(range) = self.state.released.remove(&object) {
            super::locks::add_released(&mut self.state.released, shared, range);
        }
    }

    /// The contents of an object that is no longer the thread's own are in the cells, or known as those of a shared one.
    fn share(&mut self, object: ObjectId, own: Own) -> Result<(), Invalid> {
        let shared = self.cx.shared(object);
        let entries = [Space::Data, Space::Sync].map(|space| self.take_entries(object, space));
        let outside = |value: Value| self.without_own(value);
        let data = outside(own.data);
        let mut held: Vec<(Key, Value)> = Vec::new();
        for (key, known) in entries.into_iter().flatten() {
            held.push((Key { object: shared, ..key }, self.without_own(known.value)));
        }
        for (key, value) in &held {
            if self.eligible(*key, true) {
                let known = Known { value: value.clone(), dirty: true };
                Arc::make_mut(&mut self.state.known).insert(*key, known);
                continue;
            }
            self.publish(Spot::of(*key), value)?;
            if self.eligible(*key, false) {
                let known = Known { value: value.clone(), dirty: false };
                Arc::make_mut(&mut self.state.known).insert(*key, known);
            }
        }
        for cell in self.cx.cells(shared) {
            let spot = Spot { object: shared, space: cell.space, at: cell.at, bytes: cell.bytes };
            let value = match cell.space {
                Space::Sync => own.sync.clone(),
                Space::Data => self.uniform(&data, spot),
            };
            let open = self.open_places(cell, shared, &held);
            if let Some(open) = open {
                for key in open {
                    let known = Known { value: value.clone(), dirty: true };
                    Arc::make_mut(&mut self.state.known).insert(key, known);
                }
                continue;
            }
            let exact = held.iter().filter(|(key, _)| is_place_of(*key, cell)).count() as u128;
            if places(cell.at) != Some(exact) {
                self.publish(spot, &value)?;
            }
        }
        Ok(())
    }

    /// The places of a cell that no entry has, if there are few and no other thread can look at one of them now.
    fn open_places(&self, cell: &Cell, object: ObjectId, held: &[(Key, Value)]) -> Option<Vec<Key>> {
        let count = places(cell.at).filter(|count| *count <= PLACES && !cell.mixed)?;
        let mut open = Vec::new();
        for index in 0..count as i128 {
            let offset = i64::try_from(cell.at.lo() + index * i128::from(cell.at.step())).ok()?;
            let key = Key { object, space: cell.space, offset, bytes: cell.bytes };
            if held.iter().any(|(known, _)| *known == key) {
                continue;
            }
            let meets = |known: &Key| {
                known.space == key.space && Spot::of(*known).meets(Range::point(offset.into()), key.bytes)
            };
            (self.eligible(key, true) && !held.iter().any(|(known, _)| meets(known))).then_some(())?;
            open.push(key);
        }
        Some(open)
    }

    fn take_entries(&mut self, object: ObjectId, space: Space) -> Vec<(Key, Known)> {
        let keys = first_key(object, space)..=last_key(object, space);
        let found: Vec<_> = self.state.known.range(keys).map(|(key, known)| (*key, known.clone())).collect();
        if !found.is_empty() {
            let known = Arc::make_mut(&mut self.state.known);
            found.iter().for_each(|(key, _)| {
                known.remove(key);
            });
        }
        found
    }

    /// The value as others see it: addresses of own objects that are over are numbers.
    fn without_own(&self, value: Value) -> Value {
        if !value.targets.iter().any(|(object, _)| self.cx.is_own(*object)) {
            return value;
        }
        let targets = value.targets.into_iter().filter(|(object, _)| !self.cx.is_own(*object)).collect();
        let mut seen = Value { targets, ..value };
        seen.join(&Value::any(self.cx.pointer_bits()));
        seen
    }
}

fn is_place_of(key: Key, cell: &Cell) -> bool {
    key.space == cell.space && key.bytes == cell.bytes && cell.at.contains(key.offset.into())
}

/// Making objects.
impl Run<'_, '_> {
    pub fn local_live(&mut self, local: LocalId) -> Result<(), Invalid> {
        self.local_dead(local)?;
        self.open.insert(local);
        let size = Range::point(self.function.locals[local].size.into());
        self.make(Place::Local(self.instance, local), size, false).map(|_| ())
    }

    /// A fresh own object of the place.
    pub fn make(&mut self, place: Place, size: Range, zeroed: bool) -> Result<ObjectId, Invalid> {
        let Some(object) = self.cx.place(place) else {
            return self.lacks(
                Missing::Object(place, size),
                "an object is made that is not listed",
                &place,
                &"",
            );
        };
        let shared = self.cx.shared(object);
        for one in [object, shared] {
            let claimed = self.cx.size(one);
            if claimed.is_some_and(|claimed| !claimed.includes(size)) {
                let part = format!("the size of {}", self.cx.name(one));
                self.needs(Missing::Size(one, size), part, &size, &claimed)?;
            }
        }
        self.displace(object)?;
        let once = self.cx.is_once(self.instance) && !self.flow().cyclic.contains(&self.block);
        if self.cx.single(shared) && !once {
            let part = format!("{} is single, but may be made again", self.cx.name(shared));
            self.needs(Missing::Several(shared), part, &"several", &"single")?;
        }
        self.state.ended.remove(&object);
        let data = if zeroed { Value::null() } else { Value::number(Range::full(64)) };
        let sync = Value::number(Range::point(if zeroed { life::ZERO } else { life::RAW }));
        self.state.own.insert(object, Own { data, sync });
        Ok(object)
    }

    /// What the name of an own object stood for becomes one of the shared objects.
    fn displace(&mut self, object: ObjectId) -> Result<(), Invalid> {
        let ended = self.state.ended.contains(&object);
        // Whatever points to a frame object that is not there points to one that is over.
        let is_local = self.is_local(object);
        if self.state.own.contains_key(&object) {
            self.leak(object)?;
        } else if is_local || ended || self.state.lost.contains(&object) {
            self.rename(object, is_local);
            self.state.lost.insert(object);
        }
        for space in [Space::Data, Space::Sync] {
            self.take_entries(object, space);
        }
        Ok(())
    }

    pub fn alloc(&mut self, dst: RegId, kind: AllocKind, size: Value, zeroed: bool) -> Result<(), Invalid> {
        let _ = kind;
        // No object is larger than that.
        let most = i128::from(i64::MAX);
        let range = match size.only_numbers() {
            Some(range) if range.lo() >= 0 && range.hi() <= most => range,
            Some(range) if range.lo() >= 0 => Range::interval(range.lo().min(most), most),
            Some(_) | None => Range::interval(0, most),
        };
        let object = self.make(Place::Block(self.instance, self.instr), range, zeroed)?;
        self.set(dst, Value::address(object, 0));
        Ok(())
    }
}

/// Ends.
impl Run<'_, '_> {
    pub fn local_dead(&mut self, local: LocalId) -> Result<(), Invalid> {
        if !self.open.remove(&local) {
            return Ok(());
        }
        match self.cx.place(Place::Local(self.instance, local)) {
            Some(own) => self.end_of_place(own),
            None => Ok(()),
        }
    }

    /// The object that the frame made at a place ends, if it made one.
    fn end_of_place(&mut self, own: ObjectId) -> Result<(), Invalid> {
        if self.state.own.contains_key(&own) {
            self.end(own, false)
        } else if self.state.lost.contains(&own) {
            self.end(self.cx.shared(own), false)
        } else {
            Ok(())
        }
    }

    /// The objects of a frame end with it.
    pub fn end_frame(&mut self) -> Result<(), Invalid> {
        for local in std::mem::take(&mut self.open) {
            self.open.insert(local);
            self.local_dead(local)?;
        }
        let blocks = self.function.blocks.iter().flat_map(|block| &block.instrs);
        let stack = |op: &Op| matches!(op, Op::Alloc { kind: AllocKind::Stack, .. });
        for instr in blocks.filter(|instr| stack(&instr.op)) {
            let Some(own) = self.cx.place(Place::Block(self.instance, instr.id)) else { continue };
            // There may be several of them.
            if self.state.own.contains_key(&own) {
                self.end(own, false)?;
            }
            if self.state.lost.contains(&own) {
                self.end(self.cx.shared(own), false)?;
            }
        }
        Ok(())
    }

    /// The life of an object ends; `races` with accesses to it.
    fn end(&mut self, object: ObjectId, races: bool) -> Result<(), Invalid> {
        if self.state.holds.iter().any(|hold| hold.targets.iter().any(|(at, _)| *at == object)) {
            self.open(
                only(Check::LockMisuse),
                format!("{} may end with a lock that is held", self.cx.name(object)),
            );
        }
        if self.cx.is_own(object) {
            self.state.own.remove(&object);
            for space in [Space::Data, Space::Sync] {
                self.take_entries(object, space);
            }
            self.state.teams.retain(|_, team| team.array != object);
            self.state.loaded.retain(|_, loaded| match loaded {
                Loaded::Place(key) => key.object != object,
                Loaded::Element(array, ..) => *array != object,
            });
        } else {
            self.note_end(object);
            if races {
                for cell in self.cx.cells(object) {
                    let spot = Spot { object, space: cell.space, at: cell.at, bytes: cell.bytes };
                    let touch = super::cells::Touch { kind: Kind::End, atomic: false, address: None };
                    self.record(spot, touch)?;
                }
            }
            for space in [Space::Data, Space::Sync] {
                let keys = first_key(object, space)..=last_key(object, space);
                if self.cx.single(object) && self.state.known.range(keys).next().is_some() {
                    self.take_entries(object, space);
                }
            }
        }
        if !(self.cx.is_own(object) && self.is_local(object)) {
            self.state.ended.insert(object);
            self.state.over.extend(Some(object).filter(|object| self.cx.is_own(*object)));
        }
        Ok(())
    }

    /// Returns true for objects of frames that are declared.
    fn is_local(&self, object: ObjectId) -> bool {
        matches!(self.cx.made(object).map(|made| made.place), Some(Place::Local(..)))
    }

    fn note_end(&self, object: ObjectId) {
        let at = (self.instance, self.state.alive.clone());
        self.cx.survey.note(|found| {
            found.ends.entry(object).or_default().insert(at);
        });
    }

    /// The thread ends inside of functions: the objects of all frames that it may have open end.
    pub fn end_all_frames(&mut self) -> Result<(), Invalid> {
        let own = self.cx.threads(self.instance);
        let frame = |place: Place| match place {
            Place::Local(instance, _) => !self.cx.threads(instance).is_disjoint(own),
            Place::Block(instance, instr) => {
                let op = self.cx.code(instr).and_then(|code| code.op);
                let stack = matches!(op, Some(Op::Alloc { kind: AllocKind::Stack, .. }));
                stack && !self.cx.threads(instance).is_disjoint(own)
            }
        };
        let objects: Vec<ObjectId> =
            self.cx.places().filter(|(place, _)| frame(*place)).map(|(_, own)| own).collect();
        for object in objects {
            let shared = self.cx.shared(object);
            let inside = |at: ObjectId| at == object || at == shared;
            if self.state.holds.iter().any(|hold| hold.targets.iter().any(|(at, _)| inside(*at))) {
                self.open(
                    only(Check::LockMisuse),
                    "the thread may end with a lock on its stack that is held",
                );
            }
            self.note_end(shared);
        }
        Ok(())
    }

    /// `free`: the value is null, or exactly the beginning of a living block.
    pub fn free(&mut self, kind: AllocKind, pointer: &Value) -> Result<bool, Invalid> {
        if pointer.numbers.is_some_and(|numbers| numbers != Range::point(0)) || !pointer.handles.is_empty() {
            self.doubt("what is freed may be no block");
        }
        let mut valid = Vec::new();
        for (object, at) in &pointer.targets {
            let is_block = match self.cx.made(*object).map(|made| made.place) {
                Some(Place::Block(_, instr)) => {
                    let op = self.cx.code(instr).and_then(|code| code.op);
                    matches!(op, Some(Op::Alloc { kind: made, .. }) if *made == kind)
                }
                Some(Place::Local(..)) | None => false,
            };
            if !is_block || *at != Range::point(0) {
                self.doubt(format!(
                    "{} may be freed, which is no such block, or not at its beginning",
                    self.cx.name(*object)
                ));
            }
            if let Some(why) = self.dead(*object) {
                self.doubt(format!("{} is freed and {why}", self.cx.name(*object)));
            }
            if is_block && at.contains(0) {
                valid.push(*object);
            }
        }
        let null = pointer.numbers.is_some_and(|numbers| numbers.contains(0));
        if valid.is_empty() {
            return Ok(null);
        }
        let sure = valid.len() == 1;
        for object in valid {
            self.end_maybe(object, sure)?;
        }
        Ok(true)
    }

    fn end_maybe(&mut self, object: ObjectId, sure: bool) -> Result<(), Invalid> {
        if sure || !self.cx.is_own(object) {
            return self.end(object, true);
        }
        // It is over, or it is as it was.
        self.state.over.insert(object);
        if self.state.holds.iter().any(|hold| hold.targets.iter().any(|(at, _)| *at == object)) {
            self.open(
                only(Check::LockMisuse),
                format!("{} may end with a lock that is held", self.cx.name(object)),
            );
        }
        self.state.ended.insert(object);
        Ok(())
    }
}
