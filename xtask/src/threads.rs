//! `cargo xtask threads START..END`: generated threaded programs, explored with and without reduction, by
//! ranges of seeds so that a run can be taken up where another ended.
//!
//! Fails on a difference, and if fewer than 95 % of the programs are decided within their time.

use crate::seeds::Seeds;
use crate::workspace;
use braid_testkit::threads::compare::{Comparer, Fate};

/// One in so many programs may stay undecided.
const UNDECIDED: usize = 20;

pub fn run(range: &str, jobs: Option<usize>) -> Result<bool, String> {
    let seeds = Seeds::parse(range)?;
    let count = seeds.count();
    let comparer = Comparer { scratch: workspace::scratch("threads")? };
    let (mut differences, mut undecided) = (0, Vec::new());
    seeds.run(
        jobs,
        |seed| (seed, comparer.check(seed)),
        |(seed, result)| {
            match result {
                Ok(Fate::Agree) => {}
                Ok(Fate::Undecided) => undecided.push(seed),
                Err(report) => {
                    differences += 1;
                    println!("{report}\n");
                }
            }
            format!("{differences} differences, {} undecided", undecided.len())
        },
    )?;
    undecided.sort_unstable();
    if !undecided.is_empty() {
        println!("undecided: {undecided:?}");
    }
    Ok(differences == 0 && undecided.len() * UNDECIDED <= count)
}
