//! Shared memory: for each object a list of cells, each with all values that other threads may find there and all accesses.
//!
//! Cells of an object have no byte in common: those that would have are merged, and a cell that was accessed in different ways
//! is *mixed*: any number may be read from it.

use braid_base::{HashMap, IndexVec};
use braid_ir::InstrId;
use braid_proof::InstanceId;
use braid_proof::{Access, Cell, Held, Kind, Mode, ObjectId, Range, Space, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Widening begins when a cell has grown so often.
const GROWTH: u32 = 6;

/// An instruction in an instance of its function, and what it does.
pub type Site = (InstanceId, InstrId, Kind);

#[derive(Clone, Debug)]
pub struct Entry {
    pub cell: Cell,
    /// The position in `cell.accesses`.
    sites: HashMap<Site, usize>,
    /// Locks that all accesses hold.
    pub common: Option<BTreeSet<(Held, Mode)>>,
    growth: u32,
}

#[derive(Clone, Debug, Default)]
pub struct Contents {
    pub cells: Vec<Entry>,
    /// Instances that depend on the contents or the accesses.
    pub readers: BTreeSet<InstanceId>,
    /// Initial values have flowed in, but at these places.
    pub covered: Option<BTreeSet<(Space, i64, u64)>>,
    /// Where synchronisation objects begin that calls were given, with their sizes.
    pub sorts: BTreeSet<(Range, u64)>,
    /// What places may have that were not known when the object was shared.
    pub rest: BTreeMap<Space, Value>,
}

#[derive(Default)]
pub struct Memory {
    pub objects: IndexVec<ObjectId, Contents>,
    /// Instances that have to be looked at again.
    pub woken: BTreeSet<InstanceId>,
}

fn fits(cell: &Cell, at: Range, bytes: u64) -> bool {
    cell.mixed || (cell.bytes == bytes && cell.at.includes(at))
}

/// Returns true if places of this size at these offsets have no common bytes.
fn is_regular(at: Range, bytes: u64) -> bool {
    at.step() == 0 || at.step() >= bytes
}

impl Memory {
    pub fn contents(&mut self, object: ObjectId) -> &mut Contents {
        while self.objects.get(object).is_none() {
            self.objects.push(Contents::default());
        }
        &mut self.objects[object]
    }

    fn changed(&mut self, object: ObjectId) {
        self.woken.extend(self.objects[object].readers.iter().copied());
    }

    /// The position of the cell with these places. `initial` gives the initial value of places of a new cell, if that has
    /// flowed in.
    pub fn cell(
        &mut self,
        object: ObjectId,
        space: Space,
        at: Range,
        bytes: u64,
        initial: impl Fn(&Cell, &Contents) -> Value,
    ) -> usize {
        let contents = self.contents(object);
        let touches = |cell: &Cell| cell.space == space && Range::interferes(cell.at, cell.bytes, at, bytes);
        let touched: Vec<usize> =
            (0..contents.cells.len()).filter(|index| touches(&contents.cells[*index].cell)).collect();
        if let [only] = touched.as_slice()
            && fits(&contents.cells[*only].cell, at, bytes)
            && is_covered(&contents.cells[*only].cell, at, bytes)
        {
            return *only;
        }
        let mut cell = Cell {
            space,
            at,
            bytes,
            mixed: !is_regular(at, bytes),
            value: Value::NONE,
            accesses: Vec::new(),
        };
        if cell.mixed {
            flatten(&mut cell);
        }
        let mut new = Entry { cell, sites: HashMap::default(), common: None, growth: 0 };
        let overlaps =
            |a: &Cell, b: &Cell| a.space == b.space && Range::interferes(a.at, a.bytes, b.at, b.bytes);
        // A merged cell may touch further cells.
        while let Some(index) = contents.cells.iter().position(|other| overlaps(&other.cell, &new.cell)) {
            let other = contents.cells.remove(index);
            new.merge(other);
        }
        let value = initial(&new.cell, contents);
        new.cell.value.join(&value);
        if new.cell.mixed && !new.cell.value.is_none() {
            new.cell.value = mix(&new.cell.value);
        }
        contents.cells.push(new);
        let last = contents.cells.len() - 1;
        self.changed(object);
        last
    }

    /// Adds values to a cell.
    pub fn add(&mut self, object: ObjectId, cell: usize, value: &Value) {
        let entry = &mut self.objects[object].cells[cell];
        let bits = (8 * entry.cell.bytes).clamp(1, 128) as u8;
        let mut value = if entry.cell.mixed { mix(value) } else { value.clone() };
        value.numbers = value.numbers.map(|range| range.normal(bits));
        let value = &value;
        let grown = match entry.growth > GROWTH {
            true => entry.cell.value.widen(value, bits),
            false => entry.cell.value.join(value),
        };
        if grown {
            entry.growth += 1;
            self.changed(object);
        }
    }

    /// Notes an access of a cell.
    pub fn access(&mut self, object: ObjectId, cell: usize, access: Access) {
        let entry = &mut self.objects[object].cells[cell];
        if entry.note(access) {
            self.changed(object);
        }
    }
}

/// Returns true if the places of an access are places of the cell. A mixed cell has all bytes of its interval.
fn is_covered(cell: &Cell, at: Range, bytes: u64) -> bool {
    let end = |at: Range, bytes: u64| at.hi().saturating_add(i128::from(bytes));
    !cell.mixed || (cell.at.lo() <= at.lo() && end(at, bytes) <= end(cell.at, cell.bytes))
}

/// Makes the cell one of single bytes that covers all.
fn flatten(cell: &mut Cell) {
    let end = cell.at.hi().saturating_add(i128::from(cell.bytes) - 1);
    cell.at = Range::interval(cell.at.lo(), end);
    cell.bytes = 1;
    cell.mixed = true;
}

impl Entry {
    /// Returns true if something changed.
    fn note(&mut self, access: Access) -> bool {
        self.common = Some(match self.common.take() {
            None => access.held.clone(),
            Some(common) => common.intersection(&access.held).copied().collect(),
        });
        let accesses = &mut self.cell.accesses;
        let at = *self.sites.entry((access.instance, access.instr, access.kind)).or_insert(accesses.len());
        let Some(known) = accesses.get_mut(at) else {
            accesses.push(access);
            return true;
        };
        let held: BTreeSet<_> = known.held.intersection(&access.held).copied().collect();
        let changed = held != known.held
            || !access.alive.is_subset(&known.alive)
            || (known.own != access.own && known.own.is_some())
            || (known.atomic && !access.atomic);
        known.held = held;
        known.alive.extend(access.alive);
        known.atomic &= access.atomic;
        if known.own != access.own {
            known.own = None;
        }
        changed
    }

    fn merge(&mut self, other: Entry) {
        let (a, b) = (&mut self.cell, &other.cell);
        let joined = a.at.join(b.at);
        if !a.mixed && !b.mixed && a.bytes == b.bytes && is_regular(joined, a.bytes) {
            a.at = joined;
        } else {
            let end = |cell: &Cell| cell.at.hi().saturating_add(i128::from(cell.bytes) - 1);
            let hi = end(a).max(end(b));
            a.at = Range::interval(a.at.lo().min(b.at.lo()), hi);
            a.bytes = 1;
            a.mixed = true;
        }
        a.value.join(&b.value);
        self.growth += other.growth;
        let mut all = std::mem::take(&mut self.cell.accesses);
        all.extend(other.cell.accesses);
        self.sites.clear();
        self.common = None;
        for mut access in all {
            if self.cell.mixed {
                access.own = None;
            }
            self.note(access);
        }
    }
}

/// The values that may be read from parts of a value, or from several of which it is one.
pub fn mix(value: &Value) -> Value {
    let mut mixed = value.clone();
    if !value.is_none() {
        mixed.numbers = Some(Range::full(64));
    }
    mixed
}
