//! Reads and writes that have been checked, and the ends of lives.

use crate::access::{At, Reach, Seen, TOO_LARGE, Targets, area_of};
use crate::exec::Unwinder;
use crate::state::State;
use braid_base::faults::active;
use braid_bounded::*;
use braid_ir::{Loc, Operand, Space, Ty};
use braid_logic::{Sort, Term};
use braid_props::Check;
use braid_symex::{Place, Taint, Value};
use std::rc::Rc;

impl Unwinder<'_> {
    /// The value of an access that has been checked; whether it is of a whole pointer, so that no number is made of
    /// the address there.
    #[allow(clippy::too_many_arguments)]
    pub fn read(
        &mut self,
        state: &mut State,
        at: At,
        reach: &Reach,
        bytes: u32,
        space: Space,
        pointer: bool,
        loc: Loc,
    ) -> Option<Value> {
        let taint = if pointer { Taint::Address } else { Taint::Loaded };
        let mut value: Option<Value> = reach.seen.as_ref().map(|seen| {
            let symbol = self.terms.fresh("r", Sort::bits(8 * bytes));
            let guard = self.terms.and(state.guard, seen.cond);
            let area = area_of(space);
            let (place, way) = (at.pointer.term, Way::Read(symbol));
            let read = self.event(seen.node, guard, area, place, bytes, way, &seen.objects);
            if let Some(read) = read.filter(|_| pointer) {
                self.out.accesses[read].taint = taint;
            }
            Value { term: symbol, taint }
        });
        for (number, zone, place) in &reach.own {
            let contents = match space {
                Space::Memory => state.memory.contents(&self.out.objects, *number),
                Space::Shadow => state.memory.shadow(&self.out.objects, *number),
            };
            let Ok(found) = contents.load(self.terms, *place, bytes) else {
                self.unsupported(state, TOO_LARGE, loc);
                return None;
            };
            if pointer {
                self.becomes_pointer(state, found.taint, loc);
            }
            value = crate::state::merge_values(self.terms, *zone, Some(found), value);
        }
        value
    }

    /// Writes what has been checked.
    #[allow(clippy::too_many_arguments)]
    pub fn write(
        &mut self,
        state: &mut State,
        at: At,
        reach: &Reach,
        bytes: u32,
        space: Space,
        value: Value,
        loc: Loc,
    ) {
        if let Some(seen) = &reach.seen {
            let guard = self.terms.and(state.guard, seen.cond);
            let area = area_of(space);
            let (pointer, way) = (at.pointer.term, Way::Write(value.term));
            let written = self.event(seen.node, guard, area, pointer, bytes, way, &seen.objects);
            if let Some(written) = written {
                self.out.accesses[written].taint = value.taint;
            }
            if space == Space::Memory && self.may_reset(seen, at, bytes) {
                let zero = self.terms.bits(8 * bytes, 0);
                self.event(
                    seen.node,
                    guard,
                    Area::Shadow,
                    at.pointer.term,
                    bytes,
                    Way::Write(zero),
                    &seen.objects,
                );
            }
        }
        for (number, zone, place) in &reach.own {
            if self.store_own(state, *number, *zone, *place, bytes, space, value).is_err() {
                self.unsupported(state, TOO_LARGE, loc);
                return;
            }
        }
    }

    /// Whether a plain write may fall on bytes with which a model keeps state.
    fn may_reset(&self, seen: &Seen, at: At, bytes: u32) -> bool {
        let range = self
            .layout
            .constant(self.terms, at.pointer.term)
            .map(|(_, offset)| (offset.max(0) as u64, offset.max(0) as u64 + u64::from(bytes)));
        let known = seen.objects.known.iter().filter_map(|n| self.out.objects.get(*n)?.place);
        let open = seen.objects.places.iter().flat_map(|places| places.iter().copied());
        let mut all = known.chain(open);
        seen.objects.places.is_none() || all.any(|place| self.later.may_hold_state(place, range))
    }

    #[allow(clippy::too_many_arguments)]
    fn store_own(
        &mut self,
        state: &mut State,
        number: ObjectNo,
        zone: Term,
        place: Place,
        bytes: u32,
        space: Space,
        value: Value,
    ) -> Result<(), braid_symex::TooLarge> {
        let room = self.out.objects.get(number).map_or(0, |object| object.room);
        let known = state.memory.change(self.terms, &self.out.objects, number);
        let zero = Value { term: self.terms.bits(8 * bytes, 0), taint: Taint::None };
        let put = |terms: &mut braid_logic::Terms, old: &mut braid_symex::Contents, value| {
            let before = old.clone();
            old.store(terms, place, bytes, value)?;
            if !terms.is_true(zone) {
                *old = braid_symex::Contents::merge(terms, zone, old, &before);
            }
            Ok(())
        };
        match space {
            Space::Memory => {
                put(self.terms, &mut known.contents, value)?;
                known.shadow.as_mut().map_or(Ok(()), |shadow| put(self.terms, shadow, zero))
            }
            Space::Shadow => {
                let fresh = || braid_symex::Contents::new(room, braid_symex::Initial::Zero);
                put(self.terms, known.shadow.get_or_insert_with(fresh), value)
            }
        }
    }

    /// A typed read: checks and value.
    /// It may be of a whole pointer.
    pub fn load(
        &mut self,
        state: &mut State,
        ptr: Operand,
        ty: Ty,
        space: Space,
        pointer: bool,
        loc: Loc,
    ) -> Option<Value> {
        let at = self.at(state, ptr);
        let bytes = ty.bytes(self.program.pointer_bytes) as u32;
        let len = self.pointer_bits(bytes.into());
        let reach = self.reach(state, at, len, false, space, loc)?;
        let value = self.read(state, at, &reach, bytes, space, pointer, loc)?;
        if let Some(any) = self.round_signal(at.pointer.term, ty) {
            return Some(any);
        }
        Some(self.typed(value, ty))
    }

    /// Something is used as a pointer that may be a number, other than null.
    /// It may be `known` by its structure which objects it can point to.
    pub fn is_pointer(&mut self, state: &State, pointer: Value, known: bool, loc: Loc) {
        let open = match pointer.taint {
            Taint::Address if known => return,
            Taint::Address => self.is_stray(pointer),
            Taint::Loaded | Taint::Mixed => self.terms.bool(true),
            Taint::None => {
                let null = self.pointer_bits(0);
                self.terms.ne(pointer.term, null)
            }
        };
        self.on_addresses(state, open, What::Addresses, loc);
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
    pub fn becomes_pointer(&mut self, state: &State, number: Taint, loc: Loc) {
        let what = match number {
            Taint::None | Taint::Address => return,
            _ if active("pointers-of-any-bits") => return,
            Taint::Loaded => What::LoadedAddresses,
            Taint::Mixed => What::Addresses,
        };
        let always = self.terms.bool(true);
        self.on_addresses(state, always, what, loc);
    }

    /// A value goes where nobody knows any more whether it is a pointer or a number: then a number must not be
    /// where an object may lie.
    pub fn passes_for_pointer(&mut self, state: &State, value: Value, loc: Loc) {
        self.becomes_pointer(state, value.taint, loc);
        let stray = self.is_stray(value);
        self.on_addresses(state, stray, What::Addresses, loc);
        if value.taint == Taint::None {
            let object = self.layout.object_of(self.terms, value.term);
            let number = self.layout.is_no_address(self.terms, object);
            let open = self.terms.not(number);
            self.on_addresses(state, open, What::Addresses, loc);
        }
    }

    /// Bytes as a value of the type.
    pub fn typed(&mut self, value: Value, ty: Ty) -> Value {
        let width = ty.bits(self.program.pointer_bytes);
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
    pub fn as_bytes(&mut self, value: Value, bytes: u32) -> Value {
        let term = if self.terms.width(value.term) < 8 * bytes {
            self.terms.zero_extend(value.term, 8 * bytes)
        } else {
            value.term
        };
        Value { term, ..value }
    }

    /// A typed write: checks and effect.
    pub fn store(&mut self, state: &mut State, ptr: Operand, ty: Ty, value: Value, space: Space, loc: Loc) {
        let at = self.at(state, ptr);
        let bytes = ty.bytes(self.program.pointer_bytes) as u32;
        let len = self.pointer_bits(bytes.into());
        let Some(reach) = self.reach(state, at, len, true, space, loc) else { return };
        let value = self.as_bytes(value, bytes);
        self.write(state, at, &reach, bytes, space, value, loc);
    }

    /// Memory that comes to its end must hold no lock that a thread holds.
    fn ends_unlocked(&mut self, state: &mut State, number: ObjectNo, here: Term) {
        let place = self.out.objects.get(number).and_then(|object| object.place);
        let Some(words) = place.and_then(|place| self.later.locks(place)) else { return };
        let asked = self.options.checks.contains(Check::LockMisuse) && !self.is_trial(state);
        let untouched = |known: &braid_symex::memory::Known| known.shadow.is_none();
        let seen = self.is_seen(state, number, Space::Shadow, None);
        let free = !seen && state.memory.known(number).is_none_or(untouched);
        if !asked || free || active("held-lock-forgotten") {
            return;
        }
        let words: Option<Vec<u64>> = words.map(|words| words.iter().map(|(start, _)| *start).collect());
        let loc = self.out.threads[self.thread].log[self.log.index as usize].loc;
        let Some(words) = words else {
            let place = self.site(loc);
            let reached = self.terms.and(state.guard, here);
            let what = "the end of memory with locks at places that are not known".to_string();
            return self.obligation(state, reached, What::Unsupported(what), place);
        };
        let room = self.out.objects.get(number).map_or(0, |object| object.room);
        let mut held = Vec::new();
        for start in words.into_iter().filter(|start| start + 4 <= room) {
            let term = self.layout.address(self.terms, number, start as i64);
            let owner = if self.is_seen(state, number, Space::Shadow, Some((start, start + 4))) {
                let node = self.node(state);
                let symbol = self.terms.fresh("r", Sort::bits(32));
                let guard = self.terms.and(state.guard, here);
                let targets = Targets { known: vec![number], places: Some(Rc::from([])) };
                self.event(node, guard, Area::Shadow, term, 4, Way::Read(symbol), &targets);
                symbol
            } else {
                let shadow = state.memory.shadow(&self.out.objects, number);
                let Ok(found) = shadow.load(self.terms, Place::At(start), 4) else { continue };
                found.term
            };
            let none = self.terms.bits(32, 0);
            held.push(self.terms.ne(owner, none));
        }
        let held = self.terms.or_all(held);
        let wrong = self.terms.and(here, held);
        self.check(state, Check::LockMisuse, wrong, loc);
    }

    /// Ends the life of what the pointer (to the start of an object, or null) points to.
    pub fn kill(&mut self, state: &mut State, pointer: Term, cond: Term) {
        let guard = self.terms.and(state.guard, cond);
        if self.terms.is_false(guard) {
            return;
        }
        let list = match self.layout.constant(self.terms, pointer) {
            Some((number, _)) => vec![number],
            None => self
                .layout
                .candidates(self.terms, pointer)
                .unwrap_or_else(|| self.out.objects.iter().map(|(number, _)| number).collect()),
        };
        let (mut seen, mut zones) = (Vec::new(), Vec::new());
        for number in list {
            if self.out.objects.get(number).is_none() {
                continue;
            }
            let zone = self.layout.is_in(self.terms, pointer, number);
            let here = self.terms.and(cond, zone);
            if self.terms.is_false(here) {
                continue;
            }
            self.ends_unlocked(state, number, here);
            if self.is_life_noticed(state, number) {
                seen.push(number);
                zones.push(here);
            }
            if !self.is_life_seen(state, number) {
                let known = state.memory.change(self.terms, &self.out.objects, number);
                let not = self.terms.not(here);
                known.alive = self.terms.and(known.alive, not);
            }
        }
        if !seen.is_empty() {
            let node = self.node(state);
            let here = self.terms.or_all(zones);
            let guard = self.terms.and(state.guard, here);
            let dead = self.terms.bits(8, 0);
            let targets = Targets { known: seen, places: Some(Rc::from([])) };
            self.event(node, guard, Area::Life, pointer, 1, Way::Write(dead), &targets);
        }
    }
}
