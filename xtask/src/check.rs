//! `cargo xtask check [--sequential] START..END`: the symbolic engine on generated programs, by ranges of seeds
//! so that a run can be taken up where another ended.
//!
//! Threaded programs are compared with exhaustive exploration, sequential ones with sampled inputs. Fails if
//! definite verdicts contradict, or at an internal error; the share that was decided is printed.

use crate::seeds::Seeds;
use crate::workspace;
use braid_testkit::check::Budget;
use braid_testkit::check::command::Checker;
use braid_testkit::check::sequential::Sampler;
use braid_testkit::check::tally::Tally;
use braid_testkit::check::threaded::Judge;
use braid_testkit::threads::compare::Comparer;
use braid_testkit::threads::program_to_unwind;
use std::time::Duration;

/// What each checker may use: one bound if it is given, and so many seconds.
pub fn budget(unwind: Option<usize>, seconds: Option<usize>) -> Budget {
    let default = Budget::default();
    Budget {
        time: seconds.map_or(default.time, |seconds| Duration::from_secs(seconds as u64)),
        unwind: unwind.map(|bound| u32::try_from(bound).unwrap_or(u32::MAX)),
    }
}

/// Threaded programs against exploration.
pub fn threaded(range: &str, jobs: Option<usize>, budget: Budget) -> Result<bool, String> {
    let seeds = Seeds::parse(range)?;
    let judge = Judge {
        compiler: Comparer { scratch: workspace::scratch("check")? },
        checker: Checker { braid: workspace::release_binary()?, environment: Vec::new() },
        budget,
    };
    let (mut differences, mut both) = (0, 0);
    let [mut engine, mut other, mut explorer] = [(); 3].map(|()| Tally::default());
    seeds.run(
        jobs,
        |seed| judge.check(seed),
        |result| {
            match result {
                Ok(pairs) => {
                    for pair in pairs {
                        engine.note(&pair.engine);
                        other.note(&pair.other);
                        explorer.note(&pair.explorer);
                        both += usize::from(pair.engine.is_definite() && pair.explorer.is_definite());
                    }
                }
                Err(report) => {
                    differences += 1;
                    println!("{report}\n");
                }
            }
            format!("{differences} differences, {} % decided", engine.share())
        },
    )?;
    println!(
        "engine: {engine}\nwith other options: {other}\nexploration: {explorer}\n{both} questions decided by both"
    );
    Ok(differences == 0)
}

/// Sequential programs against sampled inputs.
pub fn sequential(range: &str, jobs: Option<usize>) -> Result<bool, String> {
    let seeds = Seeds::parse(range)?;
    let (mut differences, mut tally) = (0, Tally::default());
    seeds.run(
        jobs,
        |seed| Sampler.check(seed),
        |result| {
            match result {
                Ok(answers) => answers.iter().for_each(|answer| tally.note(answer)),
                Err(report) => {
                    differences += 1;
                    println!("{report}\n");
                }
            }
            format!("{differences} differences, {} % decided", tally.share())
        },
    )?;
    println!("engine: {tally}");
    Ok(differences == 0)
}

/// Prints the threaded program of a seed.
pub fn show(seed: &str) -> Result<bool, String> {
    let seed = seed.parse().map_err(|_| format!("'{seed}' is no seed"))?;
    print!("{}", program_to_unwind(seed).text());
    Ok(true)
}
