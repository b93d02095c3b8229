//! The user's limits where nobody polls them.
//!
//! Engines look at the clock and at the memory themselves. The front end does not, and a piece of an engine's work
//! between two looks may be long. A thread of its own looks instead; if it finds that a limit is passed, it says
//! `UNKNOWN` with the reason and ends the process. Engines, which can say more, get a little longer than the limit.

use crate::exit;
use braid_interp::Limits;
use braid_portfolio::memory_in_use;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Time between two looks.
const INTERVAL: Duration = Duration::from_millis(20);
/// What engines get beyond the limits: time,
const GRACE: Duration = Duration::from_millis(500);
/// and this part of the memory: 1 / SPARE.
const SPARE: u64 = 16;

/// What is going on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// The front end is at work.
    Reading,
    /// Engines are at work, and look at the limits themselves.
    Searching,
    /// The answer is known and about to be told.
    Done,
}

/// Watches until it is told that the answer is known.
pub struct Watchdog {
    phase: Arc<Mutex<Phase>>,
}

impl Watchdog {
    /// Watches from now on. The last word is how to say, in the format that was asked for, that a limit was reached:
    /// which one, and in which phase.
    pub fn start(limits: Limits, last_word: impl Fn(&str, &str) + Send + 'static) -> Watchdog {
        let phase = Arc::new(Mutex::new(Phase::Reading));
        let watched = Arc::clone(&phase);
        std::thread::spawn(move || watch(limits, &watched, &last_word));
        Watchdog { phase }
    }

    /// The front end is done, and the engines begin.
    pub fn searching(&self) {
        *lock(&self.phase) = Phase::Searching;
    }

    /// The answer is known. The watchdog says nothing from now on.
    pub fn done(&self) {
        *lock(&self.phase) = Phase::Done;
    }
}

fn lock(phase: &Mutex<Phase>) -> MutexGuard<'_, Phase> {
    phase.lock().unwrap_or_else(PoisonError::into_inner)
}

fn watch(limits: Limits, phase: &Mutex<Phase>, last_word: &dyn Fn(&str, &str)) {
    loop {
        // Nobody else speaks while this is locked.
        let now = lock(phase);
        let name = match *now {
            Phase::Reading => "reading the program",
            Phase::Searching => "searching",
            Phase::Done => return,
        };
        if let Some(limit) = passed(&limits, *now) {
            last_word(&limit, name);
            std::process::exit(i32::from(exit::UNKNOWN));
        }
        drop(now);
        std::thread::sleep(INTERVAL);
    }
}

/// The limit that is passed, if one is.
fn passed(limits: &Limits, phase: Phase) -> Option<String> {
    let searching = phase == Phase::Searching;
    let grace = if searching { GRACE } else { Duration::ZERO };
    if limits.deadline.is_some_and(|deadline| Instant::now() >= deadline + grace) {
        return Some("time limit reached".to_string());
    }
    let spare = if searching { limits.memory / SPARE } else { 0 };
    let used = memory_in_use()?;
    (used > limits.memory + spare).then(|| format!("memory limit of {} MiB reached", limits.memory >> 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_get_a_little_longer() {
        let late = Limits { deadline: Some(Instant::now()), ..Limits::default() };
        assert!(passed(&late, Phase::Reading).is_some());
        assert_eq!(passed(&late, Phase::Searching), None);
        let small = Limits { memory: 1, ..Limits::default() };
        if memory_in_use().is_some() {
            assert_eq!(passed(&small, Phase::Reading).as_deref(), Some("memory limit of 0 MiB reached"));
        }
        assert_eq!(passed(&Limits::default(), Phase::Reading), None);
    }
}
