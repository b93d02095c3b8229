//! `lock-misuse`: a lock is used against its rules.

use crate::{Check, Property, Stands};

pub const PROPERTY: Property = Property {
    check: Check::LockMisuse,
    id: "lock-misuse",
    group: Some("misuse"),
    default: true,
    svcomp: None,
    formula: "G ! lock-misuse",
    flag: None,
    stands: Stands::At,
    summary: "a lock or another synchronisation object is used against its rules",
    manual: "Violated when a mutex is unlocked that its thread does not hold; when a non-recursive mutex is locked \
             again by its owner; when a lock is destroyed or initialised while it is held; when a mutex, read-write \
             lock, spin lock, condition variable, semaphore or barrier is used after it was destroyed or without \
             having been initialised; when a condition variable, a barrier or a semaphore is destroyed or initialised \
             while a thread waits there that nobody has woken (a semaphore only in a program that destroys some); when threads wait at one condition variable with different \
             mutexes at the same time; and when memory comes to its end with a lock in it that a \
             thread holds (the return of main ends the program and says nothing about its frame). Initialised is \
             what an init call has touched, what lies in static storage and what a plain write has covered; for \
             barriers and spin locks only the init call counts.",
};
