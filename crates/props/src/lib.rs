//! The catalogue of properties: id, group, manual text, SV-COMP word.
//!
//! Local properties are `assert(check)` instructions that `lower` places, or are inherent in a memory
//! access; data races, deadlocks and leaks are global and are judged by the interpreter and by the
//! encoders, each on its own. One property is one file below and one line in [`ALL`].

mod assertion;
mod data_race;
mod deadlock;
mod division_by_zero;
mod invalid_free;
mod livelock;
mod lock_misuse;
mod memory_cleanup;
mod memory_leak;
mod null_deref;
mod out_of_bounds;
mod set;
mod shift;
mod signed_overflow;
mod thread_misuse;
mod use_after_free;

pub use set::{CheckSet, UnknownProperty};

/// A property of executions that can be violated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Check {
    Assertion,
    DataRace,
    Deadlock,
    Livelock,
    LockMisuse,
    ThreadMisuse,
    NullDeref,
    OutOfBounds,
    UseAfterFree,
    InvalidFree,
    MemoryLeak,
    MemoryCleanup,
    DivisionByZero,
    SignedOverflow,
    Shift,
}

/// What the catalogue knows of a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Property {
    pub check: Check,
    /// The name on the command line and in reports.
    pub id: &'static str,
    /// The group it belongs to besides `all`.
    pub group: Option<&'static str>,
    /// Checked unless `--property` says otherwise.
    pub default: bool,
    /// The result word of SV-COMP, `false(…)`.
    pub svcomp: Option<&'static str>,
    /// One line for lists.
    pub summary: &'static str,
    /// The manual page.
    pub manual: &'static str,
}

/// Every property, in the order of [`Check`].
pub const ALL: [&Property; 15] = [
    &assertion::PROPERTY,
    &data_race::PROPERTY,
    &deadlock::PROPERTY,
    &livelock::PROPERTY,
    &lock_misuse::PROPERTY,
    &thread_misuse::PROPERTY,
    &null_deref::PROPERTY,
    &out_of_bounds::PROPERTY,
    &use_after_free::PROPERTY,
    &invalid_free::PROPERTY,
    &memory_leak::PROPERTY,
    &memory_cleanup::PROPERTY,
    &division_by_zero::PROPERTY,
    &signed_overflow::PROPERTY,
    &shift::PROPERTY,
];

impl Check {
    pub fn property(self) -> &'static Property {
        ALL[self as usize]
    }

    pub fn id(self) -> &'static str {
        self.property().id
    }

    /// Returns true if a violation ends the execution even where it is not checked: an access that means
    /// nothing in C. An `assert` of such a kind therefore stays in the program whatever is checked.
    pub fn is_memory_error(self) -> bool {
        match self {
            Check::NullDeref | Check::OutOfBounds | Check::UseAfterFree | Check::InvalidFree => true,
            Check::Assertion
            | Check::DataRace
            | Check::Deadlock
            | Check::Livelock
            | Check::LockMisuse
            | Check::ThreadMisuse
            | Check::MemoryLeak
            | Check::MemoryCleanup
            | Check::DivisionByZero
            | Check::SignedOverflow
            | Check::Shift => false,
        }
    }

    pub fn from_id(id: &str) -> Option<Check> {
        ALL.iter().find(|p| p.id == id).map(|p| p.check)
    }
}

impl std::fmt::Display for Check {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn catalogue_is_in_order_and_ids_are_unique() {
        for (index, property) in ALL.iter().enumerate() {
            assert_eq!(property.check as usize, index);
            assert_eq!(Check::from_id(property.id), Some(property.check));
        }
    }
}
