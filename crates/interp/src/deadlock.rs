//! Deadlocks: everybody waits; a cycle of waits; a wait for a mutex whose owner has ended. A fourth form, everybody
//! waits or spins, is in [`crate::spin`].
//!
//! Only waits for mutexes and for the ends of threads have a direction. A wait may be for several threads
//! (the readers of a lock): it ends when the last of them has let go, so one that never does is enough.
//! Whoever waits for a condition (`atomic begin when`) waits for nobody in particular, and shows only when
//! everybody waits. A thread that an `assume` stopped does not wait.

use crate::machine::Machine;
use crate::race::{Finding, FindingKey};
use crate::report::{Outcome, Report, ThreadView};
use crate::state::Status;
use crate::visible::{Pending, StepKind};
use braid_base::faults::active;
use braid_ir::{Loc, Op, Space};
use braid_props::Check;
use std::collections::VecDeque;

/// What a thread waits for, and whom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Wait {
    /// All of them have to let go, or to end. Never empty.
    pub threads: Vec<usize>,
    /// The mutex's address; `None` for the end of a thread.
    pub mutex: Option<u64>,
}

impl Wait {
    /// The wait without the threads from the given number on, if anything is left.
    pub fn before(mut self, limit: usize) -> Option<Wait> {
        self.threads.retain(|thread| *thread < limit);
        (!self.threads.is_empty()).then_some(self)
    }

    /// Whom a thread waits for that could wait for either: those it needs in both cases.
    pub fn either(mut self, other: &Wait) -> Option<Wait> {
        self.threads.retain(|thread| other.threads.contains(thread));
        (!self.threads.is_empty()).then_some(self)
    }

    /// Whom it waits for with all answers so far (none if there were none), and with one more.
    pub fn in_both(before: Option<Option<Wait>>, wait: Option<Wait>) -> Option<Wait> {
        match before {
            None => wait,
            Some(before) => before.zip(wait).and_then(|(before, wait)| before.either(&wait)),
        }
    }
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
                let word = memory.read(located, 4, Space::Shadow)?.bits as u32;
                if word == 0 || active("lock-does-not-wait") {
                    return None;
                }
                let threads = self.holders(located, word);
                let relock =
                    threads.contains(&thread) && self.options.question.checks.contains(Check::LockMisuse);
                let address = memory.identity_in(located).base + located.offset;
                (!threads.is_empty() && !relock).then_some(Wait { threads, mutex: Some(address) })
            }
            Op::Join { handle, .. } => {
                let target = self.thread_of(self.fetch_in(at, *handle))?;
                let ended = matches!(self.state.threads[target].status, Status::Finished(_));
                let waits = !ended && !active("join-does-not-wait");
                waits.then(|| Wait { threads: vec![target], mutex: None })
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
        if !self.options.question.checks.contains(Check::Deadlock) {
            return;
        }
        if active("cycles-not-looked-for") {
            return;
        }
        for threads in hopeless(waits, |thread| self.has_ended(thread)) {
            self.wait_found(&threads, waits);
        }
    }

    fn has_ended(&self, thread: usize) -> bool {
        matches!(self.state.threads[thread].status, Status::Finished(_)) && !active("owner-may-end")
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
        let locks: Vec<_> = report.threads.iter().map(|view| (view.number as usize, view.lock)).collect();
        let moment = self.moment(&locks);
        self.findings.push(Finding { key, report, at, moment });
    }

    fn wait_report(&self, threads: &[usize], waits: &[Option<Wait>]) -> Report {
        let holders = waits[threads[0]].iter().flat_map(|wait| &wait.threads);
        let orphan = holders.copied().find(|holder| self.has_ended(*holder));
        // In a cycle each waits for the next one, whomever else it waits for.
        let next = threads.iter().skip(1).chain(threads.first());
        let steps = threads.iter().zip(next);
        let views: Vec<_> = steps
            .map(|(thread, next)| {
                self.wait_view(*thread, waits[*thread].as_ref(), &[orphan.unwrap_or(*next)])
            })
            .collect();
        let message = match threads {
            [_] if orphan.is_some() => format!("{} {}, who has ended", views[0].path, views[0].text),
            [_] => format!("{} waits for itself: it {}", views[0].path, views[0].text),
            _ => {
                let parts: Vec<_> = views.iter().map(|view| format!("{} {}", view.path, view.text)).collect();
                format!("cycle of waits: {}", parts.join("; "))
            }
        };
        self.deadlock_report(message, views)
    }

    /// What each of the threads waits for, and everybody it waits for.
    fn wait_views(&self, threads: &[usize], waits: &[Option<Wait>]) -> Vec<ThreadView> {
        let view = |thread: &usize| {
            // `waits` may be shorter: nothing is known of anybody then.
            let wait = waits.get(*thread).and_then(Option::as_ref);
            self.wait_view(*thread, wait, wait.map_or(&[], |wait| &wait.threads))
        };
        threads.iter().map(view).collect()
    }

    pub(crate) fn wait_view(&self, thread: usize, wait: Option<&Wait>, whom: &[usize]) -> ThreadView {
        let lock = wait.and_then(|wait| wait.mutex);
        ThreadView { lock, ..self.view(thread, self.wait_text(wait, whom)) }
    }

    fn wait_text(&self, wait: Option<&Wait>, whom: &[usize]) -> String {
        let paths: Vec<_> = whom.iter().map(|other| self.state.threads[*other].path.to_string()).collect();
        let paths = paths.join(", ");
        match wait {
            Some(Wait { mutex: Some(address), .. }) => {
                format!("waits for {} held by {paths}", self.mutex_text(*address))
            }
            Some(Wait { mutex: None, .. }) => format!("waits for the end of {paths}"),
            None => "waits for a condition".into(),
        }
    }

    pub(crate) fn deadlock_report(&self, message: String, views: Vec<ThreadView>) -> Report {
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
        if let Some(place) = refused.or(stopped).filter(|_| !active("stopped-counts-as-blocked")) {
            return Outcome::AssumeFailed { place };
        }
        let ready = |thread: &usize| self.state.threads[*thread].status == Status::Ready;
        let blocked: Vec<usize> = (0..self.state.threads.len()).filter(ready).collect();
        if !self.options.question.checks.contains(Check::Deadlock) {
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
/// that has ended. Of the cycles with the same first wait only a shortest one.
fn hopeless(waits: &[Option<Wait>], has_ended: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    for (start, wait) in waits.iter().enumerate() {
        let Some(wait) = wait else { continue };
        if wait.mutex.is_some() && wait.threads.iter().any(|holder| has_ended(*holder)) {
            found.push(vec![start]);
        } else {
            found.extend(wait.threads.iter().filter_map(|next| cycle(waits, start, *next)));
        }
    }
    found
}

/// A shortest cycle that begins with the wait of `start` for `next`. One with a lower thread in it is
/// found where it begins.
fn cycle(waits: &[Option<Wait>], start: usize, next: usize) -> Option<Vec<usize>> {
    if next <= start {
        return (next == start).then(|| vec![start]);
    }
    let mut seen = vec![next];
    let mut paths = VecDeque::from([vec![start, next]]);
    while let Some(path) = paths.pop_front() {
        let last = path[path.len() - 1];
        for &other in waits[last].iter().flat_map(|wait| &wait.threads) {
            if other == start {
                return Some(path);
            }
            if other > start && !seen.contains(&other) {
                seen.push(other);
                paths.push_back([path.as_slice(), &[other]].concat());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(threads: &[usize]) -> Option<Wait> {
        Some(Wait { threads: threads.to_vec(), mutex: Some(64) })
    }

    #[test]
    fn cycles_begin_at_their_lowest_thread() {
        let wait = |thread| wait(&[thread]);
        let none = |_| false;
        assert_eq!(hopeless(&[None, wait(2), wait(1)], none), [vec![1, 2]]);
        assert_eq!(hopeless(&[wait(1), wait(2), wait(1)], none), [vec![1, 2]]);
        assert_eq!(hopeless(&[wait(0), wait(0)], none), [vec![0]]);
        assert_eq!(hopeless(&[wait(2), wait(0), wait(1)], none), [vec![0, 2, 1]]);
        assert!(hopeless(&[wait(1), None], none).is_empty());
        assert_eq!(hopeless(&[wait(1), None], |thread| thread == 1), [vec![0]]);
        let join = Some(Wait { threads: vec![1], mutex: None });
        assert!(hopeless(&[join, None], |thread| thread == 1).is_empty());
    }

    #[test]
    fn one_of_several_that_never_lets_go_is_enough() {
        let none = |_| false;
        assert_eq!(hopeless(&[None, wait(&[2]), wait(&[0, 1])], none), [vec![1, 2]]);
        assert_eq!(hopeless(&[wait(&[1, 2]), wait(&[0]), wait(&[0])], none), [vec![0, 1], vec![0, 2]]);
        assert_eq!(hopeless(&[wait(&[3, 1]), wait(&[2]), wait(&[3]), wait(&[0])], none)[0], [0, 3]);
        assert!(hopeless(&[None, None, wait(&[0, 1])], none).is_empty());
        assert_eq!(hopeless(&[None, None, wait(&[0, 1])], |thread| thread == 1), [vec![2]]);
    }

    #[test]
    fn a_choice_of_waits_is_for_those_in_all_of_them() {
        let both = |a: &[usize], b: &[usize]| {
            let (a, b) = (wait(a).expect("a wait"), wait(b).expect("a wait"));
            a.either(&b).map(|wait| wait.threads)
        };
        assert_eq!(both(&[0, 1], &[1, 2]), Some(vec![1]));
        assert_eq!(both(&[0], &[1]), None);
        assert_eq!(wait(&[0, 3]).and_then(|wait| wait.before(3)), wait(&[0]));
        assert_eq!(wait(&[3]).and_then(|wait| wait.before(3)), None);
    }
}
