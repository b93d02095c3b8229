//! Gaps: reachable obligations other than violations, each of which forbids a proof.
//!
//! The most common one is a failed unwinding assertion (Clarke, Kroening, Lerda, TACAS 2004).

use braid_bounded::What;
use braid_ir::Loc;
use braid_props::Check;

/// A reason why the absence of violations within the bounds is not a proof; the place can be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Gap {
    /// The loop goes on after `bound` iterations.
    Loop { function: String, place: Loc, bound: u32 },
    /// The function calls itself again at depth `bound`.
    Recursion { function: String, place: Loc, bound: u32 },
    /// More than `bound` threads are started.
    Threads { place: Loc, bound: u32 },
    /// An operation that is not supported.
    Unsupported { what: String, place: Loc },
    /// From here on the model of a library function under-approximates the C program.
    Partial { what: String, bound: bool, place: Loc },
    /// An access that is invalid but not checked; nothing is known of what follows.
    Invalid { check: Check, place: Loc },
    /// Control depends on the addresses of objects.
    Addresses { place: Loc },
    /// A heap block may be left at the end of the program, and may be leaked.
    MayBeLost { place: Loc },
}

impl Gap {
    /// Returns true if larger bounds may close the gap.
    pub fn is_bound(&self) -> bool {
        match self {
            Gap::Loop { .. } | Gap::Recursion { .. } | Gap::Threads { .. } => true,
            Gap::Unsupported { .. }
            | Gap::Partial { .. }
            | Gap::Invalid { .. }
            | Gap::Addresses { .. }
            | Gap::MayBeLost { .. } => false,
        }
    }
}

/// Returns true for obligations that say that control depends on the addresses of objects.
pub fn is_address(what: &What) -> bool {
    match what {
        What::Addresses
        | What::LoadedAddresses
        | What::TornPointers
        | What::OutOfObject
        | What::Refused { .. }
        | What::ThreadIds { .. } => true,
        What::Violation(_)
        | What::Loop { .. }
        | What::Recursion { .. }
        | What::Threads { .. }
        | What::Unsupported(_)
        | What::Partial { .. }
        | What::Invalid(_)
        | What::MayBeLost => false,
    }
}

/// Returns true for obligations that larger bounds may discharge.
pub fn is_bound(what: &What) -> bool {
    match what {
        What::Loop { .. } | What::Recursion { .. } | What::Threads { .. } => true,
        What::Violation(_)
        | What::Unsupported(_)
        | What::Partial { .. }
        | What::Invalid(_)
        | What::MayBeLost
        | What::Addresses
        | What::ThreadIds { .. }
        | What::LoadedAddresses
        | What::TornPointers
        | What::OutOfObject
        | What::Refused { .. } => false,
    }
}
