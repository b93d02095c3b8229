//! `cargo xtask bench pace [DIR…]`: what `braid check` costs where the exhaustive search alone decides.
//!
//! The programs are the fixtures, the families, pools of workers (`bench/pool.c`) and the test suites in the directories
//! given ([`crate::suites`]). Each that `--engine explicit` decides within the limit is asked of `braid check`, which
//! should take at most twice as long and [`EXTRA`] seconds. A pair that does not look like that is measured again, by
//! turns, and the fastest of each count: other work on the machine must not. The time of the processors is told besides.

use super::measure::{geometric_mean, write};
use crate::{suites, workspace};
use braid_testkit::check::exhaustive;
use braid_testkit::process::{self, Limits};
use braid_testkit::{families, fixture};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const FACTOR: f64 = 2.0;
/// Seconds.
const EXTRA: f64 = 0.2;
/// Measurements of a pair that looks too slow.
const ROUNDS: usize = 3;
/// Seconds for the exhaustive search, unless told otherwise.
const LIMIT: u64 = 20;
/// Workers and jobs.
const POOLS: [(u32, u32); 3] = [(2, 2), (2, 4), (3, 3)];

/// The words after `bench pace`.
#[derive(Debug)]
struct Options {
    /// Programs whose names contain one of them are wanted; all are if there are none.
    filters: Vec<String>,
    limit: u64,
    /// Another binary than the release build of this work tree.
    braid: Option<PathBuf>,
    directories: Vec<PathBuf>,
}

impl Options {
    fn parse(words: &[&str]) -> Result<Options, String> {
        let mut options = Options { filters: Vec::new(), limit: LIMIT, braid: None, directories: Vec::new() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().copied().ok_or(format!("{word} wants a value"));
            match *word {
                "--filter" => options.filters.push(value()?.to_string()),
                "--limit" => options.limit = value()?.parse().map_err(|_| "no number of seconds")?,
                "--braid" => options.braid = Some(value()?.into()),
                flag if flag.starts_with("--") => return Err(format!("'{flag}' is no flag of bench pace")),
                directory => options.directories.push(directory.into()),
            }
        }
        Ok(options)
    }

    fn wants(&self, name: &str) -> bool {
        self.filters.is_empty() || self.filters.iter().any(|filter| name.contains(filter))
    }
}

/// A program and how it is asked about.
struct Question {
    name: String,
    directory: PathBuf,
    words: Vec<String>,
}

/// The price of one answer.
#[derive(Clone, Copy)]
struct Cost {
    code: i32,
    /// Seconds by the clock, and of all processors.
    wall: f64,
    cpu: f64,
}

impl Cost {
    fn is_decided(&self) -> bool {
        matches!(self.code, 0 | 10)
    }

    fn keep_faster(&mut self, other: Cost) {
        if other.code == self.code {
            *self = Cost { wall: self.wall.min(other.wall), cpu: self.cpu.min(other.cpu), ..other };
        } else if !self.is_decided() {
            *self = other;
        }
    }
}

/// The exhaustive search alone, and all engines.
struct Pair {
    alone: Cost,
    all: Cost,
}

impl Pair {
    fn is_slow(&self) -> bool {
        self.all.code != self.alone.code || self.all.wall > FACTOR * self.alone.wall + EXTRA
    }
}

/// Measures what the words ask for; true if nothing is too slow.
pub fn run(scratch: &Path, words: &[&str]) -> Result<bool, String> {
    let options = Options::parse(words)?;
    let braid = options.braid.clone().map_or_else(workspace::release_binary, Ok)?;
    let braid = braid.canonicalize().map_err(|e| format!("{}: {e}", braid.display()))?;
    let asked = questions(scratch, &options)?;
    println!("{:<52} {:>9} {:>9} {:>9} {:>9}", "", exhaustive().name, "check", "cpu", "cpu");
    let (mut ratios, mut slow) = (Vec::new(), 0);
    for question in &asked {
        let Some(pair) = question.measure(&braid, options.limit)? else { continue };
        ratios.push(pair.all.wall / pair.alone.wall);
        slow += usize::from(pair.is_slow());
        if pair.is_slow() || question.name.starts_with("pool") {
            question.print(&pair);
        }
    }
    let mean = geometric_mean(&ratios).map_or("-".to_string(), |mean| format!("{mean:.2}"));
    println!(
        "{} programs, {} decided by the search; geometric mean {mean}; {slow} too slow",
        asked.len(),
        ratios.len()
    );
    Ok(slow == 0)
}

fn questions(scratch: &Path, options: &Options) -> Result<Vec<Question>, String> {
    let mut found = pools();
    found.extend(families_in(&scratch.join("families"))?);
    found.extend(fixtures()?);
    for directory in &options.directories {
        let programs = suites::programs(directory)?.into_iter();
        found.extend(programs.map(|(name, directory, words)| Question { name, directory, words }));
    }
    found.retain(|question| options.wants(&question.name));
    Ok(found)
}

fn pools() -> Vec<Question> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench");
    let pool = |(workers, jobs)| Question {
        name: format!("pool-{workers}x{jobs}"),
        directory: directory.clone(),
        words: vec![format!("-DWORKERS={workers}"), format!("-DJOBS={jobs}"), "pool.c".to_string()],
    };
    POOLS.into_iter().map(pool).collect()
}

fn families_in(directory: &Path) -> Result<Vec<Question>, String> {
    std::fs::create_dir_all(directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    let mut found = Vec::new();
    for one in families::instances() {
        let file = format!("{}.c", one.name);
        write(directory, &file, &one.text)?;
        let words = vec!["--property".to_string(), "assertion".to_string(), file];
        found.push(Question { name: one.name, directory: directory.to_path_buf(), words });
    }
    Ok(found)
}

/// The fixtures that the front end accepts.
fn fixtures() -> Result<Vec<Question>, String> {
    let root = workspace::root().join("tests/c");
    let all = fixture::find(&root).map_err(|e| format!("{}: {e}", root.display()))?;
    let question = |fixture: fixture::Fixture| {
        let (name, directory) = (fixture.name.clone(), fixture.directory().to_path_buf());
        let header = fixture.header.as_ref().ok().filter(|header| header.errors.is_empty())?;
        let mut words = header.flags.clone();
        words.push(fixture.file_name());
        words.extend(header.files.clone());
        if !header.args.is_empty() {
            words.push("--".to_string());
            words.extend(header.args.clone());
        }
        Some(Question { name, directory, words })
    };
    Ok(all.into_iter().filter_map(question).collect())
}

impl Question {
    /// Both prices, if the search alone decides.
    fn measure(&self, braid: &Path, limit: u64) -> Result<Option<Pair>, String> {
        let alone = || self.ask(braid, &["--engine", exhaustive().name], limit);
        let all = || self.ask(braid, &[], (FACTOR * limit as f64 + EXTRA).ceil() as u64);
        let first = alone()?;
        if !first.is_decided() {
            return Ok(None);
        }
        let mut pair = Pair { alone: first, all: all()? };
        for _ in 1..ROUNDS {
            if !pair.is_slow() {
                break;
            }
            pair.alone.keep_faster(alone()?);
            pair.all.keep_faster(all()?);
        }
        Ok(Some(pair))
    }

    fn ask(&self, braid: &Path, flags: &[&str], limit: u64) -> Result<Cost, String> {
        let mut command = process::command(braid, &self.directory);
        command.args(["check", "--timeout", &limit.to_string()]).args(flags).args(&self.words);
        let limits = Limits { time: Duration::from_secs(limit + 10), ..Limits::default() };
        let (begin, before) = (Instant::now(), cpu_of_children());
        let outcome = process::run(&mut command, b"", &limits)?;
        let (wall, cpu) = (begin.elapsed().as_secs_f64(), cpu_of_children() - before);
        Ok(Cost { code: outcome.code, wall, cpu })
    }

    fn print(&self, pair: &Pair) {
        let Pair { alone, all } = pair;
        let note = match (pair.is_slow(), all.code == alone.code) {
            (true, false) => format!("  exit {} instead of {}", all.code, alone.code),
            (true, true) => "  too slow".to_string(),
            (false, _) => String::new(),
        };
        let [a, b, c, d] =
            [alone.wall, all.wall, alone.cpu, all.cpu].map(|seconds| format!("{seconds:.2} s"));
        println!("{:<52} {a:>9} {b:>9} {c:>9} {d:>9}{note}", self.name);
    }
}

/// Seconds of processors that the processes started here have used, where Linux tells; else none.
fn cpu_of_children() -> f64 {
    // In hundredths of seconds behind the name, which is in parentheses.
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let words = text.rsplit(')').next().unwrap_or("").split_whitespace();
    let times = words.skip(13).take(2).filter_map(|word| word.parse::<f64>().ok());
    times.sum::<f64>() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(code: i32, wall: f64) -> Cost {
        Cost { code, wall, cpu: wall }
    }

    #[test]
    fn twice_and_a_little_is_allowed() {
        assert!(!Pair { alone: cost(0, 1.0), all: cost(0, 2.1) }.is_slow());
        assert!(Pair { alone: cost(0, 1.0), all: cost(0, 2.3) }.is_slow());
        assert!(Pair { alone: cost(0, 1.0), all: cost(5, 0.1) }.is_slow(), "a lost answer");
    }

    #[test]
    fn the_fastest_answer_counts() {
        let mut best = cost(0, 3.0);
        best.keep_faster(cost(0, 2.0));
        best.keep_faster(cost(5, 1.0));
        assert_eq!((best.code, best.wall), (0, 2.0));
        let mut late = cost(5, 0.1);
        late.keep_faster(cost(0, 2.0));
        assert_eq!((late.code, late.wall), (0, 2.0), "no answer is not a fast one");
    }

    #[test]
    fn all_kinds_of_programs_are_asked_about() {
        let options = Options::parse(&["--limit", "3", "--filter", "pool-"]).expect("good words");
        assert!(options.limit == 3 && options.wants("pool-2x2") && !options.wants("fib-rounds4-safe"));
        assert!(Options::parse(&["--other"]).is_err() && Options::parse(&["--limit"]).is_err());
        assert_eq!(pools().len(), POOLS.len());
        assert!(fixtures().expect("the fixtures").iter().any(|one| one.name == "create/pool_names.c"));
    }
}
