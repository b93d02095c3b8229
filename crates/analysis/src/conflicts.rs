//! Conflicts: pairs of accesses whose order may matter, and which of them may be data races.
//!
//! Two instructions conflict if they may touch common bytes in parallel and one of them writes: also if
//! one ends the object's life, or one uses the state of a synchronisation object under the bytes that the
//! other writes. A pair may be a race if both are accesses of memory (or `free`) and not both atomic. Each
//! pair has the locks certainly held at both: with one in common, the two exclude each other.
//!
//! There may be as many pairs as pairs of instructions, so they are found when asked for: what is kept is
//! who accesses which shared object.
//!
//! An over-approximation: every pair of steps of different threads whose order the interpreter calls
//! important, and every race, is in the list.

use crate::Facts;
use crate::accesses::{Access, AccessKind, Accesses, Extent, Group};
use crate::bits::Bits;
use crate::escape::Escape;
use crate::locksets::LockId;
use crate::objects::{Object, ObjectId, Offset};
use crate::points_to::Pointers;
use braid_base::{Idx, IndexVec};
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

/// The accesses of shared objects.
#[derive(Clone, Debug)]
pub struct Conflicts {
    /// By instruction; positions in the list of accesses.
    by_object: IndexVec<ObjectId, Vec<Touch>>,
    /// Accesses that may touch shared objects of a group, by instruction.
    by_group: [Vec<Touch>; 4],
    /// Variables of the library.
    internal: Bits,
    /// Groups that consist of them.
    internal_groups: [bool; 4],
    /// The shared objects of each group.
    shared: [Bits; 4],
}

/// One way of an access to reach an object.
#[derive(Clone, Copy, Debug)]
struct Touch {
    instr: InstrId,
    access: usize,
    extent: Extent,
}

impl Conflicts {
    pub fn new(program: &Program, pointers: &Pointers, accesses: &Accesses, escape: &Escape) -> Conflicts {
        let internal: Bits = pointers
            .objects()
            .filter(|(_, object)| is_internal(program, *object))
            .map(|(id, _)| id.index())
            .collect();
        let shared = Group::ALL.map(|group| {
            let members = accesses.group(group).iter().filter(|object| escape.is_shared(**object));
            members.map(|object| object.index()).collect::<Bits>()
        });
        let theirs =
            |group| accesses.group(group).iter().all(|object: &ObjectId| internal.contains(object.index()));
        let internal_groups = Group::ALL.map(theirs);
        let by_object = pointers.objects().map(|_| Vec::new()).collect();
        let by_group = Group::ALL.map(|_| Vec::new());
        let mut conflicts = Conflicts { by_object, by_group, internal, internal_groups, shared };
        for (index, access) in accesses.list.iter().enumerate() {
            conflicts.enter(index, access, escape);
        }
        let lists = conflicts.by_object.iter_mut().chain(&mut conflicts.by_group);
        lists.for_each(|list| list.sort_by_key(|touch| (touch.instr, touch.access)));
        conflicts
    }

    fn enter(&mut self, index: usize, access: &Access, escape: &Escape) {
        let touch = |extent| Touch { instr: access.instr, access: index, extent };
        for extent in access.extents.iter().filter(|extent| escape.is_shared(extent.object)) {
            self.by_object[extent.object].push(touch(*extent));
        }
        let group = access.also.filter(|group| !self.shared[group.index()].is_empty());
        if let Some(group) = group {
            let anywhere = Extent { object: ObjectId(0), offset: Offset::Any, len: None };
            self.by_group[group.index()].push(touch(anywhere));
        }
    }

    /// The lists of touches that may meet a touch of an object, or of a group.
    fn groups_of(&self, object: ObjectId) -> impl Iterator<Item = &[Touch]> {
        let member = move |group: &Group| self.shared[group.index()].contains(object.index());
        Group::ALL.into_iter().filter(member).map(|group| self.by_group[group.index()].as_slice())
    }

    fn meeting(&self, group: Group) -> impl Iterator<Item = &[Touch]> {
        let common = move |other: &Group| {
            let mut both = self.shared[group.index()].clone();
            both.intersect(&self.shared[other.index()]);
            !both.is_empty()
        };
        Group::ALL.into_iter().filter(common).map(|other| self.by_group[other.index()].as_slice())
    }

    /// Whether an access is of the library's own variables, by the library.
    fn is_theirs(&self, access: &Access) -> bool {
        access.internal
            && access.extents.iter().all(|extent| self.internal.contains(extent.object.index()))
            && access.also.is_none_or(|group| self.internal_groups[group.index()])
    }
}

/// The touches of an instruction in a list.
fn of(list: &[Touch], instr: InstrId) -> &[Touch] {
    let first = list.partition_point(|touch| touch.instr < instr);
    let count = list[first..].partition_point(|touch| touch.instr == instr);
    &list[first..first + count]
}

fn is_internal(program: &Program, object: Object) -> bool {
    match object {
        Object::Global(id) | Object::ThreadLocal(id) => program.globals[id].internal,
        Object::Function(_)
        | Object::Local(..)
        | Object::Block(..)
        | Object::Unknown
        | Object::Uninit
        | Object::Handle(..) => false,
    }
}

/// What is known of a pair while it is put together.
struct Pair {
    race: bool,
    locks: Bits,
}

impl Pair {
    /// Whether nothing more can be said against it.
    fn is_settled(&self) -> bool {
        self.race && self.locks.is_empty()
    }

    fn into_conflict(self, a: InstrId, b: InstrId) -> Conflict {
        let locks = self.locks.iter().map(LockId::from_usize).collect();
        Conflict { a: a.min(b), b: a.max(b), race: self.race, locks }
    }
}

impl Facts {
    /// The conflict of two instructions, in any order.
    pub fn conflict(&self, a: InstrId, b: InstrId) -> Option<Conflict> {
        let mut pair = None;
        let index = &self.conflicts;
        let mut objects = Bits::default();
        for access in self.accesses.of(a) {
            objects.extend(access.extents.iter().map(|extent| extent.object.index()));
        }
        for object in objects.iter().map(ObjectId::from_usize) {
            let list = &index.by_object[object];
            let others = std::iter::once(list.as_slice()).chain(index.groups_of(object));
            for other in others {
                self.pairs(of(list, a), of(other, b), &mut pair);
            }
        }
        for group in Group::ALL {
            let mine = of(&index.by_group[group.index()], a);
            if mine.is_empty() {
                continue;
            }
            for other in index.meeting(group) {
                self.pairs(mine, of(other, b), &mut pair);
            }
            for object in index.shared[group.index()].iter().map(ObjectId::from_usize) {
                self.pairs(mine, of(&index.by_object[object], b), &mut pair);
            }
        }
        pair.map(|pair: Pair| pair.into_conflict(a, b))
    }

    fn pairs(&self, ones: &[Touch], others: &[Touch], pair: &mut Option<Pair>) {
        for one in ones {
            for other in others {
                if pair.as_ref().is_some_and(Pair::is_settled) {
                    return;
                }
                self.judge(one, other, pair);
            }
        }
    }

    /// Every conflict, ascending by instructions: possibly very many.
    pub fn all_conflicts(&self) -> Vec<Conflict> {
        let mut pairs = BTreeMap::new();
        let index = &self.conflicts;
        for (object, list) in index.by_object.enumerated() {
            self.all_pairs(list, list, &mut pairs);
            for other in index.groups_of(object) {
                self.all_pairs(list, other, &mut pairs);
            }
        }
        for group in Group::ALL {
            for other in index.meeting(group) {
                self.all_pairs(&index.by_group[group.index()], other, &mut pairs);
            }
        }
        let found = pairs.into_iter().filter_map(|((a, b), pair)| Some(pair?.into_conflict(a, b)));
        found.collect()
    }

    fn all_pairs(
        &self,
        ones: &[Touch],
        others: &[Touch],
        pairs: &mut BTreeMap<(InstrId, InstrId), Option<Pair>>,
    ) {
        for one in ones {
            for other in others {
                let writes = |touch: &Touch| self.accesses.list[touch.access].kind.writes();
                if writes(one) || writes(other) {
                    let key = (one.instr.min(other.instr), one.instr.max(other.instr));
                    let pair = pairs.entry(key).or_insert(None);
                    self.judge(one, other, pair);
                }
            }
        }
    }

    /// Notes what two accesses of common objects do to each other.
    fn judge(&self, one: &Touch, other: &Touch, pair: &mut Option<Pair>) {
        let [mut a, mut b] = [one, other].map(|touch| (&self.accesses.list[touch.access], &touch.extent));
        if !a.0.kind.writes() {
            std::mem::swap(&mut a, &mut b);
        }
        if !a.0.kind.writes() {
            return;
        }
        let ((a, at), (b, bt)) = (a, b);
        let order = touch(a, at, b, bt) || touch(b, bt, a, at);
        let race = self.conflicts.kinds_race(a, b) && meet(location(a, at), location(b, bt));
        if !(order || race) || !self.threads.parallel((a.instance, a.instr), (b.instance, b.instr)) {
            return;
        }
        let held = |access: &Access| self.locksets.set(access.instance, access.instr);
        let (Some(first), Some(second)) = (held(a), held(b)) else { return };
        let mut locks = first.clone();
        locks.intersect(second);
        let pair = pair.get_or_insert_with(|| Pair { race: false, locks: locks.clone() });
        pair.race |= race;
        pair.locks.intersect(&locks);
    }
}

impl Conflicts {
    /// Whether accesses of these kinds may be a data race.
    fn kinds_race(&self, a: &Access, b: &Access) -> bool {
        let counts = |access: &Access| match access.kind {
            AccessKind::Read | AccessKind::Write | AccessKind::Update | AccessKind::Free => {
                access.space == Space::Memory
            }
            AccessKind::Death | AccessKind::Mutex => false,
        };
        // What the library does with its own variables is its own business.
        counts(a) && counts(b) && !(a.atomic && b.atomic) && !self.is_theirs(a) && !self.is_theirs(b)
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

#[cfg(test)]
mod tests {
    use crate::Facts;
    use crate::testing::c_program;
    use crate::testing::usual;
    use expect_test::{Expect, expect};

    const HEAD: &str = "int pthread_create(unsigned long *, const void *, void *(*)(void *), void *); \
        int pthread_join(unsigned long, void **); void free(void *); void *malloc(unsigned long); \
        typedef union { long n[5]; } pthread_mutex_t; int pthread_mutex_lock(pthread_mutex_t *); \
        int pthread_mutex_unlock(pthread_mutex_t *); pthread_mutex_t m;\n";

    /// Conflicts of the user's own instructions, by line and column.
    fn check(text: &str, expected: Expect) {
        let program = c_program(&format!("{HEAD}{text}"));
        let facts = Facts::new(&program, usual());
        let place = |id| {
            let mut functions = program.functions.iter().filter(|f| !f.internal);
            functions.find_map(|f| {
                let instrs = f.blocks.iter().flat_map(|b| &b.instrs);
                let ends = f.blocks.iter().map(|b| (b.end.id, b.end.loc));
                let mut places = instrs.map(|i| (i.id, i.loc)).chain(ends);
                places.find(|(instr, _)| *instr == id).map(|(_, loc)| format!("{}:{}", loc.line, loc.column))
            })
        };
        let mut lines = String::new();
        for conflict in &facts.all_conflicts() {
            assert_eq!(facts.conflict(conflict.b, conflict.a).as_ref(), Some(conflict));
        }
        for conflict in &facts.all_conflicts() {
            let (Some(a), Some(b)) = (place(conflict.a), place(conflict.b)) else { continue };
            let race = if conflict.may_race() { "race" } else { "order" };
            lines += &format!("{a} {b} {race}, {} locks\n", conflict.locks.len());
        }
        expected.assert_eq(&lines);
    }

    #[test]
    fn plain_locked_and_atomic() {
        check(
            "int x, y; _Atomic int a;\n\
             void *t(void *p) {\nx = 1;\na = 1;\npthread_mutex_lock(&m);\ny = 1;\npthread_mutex_unlock(&m);\nreturn 0; }\n\
             int main(void) { unsigned long h; x = 0; pthread_create(&h, 0, t, 0);\n\
             x = 2;\na = 2;\npthread_mutex_lock(&m);\ny = 2;\npthread_mutex_unlock(&m);\n\
             pthread_join(h, 0); return x; }",
            expect![[r#"
                4:1 11:1 race, 0 locks
                5:1 12:1 order, 0 locks
                7:1 14:1 order, 1 locks
            "#]],
        );
    }

    #[test]
    fn fields_do_not_conflict_but_bit_fields_do() {
        check(
            "struct { int a, b; int c : 4, d : 12; } s;\n\
             void *t(void *p) {\ns.a = 1;\ns.c = 1;\nreturn 0; }\n\
             int main(void) { unsigned long h; pthread_create(&h, 0, t, 0);\ns.b = 1;\ns.d = 1; return 0; }",
            expect![[r#"
                5:1 9:1 race, 0 locks
                5:1 9:1 race, 0 locks
                5:1 9:1 race, 0 locks
            "#]],
        );
    }

    #[test]
    fn the_end_of_an_object() {
        check(
            "void *t(void *p) {\n*(int *)p = 1;\nreturn 0; }\n\
             void start(void) { unsigned long h; int local; pthread_create(&h, 0, t, &local);\n}\n\
             int main(void) { start(); return 0; }",
            expect![[r#"
                3:1 6:1 order, 0 locks
            "#]],
        );
    }
}
