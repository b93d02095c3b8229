//! Shared memory: what its cells must hold, the accesses that they must list, and what is known of them for certain.
//!
//! *Claim*: a value that another thread may find in a cell is in the cell; an access of it is covered by one of the list; and
//! an entry of [`State::known`](crate::state::State) on a shared object that is *eligible* cannot be changed by other threads
//! before the next step of this one, nor, if it is dirty, be looked at. *Relies on*: cells that do not meet (`formed`), and
//! `overlap` and `alive` (`threads`). *Proof*: an access by another thread that could happen now has a record in a cell that
//! meets the entry, as one that is parallel to this state; there is none.

use super::context::{Context, Locks, exclude, locks_at};
use super::draft::Aspect;
use super::forms;
use super::include::covers;
use super::registers::Run;
use super::{Invalid, Missing, all};
use crate::certificate::{Access, Cell, Held, Kind};
use crate::range::Range;
use crate::state::{InstanceId, Key, Loaded, LockName, Mode, Space, State, life};
use crate::value::{Latest, ObjectId, ThreadId, Value};
use braid_ir::{Global, Operand, RegId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Places of static data that are looked at one by one.
const PLACES: usize = 1 << 12;

/// So many bytes at one of these offsets of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

    pub fn sync(object: ObjectId, at: Range) -> Spot {
        Spot { object, space: Space::Sync, at, bytes: 1 }
    }

    pub fn of(key: Key) -> Spot {
        Spot { object: key.object, space: key.space, at: Range::point(key.offset.into()), bytes: key.bytes }
    }

    /// The place, if it is one.
    pub fn key(self) -> Option<Key> {
        let offset = i64::try_from(self.at.single()?).ok()?;
        Some(Key { object: self.object, space: self.space, offset, bytes: self.bytes })
    }

    pub fn meets(self, at: Range, bytes: u64) -> bool {
        Range::interferes(self.at, self.bytes, at, bytes)
    }

    /// Returns true if the cell has a place of its own for each of these.
    pub fn fits(self, cell: &Cell) -> bool {
        !cell.mixed && cell.bytes == self.bytes && cell.at.includes(self.at)
    }
}

/// An access that is about to be looked for in the lists of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Touch {
    pub kind: Kind,
    pub atomic: bool,
    /// An operand, and the distance of the address from it.
    pub address: Option<(Operand, i64)>,
}

/// A place that an address is written to has that address, as long as it is read as one.
pub(super) fn address_bytes(value: &Value, bytes: u64, pointer_bytes: u64) -> bool {
    value.targets.is_empty() && value.handles.is_empty() || bytes == pointer_bytes
}

/// Handles of the latest thread are such only to the thread that started it.
fn for_others(value: &Value) -> Value {
    let mut seen = value.clone();
    let latest: Vec<_> = value.handles.iter().filter(|(_, latest)| *latest == Latest::Yes).copied().collect();
    for (thread, _) in latest {
        seen.forget_latest(thread);
    }
    seen
}

impl Run<'_, '_> {
    /// The cells that a spot meets.
    pub fn meeting(&self, spot: Spot) -> impl Iterator<Item = &'_ Cell> + use<'_> {
        let cells = self.cx.cells(spot.object).iter();
        cells.filter(move |cell| cell.space == spot.space && spot.meets(cell.at, cell.bytes))
    }

    /// The number of a cell of an object.
    fn number(&self, object: ObjectId, cell: &Cell) -> usize {
        let cells = self.cx.cells(object).iter();
        cells.take_while(|other| other.space != cell.space || other.at != cell.at).count()
    }

    /// Every byte of the spot is in a cell.
    fn is_covered(&self, spot: Spot) -> bool {
        let cells: Vec<&Cell> = self.meeting(spot).collect();
        let inside = |cell: &&Cell| {
            let step = i128::from(cell.at.step());
            let apart = spot.at.lo() - cell.at.lo();
            let shift = if step == 0 { apart } else { apart.rem_euclid(step) };
            let fits = shift >= 0 && shift + i128::from(spot.bytes) <= i128::from(cell.bytes);
            fits && cell.at.includes(spot.at.plus(Range::point(-shift)))
        };
        if cells.iter().any(inside) {
            return true;
        }
        let solid = |cell: &&Cell| {
            (cell.at.step() <= cell.bytes).then(|| (cell.at.lo(), cell.at.hi() + i128::from(cell.bytes)))
        };
        let mut parts: Vec<(i128, i128)> = cells.iter().filter_map(solid).collect();
        parts.sort_unstable();
        let mut next = spot.at.lo();
        for (from, to) in parts {
            if from <= next {
                next = next.max(to);
            }
        }
        next >= spot.at.hi() + i128::from(spot.bytes)
    }

    /// Looks for the records of an access of a shared object.
    pub fn record(&self, spot: Spot, touch: Touch) -> Result<(), Invalid> {
        if self.cx.is_constant(spot.object) && touch.kind == Kind::Read {
            return Ok(());
        }
        if !self.is_covered(spot) && touch.kind != Kind::End {
            let cells: Vec<_> = self.cx.cells(spot.object).iter().map(|c| (c.space, c.at, c.bytes)).collect();
            let part = format!("an access of {} that is in no cell", self.cx.name(spot.object));
            let missing = Missing::Cell(spot.object, spot.space, spot.at, spot.bytes);
            return self.lacks(missing, part, &spot, &cells);
        }
        self.record_in_cells(spot, touch)
    }

    /// The same, where the bytes need not be in a cell.
    pub fn record_in_cells(&self, spot: Spot, touch: Touch) -> Result<(), Invalid> {
        for cell in self.meeting(spot) {
            let access = self.access(spot, cell, touch);
            if !cell.accesses.iter().any(|claimed| stands_for(claimed, &access)) {
                let near: Vec<_> =
                    cell.accesses.iter().filter(|claimed| claimed.instr == self.instr).collect();
                let part = format!(
                    "an access of {} that the cell at {:?} does not list",
                    self.cx.name(spot.object),
                    cell.at
                );
                let missing = Missing::Access(spot.object, self.number(spot.object, cell), access.clone());
                self.needs(missing, part, &access, &near)?;
            }
        }
        Ok(())
    }

    fn access(&self, spot: Spot, cell: &Cell, touch: Touch) -> Access {
        let exact = spot.key().filter(|_| self.cx.single(spot.object)).map(|key| (key.object, key.offset));
        let aligned = !cell.mixed && cell.at.includes(spot.at) && spot.bytes <= cell.bytes;
        let form = touch.address.and_then(|(operand, shift)| {
            let form = forms::linear(&self.state, operand.reg()?);
            Some(crate::state::Form { offset: form.offset.checked_add(shift)?, ..form })
        });
        Access {
            instance: self.instance,
            instr: self.instr,
            kind: touch.kind,
            atomic: touch.atomic,
            alive: self.state.alive.clone(),
            held: self.held(exact, touch.address.filter(|_| aligned || exact.is_some())),
            passed: self.state.passed.clone(),
            own: form.and_then(|form| self.argument_form(form)),
        }
    }

    /// A form in terms of the argument of the running thread.
    fn argument_form(&self, form: crate::state::Form) -> Option<(i64, i64)> {
        let mut threads = self.cx.threads(self.instance).iter();
        let is_argument = self.function.params.first() == Some(&form.base);
        let begins = |thread: &ThreadId| self.cx.certificate.threads[*thread].root == self.instance;
        // The register keeps the argument: nothing sets it, and the instance is entered as the root alone.
        let kept = !self.flow().set.contains(&form.base) && !self.cx.is_called(self.instance);
        (kept && is_argument && threads.all(begins)).then_some((form.scale, form.offset))
    }

    /// The locks that are held for certain, as an access at this place, or with this address, names them.
    pub fn held(&self, exact: Option<(ObjectId, i64)>, address: Option<(Operand, i64)>) -> Locks {
        let named = |(name, mode): (LockName, Mode)| Some((self.held_name(name, exact, address)?, mode));
        let certain = self.state.holds.iter().filter(|hold| hold.certain);
        certain.filter_map(|hold| hold.name.map(|name| (name, hold.mode))).filter_map(named).collect()
    }

    fn held_name(
        &self,
        name: LockName,
        exact: Option<(ObjectId, i64)>,
        address: Option<(Operand, i64)>,
    ) -> Option<Held> {
        match name {
            LockName::Section => Some(Held::Section),
            LockName::Place(object, at) => self.cx.single(object).then_some(Held::Place(object, at)),
            LockName::Relative(reg, at) => {
                let value = self.operand(Operand::Reg(reg));
                if let Some((object, offset)) =
                    forms::exact(&value).filter(|(object, _)| self.cx.single(*object))
                {
                    return Some(Held::Place(object, offset.checked_add(at)?));
                }
                let (operand, shift) = address?;
                let between = forms::distance(&self.state, operand.reg()?, reg)?.checked_add(shift)?;
                let apart = at.checked_sub(between)?;
                match exact {
                    Some((object, offset)) => Some(Held::Place(object, offset.checked_add(apart)?)),
                    None => Some(Held::Distance(apart)),
                }
            }
        }
    }
}

/// Returns true if the claimed access stands for the computed one.
fn stands_for(claimed: &Access, computed: &Access) -> bool {
    claimed.instance == computed.instance
        && claimed.instr == computed.instr
        && claimed.kind == computed.kind
        && (!claimed.atomic || computed.atomic)
        && computed.alive.is_subset(&claimed.alive)
        && claimed.held.is_subset(&computed.held)
        && super::barriers::includes(&claimed.passed, &computed.passed)
        && (claimed.own.is_none() || claimed.own == computed.own)
}

/// What is known for certain.
impl Run<'_, '_> {
    /// Returns true if no other thread can change the place now; if it is dirty, nor look at it.
    pub fn eligible(&self, key: Key, dirty: bool) -> bool {
        eligible(self.cx, self.instance, &self.state, key, dirty, &self.held(None, None))
    }

    /// Looks at what is known of shared objects again.
    pub fn settle(&mut self) -> Result<(), Invalid> {
        let locks = self.held(None, None);
        let shared = self.state.known.iter().filter(|(key, _)| !self.cx.is_own(key.object));
        let mut changes = Vec::new();
        for (key, known) in shared {
            if known.dirty && !eligible(self.cx, self.instance, &self.state, *key, true, &locks) {
                changes.push((*key, known.value.clone(), true));
            } else if !known.dirty && !eligible(self.cx, self.instance, &self.state, *key, false, &locks) {
                changes.push((*key, known.value.clone(), false));
            }
        }
        for (key, value, publish) in changes {
            if publish {
                self.publish(Spot::of(key), &value)?;
            }
            let stays = publish && eligible(self.cx, self.instance, &self.state, key, false, &locks);
            let known = Arc::make_mut(&mut self.state.known);
            match known.get_mut(&key).filter(|_| stays) {
                Some(entry) => entry.dirty = false,
                None => {
                    known.remove(&key);
                }
            }
        }
        self.forget_loaded();
        self.settle_teams();
        Ok(())
    }

    /// Registers that were loaded from places that others may write have unknown origins.
    fn forget_loaded(&mut self) {
        let gone: Vec<RegId> =
            self.state.loaded.iter().filter(|(_, from)| !self.stays(from)).map(|(r, _)| *r).collect();
        gone.iter().for_each(|reg| {
            self.state.loaded.remove(reg);
        });
    }

    fn stays(&self, from: &Loaded) -> bool {
        match from {
            Loaded::Place(key) => self.cx.is_own(key.object) || self.state.known.contains_key(key),
            Loaded::Element(object, ..) => self.is_quiet(*object),
        }
    }

    /// Returns true if no other thread can write to the object now.
    pub fn is_quiet(&self, object: ObjectId) -> bool {
        let spot = Spot::data(object, Range::UNBOUNDED, 1);
        let locks = self.held(None, None);
        self.cx.is_own(object) || eligible_spot(self.cx, self.instance, &self.state, spot, false, &locks)
    }

    /// All that other threads do not know yet becomes known to them: the thread ends.
    pub fn publish_all(&mut self) -> Result<(), Invalid> {
        let known = self.state.known.clone();
        for (key, known) in known.iter() {
            if known.dirty && !self.cx.is_own(key.object) {
                self.publish(Spot::of(*key), &known.value)?;
            }
        }
        Ok(())
    }
}

/// Returns true if no other thread can change a place in this state; if it is dirty, nor look at it.
pub(super) fn eligible(
    cx: &Context,
    instance: InstanceId,
    state: &State,
    key: Key,
    dirty: bool,
    locks: &Locks,
) -> bool {
    eligible_spot(cx, instance, state, Spot::of(key), dirty, locks)
}

fn eligible_spot(
    cx: &Context,
    instance: InstanceId,
    state: &State,
    spot: Spot,
    dirty: bool,
    locks: &Locks,
) -> bool {
    let cells = cx.cells(spot.object).iter();
    let mut cells = cells.filter(|cell| cell.space == spot.space && spot.meets(cell.at, cell.bytes));
    let eligible = cx.single(spot.object)
        && cells.all(|cell| {
            let here = (instance, &state.alive, locks);
            cell.accesses.iter().all(|access| !disturbs(cx, here, spot, dirty, (cell, access)))
        });
    if eligible {
        cx.watch(|| Watch { instance, spot, dirty, alive: state.alive.clone(), locks: locks.clone() });
    }
    eligible
}

/// Returns true if another thread may access the spot in this way while a thread stands here.
fn disturbs(
    cx: &Context,
    (instance, alive, locks): (InstanceId, &BTreeSet<ThreadId>, &Locks),
    spot: Spot,
    dirty: bool,
    (cell, access): (&Cell, &Access),
) -> bool {
    let fits = !cell.mixed && cell.at.includes(spot.at) && spot.bytes <= cell.bytes;
    let offset = spot.at.single().filter(|_| fits);
    let harmless = !dirty && access.kind == Kind::Read;
    let meets = || cx.meet((instance, alive), (access.instance, &access.alive));
    let other = || locks_at(&access.held, spot.object, offset, offset.is_none());
    !harmless && meets() && !exclude(locks, &other())
}

/// What a state knows as long as no access disturbs it.
#[derive(Clone, PartialEq, Debug)]
pub struct Watch {
    instance: InstanceId,
    spot: Spot,
    dirty: bool,
    alive: BTreeSet<ThreadId>,
    locks: Locks,
}

impl Watch {
    pub fn object(&self) -> ObjectId {
        self.spot.object
    }

    /// Returns true if the state may know nothing of the spot because of this access.
    pub(super) fn is_disturbed(&self, cx: &Context, cell: &Cell, access: &Access) -> bool {
        let meets = cell.space == self.spot.space && self.spot.meets(cell.at, cell.bytes);
        meets
            && disturbs(cx, (self.instance, &self.alive, &self.locks), self.spot, self.dirty, (cell, access))
    }
}

/// Returns true if whatever a store to other places than the cell's leaves in it is among its numbers. A part of an address is a
/// number, and so is what lies beside it.
fn takes_parts(cell: &Cell, spot: Spot, seen: &Value) -> bool {
    cell.mixed || is_any(&cell.value, 8 * cell.bytes) || is_zero_everywhere(cell, spot, seen)
}

/// Values in cells.
impl Run<'_, '_> {
    /// Requires that the cells include a value that is written there. It holds no address of an own object.
    pub fn publish(&self, spot: Spot, value: &Value) -> Result<(), Invalid> {
        if value.targets.iter().any(|(object, _)| self.cx.is_thread_local(*object)) {
            self.open(all(), "the address of a thread-local variable may become known to other threads");
        }
        let seen = for_others(value);
        for cell in self.meeting(spot) {
            if !self.holds(cell, spot, &seen) {
                let part = format!(
                    "a value that the cell of {} at {:?} does not hold",
                    self.cx.name(spot.object),
                    cell.at
                );
                let number = self.number(spot.object, cell);
                let missing = match spot.fits(cell) || takes_parts(cell, spot, &seen) {
                    true => Missing::Value(spot.object, number, seen.clone()),
                    false => Missing::Parts(spot.object, number),
                };
                self.needs(missing, part, &(spot, &seen), &(cell.mixed, &cell.value))?;
            }
        }
        Ok(())
    }

    fn holds(&self, cell: &Cell, spot: Spot, seen: &Value) -> bool {
        let claimed = for_others(&cell.value);
        if spot.fits(cell) {
            return covers(&claimed, seen, bits(cell.bytes));
        }
        let addresses = Value { numbers: None, ..seen.clone() };
        takes_parts(cell, spot, seen) && claimed.includes(&addresses)
    }

    /// What another thread may have left in the place, in the width of its bytes.
    pub fn cell_value(&self, spot: Spot) -> Value {
        let width = bits(spot.bytes);
        let mut value = Value::NONE;
        if self.cx.is_constant(spot.object) {
            return self.initial(spot);
        }
        self.cx.depend(spot.object, Aspect::Values);
        for cell in self.meeting(spot) {
            let held = for_others(&cell.value);
            if spot.fits(cell) {
                value.join(&held);
            } else {
                value.join(&Value { numbers: None, ..held });
                value.join(&Value::any(width));
            }
        }
        if self.state.pristine && self.cx.global(spot.object).is_some() {
            value.join(&self.initial(spot));
        }
        value
    }

    /// What is in such places of a static variable at first.
    pub fn initial(&self, spot: Spot) -> Value {
        let Some(global) = self.cx.global(spot.object) else { return Value::any(bits(spot.bytes)) };
        match spot.space {
            Space::Data => initial_data(self.cx.program, global, spot, self.cx.pointer_bytes()),
            // The sizes are not known yet.
            Space::Sync if !self.cx.survey.is_informed() => Value::NONE,
            Space::Sync => {
                let size = self.sync_size(spot.object, spot.at);
                let zero = is_zero(global, spot.at, size);
                Value::number(match (zero, spot.at.single()) {
                    (true, _) => Range::point(life::ZERO),
                    (false, Some(_)) => Range::point(life::RAW),
                    (false, None) => Range::interval(life::RAW, life::ZERO),
                })
            }
        }
    }

    /// No thread is the only one from now on: cells of static variables have initial values.
    pub fn leave_pristine(&self, state: &State) -> Result<(), Invalid> {
        let written = self.cx.program.globals.enumerated().filter(|(_, global)| !global.read_only);
        for (id, _) in written {
            let object = crate::eval::global(id);
            for cell in self.cx.cells(object) {
                let spot = Spot { object, space: cell.space, at: cell.at, bytes: cell.bytes };
                let initial = self.initial(spot);
                let numbers = cell.mixed && initial.numbers.is_some();
                let needed = match numbers {
                    true => Value { numbers: None, ..initial.clone() },
                    false => initial.clone(),
                };
                let includes = covers(&cell.value, &needed, bits(cell.bytes));
                if !includes && !all_known(state, spot, cell) {
                    let part = format!("the initial value of {} at {:?}", self.cx.name(object), cell.at);
                    let missing = Missing::Value(object, self.number(object, cell), initial.clone());
                    self.needs(missing, part, &initial, &cell.value)?;
                }
            }
        }
        Ok(())
    }
}

/// Returns true if every place of the cell has an entry of its own, which is dirty or within the cell.
pub(super) fn all_known(state: &State, spot: Spot, cell: &Cell) -> bool {
    let known = state.known.range(first_key(spot.object, spot.space)..=last_key(spot.object, spot.space));
    let fits = |(key, _): &(&Key, &crate::state::Known)| {
        key.bytes == cell.bytes && cell.at.contains(key.offset.into())
    };
    let good = known
        .filter(fits)
        .filter(|(_, known)| known.dirty || covers(&cell.value, &for_others(&known.value), bits(cell.bytes)));
    places(cell.at) == Some(good.count() as u128)
}

/// So many places.
pub(super) fn places(at: Range) -> Option<u128> {
    match at.step() {
        0 => Some(1),
        step => at.hi().abs_diff(at.lo()).checked_div(step.into()).map(|steps| steps + 1),
    }
}

pub(super) fn first_key(object: ObjectId, space: Space) -> Key {
    Key { object, space, offset: i64::MIN, bytes: 0 }
}

pub(super) fn last_key(object: ObjectId, space: Space) -> Key {
    Key { object, space, offset: i64::MAX, bytes: u64::MAX }
}

/// Bits of so many bytes, as far as values have them.
pub(super) fn bits(bytes: u64) -> u8 {
    (8 * bytes.clamp(1, 16)) as u8
}

/// Returns true if the value has every number of so many bits.
fn is_any(value: &Value, width: u64) -> bool {
    let width = width.min(128) as u8;
    value.numbers.is_some_and(|numbers| numbers.covers(Range::full(width), width))
}

/// Returns true if zero is written to all of the places that are written to at all.
fn is_zero_everywhere(cell: &Cell, spot: Spot, seen: &Value) -> bool {
    let inside = spot.at.single().is_some_and(|at| {
        at <= cell.at.lo() && cell.at.hi() + i128::from(cell.bytes) <= at + i128::from(spot.bytes)
    });
    inside && seen.constant() == Some(0) && cell.value.numbers.is_some_and(|numbers| numbers.contains(0))
}

/// Returns true if the static bytes are zero wherever such an object may begin.
fn is_zero(global: &Global, at: Range, size: u64) -> bool {
    let meets =
        |offset: u64, bytes: u64| Range::interferes(at, size, Range::point(offset.into()), bytes.max(1));
    let data = global.init.data.iter().all(|(offset, bytes)| {
        !meets(*offset, bytes.len() as u64)
            || bytes.iter().enumerate().all(|(i, byte)| *byte == 0 || !meets(offset + i as u64, 1))
    });
    data && global.init.pointers.iter().all(|(offset, _)| !meets(*offset, 8))
}

fn initial_data(program: &braid_ir::Program, global: &Global, spot: Spot, pointer_bytes: u64) -> Value {
    let width = bits(spot.bytes);
    let mut value = Value::NONE;
    let mut counted = 0u128;
    for (offset, pointer) in &global.init.pointers {
        if !spot.meets(Range::point((*offset).into()), pointer_bytes) {
            continue;
        }
        value.join(&crate::eval::constant(program, *pointer));
        if spot.bytes == pointer_bytes && spot.at.contains((*offset).into()) {
            counted += 1;
        } else {
            value.join(&Value::any(width));
        }
    }
    let torn = value.numbers.is_some();
    let touched = global
        .init
        .data
        .iter()
        .any(|(offset, bytes)| spot.meets(Range::point((*offset).into()), bytes.len().max(1) as u64));
    if !touched {
        if places(spot.at) != Some(counted) {
            value.join(&Value::null());
        }
        return value;
    }
    let all = places(spot.at).filter(|all| *all <= PLACES as u128 && spot.bytes <= 16 && !torn);
    let Some(all) = all else {
        value.join(&Value::any(width));
        return value;
    };
    for index in 0..all {
        let at = spot.at.lo() + (index as i128) * i128::from(spot.at.step());
        let is_pointer = global.init.pointers.iter().any(|(offset, _)| i128::from(*offset) == at);
        if !is_pointer {
            value.join(&Value::number(Range::constant(static_bits(global, at, spot.bytes), width)));
        }
    }
    value
}

/// The number that static data have in so many bytes.
fn static_bits(global: &Global, at: i128, bytes: u64) -> u128 {
    let byte = |at: i128| {
        let data = global.init.data.iter();
        let mut found = data.filter_map(|(offset, data)| {
            let index = usize::try_from(at - i128::from(*offset)).ok()?;
            data.get(index).copied()
        });
        found.next().unwrap_or(0)
    };
    (0..bytes.min(16)).fold(0, |number, i| number | u128::from(byte(at + i128::from(i))) << (8 * i))
}
