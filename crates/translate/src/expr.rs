//! Expressions of the C program that is written.
//!
//! Integers are unsigned, as in the IR; where an operation reads them as signed, they are cast. Widths that C has no type
//! for are kept in the next wider type and cut after each operation.

use crate::types::{signed_type, stored_bits, value_type};
use braid_ir::{BinOp, CastOp, CmpOp, Const, Expr, FitsOp, MathFn, Operand, Ty, UnOp};

/// The parts of an expression that depend on the place where it stands.
pub trait Place {
    fn pointer_bytes(&self) -> u8;
    fn constant(&mut self, operand: Operand) -> Option<Const>;
    /// The text of an operand, fit to stand beside any operator.
    fn operand(&mut self, operand: Operand) -> Result<String, String>;
    /// The text of the address of a frame object or of the thread's copy of a variable.
    fn address(&mut self, expr: &Expr) -> Result<String, String>;
}

/// The text of an expression, fit to stand on the right of an assignment. The error names what has no translation.
pub fn text(place: &mut dyn Place, expr: &Expr) -> Result<String, String> {
    let bytes = place.pointer_bytes();
    Ok(match *expr {
        Expr::Use(a) => place.operand(a)?,
        Expr::Unary { op, ty, a } => unary(op, ty, place.operand(a)?, bytes)?,
        Expr::Binary { op, ty, a, b } => {
            let (a, b) = (place.operand(a)?, place.operand(b)?);
            binary(op, ty, &a, &b, bytes)
        }
        Expr::Compare { op, ty, a, b } => {
            let (a, b) = (place.operand(a)?, place.operand(b)?);
            compare(op, ty, &a, &b, bytes)
        }
        Expr::Fits { op, signed, ty, a, b } => {
            let (a, b) = (place.operand(a)?, place.operand(b)?);
            fits(op, signed, ty, &a, &b, bytes)?
        }
        Expr::Cast { op, from, to, a } => {
            let a = place.operand(a)?;
            cast(op, from, to, &a, bytes)?
        }
        Expr::Select { cond, then, other, .. } => {
            let [cond, then, other] = [cond, then, other].map(|part| place.operand(part));
            format!("{} ? {} : {}", cond?, then?, other?)
        }
        Expr::PtrAdd { ptr, offset } => {
            let distance = match place.constant(offset) {
                Some(Const::Int { width, bits }) => signed(width, bits).to_string(),
                _ => format!("({}){}", signed_type(Ty::Int(bytes * 8), bytes), place.operand(offset)?),
            };
            match distance.strip_prefix('-') {
                Some(back) => format!("{} - {back}", place.operand(ptr)?),
                None if distance == "0" => place.operand(ptr)?,
                None => format!("{} + {distance}", place.operand(ptr)?),
            }
        }
        Expr::PtrDiff { a, b } => {
            let wide = value_type(Ty::Int(bytes * 8), bytes);
            format!("({wide})({} - {})", place.operand(a)?, place.operand(b)?)
        }
        Expr::LocalAddr(_) | Expr::ThreadLocalAddr(_) => place.address(expr)?,
        Expr::ObjectSize(_) => return Err("the size of the object behind a pointer".to_string()),
        Expr::Math { f, .. } => return Err(format!("the function {}", math_name(f))),
    })
}

/// The value of a constant as a signed number.
pub fn signed(width: u8, bits: u128) -> i128 {
    let shift = 128 - u32::from(width);
    ((bits << shift) as i128) >> shift
}

/// The text of a number constant.
pub fn number(width: u8, bits: u128) -> String {
    let value = signed(width, bits);
    match width {
        1 => bits.to_string(),
        0..=32 if value < 0 => format!("{bits}u"),
        0..=32 => format!("{bits}u"),
        33..=64 if bits <= u128::from(u32::MAX) => format!("{bits}ul"),
        33..=64 => format!("{bits:#x}ul"),
        _ => {
            let (high, low) = (bits >> 64, bits & u128::from(u64::MAX));
            format!("((unsigned __int128){high:#x}ul << 64 | {low:#x}ul)")
        }
    }
}

/// The text cut to the width, if the C type that holds it is wider, or if C computes in `int`.
fn cut(ty: Ty, text: String, bytes: u8) -> String {
    match ty {
        Ty::Int(1) => format!("({text}) & 1"),
        Ty::Int(width) if stored_bits(width) != u32::from(width) => {
            let mask = number(width, u128::MAX >> (128 - u32::from(width)));
            format!("({text}) & {mask}")
        }
        Ty::Int(0..=16) => format!("({})({text})", value_type(ty, bytes)),
        Ty::Int(_) | Ty::F32 | Ty::F64 | Ty::Ptr => text,
    }
}

/// The operand read as a signed number.
fn as_signed(ty: Ty, text: &str, bytes: u8) -> String {
    let own = signed_type(ty, bytes);
    match ty {
        Ty::Int(width) if stored_bits(width) != u32::from(width) => {
            let shift = stored_bits(width) - u32::from(width);
            format!("(({own})({text} << {shift}) >> {shift})")
        }
        Ty::Int(_) => format!("({own}){text}"),
        Ty::F32 | Ty::F64 | Ty::Ptr => text.to_string(),
    }
}

fn unary(op: UnOp, ty: Ty, a: String, bytes: u8) -> Result<String, String> {
    let wide = matches!(ty, Ty::Int(33..));
    let suffix = if wide { "l" } else { "" };
    let width = ty.bits(bytes);
    Ok(match op {
        UnOp::Not if ty == Ty::BOOL => format!("!{a}"),
        UnOp::Not => cut(ty, format!("~{a}"), bytes),
        UnOp::Neg => cut(ty, format!("-{a}"), bytes),
        UnOp::FNeg => format!("-{a}"),
        UnOp::FAbs => format!("{a} < 0 ? -{a} : {a}"),
        UnOp::Popcount if width <= 64 => format!("__builtin_popcount{suffix}({a})"),
        UnOp::Ctz if width == 32 || width == 64 => format!("{a} ? __builtin_ctz{suffix}({a}) : {width}"),
        UnOp::Clz if width == 32 || width == 64 => format!("{a} ? __builtin_clz{suffix}({a}) : {width}"),
        UnOp::Bswap if matches!(width, 16 | 32 | 64) => format!("__builtin_bswap{width}({a})"),
        UnOp::Popcount | UnOp::Ctz | UnOp::Clz | UnOp::Bswap => {
            return Err(format!("an operation on the bits of {width} bits"));
        }
    })
}

fn binary(op: BinOp, ty: Ty, a: &str, b: &str, bytes: u8) -> String {
    let width = ty.bits(bytes);
    let unsigned = value_type(ty, bytes);
    let [sa, sb] = [a, b].map(|text| as_signed(ty, text, bytes));
    let count = format!("({b} & {}u)", width.saturating_sub(1));
    let plain = |sign: &str| cut(ty, format!("{a} {sign} {b}"), bytes);
    match op {
        BinOp::Add | BinOp::FAdd => plain("+"),
        BinOp::Sub | BinOp::FSub => plain("-"),
        BinOp::Mul | BinOp::FMul => plain("*"),
        BinOp::UDiv | BinOp::FDiv => plain("/"),
        BinOp::URem => plain("%"),
        BinOp::And => plain("&"),
        BinOp::Or => plain("|"),
        BinOp::Xor => plain("^"),
        BinOp::SDiv => cut(ty, format!("({unsigned})({sa} / {sb})"), bytes),
        BinOp::SRem => cut(ty, format!("({unsigned})({sa} % {sb})"), bytes),
        BinOp::Shl => cut(ty, format!("{a} << {count}"), bytes),
        BinOp::LShr => cut(ty, format!("{a} >> {count}"), bytes),
        BinOp::AShr => cut(ty, format!("({unsigned})({sa} >> {count})"), bytes),
    }
}

fn compare(op: CmpOp, ty: Ty, a: &str, b: &str, bytes: u8) -> String {
    let sign = match op {
        CmpOp::Eq | CmpOp::FEq => "==",
        CmpOp::Ne | CmpOp::FNe => "!=",
        CmpOp::Slt | CmpOp::Ult | CmpOp::FLt => "<",
        CmpOp::Sle | CmpOp::Ule | CmpOp::FLe => "<=",
    };
    if a == b && matches!(ty, Ty::Int(_) | Ty::Ptr) {
        let holds = matches!(op, CmpOp::Eq | CmpOp::Sle | CmpOp::Ule);
        return u8::from(holds).to_string();
    }
    match op {
        CmpOp::Slt | CmpOp::Sle => {
            format!("{} {sign} {}", as_signed(ty, a, bytes), as_signed(ty, b, bytes))
        }
        CmpOp::Eq
        | CmpOp::Ne
        | CmpOp::Ult
        | CmpOp::Ule
        | CmpOp::FEq
        | CmpOp::FNe
        | CmpOp::FLt
        | CmpOp::FLe => {
            format!("{a} {sign} {b}")
        }
    }
}

/// Whether an exact result fits, computed in a type that holds it.
fn fits(op: FitsOp, is_signed: bool, ty: Ty, a: &str, b: &str, bytes: u8) -> Result<String, String> {
    let width = ty.bits(bytes);
    if width > 64 {
        return Err("overflow of 128 bits".to_string());
    }
    let (least, most) = match is_signed {
        true => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
        false => (0, (1i128 << width) - 1),
    };
    let wide = |text: &str| match is_signed {
        true => format!("(__int128){}", as_signed(ty, text, bytes)),
        false => format!("(__int128){text}"),
    };
    let sign = match op {
        FitsOp::Add => "+",
        FitsOp::Sub => "-",
        FitsOp::Mul => "*",
        FitsOp::Div => "/",
        FitsOp::Shl => "<<",
        FitsOp::ShiftCount => return Ok(format!("{b} < {width}u")),
    };
    let exact = format!("{} {sign} {}", wide(a), wide(b));
    let limit = |value: i128| match u64::try_from(value.unsigned_abs()) {
        Ok(size) if value < 0 => format!("-(__int128){size:#x}ul"),
        Ok(size) => format!("(__int128){size:#x}ul"),
        Err(_) => format!("((__int128)1 << {width})"),
    };
    let range = format!("{exact} >= {} && {exact} <= {}", limit(least), limit(most));
    Ok(if op == FitsOp::Shl { format!("{} >= 0 && {range}", wide(a)) } else { range })
}

fn cast(op: CastOp, from: Ty, to: Ty, a: &str, bytes: u8) -> Result<String, String> {
    let (unsigned, own) = (value_type(to, bytes), signed_type(to, bytes));
    Ok(match op {
        CastOp::Trunc => cut(to, format!("({unsigned}){a}"), bytes),
        CastOp::Zext => format!("({unsigned}){a}"),
        CastOp::Sext if from == Ty::BOOL => cut(to, format!("({unsigned})-({own}){a}"), bytes),
        CastOp::Sext => cut(to, format!("({unsigned})({own}){}", as_signed(from, a, bytes)), bytes),
        CastOp::FloatToFloat | CastOp::UintToFloat | CastOp::FloatToUint => format!("({unsigned}){a}"),
        CastOp::SintToFloat => format!("({unsigned}){}", as_signed(from, a, bytes)),
        CastOp::FloatToSint => format!("({unsigned})({own}){a}"),
        CastOp::PtrToInt | CastOp::IntToPtr => format!("({unsigned}){a}"),
        CastOp::Forget => a.to_string(),
        CastOp::Bits => return Err("the bits of a floating-point number".to_string()),
    })
}

fn math_name(f: MathFn) -> String {
    format!("{f:?}").to_lowercase()
}
