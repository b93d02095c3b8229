//! The constraints of each instruction.

use super::graph::{BlockCopy, Flow, Kind, Link, NodeId, Solver, Use};
use crate::instances::InstanceId;
use crate::objects::{Object, Offset};
use braid_base::Idx;
use braid_ir::*;

/// Numbers below, and as far from the top, are never addresses.
const PAGE: u128 = 4096;

impl Solver<'_> {
    pub fn generate(&mut self, instance: InstanceId) {
        let program = self.program;
        let function = &program.functions[self.instances.list[instance].func];
        self.folded = crate::defs::constants(program, function);
        for block in &function.blocks {
            for instr in &block.instrs {
                self.instruction(instance, instr);
            }
            if let TermKind::Return(Some(value)) = block.end.kind {
                let (from, to) = (self.operand(instance, value), self.returns[instance]);
                self.edge(from, to, Flow::Copy);
            }
        }
    }

    fn operand(&mut self, instance: InstanceId, operand: Operand) -> NodeId {
        match operand {
            Operand::Reg(reg) => self.reg(instance, reg),
            Operand::Const(id) => {
                if let Some(&node) = self.consts.get(&id) {
                    return node;
                }
                let node = self.node(Kind::Plain);
                self.consts.insert(id, node);
                self.add_const(node, self.program.consts.get(id));
                node
            }
        }
    }

    fn constant(&self, operand: Operand) -> Option<u128> {
        match operand {
            Operand::Reg(reg) => self.folded[reg.index()],
            Operand::Const(id) => match self.program.consts.get(id) {
                Const::Int { bits, .. } => Some(bits),
                Const::Null => Some(0),
                Const::F32(_) | Const::F64(_) | Const::Global(..) | Const::Func(_) => None,
            },
        }
    }

    /// A pointer-wide constant, signed.
    fn displacement(&self, operand: Operand) -> Option<i64> {
        let bits = self.constant(operand)?;
        Some(match self.program.pointer_bytes {
            8 => bits as u64 as i64,
            _ => i64::from(bits as u32 as i32),
        })
    }

    fn bytes(&self, ty: Ty) -> u64 {
        ty.bytes(self.program.pointer_bytes)
    }

    fn instruction(&mut self, at: InstanceId, instr: &Instr) {
        match &instr.op {
            Op::Assign { dst, value } => self.expression(at, *dst, value),
            Op::Load { dst, ty, ptr, access } => {
                let (dst, len) = (self.reg(at, *dst), self.bytes(*ty));
                self.use_of(at, *ptr, Use::Load { dst, len, space: access.space });
            }
            Op::Store { ty, ptr, value, access } => {
                let (value, len) = (self.operand(at, *value), self.bytes(*ty));
                self.use_of(at, *ptr, Use::Store { value, len, space: access.space, flow: Flow::Copy });
            }
            Op::Rmw { dst, op, ty, ptr, value, order: _ } => self.rmw(at, *dst, *op, *ty, *ptr, *value),
            Op::CmpXchg(c) => self.compare_exchange(at, c),
            Op::Copy { dst, src, len, shape: _, overlapping: _ } => {
                let (src, dst) = (self.operand(at, *src), self.operand(at, *dst));
                let len = self.constant(*len).map(|len| len as u64);
                let copy = self.copies.push(BlockCopy { src, dst, len, through: None });
                self.attach(src, Use::CopyFrom(copy));
                self.attach(dst, Use::CopyTo(copy));
            }
            Op::Fill { dst, byte, len, shape: _ } => {
                let (value, len) = (self.operand(at, *byte), self.constant(*len).map(|len| len as u64));
                let what = match (self.constant(*byte), len) {
                    (Some(0), Some(len)) => Use::Clear { len },
                    _ => Use::Fill { value, len },
                };
                self.use_of(at, *dst, what);
            }
            Op::Call { dst, callee, args } => {
                let args = args.iter().map(|arg| self.operand(at, *arg)).collect();
                let dst = dst.map(|dst| self.reg(at, dst));
                let link = Link { from: at, instr: instr.id, args, dst, spawn: false };
                match callee {
                    Callee::Direct(func) => self.call(&link, *func),
                    Callee::Pointer(pointer) => {
                        let pointer = self.operand(at, *pointer);
                        self.link(link, pointer);
                    }
                }
            }
            Op::Alloc { dst, kind, size: _, align: _, zeroed } => {
                let object = self.object(Object::Block(at, instr.id, (*kind).into()));
                if !zeroed {
                    self.uninitialised(object);
                }
                let dst = self.reg(at, *dst);
                self.add(dst, object, Offset::At(0));
            }
            Op::Spawn { dst, func, arg } => {
                let (arg, pointer) = (self.operand(at, *arg), self.operand(at, *func));
                let handle = self.object(Object::Handle(at, instr.id));
                let dst = self.reg(at, *dst);
                self.add(dst, handle, Offset::At(0));
                let link = Link { from: at, instr: instr.id, args: vec![arg], dst: None, spawn: true };
                self.link(link, pointer);
            }
            Op::Join { dst, handle: _ } => {
                if let Some(dst) = dst {
                    let dst = self.reg(at, *dst);
                    self.edge(self.results, dst, Flow::Copy);
                    self.add_unknown(dst);
                }
            }
            Op::ExitThread { value } => {
                let value = self.operand(at, *value);
                self.edge(value, self.results, Flow::Copy);
            }
            Op::AtomicBegin { when } => {
                let guard = when.iter().flat_map(|guard| &guard.instrs);
                guard.for_each(|instr| self.instruction(at, instr));
            }
            Op::LocalLive { local } => {
                self.object(Object::Local(at, *local));
            }
            Op::Nondet { dst, .. } | Op::Input { dst } | Op::SelfHandle { dst } | Op::SelfNumber { dst } => {
                let dst = self.reg(at, *dst);
                self.add_unknown(dst);
            }
            // Sets of constants exist once they are mentioned; later questions are about these.
            Op::Free { ptr: pointer, .. }
            | Op::Lock { mutex: pointer }
            | Op::Unlock { mutex: pointer }
            | Op::TryLock { mutex: pointer, .. } => {
                self.operand(at, *pointer);
            }
            Op::Fence { .. }
            | Op::Assume { .. }
            | Op::Assert { .. }
            | Op::LocalDead { .. }
            | Op::Output { .. }
            | Op::Detach { .. }
            | Op::ThreadState { .. }
            | Op::Pair { .. }
            | Op::AtomicEnd
            | Op::ExitProgram { .. }
            | Op::Abort
            | Op::Unsupported { .. }
            | Op::Partial { .. } => {}
        }
    }

    fn use_of(&mut self, at: InstanceId, pointer: Operand, what: Use) {
        let pointer = self.operand(at, pointer);
        self.attach(pointer, what);
    }

    fn rmw(&mut self, at: InstanceId, dst: RegId, op: RmwOp, ty: Ty, ptr: Operand, value: Operand) {
        let (dst, len, value) = (self.reg(at, dst), self.bytes(ty), self.operand(at, value));
        self.use_of(at, ptr, Use::Load { dst, len, space: Space::Memory });
        let store = |value, flow| Use::Store { value, len, space: Space::Memory, flow };
        match op {
            RmwOp::Exchange => self.use_of(at, ptr, store(value, Flow::Copy)),
            RmwOp::Add | RmwOp::Sub | RmwOp::And | RmwOp::Or | RmwOp::Xor | RmwOp::Nand => {
                for operand in [dst, value, self.unknown] {
                    self.use_of(at, ptr, store(operand, Flow::Blur));
                }
            }
        }
    }

    fn compare_exchange(&mut self, at: InstanceId, c: &CmpXchg) {
        let (old, len) = (self.reg(at, c.old), self.bytes(c.ty));
        let (expected, value) = (self.operand(at, c.expected), self.operand(at, c.desired));
        self.use_of(at, c.ptr, Use::Load { dst: old, len, space: Space::Memory });
        self.use_of(at, c.ptr, Use::Store { value, len, space: Space::Memory, flow: Flow::Copy });
        self.comparison(old, expected);
    }

    fn comparison(&mut self, a: NodeId, b: NodeId) {
        self.attach(a, Use::Compare(b));
        self.attach(b, Use::Compare(a));
    }

    fn expression(&mut self, at: InstanceId, dst: RegId, value: &Expr) {
        let to = self.reg(at, dst);
        match value {
            Expr::Use(a) => self.flows(at, *a, to, Flow::Copy),
            Expr::Select { then, other, .. } => {
                self.flows(at, *then, to, Flow::Copy);
                self.flows(at, *other, to, Flow::Copy);
            }
            Expr::PtrAdd { ptr, offset } => {
                let flow = self.displacement(*offset).map_or(Flow::Blur, Flow::Shift);
                self.flows(at, *ptr, to, flow);
            }
            Expr::LocalAddr(local) => {
                let object = self.object(Object::Local(at, *local));
                self.add(to, object, Offset::At(0));
            }
            Expr::ThreadLocalAddr(global) => {
                let object = self.object(Object::ThreadLocal(*global));
                self.add(to, object, Offset::At(0));
            }
            Expr::Binary { op, a, b, .. } => self.binary(at, to, *op, *a, *b),
            Expr::Unary { a, .. } => self.derived(at, *a, to),
            Expr::Cast { op, a, .. } => self.cast(at, to, *op, *a),
            Expr::Compare { a, b, .. } => {
                let (a, b) = (self.operand(at, *a), self.operand(at, *b));
                self.comparison(a, b);
            }
            Expr::PtrDiff { a, b } => {
                let (a, b) = (self.operand(at, *a), self.operand(at, *b));
                self.comparison(a, b);
                self.add_unknown(to);
            }
            Expr::ObjectSize(pointer) => {
                self.operand(at, *pointer);
                self.add_unknown(to);
            }
            Expr::Fits { .. } | Expr::Math { .. } => self.add_unknown(to),
        }
    }

    fn flows(&mut self, at: InstanceId, from: Operand, to: NodeId, flow: Flow) {
        let from = self.operand(at, from);
        self.edge(from, to, flow);
    }

    /// A number computed from another, somehow.
    fn derived(&mut self, at: InstanceId, from: Operand, to: NodeId) {
        self.flows(at, from, to, Flow::Blur);
        self.add_unknown(to);
    }

    fn binary(&mut self, at: InstanceId, to: NodeId, op: BinOp, a: Operand, b: Operand) {
        self.add_unknown(to);
        let shift = match op {
            BinOp::Add => self.displacement(b).map(|by| (a, by)).or(self.displacement(a).map(|by| (b, by))),
            BinOp::Sub => self.displacement(b).and_then(|by| Some((a, by.checked_neg()?))),
            BinOp::Mul
            | BinOp::SDiv
            | BinOp::UDiv
            | BinOp::SRem
            | BinOp::URem
            | BinOp::And
            | BinOp::Or
            | BinOp::Xor
            | BinOp::Shl
            | BinOp::LShr
            | BinOp::AShr
            | BinOp::FAdd
            | BinOp::FSub
            | BinOp::FMul
            | BinOp::FDiv => None,
        };
        match shift {
            Some((from, by)) => self.flows(at, from, to, Flow::Shift(by)),
            None => {
                self.flows(at, a, to, Flow::Blur);
                self.flows(at, b, to, Flow::Blur);
            }
        }
    }

    fn cast(&mut self, at: InstanceId, to: NodeId, op: CastOp, a: Operand) {
        match op {
            CastOp::PtrToInt | CastOp::Bits | CastOp::Forget => self.flows(at, a, to, Flow::Copy),
            CastOp::IntToPtr => {
                let top = u128::MAX >> (128 - 8 * u32::from(self.program.pointer_bytes));
                let no_address = |bits: u128| bits < PAGE || bits > top - PAGE;
                if !self.constant(a).is_some_and(no_address) {
                    self.flows(at, a, to, Flow::Copy);
                }
            }
            CastOp::Trunc
            | CastOp::Zext
            | CastOp::Sext
            | CastOp::FloatToFloat
            | CastOp::FloatToSint
            | CastOp::FloatToUint
            | CastOp::SintToFloat
            | CastOp::UintToFloat => self.derived(at, a, to),
        }
    }
}
