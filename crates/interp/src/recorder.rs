//! Records what a run does as a [`Trace`], and answers from one.
//!
//! Counts every execution of every instruction by every thread, which is how operations get their
//! names; a run without a recorder does not pay for it. What a section did that was then not entered
//! is taken back.

use crate::machine::Machine;
use crate::object::Kind;
use crate::trace::{ChoiceLabel, ObjectRef, OpRef, ThreadPath, Trace, TraceChoice, TraceMemory};
use braid_base::HashMap;
use braid_ir::InstrId;

/// Operations a thread executed since its last listed one are remembered up to this many.
const TAIL: usize = 1 << 20;

#[derive(Clone, Debug, Default)]
pub(crate) struct Recorder {
    pub trace: Trace,
    counts: HashMap<(u32, InstrId), u32>,
    /// How many choices the running instruction has asked for.
    asked: usize,
    /// Frame objects and blocks by their base address.
    made: HashMap<u64, OpRef>,
    /// Executed since the last `mark`, if there is one.
    journal: Option<Vec<(u32, InstrId, u32)>>,
    /// The choices that `go_back` last took back.
    pub dropped: Vec<TraceChoice>,
    pub replay: Option<Replay>,
}

/// The answers of a recorded execution.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replay {
    choices: HashMap<(ThreadPath, InstrId, u32), Vec<u128>>,
    memory: HashMap<(ObjectRef, u64, u8), u128>,
    /// By thread: operations executed since the last one that was matched.
    tail: HashMap<u32, Vec<(InstrId, u32)>>,
}

impl Replay {
    pub fn new(trace: &Trace) -> Replay {
        let mut replay = Replay::default();
        for choice in &trace.choices {
            let key = (choice.at.thread.clone(), choice.at.instr, choice.at.occurrence);
            replay.choices.entry(key).or_default().push(choice.value);
        }
        for memory in &trace.memory {
            let object = nameless(&memory.object);
            replay.memory.insert((object, memory.offset, memory.bytes), memory.value);
        }
        replay
    }

    /// Whether the thread has executed the operation since the last one that was matched; if so,
    /// everything before it is done with.
    pub fn take(&mut self, thread: u32, instr: InstrId, occurrence: u32) -> bool {
        let Some(tail) = self.tail.get_mut(&thread) else { return false };
        match tail.iter().position(|op| *op == (instr, occurrence)) {
            Some(index) => {
                tail.drain(..=index);
                true
            }
            None => false,
        }
    }
}

/// The object without what is only for people, as a key.
fn nameless(object: &ObjectRef) -> ObjectRef {
    match object {
        ObjectRef::Made(op) => {
            let function = braid_base::Symbol::intern("");
            ObjectRef::Made(OpRef { function, loc: braid_ir::Loc::NONE, ..op.clone() })
        }
        ObjectRef::Global(_) | ObjectRef::ThreadLocal(..) => object.clone(),
    }
}

/// A point to return to.
pub(crate) struct Mark {
    steps: usize,
    choices: usize,
    memory: usize,
}

impl Recorder {
    pub fn count(&self, thread: u32, instr: InstrId) -> u32 {
        self.counts.get(&(thread, instr)).copied().unwrap_or(0)
    }

    fn executed(&mut self, thread: u32, instr: InstrId, times: u32) {
        let count = self.counts.entry((thread, instr)).or_insert(0);
        let first = *count;
        *count += times;
        self.asked = 0;
        if let Some(journal) = &mut self.journal {
            journal.push((thread, instr, times));
        }
        if let Some(replay) = &mut self.replay {
            let tail = replay.tail.entry(thread).or_default();
            tail.extend((first..first + times).map(|occurrence| (instr, occurrence)));
            if tail.len() > TAIL {
                tail.drain(..TAIL / 2);
            }
        }
    }

    fn unexecuted(&mut self, thread: u32, instr: InstrId, times: u32) {
        if let Some(count) = self.counts.get_mut(&(thread, instr)) {
            *count -= times;
        }
        if let Some(tail) = self.replay.as_mut().and_then(|replay| replay.tail.get_mut(&thread)) {
            tail.truncate(tail.len().saturating_sub(times as usize));
        }
    }

    pub fn mark(&mut self) -> Mark {
        self.journal = Some(Vec::new());
        let Trace { steps, choices, memory, .. } = &self.trace;
        Mark { steps: steps.len(), choices: choices.len(), memory: memory.len() }
    }

    pub fn keep(&mut self) {
        self.journal = None;
    }

    pub fn go_back(&mut self, mark: &Mark) {
        for (thread, instr, times) in self.journal.take().into_iter().flatten().rev() {
            self.unexecuted(thread, instr, times);
        }
        self.trace.steps.truncate(mark.steps);
        self.dropped = self.trace.choices.split_off(mark.choices);
        self.trace.memory.truncate(mark.memory);
    }
}

impl Machine<'_> {
    /// The next instruction of a thread as an operation.
    pub(crate) fn next_op(&self, thread: usize) -> OpRef {
        self.op_ref(thread, self.state.threads[thread].frame.pc, 0)
    }

    /// The instruction the running thread is executing.
    pub(crate) fn running_op(&self) -> OpRef {
        self.op_ref(self.state.current, self.pc(), 1)
    }

    fn op_ref(&self, thread: usize, pc: u32, counted: u32) -> OpRef {
        let thread = &self.state.threads[thread];
        let (instr, own) = self.image.origin[pc as usize];
        // Steps of library models stand at the user's call.
        let site = self.site_of(thread, pc).loc;
        let loc = if site.line > 0 { site } else { own };
        let count = self.recorder.as_ref().map_or(0, |recorder| recorder.count(thread.number, instr));
        let function = self.image.function(thread.frame.func).name;
        let occurrence = count.saturating_sub(counted);
        OpRef { thread: thread.path.clone(), function, instr, occurrence, loc }
    }

    /// The running thread is about to execute its next instruction.
    #[inline]
    pub(crate) fn count_step(&mut self) {
        if self.recorder.is_some() {
            self.count_next(1);
        }
    }

    #[cold]
    fn count_next(&mut self, times: u32) {
        let thread = &self.state.threads[self.state.current];
        let (instr, _) = self.image.origin[thread.frame.pc as usize];
        if let Some(recorder) = &mut self.recorder {
            recorder.executed(thread.number, instr, times);
        }
    }

    /// More leaves of the running instruction than the one counted.
    pub(crate) fn count_leaves(&mut self, leaves: impl FnOnce() -> u32) {
        if self.recorder.is_none() {
            return;
        }
        let times = leaves().saturating_sub(1);
        let (instr, _) = self.image.origin[self.pc() as usize];
        let number = self.state.threads[self.state.current].number;
        if let Some(recorder) = &mut self.recorder {
            recorder.executed(number, instr, times);
        }
    }

    /// The instruction was not executed after all; the program counter stands before it again.
    pub(crate) fn uncount_step(&mut self) {
        let thread = &self.state.threads[self.state.current];
        let (instr, _) = self.image.origin[thread.frame.pc as usize];
        if let Some(recorder) = &mut self.recorder {
            recorder.unexecuted(thread.number, instr, 1);
            if let Some(journal) = &mut recorder.journal {
                journal.pop();
            }
        }
    }

    /// The thread's next instruction is a visible step that is now taken.
    pub(crate) fn list_step(&mut self, thread: usize) {
        if let Some(watch) = &mut self.watch {
            watch.note_visible();
        }
        if self.recorder.is_some() {
            let op = self.next_op(thread);
            if let Some(recorder) = &mut self.recorder {
                recorder.trace.steps.push(op);
            }
        }
    }

    /// The running instruction starts a thread, which is listed whether or not it is a visible step.
    pub(crate) fn list_spawn(&mut self) {
        if self.recorder.is_some() {
            let op = self.running_op();
            if let Some(recorder) = &mut self.recorder
                && recorder.trace.steps.last().is_none_or(|last| !last.same(&op))
            {
                recorder.trace.steps.push(op);
            }
        }
    }

    /// The running instruction made an object.
    pub(crate) fn note_made(&mut self, base: u64) {
        if self.recorder.is_some() {
            let op = self.running_op();
            if let Some(recorder) = &mut self.recorder {
                recorder.made.insert(base, op);
            }
        }
    }

    /// The recorded answer to the running instruction's next choice.
    pub(crate) fn recorded_choice(&mut self) -> Option<u128> {
        let op = self.recorder.as_ref().filter(|r| r.replay.is_some()).map(|_| self.running_op())?;
        let recorder = self.recorder.as_mut()?;
        let answers = recorder.replay.as_ref()?.choices.get(&(op.thread, op.instr, op.occurrence))?;
        let answer = answers.get(recorder.asked).copied();
        recorder.asked += 1;
        answer
    }

    pub(crate) fn record_choice(&mut self, kind: ChoiceLabel, value: u128) {
        if self.recorder.is_some() {
            let at = self.running_op();
            if let Some(recorder) = &mut self.recorder {
                recorder.trace.choices.push(TraceChoice { at, kind, value });
            }
        }
    }

    fn object_ref(&self, base: u64) -> Option<ObjectRef> {
        let id = self.state.memory.object_at(base)?;
        let kind = self.state.memory.identity(id)?.kind;
        let name = |global| self.image.program.globals[global].name;
        match kind {
            Kind::Global(global) => Some(ObjectRef::Global(name(global))),
            Kind::ThreadLocal(global) => {
                let owner = self.state.threads.iter().find(|thread| thread.thread_locals.contains(&id))?;
                Some(ObjectRef::ThreadLocal(owner.path.clone(), name(global)))
            }
            Kind::Local(..) | Kind::Stack | Kind::Heap => {
                Some(ObjectRef::Made(self.recorder.as_ref()?.made.get(&base)?.clone()))
            }
            Kind::Function(_) | Kind::Thread(_) => None,
        }
    }

    pub(crate) fn recorded_memory(&self, base: u64, offset: u64, bytes: u8) -> Option<u128> {
        let replay = self.recorder.as_ref()?.replay.as_ref()?;
        let object = nameless(&self.object_ref(base)?);
        let at = |offset, bytes| replay.memory.get(&(object.clone(), offset, bytes)).copied();
        if let Some(value) = at(offset, bytes) {
            return Some(value);
        }
        // Others write it down byte by byte.
        let parts: Vec<Option<u128>> = (0..bytes).map(|i| at(offset + u64::from(i), 1)).collect();
        let known = parts.iter().any(Option::is_some);
        known.then(|| parts.iter().rev().fold(0, |value, part| value << 8 | part.unwrap_or(0)))
    }

    pub(crate) fn record_memory(&mut self, base: u64, offset: u64, bytes: u8, value: u128) {
        if self.recorder.is_none() {
            return;
        }
        let Some(object) = self.object_ref(base) else { return };
        if let Some(recorder) = &mut self.recorder {
            recorder.trace.memory.push(TraceMemory { object, offset, bytes, value });
        }
    }
}
