//! Registers as linear functions of each other.
//!
//! *Claim*: [`linear`] gives a form that holds if all forms of the state do, and [`of`] one that holds for the result of an
//! expression. *Relies on*: the integer that a register stands for is the member of its range; ranges are compared as
//! integers where forms are kept ([`entails`]). *Proof*: a result whose range has the bounds that plain integers give did
//! not wrap, and offsets of pointers are plain integers. What needs more than 64 bits has no form.

use crate::eval;
use crate::range::Range;
use crate::state::{Bound, Form, LockName, State};
use crate::value::{ObjectId, Value};
use braid_ir::{BinOp, CastOp, Const, Expr, Operand, Program, RegId, Ty};

/// Forms in a chain that are followed.
const DEPTH: usize = 8;

/// `outer` with its base replaced by the form of that.
fn compose(outer: Form, inner: Form) -> Option<Form> {
    // What is added to an address, or multiplied, is a number.
    let object = match (outer.object, inner.object) {
        (object, None) => object,
        (None, object) if outer.scale == 1 => object,
        _ => return None,
    };
    Some(Form {
        object,
        base: inner.base,
        scale: outer.scale.checked_mul(inner.scale)?,
        offset: outer.scale.checked_mul(inner.offset)?.checked_add(outer.offset)?,
    })
}

fn itself(reg: RegId) -> Form {
    Form { base: reg, scale: 1, offset: 0, object: None }
}

/// A register in terms of one that has no form, as far as chains are followed.
pub(super) fn linear(state: &State, reg: RegId) -> Form {
    let mut form = itself(reg);
    for _ in 0..DEPTH {
        let next = state.forms.get(&form.base).filter(|inner| inner.base != form.base);
        let Some(composed) = next.and_then(|inner| compose(form, *inner)) else { break };
        form = composed;
    }
    form
}

/// The distance `a - b`, if it is the same for all values.
pub(super) fn distance(state: &State, a: RegId, b: RegId) -> Option<i64> {
    let (x, y) = (linear(state, a), linear(state, b));
    (x.base == y.base && x.scale == y.scale && x.object == y.object)
        .then(|| x.offset.checked_sub(y.offset))
        .flatten()
}

/// Returns true if `reg = form` follows from the forms and values of the state.
pub(super) fn entails(state: &State, reg: RegId, form: Form) -> bool {
    let (left, base) = (linear(state, reg), linear(state, form.base));
    if compose(form, base) == Some(left) {
        return true;
    }
    let number = |reg: RegId| state.registers.get(&reg).and_then(Value::constant);
    let expected = number(form.base).and_then(|base| {
        base.checked_mul(form.scale.into()).and_then(|product| product.checked_add(form.offset.into()))
    });
    expected.is_some() && expected == number(reg)
}

/// The form of the result of an expression, which has this value.
pub(super) fn of(
    program: &Program,
    state: &State,
    registers: &dyn eval::Registers,
    (expr, result): (&Expr, &Value),
    is_one: &dyn Fn(ObjectId) -> bool,
) -> Option<Form> {
    let numbers = |operand: Operand| eval::operand(program, registers, operand).only_numbers();
    let (reg, scale, offset) = match *expr {
        Expr::Use(Operand::Reg(a)) => (a, 1, 0),
        Expr::Cast { op: CastOp::IntToPtr | CastOp::PtrToInt, a: Operand::Reg(a), .. } => (a, 1, 0),
        Expr::Cast { op: CastOp::Sext | CastOp::Zext | CastOp::Trunc, a: Operand::Reg(a), .. } => {
            (numbers(Operand::Reg(a))? == result.only_numbers()?).then_some((a, 1, 0))?
        }
        Expr::Binary { op: BinOp::Add, ty: Ty::Int(_), a: Operand::Reg(a), b: Operand::Const(c) }
        | Expr::Binary { op: BinOp::Add, ty: Ty::Int(_), a: Operand::Const(c), b: Operand::Reg(a) } => {
            (a, 1, number(program, c)?)
        }
        Expr::Binary { op: BinOp::Sub, ty: Ty::Int(_), a: Operand::Reg(a), b: Operand::Const(c) } => {
            (a, 1, number(program, c)?.checked_neg()?)
        }
        Expr::Binary { op: BinOp::Mul, ty: Ty::Int(_), a: Operand::Reg(a), b: Operand::Const(c) }
        | Expr::Binary { op: BinOp::Mul, ty: Ty::Int(_), a: Operand::Const(c), b: Operand::Reg(a) } => {
            (a, number(program, c)?, 0)
        }
        Expr::PtrAdd { ptr: Operand::Reg(ptr), offset: Operand::Const(c) } => {
            // A number could wrap.
            registers.get(ptr).numbers.is_none().then_some((ptr, 1, number(program, c)?))?
        }
        Expr::PtrAdd { ptr, offset: Operand::Reg(by) } => {
            let (object, place) = exact(&eval::operand(program, registers, ptr))?;
            is_one(object).then_some(())?;
            let range = numbers(Operand::Reg(by))?;
            let signed = range.signed(8 * program.pointer_bytes);
            (signed == (range.lo(), range.hi())).then_some(())?;
            let form = Form { base: by, scale: 1, offset: place, object: Some(object) };
            return compose(form, linear(state, by));
        }
        Expr::Use(Operand::Const(_))
        | Expr::Unary { .. }
        | Expr::Binary { .. }
        | Expr::Compare { .. }
        | Expr::Fits { .. }
        | Expr::Cast { .. }
        | Expr::Select { .. }
        | Expr::PtrAdd { ptr: Operand::Const(_), offset: Operand::Const(_) }
        | Expr::PtrDiff { .. }
        | Expr::LocalAddr(_)
        | Expr::ThreadLocalAddr(_)
        | Expr::ObjectSize(_)
        | Expr::Math { .. } => return None,
    };
    if let Expr::Binary { .. } = expr {
        exactly(numbers(Operand::Reg(reg))?, scale, offset, result.only_numbers()?).then_some(())?;
    }
    (scale != 0).then_some(())?;
    compose(Form { base: reg, scale, offset, object: None }, linear(state, reg))
}

/// Returns true if the bounds of a result are those that plain integers give.
fn exactly(range: Range, scale: i64, offset: i64, result: Range) -> bool {
    let at = |x: i128| x.checked_mul(scale.into()).and_then(|y| y.checked_add(offset.into()));
    let (Some(a), Some(b)) = (at(range.lo()), at(range.hi())) else { return false };
    (a.min(b), a.max(b)) == (result.lo(), result.hi())
}

fn number(program: &Program, id: braid_ir::ConstId) -> Option<i64> {
    match program.consts.get(id) {
        constant @ Const::Int { .. } => {
            eval::constant(program, constant).constant().and_then(|value| i64::try_from(value).ok())
        }
        Const::F32(_) | Const::F64(_) | Const::Null | Const::Global(..) | Const::Func(_) => None,
    }
}

/// The object and offset, if the value is exactly one address.
pub(super) fn exact(value: &Value) -> Option<(ObjectId, i64)> {
    match value.targets.as_slice() {
        [(object, at)] if value.numbers.is_none() && value.handles.is_empty() => {
            Some((*object, i64::try_from(at.single()?).ok()?))
        }
        _ => None,
    }
}

/// A register grows by a constant, exactly: what is said in terms of it is said in terms of the new value.
pub(super) fn shift(state: &mut State, reg: RegId, by: i64) {
    let less = |offset: i64, scale: i64| scale.checked_mul(by).and_then(|moved| offset.checked_sub(moved));
    let moved = |form: &mut Form| match less(form.offset, form.scale) {
        Some(offset) => {
            form.offset = offset;
            true
        }
        None => false,
    };
    state.forms.retain(|of, form| match (*of == reg, form.base == reg) {
        (true, true) => false,
        (true, false) => form.offset.checked_add(by).is_some_and(|offset| {
            form.offset = offset;
            true
        }),
        (false, true) => moved(form),
        (false, false) => true,
    });
    state.loaded.retain(|of, loaded| match loaded {
        crate::state::Loaded::Place(_) => *of != reg,
        crate::state::Loaded::Element(_, form, _) => *of != reg && (form.base != reg || moved(form)),
    });
    let bound = |bound: &mut Bound| match bound {
        Bound::Register(at, offset) if *at == reg => offset.checked_sub(by).is_some_and(|new| {
            *offset = new;
            true
        }),
        Bound::Register(..) | Bound::Const(_) | Bound::Outer(..) => true,
    };
    state.teams.retain(|_, team| bound(&mut team.lo) && bound(&mut team.hi));
    state.below.retain(|_, below| {
        below.register != reg
            || less(below.offset, below.scale).is_some_and(|offset| {
                below.offset = offset;
                true
            })
    });
    for hold in &mut state.holds {
        if let Some(LockName::Relative(at, offset)) = hold.name
            && at == reg
        {
            hold.name = offset.checked_sub(by).map(|offset| LockName::Relative(at, offset));
            hold.certain &= hold.name.is_some();
        }
    }
    let renamed = |name: &mut LockName| match name {
        LockName::Relative(at, offset) if *at == reg => offset.checked_sub(by).is_some_and(|new| {
            *offset = new;
            true
        }),
        LockName::Relative(..) | LockName::Place(..) | LockName::Section => true,
    };
    state.tried.retain(|_, (name, _)| renamed(name));
}

/// A register is about to get another value: what is said in terms of it is said in terms of other registers, or dropped.
pub(super) fn drop_register(state: &mut State, reg: RegId) {
    let stand_in = stand_in(state, reg);
    let through =
        |form: Form| -> Option<Form> { if form.base == reg { compose(form, stand_in?) } else { Some(form) } };
    state.forms.retain(|of, form| {
        let new = through(*form).filter(|new| *of != reg && new.base != *of);
        new.is_some_and(|new| {
            *form = new;
            true
        })
    });
    state.loaded.retain(|of, loaded| match loaded {
        crate::state::Loaded::Place(_) => *of != reg,
        crate::state::Loaded::Element(_, form, _) => {
            *of != reg
                && through(*form).is_some_and(|new| {
                    *form = new;
                    true
                })
        }
    });
    let simple = stand_in.filter(|form| form.scale == 1 && form.object.is_none());
    let bound = |bound: &mut Bound| match bound {
        Bound::Register(at, offset) if *at == reg => {
            let new =
                simple.and_then(|form| Some(Bound::Register(form.base, form.offset.checked_add(*offset)?)));
            new.is_some_and(|new| {
                *bound = new;
                true
            })
        }
        Bound::Register(..) | Bound::Const(_) | Bound::Outer(..) => true,
    };
    state.teams.retain(|_, team| bound(&mut team.lo) && bound(&mut team.hi));
    state.below.retain(|_, below| below.register != reg);
    let name = |name: LockName| match name {
        LockName::Relative(at, offset) if at == reg => {
            simple.and_then(|form| Some(LockName::Relative(form.base, form.offset.checked_add(offset)?)))
        }
        LockName::Relative(..) | LockName::Place(..) | LockName::Section => Some(name),
    };
    for hold in &mut state.holds {
        hold.name = hold.name.and_then(name);
        hold.certain &= hold.name.is_some();
    }
    state.tried.retain(|of, (tried, _)| {
        *of != reg
            && name(*tried).is_some_and(|new| {
                *tried = new;
                true
            })
    });
    super::locks::merge(&mut state.holds);
}

/// The register in terms of another one that stays.
fn stand_in(state: &State, reg: RegId) -> Option<Form> {
    let form = linear(state, reg);
    if form.base != reg {
        return Some(form);
    }
    let copy = state
        .forms
        .iter()
        .find(|(of, form)| **of != reg && form.base == reg && form.scale == 1 && form.object.is_none());
    let (of, form) = copy?;
    Some(Form { base: *of, scale: 1, offset: form.offset.checked_neg()?, object: None })
}
