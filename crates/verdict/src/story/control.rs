//! Which branch decided that an instruction was executed.
//!
//! Dynamic control dependence (Xin and Zhang, "Efficient online detection of dynamic control dependence",
//! ISSTA 2007): each activation keeps the branches it is under; one is over when control comes to the branch's
//! immediate post-dominator. Outside of all branches the call, or the start of the thread, decides.
//!
//! Leaving a loop that only looks at memory is a wait: everything the thread does afterwards depends on it,
//! although no branch says so. Those exits are listed apart.

use braid_base::{HashMap, Idx, IndexVec};
use braid_interp::watch::{Activation, Event};
use braid_ir::{BlockId, FuncId, Function, InstrId, Op, Program, TermKind};

/// Block numbers of one function with their post-dominators and loops.
struct Shape {
    /// `None` where control leaves the function.
    after: Vec<Option<usize>>,
    /// Blocks of one loop have the same number; 0 for none.
    ring: Vec<usize>,
    /// By ring: it reads memory and writes none.
    waits: Vec<bool>,
}

#[derive(Clone, Copy)]
struct Spot {
    block: usize,
    ends_block: bool,
    branches: bool,
}

pub(super) struct Control {
    /// By event: the event that decided that it happens.
    pub parent: Vec<Option<u32>>,
    /// By event: it is the last look at memory before a loop that waits is left.
    pub leaves_wait: Vec<bool>,
}

/// What an activation is doing.
#[derive(Default)]
struct Walk {
    /// Branch events and the blocks at which they are over.
    under: Vec<(u32, Option<usize>)>,
    enters: bool,
    /// The last branch and its ring.
    last: Option<(u32, usize)>,
}

pub(super) fn control(program: &Program, frames: &[Activation], events: &[&Event]) -> Control {
    let mut tables: HashMap<FuncId, (HashMap<InstrId, Spot>, Shape)> = HashMap::default();
    let mut walks: HashMap<u32, Walk> = HashMap::default();
    let mut result = Control { parent: vec![None; events.len()], leaves_wait: vec![false; events.len()] };
    for (index, event) in events.iter().enumerate() {
        let Some(frame) = frames.get(event.frame as usize) else { continue };
        let (spots, shape) =
            tables.entry(frame.func).or_insert_with(|| tables_of(&program.functions[frame.func]));
        let walk = walks.entry(event.frame).or_insert_with(|| Walk { enters: true, ..Walk::default() });
        let Some(spot) = spots.get(&event.instr) else { continue };
        if std::mem::take(&mut walk.enters) {
            while walk.under.last().is_some_and(|(_, over)| *over == Some(spot.block)) {
                walk.under.pop();
            }
            if let Some((branch, ring)) = walk.last.take()
                && shape.waits[ring]
                && shape.ring[spot.block] != ring
            {
                result.leaves_wait[branch as usize] = true;
            }
        }
        result.parent[index] = walk.under.last().map(|(branch, _)| *branch).or(frame.cause);
        if spot.ends_block {
            walk.enters = true;
            if spot.branches {
                walk.under.push((index as u32, shape.after[spot.block]));
                walk.last = Some((index as u32, shape.ring[spot.block]));
            }
        }
    }
    result
}

fn tables_of(function: &Function) -> (HashMap<InstrId, Spot>, Shape) {
    let mut spots = HashMap::default();
    for (block, code) in function.blocks.enumerated() {
        let block = block.index();
        for instr in &code.instrs {
            spots.insert(instr.id, Spot { block, ends_block: false, branches: false });
        }
        let branches = matches!(code.end.kind, TermKind::Branch { .. } | TermKind::Switch { .. });
        spots.insert(code.end.id, Spot { block, ends_block: true, branches });
    }
    let next: Vec<Vec<usize>> = function.blocks.iter().map(|block| successors(&block.end.kind)).collect();
    let ring = rings(&next);
    let count = ring.iter().max().map_or(1, |ring| ring + 1);
    let waits = (0..count).map(|number| number > 0 && waits(function, &ring, number)).collect();
    (spots, Shape { after: post_dominators(&next), ring, waits })
}

fn successors(end: &TermKind) -> Vec<usize> {
    let blocks: Vec<BlockId> = match end {
        TermKind::Jump(to) => vec![*to],
        TermKind::Branch { then, other, .. } => vec![*then, *other],
        TermKind::Switch { cases, default, .. } => {
            cases.iter().map(|(_, to)| *to).chain([*default]).collect()
        }
        TermKind::Return(_) | TermKind::Unreachable => Vec::new(),
    };
    blocks.iter().map(|block| block.index()).collect()
}

/// Blocks reachable from a block, itself only if there is a way back.
fn reachable(next: &[Vec<usize>], from: usize) -> Vec<bool> {
    let mut seen = vec![false; next.len()];
    let mut work = next[from].clone();
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut seen[block], true) {
            work.extend(&next[block]);
        }
    }
    seen
}

/// Numbers the loops: blocks that reach each other have the same number.
fn rings(next: &[Vec<usize>]) -> Vec<usize> {
    // Functions are small; a large one is not worth the square of its size.
    const LARGE: usize = 2000;
    let mut ring = vec![0; next.len()];
    if next.len() > LARGE {
        return ring;
    }
    let reach: Vec<Vec<bool>> = (0..next.len()).map(|block| reachable(next, block)).collect();
    let mut count = 0;
    for block in 0..next.len() {
        if ring[block] == 0 && reach[block][block] {
            count += 1;
            for other in block..next.len() {
                if reach[block][other] && reach[other][block] {
                    ring[other] = count;
                }
            }
        }
    }
    ring
}

/// Whether a loop looks at memory and changes none but by atomic operations.
fn waits(function: &Function, ring: &[usize], number: usize) -> bool {
    let blocks = function.blocks.enumerated().filter(|(block, _)| ring[block.index()] == number);
    let ops: Vec<&Op> = blocks.flat_map(|(_, code)| code.instrs.iter().map(|instr| &instr.op)).collect();
    let looks = |op: &&Op| matches!(op, Op::Load { .. } | Op::CmpXchg(_) | Op::Rmw { .. } | Op::Call { .. });
    let changes = |op: &&Op| matches!(op, Op::Store { .. } | Op::Copy { .. } | Op::Fill { .. });
    ops.iter().any(looks) && !ops.iter().any(changes)
}

/// The immediate post-dominator of every block, by iteration over sets.
fn post_dominators(next: &[Vec<usize>]) -> Vec<Option<usize>> {
    let count = next.len();
    // Distance from the end decides among post-dominators: all lie on every way to it.
    let mut order: Vec<usize> = Vec::new();
    let mut seen = vec![false; count];
    let mut before: IndexVec<BlockId, Vec<usize>> = (0..count).map(|_| Vec::new()).collect();
    for (block, to) in next.iter().enumerate() {
        to.iter().for_each(|to| before[BlockId(*to as u32)].push(block));
    }
    let mut work: std::collections::VecDeque<usize> = (0..count).filter(|b| next[*b].is_empty()).collect();
    work.iter().for_each(|block| seen[*block] = true);
    while let Some(block) = work.pop_front() {
        order.push(block);
        for &previous in &before[BlockId(block as u32)] {
            if !std::mem::replace(&mut seen[previous], true) {
                work.push_back(previous);
            }
        }
    }
    let rank: HashMap<usize, usize> = order.iter().enumerate().map(|(rank, block)| (*block, rank)).collect();
    let mut after: Vec<Option<usize>> = vec![None; count];
    let mut known: Vec<bool> = next.iter().map(|to| to.is_empty()).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for &block in order.iter().filter(|block| !next[**block].is_empty()) {
            let mut merged: Option<Option<usize>> = None;
            for &to in next[block].iter().filter(|to| known[**to]) {
                merged = Some(match merged {
                    None => Some(to),
                    Some(other) => common(&after, &rank, other, Some(to)),
                });
            }
            let merged = merged.flatten();
            if !known[block] || after[block] != merged {
                (known[block], after[block], changed) = (true, merged, true);
            }
        }
    }
    after
}

/// The first block that both ways to the end have in common; `None` is the end.
fn common(
    after: &[Option<usize>],
    rank: &HashMap<usize, usize>,
    mut a: Option<usize>,
    mut b: Option<usize>,
) -> Option<usize> {
    let mut fuel = 2 * after.len() + 2;
    while a != b {
        let (Some(x), Some(y)) = (a, b) else { return None };
        let (rank_x, rank_y) = (rank.get(&x)?, rank.get(&y)?);
        if rank_x >= rank_y {
            a = after[x]
        } else {
            b = after[y]
        }
        fuel -= 1;
        if fuel == 0 {
            return None;
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diamonds_and_loops() {
        // 0 → 1, 2 → 3 → 4; a loop 4 → 5 → 4 with exit 6.
        let next = [vec![1, 2], vec![3], vec![3], vec![4], vec![5, 6], vec![4], vec![]];
        let after = post_dominators(&next);
        assert_eq!(after, [Some(3), Some(3), Some(3), Some(4), Some(6), Some(4), None]);
        assert_eq!(rings(&next), [0, 0, 0, 0, 1, 1, 0]);
    }

    #[test]
    fn two_ends_and_no_end() {
        assert_eq!(post_dominators(&[vec![1, 2], vec![], vec![]]), [None, None, None]);
        let endless = post_dominators(&[vec![1], vec![0]]);
        assert_eq!(endless, [None, None]);
    }
}
