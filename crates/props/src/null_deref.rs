//! `null-deref`: a null pointer is dereferenced.

use crate::{Check, Flag, Property, Stands};

pub const PROPERTY: Property = Property {
    check: Check::NullDeref,
    id: "null-deref",
    group: Some("memory"),
    default: true,
    svcomp: Some("valid-deref"),
    formula: "G valid-deref",
    flag: Some(Flag::Omits("no-pointer-check")),
    stands: Stands::At,
    summary: "a null pointer is dereferenced",
    manual: "Violated when memory is read or written through a null pointer, or through an integer that \
             is no address of an object; also when a null or wild function pointer is called.",
};
