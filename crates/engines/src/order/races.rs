//! Data races: two accesses that are about to happen at once.
//!
//! In every execution in which `first` is followed by `second`, and the step of `second`'s thread before
//! that lies before `first`, both are about to happen when `first` does; and a state in which both are can
//! go on like this. So no threads need to be stopped: a race is a condition on the order of three nodes.
//! What lies between the two in other threads, and what the two read, does not matter.
//!
//! Between two plain accesses either may come first. An access inside an atomic section is `first`: the other
//! thread stands before its access when the section is entered.
//!
//! `free` writes the whole object: its counterpart is every look at whether the object lives, which comes
//! with each access and is made before the access is found to be invalid.

use super::before::Before;
use super::times::Times;
use braid_analysis::Facts;
use braid_base::HashMap;
use braid_base::faults::{Fault, active};
use braid_ir::{GlobalId, InstrId, Loc, Program};
use braid_logic::{Term, Terms};
use braid_unwind::object::Kind;
use braid_unwind::{Access, Area, Bounded, NodeId, Racy, Way};

/// Two accesses that race if the term holds.
#[derive(Clone, Copy, Debug)]
pub struct Race {
    /// Positions in the list of accesses.
    pub first: usize,
    pub second: usize,
    pub term: Term,
}

/// The source places of a race, ascending.
pub fn places(bounded: &Bounded, race: &Race) -> Option<[Loc; 2]> {
    let place = |index: usize| {
        let log = bounded.accesses[index].racy?.log;
        Some(bounded.threads[log.thread].log[log.index as usize].loc)
    };
    let (one, other) = (place(race.first)?, place(race.second)?);
    Some([one.min(other), one.max(other)])
}

/// What is asked about races.
pub struct Question<'a> {
    pub program: &'a Program,
    pub facts: &'a Facts,
    /// Races on this variable only.
    pub on: Option<GlobalId>,
    /// Relocking is a violation, and no wait.
    pub relock_ends: bool,
}

/// Two accesses that might race.
struct Pair<'a> {
    first: (usize, &'a Access, Racy),
    second: (usize, &'a Access, Racy),
}

pub struct Finder<'a> {
    pub terms: &'a mut Terms,
    pub bounded: &'a Bounded,
    pub question: &'a Question<'a>,
    pub times: &'a mut Times,
    /// What the analyses say of two instructions.
    conflicts: HashMap<(InstrId, InstrId), bool>,
}

impl<'a> Finder<'a> {
    pub fn new(
        terms: &'a mut Terms,
        bounded: &'a Bounded,
        question: &'a Question<'a>,
        times: &'a mut Times,
    ) -> Finder<'a> {
        Finder { terms, bounded, question, times, conflicts: HashMap::default() }
    }

    /// All pairs that the analyses do not exclude.
    pub fn races(&mut self) -> Vec<Race> {
        let bounded = self.bounded;
        let racy = bounded.accesses.iter().enumerate();
        let racy: Vec<(usize, &Access, Racy)> =
            racy.filter_map(|(index, access)| Some((index, access, access.racy?))).collect();
        let mut found = Vec::new();
        for (at, one) in racy.iter().enumerate() {
            for other in &racy[at + 1..] {
                if self.may_race(one, other) {
                    found.extend(self.race(&Pair { first: *one, second: *other }));
                    found.extend(self.race(&Pair { first: *other, second: *one }));
                }
            }
        }
        found
    }

    /// Whether two accesses may race, whatever their order and addresses.
    fn may_race(&mut self, one: &(usize, &Access, Racy), other: &(usize, &Access, Racy)) -> bool {
        let ((_, a, first), (_, b, second)) = (one, other);
        let threads = (self.bounded.nodes[a.node].thread, self.bounded.nodes[b.node].thread);
        if threads.0 == threads.1 || a.area != b.area || (first.section && second.section) {
            return false;
        }
        let writes = match a.area {
            Area::Memory => is_write(a) || is_write(b),
            // The end of the life, and a look at it.
            Area::Life if active(Fault::FreeNotAWrite) => false,
            Area::Life => is_write(a) != is_write(b) && (first.frees || second.frees),
            Area::Shadow => false,
        };
        if !writes || (first.atomic && second.atomic) {
            return false;
        }
        let instr = |racy: &Racy| self.bounded.threads[racy.log.thread].log[racy.log.index as usize].instr;
        let (x, y) = (instr(first), instr(second));
        let facts = self.question.facts;
        let known = self.conflicts.entry((x.min(y), x.max(y)));
        *known.or_insert_with(|| facts.conflict(x, y).is_some_and(|conflict| conflict.may_race()))
    }

    /// The race of a pair in this order.
    fn race(&mut self, pair: &Pair) -> Option<Race> {
        let ((first, a, racy_a), (second, b, racy_b)) = (pair.first, pair.second);
        if racy_b.section {
            return None;
        }
        let before = Before::new(self.bounded);
        let guard = self.terms.and(a.guard, b.guard);
        if self.terms.is_false(guard)
            || before.given(self.terms, b.node, a.node, a.guard)
            || before.given(self.terms, a.node, b.node, b.guard)
        {
            return None;
        }
        let together = self.overlap((a, racy_a), (b, racy_b));
        if self.terms.is_false(together) {
            return None;
        }
        let stands = match self.previous(b.node) {
            Some(previous) if !active(Fault::RaceFromAfar) => self.earlier(previous, a.node),
            Some(_) | None => self.terms.bool(true),
        };
        let follows = self.earlier(a.node, b.node);
        let mut parts = vec![guard, together, stands, follows];
        for end in &self.bounded.ends {
            let thread = self.bounded.nodes[end.node].thread;
            let own = [a, b].iter().any(|access| self.bounded.nodes[access.node].thread == thread);
            if !own && !active(Fault::RaceAfterEnd) {
                let first = self.earlier(a.node, end.node);
                parts.push(self.terms.implies(end.guard, first));
            }
        }
        let term = self.terms.and_all(parts);
        (!self.terms.is_false(term)).then_some(Race { first, second, term })
    }

    fn earlier(&mut self, a: NodeId, b: NodeId) -> Term {
        self.times.earlier(self.terms, self.bounded, a, b)
    }

    /// The step before, which may be the start of the thread.
    fn previous(&self, node: NodeId) -> Option<NodeId> {
        let known = &self.bounded.nodes[node];
        let thread = &self.bounded.threads[known.thread];
        match known.index.checked_sub(1) {
            Some(index) => Some(thread.nodes[index as usize]),
            None => thread.parent,
        }
    }

    /// Whether the library's own variables, or others than those asked for, keep an object out.
    fn counts(&self, object: u32, racy: Racy) -> bool {
        let kind = self.bounded.objects.get(object).map(|object| object.kind);
        let global = match kind {
            Some(Kind::Global(id) | Kind::ThreadLocal(_, id)) => Some(id),
            Some(Kind::Function(_) | Kind::Thread(_) | Kind::Frame | Kind::Stack | Kind::Heap) | None => None,
        };
        let own = global.is_some_and(|id| self.question.program.globals[id].internal && racy.internal);
        let asked = match (self.question.on, kind) {
            (Some(on), Some(Kind::Global(id))) => on == id,
            (Some(_), _) => false,
            (None, _) => true,
        };
        asked && !own
    }

    /// Bool: the two touch common bytes, or the same object's life.
    fn overlap(&mut self, (a, racy_a): (&Access, Racy), (b, racy_b): (&Access, Racy)) -> Term {
        let (mine, others) = (self.objects(a, racy_a), self.objects(b, racy_b));
        let common: Vec<u32> = mine.iter().copied().filter(|n| others.binary_search(n).is_ok()).collect();
        let layout = self.bounded.layout;
        if a.area == Area::Life {
            let mut same = Vec::new();
            for object in common {
                let x = layout.is_in(self.terms, a.pointer, object);
                let y = layout.is_in(self.terms, b.pointer, object);
                same.push(self.terms.and(x, y));
            }
            return self.terms.or_all(same);
        }
        if common.is_empty() {
            return self.terms.bool(false);
        }
        let (start_a, len_a) = self.location(a, racy_a);
        let (start_b, len_b) = self.location(b, racy_b);
        let (forth, back) = (self.terms.bv_sub(start_b, start_a), self.terms.bv_sub(start_a, start_b));
        let (forth, back) = (self.terms.ult(forth, len_a), self.terms.ult(back, len_b));
        let meet = self.terms.or(forth, back);
        if common.len() == mine.len() && common.len() == others.len() {
            return meet;
        }
        let zones =
            common.iter().map(|object| layout.is_in(self.terms, a.pointer, *object)).collect::<Vec<_>>();
        let there = self.terms.or_all(zones);
        self.terms.and(meet, there)
    }

    /// Start and length of the memory location.
    fn location(&mut self, access: &Access, racy: Racy) -> (Term, Term) {
        let bits = self.bounded.layout.pointer_bits;
        let (before, after) = if active(Fault::RaceBytesOnly) { (0, 0) } else { racy.extent };
        let by = self.terms.bits(bits, u128::from(before));
        let start = self.terms.bv_sub(access.pointer, by);
        let len = u128::from(before) + u128::from(access.bytes) + u128::from(after);
        (start, self.terms.bits(bits, len))
    }

    /// The objects that count, ascending.
    fn objects(&self, access: &Access, racy: Racy) -> Vec<u32> {
        let layout = self.bounded.layout;
        let list = match layout.constant(self.terms, access.pointer) {
            Some((object, _)) => vec![object],
            None => access.objects.as_ref().map_or(Vec::new(), |list| list.to_vec()),
        };
        list.into_iter().filter(|object| self.counts(*object, racy)).collect()
    }
}

fn is_write(access: &Access) -> bool {
    matches!(access.way, Way::Write(_))
}
