//! What a thread executes at most once.

use super::AbstractThread;
use crate::calls::CallGraph;
use crate::instances::InstanceId;
use braid_base::Idx;
use braid_ir::{BlockId, FuncId, InstrId, Program};

/// Where instructions stand.
#[derive(Clone, Debug)]
pub(super) struct Once {
    places: Vec<Option<(FuncId, BlockId)>>,
}

impl Once {
    pub fn new(program: &Program) -> Once {
        let mut places = vec![None; program.next_instr as usize];
        for (func, function) in program.functions.enumerated() {
            for (id, block) in function.blocks.enumerated() {
                for instr in block.instrs.iter().map(|instr| instr.id).chain([block.end.id]) {
                    places[instr.index()] = Some((func, id));
                }
            }
        }
        Once { places }
    }

    /// Whether the thread executes the instruction at most once: neither it nor a call that leads to it
    /// is in a cycle, and there is only one way to it.
    pub fn executes(
        &self,
        thread: &AbstractThread,
        instance: InstanceId,
        instr: InstrId,
        calls: &CallGraph,
    ) -> bool {
        let (mut instance, mut instr) = (instance, instr);
        if thread.many {
            return false;
        }
        loop {
            let Some((func, block)) = self.places[instr.index()] else { return false };
            if calls.cfgs[func].repeats(block) || calls.is_recursive(instance) {
                return false;
            }
            let callers = calls.callers(instance).iter();
            let mut here = callers.filter(|(caller, _)| thread.instances.contains(caller.index()));
            match (here.next(), here.next(), thread.roots.contains(&instance)) {
                (None, None, true) => return true,
                (Some((caller, call)), None, false) => (instance, instr) = (*caller, *call),
                _ => return false,
            }
        }
    }
}
