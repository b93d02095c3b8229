//! `invalid-free`: `free` of something that is not a live heap block's start.

use crate::{Check, Flag, Property, Stands};

pub const PROPERTY: Property = Property {
    check: Check::InvalidFree,
    id: "invalid-free",
    group: Some("memory"),
    default: true,
    svcomp: Some("valid-free"),
    formula: "G valid-free",
    flag: Some(Flag::Omits("no-pointer-check")),
    stands: Stands::At,
    summary: "`free` of something that is not a live heap block's start",
    manual: "Violated when `free` or `realloc` gets a pointer that is neither null nor the start of a \
             live heap block: freed before, inside a block, or not from the heap.",
};
