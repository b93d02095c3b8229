//! Replacing the terms of a bounded program by equivalent ones.

use crate::ObjectNo;
use crate::program::*;
use braid_base::faults::active;
use braid_logic::{Term, Terms};
use braid_symex::{Layout, ThreadIx};

impl Access {
    /// Rewrites the pointer, unless it becomes a constant outside of the access's objects. The life of an object is
    /// read before it is known that there is an object, and such a constant would be taken for a place in another
    /// object. The fault `pointers-fixed-anywhere` drops this condition; `values_null_seen.c` notices.
    fn rewrite_pointer(
        &mut self,
        terms: &mut Terms,
        layout: Layout,
        new: &mut dyn FnMut(&mut Terms, Term) -> Term,
    ) {
        let pointer = new(terms, self.pointer);
        let is_known = |object: ObjectNo| self.objects.as_ref().is_some_and(|list| list.contains(&object));
        let fits = layout.constant(terms, pointer).is_none_or(|(object, _)| is_known(object));
        if fits || active("pointers-fixed-anywhere") {
            self.pointer = pointer;
        }
    }

    fn rewrite(&mut self, change: &mut impl FnMut(&mut Term)) {
        change(&mut self.guard);
        if let Way::Write(value) = &mut self.way {
            change(value);
        }
        if let Some(LockUse::Try(free)) = &mut self.lock {
            change(free);
        }
    }
}

impl Refusal {
    fn rewrite(&mut self, change: &mut impl FnMut(&mut Term)) {
        change(&mut self.guard);
        match &mut self.by {
            Obstacle::Lock { holders } => {
                holders.iter_mut().flat_map(|(there, number)| [there, number]).for_each(change);
            }
            Obstacle::Join { handle } => change(handle),
            Obstacle::Condition | Obstacle::Spins => {}
        }
    }
}

impl Bounded {
    /// Replaces the terms of guards, pointers and written values by equivalent ones. The results of reads and the
    /// choices stay symbols, and logs are left alone, because traces are read from them.
    pub fn rewrite(&mut self, terms: &mut Terms, new: &mut dyn FnMut(&mut Terms, Term) -> Term) {
        for access in self.accesses.iter_mut() {
            access.rewrite_pointer(terms, self.layout, new);
        }
        let mut change = |term: &mut Term| *term = new(terms, *term);
        self.nodes.iter_mut().for_each(|node| change(&mut node.executed));
        self.accesses.iter_mut().for_each(|access| access.rewrite(&mut change));
        for join in &mut self.joins {
            [&mut join.guard, &mut join.handle, &mut join.result].into_iter().for_each(&mut change);
        }
        for wait in &mut self.waits {
            change(&mut wait.reached);
            wait.refusals.iter_mut().for_each(|refusal| refusal.rewrite(&mut change));
        }
        self.ends.iter_mut().for_each(|end| change(&mut end.guard));
        self.obligations.iter_mut().for_each(|obligation| change(&mut obligation.reached));
        self.constraints.iter_mut().for_each(&mut change);
        self.marks.iter_mut().for_each(|mark| change(&mut mark.guard));
        for thread in self.threads.iter_mut() {
            change(&mut thread.finished);
            change(&mut thread.result);
        }
        self.find_joined(terms);
    }

    /// Finds the threads of joins whose handles have become constants.
    fn find_joined(&mut self, terms: &Terms) {
        let Bounded { joins, threads, layout, .. } = self;
        for join in joins.iter_mut().filter(|join| join.thread.is_none()) {
            let joined = terms.as_bits(join.handle);
            let is_it = |(_, thread): &(ThreadIx, &Thread)| {
                thread.handle != ObjectNo::NONE && Some(layout.base(thread.handle)) == joined
            };
            join.thread = threads.enumerated().find(is_it).map(|(id, _)| id);
        }
    }
}
