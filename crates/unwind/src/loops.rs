//! Loops: unwound up to their bounds, fully if the number of iterations is known, once if they only wait.
//!
//! An iteration is known if no path leaves the loop in it: then there is another one. A loop waits if an
//! iteration that goes on has changed nothing that anybody can see ([`crate::spin`]); then one such iteration is
//! followed for its checks, and in the next one the loop ends.

use crate::events::Events;
use crate::exec::{Body, Step, Unwinder};
use crate::spin::Start;
use crate::state::State;
use braid_analysis::wto::Loop;
use braid_base::faults::active;
use braid_bounded::What;
use braid_ir::{BlockId, FuncId, Loc};
use braid_logic::Term;

/// Iterations of a loop whose number is known beforehand.
const FIXED: u32 = 20_000;

/// Among those, so many that make events,
const FIXED_EVENTS: usize = 1_000;

/// and fewer if something in them may wait: what others do then makes such programs large.
const FIXED_WAITS: usize = 50;

/// Library models loop over the bits of a word.
const INTERNAL: u32 = 34;

impl Body {
    /// Paths outside of the loop.
    fn outside(&self, component: &Loop) -> usize {
        let pending = self.pending.enumerated().filter(|(block, _)| !component.blocks.contains(block));
        self.returned.len() + pending.map(|(_, states)| states.len()).sum::<usize>()
    }
}

impl Unwinder<'_> {
    pub fn unwind_loop(&mut self, body: &mut Body, component: &Loop) -> Step {
        let frame = *self.events.here.stack.last().expect("a loop is in a function");
        let function = &self.events.given.program.functions[frame.func];
        let head = &function.blocks[component.head];
        let loc = head.instrs.first().map_or(head.end.loc, |instr| instr.loc);
        let place = if head.end.loc.line > 0 { head.end.loc } else { loc };
        let bound = if function.internal {
            self.events.given.options.bounds.unwind.max(INTERNAL)
        } else {
            self.events.given.options.bounds.of_loop(
                self.events.given.program,
                function.name.as_str(),
                component.index,
                place,
            )
        };
        let (mut counted, mut fixed, nodes) = (0, 0, self.events.own_nodes());
        loop {
            let before = self.merge_pending(body, component.head);
            let start = Start::new(&self.events.out, &body.pending[component.head]);
            if counted >= bound || fixed > FIXED {
                self.block(body, component.head)?;
                return self.cut_loop(body, component, frame.func, place, bound);
            }
            let left = body.outside(component);
            self.block(body, component.head)?;
            self.elements(body, &component.inner)?;
            let nobody_left = body.outside(component) == left;
            let stays = component.has_exit && nobody_left;
            let after = self.merge_pending(body, component.head);
            if body.pending[component.head].is_empty() {
                return Ok(());
            }
            // Before there are other threads a loop ends by itself, or never.
            let start = start.filter(|start| start.is_shared() || nobody_left);
            if let Some(changed) = self.events.changes(
                self.terms,
                start.as_ref(),
                &body.pending[component.head],
                frame.func,
                component.head,
            ) {
                // Iterations that change nothing are all alike: one of them was followed for its checks, in
                // the next one the loop ends.
                self.last_iteration(body, component, frame.func, place, changed)?;
                if body.pending[component.head].is_empty() {
                    return Ok(());
                }
                counted += 1;
                continue;
            }
            let waits = before.is_none() || before != after;
            // Loops that start or join threads have as many iterations as there are threads.
            let threads = self.events.out.threads.len();
            let most = if waits { FIXED_WAITS.max(2 * threads) } else { FIXED_EVENTS };
            if stays && self.events.own_nodes() - nodes < most {
                fixed += 1;
            } else {
                counted += 1;
            }
        }
    }

    /// The last iteration of a loop that spins, after one that went on. What remains are paths that go on after they
    /// have changed something, here or in the iteration before; in that under the given condition.
    fn last_iteration(
        &mut self,
        body: &mut Body,
        component: &Loop,
        func: FuncId,
        place: Loc,
        changed: Term,
    ) -> Step {
        let mut more = Vec::new();
        if let [state] = body.pending[component.head].as_mut_slice() {
            if !self.terms.is_false(changed) {
                more.push(State { guard: changed, ..state.clone() });
                let unchanged = self.terms.not(changed);
                state.guard = self.terms.and(state.guard, unchanged);
            }
            let state = state.clone();
            let wait = self.try_spinning(component, func, &state, place)?;
            let (start, nodes) =
                (Start::new(&self.events.out, std::slice::from_ref(&state)), self.events.out.nodes.len());
            self.block(body, component.head)?;
            self.elements(body, &component.inner)?;
            self.events.place_wait(wait, nodes);
            self.merge_pending(body, component.head);
            if !more.is_empty() {
                let end = std::mem::take(&mut body.pending[component.head]);
                let changed = self.events.changes(self.terms, start.as_ref(), &end, func, component.head);
                let guard = |state: &State| changed.unwrap_or(state.guard);
                more.extend(end.iter().map(|state| State { guard: guard(state), ..state.clone() }));
            }
        }
        body.pending[component.head] = more;
        Ok(())
    }

    /// The states at a block as few as possible; the guard, if there is one.
    fn merge_pending(&mut self, body: &mut Body, block: BlockId) -> Option<Term> {
        let states = self.merged(std::mem::take(&mut body.pending[block]));
        let guard = if let [state] = states.as_slice() { Some(state.guard) } else { None };
        body.pending[block] = states;
        guard
    }

    /// Drops the paths that would go on with the loop.
    fn cut_loop(&mut self, body: &mut Body, component: &Loop, func: FuncId, place: Loc, bound: u32) -> Step {
        for block in &component.blocks {
            for state in std::mem::take(&mut body.pending[*block]) {
                let place = self.events.here.stack.last().and_then(|frame| frame.site).unwrap_or(place);
                if !active("loop-cut-silently") {
                    self.events.obligation(
                        self.terms,
                        &state,
                        state.guard,
                        What::Loop { function: func, bound },
                        place,
                    );
                }
                self.events.left_open(&state, state.guard);
            }
        }
        Ok(())
    }
}

impl Events<'_> {
    /// Nodes of the running thread.
    fn own_nodes(&self) -> usize {
        self.out.threads[self.here.thread].nodes.len()
    }
}
