//! `deadlock`: threads wait for each other for ever.

use crate::{Check, Property};

pub const PROPERTY: Property = Property {
    check: Check::Deadlock,
    id: "deadlock",
    group: None,
    default: true,
    svcomp: None,
    summary: "threads wait for each other for ever",
    manual: "Violated when every unfinished thread is blocked, when threads wait for each other's locks \
             or ends in a cycle (a relock included), or when a thread waits for a lock whose owner has \
             finished.",
};
