//! What a step touches: the bytes it reads and writes, and more than bytes.
//!
//! Two steps of different threads commute if their footprints do not conflict: no common byte of an
//! area that one of them writes. Mutexes are words of shadow space; the end of a thread and the
//! numbering of new threads are areas of their own.

use braid_base::faults::active;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Area {
    Memory,
    Shadow,
    /// Ends of threads, by number.
    Ends,
    /// The next thread's number; the end of an id reads it, because later threads may get that id.
    Numbers,
    /// Heap blocks, by base: the end of one writes it, and an allocation, which may get it, reads all.
    Blocks,
}

/// A range of one area.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Touch {
    pub area: Area,
    pub start: u64,
    pub len: u64,
    pub write: bool,
    /// An atomic operation.
    pub atomic: bool,
    /// Counts for data races: an access of the user's code, not the end of an object's life.
    pub races: bool,
    /// Bytes before and after that belong to the same memory location; only races look at them.
    pub extent: (u16, u16),
}

impl Touch {
    pub const fn new(area: Area, start: u64, len: u64, write: bool) -> Touch {
        Touch { area, start, len, write, atomic: false, races: false, extent: (0, 0) }
    }

    fn conflicts(&self, other: &Touch) -> bool {
        let write = match active("write-commutes-with-read") {
            true => self.write && other.write,
            false => self.write || other.write,
        };
        self.area == other.area
            && write
            && self.start < other.start + other.len
            && other.start < self.start + self.len
    }

    /// Whether the two, about to happen in two threads, are a data race.
    pub fn races_with(&self, other: &Touch) -> bool {
        let ((from, to), (other_from, other_to)) = (self.location(), other.location());
        let write = self.write || other.write || active("reads-race");
        let atomic = match () {
            () if active("atomic-hides-race") => self.atomic || other.atomic,
            () if active("atomic-treated-as-plain") => false,
            () => self.atomic && other.atomic,
        };
        self.races && other.races && write && !atomic && from < other_to && other_from < to
    }

    fn location(&self) -> (u64, u64) {
        let (before, after) = if active("bit-fields-apart") { (0, 0) } else { self.extent };
        (self.start - u64::from(before), self.start + self.len + u64::from(after))
    }
}

/// Few touches, nearly always one.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    first: Option<Touch>,
    rest: Vec<Touch>,
    /// Commutes with nothing: it ends the program.
    pub everything: bool,
}

impl Footprint {
    pub fn one(touch: Touch) -> Footprint {
        Footprint { first: Some(touch), ..Footprint::default() }
    }

    pub fn everything() -> Footprint {
        Footprint { everything: true, ..Footprint::default() }
    }

    pub fn add(&mut self, touch: Touch) {
        match self.first {
            None => self.first = Some(touch),
            Some(first) if first == touch || self.rest.contains(&touch) => {}
            Some(_) => self.rest.push(touch),
        }
    }

    pub fn extend(&mut self, other: &Footprint) {
        other.touches().for_each(|touch| self.add(*touch));
        self.everything |= other.everything;
    }

    pub fn touches(&self) -> impl Iterator<Item = &Touch> {
        self.first.iter().chain(&self.rest)
    }

    /// Whether the order of two steps can matter.
    pub fn conflicts(&self, other: &Footprint) -> bool {
        self.everything
            || other.everything
            || self.touches().any(|touch| other.touches().any(|another| touch.conflicts(another)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conflicts_need_common_bytes_and_a_write() {
        let at = |start, len, write| Footprint::one(Touch::new(Area::Memory, start, len, write));
        assert!(at(100, 4, true).conflicts(&at(103, 1, false)));
        assert!(!at(100, 4, true).conflicts(&at(104, 4, true)));
        assert!(!at(100, 4, false).conflicts(&at(100, 4, false)));
        let shadow = Footprint::one(Touch::new(Area::Shadow, 100, 4, true));
        assert!(!shadow.conflicts(&at(100, 4, true)));
        assert!(Footprint::everything().conflicts(&Footprint::default()));
        assert!(!Footprint::default().conflicts(&at(0, 8, true)));
        let mut two = at(8, 4, false);
        two.extend(&at(100, 4, false));
        assert!(two.conflicts(&at(102, 1, true)) && !two.conflicts(&at(12, 1, true)));
    }

    #[test]
    fn races() {
        let access = |start, write, atomic| {
            let touch = Touch::new(Area::Memory, start, 4, write);
            Touch { atomic, races: true, ..touch }
        };
        let plain = access(100, true, false);
        assert!(plain.races_with(&access(100, false, true)) && access(100, false, true).races_with(&plain));
        assert!(!access(100, true, true).races_with(&access(100, true, true)));
        assert!(!access(100, false, false).races_with(&access(100, false, false)));
        assert!(!plain.races_with(&Touch { races: false, ..plain }));
        // Adjacent bit-fields are one memory location.
        let (low, high) = (access(100, true, false), access(104, true, false));
        assert!(!low.races_with(&high));
        assert!(Touch { extent: (0, 4), ..low }.races_with(&Touch { extent: (4, 0), ..high }));
    }
}
