//! Abstract objects: what memory is made of, as far as the analyses tell objects apart.
//!
//! One abstract object stands for all objects of an execution that come from the same place: a static
//! variable for itself, a thread-local one for the instances of all threads, a frame object or block for
//! every time its instruction is executed in that instance of its function.

use crate::instances::{Instance, InstanceId};
use braid_base::{HashMap, IndexVec, define_ids};
use braid_ir::{AllocKind, FuncId, GlobalId, InstrId, LocalId, Program};

define_ids! {
    /// An abstract object.
    ObjectId "o";
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Object {
    /// Stands for an arbitrary number in sets of values; no object.
    Unknown,
    /// Stands for the contents of memory never written; no object.
    Uninit,
    /// Stands for the handle of a thread started there; no object.
    Handle(InstanceId, InstrId),
    Function(FuncId),
    Global(GlobalId),
    ThreadLocal(GlobalId),
    Local(InstanceId, LocalId),
    /// From this `alloc`.
    Block(InstanceId, InstrId, BlockKind),
}

/// [`AllocKind`], ordered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum BlockKind {
    Heap,
    Stack,
}

impl From<AllocKind> for BlockKind {
    fn from(kind: AllocKind) -> BlockKind {
        match kind {
            AllocKind::Heap => BlockKind::Heap,
            AllocKind::Stack => BlockKind::Stack,
        }
    }
}

impl Object {
    /// Whether it stands for memory (or code) and not for a number.
    pub fn is_memory(self) -> bool {
        match self {
            Object::Unknown | Object::Uninit | Object::Handle(..) => false,
            Object::Function(_)
            | Object::Global(_)
            | Object::ThreadLocal(_)
            | Object::Local(..)
            | Object::Block(..) => true,
        }
    }

    /// Its size, if all the objects it stands for have the same.
    pub fn size(self, program: &Program, instances: &IndexVec<InstanceId, Instance>) -> Option<u64> {
        match self {
            Object::Global(id) | Object::ThreadLocal(id) => Some(program.globals[id].size),
            Object::Local(instance, local) => {
                Some(program.functions[instances[instance].func].locals[local].size)
            }
            Object::Function(_) => Some(0),
            Object::Unknown | Object::Uninit | Object::Handle(..) | Object::Block(..) => None,
        }
    }
}

/// Where in its object a pointer points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Offset {
    At(u64),
    /// Anywhere, inside or outside.
    Any,
}

/// Interned objects. The first two are `Unknown` and `Uninit`.
#[derive(Clone, Debug)]
pub(crate) struct Objects {
    pub list: IndexVec<ObjectId, Object>,
    known: HashMap<Object, ObjectId>,
}

pub(crate) const UNKNOWN: ObjectId = ObjectId(0);
pub(crate) const UNINIT: ObjectId = ObjectId(1);

impl Default for Objects {
    fn default() -> Objects {
        let mut objects = Objects { list: IndexVec::new(), known: HashMap::default() };
        objects.intern(Object::Unknown);
        objects.intern(Object::Uninit);
        objects
    }
}

impl Objects {
    /// The id, and whether it is new.
    pub fn intern(&mut self, object: Object) -> (ObjectId, bool) {
        if let Some(&id) = self.known.get(&object) {
            return (id, false);
        }
        let id = self.list.push(object);
        self.known.insert(object, id);
        (id, true)
    }

    pub fn find(&self, object: Object) -> Option<ObjectId> {
        self.known.get(&object).copied()
    }
}
