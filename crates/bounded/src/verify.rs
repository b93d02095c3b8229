//! The rules of a well-formed bounded program.
//!
//! They are checked after unwinding and after every rewriting, in debug builds and tests. A program that breaks one
//! is a defect of Braid. The rules are about form: ids exist, terms have the right sorts and widths, and lists are
//! there and ordered. Whether the terms mean the right thing is judged by the interpreter.

use crate::ObjectNo;
use crate::program::*;
use braid_base::{HashMap, Idx};
use braid_logic::{Sort, Term, Terms};
use braid_symex::{LogRef, ThreadIx};

/// The violated rules; an empty list if the program is well-formed.
pub fn verify(terms: &Terms, bounded: &Bounded) -> Vec<String> {
    let mut verifier = Verifier { terms, bounded, errors: Vec::new() };
    verifier.threads();
    verifier.nodes();
    verifier.accesses();
    verifier.joins_and_ends();
    verifier.waits();
    verifier.obligations();
    verifier.conditions();
    verifier.errors
}

/// Panics in debug builds if the program is not well-formed after the work of this name.
pub fn debug_verify(terms: &Terms, bounded: &Bounded, after: &str) {
    if cfg!(debug_assertions) {
        let errors = verify(terms, bounded);
        assert!(errors.is_empty(), "after {after} the bounded program is malformed: {}", errors.join("; "));
    }
}

struct Verifier<'a> {
    terms: &'a Terms,
    bounded: &'a Bounded,
    errors: Vec<String>,
}

impl Verifier<'_> {
    fn check(&mut self, holds: bool, error: impl FnOnce() -> String) {
        if !holds {
            self.errors.push(error());
        }
    }

    fn is_bool(&self, term: Term) -> bool {
        self.terms.sort(term) == Sort::Bool
    }

    fn is_logged(&self, log: LogRef) -> bool {
        let thread = self.bounded.threads.get(log.thread);
        thread.is_some_and(|thread| (log.index as usize) < thread.log.len())
    }

    /// The nodes of a thread are its own, in ascending order, and its parent starts it.
    fn threads(&mut self) {
        let bounded = self.bounded;
        for (id, thread) in bounded.threads.enumerated() {
            for (index, node) in thread.nodes.iter().enumerate() {
                let of = bounded.nodes.get(*node);
                let own = of.is_some_and(|of| of.thread == id && of.index as usize == index);
                self.check(own, || format!("{node} is not node {index} of {id}"));
            }
            if let Some(parent) = thread.parent {
                let starts = bounded.nodes.get(parent).is_some_and(|node| node.spawns == Some(id));
                self.check(starts, || format!("{parent} does not start {id}"));
            }
            self.check(thread.unwound, || format!("{id} is not unwound"));
        }
        if let Some(probe) = bounded.probe {
            let thread = bounded.nodes[probe].thread;
            let alone = bounded.threads[thread].nodes == [probe];
            self.check(alone, || format!("{thread} has other nodes than the probe"));
        }
    }

    fn nodes(&mut self) {
        let bounded = self.bounded;
        for (id, node) in bounded.nodes.enumerated() {
            let listed = bounded.threads.get(node.thread).and_then(|of| of.nodes.get(node.index as usize));
            self.check(listed == Some(&id), || format!("{} does not list {id}", node.thread));
            if !bounded.is_probe(node.thread) {
                let logged = self.is_logged(node.log) && node.log.thread == node.thread;
                self.check(logged, || format!("{id} is not in the log of {}", node.thread));
            }
            if let Some(thread) = node.spawns {
                let parent = bounded.threads.get(thread).and_then(|thread| thread.parent);
                self.check(parent == Some(id), || format!("{thread} does not know {id} as its start"));
            }
        }
    }

    /// Each read has a symbol of its own; values have the width of the access; the list of objects is there and
    /// ascending; the accesses of a thread are in program order.
    fn accesses(&mut self) {
        let bounded = self.bounded;
        let mut symbols: HashMap<Term, usize> = HashMap::default();
        let mut last: HashMap<ThreadIx, u32> = HashMap::default();
        for (index, access) in bounded.accesses.iter().enumerate() {
            let Some(node) = bounded.nodes.get(access.node) else {
                self.errors.push(format!("access {index} is at {}, which is not there", access.node));
                continue;
            };
            let before = last.insert(node.thread, node.index);
            let ordered = before.is_none_or(|before| before <= node.index);
            self.check(ordered, || format!("access {index} comes after a later one of {}", node.thread));
            let (value, is_read) = match access.way {
                Way::Read(value) => (value, true),
                Way::Write(value) => (value, false),
            };
            let width = match access.area {
                Area::Life => self.terms.sort(value) == Sort::Bool || self.terms.width(value) >= 1,
                Area::Memory | Area::Shadow => {
                    matches!(self.terms.sort(value), Sort::BitVec(_))
                        && self.terms.width(value) == 8 * access.bytes
                }
            };
            self.check(width, || format!("access {index} has a value of another width"));
            if is_read {
                let symbol = self.terms.as_symbol(value).is_some();
                self.check(symbol, || format!("access {index} reads into no symbol"));
                let other = symbols.insert(value, index);
                self.check(other.is_none(), || format!("access {index} reads into another one's symbol"));
            }
            let are_good = |objects: &[ObjectNo]| {
                let ascending = objects.windows(2).all(|pair| pair[0] < pair[1]);
                ascending && objects.iter().all(|object| bounded.objects.get(*object).is_some())
            };
            // An access without a list would have no cell: it would be left out of the formula.
            let good = access.objects.as_deref().is_some_and(are_good);
            self.check(good, || format!("access {index} has a bad list of objects"));
            if let Some(racy) = &access.racy {
                let logged = self.is_logged(racy.log);
                self.check(logged, || format!("access {index} is not in a log"));
            }
        }
    }

    fn joins_and_ends(&mut self) {
        let bounded = self.bounded;
        let joins = bounded.joins.iter().map(|join| (join.node, join.thread));
        let ends = bounded.ends.iter().map(|end| (end.node, None));
        for (node, thread) in joins.chain(ends) {
            let known = node.index() < bounded.nodes.len();
            self.check(known, || format!("{node} is not there"));
            if let Some(thread) = thread {
                let known = thread.index() < bounded.threads.len() && !bounded.is_probe(thread);
                self.check(known, || format!("{node} joins {thread}, which is not there"));
            }
        }
    }

    /// A wait lies before its own node, and after another node of its thread or the start of the thread.
    fn waits(&mut self) {
        let bounded = self.bounded;
        for wait in &bounded.waits {
            let index = |node: NodeId| {
                bounded.nodes.get(node).filter(|node| node.thread == wait.thread).map(|node| node.index)
            };
            let start = bounded.threads.get(wait.thread).and_then(|thread| thread.parent);
            if let Some(before) = wait.before.filter(|before| Some(*before) != start) {
                self.check(index(before).is_some(), || format!("a wait of {} follows {before}", wait.thread));
            }
            if let Some(own) = wait.node {
                let after = wait.before.and_then(index);
                let ordered = index(own).is_some_and(|own| after.is_none_or(|after| after < own));
                self.check(ordered, || format!("a wait of {} is not before its node {own}", wait.thread));
            }
        }
        let none = bounded.waits.is_empty() || bounded.probe.is_some();
        self.check(none, || "there are waits but no probe".to_string());
    }

    fn obligations(&mut self) {
        let bounded = self.bounded;
        for (index, obligation) in bounded.obligations.iter().enumerate() {
            let thread = obligation.thread;
            let own = self.stands_after(thread, obligation.after);
            self.check(own, || format!("obligation {index} of {thread} stands after another thread's node"));
            let logged = obligation.log.is_none_or(|log| self.is_logged(log));
            self.check(logged, || format!("obligation {index} is not in a log"));
        }
        for choice in &bounded.choices {
            let logged = self.is_logged(choice.log);
            self.check(logged, || "a choice is not in a log".to_string());
        }
        for mark in &bounded.marks {
            let own = self.stands_after(mark.thread, mark.after);
            self.check(own, || format!("a mark of {} stands after another thread's node", mark.thread));
        }
    }

    /// Returns true if the node, if there is one, is of this thread or starts it.
    fn stands_after(&self, thread: ThreadIx, after: Option<NodeId>) -> bool {
        let bounded = self.bounded;
        let start = bounded.threads.get(thread).and_then(|thread| thread.parent);
        let is_own = |node| bounded.nodes.get(node).is_some_and(|node| node.thread == thread);
        after.is_none_or(|node| Some(node) == start || is_own(node))
    }

    /// Conditions are Bools; thread numbers have the width of a lock's word, and handles that of a pointer.
    fn conditions(&mut self) {
        let bounded = self.bounded;
        let guards = (bounded.nodes.iter().map(|node| node.executed))
            .chain(bounded.accesses.iter().map(|access| access.guard))
            .chain(bounded.joins.iter().map(|join| join.guard))
            .chain(bounded.waits.iter().map(|wait| wait.reached))
            .chain(bounded.ends.iter().map(|end| end.guard))
            .chain(bounded.obligations.iter().map(|obligation| obligation.reached))
            .chain(bounded.constraints.iter().copied())
            .chain(bounded.marks.iter().map(|mark| mark.guard))
            .chain(bounded.threads.iter().map(|thread| thread.finished))
            .chain(bounded.accesses.iter().filter_map(|access| match access.lock {
                Some(LockUse::Try(free)) => Some(free),
                Some(LockUse::Acquire | LockUse::Release) | None => None,
            }));
        for guard in guards {
            let holds = self.is_bool(guard);
            self.check(holds, || "a condition is not a Bool".to_string());
        }
        for refusal in bounded.waits.iter().flat_map(|wait| &wait.refusals) {
            let holds = self.is_bool(refusal.guard);
            self.check(holds, || "the condition of a refusal is not a Bool".to_string());
            match &refusal.by {
                Obstacle::Lock { holders } => {
                    let fits = |(there, number): &(Term, Term)| {
                        self.is_bool(*there) && self.terms.sort(*number) == Sort::bits(32)
                    };
                    let fit = holders.iter().all(fits);
                    self.check(fit, || {
                        "a holder of a lock is not a condition and a thread number".to_string()
                    });
                }
                Obstacle::Join { handle } => {
                    let fits = self.terms.sort(*handle) == Sort::bits(bounded.layout.pointer_bits);
                    self.check(fits, || "a handle is not a pointer".to_string());
                }
                Obstacle::Condition | Obstacle::Spins => {}
            }
        }
    }
}
