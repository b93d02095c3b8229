//! Which values a choice is tried with.
//!
//! A transition asks for values one after the other; the explorer runs it once for every sequence of
//! answers. Where more values are possible than are tried, that is noted: such a search proves nothing.

use super::ExploreOptions;
use crate::answers::{Answers, wakers};
use crate::env::{Choice, Environment};
use crate::value::mask;
use braid_base::faults::active;
use braid_ir::{ChoiceKind, InstrId, Loc, Ty};
use std::io;
use std::rc::Rc;

/// Answers of one transition, by index into the values tried.
#[derive(Debug)]
pub(super) struct Script {
    options: Rc<ExploreOptions>,
    pointer_bytes: u8,
    /// Threads started so far: one more than the highest number.
    pub threads: u32,
    answers: Answers,
    /// Who first asked for more values than are tried, and where, if that is known.
    pub cut: Option<(InstrId, Loc)>,
}

impl Script {
    pub fn new(options: &Rc<ExploreOptions>, pointer_bytes: u8) -> Script {
        Script {
            options: Rc::clone(options),
            pointer_bytes,
            threads: 1,
            answers: Answers::default(),
            cut: None,
        }
    }

    /// Begins a transition whose first answers are given.
    pub fn begin(&mut self, prefix: &[u32], threads: u32) {
        self.answers.begin(prefix);
        self.threads = threads;
    }

    /// The answers given in this transition.
    pub fn answers(&self) -> Vec<u32> {
        self.answers.given()
    }

    /// The first answers of the next sequence, if there is one more.
    pub fn next(&self) -> Option<Vec<u32>> {
        if active("one-choice-only") { None } else { self.answers.next() }
    }

    /// The values tried for a type, as bits, and whether they are all there are.
    fn domain(&self, ty: Ty) -> (Vec<u128>, bool) {
        let width = ty.bits(self.pointer_bytes) as u8;
        if width == 1 {
            return (vec![0, 1], true);
        }
        let mut domain: Vec<u128> = Vec::with_capacity(self.options.values.len());
        for value in &self.options.values {
            let bits = match ty {
                Ty::F32 => u128::from((*value as f32).to_bits()),
                Ty::F64 => u128::from((*value as f64).to_bits()),
                Ty::Int(_) | Ty::Ptr => *value as u128 & mask(width),
            };
            if !domain.contains(&bits) {
                domain.push(bits);
            }
        }
        if domain.is_empty() {
            domain.push(0);
        }
        let all = width <= 16 && domain.len() == 1 << width;
        (domain, all)
    }
}

impl Environment for Script {
    fn choose(&mut self, choice: &Choice) -> u128 {
        match choice.kind {
            ChoiceKind::Value | ChoiceKind::Uninit | ChoiceKind::Clock | ChoiceKind::Random => {
                let (domain, all) = self.domain(choice.ty);
                if !all {
                    self.cut.get_or_insert((choice.instr, choice.site));
                }
                domain[self.answers.pick(domain.len())]
            }
            ChoiceKind::Timeout | ChoiceKind::WeakFail | ChoiceKind::Base => self.answers.pick(2) as u128,
            ChoiceKind::AllocFail if self.options.machine.question.malloc_may_fail => {
                self.answers.pick(2) as u128
            }
            ChoiceKind::Spurious if self.options.machine.question.spurious_wakeups => {
                self.answers.pick(2) as u128
            }
            ChoiceKind::CallFail if self.options.machine.question.calls_may_fail => {
                self.answers.pick(2) as u128
            }
            ChoiceKind::AllocFail | ChoiceKind::Spurious | ChoiceKind::CallFail => 0,
            ChoiceKind::Wake => {
                let bits = choice.ty.bits(self.pointer_bytes);
                self.answers.pick(wakers(self.threads, bits)) as u128
            }
        }
    }

    fn input(&mut self, _thread: u32, instr: InstrId) -> Option<u8> {
        self.cut.get_or_insert((instr, Loc::NONE));
        let (domain, _) = self.domain(Ty::Int(8));
        match self.answers.pick(domain.len() + 1) {
            0 => None,
            index => Some(domain[index - 1] as u8),
        }
    }

    fn output(&mut self, _stream: u8, _bytes: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn may_happen(&self, kind: ChoiceKind) -> bool {
        match kind {
            ChoiceKind::AllocFail => self.options.machine.question.malloc_may_fail,
            ChoiceKind::Spurious => self.options.machine.question.spurious_wakeups,
            ChoiceKind::CallFail => self.options.machine.question.calls_may_fail,
            ChoiceKind::Value
            | ChoiceKind::Uninit
            | ChoiceKind::Clock
            | ChoiceKind::Timeout
            | ChoiceKind::Wake
            | ChoiceKind::WeakFail
            | ChoiceKind::Random
            | ChoiceKind::Base => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use braid_ir::FuncId;

    fn choice(kind: ChoiceKind, ty: Ty) -> Choice {
        Choice { kind, ty, thread: 0, func: FuncId(0), instr: InstrId(3), site: Loc::NONE, memory: None }
    }

    #[test]
    fn every_sequence_comes_once() {
        let options = ExploreOptions { values: vec![0, 1, -1, 255], ..ExploreOptions::default() };
        let mut script = Script::new(&Rc::new(options), 8);
        let mut seen = Vec::new();
        let mut next = Some(Vec::new());
        while let Some(prefix) = next {
            script.begin(&prefix, 1);
            let first = script.choose(&choice(ChoiceKind::Timeout, Ty::BOOL));
            let second = if first == 0 { script.choose(&choice(ChoiceKind::Value, Ty::Int(8))) } else { 9 };
            seen.push((first, second));
            next = script.next();
        }
        assert_eq!(seen, [(0, 0), (0, 1), (0, 255), (1, 9)]);
        assert_eq!(script.cut, Some((InstrId(3), Loc::NONE)));
    }

    #[test]
    fn small_types_are_exhausted() {
        let values: Vec<i128> = (0..256).collect();
        let options = ExploreOptions { values, ..ExploreOptions::default() };
        let mut script = Script::new(&Rc::new(options), 8);
        script.begin(&[200], 1);
        assert_eq!(script.choose(&choice(ChoiceKind::Value, Ty::Int(8))), 200);
        script.choose(&choice(ChoiceKind::Uninit, Ty::BOOL));
        assert_eq!(script.cut, None);
        script.choose(&choice(ChoiceKind::Value, Ty::Int(9)));
        assert_eq!(script.cut, Some((InstrId(3), Loc::NONE)));
    }
}
