//! Obligations about addresses that depend on reads-from choices.
//!
//! Unwinding assumes, from the type of a read, that its value is a plain number or a whole pointer. Only the source
//! of the read tells whether that is true. The dependence of values on addresses is a taint with pointer provenance
//! in mind (Memarian et al., POPL 2019): an address used as a number, a pointer made of something else, a pointer of
//! which not all bytes come from one pointer, and a wild pointer (indeterminate bits) are conditions that forbid a
//! proof.
//!
//! *Fault.* `torn-pointers-whole` accepts pointers of several parts (`pointer_torn.c`), `numbers-are-addresses` numbers
//! as pointers (`number_read_as_pointer.c`), `stray-pointers-followed` wild pointers (`check stray`).

use super::Settled;
use braid_base::HashMap;
use braid_base::faults::active;
use braid_bounded::cells::Cell;
use braid_bounded::initial;
use braid_bounded::{AccessId, Bounded, Way};
use braid_logic::{Term, Terms};
use braid_symex::Taint;

/// Conditions under which reads take values of the wrong kind; all of sort Bool.
#[derive(Default)]
pub struct Addresses {
    /// True if an obligation depends on these conditions.
    pub asked: bool,
    /// A read uses an address as a number; with the access.
    numbers: Vec<(AccessId, Term)>,
    /// A read uses something other than a whole pointer as a pointer; with the access.
    torn: Vec<(AccessId, Term)>,
    /// A read uses a loaded number as a pointer, which is a whole pointer unless addresses are used as numbers
    /// elsewhere.
    doubtful: Vec<(AccessId, Term)>,
    /// Reads of pointers, by access, with the kinds of their cells' sources.
    parts: HashMap<AccessId, Parts>,
    /// Writes of pointers that may be wild, by access.
    wild: HashMap<AccessId, Term>,
}

#[derive(Default)]
struct Parts {
    /// A cell reads part of an address.
    address: Vec<Term>,
    /// A cell reads from a write of another size or offset.
    odd: Vec<Term>,
    /// A cell reads part of a plain number, or bytes that were never written.
    number: Vec<Term>,
}

impl Addresses {
    pub fn new(asked: bool) -> Addresses {
        Addresses { asked, ..Addresses::default() }
    }

    /// Records that the read takes its value from the write if the condition holds.
    pub fn taken(
        &mut self,
        terms: &mut Terms,
        bounded: &Bounded,
        read: &Cell,
        write: &Cell,
        condition: Term,
    ) {
        let (to, from) = (&bounded.accesses[read.access], &bounded.accesses[write.access]);
        if from.becomes_number(to) {
            self.numbers.push((read.access, condition));
        }
        if !to.reads_pointer() {
            return;
        }
        let whole = to.bytes == from.bytes && read.start == write.start;
        match from.taint {
            Taint::Mixed => self.torn.push((read.access, condition)),
            Taint::Address if !whole => self.torn.push((read.access, condition)),
            Taint::Address => {
                let wild = self.is_wild(terms, bounded, write.access);
                self.torn.push((read.access, terms.and(condition, wild)));
                self.parts.entry(read.access).or_default().address.push(condition);
            }
            Taint::Loaded => self.doubtful.push((read.access, condition)),
            Taint::None => self.parts.entry(read.access).or_default().number.push(condition),
        }
        if !whole {
            self.parts.entry(read.access).or_default().odd.push(condition);
        }
    }

    /// Bool: the write writes a wild pointer, indeterminate bits where an object may lie, though its value counts as
    /// an address.
    fn is_wild(&mut self, terms: &mut Terms, bounded: &Bounded, write: AccessId) -> Term {
        let Way::Write(value) = bounded.accesses[write].way else { unreachable!("only writes are sources") };
        if active("stray-pointers-followed") || terms.width(value) != bounded.layout.pointer_bits {
            return terms.bool(false);
        }
        *self.wild.entry(write).or_insert_with(|| bounded.layout.is_stray(terms, value))
    }

    /// Records that the read takes its value from the initial write if `taken` holds. `wrong` says that the contents
    /// are an address to a read of a number, or not a whole pointer to a read of a pointer.
    pub fn first(&mut self, terms: &mut Terms, bounded: &Bounded, read: &Cell, taken: Term, wrong: Term) {
        if !bounded.accesses[read.access].reads_pointer() {
            self.numbers.push((read.access, wrong));
            return;
        }
        let found = initial::numbers(terms, bounded, read);
        let wild = terms.and(taken, found.wild);
        let wild = if active("stray-pointers-followed") { terms.bool(false) } else { wild };
        self.torn.extend([(read.access, wrong), (read.access, wild)]);
        let other = terms.not(found.plain);
        let parts = self.parts.entry(read.access).or_default();
        parts.number.push(terms.and(taken, found.plain));
        parts.address.push(terms.and(taken, other));
    }

    /// The conditions under which a read uses an address as a number, or something other than a whole pointer as a
    /// pointer.
    pub fn settle(self, terms: &mut Terms, bounded: &Bounded) -> Settled {
        let mut torn = self.torn;
        let mut accesses: Vec<(AccessId, Parts)> = self.parts.into_iter().collect();
        accesses.sort_by_key(|(access, _)| *access);
        for (access, parts) in accesses {
            let (address, odd) = (terms.or_all(parts.address), terms.or_all(parts.odd));
            if !active("torn-pointers-whole") {
                torn.push((access, terms.and(address, odd)));
            }
            let number = terms.or_all(parts.number);
            let looks = looks_like_address(terms, bounded, access);
            torn.push((access, terms.and(number, looks)));
        }
        let mixed = any(terms, &self.numbers);
        let doubtful = any(terms, &self.doubtful);
        let all = any(terms, &torn);
        let doubtful = terms.and(doubtful, mixed);
        let all = terms.or(all, doubtful);
        torn.extend(self.doubtful);
        Settled { mixed, torn: all, numbers: self.numbers, pointers: torn }
    }
}

/// Bool: one of the conditions holds.
fn any(terms: &mut Terms, list: &[(AccessId, Term)]) -> Term {
    terms.or_all(list.iter().map(|(_, term)| *term).collect::<Vec<_>>())
}

/// Bool: the value that the access reads would be an address if it were a pointer.
fn looks_like_address(terms: &mut Terms, bounded: &Bounded, access: AccessId) -> Term {
    let Way::Read(symbol) = bounded.accesses[access].way else { unreachable!("only reads take anything") };
    let object = bounded.layout.object_of(terms, symbol);
    let number = bounded.layout.is_no_address(terms, object);
    if active("numbers-are-addresses") { terms.bool(false) } else { terms.not(number) }
}
