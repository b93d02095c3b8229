//! Runs of the program under random schedules and choices.
//!
//! They find what is easy to find, and prove nothing. The runs are the same on every machine: their number and their
//! work are the bounds, and seeds count from 0.
//!
//! If the first run starts many threads, every other run starts only a few: a violation mostly needs two or
//! three, and such runs are short.

use crate::engine::{Clear, Engine, Finding, Known, MOST_RACES, Search, Statistics, Task};
use crate::registry;
use crate::work::Work;
use braid_interp::{Limits, Machine, Options, Outcome, RunEnv, Schedule, SetupError, Trace};
use braid_props::{Check, CheckSet};
use braid_solver::Failure;
use braid_verdict::{Bound, Bounds, Candidate, Reason};

pub static ENGINE: Engine = Engine {
    name: "random",
    summary: "Runs under random schedules; finds, and proves nothing",
    manual: "\
Runs the program again and again in the interpreter, with a random schedule and random choices. Seeds count from 0, so \
the runs are the same every time. It finds what is easy to find, and never says SAFE.

--runs bounds the number of runs; without it there are 10,000.",
    decides: |check| check != Check::Livelock,
    proves: false,
    refutes: true,
    certifies: false,
    bounds: &[Bound::Runs],
    options: &[],
    has_formula: false,
    refuses: |_| None,
    start: |task| Ok(Box::new(Random { task, budget: Budget::new(RUNS), found: Vec::new(), runs: 0 })),
};

/// Runs if there is no bound.
const RUNS: u64 = 10_000;
/// Work of a run: instructions, and threads looked at where one is chosen.
const WORK_OF_A_RUN: u64 = 400_000;
/// Work of all runs, for each of them.
const WORK_PER_RUN: u64 = 20_000;
/// Threads of a run that are many, and the threads of the short runs, the first included.
const MANY_THREADS: usize = 8;
const FEW_THREADS: u32 = 3;

struct Budget {
    runs: u64,
    /// Work of all runs, about.
    work: u64,
}

impl Budget {
    fn new(runs: u64) -> Budget {
        Budget { runs, work: runs.saturating_mul(WORK_PER_RUN) }
    }
}

struct Random<'a> {
    task: Task<'a>,
    budget: Budget,
    /// Violations that were found and not yet asked for: the runs are over.
    found: Vec<Candidate>,
    /// Runs of the last call.
    runs: u64,
}

/// A run, and its cost.
struct Run {
    /// The violation that ended it first, then those after which it went on.
    found: Vec<Candidate>,
    work: u64,
    threads: usize,
}

impl Random<'_> {
    /// Runs the program while the receiver of what a run has found says so, and the budget lasts.
    fn runs(
        &mut self,
        work: &mut Work,
        receive: &mut dyn FnMut(Vec<Candidate>) -> bool,
    ) -> Result<(), Failure> {
        let mut spent = 0;
        let mut many = false;
        self.runs = 0;
        for seed in 0..self.budget.runs {
            if work.poll().is_err() || spent >= self.budget.work {
                break;
            }
            let threads = (many && seed % 2 == 1).then_some(FEW_THREADS);
            let run = self.run(seed, threads).map_err(|error| Failure::Internal(error.to_string()))?;
            many |= run.threads > MANY_THREADS;
            spent += run.work;
            self.runs += 1;
            work.progress(0, &[("runs", self.runs)]);
            if !receive(run.found) {
                break;
            }
        }
        Ok(())
    }

    fn run(&self, seed: u64, threads: Option<u32>) -> Result<Run, SetupError> {
        let judge = self.task.judge;
        let limits = Limits { work: Some(WORK_OF_A_RUN), threads, ..judge.options.limits };
        let mut env = RunEnv::new(std::io::empty(), std::io::sink(), std::io::sink(), Some(seed));
        let mut machine = Machine::new(&judge.image, Options { limits, ..judge.options })?;
        let run = machine
            .run_scheduled(&mut env, &Schedule::Random(seed), true)
            .expect("only a replay can leave its schedule");
        let last = match run.outcome {
            Outcome::Violation(report) => Some(Candidate::new(&report, run.trace.clone())),
            Outcome::Exited { .. }
            | Outcome::Aborted { .. }
            | Outcome::InvalidUnchecked(_)
            | Outcome::Unsupported { .. }
            | Outcome::Blocked { .. }
            | Outcome::AssumeFailed { .. }
            | Outcome::ResourceLimit { .. } => None,
        };
        let recorded = (run.recorded.iter().zip(run.ends))
            .map(|(report, end)| Candidate::new(report, Trace { violation: Some(end), ..run.trace.clone() }));
        let found = last.into_iter().chain(recorded).collect();
        Ok(Run { found, work: machine.work_done(), threads: machine.state.threads.len() })
    }
}

impl Search for Random<'_> {
    fn attempt(&mut self, bounds: &Bounds, work: &mut Work<'_>) -> Result<Finding, Failure> {
        self.budget = Budget::new(bounds.runs.unwrap_or(RUNS));
        let mut first = None;
        self.runs(work, &mut |found| {
            first = found.into_iter().next();
            first.is_none()
        })?;
        if let Some(found) = first {
            return work.convict(found);
        }
        if let Some(stop) = work.poll_all() {
            return Ok(work.stopped(stop, ""));
        }
        let checks: CheckSet = ENGINE.decided(self.task.question.checks);
        let by = checks.iter().next().map_or_else(Vec::new, registry::deciding);
        let reason = Reason::Undecided { checks, engine: ENGINE.name, by };
        Ok(Finding::Clear(Clear { open: vec![(checks, reason)], ..Clear::nothing_found() }))
    }

    /// All runs of the budget find the others; each call judges one of them.
    fn next(&mut self, known: &Known, work: &mut Work<'_>) -> Result<Finding, Failure> {
        if self.budget.runs > 0 {
            let (mut all, mut seen) = (Vec::new(), Known::NONE);
            self.runs(work, &mut |found| {
                for candidate in found {
                    let (check, racy) = (candidate.check, candidate.racy);
                    let enough = racy.is_some() && seen.races.len() > MOST_RACES;
                    if !seen.has(check, racy) && !enough {
                        seen.add(check, racy);
                        all.push(candidate);
                    }
                }
                true
            })?;
            self.budget = Budget::new(0);
            all.reverse();
            self.found = all;
        }
        while let Some(found) = self.found.pop() {
            if known.has(found.check, found.racy) {
                continue;
            }
            let judged = work.convict(found);
            if !matches!(judged, Ok(Finding::Clear(_))) {
                return judged;
            }
        }
        Ok(Finding::Clear(Clear::nothing_found()))
    }

    fn statistics(&self) -> Statistics {
        Statistics { brief: vec![("runs", self.runs)], ..Statistics::default() }
    }
}
