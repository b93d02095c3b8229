//! What one object holds in one state.
//!
//! Two forms. *Cells*: values by offset, as they were stored, split where accesses overlap in part and
//! joined again when they are read; whatever was never touched takes no room. An access at an unknown place
//! becomes a choice if there are few places it can be. If there are many, the object becomes an *array*
//! of the logic, once and for all, of elements as large as its accesses allow; smaller ones are still
//! possible, at a price.
//!
//! Little-endian. Places are inside the object by the caller's guarantee; what happens at others is
//! without meaning (but no panic). Cloning is cheap, and copies share what they have in common.
//!
//! * `origin`: what an object holds before anything is stored.
//! * `source`: filled and merged regions, whatever their length.
//! * `cells`, `places`, `array`: the two forms, and unknown places in the first.
//! * `merge`: one of two, by a condition.

mod array;
mod cells;
mod merge;
mod origin;
mod places;
mod source;
#[cfg(test)]
mod tests;

use crate::value::{Taint, Value};
use array::Array;
use braid_logic::{Term, Terms};
use cells::{Cells, Entry};
use origin::Origin;
pub use origin::{AS_SYMBOLS, Initial, array_name, byte_name, is_unwritten};
use source::Source;
use std::rc::Rc;

/// The contents of one object.
#[derive(Clone, Debug)]
pub struct Contents {
    origin: Origin,
    form: Form,
}

#[derive(Clone, Debug)]
enum Form {
    Cells(Cells),
    Array(Array),
    /// Two forms met in a merge that have no common one of reasonable size.
    Lost,
}

/// Where in the object an access begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    At(u64),
    /// An unsigned offset, pointer-wide.
    Symbolic(Term),
}

/// The access would need a term for each of many thousands of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

/// What an entry of [`Contents::written`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stored {
    /// A value of as many bytes.
    Value(Value),
    /// The same byte everywhere.
    Filled(Value),
    /// On some paths filled, on others not.
    Merged(Taint),
}

impl Stored {
    fn taint(self) -> Taint {
        match self {
            Stored::Value(value) | Stored::Filled(value) => value.taint,
            Stored::Merged(taint) => taint,
        }
    }
}

impl Contents {
    /// An object in which nothing was stored yet.
    pub fn new(size: u64, initial: Initial) -> Contents {
        Contents { origin: Origin::new(size, initial), form: Form::Cells(Cells::default()) }
    }

    pub fn size(&self) -> u64 {
        self.origin.size
    }

    /// The value of 1 to 16 bytes.
    pub fn load(&self, terms: &mut Terms, place: Place, bytes: u32) -> Result<Value, TooLarge> {
        let count = u64::from(bytes);
        match (&self.form, known(terms, place)) {
            (Form::Lost, _) => Err(TooLarge),
            (_, Place::At(at)) if !self.origin.has(at, count) => Ok(nothing(terms, bytes)),
            (Form::Cells(cells), Place::At(at)) => Ok(cells.load(terms, &self.origin, at, count)),
            (Form::Cells(cells), Place::Symbolic(offset)) => {
                match places::possible(terms, offset, self.origin.size, count) {
                    Some(list) => Ok(places::load(terms, cells, &self.origin, offset, &list, count)),
                    None => {
                        let grain = places::grain(terms, place, count);
                        let array = Array::from_cells(terms, cells, &self.origin, grain)?;
                        Ok(array.load(terms, place, count))
                    }
                }
            }
            (Form::Array(array), place) => Ok(array.load(terms, place, count)),
        }
    }

    /// Stores a value of 1 to 16 bytes.
    pub fn store(
        &mut self,
        terms: &mut Terms,
        place: Place,
        bytes: u32,
        value: Value,
    ) -> Result<(), TooLarge> {
        assert_eq!(terms.width(value.term), 8 * bytes, "the value has as many bytes as are stored");
        let count = u64::from(bytes);
        match (&mut self.form, known(terms, place)) {
            (Form::Lost, _) => return Err(TooLarge),
            (_, Place::At(at)) if !self.origin.has(at, count) => {}
            (Form::Cells(cells), Place::At(at)) => cells.store(terms, at, count, value),
            (Form::Cells(cells), Place::Symbolic(offset)) => {
                match places::possible(terms, offset, self.origin.size, count) {
                    Some(list) => places::store(terms, cells, &self.origin, offset, &list, value),
                    None => {
                        let grain = places::grain(terms, place, count);
                        let array = Array::from_cells(terms, cells, &self.origin, grain)?;
                        self.form = Form::Array(array.store(terms, place, count, value));
                    }
                }
            }
            (Form::Array(array), place) => *array = array.store(terms, place, count, value),
        }
        Ok(())
    }

    /// `len` bytes from `at` on become `byte`. Costs the same for any length, unless the object has become
    /// an array.
    pub fn fill(&mut self, terms: &mut Terms, at: u64, len: u64, byte: Value) -> Result<(), TooLarge> {
        assert_eq!(terms.width(byte.term), 8, "objects are filled with bytes");
        let len = len.min(self.origin.size.saturating_sub(at));
        if len == 0 {
            return Ok(());
        }
        match &mut self.form {
            Form::Lost => return Err(TooLarge),
            Form::Cells(cells) => {
                let byte = Value { taint: byte.taint.blurred(), ..byte };
                cells.carve(terms, at, at + len);
                cells.insert(at, Entry::Range { len, source: Rc::new(Source::Byte(byte)) });
            }
            Form::Array(array) => *array = array.fill(terms, &self.origin, at, len, byte)?,
        }
        Ok(())
    }

    /// `then` where the condition holds, `other` elsewhere: two states of one object.
    pub fn merge(terms: &mut Terms, cond: Term, then: &Contents, other: &Contents) -> Contents {
        match terms.as_bool(cond) {
            Some(true) => return then.clone(),
            Some(false) => return other.clone(),
            None if then.same(other) => return then.clone(),
            None => {}
        }
        let form = merge::forms(terms, cond, &then.origin, &then.form, &other.form);
        Contents { origin: then.origin.clone(), form: form.unwrap_or(Form::Lost) }
    }

    /// Whether both are plainly the same; they may be equal otherwise too.
    pub fn same(&self, other: &Contents) -> bool {
        match (&self.form, &other.form) {
            (Form::Cells(a), Form::Cells(b)) => a.same(b),
            (Form::Array(a), Form::Array(b)) => a == b,
            (Form::Lost, Form::Lost) => true,
            (Form::Cells(_) | Form::Array(_) | Form::Lost, _) => false,
        }
    }

    /// What was stored so far, as (offset, bytes, what), ascending; `None` if it is an array by now.
    pub fn written(&self) -> Option<Vec<(u64, u64, Stored)>> {
        let Form::Cells(cells) = &self.form else { return None };
        let describe = |(at, entry): (u64, &Entry)| match entry {
            Entry::Word { bytes, value } => (at, *bytes, Stored::Value(*value)),
            Entry::Range { len, source } => match &**source {
                Source::Byte(byte) => (at, *len, Stored::Filled(*byte)),
                Source::Initial | Source::Choice { .. } => (at, *len, Stored::Merged(source.taint())),
            },
        };
        Some(cells.entries().map(describe).collect())
    }

    /// Bool: a number read there is made of an address, or of a part of one; or a pointer, if `pointer` is read, of
    /// anything else than a whole address.
    pub fn makes_number(&self, terms: &mut Terms, place: Place, bytes: u32, pointer: bool) -> Term {
        let taken = if pointer { Taint::Address } else { Taint::Loaded };
        if self.taint() <= Taint::Loaded {
            return terms.bool(false);
        }
        match (known(terms, place), self.written()) {
            (Place::At(_), _) | (Place::Symbolic(_), None) => {
                let found = self.load(terms, place, bytes);
                terms.bool(found.map_or(true, |value| value.taint > taken))
            }
            (Place::Symbolic(offset), Some(entries)) => {
                let mut ways = Vec::new();
                for (at, len, stored) in entries {
                    let taint = stored.taint();
                    if taint <= Taint::Loaded {
                        continue;
                    }
                    let touches = touches(terms, offset, bytes.into(), at, len);
                    let whole = pointer && taint <= taken && len == u64::from(bytes);
                    let elsewhere =
                        if whole { places::is_elsewhere(terms, offset, at) } else { terms.bool(true) };
                    ways.push(terms.and(touches, elsewhere));
                }
                terms.or_all(ways)
            }
        }
    }

    /// Bool: no value of so many bytes was stored at exactly this place. `None` if it is not known any more what was
    /// stored where.
    pub fn is_unwritten(&self, terms: &mut Terms, place: Place, bytes: u32) -> Option<Term> {
        let entries = self.written()?;
        let values = entries
            .into_iter()
            .filter(|(_, len, stored)| matches!(stored, Stored::Value(_)) && *len == u64::from(bytes));
        match known(terms, place) {
            Place::At(at) => {
                let written = values.into_iter().any(|(start, ..)| start == at);
                Some(terms.bool(!written))
            }
            Place::Symbolic(offset) => {
                let elsewhere: Vec<Term> =
                    values.map(|(at, ..)| places::is_elsewhere(terms, offset, at)).collect();
                Some(terms.and_all(elsewhere))
            }
        }
    }

    /// What all that was stored so far owes to addresses, taken together.
    pub fn taint(&self) -> Taint {
        match &self.form {
            Form::Cells(cells) => {
                cells.entries().fold(Taint::None, |taint, (_, entry)| taint.join(entry.taint()))
            }
            Form::Array(array) => array.taint(),
            Form::Lost => Taint::Mixed,
        }
    }
}

/// A place whose offset is a constant is a known one.
fn known(terms: &Terms, place: Place) -> Place {
    match place {
        Place::At(_) => place,
        Place::Symbolic(offset) => match terms.as_bits(offset) {
            Some(at) => Place::At(u64::try_from(at).unwrap_or(u64::MAX)),
            None => place,
        },
    }
}

/// Bool: an access of `bytes` at the offset meets the `len` bytes from `at` on.
fn touches(terms: &mut Terms, offset: Term, bytes: u64, at: u64, len: u64) -> Term {
    let width = terms.width(offset);
    let first = terms.bits(width, u128::from(at));
    let ahead = terms.bits(width, u128::from(bytes - 1));
    let count = terms.bits(width, u128::from(len + bytes - 1));
    // Modulo the address space: before the object there is nothing to read.
    let low = terms.bv_sub(first, ahead);
    let from = terms.bv_sub(offset, low);
    terms.ult(from, count)
}

/// What is read outside the object.
fn nothing(terms: &mut Terms, bytes: u32) -> Value {
    Value::plain(terms.bits(8 * bytes, 0))
}
