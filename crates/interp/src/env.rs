//! What the machine asks of the world: choices, input, output.
//!
//! The machine itself is deterministic. Everything that could be otherwise is asked for here, so that
//! a run can be random, recorded, replayed or enumerated without touching the machine.

use braid_base::rng::split_mix;
use braid_ir::{ChoiceKind, FuncId, InstrId, Loc, Ty};
use std::io::{self, BufRead, Read, Write};

/// A value the program leaves open. How often the same instruction of the same thread has asked is
/// for the environment to count, if it wants to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    pub kind: ChoiceKind,
    pub ty: Ty,
    /// Number of the thread; main is 0.
    pub thread: u32,
    pub func: FuncId,
    pub instr: InstrId,
    /// The innermost place outside of library models.
    pub site: Loc,
    /// For bytes read before they were written: base address of the object, and offset.
    pub memory: Option<(u64, u64)>,
}

pub trait Environment {
    /// Any bit pattern; the machine cuts it to the type.
    fn choose(&mut self, choice: &Choice) -> u128;

    /// The next byte of standard input, asked for by an instruction of a thread; `None` at its end.
    fn input(&mut self, thread: u32, instr: InstrId) -> Option<u8>;

    /// Bytes for standard output (1) or standard error (2).
    fn output(&mut self, stream: u8, bytes: &[u8]) -> io::Result<()>;

    /// Returns true if the question, whether memory runs out or a wait ends for no reason, may be answered with yes.
    fn may_happen(&self, _kind: ChoiceKind) -> bool {
        false
    }
}

/// For a step that is only tried: what it writes goes nowhere.
pub(crate) struct Trial<'a>(pub &'a mut dyn Environment);

impl Environment for Trial<'_> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        self.0.choose(choice)
    }

    fn input(&mut self, thread: u32, instr: InstrId) -> Option<u8> {
        self.0.input(thread, instr)
    }

    fn output(&mut self, _stream: u8, _bytes: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn may_happen(&self, kind: ChoiceKind) -> bool {
        self.0.may_happen(kind)
    }
}

/// The environment of `braid run`: real input and output, and the same simple choices every time.
///
/// Arbitrary values and uninitialised memory are zero, nothing fails, times out or is woken out of turn;
/// with a seed all that is pseudo-random, but memory does not run out. A clock goes on by one at every
/// reading.
pub struct RunEnv<R, O, E> {
    input: io::BufReader<R>,
    out: O,
    err: E,
    /// Standard output not yet written.
    pending: Vec<u8>,
    random: Option<u64>,
    calls_may_fail: bool,
    clock: u128,
}

/// Standard output is written in pieces of this size.
const BUFFER: usize = 1 << 16;

impl<R: Read, O: Write, E: Write> RunEnv<R, O, E> {
    pub fn new(input: R, out: O, err: E, seed: Option<u64>) -> RunEnv<R, O, E> {
        let input = io::BufReader::new(input);
        RunEnv { input, out, err, pending: Vec::new(), random: seed, calls_may_fail: false, clock: 0 }
    }

    /// With a seed, library calls may fail as well.
    pub fn with_failing_calls(self, calls_may_fail: bool) -> RunEnv<R, O, E> {
        RunEnv { calls_may_fail, ..self }
    }

    /// Writes what is pending. To be called when the program has ended, however it did.
    pub fn flush(&mut self) -> io::Result<()> {
        let result = self.out.write_all(&self.pending);
        self.pending.clear();
        result.and_then(|()| self.out.flush())
    }

    fn random_word(&mut self) -> u64 {
        self.random.as_mut().map_or(0, split_mix)
    }
}

impl<R: Read, O: Write, E: Write> Environment for RunEnv<R, O, E> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        match choice.kind {
            ChoiceKind::Value => u128::from(self.random_word()) << 64 | u128::from(self.random_word()),
            ChoiceKind::Clock => {
                self.clock += 1;
                self.clock
            }
            ChoiceKind::Uninit | ChoiceKind::Random => {
                u128::from(self.random_word()) << 64 | u128::from(self.random_word())
            }
            ChoiceKind::Timeout | ChoiceKind::WeakFail => u128::from(self.random_word() & 1),
            ChoiceKind::CallFail if self.calls_may_fail => u128::from(self.random_word() & 1),
            // A number out of range would be no waiter's.
            ChoiceKind::Wake if choice.ty == Ty::BOOL => u128::from(self.random_word() & 1),
            ChoiceKind::Wake
            | ChoiceKind::AllocFail
            | ChoiceKind::CallFail
            | ChoiceKind::Spurious
            | ChoiceKind::Base => 0,
        }
    }

    fn input(&mut self, _thread: u32, _instr: InstrId) -> Option<u8> {
        if self.input.buffer().is_empty() {
            // The read may wait for a person, who should see the question first. If writing fails, the
            // next output says so.
            let _ = self.flush();
        }
        // An error on standard input looks like its end, as it does to a C program.
        let byte = self.input.fill_buf().ok()?.first().copied()?;
        self.input.consume(1);
        Some(byte)
    }

    fn output(&mut self, stream: u8, bytes: &[u8]) -> io::Result<()> {
        if stream == 2 {
            return self.err.write_all(bytes);
        }
        self.pending.extend_from_slice(bytes);
        if self.pending.len() >= BUFFER { self.flush() } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(kind: ChoiceKind) -> Choice {
        let (func, instr) = (FuncId(0), InstrId(0));
        Choice { kind, ty: Ty::Int(32), thread: 0, func, instr, site: Loc::NONE, memory: None }
    }

    #[test]
    fn streams_keep_their_order_and_questions_come_before_answers() {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut env = RunEnv::new(&b"x"[..], &mut out, &mut err, None);
        env.output(1, b"name? ").unwrap();
        env.output(2, b"note").unwrap();
        assert_eq!((env.pending.len(), env.input(0, InstrId(0)), env.pending.len()), (6, Some(b'x'), 0));
        env.output(1, b"bye").unwrap();
        assert_eq!(env.input(0, InstrId(0)), None);
        env.flush().unwrap();
        drop(env);
        assert_eq!((out.as_slice(), err.as_slice()), (b"name? bye".as_slice(), b"note".as_slice()));
    }

    #[test]
    fn choices_are_reproducible() {
        let mut env = RunEnv::new(io::empty(), io::sink(), io::sink(), None);
        assert_eq!(env.choose(&choice(ChoiceKind::Value)), 0);
        assert!(env.choose(&choice(ChoiceKind::Clock)) < env.choose(&choice(ChoiceKind::Clock)));
        let values = |seed| {
            let mut env = RunEnv::new(io::empty(), io::sink(), io::sink(), Some(seed));
            [env.choose(&choice(ChoiceKind::Value)), env.choose(&choice(ChoiceKind::Value))]
        };
        assert_eq!(values(7), values(7));
        assert_ne!(values(7), values(8));
        assert_ne!(values(7)[0], values(7)[1]);
    }
}
