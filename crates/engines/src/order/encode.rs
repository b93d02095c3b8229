//! The formula: each read chooses the write that it reads from, and an order of the nodes makes the choice an
//! execution.
//!
//! This is the partial-order encoding of bounded model checking (Alglave, Kroening, Tautschnig, CAV 2013) under
//! sequential consistency (Lamport 1979), with Boolean reads-from variables as in He, Sun and Fan (PLDI 2021). For
//! each read of a cell one write is its source, possibly the initial write: the source is executed, at the same
//! address, earlier (*reads-from*), and no other executed write at that address lies between the source and the read
//! (*from-read* together with *write serialisation*). Program order and thread creation hold for nodes that are not
//! executed, too. All accesses at one node (an atomic section) have one place in the order, and follow the order of
//! their list. [`Times`] decides how "earlier" is encoded.
//!
//! Deagle (He, Sun, Fan, TACAS 2022) derives write serialisation and from-read edges from the reads-from choices by
//! saturation. That is incomplete, because deciding whether a sequentially consistent order exists is NP-complete
//! (Gibbons, Korach, SIAM J. Comput. 1997); saturation fails on `ten_threads.c`. Here the from-read clauses contain
//! order literals between writes.
//!
//! * *Claim.* The models of the formula are the executions of the bounded program, up to the exchange of
//!   interchangeable threads ([`braid_bounded::symmetry`]).
//! * *Relies on.* The order of [`Times`] is acyclic and contains program order and thread creation.
//! * *Proof.* Take a model and any topological order of its nodes. Every order literal agrees with it. So each
//!   executed read comes after its source, and each other executed write to its address comes before the source or
//!   after the read: the read gives the last value written. An executed join comes after the end of the joined
//!   thread. Conversely, an execution gives each read a source and each pair of nodes an order, and satisfies all
//!   clauses.
//! * *Fault.* `source-may-come-later` (`atomic_message.c`), `nothing-in-between-dropped` (`ten_threads.c`),
//!   `guard-of-write-dropped` (`cond_flag.c`), `first-value-for-good` (`atomic_two_steps.c`), `join-edge-dropped`
//!   (`mutex_counter.c`). `first-addresses-forgotten` leaves the initial write out of the obligations about addresses
//!   (`address_from_start.c`).

mod candidates;
mod fixed_source;
mod sections;

use super::times::{Encoding, Times};
use crate::ask::addresses::Addresses;
use crate::ask::{self, Asked, Precedence, Questions, Reads};
use braid_base::HashMap;
use braid_base::faults::active;
use braid_bounded::Interrupted;
use braid_bounded::before::Before;
use braid_bounded::cells::{self, Cell, Group};
use braid_bounded::grid;
use braid_bounded::guards::implies;
use braid_bounded::initial;
use braid_bounded::locations::{Counts, Location, location};
use braid_bounded::locks::Locks;
use braid_bounded::symmetry::symmetric_pairs;
use braid_bounded::values::Values;
use braid_bounded::{AccessId, Area, Bounded, NodeId, ThreadIx, Way, What};
use braid_logic::narrow::Narrower;
use braid_logic::{Sort, Term, Terms};
use braid_solver::Clause;
use candidates::{CandidateWrite, Candidates};
use std::rc::Rc;

/// The formula, in parts.
pub struct Encoded {
    pub constraints: Vec<Term>,
    /// The from-read clauses. There are many, so they are not terms.
    pub clauses: Vec<Clause>,
    pub times: Times,
    pub cells: usize,
    /// The sum over all locations.
    pub counts: Counts,
    pub locations: Vec<Location>,
}

struct Encoder<'a> {
    terms: &'a mut Terms,
    bounded: &'a Bounded,
    before: Before<'a>,
    constraints: Vec<Term>,
    clauses: Vec<Clause>,
    /// The order of pairs of accesses that were compared.
    known: HashMap<(AccessId, AccessId), Term>,
    times: Times,
    locks: Rc<Locks>,
    addresses: Addresses,
    values: &'a Values,
    /// Simplifies terms by the value ranges of reads.
    narrower: Narrower,
    candidates: usize,
    /// The first read of initial contents that are not known exactly.
    approximate: Option<AccessId>,
    interrupt: &'a dyn Fn() -> bool,
    /// An estimate of the number of from-read clauses.
    estimate: &'a std::cell::Cell<u64>,
}

/// The formula for a bounded program, with the value ranges of its reads.
pub fn encode(
    terms: &mut Terms,
    bounded: &Bounded,
    encoding: Encoding,
    asked: &Asked,
    values: &Values,
    interrupt: &dyn Fn() -> bool,
    estimate: &std::cell::Cell<u64>,
) -> Result<(Encoded, Questions), Interrupted> {
    let groups = cells::divide(terms, bounded);
    let asks = |what: &What| matches!(what, What::LoadedAddresses | What::TornPointers);
    let on_addresses = bounded.obligations.iter().any(|o| asks(&o.what) && !terms.is_false(o.reached));
    let narrower = Narrower::new(values.ranges(terms));
    let mut encoder = Encoder {
        terms,
        bounded,
        before: Before::new(bounded),
        constraints: bounded.constraints.clone(),
        clauses: Vec::new(),
        known: HashMap::default(),
        times: Times::new(encoding, bounded),
        locks: Rc::default(),
        addresses: Addresses::new(on_addresses),
        values,
        narrower,
        candidates: 0,
        approximate: None,
        interrupt,
        estimate,
    };
    encoder.locks = Rc::new(Locks::find(encoder.terms, bounded, &groups));
    let cells = groups.iter().map(|group| group.cells.len()).sum();
    let held: Vec<Option<Term>> = groups.iter().map(|group| encoder.held_by(group)).collect();
    let locks = Rc::clone(&encoder.locks);
    let mut locations = Vec::new();
    for (group, lock) in groups.iter().zip(&locks.groups) {
        let before = encoder.counts();
        match lock {
            Some(lock) => encoder.lock_group(group, lock)?,
            None => encoder.group(group)?,
        }
        let counts = encoder.counts().since(before);
        locations.push(location(asked.program, bounded, group, counts));
    }
    encoder.joins();
    encoder.break_symmetry(&groups);
    let settled = std::mem::take(&mut encoder.addresses).settle(encoder.terms, bounded);
    let mut counts = encoder.counts();
    let Encoder { terms, mut constraints, mut clauses, mut times, approximate, .. } = encoder;
    let reads = Reads { settled, approximate, interrupt };
    let mut questions = ask::questions(terms, bounded, asked, reads, &mut times, &mut constraints)?;
    times.finish(terms, bounded, &mut constraints, interrupt)?;
    counts.literals = times.literals();
    let (facts, narrower) = grid::narrower(terms, bounded, &groups, &held, &locks, values);
    if let Some(mut narrower) = narrower {
        let all = constraints.iter_mut().chain(clauses.iter_mut().flatten());
        all.for_each(|term| *term = narrower.narrow(terms, *term));
        questions.rewrite(&mut |term| narrower.narrow(terms, term));
    }
    constraints.extend(facts);
    let encoded = Encoded { constraints, clauses, times, cells, counts, locations };
    Ok((encoded, questions))
}

impl Encoder<'_> {
    fn counts(&self) -> Counts {
        let (candidates, clauses) = (self.candidates, self.clauses.len());
        Counts { candidates, literals: self.times.literals(), clauses }
    }

    fn node(&self, cell: &Cell) -> NodeId {
        self.bounded.accesses[cell.access].node
    }

    fn thread(&self, cell: &Cell) -> ThreadIx {
        self.bounded.nodes[self.node(cell)].thread
    }

    fn guard(&self, cell: &Cell) -> Term {
        self.bounded.accesses[cell.access].guard
    }

    /// Bool: the access of `a` precedes that of `b`.
    fn precedes(&mut self, a: &Cell, b: &Cell) -> Term {
        if let Some(known) = self.known.get(&(a.access, b.access)) {
            return *known;
        }
        let order = self.order_of(a, b);
        self.known.insert((a.access, b.access), order);
        order
    }

    fn order_of(&mut self, a: &Cell, b: &Cell) -> Term {
        let (x, y) = (self.node(a), self.node(b));
        if x == y {
            return self.terms.bool(a.access < b.access);
        }
        let (of_a, of_b) = (self.guard(a), self.guard(b));
        // If the accesses are in two sections of a lock, the whole of one section precedes the whole of the other:
        // one literal orders all of their accesses.
        let apart = self.locks.mutually_exclusive(a.access, b.access);
        let (x, y) =
            apart.map_or((x, y), |(a, b)| (self.locks.acquire_of(a).node, self.locks.acquire_of(b).node));
        self.precedes_if(x, y, of_a, of_b)
    }

    /// Bool: node `a` precedes node `b`, if both are executed under these guards.
    fn precedes_if(&mut self, a: NodeId, b: NodeId, of_a: Term, of_b: Term) -> Term {
        if self.before.given(self.terms, a, b, of_b) {
            return self.terms.bool(true);
        }
        if self.before.given(self.terms, b, a, of_a) {
            return self.terms.bool(false);
        }
        self.earlier(a, b)
    }

    fn earlier(&mut self, a: NodeId, b: NodeId) -> Term {
        self.times.before(self.terms, self.bounded, a, b)
    }

    /// The term, simplified by the value ranges of reads.
    fn small(&mut self, term: Term) -> Term {
        self.narrower.narrow(self.terms, term)
    }

    /// Bool: the two terms have the same value.
    fn equal(&mut self, a: Term, b: Term) -> Term {
        let equal = self.terms.eq(a, b);
        self.small(equal)
    }

    /// Bool: two cells of a group alias.
    fn same(&mut self, area: Area, a: &Cell, b: &Cell) -> Term {
        let same = cells::same(self.terms, self.bounded, area, a, b);
        self.small(same)
    }

    /// Bool: a write is executed, at the address of the read.
    fn there(&mut self, area: Area, read: &Cell, write: &Cell) -> Term {
        let same = self.same(area, read, write);
        let guard = self.guard(write);
        if active("guard-of-write-dropped") { same } else { self.terms.and(guard, same) }
    }

    /// The value that an access reads or writes in this cell.
    fn value(&mut self, cell: &Cell) -> Term {
        cells::value(self.terms, self.bounded, cell)
    }

    fn writes<'g>(&self, group: &'g Group) -> Vec<&'g Cell> {
        let is_write = |cell: &&Cell| matches!(self.bounded.accesses[cell.access].way, Way::Write(_));
        group.cells.iter().filter(is_write).collect()
    }

    fn group(&mut self, group: &Group) -> Result<(), Interrupted> {
        let writes = self.writes(group);
        for cell in &group.cells {
            if matches!(self.bounded.accesses[cell.access].way, Way::Read(_)) {
                self.read(group, cell, &writes)?;
            }
        }
        Ok(())
    }

    /// Encodes a read: its candidate writes, and for each the constraints that choosing it implies.
    fn read(&mut self, group: &Group, read: &Cell, writes: &[&Cell]) -> Result<(), Interrupted> {
        let area = group.area;
        if self.encode_fixed_source(group, read, writes) {
            return Ok(());
        }
        let value = self.value(read);
        let executed = self.guard(read);
        let mut others: Vec<CandidateWrite> = Vec::new();
        for write in writes {
            self.poll()?;
            let there = self.there(area, read, write);
            if self.terms.is_false(there) {
                continue;
            }
            let first = self.precedes(write, read);
            if self.terms.is_false(first) {
                continue;
            }
            let (same, guard) = (self.same(area, read, write), self.guard(write));
            let certain = self.terms.is_true(same) && implies(self.terms, executed, guard);
            others.push(CandidateWrite { cell: write, there, first, certain });
        }
        let replaced = others.iter().any(|w| w.certain && self.terms.is_true(w.first));
        let initial = !replaced && !self.values.replaced.contains(&read.access);
        let others = self.visible(read, others)?;
        self.candidates += others.len() + usize::from(initial);
        self.estimate.set(self.estimate.get() + (others.len() * others.len()) as u64);
        self.poll()?;
        let candidates = Candidates { implied: self.implied(&others), list: others };
        let others = &candidates.list;
        let mut choices = Vec::new();
        for (index, write) in others.iter().enumerate() {
            // A single candidate needs no choice.
            let only = others.len() == 1 && !initial;
            let chosen = if only { executed } else { self.terms.fresh("rf", Sort::Bool) };
            self.source(value, &candidates, index, chosen)?;
            choices.push(chosen);
            if area == Area::Memory && self.addresses.asked {
                let taken = self.terms.and(executed, chosen);
                self.addresses.taken(self.terms, self.bounded, read, write.cell, taken);
            }
        }
        if initial {
            let chosen =
                if others.is_empty() { self.terms.bool(true) } else { self.terms.fresh("rf", Sort::Bool) };
            let symbols = self.terms.symbols().len();
            let found = initial::held_at(self.terms, self.bounded, area, read);
            if self.approximate.is_none() && initial::is_approximated(self.terms, symbols) {
                self.approximate = Some(read.access);
            }
            let equal = self.equal(value, found);
            let meaning = if others.is_empty() {
                self.terms.implies(executed, equal)
            } else {
                self.terms.implies(chosen, equal)
            };
            self.constraints.push(meaning);
            for (index, other) in others.iter().enumerate() {
                if active("first-value-for-good") || candidates.implied[index].is_some() {
                    continue;
                }
                let never = self.terms.bool(false);
                self.not_in_between(chosen, never, other);
            }
            choices.push(chosen);
            if area == Area::Memory && self.addresses.asked && !active("first-addresses-forgotten") {
                let number = initial::makes_number(self.terms, self.bounded, read);
                let taken = self.terms.and(executed, chosen);
                let wrong = self.terms.and(taken, number);
                self.addresses.first(self.terms, self.bounded, read, taken, wrong);
            }
        }
        let some = self.terms.or_all(choices);
        let some = self.terms.implies(executed, some);
        self.constraints.push(some);
        Ok(())
    }

    fn poll(&self) -> Result<(), Interrupted> {
        if (self.interrupt)() { Err(Interrupted) } else { Ok(()) }
    }

    /// Adds the constraints that choosing a write as the source of a read implies.
    fn source(
        &mut self,
        value: Term,
        candidates: &Candidates,
        index: usize,
        chosen: Term,
    ) -> Result<(), Interrupted> {
        let write = &candidates.list[index];
        let written = self.value(write.cell);
        let equal = self.equal(value, written);
        let first = if active("source-may-come-later") { write.there } else { write.first };
        for part in [write.there, first, equal] {
            let meaning = self.terms.implies(chosen, part);
            self.constraints.push(meaning);
        }
        if active("nothing-in-between-dropped") {
            return Ok(());
        }
        let own = self.thread(write.cell);
        for (other, competing) in candidates.list.iter().enumerate().filter(|(other, _)| *other != index) {
            // Earlier writes of the source's thread precede the source. A later write that implies another one after
            // the source is covered by that one's clause.
            if self.thread(competing.cell) == own
                && (other < index || candidates.implied[other].is_some_and(|before| before > index))
            {
                continue;
            }
            self.poll()?;
            let earlier = self.precedes(competing.cell, write.cell);
            if self.terms.is_true(earlier) {
                continue;
            }
            self.not_in_between(chosen, earlier, competing);
        }
        Ok(())
    }

    /// The from-read clause: if the source is chosen, the competing write precedes the source, follows the read, or
    /// is not executed at this address.
    fn not_in_between(&mut self, chosen: Term, earlier: Term, competing: &CandidateWrite) {
        let other = self.terms.not(chosen);
        let (later, absent) = (self.terms.not(competing.first), self.terms.not(competing.there));
        let clause = [other, earlier, later, absent];
        if !clause.iter().any(|term| self.terms.is_true(*term)) {
            self.clauses.push(clause);
        }
    }

    /// The value of the initial write of a group, if all of its accesses cover one and the same cell.
    fn held_by(&mut self, group: &Group) -> Option<Term> {
        grid::is_whole(self.bounded, group)
            .then(|| initial::held_at(self.terms, self.bounded, group.area, &group.cells[0]))
    }

    /// Encodes joins: an executed join follows the last node of the thread that its handle denotes, and gives its
    /// result.
    fn joins(&mut self) {
        for join in &self.bounded.joins {
            let mut ended = Vec::new();
            for (id, thread) in self.bounded.threads.enumerated() {
                let handle = self.bounded.layout.address(self.terms, thread.handle, 0);
                let fits = self.terms.eq(join.handle, handle);
                let fits = self.terms.and(fits, thread.finished);
                if self.terms.is_false(fits) || id == self.bounded.nodes[join.node].thread {
                    continue;
                }
                let mut parts = vec![fits];
                parts.push(self.terms.eq(join.result, thread.result));
                if let Some(last) = thread.nodes.last().copied().or(thread.parent) {
                    self.times.keep([last, join.node]);
                    let first = self.earlier(last, join.node);
                    if !active("join-edge-dropped") {
                        parts.push(first);
                    }
                }
                ended.push(self.terms.and_all(parts));
            }
            let some = self.terms.or_all(ended);
            let meaning = self.terms.implies(join.guard, some);
            self.constraints.push(meaning);
        }
    }

    /// The symmetry-breaking predicate: of interchangeable threads, the one that was started first takes the first
    /// step.
    fn break_symmetry(&mut self, groups: &[Group]) {
        for (one, other) in symmetric_pairs(self.terms, self.bounded, groups, &self.locks) {
            let first = self.earlier(one, other);
            self.constraints.push(first);
        }
    }
}

impl Encoded {
    /// All constraints as terms, for solvers that take nothing else.
    pub fn all_constraints(&self, terms: &mut Terms) -> Vec<Term> {
        let clauses = self.clauses.iter().map(|clause| terms.or_all(*clause));
        self.constraints.iter().copied().chain(clauses).collect()
    }
}
