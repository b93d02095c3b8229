//! Which objects more than one thread may reach, hence which accesses others may notice.
//!
//! An object *escapes* if a pointer to it may be where another thread finds it: in a static variable, in
//! what a thread is started with or leaves to its joiner, among the numbers that may be guessed, or in an
//! escaped object. It is *shared* if it escapes and more than one thread of an execution may access it.
//! What does not escape belongs to the thread that made it, even if several threads run the same code.
//!
//! Over-approximations, both.

use crate::accesses::{Access, Accesses, Group};
use crate::bits::Bits;
use crate::objects::{Object, ObjectId};
use crate::points_to::{Pointers, PointsTo};
use crate::threads::{ThreadId, Threads};
use braid_base::{HashSet, Idx, IndexVec};
use braid_ir::{InstrId, Op, Program};

#[derive(Clone, Debug)]
pub struct Escape {
    escaped: IndexVec<ObjectId, bool>,
    /// The threads that may access an object.
    accessed_by: IndexVec<ObjectId, Bits>,
    shared: IndexVec<ObjectId, bool>,
    visible: HashSet<InstrId>,
}

impl Escape {
    pub fn new(program: &Program, pointers: &Pointers, accesses: &Accesses, threads: &Threads) -> Escape {
        let escaped = closure(program, pointers);
        let mut accessed_by: IndexVec<ObjectId, Bits> = pointers.objects().map(|_| Bits::default()).collect();
        let mut by_group = Group::ALL.map(|_| Bits::default());
        for access in &accesses.list {
            for thread in threads.executing((access.instance, access.instr)) {
                for extent in &access.extents {
                    accessed_by[extent.object].insert(thread.index());
                }
                if let Some(group) = access.also {
                    by_group[group.index()].insert(thread.index());
                }
            }
        }
        for group in Group::ALL {
            let by = &by_group[group.index()];
            accesses.group(group).iter().for_each(|object| _ = accessed_by[*object].union(by));
        }
        let several = |by: &Bits| {
            let mut list = by.iter().map(ThreadId::from_usize);
            match (list.next(), list.next()) {
                (Some(only), None) => threads.list[only].many,
                (first, _) => first.is_some(),
            }
        };
        let shared: IndexVec<ObjectId, bool> =
            escaped.iter().zip(&accessed_by).map(|(escaped, by)| *escaped && several(by)).collect();
        let any_shared = Group::ALL.map(|group| accesses.group(group).iter().any(|object| shared[*object]));
        let sees = |access: &&Access| {
            access.also.is_some_and(|group| any_shared[group.index()])
                || access.extents.iter().any(|extent| shared[extent.object])
        };
        let visible = accesses.list.iter().filter(sees).map(|access| access.instr).collect();
        Escape { escaped, accessed_by, shared, visible }
    }

    /// Whether another thread than the one that made it may find a pointer to the object.
    pub fn escapes(&self, object: ObjectId) -> bool {
        self.escaped[object]
    }

    /// Whether more than one thread of an execution may access the object.
    pub fn is_shared(&self, object: ObjectId) -> bool {
        self.shared[object]
    }

    /// The threads that may access the object, if it escapes.
    pub fn accessed_by(&self, object: ObjectId) -> impl Iterator<Item = ThreadId> + '_ {
        self.accessed_by[object].iter().map(ThreadId::from_usize)
    }

    /// Whether the instruction may access memory that is shared.
    pub fn may_be_visible(&self, instr: InstrId) -> bool {
        self.visible.contains(&instr)
    }
}

fn closure(program: &Program, pointers: &Pointers) -> IndexVec<ObjectId, bool> {
    let mut escaped: IndexVec<ObjectId, bool> = pointers.objects().map(|_| false).collect();
    let mut waiting: Vec<ObjectId> = Vec::new();
    let statics = pointers.objects().filter(|(_, object)| matches!(object, Object::Global(_)));
    waiting.extend(statics.map(|(id, _)| id));
    let mut reach = |set: &PointsTo| waiting.extend(set.targets.iter().map(|(object, _)| *object));
    reach(pointers.results());
    reach(pointers.exposed());
    for (id, instance) in pointers.instances().enumerated() {
        for instr in program.functions[instance.func].blocks.iter().flat_map(|block| &block.instrs) {
            if let Op::Spawn { arg, .. } = &instr.op {
                reach(pointers.in_instance(id, *arg));
            }
        }
    }
    while let Some(object) = waiting.pop() {
        if !std::mem::replace(&mut escaped[object], true) {
            waiting.extend(pointers.contents(object));
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use crate::Facts;
    use crate::testing::usual;
    use crate::testing::{c_program, describe};
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let program = c_program(text);
        let facts = Facts::new(&program, usual());
        let mut lines = Vec::new();
        for (id, object) in facts.pointers.objects() {
            let Some(name) = describe(&program, &facts.pointers, object) else { continue };
            let state = match (facts.escape.escapes(id), facts.escape.is_shared(id)) {
                (_, true) => "shared",
                (true, false) => "escapes",
                (false, false) => "private",
            };
            lines.push(format!("{name}: {state}\n"));
        }
        lines.sort();
        expected.assert_eq(&lines.concat());
    }

    #[test]
    fn what_threads_can_reach() {
        check(
            "int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);\n\
             void *malloc(unsigned long);\n\
             int used_by_main, used_by_both;\nint *published;\n_Thread_local int own;\n\
             void *body(void *a) { int local = 1; int *q = &local; own = *q; used_by_both = own; return a; }\n\
             int main(void) {\n\
                 unsigned long h, g; int given = 0; int *hidden = malloc(4); int *seen = malloc(4);\n\
                 published = seen; *hidden = 1; *seen = 1;\n\
                 pthread_create(&h, 0, body, &given); pthread_create(&g, 0, body, &given);\n\
                 used_by_main = *hidden; used_by_both = 2; return given;\n\
             }",
            expect![[r#"
                &body: private
                block 8:50: private
                block 8:50: private
                block 8:73: escapes
                block 8:73: escapes
                body.local: private
                main.g: private
                main.given: escapes
                main.h: private
                published: escapes
                thread-local own: private
                used_by_both: shared
                used_by_main: escapes
            "#]],
        );
    }
}
