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

#[cfg(test)]
mod tests {
    use crate::testing::c_program;
    use crate::{Facts, Options};
    use expect_test::{Expect, expect};

    const HEAD: &str = "int pthread_create(unsigned long *, const void *, void *(*)(void *), void *); \
        int pthread_join(unsigned long, void **); void free(void *); void *malloc(unsigned long); \
        typedef union { long n[5]; } pthread_mutex_t; int pthread_mutex_lock(pthread_mutex_t *); \
        int pthread_mutex_unlock(pthread_mutex_t *); pthread_mutex_t m;\n";

    /// Conflicts of the user's own instructions, by line and column.
    fn check(text: &str, expected: Expect) {
        let program = c_program(&format!("{HEAD}{text}"));
        let facts = Facts::new(&program, Options::default());
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
        for conflict in &facts.conflicts.list {
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
