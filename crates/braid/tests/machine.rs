//! What other programs read: JSON, SARIF, witnesses. All come from one counterexample, so steps have the same numbers
//! everywhere; and each fits its format.

mod formats;

use formats::schema;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Fixtures with one violation each, and the property.
const UNSAFE: [(&str, &str); 6] = [
    ("mutex/mutex_not_the_same.c", "data-race"),
    ("locks/lock_cycle_of_three.c", "deadlock"),
    ("cond/cond_if.c", "assertion"),
    ("heap/heap_use_after_free.c", "use-after-free"),
    ("heap/heap_leak_lost_update.c", "memory-leak"),
    ("memory/null-write.c", "null-deref"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// An empty directory of the test's own.
fn scratch(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("braid-machine-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a directory");
    path
}

fn braid(args: &[&str], expected: i32) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    command.args(args).current_dir(root().join("tests/c")).env("SOURCE_DATE_EPOCH", "0");
    let output = command.output().expect("braid runs");
    assert_eq!(output.status.code(), Some(expected), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the answer is UTF-8")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("valid JSON")
}

fn list<'v>(value: &'v Value, pointer: &str) -> &'v [Value] {
    value.pointer(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn numbers(text: &str) -> Vec<u64> {
    let table = text.lines().skip_while(|line| !line.trim_start().starts_with("step"));
    table.filter_map(|line| line.get(2..6)?.trim().parse().ok()).collect()
}

#[test]
fn steps_have_the_same_numbers_everywhere() {
    let directory = scratch("numbers");
    for (fixture, property) in UNSAFE {
        let sarif = directory.join("a.sarif");
        let file = sarif.to_str().expect("a path");
        let args = ["check", fixture, "--property", property];
        let json = parse(&braid(&[&args[..], &["--json"]].concat(), 10));
        let sliced = numbers(&braid(&args, 10));
        let full = numbers(&braid(&[&args[..], &["--full-trace", "--sarif", file]].concat(), 10));
        let steps = list(&json, "/violations/0/trace/steps");
        let of = |step: &&Value| step["number"].as_u64().expect("a number");
        let all: Vec<u64> = steps.iter().map(|step| of(&step)).collect();
        let essential: Vec<u64> =
            steps.iter().filter(|step| step["essential"] == true).map(|step| of(&step)).collect();
        assert_eq!(full, all, "{fixture}");
        assert_eq!(sliced, essential, "{fixture}");
        let log = parse(&read(&sarif));
        let flows = list(&log, "/runs/0/results/0/codeFlows/0/threadFlows");
        let mut order: Vec<u64> = flows
            .iter()
            .flat_map(|flow| list(flow, "/locations"))
            .map(|location| location["executionOrder"].as_u64().expect("a number"))
            .collect();
        order.sort_unstable();
        assert_eq!(order, all, "{fixture}");
    }
    std::fs::remove_dir_all(directory).expect("our own directory");
}

#[test]
fn json_fits_its_schema() {
    let schema = schema::read(&root().join("docs/check-2.schema.json"));
    let mut answers: Vec<Vec<&str>> =
        UNSAFE.iter().map(|(fixture, property)| vec![*fixture, "--property", property]).collect();
    answers.push(vec!["memory/null-write.c", "--property", "shift", "--stats"]);
    answers.push(vec!["mutex/mutex_counter.c", "--stats"]);
    for args in answers {
        let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
        command.arg("check").args(&args).arg("--json").current_dir(root().join("tests/c"));
        let output = command.output().expect("braid runs");
        let answer = parse(&String::from_utf8_lossy(&output.stdout));
        let problems = schema.problems(&answer);
        assert!(problems.is_empty(), "{args:?}: {problems:#?}");
        let last = list(&answer, "/violations/0/trace/steps").last();
        assert!(last.is_none_or(|step| step["essential"] == true), "{args:?}");
    }
}

/// A schema that accepts everything would be no test.
#[test]
fn the_schema_refuses_what_is_wrong() {
    let schema = schema::read(&root().join("docs/check-2.schema.json"));
    let good = parse(&braid(&["check", "memory/null-write.c", "--json"], 10));
    assert_eq!(schema.problems(&good), Vec::<String>::new());
    let spoil = |pointer: &str, value: Value| {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value;
        schema.problems(&bad)
    };
    assert!(!spoil("/verdict", "MAYBE".into()).is_empty());
    assert!(!spoil("/braid_check", 1.into()).is_empty());
    assert!(!spoil("/violations/0/place", "here".into()).is_empty());
    assert!(!spoil("/violations/0/trace/steps/0/number", "1".into()).is_empty());
    assert!(!spoil("/violations/0/trace/steps/0/actions", serde_json::json!([{"kind": "dance"}])).is_empty());
}

#[test]
fn sarif_fits_its_format() {
    let directory = scratch("sarif");
    for (fixture, property) in UNSAFE {
        let path = directory.join("a.sarif");
        braid(&["check", fixture, "--property", property, "--sarif", path.to_str().expect("a path")], 10);
        let log = parse(&read(&path));
        formats::sarif::check(&log);
        let result = log.pointer("/runs/0/results/0").expect("a result");
        assert_eq!(result["ruleId"], property);
        let uri = result.pointer("/locations/0/physicalLocation/artifactLocation/uri");
        assert_eq!(uri.and_then(Value::as_str), Some(fixture), "relative to where braid runs");
    }
    formats::sarif::against_published_schema(&directory);
    std::fs::remove_dir_all(directory).expect("our own directory");
}

/// Moving lines does not change what a violation is recognised by; another violation is another one.
#[test]
fn fingerprints_survive_moved_lines() {
    let directory = scratch("fingerprint");
    let text = read(&root().join("tests/c/mutex/mutex_not_the_same.c"));
    let print = |text: &str| {
        let (source, path) = (directory.join("a.c"), directory.join("a.sarif"));
        std::fs::write(&source, text).expect("a file");
        let names = [source.to_str().expect("a path"), path.to_str().expect("a path")];
        braid(&["check", names[0], "--property", "data-race", "--sarif", names[1]], 10);
        let log = parse(&read(&path));
        log.pointer("/runs/0/results/0/partialFingerprints").expect("fingerprints").to_string()
    };
    let original = print(&text);
    assert_eq!(print(&format!("\n\n{text}")), original);
    assert_ne!(print(&text.replace("counter++", "counter += 2")), original);
    std::fs::remove_dir_all(directory).expect("our own directory");
}

#[test]
fn sarif_of_the_other_verdicts() {
    let directory = scratch("verdicts");
    let path = directory.join("a.sarif");
    let name = path.to_str().expect("a path");
    braid(&["check", "mutex/mutex_counter.c", "--sarif", name], 0);
    let log = parse(&read(&path));
    formats::sarif::check(&log);
    assert!(list(&log, "/runs/0/results").is_empty());
    assert!(list(&log, "/runs/0/invocations/0/toolExecutionNotifications").is_empty());
    braid(&["check", "memory/null-write.c", "--property", "shift", "--sarif", name], 5);
    let log = parse(&read(&path));
    formats::sarif::check(&log);
    assert!(!list(&log, "/runs/0/invocations/0/toolExecutionNotifications").is_empty());
    std::fs::remove_dir_all(directory).expect("our own directory");
}

#[test]
fn witnesses_fit_their_formats() {
    let directory = scratch("witness");
    for (fixture, property) in UNSAFE {
        for name in ["w.graphml", "w.yml"] {
            let path = directory.join(name);
            braid(
                &["check", fixture, "--property", property, "--witness", path.to_str().expect("a path")],
                10,
            );
        }
        formats::graphml::violation(&read(&directory.join("w.graphml")), fixture);
        formats::graphml::against_witnesslint(
            &directory.join("w.graphml"),
            &root().join("tests/c").join(fixture),
        );
        formats::yaml::violation(&read(&directory.join("w.yml")), fixture, property == "data-race");
    }
    for name in ["s.graphml", "s.yml"] {
        let path = directory.join(name);
        braid(&["check", "mutex/mutex_counter.c", "--witness", path.to_str().expect("a path")], 0);
    }
    formats::graphml::correctness(&read(&directory.join("s.graphml")));
    let program = root().join("tests/c/mutex/mutex_counter.c");
    formats::graphml::against_witnesslint(&directory.join("s.graphml"), &program);
    formats::yaml::correctness(&read(&directory.join("s.yml")));
    std::fs::remove_dir_all(directory).expect("our own directory");
}

/// The values that were chosen are in the witness, where they were chosen.
#[test]
fn chosen_values_are_constraints() {
    let directory = scratch("values");
    let (source, path) = (directory.join("a.c"), directory.join("w.yml"));
    std::fs::write(
        &source,
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n\
         \x20 int x = __VERIFIER_nondet_int();\n  if (x == 77) reach_error();\n  return 0;\n}\n",
    )
    .expect("a file");
    let names = [source.to_str().expect("a path"), path.to_str().expect("a path")];
    braid(&["check", names[0], "--witness", names[1]], 10);
    let text = read(&path);
    assert!(text.contains("value: \"\\\\result == 77\""), "{text}");
    assert!(text.contains("line: 4\n              column: 33"), "{text}");
    std::fs::remove_dir_all(directory).expect("our own directory");
}

/// A thread is started where the call stands, at its closing parenthesis, also inside a loop on one line.
#[test]
fn starts_of_threads_stand_at_the_call() {
    let directory = scratch("starts");
    let (source, path) = (directory.join("a.c"), directory.join("w.yml"));
    let call = "    for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, f, NULL);";
    let text = format!(
        "#include <pthread.h>\n#include <stddef.h>\nint x;\nvoid *f(void *u) {{ x++; return NULL; }}\nint main(void) {{\n\
         \x20   pthread_t t[2];\n{call}\n    return 0;\n}}\n"
    );
    std::fs::write(&source, text).expect("a file");
    let names = [source.to_str().expect("a path"), path.to_str().expect("a path")];
    braid(&["check", names[0], "--property", "data-race", "--witness", names[1]], 10);
    let text = read(&path);
    let enters: Vec<&str> = text.split("type: function_enter").skip(1).collect();
    assert_eq!(enters.len(), 2, "{text}");
    let place = format!("line: 7\n              column: {}\n", call.rfind(')').expect("a call") + 1);
    for enter in enters {
        assert!(enter.split("segment").next().is_some_and(|part| part.contains(&place)), "{text}");
    }
    std::fs::remove_dir_all(directory).expect("our own directory");
}

/// Columns on lines with macros from system headers are those of the user's line, in every format.
#[test]
fn columns_behind_macros_are_right() {
    let directory = scratch("columns");
    let source = directory.join("a.c");
    std::fs::write(
        &source,
        "#include <assert.h>\n#include <stdbool.h>\n#include <stddef.h>\nint a[2]; bool b = true; int *p = NULL;\n\
         int main(void) {\n    assert(p == NULL && b); if (p == NULL && b == true) *p = a[1];\n    return 0;\n}\n",
    )
    .expect("a file");
    let line = "    assert(p == NULL && b); if (p == NULL && b == true) *p = a[1];";
    let column = line.find("*p").expect("it is there") + 1;
    let (sarif, yaml) = (directory.join("a.sarif"), directory.join("w.yml"));
    let names = [&source, &sarif, &yaml].map(|path| path.to_str().expect("a path").to_string());
    let args = ["check", &names[0], "--json", "--sarif", &names[1], "--witness", &names[2]];
    let answer = parse(&braid(&args, 10));
    assert_eq!(answer["violations"][0]["place"]["column"], column);
    let log = parse(&read(&sarif));
    let region = "/runs/0/results/0/locations/0/physicalLocation/region";
    assert_eq!(log.pointer(region).expect("a region")["startColumn"], column);
    let target = read(&yaml).rsplit("type: target").next().expect("a target").to_string();
    assert!(target.contains(&format!("line: 6\n              column: {column}\n")), "{target}");
    std::fs::remove_dir_all(directory).expect("our own directory");
}

/// Where the column is not known, the line is named and all of it is marked; SARIF has a region without columns.
#[test]
fn an_unknown_column_is_the_whole_line() {
    let directory = scratch("unknown");
    let source = directory.join("a.c");
    std::fs::write(
        &source,
        "#define FAIL(p, q) q[0] = (p) ? 0 : 1\nint *p;\nint main(void) {\n    FAIL(p, p);\n    return 0;\n}\n",
    )
    .expect("a file");
    let sarif = directory.join("a.sarif");
    let names = [&source, &sarif].map(|path| path.to_str().expect("a path").to_string());
    let shown = braid(&["check", &names[0], "--property", "null-deref", "--sarif", &names[1]], 10);
    let last = shown.lines().last().expect("a line");
    assert!(last.starts_with("UNSAFE: null-deref at ") && last.contains("a.c:4"), "{last}");
    if last.ends_with("a.c:4") {
        assert!(shown.contains("\n 4 |     FAIL(p, p);\n   |     ^~~~~~~~~~~\n"), "{shown}");
        let log = parse(&read(&sarif));
        let region = log.pointer("/runs/0/results/0/locations/0/physicalLocation/region").expect("a region");
        assert_eq!((&region["startLine"], region.get("startColumn")), (&4.into(), None));
    } else {
        panic!("the column of 'q' is open: {last}");
    }
    std::fs::remove_dir_all(directory).expect("our own directory");
}

#[test]
fn nothing_is_half_written() {
    let directory = scratch("whole");
    let missing = directory.join("no/such/place.sarif");
    braid(&["check", "memory/null-write.c", "--sarif", missing.to_str().expect("a path")], 2);
    let left: Vec<_> = std::fs::read_dir(&directory).expect("the directory").collect();
    assert!(left.is_empty(), "{left:?}");
    let wrong = directory.join("w.txt");
    braid(&["check", "memory/null-write.c", "--witness", wrong.to_str().expect("a path")], 1);
    std::fs::remove_dir_all(directory).expect("our own directory");
}

#[test]
fn the_workflow_is_one() {
    formats::yaml::workflow(&braid(&["init-ci"], 0));
}
