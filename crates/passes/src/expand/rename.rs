//! An operation with other names: registers, frame objects, operands and the ids inside of guards.

use braid_ir::{Callee, CmpXchg, Expr, Guard, Instr, LocalId, Op, Operand, RegId};

/// The new names.
pub(super) trait Names {
    /// An operand that is read; a register may turn into a constant.
    fn operand(&mut self, operand: Operand) -> Operand;
    /// A register that is set.
    fn reg(&mut self, reg: RegId) -> RegId;
    fn local(&mut self, local: LocalId) -> LocalId;
    /// An instruction of a guard.
    fn guarded(&mut self, instr: &Instr) -> Instr;
}

/// The operation with other names. Calls are the business of whoever copies code.
pub(super) fn rename(op: &Op, names: &mut dyn Names) -> Op {
    match *op {
        Op::Assign { dst, value } => {
            let value = rename_expr(value, names);
            Op::Assign { dst: names.reg(dst), value }
        }
        Op::Load { dst, ty, ptr, access } => {
            let ptr = names.operand(ptr);
            Op::Load { dst: names.reg(dst), ty, ptr, access }
        }
        Op::Store { ty, ptr, value, access } => {
            Op::Store { ty, ptr: names.operand(ptr), value: names.operand(value), access }
        }
        Op::Rmw { dst, op, ty, ptr, value, order } => {
            let (ptr, value) = (names.operand(ptr), names.operand(value));
            Op::Rmw { dst: names.reg(dst), op, ty, ptr, value, order }
        }
        Op::CmpXchg(ref c) => Op::CmpXchg(Box::new(rename_exchange(c, names))),
        Op::Fence { order } => Op::Fence { order },
        Op::Copy { dst, src, len, shape, overlapping } => {
            let (dst, src, len) = (names.operand(dst), names.operand(src), names.operand(len));
            Op::Copy { dst, src, len, shape, overlapping }
        }
        Op::Fill { dst, byte, len, shape } => {
            let (dst, byte, len) = (names.operand(dst), names.operand(byte), names.operand(len));
            Op::Fill { dst, byte, len, shape }
        }
        Op::Call { dst, callee, ref args } => {
            let args = args.iter().map(|arg| names.operand(*arg)).collect();
            let callee = match callee {
                Callee::Direct(func) => Callee::Direct(func),
                Callee::Pointer(pointer) => Callee::Pointer(names.operand(pointer)),
            };
            Op::Call { dst: dst.map(|dst| names.reg(dst)), callee, args }
        }
        Op::Assume { cond } => Op::Assume { cond: names.operand(cond) },
        Op::Assert { check, cond, message, about } => {
            let about = about.map(|about| names.operand(about));
            Op::Assert { check, cond: rename_expr(cond, names), message, about }
        }
        Op::Alloc { dst, kind, size, align, zeroed } => {
            let (size, align) = (names.operand(size), names.operand(align));
            Op::Alloc { dst: names.reg(dst), kind, size, align, zeroed }
        }
        Op::Free { kind, ptr } => Op::Free { kind, ptr: names.operand(ptr) },
        Op::LocalLive { local } => Op::LocalLive { local: names.local(local) },
        Op::LocalDead { local } => Op::LocalDead { local: names.local(local) },
        Op::Nondet { dst, ty, kind } => Op::Nondet { dst: names.reg(dst), ty, kind },
        Op::Input { dst } => Op::Input { dst: names.reg(dst) },
        Op::Output { stream, byte } => Op::Output { stream, byte: names.operand(byte) },
        Op::Spawn { dst, func, arg } => {
            let (func, arg) = (names.operand(func), names.operand(arg));
            Op::Spawn { dst: names.reg(dst), func, arg }
        }
        Op::Join { dst, handle } => {
            let handle = names.operand(handle);
            Op::Join { dst: dst.map(|dst| names.reg(dst)), handle }
        }
        Op::Detach { handle } => Op::Detach { handle: names.operand(handle) },
        Op::ThreadState { dst, ask, handle } => {
            let handle = names.operand(handle);
            Op::ThreadState { dst: names.reg(dst), ask, handle }
        }
        Op::Pair { dst, word, mutex } => {
            let (word, mutex) = (names.operand(word), names.operand(mutex));
            Op::Pair { dst: names.reg(dst), word, mutex }
        }
        Op::Lock { mutex } => Op::Lock { mutex: names.operand(mutex) },
        Op::TryLock { dst, mutex } => {
            let mutex = names.operand(mutex);
            Op::TryLock { dst: names.reg(dst), mutex }
        }
        Op::Unlock { mutex } => Op::Unlock { mutex: names.operand(mutex) },
        Op::AtomicBegin { ref when } => {
            let when = when.as_ref().map(|guard| {
                let instrs = guard.instrs.iter().map(|instr| names.guarded(instr)).collect();
                Box::new(Guard { instrs, cond: names.operand(guard.cond) })
            });
            Op::AtomicBegin { when }
        }
        Op::AtomicEnd => Op::AtomicEnd,
        Op::SelfHandle { dst } => Op::SelfHandle { dst: names.reg(dst) },
        Op::SelfNumber { dst } => Op::SelfNumber { dst: names.reg(dst) },
        Op::ExitThread { value } => Op::ExitThread { value: names.operand(value) },
        Op::ExitProgram { code } => Op::ExitProgram { code: names.operand(code) },
        Op::Abort => Op::Abort,
        Op::Unsupported { what } => Op::Unsupported { what },
        Op::Partial { what, bound } => Op::Partial { what, bound },
    }
}

fn rename_exchange(c: &CmpXchg, names: &mut dyn Names) -> CmpXchg {
    let (ptr, expected, desired) =
        (names.operand(c.ptr), names.operand(c.expected), names.operand(c.desired));
    CmpXchg { ok: names.reg(c.ok), old: names.reg(c.old), ptr, expected, desired, ..c.clone() }
}

pub(super) fn rename_expr(expr: Expr, names: &mut dyn Names) -> Expr {
    match expr {
        Expr::LocalAddr(local) => Expr::LocalAddr(names.local(local)),
        other => other.map_operands(&mut |operand| names.operand(operand)),
    }
}
