//! The states that were seen, each with the threads that were asleep when it was explored.
//!
//! A state reached again with fewer threads asleep is explored again, but only with those that were
//! asleep before and are not now: Godefroid, *Partial-Order Methods for the Verification of Concurrent
//! Systems*, section 5.4. What is kept then is the intersection.

use braid_base::HashSet;
use braid_base::faults::active;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// The keys are hashes already.
#[derive(Clone, Copy, Default)]
struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// What to do with a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Visit {
    New,
    /// Explore these threads only.
    Again(u64),
    Seen,
}

/// The hash of a state, in halves: a number of 128 bits would be aligned to 16 bytes, and a slot a third larger.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key(u64, u64);

impl Hash for Key {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.1);
    }
}

type Table = HashMap<Key, u64, BuildHasherDefault<Identity>>;

/// A table that is full doubles, and has to hold both sizes meanwhile; of many small tables only one does at a time.
const TABLES: usize = 32;

pub(super) struct Store {
    tables: Vec<Table>,
    len: usize,
}

impl Default for Store {
    fn default() -> Store {
        Store { tables: (0..TABLES).map(|_| Table::default()).collect(), len: 0 }
    }
}

/// Memory that a table of so many entries takes, about.
fn table_bytes(capacity: usize) -> u64 {
    // A slot of the table, and its control byte.
    capacity as u64 * 8 / 7 * (size_of::<(Key, u64)>() as u64 + 1)
}

impl Store {
    pub fn len(&self) -> usize {
        self.len
    }

    /// Memory the tables take, about.
    pub fn bytes(&self) -> u64 {
        self.tables.iter().map(|table| table_bytes(table.capacity())).sum()
    }

    /// Memory that the next growth of a table takes, about.
    pub fn growth(&self) -> u64 {
        self.tables.iter().map(|table| 2 * table_bytes(table.capacity())).max().unwrap_or(0)
    }

    /// Comes to a state with a set of threads asleep.
    pub fn visit(&mut self, state: u128, asleep: u64) -> Visit {
        let key = Key((state >> 64) as u64, state as u64);
        match self.tables[key.0 as usize % TABLES].entry(key) {
            Entry::Vacant(place) => {
                place.insert(asleep);
                self.len += 1;
                Visit::New
            }
            Entry::Occupied(mut place) => {
                let before = place.get_mut();
                let awake = *before & !asleep;
                *before &= asleep;
                if awake == 0 || active("smaller-sleep-ignored") { Visit::Seen } else { Visit::Again(awake) }
            }
        }
    }
}

/// Things that were seen, in order.
pub(super) struct Distinct<T> {
    pub list: Vec<T>,
    known: HashSet<T>,
}

impl<T> Default for Distinct<T> {
    fn default() -> Self {
        Distinct { list: Vec::new(), known: HashSet::default() }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Distinct<T> {
    pub fn knows(&self, item: &T) -> bool {
        self.known.contains(item)
    }

    pub fn add(&mut self, item: T) {
        if self.known.insert(item.clone()) {
            self.list.push(item);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_explored_again_when_fewer_sleep() {
        let mut store = Store::default();
        assert_eq!(store.visit(1, 0b110), Visit::New);
        assert_eq!(store.visit(1, 0b110), Visit::Seen);
        assert_eq!(store.visit(1, 0b111), Visit::Seen);
        assert_eq!(store.visit(1, 0b011), Visit::Again(0b100));
        assert_eq!(store.visit(1, 0b110), Visit::Seen);
        assert_eq!(store.visit(1, 0b000), Visit::Again(0b010));
        assert_eq!(store.visit(1, 0b000), Visit::Seen);
        assert_eq!(store.len(), 1);
    }
}
