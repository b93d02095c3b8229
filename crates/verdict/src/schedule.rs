//! Schedule files: one execution of a program, as versioned JSON.
//!
//! A file names threads by their spawn paths and operations by (thread, function, instruction,
//! occurrence), with the source place beside it for people. It holds what the interpreter cannot know by
//! itself: the interleaving, the choices, and the contents of uninitialised memory. The manual of the
//! format is `docs/schedules.md`.
//!
//! Reading is strict: a field that is not understood, a version that is not ours or an operation that the
//! program does not have is an error that names it.

mod convert;

use crate::ProgramIdentity;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The version this crate writes, and the only one it reads.
pub const VERSION: u64 = 1;

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScheduleFile {
    /// The version; its name tells the file from other JSON.
    pub braid_schedule: u64,
    pub program: ProgramIdentity,
    /// The spawn paths of the threads that take part, in order of their first step.
    pub threads: Vec<String>,
    /// The interleaving. Operations that are not listed run just before their thread's next listed one.
    pub steps: Vec<Operation>,
    #[serde(default)]
    pub choices: Vec<ChoiceEntry>,
    /// Contents of memory that was read before it was written.
    #[serde(default)]
    pub uninitialised: Vec<MemoryEntry>,
    /// Where the execution ends, if it is there to show something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub violation: Option<ViolationEntry>,
    /// The choices of the sequential program that `braid seq` makes, for the same violation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequential: Option<SequentialEntry>,
}

/// Bounds of a sequential program, and choices with which it violates the property.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SequentialEntry {
    pub unwind: u32,
    pub rounds: u32,
    pub property: String,
    /// The values of `nondet()`, in order.
    pub nondet: Vec<u32>,
}

/// An operation of a thread. The place is for people; reading ignores it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    pub thread: String,
    pub function: String,
    pub instruction: u32,
    /// How often the thread had executed the instruction before; 0 the first time.
    pub occurrence: u32,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChoiceEntry {
    pub at: Operation,
    pub kind: ChoiceName,
    /// In decimal, as a string: it may have 128 bits.
    pub value: String,
}

/// The kinds of choices.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChoiceName {
    Value,
    Uninitialised,
    Clock,
    Timeout,
    Wake,
    WeakFail,
    AllocFail,
    Spurious,
    Base,
    CallFail,
    Random,
    Input,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemoryEntry {
    pub object: ObjectName,
    pub offset: u64,
    /// How many bytes the value covers, at most 16.
    pub bytes: u8,
    pub value: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ObjectName {
    Global(String),
    ThreadLocal {
        thread: String,
        name: String,
    },
    /// Made by this operation: an allocation, or a local variable coming to life.
    Made(Operation),
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ViolationEntry {
    pub property: String,
    /// For a livelock: the index of the first of the steps that can be repeated for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<usize>,
    /// The operations it stands at: two for a data race, those that wait for a deadlock.
    pub at: Vec<Operation>,
}

/// Why a text is no schedule for a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScheduleError {
    /// Not JSON, or not of the right form; the text says where.
    Syntax(String),
    NotASchedule,
    Version(u64),
    /// Recorded for another program, whose first operation that is not here is given.
    OtherProgram {
        files: Vec<String>,
        step: Option<(usize, String)>,
    },
    /// An entry that makes no sense: where it stands, and why.
    Entry {
        at: String,
        problem: String,
    },
}

impl fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScheduleError::Syntax(message) => write!(f, "not a valid schedule: {message}"),
            ScheduleError::NotASchedule => f.write_str("not a schedule: 'braid_schedule' is missing"),
            ScheduleError::Version(found) => {
                write!(f, "schedule of format version {found}; this Braid reads version {VERSION}")
            }
            ScheduleError::OtherProgram { files, step } => {
                write!(f, "the schedule was recorded for another program ({})", files.join(", "))?;
                match step {
                    Some((index, operation)) => {
                        write!(f, "; the first step that does not match is steps[{index}]: {operation}")
                    }
                    None => f.write_str(
                        "; all its operations exist here, but the code around them or initial values differ",
                    ),
                }
            }
            ScheduleError::Entry { at, problem } => write!(f, "{at}: {problem}"),
        }
    }
}

impl std::error::Error for ScheduleError {}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "instruction {} of '{}' in thread {}", self.instruction, self.function, self.thread)?;
        if self.occurrence > 0 {
            write!(f, ", occurrence {}", self.occurrence)?;
        }
        if self.place.is_empty() { Ok(()) } else { write!(f, " ({})", self.place) }
    }
}

impl ScheduleFile {
    /// The text of the file: one line per operation.
    pub fn to_json(&self) -> String {
        let line =
            |value: Result<String, serde_json::Error>| value.expect("strings and numbers always serialise");
        let mut out = format!("{{\n\"braid_schedule\": {},\n", self.braid_schedule);
        out += &format!("\"program\": {},\n", line(serde_json::to_string(&self.program)));
        out += &format!("\"threads\": {},\n", line(serde_json::to_string(&self.threads)));
        out += &format!("\"steps\": {},\n", lines(&self.steps));
        out += &format!("\"choices\": {},\n", lines(&self.choices));
        out += &format!("\"uninitialised\": {}", lines(&self.uninitialised));
        if let Some(violation) = &self.violation {
            let property = line(serde_json::to_string(&violation.property));
            let from = violation.from.map_or(String::new(), |from| format!("\"from\": {from}, "));
            out += &format!(
                ",\n\"violation\": {{\"property\": {property}, {from}\"at\": {}}}",
                lines(&violation.at)
            );
        }
        if let Some(sequential) = &self.sequential {
            out += &format!(",\n\"sequential\": {}", line(serde_json::to_string(sequential)));
        }
        out + "\n}\n"
    }

    /// Reads a text without looking at any program.
    pub fn from_json(text: &str) -> Result<ScheduleFile, ScheduleError> {
        let syntax = |error: serde_json::Error| ScheduleError::Syntax(error.to_string());
        let value: serde_json::Value = serde_json::from_str(text).map_err(syntax)?;
        match value.get("braid_schedule").and_then(serde_json::Value::as_u64) {
            Some(VERSION) => serde_json::from_str(text).map_err(syntax),
            Some(version) => Err(ScheduleError::Version(version)),
            None => Err(ScheduleError::NotASchedule),
        }
    }
}

/// A list with one item a line.
fn lines<T: Serialize>(items: &[T]) -> String {
    if items.is_empty() {
        return "[]".to_string();
    }
    let texts =
        items.iter().map(|item| serde_json::to_string(item).expect("strings and numbers always serialise"));
    format!("[\n  {}\n]", texts.collect::<Vec<_>>().join(",\n  "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> ScheduleFile {
        let at = Operation {
            thread: "main/1".to_string(),
            function: "worker".to_string(),
            instruction: 7,
            occurrence: 0,
            place: "a.c:3:5".to_string(),
        };
        ScheduleFile {
            braid_schedule: VERSION,
            program: ProgramIdentity { files: vec!["a.c".to_string()], hash: "00".to_string() },
            threads: vec!["main".to_string(), "main/1".to_string()],
            steps: vec![at.clone()],
            choices: vec![ChoiceEntry { at: at.clone(), kind: ChoiceName::WeakFail, value: "1".to_string() }],
            uninitialised: vec![MemoryEntry {
                object: ObjectName::Made(at.clone()),
                offset: 4,
                bytes: 4,
                value: "340282366920938463463374607431768211455".to_string(),
            }],
            violation: Some(ViolationEntry { property: "livelock".to_string(), from: Some(0), at: vec![at] }),
            sequential: Some(SequentialEntry {
                unwind: 1,
                rounds: 2,
                property: "livelock".to_string(),
                nondet: vec![0, u32::MAX],
            }),
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        let text = sample().to_json();
        assert_eq!(ScheduleFile::from_json(&text), Ok(sample()));
        let at = sample().steps;
        let race = ViolationEntry { property: "data-race".to_string(), from: None, at };
        let race = ScheduleFile { violation: Some(race), ..sample() };
        assert!(!race.to_json().contains("from"));
        assert_eq!(ScheduleFile::from_json(&race.to_json()), Ok(race));
        let bare = ScheduleFile {
            choices: vec![],
            uninitialised: vec![],
            violation: None,
            sequential: None,
            ..sample()
        };
        assert_eq!(ScheduleFile::from_json(&bare.to_json()), Ok(bare));
    }

    #[test]
    fn the_text_is_for_people_too() {
        let bare = ScheduleFile {
            choices: vec![],
            uninitialised: vec![],
            violation: None,
            sequential: None,
            ..sample()
        };
        expect_test::expect![[r#"
            {
            "braid_schedule": 1,
            "program": {"files":["a.c"],"hash":"00"},
            "threads": ["main","main/1"],
            "steps": [
              {"thread":"main/1","function":"worker","instruction":7,"occurrence":0,"place":"a.c:3:5"}
            ],
            "choices": [],
            "uninitialised": []
            }
        "#]]
        .assert_eq(&bare.to_json());
    }

    #[test]
    fn errors_are_exact() {
        let error = |text: &str| ScheduleFile::from_json(text).unwrap_err().to_string();
        assert_eq!(error("{\n\"x\" 1}"), "not a valid schedule: expected `:` at line 2 column 5");
        assert_eq!(error("{\"steps\": []}"), "not a schedule: 'braid_schedule' is missing");
        assert_eq!(
            error("{\"braid_schedule\": 2}"),
            "schedule of format version 2; this Braid reads version 1"
        );
        let unknown = sample().to_json().replace("\"occurrence\":0,", "\"occurence\":0,");
        assert!(
            error(&unknown).contains("unknown field `occurence`, expected one of"),
            "{}",
            error(&unknown)
        );
    }
}
