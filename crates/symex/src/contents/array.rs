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

/// An element under construction: the array so far, and how many stores it may still get.
struct Builder<'a> {
    origin: &'a Origin,
    array: Term,
    grain: u64,
    room: u64,
}

impl Builder<'_> {
    fn put(&mut self, terms: &mut Terms, at: u64, element: Term) -> Result<(), TooLarge> {
        self.room = self.room.checked_sub(1).ok_or(TooLarge)?;
        let index = terms.bits(index_bits(terms, self.array), u128::from(at / self.grain));
        self.array = terms.store(self.array, index, element);
        Ok(())
    }

    /// What the object held at first.
    fn put_origin(&mut self, terms: &mut Terms) -> Result<(), TooLarge> {
        let whole = self.origin.size - self.origin.size % self.grain;
        match &self.origin.initial {
            Initial::Zero => {}
            Initial::Arbitrary { .. } => {
                for at in (0..whole).step_by(self.grain as usize) {
                    let word = self.origin.word(terms, at, self.grain);
                    self.put(terms, at, word)?;
                }
            }
            Initial::Data(data) => {
                let mut starts: Vec<u64> = data.keys().map(|at| at - at % self.grain).collect();
                starts.dedup();
                for at in starts.into_iter().filter(|at| *at < whole) {
                    let word = self.origin.word(terms, at, self.grain);
                    self.put(terms, at, word)?;
                }
            }
        }
        Ok(())
    }

    fn put_entry(&mut self, terms: &mut Terms, start: u64, entry: &Entry) -> Result<(), TooLarge> {
        let len = entry.len();
        if let Entry::Range { source, .. } = entry {
            if (start, len) == (0, self.origin.size) {
                if let Some(everywhere) = constant_fill(terms, source, self.array, self.grain) {
                    self.array = everywhere;
                    return Ok(());
                }
            }
            if let Source::Initial = **source {
                return Ok(());
            }
        }
        if len / self.grain > self.room {
            return Err(TooLarge);
        }
        for at in (start..start + len).step_by(self.grain as usize) {
            let element = entry.read(terms, self.origin, start, at, at + self.grain);
            self.put(terms, at, element.term)?;
        }
        Ok(())
    }
}

/// The array that is this byte everywhere, if the byte is a constant.
fn constant_fill(terms: &mut Terms, source: &Source, array: Term, grain: u64) -> Option<Term> {
    let Source::Byte(byte) = source else { return None };
    terms.as_bits(byte.term)?;
    let element = repeat(terms, byte.term, grain);
    Some(terms.const_array(index_bits(terms, array), element))
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
        let symbols = origin.symbol_array(terms);
        let mut grain = if symbols.is_some() { 1 } else { grain };
        for (at, entry) in cells.entries() {
            grain = grain.min(places::grain(terms, Place::At(at), entry.len()));
        }
        let index = index_width(origin.size.div_ceil(grain));
        let zero = terms.bits(8 * grain as u32, 0);
        let array = symbols.unwrap_or_else(|| terms.const_array(index, zero));
        let mut builder = Builder { origin, array, grain, room: MOST_STORES };
        if symbols.is_none() {
            builder.put_origin(terms)?;
        }
        let mut taint = Taint::None;
        for (at, entry) in cells.entries() {
            builder.put_entry(terms, at, entry)?;
            let whole = entry.len() == grain;
            taint = taint.join(if whole { entry.taint() } else { entry.taint().blurred() });
        }
        Ok(Array { array: builder.array, grain, taint })
    }

    /// The index of the grain with this offset (pointer-wide).
    fn index(&self, terms: &mut Terms, offset: Term) -> Term {
        let (low, bits) = (self.grain.trailing_zeros(), index_bits(terms, self.array));
        let width = terms.width(offset);
        let part = terms.extract(offset, (low + bits - 1).min(width - 1), low.min(width - 1));
        terms.resize_unsigned(part, bits)
    }

    /// An offset further on.
    fn further(terms: &mut Terms, offset: Term, by: u64) -> Term {
        let by = terms.bits(terms.width(offset), u128::from(by));
        terms.bv_add(offset, by)
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
        let mut word = None;
        for at in (0..bytes).step_by(step as usize) {
            let offset = Self::further(terms, offset, at);
            let part = if whole { self.select(terms, offset) } else { self.select_byte(terms, offset) };
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
        let mut result = self;
        for at in (0..bytes).step_by(step as usize) {
            let offset = Self::further(terms, offset, at);
            let part = terms.extract(value.term, 8 * (at + step) as u32 - 1, 8 * at as u32);
            let element = if whole { part } else { result.with_byte(terms, offset, part) };
            let index = result.index(terms, offset);
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
        if (at, len) == (0, origin.size) {
            let source = Source::Byte(byte);
            if let Some(array) = constant_fill(terms, &source, self.array, self.grain) {
                return Ok(Array { array, taint: byte.taint.blurred(), ..*self });
            }
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
        let zero = terms.bits(8 * grain as u32, 0);
        let array = terms.const_array(index_width(elements), zero);
        let mut builder = Builder { origin, array, grain, room: MOST_STORES };
        let whole = origin.size - origin.size % self.grain;
        for at in (0..origin.size - origin.size % grain).step_by(grain as usize) {
            // Bytes beyond the last whole element were never stored.
            let element = if at < whole {
                self.load(terms, Place::At(at), grain).term
            } else {
                origin.word(terms, at, grain)
            };
            builder.put(terms, at, element)?;
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
