//! Every fixture under `tests/c`, one test each: `cargo test --test fixtures -- memory/` runs a topic.

use braid_testkit::fixture::{self, Fixture, Runner};
use braid_testkit::harness::{self, Options, Verdict};
use braid_testkit::native::Cache;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("fixtures: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> std::io::Result<bool> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c").canonicalize()?;
    let fixtures = fixture::find(&root)?;
    let runner = Runner {
        braid: PathBuf::from(env!("CARGO_BIN_EXE_braid")),
        cache: Cache::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("native"))?,
    };
    let names: Vec<String> = fixtures.iter().map(|f| f.name.clone()).collect();
    let options = Options::parse(std::env::args().skip(1));
    harness::run(&names, &options, &mut std::io::stdout(), |index| verdict(&runner, &fixtures[index]))
}

fn verdict(runner: &Runner, fixture: &Fixture) -> Verdict {
    let report = runner.check(fixture);
    if !report.failures.is_empty() {
        Verdict::Failed(report.failures.join("\n"))
    } else if !report.skipped.is_empty() {
        Verdict::PassedBut(report.skipped.join(", "))
    } else {
        Verdict::Passed
    }
}
