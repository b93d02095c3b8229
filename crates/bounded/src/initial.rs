//! What memory held when the first thread was started.

use crate::cells::{Cell, Spot};
use crate::{Area, Bounded};
use braid_logic::{Sort, Term, Terms};
use braid_symex::{Place, Taint};

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

/// What a read of a whole pointer would have found then, if that is no address.
pub struct Numbers {
    /// Bool: a plain number, or bytes that were never written.
    pub plain: Term,
    /// Bool: an arbitrary number where an object may lie, though an address was possible, too.
    pub wild: Term,
}

/// What the whole access of a cell would have found then.
pub fn numbers(terms: &mut Terms, bounded: &Bounded, cell: &Cell) -> Numbers {
    let access = &bounded.accesses[cell.access];
    let objects = match &cell.spot {
        Spot::Fixed { object, .. } => std::slice::from_ref(object),
        Spot::Open { objects, .. } => objects,
    };
    let (mut found, mut wild, mut bare) = (Vec::new(), Vec::new(), Vec::new());
    for object in objects {
        let (zone, place) = zone(terms, bounded, Area::Memory, access.pointer, *object);
        let contents = bounded.initial.contents(&bounded.objects, *object);
        let value = contents.load(terms, place, access.bytes).ok();
        // Of what cannot be told, any value is taken: like a number that was never written.
        let plain = value.is_none_or(|value| value.taint == Taint::None);
        let known = value.is_some_and(|value| bounded.layout.candidates(terms, value.term).is_some());
        found.push((zone, plain, known));
        match value.filter(|_| !known) {
            Some(value) if value.taint == Taint::Address => {
                let is_wild = bounded.layout.is_stray(terms, value.term);
                wild.push(terms.and(zone, is_wild));
            }
            // Many places: what lies between those that were written is arbitrary.
            Some(value) if value.taint == Taint::Mixed => {
                let unwritten = contents.is_unwritten(terms, place, access.bytes);
                bare.extend(unwritten.map(|unwritten| terms.and(zone, unwritten)));
            }
            Some(_) | None => {}
        }
    }
    let plain = if found.iter().all(|(_, plain, _)| *plain) {
        terms.bool(true)
    } else {
        // Null and the like need no look.
        bare.extend(found.iter().filter(|(_, plain, known)| *plain && !known).map(|(zone, ..)| *zone));
        terms.or_all(bare)
    };
    Numbers { plain, wild: terms.or_all(wild) }
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

/// The name of symbols for values that are not known.
const UNKNOWN: &str = "unknown";

/// Returns true if a symbol made since there were `before` of them stands for a value that is not known.
pub fn is_approximated(terms: &Terms, before: usize) -> bool {
    let stands_for_unknown =
        |symbol| terms.symbol_name(symbol).strip_prefix(UNKNOWN).is_some_and(|rest| rest.starts_with('!'));
    terms.symbols().skip(before).any(stands_for_unknown)
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
        // An arbitrary value: more than can happen, so a violation found with it is approximate.
        Err(_) => terms.fresh(UNKNOWN, Sort::bits(8 * bytes)),
    }
}
