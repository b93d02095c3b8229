//! `cargo xtask mutants START..END`: damaged fixtures through `braid check`, by ranges of seeds so that a run can be taken up
//! where another ended.
//!
//! Fails on an exit code that is none of a verdict or of bad input, on a panic, on a time limit that is not kept, and on
//! engines that contradict each other.

use crate::seeds::Seeds;
use crate::workspace;
use braid_testkit::check::command::Checker;
use braid_testkit::mutants::{Asker, Corpus, Fate};
use std::collections::BTreeMap;
use std::time::Duration;

/// Time for each engine, unless `--cap` says another.
const SECONDS: usize = 2;
/// A run may take so long beyond its time.
const GRACE: Duration = Duration::from_secs(1);

pub fn run(range: &str, jobs: Option<usize>, seconds: Option<usize>) -> Result<bool, String> {
    let seeds = Seeds::parse(range)?;
    let scratch = workspace::scratch("mutants")?;
    let corpus = scratch.join("corpus");
    Corpus::prepare(&workspace::root().join("tests/c"), &corpus)?;
    let corpus = Corpus::load(&corpus)?;
    let asker = Asker {
        checker: Checker { braid: workspace::release_binary()?, environment: Vec::new() },
        time: Duration::from_secs(seconds.unwrap_or(SECONDS) as u64),
        grace: Some(GRACE),
        scratch,
    };
    let mut failures = 0;
    let mut fates: BTreeMap<Fate, usize> = BTreeMap::new();
    seeds.run(
        jobs,
        |seed| asker.check(seed, &corpus.mutant(seed)),
        |result| {
            match result {
                Ok(fate) => *fates.entry(fate).or_default() += 1,
                Err(report) => {
                    failures += 1;
                    println!("{report}");
                }
            }
            format!("{failures} failures, {fates:?}")
        },
    )?;
    Ok(failures == 0)
}
