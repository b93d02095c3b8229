//! Nodes, edges and the worklist.
//!
//! A node is a set of elements (object, offset): a register of an instance, a constant, a piece of
//! memory. Edges say that one set flows into another, copied, shifted or with offsets forgotten. Uses say
//! what to do as a set grows: accesses through it, calls, comparisons. Only what is new is propagated.
//! A set that grows beyond a limit becomes an unknown number, and what it held is exposed: so the work is
//! linear in the accesses of the program.
//!
//! What an unknown number may reach is not in the sets: a pointer that holds such a number means every
//! exposed object (see `exposed`).

use super::exposed::Exposed;
use super::heap::Contents;
use super::set::Set;
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

/// Elements of a set before it becomes an unknown number.
const CAP: usize = 48;

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
    /// `len` bytes become zero.
    Clear {
        len: u64,
    },
    CopyFrom(CopyId),
    CopyTo(CopyId),
    Link(LinkId),
    /// Compared with the other set.
    Compare(NodeId),
}

/// What a node stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    /// Memory, constants, results: nothing happens here.
    Plain,
    /// A register with a pointer: an unknown number there may be any exposed address.
    Pointer,
    /// A register with a number: addresses there are exposed.
    Wide,
    /// A register too small for an address: addresses there are exposed, and unknown numbers.
    Narrow,
    /// Memory of all exposed objects at once: addresses there are exposed, and unknown numbers, but for
    /// those of functions.
    Hub,
}

/// What a node replaces by an unknown number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Forgets {
    Nothing,
    /// All objects but functions.
    Data,
    Everything,
}

#[derive(Clone, Debug)]
struct Node {
    set: Set,
    /// How many of them went through all edges and uses.
    done: usize,
    edges: Vec<(NodeId, Flow)>,
    uses: Vec<Use>,
    waiting: bool,
    kind: Kind,
    forgets: Forgets,
}

/// A `copy`.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockCopy {
    pub src: NodeId,
    pub dst: NodeId,
    pub len: Option<u64>,
    /// What goes through, once there are too many pairs of places to tell them apart.
    pub through: Option<NodeId>,
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
    pub exposed: Exposed,
    /// Instances whose constraints are still to be made.
    pub fresh: VecDeque<InstanceId>,
    /// Objects whose initial contents are still to be entered.
    fresh_objects: VecDeque<ObjectId>,
    /// Registers of the function at work that are constant in it.
    pub folded: Vec<Option<u128>>,
    nodes: IndexVec<NodeId, Node>,
    elements: IndexVec<Element, (ObjectId, Offset)>,
    element_ids: HashMap<(ObjectId, u64), Element>,
    /// The element of an object with any offset.
    anywhere: IndexVec<ObjectId, Element>,
    edge_set: HashSet<(NodeId, NodeId, Flow)>,
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
            exposed: Exposed::default(),
            fresh: VecDeque::new(),
            fresh_objects: VecDeque::new(),
            folded: Vec::new(),
            nodes: IndexVec::new(),
            elements: IndexVec::new(),
            element_ids: HashMap::default(),
            anywhere: IndexVec::new(),
            edge_set: HashSet::default(),
            worklist: VecDeque::new(),
            compared: HashSet::default(),
            handles_compared: false,
        };
        // Unknown and Uninit are there from the start.
        solver.add_object(UNKNOWN);
        solver.add_object(UNINIT);
        solver.results = solver.node(Kind::Plain);
        solver.unknown = solver.node(Kind::Plain);
        solver.exposed = Exposed::new(|kind| solver.node(kind));
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
            } else if let Some(object) = self.exposed.waiting.pop_front() {
                self.connect(object);
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

    pub fn node(&mut self, kind: Kind) -> NodeId {
        let (set, edges, uses) = (Set::default(), Vec::new(), Vec::new());
        let forgets = match kind {
            Kind::Plain | Kind::Pointer | Kind::Wide => Forgets::Nothing,
            Kind::Hub => Forgets::Data,
            Kind::Narrow => Forgets::Everything,
        };
        let node = Node { set, done: 0, edges, uses, waiting: false, kind, forgets };
        self.nodes.push(node)
    }

    pub fn object(&mut self, object: Object) -> ObjectId {
        let (id, new) = self.objects.intern(object);
        if new {
            self.add_object(id);
            self.fresh_objects.push_back(id);
        }
        id
    }

    fn add_object(&mut self, id: ObjectId) {
        self.anywhere.push(self.elements.next_id());
        self.elements.push((id, Offset::Any));
        self.add_contents();
    }

    fn element(&mut self, object: ObjectId, offset: Offset) -> Element {
        let Offset::At(at) = offset else { return self.anywhere[object] };
        let elements = &mut self.elements;
        *self.element_ids.entry((object, at)).or_insert_with(|| elements.push((object, offset)))
    }

    pub fn add_unknown(&mut self, node: NodeId) {
        self.insert(node, self.anywhere[UNKNOWN]);
    }

    /// Puts an object with an offset into a set.
    pub fn add(&mut self, node: NodeId, object: ObjectId, offset: Offset) {
        let element = self.element(object, offset);
        self.insert(node, element);
    }

    fn insert(&mut self, node: NodeId, element: Element) {
        let set = &self.nodes[node].set;
        if set.contains(element) {
            return;
        }
        let (object, offset) = self.elements[element];
        let any = self.anywhere[object];
        if offset != Offset::Any && set.contains(any) {
            return;
        }
        if set.elements.len() >= CAP {
            self.widen(node);
        }
        let set = &self.nodes[node].set;
        let full = offset != Offset::Any && set.is_full(object, |element| self.elements[element].0);
        let element = self.arrive(node, object, if full { any } else { element });
        let entry = &mut self.nodes[node];
        if element == self.anywhere[UNKNOWN] && entry.set.contains(element) {
            return;
        }
        entry.set.insert(element, |element| self.elements[element].0);
        self.wake(node);
    }

    /// There is something to do with a node.
    fn wake(&mut self, node: NodeId) {
        if !std::mem::replace(&mut self.nodes[node].waiting, true) {
            self.worklist.push_back(node);
        }
    }

    /// What an element is in the node that it comes to.
    fn arrive(&mut self, node: NodeId, object: ObjectId, element: Element) -> Element {
        let value = self.objects.list[object];
        if !value.is_memory() {
            return element;
        }
        let Node { kind, forgets, .. } = self.nodes[node];
        let forgotten = match forgets {
            Forgets::Nothing => false,
            Forgets::Data => !matches!(value, Object::Function(_)),
            Forgets::Everything => true,
        };
        if forgotten || matches!(kind, Kind::Wide | Kind::Narrow | Kind::Hub) {
            self.exposed.expose(object);
        }
        if forgotten { self.anywhere[UNKNOWN] } else { element }
    }

    /// A set became too large: what it holds is exposed, and the set an unknown number.
    fn widen(&mut self, node: NodeId) {
        let entry = &mut self.nodes[node];
        entry.forgets = match entry.forgets {
            Forgets::Nothing => Forgets::Data,
            Forgets::Data | Forgets::Everything => Forgets::Everything,
        };
        entry.done = 0;
        let old = std::mem::take(&mut entry.set);
        for element in old.elements {
            let (object, _) = self.elements[element];
            let element = self.arrive(node, object, element);
            let entry = &mut self.nodes[node];
            if !entry.set.contains(element) {
                entry.set.insert(element, |element| self.elements[element].0);
            }
        }
        self.wake(node);
    }

    pub fn edge(&mut self, from: NodeId, to: NodeId, flow: Flow) {
        let idle = from == to && flow == Flow::Copy;
        if idle || !self.edge_set.insert((from, to, flow)) {
            return;
        }
        self.nodes[from].edges.push((to, flow));
        // A set that is widened on the way starts anew.
        let mut index = 0;
        while index < self.nodes[from].done {
            let element = self.nodes[from].set.elements[index];
            self.flow(element, to, flow);
            index += 1;
        }
    }

    fn flow(&mut self, element: Element, to: NodeId, flow: Flow) {
        let element = match flow {
            Flow::Copy => element,
            Flow::Shift(by) => {
                let (object, offset) = self.elements[element];
                let offset = self.shifted(object, offset, by);
                self.element(object, offset)
            }
            Flow::Blur => self.anywhere[self.elements[element].0],
        };
        self.insert(to, element);
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
        let mut index = 0;
        while index < self.nodes[node].done {
            let element = self.nodes[node].set.elements[index];
            self.apply(node, element, what);
            index += 1;
        }
    }

    fn propagate(&mut self, node: NodeId) {
        let entry = &mut self.nodes[node];
        entry.waiting = false;
        let mut index = entry.done;
        entry.done = entry.set.elements.len();
        while index < self.nodes[node].done {
            let element = self.nodes[node].set.elements[index];
            for edge in 0..self.nodes[node].edges.len() {
                let (to, flow) = self.nodes[node].edges[edge];
                self.flow(element, to, flow);
            }
            for position in 0..self.nodes[node].uses.len() {
                let what = self.nodes[node].uses[position];
                self.apply(node, element, what);
            }
            index += 1;
        }
    }

    fn apply(&mut self, node: NodeId, element: Element, what: Use) {
        let (object, offset) = self.elements[element];
        if let Use::Compare(other) = what {
            return self.compare(node, other, object);
        }
        let number = object == UNKNOWN || object == UNINIT;
        if number && self.nodes[node].kind == Kind::Pointer {
            return self.apply_to_exposed(what);
        }
        if !self.objects.list[object].is_memory() {
            return;
        }
        match what {
            // Code is neither read nor written.
            Use::Load { .. } | Use::Store { .. } if self.is_function(object) => {}
            Use::Load { dst, len, space } => self.load(object, offset, len, space, dst),
            Use::Store { value, len, space, flow } => self.store(object, offset, len, space, value, flow),
            Use::Fill { value, len } => self.fill(object, offset, len, value),
            Use::Clear { len } => self.clear(object, offset, len),
            Use::CopyFrom(copy) => self.copy_from(copy, Some((object, offset))),
            Use::CopyTo(copy) => self.copy_to(copy, Some((object, offset))),
            Use::Link(link) => self.link_to(link, object),
            Use::Compare(_) => {}
        }
    }

    fn is_function(&self, object: ObjectId) -> bool {
        matches!(self.objects.list[object], Object::Function(_))
    }

    /// The places a set stands for so far; `None` is all exposed objects.
    pub fn places(&self, node: NodeId) -> Vec<Option<(ObjectId, Offset)>> {
        let place = |element: &Element| {
            let (object, offset) = self.elements[*element];
            let number = object == UNKNOWN || object == UNINIT;
            match number {
                true => (self.nodes[node].kind == Kind::Pointer).then_some(None),
                false => self.objects.list[object].is_memory().then_some(Some((object, offset))),
            }
        };
        self.nodes[node].set.elements.iter().filter_map(place).collect()
    }

    /// How many elements a set has so far.
    pub fn size(&self, node: NodeId) -> usize {
        self.nodes[node].set.elements.len()
    }

    /// A number that is compared with an address may be that address.
    fn compare(&mut self, node: NodeId, other: NodeId, object: ObjectId) {
        if (object == UNKNOWN || object == UNINIT) && self.compared.insert((node, other)) {
            self.edge(other, self.exposed.sink, Flow::Copy);
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
        self.nodes[node].set.elements.iter().any(handle)
    }

    fn holds_uninit(&self, node: NodeId) -> bool {
        self.nodes[node].set.contains(self.anywhere[UNINIT])
    }

    fn into_result(self) -> Pointers {
        let sets = self.nodes.iter().map(|node| self.set(node)).collect();
        let contents = self.heap.iter().map(|contents| contents.everything()).collect();
        let mut by_function: HashMap<_, Vec<_>> = HashMap::default();
        for (id, instance) in self.instances.list.enumerated() {
            by_function.entry(instance.func).or_default().push(id);
        }
        let mut exposed = PointsTo::default();
        exposed.targets.extend(self.exposed.list.iter().map(|object| (*object, Offset::Any)));
        exposed.tidy();
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
            exposed,
            handles_compared: self.handles_compared,
            empty: PointsTo::default(),
        }
    }

    fn set(&self, node: &Node) -> PointsTo {
        let mut set = PointsTo::default();
        for &element in &node.set.elements {
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
        set.may_be_exposed = node.kind == Kind::Pointer && (set.may_be_unknown || set.may_be_uninit);
        set.tidy();
        set
    }

    /// The node of a register.
    pub fn reg(&self, instance: InstanceId, reg: braid_ir::RegId) -> NodeId {
        NodeId::from_usize(self.registers[instance].index() + reg.index())
    }
}
