//! `cargo xtask suites DIR…`: the test suites of other tools through `braid check`.
//!
//! A suite is a directory tree with descriptions in the form that CBMC and ESBMC share (`*.desc`): a line with the level, a
//! line with the file, a line with the flags, then patterns, among which `VERIFICATION FAILED` or `VERIFICATION SUCCESSFUL`
//! tells the recorded verdict. Flags that mean a property, a macro or a data model are translated; flags that steer
//! the other tool are left out. Each answer is compared with the record, and with `--against FILE` with an earlier table,
//! which `--out FILE` writes.
//!
//! The task fails on what may never happen, whatever the program: an exit code that is none of a verdict or of bad input, a
//! panic, or more time than was given. A verdict that differs from the record is listed but fails nothing: records
//! have errors, and other tools define some properties in another way.

use crate::workspace;
use braid_testkit::harness;
use braid_testkit::process::{self, Limits, Outcome};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Seconds beyond its time limit after which a run counts as one that does not keep it.
const GRACE: f64 = 1.0;

/// The settings of a run.
#[derive(Default)]
struct Settings {
    directories: Vec<PathBuf>,
    /// Another binary than the release build of this work tree.
    braid: Option<PathBuf>,
    out: Option<PathBuf>,
    against: Option<PathBuf>,
    /// Further flags for every run.
    flags: Vec<String>,
}

/// Runs the suites in the directories among the words; true if nothing happened that may not happen.
pub fn run(words: &[&str], jobs: Option<usize>, seconds: Option<usize>) -> Result<bool, String> {
    let settings = settings(words)?;
    let braid = settings.braid.clone().map_or_else(workspace::release_binary, Ok)?;
    let time = Duration::from_secs(seconds.unwrap_or(30) as u64);
    let mut tests = Vec::new();
    for directory in &settings.directories {
        tests.extend(sorted(directory)?);
    }
    let mut rows: Vec<Option<Row>> = Vec::new();
    rows.resize_with(tests.len(), || None);
    harness::in_parallel(
        tests.len(),
        jobs,
        |index| tests[index].ask(&braid, time, &settings.flags),
        |index, row| {
            rows[index] = Some(row?);
            Ok::<(), String>(())
        },
    )?;
    let rows: Vec<Row> = rows.into_iter().flatten().collect();
    if let Some(out) = &settings.out {
        std::fs::write(out, table(&rows)).map_err(|e| format!("{}: {e}", out.display()))?;
    }
    let changed = match &settings.against {
        Some(earlier) => {
            let text = std::fs::read_to_string(earlier).map_err(|e| format!("{}: {e}", earlier.display()))?;
            changes(&rows, &text)
        }
        None => Vec::new(),
    };
    Ok(report(&rows, &changed))
}

fn settings(words: &[&str]) -> Result<Settings, String> {
    let mut settings = Settings::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().copied().ok_or(format!("{word} wants a value"));
        match *word {
            "--braid" => settings.braid = Some(value()?.into()),
            "--out" => settings.out = Some(value()?.into()),
            "--against" => settings.against = Some(value()?.into()),
            "--flags" => settings.flags.extend(value()?.split_whitespace().map(str::to_string)),
            flag if flag.starts_with("--") => return Err(format!("'{flag}' is no flag of suites")),
            directory => settings.directories.push(directory.into()),
        }
    }
    if settings.directories.is_empty() { Err("name a directory".to_string()) } else { Ok(settings) }
}

/// A description of a program and what another tool says of it.
struct Test {
    description: PathBuf,
    file: String,
    flags: Vec<String>,
    fails: bool,
}

/// The programs of the suites below a directory, in order: name, directory, and the words for `braid check`.
pub fn programs(directory: &Path) -> Result<Vec<(String, PathBuf, Vec<String>)>, String> {
    Ok(sorted(directory)?.iter().map(|test| (test.name(), test.directory(), test.words())).collect())
}

fn sorted(directory: &Path) -> Result<Vec<Test>, String> {
    let mut tests = Vec::new();
    collect(directory, &mut tests)?;
    tests.sort_by(|a, b| a.description.cmp(&b.description));
    Ok(tests)
}

/// Adds the tests below a directory that state a verdict about a C program.
fn collect(directory: &Path, tests: &mut Vec<Test>) -> Result<(), String> {
    let entries = std::fs::read_dir(directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    for path in entries.filter_map(|e| e.ok()).map(|e| e.path()) {
        if path.is_dir() {
            collect(&path, tests)?;
        } else if path.extension().is_some_and(|e| e == "desc") {
            let text = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            tests.extend(Test::read(path, &String::from_utf8_lossy(&text)));
        }
    }
    Ok(())
}

impl Test {
    /// A description of a test that is not marked as broken and has one verdict.
    fn read(description: PathBuf, text: &str) -> Option<Test> {
        let mut lines = text.lines().map(str::trim);
        let level = lines.next()?;
        let file = lines.next()?.to_string();
        let words = lines.next()?.split_whitespace().map(|word| word.replace('\'', ""));
        // Behind "--" stands text that must not occur.
        let patterns: Vec<&str> = lines.take_while(|line| *line != "--").collect();
        let states = |verdict: &str| patterns.iter().any(|line| line.contains(verdict));
        let (fails, holds) = (states("VERIFICATION FAILED"), states("VERIFICATION SUCCESSFUL"));
        let is_c = file.ends_with(".c") || file.ends_with(".i");
        let usable = !level.starts_with("KNOWNBUG") && !level.starts_with("FUTURE") && is_c && fails != holds;
        usable.then(|| Test {
            file,
            flags: translated(words.collect(), fails_by_default(&description)),
            fails,
            description,
        })
    }

    fn ask(&self, braid: &Path, time: Duration, flags: &[String]) -> Result<Row, String> {
        let mut command = process::command(braid, &self.directory());
        command.args(["check", "--timeout", &time.as_secs().to_string()]).args(self.words()).args(flags);
        let limits = Limits { time: 2 * time + Duration::from_secs(10), ..Limits::default() };
        let begin = Instant::now();
        let outcome = process::run(&mut command, b"", &limits)?;
        let seconds = begin.elapsed().as_secs_f64();
        let over = seconds > time.as_secs_f64() + GRACE;
        Ok(Row { name: self.name(), fails: self.fails, answer: Answer::of(&outcome), seconds, over })
    }

    fn directory(&self) -> PathBuf {
        self.description.parent().unwrap_or(Path::new(".")).to_path_buf()
    }

    /// The words for `braid check`.
    fn words(&self) -> Vec<String> {
        let first = ["--stop-at-first", "--nondet-undefined"].map(str::to_string).into_iter();
        first.chain(self.known_flags()).chain([self.file.clone()]).collect()
    }

    /// The flags without a label that the program does not have: other tools look for nothing then, Braid refuses it.
    fn known_flags(&self) -> Vec<String> {
        let mut flags = self.flags.clone();
        if let Some(at) = flags.iter().position(|flag| flag == "--error-label") {
            let label = flags.get(at + 1).map_or(String::new(), |label| format!("{label}:"));
            let text = std::fs::read_to_string(self.directory().join(&self.file)).unwrap_or_default();
            if !text.replace(' ', "").contains(&label) {
                flags.drain(at..flags.len().min(at + 2));
            }
        }
        flags
    }

    /// The last three parts of the path: suite, test, description.
    fn name(&self) -> String {
        let parts: Vec<_> = self.description.iter().map(|part| part.to_string_lossy()).collect();
        parts[parts.len().saturating_sub(3)..].join("/")
    }
}

/// Returns true if allocation may fail in the tool that the suite belongs to, unless a flag says otherwise.
fn fails_by_default(description: &Path) -> bool {
    description.iter().any(|part| part.to_string_lossy().starts_with("esbmc"))
}

/// The other tool's flags as ours.
fn translated(words: Vec<String>, mut malloc_may_fail: bool) -> Vec<String> {
    let mut properties = vec!["assertion", "memory", "division-by-zero"];
    let mut flags = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--data-races-check" => properties.push("data-race"),
            "--data-races-check-only" => properties = vec!["data-race"],
            "--deadlock-check" => properties.push("deadlock"),
            "--memory-leak-check" => properties.push("memory-leak"),
            "--overflow-check" | "--signed-overflow-check" => properties.push("signed-overflow"),
            "--no-assertions" => properties.retain(|p| *p != "assertion"),
            "--no-div-by-zero-check" => properties.retain(|p| *p != "division-by-zero"),
            "--no-pointer-check" | "--no-bounds-check" => properties.retain(|p| *p != "memory"),
            "--no-standard-checks" => properties.retain(|p| *p == "assertion"),
            "--force-malloc-success" | "--no-malloc-may-fail" => malloc_may_fail = false,
            "--32" | "--64" => flags.push(word),
            "--function" | "--error-label" | "-I" | "-D" => {
                flags.push(word);
                flags.extend(words.next());
            }
            _ if word.starts_with("-D") || word.starts_with("-I") => flags.push(word),
            _ => {}
        }
    }
    let list = if properties.is_empty() { "none".to_string() } else { properties.join(",") };
    flags.extend(["--property".to_string(), list]);
    flags.extend(malloc_may_fail.then(|| "--malloc-may-fail".to_string()));
    flags
}

/// The answer of one run.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Answer {
    Safe,
    Unsafe(String),
    Unknown(String),
    /// The input was refused.
    Refused(String),
    /// A defect of ours.
    Broken(String),
}

impl Answer {
    fn of(outcome: &Outcome) -> Answer {
        let text = outcome.stdout_text();
        let last = text.lines().last().unwrap_or("").to_string();
        let panicked = outcome.stderr_text().contains("panicked at");
        match outcome.code {
            _ if outcome.timed_out => Answer::Broken("does not end".to_string()),
            _ if panicked => Answer::Broken(outcome.last_line()),
            0 if last.starts_with("SAFE") => Answer::Safe,
            10 if last.starts_with("UNSAFE") => Answer::Unsafe(last),
            5 if last.starts_with("UNKNOWN") => Answer::Unknown(last),
            1 | 2 => {
                let said = outcome.stderr_text();
                Answer::Refused(said.lines().find(|l| l.contains("error")).unwrap_or("").to_string())
            }
            code => Answer::Broken(format!("exit code {code}: {} {last}", outcome.last_line())),
        }
    }

    fn word(&self) -> &'static str {
        match self {
            Answer::Safe => "SAFE",
            Answer::Unsafe(_) => "UNSAFE",
            Answer::Unknown(_) => "UNKNOWN",
            Answer::Refused(_) => "refused",
            Answer::Broken(_) => "BROKEN",
        }
    }

    fn details(&self) -> &str {
        match self {
            Answer::Safe => "SAFE",
            Answer::Unsafe(text) | Answer::Unknown(text) | Answer::Refused(text) | Answer::Broken(text) => {
                text
            }
        }
    }
}

/// A line of the table.
struct Row {
    name: String,
    fails: bool,
    answer: Answer,
    seconds: f64,
    /// More time than the limit allows.
    over: bool,
}

impl Row {
    /// How the answer relates to the record.
    fn relation(&self) -> &'static str {
        match (&self.answer, self.fails) {
            (Answer::Safe, false) | (Answer::Unsafe(_), true) => "as recorded",
            (Answer::Safe, true) | (Answer::Unsafe(_), false) => "otherwise",
            (Answer::Unknown(_), _) => "undecided",
            (Answer::Refused(_), _) => "refused",
            (Answer::Broken(_), _) => "broken",
        }
    }
}

/// The table: name, record, answer, seconds and the verdict line, separated by tabs.
fn table(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows {
        let record = if row.fails { "FAILED" } else { "SUCCESSFUL" };
        let (word, details) = (row.answer.word(), row.answer.details());
        writeln!(text, "{}\t{record}\t{word}\t{:.2}\t{details}", row.name, row.seconds).expect("a string");
    }
    text
}

/// The rows whose verdict is not that of an earlier table.
fn changes(rows: &[Row], earlier: &str) -> Vec<String> {
    let old: BTreeMap<&str, &str> = earlier
        .lines()
        .filter_map(|line| {
            let mut columns = line.split('\t');
            Some((columns.next()?, columns.nth(1)?))
        })
        .collect();
    rows.iter()
        .filter_map(|row| {
            let before = *old.get(row.name.as_str())?;
            let now = row.answer.word();
            (before != now).then(|| format!("{}: {before} -> {now}: {}", row.name, row.answer.details()))
        })
        .collect()
}

fn report(rows: &[Row], changed: &[String]) -> bool {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows {
        *counts.entry(row.relation()).or_default() += 1;
        if row.relation() != "as recorded" {
            println!("{}: {}: {}", row.name, row.relation(), row.answer.details());
        }
        if row.over {
            println!("{}: {:.1} s, beyond its time limit", row.name, row.seconds);
        }
    }
    changed.iter().for_each(|line| println!("changed: {line}"));
    println!("\n{:5}  tests", rows.len());
    for (relation, count) in &counts {
        println!("{count:5}  {relation}: {:.1} %", 100.0 * *count as f64 / rows.len().max(1) as f64);
    }
    !rows.iter().any(|row| row.over || matches!(row.answer, Answer::Broken(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(path: &str, text: &str) -> Option<Test> {
        Test::read(PathBuf::from(path), text)
    }

    #[test]
    fn descriptions_are_read() {
        let text = "CORE\nmain.c\n--unwind 3 --data-races-check -DX=1 --no-bounds-check\n^VERIFICATION FAILED$\n--\n";
        let found = test("regression/esbmc-unix/a/test.desc", text).expect("a test");
        assert!(found.fails);
        assert_eq!(found.name(), "esbmc-unix/a/test.desc");
        let flags = ["-DX=1", "--property", "assertion,division-by-zero,data-race", "--malloc-may-fail"];
        assert_eq!(found.flags, flags);
        let same =
            test("cbmc-concurrency/a/test.desc", &text.replace("FAILED", "SUCCESSFUL")).expect("a test");
        assert!(!same.fails && !same.flags.contains(&"--malloc-may-fail".to_string()));
    }

    #[test]
    fn descriptions_without_a_verdict_about_a_c_program_are_left_out() {
        assert!(test("a", "KNOWNBUG\nmain.c\n\n^VERIFICATION FAILED$\n").is_none());
        assert!(test("a", "CORE\nmain.cpp\n\n^VERIFICATION FAILED$\n").is_none());
        assert!(test("a", "CORE\nmain.c\n\n^PARSING ERROR$\n").is_none());
        assert!(test("a", "CORE\nmain.c\n\n^EXIT=0$\n--\n^VERIFICATION FAILED$\n").is_none());
    }

    #[test]
    fn changed_verdicts_are_listed() {
        let row = |answer| Row {
            name: "s/a/test.desc".to_string(),
            fails: true,
            answer,
            seconds: 0.1,
            over: false,
        };
        let old = table(&[row(Answer::Safe)]);
        let now = row(Answer::Unknown("UNKNOWN: time".to_string()));
        assert_eq!(changes(&[now], &old), ["s/a/test.desc: SAFE -> UNKNOWN: UNKNOWN: time"]);
        assert_eq!(changes(&[row(Answer::Safe)], &old), Vec::<String>::new());
    }
}
