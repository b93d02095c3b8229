//! Sets of a few numbers, and what operations make of them.

use braid_ir::*;

/// Numbers told apart.
const FEW: usize = 4;

/// The values something may have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    /// Ascending.
    Few(Vec<u128>),
    Any,
}

impl Value {
    /// Nothing is known to set it.
    pub const NONE: Value = Value::Few(Vec::new());

    pub fn one(bits: u128) -> Value {
        Value::Few(vec![bits])
    }

    pub fn constant(value: Const) -> Value {
        match value {
            Const::Int { bits, .. } => Value::one(bits),
            Const::Null => Value::one(0),
            Const::F32(_) | Const::F64(_) | Const::Global(..) | Const::Func(_) => Value::Any,
        }
    }

    fn from_list(mut list: Vec<u128>) -> Value {
        list.sort_unstable();
        list.dedup();
        if list.len() > FEW { Value::Any } else { Value::Few(list) }
    }

    pub fn few(&self) -> Option<&[u128]> {
        match self {
            Value::Few(list) => Some(list),
            Value::Any => None,
        }
    }

    /// Whether anything changed.
    pub fn join(&mut self, other: &Value) -> bool {
        let joined = match (&*self, other) {
            (Value::Any, _) => return false,
            (_, Value::Any) => Value::Any,
            (Value::Few(a), Value::Few(b)) => Value::from_list(a.iter().chain(b).copied().collect()),
        };
        let changed = joined != *self;
        *self = joined;
        changed
    }

    fn map(&self, f: impl Fn(u128) -> u128) -> Value {
        match self {
            Value::Few(list) => Value::from_list(list.iter().map(|bits| f(*bits)).collect()),
            Value::Any => Value::Any,
        }
    }

    /// Cut to a type.
    pub fn cut(&self, ty: Ty, pointer_bytes: u8) -> Value {
        let mask = mask(ty.bits(pointer_bytes));
        self.map(|bits| bits & mask)
    }
}

fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

fn signed(bits: u128, width: u32) -> i128 {
    let shift = 128 - width;
    ((bits << shift) as i128) >> shift
}

/// The values of an expression.
pub(crate) fn expression(expr: &Expr, pointer_bytes: u8, operand: &dyn Fn(Operand) -> Value) -> Value {
    match expr {
        Expr::Use(a) => operand(*a),
        Expr::Binary { op, ty, a, b } => {
            let width = ty.bits(pointer_bytes);
            pairs(&operand(*a), &operand(*b), |a, b| Some(binary(*op, a, b)? & mask(width)))
        }
        Expr::Compare { op, ty, a, b } => {
            let width = ty.bits(pointer_bytes);
            pairs(&operand(*a), &operand(*b), |a, b| compare(*op, width, a, b).map(u128::from))
        }
        Expr::Cast { op, from, to, a } => {
            let (from, to) = (from.bits(pointer_bytes), to.bits(pointer_bytes));
            match op {
                CastOp::Trunc | CastOp::Zext | CastOp::PtrToInt | CastOp::IntToPtr => {
                    operand(*a).map(|bits| bits & mask(to))
                }
                CastOp::Sext => operand(*a).map(|bits| signed(bits, from) as u128 & mask(to)),
                CastOp::FloatToFloat
                | CastOp::FloatToSint
                | CastOp::FloatToUint
                | CastOp::SintToFloat
                | CastOp::UintToFloat
                | CastOp::Bits
                | CastOp::Forget => Value::Any,
            }
        }
        Expr::Select { cond, then, other, .. } => {
            let cond = operand(*cond);
            let mut result = Value::NONE;
            let may = |wanted: u128| cond.few().is_none_or(|list| list.contains(&wanted));
            if may(1) {
                result.join(&operand(*then));
            }
            if may(0) {
                result.join(&operand(*other));
            }
            result
        }
        Expr::Unary { .. }
        | Expr::Fits { .. }
        | Expr::PtrAdd { .. }
        | Expr::PtrDiff { .. }
        | Expr::LocalAddr(_)
        | Expr::ThreadLocalAddr(_)
        | Expr::ObjectSize(_)
        | Expr::Math { .. } => Value::Any,
    }
}

fn pairs(a: &Value, b: &Value, f: impl Fn(u128, u128) -> Option<u128>) -> Value {
    let (Some(a), Some(b)) = (a.few(), b.few()) else { return Value::Any };
    let all: Option<Vec<u128>> = a.iter().flat_map(|a| b.iter().map(|b| f(*a, *b))).collect();
    all.map_or(Value::Any, Value::from_list)
}

fn binary(op: BinOp, a: u128, b: u128) -> Option<u128> {
    match op {
        BinOp::Add => Some(a.wrapping_add(b)),
        BinOp::Sub => Some(a.wrapping_sub(b)),
        BinOp::Mul => Some(a.wrapping_mul(b)),
        BinOp::And => Some(a & b),
        BinOp::Or => Some(a | b),
        BinOp::Xor => Some(a ^ b),
        BinOp::SDiv
        | BinOp::UDiv
        | BinOp::SRem
        | BinOp::URem
        | BinOp::Shl
        | BinOp::LShr
        | BinOp::AShr
        | BinOp::FAdd
        | BinOp::FSub
        | BinOp::FMul
        | BinOp::FDiv => None,
    }
}

fn compare(op: CmpOp, width: u32, a: u128, b: u128) -> Option<bool> {
    match op {
        CmpOp::Eq => Some(a == b),
        CmpOp::Ne => Some(a != b),
        CmpOp::Slt => Some(signed(a, width) < signed(b, width)),
        CmpOp::Sle => Some(signed(a, width) <= signed(b, width)),
        CmpOp::Ult => Some(a < b),
        CmpOp::Ule => Some(a <= b),
        CmpOp::FEq | CmpOp::FNe | CmpOp::FLt | CmpOp::FLe => None,
    }
}
