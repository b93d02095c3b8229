//! Which writes a read may see, and which of them stand for others.
//!
//! A write is hidden from a read if another one surely replaces it in between: one that is surely made before the read,
//! one of the same node, one of its own or of the read's section of a lock.
//!
//! What a profile taught: with two thousand events, nine tenths of the time for the formula went into comparing each write
//! with each other one for each read. So only the last write of a thread that surely comes before the read is compared
//! with the others, and only neighbours of a thread are asked whether one implies the other.

use super::{Encoder, Interrupted, implies};
use braid_base::HashMap;
use braid_base::faults::{Fault, active};
use braid_bounded::ThreadIx;
use braid_bounded::cells::{self, Cell};
use braid_logic::Term;

/// A write that the read may see.
pub(super) struct CandidateWrite<'a> {
    pub cell: &'a Cell,
    /// Bool: executed, at the same address.
    pub there: Term,
    /// Bool: before the read.
    pub first: Term,
    /// Executed at the same address whenever the read is.
    pub certain: bool,
}

/// The writes that the read may see.
pub(super) struct Candidates<'a> {
    pub list: Vec<CandidateWrite<'a>>,
    /// See [`Encoder::implied`].
    pub implied: Vec<Option<usize>>,
}

impl Encoder<'_> {
    /// The writes that the read may see. The others need not be looked at again: each is hidden by one that it implies,
    /// so if that one lies before the source or after the read, it does, too.
    pub(super) fn visible<'c>(
        &mut self,
        read: &Cell,
        others: Vec<CandidateWrite<'c>>,
    ) -> Result<Vec<CandidateWrite<'c>>, Interrupted> {
        // Of the writes of a thread that are surely made before the read, the last one hides all that the others hide.
        let mut late: Vec<usize> = Vec::new();
        for (index, competing) in others.iter().enumerate() {
            let certain = competing.certain || active(Fault::HiddenByChance);
            if certain && self.terms.is_true(competing.first) {
                let thread = self.thread(competing.cell);
                late.retain(|other| self.thread(others[*other].cell) != thread);
                late.push(index);
            }
        }
        let mut hidden = Vec::new();
        for index in 0..others.len() {
            self.poll()?;
            hidden.push(self.is_hidden(read, &others, index, &late));
        }
        Ok(others.into_iter().zip(hidden).filter(|(_, hidden)| !hidden).map(|(other, _)| other).collect())
    }

    /// Whether a write is surely overwritten before the read: by one of the late ones, by its own node, or by its own
    /// or the read's section of a lock.
    fn is_hidden(&mut self, read: &Cell, others: &[CandidateWrite], index: usize, late: &[usize]) -> bool {
        let write = &others[index];
        if late.iter().any(|other| *other != index && self.is_before(write.cell, others[*other].cell)) {
            return true;
        }
        let node = self.node(write.cell);
        // The list is in the order of each thread.
        let bounded = self.bounded;
        let mut of_node = others[index + 1..]
            .iter()
            .take_while(|competing| bounded.accesses[competing.cell.access].node == node);
        if self.node(read) != node
            && of_node.any(|competing| cells::covers(self.terms, bounded, write.cell, competing.cell))
        {
            return true;
        }
        self.locks.mutually_exclusive(write.cell.access, read.access).is_some()
            && others
                .iter()
                .enumerate()
                .any(|(other, competing)| other != index && self.is_covered(read, write, competing))
    }

    /// Whether a write certainly comes before another, if that is executed.
    fn is_before(&mut self, a: &Cell, b: &Cell) -> bool {
        let (x, y) = (self.node(a), self.node(b));
        if x == y {
            return a.access < b.access;
        }
        let guard = self.guard(b);
        self.before.given(self.terms, x, y, guard)
    }

    /// Whether sections of a lock hide a write from a read.
    fn is_covered(&mut self, read: &Cell, write: &CandidateWrite, cover: &CandidateWrite) -> bool {
        let follows = self.thread(cover.cell) == self.thread(write.cell);
        let there = if follows {
            let (of_write, of_cover) = (self.guard(write.cell), self.guard(cover.cell));
            cells::is_same(write.cell, cover.cell)
                && (implies(self.terms, of_write, of_cover) || active(Fault::CoveredByChance))
        } else {
            cover.certain && self.thread(cover.cell) == self.thread(read)
        };
        there && self.locks.is_covered(write.cell.access, read.access, cover.cell.access, self.bounded)
    }

    /// For each write the one before it in its thread, if it is there whenever this one is: if that one comes after the
    /// read, so does this.
    pub(super) fn implied(&mut self, others: &[CandidateWrite]) -> Vec<Option<usize>> {
        let mut last: HashMap<ThreadIx, usize> = HashMap::default();
        let mut implied = Vec::new();
        // The list is in the order of each thread.
        for (index, competing) in others.iter().enumerate() {
            let before = last.insert(self.thread(competing.cell), index);
            implied.push(before.filter(|before| {
                self.node(others[*before].cell) < self.node(competing.cell)
                    && implies(self.terms, competing.there, others[*before].there)
            }));
        }
        implied
    }
}
