//! Statements: control flow.
//!
//! Temporary objects of an expression (record arguments, call results) die at the end of the full
//! expression; the helpers here see to that ([`Lowerer::full_value`] and kin).

use crate::context::Class;
use crate::func::{Exit, Home, INTO_THREAD, Lowerer, OUT_OF_THREAD, SwitchFrame};
use crate::scope::{PendingJump, ScopeKind};
use braid_ir::fold::signed;
use braid_ir::{AllocKind, BlockId, CmpOp, Expr, Loc, Op, Operand, TermKind, Ty};
use braid_sema::hir::{self, CaseRange, Init, LabelId, LocalId, Stmt, StmtKind};
use std::collections::BTreeMap;

/// A case range up to this long becomes single cases.
const MAX_CASES_OF_RANGE: u128 = 256;

impl Lowerer<'_, '_, '_> {
    pub fn stmt(&mut self, stmt: &Stmt) {
        let loc = self.loc(stmt.span);
        match &stmt.kind {
            StmtKind::Empty | StmtKind::Barrier => {}
            StmtKind::Expr(expr) => self.full_effect(expr),
            StmtKind::Block { locals, stmts } => {
                let scope = self.enter_block(locals, loc);
                for stmt in stmts {
                    self.stmt(stmt);
                }
                self.leave_block(scope, loc);
            }
            StmtKind::Decl { local, init } => self.decl(*local, init.as_ref(), loc),
            StmtKind::If { cond, then, other } => self.if_stmt(cond, then, other.as_deref(), loc),
            StmtKind::While { cond, body } => self.for_stmt(Some(cond), None, body, loc),
            StmtKind::DoWhile { body, cond } => self.do_while(body, cond, loc),
            StmtKind::For { cond, step, body } => self.for_stmt(cond.as_ref(), step.as_ref(), body, loc),
            StmtKind::Switch { cond, body, cases, has_default } => {
                self.switch(cond, body, cases, *has_default, loc);
            }
            StmtKind::Case { index, body } => {
                let edge = self.switches.last().and_then(|s| s.cases.get(*index).copied());
                self.case(edge, body, loc);
            }
            StmtKind::Default { body } => {
                let edge = self.switches.last().map(|s| s.default);
                self.case(edge, body, loc);
            }
            StmtKind::Label { label, body } => {
                let block = self.labels[*label].block;
                self.labels[*label].scope = Some(self.scope);
                self.body.flow_into(block, loc);
                if let Some(name) = self.labels[*label].error {
                    self.error(name, loc);
                }
                if self.labels[*label].asynchronous {
                    self.asynchronous(body, loc);
                } else {
                    self.stmt(body);
                }
            }
            StmtKind::Goto(label) => self.goto(*label, loc),
            StmtKind::Break => self.exit(self.breaks.last().copied(), loc),
            StmtKind::Continue => self.exit(self.continues.last().copied(), loc),
            StmtKind::Return(value) => self.return_stmt(value.as_ref(), loc),
            StmtKind::Unsupported(what) => self.unsupported(what, loc),
        }
    }

    /// Evaluates a full expression for its effects.
    pub fn full_effect(&mut self, expr: &hir::Expr) {
        let mark = self.temps.len();
        self.effect(expr);
        self.end_temps(mark, expr);
    }

    /// Evaluates a full expression of scalar type.
    pub fn full_value(&mut self, expr: &hir::Expr) -> Operand {
        let mark = self.temps.len();
        let value = self.value(expr);
        self.end_temps(mark, expr);
        value
    }

    /// The temporary objects made since `mark` die.
    pub fn end_temps(&mut self, mark: usize, expr: &hir::Expr) {
        if self.temps.len() > mark {
            let loc = self.loc(expr.span);
            let dead = self.temps.split_off(mark);
            for local in dead {
                self.body.emit(Op::LocalDead { local }, loc);
            }
        }
    }

    /// Evaluates a condition that is a full expression; gives the blocks entered if it is true and if
    /// it is false.
    fn full_branch(&mut self, cond: &hir::Expr) -> (BlockId, BlockId) {
        let (then, other) = (self.body.new_block(), self.body.new_block());
        let mark = self.temps.len();
        self.branch_on(cond, then, other);
        if self.temps.len() > mark {
            let loc = self.loc(cond.span);
            let dead = self.temps.split_off(mark);
            for block in [then, other] {
                self.body.current = block;
                for &local in &dead {
                    self.body.emit(Op::LocalDead { local }, loc);
                }
            }
        }
        (then, other)
    }

    fn decl(&mut self, local: LocalId, init: Option<&Init>, loc: Loc) {
        let info = &self.locals[local];
        let (ty, cleanup) = (info.ty, info.cleanup);
        match self.homes[local] {
            Home::Pointer(reg) => {
                let size = self.size_operand(ty.ty, loc);
                let align = self.locals[local].align.unwrap_or(16);
                let align = self.cx.word_const(align);
                let dst = reg;
                self.body.emit(Op::Alloc { dst, kind: AllocKind::Stack, size, align, zeroed: false }, loc);
                self.body.wrote(reg);
                self.push_scope(ScopeKind::Vla(reg));
            }
            Home::Reg(reg) if init.is_none() => self.set_arbitrary(reg, loc),
            Home::Reg(_) | Home::Memory(_) => {}
        }
        if let Some(init) = init {
            let mark = self.temps.len();
            self.initialise(local, init, loc);
            let dead = self.temps.split_off(mark.min(self.temps.len()));
            for local in dead {
                self.body.emit(Op::LocalDead { local }, loc);
            }
        }
        if let Some(function) = cleanup {
            self.announce_cleanup(local, function, loc);
            self.push_scope(ScopeKind::Cleanup { local, function });
        }
    }

    fn if_stmt(&mut self, cond: &hir::Expr, then: &Stmt, other: Option<&Stmt>, loc: Loc) {
        if self.asks_for_unused_feature(cond) {
            // What only that feature needs does not even become part of the program.
            if let Some(other) = other {
                self.stmt(other);
            }
            return;
        }
        let (yes, no) = self.full_branch(cond);
        let after = self.body.new_block();
        self.body.current = yes;
        self.stmt(then);
        self.body.jump_then(after, no, loc);
        if let Some(other) = other {
            self.stmt(other);
        }
        self.body.flow_into(after, loc);
    }

    fn for_stmt(&mut self, cond: Option<&hir::Expr>, step: Option<&hir::Expr>, body: &Stmt, loc: Loc) {
        let header = self.body.new_block();
        let next = if step.is_some() { self.body.new_block() } else { header };
        let after = self.body.new_block();
        self.body.flow_into(header, loc);
        if let Some(cond) = cond {
            let (yes, no) = self.full_branch(cond);
            self.body.current = no;
            self.body.jump_then(after, yes, loc);
        }
        self.loop_body(body, next, after);
        self.body.flow_into(next, loc);
        if let Some(step) = step {
            self.full_effect(step);
            self.body.flow_into(header, loc);
        }
        self.body.current = after;
    }

    fn do_while(&mut self, body: &Stmt, cond: &hir::Expr, loc: Loc) {
        let header = self.body.new_block();
        let next = self.body.new_block();
        let after = self.body.new_block();
        self.body.flow_into(header, loc);
        self.loop_body(body, next, after);
        self.body.flow_into(next, loc);
        let (yes, no) = self.full_branch(cond);
        self.body.current = yes;
        self.body.jump_then(header, no, loc);
        self.body.flow_into(after, loc);
    }

    fn loop_body(&mut self, body: &Stmt, next: BlockId, after: BlockId) {
        self.breaks.push(Exit { block: after, scope: self.scope });
        self.continues.push(Exit { block: next, scope: self.scope });
        self.stmt(body);
        self.breaks.pop();
        self.continues.pop();
    }

    fn exit(&mut self, exit: Option<Exit>, loc: Loc) {
        match exit {
            Some(exit) => self.jump_out(exit.block, exit.scope, loc),
            // A stray one was reported by the checks before.
            None => self.unsupported(OUT_OF_THREAD, loc),
        }
    }

    fn goto(&mut self, label: LabelId, loc: Loc) {
        let next = self.body.new_block();
        let state = &self.labels[label];
        match state.scope {
            Some(scope) => {
                let block = state.block;
                self.change_scope(self.scope, scope, loc);
                self.body.jump_then(block, next, loc);
            }
            None => {
                let edge = self.body.new_block();
                self.pending.push(PendingJump { edge, from: self.scope, label, loc });
                self.body.jump_then(edge, next, loc);
            }
        }
    }

    fn return_stmt(&mut self, value: Option<&hir::Expr>, loc: Loc) {
        let class = self.ret.map_or(Class::Void, |ret| self.cx.class(ret.ty));
        let operand = match (value, class) {
            (None, Class::Void | Class::Aggregate) => None,
            (None, Class::Scalar(ty)) => {
                let reg = self.body.temp(ty);
                self.set_arbitrary(reg, loc);
                Some(Operand::Reg(reg))
            }
            (Some(value), Class::Scalar(_)) => Some(self.full_value(value)),
            (Some(value), Class::Aggregate) => {
                if let Some(ptr) = self.result_ptr {
                    let mark = self.temps.len();
                    self.value_into(value, Operand::Reg(ptr));
                    self.end_temps(mark, value);
                }
                None
            }
            (Some(value), Class::Void) => {
                self.full_effect(value);
                None
            }
        };
        let kept = operand.map(|operand| self.body.keep(operand));
        self.run_cleanups(loc);
        let operand = kept.map(|kept| self.body.settle(kept, loc));
        self.body.end(TermKind::Return(operand), loc);
    }

    fn case(&mut self, edge: Option<BlockId>, body: &Stmt, loc: Loc) {
        if let (Some(edge), Some(from)) = (edge, self.switches.last().map(|s| s.scope)) {
            let block = self.body.new_block();
            self.body.flow_into(block, loc);
            self.fill_edge(edge, from, block, self.scope, loc);
        }
        self.stmt(body);
    }

    /// Every case has an edge block, filled when its label is met: it may lie in inner scopes, whose
    /// objects then come to life on the way.
    fn switch(&mut self, cond: &hir::Expr, body: &Stmt, cases: &[CaseRange], has_default: bool, loc: Loc) {
        let value = self.full_value(cond);
        let ty = self.cx.scalar(cond.ty.ty);
        let is_signed = self.cx.is_signed(cond.ty.ty);
        let after = self.body.new_block();
        let edges: Vec<BlockId> = cases.iter().map(|_| self.body.new_block()).collect();
        let default = if has_default { self.body.new_block() } else { after };

        let mut single = BTreeMap::new();
        for (range, &edge) in cases.iter().zip(&edges) {
            if range.last.wrapping_sub(range.first) < MAX_CASES_OF_RANGE {
                self.expand_range(*range, ty, edge, &mut single);
            } else {
                self.test_range(*range, (value, ty), is_signed, edge, loc);
            }
        }
        let cases = single.into_iter().collect();
        self.body.end(TermKind::Switch { ty, value, cases, default }, loc);

        self.switches.push(SwitchFrame { cases: edges.clone(), default, scope: self.scope });
        self.breaks.push(Exit { block: after, scope: self.scope });
        self.stmt(body);
        self.breaks.pop();
        self.switches.pop();
        self.body.flow_into(after, loc);
        // Labels in the statement of a thread are not met here.
        for edge in edges.into_iter().chain(has_default.then_some(default)) {
            if self.body.blocks[edge].end.is_none() {
                self.body.current = edge;
                self.unsupported(INTO_THREAD, loc);
                self.body.current = after;
            }
        }
    }

    fn expand_range(&self, range: CaseRange, ty: Ty, edge: BlockId, single: &mut BTreeMap<u128, BlockId>) {
        let width = ty.bits(self.cx.program.pointer_bytes) as u8;
        let count = range.last.wrapping_sub(range.first);
        for step in 0..=count {
            single.entry(braid_ir::fold::cut(range.first.wrapping_add(step), width)).or_insert(edge);
        }
    }

    /// A range too long to list: comparisons before the switch proper.
    fn test_range(
        &mut self,
        range: CaseRange,
        (value, ty): (Operand, Ty),
        is_signed: bool,
        edge: BlockId,
        loc: Loc,
    ) {
        let Ty::Int(width) = ty else { return };
        let empty = match is_signed {
            true => signed(range.first, width) > signed(range.last, width),
            false => range.first > range.last,
        };
        if empty {
            return;
        }
        let op = if is_signed { CmpOp::Sle } else { CmpOp::Ule };
        let (first, last) = (self.cx.int(width, range.first), self.cx.int(width, range.last));
        let (inner, next) = (self.body.new_block(), self.body.new_block());
        let above = self.emit_value(Expr::Compare { op, ty, a: first, b: value }, Ty::BOOL, loc);
        self.body.branch(above, inner, next, loc);
        self.body.current = inner;
        let below = self.emit_value(Expr::Compare { op, ty, a: value, b: last }, Ty::BOOL, loc);
        self.body.branch(below, edge, next, loc);
        self.body.current = next;
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::ir_of;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&ir_of(text));
    }

    #[test]
    fn loops_and_conditions() {
        check(
            "int f(int n) { int s = 0; for (int i = 0; i < n && s != 7; i++) s ^= i; return s; }",
            expect![[r#"
                fn &f(%n.0) -> i32
                b0:
                  %s.1 = 0:i32
                  %i.2 = 0:i32
                  jump b1
                b1:
                  %3 = slt i32 %i.2, %n.0
                  br %3, b2, b4
                b2:
                  %4 = ne i32 %s.1, 7:i32
                  br %4, b3, b4
                b3:
                  %s.1 = xor i32 %s.1, %i.2
                  assert signed-overflow, fits add signed i32 %i.2, 1:i32
                  %i.2 = add i32 %i.2, 1:i32
                  jump b1
                b4:
                  ret %s.1
                }
            "#]],
        );
    }

    #[test]
    fn switch_with_ranges() {
        check(
            "int f(unsigned n) { switch (n) { case 3: return 1; case 5 ... 7: return 2; case 100 ... 10000: return 3; default: return 4; } }",
            expect![[r#"
                fn &f(%n.0) -> i32
                b0:
                  %1 = ule i32 100:i32, %n.0
                  br %1, b1, b3
                b1:
                  %2 = ule i32 %n.0, 10000:i32
                  br %2, b2, b3
                b2:
                  ret 3:i32
                b3:
                  switch i32 %n.0, [3: b4, 5: b5, 6: b5, 7: b5], b6
                b4:
                  ret 1:i32
                b5:
                  ret 2:i32
                b6:
                  ret 4:i32
                }
            "#]],
        );
    }
}
