//! Abstract threads, and which of them may be alive at the same time.
//!
//! An abstract thread stands for all threads that one place of the program starts. At each point of a thread the state knows
//! which abstract threads may be *alive* that it started, or that those started: a start adds the new thread with all that may
//! descend from it, a join takes them away. Two threads of which neither descends from the other *overlap* if one may be alive
//! when the other, or an ancestor of it, is started; a thread overlaps itself if an earlier one of its kind may be alive when it is
//! started.

use braid_base::IndexVec;
use braid_proof::InstanceId;
use braid_proof::{Thread, ThreadId, Value};
use std::collections::{BTreeMap, BTreeSet};

pub const MAIN: ThreadId = ThreadId(0);

#[derive(Default)]
pub struct Threads {
    pub list: IndexVec<ThreadId, Thread>,
    /// The distance of arguments was lost for good.
    pub mingled: BTreeSet<ThreadId>,
    /// What they leave to their joiners.
    pub results: BTreeMap<ThreadId, Value>,
    /// Something changed that all instances depend on.
    pub changed: bool,
}

impl Threads {
    pub fn add(&mut self, root: InstanceId) -> ThreadId {
        self.changed = true;
        self.list.push(Thread {
            root,
            single: true,
            descendants: BTreeSet::new(),
            overlap: BTreeSet::new(),
            left: BTreeSet::new(),
            apart: None,
        })
    }

    /// The thread with its descendants.
    pub fn family(&self, thread: ThreadId) -> BTreeSet<ThreadId> {
        let mut family = self.list[thread].descendants.clone();
        family.insert(thread);
        family
    }

    /// Notes that the family of one thread descends from others and from all their ancestors.
    pub fn descend(&mut self, parents: &BTreeSet<ThreadId>, child: ThreadId) {
        let family = self.family(child);
        for (id, thread) in self.list.iter_mut().enumerate() {
            let above =
                parents.iter().any(|parent| parent.0 as usize == id || thread.descendants.contains(parent));
            if above {
                let before = thread.descendants.len();
                thread.descendants.extend(&family);
                self.changed |= thread.descendants.len() != before;
            }
        }
    }

    /// Notes that the families of two threads may be alive at the same time.
    pub fn overlap(&mut self, a: ThreadId, b: ThreadId) {
        for one in self.family(a) {
            for other in self.family(b) {
                self.changed |= self.list[one].overlap.insert(other) | self.list[other].overlap.insert(one);
            }
        }
    }

    /// Makes overlapping complete: what overlaps a thread overlaps its descendants, too.
    pub fn close(&mut self) {
        let pairs: Vec<(ThreadId, ThreadId)> = self
            .list
            .enumerated()
            .flat_map(|(id, thread)| thread.overlap.iter().map(move |other| (id, *other)))
            .collect();
        for (a, b) in pairs {
            self.overlap(a, b);
        }
    }

    /// Notes what may be alive at the end of a thread, and what it leaves to its joiner.
    pub fn end(&mut self, thread: ThreadId, alive: &BTreeSet<ThreadId>, value: &Value) {
        let list = &mut self.list[thread];
        let before = list.left.len();
        list.left.extend(alive);
        self.changed |= before != list.left.len();
        self.changed |= self.results.entry(thread).or_default().widen(value, 64);
    }

    /// Notes that the arguments of threads alive at the same time differ by at least this, or that nothing is known of them.
    pub fn apart(&mut self, thread: ThreadId, register: braid_ir::RegId, distance: Option<i64>) {
        let known = &mut self.list[thread].apart;
        let new = match (distance, *known) {
            _ if self.mingled.contains(&thread) => None,
            (None, _) => {
                self.mingled.insert(thread);
                None
            }
            (Some(distance), None) => Some((register, distance)),
            (Some(distance), Some((_, known))) => Some((register, distance.min(known))),
        };
        self.changed |= *known != new;
        *known = new;
    }

    /// Returns true if threads of the two kinds may be at two such points at the same time: each point with the descendants
    /// that may be alive there.
    pub fn concurrent(
        &self,
        a: (&BTreeSet<ThreadId>, &BTreeSet<ThreadId>),
        b: (&BTreeSet<ThreadId>, &BTreeSet<ThreadId>),
    ) -> bool {
        let ((threads, alive), (others, other_alive)) = (a, b);
        threads.iter().any(|one| {
            other_alive.contains(one)
                || others.iter().any(|other| alive.contains(other) || self.list[*one].overlap.contains(other))
        })
    }
}
