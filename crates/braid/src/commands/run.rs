//! `braid run`: the program in the reference interpreter.
//!
//! Standard input, output and error are the program's; what Braid has to say comes after it, on
//! standard error. Threads run in order (each until it blocks or ends), at random by a seed, or as a
//! schedule file says. A data race or a cycle of waits does not end the run: it is reported when the
//! run has ended.

use crate::args::RunArgs;
use crate::front::{self, Loaded};
use crate::terminal::{err, errln};
use crate::{exit, files, race};
use braid_interp::{Image, Machine, Mismatch, Options, Outcome, Report, Run, RunEnv, Schedule, place_text};
use braid_ir::{Loc, Program, Question};
use braid_report::{Style, violation};
use braid_verdict::ScheduleFile;
use std::path::Path;

/// What a shell reports for a process that called `abort`.
const ABORTED: u8 = 134;

pub fn run(args: &RunArgs) -> u8 {
    run_or_fail(args).unwrap_or_else(|code| code)
}

fn run_or_fail(args: &RunArgs) -> Result<u8, u8> {
    let limits = args.limits.begin();
    args.record.as_deref().map_or(Ok(()), |path| files::check_writable("--record", path))?;
    let loaded = front::load(&args.input, &args.args, true)?;
    let question = Question::about(args.property.unwrap_or_default());
    let mut options = Options { question, limits, ..Options::default() };
    race::apply(&args.race, &loaded.program, &mut options.question)?;
    if let Some(reason) = &loaded.undecidable {
        errln!("UNKNOWN: {}", reason.text(&loaded.program));
        return Err(exit::UNKNOWN);
    }
    let schedule = choose_schedule(args, &loaded.program)?;
    let run = execute(args, &loaded.program, options, &schedule)?;
    let written = match &args.record {
        Some(path) => files::write(path, &ScheduleFile::of_trace(&loaded.program, &run.trace).to_json()),
        None => Ok(()),
    };
    let code = conclude(&loaded, run);
    written.map(|()| code)
}

fn choose_schedule(args: &RunArgs, program: &Program) -> Result<Schedule, u8> {
    match (&args.schedule, args.seed) {
        (Some(path), _) => read_schedule(path, program),
        (None, Some(seed)) => Ok(Schedule::Random(seed)),
        (None, None) => Ok(Schedule::InOrder),
    }
}

fn read_schedule(path: &Path, program: &Program) -> Result<Schedule, u8> {
    let refuse = |problem: String| {
        errln!("error: {}: {problem}", path.display());
        exit::INPUT
    };
    let text = std::fs::read_to_string(path).map_err(|error| refuse(error.to_string()))?;
    let file = ScheduleFile::from_json(&text).map_err(|error| refuse(error.to_string()))?;
    let trace = file.to_trace(program).map_err(|error| refuse(error.to_string()))?;
    Ok(Schedule::Replay(trace))
}

/// Runs the program; a run that cannot start or leaves its schedule has been explained.
fn execute(args: &RunArgs, program: &Program, options: Options, schedule: &Schedule) -> Result<Run, u8> {
    let unknown = |error: braid_interp::SetupError| {
        errln!("UNKNOWN: {error}");
        exit::UNKNOWN
    };
    let mut image = Image::new(program, options.question.checks).map_err(unknown)?;
    image.set(braid_models::OUTPUT_IS_READ, 1);
    // A schedule may have numbers of its own.
    let open = matches!(schedule, Schedule::Replay(trace) if trace.has_random_numbers());
    image.set(braid_models::RANDOM_IS_OPEN, u8::from(open));
    let mut machine = Machine::new(&image, options).map_err(unknown)?;
    let mut env = RunEnv::new(std::io::stdin(), std::io::stdout(), std::io::stderr(), args.seed)
        .with_failing_calls(args.calls_may_fail);
    let run = machine.run_scheduled(&mut env, schedule, args.record.is_some());
    // The reader of the output may be gone; then there is nobody to tell.
    let _ = env.flush();
    run.map_err(|mismatch| {
        explain_mismatch(args, program, &mismatch);
        exit::INPUT
    })
}

fn explain_mismatch(args: &RunArgs, program: &Program, mismatch: &Mismatch) {
    let file = args.schedule.as_deref().unwrap_or(Path::new("schedule"));
    let expected = &mismatch.expected;
    errln!(
        "error: {}: the schedule does not fit the program: steps[{}] is instruction {} of '{}' in thread {} at {}, \
         but {}",
        file.display(),
        mismatch.index,
        expected.instr.0,
        expected.function,
        expected.thread,
        place_text(program, expected.loc),
        mismatch.found
    );
}

fn conclude(loaded: &Loaded, run: Run) -> u8 {
    let end = match run.outcome {
        Outcome::Violation(report) => return unsafe_by(loaded, run.recorded, Some(*report)),
        outcome => outcome,
    };
    if !run.recorded.is_empty() {
        return unsafe_by(loaded, run.recorded, None);
    }
    match end {
        Outcome::Exited { code } => (code & 0xff) as u8,
        Outcome::Aborted { .. } => ABORTED,
        Outcome::Violation(_) => unreachable!("handled above"),
        Outcome::InvalidUnchecked(report) => {
            err!("{}", violation::report(loaded.context(), Style::PLAIN, &report));
            unknown(loaded, "invalid access reachable", report.place)
        }
        Outcome::Unsupported { what, place, stack } => {
            err!("{}", violation::stop(loaded.context(), &what, place, &stack));
            unknown(loaded, &format!("unsupported: {what}"), place)
        }
        Outcome::AssumeFailed { place } => {
            unknown(loaded, "stopped by an assumption that does not hold", place)
        }
        Outcome::Blocked { threads } => {
            for view in &threads {
                err!("{}", violation::thread(loaded.context(), view));
            }
            let place = threads.first().map_or(Loc::NONE, |view| view.place);
            unknown(loaded, "every unfinished thread waits, and deadlock is not checked,", place)
        }
        Outcome::ResourceLimit { resource, place, stack } => {
            let what = resource.to_string();
            err!("{}", violation::stop(loaded.context(), &what, place, &stack));
            unknown(loaded, &what, place)
        }
    }
}

/// Shows all violations, each once; the one that ended the run, else the first, is the verdict. A replay ends with the
/// race of its schedule, which the machine has recorded on the way as well.
fn unsafe_by(loaded: &Loaded, recorded: Vec<Report>, last: Option<Report>) -> u8 {
    let mut shown: Vec<String> = Vec::new();
    for report in recorded.iter().chain(&last) {
        let text = violation::report(loaded.context(), Style::PLAIN, report);
        if !shown.contains(&text) {
            err!("{text}");
            shown.push(text);
        }
    }
    if let Some(report) = last.as_ref().or(recorded.first()) {
        errln!("UNSAFE: {} at {}", report.check, place_text(&loaded.program, report.place));
    }
    exit::UNSAFE
}

fn unknown(loaded: &Loaded, reason: &str, place: Loc) -> u8 {
    errln!("UNKNOWN: {reason} at {}", place_text(&loaded.program, place));
    exit::UNKNOWN
}
