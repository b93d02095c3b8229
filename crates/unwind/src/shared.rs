//! Shared memory: which objects others may see, and the accesses to them.
//!
//! An object is either known to the running thread alone (its contents are terms at once) or seen by
//! others (accesses are events). A pointer that is no constant may reach several objects; those of other
//! threads may not exist yet when the access is unwound, so what is wrong with it is then asked at the end
//! ([`crate::query`]).

use crate::events::Events;
use crate::query::{Ask, Query};
use crate::state::State;
use braid_analysis::{ObjectId, Offset};
use braid_base::faults::active;
use braid_bounded::*;
use braid_ir::*;
use braid_logic::{Sort, Term, Terms};
use braid_symex::Taint;
use braid_symex::object::{Kind, Object};
use braid_symex::step::access::targets;
use braid_symex::step::{Access as Accessed, Elsewhere, Purpose, Resolved};
use std::rc::Rc;

/// The shared part of an access.
#[derive(Clone)]
pub(crate) struct Seen {
    pub node: NodeId,
    pub objects: Targets,
    /// Bool: the object behind the pointer lives, if that was read.
    pub life: Option<Term>,
}

/// Objects by number, or by place as far as they are not known yet.
#[derive(Clone, Debug)]
pub(crate) struct Targets {
    pub known: Vec<ObjectNo>,
    pub places: Option<Rc<[ObjectId]>>,
}

impl Targets {
    /// Objects that exist.
    pub fn of(known: Vec<ObjectNo>) -> Targets {
        Targets { known, places: Some(Rc::from([])) }
    }

    /// Any object.
    pub fn all() -> Targets {
        Targets { known: Vec::new(), places: None }
    }
}

/// An access as it is written down.
pub(crate) struct Event<'t> {
    pub node: NodeId,
    pub guard: Term,
    pub area: Area,
    pub pointer: Term,
    pub bytes: u32,
    pub way: Way,
    pub targets: &'t Targets,
}

impl Events<'_> {
    /// Returns true if others may see changes of the object's bytes.
    pub fn is_seen(&self, state: &State, number: ObjectNo, space: Space, range: Option<(u64, u64)>) -> bool {
        let Some(object) = self.out.objects.get(number).filter(|_| state.path.multi) else { return false };
        if object.read_only && space == Space::Memory {
            return false;
        }
        let Some(place) = object.place else { return !matches!(object.kind, Kind::Thread(_)) };
        self.is_shared(object.kind, place) && self.later.writes(space, place, range)
    }

    fn is_shared(&self, kind: Kind, place: ObjectId) -> bool {
        match kind {
            Kind::Function(_) | Kind::Thread(_) => false,
            Kind::Global(_) => self.given.facts.escape.is_shared(place),
            Kind::ThreadLocal(..) | Kind::Frame | Kind::Stack | Kind::Heap => self.is_common(place),
        }
    }

    /// Returns true if an object that is no static variable may be accessed by another thread than the one that
    /// makes it.
    fn is_common(&self, place: ObjectId) -> bool {
        let (escape, pointers) = (&self.given.facts.escape, &self.given.facts.pointers);
        if !escape.escapes(place) || escape.is_shared(place) {
            return escape.escapes(place);
        }
        let at = match pointers.object(place) {
            braid_analysis::Object::Local(instance, _) => {
                let first =
                    &self.given.program.functions[pointers.instances()[instance].func].blocks[BlockId(0)];
                (instance, first.instrs.first().map_or(first.end.id, |instr| instr.id))
            }
            braid_analysis::Object::Block(instance, instr, _) => (instance, instr),
            _ => return true,
        };
        // One thread accesses it, at most; that one must be its maker.
        let users: Vec<_> = escape.accessed_by(place).collect();
        let mut makers = self.given.facts.threads.executing(at);
        !users.is_empty() && makers.any(|maker| !users.contains(&maker))
    }

    /// Returns true if others may see, or cause, the end of the object's life.
    pub fn is_life_seen(&self, state: &State, number: ObjectNo) -> bool {
        let Some(object) = self.out.objects.get(number).filter(|_| state.path.multi) else { return false };
        match (object.kind, object.place) {
            (Kind::Function(_) | Kind::Global(_) | Kind::Thread(_), _) => false,
            (_, None) => true,
            (kind, Some(_)) if self.is_counted(kind) => true,
            (kind, Some(place)) => {
                self.is_shared(kind, place) && self.later.ends(place) && !active("life-not-shared")
            }
        }
    }

    /// Returns true if another thread may notice that the object's life has ended, if only by comparing addresses.
    pub fn is_life_noticed(&self, state: &State, number: ObjectNo) -> bool {
        let Some(object) = self.out.objects.get(number).filter(|_| state.path.multi) else { return false };
        match (object.kind, object.place) {
            (Kind::Function(_) | Kind::Global(_) | Kind::Thread(_), _) => false,
            (_, None) => true,
            (kind, Some(_)) if self.is_counted(kind) => true,
            (_, Some(place)) => self.given.facts.escape.escapes(place) && self.later.ends(place),
        }
    }

    /// The abstract objects that the operand may point to and that may be seen, though they may not exist
    /// yet; `None` for all of them.
    fn open_places(&self, operand: Operand, space: Space, len: Option<u64>) -> Option<Vec<ObjectId>> {
        let pointers = &self.given.facts.pointers;
        let mut found = Vec::new();
        for (place, offset) in targets(self, operand)? {
            let (place, offset) = (&place, &offset);
            let range = match offset {
                Offset::At(start) => Some((*start, start + len.unwrap_or(1))),
                Offset::Any => None,
            };
            let open = match pointers.object(*place) {
                braid_analysis::Object::Global(id) => {
                    !self.given.program.globals[id].read_only
                        && self.given.facts.escape.is_shared(*place)
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

    /// The objects that exist and that the operand may point to, if the pointer itself does not tell.
    pub fn existing(&self, operand: Operand) -> Vec<ObjectNo> {
        let Some(list) = targets(self, operand) else {
            return self.out.objects.iter().map(|(number, _)| number).collect();
        };
        let mut found: Vec<ObjectNo> = Vec::new();
        for (place, _) in list {
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
        if let Some(node) = state.path.section.and_then(|section| section.node) {
            return node;
        }
        // One execution of an instruction is one step, whatever it touches.
        let last = self.out.threads[self.here.thread].nodes.last().copied();
        let is_step =
            |last: &NodeId| self.out.nodes[*last].log == self.here.log && self.here.doomed != Some(*last);
        match last.filter(is_step) {
            Some(last) => last,
            None => self.new_node(state.guard),
        }
    }

    pub fn new_node(&mut self, executed: Term) -> NodeId {
        let nodes = &mut self.out.threads[self.here.thread].nodes;
        let index = nodes.len() as u32;
        let id = self.out.nodes.push(Node {
            thread: self.here.thread,
            index,
            executed,
            log: self.here.log,
            spawns: None,
        });
        nodes.push(id);
        id
    }

    /// Finds the objects of an access of `len` bytes (a pointer-wide term).
    pub fn resolve_access(
        &mut self,
        terms: &mut Terms,
        state: &State,
        pointer: Term,
        access: &Accessed,
    ) -> Resolved<Seen> {
        let (layout, space) = (self.out.layout, access.space);
        let size = terms.as_bits(access.len).map(|bits| bits as u64);
        let structural = layout.candidates(terms, pointer);
        let known = structural.is_some();
        let open = if known || !state.path.multi {
            Some(Vec::new())
        } else {
            self.open_places(access.at.operand, space, size)
        };
        let is_open = open.as_ref().is_none_or(|places| !places.is_empty());
        let list = match structural {
            Some(list) => list,
            None => self.existing(access.at.operand),
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
            let zone = layout.is_in(terms, pointer, number);
            if terms.is_false(zone) {
                continue;
            }
            let constant = layout.constant(terms, pointer);
            // Adjacent bit-fields are one memory location: an access to one races with a write of another.
            let (before, after) = self.here.racy.as_ref().map_or((0, 0), |racy| racy.extent);
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
        if node.is_none() && state.path.multi && own.iter().any(|(number, _)| self.is_of_others(*number)) {
            self.first_step(terms, state);
        }
        let targets = Targets {
            known: seen.iter().map(|(number, _)| *number).collect(),
            places: if is_open { open.map(Rc::from) } else { Some(Rc::from([])) },
        };
        let shared = node.map(|node| Seen { node, objects: targets, life: None });
        let (count, objects) = (own.len(), own.into_iter().chain(seen).collect());
        Resolved { objects, own: count, shared, known, open: is_open }
    }

    /// Finds the objects whose life a pointer may end. What others may end is asked at the end.
    pub fn resolve_free(
        &mut self,
        terms: &mut Terms,
        state: &State,
        pointer: Term,
        operand: Operand,
    ) -> Resolved<Seen> {
        let layout = self.out.layout;
        let structural = layout.candidates(terms, pointer);
        let known = structural.is_some();
        let open = !known && state.path.multi;
        let mut list = match structural {
            Some(list) => list,
            None => self.existing(operand),
        };
        if open {
            list.retain(|number| !self.is_life_seen(state, *number));
        }
        let seen: Vec<ObjectNo> = list.iter().copied().filter(|n| self.is_life_seen(state, *n)).collect();
        let node = (open || !seen.is_empty()).then(|| self.node(state));
        let targets = Targets { known: seen, places: if open { None } else { Some([].into()) } };
        let objects = list.iter().map(|n| (*n, layout.is_in(terms, pointer, *n))).collect();
        let shared = node.map(|node| Seen { node, objects: targets, life: None });
        Resolved { objects, own: 0, shared, known, open }
    }

    /// Finds the objects of a pointer that is compared. Others may end the lives of all but the thread's own
    /// objects: of an open pointer that is asked at the end, as for an access.
    pub fn resolve_compare(
        &mut self,
        terms: &mut Terms,
        state: &State,
        pointer: Term,
        operand: Option<Operand>,
    ) -> Resolved<Seen> {
        let layout = self.out.layout;
        let structural = layout.candidates(terms, pointer);
        let known = structural.is_some();
        let open = !known && state.path.multi;
        let mut list: Vec<ObjectNo> = match (structural, operand) {
            (Some(list), _) => list,
            (None, Some(operand)) => self.existing(operand),
            (None, None) => self.out.objects.iter().map(|(number, _)| number).collect(),
        };
        if open {
            list.retain(|number| !self.is_life_noticed(state, *number));
        }
        let objects: Vec<(ObjectNo, Term)> =
            list.iter().map(|number| (*number, layout.is_in(terms, pointer, *number))).collect();
        list.retain(|number| self.is_life_noticed(state, *number));
        let shared = (!list.is_empty()).then(|| Seen {
            node: self.node(state),
            objects: Targets::of(list),
            life: None,
        });
        Resolved { objects, own: 0, shared, known, open }
    }

    /// Bools: each of the objects lives. Where others may end the life, it is read.
    pub fn lives_of(
        &mut self,
        terms: &mut Terms,
        state: &State,
        pointer: Term,
        purpose: Purpose,
        resolved: &mut Resolved<Seen>,
    ) -> Vec<Term> {
        let Resolved { objects, shared, open, .. } = resolved;
        let mut asked: Vec<ObjectNo> = Vec::new();
        if let Some(seen) = shared {
            asked = match purpose {
                Purpose::Access(_) => {
                    objects.iter().map(|(n, _)| *n).filter(|n| self.is_life_seen(state, *n)).collect()
                }
                Purpose::Free(..) | Purpose::Compare(_) => seen.objects.known.clone(),
            };
            if *open || !asked.is_empty() {
                let targets = Targets { known: asked.clone(), places: seen.objects.places.clone() };
                let guard = match purpose {
                    Purpose::Free(_, when) => terms.and(state.guard, when),
                    Purpose::Access(_) | Purpose::Compare(_) => state.guard,
                };
                seen.life = Some(self.life(terms, guard, seen.node, pointer, objects, targets));
            }
        }
        let life = shared.as_ref().and_then(|seen| seen.life);
        let alive = |(number, _): &(ObjectNo, Term)| match life {
            Some(life) if asked.contains(number) => life,
            Some(_) | None => state.memory.alive(terms, *number),
        };
        objects.iter().map(alive).collect()
    }

    /// Bools that say what is wrong with an open pointer that leads to none of the objects: answered at the end.
    pub fn ask_elsewhere(
        &mut self,
        terms: &mut Terms,
        state: &State,
        pointer: Term,
        purpose: Purpose,
        resolved: &Resolved<Seen>,
    ) -> Elsewhere {
        let mut life = resolved.shared.as_ref().and_then(|seen| seen.life);
        if let Purpose::Compare(_) = purpose {
            let node = self.node(state);
            life = Some(self.life(terms, state.guard, node, pointer, &resolved.objects, Targets::all()));
        }
        let [null, outside, dead] = ["null", "out", "dead"].map(|name| terms.fresh(name, Sort::Bool));
        let one = |terms: &mut Terms| terms.bits(self.out.layout.pointer_bits, 1);
        let (ask, len) = match purpose {
            Purpose::Access(access) => (Ask::Access { write: access.write }, access.len),
            Purpose::Free(..) => (Ask::Free, one(terms)),
            Purpose::Compare(_) => (Ask::Inside, one(terms)),
        };
        let places = match purpose {
            Purpose::Access(_) => resolved.shared.as_ref().and_then(|seen| seen.objects.places.clone()),
            Purpose::Free(..) | Purpose::Compare(_) => None,
        };
        let known = resolved.objects.iter().map(|(number, _)| *number).collect();
        let life = life.unwrap_or_else(|| terms.bool(true));
        let query = Query { ask, pointer, len, known, places, life, null, outside, dead };
        self.pending.queries.push(query);
        Elsewhere { null, outside, dead }
    }

    /// Reads whether the object behind the pointer lives, if it is among the targets; of the other objects nothing is
    /// asked.
    fn life(
        &mut self,
        terms: &mut Terms,
        guard: Term,
        node: NodeId,
        pointer: Term,
        objects: &[(ObjectNo, Term)],
        targets: Targets,
    ) -> Term {
        let value = terms.fresh("life", Sort::bits(8));
        let mut known = targets.known;
        known.sort();
        let not_ours: Vec<Term> =
            objects.iter().filter(|(n, _)| known.binary_search(n).is_err()).map(|(_, zone)| *zone).collect();
        let ours = terms.or_all(not_ours);
        let others = terms.not(ours);
        let guard = terms.and(guard, others);
        let targets = Targets { known, places: targets.places };
        let (area, way) = (Area::Life, Way::Read(value));
        self.event(terms, Event { node, guard, area, pointer, bytes: 1, way, targets: &targets });
        let one = terms.bits(8, 1);
        terms.eq(value, one)
    }

    /// Writes down an access, unless it never happens.
    pub fn event(&mut self, terms: &mut Terms, event: Event) -> Option<AccessId> {
        let Event { node, guard, area, pointer, bytes, way, targets } = event;
        if terms.is_false(guard) {
            return None;
        }
        if self.out.probe == Some(node) {
            match way {
                Way::Write(value) if self.trial.round.is_some() => {
                    self.round_writes(terms, event, value);
                    return None;
                }
                Way::Read(_) if self.trial.round.is_some() => {}
                Way::Read(_) | Way::Write(_) if !self.tries(terms, guard, area, pointer, way) => return None,
                Way::Read(_) | Way::Write(_) => {}
            }
        }
        let log = self.here.log;
        let id = self.out.accesses.push(braid_bounded::Access {
            node,
            guard,
            area,
            pointer,
            bytes,
            way,
            objects: None,
            racy: self.here.racy.filter(|_| area != Area::Shadow).map(|racy| Racy { log, ..racy }),
            lock: None,
            taint: Taint::None,
        });
        self.pending.targets.push((id, targets.clone()));
        Some(id)
    }
}

pub(crate) fn area_of(space: Space) -> Area {
    match space {
        Space::Memory => Area::Memory,
        Space::Shadow => Area::Shadow,
    }
}
