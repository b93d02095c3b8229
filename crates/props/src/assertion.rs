//! `assertion`: an assertion fails or an error call is reached.

use crate::{Check, Property, Stands};

pub const PROPERTY: Property = Property {
    check: Check::Assertion,
    id: "assertion",
    group: None,
    default: true,
    svcomp: Some("unreach-call"),
    formula: "G assert",
    flag: None,
    stands: Stands::At,
    summary: "an assertion fails or an error call is reached",
    manual: "Violated when the condition of `assert` is false, when `__assert_fail` is called, or when \
             a function that marks an error by its name, such as `reach_error`, is called.",
};
