//! Measuring processes, and rows of a table of ratios.

use braid_testkit::process::{self, Limits};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const RUNS: usize = 5;

/// Prints a ratio and whether it is within its limit.
pub fn print_row(name: &str, times: (String, String), ratio: f64, limit: f64) -> bool {
    let passes = ratio <= limit;
    let word = if passes { "pass" } else { "FAIL" };
    println!("{name:<28} {:>12} {:>12} {ratio:>7.2}x {limit:>7.1}x  {word}", times.0, times.1);
    passes
}

/// Writes a file of the benchmark.
pub fn write(directory: &Path, name: &str, text: &str) -> Result<PathBuf, String> {
    let path = directory.join(name);
    std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(path)
}

/// Runs a command that has to work.
pub fn must_succeed(command: &mut Command) -> Result<(), String> {
    let outcome = process::run(command, b"", &Limits::default())?;
    if outcome.code == 0 { Ok(()) } else { Err(outcome.stderr_text()) }
}

/// The median time of several runs; exit codes 0 and 1 are what the programs return.
pub fn median(command: impl Fn() -> Command) -> Result<f64, String> {
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let mut command = command();
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let begin = Instant::now();
        let status = command.status().map_err(|e| format!("{command:?}: {e}"))?;
        times.push(begin.elapsed().as_secs_f64());
        if !matches!(status.code(), Some(0 | 1)) {
            return Err(format!("{command:?} ends with {status}"));
        }
    }
    times.sort_by(f64::total_cmp);
    Ok(times[RUNS / 2])
}

/// The time of one run and its exit code.
pub fn once(command: &mut Command) -> Result<(f64, Option<i32>), String> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let begin = Instant::now();
    let status = command.status().map_err(|e| format!("{command:?}: {e}"))?;
    Ok((begin.elapsed().as_secs_f64(), status.code()))
}

/// The geometric mean of some factors; `None` of no numbers.
pub fn geometric_mean(factors: &[f64]) -> Option<f64> {
    let sum: f64 = factors.iter().map(|factor| factor.ln()).sum();
    (!factors.is_empty()).then(|| (sum / factors.len() as f64).exp())
}

/// The largest number before the words, in statistics as `--stats` prints them.
pub fn largest(stats: &str, words: &str) -> Option<u64> {
    let parts = stats.lines().flat_map(|line| line.trim().split(", "));
    parts.filter_map(|part| part.strip_suffix(words)?.trim().parse().ok()).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means() {
        assert_eq!(geometric_mean(&[]), None);
        let mean = geometric_mean(&[4.0, 1.0, 0.25, 16.0]).expect("a mean");
        assert!((mean - 2.0).abs() < 1e-9, "{mean}");
    }
}
