//! Generated threaded programs that are mostly right: what the `lockset` engine proves, exhaustive exploration must not
//! refute.
//!
//! `BRAID_SEED=START..END` chooses other seeds; `cargo xtask lockset` is for long runs.

use braid_engines::registry;
use braid_testkit::check::Budget;
use braid_testkit::check::command::Checker;
use braid_testkit::check::proofs::{Generator, Proofs};
use braid_testkit::differential::{parse_range, scratch};
use braid_testkit::harness;
use braid_testkit::threads::compare::Comparer;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

const ENGINE: &str = "lockset";

const DEFAULT_SEEDS: Range<u64> = 0..60;

/// Differences reported in full; each costs a shrinking.
const MOST: usize = 2;

#[test]
fn proofs_are_not_refuted() {
    let Some(engine) = registry::find(ENGINE) else {
        println!("skipped: there is no engine {ENGINE}");
        return;
    };
    let seeds = match std::env::var("BRAID_SEED") {
        Ok(text) => parse_range(&text).expect("BRAID_SEED is START..END"),
        Err(_) => DEFAULT_SEEDS,
    };
    let scratch = scratch(Path::new(env!("CARGO_TARGET_TMPDIR")), "lockset-generated").expect("a directory");
    let proofs = Proofs {
        compiler: Comparer { scratch },
        checker: Checker { braid: PathBuf::from(env!("CARGO_BIN_EXE_braid")), environment: Vec::new() },
        engine,
        generator: Generator::Disciplined,
        budget: Budget { time: Duration::from_secs(2), unwind: None },
    };
    let count = usize::try_from(seeds.end - seeds.start).expect("a range that fits in memory");
    let mut reports = Vec::new();
    let work = |index: usize| proofs.check(seeds.start + index as u64);
    let _ = harness::in_parallel(count, None, work, |_, result| {
        reports.extend(result.err());
        if reports.len() < MOST { Ok(()) } else { Err(()) }
    });
    assert!(reports.is_empty(), "seeds {}..{}:\n{}", seeds.start, seeds.end, reports.join("\n\n"));
}
