//! What `SAFE` says besides the word: what was checked and what was not, how many threads there are, why no bound is
//! left open, that weaker memory orders were taken for `seq_cst`, and notes on what the proof says little about.

use braid_testkit::differential::scratch;
use braid_testkit::process::Outcome;
use braid_testkit::threads::command::Braid;
use std::path::{Path, PathBuf};

fn call(name: &str, text: &str, args: &[&str]) -> Outcome {
    let braid = Braid {
        binary: PathBuf::from(env!("CARGO_BIN_EXE_braid")),
        scratch: scratch(Path::new(env!("CARGO_TARGET_TMPDIR")), &format!("proofs-{name}"))
            .expect("a directory"),
        environment: Vec::new(),
    };
    braid.write("a.c", text).expect("a file");
    braid.call(args).expect("a run")
}

fn check(name: &str, text: &str, flags: &[&str]) -> Outcome {
    let args: Vec<&str> = ["check", "a.c"].into_iter().chain(flags.iter().copied()).collect();
    call(name, text, &args)
}

/// The lines of standard output, the last one first.
fn lines(outcome: &Outcome) -> Vec<String> {
    outcome.stdout_text().lines().rev().map(str::to_string).collect()
}

/// Two threads that add to a counter under an atomic operation of the given order.
fn counting(order: &str) -> String {
    format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int count;\n\
         static void *add(void *unused)\n{{\n    atomic_fetch_add_explicit(&count, 1, {order});\n    return unused;\n}}\n\
         int main(void)\n{{\n    pthread_t a, b;\n    pthread_create(&a, 0, add, 0);\n    pthread_create(&b, 0, add, 0);\n\
         \x20   pthread_join(a, 0);\n    pthread_join(b, 0);\n    assert(count == 2);\n    return 0;\n}}\n"
    )
}

const SEQ_CST: &str = "memory_order_seq_cst";

#[test]
fn a_proof_lists_properties_threads_and_bounds() {
    let text = counting(SEQ_CST);
    let property = ["--property", "all"];
    let by = |engine: &str| {
        let outcome = check("all", &text, &[property[0], property[1], "--engine", engine]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr_text());
        lines(&outcome)
    };
    for (engine, bounds) in [
        ("explicit", "none (every interleaving was run)"),
        ("order", "none (order: no execution goes beyond bound 1)"),
    ] {
        let lines = by(engine);
        assert_eq!(lines[0], "SAFE");
        assert!(lines[1].starts_with("assumptions: sequential consistency"), "{}", lines[1]);
        assert!(lines[2].starts_with("checked: assertion, data-race, deadlock, "), "{}", lines[2]);
        let end = format!("; not checked: livelock; threads: 3; bounds: {bounds}");
        assert!(lines[2].ends_with(&end), "{}", lines[2]);
    }
}

#[test]
fn what_is_not_checked_is_named() {
    let outcome = check("some", &counting(SEQ_CST), &["--property", "assertion,shift"]);
    let line = &lines(&outcome)[2];
    assert!(line.starts_with("checked: assertion, shift; not checked: data-race, deadlock, "), "{line}");
    let none = check("none", "int main(void) { return 0; }\n", &["--property", "none"]);
    assert!(lines(&none)[2].starts_with("checked: nothing; not checked: assertion, "), "{:?}", lines(&none));
    assert!(lines(&none)[2].contains("; threads: 1; "), "{:?}", lines(&none));
}

#[test]
fn explore_says_the_same() {
    let outcome = call("explore", &counting(SEQ_CST), &["explore", "a.c", "--property", "assertion"]);
    let lines = lines(&outcome);
    assert_eq!(lines[0], "SAFE");
    assert!(lines[2].starts_with("checked: assertion; not checked: "), "{lines:?}");
    assert!(lines[2].ends_with("; threads: 3; bounds: none (every interleaving was run)"), "{lines:?}");
}

#[test]
fn other_verdicts_have_no_such_line() {
    let wrong = counting(SEQ_CST).replace("count == 2", "count == 1");
    for (text, flags, code) in [
        (wrong.as_str(), &["--property", "assertion"][..], 10),
        (counting(SEQ_CST).as_str(), &["--engine", "explicit", "--context-bound", "1"][..], 5),
    ] {
        let outcome = check("others", text, flags);
        assert_eq!(outcome.code, code, "{}", outcome.stdout_text());
        assert!(!outcome.stdout_text().contains("not checked:"), "{}", outcome.stdout_text());
    }
}

#[test]
fn weaker_orders_stand_in_the_verdict_line() {
    for order in ["memory_order_relaxed", "memory_order_acq_rel"] {
        for engine in ["explicit", "order"] {
            let outcome = check("weak", &counting(order), &["--engine", engine]);
            assert_eq!(outcome.code, 0, "{}", outcome.stderr_text());
            let lines = lines(&outcome);
            assert_eq!(lines[0], "SAFE (sequential consistency only)", "{order} {engine}");
            assert!(lines[1].contains(", atomics as seq_cst"), "{}", lines[1]);
        }
        let explored = call("weak", &counting(order), &["explore", "a.c"]);
        assert_eq!(lines(&explored)[0], "SAFE (sequential consistency only)");
    }
    assert_eq!(lines(&check("strong", &counting(SEQ_CST), &[]))[0], "SAFE");
}

/// The words of SV-COMP and the exit code stay as they are.
#[test]
fn result_words_stay() {
    let text = counting("memory_order_relaxed");
    let braid = call("word", &text, &["check", "a.c", "--property", "assertion"]);
    assert_eq!(braid.code, 0);
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("proofs-word");
    std::fs::write(scratch.join("race.prp"), "CHECK( init(main()), LTL(G ! data-race) )\n").expect("a file");
    let outcome = std::process::Command::new(env!("CARGO_BIN_EXE_braid"))
        .args(["check", "a.c", "--prop", "race.prp"])
        .current_dir(&scratch)
        .output()
        .expect("a run");
    let text = String::from_utf8_lossy(&outcome.stdout).into_owned();
    let last: Vec<&str> = text.lines().rev().take(2).collect();
    assert_eq!(last, ["true", "SAFE (sequential consistency only)"]);
    assert_eq!(outcome.status.code(), Some(0));
}

#[test]
fn json_has_the_same_facts() {
    let text = counting("memory_order_relaxed");
    for (engine, bound) in [("explicit", serde_json::Value::Null), ("order", 1.into())] {
        let outcome = check("json", &text, &["--json", "--property", "assertion", "--engine", engine]);
        let answer: serde_json::Value = serde_json::from_str(&outcome.stdout_text()).expect("JSON");
        assert_eq!(answer["verdict"], "SAFE");
        assert_eq!(answer["sequential_consistency_only"], true);
        assert_eq!(answer["properties"], serde_json::json!(["assertion"]));
        let unchecked = answer["not_checked"].as_array().expect("a list");
        assert!(unchecked.contains(&"data-race".into()) && !unchecked.contains(&"assertion".into()));
        assert_eq!(answer["coverage"]["threads"], 3);
        assert_eq!(answer["coverage"]["engine"], engine);
        assert_eq!(answer["coverage"]["bound"], bound);
    }
}

/// An assumption that never holds, assertions behind it and in dead code, a thread that is never started, and one that
/// `main` does not wait for. `WRONG` stands for the value that is assumed, `JOIN` for the wait.
const VACUOUS: &str = "#include <assert.h>\n#include <pthread.h>\nextern void __VERIFIER_assume(int);\n\
    void reach_error(void) { assert(0); }\nvoid check(int c) { if (!c) { reach_error(); } }\nint g, late;\n\
    void *runs(void *a) { late = 1; return a; }\nvoid *never(void *a) { assert(g == 1); return a; }\nint main(void)\n{\n\
    \x20   pthread_t a, b;\n    int x = 1;\n    check(x);\n    pthread_create(&a, 0, runs, 0);\n    if (GO) {\n\
    \x20       pthread_create(&b, 0, never, 0);\n    }\n    __VERIFIER_assume(x == VALUE);\n    assert(x == VALUE);\n    JOIN;\n\
    \x20   return 0;\n}\n";

fn vacuous(go: &str, value: &str, join: &str) -> String {
    VACUOUS.replace("GO", go).replace("VALUE", value).replace("JOIN", join)
}

/// The notes of a proof by an engine.
fn notes_of(name: &str, text: &str, engine: &str) -> Vec<String> {
    let outcome = check(name, text, &["--engine", engine, "--property", "assertion"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stdout_text());
    let text = outcome.stdout_text();
    text.lines().filter_map(|line| line.strip_prefix("note: ")).map(str::to_string).collect()
}

#[test]
fn what_a_proof_says_little_about_is_noted() {
    for engine in ["explicit", "order"] {
        let mut notes = notes_of("vacuous", &vacuous("g", "2", "pthread_join(a, 0)"), engine);
        if engine == "explicit" {
            // The search sees how executions end; the formula does not ask.
            assert_eq!(notes.pop().as_deref(), Some("a.c:9:5: no execution ends"));
        }
        assert_eq!(
            notes,
            [
                "a.c:8:24: no execution reaches this assertion",
                "a.c:16:9: no execution starts a thread in 'never'",
                "a.c:18:5: no execution passes this assumption",
                "a.c:19:5: no execution reaches this assertion",
            ],
            "{engine}"
        );
        // The repaired twin: every assertion is reached, the assumption holds, the thread runs.
        let right = vacuous("1", "1", "pthread_join(a, 0); pthread_join(b, 0)").replace("g == 1", "g == 0");
        assert_eq!(notes_of("sound", &right, engine), Vec::<String>::new(), "{engine}");
    }
}

#[test]
fn a_thread_that_main_does_not_wait_for_is_noted() {
    let note = "a.c:9:5: 'main' may return while other threads run, which ends them";
    let is_noted = |name: &str, join: &str, engine: &str| {
        let text = vacuous("0", "1", join).replace("int g, late;", "void exit(int); int g, late;");
        notes_of(name, &text, engine).iter().any(|line| line == note)
    };
    for engine in ["explicit", "order"] {
        assert!(is_noted("left", "(void)0", engine), "{engine}");
        assert!(is_noted("perhaps", "if (late) pthread_join(a, 0)", engine), "{engine}");
        assert!(!is_noted("joined", "pthread_join(a, 0)", engine), "{engine}");
        // It has done all there is to do, and still has to end.
        assert!(is_noted("seen", "__VERIFIER_assume(late)", engine), "{engine}");
        // A thread that goes on after main's own end is waited for, and a call of exit is no return.
        assert!(!is_noted("ended", "pthread_exit(0)", engine), "{engine}");
        assert!(!is_noted("exit", "exit(0)", engine), "{engine}");
    }
}

/// The first operand of `||` and `&&` may decide a condition: it was evaluated all the same. An `if` around an assertion is
/// no part of its condition.
#[test]
fn an_assertion_is_reached_once_its_first_operand_is_evaluated() {
    let program = |body: &str| {
        format!(
            "#include <assert.h>\nextern void abort(void);\nextern void reach_error(void);\nint x, y;\n\
             int main(void)\n{{\n    {body}\n    return 0;\n}}\n"
        )
    };
    let reached = [
        "assert(x == 0 || x == 1);",
        "assert(!(x && y));",
        "assert((x == 0 || y) && (y == 0 || x));",
        "assert((x && y) || !x || y);",
        "assert(x == 0\n        || y == 1\n        || y == 2);",
        "if (!(x == 0 || y == 1)) reach_error();",
        "if (x && y) { reach_error(); abort(); }",
        "if (!x) assert(x == 0 || x == 1);",
    ];
    let missed = [
        "if (x) assert(x == 0 || x == 1);",
        "if (x && y) assert(x == 0 || y == 1);",
        "if (x)\n        if (y == 0 || y == 1)\n            assert(y == 0 || y == 1);",
    ];
    for engine in ["explicit", "order"] {
        for body in reached {
            assert_eq!(
                notes_of("operands", &program(body), engine),
                Vec::<String>::new(),
                "{engine}: {body}"
            );
        }
        for body in missed {
            let notes = notes_of("operands", &program(body), engine);
            assert_eq!(notes.len(), 1, "{engine}: {body}");
            assert!(notes[0].ends_with("no execution reaches this assertion"), "{engine}: {body}");
        }
    }
}

/// A program whose thread sets `x` and ends the program in one step: nobody sees the value, though a formula goes on.
fn ended_when_set(rest: &str) -> String {
    "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n\
     extern void __VERIFIER_atomic_begin(void);\natomic_int x;\nint z;\n\
     void *f(void *a) { __VERIFIER_atomic_begin(); x = 1; exit(0); }\n\
     int main(void)\n{\n    pthread_t t;\n    pthread_create(&t, 0, f, 0);\n    REST\n    return 0;\n}\n"
        .replace("REST", rest)
}

#[test]
fn steps_after_the_end_of_the_program_do_not_count() {
    let seen = ended_when_set("if (x) { z++; assert(z == 1); }\n    pthread_join(t, 0);");
    let returns = ended_when_set("while (!x) { }");
    for engine in ["explicit", "order", "seq"] {
        let notes = notes_of("after-exit", &seen, engine);
        assert_eq!(notes, ["a.c:13:19: no execution reaches this assertion"], "{engine}");
        let notes = notes_of("no-return", &returns, engine);
        assert_eq!(notes, Vec::<String>::new(), "{engine}");
    }
}

/// `main` may return before a thread comes to the assumption that stops it.
#[test]
fn a_thread_that_an_assumption_will_stop_is_left_running() {
    let text = "#include <pthread.h>\nextern void __VERIFIER_assume(int);\n\
                void *f(void *a) { __VERIFIER_assume(0); return a; }\n\
                int main(void)\n{\n    pthread_t t;\n    pthread_create(&t, 0, f, 0);\n    return 0;\n}\n";
    for engine in ["explicit", "order", "seq"] {
        let notes = notes_of("stopped", text, engine);
        let expected = [
            "a.c:3:20: no execution passes this assumption",
            "a.c:4:5: 'main' may return while other threads run, which ends them",
        ];
        assert_eq!(notes, expected, "{engine}");
    }
}

/// A formula has the threads of all executions; the proof tells those of the largest one.
#[test]
fn threads_are_those_of_the_largest_execution() {
    let program = |body: &str| {
        format!(
            "#include <pthread.h>\n#include <stdlib.h>\nextern _Bool __VERIFIER_nondet_bool(void);\n\
             void *f(void *a) {{ return a; }}\nint main(void)\n{{\n    pthread_t t, u;\n    {body}\n    return 0;\n}}\n"
        )
    };
    let either = "if (__VERIFIER_nondet_bool()) pthread_create(&t, 0, f, 0); else pthread_create(&t, 0, f, (void *)1);";
    for (body, threads) in [
        (either.to_string(), 2),
        (format!("{either} pthread_create(&u, 0, f, 0);"), 3),
        (format!("if (__VERIFIER_nondet_bool()) exit(0); {either}"), 2),
        (
            "for (int i = 0; i < 3; i++) if (__VERIFIER_nondet_bool()) pthread_create(&t, 0, f, 0);"
                .to_string(),
            4,
        ),
        ("(void)t;".to_string(), 1),
    ] {
        for engine in ["explicit", "order", "seq"] {
            let outcome = check("largest", &program(&body), &["--engine", engine, "--property", "assertion"]);
            let text = outcome.stdout_text();
            assert!(text.contains(&format!("; threads: {threads}; ")), "{engine}: {body}\n{text}");
        }
    }
}

/// Values that nobody enumerates: only the formula knows that none passes.
#[test]
fn assumptions_on_open_values_are_looked_at() {
    let program = |condition: &str| {
        format!(
            "#include <assert.h>\nextern void __VERIFIER_assume(int);\nextern int __VERIFIER_nondet_int(void);\nint main(void)\n{{\n\
             \x20   int x = __VERIFIER_nondet_int();\n    __VERIFIER_assume({condition});\n    assert(x > 4);\n    return 0;\n}}\n"
        )
    };
    let notes = notes_of("open", &program("x > 5 && x < 3"), "order");
    let (assumption, assertion) =
        ("a.c:7:5: no execution passes this assumption", "a.c:8:5: no execution reaches this assertion");
    assert_eq!(notes, [assumption, assertion]);
    assert_eq!(notes_of("open", &program("x > 5 && x < 9"), "order"), Vec::<String>::new());
}

#[test]
fn notes_are_in_json() {
    let text = vacuous("g", "2", "pthread_join(a, 0)");
    let outcome = check("json-notes", &text, &["--json", "--property", "assertion"]);
    let answer: serde_json::Value = serde_json::from_str(&outcome.stdout_text()).expect("JSON");
    let notes = answer["coverage"]["notes"].as_array().expect("a list");
    let kinds: Vec<&str> = notes.iter().filter_map(|note| note["kind"].as_str()).collect();
    let expected = [
        "assertion-not-reached",
        "thread-never-started",
        "assume-never-holds",
        "assertion-not-reached",
        "never-ends",
    ];
    assert_eq!(kinds, expected);
    assert_eq!(notes[2]["place"], serde_json::json!({"file": "a.c", "line": 18, "column": 5}));
}
