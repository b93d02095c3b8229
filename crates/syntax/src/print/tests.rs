//! Printing and reading back give the same tree, and gcc accepts what is printed.

use crate::ast::*;
use braid_base::{Diagnostics, SourceMap, Span, Symbol};
use std::io::Write as _;

/// A program with every construct of the language that the tree knows.
pub(crate) const EVERYTHING: &str = include_str!("testdata/everything.c");
const EDGE_CASES: &str = include_str!("testdata/edge_cases.c");

fn reprint(text: &str) -> String {
    let mut sources = SourceMap::default();
    let mut diags = Diagnostics::default();
    let unit = crate::parse(&mut sources, "t.c", text.into(), &mut diags);
    let errors: Vec<String> = diags.iter().map(|d| d.render(&sources)).collect();
    assert!(errors.is_empty(), "{}", errors.join(""));
    crate::print(&unit, &sources)
}

#[test]
fn printed_text_parses_to_the_same_tree() {
    for text in [EVERYTHING, EDGE_CASES] {
        let once = reprint(text);
        assert_eq!(reprint(&once), once);
    }
}

/// What gcc makes of a text: its assembly, without what names the file, the line or a generated name.
fn compile(text: &str) -> String {
    let mut child = std::process::Command::new("gcc")
        .args(["-std=gnu17", "-w", "-O0", "-S", "-x", "c", "-", "-o", "-"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the tests need gcc");
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "gcc rejects:\n{text}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter(|l| !l.contains(".file") && !l.starts_with('#')).map(|l| format!("{l}\n")).collect()
}

#[test]
fn printed_text_compiles_to_the_same_code() {
    for text in [EVERYTHING, EDGE_CASES] {
        assert_eq!(compile(&reprint(text)), compile(text));
    }
}

// ---- trees that no parser made ----

fn name(text: &str) -> Box<Expr> {
    Box::new(Expr { kind: ExprKind::Name(Symbol::intern(text)), span: Span::NONE })
}

fn binary(op: BinaryOp, lhs: Box<Expr>, rhs: Box<Expr>) -> Box<Expr> {
    Box::new(Expr { kind: ExprKind::Binary { op, lhs, rhs }, span: Span::NONE })
}

fn unary(op: UnaryOp, operand: Box<Expr>) -> Box<Expr> {
    Box::new(Expr { kind: ExprKind::Unary { op, operand }, span: Span::NONE })
}

fn expr_text(expr: &Expr) -> String {
    let sources = SourceMap::default();
    let mut printer = super::Printer { out: String::new(), indent: 0, sources: &sources };
    printer.expr(expr, super::expr::COMMA);
    printer.out
}

#[test]
fn parentheses_are_added_where_needed() {
    let sum = || binary(BinaryOp::Add, name("a"), name("b"));
    assert_eq!(expr_text(&binary(BinaryOp::Mul, sum(), sum())), "(a + b) * (a + b)");
    assert_eq!(expr_text(&binary(BinaryOp::Sub, sum(), sum())), "a + b - (a + b)");
    assert_eq!(expr_text(&unary(UnaryOp::Minus, unary(UnaryOp::Minus, sum()))), "- -(a + b)");
    assert_eq!(expr_text(&unary(UnaryOp::AddrOf, unary(UnaryOp::AddrOf, name("a")))), "& &a");
    let kind = ExprKind::Assign { op: Some(BinaryOp::Shl), lhs: name("x"), rhs: sum() };
    let assign = Box::new(Expr { kind, span: Span::NONE });
    assert_eq!(expr_text(&unary(UnaryOp::Not, assign)), "!(x <<= a + b)");
}

#[test]
fn dangling_else_is_braced() {
    let stmt = |kind| Stmt { kind, span: Span::NONE };
    let inner = stmt(StmtKind::If { cond: name("b"), then: Box::new(stmt(StmtKind::Break)), other: None });
    let outer = stmt(StmtKind::If {
        cond: name("a"),
        then: Box::new(inner),
        other: Some(Box::new(stmt(StmtKind::Continue))),
    });
    let sources = SourceMap::default();
    let mut printer = super::Printer { out: String::new(), indent: 0, sources: &sources };
    printer.stmt(&outer);
    let squeezed = printer.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(squeezed, "if (a) { if (b) break; } else continue;");
}
