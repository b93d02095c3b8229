//! Further violations within the same bounds, after a first one.
//!
//! The bounded program stays as it is: every property is still checked, and what violates one still ends the
//! execution, so nothing is found that comes after a violation. What is known is not asked about any more. A race
//! that is found leaves the disjunction of races, and the same solver is asked again; after a violation of another
//! property the formula is made anew, because all that is left has to come before it.

use super::encode::Encoded;
use super::races::{self, Known};
use super::{Lazy, Search, Settings, Statistics, on_large_stack, undecided};
use braid_analysis::Facts;
use braid_ir::{Loc, Program};
use braid_logic::Term;
use braid_props::Check;
use braid_solver::{Answer, Failure, Limits};
use braid_unwind::Bounded;
use braid_verdict::Candidate;

/// Looks for a violation of each property that is not known, and for every racy pair of places that is not known,
/// until there are none, or so many pairs, or a limit is reached; the limit on conflicts is that of all questions
/// together. What is found is in the list whatever the result.
pub fn others(
    program: &Program,
    facts: &Facts,
    settings: &Settings,
    known: Known,
    pairs: usize,
    found: &mut Vec<Candidate>,
) -> Result<(), Failure> {
    let mut statistics = Statistics::default();
    on_large_stack(|| {
        let search = Search::new(program, facts, settings, &mut statistics);
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
        let Ok(bounded) = self.search.unwind() else { return Ok(()) };
        while self.is_more_wanted() {
            let Ok(encoded) = self.search.encode(&bounded, &self.known) else { return Ok(()) };
            if !self.round(&bounded, encoded)? {
                break;
            }
        }
        Ok(())
    }

    /// Whether anything is left to look for.
    fn is_more_wanted(&self) -> bool {
        let checks = self.search.settings.checks;
        !checks.without(undecided(checks)).without(self.known.checks).is_empty()
    }

    /// Asks one formula until something else than a race is found; false if there is nothing more.
    fn round(&mut self, bounded: &Bounded, mut encoded: Encoded) -> Result<bool, Failure> {
        let settings = self.search.settings;
        let mut solver = Lazy { settings, solver: None };
        loop {
            let question = self.search.violated(bounded, &encoded);
            let answer = self.ask(&encoded, &mut solver, question)?;
            if answer != Answer::Sat {
                return Ok(false);
            }
            let candidate = self.search.candidate(bounded, &encoded, &mut solver)?;
            let (check, racy) = (candidate.check, candidate.racy);
            self.found.push(candidate);
            match racy {
                None => {
                    self.known.checks.insert(check);
                    return Ok(true);
                }
                Some(places) => self.leave_out(bounded, &mut encoded, places),
            }
        }
    }

    /// A race between these places is known from now on.
    fn leave_out(&mut self, bounded: &Bounded, encoded: &mut Encoded, places: [Loc; 2]) {
        self.known.races.push(places);
        encoded.races.retain(|race| races::places(bounded, race) != Some(places));
        self.pairs = self.pairs.saturating_sub(1);
        if self.pairs == 0 {
            self.known.checks.insert(Check::DataRace);
            encoded.races.clear();
        }
    }

    /// Asks, and counts the conflicts.
    fn ask(&mut self, encoded: &Encoded, solver: &mut Lazy, question: Term) -> Result<Answer, Failure> {
        let search = &self.search;
        let limits = Limits { conflicts: self.conflicts, ..search.settings.limits.clone() };
        let before = solver.conflicts();
        let answer = solver.solve(&search.terms, encoded, question, &limits)?;
        let spent = solver.conflicts() - before;
        self.conflicts = self.conflicts.map(|left| left.saturating_sub(spent));
        Ok(answer)
    }
}
