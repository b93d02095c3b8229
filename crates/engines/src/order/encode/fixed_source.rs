//! Reads of what the thread itself has just read or written: no source is to be chosen.
//!
//! The *anchor* of a read is the last access of its thread before it that is certainly executed, at the same place. If
//! no other thread can write there between the two, the read gives what the anchor gave or wrote, or what the thread has
//! written since. Nobody can get in between
//!
//! * at one node: an atomic section, the test and the change of a lock;
//! * inside a section of a lock that all other threads hold, too, when they write there;
//! * where all other writes come before the anchor or after the read in any case: the other threads are not there yet,
//!   or have been joined, or only ever read.
//!
//! Models of the library read their words again and again in one section, so this is most of what they do.

use super::{Encoder, Way};
use braid_base::faults::{Fault, active};
use braid_bounded::Area;
use braid_bounded::cells::{self, Cell, Group};

/// Writes of the thread between anchor and read that may be there or not, at most.
const BETWEEN: usize = 8;

/// What a read gives, without a choice.
struct FixedSource<'g> {
    anchor: &'g Cell,
    /// Writes since then that may be there, in order.
    since: Vec<&'g Cell>,
}

impl Encoder<'_> {
    /// Says what a read gives that no other thread can influence; `false` if it is no such read.
    pub(super) fn has_fixed_source(&mut self, group: &Group, read: &Cell, writes: &[&Cell]) -> bool {
        let Some(found) = self.find_anchor(group, read) else { return false };
        let asked = group.area == Area::Memory && self.addresses.asked;
        if !self.is_undisturbed(found.anchor, read, writes)
            || (asked && self.is_about_pointers(found.anchor, read))
        {
            return false;
        }
        self.candidates += 1 + found.since.len();
        let executed = self.guard(read);
        let mut value = self.value(found.anchor);
        for write in &found.since {
            let (there, written) = (self.there(group.area, read, write), self.value(write));
            value = self.terms.ite(there, written, value);
        }
        let own = self.value(read);
        let equal = self.equal(own, value);
        let meaning = self.terms.implies(executed, equal);
        self.constraints.push(meaning);
        if asked {
            self.note_sources(group.area, read, &found);
        }
        true
    }

    /// The anchor, and what the thread may have written since.
    fn find_anchor<'g>(&mut self, group: &'g Group, read: &Cell) -> Option<FixedSource<'g>> {
        let own = self.thread(read);
        let mut since = Vec::new();
        let executed = self.guard(read);
        // The list is in the order of each thread.
        let earlier = group.cells.iter().rev().skip_while(|cell| cell.access >= read.access);
        for cell in earlier {
            if self.thread(cell) != own || !cells::may_be_same(cell, read) {
                continue;
            }
            let guard = self.guard(cell);
            let certain = super::implies(self.terms, executed, guard) || active(Fault::AnchoredByChance);
            if cells::is_same(cell, read) && certain {
                since.reverse();
                return Some(FixedSource { anchor: cell, since });
            }
            if matches!(self.bounded.accesses[cell.access].way, Way::Write(_)) {
                since.push(cell);
            }
            if since.len() > BETWEEN {
                return None;
            }
        }
        None
    }

    /// Whether no other thread can write there between two accesses of a thread.
    fn is_undisturbed(&mut self, anchor: &Cell, read: &Cell, writes: &[&Cell]) -> bool {
        if self.node(anchor) == self.node(read) || active(Fault::OthersNeverDisturb) {
            return true;
        }
        let (own, executed) = (self.thread(read), self.guard(anchor));
        let mut others = Vec::new();
        for write in writes {
            if self.thread(write) == own || !cells::may_be_same(write, read) {
                continue;
            }
            let (node, guard) = (self.node(write), self.guard(write));
            let earlier = self.before.given(self.terms, node, self.node(anchor), executed);
            if !earlier && !self.before.given(self.terms, self.node(read), node, guard) {
                others.push(write.access);
            }
        }
        others.is_empty() || self.locks.keeps_out(anchor.access, read.access, &others)
    }

    /// Whether addresses count that only the sources themselves can tell.
    fn is_about_pointers(&self, anchor: &Cell, read: &Cell) -> bool {
        [anchor, read].iter().any(|cell| self.bounded.accesses[cell.access].reads_pointer())
    }

    /// The writes among what the read may give are its sources; what the anchor read was asked about there.
    fn note_sources(&mut self, area: Area, read: &Cell, found: &FixedSource) {
        let mut rest = self.guard(read);
        for write in found.since.iter().rev().copied().chain([found.anchor]) {
            if !matches!(self.bounded.accesses[write.access].way, Way::Write(_)) {
                continue;
            }
            let there = self.there(area, read, write);
            let taken = self.terms.and(rest, there);
            self.addresses.taken(self.terms, self.bounded, read, write, taken);
            let not = self.terms.not(there);
            rest = self.terms.and(rest, not);
        }
    }
}
