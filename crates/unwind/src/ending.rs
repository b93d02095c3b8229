//! Functions that do not come back: they end their thread or the program, or abort.
//!
//! A loop can be left by a call of one that ends the thread or the program. An assertion that fails aborts, which is not a
//! way to leave a loop. The interpreter decides the same by itself (`interp/loops`): the judge shares no code with the
//! encoders.

use braid_analysis::cfg::successors;
use braid_base::faults::active;
use braid_base::{HashSet, Idx};
use braid_ir::*;
use std::collections::BTreeSet;

pub(crate) struct Ending {
    /// Per function: a call of it may return.
    returns: Vec<bool>,
    /// Per function: a call of it may end the thread or the program otherwise than by `abort`.
    ends: Vec<bool>,
    /// Per function: the user's code in it may decide to end the thread or the program.
    leaves: Vec<bool>,
    /// Functions whose address is used: calls through pointers come to them.
    values: BTreeSet<FuncId>,
}

impl Ending {
    pub fn new(program: &Program) -> Ending {
        let count = program.functions.len();
        let mut ending = Ending {
            returns: vec![false; count],
            ends: vec![false; count],
            leaves: vec![false; count],
            values: functions_as_values(program),
        };
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

    /// Functions of the user's that call `pthread_exit`, `exit` or the like. (Other functions of the library end a thread
    /// that was cancelled, which is not a way out of a loop.)
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

    /// Returns true if a call in the block ends the thread or the program, or the user's code in a called function may.
    fn leaves_in(&self, program: &Program, block: &Block) -> bool {
        block.instrs.iter().any(|instr| match (exit(&instr.op), &instr.op) {
            (Exit::Calls(func), _) => self.is_leaving(program, func),
            (Exit::CallsPointer, Op::Call { args, .. }) => {
                let fits = |func: &FuncId| program.functions[*func].params.len() == args.len();
                let mut values = self.values.iter().filter(|func| fits(func));
                values.any(|func| self.is_leaving(program, *func)) && !active("pointer-calls-never-leave")
            }
            (Exit::CallsPointer | Exit::Ends | Exit::Aborts | Exit::GoesOn, _) => false,
        })
    }

    /// Returns true for a function of the library that ends the thread or the program and nothing else, and for one in
    /// which the user's code may.
    fn is_leaving(&self, program: &Program, func: FuncId) -> bool {
        let function = &program.functions[func];
        let exits = |instr: &Instr| matches!(instr.op, Op::ExitThread { .. });
        let exits = || function.blocks.iter().flat_map(|block| &block.instrs).any(exits);
        let ends = function.internal && !self.returns[func.index()] && self.ends[func.index()];
        self.leaves[func.index()] || ends && (!active("exit-only-of-thread") || exits())
    }

    /// Returns true if the block calls a function in which the user's code may end the thread or the program.
    pub fn calls_leaving(&self, program: &Program, block: &Block) -> bool {
        // A direct call of the library's that does not return is the end of its block.
        self.leaves_in(program, block) && !self.stops(block)
    }

    /// Returns true if control comes in the block to the end of the thread or of the program.
    pub fn is_last(&self, block: &Block) -> bool {
        self.stops(block) && self.may_end(block)
    }

    /// Returns true if control does not come to the end of the block.
    pub fn stops(&self, block: &Block) -> bool {
        block.instrs.iter().any(|instr| match exit(&instr.op) {
            Exit::Ends | Exit::Aborts => true,
            Exit::Calls(func) => !self.returns[func.index()],
            Exit::CallsPointer | Exit::GoesOn => false,
        })
    }

    /// Returns true if something in the block may end the thread or the program otherwise than by `abort`.
    fn may_end(&self, block: &Block) -> bool {
        block.instrs.iter().any(|instr| match exit(&instr.op) {
            Exit::Ends => true,
            Exit::Calls(func) => self.ends[func.index()],
            Exit::Aborts | Exit::CallsPointer | Exit::GoesOn => false,
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
    /// It depends on the pointer that is called.
    CallsPointer,
    GoesOn,
}

/// Names every operation: a new one that ends a thread must not be taken for one that goes on.
fn exit(op: &Op) -> Exit {
    match op {
        Op::ExitThread { .. } | Op::ExitProgram { .. } => Exit::Ends,
        Op::Abort | Op::Unsupported { .. } => Exit::Aborts,
        Op::Call { callee: Callee::Direct(func), .. } => Exit::Calls(*func),
        Op::Call { callee: Callee::Pointer(_), .. } => Exit::CallsPointer,
        Op::Assign { .. }
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

/// The functions whose address is used. Direct calls do not use it; whatever else does, names it as a constant.
fn functions_as_values(program: &Program) -> BTreeSet<FuncId> {
    let pointers = program.globals.iter().flat_map(|global| &global.init.pointers);
    let constants = program.consts.iter().chain(pointers.map(|(_, constant)| *constant));
    let function = |constant: Const| if let Const::Func(func) = constant { Some(func) } else { None };
    constants.filter_map(function).collect()
}
