//! Damaged fixtures through the whole pipeline: nothing panics, and no verified program breaks its own
//! rules.
//!
//! `BRAID_SEED=START..END` chooses other seeds. The work is done in child processes of this same
//! binary, so that a stack overflow, which no handler survives, is reported with its seed, too. A
//! failing mutant is made smaller and left as a file.

use braid_interp::{Image, Limits as RunLimits, Machine, Options as RunOptions, RunEnv};
use braid_ir::Program;
use braid_props::CheckSet;
use braid_testkit::differential::parse_range;
use braid_testkit::frontend::{self, Stage};
use braid_testkit::harness;
use braid_testkit::mutants::{Corpus, smaller};
use braid_testkit::process::{self, Limits};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

const DEFAULT_SEEDS: Range<u64> = 0..3000;
/// Seeds a child process works on.
const SHARE: u64 = 250;
/// Set for a child process to its range of seeds.
const WORKER: &str = "BRAID_MUTATE_WORKER";

fn main() -> ExitCode {
    let result = match std::env::var(WORKER) {
        Ok(range) => worker(&range),
        Err(_) => parent(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn parent() -> Result<(), String> {
    let options = harness::Options::parse(std::env::args().skip(1));
    if options.list {
        println!("mutants_do_not_panic: test\n\n1 tests, 0 benchmarks");
        return Ok(());
    }
    if !options.filters.is_empty()
        && !options.filters.iter().any(|f| "mutants_do_not_panic".contains(f.as_str()))
    {
        return Ok(());
    }
    let seeds = match std::env::var("BRAID_SEED") {
        Ok(text) => parse_range(&text).ok_or("BRAID_SEED is START..END")?,
        Err(_) => DEFAULT_SEEDS,
    };
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    Corpus::prepare(&fixtures, &corpus())?;
    let shares: Vec<Range<u64>> =
        seeds.clone().step_by(SHARE as usize).map(|s| s..(s + SHARE).min(seeds.end)).collect();
    let mut failures = Vec::new();
    let mut stages: BTreeMap<String, usize> = BTreeMap::new();
    harness::in_parallel(
        shares.len(),
        options.threads,
        |index| child(&shares[index]),
        |_, result| {
            let found = result?;
            failures.extend(found.failures);
            found.stages.into_iter().for_each(|stage| *stages.entry(stage).or_default() += 1);
            Ok::<(), String>(())
        },
    )?;
    println!("\nmutants of seeds {}..{}: {} failures; {stages:?}", seeds.start, seeds.end, failures.len());
    println!("test mutants_do_not_panic ... {}\n", if failures.is_empty() { "ok" } else { "FAILED" });
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

/// What the children found.
#[derive(Default)]
struct Found {
    failures: Vec<String>,
    /// How far each mutant came.
    stages: Vec<String>,
}

/// Runs a child on a range of seeds; a death without a word is charged to the seed it was at.
fn child(range: &Range<u64>) -> Result<Found, String> {
    let mut found = Found::default();
    let mut start = range.start;
    while start < range.end {
        let exe = std::env::current_exe().map_err(|e| e.to_string())?;
        let mut command = Command::new(exe);
        command.env(WORKER, format!("{start}..{}", range.end));
        let limits = Limits { time: Duration::from_secs(600), ..Limits::default() };
        let outcome = process::run(&mut command, b"", &limits)?;
        let text = outcome.stdout_text();
        found.failures.extend(text.lines().filter(|l| l.starts_with("failure")).map(str::to_string));
        found.stages.extend(text.lines().filter_map(|l| l.strip_prefix("stage ")).map(str::to_string));
        if outcome.code == 0 {
            break;
        }
        let last = text.lines().rev().find_map(|l| l.strip_prefix("seed ")).and_then(|s| s.parse().ok());
        let Some(seed) = last else {
            return Err(format!("a child ended with {}:\n{text}{}", outcome.code, outcome.stderr_text()));
        };
        let file = keep(seed, &Corpus::load(&corpus())?.mutant(seed))?;
        found.failures.push(format!(
            "failure at seed {seed}: the process ended with {}; see {}",
            outcome.code,
            file.display()
        ));
        start = seed + 1;
    }
    Ok(found)
}

fn worker(range: &str) -> Result<(), String> {
    let range = parse_range(range).ok_or("a range of seeds")?;
    frontend::keep_panics();
    frontend::on_large_stack(move || {
        let corpus = Corpus::load(&corpus())?;
        for seed in range {
            println!("seed {seed}");
            let text = corpus.mutant(seed);
            match survives(&text) {
                Ok(stage) => println!("stage {stage:?}"),
                Err(message) => {
                    let same =
                        |text: &[u8]| survives(text).is_err_and(|other| kind(&other) == kind(&message));
                    let small = smaller(&text, same);
                    let file = keep(seed, &small)?;
                    println!("failure at seed {seed}: {message}; see {}", file.display());
                }
            }
        }
        Ok(())
    })?
}

/// The whole pipeline on a text; the error is a panic or a program that is not well-formed.
fn survives(text: &[u8]) -> Result<Stage, String> {
    let decoded = String::from_utf8_lossy(text).into_owned();
    let compiled = frontend::catch(|| frontend::compile("mutant.c", decoded.as_str().into()))?;
    if compiled.internal {
        return Err(compiled.errors.first().cloned().unwrap_or_default().trim().replace('\n', " "));
    }
    if let Some(program) = compiled.program.filter(|p| p.entry.is_some()) {
        frontend::catch(|| execute(&program))?;
    }
    Ok(compiled.stage)
}

/// Runs a program for a moment; any end is fine.
fn execute(program: &Program) {
    for checks in [CheckSet::all(), CheckSet::EMPTY] {
        let deadline = Some(Instant::now() + Duration::from_millis(20));
        let limits = RunLimits { deadline, memory: 64 << 20, ..RunLimits::default() };
        let Ok(image) = Image::new(program, checks) else { return };
        let Ok(mut machine) = Machine::new(
            &image,
            RunOptions { question: braid_ir::Question::about(checks), limits, ..RunOptions::default() },
        ) else {
            return;
        };
        machine.run(&mut RunEnv::new(std::io::empty(), std::io::sink(), std::io::sink(), None));
    }
}

/// The place of a panic, which stays while values in its message change.
fn kind(message: &str) -> &str {
    message.rsplit_once(" at ").map_or(message, |(_, place)| place)
}

fn scratch() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutants")
}

fn keep(seed: u64, text: &[u8]) -> Result<PathBuf, String> {
    let file = scratch().join(format!("seed-{seed}.i"));
    std::fs::write(&file, text).map_err(|e| e.to_string())?;
    Ok(file)
}

/// The preprocessed fixtures, which the parent prepares once for all children.
fn corpus() -> PathBuf {
    scratch().join("corpus")
}
