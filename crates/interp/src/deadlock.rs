//! Deadlocks: everybody waits; a cycle of waits; a wait for a mutex whose owner has ended.
//!
//! Only waits for mutexes and for the ends of threads have a direction. Whoever waits for a condition
//! (`atomic begin when`) waits for nobody in particular, and shows only when everybody waits. A thread
//! that an `assume` stopped does not wait.

use crate::machine::Machine;
use crate::race::{Finding, FindingKey};
use crate::report::{Outcome, Report, ThreadView};
use crate::state::Status;
use crate::visible::{Pending, StepKind};
use braid_base::faults::{Fault, active};
use braid_ir::{Loc, Op, Space};
use braid_props::Check;

/// What a thread waits for, and whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Wait {
    pub thread: usize,
    /// The mutex's address; `None` for the end of the thread.
    pub mutex: Option<u64>,
}

impl Machine<'_> {
    /// Whom the thread waits for, if its next instruction is a `lock` or `join` that has to wait.
    pub(crate) fn wait_of(&self, thread: usize) -> Option<Wait> {
        let at = &self.state.threads[thread];
        if at.status != Status::Ready {
            return None;
        }
        match self.image.ops[at.frame.pc as usize]? {
            Op::Lock { mutex } => {
                let memory = &self.state.memory;
                let located = memory.locate(self.fetch_in(at, *mutex), 4, true).ok()?;
                let owner = memory.read(located, 4, Space::Shadow)?.bits as usize;
                let relock = owner == thread + 1 && self.options.checks.contains(Check::LockMisuse);
                let held = owner != 0
                    && !active(Fault::LockDoesNotWait)
                    && owner <= self.state.threads.len()
                    && !relock;
                let address = memory.identity_in(located).base + located.offset;
                held.then(|| Wait { thread: owner - 1, mutex: Some(address) })
            }
            Op::Join { handle, .. } => {
                let target = self.thread_of(self.fetch_in(at, *handle))?;
                let ended = matches!(self.state.threads[target].status, Status::Finished(_));
                (!ended && !active(Fault::JoinDoesNotWait)).then_some(Wait { thread: target, mutex: None })
            }
            _ => None,
        }
    }

    /// Looks for cycles of waits, and for waits that will never end because the owner has.
    pub(crate) fn find_cycles(&mut self, pending: &[Option<Pending>]) {
        if !pending.iter().any(waits_directly) {
            return;
        }
        let waits = pending.iter().enumerate();
        let waits: Vec<_> =
            waits.map(|(thread, p)| if waits_directly(p) { self.wait_of(thread) } else { None }).collect();
        self.find_cycles_in(&waits);
    }

    /// The same for known waits, by thread.
    pub(crate) fn find_cycles_in(&mut self, waits: &[Option<Wait>]) {
        if !self.options.checks.contains(Check::Deadlock) {
            return;
        }
        if active(Fault::CyclesNotLookedFor) {
            return;
        }
        for threads in hopeless(waits, |thread| self.has_ended(thread)) {
            self.wait_found(&threads, waits);
        }
    }

    fn has_ended(&self, thread: usize) -> bool {
        matches!(self.state.threads[thread].status, Status::Finished(_)) && !active(Fault::OwnerMayEnd)
    }

    #[cold]
    fn wait_found(&mut self, threads: &[usize], waits: &[Option<Wait>]) {
        let mut spots: Vec<_> = threads.iter().map(|thread| self.spot(*thread)).collect();
        spots.sort();
        let key = FindingKey { check: Check::Deadlock, spots };
        if self.findings.knows(&key) {
            return;
        }
        let report = self.wait_report(threads, waits);
        let at = threads.iter().map(|thread| self.next_op(*thread)).collect();
        self.findings.push(Finding { key, report, at });
    }

    fn wait_report(&self, threads: &[usize], waits: &[Option<Wait>]) -> Report {
        let views = self.wait_views(threads, waits);
        let orphan = waits[threads[0]].is_some_and(|wait| self.has_ended(wait.thread));
        let message = match threads {
            [_] if orphan => format!("{} {}, who has ended", views[0].path, views[0].text),
            [_] => format!("{} waits for itself: it {}", views[0].path, views[0].text),
            _ => {
                let parts: Vec<_> = views.iter().map(|view| format!("{} {}", view.path, view.text)).collect();
                format!("cycle of waits: {}", parts.join("; "))
            }
        };
        self.deadlock_report(message, views)
    }

    fn wait_views(&self, threads: &[usize], waits: &[Option<Wait>]) -> Vec<ThreadView> {
        let text = |thread: usize| match waits[thread] {
            Some(Wait { thread: other, mutex: Some(address) }) => {
                let owner = &self.state.threads[other].path;
                format!("waits for {} held by {owner}", self.mutex_text(address))
            }
            Some(Wait { thread: other, mutex: None }) => {
                format!("waits for the end of {}", self.state.threads[other].path)
            }
            None => "waits for a condition".into(),
        };
        threads.iter().map(|thread| self.view(*thread, text(*thread))).collect()
    }

    fn deadlock_report(&self, message: String, views: Vec<ThreadView>) -> Report {
        let first = &views[0];
        Report {
            check: Check::Deadlock,
            message,
            place: first.place,
            thread: first.number,
            path: first.path.clone(),
            stack: first.stack.clone(),
            related: Vec::new(),
            threads: views,
        }
    }

    /// How the execution ends when no thread can go on. `refused` says where an `assume` kept a thread
    /// out of its section.
    pub(crate) fn conclude(&mut self, waits: &[Option<Wait>], refused: Option<Loc>) -> Outcome {
        let statuses = || self.state.threads.iter().map(|thread| thread.status);
        let stopped = statuses().find_map(|status| match status {
            Status::Stopped(place) => Some(place),
            Status::Ready | Status::Finished(_) => None,
        });
        if statuses().all(|status| matches!(status, Status::Finished(_))) {
            return *self.exit(0);
        }
        if self.state.frozen {
            return Outcome::AssumeFailed { place: self.site().loc };
        }
        if let Some(place) = refused.or(stopped).filter(|_| !active(Fault::StoppedCountsAsBlocked)) {
            return Outcome::AssumeFailed { place };
        }
        let ready = |thread: &usize| self.state.threads[*thread].status == Status::Ready;
        let blocked: Vec<usize> = (0..self.state.threads.len()).filter(ready).collect();
        if !self.options.checks.contains(Check::Deadlock) {
            return Outcome::Blocked { threads: self.wait_views(&blocked, waits) };
        }
        let report = match hopeless(waits, |thread| self.has_ended(thread)).first() {
            Some(threads) => self.wait_report(threads, waits),
            None => {
                let views = self.wait_views(&blocked, waits);
                let message = match views.as_slice() {
                    [one] => format!("the only unfinished thread, {}, {}", one.path, one.text),
                    _ => format!("all {} unfinished threads wait", views.len()),
                };
                self.deadlock_report(message, views)
            }
        };
        Outcome::Violation(Box::new(report))
    }
}

fn waits_directly(pending: &Option<Pending>) -> bool {
    pending.as_ref().is_some_and(|p| matches!(p.kind, StepKind::Lock | StepKind::Join))
}

/// The cycles of waits, each from its lowest thread on, and the threads that wait for a mutex of one
/// that has ended.
fn hopeless(waits: &[Option<Wait>], has_ended: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    for start in 0..waits.len() {
        let mut chain = vec![start];
        while let Some(wait) = waits[chain[chain.len() - 1]] {
            if chain.len() == 1 && wait.mutex.is_some() && has_ended(wait.thread) {
                found.push(chain);
                break;
            }
            if wait.thread == start {
                found.push(chain);
                break;
            }
            // A cycle that does not begin here is found where it begins, at its lowest thread.
            if wait.thread < start || chain.contains(&wait.thread) {
                break;
            }
            chain.push(wait.thread);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_begin_at_their_lowest_thread() {
        let wait = |thread| Some(Wait { thread, mutex: Some(64) });
        let none = |_| false;
        assert_eq!(hopeless(&[None, wait(2), wait(1)], none), [vec![1, 2]]);
        assert_eq!(hopeless(&[wait(1), wait(2), wait(1)], none), [vec![1, 2]]);
        assert_eq!(hopeless(&[wait(0), wait(0)], none), [vec![0]]);
        assert_eq!(hopeless(&[wait(2), wait(0), wait(1)], none), [vec![0, 2, 1]]);
        assert!(hopeless(&[wait(1), None], none).is_empty());
        assert_eq!(hopeless(&[wait(1), None], |thread| thread == 1), [vec![0]]);
        let join = Some(Wait { thread: 1, mutex: None });
        assert!(hopeless(&[join, None], |thread| thread == 1).is_empty());
    }
}
