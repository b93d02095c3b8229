//! Pure expressions.
//!
//! Bits first; where an operand has provenance, [`crate::taint`] says what the result remembers.

use crate::arith::{self, DivisionByZero};
use crate::float;
use crate::image::Image;
use crate::memory::Memory;
use crate::state::{Frame, Thread};
use crate::taint;
use crate::value::{ObjId, Prov, Value, fetch, mask};
use braid_base::Idx;
use braid_ir::{BinOp, CastOp, CmpOp, Expr, LocalId, Operand, Ty};

/// What an expression can look at.
pub(crate) struct Eval<'a, 'p> {
    pub image: &'a Image<'p>,
    pub memory: &'a Memory,
    pub frame: &'a Frame,
    /// Registers of the frame.
    pub regs: &'a [Value],
    /// Frame objects of the thread, all of them.
    pub locals: &'a [Option<ObjId>],
    pub thread_locals: &'a [ObjId],
}

impl<'a, 'p> Eval<'a, 'p> {
    /// In the running frame of the thread.
    pub fn new(image: &'a Image<'p>, thread: &'a Thread, memory: &'a Memory) -> Eval<'a, 'p> {
        let Thread { frame, locals, thread_locals, .. } = thread;
        Eval { image, memory, frame, regs: thread.frame_regs(), locals, thread_locals }
    }

    #[inline(always)]
    pub fn operand(&self, operand: Operand) -> Value {
        fetch(self.regs, &self.image.consts, operand)
    }

    #[inline(always)]
    pub fn expr(&self, expr: &Expr) -> Result<Value, DivisionByZero> {
        Ok(match *expr {
            Expr::Use(a) => self.operand(a),
            Expr::Binary { op, ty: Ty::Int(width), a, b } => return self.integer(op, width, a, b),
            Expr::Compare { op, ty, a, b } => self.compare(op, ty, a, b),
            Expr::Cast { op, from, to, a } => self.cast(op, from, to, self.operand(a)),
            Expr::PtrAdd { ptr, offset } => self.pointer_add(ptr, offset),
            Expr::LocalAddr(local) => self.local_address(local),
            Expr::Select { ty: _, cond, then, other } => self.select(cond, then, other),
            _ => self.rare(expr),
        })
    }

    #[inline(always)]
    fn integer(&self, op: BinOp, width: u8, a: Operand, b: Operand) -> Result<Value, DivisionByZero> {
        let (a, b) = (self.operand(a), self.operand(b));
        let bits = arith::binary(op, width, a.bits, b.bits)?;
        let prov = if a.is_plain() && b.is_plain() {
            Prov::None
        } else {
            taint::binary(self.memory, op, width, a, b)
        };
        Ok(Value { bits, prov })
    }

    #[inline(always)]
    fn compare(&self, op: CmpOp, ty: Ty, a: Operand, b: Operand) -> Value {
        let (a, b) = (self.operand(a), self.operand(b));
        self.compare_values(op, ty, a, b)
    }

    #[inline(always)]
    pub fn compare_values(&self, op: CmpOp, ty: Ty, a: Value, b: Value) -> Value {
        let result = match ty {
            Ty::Int(width) => arith::compare(op, width, a.bits, b.bits),
            Ty::Ptr => arith::compare(op, 64, a.bits, b.bits),
            Ty::F32 | Ty::F64 => float::compare(op, ty, a, b),
        };
        let plain = a.is_plain() && b.is_plain();
        let fixed = plain || taint::comparison_is_fixed(self.memory, op, a, b);
        Value { bits: u128::from(result), prov: if fixed { Prov::None } else { Prov::Mixed } }
    }

    fn select(&self, cond: Operand, then: Operand, other: Operand) -> Value {
        let cond = self.operand(cond);
        let chosen = self.operand(if cond.is_true() { then } else { other });
        if cond.prov == Prov::None { chosen } else { Value { prov: Prov::Mixed, ..chosen } }
    }

    #[inline]
    fn pointer_add(&self, ptr: Operand, offset: Operand) -> Value {
        let (ptr, offset) = (self.operand(ptr), self.operand(offset));
        let bits = ptr.bits.wrapping_add(offset.bits) & self.address_mask();
        let prov = match (ptr.prov, offset.prov) {
            (prov, Prov::None) | (Prov::None, prov) => prov,
            _ => Prov::Mixed,
        };
        Value { bits, prov }
    }

    #[inline]
    fn address_mask(&self) -> u128 {
        mask(self.memory.pointer_bytes() * 8)
    }

    /// The address of a frame object; of the last one, should it be dead.
    fn local_address(&self, local: LocalId) -> Value {
        let frame = self.frame;
        let offset = self.image.functions[frame.func.index()].layout.offsets[local.index()];
        let object = self.locals[frame.locals + local.index()];
        Value { bits: u128::from(frame.base + offset), prov: object.map_or(Prov::None, Prov::Object) }
    }

    /// The expressions that are not worth a place in the hot path.
    fn rare(&self, expr: &Expr) -> Value {
        match *expr {
            Expr::Unary { op, ty, a } => {
                let a = self.operand(a);
                let result = match ty {
                    Ty::Int(width) => Value::plain(arith::unary(op, width, a.bits)),
                    Ty::F32 | Ty::F64 | Ty::Ptr => float::unary(op, ty, a),
                };
                tainted(result, a, a)
            }
            Expr::Binary { op, ty, a, b } => {
                let (a, b) = (self.operand(a), self.operand(b));
                tainted(float::binary(op, ty, a, b), a, b)
            }
            Expr::Fits { op, signed, ty, a, b } => {
                let (a, b) = (self.operand(a), self.operand(b));
                let width = ty.bits(self.memory.pointer_bytes()) as u8;
                tainted(Value::bool(arith::fits(op, signed, width, a.bits, b.bits)), a, b)
            }
            Expr::PtrDiff { a, b } => {
                let (a, b) = (self.operand(a), self.operand(b));
                let bits = a.bits.wrapping_sub(b.bits) & self.address_mask();
                let width = self.memory.pointer_bytes() * 8;
                let plain = a.is_plain() && b.is_plain();
                let prov =
                    if plain { Prov::None } else { taint::binary(self.memory, BinOp::Sub, width, a, b) };
                Value { bits, prov }
            }
            Expr::ThreadLocalAddr(global) => {
                let index = self.image.thread_locals.binary_search(&global);
                let object = index.ok().map(|index| self.thread_locals[index]);
                let identity = object.and_then(|object| self.memory.identity(object));
                let bits = u128::from(identity.map_or(0, |identity| identity.base));
                Value { bits, prov: object.map_or(Prov::None, Prov::Object) }
            }
            Expr::ObjectSize(ptr) => {
                let pointer = self.operand(ptr);
                let rest = self
                    .memory
                    .locate(pointer, 0, false)
                    .map_or(0, |at| self.memory.identity_in(at).size - at.offset);
                Value::plain(u128::from(rest))
            }
            Expr::Math { f, ty, a, b } => {
                let (a, b) = (self.operand(a), self.operand(b));
                tainted(float::math(f, ty, a, b), a, b)
            }
            Expr::Use(_)
            | Expr::Compare { .. }
            | Expr::Cast { .. }
            | Expr::Select { .. }
            | Expr::PtrAdd { .. }
            | Expr::LocalAddr(_) => unreachable!("handled in the hot path"),
        }
    }

    #[inline(always)]
    fn cast(&self, op: CastOp, from: Ty, to: Ty, a: Value) -> Value {
        let pointer_bytes = self.memory.pointer_bytes();
        let (from_width, to_width) = (from.bits(pointer_bytes) as u8, to.bits(pointer_bytes) as u8);
        match op {
            CastOp::Trunc => {
                let keeps = a.prov == Prov::None || to_width >= pointer_bytes * 8;
                let prov = if keeps { a.prov } else { Prov::Mixed };
                Value { bits: a.bits & mask(to_width), prov }
            }
            CastOp::Forget => Value::plain(a.bits),
            CastOp::Zext | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bits => a,
            CastOp::Sext => {
                let bits = arith::signed(from_width, a.bits) as u128 & mask(to_width);
                Value { bits, prov: a.prov }
            }
            CastOp::FloatToFloat => tainted(float::float_to_float(to, a), a, a),
            CastOp::FloatToSint => tainted(float::to_sint(from, to_width, a), a, a),
            CastOp::FloatToUint => tainted(float::to_uint(from, to_width, a), a, a),
            CastOp::SintToFloat => tainted(float::from_sint(from_width, to, a), a, a),
            CastOp::UintToFloat => tainted(float::from_uint(to, a), a, a),
        }
    }
}

/// A result with no relation to its operands' addresses but dependence.
fn tainted(result: Value, a: Value, b: Value) -> Value {
    let plain = a.is_plain() && b.is_plain();
    Value { bits: result.bits, prov: if plain { Prov::None } else { Prov::Mixed } }
}
