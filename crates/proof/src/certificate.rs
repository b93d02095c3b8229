//! A proof as data: invariants for every point of every function, and what the program's memory, threads and calls are in
//! terms of them.
//!
//! Nothing here is believed. [`crate::check`] derives every step from the program again.

use crate::range::Range;
use crate::state::{InstanceId, Mode, Passed, Space, State};
use crate::value::{ObjectId, ThreadId, Value};
use braid_base::IndexVec;
use braid_ir::{BlockId, FuncId, InstrId, LocalId, RegId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The version of the format.
pub const VERSION: u32 = 1;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Certificate {
    pub version: u32,
    /// Objects that are neither static variables nor functions, which have the numbers before: in pairs, the own object of a
    /// place and then the shared ones.
    pub objects: Vec<Object>,
    pub instances: IndexVec<InstanceId, Instance>,
    /// The instances that calls enter, ascending.
    pub calls: Vec<(InstanceId, InstrId, FuncId, InstanceId)>,
    /// The threads that calls start, ascending.
    pub starts: Vec<(InstanceId, InstrId, FuncId, ThreadId)>,
    /// The first one begins in the entry of the program.
    pub threads: IndexVec<ThreadId, Thread>,
    /// Shared memory, by object.
    pub memory: IndexVec<ObjectId, Vec<Cell>>,
}

/// The place of the program that makes an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Place {
    Local(InstanceId, LocalId),
    Block(InstanceId, InstrId),
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Object {
    pub place: Place,
    /// It is the latest one of its place, known to the running thread alone.
    pub own: bool,
    /// Bytes of the objects that it stands for.
    pub size: Option<Range>,
    /// It stands for at most one object of an execution.
    pub single: bool,
}

/// A function in a context.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Instance {
    pub function: FuncId,
    /// The threads that execute it.
    pub threads: BTreeSet<ThreadId>,
    /// The state in which it is entered.
    pub entry: State,
    /// The states at the beginnings of the blocks: whoever gets there is in one of them.
    pub blocks: IndexVec<BlockId, Vec<State>>,
    /// The state in which it is left, if it is, with the value that it returns.
    pub exit: Option<(State, Value)>,
}

/// All threads that one place starts.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Thread {
    /// The instance in which it begins.
    pub root: InstanceId,
    /// At most one thread of an execution is this one.
    pub single: bool,
    /// Threads that descend from it.
    pub descendants: BTreeSet<ThreadId>,
    /// Threads that may be alive at the same time, apart from its ancestors and descendants; itself, if two of them may be.
    pub overlap: BTreeSet<ThreadId>,
    /// At most so many threads of an execution are this one, if that is known.
    pub most: Option<u64>,
    /// Descendants that may be alive at its end.
    pub left: BTreeSet<ThreadId>,
    /// The register that holds its argument has values that differ by at least this between any two of them that are alive at the
    /// same time.
    pub apart: Option<(RegId, i64)>,
}

/// Places of one size at regular distances in shared objects of one kind, with all that can be found there.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Cell {
    pub space: Space,
    /// Offsets of its places.
    pub at: Range,
    pub bytes: u64,
    /// It was accessed in different ways: any number may be read from it.
    pub mixed: bool,
    pub value: Value,
    pub accesses: Vec<Access>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Kind {
    Read,
    Write,
    /// The end of the object's life.
    End,
}

/// An access of a cell, with what holds whenever it is executed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Access {
    pub instance: InstanceId,
    pub instr: InstrId,
    pub kind: Kind,
    pub atomic: bool,
    /// Descendants of the thread that may be alive.
    pub alive: BTreeSet<ThreadId>,
    /// Locks that are certainly held.
    pub held: BTreeSet<(Held, Mode)>,
    /// Barriers that the thread has waited at.
    pub passed: Vec<Passed>,
    /// The address, if it is a linear function of the thread's argument: scale and offset.
    pub own: Option<(i64, i64)>,
}

/// A lock that is held at an access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Held {
    Section,
    Place(ObjectId, i64),
    /// The lock at this distance from the address of the access.
    Distance(i64),
}
