//! Statements, blocks, labels and `switch`.

use crate::assignable::Purpose;
use crate::check::Checker;
use crate::hir::{CaseRange, Expr, ExprKind, Label, LabelId, Stmt, StmtKind};
use crate::types::{QualType, TypeId};
use braid_base::{Diagnostic, HashMap, Span, Symbol};
use braid_syntax::ast;

/// A `switch` being checked.
pub(crate) struct Switch {
    /// The promoted type of its condition.
    ty: TypeId,
    cases: Vec<(CaseRange, Span)>,
    default: Option<Span>,
    /// The scope of variably modified types it stands in.
    vm: u32,
}

impl Checker<'_> {
    fn func(&mut self) -> &mut crate::check::FnCtx {
        self.func.as_mut().expect("statements stand inside functions")
    }

    fn block(&mut self, block: &ast::Block) -> Stmt {
        self.scopes.enter();
        let vm = self.func().vm_here;
        let stmt = self.block_in_scope(block, Vec::new());
        self.func().vm_here = vm;
        self.scopes.leave();
        stmt
    }

    /// From here on a variably modified declaration is in scope, which no jump may enter.
    pub fn enter_vm_scope(&mut self) {
        let func = self.func();
        let new = func.vm_parents.len() as u32;
        let parent = func.vm_here;
        func.vm_parents.push(parent);
        func.vm_here = new;
    }

    /// Reports a jump from scope `from` to scope `to` if that enters a variably modified declaration.
    fn check_jump(&mut self, from: u32, to: u32, span: Span) {
        let func = self.func();
        let mut at = from;
        while at > to {
            at = func.vm_parents[at as usize];
        }
        if at != to {
            self.error("jump-into-scope", span, "this jump enters the scope of a variable-length array");
        }
    }

    /// A block whose scope is already open (a function's body shares that of its parameters).
    pub fn block_in_scope(&mut self, block: &ast::Block, prologue: Vec<Stmt>) -> Stmt {
        self.open_block(block);
        let mut stmts = prologue;
        for item in &block.items {
            self.block_item(item, &mut stmts);
        }
        self.close_block(block, stmts)
    }

    fn open_block(&mut self, block: &ast::Block) {
        let func = self.func();
        let locals = std::mem::take(&mut func.prologue_locals);
        func.block_locals.push(locals);
        let mut own = HashMap::default();
        for &name in &block.local_labels {
            let id = func.labels.push(Label { name, span: block.span });
            func.label_defined.push(false);
            func.label_vm.push(0);
            own.insert(name, id);
        }
        func.label_scopes.push(own);
    }

    fn close_block(&mut self, block: &ast::Block, stmts: Vec<Stmt>) -> Stmt {
        let func = self.func();
        func.label_scopes.pop();
        let locals = func.block_locals.pop().unwrap_or_default();
        Stmt { kind: StmtKind::Block { locals, stmts }, span: block.span }
    }

    fn block_item(&mut self, item: &ast::BlockItem, out: &mut Vec<Stmt>) {
        if self.diags.at_limit() {
            return;
        }
        match item {
            ast::BlockItem::Declaration(decl) => self.declaration(decl, out),
            ast::BlockItem::StaticAssert(claim) => self.static_assert(claim),
            ast::BlockItem::NestedFunction(def) => self.nested_function(def),
            ast::BlockItem::Stmt(stmt) => {
                let stmt = self.stmt(stmt);
                out.push(stmt);
            }
        }
    }

    pub fn stmt(&mut self, stmt: &ast::Stmt) -> Stmt {
        let span = stmt.span;
        let kind = match &stmt.kind {
            ast::StmtKind::Empty | ast::StmtKind::Attribute => StmtKind::Empty,
            ast::StmtKind::Expr(e) => StmtKind::Expr(self.rvalue(e)),
            ast::StmtKind::Block(block) => return self.block(block),
            ast::StmtKind::If { cond, then, other } => {
                let cond = self.condition_of(cond);
                let then = Box::new(self.stmt(then));
                let other = other.as_ref().map(|other| Box::new(self.stmt(other)));
                StmtKind::If { cond, then, other }
            }
            ast::StmtKind::While { cond, body } => {
                let cond = self.condition_of(cond);
                StmtKind::While { cond, body: self.loop_body(body) }
            }
            ast::StmtKind::DoWhile { body, cond } => {
                let body = self.loop_body(body);
                StmtKind::DoWhile { body, cond: self.condition_of(cond) }
            }
            ast::StmtKind::For { init, cond, step, body } => {
                return self.for_loop(init, cond.as_deref(), step.as_deref(), body, span);
            }
            ast::StmtKind::Switch { cond, body } => self.switch(cond, body),
            ast::StmtKind::Case { first, last, body } => {
                return self.case(first, last.as_deref(), body, span);
            }
            ast::StmtKind::Default { body } => return self.default(body, span),
            ast::StmtKind::Label { name, body, .. } => {
                let label = self.define_label(*name, span);
                StmtKind::Label { label, body: Box::new(self.stmt(body)) }
            }
            ast::StmtKind::Goto(name) => {
                let label = self.label_id(*name, span);
                let from = self.func().vm_here;
                self.func().gotos.push((label, from, span));
                StmtKind::Goto(label)
            }
            ast::StmtKind::GotoComputed(e) => {
                let _ = self.unevaluated_expr(e);
                StmtKind::Unsupported("computed goto".to_owned())
            }
            ast::StmtKind::Break => {
                if self.func().breakable == 0 {
                    self.error("stray-break", span, "'break' outside a loop or switch");
                }
                StmtKind::Break
            }
            ast::StmtKind::Continue => {
                if self.func().loops == 0 {
                    self.error("stray-continue", span, "'continue' outside a loop");
                }
                StmtKind::Continue
            }
            ast::StmtKind::Return(value) => return self.return_stmt(value.as_deref(), span),
            ast::StmtKind::Asm(asm) => self.assembly(asm, span),
        };
        Stmt { kind, span }
    }

    fn condition_of(&mut self, e: &ast::Expr) -> Expr {
        let value = self.rvalue(e);
        self.condition(value)
    }

    fn loop_body(&mut self, body: &ast::Stmt) -> Box<Stmt> {
        self.func().loops += 1;
        self.func().breakable += 1;
        let body = self.stmt(body);
        self.func().loops -= 1;
        self.func().breakable -= 1;
        Box::new(body)
    }

    fn for_loop(
        &mut self,
        init: &ast::ForInit,
        cond: Option<&ast::Expr>,
        step: Option<&ast::Expr>,
        body: &ast::Stmt,
        span: Span,
    ) -> Stmt {
        self.scopes.enter();
        let vm = self.func().vm_here;
        self.func().block_locals.push(Vec::new());
        let mut stmts = Vec::new();
        match init {
            ast::ForInit::None => {}
            ast::ForInit::Expr(e) => {
                let value = self.rvalue(e);
                stmts.push(Stmt { kind: StmtKind::Expr(value), span: e.span });
            }
            ast::ForInit::Declaration(decl) => self.declaration(decl, &mut stmts),
            ast::ForInit::StaticAssert(claim) => self.static_assert(claim),
        }
        let cond = cond.map(|cond| self.condition_of(cond));
        let step = step.map(|step| self.rvalue(step));
        let body = self.loop_body(body);
        stmts.push(Stmt { kind: StmtKind::For { cond, step, body }, span });
        let locals = self.func().block_locals.pop().unwrap_or_default();
        self.func().vm_here = vm;
        self.scopes.leave();
        Stmt { kind: StmtKind::Block { locals, stmts }, span }
    }

    fn return_stmt(&mut self, value: Option<&ast::Expr>, span: Span) -> Stmt {
        let ret = self.func().ret;
        let is_void = self.types.is_void(ret.ty);
        let Some(value) = value else {
            if !is_void && !self.types.is_error(ret.ty) {
                let shown = self.types.show(ret);
                self.warn(
                    "return-without-value",
                    span,
                    format!("'return' without a value; '{shown}' is expected"),
                );
            }
            return Stmt { kind: StmtKind::Return(None), span };
        };
        let e = self.rvalue(value);
        if !is_void {
            let e = self.assign_convert(e, ret, Purpose::Return, value.span);
            return Stmt { kind: StmtKind::Return(Some(e)), span };
        }
        if !self.types.is_void(e.ty.ty) && !self.types.is_error(e.ty.ty) {
            self.warn("return-with-value", span, "'return' with a value in a function that returns 'void'");
        }
        let effect = Stmt { kind: StmtKind::Expr(e), span };
        let back = Stmt { kind: StmtKind::Return(None), span };
        Stmt { kind: StmtKind::Block { locals: Vec::new(), stmts: vec![effect, back] }, span }
    }

    // Switch

    fn switch(&mut self, cond: &ast::Expr, body: &ast::Stmt) -> StmtKind {
        let mut value = self.rvalue(cond);
        if !self.types.is_integer(value.ty.ty) && !self.types.is_error(value.ty.ty) {
            let shown = self.show(value.ty.ty);
            self.error("bad-switch", cond.span, format!("'switch' on type '{shown}', not an integer"));
            value = self.error_expr(cond.span);
        }
        let value = self.promote(value);
        let ty = value.ty.ty;
        let vm = self.func().vm_here;
        self.func().switches.push(Switch { ty, cases: Vec::new(), default: None, vm });
        self.func().breakable += 1;
        let body = Box::new(self.stmt(body));
        self.func().breakable -= 1;
        let switch = self.func().switches.pop().expect("the switch pushed above is still open");
        self.check_duplicates(&switch);
        let cases = switch.cases.into_iter().map(|(range, _)| range).collect();
        StmtKind::Switch { cond: value, body, cases, has_default: switch.default.is_some() }
    }

    fn check_duplicates(&mut self, switch: &Switch) {
        let key = |v: u128| self.types.extend(switch.ty, v);
        let mut sorted: Vec<_> =
            switch.cases.iter().map(|(c, span)| (key(c.first), key(c.last), *span)).collect();
        sorted.sort_by_key(|(first, _, span)| (*first, span.lo));
        for pair in sorted.windows(2) {
            let ((_, last, one), (first, _, two)) = (pair[0], pair[1]);
            if first <= last {
                let (earlier, later) = if one.lo < two.lo { (one, two) } else { (two, one) };
                self.report(
                    Diagnostic::error("duplicate-case", later, "duplicate case value")
                        .note_at(earlier, "it was used here"),
                );
            }
        }
    }

    fn case(&mut self, first: &ast::Expr, last: Option<&ast::Expr>, body: &ast::Stmt, span: Span) -> Stmt {
        let range = self.case_range(first, last);
        self.check_case_scope(span);
        let index = match (range, self.func().switches.last_mut()) {
            (Some(range), Some(switch)) => {
                switch.cases.push((range, first.span));
                Some(switch.cases.len() - 1)
            }
            (_, None) => {
                self.error("stray-case", span, "'case' outside a switch");
                None
            }
            (None, Some(_)) => None,
        };
        let body = self.stmt(body);
        match index {
            Some(index) => Stmt { kind: StmtKind::Case { index, body: Box::new(body) }, span },
            None => body,
        }
    }

    fn check_case_scope(&mut self, span: Span) {
        let to = self.func().vm_here;
        if let Some(from) = self.func().switches.last().map(|switch| switch.vm) {
            self.check_jump(from, to, span);
        }
    }

    /// The range of a case in the switch's type; `None` if it is empty or in error.
    fn case_range(&mut self, first: &ast::Expr, last: Option<&ast::Expr>) -> Option<CaseRange> {
        let low = self.case_value(first)?;
        let high = match last {
            Some(last) => self.case_value(last)?,
            None => low,
        };
        let ty = self.func().switches.last()?.ty;
        if self.types.extend(ty, high) < self.types.extend(ty, low) {
            self.warn("empty-range", first.span, "the range of this case is empty");
            return None;
        }
        Some(CaseRange { first: low, last: high })
    }

    fn case_value(&mut self, e: &ast::Expr) -> Option<u128> {
        let value = self.rvalue(e);
        let number = self.require_int(&value, "case label")?;
        let ty = self.func().switches.last()?.ty;
        Some(self.types.wrap(ty, number as u128))
    }

    fn default(&mut self, body: &ast::Stmt, span: Span) -> Stmt {
        let mut belongs = true;
        self.check_case_scope(span);
        let previous = self.func().switches.last_mut().map(|switch| switch.default.replace(span));
        match previous {
            None => {
                self.error("stray-case", span, "'default' outside a switch");
                belongs = false;
            }
            Some(Some(previous)) => {
                self.report(
                    Diagnostic::error("duplicate-case", span, "two 'default' labels in one switch")
                        .note_at(previous, "the first one is here"),
                );
                belongs = false;
            }
            Some(None) => {}
        }
        let body = self.stmt(body);
        if belongs { Stmt { kind: StmtKind::Default { body: Box::new(body) }, span } } else { body }
    }

    // Labels

    /// The label of that name, made if this is its first mention.
    fn label_id(&mut self, name: Symbol, span: Span) -> LabelId {
        let func = self.func();
        if let Some(id) = func.label_scopes.iter().rev().find_map(|scope| scope.get(&name)) {
            return *id;
        }
        let id = func.labels.push(Label { name, span });
        func.label_defined.push(false);
        func.label_vm.push(0);
        func.label_scopes[0].insert(name, id);
        id
    }

    /// `&&name`
    pub fn label_ref(&mut self, name: Symbol, span: Span) {
        if self.func.is_some() {
            self.label_id(name, span);
        } else {
            self.error("stray-label", span, "the address of a label outside a function");
        }
    }

    fn define_label(&mut self, name: Symbol, span: Span) -> LabelId {
        let id = self.label_id(name, span);
        let func = self.func();
        let previous = func.labels[id].span;
        if std::mem::replace(&mut func.label_defined[id.0 as usize], true) {
            self.report(
                Diagnostic::error("redefinition", span, format!("duplicate label '{name}'"))
                    .note_at(previous, "the first one is here"),
            );
        } else {
            let func = self.func();
            func.labels[id].span = span;
            func.label_vm[id.0 as usize] = func.vm_here;
        }
        id
    }

    pub fn check_labels(&mut self) {
        for (label, from, span) in std::mem::take(&mut self.func().gotos) {
            let to = self.func().label_vm[label.0 as usize];
            self.check_jump(from, to, span);
        }
        let func = self.func();
        let missing: Vec<(Symbol, Span)> = func
            .labels
            .iter()
            .zip(&func.label_defined)
            .filter(|(_, defined)| !**defined)
            .map(|(label, _)| (label.name, label.span))
            .collect();
        for (name, span) in missing {
            self.error("undefined-label", span, format!("label '{name}' is not defined in this function"));
        }
    }

    // Statement expressions

    pub fn stmt_expr(&mut self, block: &ast::Block, span: Span) -> Expr {
        if self.func.is_none() {
            self.error("stray-statement", span, "a statement expression outside a function");
            return self.error_expr(span);
        }
        self.scopes.enter();
        let vm = self.func().vm_here;
        self.open_block(block);
        let mut stmts = Vec::new();
        let mut result = None;
        for (i, item) in block.items.iter().enumerate() {
            match item {
                ast::BlockItem::Stmt(stmt) if i + 1 == block.items.len() => {
                    result = self.last_statement(stmt, &mut stmts);
                }
                _ => self.block_item(item, &mut stmts),
            }
        }
        let body = Box::new(self.close_block(block, stmts));
        self.func().vm_here = vm;
        self.scopes.leave();
        let ty = result.as_ref().map_or(QualType::plain(self.common.void), |r: &Expr| r.ty);
        Expr { kind: ExprKind::StmtExpr { body, result: result.map(Box::new) }, ty, span }
    }

    /// The statement that gives a statement expression its value, if it is an expression.
    fn last_statement(&mut self, stmt: &ast::Stmt, out: &mut Vec<Stmt>) -> Option<Expr> {
        match &stmt.kind {
            ast::StmtKind::Label { name, body, .. } => {
                let label = self.define_label(*name, stmt.span);
                let empty = Box::new(Stmt { kind: StmtKind::Empty, span: stmt.span });
                out.push(Stmt { kind: StmtKind::Label { label, body: empty }, span: stmt.span });
                self.last_statement(body, out)
            }
            ast::StmtKind::Expr(e) => {
                let value = self.rvalue(e);
                if !self.types.is_void(value.ty.ty) {
                    return Some(value);
                }
                out.push(Stmt { kind: StmtKind::Expr(value), span: stmt.span });
                None
            }
            _ => {
                let stmt = self.stmt(stmt);
                out.push(stmt);
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_f, check_messages};
    use expect_test::expect;

    #[test]
    fn control_flow() {
        check_f(
            "void f(int x) {\n\
             for (int i = 0; i < x; i++) { if (i) continue; else break; }\n\
             switch ((char)x) { case 'a': case 5 ... 9: x++; break; default: goto end; case -1: ; }\n\
             x = ({ int y = x; lab: y + 1; }); ({ f(1); }); ({ ; });\n\
             do x--; while (x); end: asm volatile(\"\" ::: \"memory\");\n\
             }\n",
            expect![[r#"
                {
                  {i
                    decl i: int = 0
                    for (Lt (ld i) (ld x)) ; (+= i 1 in int Old)
                      {
                        if (ld i)
                          continue
                        else
                          break
                      }
                  }
                  switch (Int:int (Int:char (ld x))) [97..97 5..9 4294967295..4294967295] default
                    {
                      case 0
                        case 1
                          (+= x 1 in int Old)
                      break
                      default
                        goto label0
                      case 2
                        empty
                    }
                  (= x (stmts {y decl y: int = (ld x) label1: empty } => (+ (ld y) 1)))
                  (stmts { (call f 1) } => void)
                  (stmts { empty } => void)
                  do-while (ld x)
                    (-= x 1 in int Old)
                  label0:
                    barrier
                }
            "#]],
        );
    }

    #[test]
    fn left_out_constructs_are_named() {
        check_f(
            "void f(void *p, _Complex double z) {\n\
             int g(int a) { return a; } static void *t[] = { &&l }; l: goto *p; asm(\"hlt\"); g(1); t[0]; z + 1; __real__ z; 1.0i;\n\
             }\n",
            expect![[r#"
                {
                  label0:
                    unsupported computed goto
                  unsupported inline assembly
                  (call (unsupported nested function 'g':int (*)(int)) 1)
                  (ld (* (p+ (decay (* (unsupported the address of label 'l':void *(*)[1]))) 0 *8:unsigned long)))
                  (unsupported arithmetic on type _Complex:_Complex)
                  (unsupported '__real__' and '__imag__':double)
                  (unsupported a complex constant:_Complex)
                }
            "#]],
        );
    }

    #[test]
    fn labels_and_cases_are_checked() {
        check_messages(
            "void f(int x, double d) {\n\
             break; continue; case 1: ; default: ; goto nowhere; a: a: ;\n\
             switch (x) { case 1: case 1: ; case 0 ... 3: ; case x: ; default: ; default: ; case 9 ... 2: ; }\n\
             switch (d) { case 1: ; }\n\
             goto in; { int v[x]; in: ; }\n\
             return 1;\n\
             }\n\
             int g(void) { return; }\n",
            expect![[r#"
                t.c:2:1: error: 'break' outside a loop or switch [stray-break]
                t.c:2:8: error: 'continue' outside a loop [stray-continue]
                t.c:2:18: error: 'case' outside a switch [stray-case]
                t.c:2:28: error: 'default' outside a switch [stray-case]
                t.c:2:56: error: duplicate label 'a' [redefinition]
                t.c:2:53: note: the first one is here
                t.c:3:53: error: case label is not an integer constant [not-constant]
                t.c:3:69: error: two 'default' labels in one switch [duplicate-case]
                t.c:3:58: note: the first one is here
                t.c:3:85: warning: the range of this case is empty [empty-range]
                t.c:3:37: error: duplicate case value [duplicate-case]
                t.c:3:19: note: it was used here
                t.c:3:27: error: duplicate case value [duplicate-case]
                t.c:3:19: note: it was used here
                t.c:4:9: error: 'switch' on type 'double', not an integer [bad-switch]
                t.c:6:1: warning: 'return' with a value in a function that returns 'void' [return-with-value]
                t.c:5:1: error: this jump enters the scope of a variable-length array [jump-into-scope]
                t.c:2:39: error: label 'nowhere' is not defined in this function [undefined-label]
                t.c:8:15: warning: 'return' without a value; 'int' is expected [return-without-value]
            "#]],
        );
    }
}
