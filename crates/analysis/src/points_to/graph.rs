//! Nodes, edges and the worklist.
//!
//! A node is a set of elements (object, offset): a register of an instance, a constant, a piece of
//! memory. Edges say that one set flows into another, copied, shifted or with offsets forgotten. Uses say
//! what to do as a set grows: accesses through it, calls, comparisons. Only what is new is propagated.
//! Sets hold at most a few offsets per object; then they hold all of it, which also ends cycles in which
//! a pointer advances.

use super::heap::Contents;
use super::{Pointers, PointsTo, SpawnEdge};
use crate::instances::{InstanceId, Instances};
use crate::objects::{Object, ObjectId, Objects, Offset, UNINIT, UNKNOWN};
use braid_base::{HashMap, HashSet, Idx, IndexVec, define_ids};
use braid_ir::{ConstId, InstrId, Program, Space};
use std::collections::{BTreeSet, VecDeque};

define_ids! {
    /// A set of elements.
    NodeId "v";
    /// An object with an offset.
    Element "e";
    /// A `copy` of an instance.
    CopyId "k";
    /// A call or spawn of an instance.
    LinkId "call";
}

/// Offsets of one object in one set before they become `Any`.
const OFFSETS: u8 = 16;

/// The farthest offset told apart, where the size of an object is not known.
const FARTHEST: u64 = 1 << 20;

/// How elements change along an edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Flow {
    Copy,
    Shift(i64),
    /// The offset is forgotten.
    Blur,
}

/// What happens with the elements of a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    Load {
        dst: NodeId,
        len: u64,
        space: Space,
    },
    Store {
        value: NodeId,
        len: u64,
        space: Space,
        flow: Flow,
    },
    /// `value` is spread over `len` bytes.
    Fill {
        value: NodeId,
        len: Option<u64>,
    },
    CopyFrom(CopyId),
    CopyTo(CopyId),
    Link(LinkId),
    /// Compared with the other set.
    Compare(NodeId),
}

#[derive(Clone, Debug, Default)]
struct Node {
    elements: Vec<Element>,
    /// How many of them went through all edges and uses.
    done: usize,
    edges: Vec<(NodeId, Flow)>,
    uses: Vec<Use>,
    waiting: bool,
    /// A register that holds pointers: an unknown number there may be any exposed address.
    pointer: bool,
    /// What is here as an integer may be guessed by others.
    exposes: bool,
}

/// A `copy`.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockCopy {
    pub src: NodeId,
    pub dst: NodeId,
    pub len: Option<u64>,
}

/// A call through a pointer, or a spawn.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub from: InstanceId,
    pub instr: InstrId,
    pub args: Vec<NodeId>,
    pub dst: Option<NodeId>,
    pub spawn: bool,
}

pub(super) struct Solver<'p> {
    pub program: &'p Program,
    pub objects: Objects,
    pub instances: Instances,
    pub registers: IndexVec<InstanceId, NodeId>,
    /// What an instance returns.
    pub returns: IndexVec<InstanceId, NodeId>,
    pub consts: HashMap<ConstId, NodeId>,
    pub heap: IndexVec<ObjectId, Contents>,
    pub copies: IndexVec<CopyId, BlockCopy>,
    pub links: IndexVec<LinkId, Link>,
    pub calls: BTreeSet<(InstanceId, InstrId, InstanceId)>,
    pub spawns: BTreeSet<SpawnEdge>,
    pub results: NodeId,
    /// An unknown number, as a set.
    pub unknown: NodeId,
    exposed: NodeId,
    sink: NodeId,
    /// Instances whose constraints are still to be made.
    pub fresh: VecDeque<InstanceId>,
    /// Objects whose initial contents are still to be entered.
    fresh_objects: VecDeque<ObjectId>,
    /// Registers of the function at work that are constant in it.
    pub folded: Vec<Option<u128>>,
    nodes: IndexVec<NodeId, Node>,
    elements: IndexVec<Element, (ObjectId, Offset)>,
    element_ids: HashMap<(ObjectId, Offset), Element>,
    members: HashSet<(NodeId, Element)>,
    edge_set: HashSet<(NodeId, NodeId, Flow)>,
    offsets: HashMap<(NodeId, ObjectId), u8>,
    worklist: VecDeque<NodeId>,
    compared: HashSet<(NodeId, NodeId)>,
    handles_compared: bool,
}

impl<'p> Solver<'p> {
    pub fn new(program: &'p Program) -> Solver<'p> {
        let mut solver = Solver {
            program,
            objects: Objects::default(),
            instances: Instances::new(program),
            registers: IndexVec::new(),
            returns: IndexVec::new(),
            consts: HashMap::default(),
            heap: IndexVec::new(),
            copies: IndexVec::new(),
            links: IndexVec::new(),
            calls: BTreeSet::new(),
            spawns: BTreeSet::new(),
            results: NodeId(0),
            unknown: NodeId(0),
            exposed: NodeId(0),
            sink: NodeId(0),
            fresh: VecDeque::new(),
            fresh_objects: VecDeque::new(),
            folded: Vec::new(),
            nodes: IndexVec::new(),
            elements: IndexVec::new(),
            element_ids: HashMap::default(),
            members: HashSet::default(),
            edge_set: HashSet::default(),
            offsets: HashMap::default(),
            worklist: VecDeque::new(),
            compared: HashSet::default(),
            handles_compared: false,
        };
        solver.results = solver.node();
        solver.exposed = solver.node();
        solver.sink = solver.node();
        solver.nodes[solver.sink].exposes = true;
        solver.unknown = solver.node();
        // Unknown and Uninit are there from the start.
        solver.add_contents();
        solver.add_contents();
        solver.add_unknown(solver.unknown);
        solver
    }

    pub fn solve(mut self) -> Pointers {
        if let Some(entry) = self.program.entry {
            self.enter(entry, None);
        }
        loop {
            if let Some(object) = self.fresh_objects.pop_front() {
                self.fill_first(object);
            } else if let Some(instance) = self.fresh.pop_front() {
                self.generate(instance);
            } else if let Some(node) = self.worklist.pop_front() {
                self.propagate(node);
            } else {
                break;
            }
        }
        self.into_result()
    }

    pub fn node(&mut self) -> NodeId {
        self.nodes.push(Node::default())
    }

    /// A register.
    pub fn register(&mut self, pointer: bool) -> NodeId {
        self.nodes.push(Node { pointer, exposes: !pointer, ..Node::default() })
    }

    pub fn object(&mut self, object: Object) -> ObjectId {
        let (id, new) = self.objects.intern(object);
        if new {
            self.add_contents();
            self.fresh_objects.push_back(id);
        }
        id
    }

    fn element(&mut self, object: ObjectId, offset: Offset) -> Element {
        let elements = &mut self.elements;
        *self.element_ids.entry((object, offset)).or_insert_with(|| elements.push((object, offset)))
    }

    pub fn add_unknown(&mut self, node: NodeId) {
        self.add(node, UNKNOWN, Offset::Any);
    }

    /// Puts an element into a set.
    pub fn add(&mut self, node: NodeId, object: ObjectId, offset: Offset) {
        let any = self.element(object, Offset::Any);
        if self.members.contains(&(node, any)) {
            return;
        }
        let mut element = any;
        if offset != Offset::Any {
            let exact = self.element(object, offset);
            if self.members.contains(&(node, exact)) {
                return;
            }
            let count = self.offsets.entry((node, object)).or_insert(0);
            if *count < OFFSETS {
                *count += 1;
                element = exact;
            }
        }
        self.members.insert((node, element));
        let entry = &mut self.nodes[node];
        entry.elements.push(element);
        if !entry.waiting {
            entry.waiting = true;
            self.worklist.push_back(node);
        }
        self.note_number(node, object);
    }

    /// Unknown numbers may be exposed addresses; addresses among integers become exposed.
    fn note_number(&mut self, node: NodeId, object: ObjectId) {
        let number = object == UNKNOWN || object == UNINIT;
        if number && self.nodes[node].pointer {
            self.edge(self.exposed, node, Flow::Copy);
        }
        if self.nodes[node].exposes && self.objects.list[object].is_memory() {
            self.add(self.exposed, object, Offset::Any);
        }
    }

    pub fn edge(&mut self, from: NodeId, to: NodeId, flow: Flow) {
        let idle = from == to && flow == Flow::Copy;
        if idle || !self.edge_set.insert((from, to, flow)) {
            return;
        }
        self.nodes[from].edges.push((to, flow));
        for index in 0..self.nodes[from].done {
            let element = self.nodes[from].elements[index];
            self.flow(element, to, flow);
        }
    }

    fn flow(&mut self, element: Element, to: NodeId, flow: Flow) {
        let (object, offset) = self.elements[element];
        let offset = match flow {
            Flow::Copy => offset,
            Flow::Shift(by) => self.shifted(object, offset, by),
            Flow::Blur => Offset::Any,
        };
        self.add(to, object, offset);
    }

    fn shifted(&self, object: ObjectId, offset: Offset, by: i64) -> Offset {
        let Offset::At(at) = offset else { return Offset::Any };
        let size = self.objects.list[object].size(self.program, &self.instances.list);
        let limit = size.unwrap_or(FARTHEST);
        match at.checked_add_signed(by) {
            Some(moved) if moved <= limit => Offset::At(moved),
            _ => Offset::Any,
        }
    }

    pub fn attach(&mut self, node: NodeId, what: Use) {
        self.nodes[node].uses.push(what);
        for index in 0..self.nodes[node].done {
            let element = self.nodes[node].elements[index];
            self.apply(node, element, what);
        }
    }

    fn propagate(&mut self, node: NodeId) {
        let entry = &mut self.nodes[node];
        entry.waiting = false;
        let from = entry.done;
        entry.done = entry.elements.len();
        for index in from..self.nodes[node].done {
            let element = self.nodes[node].elements[index];
            for edge in 0..self.nodes[node].edges.len() {
                let (to, flow) = self.nodes[node].edges[edge];
                self.flow(element, to, flow);
            }
            for position in 0..self.nodes[node].uses.len() {
                let what = self.nodes[node].uses[position];
                self.apply(node, element, what);
            }
        }
    }

    fn apply(&mut self, node: NodeId, element: Element, what: Use) {
        let (object, offset) = self.elements[element];
        match what {
            Use::Compare(other) => return self.compare(node, other, object),
            Use::Link(link) => return self.link_to(link, object),
            Use::Load { .. } | Use::Store { .. } | Use::Fill { .. } | Use::CopyFrom(_) | Use::CopyTo(_) => {}
        }
        if !self.objects.list[object].is_memory() {
            return;
        }
        match what {
            Use::Load { dst, len, space } => self.load(object, offset, len, space, dst),
            Use::Store { value, len, space, flow } => self.store(object, offset, len, space, value, flow),
            Use::Fill { value, len } => self.fill(object, offset, len, value),
            Use::CopyFrom(copy) => {
                let BlockCopy { dst, len, .. } = self.copies[copy];
                for target in self.current(dst) {
                    self.copy_block((object, offset), self.elements[target], len);
                }
            }
            Use::CopyTo(copy) => {
                let BlockCopy { src, len, .. } = self.copies[copy];
                for source in self.current(src) {
                    self.copy_block(self.elements[source], (object, offset), len);
                }
            }
            Use::Compare(_) | Use::Link(_) => {}
        }
    }

    /// The elements of a set so far.
    fn current(&self, node: NodeId) -> Vec<Element> {
        self.nodes[node].elements.clone()
    }

    /// A number that is compared with an address may be that address.
    fn compare(&mut self, node: NodeId, other: NodeId, object: ObjectId) {
        if (object == UNKNOWN || object == UNINIT) && self.compared.insert((node, other)) {
            self.edge(other, self.sink, Flow::Copy);
        }
        if object == UNINIT {
            self.handles_compared |= self.holds_handle(other);
        }
        if matches!(self.objects.list[object], Object::Handle(..)) {
            self.handles_compared |= self.holds_uninit(other);
        }
    }

    fn holds_handle(&self, node: NodeId) -> bool {
        let handle =
            |element: &Element| matches!(self.objects.list[self.elements[*element].0], Object::Handle(..));
        self.nodes[node].elements.iter().any(handle)
    }

    fn holds_uninit(&self, node: NodeId) -> bool {
        self.nodes[node].elements.iter().any(|element| self.elements[*element].0 == UNINIT)
    }

    fn into_result(self) -> Pointers {
        let sets = self.nodes.iter().map(|node| self.set(node)).collect();
        let contents = self.heap.iter().map(|contents| contents.everything()).collect();
        let mut by_function: HashMap<_, Vec<_>> = HashMap::default();
        for (id, instance) in self.instances.list.enumerated() {
            by_function.entry(instance.func).or_default().push(id);
        }
        Pointers {
            objects: self.objects,
            instances: self.instances.list,
            by_function,
            registers: self.registers,
            consts: self.consts,
            sets,
            contents,
            calls: self.calls,
            spawns: self.spawns,
            results: self.results,
            exposed: self.exposed,
            handles_compared: self.handles_compared,
            empty: PointsTo::default(),
        }
    }

    fn set(&self, node: &Node) -> PointsTo {
        let mut set = PointsTo::default();
        for &element in &node.elements {
            let (object, offset) = self.elements[element];
            match self.objects.list[object] {
                Object::Unknown => set.may_be_unknown = true,
                Object::Uninit => set.may_be_uninit = true,
                Object::Handle(..) => set.handles.push(object),
                Object::Function(_)
                | Object::Global(_)
                | Object::ThreadLocal(_)
                | Object::Local(..)
                | Object::Block(..) => set.targets.push((object, offset)),
            }
        }
        set.tidy();
        set
    }

    /// The node of a register.
    pub fn reg(&self, instance: InstanceId, reg: braid_ir::RegId) -> NodeId {
        NodeId::from_usize(self.registers[instance].index() + reg.index())
    }
}
