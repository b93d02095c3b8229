//! Which assignments are folded back into the expressions that use them.
//!
//! The IR has one operation per instruction. An assignment whose value is used once, later in the same block, is written
//! where it is used; addresses of objects are written wherever they are used. The rest become variables. The registers that are
//! compared at the head of a loop ([`crate::spinning`]) count as read there.

use braid_base::{HashMap, HashSet, Idx};
use braid_ir::{BlockId, Const, Expr, Function, Instr, Op, Operand, Program, RegId};

/// Tells which further operands are read with an instruction.
pub type Reads<'a> = &'a dyn Fn(&Instr) -> Vec<Operand>;

/// The assignments of a function that are written where they are used, and those that nobody uses.
#[derive(Default)]
pub struct Folds {
    /// By block and position.
    folded: HashSet<(BlockId, usize)>,
    dead: HashSet<(BlockId, usize)>,
}

impl Folds {
    /// Finds the folds of a function. `reads` tells the registers that the text reads beside an instruction.
    pub fn find(program: &Program, function: &Function, reads: Reads) -> Folds {
        let across = live_across(function, reads);
        let mut folds = Folds::default();
        for (block, code) in function.blocks.enumerated() {
            for (at, instr) in code.instrs.iter().enumerate() {
                let Op::Assign { dst, value } = &instr.op else { continue };
                if across.contains(dst) || value.operands().any(|operand| operand.reg() == Some(*dst)) {
                    continue;
                }
                let later = uses(function, reads, (block, at), *dst);
                let stays = later.last().is_none_or(|last| {
                    let operands: Vec<RegId> = value.operands().filter_map(Operand::reg).collect();
                    !is_set(function, block, at + 1, *last, &operands)
                });
                let is_address = is_address(program, value);
                match later.len() {
                    0 => _ = folds.dead.insert((block, at)),
                    1 if stays => _ = folds.folded.insert((block, at)),
                    _ if stays && is_address => _ = folds.folded.insert((block, at)),
                    _ => {}
                }
            }
        }
        folds
    }

    /// Returns true if the assignment is written where it is used.
    pub fn is_folded(&self, block: BlockId, at: usize) -> bool {
        self.folded.contains(&(block, at))
    }

    pub fn is_dead(&self, block: BlockId, at: usize) -> bool {
        self.dead.contains(&(block, at))
    }
}

/// Returns true for the address of an object, which costs nothing to write again.
pub fn is_address(program: &Program, value: &Expr) -> bool {
    match value {
        Expr::LocalAddr(_) | Expr::ThreadLocalAddr(_) | Expr::Use(_) => true,
        Expr::PtrAdd { offset: Operand::Const(offset), .. } => {
            matches!(program.consts.get(*offset), Const::Int { .. })
        }
        _ => false,
    }
}

/// Registers that a block reads before it sets them.
fn live_across(function: &Function, reads: Reads) -> HashSet<RegId> {
    let mut found = HashSet::default();
    for code in function.blocks.iter() {
        let mut set: HashSet<RegId> = HashSet::default();
        let mut read = |set: &HashSet<RegId>, operand: Operand| {
            found.extend(operand.reg().filter(|reg| !set.contains(reg)));
        };
        for instr in &code.instrs {
            // The guard of a section sets registers that it reads itself; those count as read before.
            instr.op.operands().chain(reads(instr)).for_each(|operand| read(&set, operand));
            instr.op.destinations(&mut |reg| _ = set.insert(reg));
        }
        if let Some(operand) = code.end.kind.operand() {
            read(&set, operand);
        }
    }
    found
}

/// The positions after `at` in the block where the register is read, until it is set again; the terminator is the position
/// after the last instruction.
fn uses(function: &Function, reads: Reads, (block, at): (BlockId, usize), reg: RegId) -> Vec<usize> {
    let code = &function.blocks[block];
    let mut found = Vec::new();
    for (index, instr) in code.instrs.iter().enumerate().skip(at + 1) {
        let count =
            instr.op.operands().chain(reads(instr)).filter(|operand| operand.reg() == Some(reg)).count();
        found.extend(std::iter::repeat_n(index, count));
        let mut set = false;
        instr.op.destinations(&mut |dst| set |= dst == reg);
        if set {
            return found;
        }
    }
    if code.end.kind.operand().and_then(Operand::reg) == Some(reg) {
        found.push(code.instrs.len());
    }
    found
}

/// Returns true if one of the registers is set from the position `from` on, before `until`.
fn is_set(function: &Function, block: BlockId, from: usize, until: usize, regs: &[RegId]) -> bool {
    let mut found = false;
    let instrs = &function.blocks[block].instrs;
    for instr in instrs.iter().take(until).skip(from) {
        instr.op.destinations(&mut |dst| found |= regs.contains(&dst));
    }
    found
}

/// The blocks in an order in which every edge leads forward, and the number of edges into each. The function has no loops.
pub fn forward_order(function: &Function) -> (Vec<BlockId>, HashMap<BlockId, usize>) {
    let mut edges: HashMap<BlockId, usize> = HashMap::default();
    let mut order = Vec::new();
    let mut state = vec![0u8; function.blocks.len()];
    let mut stack = vec![(BlockId(0), 0usize)];
    state[0] = 1;
    while let Some((block, next)) = stack.pop() {
        let successors = braid_analysis::cfg::successors(&function.blocks[block].end.kind);
        match successors.get(next) {
            Some(to) => {
                stack.push((block, next + 1));
                *edges.entry(*to).or_default() += 1;
                if state[to.index()] == 0 {
                    state[to.index()] = 1;
                    stack.push((*to, 0));
                }
            }
            None => order.push(block),
        }
    }
    order.reverse();
    (order, edges)
}
