//! Which mutexes a thread certainly holds at each instruction.
//!
//! A mutex counts if the operand of `lock` certainly is one place of one object of the execution. An
//! unlock takes away all it may mean. The state of a mutex follows its bytes, so a plain write there takes
//! the mutex away too: in the writer's own set, and everywhere if it may happen while another thread
//! holds it. `trylock` adds nothing: whether it succeeded is rarely to be seen. An atomic section counts
//! as a lock of its own, [`LockId::SECTION`].
//!
//! An under-approximation: what is said to be held is held. Unless misuse ends the execution, a mutex
//! counts only if every unlock that may mean it stands where its own thread holds it; the first unlock
//! by a stranger would have to stand elsewhere.

mod held;
#[cfg(test)]
mod tests;

use crate::Options;
use crate::accesses::{AccessKind, Accesses, Group};
use crate::bits::Bits;
use crate::calls::CallGraph;
use crate::constants::Constants;
use crate::flow::{Solution, World};
use crate::instances::InstanceId;
use crate::objects::{Object, ObjectId, Offset};
use crate::points_to::{Pointers, PointsTo, overlap};
use crate::threads::Threads;
use braid_base::{HashMap, HashSet, Idx, IndexVec, define_ids};
use braid_ir::{InstrId, Op, Operand, Program};
use held::Held;

define_ids! {
    /// A mutex that is one place of one object, or the atomic section.
    LockId "m";
}

impl LockId {
    pub const SECTION: LockId = LockId(0);
}

/// Bytes of a mutex that the operations use.
const WORD: u64 = 4;

#[derive(Clone, Debug)]
pub struct Locksets {
    /// Object and offset; the section has none.
    pub locks: IndexVec<LockId, Option<(ObjectId, u64)>>,
    held: HashMap<(InstanceId, InstrId), u32>,
    sets: Vec<Bits>,
}

impl Locksets {
    pub fn new(
        program: &Program,
        pointers: &Pointers,
        calls: &CallGraph,
        accesses: &Accesses,
        constants: &Constants,
        threads: &Threads,
        options: Options,
    ) -> Locksets {
        let world = World { program, pointers, calls };
        let mut locksets = Locksets { locks: IndexVec::new(), held: HashMap::default(), sets: Vec::new() };
        locksets.locks.push(None);
        locksets.find_locks(world, threads);
        let writes = locksets.writes(accesses);
        let places = locksets.locks.enumerated().filter_map(|(id, place)| Some(((*place)?, id))).collect();
        let problem = Held { world, constants, locks: &locksets.locks, places: &places, writes: &writes };
        let mut roots: Vec<InstanceId> = calls.spawns().map(|(_, _, target)| target).collect();
        roots.extend(calls.entry);
        roots.sort();
        roots.dedup();
        let solution = Solution::new(world, &problem, &roots);
        let mut points = Vec::new();
        solution.visit(world, &problem, &mut |instance, instr, set| points.push(((instance, instr), set)));
        let mut unreliable = locksets.overwritten(threads, &points, &writes);
        if !options.misuse_ends {
            unreliable.union(&locksets.released(world, &points));
        }
        locksets.keep(points, &unreliable);
        locksets
    }

    fn keep(&mut self, points: Vec<((InstanceId, InstrId), Bits)>, unreliable: &Bits) {
        let mut known: HashMap<Bits, u32> = HashMap::default();
        for (place, mut set) in points {
            set.remove(unreliable);
            let next = self.sets.len() as u32;
            let id = *known.entry(set.clone()).or_insert(next);
            if id == next {
                self.sets.push(set);
            }
            self.held.insert(place, id);
        }
    }

    /// The places that are locked somewhere.
    fn find_locks(&mut self, world: World, threads: &Threads) {
        let mut known = HashSet::default();
        for (id, instance) in world.pointers.instances().enumerated() {
            let blocks = world.program.functions[instance.func].blocks.iter();
            for instr in blocks.flat_map(|block| &block.instrs) {
                let Op::Lock { mutex } = &instr.op else { continue };
                let Some(place) = certain(world.pointers.in_instance(id, *mutex)) else { continue };
                if known.insert(place) && is_one(world, threads, place.0) {
                    self.locks.push(Some(place));
                }
            }
        }
    }

    /// The mutexes that instructions may overwrite.
    fn writes(&self, accesses: &Accesses) -> HashMap<(InstanceId, InstrId), Bits> {
        let mut by_object: HashMap<ObjectId, Vec<(LockId, u64)>> = HashMap::default();
        for (id, lock) in self.locks.enumerated() {
            if let Some((object, offset)) = lock {
                by_object.entry(*object).or_default().push((id, *offset));
            }
        }
        let locks_in = |group| {
            let objects = accesses.group(group).iter();
            let locks = objects.flat_map(|object| by_object.get(object).into_iter().flatten());
            locks.map(|(lock, _)| lock.index()).collect::<Bits>()
        };
        let by_group = Group::ALL.map(locks_in);
        let mut writes: HashMap<(InstanceId, InstrId), Bits> = HashMap::default();
        for access in &accesses.list {
            // What is written in shadow space is the state itself; the operations see to that.
            let own = access.kind == AccessKind::Mutex;
            if !access.kind.writes() || own {
                continue;
            }
            let place = (access.instance, access.instr);
            for extent in &access.extents {
                for (lock, offset) in by_object.get(&extent.object).into_iter().flatten() {
                    if overlap(extent.offset, extent.len, Offset::At(*offset), Some(WORD)) {
                        writes.entry(place).or_default().insert(lock.index());
                    }
                }
            }
            let also = access.also.map(|group| &by_group[group.index()]);
            if let Some(locks) = also.filter(|locks| !locks.is_empty()) {
                writes.entry(place).or_default().union(locks);
            }
        }
        writes
    }

    /// The mutexes that a thread may overwrite while another holds them.
    fn overwritten(
        &self,
        threads: &Threads,
        points: &[((InstanceId, InstrId), Bits)],
        writes: &HashMap<(InstanceId, InstrId), Bits>,
    ) -> Bits {
        let mut written = Bits::default();
        writes.values().for_each(|set| _ = written.union(set));
        let mut holders: HashMap<usize, HashSet<_>> = HashMap::default();
        for (place, set) in points {
            let mut held = set.clone();
            held.intersect(&written);
            for lock in held.iter() {
                holders.entry(lock).or_default().insert(threads.presences(*place).to_vec());
            }
        }
        let mut bad = Bits::default();
        for (place, locks) in writes {
            let writer = threads.presences(*place);
            for lock in locks.iter() {
                let holders = holders.get(&lock).into_iter().flatten();
                if holders.into_iter().any(|holder| threads.together(writer, holder)) {
                    bad.insert(lock);
                }
            }
        }
        bad
    }

    /// The mutexes that may be unlocked where they are not certainly held.
    fn released(&self, world: World, points: &[((InstanceId, InstrId), Bits)]) -> Bits {
        let mut operands: HashMap<InstrId, Operand> = HashMap::default();
        for function in &world.program.functions {
            for instr in function.blocks.iter().flat_map(|block| &block.instrs) {
                if let Op::Unlock { mutex } = &instr.op {
                    operands.insert(instr.id, *mutex);
                }
            }
        }
        let mut bad = Bits::default();
        for ((instance, instr), set) in points {
            let Some(mutex) = operands.get(instr) else { continue };
            let mut meant = held::meant(&self.locks, world.pointers.in_instance(*instance, *mutex));
            meant.remove(set);
            bad.union(&meant);
        }
        bad
    }

    /// The locks certainly held right before the instruction, in all instances of its function.
    pub fn held(&self, pointers: &Pointers, func: braid_ir::FuncId, instr: InstrId) -> Vec<LockId> {
        let sets = pointers.instances_of(func).iter();
        let mut known = sets.filter_map(|instance| self.set(*instance, instr));
        let Some(mut common) = known.next().cloned() else { return Vec::new() };
        known.for_each(|set| common.intersect(set));
        common.iter().map(LockId::from_usize).collect()
    }

    /// The same in one instance; `None` if the instruction is never executed there.
    pub(crate) fn set(&self, instance: InstanceId, instr: InstrId) -> Option<&Bits> {
        self.held.get(&(instance, instr)).map(|id| &self.sets[*id as usize])
    }
}

/// The place a mutex operand certainly is.
fn certain(set: &PointsTo) -> Option<(ObjectId, u64)> {
    set.single().filter(|_| !set.may_be_uninit)
}

/// Whether the abstract object stands for at most one object of an execution.
fn is_one(world: World, threads: &Threads, object: ObjectId) -> bool {
    match world.pointers.object(object) {
        Object::Global(_) => true,
        Object::Block(instance, instr, _) => threads.at_most_once(world.calls, instance, instr),
        Object::Local(instance, local) => {
            let blocks = world.function(instance).blocks.iter();
            let mut births = blocks
                .flat_map(|block| &block.instrs)
                .filter(|instr| matches!(instr.op, Op::LocalLive { local: born } if born == local));
            match (births.next(), births.next()) {
                (Some(birth), None) => threads.at_most_once(world.calls, instance, birth.id),
                _ => false,
            }
        }
        Object::ThreadLocal(_)
        | Object::Function(_)
        | Object::Unknown
        | Object::Uninit
        | Object::Handle(..) => false,
    }
}
