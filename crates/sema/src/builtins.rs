//! The compiler's own operators that look like calls: `__builtin_*`.
//!
//! Anything not listed here is the library function of that name without the prefix (see
//! `call::builtin_function`). The atomic families are in `atomics`.

use crate::check::{Checker, int_const, node};
use crate::consteval::Const;
use crate::hir::{Builtin, CastKind, Expr, ExprKind};
use crate::types::{QualType, TypeId};
use braid_base::{Span, Symbol};
use braid_syntax::ast;

/// Operators on the bits of an integer; `signed` says which type the argument has.
const BIT_OPERATORS: [(&str, Builtin, bool); 6] = [
    ("popcount", Builtin::Popcount, false),
    ("parity", Builtin::Parity, false),
    ("clz", Builtin::Clz, false),
    ("ctz", Builtin::Ctz, false),
    ("ffs", Builtin::Ffs, true),
    ("clrsb", Builtin::Clrsb, true),
];

const OVERFLOW_OPERATORS: [(&str, Builtin, Builtin); 3] = [
    ("add", Builtin::AddOverflow, Builtin::AddOverflowP),
    ("sub", Builtin::SubOverflow, Builtin::SubOverflowP),
    ("mul", Builtin::MulOverflow, Builtin::MulOverflowP),
];

const FLOAT_TESTS: [(&str, Builtin); 6] = [
    ("isnan", Builtin::IsNan),
    ("isinf_sign", Builtin::IsInfSign),
    ("isinf", Builtin::IsInf),
    ("isfinite", Builtin::IsFinite),
    ("isnormal", Builtin::IsNormal),
    ("signbit", Builtin::Signbit),
];

const FLOAT_COMPARISONS: [(&str, Builtin); 6] = [
    ("isgreater", Builtin::IsGreater),
    ("isgreaterequal", Builtin::IsGreaterEqual),
    ("isless", Builtin::IsLess),
    ("islessequal", Builtin::IsLessEqual),
    ("islessgreater", Builtin::IsLessGreater),
    ("isunordered", Builtin::IsUnordered),
];

impl Checker<'_> {
    /// A call of a compiler operator; `None` if the name is none.
    pub fn builtin_call(&mut self, name: Symbol, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let text = name.as_str();
        if let Some(rest) = text.strip_prefix("__builtin_") {
            return self
                .builtin_control(rest, args, span)
                .or_else(|| self.builtin_integer(rest, args, span))
                .or_else(|| self.builtin_float(rest, args, span))
                .or_else(|| self.builtin_query(rest, args, span));
        }
        if let Some(rest) = text.strip_prefix("__atomic_") {
            return self.atomic_call(rest, args, span);
        }
        text.strip_prefix("__sync_").and_then(|rest| self.sync_call(rest, args, span))
    }

    pub fn builtin_node(&self, op: Builtin, args: Vec<Expr>, ty: TypeId, span: Span) -> Expr {
        node(ExprKind::Builtin { op, args }, ty, span)
    }

    /// The arguments as values, if there are as many as expected.
    pub fn builtin_values(&mut self, args: &[ast::Expr], count: usize, span: Span) -> Option<Vec<Expr>> {
        if args.len() != count {
            let text = format!("wrong number of arguments: {} given, {count} expected", args.len());
            self.error("argument-count", span, text);
            return None;
        }
        let values: Vec<Expr> = args.iter().map(|arg| self.rvalue(arg)).collect();
        let fine = values.iter().all(|v| !self.types.is_error(v.ty.ty));
        fine.then_some(values)
    }

    /// Converts a value for a builtin's parameter of arithmetic type.
    fn number(&mut self, value: Expr, ty: TypeId) -> Expr {
        let is_number = self.types.is_arithmetic(value.ty.ty);
        if is_number || self.types.is_scalar(value.ty.ty) && !self.types.is_float(ty) {
            return self.convert(value, ty);
        }
        let span = value.span;
        if self.types.is_unsupported(value.ty.ty) {
            return self.unsupported("an operator on an unsupported type".to_owned(), ty, span);
        }
        let shown = self.show(value.ty.ty);
        self.error("bad-operand", span, format!("expected a number, found '{shown}'"));
        self.error_expr(span)
    }

    // Control flow, varargs, stack

    fn builtin_control(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let void = self.common.void;
        let value = match name {
            "unreachable" => self.builtin_node(Builtin::Unreachable, Vec::new(), void, span),
            "trap" => self.builtin_node(Builtin::Trap, Vec::new(), void, span),
            "va_start" | "c23_va_start" => self.va_start(args, span),
            "va_end" => match args {
                [list] => {
                    let list = self.va_list_pointer(list);
                    self.builtin_node(Builtin::VaEnd, vec![list], void, span)
                }
                _ => self.wrong_count(args, 1, span),
            },
            "va_copy" => match args {
                [to, from] => {
                    let lists = vec![self.va_list_pointer(to), self.va_list_pointer(from)];
                    self.builtin_node(Builtin::VaCopy, lists, void, span)
                }
                _ => self.wrong_count(args, 2, span),
            },
            "alloca" | "alloca_with_align" => match args {
                [size, ..] => {
                    let size = self.rvalue(size);
                    let size = self.number(size, self.common.size);
                    self.builtin_node(Builtin::Alloca, vec![size], self.common.void_ptr, span)
                }
                [] => self.wrong_count(args, 1, span),
            },
            "frame_address" | "return_address" => {
                let _ = self.builtin_values(args, 1, span);
                self.builtin_node(Builtin::FrameAddress, Vec::new(), self.common.void_ptr, span)
            }
            // Hints and fences of the processor: nothing under sequential consistency.
            "ia32_pause" | "ia32_mfence" | "ia32_lfence" | "ia32_sfence" | "arm_yield" | "aarch64_yield" => {
                match args {
                    [] => {
                        let nothing = self.int_value(0, span);
                        self.discard(nothing)
                    }
                    _ => self.wrong_count(args, 0, span),
                }
            }
            "prefetch" => match args {
                [address, ..] => {
                    let address = self.rvalue(address);
                    self.cast_value(address, QualType::plain(void), span)
                }
                [] => self.wrong_count(args, 1, span),
            },
            _ => return None,
        };
        Some(value)
    }

    fn wrong_count(&mut self, args: &[ast::Expr], count: usize, span: Span) -> Expr {
        let _ = self.builtin_values(args, count, span);
        self.error_expr(span)
    }

    fn va_start(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        let Some(list) = args.first() else { return self.wrong_count(args, 2, span) };
        if !self.func.as_ref().is_some_and(|f| f.variadic) {
            self.error("va-start", span, "'va_start' in a function that takes no variable arguments");
        }
        let list = self.va_list_pointer(list);
        self.builtin_node(Builtin::VaStart, vec![list], self.common.void, span)
    }

    // Integers

    fn builtin_integer(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        for (base, op, signed) in BIT_OPERATORS {
            let Some(suffix) = name.strip_prefix(base) else { continue };
            let Some(ty) = self.suffixed_int(suffix, signed) else { continue };
            let Some(values) = self.builtin_values(args, 1, span) else { return Some(self.error_expr(span)) };
            let values = values.into_iter().map(|v| self.number(v, ty)).collect();
            return Some(self.builtin_node(op, values, self.common.int, span));
        }
        for (base, op, predicate) in OVERFLOW_OPERATORS {
            if name == format!("{base}_overflow") {
                return Some(self.overflow(op, None, args, span));
            }
            if name == format!("{base}_overflow_p") {
                return Some(self.overflow(predicate, None, args, span));
            }
            for (sign, signed) in [("s", true), ("u", false)] {
                let Some(suffix) = name.strip_prefix(sign).and_then(|rest| rest.strip_prefix(base)) else {
                    continue;
                };
                let Some(suffix) = suffix.strip_suffix("_overflow") else { continue };
                let Some(ty) = self.suffixed_int(suffix, signed) else { continue };
                return Some(self.overflow(op, Some(ty), args, span));
            }
        }
        let bits = match name {
            "bswap16" => crate::types::IntKind::UShort,
            "bswap32" => crate::types::IntKind::UInt,
            "bswap64" if self.types.bits(self.common.ulong) == 64 => crate::types::IntKind::ULong,
            "bswap64" => crate::types::IntKind::ULongLong,
            "bswap128" => crate::types::IntKind::UInt128,
            _ => return None,
        };
        let ty = self.types.int(bits);
        let Some(values) = self.builtin_values(args, 1, span) else { return Some(self.error_expr(span)) };
        let values = values.into_iter().map(|v| self.number(v, ty)).collect();
        Some(self.builtin_node(Builtin::Bswap, values, ty, span))
    }

    fn suffixed_int(&self, suffix: &str, signed: bool) -> Option<TypeId> {
        let common = &self.common;
        match (suffix, signed) {
            ("", true) => Some(common.int),
            ("", false) => Some(common.uint),
            ("l", true) => Some(common.long),
            ("l", false) => Some(common.ulong),
            ("ll", true) => Some(common.longlong),
            ("ll", false) => Some(common.ulonglong),
            _ => None,
        }
    }

    fn overflow(&mut self, op: Builtin, ty: Option<TypeId>, args: &[ast::Expr], span: Span) -> Expr {
        let Some(mut values) = self.builtin_values(args, 3, span) else { return self.error_expr(span) };
        let third = values[2].ty.ty;
        let stores = matches!(op, Builtin::AddOverflow | Builtin::SubOverflow | Builtin::MulOverflow);
        let result = if stores { self.types.pointee(third).map(|to| to.ty) } else { Some(third) };
        let integers = values[..2].iter().all(|v| self.types.is_integer(v.ty.ty))
            && result.is_some_and(|ty| self.types.is_integer(ty));
        if !integers {
            self.error("bad-operand", span, "this operator takes integers and a pointer to an integer");
            return self.error_expr(span);
        }
        if let Some(ty) = ty {
            let third = values.pop();
            values = values.into_iter().map(|v| self.convert(v, ty)).collect();
            values.extend(third);
        }
        self.builtin_node(op, values, self.common.bool, span)
    }

    // Floating point

    fn builtin_float(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        for (base, op) in FLOAT_TESTS {
            let Some(suffix) = name.strip_prefix(base) else { continue };
            if suffix.is_empty() || suffix == "f" || suffix == "l" {
                let ty = if suffix.is_empty() { None } else { self.suffixed_float(suffix) };
                return Some(self.float_operator(op, args, 1, ty, Some(self.common.int), span));
            }
        }
        for (base, op) in FLOAT_COMPARISONS {
            if name == base {
                return Some(self.float_operator(op, args, 2, None, Some(self.common.int), span));
            }
        }
        for (base, op, count) in [("fabs", Builtin::Fabs, 1), ("copysign", Builtin::Copysign, 2)] {
            let Some(ty) = name.strip_prefix(base).and_then(|suffix| self.suffixed_float(suffix)) else {
                continue;
            };
            return Some(self.float_operator(op, args, count, Some(ty), Some(ty), span));
        }
        for (base, value) in
            [("inf", f64::INFINITY), ("huge_val", f64::INFINITY), ("nans", f64::NAN), ("nan", f64::NAN)]
        {
            let Some(ty) = name.strip_prefix(base).and_then(|suffix| self.suffixed_float(suffix)) else {
                continue;
            };
            return Some(node(ExprKind::Float(value), ty, span));
        }
        if name == "fpclassify" {
            let Some(mut values) = self.builtin_values(args, 6, span) else {
                return Some(self.error_expr(span));
            };
            let number = values.pop();
            let mut out: Vec<Expr> = values.into_iter().map(|v| self.number(v, self.common.int)).collect();
            out.extend(number.map(|v| self.floating(v)));
            return Some(self.builtin_node(Builtin::FpClassify, out, self.common.int, span));
        }
        None
    }

    fn suffixed_float(&self, suffix: &str) -> Option<TypeId> {
        match suffix {
            "" => Some(self.common.double),
            "f" => Some(self.common.float),
            "l" => Some(self.common.long_double),
            _ => None,
        }
    }

    /// An argument as a floating number of its own type; integers become `double`.
    fn floating(&mut self, value: Expr) -> Expr {
        if self.types.is_float(value.ty.ty) { value } else { self.number(value, self.common.double) }
    }

    fn float_operator(
        &mut self,
        op: Builtin,
        args: &[ast::Expr],
        count: usize,
        ty: Option<TypeId>,
        result: Option<TypeId>,
        span: Span,
    ) -> Expr {
        let Some(values) = self.builtin_values(args, count, span) else { return self.error_expr(span) };
        let mut values: Vec<Expr> = values.into_iter().map(|v| self.floating(v)).collect();
        if values.iter().any(|v| self.types.is_error(v.ty.ty)) {
            return self.error_expr(span);
        }
        let own = values.iter().map(|v| v.ty.ty).reduce(|a, b| self.common_type(a, b));
        if let Some(ty) = ty.or(own) {
            values = values.into_iter().map(|v| self.convert(v, ty)).collect();
        }
        self.builtin_node(op, values, result.unwrap_or(self.common.int), span)
    }

    // Questions to the compiler

    fn builtin_query(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let value = match name {
            "expect" | "expect_with_probability" => self.expect(args, span),
            "constant_p" => match args {
                [e] => {
                    let constant = self.is_constant(e);
                    self.int_value(i64::from(constant), span)
                }
                _ => self.wrong_count(args, 1, span),
            },
            "object_size" | "dynamic_object_size" => self.object_size(args, span),
            "assume_aligned" => match args {
                [pointer, ..] => {
                    let pointer = self.rvalue(pointer);
                    self.cast_value(pointer, QualType::plain(self.common.void_ptr), span)
                }
                [] => self.wrong_count(args, 2, span),
            },
            "classify_type" => match args {
                [e] => {
                    let class = self.type_class(e);
                    self.int_value(class, span)
                }
                _ => self.wrong_count(args, 1, span),
            },
            "LINE" => {
                let line = self.sources.place(span.lo).map_or(0, |place| i64::from(place.line));
                self.int_value(line, span)
            }
            "FILE" | "FUNCTION" => {
                let file =
                    || self.sources.place(span.lo).map_or(String::new(), |place| place.file.to_string());
                let own = self.func.as_ref().map_or(String::new(), |f| f.name.to_string());
                let text = if name == "FILE" { file() } else { own };
                let units = text.bytes().map(u32::from).collect();
                let lit = ast::StrLit { units, encoding: ast::Encoding::Plain };
                self.string_literal(&lit, None, span)
            }
            "complex" => {
                let ty = self.basic_type(ast::BasicType::Complex);
                self.unsupported("a complex number".to_owned(), ty, span)
            }
            "tgmath" => self.tgmath(args, span),
            _ => return None,
        };
        Some(value)
    }

    fn expect(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        let [value, hints @ ..] = args else { return self.wrong_count(args, 2, span) };
        let value = self.rvalue(value);
        let value = self.number(value, self.common.long);
        for hint in hints {
            // The hint is a constant in all real code, so nothing is lost by not running it.
            let _ = self.unevaluated_expr(hint);
        }
        Expr { span, ..value }
    }

    fn is_constant(&mut self, e: &ast::Expr) -> bool {
        self.unevaluated += 1;
        let value = self.rvalue(e);
        self.unevaluated -= 1;
        match self.eval(&value) {
            Ok(Const::Int(_) | Const::Float(_)) => true,
            // The address of a string literal counts, that of a variable does not.
            Ok(Const::Addr { target, .. }) => self.entities[target].name.as_str().is_empty(),
            Err(_) => false,
        }
    }

    /// Nothing is known about sizes: the answers GCC gives without optimisation.
    fn object_size(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        let [object, kind] = args else { return self.wrong_count(args, 2, span) };
        let _ = self.unevaluated_expr(object);
        let kind = self.rvalue(kind);
        let kind = self.require_int(&kind, "kind of object size").unwrap_or(0);
        let value = if kind & 2 == 0 { u128::MAX } else { 0 };
        int_const(self.types.wrap(self.common.size, value), self.common.size, span)
    }

    fn type_class(&mut self, e: &ast::Expr) -> i64 {
        self.unevaluated += 1;
        let value = self.rvalue(e);
        self.unevaluated -= 1;
        let ty = value.ty.ty;
        if self.types.is_integer(ty) {
            1
        } else if self.types.is_pointer(ty) {
            5
        } else if self.types.is_float(ty) {
            8
        } else if self.types.is_record(ty) {
            12
        } else {
            0
        }
    }

    /// `__builtin_tgmath(functions…, arguments…)`: the function whose result has the arguments'
    /// common type.
    fn tgmath(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        let functions: Vec<Expr> = args.iter().map(|arg| self.unevaluated_expr(arg)).collect();
        let arity = functions.first().and_then(|f| self.types.callee_type(f.ty.ty)).map(|f| f.params.len());
        let Some(split) = arity.and_then(|n| args.len().checked_sub(n)) else {
            self.error("bad-operand", span, "'__builtin_tgmath' takes functions and their arguments");
            return self.error_expr(span);
        };
        let mut common = None;
        for value in &functions[split..] {
            let ty = if self.types.is_float(value.ty.ty) { value.ty.ty } else { self.common.double };
            common = Some(common.map_or(ty, |c| self.common_type(c, ty)));
        }
        let common = common.unwrap_or(self.common.double);
        let chosen = functions[..split].iter().position(|f| {
            self.types.callee_type(f.ty.ty).is_some_and(|f| f.params.iter().any(|p| p.ty == common))
        });
        let Some(chosen) = chosen else {
            let shown = self.show(common);
            return self.unsupported(format!("a type-generic function on type {shown}"), common, span);
        };
        let callee = self.rvalue(&args[chosen]);
        let Some(fn_ty) = self.types.callee_type(callee.ty.ty).cloned() else { return self.error_expr(span) };
        let values = self.arguments(&fn_ty, None, &args[split..], span);
        let callee = match callee.kind {
            ExprKind::AddrOf(function) => match function.kind {
                ExprKind::Entity(id) => crate::hir::Callee::Direct(id),
                kind => crate::hir::Callee::Pointer(Box::new(Expr { kind, ..*function })),
            },
            _ => crate::hir::Callee::Pointer(Box::new(callee)),
        };
        self.call_result(callee, values, &fn_ty, span)
    }

    /// Discards a value but keeps its evaluation.
    pub fn discard(&self, value: Expr) -> Expr {
        if self.types.is_void(value.ty.ty) {
            return value;
        }
        let span = value.span;
        node(ExprKind::Cast { kind: CastKind::ToVoid, operand: Box::new(value) }, self.common.void, span)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_f, check_messages};
    use expect_test::expect;

    #[test]
    fn operators_of_the_compiler() {
        check_f(
            "int puts(const char *);\n\
             void f(unsigned u, long l, int *r, double d, float x, ...) {\n\
             __builtin_va_list ap; __builtin_va_start(ap, x); __builtin_va_arg(ap, int); __builtin_va_end(ap);\n\
             __builtin_clzll(u); __builtin_bswap16(u); __builtin_add_overflow(u, l, r); __builtin_smull_overflow(1, 2, &l);\n\
             __builtin_expect(u, 1); __builtin_constant_p(u) + __builtin_constant_p(3); __builtin_isnan(x); __builtin_isless(x, d);\n\
             __builtin_nanf(\"\"); __builtin_object_size(r, 0); __builtin_alloca(u); __builtin_unreachable(); __builtin_puts(\"x\");\n\
             __builtin_offsetof(struct { int a; int b[4]; }, b[u]); __builtin_mul_overflow_p(u, l, (char)0); __builtin_copysign(x, 1);\n\
             }\n",
            expect![[r#"
                {ap
                  decl ap: struct __va_list_tag [1]
                  (VaStart (decay ap))
                  (va_arg int (decay ap))
                  (VaEnd (decay ap))
                  (Clz (Int:unsigned long long (ld u)))
                  (Bswap (Int:unsigned short (ld u)))
                  (AddOverflow (ld u) (ld l) (ld r))
                  (MulOverflow 1:long 2:long (& l))
                  (Int:long (ld u))
                  (+ 0 1)
                  (IsNan (ld x))
                  (IsLess (Float:double (ld x)) (ld d))
                  NaN:float
                  18446744073709551615:unsigned long
                  (Alloca (Int:unsigned long (ld u)))
                  (Unreachable)
                  (call puts (Ptr:const char * (decay "x\0")))
                  (+ 4:unsigned long (* (Int:unsigned long (ld u)) 4:unsigned long))
                  (MulOverflowP (ld u) (ld l) 0:char)
                  (Copysign (Float:double (ld x)) 1.0:double)
                }
            "#]],
        );
    }

    #[test]
    fn misuse_is_reported() {
        check_messages(
            "void f(int x) { __builtin_va_list ap; __builtin_va_start(ap, x); __builtin_clz(); __builtin_add_overflow(1.0, 2, &x);\n\
             __builtin_mystery(1); __builtin_choose_expr(x, 1, 2); }\n",
            expect![[r#"
                t.c:1:39: error: 'va_start' in a function that takes no variable arguments [va-start]
                t.c:1:66: error: wrong number of arguments: 0 given, 1 expected [argument-count]
                t.c:1:83: error: this operator takes integers and a pointer to an integer [bad-operand]
                t.c:2:1: warning: '__builtin_mystery' stands for 'mystery', which is not declared; 'int mystery()' is assumed [implicit-function]
                t.c:2:45: error: condition of '__builtin_choose_expr' is not an integer constant [not-constant]
            "#]],
        );
    }
}
