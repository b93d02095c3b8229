//! `braid explore`: all interleavings of a small program, and every way it can go wrong.
//!
//! Everything found is printed to standard output, the verdict as its last line. Each violation has been
//! replayed before it is printed. Ctrl-C ends the search, and what was covered is reported.

use crate::args::{ExploreArgs, RandArg};
use crate::front::{self, Loaded};
use crate::outputs::About;
use crate::schedules::Replay;
use crate::status::Status;
use crate::terminal::{errln, outln};
use crate::{answer, covered, exit, interrupt, outputs, race, schedules, terminal};
use braid_engines::Judge;
use braid_interp::{
    Collect, Cut, End, EndKind, Exploration, ExploreOptions, Image, Options, Progress, explore, place_text,
};
use braid_ir::Question;
use braid_portfolio::memory_in_use;
use braid_verdict::{
    Candidate, Counterexample, Reason, Unconfirmed, Verdict, assumptions, confirm_real, of_exploration,
    reasons,
};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

pub fn run(args: &ExploreArgs) -> u8 {
    run_or_fail(args).unwrap_or_else(|code| code)
}

fn run_or_fail(args: &ExploreArgs) -> Result<u8, u8> {
    let limits = args.limits.begin();
    let checks = args.property.unwrap_or_default();
    outputs::check_writable(&args.output, args.schedule_out.as_deref())?;
    let mut loaded = front::load(&args.input, &args.args, true)?;
    let fixed_addresses = args.addresses.assume(&mut loaded.program);
    args.rand.note(&mut loaded.program);
    let question = Question {
        fixed_addresses,
        malloc_may_fail: args.malloc_may_fail,
        spurious_wakeups: args.spurious_wakeups,
        calls_may_fail: args.calls_may_fail,
        random_is_real: args.rand == RandArg::Glibc,
        ..Question::about(checks)
    };
    let mut machine = Options { question, limits, ..Options::default() };
    race::apply(&args.race, &loaded.program, &mut machine.question)?;
    if let Some(reason) = &loaded.undecidable {
        return Err(unknown(&reason.text(&loaded.program)));
    }
    let judge = Judge::new(&loaded.program, machine).map_err(|error| unknown(&error.to_string()))?;
    let (image, real) = (&judge.image, judge.real.as_ref());
    let begin = Instant::now();
    let mut exploration = search(args, machine, image)?;
    let seconds = begin.elapsed().as_secs_f64();
    machine.limits.deadline = args.limits.timeout.map(replay_deadline).max(limits.deadline);
    let confirmed = confirm_all(image, real, machine, &mut exploration)?;
    let verdict = of_exploration(
        &loaded.program,
        checks,
        &exploration,
        confirmed,
        assumptions(&loaded.program, &question.lifted()),
    );
    let found: &[Counterexample] = match &verdict {
        Verdict::Unsafe(found) => found,
        Verdict::Safe { .. } | Verdict::Unknown(_) => &[],
    };
    let assumptions = answer::with_own_assumptions(assumptions(&loaded.program, &question.lifted()), found);
    let about = About {
        loaded: &loaded,
        verdict: &verdict,
        assumptions: &assumptions,
        checks,
        property_file: None,
        exit_code: answer::exit_code(&verdict, args.bounded_ok),
    };
    let mut files_written = outputs::write(&args.output, &about);
    if let Verdict::Unsafe(found) = &verdict {
        let (input, race, sequential) = (&args.input, &args.race, &|_: &Counterexample| None);
        let replay = Replay { input, checks, race, args: &args.args, sequential };
        let schedules = schedules::write(args.schedule_out.as_deref(), &loaded, found, &replay);
        files_written = files_written.and(schedules.as_ref().map(|_| ()).map_err(|code| *code));
        let written = schedules.unwrap_or_default();
        answer::print_violations(&loaded, terminal::layout(args.output.full_trace), found, &written);
    }
    print_summary(&loaded, &exploration);
    covered::print_undefined(args.input.nondet_undefined, &verdict);
    answer::print_coverage(&loaded, &verdict, checks);
    answer::print_assumptions(about.assumptions);
    if matches!(verdict, Verdict::Unsafe(_)) {
        print_incomplete(&loaded, &reasons(&exploration));
    }
    if args.stats {
        print_stats(&exploration, seconds);
    }
    let code = answer::conclude(&loaded, &verdict, args.bounded_ok);
    files_written.map(|()| code)
}

fn unknown(reason: &str) -> u8 {
    outln!("UNKNOWN: {reason}");
    exit::UNKNOWN
}

fn search(args: &ExploreArgs, machine: Options, image: &Image) -> Result<Exploration, u8> {
    let interrupt = interrupt::flag();
    let options = ExploreOptions {
        machine,
        values: args.values.clone(),
        reduction: !args.no_reduction,
        rounds: args.rounds,
        round_order: args.schedule_order.clone().unwrap_or_default(),
        context_bound: args.context_bound,
        max_states: args.max_states,
        collect: Collect::All,
        memory_in_use: Some(memory_in_use),
    };
    let status = Status::new(None);
    let result =
        explore(image, &options, &interrupt, &mut |progress| status.show("exploring", &counts(progress)));
    status.clear();
    result.map_err(|error| unknown(&error.to_string()))
}

/// How far a search is.
fn counts(progress: &Progress) -> [(&'static str, u64); 4] {
    [
        ("states", progress.states),
        ("steps", progress.transitions),
        ("deep", progress.depth as u64),
        ("violations found", progress.violations as u64),
    ]
}

/// Where the replays have to end if the search used up all the time: they get a little of their own,
/// because what was found would be lost without them.
fn replay_deadline(timeout: f64) -> Instant {
    Instant::now() + Duration::from_secs_f64((timeout / 10.0).max(1.0))
}

/// Replays every violation, as far as the time allows. One that does not replay is a defect of ours, and
/// nothing is claimed.
fn confirm_all(
    image: &Image,
    real: Option<&Image>,
    machine: Options,
    exploration: &mut Exploration,
) -> Result<Vec<Counterexample>, u8> {
    let mut confirmed = Vec::new();
    for found in &exploration.violations {
        let candidate = Candidate::new(&found.report, found.trace.clone());
        match confirm_real(image, real, machine, candidate) {
            Ok(counterexample) => confirmed.push(counterexample),
            // That values are open is said anyway.
            Err(Unconfirmed::Over { .. }) => {}
            Err(Unconfirmed::Timeout) => {
                if !exploration.cuts.contains(&Cut::Timeout) {
                    exploration.cuts.push(Cut::Timeout);
                }
                break;
            }
            Err(error) => {
                errln!("braid: internal error: {}: {error}", found.report.message);
                return Err(exit::INTERNAL);
            }
        }
    }
    Ok(confirmed)
}

fn print_summary(loaded: &Loaded, exploration: &Exploration) {
    outln!(
        "{}, {}, {}, {}",
        count(exploration.states, "state"),
        count(exploration.transitions, "step"),
        count(exploration.executions, "execution"),
        count(exploration.outcomes.len() as u64, "distinct outcome")
    );
    for (kind, count) in ends(loaded, exploration) {
        match count {
            1 => outln!("  {kind}"),
            n => outln!("  {kind}, with {n} different final states"),
        }
    }
}

/// That there may be more violations than those listed, if so.
fn print_incomplete(loaded: &Loaded, reasons: &[Reason]) {
    if !reasons.is_empty() {
        outln!("the list may be incomplete: {}", answer::reasons_text(loaded, reasons));
    }
}

fn print_stats(exploration: &Exploration, seconds: f64) {
    let Exploration { states, transitions, bytes, .. } = exploration;
    let count = (*states).max(1) as f64;
    outln!(
        "search: {seconds:.3} seconds, {states} states, {:.0} states/s, {:.0} bytes/state, {transitions} steps, {bytes} bytes",
        count / seconds.max(1e-6),
        *bytes as f64 / count
    );
}

fn count(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// The outcomes by how they ended.
fn ends(loaded: &Loaded, exploration: &Exploration) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for End { kind, .. } in &exploration.outcomes {
        *counts.entry(end_text(loaded, kind)).or_insert(0) += 1;
    }
    counts
}

fn end_text(loaded: &Loaded, kind: &EndKind) -> String {
    let at = |loc| place_text(&loaded.program, loc);
    match kind {
        EndKind::Exit(code) => format!("exit {code}"),
        EndKind::Abort => "abnormal end".to_string(),
        EndKind::Violation(check, loc) => format!("{check} at {}", at(*loc)),
        EndKind::Invalid(check, loc) => format!("{check} (not checked) at {}", at(*loc)),
        EndKind::Unsupported(loc) => format!("stopped at something unsupported at {}", at(*loc)),
        EndKind::Blocked => "blocked".to_string(),
        EndKind::Stopped => "stopped by an assumption".to_string(),
        EndKind::Exhausted => "out of a resource".to_string(),
    }
}
