//! The ordering theory: order literals say which of two nodes comes first, and no cycle may close.
//!
//! This is a theory solver for CDCL(T) (Nieuwenhuis, Oliveras, Tinelli, JACM 2006), connected to CaDiCaL by the
//! external propagator interface IPASIR-UP (Fazekas et al., SAT 2023). Ordering consistency as a theory is due to He,
//! Sun and Fan (PLDI 2021); unlike theirs, this theory observes order literals alone, and reads-from choices stay in
//! clauses. Threads are chains of a [`Graph`]; each order literal that becomes true adds an edge, unless the graph
//! implies it already. A cycle is refused as soon as it closes, by the conflict clause of a cycle with the fewest
//! literals. Literals that follow from the edges are propagated, and explained only when the solver asks (lazy
//! explanation, as in Cotton and Maler, SAT 2006).
//!
//! * *Claim.* A complete assignment is accepted if and only if it has an extension to a total order of the nodes.
//! * *Relies on.* [`Graph::is_before`] is reachability in the current graph, also after backtracking.
//! * *Proof.* The edge of each literal is inserted, unless the graph implies it already, and refused if and only if it
//!   closes a cycle. An implied edge stays implied as long as its literal is assigned, because backtracking removes
//!   later assignments first. So the acyclic graph implies all literals, and has a topological order. A conflict clause
//!   contains the negations of the literals of a cycle, so it holds in every order.
//! * *Fault.* `cycles-allowed` (`peterson.c`); `undo-forgets` (`peterson.c`, `cond_flag.c`). The unit tests compare
//!   the theory with transitivity written as clauses.

use super::graph::{Graph, Raised, Vertex};
use braid_base::faults::active;
use braid_base::ticks;
use braid_solver::{Lit, Propagator, Says, Var};

/// The theory's view of a variable.
#[derive(Clone, Copy)]
struct Atom {
    /// The edge of the positive literal; the negative literal has the opposite edge.
    from: Vertex,
    to: Vertex,
    assigned: bool,
    /// The number of edges inserted when the theory propagated it.
    implied_at: u32,
}

pub struct Ordering {
    graph: Graph,
    /// The atoms, indexed by the number of their variable.
    atoms: Vec<Option<Atom>>,
    /// For each vertex and chain the atoms between it and vertices of that chain, by position there.
    between: Vec<Vec<(u32, Lit)>>,
    assigned: Vec<Var>,
    /// For each decision level the lengths of the graph's trail and of `assigned` at its beginning.
    levels: Vec<(usize, usize)>,
    raised: Vec<Raised>,
}

impl Ordering {
    /// A theory of the given order; each atom's literal says that its first vertex comes first.
    pub fn new(graph: Graph, atoms: &[(Lit, Vertex, Vertex)]) -> Ordering {
        let size = atoms.iter().map(|(literal, _, _)| literal.var().number() + 1).max().unwrap_or(0);
        let vertices: usize = atoms.iter().map(|(_, a, b)| (*a).max(*b) as usize + 1).max().unwrap_or(0);
        let mut theory = Ordering {
            atoms: vec![None; size],
            between: vec![Vec::new(); vertices * graph.chain_count()],
            graph,
            assigned: Vec::new(),
            levels: Vec::new(),
            raised: Vec::new(),
        };
        for (literal, a, b) in atoms {
            let (from, to) = if literal.is_negative() { (*b, *a) } else { (*a, *b) };
            let atom = Atom { from, to, assigned: false, implied_at: 0 };
            theory.atoms[literal.var().number()] = Some(atom);
            theory.watch(from, to, literal.var().positive());
            theory.watch(to, from, literal.var().negative());
        }
        theory.between.iter_mut().for_each(|list| list.sort_by_key(|(position, _)| *position));
        theory
    }

    /// Watches a pair: the literal is propagated when `from` is known to precede `to`.
    fn watch(&mut self, from: Vertex, to: Vertex, literal: Lit) {
        let (chain, position) = self.graph.place(from);
        self.between[to as usize * self.graph.chain_count() + chain as usize].push((position, literal));
    }

    fn edge(&self, literal: Lit) -> Option<(Vertex, Vertex)> {
        let atom = self.atoms.get(literal.var().number()).copied().flatten()?;
        Some(if literal.is_negative() { (atom.to, atom.from) } else { (atom.from, atom.to) })
    }

    /// Propagates the literals that follow from the components of vector clocks that have grown.
    fn imply(&mut self, says: &mut Says) {
        let inserted = self.graph.inserted();
        for raised in self.raised.drain(..) {
            let slot = raised.vertex as usize * self.graph.chain_count() + raised.chain as usize;
            let Some(list) = self.between.get(slot) else { continue };
            let first = list.partition_point(|(position, _)| *position < raised.from);
            for (_, literal) in list[first..].iter().take_while(|(position, _)| *position < raised.to) {
                let Some(atom) = &mut self.atoms[literal.var().number()] else { continue };
                if !atom.assigned {
                    atom.implied_at = inserted;
                    says.imply(*literal);
                }
            }
        }
    }
}

impl Propagator for Ordering {
    fn assign(&mut self, literal: Lit, says: &mut Says) {
        ticks::add(4);
        let Some((from, to)) = self.edge(literal).filter(|_| !active("cycles-allowed")) else { return };
        let index = literal.var().number();
        if let Some(atom) = &mut self.atoms[index] {
            atom.assigned = true;
            self.assigned.push(literal.var());
        }
        let raised = &mut self.raised;
        if self.graph.insert(from, to, literal, &mut |change| raised.push(change)) {
            self.imply(says);
            return;
        }
        let mut cycle = vec![literal];
        self.graph.path(to, from, u32::MAX, &mut cycle);
        says.clause(cycle.into_iter().map(|literal| !literal).collect());
    }

    fn new_level(&mut self) {
        self.levels.push((self.graph.mark(), self.assigned.len()));
    }

    fn backtrack(&mut self, level: usize) {
        let Some((mark, assigned)) = self.levels.get(level).copied() else { return };
        self.levels.truncate(level);
        self.graph.undo(mark);
        for var in self.assigned.drain(assigned..) {
            if let Some(atom) = &mut self.atoms[var.number()] {
                atom.assigned = false;
            }
        }
    }

    fn explain(&mut self, literal: Lit, because: &mut Vec<Lit>) {
        let Some((from, to)) = self.edge(literal) else { return };
        let inserted = self.atoms[literal.var().number()].map_or(u32::MAX, |atom| atom.implied_at);
        self.graph.path(from, to, inserted, because);
    }
}

#[cfg(test)]
mod tests;
