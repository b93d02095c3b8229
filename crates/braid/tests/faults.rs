//! Deliberate faults: each must be noticed by every test named for it in `docs/faults.md`.
//!
//! The binary under test has all faults built in; one at a time is turned on. A fixture notices a fault if
//! what it states no longer comes out, a generated program if exploring it with and without reduction no
//! longer agrees, a named check below if it fails.

use braid_base::faults::ALL;
use braid_testkit::differential::scratch;
use braid_testkit::fixture::{self, Explorer, Report};
use braid_testkit::harness;
use braid_testkit::threads::command::Braid;
use braid_testkit::threads::program;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The rows of the list: fault, tests.
fn rows() -> Vec<(String, Vec<String>)> {
    let text = std::fs::read_to_string(root().join("docs/faults.md")).expect("the list of faults");
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_string()).collect::<Vec<_>>();
    let rows = text.lines().filter(|line| line.starts_with("| `")).map(cells);
    rows.map(|row| {
        let names = row[3].split(", ").map(|name| name.trim_matches('`').to_string());
        (row[1].trim_matches('`').to_string(), names.collect())
    })
    .collect()
}

fn braid(name: &str, fault: Option<&str>) -> Braid {
    Braid {
        binary: PathBuf::from(env!("CARGO_BIN_EXE_braid")),
        scratch: scratch(Path::new(env!("CARGO_TARGET_TMPDIR")), name).expect("a directory"),
        environment: fault.map(|fault| ("BRAID_FAULT".to_string(), fault.to_string())).into_iter().collect(),
    }
}

/// Whether the test fails.
fn fails(test: &str, fault: Option<&str>) -> Result<bool, String> {
    match test.split_once(' ') {
        Some(("generated", seed)) => {
            generated_fails(seed.parse().map_err(|_| format!("{test}: no seed"))?, fault)
        }
        Some(("bound", flags)) => bound_fails(flags, fault),
        None => fixture_fails(test, fault),
        Some(_) => Err(format!("'{test}' is no test")),
    }
}

fn fixture_fails(name: &str, fault: Option<&str>) -> Result<bool, String> {
    let path = root().join("tests/c").join(name);
    let fixture = fixture::load(&root().join("tests/c"), path);
    let header = fixture.header.clone().map_err(|error| format!("{name}: {error}"))?;
    let environment: Vec<(&str, &str)> = fault.map(|fault| ("BRAID_FAULT", fault)).into_iter().collect();
    let explorer = Explorer { braid: Path::new(env!("CARGO_BIN_EXE_braid")), environment: &environment };
    let mut report = Report::default();
    explorer.check(&fixture, &header, &mut report)?;
    Ok(!report.failures.is_empty())
}

fn generated_fails(seed: u64, fault: Option<&str>) -> Result<bool, String> {
    let braid = braid("faults", fault);
    let name = format!("g{seed}-{}.c", fault.unwrap_or("none"));
    let text = program(seed).text();
    let reduced = braid.explore(&name, &text, &["--values", "0,1"])?;
    let full = braid.explore(&name, &text, &["--values", "0,1", "--no-reduction"])?;
    let broken = [&reduced, &full].iter().any(|explored| !matches!(explored.outcome.code, 0 | 5 | 10));
    Ok(broken || reduced.essence() != full.essence())
}

/// `FLAG N found` or `FLAG N lost`: whether the violation in the program below is within the bound.
fn bound_fails(words: &str, fault: Option<&str>) -> Result<bool, String> {
    let [flag, bound, expected] = words.split(' ').collect::<Vec<_>>()[..] else {
        return Err(format!("'bound {words}' is no test"));
    };
    let braid = braid("faults", fault);
    let name = format!("b{}{bound}-{}.c", &flag[2..], fault.unwrap_or("none"));
    let explored = braid.explore(&name, SWITCHES, &[flag, bound])?;
    Ok((explored.outcome.code == 10) != (expected == "found"))
}

/// Violated if main is interrupted once: two context switches, two rounds.
const SWITCHES: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
    static atomic_int turn;\nstatic void *t(void *unused)\n{\n(void)unused;\nif (turn == 1)\nturn = 2;\nreturn 0;\n}\n\
    int main(void)\n{\npthread_t a;\npthread_create(&a, 0, t, 0);\nturn = 1;\nassert(turn != 2);\n\
    pthread_join(a, 0);\nreturn 0;\n}\n";

#[test]
fn the_list_is_complete() {
    let listed: Vec<String> = rows().into_iter().map(|(name, _)| name).collect();
    let known: Vec<String> = ALL.iter().map(|(_, name)| name.to_string()).collect();
    assert_eq!(listed, known, "docs/faults.md and braid_base::faults list the same faults in the same order");
}

#[test]
fn every_fault_is_noticed_by_its_tests() {
    let pairs: Vec<(String, String)> = rows()
        .into_iter()
        .flat_map(|(fault, tests)| tests.into_iter().map(move |test| (fault.clone(), test)))
        .collect();
    let mut problems = Vec::new();
    let work = |index: usize| {
        let (fault, test) = &pairs[index];
        match (fails(test, None), fails(test, Some(fault))) {
            (Ok(true), _) => Some(format!("{test} fails without a fault")),
            (Ok(false), Ok(false)) => Some(format!("{test} does not notice {fault}")),
            (Ok(false), Ok(true)) => None,
            (Err(error), _) | (_, Err(error)) => Some(error),
        }
    };
    let _ = harness::in_parallel(pairs.len(), None, work, |_, problem| {
        problems.extend(problem);
        Ok::<(), ()>(())
    });
    problems.sort();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
