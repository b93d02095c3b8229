//! Cells: shared memory, partitioned so that each access covers whole cells.
//!
//! The idea of cells as (object, offset, size) is that of Miné, *Field-sensitive value analysis of embedded C
//! programs with union types and pointer arithmetics* (LCTES 2006). His cells may overlap; here they form a
//! partition, because reads-from choices need one owner for each byte.
//!
//! Where all accesses to an object have constant offsets, its bytes are cut wherever an access begins or ends: the
//! coarsest partition. An access through a pointer that is not a constant unifies the objects that it may reach into
//! one group (union-find, as in Steensgaard's points-to analysis, POPL 1996); they are cut into cells of one size,
//! which divides every access and every offset there. Such an access is compared by address with the others of its
//! group. It is neither copied for each element nor treated as a write of the whole array.
//!
//! *Fault.* `cells-not-cut` ignores cuts inside of an access, so that a byte of a word is memory of its own
//! (`bytes_of_a_word.c`); `same-address-assumed` takes cells of a group for the same memory without comparing them
//! (`elements_apart.c`); `replaced-by-chance` accepts a later write that may not be executed
//! (`section_replaces_by_chance.c`).

use crate::guards::implies;
use crate::{Access, AccessId, Area, Bounded, ObjectNo, Way};
use braid_base::HashMap;
use braid_base::faults::active;
use braid_logic::ranges::Ranges;
use braid_logic::{Term, Terms};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The place of a cell.
#[derive(Clone, Debug)]
pub enum Spot {
    Fixed {
        object: ObjectNo,
        offset: u64,
    },
    /// The pointer to the cell, or for [`Area::Life`] the number of the object; the cell lies in one of these
    /// objects.
    Open {
        pointer: Term,
        objects: Rc<[ObjectNo]>,
    },
}

/// One cell of an access.
#[derive(Clone, Debug)]
pub struct Cell {
    pub access: AccessId,
    /// Bytes of the access before this cell.
    pub start: u32,
    pub bytes: u32,
    pub spot: Spot,
}

/// Cells that may be the same memory.
#[derive(Clone, Debug)]
pub struct Group {
    pub area: Area,
    pub cells: Vec<Cell>,
}

/// Partitions all accesses of the bounded program into groups of cells.
pub fn divide(terms: &mut Terms, bounded: &Bounded) -> Vec<Group> {
    let mut groups = Vec::new();
    for area in [Area::Memory, Area::Shadow, Area::Life] {
        let indices: Vec<AccessId> = bounded
            .accesses
            .ids()
            .filter(|index| bounded.accesses[*index].area == area)
            .filter(|index| !terms.is_false(bounded.accesses[*index].guard))
            .collect();
        divide_area(terms, bounded, area, &indices, &mut groups);
    }
    groups
}

/// The number of reads-from candidates by address alone: for each read every write there, and the initial write.
pub fn pairs(terms: &mut Terms, bounded: &Bounded) -> usize {
    let is_read = |cell: &&Cell| matches!(bounded.accesses[cell.access].way, Way::Read(_));
    let mut count = 0;
    for group in divide(terms, bounded) {
        let (reads, writes): (Vec<&Cell>, Vec<&Cell>) = group.cells.iter().partition(is_read);
        let of_read = |read: &&Cell| 1 + writes.iter().filter(|write| may_be_same(read, write)).count();
        count += reads.iter().map(of_read).sum::<usize>();
    }
    count
}

fn divide_area(
    terms: &mut Terms,
    bounded: &Bounded,
    area: Area,
    indices: &[AccessId],
    groups: &mut Vec<Group>,
) {
    let mut ties = Ties::default();
    for &index in indices {
        let list = objects(terms, bounded, index);
        for pair in list.windows(2) {
            ties.tie(pair[0], pair[1]);
        }
    }
    let mut by_root: BTreeMap<ObjectNo, Vec<AccessId>> = BTreeMap::new();
    for &index in indices {
        // An access that can reach no object is never executed.
        if let Some(first) = objects(terms, bounded, index).first() {
            by_root.entry(ties.root(*first)).or_default().push(index);
        }
    }
    for list in by_root.into_values() {
        let open = list.iter().any(|index| fixed(terms, bounded, *index).is_none());
        if area == Area::Life {
            groups.extend(lives(terms, bounded, &list, open));
        } else if open {
            groups.push(Group { area, cells: even_cells(terms, bounded, &list) });
        } else {
            groups.extend(cut_cells(terms, bounded, area, &list));
        }
    }
}

fn access(bounded: &Bounded, index: AccessId) -> &Access {
    &bounded.accesses[index]
}

/// Object and offset of an access through a constant.
fn fixed(terms: &Terms, bounded: &Bounded, index: AccessId) -> Option<(ObjectNo, u64)> {
    let (object, offset) = bounded.layout.constant(terms, access(bounded, index).pointer)?;
    Some((object, offset.max(0) as u64))
}

/// The objects that an access may reach, ascending.
fn objects(terms: &Terms, bounded: &Bounded, index: AccessId) -> Rc<[ObjectNo]> {
    if let Some((object, _)) = fixed(terms, bounded, index) {
        return Rc::from([object]);
    }
    let known = access(bounded, index).objects.clone().unwrap_or_else(|| Rc::from([]));
    match bounded.layout.candidates(terms, access(bounded, index).pointer) {
        Some(list) => known.iter().copied().filter(|n| list.binary_search(n).is_ok()).collect(),
        None => known,
    }
}

/// One cell per object; if an access goes through a pointer that is not a constant, all cells are in one group.
fn lives(terms: &mut Terms, bounded: &Bounded, list: &[AccessId], open: bool) -> Vec<Group> {
    let mut cells: BTreeMap<ObjectNo, Vec<Cell>> = BTreeMap::new();
    for &index in list {
        let (key, spot) = match fixed(terms, bounded, index) {
            Some((object, _)) => (object, Spot::Fixed { object, offset: 0 }),
            None => {
                let pointer = bounded.layout.object_of(terms, access(bounded, index).pointer);
                (ObjectNo::NONE, Spot::Open { pointer, objects: objects(terms, bounded, index) })
            }
        };
        let key = if open { ObjectNo::NONE } else { key };
        cells.entry(key).or_default().push(Cell { access: index, start: 0, bytes: 1, spot });
    }
    cells.into_values().map(|cells| Group { area: Area::Life, cells }).collect()
}

/// The coarsest partition: cells between the offsets where accesses begin and end, one group for each.
fn cut_cells(terms: &Terms, bounded: &Bounded, area: Area, list: &[AccessId]) -> Vec<Group> {
    let places: Vec<(AccessId, ObjectNo, u64)> = list
        .iter()
        .filter_map(|index| fixed(terms, bounded, *index).map(|(object, at)| (*index, object, at)))
        .collect();
    let mut cuts = BTreeSet::new();
    for (index, _, at) in &places {
        cuts.insert(*at);
        cuts.insert(at + u64::from(access(bounded, *index).bytes));
    }
    let mut groups: BTreeMap<u64, Vec<Cell>> = BTreeMap::new();
    for (index, object, at) in places {
        let end = at + u64::from(access(bounded, index).bytes);
        let inside = |cut: &u64| !active("cells-not-cut") || *cut == at || *cut == end;
        let points: Vec<u64> = cuts.range(at..=end).copied().filter(inside).collect();
        for pair in points.windows(2) {
            let (start, bytes) = ((pair[0] - at) as u32, (pair[1] - pair[0]) as u32);
            let spot = Spot::Fixed { object, offset: pair[0] };
            groups.entry(pair[0]).or_default().push(Cell { access: index, start, bytes, spot });
        }
    }
    groups.into_values().map(|cells| Group { area, cells }).collect()
}

/// Cells of one size, for objects that are accessed through pointers that are not constants.
fn even_cells(terms: &mut Terms, bounded: &Bounded, list: &[AccessId]) -> Vec<Cell> {
    let mut ranges = Ranges::new();
    let mut size: u64 = 16;
    for &index in list {
        size = gcd(size, access(bounded, index).bytes.into());
        size = match fixed(terms, bounded, index) {
            Some((_, offset)) => gcd(size, offset),
            None => {
                let zeros = ranges.range(terms, access(bounded, index).pointer).trailing_zeros();
                gcd(size, 1 << zeros.min(4))
            }
        };
    }
    let mut cells = Vec::new();
    for &index in list {
        let reached = objects(terms, bounded, index);
        for start in (0..access(bounded, index).bytes).step_by(size as usize) {
            let spot = match fixed(terms, bounded, index) {
                Some((object, offset)) => Spot::Fixed { object, offset: offset + u64::from(start) },
                None => {
                    let by = terms.bits(bounded.layout.pointer_bits, start.into());
                    let pointer = terms.bv_add(access(bounded, index).pointer, by);
                    Spot::Open { pointer, objects: reached.clone() }
                }
            };
            cells.push(Cell { access: index, start, bytes: size as u32, spot });
        }
    }
    cells
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The term by which cells of an area are compared: the address, or for [`Area::Life`] the number of the object.
pub fn address(terms: &mut Terms, bounded: &Bounded, area: Area, spot: &Spot) -> Term {
    match spot {
        Spot::Fixed { object, .. } if area == Area::Life => {
            let width = bounded.layout.pointer_bits - bounded.layout.offset_bits;
            terms.bits(width, u128::from(object.0))
        }
        Spot::Fixed { object, offset } => bounded.layout.address(terms, *object, *offset as i64),
        Spot::Open { pointer, .. } => *pointer,
    }
}

/// The value that an access reads or writes in a cell.
pub fn value(terms: &mut Terms, bounded: &Bounded, cell: &Cell) -> Term {
    let (Way::Read(whole) | Way::Write(whole)) = access(bounded, cell.access).way;
    let low = 8 * cell.start;
    terms.extract(whole, low + 8 * cell.bytes - 1, low)
}

/// Returns true if two cells of a group may alias, judging by their objects.
pub fn may_be_same(a: &Cell, b: &Cell) -> bool {
    match (&a.spot, &b.spot) {
        (Spot::Fixed { object: x, offset: i }, Spot::Fixed { object: y, offset: j }) => x == y && i == j,
        (Spot::Fixed { object, .. }, Spot::Open { objects, .. })
        | (Spot::Open { objects, .. }, Spot::Fixed { object, .. }) => objects.binary_search(object).is_ok(),
        (Spot::Open { objects: x, .. }, Spot::Open { objects: y, .. }) => {
            x.iter().any(|n| y.binary_search(n).is_ok())
        }
    }
}

/// Returns true if two cells of a group must alias.
pub fn is_same(a: &Cell, b: &Cell) -> bool {
    match (&a.spot, &b.spot) {
        (Spot::Fixed { object: x, offset: i }, Spot::Fixed { object: y, offset: j }) => x == y && i == j,
        (Spot::Open { pointer: x, .. }, Spot::Open { pointer: y, .. }) => x == y,
        (Spot::Fixed { .. }, Spot::Open { .. }) | (Spot::Open { .. }, Spot::Fixed { .. }) => false,
    }
}

/// Returns true if the access of `a` precedes that of `b` in every execution: by [`Bounded::is_before`], or at one
/// node by the order of the list.
pub fn is_before(bounded: &Bounded, a: &Cell, b: &Cell) -> bool {
    let (x, y) = (access(bounded, a.access).node, access(bounded, b.access).node);
    if x == y { a.access < b.access } else { bounded.is_before(x, y) }
}

/// Returns true if a later write of the same node overwrites `write`, so that no other node ever reads it.
pub fn covers(terms: &mut Terms, bounded: &Bounded, write: &Cell, later: &Cell) -> bool {
    let (a, b) = (&bounded.accesses[write.access], &bounded.accesses[later.access]);
    a.node == b.node
        && write.access < later.access
        && is_same(write, later)
        && (implies(terms, a.guard, b.guard) || active("replaced-by-chance"))
}

/// Bool: two cells of a group alias.
pub fn same(terms: &mut Terms, bounded: &Bounded, area: Area, a: &Cell, b: &Cell) -> Term {
    if !may_be_same(a, b) {
        return terms.bool(false);
    }
    let both_fixed = matches!((&a.spot, &b.spot), (Spot::Fixed { .. }, Spot::Fixed { .. }));
    if both_fixed || active("same-address-assumed") {
        return terms.bool(true);
    }
    let (x, y) = (address(terms, bounded, area, &a.spot), address(terms, bounded, area, &b.spot));
    terms.eq(x, y)
}

/// Union-find over objects that share an access.
#[derive(Default)]
struct Ties {
    parent: HashMap<ObjectNo, ObjectNo>,
}

impl Ties {
    fn root(&mut self, mut object: ObjectNo) -> ObjectNo {
        while let Some(&up) = self.parent.get(&object) {
            object = up;
        }
        object
    }

    fn tie(&mut self, a: ObjectNo, b: ObjectNo) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parent.insert(a.max(b), a.min(b));
        }
    }
}
