//! What concerns several steps at once, collected by walks that use what was collected before, until nothing new comes.
//!
//! The values come from claimed states. Where these are wrong, a walk finds the step that leaves them, so that what was collected
//! is complete whenever a verdict is returned: the walk that judges would find nothing more.

use super::barriers::Barrier;
use crate::range::Range;
use crate::state::{InstanceId, LockName, Mode};
use crate::value::{ObjectId, ThreadId, Value};
use braid_ir::{InstrId, Loc};
use braid_models::Sync;
use std::cell::{Cell, Ref, RefCell};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
pub(super) struct Survey {
    /// Steps may use what was found.
    informed: Cell<bool>,
    /// This is the walk that judges.
    judges: Cell<bool>,
    found: RefCell<Found>,
    /// What has been found since, for the next round.
    next: RefCell<Found>,
    /// Waits: what is waited for, and what is held then.
    pub waits: RefCell<Vec<Wait>>,
}

#[derive(Clone, PartialEq, Default)]
pub(super) struct Found {
    /// Synchronisation objects: what calls take to be at these offsets, by shared object.
    pub uses: BTreeMap<ObjectId, Vec<(Range, Kind)>>,
    /// Ends of shared objects: the instance, and the descendants that may be alive then.
    pub ends: BTreeMap<ObjectId, BTreeSet<(InstanceId, BTreeSet<ThreadId>)>>,
    /// Threads that may have been started before one of this kind is.
    pub before: BTreeMap<ThreadId, BTreeSet<ThreadId>>,
    /// The threads that start one of this kind.
    pub starters: BTreeMap<ThreadId, BTreeSet<ThreadId>>,
    /// The values with which threads end, and the threads that may end without one.
    pub results: BTreeMap<ThreadId, Value>,
    /// Threads that somebody may join of whom it is not known.
    pub contested: BTreeSet<ThreadId>,
    /// Barriers by their places, and where they are initialised.
    pub barriers: BTreeMap<(ObjectId, i64), Barrier>,
    pub barrier_sites: BTreeMap<(ObjectId, i64), BTreeSet<(InstanceId, InstrId)>>,
    /// A call works on a barrier of which the place is not known.
    pub any_barrier: bool,
    /// The mutexes that waits at a condition variable release.
    pub pairs: BTreeMap<ObjectId, Vec<(Range, Option<LockName>)>>,
}

/// A kind of synchronisation object; the two kinds of mutexes are one to the library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kind(pub Sync);

impl Kind {
    pub fn of(sync: Sync) -> Kind {
        Kind(if sync == Sync::PlainMutex { Sync::Mutex } else { sync })
    }
}

/// What a thread waits for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Awaited {
    Lock(Vec<(ObjectId, Range)>, Mode),
    End(ThreadId),
}

/// A lock that may be held where a thread waits.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Holding {
    pub targets: Vec<(ObjectId, Range)>,
    pub mode: Mode,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Wait {
    pub instance: InstanceId,
    pub instr: InstrId,
    pub loc: Loc,
    pub awaited: Awaited,
    pub holding: Vec<Holding>,
    /// Places of single objects that are locked exclusively for certain.
    pub certain: BTreeSet<(ObjectId, i64)>,
}

impl Survey {
    /// Returns true if steps know what was found: not in the first walk.
    pub fn is_informed(&self) -> bool {
        self.informed.get()
    }

    /// Returns true in the walk that notes obligations.
    pub fn is_last(&self) -> bool {
        self.judges.get()
    }

    pub fn begin_judging(&self) {
        self.judges.set(true);
    }

    /// Goes on with what was found. Returns false if that is nothing new.
    pub fn next_round(&mut self) -> bool {
        self.next.borrow_mut().close();
        let is_first = !self.informed.replace(true);
        let changed = *self.found.borrow() != *self.next.borrow();
        if changed {
            self.found.replace(self.next.borrow().clone());
        }
        is_first || changed
    }

    /// Adds to what is known.
    pub fn note(&self, add: impl FnOnce(&mut Found)) {
        add(&mut self.next.borrow_mut());
    }

    pub fn get(&self) -> Ref<'_, Found> {
        self.found.borrow()
    }

    /// A wait, which the last walk collects.
    pub fn wait(&self, wait: Wait) {
        if self.is_last() {
            self.waits.borrow_mut().push(wait);
        }
    }
}

impl Found {
    /// What was started before the thread that starts another one was started before that one, too.
    fn close(&mut self) {
        let Found { before, starters, .. } = self;
        loop {
            let known = before.clone();
            for (thread, starters) in starters.iter() {
                let more: Vec<ThreadId> =
                    starters.iter().filter_map(|t| known.get(t)).flatten().copied().collect();
                before.entry(*thread).or_default().extend(more);
            }
            if *before == known {
                return;
            }
        }
    }
}
