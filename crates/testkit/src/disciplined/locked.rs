//! Parts that locks guard.

use super::guard::{Access, Kind, Lock};
use super::{Part, Writer};
use crate::cat;
use crate::tree::Tree;

/// A counter under a lock of some kind, which main reads in the end.
pub(super) fn counter(writer: &mut Writer<'_>) -> Part {
    let kind = writer.kind();
    let lock = Lock { kind, address: "&l".to_string() };
    Part {
        globals: cat!(Lock::object(kind, "l"), "static int n;\n"),
        setup: cat!(lock.initialise(), "n = 1;\n"),
        work: |writer, lock| {
            let body = *writer.rng.pick(&["n++;\n", "n = number;\n", "n = 1 - n;\n", "r = n;\n"]);
            let access = if body.starts_with('r') { Access::Read } else { Access::Write };
            let again = writer.rng.one_in(3).then(|| writer.guarded(lock, Access::Read, "r = n;\n"));
            cat!(writer.guarded(lock, access, body), again.unwrap_or_else(|| "".into()))
        },
        is_for_main: true,
        after: "r = n;\n".into(),
        lock,
    }
}

/// Elements that have a lock each.
pub(super) fn elements(writer: &mut Writer<'_>) -> Part {
    let initialise = if writer.slips() { "" } else { "pthread_mutex_init(&cells[1].lock, 0);\n" };
    Part {
        globals: "static struct cell {\npthread_mutex_t lock;\nint value;\n} cells[2];\n".into(),
        setup: cat!("pthread_mutex_init(&cells[0].lock, 0);\n", initialise),
        work: |writer, lock| {
            let index = *writer.rng.pick(&["number & 1", "0", "number == 0", "1"]);
            let moved = if writer.slips() { "(1 - i)" } else { "i" };
            let body = format!("cells[{moved}].value++;\n");
            let head = format!("{{\nint i = {index};\nstruct cell *p = &cells[i];\n(void)p;\n");
            cat!(head, writer.guarded(lock, Access::Write, body), "}\n")
        },
        is_for_main: true,
        after: "r = cells[1].value;\n".into(),
        lock: Lock::mutex("&p->lock"),
    }
}

/// A block with its own lock, which is initialised before the pointer is set.
pub(super) fn block(writer: &mut Writer<'_>) -> Part {
    let initialise = if writer.slips() { "" } else { "pthread_mutex_init(&box->lock, 0);\n" };
    let freed = if writer.rng.one_in(2) {
        "pthread_mutex_destroy(&box->lock);\nfree(box);\n"
    } else {
        "r = box->n;\n"
    };
    Part {
        globals: "static struct box {\npthread_mutex_t lock;\nint n;\n} *box;\n".into(),
        setup: cat!("box = malloc(sizeof *box);\n", initialise, "box->n = 0;\n"),
        work: |writer, lock| writer.guarded(lock, Access::Write, "box->n++;\n"),
        is_for_main: true,
        after: freed.into(),
        lock: Lock::mutex("&box->lock"),
    }
}

/// Two locks, always taken in the same order.
pub(super) fn nested(_: &mut Writer<'_>) -> Part {
    Part {
        globals: cat!(
            Lock::object(Kind::Mutex, "outer"),
            Lock::object(Kind::Mutex, "inner"),
            "static int x, y;\n"
        ),
        setup: "".into(),
        work: |writer, lock| {
            let inner = Lock::mutex("&inner");
            let (first, second) = if writer.slips() { (&inner, lock) } else { (lock, &inner) };
            let within = writer.guarded(second, Access::Write, "y++;\n");
            let body = cat!("x++;\n", within);
            let both = writer.guarded(first, Access::Write, body);
            let alone = writer.rng.one_in(3).then(|| writer.guarded(&inner, Access::Write, "y = 0;\n"));
            cat!(both, alone.unwrap_or_else(|| "".into()))
        },
        is_for_main: true,
        after: "r = x + y;\n".into(),
        lock: Lock::mutex("&outer"),
    }
}

/// Two locks that are taken in both orders, under a third one.
pub(super) fn gate(_: &mut Writer<'_>) -> Part {
    let names = ["gate", "left", "right"];
    Part {
        globals: names.map(|name| Tree::from(Lock::object(Kind::Mutex, name))).to_vec().into(),
        setup: "".into(),
        work: |writer, lock| {
            let turn = "pthread_mutex_t *a = number ? &left : &right, *b = number ? &right : &left;\n";
            let inner = "pthread_mutex_lock(a);\npthread_mutex_lock(b);\nr = 1;\n\
                         pthread_mutex_unlock(b);\npthread_mutex_unlock(a);\n";
            cat!("{\n", turn, writer.guarded(lock, Access::Write, inner), "}\n")
        },
        is_for_main: true,
        after: "".into(),
        lock: Lock::mutex("&gate"),
    }
}

/// Readers and a writer.
pub(super) fn readers(_: &mut Writer<'_>) -> Part {
    Part {
        globals: cat!(Lock::object(Kind::ReadWrite, "rw"), "static int table;\n"),
        setup: "table = 1;\n".into(),
        work: |writer, lock| {
            let write = writer.guarded(lock, Access::Write, "table++;\n");
            let read = writer.guarded(lock, Access::Read, "r = table;\n");
            Tree::around(
                vec!["if (number == 0) {\n".into(), write, "} else {\n".into(), read, "}\n".into()],
                &[1, 3],
            )
        },
        is_for_main: true,
        after: "r = table;\n".into(),
        lock: Lock { kind: Kind::ReadWrite, address: "&rw".to_string() },
    }
}

/// A mutex that is taken again by a function called with it held.
pub(super) fn recursive(writer: &mut Writer<'_>) -> Part {
    let kind = if writer.slips() { "NORMAL" } else { "RECURSIVE" };
    let setup = format!(
        "pthread_mutexattr_t kind;\npthread_mutexattr_init(&kind);\n\
         pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_{kind});\npthread_mutex_init(&again, &kind);\n"
    );
    Part {
        globals: "static pthread_mutex_t again;\nstatic int depth;\n".into(),
        setup: cat!("{\n", setup, "}\n"),
        work: |writer, lock| {
            let deeper = writer.guarded(lock, Access::Write, "depth++;\n");
            writer.guarded(lock, Access::Write, cat!(deeper, "depth--;\n"))
        },
        is_for_main: false,
        after: "r = depth;\n".into(),
        lock: Lock::mutex("&again"),
    }
}

/// A mutex that main destroys when all have ended.
pub(super) fn destroyed(writer: &mut Writer<'_>) -> Part {
    let again = if writer.slips() { "pthread_mutex_lock(&mortal);\n" } else { "" };
    Part {
        globals: "static pthread_mutex_t mortal;\nstatic int life;\n".into(),
        setup: "pthread_mutex_init(&mortal, 0);\n".into(),
        work: |writer, lock| writer.guarded(lock, Access::Write, "life++;\n"),
        is_for_main: true,
        after: cat!("pthread_mutex_destroy(&mortal);\n", again),
        lock: Lock::mutex("&mortal"),
    }
}

/// A predicate that the first thread makes true and the others wait for.
pub(super) fn condition(_: &mut Writer<'_>) -> Part {
    Part {
        globals: cat!(
            Lock::object(Kind::Mutex, "cm"),
            "static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;\nstatic int ready, told;\n"
        ),
        setup: "".into(),
        work: |writer, lock| {
            let wake = if writer.slips() { "" } else { "pthread_cond_broadcast(&changed);\n" };
            let set = section_of(writer, lock, format!("ready = 1;\ntold = 5;\n{wake}"));
            let again = if writer.slips() { "if" } else { "while" };
            let wait =
                format!("{again} (!ready)\npthread_cond_wait(&changed, &cm);\nr = told;\nassert(r == 5);\n");
            let wait = section_of(writer, lock, wait);
            Tree::around(
                vec!["if (number == 0) {\n".into(), set, "} else {\n".into(), wait, "}\n".into()],
                &[1, 3],
            )
        },
        is_for_main: true,
        after: "r = told;\n".into(),
        lock: Lock::mutex("&cm"),
    }
}

/// A section that is entered on every path: one that was only tried would leave the others waiting.
fn section_of(writer: &mut Writer<'_>, lock: &Lock, body: String) -> Tree {
    let take = if writer.slips() { String::new() } else { lock.take(Access::Write) };
    let give = if writer.slips() { String::new() } else { lock.give() };
    Tree::around(vec![take.into(), body.into(), give.into()], &[1])
}
