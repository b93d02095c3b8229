//! From IR to a *bounded program*: for each thread instance a loop-free list of guarded events over terms.
//!
//! Threads are executed symbolically one by one: loops unwound, calls followed, paths merged where they
//! meet ([`braid_analysis::wto`], `exec`, `state`). What an instruction means is [`braid_symex::step`]'s; `events` and `world` are
//! its world. Memory that only one thread knows is a term at once; what
//! others can see becomes accesses at nodes of an order yet to be found (`shared`, [`braid_bounded`]). Before
//! the first thread is started everything is known; that state is what the first reads of threads may see
//! ([`Bounded::initial`]). What was cut (loops, recursion, threads) or cannot be followed is an
//! obligation like any other: not reachable, or no proof.
//!
//! The order of instructions within a thread is that of the list of its nodes, for every path; `phase`
//! says which memory is never written once there are threads. `query` answers, at the end, what can be
//! wrong with pointers to objects that did not exist when their users were unwound.

mod congruence;
mod ending;
mod events;
mod exec;
mod exits;
mod first;
mod left;
mod loops;
mod phase;
mod query;
mod record;
mod settle;
mod shared;
mod spawn;
mod spin;
mod state;
mod summaries;
mod threads;
mod trial;
mod world;

pub use exec::{Interrupt, Options};

use braid_analysis::Facts;
use braid_bounded::verify::debug_verify;
use braid_bounded::{Bounded, Interrupted};
use braid_ir::Program;
use braid_logic::Terms;
use events::Given;
use exec::Unwinder;

/// Unwinds the program from its entry. The caller runs this on a large stack: calls and loops nest.
pub fn unwind(
    terms: &mut Terms,
    program: &Program,
    facts: &Facts,
    options: &Options,
    interrupt: Interrupt,
) -> Result<Bounded, Interrupted> {
    let mut unwinder = Unwinder::new(terms, Given { program, facts, options, interrupt });
    if let Some(entry) = program.entry {
        unwinder.main(entry)?;
    }
    unwinder.finish()
}

impl Unwinder<'_> {
    /// Everything that had to wait for the whole.
    fn finish(self) -> Result<Bounded, Interrupted> {
        let Unwinder { terms, mut events, snapshots, .. } = self;
        events.answer_queries(terms)?;
        events.look_from_ends(terms);
        events.settle_threads(terms);
        // A section that nothing can refuse is entered.
        let certain = events.pending.sections.iter().filter(|section| !section.may_refuse);
        events.out.constraints.extend(certain.map(|section| section.entered));
        for (access, targets) in std::mem::take(&mut events.pending.targets) {
            let mut objects = targets.known;
            objects.extend(events.objects_at(&targets.places));
            objects.sort();
            objects.dedup();
            events.out.accesses[access].objects = Some(objects.into());
        }
        let mut snapshots = snapshots.into_iter().rev();
        if let Some((_, mut initial)) = snapshots.next() {
            for (guard, memory) in snapshots {
                initial = braid_symex::Memory::merge(terms, &events.out.objects, guard, &memory, &initial);
            }
            events.out.initial = initial;
        }
        events.blocks_begin_later(terms);
        events.settle_addresses(terms);
        events.order_accesses();
        debug_verify(terms, &events.out, "unwinding");
        Ok(events.out)
    }
}
