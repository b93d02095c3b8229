//! `copy` and `fill`: one access per leaf, each its own step where others can see it.
//!
//! A copy of single bytes goes in words of the size of a pointer where source, destination and length are multiples of
//! that, as in the interpreter. Where this is not known, both ways are unwound.

use super::access::{TOO_LARGE, targets};
use super::leaves::{Leaf, leaves};
use super::{Access, Piece, Reach, Step, World};
use crate::{Memory, Place, State, Value};
use braid_base::faults::active;
use braid_ir::*;
use braid_logic::Term;

/// Bytes of a copy whose length is not fixed.
const OPEN: u64 = 64;

/// Leaves of one instruction that others may see.
const SEEN: usize = 4096;

/// The parts that a copy is divided into.
#[derive(Clone, Copy)]
enum Unit {
    /// The shape as often as it fits, then bytes; only bytes if the length is not fixed.
    Shape(ShapeId),
    /// The shape as often as it takes.
    Whole(ShapeId),
    /// Words of the size of a pointer, which may be pointers or not.
    Words { pointers: bool },
}

/// The two places of a copy.
#[derive(Clone, Copy)]
pub(super) struct Copied {
    pub dst: Operand,
    pub src: Operand,
    pub overlapping: bool,
}

/// The place and the byte of a fill.
#[derive(Clone, Copy)]
pub(super) struct Filled {
    pub dst: Operand,
    pub byte: Operand,
    pub shape: ShapeId,
}

/// The two sides of a copy, checked.
struct Sides<S> {
    from: Access,
    source: Reach<S>,
    to: Access,
    target: Reach<S>,
}

/// A leaf of an access, and the condition that the access goes so far.
type Part = (Leaf, Term);

const IN_USE: &str = "a copy of a synchronisation object that may be in use";

impl<W: World> Step<'_, W> {
    /// The length as far as it goes, and whether that is all.
    fn parts(&mut self, state: &mut State<W::Path>, len: Term, unit: Unit, loc: Loc) -> Option<Vec<Part>> {
        if let Some(total) = self.terms.as_bits(len) {
            if total > 1 << 24 {
                self.unsupported(state, "a copy of so many bytes", loc);
                return None;
            }
            let always = self.terms.bool(true);
            let list = match unit {
                Unit::Shape(shape) | Unit::Whole(shape) => leaves(self.world.program(), shape, total as u64),
                Unit::Words { pointers } => self.words(total as u64, pointers),
            };
            return Some(list.into_iter().map(|leaf| (leaf, always)).collect());
        }
        let limit = self.pointer_bits(OPEN.into());
        let more = self.terms.ult(limit, len);
        let mut beyond = state.when(self.terms, more);
        self.unsupported(&mut beyond, "a copy of more bytes than 64 whose number is not fixed", loc);
        let fits = self.terms.not(more);
        state.guard = self.terms.and(state.guard, fits);
        let list = match unit {
            Unit::Shape(_) => {
                (0..OPEN).map(|start| Leaf { start, len: 1, end: start + 1, pointer: false }).collect()
            }
            Unit::Whole(shape) => {
                let program = self.world.program();
                leaves(program, shape, OPEN - OPEN % program.shape_size(shape))
            }
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
        let len = u64::from(self.pointer_bytes());
        (0..total / len)
            .map(|index| Leaf { start: index * len, len, end: (index + 1) * len, pointer })
            .collect()
    }

    /// Bool: a copy goes in larger parts than bytes; and in which.
    fn larger_parts(
        &mut self,
        state: &State<W::Path>,
        copy: Copied,
        len: Term,
        shape: ShapeId,
    ) -> (Term, Unit) {
        let word = u64::from(self.pointer_bytes());
        match self.world.program().shape_size(shape) {
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
        let pointers = &self.world.facts().pointers;
        let is_pointer = |place| !matches!(pointers.object(place), braid_analysis::Object::Uninit);
        targets(self.world, src)
            .is_none_or(|list| list.iter().any(|(place, _)| pointers.contents(*place).any(is_pointer)))
    }

    /// A length that decides what happens.
    fn length(&mut self, state: &mut State<W::Path>, len: Operand, loc: Loc) -> Term {
        let len = self.operand(state, len);
        self.depends(state, len, loc);
        len.term
    }

    /// Runs only if the length is not 0; the rest of the path is put back by `rejoin`.
    fn unless_empty(&mut self, state: &mut State<W::Path>, len: Term) -> Option<State<W::Path>> {
        let zero = self.pointer_bits(0);
        let empty = self.terms.eq(len, zero);
        if self.terms.is_true(empty) {
            return None;
        }
        let not = self.terms.not(empty);
        let skipped = state.when(self.terms, empty);
        state.guard = self.terms.and(state.guard, not);
        Some(skipped)
    }

    fn rejoin(&mut self, state: &mut State<W::Path>, skipped: State<W::Path>) {
        if self.terms.is_false(skipped.guard) {
            return;
        }
        let ran = state.clone();
        *state = if self.terms.is_false(ran.guard) {
            skipped
        } else {
            State::merge(self.terms, self.world.objects(), ran, skipped)
        };
    }

    pub(super) fn copy(
        &mut self,
        state: &mut State<W::Path>,
        copy: Copied,
        len: Operand,
        shape: ShapeId,
        instr: &Instr,
    ) {
        let total = self.length(state, len, instr.loc);
        let Some(skipped) = self.unless_empty(state, total) else { return };
        let (in_larger, unit) = self.larger_parts(state, copy, total, shape);
        let in_bytes = self.terms.not(in_larger);
        let mut bytes = state.when(self.terms, in_bytes);
        state.guard = self.terms.and(state.guard, in_larger);
        let now = self.world.now();
        if !self.terms.is_false(state.guard) {
            self.copy_some(state, copy, total, unit, instr);
        }
        if !self.terms.is_false(bytes.guard) {
            // The first part is the same step, whichever way it goes.
            self.world.go_back(now);
            self.copy_some(&mut bytes, copy, total, Unit::Shape(shape), instr);
        }
        self.rejoin(state, bytes);
        self.rejoin(state, skipped);
    }

    fn copy_some(&mut self, state: &mut State<W::Path>, copy: Copied, len: Term, unit: Unit, instr: &Instr) {
        let (loc, space) = (instr.loc, Space::Memory);
        let (to, from) = (self.at(state, copy.dst), self.at(state, copy.src));
        let from = Access { at: from, len, space, write: false, loc };
        let to = Access { at: to, len, space, write: true, loc };
        let Some(source) = self.reach(state, &from) else { return };
        let Some(target) = self.reach(state, &to) else { return };
        if self.world.may_be_in_use(self.terms, state, &source) {
            return self.unsupported(state, IN_USE, loc);
        }
        let Some(mut parts) = self.parts(state, len, unit, loc) else { return };
        let shared = source.shared.is_some() || target.shared.is_some();
        if shared && parts.len() > SEEN {
            return self.unsupported(state, "a copy of so many parts that others may see", loc);
        }
        let mut sides = Sides { from, source, to, target };
        if copy.overlapping {
            let constant = |access: &Access| self.layout.constant(self.terms, access.at.pointer.term);
            match (constant(&from), constant(&to)) {
                (Some((a, x)), Some((b, y))) if a == b && y > x => parts.reverse(),
                (Some(_), Some(_)) => {}
                _ if !shared => return self.move_own(state, &sides, &parts),
                _ if self.are_apart(&from, &to) => {}
                _ => return self.unsupported(state, "moving memory that may overlap", loc),
            }
        }
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                if !active("leaves-in-one-step") {
                    self.world.next_part(self.terms, state, instr);
                }
                if shared && !self.world.is_atomic(state) {
                    let Some(again) = self.reach(state, &from) else { return };
                    sides.source = again;
                    let Some(again) = self.reach(state, &to) else { return };
                    sides.target = again;
                }
            }
            let Some(pieces) = self.read_leaf(state, &sides, *part) else { return };
            self.write_leaf(state, &sides.to, &sides.target, part.1, &pieces);
        }
    }

    /// Returns true if two pointers certainly lead to different objects.
    fn are_apart(&self, a: &Access, b: &Access) -> bool {
        let of = |access: &Access| self.layout.candidates(self.terms, access.at.pointer.term);
        matches!((of(a), of(b)), (Some(a), Some(b)) if a.iter().all(|n| !b.contains(n)))
    }

    /// All is read before anything is written: nobody sees the difference.
    fn move_own(&mut self, state: &mut State<W::Path>, sides: &Sides<W::Shared>, parts: &[Part]) {
        let mut read = Vec::new();
        for part in parts {
            let Some(pieces) = self.read_leaf(state, sides, *part) else { return };
            read.push(pieces);
        }
        for ((_, there), pieces) in parts.iter().zip(read) {
            self.write_leaf(state, &sides.to, &sides.target, *there, &pieces);
        }
    }

    /// The values of a leaf: itself, and its padding in pieces.
    fn read_leaf(
        &mut self,
        state: &mut State<W::Path>,
        sides: &Sides<W::Shared>,
        (leaf, there): Part,
    ) -> Option<Vec<(Piece, Value)>> {
        let before = state.guard;
        state.guard = self.terms.and(before, there);
        let mut pieces = Vec::new();
        for piece in pieces_of(leaf) {
            let mut value = self.read(state, &sides.from, &sides.source, piece)?;
            if piece.pointer {
                value = self.typed(value, Ty::Ptr);
            }
            pieces.push((piece, value));
        }
        state.guard = before;
        Some(pieces)
    }

    fn write_leaf(
        &mut self,
        state: &mut State<W::Path>,
        to: &Access,
        target: &Reach<W::Shared>,
        there: Term,
        pieces: &[(Piece, Value)],
    ) {
        let before = state.clone();
        state.guard = self.terms.and(state.guard, there);
        for (piece, value) in pieces {
            self.write(state, to, target, *piece, *value);
        }
        if !self.terms.is_true(there) {
            let objects = self.world.objects();
            state.memory = Memory::merge(self.terms, objects, there, &state.memory, &before.memory);
            state.guard = before.guard;
        }
    }

    pub(super) fn fill(&mut self, state: &mut State<W::Path>, fill: Filled, len: Operand, instr: &Instr) {
        let total = self.length(state, len, instr.loc);
        let Some(skipped) = self.unless_empty(state, total) else { return };
        self.fill_some(state, fill, total, instr);
        self.rejoin(state, skipped);
    }

    fn fill_some(&mut self, state: &mut State<W::Path>, fill: Filled, len: Term, instr: &Instr) {
        let loc = instr.loc;
        let byte = self.operand(state, fill.byte);
        let at = self.at(state, fill.dst);
        let to = Access { at, len, space: Space::Memory, write: true, loc };
        let Some(mut target) = self.reach(state, &to) else { return };
        let Some(parts) = self.parts(state, len, Unit::Shape(fill.shape), loc) else { return };
        if let ([(number, zone, Place::At(start))], None, Some(total)) =
            (target.own.as_slice(), &target.shared, self.terms.as_bits(len))
            && self.terms.is_true(*zone)
        {
            for _ in 1..parts.len() {
                self.world.next_part(self.terms, state, instr);
            }
            let known = state.memory.change(self.terms, self.world.objects(), *number);
            let mut filled = known.contents.fill(self.terms, *start, total as u64, byte);
            if let Some(shadow) = &mut known.shadow {
                let zero = Value::plain(self.terms.bits(8, 0));
                filled = filled.and(shadow.fill(self.terms, *start, total as u64, zero));
            }
            if filled.is_err() {
                self.unsupported(state, TOO_LARGE, loc);
            }
            return;
        }
        if target.shared.is_some() && parts.len() > SEEN {
            return self.unsupported(state, "filling so many parts that others may see", loc);
        }
        for (index, (leaf, there)) in parts.iter().enumerate() {
            if index > 0 {
                self.world.next_part(self.terms, state, instr);
                if target.shared.is_some() && !self.world.is_atomic(state) {
                    let Some(again) = self.reach(state, &to) else { return };
                    target = again;
                }
            }
            let mut pieces = Vec::new();
            for piece in pieces_of(*leaf) {
                let mut term = byte.term;
                for _ in 1..piece.bytes {
                    term = self.terms.concat(byte.term, term);
                }
                pieces.push((piece, Value { term, ..byte }));
            }
            self.write_leaf(state, &to, &target, *there, &pieces);
        }
    }
}

/// A leaf in one piece, its padding in pieces of one byte.
fn pieces_of(leaf: Leaf) -> Vec<Piece> {
    let mut pieces = Vec::new();
    if leaf.len > 0 {
        pieces.push(Piece { start: leaf.start, pointer: leaf.pointer, ..Piece::first(leaf.len as u32) });
    }
    let padding =
        (leaf.start + leaf.len..leaf.end).map(|start| Piece { start, padding: true, ..Piece::first(1) });
    pieces.extend(padding);
    pieces
}
