//! CBMC's labels for threads: `__CPROVER_ASYNC_1: f(a);` starts a thread that makes the call.
//!
//! An argument is evaluated by the one who starts it, and travels as the thread's own; more than one does not fit.

use crate::context::{Class, Context};
use crate::func::Lowerer;
use crate::link::{Ref, Target, Work};
use braid_base::{IndexVec, Span};
use braid_ir::{Callee, CastOp, Const, Expr, FuncId, Loc, Op, Operand, TermKind, Ty};
use braid_models as models;
use braid_sema::hir::{self, ExprKind, Stmt, StmtKind};

impl Lowerer<'_, '_, '_> {
    /// The statement after such a label.
    pub fn asynchronous(&mut self, stmt: &Stmt, loc: Loc) {
        let StmtKind::Expr(expr) = &stmt.kind else { return self.not_a_call(loc) };
        let mark = self.temps.len();
        self.start_call(expr, loc);
        self.end_temps(mark, expr);
    }

    fn not_a_call(&mut self, loc: Loc) {
        let what = format!("a label {} before something else than a simple call", models::THREAD_LABEL);
        self.unsupported(&what, loc);
    }

    fn start_call(&mut self, expr: &hir::Expr, loc: Loc) {
        let ExprKind::Call { callee: hir::Callee::Direct(entity), args } = &expr.kind else {
            return self.not_a_call(loc);
        };
        let Target::Function(callee) = self.cx.resolve(Ref { unit: self.unit, entity: *entity }) else {
            return self.not_a_call(loc);
        };
        let signature = self.cx.linker.signatures.get(&callee);
        let fits = signature.is_some_and(|signature| {
            !signature.variadic && signature.fixed == args.len() && signature.ret != Class::Aggregate
        });
        let ty = match args.first().map(|arg| self.cx.class(arg.ty.ty)) {
            None => None,
            Some(Class::Scalar(ty @ (Ty::Ptr | Ty::Int(_))))
                if ty.bits(self.cx.program.pointer_bytes) <= 64 =>
            {
                Some(ty)
            }
            Some(Class::Scalar(_) | Class::Aggregate | Class::Void) => return self.not_a_call(loc),
        };
        if !fits || args.len() > 1 {
            return self.not_a_call(loc);
        }
        let kept = self.arguments(None, args);
        let values = self.body.settle_all(&kept, loc);
        let arg = match (values.first(), ty) {
            (Some(value), Some(ty)) => self.packed(*value, ty, loc),
            _ => self.cx.constant(Const::Null),
        };
        let name = self.cx.program.functions[callee].name;
        let name = self.cx.unique_name(&format!("{name}.async"));
        let func = self.cx.declare_function(name, true, Span::NONE);
        self.cx.linker.work.push_back(Work::Caller { func, callee, arg: ty });
        let (word, func) = (self.cx.word(), self.cx.constant(Const::Func(func)));
        let dst = self.body.temp(word);
        self.body.emit(Op::Spawn { dst, func, arg }, loc);
    }

    /// A value in the shape of a pointer.
    fn packed(&mut self, value: Operand, ty: Ty, loc: Loc) -> Operand {
        let word = self.cx.word();
        let wide = match ty {
            Ty::Ptr => return value,
            _ if ty == word => value,
            _ => self.emit_value(Expr::Cast { op: CastOp::Zext, from: ty, to: word, a: value }, word, loc),
        };
        self.emit_value(Expr::Cast { op: CastOp::IntToPtr, from: word, to: Ty::Ptr, a: wide }, Ty::Ptr, loc)
    }

    /// Back again.
    fn unpacked(&mut self, value: Operand, ty: Ty, loc: Loc) -> Operand {
        let word = self.cx.word();
        if ty == Ty::Ptr {
            return value;
        }
        let wide = Expr::Cast { op: CastOp::PtrToInt, from: Ty::Ptr, to: word, a: value };
        let wide = self.emit_value(wide, word, loc);
        if ty == word {
            return wide;
        }
        self.emit_value(Expr::Cast { op: CastOp::Trunc, from: word, to: ty, a: wide }, ty, loc)
    }
}

/// The function of such a thread.
pub(crate) fn lower_caller(cx: &mut Context<'_>, func: FuncId, callee: FuncId, arg: Option<Ty>) {
    let no_locals = IndexVec::new();
    let mut lowerer = Lowerer::new(cx, 0, &no_locals);
    let (loc, given) = (Loc::NONE, lowerer.body.temp(Ty::Ptr));
    let args = arg.map(|ty| lowerer.unpacked(Operand::Reg(given), ty, loc)).into_iter().collect();
    lowerer.body.emit(Op::Call { dst: None, callee: Callee::Direct(callee), args }, loc);
    lowerer.body.end(TermKind::Return(None), loc);
    lowerer.finish(func, vec![given]);
}

#[cfg(test)]
mod tests {
    use crate::testing::{function_text, lower_files};
    use expect_test::expect;

    #[test]
    fn a_thread_that_makes_a_call() {
        let text = "int g; void f(int a) { g = a; }\n\
                    int main(void) { __CPROVER_ASYNC_1: f(g); return g; }\n\
                    void other(void) { __CPROVER_ASYNC_2: g = 1; }\n";
        let ir = lower_files(&[text]).expect("a program");
        expect![[r#"
            fn &f.async(%0) internal {
            b0:
              %1 = ptrtoint ptr %0 to i64
              %2 = trunc i64 %1 to i32
              call &f(%2)
              ret
            }
        "#]]
        .assert_eq(&function_text(&ir, "f.async"));
        expect![[r#"
            fn &main() -> i32
            b0:
              %0 = load i32 @g
              %1 = zext i32 %0 to i64
              %2 = inttoptr i64 %1 to ptr
              %3 = spawn &f.async, %2
              %4 = load i32 @g
              ret %4
            }
        "#]]
        .assert_eq(&function_text(&ir, "main"));
        expect![[r#"
            fn &other()
            b0:
              unsupported "a label __CPROVER_ASYNC before something else than a simple call"
              unreachable
            }
        "#]]
        .assert_eq(&function_text(&ir, "other"));
    }
}
