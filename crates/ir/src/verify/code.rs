//! Rules for functions: ids, types, targets, memory orders.

use super::VerifyError;
use crate::instr::*;
use crate::print::FnText;
use crate::program::*;
use braid_base::{HashSet, Idx};

pub(super) fn verify_function(
    program: &Program,
    function: &Function,
    seen: &mut HashSet<InstrId>,
    errors: &mut Vec<VerifyError>,
) {
    let mut checker = Checker { program, function, seen, errors, at: None };
    checker.registers();
    for block in &function.blocks {
        for instr in &block.instrs {
            checker.instr(instr);
        }
        checker.visit(block.end.id, block.end.loc);
        checker.terminator(&block.end.kind);
    }
}

struct Checker<'a> {
    program: &'a Program,
    function: &'a Function,
    seen: &'a mut HashSet<InstrId>,
    errors: &'a mut Vec<VerifyError>,
    at: Option<(InstrId, Loc)>,
}

impl Checker<'_> {
    fn error(&mut self, message: String) {
        let (instr, loc) = self.at.map_or((None, self.function.loc), |(id, loc)| (Some(id), loc));
        self.errors.push(VerifyError { function: Some(self.function.name), instr, loc, message });
    }

    fn require(&mut self, holds: bool, message: impl FnOnce() -> String) {
        if !holds {
            self.error(message());
        }
    }

    fn registers(&mut self) {
        for (id, reg) in self.function.regs.enumerated() {
            let good = !matches!(reg.ty, Ty::Int(width) if !(1..=128).contains(&width));
            self.require(good, || format!("{id} has the impossible type {}", reg.ty));
        }
        let mut params = HashSet::default();
        for &param in &self.function.params {
            self.reg_ty(param);
            self.require(params.insert(param), || format!("{param} is two parameters"));
        }
    }

    fn visit(&mut self, id: InstrId, loc: Loc) {
        self.at = Some((id, loc));
        let fresh = self.seen.insert(id);
        self.require(fresh, || "the instruction id is used twice".into());
        let limit = self.program.next_instr;
        self.require(id.0 < limit, || format!("the instruction id is not below next-instr {limit}"));
        let known = loc == Loc::NONE || self.program.files.get(loc.file).is_some();
        self.require(known, || format!("{} does not exist", loc.file));
    }

    fn pointer_wide(&self) -> Ty {
        Ty::Int(self.program.pointer_bytes * 8)
    }

    fn reg_ty(&mut self, reg: RegId) -> Option<Ty> {
        let ty = self.function.regs.get(reg).map(|r| r.ty);
        self.require(ty.is_some(), || format!("{reg} does not exist"));
        ty
    }

    fn operand_ty(&mut self, operand: Operand) -> Option<Ty> {
        match operand {
            Operand::Reg(reg) => self.reg_ty(reg),
            Operand::Const(id) if id.index() >= self.program.consts.len() => {
                self.error(format!("{id} does not exist"));
                None
            }
            Operand::Const(id) => Some(self.const_ty(self.program.consts.get(id))),
        }
    }

    fn const_ty(&mut self, value: Const) -> Ty {
        match value {
            Const::Int { width, .. } => Ty::Int(width),
            Const::F32(_) => Ty::F32,
            Const::F64(_) => Ty::F64,
            Const::Null | Const::Func(_) => Ty::Ptr,
            Const::Global(global, _) => {
                let global = &self.program.globals[global];
                self.require(!global.thread_local, || {
                    format!("'@{}' is thread-local and has no constant address", global.name)
                });
                Ty::Ptr
            }
        }
    }

    fn operand(&mut self, operand: Operand, expected: Ty) {
        if let Some(ty) = self.operand_ty(operand).filter(|ty| *ty != expected) {
            let text = FnText { program: self.program, function: self.function }.opd(operand);
            self.error(format!("operand {text} has type {ty}, not {expected}"));
        }
    }

    fn dst(&mut self, dst: RegId, result: Ty) {
        if let Some(ty) = self.reg_ty(dst).filter(|ty| *ty != result) {
            self.error(format!("the result has type {result}, but %{} has type {ty}", dst.0));
        }
    }

    fn value_ty(&mut self, ty: Ty) {
        let good = !matches!(ty, Ty::Int(width) if !(1..=128).contains(&width));
        self.require(good, || format!("impossible type {ty}"));
    }

    fn local(&mut self, local: LocalId) {
        let known = self.function.locals.get(local).is_some();
        self.require(known, || format!("{local} does not exist"));
    }

    fn shape(&mut self, shape: ShapeId) {
        let known = self.program.shapes.get(shape).is_some();
        self.require(known, || format!("{shape} does not exist"));
    }

    fn block(&mut self, block: BlockId) {
        let known = self.function.blocks.get(block).is_some();
        self.require(known, || format!("{block} does not exist"));
    }

    fn instr(&mut self, instr: &Instr) {
        self.visit(instr.id, instr.loc);
        let wide = self.pointer_wide();
        match &instr.op {
            Op::Assign { dst, value } => {
                let ty = self.expr(value);
                if let Some(ty) = ty {
                    self.dst(*dst, ty);
                } else {
                    self.reg_ty(*dst);
                }
            }
            Op::Load { dst, ty, ptr, access } => {
                self.value_ty(*ty);
                self.dst(*dst, *ty);
                self.operand(*ptr, Ty::Ptr);
                let bad = matches!(access.order, Order::Release | Order::AcqRel);
                self.require(!bad, || format!("a load cannot be {}", access.order.word()));
            }
            Op::Store { ty, ptr, value, access } => {
                self.value_ty(*ty);
                self.operand(*ptr, Ty::Ptr);
                self.operand(*value, *ty);
                let bad = matches!(access.order, Order::Acquire | Order::AcqRel);
                self.require(!bad, || format!("a store cannot be {}", access.order.word()));
            }
            Op::Rmw { dst, op, ty, ptr, value, order } => {
                self.value_ty(*ty);
                self.dst(*dst, *ty);
                self.operand(*ptr, Ty::Ptr);
                self.operand(*value, *ty);
                let good = *op == RmwOp::Exchange || matches!(ty, Ty::Int(_));
                self.require(good, || format!("rmw {} does not work on {ty}", op.word()));
                self.require(*order != Order::Plain, || "rmw must be atomic".into());
            }
            Op::CmpXchg(c) => self.cmpxchg(c),
            Op::Fence { order } => {
                self.require(*order != Order::Plain, || "a fence must be atomic".into());
            }
            Op::Copy { dst, src, len, shape, overlapping: _ } => {
                self.operand(*dst, Ty::Ptr);
                self.operand(*src, Ty::Ptr);
                self.operand(*len, wide);
                self.shape(*shape);
            }
            Op::Fill { dst, byte, len, shape } => {
                self.operand(*dst, Ty::Ptr);
                self.operand(*byte, Ty::Int(8));
                self.operand(*len, wide);
                self.shape(*shape);
            }
            Op::Call { dst, callee, args } => self.call(*dst, *callee, args),
            Op::Assume { cond } => self.operand(*cond, Ty::BOOL),
            Op::Assert { check: _, cond, message: _, about } => {
                let ty = self.expr(cond);
                let good = ty.is_none_or(|ty| ty == Ty::BOOL);
                self.require(good, || "the condition of assert is not i1".into());
                if let Some(about) = about {
                    self.operand(*about, Ty::Ptr);
                }
            }
            Op::Alloc { dst, kind: _, size, align, zeroed: _ } => {
                self.dst(*dst, Ty::Ptr);
                self.operand(*size, wide);
                self.operand(*align, wide);
            }
            Op::Free { kind: _, ptr } => self.operand(*ptr, Ty::Ptr),
            Op::LocalLive { local } | Op::LocalDead { local } => self.local(*local),
            Op::Nondet { dst, ty, kind: _ } => {
                self.value_ty(*ty);
                self.dst(*dst, *ty);
            }
            Op::Input { dst } => self.dst(*dst, Ty::Int(32)),
            Op::Output { stream, byte } => {
                self.require(matches!(stream, 1 | 2), || format!("there is no output stream {stream}"));
                self.operand(*byte, Ty::Int(8));
            }
            Op::Spawn { dst, func, arg } => {
                self.dst(*dst, wide);
                self.operand(*func, Ty::Ptr);
                self.operand(*arg, Ty::Ptr);
            }
            Op::Join { dst, handle } => {
                if let Some(dst) = dst {
                    self.dst(*dst, Ty::Ptr);
                }
                self.operand(*handle, wide);
            }
            Op::Detach { handle } => self.operand(*handle, wide),
            Op::Pair { dst, word, mutex } => {
                self.dst(*dst, Ty::BOOL);
                self.operand(*word, Ty::Ptr);
                self.operand(*mutex, Ty::Ptr);
            }
            Op::ThreadState { dst, ask: _, handle } => {
                self.dst(*dst, Ty::Int(32));
                self.operand(*handle, wide);
            }
            Op::Lock { mutex } | Op::Unlock { mutex } => self.operand(*mutex, Ty::Ptr),
            Op::TryLock { dst, mutex } => {
                self.dst(*dst, Ty::BOOL);
                self.operand(*mutex, Ty::Ptr);
            }
            Op::AtomicBegin { when: None } | Op::AtomicEnd => {}
            Op::AtomicBegin { when: Some(guard) } => self.guard(guard),
            Op::SelfHandle { dst } => self.dst(*dst, wide),
            Op::SelfNumber { dst } => self.dst(*dst, Ty::Int(32)),
            Op::ExitThread { value } => self.operand(*value, Ty::Ptr),
            Op::ExitProgram { code } => self.operand(*code, Ty::Int(32)),
            Op::Abort | Op::Unsupported { .. } | Op::Partial { .. } => {}
        }
    }

    fn guard(&mut self, guard: &Guard) {
        for inner in &guard.instrs {
            if matches!(inner.op, Op::Assign { .. } | Op::Load { .. }) {
                self.instr(inner);
            } else {
                self.visit(inner.id, inner.loc);
                self.error("a guard holds only assignments and loads".into());
            }
        }
        self.operand(guard.cond, Ty::BOOL);
    }

    fn cmpxchg(&mut self, c: &CmpXchg) {
        self.value_ty(c.ty);
        self.dst(c.ok, Ty::BOOL);
        self.dst(c.old, c.ty);
        self.operand(c.ptr, Ty::Ptr);
        self.operand(c.expected, c.ty);
        self.operand(c.desired, c.ty);
        self.require(c.ok != c.old, || "cmpxchg has one register for two results".into());
        self.require(c.success != Order::Plain, || "cmpxchg must be atomic".into());
        let good = matches!(c.failure, Order::Relaxed | Order::Acquire | Order::SeqCst);
        self.require(good, || format!("a failing cmpxchg cannot be {}", c.failure.word()));
    }

    fn call(&mut self, dst: Option<RegId>, callee: Callee, args: &[Operand]) {
        if let Some(dst) = dst {
            self.reg_ty(dst);
        }
        for arg in args {
            self.operand_ty(*arg);
        }
        match callee {
            Callee::Pointer(operand) => self.operand(operand, Ty::Ptr),
            Callee::Direct(func) => match self.program.functions.get(func) {
                None => self.error(format!("{func} does not exist")),
                Some(f) => {
                    self.require(!f.blocks.is_empty(), || format!("call of '{}', which has no body", f.name))
                }
            },
        }
    }

    /// The type of the expression's value; `None` if it cannot be known.
    fn expr(&mut self, expr: &Expr) -> Option<Ty> {
        let wide = self.pointer_wide();
        Some(match *expr {
            Expr::Use(a) => return self.operand_ty(a),
            Expr::Unary { op, ty, a } => {
                self.operand(a, ty);
                self.value_ty(ty);
                self.works_on(op.word(), ty, unary_works(op, ty));
                ty
            }
            Expr::Binary { op, ty, a, b } => {
                self.both(a, b, ty);
                self.works_on(op.word(), ty, binary_works(op, ty));
                ty
            }
            Expr::Compare { op, ty, a, b } => {
                self.both(a, b, ty);
                self.works_on(op.word(), ty, compare_works(op, ty));
                Ty::BOOL
            }
            Expr::Fits { op, signed: _, ty, a, b } => {
                self.both(a, b, ty);
                self.works_on(op.word(), ty, matches!(ty, Ty::Int(_)));
                Ty::BOOL
            }
            Expr::Cast { op, from, to, a } => {
                self.operand(a, from);
                self.value_ty(from);
                self.value_ty(to);
                let good = cast_works(op, from, to, wide);
                self.require(good, || format!("{} does not go from {from} to {to}", op.word()));
                to
            }
            Expr::Select { ty, cond, then, other } => {
                self.operand(cond, Ty::BOOL);
                self.both(then, other, ty);
                ty
            }
            Expr::PtrAdd { ptr, offset } => {
                self.operand(ptr, Ty::Ptr);
                self.operand(offset, wide);
                Ty::Ptr
            }
            Expr::PtrDiff { a, b } => {
                self.both(a, b, Ty::Ptr);
                wide
            }
            Expr::LocalAddr(local) => {
                self.local(local);
                Ty::Ptr
            }
            Expr::ThreadLocalAddr(id) => {
                match self.program.globals.get(id) {
                    None => self.error(format!("{id} does not exist")),
                    Some(g) => self.require(g.thread_local, || format!("'{}' is not thread-local", g.name)),
                }
                Ty::Ptr
            }
            Expr::ObjectSize(ptr) => {
                self.operand(ptr, Ty::Ptr);
                wide
            }
            Expr::Math { f, ty, a, b } => {
                self.both(a, b, ty);
                self.works_on(f.word(), ty, is_float(ty));
                ty
            }
        })
    }

    fn both(&mut self, a: Operand, b: Operand, ty: Ty) {
        self.value_ty(ty);
        self.operand(a, ty);
        self.operand(b, ty);
    }

    fn works_on(&mut self, word: &str, ty: Ty, works: bool) {
        self.require(works, || format!("{word} does not work on {ty}"));
    }

    fn terminator(&mut self, kind: &TermKind) {
        match kind {
            TermKind::Jump(to) => self.block(*to),
            TermKind::Branch { cond, then, other } => {
                self.operand(*cond, Ty::BOOL);
                self.block(*then);
                self.block(*other);
            }
            TermKind::Switch { ty, value, cases, default } => {
                self.operand(*value, *ty);
                self.block(*default);
                self.switch_cases(*ty, cases);
            }
            TermKind::Return(value) => match (*value, self.function.ret) {
                (Some(value), Some(ty)) => self.operand(value, ty),
                // Without a value the caller that reads one gets an arbitrary one.
                (None, _) => {}
                (Some(_), None) => self.error("ret must have no value".into()),
            },
            TermKind::Unreachable => {}
        }
    }

    fn switch_cases(&mut self, ty: Ty, cases: &[(u128, BlockId)]) {
        let Ty::Int(width @ 1..=128) = ty else {
            return self.error(format!("switch does not work on {ty}"));
        };
        let mut last = None;
        for (bits, to) in cases {
            self.block(*to);
            self.require(last.is_none_or(|l| l < *bits), || {
                format!("switch cases are not ascending at {bits}")
            });
            let in_range = bits & !(u128::MAX >> (128 - width)) == 0;
            self.require(in_range, || format!("switch case {bits} is no value of {ty}"));
            last = Some(*bits);
        }
    }
}

fn is_float(ty: Ty) -> bool {
    matches!(ty, Ty::F32 | Ty::F64)
}

fn unary_works(op: UnOp, ty: Ty) -> bool {
    match op {
        UnOp::Not | UnOp::Neg | UnOp::Popcount | UnOp::Clz | UnOp::Ctz => matches!(ty, Ty::Int(_)),
        UnOp::FNeg | UnOp::FAbs => is_float(ty),
        UnOp::Bswap => matches!(ty, Ty::Int(width) if width % 8 == 0),
    }
}

fn binary_works(op: BinOp, ty: Ty) -> bool {
    match op {
        BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv => is_float(ty),
        BinOp::Add | BinOp::Sub | BinOp::Mul => matches!(ty, Ty::Int(_)),
        BinOp::SDiv | BinOp::UDiv | BinOp::SRem | BinOp::URem => matches!(ty, Ty::Int(_)),
        BinOp::And | BinOp::Or | BinOp::Xor => matches!(ty, Ty::Int(_)),
        BinOp::Shl | BinOp::LShr | BinOp::AShr => matches!(ty, Ty::Int(_)),
    }
}

fn compare_works(op: CmpOp, ty: Ty) -> bool {
    match op {
        CmpOp::Eq | CmpOp::Ne | CmpOp::Ult | CmpOp::Ule => matches!(ty, Ty::Int(_) | Ty::Ptr),
        CmpOp::Slt | CmpOp::Sle => matches!(ty, Ty::Int(_)),
        CmpOp::FEq | CmpOp::FNe | CmpOp::FLt | CmpOp::FLe => is_float(ty),
    }
}

fn cast_works(op: CastOp, from: Ty, to: Ty, wide: Ty) -> bool {
    match (op, from, to) {
        (CastOp::Trunc, Ty::Int(a), Ty::Int(b)) => a > b,
        (CastOp::Zext | CastOp::Sext, Ty::Int(a), Ty::Int(b)) => a < b,
        (CastOp::FloatToFloat, a, b) => is_float(a) && is_float(b) && a != b,
        (CastOp::FloatToSint | CastOp::FloatToUint, a, Ty::Int(_)) => is_float(a),
        (CastOp::SintToFloat | CastOp::UintToFloat, Ty::Int(_), b) => is_float(b),
        (CastOp::PtrToInt, Ty::Ptr, b) => b == wide,
        (CastOp::IntToPtr, a, Ty::Ptr) => a == wide,
        (CastOp::Forget, Ty::Int(a), Ty::Int(b)) => a == b,
        (CastOp::Bits, Ty::Int(32), Ty::F32) | (CastOp::Bits, Ty::F32, Ty::Int(32)) => true,
        (CastOp::Bits, Ty::Int(64), Ty::F64) | (CastOp::Bits, Ty::F64, Ty::Int(64)) => true,
        _ => false,
    }
}
