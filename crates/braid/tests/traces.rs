//! The text a person sees of a violation, for every property. Read the files in `traces/` as a new user would:
//! what went wrong, who did what in which order, and why it is wrong, in one screen.

use expect_test::expect_file;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Fixture, property, further flags. The name of the expected text is made of the first two.
const SHOWN: &[(&str, &str, &[&str])] = &[
    ("assertion/nested-calls.c", "assertion", &[]),
    ("atomics/bytes_of_a_word.c", "assertion", &[]),
    ("mutex/mutex_trylock_fails.c", "assertion", &[]),
    ("atomics/atomic_weak_may_fail.c", "assertion", &[]),
    ("cond/cond_if.c", "assertion", &[]),
    ("sync/once_by_hand.c", "assertion", &[]),
    ("threads/race_overlap.c", "data-race", &[]),
    ("mutex/mutex_not_the_same.c", "data-race", &[]),
    ("atomics/atomic_and_plain.c", "data-race", &[]),
    ("threads/race_bit_fields.c", "data-race", &[]),
    ("heap/heap_free_races.c", "data-race", &[]),
    ("locks/lock_cycle_of_three.c", "deadlock", &[]),
    ("locks/lock_and_join.c", "deadlock", &[]),
    ("sem/sem_never_posted.c", "deadlock", &[]),
    ("rwlock/rwlock_cycle_with_mutex.c", "deadlock", &[]),
    ("exit/exit_holding_lock.c", "deadlock", &[]),
    ("barrier/barrier_too_few.c", "deadlock", &[]),
    ("livelock/backoff_stuck.c", "livelock", &[]),
    ("livelock/choices_stuck.c", "livelock", &[]),
    ("mutex/mutex_unlock_foreign.c", "lock-misuse", &[]),
    ("mutex/mutex_relock.c", "lock-misuse", &[]),
    ("mutex/mutex_destroy_held.c", "lock-misuse", &[]),
    ("join/join_by_two_forever.c", "thread-misuse", &[]),
    ("create/detach_after_join.c", "thread-misuse", &[]),
    ("memory/null-write.c", "null-deref", &[]),
    ("models/strcat_overflow.c", "out-of-bounds", &[]),
    ("heap/heap_use_after_free.c", "use-after-free", &[]),
    ("create/create_local_gone.c", "use-after-free", &[]),
    ("heap/heap_free_twice.c", "invalid-free", &[]),
    ("heap/heap_leak_lost_update.c", "memory-leak", &[]),
    ("memory/reachable-at-exit.c", "memory-cleanup", &[]),
    ("arithmetic/remainder-by-zero.c", "division-by-zero", &[]),
    ("arithmetic/increment.c", "signed-overflow", &[]),
    ("arithmetic/shift-too-far.c", "shift", &[]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn braid(args: &[&str], columns: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    let command = command.args(args).current_dir(root().join("tests/c")).env("COLUMNS", columns);
    let output = command.output().expect("braid runs");
    assert!(output.stderr.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the answer is UTF-8")
}

fn expected(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traces").join(name)
}

#[test]
fn every_property_tells_its_story() {
    for (fixture, property, flags) in SHOWN {
        let args = [&["check", fixture, "--property", property], *flags].concat();
        let name = fixture.replace('/', "-").replace(".c", &format!(".{property}.txt"));
        expect_file![expected(&name)].assert_eq(&braid(&args, "100"));
    }
}

#[test]
fn narrow_terminals_fold() {
    let args = ["check", "locks/lock_cycle_of_three.c", "--property", "deadlock"];
    let text = braid(&args, "72");
    assert!(
        text.lines().skip_while(|line| !line.is_empty()).all(|line| line.chars().count() <= 110),
        "{text}"
    );
    expect_file![expected("folded.txt")].assert_eq(&text);
}

#[test]
fn a_full_trace_has_every_step() {
    let args = ["check", "mutex/mutex_not_the_same.c", "--property", "data-race"];
    let numbers = |text: &str| -> Vec<usize> {
        let table = text.lines().skip_while(|line| !line.trim_start().starts_with("step"));
        table.filter_map(|line| line.get(2..6)?.trim().parse().ok()).collect()
    };
    let sliced = numbers(&braid(&args, "100"));
    let full = numbers(&braid(&[&args[..], &["--full-trace"]].concat(), "100"));
    assert_eq!(full, (1..=full.len()).collect::<Vec<_>>());
    assert!(!sliced.is_empty() && sliced.iter().all(|number| full.contains(number)), "{sliced:?} {full:?}");
}

#[test]
fn no_colours_in_a_pipe() {
    let text = braid(&["check", "memory/null-write.c"], "100");
    assert!(!text.contains('\u{1b}'));
}
