//! Accesses: which objects a pointer may reach, what is wrong with it, what is read and written.
//!
//! A pointer that is not a constant may reach several objects. Some are the path's own, and their contents are terms;
//! the others are shared, and the world reads and writes them.

use super::{Access, At, Elsewhere, Piece, Purpose, Reach, Resolved, Step, Touch, World};
use crate::state::merge_values;
use crate::{
    Contents, Initial, Memory, ObjectNo, Objects, Place, Question, State, Taint, TooLarge, Value, bit, truth,
};
use braid_analysis::{ObjectId, Offset};
use braid_ir::{ChoiceKind, CmpXchg, Loc, Operand, RmwOp, Space, Ty};
use braid_logic::{Term, Terms};
use braid_props::Check;

pub(super) const TOO_LARGE: &str = "accesses of different sizes at arbitrary places of a large object";

/// Where the operand may point, with what an unknown number may reach; `None` if the analyses do not know.
pub fn targets<W: World>(world: &W, operand: Operand) -> Option<Vec<(ObjectId, Offset)>> {
    let pointers = &world.facts().pointers;
    let set = pointers.in_instance(world.code().instance?, operand);
    let mut targets = set.targets.clone();
    if set.may_be_exposed {
        targets.extend(pointers.exposed().targets.iter().map(|(place, _)| (*place, Offset::Any)));
    }
    Some(targets)
}

/// Bool: `len` bytes from the pointer on are bytes of the object, given that it points there.
pub fn is_inside(terms: &mut Terms, objects: &Objects, object: ObjectNo, pointer: Term, len: Term) -> Term {
    let Some(found) = objects.get(object) else { return terms.bool(false) };
    let size = found.size;
    let offset = objects.layout.offset_of(terms, pointer);
    let fits = terms.ule(len, size);
    let room = terms.bv_sub(size, len);
    let starts = terms.ule(offset, room);
    terms.and(fits, starts)
}

impl<W: World> Step<'_, W> {
    pub fn at(&mut self, state: &State<W::Path>, operand: Operand) -> At {
        At { operand, pointer: self.operand(state, operand) }
    }

    /// An access to a value of the type.
    pub(super) fn access(
        &mut self,
        state: &State<W::Path>,
        ptr: Operand,
        ty: Ty,
        space: Space,
        write: bool,
        loc: Loc,
    ) -> Access {
        let at = self.at(state, ptr);
        let bytes = ty.bytes(self.pointer_bytes()) as u32;
        let len = self.pointer_bits(bytes.into());
        Access { at, len, space, write, loc }
    }

    /// Finds the objects of an access, and checks it: what is wrong ends the path.
    pub(super) fn reach(&mut self, state: &mut State<W::Path>, access: &Access) -> Option<Reach<W::Shared>> {
        let pointer = access.at.pointer.term;
        let mut resolved = self.world.resolve(self.terms, state, pointer, Purpose::Access(*access));
        self.is_pointer(state, access.at.pointer, resolved.known, access.loc);
        self.validate(state, access, &mut resolved);
        if self.terms.is_false(state.guard) {
            return None;
        }
        let own = &resolved.objects[..resolved.own];
        let places =
            own.iter().map(|(number, zone)| (*number, *zone, self.place_in(pointer, *number))).collect();
        let shared = resolved.shared.filter(|_| resolved.open || resolved.own < resolved.objects.len());
        let shared = shared.map(|shared| {
            let zones: Vec<Term> = own.iter().map(|(_, zone)| *zone).collect();
            let own_zone = self.terms.or_all(zones);
            (self.terms.not(own_zone), shared)
        });
        Some(Reach { own: places, shared })
    }

    /// Where in the object the pointer leads, if it leads there.
    fn place_in(&mut self, pointer: Term, number: ObjectNo) -> Place {
        match self.layout.constant(self.terms, pointer) {
            Some((_, offset)) => Place::At(offset.max(0) as u64),
            None => {
                // Branches that lead elsewhere, to null for example, do not count.
                let inside = self.layout.offset_in_known(self.terms, pointer, number);
                Place::Symbolic(inside.unwrap_or_else(|| self.layout.offset_of(self.terms, pointer)))
            }
        }
    }

    /// Checks an access to the objects that it may reach.
    fn validate(&mut self, state: &mut State<W::Path>, access: &Access, resolved: &mut Resolved<W::Shared>) {
        let (pointer, purpose, loc) = (access.at.pointer.term, Purpose::Access(*access), access.loc);
        let lives = self.world.lives(self.terms, state, pointer, purpose, resolved);
        let (mut dead, mut outside) = (Vec::new(), Vec::new());
        for ((number, zone), alive) in resolved.objects.iter().zip(lives) {
            let not_alive = self.terms.not(alive);
            dead.push(self.terms.and(*zone, not_alive));
            let read_only = self.world.objects().get(*number).is_some_and(|object| object.read_only);
            let fits = if access.write && read_only {
                self.terms.bool(false)
            } else {
                is_inside(self.terms, self.world.objects(), *number, pointer, access.len)
            };
            let misses = self.terms.not(fits);
            let here = self.terms.and(*zone, alive);
            outside.push(self.terms.and(here, misses));
        }
        let zones: Vec<Term> = resolved.objects.iter().map(|(_, zone)| *zone).collect();
        let some = self.terms.or_all(zones);
        let mut nothing = self.terms.not(some);
        if resolved.open && !self.terms.is_false(nothing) {
            let wrong = self.world.elsewhere(self.terms, state, pointer, purpose, resolved);
            let Elsewhere { null, outside: out, dead: gone } = wrong;
            dead.push(self.terms.and(nothing, gone));
            outside.push(self.terms.and(nothing, out));
            nothing = self.terms.and(nothing, null);
        }
        let (dead, outside) = (self.terms.or_all(dead), self.terms.or_all(outside));
        self.check(state, Check::NullDeref, nothing, loc);
        self.check(state, Check::UseAfterFree, dead, loc);
        self.check(state, Check::OutOfBounds, outside, loc);
    }

    /// A pointer so many bytes further.
    fn shifted(&mut self, pointer: Term, by: u64) -> Term {
        if by == 0 {
            return pointer;
        }
        let by = self.pointer_bits(by.into());
        self.terms.bv_add(pointer, by)
    }

    fn shifted_place(&mut self, place: Place, by: u64) -> Place {
        match place {
            Place::At(start) => Place::At(start + by),
            Place::Symbolic(start) => Place::Symbolic(self.shifted(start, by)),
        }
    }

    /// The value of a part of an access that has been checked.
    pub(super) fn read(
        &mut self,
        state: &mut State<W::Path>,
        access: &Access,
        reach: &Reach<W::Shared>,
        piece: Piece,
    ) -> Option<Value> {
        let touch = self.touch(access, piece);
        let places = self.places(reach, piece);
        let shared = reach.shared.as_ref();
        let mut value: Option<Value> =
            shared.map(|shared| self.world.read(self.terms, state, &touch, shared));
        for (number, zone, place) in places {
            let contents = match access.space {
                Space::Memory => state.memory.contents(self.world.objects(), number),
                Space::Shadow => state.memory.shadow(self.world.objects(), number),
            };
            let Ok(found) = contents.load(self.terms, place, piece.bytes) else {
                self.unsupported(state, TOO_LARGE, access.loc);
                return None;
            };
            if piece.pointer {
                self.becomes_pointer(state, found.taint, access.loc);
            }
            value = merge_values(self.terms, zone, Some(found), value);
        }
        value
    }

    fn touch(&mut self, access: &Access, piece: Piece) -> Touch {
        let pointer = self.shifted(access.at.pointer.term, piece.start);
        Touch { pointer, space: access.space, piece }
    }

    fn places(&mut self, reach: &Reach<W::Shared>, piece: Piece) -> Vec<(ObjectNo, Term, Place)> {
        let own = reach.own.iter();
        own.map(|(number, zone, place)| (*number, *zone, self.shifted_place(*place, piece.start))).collect()
    }

    /// Writes a part of an access that has been checked.
    pub(super) fn write(
        &mut self,
        state: &mut State<W::Path>,
        access: &Access,
        reach: &Reach<W::Shared>,
        piece: Piece,
        value: Value,
    ) {
        let touch = self.touch(access, piece);
        let places = self.places(reach, piece);
        if let Some(shared) = &reach.shared {
            self.world.write(self.terms, state, &touch, shared, value);
        }
        for place in places {
            if self.store_own(state, place, piece.bytes, access.space, value).is_err() {
                self.unsupported(state, TOO_LARGE, access.loc);
                return;
            }
        }
    }

    fn store_own(
        &mut self,
        state: &mut State<W::Path>,
        (number, zone, place): (ObjectNo, Term, Place),
        bytes: u32,
        space: Space,
        value: Value,
    ) -> Result<(), TooLarge> {
        let room = self.world.objects().get(number).map_or(0, |object| object.room);
        let known = state.memory.change(self.terms, self.world.objects(), number);
        let zero = Value::plain(self.terms.bits(8 * bytes, 0));
        let put = |terms: &mut Terms, old: &mut Contents, value| {
            let before = old.clone();
            old.store(terms, place, bytes, value)?;
            if !terms.is_true(zone) {
                *old = Contents::merge(terms, zone, old, &before);
            }
            Ok(())
        };
        match space {
            Space::Memory => {
                put(self.terms, &mut known.contents, value)?;
                known.shadow.as_mut().map_or(Ok(()), |shadow| put(self.terms, shadow, zero))
            }
            Space::Shadow => {
                let fresh = || Contents::new(room, Initial::Zero);
                put(self.terms, known.shadow.get_or_insert_with(fresh), value)
            }
        }
    }

    /// A typed read, perhaps of a whole pointer: checks and value.
    pub(super) fn load(
        &mut self,
        state: &mut State<W::Path>,
        access: &Access,
        ty: Ty,
        pointer: bool,
    ) -> Option<Value> {
        let reach = self.reach(state, access)?;
        let piece = Piece { pointer, ..self.piece(ty) };
        let value = self.read(state, access, &reach, piece)?;
        if let Some(any) = self.world.volatile(self.terms, access.at.pointer.term, ty) {
            return Some(any);
        }
        Some(self.typed(value, ty))
    }

    fn piece(&self, ty: Ty) -> Piece {
        Piece::first(ty.bytes(self.pointer_bytes()) as u32)
    }

    /// Bytes as a value of the type.
    pub(super) fn typed(&mut self, value: Value, ty: Ty) -> Value {
        let width = ty.bits(self.pointer_bytes());
        let term = if self.terms.width(value.term) > width {
            self.terms.extract(value.term, width - 1, 0)
        } else {
            value.term
        };
        let taint = match (ty, value.taint) {
            (Ty::Ptr, Taint::Loaded) => Taint::Address,
            (_, taint) => taint,
        };
        Value { term, taint }
    }

    /// A value as bytes.
    fn as_bytes(&mut self, value: Value, bytes: u32) -> Value {
        let term = if self.terms.width(value.term) < 8 * bytes {
            self.terms.zero_extend(value.term, 8 * bytes)
        } else {
            value.term
        };
        Value { term, ..value }
    }

    /// A typed write: checks and effect.
    pub(super) fn store(&mut self, state: &mut State<W::Path>, access: &Access, ty: Ty, value: Value) {
        let Some(reach) = self.reach(state, access) else { return };
        let piece = self.piece(ty);
        let value = self.as_bytes(value, piece.bytes);
        self.write(state, access, &reach, piece, value);
    }

    /// A read-modify-write; the old value.
    pub(super) fn rmw(
        &mut self,
        state: &mut State<W::Path>,
        access: &Access,
        op: RmwOp,
        ty: Ty,
        operand: Value,
    ) -> Option<Value> {
        let reach = self.reach(state, access)?;
        let piece = Piece { pointer: ty == Ty::Ptr, ..self.piece(ty) };
        let old = self.read(state, access, &reach, piece)?;
        let old = self.typed(old, ty);
        if matches!(
            (old.taint, operand.taint),
            (Taint::Address, Taint::Loaded) | (Taint::Loaded, Taint::Address)
        ) {
            // An offset that others computed, from addresses perhaps.
            self.becomes_pointer(state, Taint::Loaded, access.loc);
        }
        let new = crate::rmw(self.terms, self.layout, op, ty, old, operand);
        *self.world.strays() |= new.taint == Taint::Address && op != RmwOp::Exchange;
        let new = self.as_bytes(new, piece.bytes);
        self.write(state, access, &reach, piece, new);
        Some(old)
    }

    pub(super) fn cmpxchg(&mut self, state: &mut State<W::Path>, c: &CmpXchg, loc: Loc) {
        let (expected, desired) = (self.operand(state, c.expected), self.operand(state, c.desired));
        let access = self.access(state, c.ptr, c.ty, Space::Memory, true, loc);
        let Some(reach) = self.reach(state, &access) else { return };
        let piece = Piece { pointer: c.ty == Ty::Ptr, ..self.piece(c.ty) };
        let Some(old) = self.read(state, &access, &reach, piece) else { return };
        let old = self.typed(old, c.ty);
        let equal = self.terms.eq(old.term, expected.term);
        let addresses = |taint| matches!(taint, Taint::Address | Taint::Mixed);
        if addresses(old.taint) || addresses(expected.taint) {
            let question = Question::Compare { equality: true, a: old, b: expected };
            if self.terms.width(old.term) == self.layout.pointer_bits {
                // The value read has no operand of its own.
                self.question(state, question, None, loc);
            }
        }
        let alike = Value { term: bit(self.terms, equal), taint: exchanged(old.taint, expected.taint) };
        self.depends(state, alike, loc);
        let mut stored = equal;
        if c.weak {
            let fails = self.nondet(Ty::BOOL, ChoiceKind::WeakFail);
            let fails = truth(self.terms, fails.term);
            let succeeds = self.terms.not(fails);
            stored = self.terms.and(stored, succeeds);
        }
        let before = state.guard;
        state.guard = self.terms.and(before, stored);
        let memory = state.memory.clone();
        let desired = self.as_bytes(desired, piece.bytes);
        self.write(state, &access, &reach, Piece { exchanged: true, ..piece }, desired);
        // On the other path memory is as it was.
        state.memory = Memory::merge(self.terms, self.world.objects(), stored, &state.memory, &memory);
        state.guard = before;
        super::set(state, c.old, old);
        let ok = bit(self.terms, stored);
        super::set(state, c.ok, Value::plain(ok));
    }
}

/// The taint of the outcome of an exchange, if addresses were compared: whole addresses are asked about apart.
fn exchanged(old: Taint, expected: Taint) -> Taint {
    match (old, expected) {
        (Taint::Mixed, _) | (_, Taint::Mixed) => Taint::Mixed,
        (Taint::Loaded, _) | (_, Taint::Loaded) => Taint::Loaded,
        (Taint::None | Taint::Address, Taint::None | Taint::Address) => Taint::None,
    }
}
