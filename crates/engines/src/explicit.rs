//! The interpreter's own search, as an engine.
//!
//! [`Exhaustive`] looks at all interleavings up to a number of states: where it comes to the end, the absence
//! of violations is a proof of every property. [`random`] runs the program under some hundred random
//! schedules and choices: it finds what is easy to find, and proves nothing. [`each`] and [`random_each`] do the
//! same for more than one violation: one of each property, and every racy pair of places.
//!
//! Budgets count states and steps, so that the answer is the same on every machine; time, memory and Ctrl-C
//! are polled besides. What is found is a [`Candidate`]: it was seen in the interpreter, but to be believed it
//! has to be replayed like any other.

use braid_interp::{
    Collect, Exploration, ExploreOptions, Explorer, Found, Image, Limits, Machine, Options, Outcome,
    Progress, RunEnv, Schedule, SetupError, Share, Trace, explore,
};
use braid_verdict::Candidate;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// What an exhaustive search found.
#[derive(Clone, Debug)]
pub struct Searched {
    /// The first violation; the search ended there.
    pub violation: Option<Candidate>,
    pub exploration: Exploration,
}

/// Looks at every interleaving and every choice until the first violation; can pause and go on.
pub struct Exhaustive<'a>(Explorer<'a>);

impl<'a> Exhaustive<'a> {
    /// A search before its first step. The options must be to [collect](Collect) the first violation.
    pub fn new(image: &'a Image<'a>, options: &'a ExploreOptions) -> Result<Exhaustive<'a>, SetupError> {
        debug_assert_eq!(options.collect, Collect::First, "it ends with the first violation");
        Explorer::new(image, options).map(Exhaustive)
    }

    /// From now on executions start at most so many threads, the first included. A search that has never come to
    /// that limit is what it would have been without.
    pub fn limit_threads(&mut self, limit: Option<u32>) {
        self.0.limit_threads(limit);
    }

    /// Goes on up to the end of its share.
    pub fn go_on(
        &mut self,
        share: Share,
        interrupt: &AtomicBool,
        watch: &mut dyn FnMut(&Progress),
    ) -> Searched {
        let exploration = self.0.go_on(share, interrupt, watch);
        let violation = exploration.violations.first().map(candidate);
        Searched { violation, exploration }
    }
}

fn candidate(found: &Found) -> Candidate {
    Candidate::new(&found.report, found.trace.clone())
}

/// The violations of a search that goes on after the first: one of each property, and every racy pair of places,
/// up to so many.
pub fn each(
    image: &Image,
    options: &ExploreOptions,
    races: usize,
    interrupt: &AtomicBool,
    watch: &mut dyn FnMut(&Progress),
) -> Result<(Vec<Candidate>, Exploration), SetupError> {
    let options = ExploreOptions { collect: Collect::Each { races }, ..options.clone() };
    let exploration = explore(image, &options, interrupt, watch)?;
    let found = exploration.violations.iter().map(candidate).collect();
    Ok((found, exploration))
}

/// How many random runs, and how long each may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RandomBudget {
    pub runs: u32,
    /// Work of each run: instructions, and threads looked at where one is chosen.
    pub work: u64,
    /// Work of all of them, about.
    pub all: u64,
    /// Every other run starts at most so many threads, the first included.
    pub threads: Option<u32>,
}

/// The first violation that random runs come across.
pub fn random(
    image: &Image,
    machine: Options,
    budget: RandomBudget,
    interrupt: &AtomicBool,
) -> Result<Option<Candidate>, SetupError> {
    let mut first = None;
    random_runs(image, machine, budget, interrupt, &mut |found| {
        first = found.into_iter().next();
        first.is_none()
    })?;
    Ok(first)
}

/// What random runs come across until they have used up their budget: one of each property, and every racy pair of
/// places, up to so many.
pub fn random_each(
    image: &Image,
    machine: Options,
    budget: RandomBudget,
    races: usize,
    interrupt: &AtomicBool,
) -> Result<Vec<Candidate>, SetupError> {
    let mut all: Vec<Candidate> = Vec::new();
    random_runs(image, machine, budget, interrupt, &mut |found| {
        for candidate in found {
            let same = |known: &&Candidate| known.check == candidate.check;
            let wanted = match candidate.racy {
                Some(_) => {
                    all.iter().filter(same).count() < races
                        && all.iter().all(|known| known.racy != candidate.racy)
                }
                None => !all.iter().any(|known| same(&known)),
            };
            all.extend(wanted.then_some(candidate));
        }
        true
    })?;
    Ok(all)
}

/// Runs the program again and again while the receiver of what a run has found says so.
fn random_runs(
    image: &Image,
    machine: Options,
    budget: RandomBudget,
    interrupt: &AtomicBool,
    receive: &mut dyn FnMut(Vec<Candidate>) -> bool,
) -> Result<(), SetupError> {
    let over = || machine.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let mut work = 0;
    for seed in 0..u64::from(budget.runs) {
        if interrupt.load(Ordering::Relaxed) || over() || work >= budget.all {
            break;
        }
        let threads = budget.threads.filter(|_| seed % 2 == 0);
        let limits = Limits { work: Some(budget.work), threads, ..machine.limits };
        let run = one_run(image, Options { limits, ..machine }, seed)?;
        if !receive(run.found) {
            break;
        }
        work += run.work;
    }
    Ok(())
}

/// How many threads a single run starts, the first included, with so much work: of a program that starts very many,
/// very many.
pub fn threads_of_a_run(image: &Image, machine: Options, work: u64) -> usize {
    let limits = Limits { work: Some(work), ..machine.limits };
    let Ok(mut machine) = Machine::new(image, Options { limits, ..machine }) else { return 1 };
    let mut env = RunEnv::new(std::io::empty(), std::io::sink(), std::io::sink(), Some(0));
    machine.run(&mut env);
    machine.state.threads.len()
}

struct RandomRun {
    /// The violation that ended it first, then those after which it went on.
    found: Vec<Candidate>,
    work: u64,
}

fn one_run(image: &Image, machine: Options, seed: u64) -> Result<RandomRun, SetupError> {
    let mut env = RunEnv::new(std::io::empty(), std::io::sink(), std::io::sink(), Some(seed));
    let mut machine = Machine::new(image, machine)?;
    let run = machine
        .run_scheduled(&mut env, &Schedule::Random(seed), true)
        .expect("only a replay can leave its schedule");
    let work = machine.work_done();
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
    let recorded = run
        .recorded
        .iter()
        .zip(run.ends)
        .map(|(report, end)| Candidate::new(report, Trace { violation: Some(end), ..run.trace.clone() }));
    Ok(RandomRun { found: last.into_iter().chain(recorded).collect(), work })
}

#[cfg(test)]
mod tests {
    use super::*;
    use braid_ir::Program;
    use braid_props::{Check, CheckSet};
    use braid_verdict::confirm;

    /// Main starts a thread that writes what main reads, and expects to be first.
    const TEXT: &str = "file 0 \"t.c\"\nshape s0 = i32\nglobal @x s0 size 4 align 4\nentry &main\n\
        fn &t(%0) -> ptr {\nreg %0 ptr\nb0:\nstore i32 @x, 1:i32 seq_cst @ 0:1:1\nret null @ 0:2:1\n}\n\
        fn &main() {\nreg %0 ptr, %1 i32, %2 i1\nb0:\n%0 = spawn &t, null @ 0:3:1\n\
        %1 = load i32 @x seq_cst @ 0:4:1\n%2 = eq i32 %1, 0:i32\nassert assertion, %2 @ 0:5:1\nexit 0:i32\nunreachable\n}\n";

    fn program(text: &str) -> Program {
        braid_ir::parse::parse(text).expect("a program")
    }

    fn options(checks: CheckSet) -> Options {
        Options { checks, ..Options::default() }
    }

    #[test]
    fn both_find_it_and_it_replays() {
        let program = program(TEXT);
        let machine = options(CheckSet::default());
        let image = Image::new(&program, machine.checks).expect("an image");
        let quiet = AtomicBool::new(false);
        let explore = ExploreOptions { machine, collect: Collect::First, ..ExploreOptions::default() };
        let share = Share { states: None, work: None, memory: machine.limits.memory };
        let mut search = Exhaustive::new(&image, &explore).expect("a search");
        let searched = search.go_on(share, &quiet, &mut |_| {});
        let budget = RandomBudget { runs: 100, work: 10_000, all: 100_000, threads: None };
        let run = random(&image, machine, budget, &quiet).expect("a search");
        for candidate in [searched.violation, run] {
            let candidate = candidate.expect("a violation");
            assert_eq!(candidate.check, Check::Assertion);
            confirm(&image, machine, candidate).expect("it replays");
        }
    }

    #[test]
    fn runs_without_end_are_cut() {
        let text = "entry &main\nfn &main() {\nb0:\njump b0\n}\n";
        let program = program(text);
        let machine = options(CheckSet::default());
        let image = Image::new(&program, machine.checks).expect("an image");
        let budget = RandomBudget { runs: 100, work: 10_000, all: 50_000, threads: None };
        let found = random(&image, machine, budget, &AtomicBool::new(false)).expect("a search");
        assert_eq!(found, None);
    }
}
