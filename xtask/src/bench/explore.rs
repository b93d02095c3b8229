//! Exhaustive exploration: states per second and bytes per state, with and without reduction, and how
//! the number of states grows with threads and iterations.

use braid_testkit::process::{self, Limits};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// A program with its parameters: threads, iterations.
const CASES: &[(&str, u32, u32)] = &[
    ("peterson", 2, 10),
    ("peterson", 2, 40),
    ("peterson", 2, 160),
    ("buffer", 1, 2),
    ("buffer", 1, 8),
    ("buffer", 1, 32),
    ("buffer", 2, 1),
    ("buffer", 2, 2),
    ("philosophers", 2, 4),
    ("philosophers", 3, 1),
    ("philosophers", 3, 2),
    ("philosophers", 4, 1),
];

/// A search that would take longer is cut; its speed counts all the same.
const TIMEOUT: &str = "20";

pub fn run(braid: &Path) -> Result<bool, String> {
    println!(
        "{:<14} {:>7} {:>6} {:>10} {:>12} {:>9} {:>11} {:>8}",
        "exploration", "threads", "rounds", "reduction", "states", "time", "states/s", "B/state"
    );
    for (name, threads, rounds) in CASES {
        for reduction in [true, false] {
            let stats = explore(braid, name, (*threads, *rounds), reduction)?;
            let (states, seconds) = (stats.number("states")?, stats.number("seconds")?);
            let (speed, bytes) = (stats.number("states/s")?, stats.number("bytes/state")?);
            let word = if reduction { "yes" } else { "no" };
            let cut = if stats.complete { " " } else { "+" };
            println!(
                "{name:<14} {threads:>7} {rounds:>6} {word:>10} {states:>11.0}{cut} {seconds:>7.2} s {speed:>11.0} {bytes:>8.0}"
            );
        }
    }
    println!("a '+' marks a search cut after {TIMEOUT} s");
    Ok(true)
}

/// What `--stats` printed.
struct Stats {
    text: String,
    complete: bool,
}

impl Stats {
    /// The number before the word.
    fn number(&self, word: &str) -> Result<f64, String> {
        let words: Vec<&str> = self.text.split([' ', ',']).filter(|word| !word.is_empty()).collect();
        let at = words.iter().position(|candidate| *candidate == word);
        let number = at.and_then(|at| words.get(at.checked_sub(1)?)?.parse().ok());
        number.ok_or_else(|| format!("no number of {word} in '{}'", self.text))
    }
}

fn explore(
    braid: &Path,
    name: &str,
    (threads, rounds): (u32, u32),
    reduction: bool,
) -> Result<Stats, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench").join(format!("{name}.c"));
    let mut command = Command::new(braid);
    command.args(["explore", "--stats", "--timeout", TIMEOUT]);
    command.args([format!("-DTHREADS={threads}"), format!("-DROUNDS={rounds}")]).arg(source);
    if !reduction {
        command.arg("--no-reduction");
    }
    let limits = Limits { time: Duration::from_secs(120), ..Limits::default() };
    let outcome = process::run(&mut command, b"", &limits)?;
    let output = outcome.stdout_text();
    let line = output.lines().find_map(|line| line.strip_prefix("search: "));
    match line {
        Some(line) => Ok(Stats { text: line.to_string(), complete: outcome.code == 0 }),
        None => Err(format!("{name}: no statistics; exit code {}: {}", outcome.code, outcome.stderr_text())),
    }
}
