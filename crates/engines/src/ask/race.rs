//! Data races: two conflicting accesses that are both about to happen in a reachable state.
//!
//! Predictive race detection asks whether two accesses can be adjacent (Huang, Meredith, Roşu, PLDI 2014; Said, Wang,
//! Yang, Sakallah, NFM 2011). Here a race is a condition on the order of three nodes: the two accesses, and the step
//! of the second one's thread before its access.
//!
//! * *Claim.* Two plain accesses are both about to happen in some reachable state if and only if in some execution
//!   `first` is followed by `second`, and the step of `second`'s thread before that lies before `first`.
//! * *Relies on.* Every prefix of an execution is a prefix of some model's execution, so the formula need not stop a
//!   thread before its access. The steps of other threads between the two, and the values that the two read, do not
//!   matter.
//! * *Proof.* In such an execution both accesses are about to happen when `first` does. Conversely, from a state in
//!   which both are, `first` and then `second` can be executed, in either order of the two.
//! * *Fault.* `race-from-afar` drops the third node (`handover_atomic_flag.c`); `race-after-end` counts steps after
//!   the end of the program (`after_open_section.c`).
//!
//! An access inside an atomic section is always `first`: the other thread stands before its access when the section
//! is entered.
//!
//! The write of a compare-and-exchange happens only if the same step reads the expected value, so the converse above
//! does not hold for it: it may be `first`, but it may be `second` only if `first` is a read in an atomic section.
//!
//! * *Claim.* Let a compare-and-exchange C and an access A of another thread to common bytes be about to happen in a
//!   state S, A plain. If A writes, or if C would succeed in S, one of the pairs below holds in some execution; and
//!   whenever one of them holds, its two accesses race in the state before its first.
//! * *Relies on.* C's read is an access of its own at the same node, made whatever C finds. Every prefix of an
//!   execution is a prefix of some model's execution. An access inside an atomic section is never `second`.
//! * *Proof.* Completeness. (1) A writes: let A (or its section) go first and C follow; C's read is made whatever A
//!   wrote, so the pair (A, read of C) holds. (2) A reads, C succeeds in S, and A is in no section: let C go first;
//!   its write is made, since memory is as in S, and A follows: the pair (write of C, A) holds. (3) A reads inside a
//!   section, and C succeeds in S: let the section go first and C at once after it. If the section writes bytes of
//!   C's, that write and C are case 1. Otherwise C finds what it would have found in S and succeeds: the pair (A,
//!   write of C) holds, with no write to C's bytes from the section on until C (`unchanged`). Soundness. A pair with
//!   the read of C: A writes, so C's success does not matter. The pair (write of C, A): S is the state in which C
//!   succeeds. The pair (A, write of C): no thread has written C's bytes between S and C, so C would succeed in S.
//! * *Fault.* `exchange-writes-later` lets the write be `second` after any access: `exchange_after_write.c` ends in
//!   an internal error. `exchange-in-section-ignored` leaves case 3 out: `exchange_against_section_racy.c` is lost.
//!
//! `free` writes the whole object: it conflicts with every read of the object's life, which comes with each access
//! and is made before the access is found to be invalid. The fault `free-not-a-write` drops this;
//! `free_against_read_racy.c` notices.

use super::{Asked, Precedence, Standing};
use braid_base::HashMap;
use braid_base::faults::active;
use braid_bounded::before::Before;
use braid_bounded::{
    Access, AccessId, Area, Bounded, End, Interrupted, NodeId, ObjectNo, Racy, ThreadIx, Way,
};
use braid_ir::{InstrId, Loc};
use braid_logic::{Term, Terms};
use braid_symex::object::Kind;

/// Two accesses that race if the term holds.
#[derive(Clone, Copy, Debug)]
pub struct Race {
    /// Positions in the list of accesses.
    pub first: AccessId,
    pub second: AccessId,
    pub term: Term,
}

/// The source places of a race, ascending.
pub fn places(bounded: &Bounded, race: &Race) -> Option<[Loc; 2]> {
    let place = |index: AccessId| {
        let log = bounded.accesses[index].racy?.log;
        Some(bounded.threads[log.thread].log[log.index as usize].loc)
    };
    let (one, other) = (place(race.first)?, place(race.second)?);
    Some([one.min(other), one.max(other)])
}

/// Two accesses that might race, in this order.
struct Pair<'a> {
    first: (AccessId, &'a Access, Racy),
    second: (AccessId, &'a Access, Racy),
}

pub struct Finder<'a> {
    pub terms: &'a mut Terms,
    pub bounded: &'a Bounded,
    pub asked: &'a Asked<'a>,
    pub order: &'a mut dyn Precedence,
    /// The answers of the static analyses about pairs of instructions.
    conflicts: HashMap<(InstrId, InstrId), bool>,
    /// By the node of the first access and the thread of the second.
    before_ends: HashMap<(NodeId, ThreadIx), Term>,
}

impl<'a> Finder<'a> {
    pub fn new(
        terms: &'a mut Terms,
        bounded: &'a Bounded,
        asked: &'a Asked<'a>,
        order: &'a mut dyn Precedence,
    ) -> Finder<'a> {
        let (conflicts, before_ends) = (HashMap::default(), HashMap::default());
        Finder { terms, bounded, asked, order, conflicts, before_ends }
    }

    /// All pairs that the static analyses do not exclude.
    pub fn races(&mut self, interrupt: &dyn Fn() -> bool) -> Result<Vec<Race>, Interrupted> {
        let bounded = self.bounded;
        let racy = bounded.accesses.enumerated();
        let racy: Vec<(AccessId, &Access, Racy)> =
            racy.filter_map(|(index, access)| Some((index, access, access.racy?))).collect();
        let mut found = Vec::new();
        for (at, one) in racy.iter().enumerate() {
            if interrupt() {
                return Err(Interrupted);
            }
            for other in &racy[at + 1..] {
                if self.may_race(one, other) {
                    found.extend(self.race(&Pair { first: *one, second: *other }));
                    found.extend(self.race(&Pair { first: *other, second: *one }));
                }
            }
        }
        Ok(found)
    }

    /// Returns true if two accesses may race, whatever their order and addresses.
    fn may_race(&mut self, one: &(AccessId, &Access, Racy), other: &(AccessId, &Access, Racy)) -> bool {
        let ((_, a, first), (_, b, second)) = (one, other);
        let threads = (self.bounded.nodes[a.node].thread, self.bounded.nodes[b.node].thread);
        if threads.0 == threads.1 || a.area != b.area || (first.section && second.section) {
            return false;
        }
        let writes = match a.area {
            Area::Memory => is_write(a) || is_write(b),
            // The end of an object's life conflicts with a read of it.
            Area::Life if active("free-not-a-write") => false,
            Area::Life => is_write(a) != is_write(b) && (first.frees || second.frees),
            Area::Shadow => false,
        };
        if !writes || (first.atomic && second.atomic) {
            return false;
        }
        let instr = |racy: &Racy| self.bounded.threads[racy.log.thread].log[racy.log.index as usize].instr;
        let (x, y) = (instr(first), instr(second));
        let facts = self.asked.facts;
        let known = self.conflicts.entry((x.min(y), x.max(y)));
        *known.or_insert_with(|| facts.conflict(x, y).is_some_and(|conflict| conflict.may_race()))
    }

    /// The race of a pair in this order, if it may happen.
    fn race(&mut self, pair: &Pair) -> Option<Race> {
        let ((first, a, racy_a), (second, b, racy_b)) = (pair.first, pair.second);
        if racy_b.section || !self.may_follow(pair) {
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
        let in_order = self.in_order((a, b), racy_b.exchanges);
        let at_the_end = self.at_the_end((a, racy_a), (b, racy_b));
        let order = self.terms.or(in_order, at_the_end);
        let term = self.terms.and_all([guard, together, order]);
        (!self.terms.is_false(term)).then_some(Race { first, second, term })
    }

    /// Bool: the second access follows the first one, and its thread stands before it when the first happens.
    fn in_order(&mut self, (a, b): (&Access, &Access), exchanges: bool) -> Term {
        let bounded = self.bounded;
        let stands = match active("race-from-afar") {
            true => self.terms.bool(true),
            false => self.stands(b, &mut |terms, order, node| order.before(terms, bounded, node, a.node)),
        };
        let follows = self.earlier(a.node, b.node);
        let mut parts = vec![stands, follows];
        if exchanges && !active("exchange-writes-later") {
            parts.push(self.unchanged(a.node, b));
            parts.push(self.order.happens(self.terms, self.bounded, b.node));
        }
        parts.push(self.before_ends(a, b));
        self.terms.and_all(parts)
    }

    /// Bool: the thread of an access has come as far as to stand before it, if `done` tells when a node was executed in
    /// time.
    fn stands(
        &mut self,
        access: &Access,
        done: &mut dyn FnMut(&mut Terms, &mut dyn Precedence, NodeId) -> Term,
    ) -> Term {
        let thread = self.bounded.nodes[access.node].thread;
        let previous = self.bounded.previous(access.node);
        let at = Standing { thread, previous, guard: access.guard };
        at.holds(self.terms, self.bounded, self.order, done)
    }

    /// Bool: the first access happens before the program ends in a third thread. Many pairs share the term.
    fn before_ends(&mut self, a: &Access, b: &Access) -> Term {
        let key = (a.node, self.bounded.nodes[b.node].thread);
        if let Some(known) = self.before_ends.get(&key) {
            return *known;
        }
        let mut parts = Vec::new();
        for end in self.other_ends(a, b) {
            let first = self.earlier(a.node, end.node);
            parts.push(self.terms.implies(end.guard, first));
        }
        let term = self.terms.and_all(parts);
        self.before_ends.insert(key, term);
        term
    }

    /// Bool: the first access would be the next step after all that happens, and the other thread stands before the
    /// second. Only the accesses of an atomic section, and the write of a compare-and-exchange, need that step to be
    /// executed; of two others the one whose thread came last to its access is executed in the same turn. Or the second
    /// access is the first step of a thread that was started after its turn, by a third thread: then no turn is left for
    /// either of the two. The fault `late-start-needs-turn` forgets that; `rounds/late_start_by_third.c` needs a round more then.
    /// Whether the write of an exchange happens is not known while its thread stands before it.
    fn at_the_end(&mut self, (a, racy_a): (&Access, Racy), (b, racy_b): (&Access, Racy)) -> Term {
        let never = self.terms.bool(false);
        let bounded = self.bounded;
        let late =
            !active("late-start-needs-turn") && self.order.begins_late(bounded, bounded.nodes[b.node].thread);
        if !(racy_a.section || racy_a.exchanges || late) || racy_b.exchanges {
            return never;
        }
        let Some(next) = self.order.is_next(self.terms, self.bounded, a.node) else { return never };
        let mut parts = vec![next];
        parts.push(self.stands(b, &mut |terms, order, node| order.happens(terms, bounded, node)));
        let second = self.order.happens(self.terms, self.bounded, b.node);
        parts.push(self.terms.not(second));
        for end in self.other_ends(a, b) {
            let ended = self.order.happens(self.terms, self.bounded, end.node);
            let ended = self.terms.and(end.guard, ended);
            parts.push(self.terms.not(ended));
        }
        self.terms.and_all(parts)
    }

    /// The ends of the program in other threads than those of the two accesses.
    fn other_ends(&self, a: &Access, b: &Access) -> Vec<End> {
        let threads = [a, b].map(|access| self.bounded.nodes[access.node].thread);
        let is_other = |end: &&End| !threads.contains(&self.bounded.nodes[end.node].thread);
        let ends = self.bounded.ends.iter().filter(|_| !active("race-after-end"));
        ends.filter(is_other).copied().collect()
    }

    /// Returns true if the second access may follow the first in a race: the write of a compare-and-exchange follows
    /// only a read in a section, because in all other cases another pair covers it.
    fn may_follow(&self, pair: &Pair) -> bool {
        let ((_, a, racy_a), (_, _, racy_b)) = (pair.first, pair.second);
        let in_section = racy_a.section && !active("exchange-in-section-ignored");
        !racy_b.exchanges || (in_section && !is_write(a)) || active("exchange-writes-later")
    }

    /// Bool: no thread writes bytes of the exchange from the node on until the exchange.
    fn unchanged(&mut self, from: NodeId, exchange: &Access) -> Term {
        let bounded = self.bounded;
        let mut parts = Vec::new();
        for write in bounded.accesses.iter().filter(|access| is_write(access)) {
            if write.area != Area::Memory || write.node == exchange.node || self.are_apart(write, exchange) {
                continue;
            }
            let meet = self.meet((write.pointer, write.bytes), (exchange.pointer, exchange.bytes));
            let made = self.terms.and(write.guard, meet);
            let (mut sooner, mut later) = (self.terms.bool(false), self.terms.bool(false));
            if write.node != from && !self.terms.is_false(made) {
                sooner = self.earlier(write.node, from);
                later = self.earlier(exchange.node, write.node);
            }
            let outside = self.terms.or(sooner, later);
            parts.push(self.terms.implies(made, outside));
        }
        self.terms.and_all(parts)
    }

    /// Returns true if the pointers of two accesses have no object in common.
    fn are_apart(&self, a: &Access, b: &Access) -> bool {
        let objects = |access: &Access| match self.bounded.layout.constant(self.terms, access.pointer) {
            Some((object, _)) => Some(vec![object]),
            None => access.objects.as_ref().map(|list| list.to_vec()),
        };
        let (Some(mine), Some(others)) = (objects(a), objects(b)) else { return false };
        mine.iter().all(|object| !others.contains(object))
    }

    /// Bool: two ranges of bytes, with constant lengths, overlap.
    fn meet(&mut self, (a, len_a): (Term, u32), (b, len_b): (Term, u32)) -> Term {
        let bits = self.bounded.layout.pointer_bits;
        let [len_a, len_b] = [len_a, len_b].map(|len| self.terms.bits(bits, u128::from(len)));
        self.meets((a, len_a), (b, len_b))
    }

    /// Bool: two ranges of bytes, with lengths as terms, overlap.
    fn meets(&mut self, (a, len_a): (Term, Term), (b, len_b): (Term, Term)) -> Term {
        let (forth, back) = (self.terms.bv_sub(b, a), self.terms.bv_sub(a, b));
        let (forth, back) = (self.terms.ult(forth, len_a), self.terms.ult(back, len_b));
        self.terms.or(forth, back)
    }

    fn earlier(&mut self, a: NodeId, b: NodeId) -> Term {
        self.order.before(self.terms, self.bounded, a, b)
    }

    /// Returns true if races on the object are asked about: it is not a library's own variable, and `race_on` does
    /// not exclude it.
    fn counts(&self, object: ObjectNo, racy: Racy) -> bool {
        let kind = self.bounded.objects.get(object).map(|object| object.kind);
        let global = match kind {
            Some(Kind::Global(id) | Kind::ThreadLocal(_, id)) => Some(id),
            Some(Kind::Function(_) | Kind::Thread(_) | Kind::Frame | Kind::Stack | Kind::Heap) | None => None,
        };
        let own = global.is_some_and(|id| self.asked.program.globals[id].internal && racy.internal);
        let asked = match (self.asked.race_on, kind) {
            (Some(on), Some(Kind::Global(id))) => on == id,
            (Some(_), _) => false,
            (None, _) => true,
        };
        asked && !own
    }

    /// Bool: the two accesses touch common bytes, or the life of the same object.
    fn overlap(&mut self, (a, racy_a): (&Access, Racy), (b, racy_b): (&Access, Racy)) -> Term {
        let (mine, others) = (self.objects(a, racy_a), self.objects(b, racy_b));
        let common: Vec<ObjectNo> =
            mine.iter().copied().filter(|n| others.binary_search(n).is_ok()).collect();
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
        let (mine_at, others_at) = (self.location(a, racy_a), self.location(b, racy_b));
        let meet = self.meets(mine_at, others_at);
        if common.len() == mine.len() && common.len() == others.len() {
            return meet;
        }
        let zones =
            common.iter().map(|object| layout.is_in(self.terms, a.pointer, *object)).collect::<Vec<_>>();
        let there = self.terms.or_all(zones);
        self.terms.and(meet, there)
    }

    /// Start and length of the memory location. The fault `race-bytes-only` leaves out the adjacent bit-fields;
    /// `race_bit_fields.c` notices.
    fn location(&mut self, access: &Access, racy: Racy) -> (Term, Term) {
        let bits = self.bounded.layout.pointer_bits;
        let (before, after) = if active("race-bytes-only") { (0, 0) } else { racy.extent };
        let by = self.terms.bits(bits, u128::from(before));
        let start = self.terms.bv_sub(access.pointer, by);
        let len = u128::from(before) + u128::from(access.bytes) + u128::from(after);
        (start, self.terms.bits(bits, len))
    }

    /// The objects of the access on which races count, ascending.
    fn objects(&self, access: &Access, racy: Racy) -> Vec<ObjectNo> {
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
