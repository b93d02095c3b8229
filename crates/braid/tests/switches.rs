//! Reported executions have as few context switches as possible, where `explore --context-bound` knows how few that
//! is: on at least nine of ten.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Fixtures with a violation of the property that needs threads.
const FIXTURES: &[(&str, &str)] = &[
    ("atomics/atomic_and_plain.c", "data-race"),
    ("barrier/barrier_missing.c", "data-race"),
    ("atomics/bytes_of_a_word.c", "assertion"),
    ("cond/cond_if.c", "assertion"),
    ("create/create_local_gone.c", "use-after-free"),
    ("locks/double_checked.c", "data-race"),
    ("exit/exit_holding_lock.c", "deadlock"),
    ("pruning/guarded_write_skipped.c", "assertion"),
    ("heap/heap_free_races.c", "data-race"),
    ("heap/heap_free_twice.c", "invalid-free"),
    ("heap/heap_leak_lost_update.c", "memory-leak"),
    ("heap/heap_use_after_free.c", "use-after-free"),
    ("join/join_each_other.c", "deadlock"),
    ("join/join_missing.c", "data-race"),
    ("locks/lock_and_join.c", "deadlock"),
    ("locks/lock_cycle_of_three.c", "deadlock"),
    ("locks/lock_order.c", "deadlock"),
    ("mutex/mutex_destroy_held.c", "lock-misuse"),
    ("mutex/mutex_missing.c", "data-race"),
    ("mutex/mutex_not_the_same.c", "data-race"),
    ("mutex/mutex_trylock_fails.c", "assertion"),
    ("mutex/mutex_unlock_foreign.c", "lock-misuse"),
    ("sync/once_by_hand.c", "assertion"),
    ("threads/race_overlap.c", "data-race"),
    ("rwlock/rwlock_cycle_with_mutex.c", "deadlock"),
    ("sem/sem_never_posted.c", "deadlock"),
    ("threads/sleep_orders_nothing.c", "assertion"),
];

/// More switches than any of them needs.
const ENOUGH: usize = 12;

fn braid(args: &[&str]) -> (Option<i32>, String) {
    let directory: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    let output = command.args(args).current_dir(directory).output().expect("braid runs");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The fewest switches with which the violation at a line can be reached.
fn fewest(fixture: &str, property: &str, line: u64) -> Option<usize> {
    let reached = |bound: &usize| {
        let (_, text) =
            braid(&["explore", fixture, "--property", property, "--context-bound", &bound.to_string()]);
        let head = format!("{fixture}:{line}:");
        text.lines().any(|text| text.starts_with(&head) && text.contains("violation:"))
    };
    (0..=ENOUGH).find(reached)
}

#[test]
fn reported_executions_switch_as_little_as_possible() {
    let (mut minimal, mut worse) = (0, Vec::new());
    for (fixture, property) in FIXTURES {
        let (code, text) = braid(&["check", fixture, "--property", property, "--json"]);
        assert_eq!(code, Some(10), "{fixture}");
        let answer: Value = serde_json::from_str(&text).expect("JSON");
        let violation = &answer["violations"][0];
        let line = violation["place"]["line"].as_u64().expect("a line");
        let reported = violation["context_switches"].as_u64().expect("a number") as usize;
        let least = fewest(fixture, property, line).expect("explore finds it too");
        // That a thread waits shows when it is tried, and a bounded search does not try those it must not switch to.
        let slack = usize::from(*property == "deadlock");
        assert!(reported + slack >= least, "{fixture}: {reported} switches, but {least} are needed");
        if reported <= least { minimal += 1 } else { worse.push((fixture, reported, least)) }
    }
    eprintln!("{minimal} of {} are minimal; not: {worse:?}", FIXTURES.len());
    assert!(10 * minimal >= 9 * FIXTURES.len(), "{minimal} of {}: {worse:?}", FIXTURES.len());
}
