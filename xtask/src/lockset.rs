//! `cargo xtask lockset START..END`: proofs of an engine on generated threaded programs, by ranges of seeds so that a run can
//! be taken up where another ended.
//!
//! Fails if the engine proves what exhaustive exploration refutes. Prints for each property how many programs are
//! safe, how many of those the engine proves, and why it is silent about the others.

use crate::seeds::Seeds;
use crate::workspace;
use braid_engines::registry;
use braid_testkit::check::Budget;
use braid_testkit::check::command::Checker;
use braid_testkit::check::proofs::{Counts, Generator, Proofs};
use braid_testkit::threads::compare::Comparer;

/// The engine that is asked unless another one is named.
const USUAL: &str = "lockset";

/// Judges seeds: `[--engine NAME] [--generator NAME] START..END`; or prints the program of one: `--show SEED`.
pub fn run(words: &[&str], jobs: Option<usize>, budget: Budget) -> Result<bool, String> {
    let mut words = words.to_vec();
    let name = take_word(&mut words, "--engine")?.unwrap_or(USUAL);
    let generator = take_word(&mut words, "--generator")?.unwrap_or("disciplined");
    let generator =
        Generator::named(generator).ok_or("the generators are threads, unwind and disciplined")?;
    match words.as_slice() {
        ["--show", seed] => {
            let seed = seed.parse().map_err(|_| format!("'{seed}' is no seed"))?;
            print!("{}", generator.program(seed).text());
            Ok(true)
        }
        [range] => {
            let engine = registry::find(name).ok_or(format!("there is no engine '{name}'"))?;
            let checker = Checker { braid: workspace::release_binary()?, environment: Vec::new() };
            let compiler = Comparer { scratch: workspace::scratch("lockset")? };
            judge(range, jobs, &Proofs { compiler, checker, engine, generator, budget })
        }
        _ => Err("expected a range of seeds, as in 0..20000, or --show SEED".to_string()),
    }
}

fn judge(range: &str, jobs: Option<usize>, proofs: &Proofs) -> Result<bool, String> {
    let (mut differences, mut all) = (0, Counts::default());
    Seeds::parse(range)?.run(
        jobs,
        |seed| proofs.check(seed),
        |result| {
            match result {
                Ok(counts) => all.add(counts),
                Err(report) => {
                    differences += 1;
                    println!("{report}\n");
                }
            }
            format!("{differences} differences")
        },
    )?;
    print!("{}", all.table());
    Ok(differences == 0)
}

/// Takes a flag with a word, as `--engine order`, out of the arguments.
fn take_word<'a>(words: &mut Vec<&'a str>, flag: &str) -> Result<Option<&'a str>, String> {
    let Some(at) = words.iter().position(|word| *word == flag) else { return Ok(None) };
    let word = words.get(at + 1).copied().ok_or(format!("{flag} needs a word"))?;
    words.drain(at..at + 2);
    Ok(Some(word))
}
