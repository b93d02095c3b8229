//! `division-by-zero`: integer division or remainder by zero.

use crate::{Check, Property};

pub const PROPERTY: Property = Property {
    check: Check::DivisionByZero,
    id: "division-by-zero",
    group: None,
    default: true,
    svcomp: None,
    summary: "integer division or remainder by zero",
    manual: "Violated when the right operand of `/` or `%` on integers is zero.",
};
