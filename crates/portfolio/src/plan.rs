//! The strategy: which engine works when, and how far.
//!
//! | stage | engines | why |
//! |---|---|---|
//! | 1 | `explicit`, 3 threads and 4,000 states | only if threads are started in a loop: what goes wrong with many threads mostly does with two or three |
//! | 2 | `explicit`, 20,000 states | decides small programs, all properties at once |
//! | 3 | `random`, 200 runs | finds what is easy to find |
//! | 4 | `explicit` beside `order` with growing bounds | a program with endless loops but few states is proved by the one, one with many interleavings by the other |
//! | 4 | and beside them `seq`, 3 rounds | only if a single run starts more than 24 threads: then a formula over all interleavings is large, and most violations need few rounds |
//!
//! Time to the violation, `order` / `seq` in seconds (`cargo xtask bench seq`): two-stage locking with n writers and a reader that
//! is started last, n = 30: 0.17 / 0.22, n = 99: 3.1 / 1.4; n setters and n checkers without a lock, n = 50: 0.92 / 0.15, n = 100:
//! 3.9 / 0.39. Of the 654 programs of `regression/esbmc-unix*` and `regression/cbmc-concurrency`, `seq` within 3 rounds decides one
//! that all others leave open after 5 s, and is faster by a third on one other that takes more than a second. So programs with
//! fewer threads are left to `order`.
//!
//! A solver in a process of its own has no steps that could be counted, so with one the two of stage 4 take turns. A bound
//! on loops that the user fixes (`--unwind`) is the only one, and no large search follows. `--engine` is a plan of one stage.
//!
//! This is the only place that names engines.

use crate::Request;
use crate::deepen::DEEPEST;
use crate::pace::Pace;
use braid_analysis::starts_threads_in_loops;
use braid_engines::{Engine, Judge, SolverChoice, explicit, order, random, seq};
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
/// Rounds of programs with very many threads, and the most threads that are unwound for them.
const FEW_ROUNDS: u32 = 3;
const MOST_THREADS: u32 = 256;
/// Bounds on threads begin with a few if a single run of so much work starts more than so many.
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
    let unwinds = engine.takes(Bound::Unwind) && engine.takes(Bound::Threads);
    let few_threads = threads.very_many.filter(|_| unwinds).map(|_| FEW_THREADS);
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
    let rounds = threads.very_many.map(|count| {
        let entry = alone(&seq::ENGINE, request, threads);
        let threads = Some(u32::try_from(count).unwrap_or(u32::MAX).min(MOST_THREADS));
        Entry { bounds: Bounds { rounds: Some(FEW_ROUNDS), threads, ..entry.bounds.clone() }, ..entry }
    });
    let mut stages = Vec::new();
    if threads.in_loops {
        stages.push(vec![search(Some(FEW_STATES), Some(FEW_THREADS))]);
    }
    // The bound on threads of the stage before does not count against this one.
    stages.push(vec![Entry { for_proof: false, ..search(Some(QUICK), None) }]);
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
