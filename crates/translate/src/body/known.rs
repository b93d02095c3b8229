//! Addresses that registers hold: a forward analysis over the blocks, whose facts are joined by intersection.

use super::Body;
use crate::fold::is_address;
use braid_base::HashMap;
use braid_ir::*;

impl Body<'_, '_> {
    /// The blocks that lead to a block and have been written.
    pub(super) fn before(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        self.known_after.keys().copied().filter(move |from| {
            braid_analysis::cfg::successors(&self.function.blocks[*from].end.kind).contains(&block)
        })
    }

    /// The addresses known at the beginning of a block: those that all blocks before it agree on.
    pub(super) fn known_before(&self, block: BlockId) -> HashMap<RegId, Expr> {
        let mut before = self.before(block).map(|from| &self.known_after[&from]);
        let mut known = before.next().cloned().unwrap_or_default();
        for other in before {
            known.retain(|reg, value| other.get(reg) == Some(value));
        }
        known
    }

    /// A register gets another value.
    pub(super) fn forget(&mut self, reg: RegId) {
        self.values.remove(&reg);
        self.known.remove(&reg);
        self.known.retain(|_, value| value.operands().all(|operand| operand.reg() != Some(reg)));
    }

    /// A register holds an address from now on.
    pub(super) fn know(&mut self, dst: RegId, value: &Expr) {
        let value = match value {
            Expr::Use(Operand::Reg(reg)) => self.known.get(reg).copied().unwrap_or(*value),
            _ => *value,
        };
        let is_own = value.operands().any(|operand| operand.reg() == Some(dst));
        let is_sum = matches!(value, Expr::PtrAdd { .. });
        if !is_own && (is_sum || is_address(self.shared.program, &value)) {
            self.known.insert(dst, value);
        }
    }

    /// The value of an assignment that is folded: copies of folded registers are their values.
    pub(super) fn settled(&self, value: &Expr) -> Expr {
        match value {
            Expr::Use(Operand::Reg(reg)) => self.values.get(reg).copied().unwrap_or(*value),
            _ => *value,
        }
    }
}
