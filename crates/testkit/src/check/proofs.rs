//! Proofs judged: an engine that says SAFE or nothing, against exhaustive exploration of generated threaded programs.
//!
//! Each program is asked about property by property and about all default ones together: a set is SAFE only
//! if all of it is, so a wrong proof of one property would hide behind a violation of another. SAFE is wrong where exploration finds a violation of what was
//! asked about, and where it comes to an invalid access, which ends the run there whatever is asked. What the engine leaves
//! open is counted by its reasons. Violations that an engine reports are compared, too, for those that find some.

use super::command::{Checker, is_safe};
use super::{Answer, Budget, ask_explorer};
use crate::threads::compare::Comparer;
use crate::threads::{self, Generated};
use crate::{disciplined, tree};
use braid_engines::Engine;
use braid_props::CheckSet;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The properties and groups that are asked about.
pub const QUESTIONS: [&str; 7] =
    ["assertion", "data-race", "deadlock", "lock-misuse", "thread-misuse", "memory", "default"];

/// What exploration says if it comes to an invalid access: the kind of the reason.
const INVALID: &str = "invalid-access";

/// Texts tried to make a failing program small.
const TRIALS: usize = 200;

/// Where programs come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generator {
    /// Right and wrong ones, loops that wait included.
    Threads,
    /// The same for engines that unwind loops.
    Unwind,
    /// Mostly right ones.
    Disciplined,
}

impl Generator {
    /// The generator of a name.
    pub fn named(name: &str) -> Option<Generator> {
        match name {
            "threads" => Some(Generator::Threads),
            "unwind" => Some(Generator::Unwind),
            "disciplined" => Some(Generator::Disciplined),
            _ => None,
        }
    }

    pub fn program(self, seed: u64) -> Generated {
        match self {
            Generator::Threads => threads::program(seed),
            Generator::Unwind => threads::program_to_unwind(seed),
            Generator::Disciplined => disciplined::program(seed),
        }
    }
}

/// The answers to one question about many programs.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Count {
    /// By exploration.
    pub safe: usize,
    pub violated: usize,
    /// Neither: an invalid access is reachable, or exploration was cut.
    pub open: usize,
    /// Those of the safe ones that the engine proves.
    pub proved: usize,
    /// Proofs of programs that exploration leaves open.
    pub proved_alone: usize,
    /// The reasons for which it does not prove the others of the safe ones.
    pub silent: BTreeMap<String, usize>,
}

impl Count {
    fn note(&mut self, explorer: &Answer, engine: &Answer) {
        let is_proof = *engine == Answer::Safe;
        match explorer {
            Answer::Safe => self.safe += 1,
            Answer::Unsafe { .. } => self.violated += 1,
            Answer::Undecided(_) | Answer::Broken(_) => self.open += 1,
        }
        match (explorer, engine) {
            (Answer::Safe, Answer::Safe) => self.proved += 1,
            (Answer::Safe, Answer::Undecided(why)) => *self.silent.entry(why.clone()).or_default() += 1,
            _ => self.proved_alone += usize::from(is_proof),
        }
    }

    fn add(&mut self, other: Count) {
        self.safe += other.safe;
        self.violated += other.violated;
        self.open += other.open;
        self.proved += other.proved;
        self.proved_alone += other.proved_alone;
        for (why, count) in other.silent {
            *self.silent.entry(why).or_default() += count;
        }
    }

    /// Proofs of a hundred safe programs, rounded down; 100 of none.
    pub fn share(&self) -> usize {
        (self.proved * 100).checked_div(self.safe).unwrap_or(100)
    }
}

/// The counts of each question.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Counts(pub BTreeMap<&'static str, Count>);

impl Counts {
    pub fn add(&mut self, other: Counts) {
        for (question, count) in other.0 {
            self.0.entry(question).or_default().add(count);
        }
    }

    /// A line for each question, and below it the reasons of the engine's silence, the most frequent first.
    pub fn table(&self) -> String {
        let mut out = String::new();
        for question in QUESTIONS {
            let Some(count) = self.0.get(question) else { continue };
            let Count { safe, violated, open, proved, proved_alone, .. } = count;
            let share = count.share();
            out += &format!(
                "{question}: {safe} safe, {violated} violated, {open} open; {proved} of the safe ones proved ({share} %), {proved_alone} of the open ones\n"
            );
            let mut reasons: Vec<(&String, &usize)> = count.silent.iter().collect();
            reasons.sort_by_key(|(_, number)| std::cmp::Reverse(**number));
            reasons.iter().for_each(|(why, number)| out += &format!("{number:>8} silent: {why}\n"));
        }
        out
    }
}

/// Compares an engine with exploration.
pub struct Proofs {
    /// For the explorer's side; the engine's files lie in its directory, too.
    pub compiler: Comparer,
    pub checker: Checker,
    pub engine: &'static Engine,
    pub generator: Generator,
    pub budget: Budget,
}

/// A contradiction. Shrinking keeps its kind.
struct Difference {
    kind: Kind,
    details: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Broken,
    /// Exploration finds a violation.
    WrongProof,
    /// Exploration comes to an invalid access.
    Invalid,
    WrongViolation,
}

impl Proofs {
    /// Judges the program of a seed. The error is a report with the shrunk program.
    pub fn check(&self, seed: u64) -> Result<Counts, String> {
        let generated = self.generator.program(seed);
        let mut counts = Counts::default();
        for question in QUESTIONS {
            let (explorer, engine) = self
                .compare(&generated.text(), seed, question)
                .map_err(|difference| self.report(&generated, question, &difference))?;
            counts.0.entry(question).or_default().note(&explorer, &engine);
        }
        Ok(counts)
    }

    /// What exploration and the engine say.
    fn compare(&self, text: &str, seed: u64, question: &str) -> Result<(Answer, Answer), Difference> {
        let defect = |details| Difference { kind: Kind::Broken, details };
        let checks = CheckSet::parse(question).expect("questions are properties and groups");
        let program = self.compiler.compile(text, seed).map_err(defect)?;
        let file = self.compiler.scratch.join(format!("p{seed}.c"));
        std::fs::write(&file, text).map_err(|error| defect(format!("{}: {error}", file.display())))?;
        let engine = self.ask(&file, question);
        // A file left behind is overwritten by the next run.
        let _ = std::fs::remove_file(&file);
        let explorer = ask_explorer(&program, checks, self.budget);
        match contradiction(&explorer, &engine) {
            None => Ok((explorer, engine)),
            Some(kind) => {
                let details =
                    format!("exploration: {}\n{}: {}", explorer.word(), self.engine.name, engine.word());
                Err(Difference { kind, details })
            }
        }
    }

    fn ask(&self, file: &Path, question: &str) -> Answer {
        let flags = ["--engine", self.engine.name, "--property", question, "--json"];
        match self.checker.run(file, &flags, self.budget) {
            Ok(outcome) if outcome.timed_out => Answer::Undecided("does not end in time".to_string()),
            Ok(outcome) => answer(outcome.code, &outcome.stdout_text(), &outcome.stderr_text()),
            Err(error) => Answer::Broken(error),
        }
    }

    fn report(&self, generated: &Generated, question: &str, difference: &Difference) -> String {
        let seed = generated.seed;
        let fails = |text: &str| {
            let found = self.compare(text, seed, question);
            // A text that does not compile must not stand for an internal error.
            found.is_err_and(|other| {
                other.kind == difference.kind && !other.details.starts_with("does not compile")
            })
        };
        let small = match difference.details.starts_with("does not compile") {
            true => generated.tree.clone(),
            false => tree::shrink(&generated.tree, TRIALS, fails),
        };
        let text = small.render();
        let details = match self.compare(&text, seed, question) {
            Err(small) => small.details,
            Ok(_) => difference.details.clone(),
        };
        let kind = difference.kind;
        format!(
            "seed {seed}: {kind:?}, properties {question}\n{details}\n---- shrunk program ----\n{text}----"
        )
    }
}

/// The answer in an engine's JSON.
fn answer(code: i32, stdout: &str, stderr: &str) -> Answer {
    let json: Value = serde_json::from_str(stdout).unwrap_or(Value::Null);
    let word = json["verdict"].as_str().unwrap_or("");
    match (code, word) {
        (0, word) if is_safe(word) => Answer::Safe,
        (10, "UNSAFE") => {
            let listed = json["violations"].as_array().map(Vec::as_slice).unwrap_or_default();
            let found =
                listed.iter().filter_map(|one| one["property"].as_str()).map(str::to_string).collect();
            Answer::Unsafe { found, all: false }
        }
        (5, "UNKNOWN") => Answer::Undecided(first_reason(&json)),
        _ => Answer::Broken(format!("exit code {code}: {stderr}{word}")),
    }
}

/// The first reason with its kind, without what is particular to a program.
fn first_reason(json: &Value) -> String {
    let reason = &json["reasons"][0];
    let kind = reason["kind"].as_str().unwrap_or("no reason");
    format!("{kind}: {}", general(reason["text"].as_str().unwrap_or("")))
}

/// A text with `_` for names in quotes and for words with digits, such as places and numbers.
fn general(text: &str) -> String {
    let mut words = Vec::new();
    for word in text.split_whitespace() {
        let is_particular = word.contains('\'') || word.chars().any(|c| c.is_ascii_digit());
        let word = if is_particular { "_" } else { word };
        if words.last() != Some(&word) {
            words.push(word);
        }
    }
    words.join(" ")
}

fn contradiction(explorer: &Answer, engine: &Answer) -> Option<Kind> {
    match (explorer, engine) {
        (Answer::Broken(_), _) | (_, Answer::Broken(_)) => Some(Kind::Broken),
        (Answer::Unsafe { .. }, Answer::Safe) => Some(Kind::WrongProof),
        (Answer::Undecided(why), Answer::Safe) if why == INVALID => Some(Kind::Invalid),
        (Answer::Safe, Answer::Unsafe { .. }) => Some(Kind::WrongViolation),
        (Answer::Safe, Answer::Safe | Answer::Undecided(_))
        | (Answer::Unsafe { .. }, Answer::Unsafe { .. } | Answer::Undecided(_))
        | (Answer::Undecided(_), _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn silent(why: &str) -> Answer {
        Answer::Undecided(why.to_string())
    }

    fn violated() -> Answer {
        Answer::Unsafe { found: ["deadlock".to_string()].into(), all: false }
    }

    #[test]
    fn wrong_proofs_are_told_from_silence() {
        assert_eq!(contradiction(&violated(), &Answer::Safe), Some(Kind::WrongProof));
        assert_eq!(contradiction(&silent(INVALID), &Answer::Safe), Some(Kind::Invalid));
        assert_eq!(contradiction(&silent("cut"), &Answer::Safe), None);
        assert_eq!(contradiction(&Answer::Safe, &violated()), Some(Kind::WrongViolation));
        assert_eq!(contradiction(&violated(), &silent("x")), None);
        assert_eq!(contradiction(&Answer::Safe, &Answer::Broken("x".to_string())), Some(Kind::Broken));
    }

    #[test]
    fn answers_are_read() {
        assert_eq!(answer(0, r#"{"verdict": "SAFE"}"#, ""), Answer::Safe);
        let found = r#"{"verdict": "UNSAFE", "violations": [{"property": "deadlock"}]}"#;
        assert_eq!(answer(10, found, ""), violated());
        let open = r#"{"verdict": "UNKNOWN", "reasons": [{"kind": "undecided", "text": "'n' has no lock at a.c:3:4 of 2"}]}"#;
        assert_eq!(answer(5, open, ""), silent("undecided: _ has no lock at _ of _"));
        assert!(matches!(answer(0, found, ""), Answer::Broken(_)));
        assert!(matches!(answer(6, "", "internal error"), Answer::Broken(_)));
    }

    #[test]
    fn proofs_are_counted_by_what_is_true() {
        let mut count = Count::default();
        for (explorer, engine) in [
            (Answer::Safe, Answer::Safe),
            (Answer::Safe, silent("a")),
            (silent("cut"), Answer::Safe),
            (violated(), silent("a")),
        ] {
            count.note(&explorer, &engine);
        }
        let counts = Counts([("deadlock", count)].into());
        let table = "deadlock: 2 safe, 1 violated, 1 open; 1 of the safe ones proved (50 %), 1 of the open ones\n       1 silent: a\n";
        assert_eq!(counts.table(), table);
    }
}
