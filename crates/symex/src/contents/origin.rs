//! What an object holds before anything is stored in it.
//!
//! Arbitrary contents are symbols, so that every state of an object that reads a byte reads the same one:
//! a symbol per byte for small objects, one array of bytes for larger ones.

use crate::object::ObjectNo;
use braid_logic::{Sort, SymbolId, Term, Terms};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The largest object whose arbitrary bytes are symbols of their own.
pub const AS_SYMBOLS: u64 = 512;

/// What an object holds at first.
#[derive(Clone, Debug)]
pub enum Initial {
    Zero,
    /// Arbitrary, but the same whenever it is read: byte `i` is the symbol `u{object}.{i}`, or, in an
    /// object of more than [`AS_SYMBOLS`] bytes, element `i` of the array `u{object}`.
    Arbitrary {
        object: ObjectNo,
    },
    /// These bytes, zero elsewhere.
    Data(Rc<BTreeMap<u64, u8>>),
}

/// An object's size and first contents.
#[derive(Clone, Debug)]
pub struct Origin {
    pub size: u64,
    pub initial: Initial,
}

impl Origin {
    pub fn new(size: u64, initial: Initial) -> Origin {
        Origin { size, initial }
    }

    /// Whether these bytes are inside.
    pub fn has(&self, at: u64, len: u64) -> bool {
        at.checked_add(len).is_some_and(|end| end <= self.size)
    }

    /// The array of all bytes, if they are arbitrary and many.
    pub fn symbol_array(&self, terms: &mut Terms) -> Option<Term> {
        match self.initial {
            Initial::Arbitrary { object } if self.size > AS_SYMBOLS => {
                Some(terms.symbol(&array_name(object), Sort::array(index_width(self.size), 8)))
            }
            Initial::Arbitrary { .. } | Initial::Zero | Initial::Data(_) => None,
        }
    }

    fn byte(&self, terms: &mut Terms, at: u64) -> Term {
        if let Some(array) = self.symbol_array(terms) {
            let index = terms.bits(index_width(self.size), u128::from(at));
            return terms.select(array, index);
        }
        match &self.initial {
            Initial::Zero => terms.bits(8, 0),
            Initial::Arbitrary { object } => terms.symbol(&byte_name(*object, at), Sort::bits(8)),
            Initial::Data(data) => terms.bits(8, data.get(&at).map_or(0, |byte| u128::from(*byte))),
        }
    }

    /// 1 to 16 bytes.
    pub fn word(&self, terms: &mut Terms, at: u64, len: u64) -> Term {
        if let Initial::Zero = self.initial {
            return terms.bits(8 * len as u32, 0);
        }
        let mut word = self.byte(terms, at);
        for i in 1..len {
            let high = self.byte(terms, at + i);
            word = terms.concat(high, word);
        }
        word
    }
}

/// How many bits number this many cells.
pub fn index_width(cells: u64) -> u32 {
    (64 - cells.saturating_sub(1).leading_zeros()).max(1)
}

/// The name of the array that stands for the arbitrary contents of a large object.
pub fn array_name(object: ObjectNo) -> String {
    format!("u{}", object.0)
}

/// The name of the symbol that stands for an arbitrary byte of a small object.
pub fn byte_name(object: ObjectNo, at: u64) -> String {
    format!("u{}.{at}", object.0)
}

/// Returns true if the symbol stands for arbitrary contents: bytes of memory that was never written.
pub fn is_unwritten(terms: &Terms, symbol: SymbolId) -> bool {
    matches!(terms.symbol_name(symbol).as_bytes(), [b'u', digit, ..] if digit.is_ascii_digit())
}
