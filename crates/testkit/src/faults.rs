//! Deliberate faults (`braid_base::faults`), and who notices them.
//!
//! `docs/faults.md` names for each fault its killers: tests that pass, and fail while the fault is turned
//! on. A killer is a fixture (what it states no longer comes out), a generated program (exploring it with
//! and without reduction no longer agrees) or one of [`CHECKS`], for what no fixture can state: bounds.
//!
//! Nothing here compares with what the binary says without the fault: the suite has no such oracle
//! either. A search that runs out of time or states notices nothing.

use crate::fixture::{self, Explorer, Report};
use crate::threads::command::{Braid, Explored};
use crate::threads::program;
use std::path::{Path, PathBuf};

/// Generated programs with more states are left alone.
const STATES: u64 = 50_000;

/// A small program whose exploration must end with a certain exit code.
#[derive(PartialEq, Eq, Debug)]
pub struct Check {
    pub name: &'static str,
    text: &'static str,
    flags: &'static [&'static str],
    code: i32,
}

/// Violated if main is interrupted once: two context switches, two rounds.
const SWITCHES: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
    static atomic_int turn;\nstatic void *t(void *unused)\n{\n(void)unused;\nif (turn == 1)\nturn = 2;\nreturn 0;\n}\n\
    int main(void)\n{\npthread_t a;\npthread_create(&a, 0, t, 0);\nturn = 1;\nassert(turn != 2);\n\
    pthread_join(a, 0);\nreturn 0;\n}\n";

/// Violated by one value, which is not among those tried.
const RARE: &str = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nint main(void)\n{\n\
    assert(__VERIFIER_nondet_int() != 77);\nreturn 0;\n}\n";

/// What no fixture can state: the program is wrong, but not within the bound.
pub const CHECKS: &[Check] = &[
    Check { name: "context-bound", text: SWITCHES, flags: &["--context-bound", "1"], code: 5 },
    Check { name: "rounds", text: SWITCHES, flags: &["--rounds", "1"], code: 5 },
    Check { name: "values", text: RARE, flags: &["--values", "0,1"], code: 5 },
];

/// A test that may notice a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Killer<'a> {
    /// By its name below `tests/c`.
    Fixture(&'a str),
    /// By its seed.
    Generated(u64),
    Check(&'static Check),
}

impl<'a> Killer<'a> {
    /// Reads `topic/name.c`, `generated SEED` or `check NAME`.
    pub fn parse(text: &'a str) -> Result<Killer<'a>, String> {
        let found = match text.split_once(' ') {
            None if text.contains('/') => Some(Killer::Fixture(text)),
            Some(("generated", seed)) => seed.parse().ok().map(Killer::Generated),
            Some(("check", name)) => CHECKS.iter().find(|check| check.name == name).map(Killer::Check),
            None | Some(_) => None,
        };
        found.ok_or_else(|| format!("'{text}' is no test"))
    }
}

impl std::fmt::Display for Killer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Killer::Fixture(name) => f.write_str(name),
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
        let explored = self.braid(fault).explore(&name, check.text, check.flags)?;
        Ok(explored.outcome.code != check.code)
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
        for text in ["threads/once.c", "generated 17", "check rounds"] {
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
