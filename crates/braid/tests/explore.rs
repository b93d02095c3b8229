//! `braid explore` as a command: the examples, bounds, verdicts and exit codes.

use braid_testkit::differential::scratch;
use braid_testkit::threads::command::{Braid, Explored};
use std::path::{Path, PathBuf};

fn braid(name: &str) -> Braid {
    Braid {
        binary: PathBuf::from(env!("CARGO_BIN_EXE_braid")),
        scratch: scratch(Path::new(env!("CARGO_TARGET_TMPDIR")), name).expect("a directory"),
        environment: Vec::new(),
    }
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn explore(name: &str, text: &str, flags: &[&str]) -> Explored {
    braid("explore").explore(name, text, flags).expect("a run")
}

/// The examples and the violations a reader is told to expect: property and line.
const EXAMPLES: &[(&str, &[(&str, u32)])] = &[
    ("lost_update", &[("assertion", 22), ("data-race", 11)]),
    ("check_then_act", &[("assertion", 23)]),
    ("lock_order", &[("deadlock", 16)]),
    ("missed_signal", &[("deadlock", 26)]),
    ("use_after_free", &[("use-after-free", 16), ("invalid-free", 17), ("data-race", 17)]),
    ("double_checked", &[("assertion", 30), ("data-race", 19), ("data-race", 20)]),
    ("aba", &[("assertion", 20)]),
    ("torn_read", &[("assertion", 25), ("data-race", 16)]),
    ("reader_writer", &[("assertion", 14)]),
];

#[test]
fn examples_show_what_they_promise_and_their_twins_are_safe() {
    for (name, expected) in EXAMPLES {
        let read = |file: String| std::fs::read_to_string(examples().join(&file)).expect("an example");
        let broken = explore(&format!("{name}.c"), &read(format!("{name}.c")), &[]);
        assert_eq!(broken.outcome.code, 10, "{name}: {broken:?}");
        for (property, line) in *expected {
            let found = broken.violations();
            assert!(
                found.contains(&(property.to_string(), *line)),
                "{name}: {property} in line {line} in {found:?}"
            );
        }
        let fixed = explore(&format!("{name}_fixed.c"), &read(format!("{name}_fixed.c")), &[]);
        assert_eq!((fixed.verdict().as_str(), fixed.outcome.code), ("SAFE", 0), "{name}_fixed: {fixed:?}");
    }
}

#[test]
fn every_example_is_listed() {
    let mut names: Vec<String> = std::fs::read_dir(examples())
        .expect("the examples")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| !name.contains("_fixed") && name != "ring_buffer.c")
        .collect();
    names.sort();
    let mut listed: Vec<String> = EXAMPLES.iter().map(|(name, _)| format!("{name}.c")).collect();
    listed.sort();
    assert_eq!(names, listed);
}

/// Two threads of `steps` writes to a variable.
fn writers(steps: usize) -> String {
    let body = "x = 1; x = 2;\n".repeat(steps / 2);
    format!(
        "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x;\n\
         static void *t(void *unused)\n{{\n(void)unused;\n{body}return 0;\n}}\n\
         int main(void)\n{{\npthread_t a, b;\npthread_create(&a, 0, t, 0);\npthread_create(&b, 0, t, 0);\n\
         pthread_join(a, 0);\npthread_join(b, 0);\nreturn 0;\n}}\n"
    )
}

#[test]
fn a_cut_search_is_never_safe() {
    let states = explore("states.c", &writers(8), &["--max-states", "20"]);
    assert!(states.verdict().starts_with("UNKNOWN: ") && states.outcome.code == 5, "{states:?}");
    for bound in [["--rounds", "1"], ["--context-bound", "2"]] {
        let bounded = explore("bounded.c", &writers(4), &bound);
        assert!(bounded.verdict().starts_with("UNKNOWN: ") && bounded.outcome.code == 5, "{bounded:?}");
        let accepted = explore("bounded.c", &writers(4), &[bound[0], bound[1], "--bounded-ok"]);
        assert!(accepted.verdict().starts_with("UNKNOWN: ") && accepted.outcome.code == 0, "{accepted:?}");
    }
    let whole = explore("whole.c", &writers(8), &[]);
    assert_eq!((whole.verdict().as_str(), whole.outcome.code), ("SAFE", 0), "{whole:?}");
}

#[test]
fn bounds_wide_enough_cut_nothing() {
    let wide = explore("wide.c", &writers(2), &["--context-bound", "1000"]);
    assert_eq!(wide.verdict(), "SAFE", "{wide:?}");
    let wide = explore("wide.c", &writers(2), &["--rounds", "1000"]);
    assert_eq!(wide.verdict(), "SAFE", "{wide:?}");
}

/// Main starts a thread, and each looks whether the other has gone ahead.
const SWITCHES: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
    static atomic_int turn;\nstatic void *t(void *unused)\n{\n(void)unused;\nif (turn == 1)\nturn = 2;\nreturn 0;\n}\n\
    int main(void)\n{\npthread_t a;\npthread_create(&a, 0, t, 0);\nturn = 1;\nassert(turn != 2);\n\
    pthread_join(a, 0);\nreturn 0;\n}\n";

#[test]
fn bounds_count_switches() {
    // main, thread, main: two changes of the running thread.
    let found = |bound: &str| explore("switches.c", SWITCHES, &["--context-bound", bound]).outcome.code;
    assert_eq!([found("0"), found("1"), found("2")], [5, 5, 10]);
    // Round one: main, thread. Round two: main.
    let found = |bound: &str| explore("switches.c", SWITCHES, &["--rounds", bound]).outcome.code;
    assert_eq!([found("1"), found("2")], [5, 10]);
}

#[test]
fn values_that_were_not_tried_forbid_safe() {
    let text = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint main(void)\n{\n\
                int n = __VERIFIER_nondet_int();\nassert(n != 77);\nreturn 0;\n}\n";
    let cut = explore("values.c", text, &[]);
    assert!(cut.verdict().starts_with("UNKNOWN: ") && cut.outcome.code == 5, "{cut:?}");
    let found = explore("values.c", text, &["--values", "-3,77"]);
    assert_eq!(found.violations(), [("assertion".to_string(), 6)]);
    let all = "int __VERIFIER_nondet_int(void);\n_Bool __VERIFIER_nondet_bool(void);\nint main(void)\n{\n\
               return __VERIFIER_nondet_bool();\n}\n";
    let all = explore("bool.c", all, &[]);
    assert_eq!(all.exits(), [0, 1].into(), "{all:?}");
    assert_eq!(all.verdict(), "SAFE");
}

#[test]
fn what_cannot_be_judged_is_named() {
    let unsupported = "void nowhere(void);\nint main(void)\n{\nnowhere();\nreturn 0;\n}\n";
    let unsupported = explore("unsupported.c", unsupported, &[]);
    let line = unsupported.verdict();
    assert!(
        line.starts_with("UNKNOWN: unsupported: ") && line.contains("nowhere") && line.contains(":4:"),
        "{line}"
    );
    let invalid = "int main(void)\n{\nint *p = 0;\nreturn *p;\n}\n";
    let invalid = explore("invalid.c", invalid, &["--property", "assertion"]);
    assert!(
        invalid.verdict().starts_with("UNKNOWN: invalid access reachable at invalid.c:4:"),
        "{invalid:?}"
    );
}

#[test]
fn race_flags() {
    let text = "#include <pthread.h>\nint x, y;\nvoid __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n\
                static void *t(void *unused)\n{\n(void)unused;\n__VERIFIER_atomic_begin();\nx = 1;\n\
                __VERIFIER_atomic_end();\ny = 1;\nreturn 0;\n}\n\
                int main(void)\n{\npthread_t a;\npthread_create(&a, 0, t, 0);\nx = 2;\ny = 2;\n\
                pthread_join(a, 0);\nreturn 0;\n}\n";
    let lines = |flags: &[&str]| {
        let found = explore("race.c", text, &[&["--property", "data-race"], flags].concat()).violations();
        found.into_iter().map(|(_, line)| line).collect::<Vec<_>>()
    };
    assert_eq!(lines(&[]).len(), 2);
    assert_eq!(lines(&["--race-model", "circ"]).len(), 1);
    assert_eq!(lines(&["--race-on", "x"]).len(), 1);
    assert_eq!(lines(&["--race-on", "x", "--race-model", "circ"]), [0; 0]);
    let unknown = explore("race.c", text, &["--race-on", "nothing"]);
    assert_eq!(unknown.outcome.code, 1);
}

#[test]
fn output_is_deterministic() {
    let text = std::fs::read_to_string(examples().join("double_checked.c")).expect("an example");
    let first = explore("same.c", &text, &[]).outcome;
    let second = explore("same.c", &text, &[]).outcome;
    assert_eq!(first, second);
}

/// The assumptions that are printed for a program.
fn assumptions(name: &str, text: &str, flags: &[&str]) -> String {
    let explored = explore(name, text, flags);
    let output = explored.outcome.stdout_text();
    let line = output.lines().find_map(|line| line.strip_prefix("assumptions: "));
    line.unwrap_or_else(|| panic!("no assumptions: {explored:?}")).to_string()
}

#[test]
fn assumptions_are_named_where_they_are_made() {
    let threads = |body: &str| {
        format!(
            "#include <pthread.h>\nint x, y;\nint f(void) {{ return __atomic_fetch_add(&x, 1, 5); }}\n\
             void *t(void *v) {{ __atomic_store_n(&x, 1, 5); return v; }}\n\
             int main(void) {{ pthread_t p; pthread_create(&p, 0, t, 0); {body} pthread_join(p, 0); return 0; }}\n"
        )
    };
    let always = "sequential consistency, library calls succeed";
    assert_eq!(assumptions("a0.c", &threads("f();"), &[]), always);
    let weaker = assumptions("a1.c", &threads("__atomic_load_n(&x, __ATOMIC_ACQUIRE);"), &[]);
    assert_eq!(weaker, format!("{always}, atomics as seq_cst"));
    let unordered = assumptions("a2.c", &threads("y = f() - f();"), &[]);
    assert_eq!(unordered, format!("{always}, operands left to right"));
    for (index, body) in [
        "int v[2] = {__atomic_load_n(&x, 5), __atomic_load_n(&x, 5)}; (void)v;",
        "struct { int i; } s[9], d[9] = {0}; s[__atomic_load_n(&x, 5)] = d[__atomic_load_n(&x, 5)];",
        "static int (*_Atomic g)(int); if (g) g(__atomic_load_n(&x, 5));",
        "static _Atomic int z[9]; z[__atomic_load_n(&x, 5)] += __atomic_load_n(&x, 5);",
    ]
    .iter()
    .enumerate()
    {
        let named = assumptions(&format!("b{index}.c"), &threads(body), &[]);
        assert_eq!(named, format!("{always}, operands left to right"), "{body}");
    }
    let one_thread = "int x; int f(void) { return x++; } int main(void) { return f() - f(); }";
    assert_eq!(assumptions("a3.c", one_thread, &["--property", "none"]), "sequential consistency");
    let lifted = assumptions("a4.c", &threads("f();"), &["--calls-may-fail"]);
    assert_eq!(lifted, "sequential consistency");
}

#[test]
fn allocation_fails_where_asked() {
    let text = "#include <stdlib.h>\nint main(void) { int *m = malloc(4); *m = 1; free(m); return 0; }\n";
    assert_eq!(assumptions("m0.c", text, &[]), "sequential consistency, malloc succeeds");
    assert_eq!(explore("m1.c", text, &[]).outcome.code, 0);
    let failing = explore("m2.c", text, &["--malloc-may-fail"]);
    assert_eq!(failing.violations(), [("null-deref".to_string(), 2)]);
    assert_eq!(assumptions("m3.c", text, &["--malloc-may-fail"]), "sequential consistency");
}

#[test]
fn what_a_model_leaves_out_forbids_safe() {
    let text = "#include <locale.h>\nint main(void) { return setlocale(LC_ALL, \"de_DE\") != 0; }\n";
    let explored = explore("setlocale.c", text, &[]);
    assert_eq!(explored.outcome.code, 5, "{explored:?}");
    assert!(explored.verdict().contains("setlocale: a locale other than C may exist"), "{explored:?}");
}

#[test]
fn a_violation_of_a_cut_search_is_not_called_the_only_one() {
    let text = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\n\
                int main(void) { assert(__VERIFIER_nondet_int() != 1); return 0; }\n";
    let explored = explore("cut.c", text, &[]);
    assert_eq!(explored.outcome.code, 10);
    let output = explored.outcome.stdout_text();
    assert!(output.contains("the list may be incomplete: not every value was tried"), "{output}");
}

/// What a section would wait for, and with whom it races, shows in the state before it, even if the bound
/// keeps it from running.
#[test]
fn bounds_do_not_hide_what_sections_are_about_to_do() {
    let cycle = "#include <pthread.h>\n\
        pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n\
        void *t(void *v) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a);\n\
        pthread_mutex_unlock(&b); return v; }\n\
        int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); pthread_mutex_lock(&a);\n\
        pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); pthread_exit(0); }\n";
    let race = "#include <pthread.h>\nvoid __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);\n\
        int x;\nvoid *t(void *v) { __VERIFIER_atomic_begin(); x = 1; __VERIFIER_atomic_end(); return v; }\n\
        int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); x = 2; pthread_exit(0); }\n";
    for (name, text, check, bound) in
        [("cycle.c", cycle, "deadlock", "1"), ("race.c", race, "data-race", "0")]
    {
        let explored = explore(name, text, &["--context-bound", bound, "--property", check]);
        let found: Vec<String> = explored.violations().into_iter().map(|(check, _)| check).collect();
        assert_eq!(found, [check], "{explored:?}");
    }
}

#[test]
fn waits_end_for_no_reason_where_asked() {
    let text = "#include <assert.h>\n#include <pthread.h>\n\
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\npthread_cond_t c = PTHREAD_COND_INITIALIZER;\nint ready;\n\
        void *t(void *v) { pthread_mutex_lock(&m); if (!ready) pthread_cond_wait(&c, &m);\n\
        assert(ready);\n pthread_mutex_unlock(&m); return v; }\n\
        int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); pthread_mutex_lock(&m); ready = 1;\n\
        pthread_cond_signal(&c); pthread_mutex_unlock(&m); pthread_join(p, 0); return 0; }\n";
    assert_eq!(
        assumptions("w0.c", text, &[]),
        "sequential consistency, no spurious wake-ups, library calls succeed"
    );
    assert_eq!(explore("w1.c", text, &[]).outcome.code, 0);
    let woken = explore("w2.c", text, &["--spurious-wakeups"]);
    assert_eq!(woken.violations(), [("assertion".to_string(), 7)]);
    let loops = text.replace("if (!ready)", "while (!ready)");
    assert_eq!(explore("w3.c", &loops, &["--spurious-wakeups"]).outcome.code, 0);
    assert_eq!(
        assumptions("w4.c", &loops, &["--spurious-wakeups"]),
        "sequential consistency, library calls succeed"
    );
}
