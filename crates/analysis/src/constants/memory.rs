//! What a load may read: the first value of its bytes, and the stores that go exactly there.
//!
//! Known only if the load has one place to read from, and few stores to the object could touch it.
//! [`Later`] tells which stores may be done before a load: nothing that runs before the store, and cannot
//! run after it or beside it, sees it.

use super::eval::Value;
use crate::accesses::{Access, AccessKind, Accesses, Extent, Group};
use crate::bits::Bits;
use crate::flow::World;
use crate::instances::InstanceId;
use crate::objects::{Object, ObjectId, Offset};
use crate::points_to::{Pointers, overlap};
use crate::threads::{ThreadId, Threads};
use braid_base::{HashMap, HashSet, Idx, IndexVec};
use braid_ir::*;
use std::cell::RefCell;
use std::rc::Rc;

/// Writes to one object that are looked through.
const WRITES: usize = 64;

/// An instruction of an instance.
pub(super) type Place = (InstanceId, InstrId);

/// The first value, and the stored operands.
type Sources = (Value, Vec<(InstanceId, Operand)>);

pub(super) struct Memory {
    sources: HashMap<Place, Sources>,
    readers: IndexVec<InstanceId, Vec<InstanceId>>,
    callers: IndexVec<InstanceId, Vec<InstanceId>>,
}

impl Memory {
    pub fn new(
        program: &Program,
        pointers: &Pointers,
        accesses: &Accesses,
        may_precede: &dyn Fn(Place, Place) -> bool,
    ) -> Memory {
        let none = || pointers.instances().iter().map(|_| Vec::new()).collect::<IndexVec<_, _>>();
        let mut memory = Memory { sources: HashMap::default(), readers: none(), callers: none() };
        for &(caller, _, callee) in &pointers.calls {
            if memory.callers[callee].last() != Some(&caller) {
                memory.callers[callee].push(caller);
            }
        }
        let operations = Operations::new(program);
        let writes = Writes::new(pointers, accesses);
        let finder = Finder { program, pointers, accesses, operations, writes, may_precede };
        for access in &accesses.list {
            if let Some(sources) = finder.sources(access) {
                for (writer, _) in &sources.1 {
                    if !memory.readers[*writer].contains(&access.instance) {
                        memory.readers[*writer].push(access.instance);
                    }
                }
                memory.sources.insert((access.instance, access.instr), sources);
            }
        }
        memory
    }

    /// What a load reads, if that is known.
    pub fn sources(&self, instance: InstanceId, load: InstrId) -> Option<&Sources> {
        self.sources.get(&(instance, load))
    }

    /// Who reads what the instance stores.
    pub fn readers(&self, instance: InstanceId) -> &[InstanceId] {
        &self.readers[instance]
    }

    pub fn callers(&self, instance: InstanceId) -> &[InstanceId] {
        &self.callers[instance]
    }
}

/// Instructions by their id.
struct Operations<'a> {
    list: Vec<Option<&'a Op>>,
}

impl<'a> Operations<'a> {
    fn new(program: &'a Program) -> Operations<'a> {
        let mut list = vec![None; program.next_instr as usize];
        for function in &program.functions {
            for instr in function.blocks.iter().flat_map(|block| &block.instrs) {
                list[instr.id.index()] = Some(&instr.op);
            }
        }
        Operations { list }
    }
}

/// Writes, by position in the list of accesses.
struct Writes {
    by_object: IndexVec<ObjectId, Vec<usize>>,
    /// To whatever unknown numbers reach.
    exposed: Vec<usize>,
}

impl Writes {
    fn new(pointers: &Pointers, accesses: &Accesses) -> Writes {
        let by_object = pointers.objects().map(|_| Vec::new()).collect();
        let mut writes = Writes { by_object, exposed: Vec::new() };
        for (index, access) in accesses.list.iter().enumerate() {
            // The end of a life is no value, and a mutex keeps its state elsewhere.
            let counts = matches!(access.kind, AccessKind::Write | AccessKind::Update);
            if !counts || access.space != Space::Memory {
                continue;
            }
            for extent in &access.extents {
                let list = &mut writes.by_object[extent.object];
                if list.last() != Some(&index) {
                    list.push(index);
                }
            }
            if access.also == Some(Group::Exposed) {
                writes.exposed.push(index);
            }
        }
        writes
    }

    /// Those that may touch the object, if they are few.
    fn to(&self, accesses: &Accesses, object: ObjectId) -> Option<Vec<usize>> {
        let listed = &self.by_object[object];
        let is_exposed = accesses.group(Group::Exposed).binary_search(&object).is_ok();
        let exposed: &[usize] = if is_exposed { &self.exposed } else { &[] };
        if listed.len() + exposed.len() > WRITES {
            return None;
        }
        let mut all: Vec<usize> = listed.iter().chain(exposed).copied().collect();
        all.sort_unstable();
        all.dedup();
        Some(all)
    }
}

struct Finder<'a> {
    program: &'a Program,
    pointers: &'a Pointers,
    accesses: &'a Accesses,
    operations: Operations<'a>,
    writes: Writes,
    may_precede: &'a dyn Fn(Place, Place) -> bool,
}

impl Finder<'_> {
    fn sources(&self, load: &Access) -> Option<Sources> {
        let Some(Op::Load { ptr, ty: Ty::Int(_), .. }) = self.operations.list[load.instr.index()] else {
            return None;
        };
        if load.kind != AccessKind::Read || load.space != Space::Memory {
            return None;
        }
        let set = self.pointers.in_instance(load.instance, *ptr);
        let (object, at) = set.single().filter(|_| !set.may_be_uninit)?;
        let [Extent { len: Some(len), .. }] = load.extents.as_slice() else { return None };
        let first = self.first(object, at, *len)?;
        let writes = self.writes.to(self.accesses, object)?;
        let mut stores = Vec::new();
        for write in writes.iter().map(|index| &self.accesses.list[*index]) {
            self.source(load, write, (object, at, *len), &mut stores)?;
        }
        Some((first, stores))
    }

    /// What a write contributes; `None` if that is not known.
    fn source(
        &self,
        load: &Access,
        write: &Access,
        (object, at, len): (ObjectId, u64, u64),
        stores: &mut Vec<(InstanceId, Operand)>,
    ) -> Option<()> {
        let touches = |e: &&Extent| overlap(e.offset, e.len, Offset::At(at), Some(len));
        let extents: Vec<Extent> = self.accesses.extents_in(write, object).collect();
        let mut touching = extents.iter().filter(touches);
        let Some(extent) = touching.next() else { return Some(()) };
        let place = |access: &Access| (access.instance, access.instr);
        if !(self.may_precede)(place(write), place(load)) {
            return Some(());
        }
        let exact = extent.offset == Offset::At(at) && extent.len == Some(len) && touching.next().is_none();
        let operation = self.operations.list[write.instr.index()]?;
        if let (Op::Store { value, .. }, true) = (operation, exact) {
            stores.push((write.instance, *value));
            return Some(());
        }
        let Op::Fill { byte, .. } = operation else { return None };
        stores.push((write.instance, *byte));
        self.is_zero(*byte).then_some(())
    }

    fn is_zero(&self, operand: Operand) -> bool {
        match operand {
            Operand::Reg(_) => false,
            Operand::Const(id) => matches!(self.program.consts.get(id), Const::Int { bits: 0, .. }),
        }
    }

    /// The value the bytes have at first.
    fn first(&self, object: ObjectId, at: u64, len: u64) -> Option<Value> {
        let Object::Global(id) = self.pointers.object(object) else { return None };
        let init = &self.program.globals[id].init;
        let word = u64::from(self.program.pointer_bytes);
        let address = |start: u64| start < at + len && at < start + word;
        if len > 16 || init.pointers.iter().any(|(start, _)| address(*start)) {
            return None;
        }
        let byte = |offset: u64| {
            let chunk = init
                .data
                .iter()
                .find(|(start, bytes)| (*start..*start + bytes.len() as u64).contains(&offset));
            chunk.map_or(0, |(start, bytes)| bytes[(offset - start) as usize])
        };
        let bits = (0..len).rev().fold(0, |bits: u128, i| bits << 8 | u128::from(byte(at + i)));
        Some(Value::one(bits))
    }
}

/// What may be executed after a store, or beside it.
pub(super) struct Later<'a> {
    world: World<'a>,
    threads: &'a Threads,
    known: RefCell<HashMap<Place, Rc<Bits>>>,
    /// The instances that threads started in an instance begin in.
    spawned: HashMap<InstanceId, Vec<InstanceId>>,
}

/// Stores looked at in detail.
const STORES: usize = 64;

impl<'a> Later<'a> {
    pub fn new(world: World<'a>, threads: &'a Threads) -> Later<'a> {
        let mut spawned: HashMap<InstanceId, Vec<InstanceId>> = HashMap::default();
        for (from, _, target) in world.calls.spawns() {
            spawned.entry(from).or_default().push(target);
        }
        Later { world, threads, known: RefCell::default(), spawned }
    }

    /// Whether the load may be executed after the store.
    pub fn may_follow(&self, store: Place, load: Place) -> bool {
        let mut known = self.known.borrow_mut();
        if known.len() >= STORES && !known.contains_key(&store) {
            return true;
        }
        let later = known.entry(store).or_insert_with(|| Rc::new(self.after(store)));
        later.contains(load.0.index())
    }

    /// The instances of which something may be executed after the place, or beside it.
    fn after(&self, place: Place) -> Bits {
        let mut found = Bits::default();
        for thread in self.threads.others(place).iter() {
            found.union(&self.threads.list[ThreadId::from_usize(thread)].instances);
        }
        let mut started = Vec::new();
        let mut seen: HashSet<(InstanceId, BlockId)> = HashSet::default();
        // Places from which execution goes on; where a function ends, its callers go on.
        let mut waiting = vec![place];
        let mut ended = Bits::default();
        while let Some((instance, instr)) = waiting.pop() {
            found.insert(instance.index());
            self.rest_of(instance, instr, &mut seen, &mut started);
            if ended.insert(instance.index()) {
                waiting.extend(self.world.calls.callers(instance));
            }
        }
        found.union(&self.all_started(started));
        found
    }

    /// What the rest of an instance calls and starts.
    fn rest_of(
        &self,
        instance: InstanceId,
        instr: InstrId,
        seen: &mut HashSet<(InstanceId, BlockId)>,
        started: &mut Vec<InstanceId>,
    ) {
        let function = self.world.function(instance);
        let start = function.blocks.enumerated().find_map(|(id, block)| {
            let at = block.instrs.iter().position(|i| i.id == instr)?;
            Some((id, at + 1))
        });
        let mut blocks: Vec<(BlockId, usize)> = start.into_iter().collect();
        while let Some((block, from)) = blocks.pop() {
            let body = &function.blocks[block];
            for instr in &body.instrs[from..] {
                if matches!(instr.op, Op::Call { .. } | Op::Spawn { .. }) {
                    started.extend(self.world.pointers.callees(instance, instr.id));
                    started.extend(self.world.pointers.spawned(instance, instr.id));
                }
            }
            for to in crate::cfg::successors(&body.end.kind) {
                if seen.insert((instance, to)) {
                    blocks.push((to, 0));
                }
            }
        }
    }

    /// What instances lead to: calls, and threads with all they lead to.
    fn all_started(&self, mut waiting: Vec<InstanceId>) -> Bits {
        let mut found = Bits::default();
        while let Some(instance) = waiting.pop() {
            if found.insert(instance.index()) {
                waiting.extend(self.world.calls.callees(instance).iter().map(|(_, callee)| *callee));
                waiting.extend(self.spawned.get(&instance).into_iter().flatten());
            }
        }
        found
    }
}
