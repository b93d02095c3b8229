//! `copy` and `fill`: leaf by leaf where there are few, else all bytes at once.
//!
//! *Claim*: the state afterwards includes what the interpreter's order of leaves leaves behind. *Proof*: where source and
//! destination do not overlap, or all is read before anything is written, the order makes no difference. What goes at once, or
//! byte by byte, becomes any number, and keeps its addresses, because the interpreter may move whole words.

use super::cells::{Spot, Touch, bits};
use super::memory::{Address, How};
use super::registers::Run;
use super::{Invalid, forms};
use crate::certificate::Kind;
use crate::range::Range;
use crate::state::{Key, Space};
use crate::value::{ObjectId, Value};
use braid_ir::{Operand, Program, Shape, ShapeId};
use std::sync::Arc;

/// Leaves that are looked at one by one.
const LEAVES: usize = 256;

/// A leaf, and where the next one begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Leaf {
    start: u64,
    len: u64,
    end: u64,
}

/// The leaves of so many bytes of a shape that is repeated, if they are few and none is a lone byte.
fn leaves(program: &Program, shape: ShapeId, total: u64) -> Option<Vec<Leaf>> {
    let size = program.shape_size(shape);
    let units = total.checked_div(size)?;
    let mut found = Vec::new();
    for unit in 0..units {
        add_leaves(program, shape, unit * size, (unit + 1) * size, &mut found)?;
    }
    (units * size == total && found.len() <= LEAVES).then_some(found)
}

fn add_leaves(program: &Program, shape: ShapeId, start: u64, end: u64, found: &mut Vec<Leaf>) -> Option<()> {
    (found.len() <= LEAVES).then_some(())?;
    match &program.shapes[shape] {
        Shape::Scalar(ty) => found.push(Leaf { start, len: ty.bytes(program.pointer_bytes), end }),
        Shape::Bytes(0) => {}
        Shape::Bytes(size) => (0..*size).try_for_each(|i| {
            (found.len() <= LEAVES).then_some(())?;
            let end = if i + 1 == *size { end } else { start + i + 1 };
            found.push(Leaf { start: start + i, len: 1, end });
            Some(())
        })?,
        Shape::Array { elem, len } => {
            let size = program.shape_size(*elem);
            for index in 0..*len {
                let end = if index + 1 == *len { end } else { start + (index + 1) * size };
                add_leaves(program, *elem, start + index * size, end, found)?;
            }
        }
        Shape::Struct { fields, .. } => {
            for (index, field) in fields.iter().enumerate() {
                let end = fields.get(index + 1).map_or(end, |next| start + next.offset);
                add_leaves(program, field.shape, start + field.offset, end, found)?;
            }
        }
        Shape::Union { members, .. } => {
            let size = |id: ShapeId| program.shape_size(id);
            let largest = members.iter().map(|member| size(member.shape)).max().unwrap_or(0);
            let member = members.iter().find(|member| size(member.shape) == largest)?;
            (member.offset == 0).then_some(())?;
            add_leaves(program, member.shape, start, end, found)?;
        }
    }
    Some(())
}

impl Run<'_, '_> {
    /// Returns false if the copy is impossible.
    pub fn copy(
        &mut self,
        dst: Operand,
        src: Operand,
        len: Operand,
        shape: ShapeId,
        overlapping: bool,
    ) -> Result<bool, Invalid> {
        let (exact, most) = self.length(len);
        if most == 0 {
            return Ok(true);
        }
        let (to, from) = (self.address(dst), self.address(src));
        let sources = self.targets(&from.value, most, false);
        let targets = self.targets(&to.value, most, true);
        if sources.is_empty() || targets.is_empty() {
            return Ok(false);
        }
        let overlaps = !overlapping && super::locks::meet(&spread(&sources, most), &spread(&targets, most));
        let is_bytes = self.cx.program.shape_size(shape) == 1;
        let leaves =
            exact.filter(|_| !overlaps && !is_bytes).and_then(|len| leaves(self.cx.program, shape, len));
        match leaves {
            Some(leaves) => self.copy_leaves(&to, &from, &leaves),
            None => {
                let value = self.read_region(&sources, most)?;
                self.write_region(&to, most, value)
            }
        }
    }

    fn copy_leaves(&mut self, to: &Address, from: &Address, leaves: &[Leaf]) -> Result<bool, Invalid> {
        let mut values = Vec::new();
        for leaf in leaves {
            let Some(value) = self.load_bytes(&from.shifted(leaf.start as i64), leaf.len, How::Plain)? else {
                return Ok(false);
            };
            values.push(value);
        }
        self.store_leaves(to, leaves, &values, &Value::any(64))
    }

    fn store_leaves(
        &mut self,
        to: &Address,
        leaves: &[Leaf],
        values: &[Value],
        padding: &Value,
    ) -> Result<bool, Invalid> {
        // All that becomes known to others is so before anything is written.
        let mut to = to.clone();
        let mut values = values.to_vec();
        if to.value.targets.iter().any(|(object, _)| !self.cx.is_own(*object)) {
            for index in 0..values.len() {
                let value = values[index].clone();
                let own: Vec<ObjectId> =
                    value.targets.iter().map(|(o, _)| *o).filter(|o| self.cx.is_own(*o)).collect();
                values[index] = self.expose(value, Some(&mut to))?;
                for value in &mut values {
                    own.iter().filter(|o| !self.state.own.contains_key(o)).for_each(|o| {
                        value.rename(*o, self.cx.shared(*o));
                    });
                }
            }
        }
        for (leaf, value) in leaves.iter().zip(values) {
            if !self.store_bytes(&to.shifted(leaf.start as i64), value, leaf.len, How::Plain)? {
                return Ok(false);
            }
            self.pad(&to, *leaf, padding)?;
        }
        Ok(true)
    }

    /// The bytes behind a leaf get such values.
    fn pad(&mut self, to: &Address, leaf: Leaf, value: &Value) -> Result<(), Invalid> {
        let behind = leaf.start + leaf.len;
        if leaf.end <= behind {
            return Ok(());
        }
        let (bytes, shift) = (leaf.end - behind, Range::point(behind.into()));
        for (object, at) in to.value.targets.clone() {
            let spot = Spot::data(object, at.plus(shift), bytes);
            let noticed = self.entries(spot).next().is_some() || self.meeting(spot).next().is_some();
            if noticed {
                self.write_bytes(spot, &Value::any(64), false)?;
            } else if self.cx.is_own(object) {
                self.blur(spot, value, false);
            }
        }
        Ok(())
    }

    /// The number of bytes, if there is one, and the most there can be.
    fn length(&self, len: Operand) -> (Option<u64>, u64) {
        let value = self.operand(len);
        let width = self.cx.pointer_bits();
        let bounds = value.only_numbers().and_then(|range| range.unsigned(width));
        match bounds {
            Some((lo, hi)) => {
                let most = u64::try_from(hi).unwrap_or(u64::MAX >> 2).min(u64::MAX >> 2);
                ((lo == hi).then_some(most), most)
            }
            None => (None, u64::MAX >> 2),
        }
    }

    /// All that may be found in so many bytes: any number, and addresses.
    fn read_region(&mut self, sources: &[(ObjectId, Range)], bytes: u64) -> Result<Value, Invalid> {
        let mut value = Value::any(64);
        for (object, at) in sources {
            let spot = region(*object, *at, bytes);
            if !self.cx.is_own(*object) {
                let touch = Touch { kind: Kind::Read, atomic: false, address: None };
                self.record(spot, touch)?;
                for cell in self.meeting(spot) {
                    let whole = Spot { at: cell.at, bytes: cell.bytes, ..spot };
                    value.join(&Value { numbers: None, ..self.cell_value(whole) });
                }
            }
            for (_, known) in self.entries(spot) {
                value.join(&Value { numbers: None, ..known.value.clone() });
            }
            if let Some(own) = self.state.own.get(object) {
                value.join(&Value { numbers: None, ..own.data.clone() });
            }
            if self.cx.is_constant(*object) {
                value.join(&Value { numbers: None, ..self.initial(spot) });
            }
        }
        Ok(value)
    }

    fn write_region(&mut self, to: &Address, bytes: u64, value: Value) -> Result<bool, Invalid> {
        let mut to = to.clone();
        let mut value = value;
        if to.value.targets.iter().any(|(object, _)| !self.cx.is_own(*object)) {
            value = self.expose(value, Some(&mut to))?;
        }
        for (object, at) in to.value.targets.clone() {
            self.write_bytes(region(object, at, bytes), &value, true)?;
        }
        Ok(true)
    }

    /// Bytes get a value, or parts of it, or others.
    fn write_bytes(&mut self, spot: Spot, value: &Value, covered: bool) -> Result<(), Invalid> {
        let addresses = Value { numbers: None, ..value.clone() };
        self.unsettle_sync(spot, &Value::any(64))?;
        self.forget_places(spot);
        if self.cx.is_own(spot.object) {
            let keys: Vec<Key> = self.entries(spot).map(|(key, _)| key).collect();
            for key in keys {
                let known = Arc::make_mut(&mut self.state.known).get_mut(&key).expect("it was listed");
                known.value.join(&addresses);
                known.value.join(&Value::any(bits(key.bytes)));
            }
            if let Some(own) = self.state.own.get_mut(&spot.object) {
                own.data.join(&addresses);
                own.data.numbers = Some(Range::full(64));
            }
            return Ok(());
        }
        self.record_write(spot, covered)?;
        self.drop_entries(spot)?;
        self.publish(spot, value)
    }

    /// The records of a write to cells; padding need not be in one.
    fn record_write(&self, spot: Spot, covered: bool) -> Result<(), Invalid> {
        let touch = Touch { kind: Kind::Write, atomic: false, address: None };
        if covered { self.record(spot, touch) } else { self.record_in_cells(spot, touch) }
    }

    /// What is known of bytes of a shared object is known to others, and no longer for certain.
    fn drop_entries(&mut self, spot: Spot) -> Result<(), Invalid> {
        let keys: Vec<Key> = self.entries(spot).map(|(key, _)| key).collect();
        for key in keys {
            let known = Arc::make_mut(&mut self.state.known).remove(&key).expect("it was listed");
            if known.dirty {
                self.publish(Spot::of(key), &known.value)?;
            }
        }
        Ok(())
    }

    /// Returns false if the fill is impossible.
    pub fn fill(
        &mut self,
        dst: Operand,
        byte: Operand,
        len: Operand,
        shape: ShapeId,
    ) -> Result<bool, Invalid> {
        let (exact, most) = self.length(len);
        if most == 0 {
            return Ok(true);
        }
        let to = self.address(dst);
        let targets = self.targets(&to.value, most, true);
        if targets.is_empty() {
            return Ok(false);
        }
        let byte = self.operand(byte).constant();
        let place = forms::exact(&to.value);
        if let (Some(0), Some(len), Some((object, 0))) = (byte, exact, place)
            && self.cx.is_own(object)
            && self.cx.size(object) == Some(Range::point(len.into()))
        {
            self.zero_own(object);
            return Ok(true);
        }
        match exact.and_then(|len| leaves(self.cx.program, shape, len)) {
            Some(leaves) => {
                let values: Vec<Value> = leaves.iter().map(|leaf| repeated(byte, leaf.len)).collect();
                let padding = if byte == Some(0) { Value::null() } else { Value::any(64) };
                if !self.store_leaves(&to, &leaves, &values, &padding)? {
                    return Ok(false);
                }
            }
            None if byte == Some(0) => self.fill_zero(&to, &targets, most)?,
            None => {
                self.write_region(&to, most, Value::any(64))?;
            }
        }
        if let (Some(0), Some(len), Some((object, at))) = (byte, exact, place) {
            self.zero_sync(object, at, len)?;
        }
        Ok(true)
    }

    /// An own object is zero as a whole.
    fn zero_own(&mut self, object: ObjectId) {
        let spot = Spot::data(object, Range::UNBOUNDED, 1);
        self.forget_places(spot);
        for space in [Space::Data, Space::Sync] {
            let keys: Vec<Key> = self.entries(Spot { space, ..spot }).map(|(key, _)| key).collect();
            for key in keys {
                Arc::make_mut(&mut self.state.known).remove(&key);
            }
        }
        if let Some(own) = self.state.own.get_mut(&object) {
            own.data = Value::null();
            own.sync = Value::number(Range::point(crate::state::life::ZERO));
        }
    }

    /// Very many bytes become zero.
    fn fill_zero(&mut self, to: &Address, targets: &[(ObjectId, Range)], bytes: u64) -> Result<(), Invalid> {
        let sure = forms::exact(&to.value).is_some();
        for (object, at) in targets {
            let spot = Spot::data(*object, *at, bytes);
            if self.cx.is_own(*object) || !sure {
                self.write_bytes(region(*object, *at, bytes), &Value::any(64), true)?;
                continue;
            }
            self.unsettle_sync(spot, &Value::null())?;
            self.forget_places(spot);
            self.record_write(spot, true)?;
            self.drop_entries(spot)?;
            self.publish(spot, &Value::null())?;
        }
        Ok(())
    }
}

/// The bytes of a region, one by one.
fn region(object: ObjectId, at: Range, bytes: u64) -> Spot {
    let last = at.hi() + i128::from(bytes.max(1)) - 1;
    let at = Range::interval(at.lo().max(i64::MIN.into()), last.min(i64::MAX.into()));
    Spot::data(object, at, 1)
}

fn spread(targets: &[(ObjectId, Range)], bytes: u64) -> Vec<(ObjectId, Range)> {
    targets.iter().map(|(object, at)| (*object, region(*object, *at, bytes).at)).collect()
}

/// The number whose bytes are all the same.
fn repeated(byte: Option<i128>, len: u64) -> Value {
    match byte {
        Some(byte) if len <= 16 => {
            let byte = (byte as u128) & 0xff;
            let number = (0..len).fold(0u128, |number, i| number | byte << (8 * i));
            Value::number(Range::constant(number, bits(len)))
        }
        Some(_) | None => Value::any(bits(len)),
    }
}
