//! Sets that are certainly equal share one node.
//!
//! Two kinds are found: nodes on a cycle of plain copies, and registers that are computed from the same
//! set in the same way and from nothing else. Both are searched for from time to time, after so much work
//! that the search does not count (compare lazy cycle detection in Hardekopf and Lin, *The Ant and the
//! Grasshopper*, 2007, and their offline *pointer-equivalent variables*, 2007). In a node that many had in
//! common, loads of one length are one load, and stores one store: without that, memory that the analysis
//! cannot tell apart costs the product of the accesses and the objects.
//!
//! Nodes that forget what comes to them stay apart; their sets are small.

use super::graph::{Flow, Kind, NodeId, Solver, Use};
use crate::cfg::components;
use braid_base::{HashMap, Idx, IndexVec};
use braid_ir::Space;

/// Insertions before the first search, and then per node and edge before the next.
const FIRST: usize = 20_000;
const PATIENCE: usize = 2;

/// When to search, and what was found.
#[derive(Clone, Debug)]
pub(super) struct Merged {
    /// The node that a node shares.
    pub shared: IndexVec<NodeId, NodeId>,
    /// Insertions so far, and those at which to search.
    pub work: usize,
    next: usize,
    /// Nodes between an access and those who do it.
    between: HashMap<NodeId, ()>,
}

impl Default for Merged {
    fn default() -> Merged {
        Merged { shared: IndexVec::new(), work: 0, next: FIRST, between: HashMap::default() }
    }
}

impl Solver<'_> {
    /// Searches if it is time to.
    pub fn merge_sometimes(&mut self) {
        if self.merged.work < self.merged.next {
            return;
        }
        let classes = self.equal_sets();
        let mut roots: Vec<NodeId> = Vec::new();
        for node in self.nodes.ids() {
            let root = classes.find(self.merged.shared[node]);
            if root != self.merged.shared[node] && self.merged.shared[node] == node {
                self.absorb(root, node);
                roots.push(root);
            }
            self.merged.shared[node] = root;
        }
        roots.sort();
        roots.dedup();
        roots.into_iter().for_each(|root| self.tidy_node(root));
        self.merged.next = self.merged.work + PATIENCE * (self.nodes.len() + self.edge_set.len());
    }

    fn equal_sets(&self) -> Classes {
        let mut classes = Classes { parent: self.nodes.ids().collect() };
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (from, node) in self.nodes.enumerated().filter(|(_, node)| node.kind.may_merge()) {
            let mut first: HashMap<(Flow, Kind), NodeId> = HashMap::default();
            for &(to, flow) in &node.edges {
                let to = self.merged.shared[to];
                let target = &self.nodes[to];
                if !target.kind.may_merge() || to == from {
                    continue;
                }
                if flow == Flow::Copy {
                    next[from.index()].push(to.index());
                }
                if target.derived {
                    let same = if flow == Flow::Copy { from } else { *first.entry((flow, target.kind)).or_insert(to) };
                    classes.unite(same, to);
                }
            }
        }
        for component in components(&next) {
            let mut members = component.into_iter().map(NodeId::from_usize);
            let first = members.next();
            first.into_iter().for_each(|first| members.by_ref().for_each(|other| classes.unite(first, other)));
        }
        classes
    }

    /// The first node gets all that the other has.
    fn absorb(&mut self, root: NodeId, other: NodeId) {
        let elements = std::mem::take(&mut self.nodes[other].set).elements;
        let edges = std::mem::take(&mut self.nodes[other].edges);
        let uses = std::mem::take(&mut self.nodes[other].uses);
        let (kind, derived) = (self.nodes[other].kind, self.nodes[other].derived);
        let node = &mut self.nodes[root];
        node.kind = node.kind.join(kind);
        node.derived &= derived;
        node.edges.extend(edges);
        node.uses.extend(uses);
        node.done = 0;
        for element in elements {
            self.insert(root, element);
        }
    }

    /// Edges and uses that are the same become one; everything is looked at again.
    fn tidy_node(&mut self, node: NodeId) {
        let mut edges = std::mem::take(&mut self.nodes[node].edges);
        edges.iter_mut().for_each(|(to, _)| *to = self.merged.shared[*to]);
        edges.retain(|(to, flow)| *to != node || *flow != Flow::Copy);
        edges.sort();
        edges.dedup();
        edges.iter().for_each(|(to, flow)| _ = self.edge_set.insert((node, *to, *flow)));
        self.nodes[node].edges = edges;
        self.nodes[node].done = 0;
        self.wake(node);
        let uses = std::mem::take(&mut self.nodes[node].uses);
        let mut loads: HashMap<(u64, Space), NodeId> = HashMap::default();
        let mut stores: HashMap<(u64, Space, Flow), NodeId> = HashMap::default();
        for what in uses {
            let kept = match what {
                Use::Load { dst, len, space } => {
                    let new = !loads.contains_key(&(len, space));
                    let between = *loads.entry((len, space)).or_insert_with(|| self.between(dst));
                    self.edge(between, dst, Flow::Copy);
                    new.then_some(Use::Load { dst: between, len, space })
                }
                Use::Store { value, len, space, flow } => {
                    let new = !stores.contains_key(&(len, space, flow));
                    let between = *stores.entry((len, space, flow)).or_insert_with(|| self.between(value));
                    self.edge(value, between, Flow::Copy);
                    new.then_some(Use::Store { value: between, len, space, flow })
                }
                Use::Fill { .. }
                | Use::Clear { .. }
                | Use::CopyFrom(_)
                | Use::CopyTo(_)
                | Use::Link(_)
                | Use::Compare(_) => Some(what),
            };
            self.nodes[node].uses.extend(kept);
        }
    }

    /// A node for an access that many do; the one there is, if there is one.
    fn between(&mut self, node: NodeId) -> NodeId {
        if self.merged.between.contains_key(&node) {
            return node;
        }
        let between = self.node(Kind::Plain);
        self.merged.between.insert(between, ());
        between
    }

    /// The access that is already done through a node, if many do it.
    pub fn common_access(&self, node: NodeId, wanted: Use) -> Option<NodeId> {
        let common = |node: &NodeId| self.merged.between.contains_key(node);
        self.nodes[node].uses.iter().find_map(|what| match (what, wanted) {
            (Use::Load { dst, len, space }, Use::Load { len: l, space: s, .. }) => {
                (*len == l && *space == s).then_some(*dst).filter(common)
            }
            (Use::Store { value, len, space, flow }, Use::Store { len: l, space: s, flow: f, .. }) => {
                (*len == l && *space == s && *flow == f).then_some(*value).filter(common)
            }
            _ => None,
        })
    }
}

/// Disjoint sets; the smallest node stands for each.
struct Classes {
    parent: IndexVec<NodeId, NodeId>,
}

impl Classes {
    fn find(&self, mut node: NodeId) -> NodeId {
        while self.parent[node] != node {
            node = self.parent[node];
        }
        node
    }

    fn unite(&mut self, a: NodeId, b: NodeId) {
        let (root_a, root_b) = (self.find(a), self.find(b));
        let root = root_a.min(root_b);
        self.parent[root_a] = root;
        self.parent[root_b] = root;
        // Shorter ways for later.
        self.parent[a] = root;
        self.parent[b] = root;
    }
}
