//! Value ranges of reads, by a flow-insensitive interference analysis.
//!
//! A read gives the value of one of the writes to its cell, or of the initial write. Starting from no values at all,
//! ranges ([`Range`]: intervals and known bits) flow from writes to reads, and through terms from reads to writes,
//! until nothing changes: abstract interpretation with intervals and widening (Cousot, Cousot, POPL 1977), in which
//! every thread sees the writes of all others as interferences (Miné, ESOP 2011). Guards are evaluated under the
//! ranges found so far, so infeasible writes contribute nothing: the optimistic iteration of conditional constant
//! propagation (Wegman, Zadeck, TOPLAS 1991). Intervals and known bits are combined as in Regehr and Duongsaa (LCTES
//! 2006).
//!
//! Order counts only as far as it is fixed: a write that certainly follows the read is not a source, neither is a
//! write that another one certainly overwrites before the read, nor one that its own node overwrites again. Reads
//! through pointers that are not constants are followed like all others; their sources are the writes whose address
//! may be equal *under the ranges found so far*. So the pointers in a linked list turn out to be one of a few
//! addresses, which fixes most of their bits, and paths that only a misuse would take turn out to be infeasible.
//!
//! * *Claim.* In every execution each executed read gives a value in the range found for its symbol; asserting the
//!   ranges removes no execution.
//! * *Relies on.* The transfer functions of [`Ranges`] are sound. An access is executed only where its pointer is
//!   inside one of its objects, with two exceptions: the life of an object is read before the pointer is known to be
//!   valid, and the shadow words of a lock may lie beyond the object. Such a read gives zero here and in the formula
//!   ([`initial::held_at`]). Parts of heap blocks are initialised before publication as [`crate::publication`] says.
//! * *Proof.* By induction over the executed reads in the order of the execution. A source of a read comes earlier,
//!   so the values that its thread had read by then are in their ranges; hence its address and value are in those
//!   computed for the write, and its guard holds under the ranges. The result is a fixpoint: the value of every such
//!   source is in the range of the read. The last round checks this when no term is undetermined any more. Symbols of
//!   reads that are not executed decide nothing, and no range is empty. A read that still has no value in the end (a
//!   write that depends on its own value) counts as arbitrary.
//! * *Fault.* `first-values-ignored` (`values_first_seen.c`), `replaced-by-chance` (`section_replaces_by_chance.c`),
//!   `doubtful-is-never` (`values_guard_in_doubt.c`), `either-way-will-do` (`values_one_way_only.c`).
//!
//! Widening: a range may grow a few times; then only its known bits are kept, then nothing.

mod optimistic;

use crate::cells::{self, Cell, Group, Spot};
use crate::initial;
use crate::publication::Published;
use crate::{Access, AccessId, Area, Bounded, Interrupted, NodeId, ObjectNo, ThreadIx, Way};
use braid_base::faults::active;
use braid_base::{HashMap, HashSet};
use braid_logic::ranges::{Possible, Range, Ranges};
use braid_logic::{Term, Terms};
use braid_symex::Place;
use optimistic::Optimistic;

/// The largest number of pairs of a read and a write that are considered.
const PAIRS: usize = 1 << 18;
/// The number of times that a range may grow before only its known bits are kept.
const GROWS: u32 = 6;
/// The number of times that a range may grow before nothing of it is kept.
const BITS_GROW: u32 = 14;
/// The largest object whose offsets are considered one by one.
const PLACES: u64 = 256;

/// The values that reads can give.
#[derive(Default)]
pub struct Values {
    /// The values by symbol, where they are fewer than all values of the type.
    pub possible: Vec<(Term, Possible)>,
    /// Accesses that never read from the initial write.
    pub replaced: HashSet<AccessId>,
}

impl Values {
    /// Adds the result of a later run. Returns true if something is new. All that is said of one symbol is satisfied
    /// by some value, even if the read is never executed.
    pub fn extend(&mut self, later: Values) -> bool {
        self.replaced.extend(later.replaced);
        let mut known: HashMap<Term, Vec<Possible>> = HashMap::default();
        for (symbol, possible) in &self.possible {
            known.entry(*symbol).or_default().push(possible.clone());
        }
        let before = self.possible.len();
        for (symbol, possible) in later.possible {
            let all = known.entry(symbol).or_default();
            if !all.contains(&possible) {
                all.push(possible.clone());
                if have_common_value(all) {
                    self.possible.push((symbol, possible));
                } else {
                    all.pop();
                }
            }
        }
        self.possible.len() > before
    }

    /// Returns true if a range can be added to what is known of a symbol without contradicting it.
    pub fn agrees(&self, symbol: Term, range: Range) -> bool {
        let known = self.possible.iter().filter(|(known, _)| *known == symbol);
        let all: Vec<Possible> =
            known.map(|(_, possible)| possible.clone()).chain([Possible::of(range)]).collect();
        have_common_value(&all)
    }

    /// An evaluator of terms that assumes the known values of all symbols.
    pub fn ranges(&self, terms: &Terms) -> Ranges {
        let mut ranges = Ranges::new();
        self.possible.iter().for_each(|(symbol, known)| ranges.assume_possible(terms, *symbol, known));
        ranges
    }

    /// Bools that assert the known values of all symbols.
    pub fn facts(&self, terms: &mut Terms) -> Vec<Term> {
        self.possible.iter().flat_map(|(symbol, known)| known.facts(terms, *symbol)).collect()
    }
}

/// Finds the values that reads can give; `published` was found before any rewriting.
pub fn of_reads(
    terms: &mut Terms,
    bounded: &Bounded,
    published: &Published,
    interrupt: &dyn Fn() -> bool,
) -> Result<Values, Interrupted> {
    let groups = cells::divide(terms, bounded);
    let Some(mut flow) = Flow::new(terms, bounded, &groups, published, interrupt)? else {
        return Ok(Values::default());
    };
    flow.run(terms)?;
    if !published.is_empty() && !flow.are_pointers_whole(terms) {
        let without = Published::default();
        return of_reads(terms, bounded, &without, interrupt);
    }
    Ok(flow.values(terms))
}

/// A cell of a read or of a write.
struct Part<'a> {
    area: Area,
    cell: &'a Cell,
    address: Term,
    /// The value written; none for a read.
    written: Option<Term>,
}

/// A cell of a read, and its values so far.
struct Target<'a> {
    part: Part<'a>,
    /// Numbers of the writes that it may read from.
    sources: Vec<usize>,
    /// Writes to the same cell that precede the read; those that are certainly executed overwrite the initial write.
    replacing: Vec<usize>,
    /// True if it may read from the initial write.
    from_first: bool,
    /// True for a pointer, whose values are followed one by one.
    follows_few: bool,
    known: Option<Possible>,
    grown: u32,
}

/// A read: its symbol and its cells, lowest first.
struct Read {
    symbol: Term,
    targets: Vec<usize>,
}

/// The address and the value of a write, once they are determined.
type Written = Option<(Possible, Possible)>;

struct Flow<'a> {
    bounded: &'a Bounded,
    published: &'a Published,
    interrupt: &'a dyn Fn() -> bool,
    writes: Vec<Part<'a>>,
    targets: Vec<Target<'a>>,
    reads: Vec<Read>,
    /// The initial write, by area, object, offset and number of bytes.
    held: HashMap<(Area, ObjectNo, u64, u32), Term>,
}

impl<'a> Flow<'a> {
    /// Sets up the analysis. Returns `None` if there are more than [`PAIRS`] pairs of a read and a write.
    fn new(
        terms: &mut Terms,
        bounded: &'a Bounded,
        groups: &'a [Group],
        published: &'a Published,
        interrupt: &'a dyn Fn() -> bool,
    ) -> Result<Option<Flow<'a>>, Interrupted> {
        let held = HashMap::default();
        let (writes, targets, reads) = (Vec::new(), Vec::new(), Vec::new());
        let mut flow = Flow { bounded, published, interrupt, writes, targets, reads, held };
        let mut pairs = 0;
        for group in groups {
            pairs += flow.add_group(terms, group)?;
            if pairs > PAIRS {
                return Ok(None);
            }
        }
        flow.find_reads();
        Ok(Some(flow))
    }

    fn poll(&self) -> Result<(), Interrupted> {
        if (self.interrupt)() { Err(Interrupted) } else { Ok(()) }
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

    /// The reads, with their values so far.
    fn known(&self) -> Vec<(Term, Option<Possible>)> {
        self.reads.iter().map(|read| (read.symbol, self.possible_of(read))).collect()
    }

    /// Adds the cells of a group, and returns the number of pairs considered for them.
    fn add_group(&mut self, terms: &mut Terms, group: &'a Group) -> Result<usize, Interrupted> {
        let first = self.writes.len();
        let (mut reads, mut pairs) = (Vec::new(), 0);
        for cell in &group.cells {
            let address = cells::address(terms, self.bounded, group.area, &cell.spot);
            let mut part = Part { area: group.area, cell, address, written: None };
            match self.bounded.accesses[cell.access].way {
                Way::Read(_) => reads.push(part),
                Way::Write(value) => {
                    let low = 8 * cell.start;
                    part.written = Some(terms.extract(value, low + 8 * cell.bytes - 1, low));
                    self.writes.push(part);
                }
            }
        }
        let covered: Vec<bool> = (first..self.writes.len()).map(|w| self.is_covered(terms, w)).collect();
        for part in reads {
            self.poll()?;
            pairs += self.writes.len() - first;
            if pairs > PAIRS {
                break;
            }
            let all = || first..self.writes.len();
            let is_source = |w: &usize| {
                self.may_come_from(&part, *w)
                    && (self.node(self.writes[*w].cell) == self.node(part.cell) || !covered[*w - first])
            };
            let sources = all().filter(is_source).collect();
            let replacing = all().filter(|w| self.may_replace(&part, *w)).collect();
            let from_first = true;
            let follows_few = self.bounded.accesses[part.cell.access].reads_pointer();
            let known = None;
            self.targets.push(Target { part, sources, replacing, from_first, follows_few, known, grown: 0 });
        }
        Ok(pairs)
    }

    /// Returns true if a read may read from a write, judging by order and objects.
    fn may_come_from(&self, read: &Part, write: usize) -> bool {
        let write = self.writes[write].cell;
        !cells::is_before(self.bounded, read.cell, write) && cells::may_be_same(read.cell, write)
    }

    /// Returns true if a write precedes the read and must alias it.
    fn may_replace(&self, read: &Part, write: usize) -> bool {
        let write = self.writes[write].cell;
        cells::is_before(self.bounded, write, read.cell) && cells::is_same(read.cell, write)
    }

    /// Returns true if a later write of the same node overwrites this one; the writes of a group are in program
    /// order.
    fn is_covered(&self, terms: &mut Terms, write: usize) -> bool {
        let own = self.writes[write].cell;
        let later = self.writes[write + 1..].iter().take_while(|part| self.node(part.cell) == self.node(own));
        later.into_iter().any(|part| cells::covers(terms, self.bounded, own, part.cell))
    }

    /// Puts the cells of reads together. A read that is not covered whole, or whose symbol occurs twice, is left out.
    fn find_reads(&mut self) {
        let mut by_access: HashMap<AccessId, Vec<usize>> = HashMap::default();
        for (index, target) in self.targets.iter().enumerate() {
            by_access.entry(target.part.cell.access).or_default().push(index);
        }
        let mut names: HashSet<Term> = HashSet::default();
        for (index, access) in self.bounded.accesses.enumerated() {
            let Way::Read(symbol) = access.way else { continue };
            let mut targets = by_access.remove(&index).unwrap_or_default();
            targets.sort_by_key(|target| self.targets[*target].part.cell.start);
            let mut end = 0;
            let fits = targets.iter().all(|target| {
                let cell = self.targets[*target].part.cell;
                std::mem::replace(&mut end, cell.start + cell.bytes) == cell.start
            });
            if names.insert(symbol) && fits && end == access.bytes {
                self.reads.push(Read { symbol, targets });
            } else {
                self.reads.retain(|read| read.symbol != symbol);
            }
        }
    }

    fn run(&mut self, terms: &mut Terms) -> Result<(), Interrupted> {
        loop {
            let grown = self.round(terms)?;
            if !grown && !self.fill(terms) {
                return Ok(());
            }
        }
    }

    /// The result of the fixpoint iteration.
    fn values(&mut self, terms: &mut Terms) -> Values {
        let known = |read: &Read| Some((read.symbol, self.possible_of(read)?));
        let possible = self.reads.iter().filter_map(known).filter(|(_, p)| p.is_partial()).collect();
        let mut now = Optimistic::new(terms, &self.known());
        let mut replaced = HashSet::default();
        for at in 0..self.reads.len() {
            let targets = self.reads[at].targets.clone();
            if !targets.iter().any(|target| self.may_find_first(terms, *target, &mut now)) {
                replaced.extend(targets.first().map(|target| self.targets[*target].part.cell.access));
            }
        }
        Values { possible, replaced }
    }

    fn may_find_first(&mut self, terms: &mut Terms, target: usize, now: &mut Optimistic) -> bool {
        let address = now.possible(terms, self.targets[target].part.address);
        self.targets[target].from_first
            && address.is_none_or(|address| self.first(terms, target, &address, now).is_some())
    }

    /// Returns true if all accesses go through pointers, and every value that is read as a pointer was written as
    /// one, in one piece, or was one in the initial contents. [`crate::publication`] relies on it.
    fn are_pointers_whole(&mut self, terms: &mut Terms) -> bool {
        let followed: HashSet<Term> = self.reads.iter().map(|read| read.symbol).collect();
        let is_followed = |access: &Access| match access.way {
            Way::Read(symbol) => !access.reads_pointer() || followed.contains(&symbol),
            Way::Write(_) => true,
        };
        if !self.bounded.accesses.iter().all(is_followed) {
            return false;
        }
        let mut now = Optimistic::new(terms, &self.known());
        let idle: HashSet<AccessId> = self
            .bounded
            .accesses
            .ids()
            .filter(|access| now.never_holds(terms, self.bounded.accesses[*access].guard))
            .collect();
        let addresses: Vec<Option<Possible>> =
            self.writes.iter().map(|write| now.possible(terms, write.address)).collect();
        let pointers: Vec<usize> = (0..self.targets.len())
            .filter(|target| self.targets[*target].follows_few)
            .filter(|target| !idle.contains(&self.targets[*target].part.cell.access))
            .collect();
        if !pointers.iter().all(|target| self.is_first_older(terms, *target, &mut now)) {
            return false;
        }
        let places: Vec<Option<Possible>> =
            pointers.iter().map(|target| now.possible(terms, self.targets[*target].part.address)).collect();
        let mut sorts = self.published.pointers(self.bounded.layout, &mut now.ranges);
        for (target, place) in pointers.into_iter().zip(places) {
            let Target { part, sources, .. } = &self.targets[target];
            let bytes = self.bounded.accesses[part.cell.access].bytes;
            let apart = |write: &usize| {
                place.as_ref().zip(addresses[*write].as_ref()).is_some_and(|(a, b)| !a.may_equal(b))
            };
            let mut is_whole = |write: &Cell| {
                write.start == part.cell.start
                    && self.bounded.accesses[write.access].bytes == bytes
                    && sorts.writes_one(terms, write.access)
            };
            let mut made = sources.iter().filter(|write| !idle.contains(&self.writes[**write].cell.access));
            if !made.all(|write| apart(write) || is_whole(self.writes[*write].cell)) {
                return false;
            }
        }
        let mut touches = self
            .bounded
            .accesses
            .ids()
            .filter(|at| self.bounded.accesses[*at].area != Area::Life && !idle.contains(at));
        touches.all(|access| sorts.goes_through_one(terms, access))
    }

    /// Returns true if the values that a read of a pointer may find in the initial contents are pointers to none of
    /// the new blocks.
    fn is_first_older(&mut self, terms: &mut Terms, target: usize, now: &mut Optimistic) -> bool {
        if !self.may_find_first(terms, target, now) {
            return true;
        }
        let Part { area, cell, .. } = self.targets[target].part;
        let access = &self.bounded.accesses[cell.access];
        let Some(address) = now.possible(terms, access.pointer) else { return false };
        let objects = match &cell.spot {
            Spot::Fixed { object, .. } => std::rc::Rc::from([*object]),
            Spot::Open { objects, .. } => objects.clone(),
        };
        for object in objects.iter().copied() {
            let Some(places) = self.places(area, object, access.bytes, &address) else { return false };
            for place in places {
                let hidden = self.published.is_initialised(cell.access, object, place, access.bytes);
                let held = initial::held(terms, self.bounded, area, object, Place::At(place), access.bytes);
                if !hidden && !self.published.is_older_pointer(terms, self.bounded, held) {
                    return false;
                }
            }
        }
        true
    }

    /// The values of a read, if all of its cells have some.
    fn possible_of(&self, read: &Read) -> Option<Possible> {
        let mut parts = read.targets.iter().map(|target| self.targets[*target].known.as_ref());
        let first = parts.next()??.clone();
        parts.try_fold(first, |low, high| Some(high?.above(&low)))
    }

    /// Gives arbitrary values to targets that have none: no further round would change them. Reads whose guards never
    /// hold go first, because arbitrary values do no harm there. Returns true if there was such a target.
    fn fill(&mut self, terms: &Terms) -> bool {
        let mut now = Optimistic::new(terms, &self.known());
        let empty: Vec<usize> =
            (0..self.targets.len()).filter(|target| self.targets[*target].known.is_none()).collect();
        let is_idle = |target: &&usize| now.never_holds(terms, self.guard(self.targets[**target].part.cell));
        let idle: Vec<usize> = empty.iter().filter(is_idle).copied().collect();
        let chosen = if idle.is_empty() { &empty } else { &idle };
        for target in chosen {
            let target = &mut self.targets[*target];
            target.known = Some(Possible::of(Range::full(8 * target.part.cell.bytes)));
        }
        !empty.is_empty()
    }

    /// One round over all reads, in the order of their threads. Returns true if a range has grown. Values that a
    /// thread reads from its own writes count at once; those of other threads count as they were before the round.
    fn round(&mut self, terms: &mut Terms) -> Result<bool, Interrupted> {
        let known = self.known();
        let (mut before, mut now) = (Optimistic::new(terms, &known), Optimistic::new(terms, &known));
        let mut written: Vec<Written> = Vec::with_capacity(self.writes.len());
        for write in 0..self.writes.len() {
            self.poll()?;
            written.push(self.written(terms, write, &mut before));
        }
        let mut grown = false;
        for at in 0..self.reads.len() {
            self.poll()?;
            let mut more = false;
            for part in 0..self.reads[at].targets.len() {
                let index = self.reads[at].targets[part];
                let found = self.found(terms, index, &mut now, &mut written);
                more |= found.is_some_and(|found| self.targets[index].grow(found));
            }
            if more {
                let read = &self.reads[at];
                self.possible_of(read).iter().for_each(|known| now.learn(terms, read.symbol, known));
            }
            grown |= more;
        }
        Ok(grown)
    }

    /// The values that a cell of a read finds, as far as its sources are determined.
    fn found(
        &mut self,
        terms: &mut Terms,
        index: usize,
        now: &mut Optimistic,
        written: &mut [Written],
    ) -> Option<Possible> {
        let target = &self.targets[index];
        let guard = self.guard(target.part.cell);
        let address = now.possible(terms, target.part.address)?;
        if !now.may_hold(terms, guard) {
            return None;
        }
        let mut is_made = |write: &&usize| {
            now.implies(terms, guard, self.guard(self.writes[**write].cell)) || active("replaced-by-chance")
        };
        let replacing: Vec<usize> = target.replacing.iter().filter(&mut is_made).copied().collect();
        let own = self.thread(target.part.cell);
        let mut found: Option<Possible> = None;
        for write in &target.sources {
            let is_replaced =
                |by: &usize| cells::is_before(self.bounded, self.writes[*write].cell, self.writes[*by].cell);
            if replacing.iter().any(is_replaced) {
                continue;
            }
            if written[*write].is_none() && self.thread(self.writes[*write].cell) == own {
                written[*write] = self.written(terms, *write, now);
            }
            if let Some((_, value)) = written[*write].as_ref().filter(|(place, _)| place.may_equal(&address))
            {
                let value = target.followed(value);
                found = Some(found.map_or_else(|| value.clone(), |found| found.join(&value)));
            }
        }
        self.targets[index].from_first = replacing.is_empty();
        if replacing.is_empty() && !active("first-values-ignored") {
            let first = self.first(terms, index, &address, now);
            found = joined(found.into_iter().chain(first));
        }
        found
    }

    /// The address and the value of a write, if they are determined.
    fn written(&self, terms: &Terms, write: usize, now: &mut Optimistic) -> Written {
        let Part { cell, address, written, .. } = &self.writes[write];
        let value = written.expect("writes write something");
        let guard = self.guard(cell);
        let doubtful = active("doubtful-is-never") && !now.is_true(terms, guard);
        if doubtful || !now.may_hold(terms, guard) {
            return None;
        }
        now.possible(terms, *address).zip(now.possible(terms, value))
    }

    /// The values of the initial write at the possible addresses.
    fn first(
        &mut self,
        terms: &mut Terms,
        target: usize,
        address: &Possible,
        now: &mut Optimistic,
    ) -> Option<Possible> {
        let Part { area, cell, .. } = self.targets[target].part;
        let (objects, bytes) = match &cell.spot {
            Spot::Fixed { object, offset } => {
                let hidden = self.is_initialised(area, cell, *object, *offset);
                return if hidden {
                    None
                } else {
                    self.held(terms, (area, *object, *offset, cell.bytes), now)
                };
            }
            Spot::Open { objects, .. } => (objects.clone(), cell.bytes),
        };
        let zero = terms.bits(8 * bytes, 0);
        let nothing = now.possible(terms, zero);
        let mut found = if area == Area::Memory { None } else { nothing };
        for object in objects.iter().copied() {
            let Some(places) = self.places(area, object, bytes, address) else {
                return Some(Possible::of(Range::full(8 * bytes)));
            };
            for place in places {
                if self.is_initialised(area, cell, object, place) {
                    continue;
                }
                let held = self.held(terms, (area, object, place, bytes), now);
                found = joined(found.into_iter().chain(held));
            }
        }
        found
    }

    /// Returns true if a cell there is certainly written before it is read.
    fn is_initialised(&self, area: Area, cell: &Cell, object: ObjectNo, place: u64) -> bool {
        area == Area::Memory && self.published.is_initialised(cell.access, object, place, cell.bytes)
    }

    /// The offsets in an object at which the address may be; `None` if there are too many.
    fn places(&self, area: Area, object: ObjectNo, bytes: u32, address: &Possible) -> Option<Vec<u64>> {
        let base = self.bounded.layout.base(object);
        let room = self.bounded.objects.get(object).map_or(0, |object| object.room);
        match area {
            Area::Life => Some(address.contains(object.0.into()).then_some(0).into_iter().collect()),
            _ if room > PLACES => None,
            Area::Shadow => Some((0..(room + 1).saturating_sub(bytes.into())).collect()),
            Area::Memory => {
                let all = 0..(room + 1).saturating_sub(bytes.into());
                Some(all.filter(|place| address.contains(base + u128::from(*place))).collect())
            }
        }
    }

    fn held(
        &mut self,
        terms: &mut Terms,
        key: (Area, ObjectNo, u64, u32),
        now: &mut Optimistic,
    ) -> Option<Possible> {
        let (area, object, offset, bytes) = key;
        let make = || initial::held(terms, self.bounded, area, object, Place::At(offset), bytes);
        let term = *self.held.entry(key).or_insert_with(make);
        now.possible(terms, term)
    }
}

impl Target<'_> {
    /// The values of a write, as far as they are followed. Joining them one by one is expensive with very many writes.
    fn followed(&self, value: &Possible) -> Possible {
        if self.follows_few { value.clone() } else { Possible::of(value.range) }
    }

    /// Joins further values. Returns true if there is a new one.
    fn grow(&mut self, mut found: Possible) -> bool {
        if !self.follows_few {
            found.few = None;
        }
        let Some(known) = &self.known else {
            self.known = Some(found);
            return true;
        };
        let joined = known.join(&found);
        if joined == *known {
            return false;
        }
        self.known = Some(if joined.few.is_some() { joined } else { self.widened(joined.range) });
        true
    }

    /// Widens a range that has grown once more.
    fn widened(&mut self, range: Range) -> Possible {
        self.grown += 1;
        Possible::of(match self.grown {
            ..GROWS => range,
            GROWS..BITS_GROW => range.bits_alone(),
            BITS_GROW.. => Range::full(range.width()),
        })
    }
}

/// Returns true if some value is obviously in all of them.
fn have_common_value(all: &[Possible]) -> bool {
    let ends = all.iter().flat_map(|one| [one.range.umin(), one.range.umax()]);
    let few = all.iter().filter_map(|one| one.few.as_ref()).flat_map(|few| few.values().iter().copied());
    ends.chain(few).any(|value| all.iter().all(|one| one.contains(value)))
}

fn joined(all: impl Iterator<Item = Possible>) -> Option<Possible> {
    all.reduce(|a, b| a.join(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contradictory_ranges_are_left_out() {
        let mut terms = Terms::new();
        let symbol = terms.symbol("x", braid_logic::Sort::bits(32));
        let values = |low: u128, high: u128| {
            let possible = vec![(symbol, Possible::of(Range::unsigned(32, low, high)))];
            Values { possible, ..Values::default() }
        };
        let mut known = values(0, 3);
        assert!(!known.extend(values(8, 9)), "no value is both");
        assert!(known.extend(values(2, 5)) && !known.extend(values(2, 5)));
        assert!(
            known.agrees(symbol, Range::unsigned(32, 3, 7))
                && !known.agrees(symbol, Range::unsigned(32, 4, 7))
        );
        assert_eq!(known.possible.len(), 2);
    }
}
