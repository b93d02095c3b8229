//! `signed-overflow`: signed arithmetic leaves its type's range.

use crate::{Check, Flag, Property, Stands};

pub const PROPERTY: Property = Property {
    check: Check::SignedOverflow,
    id: "signed-overflow",
    group: None,
    default: false,
    svcomp: Some("no-overflow"),
    formula: "G ! overflow",
    flag: Some(Flag::Adds("overflow-check")),
    stands: Stands::At,
    summary: "signed arithmetic leaves its type's range",
    manual: "Violated when `+`, `-`, `*`, `/`, `%`, unary `-`, `++` or `--` on a signed type has a \
             result the type cannot represent. Unchecked, the result wraps.",
};
