//! `braid check` as a command: answers, exit codes, flags, property files, JSON, and bad input.

use braid_testkit::check::command::shown_violation;
use braid_testkit::differential::scratch;
use braid_testkit::process::Outcome;
use braid_testkit::threads::command::Braid;
use expect_test::{Expect, expect};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn braid(name: &str) -> Braid {
    Braid {
        binary: PathBuf::from(env!("CARGO_BIN_EXE_braid")),
        scratch: scratch(Path::new(env!("CARGO_TARGET_TMPDIR")), &format!("check-{name}"))
            .expect("a directory"),
        environment: Vec::new(),
    }
}

fn check(name: &str, text: &str, flags: &[&str]) -> Outcome {
    let braid = braid(name);
    braid.write("a.c", text).expect("a file");
    let args: Vec<&str> = ["check", "a.c"].into_iter().chain(flags.iter().copied()).collect();
    braid.call(&args).expect("a run")
}

fn last(outcome: &Outcome) -> String {
    outcome.stdout_text().lines().last().unwrap_or("").to_string()
}

/// Exit code, standard output, standard error.
fn all(outcome: &Outcome) -> String {
    format!("{}{}exit {}\n", outcome.stdout_text(), outcome.stderr_text(), outcome.code)
}

/// The files in a test's directory, as an earlier run left it.
fn left_in(name: &str) -> Vec<String> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("check-{name}"));
    let entries = std::fs::read_dir(directory).expect("the directory");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn expect_all(outcome: &Outcome, expected: &Expect) {
    expected.assert_eq(&all(outcome));
}

const SAFE: &str =
    "#include <assert.h>\nint main(void)\n{\n    int x = 1;\n    assert(x == 1);\n    return 0;\n}\n";
const UNSAFE: &str =
    "#include <assert.h>\nint main(void)\n{\n    int x = 1;\n    assert(x == 2);\n    return 0;\n}\n";
/// Sorts two addresses.
const SORTS: &str = "#include <assert.h>\n#include <stdlib.h>\nint main(void)\n{\n    char *a = malloc(1), *b = malloc(1);\n\
    \x20   if (a > b) {\n        char *c = a;\n        a = b;\n        b = c;\n    }\n    assert(a < b);\n    free(a);\n\
    \x20   free(b);\n    return 0;\n}\n";

#[test]
fn addresses_may_be_fixed() {
    let any = check("addresses", SORTS, &["--engine", "explicit"]);
    assert_eq!((any.code, last(&any).as_str()), (5, "UNKNOWN: control depends on addresses at a.c:6:9"));
    let fixed = check("addresses", SORTS, &["--addresses", "fixed"]);
    assert_eq!((fixed.code, last(&fixed).as_str()), (0, "SAFE"));
    assert!(fixed.stdout_text().contains("addresses by allocation order"), "{}", all(&fixed));
    // The order is that of the allocations, so the branch is not taken.
    let taken = SORTS.replace("char *c = a;", "assert(0); char *c = a;");
    assert_eq!(check("addresses", &taken, &["--addresses", "fixed"]).code, 0);
    assert_eq!(check("addresses", SORTS, &["--addresses", "some"]).code, 1);
}

const OVERFLOW: &str = "int main(void)\n{\n    int x = 2147483647;\n    x++;\n    return 0;\n}\n";

/// Two threads that count without a lock.
const RACE: &str = "#include <pthread.h>\nint count;\nstatic void *t(void *unused)\n{\n    (void)unused;\n    count++;\n\
    \x20   return 0;\n}\nint main(void)\n{\n    pthread_t a, b;\n    pthread_create(&a, 0, t, 0);\n\
    \x20   pthread_create(&b, 0, t, 0);\n    pthread_join(a, 0);\n    pthread_join(b, 0);\n    return 0;\n}\n";

/// Many more interleavings than the searches have room for.
const WIDE: &str = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int a[4];\nstatic void *t(void *n)\n{\n\
    \x20   for (int i = 0; i < 9; i++)\n        a[(i + (int)(long)n) % 4] = a[i % 4] * 3 + i + (int)(long)n;\n    return 0;\n}\nint main(void)\n{\n\
    \x20   pthread_t id;\n    for (long i = 0; i < 4; i++)\n        pthread_create(&id, 0, t, (void *)i);\n    return 0;\n}\n";

#[test]
fn the_three_answers() {
    expect_all(
        &check("answers", SAFE, &[]),
        &expect![[r#"
            checked: assertion, data-race, deadlock, lock-misuse, thread-misuse, null-deref, out-of-bounds, use-after-free, invalid-free, division-by-zero; not checked: memory-leak, memory-cleanup, signed-overflow, shift; threads: 1; bounds: none (every interleaving was run)
            assumptions: sequential consistency
            SAFE
            exit 0
        "#]],
    );
    expect_all(
        &check("answers", UNSAFE, &[]),
        &expect![[r#"
            a.c:5:5: violation: assertion 'x == 2' failed [assertion]
             5 |     assert(x == 2);
               |     ^
              in 'main' at a.c:5:5

              step  line   main
                 1     4   int x = 1;
                             x = 1
                 2     5   assert(x == 2);
                             ✗ assertion 'x == 2' failed

            To replay a violation, write its schedule with --schedule-out and give it to 'braid run --schedule'.
            assumptions: sequential consistency
            UNSAFE: assertion at a.c:5:5
            exit 10
        "#]],
    );
    let unsupported = "void nowhere(void);\nint main(void)\n{\n    nowhere();\n    return 0;\n}\n";
    let outcome = check("answers", unsupported, &[]);
    expect![[r#"
        next: give the file that defines 'nowhere', or --nondet-undefined: it then returns any value and changes nothing
        assumptions: sequential consistency
        UNKNOWN: unsupported: call of 'nowhere': no definition and no model at a.c:4:5
    "#]]
    .assert_eq(&outcome.stdout_text());
    assert_eq!(outcome.code, 5);
}

#[test]
fn an_undefined_function_may_return_any_value() {
    let text = "int level(int, ...);\nvoid die(void) __attribute__((noreturn)); int __CPROVER_uninterpreted_f(int);\n#include <assert.h>\n\
                int main(void)\n{\n    int (*by_address)(int, ...) = level;\n    int once = level(1), again = by_address(2);\n\
                    if (once < again) WHEN_LESS;\n    return 0;\n}\n";
    let verdict = |action: &str| {
        let program = text.replace("WHEN_LESS", action);
        let outcome = check("undefined", &program, &["--nondet-undefined", "--schedule-out", "out.json"]);
        let text = outcome.stdout_text();
        (outcome.code, text.lines().rev().take(2).map(str::to_string).collect::<Vec<_>>())
    };
    let assumptions =
        "assumptions: sequential consistency, undefined functions return any value and change nothing"
            .to_string();
    assert_eq!(verdict("assert(again != once)"), (0, vec!["SAFE".to_string(), assumptions.clone()]));
    let found = "UNSAFE: assertion at a.c:8:19".to_string();
    assert_eq!(verdict("assert(once != 5 || again != 7)"), (10, vec![found.clone(), assumptions.clone()]));
    let again = braid_at("undefined", &["run", "a.c", "--nondet-undefined", "--schedule", "out.json"]);
    assert_eq!((again.code, again.last_line()), (10, found));
    // Of these it is known that they are functions of their arguments.
    assert_eq!(verdict("assert(__CPROVER_uninterpreted_f(1))").1[0], "UNSAFE: assertion at a.c:8:19");
    assert_eq!(verdict("assert(__CPROVER_uninterpreted_f(1) == __CPROVER_uninterpreted_f(1))").1[0], "SAFE");
    // One that does not return has no value.
    let stops = "UNKNOWN: unsupported: call of 'die': no definition and no model at a.c:8:19".to_string();
    assert_eq!(verdict("die()"), (5, vec![stops, assumptions]));
}

#[test]
fn a_schedule_replays() {
    let outcome = check("replay", OVERFLOW, &["--overflow-check", "--schedule-out", "out.json"]);
    let text = outcome.stdout_text();
    let line = text.lines().find_map(|line| line.strip_prefix("  replay: braid ")).expect("how to replay");
    assert_eq!(outcome.code, 10, "{text}");
    let words: Vec<&str> = line.split(' ').collect();
    let again = braid_at("replay", &words);
    assert_eq!((again.code, again.last_line().as_str()), (10, "UNSAFE: signed-overflow at a.c:4:5"));
}

/// Calls the binary in the directory of an earlier run, as it was left.
fn braid_at(name: &str, args: &[&str]) -> Outcome {
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_braid"));
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("check-{name}"));
    Braid { binary, scratch, environment: Vec::new() }.call(args).expect("a run")
}

#[test]
fn every_example_is_decided() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for entry in std::fs::read_dir(examples).expect("the examples") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("an example");
        let expected = if name.contains("_fixed") { 0 } else { 10 };
        let outcome = check("examples", &text, &[]);
        assert_eq!(outcome.code, expected, "{name}: {}", all(&outcome));
    }
}

#[test]
fn flags_choose_properties() {
    let code = |text: &str, flags: &[&str]| check("properties", text, flags).code;
    assert_eq!([code(OVERFLOW, &[]), code(OVERFLOW, &["--overflow-check"])], [0, 10]);
    assert_eq!([code(RACE, &[]), code(RACE, &["--property", "deadlock"])], [10, 0]);
    assert_eq!(code(RACE, &["--property", "none", "--data-races-check"]), 10);
    assert_eq!(code(RACE, &["--race-on", "count"]), 10);
    let leak = "#include <stdlib.h>\nint main(void)\n{\n    malloc(3);\n    return 0;\n}\n";
    assert_eq!([code(leak, &[]), code(leak, &["--memory-leak-check"])], [0, 10]);
    let may_fail = "#include <stdlib.h>\nint main(void)\n{\n    *(char *)malloc(3) = 1;\n    return 0;\n}\n";
    assert_eq!([code(may_fail, &[]), code(may_fail, &["--malloc-may-fail"])], [0, 10]);
    // What is not checked is still no ground for a proof.
    let divide = "int zero;\nint main(void)\n{\n    return 1 / zero;\n}\n";
    assert_eq!([code(divide, &[]), code(divide, &["--no-div-by-zero-check"])], [10, 5]);
    let outside = "int a[2], i = 2;\nint main(void)\n{\n    return a[i];\n}\n";
    assert_eq!([code(outside, &[]), code(outside, &["--no-bounds-check"])], [10, 5]);
    let null = "int *p;\nint main(void)\n{\n    return *p;\n}\n";
    assert_eq!([code(null, &[]), code(null, &["--no-pointer-check"])], [10, 5]);
}

#[test]
fn a_function_instead_of_main() {
    let text = "#include <assert.h>\nint half(_Bool odd)\n{\n    assert(!odd);\n    return 0;\n}\n";
    assert_eq!(last(&check("function", text, &["--function", "half"])), "UNSAFE: assertion at a.c:4:5");
    let missing = check("function", text, &["--function", "double"]);
    expect_all(
        &missing,
        &expect![[r#"
        error: the program has no function 'double' [no-entry]
        note: use '--function NAME' to begin in another function
        1 error
        exit 2
    "#]],
    );
}

#[test]
fn labels_and_calls_as_errors() {
    let text = "int main(int argc, char **argv)\n{\n    (void)argv;\n    if (argc == 2)\n        goto ERROR;\n\
                \x20   return 0;\nERROR:\n    return 1;\n}\n";
    let code = |flags: &[&str]| check("labels", text, flags).code;
    assert_eq!(code(&["--error-label", "ERROR"]), 0);
    assert_eq!(code(&["--error-label", "ERROR", "--", "x"]), 10);
    assert_eq!(code(&["--", "x"]), 0);
    let text = "void oops(void) {}\nint main(void)\n{\n    oops();\n    return 0;\n}\n";
    assert_eq!(last(&check("labels", text, &["--error-call", "oops"])), "UNSAFE: assertion at a.c:4:5");
    let text =
        "void oops(void) {}\nint main(void)\n{\n    void (*p)(void) = oops;\n    p();\n    return 0;\n}\n";
    assert_eq!(check("labels", text, &["--error-call", "oops"]).code, 10);
}

/// Checks a text with a property file that has these formulas.
fn with_prp(name: &str, text: &str, formulas: &[&str]) -> Outcome {
    let braid = braid(name);
    let lines: Vec<String> =
        formulas.iter().map(|f| format!("CHECK( init(main()), LTL({f}) )\n\n")).collect();
    braid.write("a.c", text).expect("a file");
    braid.write("a.prp", &lines.concat()).expect("a file");
    braid.call(&["check", "a.c", "--prop", "a.prp"]).expect("a run")
}

#[test]
fn property_files_and_result_words() {
    let reach = "G ! call(reach_error())";
    let answer = |text: &str, formulas: &[&str]| {
        let outcome = with_prp("prp", text, formulas);
        format!("{} {}", last(&outcome), outcome.code)
    };
    let failing = "#include <assert.h>\nvoid reach_error(void) { assert(0); }\nint main(int argc, char **argv)\n{\n\
                   \x20   (void)argv;\n    assert(argc == 7);\n    reach_error();\n    return 0;\n}\n";
    assert_eq!(answer(failing, &[reach]), "true 0", "a failing assert ends the program, no more");
    let calling = "void reach_error(void) {}\nint main(void)\n{\n    reach_error();\n    return 0;\n}\n";
    assert_eq!(answer(calling, &[reach]), "false(unreach-call) 10");
    assert_eq!(answer(calling, &["G ! call(__VERIFIER_error())"]), "true 0");
    assert_eq!(answer(RACE, &["G ! data-race"]), "false(no-data-race) 10");
    assert_eq!(answer(OVERFLOW, &["G ! overflow"]), "false(no-overflow) 10");
    let memory = ["G valid-free", "G valid-deref", "G valid-memtrack"];
    let null = "int *p;\nint main(void)\n{\n    return *p;\n}\n";
    assert_eq!(answer(null, &memory), "false(valid-deref) 10");
    let free = "#include <stdlib.h>\nint x;\nint main(void)\n{\n    free(&x);\n    return 0;\n}\n";
    assert_eq!(answer(free, &memory), "false(valid-free) 10");
    let leak = "#include <stdlib.h>\nint main(void)\n{\n    malloc(3);\n    return 0;\n}\n";
    assert_eq!(answer(leak, &memory), "false(valid-memtrack) 10");
    let kept = "#include <stdlib.h>\nvoid *p;\nint main(void)\n{\n    p = malloc(3);\n    return 0;\n}\n";
    assert_eq!(answer(kept, &memory), "true 0");
    assert_eq!(answer(kept, &["G valid-memcleanup"]), "false(valid-memcleanup) 10");
    assert_eq!(answer(SAFE, &["F end"]), "unknown 5");
    assert_eq!(answer(SAFE, &["F end", reach]), "unknown 5");
    assert_eq!(answer(calling, &["F end", reach]), "false(unreach-call) 10");
}

/// A subscript may leave its array for another member where a property file says what is asked.
#[test]
fn property_files_judge_whole_objects() {
    let text = "struct s { char name[4]; int count; } s;\nint main(void)\n{\n    int i = 4;\n    s.name[i] = 0;\n    return 0;\n}\n";
    assert_eq!(last(&with_prp("prp-bounds", text, &["G valid-deref"])), "true");
    assert_eq!(last(&check("prp-bounds", text, &[])), "UNSAFE: out-of-bounds at a.c:5:5");
    let unchecked = check("prp-bounds", text, &["--property", "assertion"]);
    assert_eq!(unchecked.code, 5, "{}", last(&unchecked));
}

#[test]
fn property_files_that_are_wrong() {
    let outcome = with_prp("prp-wrong", SAFE, &["G valid-free", "G ! deadlock"]);
    expect_all(
        &outcome,
        &expect![[r#"
            error: a.prp: line 3: unknown formula in 'CHECK( init(main()), LTL(G ! deadlock) )'
            exit 2
        "#]],
    );
    expect_all(
        &check("prp-missing", SAFE, &["--prop", "no.prp"]),
        &expect![[r#"
        error: no.prp: No such file or directory (os error 2)
        exit 2
    "#]],
    );
    let both = check("prp-both", SAFE, &["--prop", "no.prp", "--property", "all"]);
    assert_eq!(both.code, 1);
    assert!(both.stderr_text().contains("cannot be used with"), "{}", all(&both));
}

#[test]
fn json_has_the_verdict_first() {
    expect_all(
        &check("json", SAFE, &["--json", "--property", "assertion"]),
        &expect![[r#"
            {
              "verdict": "SAFE",
              "braid_check": 1,
              "exit_code": 0,
              "properties": [
                "assertion"
              ],
              "not_checked": [
                "data-race",
                "deadlock",
                "lock-misuse",
                "thread-misuse",
                "null-deref",
                "out-of-bounds",
                "use-after-free",
                "invalid-free",
                "memory-leak",
                "memory-cleanup",
                "division-by-zero",
                "signed-overflow",
                "shift"
              ],
              "assumptions": [
                "sequential consistency"
              ],
              "sequential_consistency_only": false,
              "coverage": {
                "threads": 1,
                "engine": "explicit",
                "bound": null,
                "text": "every interleaving was run",
                "notes": []
              },
              "violations": [],
              "more_races": false,
              "reasons": []
            }
            exit 0
        "#]],
    );
    expect_all(
        &check("json", UNSAFE, &["--json", "--property", "assertion"]),
        &expect![[r#"
            {
              "verdict": "UNSAFE",
              "braid_check": 1,
              "exit_code": 10,
              "properties": [
                "assertion"
              ],
              "not_checked": [
                "data-race",
                "deadlock",
                "lock-misuse",
                "thread-misuse",
                "null-deref",
                "out-of-bounds",
                "use-after-free",
                "invalid-free",
                "memory-leak",
                "memory-cleanup",
                "division-by-zero",
                "signed-overflow",
                "shift"
              ],
              "assumptions": [
                "sequential consistency"
              ],
              "sequential_consistency_only": false,
              "violations": [
                {
                  "property": "assertion",
                  "message": "assertion 'x == 2' failed",
                  "place": {
                    "file": "a.c",
                    "line": 5,
                    "column": 5
                  },
                  "thread": "main",
                  "stack": [
                    {
                      "function": "main",
                      "place": {"file":"a.c","line":5,"column":5}
                    }
                  ],
                  "threads": [],
                  "notes": [],
                  "why": [],
                  "context_switches": 0,
                  "interleaving": [],
                  "trace": {
                    "abridged": false,
                    "threads": [
                      {"thread":"main","function":"main"}
                    ],
                    "stacks": [
                      [{"function":"main","place":{"file":"a.c","line":4,"column":9}}],
                      [{"function":"main","place":{"file":"a.c","line":5,"column":5}}]
                    ],
                    "steps": [
                      {"number":1,"thread":"main","place":{"file":"a.c","line":4,"column":9},"function":"main","stack":0,"essential":true,"switch":false,"text":["x = 1"],"actions":[{"kind":"assign","variable":"x","old":null,"new":"1","shared":false}]},
                      {"number":2,"thread":"main","place":{"file":"a.c","line":5,"column":5},"function":"main","stack":1,"essential":true,"switch":false,"text":["✗ assertion 'x == 2' failed"],"actions":[{"kind":"violate","text":"assertion 'x == 2' failed"}]}
                    ]
                  },
                  "schedule_file": null,
                  "replay": null
                }
              ],
              "more_races": false,
              "reasons": []
            }
            exit 10
        "#]],
    );
    let unsupported = "void nowhere(void);\nint main(void)\n{\n    nowhere();\n    return 0;\n}\n";
    let outcome = check("json", unsupported, &["--json", "--property", "assertion"]);
    expect![[r#"
        {
          "verdict": "UNKNOWN",
          "braid_check": 1,
          "exit_code": 5,
          "properties": [
            "assertion"
          ],
          "not_checked": [
            "data-race",
            "deadlock",
            "lock-misuse",
            "thread-misuse",
            "null-deref",
            "out-of-bounds",
            "use-after-free",
            "invalid-free",
            "memory-leak",
            "memory-cleanup",
            "division-by-zero",
            "signed-overflow",
            "shift"
          ],
          "assumptions": [
            "sequential consistency"
          ],
          "sequential_consistency_only": false,
          "violations": [],
          "more_races": false,
          "reasons": [
            {
              "kind": "unsupported",
              "text": "unsupported: call of 'nowhere': no definition and no model at a.c:4:5",
              "is_bound": false,
              "place": {
                "file": "a.c",
                "line": 4,
                "column": 5
              },
              "bound": null
            }
          ]
        }
    "#]]
    .assert_eq(&outcome.stdout_text());
}

#[test]
fn json_with_threads_files_and_statistics() {
    let outcome = check("json-race", RACE, &["--json", "--stats", "--schedule-out", "s.json"]);
    let text = outcome.stdout_text();
    for field in [
        "\"threads\": [\n        {\n          \"thread\": \"main/1\"",
        "\"interleaving\": [",
        "\"schedule_file\": \"s.json\"",
        "\"replay\": \"braid run a.c --schedule s.json\"",
        "\"statistics\": {\n    \"phases\": [\n      {\n        \"name\": \"explicit, up to 20000 states\"",
        "\"peak_memory_bytes\": ",
    ] {
        assert!(text.contains(field), "{field} in {text}");
    }
    assert!(text.starts_with("{\n  \"verdict\": \"UNSAFE\",\n  \"braid_check\": 1,\n"), "{text}");
}

#[test]
fn the_same_question_gets_the_same_answer() {
    for flags in [&[][..], &["--json"][..]] {
        assert_eq!(all(&check("again", RACE, flags)), all(&check("again", RACE, flags)));
    }
}

#[test]
fn a_cut_search_is_never_safe_and_says_what_stopped_it() {
    let outcome = check("cut", WIDE, &["--engine", "explicit", "--timeout", "0.2"]);
    assert_eq!((last(&outcome).as_str(), outcome.code), ("UNKNOWN: time limit reached (explicit)", 5));
    let bounded = ["--engine", "explicit", "--context-bound", "1"];
    let outcome = check("cut", WIDE, &bounded);
    assert_eq!((last(&outcome).as_str(), outcome.code), ("UNKNOWN: bound of 1 context switches reached", 5));
    let accepted: Vec<&str> = bounded.into_iter().chain(["--bounded-ok"]).collect();
    assert_eq!(check("cut", WIDE, &accepted).code, 0);
}

#[test]
fn flags_that_are_wrong() {
    let refuse = |flags: &[&str]| {
        let outcome = check("flags", SAFE, flags);
        assert_eq!((outcome.code, outcome.stdout_text().as_str()), (1, ""), "{flags:?}");
        outcome.stderr_text().lines().next().unwrap_or("").to_string() + "\n"
    };
    let answers: String = [
        &["--property", "memry"][..],
        &["--unwind", "0"],
        &["--unwind", "-1"],
        &["--unwind", "many"],
        &["--unwindset", "main"],
        &["--unwindset", "3:0"],
        &["--unwindset", "3:2"],
        &["--engine", "magic"],
        &["--encoding", "runes"],
        &["--rounds", "2"],
        &["--context-bound", "2"],
        &["--rounds", "0", "--engine", "explicit"],
        &["--dump", "a.txt"],
        &["--dump", "a.cnf", "--engine", "explicit"],
        &["--solver", "no-such-solver"],
        &["--solver", ""],
        &["--timeout", "0"],
        &["--memlimit", "0"],
        &["--race-on", "nothing"],
        &["--no-such-flag"],
    ]
    .iter()
    .map(|flags| refuse(flags))
    .collect();
    expect![[r#"
        error: invalid value 'memry' for '--property <LIST>': unknown property 'memry'; choose from assertion, data-race, deadlock, lock-misuse, thread-misuse, null-deref, out-of-bounds, use-after-free, invalid-free, memory-leak, memory-cleanup, division-by-zero, signed-overflow, shift, memory, misuse, all, none
        error: invalid value '0' for '--unwind <N>': 0 is not in 1..=4294967295
        error: invalid value '-1' for '--unwind <N>': -1 is not in 1..=4294967295
        error: invalid value 'many' for '--unwind <N>': invalid digit found in string
        error: invalid value 'main' for '--unwindset <LOOP:N>': expected LINE:N, FILE:LINE:N or FUNCTION.INDEX:N
        error: invalid value '3:0' for '--unwindset <LOOP:N>': '0' is no bound: expected a number of at least 1
        error: --unwindset: the program has no loop '3'
        error: invalid value 'magic' for '--engine <E>'
        error: invalid value 'runes' for '--encoding <ENCODING>'
        error: --rounds bounds the explicit engine only; add --engine explicit
        error: --context-bound bounds the explicit engine only; add --engine explicit
        error: invalid value '0' for '--rounds <K>': 0 is not in 1..=4294967295
        error: invalid value 'a.txt' for '--dump <FILE>': expected a name that ends in .smt2 or .cnf
        error: --dump: the explicit engine has no formula
        error: --solver: cannot start the solver 'no-such-solver': No such file or directory (os error 2); is it installed?
        error: --solver: cannot start the solver '': the command is empty; is it installed?
        error: invalid value '0' for '--timeout <SECONDS>': expected a positive number of seconds
        error: invalid value '0' for '--memlimit <MB>': 0 is not in 1..=1048576
        error: --race-on: the program has no variable 'nothing'
        error: unexpected argument '--no-such-flag' found
    "#]].assert_eq(&answers);
}

#[test]
fn input_that_is_wrong_leaves_nothing_behind() {
    let braid = braid("input");
    let outcome = braid.call(&["check", "nowhere.c", "--schedule-out", "s.json"]).expect("a run");
    assert_eq!(outcome.code, 2, "{}", all(&outcome));
    let outcome = check("input", "int main(void) { return }\n", &["--schedule-out", "s.json", "--json"]);
    assert_eq!((outcome.code, outcome.stdout_text().as_str()), (2, ""), "{}", all(&outcome));
    let outcome = check("input", UNSAFE, &["--schedule-out", "no/such/dir.json"]);
    assert_eq!((outcome.code, outcome.stdout_text().as_str()), (2, ""), "{}", all(&outcome));
}

#[test]
fn files_are_whole_and_alone() {
    check("whole", UNSAFE, &["--schedule-out", "s.json"]);
    assert_eq!(left_in("whole"), ["a.c", "s.json"]);
    check("none", SAFE, &["--schedule-out", "s.json"]);
    assert_eq!(left_in("none"), ["a.c"]);
}

/// Time that runs out is not the end of all knowledge.
#[test]
fn an_ended_search_says_what_it_covered() {
    let text = "#include <pthread.h>\nint a[6];\n\
        static void *w(void *p) { int i = *(int *)p; for (int k = 0; k < 500; k++) a[i] += a[(i + 1) % 6]; return 0; }\n\
        int main(void) { pthread_t t[5]; int n[5]; for (int i = 0; i < 5; i++) { n[i] = i;\n\
        pthread_create(&t[i], 0, w, &n[i]); } return 0; }\n";
    let outcome = check("covered", text, &["--property", "deadlock", "--timeout", "1"]);
    assert_eq!(outcome.code, 5, "{}", all(&outcome));
    let said = outcome.stdout_text();
    assert!(said.contains("covered until then:\n  explicit, up to 3 threads and 4000 states: "), "{said}");
    assert!(said.contains("\n  explicit, up to 20000 states: "), "{said}");
    assert!(said.contains("\nnext: --timeout 10"), "{said}");
    assert!(said.lines().last().is_some_and(|line| line.starts_with("UNKNOWN: ")), "{said}");
}

/// A loop starts ten thousand threads; two of them are enough for the race.
#[test]
fn few_threads_are_tried_first() {
    let program = |unlocked: &str| {
        format!(
            "#include <pthread.h>\nint data;\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
             static void *w(void *p) {{ pthread_mutex_lock(&m); data++; pthread_mutex_unlock(&m); {unlocked} return p; }}\n\
             int main(void) {{ pthread_t t; for (int i = 0; i < 10000; i++) pthread_create(&t, 0, w, 0); return 0; }}\n"
        )
    };
    let racy = check("racy", &program("data = 0;"), &["--property", "data-race", "--timeout", "30"]);
    let said = racy.stdout_text();
    assert_eq!(racy.code, 10, "{}", all(&racy));
    assert!(said.contains("main/2") && !said.contains("main/3"), "{said}");
    let right =
        check("right", &program(""), &["--property", "data-race", "--timeout", "3", "--engine", "order"]);
    assert_eq!(right.code, 5, "{}", all(&right));
    let named = |words: &str| right.stdout_text().lines().last().is_some_and(|line| line.contains(words));
    assert!(named(" threads are started, at ") || named(" in 'main' goes on after "), "{}", all(&right));
}

/// Reading a large program does not outlast the limits either.
#[test]
fn limits_hold_while_the_program_is_read() {
    let function = |i: u32| {
        format!("int f{i}(int a) {{ for (int k = 0; k < 4; k++) a ^= k << {}; return a; }}\n", i % 9)
    };
    let text = (0..20_000).map(function).collect::<String>() + "int main(void) { return f1(2) & 0; }\n";
    let late = check("late", &text, &["--timeout", "0.05"]);
    assert_eq!(late.stdout_text(), "UNKNOWN: time limit reached (reading the program)\n");
    let large = check("large", &text, &["--memlimit", "30", "--json"]);
    let said = large.stdout_text();
    assert!(said.starts_with("{\n  \"verdict\": \"UNKNOWN\",\n"), "{said}");
    assert!(said.contains("\"text\": \"memory limit of 30 MiB reached (reading the program)\""), "{said}");
    assert_eq!((late.code, large.code), (5, 5));
}

/// Properties and lines of the violations that are shown, in order.
fn shown(outcome: &Outcome) -> Vec<String> {
    let text = outcome.stdout_text();
    let line = |violation: String| {
        let (check, place) = violation.split_once(" at ").expect("a place");
        format!("{check} {}", place.split(':').nth(1).expect("a line"))
    };
    text.lines().filter_map(shown_violation).map(line).collect()
}

#[test]
fn every_violated_property_and_racy_pair_is_listed_once() {
    let text = include_str!("../../../tests/c/races/several.c");
    let all = ["assertion 29", "data-race 13", "data-race 19", "division-by-zero 19"];
    for engine in [&[][..], &["--engine", "order"], &["--engine", "explicit"]] {
        let asked = [engine, &["--property", "all"]].concat();
        let outcome = check("several", text, &asked);
        let mut found = shown(&outcome);
        found.sort();
        assert_eq!((outcome.code, found.as_slice()), (10, all.map(str::to_string).as_slice()), "{engine:?}");
        let first = check("several", text, &[asked.as_slice(), &["--stop-at-first"]].concat());
        assert_eq!((first.code, last(&first)), (10, last(&outcome)));
        assert_eq!(shown(&first), shown(&outcome)[..1]);
    }
    let json = check(
        "several",
        text,
        &["--property", "all", "--json", "--sarif", "s.sarif", "--schedule-out", "s/"],
    );
    assert_eq!(json.stdout_text().matches("\"property\": ").count(), 4);
    assert_eq!(json.stdout_text().matches("--schedule s/00").count(), 4);
    let sarif = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check-several/s.sarif");
    let sarif = std::fs::read_to_string(sarif).expect("the file");
    assert_eq!(sarif.matches("\"ruleIndex\": ").count(), 4);
}

#[test]
fn what_comes_after_a_violation_is_not_listed() {
    let text = "int main(int argc, char **argv)\n{\n    (void)argv;\n    int value = argc << 40;\n\
        \x20   return 1 / (value - value);\n}\n";
    for engine in [&[][..], &["--engine", "order"]] {
        let flags = [engine, &["--property", "shift,division-by-zero"]].concat();
        let outcome = check("after", text, &flags);
        assert_eq!((shown(&outcome), outcome.stderr_text()), (vec!["shift 4".to_string()], String::new()));
        let alone = check("after", text, &[engine, &["--property", "division-by-zero"]].concat());
        assert_eq!(shown(&alone), ["division-by-zero 5"]);
    }
}

#[test]
fn races_are_listed_up_to_a_number() {
    let writes = (0..8).map(|value| format!("    x = {value};\n")).collect::<String>();
    let text = format!(
        "#include <pthread.h>\nint x;\nstatic void *t(void *unused)\n{{\n{writes}    return unused;\n}}\n\
         static void *u(void *unused)\n{{\n{writes}    return unused;\n}}\nint main(void)\n{{\n    pthread_t a, b;\n\
         \x20   pthread_create(&a, 0, t, 0);\n    pthread_create(&b, 0, u, 0);\n    pthread_join(a, 0);\n\
         \x20   pthread_join(b, 0);\n    return 0;\n}}\n"
    );
    for engine in [&[][..], &["--engine", "order"]] {
        let outcome = check("many", &text, engine);
        assert_eq!(shown(&outcome).len(), 50, "{engine:?}");
        assert!(outcome.stdout_text().contains("\nThere are more data races than those listed.\n"));
        let json = check("many", &text, &[engine, &["--json"]].concat());
        assert!(json.stdout_text().contains("\n  \"more_races\": true,\n"));
    }
}

/// `braid check … | head -1`: no panic, no word, and the exit code is the answer's.
#[test]
fn readers_that_go_away_change_nothing() {
    let warned = format!("static int f();\n{UNSAFE}");
    for (text, arguments, code) in [
        (UNSAFE, &["check", "a.c", "--json"][..], 10),
        (UNSAFE, &["check", "a.c", "--full-trace"], 10),
        (UNSAFE, &["explore", "a.c"], 10),
        (&warned, &["check", "a.c"], 10),
        (SAFE, &["check", "a.c", "--stats"], 0),
        ("int main(void) { return x; }", &["check", "a.c"], 2),
        ("int main(void) { return x; }", &["run", "a.c"], 2),
        (SAFE, &["check", "a.c", "--no-such-flag"], 1),
        (SAFE, &["ir", "a.c"], 0),
    ] {
        let braid = braid("reader");
        braid.write("a.c", text).expect("a file");
        let mut command = Command::new(&braid.binary);
        command.args(arguments).current_dir(&braid.scratch).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("a process");
        drop(child.stdout.take());
        let outcome = child.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
        assert_eq!(outcome.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(!said.contains("panicked"), "{said}");
        let mut child = command.spawn().expect("a process");
        drop((child.stdout.take(), child.stderr.take()));
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), Some(code), "{arguments:?} without a reader of errors");
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else {
        println!("skipped: there is no /dev/full here");
        return;
    };
    for flags in [&["--json"][..], &[]] {
        let braid = braid("full");
        braid.write("a.c", SAFE).expect("a file");
        let outcome = Command::new(&braid.binary)
            .args(["check", "a.c"])
            .args(flags)
            .current_dir(&braid.scratch)
            .stdout(full.try_clone().expect("the device"))
            .output()
            .expect("a process");
        let said = String::from_utf8_lossy(&outcome.stderr);
        assert_eq!(outcome.status.code(), Some(2), "{flags:?}");
        assert!(said.starts_with("error: standard output: No space left on device"), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn an_undefined_function_is_named_once_with_a_next_step() {
    let text = "int f(int);\nint g(int);\nint main(void)\n{\n    if (g(0)) f(1);\n    return 0;\n}\n";
    let calls = "int f(int);\n_Bool nondet_bool(void);\nint main(void)\n{\n    if (nondet_bool()) f(1);\n    else f(2);\n    return 0;\n}\n";
    let unknown = "UNKNOWN: unsupported: call of 'f': no definition and no model at a.c:";
    for engine in ["explicit", "order"] {
        let outcome = check("once", calls, &["--engine", engine]);
        let line = last(&outcome);
        let (one, other) = (format!("{unknown}5:24, a.c:6:10"), format!("{unknown}6:10, a.c:5:24"));
        // The order engine names the first one it comes to.
        let first = engine == "order"
            && [5, 6].map(|at| format!("{unknown}{at}:")).iter().any(|begin| line.starts_with(begin));
        assert!(line == one || line == other || first, "{engine}: {line}");
        let next = "next: give the file that defines 'f', or --nondet-undefined: it then returns any value and changes nothing";
        assert!(outcome.stdout_text().lines().any(|line| line == next), "{}", outcome.stdout_text());
    }
    let explored = braid_at("once", &["explore", "a.c", "--values", "0"]);
    assert!(explored.stdout_text().contains("next: give the file that defines 'f', or --nondet-undefined"));
    let allowed = check("allowed", text, &["--nondet-undefined"]);
    assert_eq!((allowed.code, last(&allowed)), (0, "SAFE".to_string()));
    assert!(!allowed.stdout_text().contains("next:"), "{}", allowed.stdout_text());
}

#[test]
fn errors_that_do_not_occur_are_refused() {
    let text = "void reach_error(void);\nint main(void)\n{\n    goto OUT;\n    reach_error();\nOUT:\n    return 0;\n}\n";
    for command in ["check", "explore", "run"] {
        for (flag, name, problem) in [
            ("--error-label", "ERROR", "the program has no label 'ERROR'"),
            ("--error-call", "reach_eror", "the program has no function 'reach_eror'"),
            ("--error-call", "OUT", "the program has no function 'OUT'"),
        ] {
            check("missing", text, &[]);
            let outcome = braid_at("missing", &[command, "a.c", flag, name]);
            assert_eq!(
                all(&outcome),
                format!("error: {flag}: {problem}\nexit 1\n"),
                "{command} {flag} {name}"
            );
        }
    }
    let both =
        check("missing", text, &["--error-label", "E", "--error-call", "f", "--error-call", "reach_error"]);
    expect_all(
        &both,
        &expect![[r#"
            error: --error-label: the program has no label 'E'
            error: --error-call: the program has no function 'f'
            exit 1
        "#]],
    );
    assert_eq!(last(&check("occurs", text, &["--error-call", "reach_error"])), "SAFE");
    assert!(last(&check("occurs", text, &["--error-label", "OUT"])).starts_with("UNSAFE: assertion"));
    // A property file is written for many programs.
    let braid = braid("property");
    braid.write("a.c", "int main(void) { return 0; }\n").expect("a file");
    braid.write("a.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n").expect("a file");
    let outcome = braid.call(&["check", "a.c", "--prop", "a.prp"]).expect("a run");
    assert_eq!((outcome.code, last(&outcome)), (0, "true".to_string()));
}

#[test]
fn openmp_is_not_decided() {
    let text = "int main(void)\n{\n    int sum = 0;\n#pragma omp parallel for\n    for (int i = 0; i < 4; i++) sum += i;\n    return 0;\n}\n";
    let ignored = check("openmp", text, &[]);
    assert_eq!((ignored.code, last(&ignored)), (0, "SAFE".to_string()));
    let warning = "a.c:4:1: warning: OpenMP pragmas are ignored: the program is read as one without threads of OpenMP [openmp]\n";
    assert!(ignored.stderr_text().starts_with(warning), "{}", ignored.stderr_text());
    let unknown = "UNKNOWN: unsupported: OpenMP at a.c:4:1";
    for flag in ["-fopenmp", "--openmp"] {
        let outcome = check("openmp", text, &[flag]);
        assert_eq!((outcome.code, last(&outcome)), (5, unknown.to_string()));
        let explored = braid_at("openmp", &["explore", "a.c", flag]);
        assert_eq!((explored.code, last(&explored)), (5, unknown.to_string()));
        let run = braid_at("openmp", &["run", "a.c", flag]);
        assert_eq!((run.code, run.last_line()), (5, unknown.to_string()));
    }
    // Without a pragma the flag changes nothing but a macro.
    let plain = check(
        "openmp-plain",
        "#ifndef _OPENMP\n#error\n#endif\nint main(void) { return 0; }\n",
        &["-fopenmp"],
    );
    assert_eq!((plain.code, last(&plain)), (0, "SAFE".to_string()));
}
