//! Deliberate faults (`braid_base::faults`), and who notices them.
//!
//! `docs/faults.md` names for each fault its killers: tests that pass, and fail while the fault is turned
//! on. A killer is a fixture (what it states no longer comes out, by exploration, by an engine, or of its translation), a
//! generated program (exploring it with
//! and without reduction no longer agrees) or one of [`CHECKS`], for what no fixture can state: bounds.
//!
//! Nothing here compares with what the binary says without the fault: the suite has no such oracle
//! either. A search that runs out of time or states notices nothing.

use crate::check::{rounds, symbolic};
use crate::fixture::header::Truth;
use crate::fixture::{self, Explorer, Report};
use crate::process;
use crate::threads::command::{Braid, Explored};
use crate::threads::program;
use crate::translated::stated::Translator;
use braid_engines::{Engine, registry};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Generated programs with more states are left alone.
const STATES: u64 = 50_000;

/// A small program whose exploration must end with a certain exit code and certain words.
#[derive(PartialEq, Eq, Debug)]
pub struct Check {
    pub name: &'static str,
    command: &'static str,
    text: &'static str,
    flags: &'static [&'static str],
    code: i32,
    /// A part of what it has to say.
    says: &'static str,
}

/// Violated if main is interrupted once: two context switches, two rounds.
const SWITCHES: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
    static atomic_int turn;\nstatic void *t(void *unused)\n{\n(void)unused;\nif (turn == 1)\nturn = 2;\nreturn 0;\n}\n\
    int main(void)\n{\npthread_t a;\npthread_create(&a, 0, t, 0);\nturn = 1;\nassert(turn != 2);\n\
    pthread_join(a, 0);\nreturn 0;\n}\n";

/// Violated by one value, which is not among those tried.
const RARE: &str = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint main(void)\n{\n\
    assert(__VERIFIER_nondet_int() != 77);\nreturn 0;\n}\n";

/// What no fixture can state: the program is wrong, but not within the bound, or where that is not checked.
pub const CHECKS: &[Check] = &[
    Check {
        name: "context-bound",
        command: "explore",
        text: SWITCHES,
        flags: &["--context-bound", "1"],
        code: 5,
        says: "",
    },
    Check {
        name: "rounds",
        command: "explore",
        text: SWITCHES,
        flags: &["--rounds", "1"],
        code: 5,
        says: "",
    },
    Check { name: "values", command: "explore", text: RARE, flags: &["--values", "0,1"], code: 5, says: "" },
    Check { name: "unwind", command: "check", text: COUNTING, flags: ONCE, code: 5, says: "" },
    Check { name: "depth", command: "check", text: DESCENDING, flags: ONCE, code: 5, says: "" },
    Check { name: "starts", command: "check", text: STARTING, flags: ONCE, code: 5, says: "" },
    Check { name: "loud", command: "check", text: LOUD, flags: ONCE, code: 5, says: "" },
    Check { name: "waiting", command: "check", text: PATIENT, flags: ONCE, code: 5, says: "" },
    Check { name: "seed", command: "check", text: SEEDED, flags: ONCE, code: 5, says: "" },
    Check { name: "omission", command: "explore", text: ABROAD, flags: &[], code: 5, says: "" },
    Check { name: "omission-order", command: "check", text: ABROAD, flags: ONCE, code: 5, says: "" },
    Check {
        name: "pace",
        command: "check",
        text: APART,
        flags: &["--property", "assertion"],
        code: 0,
        says: "every interleaving was run",
    },
    Check { name: "stray", command: "check", text: STRAY, flags: ONCE, code: 5, says: "" },
    Check { name: "called", command: "check", text: CALLED, flags: ONCE, code: 5, says: "" },
    Check { name: "handle", command: "check", text: HANDLE, flags: ONCE, code: 5, says: "" },
    Check { name: "count", command: "check", text: COUNT, flags: STUCK_ONCE, code: 5, says: "" },
    Check { name: "count-alone", command: "check", text: COUNT_ALONE, flags: STUCK_ONCE, code: 5, says: "" },
    Check {
        name: "late-first-step",
        command: "check",
        text: LATE_FIRST_STEP,
        flags: RACE_REVERSED,
        code: 5,
        says: "1 rounds",
    },
    Check {
        name: "late-violation",
        command: "check",
        text: LATE_VIOLATION,
        flags: REVERSED,
        code: 5,
        says: "1 rounds",
    },
    Check {
        name: "late-by-chance",
        command: "check",
        text: LATE_BY_CHANCE,
        flags: RACE_REVERSED,
        code: 10,
        says: "data-race",
    },
    Check {
        name: "late-start-by-third",
        command: "check",
        text: LATE_START_BY_THIRD,
        flags: RACE_LISTED,
        code: 10,
        says: "data-race",
    },
    Check {
        name: "confused",
        command: "check",
        text: CONFUSED,
        flags: MISUSE_ONCE,
        code: 10,
        says: "lock-misuse",
    },
];

/// Asked of the symbolic engine.
const ONCE: &[&str] = &["--unwind", "1", "--property", "assertion"];

/// Asked of the symbolic engine about deadlocks.
const STUCK_ONCE: &[&str] = &["--unwind", "1", "--property", "deadlock"];

/// Asked of an engine that encodes rounds, in an order in which threads are started after their turn.
const REVERSED: &[&str] = &["--property", "assertion", "--rounds", "1", "--schedule-order", "reverse"];
const RACE_REVERSED: &[&str] = &["--property", "data-race", "--rounds", "1", "--schedule-order", "reverse"];
const RACE_LISTED: &[&str] =
    &["--property", "data-race", "--rounds", "2", "--schedule-order", "main/2,main/1,main"];

const MISUSE_ONCE: &[&str] = &["--unwind", "1", "--property", "deadlock,lock-misuse"];

/// Takes the memory of a condition variable for a mutex. The bit of a thread that waits there is the number of another,
/// in one way of numbering them.
const CONFUSED: &str = include_str!("../../../tests/c/cond/cond_as_mutex.c");

/// The smallest numbers of rounds that these fixtures state depend on the first steps of threads that are started after their
/// turn.
const LATE_FIRST_STEP: &str = include_str!("../../../tests/c/rounds/late_first_step.c");
const LATE_BY_CHANCE: &str = include_str!("../../../tests/c/rounds/late_first_step_by_chance.c");
const LATE_START_BY_THIRD: &str = include_str!("../../../tests/c/rounds/late_start_by_third.c");
const LATE_VIOLATION: &str = include_str!("../../../tests/c/rounds/late_violation.c");

/// Waits for a semaphore that was never initialised, which is not checked. That the thread waits for ever is one choice of
/// its count, and no violation.
const COUNT: &str = "#include <pthread.h>\n#include <semaphore.h>\n#include <stdlib.h>\n\
    static void *t(void *sem)\n{\nsem_wait(sem);\nreturn 0;\n}\nint main(void)\n{\n\
    sem_t *sem = malloc(sizeof *sem);\npthread_t a;\nif (!sem)\nreturn 0;\npthread_create(&a, 0, t, sem);\n\
    pthread_join(a, 0);\nreturn 0;\n}\n";

/// The program without a second thread.
const COUNT_ALONE: &str =
    "#include <semaphore.h>\nint main(void)\n{\nsem_t sem;\nsem_wait(&sem);\nreturn 0;\n}\n";

/// Joins a handle that is set on one path only; its bits may be those of the running thread's own, which is an error.
const HANDLE: &str = "#include <assert.h>\n#include <pthread.h>\n_Bool __VERIFIER_nondet_bool(void);\n\
    static void *t(void *unused)\n{\nreturn unused;\n}\nint main(void)\n{\npthread_t a, b;\n\
    if (__VERIFIER_nondet_bool())\npthread_create(&a, 0, t, 0);\nelse\npthread_create(&b, 0, t, 0);\n\
    int error = pthread_join(a, 0);\nassert(!error);\nreturn 0;\n}\n";

/// Violated in the third iteration of a loop.
const COUNTING: &str = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint main(void)\n{\nint i = 0;\n\
    while (__VERIFIER_nondet_int())\nassert(++i < 3);\nreturn 0;\n}\n";

/// Violated three calls deep.
const DESCENDING: &str = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nstatic void down(int n)\n{\n\
    assert(n < 3);\nif (__VERIFIER_nondet_int())\ndown(n + 1);\n}\nint main(void)\n{\ndown(0);\nreturn 0;\n}\n";

/// Violated by a thread beyond the number that is looked at.
const STARTING: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int n;\n\
    static void *t(void *unused)\n{\n(void)unused;\nassert(n != 70);\nreturn 0;\n}\nint main(void)\n{\n\
    for (int i = 0; i < 71; i++) {\npthread_t a;\nn = i;\npthread_create(&a, 0, t, 0);\n}\nreturn 0;\n}\n";

/// The same, but it counts where others can see it.
const LOUD: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int go, tries;\n\
    static void *t(void *unused)\n{\n(void)unused;\nwhile (!go)\ntries++;\nassert(tries < 3);\n\
    return 0;\n}\nint main(void)\n{\npthread_t a;\npthread_create(&a, 0, t, 0);\ngo = 1;\n\
    pthread_join(a, 0);\nreturn 0;\n}\n";

/// Violated by a thread that has waited in vain three times: it counts.
const PATIENT: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int go;\n\
    static void *t(void *unused)\n{\nint tries = 0;\n(void)unused;\nwhile (!go)\ntries++;\nassert(tries < 3);\n\
    return 0;\n}\nint main(void)\n{\npthread_t a;\npthread_create(&a, 0, t, 0);\ngo = 1;\n\
    pthread_join(a, 0);\nreturn 0;\n}\n";

/// Violated by a number that is not the first one after this seed.
const SEEDED: &str = "#include <assert.h>\n#include <stdlib.h>\nint main(void)\n{\nsrand(7);\n\
    assert(rand() != 77);\nreturn 0;\n}\n";

/// Violated where a locale other than C exists.
const ABROAD: &str = "#include <assert.h>\n#include <locale.h>\nint main(void)\n{\n\
    assert(!setlocale(LC_ALL, \"de_DE\"));\nreturn 0;\n}\n";

/// Follows an uninitialised pointer, which is not checked. That it might be the address of `x` is no violation.
const STRAY: &str = "#include <assert.h>\n_Bool __VERIFIER_nondet_bool(void);\nstatic int x, y;\nint main(void)\n{\n\
    int *p;\n_Bool a = __VERIFIER_nondet_bool(), b = __VERIFIER_nondet_bool();\nif (a)\np = &y;\nif (b)\np = &x;\n\
    if (b)\nreturn 0;\n*p = 1;\nassert(x == 0);\nreturn 0;\n}\n";

/// Starts a thread by an uninitialised number, which is not checked. That it might be the address of `work` is no violation.
const CALLED: &str = "#include <assert.h>\n#include <pthread.h>\nstatic void *work(void *arg)\n{\nassert(!arg);\n\
    return arg;\n}\nint main(void)\n{\npthread_t thread;\nunsigned long routine;\n\
    volatile unsigned long other = (unsigned long)work;\n\
    pthread_create(&thread, 0, (void *(*)(void *))routine, &thread);\nreturn other == 0;\n}\n";

/// Some more states than the quick search looks at. The one that goes on sees the rest in its head start, so its answer is the
/// earlier one, on every machine, though `order` has one sooner.
const APART: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int a, b, c;\n\
    static void *t(void *p)\n{\nfor (int i = 0; i < 19; i++)\n*(atomic_int *)p = i;\nreturn 0;\n}\nint main(void)\n{\n\
    pthread_t x, y;\npthread_create(&x, 0, t, &a);\npthread_create(&y, 0, t, &b);\nt(&c);\n\
    int s = a + b + c;\nassert(s * s % 4 < 2);\nreturn 0;\n}\n";

/// A test that may notice a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Killer<'a> {
    /// By its name below `tests/c`; explored.
    Fixture(&'a str),
    /// A fixture by its name, checked by an engine.
    Engine(&'static Engine, &'a str),
    /// A fixture by its name, translated.
    Translated(&'a str),
    /// By its seed.
    Generated(u64),
    Check(&'static Check),
}

impl<'a> Killer<'a> {
    /// Reads `topic/name.c`, `ENGINE topic/name.c`, `translated topic/name.c`, `generated SEED` or `check NAME`.
    pub fn parse(text: &'a str) -> Result<Killer<'a>, String> {
        let found = match text.split_once(' ') {
            None if text.contains('/') => Some(Killer::Fixture(text)),
            Some(("generated", seed)) => seed.parse().ok().map(Killer::Generated),
            Some(("check", name)) => CHECKS.iter().find(|check| check.name == name).map(Killer::Check),
            Some(("translated", name)) if name.contains('/') => Some(Killer::Translated(name)),
            Some((engine, name)) if name.contains('/') => {
                registry::find(engine).map(|engine| Killer::Engine(engine, name))
            }
            None | Some(_) => None,
        };
        found.ok_or_else(|| format!("'{text}' is no test"))
    }
}

impl std::fmt::Display for Killer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Killer::Fixture(name) => f.write_str(name),
            Killer::Engine(engine, name) => write!(f, "{} {name}", engine.name),
            Killer::Translated(name) => write!(f, "translated {name}"),
            Killer::Generated(seed) => write!(f, "generated {seed}"),
            Killer::Check(check) => write!(f, "check {}", check.name),
        }
    }
}

/// The rows ``| `fault` | what it breaks | `killer`, `killer` |`` of the document, in order.
pub fn rows(document: &str) -> Result<Vec<(&str, Vec<Killer<'_>>)>, String> {
    let lines = document.lines().filter(|line| line.starts_with("| `"));
    let row = |line| {
        let cells: Vec<&str> = str::split(line, '|').map(str::trim).collect();
        let [_, fault, _, killers, _] = cells[..] else {
            return Err(format!("not three cells: {line}"));
        };
        let killers = killers.split(", ").map(|name| Killer::parse(name.trim_matches('`')));
        Ok((fault.trim_matches('`'), killers.collect::<Result<_, _>>()?))
    };
    lines.map(row).collect()
}

/// A binary with the faults built in, and where it finds its food.
pub struct Bench {
    pub binary: PathBuf,
    /// `tests/c`
    pub fixtures: PathBuf,
    /// A directory of its own, which exists.
    pub scratch: PathBuf,
}

impl Bench {
    /// Whether the test fails.
    pub fn fails(&self, test: Killer, fault: Option<&str>) -> Result<bool, String> {
        match test {
            Killer::Fixture(name) => self.fixture_fails(name, fault),
            Killer::Engine(engine, name) => self.engine_fails(engine, name, fault),
            Killer::Translated(name) => {
                let translator = Translator { braid: &self.binary, scratch: &self.scratch, fault };
                translator.differs(&self.fixtures, name)
            }
            Killer::Generated(seed) => self.generated_fails(seed, fault),
            Killer::Check(check) => self.check_fails(check, fault),
        }
    }

    fn fixture_fails(&self, name: &str, fault: Option<&str>) -> Result<bool, String> {
        let fixture = fixture::load(&self.fixtures, self.fixtures.join(name));
        let header = fixture.header.as_ref().map_err(|error| format!("{name}: {error}"))?;
        let environment: Vec<(&str, &str)> = fault.map(|fault| ("BRAID_FAULT", fault)).into_iter().collect();
        let explorer = Explorer { braid: &self.binary, environment: &environment };
        let mut report = Report::default();
        explorer.check(&fixture, header, &mut report)?;
        Ok(report.failures.iter().any(|text| !text.contains("time limit reached")))
    }

    /// Returns true if an engine says of a fixture something else than what is true; that it does not know
    /// counts, too, unless time ran out.
    fn engine_fails(&self, engine: &Engine, name: &str, fault: Option<&str>) -> Result<bool, String> {
        let fixture = fixture::load(&self.fixtures, self.fixtures.join(name));
        let header = fixture.header.as_ref().map_err(|error| format!("{name}: {error}"))?;
        // Whether what is left is lost is not always known.
        let truths = || header.truths.iter().filter(|(check, _)| **check != braid_props::Check::MemoryLeak);
        let safe: Vec<&str> =
            truths().filter(|(_, truth)| **truth == Truth::Safe).map(|(check, _)| check.id()).collect();
        let mut questions: Vec<(String, i32)> = truths()
            .filter(|(_, truth)| **truth != Truth::Safe)
            .map(|(check, _)| (check.id().to_string(), 10))
            .collect();
        if header.unsupported.is_some() {
            questions.push(("assertion,memory".to_string(), 5));
        } else if questions.is_empty() {
            questions.push((safe.join(","), 0));
        }
        for (properties, code) in questions {
            let mut command = process::command(&self.binary, fixture.directory());
            command.args(["check", "--engine", engine.name, "--timeout", "20", "--property", &properties]);
            command.args(&header.flags).arg(fixture.file_name()).args(&header.files);
            command.envs(fault.map(|fault| ("BRAID_FAULT", fault)));
            let limits = process::Limits { time: Duration::from_secs(60), ..process::Limits::default() };
            let outcome = process::run(&mut command, &header.stdin, &limits)?;
            let differs = outcome.code != code && !outcome.stdout_text().contains("time limit reached");
            // A further violation that does not replay is told beside the verdict.
            if differs || outcome.stderr_text().contains("internal error") {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn generated_fails(&self, seed: u64, fault: Option<&str>) -> Result<bool, String> {
        let (braid, text) = (self.braid(fault), program(seed).text());
        let name = format!("generated{seed}-{}.c", fault.unwrap_or("none"));
        let limit = STATES.to_string();
        let flags = ["--values", "0,1", "--max-states", &limit];
        let reduced = braid.explore(&name, &text, &flags)?;
        let full = braid.explore(&name, &text, &[&flags[..], &["--no-reduction"]].concat())?;
        if [&reduced, &full].iter().any(|explored| explored.is_broken()) {
            return Ok(true);
        }
        let is_cut = |explored: &Explored| explored.states().is_none_or(|states| states > STATES);
        Ok(!is_cut(&reduced) && !is_cut(&full) && reduced.essence() != full.essence())
    }

    fn check_fails(&self, check: &Check, fault: Option<&str>) -> Result<bool, String> {
        let name = format!("{}-{}.c", check.name, fault.unwrap_or("none"));
        let braid = self.braid(fault);
        braid.write(&name, check.text)?;
        let mut args: Vec<&str> = [&[check.command, &name], check.flags].concat();
        let by_rounds = || rounds::engines().next().expect("an engine encodes rounds");
        if [ONCE, STUCK_ONCE, MISUSE_ONCE].contains(&check.flags) {
            args.extend(["--engine", symbolic().name]);
        } else if [REVERSED, RACE_REVERSED, RACE_LISTED].contains(&check.flags) {
            args.extend(["--engine", by_rounds().name]);
        }
        let outcome = braid.call(&args)?;
        Ok(outcome.code != check.code || !outcome.stdout_text().contains(check.says))
    }

    fn braid(&self, fault: Option<&str>) -> Braid {
        let environment = fault.map(|fault| ("BRAID_FAULT".to_string(), fault.to_string()));
        Braid {
            binary: self.binary.clone(),
            scratch: self.scratch.clone(),
            environment: environment.into_iter().collect(),
        }
    }
}

/// The names of all fixtures that are explored.
pub fn explored_fixtures(root: &Path) -> std::io::Result<Vec<String>> {
    let mut found = fixture::find(root)?;
    found.retain(|fixture| {
        fixture::is_explored(fixture) && fixture.header.as_ref().is_ok_and(|header| header.errors.is_empty())
    });
    Ok(found.into_iter().map(|fixture| fixture.name).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn killers_read_back() {
        for text in
            ["sync/once.c", "order sync/once.c", "translated sync/once.c", "generated 17", "check rounds"]
        {
            assert_eq!(Killer::parse(text).map(|killer| killer.to_string()).as_deref(), Ok(text));
        }
        for text in ["once", "generated x", "check nothing", "other 1"] {
            assert!(Killer::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn rows_of_a_document() {
        let text = "# Faults\n\n| fault | breaks | noticed by |\n|---|---|---|\n\
                    | `one` | a thing | `threads/a.c`, `generated 3` |\n";
        let killers = vec![Killer::Fixture("threads/a.c"), Killer::Generated(3)];
        assert_eq!(rows(text), Ok(vec![("one", killers)]));
        assert!(rows("| `one` | no killers |\n").is_err());
        assert!(rows("| `one` | a thing | `nobody` |\n").is_err());
    }
}
