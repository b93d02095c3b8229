//! An incremental acyclic graph over chains, with backtracking: the state of the ordering theory.
//!
//! Vertices are nodes of the bounded program; each thread is a chain. Reachability needs no matrix: it is enough to
//! know, for each vertex and chain, how many vertices of the chain precede it. That is the chain cover of Jagadish
//! (TODS 1990), and the numbers of a vertex form its vector clock (Fidge 1988; Mattern 1989). A test is one
//! comparison, and memory is vertices × chains. A new edge raises these numbers forward from its head, only where
//! something changes; every change is on a trail with its old value, and backtracking pops it. The fault
//! `undo-forgets` keeps the raised numbers; `peterson.c` notices.

use braid_base::faults::active;
use braid_solver::Lit;
use std::collections::VecDeque;

/// The number of a vertex.
pub type Vertex = u32;

/// The edge of a literal, with its number in the order of insertion.
#[derive(Clone, Copy)]
struct Edge {
    to: Vertex,
    literal: Lit,
    number: u32,
}

/// An entry of the trail.
enum Change {
    Edge(Vertex),
    Preceding { slot: u32, old: u32 },
}

/// A graph of chains, fixed edges and edges of literals.
pub struct Graph {
    chains: Vec<Vec<Vertex>>,
    /// Chain and position of each vertex.
    places: Vec<(u32, u32)>,
    /// Edges that always hold, besides those of the chains.
    fixed: Vec<Vec<Vertex>>,
    edges: Vec<Vec<Edge>>,
    /// The vector clocks: for each vertex and chain, how many vertices of the chain precede the vertex.
    preceding: Vec<u32>,
    trail: Vec<Change>,
    inserted: u32,
}

/// A vertex whose vector clock has grown in one component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Raised {
    pub vertex: Vertex,
    pub chain: u32,
    /// The positions from here …
    pub from: u32,
    /// … to here, exclusive, are new.
    pub to: u32,
}

impl Graph {
    /// A graph of chains, each vertex in one; `fixed` are edges that always hold, which must not close a cycle.
    pub fn new(chains: Vec<Vec<Vertex>>, fixed: &[(Vertex, Vertex)]) -> Graph {
        let count = chains.iter().map(Vec::len).sum();
        let mut places = vec![(0, 0); count];
        for (chain, list) in chains.iter().enumerate() {
            for (position, vertex) in list.iter().enumerate() {
                places[*vertex as usize] = (chain as u32, position as u32);
            }
        }
        let mut graph = Graph {
            preceding: vec![0; count * chains.len()],
            places,
            fixed: vec![Vec::new(); count],
            edges: (0..count).map(|_| Vec::new()).collect(),
            chains,
            trail: Vec::new(),
            inserted: 0,
        };
        for vertex in 0..count as Vertex {
            let (chain, position) = graph.places[vertex as usize];
            let slot = graph.slot(vertex, chain);
            graph.preceding[slot] = position;
        }
        for (from, to) in fixed {
            graph.fixed[*from as usize].push(*to);
            graph.raise(*from, *to, &mut |_| {});
        }
        graph.trail.clear();
        graph
    }

    pub fn chain_count(&self) -> usize {
        self.chains.len()
    }

    /// Chain and position of a vertex.
    pub fn place(&self, vertex: Vertex) -> (u32, u32) {
        self.places[vertex as usize]
    }

    fn slot(&self, vertex: Vertex, chain: u32) -> usize {
        vertex as usize * self.chains.len() + chain as usize
    }

    /// Returns true if `a` is known to precede `b`.
    pub fn is_before(&self, a: Vertex, b: Vertex) -> bool {
        let (chain, position) = self.places[a as usize];
        a != b && self.preceding[self.slot(b, chain)] > position
    }

    /// The length of the trail, to which [`Graph::undo`] can go back.
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// The number of edges inserted so far; see [`Graph::path`].
    pub fn inserted(&self) -> u32 {
        self.inserted
    }

    /// Inserts an edge, unless the graph implies it already. Returns false, and changes nothing, if the edge would
    /// close a cycle.
    pub fn insert(&mut self, from: Vertex, to: Vertex, literal: Lit, raised: &mut dyn FnMut(Raised)) -> bool {
        if self.is_before(to, from) || from == to {
            return false;
        }
        if self.is_before(from, to) {
            return true;
        }
        self.edges[from as usize].push(Edge { to, literal, number: self.inserted });
        self.inserted += 1;
        self.trail.push(Change::Edge(from));
        self.raise(from, to, raised);
        true
    }

    /// Undoes all changes since the mark.
    pub fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            match self.trail.pop() {
                Some(Change::Edge(from)) => {
                    self.edges[from as usize].pop();
                    self.inserted -= 1;
                }
                Some(Change::Preceding { .. }) if active("undo-forgets") => {}
                Some(Change::Preceding { slot, old }) => self.preceding[slot as usize] = old,
                None => return,
            }
        }
    }

    /// Propagates vector clocks: `from`, and all that precedes it, precedes `to` and all that follows `to`.
    fn raise(&mut self, from: Vertex, to: Vertex, raised: &mut dyn FnMut(Raised)) {
        let mut work = vec![(from, to)];
        while let Some((from, to)) = work.pop() {
            let (own, position) = self.places[from as usize];
            let mut changed = false;
            for chain in 0..self.chains.len() as u32 {
                let known = self.preceding[self.slot(from, chain)];
                let new = if chain == own { position + 1 } else { known };
                let slot = self.slot(to, chain);
                let old = self.preceding[slot];
                if new > old {
                    self.preceding[slot] = new;
                    self.trail.push(Change::Preceding { slot: slot as u32, old });
                    raised(Raised { vertex: to, chain, from: old, to: new });
                    changed = true;
                }
            }
            if !changed {
                continue;
            }
            let (chain, position) = self.places[to as usize];
            let next = self.chains[chain as usize].get(position as usize + 1);
            work.extend(next.map(|next| (to, *next)));
            work.extend(self.fixed[to as usize].iter().map(|next| (to, *next)));
            work.extend(self.edges[to as usize].iter().map(|edge| (to, edge.to)));
        }
    }

    /// Collects the literals on a path from one vertex to another that has the fewest of them, using only edges with
    /// a smaller number than `inserted`. There must be such a path. The literals are the explanation of a propagation
    /// or of a cycle.
    pub fn path(&self, from: Vertex, to: Vertex, inserted: u32, literals: &mut Vec<Lit>) {
        // 0-1 breadth-first search: a step within a chain or along a fixed edge costs nothing, an edge of a literal
        // costs one.
        let mut entries = vec![Entry { vertex: from, literal: None, parent: 0 }];
        let mut queue = VecDeque::from([0]);
        let mut unexplored: Vec<u32> = self.chains.iter().map(|chain| chain.len() as u32).collect();
        let goal = self.places[to as usize];
        while let Some(at) = queue.pop_front() {
            let (chain, position) = self.places[entries[at].vertex as usize];
            if chain == goal.0 && position <= goal.1 {
                return collect(&entries, at, literals);
            }
            let end = unexplored[chain as usize];
            if position >= end {
                continue;
            }
            unexplored[chain as usize] = position;
            for position in position..end {
                let vertex = self.chains[chain as usize][position as usize];
                if !self.is_before(vertex, to) {
                    break;
                }
                for next in &self.fixed[vertex as usize] {
                    queue.push_front(entries.len());
                    entries.push(Entry { vertex: *next, literal: None, parent: at });
                }
                for edge in self.edges[vertex as usize].iter().filter(|edge| edge.number < inserted) {
                    if edge.to == to || self.is_before(edge.to, to) {
                        queue.push_back(entries.len());
                        entries.push(Entry { vertex: edge.to, literal: Some(edge.literal), parent: at });
                    }
                }
            }
        }
        unreachable!("there is a way")
    }
}

/// A vertex from which a chain is followed, and the edge by which it was reached.
struct Entry {
    vertex: Vertex,
    literal: Option<Lit>,
    parent: usize,
}

fn collect(entries: &[Entry], mut at: usize, literals: &mut Vec<Lit>) {
    while at != 0 {
        literals.extend(entries[at].literal);
        at = entries[at].parent;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use braid_solver::{Clauses, Cnf};

    /// Two chains 0-1-2, 3-4-5, and a third 6-7 that begins after 1.
    fn graph() -> Graph {
        Graph::new(vec![vec![0, 1, 2], vec![3, 4, 5], vec![6, 7]], &[(1, 6)])
    }

    fn literals(count: usize) -> Vec<Lit> {
        let mut cnf = Cnf::default();
        (0..count).map(|_| cnf.new_var().positive()).collect()
    }

    fn insert(graph: &mut Graph, from: Vertex, to: Vertex, literal: Lit) -> bool {
        graph.insert(from, to, literal, &mut |_| {})
    }

    #[test]
    fn chains_and_fixed_edges_order_vertices() {
        let graph = graph();
        assert!(graph.is_before(0, 2) && graph.is_before(0, 7) && graph.is_before(1, 6));
        assert!(!graph.is_before(2, 7) && !graph.is_before(7, 2) && !graph.is_before(0, 3));
    }

    #[test]
    fn a_cycle_is_refused_and_explained() {
        let mut graph = graph();
        let l = literals(4);
        assert!(insert(&mut graph, 2, 3, l[0]));
        assert!(insert(&mut graph, 5, 6, l[1]));
        assert!(graph.is_before(0, 7) && graph.is_before(2, 6));
        assert!(!insert(&mut graph, 7, 2, l[2]));
        let mut way = Vec::new();
        graph.path(2, 7, u32::MAX, &mut way);
        assert_eq!(way, [l[1], l[0]]);
        way.clear();
        graph.path(0, 7, u32::MAX, &mut way);
        assert_eq!(way, [], "by the chain and the fixed edge");
    }

    #[test]
    fn undo_restores_what_was_known() {
        let mut graph = graph();
        let l = literals(3);
        insert(&mut graph, 2, 4, l[0]);
        let mark = graph.mark();
        let before = graph.preceding.clone();
        let mut raised = Vec::new();
        assert!(graph.insert(7, 3, l[1], &mut |r| raised.push(r)));
        assert!(graph.is_before(6, 5));
        assert!(raised.contains(&Raised { vertex: 5, chain: 2, from: 0, to: 2 }));
        graph.undo(mark);
        assert_eq!(graph.preceding, before);
        assert_eq!(graph.inserted(), 1);
        assert!(graph.is_before(1, 5) && !graph.is_before(6, 5));
    }

    #[test]
    fn the_shortest_explanation_uses_old_edges_only() {
        let mut graph = Graph::new((0..4).map(|v| vec![v]).collect(), &[]);
        let l = literals(3);
        insert(&mut graph, 0, 1, l[0]);
        insert(&mut graph, 1, 3, l[1]);
        let then = graph.inserted();
        let mut way = Vec::new();
        graph.path(0, 3, then, &mut way);
        assert_eq!(way, [l[1], l[0]]);
        assert!(insert(&mut graph, 0, 3, l[2]), "known already");
        assert_eq!(graph.inserted(), then);
    }
}
