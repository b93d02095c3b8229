//! Generated threaded programs within rounds: each engine that encodes rounds, against exhaustive search with the same
//! number of them.
//!
//! Both look at the same executions, so one finds a violation if and only if the other does. What lies beyond the
//! rounds does not count, and threads that spin may take one round more (`docs/seq.md`). A question that either leaves open for another reason is counted as undecided.

use super::command::{self, Checker};
use super::{Answer, Budget, exhaustive};
use crate::threads::program_to_unwind;
use braid_engines::{ENGINES, Engine};
use braid_verdict::Bound;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Rounds that are compared.
pub const MOST: u32 = 4;
/// The sets of properties that are asked about.
const PROPERTIES: [&str; 4] = ["assertion", "data-race", "deadlock", "memory"];
/// The orders of threads in a round, by turns over the seeds.
const ORDERS: [&str; 4] = ["created", "created", "reverse", "main/2,main"];

/// The words of a report about a thread that spins.
const SPINS: &str = " spins on ";

/// The answer of an engine about a number of rounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Within {
    Violation,
    /// A deadlock of threads of which one spins.
    Spinning,
    Nothing,
    /// With the reason.
    Open(String),
    /// A defect.
    Broken(String),
}

impl Within {
    fn is_violation(&self) -> bool {
        matches!(self, Within::Violation | Within::Spinning)
    }
}

/// Numbers of questions about one program.
#[derive(Clone, Default, Debug)]
pub struct Counts {
    pub asked: usize,
    /// Questions that the engine has decided.
    pub decided: usize,
    /// Questions that both have decided, and those with a violation among them.
    pub both: usize,
    pub violations: usize,
    /// The reasons why the engine has not decided the others.
    pub open: BTreeMap<String, usize>,
}

impl Counts {
    /// Counts a question. Returns false if the answers contradict each other.
    fn note(&mut self, expected: &Within, found: &Within) -> bool {
        self.asked += 1;
        match found {
            Within::Violation | Within::Spinning | Within::Nothing => self.decided += 1,
            Within::Open(reason) => *self.open.entry(reason.clone()).or_default() += 1,
            Within::Broken(_) => {}
        }
        match (expected, found) {
            (Within::Broken(_), _) | (_, Within::Broken(_)) => false,
            (Within::Open(_), _) | (_, Within::Open(_)) => true,
            (expected, found) => {
                let is_same = expected.is_violation() == found.is_violation();
                self.both += usize::from(is_same);
                self.violations += usize::from(is_same && found.is_violation());
                is_same
            }
        }
    }

    pub fn add(&mut self, other: Counts) {
        self.asked += other.asked;
        self.decided += other.decided;
        self.both += other.both;
        self.violations += other.violations;
        for (reason, count) in other.open {
            *self.open.entry(reason).or_default() += count;
        }
    }
}

/// The engines that encode rounds.
pub fn engines() -> impl Iterator<Item = &'static Engine> {
    ENGINES.iter().copied().filter(|engine| engine.has_formula && engine.takes(Bound::Rounds))
}

/// Compares the engines on generated programs.
pub struct Rounds {
    pub checker: Checker,
    pub scratch: PathBuf,
    pub budget: Budget,
}

impl Rounds {
    /// Judges the program of a seed. The error is a report.
    pub fn check(&self, seed: u64) -> Result<Counts, String> {
        let generated = program_to_unwind(seed);
        let file = self.scratch.join(format!("rounds-{seed}.c"));
        fs::write(&file, generated.text()).map_err(|error| format!("{}: {error}", file.display()))?;
        let mut counts = Counts::default();
        for (name, rounds) in PROPERTIES.iter().flat_map(|name| (1..=MOST).map(move |k| (name, k))) {
            let order = ORDERS[seed as usize % ORDERS.len()];
            let within = [*name, &rounds.to_string(), order];
            let expected = self.ask(exhaustive(), &file, within);
            for engine in engines() {
                let mut found = self.ask(engine, &file, within);
                // One iteration of a loop is executed before the loop is tried again: that may take a round more.
                if expected == Within::Spinning && found == Within::Nothing {
                    found = self.ask(engine, &file, [*name, &(rounds + 1).to_string(), order]);
                }
                if !counts.note(&expected, &found) {
                    return Err(format!(
                        "seed {seed}: {name} within {rounds} rounds in the order {order}: {} says {found:?}, \
                         exhaustive search {expected:?}; see {}",
                        engine.name,
                        file.display()
                    ));
                }
            }
        }
        fs::remove_file(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(counts)
    }

    /// Asks about a property within rounds of an order.
    fn ask(&self, engine: &Engine, file: &Path, [property, rounds, order]: [&str; 3]) -> Within {
        let flags =
            ["--engine", engine.name, "--property", property, "--rounds", rounds, "--schedule-order", order];
        let outcome = match self.checker.run(file, &flags, self.budget) {
            Ok(outcome) => outcome,
            Err(error) => return Within::Broken(error),
        };
        match command::answer(&outcome) {
            Answer::Safe => Within::Nothing,
            Answer::Unsafe { .. } if outcome.stdout_text().contains(SPINS) => Within::Spinning,
            Answer::Unsafe { .. } => Within::Violation,
            Answer::Broken(what) => Within::Broken(what),
            Answer::Undecided(why) if why == format!("bound of {rounds} rounds reached") => Within::Nothing,
            Answer::Undecided(why) => Within::Open(why),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_that_differ_are_told_from_open_ones() {
        let mut counts = Counts::default();
        let open = Within::Open("loop bound".to_string());
        assert!(counts.note(&Within::Violation, &Within::Violation));
        assert!(counts.note(&open, &Within::Nothing));
        assert!(counts.note(&Within::Nothing, &open));
        assert!(!counts.note(&Within::Nothing, &Within::Violation));
        assert!(!counts.note(&Within::Violation, &Within::Nothing));
        assert!(!counts.note(&Within::Spinning, &Within::Nothing));
        assert!(!counts.note(&open, &Within::Broken("panic".to_string())));
        let Counts { asked, decided, both, violations, open } = counts;
        assert_eq!((asked, decided, both, violations), (7, 5, 1, 1));
        assert_eq!(open.get("loop bound"), Some(&1));
    }
}
