//! `cargo xtask rounds START..END`: generated threaded programs within 1 to 4 rounds, by ranges of seeds so that a run
//! can be taken up where another ended.
//!
//! Fails on a difference between exhaustive search and an engine that encodes rounds, and if fewer than 95 % of the
//! questions are decided within their time.

use crate::seeds::Seeds;
use crate::workspace;
use braid_testkit::check::Budget;
use braid_testkit::check::command::Checker;
use braid_testkit::check::rounds::{Counts, Rounds};

/// One in so many questions may stay undecided.
const UNDECIDED: usize = 20;

pub fn run(range: &str, jobs: Option<usize>, budget: Budget) -> Result<bool, String> {
    let seeds = Seeds::parse(range)?;
    let checker = Checker { braid: workspace::release_binary()?, environment: Vec::new() };
    let judge = Rounds { checker, scratch: workspace::scratch("rounds")?, budget };
    let (mut differences, mut all) = (0, Counts::default());
    seeds.run(
        jobs,
        |seed| judge.check(seed),
        |result| {
            match result {
                Ok(counts) => all.add(counts),
                Err(report) => {
                    differences += 1;
                    println!("{report}\n");
                }
            }
            format!("{differences} differences, {} of {} questions decided", all.decided, all.asked)
        },
    )?;
    println!("{} questions decided by both, {} with a violation", all.both, all.violations);
    all.open.iter().for_each(|(reason, count)| println!("{count:>6} undecided: {reason}"));
    Ok(differences == 0 && (all.asked - all.decided) * UNDECIDED <= all.asked)
}
