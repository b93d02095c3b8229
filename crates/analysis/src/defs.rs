//! What instructions set, and registers that are constant within their function.

use crate::constants::{Value, expression};
use braid_base::Idx;
use braid_ir::*;

/// By register: the only instruction that sets it.
pub(crate) fn definitions(function: &Function) -> Vec<Option<&Op>> {
    let mut found: Vec<Option<&Op>> = vec![None; function.regs.len()];
    let mut several = vec![false; function.regs.len()];
    function.params.iter().for_each(|param| several[param.index()] = true);
    for instr in function.blocks.iter().flat_map(|block| &block.instrs) {
        instr.op.destinations(&mut |reg| {
            several[reg.index()] |= found[reg.index()].is_some();
            found[reg.index()] = Some(&instr.op);
        });
    }
    let only = |(found, several): (Option<_>, bool)| found.filter(|_| !several);
    found.into_iter().zip(several).map(only).collect()
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
            instr.op.destinations(&mut |dst| changed |= values[dst.index()].join(&value));
        }
    }
    let single = |value: Value| match value.few() {
        Some([bits]) => Some(*bits),
        _ => None,
    };
    values.into_iter().map(single).collect()
}
