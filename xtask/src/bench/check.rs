//! `braid check`: the whole command on a small program against `cc -E` on it, and the clock encoding on two
//! threads that add into each other's variable (`bench/fib.c`), against CBMC where there is one; and what `--json` adds
//! to a run with a long trace.

use super::measure::{median, once, print_row};
use braid_testkit::check::symbolic;
use braid_testkit::native;
use std::path::{Path, PathBuf};
use std::process::Command;

const START_LIMIT: f64 = 6.0;
const CBMC_LIMIT: f64 = 2.0;
const JSON_LIMIT: f64 = 1.1;
/// Runs with and without `--json`; the fastest count.
const JSON_RUNS: usize = 7;
/// Iterations, and the largest value that can come out.
const FIB: [(u32, u32); 2] = [(5, 144), (6, 377)];

pub fn run(braid: &Path, scratch: &Path) -> Result<bool, String> {
    println!("{:<28} {:>12} {:>12} {:>8} {:>8}", "", "braid", "other", "ratio", "limit");
    let mut all_pass = small(braid, scratch)? & json(braid)?;
    let cbmc = find("cbmc");
    for (rounds, limit) in FIB {
        all_pass &= fib(braid, cbmc.as_deref(), rounds, limit)?;
    }
    if cbmc.is_none() {
        println!("there is no cbmc on the PATH to compare with");
    }
    Ok(all_pass)
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("bench").join(name)
}

fn small(braid: &Path, scratch: &Path) -> Result<bool, String> {
    let file = source("small.c");
    let ours = median(|| {
        let mut command = Command::new(braid);
        command.arg("check").arg(&file);
        command
    })?;
    let theirs = median(|| {
        let mut command = native::compiler_command(scratch);
        command.arg("-E").arg(&file);
        command
    })?;
    let row = (format!("{:.1} ms", ours * 1e3), format!("{:.1} ms", theirs * 1e3));
    Ok(print_row("30 lines, against cc -E", row, ours / theirs, START_LIMIT))
}

/// By turns, for other work on the machine must not count for one of them alone.
fn json(braid: &Path) -> Result<bool, String> {
    let [mut without, mut with] = [f64::INFINITY; 2];
    for _ in 0..JSON_RUNS {
        for (flag, best) in [(None, &mut without), (Some("--json"), &mut with)] {
            let mut command = Command::new(braid);
            command.args(["check", "--property", "assertion"]).arg(source("long.c")).args(flag);
            let (time, code) = once(&mut command)?;
            if code != Some(10) {
                return Err(format!("{command:?} does not find the violation: exit {code:?}"));
            }
            *best = best.min(time);
        }
    }
    let row = (format!("{with:.2} s"), format!("{without:.2} s"));
    Ok(print_row("100,000 steps, with --json", row, with / without, JSON_LIMIT))
}

fn fib(braid: &Path, cbmc: Option<&Path>, rounds: u32, limit: u32) -> Result<bool, String> {
    let defines = [format!("-DN={rounds}"), format!("-DLIMIT={limit}")];
    let mut command = Command::new(braid);
    command.args(["check", "--engine", symbolic().name, "--encoding", "clocks", "--property", "assertion"]);
    command.args(&defines).arg(source("fib.c"));
    let (ours, code) = once(&mut command)?;
    let name = format!("fib {rounds}, clocks");
    if code != Some(0) {
        println!("{name:<28} {:>10.2} s  not decided (exit {code:?})  FAIL", ours);
        return Ok(false);
    }
    let Some(cbmc) = cbmc else {
        println!("{name:<28} {:>10.2} s", ours);
        return Ok(true);
    };
    let mut command = Command::new(cbmc);
    // The same question: assertions alone.
    command.args(["--unwind", &(rounds + 1).to_string(), "--sat-solver", "cadical", "--no-standard-checks"]);
    command.args(&defines).arg(source("fib.c"));
    let (theirs, code) = once(&mut command)?;
    if code != Some(0) {
        return Err(format!("cbmc does not find {name} safe: exit {code:?}"));
    }
    let row = (format!("{ours:.2} s"), format!("{theirs:.2} s"));
    Ok(print_row(&name, row, ours / theirs, CBMC_LIMIT))
}

/// A program on the PATH.
fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|directory| directory.join(name)).find(|file| file.is_file())
}
