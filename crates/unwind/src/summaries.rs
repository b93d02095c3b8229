//! Facts about functions, each computed once when it is asked for.

use crate::ending::Ending;
use crate::spin::find_looking;
use crate::trial::find_waiting;
use braid_analysis::Bits;
use braid_analysis::liveness::at_entry;
use braid_analysis::wto::{Element, order};
use braid_base::{HashMap, HashSet, IndexVec};
use braid_ir::{BlockId, FuncId, GlobalId, HandlerWrites, Op, Program};
use std::rc::Rc;

#[derive(Default)]
pub(crate) struct Summaries {
    orders: HashMap<FuncId, Rc<Vec<Element>>>,
    live: HashMap<FuncId, IndexVec<BlockId, Bits>>,
    waiting: Option<HashSet<FuncId>>,
    looking: Option<HashSet<FuncId>>,
    ending: Option<Ending>,
    tries_locks: Option<bool>,
    handler_writes: Option<HandlerWrites>,
}

impl Summaries {
    /// The blocks of a function in weak topological order.
    pub fn order(&mut self, program: &Program, func: FuncId) -> Rc<Vec<Element>> {
        self.orders.entry(func).or_insert_with(|| Rc::new(order(&program.functions[func]))).clone()
    }

    /// The registers that may still be read at a block.
    pub fn live(&mut self, program: &Program, func: FuncId, block: BlockId) -> Bits {
        let live = self.live.entry(func).or_insert_with(|| at_entry(&program.functions[func]));
        live[block].clone()
    }

    /// Returns true if the function, or one that it calls, may wait inside a section.
    pub fn may_wait(&mut self, program: &Program, func: FuncId) -> bool {
        self.waiting.get_or_insert_with(|| find_waiting(program)).contains(&func)
    }

    /// The functions that may look at memory, and how functions end.
    pub fn looking_and_ending(&mut self, program: &Program) -> (&HashSet<FuncId>, &Ending) {
        let looking = self.looking.get_or_insert_with(|| find_looking(program));
        (looking, self.ending.get_or_insert_with(|| Ending::new(program)))
    }

    /// Returns true if the program tries locks without waiting for them.
    pub fn tries_locks(&mut self, program: &Program) -> bool {
        let all =
            || program.functions.iter().flat_map(|function| &function.blocks).flat_map(|block| &block.instrs);
        *self.tries_locks.get_or_insert_with(|| all().any(|instr| matches!(instr.op, Op::TryLock { .. })))
    }

    /// Returns true if a signal handler may write the variable.
    pub fn handler_writes(&mut self, program: &Program, global: GlobalId) -> bool {
        self.handler_writes.get_or_insert_with(|| program.handler_writes()).may_write(global)
    }
}
