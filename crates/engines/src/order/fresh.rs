//! Heap blocks that a thread fills before anybody else can know them: what was in them at first is seen by nobody.
//!
//! A block that a thread makes has an address that nobody has until the thread writes it somewhere. If the thread has
//! filled a part of the block by then, whoever comes to read that part finds something that was written. Without this,
//! the arbitrary bytes of a fresh block would make every pointer in a list arbitrary.
//!
//! A *pointer* is a term made of constants, symbols of reads of whole pointers, choices, and steps from a pointer; its
//! *zones* are those of the constants (steps stay in their zone, or the path ends there). The rule for a block of a thread
//! T, which is not the first thread, so that the block is made when there are others:
//!
//! * no pointer that another thread uses, or writes, has the block's zone; nor has one at the probe;
//! * a part of the block counts as filled by a write of T at a constant address, if every write of a pointer with
//!   the block's zone follows it in T, at a later node, and is executed only if it is.
//!
//! Then a read never finds in that part what was there at first, unless it is one of T that has the zone in its own
//! pointer: that must follow the write, and imply it, itself.
//!
//! Why: take the first pointer in the zone, in the order of an execution, that is read from memory. Its source is a
//! write of a pointer in the zone, made of constants, as no earlier read gave one: by T, after the part was filled.
//! So whoever has such a pointer by reading came later. This needs that what is read as a pointer was written as a
//! pointer, whole, and that all accesses go through pointers. The latter is asked here; the former of the ranges that come
//! out in the end, by [`super::values`], which does without this rule if it does not hold.

use super::before::implies;
use braid_base::HashMap;
use braid_base::faults::{Fault, active};
use braid_logic::{BvOp, Node, Term, Terms};
use braid_unwind::object::Kind;
use braid_unwind::{Access, Area, Bounded, ThreadIx, Way};
use std::collections::BTreeSet;

/// The blocks for which the rule holds. It is found once: terms that are rewritten do not show their pointers any more.
#[derive(Default)]
pub struct Fresh {
    blocks: HashMap<u32, Block>,
    /// Of each access: whether it writes a pointer.
    writes_pointer: Vec<bool>,
}

struct Block {
    filled: Vec<Filled>,
    /// Reads of its thread whose pointers have its zone, and the writes that certainly come before each.
    own: HashMap<usize, Vec<usize>>,
}

/// A part of a block, filled by a write.
struct Filled {
    write: usize,
    from: u64,
    to: u64,
}

/// What a pointer is made of.
#[derive(Clone, Default)]
struct Leaves {
    zones: BTreeSet<u32>,
    /// Whether a read is among it.
    read: bool,
}

impl Leaves {
    /// Whether it is more than a number.
    fn is_address(&self) -> bool {
        self.read || self.zones.iter().any(|zone| *zone != 0)
    }
}

impl Fresh {
    pub fn find(terms: &mut Terms, bounded: &Bounded) -> Fresh {
        let pointers = Pointers::of(terms, bounded);
        let touches = |access: &Access| access.area != Area::Life;
        let mut accesses = bounded.accesses.iter().filter(|access| touches(access));
        if accesses.any(|access| pointers.leaves(access.pointer).is_none()) {
            return Fresh::default();
        }
        let mut fresh = Fresh::default();
        for (number, object) in bounded.objects.iter() {
            let maker = object.made.map(|made| made.thread).filter(|thread| *thread != ThreadIx(0));
            if let (Some(thread), Kind::Heap) = (maker, object.kind) {
                let block = pointers.block(terms, bounded, number, thread);
                fresh.blocks.extend(block.map(|block| (number, block)));
            }
        }
        let is_pointer = |access: &Access| match access.way {
            Way::Write(value) => pointers.leaves(value).is_some(),
            Way::Read(_) => false,
        };
        fresh.writes_pointer = bounded.accesses.iter().map(is_pointer).collect();
        fresh
    }

    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Whether the access writes a pointer.
    pub fn writes_pointer(&self, access: usize) -> bool {
        self.writes_pointer.get(access).copied().unwrap_or(false)
    }

    /// Whether a term that was there at first is a pointer to none of the blocks.
    pub fn is_older_pointer(&self, terms: &Terms, bounded: &Bounded, term: Term) -> bool {
        let object = bounded.layout.constant(terms, term).map(|(object, _)| object);
        object.is_some_and(|object| !self.blocks.contains_key(&object))
    }

    /// Whether a read never finds there what was at first in these bytes of the object.
    pub fn is_filled(&self, read: usize, object: u32, from: u64, bytes: u32) -> bool {
        let Some(block) = self.blocks.get(&object) else { return false };
        let covers = |filled: &&Filled| filled.from <= from && from + u64::from(bytes) <= filled.to;
        let comes_first =
            |filled: &Filled| block.own.get(&read).is_none_or(|list| list.contains(&filled.write));
        block.filled.iter().filter(covers).any(comes_first)
    }
}

/// What the pointers of a program are made of.
struct Pointers {
    leaves: HashMap<Term, Leaves>,
}

impl Pointers {
    fn of(terms: &Terms, bounded: &Bounded) -> Pointers {
        let read = |access: &Access| match access.way {
            Way::Read(symbol) if access.reads_pointer() => Some(symbol),
            Way::Read(_) | Way::Write(_) => None,
        };
        let written = |access: &Access| match access.way {
            Way::Write(value) => Some(value),
            Way::Read(_) => None,
        };
        let symbols = bounded.accesses.iter().filter_map(read);
        let found = symbols.map(|symbol| (symbol, Leaves { zones: BTreeSet::new(), read: true })).collect();
        let mut pointers = Pointers { leaves: found };
        let values = bounded.accesses.iter().filter_map(written);
        let roots: Vec<Term> = bounded.accesses.iter().map(|access| access.pointer).chain(values).collect();
        for term in terms.post_order(&roots) {
            if terms.sort(term).width() == Some(bounded.layout.pointer_bits) {
                let leaves = pointers.compute(terms, bounded, term);
                pointers.leaves.extend(leaves.map(|leaves| (term, leaves)));
            }
        }
        pointers
    }

    /// `None` for what is no pointer.
    fn leaves(&self, term: Term) -> Option<&Leaves> {
        self.leaves.get(&term)
    }

    fn compute(&self, terms: &Terms, bounded: &Bounded, term: Term) -> Option<Leaves> {
        match terms.node(term) {
            Node::Bits(_) => {
                let (zone, _) = bounded.layout.constant(terms, term)?;
                Some(Leaves { zones: BTreeSet::from([zone]), read: false })
            }
            Node::Ite(_, a, b) => {
                let (mut all, other) = (self.leaves(a)?.clone(), self.leaves(b)?);
                all.zones.extend(&other.zones);
                all.read |= other.read;
                Some(all)
            }
            Node::Binary(BvOp::Add | BvOp::Sub, a, b) => {
                let steps = [a, b].map(|part| self.leaves(part).filter(|leaves| leaves.is_address()));
                let all = steps.into_iter().flatten().fold(Leaves::default(), |mut all, leaves| {
                    all.zones.extend(&leaves.zones);
                    all.read |= leaves.read;
                    all
                });
                all.is_address().then_some(all)
            }
            _ => self.leaves(term).cloned(),
        }
    }

    fn has_zone(&self, term: Term, object: u32) -> bool {
        self.leaves(term).is_some_and(|leaves| leaves.zones.contains(&object))
    }

    /// The block, if nobody else knows it from the start.
    fn block(&self, terms: &mut Terms, bounded: &Bounded, object: u32, thread: ThreadIx) -> Option<Block> {
        let (mut told, mut own, mut filling) = (Vec::new(), Vec::new(), Vec::new());
        for (index, access) in bounded.accesses.iter().enumerate() {
            let there = self.has_zone(access.pointer, object);
            let tells = matches!(access.way, Way::Write(value) if self.has_zone(value, object));
            if !there && !tells {
                continue;
            }
            if bounded.nodes[access.node].thread != thread {
                return None;
            }
            match access.way {
                Way::Read(_) => own.push(index),
                Way::Write(_) => filling.extend(filled(terms, bounded, object, index)),
            }
            told.extend(tells.then_some(index));
        }
        let mut precedes = |write: usize, later: usize| {
            let (a, b) = (&bounded.accesses[write], &bounded.accesses[later]);
            bounded.nodes[a.node].index < bounded.nodes[b.node].index
                && (implies(terms, b.guard, a.guard) || active(Fault::FilledByChance))
        };
        let early = |filled: &Filled| {
            active(Fault::FilledTooLate) || told.iter().all(|tell| precedes(filled.write, *tell))
        };
        let filled: Vec<Filled> = filling.into_iter().filter(early).collect();
        let mut before =
            |read: usize| filled.iter().map(|f| f.write).filter(|w| precedes(*w, read)).collect();
        let own = own.into_iter().map(|read| (read, before(read))).collect();
        Some(Block { filled, own })
    }
}

/// The part of the object that a write to a constant place fills.
fn filled(terms: &Terms, bounded: &Bounded, object: u32, write: usize) -> Option<Filled> {
    let access = &bounded.accesses[write];
    let (there, offset) = bounded.layout.constant(terms, access.pointer)?;
    let from = u64::try_from(offset).ok().filter(|_| there == object && access.area == Area::Memory)?;
    Some(Filled { write, from, to: from + u64::from(access.bytes) })
}
