//! What a call may use: conflicts, time, memory, and the user's patience.
//!
//! Conflicts are counted by the SAT solver and give the same result on every machine; the other three
//! depend on the machine and the moment. They are polled: by the SAT solver in its terminate callback,
//! and by whoever builds large formulas. Reading the clock is cheap and happens at every poll; reading
//! the memory in use costs a system call and happens at every 64th.

use crate::meter::Meter;
use braid_base::ticks;
use std::cell::Cell;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Limits of one call. The default has none.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Conflicts of this call, not since the beginning.
    pub conflicts: Option<u64>,
    pub deadline: Option<Instant>,
    /// Bytes this process may occupy, together with a solver's process.
    pub memory: Option<u64>,
    pub interrupt: Option<Interrupt>,
    /// No limit: where to count what has been used.
    pub meter: Option<Arc<Meter>>,
}

/// Asked at every poll whether to end the work, and told how much was done since the last one ([`braid_base::ticks`], in
/// units of some hundred); whoever answers may let the work wait.
#[derive(Clone)]
pub struct Interrupt(Arc<dyn Fn(u64) -> bool + Send + Sync>);

impl Interrupt {
    pub fn new(ask: impl Fn(u64) -> bool + Send + Sync + 'static) -> Interrupt {
        Interrupt(Arc::new(ask))
    }

    /// Tells that so many units of work were done. Returns true if the work should end.
    pub fn spend(&self, units: u64) -> bool {
        (self.0)(units)
    }
}

/// A flag that is set from outside, for example by Ctrl-C.
impl From<Arc<AtomicBool>> for Interrupt {
    fn from(flag: Arc<AtomicBool>) -> Interrupt {
        Interrupt::new(move |_| flag.load(Ordering::Relaxed))
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Interrupt")
    }
}

/// Why a call ended without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    Conflicts,
    Deadline,
    Memory,
    Interrupted,
    /// The formula would have too many clauses for the memory there is.
    TooLarge,
    /// The solver said so itself and gave no reason: only solvers in other processes do.
    GaveUp,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stop::Conflicts => "conflict limit reached",
            Stop::Deadline => "time limit reached",
            Stop::Memory => "memory limit reached",
            Stop::Interrupted => "interrupted",
            Stop::TooLarge => "the formula would be too large for the memory limit",
            Stop::GaveUp => "the solver gave up",
        })
    }
}

/// How many polls share one look at the memory.
const MEMORY_INTERVAL: u32 = 64;

/// Ticks that count as one unit of work; about ten microseconds.
const UNIT: u64 = 512;
/// Ticks of a poll as such.
const POLL: u64 = 16;

/// Limits being watched. A limit that was reached stays so: the work unwinds and frees its memory before somebody asks
/// again which limit it was.
#[derive(Clone, Debug)]
pub struct Watch {
    limits: Limits,
    /// The first limit that was reached.
    reached: Cell<Option<Stop>>,
    polls: Cell<u32>,
    /// Ticks of this thread that have been told.
    ticks: Cell<u64>,
}

impl Watch {
    pub fn new(limits: &Limits) -> Watch {
        let ticks = Cell::new(ticks::total());
        Watch { limits: limits.clone(), reached: Cell::new(None), polls: Cell::new(0), ticks }
    }

    /// The limit that has been reached, conflicts left aside.
    pub fn poll(&self) -> Option<Stop> {
        let polls = self.polls.get();
        self.polls.set(polls.wrapping_add(1));
        self.look(polls.is_multiple_of(MEMORY_INTERVAL))
    }

    /// Like [`Watch::poll`], and looks at the memory in any case: before something large.
    pub fn poll_all(&self) -> Option<Stop> {
        self.look(true)
    }

    fn look(&self, at_memory: bool) -> Option<Stop> {
        if self.reached.get().is_none() {
            self.reached.set(self.look_anew(at_memory));
        }
        self.reached.get()
    }

    fn look_anew(&self, at_memory: bool) -> Option<Stop> {
        if self.limits.interrupt.as_ref().is_some_and(|interrupt| interrupt.spend(self.units())) {
            return Some(Stop::Interrupted);
        }
        if self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(Stop::Deadline);
        }
        let limit = self.limits.memory.filter(|_| at_memory)?;
        memory_in_use().is_some_and(|used| used > limit).then_some(Stop::Memory)
    }
}

impl Watch {
    /// Units of work since the last look.
    fn units(&self) -> u64 {
        ticks::add(POLL);
        let done = ticks::total().wrapping_sub(self.ticks.get()) / UNIT;
        self.ticks.set(self.ticks.get().wrapping_add(done * UNIT));
        done
    }
}

/// The bytes of memory this process occupies, where the system tells.
pub fn memory_in_use() -> Option<u64> {
    memory_of("self")
}

/// The most bytes of memory this process has occupied, where the system tells.
pub fn peak_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// The bytes of memory a process occupies, where the system tells.
pub(crate) fn memory_of(process: impl fmt::Display) -> Option<u64> {
    // Linux states sizes in pages; 4 KiB is the page of every target it is built for here.
    const PAGE: u64 = 4096;
    let text = std::fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    text.split_whitespace().nth(1)?.parse::<u64>().ok()?.checked_mul(PAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_is_noticed() {
        assert_eq!(Watch::new(&Limits::default()).poll(), None);
        let past = Limits { deadline: Some(Instant::now()), ..Limits::default() };
        assert_eq!(Watch::new(&past).poll(), Some(Stop::Deadline));
        let flag = Arc::new(AtomicBool::new(false));
        let watch = Watch::new(&Limits { interrupt: Some(Arc::clone(&flag).into()), ..Limits::default() });
        assert_eq!(watch.poll(), None);
        flag.store(true, Ordering::Relaxed);
        assert_eq!(watch.poll(), Some(Stop::Interrupted));
    }

    #[test]
    fn memory_is_looked_at_now_and_then() {
        if memory_in_use().is_none() {
            return;
        }
        let limits = Limits { memory: Some(1), ..Limits::default() };
        assert_eq!(Watch::new(&limits).poll(), Some(Stop::Memory));
        let watch = Watch { polls: Cell::new(1), ..Watch::new(&limits) };
        let stops: Vec<Option<Stop>> = (1..=MEMORY_INTERVAL).map(|_| watch.poll()).collect();
        let (last, before) = stops.split_last().expect("some polls");
        assert!(before.iter().all(Option::is_none));
        assert_eq!(*last, Some(Stop::Memory));
        let watch = Watch { polls: Cell::new(1), ..Watch::new(&limits) };
        assert_eq!(watch.poll_all(), Some(Stop::Memory));
    }

    #[test]
    fn a_limit_that_was_reached_stays_reached() {
        let flag = Arc::new(AtomicBool::new(true));
        let mut watch =
            Watch::new(&Limits { interrupt: Some(Arc::clone(&flag).into()), ..Limits::default() });
        assert_eq!(watch.poll(), Some(Stop::Interrupted));
        flag.store(false, Ordering::Relaxed);
        watch.limits.deadline = Some(Instant::now());
        assert_eq!(watch.poll(), Some(Stop::Interrupted));
        assert_eq!(watch.poll_all(), Some(Stop::Interrupted));
    }
}
