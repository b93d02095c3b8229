//! A set of properties to check, as chosen on the command line.

use crate::{ALL, Check};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CheckSet(u32);

/// A name that is neither a property nor a group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownProperty(pub String);

impl std::fmt::Display for UnknownProperty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ids: Vec<&str> = ALL.iter().map(|p| p.id).collect();
        write!(f, "unknown property '{}'; choose from {}, memory, misuse, all, none", self.0, ids.join(", "))
    }
}

impl std::error::Error for UnknownProperty {}

impl CheckSet {
    pub const EMPTY: CheckSet = CheckSet(0);

    /// Every property there is.
    pub fn every() -> CheckSet {
        ALL.iter().map(|p| p.check).collect()
    }

    /// Every property but `livelock`: looking for that costs partial-order reduction, and only the exhaustive search
    /// decides it, so it has to be asked for by name.
    pub fn all() -> CheckSet {
        CheckSet::every().without(CheckSet::from_iter([Check::Livelock]))
    }

    pub fn insert(&mut self, check: Check) {
        self.0 |= 1 << check as u8;
    }

    pub fn remove(&mut self, check: Check) {
        self.0 &= !(1 << check as u8);
    }

    /// What is here and not there.
    pub fn without(self, other: CheckSet) -> CheckSet {
        CheckSet(self.0 & !other.0)
    }

    /// The union of two sets.
    pub fn with(self, other: CheckSet) -> CheckSet {
        CheckSet(self.0 | other.0)
    }

    /// The intersection of two sets.
    pub fn common(self, other: CheckSet) -> CheckSet {
        CheckSet(self.0 & other.0)
    }

    pub fn is_empty(self) -> bool {
        self == CheckSet::EMPTY
    }

    pub fn contains(self, check: Check) -> bool {
        self.0 & (1 << check as u8) != 0
    }

    /// The ids, separated by commas: what [`CheckSet::parse`] reads.
    pub fn list(self) -> String {
        let ids: Vec<&str> = self.iter().map(Check::id).collect();
        if ids.is_empty() { "none".to_string() } else { ids.join(",") }
    }

    pub fn iter(self) -> impl Iterator<Item = Check> {
        ALL.iter().map(|p| p.check).filter(move |c| self.contains(*c))
    }

    /// Reads a comma-separated list of properties and groups: `memory,shift`, `all`, `none`, `default`.
    pub fn parse(list: &str) -> Result<CheckSet, UnknownProperty> {
        let mut set = CheckSet::EMPTY;
        for word in list.split(',').map(str::trim) {
            match word {
                "none" => {}
                "all" => set.0 |= CheckSet::all().0,
                "default" => set.0 |= CheckSet::default().0,
                _ => {
                    let members = ALL.iter().filter(|p| p.id == word || p.group == Some(word));
                    let chosen: CheckSet = members.map(|p| p.check).collect();
                    if chosen == CheckSet::EMPTY {
                        return Err(UnknownProperty(word.to_string()));
                    }
                    set.0 |= chosen.0;
                }
            }
        }
        Ok(set)
    }
}

impl Default for CheckSet {
    fn default() -> CheckSet {
        ALL.iter().filter(|p| p.default).map(|p| p.check).collect()
    }
}

impl FromIterator<Check> for CheckSet {
    fn from_iter<I: IntoIterator<Item = Check>>(checks: I) -> CheckSet {
        let mut set = CheckSet::EMPTY;
        checks.into_iter().for_each(|c| set.insert(c));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_ids_and_groups() {
        let set = CheckSet::parse("memory, shift").unwrap();
        let ids: Vec<&str> = set.iter().map(Check::id).collect();
        assert_eq!(ids, ["null-deref", "out-of-bounds", "use-after-free", "invalid-free", "shift"]);
        let misuse = CheckSet::parse("misuse").unwrap();
        assert_eq!(misuse.iter().collect::<Vec<_>>(), [Check::LockMisuse, Check::ThreadMisuse]);
        assert_eq!(CheckSet::parse("all").unwrap(), CheckSet::all());
        assert_eq!(CheckSet::parse("none").unwrap(), CheckSet::EMPTY);
        assert!(!CheckSet::all().contains(Check::Livelock));
        assert_eq!(CheckSet::parse("all,livelock").unwrap(), CheckSet::every());
        assert_eq!(CheckSet::parse("memry").unwrap_err().0, "memry");
    }

    #[test]
    fn sets_can_be_taken_apart_and_written_down() {
        let mut set = CheckSet::parse("memory,shift").unwrap();
        set.remove(Check::Shift);
        assert_eq!(set, CheckSet::parse("memory").unwrap());
        assert_eq!(set.without(CheckSet::parse("null-deref,deadlock").unwrap()).iter().count(), 3);
        assert!(set.without(CheckSet::all()).is_empty());
        let misuse = CheckSet::parse("misuse").unwrap();
        assert_eq!(set.with(misuse).common(misuse), misuse);
        assert!(set.common(misuse).is_empty());
        assert_eq!(CheckSet::parse(&CheckSet::all().list()), Ok(CheckSet::all()));
        assert_eq!(CheckSet::EMPTY.list(), "none");
    }

    #[test]
    fn default_leaves_leaks_and_overflow_out() {
        let set = CheckSet::default();
        assert!(set.contains(Check::Assertion) && set.contains(Check::DivisionByZero));
        assert!(!set.contains(Check::MemoryLeak) && !set.contains(Check::SignedOverflow));
    }
}
