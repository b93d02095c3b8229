//! What instructions set, and registers that are constant within their function.

use crate::values::{Value, expression};
use braid_base::Idx;
use braid_ir::*;

/// The registers an operation sets.
pub(crate) fn destinations(op: &Op) -> Vec<RegId> {
    match op {
        Op::Assign { dst, .. }
        | Op::Load { dst, .. }
        | Op::Rmw { dst, .. }
        | Op::Alloc { dst, .. }
        | Op::Nondet { dst, .. }
        | Op::Input { dst }
        | Op::Spawn { dst, .. }
        | Op::Joinable { dst, .. }
        | Op::TryLock { dst, .. }
        | Op::SelfHandle { dst }
        | Op::SelfNumber { dst } => vec![*dst],
        Op::CmpXchg(c) => vec![c.ok, c.old],
        Op::Call { dst, .. } | Op::Join { dst, .. } => dst.iter().copied().collect(),
        Op::AtomicBegin { when } => {
            when.iter().flat_map(|guard| &guard.instrs).flat_map(|instr| destinations(&instr.op)).collect()
        }
        Op::Store { .. }
        | Op::Fence { .. }
        | Op::Copy { .. }
        | Op::Fill { .. }
        | Op::Assume { .. }
        | Op::Assert { .. }
        | Op::Free { .. }
        | Op::LocalLive { .. }
        | Op::LocalDead { .. }
        | Op::Output { .. }
        | Op::Detach { .. }
        | Op::Lock { .. }
        | Op::Unlock { .. }
        | Op::AtomicEnd
        | Op::ExitThread { .. }
        | Op::ExitProgram { .. }
        | Op::Abort
        | Op::Unsupported { .. } => Vec::new(),
    }
}

/// The only instruction that sets a register.
pub(crate) fn definition(function: &Function, reg: RegId) -> Option<&Op> {
    if function.params.contains(&reg) {
        return None;
    }
    let instrs = function.blocks.iter().flat_map(|block| &block.instrs);
    let mut found = instrs.filter(|instr| destinations(&instr.op).contains(&reg));
    match (found.next(), found.next()) {
        (Some(instr), None) => Some(&instr.op),
        _ => None,
    }
}

/// By register: its value, if every instruction of the function that sets it gives it the same.
pub(crate) fn constants(program: &Program, function: &Function) -> Vec<Option<u128>> {
    let mut values = vec![Value::NONE; function.regs.len()];
    function.params.iter().for_each(|param| values[param.index()] = Value::Any);
    let mut changed = true;
    while changed {
        changed = false;
        for instr in function.blocks.iter().flat_map(|block| &block.instrs) {
            let operand = |operand: Operand| match operand {
                Operand::Reg(reg) => values[reg.index()].clone(),
                Operand::Const(id) => Value::constant(program.consts.get(id)),
            };
            let value = if let Op::Assign { value, .. } = &instr.op {
                expression(value, program.pointer_bytes, &operand)
            } else {
                Value::Any
            };
            for dst in destinations(&instr.op) {
                changed |= values[dst.index()].join(&value);
            }
        }
    }
    let single = |value: Value| match value.few() {
        Some([bits]) => Some(*bits),
        _ => None,
    };
    values.into_iter().map(single).collect()
}
