//! The canonical hash of a state: equal for states from which the same can happen.
//!
//! Objects are named by their base addresses, which do not depend on the interleaving, never by
//! slots. Registers that will not be read again do not count, nor does how far a thread's heap has
//! grown. The part of an object is kept until the object changes; the sum of all parts is kept too,
//! so the cost of a hash is that of what changed. Frame objects reuse addresses, so an address of one
//! counts together with whether that very object is alive; an object that holds such addresses is
//! hashed anew every time.

use crate::hash::Hash128;
use crate::image::Image;
use crate::liveness::Liveness;
use crate::memory::{Life, Memory, Slot};
use crate::object::Kind;
use crate::state::{Frame, State, Status, Thread};
use crate::value::{ObjId, Prov, Value};
use braid_base::Idx;
use braid_base::faults::active;

/// The sum of the parts of all objects, and which of them are out of date.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    on: bool,
    sum: u128,
    stale: Vec<u32>,
}

impl Tally {
    #[inline]
    pub fn changed(&mut self, slot: u32) {
        if self.on {
            self.stale.push(slot);
        }
    }

    #[cold]
    pub fn changed_from(&mut self, slot: u32, part: u128) {
        self.sum = self.sum.wrapping_sub(part);
        self.stale.push(slot);
    }
}

impl Memory {
    /// From now on keeps the hash up to date.
    pub(crate) fn start_tally(&mut self) {
        self.tally = Tally { on: true, sum: 0, stale: (0..self.slots.len() as u32).collect() };
    }

    /// The same, unless it is kept already.
    pub(crate) fn ensure_tally(&mut self) {
        if !self.tally.on {
            self.start_tally();
        }
    }

    /// The hash of one object; none if it does not live.
    pub(crate) fn hash_of(&self, id: ObjId) -> Option<u128> {
        self.get(id)?;
        self.slots.get(id.slot as usize).map(|slot| self.part(slot).0)
    }

    /// The hash of all objects.
    pub(crate) fn hash(&mut self) -> u128 {
        let stale = std::mem::take(&mut self.tally.stale);
        let mut again = Vec::new();
        for slot in stale {
            let Some(entry) = self.slots.get(slot as usize) else { continue };
            if entry.counted.is_some() {
                continue;
            }
            let (part, holds_frame_address) = self.part(entry);
            self.tally.sum = self.tally.sum.wrapping_add(part);
            if holds_frame_address {
                again.push((slot, part));
            } else if let Some(entry) = self.slots.get_mut(slot as usize) {
                entry.counted = Some(part);
            }
        }
        let sum = self.tally.sum;
        for (slot, part) in again {
            self.tally.changed_from(slot, part);
        }
        sum
    }

    /// An object's part, and whether it holds addresses of frame objects.
    fn part(&self, slot: &Slot) -> (u128, bool) {
        let Life::Alive(object) = &slot.life else { return (0, false) };
        let identity = &object.identity;
        if matches!(identity.kind, Kind::Function(_)) || identity.read_only {
            return (0, false);
        }
        let mut holds_frame_address = false;
        let mut hash = Hash128::new(identity.base);
        hash.word(identity.size);
        // What provenance says of an address depends on it.
        hash.word(identity.align);
        let mut add = |hash: &mut Hash128, prov: Prov| holds_frame_address |= self.hash_prov(hash, prov);
        object.contents.hash(&mut hash, &mut add);
        if let Some(shadow) = object.shadow.as_ref().filter(|_| !active("hash-ignores-shadow")) {
            hash.word(u64::MAX);
            shadow.hash(&mut hash, &mut add);
        }
        (hash.finish(), holds_frame_address)
    }

    /// Adds provenance; says whether it is that of a frame object.
    pub(crate) fn hash_prov(&self, hash: &mut Hash128, prov: Prov) -> bool {
        match prov {
            Prov::None => hash.word(0),
            Prov::Mixed => hash.word(1),
            Prov::Object(id) => return self.hash_object(hash, id),
        }
        false
    }

    fn hash_object(&self, hash: &mut Hash128, id: ObjId) -> bool {
        let alive = self.get(id).is_some();
        match self.identity(id) {
            None => hash.word(2),
            Some(identity) => {
                hash.word(identity.base);
                if identity.kind.is_frame() {
                    hash.word(u64::from(alive));
                    return true;
                }
                if self.reuse && identity.kind == Kind::Heap {
                    // Several blocks may have had the address, and what was freed may be given out again.
                    hash.word(u64::from(alive));
                    hash.word(identity.size);
                    return true;
                }
            }
        }
        false
    }

    /// The hash of the program's own static variables, for telling final states apart.
    pub(crate) fn hash_globals(&self, internal: impl Fn(braid_ir::GlobalId) -> bool) -> u128 {
        let mut sum = 0u128;
        for slot in self.slots.iter() {
            let Life::Alive(object) = &slot.life else { continue };
            let identity = &object.identity;
            if matches!(identity.kind, Kind::Global(id) if !internal(id)) && !identity.read_only {
                let mut hash = Hash128::new(identity.base);
                object.contents.hash(&mut hash, |hash, prov| {
                    self.hash_prov(hash, prov);
                });
                sum = sum.wrapping_add(hash.finish());
            }
        }
        sum
    }
}

impl State {
    /// The canonical hash. `dead_addresses` says whether addresses in registers that will not be read
    /// again count (they do where leaks are looked for: such a register keeps a block reachable).
    /// With `fixed` addresses it counts how far a thread's heap has grown.
    pub(crate) fn hash(&mut self, image: &Image, live: &Liveness, dead_addresses: bool, fixed: bool) -> u128 {
        let memory = self.memory.hash();
        let mut hash = Hash128::new(7);
        hash.wide(memory);
        hash.word(u64::from(self.frozen));
        let view = View { image, live, memory: &self.memory, dead_addresses, fixed };
        for thread in self.threads.iter() {
            view.thread(&mut hash, thread);
        }
        hash.finish()
    }
}

struct View<'a, 'p> {
    image: &'a Image<'p>,
    live: &'a Liveness,
    memory: &'a Memory,
    dead_addresses: bool,
    fixed: bool,
}

impl View<'_, '_> {
    fn value(&self, hash: &mut Hash128, value: Value) {
        hash.word(value.bits as u64);
        if value.bits >> 64 != 0 {
            hash.word((value.bits >> 64) as u64);
        }
        if !value.is_plain() {
            hash.word(u64::MAX - 1);
            self.memory.hash_prov(hash, value.prov);
        }
    }

    fn thread(&self, hash: &mut Hash128, thread: &Thread) {
        hash.word(u64::from(thread.number) << 32 | u64::from(thread.spawned));
        match thread.status {
            Status::Finished(value) => {
                let joined = self.memory.get(thread.handle).is_none();
                let flags = u64::from(thread.detached) | u64::from(thread.awaited) << 1;
                hash.word(1 + 4 * u64::from(value.is_none()) + 8 * u64::from(joined) + 16 * flags);
                hash.word(self.memory.id_reused_from(thread.handle).map_or(0, u64::from));
                return value.map_or((), |value| self.value(hash, value));
            }
            Status::Stopped(_) => hash.word(2),
            Status::Ready => hash.word(3),
        }
        hash.word(thread.bulk);
        let flags = u64::from(thread.unentered)
            | u64::from(thread.detached) << 1
            | u64::from(thread.awaited) << 2
            | u64::from(thread.void) << 3;
        if self.fixed {
            hash.word(thread.heap.next());
        }
        hash.word(u64::from(thread.section) << 4 | flags);
        let mut end = (thread.regs.len(), thread.locals.len(), thread.blocks.len());
        let mut pending_result = None;
        for frame in thread.frames() {
            if !active("hash-ignores-place") {
                hash.word(u64::from(frame.pc));
            }
            hash.word(frame.base);
            self.registers(hash, thread, frame, end.0, pending_result);
            for local in &thread.locals[frame.locals..end.1] {
                hash.word(local.map_or(0, |id| 1 + u64::from(self.memory.get(id).is_some())));
            }
            for block in &thread.blocks[frame.blocks..end.2] {
                self.memory.hash_prov(hash, Prov::Object(*block));
            }
            end = (frame.regs, frame.locals, frame.blocks);
            pending_result = frame.dst;
        }
    }

    fn registers(
        &self,
        hash: &mut Hash128,
        thread: &Thread,
        frame: &Frame,
        end: usize,
        pending_result: Option<braid_ir::RegId>,
    ) {
        debug_assert!(self.image.functions.len() > frame.func.index());
        for (index, value) in thread.regs[frame.regs..end].iter().enumerate() {
            let live =
                self.live.is_live(frame.pc, index) && pending_result.is_none_or(|dst| dst.index() != index);
            if live || self.dead_addresses && !value.is_plain() {
                hash.word(index as u64);
                self.value(hash, *value);
            }
        }
    }
}
