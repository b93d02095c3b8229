//! Fixtures with a line `//@ bounds: unwind U rounds K`: the smallest bounds within which their violation is found.
//!
//! With `in LIST` they are about rounds in that order of threads; the order of creation otherwise. Most of them
//! stand for the unsafe programs of table 1 of Inverso, Tomasco, Fischer, La Torre and Parlato, CAV 2014. Engines that
//! encode rounds find the violation within these bounds, and with one round less, or one iteration less, they do not; nor
//! does exhaustive search in fewer rounds. A repaired program with the same line is clean within them.

use braid_engines::Engine;
use braid_testkit::check::command::{self, Checker};
use braid_testkit::check::{Answer, Budget, exhaustive, rounds};
use braid_testkit::fixture::header::{Smallest, Truth};
use braid_testkit::fixture::{self, Fixture};
use braid_testkit::harness;
use std::path::{Path, PathBuf};
use std::time::Duration;

const TIME: Duration = Duration::from_secs(60);

/// Returns true if the engine finds the violation of a fixture within the bounds.
fn finds(fixture: &Fixture, engine: &Engine, bounds: Smallest) -> Result<bool, String> {
    let header = fixture.header.as_ref().map_err(Clone::clone)?;
    let wrong = header.truths.iter().find_map(|(check, truth)| match truth {
        Truth::Unsafe(line) => Some((check.id(), *line)),
        Truth::Safe => None,
    });
    let (property, line) = wrong.unwrap_or(("assertion", None));
    let checker = Checker { braid: PathBuf::from(env!("CARGO_BIN_EXE_braid")), environment: Vec::new() };
    let rounds = bounds.rounds.to_string();
    let mut flags = vec!["--engine", engine.name, "--property", property, "--rounds", &rounds];
    flags.extend(header.flags.iter().map(String::as_str));
    flags.extend(header.order.iter().flat_map(|order| ["--schedule-order", order]));
    let unwind = engine.has_formula.then_some(bounds.unwind);
    let outcome = checker.run(&fixture.path, &flags, Budget { time: TIME, unwind })?;
    match command::answer(&outcome) {
        Answer::Safe => Ok(false),
        Answer::Undecided(why) if why.contains("bound") || why.contains("iteration") => Ok(false),
        Answer::Unsafe { found, .. } => {
            let place = line.map_or(String::new(), |line| format!(":{line}"));
            let there = found.iter().any(|violation| violation.ends_with(&place));
            if there { Ok(true) } else { Err(format!("a violation at another place: {found:?}")) }
        }
        other => Err(format!("{other:?}")),
    }
}

/// Asks all engines about a fixture; the result is what is wrong.
fn problems(fixture: &Fixture, smallest: Smallest) -> Vec<String> {
    let Ok(header) = &fixture.header else { return Vec::new() };
    let wrong = header.truths.values().any(|truth| matches!(truth, Truth::Unsafe(_)));
    let Smallest { unwind, rounds } = smallest;
    let fewer_rounds = Smallest { rounds: rounds - 1, ..smallest };
    let fewer_iterations = Smallest { unwind: unwind - 1, ..smallest };
    let mut questions = Vec::new();
    for engine in rounds::engines().chain([exhaustive()]) {
        questions.push((engine, smallest, wrong));
        if rounds > 1 {
            questions.push((engine, fewer_rounds, false));
        }
        if unwind > 1 && engine.has_formula {
            questions.push((engine, fewer_iterations, false));
        }
    }
    let mut problems = Vec::new();
    for (engine, bounds, expected) in questions {
        let found = finds(fixture, engine, bounds);
        if found != Ok(expected) {
            let name = &fixture.name;
            problems.push(format!("{name}: {} within {bounds:?}: {found:?}, not {expected}", engine.name));
        }
    }
    problems
}

#[test]
fn violations_need_the_bounds_that_fixtures_state() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let mut asked: Vec<(Fixture, Smallest)> = Vec::new();
    for fixture in fixture::find(&root).expect("fixtures") {
        let bounds = fixture.header.as_ref().ok().and_then(|header| header.bounds);
        asked.extend(bounds.map(|bounds| (fixture, bounds)));
    }
    assert!(asked.len() >= 38, "only {} fixtures state bounds", asked.len());
    let mut wrong = Vec::new();
    let work = |index: usize| problems(&asked[index].0, asked[index].1);
    let _ = harness::in_parallel(asked.len(), None, work, |_, found| {
        wrong.extend(found);
        Ok::<(), ()>(())
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
