//! What memory held when the first thread was started.

use super::cells::{Cell, Spot};
use braid_logic::{Sort, Term, Terms};
use braid_symex::{Place, Taint};
use braid_unwind::{Area, Bounded};

/// What the cell held then.
pub fn held_at(terms: &mut Terms, bounded: &Bounded, area: Area, cell: &Cell) -> Term {
    match &cell.spot {
        Spot::Fixed { object, offset } => held(terms, bounded, area, *object, Place::At(*offset), cell.bytes),
        Spot::Open { pointer, objects } => {
            let mut found = terms.bits(8 * cell.bytes, 0);
            for object in objects.iter().rev() {
                let (zone, place) = zone(terms, bounded, area, *pointer, *object);
                let held = held(terms, bounded, area, *object, place, cell.bytes);
                found = terms.ite(zone, held, found);
            }
            found
        }
    }
}

/// Whether what the whole access would have found then is a plain number, or was never written.
pub fn is_plain(terms: &mut Terms, bounded: &Bounded, cell: &Cell) -> bool {
    let access = &bounded.accesses[cell.access];
    let objects = match &cell.spot {
        Spot::Fixed { object, .. } => std::slice::from_ref(object),
        Spot::Open { objects, .. } => objects,
    };
    objects.iter().all(|object| {
        let (_, place) = zone(terms, bounded, Area::Memory, access.pointer, *object);
        let found = bounded.initial.contents(&bounded.objects, *object).load(terms, place, access.bytes);
        found.is_ok_and(|value| value.taint == Taint::None)
    })
}

/// Bool: an access is to the object; and where in it.
pub fn zone(terms: &mut Terms, bounded: &Bounded, area: Area, pointer: Term, object: u32) -> (Term, Place) {
    if area == Area::Life {
        let number = terms.bits(terms.width(pointer), u128::from(object));
        return (terms.eq(pointer, number), Place::At(0));
    }
    let offset = bounded.layout.offset_of(terms, pointer);
    (bounded.layout.is_in(terms, pointer, object), Place::Symbolic(offset))
}

/// What so many bytes of an object held then.
pub fn held(terms: &mut Terms, bounded: &Bounded, area: Area, object: u32, place: Place, bytes: u32) -> Term {
    let (memory, objects) = (&bounded.initial, &bounded.objects);
    let contents = match area {
        Area::Memory => memory.contents(objects, object),
        Area::Shadow => memory.shadow(objects, object),
        Area::Life => {
            let alive = memory.alive(terms, object);
            let (yes, no) = (terms.bits(8, 1), terms.bits(8, 0));
            return terms.ite(alive, yes, no);
        }
    };
    match contents.load(terms, place, bytes) {
        Ok(value) => value.term,
        // An arbitrary value: more than can happen, so a violation found with it is not confirmed.
        Err(_) => terms.fresh("unknown", Sort::bits(8 * bytes)),
    }
}
