//! Accesses: which objects a pointer may reach, what is wrong with it, what is read and written.
//!
//! An object is either known to the running thread alone (its contents are terms at once) or seen by
//! others (accesses are events). A pointer that is no constant may reach several objects; those of other
//! threads may not exist yet when the access is unwound, so what is wrong with it is then asked at the end
//! ([`crate::query`]).

use crate::exec::Unwinder;
use crate::query::{Ask, Query};
use crate::state::State;
use braid_analysis::{InstanceId, ObjectId, Offset};
use braid_base::faults::active;
use braid_bounded::*;
use braid_ir::*;
use braid_logic::{Sort, Term};
use braid_props::Check;
use braid_symex::object::{Kind, Object};
use braid_symex::{Place, Taint, Value};
use std::rc::Rc;

/// A pointer, and the operand it comes from, which the analyses know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At {
    pub operand: Operand,
    pub pointer: Value,
}

/// The objects an access reaches.
pub(crate) struct Reach {
    /// Known to the thread alone: with the condition that it is this one, and where in it.
    pub own: Vec<(ObjectNo, Term, Place)>,
    /// Seen by others: the condition, and the node at which it happens.
    pub seen: Option<Seen>,
}

#[derive(Clone)]
pub(crate) struct Seen {
    pub cond: Term,
    pub node: NodeId,
    pub objects: Targets,
}

/// Objects by number, or by place as far as they are not known yet.
#[derive(Clone, Debug)]
pub(crate) struct Targets {
    pub known: Vec<ObjectNo>,
    pub places: Option<Rc<[ObjectId]>>,
}

impl Unwinder<'_> {
    pub fn at(&mut self, state: &State, operand: Operand) -> At {
        At { operand, pointer: self.operand(state, operand) }
    }

    /// Whether others may see changes of the object's bytes.
    pub fn is_seen(&self, state: &State, number: ObjectNo, space: Space, range: Option<(u64, u64)>) -> bool {
        let Some(object) = self.out.objects.get(number).filter(|_| state.multi) else { return false };
        if object.read_only && space == Space::Memory {
            return false;
        }
        let Some(place) = object.place else { return !matches!(object.kind, Kind::Thread(_)) };
        self.is_shared(object.kind, place) && self.later.writes(space, place, range)
    }

    fn is_shared(&self, kind: Kind, place: ObjectId) -> bool {
        match kind {
            Kind::Function(_) | Kind::Thread(_) => false,
            Kind::Global(_) => self.facts.escape.is_shared(place),
            Kind::ThreadLocal(..) | Kind::Frame | Kind::Stack | Kind::Heap => self.is_common(place),
        }
    }

    /// Whether an object that is no static variable may be accessed by another thread than the one that
    /// makes it.
    fn is_common(&self, place: ObjectId) -> bool {
        let (escape, pointers) = (&self.facts.escape, &self.facts.pointers);
        if !escape.escapes(place) || escape.is_shared(place) {
            return escape.escapes(place);
        }
        let at = match pointers.object(place) {
            braid_analysis::Object::Local(instance, _) => {
                let first = &self.program.functions[pointers.instances()[instance].func].blocks[BlockId(0)];
                (instance, first.instrs.first().map_or(first.end.id, |instr| instr.id))
            }
            braid_analysis::Object::Block(instance, instr, _) => (instance, instr),
            _ => return true,
        };
        // One thread accesses it, at most; that one must be its maker.
        let users: Vec<_> = escape.accessed_by(place).collect();
        let mut makers = self.facts.threads.executing(at);
        !users.is_empty() && makers.any(|maker| !users.contains(&maker))
    }

    /// Whether others may see, or cause, the end of the object's life.
    pub fn is_life_seen(&self, state: &State, number: ObjectNo) -> bool {
        let Some(object) = self.out.objects.get(number).filter(|_| state.multi) else { return false };
        match (object.kind, object.place) {
            (Kind::Function(_) | Kind::Global(_) | Kind::Thread(_), _) => false,
            (_, None) => true,
            (kind, Some(_)) if self.is_counted(kind) => true,
            (kind, Some(place)) => {
                self.is_shared(kind, place) && self.later.ends(place) && !active("life-not-shared")
            }
        }
    }

    /// Whether another thread may notice that the object's life has ended, if only by comparing addresses.
    pub fn is_life_noticed(&self, state: &State, number: ObjectNo) -> bool {
        let Some(object) = self.out.objects.get(number).filter(|_| state.multi) else { return false };
        match (object.kind, object.place) {
            (Kind::Function(_) | Kind::Global(_) | Kind::Thread(_), _) => false,
            (_, None) => true,
            (kind, Some(_)) if self.is_counted(kind) => true,
            (_, Some(place)) => self.facts.escape.escapes(place) && self.later.ends(place),
        }
    }

    /// The abstract objects that the operand may point to and that may be seen, though they may not exist
    /// yet; `None` for all of them.
    fn open_places(&self, operand: Operand, space: Space, len: Option<u64>) -> Option<Vec<ObjectId>> {
        let instance = self.stack.last().and_then(|frame| frame.instance)?;
        let pointers = &self.facts.pointers;
        let mut found = Vec::new();
        for (place, offset) in self.targets(instance, operand) {
            let (place, offset) = (&place, &offset);
            let range = match offset {
                Offset::At(start) => Some((*start, start + len.unwrap_or(1))),
                Offset::Any => None,
            };
            let open = match pointers.object(*place) {
                braid_analysis::Object::Global(id) => {
                    !self.program.globals[id].read_only
                        && self.facts.escape.is_shared(*place)
                        && self.later.writes(space, *place, range)
                }
                braid_analysis::Object::ThreadLocal(_)
                | braid_analysis::Object::Local(..)
                | braid_analysis::Object::Block(..) => self.is_common(*place),
                braid_analysis::Object::Unknown
                | braid_analysis::Object::Uninit
                | braid_analysis::Object::Handle(..)
                | braid_analysis::Object::Function(_) => false,
            };
            if open {
                found.push(*place);
            }
        }
        found.sort();
        found.dedup();
        Some(found)
    }

    /// Where the operand may point, with what an unknown number may reach.
    pub fn targets(&self, instance: InstanceId, operand: Operand) -> Vec<(ObjectId, Offset)> {
        let set = self.facts.pointers.in_instance(instance, operand);
        let mut targets = set.targets.clone();
        if set.may_be_exposed {
            targets
                .extend(self.facts.pointers.exposed().targets.iter().map(|(place, _)| (*place, Offset::Any)));
        }
        targets
    }

    /// The objects that exist and that the operand may point to, if the pointer itself does not tell.
    pub fn existing(&self, operand: Operand) -> Vec<ObjectNo> {
        let Some(instance) = self.stack.last().and_then(|frame| frame.instance) else {
            return self.out.objects.iter().map(|(number, _)| number).collect();
        };
        let mut found: Vec<ObjectNo> = Vec::new();
        for (place, _) in self.targets(instance, operand) {
            found.extend(self.out.objects.of_place(place));
        }
        // Objects the analyses have no name for may be anywhere; but statics without one are in no code that runs.
        let is_nameless = |object: &Object| match object.kind {
            Kind::Thread(_) | Kind::Function(_) | Kind::Global(_) => false,
            Kind::ThreadLocal(..) | Kind::Frame | Kind::Stack | Kind::Heap => object.place.is_none(),
        };
        found.extend(
            self.out.objects.iter().filter(|(_, object)| is_nameless(object)).map(|(number, _)| number),
        );
        found.sort();
        found.dedup();
        found
    }

    /// The node of what happens now: the section's, or a new one.
    pub fn node(&mut self, state: &State) -> NodeId {
        if let Some(node) = state.section.and_then(|section| section.node) {
            return node;
        }
        // One execution of an instruction is one step, whatever it touches.
        let last = self.out.threads[self.thread].nodes.last().copied();
        match last.filter(|last| self.out.nodes[*last].log == self.log) {
            Some(last) => last,
            None => self.new_node(state.guard),
        }
    }

    pub fn new_node(&mut self, executed: Term) -> NodeId {
        let nodes = &mut self.out.threads[self.thread].nodes;
        let index = nodes.len() as u32;
        let id =
            self.out.nodes.push(Node { thread: self.thread, index, executed, log: self.log, spawns: None });
        nodes.push(id);
        id
    }

    /// Finds the objects of an access of `len` bytes (a pointer-wide term), and checks it: what is wrong
    /// ends the path.
    pub fn reach(
        &mut self,
        state: &mut State,
        at: At,
        len: Term,
        write: bool,
        space: Space,
        loc: Loc,
    ) -> Option<Reach> {
        let pointer = at.pointer.term;
        let size = self.terms.as_bits(len).map(|bits| bits as u64);
        let structural = self.layout.candidates(self.terms, pointer);
        let known = structural.is_some();
        let open = if structural.is_some() || !state.multi {
            Some(Vec::new())
        } else {
            self.open_places(at.operand, space, size)
        };
        let is_open = open.as_ref().is_none_or(|places| !places.is_empty());
        let list = match structural {
            Some(list) => list,
            None => self.existing(at.operand),
        };
        let mut own = Vec::new();
        let mut seen = Vec::new();
        for number in list {
            let Some(object) = self.out.objects.get(number) else { continue };
            let placed = |places: &Vec<ObjectId>| {
                object.place.is_some_and(|place| places.binary_search(&place).is_ok())
            };
            if is_open && open.as_ref().is_none_or(placed) {
                continue;
            }
            let zone = self.layout.is_in(self.terms, pointer, number);
            if self.terms.is_false(zone) {
                continue;
            }
            let constant = self.layout.constant(self.terms, pointer);
            // Adjacent bit-fields are one memory location: an access to one races with a write of another.
            let (before, after) = self.racy.as_ref().map_or((0, 0), |racy| racy.extent);
            let range = match (constant, size) {
                (Some((_, offset)), Some(size)) if offset >= 0 => {
                    let start = (offset as u64).saturating_sub(before.into());
                    Some((start, offset as u64 + size + u64::from(after)))
                }
                _ => None,
            };
            if self.is_seen(state, number, space, range) {
                seen.push((number, zone));
            } else {
                own.push((number, zone));
            }
        }
        let life_seen = own.iter().chain(&seen).any(|(number, _)| self.is_life_seen(state, *number));
        let node = (is_open || !seen.is_empty() || life_seen).then(|| self.node(state));
        let targets = Targets {
            known: seen.iter().map(|(number, _)| *number).collect(),
            places: if is_open { open.map(Rc::from) } else { Some(Rc::from([])) },
        };
        let all: Vec<(ObjectNo, Term)> = own.iter().chain(&seen).copied().collect();
        self.is_pointer(state, at.pointer, known, loc);
        self.validate(state, at, len, write, &all, is_open, node, &targets, loc);
        if self.terms.is_false(state.guard) {
            return None;
        }
        let places =
            own.iter().map(|(number, zone)| (*number, *zone, self.place_in(pointer, *number))).collect();
        let seen = (is_open || !seen.is_empty()).then(|| {
            let zones: Vec<Term> = own.iter().map(|(_, zone)| *zone).collect();
            let own_zone = self.terms.or_all(zones);
            let node = node.expect("an event has a node");
            Seen { cond: self.terms.not(own_zone), node, objects: targets }
        });
        Some(Reach { own: places, seen })
    }

    /// Where in the object the pointer leads, if it leads there.
    pub fn place_in(&mut self, pointer: Term, number: ObjectNo) -> Place {
        match self.layout.constant(self.terms, pointer) {
            Some((_, offset)) => Place::At(offset.max(0) as u64),
            None => {
                // Branches that lead elsewhere, to null for example, do not count.
                let inside = self.layout.offset_in_known(self.terms, pointer, number);
                Place::Symbolic(inside.unwrap_or_else(|| self.layout.offset_of(self.terms, pointer)))
            }
        }
    }

    /// Bool: `len` bytes from the pointer on are bytes of the object, given that it points there.
    pub fn is_inside(&mut self, number: ObjectNo, pointer: Term, len: Term) -> Term {
        let Some(object) = self.out.objects.get(number) else { return self.terms.bool(false) };
        let size = object.size;
        let offset = self.layout.offset_of(self.terms, pointer);
        let fits = self.terms.ule(len, size);
        let room = self.terms.bv_sub(size, len);
        let starts = self.terms.ule(offset, room);
        self.terms.and(fits, starts)
    }

    /// Checks an access to the given objects; what it may do to others is asked at the end.
    #[allow(clippy::too_many_arguments)]
    fn validate(
        &mut self,
        state: &mut State,
        at: At,
        len: Term,
        write: bool,
        objects: &[(ObjectNo, Term)],
        is_open: bool,
        node: Option<NodeId>,
        targets: &Targets,
        loc: Loc,
    ) {
        let pointer = at.pointer.term;
        let life = match node {
            Some(node) if is_open || objects.iter().any(|(n, _)| self.is_life_seen(state, *n)) => {
                Some(self.life(state, node, pointer, objects, targets))
            }
            _ => None,
        };
        let (mut dead, mut outside) = (Vec::new(), Vec::new());
        for (number, zone) in objects {
            let alive = match life {
                Some(life) if self.is_life_seen(state, *number) => life,
                _ => state.memory.alive(self.terms, *number),
            };
            let not_alive = self.terms.not(alive);
            dead.push(self.terms.and(*zone, not_alive));
            let read_only = self.out.objects.get(*number).is_some_and(|object| object.read_only);
            let fits = if write && read_only {
                self.terms.bool(false)
            } else {
                self.is_inside(*number, pointer, len)
            };
            let misses = self.terms.not(fits);
            let here = self.terms.and(*zone, alive);
            outside.push(self.terms.and(here, misses));
        }
        let zones: Vec<Term> = objects.iter().map(|(_, zone)| *zone).collect();
        let some = self.terms.or_all(zones);
        let mut nothing = self.terms.not(some);
        if is_open && !self.terms.is_false(nothing) {
            let [null, out, gone] = ["null", "out", "dead"].map(|name| self.terms.fresh(name, Sort::Bool));
            self.queries.push(Query {
                ask: Ask::Access { write },
                pointer,
                len,
                known: objects.iter().map(|(number, _)| *number).collect(),
                places: targets.places.clone(),
                life: life.unwrap_or_else(|| self.terms.bool(true)),
                null,
                outside: out,
                dead: gone,
            });
            dead.push(self.terms.and(nothing, gone));
            outside.push(self.terms.and(nothing, out));
            nothing = self.terms.and(nothing, null);
        }
        let (dead, outside) = (self.terms.or_all(dead), self.terms.or_all(outside));
        self.check(state, Check::NullDeref, nothing, loc);
        self.check(state, Check::UseAfterFree, dead, loc);
        self.check(state, Check::OutOfBounds, outside, loc);
    }

    /// Reads whether the object behind the pointer lives.
    pub fn life(
        &mut self,
        state: &State,
        node: NodeId,
        pointer: Term,
        objects: &[(ObjectNo, Term)],
        targets: &Targets,
    ) -> Term {
        let known = objects.iter().map(|(n, _)| *n).filter(|n| self.is_life_seen(state, *n)).collect();
        self.life_of(state, node, pointer, objects, Targets { known, places: targets.places.clone() })
    }

    /// The same for objects that are among the targets; of the others nothing is asked.
    pub fn life_of(
        &mut self,
        state: &State,
        node: NodeId,
        pointer: Term,
        objects: &[(ObjectNo, Term)],
        targets: Targets,
    ) -> Term {
        let value = self.terms.fresh("life", Sort::bits(8));
        let mut known = targets.known;
        known.sort();
        let not_ours: Vec<Term> =
            objects.iter().filter(|(n, _)| known.binary_search(n).is_err()).map(|(_, zone)| *zone).collect();
        let ours = self.terms.or_all(not_ours);
        let others = self.terms.not(ours);
        let guard = self.terms.and(state.guard, others);
        self.event(
            node,
            guard,
            Area::Life,
            pointer,
            1,
            Way::Read(value),
            &Targets { known, places: targets.places.clone() },
        );
        let one = self.terms.bits(8, 1);
        self.terms.eq(value, one)
    }

    /// Writes down an access; its index, unless it never happens.
    #[allow(clippy::too_many_arguments)]
    pub fn event(
        &mut self,
        node: NodeId,
        guard: Term,
        area: Area,
        pointer: Term,
        bytes: u32,
        way: Way,
        targets: &Targets,
    ) -> Option<AccessId> {
        if self.terms.is_false(guard) {
            return None;
        }
        if self.out.probe == Some(node) {
            match way {
                Way::Write(value) if self.round.is_some() => {
                    self.round_writes(guard, area, pointer, bytes, value, targets);
                    return None;
                }
                Way::Read(_) if self.round.is_some() => {}
                Way::Read(_) | Way::Write(_) if !self.tries(guard, area, pointer, way) => return None,
                Way::Read(_) | Way::Write(_) => {}
            }
        }

        let id = self.out.accesses.push(braid_bounded::Access {
            node,
            guard,
            area,
            pointer,
            bytes,
            way,
            objects: None,
            racy: self.racy.filter(|_| area != Area::Shadow).map(|racy| Racy { log: self.log, ..racy }),
            lock: None,
            taint: Taint::None,
        });
        self.open.push((id, targets.clone()));
        Some(id)
    }
}

pub(crate) const TOO_LARGE: &str = "accesses of different sizes at arbitrary places of a large object";

pub(crate) fn area_of(space: Space) -> Area {
    match space {
        Space::Memory => Area::Memory,
        Space::Shadow => Area::Shadow,
    }
}
