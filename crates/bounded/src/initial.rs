//! The initial write: the contents of memory when the first thread is started.
//!
//! Alglave, Kroening and Tautschnig (CAV 2013) give each location an initial write that precedes all events. Here the
//! part of `main` before the first thread creation is executed symbolically, so the initial write of a cell is a term
//! over that state and not a constant.

use crate::cells::{Cell, Spot};
use crate::{Area, Bounded, ObjectNo, Way};
use braid_logic::{Sort, Term, Terms};
use braid_symex::{Place, Taint, contents};

/// The reason for `UNKNOWN` if a thread waits for a condition that reads memory that was never written: it waits for ever
/// only if it does with every value.
pub const UNWRITTEN_WAIT: &str = "a deadlock that depends on uninitialised memory";

/// The value of the initial write of a cell.
pub fn held_at(terms: &mut Terms, bounded: &Bounded, area: Area, cell: &Cell) -> Term {
    match &cell.spot {
        Spot::Fixed { object, offset } => held(terms, bounded, area, *object, Place::At(*offset), cell.bytes),
        Spot::Open { pointer, objects } => {
            let mut found = terms.bits(8 * cell.bytes, 0);
            for object in objects.iter().rev() {
                let (inside, place) = is_in_object(terms, bounded, area, *pointer, *object);
                let held = held(terms, bounded, area, *object, place, cell.bytes);
                found = terms.ite(inside, held, found);
            }
            found
        }
    }
}

/// Cases in which a read of a whole pointer finds something other than an address in the initial contents.
pub struct Numbers {
    /// Bool: a plain number, or bytes that were never written.
    pub plain: Term,
    /// Bool: a wild pointer: indeterminate bits that look like an address, in contents that count as an address.
    pub wild: Term,
}

/// Tells when the whole access of a cell finds something other than an address in the initial contents.
pub fn numbers(terms: &mut Terms, bounded: &Bounded, cell: &Cell) -> Numbers {
    let access = &bounded.accesses[cell.access];
    let objects = match &cell.spot {
        Spot::Fixed { object, .. } => std::slice::from_ref(object),
        Spot::Open { objects, .. } => objects,
    };
    let (mut found, mut wild, mut bare) = (Vec::new(), Vec::new(), Vec::new());
    for object in objects {
        let (inside, place) = is_in_object(terms, bounded, Area::Memory, access.pointer, *object);
        let contents = bounded.initial.contents(&bounded.objects, *object);
        let value = contents.load(terms, place, access.bytes).ok();
        // Contents that are not known count as any value, like bytes that were never written.
        let plain = value.is_none_or(|value| value.taint == Taint::None);
        let known = value.is_some_and(|value| bounded.layout.candidates(terms, value.term).is_some());
        found.push((inside, plain, known));
        match value.filter(|_| !known) {
            Some(value) if value.taint == Taint::Address => {
                let is_wild = bounded.layout.is_stray(terms, value.term);
                wild.push(terms.and(inside, is_wild));
            }
            // A load from many places: the bytes between those that were written are indeterminate.
            Some(value) if value.taint == Taint::Mixed => {
                let unwritten = contents.is_unwritten(terms, place, access.bytes);
                bare.extend(unwritten.map(|unwritten| terms.and(inside, unwritten)));
            }
            Some(_) | None => {}
        }
    }
    let plain = if found.iter().all(|(_, plain, _)| *plain) {
        terms.bool(true)
    } else {
        // Null and other constants are left out: their bits are known.
        bare.extend(found.iter().filter(|(_, plain, known)| *plain && !known).map(|(inside, ..)| *inside));
        terms.or_all(bare)
    };
    Numbers { plain, wild: terms.or_all(wild) }
}

/// Bool: the initial contents are an address and the read uses them as a number, or they are not a whole pointer and the
/// read uses them as one.
pub fn makes_number(terms: &mut Terms, bounded: &Bounded, read: &Cell) -> Term {
    let access = &bounded.accesses[read.access];
    let (memory, objects) = (&bounded.initial, &bounded.objects);
    let candidates = match &read.spot {
        Spot::Fixed { object, .. } => std::slice::from_ref(object),
        Spot::Open { objects, .. } => objects,
    };
    let mut ways = Vec::new();
    for object in candidates {
        let (inside, place) = is_in_object(terms, bounded, Area::Memory, access.pointer, *object);
        let contents = memory.contents(objects, *object);
        let number = contents.makes_number(terms, place, access.bytes, access.reads_pointer());
        ways.push(terms.and(inside, number));
    }
    terms.or_all(ways)
}

/// Returns true if a value may be made of bytes that were never written: by itself, or by a read that finds them in the
/// initial contents or in what a write has copied. A copy of a copy counts as written.
pub fn may_be_unwritten(terms: &mut Terms, bounded: &Bounded, value: Term) -> bool {
    let symbols = terms.free_symbols(&[value]);
    if symbols.iter().any(|symbol| contents::is_unwritten(terms, *symbol)) {
        return true;
    }
    let (mut reads, mut held_values) = (Vec::new(), Vec::new());
    for access in bounded.accesses.iter().filter(|access| access.area == Area::Memory) {
        match access.way {
            Way::Read(symbol) => {
                let is_part = terms.as_symbol(symbol).is_some_and(|symbol| symbols.contains(&symbol));
                reads.extend(is_part.then_some(access));
            }
            Way::Write(value) => held_values.push(value),
        }
    }
    if reads.is_empty() {
        return false;
    }
    for read in reads {
        for object in read.objects.iter().flat_map(|objects| objects.iter()) {
            let (_, place) = is_in_object(terms, bounded, Area::Memory, read.pointer, *object);
            held_values.push(held(terms, bounded, Area::Memory, *object, place, read.bytes));
        }
    }
    terms.free_symbols(&held_values).into_iter().any(|symbol| contents::is_unwritten(terms, symbol))
}

/// Bool: an access goes to this object; with the offset of the access in it.
pub fn is_in_object(
    terms: &mut Terms,
    bounded: &Bounded,
    area: Area,
    pointer: Term,
    object: ObjectNo,
) -> (Term, Place) {
    if area == Area::Life {
        let number = terms.bits(terms.width(pointer), u128::from(object.0));
        return (terms.eq(pointer, number), Place::At(0));
    }
    let offset = bounded.layout.offset_of(terms, pointer);
    (bounded.layout.is_in(terms, pointer, object), Place::Symbolic(offset))
}

/// The name of symbols that stand for contents that are not known.
const UNKNOWN: &str = "unknown";

/// Returns true if a symbol stands for contents that are not known, apart from the first `before` symbols.
pub fn is_approximated(terms: &Terms, before: usize) -> bool {
    let stands_for_unknown =
        |symbol| terms.symbol_name(symbol).strip_prefix(UNKNOWN).is_some_and(|rest| rest.starts_with('!'));
    terms.symbols().skip(before).any(stands_for_unknown)
}

/// The value of the initial write in `bytes` bytes of an object, from this place on.
pub fn held(
    terms: &mut Terms,
    bounded: &Bounded,
    area: Area,
    object: ObjectNo,
    place: Place,
    bytes: u32,
) -> Term {
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
        // An arbitrary value over-approximates the contents, so a violation found with it is approximate.
        Err(_) => terms.fresh(UNKNOWN, Sort::bits(8 * bytes)),
    }
}
