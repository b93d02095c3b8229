//! `cargo xtask outside DIR…`: other people's programs through the front end.
//!
//! Every `.c` file that the native compiler accepts is parsed, checked and lowered; counts and the
//! reason of each miss are printed. A file with `NAME.c.expected` beside it is also run, and its output
//! compared.

use crate::workspace;
use braid_syntax::preprocess::{self, Preprocess};
use braid_testkit::frontend::{self, Stage};
use braid_testkit::process::{self, Limits};
use braid_testkit::{harness, native};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What came of a file.
enum Fate {
    /// The native compiler refuses it, too.
    Rejected,
    /// How far it came, and why no further.
    Stopped(Stage, String),
    /// Lowered, with the constructs that are not supported.
    Lowered(Vec<String>),
    Broken(String),
}

struct Finding {
    fate: Fate,
    /// For files with an expected output: whether it was met, else what was seen.
    output: Option<Result<(), String>>,
}

pub fn run(first: &str, rest: &[&str]) -> Result<bool, String> {
    let braid = workspace::release_binary()?;
    let mut files = Vec::new();
    for directory in std::iter::once(first).chain(rest.iter().copied()) {
        collect(Path::new(directory), &mut files)?;
    }
    frontend::keep_panics();
    let mut results: Vec<Option<Finding>> = Vec::new();
    results.resize_with(files.len(), || None);
    harness::in_parallel(
        files.len(),
        None,
        |index| look_at(&files[index], &braid),
        |index, result| {
            results[index] = Some(result?);
            Ok::<(), String>(())
        },
    )?;
    report(&files, &results);
    Ok(true)
}

/// All `.c` files below a directory, in order.
fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = std::fs::read_dir(directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| e.ok()).map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "c") {
            files.push(path);
        }
    }
    Ok(())
}

fn look_at(file: &Path, braid: &Path) -> Result<Finding, String> {
    let mut command = native::compiler_command(Path::new("."));
    command.args(["-fsyntax-only", "-w"]).arg(file);
    if process::run(&mut command, b"", &Limits::default())?.code != 0 {
        return Ok(Finding { fate: Fate::Rejected, output: None });
    }
    let path = file.to_path_buf();
    let fate = frontend::on_large_stack(move || fate(&path))?;
    Ok(Finding { fate, output: expected_output(file, braid)? })
}

fn fate(path: &Path) -> Fate {
    let loaded = match preprocess::load(path, &Preprocess::default()) {
        Ok(loaded) => loaded,
        Err(error) => return Fate::Stopped(Stage::Read, error.to_string()),
    };
    let compiled = match frontend::catch(|| frontend::compile(&path.to_string_lossy(), loaded.text)) {
        Ok(compiled) => compiled,
        Err(message) => return Fate::Broken(format!("panic: {message}")),
    };
    match compiled.program {
        Some(program) => Fate::Lowered(frontend::unsupported(&program)),
        None if compiled.internal => Fate::Broken(compiled.errors.concat()),
        None => Fate::Stopped(compiled.stage, compiled.errors.first().cloned().unwrap_or_default()),
    }
}

/// Runs a file that has an expected output; such files exit with 0.
fn expected_output(file: &Path, braid: &Path) -> Result<Option<Result<(), String>>, String> {
    let beside = PathBuf::from(format!("{}.expected", file.display()));
    let Ok(expected) = std::fs::read(&beside) else { return Ok(None) };
    let mut command = process::command(braid, file.parent().unwrap_or(Path::new(".")));
    command.args(["run", "--property", "none", "--timeout", "60"]).arg(file.file_name().unwrap_or_default());
    let limits = Limits { time: Duration::from_secs(90), ..Limits::default() };
    let outcome = process::run(&mut command, b"", &limits)?;
    let met = outcome.code == 0 && outcome.stdout == expected;
    Ok(Some(if met { Ok(()) } else { Err(format!("exit code {}: {}", outcome.code, outcome.last_line())) }))
}

fn report(files: &[PathBuf], results: &[Option<Finding>]) {
    let (mut accepted, mut parsed, mut checked, mut lowered, mut clean) = (0, 0, 0, 0, 0);
    let (mut run, mut met) = (0, 0);
    let mut missing: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    for (file, result) in files.iter().zip(results) {
        let Some(result) = result else { continue };
        let miss = |why: &str| println!("{}: {}", file.display(), why.trim().lines().next().unwrap_or(""));
        accepted += usize::from(!matches!(result.fate, Fate::Rejected));
        match &result.fate {
            Fate::Rejected => {}
            Fate::Stopped(stage, why) => {
                parsed += usize::from(*stage > Stage::Read);
                checked += usize::from(*stage > Stage::Parsed);
                miss(why);
            }
            Fate::Broken(why) => miss(why),
            Fate::Lowered(unsupported) => {
                (parsed, checked, lowered) = (parsed + 1, checked + 1, lowered + 1);
                // A function without definition is no construct of the language.
                let (functions, constructs): (Vec<_>, Vec<_>) =
                    unsupported.iter().partition(|what| what.starts_with("call of '"));
                functions.iter().for_each(|what| *missing.entry(what.as_str()).or_default() += 1);
                clean += usize::from(constructs.is_empty());
                constructs.iter().for_each(|what| miss(&format!("unsupported: {what}")));
            }
        }
        if let Some(output) = &result.output {
            run += 1;
            match output {
                Ok(()) => met += 1,
                Err(why) => miss(why),
            }
        }
    }
    println!("\nfunctions without definition or model:");
    missing.iter().for_each(|(what, count)| println!("{count:5}  {what}"));
    let percent = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    println!("\n{:5}  files, of which the native compiler accepts {accepted}", files.len());
    for (count, what) in [
        (parsed, "parse"),
        (checked, "check"),
        (lowered, "lower to verified IR"),
        (clean, "lower without an unsupported construct"),
    ] {
        println!("{count:5}  {what}: {:.1} %", percent(count, accepted));
    }
    if run > 0 {
        println!("{met:5}  of {run} with an expected output give it: {:.1} %", percent(met, run));
    }
}
