//! The command line under test, on texts.

use crate::process::{self, Limits, Outcome};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

/// A binary and a directory for its files, which exists.
pub struct Braid {
    pub binary: PathBuf,
    pub scratch: PathBuf,
    /// Variables of the binary's environment.
    pub environment: Vec<(String, String)>,
}

impl Braid {
    /// Writes a file into the directory.
    pub fn write(&self, name: &str, text: &str) -> Result<(), String> {
        std::fs::write(self.scratch.join(name), text).map_err(|e| format!("{name}: {e}"))
    }

    /// Runs `braid` with the arguments in the directory.
    pub fn call(&self, args: &[&str]) -> Result<Outcome, String> {
        let mut command = process::command(&self.binary, &self.scratch);
        command.args(args).envs(self.environment.iter().cloned());
        let limits = Limits { time: Duration::from_secs(120), ..Limits::default() };
        process::run(&mut command, b"", &limits)
    }

    /// `braid explore` on a text.
    pub fn explore(&self, name: &str, text: &str, flags: &[&str]) -> Result<Explored, String> {
        self.write(name, text)?;
        let args: Vec<&str> = ["explore", name].into_iter().chain(flags.iter().copied()).collect();
        self.call(&args).map(|outcome| Explored { outcome })
    }
}

/// What an exploration printed.
#[derive(Debug)]
pub struct Explored {
    pub outcome: Outcome,
}

impl Explored {
    /// The last line of standard output.
    pub fn verdict(&self) -> String {
        self.outcome.stdout_text().lines().last().unwrap_or("").to_string()
    }

    /// The exit codes the program can end with.
    pub fn exits(&self) -> BTreeSet<i32> {
        let text = self.outcome.stdout_text();
        let codes = text.lines().filter_map(|line| line.strip_prefix("  exit "));
        codes.filter_map(|rest| rest.split(',').next()?.parse().ok()).collect()
    }

    /// How many states it saw; none if it printed no summary.
    pub fn states(&self) -> Option<u64> {
        let text = self.outcome.stdout_text();
        let mut firsts = text.lines().filter_map(|line| line.split_once(" state"));
        firsts.find_map(|(count, _)| count.parse().ok())
    }

    /// Whether it ended in no verdict at all.
    pub fn is_broken(&self) -> bool {
        self.outcome.timed_out || !matches!(self.outcome.code, 0 | 5 | 10)
    }

    /// What must not depend on how the search goes: the ways it ends, and the violations.
    pub fn essence(&self) -> (BTreeSet<String>, Vec<(String, u32)>) {
        let text = self.outcome.stdout_text();
        let ends = text.lines().skip_while(|line| !line.contains(" distinct outcome")).skip(1);
        (ends.map(str::to_string).filter(|line| line.starts_with("  ")).collect(), self.violations())
    }

    /// Property and line of each violation, sorted.
    pub fn violations(&self) -> Vec<(String, u32)> {
        let text = self.outcome.stdout_text();
        let mut found: Vec<(String, u32)> = text.lines().filter_map(violation).collect();
        found.sort();
        found
    }
}

/// `FILE:LINE:COL: violation: … [id]`
fn violation(line: &str) -> Option<(String, u32)> {
    let (place, message) = line.split_once(": violation: ")?;
    let (_, id) = message.rsplit_once(" [")?;
    let number = place.rsplit(':').nth(1)?.parse().ok()?;
    Some((id.trim_end_matches(']').to_string(), number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read() {
        let stdout = "a.c:3:7: violation: data race [x] on 'x' [data-race]\n  in 'main'\n\n12 states\n  exit 0\n\
                      \x20 exit 7, with 2 different final states\n  blocked\nUNSAFE: data-race at a.c:3:7\n";
        let outcome = Outcome { code: 10, stdout: stdout.into(), stderr: Vec::new(), timed_out: false };
        let explored = Explored { outcome };
        assert_eq!(explored.violations(), [("data-race".to_string(), 3)]);
        assert_eq!(explored.exits(), [0, 7].into());
        assert_eq!(explored.verdict(), "UNSAFE: data-race at a.c:3:7");
        assert_eq!(explored.states(), Some(12));
    }
}
