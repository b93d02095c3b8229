//! What the text of a function says of the order in which its blocks are looked at, and of the numbers that its loops stop at.

use braid_analysis::Cfg;
use braid_base::IndexVec;
use braid_ir::{BlockId, Const, Expr, FuncId, Function, Op, Operand, Program, RegId, TermKind};
use std::collections::BTreeSet;

pub struct Shape {
    /// Blocks in reverse postorder.
    pub order: Vec<BlockId>,
    /// Positions in reverse postorder.
    pub rank: IndexVec<BlockId, u32>,
    pub heads: BTreeSet<BlockId>,
    /// Registers that conditions are computed from.
    pub deciding: BTreeSet<RegId>,
    /// Numbers that values of loops are widened to, ascending.
    pub thresholds: Vec<i128>,
}

impl Shape {
    pub fn new(program: &Program, id: FuncId) -> Shape {
        let function = &program.functions[id];
        let cfg = Cfg::new(function);
        let mut rank: IndexVec<BlockId, u32> = function.blocks.iter().map(|_| u32::MAX).collect();
        for (position, block) in (0..).zip(&cfg.order) {
            rank[*block] = position;
        }
        let heads = cfg.loops.iter().map(|l| l.header).chain(cfg.irreducible.iter().copied()).collect();
        let deciding = deciding(function);
        Shape {
            order: cfg.order.clone(),
            rank,
            heads,
            deciding,
            thresholds: thresholds(program, [function].into_iter()),
        }
    }
}

/// The registers that the conditions of branches are computed from.
fn deciding(function: &Function) -> BTreeSet<RegId> {
    let condition = |end: &TermKind| match end {
        TermKind::Branch { cond, .. } => cond.reg(),
        TermKind::Switch { value, .. } => value.reg(),
        TermKind::Jump(_) | TermKind::Return(_) | TermKind::Unreachable => None,
    };
    let mut found: BTreeSet<RegId> =
        function.blocks.iter().filter_map(|block| condition(&block.end.kind)).collect();
    loop {
        let before = found.len();
        for instr in function.blocks.iter().flat_map(|block| &block.instrs) {
            if let Op::Assign { dst, value } = &instr.op
                && found.contains(dst)
            {
                found.extend(value.operands().filter_map(Operand::reg));
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The constants that functions compare with, and their neighbours.
pub fn thresholds<'f>(program: &Program, functions: impl Iterator<Item = &'f Function>) -> Vec<i128> {
    let mut found = BTreeSet::from([0, 1]);
    let mut add = |operand: Operand| {
        if let Operand::Const(id) = operand
            && let Const::Int { width, bits } = program.consts.get(id)
        {
            let value = braid_ir::fold::signed(bits, width);
            found.extend([value.saturating_sub(1), value, value.saturating_add(1)]);
        }
    };
    for instr in functions.flat_map(|function| function.blocks.iter().flat_map(|block| &block.instrs)) {
        if let Op::Assign { value: Expr::Compare { a, b, .. }, .. }
        | Op::Assert { cond: Expr::Compare { a, b, .. }, .. } = &instr.op
        {
            add(*a);
            add(*b);
        }
    }
    found.into_iter().collect()
}
