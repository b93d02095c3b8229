//! Whether a program starts threads in a loop: then it may start many, and a few of them may be enough to see what is
//! wrong with it.
//!
//! Calls through pointers and recursion do not count; nothing relies on the answer but the order in which searches
//! are tried.

use crate::cfg::Cfg;
use braid_base::IndexVec;
use braid_ir::{Callee, FuncId, Function, Op, Program};

/// Returns true if a loop of some function starts threads, itself or by the functions it calls.
pub fn starts_threads_in_loops(program: &Program) -> bool {
    let starts = starting(program);
    program.functions.iter().any(|function| {
        let cfg = Cfg::new(function);
        let mut blocks = function.blocks.enumerated().filter(|(id, _)| cfg.repeats(*id));
        blocks.any(|(_, block)| block.instrs.iter().any(|instr| starts_one(&instr.op, &starts)))
    })
}

/// By function: whether a call of it may start a thread.
fn starting(program: &Program) -> IndexVec<FuncId, bool> {
    let mut starts: IndexVec<FuncId, bool> = program.functions.iter().map(|_| false).collect();
    let calls_one = |function: &Function, starts: &IndexVec<FuncId, bool>| {
        function.blocks.iter().flat_map(|block| &block.instrs).any(|instr| starts_one(&instr.op, starts))
    };
    loop {
        let more: Vec<FuncId> = (program.functions.enumerated())
            .filter(|(id, function)| !starts[*id] && calls_one(function, &starts))
            .map(|(id, _)| id)
            .collect();
        if more.is_empty() {
            return starts;
        }
        more.into_iter().for_each(|id| starts[id] = true);
    }
}

/// Returns true if the operation starts a thread or calls a function that may.
fn starts_one(op: &Op, starts: &IndexVec<FuncId, bool>) -> bool {
    match op {
        Op::Spawn { .. } => true,
        Op::Call { callee: Callee::Direct(callee), .. } => starts[*callee],
        Op::Call { callee: Callee::Pointer(_), .. } => false,
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
        | Op::Join { .. }
        | Op::Detach { .. }
        | Op::ThreadState { .. }
        | Op::Lock { .. }
        | Op::TryLock { .. }
        | Op::Unlock { .. }
        | Op::AtomicBegin { .. }
        | Op::AtomicEnd
        | Op::SelfHandle { .. }
        | Op::SelfNumber { .. }
        | Op::ExitThread { .. }
        | Op::ExitProgram { .. }
        | Op::Abort
        | Op::Pair { .. }
        | Op::Partial { .. }
        | Op::Unsupported { .. } => false,
    }
}
