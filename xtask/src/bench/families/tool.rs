//! One tool with its flags, and what it makes of a file.
//!
//! Wall time is that of the whole process. Memory, events and candidates are what `--stats` prints; of several bounds
//! the largest number counts. A process that does not end by itself is killed a while after its limit.

use crate::bench::measure::largest;
use braid_testkit::check::symbolic;
use braid_testkit::process::{self, Limits, Outcome};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// What Braid may take beyond its limit before it is ended: it looks at the clock now and then.
const GRACE: Duration = Duration::from_secs(2);

/// A command to ask.
pub struct Tool {
    label: String,
    kind: Kind,
}

enum Kind {
    Braid { binary: PathBuf, flags: Vec<String> },
    Peer { words: Vec<String> },
}

/// What a tool said, judged.
#[derive(PartialEq, Eq, Debug)]
pub enum Answer {
    Right,
    /// A definite verdict that is not true, or a defect: what it said.
    Wrong(String),
    /// No verdict: why.
    None(String),
}

/// What Braid says an answer cost, as far as it does.
#[derive(PartialEq, Eq, Default, Debug)]
pub struct Cost {
    pub mebibytes: Option<u64>,
    pub events: Option<u64>,
    pub candidates: Option<u64>,
    pub conflicts: Option<u64>,
}

/// One question's answer and price.
pub struct Measured {
    pub answer: Answer,
    pub seconds: f64,
    pub cost: Cost,
    ours: bool,
}

impl Measured {
    /// A wrong answer of Braid's, not of a peer.
    pub fn is_our_defect(&self) -> bool {
        self.ours && matches!(self.answer, Answer::Wrong(_))
    }

    /// The time; without a right answer it is the whole limit.
    pub fn price(&self, limit: f64) -> f64 {
        if self.answer == Answer::Right { self.seconds.min(limit) } else { limit }
    }
}

impl Tool {
    pub fn braid(label: char, binary: &Path, flags: &str) -> Tool {
        let flags = flags.split_whitespace().map(str::to_string).collect();
        Tool { label: label.to_string(), kind: Kind::Braid { binary: binary.to_path_buf(), flags } }
    }

    pub fn peer(number: usize, command: &str) -> Tool {
        let words = command.split_whitespace().map(str::to_string).collect();
        Tool { label: number.to_string(), kind: Kind::Peer { words } }
    }

    pub fn label(&self) -> &str {
        &self.label
    }

    pub fn description(&self) -> String {
        match &self.kind {
            Kind::Braid { flags, .. } if flags.is_empty() => "braid".to_string(),
            Kind::Braid { flags, .. } => format!("braid {}", flags.join(" ")),
            Kind::Peer { words } => words.join(" "),
        }
    }

    /// Asks about the assertions of a file.
    pub fn ask(&self, file: &Path, safe: bool, limit: u64) -> Result<Measured, String> {
        let time = Duration::from_secs(limit);
        let (mut command, time, ours) = match &self.kind {
            Kind::Braid { binary, flags } => (check(binary, flags, file, limit), time + GRACE, true),
            Kind::Peer { words } => (peer(words, file)?, time, false),
        };
        let begin = Instant::now();
        let outcome = process::run(&mut command, b"", &Limits { time, ..Limits::default() })?;
        let seconds = begin.elapsed().as_secs_f64();
        // Exit codes of usage and of input: nothing was measured.
        if ours && matches!(outcome.code, 1 | 2) {
            return Err(format!("{} on {}: {}", self.description(), file.display(), outcome.stderr_text()));
        }
        let answer = if ours { judge(&outcome, safe) } else { judge_code(&outcome, safe) };
        Ok(Measured { answer, seconds, cost: cost(&outcome.stdout_text()), ours })
    }
}

fn check(binary: &Path, flags: &[String], file: &Path, limit: u64) -> Command {
    // Without its directory the file's name is shorter in what is printed.
    let mut command = process::command(binary, file.parent().unwrap_or(Path::new(".")));
    command.args(["check", "--engine", symbolic().name, "--property", "assertion", "--stats", "--timeout"]);
    command.arg(limit.to_string()).args(flags).arg(file.file_name().unwrap_or_default());
    command
}

fn peer(words: &[String], file: &Path) -> Result<Command, String> {
    let file = file.to_string_lossy();
    let mut words = words.iter().map(|word| word.replace("{file}", &file));
    let mut command = Command::new(words.next().ok_or("a peer without a name")?);
    command.args(words);
    Ok(command)
}

/// What Braid's last line and exit code say.
fn judge(outcome: &Outcome, safe: bool) -> Answer {
    let text = outcome.stdout_text();
    let last = text.lines().last().unwrap_or("");
    let word = last.split([':', ' ']).next().unwrap_or("");
    match (outcome.code, word) {
        _ if outcome.timed_out => Answer::None("does not end in time".to_string()),
        (0, "SAFE") | (10, "UNSAFE") => judge_code(outcome, safe),
        (5, "UNKNOWN") => {
            let why = last.strip_prefix("UNKNOWN: ").unwrap_or(last).split(';').next().unwrap_or("");
            Answer::None(why.to_string())
        }
        (code, _) => Answer::Wrong(format!("exit code {code}: {}", outcome.last_line())),
    }
}

fn judge_code(outcome: &Outcome, safe: bool) -> Answer {
    match (outcome.code, safe) {
        _ if outcome.timed_out => Answer::None("does not end in time".to_string()),
        (0, true) | (10, false) => Answer::Right,
        (0, false) => Answer::Wrong("says safe".to_string()),
        (10, true) => Answer::Wrong("says unsafe".to_string()),
        (code, _) => Answer::None(format!("exit code {code}")),
    }
}

fn cost(stats: &str) -> Cost {
    let memory = stats.lines().find_map(|line| line.strip_prefix("peak memory: "));
    Cost {
        mebibytes: memory.and_then(|line| line.split(' ').next()?.parse().ok()),
        events: largest(stats, "events"),
        candidates: largest(stats, "reads-from candidates"),
        conflicts: largest(stats, "conflicts"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(code: i32, stdout: &str) -> Outcome {
        Outcome { code, stdout: stdout.into(), stderr: Vec::new(), timed_out: false }
    }

    #[test]
    fn answers_are_judged() {
        assert_eq!(judge(&outcome(0, "x\nSAFE\n"), true), Answer::Right);
        assert_eq!(judge(&outcome(10, "UNSAFE: assertion at a.c:1:2\n"), false), Answer::Right);
        assert!(matches!(judge(&outcome(0, "SAFE\n"), false), Answer::Wrong(_)));
        assert!(matches!(judge(&outcome(10, "UNSAFE: x\n"), true), Answer::Wrong(_)));
        assert!(matches!(judge(&outcome(6, ""), true), Answer::Wrong(_)));
        assert_eq!(judge(&outcome(5, "UNKNOWN: late; and more\n"), true), Answer::None("late".to_string()));
        assert!(matches!(judge_code(&outcome(6, ""), true), Answer::None(_)));
    }

    #[test]
    fn what_is_not_decided_costs_the_limit() {
        let measured = |answer| Measured { answer, seconds: 1.0, cost: Cost::default(), ours: true };
        assert_eq!(measured(Answer::Right).price(10.0), 1.0);
        assert_eq!(measured(Answer::None(String::new())).price(10.0), 10.0);
        assert_eq!(measured(Answer::Wrong(String::new())).price(10.0), 10.0);
    }

    #[test]
    fn statistics_are_read() {
        let text = "  order, bound 1: clear, 0.2 seconds\n    3 threads, 26 events, 26 cells, 58 reads-from candidates\n    \
                    31 variables, 7 clauses, 19 conflicts, 5 decisions\n    3 threads, 40 events, 1 cells, 5 reads-from candidates\n\
                    peak memory: 19 MiB\nSAFE\n";
        let expected =
            Cost { mebibytes: Some(19), events: Some(40), candidates: Some(58), conflicts: Some(19) };
        assert_eq!(cost(text), expected);
        assert_eq!(cost("nothing"), Cost::default());
    }
}
