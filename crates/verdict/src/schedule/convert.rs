//! Between schedule files and the interpreter's traces.

use super::{
    ChoiceEntry, ChoiceName, MemoryEntry, ObjectName, Operation, ScheduleError, ScheduleFile, VERSION,
    ViolationEntry,
};
use crate::ProgramIdentity;
use braid_base::{HashMap, Symbol};
use braid_interp::{
    ChoiceLabel, ObjectRef, OpRef, ThreadPath, Trace, TraceChoice, TraceEnd, TraceMemory, place_text,
};
use braid_ir::{ChoiceKind, FuncId, Instr, InstrId, Loc, Op, Program};
use braid_props::Check;

impl ScheduleFile {
    /// The file of a trace of this program.
    pub fn of_trace(program: &Program, trace: &Trace) -> ScheduleFile {
        let steps: Vec<Operation> = trace.steps.iter().map(|at| operation(program, at)).collect();
        let mut threads: Vec<String> = Vec::new();
        for step in &steps {
            if !threads.contains(&step.thread) {
                threads.push(step.thread.clone());
            }
        }
        ScheduleFile {
            braid_schedule: VERSION,
            program: ProgramIdentity::of(program),
            threads,
            steps,
            choices: trace.choices.iter().map(|choice| choice_entry(program, choice)).collect(),
            uninitialised: trace.memory.iter().map(|memory| memory_entry(program, memory)).collect(),
            violation: trace.violation.as_ref().map(|end| violation_entry(program, end)),
            sequential: None,
        }
    }

    /// The trace, if the file is for this program.
    pub fn to_trace(&self, program: &Program) -> Result<Trace, ScheduleError> {
        let reader = Reader::new(program);
        if self.program.hash != ProgramIdentity::of(program).hash {
            let files = self.program.files.clone();
            return Err(ScheduleError::OtherProgram { files, step: reader.first_stranger(&self.steps) });
        }
        each("threads", &self.threads, |path| thread(path))?;
        Ok(Trace {
            steps: each("steps", &self.steps, |step| reader.operation(step))?,
            choices: each("choices", &self.choices, |choice| reader.choice(choice))?,
            memory: each("uninitialised", &self.uninitialised, |memory| reader.memory(memory))?,
            violation: self.violation.as_ref().map(|entry| reader.violation(entry)).transpose()?,
        })
    }
}

fn operation(program: &Program, at: &OpRef) -> Operation {
    Operation {
        thread: at.thread.to_string(),
        function: at.function.to_string(),
        instruction: at.instr.0,
        occurrence: at.occurrence,
        place: if at.loc.line == 0 { String::new() } else { place_text(program, at.loc) },
    }
}

/// The kinds of choices and their names in the file.
const KINDS: [(ChoiceLabel, ChoiceName); 12] = [
    (ChoiceLabel::Kind(ChoiceKind::Value), ChoiceName::Value),
    (ChoiceLabel::Kind(ChoiceKind::Uninit), ChoiceName::Uninitialised),
    (ChoiceLabel::Kind(ChoiceKind::Clock), ChoiceName::Clock),
    (ChoiceLabel::Kind(ChoiceKind::Timeout), ChoiceName::Timeout),
    (ChoiceLabel::Kind(ChoiceKind::Wake), ChoiceName::Wake),
    (ChoiceLabel::Kind(ChoiceKind::WeakFail), ChoiceName::WeakFail),
    (ChoiceLabel::Kind(ChoiceKind::AllocFail), ChoiceName::AllocFail),
    (ChoiceLabel::Kind(ChoiceKind::Spurious), ChoiceName::Spurious),
    (ChoiceLabel::Kind(ChoiceKind::Base), ChoiceName::Base),
    (ChoiceLabel::Kind(ChoiceKind::CallFail), ChoiceName::CallFail),
    (ChoiceLabel::Kind(ChoiceKind::Random), ChoiceName::Random),
    (ChoiceLabel::Input, ChoiceName::Input),
];

impl ChoiceName {
    /// The name of a kind.
    pub fn of(label: ChoiceLabel) -> ChoiceName {
        let row = KINDS.iter().find(|(known, _)| *known == label);
        row.expect("the table lists every kind").1
    }
}

fn choice_entry(program: &Program, choice: &TraceChoice) -> ChoiceEntry {
    let kind = ChoiceName::of(choice.kind);
    ChoiceEntry { at: operation(program, &choice.at), kind, value: choice.value.to_string() }
}

fn memory_entry(program: &Program, memory: &TraceMemory) -> MemoryEntry {
    let object = match &memory.object {
        ObjectRef::Global(name) => ObjectName::Global(name.to_string()),
        ObjectRef::ThreadLocal(thread, name) => {
            ObjectName::ThreadLocal { thread: thread.to_string(), name: name.to_string() }
        }
        ObjectRef::Made(at) => ObjectName::Made(operation(program, at)),
    };
    MemoryEntry { object, offset: memory.offset, bytes: memory.bytes, value: memory.value.to_string() }
}

fn violation_entry(program: &Program, end: &TraceEnd) -> ViolationEntry {
    let at = end.at.iter().map(|at| operation(program, at)).collect();
    ViolationEntry { property: end.check.id().to_string(), from: end.from, at }
}

/// Converts a list; an error gets the place of its item.
fn each<T, U>(
    list: &str,
    items: &[T],
    convert: impl Fn(&T) -> Result<U, String>,
) -> Result<Vec<U>, ScheduleError> {
    let entry = |(index, item)| {
        convert(item).map_err(|problem| ScheduleError::Entry { at: format!("{list}[{index}]"), problem })
    };
    items.iter().enumerate().map(entry).collect()
}

/// Names of a file, looked up in a program.
struct Reader<'p> {
    program: &'p Program,
    instructions: HashMap<InstrId, (FuncId, Loc)>,
}

impl<'p> Reader<'p> {
    fn new(program: &'p Program) -> Reader<'p> {
        let mut instructions = HashMap::default();
        for (func, function) in program.functions.enumerated() {
            for block in function.blocks.iter() {
                for instr in &block.instrs {
                    note(&mut instructions, func, instr);
                }
                instructions.insert(block.end.id, (func, block.end.loc));
            }
        }
        Reader { program, instructions }
    }

    /// The function and place of the operation's instruction, if the program has it.
    fn find(&self, step: &Operation) -> Option<(FuncId, Loc)> {
        let &(func, loc) = self.instructions.get(&InstrId(step.instruction))?;
        (self.program.functions[func].name.as_str() == step.function).then_some((func, loc))
    }

    /// The first step whose operation is not here, or stands elsewhere in the source.
    fn first_stranger(&self, steps: &[Operation]) -> Option<(usize, String)> {
        let fits = |step: &Operation| {
            self.find(step).is_some_and(|(func, loc)| {
                let internal = self.program.functions[func].internal;
                internal || line_and_column(&step.place).is_none_or(|at| at == (loc.line, loc.column))
            })
        };
        let index = steps.iter().position(|step| !fits(step))?;
        Some((index, steps[index].to_string()))
    }

    fn operation(&self, step: &Operation) -> Result<OpRef, String> {
        let (func, loc) = self.find(step).ok_or_else(|| {
            format!("the program has no instruction {} in a function '{}'", step.instruction, step.function)
        })?;
        Ok(OpRef {
            thread: thread(&step.thread)?,
            function: self.program.functions[func].name,
            instr: InstrId(step.instruction),
            occurrence: step.occurrence,
            loc,
        })
    }

    fn choice(&self, entry: &ChoiceEntry) -> Result<TraceChoice, String> {
        let row = KINDS.iter().find(|(_, name)| *name == entry.kind);
        let kind = row.expect("the table lists every name").0;
        Ok(TraceChoice { at: self.operation(&entry.at)?, kind, value: number(&entry.value)? })
    }

    fn memory(&self, entry: &MemoryEntry) -> Result<TraceMemory, String> {
        let object = match &entry.object {
            ObjectName::Global(name) => ObjectRef::Global(self.global(name)?),
            ObjectName::ThreadLocal { thread: path, name } => {
                ObjectRef::ThreadLocal(thread(path)?, self.global(name)?)
            }
            ObjectName::Made(at) => ObjectRef::Made(self.operation(at)?),
        };
        if !(1..=16).contains(&entry.bytes) {
            return Err(format!("'bytes' is {}, but must be 1 to 16", entry.bytes));
        }
        let value = number(&entry.value)?;
        Ok(TraceMemory { object, offset: entry.offset, bytes: entry.bytes, value })
    }

    fn global(&self, name: &str) -> Result<Symbol, String> {
        let found = self.program.globals.iter().find(|g| g.name.as_str() == name);
        found.map(|g| g.name).ok_or_else(|| format!("the program has no variable '{name}'"))
    }

    fn violation(&self, entry: &ViolationEntry) -> Result<TraceEnd, ScheduleError> {
        let check = Check::from_id(&entry.property).ok_or_else(|| ScheduleError::Entry {
            at: "violation.property".to_string(),
            problem: format!("there is no property '{}'", entry.property),
        })?;
        let at = each("violation.at", &entry.at, |at| self.operation(at))?;
        Ok(TraceEnd { check, at, from: entry.from })
    }
}

fn note(instructions: &mut HashMap<InstrId, (FuncId, Loc)>, func: FuncId, instr: &Instr) {
    instructions.insert(instr.id, (func, instr.loc));
    if let Op::AtomicBegin { when: Some(guard) } = &instr.op {
        for inner in &guard.instrs {
            note(instructions, func, inner);
        }
    }
}

fn thread(path: &str) -> Result<ThreadPath, String> {
    path.parse().map_err(|_| format!("'{path}' is no thread: expected main, main/1, main/1/2 …"))
}

fn number(text: &str) -> Result<u128, String> {
    text.parse().map_err(|_| format!("'{text}' is no value: expected a decimal number of at most 128 bits"))
}

/// The end of `file:line:column`.
fn line_and_column(place: &str) -> Option<(u32, u32)> {
    let mut parts = place.rsplitn(3, ':');
    let column = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    Some((line, column))
}
