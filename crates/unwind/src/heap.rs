//! The lives of objects: allocations, frame objects, `free`.

use crate::access::Targets;
use crate::exec::Unwinder;
use crate::query::{Ask, Query};
use crate::state::State;
use braid_base::Idx;
use braid_bounded::*;
use braid_ir::*;
use braid_logic::{Sort, Term};
use braid_props::Check;
use braid_symex::object::{Kind, Object};
use braid_symex::{Contents, Initial, Taint, Value};

impl Unwinder<'_> {
    #[allow(clippy::too_many_arguments)]
    pub fn alloc(
        &mut self,
        state: &mut State,
        dst: RegId,
        kind: AllocKind,
        size: Operand,
        align: Operand,
        zeroed: bool,
        instr: &Instr,
    ) {
        let (size, align) = (self.operand(state, size), self.operand(state, align));
        self.depends(state, size, instr.loc);
        let align = self.terms.as_bits(align.term).map_or(1, |bits| bits as u64);
        let most = self.layout.max_size() - 1;
        let limit = self.pointer_bits(most.into());
        let too_large = self.terms.ult(limit, size.term);
        let mut large = State { guard: self.terms.and(state.guard, too_large), ..state.clone() };
        if !self.terms.is_false(large.guard) {
            self.unsupported(&mut large, "an allocation of such a size", instr.loc);
            let fits = self.terms.not(too_large);
            state.guard = self.terms.and(state.guard, fits);
        }
        if self.terms.is_false(state.guard) {
            return;
        }
        let room = self.terms.as_bits(size.term).map_or(most, |bits| bits as u64);
        if !self.out.objects.fits(room) {
            return self.unsupported(state, "so many objects", instr.loc);
        }
        let number = self.out.objects.next();
        let initial = if zeroed { Initial::Zero } else { Initial::Arbitrary { object: number } };
        let (own, block) = match kind {
            AllocKind::Heap => (Kind::Heap, braid_analysis::objects::BlockKind::Heap),
            AllocKind::Stack => (Kind::Stack, braid_analysis::objects::BlockKind::Stack),
        };
        let instance = self.stack.last().and_then(|frame| frame.instance);
        let place = instance.and_then(|instance| {
            self.facts.pointers.find(braid_analysis::Object::Block(instance, instr.id, block))
        });
        self.out.objects.add(Object {
            kind: own,
            place,
            size: size.term,
            room,
            read_only: false,
            align,
            made: Some(self.log),
            contents: Contents::new(room, initial),
        });
        let pointer = self.layout.address(self.terms, number, 0);
        match kind {
            AllocKind::Stack => state.blocks.push((state.guard, pointer)),
            AllocKind::Heap => self.block_begins(state, number),
        }
        self.set(state, dst, Value { term: pointer, taint: Taint::Address });
    }

    pub fn free(&mut self, state: &mut State, kind: AllocKind, ptr: Operand, loc: Loc) {
        let at = self.at(state, ptr);
        let pointer = at.pointer.term;
        let structural = self.layout.candidates(self.terms, pointer);
        self.is_pointer(state, at.pointer, structural.is_some(), loc);
        let null = self.pointer_bits(0);
        let is_null = self.terms.eq(pointer, null);
        let some = self.terms.not(is_null);
        if self.terms.is_false(some) {
            return;
        }
        let open = structural.is_none() && state.multi;
        let mut list = match structural {
            Some(list) => list,
            None => self.existing(ptr),
        };
        if open {
            // What others may end is asked at the end.
            list.retain(|number| !self.is_life_seen(state, *number));
        }
        let wanted = if kind == AllocKind::Heap { Kind::Heap } else { Kind::Stack };
        let seen: Vec<ObjectNo> = list.iter().copied().filter(|n| self.is_life_seen(state, *n)).collect();
        let node = (open || !seen.is_empty()).then(|| self.node(state));
        let targets = Targets { known: seen.clone(), places: if open { None } else { Some([].into()) } };
        let zones: Vec<(ObjectNo, Term)> =
            list.iter().map(|n| (*n, self.layout.is_in(self.terms, pointer, *n))).collect();
        let life = node.map(|node| {
            let guarded = State { guard: self.terms.and(state.guard, some), ..state.clone() };
            self.life(&guarded, node, pointer, &zones, &targets)
        });
        let mut valid = Vec::new();
        for (number, zone) in &zones {
            if self.out.objects.get(*number).is_none_or(|object| object.kind != wanted) {
                continue;
            }
            let start = self.layout.address(self.terms, *number, 0);
            let at_start = self.terms.eq(pointer, start);
            let alive = match life {
                Some(life) if seen.contains(number) => life,
                _ => state.memory.alive(self.terms, *number),
            };
            let here = self.terms.and(*zone, at_start);
            valid.push(self.terms.and(here, alive));
        }
        if open {
            let [null, outside, dead] =
                ["null", "out", "dead"].map(|name| self.terms.fresh(name, Sort::Bool));
            let life = life.expect("an open question has a node");
            let one = self.pointer_bits(1);
            let known = list.clone();
            self.queries.push(Query {
                ask: Ask::Free,
                pointer,
                len: one,
                known,
                places: None,
                life,
                null,
                outside,
                dead,
            });
            let wrong = self.terms.or_all([null, outside, dead]);
            valid.push(self.terms.not(wrong));
        }
        let valid = self.terms.or_all(valid);
        let invalid = self.terms.not(valid);
        let invalid = self.terms.and(some, invalid);
        self.check(state, Check::InvalidFree, invalid, loc);
        if open {
            let guard = self.terms.and(state.guard, some);
            let gone = self.terms.bits(8, 0);
            let node = node.expect("an open question has a node");
            self.event(node, guard, Area::Life, pointer, 1, Way::Write(gone), &targets);
            for (number, zone) in zones {
                let here = self.terms.and(some, zone);
                let not = self.terms.not(here);
                let known = state.memory.change(self.terms, &self.out.objects, number);
                known.alive = self.terms.and(known.alive, not);
            }
        } else {
            self.kill(state, pointer, some);
        }
    }

    pub fn local_live(&mut self, state: &mut State, local: LocalId) {
        if let Some(old) = state.locals[local.index()] {
            let always = self.terms.bool(true);
            self.kill(state, old, always);
        }
        let frame = *self.stack.last().expect("frame objects belong to a function");
        let declared = &self.program.functions[frame.func].locals[local];
        if !self.out.objects.fits(declared.size) {
            let loc = self.out.threads[self.thread].log[self.log.index as usize].loc;
            return self.unsupported(state, "so many or so large objects", loc);
        }
        let number = self.out.objects.next();
        let place = frame
            .instance
            .and_then(|instance| self.facts.pointers.find(braid_analysis::Object::Local(instance, local)));
        let (size, align, made) = (declared.size, declared.align, Some(self.log));
        let initial = Initial::Arbitrary { object: number };
        self.new_object(Kind::Frame, place, size, align, false, made, initial);
        state.locals[local.index()] = Some(self.layout.address(self.terms, number, 0));
    }

    /// The objects of the frame come to their end.
    pub fn end_frame(&mut self, state: &mut State) {
        let always = self.terms.bool(true);
        for pointer in state.locals.clone().into_iter().flatten() {
            self.kill(state, pointer, always);
        }
        for (made, pointer) in state.blocks.clone() {
            self.kill(state, pointer, made);
        }
    }
}
