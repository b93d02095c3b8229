//! Tidying a function that was made by copying: chains of blocks become one, assignments that nobody
//! reads go, registers and frame objects that are not mentioned go, blocks come in the order of control.

use super::rename::{Names, rename};
use braid_analysis::cfg::{reverse_postorder, successors};
use braid_analysis::liveness::at_entry;
use braid_base::{Idx, IndexVec};
use braid_ir::*;

/// Tidies a function. Assignments to the registers in `kept` stay, and so do empty blocks if there may be loops: they have
/// heads of their own. The operands in `mentioned` name registers of the function; they are renumbered with it. Returns the
/// instructions of each block, with the assignments that were dropped.
pub(super) fn tidy(
    function: &mut Function,
    kept: &IndexVec<RegId, bool>,
    loops: bool,
    mentioned: &mut [&mut Operand],
) -> IndexVec<BlockId, Vec<InstrId>> {
    if !loops {
        skip_empty(&mut function.blocks);
    }
    // A block that nothing leads to is no source of an edge either.
    in_order(&mut function.blocks);
    join_chains(&mut function.blocks);
    in_order(&mut function.blocks);
    let ids = |block: &Block| block.instrs.iter().map(|instr| instr.id).collect();
    let passed = function.blocks.iter().map(ids).collect();
    while drop_dead(function, kept) {}
    compact(function, mentioned);
    passed
}

/// Leads past blocks that only lead on. No block leads back to one before it.
fn skip_empty(blocks: &mut IndexVec<BlockId, Block>) {
    let mut to: IndexVec<BlockId, BlockId> = blocks.ids().collect();
    for id in blocks.ids() {
        let mut target = id;
        while let (true, TermKind::Jump(next)) = (blocks[target].instrs.is_empty(), &blocks[target].end.kind)
        {
            target = *next;
        }
        to[id] = target;
    }
    for block in blocks.iter_mut() {
        redirect(&mut block.end.kind, &to);
        let only = match successors(&block.end.kind).as_slice() {
            [only] => *only,
            _ => continue,
        };
        block.end.kind = TermKind::Jump(only);
    }
}

fn redirect(end: &mut TermKind, to: &IndexVec<BlockId, BlockId>) {
    match end {
        TermKind::Jump(block) => *block = to[*block],
        TermKind::Branch { then, other, .. } => (*then, *other) = (to[*then], to[*other]),
        TermKind::Switch { cases, default, .. } => {
            cases.iter_mut().for_each(|(_, block)| *block = to[*block]);
            *default = to[*default];
        }
        TermKind::Return(_) | TermKind::Unreachable => {}
    }
}

/// Appends to each block the one that only it leads to.
fn join_chains(blocks: &mut IndexVec<BlockId, Block>) {
    let mut sources: IndexVec<BlockId, u32> = blocks.iter().map(|_| 0).collect();
    sources[BlockId(0)] = 1;
    for to in blocks.iter().flat_map(|block| successors(&block.end.kind)) {
        sources[to] += 1;
    }
    for id in blocks.ids() {
        while let TermKind::Jump(to) = blocks[id].end.kind
            && sources[to] == 1
            && to != id
        {
            let taken = &mut blocks[to];
            let end = Terminator { kind: TermKind::Unreachable, ..taken.end };
            let (instrs, end) = (std::mem::take(&mut taken.instrs), std::mem::replace(&mut taken.end, end));
            blocks[id].instrs.extend(instrs);
            blocks[id].end = end;
            // It leads to itself no more.
            sources[to] = 0;
        }
    }
}

/// Blocks that control comes to, each before those it leads to but for loops.
fn in_order(blocks: &mut IndexVec<BlockId, Block>) {
    let next: IndexVec<BlockId, Vec<BlockId>> =
        blocks.iter().map(|block| successors(&block.end.kind)).collect();
    let order = reverse_postorder(&next);
    let mut place: IndexVec<BlockId, BlockId> = blocks.ids().collect();
    for (index, id) in order.iter().enumerate() {
        place[*id] = BlockId::from_usize(index);
    }
    let mut old: Vec<Option<Block>> =
        std::mem::take(blocks).iter().map(|block| Some(block.clone())).collect();
    for id in order {
        let mut block = old[id.index()].take().expect("a block comes once in the order");
        redirect(&mut block.end.kind, &place);
        blocks.push(block);
    }
}

/// Drops assignments and arbitrary values of registers that are not read afterwards; returns true if there were some.
fn drop_dead(function: &mut Function, kept: &IndexVec<RegId, bool>) -> bool {
    let live = at_entry(function);
    let mut dropped = false;
    for block in function.blocks.iter_mut() {
        let mut now = braid_analysis::Bits::default();
        for next in successors(&block.end.kind) {
            now.union(&live[next]);
        }
        now.extend(block.end.kind.operand().and_then(Operand::reg).map(|reg| reg.index()));
        let before = block.instrs.len();
        let mut rest: Vec<Instr> = Vec::with_capacity(before);
        for instr in std::mem::take(&mut block.instrs).into_iter().rev() {
            if unread(&instr.op).is_some_and(|dst| !now.contains(dst.index()) && !kept[dst]) {
                continue;
            }
            instr.op.destinations(&mut |reg| now.remove(&braid_analysis::Bits::one(reg.index())));
            now.extend(instr.op.operands().filter_map(Operand::reg).map(|reg| reg.index()));
            rest.push(instr);
        }
        rest.reverse();
        dropped |= rest.len() < before;
        block.instrs = rest;
    }
    dropped
}

/// The register of an operation that does nothing if nobody reads it. A division by zero ends the run.
fn unread(op: &Op) -> Option<RegId> {
    let divides = |value: &Expr| {
        matches!(value, Expr::Binary { op: BinOp::SDiv | BinOp::UDiv | BinOp::SRem | BinOp::URem, .. })
    };
    if let Op::Assign { dst, .. } | Op::Nondet { dst, kind: ChoiceKind::Uninit, .. } = op {
        let divides = matches!(op, Op::Assign { value, .. } if divides(value));
        return (!divides).then_some(*dst);
    }
    None
}

/// Numbers what is mentioned anew.
fn compact(function: &mut Function, mentioned: &mut [&mut Operand]) {
    let mut used = Used {
        regs: function.regs.iter().map(|_| None).collect(),
        locals: function.locals.iter().map(|_| None).collect(),
        new_regs: IndexVec::new(),
        new_locals: IndexVec::new(),
        old_regs: std::mem::take(&mut function.regs),
        old_locals: std::mem::take(&mut function.locals),
    };
    function.params.iter_mut().for_each(|param| *param = used.reg(*param));
    for block in function.blocks.iter_mut() {
        for instr in &mut block.instrs {
            instr.op = rename(&instr.op, &mut used);
        }
        match &mut block.end.kind {
            TermKind::Branch { cond: read, .. }
            | TermKind::Switch { value: read, .. }
            | TermKind::Return(Some(read)) => *read = used.operand(*read),
            TermKind::Jump(_) | TermKind::Return(None) | TermKind::Unreachable => {}
        }
    }
    for operand in mentioned {
        **operand = used.operand(**operand);
    }
    (function.regs, function.locals) = (used.new_regs, used.new_locals);
}

struct Used {
    regs: IndexVec<RegId, Option<RegId>>,
    locals: IndexVec<LocalId, Option<LocalId>>,
    new_regs: IndexVec<RegId, Reg>,
    new_locals: IndexVec<LocalId, Local>,
    old_regs: IndexVec<RegId, Reg>,
    old_locals: IndexVec<LocalId, Local>,
}

impl Names for Used {
    fn operand(&mut self, operand: Operand) -> Operand {
        match operand {
            Operand::Reg(reg) => Operand::Reg(self.reg(reg)),
            Operand::Const(id) => Operand::Const(id),
        }
    }

    fn reg(&mut self, reg: RegId) -> RegId {
        let (list, old) = (&mut self.new_regs, &self.old_regs);
        *self.regs[reg].get_or_insert_with(|| list.push(old[reg].clone()))
    }

    fn local(&mut self, local: LocalId) -> LocalId {
        let (list, old) = (&mut self.new_locals, &self.old_locals);
        *self.locals[local].get_or_insert_with(|| list.push(old[local].clone()))
    }

    fn guarded(&mut self, instr: &Instr) -> Instr {
        Instr { op: rename(&instr.op, self), ..instr.clone() }
    }
}
