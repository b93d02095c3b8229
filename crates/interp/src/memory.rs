//! Memory: a table of objects, and how a pointer finds its object.
//!
//! Objects live in slots; a slot is reused long after its object died (see `REUSE_AFTER`), under a new
//! generation, and until then remembers who lived there, so that a dangling pointer can be explained.
//! A pointer that knows its object is checked against that object alone, however far it strays. One
//! that does not (an integer, or bits that passed through arithmetic) is looked up by address.
//!
//! Copies of a memory share their objects until one of them writes. What other threads may reach
//! is kept by [`crate::escape`], the canonical hash of all objects by [`crate::canon`].

use crate::arena::NULL_PAGE;
use crate::canon::Tally;
use crate::contents::{Contents, Piece};
use crate::cow::CowVec;
use crate::object::{Identity, Kind, Object, Site, Tomb};
use crate::value::{ObjId, Prov, Value};
use braid_base::faults::active;
use braid_ir::Space;
use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// A dead object's slot is reused only after this many others have died.
const REUSE_AFTER: usize = 1024;

/// Memory an object takes besides its bytes.
const OBJECT_COST: u64 = 160;

#[derive(Clone, Debug)]
pub(crate) enum Life {
    Alive(Object),
    Over(Tomb),
}

#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub generation: u32,
    pub life: Life,
    /// The part of this object in the tally, as long as it is up to date.
    pub counted: Option<u128>,
}

#[derive(Clone, Debug)]
pub struct Memory {
    pub(crate) slots: CowVec<Slot>,
    free: Rc<VecDeque<u32>>,
    pub(crate) tally: Tally,
    /// Live objects that do not belong to a frame, by base address.
    by_base: Rc<BTreeMap<u64, u32>>,
    /// Live objects that belong to a frame.
    frame_objects: usize,
    /// Bytes in use: pages and the table.
    used: u64,
    pointer_bytes: u8,
    /// Heap blocks may get the base addresses of freed ones, so equality with a freed one's address is known.
    pub(crate) reuse: bool,
    /// An address of a freed heap block was compared with another one, and the answer depends on reuse.
    pub(crate) stale: Cell<bool>,
}

/// Why an access is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Invalid {
    /// No object is there.
    Null {
        address: u64,
    },
    Wild {
        address: u64,
    },
    /// The object is alive, but the access is not inside.
    Outside {
        object: Identity,
        offset: i64,
    },
    ReadOnly {
        object: Identity,
        offset: i64,
    },
    /// The object's life is over; what it was, if that is still known.
    Dead {
        tomb: Option<Tomb>,
        offset: i64,
    },
}

/// The bytes an access may touch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Located {
    pub(crate) slot: u32,
    pub offset: u64,
}

/// Blocks of up to so many bytes are kept for later requests when they are freed, larger ones are merged with free memory
/// around them (glibc's thread caches).
const KEPT_BY_SIZE: u64 = 1032;

impl Memory {
    pub fn new(pointer_bytes: u8) -> Memory {
        Memory {
            slots: CowVec::default(),
            free: Rc::default(),
            tally: Tally::default(),
            by_base: Rc::default(),
            frame_objects: 0,
            used: 0,
            pointer_bytes,
            reuse: false,
            stale: Cell::new(false),
        }
    }

    /// Bytes in use.
    pub fn used(&self) -> u64 {
        self.used
    }

    pub fn pointer_bytes(&self) -> u8 {
        self.pointer_bytes
    }

    pub fn allocate(&mut self, identity: Identity, zeroed: bool) -> ObjId {
        let contents = Contents::new(identity.size, zeroed);
        let escaped = matches!(identity.kind, Kind::Global(_));
        let life = Life::Alive(Object { identity, contents, shadow: None, escaped });
        self.used += OBJECT_COST;
        let slot =
            if self.free.len() > REUSE_AFTER { Rc::make_mut(&mut self.free).pop_front() } else { None };
        let id = match slot {
            Some(slot) => {
                let entry = self.slot_mut(slot);
                entry.generation = entry.generation.wrapping_add(1);
                entry.life = life;
                ObjId { slot, generation: entry.generation }
            }
            None => {
                self.slots.push(Slot { generation: 0, life, counted: None });
                let slot = self.slots.len() as u32 - 1;
                self.tally.changed(slot);
                ObjId { slot, generation: 0 }
            }
        };
        if identity.kind.is_frame() {
            self.frame_objects += 1;
        } else {
            Rc::make_mut(&mut self.by_base).insert(identity.base, id.slot);
        }
        id
    }

    /// The slot for a change, which the tally learns of.
    #[inline]
    fn slot_mut(&mut self, slot: u32) -> &mut Slot {
        let entry = self.slots.get_mut(slot as usize).expect("a slot in use");
        if let Some(part) = entry.counted.take() {
            self.tally.changed_from(slot, part);
        }
        entry
    }

    #[inline]
    fn slot(&self, slot: u32) -> &Slot {
        self.slots.get(slot as usize).expect("a slot in use")
    }

    /// Ends the life of a live object.
    pub fn kill(&mut self, id: ObjId, died: Site) {
        self.end_id(id, died, 0);
    }

    /// The same for a thread's id, when so many threads have been started.
    pub fn end_id(&mut self, id: ObjId, died: Site, threads: u32) {
        let Some(object) = self.get(id) else { return };
        let identity = object.identity;
        let bytes = object.contents.resident() + object.shadow.as_ref().map_or(0, |s| s.resident());
        self.used -= bytes + OBJECT_COST;
        self.slot_mut(id.slot).life = Life::Over(Tomb { identity, died, reused_from: threads });
        Rc::make_mut(&mut self.free).push_back(id.slot);
        if identity.kind.is_frame() {
            self.frame_objects -= 1;
        } else {
            Rc::make_mut(&mut self.by_base).remove(&identity.base);
        }
    }

    /// The object, if it is alive.
    pub fn get(&self, id: ObjId) -> Option<&Object> {
        let slot = self.slots.get(id.slot as usize)?;
        match &slot.life {
            Life::Alive(object) if slot.generation == id.generation => Some(object),
            Life::Alive(_) | Life::Over(_) => None,
        }
    }

    /// What is known of an object whose life is over.
    fn tomb(&self, id: ObjId) -> Option<Tomb> {
        let slot = self.slots.get(id.slot as usize)?;
        match &slot.life {
            Life::Over(tomb) if slot.generation == id.generation => Some(*tomb),
            Life::Alive(_) | Life::Over(_) => None,
        }
    }

    /// Of a thread's id that has ended, as long as that is known: threads from this number on may have got
    /// the same one.
    pub fn id_reused_from(&self, id: ObjId) -> Option<u32> {
        self.tomb(id).map(|tomb| tomb.reused_from)
    }

    /// The base addresses of freed heap blocks that a new one may get, that no object has now, and that somebody still
    /// points to; ascending. The others make no difference: nobody could tell. A small block is kept for requests of its
    /// size at most; a large one is merged with its free neighbours, so that a larger one may begin where it did.
    pub fn reusable(&self, size: u64, align: u64, roots: impl Iterator<Item = Value>) -> Vec<u64> {
        let rounded = |size: u64| size.max(1).checked_next_multiple_of(16).unwrap_or(u64::MAX);
        let mut found = Vec::new();
        let mut look = |prov: Prov| {
            let Prov::Object(id) = prov else { return };
            let Some(Tomb { identity, .. }) = self.tomb(id) else { return };
            let is_merged = identity.size > KEPT_BY_SIZE && !active("freed-blocks-not-merged");
            let fits = (rounded(size) <= rounded(identity.size) || is_merged) && identity.base % align == 0;
            if identity.kind == Kind::Heap && fits && !self.by_base.contains_key(&identity.base) {
                found.push(identity.base);
            }
        };
        roots.for_each(|value| look(value.prov));
        for (_, object) in self.live() {
            let words = object.contents.possible_addresses(usize::from(self.pointer_bytes));
            words.into_iter().for_each(|(_, prov)| look(prov));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Identity of an object, dead or alive, as long as it is known.
    pub fn identity(&self, id: ObjId) -> Option<Identity> {
        self.get(id).map(|object| object.identity).or_else(|| self.tomb(id).map(|tomb| tomb.identity))
    }

    /// Every live object, in the order of slots.
    pub fn live(&self) -> impl Iterator<Item = (ObjId, &Object)> {
        self.slots.iter().enumerate().filter_map(|(index, slot)| match &slot.life {
            Life::Alive(object) => Some((ObjId { slot: index as u32, generation: slot.generation }, object)),
            Life::Over(_) => None,
        })
    }

    fn id_of(&self, slot: u32) -> ObjId {
        ObjId { slot, generation: self.slot(slot).generation }
    }

    /// The live object an address lies in (or is the start of).
    pub fn object_at(&self, address: u64) -> Option<ObjId> {
        if let Some(id) = self.lasting_object_at(address) {
            return Some(id);
        }
        if self.frame_objects == 0 {
            return None;
        }
        // Frame objects come and go too often to be worth an index for the rare look-up.
        let wanted = |object: &Object| object.identity.kind.is_frame() && object.identity.holds(address);
        self.live().find(|(_, object)| wanted(object)).map(|(id, _)| id)
    }

    /// The same for objects that belong to no frame.
    pub fn lasting_object_at(&self, address: u64) -> Option<ObjId> {
        let (_, &slot) = self.by_base.range(..=address).next_back()?;
        self.object_in(slot).identity.holds(address).then(|| self.id_of(slot))
    }

    /// The object a pointer belongs to: its own, or the one found at its address.
    pub fn object_of(&self, pointer: Value) -> Option<ObjId> {
        match pointer.prov {
            Prov::Object(id) => Some(id),
            Prov::None | Prov::Mixed => self.object_at(pointer.address()),
        }
    }

    /// Finds the bytes of an access of `len` bytes; for a write they must be writable.
    #[inline]
    pub fn locate(&self, pointer: Value, len: u64, write: bool) -> Result<Located, Box<Invalid>> {
        match self.locate_quickly(&pointer, len, write) {
            Some(at) => Ok(at),
            None => self.locate_slowly(pointer, len, write),
        }
    }

    /// The same for a valid access by a pointer that knows its object.
    #[inline(always)]
    pub fn locate_quickly(&self, pointer: &Value, len: u64, write: bool) -> Option<Located> {
        let Prov::Object(id) = pointer.prov else { return None };
        let identity = &self.get(id)?.identity;
        let offset = self.distance(pointer.address(), identity.base);
        let inside = offset <= identity.size && len <= identity.size - offset;
        (inside && !(write && identity.read_only)).then_some(Located { slot: id.slot, offset })
    }

    #[cold]
    fn locate_slowly(&self, pointer: Value, len: u64, write: bool) -> Result<Located, Box<Invalid>> {
        let address = pointer.address();
        let Some(id) = self.object_of(pointer) else { return Err(Box::new(self.nothing_at(address))) };
        let Some(object) = self.get(id).map(|object| object.identity) else {
            let tomb = self.tomb(id);
            let offset = tomb.map_or(0, |tomb| self.signed_distance(address, tomb.identity.base));
            return Err(Box::new(Invalid::Dead { tomb, offset }));
        };
        let offset = self.distance(address, object.base);
        let signed = self.signed_distance(address, object.base);
        if offset > object.size || len > object.size - offset {
            return Err(Box::new(Invalid::Outside { object, offset: signed }));
        }
        if write && object.read_only {
            return Err(Box::new(Invalid::ReadOnly { object, offset: signed }));
        }
        Ok(Located { slot: id.slot, offset })
    }

    /// What can be said of an address that is in no live object: whose it was last.
    fn nothing_at(&self, address: u64) -> Invalid {
        if address < NULL_PAGE {
            return Invalid::Null { address };
        }
        let mut tombs = self.free.iter().rev().filter_map(|slot| match &self.slot(*slot).life {
            Life::Over(tomb) => Some(*tomb),
            Life::Alive(_) => None,
        });
        match tombs.find(|tomb| tomb.identity.holds(address)) {
            Some(tomb) => {
                let offset = self.signed_distance(address, tomb.identity.base);
                Invalid::Dead { tomb: Some(tomb), offset }
            }
            None => Invalid::Wild { address },
        }
    }

    #[inline]
    fn distance(&self, address: u64, base: u64) -> u64 {
        let distance = address.wrapping_sub(base);
        if self.pointer_bytes == 8 { distance } else { distance & 0xffff_ffff }
    }

    pub fn signed_distance(&self, address: u64, base: u64) -> i64 {
        let distance = address.wrapping_sub(base);
        if self.pointer_bytes == 8 { distance as i64 } else { i64::from(distance as i32) }
    }

    #[inline]
    fn object_in(&self, slot: u32) -> &Object {
        match &self.slot(slot).life {
            Life::Alive(object) => object,
            Life::Over(_) => unreachable!("a located object is alive"),
        }
    }

    #[inline]
    fn object_in_mut(&mut self, slot: u32) -> (&mut Object, &mut u64) {
        let entry = self.slots.get_mut(slot as usize).expect("a slot in use");
        if let Some(part) = entry.counted.take() {
            self.tally.changed_from(slot, part);
        }
        match &mut entry.life {
            Life::Alive(object) => (object, &mut self.used),
            Life::Over(_) => unreachable!("a located object is alive"),
        }
    }

    pub fn object(&self, at: Located) -> &Object {
        self.object_in(at.slot)
    }

    pub fn id_at(&self, at: Located) -> ObjId {
        self.id_of(at.slot)
    }

    pub fn identity_in(&self, at: Located) -> Identity {
        self.object_in(at.slot).identity
    }

    pub fn contents(&self, at: Located) -> &Contents {
        &self.object_in(at.slot).contents
    }

    /// The contents for writing, and the count of bytes in use.
    pub fn contents_mut(&mut self, at: Located) -> (&mut Contents, &mut u64) {
        let (object, used) = self.object_in_mut(at.slot);
        (&mut object.contents, used)
    }

    /// The contents of a live object for writing, whether or not the program may write it.
    pub fn contents_of(&mut self, id: ObjId) -> Option<(&mut Contents, &mut u64)> {
        self.get(id)?;
        Some(self.contents_mut(Located { slot: id.slot, offset: 0 }))
    }

    pub fn same_object(a: Located, b: Located) -> bool {
        a.slot == b.slot
    }

    /// The value of `len` bytes, or `None` if some of them have no value yet.
    #[inline]
    pub fn read(&self, at: Located, len: usize, space: Space) -> Option<Value> {
        let object = self.object_in(at.slot);
        let read = match space {
            Space::Memory => object.contents.read(at.offset, len),
            Space::Shadow => match &object.shadow {
                Some(shadow) => shadow.read(at.offset, len),
                None => Some((0, Prov::None)),
            },
        };
        read.map(|(bits, prov)| Value { bits, prov })
    }

    #[inline]
    pub fn write(&mut self, at: Located, len: usize, value: Value, space: Space) {
        let (object, used) = self.object_in_mut(at.slot);
        let escaped = object.escaped;
        let contents = match space {
            Space::Memory => &mut object.contents,
            Space::Shadow => {
                let size = object.identity.size;
                object.shadow.get_or_insert_with(|| Box::new(Contents::new(size, true)))
            }
        };
        contents.write(at.offset, len, value.bits, value.prov, used);
        if space == Space::Memory {
            object.reset_shadow(at.offset, len as u64, used);
        }
        if escaped && !value.is_plain() {
            self.escape_value(value);
        }
    }

    /// Sets bytes.
    pub fn fill(&mut self, at: Located, len: usize, byte: u8) {
        let (object, used) = self.object_in_mut(at.slot);
        object.contents.fill(at.offset, len, byte, used);
        object.reset_shadow(at.offset, len as u64, used);
    }

    /// Whether a model keeps state with some of the bytes.
    pub fn has_shadow_state(&self, at: Located, len: u64) -> bool {
        self.object(at).shadow.as_ref().is_some_and(|shadow| !shadow.is_zero(at.offset, len))
    }

    /// Writes a copied piece.
    pub fn insert(&mut self, at: Located, piece: &Piece) {
        let (object, used) = self.object_in_mut(at.slot);
        object.contents.insert(at.offset, piece, used);
        object.reset_shadow(at.offset, piece.bytes.len() as u64, used);
        if object.escaped {
            for mark in &piece.marks {
                self.escape_prov(mark.prov);
            }
        }
    }

    /// The live heap block that starts at the pointer, for `free`; or what is there instead.
    pub fn block_at(&self, pointer: Value, kind: Kind) -> Result<ObjId, Box<Invalid>> {
        let located = self.locate(pointer, 0, false)?;
        let object = self.identity_in(located);
        if located.offset != 0 || object.kind != kind {
            let offset = self.signed_distance(pointer.address(), object.base);
            return Err(Box::new(Invalid::Outside { object, offset }));
        }
        Ok(self.id_of(located.slot))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heap(base: u64, size: u64) -> Identity {
        Identity { kind: Kind::Heap, base, size, align: 16, read_only: false, born: Site::NOWHERE }
    }

    fn pointer(id: ObjId, address: u64) -> Value {
        Value { bits: u128::from(address), prov: Prov::Object(id) }
    }

    #[test]
    fn pointers_stay_with_their_object() {
        let mut memory = Memory::new(8);
        let a = memory.allocate(heap(0x10000, 8), false);
        let b = memory.allocate(heap(0x10020, 8), false);
        assert!(memory.locate(pointer(a, 0x10004), 4, true).is_ok());
        let stray = memory.locate(pointer(a, 0x10020), 4, true).unwrap_err();
        assert!(matches!(*stray, Invalid::Outside { offset: 32, .. }));
        let before = memory.locate(pointer(b, 0x1001f), 1, true).unwrap_err();
        assert!(matches!(*before, Invalid::Outside { offset: -1, .. }));
        let number = Value::plain(0x10022);
        assert_eq!(memory.locate(number, 2, false).unwrap().offset, 2);
        assert!(matches!(*memory.locate(Value::plain(0x10010), 1, false).unwrap_err(), Invalid::Wild { .. }));
        assert!(matches!(*memory.locate(Value::plain(8), 1, false).unwrap_err(), Invalid::Null { .. }));
    }

    #[test]
    fn slots_are_reused_late_and_never_confused() {
        let mut memory = Memory::new(8);
        let first = memory.allocate(heap(0x10000, 8), false);
        memory.kill(first, Site::NOWHERE);
        let dead = memory.locate(pointer(first, 0x10000), 1, false).unwrap_err();
        assert!(matches!(*dead, Invalid::Dead { tomb: Some(_), offset: 0 }));
        // A number that is its address finds it too.
        let dead = memory.locate(Value::plain(0x10004), 1, false).unwrap_err();
        assert!(matches!(*dead, Invalid::Dead { tomb: Some(_), offset: 4 }));
        for i in 0..5000u64 {
            let id = memory.allocate(heap(0x20000 + i * 32, 8), false);
            memory.kill(id, Site::NOWHERE);
        }
        assert!(memory.slots.len() < 1100);
        let dead = memory.locate(pointer(first, 0x10000), 1, false).unwrap_err();
        assert!(matches!(*dead, Invalid::Dead { tomb: None, .. }));
        assert_eq!((memory.used(), memory.live().count()), (0, 0));
    }
}
