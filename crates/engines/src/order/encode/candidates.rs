//! Reads-from candidates: the writes that a read may read from.
//!
//! Removing candidates that no execution realises corresponds to the *may* sets of relation analysis (Gavrilenko,
//! Ponce-de-León, Furbach, Heljanko, Meyer, CAV 2019), and for critical sections to the removal of π arguments in
//! concurrent SSA form (Novillo, Unrau, Schaeffer, ICPP 1998).
//!
//! A write W is *hidden* from a read R by another write H to the same address if H follows W and certainly overwrites
//! it before R can see it: H is executed whenever R is and precedes R; or H is a later write of W's node; or H is in
//! W's or in R's section of a lock that both hold.
//!
//! * *Claim.* A hidden write is never the source of the read, and the from-read clauses of hidden writes follow from
//!   those of the other candidates.
//! * *Relies on.* H is executed whenever W is, or whenever R is, at the same address ([`CandidateWrite::certain`],
//!   [`cells::covers`], [`Encoder::is_covered`]).
//! * *Proof.* H lies between W and R whenever W precedes R, so W is not the source. For the clause of W with a source
//!   S: H precedes S or follows R. If H precedes S, so does W. If H follows R, then H is not in R's section nor
//!   certainly before R; it is at W's node or in W's section after W, all of which follows R, so W follows R. If H is
//!   hidden itself, repeat the argument with the write that hides H.
//! * *Fault.* `hidden-by-chance` (`own_guarded_write.c`), `replaced-by-chance` (`section_replaces_by_chance.c`),
//!   `covered-by-chance` (`lock_covered_write.c`).
//!
//! A profile of a program with two thousand accesses showed nine tenths of the encoding time in comparing, for each
//! read, each write with each other. So only the last write of a thread that certainly precedes the read is compared
//! with the others, and only neighbours of a thread are asked whether one implies the other.

use super::{Encoder, Interrupted, implies};
use braid_base::HashMap;
use braid_base::faults::active;
use braid_bounded::ThreadIx;
use braid_bounded::cells::{self, Cell};
use braid_logic::Term;

/// A write that a read may read from.
pub(super) struct CandidateWrite<'a> {
    pub cell: &'a Cell,
    /// Bool: the write is executed, at the address of the read.
    pub there: Term,
    /// Bool: the write precedes the read.
    pub first: Term,
    /// True if the write is executed at the address of the read whenever the read is executed.
    pub certain: bool,
}

/// The candidate writes of a read.
pub(super) struct Candidates<'a> {
    pub list: Vec<CandidateWrite<'a>>,
    /// See [`Encoder::implied`].
    pub implied: Vec<Option<usize>>,
}

impl Encoder<'_> {
    /// The writes that are not hidden from the read.
    pub(super) fn visible<'c>(
        &mut self,
        read: &Cell,
        others: Vec<CandidateWrite<'c>>,
    ) -> Result<Vec<CandidateWrite<'c>>, Interrupted> {
        // The last write of a thread that certainly precedes the read hides everything that earlier such writes of
        // that thread hide.
        let mut late: Vec<usize> = Vec::new();
        for (index, competing) in others.iter().enumerate() {
            let certain = competing.certain || active("hidden-by-chance");
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

    /// Returns true if a write is certainly overwritten before the read: by one of the `late` writes, by its own
    /// node, or in its own or the read's section of a lock.
    fn is_hidden(&mut self, read: &Cell, others: &[CandidateWrite], index: usize, late: &[usize]) -> bool {
        let write = &others[index];
        if late.iter().any(|other| *other != index && self.is_before(write.cell, others[*other].cell)) {
            return true;
        }
        let node = self.node(write.cell);
        // The accesses of each thread are in program order in this list.
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

    /// Returns true if a write precedes another one whenever that is executed.
    fn is_before(&mut self, a: &Cell, b: &Cell) -> bool {
        let (x, y) = (self.node(a), self.node(b));
        if x == y {
            return a.access < b.access;
        }
        let guard = self.guard(b);
        self.before.given(self.terms, x, y, guard)
    }

    /// Returns true if sections of a lock hide `write` from the read by `cover`.
    fn is_covered(&mut self, read: &Cell, write: &CandidateWrite, cover: &CandidateWrite) -> bool {
        let follows = self.thread(cover.cell) == self.thread(write.cell);
        let there = if follows {
            let (of_write, of_cover) = (self.guard(write.cell), self.guard(cover.cell));
            cells::is_same(write.cell, cover.cell)
                && (implies(self.terms, of_write, of_cover) || active("covered-by-chance"))
        } else {
            cover.certain && self.thread(cover.cell) == self.thread(read)
        };
        there && self.locks.is_covered(write.cell.access, read.access, cover.cell.access, self.bounded)
    }

    /// For each write, the index of the previous write of its thread, if that one is executed at the read's address
    /// whenever this one is. If the previous write follows the read, so does this one. Its from-read clause is then
    /// redundant for a source that precedes both: the initial write, or an earlier write of the thread.
    pub(super) fn implied(&mut self, others: &[CandidateWrite]) -> Vec<Option<usize>> {
        let mut last: HashMap<ThreadIx, usize> = HashMap::default();
        let mut implied = Vec::new();
        // The accesses of each thread are in program order in this list.
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
