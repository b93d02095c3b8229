//! `use-after-free`: memory is accessed after its life ended.

use crate::{Check, Flag, Property, Stands};

pub const PROPERTY: Property = Property {
    check: Check::UseAfterFree,
    id: "use-after-free",
    group: Some("memory"),
    default: true,
    svcomp: Some("valid-deref"),
    formula: "G valid-deref",
    flag: Some(Flag::Omits("no-pointer-check")),
    stands: Stands::At,
    summary: "memory is accessed after its life ended",
    manual: "Violated when a heap block is accessed after `free`, or a local variable after its block \
             or function has been left.",
};
