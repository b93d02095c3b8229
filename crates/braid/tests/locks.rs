//! `braid locks`, `braid check --proof` and `braid proof` as commands.

use braid_testkit::differential::scratch;
use braid_testkit::process::Outcome;
use braid_testkit::threads::command::Braid;
use expect_test::expect;
use std::path::{Path, PathBuf};

fn braid(name: &str) -> Braid {
    Braid {
        binary: PathBuf::from(env!("CARGO_BIN_EXE_braid")),
        scratch: scratch(Path::new(env!("CARGO_TARGET_TMPDIR")), &format!("locks-{name}"))
            .expect("a directory"),
        environment: Vec::new(),
    }
}

/// The outcome of a command in a directory that has a program.
fn call(braid: &Braid, text: &str, args: &[&str]) -> Outcome {
    braid.write("a.c", text).expect("a file");
    braid.call(args).expect("a run")
}

fn last(outcome: &Outcome) -> String {
    outcome.stdout_text().lines().last().unwrap_or("").to_string()
}

fn all(outcome: &Outcome) -> String {
    format!("{}{}exit {}\n", outcome.stdout_text(), outcome.stderr_text(), outcome.code)
}

/// A server that starts threads without end. One of four accesses does not hold the lock.
const ODD_ONE: &str = "#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic struct {\n    int hits, misses;\n} stats;\n\
    static void *worker(void *arg)\n{\n    pthread_mutex_lock(&m);\n    stats.hits = 1;\n    stats.misses = 2;\n    pthread_mutex_unlock(&m);\n\
    \x20   return arg;\n}\nint main(void)\n{\n    pthread_t t;\n    while (1) {\n        pthread_create(&t, 0, worker, 0);\n        stats.hits = 0;\n    }\n}\n";

#[test]
fn the_odd_one_out_comes_first() {
    let braid = braid("table");
    let table = call(&braid, ODD_ONE, &["locks", "a.c"]);
    expect![[r#"
        stats.hits: no common lock: m at 1 of 2 accesses, missing at a.c:19 (writes)
            a.c:9:5   writes in worker(), by worker, holding m
            a.c:19:9  writes in main(), by main, no lock held
        stats.misses: m at 1 of 1 access
            a.c:10:5  writes in worker(), by worker, holding m
        exit 0
    "#]]
    .assert_eq(&all(&table));
    let json = call(&braid, ODD_ONE, &["locks", "a.c", "--json"]);
    let table: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(table["braid_locks"], 1);
    assert_eq!(table["variables"][0]["name"], "stats.hits");
    assert_eq!(table["variables"][0]["protection"], "none");
    assert_eq!(table["variables"][0]["held_at"], serde_json::json!([1, 2]));
    assert_eq!(table["variables"][1]["protection"], "lock");
    let page = call(&braid, ODD_ONE, &["locks", "a.c", "--html", "a.html"]);
    assert_eq!(page.code, 0, "{}", all(&page));
    let page = std::fs::read_to_string(braid.scratch.join("a.html")).expect("a page");
    assert!(page.contains("<code>stats.hits</code>"), "{page}");
}

/// Two threads that take two locks in different orders.
const CIRCLE: &str = "#include <pthread.h>\nstatic pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\nstatic void *t(void *arg)\n{\n\
    \x20   pthread_mutex_lock(&a);\n    pthread_mutex_lock(&b);\n    pthread_mutex_unlock(&b);\n    pthread_mutex_unlock(&a);\n    return arg;\n}\n\
    int main(void)\n{\n    pthread_t id;\n    pthread_create(&id, 0, t, 0);\n    pthread_mutex_lock(&b);\n    pthread_mutex_lock(&a);\n\
    \x20   pthread_mutex_unlock(&a);\n    pthread_mutex_unlock(&b);\n    return 0;\n}\n";

#[test]
fn the_lock_order_is_drawn() {
    let drawn = call(&braid("order"), CIRCLE, &["locks", "a.c", "--dot"]);
    expect![[r#"
        digraph locks {
          node [shape=box];
          "a";
          "b";
          "a" -> "b" [label="a.c:6", color=red];
          "b" -> "a" [label="a.c:16", color=red];
        }
        exit 0
    "#]]
    .assert_eq(&all(&drawn));
}

#[test]
fn unknown_names_the_unprotected_variables() {
    let braid = braid("unprotected");
    let flags = ["check", "a.c", "--engine", "lockset", "--property", "data-race"];
    let unknown = call(&braid, ODD_ONE, &flags);
    assert_eq!(unknown.code, 5);
    let text = unknown.stdout_text();
    let line = "unprotected: stats.hits: no common lock: m at 1 of 2 accesses, missing at a.c:19 (writes)\n";
    assert!(text.contains(line), "{text}");
    let json = call(&braid, ODD_ONE, &[&flags[..], &["--json"]].concat());
    let answer: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(answer["unprotected"].as_array().map(Vec::len), Some(1));
}

#[test]
fn proofs_can_be_checked_again() {
    let braid = braid("proof");
    let right = ODD_ONE.replace("        stats.hits = 0;\n", "");
    let written = call(&braid, &right, &["check", "a.c", "--proof", "p.json"]);
    assert_eq!((written.code, last(&written).as_str()), (0, "SAFE"), "{}", all(&written));
    let check = ["proof", "p.json", "a.c"];
    let valid = call(&braid, &right, &check);
    assert_eq!(valid.code, 0, "{}", all(&valid));
    assert!(last(&valid).starts_with("VALID: assertion, data-race, deadlock"), "{}", all(&valid));
    // Another program.
    let another = call(&braid, ODD_ONE, &check);
    assert_eq!(another.code, 2, "{}", all(&another));
    assert!(another.stderr_text().contains("about another program"), "{}", all(&another));
    // A forged proof: nothing is written any more.
    let text = std::fs::read_to_string(braid.scratch.join("p.json")).expect("a proof");
    let forged = text.replace("\"kind\":\"Write\"", "\"kind\":\"Read\"");
    assert_ne!(forged, text);
    braid.write("p.json", &forged).expect("a file");
    let invalid = call(&braid, &right, &check);
    assert_eq!(invalid.code, 10, "{}", all(&invalid));
    assert!(invalid.stdout_text().contains("INVALID: a.c:"), "{}", all(&invalid));
    // No proof at all.
    braid.write("p.json", "{").expect("a file");
    assert_eq!(call(&braid, &right, &check).code, 2);
}

#[test]
fn where_nothing_is_proved_no_proof_is_written() {
    let braid = braid("no-proof");
    let flags = ["check", "a.c", "--engine", "explicit", "--timeout", "1", "--proof", "p.json"];
    let open = call(&braid, ODD_ONE, &flags);
    assert!(open.stderr_text().contains("note: --proof: nothing is proved"), "{}", all(&open));
    assert!(!braid.scratch.join("p.json").exists());
}

/// Programs that `lockset` called safe once, and that no execution can show to be wrong: they look at addresses, or call a
/// function by another type.
const NOT_PROVED: [(&str, &str); 3] = [
    (
        "assertion",
        "#include <assert.h>\n#include <stdlib.h>\nchar *kept;\nint main(void)\n{\n    char *old = 0;\n    for (int i = 0; i < 2; i++) {\n\
         \x20       char *new = malloc(16);\n        kept = new;\n        if (old && old + 16 == new)\n            assert(0);\n        old = new;\n    }\n\
         \x20   return 0;\n}\n",
    ),
    (
        "assertion",
        "#include <assert.h>\n#include <stdint.h>\nint x;\nint main(void)\n{\n    uintptr_t a = (uintptr_t)&x, n = 0 - a;\n\
         \x20   if (a + n == 0)\n        assert(0);\n    return 0;\n}\n",
    ),
    (
        "data-race",
        "#include <pthread.h>\nint a[8];\nvoid *t(unsigned char i)\n{\n    if (i < 8)\n        a[i] = 1;\n    return 0;\n}\nint main(void)\n{\n\
         \x20   pthread_t h;\n    for (long i = 0; i < 300; i++)\n        pthread_create(&h, 0, (void *(*)(void *))t, (void *)i);\n    return 0;\n}\n",
    ),
];

#[test]
fn addresses_and_narrow_arguments_prove_nothing() {
    let braid = braid("not-proved");
    for (property, text) in NOT_PROVED {
        let flags = ["check", "a.c", "--engine", "lockset", "--property", property];
        let outcome = call(&braid, text, &flags);
        assert_eq!(outcome.code, 5, "{text}{}", all(&outcome));
    }
}
