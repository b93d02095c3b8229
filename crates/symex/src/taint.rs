//! What a result owes to addresses, given what its operands owe.
//!
//! The rules are the interpreter's; where they depend on the object a pointer belongs to and the terms do
//! not tell which it is, the answer is the more doubtful one, or a [`Question`] for the caller. An address
//! wider than a pointer is carried along but not computed with.

use crate::eval::Question;
use crate::layout::Layout;
use crate::object::ObjectNo;
use crate::value::{Taint, Value};
use braid_ir::BinOp;
use braid_logic::{Term, Terms};

/// The alignment of an object, by its number.
pub type Align<'a> = &'a dyn Fn(ObjectNo) -> u64;

/// What a result owes, and what must hold for that.
pub type Verdict = (Taint, Option<Question>);

/// Knows what pointers are.
#[derive(Clone, Copy)]
pub struct Judge<'a> {
    pub layout: Layout,
    pub align: Align<'a>,
}

/// Of a function of two values that has no relation to their addresses but dependence.
pub fn blurred(a: Value, b: Value) -> Taint {
    a.taint.join(b.taint).blurred()
}

/// What the plain ones among the operands owe.
fn plain_part(a: Value, b: Value) -> Taint {
    let part = |value: Value| if value.taint.is_plain() { value.taint } else { Taint::None };
    part(a).join(part(b))
}

impl Judge<'_> {
    fn is_simple(&self, terms: &Terms, a: Value, b: Value) -> bool {
        let mixed = a.taint == Taint::Mixed || b.taint == Taint::Mixed;
        let plain = a.taint.is_plain() && b.taint.is_plain();
        mixed || plain || terms.width(a.term) != self.layout.pointer_bits
    }

    /// Of an integer operation with this result.
    pub fn binary(&self, terms: &Terms, op: BinOp, a: Value, b: Value, result: Term) -> Verdict {
        if self.is_simple(terms, a, b) {
            return (blurred(a, b), None);
        }
        match (op, a.taint == Taint::Address, b.taint == Taint::Address) {
            (BinOp::Add | BinOp::Sub, true, false) => self.moved(terms, a.term, b.term, result),
            (BinOp::Add, false, true) => self.moved(terms, b.term, a.term, result),
            (BinOp::Sub, true, true) if self.same_object(terms, a, b) => (Taint::None, None),
            (BinOp::And, true, false) => (self.masked(terms, a, terms.as_bits(b.term)), None),
            (BinOp::And, false, true) => (self.masked(terms, b, terms.as_bits(a.term)), None),
            (BinOp::Or | BinOp::Xor, true, false) => (self.tagged(terms, a, b.term), None),
            (BinOp::Or | BinOp::Xor, false, true) => (self.tagged(terms, b, a.term), None),
            (BinOp::URem, true, false) => {
                let divisor = terms.as_bits(b.term).filter(|divisor| divisor.is_power_of_two());
                (self.masked(terms, a, divisor.map(|divisor| divisor - 1)), None)
            }
            (
                BinOp::Add
                | BinOp::Sub
                | BinOp::Mul
                | BinOp::SDiv
                | BinOp::UDiv
                | BinOp::SRem
                | BinOp::URem
                | BinOp::And
                | BinOp::Or
                | BinOp::Xor
                | BinOp::Shl
                | BinOp::LShr
                | BinOp::AShr
                | BinOp::FAdd
                | BinOp::FSub
                | BinOp::FMul
                | BinOp::FDiv,
                _,
                _,
            ) => self.of_numbers(terms, a, b),
        }
    }

    /// Of a function of a value that only makes sense for numbers. What comes from elsewhere as a pointer often is
    /// one, such as the result of a thread.
    pub fn number(&self, terms: &Terms, a: Value) -> Verdict {
        if !self.may_be_number(terms, a) {
            return (a.taint.blurred(), None);
        }
        (Taint::Loaded, Some(Question::Numbers { a: a.term, b: a.term }))
    }

    /// Whether a value that counts as an address may be a number.
    fn may_be_number(&self, terms: &Terms, a: Value) -> bool {
        let known = self.layout.constant(terms, a.term).is_some();
        a.taint == Taint::Address && !known && terms.width(a.term) == self.layout.pointer_bits
    }

    /// The same of two values.
    pub fn of_numbers(&self, terms: &Terms, a: Value, b: Value) -> Verdict {
        match (a.taint.is_plain(), b.taint.is_plain()) {
            (false, true) => self.number(terms, a),
            (true, false) => self.number(terms, b),
            (false, false) if self.may_be_number(terms, a) && self.may_be_number(terms, b) => {
                (Taint::Loaded, Some(Question::Numbers { a: a.term, b: b.term }))
            }
            _ => (blurred(a, b), None),
        }
    }

    /// Of the distance between two pointers.
    pub fn difference(&self, terms: &Terms, a: Value, b: Value, result: Term) -> Verdict {
        let addresses = a.taint == Taint::Address && b.taint == Taint::Address;
        if addresses && !self.same_object(terms, a, b) {
            return (Taint::None, Some(Question::SameObject { a: a.term, b: b.term }));
        }
        self.binary(terms, BinOp::Sub, a, b, result)
    }

    /// Of a comparison.
    pub fn comparison(&self, terms: &Terms, equality: bool, a: Value, b: Value) -> Verdict {
        if self.is_simple(terms, a, b) {
            return (blurred(a, b), None);
        }
        let addresses = a.taint == Taint::Address && b.taint == Taint::Address;
        if addresses && self.same_object(terms, a, b) {
            return (Taint::None, None);
        }
        (plain_part(a, b), Some(Question::Compare { equality, a, b }))
    }

    /// Whether both surely point into one object.
    fn same_object(&self, terms: &Terms, a: Value, b: Value) -> bool {
        let object = |value: Value| match self.layout.candidates(terms, value.term)?.as_slice() {
            [only] => Some(*only),
            _ => None,
        };
        object(a).is_some_and(|object_a| object(b) == Some(object_a))
    }

    /// An address that moves by a plain number: still an address, if it stays in its zone. Steps so short
    /// that it would take tens of thousands of them to reach another object are not asked about.
    fn moved(&self, terms: &Terms, from: Term, step: Term, to: Term) -> Verdict {
        let half_zone = 1u128 << (self.layout.offset_bits - 1);
        let length = longest(terms, step);
        let is_short = length.is_some_and(|length| length <= half_zone >> 16);
        let stays = || {
            let zones = self.layout.candidates(terms, from);
            // Different zones keep their order when all move alike, so the same ones again means none moved.
            length.is_some_and(|length| length < half_zone)
                && zones.is_some()
                && zones == self.layout.candidates(terms, to)
        };
        let question = (!is_short && !stays()).then_some(Question::Stays { from, to });
        (Taint::Address, question)
    }

    /// The bits of an address that its object's alignment determines.
    fn low_bits(&self, terms: &Terms, address: Value) -> u128 {
        let objects = self.layout.candidates(terms, address.term).unwrap_or_default();
        // Zero is no object: numbers there are fixed altogether.
        let aligns =
            objects.iter().filter(|object| **object != ObjectNo::NONE).map(|object| (self.align)(*object));
        u128::from(aligns.min().unwrap_or(1).max(1) - 1)
    }

    /// `address & mask`: a number if only low bits remain, an address if only low bits go.
    fn masked(&self, terms: &Terms, address: Value, mask: Option<u128>) -> Taint {
        let Some(mask) = mask else { return Taint::Mixed };
        let (low, all) = (self.low_bits(terms, address), braid_logic::bits::mask(self.layout.pointer_bits));
        if mask & !low == 0 {
            Taint::None
        } else if !mask & all & !low == 0 {
            Taint::Address
        } else {
            Taint::Mixed
        }
    }

    /// `address | tag` or `address ^ tag`.
    fn tagged(&self, terms: &Terms, address: Value, tag: Term) -> Taint {
        let low = self.low_bits(terms, address);
        match terms.as_bits(tag) {
            Some(tag) if tag & !low == 0 => Taint::Address,
            Some(_) | None => Taint::Mixed,
        }
    }
}

/// The largest magnitude of a number, read as signed; `None` if it takes long to see.
fn longest(terms: &Terms, step: Term) -> Option<u128> {
    let range = terms.rough_range(step);
    Some(range.smin().unsigned_abs().max(range.smax().unsigned_abs()))
}
