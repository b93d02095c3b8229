//! Programs that `braid seq --backend native` writes, driven through all their choices.
//!
//! A program reads its choices from a file. `drive.c` is compiled around its text, gives the choices instead, and runs it in
//! one process with every list of them: the step before which a thread stops ranges over
//! the steps it has left, an arbitrary value is 0 or 1, a thread that is looked at is any. States that were seen are not
//! followed again, so a program of some hundred states takes milliseconds. [`compare`] holds the assertions that fail
//! against exhaustive search. [`stated`] holds translations of fixtures against what their heads state.

pub mod compare;
pub mod stated;

use crate::process::{self, Limits};
use braid_props::Check;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

/// The command that translates.
const COMMAND: &str = "seq";

const DRIVER: &str = include_str!("drive.c");

/// The header that the text includes.
const ASSERT: &str = "#define assert(condition) ((condition) ? (void)0 : drive_fail(__LINE__))\n";

/// Runs of a program at most.
const RUNS: u32 = 4_000_000;

/// An assertion that fails: the source line beside it, and the lines where other threads stand. For a data race that is the
/// other access, for a deadlock those of all threads that have not ended.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Failure {
    pub line: u32,
    pub others: BTreeSet<u32>,
}

/// The assertions of a program that fail with some choices; none if there are too many executions.
pub type Driven = Option<BTreeSet<Failure>>;

/// Drives a native program for a property through all its choices.
pub fn drive(text: &Path, check: Check) -> Result<Driven, String> {
    let directory = text.with_extension("drive");
    let write = |name: &str, text: &str| {
        let path = directory.join(name);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    std::fs::create_dir_all(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    write("drive.c", DRIVER)?;
    write("assert.h", ASSERT)?;
    let name = text.to_string_lossy();
    let mut compiler = process::command(Path::new("cc"), &directory);
    compiler.args(["-w", "-I.", "-finstrument-functions", "-o", "drive", "drive.c"]);
    compiler.args([format!("-DTEXT=\"{name}\""), format!("-DRUNS={RUNS}")]).args(looks(check));
    let compiled = process::run(&mut compiler, b"", &Limits::default())?;
    if compiled.code != 0 {
        return Err(format!("{name}: {}", compiled.stderr_text()));
    }
    let limits = Limits { time: Duration::from_secs(60), ..Limits::default() };
    let outcome = process::run(&mut process::command(directory.join("drive"), &directory), b"", &limits)?;
    // A directory left behind is overwritten by the next run.
    let _ = std::fs::remove_dir_all(&directory);
    let lines = std::fs::read_to_string(text).map_err(|error| error.to_string())?;
    match outcome.code {
        0 => failures(&outcome.stdout_text(), &lines).map(Some),
        2 => Ok(None),
        _ if outcome.timed_out => Ok(None),
        code => Err(format!("{name} ends with {code}: {}{}", outcome.stdout_text(), outcome.stderr_text())),
    }
}

/// The flags of the driver that name the function that looks at the last state.
fn looks(check: Check) -> &'static [&'static str] {
    match check {
        Check::DataRace => &["-DLOOKS=look_for_races", "-DRACES"],
        Check::Deadlock => &["-DLOOKS=look_for_deadlocks"],
        _ => &[],
    }
}

/// Reads what the driver prints: a line of the text, and labels of steps. A step at the end of a program has no source line.
fn failures(printed: &str, text: &str) -> Result<BTreeSet<Failure>, String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = BTreeSet::new();
    for printed in printed.lines().filter(|line| !line.ends_with("states")) {
        let mut words = printed.split(' ');
        let at = words.next().and_then(|word| word.parse::<usize>().ok());
        let shown =
            at.and_then(|at| lines.get(at - 1)).ok_or_else(|| format!("the driver prints '{printed}'"))?;
        let (_, line) = source_place(shown).ok_or_else(|| format!("no source line: {shown}"))?;
        let others = words.filter_map(|label| step_line(&lines, label)).collect();
        found.insert(Failure { line, others });
    }
    Ok(found)
}

/// The first source line that is named after a label, before the next one.
fn step_line(lines: &[&str], label: &str) -> Option<u32> {
    let mut step = lines.iter().skip_while(|line| line.strip_suffix(':') != Some(label)).skip(1);
    step.by_ref().take_while(|line| !line.ends_with(':')).find_map(|line| Some(source_place(line)?.1))
}

/// The file and the line of the source that the comment at the end of a line names.
pub fn source_place(line: &str) -> Option<(&str, u32)> {
    let (file, rest) = line.rsplit_once("/* ")?.1.split_once(':')?;
    Some((file, rest.split([':', ' ']).next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_name_lines() {
        let place = source_place("    CHECK(0); /* shift */   /* a.c:12: x = 1; */");
        assert_eq!(place, Some(("a.c", 12)));
        assert_eq!(source_place("    CHECK(0);   /* a.c:7 */"), Some(("a.c", 7)));
        assert_eq!(source_place("    assume(0); /* beyond the bounds: more of a.c:7 */"), None);
        assert_eq!(source_place("    CHECK(0);"), None);
    }

    #[test]
    fn failures_are_read() {
        let text = "int x;\nTOUCH(x); /* a.c:9: x */\nL1_2:\n    JUMP(2, L1_3);\n    TOUCH(x); /* a.c:4: x */\nL1_3:\n";
        let failure = |line, others: &[u32]| Failure { line, others: others.iter().copied().collect() };
        let found = failures("2\n2 L1_2\n5 runs, 2 states\n", text);
        assert_eq!(found, Ok([failure(9, &[]), failure(9, &[4])].into()));
        assert_eq!(failures("2 L1_3\n", text), Ok([failure(9, &[])].into()));
        assert!(failures("no\n", text).is_err());
    }
}
