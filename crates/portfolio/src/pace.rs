//! Workers side by side, so that it does not depend on the machine who answers.
//!
//! Each worker counts what it does in units, which are the same on every machine. Of two answers the one counts that
//! came earlier in *virtual time*, which a worker's units tell: a unit of the first worker is shorter than one of the
//! second, and it has a head start ([`Pace`]). Ties go to the worker that is first in rank.
//!
//! Nobody waits while working. Only an answer waits, until all others have come to the same virtual time without one
//! of their own, or have given up; then they are told to end. So the first worker, whose units are cheap and whose
//! answers need no growing bounds, may run far ahead of a second one that is slow; what it pays for is that others may
//! have to catch up before its answer counts.
//!
//! The user's limits end waiting, too; then the answer depends on the moment anyway.

use braid_base::faults::active;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How a worker's units become virtual time: `units * per_unit / 8`, after `head` units that take none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    pub head: u64,
    pub per_unit: u64,
}

/// Virtual time. It goes from zero on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Moment(u64);

impl Pace {
    fn moment(self, units: u64) -> Moment {
        Moment(units.saturating_sub(self.head).saturating_mul(self.per_unit) / 8)
    }
}

/// How soon one who waits notices that the others have moved.
const PATIENCE: Duration = Duration::from_millis(1);

struct Worker {
    pace: Pace,
    spent: AtomicU64,
    /// Set when the worker should end.
    over: AtomicBool,
    end: Mutex<Option<Left>>,
}

/// The end of a worker's work.
#[derive(Clone, Copy)]
struct Left {
    /// When it had an answer, if it had one.
    answered: Option<Moment>,
}

impl Worker {
    fn now(&self) -> Moment {
        self.pace.moment(self.spent.load(Ordering::Relaxed))
    }

    fn end(&self) -> MutexGuard<'_, Option<Left>> {
        self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One of the workers.
pub struct Lane {
    workers: Arc<[Worker]>,
    own: usize,
    user: Arc<AtomicBool>,
    deadline: Option<Instant>,
}

/// The workers in the order of their ranks. The user's wish and limit end waiting, too.
pub fn lanes(paces: &[Pace], user: &Arc<AtomicBool>, deadline: Option<Instant>) -> Vec<Arc<Lane>> {
    let worker = |pace: &Pace| Worker {
        pace: *pace,
        spent: AtomicU64::new(0),
        over: AtomicBool::new(false),
        end: Mutex::new(None),
    };
    let workers: Arc<[Worker]> = paces.iter().map(worker).collect();
    let lane = |own| Lane { workers: Arc::clone(&workers), own, user: Arc::clone(user), deadline };
    (0..workers.len()).map(|own| Arc::new(lane(own))).collect()
}

impl Lane {
    /// Set when the worker should end.
    pub fn over(&self) -> &AtomicBool {
        &self.own().over
    }

    /// How far this worker has come.
    pub fn now(&self) -> Moment {
        self.own().now()
    }

    /// Spends some units. Returns true if the worker should end.
    pub fn spend(&self, units: u64) -> bool {
        self.own().spent.fetch_add(units, Ordering::Relaxed);
        if self.user.load(Ordering::Relaxed) {
            self.over().store(true, Ordering::Relaxed);
        }
        self.over().load(Ordering::Relaxed)
    }

    /// The worker ends, with an answer or without. Returns true if it has an answer that counts: then all others end.
    pub fn leave(&self, answered: bool) -> bool {
        let answered = answered.then(|| self.now());
        *self.own().end() = Some(Left { answered });
        let Some(at) = answered else { return false };
        let counts =
            (0..self.workers.len()).filter(|other| *other != self.own).all(|other| self.beats(at, other));
        if counts {
            let others = self.workers.iter().enumerate().filter(|(index, _)| *index != self.own);
            others.for_each(|(_, other)| other.over.store(true, Ordering::Relaxed));
        }
        counts
    }

    /// Waits until it is known whether an answer at this moment comes before one of the other worker.
    fn beats(&self, at: Moment, other: usize) -> bool {
        let first = |theirs: Moment| ((at, self.own) < (theirs, other)) != active("later-answer-counts");
        let worker = &self.workers[other];
        loop {
            // What it has spent is read before whether it has left: it spends nothing afterwards.
            let now = worker.now();
            match *worker.end() {
                Some(Left { answered: Some(theirs) }) => return first(theirs),
                Some(Left { answered: None }) => return true,
                None if first(now) => return true,
                None => {}
            }
            let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if late || self.user.load(Ordering::Relaxed) {
                return true;
            }
            std::thread::sleep(PATIENCE);
        }
    }

    fn own(&self) -> &Worker {
        &self.workers[self.own]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACES: [Pace; 2] = [Pace { head: 100, per_unit: 4 }, Pace { head: 0, per_unit: 8 }];

    fn two(user: &Arc<AtomicBool>) -> Vec<Arc<Lane>> {
        lanes(&PACES, user, None)
    }

    /// Two workers with an answer after so many units, or none; whether it counted, or else after how many units they
    /// ended.
    fn race(answers: [Option<u64>; 2], give_up: [u64; 2]) -> [Result<bool, u64>; 2] {
        let lanes = two(&Arc::default());
        let work = |lane: &Lane, answer: Option<u64>, end: u64| {
            let mut units = 0;
            loop {
                if answer == Some(units) {
                    return Ok(lane.leave(true));
                }
                if units == end || lane.spend(1) {
                    lane.leave(false);
                    return Err(units);
                }
                units += 1;
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
    fn the_earlier_answer_counts_on_every_machine() {
        for _ in 0..20 {
            // 1100 units of the first are as late as 500 of the second.
            let [first, second] = race([Some(1100), Some(500)], [LONG; 2]);
            assert_eq!(first, Ok(true));
            assert_ne!(second, Ok(true));
            let [first, second] = race([Some(1102), Some(500)], [LONG; 2]);
            assert_ne!(first, Ok(true));
            assert_eq!(second, Ok(true));
        }
    }

    #[test]
    fn an_answer_in_the_head_start_counts_at_once() {
        let lanes = two(&Arc::default());
        lanes[0].spend(100);
        assert!(lanes[0].leave(true));
        assert!(lanes[1].spend(1));
    }

    #[test]
    fn an_answer_waits_for_who_might_be_earlier() {
        for _ in 0..20 {
            let [first, second] = race([None, Some(1)], [LONG; 2]);
            assert!(matches!(first, Err(units) if units >= 102), "{first:?}");
            assert_eq!(second, Ok(true));
        }
    }

    #[test]
    fn nobody_is_told_to_end_before_an_answer_counts() {
        let lanes = two(&Arc::default());
        std::thread::scope(|scope| {
            lanes[1].spend(1);
            let second = scope.spawn(|| lanes[1].leave(true));
            // However long the first takes: it has not come as far yet.
            std::thread::sleep(20 * PATIENCE);
            assert!(!second.is_finished() && !lanes[0].spend(100));
            while !lanes[0].spend(1) {
                std::thread::sleep(PATIENCE);
            }
            assert!(second.join().expect("no panic"));
        });
    }

    #[test]
    fn one_that_gives_up_leaves_the_other_alone() {
        assert_eq!(race([None, Some(LONG)], [10, 2 * LONG]), [Err(10), Ok(true)]);
        assert_eq!(race([Some(LONG), None], [2 * LONG, 10]), [Ok(true), Err(10)]);
    }

    #[test]
    fn the_user_ends_both() {
        let user = Arc::new(AtomicBool::new(false));
        let lanes = two(&user);
        assert!(!lanes[0].spend(1) && !lanes[1].spend(1));
        user.store(true, Ordering::Relaxed);
        assert!(lanes[0].spend(1) && lanes[1].spend(1));
    }
}
