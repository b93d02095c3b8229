//! Expressions and literals.

use super::Printer;
use crate::ast::*;
use std::fmt::Write as _;

/// How tightly an expression binds; larger is tighter.
type Binding = u8;

pub(super) const COMMA: Binding = 0;
pub(super) const ASSIGNMENT: Binding = 1;
pub(super) const CONDITIONAL: Binding = 2;
/// `||`; the other binary operators follow up to `*`.
const LOWEST_BINARY: Binding = 3;
const UNARY: Binding = 13;
const POSTFIX: Binding = 14;

impl Printer<'_> {
    /// Prints an expression where one that binds at least as tightly as `least` may stand.
    pub(super) fn expr(&mut self, expr: &Expr, least: Binding) {
        let grouped = binding(&expr.kind) < least;
        if grouped {
            self.push("(");
        }
        self.expr_kind(&expr.kind);
        if grouped {
            self.push(")");
        }
    }

    fn expr_kind(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Name(name) => self.push(name.as_str()),
            ExprKind::Int(lit) => self.int(*lit),
            ExprKind::Float(lit) => self.float(*lit),
            ExprKind::Char { value, encoding } => self.character(*value, *encoding),
            ExprKind::Str(lit) => self.string_bytes(lit.units.iter().copied(), prefix(lit.encoding)),
            ExprKind::Paren(inner) => {
                self.push("(");
                self.expr(inner, COMMA);
                self.push(")");
            }
            ExprKind::Generic { control, arms } => self.generic(control, arms),
            ExprKind::StmtExpr(block) => {
                self.push("(");
                self.block(block);
                self.push(")");
            }
            ExprKind::Index { base, index } => {
                self.expr(base, POSTFIX);
                self.push("[");
                self.expr(index, COMMA);
                self.push("]");
            }
            ExprKind::Call { callee, args } => {
                self.expr(callee, POSTFIX);
                self.push("(");
                self.list(args, |p, arg| p.expr(arg, ASSIGNMENT));
                self.push(")");
            }
            ExprKind::Member { base, field, arrow, .. } => {
                self.expr(base, POSTFIX);
                self.push(if *arrow { "->" } else { "." });
                self.push(field.as_str());
            }
            ExprKind::PostInc(operand) => self.postfix(operand, "++"),
            ExprKind::PostDec(operand) => self.postfix(operand, "--"),
            ExprKind::PreInc(operand) => self.prefix_op("++", operand),
            ExprKind::PreDec(operand) => self.prefix_op("--", operand),
            ExprKind::CompoundLiteral { ty, init } => {
                self.parenthesized_type(ty);
                self.init_list(init);
            }
            ExprKind::Unary { op, operand } => self.prefix_op(unary_op(*op), operand),
            ExprKind::SizeofExpr(operand) => self.prefix_op("sizeof ", operand),
            ExprKind::SizeofType(ty) => {
                self.push("sizeof");
                self.parenthesized_type(ty);
            }
            ExprKind::AlignofExpr(operand) => self.prefix_op("__alignof__ ", operand),
            ExprKind::AlignofType(ty) => {
                self.push("_Alignof");
                self.parenthesized_type(ty);
            }
            ExprKind::Cast { ty, operand } => {
                self.parenthesized_type(ty);
                self.expr(operand, UNARY);
            }
            ExprKind::Binary { op, .. } => self.binary(*op, kind),
            ExprKind::Cond { cond, then, other } => {
                self.expr(cond, LOWEST_BINARY);
                self.push(" ? ");
                if let Some(then) = then {
                    self.expr(then, COMMA);
                    self.push(" ");
                }
                self.push(": ");
                self.expr(other, CONDITIONAL);
            }
            ExprKind::Assign { op, lhs, rhs } => {
                // The parser takes any conditional expression on the left; `sema` judges it.
                self.expr(lhs, CONDITIONAL);
                self.push(" ");
                self.push(op.map_or("", binary_op));
                self.push("= ");
                self.expr(rhs, ASSIGNMENT);
            }
            ExprKind::Comma(lhs, rhs) => {
                self.expr(lhs, COMMA);
                self.push(", ");
                self.expr(rhs, ASSIGNMENT);
            }
            ExprKind::LabelAddr(label) => {
                self.push("&&");
                self.push(label.as_str());
            }
            ExprKind::Offsetof { ty, path } => self.offsetof(ty, path),
            ExprKind::VaArg { list, ty } => {
                self.push("__builtin_va_arg(");
                self.expr(list, ASSIGNMENT);
                self.push(", ");
                self.type_name(ty);
                self.push(")");
            }
            ExprKind::TypesCompatible { a, b } => {
                self.push("__builtin_types_compatible_p(");
                self.type_name(a);
                self.push(", ");
                self.type_name(b);
                self.push(")");
            }
            ExprKind::ChooseExpr { cond, then, other } => {
                self.push("__builtin_choose_expr(");
                self.expr(cond, ASSIGNMENT);
                self.push(", ");
                self.expr(then, ASSIGNMENT);
                self.push(", ");
                self.expr(other, ASSIGNMENT);
                self.push(")");
            }
            ExprKind::FuncName => self.push("__func__"),
            ExprKind::Bool(value) => self.push(if *value { "true" } else { "false" }),
            ExprKind::Nullptr => self.push("nullptr"),
            ExprKind::RealImag { operand } => self.prefix_op("__real__ ", operand),
        }
    }

    /// Left-leaning chains are printed in a loop: they may be far longer than anything nests.
    fn binary(&mut self, op: BinaryOp, kind: &ExprKind) {
        let level = binary_binding(op);
        let mut tail = Vec::new();
        let mut kind = kind;
        let first = loop {
            let ExprKind::Binary { op, lhs, rhs } = kind else {
                unreachable!("only called on binary operators")
            };
            tail.push((*op, rhs));
            match &lhs.kind {
                ExprKind::Binary { op: inner, .. } if binary_binding(*inner) == level => kind = &lhs.kind,
                _ => break lhs,
            }
        };
        self.expr(first, level);
        for (op, rhs) in tail.into_iter().rev() {
            self.push(" ");
            self.push(binary_op(op));
            self.push(" ");
            self.expr(rhs, level + 1);
        }
    }

    fn generic(&mut self, control: &Expr, arms: &[GenericArm]) {
        self.push("_Generic(");
        self.expr(control, ASSIGNMENT);
        for arm in arms {
            self.push(", ");
            match &arm.ty {
                Some(ty) => self.type_name(ty),
                None => self.push("default"),
            }
            self.push(": ");
            self.expr(&arm.expr, ASSIGNMENT);
        }
        self.push(")");
    }

    fn offsetof(&mut self, ty: &TypeName, path: &[Designator]) {
        self.push("__builtin_offsetof(");
        self.type_name(ty);
        self.push(", ");
        let at = self.out.len();
        self.designators(path);
        // The first member is written without its dot.
        if self.out[at..].starts_with('.') {
            self.out.remove(at);
        }
        self.push(")");
    }

    fn parenthesized_type(&mut self, ty: &TypeName) {
        self.push("(");
        self.type_name(ty);
        self.push(")");
    }

    fn postfix(&mut self, operand: &Expr, op: &str) {
        self.expr(operand, POSTFIX);
        self.push(op);
    }

    /// `- -x` must not become `--x`.
    fn prefix_op(&mut self, op: &str, operand: &Expr) {
        self.push(op);
        let at = self.out.len();
        self.expr(operand, UNARY);
        if op.ends_with(['+', '-', '&']) && self.out[at..].starts_with(&op[op.len() - 1..]) {
            self.out.insert(at, ' ');
        }
    }

    // ---- literals ----

    fn int(&mut self, lit: IntLit) {
        let suffix = match (lit.unsigned, lit.size) {
            (false, IntSize::Plain) => "",
            (true, IntSize::Plain) => "u",
            (false, IntSize::Long) => "l",
            (true, IntSize::Long) => "ul",
            (false, IntSize::LongLong) => "ll",
            (true, IntSize::LongLong) => "ull",
        };
        let value = lit.value;
        let text = if lit.decimal { format!("{value}{suffix}") } else { format!("0x{value:x}{suffix}") };
        self.push(&text);
    }

    fn float(&mut self, lit: FloatLit) {
        let digits = match lit.kind {
            _ if lit.value.is_infinite() => "1e9999".to_string(),
            FloatSuffix::Float => format!("{:?}", lit.value as f32),
            FloatSuffix::Double | FloatSuffix::LongDouble | FloatSuffix::Float128 => {
                format!("{:?}", lit.value)
            }
        };
        self.push(&digits);
        self.push(match lit.kind {
            FloatSuffix::Float => "f",
            FloatSuffix::Double => "",
            FloatSuffix::LongDouble => "l",
            FloatSuffix::Float128 => "f128",
        });
        if lit.imaginary {
            self.push("i");
        }
    }

    /// A plain constant outside the range of `char` was written with several characters.
    fn character(&mut self, value: i64, encoding: Encoding) {
        self.push(prefix(encoding));
        self.push("'");
        match encoding {
            Encoding::Plain if i8::try_from(value).is_ok() => self.byte(value as u8, '\''),
            Encoding::Plain => {
                let bytes = (value as u32).to_be_bytes();
                let skip = bytes.iter().take(2).take_while(|&&b| b == 0).count();
                for byte in &bytes[skip..] {
                    self.byte(*byte, '\'');
                }
            }
            Encoding::Wide | Encoding::Utf8 | Encoding::Utf16 | Encoding::Utf32 => {
                let _ = write!(self.out, "\\x{:x}", value as u32);
            }
        }
        self.push("'");
    }

    fn byte(&mut self, byte: u8, quote: char) {
        match byte {
            b'\n' => self.push("\\n"),
            b'\t' => self.push("\\t"),
            b'\\' => self.push("\\\\"),
            _ if char::from(byte) == quote => {
                self.push("\\");
                self.out.push(quote);
            }
            // `?` could become part of a trigraph under -std=c11.
            b' '..=b'~' if byte != b'?' => self.out.push(char::from(byte)),
            // Three octal digits end by themselves, whatever follows.
            _ => {
                let _ = write!(self.out, "\\{byte:03o}");
            }
        }
    }

    pub(super) fn string_bytes(&mut self, units: impl Iterator<Item = u32>, prefix: &str) {
        self.push(prefix);
        self.push("\"");
        for unit in units {
            match u8::try_from(unit) {
                Ok(byte) => self.byte(byte, '"'),
                // A hexadecimal escape would swallow following digits: end the literal behind it.
                Err(_) => {
                    let _ = write!(self.out, "\\x{unit:x}\" {prefix}\"");
                }
            }
        }
        self.push("\"");
    }
}

fn prefix(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Plain => "",
        Encoding::Wide => "L",
        Encoding::Utf8 => "u8",
        Encoding::Utf16 => "u",
        Encoding::Utf32 => "U",
    }
}

fn binding(kind: &ExprKind) -> Binding {
    match kind {
        ExprKind::Comma(..) => COMMA,
        ExprKind::Assign { .. } => ASSIGNMENT,
        ExprKind::Cond { .. } => CONDITIONAL,
        ExprKind::Binary { op, .. } => binary_binding(*op),
        ExprKind::PreInc(_)
        | ExprKind::PreDec(_)
        | ExprKind::Unary { .. }
        | ExprKind::SizeofExpr(_)
        | ExprKind::SizeofType(_)
        | ExprKind::AlignofExpr(_)
        | ExprKind::AlignofType(_)
        | ExprKind::Cast { .. }
        | ExprKind::LabelAddr(_)
        | ExprKind::RealImag { .. } => UNARY,
        ExprKind::Name(_)
        | ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Char { .. }
        | ExprKind::Str(_)
        | ExprKind::Paren(_)
        | ExprKind::Generic { .. }
        | ExprKind::StmtExpr(_)
        | ExprKind::Index { .. }
        | ExprKind::Call { .. }
        | ExprKind::Member { .. }
        | ExprKind::PostInc(_)
        | ExprKind::PostDec(_)
        | ExprKind::CompoundLiteral { .. }
        | ExprKind::Offsetof { .. }
        | ExprKind::VaArg { .. }
        | ExprKind::TypesCompatible { .. }
        | ExprKind::ChooseExpr { .. }
        | ExprKind::FuncName
        | ExprKind::Bool(_)
        | ExprKind::Nullptr => POSTFIX,
    }
}

fn binary_binding(op: BinaryOp) -> Binding {
    LOWEST_BINARY
        + match op {
            BinaryOp::LogOr => 0,
            BinaryOp::LogAnd => 1,
            BinaryOp::BitOr => 2,
            BinaryOp::BitXor => 3,
            BinaryOp::BitAnd => 4,
            BinaryOp::Eq | BinaryOp::Ne => 5,
            BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge => 6,
            BinaryOp::Shl | BinaryOp::Shr => 7,
            BinaryOp::Add | BinaryOp::Sub => 8,
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 9,
        }
}

fn binary_op(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Lt => "<",
        BinaryOp::Gt => ">",
        BinaryOp::Le => "<=",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
        BinaryOp::LogAnd => "&&",
        BinaryOp::LogOr => "||",
    }
}

fn unary_op(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::AddrOf => "&",
        UnaryOp::Deref => "*",
        UnaryOp::Plus => "+",
        UnaryOp::Minus => "-",
        UnaryOp::BitNot => "~",
        UnaryOp::Not => "!",
    }
}
