//! CBMC's labels for threads: `__CPROVER_ASYNC_1: f(a, b);` starts a thread that makes the call.
//!
//! The arguments are evaluated by the one who starts it, and travel in a block that the thread frees.

use crate::call::SLOT;
use crate::context::{Class, Context};
use crate::func::Lowerer;
use crate::link::{Ref, Target, Work};
use braid_base::{IndexVec, Span, Symbol};
use braid_ir::{Access, AllocKind, Callee, Const, FuncId, Loc, Op, Operand, TermKind, Ty};
use braid_sema::hir::{self, ExprKind, Stmt, StmtKind};

const PREFIX: &str = "__CPROVER_ASYNC";

/// Whether a label is one of them.
pub(crate) fn is_asynchronous(label: Symbol) -> bool {
    label.as_str().starts_with(PREFIX)
}

impl Lowerer<'_, '_, '_> {
    /// The statement after such a label.
    pub fn asynchronous(&mut self, stmt: &Stmt, loc: Loc) {
        let StmtKind::Expr(expr) = &stmt.kind else { return self.not_a_call(loc) };
        let mark = self.temps.len();
        self.start_call(expr, loc);
        self.end_temps(mark, expr);
    }

    fn not_a_call(&mut self, loc: Loc) {
        self.unsupported(&format!("a label {PREFIX} before something else than a simple call"), loc);
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
        let records = args.iter().any(|arg| self.cx.class(arg.ty.ty) == Class::Aggregate);
        if !fits || records {
            return self.not_a_call(loc);
        }
        let kept = self.arguments(None, args);
        let values = self.body.settle_all(&kept, loc);
        let types: Vec<Ty> = args.iter().map(|arg| self.passed_ty(arg)).collect();
        let mut arg = self.cx.constant(Const::Null);
        if !values.is_empty() {
            let size = self.cx.word_const(SLOT * values.len() as u64);
            let (dst, align) = (self.body.temp(Ty::Ptr), self.cx.word_const(SLOT));
            self.body.emit(Op::Alloc { dst, kind: AllocKind::Heap, size, align, zeroed: false }, loc);
            arg = Operand::Reg(dst);
        }
        for (index, (value, ty)) in values.iter().zip(&types).enumerate() {
            let at = self.offset_ptr(arg, index as u64 * SLOT, loc);
            self.store_at(at, *ty, *value, Access::default(), loc);
        }
        let name = self.cx.program.functions[callee].name;
        let name = self.cx.unique_name(&format!("{name}.async"));
        let func = self.cx.declare_function(name, true, Span::NONE);
        self.cx.linker.work.push_back(Work::Caller { func, callee, types });
        let (word, func) = (self.cx.word(), self.cx.constant(Const::Func(func)));
        let dst = self.body.temp(word);
        self.body.emit(Op::Spawn { dst, func, arg }, loc);
    }
}

/// The function of such a thread: takes the arguments out of the block and makes the call.
pub(crate) fn lower_caller(cx: &mut Context<'_>, func: FuncId, callee: FuncId, types: &[Ty]) {
    let no_locals = IndexVec::new();
    let mut lowerer = Lowerer::new(cx, 0, &no_locals);
    let (loc, block) = (Loc::NONE, lowerer.body.temp(Ty::Ptr));
    let mut args = Vec::new();
    for (index, ty) in types.iter().enumerate() {
        let at = lowerer.offset_ptr(Operand::Reg(block), index as u64 * SLOT, loc);
        args.push(lowerer.load_at(at, *ty, Access::default(), loc));
    }
    if !types.is_empty() {
        lowerer.body.emit(Op::Free { kind: AllocKind::Heap, ptr: Operand::Reg(block) }, loc);
    }
    lowerer.body.emit(Op::Call { dst: None, callee: Callee::Direct(callee), args }, loc);
    lowerer.body.end(TermKind::Return(None), loc);
    lowerer.finish(func, vec![block]);
}

#[cfg(test)]
mod tests {
    use crate::testing::{function_text, lower_files};
    use expect_test::expect;

    #[test]
    fn a_thread_that_makes_a_call() {
        let text = "int g; void f(int a, int *p) { g = a + *p; }\n\
                    int main(void) { __CPROVER_ASYNC_1: f(3, &g); return g; }\n\
                    void other(void) { __CPROVER_ASYNC_2: g = 1; }\n";
        let ir = lower_files(&[text]).expect("a program");
        expect![[r#"
            fn &f.async(%0) internal {
            b0:
              %1 = load i32 %0
              %2 = ptradd %0, 16:i64
              %3 = load ptr %2
              free heap %0
              call &f(%1, %3)
              ret
            }
        "#]]
        .assert_eq(&function_text(&ir, "f.async"));
        expect![[r#"
            fn &main() -> i32
            b0:
              %0 = alloc heap 32:i64, 16:i64
              store i32 %0, 3:i32
              %1 = ptradd %0, 16:i64
              store ptr %1, @g
              %2 = spawn &f.async, %0
              %3 = load i32 @g
              ret %3
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
