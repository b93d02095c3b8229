//! Results that must not depend on where objects lie in memory.
//!
//! Base addresses are constants here, but the program may not notice: comparing pointers is fixed only
//! within one object, with null, or (for equality) between bytes of live objects. Everything else is an
//! obligation: if it is reached, there is no proof. An address before its object may be anything, null too; so
//! where addresses are moved that way at all, it is asked whether one is compared with null.

use super::{Elsewhere, Hazard, Purpose, Step, World};
use crate::step::access::is_inside;
use crate::{ObjectNo, Objects, Question, State, Taint, Value};
use braid_base::faults::active;
use braid_ir::{Expr, Loc, Operand};
use braid_logic::{Term, Terms};

/// Nothing lies in the first so many bytes of the address space, nor in the last.
const PAGE: u128 = 4096;

/// The operands of a comparison, which the analyses know; none for values that are no operands.
type Pair = Option<(Operand, Operand)>;

/// The two operands that an expression compares.
pub(crate) fn compared_operands(expr: &Expr) -> Pair {
    match *expr {
        Expr::Compare { a, b, .. } | Expr::PtrDiff { a, b } | Expr::Binary { a, b, .. } => Some((a, b)),
        Expr::Use(_)
        | Expr::Unary { .. }
        | Expr::Fits { .. }
        | Expr::Cast { .. }
        | Expr::Select { .. }
        | Expr::PtrAdd { .. }
        | Expr::LocalAddr(_)
        | Expr::ThreadLocalAddr(_)
        | Expr::ObjectSize(_)
        | Expr::Math { .. } => None,
    }
}

impl<W: World> Step<'_, W> {
    /// A result must be the same for all base addresses.
    pub(super) fn question(
        &mut self,
        state: &mut State<W::Path>,
        question: Question,
        operands: Pair,
        loc: Loc,
    ) {
        let fixed = match question {
            Question::Compare { equality, a, b } => {
                return self.compared(state, equality, [a, b], operands, loc);
            }
            Question::SameObject { a, b } => {
                let (one, certain) = (self.is_one_object(a, b), self.are_no_strays(a, b));
                self.terms.and(one, certain)
            }
            Question::Stays { from: a, to: b } => self.is_one_object(a, b),
            Question::Numbers { a, b } => self.are_numbers(a, b),
        };
        self.unless_fixed(state, fixed, Hazard::Addresses, loc);
        if let Question::Stays { .. } = question {
            // The term points into another object; nothing follows from it.
            state.guard = self.terms.and(state.guard, fixed);
        }
    }

    fn unless_fixed(&mut self, state: &State<W::Path>, fixed: Term, hazard: Hazard, loc: Loc) {
        if !active("addresses-forgotten") {
            let open = self.terms.not(fixed);
            self.on_addresses(state, open, hazard, loc);
        }
    }

    fn is_one_object(&mut self, a: Term, b: Term) -> Term {
        let (of_a, of_b) = (self.layout.object_of(self.terms, a), self.layout.object_of(self.terms, b));
        self.terms.eq(of_a, of_b)
    }

    /// Bool: neither pointer is an arbitrary number where an object may lie.
    fn are_no_strays(&mut self, a: Term, b: Term) -> Term {
        let [a, b] = [a, b].map(|term| self.is_stray(Value { term, taint: Taint::Address }));
        let some = self.terms.or(a, b);
        self.terms.not(some)
    }

    /// Bool: both are plain numbers, small or negative.
    fn are_numbers(&mut self, a: Term, b: Term) -> Term {
        let (of_a, of_b) = (self.layout.object_of(self.terms, a), self.layout.object_of(self.terms, b));
        let a = self.layout.is_no_address(self.terms, of_a);
        let b = self.layout.is_no_address(self.terms, of_b);
        self.terms.and(a, b)
    }

    /// A comparison: fixed within one object, of two numbers, of an address with what is near null, and (for equality)
    /// between bytes of live objects. A number is no address, though its term may look like one.
    fn compared(
        &mut self,
        state: &mut State<W::Path>,
        equality: bool,
        [a, b]: [Value; 2],
        operands: Pair,
        loc: Loc,
    ) {
        let numbers = self.are_numbers(a.term, b.term);
        let addresses = !a.taint.is_plain() && !b.taint.is_plain();
        let mut fixed = numbers;
        if addresses {
            let one = self.is_one_object(a.term, b.term);
            fixed = self.terms.or(fixed, one);
        }
        let (mut near, mut certain) = (Vec::new(), Vec::new());
        for (side, other) in [(a, b), (b, a)] {
            if addresses || side.taint.is_plain() {
                let null = self.is_near_null(side.term);
                let behind = self.layout.is_behind_start(self.terms, other.term);
                near.push(null);
                certain.push(self.terms.and(null, behind));
            }
        }
        let (near, certain) = (self.terms.or_all(near), self.terms.or_all(certain));
        let known = if addresses { self.are_no_strays(a.term, b.term) } else { self.terms.bool(true) };
        fixed = self.terms.and(fixed, known);
        let mut open = self.terms.or(fixed, near);
        if equality && addresses && !self.terms.is_true(open) {
            let a_inside = self.strictly_inside(state, operands.map(|pair| pair.0), a.term);
            let b_inside = self.strictly_inside(state, operands.map(|pair| pair.1), b.term);
            let both = self.terms.and_all([a_inside, b_inside, known]);
            self.world.compares_handles(self.terms, state, open, [a.term, b.term], loc);
            fixed = self.terms.or(fixed, both);
            open = self.terms.or(fixed, near);
        }
        self.unless_fixed(state, open, Hazard::Addresses, loc);
        let far = self.terms.not(near);
        let sure = self.terms.or_all([fixed, far, certain]);
        self.unless_fixed(state, sure, Hazard::OutOfObject, loc);
    }

    /// Bool: no object is ever there, nor just before.
    fn is_near_null(&mut self, pointer: Term) -> Term {
        let page = self.pointer_bits(PAGE);
        let shifted = self.terms.bv_add(pointer, page);
        let end = self.pointer_bits(2 * PAGE);
        self.terms.ult(shifted, end)
    }

    /// Bool: a byte of a live object is there, or the start of an empty one. False where that is not known.
    fn strictly_inside(&mut self, state: &State<W::Path>, operand: Option<Operand>, pointer: Term) -> Term {
        let purpose = Purpose::Compare(operand);
        let mut resolved = self.world.resolve(self.terms, state, pointer, purpose);
        let lives = self.world.lives(self.terms, state, pointer, purpose, &mut resolved);
        let mut inside = Vec::new();
        for ((number, zone), alive) in resolved.objects.iter().zip(lives) {
            let fits = is_strictly_inside(self.terms, self.world.objects(), *number, pointer);
            let here = self.terms.and(*zone, alive);
            inside.push(self.terms.and(here, fits));
        }
        let inside = self.terms.or_all(inside);
        if !resolved.open {
            return inside;
        }
        let Elsewhere { null, outside, dead } =
            self.world.elsewhere(self.terms, state, pointer, purpose, &resolved);
        let wrong = self.terms.or_all([null, outside, dead]);
        let right = self.terms.not(wrong);
        self.terms.or(inside, right)
    }

    /// Something is used as a pointer that may be a number, other than null.
    /// It may be `known` by its structure which objects it can point to.
    pub(super) fn is_pointer(&mut self, state: &State<W::Path>, pointer: Value, known: bool, loc: Loc) {
        let open = match pointer.taint {
            Taint::Address if known => return,
            Taint::Address => self.is_stray(pointer),
            Taint::Loaded | Taint::Mixed => self.terms.bool(true),
            Taint::None => {
                let null = self.pointer_bits(0);
                self.terms.ne(pointer.term, null)
            }
        };
        self.on_addresses(state, open, Hazard::Addresses, loc);
    }

    /// Bool: what counts as an address is an arbitrary number on this path, and an object may lie there.
    pub fn is_stray(&mut self, pointer: Value) -> Term {
        let asked =
            pointer.taint == Taint::Address && self.terms.width(pointer.term) == self.layout.pointer_bits;
        if !asked || active("stray-pointers-followed") {
            return self.terms.bool(false);
        }
        self.layout.is_stray(self.terms, pointer.term)
    }

    /// A pointer is made of a number: if that owes something to addresses, nothing is known of the pointer.
    pub fn becomes_pointer(&mut self, state: &State<W::Path>, number: Taint, loc: Loc) {
        let hazard = match number {
            Taint::None | Taint::Address => return,
            Taint::Loaded | Taint::Mixed if active("pointers-of-any-bits") => return,
            Taint::Loaded => Hazard::LoadedAddresses,
            Taint::Mixed => Hazard::Addresses,
        };
        let always = self.terms.bool(true);
        self.on_addresses(state, always, hazard, loc);
    }

    /// A value goes where nobody knows any more whether it is a pointer or a number: then a number must not be
    /// where an object may lie.
    pub fn passes_for_pointer(&mut self, state: &State<W::Path>, value: Value, loc: Loc) {
        self.becomes_pointer(state, value.taint, loc);
        let stray = self.is_stray(value);
        self.on_addresses(state, stray, Hazard::Addresses, loc);
        if value.taint == Taint::None {
            let object = self.layout.object_of(self.terms, value.term);
            let number = self.layout.is_no_address(self.terms, object);
            let open = self.terms.not(number);
            self.on_addresses(state, open, Hazard::Addresses, loc);
        }
    }
}

/// Bool: the pointer is to a byte of the object, or to the start of an empty one.
pub fn is_strictly_inside(terms: &mut Terms, objects: &Objects, number: ObjectNo, pointer: Term) -> Term {
    if objects.get(number).is_some_and(|object| object.room == 0) {
        let start = objects.layout.address(terms, number, 0);
        return terms.eq(pointer, start);
    }
    let one = terms.bits(objects.layout.pointer_bits, 1);
    is_inside(terms, objects, number, pointer, one)
}
