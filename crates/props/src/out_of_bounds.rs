//! `out-of-bounds`: an access lies outside its object.

use crate::{Check, Flag, Property, Stands};

pub const PROPERTY: Property = Property {
    check: Check::OutOfBounds,
    id: "out-of-bounds",
    group: Some("memory"),
    default: true,
    svcomp: Some("valid-deref"),
    formula: "G valid-deref",
    flag: Some(Flag::Omits("no-bounds-check")),
    stands: Stands::At,
    summary: "an access lies outside its object",
    manual: "Violated when an access through a pointer into a live object touches a byte outside of it, \
             and when a read-only object (a string literal) is written. Inside an object, a subscript of an \
             array (a[i], s.a[i], p->a[i], each dimension of a[i][j]) must stay in that array, exactly where \
             gcc's -fsanitize=bounds reports it: &a[n] of an array of n elements is allowed, the last array of \
             a struct behind a pointer may be meant as a flexible one and is not judged by its length, and \
             pointers that were computed or stored (*(a + i), memcpy over members, container_of) are judged \
             by the whole object. With a property file (--prop) everything is, as SV-COMP has it.",
};
