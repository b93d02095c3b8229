//! The machine: a state, and how one instruction changes it.
//!
//! `step` executes one instruction of the running thread. Frequent operations are here, the others in
//! [`crate::ops`], calls in [`crate::call`], `copy` and `fill` in [`crate::bulk`], thread operations in
//! [`crate::threads`]. Steps make up the transitions of [`crate::transition`], those a run
//! ([`crate::run`]) or an exploration ([`crate::explore`]).

use crate::arith::DivisionByZero;
use crate::env::{Choice, Environment};
use crate::eval::Eval;
use crate::footprint::Footprint;
use crate::image::{Code, Image, SetupError};
use crate::livelock::Tour;
use crate::memory::Located;
use crate::race::Findings;
use crate::reached::Marks;
use crate::recorder::Recorder;
use crate::report::{Outcome, Partial, Resource};
use crate::state::{State, Thread};
use crate::trace::ChoiceLabel;
use crate::value::{Prov, Value, fetch, mask};
use crate::watch::Watch;
use braid_base::Symbol;
use braid_base::faults::active;
use braid_ir::{ChoiceKind, Expr, Operand, Question, RegId, Space, Ty};
use std::collections::BTreeSet;
use std::time::Instant;

/// Bounds on a run; reaching one is an outcome of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    pub deadline: Option<Instant>,
    /// Bytes of memory for the program's objects and stacks.
    pub memory: u64,
    /// Nested calls.
    pub max_depth: usize,
    /// Steps of a single run, about: they are counted where the other limits are looked at.
    pub steps: Option<u64>,
    /// Work of a single run: instructions, and threads looked at where one is chosen.
    pub work: Option<u64>,
    /// Threads that may be started in all, the first included; starting another one is a resource that ran out.
    pub threads: Option<u32>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            deadline: None,
            memory: 2 << 30,
            max_depth: 1_000_000,
            steps: None,
            work: None,
            threads: None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Its checks are the violations that end a run with a report, and must be those the [`Image`] was made with.
    pub question: Question,
    pub limits: Limits,
    /// A heap block may get the base address of one that was freed, if somebody still points there.
    pub reuse: bool,
}

pub struct Machine<'a> {
    pub(crate) image: &'a Image<'a>,
    pub state: State,
    pub(crate) options: Options,
    pub(crate) recorder: Option<Box<Recorder>>,
    /// Notes what is executed, if somebody wants to explain it.
    pub(crate) watch: Option<Box<Watch>>,
    /// Notes what is come to, for a search.
    pub(crate) marks: Option<Box<Marks>>,
    /// Instructions of the present transition, with the number of open calls, if somebody looks for livelocks.
    pub(crate) trail: Option<BTreeSet<(u32, u32)>>,
    /// Steps of a replay that can be repeated for ever.
    pub(crate) tour: Option<Box<Tour>>,
    /// How often the limits have been looked at.
    pub(crate) polls: u64,
    /// Instructions executed, and threads looked at where one is chosen.
    pub(crate) work: u64,
    /// How often the environment has been asked for a value.
    pub(crate) asked: u32,
    /// The section that was entered last has asked for a value.
    pub(crate) asked_inside: bool,
    /// A copy does not give padding without a value one: nobody may look at it then. For a search, where
    /// each value is a branch; in a single run the copy has the same bytes.
    pub(crate) padding_stays_open: bool,
    /// Addresses of bytes whose values were chosen because nobody has written to them; for words only.
    pub(crate) unwritten: BTreeSet<u64>,
    /// What the last transition touched.
    pub(crate) touched: Footprint,
    /// Races and cycles of waits that were found, each pair or cycle of places once.
    pub(crate) findings: Findings,
    /// The places reached where the program begins to stand for only part of the behaviour of the C program.
    pub(crate) partial: Vec<Partial>,
    /// Every instruction is a visible step: what the visible ones are compared with.
    #[cfg(test)]
    pub(crate) every_step: bool,
}

/// The end of the run, if the step ended it.
pub(crate) type Step<T = ()> = Result<T, Box<Outcome>>;

/// Limits are looked at every so many steps.
pub(crate) const POLL: u32 = 4096;

impl<'a> Machine<'a> {
    /// A machine before its first step.
    pub fn new(image: &'a Image<'a>, options: Options) -> Result<Machine<'a>, SetupError> {
        let mut state = crate::call::initial_state(image)?;
        state.memory.reuse = options.reuse;
        Ok(Machine {
            image,
            state,
            options,
            recorder: None,
            watch: None,
            marks: None,
            trail: None,
            tour: None,
            polls: 0,
            work: 0,
            asked: 0,
            asked_inside: false,
            padding_stays_open: false,
            unwritten: BTreeSet::new(),
            touched: Footprint::default(),
            partial: Vec::new(),
            findings: Findings::default(),
            #[cfg(test)]
            every_step: false,
        })
    }

    /// Steps that one look at the limits stands for.
    pub const STEPS_PER_LOOK: u64 = POLL as u64;

    /// How many steps were taken, rounded down to where limits are looked at.
    pub fn steps_taken(&self) -> u64 {
        self.polls * u64::from(POLL)
    }

    /// Instructions executed so far, and threads looked at where one was chosen: what a run costs, about.
    pub fn work_done(&self) -> u64 {
        self.work
    }

    /// Looks at the limits; to be called between steps.
    pub(crate) fn poll(&mut self) -> Step {
        let limits = self.options.limits;
        let threads: u64 = self.state.threads.iter().map(|thread| thread.used()).sum();
        self.polls += 1;
        let steps = self.steps_taken();
        let resource = if let Some(limit) = limits.steps.filter(|limit| steps >= *limit) {
            Resource::Steps { limit }
        } else if let Some(limit) = limits.work.filter(|limit| self.work >= *limit) {
            Resource::Steps { limit }
        } else if limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Resource::Timeout
        } else if self.state.memory.used() + threads > limits.memory {
            Resource::OutOfMemory { limit: limits.memory }
        } else {
            return Ok(());
        };
        // A report stands at the instruction before the program counter; here that is the next one.
        let current = self.state.current;
        self.state.threads[current].frame.pc += 1;
        let outcome = self.resource(resource);
        self.state.threads[current].frame.pc -= 1;
        Err(outcome)
    }

    /// Executes one instruction of the running thread.
    #[inline]
    pub fn step(&mut self, env: &mut dyn Environment) -> Result<(), Box<Outcome>> {
        self.steps(1, env)
    }

    /// Executes up to `limit` instructions of the running thread; fewer if one of them is rare, for then
    /// others may have become ready or the thread may have ended.
    pub(crate) fn steps(&mut self, limit: u32, env: &mut dyn Environment) -> Step {
        let (image, fixed) = (self.image, self.options.question.fixed_addresses);
        let State { threads, current, memory, depends_on_address, .. } = &mut self.state;
        let Thread { frame, regs, locals, thread_locals, .. } = &mut threads[*current];
        let (regs, consts) = (&mut regs[frame.regs..], &image.consts[..]);
        let marks = &mut self.marks;
        for _ in 0..limit {
            let pc = frame.pc;
            frame.pc = pc + 1;
            let eval = |expr: &Expr, regs: &[Value]| {
                Eval { image, memory, frame, regs, locals, thread_locals }.expr(expr)
            };
            let mut note_address = |value: Value| {
                if !value.is_plain() && !fixed {
                    depends_on_address.get_or_insert(image.origin[pc as usize].1);
                }
            };
            match &image.code[pc as usize] {
                Code::Hot(hot) => {
                    let value = match hot.value(regs, consts) {
                        Some(value) => value,
                        None => eval(image.assigned(pc), regs).expect("a shortcut never divides"),
                    };
                    regs[hot.dst.0 as usize] = value;
                }
                Code::Assign { dst, value } => match eval(value, regs) {
                    Ok(value) => regs[dst.0 as usize] = value,
                    Err(DivisionByZero) => return Err(self.division_by_zero()),
                },
                &Code::Load { dst, ptr, bytes, width, space } => {
                    let pointer = fetch(regs, consts, ptr);
                    if let Some(at) = memory.locate_quickly(&pointer, u64::from(bytes), false)
                        && let Some(value) = memory.read(at, usize::from(bytes), space)
                    {
                        regs[dst.0 as usize] = Value { bits: value.bits & mask(width), prov: value.prov };
                        continue;
                    }
                    let value = self.load(pointer, bytes, width, space, env)?;
                    self.set(dst, value);
                    return Ok(());
                }
                &Code::Store { ptr, value, bytes, space } => {
                    let (pointer, value) = (fetch(regs, consts, ptr), fetch(regs, consts, value));
                    match memory.locate_quickly(&pointer, u64::from(bytes), true) {
                        Some(at) => memory.write(at, usize::from(bytes), value, space),
                        None => return self.store(pointer, bytes, value, space),
                    }
                }
                &Code::Jump(to) => {
                    if let Some(marks) = marks {
                        marks.execute(pc);
                    }
                    frame.pc = to;
                }
                &Code::Branch { cond, then, other } => {
                    if let Some(marks) = marks {
                        marks.execute(pc);
                    }
                    let cond = fetch(regs, consts, cond);
                    frame.pc = if cond.is_true() { then } else { other };
                    note_address(cond);
                }
                Code::Switch { value, cases, default } => {
                    if let Some(marks) = marks {
                        marks.execute(pc);
                    }
                    let value = fetch(regs, consts, *value);
                    let found = cases.binary_search_by_key(&value.bits, |(bits, _)| *bits);
                    frame.pc = found.map_or(*default, |index| cases[index].1);
                    note_address(value);
                }
                Code::Return(value) => {
                    let value = value.map(|value| fetch(regs, consts, value));
                    return self.leave(value, env);
                }
                Code::Unreachable => {
                    return Err(self.unsupported("control reaches code that was taken to be unreachable"));
                }
                Code::Other(op) => return self.operation(op, env),
            }
        }
        Ok(())
    }

    /// A load that is not plain sailing: no known object, undefined bytes, or invalid.
    #[cold]
    pub(crate) fn load(
        &mut self,
        pointer: Value,
        bytes: u8,
        width: u8,
        space: Space,
        env: &mut dyn Environment,
    ) -> Step<Value> {
        let at = self.locate(pointer, u64::from(bytes), false)?;
        let len = usize::from(bytes);
        let value = match self.state.memory.read(at, len, space) {
            Some(value) => value,
            None => {
                self.choose_bytes(at, len, env)?;
                self.state.memory.read(at, len, space).expect("every byte has just been chosen")
            }
        };
        Ok(Value { bits: value.bits & mask(width), prov: value.prov })
    }

    #[cold]
    pub(crate) fn store(&mut self, pointer: Value, bytes: u8, value: Value, space: Space) -> Step {
        let at = self.locate(pointer, u64::from(bytes), true)?;
        self.state.memory.write(at, usize::from(bytes), value, space);
        Ok(())
    }

    /// The bytes of an access; an invalid one ends the run.
    pub(crate) fn locate(&mut self, pointer: Value, len: u64, write: bool) -> Step<Located> {
        match self.state.memory.locate(pointer, len, write) {
            Ok(at) => {
                // Which object an address without one hits depends on where objects lie.
                if !matches!(pointer.prov, Prov::Object(_)) {
                    self.depend_on_address(self.pc());
                    self.state.memory.escape(self.state.memory.id_at(at));
                }
                Ok(at)
            }
            Err(invalid) => Err(self.invalid_access(if write { "write" } else { "read" }, len, *invalid)),
        }
    }

    /// Gives undefined bytes among `len` (at most 16) a value: all of them one, or each its own.
    pub(crate) fn choose_bytes(&mut self, at: Located, len: usize, env: &mut dyn Environment) -> Step {
        let contents = self.state.memory.contents(at);
        let undefined: Vec<u64> = (0..len as u64).filter(|i| contents.undefined_at(at.offset + i)).collect();
        if undefined.iter().any(|i| contents.copied_at(at.offset + i)) {
            return Err(self.resource(Resource::CopiedPadding));
        }
        if undefined.len() == len {
            let bits = self.choose_memory(at, 0, Ty::Int(8 * len as u8), env);
            self.state.memory.write(at, len, Value::plain(bits), Space::Memory);
            return Ok(());
        }
        for i in undefined {
            let bits = self.choose_memory(at, i, Ty::Int(8), env);
            let (contents, used) = self.state.memory.contents_mut(at);
            contents.write(at.offset + i, 1, bits, Prov::None, used);
        }
        Ok(())
    }

    fn choose_memory(&mut self, at: Located, plus: u64, ty: Ty, env: &mut dyn Environment) -> u128 {
        self.asked_inside = true;
        let base = self.state.memory.identity_in(at).base;
        let (offset, bytes) = (at.offset + plus, ty.bytes(self.image.program.pointer_bytes) as u8);
        self.unwritten.insert(base + offset);
        let value = match self.recorded_memory(base, offset, bytes) {
            Some(value) => value & mask(ty.bits(self.image.program.pointer_bytes) as u8),
            None => self.ask(ChoiceKind::Uninit, ty, Some((base, offset)), env),
        };
        self.record_memory(base, offset, bytes, value);
        value
    }

    /// Asks for a value of the type: the recording, or else the environment.
    pub(crate) fn choose(&mut self, kind: ChoiceKind, ty: Ty, env: &mut dyn Environment) -> u128 {
        self.asked_inside = true;
        let value = match self.recorded_choice() {
            Some(value) => value & mask(ty.bits(self.image.program.pointer_bytes) as u8),
            None => self.ask(kind, ty, None, env),
        };
        self.record_choice(ChoiceLabel::Kind(kind), value);
        value
    }

    /// The value of an `input` instruction.
    pub(crate) fn input(&mut self, env: &mut dyn Environment) -> u128 {
        self.asked_inside = true;
        let value = match self.recorded_choice() {
            Some(value) => value & mask(32),
            None => {
                self.asked = self.asked.wrapping_add(1);
                let (instr, _) = self.image.origin[self.pc() as usize];
                let thread = self.state.threads[self.state.current].number;
                env.input(thread, instr).map_or(mask(32), u128::from)
            }
        };
        self.record_choice(ChoiceLabel::Input, value);
        value
    }

    fn ask(
        &mut self,
        kind: ChoiceKind,
        ty: Ty,
        memory: Option<(u64, u64)>,
        env: &mut dyn Environment,
    ) -> u128 {
        self.asked = self.asked.wrapping_add(1);
        let thread = &self.state.threads[self.state.current];
        let (instr, _) = self.image.origin[self.pc() as usize];
        let (number, func) = (thread.number, thread.frame.func);
        let choice = Choice { kind, ty, thread: number, func, instr, site: self.site().loc, memory };
        env.choose(&choice) & mask(ty.bits(self.image.program.pointer_bytes) as u8)
    }

    /// Control depends on the value.
    #[inline]
    pub(crate) fn note_address(&mut self, value: Value, pc: u32) {
        if !value.is_plain() {
            self.depend_on_address(pc);
        }
    }

    /// Notes that some behaviour of the C program is left out from here on.
    #[cold]
    pub(crate) fn note_partial(&mut self, what: Symbol, bound: bool) {
        let partial = Partial { what, bound, place: self.site().loc };
        if !self.partial.contains(&partial) && !active("omission-forgotten") {
            self.partial.push(partial);
        }
    }

    #[cold]
    pub(crate) fn depend_on_address(&mut self, pc: u32) {
        if self.options.question.fixed_addresses {
            return;
        }
        let loc = self.image.origin[pc as usize].1;
        self.state.depends_on_address.get_or_insert(loc);
    }

    /// The instruction being executed.
    pub(crate) fn pc(&self) -> u32 {
        self.state.threads[self.state.current].frame.pc.saturating_sub(1)
    }

    pub(crate) fn operand(&self, operand: Operand) -> Value {
        let thread = &self.state.threads[self.state.current];
        fetch(thread.frame_regs(), &self.image.consts, operand)
    }

    pub(crate) fn set(&mut self, reg: RegId, value: Value) {
        self.state.threads[self.state.current].set(reg, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestEnv, exit_of, main_of, program, run, run_with};

    #[test]
    fn loops_and_branches() {
        let text = main_of(
            "",
            "%0 i32, %1 i32, %2 i1",
            "b0:\n%0 = 0:i32\n%1 = 0:i32\njump b1\nb1:\n%2 = slt i32 %1, 10:i32\nbr %2, b2, b3\n\
             b2:\n%0 = add i32 %0, %1\n%1 = add i32 %1, 1:i32\njump b1\nb3:\nret %0",
        );
        assert_eq!(run(&text), "exit 45");
    }

    #[test]
    fn switches() {
        for (value, expected) in [(0, 1), (7, 2), (-1, 3), (5, 4)] {
            let text = main_of(
                "",
                "%0 i32",
                &format!(
                    "b0:\n%0 = {value}:i32\nswitch i32 %0, [0: b1, 7: b2, 4294967295: b3], b4\n\
                     b1:\nret 1:i32\nb2:\nret 2:i32\nb3:\nret 3:i32\nb4:\nret 4:i32"
                ),
            );
            assert_eq!(run(&text), format!("exit {expected}"));
        }
    }

    #[test]
    fn casts_and_selects() {
        let regs = "%0 i32, %1 i64, %2 i8, %3 f64, %4 f32, %5 i1, %6 i128, %7 i24";
        let cases = [
            ("%2 = 200:i8\n%0 = sext i8 %2 to i32", "-56"),
            ("%2 = 200:i8\n%0 = zext i8 %2 to i32", "200"),
            ("%1 = 4294967301:i64\n%0 = trunc i64 %1 to i32", "5"),
            ("%3 = -2.75:f64\n%0 = ftosi f64 %3 to i32", "-2"),
            ("%3 = 3000000000.0:f64\n%0 = ftoui f64 %3 to i32", "-1294967296"),
            (
                "%0 = -3:i32\n%3 = sitof i32 %0 to f64\n%3 = fmul f64 %3, 2.0:f64\n%0 = ftosi f64 %3 to i32",
                "-6",
            ),
            ("%4 = 1.5:f32\n%0 = bits f32 %4 to i32", "1069547520"),
            ("%4 = 0.1:f32\n%3 = fcast f32 %4 to f64\n%5 = feq f64 %3, 0.1:f64\n%0 = zext i1 %5 to i32", "0"),
            ("%5 = flt f64 nan.7ff8000000000000:f64, 1.0:f64\n%0 = select i32 %5, 1:i32, 2:i32", "2"),
            ("%5 = fne f64 nan.7ff8000000000000:f64, 1.0:f64\n%0 = select i32 %5, 1:i32, 2:i32", "1"),
            ("%6 = mul i128 -3:i128, 7:i128\n%0 = trunc i128 %6 to i32", "-21"),
            ("%7 = -1:i24\n%0 = sext i24 %7 to i32", "-1"),
            (
                "%3 = fneg f64 0.0:f64\n%1 = bits f64 %3 to i64\n%1 = lshr i64 %1, 63:i64\n%0 = trunc i64 %1 to i32",
                "1",
            ),
            ("%3 = math sqrt f64 16.0:f64, 16.0:f64\n%0 = ftosi f64 %3 to i32", "4"),
            ("%0 = clz i32 256:i32", "23"),
        ];
        for (lines, expected) in cases {
            assert_eq!(exit_of("", regs, lines), format!("exit {expected}"), "{lines}");
        }
    }

    #[test]
    fn memory_of_odd_widths() {
        let items = "shape s0 = bytes 32\nglobal @g s0 size 32 align 16 = { 0: \"\\01\\02\\03\\04\\05\\06\\07\\08\" }";
        let regs = "%0 i32, %1 i24, %2 i33, %3 i1, %4 i128, %5 i64";
        let cases = [
            ("%1 = load i24 @g+1\n%0 = zext i24 %1 to i32", 0x040302),
            ("%2 = load i33 @g\n%2 = lshr i33 %2, 1:i33\n%0 = trunc i33 %2 to i32", 0x8201_8100u32 as i32),
            ("%3 = load i1 @g+1\n%0 = zext i1 %3 to i32", 0),
            (
                "store i128 @g+8, -2:i128\n%4 = load i128 @g+8\n%4 = ashr i128 %4, 100:i128\n%0 = trunc i128 %4 to i32",
                -1,
            ),
            ("store i24 @g, 0:i24\n%0 = load i32 @g", 0x0400_0000),
        ];
        for (lines, expected) in cases {
            assert_eq!(exit_of(items, regs, lines), format!("exit {expected}"), "{lines}");
        }
    }

    #[test]
    fn atomics() {
        let items = "shape s0 = i32\nglobal @g s0 size 4 align 4 = { 0: \"\\0a\" }";
        let regs = "%0 i32, %1 i1, %2 i32";
        let cases = [
            ("%0 = rmw add i32 @g, 5:i32 seq_cst\n%2 = load i32 @g\n%0 = sub i32 %2, %0", 5),
            ("%0 = rmw nand i32 @g, 8:i32 relaxed\n%0 = load i32 @g", -9),
            ("%0 = rmw exchange i32 @g, 7:i32 acq_rel\n%2 = load i32 @g\n%0 = add i32 %0, %2", 17),
            (
                "%1, %2 = cmpxchg i32 @g, 10:i32, 3:i32 seq_cst relaxed\n%0 = load i32 @g\n%0 = add i32 %0, %2",
                13,
            ),
            (
                "%1, %2 = cmpxchg i32 @g, 11:i32, 3:i32 seq_cst relaxed\nfence seq_cst\n%0 = load i32 @g\n%0 = add i32 %0, %2",
                20,
            ),
        ];
        for (lines, expected) in cases {
            assert_eq!(exit_of(items, regs, lines), format!("exit {expected}"), "{lines}");
        }
        let weak =
            "b0:\n%1, %2 = cmpxchg weak i32 @g, 10:i32, 3:i32 seq_cst relaxed\n%0 = load i32 @g\nret %0";
        let mut env = TestEnv { weak_fail: 1, ..TestEnv::default() };
        assert_eq!(run_with(&main_of(items, regs, weak), "all", Limits::default(), &mut env).1, "exit 10");
    }

    #[test]
    fn shadow_space_is_apart_and_zero() {
        let items = "shape s0 = i32\nglobal @g s0 size 4 align 4 = { 0: \"\\0a\" }";
        let lines = "%0 = load i32 @g shadow\nstore i32 @g, 5:i32 shadow\n%1 = load i32 @g shadow\n\
                     %0 = add i32 %0, %1\n%1 = load i32 @g\n%1 = mul i32 %1, 100:i32\n%0 = add i32 %0, %1";
        assert_eq!(exit_of(items, "%0 i32, %1 i32", lines), "exit 1005");
    }

    #[test]
    fn uninitialised_memory_is_chosen_once() {
        let text = main_of(
            "shape s0 = i32",
            "%0 i32, %1 ptr, %2 i32, %3 i8",
            "local l0 s0 size 4 align 4\nb0:\nlive l0\n%1 = local l0\n%0 = load i32 %1\n%2 = load i32 %1\n\
             %0 = sub i32 %0, %2\nlive l0\n%1 = local l0\nstore i8 %1, 1:i8\n%2 = load i32 %1\n%0 = add i32 %0, %2\nret %0",
        );
        let mut env = TestEnv { uninit: 2, ..TestEnv::default() };
        let (_, outcome) = run_with(&text, "all", Limits::default(), &mut env);
        assert_eq!(outcome, format!("exit {}", 0x0202_0201));
        let types: Vec<Ty> = env.choices.iter().map(|choice| choice.ty).collect();
        assert_eq!(types, [Ty::Int(32), Ty::Int(8), Ty::Int(8), Ty::Int(8)]);
        assert!(env.choices.iter().all(|choice| choice.kind == ChoiceKind::Uninit));
        let offsets: Vec<u64> = env.choices.iter().map(|choice| choice.memory.unwrap().1).collect();
        assert_eq!(offsets, [0, 1, 2, 3]);
    }

    #[test]
    fn input_output_and_choices() {
        let text = main_of(
            "",
            "%0 i32, %1 i8, %2 i1",
            "b0:\n%0 = input\n%2 = slt i32 %0, 0:i32\nbr %2, b2, b1\nb1:\n%1 = trunc i32 %0 to i8\noutput 1, %1\njump b0\n\
             b2:\n%0 = nondet i32 value\nexit %0\nunreachable",
        );
        let mut env = TestEnv { value: 1 << 40 | 9, input: b"hi".to_vec(), ..TestEnv::default() };
        let (outcome, _) = run_with(&text, "all", Limits::default(), &mut env);
        assert_eq!((outcome, env.output.as_slice()), (Outcome::Exited { code: 9 }, b"hi".as_slice()));
    }

    #[test]
    fn limits() {
        let endless = main_of("", "", "b0:\njump b0");
        let soon = Limits { deadline: Some(Instant::now()), ..Limits::default() };
        assert_eq!(run_with(&endless, "all", soon, &mut TestEnv::default()).1, "time limit reached");
        let recursive = main_of("fn &f() {\nb0:\ncall &f()\nret\n}", "", "b0:\ncall &f()\nret 0:i32");
        let small = Limits { max_depth: 1000, memory: 1 << 20, ..Limits::default() };
        let (outcome, text) = run_with(&recursive, "all", small, &mut TestEnv::default());
        assert_eq!(text, "stack overflow: 1000 nested calls, the innermost of 'f'");
        assert!(matches!(outcome, Outcome::ResourceLimit { stack, .. } if stack.len() == 16));
        let greedy = main_of(
            "shape s0 = bytes 1",
            "%0 ptr",
            "b0:\n%0 = alloc heap 8589934592:i64, 16:i64\nfill %0, 1:i8, 8589934592:i64 s0\nret 0:i32",
        );
        assert_eq!(
            run_with(&greedy, "all", small, &mut TestEnv::default()).1,
            "memory limit of 1 MiB reached"
        );
        let huge = main_of("", "%0 ptr", "b0:\n%0 = alloc heap -1:i64, 16:i64\nret 0:i32");
        assert!(run(&huge).starts_with("no room in the address space"));
    }

    #[test]
    fn ends() {
        assert_eq!(run(&main_of("", "", "b0:\nabort\nret 0:i32")), "abort");
        assert_eq!(run(&main_of("", "", "b0:\nunsupported \"asm\"\nret 0:i32")), "unsupported: asm");
        assert_eq!(run(&main_of("", "", "b0:\nassume 0:i1\nret 0:i32")), "assume failed");
        assert!(run(&main_of("", "", "b0:\nunreachable")).starts_with("unsupported: control reaches"));
    }

    #[test]
    fn thread_locals_have_their_initial_contents() {
        let items = "shape s0 = i32\nshape s1 = ptr\nglobal @g s0 size 4 align 4 = { 0: \"\\07\" }\n\
                     global @t s1 size 8 align 8 tls = { 0: @g }";
        let lines = "%1 = tls @t\n%1 = load ptr %1\n%0 = load i32 %1";
        assert_eq!(exit_of(items, "%0 i32, %1 ptr", lines), "exit 7");
    }

    #[test]
    fn control_by_addresses_is_noted() {
        let items = "shape s0 = i32\nglobal @a s0 size 4 align 4\nglobal @b s0 size 4 align 4";
        let regs = "%0 i32, %1 i1, %2 i64";
        let branch = |lines: &str| {
            let lines = format!("b0:\n{lines}\nbr %1, b1, b1 @ 0:3:4\nb1:\nret 0:i32");
            run(&main_of(items, regs, &lines))
        };
        assert_eq!(branch("%1 = eq ptr @a, @b"), "exit 0");
        assert_eq!(branch("%1 = ult ptr @a, @a+4"), "exit 0");
        assert_eq!(branch("%1 = ne ptr @a, null"), "exit 0");
        assert_eq!(branch("%1 = ult ptr @a, @b"), "exit 0 (depends on addresses at 3:4)");
        assert_eq!(branch("%1 = eq ptr @a+4, @b"), "exit 0 (depends on addresses at 3:4)");
        let number = "%2 = ptrtoint ptr @a to i64\n";
        assert_eq!(branch(&format!("{number}%2 = and i64 %2, 3:i64\n%1 = eq i64 %2, 0:i64")), "exit 0");
        let hashed = format!("{number}%2 = mul i64 %2, 31:i64\n%1 = eq i64 %2, 0:i64");
        assert_eq!(branch(&hashed), "exit 0 (depends on addresses at 3:4)");
    }

    /// Two runs of one state give the same: the state is all there is.
    #[test]
    fn a_cloned_state_continues_alike() {
        let text = main_of(
            "shape s0 = i32\nglobal @g s0 size 4 align 4",
            "%0 i32, %1 i1",
            "b0:\n%0 = load i32 @g\n%0 = add i32 %0, 3:i32\nstore i32 @g, %0\n%1 = slt i32 %0, 30:i32\nbr %1, b0, b1\nb1:\nret %0",
        );
        let program = program(&text);
        let image = Image::new(&program, braid_props::CheckSet::all()).unwrap();
        let mut machine = Machine::new(&image, Options::default()).unwrap();
        let mut env = TestEnv::default();
        for _ in 0..12 {
            machine.step(&mut env).unwrap();
        }
        let copy = machine.state.clone();
        assert_eq!(machine.run(&mut env), Outcome::Exited { code: 30 });
        machine.state = copy;
        assert_eq!(machine.run(&mut env), Outcome::Exited { code: 30 });
    }
}
