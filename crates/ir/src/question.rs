//! The question that is asked about a program: the same for the interpreter and for every engine.

use crate::GlobalId;
use braid_props::CheckSet;

/// The properties that are checked, and the behaviour of the library and the machine that is assumed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Question {
    pub checks: CheckSet,
    pub race_model: RaceModel,
    /// Data races are reported on this static variable only.
    pub race_on: Option<GlobalId>,
    /// Objects lie at the addresses that the interpreter gives them, and the program may depend on that.
    pub fixed_addresses: bool,
    /// Memory allocation may fail.
    pub malloc_may_fail: bool,
    /// Library calls that ask for resources may fail.
    pub calls_may_fail: bool,
    /// Waits for condition variables may end for no reason.
    pub spurious_wakeups: bool,
    /// Random numbers are glibc's sequence; otherwise they are arbitrary.
    pub random_is_real: bool,
}

/// The accesses inside atomic sections that race.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RaceModel {
    /// An access inside a section races with a plain access outside.
    #[default]
    SvComp,
    /// Nothing races while a thread is inside a section.
    Circ,
}

impl Question {
    /// A question about these properties, with every other choice as it is by default.
    pub fn about(checks: CheckSet) -> Question {
        Question { checks, ..Question::default() }
    }

    /// The assumptions of library models that the question does not make.
    pub fn lifted(&self) -> Vec<&'static str> {
        let lifted = [
            (self.malloc_may_fail, "malloc succeeds"),
            (self.spurious_wakeups, "no spurious wake-ups"),
            (self.calls_may_fail, "library calls succeed"),
        ];
        lifted.iter().filter(|(lifts, _)| *lifts).map(|(_, name)| *name).collect()
    }

    /// Returns true if accesses inside atomic sections count for data races.
    pub fn races_in_sections(&self) -> bool {
        self.race_model == RaceModel::SvComp
    }
}
