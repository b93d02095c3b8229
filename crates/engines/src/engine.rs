//! The interface of an engine: a name, the questions it takes, and a way to start it on a program.
//!
//! An [`Engine`] is a constant in the module of its name; [`crate::registry`] lists them. Everything that people see of
//! it (`--engine`, its options, the manual, statistics) is made from this value, so that adding an engine changes
//! nothing outside of its module but one line of the registry.

use crate::work::{Judge, Work};
use braid_interp::Cut;
use braid_ir::{Loc, Program, Question};
use braid_proof::Certificate;
use braid_props::{Check, CheckSet};
use braid_solver::{Failure, Stop};
use braid_verdict::{Bound, Bounds, Counterexample, Coverage, Reason};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

pub struct Engine {
    /// The name of its module; the word for `--engine`, the prefix of its options, the key of its statistics.
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// The idea, the papers with their sections, and what the engine does not do.
    pub manual: &'static str,
    /// Returns true for the properties that it looks for. `SAFE` needs a proof of all that were asked.
    pub decides: fn(Check) -> bool,
    /// It proves that there are no violations; otherwise it only finds them.
    pub proves: bool,
    /// It finds violations; otherwise it only proves that there are none.
    pub refutes: bool,
    /// It proves by invariants that the checker of `braid_proof` checks.
    pub certifies: bool,
    /// The kinds of bounds that it takes.
    pub bounds: &'static [Bound],
    pub options: &'static [Switch],
    /// It makes a formula: `--solver` and `--dump` mean something to it.
    pub has_formula: bool,
    /// The problem with a combination of options, if there is one.
    pub refuses: fn(&Setup) -> Option<String>,
    pub start: for<'a> fn(Task<'a>) -> Result<Box<dyn Search + 'a>, Failure>,
}

impl PartialEq for Engine {
    fn eq(&self, other: &Engine) -> bool {
        self.name == other.name
    }
}

impl Eq for Engine {}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Engine {
    /// The properties of a question that the engine looks for.
    pub fn decided(&self, checks: CheckSet) -> CheckSet {
        checks.iter().filter(|check| (self.decides)(*check)).collect()
    }

    pub fn takes(&self, bound: Bound) -> bool {
        self.bounds.contains(&bound)
    }

    /// A search of this engine within these bounds, in a few words: `order, bound 3`, `explicit, up to 20000 states`.
    pub fn label(&self, bounds: &Bounds) -> String {
        let limits = [
            (Bound::Threads, bounds.threads.map(u64::from), "threads"),
            (Bound::States, bounds.states, "states"),
            (Bound::Rounds, bounds.rounds.map(u64::from), "rounds"),
            (Bound::Contexts, bounds.contexts.map(u64::from), "context switches"),
            (Bound::Runs, bounds.runs, "runs"),
        ];
        let limits: Vec<String> = (limits.iter().filter(|(bound, ..)| self.takes(*bound)))
            .filter_map(|(_, limit, unit)| limit.map(|limit| format!("{limit} {unit}")))
            .collect();
        let mut label = self.name.to_string();
        if self.takes(Bound::Unwind) {
            label += &format!(", bound {}", bounds.unwind);
        }
        if !limits.is_empty() {
            label += &format!(", up to {}", limits.join(" and "));
        }
        label
    }
}

/// An option of an engine: `--ENGINE-NAME VALUE`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Switch {
    pub name: &'static str,
    pub help: &'static str,
    /// The values, each with a help text.
    pub values: &'static [(&'static str, &'static str)],
    /// The name without the engine's prefix under which people know it.
    pub alias: Option<&'static str>,
}

/// The options of engines that were chosen: engine, switch, value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Chosen(pub Vec<(&'static str, &'static str, String)>);

impl Chosen {
    /// The value of a switch, if one was chosen.
    pub fn get(&self, engine: &Engine, switch: &str) -> Option<&str> {
        let fits = |(owner, name, _): &&(&str, &str, String)| *owner == engine.name && *name == switch;
        self.0.iter().find(fits).map(|(.., value)| value.as_str())
    }
}

/// The solver of formula engines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum SolverChoice {
    #[default]
    Embedded,
    /// A solver in its own process, by its name (`z3`, `cvc5`, …) or a whole command.
    Process(String),
}

/// Settings that all engines share.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Setup {
    pub options: Chosen,
    pub solver: SolverChoice,
    /// The formula of the last search goes there: `.smt2` or `.cnf`.
    pub dump: Option<PathBuf>,
    /// A proof is wanted that others can check.
    pub proof: bool,
}

/// The program that an engine is to look at, and the question about it.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The program before any pass, which the judge replays.
    pub source: &'a Program,
    pub question: Question,
    /// The source program, ready to run.
    pub judge: &'a Judge<'a>,
    pub setup: &'a Setup,
}

/// An engine at work on one program. It keeps its formula, solver and facts between calls.
pub trait Search {
    /// Looks for a violation within bounds, which never shrink from call to call.
    fn attempt(&mut self, bounds: &Bounds, work: &mut Work<'_>) -> Result<Finding, Failure>;

    /// Looks for a violation that is not known yet, within the bounds of the last attempt, which has found one. The
    /// result is `Clear` if there is none, or none within the effort that is worth it.
    fn next(&mut self, known: &Known, work: &mut Work<'_>) -> Result<Finding, Failure>;

    /// The cost of the last call.
    fn statistics(&self) -> Statistics;
}

/// The result of a search.
#[derive(Clone, Debug)]
pub enum Finding {
    /// Only the judge makes a counterexample ([`Work::convict`]).
    Violation(Box<Counterexample>),
    Clear(Clear),
    /// A limit was reached. What is known to stand in the way of a proof is in `open`.
    Stopped {
        by: Stop,
        reason: Reason,
        open: Vec<(CheckSet, Reason)>,
    },
}

/// There is no violation within the bounds.
#[derive(Clone, Debug)]
pub struct Clear {
    /// Properties that no execution violates, within the bounds or beyond.
    pub proved: CheckSet,
    /// Why there is no proof of the others.
    pub open: Vec<(CheckSet, Reason)>,
    /// The coverage of the proof, if something is proved.
    pub coverage: Option<Coverage>,
    /// Invariants that show what is proved, for others to check. Engines that go through all executions have none.
    pub certificates: Vec<Certificate>,
    /// All executions were seen: no other engine can say more.
    pub conclusive: bool,
    /// The end of the search, in a few words.
    pub text: String,
}

impl Clear {
    /// There is no violation, and nothing more is known.
    pub fn nothing_found() -> Clear {
        Clear {
            proved: CheckSet::EMPTY,
            open: Vec::new(),
            coverage: None,
            certificates: Vec::new(),
            conclusive: false,
            text: "nothing found".to_string(),
        }
    }
}

impl Finding {
    /// The end of a search, in a few words.
    pub fn text(&self) -> String {
        match self {
            Finding::Violation(found) => found.report().check.to_string(),
            Finding::Clear(clear) => clear.text.clone(),
            Finding::Stopped { by, .. } => by.to_string(),
        }
    }
}

/// The limit that ended an exhaustive search, if one of the user's did.
pub(crate) fn stop_of(cut: &Cut) -> Option<Stop> {
    match cut {
        Cut::Timeout => Some(Stop::Deadline),
        Cut::Interrupted => Some(Stop::Interrupted),
        Cut::States(_)
        | Cut::Work(_)
        | Cut::Memory(_)
        | Cut::Values(_)
        | Cut::Rounds(_)
        | Cut::Contexts(_)
        | Cut::Resource(..)
        | Cut::Spinning(_) => None,
    }
}

/// Racy pairs of places that are listed.
pub const MOST_RACES: usize = 50;

/// Violations that are not searched for any more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// Properties of which no further violation is wanted.
    pub checks: CheckSet,
    /// Data races between these places, each pair ascending.
    pub races: Vec<[Loc; 2]>,
}

impl Known {
    /// Nothing is known.
    pub const NONE: Known = Known { checks: CheckSet::EMPTY, races: Vec::new() };

    /// Returns true if a violation of the property, of data races with its places, is known.
    pub fn has(&self, check: Check, racy: Option<[Loc; 2]>) -> bool {
        self.checks.contains(check) || racy.is_some_and(|places| self.races.contains(&places))
    }

    /// Notes a violation: one of each property is wanted, and of data races one of each pair of places.
    pub fn add(&mut self, check: Check, racy: Option<[Loc; 2]>) {
        match racy {
            Some(places) => self.races.push(places),
            None => self.checks.insert(check),
        }
    }
}

/// The cost of a search as named values, so that a printer need not know the engine.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Counts for the line of the phase itself.
    pub brief: Vec<Count>,
    /// Counts in groups, each shown on a line.
    pub groups: Vec<Vec<Count>>,
    /// Time by parts of the work, in the order of their beginning.
    pub parts: Vec<(&'static str, Duration)>,
    pub tables: Vec<Table>,
}

/// A number and its unit: `12 threads`.
pub type Count = (&'static str, u64);

/// A list of things of the program with what each took, the most expensive first.
#[derive(Clone, Debug)]
pub struct Table {
    /// A plural: `locations`.
    pub name: &'static str,
    pub rows: Vec<(String, Vec<Count>)>,
}
