//! Compiler operators that look like calls: bit counting, floating-point classification. Overflow
//! arithmetic is in `overflow`, atomic operators are in `atomic`.

use crate::func::Lowerer;
use braid_ir::{AllocKind, BinOp, CastOp, CmpOp, Expr, Loc, MathFn, Op, Operand, Order, TermKind, Ty, UnOp};
use braid_sema::hir::{self, Builtin, CompareOp};

/// The alignment of `alloca` blocks.
const ALLOCA_ALIGN: u64 = 16;

impl Lowerer<'_, '_, '_> {
    /// The value of a builtin with a scalar (or no) result.
    pub fn builtin(&mut self, op: Builtin, args: &[hir::Expr], expr: &hir::Expr, loc: Loc) -> Operand {
        let [first, ..] = args else { return self.builtin_without_args(op, expr, loc) };
        let second = args.get(1).unwrap_or(first);
        let ty = self.cx.scalar(first.ty.ty);
        let result = self.cx.scalar(expr.ty.ty);
        match op {
            Builtin::VaStart => self.va_start(first, loc),
            Builtin::VaEnd => self.effect(first),
            Builtin::VaCopy => self.va_copy(first, second, loc),
            Builtin::AddOverflow | Builtin::SubOverflow | Builtin::MulOverflow => {
                return self.overflow(op, args, true, result, loc);
            }
            Builtin::AddOverflowP | Builtin::SubOverflowP | Builtin::MulOverflowP => {
                return self.overflow(op, args, false, result, loc);
            }
            Builtin::Popcount
            | Builtin::Parity
            | Builtin::Clz
            | Builtin::Ctz
            | Builtin::Ffs
            | Builtin::Clrsb => {
                let value = self.value(first);
                let count = self.count_bits(op, value, ty, loc);
                return self.resize(count, ty, false, result, loc);
            }
            Builtin::Bswap => {
                let a = self.value(first);
                let swapped = self.emit_value(Expr::Unary { op: UnOp::Bswap, ty, a }, ty, loc);
                return self.resize(swapped, ty, false, result, loc);
            }
            Builtin::Unreachable | Builtin::Trap | Builtin::FrameAddress => {
                for arg in args {
                    self.effect(arg);
                }
                return self.builtin_without_args(op, expr, loc);
            }
            Builtin::Alloca => return self.alloca(first, loc),
            Builtin::Fence => {
                let order = self.order_of(first);
                if order != Order::Relaxed {
                    self.body.emit(Op::Fence { order }, loc);
                }
            }
            Builtin::AtomicLoad
            | Builtin::AtomicStore
            | Builtin::AtomicExchange
            | Builtin::AtomicRmw { .. }
            | Builtin::AtomicCompareExchange { .. }
            | Builtin::SyncCompareSwap { .. } => return self.atomic_builtin(op, args, expr, loc),
            Builtin::Fabs
            | Builtin::Copysign
            | Builtin::IsNan
            | Builtin::IsInf
            | Builtin::IsInfSign
            | Builtin::IsFinite
            | Builtin::IsNormal
            | Builtin::Signbit
            | Builtin::IsGreater
            | Builtin::IsGreaterEqual
            | Builtin::IsLess
            | Builtin::IsLessEqual
            | Builtin::IsLessGreater
            | Builtin::IsUnordered => return self.float_builtin(op, first, second, result, loc),
            Builtin::FpClassify => return self.classify(args, result, loc),
        }
        self.dead_value(expr)
    }

    fn builtin_without_args(&mut self, op: Builtin, expr: &hir::Expr, loc: Loc) -> Operand {
        match op {
            Builtin::Trap => {
                self.body.emit(Op::Abort, loc);
                self.body.end(TermKind::Unreachable, loc);
            }
            Builtin::Unreachable => self.unsupported("'__builtin_unreachable' was reached", loc),
            Builtin::FrameAddress => self.unsupported("frame or return address", loc),
            _ => self.unsupported("builtin with missing arguments", loc),
        }
        self.dead_value(expr)
    }

    fn alloca(&mut self, size: &hir::Expr, loc: Loc) -> Operand {
        let value = self.value(size);
        let (from, is_signed) = (self.cx.scalar(size.ty.ty), self.cx.is_signed(size.ty.ty));
        let word = self.cx.word();
        let size = self.resize(value, from, is_signed, word, loc);
        self.alloca_block(size, loc)
    }

    pub fn alloca_block(&mut self, size: Operand, loc: Loc) -> Operand {
        let dst = self.body.temp(Ty::Ptr);
        let align = self.cx.word_const(ALLOCA_ALIGN);
        self.body.emit(Op::Alloc { dst, kind: AllocKind::Stack, size, align, zeroed: false }, loc);
        Operand::Reg(dst)
    }

    fn count_bits(&mut self, op: Builtin, a: Operand, ty: Ty, loc: Loc) -> Operand {
        let Ty::Int(width) = ty else { return a };
        let one = self.cx.int(width, 1);
        let top = self.cx.int(width, u128::from(width) - 1);
        let unary = |this: &mut Self, op, a| this.emit_value(Expr::Unary { op, ty, a }, ty, loc);
        match op {
            Builtin::Popcount => unary(self, UnOp::Popcount, a),
            Builtin::Parity => {
                let count = unary(self, UnOp::Popcount, a);
                self.emit_value(Expr::Binary { op: BinOp::And, ty, a: count, b: one }, ty, loc)
            }
            Builtin::Clz => unary(self, UnOp::Clz, a),
            Builtin::Ctz => unary(self, UnOp::Ctz, a),
            Builtin::Ffs => {
                let count = unary(self, UnOp::Ctz, a);
                let next = self.emit_value(Expr::Binary { op: BinOp::Add, ty, a: count, b: one }, ty, loc);
                let bit = self.nonzero(a, ty, loc);
                let other = self.cx.zero(ty);
                self.emit_value(Expr::Select { ty, cond: bit, then: next, other }, ty, loc)
            }
            _ => {
                // Leading bits equal to the sign bit, without it: leading zeros of x ^ (x >> all).
                let sign = self.emit_value(Expr::Binary { op: BinOp::AShr, ty, a, b: top }, ty, loc);
                let diff = self.emit_value(Expr::Binary { op: BinOp::Xor, ty, a, b: sign }, ty, loc);
                let count = unary(self, UnOp::Clz, diff);
                self.emit_value(Expr::Binary { op: BinOp::Sub, ty, a: count, b: one }, ty, loc)
            }
        }
    }

    fn float_builtin(
        &mut self,
        op: Builtin,
        first: &hir::Expr,
        second: &hir::Expr,
        result: Ty,
        loc: Loc,
    ) -> Operand {
        let ty = self.cx.scalar(first.ty.ty);
        let two = matches!(
            op,
            Builtin::Copysign
                | Builtin::IsGreater
                | Builtin::IsGreaterEqual
                | Builtin::IsLess
                | Builtin::IsLessEqual
                | Builtin::IsLessGreater
                | Builtin::IsUnordered
        );
        let (a, b) = if two {
            self.two_values(first, second, loc)
        } else {
            let a = self.value(first);
            (a, a)
        };
        let bit = match op {
            Builtin::Fabs => return self.emit_value(Expr::Unary { op: UnOp::FAbs, ty, a }, ty, loc),
            Builtin::Copysign => {
                return self.emit_value(Expr::Math { f: MathFn::Copysign, ty, a, b }, ty, loc);
            }
            Builtin::Signbit => return self.signbit(a, ty, result, loc),
            Builtin::IsInfSign => return self.infinity_sign(a, ty, result, loc),
            Builtin::IsInf => self.compare_magnitude(CmpOp::FEq, a, f64::INFINITY, ty, loc),
            Builtin::IsFinite => self.compare_magnitude(CmpOp::FLt, a, f64::INFINITY, ty, loc),
            Builtin::IsNormal => self.is_normal(a, ty, loc),
            Builtin::IsGreater => self.compare_values(CompareOp::Gt, ty, false, a, b, loc),
            Builtin::IsGreaterEqual => self.compare_values(CompareOp::Ge, ty, false, a, b, loc),
            Builtin::IsLess => self.compare_values(CompareOp::Lt, ty, false, a, b, loc),
            Builtin::IsLessEqual => self.compare_values(CompareOp::Le, ty, false, a, b, loc),
            Builtin::IsLessGreater => {
                let less = self.compare_values(CompareOp::Lt, ty, false, a, b, loc);
                let greater = self.compare_values(CompareOp::Gt, ty, false, a, b, loc);
                self.either(less, greater, loc)
            }
            // `IsNan` asks whether a value is unordered with itself.
            _ => {
                let first = self.compare_values(CompareOp::Ne, ty, false, a, a, loc);
                let second = self.compare_values(CompareOp::Ne, ty, false, b, b, loc);
                if a == b { first } else { self.either(first, second, loc) }
            }
        };
        self.widen_bit(bit, result, loc)
    }

    fn either(&mut self, a: Operand, b: Operand, loc: Loc) -> Operand {
        self.emit_value(Expr::Binary { op: BinOp::Or, ty: Ty::BOOL, a, b }, Ty::BOOL, loc)
    }

    /// One bit: `|a| op limit`.
    fn compare_magnitude(&mut self, op: CmpOp, a: Operand, limit: f64, ty: Ty, loc: Loc) -> Operand {
        let size = self.emit_value(Expr::Unary { op: UnOp::FAbs, ty, a }, ty, loc);
        let limit = self.cx.float(ty, limit);
        self.emit_value(Expr::Compare { op, ty, a: size, b: limit }, Ty::BOOL, loc)
    }

    fn is_normal(&mut self, a: Operand, ty: Ty, loc: Loc) -> Operand {
        let least = if ty == Ty::F32 { f64::from(f32::MIN_POSITIVE) } else { f64::MIN_POSITIVE };
        let finite = self.compare_magnitude(CmpOp::FLt, a, f64::INFINITY, ty, loc);
        let tiny = self.compare_magnitude(CmpOp::FLt, a, least, ty, loc);
        let large = self.negate_bit(tiny, loc);
        self.emit_value(Expr::Binary { op: BinOp::And, ty: Ty::BOOL, a: finite, b: large }, Ty::BOOL, loc)
    }

    fn signbit(&mut self, a: Operand, ty: Ty, result: Ty, loc: Loc) -> Operand {
        let width = if ty == Ty::F32 { 32 } else { 64 };
        let int = Ty::Int(width);
        let bits = self.cast(CastOp::Bits, a, ty, int, loc);
        let zero = self.cx.int(width, 0);
        let negative = Expr::Compare { op: CmpOp::Slt, ty: int, a: bits, b: zero };
        let bit = self.emit_value(negative, Ty::BOOL, loc);
        self.widen_bit(bit, result, loc)
    }

    /// 1 for infinity, -1 for minus infinity, else 0.
    fn infinity_sign(&mut self, a: Operand, ty: Ty, result: Ty, loc: Loc) -> Operand {
        let Ty::Int(width) = result else { return self.cx.zero(result) };
        let limits = [(f64::NEG_INFINITY, u128::MAX), (f64::INFINITY, 1)];
        let mut value = self.cx.int(width, 0);
        for (limit, answer) in limits {
            let limit = self.cx.float(ty, limit);
            let hit = Expr::Compare { op: CmpOp::FEq, ty, a, b: limit };
            let cond = self.emit_value(hit, Ty::BOOL, loc);
            let then = self.cx.int(width, answer);
            value = self.emit_value(Expr::Select { ty: result, cond, then, other: value }, result, loc);
        }
        value
    }

    /// `__builtin_fpclassify(nan, inf, normal, subnormal, zero, x)`.
    fn classify(&mut self, args: &[hir::Expr], result: Ty, loc: Loc) -> Operand {
        if args.len() != 6 {
            return self.cx.zero(result);
        }
        let mut kept = Vec::new();
        for arg in args {
            let value = self.value(arg);
            kept.push(self.body.keep(value));
        }
        let values = self.body.settle_all(&kept, loc);
        let ty = self.cx.scalar(args[5].ty.ty);
        let x = values[5];
        let zero = self.cx.zero(ty);
        let normal = self.is_normal(x, ty, loc);
        let is_zero = self.emit_value(Expr::Compare { op: CmpOp::FEq, ty, a: x, b: zero }, Ty::BOOL, loc);
        let infinite = self.compare_magnitude(CmpOp::FEq, x, f64::INFINITY, ty, loc);
        let nan = self.emit_value(Expr::Compare { op: CmpOp::FNe, ty, a: x, b: x }, Ty::BOOL, loc);
        let mut answer = values[3];
        for (cond, then) in
            [(normal, values[2]), (is_zero, values[4]), (infinite, values[1]), (nan, values[0])]
        {
            answer = self.emit_value(Expr::Select { ty: result, cond, then, other: answer }, result, loc);
        }
        answer
    }
}
