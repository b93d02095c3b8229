//! `lock-misuse`: a lock is used against its rules.

use crate::{Check, Property};

pub const PROPERTY: Property = Property {
    check: Check::LockMisuse,
    id: "lock-misuse",
    group: Some("misuse"),
    default: true,
    svcomp: None,
    summary: "a lock is used against its rules",
    manual: "Violated when a mutex is unlocked that its thread does not hold, when a non-recursive \
             mutex is locked again by its owner, and when a mutex is destroyed while it is held or when it has \
             been destroyed already.",
};
