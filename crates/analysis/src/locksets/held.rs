//! The flow of held locks.

use super::{LockId, WORD};
use crate::bits::Bits;
use crate::constants::Constants;
use crate::flow::{Mode, Point, Problem, Transfer, World};
use crate::instances::InstanceId;
use crate::objects::{ObjectId, Offset};
use crate::points_to::{PointsTo, overlap};
use braid_base::{HashMap, Idx, IndexVec};
use braid_ir::*;

pub(super) struct Held<'a> {
    pub world: World<'a>,
    pub constants: &'a Constants,
    pub locks: &'a IndexVec<LockId, Option<(ObjectId, u64)>>,
    /// The same, by place.
    pub places: &'a HashMap<(ObjectId, u64), LockId>,
    /// What instructions may overwrite.
    pub writes: &'a HashMap<(InstanceId, InstrId), Bits>,
}

fn put(lock: LockId) -> Option<Transfer> {
    Some(Transfer { put: Bits::one(lock.index()), take: Bits::default() })
}

fn take(locks: Bits) -> Option<Transfer> {
    Some(Transfer { put: Bits::default(), take: locks })
}

impl Problem for Held<'_> {
    const MODE: Mode = Mode::Must;

    fn effect(&self, instance: InstanceId, at: Point) -> Option<Transfer> {
        let section = || Bits::one(LockId::SECTION.index());
        let atomic = self.world.function(instance).atomic;
        match at {
            Point::Enter if atomic => put(LockId::SECTION),
            Point::Leave if atomic => take(section()),
            Point::Enter | Point::Leave => None,
            Point::Instr(instr) => match &instr.op {
                Op::Lock { mutex } => put(self.certain(instance, *mutex)?),
                Op::Unlock { mutex } => {
                    take(meant(self.locks, self.world.pointers.in_instance(instance, *mutex)))
                }
                Op::AtomicBegin { .. } => put(LockId::SECTION),
                Op::AtomicEnd => take(section()),
                Op::Store { .. }
                | Op::Rmw { .. }
                | Op::CmpXchg(_)
                | Op::Copy { .. }
                | Op::Fill { .. }
                | Op::Free { .. }
                | Op::LocalLive { .. }
                | Op::LocalDead { .. } => take(self.writes.get(&(instance, instr.id))?.clone()),
                Op::Assign { .. }
                | Op::Load { .. }
                | Op::Fence { .. }
                | Op::Call { .. }
                | Op::Assume { .. }
                | Op::Assert { .. }
                | Op::Alloc { .. }
                | Op::Nondet { .. }
                | Op::Input { .. }
                | Op::Output { .. }
                | Op::Spawn { .. }
                | Op::Join { .. }
                | Op::Detach { .. }
                | Op::ThreadState { .. }
                | Op::Pair { .. }
                | Op::TryLock { .. }
                | Op::SelfHandle { .. }
                | Op::SelfNumber { .. }
                | Op::ExitThread { .. }
                | Op::ExitProgram { .. }
                | Op::Abort
                | Op::Unsupported { .. }
                | Op::Partial { .. } => None,
            },
        }
    }

    fn is_dead(&self, instance: InstanceId, from: BlockId, to: BlockId) -> bool {
        self.constants.is_dead(instance, from, to)
    }
}

impl Held<'_> {
    fn certain(&self, instance: InstanceId, mutex: Operand) -> Option<LockId> {
        let place = super::certain(self.world.pointers.in_instance(instance, mutex))?;
        self.places.get(&place).copied()
    }
}

/// The mutexes an operand may mean.
pub(super) fn meant(locks: &IndexVec<LockId, Option<(ObjectId, u64)>>, set: &PointsTo) -> Bits {
    let may = |place: &Option<(ObjectId, u64)>| {
        let Some((object, offset)) = place else { return false };
        set.may_be_unknown
            || set.may_be_uninit
            || set.targets.iter().any(|(target, at)| {
                target == object && overlap(*at, Some(WORD), Offset::At(*offset), Some(WORD))
            })
    };
    locks.enumerated().filter(|(_, place)| may(place)).map(|(id, _)| id.index()).collect()
}
