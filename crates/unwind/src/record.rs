//! Records made on the way: executions of instructions, choices, obligations.

use crate::events::Events;
use crate::state::State;
use braid_base::faults::active;
use braid_bounded::*;
use braid_ir::{InstrId, Loc, Ty};
use braid_logic::{Sort, Term, Terms};
use braid_symex::Value;

impl Events<'_> {
    /// The innermost place outside of library models.
    pub fn site(&self, own: Loc) -> Loc {
        self.here.stack.last().and_then(|frame| frame.site).unwrap_or(own)
    }

    /// Writes down that the instruction is executed.
    pub fn note(&mut self, terms: &mut Terms, state: &State, instr: InstrId, loc: Loc) {
        let func = self.here.stack.last().expect("an instruction is in a function").func;
        let loc = self.site(loc);
        // A trial executes nothing.
        let guard = if state.path.is_trial() { terms.bool(false) } else { state.guard };
        let log = &mut self.out.threads[self.here.thread].log;
        log.push(LogEntry { func, instr, loc, guard });
        self.here.log = LogRef { thread: self.here.thread, index: log.len() as u32 - 1 };
    }

    /// A value that the program leaves open, at the instruction noted last.
    pub fn choice(&mut self, terms: &mut Terms, of: ChoiceOf, ty: Ty) -> Value {
        let width = ty.bits(self.given.program.pointer_bytes);
        if let Some(answer) = self.round_answer(terms, of, width) {
            return Value::plain(answer);
        }
        let value = terms.fresh("c", Sort::bits(width));
        self.out.choices.push(Choice { log: self.here.log, of, value });
        Value::plain(value)
    }

    /// Something that somebody wants to know of, but for trials, which are no part of an execution.
    pub fn add_mark(&mut self, terms: &mut Terms, state: &State, of: MarkOf) {
        if !terms.is_false(state.guard) && !state.path.is_trial() {
            let (thread, after) = (self.here.thread, self.last_node(state));
            self.out.marks.push(Mark { of, thread, after, guard: state.guard });
        }
    }

    /// The last node before the path's next step, or the start of the thread.
    fn last_node(&self, state: &State) -> Option<NodeId> {
        let thread = &self.out.threads[self.here.thread];
        let own = match state.path.section {
            Some(section) => section.node,
            None => thread.nodes.last().copied(),
        };
        own.or(thread.parent)
    }

    /// Something that should not be reached.
    pub fn obligation(&mut self, terms: &mut Terms, state: &State, reached: Term, what: What, place: Loc) {
        if terms.is_false(reached) || state.path.is_trial() {
            return;
        }
        if matches!(what, What::Violation(_) | What::Invalid(_)) {
            self.first_violation(terms, state, reached);
        }
        let after = self.last_node(state);
        let log = Some(self.here.log);
        self.out.obligations.push(Obligation { thread: self.here.thread, after, reached, what, place, log });
    }

    /// Control depends on where objects lie, if the condition holds; in a section that is refused, if there is
    /// this doubt.
    pub fn on_addresses_if(
        &mut self,
        terms: &mut Terms,
        state: &State,
        open: Term,
        (what, doubt): (What, Doubt),
        loc: Loc,
    ) {
        let place = self.site(loc);
        if let Some((node, section)) = state.path.section.and_then(|section| Some((section.node?, section)))
            && !terms.is_false(open)
            && !active("refusal-not-asked")
        {
            // The section may not be entered because of that, and what it would read then is not known: it counts
            // for whoever comes to it.
            let refused = terms.not(section.entered);
            let refused = terms.and(section.outside, refused);
            self.obligation(
                terms,
                state,
                refused,
                What::Refused { node, entered: section.entered, doubt },
                place,
            );
        }
        let reached = terms.and(state.guard, open);
        self.obligation(terms, state, reached, what, place);
    }

    /// If the path is inside a section, nobody goes on after it.
    pub fn left_open(&mut self, state: &State, guard: Term) {
        if active("open-section-is-left") || state.path.is_trial() {
            return;
        }
        if let Some(node) = state.path.section.and_then(|section| section.node) {
            self.out.ends.push(End { node, guard, returns: false });
        }
    }
}
