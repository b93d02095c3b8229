//! `braid check`: can any interleaving of the program go wrong?
//!
//! Reads the flags and the property file, lets the portfolio work, and says what it found: violations with
//! their interleavings, assumptions, and the verdict as the last line (with a property file: the result word of
//! SV-COMP); or all of it as one JSON object. Files appear whole or not at all.

use crate::args::{CheckArgs, RandArg};
use crate::files::Pending;
use crate::front::{self, Loaded};
use crate::outputs::About;
use crate::prp::PropertyFile;
use crate::schedules::{Replay, Written};
use crate::status::Status;
use crate::terminal::{errln, outln};
use crate::watchdog::Watchdog;
use crate::{
    answer, covered, exit, files, interrupt, json, loops, outputs, proofs, race, schedules, sequential,
    stats, terminal,
};
use braid_engines::{ENGINES, Engine, Setup, SolverChoice, registry};
use braid_interp::Limits;
use braid_ir::{Program, Question};
use braid_portfolio::{Event, Given, OfProperty, Report, Request, Trouble};
use braid_proof::check::table::table;
use braid_props::{Check, CheckSet};
use braid_report::locks::suspicious;
use braid_verdict::{Bound, Counterexample, Reason, Verdict, assumptions};
use std::path::Path;
use std::sync::Arc;

/// Unprotected variables that are shown.
const SHOWN_VARIABLES: usize = 5;

pub fn run(mut args: CheckArgs) -> u8 {
    run_or_fail(&mut args).unwrap_or_else(|code| code)
}

/// What is to be checked, by flags or by a property file.
struct Wanted {
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
    let wanted = wanted(args)?;
    let watchdog = Watchdog::start(limits, last_word(args, wanted.checks));
    let mut loaded = front::load(&args.input, &args.args, true)?;
    let fixed_addresses = args.addresses.assume(&mut loaded.program);
    args.rand.note(&mut loaded.program);
    loops::check_names(&loaded.program, &args.unwindset)?;
    let mut question = Question {
        fixed_addresses,
        malloc_may_fail: args.malloc_may_fail,
        calls_may_fail: args.calls_may_fail,
        spurious_wakeups: args.spurious_wakeups,
        random_is_real: args.rand == RandArg::Glibc,
        ..Question::about(wanted.checks)
    };
    race::apply(&args.race, &loaded.program, &mut question)?;
    let dump = args.dump.as_deref().map(Pending::new);
    watchdog.searching();
    let request = request(args, question, limits, dump.as_ref());
    let report = search(args, &wanted, &loaded, &request, &watchdog)?;
    watchdog.done();
    let dumped = dump.map_or(Ok(()), finish_dump);
    let proof = args.proof.as_deref().map(|path| proofs::write(path, &loaded, &question, &report));
    let written = dumped.and(proof.unwrap_or(Ok(())));
    Ok(say(args, &question, &loaded, &report, written))
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
    for (flag, path) in [("--dump", &args.dump), ("--proof", &args.proof)] {
        path.as_deref().map_or(Ok(()), |path| files::check_writable(flag, path))?;
    }
    Ok(())
}

/// Gives the formula's file its name.
fn finish_dump(dump: Pending) -> Result<(), u8> {
    if !dump.finish()? {
        let makes = ENGINES.iter().find(|engine| engine.has_formula).map_or("", |engine| engine.name);
        errln!("note: --dump: no formula was needed; '--engine {makes}' makes one");
    }
    Ok(())
}

/// Combinations of flags that mean nothing.
fn check_flags(args: &CheckArgs) -> Result<(), u8> {
    let problem = wrong_bound(args).or_else(|| without_formula(args)).or_else(|| wrong_options(args));
    problem.map_or(Ok(()), |problem| {
        errln!("error: {problem}");
        Err(exit::USAGE)
    })
}

/// A bound that the engine does not take. All engines together take bounds on loops only.
fn wrong_bound(args: &CheckArgs) -> Option<String> {
    let bounds = [
        ("--unwind", Bound::Unwind, args.unwind.is_some()),
        ("--unwindset", Bound::Unwind, !args.unwindset.is_empty()),
        ("--rounds", Bound::Rounds, args.rounds.is_some()),
        ("--schedule-order", Bound::Rounds, args.schedule_order.is_some()),
        ("--context-bound", Bound::Contexts, args.context_bound.is_some()),
        ("--runs", Bound::Runs, args.runs.is_some()),
    ];
    let taken = |bound: Bound| args.engine.map_or(bound == Bound::Unwind, |engine| engine.takes(bound));
    let (flag, bound, _) = bounds.into_iter().find(|(_, bound, given)| *given && !taken(*bound))?;
    let names = registry::taking(bound);
    let choice =
        if names.is_empty() { String::new() } else { format!("; add --engine {}", names.join(" or ")) };
    let has = if names.len() == 1 { "has" } else { "have" };
    Some(match args.engine {
        None => format!("{flag} bounds {} only{choice}", engines(&names)),
        Some(engine) => {
            format!("{flag}: the {} engine has no such bound; {} {has}", engine.name, engines(&names))
        }
    })
}

/// `the order engine`, `the engines order, seq`.
fn engines(names: &[&str]) -> String {
    match names {
        [name] => format!("the {name} engine"),
        names => format!("the engines {}", names.join(", ")),
    }
}

/// `--dump` of an engine without a formula.
fn without_formula(args: &CheckArgs) -> Option<String> {
    let engine = args.engine.filter(|engine| !engine.has_formula && args.dump.is_some())?;
    Some(format!("--dump: the {} engine has no formula", engine.name))
}

/// Options of engines that contradict each other, or belong to an engine that is not asked.
fn wrong_options(args: &CheckArgs) -> Option<String> {
    let setup = setup(args, None);
    let asked = |engine: &Engine| args.engine.is_none_or(|only| *only == *engine);
    let foreign =
        setup.options.0.iter().find(|(owner, ..)| args.engine.is_some_and(|only| only.name != *owner));
    if let Some((owner, switch, _)) = foreign {
        return Some(format!("--{owner}-{switch} is an option of the {owner} engine"));
    }
    let setup = Setup { dump: args.dump.clone(), ..setup };
    ENGINES.iter().filter(|engine| asked(engine)).find_map(|engine| (engine.refuses)(&setup))
}

/// Reads the property file, if there is one; its error functions become those of the input.
fn wanted(args: &mut CheckArgs) -> Result<Wanted, u8> {
    let Some(path) = &args.properties.prop else {
        return Ok(Wanted { checks: args.properties.checks(), termination: false });
    };
    let file = read_property_file(path)?;
    args.input.error_call = file.error_calls;
    args.input.whole_objects = true;
    args.input.error_call_may_be_missing = true;
    Ok(Wanted { checks: file.checks, termination: file.termination })
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
    wanted: &Wanted,
    loaded: &Loaded,
    request: &Request,
    watchdog: &Watchdog,
) -> Result<Report, u8> {
    if let Some(reason) = &loaded.undecidable {
        return Ok(Report::new(Verdict::Unknown(vec![reason.clone()]), Vec::new()));
    }
    let nothing_else = wanted.checks.is_empty();
    if wanted.termination && nothing_else {
        return Ok(Report::new(Verdict::Unknown(vec![Reason::Termination]), Vec::new()));
    }
    let status = Status::new(Some(&request.meter));
    let mut watch = |event: Event<'_>| match event {
        Event::Begin(phase) => status.begin(phase),
        Event::Searching(phase, counts) => status.show(phase, counts),
        Event::End(phase) if args.verbose => status.aside(|| errln!("{}", stats::line(phase))),
        Event::End(_) => {}
        Event::Violation => watchdog.done(),
    };
    let report = braid_portfolio::check(&loaded.program, request, &mut watch);
    status.clear();
    let mut report = report.map_err(|trouble| explain(&trouble))?;
    if let Some(what) = &report.defect {
        errln!("braid: internal error: {what}");
        errln!("note: violations may be missing; those that are listed were replayed");
    }
    if wanted.termination && matches!(report.verdict, Verdict::Safe { .. }) {
        report.verdict = Verdict::Unknown(vec![Reason::Termination]);
    }
    Ok(report)
}

fn request(args: &CheckArgs, question: Question, limits: Limits, dump: Option<&Pending>) -> Request {
    Request {
        engine: args.engine,
        question,
        limits,
        bounds: Given {
            unwind: args.unwind,
            unwindset: args.unwindset.clone(),
            rounds: args.rounds,
            round_order: args.schedule_order.clone(),
            contexts: args.context_bound,
            runs: args.runs,
        },
        setup: setup(args, dump),
        stop_at_first: args.stop_at_first,
        interrupt: interrupt::flag(),
        meter: Arc::default(),
    }
}

fn setup(args: &CheckArgs, dump: Option<&Pending>) -> Setup {
    Setup {
        options: args.options.0.clone(),
        solver: args.solver.clone().map_or(SolverChoice::Embedded, SolverChoice::Process),
        dump: dump.map(|dump| dump.temporary().to_path_buf()),
        proof: args.proof.is_some(),
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
    written: Result<(), u8>,
) -> u8 {
    let verdict = &report.verdict;
    let found: &[Counterexample] = match verdict {
        Verdict::Unsafe(counterexamples) => counterexamples,
        Verdict::Safe { .. } | Verdict::Unknown(_) => &[],
    };
    let sequential = |found: &Counterexample| sequential::choices_of(args, loaded, report, found);
    let replay = Replay {
        input: &args.input,
        checks: question.checks,
        race: &args.race,
        args: &args.args,
        sequential: &sequential,
    };
    let schedules = schedules::write(args.schedule_out.as_deref(), loaded, found, &replay);
    let assumptions = answer::with_own_assumptions(assumptions(&loaded.program, &question.lifted()), found);
    let verdict_code = answer::exit_code(verdict, args.bounded_ok);
    let result = args.properties.prop.as_ref().map(|_| result_word(verdict));
    let about = About {
        loaded,
        verdict,
        assumptions: &assumptions,
        checks: question.checks,
        property_file: args.properties.prop.as_deref(),
        exit_code: written
            .and(schedules.as_ref().map(|_| ()).map_err(|code| *code))
            .err()
            .unwrap_or(verdict_code),
    };
    let exit_code = outputs::write(&args.output, &about).err().unwrap_or(about.exit_code);
    let written: Vec<Written> = schedules.unwrap_or_default();
    let unprotected = unprotected(loaded, question, report);
    if args.json {
        let (checks, stats) = (question.checks, args.stats);
        let written = &written;
        let unprotected = &unprotected;
        let input = json::Input {
            loaded,
            report,
            checks,
            assumptions,
            written,
            unprotected,
            exit_code,
            result,
            stats,
        };
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
    answer::print_proved(report);
    for line in unprotected.iter().take(SHOWN_VARIABLES) {
        outln!("unprotected: {line}");
    }
    if unprotected.len() > SHOWN_VARIABLES {
        outln!("unprotected: and {} more ('braid locks' lists all)", unprotected.len() - SHOWN_VARIABLES);
    }
    answer::print_coverage(loaded, verdict, question.checks);
    answer::print_assumptions(&assumptions);
    answer::conclude(loaded, verdict, args.bounded_ok);
    if let Some(word) = result {
        outln!("{word}");
    }
    exit_code
}

/// The variables that kept data races from being disproved, the most suspicious first.
fn unprotected(loaded: &Loaded, question: &Question, report: &Report) -> Vec<String> {
    let open = matches!(report.of_property(Check::DataRace), OfProperty::Unknown)
        && matches!(report.verdict, Verdict::Unknown(_))
        && question.checks.contains(Check::DataRace);
    let last = report.certificates.last().filter(|_| open);
    let found = last.and_then(|certificate| table(&loaded.program, question, certificate).ok());
    found.map_or_else(Vec::new, |(_, table)| suspicious(&loaded.program, &table))
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
