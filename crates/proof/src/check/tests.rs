//! Certificates that hold, and changed ones that do not.
//!
//! The programs are the text forms of small C programs; functions of the library that have an effect are stubs. Certificates
//! come from `infer`, which knows nothing but what the checker finds missing.

mod infer;
mod mutants;

use super::{Invalid, Verdict, check};
use crate::certificate::{Access, Certificate, Held, Kind};
use crate::state::{Below, Mode, Space};
use crate::value::{ObjectId, ThreadId};
use braid_ir::{Program, Question, RegId};
use braid_props::{Check, CheckSet};

const APART: &str = include_str!("tests/apart.ir");
const COUNTER: &str = include_str!("tests/counter.ir");
const CYCLE: &str = include_str!("tests/cycle.ir");
const EARLY: &str = include_str!("tests/early.ir");
const FREED: &str = include_str!("tests/freed.ir");
const GATE: &str = include_str!("tests/gate.ir");
const HANDOVER: &str = include_str!("tests/handover.ir");
const ONCE: &str = include_str!("tests/once.ir");
const RACE: &str = include_str!("tests/race.ir");
const SHARE: &str = include_str!("tests/share.ir");
const SPIN: &str = include_str!("tests/spin.ir");
const TRIED: &str = include_str!("tests/tried.ir");
const TWICE: &str = include_str!("tests/twice.ir");
const WRONG: &str = include_str!("tests/wrong.ir");

/// What a certificate speaks of.
const SPOKEN: &str = "assertion,data-race,deadlock,misuse,memory,division-by-zero,signed-overflow,shift";

fn set(checks: &str) -> CheckSet {
    CheckSet::parse(checks).expect("properties")
}

fn read(text: &str) -> Program {
    let program = braid_ir::parse(text).expect("the text is a program");
    braid_ir::verify(&program).expect("a well-formed program");
    program
}

fn prove(text: &str) -> (Program, Question, Certificate, Verdict) {
    let program = read(text);
    let question = Question::about(set(SPOKEN));
    let (certificate, verdict) = infer::infer(&program, &question).unwrap_or_else(|text| panic!("{text}"));
    (program, question, certificate, verdict)
}

/// Everything is proved but these properties.
fn all_but(text: &str, checks: &str) {
    let (.., verdict) = prove(text);
    assert_eq!(verdict.proved.list(), set(SPOKEN).without(set(checks)).list(), "{:#?}", verdict.open);
}

#[test]
fn locks_keep_accesses_apart_and_joins_end_threads() {
    all_but(COUNTER, "none");
    all_but(SHARE, "none");
    // That it says nothing takes more than sets of values.
    all_but(HANDOVER, "assertion");
}

#[test]
fn a_read_without_the_lock_races() {
    all_but(RACE, "data-race");
}

#[test]
fn locks_in_two_orders_may_deadlock_unless_another_one_is_held() {
    all_but(CYCLE, "deadlock");
    all_but(GATE, "none");
}

#[test]
fn a_loop_that_waits_for_memory_may_spin() {
    all_but(SPIN, "deadlock");
}

#[test]
fn the_result_of_a_trial_tells_of_the_lock() {
    all_but(TRIED, "signed-overflow");
}

#[test]
fn what_runs_once_is_over_when_the_call_returns() {
    all_but(ONCE, "none");
}

#[test]
fn a_thread_is_joined_once() {
    all_but(TWICE, "thread-misuse,deadlock");
}

#[test]
fn a_block_that_another_thread_frees_is_not_there() {
    for text in [EARLY, FREED] {
        let (.., verdict) = prove(text);
        assert!(verdict.proved.is_empty(), "{}", verdict.proved.list());
    }
}

#[test]
fn a_value_that_another_thread_may_change_is_not_known() {
    all_but(WRONG, "assertion");
}

#[test]
fn arguments_that_are_apart_keep_accesses_apart() {
    let (program, question, mut certificate, verdict) = prove(APART);
    assert_eq!(set(SPOKEN).without(verdict.proved), set("data-race"));
    let result = program.globals.enumerated().find(|(_, global)| global.name.as_str() == "result");
    let object = ObjectId(result.expect("a variable").0.0);
    certificate.threads[ThreadId(1)].apart = Some((RegId(0), 4));
    let main = program.function_named("main").expect("a function");
    let counter = RegId(0);
    for instance in certificate.instances.as_mut_slice().iter_mut().filter(|one| one.function == main) {
        for state in instance.blocks.as_mut_slice().iter_mut().flatten() {
            // The argument that comes next lies behind all that there are.
            let below = Below { object: Some(object), register: counter, scale: 4, offset: -4 };
            state.below.insert(ThreadId(1), below);
        }
    }
    let verdict = check(&program, &question, &certificate).unwrap_or_else(|invalid| panic!("{invalid}"));
    assert_eq!(verdict.proved, set(SPOKEN), "{:#?}", verdict.open);
    // They are not as far apart as that.
    certificate.threads[ThreadId(1)].apart = Some((RegId(0), 8));
    assert!(matches!(check(&program, &question, &certificate), Err(Invalid::Step(_))));
}

/// The accesses of a static variable.
fn accesses<'c>(program: &Program, certificate: &'c mut Certificate, name: &str) -> &'c mut Vec<Access> {
    let mut globals = program.globals.enumerated();
    let (id, _) = globals.find(|(_, global)| global.name.as_str() == name).expect("a variable");
    let cells = &mut certificate.memory[ObjectId(id.0)];
    &mut cells.iter_mut().find(|cell| cell.space == Space::Data).expect("a cell").accesses
}

fn fails(program: &Program, question: &Question, certificate: &Certificate, part: &str) {
    match check(program, question, certificate) {
        Err(Invalid::Step(at)) => assert!(at.part.contains(part), "{}", Invalid::Step(at)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn accesses_cannot_be_left_out_or_hold_more_than_they_do() {
    let (program, question, certificate, _) = prove(RACE);
    let mut fewer = certificate.clone();
    accesses(&program, &mut fewer, "x").retain(|access| access.kind != Kind::Write);
    fails(&program, &question, &fewer, "does not list");
    let mut locked = certificate.clone();
    let lock = program.globals.enumerated().find(|(_, global)| global.name.as_str() == "m");
    let lock = Held::Place(ObjectId(lock.expect("a lock").0.0), 0);
    for access in accesses(&program, &mut locked, "x") {
        access.held.insert((lock, Mode::Exclusive));
    }
    fails(&program, &question, &locked, "does not list");
    let mut alone = certificate;
    for access in accesses(&program, &mut alone, "x") {
        access.alive.clear();
    }
    fails(&program, &question, &alone, "does not list");
}

#[test]
fn values_and_threads_cannot_be_left_out() {
    let (program, question, certificate, _) = prove(WRONG);
    let mut narrow = certificate.clone();
    let mut globals = program.globals.enumerated();
    let (x, _) = globals.find(|(_, global)| global.name.as_str() == "x").expect("a variable");
    for cell in &mut narrow.memory[ObjectId(x.0)] {
        cell.value = crate::Value::null();
    }
    fails(&program, &question, &narrow, "does not hold");
    let mut lonely = certificate;
    for instance in lonely.instances.as_mut_slice() {
        for state in instance.blocks.as_mut_slice().iter_mut().flatten() {
            state.alive.clear();
        }
    }
    fails(&program, &question, &lonely, "alive");
}

#[test]
fn a_certificate_can_be_written_and_read() {
    let (program, question, certificate, verdict) = prove(SHARE);
    let text = serde_json::to_string(&certificate).expect("JSON");
    let read: Certificate = serde_json::from_str(&text).expect("a certificate");
    assert_eq!(read, certificate);
    assert_eq!(check(&program, &question, &read), Ok(verdict));
}

/// Whatever is changed in a certificate, a property that does not hold is never proved, and nothing panics.
#[test]
fn no_mutant_proves_what_is_false() {
    let wrong = [
        (RACE, Check::DataRace),
        (CYCLE, Check::Deadlock),
        (SPIN, Check::Deadlock),
        (TWICE, Check::ThreadMisuse),
        (EARLY, Check::UseAfterFree),
        (EARLY, Check::DataRace),
        (FREED, Check::UseAfterFree),
        (WRONG, Check::Assertion),
    ];
    for (text, check) in wrong {
        let (program, question, certificate, _) = prove(text);
        mutants::try_many(&program, &question, &certificate, check);
    }
}

/// For looking at one program: its text form is in the file that `BRAID_PROVE` names.
#[test]
#[ignore = "needs a file"]
fn prove_a_file() {
    let path = std::env::var("BRAID_PROVE").expect("a path");
    let text = std::fs::read_to_string(path).expect("a file");
    let program = read(&text);
    let result = infer::infer(&program, &Question::about(CheckSet::every()));
    let (certificate, verdict) = result.unwrap_or_else(|text| panic!("{text}"));
    println!("proved: {}", verdict.proved.list());
    for open in &verdict.open {
        println!("open {} line {}: {} ({:?})", open.checks.list(), open.loc.line, open.text, open.instr);
    }
    if std::env::var("BRAID_STATES").is_ok() {
        println!("{certificate:#?}");
    }
}

/// The same for a list of files, one line each: what must not be proved is for the caller to know.
#[test]
#[ignore = "needs files"]
fn prove_files() {
    let list = std::env::var("BRAID_PROVE").expect("a path");
    for path in std::fs::read_to_string(list).expect("a file").lines() {
        let text = std::fs::read_to_string(path).expect("a file");
        let Ok(program) = braid_ir::parse(&text) else { continue };
        if program.entry.is_none() {
            continue;
        }
        let question = Question::about(CheckSet::every());
        match std::panic::catch_unwind(|| infer::infer(&program, &question)) {
            Ok(Ok((_, verdict))) => println!("{path}\tproved\t{}", verdict.proved.list()),
            Ok(Err(text)) => println!("{path}\terror\t{}", text.lines().collect::<Vec<_>>().join(" | ")),
            Err(_) => println!("{path}\tpanic\t"),
        }
    }
}

/// Mutants of certificates for a list of files, each with the properties that its program violates.
#[test]
#[ignore = "needs files"]
fn mutate_files() {
    let list = std::env::var("BRAID_PROVE").expect("a path");
    for line in std::fs::read_to_string(list).expect("a file").lines() {
        let (path, checks) = line.split_once('\t').expect("a path and properties");
        let program = read(&std::fs::read_to_string(path).expect("a file"));
        let question = Question::about(CheckSet::every());
        let Ok((certificate, _)) = infer::infer(&program, &question) else { continue };
        for check in set(checks).iter() {
            let tried =
                std::panic::catch_unwind(|| mutants::try_many(&program, &question, &certificate, check));
            println!("{path}\t{check}\t{}", if tried.is_ok() { "good" } else { "BAD" });
        }
    }
}
