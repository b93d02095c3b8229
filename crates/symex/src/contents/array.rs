//! The form of an object that was accessed at one of many unknown places: an array of the logic.
//!
//! Elements are *grains*: the largest power of two of bytes that divides the places and sizes of what was
//! stored until the object became an array. Whole grains are selected and stored directly. A part of a
//! grain at a known place is cut out of it; at an unknown place bytes go one by one, each a choice
//! between the positions in its grain.
//!
//! What values owe to addresses is known for the object as a whole only.

use super::cells::{Cells, Entry};
use super::origin::{Initial, Origin, index_width};
use super::source::{Source, repeat};
use super::{Place, TooLarge, places};
use crate::value::{Taint, Value};
use braid_logic::{Node, Sort, Term, Terms};

/// So many elements are stored one by one at most.
const MOST_STORES: u64 = 4096;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Array {
    array: Term,
    /// Bytes of an element.
    grain: u64,
    taint: Taint,
}

/// An array under construction, and how many stores it may still get.
struct Builder<'a> {
    origin: &'a Origin,
    array: Term,
    grain: u64,
    room: u64,
}

/// What an array is before anything is stored in it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Base {
    /// The array of symbols that the object's first bytes are.
    Symbols(Term),
    /// This byte everywhere.
    Byte(u128),
}

impl Base {
    /// The byte that most of the object is filled with, if there is one; else what it was at first.
    fn of(terms: &mut Terms, cells: &Cells, origin: &Origin) -> Base {
        let fills = cells.entries().filter_map(|(_, entry)| Some((entry.len(), filled_with(terms, entry)?)));
        match fills.max_by_key(|(len, _)| *len) {
            Some((len, byte)) if len >= origin.size / 2 => Base::Byte(byte),
            Some(_) | None => origin.symbol_array(terms).map_or(Base::Byte(0), Base::Symbols),
        }
    }
}

/// The constant byte that the entry is, all over.
fn filled_with(terms: &Terms, entry: &Entry) -> Option<u128> {
    match entry {
        Entry::Range { source, .. } => match &**source {
            Source::Byte(byte) => terms.as_bits(byte.term),
            Source::Initial | Source::Choice { .. } => None,
        },
        Entry::Word { .. } => None,
    }
}

impl Builder<'_> {
    fn put(&mut self, terms: &mut Terms, at: u64, element: Term) -> Result<(), TooLarge> {
        self.room = self.room.checked_sub(1).ok_or(TooLarge)?;
        let index = terms.bits(index_bits(terms, self.array), u128::from(at / self.grain));
        self.array = terms.store(self.array, index, element);
        Ok(())
    }

    /// The bytes `from..to` as the object held them at first, in an array that is `base` so far. The last
    /// element may reach beyond the object, where bytes are zero.
    fn put_origin(&mut self, terms: &mut Terms, base: Base, from: u64, to: u64) -> Result<(), TooLarge> {
        let starts: Vec<u64> = match (&self.origin.initial, base) {
            (_, Base::Symbols(_)) | (Initial::Zero, Base::Byte(0)) => return Ok(()),
            (Initial::Data(data), Base::Byte(0)) => {
                let mut starts: Vec<u64> = data.range(from..to).map(|(at, _)| at - at % self.grain).collect();
                starts.dedup();
                starts
            }
            (Initial::Zero | Initial::Data(_) | Initial::Arbitrary { .. }, Base::Byte(_)) => {
                if (to - from) / self.grain > self.room {
                    return Err(TooLarge);
                }
                (from..to).step_by(self.grain as usize).collect()
            }
        };
        for at in starts {
            let word = self.origin.word(terms, at, self.grain.min(self.origin.size - at));
            let element = terms.zero_extend(word, 8 * self.grain as u32);
            self.put(terms, at, element)?;
        }
        Ok(())
    }

    fn put_entry(
        &mut self,
        terms: &mut Terms,
        base: Base,
        start: u64,
        entry: &Entry,
    ) -> Result<(), TooLarge> {
        if filled_with(terms, entry).is_some_and(|byte| base == Base::Byte(byte)) {
            return Ok(());
        }
        let end = start + entry.len();
        if let Entry::Range { source, .. } = entry
            && let Source::Initial = **source
        {
            return self.put_origin(terms, base, start, end);
        }
        if entry.len() / self.grain > self.room {
            return Err(TooLarge);
        }
        for at in (start..end).step_by(self.grain as usize) {
            let element = entry.read(terms, self.origin, start, at, at + self.grain);
            self.put(terms, at, element.term)?;
        }
        Ok(())
    }
}

/// The array that is this byte everywhere.
fn everywhere(terms: &mut Terms, origin: &Origin, grain: u64, byte: u128) -> Term {
    let byte = terms.bits(8, byte);
    let element = repeat(terms, byte, grain);
    terms.const_array(index_width(origin.size.div_ceil(grain)), element)
}

fn index_bits(terms: &Terms, array: Term) -> u32 {
    match terms.sort(array) {
        Sort::Array { index, .. } => index.get(),
        Sort::Bool | Sort::BitVec(_) | Sort::Int => unreachable!("the term is an array"),
    }
}

impl Array {
    pub fn taint(&self) -> Taint {
        self.taint
    }

    pub fn grain(&self) -> u64 {
        self.grain
    }

    /// The same contents as an array of elements of at most `grain` bytes.
    pub fn from_cells(
        terms: &mut Terms,
        cells: &Cells,
        origin: &Origin,
        grain: u64,
    ) -> Result<Array, TooLarge> {
        let base = Base::of(terms, cells, origin);
        let mut grain = if let Base::Symbols(_) = base { 1 } else { grain };
        for (at, entry) in cells.entries() {
            grain = grain.min(places::grain(terms, Place::At(at), entry.len()));
        }
        let array = match base {
            Base::Symbols(array) => array,
            Base::Byte(byte) => everywhere(terms, origin, grain, byte),
        };
        let mut builder = Builder { origin, array, grain, room: MOST_STORES };
        let (mut taint, mut next) = (Taint::None, 0);
        for (at, entry) in cells.entries() {
            builder.put_origin(terms, base, next, at)?;
            builder.put_entry(terms, base, at, entry)?;
            let whole = entry.len() == grain;
            taint = taint.join(if whole { entry.taint() } else { entry.taint().blurred() });
            next = at + entry.len();
        }
        builder.put_origin(terms, base, next, origin.size)?;
        Ok(Array { array: builder.array, grain, taint })
    }

    /// The index of the element with this offset (pointer-wide).
    fn index(&self, terms: &mut Terms, offset: Term) -> Term {
        let (low, bits) = (self.grain.trailing_zeros(), index_bits(terms, self.array));
        let width = terms.width(offset);
        let part = terms.extract(offset, (low + bits - 1).min(width - 1), low.min(width - 1));
        terms.resize_unsigned(part, bits)
    }

    /// Whether the access consists of whole grains.
    fn is_whole(&self, terms: &Terms, place: Place, bytes: u64) -> bool {
        places::grain(terms, place, bytes) >= self.grain
    }

    /// What a value that is accessed in `pieces` owes.
    fn taint_of(taint: Taint, pieces: u64) -> Taint {
        if pieces == 1 { taint } else { taint.blurred() }
    }

    fn offset(&self, terms: &mut Terms, place: Place) -> Term {
        match place {
            // Wide enough for every object.
            Place::At(at) => terms.bits(64, u128::from(at)),
            Place::Symbolic(offset) => offset,
        }
    }

    pub fn load(&self, terms: &mut Terms, place: Place, bytes: u64) -> Value {
        let offset = self.offset(terms, place);
        let whole = self.is_whole(terms, place, bytes);
        let step = if whole { self.grain } else { 1 };
        let first = self.index(terms, offset);
        let mut word = None;
        for at in (0..bytes).step_by(step as usize) {
            let part = if whole {
                let index = further(terms, first, at / self.grain);
                terms.select(self.array, index)
            } else {
                let offset = further(terms, offset, at);
                self.select_byte(terms, offset)
            };
            word = Some(match word {
                None => part,
                Some(low) => terms.concat(part, low),
            });
        }
        let term = word.expect("at least one byte is read");
        let pieces = if whole { bytes / self.grain } else { bytes };
        // A byte of a larger grain is a piece, too.
        let pieces = if whole { pieces } else { pieces.max(2) };
        Value { term, taint: Self::taint_of(self.taint, pieces) }
    }

    fn select(&self, terms: &mut Terms, offset: Term) -> Term {
        let index = self.index(terms, offset);
        terms.select(self.array, index)
    }

    /// The position in its grain, for grains of several bytes.
    fn position(&self, terms: &mut Terms, offset: Term) -> Term {
        terms.extract(offset, self.grain.trailing_zeros() - 1, 0)
    }

    fn select_byte(&self, terms: &mut Terms, offset: Term) -> Term {
        let element = self.select(terms, offset);
        let position = self.position(terms, offset);
        let byte = |terms: &mut Terms, at: u64| terms.extract(element, 8 * at as u32 + 7, 8 * at as u32);
        let mut result = byte(terms, self.grain - 1);
        for at in (0..self.grain - 1).rev() {
            let (here, part) = (terms.bits(terms.width(position), u128::from(at)), byte(terms, at));
            let here = terms.eq(position, here);
            result = terms.ite(here, part, result);
        }
        result
    }

    #[must_use]
    pub fn store(self, terms: &mut Terms, place: Place, bytes: u64, value: Value) -> Array {
        let offset = self.offset(terms, place);
        let whole = self.is_whole(terms, place, bytes);
        let step = if whole { self.grain } else { 1 };
        let first = self.index(terms, offset);
        let mut result = self;
        for at in (0..bytes).step_by(step as usize) {
            let part = terms.extract(value.term, 8 * (at + step) as u32 - 1, 8 * at as u32);
            let (index, element) = if whole {
                (further(terms, first, at / self.grain), part)
            } else {
                let offset = further(terms, offset, at);
                (result.index(terms, offset), result.with_byte(terms, offset, part))
            };
            result.array = terms.store(result.array, index, element);
        }
        let pieces = if whole { bytes / self.grain } else { 2 };
        // What is left of an element after a store into it is a piece.
        let left = if whole { self.taint } else { self.taint.blurred() };
        Array { taint: left.join(Self::taint_of(value.taint, pieces)), ..result }
    }

    /// The element at the offset with one byte replaced.
    fn with_byte(&self, terms: &mut Terms, offset: Term, byte: Term) -> Term {
        let element = self.select(terms, offset);
        let position = self.position(terms, offset);
        let mut result = None;
        for at in 0..self.grain {
            let here = terms.bits(terms.width(position), u128::from(at));
            let here = terms.eq(position, here);
            let old = terms.extract(element, 8 * at as u32 + 7, 8 * at as u32);
            let new = terms.ite(here, byte, old);
            result = Some(match result {
                None => new,
                Some(low) => terms.concat(new, low),
            });
        }
        result.expect("an element has bytes")
    }

    pub fn fill(
        &self,
        terms: &mut Terms,
        origin: &Origin,
        at: u64,
        len: u64,
        byte: Value,
    ) -> Result<Array, TooLarge> {
        if let (true, Some(constant)) = ((at, len) == (0, origin.size), terms.as_bits(byte.term)) {
            let array = everywhere(terms, origin, self.grain, constant);
            return Ok(Array { array, taint: byte.taint.blurred(), ..*self });
        }
        let step = places::grain(terms, Place::At(at), len).min(self.grain);
        if len / step > MOST_STORES {
            return Err(TooLarge);
        }
        let word = Value { term: repeat(terms, byte.term, step), taint: byte.taint.blurred() };
        let mut result = *self;
        for at in (at..at + len).step_by(step as usize) {
            result = result.store(terms, Place::At(at), step, word);
        }
        Ok(result)
    }

    /// The same contents in smaller elements.
    pub fn divided(&self, terms: &mut Terms, origin: &Origin, grain: u64) -> Result<Array, TooLarge> {
        if grain == self.grain {
            return Ok(*self);
        }
        let elements = origin.size.div_ceil(grain);
        if elements > MOST_STORES {
            return Err(TooLarge);
        }
        let array = everywhere(terms, origin, grain, 0);
        let mut builder = Builder { origin, array, grain, room: MOST_STORES };
        for at in (0..origin.size).step_by(grain as usize) {
            let element = self.load(terms, Place::At(at), grain);
            builder.put(terms, at, element.term)?;
        }
        Ok(Array { array: builder.array, grain, taint: self.taint.blurred() })
    }

    /// `self` where the condition holds, `other` elsewhere; of equal grain.
    pub fn merged(self, terms: &mut Terms, cond: Term, other: Array) -> Array {
        let taint = self.taint.join(other.taint);
        let opposite = terms.not(cond);
        let array = stores_under(terms, cond, self.array, other.array)
            .or_else(|| stores_under(terms, opposite, other.array, self.array))
            .unwrap_or_else(|| terms.ite(cond, self.array, other.array));
        Array { array, taint, ..self }
    }
}

/// An offset or index further on.
fn further(terms: &mut Terms, from: Term, by: u64) -> Term {
    let by = terms.bits(terms.width(from), u128::from(by));
    terms.bv_add(from, by)
}

/// If `longer` is a few stores on top of `base`: those stores, each only under the condition.
fn stores_under(terms: &mut Terms, cond: Term, longer: Term, base: Term) -> Option<Term> {
    const FEW: usize = 32;
    let mut stores = Vec::new();
    let mut at = longer;
    while at != base {
        let Node::Store(inner, index, element) = terms.node(at) else { return None };
        if stores.len() == FEW {
            return None;
        }
        stores.push((index, element));
        at = inner;
    }
    let mut array = base;
    for (index, element) in stores.into_iter().rev() {
        let old = terms.select(array, index);
        let new = terms.ite(cond, element, old);
        array = terms.store(array, index, new);
    }
    Some(array)
}
