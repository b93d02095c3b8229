//! The other violations, after the first one.
//!
//! What found the first looks for the others in the same way, and nobody else does: an exhaustive search of about as
//! many states, all random runs, or `order` within the same bounds and with about as many conflicts. Budgets count, so
//! the list is the same on every machine. All properties stay checked, so nothing that comes after a violation is
//! reported. One violation of each property is listed, and one race for each pair of places.
//!
//! The verdict is `UNSAFE` by now. A limit of the user's ends the list, and so does a defect of ours, which is told.

use super::{Finder, First, QUICK, Session, resource};
use crate::Report;
use crate::record::{Event, PhaseRecord};
use braid_engines::ask::Known;
use braid_engines::explicit;
use braid_engines::order::{self, SolverChoice};
use braid_interp::{ExploreOptions, Options};
use braid_ir::Loc;
use braid_props::{Check, CheckSet};
use braid_solver::{Failure, Limits};
use braid_verdict::{Bounds, Candidate, Counterexample, Unconfirmed, Verdict, confirm_real};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Racy pairs of places that are listed.
const PAIRS: usize = 50;
/// Conflicts that `order` may spend at least.
const CONFLICTS: u64 = 10_000;
/// Beyond the time limit, for the replay of the first violation and for those of the others. The command line says `UNKNOWN`
/// when a second is almost over.
pub(super) const FIRST_GRACE: Duration = Duration::from_millis(600);
const GRACE: Duration = Duration::from_millis(400);
/// For replays after Ctrl-C.
const SHORT: Duration = Duration::from_millis(500);

/// What is listed so far.
struct Listed {
    found: Vec<Counterexample>,
    more_races: bool,
    defect: Option<String>,
}

impl Listed {
    fn races(&self) -> Vec<[Loc; 2]> {
        self.found.iter().filter_map(|found| found.report().racy_places()).collect()
    }

    /// The properties of which one violation is listed and enough.
    fn checks(&self) -> CheckSet {
        let checks = self.found.iter().map(|found| found.report().check);
        checks.filter(|check| *check != Check::DataRace).collect()
    }

    /// Whether it is one of these after all.
    fn has(&self, found: &Counterexample) -> bool {
        found.report().racy_places().is_none() && self.checks().contains(found.report().check)
    }

    /// Whether a candidate is one more.
    fn lacks(&self, candidate: &Candidate) -> bool {
        match candidate.racy {
            Some(places) => !self.races().contains(&places),
            None => !self.checks().contains(candidate.check),
        }
    }
}

impl Session<'_> {
    /// The report of a first violation, and of the others if they are asked for.
    pub(super) fn with_others(&mut self, first: First) -> Report {
        let First { counterexample, finder } = first;
        (self.watch)(Event::Violation);
        let mut listed = Listed { found: vec![counterexample], more_races: false, defect: None };
        let left = self.request.machine.checks.without(listed.checks());
        if !self.request.stop_at_first && !left.is_empty() {
            self.find_others(&finder, &mut listed);
        }
        let report = self.report(Verdict::Unsafe(listed.found));
        Report { more_races: listed.more_races, defect: listed.defect, ..report }
    }

    fn find_others(&mut self, finder: &Finder, listed: &mut Listed) {
        let candidates = match finder {
            Finder::Exhaustive { states, threads } => self.others_by_search(*states, *threads, listed),
            Finder::RandomRuns => self.others_by_chance(),
            Finder::Order { bounds, conflicts } => self.others_by_order(bounds, *conflicts, listed),
        };
        let options = self.replay_options();
        for candidate in candidates {
            if !listed.lacks(&candidate) {
                continue;
            }
            if candidate.racy.is_some() && listed.races().len() == PAIRS {
                listed.more_races = true;
            } else if !self.admit(finder, options, candidate, listed) {
                return;
            }
        }
    }

    /// What was found before a limit was reached is not lost: replays get a little time of their own.
    fn replay_options(&self) -> Options {
        let mut options = self.request.machine;
        let interrupted = self.request.interrupt.load(Ordering::Relaxed);
        let late = options.limits.deadline.map(|deadline| deadline + GRACE);
        options.limits.deadline = if interrupted { Some(Instant::now() + SHORT) } else { late };
        options
    }

    /// Lists a candidate if it replays; false if there is no time for that.
    fn admit(&self, finder: &Finder, options: Options, candidate: Candidate, listed: &mut Listed) -> bool {
        let (check, place) = (candidate.check, candidate.place);
        match confirm_real(self.image, self.real, options, candidate) {
            Ok(counterexample) if listed.has(&counterexample) => {}
            Ok(counterexample) => listed.found.push(counterexample),
            Err(Unconfirmed::Over { .. }) => {}
            Err(error) if resource(&error).is_some() => return false,
            Err(error) => {
                let what = self.contradiction(finder.name(), check, place, &error);
                listed.defect.get_or_insert(what);
            }
        }
        true
    }

    /// By an exhaustive search. One more race than is listed tells that there are more.
    fn others_by_search(&mut self, states: u64, threads: Option<u32>, listed: &mut Listed) -> Vec<Candidate> {
        let limit = QUICK.max(2 * states);
        let name = format!("others, explicit, up to {limit} states");
        let begin = self.begin(&name);
        let mut options = ExploreOptions { max_states: Some(limit), ..self.options.clone() };
        options.machine.limits.threads = threads;
        let watch = &mut *self.watch;
        let searched =
            explicit::each(self.image, &options, PAIRS + 1, &self.request.interrupt, &mut |progress| {
                watch(Event::Searching(&name, progress));
            });
        match searched {
            Ok((found, exploration)) => {
                let (result, time) = (words(&found), begin.elapsed());
                self.end(PhaseRecord { name, result, time, states: Some(exploration.states), order: None });
                found
            }
            Err(error) => {
                listed.defect.get_or_insert(error.to_string());
                Vec::new()
            }
        }
    }

    fn others_by_chance(&mut self) -> Vec<Candidate> {
        let name = "others, random runs";
        let begin = self.begin(name);
        let (request, budget) = (self.request, self.random_budget());
        let found = explicit::random_each(self.image, request.machine, budget, PAIRS + 1, &request.interrupt);
        // The same program was set up before.
        let found = found.unwrap_or_default();
        self.note(name, words(&found), begin);
        found
    }

    /// By `order`, with our own solver: it counts what it does.
    fn others_by_order(&mut self, bounds: &Bounds, conflicts: u64, listed: &mut Listed) -> Vec<Candidate> {
        let subject = self.subject();
        let name = format!("others, order, bound {}", bounds.unwind);
        let begin = self.begin(&name);
        let conflicts = Some(CONFLICTS.max(2 * conflicts));
        let settings = order::Settings {
            solver: SolverChoice::Embedded,
            limits: Limits { conflicts, ..self.limits() },
            dump: None,
            ..self.settings(bounds)
        };
        let known = Known { checks: listed.checks(), races: listed.races() };
        let pairs = PAIRS + 1 - known.races.len();
        let mut found = Vec::new();
        let outcome = order::others(self.input(&subject), &settings, known, pairs, &mut found);
        self.request.meter.reset();
        match outcome {
            Ok(()) | Err(Failure::Stopped(_)) => {}
            Err(failure) => drop(listed.defect.get_or_insert(format!("order: {failure}"))),
        }
        self.note(&name, words(&found), begin);
        found
    }
}

/// What was found, in a few words.
fn words(found: &[Candidate]) -> String {
    let checks: CheckSet = found.iter().map(|candidate| candidate.check).collect();
    if checks.is_empty() { "nothing found".to_string() } else { checks.list() }
}
