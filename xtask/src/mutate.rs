//! `cargo xtask mutate [FAULT...]`: every test that explores, under each deliberate fault.
//!
//! Prints who noticed, and fails if nobody did. `docs/faults.md` names the killers that the test suite
//! tries; here everything is tried, so this also finds better ones.

use crate::workspace;
use braid_testkit::check::symbolic;
use braid_testkit::faults::{Bench, CHECKS, Killer, explored_fixtures, rows};
use braid_testkit::harness;

/// Generated programs that are tried.
const SEEDS: std::ops::Range<u64> = 0..100;

pub fn run(names: &[&str], jobs: Option<usize>) -> Result<bool, String> {
    let list = workspace::root().join("docs/faults.md");
    let list = std::fs::read_to_string(&list).map_err(|error| format!("{}: {error}", list.display()))?;
    let known: Vec<&str> = rows(&list)?.into_iter().map(|(name, _)| name).collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        return Err(format!("there is no fault '{unknown}'"));
    }
    let bench = Bench {
        binary: workspace::faulty_binary()?,
        fixtures: workspace::root().join("tests/c"),
        scratch: workspace::scratch("mutate")?,
    };
    let fixtures = explored_fixtures(&bench.fixtures).map_err(|e| e.to_string())?;
    let tests: Vec<Killer> = (fixtures.iter().map(|name| Killer::Fixture(name)))
        .chain(fixtures.iter().map(|name| Killer::Engine(symbolic(), name)))
        .chain(CHECKS.iter().map(Killer::Check))
        .chain(SEEDS.map(Killer::Generated))
        .collect();
    let wrong = failing(&bench, &tests, None, jobs)?;
    wrong.iter().for_each(|test| println!("{test} fails without a fault"));
    let mut unnoticed = 0;
    for fault in known.iter().filter(|name| names.is_empty() || names.contains(name)) {
        let killers = failing(&bench, &tests, Some(fault), jobs)?;
        unnoticed += usize::from(killers.is_empty());
        let list: Vec<String> = killers.iter().map(ToString::to_string).collect();
        println!("{fault}: noticed by {} of {}: {}", killers.len(), tests.len(), list.join(", "));
    }
    println!("{unnoticed} faults unnoticed");
    Ok(wrong.is_empty() && unnoticed == 0)
}

/// Those of the tests that fail, in order.
fn failing<'a>(
    bench: &Bench,
    tests: &[Killer<'a>],
    fault: Option<&str>,
    jobs: Option<usize>,
) -> Result<Vec<Killer<'a>>, String> {
    let mut failed = vec![false; tests.len()];
    harness::in_parallel(
        tests.len(),
        jobs,
        |index| bench.fails(tests[index], fault),
        |index, result| {
            failed[index] = result?;
            Ok::<(), String>(())
        },
    )?;
    Ok(tests.iter().zip(failed).filter_map(|(test, failed)| failed.then_some(*test)).collect())
}
