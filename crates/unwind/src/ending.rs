//! Functions that do not come back: they end their thread or the program, or abort.
//!
//! A loop can be left by a call of one that ends the thread or the program. An assertion that fails aborts, which is not a
//! way to leave a loop. The interpreter decides the same by itself (`interp/loops`): the judge shares no code with the
//! encoders.

use braid_analysis::cfg::successors;
use braid_base::{HashSet, Idx};
use braid_ir::*;

pub(crate) struct Ending {
    /// Per function: a call of it may return.
    returns: Vec<bool>,
    /// Per function: a call of it may end the thread or the program otherwise than by `abort`.
    ends: Vec<bool>,
    /// Per function: the user's code in it may decide to end the thread.
    leaves: Vec<bool>,
}

impl Ending {
    pub fn new(program: &Program) -> Ending {
        let count = program.functions.len();
        let mut ending =
            Ending { returns: vec![false; count], ends: vec![false; count], leaves: vec![false; count] };
        let mut changed = true;
        while changed {
            changed = false;
            for (func, function) in program.functions.enumerated() {
                if function.blocks.is_empty() {
                    continue;
                }
                let reached = ending.reached(function, BlockId(0));
                let blocks = || reached.iter().map(|block| &function.blocks[*block]);
                let comes_to_end = |block: &Block| !ending.stops(block);
                let is_return = |block: &Block| matches!(block.end.kind, TermKind::Return(_));
                let returns = blocks().any(|block| is_return(block) && comes_to_end(block));
                let ends = blocks().any(|block| ending.may_end(block));
                let known = (ending.returns[func.index()], ending.ends[func.index()]);
                if (returns, ends) != known {
                    (ending.returns[func.index()], ending.ends[func.index()]) = (returns, ends);
                    changed = true;
                }
            }
        }
        ending.find_leaving(program);
        ending
    }

    /// Functions of the user's that call `pthread_exit` or the like. (Other functions of the library end a thread that was
    /// cancelled, which is not a way out of a loop.)
    fn find_leaving(&mut self, program: &Program) {
        let mut changed = true;
        while changed {
            changed = false;
            for (func, function) in program.functions.enumerated() {
                if function.internal || function.blocks.is_empty() || self.leaves[func.index()] {
                    continue;
                }
                let reached = self.reached(function, BlockId(0));
                let leaves = |block: &BlockId| self.leaves_in(program, &function.blocks[*block]);
                self.leaves[func.index()] = reached.iter().any(leaves);
                changed |= self.leaves[func.index()];
            }
        }
    }

    /// Returns true if a call in the block ends the thread, or the user's code in a called function may.
    fn leaves_in(&self, program: &Program, block: &Block) -> bool {
        block.instrs.iter().any(|instr| {
            let Op::Call { callee: Callee::Direct(func), .. } = instr.op else { return false };
            let exits = |instr: &Instr| matches!(instr.op, Op::ExitThread { .. });
            let mut called = program.functions[func].blocks.iter().flat_map(|block| &block.instrs);
            self.leaves[func.index()] || !self.returns[func.index()] && called.any(exits)
        })
    }

    /// Returns true if the block calls a function in which the user's code may end the thread.
    pub fn calls_leaving(&self, block: &Block) -> bool {
        block.instrs.iter().any(|instr| match instr.op {
            Op::Call { callee: Callee::Direct(func), .. } => self.leaves[func.index()],
            _ => false,
        })
    }

    /// Returns true if control does not come to the end of the block.
    fn stops(&self, block: &Block) -> bool {
        block.instrs.iter().any(|instr| match &instr.op {
            Op::ExitThread { .. } | Op::ExitProgram { .. } | Op::Abort | Op::Unsupported { .. } => true,
            Op::Call { callee: Callee::Direct(func), .. } => !self.returns[func.index()],
            _ => false,
        })
    }

    /// Returns true if something in the block may end the thread or the program otherwise than by `abort`.
    fn may_end(&self, block: &Block) -> bool {
        block.instrs.iter().any(|instr| match &instr.op {
            Op::ExitThread { .. } | Op::ExitProgram { .. } => true,
            Op::Call { callee: Callee::Direct(func), .. } => self.ends[func.index()],
            _ => false,
        })
    }

    /// The blocks that control may come to from one of them.
    fn reached(&self, function: &Function, from: BlockId) -> HashSet<BlockId> {
        let mut seen = HashSet::default();
        let mut waiting = vec![from];
        while let Some(block) = waiting.pop() {
            if seen.insert(block) && !self.stops(&function.blocks[block]) {
                waiting.extend(successors(&function.blocks[block].end.kind));
            }
        }
        seen
    }

    /// Returns true if control that has come to the block never leaves it but by the end of the thread or the program.
    pub fn is_end(&self, function: &Function, mut at: BlockId) -> bool {
        for _ in 0..function.blocks.len() {
            let block = &function.blocks[at];
            if self.stops(block) {
                return self.may_end(block);
            }
            let TermKind::Jump(next) = block.end.kind else { return false };
            at = next;
        }
        false
    }

    /// Returns true if all that can follow is `abort`.
    pub fn only_aborts(&self, function: &Function, from: BlockId) -> bool {
        let after = self.reached(function, from);
        let goes_on = |block: &Block| {
            self.may_end(block) || matches!(block.end.kind, TermKind::Return(_)) && !self.stops(block)
        };
        !after.iter().any(|block| goes_on(&function.blocks[*block])) && !self.has_cycle(function, &after)
    }

    fn has_cycle(&self, function: &Function, blocks: &HashSet<BlockId>) -> bool {
        blocks.iter().any(|block| {
            let block = &function.blocks[*block];
            let next = if self.stops(block) { Vec::new() } else { successors(&block.end.kind) };
            next.iter().any(|next| {
                self.reached(function, *next).iter().any(|b| std::ptr::eq(&function.blocks[*b], block))
            })
        })
    }
}
