//! Counterexamples that depend on random numbers.
//!
//! Where a program is checked, the models of `rand` and its kin allow any number (`Fidelity::Over`); glibc's numbers
//! follow from the seed. A violation that needs a number is therefore shown with glibc's own sequence, if it also occurs
//! there. Otherwise it depends on the seed: where the program has set one that is the same in every run, the
//! violation is none, as far as we know. A program that sets no seed, or one from the clock, the input and the like,
//! leaves its numbers open; that they can be any is then an assumption, which is printed.
//!
//! Other models of that kind have choices of their own: whether a file can be opened. An execution that passes one is a
//! counterexample under the assumption that the row states, and says so.
//!
//! *Claim*: what [`confirm_real`] returns occurs with glibc's sequence, or the seed is not fixed and
//! [`Counterexample::assumptions`] says so. *Relies on*: the second image is the same program with the sequence of the
//! library. *Proof*: a counterexample without choices of random numbers is the same execution in both; one with them is
//! returned from the first image only if [`Open::fixed`] is false. *Fault*: `seed-forgotten`, noticed by `check seed`.

use crate::{Candidate, Counterexample, Unconfirmed, confirm};
use braid_base::Symbol;
use braid_base::faults::active;
use braid_interp::watch::{Effect, Event, Observation};
use braid_interp::{ChoiceLabel, Image, Options};
use braid_ir::{ChoiceKind, FuncId, Instr, InstrId, Loc, Op, Operand, Program};
use braid_models::{Fidelity, SEEDS, lookup};

/// The assumption that a counterexample makes whose random numbers are open.
pub const OPEN_NUMBERS: &str = "random numbers are arbitrary";

/// The first random number of an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Open {
    /// The function of the library that gave it, and where it was called.
    pub function: Symbol,
    pub place: Loc,
    /// The seed is the same in every run.
    pub fixed: bool,
}

/// The same as [`confirm`], with `real`, the program with the library's own sequence of random numbers, as a second
/// judge if numbers are open in the first.
pub fn confirm_real(
    image: &Image,
    real: Option<&Image>,
    options: Options,
    candidate: Candidate,
) -> Result<Counterexample, Unconfirmed> {
    let Some(real) = real else { return confirm(image, options, candidate) };
    let mut same = candidate.clone();
    let found = confirm(image, options, candidate)?;
    let Some(open) = found.open() else { return Ok(found) };
    same.trace.choices.retain(|choice| choice.kind != RANDOM);
    match confirm(real, options, same) {
        Ok(found) => Ok(found),
        Err(_) if open.fixed && !active("seed-forgotten") => {
            Err(Unconfirmed::Over { function: open.function.to_string(), place: open.place })
        }
        Err(_) => Ok(found),
    }
}

/// Behaviour beyond the real functions that an observed execution has passed: each once, in order.
pub(crate) fn allowed(program: &Program, seen: &Observation) -> Vec<&'static str> {
    let row = |func: FuncId| {
        let function = &program.functions[func];
        match lookup(function.name.as_str()).map(|row| row.fidelity) {
            Some(Fidelity::Over(what)) if function.internal => Some(what),
            _ => None,
        }
    };
    let chooses = |op: &Op| matches!(op, Op::Nondet { kind, .. } if *kind != ChoiceKind::Random);
    let mut found: Vec<&'static str> = Vec::new();
    let mut add = |what: Option<&'static str>| found.extend(what.filter(|what| !found.contains(what)));
    for event in &seen.events {
        if matches!(*event.effect, Effect::Choice(label, _) if label != RANDOM) {
            add(row(seen.frames[event.frame as usize].func));
        }
    }
    // A forgotten choice may have been one of any model.
    if seen.dropped > 0 {
        for (func, function) in program.functions.enumerated() {
            if function.blocks.iter().flat_map(|block| &block.instrs).any(|instr| chooses(&instr.op)) {
                add(row(func));
            }
        }
    }
    found
}

const RANDOM: ChoiceLabel = ChoiceLabel::Kind(ChoiceKind::Random);

/// The first random number of an observed execution, if there is one.
pub(crate) fn find(program: &Program, seen: &Observation) -> Option<Open> {
    let is_random = |event: &Event| matches!(*event.effect, Effect::Choice(RANDOM, _));
    let first = seen.events.iter().position(is_random)?;
    let event = &seen.events[first];
    // What was forgotten may have set a seed.
    let fixed = seen.dropped > 0 || seed_is_fixed(program, seen, &seen.events[..first]);
    Some(Open { function: called(program, seen, event), place: event.site, fixed })
}

/// The function of the library that the user's code called.
fn called(program: &Program, seen: &Observation, event: &Event) -> Symbol {
    let mut frame = event.frame as usize;
    while let Some(caller) = seen.frames[frame].caller
        && caller != event.user_frame
    {
        frame = caller as usize;
    }
    program.functions[seen.frames[frame].func].name
}

/// Returns true if a seed was set that is a constant, or before which nothing was open.
fn seed_is_fixed(program: &Program, seen: &Observation, events: &[Event]) -> bool {
    let mut open = false;
    for event in events {
        match &*event.effect {
            Effect::Choice(ChoiceLabel::Input, _) => open = true,
            Effect::Choice(ChoiceLabel::Kind(kind), _) => open |= is_open(*kind),
            Effect::Call { func, .. } => {
                let user = !program.functions[seen.frames[event.frame as usize].func].internal;
                let callee = &program.functions[*func];
                let seeds =
                    callee.internal && SEEDS.split_whitespace().any(|name| callee.name.as_str() == name);
                if user && seeds && (!open || is_constant(program, event.instr)) {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// Returns true if a seed can be made from a choice of this kind.
fn is_open(kind: ChoiceKind) -> bool {
    match kind {
        ChoiceKind::Value | ChoiceKind::Uninit | ChoiceKind::Clock => true,
        ChoiceKind::Timeout
        | ChoiceKind::Wake
        | ChoiceKind::WeakFail
        | ChoiceKind::AllocFail
        | ChoiceKind::Spurious
        | ChoiceKind::Base
        | ChoiceKind::CallFail
        | ChoiceKind::Random => false,
    }
}

/// Returns true if the call passes constants only.
fn is_constant(program: &Program, call: InstrId) -> bool {
    let blocks = program.functions.iter().flat_map(|function| function.blocks.iter());
    let mut instrs = blocks.flat_map(|block| &block.instrs);
    let found: Option<&Instr> = instrs.find(|instr| instr.id == call);
    match found.map(|instr| &instr.op) {
        Some(Op::Call { args, .. }) => args.iter().all(|arg| matches!(arg, Operand::Const(_))),
        _ => false,
    }
}
