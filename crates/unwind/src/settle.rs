//! Obligations about addresses, looked at again when all of the program is known.
//!
//! Most programs never store addresses where somebody reads numbers, move none to before its object, and give no
//! thread's id to another: then nothing is left to ask. For the others, the engine asks who reads from whom.

use crate::congruence::Congruence;
use crate::events::Events;
use braid_base::IndexVec;
use braid_base::faults::active;
use braid_bounded::*;
use braid_logic::ranges::Ranges;
use braid_logic::{Term, Terms};
use braid_symex::{Layout, Taint};

impl Events<'_> {
    pub fn settle_addresses(&mut self, terms: &mut Terms) {
        let always = terms.bool(true);
        let seen = Seen::new(terms, &self.out);
        let may_refuse = |entered: Term| {
            self.pending.sections.iter().any(|known| known.entered == entered && known.may_refuse)
        };
        let mixed = seen.reads.iter().any(|read| seen.makes_number(terms, read));
        let mut settled = Vec::new();
        for (index, obligation) in self.out.obligations.iter().enumerate() {
            let counts = match &obligation.what {
                What::LoadedAddresses => mixed,
                What::OutOfObject => self.pending.strays,
                What::Refused { node, entered, doubt } => {
                    let mut here = seen.reads.iter().filter(|read| read.node == *node);
                    may_refuse(*entered)
                        && match doubt {
                            Doubt::Always => true,
                            Doubt::Loaded => here.any(|read| seen.makes_number(terms, read)),
                            Doubt::Ids => ids_clash(&self.out, None, None, &self.pending.detached),
                        }
                }
                What::ThreadIds { threads, running } => {
                    ids_clash(&self.out, threads.as_deref(), *running, &self.pending.detached)
                }
                What::Violation(_)
                | What::Loop { .. }
                | What::Recursion { .. }
                | What::Threads { .. }
                | What::Unsupported(_)
                | What::Partial { .. }
                | What::Invalid(_)
                | What::MayBeLost
                | What::Addresses
                | What::TornPointers => true,
            };
            if !counts {
                settled.push(index);
            }
        }
        let torn = self.torn_pointers(terms, &seen, always);
        for index in settled {
            self.out.obligations[index].reached = terms.bool(false);
        }
        self.out.obligations.extend(torn);
    }

    /// Pointers may be read that are no whole ones. Nothing is known of the reads of a section that is refused: there
    /// it is enough that it may be so.
    fn torn_pointers(&self, terms: &Terms, seen: &Seen, always: Term) -> Vec<Obligation> {
        let about = |read: &Access, reached: Term, what: What| {
            let Node { thread, log, .. } = self.out.nodes[read.node];
            let place = self.out.threads[log.thread].log[log.index as usize].loc;
            Obligation { thread, after: None, reached, what, place, log: Some(log) }
        };
        let mut found = Vec::new();
        let first = seen.reads.iter().find(|read| read.reads_pointer());
        found.extend(first.map(|read| about(read, always, What::TornPointers)));
        for section in self.pending.sections.iter().filter(|section| section.may_refuse) {
            let torn = |read: &&&Access| read.node == section.node && seen.may_be_torn(terms, read);
            if let Some(read) = seen.reads.iter().find(torn) {
                found.push(about(read, section.outside, What::Addresses));
            }
        }
        found
    }
}

/// Reads and writes of memory that others may see, and what was there when the first thread was started.
struct Seen<'a> {
    reads: Vec<&'a Access>,
    writes: Vec<Written<'a>>,
    /// By object.
    first: IndexVec<ObjectNo, Taint>,
    /// Reads whose place may not be that of a whole number of pointers, by symbol.
    askew: Vec<Term>,
    pointer_bytes: u32,
}

struct Written<'a> {
    access: &'a Access,
    /// Read as a pointer, it may be none: by its bits, its size or its place.
    is_odd: bool,
}

impl<'a> Seen<'a> {
    fn new(terms: &mut Terms, out: &'a Bounded) -> Seen<'a> {
        let mut ranges = Ranges::ignoring_conditions();
        let pointer_bytes = out.layout.pointer_bits / 8;
        let mut seen = Seen {
            reads: Vec::new(),
            writes: Vec::new(),
            first: IndexVec::new(),
            askew: Vec::new(),
            pointer_bytes,
        };
        for access in out.accesses.iter().filter(|access| access.area == Area::Memory) {
            let zeros = ranges.range(terms, access.pointer).trailing_zeros();
            let straight = zeros >= pointer_bytes.trailing_zeros();
            match access.way {
                Way::Read(symbol) => {
                    seen.reads.push(access);
                    seen.askew.extend((!straight).then_some(symbol));
                }
                Way::Write(value) => {
                    let is_odd = !straight
                        || access.bytes != pointer_bytes
                        || match access.taint {
                            Taint::None => !is_surely_number(terms, out.layout, value),
                            Taint::Address => is_stray(terms, out.layout, value),
                            Taint::Loaded | Taint::Mixed => true,
                        };
                    seen.writes.push(Written { access, is_odd });
                }
            }
        }
        let contents = |n| out.initial.contents(&out.objects, ObjectNo(n)).taint();
        seen.first = (0..=out.objects.newest().0).map(contents).collect();
        seen
    }

    /// Returns true if a number is read where an address may be.
    fn makes_number(&self, terms: &Terms, read: &Access) -> bool {
        let write = |write: &Written| write.access.becomes_number(read) && meets(terms, read, write.access);
        !read.reads_pointer() && (self.finds_at_first(read, Taint::Loaded) || self.writes.iter().any(write))
    }

    /// Returns true if a pointer is read where something else may be.
    fn may_be_torn(&self, terms: &Terms, read: &Access) -> bool {
        let Way::Read(symbol) = read.way else { return false };
        let askew = read.bytes != self.pointer_bytes || self.askew.contains(&symbol);
        let taken = if askew { Taint::Loaded } else { Taint::Address };
        let write = |write: &Written| (askew || write.is_odd) && meets(terms, read, write.access);
        read.reads_pointer() && (self.finds_at_first(read, taken) || self.writes.iter().any(write))
    }

    /// Returns true if more than this may have been there when the first thread was started.
    fn finds_at_first(&self, read: &Access, taken: Taint) -> bool {
        match &read.objects {
            Some(list) => list.iter().any(|n| self.first[*n] > taken),
            None => self.first.iter().any(|taint| *taint > taken),
        }
    }
}

fn is_stray(terms: &mut Terms, layout: Layout, value: Term) -> bool {
    if terms.width(value) != layout.pointer_bits {
        return false;
    }
    let stray = layout.is_stray(terms, value);
    !terms.is_false(stray)
}

fn is_surely_number(terms: &mut Terms, layout: Layout, value: Term) -> bool {
    if terms.width(value) != layout.pointer_bits {
        return false;
    }
    let object = layout.object_of(terms, value);
    let number = layout.is_no_address(terms, object);
    terms.is_true(number)
}

/// Returns true if two accesses may touch common bytes of an object.
fn meets(terms: &Terms, a: &Access, b: &Access) -> bool {
    let common = match (&a.objects, &b.objects) {
        (Some(mine), Some(others)) => mine.iter().any(|n| others.binary_search(n).is_ok()),
        _ => true,
    };
    let place = |access: &Access| Congruence::of(terms, access.pointer);
    common && !active("members-apart") && !place(a).is_apart(a.bytes, place(b), b.bytes)
}

/// Returns true if two of these threads (all of them, without a list) may have the same id: one may be started
/// after the other was joined, or has ended and was detached. A thread that starts another has not ended. If a running
/// thread is given, the question is only whether it got the id of another one.
fn ids_clash(
    bounded: &Bounded,
    list: Option<&[ThreadIx]>,
    running: Option<ThreadIx>,
    detached: &[(NodeId, Option<ThreadIx>)],
) -> bool {
    let joined = bounded.joins.iter().map(|join| (join.node, join.thread));
    let ends: Vec<(NodeId, Option<ThreadIx>)> = joined.chain(detached.iter().copied()).collect();
    let again = |first: ThreadIx, second: ThreadIx| {
        let Some(start) = bounded.threads[second].parent else { return false };
        if bounded.nodes[start].thread == first {
            return false;
        }
        let ended = |thread: &Option<ThreadIx>| thread.is_none_or(|thread| thread == first);
        ends.iter().any(|(end, thread)| ended(thread) && !bounded.is_before(start, *end))
    };
    let all: Vec<ThreadIx> = bounded.threads.ids().filter(|thread| !bounded.is_probe(*thread)).collect();
    let list = list.unwrap_or(&all);
    if let Some(running) = running {
        return list.iter().any(|a| *a != running && again(*a, running));
    }
    list.iter().any(|a| list.iter().any(|b| a != b && again(*a, *b)))
}
