//! The plan as a whole, on small programs: what the searches decide, and what they must not claim.

use super::*;
use std::sync::atomic::AtomicBool;

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

fn request(engine: Engine, checks: &str) -> Request {
    let checks = CheckSet::parse(checks).expect("properties");
    Request {
        engine,
        machine: braid_interp::Options { checks, ..Default::default() },
        unwind: None,
        unwindset: Vec::new(),
        rounds: None,
        context_bound: None,
        spurious_wakeups: false,
        malloc_may_fail: false,
        encoding: None,
        solver: SolverChoice::default(),
        dump: None,
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
    let report = run(&counting(3), &request(Engine::Portfolio, "default"), &mut |_| {}).expect("an answer");
    assert!(matches!(report.verdict, Verdict::Safe { .. }), "{:?}", report.verdict);
    assert_eq!(report.phases.len(), 1);
}

#[test]
fn a_program_that_omits_behaviour_is_not_safe() {
    let mut program = counting(3);
    program.omissions.push("something".to_string());
    let verdict = verdict(&program, &request(Engine::Portfolio, "default"));
    assert_eq!(verdict, Verdict::Unknown(vec![Reason::Omission("something".to_string())]));
}

#[test]
fn an_interrupted_check_says_so() {
    let request = request(Engine::Portfolio, "default");
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
    let bounded = Request { context_bound: Some(1), ..request(Engine::Explicit, "none") };
    let answer = verdict(&counting(3), &bounded);
    assert_eq!(answer, Verdict::Unknown(vec![Reason::Cut(Cut::Contexts(1))]));
}

#[test]
fn a_solver_that_is_not_there_is_refused_at_once() {
    let solver = SolverChoice::Process("no-such-solver".to_string());
    let request = Request { solver, ..request(Engine::Portfolio, "default") };
    let trouble = run(&counting(3), &request, &mut |_| {}).expect_err("no such solver");
    assert!(matches!(trouble, Trouble::Solver(Failure::NotInstalled { .. })), "{trouble:?}");
}

#[test]
fn two_workers_say_the_same_every_time() {
    let program = counting(12_000);
    let run = || {
        let report = run(&program, &request(Engine::Portfolio, "default"), &mut |_| {}).expect("an answer");
        let phases: Vec<_> = report.phases.into_iter().map(|p| (p.name, p.result, p.states)).collect();
        (report.verdict, phases)
    };
    let (verdict, phases) = run();
    assert!(matches!(verdict, Verdict::Safe { .. }), "{verdict:?}");
    let last = phases.last().expect("phases");
    assert_eq!((last.0.as_str(), last.1.as_str()), ("explicit, up to 10000000 states", "complete"));
    for _ in 0..3 {
        assert_eq!(run(), (verdict.clone(), phases.clone()));
    }
}
