//! Cleans up a function's control-flow graph once its body is complete.
//!
//! * Empty blocks that only jump are skipped; blocks nothing leads to are dropped; a block that is
//!   reached only by one jump becomes part of the block before. An empty block stays where it is the head of
//!   one loop and leads to the head of another one: `for (;;) { while (!flag); work(); }` is two loops, of which
//!   the inner one has an exit, and not one loop like `for (;;) { if (flag) work(); }`.
//! * An arbitrary value given to an uninitialised variable is dropped if the variable is written
//!   before it can be read: `int x; x = f();` is no choice.
//!
//! Nothing here moves or merges visible operations.

use braid_base::faults::active;
use braid_base::{HashSet, Idx, IndexVec};
use braid_ir::{Block, BlockId, ChoiceKind, Instr, Op, Operand, RegId, TermKind};

pub(crate) fn tidy(mut blocks: IndexVec<BlockId, Block>) -> IndexVec<BlockId, Block> {
    skip_empty_blocks(&mut blocks);
    let mut blocks = join_chains(blocks);
    drop_unused_results(&mut blocks);
    drop_dead_choices(&mut blocks);
    blocks
}

/// A call or join whose result is never read has none: should the callee return nothing, the value is
/// no choice either.
fn drop_unused_results(blocks: &mut IndexVec<BlockId, Block>) {
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    for block in blocks.iter() {
        for instr in &block.instrs {
            effects(&instr.op, &mut reads, &mut writes);
        }
        reads.extend(block.end.kind.operand());
    }
    let read: HashSet<RegId> = reads.into_iter().filter_map(Operand::reg).collect();
    for instr in blocks.iter_mut().flat_map(|block| &mut block.instrs) {
        if let Op::Call { dst, .. } | Op::Join { dst, .. } = &mut instr.op {
            *dst = dst.filter(|dst| read.contains(dst));
        }
    }
}

/// Calls `f` on every block a terminator leads to.
fn targets(kind: &mut TermKind, mut f: impl FnMut(&mut BlockId)) {
    match kind {
        TermKind::Jump(target) => f(target),
        TermKind::Branch { then, other, .. } => {
            f(then);
            f(other);
        }
        TermKind::Switch { cases, default, .. } => {
            cases.iter_mut().for_each(|(_, target)| f(target));
            f(default);
        }
        TermKind::Return(_) | TermKind::Unreachable => {}
    }
}

fn skip_empty_blocks(blocks: &mut IndexVec<BlockId, Block>) {
    let mut next: Vec<Option<BlockId>> = blocks
        .iter()
        .map(|block| match block.end.kind {
            TermKind::Jump(target) if block.instrs.is_empty() => Some(target),
            _ => None,
        })
        .collect();
    keep_heads_apart(blocks, &mut next);
    // The block where each chain ends; chains that run in circles (an empty endless loop) stay.
    let mut last: Vec<Option<BlockId>> = vec![None; next.len()];
    let mut seen_from: Vec<Option<usize>> = vec![None; next.len()];
    for start in 0..next.len() {
        let mut chain = Vec::new();
        let mut at = BlockId::from_usize(start);
        while let (None, Some(target)) = (last[at.index()], next[at.index()]) {
            if seen_from[at.index()].replace(start) == Some(start) {
                break;
            }
            chain.push(at);
            at = target;
        }
        let end = last[at.index()].unwrap_or(at);
        for block in chain {
            last[block.index()] = Some(end);
        }
    }
    for block in blocks.iter_mut() {
        targets(&mut block.end.kind, |target| *target = last[target.index()].unwrap_or(*target));
        simplify(&mut block.end.kind);
    }
}

/// An empty block that loops come back to is not skipped if another loop comes back to where it leads.
fn keep_heads_apart(blocks: &mut IndexVec<BlockId, Block>, next: &mut [Option<BlockId>]) {
    if active("loop-heads-merged") {
        return;
    }
    let heads = heads(blocks);
    let empty = next.to_vec();
    for start in (0..next.len()).filter(|start| heads[*start]) {
        let mut at = empty[start];
        // A chain is no longer than there are blocks, unless it runs in circles.
        for _ in 0..empty.len() {
            let Some(target) = at.filter(|target| target.index() != start) else { break };
            if heads[target.index()] {
                next[start] = None;
                break;
            }
            at = empty[target.index()];
        }
    }
}

/// The blocks that control comes back to: where an edge leads to a block from which a depth-first search is not yet
/// back.
fn heads(blocks: &mut IndexVec<BlockId, Block>) -> Vec<bool> {
    let (mut heads, mut seen, mut open) =
        (vec![false; blocks.len()], vec![false; blocks.len()], vec![false; blocks.len()]);
    let mut stack = vec![(BlockId(0), false)];
    while let Some((id, done)) = stack.pop() {
        if done {
            open[id.index()] = false;
            continue;
        }
        if std::mem::replace(&mut seen[id.index()], true) {
            continue;
        }
        open[id.index()] = true;
        stack.push((id, true));
        targets(&mut blocks[id].end.kind, |target| {
            heads[target.index()] |= open[target.index()];
            stack.push((*target, false));
        });
    }
    heads
}

/// A branch both of whose ways lead to one block is a jump.
fn simplify(kind: &mut TermKind) {
    if let TermKind::Branch { then, other, .. } = kind
        && then == other
    {
        *kind = TermKind::Jump(*then);
    }
}

/// Keeps what is reachable, in depth-first order of first visit, with chains joined.
fn join_chains(mut blocks: IndexVec<BlockId, Block>) -> IndexVec<BlockId, Block> {
    let count = blocks.len();
    let mut entries = vec![0u32; count];
    let mut reached = vec![false; count];
    let mut stack = vec![BlockId(0)];
    entries[0] = 1;
    while let Some(id) = stack.pop() {
        if std::mem::replace(&mut reached[id.index()], true) {
            continue;
        }
        targets(&mut blocks[id].end.kind, |target| {
            entries[target.index()] += 1;
            stack.push(*target);
        });
    }
    let mut absorbed = vec![false; count];
    for index in 0..count {
        let id = BlockId::from_usize(index);
        if !reached[index] || absorbed[index] {
            continue;
        }
        while let TermKind::Jump(next) = blocks[id].end.kind {
            if next == id || next == BlockId(0) || entries[next.index()] != 1 || absorbed[next.index()] {
                break;
            }
            absorbed[next.index()] = true;
            let mut tail = std::mem::take(&mut blocks[next].instrs);
            let end = blocks[next].end.clone();
            blocks[id].instrs.append(&mut tail);
            blocks[id].end = end;
        }
    }
    renumber(blocks, &reached, &absorbed)
}

fn renumber(
    mut blocks: IndexVec<BlockId, Block>,
    reached: &[bool],
    absorbed: &[bool],
) -> IndexVec<BlockId, Block> {
    let mut numbers = vec![None; blocks.len()];
    let mut order = Vec::new();
    let mut stack = vec![BlockId(0)];
    while let Some(id) = stack.pop() {
        if numbers[id.index()].is_some() || !reached[id.index()] || absorbed[id.index()] {
            continue;
        }
        numbers[id.index()] = Some(BlockId::from_usize(order.len()));
        order.push(id);
        let mut successors = Vec::new();
        targets(&mut blocks[id].end.kind, |target| successors.push(*target));
        stack.extend(successors.into_iter().rev());
    }
    let mut result = IndexVec::new();
    for id in order {
        let instrs = std::mem::take(&mut blocks[id].instrs);
        let mut end = blocks[id].end.clone();
        targets(&mut end.kind, |target| *target = numbers[target.index()].unwrap_or(*target));
        result.push(Block { instrs, end });
    }
    result
}

/// Removes `nondet uninit` instructions whose register is overwritten before it is read, by a
/// liveness analysis of just those registers.
fn drop_dead_choices(blocks: &mut IndexVec<BlockId, Block>) {
    let mut candidates: Vec<RegId> = blocks
        .iter()
        .flat_map(|block| &block.instrs)
        .filter_map(|instr| match instr.op {
            Op::Nondet { dst, kind: ChoiceKind::Uninit, .. } => Some(dst),
            _ => None,
        })
        .collect();
    candidates.sort_unstable();
    candidates.dedup();
    if candidates.is_empty() {
        return;
    }
    let live_in = live_at_entry(blocks, &candidates);
    for index in 0..blocks.len() {
        let block = &mut blocks[BlockId::from_usize(index)];
        let mut live = live_at_end(block, &live_in, &candidates);
        let mut kept = Vec::with_capacity(block.instrs.len());
        for instr in std::mem::take(&mut block.instrs).into_iter().rev() {
            if let Op::Nondet { dst, kind: ChoiceKind::Uninit, .. } = instr.op
                && !live.contains(&candidates, dst)
            {
                continue;
            }
            step_back(&instr, &candidates, &mut live);
            kept.push(instr);
        }
        kept.reverse();
        block.instrs = kept;
    }
}

/// A set of candidate registers, one bit each.
#[derive(Clone, PartialEq)]
struct RegSet(Vec<u64>);

impl RegSet {
    fn empty(candidates: &[RegId]) -> RegSet {
        RegSet(vec![0; candidates.len().div_ceil(64)])
    }

    fn set(&mut self, candidates: &[RegId], reg: RegId, value: bool) {
        if let Ok(slot) = candidates.binary_search(&reg) {
            let bit = 1 << (slot % 64);
            let word = &mut self.0[slot / 64];
            *word = if value { *word | bit } else { *word & !bit };
        }
    }

    fn contains(&self, candidates: &[RegId], reg: RegId) -> bool {
        candidates.binary_search(&reg).is_ok_and(|slot| self.0[slot / 64] >> (slot % 64) & 1 == 1)
    }

    fn add_all(&mut self, other: &RegSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, more)| *word |= more);
    }
}

/// Of these registers, ascending, those that may be read before they are written from a block on.
pub(crate) fn live_in(mut blocks: IndexVec<BlockId, Block>, from: BlockId, regs: &[RegId]) -> Vec<RegId> {
    let live = live_at_entry(&mut blocks, regs);
    regs.iter().copied().filter(|reg| live[from.index()].contains(regs, *reg)).collect()
}

fn live_at_entry(blocks: &mut IndexVec<BlockId, Block>, candidates: &[RegId]) -> Vec<RegSet> {
    let count = blocks.len();
    let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); count];
    for index in 0..count {
        let id = BlockId::from_usize(index);
        targets(&mut blocks[id].end.kind, |target| predecessors[target.index()].push(index));
    }
    let mut live_in = vec![RegSet::empty(candidates); count];
    let mut queued = vec![true; count];
    let mut work: Vec<usize> = (0..count).collect();
    while let Some(index) = work.pop() {
        queued[index] = false;
        let block = &mut blocks[BlockId::from_usize(index)];
        let mut live = live_at_end(block, &live_in, candidates);
        for instr in block.instrs.iter().rev() {
            step_back(instr, candidates, &mut live);
        }
        if live != live_in[index] {
            live_in[index] = live;
            for &before in &predecessors[index] {
                if !std::mem::replace(&mut queued[before], true) {
                    work.push(before);
                }
            }
        }
    }
    live_in
}

/// What is live after the last instruction: what the terminator reads and what its targets need.
fn live_at_end(block: &mut Block, live_in: &[RegSet], candidates: &[RegId]) -> RegSet {
    let mut live = RegSet::empty(candidates);
    targets(&mut block.end.kind, |target| live.add_all(&live_in[target.index()]));
    let read = match &block.end.kind {
        TermKind::Branch { cond, .. } => Some(*cond),
        TermKind::Switch { value, .. } => Some(*value),
        TermKind::Return(value) => *value,
        TermKind::Jump(_) | TermKind::Unreachable => None,
    };
    if let Some(Operand::Reg(reg)) = read {
        live.set(candidates, reg, true);
    }
    live
}

fn step_back(instr: &Instr, candidates: &[RegId], live: &mut RegSet) {
    let mut reads = Vec::new();
    let mut writes = Vec::new();
    effects(&instr.op, &mut reads, &mut writes);
    for reg in writes {
        live.set(candidates, reg, false);
    }
    for operand in reads {
        if let Operand::Reg(reg) = operand {
            live.set(candidates, reg, true);
        }
    }
}

/// The operands an instruction reads and the registers it writes; those of a guard do not count as written.
fn effects(op: &Op, reads: &mut Vec<Operand>, writes: &mut Vec<RegId>) {
    reads.extend(op.operands());
    if !matches!(op, Op::AtomicBegin { .. }) {
        op.destinations(&mut |reg| writes.push(reg));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::ir_of;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&ir_of(text));
    }

    #[test]
    fn an_uninitialised_variable_is_a_choice_only_if_read() {
        check(
            "int g(void) { return 1; } int f(int n) { int a, b; a = g(); if (n) b = 1; return a + b; }",
            expect![[r#"
                fn &f(%n.0) -> i32
                b0:
                  %b.2 = nondet i32 uninit
                  %a.1 = call &g()
                  %4 = ne i32 %n.0, 0:i32
                  br %4, b1, b2
                b1:
                  %b.2 = 1:i32
                  jump b2
                b2:
                  assert signed-overflow, fits add signed i32 %a.1, %b.2
                  %5 = add i32 %a.1, %b.2
                  ret %5
                }
            "#]],
        );
    }

    #[test]
    fn an_empty_endless_loop_stays() {
        check(
            "void f(void) { for (;;); }",
            expect![[r#"
                fn &f()
                b0:
                  jump b1
                b1:
                  jump b1
                }
            "#]],
        );
    }

    #[test]
    fn loops_that_begin_at_one_place_keep_their_heads() {
        check(
            "int flag; void f(void) { for (;;) { while (!flag); flag = 0; } }",
            expect![[r#"
                fn &f()
                b0:
                  jump b1
                b1:
                  jump b2
                b2:
                  %0 = load i32 @flag
                  %1 = ne i32 %0, 0:i32
                  br %1, b3, b2
                b3:
                  store i32 @flag, 0:i32
                  jump b1
                }
            "#]],
        );
        // One head for one loop, and none for a loop that is never repeated.
        check(
            "int flag; void f(void) { for (;;) { if (flag) flag = 0; } }",
            expect![[r#"
            fn &f()
            b0:
              jump b1
            b1:
              %0 = load i32 @flag
              %1 = ne i32 %0, 0:i32
              br %1, b2, b1
            b2:
              store i32 @flag, 0:i32
              jump b1
            }
        "#]],
        );
        check(
            "int flag; void f(void) { do { while (!flag); flag = 0; } while (0); }",
            expect![[r#"
            fn &f()
            b0:
              jump b1
            b1:
              %0 = load i32 @flag
              %1 = ne i32 %0, 0:i32
              br %1, b2, b1
            b2:
              store i32 @flag, 0:i32
              ret
            }
        "#]],
        );
    }
}
