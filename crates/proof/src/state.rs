//! The state of a thread at a point of a function: registers, the contents of memory that nobody else can change now, locks
//! held, threads alive.
//!
//! A state describes concrete states of an execution, seen by a thread that stands at this point in this instance of the
//! function. `docs/lockset.md` says what each part means; in short, every part is an over-approximation but for the locks that
//! are certainly held and what is known of memory, which hold for certain.

use crate::range::Range;
use crate::value::{ObjectId, ThreadId, Value};
use braid_base::define_ids;
use braid_ir::RegId;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

define_ids! {
    /// A function in a context.
    InstanceId "n";
}

/// The two kinds of contents that each byte of memory has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Space {
    /// Bytes that the program reads and writes.
    Data,
    /// The state of the synchronisation object that begins there: one of the numbers in [`life`].
    Sync,
}

/// The states of a synchronisation object, as numbers of [`Space::Sync`].
pub mod life {
    /// Memory that no call has initialised and that is not known to be zero.
    pub const RAW: i128 = 0;
    /// Bytes that are zero since the object began, or were made zero: initialised for the kinds that work as zero.
    pub const ZERO: i128 = 1;
    /// Initialised by a call, of the normal kind.
    pub const READY: i128 = 2;
    /// Initialised by a call with an attribute, of whatever kind.
    pub const READY_KIND: i128 = 3;
    pub const DESTROYED: i128 = 4;
}

/// A place of memory. It begins in one object, and has this many bytes; those of [`Space::Sync`] have 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Key {
    pub object: ObjectId,
    pub space: Space,
    pub offset: i64,
    pub bytes: u64,
}

/// The value of a place that no other thread can change at this point.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Known {
    pub value: Value,
    /// The cell of shared memory need not have the value yet: no other thread can look at it.
    pub dirty: bool,
}

/// The contents of an own object where `known` does not say better.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Own {
    pub data: Value,
    pub sync: Value,
}

/// What a lock is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum LockName {
    /// The atomic section.
    Section,
    /// The lock at a place of an object of which an execution has only one.
    Place(ObjectId, i64),
    /// The lock at the address that is in a register, plus a distance.
    Relative(RegId, i64),
}

/// The ways to hold a lock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Mode {
    Exclusive,
    Shared,
    /// The control of `pthread_once`, whose routine has ended. It is never released, and nobody waits for it.
    Passed,
}

/// A lock that is held, or may be.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Hold {
    /// Without a name it is one of `targets`, and never certain.
    pub name: Option<LockName>,
    pub mode: Mode,
    /// Where the lock is. Empty for the atomic section.
    pub targets: Vec<(ObjectId, Range)>,
    pub certain: bool,
}

/// An offset that may move along with a register: `register + offset`, or `offset` alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Bound {
    Const(i64),
    /// A register of the function in which the state stands.
    Register(RegId, i64),
    /// A register of a function that has called, as it was at the call.
    Outer(InstanceId, RegId, i64),
}

/// A register as a linear function of another one: `scale * base + offset`, exactly, as integers; for a pointer the offset in its
/// object. A base of `scale` 1 may be a pointer itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Form {
    pub base: RegId,
    pub scale: i64,
    pub offset: i64,
    /// The register is an address in this object, of which there is one now, and the base a number.
    pub object: Option<ObjectId>,
}

/// The threads of one kind that the running thread has started and not joined: there are exactly `hi - lo` of them, and for
/// every `lo <= k < hi` the place at `base + stride * k` of `array` holds the handle of another one of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Team {
    pub array: ObjectId,
    pub base: i64,
    pub stride: i64,
    pub lo: Bound,
    pub hi: Bound,
}

/// The arguments of the threads of one kind that the running thread has started and that may be alive: each is at most
/// `scale * register + offset`, or each points into `object` at such an offset.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Below {
    pub object: Option<ObjectId>,
    pub register: RegId,
    pub scale: i64,
    pub offset: i64,
}

/// The place that a register was loaded from and whose value it still is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Loaded {
    Place(Key),
    /// The place of `bytes` bytes in an object at the offset that the form gives.
    Element(ObjectId, Form, u64),
}

/// How often the running thread has waited at the barrier at a place of a single object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Passed {
    pub barrier: (ObjectId, i64),
    pub count: Range,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct State {
    /// A register without an entry has any number.
    pub registers: BTreeMap<RegId, Value>,
    pub forms: BTreeMap<RegId, Form>,
    pub loaded: BTreeMap<RegId, Loaded>,
    /// A lock with this name and mode is held certainly if the register is zero.
    pub tried: BTreeMap<RegId, (LockName, Mode)>,
    #[serde(with = "entries")]
    pub known: Arc<BTreeMap<Key, Known>>,
    /// Objects that the running thread made and nobody else knows of.
    pub own: BTreeMap<ObjectId, Own>,
    /// No thread was ever started, and cells of static variables need not have the initial values yet.
    pub pristine: bool,
    /// Ascending; at most one for each name and mode.
    pub holds: Vec<Hold>,
    /// Locks that may have been released since the function was entered.
    pub released: BTreeMap<ObjectId, Range>,
    /// Descendants of the running thread that may be alive.
    pub alive: BTreeSet<ThreadId>,
    /// Threads of which at most one that descends from the running thread may be alive: the latest that it has started itself.
    pub solo: BTreeSet<ThreadId>,
    /// Threads whose latest one is neither joined nor detached, nor will another thread do that.
    pub joinable: BTreeSet<ThreadId>,
    pub teams: BTreeMap<ThreadId, Team>,
    pub below: BTreeMap<ThreadId, Below>,
    /// Ascending; at most one for each barrier.
    pub passed: Vec<Passed>,
    /// Threads that may have been started, joined or detached since the function was entered.
    pub touched: BTreeSet<ThreadId>,
    /// Threads that the running thread may have started.
    pub started: BTreeSet<ThreadId>,
    /// Objects that may have ended. An own object of a frame is over whenever it is not in `own`.
    pub ended: BTreeSet<ObjectId>,
    /// Own objects that may have become shared ones since the function was entered.
    pub lost: BTreeSet<ObjectId>,
    /// Own blocks that may have ended since the function was entered.
    pub over: BTreeSet<ObjectId>,
}

/// Maps whose keys are structures are lists in JSON.
mod entries {
    use super::{Key, Known};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::collections::BTreeMap;
    use std::sync::Arc;

    pub fn serialize<S: Serializer>(map: &Arc<BTreeMap<Key, Known>>, to: S) -> Result<S::Ok, S::Error> {
        map.iter().collect::<Vec<_>>().serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<BTreeMap<Key, Known>>, D::Error> {
        Ok(Arc::new(Vec::<(Key, Known)>::deserialize(from)?.into_iter().collect()))
    }
}
