//! Control-flow graphs: order, dominators, natural loops, irreducible regions.
//!
//! Dominators by Cooper, Harvey and Kennedy, *A Simple, Fast Dominance Algorithm*, 2001. A natural loop
//! is named by its header: the target of edges from blocks that the header dominates. A retreating edge
//! whose target does not dominate its source makes an irreducible region: its target is listed, and no
//! loop is claimed there. Exact as to the graph; blocks that nothing reaches belong to no loop.

use braid_base::{Idx, IndexVec};
use braid_ir::{BlockId, Function, TermKind};

/// A natural loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    pub header: BlockId,
    /// Ascending; with the header.
    pub body: Vec<BlockId>,
    /// The innermost loop around it, as an index.
    pub parent: Option<usize>,
}

/// The shape of one function.
#[derive(Clone, PartialEq, Debug)]
pub struct Cfg {
    pub successors: IndexVec<BlockId, Vec<BlockId>>,
    pub predecessors: IndexVec<BlockId, Vec<BlockId>>,
    /// Reachable blocks in reverse postorder.
    pub order: Vec<BlockId>,
    /// Position in `order`.
    rank: IndexVec<BlockId, Option<u32>>,
    /// Immediate dominators, by position; the entry's is itself.
    dominator: Vec<u32>,
    /// By header, ascending.
    pub loops: Vec<Loop>,
    /// Targets of retreating edges that do not dominate the source, ascending.
    pub irreducible: Vec<BlockId>,
    cyclic: IndexVec<BlockId, bool>,
}

/// Where control may go from the end of a block.
pub fn successors(kind: &TermKind) -> Vec<BlockId> {
    let mut found = match kind {
        TermKind::Jump(to) => vec![*to],
        TermKind::Branch { then, other, .. } => vec![*then, *other],
        TermKind::Switch { cases, default, .. } => {
            cases.iter().map(|(_, to)| *to).chain([*default]).collect()
        }
        TermKind::Return(_) | TermKind::Unreachable => Vec::new(),
    };
    found.sort();
    found.dedup();
    found
}

impl Cfg {
    pub fn new(function: &Function) -> Cfg {
        let successors: IndexVec<BlockId, _> =
            function.blocks.iter().map(|block| successors(&block.end.kind)).collect();
        let mut predecessors: IndexVec<BlockId, Vec<BlockId>> =
            successors.iter().map(|_| Vec::new()).collect();
        for (from, list) in successors.enumerated() {
            list.iter().for_each(|to| predecessors[*to].push(from));
        }
        let order = reverse_postorder(&successors);
        let mut rank: IndexVec<BlockId, Option<u32>> = successors.iter().map(|_| None).collect();
        for (position, block) in order.iter().enumerate() {
            rank[*block] = Some(position as u32);
        }
        let dominator = dominators(&order, &rank, &predecessors);
        let cyclic = cyclic(&successors);
        let (loops, irreducible) = (Vec::new(), Vec::new());
        let mut cfg = Cfg { successors, predecessors, order, rank, dominator, loops, irreducible, cyclic };
        cfg.find_loops();
        cfg
    }

    /// Whether every path from the entry to `b` goes through `a`. False for unreachable blocks.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        let (Some(a), Some(mut b)) = (self.rank[a], self.rank[b]) else { return false };
        while b > a {
            b = self.dominator[b as usize];
        }
        a == b
    }

    /// Whether the block may be executed more than once in one activation of its function.
    pub fn repeats(&self, block: BlockId) -> bool {
        self.cyclic[block]
    }

    fn find_loops(&mut self) {
        for &header in &self.order {
            let reachable = |from: &&BlockId| self.rank[**from].is_some();
            let sources: Vec<BlockId> = self.predecessors[header].iter().filter(reachable).copied().collect();
            let (back, rest): (Vec<_>, Vec<_>) =
                sources.into_iter().partition(|from| self.dominates(header, *from));
            if rest.iter().any(|from| self.rank[*from] >= self.rank[header]) {
                self.irreducible.push(header);
            }
            if !back.is_empty() {
                let body = self.body(header, back);
                self.loops.push(Loop { header, body, parent: None });
            }
        }
        self.loops.sort_by_key(|l| l.header);
        self.irreducible.sort();
        let parents: Vec<Option<usize>> = (0..self.loops.len()).map(|inner| self.parent(inner)).collect();
        self.loops.iter_mut().zip(parents).for_each(|(l, parent)| l.parent = parent);
    }

    fn body(&self, header: BlockId, back: Vec<BlockId>) -> Vec<BlockId> {
        let mut inside: IndexVec<BlockId, bool> = self.successors.iter().map(|_| false).collect();
        inside[header] = true;
        let mut waiting = back;
        while let Some(block) = waiting.pop() {
            if !std::mem::replace(&mut inside[block], true) {
                waiting.extend(self.predecessors[block].iter().filter(|p| self.rank[**p].is_some()));
            }
        }
        inside.enumerated().filter(|(_, inside)| **inside).map(|(block, _)| block).collect()
    }

    fn parent(&self, inner: usize) -> Option<usize> {
        let header = self.loops[inner].header;
        let around = self
            .loops
            .iter()
            .enumerate()
            .filter(|(index, outer)| *index != inner && outer.body.binary_search(&header).is_ok());
        around.min_by_key(|(_, outer)| outer.body.len()).map(|(index, _)| index)
    }
}

/// The blocks that control comes to, in reverse postorder.
pub fn reverse_postorder(successors: &IndexVec<BlockId, Vec<BlockId>>) -> Vec<BlockId> {
    let mut seen: IndexVec<BlockId, bool> = successors.iter().map(|_| false).collect();
    let mut order = Vec::new();
    if successors.is_empty() {
        return order;
    }
    let mut stack = vec![(BlockId(0), 0)];
    seen[BlockId(0)] = true;
    while let Some((block, next)) = stack.last_mut() {
        match successors[*block].get(*next) {
            Some(&to) => {
                *next += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    stack.push((to, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

fn dominators(
    order: &[BlockId],
    rank: &IndexVec<BlockId, Option<u32>>,
    predecessors: &IndexVec<BlockId, Vec<BlockId>>,
) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let mut dominator = vec![NONE; order.len()];
    if let Some(entry) = dominator.first_mut() {
        *entry = 0;
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (position, block) in order.iter().enumerate().skip(1) {
            let mut common = NONE;
            for from in predecessors[*block].iter().filter_map(|p| rank[*p]) {
                if dominator[from as usize] != NONE {
                    common = if common == NONE { from } else { meet(&dominator, common, from) };
                }
            }
            changed |= dominator[position] != common;
            dominator[position] = common;
        }
    }
    dominator
}

fn meet(dominator: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        if a > b {
            a = dominator[a as usize];
        } else {
            b = dominator[b as usize];
        }
    }
    a
}

fn cyclic(successors: &IndexVec<BlockId, Vec<BlockId>>) -> IndexVec<BlockId, bool> {
    let next: Vec<Vec<usize>> =
        successors.iter().map(|list| list.iter().map(|to| to.index()).collect()).collect();
    let mut cyclic: IndexVec<BlockId, bool> = successors.iter().map(|_| false).collect();
    for component in components(&next) {
        if component.len() > 1 || next[component[0]].contains(&component[0]) {
            component.iter().for_each(|block| cyclic[BlockId::from_usize(*block)] = true);
        }
    }
    cyclic
}

/// Strongly connected components (Tarjan), each after those it leads to.
pub fn components(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let (mut index, mut low) = (vec![NEW; next.len()], vec![0; next.len()]);
    let (mut open, mut on_stack) = (Vec::new(), vec![false; next.len()]);
    let (mut counter, mut found) = (0, Vec::new());
    for root in 0..next.len() {
        let mut calls = if index[root] == NEW { vec![(root, 0)] } else { Vec::new() };
        while let Some((node, position)) = calls.pop() {
            if position == 0 {
                (index[node], low[node]) = (counter, counter);
                counter += 1;
                open.push(node);
                on_stack[node] = true;
            } else {
                let child: usize = next[node][position - 1];
                low[node] = low[node].min(low[child]);
            }
            let mut descended = false;
            for (step, &to) in next[node].iter().enumerate().skip(position) {
                if index[to] == NEW {
                    calls.push((node, step + 1));
                    calls.push((to, 0));
                    descended = true;
                    break;
                }
                if on_stack[to] {
                    low[node] = low[node].min(index[to]);
                }
            }
            if !descended && low[node] == index[node] {
                let at = open.iter().rposition(|n| *n == node).expect("the root of a component is open");
                let component = open.split_off(at);
                component.iter().for_each(|n| on_stack[*n] = false);
                found.push(component);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::program;

    fn cfg(lines: &str) -> Cfg {
        let text = format!("fn &f(%0) -> i32 {{\nreg %0 i1\n{lines}\n}}\n");
        let program = program(&text);
        Cfg::new(&program.functions[braid_ir::FuncId(0)])
    }

    #[test]
    fn nested_loops() {
        let cfg = cfg("b0:\njump b1\nb1:\nbr %0, b2, b4\nb2:\nbr %0, b2, b3\nb3:\njump b1\nb4:\nret 0:i32");
        let loops: Vec<_> = cfg.loops.iter().map(|l| (l.header.0, l.body.len(), l.parent)).collect();
        assert_eq!(loops, [(1, 3, None), (2, 1, Some(0))]);
        assert!(cfg.irreducible.is_empty());
        assert!(cfg.repeats(BlockId(3)) && !cfg.repeats(BlockId(4)));
        assert!(cfg.dominates(BlockId(1), BlockId(3)) && !cfg.dominates(BlockId(2), BlockId(4)));
    }

    #[test]
    fn irreducible_regions_are_flagged() {
        let cfg = cfg("b0:\nbr %0, b1, b2\nb1:\nbr %0, b2, b3\nb2:\njump b1\nb3:\nret 0:i32");
        assert!(cfg.loops.is_empty());
        assert_eq!(cfg.irreducible.len(), 1);
        assert!(cfg.repeats(BlockId(1)) && cfg.repeats(BlockId(2)));
    }

    #[test]
    fn components_come_after_what_they_lead_to() {
        let found = components(&[vec![1], vec![2, 3], vec![1], vec![3], vec![0]]);
        let sizes: Vec<_> = found.iter().map(Vec::len).collect();
        assert_eq!(sizes, [1, 2, 1, 1]);
        assert_eq!(found[0], [3]);
    }
}
