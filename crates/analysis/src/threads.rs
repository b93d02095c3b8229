//! Abstract threads and what may run in parallel.
//!
//! A thread is told apart by where it was started: the `spawn` in its instance, and the abstract thread
//! that executed it. Where a thread starts itself again, or there are too many, threads are merged. A
//! thread is `many` if its `spawn` may be executed more than once.
//!
//! At each point of a thread the analysis knows which of the threads it started, and those started,
//! may be alive: `spawn` adds the child and all its descendants, `join` takes away the child and those
//! that cannot outlive it. A join counts only if its handle certainly is that one thread: the value
//! comes from that `spawn` alone (or was never set: see the crate's head), and the child is not `many`.
//! Two threads may overlap if one may be alive when the other, or an ancestor of it, is started.
//!
//! Over-approximations: `many`, [`Threads::may_run_in_parallel`].

mod alive;
mod once;
#[cfg(test)]
mod tests;

use crate::bits::Bits;
use crate::calls::CallGraph;
use crate::constants::Constants;
use crate::flow::World;
use crate::instances::InstanceId;
use crate::points_to::Pointers;
use braid_base::{HashMap, Idx, IndexVec, define_ids};
use braid_ir::{InstrId, Program};
use once::Once;

define_ids! {
    /// An abstract thread; main is the first.
    ThreadId "t";
}

/// Threads told apart by who started them; then only by where.
const MANY_THREADS: usize = 128;

#[derive(Clone, Debug)]
pub struct AbstractThread {
    /// Who started it and where; `None` for main.
    pub started: Option<(ThreadId, InstanceId, InstrId)>,
    /// More than one thread of an execution may be this one.
    pub many: bool,
    /// Where it begins.
    pub roots: Vec<InstanceId>,
    /// The instances it may execute, by number.
    pub instances: Bits,
}

/// A `spawn` that an abstract thread may execute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Start {
    parent: ThreadId,
    from: InstanceId,
    instr: InstrId,
    child: ThreadId,
}

/// A thread at a point, with those of its descendants that may be alive there.
type Presence = (ThreadId, u32);

#[derive(Clone, Debug)]
pub struct Threads {
    pub list: IndexVec<ThreadId, AbstractThread>,
    starts: Vec<Start>,
    /// Every thread that a thread may lead to; itself only if it may start itself.
    descendants: IndexVec<ThreadId, Bits>,
    /// Threads that may be alive at once, apart from ancestors.
    overlap: IndexVec<ThreadId, Bits>,
    points: HashMap<(InstanceId, InstrId), Vec<Presence>>,
    sets: Vec<Bits>,
    by_instr: HashMap<InstrId, Vec<InstanceId>>,
    once: Once,
}

impl Threads {
    pub fn new(program: &Program, pointers: &Pointers, calls: &CallGraph, constants: &Constants) -> Threads {
        let mut threads = Threads {
            list: IndexVec::new(),
            starts: Vec::new(),
            descendants: IndexVec::new(),
            overlap: IndexVec::new(),
            points: HashMap::default(),
            sets: Vec::new(),
            by_instr: HashMap::default(),
            once: Once::new(program),
        };
        threads.find(pointers, calls);
        threads.find_descendants();
        alive::find(&mut threads, World { program, pointers, calls }, constants);
        threads
    }

    fn find(&mut self, pointers: &Pointers, calls: &CallGraph) {
        let Some(entry) = calls.entry else { return };
        let main = AbstractThread {
            started: None,
            many: false,
            roots: vec![entry],
            instances: calls.reachable([entry]),
        };
        self.list.push(main);
        let mut next = 0;
        while next < self.list.len() {
            let parent = ThreadId::from_usize(next);
            next += 1;
            let mut sites: Vec<(InstanceId, InstrId)> =
                calls.spawns().map(|(from, instr, _)| (from, instr)).collect();
            sites.dedup();
            sites.retain(|(from, _)| self.list[parent].instances.contains(from.index()));
            for (from, instr) in sites {
                let child = self.started(parent, from, instr, pointers, calls);
                self.starts.push(Start { parent, from, instr, child });
            }
        }
        self.spread_many();
    }

    /// The thread that a `spawn` of a thread starts.
    fn started(
        &mut self,
        parent: ThreadId,
        from: InstanceId,
        instr: InstrId,
        pointers: &Pointers,
        calls: &CallGraph,
    ) -> ThreadId {
        let same_place = |started: Option<(ThreadId, InstanceId, InstrId)>| {
            started.is_some_and(|(_, other, at)| (other, at) == (from, instr))
        };
        let mut ancestor = Some(parent);
        while let Some(id) = ancestor {
            let started = self.list[id].started;
            if same_place(started) {
                self.list[id].many = true;
                return id;
            }
            ancestor = started.map(|(parent, _, _)| parent);
        }
        if self.list.len() >= MANY_THREADS {
            let known = self.list.ids().find(|id| same_place(self.list[*id].started));
            if let Some(id) = known {
                self.list[id].many = true;
                return id;
            }
        }
        let roots: Vec<InstanceId> = pointers.spawned(from, instr).collect();
        let many = !self.once.executes(&self.list[parent], from, instr, calls);
        let instances = calls.reachable(roots.iter().copied());
        self.list.push(AbstractThread { started: Some((parent, from, instr)), many, roots, instances })
    }

    /// What a thread that is many starts is many.
    fn spread_many(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for start in &self.starts {
                if self.list[start.parent].many && !self.list[start.child].many {
                    self.list[start.child].many = true;
                    changed = true;
                }
            }
        }
    }

    fn find_descendants(&mut self) {
        self.descendants = self.list.iter().map(|_| Bits::default()).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for start in self.starts.iter().rev() {
                let mut below = self.descendants[start.child].clone();
                below.insert(start.child.index());
                changed |= self.descendants[start.parent].union(&below);
            }
        }
    }

    /// The thread with its descendants.
    fn family(&self, thread: ThreadId) -> Bits {
        let mut family = self.descendants[thread].clone();
        family.insert(thread.index());
        family
    }

    /// Whether two instructions may run in parallel, in different threads of one execution: one may be
    /// executed while the other is about to be.
    pub fn may_run_in_parallel(&self, a: InstrId, b: InstrId) -> bool {
        let instances = |instr| self.by_instr.get(&instr).into_iter().flatten();
        instances(a).any(|x| instances(b).any(|y| self.parallel((*x, a), (*y, b))))
    }

    /// The same in given instances of their functions.
    pub fn parallel(&self, a: (InstanceId, InstrId), b: (InstanceId, InstrId)) -> bool {
        self.together(self.presences(a), self.presences(b))
    }

    pub(crate) fn presences(&self, at: (InstanceId, InstrId)) -> &[Presence] {
        self.points.get(&at).map_or(&[], |list| list)
    }

    pub(crate) fn together(&self, a: &[Presence], b: &[Presence]) -> bool {
        let alive = |set: u32, thread: ThreadId| self.sets[set as usize].contains(thread.index());
        a.iter().any(|(one, one_alive)| {
            b.iter().any(|(other, other_alive)| {
                alive(*one_alive, *other)
                    || alive(*other_alive, *one)
                    || self.overlap[*one].contains(other.index())
            })
        })
    }

    /// Whether two threads of an execution may be this one and alive at once.
    pub fn is_parallel_to_itself(&self, thread: ThreadId) -> bool {
        self.overlap[thread].contains(thread.index()) || self.descendants[thread].contains(thread.index())
    }

    /// The threads that may execute the instruction in the instance.
    pub fn executing(&self, at: (InstanceId, InstrId)) -> impl Iterator<Item = ThreadId> + '_ {
        self.presences(at).iter().map(|(thread, _)| *thread)
    }

    /// Whether the instruction may be executed at all.
    pub fn is_executed(&self, instr: InstrId) -> bool {
        self.by_instr.contains_key(&instr)
    }

    /// Whether no other thread may be alive whenever the instruction is executed.
    pub fn runs_alone(&self, instr: InstrId) -> bool {
        let instances = self.by_instr.get(&instr).into_iter().flatten();
        instances
            .flat_map(|instance| self.presences((*instance, instr)))
            .all(|(thread, alive)| *thread == ThreadId(0) && self.sets[*alive as usize].is_empty())
    }

    /// The threads that may be alive besides the one that executes the instruction in the instance, and
    /// those that their or its ancestors may start later.
    pub(crate) fn others(&self, at: (InstanceId, InstrId)) -> Bits {
        let mut others = Bits::default();
        for (thread, alive) in self.presences(at) {
            others.union(&self.sets[*alive as usize]);
            others.union(&self.overlap[*thread]);
            for ancestor in self.list.ids().filter(|id| self.descendants[*id].contains(thread.index())) {
                others.union(&self.family(ancestor));
            }
        }
        others
    }

    /// Whether the instruction is executed at most once in every execution of the program.
    pub fn at_most_once(&self, calls: &CallGraph, instance: InstanceId, instr: InstrId) -> bool {
        let mut running = self.list.iter().filter(|thread| thread.instances.contains(instance.index()));
        let (Some(thread), None) = (running.next(), running.next()) else { return false };
        self.once.executes(thread, instance, instr, calls)
    }
}
