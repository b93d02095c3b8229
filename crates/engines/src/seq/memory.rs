//! Shared memory as a value at each moment of the schedule.
//!
//! The threads are executed one after the other, round by round, so the contents of a location at any moment are a
//! term: what was there before, changed by the writes of the segments since (Inverso et al., CAV 2014, sections 3 and 4: the
//! lazy sequentialisation never guesses the contents of memory, because each segment begins with the contents that the
//! segment before it has left). A read is not a choice of a write; it equals the term of its location at its moment.
//! The code of a thread is not copied: its terms are those of the bounded program, and a round only says which of
//! its accesses happen. So a round costs one if-then-else per write and one equation per read.
//!
//! A *location* is an address that is read: a cell at a fixed place, or the place that a pointer term denotes. A write
//! changes every location of its group that it may alias with, under the condition that the addresses are equal.
//!
//! * *Claim.* In a model, every read that is executed within the encoded rounds gives the value of the last write
//!   executed before it at its address, or the initial contents.
//! * *Relies on.* [`Schedule`]; accesses of one thread are in program order in the list of its group.
//! * *Proof.* By induction over the turns: `contents` is the value of the location before the turn. Within a turn the
//!   accesses of the thread follow in program order, and those that are not within the round are skipped.
//! * *Fault.* `seq-writes-forgotten` starts each round with the initial contents; `seq mutex_counter.c` notices.

use super::schedule::Schedule;
use braid_base::faults::active;
use braid_base::{HashMap, HashSet, IndexVec};
use braid_bounded::cells::{self, Cell, Group};
use braid_bounded::guards::implies;
use braid_bounded::{AccessId, Area, Bounded, Interrupted, NodeId, ThreadIx, Way, initial};
use braid_logic::narrow::Narrower;
use braid_logic::{Sort, Term, Terms};

/// An address that is read, and its contents.
struct Location {
    /// A cell at the address.
    cell: Cell,
    /// The contents before the next turn.
    contents: Term,
    /// The number of the write that the contents are from, if that is asked about; zero for the initial contents.
    source: Option<Term>,
    /// By thread: the reads at this address and the writes that may change it, in program order.
    steps: IndexVec<ThreadIx, Vec<Step>>,
    /// Reads at the probe.
    probes: Vec<Cell>,
}

#[derive(Clone)]
enum Step {
    Read(Cell),
    /// A write, the condition that it changes the location, and its number.
    Write(Cell, Term, u32),
}

/// The contents of all locations, as far as rounds are encoded.
pub struct SharedMemory {
    locations: Vec<(Area, Location)>,
    /// The number of cells.
    pub cells: usize,
    /// A read of initial contents that are not known exactly.
    pub approximate: Option<AccessId>,
    /// Bools: the values of reads that do not depend on the schedule.
    pub settled: Vec<Term>,
    narrower: Narrower,
}

impl SharedMemory {
    /// The memory before the first round. With `sources`, the source of each read is known to the formula.
    pub fn new(
        terms: &mut Terms,
        bounded: &Bounded,
        schedule: &Schedule,
        groups: &[Group],
        narrower: Narrower,
        sources: bool,
        interrupt: &dyn Fn() -> bool,
    ) -> Result<SharedMemory, Interrupted> {
        let mut memory = SharedMemory {
            locations: Vec::new(),
            cells: groups.iter().map(|group| group.cells.len()).sum(),
            approximate: None,
            settled: Vec::new(),
            narrower,
        };
        for group in groups {
            let sources = sources && group.area == Area::Memory;
            memory.add_group(terms, bounded, schedule, group, sources, interrupt)?;
        }
        Ok(memory)
    }

    /// Finds the locations of a group.
    fn add_group(
        &mut self,
        terms: &mut Terms,
        bounded: &Bounded,
        schedule: &Schedule,
        group: &Group,
        sources: bool,
        interrupt: &dyn Fn() -> bool,
    ) -> Result<(), Interrupted> {
        let mut known: HashMap<(Term, u32), usize> = HashMap::default();
        let first = self.locations.len();
        let mut settled: HashSet<(AccessId, u32)> = HashSet::default();
        for (at, cell) in group.cells.iter().enumerate().filter(|(_, cell)| is_read(bounded, cell)) {
            if interrupt() {
                return Err(Interrupted);
            }
            if !sources && let Some(value) = known_value(terms, bounded, schedule, group, at) {
                let guard = bounded.accesses[cell.access].guard;
                let own = cells::value(terms, bounded, cell);
                let equal = terms.eq(own, value);
                let equal = self.narrower.narrow(terms, equal);
                self.settled.push(terms.implies(guard, equal));
                settled.insert((cell.access, cell.start));
                continue;
            }
            let key = (cells::address(terms, bounded, group.area, &cell.spot), cell.bytes);
            known.entry(key).or_insert_with(|| {
                let steps = bounded.threads.iter().map(|_| Vec::new()).collect();
                let symbols = terms.symbols().len();
                let contents = initial::held_at(terms, bounded, group.area, cell);
                if self.approximate.is_none() && initial::is_approximated(terms, symbols) {
                    self.approximate = Some(cell.access);
                }
                let source = sources.then(|| terms.bits(SOURCE, 0));
                let location = Location { cell: cell.clone(), contents, source, steps, probes: Vec::new() };
                self.locations.push((group.area, location));
                self.locations.len() - 1
            });
        }
        let mut number = 0;
        for cell in &group.cells {
            if interrupt() {
                return Err(Interrupted);
            }
            let thread = bounded.nodes[bounded.accesses[cell.access].node].thread;
            if settled.contains(&(cell.access, cell.start)) {
                continue;
            }
            if is_read(bounded, cell) {
                let key = (cells::address(terms, bounded, group.area, &cell.spot), cell.bytes);
                let (_, location) = &mut self.locations[known[&key]];
                match bounded.is_probe(thread) {
                    true => location.probes.push(cell.clone()),
                    false => location.steps[thread].push(Step::Read(cell.clone())),
                }
                continue;
            }
            number += 1;
            for (area, location) in &mut self.locations[first..] {
                let same = cells::same(terms, bounded, *area, &location.cell, cell);
                let same = self.narrower.narrow(terms, same);
                let guard = bounded.accesses[cell.access].guard;
                let changes = terms.and(guard, same);
                if !terms.is_false(changes) {
                    location.steps[thread].push(Step::Write(cell.clone(), changes, number));
                }
            }
        }
        Ok(())
    }

    /// Encodes the last round of the schedule.
    pub fn add_round(
        &mut self,
        terms: &mut Terms,
        bounded: &Bounded,
        schedule: &Schedule,
        constraints: &mut Vec<Term>,
        interrupt: &dyn Fn() -> bool,
    ) -> Result<(), Interrupted> {
        let round = schedule.rounds;
        let mut within: HashMap<NodeId, Term> = HashMap::default();
        for (area, location) in &mut self.locations {
            if interrupt() {
                return Err(Interrupted);
            }
            if active("seq-writes-forgotten") {
                location.contents = initial::held_at(terms, bounded, *area, &location.cell);
            }
            for thread in &schedule.order {
                for step in &location.steps[*thread] {
                    let (Step::Read(cell) | Step::Write(cell, ..)) = step;
                    let node = bounded.accesses[cell.access].node;
                    let now =
                        *within.entry(node).or_insert_with(|| schedule.within(terms, bounded, node, round));
                    if terms.is_false(now) {
                        continue;
                    }
                    match step {
                        Step::Read(cell) => {
                            let executed = terms.and(now, bounded.accesses[cell.access].guard);
                            let own = cells::value(terms, bounded, cell);
                            let equal = terms.eq(own, location.contents);
                            let equal = self.narrower.narrow(terms, equal);
                            constraints.push(terms.implies(executed, equal));
                            if let Some(source) = location.source {
                                let number = number_of(terms, cell);
                                let equal = terms.eq(number, source);
                                constraints.push(terms.implies(executed, equal));
                            }
                        }
                        Step::Write(cell, changes, number) => {
                            let changes = terms.and(now, *changes);
                            let written = cells::value(terms, bounded, cell);
                            location.contents = terms.ite(changes, written, location.contents);
                            if let Some(source) = &mut location.source {
                                let number = terms.bits(SOURCE, u128::from(*number));
                                *source = terms.ite(changes, number, *source);
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The reads at the probe: they see the contents after the rounds that are encoded, if the term holds.
    pub fn probe(&self, terms: &mut Terms, bounded: &Bounded, here: Term, constraints: &mut Vec<Term>) {
        for (_, location) in &self.locations {
            for cell in &location.probes {
                let executed = terms.and(here, bounded.accesses[cell.access].guard);
                let own = cells::value(terms, bounded, cell);
                let equal = terms.eq(own, location.contents);
                constraints.push(terms.implies(executed, equal));
            }
        }
    }

    /// For each read whose source is asked about: the read, and the writes that may be its source, by number.
    pub fn sources(&self) -> impl Iterator<Item = (&Cell, Vec<(u32, &Cell)>)> {
        self.locations.iter().filter(|(_, location)| location.source.is_some()).flat_map(|(_, location)| {
            let steps = || location.steps.iter().flatten();
            let mut writes: Vec<(u32, &Cell)> = steps()
                .filter_map(|step| match step {
                    Step::Write(cell, _, number) => Some((*number, cell)),
                    Step::Read(_) => None,
                })
                .collect();
            writes.sort_unstable_by_key(|(number, _)| *number);
            steps().filter_map(move |step| match step {
                Step::Read(cell) => Some((cell, writes.clone())),
                Step::Write(..) => None,
            })
        })
    }
}

/// The value of a read that follows from its own block: that of the last access to the same cell that is certainly
/// executed before it, or of a write since. Nobody else writes in between, because a block is never interrupted.
fn known_value(
    terms: &mut Terms,
    bounded: &Bounded,
    schedule: &Schedule,
    group: &Group,
    at: usize,
) -> Option<Term> {
    let read = &group.cells[at];
    let access = &bounded.accesses[read.access];
    let block = schedule.block(access.node)?;
    let mut since: Vec<&Cell> = Vec::new();
    // The accesses of each thread are in program order in this list.
    for cell in group.cells[..at].iter().rev() {
        let other = &bounded.accesses[cell.access];
        if bounded.nodes[other.node].thread != bounded.nodes[access.node].thread {
            continue;
        }
        if schedule.block(other.node) != Some(block) {
            return None;
        }
        if !cells::may_be_same(cell, read) {
            continue;
        }
        if cells::is_same(cell, read) && implies(terms, access.guard, other.guard) {
            let mut found = cells::value(terms, bounded, cell);
            for write in since.into_iter().rev() {
                let same = cells::same(terms, bounded, group.area, write, read);
                let made = terms.and(bounded.accesses[write.access].guard, same);
                let written = cells::value(terms, bounded, write);
                found = terms.ite(made, written, found);
            }
            return Some(found);
        }
        if !is_read(bounded, cell) {
            since.push(cell);
        }
        if since.len() > BETWEEN {
            return None;
        }
    }
    None
}

/// The largest number of writes between a read and the access that its value follows from.
const BETWEEN: usize = 8;
/// The width of numbers of writes.
pub const SOURCE: u32 = 16;

/// The symbol for the number of the write that a read takes its value from.
pub fn number_of(terms: &mut Terms, read: &Cell) -> Term {
    terms.symbol(&format!("src{}.{}", read.access.0, read.start), Sort::bits(SOURCE))
}

fn is_read(bounded: &Bounded, cell: &Cell) -> bool {
    matches!(bounded.accesses[cell.access].way, Way::Read(_))
}
