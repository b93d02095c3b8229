//! From IR to a *bounded program*: for each thread instance a loop-free list of guarded events over terms.
//!
//! Threads are executed symbolically one by one: loops unwound, calls followed, paths merged where they
//! meet ([`wto`], `exec`, `state`). Memory that only one thread knows is a term at once (`memory`); what
//! others can see becomes accesses at nodes of an order yet to be found (`access`, [`bounded`]). Before
//! the first thread is started everything is known; that state is what the first reads of threads may see
//! ([`Bounded::initial`]). What was cut (loops, recursion, threads) or cannot be followed is an
//! obligation like any other: not reachable, or no proof.
//!
//! The order of instructions within a thread is that of the list of its nodes, for every path; `phase`
//! says which memory is never written once there are threads. `query` answers, at the end, what can be
//! wrong with pointers to objects that did not exist when their users were unwound.

mod access;
mod address;
pub mod bounded;
mod bounds;
mod bulk;
mod effect;
mod exec;
mod heap;
mod instr;
mod leaves;
mod left;
mod live;
mod loops;
pub mod memory;
pub mod object;
mod phase;
mod query;
mod record;
mod state;
mod threads;
mod trial;
pub mod wto;

pub use bounded::*;
pub use bounds::{Bounds, LoopName};
pub use exec::{Interrupt, Interrupted, Options};

use braid_analysis::Facts;
use braid_ir::{Loc, Program};
use braid_logic::{Term, Terms};
use braid_symex::Taint;
use exec::Unwinder;

/// Unwinds the program from its entry. The caller runs this on a large stack: calls and loops nest.
pub fn unwind(
    terms: &mut Terms,
    program: &Program,
    facts: &Facts,
    options: &Options,
    interrupt: Interrupt,
) -> Result<Bounded, Interrupted> {
    let mut unwinder = Unwinder::new(terms, program, facts, options, interrupt);
    if let Some(entry) = program.entry {
        unwinder.main(entry)?;
    }
    unwinder.finish()
}

impl Unwinder<'_> {
    /// Everything that had to wait for the whole.
    fn finish(mut self) -> Result<Bounded, Interrupted> {
        self.answer_queries()?;
        self.look_from_ends();
        for (entered, depends) in self.sections.clone() {
            // A section that nothing can refuse is entered.
            if !depends {
                self.out.constraints.push(entered);
            }
        }
        for (index, targets) in std::mem::take(&mut self.open) {
            let mut objects = targets.known;
            objects.extend(self.objects_at(&targets.places));
            objects.sort();
            objects.dedup();
            self.out.accesses[index].objects = Some(objects.into());
        }
        let mut snapshots = std::mem::take(&mut self.snapshots).into_iter().rev();
        if let Some((_, mut initial)) = snapshots.next() {
            for (guard, memory) in snapshots {
                initial = memory::Memory::merge(self.terms, &self.out.objects, guard, &memory, &initial);
            }
            self.out.initial = initial;
        }
        self.blocks_begin_later();
        self.settle_taint();
        self.settle_ids();
        self.order_accesses();
        Ok(self.out)
    }

    /// Two threads may have the same id if one may be started after the other was joined, or has ended and was
    /// detached. Whoever starts a thread has not ended.
    fn settle_ids(&mut self) {
        let ends: Vec<(NodeId, Option<ThreadIx>)> = self
            .out
            .joins
            .iter()
            .map(|join| (join.node, join.thread))
            .chain(self.detached.iter().copied())
            .collect();
        let (out, no) = (&self.out, self.terms.bool(false));
        let again = |first: ThreadIx, second: ThreadIx| {
            let Some(start) = out.threads[second].parent else { return false };
            if out.nodes[start].thread == first {
                return false;
            }
            let ended = |thread: &Option<ThreadIx>| thread.is_none_or(|thread| thread == first);
            ends.iter().any(|(end, thread)| ended(thread) && !out.is_before(start, *end))
        };
        let all: Vec<ThreadIx> = out.threads.ids().filter(|thread| !out.is_probe(*thread)).collect();
        let clashes = |list: &[ThreadIx]| list.iter().any(|a| list.iter().any(|b| a != b && again(*a, *b)));
        let mut settled = Vec::new();
        for (index, obligation) in out.obligations.iter().enumerate() {
            if let What::ThreadIds(list) = &obligation.what {
                if !clashes(list.as_deref().unwrap_or(&all)) {
                    settled.push(index);
                }
            }
        }
        settled.into_iter().for_each(|index| self.out.obligations[index].reached = no);
    }

    /// Numbers from shared memory are plain unless addresses were stored there. Most programs never do that where
    /// somebody reads numbers; for the others, the engine asks who reads from whom.
    fn settle_taint(&mut self) {
        let out = &self.out;
        let of_memory = |access: &&Access| access.area == Area::Memory;
        let reads = || out.accesses.iter().filter(of_memory).filter(|a| matches!(a.way, Way::Read(_)));
        let writes = || {
            let is_write = |access: &&Access| matches!(access.way, Way::Write(_));
            out.accesses.iter().filter(of_memory).filter(is_write)
        };
        let meets = |read: &Access, write: &Access| {
            let (Some(a), Some(b)) = (&read.objects, &write.objects) else { return true };
            a.iter().any(|n| b.binary_search(n).is_ok())
        };
        let first: Vec<Taint> =
            (0..=out.objects.count()).map(|n| out.initial.contents(&out.objects, n).taint()).collect();
        let from_start = |read: &Access| {
            let taken = if read.reads_pointer() { Taint::Address } else { Taint::Loaded };
            match &read.objects {
                Some(list) => list.iter().any(|n| first[*n as usize] > taken),
                None => first.iter().any(|taint| *taint > taken),
            }
        };
        let numbers = |read: &Access| {
            from_start(read) || writes().any(|write| write.becomes_number(read) && meets(read, write))
        };
        let mixed = reads().filter(|read| !read.reads_pointer()).any(numbers);
        let torn = |read: &Access| {
            let odd = |write: &Access| {
                !matches!(write.taint, Taint::None | Taint::Address) || write.bytes != read.bytes
            };
            from_start(read) || writes().any(|write| odd(write) && meets(read, write))
        };
        let torn = reads().find(|read| read.reads_pointer() && torn(read)).map(|read| {
            let log = read.racy.map(|racy| racy.log);
            let loc = |log: LogRef| out.threads[log.thread].log[log.index as usize].loc;
            let place = log.map_or(Loc::NONE, loc);
            let (thread, after) = (out.nodes[read.node].thread, None);
            let reached = self.terms.bool(true);
            Obligation { thread, after, reached, what: What::TornPointers, place, log }
        });
        let refused =
            |section: Term| self.sections.iter().any(|(entered, waits)| *entered == section && *waits);
        let mut settled = Vec::new();
        for (index, obligation) in out.obligations.iter().enumerate() {
            let counts = match obligation.what {
                What::LoadedAddresses => mixed,
                What::AddressesRead { node, entered } => {
                    let here = |read: &&Access| read.node == node && !read.reads_pointer();
                    mixed && refused(entered) && reads().filter(here).any(numbers)
                }
                _ => true,
            };
            if !counts {
                settled.push(index);
            }
        }
        for index in settled {
            self.out.obligations[index].reached = self.terms.bool(false);
        }
        self.out.obligations.extend(torn);
    }
}
