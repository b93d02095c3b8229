//! CBMC's labels for threads: `__CPROVER_ASYNC_1: f(a);` starts a thread that executes the statement.
//!
//! The statement becomes a function of its own. The thread has copies of the local variables that it reads; they travel
//! as its argument, packed into one word, so more than that does not fit.

use crate::func::{Home, LabelState, Lowerer};
use crate::scope::ScopeKind;
use braid_base::HashSet;
use braid_ir::{BinOp, BlockId, CastOp, Const, Expr, Loc, Op, Operand, RegId, TermKind, Ty};
use braid_models as models;
use braid_sema::hir::{LocalId, Stmt};

/// A local variable whose value a thread takes along, and where it lives there.
struct Captured {
    local: LocalId,
    reg: RegId,
    ty: Ty,
}

impl Lowerer<'_, '_, '_> {
    /// The statement after such a label.
    pub fn asynchronous(&mut self, stmt: &Stmt, loc: Loc) {
        let name = self.cx.unique_name("async");
        let func = self.cx.declare_function(name, false, stmt.span);
        let word = self.cx.word();
        let mut thread = Lowerer::new(self.cx, self.unit, self.locals);
        thread.has_labels = self.has_labels;
        for label in self.labels.iter() {
            let (block, scope) = (thread.body.new_block(), None);
            thread.labels.push(LabelState { block, scope, ..*label });
        }
        thread.make_homes(&[]);
        // What arrives is unpacked when it is known.
        let (given, entry) = (thread.body.temp(Ty::Ptr), thread.body.current);
        let start = thread.body.new_block();
        thread.body.current = start;
        thread.push_scope(ScopeKind::Block(Vec::new()));
        thread.stmt(stmt);
        thread.run_cleanups(loc);
        thread.body.end(TermKind::Return(None), loc);
        thread.resolve_jumps();
        let captured = thread.captured(start);
        if let Some(captured) = &captured {
            thread.body.current = entry;
            thread.unpack(captured, given, loc);
            thread.body.flow_into(start, loc);
        }
        thread.finish(func, vec![given]);
        let Some(captured) = captured else {
            let what = format!(
                "a label {} before a statement that reads more of the local variables than one word",
                models::THREAD_LABEL
            );
            return self.unsupported(&what, loc);
        };
        let arg = self.packed(&captured, loc);
        let func = self.cx.constant(Const::Func(func));
        let dst = self.body.temp(word);
        self.body.emit(Op::Spawn { dst, func, arg }, loc);
    }

    /// The variables that the statement reads before it writes them; none if they do not fit.
    fn captured(&self, start: BlockId) -> Option<Vec<Captured>> {
        let (mut named, mut begun) = (HashSet::default(), HashSet::default());
        for instr in self.body.blocks.iter().flat_map(|block| &block.instrs) {
            match instr.op {
                Op::Assign { value: Expr::LocalAddr(object), .. } => drop(named.insert(object)),
                Op::LocalLive { local } => drop(begun.insert(local)),
                _ => {}
            }
        }
        if named.iter().any(|object| !begun.contains(object)) {
            return None;
        }
        let mut captured = Vec::new();
        let read = self.body.read_first(start);
        for (local, home) in self.homes.enumerated() {
            match *home {
                Home::Reg(reg) if read.contains(&reg) => {
                    captured.push(Captured { local, reg, ty: self.body.regs[reg].ty });
                }
                Home::Pointer(reg) if read.contains(&reg) => return None,
                Home::Reg(_) | Home::Pointer(_) | Home::Memory(_) => {}
            }
        }
        let bits = |captured: &Captured| captured.ty.bits(self.cx.program.pointer_bytes);
        let is_int = |captured: &Captured| matches!(captured.ty, Ty::Int(_));
        let fits = match captured.as_slice() {
            [one] if one.ty == Ty::Ptr => true,
            all => {
                all.iter().all(is_int) && all.iter().map(bits).sum::<u32>() <= self.cx.pointer_bits().into()
            }
        };
        fits.then_some(captured)
    }

    /// The values in the shape of a pointer.
    fn packed(&mut self, captured: &[Captured], loc: Loc) -> Operand {
        let word = self.cx.word();
        let mut whole = None;
        let mut shift = 0;
        for Captured { local, ty, .. } in captured {
            let Home::Reg(reg) = self.homes[*local] else { continue };
            let value = Operand::Reg(reg);
            if *ty == Ty::Ptr {
                return value;
            }
            let wide = self.fit(value, *ty, word, loc);
            let amount = self.cx.int(self.cx.pointer_bits(), shift);
            let placed = Expr::Binary { op: BinOp::Shl, ty: word, a: wide, b: amount };
            let placed = self.emit_value(placed, word, loc);
            whole = Some(match whole {
                None => placed,
                Some(a) => self.emit_value(Expr::Binary { op: BinOp::Or, ty: word, a, b: placed }, word, loc),
            });
            shift += u128::from(ty.bits(self.cx.program.pointer_bytes));
        }
        let Some(a) = whole else { return self.cx.constant(Const::Null) };
        self.emit_value(Expr::Cast { op: CastOp::IntToPtr, from: word, to: Ty::Ptr, a }, Ty::Ptr, loc)
    }

    /// Back again.
    fn unpack(&mut self, captured: &[Captured], given: RegId, loc: Loc) {
        let (word, mut shift) = (self.cx.word(), 0);
        for Captured { reg, ty, .. } in captured {
            if *ty == Ty::Ptr {
                return self.body.write_variable(*reg, Operand::Reg(given), loc);
            }
            let whole = Expr::Cast { op: CastOp::PtrToInt, from: Ty::Ptr, to: word, a: Operand::Reg(given) };
            let a = self.emit_value(whole, word, loc);
            let b = self.cx.int(self.cx.pointer_bits(), shift);
            let moved = self.emit_value(Expr::Binary { op: BinOp::LShr, ty: word, a, b }, word, loc);
            let value = self.fit(moved, word, *ty, loc);
            self.body.write_variable(*reg, value, loc);
            shift += u128::from(ty.bits(self.cx.program.pointer_bytes));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{function_text, lower_files};
    use expect_test::expect;

    #[test]
    fn a_statement_becomes_a_function() {
        let text = "int g; void f(int a) { g = a; }\n\
                    int main(void) { int a = g; short b = 2; __CPROVER_ASYNC_1: f(a + b + g); return a; }\n";
        let ir = lower_files(&[text]).expect("a program");
        expect![[r#"
            fn &async(%2)
            b0:
              %7 = ptrtoint ptr %2 to i64
              %a.0 = trunc i64 %7 to i32
              %9 = ptrtoint ptr %2 to i64
              %10 = lshr i64 %9, 32:i64
              %b.1 = trunc i64 %10 to i16
              %3 = sext i16 %b.1 to i32
              assert signed-overflow, fits add signed i32 %a.0, %3
              %4 = add i32 %a.0, %3
              %5 = load i32 @g
              assert signed-overflow, fits add signed i32 %4, %5
              %6 = add i32 %4, %5
              call &f(%6)
              ret
            }
        "#]]
        .assert_eq(&function_text(&ir, "async"));
        expect![[r#"
            fn &main() -> i32
            b0:
              %a.0 = load i32 @g
              %b.1 = 2:i16
              %3 = zext i32 %a.0 to i64
              %4 = zext i16 %b.1 to i64
              %5 = shl i64 %4, 32:i64
              %6 = or i64 %3, %5
              %7 = inttoptr i64 %6 to ptr
              %8 = spawn &async, %7
              ret %a.0
            }
        "#]]
        .assert_eq(&function_text(&ir, "main"));
    }

    #[test]
    fn what_does_not_fit() {
        let text = "int g;\nvoid array(void) { int a[2]; a[0] = 1; __CPROVER_ASYNC_1: g = a[0]; }\n\
                    void real(double d) { __CPROVER_ASYNC_1: g = d; }\n\
                    void two(long a, int b) { __CPROVER_ASYNC_1: g = a + b; }\n\
                    void out(void) { while (g) { __CPROVER_ASYNC_1: break; } end: __CPROVER_ASYNC_2: goto end; }\n\
                    void into(int a) { switch (a) { __CPROVER_ASYNC_1: case 1: g = 1; } }\n\
                    void rest(int a, ...) { __CPROVER_ASYNC_1: { __builtin_va_list l; __builtin_va_start(l, a); } }\n\
                    int main(void) { array(); real(1); two(1, 2); out(); into(1); rest(1); return 0; }\n";
        let ir = lower_files(&[text]).expect("a program");
        let functions = ["array", "real", "two", "async.3", "async.4", "into", "async.6"];
        let unsupported = |name: &&str| {
            let text = function_text(&ir, name);
            let line = text.lines().find(|line| line.contains("unsupported")).unwrap_or("  -");
            format!("{name}:{}", &line[1..])
        };
        expect![[r#"
            array: unsupported "a label __CPROVER_ASYNC before a statement that reads more of the local variables than one word"
            real: unsupported "a label __CPROVER_ASYNC before a statement that reads more of the local variables than one word"
            two: unsupported "a label __CPROVER_ASYNC before a statement that reads more of the local variables than one word"
            async.3: unsupported "a jump out of the statement of a thread"
            async.4: unsupported "a jump out of the statement of a thread"
            into: unsupported "a jump into the statement of a thread"
            async.6: unsupported "variable arguments in the statement of a thread""#]].assert_eq(&functions.iter().map(unsupported).collect::<Vec<_>>().join("\n"));
    }
}
