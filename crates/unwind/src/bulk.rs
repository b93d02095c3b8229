//! `copy` and `fill`: one access per leaf, each its own step where others can see it.
//!
//! A copy of single bytes goes in words of the size of a pointer where source, destination and length are multiples of
//! that, as in the interpreter. Where this is not known, both ways are unwound.

use crate::access::{At, Reach};
use crate::exec::Unwinder;
use crate::leaves::{Leaf, leaves};
use crate::state::{State, plain};
use braid_base::faults::active;
use braid_ir::*;
use braid_logic::Term;
use braid_symex::{ObjectNo, Place, Stored, Value};

/// Bytes of a copy whose length is not fixed.
const OPEN: u64 = 64;

/// Leaves of one instruction that others may see.
const SEEN: usize = 4096;

/// What a copy is divided into.
#[derive(Clone, Copy)]
enum Unit {
    /// The shape as often as it fits, then bytes; only bytes if the length is not fixed.
    Shape(ShapeId),
    /// The shape as often as it takes.
    Whole(ShapeId),
    /// Words of the size of a pointer, which may be pointers or not.
    Words { pointers: bool },
}

/// What is copied where.
#[derive(Clone, Copy)]
struct Copied {
    dst: Operand,
    src: Operand,
    overlapping: bool,
}

const IN_USE: &str = "a copy of a synchronisation object that may be in use";

impl Unwinder<'_> {
    /// The length as far as it goes, and whether that is all.
    fn parts(&mut self, state: &mut State, len: Term, unit: Unit, loc: Loc) -> Option<Vec<(Leaf, Term)>> {
        if let Some(total) = self.terms.as_bits(len) {
            if total > 1 << 24 {
                self.unsupported(state, "a copy of so many bytes", loc);
                return None;
            }
            let always = self.terms.bool(true);
            let list = match unit {
                Unit::Shape(shape) | Unit::Whole(shape) => leaves(self.program, shape, total as u64),
                Unit::Words { pointers } => self.words(total as u64, pointers),
            };
            return Some(list.into_iter().map(|leaf| (leaf, always)).collect());
        }
        let limit = self.pointer_bits(OPEN.into());
        let more = self.terms.ult(limit, len);
        let mut beyond = State { guard: self.terms.and(state.guard, more), ..state.clone() };
        self.unsupported(&mut beyond, "a copy of more bytes than 64 whose number is not fixed", loc);
        let fits = self.terms.not(more);
        state.guard = self.terms.and(state.guard, fits);
        let list = match unit {
            Unit::Shape(_) => {
                (0..OPEN).map(|start| Leaf { start, len: 1, end: start + 1, pointer: false }).collect()
            }
            Unit::Whole(shape) => leaves(self.program, shape, OPEN - OPEN % self.program.shape_size(shape)),
            Unit::Words { pointers } => self.words(OPEN, pointers),
        };
        let mut parts = Vec::new();
        for leaf in list {
            let at = self.pointer_bits(leaf.start.into());
            parts.push((leaf, self.terms.ult(at, len)));
        }
        Some(parts)
    }

    fn words(&self, total: u64, pointer: bool) -> Vec<Leaf> {
        let len = u64::from(self.program.pointer_bytes);
        (0..total / len)
            .map(|index| Leaf { start: index * len, len, end: (index + 1) * len, pointer })
            .collect()
    }

    /// Bool: a copy goes in larger parts than bytes; and in which.
    fn larger_parts(&mut self, state: &State, copy: Copied, len: Term, shape: ShapeId) -> (Term, Unit) {
        let word = u64::from(self.program.pointer_bytes);
        match self.program.shape_size(shape) {
            1 if !active("pointers-copied-in-bytes") => {
                // Objects begin at multiples of far more.
                let (dst, src) = (self.operand(state, copy.dst).term, self.operand(state, copy.src).term);
                let aligned = [dst, src, len].map(|term| self.is_multiple(term, word));
                (self.terms.and_all(aligned), Unit::Words { pointers: self.may_hold_pointers(copy.src) })
            }
            size if size > 1 && size <= OPEN && size.is_power_of_two() && !self.terms.is_constant(len) => {
                (self.is_multiple(len, size), Unit::Whole(shape))
            }
            _ => (self.terms.bool(false), Unit::Shape(shape)),
        }
    }

    /// Bool: a number is a multiple of a power of two, which is more than 1.
    fn is_multiple(&mut self, term: Term, power: u64) -> Term {
        let bits = power.trailing_zeros();
        let (low, zero) = (self.terms.extract(term, bits - 1, 0), self.terms.bits(bits, 0));
        self.terms.eq(low, zero)
    }

    /// Returns true if a word of the source may be a pointer.
    fn may_hold_pointers(&self, src: Operand) -> bool {
        let Some(instance) = self.stack.last().and_then(|frame| frame.instance) else { return true };
        let pointers = &self.facts.pointers;
        let is_pointer = |place| !matches!(pointers.object(place), braid_analysis::Object::Uninit);
        self.targets(instance, src).iter().any(|(place, _)| pointers.contents(*place).any(is_pointer))
    }

    /// A length that decides what happens.
    fn length(&mut self, state: &mut State, len: Operand, loc: Loc) -> Term {
        let len = self.operand(state, len);
        self.depends(state, len, loc);
        len.term
    }

    /// Runs only if the length is not 0; the rest of the path is put back by `rejoin`.
    fn unless_empty(&mut self, state: &mut State, len: Term) -> Option<State> {
        let zero = self.pointer_bits(0);
        let empty = self.terms.eq(len, zero);
        if self.terms.is_true(empty) {
            return None;
        }
        let not = self.terms.not(empty);
        let skipped = State { guard: self.terms.and(state.guard, empty), ..state.clone() };
        state.guard = self.terms.and(state.guard, not);
        Some(skipped)
    }

    fn rejoin(&mut self, state: &mut State, skipped: State) {
        if self.terms.is_false(skipped.guard) {
            return;
        }
        let ran = state.clone();
        *state = if self.terms.is_false(ran.guard) {
            skipped
        } else {
            State::merge(self.terms, &self.out.objects, ran, skipped)
        };
    }

    #[allow(clippy::too_many_arguments)]
    pub fn copy(
        &mut self,
        state: &mut State,
        dst: Operand,
        src: Operand,
        len: Operand,
        shape: ShapeId,
        overlapping: bool,
        instr: &Instr,
    ) {
        let total = self.length(state, len, instr.loc);
        let Some(skipped) = self.unless_empty(state, total) else { return };
        let copy = Copied { dst, src, overlapping };
        let (in_larger, unit) = self.larger_parts(state, copy, total, shape);
        let in_bytes = self.terms.not(in_larger);
        let mut bytes = State { guard: self.terms.and(state.guard, in_bytes), ..state.clone() };
        state.guard = self.terms.and(state.guard, in_larger);
        let log = self.log;
        if !self.terms.is_false(state.guard) {
            self.copy_some(state, copy, total, unit, instr);
        }
        if !self.terms.is_false(bytes.guard) {
            // The first part is the same step, whichever way it goes.
            self.log = log;
            self.copy_some(&mut bytes, copy, total, Unit::Shape(shape), instr);
        }
        self.rejoin(state, bytes);
        self.rejoin(state, skipped);
    }

    fn copy_some(&mut self, state: &mut State, copy: Copied, len: Term, unit: Unit, instr: &Instr) {
        let (loc, Copied { dst, src, overlapping }) = (instr.loc, copy);
        let (to, from) = (self.at(state, dst), self.at(state, src));
        let Some(source) = self.reach(state, from, len, false, Space::Memory, loc) else { return };
        let Some(target) = self.reach(state, to, len, true, Space::Memory, loc) else { return };
        if self.may_be_in_use(state, &source) {
            return self.unsupported(state, IN_USE, loc);
        }
        let Some(mut parts) = self.parts(state, len, unit, loc) else { return };
        let seen = source.seen.is_some() || target.seen.is_some();
        if seen && parts.len() > SEEN {
            return self.unsupported(state, "a copy of so many parts that others may see", loc);
        }
        let constants = (
            self.layout.constant(self.terms, from.pointer.term),
            self.layout.constant(self.terms, to.pointer.term),
        );
        if overlapping {
            match constants {
                (Some((a, x)), Some((b, y))) if a == b && y > x => parts.reverse(),
                (Some(_), Some(_)) => {}
                _ if !seen => return self.move_own(state, from, to, &source, &target, &parts, loc),
                _ if self.are_apart(from, to) => {}
                _ => return self.unsupported(state, "moving memory that may overlap", loc),
            }
        }
        let (mut source, mut target) = (source, target);
        for (index, (leaf, there)) in parts.iter().enumerate() {
            if index > 0 {
                if !active("leaves-in-one-step") {
                    self.note(state, instr.id, loc);
                }
                if seen && state.section.is_none() {
                    let Some(again) = self.reach(state, from, len, false, Space::Memory, loc) else { return };
                    source = again;
                    let Some(again) = self.reach(state, to, len, true, Space::Memory, loc) else { return };
                    target = again;
                }
            }
            let Some(pieces) = self.read_leaf(state, from, &source, *leaf, *there, loc) else { return };
            self.write_leaf(state, to, &target, *leaf, *there, &pieces, loc);
        }
    }

    /// Whether two pointers certainly lead to different objects.
    fn are_apart(&self, a: At, b: At) -> bool {
        let of = |at: At| self.layout.candidates(self.terms, at.pointer.term);
        matches!((of(a), of(b)), (Some(a), Some(b)) if a.iter().all(|n| !b.contains(n)))
    }

    /// All is read before anything is written: nobody sees the difference.
    #[allow(clippy::too_many_arguments)]
    fn move_own(
        &mut self,
        state: &mut State,
        from: At,
        to: At,
        source: &Reach,
        target: &Reach,
        parts: &[(Leaf, Term)],
        loc: Loc,
    ) {
        let mut read = Vec::new();
        for (leaf, there) in parts {
            let Some(pieces) = self.read_leaf(state, from, source, *leaf, *there, loc) else { return };
            read.push(pieces);
        }
        for ((leaf, there), pieces) in parts.iter().zip(read) {
            self.write_leaf(state, to, target, *leaf, *there, &pieces, loc);
        }
    }

    fn may_be_in_use(&self, state: &State, source: &Reach) -> bool {
        let holds = |number: &ObjectNo| {
            let place = self.out.objects.get(*number).and_then(|object| object.place);
            place.is_none_or(|place| self.later.may_hold_state(place, None))
        };
        let own = source.own.iter().any(|(number, _, _)| {
            let here = state.memory.known(*number).and_then(|known| known.shadow.as_ref());
            let here = here.is_some_and(|shadow| !self.is_all_zero(shadow));
            (here || self.is_seen(state, *number, Space::Shadow, None)) && holds(number)
        });
        let seen = source.seen.as_ref().is_some_and(|seen| {
            let open = seen.objects.places.as_ref();
            seen.objects.known.iter().any(holds)
                || open.is_none_or(|places| places.iter().any(|p| self.later.may_hold_state(*p, None)))
        });
        own || seen
    }

    /// Returns true if state is zero everywhere: the objects there are as new.
    fn is_all_zero(&self, shadow: &braid_symex::Contents) -> bool {
        let is_zero = |(_, _, stored): &(u64, u64, Stored)| match stored {
            Stored::Value(value) | Stored::Filled(value) => self.terms.as_bits(value.term) == Some(0),
            Stored::Merged(_) => false,
        };
        shadow.written().is_some_and(|entries| entries.iter().all(is_zero))
    }

    pub fn shifted(&mut self, at: At, by: u64) -> At {
        let by = self.pointer_bits(by.into());
        let term = self.terms.bv_add(at.pointer.term, by);
        At { pointer: Value { term, ..at.pointer }, ..at }
    }

    pub fn shift_reach(&mut self, reach: &Reach, by: u64) -> Reach {
        let offset = self.pointer_bits(by.into());
        let mut own = Vec::new();
        for (number, zone, place) in &reach.own {
            let place = match place {
                Place::At(start) => Place::At(start + by),
                Place::Symbolic(start) => Place::Symbolic(self.terms.bv_add(*start, offset)),
            };
            own.push((*number, *zone, place));
        }
        Reach { own, seen: reach.seen.clone() }
    }

    /// The values of a leaf: itself, and its padding in pieces.
    fn read_leaf(
        &mut self,
        state: &mut State,
        from: At,
        source: &Reach,
        leaf: Leaf,
        there: Term,
        loc: Loc,
    ) -> Option<Vec<(u64, u32, Value)>> {
        let before = state.guard;
        state.guard = self.terms.and(before, there);
        let mut pieces = Vec::new();
        for (start, bytes) in pieces_of(leaf) {
            let (at, reach) = (self.shifted(from, start), self.shift_reach(source, start));
            let pointer = leaf.pointer && start == leaf.start;
            let read = |this: &mut Self| this.read(state, at, &reach, bytes, Space::Memory, pointer, loc);
            let mut value = self.unless_padding(leaf, start, read)?;
            if pointer {
                value = self.typed(value, Ty::Ptr);
            }
            pieces.push((start, bytes, value));
        }
        state.guard = before;
        Some(pieces)
    }

    /// Padding does not race.
    fn unless_padding<T>(&mut self, leaf: Leaf, start: u64, access: impl FnOnce(&mut Self) -> T) -> T {
        let racy = self.racy;
        self.racy = racy.filter(|_| start < leaf.start + leaf.len);
        let result = access(self);
        self.racy = racy;
        result
    }

    #[allow(clippy::too_many_arguments)]
    fn write_leaf(
        &mut self,
        state: &mut State,
        to: At,
        target: &Reach,
        leaf: Leaf,
        there: Term,
        pieces: &[(u64, u32, Value)],
        loc: Loc,
    ) {
        let before = state.clone();
        state.guard = self.terms.and(state.guard, there);
        for (start, bytes, value) in pieces {
            let (at, reach) = (self.shifted(to, *start), self.shift_reach(target, *start));
            let write = |this: &mut Self| this.write(state, at, &reach, *bytes, Space::Memory, *value, loc);
            self.unless_padding(leaf, *start, write);
        }
        if !self.terms.is_true(there) {
            state.memory = braid_symex::memory::Memory::merge(
                self.terms,
                &self.out.objects,
                there,
                &state.memory,
                &before.memory,
            );
            state.guard = before.guard;
        }
    }

    pub fn fill(
        &mut self,
        state: &mut State,
        dst: Operand,
        byte: Operand,
        len: Operand,
        shape: ShapeId,
        instr: &Instr,
    ) {
        let total = self.length(state, len, instr.loc);
        let Some(skipped) = self.unless_empty(state, total) else { return };
        self.fill_some(state, dst, byte, total, shape, instr);
        self.rejoin(state, skipped);
    }

    fn fill_some(
        &mut self,
        state: &mut State,
        dst: Operand,
        byte: Operand,
        len: Term,
        shape: ShapeId,
        instr: &Instr,
    ) {
        let loc = instr.loc;
        let byte = self.operand(state, byte);
        let to = self.at(state, dst);
        let Some(target) = self.reach(state, to, len, true, Space::Memory, loc) else { return };
        let Some(parts) = self.parts(state, len, Unit::Shape(shape), loc) else { return };
        if let ([(number, zone, Place::At(start))], None, Some(total)) =
            (target.own.as_slice(), &target.seen, self.terms.as_bits(len))
            && self.terms.is_true(*zone)
        {
            for _ in 1..parts.len() {
                self.note(state, instr.id, loc);
            }
            let known = state.memory.change(self.terms, &self.out.objects, *number);
            let mut filled = known.contents.fill(self.terms, *start, total as u64, byte);
            if let Some(shadow) = &mut known.shadow {
                let zero = plain(self.terms.bits(8, 0));
                filled = filled.and(shadow.fill(self.terms, *start, total as u64, zero));
            }
            if filled.is_err() {
                self.unsupported(state, crate::access::TOO_LARGE, loc);
            }
            return;
        }
        if target.seen.is_some() && parts.len() > SEEN {
            return self.unsupported(state, "filling so many parts that others may see", loc);
        }
        let mut target = target;
        for (index, (leaf, there)) in parts.iter().enumerate() {
            if index > 0 {
                self.note(state, instr.id, loc);
                if target.seen.is_some() && state.section.is_none() {
                    let Some(again) = self.reach(state, to, len, true, Space::Memory, loc) else { return };
                    target = again;
                }
            }
            let mut pieces = Vec::new();
            for (start, bytes) in pieces_of(*leaf) {
                let mut term = byte.term;
                for _ in 1..bytes {
                    term = self.terms.concat(byte.term, term);
                }
                pieces.push((start, bytes, Value { term, ..byte }));
            }
            self.write_leaf(state, to, &target, *leaf, *there, &pieces, loc);
        }
    }
}

/// A leaf in one piece, its padding in pieces of one byte.
fn pieces_of(leaf: Leaf) -> Vec<(u64, u32)> {
    let mut pieces = Vec::new();
    if leaf.len > 0 {
        pieces.push((leaf.start, leaf.len as u32));
    }
    pieces.extend((leaf.start + leaf.len..leaf.end).map(|start| (start, 1)));
    pieces
}
