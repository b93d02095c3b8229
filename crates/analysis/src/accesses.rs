//! What each instruction may touch, in each instance of its function.
//!
//! An over-approximation of the accesses of the interpreter: reads and writes of memory and shadow space,
//! the end of an object's life (which writes all of it), and the operations on mutexes (which use the
//! shadow of the mutex). Reads of constants (string literals and such) are left out: nothing writes there.

use crate::Options;
use crate::bits::Bits;
use crate::instances::InstanceId;
use crate::objects::{BlockKind, Object, ObjectId, Offset};
use crate::points_to::{Pointers, PointsTo};
use braid_base::{HashMap, Idx, IndexVec};
use braid_ir::*;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum AccessKind {
    Read,
    Write,
    /// Atomic read-modify-write.
    Update,
    /// `free` of a heap block.
    Free,
    /// The end of the life of frame objects or thread-local ones.
    Death,
    /// `lock`, `trylock`, `unlock`.
    Mutex,
}

impl AccessKind {
    pub fn writes(self) -> bool {
        match self {
            AccessKind::Read => false,
            AccessKind::Write
            | AccessKind::Update
            | AccessKind::Free
            | AccessKind::Death
            | AccessKind::Mutex => true,
        }
    }
}

/// A range of bytes of an object; a length of `None` is any.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Extent {
    pub object: ObjectId,
    pub offset: Offset,
    pub len: Option<u64>,
}

impl Extent {
    fn anywhere(object: ObjectId) -> Extent {
        Extent { object, offset: Offset::Any, len: None }
    }
}

/// Objects that many accesses may touch, listed once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Group {
    /// What unknown numbers may reach.
    Exposed,
    /// Blocks among them.
    ExposedBlocks(BlockKind),
    /// Objects of frames and of threads.
    Frames,
}

impl Group {
    pub const ALL: [Group; 4] = [
        Group::Exposed,
        Group::ExposedBlocks(BlockKind::Heap),
        Group::ExposedBlocks(BlockKind::Stack),
        Group::Frames,
    ];

    /// Its place in [`Group::ALL`].
    pub fn index(self) -> usize {
        match self {
            Group::Exposed => 0,
            Group::ExposedBlocks(BlockKind::Heap) => 1,
            Group::ExposedBlocks(BlockKind::Stack) => 2,
            Group::Frames => 3,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    pub instance: InstanceId,
    /// An instruction or the end of a block.
    pub instr: InstrId,
    pub kind: AccessKind,
    pub space: Space,
    pub atomic: bool,
    /// The bytes it may touch, ascending; only memory that can be written.
    pub extents: Vec<Extent>,
    /// What else it may touch, anywhere.
    pub also: Option<Group>,
    /// Bytes before and after that belong to the same memory location, for races.
    pub location: (u16, u16),
    /// In the code of a library model.
    pub internal: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Accesses {
    pub list: Vec<Access>,
    by_instr: HashMap<InstrId, Vec<usize>>,
    /// The objects of each group, ascending.
    groups: [Vec<ObjectId>; 4],
}

impl Accesses {
    pub fn new(program: &Program, pointers: &Pointers, options: Options) -> Accesses {
        let owned = Owned::new(pointers);
        let mut list = Vec::new();
        for (id, instance) in pointers.instances().enumerated() {
            let function = &program.functions[instance.func];
            let (owned, list, one_use) = (&owned, &mut list, options.one_use);
            let internal = function.internal;
            let mut finder = Finder { program, pointers, owned, id, function, internal, list, one_use };
            for block in &function.blocks {
                block.instrs.iter().for_each(|instr| finder.instruction(instr));
                finder.end(&block.end);
            }
        }
        let mut by_instr: HashMap<InstrId, Vec<usize>> = HashMap::default();
        for (index, access) in list.iter().enumerate() {
            by_instr.entry(access.instr).or_default().push(index);
        }
        let groups = Group::ALL.map(|group| members(program, pointers, &owned, group));
        Accesses { list, by_instr, groups }
    }

    /// The objects of a group, ascending.
    pub fn group(&self, group: Group) -> &[ObjectId] {
        &self.groups[group.index()]
    }

    /// The bytes of an object that an access may touch.
    pub fn extents_in(&self, access: &Access, object: ObjectId) -> impl Iterator<Item = Extent> {
        let first = access.extents.partition_point(|extent| extent.object < object);
        let listed = access.extents[first..].iter().take_while(move |extent| extent.object == object);
        let also = access.also.filter(|group| self.group(*group).binary_search(&object).is_ok());
        listed.copied().chain(also.map(|_| Extent::anywhere(object)))
    }

    /// The accesses of an instruction, in all instances of its function.
    pub fn of(&self, instr: InstrId) -> impl Iterator<Item = &Access> {
        self.by_instr.get(&instr).into_iter().flatten().map(|index| &self.list[*index])
    }
}

fn members(program: &Program, pointers: &Pointers, owned: &Owned, group: Group) -> Vec<ObjectId> {
    let exposed = pointers.exposed().targets.iter().map(|(object, _)| *object);
    let writable = |object: &ObjectId| is_writable(program, pointers, *object);
    match group {
        Group::Exposed => exposed.filter(writable).collect(),
        Group::ExposedBlocks(wanted) => {
            exposed.filter(|object| is_block(pointers, *object, wanted)).collect()
        }
        Group::Frames => {
            let mut frames: Vec<ObjectId> =
                owned.frame.iter().flatten().chain(&owned.thread).copied().collect();
            frames.sort();
            frames
        }
    }
}

/// Objects that die with frames and threads.
struct Owned {
    frame: IndexVec<InstanceId, Vec<ObjectId>>,
    thread: Vec<ObjectId>,
    /// Instances that threads begin in.
    begins_thread: Bits,
}

impl Owned {
    fn new(pointers: &Pointers) -> Owned {
        let mut frame: IndexVec<InstanceId, Vec<ObjectId>> =
            pointers.instances().iter().map(|_| Vec::new()).collect();
        let mut thread = Vec::new();
        for (id, object) in pointers.objects() {
            match object {
                Object::Local(instance, _) | Object::Block(instance, _, BlockKind::Stack) => {
                    frame[instance].push(id);
                }
                Object::ThreadLocal(_) => thread.push(id),
                Object::Unknown
                | Object::Uninit
                | Object::Handle(..)
                | Object::Function(_)
                | Object::Global(_)
                | Object::Block(_, _, BlockKind::Heap) => {}
            }
        }
        let begins_thread = pointers.spawns.iter().map(|edge| edge.target.index()).collect();
        Owned { frame, thread, begins_thread }
    }
}

struct Finder<'a> {
    program: &'a Program,
    pointers: &'a Pointers,
    owned: &'a Owned,
    id: InstanceId,
    function: &'a Function,
    /// The code that is looked at belongs to a library model.
    internal: bool,
    list: &'a mut Vec<Access>,
    /// See [`Options::one_use`].
    one_use: bool,
}

impl Finder<'_> {
    fn instruction(&mut self, instr: &Instr) {
        use AccessKind::{Free, Mutex, Read, Update, Write};
        let id = instr.id;
        self.internal = self.function.internal || instr.internal;
        match &instr.op {
            Op::Load { ty, ptr, access, .. } => self.access(id, Read, *ptr, Some(*ty), *access),
            Op::Store { ty, ptr, access, .. } => self.access(id, Write, *ptr, Some(*ty), *access),
            Op::Rmw { ty, ptr, .. } => self.access(id, Update, *ptr, Some(*ty), ordered(Order::SeqCst)),
            Op::CmpXchg(c) => self.access(id, Update, c.ptr, Some(c.ty), ordered(Order::SeqCst)),
            Op::Copy { dst, src, len, .. } => {
                self.range(id, Read, *src, *len);
                self.range(id, Write, *dst, *len);
                // It asks whether a synchronisation object in the source is in use.
                let access = braid_ir::Access { space: Space::Shadow, ..Default::default() };
                self.access(id, Read, *src, None, access);
            }
            Op::Fill { dst, len, .. } => self.range(id, Write, *dst, *len),
            Op::Free { kind: AllocKind::Heap, ptr } => self.ends(id, Free, *ptr, BlockKind::Heap),
            Op::Free { kind: AllocKind::Stack, ptr } => {
                self.ends(id, AccessKind::Death, *ptr, BlockKind::Stack);
            }
            Op::LocalLive { local } | Op::LocalDead { local } => {
                let object = self.pointers.find(Object::Local(self.id, *local));
                self.deaths(id, object.into_iter().collect());
            }
            Op::Lock { mutex } | Op::TryLock { mutex, .. } | Op::Unlock { mutex } => {
                let word = Some(Ty::Int(32));
                let access = braid_ir::Access { space: Space::Shadow, ..Default::default() };
                self.access(id, Mutex, *mutex, word, access);
            }
            Op::Pair { word, .. } if !self.one_use => {
                let access = braid_ir::Access { space: Space::Shadow, ..Default::default() };
                self.access(id, Write, *word, Some(Ty::Ptr), access);
            }
            Op::AtomicBegin { when } => {
                // The reads of a guard are steps of the instruction that it guards.
                for inner in when.iter().flat_map(|guard| &guard.instrs) {
                    if let Op::Load { ty, ptr, access, .. } = &inner.op {
                        self.access(id, Read, *ptr, Some(*ty), *access);
                    }
                }
            }
            Op::ExitThread { .. } => self.thread_end(id),
            Op::Assign { .. }
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
            | Op::AtomicEnd
            | Op::SelfHandle { .. }
            | Op::SelfNumber { .. }
            | Op::ExitProgram { .. }
            | Op::Abort
            | Op::Unsupported { .. }
            | Op::Partial { .. } => {}
        }
    }

    /// The frame's objects end with it; and if it is a thread's first frame, the thread's.
    fn end(&mut self, end: &Terminator) {
        self.internal = self.function.internal;
        match end.kind {
            TermKind::Return(_) => {
                let mut objects = self.owned.frame[self.id].clone();
                if self.owned.begins_thread.contains(self.id.index()) {
                    objects.extend(&self.owned.thread);
                }
                self.deaths(end.id, objects);
            }
            TermKind::Jump(_) | TermKind::Branch { .. } | TermKind::Switch { .. } | TermKind::Unreachable => {
            }
        }
    }

    /// Every frame of the thread ends, whichever there are.
    fn thread_end(&mut self, instr: InstrId) {
        self.push(instr, AccessKind::Death, braid_ir::Access::default(), Vec::new(), Some(Group::Frames));
    }

    fn access(
        &mut self,
        instr: InstrId,
        kind: AccessKind,
        ptr: Operand,
        ty: Option<Ty>,
        access: braid_ir::Access,
    ) {
        let len = ty.map(|ty| ty.bytes(self.program.pointer_bytes));
        self.through(instr, kind, ptr, len, access);
    }

    fn range(&mut self, instr: InstrId, kind: AccessKind, ptr: Operand, len: Operand) {
        let len = match len {
            Operand::Reg(_) => None,
            Operand::Const(id) => match self.program.consts.get(id) {
                Const::Int { bits, .. } => Some(bits as u64),
                Const::F32(_) | Const::F64(_) | Const::Null | Const::Global(..) | Const::Func(_) => None,
            },
        };
        self.through(instr, kind, ptr, len, braid_ir::Access::default());
    }

    /// An access through a pointer.
    fn through(
        &mut self,
        instr: InstrId,
        kind: AccessKind,
        ptr: Operand,
        len: Option<u64>,
        access: braid_ir::Access,
    ) {
        let set = self.pointers.in_instance(self.id, ptr);
        let extents = self.extents(set, len);
        self.push(instr, kind, access, extents, set.may_be_exposed.then_some(Group::Exposed));
    }

    fn extents(&self, set: &PointsTo, len: Option<u64>) -> Vec<Extent> {
        let extent = |&(object, offset): &(ObjectId, Offset)| Extent { object, offset, len };
        set.targets
            .iter()
            .filter(|(object, _)| is_writable(self.program, self.pointers, *object))
            .map(extent)
            .collect()
    }

    /// The end of blocks of a kind.
    fn ends(&mut self, instr: InstrId, kind: AccessKind, ptr: Operand, wanted: BlockKind) {
        let set = self.pointers.in_instance(self.id, ptr);
        let block = |object: &ObjectId| is_block(self.pointers, *object, wanted);
        let mut objects: Vec<ObjectId> =
            set.targets.iter().map(|(object, _)| *object).filter(block).collect();
        objects.dedup();
        self.whole(instr, kind, objects, set.may_be_exposed.then_some(Group::ExposedBlocks(wanted)));
    }

    fn deaths(&mut self, instr: InstrId, objects: Vec<ObjectId>) {
        self.whole(instr, AccessKind::Death, objects, None);
    }

    fn whole(&mut self, instr: InstrId, kind: AccessKind, mut objects: Vec<ObjectId>, also: Option<Group>) {
        objects.sort();
        let all = |object| Extent { object, offset: Offset::At(0), len: None };
        let extents = objects.into_iter().map(all).collect();
        self.push(instr, kind, braid_ir::Access::default(), extents, also);
    }

    fn push(
        &mut self,
        instr: InstrId,
        kind: AccessKind,
        access: braid_ir::Access,
        extents: Vec<Extent>,
        also: Option<Group>,
    ) {
        if extents.is_empty() && also.is_none() {
            return;
        }
        let (instance, internal) = (self.id, self.internal);
        let (space, location) = (access.space, access.extent);
        let atomic = access.order != Order::Plain;
        self.list.push(Access { instance, instr, kind, space, atomic, extents, also, location, internal });
    }
}

fn ordered(order: Order) -> braid_ir::Access {
    braid_ir::Access { order, ..Default::default() }
}

/// Whether the object is memory that can be written.
fn is_writable(program: &Program, pointers: &Pointers, object: ObjectId) -> bool {
    match pointers.object(object) {
        Object::Global(id) | Object::ThreadLocal(id) => !program.globals[id].read_only,
        Object::Function(_) | Object::Unknown | Object::Uninit | Object::Handle(..) => false,
        Object::Local(..) | Object::Block(..) => true,
    }
}

fn is_block(pointers: &Pointers, object: ObjectId, wanted: BlockKind) -> bool {
    matches!(pointers.object(object), Object::Block(_, _, kind) if kind == wanted)
}
