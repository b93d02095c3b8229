//! A function that is being made.

use braid_base::{HashMap, IndexVec};
use braid_ir::{Block, BlockId, FuncId, Function, Instr, Local, LocalId, Reg, RegId, Terminator, Ty};

/// Registers and frame objects of one activation, by those of its function.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pub regs: Vec<RegId>,
    pub locals: Vec<LocalId>,
}

/// A block that may still have no end.
#[derive(Default)]
pub(super) struct DraftBlock {
    pub instrs: Vec<Instr>,
    pub end: Option<Terminator>,
}

#[derive(Default)]
pub(super) struct Draft {
    pub regs: IndexVec<RegId, Reg>,
    /// Registers that may hold the address of a heap block: what is in them at the end of the program decides whether
    /// the block is lost.
    pub holders: IndexVec<RegId, bool>,
    pub locals: IndexVec<LocalId, Local>,
    pub blocks: IndexVec<BlockId, DraftBlock>,
    /// Names of activations that have ended, for the next of the same function: a register is set before it is read
    /// and a frame object begins its life anew in every activation.
    free: HashMap<FuncId, Vec<Names>>,
}

impl Draft {
    pub fn block(&mut self) -> BlockId {
        self.blocks.push(DraftBlock::default())
    }

    /// A register of the pass's own.
    pub fn temp(&mut self, ty: Ty) -> RegId {
        self.holders.push(false);
        self.regs.push(Reg { ty, name: None })
    }

    /// Names for an activation.
    pub fn names(&mut self, func: FuncId, function: &Function) -> Names {
        if let Some(names) = self.free.get_mut(&func).and_then(Vec::pop) {
            return names;
        }
        let regs = function.regs.iter().map(|reg| {
            self.holders.push(false);
            self.regs.push(reg.clone())
        });
        let regs = regs.collect();
        let locals = function.locals.iter().map(|local| self.locals.push(local.clone())).collect();
        Names { regs, locals }
    }

    pub fn release(&mut self, func: FuncId, names: Names) {
        self.free.entry(func).or_default().push(names);
    }

    /// The blocks; every one has an end by now.
    pub fn finish(&mut self) -> IndexVec<BlockId, Block> {
        let blocks = std::mem::take(&mut self.blocks);
        let finished = |block: &mut DraftBlock| Block {
            instrs: std::mem::take(&mut block.instrs),
            end: block.end.take().expect("every block that is begun is ended"),
        };
        let mut blocks = blocks;
        blocks.iter_mut().map(finished).collect()
    }
}
