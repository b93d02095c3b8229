//! A search that was cut is never SAFE.
//!
//! Families of programs whose violation needs exactly `k` iterations of a loop, `k` nested calls, or `k + 1` threads
//! beside main, for `k` from 1 to 5. Under every smaller bound the answer is UNKNOWN, naming the place and what to try,
//! or UNSAFE; without a bound it is found.

use braid_testkit::differential::scratch;
use braid_testkit::process::Outcome;
use braid_testkit::threads::command::Braid;
use std::path::{Path, PathBuf};

const DEEPEST: u32 = 5;

/// A violation in the iteration of this number.
const ITERATIONS: &str = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint main(void)\n{\n    int i = 0;\n\
    \x20   while (__VERIFIER_nondet_int() > 3) {\n        i++;\n        assert(i != K);\n    }\n    return 0;\n}\n";

/// A violation at this depth of recursion, the first call counted.
const RECURSION: &str = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nstatic void down(int depth)\n{\n\
    \x20   assert(depth != K);\n    if (__VERIFIER_nondet_int() > 3)\n        down(depth + 1);\n}\n\
    int main(void)\n{\n    down(1);\n    return 0;\n}\n";

/// A violation by one thread more than this number.
const THREADS: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
    int __VERIFIER_nondet_int(void);\nstatic atomic_int count;\nstatic void *one(void *unused)\n{\n    (void)unused;\n\
    \x20   int before = atomic_fetch_add(&count, 1);\n    assert(before < K);\n    return 0;\n}\nint main(void)\n{\n\
    \x20   pthread_t id;\n    while (__VERIFIER_nondet_int() > 3)\n        pthread_create(&id, 0, one, 0);\n    return 0;\n}\n";

fn check(name: &str, text: &str, k: u32, flags: &[&str]) -> Outcome {
    let braid = Braid {
        binary: PathBuf::from(env!("CARGO_BIN_EXE_braid")),
        scratch: scratch(Path::new(env!("CARGO_TARGET_TMPDIR")), &format!("bounds-{name}"))
            .expect("a directory"),
        environment: Vec::new(),
    };
    braid.write("a.c", &text.replace('K', &k.to_string())).expect("a file");
    let fixed = ["check", "a.c", "--engine", "order", "--property", "assertion"];
    let args: Vec<&str> = fixed.into_iter().chain(flags.iter().copied()).collect();
    braid.call(&args).expect("a run")
}

fn last(outcome: &Outcome) -> String {
    outcome.stdout_text().lines().last().unwrap_or("").to_string()
}

/// `needed` is the bound that shows the violation for `k`; what is cut is at `place`.
fn never_safe_below(name: &str, text: &str, place: &str, needed: impl Fn(u32) -> u32) {
    for k in 1..=DEEPEST {
        for bound in 1..needed(k) {
            let outcome = check(name, text, k, &["--unwind", &bound.to_string()]);
            let verdict = last(&outcome);
            let tells = verdict.contains(place) && verdict.contains("; try --unwind ");
            let allowed = (outcome.code == 10 && verdict.starts_with("UNSAFE: assertion"))
                || (outcome.code == 5 && verdict.starts_with("UNKNOWN: ") && tells);
            assert!(allowed, "{name}, k = {k}, --unwind {bound}: {verdict}{}", outcome.stderr_text());
        }
        let enough = check(name, text, k, &["--unwind", &needed(k).to_string()]);
        assert!(last(&enough).starts_with("UNSAFE: assertion"), "{name}, k = {k}, enough: {}", last(&enough));
        let found = check(name, text, k, &[]);
        assert!(last(&found).starts_with("UNSAFE: assertion"), "{name}, k = {k}, growing: {}", last(&found));
        assert_eq!(found.code, 10);
    }
}

#[test]
fn iterations() {
    never_safe_below("iterations", ITERATIONS, "a.c:6:", |k| k);
}

#[test]
fn recursion() {
    never_safe_below("recursion", RECURSION, "a.c:7:", |k| k);
}

#[test]
fn threads() {
    never_safe_below("threads", THREADS, "a.c:16:", |k| k + 1);
}

#[test]
fn bounds_that_are_enough_are_discharged() {
    let text = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint main(void)\n{\n    int i = 0;\n\
        \x20   int end = __VERIFIER_nondet_int() & 3;\n    while (i < end)\n        i++;\n    assert(i <= 3);\n    return 0;\n}\n";
    for bound in 1..=4 {
        let verdict = last(&check("enough", text, 0, &["--unwind", &bound.to_string()]));
        match bound {
            0..3 => {
                assert!(verdict.starts_with("UNKNOWN: the loop at a.c:7:"), "--unwind {bound}: {verdict}")
            }
            // Whether the end of the loop counts as an iteration is not said.
            3 => assert!(!verdict.starts_with("UNSAFE"), "--unwind {bound}: {verdict}"),
            _ => assert_eq!(verdict, "SAFE", "--unwind {bound}"),
        }
    }
    assert_eq!(last(&check("enough", text, 0, &[])), "SAFE");
}
