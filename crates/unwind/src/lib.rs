//! From IR to a *bounded program*: for each thread instance a loop-free list of guarded events over terms.
//!
//! Threads are executed symbolically one by one: loops unwound, calls followed, paths merged where they
//! meet ([`braid_analysis::wto`], `exec`, `state`). Memory that only one thread knows is a term at once (`memory`); what
//! others can see becomes accesses at nodes of an order yet to be found (`access`, [`braid_bounded`]). Before
//! the first thread is started everything is known; that state is what the first reads of threads may see
//! ([`Bounded::initial`]). What was cut (loops, recursion, threads) or cannot be followed is an
//! obligation like any other: not reachable, or no proof.
//!
//! The order of instructions within a thread is that of the list of its nodes, for every path; `phase`
//! says which memory is never written once there are threads. `query` answers, at the end, what can be
//! wrong with pointers to objects that did not exist when their users were unwound.

mod access;
mod address;
mod bulk;
mod congruence;
mod effect;
mod ending;
mod exec;
mod exits;
mod heap;
mod instr;
mod leaves;
mod left;
mod loops;
mod phase;
mod query;
mod record;
mod settle;
mod spin;
mod state;
mod threads;
mod trial;

pub use exec::{Interrupt, Options};

use braid_analysis::Facts;
use braid_bounded::verify::debug_verify;
use braid_bounded::{Bounded, Interrupted};
use braid_ir::Program;
use braid_logic::Terms;
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
        self.settle_threads();
        // A section that nothing can refuse is entered.
        let certain = self.sections.iter().filter(|section| !section.may_refuse);
        self.out.constraints.extend(certain.map(|section| section.entered));
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
                initial = braid_symex::Memory::merge(self.terms, &self.out.objects, guard, &memory, &initial);
            }
            self.out.initial = initial;
        }
        self.blocks_begin_later();
        self.settle_addresses();
        self.order_accesses();
        debug_verify(self.terms, &self.out, "unwinding");
        Ok(self.out)
    }
}
