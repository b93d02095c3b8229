//! Calls and variable arguments.
//!
//! The callee is evaluated first, then the arguments from left to right. Variable arguments go into a
//! frame object of the caller with a 16-byte slot for each (of a record, the slot holds the address of
//! a copy); its address is the hidden last argument, and a `va_list` is a cursor into it, kept in the
//! first pointer-sized bytes of the list object. So reading past the last argument is an ordinary
//! out-of-bounds access.

use crate::body::Kept;
use crate::context::Class;
use crate::func::Lowerer;
use crate::link::{Ref, Signature, Target};
use braid_base::Symbol;
use braid_ir::{Access, Callee, ChoiceKind, Const, Expr, FuncId, Loc, Local, Op, Operand, Ty};
use braid_models as models;
use braid_sema::hir::{self, EntityId, EntityKind, LocalId};
use braid_sema::types::{FnType, TypeId, TypeKind};

/// Bytes of a variable argument's slot: room for any scalar.
pub(crate) const SLOT: u64 = models::ARGUMENT_SLOT;

#[derive(Clone, Copy)]
pub(crate) enum CallResult {
    Void,
    Scalar(Operand),
    /// Address of the temporary object that holds it.
    Record(Operand),
}

/// How a call passes its arguments.
#[derive(Clone, Copy)]
struct Convention {
    /// Arguments before the variable ones; `None` if there are none variable.
    fixed: Option<usize>,
    /// What the callee gives back, if that is known better than by the call's type.
    ret: Option<Class>,
}

impl Lowerer<'_, '_, '_> {
    pub fn call(
        &mut self,
        expr: &hir::Expr,
        callee: &hir::Callee,
        args: &[hir::Expr],
        loc: Loc,
    ) -> CallResult {
        let through = match callee {
            hir::Callee::Direct(entity) => self.through(*entity),
            hir::Callee::Pointer(_) => None,
        };
        self.call_through(expr, callee, through, args, loc)
    }

    /// A call whose result goes through another function, if there is one.
    fn call_through(
        &mut self,
        expr: &hir::Expr,
        callee: &hir::Callee,
        through: Option<Through>,
        args: &[hir::Expr],
        loc: Loc,
    ) -> CallResult {
        self.note_long_double(expr.ty.ty);
        match callee {
            hir::Callee::Direct(entity) => self.call_entity(expr, *entity, through, args, loc),
            hir::Callee::Pointer(pointer) => {
                let convention = self.convention_of_pointer(pointer.ty.ty);
                let start = self.body.visible_so_far();
                let callee = self.value(pointer);
                let kept = self.body.keep(callee);
                self.call_with(expr, CalleeKind::Pointer { kept, start }, convention, None, args, loc)
            }
        }
    }

    /// A call whose result is not used: the library may have a cheaper function for that.
    pub fn call_for_effect(&mut self, expr: &hir::Expr, callee: &hir::Callee, args: &[hir::Expr], loc: Loc) {
        match callee {
            hir::Callee::Direct(entity) if let Some(id) = self.unread(*entity, args) => {
                let convention = self.convention_of(id);
                self.call_with(expr, CalleeKind::Direct(id), convention, None, args, loc);
            }
            hir::Callee::Direct(_) | hir::Callee::Pointer(_) => {
                self.call_through(expr, callee, None, args, loc);
            }
        }
    }

    /// The function that the result of a printing function passes through where it is used: it may make a failure of it.
    fn through(&mut self, entity: EntityId) -> Option<Through> {
        let at = Ref { unit: self.unit, entity };
        let models::Fallible { through, stream } = self.cx.fallible(at)?;
        match self.cx.library_function(through)? {
            Target::Function(id) => Some(Through { function: id, argument: stream }),
            Target::Op(_) | Target::Missing | Target::Global { .. } | Target::Null => None,
        }
    }

    /// What stands for a function of the library where its result is not used.
    fn unread(&mut self, entity: EntityId, args: &[hir::Expr]) -> Option<FuncId> {
        let entity = self.cx.entity(Ref { unit: self.unit, entity });
        let name = entity.name.as_str();
        let unread = models::unread(name)?;
        let library = self.cx.linker.units[self.unit].library;
        let own =
            !matches!(entity.kind, EntityKind::Undefined) || (!library && self.cx.external(name).is_some());
        let format = self.literal_text(args.get(unread.format)?)?;
        if own
            || models::strings_printed(format.as_str().as_bytes()).is_none()
            || self.cx.user_mentions_any(unread.unless)
        {
            return None;
        }
        match self.cx.library_function(unread.stand_in)? {
            Target::Function(id) => Some(id),
            Target::Op(_) | Target::Missing | Target::Global { .. } | Target::Null => None,
        }
    }

    fn call_entity(
        &mut self,
        expr: &hir::Expr,
        entity: EntityId,
        through: Option<Through>,
        args: &[hir::Expr],
        loc: Loc,
    ) -> CallResult {
        let at = Ref { unit: self.unit, entity };
        let target = self.cx.resolve(at);
        self.error_call(self.cx.entity(at).name, loc);
        if let Target::Function(_) = target {
            self.overriding_row(at, loc);
        }
        match target {
            Target::Function(id) => {
                let convention = self.convention_of(id);
                self.call_with(expr, CalleeKind::Direct(id), convention, through, args, loc)
            }
            Target::Op(op) => self.model_call(op, expr, args, loc),
            Target::Missing | Target::Global { .. } => {
                for arg in args {
                    self.effect(arg);
                }
                let name = self.cx.entity(at).name;
                self.cx.warn_missing(name, expr.span);
                self.unsupported(&missing_text(name), loc);
                self.dead_result(expr)
            }
            Target::Null => {
                let ty = self.cx.entity(at).ty.ty;
                let convention = match self.cx.types.kind(ty) {
                    TypeKind::Function(ty) => declared_convention(ty),
                    _ => Convention { fixed: None, ret: None },
                };
                let null = self.cx.constant(Const::Null);
                let (kept, start) = (self.body.keep(null), self.body.visible_so_far());
                self.call_with(expr, CalleeKind::Pointer { kept, start }, convention, None, args, loc)
            }
        }
    }

    /// A call that is a violation in itself, whatever the program's definition of the function does.
    fn overriding_row(&mut self, at: Ref, loc: Loc) {
        let row = models::lookup(self.cx.entity(at).name.as_str()).filter(|row| row.overrides);
        if let Some(models::Def::Op(models::Op::AssertFail { .. })) = row.map(|row| row.def) {
            let cond = Expr::Use(self.cx.int(1, 0));
            let message = Some(self.cx.entity(at).name);
            self.assertion(cond, message, loc);
        }
    }

    /// A result that no run gets.
    fn dead_result(&mut self, expr: &hir::Expr) -> CallResult {
        match self.cx.class(expr.ty.ty) {
            Class::Void => CallResult::Void,
            Class::Scalar(ty) => CallResult::Scalar(self.cx.zero(ty)),
            Class::Aggregate => CallResult::Record(self.cx.constant(Const::Null)),
        }
    }

    pub fn scalar_result(&mut self, result: CallResult, expr: &hir::Expr) -> Operand {
        match result {
            CallResult::Scalar(value) => value,
            CallResult::Void | CallResult::Record(_) => self.dead_value(expr),
        }
    }

    fn convention_of(&self, id: FuncId) -> Convention {
        match self.cx.linker.signatures.get(&id) {
            Some(&Signature { fixed, variadic, ret }) => {
                Convention { fixed: variadic.then_some(fixed), ret: Some(ret) }
            }
            None => Convention { fixed: None, ret: None },
        }
    }

    fn convention_of_pointer(&self, ty: TypeId) -> Convention {
        let pointee = match self.cx.types.kind(ty) {
            TypeKind::Pointer(pointee) => pointee.ty,
            _ => ty,
        };
        match self.cx.types.kind(pointee) {
            TypeKind::Function(ty) => declared_convention(ty),
            _ => Convention { fixed: None, ret: None },
        }
    }

    fn call_with(
        &mut self,
        expr: &hir::Expr,
        callee: CalleeKind,
        convention: Convention,
        through: Option<Through>,
        args: &[hir::Expr],
        loc: Loc,
    ) -> CallResult {
        let class = self.cx.class(expr.ty.ty);
        let given = convention.ret.unwrap_or(class);
        if (given == Class::Aggregate) != (class == Class::Aggregate) {
            // Declared one way, defined the other: where the result goes is anybody's guess.
            self.unsupported("call of a function through a declaration with another result type", loc);
            return self.dead_result(expr);
        }
        let start = match callee {
            CalleeKind::Direct(_) => None,
            CalleeKind::Pointer { start, .. } => Some(start),
        };
        let kept = self.arguments(start, args);
        let values = self.body.settle_all(&kept, loc);
        let callee = match callee {
            CalleeKind::Direct(id) => Callee::Direct(id),
            CalleeKind::Pointer { kept, .. } => Callee::Pointer(self.body.settle(kept, loc)),
        };
        let mut passed = Vec::new();
        let result = match class {
            Class::Aggregate => Some(self.temp_object(expr.ty.ty, loc)),
            Class::Void | Class::Scalar(_) => None,
        };
        passed.extend(result);
        let fixed = convention.fixed.unwrap_or(values.len());
        passed.extend(values.iter().take(fixed));
        if convention.fixed.is_some() {
            // An old-style call may lack fixed arguments.
            for _ in values.len()..fixed {
                passed.push(self.cx.int(32, 0));
            }
            let rest: Vec<(Operand, Ty)> =
                values.iter().zip(args).skip(fixed).map(|(&v, arg)| (v, self.passed_ty(arg))).collect();
            passed.push(self.variable_area(&rest, loc));
        }
        match result {
            Some(ptr) => {
                self.body.emit(Op::Call { dst: None, callee, args: passed }, loc);
                self.after_call(callee, loc);
                CallResult::Record(ptr)
            }
            None => {
                let stream = through.and_then(|through| passed.get(through.argument?).copied());
                let result = self.emit_call(callee, passed, class, given, loc);
                self.after_call(callee, loc);
                match (through, result) {
                    (Some(through), CallResult::Scalar(value)) if class == given => {
                        let args = [value].into_iter().chain(stream).collect();
                        let callee = Callee::Direct(through.function);
                        let result = self.emit_call(callee, args, class, given, loc);
                        self.after_call(callee, loc);
                        result
                    }
                    (_, result) => result,
                }
            }
        }
    }

    /// A call whose result, of class `given`, is used as `class`.
    fn emit_call(
        &mut self,
        callee: Callee,
        args: Vec<Operand>,
        class: Class,
        given: Class,
        loc: Loc,
    ) -> CallResult {
        let (Class::Scalar(wanted), Class::Scalar(ty)) = (class, given) else {
            self.body.emit(Op::Call { dst: None, callee, args }, loc);
            let Class::Scalar(ty) = class else { return CallResult::Void };
            // The definition gives nothing back; C leaves the value open.
            let dst = self.body.temp(ty);
            self.body.emit(Op::Nondet { dst, ty, kind: ChoiceKind::Uninit }, loc);
            return CallResult::Scalar(Operand::Reg(dst));
        };
        let dst = self.body.temp(ty);
        self.body.emit(Op::Call { dst: Some(dst), callee, args }, loc);
        CallResult::Scalar(self.fit(Operand::Reg(dst), ty, wanted, loc))
    }

    /// Evaluates arguments. `start` is where the evaluation of the function itself began.
    pub fn arguments(&mut self, start: Option<u32>, args: &[hir::Expr]) -> Vec<Kept> {
        let mut points: Vec<u32> = start.into_iter().chain([self.body.visible_so_far()]).collect();
        let mut kept = Vec::with_capacity(args.len());
        for arg in args {
            kept.push(self.argument(arg));
            points.push(self.body.visible_so_far());
        }
        self.body.note_order(&points);
        kept
    }

    /// Evaluates an argument; a record is copied.
    fn argument(&mut self, arg: &hir::Expr) -> Kept {
        self.note_long_double(arg.ty.ty);
        let value = match self.cx.class(arg.ty.ty) {
            Class::Scalar(_) => self.value(arg),
            Class::Aggregate => self.materialise(arg),
            Class::Void => {
                self.effect(arg);
                self.cx.int(32, 0)
            }
        };
        self.body.keep(value)
    }

    /// The type in which an argument travels.
    pub fn passed_ty(&self, arg: &hir::Expr) -> Ty {
        match self.cx.class(arg.ty.ty) {
            Class::Scalar(ty) => ty,
            Class::Aggregate => Ty::Ptr,
            Class::Void => Ty::Int(32),
        }
    }

    /// The object that holds the variable arguments; gives its address, null if there are none.
    fn variable_area(&mut self, values: &[(Operand, Ty)], loc: Loc) -> Operand {
        if values.is_empty() {
            return self.cx.constant(Const::Null);
        }
        let slots: Vec<Ty> = values.iter().map(|(_, ty)| *ty).collect();
        let shape = self.cx.slots_shape(&slots, SLOT);
        let size = SLOT * values.len() as u64;
        let local = self.body.locals.push(Local { name: None, shape, size, align: SLOT });
        let area = self.live_temp(local, loc);
        for (index, &(value, ty)) in values.iter().enumerate() {
            let at = self.offset_ptr(area, index as u64 * SLOT, loc);
            self.store_at(at, ty, value, Access::default(), loc);
        }
        area
    }

    /// Moves the cursor of the list on by one slot; gives the address of the slot it stood at.
    fn next_slot(&mut self, list: &hir::Expr, loc: Loc) -> Operand {
        let list = self.value(list);
        let slot = self.load_at(list, Ty::Ptr, Access::default(), loc);
        let next = self.offset_ptr(slot, SLOT, loc);
        self.store_at(list, Ty::Ptr, next, Access::default(), loc);
        slot
    }

    pub fn va_arg(&mut self, list: &hir::Expr, expr: &hir::Expr, loc: Loc) -> Operand {
        self.note_long_double(expr.ty.ty);
        let slot = self.next_slot(list, loc);
        let ty = self.cx.scalar(expr.ty.ty);
        self.load_at(slot, ty, Access::default(), loc)
    }

    /// Address of a record among the variable arguments.
    pub fn va_arg_record(&mut self, list: &hir::Expr, loc: Loc) -> Operand {
        let slot = self.next_slot(list, loc);
        self.load_at(slot, Ty::Ptr, Access::default(), loc)
    }

    pub fn va_start(&mut self, list: &hir::Expr, loc: Loc) {
        let list = self.value(list);
        match self.variable_args {
            Some(reg) => self.store_at(list, Ty::Ptr, Operand::Reg(reg), Access::default(), loc),
            None => self.unsupported("variable arguments in the statement of a thread", loc),
        }
    }

    pub fn va_copy(&mut self, dst: &hir::Expr, src: &hir::Expr, loc: Loc) {
        let (dst, src) = self.two_values(dst, src, loc);
        let cursor = self.load_at(src, Ty::Ptr, Access::default(), loc);
        self.store_at(dst, Ty::Ptr, cursor, Access::default(), loc);
    }

    /// Whether the end of a thread runs cleanups by this function.
    fn ends_with_thread(&self, function: EntityId) -> bool {
        let at = Ref { unit: self.unit, entity: function };
        self.cx.entity(at).name.as_str() == models::CLEANUP_ROUTINE
    }

    fn call_library(&mut self, name: &str, args: Vec<Operand>, loc: Loc) {
        if let Some(Target::Function(id)) = self.cx.library_function(name) {
            self.body.emit(Op::Call { dst: None, callee: Callee::Direct(id), args }, loc);
        }
    }

    /// A variable with a `cleanup` function has been initialised.
    pub fn announce_cleanup(&mut self, local: LocalId, function: EntityId, loc: Loc) {
        if self.ends_with_thread(function) {
            let address = self.local_address(local, loc);
            self.call_library(models::CLEANUP_PUSH, vec![address], loc);
        }
    }

    /// The `cleanup` function of a variable whose scope ends.
    pub fn call_cleanup(&mut self, local: LocalId, function: EntityId, loc: Loc) {
        let at = Ref { unit: self.unit, entity: function };
        let address = self.local_address(local, loc);
        if self.ends_with_thread(function) {
            self.call_library(models::CLEANUP_POP, Vec::new(), loc);
        }
        match self.cx.resolve(at) {
            Target::Function(id) => {
                let callee = Callee::Direct(id);
                self.body.emit(Op::Call { dst: None, callee, args: vec![address] }, loc);
            }
            Target::Op(op) => {
                self.apply_op_to(op, &[(address, Ty::Ptr)], loc);
            }
            Target::Missing | Target::Global { .. } | Target::Null => {
                let name = self.cx.entity(at).name;
                self.unsupported(&missing_text(name), loc);
            }
        }
    }
}

/// The function that the result of a call goes through, with an argument of the call, if it wants one.
#[derive(Clone, Copy)]
struct Through {
    function: FuncId,
    argument: Option<usize>,
}

enum CalleeKind {
    Direct(FuncId),
    /// With the point where its evaluation began.
    Pointer {
        kept: Kept,
        start: u32,
    },
}

fn declared_convention(ty: &FnType) -> Convention {
    Convention { fixed: ty.variadic.then_some(ty.params.len()), ret: None }
}

pub(crate) fn missing_text(name: Symbol) -> String {
    format!("call of '{name}': no definition and no model")
}

#[cfg(test)]
mod tests {
    use crate::testing::ir_of;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&ir_of(text));
    }

    #[test]
    fn variable_arguments() {
        check(
            "int g(int n, ...) { return n; } int f(double d) { return g(1, 2, d); }",
            expect![[r#"
                fn &f(%d.0) -> i32
                  local l0 s2 size 32 align 16
                b0:
                  live l0
                  %1 = local l0
                  store i32 %1, 2:i32
                  %2 = ptradd %1, 16:i64
                  store f64 %2, %d.0
                  %3 = call &g(1:i32, %1)
                  dead l0
                  ret %3
                }
            "#]],
        );
    }

    #[test]
    fn reading_variable_arguments() {
        check(
            "int f(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n); return __builtin_va_arg(ap, int); }",
            expect![[r#"
                fn &f(%n.0, %1) -> i32
                  local l0 "ap" s3 size 24 align 8
                b0:
                  live l0
                  %2 = local l0
                  store ptr %2, %1
                  %3 = local l0
                  %4 = load ptr %3
                  %5 = ptradd %4, 16:i64
                  store ptr %3, %5
                  %6 = load i32 %4
                  ret %6
                }
            "#]],
        );
    }
}
