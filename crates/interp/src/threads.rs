//! Thread operations: the one place where concurrency enters the machine.
//!
//! The state already holds a list of threads and a running one, memory regions per thread, and
//! instances of thread-local variables; a program with one thread runs on exactly that. Operations
//! that start, end or order threads are not executed yet: reaching one ends the run as unsupported.

use crate::machine::{Machine, Step};
use braid_ir::Op;

impl Machine<'_> {
    pub(crate) fn thread_operation(&mut self, op: &Op) -> Step {
        let what = match op {
            Op::Spawn { .. } => "starting a thread",
            Op::Join { .. } => "joining a thread",
            Op::Lock { .. } | Op::TryLock { .. } => "locking a mutex",
            Op::Unlock { .. } => "unlocking a mutex",
            Op::AtomicBegin { .. } | Op::AtomicEnd => "an atomic section",
            Op::SelfHandle { .. } => "asking for the running thread",
            Op::ExitThread { .. } => "ending a thread",
            Op::Assign { .. }
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::Rmw { .. }
            | Op::CmpXchg(_)
            | Op::Fence { .. }
            | Op::Copy { .. }
            | Op::Fill { .. }
            | Op::Call { .. }
            | Op::Assume { .. }
            | Op::Assert { .. }
            | Op::Alloc { .. }
            | Op::Free { .. }
            | Op::LocalLive { .. }
            | Op::LocalDead { .. }
            | Op::Nondet { .. }
            | Op::Input { .. }
            | Op::Output { .. }
            | Op::ExitProgram { .. }
            | Op::Abort
            | Op::Unsupported { .. } => unreachable!("not a thread operation"),
        };
        Err(self.unsupported(format!("threads: {what}")))
    }
}
