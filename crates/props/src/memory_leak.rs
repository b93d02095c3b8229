//! `memory-leak`: a heap block is lost.

use crate::{Check, Flag, Property, Stands};

pub const PROPERTY: Property = Property {
    check: Check::MemoryLeak,
    id: "memory-leak",
    group: None,
    default: false,
    svcomp: Some("valid-memtrack"),
    formula: "G valid-memtrack",
    flag: Some(Flag::Adds("memory-leak-check")),
    stands: Stands::At,
    summary: "a heap block is lost",
    manual: "Violated at the end of the program when a heap block was not freed and no pointer to it \
             can be reached from static objects, thread-local objects or the stack of a thread that is \
             still alive. An abnormal end (abort, a failed assertion) leaves nothing to free: blocks do not \
             count there.",
};
