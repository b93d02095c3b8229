//! Every fixture under `tests/c` as questions to `braid check`, for each engine: each is decided as the fixture says,
//! every UNSAFE replays, several violated properties are all reported. What an engine does not decide is listed at the end
//! of the fixture (`//@ known: ENGINE PROPERTIES unknown(KIND)`); a missing line fails, and so does a stale one. A failure
//! shows the lines to add. `cargo test --test check_fixtures -- mutex/` runs a topic, `-- "order "` an engine.
//!
//! One small bound on loops instead of growing ones, so that answers do not depend on time. Engines that take rounds get
//! three of them and two seconds: there UNKNOWN needs no line. `BRAID_CHECK_FLAGS` (`--unwind 5`,
//! `--solver z3`) asks the `order` engine in another way, `BRAID_CHECK_TIMEOUT` sets the seconds for each question; then
//! only a wrong verdict fails. With z3 or cvc5 installed, some fixtures are asked through them, too.

use braid_engines::registry;
use braid_testkit::fixture::{self, CheckRunner, Checked, Fixture, engines};
use braid_testkit::harness::{self, Options, Verdict};
use braid_verdict::Bound;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::OnceLock;

/// Solvers in other processes.
const SOLVERS: [&str; 2] = ["z3", "cvc5"];

/// One in so many threaded fixtures is asked through each of them.
const EVERY: usize = 15;

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

/// A fixture, and its text once it is preprocessed.
struct Subject {
    fixture: Fixture,
    source: OnceLock<PathBuf>,
}

/// A fixture and the engine that is asked about it.
struct Case<'a> {
    name: String,
    subject: &'a Subject,
    runner: CheckRunner,
    /// Why it cannot be asked, if so.
    skipped: Option<String>,
}

fn run() -> std::io::Result<bool> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c").canonicalize()?;
    let own = |fixture| Subject { fixture, source: OnceLock::new() };
    let fixtures: Vec<Subject> = fixture::find(&root)?.into_iter().map(own).collect();
    let cases = match std::env::var("BRAID_CHECK_FLAGS") {
        Ok(flags) => in_another_way(&fixtures, &flags)?,
        Err(_) => as_usual(&fixtures)?,
    };
    let names: Vec<String> = cases.iter().map(|case| case.name.clone()).collect();
    let options = Options::parse(std::env::args().skip(1));
    harness::run(&names, &options, &mut std::io::stdout(), |index| cases[index].judge())
}

/// All fixtures by each engine, and some through each solver.
fn as_usual(fixtures: &[Subject]) -> std::io::Result<Vec<Case<'_>>> {
    let mut cases = Vec::new();
    for engine in engines() {
        let takes = |bound: Bound| {
            registry::find(engine).map_or(bound == Bound::Unwind, |engine| engine.takes(bound))
        };
        let runner = match (takes(Bound::Unwind), takes(Bound::Rounds)) {
            // Questions that stay open within few rounds and little time are not listed; definite verdicts must be right.
            (true, true) => runner(engine, "--unwind 2 --rounds 3", 2, false)?,
            (true, false) => runner(engine, "--unwind 2", 60, true)?,
            (false, _) => runner(engine, "", 60, true)?,
        };
        cases.extend(fixtures.iter().map(|fixture| case(engine, fixture, &runner)));
    }
    for solver in SOLVERS {
        let runner = runner("order", &format!("--unwind 2 --solver {solver}"), 5, false)?;
        let installed = Command::new(solver).arg("--version").output().is_ok();
        let skipped = (!installed).then(|| format!("{solver}: not installed"));
        let some = fixtures.iter().filter(|one| fixture::is_explored(&one.fixture)).step_by(EVERY);
        cases.extend(some.map(|fixture| Case { skipped: skipped.clone(), ..case(solver, fixture, &runner) }));
    }
    Ok(cases)
}

fn in_another_way<'a>(fixtures: &'a [Subject], flags: &str) -> std::io::Result<Vec<Case<'a>>> {
    let runner = runner("order", flags, 5, false)?;
    Ok(fixtures.iter().map(|fixture| case("order", fixture, &runner)).collect())
}

fn case<'a>(engine: &str, subject: &'a Subject, runner: &CheckRunner) -> Case<'a> {
    let name = format!("{engine} {}", subject.fixture.name);
    Case { name, subject, runner: runner.clone(), skipped: None }
}

fn runner(engine: &'static str, flags: &str, timeout: u64, strict: bool) -> std::io::Result<CheckRunner> {
    let flags: Vec<String> = flags.split_whitespace().map(str::to_string).collect();
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check-fixtures").join(flags.join(""));
    std::fs::create_dir_all(&scratch)?;
    let asked = std::env::var("BRAID_CHECK_TIMEOUT").ok().and_then(|text| text.parse().ok());
    let strict = strict && asked.is_none();
    let timeout = asked.unwrap_or(timeout);
    Ok(CheckRunner {
        braid: PathBuf::from(env!("CARGO_BIN_EXE_braid")),
        scratch,
        engine,
        flags,
        timeout,
        strict,
    })
}

impl Case<'_> {
    fn judge(&self) -> Verdict {
        if let Some(why) = &self.skipped {
            return Verdict::PassedBut(why.clone());
        }
        let Checked { undecided, failures, .. } = self.judged();
        if !failures.is_empty() {
            Verdict::Failed(failures.join("\n"))
        } else if !undecided.is_empty() {
            Verdict::PassedBut(undecided.join(", "))
        } else {
            Verdict::Passed
        }
    }

    fn judged(&self) -> Checked {
        let Subject { fixture, source } = self.subject;
        self.runner
            .check(fixture, source.get_or_init(|| fixture::preprocessed(fixture, &self.runner.scratch)))
    }
}
