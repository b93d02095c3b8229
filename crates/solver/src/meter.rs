//! How far a search is, for somebody who watches it from another thread.

use braid_base::ticks;
use cadical_sys::Learner;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts of the current search. They are there to be shown; nothing depends on them.
#[derive(Debug, Default)]
pub struct Meter {
    events: AtomicU64,
    conflicts: AtomicU64,
}

impl Meter {
    /// A search begins, or is over.
    pub fn reset(&self) {
        self.events.store(0, Ordering::Relaxed);
        self.conflicts.store(0, Ordering::Relaxed);
    }

    /// The size of the formula, in events of the program.
    pub fn set_events(&self, events: usize) {
        self.events.store(events as u64, Ordering::Relaxed);
    }

    pub fn events(&self) -> u64 {
        self.events.load(Ordering::Relaxed)
    }

    /// Conflicts of the embedded solver.
    pub fn conflicts(&self) -> u64 {
        self.conflicts.load(Ordering::Relaxed)
    }
}

/// Counts clauses as they are learned, one for each conflict (and some units besides), and the work they took.
pub(crate) struct Learned {
    pub meter: Option<Arc<Meter>>,
    /// Ticks of a conflict.
    pub ticks: u64,
}

impl Learner for Learned {
    fn learning(&mut self, _size: i32) -> bool {
        ticks::add(self.ticks);
        if let Some(meter) = &self.meter {
            meter.conflicts.fetch_add(1, Ordering::Relaxed);
        }
        // The clause itself is of no interest.
        false
    }

    fn learn(&mut self, _literal: i32) {}
}
