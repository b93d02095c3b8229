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
            end_reads(&block.end.kind, &mut |reg| {
                now.insert(reg.index());
            });
            for instr in block.instrs.iter().rev() {
                instr.op.destinations(&mut |reg| now.remove(&Bits::one(reg.index())));
                reads(&instr.op, &mut |reg| {
                    now.insert(reg.index());
                });
            }
            if now != live[id] {
                live[id] = now;
                changed = true;
            }
        }
    }
    live
}

fn end_reads(end: &TermKind, found: &mut dyn FnMut(RegId)) {
    match end {
        TermKind::Branch { cond, .. } => operand(*cond, found),
        TermKind::Switch { value, .. } => operand(*value, found),
        TermKind::Return(Some(value)) => operand(*value, found),
        TermKind::Return(None) | TermKind::Jump(_) | TermKind::Unreachable => {}
    }
}

fn operand(operand: Operand, found: &mut dyn FnMut(RegId)) {
    if let Operand::Reg(reg) = operand {
        found(reg);
    }
}

/// Calls `found` on every register that the expression reads.
pub fn expr_reads(expr: &Expr, found: &mut dyn FnMut(RegId)) {
    let mut all = |list: &[Operand]| list.iter().for_each(|a| operand(*a, found));
    match *expr {
        Expr::Use(a) | Expr::Unary { a, .. } | Expr::Cast { a, .. } | Expr::ObjectSize(a) => all(&[a]),
        Expr::Binary { a, b, .. }
        | Expr::Compare { a, b, .. }
        | Expr::Fits { a, b, .. }
        | Expr::PtrDiff { a, b }
        | Expr::Math { a, b, .. } => all(&[a, b]),
        Expr::Select { cond, then, other, .. } => all(&[cond, then, other]),
        Expr::PtrAdd { ptr, offset } => all(&[ptr, offset]),
        Expr::LocalAddr(_) | Expr::ThreadLocalAddr(_) => {}
    }
}

fn reads(op: &Op, found: &mut dyn FnMut(RegId)) {
    let mut all = |list: &[Operand]| list.iter().for_each(|a| operand(*a, found));
    match op {
        Op::Assign { value, .. } => expr_reads(value, found),
        Op::Assert { cond, about, .. } => {
            all(about.as_slice());
            expr_reads(cond, found);
        }
        Op::Load { ptr, .. } => all(&[*ptr]),
        Op::Store { ptr, value, .. } | Op::Rmw { ptr, value, .. } => all(&[*ptr, *value]),
        Op::CmpXchg(c) => all(&[c.ptr, c.expected, c.desired]),
        Op::Copy { dst, src, len, .. } => all(&[*dst, *src, *len]),
        Op::Fill { dst, byte, len, .. } => all(&[*dst, *byte, *len]),
        Op::Call { callee, args, .. } => {
            all(args);
            if let Callee::Pointer(pointer) = callee {
                operand(*pointer, found);
            }
        }
        Op::Assume { cond } => all(&[*cond]),
        Op::Alloc { size, align, .. } => all(&[*size, *align]),
        Op::Free { ptr, .. } => all(&[*ptr]),
        Op::Output { byte, .. } => all(&[*byte]),
        Op::Spawn { func, arg, .. } => all(&[*func, *arg]),
        Op::Join { handle, .. } | Op::Detach { handle } | Op::ThreadState { handle, .. } => all(&[*handle]),
        Op::Pair { word, mutex, .. } => all(&[*word, *mutex]),
        Op::Lock { mutex } | Op::TryLock { mutex, .. } | Op::Unlock { mutex } => all(&[*mutex]),
        Op::AtomicBegin { when: Some(guard) } => {
            operand(guard.cond, found);
            guard.instrs.iter().for_each(|instr| reads(&instr.op, found));
        }
        Op::ExitThread { value } => all(&[*value]),
        Op::ExitProgram { code } => all(&[*code]),
        Op::AtomicBegin { when: None }
        | Op::Fence { .. }
        | Op::LocalLive { .. }
        | Op::LocalDead { .. }
        | Op::Nondet { .. }
        | Op::Input { .. }
        | Op::AtomicEnd
        | Op::SelfHandle { .. }
        | Op::SelfNumber { .. }
        | Op::Abort
        | Op::Unsupported { .. }
        | Op::Partial { .. } => {}
    }
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
