//! The values of pure expressions, and what a branch says of them.
//!
//! The engine and the checker share this file and the sets of values; memory, locks and threads they treat apart.
//!
//! *Claim*: if every register has one of the values that [`Registers::get`] gives for it, the result of an expression is
//! one of those of [`value`], and [`assume`] keeps all registers of runs in which the condition has that truth.
//! *Relies on*: `range`, which holds the arithmetic. *Proof*: case by case; what is not covered is any number, and a number is
//! never used as an address ([`crate::Value`]).

use crate::range::Range;
use crate::value::{ObjectId, Value};
use braid_ir::{
    BinOp, CastOp, CmpOp, Const, Expr, FitsOp, FuncId, Function, GlobalId, LocalId, Operand, Program, RegId,
    Ty, UnOp,
};

/// The registers of a function at a point, and what its objects are called there.
pub trait Registers {
    fn get(&self, reg: RegId) -> Value;
    /// Takes note that the register has one of these values, which are among those of [`Registers::get`].
    fn refine(&mut self, reg: RegId, value: Value);
    /// The address of a local object.
    fn local(&self, local: LocalId) -> Value;
    /// Bytes of an object, if they are known.
    fn size(&self, object: ObjectId) -> Option<Range>;
    /// Returns true if there is only one object that this is now.
    fn is_one(&self, object: ObjectId) -> bool;
}

/// The object of a static variable: static variables and functions have the first numbers.
pub fn global(id: GlobalId) -> ObjectId {
    ObjectId(id.0)
}

/// The object of a function.
pub fn function(program: &Program, id: FuncId) -> ObjectId {
    ObjectId(program.globals.len() as u32 + id.0)
}

/// The function that an object is.
pub fn as_function(program: &Program, object: ObjectId) -> Option<FuncId> {
    let id = object.0.checked_sub(program.globals.len() as u32)?;
    ((id as usize) < program.functions.len()).then_some(FuncId(id))
}

/// The number of the first object that is neither a static variable nor a function.
pub fn first_made(program: &Program) -> u32 {
    (program.globals.len() + program.functions.len()) as u32
}

/// The width of a type in bits.
pub fn width(program: &Program, ty: Ty) -> u8 {
    ty.bits(program.pointer_bytes) as u8
}

/// The value of a constant.
pub fn constant(program: &Program, value: Const) -> Value {
    match value {
        Const::Int { width, bits } => Value::number(Range::constant(bits, width)),
        Const::F32(bits) => Value::number(Range::constant(bits.into(), 32)),
        Const::F64(bits) => Value::number(Range::constant(bits.into(), 64)),
        Const::Null => Value::null(),
        Const::Global(id, offset) => Value::address(global(id), offset),
        Const::Func(id) => Value::address(function(program, id), 0),
    }
}

/// The value of an operand.
pub fn operand(program: &Program, registers: &dyn Registers, operand: Operand) -> Value {
    match operand {
        Operand::Reg(reg) => registers.get(reg),
        Operand::Const(id) => constant(program, program.consts.get(id)),
    }
}

/// One of the two truths, or either.
fn truth(known: Option<bool>) -> Value {
    Value::number(known.map_or(Range::full(1), |known| Range::constant(known.into(), 1)))
}

/// The value of an expression.
pub fn value(program: &Program, registers: &dyn Registers, expr: &Expr) -> Value {
    let get = |a: Operand| operand(program, registers, a);
    match *expr {
        Expr::Use(a) => get(a),
        Expr::Unary { op, ty, a } => unary(program, op, ty, &get(a)),
        Expr::Binary { op, ty, a, b } => binary(program, op, ty, &get(a), &get(b)),
        Expr::Compare { op, ty, a, b } => {
            let (a, b) = (get(a), get(b));
            let strays = strays(program, registers, &a) || strays(program, registers, &b);
            truth(compare(program, op, ty, (&a, &b)).filter(|_| !strays))
        }
        Expr::Fits { op, signed, ty, a, b } => {
            let (a, b) = (get(a).only_numbers(), get(b).only_numbers());
            let w = width(program, ty);
            let known = match (op, a, b) {
                (FitsOp::ShiftCount, _, Some(b)) => fits(op, signed, w, b, b),
                (_, Some(a), Some(b)) => fits(op, signed, w, a, b),
                (_, None, _) | (_, _, None) => None,
            };
            truth(known)
        }
        Expr::Cast { op, from, to, a } => cast(program, op, from, to, get(a)),
        Expr::Select { cond, then, other, .. } => match get(cond).constant() {
            Some(0) => get(other),
            Some(_) => get(then),
            None => {
                let mut both = get(then);
                both.join(&get(other));
                both
            }
        },
        Expr::PtrAdd { ptr, offset } => pointer_add(program, &get(ptr), &get(offset)),
        Expr::PtrDiff { a, b } => difference(program, registers, &get(a), &get(b)),
        Expr::LocalAddr(local) => registers.local(local),
        Expr::ThreadLocalAddr(id) => Value::address(global(id), 0),
        Expr::ObjectSize(_) => Value::any(8 * program.pointer_bytes),
        Expr::Math { ty, .. } => Value::any(width(program, ty)),
    }
}

fn unary(program: &Program, op: UnOp, ty: Ty, a: &Value) -> Value {
    let w = width(program, ty);
    let Some(range) = a.only_numbers() else { return Value::any(w) };
    match op {
        UnOp::Not => Value::number(range.not(w)),
        UnOp::Neg => Value::number(range.neg(w)),
        UnOp::Popcount | UnOp::Clz | UnOp::Ctz => {
            Value::number(Range::new(0, w.into(), 1).expect("a width is positive").normal(w))
        }
        UnOp::FNeg | UnOp::FAbs | UnOp::Bswap => Value::any(w),
    }
}

fn binary(program: &Program, op: BinOp, ty: Ty, a: &Value, b: &Value) -> Value {
    let w = width(program, ty);
    if !matches!(ty, Ty::Int(_)) {
        return Value::any(w);
    }
    let (Some(x), Some(y)) = (a.only_numbers(), b.only_numbers()) else {
        return address_arithmetic(op, w, a, b);
    };
    let range = match op {
        BinOp::Add => x.add(y, w),
        BinOp::Sub => x.sub(y, w),
        BinOp::Mul => x.mul(y, w),
        BinOp::SDiv => x.sdiv(y, w),
        BinOp::UDiv => x.udiv(y, w),
        BinOp::SRem => x.srem(y, w),
        BinOp::URem => x.urem(y, w),
        BinOp::And => x.and(y, w),
        BinOp::Or => x.or(y, w),
        BinOp::Xor => x.xor(y, w),
        BinOp::Shl => x.shl(y, w),
        BinOp::LShr => x.lshr(y, w),
        BinOp::AShr => x.ashr(y, w),
        BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv => Range::full(w),
    };
    Value::number(range)
}

/// Integers that may be addresses: a sum with a number stays an address, all else is a number that nobody may use as one.
fn address_arithmetic(op: BinOp, w: u8, a: &Value, b: &Value) -> Value {
    let moved = |address: &Value, by: Range| {
        let targets = address.targets.iter().map(|(object, at)| (*object, at.plus(by))).collect();
        let numbers = (address.numbers.is_some() || !address.handles.is_empty()).then(|| Range::full(w));
        Value { numbers, targets, handles: Vec::new() }
    };
    let signed = |range: Range| {
        let (lo, hi) = range.signed(w);
        Range::new(lo, hi, if lo == hi { 0 } else { 1 }).unwrap_or(Range::UNBOUNDED)
    };
    match (op, a.only_numbers(), b.only_numbers()) {
        (BinOp::Add, None, Some(by)) => moved(a, signed(by)),
        (BinOp::Add, Some(by), None) => moved(b, signed(by)),
        (BinOp::Sub, None, Some(by)) => moved(a, signed(by.neg(w))),
        _ => Value::any(w),
    }
}

/// Returns true if the value may be an address outside of its object: such a one may be any number, or that of another object.
fn strays(program: &Program, registers: &dyn Registers, value: &Value) -> bool {
    value.targets.iter().any(|(object, at)| {
        let is_code = as_function(program, *object).is_some() && at.single() == Some(0);
        let within = |size: Range| at.lo() >= 0 && at.hi() <= size.lo();
        !is_code && !registers.size(*object).is_some_and(within)
    })
}

fn compare(program: &Program, op: CmpOp, ty: Ty, (a, b): (&Value, &Value)) -> Option<bool> {
    let w = width(program, ty);
    if a.is_none() || b.is_none() {
        return None;
    }
    if let (Some(x), Some(y)) = (a.only_numbers(), b.only_numbers()) {
        return match op {
            CmpOp::Eq => x.eq(y, w),
            CmpOp::Ne => x.ne(y, w),
            CmpOp::Slt => x.slt(y, w),
            CmpOp::Sle => x.sle(y, w),
            CmpOp::Ult => x.ult(y, w),
            CmpOp::Ule => x.ule(y, w),
            CmpOp::FEq | CmpOp::FNe | CmpOp::FLt | CmpOp::FLe => None,
        };
    }
    // An address or a handle is never 0.
    let never_null = |v: &Value| v.numbers.is_none();
    let null = |v: &Value| v.constant() == Some(0);
    let apart = (never_null(a) && null(b)) || (never_null(b) && null(a));
    match op {
        CmpOp::Eq if apart => Some(false),
        CmpOp::Ne if apart => Some(true),
        _ => None,
    }
}

/// Whether the exact result of an operation fits the type, if the answer is the same for all arguments.
fn fits(op: FitsOp, signed: bool, w: u8, a: Range, b: Range) -> Option<bool> {
    let view = |range: Range| if signed { Some(range.signed(w)) } else { range.unsigned(w) };
    let (least, most) = match (signed, w) {
        (true, _) => (i128::MIN >> (128 - w), i128::MAX >> (128 - w)),
        (false, 127..) => return None,
        (false, _) => (0, (1i128 << w) - 1),
    };
    let ((a_lo, a_hi), (b_lo, b_hi)) = (view(a)?, view(b)?);
    let all_inside = |corners: &[Option<i128>]| {
        corners
            .iter()
            .all(|corner| corner.is_some_and(|value| least <= value && value <= most))
            .then_some(true)
    };
    match op {
        FitsOp::Add => all_inside(&[a_lo.checked_add(b_lo), a_hi.checked_add(b_hi)]),
        FitsOp::Sub => all_inside(&[a_lo.checked_sub(b_hi), a_hi.checked_sub(b_lo)]),
        FitsOp::Mul => {
            let times = |x: i128, y: i128| x.checked_mul(y);
            all_inside(&[times(a_lo, b_lo), times(a_lo, b_hi), times(a_hi, b_lo), times(a_hi, b_hi)])
        }
        FitsOp::Div => (a_lo > least || b_lo > -1 || b_hi < -1).then_some(true),
        FitsOp::Shl => {
            let count = (0..64).contains(&b_lo) && (0..64).contains(&b_hi);
            (count && a_lo >= 0).then_some(())?;
            all_inside(&[a_hi.checked_mul(1 << b_hi)])
        }
        FitsOp::ShiftCount => {
            let (lo, hi) = b.signed(w);
            (0 <= lo && hi < w.into()).then_some(true)
        }
    }
}

fn cast(program: &Program, op: CastOp, from: Ty, to: Ty, a: Value) -> Value {
    let (f, t) = (width(program, from), width(program, to));
    match op {
        CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Forget => a,
        CastOp::Bits => Value { numbers: a.numbers.map(|_| Range::full(t)), ..a },
        CastOp::Trunc | CastOp::Zext | CastOp::Sext => match a.only_numbers() {
            Some(range) => Value::number(match op {
                CastOp::Trunc => range.trunc(t),
                CastOp::Zext => range.zext(f, t),
                _ => range.sext(f, t),
            }),
            None => Value::any(t),
        },
        CastOp::FloatToFloat
        | CastOp::FloatToSint
        | CastOp::FloatToUint
        | CastOp::SintToFloat
        | CastOp::UintToFloat => Value::any(t),
    }
}

/// Offsets are integers here: an offset that is read as unsigned is out of every object.
fn pointer_add(program: &Program, pointer: &Value, offset: &Value) -> Value {
    let w = 8 * program.pointer_bytes;
    let by = match offset.only_numbers() {
        Some(range) => {
            let (lo, hi) = range.signed(w);
            match lo == range.lo() && hi == range.hi() {
                true => range,
                false => Range::new(lo, hi, u64::from(lo != hi)).unwrap_or(Range::UNBOUNDED),
            }
        }
        None => Range::UNBOUNDED,
    };
    let targets = pointer.targets.iter().map(|(object, at)| (*object, at.plus(by))).collect();
    let numbers = match (pointer.numbers, by.single()) {
        (None, _) if pointer.handles.is_empty() => None,
        (Some(range), Some(0)) if pointer.handles.is_empty() => Some(range),
        _ => Some(Range::full(w)),
    };
    Value { numbers, targets, handles: Vec::new() }
}

fn difference(program: &Program, registers: &dyn Registers, a: &Value, b: &Value) -> Value {
    let w = 8 * program.pointer_bytes;
    match (a.targets.as_slice(), b.targets.as_slice()) {
        ([(x, at)], [(y, from)])
            if x == y && registers.is_one(*x) && a.numbers.is_none() && b.numbers.is_none() =>
        {
            match (at.single(), from.single()) {
                (Some(at), Some(from)) => Value::number(Range::constant((at - from) as u128, w)),
                _ => Value::any(w),
            }
        }
        _ => Value::any(w),
    }
}

/// The expressions that registers were given in a block so far, as long as their operands keep their values.
#[derive(Clone, Default, Debug)]
pub struct Definitions {
    list: Vec<(RegId, Expr)>,
}

impl Definitions {
    /// A register gets a new value, that of the expression if there is one.
    pub fn set(&mut self, reg: RegId, expr: Option<&Expr>) {
        let reads = |expr: &Expr| expr.operands().any(|operand| operand.reg() == Some(reg));
        self.list.retain(|(known, expr)| *known != reg && !reads(expr));
        if let Some(expr) = expr
            && !reads(expr)
        {
            self.list.push((reg, *expr));
        }
    }

    pub fn get(&self, reg: RegId) -> Option<Expr> {
        self.list.iter().find(|(known, _)| *known == reg).map(|(_, expr)| *expr)
    }
}

/// Expressions behind a condition that are looked at.
const DEPTH: u32 = 8;

/// A comparison that is known to hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Equal,
    Different,
    /// The left side is less than the right one, or at most that.
    Below {
        signed: bool,
        strict: bool,
    },
    /// The other way round.
    Above {
        signed: bool,
        strict: bool,
    },
}

impl Relation {
    fn of(op: CmpOp, holds: bool) -> Option<Relation> {
        let order = |signed, strict| match holds {
            true => Relation::Below { signed, strict },
            false => Relation::Above { signed, strict: !strict },
        };
        match op {
            CmpOp::Eq | CmpOp::Ne if (op == CmpOp::Eq) == holds => Some(Relation::Equal),
            CmpOp::Eq | CmpOp::Ne => Some(Relation::Different),
            CmpOp::Slt => Some(order(true, true)),
            CmpOp::Sle => Some(order(true, false)),
            CmpOp::Ult => Some(order(false, true)),
            CmpOp::Ule => Some(order(false, false)),
            CmpOp::FEq | CmpOp::FNe | CmpOp::FLt | CmpOp::FLe => None,
        }
    }
}

/// Refines registers by the truth of a condition. Returns false if it cannot have that truth.
pub fn assume(
    program: &Program,
    function: &Function,
    registers: &mut dyn Registers,
    definitions: &Definitions,
    condition: Operand,
    holds: bool,
) -> bool {
    let bits = match condition {
        Operand::Reg(reg) => width(program, function.regs[reg].ty),
        Operand::Const(_) => 1,
    };
    let relation = if holds { Relation::Different } else { Relation::Equal };
    let zero = Value::number(Range::constant(0, bits));
    Refiner { program, registers, definitions }.compare(relation, bits, condition, Side::Value(&zero), DEPTH)
}

/// Refines registers by the value of a `switch`. Returns false if it cannot have that value.
pub fn assume_value(
    program: &Program,
    registers: &mut dyn Registers,
    definitions: &Definitions,
    ty: Ty,
    read: Operand,
    (equal, bits): (bool, u128),
) -> bool {
    let w = width(program, ty);
    let relation = if equal { Relation::Equal } else { Relation::Different };
    let value = Value::number(Range::constant(bits, w));
    Refiner { program, registers, definitions }.compare(relation, w, read, Side::Value(&value), DEPTH)
}

struct Refiner<'a> {
    program: &'a Program,
    registers: &'a mut dyn Registers,
    definitions: &'a Definitions,
}

/// The right side of a comparison.
enum Side<'a> {
    Operand(Operand),
    Value(&'a Value),
}

impl Refiner<'_> {
    /// Assumes a comparison. Returns false if it cannot hold.
    fn compare(&mut self, relation: Relation, w: u8, a: Operand, b: Side, depth: u32) -> bool {
        let left = operand(self.program, self.registers, a);
        let right = match &b {
            Side::Operand(b) => operand(self.program, self.registers, *b),
            Side::Value(value) => (*value).clone(),
        };
        let beyond = [&left, &right].iter().any(|side| strays(self.program, self.registers, side));
        if relation == Relation::Equal && beyond {
            return true;
        }
        let (x, y) = related(relation, w, &left, &right);
        let mut possible = self.narrow(a, w, x, depth);
        if let Side::Operand(b) = b {
            possible &= self.narrow(b, w, y, depth);
        }
        possible
    }

    /// An operand has one of these values. Returns false if that cannot be.
    fn narrow(&mut self, operand: Operand, w: u8, value: Value, depth: u32) -> bool {
        if value.is_none() {
            return false;
        }
        let Operand::Reg(reg) = operand else { return true };
        self.registers.refine(reg, value.clone());
        let (Some(next), Some(expr)) = (depth.checked_sub(1), self.definitions.get(reg)) else { return true };
        let range = value.only_numbers();
        match expr {
            Expr::Use(a) => self.narrow(a, w, value, next),
            Expr::Compare { op, ty: ty @ (Ty::Int(_) | Ty::Ptr), a, b } => {
                let relation = value.constant().and_then(|holds| Relation::of(op, holds != 0));
                let bits = width(self.program, ty);
                relation.is_none_or(|relation| self.compare(relation, bits, a, Side::Operand(b), next))
            }
            Expr::Cast { op: CastOp::Zext | CastOp::Sext, from, a, .. } => {
                let f = width(self.program, from);
                self.equals(a, f, range.map(|range| range.trunc(f)), next)
            }
            Expr::Binary {
                op: op @ (BinOp::Add | BinOp::Sub),
                ty: Ty::Int(_),
                a,
                b: b @ Operand::Const(_),
            } => {
                let by = crate::eval::operand(self.program, self.registers, b).only_numbers();
                let inner = range.zip(by).map(|(range, by)| match op {
                    BinOp::Add => range.sub(by, w),
                    _ => range.add(by, w),
                });
                self.equals(a, w, inner, next)
            }
            _ => true,
        }
    }

    fn equals(&mut self, a: Operand, w: u8, range: Option<Range>, depth: u32) -> bool {
        let Some(range) = range else { return true };
        self.compare(Relation::Equal, w, a, Side::Value(&Value::number(range)), depth)
    }
}

/// The values of both sides for which the relation can hold.
fn related(relation: Relation, w: u8, a: &Value, b: &Value) -> (Value, Value) {
    match relation {
        Relation::Equal => (equal_to(w, a, b), equal_to(w, b, a)),
        Relation::Different => (different_from(w, a, b), different_from(w, b, a)),
        Relation::Below { signed, strict } => ordered(signed, strict, w, a, b),
        Relation::Above { signed, strict } => {
            let (b, a) = ordered(signed, strict, w, b, a);
            (a, b)
        }
    }
}

/// The values of `a` that may equal one of `b`. A number other than 0 may happen to equal an address.
fn equal_to(w: u8, a: &Value, b: &Value) -> Value {
    let meets_number = b.may_be_other_number();
    let meets_address = !b.targets.is_empty() || !b.handles.is_empty();
    let numbers = match (a.numbers, b.numbers) {
        (None, _) => None,
        (Some(range), _) if meets_address && a.may_be_other_number() => Some(range),
        (Some(_), None) => None,
        (Some(x), Some(y)) => x.assume_eq(y, w).0,
    };
    let same_place = |(object, at): &&(ObjectId, Range)| {
        meets_number || b.targets.iter().any(|(other, from)| other == object && !distinct(*at, *from))
    };
    Value {
        numbers,
        targets: a.targets.iter().filter(same_place).copied().collect(),
        handles: a.handles.iter().filter(|_| meets_number || !b.handles.is_empty()).copied().collect(),
    }
}

fn distinct(a: Range, b: Range) -> bool {
    matches!((a.single(), b.single()), (Some(a), Some(b)) if a != b)
}

/// The values of `a` that differ from some value of `b`.
fn different_from(w: u8, a: &Value, b: &Value) -> Value {
    let numbers = match (a.numbers, b.only_numbers()) {
        (Some(x), Some(y)) => x.assume_ne(y, w).0,
        (numbers, _) => numbers,
    };
    Value { numbers, ..a.clone() }
}

fn ordered(signed: bool, strict: bool, w: u8, a: &Value, b: &Value) -> (Value, Value) {
    let (Some(x), Some(y)) = (a.only_numbers(), b.only_numbers()) else { return (a.clone(), b.clone()) };
    let (x, y) = match (signed, strict) {
        (true, true) => x.assume_slt(y, w),
        (true, false) => x.assume_sle(y, w),
        (false, true) => x.assume_ult(y, w),
        (false, false) => x.assume_ule(y, w),
    };
    let part = |range: Option<Range>| range.map_or(Value::NONE, Value::number);
    (part(x), part(y))
}
