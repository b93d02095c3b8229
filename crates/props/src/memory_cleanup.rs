//! `memory-cleanup`: a heap block is not freed at exit.

use crate::{Check, Property, Stands};

pub const PROPERTY: Property = Property {
    check: Check::MemoryCleanup,
    id: "memory-cleanup",
    group: None,
    default: false,
    svcomp: Some("valid-memcleanup"),
    formula: "G valid-memcleanup",
    flag: None,
    stands: Stands::At,
    summary: "a heap block is not freed at exit",
    manual: "Violated at the end of the program when any heap block was not freed, reachable or not. \
             An abnormal end (abort, a failed assertion) does not count.",
};
