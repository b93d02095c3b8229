//! Generated threaded programs: exploration with and without reduction must agree, and every violation
//! must replay.
//!
//! `BRAID_SEED=START..END` chooses other seeds; `cargo xtask threads` is for long runs.

use braid_testkit::differential::{parse_range, scratch};
use braid_testkit::harness;
use braid_testkit::threads::compare::{Comparer, Fate};
use std::path::Path;

const DEFAULT_SEEDS: std::ops::Range<u64> = 0..200;

/// Differences reported in full; each costs a shrinking.
const MOST: usize = 3;

#[test]
fn reduction_changes_nothing() {
    let seeds = match std::env::var("BRAID_SEED") {
        Ok(text) => parse_range(&text).expect("BRAID_SEED is START..END"),
        Err(_) => DEFAULT_SEEDS,
    };
    let scratch = scratch(Path::new(env!("CARGO_TARGET_TMPDIR")), "threads").expect("a directory");
    let comparer = Comparer { scratch };
    let count = usize::try_from(seeds.end - seeds.start).expect("a range that fits in memory");
    let (mut reports, mut undecided) = (Vec::new(), 0);
    let work = |index: usize| comparer.check(seeds.start + index as u64);
    let _ = harness::in_parallel(count, None, work, |_, result| {
        match result {
            Ok(Fate::Agree) => {}
            Ok(Fate::Undecided) => undecided += 1,
            Err(report) => reports.push(report),
        }
        if reports.len() < MOST { Ok(()) } else { Err(()) }
    });
    assert!(reports.is_empty(), "seeds {}..{}:\n{}", seeds.start, seeds.end, reports.join("\n\n"));
    assert!(undecided * 20 <= count, "{undecided} of {count} programs undecided");
}
