//! Initialisation before publication: heap blocks whose indeterminate initial contents no other thread can see.
//!
//! Safe publication (Goetz et al., *Java Concurrency in Practice*, 2006, section 3.5) is turned into an analysis by
//! tracking where the address of a new block escapes, as escape analysis does (Choi, Gupta, Serrano, Sreedhar,
//! Midkiff, OOPSLA 1999; Whaley, Rinard, OOPSLA 1999). Without it the indeterminate bytes of new blocks would make
//! every pointer in a linked list arbitrary.
//!
//! A *pointer* is a term made of constants, symbols of reads of whole pointers, if-then-else, and pointer arithmetic;
//! its *zones* are the objects of the constants (arithmetic stays in the zone, or the path ends there). The rule for a
//! block of a thread T, which is not the first thread, so that other threads exist when the block is made:
//!
//! * no pointer that another thread uses or writes has the block's zone, and neither has one at the probe;
//! * a part of the block counts as initialised by a write of T at a constant address if every write that publishes a
//!   pointer with the block's zone follows it in T, at a later node, and is executed only if it is.
//!
//! The soundness argument has four parts:
//!
//! * *Claim.* No read finds the initial contents of an initialised part, except a read of T whose own pointer has the
//!   zone and which does not itself follow and imply the initialising write ([`Published::is_initialised`]).
//! * *Relies on.* Every value that is read as a pointer was written as a pointer, whole; and all accesses go through
//!   pointers. Both depend on the value ranges found in the end, because terms have branches for objects that a
//!   pointer never points to: [`crate::values`] checks it, and does without this rule if it does not hold. Integers
//!   that disguise an address (its distance to another object, its complement) are not seen here; using one as a
//!   pointer again is an obligation of its own, so there is no proof then.
//! * *Proof.* Take the first pointer in the zone, in the order of an execution, that is read from memory. Its source
//!   is a write of a pointer in the zone that is made of constants, because no earlier read gave one: a write of T,
//!   after the part was initialised. So every access that has such a pointer by reading comes later. The assumptions
//!   hold up to the first read that would leave the ranges or break them, so there is no such read.
//! * *Fault.* `filled-by-chance` (`fresh_filled_by_chance.c`), `filled-too-late` (`fresh_filled_too_late.c`),
//!   `filled-for-its-maker` (`fresh_read_by_its_maker.c`).

use crate::guards::Prover;
use crate::{AccessId, Area, Bounded, ObjectNo, ThreadIx, Way};
use braid_base::faults::active;
use braid_base::{HashMap, HashSet, IndexVec};
use braid_logic::ranges::{Fact, Ranges};
use braid_logic::{BvOp, Node, Term, Terms};
use braid_symex::Layout;
use braid_symex::object::Kind;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The blocks for which the rule holds. They are found once, before any rewriting, because rewritten terms do not
/// show their pointers any more.
#[derive(Default)]
pub struct Published {
    blocks: HashMap<ObjectNo, Block>,
    /// For each access as it was before rewriting: its pointer, and the value that it writes.
    terms: IndexVec<AccessId, (Term, Option<Term>)>,
    /// The symbols of reads of whole pointers.
    symbols: HashSet<Term>,
}

struct Block {
    initialised: Vec<Initialised>,
    /// Reads of the block's thread whose pointers have its zone, with the initialising writes that certainly precede
    /// each.
    own: HashMap<AccessId, Vec<AccessId>>,
}

/// A part of a block that a write initialises.
struct Initialised {
    write: AccessId,
    from: u64,
    to: u64,
}

impl Published {
    pub fn find(terms: &mut Terms, bounded: &Bounded) -> Published {
        let mut zones = Zones { layout: bounded.layout, memo: HashMap::default(), prover: Prover::default() };
        let mut published = Published::default();
        for (number, object) in bounded.objects.iter() {
            let maker = object.made.map(|made| made.thread).filter(|thread| *thread != ThreadIx(0));
            if let (Some(thread), Kind::Heap) = (maker, object.kind) {
                let block = zones.block(terms, bounded, number, thread);
                published.blocks.extend(block.map(|block| (number, block)));
            }
        }
        for access in &bounded.accesses {
            let (read, written) = match access.way {
                Way::Read(symbol) => (Some(symbol), None),
                Way::Write(value) => (None, Some(value)),
            };
            published.symbols.extend(read.filter(|_| access.reads_pointer()));
            published.terms.push((access.pointer, written));
        }
        published
    }

    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Tells pointers from other terms, in executions with these ranges.
    pub fn pointers<'a>(&'a self, layout: Layout, ranges: &'a mut Ranges) -> Pointers<'a> {
        Pointers { published: self, layout, ranges, memo: HashMap::default() }
    }

    /// Returns true if a term of the initial contents is a pointer to none of the blocks.
    pub fn is_older_pointer(&self, terms: &Terms, bounded: &Bounded, term: Term) -> bool {
        let object = bounded.layout.constant(terms, term).map(|(object, _)| object);
        object.is_some_and(|object| !self.blocks.contains_key(&object))
    }

    /// Returns true if a read never finds the initial contents in these bytes of the object.
    pub fn is_initialised(&self, read: AccessId, object: ObjectNo, from: u64, bytes: u32) -> bool {
        let Some(block) = self.blocks.get(&object) else { return false };
        let covers = |part: &&Initialised| part.from <= from && from + u64::from(bytes) <= part.to;
        let comes_first = |part: &Initialised| {
            active("filled-for-its-maker")
                || block.own.get(&read).is_none_or(|list| list.contains(&part.write))
        };
        block.initialised.iter().filter(covers).any(comes_first)
    }
}

/// The zones that occur in a term outside of conditions: a superset of those that its pointers can have.
struct Zones {
    layout: Layout,
    memo: HashMap<Term, Rc<BTreeSet<ObjectNo>>>,
    prover: Prover,
}

impl Zones {
    fn of(&mut self, terms: &Terms, root: Term) -> Rc<BTreeSet<ObjectNo>> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.memo.contains_key(&term) {
                stack.pop();
                continue;
            }
            let (before, node) = (stack.len(), terms.node(term));
            let condition = usize::from(matches!(node, Node::Ite(..)));
            let parts = || node.children().skip(condition);
            stack.extend(parts().filter(|part| !self.memo.contains_key(part)));
            if stack.len() == before {
                let zones = self.compute(terms, term, parts());
                self.memo.insert(term, zones);
                stack.pop();
            }
        }
        self.memo[&root].clone()
    }

    fn compute(
        &self,
        terms: &Terms,
        term: Term,
        parts: impl Iterator<Item = Term>,
    ) -> Rc<BTreeSet<ObjectNo>> {
        let is_wide = terms.sort(term).width() == Some(self.layout.pointer_bits);
        let constant = is_wide.then(|| self.layout.constant(terms, term)).flatten();
        let mut lists: Vec<_> =
            parts.map(|part| self.memo[&part].clone()).filter(|l| !l.is_empty()).collect();
        lists.dedup();
        match (constant, &lists[..]) {
            (Some((zone, _)), _) if zone != ObjectNo::NONE => Rc::new(BTreeSet::from([zone])),
            (_, [one]) => one.clone(),
            _ => Rc::new(lists.iter().flat_map(|list| list.iter().copied()).collect()),
        }
    }

    /// The initialised parts of a block. Returns `None` if a pointer of another thread has the block's zone by a
    /// constant, so that this thread may know the block without reading its address.
    fn block(
        &mut self,
        terms: &mut Terms,
        bounded: &Bounded,
        object: ObjectNo,
        thread: ThreadIx,
    ) -> Option<Block> {
        let (mut publishing, mut own, mut writes) = (Vec::new(), Vec::new(), Vec::new());
        for (index, access) in bounded.accesses.enumerated() {
            let there = self.of(terms, access.pointer).contains(&object);
            let publishes =
                matches!(access.way, Way::Write(value) if self.of(terms, value).contains(&object));
            if !there && !publishes {
                continue;
            }
            if bounded.nodes[access.node].thread != thread {
                return None;
            }
            match access.way {
                Way::Read(_) => own.push(index),
                Way::Write(_) => writes.extend(initialised(terms, bounded, object, index)),
            }
            publishing.extend(publishes.then_some(index));
        }
        let mut precedes = |write: AccessId, later: AccessId| {
            let (a, b) = (&bounded.accesses[write], &bounded.accesses[later]);
            bounded.nodes[a.node].index < bounded.nodes[b.node].index
                && (self.prover.implies(terms, b.guard, a.guard) || active("filled-by-chance"))
        };
        let early = |part: &Initialised| {
            active("filled-too-late") || publishing.iter().all(|later| precedes(part.write, *later))
        };
        let initialised: Vec<Initialised> = writes.into_iter().filter(early).collect();
        let mut before = |read: AccessId| {
            initialised.iter().map(|part| part.write).filter(|w| precedes(*w, read)).collect()
        };
        let own = own.into_iter().map(|read| (read, before(read))).collect();
        Some(Block { initialised, own })
    }
}

/// The kind of a term, on all feasible paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PointerKind {
    /// A small number, like null.
    Small,
    /// A pointer, or null.
    Pointer,
    Other,
}

/// Tells pointers from other terms; infeasible branches do not count.
pub struct Pointers<'a> {
    published: &'a Published,
    layout: Layout,
    ranges: &'a mut Ranges,
    memo: HashMap<Term, PointerKind>,
}

impl Pointers<'_> {
    /// Returns true if an access goes through a pointer.
    pub fn goes_through_one(&mut self, terms: &Terms, access: AccessId) -> bool {
        self.kind(terms, self.published.terms[access].0) != PointerKind::Other
    }

    /// Returns true if an access writes a pointer.
    pub fn writes_one(&mut self, terms: &Terms, access: AccessId) -> bool {
        self.published.terms[access].1.is_some_and(|value| self.kind(terms, value) != PointerKind::Other)
    }

    fn kind(&mut self, terms: &Terms, term: Term) -> PointerKind {
        if let Some(kind) = self.memo.get(&term) {
            return *kind;
        }
        let kind = self.compute(terms, term);
        self.memo.insert(term, kind);
        kind
    }

    fn compute(&mut self, terms: &Terms, term: Term) -> PointerKind {
        match terms.node(term) {
            _ if terms.sort(term).width() != Some(self.layout.pointer_bits) => PointerKind::Other,
            Node::Bits(_) => match self.layout.constant(terms, term) {
                Some((ObjectNo::NONE, _)) => PointerKind::Small,
                Some(_) => PointerKind::Pointer,
                None => PointerKind::Other,
            },
            Node::Symbol(_) if self.published.symbols.contains(&term) => PointerKind::Pointer,
            Node::Ite(condition, a, b) => match self.ranges.fact(terms, condition) {
                Fact::Bool(Some(true)) => self.kind(terms, a),
                Fact::Bool(Some(false)) => self.kind(terms, b),
                _ => match (self.kind(terms, a), self.kind(terms, b)) {
                    (PointerKind::Other, _) | (_, PointerKind::Other) => PointerKind::Other,
                    (PointerKind::Small, PointerKind::Small) => PointerKind::Small,
                    (PointerKind::Pointer, _) | (_, PointerKind::Pointer) => PointerKind::Pointer,
                },
            },
            Node::Binary(BvOp::Add, a, b) => match (self.kind(terms, a), self.kind(terms, b)) {
                (PointerKind::Pointer, PointerKind::Small | PointerKind::Other)
                | (PointerKind::Small | PointerKind::Other, PointerKind::Pointer) => PointerKind::Pointer,
                _ => PointerKind::Other,
            },
            Node::Binary(BvOp::Sub, a, b) => match (self.kind(terms, a), self.kind(terms, b)) {
                (PointerKind::Pointer, PointerKind::Small | PointerKind::Other) => PointerKind::Pointer,
                _ => PointerKind::Other,
            },
            _ => PointerKind::Other,
        }
    }
}

/// The part of the object that a write to a constant address initialises.
fn initialised(terms: &Terms, bounded: &Bounded, object: ObjectNo, write: AccessId) -> Option<Initialised> {
    let access = &bounded.accesses[write];
    let (there, offset) = bounded.layout.constant(terms, access.pointer)?;
    let from = u64::try_from(offset).ok().filter(|_| there == object && access.area == Area::Memory)?;
    Some(Initialised { write, from, to: from + u64::from(access.bytes) })
}
