//! Critical sections: locks as ordering primitives and not as memory.
//!
//! CBMC and Deagle encode a lock as a memory cell, with reads-from choices that are quadratic in the operations.
//! Predictive race detection (Huang, Meredith, Roşu, PLDI 2014) orders sections instead: of two sections of one lock,
//! the release of one precedes the acquire of the other. This file finds the locks for which that is exact. Locks
//! that are used otherwise (released by another thread, written by models, two operations at one node) remain memory.
//!
//! * *Claim.* Let all accesses to a group of cells be operations on locks and reads, let the locks be free at first,
//!   and let every release be by the holder. Then the word of a lock at a node is the number of the thread that has
//!   acquired and not released it, or zero; and of two sections of different threads one is released before the other
//!   is acquired.
//! * *Relies on.* [`is_of_locks`]: nothing else writes the words. `sections`: for each release the guards imply, on
//!   every path, that the thread has acquired the lock and not released it since. At most one operation per node.
//! * *Proof.* By induction over the execution. The word changes by an acquire, which finds it zero and writes the
//!   thread's number (or finds the thread's own number), and by a release, which the holder makes and which writes
//!   zero. So a thread that acquires the lock does so when no other thread is between its acquire and its release.
//! * *Fault.* `foreign-give-ignored` accepts every release; `lock_given_by_another.c` notices. `sections-overlap`
//!   drops the mutual exclusion; `lock_covered_read.c` notices.
//!
//! An access is *certainly inside* a section if the acquire is executed whenever the access is, and no release lies
//! in between (the lockset of Eraser, Savage et al., TOCS 1997, per access and guard). Sections remove reads-from
//! candidates as they remove arguments of π functions in concurrent SSA form (Novillo, Unrau, Schaeffer, ICPP 1998):
//! see [`Locks::is_covered`].

use crate::cells::{self, Cell, Group};
use crate::guards::{Prover, implies};
use crate::initial;
use crate::{Access, AccessId, Area, Bounded, LockUse, NodeId, SectionId, ThreadIx, Way};
use braid_base::faults::active;
use braid_base::{HashMap, HashSet, Idx, IndexVec};
use braid_logic::{Term, Terms};

/// An acquire of a lock.
#[derive(Clone, Debug)]
pub struct Acquire {
    pub cell: Cell,
    pub node: NodeId,
    pub thread: ThreadIx,
    /// Bool: the lock is acquired there.
    pub guard: Term,
    /// The pointer to the lock: equal terms are one lock.
    pub pointer: Term,
    /// Bool: the thread holds the lock already.
    pub held: Term,
    /// The releases that may end the section: for each its node, and Bool: it is executed. No access that is certainly
    /// inside the section comes after an executed release.
    pub releases: Vec<(NodeId, Term)>,
}

/// A group of cells that are words of locks and nothing else.
#[derive(Clone, Debug)]
pub struct LockGroup {
    pub acquires: IndexVec<SectionId, Acquire>,
}

/// A section, named by its group of locks and its number there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inside {
    /// The position of the group of cells.
    group: usize,
    section: SectionId,
}

#[derive(Default)]
pub struct Locks {
    /// By group; none for a group that remains memory.
    pub groups: Vec<Option<LockGroup>>,
    /// By access: the sections that it is certainly inside of.
    inside: HashMap<AccessId, Vec<Inside>>,
    /// The accesses to the words of these locks.
    words: HashSet<AccessId>,
}

/// An operation on a lock, in the order of its thread.
struct Operation<'a> {
    cell: &'a Cell,
    node: NodeId,
    pointer: Term,
    /// Bools: the thread comes to the operation; and the operation takes effect.
    reached: Term,
    done: Term,
    /// True for a release, false for an acquire.
    releases: bool,
}

impl Locks {
    /// Finds the sections of the groups of cells that are initially free locks.
    pub fn find(terms: &mut Terms, bounded: &Bounded, groups: &[Group]) -> Locks {
        let mut locks = Locks::default();
        let mut prover = Prover::default();
        for group in groups {
            let are_locks = is_of_locks(bounded, group) && are_free(terms, bounded, group);
            let found = are_locks.then(|| sections(terms, bounded, group, &mut prover)).flatten();
            if found.is_some() {
                locks.words.extend(group.cells.iter().map(|cell| cell.access));
            }
            locks.groups.push(found);
        }
        locks.look_inside(terms, bounded);
        locks
    }

    /// Returns true if the cells of the group are locks that order sections.
    pub fn is_lock(&self, group: usize) -> bool {
        self.groups.get(group).is_some_and(Option::is_some)
    }

    /// Returns true if the access is to the word of such a lock.
    pub fn contains(&self, access: AccessId) -> bool {
        self.words.contains(&access)
    }

    /// Returns true if the thread may hold the lock already when it acquires it with this access.
    pub fn may_hold(&self, terms: &Terms, bounded: &Bounded, access: AccessId) -> bool {
        let node = bounded.accesses[access].node;
        let mut acquires = self.groups.iter().flatten().flat_map(|group| &group.acquires);
        acquires.any(|acquire| acquire.node == node && !terms.is_false(acquire.held))
    }

    /// Finds the sections that each access is certainly inside of.
    fn look_inside(&mut self, terms: &mut Terms, bounded: &Bounded) {
        let mut order: Vec<AccessId> = bounded.accesses.ids().collect();
        order.sort_by_key(|access| place(bounded, bounded.accesses[*access].node));
        for (group, known) in self.groups.iter().enumerate() {
            let Some(known) = known else { continue };
            let mut next = SectionId(0);
            // For each lock the last acquire of this thread so far.
            let mut last: HashMap<Term, SectionId> = HashMap::default();
            let mut thread = None;
            for &access in &order {
                let (guard, node) = (bounded.accesses[access].guard, bounded.accesses[access].node);
                if thread != Some(bounded.nodes[node].thread) {
                    thread = Some(bounded.nodes[node].thread);
                    last.clear();
                }
                while let Some(acquire) = known.acquires.get(next)
                    && place(bounded, acquire.node) <= place(bounded, node)
                {
                    if Some(acquire.thread) == thread {
                        last.insert(acquire.pointer, next);
                    }
                    next.0 += 1;
                }
                let mut list: Vec<SectionId> = last.values().copied().collect();
                list.sort();
                for section in list {
                    if is_inside(terms, &known.acquires[section], node, guard) {
                        self.inside.entry(access).or_default().push(Inside { group, section });
                    }
                }
            }
        }
    }

    /// The acquire that begins a section.
    pub fn acquire_of(&self, Inside { group, section }: Inside) -> &Acquire {
        &self.groups[group].as_ref().expect("sections are of locks").acquires[section]
    }

    /// The sections of one lock in which two accesses of different threads certainly are.
    pub fn mutually_exclusive(&self, a: AccessId, b: AccessId) -> Option<(Inside, Inside)> {
        let (of_a, of_b) = (self.inside.get(&a)?, self.inside.get(&b)?);
        let pairs = of_a.iter().flat_map(|x| of_b.iter().map(move |y| (*x, *y)));
        pairs.into_iter().find(|(x, y)| {
            let (one, other) = (self.acquire_of(*x), self.acquire_of(*y));
            x.group == y.group && one.pointer == other.pointer && one.thread != other.thread
        })
    }

    /// A section that all these accesses are certainly inside of.
    pub fn section_of(&self, accesses: &[AccessId]) -> Option<Inside> {
        let (first, rest) = accesses.split_first()?;
        let list = self.inside.get(first)?;
        list.iter().copied().find(|section| rest.iter().all(|access| self.is_inside(*section, *access)))
    }

    /// Returns true if an access is certainly inside some section of the lock of `section`.
    pub fn is_guarded_by(&self, section: Inside, access: AccessId) -> bool {
        let pointer = self.acquire_of(section).pointer;
        let same =
            |other: &Inside| other.group == section.group && self.acquire_of(*other).pointer == pointer;
        self.inside.get(&access).is_some_and(|list| list.iter().any(same))
    }

    /// Returns true if no access of `others`, which are of other threads, can come between `first` and `second` of
    /// one thread: these two are in one section of a lock, and all others are in sections of that lock.
    pub fn keeps_out(&self, first: AccessId, second: AccessId, others: &[AccessId]) -> bool {
        let Some(list) = self.inside.get(&first) else { return false };
        let guards = |section: Inside| {
            self.is_inside(section, second) && others.iter().all(|other| self.is_guarded_by(section, *other))
        };
        list.iter().any(|section| guards(*section))
    }

    /// Returns true if an access is certainly inside this section.
    fn is_inside(&self, section: Inside, access: AccessId) -> bool {
        self.inside.get(&access).is_some_and(|list| list.contains(&section))
    }

    /// Returns true if `cover` hides `write` from `read`. The write and the read are in sections of one lock, in
    /// different threads; `cover` is a write to their cell that lies
    ///
    /// * after the write in the write's section and is executed whenever the write is: a later section sees `cover`;
    ///   or
    /// * before the read in the read's section and is executed whenever the read is: it overwrites earlier sections.
    ///
    /// The caller establishes "executed whenever" and that the addresses are equal. The fault `covered-by-chance`
    /// drops it; `lock_covered_write.c` notices.
    pub fn is_covered(&self, write: AccessId, read: AccessId, cover: AccessId, bounded: &Bounded) -> bool {
        let Some((of_write, of_read)) = self.mutually_exclusive(write, read) else { return false };
        let follows = |a: AccessId, b: AccessId| a != b && is_before(bounded, a, b);
        (self.is_inside(of_write, cover) && follows(write, cover))
            || (self.is_inside(of_read, cover) && follows(cover, read))
    }
}

/// Returns true if an access precedes another of the same thread.
fn is_before(bounded: &Bounded, a: AccessId, b: AccessId) -> bool {
    let (x, y) = (bounded.accesses[a].node, bounded.accesses[b].node);
    if x == y { a < b } else { bounded.nodes[x].thread == bounded.nodes[y].thread && x < y }
}

/// Thread and position of a node, to sort by program order.
fn place(bounded: &Bounded, node: NodeId) -> (usize, u32) {
    let node = &bounded.nodes[node];
    (node.thread.index(), node.index)
}

/// Returns true if a thread that executes something at the node under the guard is in the section.
fn is_inside(terms: &mut Terms, acquire: &Acquire, node: NodeId, guard: Term) -> bool {
    let mut between = acquire.releases.iter().filter(|(release, _)| *release < node);
    implies(terms, guard, acquire.guard)
        && between.all(|(_, released)| {
            let both = terms.and(guard, *released);
            terms.is_false(both)
        })
}

/// Returns true if the initial contents of all cells are zero.
fn are_free(terms: &mut Terms, bounded: &Bounded, group: &Group) -> bool {
    group.cells.iter().all(|cell| {
        let first = initial::held_at(terms, bounded, group.area, cell);
        terms.as_bits(first) == Some(0)
    })
}

/// Returns true if all accesses to the cells are operations on locks, or reads.
fn is_of_locks(bounded: &Bounded, group: &Group) -> bool {
    let whole = |cell: &Cell, access: &Access| cell.start == 0 && cell.bytes == access.bytes;
    let fits = |cell: &Cell| {
        let access = &bounded.accesses[cell.access];
        whole(cell, access) && (matches!(access.way, Way::Read(_)) || access.lock.is_some())
    };
    group.area == Area::Shadow
        && group.cells.iter().all(fits)
        && group.cells.iter().any(|cell| bounded.accesses[cell.access].lock.is_some())
}

/// The operations of a group, by thread. `None` if two of them are at one node, if another access is at the node of
/// one, or if a release reads the word but never writes it, because the thread certainly does not hold the lock.
fn operations<'a>(terms: &mut Terms, bounded: &Bounded, group: &'a Group) -> Option<Vec<Operation<'a>>> {
    let mut cells: Vec<&Cell> = group.cells.iter().collect();
    cells.sort_by_key(|cell| (place(bounded, bounded.accesses[cell.access].node), cell.access));
    let mut found: Vec<Operation> = Vec::new();
    // The read of the word that precedes the write of the same operation.
    let mut looked: Option<(NodeId, Term)> = None;
    let mut others: HashSet<NodeId> = HashSet::default();
    let mut releasers: Vec<NodeId> = Vec::new();
    for cell in cells {
        let access = &bounded.accesses[cell.access];
        let Some(lock) = access.lock else {
            others.insert(access.node);
            continue;
        };
        if matches!(access.way, Way::Read(_)) {
            looked = Some((access.node, access.guard));
            releasers.extend((lock == LockUse::Release).then_some(access.node));
            continue;
        }
        if found.last().is_some_and(|last| last.node == access.node) {
            return None;
        }
        let reached =
            looked.filter(|(node, _)| *node == access.node).map_or(access.guard, |(_, guard)| guard);
        let done = match lock {
            LockUse::Acquire | LockUse::Release => access.guard,
            LockUse::Try(free) => terms.and(access.guard, free),
        };
        let releases = lock == LockUse::Release;
        found.push(Operation { cell, node: access.node, pointer: access.pointer, reached, done, releases });
    }
    let releases =
        |node: &NodeId| found.iter().any(|operation| operation.node == *node && operation.releases);
    let clear = !found.iter().any(|operation| others.contains(&operation.node));
    (clear && releasers.iter().all(releases)).then_some(found)
}

/// The sections of a group, by thread; `None` if a lock may be released by a thread that does not hold it.
fn sections(terms: &mut Terms, bounded: &Bounded, group: &Group, prover: &mut Prover) -> Option<LockGroup> {
    let operations = operations(terms, bounded, group)?;
    let thread = |operation: &Operation| bounded.nodes[operation.node].thread;
    let mut acquires = Vec::new();
    for list in operations.chunk_by(|a, b| thread(a) == thread(b)) {
        let mut holder = Holder { thread: thread(&list[0]), acquires: Vec::new(), held: Vec::new() };
        for operation in list {
            if operation.releases {
                holder.release(terms, operation, prover)?;
            } else {
                holder.acquire(terms, bounded, group.area, operation, prover);
            }
        }
        acquires.extend(holder.acquires);
    }
    Some(LockGroup { acquires: acquires.into_iter().collect() })
}

/// A thread, with the locks that it holds so far.
struct Holder<'a> {
    thread: ThreadIx,
    acquires: Vec<Acquire>,
    /// For each lock by its pointer: a cell of it, and Bool: the thread holds it.
    held: Vec<(Term, &'a Cell, Term)>,
}

impl<'a> Holder<'a> {
    fn acquire(
        &mut self,
        terms: &mut Terms,
        bounded: &Bounded,
        area: Area,
        operation: &Operation<'a>,
        prover: &mut Prover,
    ) {
        let mut already = Vec::new();
        for (_, cell, holds) in &self.held {
            let same = cells::same(terms, bounded, area, cell, operation.cell);
            already.push(terms.and(same, *holds));
        }
        let already = terms.or_all(already);
        let new = terms.not(already);
        let held = if prover.implies(terms, operation.reached, new) { terms.bool(false) } else { already };
        self.acquires.push(Acquire {
            cell: operation.cell.clone(),
            node: operation.node,
            thread: self.thread,
            guard: operation.done,
            pointer: operation.pointer,
            held,
            releases: Vec::new(),
        });
        match self.held.iter_mut().find(|(pointer, _, _)| *pointer == operation.pointer) {
            Some((_, _, holds)) => *holds = terms.or(*holds, operation.done),
            None => self.held.push((operation.pointer, operation.cell, operation.done)),
        }
    }

    /// Ends sections; `None` unless the thread certainly holds the lock.
    fn release(&mut self, terms: &mut Terms, operation: &Operation, prover: &mut Prover) -> Option<()> {
        let lock = self.held.iter_mut().find(|(pointer, _, _)| *pointer == operation.pointer);
        if let Some((_, _, holds)) = lock {
            if !prover.implies(terms, operation.reached, *holds) && !active("foreign-give-ignored") {
                return None;
            }
            let not = terms.not(operation.done);
            *holds = terms.and(*holds, not);
        } else if !active("foreign-give-ignored") {
            return None;
        }
        for acquire in self.acquires.iter_mut().filter(|acquire| acquire.pointer == operation.pointer) {
            // A release that follows another one needs an acquire in between, which begins another section.
            let known =
                acquire.releases.iter().any(|(_, released)| implies(terms, operation.done, *released));
            let both = terms.and(acquire.guard, operation.done);
            if !known && !terms.is_false(both) {
                acquire.releases.push((operation.node, operation.done));
            }
        }
        Some(())
    }
}
