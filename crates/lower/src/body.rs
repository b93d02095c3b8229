//! A function body under construction: registers, frame objects, blocks.
//!
//! Registers are mutable, so an operand that names a *variable's* register means the variable's value
//! when it is used, not when it was evaluated. Evaluation is left to right; an operand that must wait
//! for a later one is therefore [kept](Body::keep): should the variable be written in between, a copy
//! is inserted at the place where the operand was evaluated ([`Body::settle`]). That is rare, so the
//! common case costs no instruction.
//! Kept operands are settled in reverse order, which keeps the remembered positions valid.

use braid_base::{IndexVec, Symbol};
use braid_ir::{
    Block, BlockId, Expr, Instr, InstrId, Loc, Local, LocalId, Op, Operand, Reg, RegId, TermKind, Terminator,
    Ty,
};

#[derive(Default)]
pub(crate) struct Draft {
    pub instrs: Vec<Instr>,
    pub end: Option<Terminator>,
}

pub(crate) struct Body {
    pub regs: IndexVec<RegId, Reg>,
    pub locals: IndexVec<LocalId, Local>,
    pub blocks: IndexVec<BlockId, Draft>,
    /// Where instructions go.
    pub current: BlockId,
    /// For registers of variables: how often it has been written so far; `None` for temporaries.
    writes: IndexVec<RegId, Option<u32>>,
    /// How many operations have been emitted that another thread might notice.
    visible: u32,
    /// Two operands whose order C leaves open have such operations.
    pub unordered: bool,
}

/// An evaluated operand and where it was evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Kept {
    operand: Operand,
    block: BlockId,
    index: usize,
    writes: u32,
}

/// Whether another thread might notice the operation, or it the other thread.
fn may_be_visible(op: &Op) -> bool {
    match op {
        Op::Load { .. }
        | Op::Store { .. }
        | Op::Rmw { .. }
        | Op::CmpXchg(_)
        | Op::Copy { .. }
        | Op::Fill { .. }
        | Op::Call { .. }
        | Op::Free { .. }
        | Op::Spawn { .. }
        | Op::Join { .. }
        | Op::Detach { .. }
        | Op::ThreadState { .. }
        | Op::Pair { .. }
        | Op::Lock { .. }
        | Op::TryLock { .. }
        | Op::Unlock { .. }
        | Op::AtomicBegin { .. }
        | Op::AtomicEnd
        | Op::ExitThread { .. }
        | Op::ExitProgram { .. }
        | Op::Abort => true,
        Op::Assign { .. }
        | Op::Fence { .. }
        | Op::Assume { .. }
        | Op::Assert { .. }
        | Op::Alloc { .. }
        | Op::LocalLive { .. }
        | Op::LocalDead { .. }
        | Op::Nondet { .. }
        | Op::Input { .. }
        | Op::Output { .. }
        | Op::SelfHandle { .. }
        | Op::SelfNumber { .. }
        | Op::Unsupported { .. }
        | Op::Partial { .. } => false,
    }
}

/// Ids are given when the whole program is there.
const UNNUMBERED: InstrId = InstrId(0);

/// Puts operations at the start of a body.
pub(crate) fn at_start(body: &mut Body, ops: Vec<Op>) {
    let instrs = &mut body.blocks[BlockId(0)].instrs;
    let new = ops.into_iter().map(|op| Instr::new(UNNUMBERED, Loc::NONE, op));
    instrs.splice(0..0, new);
}

impl Body {
    pub fn new() -> Body {
        let mut blocks = IndexVec::new();
        let current = blocks.push(Draft::default());
        Body {
            regs: IndexVec::new(),
            locals: IndexVec::new(),
            blocks,
            current,
            writes: IndexVec::new(),
            visible: 0,
            unordered: false,
        }
    }

    /// To be called before and after each of several operands; see [`Body::note_order`].
    pub fn visible_so_far(&self) -> u32 {
        self.visible
    }

    /// Notes whether of operands, evaluated between these points, more than one did something visible.
    pub fn note_order(&mut self, points: &[u32]) {
        let active = points.windows(2).filter(|pair| pair[1] > pair[0]).count();
        self.unordered |= active > 1;
    }

    pub fn temp(&mut self, ty: Ty) -> RegId {
        self.writes.push(None);
        self.regs.push(Reg { ty, name: None })
    }

    pub fn variable(&mut self, ty: Ty, name: Option<Symbol>) -> RegId {
        self.writes.push(Some(0));
        self.regs.push(Reg { ty, name })
    }

    pub fn new_block(&mut self) -> BlockId {
        self.blocks.push(Draft::default())
    }

    pub fn emit(&mut self, op: Op, loc: Loc) {
        self.visible += u32::from(may_be_visible(&op));
        self.blocks[self.current].instrs.push(Instr::new(UNNUMBERED, loc, op));
    }

    /// Ends the current block. What follows goes to a new block that nothing leads to, unless the
    /// caller moves on to another.
    pub fn end(&mut self, kind: TermKind, loc: Loc) {
        self.blocks[self.current].end = Some(Terminator { id: UNNUMBERED, loc, kind });
        self.current = self.new_block();
    }

    /// Jumps to `target` and goes on there.
    pub fn flow_into(&mut self, target: BlockId, loc: Loc) {
        self.blocks[self.current].end =
            Some(Terminator { id: UNNUMBERED, loc, kind: TermKind::Jump(target) });
        self.current = target;
    }

    /// Ends the current block by jumping to `target`, and goes on in `next`.
    pub fn jump_then(&mut self, target: BlockId, next: BlockId, loc: Loc) {
        self.flow_into(target, loc);
        self.current = next;
    }

    /// Ends the current block by a two-way branch; the caller chooses where to go on.
    pub fn branch(&mut self, cond: Operand, then: BlockId, other: BlockId, loc: Loc) {
        let kind = TermKind::Branch { cond, then, other };
        self.blocks[self.current].end = Some(Terminator { id: UNNUMBERED, loc, kind });
    }

    pub fn keep(&self, operand: Operand) -> Kept {
        let writes = match operand {
            Operand::Reg(reg) => self.writes[reg].unwrap_or(0),
            Operand::Const(_) => 0,
        };
        Kept { operand, block: self.current, index: self.blocks[self.current].instrs.len(), writes }
    }

    /// The value a kept operand had when it was evaluated.
    pub fn settle(&mut self, kept: Kept, loc: Loc) -> Operand {
        let Operand::Reg(reg) = kept.operand else { return kept.operand };
        if self.writes[reg].unwrap_or(0) == kept.writes {
            return kept.operand;
        }
        let dst = self.temp(self.regs[reg].ty);
        let op = Op::Assign { dst, value: Expr::Use(kept.operand) };
        self.blocks[kept.block].instrs.insert(kept.index, Instr::new(UNNUMBERED, loc, op));
        Operand::Reg(dst)
    }

    /// Settles a list of kept operands, last first.
    pub fn settle_all(&mut self, kept: &[Kept], loc: Loc) -> Vec<Operand> {
        let mut operands: Vec<Operand> = kept.iter().rev().map(|&k| self.settle(k, loc)).collect();
        operands.reverse();
        operands
    }

    /// Writes a variable's register. If the value is a temporary that the last instruction computed,
    /// that instruction writes the variable directly.
    pub fn write_variable(&mut self, variable: RegId, value: Operand, loc: Loc) {
        if let Some(count) = &mut self.writes[variable] {
            *count += 1;
        }
        if let Operand::Reg(temp) = value
            && self.retarget(temp, variable)
        {
            return;
        }
        self.emit(Op::Assign { dst: variable, value: Expr::Use(value) }, loc);
    }

    /// Lets the last instruction write `variable` in place of the temporary `temp`, if it computes it.
    fn retarget(&mut self, temp: RegId, variable: RegId) -> bool {
        if self.writes[temp].is_some() || self.regs[temp].ty != self.regs[variable].ty {
            return false;
        }
        let last = self.blocks[self.current].instrs.last_mut();
        match last.and_then(|instr| result_of(&mut instr.op)) {
            Some(dst) if *dst == temp => {
                *dst = variable;
                true
            }
            _ => false,
        }
    }

    /// Returns true if no more than one instruction so far writes a variable's register.
    pub fn is_written_once(&self, variable: RegId) -> bool {
        self.writes[variable].is_none_or(|count| count < 2)
    }

    /// Notes that an instruction just emitted writes a variable's register.
    pub fn wrote(&mut self, variable: RegId) {
        if let Some(count) = &mut self.writes[variable] {
            *count += 1;
        }
    }

    /// Registers that may be read before they are written, from a block on.
    pub fn read_first(&self, from: BlockId) -> Vec<RegId> {
        let end = Terminator { id: UNNUMBERED, loc: Loc::NONE, kind: TermKind::Unreachable };
        let block = |draft: &Draft| Block {
            instrs: draft.instrs.clone(),
            end: draft.end.clone().unwrap_or_else(|| end.clone()),
        };
        let registers: Vec<RegId> = self.regs.ids().collect();
        crate::tidy::live_in(self.blocks.iter().map(block).collect(), from, &registers)
    }

    /// The blocks; those without an end were never meant to be left and nothing leads to them.
    pub fn finish(mut self) -> (IndexVec<RegId, Reg>, IndexVec<LocalId, Local>, IndexVec<BlockId, Block>) {
        let mut blocks = IndexVec::new();
        for draft in self.blocks.iter_mut() {
            let end = draft.end.take().unwrap_or(Terminator {
                id: UNNUMBERED,
                loc: Loc::NONE,
                kind: TermKind::Unreachable,
            });
            blocks.push(Block { instrs: std::mem::take(&mut draft.instrs), end });
        }
        (self.regs, self.locals, blocks)
    }
}

/// The register an instruction computes, for those whose result may go elsewhere.
fn result_of(op: &mut Op) -> Option<&mut RegId> {
    match op {
        Op::Assign { dst, .. } | Op::Load { dst, .. } | Op::Nondet { dst, .. } => Some(dst),
        Op::Call { dst, .. } => dst.as_mut(),
        Op::Store { .. }
        | Op::Rmw { .. }
        | Op::CmpXchg(_)
        | Op::Fence { .. }
        | Op::Copy { .. }
        | Op::Fill { .. }
        | Op::Assume { .. }
        | Op::Assert { .. }
        | Op::Alloc { .. }
        | Op::Free { .. }
        | Op::LocalLive { .. }
        | Op::LocalDead { .. }
        | Op::Input { .. }
        | Op::Output { .. }
        | Op::Spawn { .. }
        | Op::Join { .. }
        | Op::Detach { .. }
        | Op::ThreadState { .. }
        | Op::Pair { .. }
        | Op::Lock { .. }
        | Op::TryLock { .. }
        | Op::Unlock { .. }
        | Op::AtomicBegin { .. }
        | Op::AtomicEnd
        | Op::SelfHandle { .. }
        | Op::SelfNumber { .. }
        | Op::ExitThread { .. }
        | Op::ExitProgram { .. }
        | Op::Abort
        | Op::Unsupported { .. }
        | Op::Partial { .. } => None,
    }
}
