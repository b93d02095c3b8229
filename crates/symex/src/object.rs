//! The objects of a bounded program: each allocation, frame object, variable and thread has a number.

use crate::{Contents, Initial, Layout};
use braid_analysis::ObjectId;
use braid_base::{HashMap, Idx, define_ids};
use braid_ir::{Const, GlobalId, Program};
use braid_logic::{Term, Terms};
use std::collections::BTreeMap;
use std::rc::Rc;

define_ids! {
    /// An object, by its number in the layout; number 0 is none.
    ObjectNo "#";
    /// A thread of the bounded program.
    ThreadIx "T";
}

/// An execution of an instruction by a thread: a position in its log.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LogRef {
    pub thread: ThreadIx,
    pub index: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Function(braid_ir::FuncId),
    Global(GlobalId),
    ThreadLocal(ThreadIx, GlobalId),
    Frame,
    Stack,
    Heap,
    /// What a thread's handle is the address of.
    Thread(ThreadIx),
}

/// What stays the same from an object's birth on.
#[derive(Clone, Debug)]
pub struct Object {
    pub kind: Kind,
    /// What the analyses call it.
    pub place: Option<ObjectId>,
    /// Pointer-wide.
    pub size: Term,
    /// The size, or a bound on it.
    pub room: u64,
    pub read_only: bool,
    pub align: u64,
    /// The operation that made it, for all but variables.
    pub made: Option<LogRef>,
    /// Contents at birth.
    pub contents: Contents,
}

impl ObjectNo {
    /// The number of no object: null and small integers have it.
    pub const NONE: ObjectNo = ObjectNo(0);
}

/// The table of objects; number 0 is none.
#[derive(Clone, Debug)]
pub struct Objects {
    pub layout: Layout,
    list: Vec<Object>,
    statics: HashMap<Const, ObjectNo>,
    by_place: BTreeMap<ObjectId, Vec<ObjectNo>>,
}

impl Objects {
    pub fn new(layout: Layout) -> Objects {
        Objects { layout, list: Vec::new(), statics: HashMap::default(), by_place: BTreeMap::default() }
    }

    /// Whether there is room for more objects, and for one of this size.
    pub fn fits(&self, size: u64) -> bool {
        (self.list.len() as u64) + 2 < u64::from(self.layout.max_objects()) && size < self.layout.max_size()
    }

    pub fn add(&mut self, object: Object) -> ObjectNo {
        let (number, place) = (self.next(), object.place);
        self.list.push(object);
        if let Some(place) = place {
            self.by_place.entry(place).or_default().push(number);
        }
        number
    }

    /// The number of the newest object; [`ObjectNo::NONE`] before the first.
    pub fn newest(&self) -> ObjectNo {
        ObjectNo::from_usize(self.list.len())
    }

    /// The number that the next object gets.
    pub fn next(&self) -> ObjectNo {
        ObjectNo::from_usize(self.list.len() + 1)
    }

    pub fn get(&self, number: ObjectNo) -> Option<&Object> {
        self.list.get(number.index().checked_sub(1)?)
    }

    pub fn iter(&self) -> impl Iterator<Item = (ObjectNo, &Object)> {
        self.list.iter().enumerate().map(|(index, object)| (ObjectNo::from_usize(index + 1), object))
    }

    /// The objects that an abstract one stands for, so far.
    pub fn of_place(&self, place: ObjectId) -> &[ObjectNo] {
        self.by_place.get(&place).map_or(&[], |list| list)
    }

    /// The number of a variable or function.
    pub fn of_const(&self, constant: Const) -> Option<ObjectNo> {
        let base = match constant {
            Const::Global(global, _) => Const::Global(global, 0),
            other => other,
        };
        self.statics.get(&base).copied()
    }

    pub fn know(&mut self, constant: Const, number: ObjectNo) {
        self.statics.insert(constant, number);
    }
}

/// What a variable holds at the beginning.
pub fn initial_contents(
    terms: &mut Terms,
    program: &Program,
    objects: &Objects,
    global: GlobalId,
) -> Contents {
    let declared = &program.globals[global];
    let mut bytes = BTreeMap::new();
    for (start, data) in &declared.init.data {
        for (index, byte) in data.iter().enumerate() {
            bytes.insert(start + index as u64, *byte);
        }
    }
    let initial = if bytes.is_empty() { Initial::Zero } else { Initial::Data(Rc::new(bytes)) };
    let mut contents = Contents::new(declared.size, initial);
    for (offset, constant) in &declared.init.pointers {
        let value = crate::constant(
            terms,
            objects.layout,
            &|c| objects.of_const(c).unwrap_or(ObjectNo::NONE),
            *constant,
        );
        let bytes = u32::from(program.pointer_bytes);
        let stored = contents.store(terms, crate::Place::At(*offset), bytes, value);
        debug_assert!(stored.is_ok(), "constant places are never too large");
    }
    contents
}
