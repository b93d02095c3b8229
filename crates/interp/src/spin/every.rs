//! All answers to the questions of a thread that runs alone, and values out of too many possible ones.

use crate::answers::{Answers, wakers};
use crate::env::{Choice, Environment};
use crate::machine::Machine;
use crate::value::{Prov, Value};
use braid_ir::*;
use std::io;

/// Values of so many bits are all tried.
const FEW_BITS: u32 = 8;
/// Gives every possible answer where there are not too many. Output goes nowhere.
pub(crate) struct Every<'e> {
    pub(super) env: &'e mut dyn Environment,
    pub answers: Answers,
    threads: u32,
    pointer_bytes: u8,
    /// A question had more answers than are tried.
    pub wide: bool,
}

impl Environment for Every<'_> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let bits = choice.ty.bits(self.pointer_bytes);
        match choice.kind {
            ChoiceKind::Value | ChoiceKind::Uninit | ChoiceKind::Clock | ChoiceKind::Random => {
                let few = bits <= FEW_BITS && matches!(choice.ty, Ty::Int(_));
                self.wide |= !few;
                self.answers.pick(if few { 1 << bits } else { 1 }) as u128
            }
            ChoiceKind::Timeout | ChoiceKind::WeakFail => self.answers.pick(2) as u128,
            ChoiceKind::Wake => self.answers.pick(wakers(self.threads, bits)) as u128,
            ChoiceKind::AllocFail | ChoiceKind::CallFail | ChoiceKind::Spurious | ChoiceKind::Base => {
                self.answers.pick(if self.env.may_happen(choice.kind) { 2 } else { 1 }) as u128
            }
        }
    }

    fn input(&mut self, _thread: u32, _instr: InstrId) -> Option<u8> {
        self.wide = true;
        None
    }

    fn output(&mut self, _stream: u8, _bytes: &[u8]) -> io::Result<()> {
        Ok(())
    }
}

impl Machine<'_> {
    pub(crate) fn every<'e>(&self, env: &'e mut dyn Environment) -> Every<'e> {
        Every {
            env,
            answers: Answers::default(),
            threads: self.state.threads.len() as u32,
            pointer_bytes: self.image.program.pointer_bytes,
            wide: false,
        }
    }

    /// Makes the answer to a question with too many others mixed. Returns false if that is not possible.
    pub(super) fn mix_answer(&mut self, thread: usize, pc: u32) -> bool {
        match self.image.ops[pc as usize] {
            Some(Op::Nondet { dst, .. } | Op::Input { dst }) => {
                self.mix(thread, *dst);
                true
            }
            Some(_) | None => false,
        }
    }

    /// Marks a value as one that may be any.
    pub(super) fn mix(&mut self, thread: usize, reg: RegId) {
        let at = &mut self.state.threads[thread];
        let value = at.frame_regs()[reg.0 as usize];
        at.set(reg, Value { prov: Prov::Mixed, ..value });
    }
}
