//! `cargo xtask bench seq [DIR…]`: the engine that encodes rounds against the one that encodes all interleavings.
//!
//! Four parts, one run:
//!
//! * `sizes`: variables and clauses for growing numbers of iterations and rounds, on the families ([`sizes`]);
//! * `threads`: time and memory up to the violation in families of 10 to 100 threads ([`threads`]);
//! * `fib`: a program whose violation takes as many rounds as it has iterations ([`fib`]);
//! * `outside`: the programs of other tools' test suites that are too large for a formula of all interleavings
//!   ([`outside`]); only if directories are given.
//!
//! The tools take turns, so that other work on the machine hits all of them. A wrong verdict is an error, and so is an aim
//! that is missed; a question without an answer costs the whole limit. `docs/costs.md` has the results.

mod ask;
mod fib;
mod fit;
mod outside;
mod sizes;
mod threads;

use crate::workspace;
use ask::Asker;
use std::path::{Path, PathBuf};

/// Seconds for one question, unless told otherwise.
const LIMIT: u64 = 20;
const PARTS: [&str; 4] = ["sizes", "threads", "fib", "outside"];

/// The words after `bench seq`.
#[derive(Debug)]
struct Options {
    /// The parts to run; all of them if there are none.
    parts: Vec<String>,
    limit: u64,
    /// Another binary than the release build of this work tree.
    braid: Option<PathBuf>,
    directories: Vec<PathBuf>,
}

impl Options {
    fn parse(words: &[&str]) -> Result<Options, String> {
        let mut options = Options { parts: Vec::new(), limit: LIMIT, braid: None, directories: Vec::new() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().copied().ok_or(format!("{word} wants a value"));
            match *word {
                "--part" => options.parts.push(part(value()?)?),
                "--limit" => options.limit = seconds(value()?)?,
                "--braid" => options.braid = Some(value()?.into()),
                flag if flag.starts_with("--") => return Err(format!("'{flag}' is no flag of this part")),
                directory => options.directories.push(directory.into()),
            }
        }
        Ok(options)
    }

    fn wants(&self, part: &str) -> bool {
        self.parts.is_empty() || self.parts.iter().any(|wanted| wanted == part)
    }
}

fn part(word: &str) -> Result<String, String> {
    let known = PARTS.contains(&word).then(|| word.to_string());
    known.ok_or_else(|| format!("there is no part '{word}'; there are {}", PARTS.join(", ")))
}

fn seconds(word: &str) -> Result<u64, String> {
    word.parse().ok().filter(|limit| *limit > 0).ok_or_else(|| format!("no number of seconds: {word}"))
}

/// Runs the parts that the words ask for. Returns true if every verdict is right and every aim is reached.
pub fn run(scratch: &Path, words: &[&str]) -> Result<bool, String> {
    let options = Options::parse(words)?;
    let braid = options.braid.clone().map_or_else(workspace::release_binary, Ok)?;
    let braid = braid.canonicalize().map_err(|e| format!("{}: {e}", braid.display()))?;
    let directory = scratch.join("rounds");
    std::fs::create_dir_all(&directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    let asker = Asker { braid, directory, limit: options.limit };
    println!("limit: {} s for each question", options.limit);
    let mut passes = true;
    if options.wants("sizes") {
        passes &= sizes::run(&asker)?;
    }
    if options.wants("threads") {
        passes &= threads::run(&asker)?;
    }
    if options.wants("fib") {
        passes &= fib::run(&asker)?;
    }
    if options.wants("outside") && !options.directories.is_empty() {
        outside::run(&asker, &options.directories)?;
    }
    Ok(passes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read() {
        let options = Options::parse(&["--limit", "7", "--part", "fib", "suite"]).expect("good words");
        assert!(options.wants("fib") && !options.wants("sizes"));
        assert_eq!((options.limit, options.directories.len()), (7, 1));
        assert!(Options::parse(&[]).expect("good words").wants("outside"));
        for wrong in [&["--limit", "0"][..], &["--part"], &["--part", "other"], &["--other"]] {
            assert!(Options::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
