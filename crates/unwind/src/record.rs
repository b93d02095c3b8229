//! What is written down on the way: executions of instructions, choices, obligations.

use crate::exec::Unwinder;
use crate::state::{State, plain};
use braid_base::faults::active;
use braid_bounded::*;
use braid_ir::{InstrId, Loc, Ty};
use braid_logic::{Sort, Term};
use braid_props::Check;
use braid_symex::Value;

impl Unwinder<'_> {
    /// The innermost place outside of library models.
    pub fn site(&self, own: Loc) -> Loc {
        self.stack.last().and_then(|frame| frame.site).unwrap_or(own)
    }

    /// Writes down that the instruction is executed.
    pub fn note(&mut self, state: &State, instr: InstrId, loc: Loc) {
        let func = self.stack.last().expect("an instruction is in a function").func;
        let loc = self.site(loc);
        // A trial executes nothing.
        let guard = if self.is_trial(state) { self.terms.bool(false) } else { state.guard };
        let log = &mut self.out.threads[self.thread].log;
        log.push(LogEntry { func, instr, loc, guard });
        self.log = LogRef { thread: self.thread, index: log.len() as u32 - 1 };
    }

    /// A value that the program leaves open, at the instruction noted last.
    pub fn choice(&mut self, of: ChoiceOf, ty: Ty) -> Value {
        let width = ty.bits(self.program.pointer_bytes);
        if let Some(answer) = self.round_answer(of, width) {
            return plain(answer);
        }
        let value = self.terms.fresh("c", Sort::bits(width));
        self.out.choices.push(Choice { log: self.log, of, value });
        plain(value)
    }

    /// Something that somebody wants to know of, but for trials, which are no part of an execution.
    pub fn mark(&mut self, state: &State, of: MarkOf) {
        if !self.terms.is_false(state.guard) && !self.is_trial(state) {
            self.out.marks.push(Mark { of, guard: state.guard });
        }
    }

    /// Something that should not be reached.
    pub fn obligation(&mut self, state: &State, reached: Term, what: What, place: Loc) {
        if self.terms.is_false(reached) || self.is_trial(state) {
            return;
        }
        let after = match state.section {
            Some(section) => section.node,
            None => self.out.threads[self.thread].nodes.last().copied(),
        };
        let after = after.or(self.out.threads[self.thread].parent);
        let log = Some(self.log);
        self.out.obligations.push(Obligation { thread: self.thread, after, reached, what, place, log });
    }

    /// If the condition holds, the check is violated and the path ends; if it is not checked, the path
    /// ends all the same.
    pub fn check(&mut self, state: &mut State, check: Check, violated: Term, loc: Loc) {
        let reached = self.terms.and(state.guard, violated);
        if self.terms.is_false(reached) {
            return;
        }
        let what =
            if self.options.checks.contains(check) { What::Violation(check) } else { What::Invalid(check) };
        let place = self.site(loc);
        self.obligation(state, reached, what, place);
        self.left_open(&State { guard: reached, ..state.clone() });
        let not = self.terms.not(violated);
        state.guard = self.terms.and(state.guard, not);
    }

    /// The path meets something that cannot be followed, and ends.
    pub fn unsupported(&mut self, state: &mut State, what: &str, loc: Loc) {
        let place = self.site(loc);
        self.obligation(state, state.guard, What::Unsupported(what.to_string()), place);
        self.left_open(state);
        state.guard = self.terms.bool(false);
    }

    /// The path goes on, but some of what the real program may do from here on is left out.
    pub fn partial(&mut self, state: &State, what: &str, bound: bool, loc: Loc) {
        let place = self.site(loc);
        if active("omission-not-asked") {
            return;
        }
        self.obligation(state, state.guard, What::Partial { what: what.to_string(), bound }, place);
    }

    /// Control depends on a value; it must not depend on where objects lie.
    pub fn depends(&mut self, state: &State, value: Value, loc: Loc) {
        let what = match value.taint {
            braid_symex::Taint::None => return,
            braid_symex::Taint::Loaded => What::LoadedAddresses,
            braid_symex::Taint::Address | braid_symex::Taint::Mixed => What::Addresses,
        };
        let always = self.terms.bool(true);
        self.on_addresses(state, always, what, loc);
    }

    /// What happens depends on where objects lie, if the condition holds.
    pub fn on_addresses(&mut self, state: &State, open: Term, what: What, loc: Loc) {
        let doubt = match what {
            What::LoadedAddresses => Doubt::Loaded,
            What::ThreadIds { .. } => Doubt::Ids,
            What::Violation(_)
            | What::Loop { .. }
            | What::Recursion { .. }
            | What::Threads { .. }
            | What::Unsupported(_)
            | What::Partial { .. }
            | What::Invalid(_)
            | What::MayBeLost
            | What::Addresses
            | What::TornPointers
            | What::OutOfObject
            | What::Refused { .. } => Doubt::Always,
        };
        self.on_addresses_if(state, open, what, doubt, loc);
    }

    /// The same; of a section that is refused, if there is this doubt.
    pub fn on_addresses_if(&mut self, state: &State, open: Term, what: What, doubt: Doubt, loc: Loc) {
        let place = self.site(loc);
        if let Some((node, section)) = state.section.and_then(|section| Some((section.node?, section)))
            && !self.terms.is_false(open)
            && !active("refusal-not-asked")
        {
            // The section may not be entered because of that, and what it would read then is not known: it counts
            // for whoever comes to it.
            let refused = self.terms.not(section.entered);
            let refused = self.terms.and(section.outside, refused);
            self.obligation(state, refused, What::Refused { node, entered: section.entered, doubt }, place);
        }
        let reached = self.terms.and(state.guard, open);
        self.obligation(state, reached, what, place);
    }

    /// If the path is inside a section, nobody goes on after it.
    pub fn left_open(&mut self, state: &State) {
        if active("open-section-is-left") || self.is_trial(state) {
            return;
        }
        if let Some(node) = state.section.and_then(|section| section.node) {
            self.out.ends.push(End { node, guard: state.guard, returns: false });
        }
    }
}
