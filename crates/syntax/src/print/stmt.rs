//! Statements and blocks.

use super::Printer;
use super::expr::{COMMA, CONDITIONAL};
use crate::ast::*;

impl Printer<'_> {
    pub(super) fn block(&mut self, block: &Block) {
        self.push("{");
        self.indent += 1;
        if !block.local_labels.is_empty() {
            self.new_line();
            self.push("__label__ ");
            self.list(&block.local_labels, |p, label| p.push(label.as_str()));
            self.push(";");
        }
        for item in &block.items {
            self.new_line();
            match item {
                BlockItem::Declaration(declaration) => self.declaration(declaration),
                BlockItem::StaticAssert(assertion) => self.static_assert(assertion),
                BlockItem::NestedFunction(function) => self.function(function),
                BlockItem::Stmt(stmt) => self.stmt(stmt),
            }
        }
        self.indent -= 1;
        self.new_line();
        self.push("}");
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Empty => self.push(";"),
            StmtKind::Expr(expr) => {
                self.expr(expr, COMMA);
                self.push(";");
            }
            StmtKind::Block(block) => self.block(block),
            StmtKind::If { cond, then, other } => self.if_stmt(cond, then, other.as_deref()),
            StmtKind::While { cond, body } => {
                self.header("while", cond);
                self.body(body);
            }
            StmtKind::DoWhile { body, cond } => {
                self.push("do");
                self.body(body);
                self.new_line();
                self.header("while", cond);
                self.push(";");
            }
            StmtKind::For { init, cond, step, body } => {
                self.for_stmt(init, cond.as_deref(), step.as_deref(), body)
            }
            StmtKind::Switch { cond, body } => {
                self.header("switch", cond);
                self.body(body);
            }
            StmtKind::Case { first, last, body } => {
                self.push("case ");
                self.expr(first, CONDITIONAL);
                if let Some(last) = last {
                    self.push(" ... ");
                    self.expr(last, CONDITIONAL);
                }
                self.labelled(body);
            }
            StmtKind::Default { body } => {
                self.push("default");
                self.labelled(body);
            }
            StmtKind::Label { name, attrs, body } => {
                self.push(name.as_str());
                self.push(":");
                self.attributes(attrs);
                self.new_line();
                self.stmt(body);
            }
            StmtKind::Goto(label) => {
                self.push("goto ");
                self.push(label.as_str());
                self.push(";");
            }
            StmtKind::GotoComputed(target) => {
                self.push("goto *");
                self.expr(target, COMMA);
                self.push(";");
            }
            StmtKind::Break => self.push("break;"),
            StmtKind::Continue => self.push("continue;"),
            StmtKind::Return(value) => {
                self.push("return");
                if let Some(value) = value {
                    self.push(" ");
                    self.expr(value, COMMA);
                }
                self.push(";");
            }
            StmtKind::Asm(_) => self.assembly(stmt.span),
            StmtKind::Attribute => self.push("__attribute__((__fallthrough__));"),
        }
    }

    fn labelled(&mut self, body: &Stmt) {
        self.push(":");
        self.new_line();
        self.stmt(body);
    }

    fn header(&mut self, keyword: &str, cond: &Expr) {
        self.push(keyword);
        self.push(" (");
        self.expr(cond, COMMA);
        self.push(")");
    }

    /// The statement under a header, on a line of its own unless it is a block.
    fn body(&mut self, body: &Stmt) {
        if matches!(body.kind, StmtKind::Block(_)) {
            self.push(" ");
            self.stmt(body);
            return;
        }
        self.indent += 1;
        self.new_line();
        self.stmt(body);
        self.indent -= 1;
    }

    fn if_stmt(&mut self, cond: &Expr, then: &Stmt, other: Option<&Stmt>) {
        let (mut cond, mut then, mut other) = (cond, then, other);
        // A chain of `else if` is one loop: its length is no matter of nesting.
        loop {
            self.header("if", cond);
            if other.is_some() && ends_with_open_if(then) {
                self.push(" {");
                self.body(then);
                self.push(" }");
            } else {
                self.body(then);
            }
            let Some(rest) = other else { return };
            self.new_line();
            self.push("else");
            match &rest.kind {
                StmtKind::If { cond: next_cond, then: next_then, other: next_other } => {
                    self.push(" ");
                    (cond, then, other) = (next_cond, next_then, next_other.as_deref());
                }
                _ => return self.body(rest),
            }
        }
    }

    fn for_stmt(&mut self, init: &ForInit, cond: Option<&Expr>, step: Option<&Expr>, body: &Stmt) {
        self.push("for (");
        match init {
            ForInit::None => self.push(";"),
            ForInit::Expr(expr) => {
                self.expr(expr, COMMA);
                self.push(";");
            }
            ForInit::Declaration(declaration) => self.declaration(declaration),
            ForInit::StaticAssert(assertion) => self.static_assert(assertion),
        }
        if let Some(cond) = cond {
            self.push(" ");
            self.expr(cond, COMMA);
        }
        self.push(";");
        if let Some(step) = step {
            self.push(" ");
            self.expr(step, COMMA);
        }
        self.push(")");
        self.body(body);
    }
}

/// Whether an `else` behind this statement would be taken by an `if` inside it.
fn ends_with_open_if(stmt: &Stmt) -> bool {
    let mut stmt = stmt;
    loop {
        stmt = match &stmt.kind {
            StmtKind::If { other: None, .. } => return true,
            StmtKind::If { other: Some(last), .. } => last,
            StmtKind::While { body, .. }
            | StmtKind::For { body, .. }
            | StmtKind::Switch { body, .. }
            | StmtKind::Case { body, .. }
            | StmtKind::Default { body }
            | StmtKind::Label { body, .. } => body,
            StmtKind::Empty
            | StmtKind::Expr(_)
            | StmtKind::Block(_)
            | StmtKind::DoWhile { .. }
            | StmtKind::Goto(_)
            | StmtKind::GotoComputed(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Asm(_)
            | StmtKind::Attribute => return false,
        };
    }
}
