//! `shift`: a shift is undefined.

use crate::{Check, Property, Stands};

pub const PROPERTY: Property = Property {
    check: Check::Shift,
    id: "shift",
    group: None,
    default: false,
    svcomp: None,
    formula: "G ! shift",
    flag: None,
    stands: Stands::At,
    summary: "a shift is undefined",
    manual: "Violated when a shift count is negative or not less than the width of the promoted left \
             operand, and when a left shift of a signed value is negative or not representable. \
             Unchecked, the count is taken modulo the width.",
};
