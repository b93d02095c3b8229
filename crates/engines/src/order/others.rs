//! Further violations within the same bounds, after a first one.
//!
//! The formula stays as it is: every property is still checked, and a thread that violates one goes no further, so
//! nothing is found that needs a violation before it. (Such a thread may be late for ever, and is in the trace.) What is
//! known leaves the disjunction, and the same solver is asked again.

use super::encode::Encoded;
use super::races;
use super::{Input, Lazy, Search, Settings, Statistics, on_large_stack};
use braid_bounded::{Bounded, What};
use braid_ir::Loc;
use braid_props::{Check, CheckSet};
use braid_solver::{Answer, Failure, Limits};
use braid_verdict::Candidate;

/// Violations that are not looked for any more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// No others of these properties.
    pub checks: CheckSet,
    /// Data races between these places, each pair ascending.
    pub races: Vec<[Loc; 2]>,
}

/// Looks for a violation of each property that is not known, and for every racy pair of places that is not known,
/// until there are none, or so many pairs, or a limit is reached; the limit on conflicts is that of all questions
/// together. What is found is in the list whatever the result.
pub fn others(
    input: Input,
    settings: &Settings,
    known: Known,
    pairs: usize,
    found: &mut Vec<Candidate>,
) -> Result<(), Failure> {
    let mut statistics = Statistics::default();
    on_large_stack(|| {
        let search = Search::new(input, settings, &mut statistics);
        Others { search, known, pairs, found, conflicts: settings.limits.conflicts }.run()
    })
}

struct Others<'a, 's> {
    search: Search<'s>,
    known: Known,
    /// Data races that may still be found.
    pairs: usize,
    found: &'a mut Vec<Candidate>,
    /// Those that may still be spent.
    conflicts: Option<u64>,
}

impl Others<'_, '_> {
    fn run(&mut self) -> Result<(), Failure> {
        let Ok(mut bounded) = self.search.unwind() else { return Ok(()) };
        let Ok(mut encoded) = self.search.encode(&mut bounded) else { return Ok(()) };
        let mut solver = Lazy { settings: self.search.settings, solver: None };
        loop {
            self.leave_out_known(&bounded, &mut encoded);
            let question = self.search.violated(&bounded, &encoded);
            let limits = Limits { conflicts: self.conflicts, ..self.search.settings.limits.clone() };
            let answer = solver.solve(&mut self.search.terms, &encoded, question, &limits)?;
            if answer != Answer::Sat {
                if !self.known.checks.contains(Check::MemoryLeak) {
                    self.found.extend(self.search.lost(&bounded, &encoded, &mut solver)?);
                }
                return Ok(());
            }
            let budget = self.search.settings.limits.conflicts;
            self.conflicts = budget.map(|budget| budget.saturating_sub(solver.conflicts()));
            let candidate = self.search.candidate(&bounded, &encoded, &mut solver)?;
            self.note(&candidate);
            // Whether a thread spins is for the interpreter to say.
            let certain = candidate.approximate.is_none() && candidate.check != Check::Deadlock;
            if certain || self.search.replays(&candidate) {
                self.found.push(candidate);
            }
        }
    }

    /// What is found is known from now on.
    fn note(&mut self, candidate: &Candidate) {
        let Some(places) = candidate.racy else { return self.known.checks.insert(candidate.check) };
        self.known.races.push(places);
        self.pairs = self.pairs.saturating_sub(1);
        if self.pairs == 0 {
            self.known.checks.insert(Check::DataRace);
        }
    }

    /// What is known is not asked about.
    fn leave_out_known(&mut self, bounded: &Bounded, encoded: &mut Encoded) {
        let checks = self.known.checks;
        let never = self.search.terms.bool(false);
        for (obligation, term) in bounded.obligations.iter().zip(&mut encoded.obligations) {
            if matches!(obligation.what, What::Violation(check) if checks.contains(check)) {
                *term = never;
            }
        }
        if checks.contains(Check::DataRace) {
            encoded.races.clear();
        }
        let races = &self.known.races;
        encoded
            .races
            .retain(|race| races::places(bounded, race).is_none_or(|places| !races.contains(&places)));
        if checks.contains(Check::Deadlock) {
            encoded.deadlock = None;
        }
    }
}
