//! The part of a path that only an unwinding knows: its atomic section, and whether there are other threads.

use braid_bounded::NodeId;
use braid_logic::Term;

/// One path of a thread, or several that have met.
pub(crate) type State = braid_symex::State<Path>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Path {
    pub section: Option<Section>,
    /// A thread has been started, here or on another path.
    pub multi: bool,
}

impl Path {
    /// Returns true if the path is only tried, at the probe.
    pub fn is_trial(&self) -> bool {
        self.section.is_some_and(|section| section.trial)
    }
}

/// A path as it would be outside of its section.
pub(crate) fn outside(state: &State) -> State {
    State { path: Path { section: None, ..state.path }, ..state.clone() }
}

/// The atomic section a path is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Section {
    /// None before the first start of a thread.
    pub node: Option<NodeId>,
    pub depth: u32,
    /// Bool: the path has come to the section.
    pub outside: Term,
    /// Bool: the section is entered.
    pub entered: Term,
    /// Only tried, at the probe.
    pub trial: bool,
    /// A trial has shown where it would wait.
    pub tried: bool,
    /// Calls that were open when it began.
    pub began: usize,
}

/// A section that a path has come to while there were other threads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub node: NodeId,
    /// Bool: the path has come to it; and it is entered.
    pub outside: Term,
    pub entered: Term,
    /// Something in it may have to wait.
    pub may_refuse: bool,
}
