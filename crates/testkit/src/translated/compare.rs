//! Native programs against exhaustive search: with all its choices a program violates exactly the assertions, and has exactly
//! the data races and deadlocks, that a search of the same number of rounds finds.
//!
//! Violations are compared by their source lines: of an assertion its own, of a data race those of both accesses. A search
//! names the threads of a deadlock that wait for each other, if there are any, instead of all that wait; those stand at the
//! same lines in the state in which the program fails. Where loops are cut, violations may be missing; none may be added.

use super::{COMMAND, Driven, Failure, drive};
use crate::frontend;
use crate::process::{self, Limits as ProcessLimits};
use crate::threads::Generated;
use crate::tree;
use braid_interp::{Cut, Exploration, ExploreOptions, Image, Limits, Options, explore};
use braid_ir::{Program, Question};
use braid_props::{Check, CheckSet};
use braid_syntax::preprocess::{self, Preprocess};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Texts tried to make a failing program small.
const TRIALS: usize = 200;

/// Time for a search.
const CAP: Duration = Duration::from_secs(20);

/// Iterations of loops.
const UNWIND: &str = "2";

/// The result for a program, a property and a number of rounds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fate {
    /// The violations are the same; their number.
    Agree(usize),
    /// Loops are cut, and no violation is added.
    Within,
    /// The translator gives this reason.
    Refused(String),
    /// The search is not complete, for this reason, or the program has too many executions.
    Undecided(String),
}

/// Numbers of questions.
#[derive(Default, Debug)]
pub struct Tally {
    pub agree: usize,
    /// The violations of those that agree.
    pub violations: usize,
    pub others: BTreeMap<Fate, usize>,
}

impl Tally {
    pub fn note(&mut self, fate: Fate) {
        match fate {
            Fate::Agree(violations) => {
                self.agree += 1;
                self.violations += violations;
            }
            other => *self.others.entry(other).or_default() += 1,
        }
    }
}

/// A violation by its lines.
type Lines = BTreeSet<u32>;

/// Compares generated programs.
pub struct Comparer {
    /// The binary under test.
    pub braid: PathBuf,
    /// A directory of its own, which exists.
    pub scratch: PathBuf,
}

impl Comparer {
    /// Compares a generated program. The error is a report with the shrunk program.
    pub fn check(&self, generated: &Generated, check: Check, rounds: u32) -> Result<Fate, String> {
        let name = format!("native{}-{check}-{rounds}.c", generated.seed);
        self.compare(&generated.text(), &name, check, rounds).map_err(|difference| {
            let small = tree::shrink(&generated.tree, TRIALS, |text| {
                self.compare(text, &name, check, rounds).is_err_and(|error| kind(&error) == kind(&difference))
            });
            let text = small.render();
            let difference = self.compare(&text, &name, check, rounds).err().unwrap_or(difference);
            let seed = generated.seed;
            format!(
                "seed {seed}, {check} in {rounds} rounds: {difference}\n---- shrunk program ----\n{text}----"
            )
        })
    }

    /// Compares a text. The error says in what way the two differ.
    pub fn compare(&self, text: &str, name: &str, check: Check, rounds: u32) -> Result<Fate, String> {
        let path = self.scratch.join(name);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        let loaded = preprocess::load(&path, &Preprocess::default()).map_err(|error| error.to_string())?;
        let compiled = frontend::compile(name, loaded.text);
        let program =
            compiled.program.ok_or_else(|| format!("does not compile: {}", compiled.errors.join("\n")))?;
        let fate = self.compare_program(&program, &path, check, rounds)?;
        // A file left behind is overwritten by the next run.
        let _ = std::fs::remove_file(&path);
        Ok(fate)
    }

    fn compare_program(
        &self,
        program: &Program,
        path: &Path,
        check: Check,
        rounds: u32,
    ) -> Result<Fate, String> {
        let out = path.with_extension("native.c");
        let is_cut = match self.translate(path, &out, check, rounds)? {
            Ok(is_cut) => is_cut,
            Err(reason) => return Ok(Fate::Refused(reason)),
        };
        let found = search(program, check, rounds)?;
        if let Some(reason) = is_open(&found) {
            return Ok(Fate::Undecided(reason));
        }
        let Driven::Some(failures) = drive(&out, check)? else {
            return Ok(Fate::Undecided("too many executions".to_string()));
        };
        let _ = std::fs::remove_file(&out);
        judge(check, &violations(&found), &failures, is_cut)
    }

    /// Translates a program. Returns whether loops are cut, or the reason why it is refused.
    fn translate(
        &self,
        path: &Path,
        out: &Path,
        check: Check,
        rounds: u32,
    ) -> Result<Result<bool, String>, String> {
        let mut command = process::command(&self.braid, &self.scratch);
        command.args([COMMAND, "--backend", "native", "--unwind", UNWIND, "--rounds", &rounds.to_string()]);
        command.args(["--property", check.id(), "-o"]).arg(out).arg(path.file_name().unwrap_or_default());
        let written = process::run(&mut command, b"", &ProcessLimits::default())?;
        match written.code {
            0 => Ok(Ok(written.stderr_text().lines().any(is_cut))),
            5 => Ok(Err(written.last_line().rsplit(": ").next().unwrap_or("").to_string())),
            code => Err(format!("exit code {code}: {}", written.stderr_text())),
        }
    }
}

/// Returns true if a line of the translator says that executions are cut. A library loop has 32 iterations more than others;
/// it goes over the bits of a word, one for each thread that waits, and no execution comes to its bound.
fn is_cut(line: &str) -> bool {
    line.contains("what lies beyond is left out") && !line.contains("more than 34 iterations")
}

/// The first words of a difference; shrinking keeps them.
fn kind(difference: &str) -> String {
    difference.split_whitespace().take(2).collect::<Vec<_>>().join(" ")
}

/// Runs all interleavings of so many rounds.
fn search(program: &Program, check: Check, rounds: u32) -> Result<Exploration, String> {
    let checks = CheckSet::from_iter([check]);
    let limits = Limits { deadline: Some(Instant::now() + CAP), memory: 1 << 30, ..Limits::default() };
    let machine = Options { question: Question::about(checks), limits, ..Options::default() };
    let options =
        ExploreOptions { machine, values: vec![0, 1], rounds: Some(rounds), ..ExploreOptions::default() };
    let image = Image::new(program, checks).map_err(|error| error.to_string())?;
    explore(&image, &options, &AtomicBool::new(false), &mut |_| ()).map_err(|error| error.to_string())
}

/// The reason why a search may have missed violations within the rounds.
fn is_open(found: &Exploration) -> Option<String> {
    let is_bound = |cut: &&Cut| !matches!(cut, Cut::Values(_) | Cut::Rounds(_));
    let cut = found.cuts.iter().find(is_bound).map(|cut| cut.to_string());
    let unsupported = found.unsupported.first().map(|(what, _)| what.clone());
    let invalid = found.invalid.first().map(|_| "an invalid access".to_string());
    let address = found.depends_on_address.map(|_| "addresses are compared".to_string());
    let partial = found.partial.first().map(|partial| partial.what.to_string());
    cut.or(unsupported).or(invalid).or(address).or(partial)
}

fn violations(found: &Exploration) -> BTreeSet<Lines> {
    let lines = |report: &braid_interp::Report| -> Lines {
        let places = report.threads.iter().map(|view| view.place.line);
        places.chain([report.place.line]).collect()
    };
    found.violations.iter().map(|violation| lines(&violation.report)).collect()
}

/// Compares the violations that a search finds with the assertions that fail.
fn judge(
    check: Check,
    expected: &BTreeSet<Lines>,
    failures: &BTreeSet<Failure>,
    is_cut: bool,
) -> Result<Fate, String> {
    let is_same = |violation: &Lines, failure: &Failure| {
        let lines: Lines = failure.others.iter().copied().chain([failure.line]).collect();
        if check == Check::Deadlock { violation.is_subset(&lines) } else { lines == *violation }
    };
    let added = failures.iter().find(|failure| !expected.iter().any(|violation| is_same(violation, failure)));
    if let Some(added) = added {
        return Err(format!("added violation: {added:?}, where search finds {expected:?}"));
    }
    if is_cut {
        return Ok(Fate::Within);
    }
    let lost = expected.iter().find(|violation| !failures.iter().any(|failure| is_same(violation, failure)));
    match lost {
        Some(lost) => Err(format!("lost violation: {lost:?}, where {failures:?} fail")),
        None => Ok(Fate::Agree(expected.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_seen() {
        let judged = |check, expected: &[&[u32]], failures: &[&[u32]], is_cut| {
            let expected = expected.iter().map(|lines| lines.iter().copied().collect()).collect();
            let failure =
                |lines: &&[u32]| Failure { line: lines[0], others: lines[1..].iter().copied().collect() };
            let failures = failures.iter().map(failure).collect();
            judge(check, &expected, &failures, is_cut)
        };
        assert_eq!(judged(Check::Assertion, &[&[3]], &[&[3]], false), Ok(Fate::Agree(1)));
        assert_eq!(judged(Check::DataRace, &[&[3, 5]], &[&[3, 5]], false), Ok(Fate::Agree(1)));
        assert!(judged(Check::DataRace, &[&[3, 5]], &[&[3, 3]], false).is_err());
        assert_eq!(judged(Check::Deadlock, &[&[3, 5]], &[&[7, 3, 5]], false), Ok(Fate::Agree(1)));
        assert!(judged(Check::Deadlock, &[&[3, 5]], &[&[5]], false).is_err());
        assert!(judged(Check::Deadlock, &[&[3, 5]], &[], false).is_err());
        assert_eq!(judged(Check::Deadlock, &[&[3, 5]], &[], true), Ok(Fate::Within));
        assert!(judged(Check::Deadlock, &[&[3, 5]], &[&[4]], true).is_err());
    }
}
