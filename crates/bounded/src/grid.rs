//! What values reads can give, so that data needs no more bits than it takes.
//!
//! The threads of a bounded program are chains of nodes; how far each has come is a point of a grid, and an
//! execution is a path through it. Going through the grid in order, each cell has at each point an interval that
//! holds its value on every path there: that of the points before, with what the last node wrote. A read gives
//! one of the values that its cell has at the points where it may happen. With two threads this knows that `i += j`
//! beside `j += i` makes Fibonacci numbers, where a look at the writes alone makes powers of two.
//!
//! What a thread does inside a section of a lock is one step, as far as it touches cells that the others touch under
//! the lock, or certainly before or after: they cannot tell when it is done. (This is the idea of mutually atomic
//! transactions, Ganai and Kundu 2009, section 3: what nobody can see in the middle needs no middle.)
//!
//! A thread may stop for good, before a lock for example: then it stays where it is. So a write without which
//! nothing of its thread follows has been made by whoever has come further.
//!
//! Points that cannot be reached are left out: a thread that has not been started has not moved, and whoever has
//! certainly joined a thread finds it at its end. Cells that are accessed through open pointers or in parts are not
//! followed, nor are programs whose grid is too large.

use crate::before::Before;
use crate::cells::{Cell, Group, Spot};
use crate::guards::implies;
use crate::locks::Locks;
use crate::values::Values;
use crate::{Bounded, Join, NodeId, ThreadIx, Way};
use braid_base::faults::{Fault, active};
use braid_base::{HashMap, HashSet, Idx};
use braid_logic::narrow::Narrower;
use braid_logic::ranges::{Range, Ranges};
use braid_logic::{Node, Term, Terms};

/// Points times cells that are followed at most.
const LARGEST: usize = 1 << 16;
/// Accesses that are followed, at most.
const MOST: usize = 2048;
/// Guards of side branches that are compared, at most.
const ASIDE: usize = 64;
/// Terms that are looked at, at most.
const WORK: usize = 1 << 22;

/// What is known of reads, by the grid and otherwise, to be asserted as it is; and what rewrites terms with it, unless
/// the grid has found nothing. `held` is what each group holds before all threads, for those that are followed.
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
    // Of a read that is never executed, the two may say different things.
    for (symbol, range) in found.iter().filter(|(symbol, range)| values.agrees(*symbol, *range)) {
        ranges.assume(terms, *symbol, range.sayable());
        facts.extend(range.facts(terms, *symbol));
    }
    (facts, (!found.is_empty()).then(|| Narrower::new(ranges)))
}

/// The values that reads can give, by symbol; nothing if the grid is too large.
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

/// An access that is followed.
#[derive(Clone, Debug)]
enum Step {
    Read {
        cell: usize,
        read: usize,
    },
    /// The value depends on these reads.
    Write {
        cell: usize,
        value: Term,
        certain: bool,
        reads: Vec<usize>,
    },
}

/// A read: its symbol, and what it gave by how far the others had come by then.
#[derive(Debug)]
struct Read {
    symbol: Term,
    thread: usize,
    given: HashMap<usize, Range>,
    all: Option<Range>,
}

/// A thread is in this position, or a later one, only if another one is in that, or a later one.
#[derive(Clone, Copy, Debug)]
struct Rule {
    thread: usize,
    position: usize,
    other: usize,
    least: usize,
}

struct Grid {
    /// By thread and position: the nodes at which something is followed.
    steps: Vec<Vec<Vec<Step>>>,
    /// By how much points differ from one position of a thread to the next.
    strides: Vec<usize>,
    points: usize,
    rules: Vec<Rule>,
    first: Vec<Range>,
    reads: Vec<Read>,
}

/// The accesses to cells that are followed, and where they fall into steps.
struct Transactions<'a> {
    bounded: &'a Bounded,
    locks: &'a Locks,
    /// For each cell, its accesses.
    cells: Vec<Vec<usize>>,
    /// For each thread.
    of: Vec<Vec<Transaction>>,
}

/// What a thread does in one step.
#[derive(Clone, Debug)]
struct Transaction {
    /// Positions in the thread of its first and last node.
    first: u32,
    last: u32,
    /// Access and cell, in order.
    accesses: Vec<(usize, usize)>,
}

impl<'a> Transactions<'a> {
    /// `None` if there are too many.
    fn new(
        terms: &mut Terms,
        bounded: &'a Bounded,
        cells: Vec<Vec<usize>>,
        locks: &'a Locks,
    ) -> Option<Transactions<'a>> {
        let each =
            cells.iter().enumerate().flat_map(|(cell, list)| list.iter().map(move |access| (*access, cell)));
        let mut accesses: Vec<(usize, usize)> = each.collect();
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

    /// Makes one step of those that nobody can tell apart.
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

    fn are_one(&self, terms: &mut Terms, thread: usize, one: &Transaction, next: &Transaction) -> bool {
        let own = || one.accesses.iter().chain(&next.accesses);
        let accesses: Vec<usize> = own().map(|(access, _)| *access).collect();
        let Some(section) = self.locks.section_of(&accesses) else { return false };
        let nodes = &self.bounded.threads.iter().nth(thread).expect("a thread").nodes;
        let between = &nodes[one.first as usize..=next.last as usize];
        let waits = |node: &NodeId| {
            let is_here = |join: &Join| join.node == *node;
            self.bounded.nodes[*node].spawns.is_some() || self.bounded.joins.iter().any(is_here)
        };
        if between.iter().any(waits) {
            return false;
        }
        let (first, last) = (nodes[one.first as usize], nodes[next.last as usize]);
        let acquired = self.locks.acquire_of(section).guard;
        let before = Before::new(self.bounded);
        let is_apart = |terms: &mut Terms, access: usize| {
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
        let all = active(Fault::SectionsInOneStep);
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

    /// The reads by their symbols; `None` if two have the same.
    fn find_reads(&mut self, bounded: &Bounded, transactions: &Transactions) -> Option<HashMap<Term, usize>> {
        let mut read_of: HashMap<Term, usize> = HashMap::default();
        let mut accesses: Vec<usize> = transactions.cells.iter().flatten().copied().collect();
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

    /// What happens in each step; how many terms are looked at when each thread takes one.
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
                        Way::Read(symbol) => Step::Read { cell, read: read_of[&symbol] },
                        Way::Write(value) => {
                            let below = terms.post_order(&[value]);
                            work += below.len();
                            let reads = below.iter().filter_map(|term| read_of.get(term).copied()).collect();
                            let certain = needed.contains(&Action::Access(*index))
                                || is_given(terms, access.guard, &given);
                            Step::Write { cell, value, certain, reads }
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

    /// What starts and joins say about the points.
    fn order(&mut self, bounded: &Bounded, ends: &[Vec<u32>], needed: &[HashSet<Action>]) {
        for (id, thread) in bounded.threads.enumerated() {
            if let Some(parent) = thread.parent {
                let start = &bounded.nodes[parent];
                let other = start.thread.index();
                let least = ends[other].iter().filter(|end| **end <= start.index).count();
                // What happens at the node of the start itself may follow it.
                let least = least - usize::from(least > 0 && ends[other][least - 1] == start.index);
                self.rules.push(Rule { thread: id.index(), position: 1, other, least });
            }
        }
        for (index, join) in bounded.joins.iter().enumerate() {
            let Some(joined) = join.thread else { continue };
            let node = &bounded.nodes[join.node];
            let own = node.thread.index();
            // Where the join is not made, nothing of this thread follows, and nobody waits for it: what is left of it
            // can come last. Nodes that are not executed keep their place, before the threads they would start.
            let depend = needed[own].contains(&Action::Join(index)) || active(Fault::JoinThoughtMade);
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

    fn is_possible(&self, at: &[usize]) -> bool {
        let least =
            |rule: &Rule| rule.least + usize::from(active(Fault::StartsTooLate) && rule.position == 1);
        self.rules.iter().all(|rule| at[rule.thread] < rule.position || at[rule.other] >= least(rule))
    }

    /// What a thread makes of the cells with its next step; without cells it is not taken here, and reads only
    /// remember what they gave when the others were not as far.
    fn step(
        &mut self,
        terms: &mut Terms,
        point: usize,
        at: &[usize],
        thread: usize,
        mut cells: Option<Vec<Range>>,
    ) -> Option<Vec<Range>> {
        let steps = std::mem::take(&mut self.steps[thread][at[thread]]);
        // What was read in this step; the others have not moved since.
        let mut read_now: HashMap<usize, Range> = HashMap::default();
        for step in &steps {
            match step {
                Step::Read { cell, read } => {
                    let now = cells.as_ref().map(|cells| cells[*cell]);
                    self.give(*read, point, at, now);
                    read_now.extend(now.map(|now| (*read, now)));
                }
                Step::Write { cell, value, certain, reads } => {
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
                    let certain = *certain || active(Fault::GuardedWriteReplaces);
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
        let earlier = earlier.filter(|_| !active(Fault::EarlierValuesForgotten));
        let given = earlier.copied().chain(now).reduce(Range::join);
        let read = &mut self.reads[read];
        if let Some(given) = given {
            read.given.insert(others, given);
        }
        read.all = read.all.into_iter().chain(now).reduce(Range::join);
    }
}

/// Something that a thread does under a condition, in the order of this list at a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Action {
    Node,
    Access(usize),
    Join(usize),
}

/// What a thread does without which nothing that follows in it is executed, its end included.
fn needed(terms: &mut Terms, bounded: &Bounded, thread: ThreadIx) -> HashSet<Action> {
    let own = |node: NodeId| bounded.nodes[node].thread == thread;
    let mut actions: Vec<(NodeId, Action, Term)> = Vec::new();
    let nodes = bounded.threads[thread].nodes.iter();
    actions.extend(nodes.map(|node| (*node, Action::Node, bounded.nodes[*node].executed)));
    let accesses = bounded.accesses.iter().enumerate().filter(|(_, access)| own(access.node));
    actions.extend(accesses.map(|(index, access)| (access.node, Action::Access(index), access.guard)));
    let joins = bounded.joins.iter().enumerate().filter(|(_, join)| own(join.node));
    actions.extend(joins.map(|(index, join)| (join.node, Action::Join(index), join.guard)));
    actions.sort();
    let mut found = HashSet::default();
    // All that follows implies this, or is in the list.
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

/// Whether a guard holds in every execution that meets the constraints.
fn is_given(terms: &Terms, guard: Term, given: &HashSet<Term>) -> bool {
    if terms.is_true(guard) || given.contains(&guard) {
        return true;
    }
    match terms.node(guard) {
        Node::And(a, b) => is_given(terms, a, given) && is_given(terms, b, given),
        _ => false,
    }
}

/// Whether all accesses of a group are to one fixed place, and whole.
pub fn is_whole(bounded: &Bounded, group: &Group) -> bool {
    group.cells.iter().all(|cell| {
        matches!(cell.spot, Spot::Fixed { .. })
            && cell.start == 0
            && cell.bytes == bounded.accesses[cell.access].bytes
    })
}
