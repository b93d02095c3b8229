//! The lives of objects: allocations, frame objects, `free`.

use super::{Death, Elsewhere, Purpose, Step, World};
use crate::object::Kind;
use crate::{Contents, Initial, Object, ObjectNo, Place, State, Taint, Value};
use braid_analysis::objects::BlockKind;
use braid_base::Idx;
use braid_base::faults::active;
use braid_ir::*;
use braid_logic::Term;
use braid_props::Check;

/// A block that an instruction asks for.
pub(super) struct Wanted {
    pub kind: AllocKind,
    pub size: Value,
    pub align: Value,
    pub zeroed: bool,
}

impl<W: World> Step<'_, W> {
    /// Makes a block; the address, unless the path ends.
    pub(super) fn alloc(
        &mut self,
        state: &mut State<W::Path>,
        wanted: Wanted,
        instr: &Instr,
    ) -> Option<Value> {
        let Wanted { kind, size, align, zeroed } = wanted;
        self.depends(state, size, instr.loc);
        let align = self.terms.as_bits(align.term).map_or(1, |bits| bits as u64);
        let most = self.layout.max_size() - 1;
        let limit = self.pointer_bits(most.into());
        let too_large = self.terms.ult(limit, size.term);
        let mut large = state.when(self.terms, too_large);
        if !self.terms.is_false(large.guard) {
            self.unsupported(&mut large, "an allocation of such a size", instr.loc);
            let fits = self.terms.not(too_large);
            state.guard = self.terms.and(state.guard, fits);
        }
        if self.terms.is_false(state.guard) {
            return None;
        }
        let room = self.terms.as_bits(size.term).map_or(most, |bits| bits as u64);
        if !self.world.objects().fits(room) {
            self.unsupported(state, "so many objects", instr.loc);
            return None;
        }
        let object = self.world.objects().next();
        let initial = if zeroed { Initial::Zero } else { Initial::Arbitrary { object } };
        let (own, block) = match kind {
            AllocKind::Heap => (Kind::Heap, BlockKind::Heap),
            AllocKind::Stack => (Kind::Stack, BlockKind::Stack),
        };
        let place = self.world.code().instance.and_then(|instance| {
            self.world.facts().pointers.find(braid_analysis::Object::Block(instance, instr.id, block))
        });
        let made = Some(self.world.now());
        let number = self.world.allocate(
            self.terms,
            state,
            Object {
                kind: own,
                place,
                size: size.term,
                room,
                read_only: false,
                align,
                made,
                contents: Contents::new(room, initial),
            },
        );
        let pointer = self.layout.address(self.terms, number, 0);
        if kind == AllocKind::Stack {
            state.blocks.push((state.guard, pointer));
        }
        Some(Value { term: pointer, taint: Taint::Address })
    }

    pub(super) fn free(&mut self, state: &mut State<W::Path>, kind: AllocKind, ptr: Operand, loc: Loc) {
        let at = self.at(state, ptr);
        let pointer = at.pointer.term;
        let known = self.layout.candidates(self.terms, pointer).is_some();
        self.is_pointer(state, at.pointer, known, loc);
        let null = self.pointer_bits(0);
        let is_null = self.terms.eq(pointer, null);
        let some = self.terms.not(is_null);
        if self.terms.is_false(some) {
            return;
        }
        let purpose = Purpose::Free(ptr, some);
        let wanted = if kind == AllocKind::Heap { Kind::Heap } else { Kind::Stack };
        let mut resolved = self.world.resolve(self.terms, state, pointer, purpose);
        let lives = self.world.lives(self.terms, state, pointer, purpose, &mut resolved);
        let mut valid = Vec::new();
        for ((number, zone), alive) in resolved.objects.iter().zip(lives) {
            if self.world.objects().get(*number).is_none_or(|object| object.kind != wanted) {
                continue;
            }
            let start = self.layout.address(self.terms, *number, 0);
            let at_start = self.terms.eq(pointer, start);
            let here = self.terms.and(*zone, at_start);
            valid.push(self.terms.and(here, alive));
        }
        if resolved.open {
            let Elsewhere { null, outside, dead } =
                self.world.elsewhere(self.terms, state, pointer, purpose, &resolved);
            let wrong = self.terms.or_all([null, outside, dead]);
            valid.push(self.terms.not(wrong));
        }
        let valid = self.terms.or_all(valid);
        let invalid = self.terms.not(valid);
        let invalid = self.terms.and(some, invalid);
        self.check(state, Check::InvalidFree, invalid, loc);
        let Some(shared) = resolved.shared.as_ref().filter(|_| resolved.open) else {
            return self.end_life(state, pointer, some, loc);
        };
        let death = Death { pointer, objects: &resolved.objects, open: Some((shared, some)) };
        self.world.end_life(self.terms, state, death);
        for (number, zone) in &resolved.objects {
            let here = self.terms.and(some, *zone);
            self.dies(state, *number, here);
        }
    }

    /// The object's life ends in the path's own memory, if the condition holds.
    fn dies(&mut self, state: &mut State<W::Path>, number: ObjectNo, when: Term) {
        let not = self.terms.not(when);
        let known = state.memory.change(self.terms, self.world.objects(), number);
        known.alive = self.terms.and(known.alive, not);
    }

    pub(super) fn local_live(&mut self, state: &mut State<W::Path>, local: LocalId, loc: Loc) {
        if let Some(old) = state.locals[local.index()] {
            let always = self.terms.bool(true);
            self.end_life(state, old, always, loc);
        }
        let code = self.world.code();
        let declared = &self.world.program().functions[code.func].locals[local];
        let (room, align) = (declared.size, declared.align);
        if !self.world.objects().fits(room) {
            return self.unsupported(state, "so many or so large objects", loc);
        }
        let object = self.world.objects().next();
        let pointers = &self.world.facts().pointers;
        let place =
            code.instance.and_then(|instance| pointers.find(braid_analysis::Object::Local(instance, local)));
        let (size, made) = (self.pointer_bits(room.into()), Some(self.world.now()));
        let contents = Contents::new(room, Initial::Arbitrary { object });
        let (kind, read_only) = (Kind::Frame, false);
        let object = Object { kind, place, size, room, read_only, align, made, contents };
        let number = self.world.allocate(self.terms, state, object);
        state.locals[local.index()] = Some(self.layout.address(self.terms, number, 0));
    }

    /// The objects of the frame come to their end.
    pub fn end_frame(&mut self, state: &mut State<W::Path>, loc: Loc) {
        let always = self.terms.bool(true);
        for pointer in state.locals.clone().into_iter().flatten() {
            self.end_life(state, pointer, always, loc);
        }
        for (made, pointer) in state.blocks.clone() {
            self.end_life(state, pointer, made, loc);
        }
    }

    /// Memory that comes to its end must hold no lock that a thread holds.
    fn ends_unlocked(&mut self, state: &mut State<W::Path>, number: ObjectNo, here: Term, loc: Loc) {
        let Some(words) = self.world.locks_in(state, number) else { return };
        let untouched = |known: &crate::memory::Known| known.shadow.is_none();
        let own = self.world.owns(state, number, Space::Shadow, None);
        let free = own && state.memory.known(number).is_none_or(untouched);
        if !self.world.checks(Check::LockMisuse) || free || active("held-lock-forgotten") {
            return;
        }
        let Some(words) = words else {
            let what = "the end of memory with locks at places that are not known".to_string();
            let reached = self.terms.and(state.guard, here);
            return self.world.oblige(self.terms, state, reached, super::Hazard::Unsupported(what), loc);
        };
        let room = self.world.objects().get(number).map_or(0, |object| object.room);
        let mut held = Vec::new();
        for start in words.into_iter().filter(|start| start + 4 <= room) {
            let owner = if self.world.owns(state, number, Space::Shadow, Some((start, start + 4))) {
                let shadow = state.memory.shadow(self.world.objects(), number);
                let Ok(found) = shadow.load(self.terms, Place::At(start), 4) else { continue };
                found.term
            } else {
                self.world.peek(self.terms, state, number, start, here)
            };
            let none = self.terms.bits(32, 0);
            held.push(self.terms.ne(owner, none));
        }
        let held = self.terms.or_all(held);
        let wrong = self.terms.and(here, held);
        self.check(state, Check::LockMisuse, wrong, loc);
    }

    /// Ends the life of what the pointer (to the start of an object, or null) points to.
    pub fn end_life(&mut self, state: &mut State<W::Path>, pointer: Term, cond: Term, loc: Loc) {
        let guard = self.terms.and(state.guard, cond);
        if self.terms.is_false(guard) {
            return;
        }
        let list = match self.layout.constant(self.terms, pointer) {
            Some((number, _)) => vec![number],
            None => self
                .layout
                .candidates(self.terms, pointer)
                .unwrap_or_else(|| self.world.objects().iter().map(|(number, _)| number).collect()),
        };
        let mut objects = Vec::new();
        for number in list {
            if self.world.objects().get(number).is_none() {
                continue;
            }
            let zone = self.layout.is_in(self.terms, pointer, number);
            let here = self.terms.and(cond, zone);
            if self.terms.is_false(here) {
                continue;
            }
            self.ends_unlocked(state, number, here, loc);
            objects.push((number, here));
            if self.world.owns_life(state, number) {
                self.dies(state, number, here);
            }
        }
        self.world.end_life(self.terms, state, Death { pointer, objects: &objects, open: None });
    }
}
