//! The interpreter's exhaustive search, as an engine.
//!
//! All interleavings and choices are run, up to equivalence; where the search comes to its end, the absence of
//! violations is a proof of every property. The number of states and what they cost are the bounds, so the answer is the
//! same on every machine; time, memory and Ctrl-C are polled besides. A search that reached its bound goes on from
//! there in the next attempt.
//!
//! Where random numbers are arbitrary, a small search with glibc's own sequence comes first: a violation found there
//! needs no assumption. That there is none proves nothing.

use crate::engine::{Clear, Engine, Finding, Known, MOST_RACES, Search, Statistics, Task, stop_of};
use crate::work::Work;
use braid_interp::{Collect, Exploration, ExploreOptions, Explorer, Found, Image, Progress, Share, explore};
use braid_props::CheckSet;
use braid_solver::{Failure, memory_in_use};
use braid_verdict::{Bound, Bounds, Candidate, Coverage, Reason, reasons};
use std::rc::Rc;

pub static ENGINE: Engine = Engine {
    name: "explicit",
    summary: "All interleavings, one by one",
    manual: "\
Runs the program in every interleaving and with every choice, up to equivalence: states that were seen are not visited \
again, and of steps that commute one order is enough (sleep sets and persistent sets: Godefroid, Partial-Order Methods \
for the Verification of Concurrent Systems, LNCS 1032, chapters 4 and 5).

Where the search comes to its end, every property is proved, livelock included. Values that the program leaves open \
(nondeterministic input) are tried from a small set; a search that met more proves nothing.",
    decides: |_| true,
    proves: true,
    refutes: true,
    certifies: false,
    bounds: &[Bound::States, Bound::Threads, Bound::Rounds, Bound::Contexts],
    options: &[],
    has_formula: false,
    refuses: |_| None,
    start: |task| Ok(Box::new(Explicit::new(task))),
};

/// States of the search with glibc's random numbers, and at least of the one for further violations.
const FEW: u64 = 20_000;
/// The cost of so many states ([`Progress::work`]), at most: states of very many threads cost very much.
const COST: u64 = 16_000_000;
/// Cost that takes about as long as a unit of work.
const UNIT: u64 = 192;

struct Explicit<'a> {
    task: Task<'a>,
    /// The image that is searched: [`crate::work::Judge::real`] once a violation was found there.
    real: bool,
    begun: bool,
    /// A search that can go on.
    search: Option<Explorer<'a>>,
    /// States of the last search, and the bounds of the last attempt.
    states: u64,
    bounds: Bounds,
    /// Further violations that were found and not yet asked for.
    others: Option<std::vec::IntoIter<Candidate>>,
}

impl<'a> Explicit<'a> {
    fn new(task: Task<'a>) -> Explicit<'a> {
        Explicit {
            task,
            real: false,
            begun: false,
            search: None,
            states: 0,
            bounds: Bounds::default(),
            others: None,
        }
    }

    fn image(&self) -> &'a Image<'a> {
        let judge = self.task.judge;
        judge.real.as_ref().filter(|_| self.real).unwrap_or(&judge.image)
    }

    fn options(&self, bounds: &Bounds) -> ExploreOptions {
        ExploreOptions {
            machine: self.task.judge.options,
            rounds: bounds.rounds,
            round_order: bounds.round_order.clone().unwrap_or_default(),
            context_bound: bounds.contexts,
            collect: Collect::First,
            memory_in_use: Some(memory_in_use),
            ..ExploreOptions::default()
        }
    }

    fn explorer(&self, bounds: &Bounds) -> Result<Explorer<'a>, Failure> {
        Explorer::new(self.image(), Rc::new(self.options(bounds)))
            .map_err(|error| Failure::Internal(error.to_string()))
    }

    /// Goes on with a search up to a number of states.
    fn go_on(&mut self, search: &mut Explorer, states: Option<u64>, work: &mut Work) -> Exploration {
        let cost = states.map(|states| COST * states.div_ceil(FEW));
        let share = Share { states, work: cost, memory: work.memory() };
        let mut known = None;
        let over = work.over();
        let exploration = search.go_on(share, over, &mut |progress| tell(work, progress, &mut known));
        self.states = exploration.states;
        exploration
    }

    /// The judgement of the violation that a search ended with.
    fn convict(&self, found: &Found, work: &mut Work) -> Result<Finding, Failure> {
        let found = candidate(found);
        if self.real { work.convict_real(found) } else { work.convict(found) }
    }

    /// A search with glibc's random numbers.
    fn real_numbers(&mut self, work: &mut Work) -> Result<Option<Finding>, Failure> {
        self.real = true;
        let mut search = self.explorer(&Bounds::default())?;
        let exploration = self.go_on(&mut search, Some(FEW), work);
        match exploration.violations.first() {
            Some(found) => self.convict(found, work).map(Some),
            None => {
                self.real = false;
                Ok(None)
            }
        }
    }

    /// The search that is continued, if the bounds allow that, or a new one.
    fn resume(&mut self, bounds: &Bounds) -> Result<Explorer<'a>, Failure> {
        match self.search.take() {
            Some(search)
                if (self.bounds.rounds, self.bounds.contexts) == (bounds.rounds, bounds.contexts)
                    && self.bounds.round_order == bounds.round_order =>
            {
                Ok(search)
            }
            Some(_) | None => self.explorer(bounds),
        }
    }

    fn finding(&self, exploration: &Exploration, work: &Work) -> Finding {
        let checks = self.task.question.checks;
        if exploration.is_complete() {
            let coverage = Coverage::of_exploration(ENGINE.name, self.task.source, checks, exploration);
            let text = "complete".to_string();
            let coverage = Some(coverage);
            return Finding::Clear(Clear {
                proved: checks,
                open: Vec::new(),
                coverage,
                conclusive: true,
                text,
                ..Clear::nothing_found()
            });
        }
        let all = |reason: Reason| (checks, reason);
        let mut open: Vec<(CheckSet, Reason)> = reasons(exploration).into_iter().map(all).collect();
        if let Some(by) = exploration.cuts.iter().find_map(stop_of) {
            open.retain(|(_, reason)| !matches!(reason, Reason::Cut(cut) if stop_of(cut).is_some()));
            return work.stopped_with(by, "", open);
        }
        let text = exploration.cuts.first().map_or("complete".to_string(), ToString::to_string);
        let conclusive = exploration.cuts.is_empty() && exploration.depends_on_address.is_none();
        Finding::Clear(Clear { open, conclusive, text, ..Clear::nothing_found() })
    }
}

impl Search for Explicit<'_> {
    fn attempt(&mut self, bounds: &Bounds, work: &mut Work<'_>) -> Result<Finding, Failure> {
        if !self.begun && self.task.judge.real.is_some() {
            let found = work.part("glibc's random numbers", |work| self.real_numbers(work))?;
            if let Some(found) = found {
                return Ok(found);
            }
        }
        self.begun = true;
        let mut search = self.resume(bounds)?;
        search.limit_threads(bounds.threads);
        self.bounds = bounds.clone();
        let exploration = self.go_on(&mut search, bounds.states, work);
        if let Some(found) = exploration.violations.first() {
            return self.convict(found, work);
        }
        let finding = self.finding(&exploration, work);
        match &finding {
            // Only more states are wanting: the next attempt goes on from here.
            Finding::Clear(clear)
                if !clear.open.is_empty()
                    && clear.open.iter().all(|(_, reason)| reason.raises() == Some(Bound::States)) =>
            {
                self.search = Some(search);
            }
            // The answer is known, or time is up: to free millions of states one by one takes seconds, and the process
            // ends.
            Finding::Clear(Clear { conclusive: true, .. }) | Finding::Stopped { .. } => {
                std::mem::forget(search);
            }
            Finding::Clear(_) | Finding::Violation(_) => {}
        }
        Ok(finding)
    }

    /// One search of about as many states finds all others; each call judges one of them.
    fn next(&mut self, known: &Known, work: &mut Work<'_>) -> Result<Finding, Failure> {
        if self.others.is_none() {
            let limit = FEW.max(2 * self.states);
            let mut options = ExploreOptions {
                max_states: Some(limit),
                collect: Collect::Each { races: MOST_RACES + 1 },
                ..self.options(&self.bounds)
            };
            options.machine.limits.threads = self.bounds.threads;
            let (over, mut last) = (work.over(), None);
            let explored =
                explore(self.image(), &options, over, &mut |progress| tell(work, progress, &mut last));
            let explored = explored.map_err(|error| Failure::Internal(error.to_string()))?;
            self.states = explored.states;
            let found: Vec<Candidate> = explored.violations.iter().map(candidate).collect();
            self.others = Some(found.into_iter());
        }
        let mut others = self.others.iter_mut().flatten();
        while let Some(found) = others.find(|found| !known.has(found.check, found.racy)) {
            let judged = if self.real { work.convict_real(found) } else { work.convict(found) };
            if !matches!(judged, Ok(Finding::Clear(_))) {
                return judged;
            }
        }
        Ok(Finding::Clear(Clear::nothing_found()))
    }

    fn statistics(&self) -> Statistics {
        Statistics { brief: vec![("states seen", self.states)], ..Statistics::default() }
    }
}

fn candidate(found: &Found) -> Candidate {
    Candidate::new(&found.report, found.trace.clone())
}

/// Passes on how far a search is, and what it has cost since the last time.
fn tell(work: &mut Work, progress: &Progress, last: &mut Option<u64>) {
    let units = (progress.work - last.unwrap_or(progress.work)) / UNIT;
    *last = Some(progress.work);
    let counts =
        [("states", progress.states), ("steps", progress.transitions), ("deep", progress.depth as u64)];
    let found = [("violations found", progress.violations as u64)];
    let found = if progress.violations == 0 { &[][..] } else { &found[..] };
    work.progress(units, &[&counts, found].concat());
}
