//! Every sequence of answers to the questions of one step.
//!
//! A step asks one question after the other; what it asks next depends on what it was answered. It is run
//! once for every sequence: each run takes the first answers from the one before, the next one there is, and
//! then the first of every later question.
//!
//! [`Machine::waits_anyway`] is what that is for in a single run: a section that waits, having asked for
//! values, was not entered with these values; whether its thread is blocked depends on all of them. Whether
//! memory runs out or a wait ends for no reason is no question there: the environment's answer stands.

use crate::deadlock::Wait;
use crate::env::{Choice, Environment};
use crate::machine::Machine;
use crate::transition::Moved;
use braid_ir::{ChoiceKind, InstrId, Ty};
use std::io;

/// So many sequences are tried before a section is taken for one that may be entered.
pub(crate) const MOST_TRIES: u32 = 1 << 16;

/// The place in the list of all sequences.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answers {
    prefix: Vec<u32>,
    /// What was answered, and out of how many.
    trail: Vec<(u32, u32)>,
}

impl Answers {
    /// Begins a run whose first answers are given.
    pub fn begin(&mut self, prefix: &[u32]) {
        self.prefix.clear();
        self.prefix.extend_from_slice(prefix);
        self.trail.clear();
    }

    /// The answers of this run.
    pub fn given(&self) -> Vec<u32> {
        self.trail.iter().map(|(index, _)| *index).collect()
    }

    /// The first answers of the next run, if there is one more.
    pub fn next(&self) -> Option<Vec<u32>> {
        let last = self.trail.iter().rposition(|(index, count)| index + 1 < *count)?;
        let mut prefix: Vec<u32> = self.trail[..=last].iter().map(|(index, _)| *index).collect();
        prefix[last] += 1;
        Some(prefix)
    }

    /// The answer to a question with so many possible ones, at least one.
    pub fn pick(&mut self, count: usize) -> usize {
        let index = self.prefix.get(self.trail.len()).copied().unwrap_or(0).min(count as u32 - 1);
        self.trail.push((index, count as u32));
        index as usize
    }
}

/// How many numbers a waker may name: any thread's, and one more; one that asks yes or no gets both.
pub(crate) fn wakers(threads: u32, bits: u32) -> usize {
    let numbers = threads as usize + 1;
    if bits < 16 { numbers.min(1 << bits) } else { numbers }
}

/// Gives every possible answer where there are not too many. Output goes nowhere.
struct Every<'e> {
    env: &'e mut dyn Environment,
    answers: Answers,
    threads: u32,
    pointer_bytes: u8,
    /// There are more answers than were given.
    cut: bool,
}

impl Environment for Every<'_> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let bits = choice.ty.bits(self.pointer_bytes);
        match choice.kind {
            ChoiceKind::Value | ChoiceKind::Uninit | ChoiceKind::Clock | ChoiceKind::Random => {
                let few = bits <= 16 && matches!(choice.ty, Ty::Int(_));
                self.cut |= !few;
                self.answers.pick(if few { 1 << bits } else { 1 }) as u128
            }
            ChoiceKind::Timeout | ChoiceKind::WeakFail => self.answers.pick(2) as u128,
            ChoiceKind::Wake => self.answers.pick(wakers(self.threads, bits)) as u128,
            ChoiceKind::AllocFail | ChoiceKind::CallFail | ChoiceKind::Spurious | ChoiceKind::Base => {
                self.env.choose(choice)
            }
        }
    }

    fn input(&mut self, _thread: u32, _instr: InstrId) -> Option<u8> {
        self.cut = true;
        None
    }

    fn output(&mut self, _stream: u8, _bytes: &[u8]) -> io::Result<()> {
        Ok(())
    }
}

impl Machine<'_> {
    /// For a thread that has just had to wait in a section that asked for values: whom it waits for with
    /// every answer (nobody in particular if it depends). `None` if with some answer it would not wait, or
    /// if not all can be tried.
    pub(crate) fn waits_anyway(&mut self, thread: usize, env: &mut dyn Environment) -> Option<Option<Wait>> {
        let (before, found) = (self.state.clone(), self.findings.len());
        let recorder = self.recorder.take();
        let waits = self.try_all(thread, env);
        self.recorder = recorder;
        self.findings.truncate(found);
        self.state = before;
        waits
    }

    fn try_all(&mut self, thread: usize, env: &mut dyn Environment) -> Option<Option<Wait>> {
        let before = self.state.clone();
        let (threads, pointer_bytes) = (before.threads.len() as u32, self.image.program.pointer_bytes);
        let mut every = Every { env, answers: Answers::default(), threads, pointer_bytes, cut: false };
        let mut waits: Option<Option<Wait>> = None;
        for _ in 0..MOST_TRIES {
            let moved = self.transition(thread, &mut every);
            self.state = before.clone();
            let Ok(Moved::Blocked(wait)) = moved else { return None };
            waits = Some(Wait::in_both(waits, wait));
            if every.cut || self.poll().is_err() {
                return None;
            }
            let Some(prefix) = every.answers.next() else { return waits };
            every.answers.begin(&prefix);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sequence_comes_once() {
        let mut answers = Answers::default();
        let mut seen = Vec::new();
        let mut next = Some(Vec::new());
        while let Some(prefix) = next {
            answers.begin(&prefix);
            let first = answers.pick(3);
            let second = if first == 1 { answers.pick(2) } else { 9 };
            seen.push((first, second));
            assert_eq!(answers.given().len(), if first == 1 { 2 } else { 1 });
            next = answers.next();
        }
        assert_eq!(seen, [(0, 9), (1, 0), (1, 1), (2, 9)]);
    }

    #[test]
    fn wakers_are_threads_and_one_more() {
        assert_eq!((wakers(3, 32), wakers(3, 1), wakers(0, 8)), (4, 2, 1));
    }
}
