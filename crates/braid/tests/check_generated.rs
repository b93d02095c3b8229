//! Generated programs: `braid check --engine order` must not contradict exploration, nor what sampled inputs do; damaged
//! fixtures get a verdict or a clear refusal, and the engines agree on them.
//!
//! One small bound for threaded programs, so that a run is short. `BRAID_SEED=START..END` chooses other seeds;
//! `cargo xtask check` is for long runs.

use braid_testkit::check::Budget;
use braid_testkit::check::command::Checker;
use braid_testkit::check::sequential::Sampler;
use braid_testkit::check::tally::Tally;
use braid_testkit::check::threaded::Judge;
use braid_testkit::differential::{parse_range, scratch};
use braid_testkit::harness;
use braid_testkit::mutants::{Asker, Corpus, Fate};
use braid_testkit::threads::compare::Comparer;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Differences reported in full; each costs a shrinking.
const MOST: usize = 2;

/// Of a hundred questions about threaded programs at least so many are decided under the bound.
const SHARE: usize = 70;

fn seeds(usual: Range<u64>) -> Range<u64> {
    match std::env::var("BRAID_SEED") {
        Ok(text) => parse_range(&text).expect("BRAID_SEED is START..END"),
        Err(_) => usual,
    }
}

/// Works on all seeds; panics with the reports of what is wrong.
fn judge_all<T: Send>(
    seeds: Range<u64>,
    work: impl Fn(u64) -> Result<T, String> + Sync,
    mut note: impl FnMut(T),
) {
    let count = usize::try_from(seeds.end - seeds.start).expect("a range that fits in memory");
    let mut reports = Vec::new();
    let work = |index: usize| work(seeds.start + index as u64);
    let _ = harness::in_parallel(count, None, work, |_, result| {
        match result {
            Ok(value) => note(value),
            Err(report) => reports.push(report),
        }
        if reports.len() < MOST { Ok(()) } else { Err(()) }
    });
    assert!(reports.is_empty(), "seeds {}..{}:\n{}", seeds.start, seeds.end, reports.join("\n\n"));
}

#[test]
fn threaded_programs() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let judge = Judge {
        compiler: Comparer { scratch: scratch(directory, "check-generated").expect("a directory") },
        checker: Checker { braid: PathBuf::from(env!("CARGO_BIN_EXE_braid")), environment: Vec::new() },
        budget: Budget { unwind: Some(1), time: Duration::from_secs(2) },
    };
    let mut tally = Tally::default();
    judge_all(
        seeds(0..200),
        |seed| judge.check(seed),
        |pairs| pairs.iter().for_each(|pair| tally.note(&pair.engine)),
    );
    assert!(tally.share() >= SHARE, "{tally}");
}

#[test]
fn sequential_programs() {
    let mut tally = Tally::default();
    judge_all(
        seeds(0..50),
        |seed| Sampler.check(seed),
        |answers| answers.iter().for_each(|answer| tally.note(answer)),
    );
    assert!(tally.share() >= 90, "{tally}");
}

#[test]
fn damaged_fixtures() {
    let directory = scratch(Path::new(env!("CARGO_TARGET_TMPDIR")), "check-mutants").expect("a directory");
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let corpus = directory.join("corpus");
    Corpus::prepare(&fixtures, &corpus).expect("fixtures that can be preprocessed");
    let corpus = Corpus::load(&corpus).expect("a corpus");
    let asker = Asker {
        checker: Checker { braid: PathBuf::from(env!("CARGO_BIN_EXE_braid")), environment: Vec::new() },
        time: Duration::from_secs(1),
        grace: None,
        scratch: directory,
    };
    let mut agreed = 0;
    judge_all(
        seeds(0..80),
        |seed| asker.check(seed, &corpus.mutant(seed)),
        |fate| agreed += usize::from(fate == Fate::Agreed),
    );
    assert!(agreed > 0, "no mutant is decided by both engines");
}
