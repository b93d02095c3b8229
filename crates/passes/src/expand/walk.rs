//! Blocks: their instructions are copied with what is known put in, their ends decide where control arrives next.

use super::known::Known;
use super::point::{Point, StackBlock};
use super::rename::{Names, rename, rename_expr};
use super::{Walk, Walker};
use braid_analysis::wto::Element;
use braid_base::Idx;
use braid_ir::*;
use std::rc::Rc;

/// The instruction of the source that something is made for, and its place.
pub(super) type Origin = (InstrId, Loc);

/// Copies an operation of the running activation: its own registers and frame objects, and constants for registers of
/// which one is known.
struct Copier<'w, 'a> {
    walker: &'w mut Walker<'a>,
    point: &'w Point,
}

impl Names for Copier<'_, '_> {
    fn operand(&mut self, operand: Operand) -> Operand {
        self.walker.operand(self.point, operand)
    }

    fn reg(&mut self, reg: RegId) -> RegId {
        self.walker.frame().names.regs[reg.index()]
    }

    fn local(&mut self, local: LocalId) -> LocalId {
        self.walker.frame().names.locals[local.index()]
    }

    fn guarded(&mut self, instr: &Instr) -> Instr {
        let op = rename(&instr.op, self);
        let id = self.walker.fresh(instr.id);
        let frame = self.walker.frame();
        Instr { id, loc: frame.place(instr.loc), op, internal: frame.function.internal }
    }
}

impl Walker<'_> {
    pub(super) fn elements(&mut self, list: &[Element]) -> Walk {
        for element in list {
            match element {
                Element::Block(block) => self.block(*block)?,
                Element::Loop(component) => self.component(component)?,
            }
        }
        Ok(())
    }

    /// Copies a block, if control comes to it.
    pub(super) fn block(&mut self, block: BlockId) -> Walk {
        let Some(mut point) = self.frame_mut().pending[block].take() else { return Ok(()) };
        self.check_size()?;
        let code = &self.frame().function.blocks[block];
        for instr in &code.instrs {
            match self.instr(point, instr)? {
                Some(next) => point = next,
                None => return Ok(()),
            }
        }
        self.terminator(point, block, &code.end)
    }

    /// The value of a register, if it is known.
    pub(super) fn known(&self, point: &Point, operand: Operand) -> Option<Known> {
        match operand {
            Operand::Reg(reg) => point.known[reg.index()],
            Operand::Const(id) => Some(Known::Const(id)),
        }
    }

    fn known_const(&self, point: &Point, operand: Operand) -> Option<Const> {
        match self.known(point, operand)? {
            Known::Const(id) => Some(self.out.consts.get(id)),
            Known::Number(_) | Known::Address(_) => None,
        }
    }

    pub(super) fn known_int(&self, point: &Point, operand: Operand) -> Option<u128> {
        match self.known_const(point, operand)? {
            Const::Int { bits, .. } => Some(bits),
            Const::F32(_) | Const::F64(_) | Const::Null | Const::Global(..) | Const::Func(_) => None,
        }
    }

    /// An operand of the running activation in the new function.
    pub(super) fn operand(&self, point: &Point, operand: Operand) -> Operand {
        match (self.known(point, operand), operand) {
            (Some(Known::Const(id)), _) => Operand::Const(id),
            (_, Operand::Reg(reg)) => Operand::Reg(self.frame().names.regs[reg.index()]),
            (_, Operand::Const(id)) => Operand::Const(id),
        }
    }

    pub(super) fn copied(&mut self, point: &Point, op: &Op) -> Op {
        rename(op, &mut Copier { walker: self, point })
    }

    /// An expression of the running activation, and its value.
    fn value(&mut self, point: &Point, expr: &Expr) -> (Expr, Option<Known>) {
        let renamed = rename_expr(*expr, &mut Copier { walker: self, point });
        let known = Rc::clone(&point.known);
        let lookup = move |operand: Operand| match operand {
            Operand::Reg(reg) => known[reg.index()],
            Operand::Const(id) => Some(Known::Const(id)),
        };
        if let Some(address) = self.address_of(point, &renamed) {
            return (renamed, Some(address));
        }
        self.folder().value(expr, renamed, &lookup)
    }

    /// Copies an instruction; `None` if control does not go on behind it.
    fn instr(&mut self, mut point: Point, instr: &Instr) -> Walk<Option<Point>> {
        let origin = (instr.id, instr.loc);
        match &instr.op {
            Op::Call { dst, callee, args } => return self.call(point, origin, *dst, *callee, args),
            Op::Spawn { dst, func, arg } => return self.spawn(point, origin, *dst, *func, *arg),
            Op::Assign { dst, value } => {
                let (value, known) = self.value(&point, value);
                self.assign(&mut point, origin, *dst, value, known);
            }
            Op::Load { dst, ty, ptr, access } => {
                let known = self.loaded(&point, *ptr, *ty, *access);
                // A bit-field is one memory location with its neighbours, which others may write.
                let is_alone = access.extent == (0, 0);
                match known.filter(|_| is_alone).and_then(|known| self.shown(known)) {
                    Some(value) => self.assign(&mut point, origin, *dst, value, known),
                    None => {
                        self.copy(&mut point, instr);
                        point.set(*dst, known);
                    }
                }
            }
            Op::Assume { cond } => match self.known_int(&point, *cond) {
                Some(1) => {}
                Some(_) => {
                    self.copy(&mut point, instr);
                    self.end(point.at, origin, TermKind::Unreachable);
                    return Ok(None);
                }
                None => self.copy(&mut point, instr),
            },
            Op::Assert { check, cond, message, about } => {
                let (cond, known) = self.value(&point, cond);
                if known.is_some_and(|known| self.is_true(known)) {
                    return Ok(Some(point));
                }
                let about = about.map(|about| self.operand(&point, about));
                let op = Op::Assert { check: *check, cond, message: *message, about };
                self.emit(point.at, origin, op);
                let always = self.plan.unroll.is_some() && about.is_none() && check.is_memory_error();
                let ends = always || self.plan.checks.contains(*check);
                if known.is_some() && ends {
                    self.end(point.at, origin, TermKind::Unreachable);
                    return Ok(None);
                }
            }
            Op::LocalLive { local } => {
                point.alive.insert(local.index());
                self.copy(&mut point, instr);
                self.begin_local(&mut point, *local);
            }
            Op::LocalDead { local } => {
                point.alive.remove(&braid_analysis::Bits::one(local.index()));
                self.copy(&mut point, instr);
                point.forget_local(self.frame().names.locals[local.index()]);
            }
            Op::Alloc { dst, kind: AllocKind::Stack, .. } => {
                self.copy(&mut point, instr);
                self.hold(&mut point, origin, *dst);
            }
            Op::Free { kind: AllocKind::Stack, ptr } => {
                self.copy(&mut point, instr);
                self.let_go(&mut point, origin, *ptr);
            }
            Op::ExitThread { .. } | Op::ExitProgram { .. } | Op::Abort | Op::Unsupported { .. } => {
                self.copy(&mut point, instr);
                self.end(point.at, origin, TermKind::Unreachable);
                return Ok(None);
            }
            Op::Store { .. } | Op::Rmw { .. } | Op::CmpXchg(_) | Op::Copy { .. } | Op::Fill { .. } => {
                self.write_private(&mut point, instr);
                self.copy(&mut point, instr);
            }
            Op::Fence { .. }
            | Op::Alloc { kind: AllocKind::Heap, .. }
            | Op::Free { kind: AllocKind::Heap, .. }
            | Op::Nondet { .. }
            | Op::Input { .. }
            | Op::Output { .. }
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
            | Op::Partial { .. } => self.copy(&mut point, instr),
        }
        Ok(Some(point))
    }

    /// Copies an operation; nothing is known of what it sets. A guard sets its registers before it reads them.
    fn copy(&mut self, point: &mut Point, instr: &Instr) {
        let guard = matches!(instr.op, Op::AtomicBegin { .. });
        let forget = |point: &mut Point| instr.op.destinations(&mut |reg| point.set(reg, None));
        if guard {
            forget(point);
        }
        let op = self.copied(point, &instr.op);
        self.emit(point.at, (instr.id, instr.loc), op);
        forget(point);
    }

    fn assign(&mut self, point: &mut Point, origin: Origin, dst: RegId, value: Expr, known: Option<Known>) {
        let new = self.frame().names.regs[dst.index()];
        self.emit(point.at, origin, Op::Assign { dst: new, value });
        point.set(dst, known);
    }

    fn is_true(&self, known: Known) -> bool {
        matches!(known, Known::Const(id) if matches!(self.out.consts.get(id), Const::Int { bits: 1, .. }))
    }

    /// An expression for a value that is known, if that is simple.
    fn shown(&mut self, known: Known) -> Option<Expr> {
        match known {
            Known::Const(id) => Some(Expr::Use(Operand::Const(id))),
            Known::Number(bits) => {
                let width = self.program.pointer_bytes * 8;
                let a = self.constant(Const::Int { width, bits });
                Some(Expr::Cast { op: CastOp::IntToPtr, from: Ty::Int(width), to: Ty::Ptr, a })
            }
            Known::Address(_) => None,
        }
    }

    /// The value that a load gives, if it is known: of private memory, or of memory that nobody writes. A loop that is kept
    /// may wait for somebody to write.
    fn loaded(&mut self, point: &Point, ptr: Operand, ty: Ty, access: Access) -> Option<Known> {
        if let (Some(Known::Address(at)), Space::Memory) = (self.known(point, ptr), access.space) {
            let program = self.program;
            return point.private.load(program, &mut self.folder(), at, ty);
        }
        let Const::Global(global, at) = self.known_const(point, ptr)? else { return None };
        if access.volatile || access.space != Space::Memory {
            return None;
        }
        let waits = self.plan.heads && !self.frame().function.internal;
        let (program, read_only) = (self.program, self.plan.unroll.is_none() || waits);
        let pointer_bits = program.pointer_bytes * 8;
        let mut folder = super::Folder { pool: &mut self.out.consts, pointer_bits };
        self.written.value(program, &mut folder, (global, at), ty, access.extent, read_only)
    }

    /// Notes that a stack block was made, which ends with the activation.
    fn hold(&mut self, point: &mut Point, origin: Origin, dst: RegId) {
        if self.frame().role == super::point::Role::Outermost {
            return;
        }
        let holder = self.draft.temp(Ty::Ptr);
        let (start, index) = self.frame().start;
        let null = self.constant(Const::Null);
        let id = self.fresh(origin.0);
        let frame = self.frame();
        let (loc, internal) = (frame.place(origin.1), frame.function.internal);
        let op = Op::Assign { dst: holder, value: Expr::Use(null) };
        self.draft.blocks[start].instrs.insert(index, Instr { id, loc, op, internal });
        let made = Operand::Reg(self.frame().names.regs[dst.index()]);
        self.emit(point.at, origin, Op::Assign { dst: holder, value: Expr::Use(made) });
        point.blocks.push(StackBlock { dst, holder, made: origin.0, place: loc });
    }

    /// Notes that a stack block has ended: the last one that was made for the register.
    fn let_go(&mut self, point: &mut Point, origin: Origin, ptr: Operand) {
        let of_register = |block: &StackBlock| Some(block.dst) == ptr.reg();
        let Some(index) = point.blocks.iter().rposition(of_register) else { return };
        let block = point.blocks.remove(index);
        let null = self.constant(Const::Null);
        self.emit(point.at, origin, Op::Assign { dst: block.holder, value: Expr::Use(null) });
    }

    fn terminator(&mut self, point: Point, block: BlockId, end: &Terminator) -> Walk {
        let origin = (end.id, end.loc);
        match &end.kind {
            TermKind::Jump(to) => self.go(point, origin, *to),
            TermKind::Branch { cond, then, other } => match self.taken(&point, block, *cond, *then, *other) {
                Some(to) => self.go(point, origin, to),
                None => self.fork(point, origin, *cond, (*then, *other)),
            },
            TermKind::Switch { ty, value, cases, default } => match self.known_int(&point, *value) {
                Some(bits) => {
                    let case = cases.iter().find(|(pattern, _)| *pattern == bits);
                    self.go(point, origin, case.map_or(*default, |(_, to)| *to))
                }
                None => self.switch(point, origin, (*ty, *value), cases, *default),
            },
            TermKind::Return(value) => self.leave(point, origin, *value),
            TermKind::Unreachable => {
                self.end(point.at, origin, TermKind::Unreachable);
                Ok(())
            }
        }
    }

    /// Returns true if a branch of the function may be one at which a loop waits for other threads. In the user's code it
    /// may, if loops are kept or marked; in the library's, if it asks whether a thread is alive.
    fn may_wait_for_others(&self, function: &Function) -> bool {
        let asks = |instr: &Instr| matches!(instr.op, Op::ThreadState { ask: ThreadAsk::Life, .. });
        let mut instrs = function.blocks.iter().flat_map(|block| &block.instrs);
        match function.internal {
            true => self.plan.heads && instrs.any(asks),
            false => self.plan.unroll.is_none() || self.plan.heads,
        }
    }

    /// Where a branch goes, if that is known.
    fn taken(
        &self,
        point: &Point,
        block: BlockId,
        cond: Operand,
        then: BlockId,
        other: BlockId,
    ) -> Option<BlockId> {
        if then == other {
            return Some(then);
        }
        let frame = self.frame();
        // The way out of a kept loop stays: whether a thread spins depends on there being one.
        let leaves = |to: BlockId| {
            let innermost = frame.open.last();
            innermost.is_some_and(|open| open.component.blocks.binary_search(&to).is_err())
        };
        if let Some(bits) = self.known_int(point, cond) {
            let (taken, dropped) = if bits & 1 == 1 { (then, other) } else { (other, then) };
            return (!leaves(dropped)).then_some(taken);
        }
        let instance = frame.instance.filter(|_| !self.may_wait_for_others(frame.function))?;
        let dead = |to: BlockId| self.facts.constants.is_dead(instance, block, to);
        match (dead(then), dead(other)) {
            (true, false) if !leaves(then) => Some(other),
            (false, true) if !leaves(other) => Some(then),
            (_, _) => None,
        }
    }

    fn fork(&mut self, mut point: Point, origin: Origin, cond: Operand, to: (BlockId, BlockId)) -> Walk {
        let mut holds = Point { weight: self.weights.split(&mut point.weight), ..point.clone() };
        let new_cond = self.operand(&point, cond);
        if let Operand::Reg(reg) = cond {
            for (point, bits) in [(&mut holds, 1), (&mut point, 0)] {
                let id = self.out.consts.intern(Const::Int { width: 1, bits });
                point.set(reg, Some(Known::Const(id)));
            }
        }
        let at = point.at;
        let (then, other) = (self.arrive(holds, to.0)?, self.arrive(point, to.1)?);
        self.end(at, origin, TermKind::Branch { cond: new_cond, then, other });
        Ok(())
    }

    fn switch(
        &mut self,
        mut point: Point,
        origin: Origin,
        (ty, value): (Ty, Operand),
        cases: &[(u128, BlockId)],
        default: BlockId,
    ) -> Walk {
        let new_value = self.operand(&point, value);
        let at = point.at;
        let mut new_cases = Vec::with_capacity(cases.len());
        for (bits, to) in cases {
            let mut case = Point { weight: self.weights.split(&mut point.weight), ..point.clone() };
            if let (Operand::Reg(reg), Ty::Int(width)) = (value, ty) {
                let id = self.out.consts.intern(Const::Int { width, bits: *bits });
                case.set(reg, Some(Known::Const(id)));
            }
            new_cases.push((*bits, self.arrive(case, *to)?));
        }
        let default = self.arrive(point, default)?;
        self.end(at, origin, TermKind::Switch { ty, value: new_value, cases: new_cases, default });
        Ok(())
    }

    /// Control goes on with a block.
    pub(super) fn go(&mut self, point: Point, origin: Origin, to: BlockId) -> Walk {
        let at = point.at;
        let to = self.arrive(point, to)?;
        self.end(at, origin, TermKind::Jump(to));
        Ok(())
    }

    /// Control arrives at a block of the source; the block of the new function where it will be copied.
    fn arrive(&mut self, mut point: Point, to: BlockId) -> Walk<BlockId> {
        let frame = self.stack.last_mut().expect("code is in a function");
        frame.arrived[to] += 1;
        if let Some(open) = frame.open.iter().find(|open| open.component.head == to) {
            if let Some(block) = point.blocks.iter().find(|block| !open.blocks.contains(block)) {
                return Err(super::Refused::StackBlock { place: block.place });
            }
            return Ok(open.head);
        }
        if let Some(pending) = &mut frame.pending[to] {
            pending.merge(&point);
            return Ok(pending.at);
        }
        point.at = self.draft.block();
        let at = point.at;
        frame.pending[to] = Some(point);
        Ok(at)
    }

    /// Control goes on where others have, or at a new block; that is no block of the source.
    pub(super) fn join(&mut self, into: &mut Option<Point>, origin: Origin, mut point: Point) {
        let from = point.at;
        match into {
            Some(known) => known.merge(&point),
            None => {
                point.at = self.draft.block();
                *into = Some(point);
            }
        }
        let to = into.as_ref().map_or(from, |known| known.at);
        self.end(from, origin, TermKind::Jump(to));
    }
}
