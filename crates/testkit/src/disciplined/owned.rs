//! Parts that need no lock for their data: they have an owner, are published once, or are only read.

use super::guard::{Access, Kind, Lock};
use super::{Part, Writer};
use crate::cat;
use crate::tree::Tree;

/// A block that the first thread makes and publishes, by an atomic pointer or under a lock.
pub(super) fn published(writer: &mut Writer<'_>) -> Part {
    let (globals, lock) = if writer.rng.one_in(2) {
        let kind = if writer.slips() { "" } else { "_Atomic " };
        let section = Lock { kind: Kind::Section, address: String::new() };
        (Tree::from(format!("static int *{kind}place;\n")), section)
    } else {
        (cat!(Lock::object(Kind::Mutex, "pm"), "static int *place;\n"), Lock::mutex("&pm"))
    };
    Part {
        globals,
        setup: "".into(),
        work: |writer, lock| {
            let fill = "*made = 3;\n";
            let (before, behind) = if writer.slips() { ("", fill) } else { (fill, "") };
            let publish = reached(writer, lock, "place = made;\n");
            let look = reached(writer, lock, "seen = place;\n");
            let make = cat!("int *made = malloc(sizeof *made);\n", before, publish, behind);
            let checked = if writer.slips() { "r = *seen;\n" } else { "if (seen)\nr = *seen;\n" };
            let read = cat!("int *seen;\n", look, checked);
            Tree::around(
                vec!["if (number == 0) {\n".into(), make, "} else {\n".into(), read, "}\n".into()],
                &[],
            )
        },
        is_for_main: true,
        after: "".into(),
        lock,
    }
}

/// An access to the published pointer: the atomic one needs no lock.
fn reached(writer: &mut Writer<'_>, lock: &Lock, body: &str) -> Tree {
    if lock.kind == Kind::Section {
        return body.into();
    }
    let take = if writer.slips() { String::new() } else { lock.take(Access::Write) };
    let give = if writer.slips() { String::new() } else { lock.give() };
    cat!(take, body, give)
}

/// Blocks that go from the first thread through a slot to whoever comes, who frees them.
pub(super) fn handed_over(_: &mut Writer<'_>) -> Part {
    Part {
        globals: cat!(Lock::object(Kind::Mutex, "hm"), "static int *slot;\n"),
        setup: "".into(),
        work: |writer, lock| {
            let kept = if writer.slips() { "*own = 2;\n" } else { "" };
            let put = reached(writer, lock, "slot = own;\n");
            let give = cat!("int *own = malloc(sizeof *own);\n*own = 1;\n", put, kept);
            let emptied = if writer.slips() { "" } else { "slot = 0;\n" };
            let get = reached(writer, lock, &format!("got = slot;\n{emptied}"));
            let used = if writer.slips() { "free(got);\nr = *got;\n" } else { "r = *got;\nfree(got);\n" };
            let take = cat!("int *got;\n", get, "if (got) {\n", used, "}\n");
            Tree::around(
                vec!["if (number == 0) {\n".into(), give, "} else {\n".into(), take, "}\n".into()],
                &[],
            )
        },
        is_for_main: true,
        after: "free(slot);\n".into(),
        lock: Lock::mutex("&hm"),
    }
}

/// A variable of each thread.
pub(super) fn thread_local(_: &mut Writer<'_>) -> Part {
    Part {
        globals: "static _Thread_local int mine;\nstatic int *_Atomic shown;\n".into(),
        setup: "".into(),
        work: |writer, _| {
            let shows = if writer.slips() { "shown = &mine;\nif (shown)\n*shown = 3;\n" } else { "" };
            cat!(shows, "mine++;\nr = mine;\n")
        },
        is_for_main: true,
        after: "r = mine;\n".into(),
        lock: Lock::none(),
    }
}

/// A table that the first comer fills.
pub(super) fn once(_: &mut Writer<'_>) -> Part {
    Part {
        globals: "static pthread_once_t filled = PTHREAD_ONCE_INIT;\nstatic int early;\n\
                  static void fill(void)\n{\nearly = 4;\n}\n"
            .into(),
        setup: "".into(),
        work: |writer, _| {
            let before = if writer.slips() { "r = early;\n" } else { "" };
            let behind = if writer.slips() { "early = 4;\n" } else { "" };
            cat!(before, "pthread_once(&filled, fill);\n", behind, "r = early;\nassert(r == 4);\n")
        },
        is_for_main: true,
        after: "".into(),
        lock: Lock::none(),
    }
}

/// A table that is only read once the threads have started.
pub(super) fn read_only(_: &mut Writer<'_>) -> Part {
    Part {
        globals: "static int table_of[2];\n".into(),
        setup: "table_of[0] = 1;\ntable_of[1] = 2;\n".into(),
        work: |writer, _| {
            let written = if writer.slips() { "table_of[1] = 2;\n" } else { "" };
            cat!(
                written,
                "r = table_of[number & 1];\n",
                if writer.slips() { "r = table_of[number];\n" } else { "" }
            )
        },
        is_for_main: true,
        after: "table_of[0] = 7;\n".into(),
        lock: Lock::none(),
    }
}

/// An element for each thread, by its number.
pub(super) fn own_element(_: &mut Writer<'_>) -> Part {
    Part {
        globals: "static int own[4];\n".into(),
        setup: "".into(),
        work: |writer, _| {
            let index = if writer.slips() { "number & 2" } else { "number" };
            let other = if writer.slips() { "r = own[number ^ 1];\n" } else { "" };
            cat!(format!("own[{index}] = 1;\n"), other, format!("own[{index}]++;\n"))
        },
        is_for_main: true,
        after: "r = own[0] + own[1];\nassert(r <= 4);\n".into(),
        lock: Lock::none(),
    }
}

/// A block that a thread makes, uses and frees.
pub(super) fn own_block(_: &mut Writer<'_>) -> Part {
    Part {
        globals: "static int *lent;\n".into(),
        setup: "".into(),
        work: |writer, _| {
            let shown = if writer.slips() { "lent = mine;\n" } else { "" };
            let end = if writer.slips() {
                "free(mine);\nr = *mine;\n"
            } else if writer.slips() {
                "free(mine);\nfree(mine);\n"
            } else {
                "r = *mine;\nfree(mine);\n"
            };
            cat!("{\nint *mine = malloc(sizeof *mine);\n*mine = number;\n", shown, end, "}\n").optional()
        },
        is_for_main: true,
        after: "if (lent)\nr = *lent;\n".into(),
        lock: Lock::none(),
    }
}

/// A counter that all access by atomic operations.
pub(super) fn atomic_counter(_: &mut Writer<'_>) -> Part {
    Part {
        globals: "static atomic_int all;\nstatic int plain;\n".into(),
        setup: "".into(),
        work: |writer, _| {
            let step = *writer.rng.pick(&["atomic_fetch_add(&all, 1);\n", "all++;\n", "r = all;\n"]);
            cat!(step, if writer.slips() { "plain = all;\n" } else { "" })
        },
        is_for_main: true,
        after: "r = all;\nassert(r <= 4);\n".into(),
        lock: Lock::none(),
    }
}
