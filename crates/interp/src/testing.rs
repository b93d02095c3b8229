//! Runs programs in text form for tests.

use crate::{Choice, Environment, Image, Limits, Machine, Options, Outcome};
use braid_ir::{ChoiceKind, InstrId, Program};
use braid_props::CheckSet;
use std::io;

/// Answers the same to every choice of a kind, and keeps what was written.
#[derive(Default)]
pub struct TestEnv {
    pub value: u128,
    pub uninit: u128,
    pub weak_fail: u128,
    pub input: Vec<u8>,
    pub output: Vec<u8>,
    pub choices: Vec<Choice>,
}

impl Environment for TestEnv {
    fn choose(&mut self, choice: &Choice) -> u128 {
        self.choices.push(*choice);
        match choice.kind {
            ChoiceKind::Uninit => self.uninit,
            ChoiceKind::WeakFail => self.weak_fail,
            ChoiceKind::Value
            | ChoiceKind::Clock
            | ChoiceKind::Timeout
            | ChoiceKind::Wake
            | ChoiceKind::AllocFail
            | ChoiceKind::Spurious
            | ChoiceKind::Base
            | ChoiceKind::CallFail
            | ChoiceKind::Random => self.value,
        }
    }

    fn input(&mut self, _thread: u32, _instr: InstrId) -> Option<u8> {
        if self.input.is_empty() { None } else { Some(self.input.remove(0)) }
    }

    fn output(&mut self, _stream: u8, bytes: &[u8]) -> io::Result<()> {
        self.output.extend_from_slice(bytes);
        Ok(())
    }
}

pub fn program(text: &str) -> Program {
    let program = braid_ir::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    if let Err(errors) = braid_ir::verify(&program) {
        panic!("{}\n{text}", errors.iter().map(|e| e.to_string()).collect::<Vec<_>>().join("\n"));
    }
    program
}

/// A program whose entry `main` has the given registers and lines; more items before it.
pub fn main_of(items: &str, regs: &str, lines: &str) -> String {
    let regs = if regs.is_empty() { String::new() } else { format!("reg {regs}\n") };
    format!("file 0 \"t.c\"\n{items}\nentry &main\nfn &main() -> i32 {{\n{regs}{lines}\n}}\n")
}

pub fn run_with(text: &str, checks: &str, limits: Limits, env: &mut TestEnv) -> (Outcome, String) {
    let program = program(text);
    let checks = CheckSet::parse(checks).unwrap();
    let image = Image::new(&program, checks).unwrap();
    let mut machine = Machine::new(
        &image,
        Options { question: braid_ir::Question::about(checks), limits, ..Options::default() },
    )
    .unwrap();
    let outcome = machine.run(env);
    let text = match &outcome {
        Outcome::Exited { code } => format!("exit {code}"),
        Outcome::Aborted { .. } => "abort".into(),
        Outcome::Violation(report) => report.render(&program),
        Outcome::InvalidUnchecked(report) => format!("unchecked: {}", report.render(&program)),
        Outcome::Unsupported { what, .. } => format!("unsupported: {what}"),
        Outcome::Blocked { .. } => "blocked".into(),
        Outcome::AssumeFailed { .. } => "assume failed".into(),
        Outcome::ResourceLimit { resource, .. } => resource.to_string(),
    };
    let note = match machine.state.depends_on_address {
        Some(loc) => format!(" (depends on addresses at {}:{})", loc.line, loc.column),
        None => String::new(),
    };
    (outcome, text + &note)
}

/// The outcome with all checks, in words.
pub fn run(text: &str) -> String {
    run_with(text, "all", Limits::default(), &mut TestEnv::default()).1
}

/// The value of register 0 after straight-line code, as the exit code.
pub fn exit_of(items: &str, regs: &str, lines: &str) -> String {
    run(&main_of(items, regs, &format!("b0:\n{lines}\nret %0")))
}
