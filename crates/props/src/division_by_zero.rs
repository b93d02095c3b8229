//! `division-by-zero`: integer division or remainder by zero.

use crate::{Check, Flag, Property, Stands};

pub const PROPERTY: Property = Property {
    check: Check::DivisionByZero,
    id: "division-by-zero",
    group: None,
    default: true,
    svcomp: None,
    formula: "G ! division-by-zero",
    flag: Some(Flag::Omits("no-div-by-zero-check")),
    stands: Stands::At,
    summary: "integer division or remainder by zero",
    manual: "Violated when the right operand of `/` or `%` on integers is zero.",
};
