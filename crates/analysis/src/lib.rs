//! Read-only facts about a program in IR: what calls what, what points where, what threads share,
//! what runs in parallel, which locks are held, which accesses conflict.
//!
//! * [`points_to`]: where pointers may point (over-approximation), with the instances of functions;
//! * [`cfg`] and [`calls`]: loops of each function; the call graph, recursion, reachability;
//! * [`threads`]: abstract threads, and which instructions may run in parallel (over);
//! * [`accesses`]: what each instruction may touch (over);
//! * [`escape`]: which objects more than one thread may reach (over);
//! * [`constants`]: integers that are certainly constant, hence branches never taken (under);
//! * [`locksets`]: mutexes certainly held (under);
//! * [`conflicts`]: pairs of accesses whose order may matter, and possible races (over);
//! * [`never_initialised`]: static objects that library functions use and none initialises (under).
//!
//! *Over* means: whatever an execution does is among the facts; *under* means: whatever the facts say
//! holds in every execution. Executions are those of the reference interpreter, up to the first use of
//! an arbitrary number as an address or thread handle that the program did not compare with one: such
//! an execution has a sibling in which the number is no address, so no proof survives it anyway.
//!
//! Everything is deterministic and flow-insensitive but for `threads` and `locksets`, which follow the
//! control flow. Nothing here changes a program.

pub mod accesses;
mod bits;
pub mod calls;
pub mod cfg;
pub mod conflicts;
pub mod constants;
mod defs;
pub mod escape;
mod flow;
mod instances;
pub mod liveness;
pub mod locksets;
pub mod objects;
pub mod points_to;
mod starts;
#[cfg(test)]
mod testing;
pub mod threads;
mod unborn;
pub mod wto;

pub use accesses::{Access, AccessKind, Accesses, Extent, Group};
pub use bits::Bits;
pub use calls::CallGraph;
pub use cfg::{Cfg, Loop};
pub use conflicts::{Conflict, Conflicts};
pub use constants::Constants;
pub use escape::Escape;
pub use instances::{Instance, InstanceId};
pub use locksets::{LockId, Locksets};
pub use objects::{Object, ObjectId, Offset};
pub use points_to::{Pointers, PointsTo};
pub use starts::starts_threads_in_loops;
pub use threads::{AbstractThread, ThreadId, Threads};
pub use unborn::never_initialised;

use braid_ir::Program;
use std::sync::OnceLock;

/// What the facts may rely on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Unlocking a mutex that the thread does not hold ends the execution (the property lock-misuse is
    /// checked). If not, such an unlock releases the mutex of another thread.
    pub misuse_ends: bool,
    /// No thread is joined, detached or asked about more than once: whoever asks finds it joinable. Nor are there two
    /// mutexes with which threads wait at one condition variable. This is a guess, which the unwinding of the
    /// program confirms or refutes.
    pub one_use: bool,
}

/// All facts about a program.
pub struct Facts {
    pub pointers: Pointers,
    pub calls: CallGraph,
    pub accesses: Accesses,
    pub constants: Constants,
    pub threads: Threads,
    pub escape: Escape,
    pub locksets: Locksets,
    pub conflicts: Conflicts,
    pub options: Options,
    /// The facts without [`Options::one_use`], if somebody needed them.
    careful: OnceLock<Box<Facts>>,
}

impl Facts {
    pub fn new(program: &Program, options: Options) -> Facts {
        let pointers = points_to::solve(program);
        let calls = CallGraph::new(program, &pointers);
        let accesses = Accesses::new(program, &pointers, options);
        let first = Constants::new(program, &pointers, &accesses, options);
        let order = Threads::new(program, &pointers, &calls, &first);
        // Which stores come too late to matter depends on the threads, and the other way round.
        let constants = Constants::ordered(program, &pointers, &accesses, &calls, &order, options);
        let threads = Threads::new(program, &pointers, &calls, &constants);
        let escape = Escape::new(program, &pointers, &accesses, &threads);
        let locksets = Locksets::new(program, &pointers, &calls, &accesses, &constants, &threads, options);
        let conflicts = Conflicts::new(program, &pointers, &accesses, &escape);
        let careful = OnceLock::new();
        Facts { pointers, calls, accesses, constants, threads, escape, locksets, conflicts, options, careful }
    }

    /// The facts that do not rely on [`Options::one_use`]; computed once.
    pub fn careful(&self, program: &Program) -> &Facts {
        let options = Options { one_use: false, ..self.options };
        self.careful.get_or_init(|| Box::new(Facts::new(program, options)))
    }

    /// The careful facts if they are known, because some bound has shown that they are needed; else these.
    pub fn settled(&self) -> &Facts {
        self.careful.get().map_or(self, |facts| facts)
    }
}
