//! Abstract objects: those that the program has from the beginning, and pairs of an own and a shared one for every place that
//! makes objects.

use braid_base::HashMap;
use braid_ir::{GlobalId, Program};
use braid_proof::eval::first_made;
use braid_proof::{Object, ObjectId, Place, Range};

pub struct Objects {
    /// The number of the first one in `list`.
    first: u32,
    pub list: Vec<Object>,
    known: HashMap<Place, ObjectId>,
}

impl Objects {
    pub fn new(program: &Program) -> Objects {
        Objects { first: first_made(program), list: Vec::new(), known: HashMap::default() }
    }

    /// The own object of a place.
    pub fn own(&mut self, place: Place) -> ObjectId {
        let (first, list) = (self.first, &mut self.list);
        *self.known.entry(place).or_insert_with(|| {
            let id = ObjectId(first + list.len() as u32);
            list.push(Object { place, own: true, size: None, single: true });
            list.push(Object { place, own: false, size: None, single: true });
            id
        })
    }

    /// The own object of a place, if one was ever made there.
    pub fn find(&self, place: Place) -> Option<ObjectId> {
        self.known.get(&place).copied()
    }

    /// The description of an object that the program makes.
    pub fn get(&self, id: ObjectId) -> Option<&Object> {
        self.list.get(id.0.checked_sub(self.first)? as usize)
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        self.list.get_mut(id.0.checked_sub(self.first)? as usize)
    }

    pub fn is_own(&self, id: ObjectId) -> bool {
        self.get(id).is_some_and(|object| object.own)
    }

    /// The shared object of the place of an own one.
    pub fn shared(&self, own: ObjectId) -> ObjectId {
        debug_assert!(self.is_own(own));
        ObjectId(own.0 + 1)
    }

    /// The static variable that an object is.
    pub fn global(&self, program: &Program, id: ObjectId) -> Option<GlobalId> {
        (id.0 < program.globals.len() as u32).then_some(GlobalId(id.0))
    }

    /// Returns true if an execution has at most one object that is ever this one.
    pub fn is_single(&self, program: &Program, id: ObjectId) -> bool {
        match self.global(program, id) {
            Some(global) => !program.globals[global].thread_local,
            None => self.get(id).is_none_or(|object| object.single),
        }
    }

    /// Bytes of an object, if it has been made.
    pub fn size(&self, program: &Program, id: ObjectId) -> Option<Range> {
        match (self.global(program, id), self.get(id)) {
            (Some(global), _) => Some(Range::point(program.globals[global].size.into())),
            (None, Some(object)) => object.size,
            (None, None) => Some(Range::point(0)),
        }
    }

    /// Notes that an object of the place was made with so many bytes. Returns true if that is new.
    pub fn grow(&mut self, own: ObjectId, size: Range) -> bool {
        let mut changed = false;
        for id in [own, self.shared(own)] {
            let object = self.get_mut(id).expect("the object was made");
            let joined = object.size.map_or(size, |known| known.join(size));
            changed |= object.size != Some(joined);
            object.size = Some(joined);
        }
        changed
    }
}
