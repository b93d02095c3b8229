//! Generated threaded programs within rounds: each engine that encodes rounds, against exhaustive search with the same
//! number of them.
//!
//! Both look at the same executions, so one finds a violation if and only if the other does. What lies beyond the
//! rounds does not count. A question that either leaves open for another reason is counted as undecided.

use super::{Budget, exhaustive, request, summary};
use crate::frontend;
use crate::threads::compare::Comparer;
use crate::threads::program_to_unwind;
use braid_engines::{ENGINES, Engine};
use braid_ir::Program;
use braid_portfolio::Given;
use braid_props::CheckSet;
use braid_verdict::{Bound, Verdict};
use std::collections::BTreeMap;

/// Rounds that are compared.
pub const MOST: u32 = 4;
/// The sets of properties that are asked about.
const PROPERTIES: [&str; 4] = ["assertion", "data-race", "deadlock", "memory"];

/// The answer of an engine about a number of rounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Within {
    Violation,
    Nothing,
    /// With the reason.
    Open(String),
    /// A defect.
    Broken(String),
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
    pub compiler: Comparer,
    pub budget: Budget,
}

impl Rounds {
    /// Judges the program of a seed. The error is a report.
    pub fn check(&self, seed: u64) -> Result<Counts, String> {
        let generated = program_to_unwind(seed);
        let program = self.compiler.compile(&generated.text(), seed)?;
        let mut counts = Counts::default();
        for name in PROPERTIES {
            let checks = CheckSet::parse(name).expect("the name of a property");
            for rounds in 1..=MOST {
                let expected = self.ask(exhaustive(), &program, checks, rounds);
                for engine in engines() {
                    let found = self.ask(engine, &program, checks, rounds);
                    counts.asked += 1;
                    match &found {
                        Within::Violation | Within::Nothing => counts.decided += 1,
                        Within::Open(reason) => *counts.open.entry(reason.clone()).or_default() += 1,
                        Within::Broken(_) => {}
                    }
                    match (&expected, &found) {
                        (Within::Open(_), Within::Open(_) | Within::Violation | Within::Nothing)
                        | (Within::Violation | Within::Nothing, Within::Open(_)) => {}
                        _ if expected == found => {
                            counts.both += 1;
                            counts.violations += usize::from(found == Within::Violation);
                        }
                        _ => {
                            return Err(format!(
                                "seed {seed}: {name} within {rounds} rounds: {} says {found:?}, exhaustive search \
                                 {expected:?}\n{}",
                                engine.name,
                                generated.text()
                            ));
                        }
                    }
                }
            }
        }
        Ok(counts)
    }

    fn ask(&self, engine: &'static Engine, program: &Program, checks: CheckSet, rounds: u32) -> Within {
        let mut request = request(Some(engine), checks, self.budget);
        request.bounds = Given { rounds: Some(rounds), ..request.bounds };
        request.stop_at_first = true;
        let report = match frontend::catch(|| braid_portfolio::check(program, &request, &mut |_| ())) {
            Ok(Ok(report)) => report,
            Ok(Err(trouble)) => return Within::Broken(trouble.to_string()),
            Err(panic) => return Within::Broken(panic),
        };
        match (&report.defect, &report.verdict) {
            (Some(defect), _) => Within::Broken(defect.clone()),
            (None, Verdict::Safe { .. }) => Within::Nothing,
            (None, Verdict::Unsafe(_)) => Within::Violation,
            (None, Verdict::Unknown(reasons)) => {
                let other = reasons.iter().find(|reason| reason.raises() != Some(Bound::Rounds));
                other.map_or(Within::Nothing, |reason| Within::Open(summary(reason)))
            }
        }
    }
}
