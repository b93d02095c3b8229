//! Locks in the memory of another synchronisation object: a program takes a condition variable for a mutex, say, or a mutex for a
//! condition variable.
//!
//! Models keep their state in the same words beside an object. The word of a lock is the number of the thread that holds it;
//! other models compute bits. Whether such bits are the number of a thread depends on how threads are numbered, and that
//! differs between a formula and the interpreter. So an execution that depends on such a word may be none of the program's.

use braid_base::HashSet;
use braid_base::faults::active;
use braid_bounded::{AccessId, Area, Bounded, Way};
use braid_logic::{Term, Terms};

/// The gap of an execution that depends on how threads are numbered.
pub const NUMBERS: &str = "a lock in the memory of another synchronisation object";

/// Pointers to words that something else than a lock computes.
pub fn computed_words(terms: &Terms, bounded: &Bounded) -> HashSet<Term> {
    bounded
        .accesses
        .iter()
        .filter(|access| access.area == Area::Shadow && access.lock.is_none())
        .filter(|access| matches!(access.way, Way::Write(value) if terms.as_bits(value).is_none()))
        .map(|access| access.pointer)
        .collect()
}

/// An acquisition or release of a lock whose word something else computes, too.
pub fn confused_lock(terms: &Terms, bounded: &Bounded) -> Option<AccessId> {
    if active("numbers-certain") {
        return None;
    }
    let computed = computed_words(terms, bounded);
    bounded
        .accesses
        .enumerated()
        .find(|(_, access)| access.lock.is_some() && computed.contains(&access.pointer))
        .map(|(id, _)| id)
}
