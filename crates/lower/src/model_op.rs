//! Library functions that are IR operations (`models::Op`): inline at the call, or as a function of
//! their own where their address is taken.
//!
//! [`Lowerer::apply`] gives each operation its meaning on evaluated arguments; what an operation wants
//! to know of the C text of the call (leaf shapes, the text of a failed assertion, the guard of a
//! section) is worked out before by [`Lowerer::model_call`].

use crate::call::CallResult;
use crate::context::{Class, Context};
use crate::func::Lowerer;
use crate::link::{Ref, Target};
use braid_base::{IndexVec, Symbol};
use braid_ir::{
    Access, AllocKind, Callee, CastOp, ChoiceKind, Expr, FuncId, Guard, Loc, MathFn, Op, Operand, Order,
    RegId, ShapeId, Space, TermKind, Ty,
};
use braid_models as models;
use braid_props::Check;
use braid_sema::hir::{self, CastKind, EntityKind, ExprKind};
use braid_sema::types::{FnType, TypeKind};

/// Accesses of the state that a model keeps under an address.
const SHADOW: Access = Access { order: Order::Plain, volatile: false, space: Space::Shadow, extent: (0, 0) };

/// A library operation and its evaluated arguments.
struct OpCall<'a> {
    op: models::Op,
    args: &'a [(Operand, Ty)],
    /// Leaves of a copy or fill.
    shape: Option<ShapeId>,
    /// The condition of a failed assertion.
    message: Option<Symbol>,
    /// What the call gives back: its class, and whether it is `_Bool`.
    ret: Class,
    ret_is_bool: bool,
    loc: Loc,
}

impl Lowerer<'_, '_, '_> {
    /// A call of a library operation in C text.
    pub fn model_call(
        &mut self,
        op: models::Op,
        expr: &hir::Expr,
        args: &[hir::Expr],
        loc: Loc,
    ) -> CallResult {
        match (op, args) {
            (models::Op::Assume, [cond]) => {
                let cond = self.truth(cond);
                self.body.emit(Op::Assume { cond }, loc);
                return self.no_result(expr);
            }
            (models::Op::Assert, [cond, rest @ ..]) => {
                let cond = Expr::Use(self.truth(cond));
                let message = rest.first().and_then(|arg| self.literal_text(arg));
                self.assertion(cond, message, loc);
                return self.no_result(expr);
            }
            (models::Op::AtomicBeginWhen, [cond]) => {
                self.begin_when(cond, loc);
                return self.no_result(expr);
            }
            (models::Op::Misuse(check), [object, text]) => {
                self.misuse(check, object, text, loc);
                return self.no_result(expr);
            }
            _ => {}
        }
        let shape = match op {
            models::Op::Copy | models::Op::Move | models::Op::Fill => self.leaves_of(args),
            _ => None,
        };
        let message = match op {
            models::Op::AssertFail { .. } => args.first().and_then(|arg| self.literal_text(arg)),
            _ => None,
        };
        let is_jump = matches!(op, models::Op::LongJump);
        if let (models::Op::SetJump, [context, ..]) = (op, args) {
            let context = self.value(context);
            let value = self.set_jump(context, loc);
            let ret = self.cx.scalar(expr.ty.ty);
            return CallResult::Scalar(self.fit(value, Ty::Int(32), ret, loc));
        }
        let kept = self.arguments(None, args);
        let values = self.body.settle_all(&kept, loc);
        let values: Vec<(Operand, Ty)> =
            values.into_iter().zip(args).map(|(value, arg)| (value, self.passed_ty(arg))).collect();
        let ret = self.cx.class(expr.ty.ty);
        let ret_is_bool = self.cx.is_bool(expr.ty.ty);
        let result = self.apply(&OpCall { op, args: &values, shape, message, ret, ret_is_bool, loc });
        if is_jump {
            self.land(loc);
        }
        result
    }

    /// An operation on arguments that come from no C text; its result is dropped.
    pub fn apply_op_to(&mut self, op: models::Op, args: &[(Operand, Ty)], loc: Loc) {
        let ret = Class::Void;
        self.apply(&OpCall { op, args, shape: None, message: None, ret, ret_is_bool: false, loc });
    }

    /// Whether a condition is false because the program does not use what it asks for (`Op::Uses`).
    pub fn asks_for_unused_feature(&mut self, cond: &hir::Expr) -> bool {
        match &cond.kind {
            ExprKind::LogAnd(lhs, rhs) => {
                self.asks_for_unused_feature(lhs) || self.asks_for_unused_feature(rhs)
            }
            ExprKind::Call { callee: hir::Callee::Direct(entity), .. } => {
                let at = Ref { unit: self.unit, entity: *entity };
                if !self.cx.linker.units[self.unit].library {
                    return false;
                }
                match self.cx.resolve(at) {
                    Target::Op(models::Op::Uses(names)) => !self.cx.user_mentions_any(names),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// A call that gives nothing back, though its declaration may say so.
    fn no_result(&mut self, expr: &hir::Expr) -> CallResult {
        match self.cx.class(expr.ty.ty) {
            Class::Scalar(ty) => CallResult::Scalar(self.cx.zero(ty)),
            Class::Void | Class::Aggregate => CallResult::Void,
        }
    }

    /// A violation of a check by what is done to an object. The text becomes part of the instruction, so the program
    /// has no object for it.
    fn misuse(&mut self, check: Check, object: &hir::Expr, text: &hir::Expr, loc: Loc) {
        let message = self.literal_text(text);
        let kept = self.arguments(None, std::slice::from_ref(object));
        let values = self.body.settle_all(&kept, loc);
        let from = self.passed_ty(object);
        let about = values.first().map(|value| self.fit(*value, from, Ty::Ptr, loc));
        let cond = Expr::Use(self.cx.int(1, 0));
        self.body.emit(Op::Assert { check, cond, message, about }, loc);
    }

    /// The condition of a blocking section becomes straight-line code of its own.
    fn begin_when(&mut self, cond: &hir::Expr, loc: Loc) {
        let block = self.body.current;
        let start = self.body.blocks[block].instrs.len();
        let cond = self.truth(cond);
        if self.body.current != block {
            return self.unsupported("control flow in the condition of an atomic section", loc);
        }
        let instrs = self.body.blocks[block].instrs.split_off(start);
        if !instrs.iter().all(|i| matches!(i.op, Op::Assign { .. } | Op::Load { .. })) {
            return self.unsupported("condition of an atomic section with side effects", loc);
        }
        let when = Some(Box::new(Guard { instrs, cond }));
        self.body.emit(Op::AtomicBegin { when }, loc);
    }

    /// The leaves of a copy or fill: the first argument's pointee type as the user wrote it, else the
    /// second's.
    fn leaves_of(&mut self, args: &[hir::Expr]) -> Option<ShapeId> {
        for arg in args.iter().take(2) {
            let TypeKind::Pointer(pointee) = *self.cx.types.kind(unconverted(arg).ty.ty) else { continue };
            if self.cx.size_of(pointee.ty) > 0 {
                return Some(self.cx.shape_of(pointee.ty));
            }
        }
        None
    }

    /// The text of a string literal argument.
    pub fn literal_text(&self, arg: &hir::Expr) -> Option<Symbol> {
        let mut at = unconverted(arg);
        if let ExprKind::Decay(inner) = &at.kind {
            at = inner;
        }
        let ExprKind::Str(entity) = at.kind else { return None };
        let EntityKind::Variable(init) = &self.cx.linker.units[self.unit].hir.entities[entity].kind else {
            return None;
        };
        let bytes = init.data.iter().find(|(offset, _)| *offset == 0).map(|(_, bytes)| bytes.as_slice());
        let text = bytes.unwrap_or_default().split(|b| *b == 0).next().unwrap_or_default();
        Some(Symbol::intern(&String::from_utf8_lossy(text)))
    }

    fn apply(&mut self, call: &OpCall<'_>) -> CallResult {
        match call.op {
            models::Op::Alloc => self.alloc(call),
            models::Op::Alloca => self.alloca_op(call),
            models::Op::Free => self.on_pointer(call, |ptr| Op::Free { kind: AllocKind::Heap, ptr }),
            models::Op::ObjectSize => self.object_size(call),
            models::Op::Copy => self.copy_bytes(call, false),
            models::Op::Move => self.copy_bytes(call, true),
            models::Op::Fill => self.fill_bytes(call),
            models::Op::Output => self.output(call),
            models::Op::Input => self.result_of(call, Ty::Int(32), |dst| Op::Input { dst }),
            models::Op::ExitProgram => {
                let code = self.arg(call, 0, Ty::Int(32));
                self.stop(call, Op::ExitProgram { code })
            }
            models::Op::Abort => self.stop(call, Op::Abort),
            models::Op::AssertFail { then } => self.assert_fail(call, then),
            models::Op::Assert => self.assert_op(call),
            // Its text is no value: it cannot come through a pointer.
            models::Op::Misuse(_) => {
                self.unsupported("misuse of an object, reported through a pointer", call.loc);
                self.nothing(call)
            }
            models::Op::Assume => self.assume_op(call),
            models::Op::Nondet(kind) => self.nondet(call, kind),
            models::Op::Math(f) => self.math(call, f),
            models::Op::Spawn => {
                let (func, arg) = (self.arg(call, 0, Ty::Ptr), self.arg(call, 1, Ty::Ptr));
                let word = self.cx.word();
                self.result_of(call, word, |dst| Op::Spawn { dst, func, arg })
            }
            models::Op::Join => {
                let word = self.cx.word();
                let handle = self.arg(call, 0, word);
                self.result_of(call, Ty::Ptr, |dst| Op::Join { dst: Some(dst), handle })
            }
            models::Op::Detach => {
                let word = self.cx.word();
                let handle = self.arg(call, 0, word);
                self.plain(call, Op::Detach { handle })
            }
            models::Op::Pair => {
                let (word, mutex) = (self.arg(call, 0, Ty::Ptr), self.arg(call, 1, Ty::Ptr));
                self.result_of(call, Ty::BOOL, |dst| Op::Pair { dst, word, mutex })
            }
            models::Op::ThreadState(ask) => {
                let word = self.cx.word();
                let handle = self.arg(call, 0, word);
                self.result_of(call, Ty::Int(32), |dst| Op::ThreadState { dst, ask, handle })
            }
            models::Op::Lock => self.on_pointer(call, |mutex| Op::Lock { mutex }),
            models::Op::TryLock => {
                let mutex = self.arg(call, 0, Ty::Ptr);
                self.result_of(call, Ty::BOOL, |dst| Op::TryLock { dst, mutex })
            }
            models::Op::Unlock => self.on_pointer(call, |mutex| Op::Unlock { mutex }),
            models::Op::AtomicBegin => self.plain(call, Op::AtomicBegin { when: None }),
            // A guard is code, not a value: it cannot come through a pointer.
            models::Op::AtomicBeginWhen => {
                self.unsupported("atomic section with a condition, called through a pointer", call.loc);
                self.nothing(call)
            }
            models::Op::AtomicEnd => self.plain(call, Op::AtomicEnd),
            models::Op::SelfHandle => {
                let word = self.cx.word();
                self.result_of(call, word, |dst| Op::SelfHandle { dst })
            }
            models::Op::SelfNumber => self.result_of(call, Ty::Int(32), |dst| Op::SelfNumber { dst }),
            models::Op::Forget => {
                let ty = Ty::Int(64);
                let value = self.arg(call, 0, ty);
                let plain = Expr::Cast { op: CastOp::Forget, from: ty, to: ty, a: value };
                let plain = self.emit_value(plain, ty, call.loc);
                self.give(call, plain, ty)
            }
            models::Op::ExitThread => {
                let value = self.arg(call, 0, Ty::Ptr);
                self.stop(call, Op::ExitThread { value })
            }
            models::Op::ShadowLoad => {
                let ptr = self.arg(call, 0, Ty::Ptr);
                let value = self.load_at(ptr, Ty::Int(32), SHADOW, call.loc);
                self.give(call, value, Ty::Int(32))
            }
            models::Op::ShadowStore => {
                let (ptr, value) = (self.arg(call, 0, Ty::Ptr), self.arg(call, 1, Ty::Int(32)));
                self.store_at(ptr, Ty::Int(32), value, SHADOW, call.loc);
                self.nothing(call)
            }
            models::Op::Uses(names) => {
                let value = self.cx.int(32, u128::from(self.cx.user_mentions_any(names)));
                self.give(call, value, Ty::Int(32))
            }
            models::Op::Uninterpreted(number) => self.application(call, number),
            models::Op::SetJump => {
                self.unsupported("setjmp called through a pointer", call.loc);
                self.nothing(call)
            }
            models::Op::LongJump => {
                let (context, value) = (self.arg(call, 0, Ty::Ptr), self.arg(call, 1, Ty::Int(32)));
                self.begin_jump(context, value, call.loc);
                self.nothing(call)
            }
            models::Op::Unsupported(what) => {
                self.unsupported(what, call.loc);
                self.nothing(call)
            }
            models::Op::Partial(what) => {
                let what = Symbol::intern(what);
                self.plain(call, Op::Partial { what, bound: false })
            }
            models::Op::Nothing => self.nothing(call),
        }
    }

    /// An instruction without result.
    fn plain(&mut self, call: &OpCall<'_>, op: Op) -> CallResult {
        self.body.emit(op, call.loc);
        self.nothing(call)
    }

    /// An instruction on the pointer that is the first argument.
    fn on_pointer(&mut self, call: &OpCall<'_>, op: impl FnOnce(Operand) -> Op) -> CallResult {
        let ptr = self.arg(call, 0, Ty::Ptr);
        self.plain(call, op(ptr))
    }

    /// An instruction whose result, of type `ty`, is the call's.
    fn result_of(&mut self, call: &OpCall<'_>, ty: Ty, op: impl FnOnce(RegId) -> Op) -> CallResult {
        let dst = self.body.temp(ty);
        self.body.emit(op(dst), call.loc);
        self.give(call, Operand::Reg(dst), ty)
    }

    /// An instruction that ends the thread or the program.
    fn stop(&mut self, call: &OpCall<'_>, op: Op) -> CallResult {
        self.body.emit(op, call.loc);
        self.body.end(TermKind::Unreachable, call.loc);
        self.nothing(call)
    }

    fn alloca_op(&mut self, call: &OpCall<'_>) -> CallResult {
        let word = self.cx.word();
        let size = self.arg(call, 0, word);
        let block = self.alloca_block(size, call.loc);
        self.give(call, block, Ty::Ptr)
    }

    fn object_size(&mut self, call: &OpCall<'_>) -> CallResult {
        let word = self.cx.word();
        let ptr = self.arg(call, 0, Ty::Ptr);
        let size = self.emit_value(Expr::ObjectSize(ptr), word, call.loc);
        self.give(call, size, word)
    }

    fn fill_bytes(&mut self, call: &OpCall<'_>) -> CallResult {
        let word = self.cx.word();
        let dst = self.arg(call, 0, Ty::Ptr);
        let byte = self.arg(call, 1, Ty::Int(8));
        let len = self.arg(call, 2, word);
        let shape = self.leaves(call);
        self.body.emit(Op::Fill { dst, byte, len, shape }, call.loc);
        self.give(call, dst, Ty::Ptr)
    }

    fn output(&mut self, call: &OpCall<'_>) -> CallResult {
        let stream = self.arg(call, 0, Ty::Int(8));
        let byte = self.arg(call, 1, Ty::Int(8));
        match self.cx.const_int(stream) {
            Some(stream @ (1 | 2)) => self.body.emit(Op::Output { stream: stream as u8, byte }, call.loc),
            _ => self.unsupported("output to a stream that is not constant", call.loc),
        }
        self.nothing(call)
    }

    fn assert_op(&mut self, call: &OpCall<'_>) -> CallResult {
        let (value, ty) = call.args.first().copied().unwrap_or((self.cx.int(1, 0), Ty::BOOL));
        let cond = Expr::Use(self.nonzero(value, ty, call.loc));
        self.assertion(cond, None, call.loc);
        self.nothing(call)
    }

    fn assume_op(&mut self, call: &OpCall<'_>) -> CallResult {
        let (value, ty) = call.args.first().copied().unwrap_or((self.cx.int(1, 0), Ty::BOOL));
        let cond = self.nonzero(value, ty, call.loc);
        self.plain(call, Op::Assume { cond })
    }

    fn math(&mut self, call: &OpCall<'_>, f: MathFn) -> CallResult {
        let Class::Scalar(ty @ (Ty::F32 | Ty::F64)) = call.ret else {
            self.unsupported("math function declared without a floating-point result", call.loc);
            return self.nothing(call);
        };
        let a = self.arg(call, 0, ty);
        let b = if call.args.len() > 1 { self.arg(call, 1, ty) } else { a };
        let value = self.emit_value(Expr::Math { f, ty, a, b }, ty, call.loc);
        self.give(call, value, ty)
    }

    /// Argument `index` as a value of type `ty`.
    fn arg(&mut self, call: &OpCall<'_>, index: usize, ty: Ty) -> Operand {
        match call.args.get(index) {
            Some(&(value, from)) => self.fit(value, from, ty, call.loc),
            None => self.cx.zero(ty),
        }
    }

    /// The result of the operation as the call's type.
    fn give(&mut self, call: &OpCall<'_>, value: Operand, from: Ty) -> CallResult {
        match call.ret {
            Class::Scalar(to) => CallResult::Scalar(self.fit(value, from, to, call.loc)),
            Class::Void | Class::Aggregate => CallResult::Void,
        }
    }

    /// The result of an operation that has none.
    fn nothing(&mut self, call: &OpCall<'_>) -> CallResult {
        match call.ret {
            Class::Scalar(ty) => CallResult::Scalar(self.cx.zero(ty)),
            Class::Aggregate => CallResult::Record(self.cx.zero(Ty::Ptr)),
            Class::Void => CallResult::Void,
        }
    }

    fn leaves(&mut self, call: &OpCall<'_>) -> ShapeId {
        match call.shape {
            Some(shape) => shape,
            None => self.cx.byte_shape(),
        }
    }

    fn alloc(&mut self, call: &OpCall<'_>) -> CallResult {
        let word = self.cx.word();
        let size = self.arg(call, 0, word);
        let align = self.arg(call, 1, word);
        let zeroed = self.arg(call, 2, Ty::Int(32));
        let Some(zeroed) = self.cx.const_int(zeroed) else {
            self.unsupported("allocation that may or may not be zeroed", call.loc);
            return self.nothing(call);
        };
        let dst = self.body.temp(Ty::Ptr);
        let kind = AllocKind::Heap;
        self.body.emit(Op::Alloc { dst, kind, size, align, zeroed: zeroed != 0 }, call.loc);
        self.give(call, Operand::Reg(dst), Ty::Ptr)
    }

    fn copy_bytes(&mut self, call: &OpCall<'_>, overlapping: bool) -> CallResult {
        let word = self.cx.word();
        let dst = self.arg(call, 0, Ty::Ptr);
        let src = self.arg(call, 1, Ty::Ptr);
        let len = self.arg(call, 2, word);
        let shape = self.leaves(call);
        self.body.emit(Op::Copy { dst, src, len, shape, overlapping }, call.loc);
        self.give(call, dst, Ty::Ptr)
    }

    /// The value of a function of which nothing is known but that it is one.
    fn application(&mut self, call: &OpCall<'_>, number: u32) -> CallResult {
        let Some(Target::Function(id)) = self.cx.library_function(models::APPLICATION) else {
            self.unsupported("uninterpreted function", call.loc);
            return self.nothing(call);
        };
        let wide = Ty::Int(64);
        let mut args = vec![self.cx.int(32, u128::from(number))];
        for index in 0..models::APPLICATION_ARGUMENTS {
            args.push(self.arg(call, index, wide));
        }
        let dst = self.body.temp(wide);
        self.body.emit(Op::Call { dst: Some(dst), callee: Callee::Direct(id), args }, call.loc);
        if call.ret_is_bool {
            let bit = self.fit(Operand::Reg(dst), wide, Ty::BOOL, call.loc);
            return self.give(call, bit, Ty::BOOL);
        }
        self.give(call, Operand::Reg(dst), wide)
    }

    fn nondet(&mut self, call: &OpCall<'_>, kind: ChoiceKind) -> CallResult {
        match call.ret {
            Class::Void => CallResult::Void,
            Class::Scalar(Ty::Ptr) => {
                self.unsupported("arbitrary pointer value", call.loc);
                self.nothing(call)
            }
            Class::Aggregate => {
                self.unsupported("arbitrary record value", call.loc);
                self.nothing(call)
            }
            Class::Scalar(ty) => {
                // A `_Bool` is 0 or 1.
                let chosen = if call.ret_is_bool { Ty::BOOL } else { ty };
                let dst = self.body.temp(chosen);
                self.body.emit(Op::Nondet { dst, ty: chosen, kind }, call.loc);
                CallResult::Scalar(self.fit(Operand::Reg(dst), chosen, ty, call.loc))
            }
        }
    }

    /// The violation stands here; if it is not checked, the library's function goes on.
    fn assert_fail(&mut self, call: &OpCall<'_>, then: &'static str) -> CallResult {
        let cond = Expr::Use(self.cx.int(1, 0));
        self.assertion(cond, call.message, call.loc);
        let args = call.args.iter().map(|(value, _)| *value).collect();
        match self.cx.library_function(then) {
            Some(Target::Function(id)) => {
                self.plain(call, Op::Call { dst: None, callee: Callee::Direct(id), args })
            }
            Some(Target::Op(op)) if !matches!(op, models::Op::AssertFail { .. }) => {
                self.apply_op_to(op, call.args, call.loc);
                self.nothing(call)
            }
            Some(_) | None => self.stop(call, Op::Abort),
        }
    }
}

/// A function that does the operation on its parameters.
pub(crate) fn lower_wrapper(cx: &mut Context<'_>, func: FuncId, op: models::Op, ty: &FnType) {
    let no_locals = IndexVec::new();
    let mut lowerer = Lowerer::new(cx, 0, &no_locals);
    lowerer.ret = Some(ty.ret);
    let mut params = Vec::new();
    let mut args = Vec::new();
    for param in &ty.params {
        let ty = lowerer.cx.scalar(param.ty);
        let reg = lowerer.body.temp(ty);
        params.push(reg);
        args.push((Operand::Reg(reg), ty));
    }
    let ret = lowerer.cx.class(ty.ret.ty);
    let ret_is_bool = lowerer.cx.is_bool(ty.ret.ty);
    let loc = Loc::NONE;
    lowerer.error_call(lowerer.cx.program.functions[func].name, loc);
    let call = OpCall { op, args: &args, shape: None, message: None, ret, ret_is_bool, loc };
    let value = match lowerer.apply(&call) {
        CallResult::Scalar(value) => Some(value),
        CallResult::Void | CallResult::Record(_) => None,
    };
    lowerer.body.end(TermKind::Return(value), loc);
    lowerer.finish(func, params);
}

/// A function that stops the run.
pub(crate) fn lower_missing(cx: &mut Context<'_>, func: FuncId, name: Symbol) {
    let no_locals = IndexVec::new();
    let mut lowerer = Lowerer::new(cx, 0, &no_locals);
    lowerer.error_call(name, Loc::NONE);
    lowerer.unsupported(&crate::call::missing_text(name), Loc::NONE);
    lowerer.finish(func, Vec::new());
}

/// An argument without the conversions the parameter's type asked for.
fn unconverted(arg: &hir::Expr) -> &hir::Expr {
    let mut at = arg;
    while let ExprKind::Cast { kind: CastKind::Ptr | CastKind::Same, operand } = &at.kind {
        at = operand;
    }
    at
}

#[cfg(test)]
mod tests {
    use crate::testing::{function_text, ir_of, lower_files};
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&ir_of(text));
    }

    #[test]
    fn a_copy_has_the_leaves_of_the_users_type() {
        check(
            "void *memcpy(void *, const void *, unsigned long); struct P { int x; long y; } a, b;\n\
             void f(char *s) { memcpy(&a, &b, sizeof a); memcpy(s, s + 8, 3); }",
            expect![[r#"
                fn &f(%s.0)
                b0:
                  copy @a, @b, 16:i64 s2
                  %1 = ptradd %s.0, 8:i64
                  copy %s.0, %1, 3:i64 s3
                  ret
                }
            "#]],
        );
    }

    #[test]
    fn a_failed_assertion_carries_its_text() {
        check(
            "void __assert_fail(const char *, const char *, unsigned, const char *);\n\
             void f(int x) { if (x) __assert_fail(\"x == 0\", \"a.c\", 2, \"f\"); }",
            expect![[r#"
                fn &f(%x.0)
                b0:
                  %1 = ne i32 %x.0, 0:i32
                  br %1, b1, b2
                b1:
                  assert assertion, 0:i1, "x == 0"
                  call &__braid_assert_failed(@str.0, @str.1, 2:i32, @str.2)
                  jump b2
                b2:
                  ret
                }
            "#]],
        );
    }

    #[test]
    fn a_guard_is_evaluated_inside_the_section() {
        check(
            "void __braid_atomic_begin_when(int); void __braid_atomic_end(void); int n;\n\
             void f(void) { __braid_atomic_begin_when(n > 0); n--; __braid_atomic_end(); }",
            expect![[r#"
                fn &f()
                b0:
                  atomic-begin when %1
                    %0 = load i32 @n
                    %1 = slt i32 0:i32, %0
                  }
                  %2 = load i32 @n
                  assert signed-overflow, fits sub signed i32 %2, 1:i32
                  %3 = sub i32 %2, 1:i32
                  store i32 @n, %3
                  atomic-end
                  ret
                }
            "#]],
        );
    }

    #[test]
    fn the_address_of_an_operation_is_a_function() {
        let text = "void *memcpy(void *, const void *, unsigned long); void *g = memcpy;";
        let program = lower_files(&[text]).expect("the text is right");
        expect![[r#"
            fn &memcpy(%0, %1, %2) -> ptr internal {
            b0:
              copy %0, %1, %2 s1
              ret %0
            }
        "#]]
        .assert_eq(&function_text(&program, "memcpy"));
    }
}
