//! `cargo xtask differential START..END`: long comparisons with the native compiler, by ranges of seeds
//! so that a run can be taken up where another ended.

use crate::workspace;
use braid_testkit::differential::{Differ, parse_range};
use braid_testkit::harness;
use std::time::Instant;

/// Programs between two lines of progress.
const STEP: usize = 500;

pub fn run(range: &str) -> Result<bool, String> {
    let seeds = parse_range(range).ok_or("expected a range of seeds, as in 0..20000")?;
    let differ = Differ { braid: workspace::release_binary()?, scratch: workspace::scratch("differential")? };
    let count = usize::try_from(seeds.end - seeds.start).map_err(|e| e.to_string())?;
    let begin = Instant::now();
    let (mut done, mut differences) = (0, 0);
    let mut finished = vec![false; count];
    let mut unbroken = 0;
    let work = |index: usize| differ.check(seeds.start + index as u64);
    harness::in_parallel(count, None, work, |index, result| {
        done += 1;
        finished[index] = true;
        while unbroken < count && finished[unbroken] {
            unbroken += 1;
        }
        if let Err(report) = result {
            differences += 1;
            println!("{report}\n");
        }
        if done % STEP == 0 || done == count {
            let seconds = begin.elapsed().as_secs();
            let resume = seeds.start + unbroken as u64;
            println!(
                "{done} of {count} programs compared, {differences} differences, {seconds} s; \
                 all seeds below {resume} are done"
            );
        }
        Ok::<(), String>(())
    })?;
    Ok(differences == 0)
}
