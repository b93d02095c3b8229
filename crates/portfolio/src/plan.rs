//! The strategy: which engine works when, and how far.
//!
//! | stage | engines | why |
//! |---|---|---|
//! | 1 | `explicit`, 3 threads and 4,000 states | only if threads are started in a loop: what goes wrong with many threads mostly does with two or three |
//! | 2 | `explicit`, 20,000 states | decides small programs, all properties at once |
//! | 3 | `lockset` | proves properties of any number of threads in milliseconds; later stages are asked for the others |
//! | 4 | `random`, 200 runs | finds what is easy to find |
//! | 5 | `explicit` beside `order` with growing bounds | a program with endless loops but few states is proved by the one, one with many interleavings by the other |
//! | 5 | and beside them `seq`, 3 rounds | only if a single run starts more than 24 threads: then a formula over all interleavings is large, and most violations need few rounds |
//!
//! Seconds up to the violation with 10 / 20 / 50 / 100 threads (`cargo xtask bench seq`, in turns on a busy machine of two cores, 20 s
//! at most):
//!
//! | family | `order` | `seq` | this plan |
//! |---|---|---|---|
//! | two-stage locking | 0.06 / 0.15 / 0.59 / 4.4 | 0.08 / 0.21 / 0.31 / 0.35 | 1.0 / 0.83 / 1.8 / 3.0 |
//! | setters and checkers without a lock | 0.42 / 0.09 / 0.48 / 1.8 | 0.10 / 0.14 / 0.15 / 0.60 | 0.62 / 1.4 / 1.2 / 1.2 |
//! | elements named by a shared variable | 0.37 / 0.21 / 0.84 / 3.8 | 0.10 / 0.12 / 0.64 / 1.4 | 0.07 / 0.26 / 0.17 / 0.23 |
//! | work queue, half as many jobs | 4.1 / 1.7 / - / - | 0.27 / 0.72 / 1.6 / 4.1 | 0.46 / 0.20 / 1.3 / 9.2 |
//!
//! So `seq` pays from somewhere between 20 and 50 threads on, and below the other stages find these violations. Fewer are left to
//! `order`: of the 654 programs of `regression/esbmc-unix*` and `regression/cbmc-concurrency`, `seq` alone leaves 18 open after 5 s
//! that `order` decides (most are proofs that take very many rounds) and decides one that `order` leaves open (100 increments in each
//! of 4 threads). Where both decide and one of them takes more than a second, `seq` is at least
//! twice as fast on 2 programs and `order` on 8. Another engine beside the two would take a third of two cores from them on all
//! programs that come so far.
//!
//! A solver in a process of its own has no steps that could be counted, so with one the two of stage 5 take turns. A bound
//! on loops that the user fixes (`--unwind`) is the only one, and no large search follows. `--engine` is a plan of one stage.
//!
//! If a proof is wanted that can be checked again (`--proof`), the stage with `lockset` comes first.
//!
//! This is the only place that names engines.

use crate::Request;
use crate::deepen::DEEPEST;
use crate::pace::Pace;
use braid_analysis::starts_threads_in_loops;
use braid_engines::{Engine, Judge, SolverChoice, explicit, lockset, order, random, seq};
use braid_interp::RoundOrder;
use braid_ir::Program;
use braid_verdict::{Bound, Bounds};

/// States of the first exhaustive search.
const QUICK: u64 = 20_000;
/// Threads, the first included, and states of the search for programs that start threads in a loop.
const FEW_THREADS: u32 = 3;
const FEW_STATES: u64 = 4_000;
const RUNS: u64 = 200;
/// The bound on loops and the states at which engines that take turns change over.
const TURN: (u32, u64) = (8, 200_000);
/// Rounds of programs with very many threads, and the most threads that engines which encode rounds begin with.
const FEW_ROUNDS: u32 = 3;
const MOST_THREADS: u32 = 256;
/// A program has very many threads if a single run of so much work starts more than so many. Bounds on threads then begin with
/// a few, but with all of them in rounds: a formula of rounds grows with the threads and not with their interleavings, and
/// what `main` does after it has started them is within the bounds.
const VERY_MANY_THREADS: usize = 24;
const RUN: u64 = 400_000;

/// The exhaustive search has a head start and runs ahead by a third: what it decides at all it mostly decides soon. Units
/// take about the same time, give or take a factor of two.
const AHEAD: Pace = Pace { head: 8192, per_unit: 6 };
const BEHIND: Pace = Pace { head: 0, per_unit: 8 };

/// An engine in a stage.
#[derive(Clone, Debug)]
pub struct Entry {
    pub engine: &'static Engine,
    pub bounds: Bounds,
    /// The bounds grow while that may help, on loops up to this one.
    pub deepens: Option<u32>,
    /// The bound on threads to begin with, because a single run starts very many: most violations need few.
    pub few_threads: Option<u32>,
    /// Pointless unless larger bounds are all that the engine lacks for a proof.
    pub for_proof: bool,
    pub pace: Pace,
}

/// Engines that work side by side, the first in rank first.
pub type Stage = Vec<Entry>;

/// The stages for a request. Engines that look for none of the properties are left out.
pub fn stages(program: &Program, request: &Request, judge: &Judge) -> Vec<Stage> {
    let checks = request.question.checks;
    let useful = |entry: &Entry| checks.is_empty() || !entry.engine.decided(checks).is_empty();
    let in_loops = starts_threads_in_loops(program);
    let threads = if in_loops { judge.threads_of_a_run(RUN) } else { 0 };
    let threads = Threads { in_loops, very_many: Some(threads).filter(|count| *count > VERY_MANY_THREADS) };
    let mut stages = match request.engine {
        Some(engine) => vec![vec![alone(engine, request, threads)]],
        None => portfolio(request, threads),
    };
    stages.iter_mut().for_each(|stage| stage.retain(useful));
    stages.retain(|stage| !stage.is_empty());
    stages
}

/// The threads that a program starts.
#[derive(Clone, Copy)]
struct Threads {
    /// Some of them are started in a loop.
    in_loops: bool,
    /// The number of threads of a single run, if there are very many.
    very_many: Option<usize>,
}

/// One engine, as far as it goes.
fn alone(engine: &'static Engine, request: &Request, threads: Threads) -> Entry {
    let given = &request.bounds;
    // A number of rounds that the user gives means those in the order of creation.
    let in_order = given.rounds.map(|_| RoundOrder::Created);
    let bounds = Bounds {
        set: given.unwindset.clone(),
        rounds: given.rounds,
        round_order: given.round_order.clone().or(in_order),
        contexts: given.contexts,
        runs: given.runs,
        ..Bounds::new(given.unwind.unwrap_or(1))
    };
    let deepens = given.unwind.is_none().then_some(DEEPEST);
    let very_many = threads.very_many.filter(|_| engine.takes(Bound::Unwind) && engine.takes(Bound::Threads));
    let (all_threads, few_threads) = match (very_many, engine.takes(Bound::Rounds)) {
        (Some(count), true) => (Some(u32::try_from(count).unwrap_or(u32::MAX).min(MOST_THREADS)), None),
        (Some(_), false) => (None, Some(FEW_THREADS)),
        (None, _) => (None, None),
    };
    let bounds = Bounds { threads: all_threads, ..bounds };
    Entry { engine, bounds, deepens, few_threads, for_proof: false, pace: BEHIND }
}

impl Entry {
    /// The bounds of the first search.
    pub fn first_bounds(&self) -> Bounds {
        Bounds { threads: self.bounds.threads.or(self.few_threads), ..self.bounds.clone() }
    }
}

fn portfolio(request: &Request, threads: Threads) -> Vec<Stage> {
    let search = |states: Option<u64>, threads: Option<u32>| Entry {
        engine: &explicit::ENGINE,
        bounds: Bounds { states, threads, ..Bounds::default() },
        deepens: None,
        few_threads: None,
        for_proof: true,
        pace: AHEAD,
    };
    let runs = Bounds { runs: Some(RUNS), ..Bounds::default() };
    let random = Entry { bounds: runs, deepens: None, ..alone(&random::ENGINE, request, threads) };
    let formula = alone(&order::ENGINE, request, threads);
    let rounds = threads.very_many.map(|_| {
        let entry = alone(&seq::ENGINE, request, threads);
        Entry { bounds: Bounds { rounds: Some(FEW_ROUNDS), ..entry.bounds.clone() }, ..entry }
    });
    let invariant = vec![Entry { deepens: None, ..alone(&lockset::ENGINE, request, threads) }];
    let mut stages = Vec::new();
    if request.setup.proof {
        stages.push(invariant.clone());
    }
    if threads.in_loops {
        stages.push(vec![search(Some(FEW_STATES), Some(FEW_THREADS))]);
    }
    // The bound on threads of the stage before does not count against this one.
    stages.push(vec![Entry { for_proof: false, ..search(Some(QUICK), None) }]);
    if !request.setup.proof {
        stages.push(invariant);
    }
    stages.push(vec![random]);
    if request.bounds.unwind.is_some() {
        stages.push(vec![formula]);
    } else if request.setup.solver == SolverChoice::Embedded {
        stages.push([search(None, None), formula].into_iter().chain(rounds).collect());
    } else {
        let (bound, states) = TURN;
        let turn = Entry { deepens: Some(bound), ..formula.clone() };
        stages.extend([
            vec![turn],
            vec![search(Some(states), None)],
            vec![formula],
            vec![search(None, None)],
        ]);
    }
    stages
}
