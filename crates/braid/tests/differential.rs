//! Generated programs: the native binary and `braid run` must agree, with all checks and with none.
//!
//! `BRAID_SEED=START..END` chooses other seeds; `cargo xtask differential` is for long runs.

use braid_testkit::differential::{self, Differ};
use braid_testkit::harness;
use std::path::{Path, PathBuf};

const DEFAULT_SEEDS: std::ops::Range<u64> = 1_000_000..1_000_300;

/// Differences reported in full; each costs a shrinking.
const MOST: usize = 3;

#[test]
fn generated_programs_behave_as_natively() {
    let seeds = match std::env::var("BRAID_SEED") {
        Ok(text) => differential::parse_range(&text).expect("BRAID_SEED is START..END"),
        Err(_) => DEFAULT_SEEDS,
    };
    let scratch = differential::scratch(Path::new(env!("CARGO_TARGET_TMPDIR")), "differential")
        .expect("a directory for the programs");
    let differ = Differ { braid: PathBuf::from(env!("CARGO_BIN_EXE_braid")), scratch };
    let count = usize::try_from(seeds.end - seeds.start).expect("a range that fits in memory");
    let mut reports = Vec::new();
    let work = |index: usize| differ.check(seeds.start + index as u64);
    let _ = harness::in_parallel(count, None, work, |_, result| {
        reports.extend(result.err());
        if reports.len() < MOST { Ok(()) } else { Err(()) }
    });
    assert!(reports.is_empty(), "seeds {}..{}:\n{}", seeds.start, seeds.end, reports.join("\n\n"));
}
