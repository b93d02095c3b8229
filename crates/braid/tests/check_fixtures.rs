//! Every fixture under `tests/c` as questions to `braid check --engine order`: no wrong verdict, every UNSAFE replays,
//! several violated properties are all reported (by all engines, too), and most are decided.
//! `cargo test --test check_fixtures -- threads/` runs a topic.
//!
//! One small bound instead of growing ones, so that few answers depend on time; one that comes too late is counted as
//! undecided. `BRAID_CHECK_FLAGS` (`--unwind 5`, `--solver z3`) asks in another way, `BRAID_CHECK_TIMEOUT` sets the
//! seconds for each question; then nothing is said about how many are decided. With z3 or cvc5 installed, some fixtures
//! are asked through them, too.

use braid_testkit::fixture::{self, CheckRunner, Checked, Fixture};
use braid_testkit::harness::{self, Options, Verdict};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;

/// Of a hundred questions at least so many are decided under the usual bound.
const SHARE: usize = 85;

/// Solvers in other processes.
const SOLVERS: [&str; 2] = ["z3", "cvc5"];

/// One in so many fixtures is asked through each of them.
const EVERY: usize = 8;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("check_fixtures: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A fixture and who is asked about it.
struct Case {
    fixture: Fixture,
    runner: CheckRunner,
    /// Why it cannot be asked, if so.
    skipped: Option<String>,
}

#[derive(Default)]
struct Count {
    decided: usize,
    all: usize,
}

fn run() -> std::io::Result<bool> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c").canonicalize()?;
    let fixtures = fixture::find(&root)?;
    let own_flags = std::env::var("BRAID_CHECK_FLAGS").ok();
    let cases = cases(fixtures, own_flags.as_deref())?;
    let names: Vec<String> = cases.iter().map(Case::name).collect();
    let options = Options::parse(std::env::args().skip(1));
    let count = Mutex::new(Count::default());
    let passed = harness::run(&names, &options, &mut std::io::stdout(), |index| cases[index].judge(&count))?;
    let count = count.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let all = options == Options::default() && own_flags.is_none();
    println!("{} of {} questions decided", count.decided, count.all);
    Ok(passed && !(all && count.decided * 100 < count.all * SHARE))
}

/// All fixtures through the embedded solver, and some through each other one; or all with the flags given.
fn cases(fixtures: Vec<Fixture>, flags: Option<&str>) -> std::io::Result<Vec<Case>> {
    let usual = runner(flags.unwrap_or("--unwind 2"))?;
    let mut cases = Vec::new();
    if flags.is_none() {
        for solver in SOLVERS {
            let runner = runner(&format!("--unwind 2 --solver {solver}"))?;
            let installed = Command::new(solver).arg("--version").output().is_ok();
            let skipped = (!installed).then(|| format!("{solver}: not installed"));
            let some = fixtures.iter().filter(|f| f.name.starts_with("threads/")).step_by(EVERY);
            cases.extend(some.map(|fixture| Case {
                fixture: fixture.clone(),
                runner: runner.clone(),
                skipped: skipped.clone(),
            }));
        }
    }
    let usual = |fixture| Case { fixture, runner: usual.clone(), skipped: None };
    Ok(fixtures.into_iter().map(usual).chain(cases).collect())
}

fn runner(flags: &str) -> std::io::Result<CheckRunner> {
    let flags: Vec<String> = flags.split_whitespace().map(str::to_string).collect();
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check-fixtures").join(flags.join(""));
    std::fs::create_dir_all(&scratch)?;
    let timeout = std::env::var("BRAID_CHECK_TIMEOUT").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    Ok(CheckRunner { braid: PathBuf::from(env!("CARGO_BIN_EXE_braid")), scratch, flags, timeout })
}

impl Case {
    fn name(&self) -> String {
        let solver = self.runner.flags.iter().skip_while(|flag| *flag != "--solver").nth(1);
        solver.map_or(self.fixture.name.clone(), |solver| format!("{} by {solver}", self.fixture.name))
    }

    fn judge(&self, count: &Mutex<Count>) -> Verdict {
        if let Some(why) = &self.skipped {
            return Verdict::PassedBut(why.clone());
        }
        let Checked { decided, undecided, failures } = self.runner.check(&self.fixture);
        let mut count = count.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        count.decided += decided;
        count.all += decided + undecided.len();
        if !failures.is_empty() {
            Verdict::Failed(failures.join("\n"))
        } else if !undecided.is_empty() {
            Verdict::PassedBut(undecided.join(", "))
        } else {
            Verdict::Passed
        }
    }
}
