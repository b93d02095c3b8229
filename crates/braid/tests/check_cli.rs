//! `braid check` as a command: what it answers, prints and exits with, in words and in JSON.

mod checks;

use braid_testkit::check::command::shown_violation;
use braid_testkit::process::Outcome;
use checks::{OVERFLOW, RACE, SAFE, UNSAFE, all, braid, braid_at, check, expect_all, last};
use expect_test::expect;
use std::path::Path;
use std::process::{Command, Stdio};

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

/// Many more interleavings than the searches have room for.
const WIDE: &str = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int a[4];\nstatic void *t(void *n)\n{\n\
    \x20   for (int i = 0; i < 9; i++)\n        a[(i + (int)(long)n) % 4] = a[i % 4] * 3 + i + (int)(long)n;\n    return 0;\n}\nint main(void)\n{\n\
    \x20   pthread_t id;\n    for (long i = 0; i < 4; i++)\n        pthread_create(&id, 0, t, (void *)i);\n    return 0;\n}\n";

#[test]
fn the_three_answers() {
    expect_all(
        &check("answers", SAFE, &[]),
        &expect![[r#"
            checked: assertion, data-race, deadlock, lock-misuse, thread-misuse, null-deref, out-of-bounds, use-after-free, invalid-free, division-by-zero; not checked: livelock, memory-leak, memory-cleanup, signed-overflow, shift; threads: 1; bounds: none (every interleaving was run)
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
fn a_schedule_replays() {
    let outcome = check("replay", OVERFLOW, &["--overflow-check", "--schedule-out", "out.json"]);
    let text = outcome.stdout_text();
    let line = text.lines().find_map(|line| line.strip_prefix("  replay: braid ")).expect("how to replay");
    assert_eq!(outcome.code, 10, "{text}");
    let words: Vec<&str> = line.split(' ').collect();
    let again = braid_at("replay", &words);
    assert_eq!((again.code, again.last_line().as_str()), (10, "UNSAFE: signed-overflow at a.c:4:5"));
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
fn json_has_the_verdict_first() {
    expect_all(
        &check("json", SAFE, &["--json", "--property", "assertion"]),
        &expect![[r#"
            {
              "verdict": "SAFE",
              "braid_check": 2,
              "exit_code": 0,
              "properties": [
                "assertion"
              ],
              "verdicts": [
                {
                  "property": "assertion",
                  "verdict": "SAFE",
                  "engine": "explicit"
                }
              ],
              "not_checked": [
                "data-race",
                "deadlock",
                "livelock",
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
              "braid_check": 2,
              "exit_code": 10,
              "properties": [
                "assertion"
              ],
              "verdicts": [
                {
                  "property": "assertion",
                  "verdict": "UNSAFE"
                }
              ],
              "not_checked": [
                "data-race",
                "deadlock",
                "livelock",
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
          "braid_check": 2,
          "exit_code": 5,
          "properties": [
            "assertion"
          ],
          "verdicts": [
            {
              "property": "assertion",
              "verdict": "UNKNOWN"
            }
          ],
          "not_checked": [
            "data-race",
            "deadlock",
            "livelock",
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
        "\"statistics\": {\n    \"phases\": [\n      {\n        \"engine\": \"explicit\"",
        "\"peak_memory_bytes\": ",
    ] {
        assert!(text.contains(field), "{field} in {text}");
    }
    assert!(text.starts_with("{\n  \"verdict\": \"UNSAFE\",\n  \"braid_check\": 2,\n"), "{text}");
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
    assert_eq!(json.stdout_text().matches("\"message\": ").count(), 4);
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
