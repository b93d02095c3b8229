//! Generated threaded programs: the symbolic engine against exhaustive exploration.
//!
//! Each program ([`crate::threads::program_to_unwind`]) is asked about twice: nearly all properties together, and one
//! alone, because a set is UNSAFE already if the easiest of its violations is found. The
//! engine answers with its usual options, and with others.
//! Definite verdicts must agree; every violation that the engine reports must be one of those that a complete
//! exploration lists. Each checker has a [`Budget`] for each question; what it does not decide with it is counted.

use super::command::Checker;
use super::{Answer, Budget, ask_explorer, local_checks, symbolic};
use crate::threads::compare::Comparer;
use crate::threads::{Generated, program_to_unwind};
use crate::tree;
use braid_engines::Engine;
use braid_props::{Check, CheckSet};

/// Texts tried to make a failing program small.
const TRIALS: usize = 200;

/// What they said about one question, where it is no contradiction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    pub explorer: Answer,
    pub engine: Answer,
    /// The engine with other options.
    pub other: Answer,
}

/// What came of a program: a pair for each set of properties.
pub type Fate = Vec<Pair>;

/// Compares the checkers on generated programs.
pub struct Judge {
    /// For the explorer's side; the checker's files lie in its directory, too.
    pub compiler: Comparer,
    pub checker: Checker,
    pub budget: Budget,
}

/// The way in which two answers contradict each other. Shrinking keeps it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Of the checkers, or in the test: the program does not compile.
    Broken,
    WrongSafe,
    WrongUnsafe,
    /// A violation that complete exploration does not list.
    NotListed,
}

/// A contradiction.
struct Difference {
    kind: Kind,
    details: String,
}

impl Judge {
    /// Judges the program of a seed. The error is a report with the shrunk program.
    pub fn check(&self, seed: u64) -> Result<Fate, String> {
        let generated = program_to_unwind(seed);
        let sets = questions(seed);
        let mut fate = Vec::new();
        for checks in sets {
            match self.compare(&generated.text(), seed, checks) {
                Ok(pair) => fate.push(pair),
                Err(difference) => return Err(self.report(&generated, checks, &difference)),
            }
        }
        Ok(fate)
    }

    fn compare(&self, text: &str, seed: u64, checks: CheckSet) -> Result<Pair, Difference> {
        let defect = |details| Difference { kind: Kind::Broken, details };
        let program = self.compiler.compile(text, seed).map_err(defect)?;
        let explorer = ask_explorer(&program, checks, self.budget);
        let file = self.compiler.scratch.join(format!("c{seed}.c"));
        std::fs::write(&file, text).map_err(|error| defect(format!("{}: {error}", file.display())))?;
        let asked = symbolic();
        let options = [Vec::new(), other_options(asked, seed)];
        let [engine, other] =
            options.map(|options| self.checker.ask(&file, checks, asked, &options, self.budget));
        // A file left behind is overwritten by the next run.
        let _ = std::fs::remove_file(&file);
        let pair = Pair { explorer, engine, other };
        match contradiction(&pair) {
            None => Ok(pair),
            Some(kind) => Err(Difference { kind, details: details(&pair) }),
        }
    }

    fn report(&self, generated: &Generated, checks: CheckSet, difference: &Difference) -> String {
        let seed = generated.seed;
        let small = tree::shrink(&generated.tree, TRIALS, |text| {
            self.compare(text, seed, checks).is_err_and(|other| {
                let same = other.kind == difference.kind;
                // Else a text that does not compile stands for an internal error.
                same && first_words(&other.details) == first_words(&difference.details)
            })
        });
        let text = small.render();
        let details = match self.compare(&text, seed, checks) {
            Err(small) => small.details,
            Ok(_) => difference.details.clone(),
        };
        format!(
            "seed {seed}: {:?}, properties {}\n{details}\n---- shrunk program ----\n{text}----",
            difference.kind,
            checks.list()
        )
    }
}

/// The options of an engine with values other than the first, chosen by the seed.
fn other_options(engine: &Engine, seed: u64) -> Vec<String> {
    let options = engine.options.iter().filter(|switch| switch.values.len() > 1).flat_map(|switch| {
        let others = &switch.values[1..];
        let (value, _) = others[seed as usize % others.len()];
        [format!("--{}-{}", engine.name, switch.name), value.to_string()]
    });
    options.collect()
}

fn first_words(text: &str) -> Vec<&str> {
    text.split_whitespace().take(3).collect()
}

/// The sets of properties to ask about: those of what the program does, and one that the seed chooses.
fn questions(seed: u64) -> [CheckSet; 2] {
    let others: Vec<Check> = CheckSet::all().iter().filter(|check| *check != Check::Assertion).collect();
    // Assertions are what generated programs violate most.
    let one =
        if seed.is_multiple_of(2) { Check::Assertion } else { others[(seed / 2) as usize % others.len()] };
    [local_checks(), [one].into_iter().collect()]
}

/// What they say; of a broken one only that.
fn details(pair: &Pair) -> String {
    let all = [&pair.engine, &pair.other, &pair.explorer];
    match all.into_iter().find(|answer| matches!(answer, Answer::Broken(_))) {
        Some(answer) => answer.word(),
        None => {
            let [engine, other, explorer] = all.map(Answer::word);
            format!("exploration: {explorer}\nengine: {engine}\nwith other options: {other}")
        }
    }
}

fn contradiction(pair: &Pair) -> Option<Kind> {
    let Pair { explorer, engine, other } = pair;
    [(explorer, engine), (explorer, other), (other, engine)].into_iter().find_map(|(a, b)| differ(a, b))
}

/// The way in which the second answer contradicts the first, if it does.
pub fn differ(first: &Answer, second: &Answer) -> Option<Kind> {
    match (first, second) {
        (Answer::Broken(_), _) | (_, Answer::Broken(_)) => Some(Kind::Broken),
        (Answer::Unsafe { .. }, Answer::Safe) => Some(Kind::WrongSafe),
        (Answer::Safe, Answer::Unsafe { .. }) => Some(Kind::WrongUnsafe),
        (Answer::Unsafe { found: listed, all }, Answer::Unsafe { found, .. }) => {
            (*all && !found.is_subset(listed)).then_some(Kind::NotListed)
        }
        (Answer::Safe, Answer::Safe) | (Answer::Undecided(_), _) | (_, Answer::Undecided(_)) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn violated(places: &[&str], all: bool) -> Answer {
        Answer::Unsafe { found: places.iter().map(|place| place.to_string()).collect(), all }
    }

    #[test]
    fn contradictions_are_told_from_indecision() {
        let late = || Answer::Undecided("late".to_string());
        let broken = || Answer::Broken("oops".to_string());
        let kind = |first: Answer, second: Answer| differ(&first, &second);
        assert_eq!(kind(Answer::Safe, Answer::Safe), None);
        assert_eq!(kind(Answer::Safe, violated(&["a"], false)), Some(Kind::WrongUnsafe));
        assert_eq!(kind(violated(&["a"], false), Answer::Safe), Some(Kind::WrongSafe));
        assert_eq!(kind(violated(&["a"], true), violated(&["b"], false)), Some(Kind::NotListed));
        assert_eq!(kind(violated(&["a"], false), violated(&["b"], false)), None);
        assert_eq!(kind(violated(&["a", "b"], true), violated(&["b"], false)), None);
        assert_eq!(kind(late(), violated(&["b"], false)), None);
        assert_eq!(kind(violated(&["b"], true), late()), None);
        assert_eq!(kind(late(), broken()), Some(Kind::Broken));
        let pair = Pair { explorer: late(), engine: Answer::Safe, other: violated(&["a"], false) };
        assert_eq!(contradiction(&pair), Some(Kind::WrongSafe));
    }

    #[test]
    fn seeds_choose_every_property() {
        let mut seen = CheckSet::EMPTY;
        for seed in 0..40 {
            questions(seed)[1].iter().for_each(|check| seen.insert(check));
        }
        assert_eq!(seen, CheckSet::all());
    }
}
