//! Reads with a fixed source: the read sees its own thread's last access, and no choice is encoded.
//!
//! The compiler's name is redundant load elimination; in concurrent SSA form it needs that no π function lies between
//! the two accesses (Lee, Padua, Midkiff, PPoPP 1999). Library models read their words again and again in one
//! section, so this decides most of their reads.
//!
//! The *anchor* of a read is the last access of its thread before it that is certainly executed, to the same cell.
//!
//! * *Claim.* If no other thread can write the cell between anchor and read, the read gives the value of the anchor,
//!   or of the last write of its own thread since.
//! * *Relies on.* Every write of another thread is excluded between the two, for one of these reasons: anchor and
//!   read are at one node (an atomic section, the test and the change of a lock); both are in one section of a lock
//!   and all other writers hold that lock; or all other writes certainly precede the anchor or follow the read
//!   (threads not started yet, joined, or only reading).
//! * *Proof.* The cell holds the anchor's value after the anchor, and only writes of the own thread change it until
//!   the read.
//! * *Fault.* `anchored-by-chance` accepts an anchor that may not be executed; `steady_by_chance.c` notices.
//!   `others-never-disturb` ignores the other threads; `steady_disturbed.c` notices.

use super::{Encoder, Way};
use braid_base::faults::active;
use braid_bounded::Area;
use braid_bounded::cells::{self, Cell, Group};

/// The largest number of writes of the own thread between anchor and read.
const BETWEEN: usize = 8;

/// The value of a read without a choice.
struct FixedSource<'g> {
    anchor: &'g Cell,
    /// Writes of the own thread since then that may be executed at this address, in order.
    since: Vec<&'g Cell>,
}

impl Encoder<'_> {
    /// Encodes the read without a choice, if its value follows from earlier accesses of its own thread. Returns false,
    /// and encodes nothing, otherwise.
    pub(super) fn encode_fixed_source(&mut self, group: &Group, read: &Cell, writes: &[&Cell]) -> bool {
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

    /// The anchor, and the writes of the own thread since.
    fn find_anchor<'g>(&mut self, group: &'g Group, read: &Cell) -> Option<FixedSource<'g>> {
        let own = self.thread(read);
        let mut since = Vec::new();
        let executed = self.guard(read);
        // The accesses of each thread are in program order in this list.
        let earlier = group.cells.iter().rev().skip_while(|cell| cell.access >= read.access);
        for cell in earlier {
            if self.thread(cell) != own || !cells::may_be_same(cell, read) {
                continue;
            }
            let guard = self.guard(cell);
            let certain = super::implies(self.terms, executed, guard) || active("anchored-by-chance");
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

    /// Returns true if no other thread can write the cell between two accesses of a thread.
    fn is_undisturbed(&mut self, anchor: &Cell, read: &Cell, writes: &[&Cell]) -> bool {
        if self.node(anchor) == self.node(read) || active("others-never-disturb") {
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

    /// Returns true if a whole pointer is read, so that obligations about addresses need the source itself.
    fn is_about_pointers(&self, anchor: &Cell, read: &Cell) -> bool {
        [anchor, read].iter().any(|cell| self.bounded.accesses[cell.access].reads_pointer())
    }

    /// Reports the writes among the possible values as sources, for obligations about addresses. The value of an
    /// anchor that is a read was reported there.
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
