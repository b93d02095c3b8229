//! Loads and stores, and whether they are valid.
//!
//! *Claim*: [`Run::load`] gives every value that the place may have, [`Run::store`] leaves a state that says what is true
//! afterwards. *Relies on*: `cells` for shared memory, `own` for the contents of own objects. *Proof*: an execution goes on
//! after an access only if it was valid, so that the address is one of the targets; each target is looked at alone, and what
//! may have been hit is dropped, or joined with the value where it may not have been hit.

use super::cells::{Spot, Touch, address_bytes, bits, first_key, last_key};
use super::registers::Run;
use super::{Invalid, forms};
use crate::certificate::Kind;
use crate::range::Range;
use crate::state::{Key, Known, Loaded, Space, life};
use crate::value::{ObjectId, Value};
use braid_ir::{Operand, RegId, Ty};
use std::sync::Arc;

/// The address of an access: its value, and an operand with the distance from it.
#[derive(Clone, Debug)]
pub(super) struct Address {
    pub value: Value,
    pub operand: Option<(Operand, i64)>,
}

impl Address {
    /// The address at a distance.
    pub fn shifted(&self, by: i64) -> Address {
        let mut value = self.value.clone();
        for (_, at) in &mut value.targets {
            *at = at.plus(Range::point(by.into()));
        }
        let operand = self.operand.and_then(|(operand, shift)| Some((operand, shift.checked_add(by)?)));
        Address { value, operand }
    }
}

/// How an access touches memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum How {
    Plain,
    Atomic,
}

impl Run<'_, '_> {
    pub fn address(&self, operand: Operand) -> Address {
        Address { value: self.operand(operand), operand: Some((operand, 0)) }
    }

    /// The targets of a valid access. What may be invalid stands in the way of everything.
    pub fn targets(&self, address: &Value, bytes: u64, writes: bool) -> Vec<(ObjectId, Range)> {
        let what = if writes { "a write" } else { "a read" };
        if address.numbers.is_some() || !address.handles.is_empty() || address.targets.is_empty() {
            let null = address.numbers == Some(Range::point(0)) && address.handles.is_empty();
            let why = if null { "null" } else { "no address" };
            self.doubt(format!("the pointer of {what} may be {why}"));
        }
        let valid = address.targets.iter().filter(|(object, at)| self.is_valid(*object, *at, bytes, writes));
        valid.map(|(object, at)| (*object, self.inside(*object, *at, bytes))).collect()
    }

    /// The offsets at which so many bytes lie in the object: an execution goes on at no others.
    fn inside(&self, object: ObjectId, at: Range, bytes: u64) -> Range {
        let Some(most) = self.cx.most_size(object) else { return at };
        let step = i128::from(at.step().max(1));
        let last = (most - i128::from(bytes)).max(0);
        let lo = if at.lo() < 0 { at.lo() + (-at.lo() + step - 1) / step * step } else { at.lo() };
        let hi = if at.hi() > last { at.hi() - (at.hi() - last + step - 1) / step * step } else { at.hi() };
        Range::new(lo, hi, if lo == hi { 0 } else { at.step() }).unwrap_or(at)
    }

    /// Returns false if no valid access is possible. Obligations are noted.
    fn is_valid(&self, object: ObjectId, at: Range, bytes: u64, writes: bool) -> bool {
        if self.cx.is_function(object) {
            self.doubt(format!("{} is accessed as data", self.cx.name(object)));
            return false;
        }
        if let Some(why) = self.dead(object) {
            self.doubt(format!("{} {why}", self.cx.name(object)));
        }
        let end = at.hi() + i128::from(bytes);
        if at.lo() < 0 || end > self.cx.least_size(object) {
            let (lo, hi) = (at.lo(), end);
            self.doubt(format!("an access of {} may be outside (bytes {lo} to {hi})", self.cx.name(object)));
        }
        if writes && self.cx.global(object).is_some_and(|global| global.read_only) {
            self.doubt(format!("{} is read-only", self.cx.name(object)));
            return false;
        }
        at.hi() >= 0 && self.cx.most_size(object).is_none_or(|most| at.lo() + i128::from(bytes) <= most)
    }

    /// Why the object may have ended, if it may.
    pub fn dead(&self, object: ObjectId) -> Option<String> {
        if self.cx.global(object).is_some() {
            return None;
        }
        if self.state.ended.contains(&object) {
            return Some("may have ended before".to_string());
        }
        if self.cx.is_own(object) {
            return (!self.state.own.contains_key(&object)).then(|| "does not exist".to_string());
        }
        let found = self.cx.survey.get();
        let ends = found.ends.get(&object)?;
        let over = ends.iter().any(|(instance, alive)| {
            let here = (self.instance, &self.state.alive);
            self.cx.meet(here, (*instance, alive)) || self.may_be_earlier(*instance)
        });
        over.then(|| "may be ended by another thread".to_string())
    }

    /// Returns true if another thread may have executed the instance before this point without being concurrent: one that
    /// this thread has started, or that was started before this one.
    fn may_be_earlier(&self, instance: crate::state::InstanceId) -> bool {
        let found = self.cx.survey.get();
        self.cx.threads(instance).iter().any(|thread| {
            let is_below = |t: &crate::value::ThreadId| {
                t == thread || self.cx.certificate.threads[*t].descendants.contains(thread)
            };
            self.state.started.iter().any(is_below)
                || self
                    .cx
                    .threads(self.instance)
                    .iter()
                    .any(|own| found.before.get(own).is_some_and(|before| before.contains(thread)))
        })
    }
}

/// Reading.
impl Run<'_, '_> {
    /// The value of a load, or none if no load is possible.
    pub fn load(&mut self, address: &Address, ty: Ty, how: How) -> Result<Option<Value>, Invalid> {
        let bytes = ty.bytes(self.cx.program.pointer_bytes);
        let Some(raw) = self.load_bytes(address, bytes, how)? else { return Ok(None) };
        Ok(Some(self.cut(raw, bytes, ty)))
    }

    /// The value in the width of the bytes.
    pub fn load_bytes(&mut self, address: &Address, bytes: u64, how: How) -> Result<Option<Value>, Invalid> {
        let targets = self.targets(&address.value, bytes, false);
        if targets.is_empty() {
            return Ok(None);
        }
        let touch = Touch { kind: Kind::Read, atomic: how == How::Atomic, address: address.operand };
        let mut value = Value::NONE;
        for (object, at) in &targets {
            let spot = Spot::data(*object, *at, bytes);
            if !self.cx.is_own(*object) {
                self.record(spot, touch)?;
            }
            value.join(&self.read(spot));
        }
        if value.is_none() && self.cx.gaps.is_some() {
            // A draft does not say yet what the place holds.
            return Ok(None);
        }
        if let [(object, at)] = targets.as_slice() {
            self.learn(Spot::data(*object, *at, bytes), &value);
        }
        Ok(Some(value))
    }

    /// A place that was read is known from now on, if others cannot change it.
    pub fn learn(&mut self, spot: Spot, value: &Value) {
        let Some(key) = spot.key() else { return };
        let is_new = !self.cx.is_own(key.object) && !self.state.known.contains_key(&key);
        if is_new && self.eligible(key, false) {
            let known = Known { value: value.clone(), dirty: false };
            Arc::make_mut(&mut self.state.known).insert(key, known);
        }
    }

    /// What such a place may hold, in the width of its bytes.
    pub fn read(&self, spot: Spot) -> Value {
        if spot.space == Space::Data && self.is_sync(spot) {
            return Value { numbers: Some(Range::full(bits(spot.bytes))), ..self.read_cells(spot) };
        }
        self.read_cells(spot)
    }

    fn read_cells(&self, spot: Spot) -> Value {
        if let Some(known) = spot.key().and_then(|key| self.state.known.get(&key)) {
            return known.value.clone();
        }
        let is_own = self.cx.is_own(spot.object);
        let mut value = match is_own {
            true => self.contents(spot),
            false => self.cell_value(spot),
        };
        if self.is_library_state(spot.object) {
            value.join(&Value::any(bits(spot.bytes)));
        }
        for (key, known) in self.entries(spot) {
            if !is_own && !known.dirty {
                continue;
            }
            let same_place = key.bytes == spot.bytes && spot.at.contains(key.offset.into());
            let is_split = !self.aligned_to(spot, key);
            value.join(&known.value);
            if !same_place || is_split {
                value.join(&self.any_in(spot));
            }
        }
        value
    }

    /// A thread's own variable of the library, such as errno, which calls with an effect may set.
    fn is_library_state(&self, object: ObjectId) -> bool {
        self.cx.global(object).is_some_and(|global| global.thread_local && global.internal)
    }

    /// Returns true if a read of the spot meets the place as a whole or not at all.
    fn aligned_to(&self, spot: Spot, key: Key) -> bool {
        let at = Spot { at: Range::point(key.offset.into()), bytes: key.bytes, ..spot };
        spot.at.single().is_some() || {
            let step = spot.at.step();
            step >= spot.bytes && at.at.lo().abs_diff(spot.at.lo()).is_multiple_of(step.into())
        }
    }

    /// Any number that so many bytes may be.
    pub fn any_in(&self, spot: Spot) -> Value {
        match spot.space {
            Space::Data => Value::any(bits(spot.bytes)),
            Space::Sync => any_life(),
        }
    }

    /// The entries of what is known that may meet a spot.
    pub fn entries(&self, spot: Spot) -> impl Iterator<Item = (Key, &'_ Known)> + use<'_> {
        let range = first_key(spot.object, spot.space)..=last_key(spot.object, spot.space);
        let known = self.state.known.range(range);
        known
            .map(|(key, known)| (*key, known))
            .filter(move |(key, _)| spot.meets(Range::point(key.offset.into()), key.bytes))
    }

    /// What an own object holds where no entry says better.
    fn contents(&self, spot: Spot) -> Value {
        let Some(own) = self.state.own.get(&spot.object) else { return Value::NONE };
        match spot.space {
            Space::Sync => own.sync.clone(),
            Space::Data => self.uniform(&own.data, spot),
        }
    }

    /// Contents that are the same everywhere, read at a place: zero bytes, or any numbers, and addresses in whole words.
    pub fn uniform(&self, data: &Value, spot: Spot) -> Value {
        let plain = data.targets.is_empty() && data.handles.is_empty();
        let word = is_words(spot, self.cx.pointer_bytes());
        match data.numbers {
            None if plain => Value::NONE,
            Some(zero) if zero == Range::point(0) && (plain || word) => data.clone(),
            None if word => data.clone(),
            Some(_) | None => Value { numbers: Some(Range::full(bits(spot.bytes))), ..data.clone() },
        }
    }

    /// The value of bytes, read with a type.
    pub fn cut(&self, value: Value, bytes: u64, ty: Ty) -> Value {
        let (width, whole) = (self.width(ty), bits(bytes));
        let pointer = self.cx.pointer_bits();
        let has_address = !value.targets.is_empty() || !value.handles.is_empty();
        if has_address && width < pointer {
            return Value::any(width);
        }
        let numbers = value.numbers.map(|numbers| if width < whole { numbers.trunc(width) } else { numbers });
        Value { numbers, ..value }
    }

    /// A value of a type, as the number that its bytes are.
    pub fn bytes_of(&self, value: Value, ty: Ty, bytes: u64) -> Value {
        let (width, whole) = (self.width(ty), bits(bytes));
        let numbers =
            value.numbers.map(|numbers| if width < whole { numbers.zext(width, whole) } else { numbers });
        Value { numbers, ..value }
    }

    /// Takes note of where a register was loaded from.
    pub fn note_loaded(
        &mut self,
        dst: RegId,
        address: &Address,
        bytes: u64,
        index: Option<crate::state::Form>,
    ) {
        let [(object, at)] = address.value.targets.as_slice() else { return };
        if address.value.numbers.is_some() {
            return;
        }
        let spot = Spot::data(*object, *at, bytes);
        let is_sure = self.cx.is_own(*object) || self.cx.single(*object);
        match spot.key() {
            Some(key) if self.cx.is_own(*object) || self.state.known.contains_key(&key) => {
                self.state.loaded.insert(dst, Loaded::Place(key));
            }
            Some(_) => {}
            None => {
                let index = index.filter(|form| form.base != dst && is_sure && self.is_quiet(*object));
                if let Some(form) = index {
                    self.state.loaded.insert(dst, Loaded::Element(*object, form, bytes));
                }
            }
        }
    }
}

/// Any state of a synchronisation object.
pub(super) fn any_life() -> Value {
    Value::number(Range::interval(life::RAW, life::DESTROYED))
}

/// Returns true if the spot is whole words that begin where words do.
pub(super) fn is_words(spot: Spot, pointer_bytes: u64) -> bool {
    let word = i128::from(pointer_bytes);
    spot.bytes == pointer_bytes && spot.at.lo() % word == 0 && i128::from(spot.at.step()) % word == 0
}

/// Writing.
impl Run<'_, '_> {
    /// A store. Returns false if none is possible.
    pub fn store(&mut self, address: &Address, value: Value, ty: Ty, how: How) -> Result<bool, Invalid> {
        let bytes = ty.bytes(self.cx.program.pointer_bytes);
        let value = self.bytes_of(value, ty, bytes);
        self.store_bytes(address, value, bytes, how)
    }

    pub fn store_bytes(
        &mut self,
        address: &Address,
        value: Value,
        bytes: u64,
        how: How,
    ) -> Result<bool, Invalid> {
        let targets = self.targets(&address.value, bytes, true);
        if targets.is_empty() {
            return Ok(false);
        }
        if value.is_none() {
            self.doubt("a value is stored of which nothing is known");
        }
        let mut address = address.clone();
        let mut value = value;
        if targets.iter().any(|(object, _)| !self.cx.is_own(*object)) {
            value = self.expose(value, Some(&mut address))?;
        }
        let targets = self.still_valid(&targets, &address.value, bytes);
        let touch = Touch { kind: Kind::Write, atomic: how == How::Atomic, address: address.operand };
        let is_one = matches!(targets.as_slice(), [_]);
        for (object, at) in targets {
            let spot = Spot::data(object, at, bytes);
            if !self.cx.is_own(object) {
                self.record(spot, touch)?;
            }
            self.unsettle_sync(spot, &value)?;
            self.write(spot, &value, is_one)?;
        }
        Ok(true)
    }

    /// The valid targets, after some of them have become shared.
    fn still_valid(&self, targets: &[(ObjectId, Range)], now: &Value, bytes: u64) -> Vec<(ObjectId, Range)> {
        let valid = |(object, _): &&(ObjectId, Range)| {
            targets.iter().any(|(old, _)| old == object || self.cx.shared(*old) == *object)
        };
        let inside = |(object, at): &(ObjectId, Range)| (*object, self.inside(*object, *at, bytes));
        now.targets.iter().filter(valid).map(inside).collect()
    }

    /// The place gets the value, or may get it if there are other places.
    pub fn write(&mut self, spot: Spot, value: &Value, is_one: bool) -> Result<(), Invalid> {
        self.forget_places(spot);
        let is_own = self.cx.is_own(spot.object);
        let key = spot.key().filter(|_| is_one && (is_own || self.cx.single(spot.object)));
        match (key, is_own) {
            (Some(key), true) => self.write_own_place(key, value),
            (Some(key), false) => self.write_shared_place(key, value)?,
            (None, true) => self.write_own_somewhere(spot, value),
            (None, false) => self.write_shared_somewhere(spot, value)?,
        }
        Ok(())
    }

    fn write_own_place(&mut self, key: Key, value: &Value) {
        let spot = Spot::of(key);
        let hit: Vec<Key> =
            self.entries(spot).map(|(other, _)| other).filter(|other| *other != key).collect();
        for other in hit {
            let known = Arc::make_mut(&mut self.state.known).remove(&other).expect("it was listed");
            let inside = key.offset <= other.offset && end(other) <= end(key);
            if !inside {
                self.blur(Spot::of(other), &known.value, true);
            }
        }
        // A word that lies in the uniform part only in parts is no address any more.
        if !is_words(spot, self.cx.pointer_bytes()) && key.space == Space::Data {
            self.tear(key.object);
        }
        Arc::make_mut(&mut self.state.known).insert(key, Known { value: value.clone(), dirty: true });
    }

    fn write_own_somewhere(&mut self, spot: Spot, value: &Value) {
        let hit: Vec<Key> = self.entries(spot).map(|(key, _)| key).collect();
        let any = self.any_in(spot);
        for key in hit {
            let whole = key.bytes == spot.bytes && self.aligned_to(spot, key);
            let known = Arc::make_mut(&mut self.state.known).get_mut(&key).expect("it was listed");
            known.value.join(value);
            if !whole {
                let wide = if key.space == Space::Data { Value::any(bits(key.bytes)) } else { any.clone() };
                known.value.join(&wide);
            }
        }
        self.blur(spot, value, false);
    }

    /// The contents of an own object outside of the entries include the value in such a place; only parts of it, if `torn`.
    pub fn blur(&mut self, spot: Spot, value: &Value, torn: bool) {
        let pointer_bytes = self.cx.pointer_bytes();
        let Some(own) = self.state.own.get_mut(&spot.object) else { return };
        match spot.space {
            Space::Sync => {
                own.sync.join(value);
            }
            Space::Data => blur(&mut own.data, spot, value, torn, pointer_bytes),
        }
    }

    /// A part of a word of the uniform contents is overwritten: it is a number now.
    fn tear(&mut self, object: ObjectId) {
        if let Some(own) = self.state.own.get_mut(&object)
            && (!own.data.targets.is_empty() || !own.data.handles.is_empty())
        {
            own.data.numbers = Some(Range::full(64));
        }
    }

    fn write_shared_place(&mut self, key: Key, value: &Value) -> Result<(), Invalid> {
        let spot = Spot::of(key);
        let hit: Vec<(Key, Known)> =
            self.entries(spot).map(|(other, known)| (other, known.clone())).collect();
        for (other, known) in hit.into_iter().filter(|(other, _)| *other != key) {
            let inside = key.offset <= other.offset && end(other) <= end(key);
            if known.dirty && !inside {
                self.publish(Spot::of(other), &known.value)?;
            }
            Arc::make_mut(&mut self.state.known).remove(&other);
        }
        Arc::make_mut(&mut self.state.known).remove(&key);
        if self.eligible(key, true) {
            Arc::make_mut(&mut self.state.known).insert(key, Known { value: value.clone(), dirty: true });
            return Ok(());
        }
        self.publish(spot, value)?;
        if self.eligible(key, false) {
            Arc::make_mut(&mut self.state.known).insert(key, Known { value: value.clone(), dirty: false });
        }
        Ok(())
    }

    fn write_shared_somewhere(&mut self, spot: Spot, value: &Value) -> Result<(), Invalid> {
        self.publish(spot, value)?;
        let hit: Vec<(Key, Known)> = self.entries(spot).map(|(key, known)| (key, known.clone())).collect();
        for (key, mut known) in hit {
            let whole = key.bytes == spot.bytes && self.aligned_to(spot, key);
            if whole {
                known.value.join(value);
                Arc::make_mut(&mut self.state.known).insert(key, known);
            } else {
                if known.dirty {
                    self.publish(Spot::of(key), &known.value)?;
                }
                Arc::make_mut(&mut self.state.known).remove(&key);
            }
        }
        Ok(())
    }

    /// What was loaded from a place that may be written to now is not there any more.
    pub fn forget_places(&mut self, spot: Spot) {
        if spot.space != Space::Data {
            return;
        }
        self.state.loaded.retain(|_, loaded| match loaded {
            Loaded::Place(key) => {
                key.object != spot.object || !spot.meets(Range::point(key.offset.into()), key.bytes)
            }
            Loaded::Element(object, ..) => *object != spot.object,
        });
        self.forget_teams(spot);
    }
}

/// The offset behind a place.
fn end(key: Key) -> i128 {
    i128::from(key.offset) + i128::from(key.bytes)
}

/// Uniform contents include a value in such a place: numbers are zero everywhere or any, addresses stand in whole words.
pub(super) fn blur(data: &mut Value, spot: Spot, value: &Value, torn: bool, pointer_bytes: u64) {
    let words = is_words(spot, pointer_bytes) && !torn;
    let has_addresses = |v: &Value| !v.targets.is_empty() || !v.handles.is_empty();
    let zero = value.numbers.is_none_or(|numbers| numbers == Range::point(0));
    let kept = zero && (words || !has_addresses(value) && !has_addresses(data));
    if address_bytes(value, spot.bytes, pointer_bytes) && !torn {
        data.join(&Value { numbers: None, ..value.clone() });
    }
    let any = Range::full(64);
    data.numbers = match (data.numbers, value.numbers) {
        (numbers, None) if kept => numbers,
        (None, Some(_)) if kept => Some(Range::point(0)),
        (Some(old), Some(_)) if kept && old == Range::point(0) => Some(old),
        _ => Some(any),
    };
}

/// Returns true if contents that are the same everywhere include others.
pub(super) fn uniform_includes(claimed: &Value, computed: &Value) -> bool {
    let numbers = match (claimed.numbers, computed.numbers) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(claimed), Some(computed)) => claimed != Range::point(0) || computed == Range::point(0),
    };
    let addresses = Value { numbers: None, ..computed.clone() };
    numbers && claimed.includes(&addresses)
}

/// The index of an address in its object, as a form of other registers.
pub(super) fn index_form(run: &Run, operand: Operand) -> Option<crate::state::Form> {
    let reg = operand.reg()?;
    let form = forms::linear(&run.state, reg);
    let index = run.operand(Operand::Reg(form.base)).only_numbers().is_some();
    (form.base != reg && index).then_some(form)
}
