//! Sets of values of registers and memory: numbers as a strided interval, addresses as objects with offsets, and handles of
//! threads.
//!
//! A *number* is a value that no address was copied into: null is the number 0. An access through a pointer that may be a
//! number cannot be shown to be valid, so nothing is ever concluded from a number that happens to equal an address.

use crate::range::Range;
use braid_base::define_ids;
use serde::{Deserialize, Serialize};

define_ids! {
    /// An abstract object: one or several objects of an execution.
    ObjectId "o";
    /// An abstract thread: all threads that one place of the program starts.
    ThreadId "t";
}

/// A set of values. Lists are ascending and have no key twice.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Value {
    /// Numbers, in the normal form of the width that the context has.
    pub numbers: Option<Range>,
    /// Addresses: objects with byte offsets.
    pub targets: Vec<(ObjectId, Range)>,
    /// Handles of threads; the flag tells the handle of the latest thread that was started there from older ones.
    pub handles: Vec<(ThreadId, Latest)>,
}

/// Whether a handle is that of the latest thread which the running thread started at a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Latest {
    Yes,
    Unknown,
}

impl Value {
    /// No value at all.
    pub const NONE: Value = Value { numbers: None, targets: Vec::new(), handles: Vec::new() };

    pub fn number(range: Range) -> Value {
        Value { numbers: Some(range), ..Value::NONE }
    }

    /// Any number of a width.
    pub fn any(width: u8) -> Value {
        Value::number(Range::full(width))
    }

    pub fn null() -> Value {
        Value::number(Range::point(0))
    }

    pub fn address(object: ObjectId, offset: i64) -> Value {
        Value { targets: vec![(object, Range::point(offset.into()))], ..Value::NONE }
    }

    pub fn handle(thread: ThreadId, latest: Latest) -> Value {
        Value { handles: vec![(thread, latest)], ..Value::NONE }
    }

    pub fn is_none(&self) -> bool {
        self.numbers.is_none() && self.targets.is_empty() && self.handles.is_empty()
    }

    /// The numbers, if the value is nothing else.
    pub fn only_numbers(&self) -> Option<Range> {
        self.numbers.filter(|_| self.targets.is_empty() && self.handles.is_empty())
    }

    /// The number, if it is one.
    pub fn constant(&self) -> Option<i128> {
        self.only_numbers().filter(|range| range.lo() == range.hi()).map(|range| range.lo())
    }

    /// Returns true if the value may be a number other than 0.
    pub fn may_be_other_number(&self) -> bool {
        self.numbers.is_some_and(|range| range != Range::point(0))
    }

    pub fn includes(&self, other: &Value) -> bool {
        let numbers = match (self.numbers, other.numbers) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(own), Some(other)) => own.includes(other),
        };
        let offsets = |object: ObjectId| {
            let at = self.targets.binary_search_by_key(&object, |(object, _)| *object);
            at.ok().map(|at| self.targets[at].1)
        };
        numbers
            && other
                .targets
                .iter()
                .all(|(object, range)| offsets(*object).is_some_and(|own| own.includes(*range)))
            && other.handles.iter().all(|handle| self.handles.binary_search(handle).is_ok())
    }

    /// Adds the values of another set. Returns true if there are new ones.
    pub fn join(&mut self, other: &Value) -> bool {
        if self.includes(other) {
            return false;
        }
        self.numbers = match (self.numbers, other.numbers) {
            (Some(a), Some(b)) => Some(a.join(b)),
            (one, None) | (None, one) => one,
        };
        for (object, range) in &other.targets {
            self.add_target(*object, *range);
        }
        for handle in &other.handles {
            if let Err(at) = self.handles.binary_search(handle) {
                self.handles.insert(at, *handle);
            }
        }
        true
    }

    pub fn add_target(&mut self, object: ObjectId, range: Range) {
        match self.targets.binary_search_by_key(&object, |(object, _)| *object) {
            Ok(at) => self.targets[at].1 = self.targets[at].1.join(range),
            Err(at) => self.targets.insert(at, (object, range)),
        }
    }

    /// Adds the values of another set so that a chain of such steps is finite.
    pub fn widen(&mut self, other: &Value, width: u8) -> bool {
        let old = self.clone();
        if !self.join(other) {
            return false;
        }
        if let (Some(before), Some(now)) = (old.numbers, self.numbers) {
            self.numbers = Some(before.widen(now, width));
        }
        for (object, before) in &old.targets {
            if let Ok(at) = self.targets.binary_search_by_key(object, |(object, _)| *object) {
                self.targets[at].1 = before.widen(self.targets[at].1, 64);
            }
        }
        *self != old
    }

    /// The value with every object replaced by another.
    pub fn rename(&mut self, from: ObjectId, to: ObjectId) -> bool {
        match self.targets.binary_search_by_key(&from, |(object, _)| *object) {
            Ok(at) => {
                let (_, range) = self.targets.remove(at);
                self.add_target(to, range);
                true
            }
            Err(_) => false,
        }
    }

    /// Makes handles of a thread stand for older threads, too.
    pub fn forget_latest(&mut self, thread: ThreadId) -> bool {
        match self.handles.binary_search(&(thread, Latest::Yes)) {
            Ok(at) => {
                self.handles.remove(at);
                self.join(&Value::handle(thread, Latest::Unknown));
                true
            }
            Err(_) => false,
        }
    }
}
