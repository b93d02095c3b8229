//! Deliberate faults: each must be noticed by every test named for it in `docs/faults.md`.
//!
//! The binary under test has all faults built in; one at a time is turned on. `cargo xtask mutate` tries
//! everything instead of the tests that are named.

use braid_testkit::differential::scratch;
use braid_testkit::faults::{Bench, Killer, rows};
use braid_testkit::harness;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn document() -> String {
    std::fs::read_to_string(root().join("docs/faults.md")).expect("the list of faults")
}

/// Every killer with its faults, and once without: whoever it is a killer of.
fn trials<'a>(rows: &[(&'a str, Vec<Killer<'a>>)]) -> Vec<(Killer<'a>, Option<&'a str>)> {
    let mut trials = Vec::new();
    for (fault, killers) in rows {
        for killer in killers {
            trials.push((*killer, Some(*fault)));
            if !trials.contains(&(*killer, None)) {
                trials.push((*killer, None));
            }
        }
    }
    trials
}

#[test]
fn every_fault_is_noticed_by_its_tests() {
    let text = document();
    let trials = trials(&rows(&text).expect("a table"));
    let bench = Bench {
        binary: PathBuf::from(env!("CARGO_BIN_EXE_braid")),
        fixtures: root().join("tests/c"),
        scratch: scratch(Path::new(env!("CARGO_TARGET_TMPDIR")), "faults").expect("a directory"),
    };
    let mut problems = Vec::new();
    let work = |index: usize| bench.fails(trials[index].0, trials[index].1);
    let _ = harness::in_parallel(trials.len(), None, work, |index, failed| {
        let (test, fault) = trials[index];
        match (failed, fault) {
            (Ok(true), None) => problems.push(format!("{test} fails without a fault")),
            (Ok(false), Some(fault)) => problems.push(format!("{test} does not notice {fault}")),
            (Ok(true), Some(_)) | (Ok(false), None) => {}
            (Err(error), _) => problems.push(error),
        }
        Ok::<(), ()>(())
    });
    problems.sort();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
