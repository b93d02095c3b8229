//! Generated programs, native binary against the binary under test.
//!
//! The programs are well-defined, so every difference is a defect: another output, another exit code, a
//! violation reported by any property. A difference is shrunk while it stays one and the sanitizers
//! stay silent (a shrunk program with undefined behaviour would show nothing).

use crate::fixture::first_difference;
use crate::r#gen::{self, Generated};
use crate::native::{Failure, Job};
use crate::process::{self, Limits, Outcome};
use crate::tree;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Texts tried to make a failing program small.
const TRIALS: usize = 400;

/// A pair of binaries to compare.
#[derive(Clone, Debug)]
pub struct Differ {
    /// The binary under test.
    pub braid: PathBuf,
    /// A directory of its own, which exists.
    pub scratch: PathBuf,
}

/// In what way two runs differ. Shrinking keeps the kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Violation,
    Stopped,
    Rejected,
    Broken,
    /// The front end warns, as it does where shrinking has dropped a declaration.
    Warned,
    Output,
}

impl Differ {
    /// Compares the program of a seed. The error is a report with the shrunk program.
    pub fn check(&self, seed: u64) -> Result<(), String> {
        let program = r#gen::program(seed);
        let properties = properties(seed);
        match self.compare(&program.text(), &format!("p{seed}"), properties)? {
            None => Ok(()),
            Some((kind, details)) => Err(self.report(&program, properties, kind, &details)),
        }
    }

    /// Runs a text both ways. The outer error is one of the test itself.
    fn compare(&self, text: &str, name: &str, properties: &str) -> Result<Option<(Kind, String)>, String> {
        // Else gcc folds x - x + -y to -y, which is wrong for y = 0.
        let native =
            self.native(text, name, &["-O0", "-frounding-math"]).map_err(|f| format!("{name}: {f}"))?;
        if native.timed_out {
            return Err(format!("{name}: the native binary takes too long"));
        }
        let seen = self.braid(name, properties)?;
        self.clean(name);
        Ok(difference(&native, &seen))
    }

    fn native(&self, text: &str, name: &str, flags: &[&str]) -> Result<Outcome, Failure> {
        let file = format!("{name}.c");
        std::fs::write(self.scratch.join(&file), text).map_err(|e| Failure::Cannot(e.to_string()))?;
        let job = Job {
            directory: &self.scratch,
            files: vec![file],
            flags: flags.iter().map(|f| f.to_string()).collect(),
            args: Vec::new(),
            stdin: Vec::new(),
            environment: Vec::new(),
        };
        job.run(&self.scratch)
    }

    fn braid(&self, name: &str, properties: &str) -> Result<Outcome, String> {
        let mut command = process::command(&self.braid, &self.scratch);
        command.args(["run", "--property", properties, "--timeout", "60", "--memlimit", "1024"]);
        command.arg(format!("{name}.c"));
        let limits = Limits { time: Duration::from_secs(90), ..Limits::default() };
        process::run(&mut command, b"", &limits)
    }

    fn clean(&self, name: &str) {
        // A file left behind is overwritten by the next run.
        let _ = std::fs::remove_file(self.scratch.join(format!("{name}.c")));
    }

    fn report(&self, program: &Generated, properties: &str, kind: Kind, details: &str) -> String {
        let name = format!("s{}", program.seed);
        let small = tree::shrink(&program.tree, TRIALS, |text| {
            let sanitized = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
            let differs =
                |text: &str| matches!(self.compare(text, &name, properties), Ok(Some((k, _))) if k == kind);
            let silent = |text: &str| {
                self.native(text, &name, &sanitized).is_ok_and(|o| {
                    let complaint = o.stderr_text();
                    !o.timed_out && !complaint.contains("runtime error") && !complaint.contains("Sanitizer")
                })
            };
            differs(text) && silent(text)
        });
        let text = small.render();
        let details = match self.compare(&text, &name, properties) {
            Ok(Some((_, details))) => details,
            Ok(None) | Err(_) => details.to_string(),
        };
        format!(
            "seed {}, properties {properties}: {kind:?}\n{details}\n---- shrunk program ----\n{text}----",
            program.seed
        )
    }
}

/// With every check in place for most programs, without any for the others: the two take different
/// ways through lowering and interpretation, and must both leave a well-defined program alone.
fn properties(seed: u64) -> &'static str {
    if seed % 4 == 3 { "none" } else { "all" }
}

fn difference(native: &Outcome, seen: &Outcome) -> Option<(Kind, String)> {
    if native.code == seen.code && native.stdout == seen.stdout && native.stderr == seen.stderr {
        return None;
    }
    let last = seen.last_line();
    let kind = match seen.code {
        _ if seen.timed_out => Kind::Stopped,
        10 if last.starts_with("UNSAFE:") => Kind::Violation,
        5 if last.starts_with("UNKNOWN:") => Kind::Stopped,
        2 if !seen.stderr.is_empty() => Kind::Rejected,
        6 | 101 if !seen.stderr.is_empty() => Kind::Broken,
        _ if seen.stderr_text().contains(": warning: ") => Kind::Warned,
        _ => Kind::Output,
    };
    let details = format!(
        "exit code {} natively, {} here; {}\n{}",
        native.code,
        seen.code,
        first_difference(&native.stdout_text(), &seen.stdout_text()),
        seen.stderr_text().lines().take(30).collect::<Vec<_>>().join("\n")
    );
    Some((kind, details))
}

/// A range of seeds: `START..END`.
pub fn parse_range(text: &str) -> Option<std::ops::Range<u64>> {
    let (start, end) = text.split_once("..")?;
    let range = start.trim().parse().ok()?..end.trim().parse().ok()?;
    (range.start < range.end).then_some(range)
}

/// Makes a directory for one test's files below `base`.
pub fn scratch(base: &Path, name: &str) -> std::io::Result<PathBuf> {
    let directory = base.join(name);
    std::fs::create_dir_all(&directory)?;
    Ok(directory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        assert_eq!(parse_range("3..7"), Some(3..7));
        assert_eq!(parse_range("7..3"), None);
        assert_eq!(parse_range("7"), None);
    }

    #[test]
    fn differences_have_a_kind() {
        let outcome = |code, out: &str, err: &str| Outcome {
            code,
            stdout: out.into(),
            stderr: err.into(),
            timed_out: false,
        };
        let native = outcome(10, "x\n", "");
        assert_eq!(difference(&native, &native), None);
        let kind = |seen: Outcome| difference(&native, &seen).map(|(kind, _)| kind);
        assert_eq!(kind(outcome(10, "x\n", "UNSAFE: shift at a.c:1:1\n")), Some(Kind::Violation));
        assert_eq!(kind(outcome(10, "y\n", "")), Some(Kind::Output));
        assert_eq!(kind(outcome(6, "", "internal error\n")), Some(Kind::Broken));
    }
}
