//! Barriers: how often each thread has waited at one, and what that keeps apart.
//!
//! *Claim*: two threads that take part in a *proper* barrier and have waited there so many times, and another number of times,
//! are never there at the same time, unless the one that is behind stands in its next wait. *Relies on*: the waits of all
//! threads being counted exactly, and `most` of the threads that wait. *Proof*: a barrier that is initialised once, for at least as many threads as
//! ever wait at it, opens only when every one of them waits; so all have waited `k` times before any of them goes on after
//! its wait number `k`.

use super::context::Context;
use super::registers::Run;
use super::sync::Subject;
use super::{Invalid, Missing};
use crate::certificate::Access;
use crate::range::Range;
use crate::state::Passed;
use crate::value::{ObjectId, ThreadId};
use braid_ir::Operand;
use std::collections::BTreeSet;

/// Counts from here on are not told apart but by their stride.
const MANY: i128 = 1 << 62;

/// What walks find out about the barrier at a place.
#[derive(Clone, PartialEq, Default)]
pub(super) struct Barrier {
    /// The number of threads for which it is initialised, and whether that happens more than once, or may.
    pub takes: Option<i128>,
    pub again: bool,
    pub waiting: BTreeSet<ThreadId>,
}

/// The entry of a barrier; without one it was never waited for.
fn count(passed: &[Passed], place: (ObjectId, i64)) -> Range {
    let known = passed.iter().find(|one| one.barrier == place);
    known.map_or(Range::point(0), |one| one.count)
}

/// Counts of two states.
pub fn join(a: &[Passed], b: &[Passed], widen: bool) -> Vec<Passed> {
    let places: BTreeSet<(ObjectId, i64)> = a.iter().chain(b).map(|one| one.barrier).collect();
    let both = places.into_iter().map(|barrier| {
        let (old, new) = (count(a, barrier), count(b, barrier));
        let joined = old.join(new);
        let grown = widen && joined != old;
        let step = i128::from(joined.step().max(1));
        let hi = joined.lo() + (MANY - joined.lo()) / step * step;
        let wide = Range::new(joined.lo(), hi, joined.step().max(1)).filter(|_| grown);
        Passed { barrier, count: wide.unwrap_or(joined) }
    });
    both.collect()
}

/// Returns true if the counts of one state are among those of another.
pub(super) fn includes(claimed: &[Passed], computed: &[Passed]) -> bool {
    let places = claimed.iter().chain(computed).map(|one| one.barrier);
    places.into_iter().all(|place| count(claimed, place).includes(count(computed, place)))
}

impl Run<'_, '_> {
    /// The place of a barrier, by the shared name of its object, if there is one such object.
    fn barrier(&self, subject: &Subject) -> Option<(ObjectId, i64)> {
        let place = subject.place().map(|(object, at)| (self.cx.shared(object), at));
        place.filter(|(object, _)| self.cx.single(*object))
    }

    /// The thread goes on after a wait.
    pub fn pass(&mut self, subject: &Subject) {
        let exact = self.barrier(subject);
        let threads = self.cx.threads(self.instance);
        self.cx.survey.note(|found| match exact {
            Some(place) => found.barriers.entry(place).or_default().waiting.extend(threads),
            // It may be any of them.
            None => found.any_barrier = true,
        });
        let Some(barrier) = exact else { return };
        let next = count(&self.state.passed, barrier).plus(Range::point(1));
        let step = i128::from(next.step().max(1));
        let hi = next.hi().min(next.lo() + (MANY - next.lo()) / step * step);
        let count = Range::new(next.lo(), hi, if hi == next.lo() { 0 } else { next.step() }).unwrap_or(next);
        self.state.passed.retain(|one| one.barrier != barrier);
        self.state.passed.push(Passed { barrier, count });
        self.state.passed.sort();
    }

    /// A barrier is initialised for so many threads.
    pub fn note_barrier(&self, subject: &Subject, threads: Option<&Operand>) {
        let exact = self.barrier(subject);
        let takes = threads.and_then(|arg| self.operand(*arg).constant());
        let once = self.cx.is_once(self.instance) && !self.flow().cyclic.contains(&self.block);
        let here = (self.instance, self.instr);
        self.cx.survey.note(|found| match exact {
            Some(place) => {
                let sites = found.barrier_sites.entry(place).or_default();
                sites.insert(here);
                let several = sites.len() > 1;
                let barrier = found.barriers.entry(place).or_default();
                barrier.again |= several || !once || barrier.takes.is_some_and(|known| Some(known) != takes);
                barrier.takes = takes;
            }
            None => found.any_barrier = true,
        });
    }

    /// Returns true if at most so many threads of a kind are ever started, as is claimed, after one more start.
    pub fn starts_at_most(&self, thread: ThreadId, is_counted: bool) -> Result<(), Invalid> {
        let Some(most) = self.cx.certificate.threads[thread].most else { return Ok(()) };
        let places = self.state.teams.get(&thread).and_then(|team| {
            let last = self.cx.most_size(team.array)? - i128::from(self.cx.pointer_bytes());
            let places = if last < 0 { 0 } else { last / i128::from(team.stride.max(1)) + 1 };
            u64::try_from(places).ok()
        });
        let alone = self.starts_alone(thread);
        // Handles in places one behind the other: there are no more of them than the array has places.
        let now = places.filter(|_| alone && is_counted);
        if now.is_none_or(|now| now > most) {
            let missing = Missing::Most(thread, now);
            self.needs(missing, format!("at most {most} of {thread} are started"), &now, &most)?;
        }
        Ok(())
    }
}

/// Returns true if a barrier keeps two accesses apart.
pub(super) fn apart(cx: &Context, (s, one): (ThreadId, &Access), (t, other): (ThreadId, &Access)) -> bool {
    let places = one.passed.iter().chain(&other.passed).map(|passed| passed.barrier);
    places.into_iter().any(|place| {
        let (first, second) = (count(&one.passed, place), count(&other.passed, place));
        !Range::interferes(first, 1, second, 1) && is_proper(cx, place, [s, t])
    })
}

/// Returns true if the barrier opens only when all threads wait that ever do, and these two are among them.
fn is_proper(cx: &Context, place: (ObjectId, i64), threads: [ThreadId; 2]) -> bool {
    let found = cx.survey.get();
    let Some(barrier) = found.barriers.get(&place).filter(|_| !found.any_barrier) else { return false };
    let Some(takes) = barrier.takes.filter(|_| !barrier.again) else { return false };
    let most = |thread: &ThreadId| {
        let facts = &cx.certificate.threads[*thread];
        if facts.single { Some(1) } else { facts.most.map(i128::from) }
    };
    let all: Option<i128> = barrier.waiting.iter().map(most).sum();
    threads.iter().all(|thread| barrier.waiting.contains(thread)) && all.is_some_and(|all| all <= takes)
}
