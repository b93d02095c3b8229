//! Certificates that hold, and changed ones that do not.

mod infer;

use super::Verdict;
use crate::certificate::Certificate;
use braid_ir::{Program, Question};
use braid_props::CheckSet;

fn question(checks: &str) -> Question {
    Question::about(CheckSet::parse(checks).expect("properties"))
}

fn prove(text: &str, checks: &str) -> (Program, Question, Certificate, Verdict) {
    let program = braid_ir::parse(text).expect("the text is a program");
    braid_ir::verify(&program).expect("a well-formed program");
    let question = question(checks);
    let (certificate, verdict) = infer::infer(&program, &question).unwrap_or_else(|text| panic!("{text}"));
    (program, question, certificate, verdict)
}

/// For looking at one program: its text form is in the file that `BRAID_PROVE` names.
#[test]
#[ignore = "needs a file"]
fn prove_a_file() {
    let path = std::env::var("BRAID_PROVE").expect("a path");
    let checks = std::env::var("BRAID_CHECKS").unwrap_or("all".to_string());
    let text = std::fs::read_to_string(path).expect("a file");
    let (program, question, certificate, verdict) = prove(&text, &checks);
    println!("proved: {}", verdict.proved.list());
    for open in &verdict.open {
        println!("open {} line {}: {} ({:?})", open.checks.list(), open.loc.line, open.text, open.instr);
    }
    let _ = (&program, question);
    if std::env::var("BRAID_STATES").is_ok() {
        for (id, instance) in certificate.instances.enumerated() {
            println!("{id} {} threads {:?}", program.functions[instance.function].name, instance.threads);
            for (block, state) in instance.blocks.enumerated() {
                let Some(state) = state else { continue };
                println!(
                    "  {block}: teams {:?} alive {:?} solo {:?} holds {:?}\n     regs {:?}\n   known {:?}\n   forms {:?} loaded {:?}",
                    state.teams,
                    state.alive,
                    state.solo,
                    state.holds,
                    state.registers,
                    state.known,
                    state.forms,
                    state.loaded
                );
            }
        }
    }
}
