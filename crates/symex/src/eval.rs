//! Pure expressions, read-modify-write operations and constants as terms.
//!
//! The bits of a result are a term ([`crate::integer`], [`crate::float`]); what it owes to addresses is
//! judged apart ([`crate::taint`]). Where the judgement depends on something that terms do not show, the
//! result comes with a [`Question`], which the caller answers from what it knows of objects.
//!
//! Everything is exact but the functions of the C math library that IEEE 754 does not define. Expressions
//! that look at memory are the caller's.

use crate::float;
use crate::integer;
use crate::layout::Layout;
use crate::object::ObjectNo;
use crate::taint::{Judge, Verdict, blurred};
use crate::value::{Taint, Value, bit, truth};
use braid_base::faults::active;
use braid_ir::{BinOp, CastOp, CmpOp, Const, Expr, Operand, RmwOp, Ty, UnOp};
use braid_logic::{Term, Terms};

/// The value of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Evaluated {
    pub value: Value,
    /// The result is the same for all base addresses only if this holds.
    pub asks: Option<Question>,
    /// Division: the result means something only if this Boolean holds.
    pub defined: Option<Term>,
}

/// What only the caller can know. All terms are pointer-wide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Whether the comparison of pointers, or of integers made from addresses, comes out the same for all
    /// base addresses. At least one side has taint [`Taint::Address`]; a plain one is no address, whatever it is.
    Compare { equality: bool, a: Value, b: Value },
    /// Whether both point into one object.
    SameObject { a: Term, b: Term },
    /// Whether arithmetic on an address has not left its object's zone (or, on paths where it is a plain
    /// number, has not arrived at an object's). If it has, the pointer is far outside of its object, while
    /// the term points into another one.
    Stays { from: Term, to: Term },
    /// Whether things that may be addresses are plain numbers.
    Numbers { a: Term, b: Term },
}

/// Why an expression has no term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unevaluated {
    /// It needs the memory or the frame.
    Context,
    /// The host's math library computes it, not exactly; the name of the function.
    Approximate(&'static str),
}

/// A constant. `numbering` gives the object number of a `Global` or `Func`.
pub fn constant(terms: &mut Terms, layout: Layout, numbering: &dyn Fn(Const) -> ObjectNo, c: Const) -> Value {
    match c {
        Const::Int { width, bits } => Value::plain(terms.bits(u32::from(width), bits)),
        Const::F32(bits) => Value::plain(terms.bits(32, u128::from(bits))),
        Const::F64(bits) => Value::plain(terms.bits(64, u128::from(bits))),
        Const::Null => Value::plain(terms.bits(layout.pointer_bits, 0)),
        Const::Global(_, offset) => {
            let taint = if layout.holds(offset) { Taint::Address } else { Taint::Mixed };
            Value { term: layout.address(terms, numbering(c), offset), taint }
        }
        Const::Func(_) => Value { term: layout.address(terms, numbering(c), 0), taint: Taint::Address },
    }
}

/// An expression of a verified program. `operand` gives the values of operands, `align` the alignment of
/// an object by its number.
pub fn expr(
    terms: &mut Terms,
    layout: Layout,
    align: &dyn Fn(ObjectNo) -> u64,
    operand: &mut dyn FnMut(&mut Terms, Operand) -> Value,
    e: &Expr,
) -> Result<Evaluated, Unevaluated> {
    let eval = Eval { layout, judge: Judge { layout, align } };
    let mut pair = |terms: &mut Terms, a: Operand, b: Operand| (operand(terms, a), operand(terms, b));
    match *e {
        Expr::LocalAddr(_) | Expr::ThreadLocalAddr(_) | Expr::ObjectSize(_) => Err(Unevaluated::Context),
        Expr::Use(a) => Ok(settled(operand(terms, a))),
        Expr::Unary { op, ty, a } => {
            let a = operand(terms, a);
            Ok(settled(unary(terms, op, ty, a)))
        }
        Expr::Cast { op, from, to, a } => {
            let a = operand(terms, a);
            let value = eval.cast(terms, op, from, to, a);
            let cut = op == CastOp::Trunc && value.taint == Taint::Mixed;
            Ok(if cut { judged(value.term, eval.judge.number(terms, a)) } else { settled(value) })
        }
        Expr::Select { ty: _, cond, then, other } => {
            let (then, other) = pair(terms, then, other);
            let cond = operand(terms, cond);
            Ok(settled(select(terms, cond, then, other)))
        }
        Expr::Binary { a, b, .. }
        | Expr::Compare { a, b, .. }
        | Expr::Fits { a, b, .. }
        | Expr::PtrAdd { ptr: a, offset: b }
        | Expr::PtrDiff { a, b }
        | Expr::Math { a, b, .. } => {
            let (a, b) = pair(terms, a, b);
            eval.of_two(terms, e, a, b)
        }
    }
}

/// A value about which there is nothing to ask.
fn settled(value: Value) -> Evaluated {
    Evaluated { value, asks: None, defined: None }
}

fn judged(term: Term, (taint, asks): Verdict) -> Evaluated {
    Evaluated { value: Value { term, taint }, asks, defined: None }
}

struct Eval<'a> {
    layout: Layout,
    judge: Judge<'a>,
}

impl Eval<'_> {
    /// An expression with two operands.
    fn of_two(&self, terms: &mut Terms, e: &Expr, a: Value, b: Value) -> Result<Evaluated, Unevaluated> {
        Ok(match *e {
            Expr::Binary { op, ty, .. } => self.binary(terms, op, ty, a, b),
            Expr::Compare { op, ty, .. } => self.compare(terms, op, ty, a, b),
            Expr::Fits { op, signed, .. } => {
                let fits = integer::fits(terms, op, signed, a.term, b.term);
                judged(bit(terms, fits), self.judge.of_numbers(terms, a, b))
            }
            Expr::PtrAdd { .. } => {
                let term = terms.bv_add(a.term, b.term);
                judged(term, self.judge.binary(terms, BinOp::Add, a, b, term))
            }
            Expr::PtrDiff { .. } => {
                let term = terms.bv_sub(a.term, b.term);
                judged(term, self.judge.difference(terms, a, b, term))
            }
            Expr::Math { f, ty, .. } => {
                let term = float::math(terms, f, ty, a.term, b.term);
                let term = term.ok_or(Unevaluated::Approximate(f.word()))?;
                settled(Value { term, taint: blurred(a, b) })
            }
            Expr::Use(_)
            | Expr::Unary { .. }
            | Expr::Cast { .. }
            | Expr::Select { .. }
            | Expr::LocalAddr(_)
            | Expr::ThreadLocalAddr(_)
            | Expr::ObjectSize(_) => unreachable!("it has not two operands"),
        })
    }

    fn binary(&self, terms: &mut Terms, op: BinOp, ty: Ty, a: Value, b: Value) -> Evaluated {
        match ty {
            Ty::Int(_) | Ty::Ptr => {
                let term = integer::binary(terms, op, a.term, b.term);
                let defined = integer::definedness(terms, op, b.term);
                Evaluated { defined, ..judged(term, self.judge.binary(terms, op, a, b, term)) }
            }
            Ty::F32 | Ty::F64 => {
                let term = float::binary(terms, op, ty, a.term, b.term);
                settled(Value { term, taint: blurred(a, b) })
            }
        }
    }

    fn compare(&self, terms: &mut Terms, op: CmpOp, ty: Ty, a: Value, b: Value) -> Evaluated {
        let (result, verdict) = match ty {
            Ty::Int(_) | Ty::Ptr => {
                let equality = matches!(op, CmpOp::Eq | CmpOp::Ne);
                let verdict = self.judge.comparison(terms, equality, a, b);
                (integer::compare(terms, op, a.term, b.term), verdict)
            }
            Ty::F32 | Ty::F64 => (float::compare(terms, op, ty, a.term, b.term), (blurred(a, b), None)),
        };
        judged(bit(terms, result), verdict)
    }

    fn cast(&self, terms: &mut Terms, op: CastOp, from: Ty, to: Ty, a: Value) -> Value {
        let width = self.bits(to);
        match op {
            CastOp::Trunc => self.resized(terms, a, width),
            CastOp::Zext => Value { term: terms.zero_extend(a.term, width), ..a },
            CastOp::Sext if active("extends-with-zeros") => {
                Value { term: terms.zero_extend(a.term, width), ..a }
            }
            CastOp::Sext => Value { term: terms.sign_extend(a.term, width), ..a },
            CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bits => a,
            CastOp::Forget => Value::plain(a.term),
            CastOp::FloatToFloat => {
                let term = float::format(from).convert(terms, a.term, float::format(to));
                Value { term, taint: a.taint.blurred() }
            }
            CastOp::FloatToSint | CastOp::FloatToUint => {
                let signed = op == CastOp::FloatToSint;
                let term = float::format(from).to_integer_x86(terms, a.term, width, signed);
                Value { term, taint: a.taint.blurred() }
            }
            CastOp::SintToFloat => {
                Value { term: float::format(to).of_signed(terms, a.term), taint: a.taint.blurred() }
            }
            CastOp::UintToFloat => {
                Value { term: float::format(to).of_unsigned(terms, a.term), taint: a.taint.blurred() }
            }
        }
    }

    fn bits(&self, ty: Ty) -> u32 {
        ty.bits((self.layout.pointer_bits / 8) as u8)
    }

    /// The low bits, or zeros above.
    fn resized(&self, terms: &mut Terms, a: Value, width: u32) -> Value {
        let keeps = width >= self.layout.pointer_bits;
        let taint = if keeps { a.taint } else { a.taint.blurred() };
        Value { term: terms.resize_unsigned(a.term, width), taint }
    }
}

fn unary(terms: &mut Terms, op: UnOp, ty: Ty, a: Value) -> Value {
    let term = match ty {
        Ty::Int(_) | Ty::Ptr => integer::unary(terms, op, a.term),
        Ty::F32 | Ty::F64 => float::unary(terms, op, ty, a.term),
    };
    Value { term, taint: a.taint.blurred() }
}

fn select(terms: &mut Terms, cond: Value, then: Value, other: Value) -> Value {
    let condition = truth(terms, cond.term);
    let chosen = Value::select(terms, condition, then, other);
    Value { taint: chosen.taint.join(cond.taint.blurred()), ..chosen }
}

/// What a read-modify-write operation stores. An address that may leave its object's zone is mixed.
pub fn rmw(terms: &mut Terms, layout: Layout, op: RmwOp, ty: Ty, old: Value, operand: Value) -> Value {
    let binary = match op {
        RmwOp::Exchange => return operand,
        RmwOp::Add => BinOp::Add,
        RmwOp::Sub => BinOp::Sub,
        RmwOp::And | RmwOp::Nand => BinOp::And,
        RmwOp::Or => BinOp::Or,
        RmwOp::Xor => BinOp::Xor,
    };
    match ty {
        Ty::Int(_) => {}
        // Only exchanges work on these.
        Ty::F32 | Ty::F64 | Ty::Ptr => return operand,
    }
    let term = integer::binary(terms, binary, old.term, operand.term);
    if op == RmwOp::Nand {
        return Value { term: integer::unary(terms, UnOp::Not, term), taint: blurred(old, operand) };
    }
    let judge = Judge { layout, align: &|_| 1 };
    match judge.binary(terms, binary, old, operand, term) {
        (taint, None) => Value { term, taint },
        (_, Some(_)) => Value { term, taint: Taint::Mixed },
    }
}

/// How arguments and results pass between functions that disagree about a type: bits are cut or extended
/// with zeros.
pub fn coerce(terms: &mut Terms, layout: Layout, value: Value, to: Ty) -> Value {
    let eval = Eval { layout, judge: Judge { layout, align: &|_| 1 } };
    let width = eval.bits(to);
    eval.resized(terms, value, width)
}

#[cfg(test)]
mod tests;
