//! Escape: which objects another thread may reach.
//!
//! Accesses to an object that only its owner can name need no scheduling point: no other thread can
//! see them. An object escapes when its address is stored into an object that has escaped (statics
//! have from the start) or handed to a new thread, and takes with it whatever it holds the address
//! of. Addresses are followed by provenance; one that lost it counts for the object it lies in, if it
//! lies in one. An address that was mangled beyond that can still come back as a number: the access
//! through it marks the object, and the note that control depends on addresses forbids SAFE.
//!
//! Escaped objects never come back. Whether one has escaped is not part of what distinguishes states:
//! if two states differ in nothing else, no other thread can reach the object in either.

use crate::memory::{Life, Memory};
use crate::value::{ObjId, Prov, Value};
use braid_base::faults::active;

impl Memory {
    /// Whether the object is alive and others may reach it.
    pub fn has_escaped(&self, id: ObjId) -> bool {
        self.get(id).is_some_and(|object| object.escaped)
    }

    /// The value becomes visible to other threads.
    #[cold]
    pub fn escape_value(&mut self, value: Value) {
        match value.prov {
            Prov::None => {}
            Prov::Object(id) => self.escape(id),
            Prov::Mixed => {
                if let Some(id) = self.object_at(value.address()) {
                    self.escape(id);
                }
            }
        }
    }

    pub(crate) fn escape_prov(&mut self, prov: Prov) {
        if let Prov::Object(id) = prov {
            self.escape(id);
        }
    }

    /// The object and all it leads to.
    pub fn escape(&mut self, id: ObjId) {
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            if self.get(id).is_none_or(|object| object.escaped) {
                continue;
            }
            let Some(slot) = self.slots.get_mut(id.slot as usize) else { continue };
            let Life::Alive(object) = &mut slot.life else { continue };
            object.escaped = true;
            if active("escape-not-transitive") {
                continue;
            }
            let shadow = object.shadow.iter().flat_map(|shadow| shadow.marks());
            waiting.extend(object.contents.marks().chain(shadow).filter_map(|prov| match prov {
                Prov::Object(id) => Some(id),
                Prov::None | Prov::Mixed => None,
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::{Identity, Kind, Site};
    use braid_ir::{GlobalId, Space};

    #[test]
    fn what_is_stored_escapes_with_what_it_holds() {
        let mut memory = Memory::new(8);
        let mut make = |kind, base| {
            let identity =
                Identity { kind, base, size: 16, align: 16, read_only: false, born: Site::NOWHERE };
            memory.allocate(identity, true)
        };
        let global = make(Kind::Global(GlobalId(0)), 0x10000);
        let [a, b, c] = [0x20000, 0x20020, 0x20040].map(|base| make(Kind::Heap, base));
        let at = |id: ObjId, base: u64| Value { bits: u128::from(base), prov: Prov::Object(id) };
        let store = |memory: &mut Memory, to: Value, value: Value| {
            let at = memory.locate(to, 8, true).unwrap();
            memory.write(at, 8, value, Space::Memory);
        };
        store(&mut memory, at(a, 0x20000), at(b, 0x20020));
        assert!(memory.has_escaped(global) && !memory.has_escaped(a) && !memory.has_escaped(b));
        store(&mut memory, at(global, 0x10000), at(a, 0x20000));
        assert!(memory.has_escaped(a) && memory.has_escaped(b) && !memory.has_escaped(c));
        store(&mut memory, at(b, 0x20020), Value { bits: 0x20048, prov: Prov::Mixed });
        assert!(memory.has_escaped(c));
    }
}
