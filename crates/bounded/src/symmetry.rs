//! Symmetry reduction: of interchangeable threads, the one that was started first takes the first step.
//!
//! Symmetry reduction explores one state of each orbit (Clarke, Enders, Filkorn, Jha, FMSD 1996; Emerson, Sistla,
//! FMSD 1996; Ip, Dill, FMSD 1996). In a formula it is a symmetry-breaking predicate (Crawford, Ginsberg, Luks, Roy,
//! KR 1996): here one order literal per pair of threads.
//!
//! Two threads are *interchangeable* if one thread starts both, they are isomorphic (equal up to the names of their
//! symbols), and no part of the program can tell one from the other.
//!
//! * *Claim.* For every execution there is one with the same violations in which, of each interchangeable pair, the
//!   thread that was started earlier takes its first step before the other does.
//! * *Relies on.* No symbol or handle of the two occurs in a term of another thread, nor of one in a term of the
//!   other (`are_apart`): a handle in shared memory, or one that decides something, would occur in a term. The first
//!   node is executed whenever anything of the thread is. No thread joins the two, or one thread joins both with
//!   nothing in between: no thread can observe that one join is delayed until the other.
//! * *Proof.* Take an execution in which the later thread takes its first step before the earlier one, and exchange
//!   the two. The earlier thread can do what the later one did, because it was started before; the later one can do
//!   what the earlier one did, because all of that came after the later one's first step. Each exchange removes an
//!   inversion, so repeating it sorts any number of threads.
//! * *Fault.* `twins-not-compared` takes threads of one function for isomorphic; `twins_by_argument.c` notices.
//!   `joins-between-twins` ignores the joins; `twins_joined_apart.c` notices.

use crate::cells::Group;
use crate::locks::Locks;
use crate::{
    Access, AccessId, Bounded, LockUse, LogRef, NodeId, ObjectNo, Obligation, Obstacle, Racy, ThreadIx, Wait,
    Way, What,
};
use braid_base::faults::active;
use braid_base::{HashMap, HashSet, Idx};
use braid_logic::rewrite::Substitution;
use braid_logic::{Node, SymbolId, Term, Terms};

/// The largest number of threads: sets of threads are bit masks of this width.
const MOST: usize = 128;
/// The largest product of constraints and threads that is compared.
const WORK: usize = 1 << 20;

/// Pairs of first nodes of which the first may be ordered before the second without losing a violation.
pub fn symmetric_pairs(
    terms: &mut Terms,
    bounded: &Bounded,
    groups: &[Group],
    locks: &Locks,
) -> Vec<(NodeId, NodeId)> {
    let threads: Vec<ThreadIx> = bounded.threads.ids().collect();
    let open_join = bounded.joins.iter().any(|join| join.thread.is_none());
    if threads.len() > MOST || open_join || threads.len() * bounded.constraints.len() > WORK {
        return Vec::new();
    }
    let mut finder = Finder {
        bounded,
        locks,
        unread: unread(bounded, groups),
        owners: owners(terms, bounded),
        mentions: HashMap::default(),
    };
    let mut found = Vec::new();
    let mut last: HashMap<Vec<u32>, ThreadIx> = HashMap::default();
    for thread in threads {
        let log = bounded.threads[thread].log.iter().map(|entry| entry.instr.0).collect();
        if let Some(earlier) = last.insert(log, thread)
            && finder.are_interchangeable(terms, earlier, thread)
        {
            found.push((bounded.threads[earlier].nodes[0], bounded.threads[thread].nodes[0]));
        }
    }
    found
}

/// The accesses that no thread can observe: their cells are never read, and they cannot race. An example is the write
/// that ends the life of a thread's own variable.
fn unread(bounded: &Bounded, groups: &[Group]) -> HashSet<AccessId> {
    let is_read = |group: &&Group| {
        group.cells.iter().any(|cell| matches!(bounded.accesses[cell.access].way, Way::Read(_)))
    };
    let all: HashSet<AccessId> =
        bounded.accesses.ids().filter(|at| bounded.accesses[*at].racy.is_none()).collect();
    let seen: HashSet<AccessId> =
        groups.iter().filter(is_read).flat_map(|g| g.cells.iter().map(|cell| cell.access)).collect();
    all.difference(&seen).copied().collect()
}

/// For each symbol the innermost thread that made it.
fn owners(terms: &Terms, bounded: &Bounded) -> Vec<Option<ThreadIx>> {
    let mut owners = vec![None; terms.symbols().len()];
    // A thread comes later in the list than the one that started it.
    for (id, thread) in bounded.threads.enumerated() {
        let (from, to) = thread.symbols;
        owners[from..to].fill(Some(id));
    }
    owners
}

struct Finder<'a> {
    bounded: &'a Bounded,
    locks: &'a Locks,
    unread: HashSet<AccessId>,
    owners: Vec<Option<ThreadIx>>,
    /// For each term the threads whose symbols or handles occur in it, as a bit mask.
    mentions: HashMap<Term, u128>,
}

impl Finder<'_> {
    /// Returns true if exchanging two threads, of which `one` was started first, cannot be observed.
    fn are_interchangeable(&mut self, terms: &mut Terms, one: ThreadIx, other: ThreadIx) -> bool {
        let (a, b) = (&self.bounded.threads[one], &self.bounded.threads[other]);
        let (Some(p), Some(q)) = (a.parent, b.parent) else { return false };
        if self.bounded.nodes[p].thread != self.bounded.nodes[q].thread || !self.bounded.is_before(p, q) {
            return false;
        }
        let (started, then) = (self.bounded.nodes[p].executed, self.bounded.nodes[q].executed);
        let length = |(from, to): (usize, usize)| to - from;
        let Some(entries) = entries_since(terms, then, started) else { return false };
        length(a.symbols) == length(b.symbols)
            && self.begins_at_once(terms, one, started)
            && self.begins_at_once(terms, other, then)
            && self.are_joined_together(terms, one, other)
            && self.are_apart(terms, one, other)
            && (active("twins-not-compared") || self.are_isomorphic(terms, one, other, &entries))
    }

    /// Returns true if the first node is executed whenever anything of the thread is: its guard is the start alone,
    /// or, for an atomic section, the start and the section's entry.
    fn begins_at_once(&self, terms: &mut Terms, thread: ThreadIx, started: Term) -> bool {
        let Some(first) = self.bounded.threads[thread].nodes.first() else { return false };
        let executed = self.bounded.nodes[*first].executed;
        let is_own = |symbol: SymbolId| self.owners[symbol.index()] == Some(thread);
        let is_entry = |part: Term| matches!(terms.node(part), Node::Symbol(id) if is_own(id));
        let parts = match terms.node(executed) {
            Node::And(x, y) => vec![x, y],
            _ => vec![executed],
        };
        let entry: Vec<Term> = parts.into_iter().filter(|part| is_entry(*part)).collect();
        match entry[..] {
            [] => executed == started,
            [entry] => terms.and(started, entry) == executed,
            _ => false,
        }
    }

    /// Returns true if no thread joins the two, or one thread joins both, makes no other step in between, and gets
    /// the same constant result from both.
    fn are_joined_together(&mut self, terms: &Terms, one: ThreadIx, other: ThreadIx) -> bool {
        let bounded = self.bounded;
        let joins = |thread: ThreadIx| bounded.joins.iter().filter(move |join| join.thread == Some(thread));
        let nodes: Vec<NodeId> = joins(one).chain(joins(other)).map(|join| join.node).collect();
        if nodes.is_empty() || active("joins-between-twins") {
            return true;
        }
        let (Some(x), Some(y), 2) = (joins(one).next(), joins(other).next(), nodes.len()) else {
            return false;
        };
        let thread = bounded.nodes[x.node].thread;
        let results = (bounded.threads[one].result, bounded.threads[other].result);
        if thread != bounded.nodes[y.node].thread || results.0 != results.1 || !terms.is_constant(results.0) {
            return false;
        }
        let (x, y) = if x.node < y.node { (x, y) } else { (y, x) };
        if entries_since(terms, y.guard, x.guard).is_none() {
            return false;
        }
        let between = bounded.nodes[x.node].index..bounded.nodes[y.node].index;
        let list = &bounded.threads[thread].nodes;
        // A join inside an atomic section shares its node with everything else in the section.
        let is_join = |node: &NodeId| {
            bounded.joins.iter().any(|join| join.node == *node)
                && bounded.nodes[*node].spawns.is_none()
                && !bounded.accesses.iter().any(|access| access.node == *node)
        };
        let quiet = list[between.start as usize..between.end as usize].iter().all(is_join);
        let looks = |obligation: &Obligation| {
            let after = obligation.after.map(|after| &bounded.nodes[after]);
            let inside = after.is_some_and(|after| after.thread == thread && between.contains(&after.index));
            inside && !terms.is_false(obligation.reached)
        };
        let ends = bounded.ends.iter().any(|end| {
            let node = &bounded.nodes[end.node];
            node.thread == thread && between.contains(&node.index)
        });
        quiet && !ends && !bounded.obligations.iter().any(looks)
    }

    /// The threads whose symbols or handles occur in a term, as a bit mask.
    fn mentions(&mut self, terms: &Terms, root: Term) -> u128 {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.mentions.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(terms.node(term).children().filter(|child| !self.mentions.contains_key(child)));
            if stack.len() > before {
                continue;
            }
            let mut bits = terms.node(term).children().fold(0, |bits, child| bits | self.mentions[&child]);
            match terms.node(term) {
                Node::Symbol(id) => bits |= self.owners[id.index()].map_or(0, |owner| 1 << owner.index()),
                Node::Bits(_) if terms.width(term) == self.bounded.layout.pointer_bits => {
                    let object = self.bounded.layout.constant(terms, term).map(|(object, _)| object);
                    let threads = self.bounded.threads.enumerated();
                    let with = threads.filter(|(_, thread)| {
                        Some(thread.handle) == object && thread.handle != ObjectNo::NONE
                    });
                    bits |= with.fold(0, |bits, (thread, _)| bits | 1 << thread.index());
                }
                _ => {}
            }
            self.mentions.insert(term, bits);
            stack.pop();
        }
        self.mentions[&root]
    }

    /// The thread whose access this is; for an access at the probe, the thread whose wait is tried.
    fn thread_of(&self, terms: &Terms, access: &Access) -> ThreadIx {
        let thread = self.bounded.nodes[access.node].thread;
        match access.way {
            Way::Read(symbol) if self.bounded.is_probe(thread) => match terms.node(symbol) {
                Node::Symbol(id) => self.owners[id.index()].unwrap_or(thread),
                _ => thread,
            },
            Way::Read(_) | Way::Write(_) => thread,
        }
    }

    /// Returns true if no symbol or handle of the two occurs in a term of another thread, none of one in a term of the
    /// other, and none of both in one constraint.
    fn are_apart(&mut self, terms: &Terms, one: ThreadIx, other: ThreadIx) -> bool {
        let bounded = self.bounded;
        let (a, b): (u128, u128) = (1 << one.index(), 1 << other.index());
        let forbidden = |thread: ThreadIx| match thread {
            _ if thread == one => b,
            _ if thread == other => a,
            _ => a | b,
        };
        let mut list: Vec<(ThreadIx, Term)> = Vec::new();
        for access in &bounded.accesses {
            let thread = self.thread_of(terms, access);
            let (Way::Read(value) | Way::Write(value)) = access.way;
            list.extend([access.guard, access.pointer, value].map(|term| (thread, term)));
        }
        list.extend(bounded.obligations.iter().map(|obligation| (obligation.thread, obligation.reached)));
        list.extend(bounded.nodes.iter().map(|node| (node.thread, node.executed)));
        list.extend(bounded.ends.iter().map(|end| (bounded.nodes[end.node].thread, end.guard)));
        list.extend(bounded.joins.iter().map(|join| (bounded.nodes[join.node].thread, join.guard)));
        list.extend(bounded.threads.enumerated().map(|(id, thread)| (id, thread.finished)));
        for wait in &bounded.waits {
            list.push((wait.thread, wait.reached));
            for refusal in &wait.refusals {
                list.push((wait.thread, refusal.guard));
                if let Obstacle::Lock { holders } = &refusal.by {
                    list.extend(holders.iter().flat_map(|(x, y)| [(wait.thread, *x), (wait.thread, *y)]));
                }
            }
        }
        let mentions_both = |bits: u128| bits & (a | b) == (a | b);
        list.into_iter().all(|(thread, term)| self.mentions(terms, term) & forbidden(thread) == 0)
            && !bounded.constraints.iter().any(|term| mentions_both(self.mentions(terms, *term)))
    }

    /// Returns true if the two threads are equal up to the names of their symbols.
    fn are_isomorphic(
        &mut self,
        terms: &mut Terms,
        one: ThreadIx,
        other: ThreadIx,
        entries: &[Term],
    ) -> bool {
        // The symbols of `one` are renamed to those of `other`, by their place in the ranges of the two.
        let names: Vec<Term> = {
            let (from, _) = self.bounded.threads[other].symbols;
            let (begin, end) = self.bounded.threads[one].symbols;
            (begin..end).map(|at| terms.symbol_term(SymbolId::from_usize(at - begin + from))).collect()
        };
        let fits = self.symbols(terms, one).iter().zip(&names).all(|(x, y)| terms.sort(*x) == terms.sort(*y));
        if !fits {
            return false;
        }
        let first = self.shape(terms, one, &names, entries);
        let second = self.shape(terms, other, &names, entries);
        first.is_some() && first == second
    }

    fn symbols(&self, terms: &Terms, thread: ThreadIx) -> Vec<Term> {
        let (from, to) = self.bounded.threads[thread].symbols;
        (from..to).map(|at| terms.symbol_term(SymbolId::from_usize(at))).collect()
    }

    /// The shape of a thread after its symbols were renamed to `names`, given that the sections of `entries` were
    /// entered. `None` if the thread starts or joins others, or if its shape cannot be compared.
    fn shape(
        &mut self,
        terms: &mut Terms,
        thread: ThreadIx,
        names: &[Term],
        entries: &[Term],
    ) -> Option<Shape> {
        let bounded = self.bounded;
        let is_own = |access: &AccessId| {
            self.thread_of(terms, &bounded.accesses[*access]) == thread && !self.unread.contains(access)
        };
        let accesses: Vec<AccessId> = bounded.accesses.ids().filter(is_own).collect();
        let renaming = self.renaming(terms, thread, names, entries, &accesses)?;
        let mut shape = Shape::default();
        accesses.iter().for_each(|access| shape.add_access(bounded, *access, self.locks.contains(*access)));
        for node in &bounded.threads[thread].nodes {
            if bounded.nodes[*node].spawns.is_some() {
                return None;
            }
            shape.terms.push(bounded.nodes[*node].executed);
        }
        if bounded.joins.iter().any(|join| bounded.nodes[join.node].thread == thread) {
            return None;
        }
        for obligation in bounded.obligations.iter().filter(|obligation| obligation.thread == thread) {
            let own = obligation.after.filter(|after| bounded.nodes[*after].thread == thread);
            shape.numbers.push(own.map_or(u64::MAX, |after| bounded.nodes[after].index.into()));
            shape.terms.push(obligation.reached);
            shape.whats.push(obligation.what.clone());
        }
        for wait in bounded.waits.iter().filter(|wait| wait.thread == thread) {
            shape.add_wait(bounded, wait);
        }
        for end in bounded.ends.iter().filter(|end| bounded.nodes[end.node].thread == thread) {
            shape.numbers.push(bounded.nodes[end.node].index.into());
            shape.terms.push(end.guard);
        }
        shape
            .terms
            .extend(bounded.choices.iter().filter(|c| c.log.thread == thread).map(|choice| choice.value));
        shape.terms.push(bounded.threads[thread].finished);
        // `are_apart` has computed the mentions of all constraints.
        let mentions_thread =
            |term: &Term| self.mentions.get(term).is_some_and(|bits| bits >> thread.index() & 1 == 1);
        shape.constraints = bounded.constraints.iter().copied().filter(mentions_thread).collect();
        shape.rename(terms, renaming);
        Some(shape)
    }

    /// The substitution that renames the thread's symbols to `names`. The words that lock operations read are replaced
    /// by their values, so that comparisons with the thread number become constants.
    fn renaming(
        &self,
        terms: &mut Terms,
        thread: ThreadIx,
        names: &[Term],
        entries: &[Term],
        accesses: &[AccessId],
    ) -> Option<Substitution> {
        let symbols = self.symbols(terms, thread);
        let mut named: HashMap<Term, Term> = symbols.into_iter().zip(names.iter().copied()).collect();
        let entered = terms.bool(true);
        named.extend(entries.iter().map(|entry| (*entry, entered)));
        let own = terms.bits(32, Bounded::number_of(thread).into());
        let none = terms.bits(32, 0);
        for access in accesses.iter().filter(|access| self.locks.contains(**access)) {
            let Way::Read(symbol) = self.bounded.accesses[*access].way else { continue };
            match self.bounded.accesses[*access].lock {
                Some(LockUse::Acquire) if self.locks.may_hold(terms, self.bounded, *access) => return None,
                Some(LockUse::Acquire) => named.insert(symbol, none),
                Some(LockUse::Release) => named.insert(symbol, own),
                Some(LockUse::Try(_)) | None => None,
            };
        }
        Some(Substitution::new(terms, named))
    }
}

/// The conjuncts that `guard` has beside `earlier`. Returns `None` unless each is a symbol, which says that an atomic
/// section is entered.
fn entries_since(terms: &Terms, mut guard: Term, earlier: Term) -> Option<Vec<Term>> {
    let is_symbol = |term: Term| matches!(terms.node(term), Node::Symbol(_));
    let mut entries = Vec::new();
    while guard != earlier {
        let (rest, entry) = match terms.node(guard) {
            Node::And(x, y) if is_symbol(y) => (x, y),
            Node::And(x, y) if is_symbol(x) => (y, x),
            _ => return None,
        };
        entries.push(entry);
        guard = rest;
    }
    Some(entries)
}

/// The parts of a thread, in a form that is equal for isomorphic threads.
#[derive(PartialEq, Eq, Debug, Default)]
struct Shape {
    numbers: Vec<u64>,
    terms: Vec<Term>,
    whats: Vec<What>,
    racy: Vec<Option<Racy>>,
    /// In the order of the terms.
    constraints: Vec<Term>,
}

impl Shape {
    /// Adds an access. The value at the word of a lock is left out: other threads see only that the operation
    /// happens.
    fn add_access(&mut self, bounded: &Bounded, access: AccessId, is_lock: bool) {
        let access = &bounded.accesses[access];
        let lock = match access.lock {
            None => 0,
            Some(LockUse::Acquire) => 1,
            Some(LockUse::Try(_)) => 2,
            Some(LockUse::Release) => 3,
        };
        let (way, value) = match access.way {
            Way::Read(symbol) => (0, symbol),
            Way::Write(value) => (1, value),
        };
        let index = bounded.nodes[access.node].index.into();
        self.numbers.extend([index, access.area as u64, lock, access.bytes.into(), way]);
        self.numbers
            .extend(access.objects.iter().flat_map(|list| list.iter()).map(|object| u64::from(object.0)));
        self.terms.extend([access.guard, access.pointer]);
        self.terms.extend((!is_lock).then_some(value));
        let log = LogRef { thread: ThreadIx(0), index: 0 };
        self.racy.push(access.racy.map(|racy| Racy { log, ..racy }));
    }

    fn add_wait(&mut self, bounded: &Bounded, wait: &Wait) {
        let own = wait.before.filter(|before| bounded.nodes[*before].thread == wait.thread);
        self.numbers.push(own.map_or(u64::MAX, |before| bounded.nodes[before].index.into()));
        self.terms.push(wait.reached);
        for refusal in &wait.refusals {
            self.terms.push(refusal.guard);
            match &refusal.by {
                Obstacle::Condition => self.numbers.push(0),
                Obstacle::Spins => self.numbers.push(3),
                Obstacle::Join { handle } => {
                    self.numbers.push(1);
                    self.terms.push(*handle);
                }
                Obstacle::Lock { holders } => {
                    self.numbers.push(2);
                    self.terms.extend(holders.iter().flat_map(|(there, number)| [*there, *number]));
                }
            }
        }
    }

    fn rename(&mut self, terms: &mut Terms, mut renaming: Substitution) {
        let all = self.terms.iter_mut().chain(&mut self.constraints);
        all.for_each(|term| *term = renaming.apply(terms, *term));
        self.constraints.sort();
        self.constraints.dedup();
    }
}
