//! Which registers may still be read: what two states of a loop must agree on to be the same, and all
//! that has to be merged where paths meet.

use crate::Bits;
use crate::cfg::successors;
use braid_base::{Idx, IndexVec};
use braid_ir::*;

/// Registers live at the beginning of each block.
pub fn at_entry(function: &Function) -> IndexVec<BlockId, Bits> {
    let mut live: IndexVec<BlockId, Bits> = function.blocks.iter().map(|_| Bits::default()).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (id, block) in function.blocks.enumerated().rev() {
            let mut now = Bits::default();
            for next in successors(&block.end.kind) {
                now.union(&live[next]);
            }
            if let Some(reg) = block.end.kind.operand().and_then(Operand::reg) {
                now.insert(reg.index());
            }
            for instr in block.instrs.iter().rev() {
                instr.op.destinations(&mut |reg| now.remove(&Bits::one(reg.index())));
                for reg in instr.op.operands().filter_map(Operand::reg) {
                    now.insert(reg.index());
                }
            }
            if now != live[id] {
                live[id] = now;
                changed = true;
            }
        }
    }
    live
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_loop_carries() {
        let text = "fn &main() -> i32 {\nreg %0 i32, %1 i32, %2 i1\nb0:\n%0 = 0:i32\njump b1\n\
                    b1:\n%1 = add i32 %0, 1:i32\n%2 = eq i32 %1, 5:i32\nbr %2, b2, b3\n\
                    b2:\nret %1\nb3:\n%0 = %1\njump b1\n}";
        let program = braid_ir::parse(text).expect("the text is a program");
        let live = at_entry(&program.functions[FuncId(0)]);
        let list = |block: u32| live[BlockId(block)].iter().collect::<Vec<_>>();
        assert_eq!((list(0), list(1), list(2), list(3)), (vec![], vec![0], vec![1], vec![1]));
    }
}
