//! One question to `braid check`, and its price.
//!
//! The size of a formula is that of the file which `--dump` writes: clauses of exactly so many rounds. The theory of orders
//! has no such file, because its clauses about the order are found during the search; its size is what `--stats` says.

use crate::bench::measure::{largest, write};
use braid_testkit::check::{in_rounds, symbolic};
use braid_testkit::families::Instance;
use braid_testkit::process::{self, Limits, Outcome};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The time beyond its limit that a process gets to end by itself.
const GRACE: Duration = Duration::from_secs(10);

/// A solver that ends without an answer. The formula is written by then.
const GIVES_UP: &str = "false";

/// How a program is asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// In rounds, at most so many if there is a number.
    Rounds(Option<u32>),
    /// All interleavings, with the theory of orders.
    Theory,
    /// All interleavings, with time stamps.
    Clocks,
    /// All engines in turn.
    All,
}

impl How {
    pub fn name(self) -> String {
        match self {
            How::Rounds(_) => in_rounds().name.to_string(),
            How::Theory => symbolic().name.to_string(),
            How::Clocks => "clocks".to_string(),
            How::All => "check".to_string(),
        }
    }

    fn flags(self) -> Vec<String> {
        let engine = match self {
            How::Rounds(_) => Some(in_rounds().name),
            How::Theory | How::Clocks => Some(symbolic().name),
            How::All => None,
        };
        let mut flags: Vec<String> =
            engine.into_iter().flat_map(|name| ["--engine", name]).map(str::to_string).collect();
        match self {
            How::Rounds(Some(count)) => flags.extend(["--rounds".to_string(), count.to_string()]),
            How::Clocks => flags.extend(["--encoding", "clocks"].map(str::to_string)),
            How::Rounds(None) | How::Theory | How::All => {}
        }
        flags
    }
}

/// The size of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    pub variables: u64,
    pub clauses: u64,
}

/// An answer and its price.
pub struct Cost {
    pub code: i32,
    pub seconds: f64,
    pub mebibytes: Option<u64>,
    pub size: Option<Size>,
    /// The largest number of rounds that was looked at.
    pub rounds: Option<u64>,
    /// The line of the verdict.
    pub verdict: String,
}

impl Cost {
    pub fn is_decided(&self) -> bool {
        matches!(self.code, 0 | 10)
    }

    /// The answer to an unsafe program: `unsafe`, `-` for none, or `WRONG`.
    pub fn word(&self) -> &'static str {
        match self.code {
            10 => "unsafe",
            5 => "-",
            _ => "WRONG",
        }
    }
}

/// Asks questions.
pub struct Asker {
    pub braid: PathBuf,
    /// The directory for programs and formulas.
    pub directory: PathBuf,
    /// Seconds.
    pub limit: u64,
}

impl Asker {
    /// Asks about the assertions of an instance of a family.
    pub fn ask(&self, instance: &Instance, how: How) -> Result<Cost, String> {
        let words = [&self.place(instance)?, "--property", "assertion"].map(str::to_string);
        self.ask_in(&self.directory, &words, how)
    }

    /// Asks what the words say, in a directory.
    pub fn ask_in(&self, directory: &Path, words: &[String], how: How) -> Result<Cost, String> {
        let begin = Instant::now();
        let outcome = self.check(directory, &how.flags(), words)?;
        let seconds = begin.elapsed().as_secs_f64();
        let text = outcome.stdout_text();
        let memory = text.lines().find_map(|line| line.strip_prefix("peak memory: "));
        Ok(Cost {
            code: outcome.code,
            seconds,
            mebibytes: memory.and_then(|line| line.split(' ').next()?.parse().ok()),
            size: size_in(&text),
            rounds: largest(&text, "rounds"),
            verdict: text.lines().last().unwrap_or("").to_string(),
        })
    }

    /// The size of the formula of an instance; none if it is not made within the limit.
    pub fn size(&self, instance: &Instance, how: How, unwind: u32) -> Result<Option<Size>, String> {
        let file = self.place(instance)?;
        let mut words =
            [&file, "--property", "assertion", "--stop-at-first", "--unwind"].map(str::to_string).to_vec();
        words.push(unwind.to_string());
        if how == How::Theory {
            return Ok(size_in(&self.check(&self.directory, &how.flags(), &words)?.stdout_text()));
        }
        let formula = self.directory.join("formula.cnf");
        // A formula that is not made leaves no file, and the last one must not be taken for it.
        let _ = std::fs::remove_file(&formula);
        words.extend(["--dump", "formula.cnf", "--solver", GIVES_UP].map(str::to_string));
        self.check(&self.directory, &how.flags(), &words)?;
        Ok(size_of(&formula))
    }

    fn place(&self, instance: &Instance) -> Result<String, String> {
        let name = format!("{}.c", instance.name);
        write(&self.directory, &name, &instance.text)?;
        Ok(name)
    }

    fn check(&self, directory: &Path, flags: &[String], words: &[String]) -> Result<Outcome, String> {
        let mut command = process::command(&self.braid, directory);
        command.args(["check", "--stats", "--timeout", &self.limit.to_string()]).args(flags).args(words);
        let limits = Limits { time: Duration::from_secs(self.limit) + GRACE, ..Limits::default() };
        let outcome = process::run(&mut command, b"", &limits)?;
        // Exit codes of usage and of input: nothing was measured.
        match outcome.code {
            1 | 2 => Err(format!("braid check {}: {}", words.join(" "), outcome.stderr_text())),
            _ => Ok(outcome),
        }
    }
}

/// The largest formula among the statistics; none if there is no clause.
fn size_in(stats: &str) -> Option<Size> {
    let (variables, clauses) = (largest(stats, "variables")?, largest(stats, "clauses")?);
    (clauses > 0).then_some(Size { variables, clauses })
}

/// The numbers in the head of a DIMACS file; comments come before it.
fn size_of(formula: &Path) -> Option<Size> {
    let lines = BufReader::new(std::fs::File::open(formula).ok()?).lines();
    let head =
        lines.map_while(Result::ok).find_map(|line| line.strip_prefix("p cnf ").map(str::to_string))?;
    let (variables, clauses) = head.split_once(' ')?;
    Some(Size { variables: variables.parse().ok()?, clauses: clauses.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_read() {
        let text = "    3 threads, 26 events\n    31 variables, 7 clauses, 19 conflicts\nUNSAFE: x\n";
        assert_eq!(size_in(text), Some(Size { variables: 31, clauses: 7 }));
        assert_eq!(size_in("    0 variables, 0 clauses\n"), None, "no formula was made");
        assert_eq!(size_in("SAFE\n"), None);
    }

    #[test]
    fn heads_of_formulas_are_read() {
        let path = std::env::temp_dir().join(format!("braid-size-{}.cnf", std::process::id()));
        std::fs::write(&path, "c x: 1 2\np cnf 12 34\n1 2 0\n").expect("a file");
        assert_eq!(size_of(&path), Some(Size { variables: 12, clauses: 34 }));
        std::fs::remove_file(&path).expect("the file");
        assert_eq!(size_of(&path), None);
    }

    #[test]
    fn flags_name_what_is_asked() {
        assert!(How::All.flags().is_empty());
        assert_eq!(How::Rounds(Some(3)).flags()[2..], ["--rounds", "3"]);
        assert_eq!(How::Clocks.flags()[2..], ["--encoding", "clocks"]);
        assert_ne!(How::Rounds(None).name(), How::Theory.name());
    }
}
