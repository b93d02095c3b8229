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
        block.instrs.iter().any(|instr| match exit(&instr.op) {
            Exit::Calls(func) => self.leaves[func.index()],
            Exit::Ends | Exit::Aborts | Exit::GoesOn => false,
        })
    }

    /// Returns true if control does not come to the end of the block.
    fn stops(&self, block: &Block) -> bool {
        block.instrs.iter().any(|instr| match exit(&instr.op) {
            Exit::Ends | Exit::Aborts => true,
            Exit::Calls(func) => !self.returns[func.index()],
            Exit::GoesOn => false,
        })
    }

    /// Returns true if something in the block may end the thread or the program otherwise than by `abort`.
    fn may_end(&self, block: &Block) -> bool {
        block.instrs.iter().any(|instr| match exit(&instr.op) {
            Exit::Ends => true,
            Exit::Calls(func) => self.ends[func.index()],
            Exit::Aborts | Exit::GoesOn => false,
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
        blocks.iter().any(|id| {
            let block = &function.blocks[*id];
            let next = if self.stops(block) { Vec::new() } else { successors(&block.end.kind) };
            next.iter().any(|next| self.reached(function, *next).contains(id))
        })
    }
}

/// The way in which an operation leaves its function other than by a return.
enum Exit {
    /// It ends the thread or the program.
    Ends,
    /// It aborts, or the run stops there.
    Aborts,
    /// It depends on the function that is called.
    Calls(FuncId),
    GoesOn,
}

/// Names every operation: a new one that ends a thread must not be taken for one that goes on.
fn exit(op: &Op) -> Exit {
    match op {
        Op::ExitThread { .. } | Op::ExitProgram { .. } => Exit::Ends,
        Op::Abort | Op::Unsupported { .. } => Exit::Aborts,
        Op::Call { callee: Callee::Direct(func), .. } => Exit::Calls(*func),
        Op::Call { callee: Callee::Pointer(_), .. }
        | Op::Assign { .. }
        | Op::Load { .. }
        | Op::Store { .. }
        | Op::Rmw { .. }
        | Op::CmpXchg(_)
        | Op::Fence { .. }
        | Op::Copy { .. }
        | Op::Fill { .. }
        | Op::Assume { .. }
        | Op::Assert { .. }
        | Op::Alloc { .. }
        | Op::Free { .. }
        | Op::LocalLive { .. }
        | Op::LocalDead { .. }
        | Op::Nondet { .. }
        | Op::Input { .. }
        | Op::Output { .. }
        | Op::Spawn { .. }
        | Op::Join { .. }
        | Op::Detach { .. }
        | Op::ThreadState { .. }
        | Op::Pair { .. }
        | Op::Lock { .. }
        | Op::TryLock { .. }
        | Op::Unlock { .. }
        | Op::AtomicBegin { .. }
        | Op::AtomicEnd
        | Op::SelfHandle { .. }
        | Op::SelfNumber { .. }
        | Op::Partial { .. } => Exit::GoesOn,
    }
}
