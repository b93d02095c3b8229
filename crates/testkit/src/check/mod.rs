//! `braid check` judged on generated programs.
//!
//! [`threaded`] compares the symbolic engine with exhaustive exploration; [`sequential`] compares it with what
//! the interpreter does on sampled inputs. Both ask through this module: a question goes to the engine
//! (in-process, or as a command) or to the explorer, under a cap of time, and comes back as an [`Answer`]. A panic and a candidate
//! that does not replay are answers, too: [`Answer::Broken`], which no comparison forgives.

mod body;
pub mod command;
pub mod proofs;
pub mod rounds;
pub mod sequential;
pub mod tally;
pub mod threaded;

use crate::frontend;
use braid_engines::{ENGINES, Engine, Setup};
use braid_interp::{Cut, ExploreOptions, Image, Limits, Options, explore, place_text};
use braid_ir::{Program, Question};
use braid_portfolio::{Given, Request};
use braid_props::{Check, CheckSet};
use braid_verdict::{Bound, Candidate, Reason, Verdict, confirm};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What a checker may use for one question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    pub time: Duration,
    /// The one bound on loops, so that the answer does not depend on time; else bounds grow.
    pub unwind: Option<u32>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { time: Duration::from_secs(5), unwind: None }
    }
}

/// Bytes for one question.
const MEMORY: u64 = 4 << 30;

/// What a checker says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    Safe,
    /// Each violation found, as `property at file:line`, at least one; and whether there are no others.
    Unsafe {
        found: BTreeSet<String>,
        all: bool,
    },
    /// With the reason, without places: something to count by.
    Undecided(String),
    /// A defect: an internal error or a panic.
    Broken(String),
}

impl Answer {
    /// The verdict, or what stands for it, in a few words.
    pub fn word(&self) -> String {
        match self {
            Answer::Safe => "SAFE".to_string(),
            Answer::Unsafe { found, .. } => {
                let found: Vec<&str> = found.iter().map(String::as_str).collect();
                format!("UNSAFE ({})", found.join("; "))
            }
            Answer::Undecided(why) => format!("UNKNOWN ({why})"),
            Answer::Broken(what) => format!("internal error ({what})"),
        }
    }

    pub fn is_definite(&self) -> bool {
        matches!(self, Answer::Safe | Answer::Unsafe { .. })
    }
}

/// The properties that a program violates by what it does, not by what it leaves undone: hardly a generated program
/// frees all its blocks.
pub fn local_checks() -> CheckSet {
    CheckSet::all().without([Check::MemoryLeak, Check::MemoryCleanup].into_iter().collect())
}

/// The engine that answers questions about formulas: the first of the registry that makes one.
pub fn symbolic() -> &'static Engine {
    ENGINES.iter().copied().find(|engine| engine.has_formula).expect("an engine with a formula")
}

/// The engine that encodes rounds: the first of the registry with a formula that takes a bound on them.
pub fn in_rounds() -> &'static Engine {
    let encodes_rounds = |engine: &&Engine| engine.has_formula && engine.takes(Bound::Rounds);
    ENGINES.iter().copied().find(encodes_rounds).expect("an engine that encodes rounds")
}

/// The engine that runs all interleavings: the first of the registry that counts states.
pub fn exhaustive() -> &'static Engine {
    let counts_states = |engine: &&Engine| engine.takes(Bound::States);
    ENGINES.iter().copied().find(counts_states).expect("an engine that counts states")
}

/// A question to one engine, or to all of them.
pub fn request(engine: Option<&'static Engine>, checks: CheckSet, budget: Budget) -> Request {
    let limits = Limits { deadline: Some(Instant::now() + budget.time), memory: MEMORY, ..Limits::default() };
    Request {
        engine,
        question: Question::about(checks),
        limits,
        bounds: Given { unwind: budget.unwind, ..Given::default() },
        setup: Setup::default(),
        stop_at_first: false,
        interrupt: Arc::new(AtomicBool::new(false)),
        meter: Arc::default(),
    }
}

/// Asks an engine.
pub fn ask(engine: &'static Engine, program: &Program, checks: CheckSet, budget: Budget) -> Answer {
    let request = request(Some(engine), checks, budget);
    match frontend::catch(|| braid_portfolio::check(program, &request, &mut |_| ())) {
        Ok(Ok(braid_portfolio::Report { defect: Some(defect), .. })) => Answer::Broken(defect),
        Ok(Ok(report)) => of_verdict(program, &report.verdict),
        Ok(Err(trouble)) => Answer::Broken(trouble.to_string()),
        Err(panic) => Answer::Broken(panic),
    }
}

fn of_verdict(program: &Program, verdict: &Verdict) -> Answer {
    match verdict {
        Verdict::Safe { .. } => Answer::Safe,
        Verdict::Unsafe(found) => {
            let reports = found.iter().map(|one| one.report());
            let found = reports.map(|report| violation(program, report.check, report.place)).collect();
            Answer::Unsafe { found, all: false }
        }
        Verdict::Unknown(reasons) => {
            Answer::Undecided(reasons.first().map_or("no reason".to_string(), summary))
        }
    }
}

fn violation(program: &Program, check: Check, place: braid_ir::Loc) -> String {
    line_only(&format!("{check} at {}", place_text(program, place)))
}

/// `property at DIRECTORY/FILE:LINE:COLUMN` without directory and column: texts that were preprocessed in another
/// way have other columns.
fn line_only(violation: &str) -> String {
    let (check, place) = violation.split_once(" at ").unwrap_or((violation, ""));
    let place = place.rsplit('/').next().unwrap_or(place);
    // Where the column is not known, there is none.
    let mut parts = place.split(':');
    let line: Vec<&str> = parts.by_ref().take(2).collect();
    format!("{check} at {}", line.join(":"))
}

/// A reason without its place and numbers.
fn summary(reason: &Reason) -> String {
    match reason {
        Reason::Unsupported { what, .. } => format!("unsupported: {what}"),
        Reason::Stopped { limit, phase } => {
            let step = phase.rsplit(", ").next().unwrap_or(phase);
            format!("{limit}, {step}")
        }
        Reason::Omission { what, .. } | Reason::Over { function: what, .. } | Reason::Solver(what) => {
            format!("{}: {what}", reason.kind())
        }
        Reason::Invalid { .. }
        | Reason::Addresses { .. }
        | Reason::Cut(_)
        | Reason::Loop { .. }
        | Reason::Recursion { .. }
        | Reason::Threads { .. }
        | Reason::MayBeLost { .. }
        | Reason::Setup(_)
        | Reason::Undecided { .. }
        | Reason::Unproved { .. }
        | Reason::Approximate { .. }
        | Reason::Termination => reason.kind().to_string(),
    }
}

/// Asks exhaustive exploration, with reduction. All violations are listed.
pub fn ask_explorer(program: &Program, checks: CheckSet, budget: Budget) -> Answer {
    let limits =
        Limits { deadline: Some(Instant::now() + budget.time), memory: 1 << 30, ..Limits::default() };
    let machine = Options { question: Question::about(checks), limits, ..Options::default() };
    let options = ExploreOptions { machine, ..ExploreOptions::default() };
    let image = match Image::new(program, checks) {
        Ok(image) => image,
        Err(error) => return Answer::Undecided(error.to_string()),
    };
    let found = match explore(&image, &options, &AtomicBool::new(false), &mut |_| ()) {
        Ok(found) => found,
        Err(error) => return Answer::Undecided(error.to_string()),
    };
    let replay = Options { limits: Limits { deadline: None, ..limits }, ..machine };
    let mut listed = BTreeSet::new();
    for one in &found.violations {
        let (check, place) = (one.report.check, one.report.place);
        let candidate = Candidate::new(&one.report, one.trace.clone());
        if let Err(error) = confirm(&image, replay, candidate) {
            return Answer::Broken(format!("explorer: {error}"));
        }
        // Which of the threads stands first in the report depends on the way there.
        let places = one.report.threads.iter().map(|view| view.place).chain([place]);
        listed.extend(places.map(|place| violation(program, check, place)));
    }
    let open = braid_verdict::reasons(&found);
    if !listed.is_empty() {
        return Answer::Unsafe { found: listed, all: open.is_empty() };
    }
    match open.first() {
        None => Answer::Safe,
        Some(Reason::Cut(cut)) => Answer::Undecided(cut_summary(cut).to_string()),
        Some(reason) => Answer::Undecided(summary(reason)),
    }
}

fn cut_summary(cut: &Cut) -> &'static str {
    match cut {
        Cut::Values(_) => "values cut",
        Cut::Timeout => "time limit reached",
        Cut::Memory(_) => "memory limit reached",
        Cut::States(_)
        | Cut::Work(_)
        | Cut::Interrupted
        | Cut::Rounds(_)
        | Cut::Contexts(_)
        | Cut::Resource(..)
        | Cut::Spinning(_) => "cut",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(text: &str) -> Program {
        frontend::compile("t.c", text.into()).program.expect("a program that lowers")
    }

    #[test]
    fn both_tell_safe_from_unsafe() {
        let text = "void __VERIFIER_assert(int);\nint __VERIFIER_nondet_int(void);\n\
                    int main(void)\n{\nint x = __VERIFIER_nondet_int() & 1;\n__VERIFIER_assert(x < 2);\n\
                    __VERIFIER_assert(LAST);\nreturn 0;\n}\n";
        let assertion = CheckSet::parse("assertion").expect("a property");
        for (condition, word) in [
            ("x >= 0", "SAFE"),
            ("x < 1", "UNSAFE (assertion at t.c:7)"),
            ("x", "UNSAFE (assertion at t.c:7)"),
        ] {
            let program = program(&text.replace("LAST", condition));
            assert_eq!(ask(symbolic(), &program, assertion, Budget::default()).word(), word, "{condition}");
            let explored = ask_explorer(&program, assertion, Budget::default());
            let word = if word == "SAFE" { "UNKNOWN (values cut)" } else { word };
            assert_eq!(explored.word(), word, "{condition}");
        }
    }
}
