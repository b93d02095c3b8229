//! Damaged fixtures: a corpus of preprocessed fixtures, a mutant of it for every seed, and `braid check` asked about one.
//!
//! [`mutate`](crate::mutate) says how a text is damaged. Nothing is known of a mutant but the rules that hold for every
//! input: the exit code is that of a verdict or of bad input, nothing panics, and engines that decide the same mutant agree.

use crate::check::command::{self, Checker};
use crate::check::threaded::differ;
use crate::check::{Answer, Budget};
use crate::mutate::mutant;
use crate::process::Outcome;
use crate::rng::Rng;
use crate::{fixture, harness};
use braid_engines::ENGINES;
use braid_syntax::preprocess::{self, Preprocess};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Texts tried to make a failing mutant small.
const TRIALS: usize = 3000;
/// The same where each trial runs processes.
const RUNS: usize = 150;

/// The preprocessed fixtures.
pub struct Corpus {
    texts: Vec<Vec<u8>>,
}

impl Corpus {
    /// Preprocesses the fixtures below `fixtures` into a directory, which is made; files that are up to date stay.
    pub fn prepare(fixtures: &Path, directory: &Path) -> Result<(), String> {
        std::fs::create_dir_all(directory).map_err(|e| format!("{}: {e}", directory.display()))?;
        let fixtures = fixture::find(fixtures).map_err(|e| e.to_string())?;
        let options = Preprocess::default();
        harness::in_parallel(
            fixtures.len(),
            None,
            |index| {
                let to = directory.join(fixtures[index].name.replace('/', "-")).with_extension("i");
                let fresh = |path: &Path| std::fs::metadata(path).and_then(|m| m.modified()).ok();
                if fresh(&to) > fresh(&fixtures[index].path) {
                    return Ok(());
                }
                // A text that the preprocessor refuses is left out: its mutants would be refused, too.
                match preprocess::load(&fixtures[index].path, &options) {
                    Ok(loaded) => std::fs::write(to, loaded.text.as_bytes()).map_err(|e| e.to_string()),
                    Err(_) => Ok(()),
                }
            },
            |_, result: Result<(), String>| result,
        )
    }

    /// Reads a directory that [`Corpus::prepare`] has filled.
    pub fn load(directory: &Path) -> Result<Corpus, String> {
        let entries = std::fs::read_dir(directory).map_err(|e| format!("{}: {e}", directory.display()))?;
        let mut paths: Vec<PathBuf> = entries.filter_map(|e| e.ok()).map(|e| e.path()).collect();
        paths.sort();
        let texts: Vec<Vec<u8>> = paths.iter().filter_map(|p| std::fs::read(p).ok()).collect();
        if texts.is_empty() { Err("no fixtures to mutate".to_string()) } else { Ok(Corpus { texts }) }
    }

    /// The mutant of a seed. Only the part after the last header is damaged: otherwise most edits would fall into the headers.
    pub fn mutant(&self, seed: u64) -> Vec<u8> {
        let mut rng = Rng::new(seed);
        let text = &self.texts[rng.below(self.texts.len())];
        let other = &self.texts[rng.below(self.texts.len())];
        let (head, body) = text.split_at(own_part(text));
        [head, &mutant(&mut rng, body, &other[own_part(other)..])].concat()
    }
}

/// The position behind the last line marker.
fn own_part(text: &[u8]) -> usize {
    let mut start = 0;
    let mut found = 0;
    for line in text.split_inclusive(|b| *b == b'\n') {
        start += line.len();
        if line.starts_with(b"# ") {
            found = start;
        }
    }
    found
}

/// Removes lines, then tokens at the end and the beginning of lines, while the failure stays.
pub fn smaller(text: &[u8], fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    smaller_within(text, TRIALS, fails)
}

fn smaller_within(text: &[u8], mut trials: usize, fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut best = text.to_vec();
    for separator in [b'\n', b' ', b';', b','] {
        let mut size = 64;
        while size > 0 {
            let mut kept: Vec<Vec<u8>> =
                best.split_inclusive(|b| *b == separator).map(<[u8]>::to_vec).collect();
            let mut at = 0;
            while at < kept.len() && trials > 0 {
                let end = (at + size).min(kept.len());
                let candidate: Vec<u8> = kept[..at].iter().chain(&kept[end..]).flatten().copied().collect();
                trials -= 1;
                if fails(&candidate) {
                    kept.drain(at..end);
                } else {
                    at = end;
                }
            }
            best = kept.concat();
            size /= 2;
        }
    }
    best
}

/// `braid check` asked about mutants.
pub struct Asker {
    pub checker: Checker,
    /// Time for each engine.
    pub time: Duration,
    /// Beyond its time a run may take so long, if that is to be judged.
    pub grace: Option<Duration>,
    /// A directory of its own, which exists.
    pub scratch: PathBuf,
}

/// What came of a mutant that broke no rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fate {
    /// The front end refuses it.
    Refused,
    /// No engine decided it.
    Undecided,
    /// One engine decided it.
    Decided,
    /// Both engines decided it and agree.
    Agreed,
}

impl Asker {
    /// Asks about a mutant. The error says which rule it broke, and names the file of the shrunk mutant.
    pub fn check(&self, seed: u64, text: &[u8]) -> Result<Fate, String> {
        let why = match self.ask(seed, text) {
            Ok(fate) => return Ok(fate),
            Err(why) => why,
        };
        let kind = |message: &str| message.split(':').next().unwrap_or("").to_string();
        let small = smaller_within(text, RUNS, |text| {
            self.ask(seed, text).is_err_and(|other| kind(&other) == kind(&why))
        });
        let file = self.scratch.join(format!("failure-{seed}.i"));
        std::fs::write(&file, small).map_err(|e| format!("{}: {e}", file.display()))?;
        Err(format!("seed {seed}: {why}; see {}", file.display()))
    }

    fn ask(&self, seed: u64, text: &[u8]) -> Result<Fate, String> {
        let file = self.scratch.join(format!("m{seed}.i"));
        std::fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))?;
        let result = self.engines(&file);
        // A file left behind is overwritten by the next run.
        let _ = std::fs::remove_file(&file);
        result
    }

    fn engines(&self, file: &Path) -> Result<Fate, String> {
        let mut answers = Vec::new();
        let portfolio = ("portfolio", Vec::new());
        let engines = ENGINES.iter().map(|engine| (engine.name, vec!["--engine", engine.name]));
        for (engine, flags) in std::iter::once(portfolio).chain(engines) {
            let outcome = self.run(file, &flags)?;
            match outcome.code {
                0 | 5 | 10 => answers.push((engine, command::answer(&outcome))),
                1 | 2 if answers.is_empty() => return Ok(Fate::Refused),
                code => return Err(format!("{engine} exit code {code}: {}", outcome.last_line())),
            }
        }
        for (at, (engine, answer)) in answers.iter().enumerate() {
            if let Answer::Broken(why) = answer {
                return Err(format!("{engine} broken: {why}"));
            }
            for (other, its) in &answers[..at] {
                if differ(its, answer).is_some() {
                    let (here, there) = (answer.word(), its.word());
                    return Err(format!("{engine} and {other} disagree: {here}, {there}"));
                }
            }
        }
        let decided = answers[1..].iter().filter(|(_, answer)| answer.is_definite()).count();
        Ok(match decided {
            0 => Fate::Undecided,
            1 => Fate::Decided,
            _ => Fate::Agreed,
        })
    }

    /// One run that keeps its time, if that is judged; a run that does not is tried again, because machines are busy.
    fn run(&self, file: &Path, flags: &[&str]) -> Result<Outcome, String> {
        let budget = Budget { time: self.time, unwind: None };
        for _ in 0..2 {
            let begin = Instant::now();
            let outcome = self.checker.run(file, flags, budget)?;
            if outcome.stderr_text().contains("panicked at") {
                return Err(format!("panic: {}", outcome.last_line()));
            }
            let late = self.grace.is_some_and(|grace| begin.elapsed() > self.time + grace);
            if !late && !outcome.timed_out {
                return Ok(outcome);
            }
        }
        Err(format!("time limit overrun: {}", flags.join(" ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_not_damaged() {
        let text = b"# 1 \"a.c\"\nint a;\n# 7 \"a.c\" 2\nint b;\n";
        assert_eq!(&text[own_part(text)..], b"int b;\n");
    }

    #[test]
    fn shrinking_keeps_the_failure() {
        let small = smaller(b"int a;\nint b;\nbad thing;\n", |text| text.windows(3).any(|w| w == b"bad"));
        assert_eq!(small, b"bad ");
    }
}
