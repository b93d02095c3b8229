//! What the text of a function says of its registers and frame objects, without any values.
//!
//! *Claim*: a register that is not live at the beginning of a block is not read before it is set on any path from there; a
//! frame object that is not open at a point of a frame has no living object of that frame. *Proof*: both are the least
//! solutions of the usual equations over the control-flow graph; `LocalLive` opens, `LocalDead` closes.

use braid_base::{Idx, IndexVec};
use braid_ir::{BlockId, Function, LocalId, Op, RegId, TermKind};
use std::collections::BTreeSet;

#[derive(Debug)]
pub(super) struct Flow {
    pub live: IndexVec<BlockId, BTreeSet<RegId>>,
    pub open: IndexVec<BlockId, BTreeSet<LocalId>>,
    /// Registers that some instruction sets.
    pub set: BTreeSet<RegId>,
    /// Blocks that may be entered again after they were left.
    pub cyclic: BTreeSet<BlockId>,
}

impl Flow {
    pub fn new(function: &Function) -> Flow {
        let mut set = BTreeSet::new();
        for instr in function.blocks.iter().flat_map(|block| &block.instrs) {
            instr.op.destinations(&mut |reg| {
                set.insert(reg);
            });
        }
        Flow { live: live(function), open: open(function), set, cyclic: cyclic(function) }
    }
}

pub(super) fn successors(kind: &TermKind) -> Vec<BlockId> {
    match kind {
        TermKind::Jump(to) => vec![*to],
        TermKind::Branch { then, other, .. } => vec![*then, *other],
        TermKind::Switch { cases, default, .. } => {
            cases.iter().map(|(_, block)| *block).chain([*default]).collect()
        }
        TermKind::Return(_) | TermKind::Unreachable => Vec::new(),
    }
}

/// A block is not on a cycle if all blocks that lead to it are in no cycle with it: those that can be taken away one after the other
/// from either end of the graph are on none.
fn cyclic(function: &Function) -> BTreeSet<BlockId> {
    let mut left: BTreeSet<BlockId> = function.blocks.ids().collect();
    let edges: Vec<(BlockId, BlockId)> = function
        .blocks
        .enumerated()
        .flat_map(|(from, block)| successors(&block.end.kind).into_iter().map(move |to| (from, to)))
        .collect();
    loop {
        let inside = || edges.iter().filter(|(from, to)| left.contains(from) && left.contains(to));
        let entered: BTreeSet<BlockId> = inside().map(|(_, to)| *to).collect();
        let leaving: BTreeSet<BlockId> = inside().map(|(from, _)| *from).collect();
        let kept: BTreeSet<BlockId> = entered.intersection(&leaving).copied().collect();
        if kept.len() == left.len() {
            return left;
        }
        left = kept;
    }
}

fn live(function: &Function) -> IndexVec<BlockId, BTreeSet<RegId>> {
    let mut live: IndexVec<BlockId, BTreeSet<RegId>> =
        function.blocks.iter().map(|_| BTreeSet::new()).collect();
    loop {
        let mut changed = false;
        for index in (0..function.blocks.len()).rev() {
            let block = &function.blocks[BlockId::from_usize(index)];
            let mut now: BTreeSet<RegId> =
                successors(&block.end.kind).into_iter().flat_map(|to| live[to].iter().copied()).collect();
            now.extend(block.end.kind.operand().and_then(|operand| operand.reg()));
            for instr in block.instrs.iter().rev() {
                instr.op.destinations(&mut |reg| {
                    now.remove(&reg);
                });
                now.extend(instr.op.operands().filter_map(|operand| operand.reg()));
            }
            if now != live[BlockId::from_usize(index)] {
                live[BlockId::from_usize(index)] = now;
                changed = true;
            }
        }
        if !changed {
            return live;
        }
    }
}

fn open(function: &Function) -> IndexVec<BlockId, BTreeSet<LocalId>> {
    let mut open: IndexVec<BlockId, BTreeSet<LocalId>> =
        function.blocks.iter().map(|_| BTreeSet::new()).collect();
    loop {
        let mut changed = false;
        for (id, block) in function.blocks.enumerated() {
            let mut now = open[id].clone();
            for instr in &block.instrs {
                step(&instr.op, &mut now);
            }
            for to in successors(&block.end.kind) {
                let before = open[to].len();
                open[to].extend(now.iter().copied());
                changed |= open[to].len() != before;
            }
        }
        if !changed {
            return open;
        }
    }
}

/// What an operation does to the set of open frame objects.
pub(super) fn step(op: &Op, open: &mut BTreeSet<LocalId>) {
    if let Op::LocalLive { local } = op {
        open.insert(*local);
    }
    if let Op::LocalDead { local } = op {
        open.remove(local);
    }
}
