//! Two workers in step, so that it does not depend on the machine who answers.
//!
//! Work is cut into epochs. In each, a worker may spend the same number of units; then it waits for the other. An
//! answer of the first worker ends the work at once; one of the second counts when the first has spent the
//! epoch without an answer of its own. A worker that gives up leaves the other alone.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Units of the first epoch; the later ones have a quarter of what was spent before, if that is more.
const FIRST: u64 = 2048;
/// How soon one who waits notices the user's limits.
const PATIENCE: Duration = Duration::from_millis(20);

#[derive(Default)]
struct Pair {
    workers: Mutex<[Worker; 2]>,
    changed: Condvar,
    /// Set when the worker should end.
    over: [AtomicBool; 2],
}

#[derive(Clone, Copy, Default)]
struct Worker {
    /// How many are spent.
    epochs: u32,
    left: bool,
    /// In which epoch, counted from zero.
    answered: Option<u32>,
}

/// One of two workers.
pub struct Lane {
    pair: Arc<Pair>,
    own: usize,
    user: Arc<AtomicBool>,
    deadline: Option<Instant>,
    spent: AtomicU64,
    budget: AtomicU64,
}

/// The first worker and the second. The user's wish and limit end waiting, too.
pub fn lanes(user: &Arc<AtomicBool>, deadline: Option<Instant>) -> [Lane; 2] {
    let pair = Arc::new(Pair::default());
    [0, 1].map(|own| Lane {
        pair: Arc::clone(&pair),
        own,
        user: Arc::clone(user),
        deadline,
        spent: AtomicU64::new(0),
        budget: AtomicU64::new(FIRST),
    })
}

impl Lane {
    /// Whether the worker should end.
    pub fn over(&self) -> &AtomicBool {
        &self.pair.over[self.own]
    }

    /// The epochs this worker has spent.
    pub fn epoch(&self) -> u32 {
        self.workers()[self.own].epochs
    }

    /// Spends some units; waits at the end of an epoch. Whether the worker should end.
    pub fn spend(&self, units: u64) -> bool {
        let spent = self.spent.fetch_add(units, Ordering::Relaxed) + units;
        let ends = spent >= self.budget.load(Ordering::Relaxed);
        if ends {
            self.budget.store(spent + FIRST.max(spent / 4), Ordering::Relaxed);
        }
        if (ends && self.loses()) || self.user.load(Ordering::Relaxed) {
            self.over().store(true, Ordering::Relaxed);
        }
        self.over().load(Ordering::Relaxed)
    }

    /// Waits until the other worker has spent the epoch, too. Whether it had an answer in it.
    fn loses(&self) -> bool {
        let mut workers = self.workers();
        workers[self.own].epochs += 1;
        self.pair.changed.notify_all();
        loop {
            let (own, other) = (workers[self.own], workers[1 - self.own]);
            if other.left {
                return other.answered.is_some_and(|epoch| epoch < own.epochs);
            }
            let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if other.epochs >= own.epochs || late || self.user.load(Ordering::Relaxed) {
                return false;
            }
            let waited = self.pair.changed.wait_timeout(workers, PATIENCE);
            workers = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The worker ends, with an answer or without.
    pub fn leave(&self, answered: bool) {
        let mut workers = self.workers();
        let own = &mut workers[self.own];
        own.left = true;
        own.answered = answered.then_some(own.epochs);
        if answered && self.own == 0 {
            self.pair.over[1].store(true, Ordering::Relaxed);
        }
        self.pair.changed.notify_all();
    }

    fn workers(&self) -> MutexGuard<'_, [Worker; 2]> {
        self.pair.workers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two workers with an answer after so many units, or none; who was told to end, and after how many.
    fn race(answers: [Option<u64>; 2], give_up: [u64; 2]) -> [Result<u64, u64>; 2] {
        let lanes = lanes(&Arc::new(AtomicBool::new(false)), None);
        let work = |lane: &Lane, answer: Option<u64>, end: u64| {
            let mut units = 0;
            loop {
                if answer == Some(units) || units == end {
                    lane.leave(answer == Some(units));
                    return Ok(units);
                }
                units += 1;
                if lane.spend(1) {
                    lane.leave(false);
                    return Err(units);
                }
            }
        };
        std::thread::scope(|scope| {
            let second = scope.spawn(|| work(&lanes[1], answers[1], give_up[1]));
            let first = work(&lanes[0], answers[0], give_up[0]);
            [first, second.join().expect("no panic")]
        })
    }

    const LONG: u64 = 1_000_000;

    #[test]
    fn the_second_wins_when_the_first_has_spent_the_epoch() {
        for _ in 0..20 {
            assert_eq!(race([None, Some(FIRST + 1)], [LONG; 2]), [Err(2 * FIRST), Ok(FIRST + 1)]);
        }
    }

    #[test]
    fn within_an_epoch_the_first_wins() {
        for _ in 0..20 {
            let [first, second] = race([Some(2 * FIRST - 1), Some(FIRST + 1)], [LONG; 2]);
            assert_eq!(first, Ok(2 * FIRST - 1));
            assert!(second == Ok(FIRST + 1) || second.is_err());
        }
    }

    #[test]
    fn one_that_gives_up_leaves_the_other_alone() {
        assert_eq!(race([None, Some(LONG)], [10, 2 * LONG]), [Ok(10), Ok(LONG)]);
        assert_eq!(race([Some(LONG), None], [2 * LONG, 10]), [Ok(LONG), Ok(10)]);
    }

    #[test]
    fn the_user_ends_both() {
        let user = Arc::new(AtomicBool::new(false));
        let [first, second] = lanes(&user, None);
        assert!(!first.spend(1) && !second.spend(1));
        user.store(true, Ordering::Relaxed);
        assert!(first.spend(FIRST) && second.spend(1));
    }
}
