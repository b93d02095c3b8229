//! Which registers will be read again, before each instruction.
//!
//! Two states that differ only in a register nobody reads any more are one state. Computed backward
//! over each function's control flow until nothing changes.

use crate::image::{Code, Image};
use braid_base::Idx;
use braid_ir::*;

#[derive(Debug)]
pub(crate) struct Liveness {
    /// Per instruction: where its words begin.
    start: Vec<u32>,
    words: Vec<u64>,
}

impl Liveness {
    pub fn new(image: &Image) -> Liveness {
        let mut live = Liveness { start: Vec::with_capacity(image.code.len()), words: Vec::new() };
        let mut ranges = Vec::new();
        let entries: Vec<(usize, u32)> =
            image.functions.iter().enumerate().filter_map(|(i, f)| f.entry.map(|e| (i, e))).collect();
        for (index, &(function, entry)) in entries.iter().enumerate() {
            let end = entries.get(index + 1).map_or(image.code.len() as u32, |next| next.1);
            let regs = image.program.functions[FuncId::from_usize(function)].regs.len();
            let words = regs.div_ceil(64);
            for _ in entry..end {
                live.start.push(live.words.len() as u32);
                live.words.resize(live.words.len() + words, 0);
            }
            ranges.push((entry, end, words));
        }
        for (entry, end, words) in ranges {
            live.solve(image, entry, end, words);
        }
        live
    }

    /// Whether the register's value before the instruction may be read later.
    #[inline]
    pub fn is_live(&self, pc: u32, reg: usize) -> bool {
        let start = self.start[pc as usize] as usize;
        self.words[start + reg / 64] >> (reg % 64) & 1 == 1
    }

    fn solve(&mut self, image: &Image, entry: u32, end: u32, words: usize) {
        let mut set = vec![0u64; words];
        let mut changed = true;
        while changed {
            changed = false;
            for pc in (entry..end).rev() {
                set.fill(0);
                successors(&image.code[pc as usize], pc, |next| {
                    let start = self.start[next as usize] as usize;
                    for (word, more) in set.iter_mut().zip(&self.words[start..start + words]) {
                        *word |= more;
                    }
                });
                transfer(image, pc, &mut set);
                let start = self.start[pc as usize] as usize;
                let old = &mut self.words[start..start + words];
                if old != set.as_slice() {
                    old.copy_from_slice(&set);
                    changed = true;
                }
            }
        }
    }
}

/// The instructions of the same function that may follow.
pub(crate) fn successors(code: &Code, pc: u32, mut add: impl FnMut(u32)) {
    match code {
        Code::Jump(to) => add(*to),
        Code::Branch { then, other, .. } => {
            add(*then);
            add(*other);
        }
        Code::Switch { cases, default, .. } => {
            cases.iter().for_each(|(_, to)| add(*to));
            add(*default);
        }
        Code::Return(_) | Code::Unreachable => {}
        Code::Assign { .. } | Code::Hot(_) | Code::Load { .. } | Code::Store { .. } | Code::Other(_) => {
            add(pc + 1)
        }
    }
}

/// From the registers live after an instruction to those live before it.
fn transfer(image: &Image, pc: u32, set: &mut [u64]) {
    match &image.code[pc as usize] {
        Code::Branch { cond, .. } => add(set, *cond),
        Code::Switch { value, .. } => add(set, *value),
        Code::Return(value) => value.iter().for_each(|value| add(set, *value)),
        Code::Jump(_) | Code::Unreachable => {}
        Code::Assign { .. } | Code::Hot(_) | Code::Load { .. } | Code::Store { .. } | Code::Other(_) => {
            if let Some(op) = image.ops[pc as usize] {
                transfer_op(op, set);
            }
        }
    }
}

fn add(set: &mut [u64], operand: Operand) {
    if let Operand::Reg(reg) = operand {
        set[reg.index() / 64] |= 1 << (reg.index() % 64);
    }
}

fn remove(set: &mut [u64], reg: RegId) {
    set[reg.index() / 64] &= !(1 << (reg.index() % 64));
}

fn transfer_op(op: &Op, set: &mut [u64]) {
    if let Op::AtomicBegin { when: Some(guard) } = op {
        add(set, guard.cond);
        return guard.instrs.iter().rev().for_each(|instr| transfer_op(&instr.op, set));
    }
    op.destinations(&mut |reg| remove(set, reg));
    op.operands().for_each(|operand| add(set, operand));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{main_of, program};
    use braid_props::CheckSet;

    #[test]
    fn registers_die_after_their_last_use() {
        let text = main_of(
            "shape s0 = i32\nglobal @g s0 size 4 align 4",
            "%0 i32, %1 i32, %2 i1",
            "b0:\n%0 = load i32 @g\n%1 = 5:i32\njump b1\nb1:\n%2 = slt i32 %0, %1\n%0 = add i32 %0, 1:i32\n\
             br %2, b1, b2\nb2:\n%1 = 3:i32\nret %1",
        );
        let program = program(&text);
        let image = Image::new(&program, CheckSet::all()).unwrap();
        let live = Liveness::new(&image);
        let at =
            |pc: u32| (0..3).map(|reg| if live.is_live(pc, reg) { '1' } else { '0' }).collect::<String>();
        let all: Vec<String> = (0..8).map(at).collect();
        assert_eq!(all, ["000", "100", "110", "110", "111", "111", "000", "010"]);
    }
}
