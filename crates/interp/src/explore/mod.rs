//! All interleavings of a small program, and all its choices.
//!
//! Depth-first search over states ([`search`]), which are told apart by a 128-bit hash
//! ([`crate::canon`]). Sleep sets ([`store`]) avoid taking steps that commute in both orders; they
//! preserve every state, so looking for races and cycles of waits in each state stays exact. Under a
//! bound on rounds or context switches the reduction is off: it would count different schedules. It is off, too, if
//! livelocks are looked for: they are cycles of steps, and the graph of all states ([`graph`]) is kept for that.

mod choices;
mod graph;
mod livelock;
mod node;
#[cfg(test)]
mod random;
mod search;
mod store;
#[cfg(test)]
mod tests;

use crate::image::{Image, SetupError};
use crate::machine::Options;
use crate::reached::Reached;
use crate::report::{Partial, Report, Resource};
use crate::trace::{RoundOrder, Trace};
use braid_ir::Loc;
use braid_props::Check;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::atomic::AtomicBool;

#[derive(Clone, Debug)]
pub struct ExploreOptions {
    /// Checks, race model, limits; the deadline and the memory bound the whole search.
    pub machine: Options,
    /// What arbitrary values are tried.
    pub values: Vec<i128>,
    /// Leave out interleavings that only differ in the order of steps that commute.
    pub reduction: bool,
    /// In a round each thread runs one segment; at most so many rounds.
    pub rounds: Option<u32>,
    /// The order of the threads in a round.
    pub round_order: RoundOrder,
    /// At most so many changes of the running thread.
    pub context_bound: Option<u32>,
    pub max_states: Option<u64>,
    /// Which violations are collected.
    pub collect: Collect,
    /// Tells how much memory the process occupies, where the system does: more than what a search counts of its own.
    pub memory_in_use: Option<fn() -> Option<u64>>,
}

/// Which violations a search collects, and when it has enough. What a search that ends early says besides is
/// incomplete.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Collect {
    /// One per check and places.
    #[default]
    All,
    /// The first one only.
    First,
    /// The first one of each check; of races one per places, up to so many.
    Each { races: usize },
}

impl Default for ExploreOptions {
    fn default() -> ExploreOptions {
        ExploreOptions {
            machine: Options::default(),
            values: vec![0, 1, -1],
            reduction: true,
            rounds: None,
            round_order: RoundOrder::default(),
            context_bound: None,
            max_states: None,
            collect: Collect::All,
            memory_in_use: None,
        }
    }
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    pub states: u64,
    pub transitions: u64,
    /// What it has cost, in units that do not depend on the machine: instructions, and what copying and comparing
    /// states takes.
    pub work: u64,
    /// Transitions from the start to where the search is.
    pub depth: usize,
    /// Memory in use, about.
    pub bytes: u64,
    pub violations: usize,
}

/// A violation and how to get there.
#[derive(Clone, Debug)]
pub struct Found {
    pub report: Report,
    pub trace: Trace,
}

/// Why not everything was looked at.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Cut {
    States(u64),
    /// The search has cost so much ([`Progress::work`]).
    Work(u64),
    Timeout,
    Memory(u64),
    Interrupted,
    /// More values are possible than were tried.
    Values(Loc),
    Rounds(u32),
    Contexts(u32),
    Resource(Resource, Loc),
    /// Whether a thread that stands here spins could not be decided.
    Spinning(Loc),
}

impl std::fmt::Display for Cut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Cut::States(limit) => write!(f, "limit of {limit} states reached"),
            Cut::Work(limit) => write!(f, "limit of {limit} steps reached"),
            Cut::Timeout => f.write_str("time limit reached"),
            Cut::Memory(limit) => write!(f, "memory limit of {} MiB reached", limit >> 20),
            Cut::Interrupted => f.write_str("interrupted"),
            Cut::Values(_) => f.write_str("not all values of a choice were tried"),
            Cut::Rounds(limit) => write!(f, "bound of {limit} rounds reached"),
            Cut::Contexts(limit) => write!(f, "bound of {limit} context switches reached"),
            Cut::Resource(resource, _) => resource.fmt(f),
            Cut::Spinning(_) => f.write_str("a loop is too long to tell whether it spins"),
        }
    }
}

/// How an execution ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EndKind {
    Exit(i32),
    Abort,
    Violation(Check, Loc),
    Invalid(Check, Loc),
    Unsupported(Loc),
    /// Every unfinished thread waits.
    Blocked,
    /// Stopped by an `assume`.
    Stopped,
    /// A resource ran out.
    Exhausted,
}

/// A distinct outcome.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct End {
    pub kind: EndKind,
    /// A hash of the program's static variables at the end; 0 where the execution was cut off by a
    /// violation and the like.
    pub globals: u128,
}

impl End {
    fn rank(&self) -> (u8, i64, u8, Loc, u128) {
        let (kind, number, check, loc) = match self.kind {
            EndKind::Exit(code) => (0, i64::from(code), 0, Loc::NONE),
            EndKind::Abort => (1, 0, 0, Loc::NONE),
            EndKind::Violation(check, loc) => (2, 0, check as u8, loc),
            EndKind::Invalid(check, loc) => (3, 0, check as u8, loc),
            EndKind::Unsupported(loc) => (4, 0, 0, loc),
            EndKind::Blocked => (5, 0, 0, Loc::NONE),
            EndKind::Stopped => (6, 0, 0, Loc::NONE),
            EndKind::Exhausted => (7, 0, 0, Loc::NONE),
        };
        (kind, number, check, loc, self.globals)
    }
}

impl PartialOrd for End {
    fn partial_cmp(&self, other: &End) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for End {
    fn cmp(&self, other: &End) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    pub states: u64,
    pub transitions: u64,
    /// How often the search came to the end of an execution.
    pub executions: u64,
    /// Threads of the largest execution, those that have ended included.
    pub threads: usize,
    /// Memory at its highest, about.
    pub bytes: u64,
    pub outcomes: BTreeSet<End>,
    /// One per check and places, in the order found.
    pub violations: Vec<Found>,
    /// Accesses and divisions that are invalid, of properties that are not checked.
    pub invalid: Vec<Report>,
    pub unsupported: Vec<(String, Loc)>,
    pub cuts: Vec<Cut>,
    pub depends_on_address: Option<Loc>,
    /// An address of a freed heap block was compared: whether it is another one's again is not looked at.
    pub stale: bool,
    /// Where the program begins to stand for only part of the behaviour of the C program.
    pub partial: Vec<Partial>,
    /// What executions came to.
    pub reached: Reached,
}

impl Exploration {
    /// Returns true if the search was complete and no execution came to the end of the program.
    pub fn never_ends(&self) -> bool {
        let is_end = |end: &End| matches!(end.kind, EndKind::Exit(_) | EndKind::Abort);
        self.is_complete() && !self.outcomes.iter().any(is_end)
    }

    /// Whether the absence of violations is a proof.
    pub fn is_complete(&self) -> bool {
        self.cuts.is_empty()
            && self.unsupported.is_empty()
            && self.invalid.is_empty()
            && self.depends_on_address.is_none()
            && self.partial.is_empty()
    }
}

/// Runs every interleaving of the program with every choice. Looks at `interrupt` now and then, and
/// tells `watch` how far it is.
pub fn explore(
    image: &Image,
    options: &ExploreOptions,
    interrupt: &AtomicBool,
    watch: &mut dyn FnMut(&Progress),
) -> Result<Exploration, SetupError> {
    let mut explorer = Explorer::new(image, Rc::new(options.clone()))?;
    let share = Share { states: options.max_states, work: None, memory: options.machine.limits.memory };
    Ok(explorer.go_on(share, interrupt, watch))
}

/// What a search may use until it is asked to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// States in all, since the beginning.
    pub states: Option<u64>,
    /// Work in all ([`Progress::work`]): states of many threads cost more. It is looked at now and then.
    pub work: Option<u64>,
    /// Bytes of its own, about.
    pub memory: u64,
}

/// A search that can pause at a number of states and go on from there.
pub struct Explorer<'a> {
    image: &'a Image<'a>,
    options: Rc<ExploreOptions>,
    search: search::Search<'a>,
    /// The search after the first one, in which addresses are given out again.
    reuses: bool,
}

impl<'a> Explorer<'a> {
    /// A search before its first step.
    pub fn new(image: &'a Image<'a>, options: Rc<ExploreOptions>) -> Result<Explorer<'a>, SetupError> {
        let search = search::Search::new(image, Rc::clone(&options), options.machine)?;
        let reuses = options.machine.reuse;
        Ok(Explorer { image, options, search, reuses })
    }

    /// From now on executions start at most so many threads, the first included. A search that has never come to
    /// that limit is what it would have been without.
    pub fn limit_threads(&mut self, limit: Option<u32>) {
        self.search.limit_threads(limit);
    }

    /// Goes on up to the end of its share. What was found since the beginning; complete if it came to its end.
    pub fn go_on(
        &mut self,
        share: Share,
        interrupt: &AtomicBool,
        watch: &mut dyn FnMut(&Progress),
    ) -> Exploration {
        let result = self.search.run(share, interrupt, watch);
        // Only where it matters whether an address is given out again, that is looked at, too.
        let again = result.stale && result.violations.is_empty() && result.cuts.is_empty();
        if !again || self.reuses {
            return result;
        }
        self.reuses = true;
        let machine = Options { reuse: true, ..self.search.machine_options() };
        let second = search::Search::new(self.image, Rc::clone(&self.options), machine);
        let work = self.search.work();
        self.search = second.expect("as when the first search began");
        self.search.add_work(work);
        self.search.run(share, interrupt, watch)
    }
}
