//! Returns: the end of an activation, spelled out.

use super::known::Known;
use super::point::{Point, Role, StackBlock};
use super::walk::Origin;
use super::{Walk, Walker};
use braid_analysis::AccessKind;
use braid_analysis::objects::{BlockKind, Object};
use braid_base::Idx;
use braid_base::faults::active;
use braid_ir::*;

impl Walker<'_> {
    /// The activation returns.
    pub(super) fn leave(&mut self, mut point: Point, origin: Origin, value: Option<Operand>) -> Walk {
        let at = point.at;
        let frame = self.frame_mut();
        frame.returns += 1;
        let (role, function, dst) = (frame.role, frame.function, frame.dst);
        if role == Role::Outermost {
            let value = value.map(|value| self.operand(&point, value));
            self.end(at, origin, TermKind::Return(value));
            return Ok(());
        }
        let mut result = None;
        if let (Some(dst), Some(value), Some(from)) = (dst, value, function.ret) {
            let value = (self.operand(&point, value), self.known(&point, value));
            result = self.assign_as(at, origin, value, from, dst);
        }
        self.end_objects(&mut point, origin);
        self.clear_holders(at, origin);
        if function.atomic && !active("inlined-function-not-atomic") {
            self.emit(at, origin, Op::AtomicEnd);
        }
        if let (Some((dst, ty)), true) = (dst, value.is_none() || function.ret.is_none()) {
            self.emit(at, origin, Op::Nondet { dst, ty, kind: ChoiceKind::Uninit });
        }
        let frame = self.frame_mut();
        let caller = frame.caller.as_ref().expect("an activation that is called has a caller");
        point = Point { at, weight: point.weight, private: point.private, ..caller.clone() };
        if let Some(dst) = frame.dst_in_caller {
            // The address of an object that is gone is no address.
            let gone = matches!(result, Some(Known::Address(at)) if !point.private.is_followed(at.base));
            point.set(dst, result.filter(|_| !gone));
        }
        let mut back = frame.back.take();
        self.join(&mut back, origin, point);
        self.frame_mut().back = back;
        Ok(())
    }

    /// Ends the lives of frame objects and stack blocks.
    fn end_objects(&mut self, point: &mut Point, origin: Origin) {
        let frame = self.frame();
        let alive: Vec<LocalId> = point.alive.iter().map(LocalId::from_usize).collect();
        let new = |local: LocalId| frame.names.locals[local.index()];
        let ended: Vec<LocalId> = match frame.role {
            Role::Called => alive.into_iter().map(new).collect(),
            Role::Lasting => {
                let object = |local: &LocalId| Some(Object::Local(frame.instance?, *local));
                alive.into_iter().filter(|local| self.keeps_blocks(object(local))).map(new).collect()
            }
            Role::Outermost => Vec::new(),
        };
        let lasting = frame.role == Role::Lasting;
        let made = |block: &StackBlock| Some(Object::Block(frame.instance?, block.made, BlockKind::Stack));
        let blocks: Vec<StackBlock> =
            point.blocks.iter().filter(|block| !lasting || self.keeps_blocks(made(block))).copied().collect();
        if lasting && !(ended.is_empty() && blocks.is_empty()) {
            // Nobody sees them go: the program ends in this section.
            self.emit(point.at, origin, Op::AtomicBegin { when: None });
        }
        for local in ended {
            point.forget_local(local);
            self.emit(point.at, origin, Op::LocalDead { local });
        }
        for block in blocks.iter().rev() {
            let op = Op::Free { kind: AllocKind::Stack, ptr: Operand::Reg(block.holder) };
            self.emit(point.at, origin, op);
        }
    }

    /// Returns true for an object of `main` through which a heap block could still be reached when `main` has returned. An
    /// object that may be a lock is none of them: the end of its life is a defect if it is held.
    fn keeps_blocks(&self, object: Option<Object>) -> bool {
        let (pointers, accesses) = (&self.facts.pointers, &self.facts.accesses);
        let Some(object) = object.and_then(|object| pointers.find(object)) else { return false };
        let is_block = |object| matches!(pointers.object(object), Object::Block(_, _, BlockKind::Heap));
        let mut shadows = accesses.list.iter().filter(|access| {
            access.kind == AccessKind::Mutex
                || access.kind != AccessKind::Death && access.space == Space::Shadow
        });
        pointers.contents(object).any(is_block)
            && !shadows.any(|access| accesses.extents_in(access, object).next().is_some())
    }

    /// Clears the registers of an activation that may hold the address of a heap block.
    fn clear_holders(&mut self, at: BlockId, origin: Origin) {
        let regs = self.frame().names.regs.clone();
        for dst in regs.into_iter().filter(|reg| self.draft.holders[*reg]).collect::<Vec<_>>() {
            let zero = match self.draft.regs[dst].ty {
                Ty::Int(width) => Const::Int { width, bits: 0 },
                Ty::F32 => Const::F32(0),
                Ty::F64 => Const::F64(0),
                Ty::Ptr => Const::Null,
            };
            let value = Expr::Use(self.constant(zero));
            self.emit(at, origin, Op::Assign { dst, value });
        }
    }
}
