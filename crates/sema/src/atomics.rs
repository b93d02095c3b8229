//! `__atomic_*` and `__sync_*`.
//!
//! The generic forms that pass values through pointers become ordinary loads and stores around the
//! operator: `__atomic_load(p, r, o)` is `*r = load(p, o)`. Names with a size (`__atomic_load_8`) are
//! taken as the form without it. Memory orders stay expressions; `__sync_*` get constants.

use crate::assignable::Purpose;
use crate::check::{Checker, node};
use crate::hir::{Builtin, Expr, ExprKind, RmwOp};
use crate::types::{IntKind, QualType, TypeId};
use braid_base::Span;
use braid_syntax::ast;

/// GCC's numbers for memory orders.
const ACQUIRE: i64 = 2;
const RELEASE: i64 = 3;
const SEQ_CST: i64 = 5;

const RMW: [(&str, RmwOp); 10] = [
    ("add", RmwOp::Add),
    ("sub", RmwOp::Sub),
    ("and", RmwOp::And),
    ("or", RmwOp::Or),
    ("xor", RmwOp::Xor),
    ("nand", RmwOp::Nand),
    ("min", RmwOp::Min),
    ("umin", RmwOp::UMin),
    ("max", RmwOp::Max),
    ("umax", RmwOp::UMax),
];

/// `fetch_add`: the old value; `add_fetch`: the new one. `joint` stands between the words.
fn rmw(name: &str, joint: &str) -> Option<Builtin> {
    RMW.iter().find_map(|(word, op)| {
        if name == format!("fetch_{joint}{word}") {
            Some(Builtin::AtomicRmw { op: *op, fetch_after: false })
        } else if name == format!("{word}_{joint}fetch") {
            Some(Builtin::AtomicRmw { op: *op, fetch_after: true })
        } else {
            None
        }
    })
}

/// Drops the size from names such as `fetch_add_4`.
fn without_size(name: &str) -> &str {
    for size in ["_16", "_1", "_2", "_4", "_8"] {
        if let Some(base) = name.strip_suffix(size) {
            return base;
        }
    }
    name
}

/// Arguments of a generic form: pointer, type of the access, the rest; or what to yield instead.
enum Generic {
    Right(Expr, TypeId, Vec<Expr>),
    Wrong(Expr),
}

impl Checker<'_> {
    pub fn atomic_call(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let sized = without_size(name);
        if let Some(op) = rmw(sized, "") {
            return Some(self.atomic_rmw(op, args, span));
        }
        // `__atomic_load_8(p, o)` has the shape of `__atomic_load_n`.
        let name = if sized == name { name } else { sized_form(sized) };
        let value = match name {
            "load_n" => self.atomic_load_n(args, span),
            "load" => self.atomic_load(args, span),
            "store_n" => self.atomic_store_n(args, span),
            "store" => self.atomic_store(args, span),
            "exchange_n" => self.atomic_exchange_n(args, span),
            "exchange" => self.atomic_exchange(args, span),
            "compare_exchange_n" => self.compare_exchange(args, false, span),
            "compare_exchange" => self.compare_exchange(args, true, span),
            "test_and_set" => self.test_and_set(args, span),
            "clear" => self.atomic_clear(args, span),
            "thread_fence" => {
                let Some(values) = self.builtin_values(args, 1, span) else {
                    return Some(self.error_expr(span));
                };
                let values = values.into_iter().map(|v| self.order(v)).collect();
                self.builtin_node(Builtin::Fence, values, self.common.void, span)
            }
            "signal_fence" => match self.builtin_values(args, 1, span).and_then(|mut v| v.pop()) {
                Some(order) => self.discard(order),
                None => self.error_expr(span),
            },
            "is_lock_free" | "always_lock_free" => self.lock_free(args, span),
            _ => return None,
        };
        Some(value)
    }

    pub fn sync_call(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let name = without_size(name);
        let order = |this: &Self, order| this.int_value(order, span);
        if let Some(op) = rmw(name, "and_") {
            let Some((pointer, ty, mut values)) = self.atomic_args(args, 2, true, span) else {
                return Some(self.error_expr(span));
            };
            let value = values.remove(0);
            let value = self.rmw_operand(value, ty);
            let order = order(self, SEQ_CST);
            return Some(self.builtin_node(op, vec![pointer, value, order], ty, span));
        }
        let value = match name {
            "synchronize" => {
                let order = order(self, SEQ_CST);
                self.builtin_node(Builtin::Fence, vec![order], self.common.void, span)
            }
            "lock_test_and_set" => match self.atomic_args(args, 2, true, span) {
                Some((pointer, ty, mut values)) => {
                    let value = values.remove(0);
                    let value = self.atomic_value(value, ty, span);
                    let order = order(self, ACQUIRE);
                    self.builtin_node(Builtin::AtomicExchange, vec![pointer, value, order], ty, span)
                }
                None => self.error_expr(span),
            },
            "lock_release" => match self.atomic_args(args, 1, true, span) {
                Some((pointer, ty, _)) => {
                    let zero = self.int_value(0, span);
                    let zero = self.convert(zero, ty);
                    let order = order(self, RELEASE);
                    self.builtin_node(
                        Builtin::AtomicStore,
                        vec![pointer, zero, order],
                        self.common.void,
                        span,
                    )
                }
                None => self.error_expr(span),
            },
            "bool_compare_and_swap" => self.sync_swap(args, true, span),
            "val_compare_and_swap" => self.sync_swap(args, false, span),
            _ => return None,
        };
        Some(value)
    }

    fn sync_swap(&mut self, args: &[ast::Expr], returns_bool: bool, span: Span) -> Expr {
        let Some((pointer, ty, values)) = self.atomic_args(args, 3, true, span) else {
            return self.error_expr(span);
        };
        let mut all = vec![pointer];
        for value in values {
            all.push(self.atomic_value(value, ty, span));
        }
        let result = if returns_bool { self.common.bool } else { ty };
        self.builtin_node(Builtin::SyncCompareSwap { returns_bool }, all, result, span)
    }

    // Arguments

    /// The pointer, the type it points to, and the other arguments. `loose`: more arguments than
    /// expected are allowed (`__sync_*` takes a list of protected variables).
    fn atomic_args(
        &mut self,
        args: &[ast::Expr],
        count: usize,
        loose: bool,
        span: Span,
    ) -> Option<(Expr, TypeId, Vec<Expr>)> {
        let args = if loose && args.len() > count { &args[..count] } else { args };
        let mut values = self.builtin_values(args, count, span)?;
        let pointer = values.remove(0);
        let to = self.types.pointee(pointer.ty.ty);
        match to {
            Some(to) if self.types.is_scalar(to.ty) || self.types.is_record(to.ty) => {
                Some((pointer, to.ty, values))
            }
            _ => {
                let shown = self.show(pointer.ty.ty);
                let text =
                    format!("an atomic operation needs a pointer to a number or pointer, not '{shown}'");
                self.error("bad-operand", pointer.span, text);
                None
            }
        }
    }

    fn atomic_value(&mut self, value: Expr, ty: TypeId, span: Span) -> Expr {
        self.assign_convert(value, QualType::plain(ty), Purpose::Assign, span)
    }

    /// The operand of arithmetic; on pointers it counts bytes.
    fn rmw_operand(&mut self, value: Expr, ty: TypeId) -> Expr {
        let to = if self.types.is_pointer(ty) { self.common.intptr } else { ty };
        let span = value.span;
        self.cast_value(value, QualType::plain(to), span)
    }

    fn order(&mut self, value: Expr) -> Expr {
        let span = value.span;
        self.cast_value(value, QualType::plain(self.common.int), span)
    }

    /// `*pointer` for the pointers that carry values in the generic forms.
    fn through(&mut self, pointer: Expr, span: Span) -> Expr {
        let place = self.deref(pointer, span);
        if self.types.is_error(place.ty.ty) { self.error_expr(span) } else { place }
    }

    /// Records of a machine word's size are accessed as the integer of that size; the pointer is
    /// turned into one to that integer. Records of other sizes stay what they are.
    fn as_word(&mut self, pointer: Expr, ty: TypeId, span: Span) -> (Expr, TypeId) {
        if !self.types.is_record(ty) {
            return (pointer, ty);
        }
        let kind = match self.types.layout(ty).map(|l| l.size) {
            Some(1) => IntKind::UChar,
            Some(2) => IntKind::UShort,
            Some(4) => IntKind::UInt,
            Some(8) => IntKind::ULongLong,
            Some(16) => IntKind::UInt128,
            _ => return (pointer, ty),
        };
        let word = self.types.int(kind);
        (self.word_pointer(pointer, word, span), word)
    }

    fn word_pointer(&mut self, pointer: Expr, word: TypeId, span: Span) -> Expr {
        let to = self.types.pointer_to(QualType::plain(word));
        self.cast_value(pointer, QualType::plain(to), span)
    }

    /// The pointers of a generic form, all as pointers to the word if the object is a record.
    fn generic_args(&mut self, args: &[ast::Expr], count: usize, pointers: usize, span: Span) -> Generic {
        let Some((pointer, ty, values)) = self.atomic_args(args, count, false, span) else {
            return Generic::Wrong(self.error_expr(span));
        };
        let (pointer, word) = self.as_word(pointer, ty, span);
        let mut list = Vec::with_capacity(values.len());
        for (i, value) in values.into_iter().enumerate() {
            let through = word != ty && i < pointers;
            list.push(if through { self.word_pointer(value, word, span) } else { value });
        }
        Generic::Right(pointer, word, list)
    }

    fn store_through(&mut self, pointer: Expr, value: Expr, span: Span) -> Expr {
        let place = self.through(pointer, span);
        let value = self.atomic_value(value, place.ty.ty, span);
        let ty = place.ty.ty;
        let store = node(ExprKind::Assign { lhs: Box::new(place), rhs: Box::new(value) }, ty, span);
        self.discard(store)
    }

    // Operations

    fn atomic_load_n(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        let Some((pointer, ty, mut values)) = self.atomic_args(args, 2, false, span) else {
            return self.error_expr(span);
        };
        let order = values.remove(0);
        let order = self.order(order);
        self.builtin_node(Builtin::AtomicLoad, vec![pointer, order], ty, span)
    }

    fn atomic_load(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        let (pointer, ty, mut values) = match self.generic_args(args, 3, 1, span) {
            Generic::Right(pointer, ty, values) => (pointer, ty, values),
            Generic::Wrong(e) => return e,
        };
        let result = values.remove(0);
        let order = values.remove(0);
        let order = self.order(order);
        let load = self.builtin_node(Builtin::AtomicLoad, vec![pointer, order], ty, span);
        self.store_through(result, load, span)
    }

    fn atomic_store_n(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        let Some((pointer, ty, mut values)) = self.atomic_args(args, 3, false, span) else {
            return self.error_expr(span);
        };
        let value = values.remove(0);
        let value = self.atomic_value(value, ty, span);
        let order = values.remove(0);
        let order = self.order(order);
        self.builtin_node(Builtin::AtomicStore, vec![pointer, value, order], self.common.void, span)
    }

    fn atomic_store(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        let (pointer, ty, mut values) = match self.generic_args(args, 3, 1, span) {
            Generic::Right(pointer, ty, values) => (pointer, ty, values),
            Generic::Wrong(e) => return e,
        };
        let value = values.remove(0);
        let value = self.through(value, span);
        let value = self.value_of(value);
        let value = self.atomic_value(value, ty, span);
        let order = values.remove(0);
        let order = self.order(order);
        self.builtin_node(Builtin::AtomicStore, vec![pointer, value, order], self.common.void, span)
    }

    fn atomic_exchange_n(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        let Some((pointer, ty, mut values)) = self.atomic_args(args, 3, false, span) else {
            return self.error_expr(span);
        };
        let value = values.remove(0);
        let value = self.atomic_value(value, ty, span);
        let order = values.remove(0);
        let order = self.order(order);
        self.builtin_node(Builtin::AtomicExchange, vec![pointer, value, order], ty, span)
    }

    fn atomic_exchange(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        let (pointer, ty, mut values) = match self.generic_args(args, 4, 2, span) {
            Generic::Right(pointer, ty, values) => (pointer, ty, values),
            Generic::Wrong(e) => return e,
        };
        let value = values.remove(0);
        let value = self.through(value, span);
        let value = self.value_of(value);
        let value = self.atomic_value(value, ty, span);
        let result = values.remove(0);
        let order = values.remove(0);
        let order = self.order(order);
        let old = self.builtin_node(Builtin::AtomicExchange, vec![pointer, value, order], ty, span);
        self.store_through(result, old, span)
    }

    fn atomic_rmw(&mut self, op: Builtin, args: &[ast::Expr], span: Span) -> Expr {
        let Some((pointer, ty, mut values)) = self.atomic_args(args, 3, false, span) else {
            return self.error_expr(span);
        };
        if !self.types.is_integer(ty) && !self.types.is_pointer(ty) {
            let shown = self.show(ty);
            self.error("bad-operand", span, format!("atomic arithmetic does not take type '{shown}'"));
            return self.error_expr(span);
        }
        let op = if self.types.is_signed_type(ty) { op } else { unsigned_form(op) };
        let value = values.remove(0);
        let value = self.rmw_operand(value, ty);
        let order = values.remove(0);
        let order = self.order(order);
        self.builtin_node(op, vec![pointer, value, order], ty, span)
    }

    /// `(ptr, expected, desired, weak, success, failure)`; `by_pointer`: `desired` is a pointer.
    fn compare_exchange(&mut self, args: &[ast::Expr], by_pointer: bool, span: Span) -> Expr {
        let (pointer, ty, mut values) = match self.generic_args(args, 6, 2, span) {
            Generic::Right(pointer, ty, values) => (pointer, ty, values),
            Generic::Wrong(e) => return Expr { ty: QualType::plain(self.common.bool), ..e },
        };
        let expected = values.remove(0);
        if !self.types.is_pointer(expected.ty.ty) {
            self.error("bad-operand", expected.span, "the expected value is passed by pointer");
            return self.error_expr(span);
        }
        let mut desired = values.remove(0);
        if by_pointer {
            desired = self.through(desired, span);
            desired = self.value_of(desired);
        }
        let desired = self.atomic_value(desired, ty, span);
        // GCC takes a weakness that is not constant for strong.
        let weak = values.remove(0);
        let weak = self.eval_int(&weak).is_some_and(|w| w != 0);
        let mut all = vec![pointer, expected, desired];
        for order in values {
            all.push(self.order(order));
        }
        self.builtin_node(Builtin::AtomicCompareExchange { weak }, all, self.common.bool, span)
    }

    /// Test-and-set works on one byte, whatever the pointer says.
    fn byte_pointer(&mut self, pointer: Expr, span: Span) -> Expr {
        let byte = self.types.pointer_to(QualType::plain(self.common.uchar));
        self.cast_value(pointer, QualType::plain(byte), span)
    }

    fn test_and_set(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        let Some(mut values) = self.builtin_values(args, 2, span) else { return self.error_expr(span) };
        let (pointer, order) = (values.remove(0), values.remove(0));
        let pointer = self.byte_pointer(pointer, span);
        let one = self.int_value(1, span);
        let one = self.convert(one, self.common.uchar);
        let order = self.order(order);
        let old =
            self.builtin_node(Builtin::AtomicExchange, vec![pointer, one, order], self.common.uchar, span);
        self.convert(old, self.common.bool)
    }

    fn atomic_clear(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        let Some(mut values) = self.builtin_values(args, 2, span) else { return self.error_expr(span) };
        let (pointer, order) = (values.remove(0), values.remove(0));
        let pointer = self.byte_pointer(pointer, span);
        let zero = self.int_value(0, span);
        let zero = self.convert(zero, self.common.uchar);
        let order = self.order(order);
        self.builtin_node(Builtin::AtomicStore, vec![pointer, zero, order], self.common.void, span)
    }

    fn lock_free(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        let Some(values) = self.builtin_values(args, 2, span) else { return self.error_expr(span) };
        let size = self.eval_int(&values[0]);
        let free = size.is_some_and(|s| matches!(s, 1 | 2 | 4 | 8));
        let answer = self.int_value(i64::from(free), span);
        self.convert(answer, self.common.bool)
    }
}

/// Maximum and minimum of the `__atomic` family go by the object's type.
fn unsigned_form(op: Builtin) -> Builtin {
    match op {
        Builtin::AtomicRmw { op: RmwOp::Min, fetch_after } => {
            Builtin::AtomicRmw { op: RmwOp::UMin, fetch_after }
        }
        Builtin::AtomicRmw { op: RmwOp::Max, fetch_after } => {
            Builtin::AtomicRmw { op: RmwOp::UMax, fetch_after }
        }
        other => other,
    }
}

fn sized_form(name: &str) -> &str {
    match name {
        "load" => "load_n",
        "store" => "store_n",
        "exchange" => "exchange_n",
        "compare_exchange" => "compare_exchange_n",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_f;
    use expect_test::expect;

    #[test]
    fn atomic_families() {
        check_f(
            "struct pair { int a, b; };\n\
             void f(int *p, int **q, int v, struct pair *s, struct pair *t) {\n\
             __atomic_load_n(p, 0); __atomic_load(p, &v, 5); __atomic_store(p, &v, 3); __atomic_exchange(p, &v, p, 4);\n\
             __atomic_fetch_add(p, 1L, 5); __atomic_sub_fetch(q, v, 5); __atomic_compare_exchange_n(p, &v, 2, 1, 5, 0);\n\
             __atomic_compare_exchange(s, t, t, 0, 5, 5); __atomic_load(s, t, 5); __atomic_test_and_set(p, 2); __atomic_clear(p, 3);\n\
             __sync_fetch_and_or(p, 1); __sync_bool_compare_and_swap(p, 1, 2); __sync_lock_test_and_set(q, 0); __sync_lock_release(p);\n\
             __sync_synchronize(); __atomic_thread_fence(5); __atomic_signal_fence(5); __atomic_is_lock_free(4, p); __atomic_fetch_add_8(p, 1, 5);\n\
             }\n",
            expect![[r#"
                {
                  (AtomicLoad (ld p) 0)
                  (ToVoid:void (= (* (& v)) (AtomicLoad (ld p) 5)))
                  (AtomicStore (ld p) (ld (* (& v))) 3)
                  (ToVoid:void (= (* (ld p)) (AtomicExchange (ld p) (ld (* (& v))) 4)))
                  (AtomicRmw { op: Add, fetch_after: false } (ld p) 1 5)
                  (AtomicRmw { op: Sub, fetch_after: true } (ld q) (Int:long (ld v)) 5)
                  (AtomicCompareExchange { weak: true } (ld p) (& v) 2 5 0)
                  (AtomicCompareExchange { weak: false } (Ptr:unsigned long long * (ld s)) (Ptr:unsigned long long * (ld t)) (ld (* (Ptr:unsigned long long * (ld t)))) 5 5)
                  (ToVoid:void (= (* (Ptr:unsigned long long * (ld t))) (AtomicLoad (Ptr:unsigned long long * (ld s)) 5)))
                  (ToBool:_Bool (AtomicExchange (Ptr:unsigned char * (ld p)) 1:unsigned char 2))
                  (AtomicStore (Ptr:unsigned char * (ld p)) 0:unsigned char 3)
                  (AtomicRmw { op: Or, fetch_after: false } (ld p) 1 5)
                  (SyncCompareSwap { returns_bool: true } (ld p) 1 2)
                  (AtomicExchange (ld q) 0:int * 2)
                  (AtomicStore (ld p) 0 3)
                  (Fence 5)
                  (Fence 5)
                  (ToVoid:void 5)
                  1:_Bool
                  (AtomicRmw { op: Add, fetch_after: false } (ld p) 1 5)
                }
            "#]],
        );
    }

    #[test]
    fn atomic_objects_lose_their_qualifier_as_values() {
        check_f(
            "void f(_Atomic int *p) { __typeof__(*p) a; __auto_type b = *p; *p += 2; (*p)++; *p = *p; }\n",
            expect![[r#"
                {a b
                  decl a: int
                  decl b: int = (ld (* (ld p)))
                  (+= (* (ld p)) 2 in int New)
                  (+= (* (ld p)) 1 in int Old)
                  (= (* (ld p)) (ld (* (ld p))))
                }
            "#]],
        );
    }
}
