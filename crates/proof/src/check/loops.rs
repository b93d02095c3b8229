//! Loops in which a thread could spin: going round until another thread changes memory is a deadlock if nobody does.
//!
//! *Claim*: without an obligation of this file no thread ever spins, in the sense of `crates/interp/src/spin.rs`: no cycle of
//! control flow leads back to the same state of a thread, reads memory that others can reach, and could be left if that held
//! other values. *Relies on*: the accesses of the certificate, which list all reads of shared memory. *Proof*: a cycle either
//! moves a counter that nothing else in its loop sets, so that the state is another one; or it reads no such memory, in calls
//! neither; or its loop has no way out. Loops are taken apart along their counters and heads until that is known of every
//! cycle. A cycle of calls is a deeper stack every time, but is not let pass either.

use super::context::Context;
use super::flow::successors;
use super::only;
use crate::certificate::Kind;
use crate::state::{InstanceId, Space};
use braid_ir::{
    BinOp, BlockId, Callee, Const, Expr, Function, InstrId, Loc, Op, Operand, RegId, TermKind, Ty,
};
use braid_models::{Effect, Wait};
use braid_props::Check;
use std::collections::{BTreeMap, BTreeSet};

/// A counter that is the same again after fewer rounds than two to the power of this is none.
const PERIOD_BITS: u32 = 5;

type Blocks = BTreeSet<BlockId>;

pub(super) fn judge(cx: &Context) {
    if !cx.question.checks.contains(Check::Deadlock) {
        return;
    }
    let reads = Reads::new(cx);
    for (id, instance) in cx.certificate.instances.enumerated() {
        let function = cx.function_of(id);
        let reached: Blocks = instance
            .blocks
            .enumerated()
            .filter(|(_, states)| !states.is_empty())
            .map(|(block, _)| block)
            .collect();
        let looked = Looked { cx, id, function, reads: &reads };
        for part in components(function, &reached) {
            looked.component(&part);
        }
        if reads.recursive.contains(&id) && reads.instances.contains(&id) {
            let text = format!("{}() calls itself and reads what others may write", function.name);
            cx.open(only(Check::Deadlock), function.loc, None, text);
        }
    }
}

/// Reads of memory that others can reach.
struct Reads {
    instrs: BTreeSet<(InstanceId, InstrId)>,
    /// Instances that read such memory, or call one that does.
    instances: BTreeSet<InstanceId>,
    recursive: BTreeSet<InstanceId>,
}

impl Reads {
    fn new(cx: &Context) -> Reads {
        let mut instrs = BTreeSet::new();
        for (object, cells) in cx.certificate.memory.enumerated() {
            let reachable = !cx.is_constant(object) && !cx.is_thread_local(object);
            for cell in cells.iter().filter(|cell| reachable && cell.space == Space::Data) {
                let reads = cell.accesses.iter().filter(|access| {
                    let op = cx.code(access.instr).and_then(|code| code.op);
                    access.kind == Kind::Read || matches!(op, Some(Op::Rmw { .. } | Op::CmpXchg(_)))
                });
                instrs.extend(reads.map(|access| (access.instance, access.instr)));
            }
        }
        for id in cx.certificate.instances.ids() {
            let code = cx.function_of(id).blocks.iter().flat_map(|block| &block.instrs);
            instrs.extend(code.filter(|instr| asks(cx, &instr.op)).map(|instr| (id, instr.id)));
        }
        let mut instances: BTreeSet<InstanceId> = instrs.iter().map(|(id, _)| *id).collect();
        let below = below(cx);
        let more = below.iter().filter(|(_, callees)| !callees.is_disjoint(&instances)).map(|(id, _)| *id);
        let more: Vec<InstanceId> = more.collect();
        instances.extend(more);
        let recursive =
            below.iter().filter(|(id, callees)| callees.contains(id)).map(|(id, _)| *id).collect();
        Reads { instrs, instances, recursive }
    }
}

/// Returns true if the result of a call tells of what other threads do.
fn asks(cx: &Context, op: &Op) -> bool {
    let Op::Call { callee, .. } = op else { return false };
    // Behind a pointer there may be any function.
    let Callee::Direct(function) = callee else { return true };
    let function = &cx.program.functions[*function];
    match braid_models::effect(function.name.as_str()).filter(|_| function.internal) {
        Some(Effect::Acquire { wait, .. } | Effect::SemaphoreWait { wait, .. }) => wait != Wait::Blocks,
        Some(Effect::SemaphoreValue { .. }) => true,
        Some(
            Effect::Release { .. }
            | Effect::Wait { .. }
            | Effect::Signal { .. }
            | Effect::Init { .. }
            | Effect::Destroy { .. }
            | Effect::SemaphorePost { .. }
            | Effect::BarrierWait { .. }
            | Effect::Once { .. }
            | Effect::Start { .. }
            | Effect::Join { .. }
            | Effect::Detach { .. }
            | Effect::ExitThread { .. }
            | Effect::Print { .. }
            | Effect::Nothing,
        )
        | None => false,
    }
}

/// The instances that calls lead to, however deep.
fn below(cx: &Context) -> BTreeMap<InstanceId, BTreeSet<InstanceId>> {
    let mut direct: BTreeMap<InstanceId, BTreeSet<InstanceId>> = BTreeMap::new();
    for (from, .., to) in &cx.certificate.calls {
        direct.entry(*from).or_default().insert(*to);
    }
    let reach = |from: InstanceId| {
        let mut seen = BTreeSet::new();
        let mut todo: Vec<InstanceId> = direct.get(&from).into_iter().flatten().copied().collect();
        while let Some(next) = todo.pop() {
            if seen.insert(next) {
                todo.extend(direct.get(&next).into_iter().flatten());
            }
        }
        seen
    };
    direct.keys().map(|from| (*from, reach(*from))).collect()
}

struct Looked<'l, 'a> {
    cx: &'l Context<'a>,
    id: InstanceId,
    function: &'a Function,
    reads: &'l Reads,
}

impl Looked<'_, '_> {
    /// Sees that no cycle among these blocks, which are strongly connected, can be one of spinning.
    fn component(&self, blocks: &Blocks) {
        let Some(loc) = self.reading(blocks) else { return };
        if let Some(moving) = self.counter(blocks) {
            let rest = blocks.difference(&moving).copied().collect();
            components(self.function, &rest).iter().for_each(|part| self.component(part));
            return;
        }
        if self.has_exit(blocks) {
            let text =
                format!("a loop of {}() may wait for another thread by reading memory", self.function.name);
            self.cx.open(only(Check::Deadlock), loc, None, text);
            return;
        }
        let head = blocks.first().copied();
        let rest = blocks.iter().copied().filter(|block| Some(*block) != head).collect();
        components(self.function, &rest).iter().for_each(|part| self.component(part));
    }

    /// Where the blocks read memory that others can reach.
    fn reading(&self, blocks: &Blocks) -> Option<Loc> {
        let instrs = blocks.iter().flat_map(|block| &self.function.blocks[*block].instrs);
        let calls = &self.cx.certificate.calls;
        let mut instrs = instrs.filter(|instr| {
            let called = || {
                calls.iter().any(|(from, at, _, to)| {
                    *from == self.id && *at == instr.id && self.reads.instances.contains(to)
                })
            };
            self.reads.instrs.contains(&(self.id, instr.id)) || guard_reads(&instr.op) || called()
        });
        instrs.next().map(|instr| instr.loc)
    }

    /// The blocks that move a counter of the loop, which an exit looks at.
    fn counter(&self, blocks: &Blocks) -> Option<Blocks> {
        let mut moves: BTreeMap<RegId, (i64, Blocks)> = BTreeMap::new();
        let mut spoilt = BTreeSet::new();
        for block in blocks {
            for (reg, step) in steps(self.cx, self.function, *block) {
                let Some(step) = step else {
                    spoilt.insert(reg);
                    continue;
                };
                let entry = moves.entry(reg).or_insert((step, Blocks::new()));
                if entry.0.signum() != step.signum() {
                    spoilt.insert(reg);
                }
                entry.1.insert(*block);
            }
        }
        let good = |reg: &RegId| !spoilt.contains(reg) && self.is_tested(blocks, *reg);
        moves.into_iter().find(|(reg, _)| good(reg)).map(|(_, (_, blocks))| blocks)
    }

    /// Returns true if a way out of the loop depends on the register.
    fn is_tested(&self, blocks: &Blocks, reg: RegId) -> bool {
        blocks.iter().any(|id| {
            let block = &self.function.blocks[*id];
            let leaves = successors(&block.end.kind).iter().any(|to| !blocks.contains(to));
            let mut depends = BTreeSet::from([reg]);
            for instr in &block.instrs {
                let reads =
                    instr.op.operands().any(|operand| operand.reg().is_some_and(|r| depends.contains(&r)));
                if let (Op::Assign { dst, .. }, true) = (&instr.op, reads) {
                    depends.insert(*dst);
                }
            }
            leaves
                && block.end.kind.operand().and_then(Operand::reg).is_some_and(|cond| depends.contains(&cond))
        })
    }

    fn has_exit(&self, blocks: &Blocks) -> bool {
        blocks.iter().any(|id| {
            let block = &self.function.blocks[*id];
            let ends = matches!(block.end.kind, TermKind::Return(_) | TermKind::Unreachable);
            let calls = block.instrs.iter().any(|instr| self.may_leave(&instr.op));
            ends || calls || successors(&block.end.kind).iter().any(|to| !blocks.contains(to))
        })
    }

    fn may_leave(&self, op: &Op) -> bool {
        match op {
            Op::Call { callee: Callee::Direct(function), .. } => {
                let function = &self.cx.program.functions[*function];
                let effect = braid_models::effect(function.name.as_str()).filter(|_| function.internal);
                effect.is_none_or(|effect| matches!(effect, Effect::ExitThread { .. } | Effect::Once { .. }))
            }
            Op::Call { callee: Callee::Pointer(_), .. }
            | Op::ExitThread { .. }
            | Op::ExitProgram { .. }
            | Op::Abort
            | Op::Unsupported { .. } => true,
            Op::Assign { .. }
            | Op::Load { .. }
            | Op::Store { .. }
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
            | Op::Nondet { .. }
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
            | Op::Partial { .. } => false,
        }
    }
}

fn guard_reads(op: &Op) -> bool {
    matches!(op, Op::AtomicBegin { when: Some(_) })
}

/// What a block does to registers: by how much one grows, or that it is set otherwise.
fn steps(cx: &Context, function: &Function, block: BlockId) -> Vec<(RegId, Option<i64>)> {
    let mut found = Vec::new();
    // Registers that are another one plus a constant, as long as neither is set.
    let mut sums: BTreeMap<RegId, (RegId, i64)> = BTreeMap::new();
    for instr in &function.blocks[block].instrs {
        let sum = match &instr.op {
            Op::Assign { value: Expr::Use(Operand::Reg(from)), .. } => sums.get(from).copied(),
            Op::Assign { value, .. } => sum(cx, value),
            _ => None,
        };
        instr.op.destinations(&mut |dst| {
            let step = sum.filter(|(reg, step)| *reg == dst && is_long(cx, function, dst, *step));
            found.push((dst, step.map(|(_, step)| step)));
            sums.retain(|of, (reg, _)| *of != dst && *reg != dst);
        });
        if let (Op::Assign { dst, .. }, Some((reg, step))) = (&instr.op, sum)
            && reg != *dst
        {
            sums.insert(*dst, (reg, step));
        }
    }
    found
}

fn sum(cx: &Context, value: &Expr) -> Option<(RegId, i64)> {
    let (reg, constant, negative) = match value {
        Expr::Binary { op: BinOp::Add, ty: Ty::Int(_), a: Operand::Reg(reg), b: Operand::Const(by) } => {
            (*reg, *by, false)
        }
        Expr::Binary { op: BinOp::Sub, ty: Ty::Int(_), a: Operand::Reg(reg), b: Operand::Const(by) } => {
            (*reg, *by, true)
        }
        Expr::PtrAdd { ptr: Operand::Reg(reg), offset: Operand::Const(by) } => (*reg, *by, false),
        _ => return None,
    };
    let constant @ Const::Int { .. } = cx.program.consts.get(constant) else { return None };
    let by = crate::eval::constant(cx.program, constant).constant().and_then(|by| i64::try_from(by).ok())?;
    let by = if negative { by.checked_neg()? } else { by };
    (by != 0).then_some((reg, by))
}

/// Returns true if a counter takes many rounds to be the same again.
fn is_long(cx: &Context, function: &Function, reg: RegId, step: i64) -> bool {
    let width = function.regs[reg].ty.bits(cx.program.pointer_bytes);
    width >= step.trailing_zeros() + PERIOD_BITS
}

/// The strongly connected parts of the control flow among some blocks, as far as they have an edge.
fn components(function: &Function, among: &Blocks) -> Vec<Blocks> {
    let next = |block: BlockId| {
        successors(&function.blocks[block].end.kind).into_iter().filter(|to| among.contains(to))
    };
    let reach = |from: BlockId| {
        let mut seen = Blocks::new();
        let mut todo: Vec<BlockId> = next(from).collect();
        while let Some(block) = todo.pop() {
            if seen.insert(block) {
                todo.extend(next(block));
            }
        }
        seen
    };
    let reached: BTreeMap<BlockId, Blocks> = among.iter().map(|block| (*block, reach(*block))).collect();
    let mut found: Vec<Blocks> = Vec::new();
    for (block, to) in reached.iter().filter(|(block, to)| to.contains(block)) {
        if !found.iter().any(|part| part.contains(block)) {
            found.push(to.iter().copied().filter(|other| reached[other].contains(block)).collect());
        }
    }
    found
}
