//! Which instructions may be executed after a thread was started.
//!
//! All writes before the first start are known when threads begin; memory that nobody writes later
//! needs no events. An over-approximation, by instance of a function: everything in other threads, and in
//! the first thread what control may reach after a `spawn`.

use braid_analysis::{AccessKind, Extent, Facts, InstanceId, ObjectId, Offset};
use braid_base::faults::active;
use braid_base::{HashMap, HashSet, IndexVec};
use braid_ir::{BlockId, InstrId, Op, Program, Space};

/// Ranges of bytes by object: `None` is everything.
type Ranges = Option<Vec<(u64, u64)>>;

/// Memory that may be written after the first start of a thread.
pub struct Later {
    memory: HashMap<ObjectId, Ranges>,
    shadow: HashMap<ObjectId, Ranges>,
    /// Bytes of which models keep state, ever.
    stateful: HashMap<ObjectId, Ranges>,
    /// Those of them that models write by stores, not by operations on mutexes.
    stored: HashMap<ObjectId, Ranges>,
    /// Words of locks.
    locks: HashMap<ObjectId, Ranges>,
    /// Objects whose life may end.
    mortal: HashSet<ObjectId>,
}

impl Later {
    pub fn new(program: &Program, facts: &Facts) -> Later {
        let after = After::new(program, facts);
        let mut later = Later {
            memory: HashMap::default(),
            shadow: HashMap::default(),
            stateful: HashMap::default(),
            stored: HashMap::default(),
            locks: HashMap::default(),
            mortal: HashSet::default(),
        };
        for access in &facts.accesses.list {
            let in_shadow = access.space == Space::Shadow;
            let group = access.also.map_or(&[] as &[ObjectId], |group| facts.accesses.group(group));
            let more = group.iter().map(|object| Extent { object: *object, offset: Offset::Any, len: None });
            for extent in access.extents.iter().copied().chain(more) {
                let range = match (extent.offset, extent.len) {
                    (Offset::At(start), Some(len)) => Some((start, start.saturating_add(len))),
                    (Offset::At(start), None) => Some((start, u64::MAX)),
                    (Offset::Any, _) => None,
                };
                if in_shadow && access.kind.writes() {
                    add(&mut later.stateful, extent.object, range);
                }
                if in_shadow && access.kind == AccessKind::Write {
                    add(&mut later.stored, extent.object, range);
                }
                if access.kind == AccessKind::Mutex {
                    add(&mut later.locks, extent.object, range);
                }
                let ends = matches!(access.kind, AccessKind::Free | AccessKind::Death);
                if ends && after.contains(access.instance, access.instr) {
                    later.mortal.insert(extent.object);
                    continue;
                }
                if !ends && access.kind.writes() && after.contains(access.instance, access.instr) {
                    let map = if in_shadow { &mut later.shadow } else { &mut later.memory };
                    add(map, extent.object, range);
                }
            }
        }
        later
    }

    /// Returns true if bytes of the object (any of them, without a range) may be written later.
    pub fn writes(&self, space: Space, object: ObjectId, range: Option<(u64, u64)>) -> bool {
        match space {
            // A plain write resets the state kept with the bytes.
            Space::Shadow => overlaps(&self.shadow, object, range) || overlaps(&self.memory, object, range),
            Space::Memory => overlaps(&self.memory, object, range),
        }
    }

    /// Returns true if the object's life may end later.
    pub fn ends(&self, object: ObjectId) -> bool {
        self.mortal.contains(&object)
    }

    /// Returns true if a model may store state with these bytes.
    pub fn is_state_stored(&self, object: ObjectId, range: Option<(u64, u64)>) -> bool {
        overlaps(&self.stored, object, range)
    }

    /// Where in the object threads may take locks; `Some(None)` if anywhere.
    pub fn locks(&self, object: ObjectId) -> Option<Option<&[(u64, u64)]>> {
        self.locks.get(&object).map(|ranges| ranges.as_deref())
    }

    /// Returns true if a model may keep state with these bytes.
    pub fn may_hold_state(&self, object: ObjectId, range: Option<(u64, u64)>) -> bool {
        overlaps(&self.stateful, object, range)
    }
}

fn add(map: &mut HashMap<ObjectId, Ranges>, object: ObjectId, range: Option<(u64, u64)>) {
    let entry = map.entry(object).or_insert_with(|| Some(Vec::new()));
    match (entry.as_mut(), range) {
        (Some(list), Some(range)) if !list.contains(&range) => list.push(range),
        (Some(_), None) => *entry = None,
        _ => {}
    }
}

fn overlaps(map: &HashMap<ObjectId, Ranges>, object: ObjectId, range: Option<(u64, u64)>) -> bool {
    match (map.get(&object), range) {
        (None, _) => false,
        (Some(None), _) => true,
        (Some(Some(list)), None) => !list.is_empty(),
        (Some(Some(list)), Some((start, end))) => list.iter().any(|(s, e)| *s < end && start < *e),
    }
}

/// Positions after a start, by instance.
struct After<'a> {
    program: &'a Program,
    facts: &'a Facts,
    /// Instances entered when a thread may have been started already.
    entered: HashSet<InstanceId>,
    /// Instances in which, or below which, a thread may be started.
    starting: HashSet<InstanceId>,
    points: HashSet<(InstanceId, InstrId)>,
}

impl<'a> After<'a> {
    fn new(program: &'a Program, facts: &'a Facts) -> After<'a> {
        let mut after = After {
            program,
            facts,
            entered: HashSet::default(),
            starting: HashSet::default(),
            points: HashSet::default(),
        };
        after.find_starting();
        for (_, _, started) in facts.calls.spawns().filter(|_| !active("later-writes-forgotten")) {
            after.entered.insert(started);
        }
        let mut waiting: Vec<InstanceId> = facts.pointers.instances().ids().collect();
        while let Some(instance) = waiting.pop() {
            after.walk(instance, &mut waiting);
        }
        after
    }

    fn contains(&self, instance: InstanceId, instr: InstrId) -> bool {
        self.points.contains(&(instance, instr))
    }

    /// Everything from which a spawn is reached by calls.
    fn find_starting(&mut self) {
        let mut waiting: Vec<InstanceId> = self.facts.calls.spawns().map(|(from, _, _)| from).collect();
        while let Some(instance) = waiting.pop() {
            if self.starting.insert(instance) {
                waiting.extend(self.facts.calls.callers(instance).iter().map(|(caller, _)| *caller));
            }
        }
    }

    /// One instance; new entries of callees go back to the list.
    fn walk(&mut self, instance: InstanceId, waiting: &mut Vec<InstanceId>) {
        let function = &self.program.functions[self.facts.pointers.instances()[instance].func];
        if function.blocks.is_empty() {
            return;
        }
        let mut state: IndexVec<BlockId, Option<bool>> = function.blocks.iter().map(|_| None).collect();
        let mut blocks = vec![(BlockId(0), self.entered.contains(&instance))];
        while let Some((block, mut after)) = blocks.pop() {
            if state[block].is_some_and(|known| known || !after) {
                continue;
            }
            state[block] = Some(after);
            for instr in &function.blocks[block].instrs {
                after |= matches!(instr.op, Op::Spawn { .. });
                if after {
                    self.points.insert((instance, instr.id));
                }
                if !matches!(instr.op, Op::Call { .. }) {
                    continue;
                }
                let callees: Vec<InstanceId> = self.facts.pointers.callees(instance, instr.id).collect();
                for callee in callees {
                    if after && self.entered.insert(callee) {
                        waiting.push(callee);
                    }
                    after |= self.starting.contains(&callee);
                }
                if after {
                    self.points.insert((instance, instr.id));
                }
            }
            if after {
                self.points.insert((instance, function.blocks[block].end.id));
            }
            let next = braid_analysis::cfg::successors(&function.blocks[block].end.kind);
            blocks.extend(next.into_iter().map(|to| (to, after)));
        }
    }
}
