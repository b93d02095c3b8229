//! `braid check`: can any interleaving of the program go wrong?
//!
//! Reads the flags and the property file, lets the portfolio work, and says what it found: violations with
//! their interleavings, assumptions, and the verdict as the last line (with a property file: the result word of
//! SV-COMP); or all of it as one JSON object. Files appear whole or not at all.

use crate::args::{CheckArgs, EncodingArg, EngineArg, RandArg};
use crate::files::Pending;
use crate::front::{self, Loaded};
use crate::outputs::About;
use crate::prp::PropertyFile;
use crate::schedules::{Replay, Written};
use crate::status::Status;
use crate::terminal::{errln, outln};
use crate::watchdog::Watchdog;
use crate::{
    answer, covered, exit, files, interrupt, json, loops, outputs, race, schedules, stats, terminal,
};
use braid_engines::order::{Encoding, SolverChoice};
use braid_interp::Options;
use braid_ir::Program;
use braid_portfolio::{Engine, Event, Report, Request, Trouble};
use braid_props::CheckSet;
use braid_verdict::{Counterexample, Reason, Verdict, assumptions};
use std::path::Path;
use std::sync::Arc;

pub fn run(mut args: CheckArgs) -> u8 {
    run_or_fail(&mut args).unwrap_or_else(|code| code)
}

/// What is to be checked, by flags or by a property file.
struct Question {
    checks: CheckSet,
    termination: bool,
}

fn run_or_fail(args: &mut CheckArgs) -> Result<u8, u8> {
    let limits = args.limits.begin();
    if let Some(path) = args.input.configured.as_ref().filter(|_| args.verbose) {
        errln!("defaults from {}", path.display());
    }
    check_flags(args)?;
    check_outputs(args)?;
    let question = question(args)?;
    let watchdog = Watchdog::start(limits, last_word(args, question.checks));
    let mut loaded = front::load(&args.input, &args.args, true)?;
    let fixed_addresses = args.addresses.assume(&mut loaded.program);
    args.rand.note(&mut loaded.program);
    loops::check_names(&loaded.program, &args.unwindset)?;
    let checks = question.checks;
    let mut machine = Options { checks, limits, fixed_addresses, ..Options::default() };
    race::apply(&args.race, &loaded.program, &mut machine)?;
    let dump = args.dump.as_deref().map(Pending::new);
    watchdog.searching();
    let report = search(args, &question, &loaded, machine, dump.as_ref(), &watchdog)?;
    watchdog.done();
    let dumped = dump.map_or(Ok(()), finish_dump);
    Ok(say(args, &question, &loaded, &report, dumped))
}

/// How to say that a limit was reached before there was an answer.
fn last_word(args: &CheckArgs, checks: CheckSet) -> impl Fn(&str, &str) + Send + 'static {
    let (as_json, in_words) = (args.json, args.properties.prop.is_some());
    move |limit: &str, phase: &str| {
        let reason = Reason::Stopped { limit: limit.to_string(), phase: phase.to_string() };
        let word = in_words.then(|| "unknown".to_string());
        if as_json {
            terminal::print_with(|out| json::write_limit(&reason, checks, word.clone(), out));
            return;
        }
        outln!("UNKNOWN: {}", reason.text(&Program::default()));
        if let Some(word) = word {
            outln!("{word}");
        }
    }
}

/// Refuses files that cannot be written, before the search.
fn check_outputs(args: &CheckArgs) -> Result<(), u8> {
    outputs::check_writable(&args.output, args.schedule_out.as_deref())?;
    args.dump.as_deref().map_or(Ok(()), |path| files::check_writable("--dump", path))
}

/// Gives the formula's file its name.
fn finish_dump(dump: Pending) -> Result<(), u8> {
    if !dump.finish()? {
        errln!("note: --dump: no formula was needed; '--engine order' makes one");
    }
    Ok(())
}

/// Combinations of flags that mean nothing.
fn check_flags(args: &CheckArgs) -> Result<(), u8> {
    let bounded = [("--rounds", args.rounds), ("--context-bound", args.context_bound)];
    let explicit = args.engine == Some(EngineArg::Explicit);
    if let Some((flag, _)) = bounded.iter().find(|(_, bound)| bound.is_some() && !explicit) {
        errln!("error: {flag} bounds the explicit engine only; add --engine explicit");
        return Err(exit::USAGE);
    }
    if args.dump.is_some() && explicit {
        errln!("error: --dump: the explicit engine has no formula");
        return Err(exit::USAGE);
    }
    let outside = [("--solver", args.solver.is_some()), ("--dump", args.dump.is_some())];
    if let Some((flag, _)) = outside.iter().find(|(_, given)| *given)
        && args.encoding == Some(EncodingArg::Theory)
    {
        errln!("error: --encoding theory works in the embedded solver only; drop it, or {flag}");
        return Err(exit::USAGE);
    }
    Ok(())
}

/// Reads the property file, if there is one; its error functions become those of the input.
fn question(args: &mut CheckArgs) -> Result<Question, u8> {
    let Some(path) = &args.properties.prop else {
        return Ok(Question { checks: args.properties.checks(), termination: false });
    };
    let file = read_property_file(path)?;
    args.input.error_call = file.error_calls;
    args.input.whole_objects = true;
    args.input.error_call_may_be_missing = true;
    Ok(Question { checks: file.checks, termination: file.termination })
}

fn read_property_file(path: &Path) -> Result<PropertyFile, u8> {
    let refuse = |problem: String| {
        errln!("error: {}: {problem}", path.display());
        exit::INPUT
    };
    let text = std::fs::read_to_string(path).map_err(|error| refuse(error.to_string()))?;
    PropertyFile::parse(&text).map_err(refuse)
}

/// Lets the portfolio work.
fn search(
    args: &CheckArgs,
    question: &Question,
    loaded: &Loaded,
    machine: Options,
    dump: Option<&Pending>,
    watchdog: &Watchdog,
) -> Result<Report, u8> {
    if let Some(reason) = &loaded.undecidable {
        return Ok(Report::new(Verdict::Unknown(vec![reason.clone()]), Vec::new()));
    }
    let nothing_else = question.checks.is_empty();
    if question.termination && nothing_else {
        return Ok(Report::new(Verdict::Unknown(vec![Reason::Termination]), Vec::new()));
    }
    let request = request(args, machine, dump);
    let status = Status::new(Some(&request.meter));
    let mut watch = |event: Event<'_>| match event {
        Event::Begin(phase) => status.begin(phase),
        Event::Searching(phase, progress) => status.show(phase, progress),
        Event::End(phase) if args.verbose => status.aside(|| errln!("{}", stats::line(phase))),
        Event::End(_) => {}
        Event::Violation => watchdog.done(),
    };
    let report = braid_portfolio::check(&loaded.program, &request, &mut watch);
    status.clear();
    let mut report = report.map_err(|trouble| explain(&trouble))?;
    if let Some(what) = &report.defect {
        errln!("braid: internal error: {what}");
        errln!("note: violations may be missing; those that are listed were replayed");
    }
    if question.termination && matches!(report.verdict, Verdict::Safe { .. }) {
        report.verdict = Verdict::Unknown(vec![Reason::Termination]);
    }
    Ok(report)
}

fn request(args: &CheckArgs, machine: Options, dump: Option<&Pending>) -> Request {
    Request {
        engine: match args.engine {
            None => Engine::Portfolio,
            Some(EngineArg::Order) => Engine::Order,
            Some(EngineArg::Explicit) => Engine::Explicit,
        },
        machine,
        unwind: args.unwind,
        unwindset: args.unwindset.clone(),
        rounds: args.rounds,
        context_bound: args.context_bound,
        spurious_wakeups: args.spurious_wakeups,
        calls_may_fail: args.calls_may_fail,
        random_is_real: args.rand == RandArg::Glibc,
        malloc_may_fail: args.malloc_may_fail,
        encoding: args.encoding.map(|encoding| match encoding {
            EncodingArg::Theory => Encoding::Theory,
            EncodingArg::Pairs => Encoding::Pairs,
            EncodingArg::Clocks => Encoding::Clocks,
        }),
        solver: args.solver.clone().map_or(SolverChoice::Embedded, SolverChoice::Process),
        dump: dump.map(|dump| dump.temporary().to_path_buf()),
        stop_at_first: args.stop_at_first,
        interrupt: interrupt::flag(),
        meter: Arc::default(),
    }
}

fn explain(trouble: &Trouble) -> u8 {
    match trouble {
        Trouble::Internal(what) => {
            errln!("braid: internal error: {what}");
            exit::INTERNAL
        }
        Trouble::Solver(failure) => {
            errln!("error: --solver: {failure}");
            exit::USAGE
        }
    }
}

/// Writes the files, prints the answer and gives the exit code. A file that cannot be written changes the exit code, but
/// the answer is printed all the same.
fn say(
    args: &CheckArgs,
    question: &Question,
    loaded: &Loaded,
    report: &Report,
    dumped: Result<(), u8>,
) -> u8 {
    let verdict = &report.verdict;
    let found: &[Counterexample] = match verdict {
        Verdict::Unsafe(counterexamples) => counterexamples,
        Verdict::Safe { .. } | Verdict::Unknown(_) => &[],
    };
    let replay = Replay { input: &args.input, checks: question.checks, race: &args.race, args: &args.args };
    let schedules = schedules::write(args.schedule_out.as_deref(), loaded, found, &replay);
    let assumptions = answer::with_own_assumptions(assumptions(&loaded.program, &args.lifted()), found);
    let verdict_code = answer::exit_code(verdict, args.bounded_ok);
    let result = args.properties.prop.as_ref().map(|_| result_word(verdict));
    let about = About {
        loaded,
        verdict,
        assumptions: &assumptions,
        checks: question.checks,
        property_file: args.properties.prop.as_deref(),
        exit_code: dumped
            .and(schedules.as_ref().map(|_| ()).map_err(|code| *code))
            .err()
            .unwrap_or(verdict_code),
    };
    let exit_code = outputs::write(&args.output, &about).err().unwrap_or(about.exit_code);
    let written: Vec<Written> = schedules.unwrap_or_default();
    if args.json {
        let (checks, stats) = (question.checks, args.stats);
        let written = &written;
        let input = json::Input { loaded, report, checks, assumptions, written, exit_code, result, stats };
        terminal::print_with(|out| json::write(input, out));
        return exit_code;
    }
    answer::print_violations(loaded, terminal::layout(args.output.full_trace), found, &written);
    if report.more_races {
        outln!("There are more data races than those listed.");
    }
    if args.stats {
        stats::print(&report.phases);
    } else {
        covered::print(args, report);
    }
    covered::print_undefined(args.input.nondet_undefined, verdict);
    answer::print_coverage(loaded, verdict, question.checks);
    answer::print_assumptions(&assumptions);
    answer::conclude(loaded, verdict, args.bounded_ok);
    if let Some(word) = result {
        outln!("{word}");
    }
    exit_code
}

/// The verdict in the words of SV-COMP.
fn result_word(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Safe { .. } => "true".to_string(),
        Verdict::Unknown(_) => "unknown".to_string(),
        Verdict::Unsafe(counterexamples) => {
            let word = counterexamples.first().and_then(|found| found.report().check.property().svcomp);
            word.map_or("unknown".to_string(), |word| format!("false({word})"))
        }
    }
}
