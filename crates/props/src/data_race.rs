//! `data-race`: two threads access the same bytes at once, one writing, not both atomically.

use crate::{Check, Flag, Property, Stands};

pub const PROPERTY: Property = Property {
    check: Check::DataRace,
    id: "data-race",
    group: None,
    default: true,
    svcomp: Some("no-data-race"),
    formula: "G ! data-race",
    flag: Some(Flag::Adds("data-races-check")),
    stands: Stands::Before,
    summary: "two threads access the same bytes at once, one writing, not both atomically",
    manual: "Violated in a state in which two threads are each about to access common bytes, at least \
             one of them to write (`free` writes), and not both by atomic operations. `volatile` \
             accesses are plain ones.",
};
