//! Checks: conditions under which a path ends, or under which nothing is known of it.

use super::{Hazard, Step, World};
use crate::{State, Taint, Value};
use braid_base::faults::active;
use braid_ir::Loc;
use braid_logic::Term;
use braid_props::Check;

impl<W: World> Step<'_, W> {
    /// If the condition holds, the check is violated and the path ends; if it is not checked, the path
    /// ends all the same.
    pub fn check(&mut self, state: &mut State<W::Path>, check: Check, violated: Term, loc: Loc) {
        let reached = self.terms.and(state.guard, violated);
        if self.terms.is_false(reached) {
            return;
        }
        let hazard = if self.world.checks(check) { Hazard::Violation(check) } else { Hazard::Invalid(check) };
        self.world.oblige(self.terms, state, reached, hazard, loc);
        self.world.stop(state, reached);
        let not = self.terms.not(violated);
        state.guard = self.terms.and(state.guard, not);
    }

    /// The path meets something that cannot be followed, and ends.
    pub fn unsupported(&mut self, state: &mut State<W::Path>, what: &str, loc: Loc) {
        let hazard = Hazard::Unsupported(what.to_string());
        self.world.oblige(self.terms, state, state.guard, hazard, loc);
        self.world.stop(state, state.guard);
        state.guard = self.terms.bool(false);
    }

    /// The path goes on, but some of what the real program may do from here on is left out.
    pub(super) fn partial(&mut self, state: &State<W::Path>, what: &str, bound: bool, loc: Loc) {
        if active("omission-not-asked") {
            return;
        }
        let hazard = Hazard::Partial { what: what.to_string(), bound };
        self.world.oblige(self.terms, state, state.guard, hazard, loc);
    }

    /// Control depends on a value; it must not depend on where objects lie.
    pub fn depends(&mut self, state: &State<W::Path>, value: Value, loc: Loc) {
        let hazard = match value.taint {
            Taint::None => return,
            Taint::Loaded => Hazard::LoadedAddresses,
            Taint::Address | Taint::Mixed => Hazard::Addresses,
        };
        let always = self.terms.bool(true);
        self.on_addresses(state, always, hazard, loc);
    }

    /// Control depends on where objects lie, if the condition holds.
    pub fn on_addresses(&mut self, state: &State<W::Path>, open: Term, hazard: Hazard, loc: Loc) {
        self.world.on_addresses(self.terms, state, open, hazard, loc);
    }
}
