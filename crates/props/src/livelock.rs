//! `livelock`: threads go on for ever, and none of them gets anywhere.

use crate::{Check, Property, Stands};

pub const PROPERTY: Property = Property {
    check: Check::Livelock,
    id: "livelock",
    group: None,
    default: false,
    svcomp: None,
    formula: "G ! livelock",
    flag: None,
    stands: Stands::Before,
    summary: "threads undo each other's steps for ever",
    manual: "Violated when some states of an execution can be repeated for ever under a fair scheduler and no \
             thread makes progress in them: at least two threads take steps and memory changes; every other \
             unfinished thread is blocked in all of these states, so none is passed over that could go on; each \
             thread that takes steps stays inside a loop whose exit depends on something that the loop reads or \
             computes (one that goes round in a loop without an exit serves, and makes progress), and neither waits for an \
             object with a time limit nor reads a variable that a signal handler may write; and whatever is left open \
             (arbitrary values, time limits, weak compare-and-swap, wake-ups) leads back to these states with \
             every answer, since a choice that is made for ever has each outcome some time. Two threads that \
             each take one lock, fail to get the other's and give their own back are the typical case. States in which \
             every thread is blocked or spins are a deadlock. Only the exhaustive search decides livelock, \
             without partial-order reduction, so it has to be asked for by name and is not part of 'all'.",
};
