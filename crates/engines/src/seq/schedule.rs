//! The schedule: in each round every thread, in a fixed order, executes a segment of its nodes.
//!
//! For a switch point `p` ([`Points`]) and a round `k` there is one Boolean: `p` and everything before it in its thread
//! have been executed when `p`'s thread has had its turn in round `k`. So the Booleans of a thread in a round are the
//! order encoding of the program counter at which the segment ends (Inverso et al., CAV 2014, section 3: there `pc` and
//! a guess per round). They grow along the rounds and fall along the thread. A thread begins after the node that
//! starts it, and nothing happens after the end of the program.
//!
//! A node that is not executed because its guard does not hold counts as executed at any time; it has no effect.
//!
//! * *Claim.* A model of the constraints up to round K is a schedule of at most K rounds, and each schedule is one.
//! * *Relies on.* The beginning of a thread, before its first switch point, is executed with the step that starts it. If its
//!   place in a round is before that of the thread that starts it, its first node is a switch point ([`Points::find`]), and
//!   the thread begins a round later ([`Schedule::by_then`]).
//! * *Fault.* `seq-start-forgotten` lets threads run before they are started; `seq join/join_orders.c` notices.

use super::points::Points;
use crate::ask::{self, Precedence, Ranks, Standing};
use braid_base::faults::active;
use braid_base::{Idx, IndexVec};
use braid_bounded::{Bounded, Node, NodeId, ThreadIx};
use braid_interp::{RoundOrder, ThreadPath};
use braid_logic::{Evaluator, Sort, Term, Terms};

/// The positions of all nodes in rounds, as far as rounds are encoded.
pub struct Schedule {
    /// The threads in the order of a round.
    pub order: Vec<ThreadIx>,
    /// The place of each thread in a round.
    place: IndexVec<ThreadIx, usize>,
    points: Points,
    /// Threads without a switch point that others join: the end of each has a position of its own.
    ends_alone: IndexVec<ThreadIx, bool>,
    /// For each node the moment at which it is executed, and its place among the nodes of a round.
    keys: IndexVec<NodeId, (Moment, Key)>,
    /// The number of rounds that are encoded.
    pub rounds: u32,
}

/// The moment at which a node is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Moment {
    /// Before anything else.
    Beginning,
    /// With this switch point.
    Block(NodeId),
    /// After all rounds.
    Probe,
}

/// The place of a node in a round: the place and the index of its switch point, its own thread and index.
type Key = (usize, u32, ThreadIx, u32);

/// The name of the symbol for a switch point in a round.
fn name(point: NodeId, round: u32) -> String {
    format!("d{}.{round}", point.0)
}

/// A turn: the end of a thread's turn in a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    pub round: u32,
    pub thread: ThreadIx,
}

impl Schedule {
    pub fn new(bounded: &Bounded, points: Points, order: Vec<ThreadIx>) -> Schedule {
        let mut place: IndexVec<ThreadIx, usize> = bounded.threads.iter().map(|_| usize::MAX).collect();
        for (at, thread) in order.iter().enumerate() {
            place[*thread] = at;
        }
        let is_joined = |thread: ThreadIx| {
            bounded.joins.iter().any(|join| join.thread.is_none_or(|joined| joined == thread))
        };
        let ends_alone = points.of_thread.enumerated().map(|(id, list)| list.is_empty() && is_joined(id));
        let ends_alone = ends_alone.collect();
        let mut schedule = Schedule { order, place, ends_alone, points, keys: IndexVec::new(), rounds: 0 };
        schedule.keys = bounded.nodes.ids().map(|node| schedule.key(bounded, node)).collect();
        schedule
    }

    fn key(&self, bounded: &Bounded, node: NodeId) -> (Moment, Key) {
        let own = &bounded.nodes[node];
        if bounded.is_probe(own.thread) {
            return (Moment::Probe, (0, 0, own.thread, own.index));
        }
        match self.position(bounded, node) {
            Some(point) => {
                let at = &bounded.nodes[point];
                (Moment::Block(point), (self.place[at.thread], at.index, own.thread, own.index))
            }
            None => (Moment::Beginning, (0, 0, own.thread, own.index)),
        }
    }

    pub fn points(&self) -> &Points {
        &self.points
    }

    /// The switch point whose block a node belongs to. None for the beginning of a thread.
    pub fn block(&self, node: NodeId) -> Option<NodeId> {
        self.points.block.get(node).copied().flatten()
    }

    /// The number of switch points.
    pub fn switch_points(&self) -> usize {
        self.points.of_thread.iter().map(Vec::len).sum()
    }

    /// Bool: the switch point has been executed when its thread has had its turn in the round.
    fn at(&self, terms: &mut Terms, point: NodeId, round: u32) -> Term {
        if round == 0 {
            return terms.bool(false);
        }
        terms.symbol(&name(point, round), Sort::Bool)
    }

    /// The node that stands for the position of a node: its switch point, or where its thread was started. None for
    /// what the first thread does before anything else.
    fn position(&self, bounded: &Bounded, node: NodeId) -> Option<NodeId> {
        let mut at = node;
        loop {
            if let Some(point) = self.points.block[at] {
                return Some(point);
            }
            at = bounded.threads[bounded.nodes[at].thread].parent?;
        }
    }

    /// Bool: the node has been executed when its thread has had its turn in the round.
    pub fn done(&self, terms: &mut Terms, bounded: &Bounded, node: NodeId, round: u32) -> Term {
        match self.position(bounded, node) {
            Some(point) => self.at(terms, point, round),
            None => terms.bool(round > 0),
        }
    }

    /// Bool: the node is executed in the round.
    pub fn within(&self, terms: &mut Terms, bounded: &Bounded, node: NodeId, round: u32) -> Term {
        let (by_then, before) =
            (self.done(terms, bounded, node, round), self.done(terms, bounded, node, round - 1));
        let not_before = terms.not(before);
        terms.and(by_then, not_before)
    }

    /// Bool: the node has been executed at a moment of another thread.
    fn by_then(&self, terms: &mut Terms, bounded: &Bounded, node: NodeId, then: Turn) -> Term {
        let Some(point) = self.position(bounded, node) else { return terms.bool(then.round > 0) };
        let round = self.last_round(bounded.nodes[point].thread, then);
        self.at(terms, point, round)
    }

    /// The round of the thread's last turn before a moment of another thread, or of its turn at the moment.
    fn last_round(&self, thread: ThreadIx, then: Turn) -> u32 {
        if self.place[thread] <= self.place[then.thread] { then.round } else { then.round - 1 }
    }

    /// Bool: the thread has ended at a moment of another thread, if it ends at all.
    pub fn ended_by(&self, terms: &mut Terms, bounded: &Bounded, thread: ThreadIx, then: Turn) -> Term {
        let round = self.last_round(thread, then);
        match self.points.of_thread[thread].last() {
            Some(last) => self.at(terms, *last, round),
            None if round > 0 && self.ends_alone[thread] => self.end(terms, thread, round),
            None if round == 0 => terms.bool(false),
            None => match bounded.threads[thread].parent {
                Some(parent) => self.by_then(terms, bounded, parent, Turn { round, thread }),
                None => terms.bool(true),
            },
        }
    }

    /// Bool: a thread without a switch point has had a turn in which it ended, up to this round.
    fn end(&self, terms: &mut Terms, thread: ThreadIx, round: u32) -> Term {
        terms.symbol(&format!("e{}.{round}", thread.index()), Sort::Bool)
    }

    /// Bool: the thread does nothing in the round.
    pub fn idle(&self, terms: &mut Terms, thread: ThreadIx, round: u32) -> Term {
        let mut parts = Vec::new();
        for point in self.points.of_thread[thread].clone() {
            let (by_then, before) = (self.at(terms, point, round), self.at(terms, point, round - 1));
            parts.push(terms.implies(by_then, before));
        }
        terms.and_all(parts)
    }

    /// Adds a round, and its constraints.
    pub fn add_round(&mut self, terms: &mut Terms, bounded: &Bounded, constraints: &mut Vec<Term>) {
        self.rounds += 1;
        let round = self.rounds;
        for thread in self.order.clone() {
            let then = Turn { round, thread };
            let start = bounded.threads[thread].parent;
            let start = start.filter(|_| !active("seq-start-forgotten"));
            let started = start.map(|parent| self.by_then(terms, bounded, parent, then));
            let mut last = started;
            for point in self.points.of_thread[thread].clone() {
                let by_then = self.at(terms, point, round);
                if round > 1 {
                    let before = self.at(terms, point, round - 1);
                    constraints.push(terms.implies(before, by_then));
                }
                if let Some(last) = last {
                    constraints.push(terms.implies(by_then, last));
                }
                last = Some(by_then);
            }
            if self.ends_alone[thread] {
                let ended = self.end(terms, thread, round);
                if round > 1 {
                    let before = self.end(terms, thread, round - 1);
                    constraints.push(terms.implies(before, ended));
                }
                if let Some(started) = started {
                    constraints.push(terms.implies(ended, started));
                }
            }
        }
        self.end_program(terms, bounded, constraints);
    }

    /// Nothing happens after the end of the program.
    fn end_program(&self, terms: &mut Terms, bounded: &Bounded, constraints: &mut Vec<Term>) {
        let round = self.rounds;
        for end in &bounded.ends {
            let own = bounded.nodes[end.node].thread;
            for thread in self.order.iter().copied().filter(|thread| *thread != own) {
                let ended = self.by_then(terms, bounded, end.node, Turn { round, thread });
                let over = terms.and(end.guard, ended);
                if terms.is_false(over) {
                    continue;
                }
                let idle = self.idle(terms, thread, round);
                constraints.push(terms.implies(over, idle));
            }
        }
    }

    /// Bool: a segment of round `round` that begins with the point could not have been executed in the round before,
    /// at the end of its thread's segment there: something in between conflicts with it. Constraints of this form
    /// leave one of several equivalent schedules, the one in which everything happens as early as possible.
    pub fn is_late_for_a_reason(
        &self,
        terms: &mut Terms,
        bounded: &Bounded,
        point: NodeId,
        round: u32,
    ) -> Term {
        let thread = bounded.nodes[point].thread;
        let begins = self.begins(terms, bounded, point, round);
        if round == 1 || terms.is_false(begins) {
            return terms.bool(true);
        }
        let mut reasons = Vec::new();
        let list = &bounded.threads[thread].nodes;
        let block: Vec<NodeId> =
            list.iter().copied().filter(|node| self.points.block[*node] == Some(point)).collect();
        let mut conflicts: Vec<NodeId> =
            block.iter().flat_map(|node| self.points.conflicts[*node].iter().copied()).collect();
        conflicts.sort_unstable();
        conflicts.dedup();
        for node in conflicts {
            let since = self.since(terms, bounded, node, Turn { round, thread });
            reasons.push(terms.and(since, bounded.nodes[node].executed));
        }
        for join in bounded.joins.iter().filter(|join| self.points.block[join.node] == Some(point)) {
            for joined in self.order.iter().copied().filter(|joined| *joined != thread) {
                if join.thread.is_none_or(|known| known == joined) {
                    let now = self.ended_by(terms, bounded, joined, Turn { round, thread });
                    let before = self.ended_by(terms, bounded, joined, Turn { round: round - 1, thread });
                    let not_before = terms.not(before);
                    reasons.push(terms.and(now, not_before));
                }
            }
        }
        // The end of the program conflicts with everything.
        let is_end = |end: &&braid_bounded::End| self.points.block[end.node] == Some(point);
        if bounded.ends.iter().any(|end| is_end(&end)) {
            for other in self.order.iter().copied().filter(|other| *other != thread) {
                let turn = self.last_round(other, Turn { round, thread });
                if turn > 0 {
                    let idle = self.idle(terms, other, turn);
                    reasons.push(terms.not(idle));
                }
            }
        }
        let late = terms.or_all(reasons);
        let executed: Vec<Term> = block.iter().map(|node| bounded.nodes[*node].executed).collect();
        let executed = terms.or_all(executed);
        let mut late = terms.and(late, executed);
        if let (Some(parent), true) = (bounded.threads[thread].parent, self.is_first(bounded, point)) {
            let started = self.since(terms, bounded, parent, Turn { round, thread });
            late = terms.or(late, started);
        }
        terms.implies(begins, late)
    }

    /// Bools for the threads that end without a switch point: they end in the first turn after their start. Like
    /// [`Schedule::is_late_for_a_reason`].
    pub fn ends_early(&self, terms: &mut Terms, bounded: &Bounded, round: u32) -> Vec<Term> {
        let mut found = Vec::new();
        for thread in self.order.iter().copied().filter(|thread| round > 1 && self.ends_alone[*thread]) {
            let Some(parent) = bounded.threads[thread].parent else { continue };
            let (now, before) = (self.end(terms, thread, round), self.end(terms, thread, round - 1));
            let started = self.since(terms, bounded, parent, Turn { round, thread });
            let allowed = terms.or(before, started);
            found.push(terms.implies(now, allowed));
        }
        found
    }

    /// Returns true for the first switch point of a thread.
    fn is_first(&self, bounded: &Bounded, point: NodeId) -> bool {
        self.points.of_thread[bounded.nodes[point].thread].first() == Some(&point)
    }

    /// Bool: a segment of the round begins with the switch point.
    fn begins(&self, terms: &mut Terms, bounded: &Bounded, point: NodeId, round: u32) -> Term {
        let points = &self.points.of_thread[bounded.nodes[point].thread];
        let within = self.within(terms, bounded, point, round);
        match points.iter().position(|known| *known == point).and_then(|at| at.checked_sub(1)) {
            Some(previous) => {
                let before = self.at(terms, points[previous], round - 1);
                terms.and(within, before)
            }
            None => within,
        }
    }

    /// Bool: the first step of a thread in the round is the switch point. Switch points before it that are not executed
    /// may have waited for the same turn, if the thread begins late.
    fn begins_with(&self, terms: &mut Terms, bounded: &Bounded, point: NodeId, round: u32) -> Term {
        let usual = self.begins(terms, bounded, point, round);
        let Node { thread, executed, .. } = bounded.nodes[point];
        let at = Standing { thread, previous: bounded.previous(point), guard: executed };
        if !self.begins_late(bounded, thread) {
            return usual;
        }
        let Some(untouched) = ask::untouched(terms, bounded, at) else { return usual };
        let within = self.within(terms, bounded, point, round);
        let at_once = terms.and(untouched, within);
        terms.or(usual, at_once)
    }

    /// Returns true if the turn of the thread comes before that of the thread that starts it, in a program whose first
    /// visible steps have nodes.
    pub fn begins_late(&self, bounded: &Bounded, thread: ThreadIx) -> bool {
        let parent = bounded.threads[thread].parent;
        let is_late = |parent: NodeId| self.place[thread] < self.place[bounded.nodes[parent].thread];
        bounded.first_steps && parent.is_some_and(is_late)
    }

    /// Bool: the node is executed between a turn of another thread and that thread's turn in the round before.
    fn since(&self, terms: &mut Terms, bounded: &Bounded, node: NodeId, then: Turn) -> Term {
        let now = self.by_then(terms, bounded, node, then);
        let before = self.by_then(terms, bounded, node, Turn { round: then.round - 1, ..then });
        let not_before = terms.not(before);
        terms.and(now, not_before)
    }

    /// The order of the nodes in a model of so many rounds. What is not executed in them comes after all the rest, and
    /// the probe in between.
    pub fn ranks(&self, terms: &Terms, rounds: u32, model: &mut Evaluator) -> Ranks {
        let mut is_done = |point: NodeId, round: u32| {
            let symbol = terms.find_symbol(&name(point, round));
            symbol.is_some_and(|symbol| model.bool(terms.symbol_term(symbol)) == Ok(true))
        };
        let mut keys: Vec<((u32, Key), NodeId)> = Vec::new();
        for (id, (point, key)) in self.keys.enumerated() {
            // The probe is between the last round and a step that comes after it.
            let time = match point {
                Moment::Probe => 2 * rounds + 1,
                Moment::Beginning => 0,
                Moment::Block(point) => {
                    let round = (1..=rounds + 1).find(|round| is_done(*point, *round));
                    2 * round.unwrap_or(rounds + 2)
                }
            };
            keys.push(((time, *key), id));
        }
        keys.sort_unstable();
        (0..).zip(keys).map(|(rank, (_, node))| (node, rank)).collect()
    }
}

/// The order of nodes in executions of so many rounds. A node that is not executed in them comes after all others, and
/// after the probe.
pub struct Horizon<'a> {
    pub schedule: &'a Schedule,
    pub rounds: u32,
}

impl Precedence for Horizon<'_> {
    fn before(&mut self, terms: &mut Terms, bounded: &Bounded, a: NodeId, b: NodeId) -> Term {
        let schedule = self.schedule;
        let happens = |terms: &mut Terms, node: NodeId| schedule.done(terms, bounded, node, self.rounds);
        if bounded.probe == Some(b) || (a != b && bounded.is_before(a, b)) {
            return happens(terms, a);
        }
        if bounded.probe == Some(a) {
            let done = happens(terms, b);
            return terms.not(done);
        }
        if a == b || bounded.is_before(b, a) {
            return terms.bool(false);
        }
        let (x, y) = (schedule.position(bounded, a), schedule.position(bounded, b));
        if x == y {
            let key = |node: NodeId| (bounded.nodes[node].thread, bounded.nodes[node].index);
            let done = happens(terms, a);
            let first = terms.bool(key(a) < key(b));
            return terms.and(done, first);
        }
        let Some(point) = x else { return terms.bool(true) };
        let Some(other) = y else { return terms.bool(false) };
        let (own, others) = (&bounded.nodes[point], &bounded.nodes[other]);
        if own.thread == others.thread {
            let first = terms.bool(own.index < others.index);
            let done = happens(terms, a);
            return terms.and(done, first);
        }
        let mut ways = Vec::new();
        for round in 1..=self.rounds {
            let done = schedule.at(terms, point, round);
            let then = Turn { round, thread: bounded.nodes[point].thread };
            let other = schedule.by_then(terms, bounded, b, then);
            let not_yet = terms.not(other);
            ways.push(terms.and(done, not_yet));
        }
        terms.or_all(ways)
    }

    fn happens(&mut self, terms: &mut Terms, bounded: &Bounded, node: NodeId) -> Term {
        self.schedule.done(terms, bounded, node, self.rounds)
    }

    /// The node begins a segment in the round after the last one, and no other thread does anything in it before.
    fn is_next(&mut self, terms: &mut Terms, bounded: &Bounded, node: NodeId) -> Option<Term> {
        let (schedule, round) = (self.schedule, self.rounds + 1);
        if schedule.rounds < round || schedule.points.block[node] != Some(node) {
            return None;
        }
        let thread = bounded.nodes[node].thread;
        let mut parts = vec![schedule.begins_with(terms, bounded, node, round)];
        for other in &schedule.order[..schedule.place[thread]] {
            parts.push(schedule.idle(terms, *other, round));
        }
        Some(terms.and_all(parts))
    }

    fn begins_late(&self, bounded: &Bounded, thread: ThreadIx) -> bool {
        self.schedule.begins_late(bounded, thread)
    }
}

/// The threads in the order of a round. A thread is named by the start of it in the text of its parent, so with starts on
/// different branches a list may name several threads by one path.
pub fn round_order(bounded: &Bounded, order: &RoundOrder) -> Vec<ThreadIx> {
    let mut starts = bounded.spawned.clone();
    starts.sort_by_key(|(log, child)| (log.thread, log.index, *child));
    let mut threads = vec![(ThreadPath::main(), ThreadIx(0))];
    let mut next = 0;
    while let Some((path, thread)) = threads.get(next).cloned() {
        let children = starts.iter().filter(|(log, _)| log.thread == thread);
        threads.extend((1..).zip(children).map(|(n, (_, child))| (path.child(n), *child)));
        next += 1;
    }
    threads.sort_by(|(a, _), (b, _)| order.compare(a, b));
    threads.into_iter().map(|(_, thread)| thread).collect()
}
