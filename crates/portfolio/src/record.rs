//! Records of phases, for `--stats`, `-v` and the status line.

use braid_engines::Statistics;
use braid_verdict::{Bound, Bounds};
use std::time::Duration;

/// One search.
#[derive(Clone, Debug)]
pub struct PhaseRecord {
    pub engine: &'static str,
    pub bounds: Bounds,
    /// Kinds of bounds that the engine takes: the others mean nothing.
    pub takes: &'static [Bound],
    /// Such as `explicit, up to 20000 states` or `order, bound 3`.
    pub name: String,
    /// The end of the search, in a few words.
    pub result: String,
    /// It came to its end: no limit of the user's was reached.
    pub ended: bool,
    pub time: Duration,
    pub statistics: Statistics,
}

impl PhaseRecord {
    /// The bound on loops up to which the whole program was looked at, if there is one.
    pub fn unwound(&self) -> Option<u32> {
        (self.ended && self.takes.contains(&Bound::Unwind)).then_some(self.bounds.unwind)
    }
}

/// News for a watcher.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A phase of this name begins.
    Begin(&'a str),
    /// A search has come so far: counts with their units.
    Searching(&'a str, &'a [(&'static str, u64)]),
    End(&'a PhaseRecord),
    /// A violation is confirmed: the verdict is known, whatever comes now.
    Violation,
}
