//! `thread-misuse`: a thread's handle is used against its rules.

use crate::{Check, Property, Stands};

pub const PROPERTY: Property = Property {
    check: Check::ThreadMisuse,
    id: "thread-misuse",
    group: Some("misuse"),
    default: true,
    svcomp: None,
    formula: "G ! thread-misuse",
    flag: None,
    stands: Stands::At,
    summary: "a thread is joined, detached, cancelled or sent a signal against the rules",
    manual: "Violated when a thread is joined or detached that has been joined or detached before, when a thread \
             is joined while another one waits to join it, when a thread joins itself, when a thread is cancelled or \
             sent a signal after it has been joined or, once detached, has ended, and when one of these calls is given \
             a value that is no thread's handle.",
};
