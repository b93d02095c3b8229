//! What happened in which phase, for `--stats`, `-v` and the status line.

use braid_engines::order::Statistics;
use braid_interp::Progress;
use std::time::Duration;

/// One search, or one piece of work before it.
#[derive(Clone, Debug)]
pub struct PhaseRecord {
    /// Such as `explicit, 20000 states` or `order, bound 3`.
    pub name: String,
    /// How it ended, in a few words.
    pub result: String,
    pub time: Duration,
    /// States of an exhaustive search.
    pub states: Option<u64>,
    pub order: Option<Statistics>,
}

/// What a watcher is told.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A phase of this name begins.
    Begin(&'a str),
    /// An exhaustive search has come so far.
    Searching(&'a str, &'a Progress),
    End(&'a PhaseRecord),
    /// A violation is confirmed: the verdict is known, whatever comes now.
    Violation,
}
