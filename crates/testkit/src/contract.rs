//! The contract of engines: what must hold of every engine of the registry, whatever its technique.
//!
//! * A definite verdict on a generated program agrees with exhaustive exploration, and every violation is one of those
//!   that a complete exploration lists.
//! * The same question gets the same answer, with the same phases.
//! * Limits are kept: the time limit up to a second, and an interrupt at once.
//! * A larger bound loses no answer: of a program that is decided within a bound, the verdict stays.
//!
//! Verdicts on fixtures are held by `check_fixtures`, which runs every engine, too.

use crate::check::{Answer, Budget, ask, ask_explorer, local_checks, request};
use crate::frontend;
use crate::threads::compare::Comparer;
use crate::threads::program_to_unwind;
use braid_engines::Engine;
use braid_ir::Program;
use braid_props::CheckSet;
use braid_verdict::{Bound, Verdict};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Three threads that count far: too much for every engine.
const LONG: &str = "typedef unsigned long pthread_t;\ntypedef union { char size[56]; } pthread_attr_t;\n\
    int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);\n\
    int pthread_join(pthread_t, void **);\nvoid __VERIFIER_assert(int);\nstatic unsigned x;\n\
    static void *count(void *unused)\n{\n(void)unused;\nfor (unsigned i = 0; i < 100000; i++)\n\
    __atomic_fetch_add(&x, i * i, 5);\nreturn 0;\n}\n\
    int main(void)\n{\npthread_t a, b, c;\npthread_create(&a, 0, count, 0);\npthread_create(&b, 0, count, 0);\n\
    pthread_create(&c, 0, count, 0);\npthread_join(a, 0);\npthread_join(b, 0);\npthread_join(c, 0);\n\
    __VERIFIER_assert(x != 77);\nreturn 0;\n}\n";

/// Time beyond a limit that an engine may take.
const GRACE: Duration = Duration::from_secs(1);

/// An engine under test.
pub struct Contract {
    pub engine: &'static Engine,
    pub compiler: Comparer,
}

impl Contract {
    /// The bound on loops for the first question; engines that take none get none.
    fn bound(&self, bound: u32) -> Option<u32> {
        self.engine.takes(Bound::Unwind).then_some(bound)
    }

    /// Judges the program of a seed. The error says what does not hold.
    pub fn generated(&self, seed: u64) -> Result<(), String> {
        let generated = program_to_unwind(seed);
        let program = self.compiler.compile(&generated.text(), seed)?;
        let checks = local_checks();
        let budget = |bound| Budget { time: Duration::from_secs(2), unwind: self.bound(bound) };
        let first = ask(self.engine, &program, checks, budget(1));
        let fail = |what: &str, other: &Answer| {
            let (name, word, other) = (self.engine.name, first.word(), other.word());
            Err(format!("{name}, seed {seed}: {what}: {word}, but {other}\n{}", generated.text()))
        };
        match &first {
            Answer::Broken(_) => return fail("it is broken", &first),
            Answer::Undecided(_) => return Ok(()),
            Answer::Safe | Answer::Unsafe { .. } => {}
        }
        let explored = ask_explorer(&program, checks, budget(1));
        let agrees = match (&first, &explored) {
            (Answer::Safe, Answer::Unsafe { .. }) | (Answer::Unsafe { .. }, Answer::Safe) => false,
            (Answer::Unsafe { found, .. }, Answer::Unsafe { found: listed, all: true }) => {
                found.is_subset(listed)
            }
            _ => true,
        };
        if !agrees {
            return fail("exploration says otherwise", &explored);
        }
        // The second answer may be cut short by time, not by anything else.
        let wider = ask(self.engine, &program, checks, budget(2));
        let limit = |answer: &Answer| matches!(answer, Answer::Undecided(why) if why.contains("limit"));
        let kept = match (&first, &wider) {
            (Answer::Safe, Answer::Safe) | (Answer::Unsafe { .. }, Answer::Unsafe { .. }) => true,
            (_, wider) => limit(wider),
        };
        if kept { Ok(()) } else { fail("a larger bound loses the answer", &wider) }
    }

    /// The verdict and the phases of a program that runs in no time limit, twice.
    pub fn repeats(&self, seed: u64) -> Result<(), String> {
        let generated = program_to_unwind(seed);
        let program = self.compiler.compile(&generated.text(), seed)?;
        let once = || -> Result<(Verdict, Vec<String>), String> {
            let budget = Budget { time: Duration::from_secs(60), unwind: self.bound(2) };
            let request = request(Some(self.engine), local_checks(), budget);
            let report = braid_portfolio::check(&program, &request, &mut |_| ())
                .map_err(|trouble| format!("seed {seed}: {trouble}"))?;
            let phases = report.phases.iter().map(|phase| {
                let statistics = &phase.statistics;
                format!("{}: {} {:?} {:?}", phase.name, phase.result, statistics.brief, statistics.groups)
            });
            Ok((report.verdict, phases.collect()))
        };
        let (first, again) = (once()?, once()?);
        if first == again { Ok(()) } else { Err(format!("seed {seed}: {first:?}\n{again:?}")) }
    }

    /// A program that takes too long is left in time, and at once after an interrupt.
    pub fn limits(&self) -> Result<(), String> {
        let program = long();
        let checks = CheckSet::parse("assertion").expect("a property");
        for (time, interrupted) in [(Duration::from_millis(300), false), (Duration::from_secs(60), true)] {
            let request = request(Some(self.engine), checks, Budget { time, unwind: None });
            request.interrupt.store(interrupted, Ordering::Relaxed);
            let begin = Instant::now();
            let report = braid_portfolio::check(&program, &request, &mut |_| ())
                .map_err(|trouble| trouble.to_string())?;
            let most = if interrupted { GRACE } else { time + GRACE };
            if begin.elapsed() > most {
                return Err(format!("a limit of {time:?}, and it took {:?}", begin.elapsed()));
            }
            if !matches!(report.verdict, Verdict::Unknown(_)) {
                return Err(format!("{:?}", report.verdict));
            }
        }
        Ok(())
    }
}

fn long() -> Program {
    frontend::compile("long.c", LONG.into()).program.expect("a program that lowers")
}
