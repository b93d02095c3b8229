//! `deadlock`: threads wait for each other for ever.

use crate::{Check, Flag, Property, Stands};

pub const PROPERTY: Property = Property {
    check: Check::Deadlock,
    id: "deadlock",
    group: None,
    default: true,
    svcomp: None,
    formula: "G ! deadlock",
    flag: Some(Flag::Adds("deadlock-check")),
    stands: Stands::Before,
    summary: "threads wait for each other for ever",
    manual: "Violated when every unfinished thread is blocked, when threads wait for each other's locks \
             or ends in a cycle (a relock included), when a thread waits for a lock whose owner has \
             finished, or when every unfinished thread is blocked or spins and at least one spins. A thread \
             spins if, run alone, whatever its own choices, it comes back to the same state of itself and of \
             memory, has changed no memory that others can reach (locks taken and given back do not count), \
             and has read memory on which the exit of its loop depends: a hand-written lock that is never \
             free, a flag that nobody sets. A loop without an exit is not spinning; its thread counts as \
             stopped by an assumption. Nor does a thread spin that waits for an object with a time limit, or \
             that looks at a variable which a signal handler may write.",
};
