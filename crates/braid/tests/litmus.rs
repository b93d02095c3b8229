//! Litmus tests: exactly the outcomes of sequential consistency, with and without reduction.
//!
//! Each program returns what its threads read, one decimal digit a register, the first one leading. They
//! are run with atomic and with plain variables: how a variable is declared must not change what can be
//! read. (Alglave, Maranget, Tautschnig, "Herding cats", 2014, names the shapes.)

use braid_testkit::check::command::is_safe;
use braid_testkit::differential::scratch;
use braid_testkit::threads::command::Braid;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

struct Litmus {
    name: &'static str,
    threads: &'static [&'static str],
    /// Registers, or final values.
    result: &'static str,
    allowed: &'static [i32],
}

const LITMUS: &[Litmus] = &[
    Litmus {
        name: "sb",
        threads: &["x = 1; r1 = y;", "y = 1; r2 = x;"],
        result: "r1 * 10 + r2",
        allowed: &[1, 10, 11],
    },
    Litmus {
        name: "mp",
        threads: &["x = 1; y = 1;", "r1 = y; r2 = x;"],
        result: "r1 * 10 + r2",
        allowed: &[0, 1, 11],
    },
    Litmus {
        name: "lb",
        threads: &["r1 = x; y = 1;", "r2 = y; x = 1;"],
        result: "r1 * 10 + r2",
        allowed: &[0, 1, 10],
    },
    Litmus {
        name: "iriw",
        threads: &["x = 1;", "y = 1;", "r1 = x; r2 = y;", "r3 = y; r4 = x;"],
        // Binary, for an exit status has eight bits.
        result: "r1 * 8 + r2 * 4 + r3 * 2 + r4",
        // All but r1 = 1, r2 = 0, r3 = 1, r4 = 0.
        allowed: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15],
    },
    Litmus {
        name: "2+2w",
        threads: &["x = 1; y = 2;", "y = 1; x = 2;"],
        result: "x * 10 + y",
        allowed: &[12, 21, 22],
    },
    Litmus {
        name: "corr",
        threads: &["x = 1;", "r1 = x; r2 = x;"],
        result: "r1 * 10 + r2",
        allowed: &[0, 1, 11],
    },
    Litmus {
        name: "coww",
        threads: &["x = 1; x = 2;", "r1 = x; r2 = x;"],
        result: "r1 * 10 + r2",
        allowed: &[0, 1, 2, 11, 12, 22],
    },
    Litmus {
        name: "corw",
        threads: &["r1 = x; x = 1;", "x = 2;"],
        result: "r1 * 10 + x",
        allowed: &[1, 2, 21],
    },
    Litmus {
        name: "cowr",
        threads: &["x = 1; r1 = x;", "x = 2;"],
        result: "r1 * 10 + x",
        allowed: &[11, 12, 22],
    },
    Litmus {
        name: "r",
        threads: &["x = 1; y = 1;", "y = 2; r1 = x;"],
        result: "r1 * 10 + y",
        allowed: &[1, 11, 12],
    },
    Litmus {
        name: "s",
        threads: &["x = 2; y = 1;", "r1 = y; x = 1;"],
        result: "r1 * 10 + x",
        allowed: &[1, 2, 11],
    },
];

fn text(litmus: &Litmus, kind: &str) -> String {
    let mut out = format!(
        "#include <pthread.h>\n#include <stdatomic.h>\nstatic {kind} x, y;\nstatic int r1, r2, r3, r4;\n"
    );
    for (number, body) in litmus.threads.iter().enumerate() {
        out += &format!("static void *t{number}(void *unused) {{ (void)unused; {body} return 0; }}\n");
    }
    out += "int main(void)\n{\n    pthread_t h[4];\n";
    let each = |line: &str| -> String {
        (0..litmus.threads.len()).map(|n| line.replace('N', &n.to_string())).collect()
    };
    out += &each("    pthread_create(&h[N], 0, tN, 0);\n");
    out += &each("    pthread_join(h[N], 0);\n");
    out += &format!("    (void)r1, (void)r2, (void)r3, (void)r4;\n    return {};\n}}\n", litmus.result);
    out
}

fn check(kind: &str, flags: &[&str]) {
    let directory = format!("litmus-{}-{}", kind.len(), flags.len());
    let braid = Braid {
        binary: PathBuf::from(env!("CARGO_BIN_EXE_braid")),
        scratch: scratch(Path::new(env!("CARGO_TARGET_TMPDIR")), &directory).expect("a directory"),
        environment: Vec::new(),
    };
    for litmus in LITMUS {
        let file = format!("{}.c", litmus.name);
        let explored = braid.explore(&file, &text(litmus, kind), flags).expect("a run");
        let expected: BTreeSet<i32> = litmus.allowed.iter().copied().collect();
        assert_eq!(explored.exits(), expected, "{} with {kind}: {explored:?}", litmus.name);
        assert!(is_safe(&explored.verdict()), "{} with {kind}: {explored:?}", litmus.name);
    }
}

#[test]
fn atomic_variables() {
    check("atomic_int", &["--property", "default"]);
}

#[test]
fn atomic_variables_without_reduction() {
    check("atomic_int", &["--property", "default", "--no-reduction"]);
}

#[test]
fn plain_variables() {
    check("int", &["--property", "assertion,deadlock"]);
}

#[test]
fn plain_variables_without_reduction() {
    check("int", &["--property", "assertion,deadlock", "--no-reduction"]);
}
