//! Where pointers may point: Andersen's inclusion-based analysis, field-sensitive by byte offset.
//!
//! Andersen, *Program Analysis and Specialization for the C Programming Language*, 1994, chapter 4;
//! offsets as in Pearce, Kelly and Hankin, *Efficient field-sensitive pointer analysis of C*, 2007. The
//! differences: integers carry addresses too, calls through pointers are resolved on the way, library
//! functions are told apart by the user's call ([`crate::instances`]).
//!
//! **Unknown numbers.** A number that is not derived from an address by copying (the result of
//! arithmetic, an input, memory never written) may still equal an address. Used as one it may reach the
//! *exposed* objects: those whose address became an integer or was compared with such a number. No other
//! address can be known to equal it (compare the provenance model PNVI-ae of the C memory object model).
//!
//! An over-approximation. Functions that nothing reaches have empty sets.
//!
//! Parts: `graph` (nodes, edges, the worklist), `heap` (contents of objects), `generate` (constraints of
//! instructions), `link` (calls and threads).

mod exposed;
mod generate;
mod graph;
mod heap;
mod link;
mod set;
#[cfg(test)]
mod tests;

use crate::instances::{Instance, InstanceId};
use crate::objects::{Object, ObjectId, Objects, Offset};
use braid_base::{HashMap, IndexVec};
use braid_ir::{ConstId, FuncId, InstrId, Operand, Program};
use graph::NodeId;
use std::collections::BTreeSet;

/// Where a value may point: an over-approximation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PointsTo {
    /// Ascending. If an object is there with `Any`, it is there only once.
    pub targets: Vec<(ObjectId, Offset)>,
    /// A pointer that may be an unknown number: it may also point anywhere in [`Pointers::exposed`].
    pub may_be_exposed: bool,
    /// The value may be a number that is not derived from an address.
    pub may_be_unknown: bool,
    /// The value may come from memory that was never written.
    pub may_be_uninit: bool,
    /// Threads whose handle the value may be.
    pub handles: Vec<ObjectId>,
}

impl PointsTo {
    /// The one place it certainly points to (or nowhere valid).
    pub fn single(&self) -> Option<(ObjectId, u64)> {
        match self.targets.as_slice() {
            [(object, Offset::At(offset))] if !self.may_be_unknown && !self.may_be_exposed => {
                Some((*object, *offset))
            }
            _ => None,
        }
    }
}

/// A thread started at a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct SpawnEdge {
    pub from: InstanceId,
    pub instr: InstrId,
    pub target: InstanceId,
}

/// The result of the analysis.
#[derive(Clone, Debug)]
pub struct Pointers {
    pub(crate) objects: Objects,
    pub(crate) instances: IndexVec<InstanceId, Instance>,
    by_function: HashMap<FuncId, Vec<InstanceId>>,
    /// First node of each instance's registers.
    registers: IndexVec<InstanceId, NodeId>,
    consts: HashMap<ConstId, NodeId>,
    sets: IndexVec<NodeId, PointsTo>,
    /// Everything stored in an object, with what its contents lead to.
    contents: IndexVec<ObjectId, Vec<NodeId>>,
    /// (caller, call) → callees, ascending.
    pub(crate) calls: BTreeSet<(InstanceId, InstrId, InstanceId)>,
    pub(crate) spawns: BTreeSet<SpawnEdge>,
    /// What threads leave to their joiners.
    results: NodeId,
    exposed: PointsTo,
    /// An uninitialised value may have been compared with a handle.
    pub(crate) handles_compared: bool,
    empty: PointsTo,
}

/// Solves the whole program, from its entry.
pub fn solve(program: &Program) -> Pointers {
    graph::Solver::new(program).solve()
}

impl Pointers {
    pub fn object(&self, id: ObjectId) -> Object {
        self.objects.list[id]
    }

    pub fn find(&self, object: Object) -> Option<ObjectId> {
        self.objects.find(object)
    }

    pub fn objects(&self) -> impl Iterator<Item = (ObjectId, Object)> + '_ {
        self.objects.list.enumerated().map(|(id, object)| (id, *object))
    }

    pub fn instances(&self) -> &IndexVec<InstanceId, Instance> {
        &self.instances
    }

    /// The instances of a function; none if it is never called.
    pub fn instances_of(&self, func: FuncId) -> &[InstanceId] {
        self.by_function.get(&func).map_or(&[], |list| list)
    }

    /// Where an operand of the function may point, in any of its instances; with what is exposed, if it
    /// may point there.
    pub fn points_to(&self, func: FuncId, operand: Operand) -> PointsTo {
        let mut all = PointsTo::default();
        for &instance in self.instances_of(func) {
            let set = self.in_instance(instance, operand);
            all.targets.extend(&set.targets);
            all.handles.extend(&set.handles);
            all.may_be_exposed |= set.may_be_exposed;
            all.may_be_unknown |= set.may_be_unknown;
            all.may_be_uninit |= set.may_be_uninit;
        }
        if all.may_be_exposed {
            all.targets.extend(&self.exposed.targets);
        }
        all.tidy();
        all
    }

    /// Where an operand may point in one instance of its function; what is exposed is not listed.
    pub fn in_instance(&self, instance: InstanceId, operand: Operand) -> &PointsTo {
        let node = match operand {
            Operand::Reg(reg) => Some(NodeId(self.registers[instance].0 + reg.0)),
            Operand::Const(id) => self.consts.get(&id).copied(),
        };
        node.map_or(&self.empty, |node| self.set(node))
    }

    fn set(&self, node: NodeId) -> &PointsTo {
        &self.sets[node]
    }

    /// Whether accesses through two pointers from [`Pointers::points_to`] may touch common bytes.
    pub fn may_alias(&self, a: &PointsTo, a_len: u64, b: &PointsTo, b_len: u64) -> bool {
        a.targets.iter().any(|(object, at)| {
            let first = b.targets.partition_point(|(other, _)| other < object);
            let same = b.targets[first..].iter().take_while(|(other, _)| other == object);
            same.into_iter().any(|(_, other)| overlap(*at, Some(a_len), *other, Some(b_len)))
        })
    }

    /// The objects that the contents of an object may point to.
    pub fn contents(&self, object: ObjectId) -> impl Iterator<Item = ObjectId> + '_ {
        let nodes = self.contents[object].iter();
        nodes.flat_map(|node| self.set(*node).targets.iter().map(|(object, _)| *object))
    }

    /// What threads leave to their joiners.
    pub fn results(&self) -> &PointsTo {
        self.set(self.results)
    }

    /// What an arbitrary number may point to.
    pub fn exposed(&self) -> &PointsTo {
        &self.exposed
    }

    /// The instances a call may enter.
    pub fn callees(&self, caller: InstanceId, call: InstrId) -> impl Iterator<Item = InstanceId> + '_ {
        let range = (caller, call, InstanceId(0))..=(caller, call, InstanceId(u32::MAX));
        self.calls.range(range).map(|(_, _, callee)| *callee)
    }

    /// The instances a `spawn` may start.
    pub fn spawned(&self, from: InstanceId, instr: InstrId) -> impl Iterator<Item = InstanceId> + '_ {
        let edge = |target| SpawnEdge { from, instr, target };
        self.spawns.range(edge(InstanceId(0))..=edge(InstanceId(u32::MAX))).map(|edge| edge.target)
    }
}

impl PointsTo {
    /// Sorts, and drops what `Any` covers.
    fn tidy(&mut self) {
        self.targets.sort();
        self.targets.dedup();
        self.handles.sort();
        self.handles.dedup();
        let any: Vec<ObjectId> =
            self.targets.iter().filter(|(_, at)| *at == Offset::Any).map(|(object, _)| *object).collect();
        if !any.is_empty() {
            self.targets.retain(|(object, at)| *at == Offset::Any || any.binary_search(object).is_err());
        }
    }
}

/// Whether two ranges of one object may have a byte in common; a length of `None` is any.
pub(crate) fn overlap(a: Offset, a_len: Option<u64>, b: Offset, b_len: Option<u64>) -> bool {
    let (Offset::At(a), Offset::At(b)) = (a, b) else { return true };
    let before =
        |start: u64, len: Option<u64>, other: u64| len.is_none_or(|len| other < start.saturating_add(len));
    before(a, a_len, b) && before(b, b_len, a)
}
