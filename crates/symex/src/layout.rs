//! Pointers as plain bit-vectors.
//!
//! The upper bits of a pointer are its object's number, the lower ones a biased offset, so that arithmetic
//! on pointers is ordinary arithmetic, and offsets may be somewhat negative:
//!
//! ```text
//! base(object) = (object << offset_bits) + (1 << (offset_bits - 1))
//! ```
//!
//! The *zone* of an object is all addresses with its number. Object 0 is no object: null and small
//! integers live there. Nor is the last number one, because -1 and its neighbours are never addresses.
//! Bases are aligned to half a zone, which is more than any object asks for.
//!
//! It relies on pointers staying in their object's zone: arithmetic that leaves it arrives at another
//! object. [`crate::eval`] asks about that wherever [`Layout::candidates`] cannot rule it out.

mod candidates;
mod choices;
mod stray;

use crate::object::ObjectNo;
use braid_logic::bits;
use braid_logic::{Term, Terms};

/// How the bits of a pointer divide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    pub pointer_bits: u32,
    pub offset_bits: u32,
}

impl Layout {
    /// For pointers of 8 or 4 bytes.
    pub fn new(pointer_bytes: u8) -> Layout {
        match pointer_bytes {
            4 => Layout { pointer_bits: 32, offset_bits: 20 },
            _ => Layout { pointer_bits: 64, offset_bits: 40 },
        }
    }

    /// The largest number of an object; the smallest is 1.
    pub fn max_objects(self) -> u32 {
        (1 << (self.pointer_bits - self.offset_bits)) - 2
    }

    /// The largest size of an object.
    pub fn max_size(self) -> u64 {
        self.half_zone() - 1
    }

    /// The bias of offsets.
    fn half_zone(self) -> u64 {
        1 << (self.offset_bits - 1)
    }

    /// The address of the object's first byte.
    pub fn base(self, object: ObjectNo) -> u128 {
        (u128::from(object.0) << self.offset_bits) + u128::from(self.half_zone())
    }

    /// Whether an offset stays in the zone.
    pub fn holds(self, offset: i64) -> bool {
        let half = self.half_zone() as i64;
        (-half..half).contains(&offset)
    }

    /// The constant address of a byte.
    pub fn address(self, terms: &mut Terms, object: ObjectNo, offset: i64) -> Term {
        let address = self.base(object).wrapping_add_signed(i128::from(offset));
        terms.bits(self.pointer_bits, address)
    }

    /// Object and signed offset, if the pointer is a constant. The number is 0 for null, whose offset then
    /// means nothing.
    pub fn constant(self, terms: &Terms, pointer: Term) -> Option<(ObjectNo, i64)> {
        let address = terms.as_bits(pointer)?;
        let object = self.zone(address);
        Some((object, (address as i128 - self.base(object) as i128) as i64))
    }

    /// The number of the zone an address lies in.
    fn zone(self, address: u128) -> ObjectNo {
        ObjectNo(((address & bits::mask(self.pointer_bits)) >> self.offset_bits) as u32)
    }

    /// The object's number, of width `pointer_bits - offset_bits`.
    pub fn object_of(self, terms: &mut Terms, pointer: Term) -> Term {
        terms.extract(pointer, self.pointer_bits - 1, self.offset_bits)
    }

    /// Bool: what has this object's number is no address but a plain number, small or negative.
    pub fn is_no_address(self, terms: &mut Terms, object: Term) -> Term {
        let width = terms.width(object);
        let (null, last) = (terms.bits(width, 0), terms.bits(width, u128::MAX));
        let (is_null, is_last) = (terms.eq(object, null), terms.eq(object, last));
        terms.or(is_null, is_last)
    }

    /// Bool: an address is not before its object.
    pub fn is_behind_start(self, terms: &mut Terms, pointer: Term) -> Term {
        let bias = terms.extract(pointer, self.offset_bits - 1, self.offset_bits - 1);
        let one = terms.bits(1, 1);
        terms.eq(bias, one)
    }

    /// The signed offset, whatever the object; pointer-wide.
    pub fn offset_of(self, terms: &mut Terms, pointer: Term) -> Term {
        let biased = terms.extract(pointer, self.offset_bits - 1, 0);
        let bias = terms.bits(self.offset_bits, u128::from(self.half_zone()));
        let offset = terms.bv_sub(biased, bias);
        terms.sign_extend(offset, self.pointer_bits)
    }

    /// Whether the pointer lies in the object's zone.
    pub fn is_in(self, terms: &mut Terms, pointer: Term, object: ObjectNo) -> Term {
        if !choices::are_few(terms, pointer) {
            return self.leaf_is_in(terms, pointer, object);
        }
        let leaf = |terms: &mut Terms, pointer: Term| self.leaf_is_in(terms, pointer, object);
        choices::fold(terms, pointer, leaf, |terms, condition, yes, no| terms.ite(condition, yes, no))
    }

    /// The same for a pointer that is no choice between pointers.
    fn leaf_is_in(self, terms: &mut Terms, pointer: Term, object: ObjectNo) -> Term {
        match self.candidates(terms, pointer) {
            Some(list) if list == [object] => terms.bool(true),
            Some(list) if !list.contains(&object) => terms.bool(false),
            Some(_) | None => {
                let number = terms.bits(self.pointer_bits - self.offset_bits, u128::from(object.0));
                let zone = self.object_of(terms, pointer);
                terms.eq(zone, number)
            }
        }
    }

    /// The signed offset, pointer-wide, *if* the pointer lies in the object's zone; any value otherwise.
    /// Simpler than [`Self::offset_of`]: branches of a choice that point elsewhere fall away.
    pub fn offset_in(self, terms: &mut Terms, pointer: Term, object: ObjectNo) -> Term {
        let leaf = |terms: &mut Terms, pointer: Term| {
            let elsewhere = self.candidates(terms, pointer).is_some_and(|list| !list.contains(&object));
            (!elsewhere).then(|| self.distance(terms, pointer, object))
        };
        let join = |terms: &mut Terms, condition, yes: Option<Term>, no: Option<Term>| match (yes, no) {
            (Some(yes), Some(no)) => Some(terms.ite(condition, yes, no)),
            (one, other) => one.or(other),
        };
        choices::fold(terms, pointer, leaf, join).unwrap_or_else(|| terms.bits(self.pointer_bits, 0))
    }

    /// The same if the pointer is a choice of a few pointers that all lead to known objects, and this one is a constant
    /// offset away from the object's base.
    pub fn offset_in_known(self, terms: &mut Terms, pointer: Term, object: ObjectNo) -> Option<Term> {
        if !choices::are_few(terms, pointer) {
            return None;
        }
        let offset = self.offset_in(terms, pointer, object);
        terms.as_bits(offset).map(|_| offset)
    }

    /// How far the pointer is from the object's base.
    fn distance(self, terms: &mut Terms, pointer: Term, object: ObjectNo) -> Term {
        let base = terms.bits(self.pointer_bits, self.base(object));
        terms.bv_sub(pointer, base)
    }

    /// Whether `len` bytes (pointer-wide, unsigned) at the pointer lie inside the object, which has `size`.
    pub fn inside(self, terms: &mut Terms, pointer: Term, object: ObjectNo, size: u64, len: Term) -> Term {
        assert!(size <= self.max_size(), "objects are smaller than half a zone");
        let leaf = |terms: &mut Terms, pointer: Term| match self.candidates(terms, pointer) {
            Some(list) if !list.contains(&object) => terms.bool(false),
            Some(_) | None => self.leaf_inside(terms, pointer, object, size, len),
        };
        choices::fold(terms, pointer, leaf, |terms, condition, yes, no| terms.ite(condition, yes, no))
    }

    /// A distance of at most `size` implies the zone, so no other condition is needed.
    fn leaf_inside(self, terms: &mut Terms, pointer: Term, object: ObjectNo, size: u64, len: Term) -> Term {
        let distance = self.distance(terms, pointer, object);
        let size = terms.bits(self.pointer_bits, u128::from(size));
        let rest = terms.bv_sub(size, len);
        let (fits, starts) = (terms.ule(len, size), terms.ule(distance, rest));
        terms.and(fits, starts)
    }

    /// Numbers of the objects the term can point into, ascending, judging by its structure alone; `None`
    /// if that does not tell. Zero is among them if it can be null or another small number.
    pub fn candidates(self, terms: &Terms, pointer: Term) -> Option<Vec<ObjectNo>> {
        match self.constant(terms, pointer) {
            Some((object, _)) => Some(vec![object]),
            None => candidates::zones(self, terms, pointer),
        }
    }
}

#[cfg(test)]
mod tests;
