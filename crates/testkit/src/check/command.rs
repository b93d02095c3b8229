//! `braid check` asked through the command line.
//!
//! A process can be ended whatever it does, has its memory to itself and cannot take the test down with it; long
//! runs over thousands of programs need that. The answer is read off the last line and the exit code, and of UNSAFE
//! all violations that are shown.

use super::{Answer, Budget, line_only};
use crate::process::{self, Limits, Outcome};
use braid_engines::Engine;
use braid_props::CheckSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a process may take beyond its time before it counts as one that does not end.
const GRACE: Duration = Duration::from_secs(5);

/// A binary under test.
#[derive(Clone, Debug)]
pub struct Checker {
    pub braid: PathBuf,
    /// Variables of its environment.
    pub environment: Vec<(String, String)>,
}

impl Checker {
    /// Asks an engine about a file, with some of its options.
    pub fn ask(
        &self,
        file: &Path,
        checks: CheckSet,
        engine: &Engine,
        options: &[String],
        budget: Budget,
    ) -> Answer {
        let checks = checks.list();
        let mut flags = vec!["--engine", engine.name, "--property", &checks];
        flags.extend(options.iter().map(String::as_str));
        match self.run(file, &flags, budget) {
            Ok(outcome) => answer(&outcome),
            Err(error) => Answer::Broken(error),
        }
    }

    /// Runs `braid check` on a file with flags. The error says what could not be done.
    pub fn run(&self, file: &Path, flags: &[&str], budget: Budget) -> Result<Outcome, String> {
        let directory = file.parent().unwrap_or(Path::new("."));
        let mut command = process::command(&self.braid, directory);
        command.arg("check").args(flags);
        command.args(["--timeout", &budget.time.as_secs_f64().to_string(), "--memlimit", "3072"]);
        if let Some(bound) = budget.unwind {
            command.args(["--unwind", &bound.to_string()]);
        }
        command.arg(file.file_name().unwrap_or_default()).envs(self.environment.iter().cloned());
        let limits = Limits { time: budget.time + GRACE, ..Limits::default() };
        process::run(&mut command, b"", &limits)
    }
}

/// Returns true if a verdict line says that the program is safe, with or without a restriction to sequential
/// consistency.
pub fn is_safe(line: &str) -> bool {
    line == "SAFE" || line == "SAFE (sequential consistency only)"
}

/// The answer that a run of `braid check` gives by its last line and exit code.
pub fn answer(outcome: &Outcome) -> Answer {
    let text = outcome.stdout_text();
    let last = text.lines().last().unwrap_or("");
    match (outcome.code, last.split_once(": ")) {
        _ if outcome.timed_out => Answer::Undecided("does not end in time".to_string()),
        (0, None) if is_safe(last) => Answer::Safe,
        // One that does not replay is not listed, but it was claimed.
        (10, Some(("UNSAFE", violation))) if !outcome.stderr_text().contains("internal error") => {
            let shown = text.lines().filter_map(shown_violation);
            let found = shown.chain([violation.to_string()]).map(|violation| line_only(&violation)).collect();
            Answer::Unsafe { found, all: false }
        }
        (5, Some(("UNKNOWN", why))) => Answer::Undecided(summary(why)),
        (code, _) => {
            let said = outcome.stderr_text();
            let said = said.lines().filter(|line| !line.starts_with("note: ")).collect::<Vec<_>>().join(" ");
            Answer::Broken(format!("exit code {code}: {said}{last}"))
        }
    }
}

/// What a line `PLACE: violation: … [CHECK]` shows, as `CHECK at PLACE`.
pub fn shown_violation(line: &str) -> Option<String> {
    let (place, message) = line.split_once(": violation: ")?;
    let (_, check) = message.strip_suffix(']')?.rsplit_once(" [")?;
    Some(format!("{check} at {place}"))
}

/// The first reason without its place and numbers.
fn summary(why: &str) -> String {
    let kinds = [
        ("goes on after", "loop bound"),
        ("calls itself", "recursion bound"),
        ("are started", "thread bound"),
        ("invalid access", "invalid access"),
        ("depends on addresses", "addresses"),
    ];
    if let Some((_, kind)) = kinds.iter().find(|(sign, _)| why.contains(sign)) {
        return kind.to_string();
    }
    match why.split_once(" (") {
        Some((limit, phase)) if limit.contains("limit") => {
            let step = phase.split([')', ';']).next().and_then(|phase| phase.rsplit(", ").next());
            format!("{limit}, {}", step.unwrap_or(""))
        }
        _ => why.split(" at ").next().unwrap_or(why).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(code: i32, stdout: &str, stderr: &str) -> Answer {
        super::answer(&Outcome { code, stdout: stdout.into(), stderr: stderr.into(), timed_out: false })
    }

    #[test]
    fn answers_are_read() {
        assert_eq!(answer(0, "assumptions: x\nSAFE\n", ""), Answer::Safe);
        let found = ["shift at a.c:1".to_string()].into();
        assert_eq!(answer(10, "UNSAFE: shift at a.c:1:2\n", ""), Answer::Unsafe { found, all: false });
        let several = "a.c:1:2: violation: x [shift]\n\na.c:3:2: violation: a race [data-race]\nUNSAFE: shift at a.c:1:2\n";
        let found = ["shift at a.c:1", "data-race at a.c:3"].map(str::to_string).into();
        assert_eq!(answer(10, several, ""), Answer::Unsafe { found, all: false });
        assert!(matches!(answer(10, several, "braid: internal error: x\n"), Answer::Broken(_)));
        // The code and the word must say the same.
        assert!(matches!(answer(0, "UNSAFE: shift at a.c:1:2\n", ""), Answer::Broken(_)));
        assert!(matches!(answer(10, "SAFE\n", ""), Answer::Broken(_)));
        let broken = answer(6, "", "braid: internal error: order finds nothing\n");
        assert_eq!(
            broken,
            Answer::Broken("exit code 6: braid: internal error: order finds nothing".to_string())
        );
    }

    #[test]
    fn reasons_lose_their_places() {
        assert_eq!(
            summary("time limit reached (order, bound 2, solving); the loop"),
            "time limit reached, solving"
        );
        assert_eq!(
            summary("the loop at a.c:3:1 in 'f' goes on after 2 iterations; try --unwind 4"),
            "loop bound"
        );
        assert_eq!(summary("unsupported: inline assembly at a.c:3:1"), "unsupported: inline assembly");
    }
}
