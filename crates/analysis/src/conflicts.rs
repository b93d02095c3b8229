//! Conflicts: pairs of accesses whose order may matter, and which of them may be data races.
//!
//! Two instructions conflict if they may touch common bytes in parallel and one of them writes: also if
//! one ends the object's life, or one uses the state of a synchronisation object under the bytes that the
//! other writes. A pair may be a race if both are accesses of memory (or `free`) and not both atomic. Each
//! pair has the locks certainly held at both: with one in common, the two exclude each other.
//!
//! An over-approximation: every pair of steps of different threads whose order the interpreter calls
//! important, and every race, is in the list.

use crate::accesses::{Access, AccessKind, Accesses, Extent};
use crate::bits::Bits;
use crate::escape::Escape;
use crate::locksets::{LockId, Locksets};
use crate::objects::{Object, ObjectId, Offset};
use crate::points_to::Pointers;
use crate::threads::Threads;
use braid_base::{HashMap, Idx, IndexVec};
use braid_ir::{InstrId, Program, Space};
use std::collections::BTreeMap;

/// Two instructions that conflict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// `a <= b`.
    pub a: InstrId,
    pub b: InstrId,
    /// May be a data race, as far as the kinds of accesses go.
    pub race: bool,
    /// The locks certainly held at both, whenever they conflict.
    pub locks: Vec<LockId>,
}

impl Conflict {
    /// Whether the two may be a data race: nothing keeps them apart.
    pub fn may_race(&self) -> bool {
        self.race && self.locks.is_empty()
    }
}

#[derive(Clone, Debug, Default)]
pub struct Conflicts {
    /// Ascending by instructions.
    pub list: Vec<Conflict>,
    index: HashMap<(InstrId, InstrId), usize>,
}

/// What is known of a pair while it is put together.
struct Pair {
    race: bool,
    locks: Bits,
}

struct Finder<'a> {
    program: &'a Program,
    pointers: &'a Pointers,
    threads: &'a Threads,
    locksets: &'a Locksets,
    pairs: BTreeMap<(InstrId, InstrId), Pair>,
}

impl Conflicts {
    pub fn new(
        program: &Program,
        pointers: &Pointers,
        accesses: &Accesses,
        threads: &Threads,
        escape: &Escape,
        locksets: &Locksets,
    ) -> Conflicts {
        let mut by_object: IndexVec<ObjectId, Vec<(&Access, Extent)>> =
            pointers.objects().map(|_| Vec::new()).collect();
        for access in &accesses.list {
            for extent in access.extents.iter().filter(|extent| escape.is_shared(extent.object)) {
                by_object[extent.object].push((access, *extent));
            }
        }
        let mut finder = Finder { program, pointers, threads, locksets, pairs: BTreeMap::new() };
        for list in &by_object {
            finder.object(list);
        }
        let conflict = |((a, b), pair): ((InstrId, InstrId), Pair)| Conflict {
            a,
            b,
            race: pair.race,
            locks: pair.locks.iter().map(LockId::from_usize).collect(),
        };
        let list: Vec<Conflict> = finder.pairs.into_iter().map(conflict).collect();
        let index = list.iter().enumerate().map(|(index, c)| ((c.a, c.b), index)).collect();
        Conflicts { list, index }
    }

    /// The conflict of two instructions, in any order.
    pub fn between(&self, a: InstrId, b: InstrId) -> Option<&Conflict> {
        self.index.get(&(a.min(b), a.max(b))).map(|index| &self.list[*index])
    }
}

impl Finder<'_> {
    fn object(&mut self, list: &[(&Access, Extent)]) {
        let (writes, reads): (Vec<_>, Vec<_>) = list.iter().partition(|(access, _)| access.kind.writes());
        for (index, one) in writes.iter().enumerate() {
            for other in writes[index..].iter().chain(&reads) {
                self.pair(one, other);
            }
        }
    }

    fn pair(&mut self, (a, at): &(&Access, Extent), (b, bt): &(&Access, Extent)) {
        let order = touch(a, at, b, bt);
        let race = self.kinds_race(a, b) && meet(location(a, at), location(b, bt));
        if !(order || race) || !self.threads.parallel((a.instance, a.instr), (b.instance, b.instr)) {
            return;
        }
        let held = |access: &Access| self.locksets.set(access.instance, access.instr);
        let (Some(first), Some(second)) = (held(a), held(b)) else { return };
        let mut locks = first.clone();
        locks.intersect(second);
        let key = (a.instr.min(b.instr), a.instr.max(b.instr));
        let new = || Pair { race: false, locks: locks.clone() };
        let pair = self.pairs.entry(key).or_insert_with(new);
        pair.race |= race;
        pair.locks.intersect(&locks);
    }

    /// Whether accesses of these kinds may be a data race.
    fn kinds_race(&self, a: &Access, b: &Access) -> bool {
        let counts = |access: &Access| match access.kind {
            AccessKind::Read | AccessKind::Write | AccessKind::Update | AccessKind::Free => {
                access.space == Space::Memory
            }
            AccessKind::Death | AccessKind::Mutex => false,
        };
        let theirs = |access: &Access| {
            // What the library does with its own variables is its own business.
            access.internal && access.extents.iter().all(|extent| self.is_internal(extent.object))
        };
        counts(a) && counts(b) && !(a.atomic && b.atomic) && !theirs(a) && !theirs(b)
    }

    fn is_internal(&self, object: ObjectId) -> bool {
        match self.pointers.object(object) {
            Object::Global(id) | Object::ThreadLocal(id) => self.program.globals[id].internal,
            Object::Function(_)
            | Object::Local(..)
            | Object::Block(..)
            | Object::Unknown
            | Object::Uninit
            | Object::Handle(..) => false,
        }
    }
}

/// Whether the order of two accesses, one of which writes, may matter.
fn touch(a: &Access, at: &Extent, b: &Access, bt: &Extent) -> bool {
    if a.space == b.space || matches!(a.kind, AccessKind::Death | AccessKind::Free) {
        return meet(range(at), range(bt));
    }
    // A write to the bytes makes the state under them new, word by word.
    let memory = if a.space == Space::Memory { a } else { b };
    memory.kind.writes() && meet(words(at), words(bt))
}

/// Start, and end if known; `None` is anywhere.
type Range = Option<(u64, Option<u64>)>;

fn range(extent: &Extent) -> Range {
    match extent.offset {
        Offset::At(at) => Some((at, extent.len.map(|len| at.saturating_add(len)))),
        Offset::Any => None,
    }
}

fn words(extent: &Extent) -> Range {
    range(extent).map(|(start, end)| (start & !3, end.map(|end| end.saturating_add(3) & !3)))
}

/// With the bytes that belong to the same memory location.
fn location(access: &Access, extent: &Extent) -> Range {
    let (before, after) = access.location;
    let wider = |(start, end): (u64, Option<u64>)| {
        let end = end.map(|end| end.saturating_add(u64::from(after)));
        (start.saturating_sub(u64::from(before)), end)
    };
    range(extent).map(wider)
}

fn meet(a: Range, b: Range) -> bool {
    let (Some((a, a_end)), Some((b, b_end))) = (a, b) else { return true };
    a_end.is_none_or(|end| b < end) && b_end.is_none_or(|end| a < end)
}
