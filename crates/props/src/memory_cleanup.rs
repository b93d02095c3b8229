//! `memory-cleanup`: a heap block is not freed at exit.

use crate::{Check, Property};

pub const PROPERTY: Property = Property {
    check: Check::MemoryCleanup,
    id: "memory-cleanup",
    group: None,
    default: false,
    svcomp: Some("valid-memcleanup"),
    summary: "a heap block is not freed at exit",
    manual: "Violated at the end of the program when any heap block was not freed, reachable or not. \
             An abnormal end (abort, a failed assertion) does not count.",
};
