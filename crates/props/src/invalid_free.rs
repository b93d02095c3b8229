//! `invalid-free`: `free` of something that is not a live heap block's start.

use crate::{Check, Property};

pub const PROPERTY: Property = Property {
    check: Check::InvalidFree,
    id: "invalid-free",
    group: Some("memory"),
    default: true,
    svcomp: Some("valid-free"),
    summary: "`free` of something that is not a live heap block's start",
    manual: "Violated when `free` or `realloc` gets a pointer that is neither null nor the start of a \
             live heap block: freed before, inside a block, or not from the heap.",
};
