//! Counts of what checkers decided, and why they did not.

use super::Answer;
use std::collections::BTreeMap;
use std::fmt;

/// One checker's answers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    pub safe: usize,
    pub violated: usize,
    /// By reason.
    pub undecided: BTreeMap<String, usize>,
}

impl Tally {
    /// Notes an answer; a broken one is a failure and counted elsewhere.
    pub fn note(&mut self, answer: &Answer) {
        match answer {
            Answer::Safe => self.safe += 1,
            Answer::Unsafe { .. } => self.violated += 1,
            Answer::Undecided(why) => *self.undecided.entry(why.clone()).or_default() += 1,
            Answer::Broken(_) => {}
        }
    }

    pub fn decided(&self) -> usize {
        self.safe + self.violated
    }

    pub fn all(&self) -> usize {
        self.decided() + self.undecided.values().sum::<usize>()
    }

    /// Decided answers in a hundred, rounded down; 100 of nothing.
    pub fn share(&self) -> usize {
        (self.decided() * 100).checked_div(self.all()).unwrap_or(100)
    }
}

impl fmt::Display for Tally {
    /// A line of numbers, then a line for each reason.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (safe, violated) = (self.safe, self.violated);
        write!(f, "{} of {} decided ({} %): ", self.decided(), self.all(), self.share())?;
        write!(f, "{safe} safe, {violated} unsafe")?;
        for (why, count) in &self.undecided {
            write!(f, "\n  {count} undecided: {why}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_counted_by_reason() {
        let mut tally = Tally::default();
        assert_eq!(tally.share(), 100);
        let violated = Answer::Unsafe { found: ["a".to_string()].into(), all: true };
        let late = Answer::Undecided("late".to_string());
        for answer in [Answer::Safe, violated, late.clone(), late, Answer::Broken("x".to_string())] {
            tally.note(&answer);
        }
        assert_eq!(tally.to_string(), "2 of 4 decided (50 %): 1 safe, 1 unsafe\n  2 undecided: late");
    }
}
