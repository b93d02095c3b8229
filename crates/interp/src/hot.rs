//! Shortcuts for the commonest assignments: most steps of most programs.
//!
//! A [`Hot`] stands for one `Code::Assign`, prepared for operands of at most 64 bits that carry no
//! provenance (or, where that is simple, the same). It gives the result or leaves the instruction to
//! [`crate::eval`], which stays the definition; a test holds one against the other.

use crate::value::{Prov, Value, fetch_ref};
use braid_ir::{BinOp, CastOp, CmpOp, Expr, Operand, RegId, Ty};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum HotOp {
    Move,
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    Shl,
    LShr,
    AShr,
    Eq,
    Ne,
    Slt,
    Sle,
    Ult,
    Ule,
    SignExtend,
    Cut,
    Offset,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Hot {
    op: HotOp,
    /// 64 minus the width of the operands.
    unused: u8,
    /// 64 minus the width of the result, where it is another.
    unused_after: u8,
    pub dst: RegId,
    a: Operand,
    b: Operand,
}

impl Hot {
    /// The shortcut for an assignment, if there is one.
    pub fn new(dst: RegId, value: &Expr, pointer_bytes: u8) -> Option<Hot> {
        let width_of = |ty: Ty| u8::try_from(ty.bits(pointer_bytes)).ok().filter(|width| *width <= 64);
        let hot = |op, from: Ty, to: Ty, a, b| {
            let (unused, unused_after) = (64 - width_of(from)?, 64 - width_of(to)?);
            Some(Hot { op, unused, unused_after, dst, a, b })
        };
        match *value {
            Expr::Use(a) => hot(HotOp::Move, Ty::Int(64), Ty::Int(64), a, a),
            Expr::Binary { op, ty: ty @ Ty::Int(width), a, b } => hot(binary(op, width)?, ty, ty, a, b),
            Expr::Compare { op, ty: ty @ (Ty::Int(_) | Ty::Ptr), a, b } => {
                // As in `eval`: addresses compare as 64 bits.
                let ty = if ty == Ty::Ptr { Ty::Int(64) } else { ty };
                hot(comparison(op)?, ty, ty, a, b)
            }
            Expr::Cast { op: CastOp::Sext, from, to, a } => hot(HotOp::SignExtend, from, to, a, a),
            Expr::Cast { op: CastOp::Zext | CastOp::Trunc, from, to, a } => hot(HotOp::Cut, from, to, a, a),
            Expr::PtrAdd { ptr, offset } => hot(HotOp::Offset, Ty::Ptr, Ty::Ptr, ptr, offset),
            _ => None,
        }
    }

    /// The result, if the operands are as they have to be.
    #[inline(always)]
    pub fn value(&self, regs: &[Value], consts: &[Value]) -> Option<Value> {
        let (x, y) = (fetch_ref(regs, consts, self.a), fetch_ref(regs, consts, self.b));
        if !(x.is_plain() && y.is_plain()) {
            return self.with_provenance(x, y);
        }
        let (a, b) = (x.bits as u64, y.bits as u64);
        let full = u64::MAX >> self.unused;
        let result = match self.op {
            HotOp::Move => return Some(*x),
            HotOp::Add | HotOp::Offset => a.wrapping_add(b) & full,
            HotOp::Sub => a.wrapping_sub(b) & full,
            HotOp::Mul => a.wrapping_mul(b) & full,
            HotOp::And => a & b,
            HotOp::Or => a | b,
            HotOp::Xor => a ^ b,
            HotOp::Shl => a << self.count(b) & full,
            HotOp::LShr => a >> self.count(b),
            HotOp::AShr => (self.signed(a) >> self.count(b)) as u64 & full,
            HotOp::Eq => u64::from(a == b),
            HotOp::Ne => u64::from(a != b),
            HotOp::Slt => u64::from(self.signed(a) < self.signed(b)),
            HotOp::Sle => u64::from(self.signed(a) <= self.signed(b)),
            HotOp::Ult => u64::from(a < b),
            HotOp::Ule => u64::from(a <= b),
            HotOp::SignExtend => self.signed(a) as u64 & u64::MAX >> self.unused_after,
            HotOp::Cut => a & u64::MAX >> self.unused_after,
        };
        Some(Value::plain(result.into()))
    }

    /// The simple cases of those with provenance: copies, steps along an object, and the question
    /// whether two addresses in the same object are equal.
    #[inline(always)]
    fn with_provenance(&self, x: &Value, y: &Value) -> Option<Value> {
        let same = x.prov == y.prov && x.prov != Prov::Mixed;
        match self.op {
            HotOp::Move => Some(*x),
            HotOp::Offset if y.is_plain() => {
                let bits = x.address().wrapping_add(y.address()) & u64::MAX >> self.unused;
                Some(Value { bits: bits.into(), prov: x.prov })
            }
            HotOp::Eq if same => Some(Value::bool(x.address() == y.address())),
            HotOp::Ne if same => Some(Value::bool(x.address() != y.address())),
            _ => None,
        }
    }

    #[inline(always)]
    fn signed(&self, bits: u64) -> i64 {
        ((bits << self.unused) as i64) >> self.unused
    }

    /// A shift count counts modulo the width, which is a power of two here.
    #[inline(always)]
    fn count(&self, b: u64) -> u64 {
        b & u64::from(63 - self.unused)
    }
}

fn binary(op: BinOp, width: u8) -> Option<HotOp> {
    let shift = |op| width.is_power_of_two().then_some(op);
    match op {
        BinOp::Add => Some(HotOp::Add),
        BinOp::Sub => Some(HotOp::Sub),
        BinOp::Mul => Some(HotOp::Mul),
        BinOp::And => Some(HotOp::And),
        BinOp::Or => Some(HotOp::Or),
        BinOp::Xor => Some(HotOp::Xor),
        BinOp::Shl => shift(HotOp::Shl),
        BinOp::LShr => shift(HotOp::LShr),
        BinOp::AShr => shift(HotOp::AShr),
        BinOp::SDiv | BinOp::UDiv | BinOp::SRem | BinOp::URem => None,
        BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv => None,
    }
}

fn comparison(op: CmpOp) -> Option<HotOp> {
    match op {
        CmpOp::Eq => Some(HotOp::Eq),
        CmpOp::Ne => Some(HotOp::Ne),
        CmpOp::Slt => Some(HotOp::Slt),
        CmpOp::Sle => Some(HotOp::Sle),
        CmpOp::Ult => Some(HotOp::Ult),
        CmpOp::Ule => Some(HotOp::Ule),
        CmpOp::FEq | CmpOp::FNe | CmpOp::FLt | CmpOp::FLe => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Eval;
    use crate::image::Image;
    use crate::testing::{main_of, program};
    use crate::value::mask;
    use braid_props::CheckSet;

    const BINARY: [BinOp; 9] = [
        BinOp::Add,
        BinOp::Sub,
        BinOp::Mul,
        BinOp::And,
        BinOp::Or,
        BinOp::Xor,
        BinOp::Shl,
        BinOp::LShr,
        BinOp::AShr,
    ];
    const COMPARE: [CmpOp; 6] = [CmpOp::Eq, CmpOp::Ne, CmpOp::Slt, CmpOp::Sle, CmpOp::Ult, CmpOp::Ule];

    /// Expressions on registers 0 and 1 of the width, and the width of their result.
    fn expressions(width: u8) -> Vec<Expr> {
        let (ty, a, b) = (Ty::Int(width), Operand::Reg(RegId(0)), Operand::Reg(RegId(1)));
        let mut list: Vec<Expr> = BINARY.iter().map(|op| Expr::Binary { op: *op, ty, a, b }).collect();
        list.extend(COMPARE.iter().map(|op| Expr::Compare { op: *op, ty, a, b }));
        for other in [8, 16, 32, 64].into_iter().filter(|other| *other != width).map(Ty::Int) {
            let (op, from, to) = if other.bits(8) > u32::from(width) {
                list.push(Expr::Cast { op: CastOp::Sext, from: ty, to: other, a });
                (CastOp::Zext, ty, other)
            } else {
                (CastOp::Trunc, ty, other)
            };
            list.push(Expr::Cast { op, from, to, a });
        }
        if width == 64 {
            list.push(Expr::PtrAdd { ptr: a, offset: b });
            list.extend(COMPARE.iter().map(|op| Expr::Compare { op: *op, ty: Ty::Ptr, a, b }));
            list.push(Expr::Use(b));
        }
        list
    }

    /// Interesting numbers of the width; of 64 bits also addresses, in one object and another.
    fn values(width: u8, addresses: &[Value]) -> Vec<Value> {
        let top = 1u128 << (width - 1);
        let numbers = [0, 1, 2, 5, 31, 200, top - 1, top, top + 1, mask(width), 0x1234_5678_9abc_def0];
        let mut list: Vec<Value> = numbers.iter().map(|bits| Value::plain(bits & mask(width))).collect();
        if width == 64 {
            list.extend(addresses);
            list.push(Value { bits: 77, prov: Prov::Mixed });
        }
        list
    }

    #[test]
    fn shortcuts_agree_with_the_definition() {
        let text = main_of(
            "shape s0 = i32\nglobal @x s0 size 64 align 8\nglobal @y s0 size 64 align 8",
            "%0 ptr",
            "b0:\n%0 = @x\n%0 = @y+8\n%0 = @x+24\nret 0:i32",
        );
        let program = program(&text);
        let image = Image::new(&program, CheckSet::default()).expect("a program that runs");
        let addresses: Vec<Value> = image.consts.iter().copied().filter(|value| !value.is_plain()).collect();
        assert_eq!(addresses.len(), 3);
        let machine = crate::machine::Machine::new(&image, Default::default()).expect("a machine");
        let (thread, memory) = (&machine.state.threads[0], &machine.state.memory);
        let mut shortcuts = 0;
        for width in [1, 7, 8, 16, 24, 31, 32, 63, 64] {
            for expr in expressions(width) {
                let Some(hot) = Hot::new(RegId(0), &expr, 8) else { continue };
                let values = values(width, &addresses);
                for (x, y) in values.iter().flat_map(|x| values.iter().map(move |y| (*x, *y))) {
                    let regs = [x, y];
                    let Some(value) = hot.value(&regs, &image.consts) else { continue };
                    let eval = Eval { regs: &regs, ..Eval::new(&image, thread, memory) };
                    assert_eq!(Ok(value), eval.expr(&expr), "{expr:?} of {x:?}, {y:?}");
                    shortcuts += 1;
                }
            }
        }
        assert!(shortcuts > 15_000, "only {shortcuts} cases");
    }
}
