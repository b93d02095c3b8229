//! Programs before and after their calls are inlined and their loops unrolled: exploration finds the same violations.
//!
//! Where an execution comes to a cut, violations may be missing; none may be added. A program that takes too long counts
//! as undecided, one that the pass does not take as refused.

use braid_analysis::Facts;
use braid_interp::{Cut, EndKind, Exploration, ExploreOptions, Image, Limits, Options, explore, place_text};
use braid_ir::{Function, Program, Question};
use braid_models::{OUTPUT_IS_READ, RANDOM_IS_OPEN};
use braid_passes::{Expanded, Inline, Refused, Unroll, inline_calls, pipeline, unroll_loops};
use braid_props::{Check, CheckSet};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The transformation of a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Form {
    /// All calls are inlined but those on which it depends whether a thread spins: of waits that end when time has passed,
    /// and of a function that always gives back the same, which the interpreter takes to be anything.
    Inlined,
    /// Calls of library functions stay.
    Own,
    /// Loops are unrolled so far.
    Unrolled(u32),
}

/// The result for a program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fate {
    /// The violations are the same.
    Agree,
    /// Some executions are cut; no violation is added.
    Within,
    /// They differ, but depend on where objects lie, which a pass may change.
    Addresses,
    /// Not explored within the limits.
    Undecided,
    /// For this reason.
    Refused(String),
}

/// How much may be looked at.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub states: u64,
    pub time: Duration,
    /// Instructions of the program after the pass.
    pub most: usize,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { states: 50_000, time: Duration::from_secs(10), most: 100_000 }
    }
}

/// The comparison that is made.
#[derive(PartialEq, Eq, Debug)]
struct Summary {
    violations: BTreeSet<String>,
    ends: BTreeSet<String>,
    unsupported: BTreeSet<String>,
}

/// Compares a program before and after; the error says in what way they differ.
pub fn compare(program: &Program, checks: CheckSet, form: Form, effort: Effort) -> Result<Fate, String> {
    let known = [(OUTPUT_IS_READ, 0), (RANDOM_IS_OPEN, 1)];
    let program = pipeline::with_globals(program, &known);
    let facts = Facts::new(&program, braid_analysis::Options::default());
    let expanded = match expand(&program, &facts, checks, form, effort.most) {
        Ok(expanded) => expanded,
        Err(refused) => {
            return Ok(Fate::Refused(refused.to_string()));
        }
    };
    let Some(before) = search(&program, checks, effort)? else { return Ok(Fate::Undecided) };
    let Some(after) = search(&expanded.program, checks, effort)? else { return Ok(Fate::Undecided) };
    let is_cut = |partial: &braid_interp::Partial| expanded.cuts.iter().any(|cut| cut.what == partial.what);
    let cut = after.partial.iter().any(is_cut);
    let on_addresses = [&before, &after].iter().any(|found| found.depends_on_address.is_some());
    let (before, after) = (summary(&program, &before), summary(&expanded.program, &after));
    if cut && after.violations.is_subset(&before.violations) {
        return Ok(Fate::Within);
    }
    if !cut && before == after {
        return Ok(Fate::Agree);
    }
    if on_addresses {
        return Ok(Fate::Addresses);
    }
    let word = if cut { "some executions are cut" } else { "nothing is cut" };
    Err(format!("{form:?}, {word}\nbefore the pass:\n{before:#?}\nafter the pass:\n{after:#?}"))
}

fn expand(
    program: &Program,
    facts: &Facts,
    checks: CheckSet,
    form: Form,
    most: usize,
) -> Result<Expanded, Refused> {
    let own = |func| program.functions[func].internal;
    let spins = |func| {
        let function: &Function = &program.functions[func];
        function.timed || function.internal && function.name.as_str() == "pthread_kill"
    };
    match form {
        Form::Inlined => inline_calls(program, facts, &Inline { keep: &spins, recursion: 4, checks, most }),
        Form::Own => inline_calls(program, facts, &Inline { keep: &own, recursion: 4, checks, most }),
        Form::Unrolled(unwind) => {
            let bound = |_, _, _| unwind;
            unroll_loops(
                program,
                facts,
                &Unroll { keep: &|_| false, unwind, bound: &bound, checks, most, heads: false },
            )
        }
    }
}

/// `None` if it takes too long.
fn search(program: &Program, checks: CheckSet, effort: Effort) -> Result<Option<Exploration>, String> {
    let deadline = Instant::now() + effort.time;
    let limits = Limits { deadline: Some(deadline), memory: 1 << 30, ..Limits::default() };
    let machine = Options { question: Question::about(checks), limits, ..Options::default() };
    let (values, max_states) = (vec![0, 1], Some(effort.states));
    let options = ExploreOptions { machine, values, max_states, ..ExploreOptions::default() };
    let image = Image::new(program, checks).map_err(|e| e.to_string())?;
    let interrupt = AtomicBool::new(false);
    let found = explore(&image, &options, &interrupt, &mut |_| ()).map_err(|e| e.to_string())?;
    let whole = found.cuts.iter().all(|cut| matches!(cut, Cut::Values(_)));
    Ok(whole.then_some(found))
}

fn summary(program: &Program, found: &Exploration) -> Summary {
    let violations = found.violations.iter().map(|violation| {
        let report = &violation.report;
        let mut places: Vec<String> =
            report.threads.iter().map(|view| place_text(program, view.place)).collect();
        places.sort();
        // A leak that is found when nothing of the user's is left has the place of the allocation, which the message has.
        let place = match report.check {
            Check::MemoryLeak | Check::MemoryCleanup => report.message.clone(),
            // Which of the two places comes first depends on the order of the search.
            Check::DataRace => "two places".to_string(),
            _ => place_text(program, report.place),
        };
        format!("{} at {place} [{}]", report.check, places.join(", "))
    });
    let end = |kind: &EndKind| match kind {
        EndKind::Exit(code) => format!("exit {code}"),
        EndKind::Violation(check, _) => format!("violation of {check}"),
        EndKind::Invalid(check, loc) => format!("invalid {check} at {}", place_text(program, *loc)),
        EndKind::Unsupported(loc) => format!("unsupported at {}", place_text(program, *loc)),
        EndKind::Abort | EndKind::Blocked | EndKind::Stopped | EndKind::Exhausted => format!("{kind:?}"),
    };
    Summary {
        violations: violations.collect(),
        ends: found.outcomes.iter().map(|outcome| end(&outcome.kind)).collect(),
        unsupported: found.unsupported.iter().map(|(what, _)| what.clone()).collect(),
    }
}
