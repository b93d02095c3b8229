//! `out-of-bounds`: an access lies outside its object.

use crate::{Check, Property};

pub const PROPERTY: Property = Property {
    check: Check::OutOfBounds,
    id: "out-of-bounds",
    group: Some("memory"),
    default: true,
    svcomp: Some("valid-deref"),
    summary: "an access lies outside its object",
    manual: "Violated when an access through a pointer into a live object touches a byte outside of it, \
             and when a read-only object (a string literal) is written.",
};
