//! Certificates of the engine `lockset` that hold, and changed ones that do not.
//!
//! The programs are the text forms of small C programs; functions of the library that have an effect are stubs.

mod forgeries;
mod mutants;

use braid_engines::lockset;
use braid_ir::{Program, Question};
use braid_proof::check::{Invalid, Verdict, check};
use braid_proof::{Access, Certificate, Held, Kind, Mode, ObjectId, Space, ThreadId, Value};
use braid_props::{Check, CheckSet};

const APART: &str = include_str!("apart.ir");
const COUNTER: &str = include_str!("counter.ir");
const CYCLE: &str = include_str!("cycle.ir");
const EARLY: &str = include_str!("early.ir");
const FREED: &str = include_str!("freed.ir");
const GATE: &str = include_str!("gate.ir");
const HANDOVER: &str = include_str!("handover.ir");
const ONCE: &str = include_str!("once.ir");
const RACE: &str = include_str!("race.ir");
const SHARE: &str = include_str!("share.ir");
const SPIN: &str = include_str!("spin.ir");
const TRIED: &str = include_str!("tried.ir");
const TWICE: &str = include_str!("twice.ir");
const WRONG: &str = include_str!("wrong.ir");

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
    let entry = program.entry.expect("an entry");
    let proof = lockset::prove(&program, &question, entry, &mut |_| true);
    let lockset::Proof { mut certificates, verdict, .. } =
        proof.unwrap_or_else(|failed| panic!("{failed:?}"));
    let certificate = certificates.swap_remove(0);
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
    assert_eq!(verdict.proved, set(SPOKEN), "{:#?}", verdict.open);
    // They are not farther apart than that.
    let apart = &mut certificate.threads[ThreadId(1)].apart;
    *apart = apart.map(|(reg, least)| (reg, 2 * least));
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
        cell.value = Value::null();
    }
    fails(&program, &question, &narrow, "does not hold");
    let mut lonely = certificate;
    for instance in lonely.instances.as_mut_slice() {
        for state in instance.blocks.as_mut_slice().iter_mut().flatten() {
            state.alive.clear();
        }
    }
    fails(&program, &question, &lonely, "Alive");
}

#[test]
fn a_certificate_can_be_written_and_read() {
    let (program, question, certificate, verdict) = prove(SHARE);
    let text = serde_json::to_string(&certificate).expect("JSON");
    let read: Certificate = serde_json::from_str(&text).expect("a certificate");
    assert_eq!(read, certificate);
    assert_eq!(check(&program, &question, &read), Ok(verdict));
}

/// Programs that violate a property.
const VIOLATED: [(&str, Check); 8] = [
    (RACE, Check::DataRace),
    (CYCLE, Check::Deadlock),
    (SPIN, Check::Deadlock),
    (TWICE, Check::ThreadMisuse),
    (EARLY, Check::UseAfterFree),
    (EARLY, Check::DataRace),
    (FREED, Check::UseAfterFree),
    (WRONG, Check::Assertion),
];

/// Whatever is changed in a certificate, a property that does not hold is never proved, and nothing panics.
#[test]
fn no_mutant_proves_what_is_false() {
    for (text, check) in VIOLATED {
        let (program, question, certificate, _) = prove(text);
        mutants::try_many(&program, &question, &certificate, check);
    }
}

#[test]
fn no_forgery_proves_what_is_false() {
    let mut counts = Vec::new();
    for kind in forgeries::KINDS {
        let mut count = 0;
        for (text, check) in VIOLATED {
            let (program, question, certificate, _) = prove(text);
            count += forgeries::try_all((&program, &question), &certificate, kind, check);
        }
        assert!(count >= 30, "only {count} forgeries: {}", kind.0);
        counts.push(count);
    }
    assert!(counts.iter().sum::<usize>() > 300, "{counts:?}");
}
