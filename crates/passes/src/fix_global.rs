//! A program in which a variable is known.
//!
//! Loads of it become its value, branches on that are decided where they are in the same block, and blocks that are
//! not reached any more are emptied. Ids stay as they are, so what is found in one program holds in the other.

use braid_analysis::cfg::successors;
use braid_base::{HashMap, IndexVec};
use braid_ir::{
    Block, BlockId, CmpOp, Const, ConstId, Expr, Function, Op, Operand, Program, RegId, TermKind, Ty,
};

/// The program with the variable of that name at a value, if it has one.
pub fn fix_global(program: &Program, name: &str, value: u128) -> Option<Program> {
    let (global, _) = program.globals.enumerated().find(|(_, global)| global.name.as_str() == name)?;
    let mut fixed = program.clone();
    let mut consts = fixed.consts;
    for function in fixed.functions.iter_mut() {
        let mut changed = false;
        for block in function.blocks.iter_mut() {
            for instr in &mut block.instrs {
                let Op::Load { dst, ty, ptr: Operand::Const(ptr), .. } = instr.op else { continue };
                let Ty::Int(width) = ty else { continue };
                if consts.get(ptr) == Const::Global(global, 0) {
                    let known = Operand::Const(consts.intern(Const::Int { width, bits: value }));
                    instr.op = Op::Assign { dst, value: Expr::Use(known) };
                    changed = true;
                }
            }
            if changed {
                decide(block, &|id| consts.get(id));
            }
        }
        if changed {
            empty_unreached(function);
        }
    }
    fixed.consts = consts;
    Some(fixed)
}

/// Turns a branch on what is known in the block into a jump.
fn decide(block: &mut Block, get: &dyn Fn(ConstId) -> Const) {
    let TermKind::Branch { cond, then, other } = block.end.kind else { return };
    let mut known: HashMap<RegId, u128> = HashMap::default();
    let value = |known: &HashMap<RegId, u128>, operand: Operand| match operand {
        Operand::Reg(reg) => known.get(&reg).copied(),
        Operand::Const(id) => match get(id) {
            Const::Int { bits, .. } => Some(bits),
            Const::F32(_) | Const::F64(_) | Const::Null | Const::Global(..) | Const::Func(_) => None,
        },
    };
    for instr in &block.instrs {
        let result = match &instr.op {
            Op::Assign { value: Expr::Use(a), .. } => value(&known, *a),
            Op::Assign { value: Expr::Compare { op, a, b, .. }, .. } => {
                match (op, value(&known, *a), value(&known, *b)) {
                    (CmpOp::Eq, Some(a), Some(b)) => Some(u128::from(a == b)),
                    (CmpOp::Ne, Some(a), Some(b)) => Some(u128::from(a != b)),
                    _ => None,
                }
            }
            _ => None,
        };
        instr.op.destinations(&mut |reg| _ = known.remove(&reg));
        if let (Op::Assign { dst, .. }, Some(result)) = (&instr.op, result) {
            known.insert(*dst, result);
        }
    }
    if let Some(bits) = value(&known, cond) {
        block.end.kind = TermKind::Jump(if bits & 1 == 1 { then } else { other });
    }
}

/// Takes the code out of blocks that control does not come to.
fn empty_unreached(function: &mut Function) {
    let mut reached: IndexVec<BlockId, bool> = function.blocks.iter().map(|_| false).collect();
    let mut waiting = vec![BlockId(0)];
    while let Some(id) = waiting.pop() {
        if !std::mem::replace(&mut reached[id], true) {
            waiting.extend(successors(&function.blocks[id].end.kind));
        }
    }
    for (block, reached) in function.blocks.iter_mut().zip(&reached) {
        if !reached {
            block.instrs.clear();
            block.end.kind = TermKind::Unreachable;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_reached_is_empty() {
        let text = "file 0 \"t.c\"\nshape s0 = i32\nglobal @flag s0 size 4 align 4\nentry &main\n\
            fn &main() {\nreg %0 i32, %1 i1\nb0:\n%0 = load i32 @flag\n%1 = ne i32 %0, 0:i32\nbr %1, b1, b2\n\
            b1:\nabort\nunreachable\nb2:\nexit 0:i32\nunreachable\n}\n";
        let program = braid_ir::parse(text).expect("a program");
        let code = |value| {
            let fixed = fix_global(&program, "flag", value).expect("the variable is there");
            braid_ir::verify(&fixed).expect("well-formed");
            let blocks = &fixed.functions[braid_ir::FuncId(0)].blocks;
            [1, 2].map(|id| blocks[BlockId(id)].instrs.len())
        };
        assert_eq!((code(0), code(1)), ([0, 1], [1, 0]));
        assert_eq!(fix_global(&program, "other", 0), None);
    }
}
