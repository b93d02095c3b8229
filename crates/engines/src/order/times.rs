//! The order of nodes, in one of three encodings.
//!
//! * `theory`: an order literal for each pair of nodes that is compared; a theory inside the SAT solver refuses
//!   cycles (`theory`, `graph`), as in He, Sun and Fan (PLDI 2021). An acyclic assignment is an execution, in any
//!   topological order.
//! * `pairs`: an order literal for each pair of nodes that occur in any comparison, and transitivity constraints as
//!   clauses (Bryant, Velev, TOCL 2002). Cubic, but every solver takes it, and small programs need nothing better.
//! * `clocks`: a bit-vector timestamp for each node (Alglave, Kroening, Tautschnig, CAV 2013; clocks after Lamport
//!   1978). Equal timestamps are ordered by the number of the node, so that of two nodes exactly one comes first.
//!   Every solver takes it, and it is the independent oracle for the theory.
//!
//! Nodes that are never compared get no place in the order. The fault `program-order-dropped` makes every node a
//! chain of its own; `peterson.c` notices. `start-edge-dropped` drops the creation edges; `mutex_missing.c` notices.

use super::graph::{Graph, Vertex};
use super::theory::Ordering;
use crate::ask::{Precedence, Ranks};
use braid_base::HashMap;
use braid_base::faults::active;
use braid_bounded::{Bounded, Interrupted, NodeId};
use braid_logic::{Evaluator, Sort, Term, Terms};
use braid_solver::{Embedded, Failure, Watch};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The encoding of the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// An order literal for each pair, and a theory that refuses cycles.
    Theory,
    /// An order literal for each pair, and transitivity as clauses.
    Pairs,
    /// A bit-vector timestamp for each node.
    Clocks,
}

/// The order literals or timestamps made so far.
pub struct Times {
    encoding: Encoding,
    /// The width of timestamps.
    width: u32,
    /// The nodes that have a place in the order.
    used: BTreeSet<NodeId>,
    /// Order literals; the node with the smaller number comes first in the key.
    pairs: BTreeMap<(NodeId, NodeId), Term>,
    /// For each thread its used nodes.
    chains: Vec<Vec<NodeId>>,
    /// Creation edges: the node that starts a thread, and the first used node of the thread.
    starts: Vec<(NodeId, NodeId)>,
}

impl Precedence for Times {
    fn before(&mut self, terms: &mut Terms, bounded: &Bounded, a: NodeId, b: NodeId) -> Term {
        self.earlier(terms, bounded, a, b)
    }
}

impl Times {
    pub fn new(encoding: Encoding, bounded: &Bounded) -> Times {
        let width = usize::BITS - (bounded.nodes.len() + 1).leading_zeros();
        Times {
            encoding,
            width: width.max(1),
            used: BTreeSet::new(),
            pairs: BTreeMap::new(),
            chains: Vec::new(),
            starts: Vec::new(),
        }
    }

    /// The number of pairs of nodes with an order literal.
    pub fn literals(&self) -> usize {
        self.pairs.len()
    }

    /// The timestamp of a node.
    fn stamp(&mut self, terms: &mut Terms, node: NodeId) -> Term {
        terms.symbol(&format!("t{}", node.0), Sort::bits(self.width))
    }

    /// Gives these nodes a place in the order, whether they are compared or not.
    pub fn keep(&mut self, nodes: [NodeId; 2]) {
        self.used.extend(nodes);
    }

    /// Bool: node `a` precedes node `b`.
    fn earlier(&mut self, terms: &mut Terms, bounded: &Bounded, a: NodeId, b: NodeId) -> Term {
        if bounded.is_before(a, b) {
            return terms.bool(true);
        }
        if a == b || bounded.is_before(b, a) {
            return terms.bool(false);
        }
        self.used.extend([a, b]);
        let (first, second) = (a.min(b), a.max(b));
        let term = match self.encoding {
            Encoding::Clocks => {
                let (x, y) = (self.stamp(terms, first), self.stamp(terms, second));
                let later = terms.ult(y, x);
                terms.not(later)
            }
            Encoding::Theory | Encoding::Pairs => {
                let name = || format!("o{}.{}", first.0, second.0);
                *self.pairs.entry((first, second)).or_insert_with(|| terms.symbol(&name(), Sort::Bool))
            }
        };
        if a < b { term } else { terms.not(term) }
    }

    /// Collects program order and creation edges of all used nodes. They become constraints on timestamps for `clocks`,
    /// part of the transitivity constraints for `pairs`, and the initial graph of the theory.
    pub fn finish(
        &mut self,
        terms: &mut Terms,
        bounded: &Bounded,
        constraints: &mut Vec<Term>,
        interrupt: &dyn Fn() -> bool,
    ) -> Result<(), Interrupted> {
        self.use_starts(bounded);
        for thread in &bounded.threads {
            let chain: Vec<NodeId> = thread.nodes.iter().copied().filter(|n| self.used.contains(n)).collect();
            if let (Some(parent), Some(first)) = (thread.parent, chain.first()) {
                self.starts.push((parent, *first));
            }
            self.chains.push(chain);
        }
        if active("start-edge-dropped") {
            self.starts.clear();
        }
        if active("program-order-dropped") {
            let nodes = self.used.iter().copied();
            self.chains = nodes.map(|node| vec![node]).collect();
        }
        match self.encoding {
            Encoding::Theory => {}
            Encoding::Clocks => self.order_stamps(terms, constraints),
            Encoding::Pairs => self.add_transitivity(terms, bounded, constraints, interrupt)?,
        }
        Ok(())
    }

    /// Timestamps grow along threads, and from a thread creation to the thread.
    fn order_stamps(&mut self, terms: &mut Terms, constraints: &mut Vec<Term>) {
        let steps = self.chains.iter().flat_map(|chain| chain.windows(2).map(|pair| (pair[0], pair[1])));
        let edges: Vec<(NodeId, NodeId)> = steps.chain(self.starts.iter().copied()).collect();
        for (a, b) in edges {
            let (x, y) = (self.stamp(terms, a), self.stamp(terms, b));
            let first = if a < b {
                let later = terms.ult(y, x);
                terms.not(later)
            } else {
                terms.ult(x, y)
            };
            constraints.push(first);
        }
    }

    /// Transitivity: any two used nodes are ordered and no three form a cycle, so there is no cycle at all.
    fn add_transitivity(
        &mut self,
        terms: &mut Terms,
        bounded: &Bounded,
        constraints: &mut Vec<Term>,
        interrupt: &dyn Fn() -> bool,
    ) -> Result<(), Interrupted> {
        let chains = self.chains.clone();
        for (at, chain) in chains.iter().enumerate() {
            for pair in chain.windows(2) {
                // A node that follows the later one follows the earlier one.
                for other in chains.iter().enumerate().filter(|(other, _)| *other != at).flat_map(|(_, c)| c)
                {
                    let late = self.earlier(terms, bounded, pair[1], *other);
                    let early = self.earlier(terms, bounded, pair[0], *other);
                    constraints.push(terms.implies(late, early));
                }
            }
        }
        for (i, first) in chains.iter().enumerate() {
            for (j, second) in chains.iter().enumerate().skip(i + 1) {
                for (a, b) in first.iter().flat_map(|a| second.iter().map(move |b| (*a, *b))) {
                    if interrupt() {
                        return Err(Interrupted);
                    }
                    let ab = self.earlier(terms, bounded, a, b);
                    for c in chains[j + 1..].iter().flatten() {
                        let bc = self.earlier(terms, bounded, b, *c);
                        let ac = self.earlier(terms, bounded, a, *c);
                        let (to, fro) = (terms.and(ab, bc), terms.or(ab, bc));
                        constraints.push(terms.implies(to, ac));
                        constraints.push(terms.implies(ac, fro));
                    }
                }
            }
        }
        Ok(())
    }

    /// Marks the node that starts a thread as used if a node of the thread is, transitively.
    fn use_starts(&mut self, bounded: &Bounded) {
        loop {
            let before = self.used.len();
            for thread in &bounded.threads {
                let used = thread.nodes.iter().any(|node| self.used.contains(node));
                self.used.extend(thread.parent.filter(|_| used));
            }
            if self.used.len() == before {
                return;
            }
        }
    }

    /// The embedded solver, with the theory connected if the encoding has one.
    pub fn solver(&self, terms: &Terms, watch: &Watch) -> Result<Embedded, Failure> {
        if self.encoding != Encoding::Theory || self.pairs.is_empty() {
            return Ok(Embedded::new());
        }
        let mut solver = Embedded::searching();
        let mut numbers: HashMap<NodeId, Vertex> = HashMap::default();
        for node in self.chains.iter().flatten() {
            numbers.insert(*node, numbers.len() as Vertex);
        }
        let chains = self.chains.iter().filter(|chain| !chain.is_empty());
        let chains = chains.map(|chain| chain.iter().map(|node| numbers[node]).collect()).collect();
        let starts: Vec<(Vertex, Vertex)> =
            self.starts.iter().map(|(parent, first)| (numbers[parent], numbers[first])).collect();
        let graph = Graph::new(chains, &starts);
        let mut atoms = Vec::new();
        for ((a, b), term) in &self.pairs {
            atoms.push((solver.literal(terms, *term, watch)?, numbers[a], numbers[b]));
        }
        let observed: Vec<_> = atoms.iter().map(|(literal, _, _)| literal.var()).collect();
        solver.connect(Rc::new(RefCell::new(Ordering::new(graph, &atoms))), &observed)?;
        Ok(solver)
    }

    /// The order of the nodes in a model.
    pub fn ranks(&self, terms: &Terms, evaluator: &mut Evaluator) -> Result<Ranks, String> {
        match self.encoding {
            Encoding::Clocks => Ok(self.by_stamps(terms, evaluator)),
            Encoding::Theory | Encoding::Pairs => self.by_pairs(evaluator),
        }
    }

    fn by_stamps(&self, terms: &Terms, evaluator: &mut Evaluator) -> Ranks {
        let mut stamped: Vec<(u128, NodeId)> = Vec::new();
        for node in &self.used {
            let symbol = terms.find_symbol(&format!("t{}", node.0));
            let stamp = symbol.and_then(|symbol| evaluator.bits(terms.symbol_term(symbol)).ok());
            stamped.push((stamp.unwrap_or(0), *node));
        }
        stamped.sort();
        (0..).zip(stamped).map(|(place, (_, node))| (node, place)).collect()
    }

    /// A topological order (Kahn, CACM 1962) that stays in a thread while it can.
    fn by_pairs(&self, evaluator: &mut Evaluator) -> Result<Ranks, String> {
        let mut after: HashMap<NodeId, Vec<NodeId>> = HashMap::default();
        let mut waits: HashMap<NodeId, u32> = HashMap::default();
        let mut edge = |a: NodeId, b: NodeId| {
            after.entry(a).or_default().push(b);
            *waits.entry(b).or_default() += 1;
        };
        self.starts.iter().for_each(|(parent, first)| edge(*parent, *first));
        for ((a, b), term) in &self.pairs {
            let first = evaluator.bool(*term) == Ok(true);
            if first { edge(*a, *b) } else { edge(*b, *a) }
        }
        let mut places = Ranks::default();
        let mut heads = vec![0; self.chains.len()];
        let mut moved = true;
        while moved {
            moved = false;
            for (head, chain) in heads.iter_mut().zip(&self.chains) {
                while let Some(node) = chain.get(*head) {
                    if waits.get(node).is_some_and(|count| *count > 0) {
                        break;
                    }
                    for next in after.remove(node).unwrap_or_default() {
                        waits.entry(next).and_modify(|count| *count -= 1);
                    }
                    places.insert(*node, places.len() as u32);
                    *head += 1;
                    moved = true;
                }
            }
        }
        if places.len() == self.used.len() { Ok(places) } else { Err("the order has a cycle".to_string()) }
    }
}
