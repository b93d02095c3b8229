//! The plan as a whole, on small programs: what the searches decide, and what they must not claim.

use super::*;
use crate::{Given, OfProperty};
use braid_engines::{Setup, explicit, order, random};
use braid_interp::{Cut, Limits};
use braid_ir::Question;
use braid_props::Check;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const PORTFOLIO: Option<&Engine> = None;
const EXPLICIT: Option<&Engine> = Some(&explicit::ENGINE);
const ORDER: Option<&Engine> = Some(&order::ENGINE);
const RANDOM: Option<&Engine> = Some(&random::ENGINE);

/// A thread that counts to a number in an atomic variable while main waits for nothing.
fn counting(limit: u32) -> Program {
    let text = format!(
        "file 0 \"t.c\"\nshape s0 = i32\nglobal @x s0 size 4 align 4\nentry &main\n\
         fn &t(%0) -> ptr {{\nreg %0 ptr, %1 i32, %2 i1\nb0:\njump b1\nb1:\n\
         %1 = rmw add i32 @x, 1:i32 seq_cst @ 0:1:1\n%2 = ult i32 %1, {limit}:i32\nbr %2, b1, b2\nb2:\nret null\n}}\n\
         fn &main() {{\nreg %0 ptr\nb0:\n%0 = spawn &t, null @ 0:3:1\n%0 = spawn &t, null @ 0:4:1\n\
         %0 = spawn &t, null @ 0:5:1\nexit-thread null\nunreachable\n}}\n"
    );
    braid_ir::parse::parse(&text).expect("a program")
}

fn request(engine: Option<&'static Engine>, checks: &str) -> Request {
    let checks = CheckSet::parse(checks).expect("properties");
    Request {
        engine,
        question: Question::about(checks),
        limits: Limits::default(),
        bounds: Given::default(),
        setup: Setup::default(),
        stop_at_first: false,
        interrupt: Arc::new(AtomicBool::new(false)),
        meter: Arc::default(),
    }
}

fn verdict(program: &Program, request: &Request) -> Verdict {
    run(program, request, &mut |_| {}).expect("an answer").verdict
}

#[test]
fn a_small_program_is_decided_by_the_first_search() {
    let report = run(&counting(3), &request(PORTFOLIO, "default"), &mut |_| {}).expect("an answer");
    assert!(matches!(report.verdict, Verdict::Safe { .. }), "{:?}", report.verdict);
    assert_eq!(report.phases.len(), 1);
}

#[test]
fn a_program_that_omits_behaviour_is_not_safe_if_it_comes_to_it() {
    for (text, safe) in [("0:i1", true), ("1:i1", false)] {
        let text = format!(
            "file 0 \"t.c\"\nentry &main\nfn &main() {{\nb0:\nbr {text}, b1, b2\nb1:\n\
             partial \"something\" @ 0:3:1\njump b2\nb2:\nexit 0:i32\nunreachable\n}}\n"
        );
        let program = braid_ir::parse::parse(&text).expect("a program");
        for engine in [PORTFOLIO, EXPLICIT, ORDER] {
            let verdict = verdict(&program, &request(engine, "default"));
            match verdict {
                Verdict::Safe { .. } => assert!(safe, "{engine:?}"),
                Verdict::Unknown(reasons) => {
                    assert!(!safe && reasons.len() == 1, "{engine:?}: {reasons:?}");
                    assert!(matches!(&reasons[0], Reason::Omission { what, place, .. }
                        if what == "something" && place.line == 3));
                }
                Verdict::Unsafe(_) => panic!("nothing is wrong with the program"),
            }
        }
    }
}

#[test]
fn an_interrupted_check_says_so() {
    let request = request(PORTFOLIO, "default");
    request.interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
    match verdict(&counting(200), &request) {
        Verdict::Unknown(reasons) => {
            let stopped =
                |reason: &Reason| matches!(reason, Reason::Stopped { limit, .. } if limit == "interrupted");
            assert!(reasons.first().is_some_and(stopped), "{reasons:?}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn bounds_of_the_explicit_engine_forbid_a_proof() {
    let bounds = Given { contexts: Some(1), ..Given::default() };
    let bounded = Request { bounds, ..request(EXPLICIT, "none") };
    let answer = verdict(&counting(3), &bounded);
    assert_eq!(answer, Verdict::Unknown(vec![Reason::Cut(Cut::Contexts(1))]));
}

#[test]
fn a_solver_that_is_not_there_is_refused_at_once() {
    let solver = SolverChoice::Process("no-such-solver".to_string());
    let setup = Setup { solver, ..Setup::default() };
    let request = Request { setup, ..request(PORTFOLIO, "default") };
    let trouble = run(&counting(3), &request, &mut |_| {}).expect_err("no such solver");
    assert!(matches!(trouble, Trouble::Solver(Failure::NotInstalled { .. })), "{trouble:?}");
}

#[test]
fn two_workers_say_the_same_every_time() {
    let program = counting(12_000);
    let run = || {
        let report = run(&program, &request(PORTFOLIO, "default"), &mut |_| {}).expect("an answer");
        let phases: Vec<_> =
            report.phases.into_iter().map(|p| (p.name, p.result, p.statistics.brief)).collect();
        (report.verdict, phases)
    };
    let (verdict, phases) = run();
    assert!(matches!(verdict, Verdict::Safe { .. }), "{verdict:?}");
    let last = phases.last().expect("phases");
    assert_eq!((last.0.as_str(), last.1.as_str()), ("explicit", "complete"));
    for _ in 0..3 {
        assert_eq!(run(), (verdict.clone(), phases.clone()));
    }
}

/// Two threads that write two variables without locks, and a third that divides by zero and whose assertion fails if
/// it comes so far. A loop of many rounds before that keeps the exhaustive search from its end.
fn wrong(rounds: u32) -> Program {
    let text = format!(
        "file 0 \"t.c\"\nshape s0 = i32\nglobal @x s0 size 4 align 4\nglobal @y s0 size 4 align 4\n\
         global @z s0 size 4 align 4\nentry &main\n\
         fn &t(%0) -> ptr {{\nreg %0 ptr\nb0:\nstore i32 @x, 1:i32 @ 0:1:1\nstore i32 @y, 1:i32 @ 0:2:1\nret null\n}}\n\
         fn &u(%0) -> ptr {{\nreg %0 ptr, %1 i32, %2 i1\nb0:\njump b1\nb1:\n\
         %1 = rmw add i32 @z, 1:i32 seq_cst @ 0:4:1\n%2 = ult i32 %1, {rounds}:i32\nbr %2, b1, b2\nb2:\n\
         %1 = load i32 @x seq_cst @ 0:5:1\n%2 = eq i32 %1, 0:i32\nassert division-by-zero, %2 @ 0:6:1\n\
         %1 = load i32 @z seq_cst @ 0:7:1\n%2 = eq i32 %1, 0:i32\nassert assertion, %2 @ 0:8:1\nret null\n}}\n\
         fn &main() {{\nreg %0 ptr\nb0:\n%0 = spawn &t, null @ 0:9:1\n%0 = spawn &t, null @ 0:10:1\n\
         %0 = spawn &u, null @ 0:11:1\nexit-thread null\nunreachable\n}}\n"
    );
    braid_ir::parse::parse(&text).expect("a program")
}

/// The checks of the violations, sorted, those of data races with their lines.
fn violations(report: &Report) -> Vec<String> {
    let Verdict::Unsafe(found) = &report.verdict else { panic!("{:?}", report.verdict) };
    let mut found: Vec<String> = (found.iter().map(|found| found.report()))
        .map(|report| match report.racy_places() {
            Some(places) => format!("{} {:?}", report.check, places.map(|place| place.line)),
            None => report.check.to_string(),
        })
        .collect();
    found.sort();
    found
}

#[test]
fn each_property_and_each_racy_pair_is_reported() {
    let races = ["data-race [1, 1]", "data-race [1, 5]", "data-race [2, 2]"];
    let expected: Vec<&str> = ["assertion"].into_iter().chain(races).chain(["division-by-zero"]).collect();
    for engine in [PORTFOLIO, ORDER, EXPLICIT] {
        let request = request(engine, "all");
        let all = run(&wrong(2), &request, &mut |_| {}).expect("an answer");
        assert_eq!(
            (violations(&all), &all.defect, all.more_races),
            (expected.iter().map(ToString::to_string).collect(), &None, false),
            "{engine:?}"
        );
        let first = Request { stop_at_first: true, ..request };
        let first = run(&wrong(2), &first, &mut |_| {}).expect("an answer");
        match (&first.verdict, &all.verdict) {
            (Verdict::Unsafe(first), Verdict::Unsafe(all)) => assert_eq!(first[..], all[..1], "{engine:?}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn one_property_needs_one_violation() {
    let report = run(&wrong(2), &request(EXPLICIT, "assertion"), &mut |_| {}).expect("an answer");
    assert_eq!((violations(&report), report.phases.len()), (vec!["assertion".to_string()], 1));
}

#[test]
fn the_list_is_the_same_every_time() {
    let program = wrong(3000);
    let run =
        || run(&program, &request(PORTFOLIO, "assertion,division-by-zero"), &mut |_| {}).expect("an answer");
    let first = run();
    assert_eq!(violations(&first), ["division-by-zero"]);
    assert_eq!(run().verdict, first.verdict);
}

#[test]
fn a_limit_does_not_take_the_verdict_back() {
    let request = request(ORDER, "all");
    let interrupt = Arc::clone(&request.interrupt);
    let report = run(&wrong(2), &request, &mut |event| {
        if matches!(event, Event::Begin(name) if name.starts_with("others")) {
            interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    });
    // What is found until the limit is noticed is replayed and listed.
    assert!(matches!(report.expect("an answer").verdict, Verdict::Unsafe(found) if !found.is_empty()));
}

#[test]
fn random_runs_find_and_do_not_prove() {
    let found = run(&wrong(2), &request(RANDOM, "all"), &mut |_| {}).expect("an answer");
    assert!(violations(&found).contains(&"division-by-zero".to_string()), "{:?}", violations(&found));
    let bounds = Given { runs: Some(10), ..Given::default() };
    let right = Request { bounds, ..request(RANDOM, "assertion") };
    let report = run(&counting(3), &right, &mut |_| {}).expect("an answer");
    match &report.verdict {
        Verdict::Unknown(reasons) => {
            assert!(matches!(reasons[..], [Reason::Undecided { .. }]), "{reasons:?}")
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(report.phases[0].name, "random, up to 10 runs");
}

#[test]
fn a_property_that_the_engine_does_not_decide_is_open_and_the_rest_is_proved() {
    let report = run(&counting(3), &request(ORDER, "livelock,assertion"), &mut |_| {}).expect("an answer");
    match &report.verdict {
        Verdict::Unknown(reasons) => match &reasons[..] {
            [Reason::Undecided { checks, engine: "order", by }] => {
                assert_eq!((checks.list().as_str(), &by[..]), ("livelock", &["explicit"][..]));
            }
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
    assert_eq!(report.of_property(Check::Assertion), OfProperty::Proved("order"));
    assert_eq!(report.of_property(Check::Livelock), OfProperty::Unknown);
}
