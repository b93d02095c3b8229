//! Schedules written by one command and followed by another, and those that do not fit.

use braid_testkit::differential::scratch;
use braid_testkit::threads::command::Braid;
use std::path::{Path, PathBuf};

fn braid(name: &str) -> Braid {
    Braid {
        binary: PathBuf::from(env!("CARGO_BIN_EXE_braid")),
        scratch: scratch(Path::new(env!("CARGO_TARGET_TMPDIR")), name).expect("a directory"),
        environment: Vec::new(),
    }
}

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    std::fs::read_to_string(&path).expect("an example")
}

/// The last line a command wrote to standard error.
fn verdict(braid: &Braid, args: &[&str]) -> (i32, String) {
    let outcome = braid.call(args).expect("a run");
    (outcome.code, outcome.last_line())
}

#[test]
fn every_violation_found_replays_from_its_file() {
    let braid = braid("schedules-replay");
    for name in ["lost_update.c", "lock_order.c", "missed_signal.c", "use_after_free.c", "torn_read.c"] {
        let directory = format!("{name}.schedules/");
        let explored = braid.explore(name, &example(name), &["--schedule-out", &directory]).expect("a run");
        assert_eq!(explored.outcome.code, 10, "{explored:?}");
        let mut files: Vec<PathBuf> = std::fs::read_dir(braid.scratch.join(&directory))
            .expect("the directory of schedules")
            .map(|entry| entry.expect("an entry").path())
            .collect();
        files.sort();
        assert_eq!(files.len(), explored.violations().len());
        for file in files {
            let file = file.to_string_lossy().into_owned();
            let property =
                file.rsplit('/').next().and_then(|n| n[4..].strip_suffix(".json")).expect("a name");
            let flags = ["run", name, "--property", property, "--schedule", &file];
            let (code, last) = verdict(&braid, &flags);
            assert_eq!(code, 10, "{file}: {last}");
            assert!(last.starts_with(&format!("UNSAFE: {property} at {name}:")), "{file}: {last}");
        }
    }
}

#[test]
fn livelocks_replay_and_only_the_search_decides_them() {
    let braid = braid("schedules-livelock");
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/livelock");
    for name in ["backoff_stuck.c", "choices_stuck.c", "servers_stuck.c"] {
        braid.write(name, &std::fs::read_to_string(fixtures.join(name)).expect("a fixture")).expect("a file");
        let found = braid.call(&["check", name, "--property", "livelock", "--schedule-out", "l.json"]);
        assert_eq!(found.expect("a run").code, 10);
        let replay = ["run", name, "--property", "livelock", "--schedule", "l.json"];
        let (code, last) = verdict(&braid, &replay);
        assert_eq!(code, 10, "{last}");
        assert!(last.starts_with(&format!("UNSAFE: livelock at {name}:")), "{last}");
        // Where the steps begin that can be repeated is part of the claim.
        let text = std::fs::read_to_string(braid.scratch.join("l.json")).expect("the schedule");
        let (before, after) = text.split_once("\"from\": ").expect("where it begins");
        let (from, rest) = after.split_once(',').expect("more");
        let later = from.parse::<usize>().expect("a number") + 1;
        let flags = ["run", name, "--property", "livelock", "--timeout", "5", "--schedule", "l.json"];
        braid.write("l.json", &format!("{before}\"from\": {later},{rest}")).expect("a file");
        let (code, last) = verdict(&braid, &flags);
        assert_ne!(code, 10, "{last}");
    }
    let text = std::fs::read_to_string(fixtures.join("backoff.c")).expect("a fixture");
    braid.write("backoff.c", &text).expect("a file");
    for property in ["livelock", "livelock,deadlock"] {
        let flags = ["check", "backoff.c", "--property", property, "--engine", "order", "--unwind", "3"];
        let outcome = braid.call(&flags).expect("a run");
        assert_eq!(outcome.code, 5, "{property}");
        assert!(outcome.stdout_text().contains("the engine order does not decide livelock; explicit may"));
    }
}

#[test]
fn a_recorded_random_run_repeats() {
    let braid = braid("schedules-record");
    let text = "#include <pthread.h>\n#include <stdio.h>\nint __VERIFIER_nondet_int(void);\n\
                static void *say(void *word) { printf(\"%s %d\\n\", (char *)word, __VERIFIER_nondet_int()); return 0; }\n\
                int main(void)\n{\npthread_t a, b;\npthread_create(&a, 0, say, \"one\");\n\
                pthread_create(&b, 0, say, \"two\");\nsay(\"three\");\npthread_join(a, 0);\npthread_join(b, 0);\n\
                return 3;\n}\n";
    braid.write("say.c", text).expect("a file");
    let mut seen = std::collections::BTreeSet::new();
    for seed in ["1", "2", "3", "4", "5", "6"] {
        let record = ["run", "say.c", "--property", "none", "--seed", seed, "--record", "s.json"];
        let recorded = braid.call(&record).expect("a run");
        let again = braid.call(&record).expect("a run");
        assert_eq!(recorded, again, "the same seed gives the same run");
        let replayed =
            braid.call(&["run", "say.c", "--property", "none", "--schedule", "s.json"]).expect("a run");
        assert_eq!(recorded, replayed, "seed {seed}");
        assert_eq!(recorded.code, 3);
        seen.insert(recorded.stdout_text());
    }
    assert!(seen.len() > 1, "different seeds give different runs: {seen:?}");
}

#[test]
fn schedules_that_do_not_fit_are_refused() {
    let braid = braid("schedules-refused");
    braid.write("a.c", &example("lost_update.c")).expect("a file");
    braid.write("b.c", &example("lock_order.c")).expect("a file");
    let (code, _) =
        verdict(&braid, &["run", "a.c", "--property", "none", "--seed", "7", "--record", "a.json"]);
    assert_eq!(code, 0);
    let refused = |schedule: &str, program: &str| {
        let (code, last) = verdict(&braid, &["run", program, "--schedule", schedule]);
        assert_eq!(code, 2, "{last}");
        last
    };
    let other = refused("a.json", "b.c");
    assert!(
        other.contains("recorded for another program (a.c); the first step that does not match is steps[0]"),
        "{other}"
    );

    let text = std::fs::read_to_string(braid.scratch.join("a.json")).expect("the schedule");
    let edit = |name: &str, from: &str, to: &str| {
        assert!(text.contains(from), "{from} in {text}");
        braid.write(name, &text.replacen(from, to, 1)).expect("a file");
        refused(name, "a.c")
    };
    assert!(
        edit("version.json", "\"braid_schedule\": 1", "\"braid_schedule\": 9").contains("format version 9")
    );
    assert!(edit("thread.json", "\"thread\":\"main/1\"", "\"thread\":\"main/1/4\"").contains("main/1/4"));
    assert!(edit("path.json", "\"thread\":\"main/1\"", "\"thread\":\"two\"").contains("'two' is no thread"));
    let gone = edit("function.json", "\"function\":\"worker\"", "\"function\":\"walker\"");
    assert!(gone.contains("in a function 'walker'"), "{gone}");
    // A step that cannot come next: the worker's second visit before its first.
    let early = edit("early.json", "\"occurrence\":0", "\"occurrence\":5");
    assert!(early.contains("does not fit the program: steps[0]"), "{early}");
    assert!(refused("missing.json", "a.c").contains("missing.json"));
    braid.write("garbage.json", "{").expect("a file");
    assert!(refused("garbage.json", "a.c").contains("not a valid schedule"));
}
