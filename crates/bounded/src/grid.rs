//! Intervals of cells over the progress graph of the threads, so that data needs no more bits than its values take.
//!
//! The positions of all threads of a bounded program form a point of a grid, and an execution is a monotone path
//! through the grid: the progress graph (Coffman, Elphick, Shoshani, Computing Surveys 1971; Carson, Reynolds, TOPLAS
//! 1987). Abstract interpretation with intervals (Cousot, Cousot, POPL 1977) on that graph gives each cell at each
//! point an interval. With two threads this finds that `i += j` beside `j += i` makes Fibonacci numbers, where the
//! flow-insensitive analysis of [`crate::values`] finds powers of two.
//!
//! * *Claim.* At each point, the interval of a cell contains its value in every execution that passes the point; a
//!   read gives a value in the join of the intervals at the points where it may happen.
//! * *Relies on.* The cells are accessed whole, at one fixed place. A write replaces an interval only if its thread
//!   comes further only after making it (`needed`) or its guard is a constraint, because a thread may stop for good
//!   at any place, before a lock for example. Unreachable points are left out by rules: a thread moves only after its
//!   start, and a thread that certainly joined another finds it at its end.
//! * *Proof.* By induction along the path of an execution: the values at a point come from the point before by the
//!   step of one thread, whose transfer function is evaluated on the intervals. The values of earlier reads of that
//!   thread are joined over all points at which the read may have happened: those at which the other threads had come
//!   at most as far.
//! * *Fault.* `guarded-write-replaces` (`narrow_guarded_write.c`), `earlier-values-forgotten`
//!   (`narrow_earlier_value.c`), `starts-too-late` (`narrow_start.c`), `join-thought-made`
//!   (`narrow_join_not_made.c`).
//!
//! *Transactions* make the grid smaller: accesses of a thread inside one section of a lock are one step, if all other
//! accesses to their cells are in sections of that lock, or certainly before or after. No other thread can observe a
//! state in between. Such accesses are a mutually atomic transaction (Ganai, Kundu 2009, sections 2.2 and 3). The fault
//! `sections-in-one-step` drops the condition on other accesses; `narrow_section_seen.c` notices.
//!
//! Cells that are accessed in parts or through pointers that are not constants are not followed, nor are programs
//! whose grid is too large.

use crate::before::Before;
use crate::cells::{Cell, Group, Spot};
use crate::guards::implies;
use crate::locks::Locks;
use crate::values::Values;
use crate::{AccessId, Bounded, Join, NodeId, ThreadIx, Way};
use braid_base::faults::active;
use braid_base::{HashMap, HashSet, Idx};
use braid_logic::narrow::Narrower;
use braid_logic::ranges::{Range, Ranges};
use braid_logic::{Node, Term, Terms};

/// The largest product of points and cells that is followed.
const LARGEST: usize = 1 << 16;
/// The largest number of accesses that are followed.
const MOST: usize = 2048;
/// The largest number of guards of side branches that are compared.
const ASIDE: usize = 64;
/// The largest number of terms that are evaluated.
const WORK: usize = 1 << 22;

/// Combines the facts about reads that the grid and `values` find. Returns them as assertions, and a rewriter that uses
/// them if the grid finds any. `held` has the value of the initial write for each group that can be followed.
pub fn narrower(
    terms: &mut Terms,
    bounded: &Bounded,
    groups: &[Group],
    held: &[Option<Term>],
    locks: &Locks,
    values: &Values,
) -> (Vec<Term>, Option<Narrower>) {
    let found = ranges_of_reads(terms, bounded, groups, held, locks);
    let (mut ranges, mut facts) = (values.ranges(terms), values.facts(terms));
    // For a read that is never executed, the two analyses may contradict each other.
    for (symbol, range) in found.iter().filter(|(symbol, range)| values.agrees(*symbol, *range)) {
        ranges.assume(terms, *symbol, range.sayable());
        facts.extend(range.facts(terms, *symbol));
    }
    (facts, (!found.is_empty()).then(|| Narrower::new(ranges)))
}

/// The intervals of reads, by symbol; empty if the grid is too large.
pub fn ranges_of_reads(
    terms: &mut Terms,
    bounded: &Bounded,
    groups: &[Group],
    held: &[Option<Term>],
    locks: &Locks,
) -> Vec<(Term, Range)> {
    let grid = Grid::new(terms, bounded, groups, held, locks);
    grid.map_or_else(Vec::new, |mut grid| grid.run(terms))
}

/// An access to a cell that is followed.
#[derive(Clone, Debug)]
enum FollowedAccess {
    Read {
        cell: usize,
        read: usize,
    },
    /// A write; its value depends on these reads.
    Write {
        cell: usize,
        value: Term,
        certain: bool,
        reads: Vec<usize>,
    },
}

/// A read: its symbol, and its interval by how far the other threads had come by then.
#[derive(Debug)]
struct Read {
    symbol: Term,
    thread: usize,
    given: HashMap<usize, Range>,
    all: Option<Range>,
}

/// A thread is in this position, or a later one, only if another thread is in position `least`, or a later one.
#[derive(Clone, Copy, Debug)]
struct Rule {
    thread: usize,
    position: usize,
    other: usize,
    least: usize,
}

struct Grid {
    /// By thread and position: the accesses of a transaction.
    steps: Vec<Vec<Vec<FollowedAccess>>>,
    /// By thread: the difference between points that are one position of the thread apart.
    strides: Vec<usize>,
    points: usize,
    rules: Vec<Rule>,
    first: Vec<Range>,
    reads: Vec<Read>,
}

/// The accesses to cells that are followed, divided into transactions.
struct Transactions<'a> {
    bounded: &'a Bounded,
    locks: &'a Locks,
    /// For each cell, its accesses.
    cells: Vec<Vec<AccessId>>,
    /// The transactions of each thread, in program order.
    of: Vec<Vec<Transaction>>,
}

/// The accesses that a thread makes in one step of the grid.
#[derive(Clone, Debug)]
struct Transaction {
    /// Positions in the thread of its first and last node.
    first: u32,
    last: u32,
    /// Access and cell, in order.
    accesses: Vec<(AccessId, usize)>,
}

impl<'a> Transactions<'a> {
    /// Divides the accesses into transactions. Returns `None` if there are too many accesses, or if those of a thread
    /// are not in program order.
    fn new(
        terms: &mut Terms,
        bounded: &'a Bounded,
        cells: Vec<Vec<AccessId>>,
        locks: &'a Locks,
    ) -> Option<Transactions<'a>> {
        let each =
            cells.iter().enumerate().flat_map(|(cell, list)| list.iter().map(move |access| (*access, cell)));
        let mut accesses: Vec<(AccessId, usize)> = each.collect();
        if accesses.len() > MOST {
            return None;
        }
        accesses.sort();
        let of = bounded.threads.iter().map(|_| Vec::new()).collect();
        let mut transactions = Transactions { bounded, locks, cells, of };
        for (access, cell) in accesses {
            let node = &bounded.nodes[bounded.accesses[access].node];
            let (thread, index) = (node.thread.index(), node.index);
            if bounded.is_probe(node.thread) {
                continue;
            }
            match transactions.of[thread].last_mut() {
                Some(last) if last.last == index => last.accesses.push((access, cell)),
                Some(last) if last.last > index => return None,
                Some(_) | None => transactions.of[thread].push(Transaction {
                    first: index,
                    last: index,
                    accesses: vec![(access, cell)],
                }),
            }
        }
        transactions.merge(terms);
        Some(transactions)
    }

    /// Merges neighbouring transactions between which no other thread can observe a state.
    fn merge(&mut self, terms: &mut Terms) {
        for thread in 0..self.of.len() {
            let mut merged: Vec<Transaction> = Vec::new();
            for transaction in std::mem::take(&mut self.of[thread]) {
                match merged.last_mut() {
                    Some(last) if self.are_one(terms, thread, last, &transaction) => {
                        last.last = transaction.last;
                        last.accesses.extend(transaction.accesses);
                    }
                    Some(_) | None => merged.push(transaction),
                }
            }
            self.of[thread] = merged;
        }
    }

    /// Returns true if no other thread can observe a state between two neighbouring transactions: both are in one
    /// section of a lock, no node from the first to the last of them starts or joins a thread, and all accesses of
    /// other threads to their cells are excluded by the lock or by must-happen-before.
    fn are_one(&self, terms: &mut Terms, thread: usize, one: &Transaction, next: &Transaction) -> bool {
        let own = || one.accesses.iter().chain(&next.accesses);
        let accesses: Vec<AccessId> = own().map(|(access, _)| *access).collect();
        let Some(section) = self.locks.section_of(&accesses) else { return false };
        let nodes = &self.bounded.threads.iter().nth(thread).expect("a thread").nodes;
        let between = &nodes[one.first as usize..=next.last as usize];
        let starts_or_joins = |node: &NodeId| {
            let is_here = |join: &Join| join.node == *node;
            self.bounded.nodes[*node].spawns.is_some() || self.bounded.joins.iter().any(is_here)
        };
        if between.iter().any(starts_or_joins) {
            return false;
        }
        let (first, last) = (nodes[one.first as usize], nodes[next.last as usize]);
        let acquired = self.locks.acquire_of(section).guard;
        let before = Before::new(self.bounded);
        let is_apart = |terms: &mut Terms, access: AccessId| {
            let other = &self.bounded.accesses[access];
            self.bounded.nodes[other.node].thread.index() == thread
                || self.bounded.is_probe(self.bounded.nodes[other.node].thread)
                || self.locks.is_guarded_by(section, access)
                || before.given(terms, other.node, first, acquired)
                || before.given(terms, last, other.node, other.guard)
        };
        let mut touched: Vec<usize> = own().map(|(_, cell)| *cell).collect();
        touched.sort();
        touched.dedup();
        let all = active("sections-in-one-step");
        all || touched.iter().flat_map(|cell| &self.cells[*cell]).all(|access| is_apart(terms, *access))
    }
}

impl Grid {
    fn new(
        terms: &mut Terms,
        bounded: &Bounded,
        groups: &[Group],
        held: &[Option<Term>],
        locks: &Locks,
    ) -> Option<Grid> {
        let mut grid = Grid {
            steps: Vec::new(),
            strides: Vec::new(),
            points: 1,
            rules: Vec::new(),
            first: Vec::new(),
            reads: Vec::new(),
        };
        let mut cells = Vec::new();
        for (index, (group, held)) in groups.iter().zip(held).enumerate() {
            let is_read = |cell: &Cell| matches!(bounded.accesses[cell.access].way, Way::Read(_));
            let matters = !locks.is_lock(index) && group.cells.iter().any(is_read);
            let Some(held) = held.filter(|_| matters) else { continue };
            cells.push(group.cells.iter().map(|cell| cell.access).collect());
            grid.first.push(Ranges::ignoring_conditions().range(terms, held));
        }
        let transactions = Transactions::new(terms, bounded, cells, locks)?;
        let read_of = grid.find_reads(bounded, &transactions)?;
        let threads = bounded.threads.ids();
        let needed: Vec<HashSet<Action>> = threads.map(|thread| needed(terms, bounded, thread)).collect();
        let work = grid.find_steps(terms, bounded, &transactions, &read_of, &needed);
        for steps in &grid.steps {
            grid.strides.push(grid.points);
            grid.points = grid.points.checked_mul(steps.len() + 1)?;
        }
        let size = grid.points.checked_mul(grid.first.len())?;
        if size > LARGEST || grid.points.checked_mul(work)? > WORK {
            return None;
        }
        let ends: Vec<Vec<u32>> = transactions
            .of
            .iter()
            .map(|list| list.iter().map(|transaction| transaction.last).collect())
            .collect();
        grid.order(bounded, &ends, &needed);
        Some(grid)
    }

    /// The reads by their symbols; `None` if two have the same symbol.
    fn find_reads(&mut self, bounded: &Bounded, transactions: &Transactions) -> Option<HashMap<Term, usize>> {
        let mut read_of: HashMap<Term, usize> = HashMap::default();
        let mut accesses: Vec<AccessId> = transactions.cells.iter().flatten().copied().collect();
        accesses.sort();
        for access in accesses {
            if let Way::Read(symbol) = bounded.accesses[access].way {
                let thread = bounded.nodes[bounded.accesses[access].node].thread;
                if read_of.insert(symbol, self.reads.len()).is_some() {
                    return None;
                }
                let given = HashMap::default();
                self.reads.push(Read { symbol, thread: thread.index(), given, all: None });
            }
        }
        Some(read_of)
    }

    /// Finds the accesses of each step, and returns how many terms are evaluated when each thread takes one step.
    fn find_steps(
        &mut self,
        terms: &mut Terms,
        bounded: &Bounded,
        transactions: &Transactions,
        read_of: &HashMap<Term, usize>,
        needed: &[HashSet<Action>],
    ) -> usize {
        let given: HashSet<Term> = bounded.constraints.iter().copied().collect();
        let mut all = 0;
        for (list, needed) in transactions.of.iter().zip(needed) {
            let mut most = 0;
            let mut steps = Vec::new();
            for transaction in list {
                let mut work = 0;
                let mut step = Vec::new();
                for (index, cell) in &transaction.accesses {
                    let (access, cell) = (&bounded.accesses[*index], *cell);
                    step.push(match access.way {
                        Way::Read(symbol) => FollowedAccess::Read { cell, read: read_of[&symbol] },
                        Way::Write(value) => {
                            let below = terms.post_order(&[value]);
                            work += below.len();
                            let reads = below.iter().filter_map(|term| read_of.get(term).copied()).collect();
                            let certain = needed.contains(&Action::Access(*index))
                                || is_given(terms, access.guard, &given);
                            FollowedAccess::Write { cell, value, certain, reads }
                        }
                    });
                }
                most = most.max(work);
                steps.push(step);
            }
            all += most;
            self.steps.push(steps);
        }
        all
    }

    /// Adds the rules that thread creation and joins impose on the points.
    fn order(&mut self, bounded: &Bounded, ends: &[Vec<u32>], needed: &[HashSet<Action>]) {
        for (id, thread) in bounded.threads.enumerated() {
            if let Some(parent) = thread.parent {
                let start = &bounded.nodes[parent];
                let other = start.thread.index();
                let least = ends[other].iter().filter(|end| **end <= start.index).count();
                // Accesses at the node of the start itself may follow the start.
                let least = least - usize::from(least > 0 && ends[other][least - 1] == start.index);
                self.rules.push(Rule { thread: id.index(), position: 1, other, least });
            }
        }
        for (index, join) in bounded.joins.iter().enumerate() {
            let Some(joined) = join.thread else { continue };
            let node = &bounded.nodes[join.node];
            let own = node.thread.index();
            // If a needed join is not executed, no later action of its thread is, and no join waits for this thread:
            // its remaining positions can come after the end of the joined thread. Nodes that are not executed keep
            // their place, before the threads that they would start.
            let depend = needed[own].contains(&Action::Join(index)) || active("join-thought-made");
            let position = ends[own].iter().filter(|end| **end <= node.index).count() + 1;
            if depend {
                let (other, least) = (joined.index(), ends[joined.index()].len());
                self.rules.push(Rule { thread: own, position, other, least });
            }
        }
    }

    fn run(&mut self, terms: &mut Terms) -> Vec<(Term, Range)> {
        let threads = self.steps.len();
        let mut cells: Vec<Option<Vec<Range>>> = vec![None; self.points];
        cells[0] = Some(self.first.clone());
        for point in 0..self.points {
            let at: Vec<usize> = (0..threads).map(|thread| self.position(point, thread)).collect();
            let here = cells[point].take();
            for thread in 0..threads {
                if at[thread] == self.steps[thread].len() {
                    continue;
                }
                let mut to = at.clone();
                to[thread] += 1;
                let here = here.clone().filter(|_| self.is_possible(&to));
                let after = self.step(terms, point, &at, thread, here);
                if let Some(after) = after {
                    let next = &mut cells[point + self.strides[thread]];
                    match next {
                        None => *next = Some(after),
                        Some(known) => known.iter_mut().zip(after).for_each(|(a, b)| *a = a.join(b)),
                    }
                }
            }
        }
        let known = |read: &Read| Some((read.symbol, read.all?));
        let narrow = |(symbol, range): &(Term, Range)| {
            let width = terms.width(*symbol);
            range.unsigned_bits() < width || range.signed_bits() < width
        };
        self.reads.iter().filter_map(known).filter(narrow).collect()
    }

    fn position(&self, point: usize, thread: usize) -> usize {
        point / self.strides[thread] % (self.steps[thread].len() + 1)
    }

    /// Returns true if the rules admit the point.
    fn is_possible(&self, at: &[usize]) -> bool {
        let least = |rule: &Rule| rule.least + usize::from(active("starts-too-late") && rule.position == 1);
        self.rules.iter().all(|rule| at[rule.thread] < rule.position || at[rule.other] >= least(rule))
    }

    /// The intervals after the next step of a thread. Without intervals the step is not taken at this point, and
    /// reads only remember the values that they gave when the other threads had not come as far.
    fn step(
        &mut self,
        terms: &mut Terms,
        point: usize,
        at: &[usize],
        thread: usize,
        mut cells: Option<Vec<Range>>,
    ) -> Option<Vec<Range>> {
        let steps = std::mem::take(&mut self.steps[thread][at[thread]]);
        // The values read in this step; the other threads have not moved since.
        let mut read_now: HashMap<usize, Range> = HashMap::default();
        for step in &steps {
            match step {
                FollowedAccess::Read { cell, read } => {
                    let now = cells.as_ref().map(|cells| cells[*cell]);
                    self.give(*read, point, at, now);
                    read_now.extend(now.map(|now| (*read, now)));
                }
                FollowedAccess::Write { cell, value, certain, reads } => {
                    let Some(cells) = &mut cells else { continue };
                    let mut ranges = Ranges::ignoring_conditions();
                    for number in reads {
                        let read = &self.reads[*number];
                        let others = point - at[read.thread] * self.strides[read.thread];
                        if let Some(range) = read_now.get(number).or_else(|| read.given.get(&others)) {
                            ranges.assume(terms, read.symbol, *range);
                        }
                    }
                    let written = ranges.range(terms, *value);
                    let certain = *certain || active("guarded-write-replaces");
                    cells[*cell] = if certain { written } else { cells[*cell].join(written) };
                }
            }
        }
        self.steps[thread][at[thread]] = steps;
        cells
    }

    fn give(&mut self, read: usize, point: usize, at: &[usize], now: Option<Range>) {
        let own = self.reads[read].thread;
        let others = point - at[own] * self.strides[own];
        let earlier = (0..at.len()).filter(|other| *other != own && at[*other] > 0);
        let earlier = earlier.filter_map(|other| self.reads[read].given.get(&(others - self.strides[other])));
        let earlier = earlier.filter(|_| !active("earlier-values-forgotten"));
        let given = earlier.copied().chain(now).reduce(Range::join);
        let read = &mut self.reads[read];
        if let Some(given) = given {
            read.given.insert(others, given);
        }
        read.all = read.all.into_iter().chain(now).reduce(Range::join);
    }
}

/// A guarded action of a thread, in the order of this list at one node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Action {
    Node,
    Access(AccessId),
    Join(usize),
}

/// The actions of a thread without which nothing that follows in it is executed, the thread's end included.
fn needed(terms: &mut Terms, bounded: &Bounded, thread: ThreadIx) -> HashSet<Action> {
    let own = |node: NodeId| bounded.nodes[node].thread == thread;
    let mut actions: Vec<(NodeId, Action, Term)> = Vec::new();
    let nodes = bounded.threads[thread].nodes.iter();
    actions.extend(nodes.map(|node| (*node, Action::Node, bounded.nodes[*node].executed)));
    let accesses = bounded.accesses.enumerated().filter(|(_, access)| own(access.node));
    actions.extend(accesses.map(|(index, access)| (access.node, Action::Access(index), access.guard)));
    let joins = bounded.joins.iter().enumerate().filter(|(_, join)| own(join.node));
    actions.extend(joins.map(|(index, join)| (join.node, Action::Join(index), join.guard)));
    actions.sort();
    let mut found = HashSet::default();
    // Everything that follows implies this guard, or is in `others`.
    let mut implied = bounded.threads[thread].finished;
    let mut others: Vec<Term> = Vec::new();
    for (_, action, guard) in actions.into_iter().rev() {
        if others.len() > ASIDE {
            break;
        }
        if implies(terms, implied, guard) && others.iter().all(|other| implies(terms, *other, guard)) {
            found.insert(action);
            implied = guard;
            others.clear();
        } else {
            others.push(guard);
        }
    }
    found
}

/// Returns true if a guard holds in every execution that satisfies the constraints.
fn is_given(terms: &Terms, guard: Term, given: &HashSet<Term>) -> bool {
    if terms.is_true(guard) || given.contains(&guard) {
        return true;
    }
    match terms.node(guard) {
        Node::And(a, b) => is_given(terms, a, given) && is_given(terms, b, given),
        _ => false,
    }
}

/// Returns true if all accesses of a group are to one fixed place, and whole.
pub fn is_whole(bounded: &Bounded, group: &Group) -> bool {
    group.cells.iter().all(|cell| {
        matches!(cell.spot, Spot::Fixed { .. })
            && cell.start == 0
            && cell.bytes == bounded.accesses[cell.access].bytes
    })
}
