//! Programs of other tools' test suites that are too large for a formula of all interleavings.
//!
//! Every program is asked of the engine that encodes all interleavings. Those on which its time is over before the solver is
//! asked, the largest source files first, are asked in rounds.

use super::ask::{Asker, Cost, How};
use crate::suites;
use std::path::{Path, PathBuf};

/// The most programs that are asked in rounds.
const MOST: usize = 10;
/// The parts of the work before the solver is asked, as verdicts name them.
const BEFORE_SOLVING: [&str; 2] = ["encoding)", "unwinding)"];

/// A program on which the formula of all interleavings is not made in time.
struct Large {
    name: String,
    directory: PathBuf,
    words: Vec<String>,
    bytes: u64,
}

/// Asks about the programs in the directories, and prints what becomes of the largest.
pub fn run(asker: &Asker, directories: &[PathBuf]) -> Result<(), String> {
    let (mut asked, mut large) = (0, Vec::new());
    for directory in directories {
        for (name, directory, words) in suites::programs(directory)? {
            asked += 1;
            // Programs that the front end refuses are no matter of this.
            let Ok(cost) = asker.ask_in(&directory, &words, How::Theory) else { continue };
            if stops_early(&cost) {
                let bytes = size_of_source(&directory, &words);
                large.push(Large { name, directory, words, bytes });
            }
        }
    }
    large.sort_by_key(|one| std::cmp::Reverse(one.bytes));
    println!(
        "\n{asked} programs of other suites, {} too large for a formula of all interleavings",
        large.len()
    );
    let mut decided = 0;
    for one in large.iter().take(MOST) {
        let cost = asker.ask_in(&one.directory, &one.words, How::Rounds(None))?;
        decided += usize::from(cost.is_decided());
        let verdict: String = cost.verdict.chars().take(60).collect();
        println!("{:<44} {:>7} bytes {:>7.2} s  {verdict}", one.name, one.bytes, cost.seconds);
    }
    println!("{decided} of {} decided in rounds", large.len().min(MOST));
    Ok(())
}

/// Returns true if the time was over before the solver was asked.
fn stops_early(cost: &Cost) -> bool {
    cost.code == 5 && BEFORE_SOLVING.iter().any(|part| cost.verdict.contains(part))
}

/// The bytes of the C files among the words.
fn size_of_source(directory: &Path, words: &[String]) -> u64 {
    let files = words.iter().filter(|word| word.ends_with(".c") || word.ends_with(".i"));
    files.filter_map(|file| std::fs::metadata(directory.join(file)).ok()).map(|data| data.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stops_before_solving_is_large() {
        let cost = |code, verdict: &str| Cost {
            code,
            seconds: 5.0,
            mebibytes: None,
            size: None,
            rounds: None,
            verdict: verdict.to_string(),
        };
        assert!(stops_early(&cost(5, "UNKNOWN: time limit reached (order, bound 1, encoding)")));
        assert!(!stops_early(&cost(5, "UNKNOWN: time limit reached (order, bound 1, solving)")));
        assert!(!stops_early(&cost(0, "SAFE")));
    }
}
