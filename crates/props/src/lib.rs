//! The catalogue of properties: id, group, manual text, SV-COMP word.
//!
//! Local properties are `assert(check)` instructions that `lower` places, or are inherent in a memory
//! access; data races, deadlocks and leaks are global and are judged by the interpreter and by the
//! encoders, each on its own. One property is one file below and one line in the table of this file.

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

/// Makes [`Check`] and [`ALL`] from one line for each property: its name, and the module that has its `PROPERTY`.
macro_rules! properties {
    ($($check:ident: $module:ident,)*) => {
        /// A property of executions that can be violated.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        pub enum Check {
            $($check,)*
        }

        /// Every property, in the order of [`Check`].
        pub const ALL: &[&Property] = &[$(&$module::PROPERTY,)*];
    };
}

// Reports and lists have this order.
properties! {
    Assertion: assertion,
    DataRace: data_race,
    Deadlock: deadlock,
    Livelock: livelock,
    LockMisuse: lock_misuse,
    ThreadMisuse: thread_misuse,
    NullDeref: null_deref,
    OutOfBounds: out_of_bounds,
    UseAfterFree: use_after_free,
    InvalidFree: invalid_free,
    MemoryLeak: memory_leak,
    MemoryCleanup: memory_cleanup,
    DivisionByZero: division_by_zero,
    SignedOverflow: signed_overflow,
    Shift: shift,
}

/// The state in which a violation shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stands {
    /// A step of one thread violates the property and is the last of the execution.
    At,
    /// Threads stand before steps that none of them takes any more: those of a race, or of a wait.
    Before,
}

/// A flag of ESBMC's without its dashes. Several properties may have the same one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flag {
    /// The property is checked with it, too.
    Adds(&'static str),
    /// The property is not checked with it.
    Omits(&'static str),
}

impl Flag {
    pub fn name(self) -> &'static str {
        match self {
            Flag::Adds(name) | Flag::Omits(name) => name,
        }
    }
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
    /// The formula inside `CHECK( init(main()), LTL(…) )`. Without a word of SV-COMP it is written alike, but not read
    /// from property files.
    pub formula: &'static str,
    /// The flag by which people know it from ESBMC.
    pub flag: Option<Flag>,
    pub stands: Stands,
    /// One line for lists.
    pub summary: &'static str,
    /// The manual page.
    pub manual: &'static str,
}

impl Check {
    pub fn property(self) -> &'static Property {
        ALL[self as usize]
    }

    pub fn id(self) -> &'static str {
        self.property().id
    }

    /// Returns true if a violation ends the execution even where it is not checked: an access that means
    /// nothing in C, which is what the group `memory` is made of. An `assert` of such a kind therefore stays in the
    /// program whatever is checked.
    pub fn is_memory_error(self) -> bool {
        self.property().group == Some("memory")
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

    #[test]
    fn sets_have_room() {
        assert!(ALL.len() <= 32, "CheckSet has a bit for each");
    }

    #[test]
    fn memory_errors_are_those_of_the_group() {
        let errors = [Check::NullDeref, Check::OutOfBounds, Check::UseAfterFree, Check::InvalidFree];
        assert!(ALL.iter().all(|p| p.check.is_memory_error() == errors.contains(&p.check)));
    }
}
