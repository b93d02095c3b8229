//! Primary and postfix expressions.

use super::{Parsed, Parser};
use crate::ast::*;
use crate::literal;
use crate::token::TokenKind;
use braid_base::{Diagnostic, Span};

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Parsed<Expr> {
        let start = self.tok.span;
        let kind = match self.tok.kind {
            TokenKind::Ident => ExprKind::Name(self.bump().word),
            TokenKind::Number => self.literal(literal::number)?,
            TokenKind::Char => self.literal(literal::character)?,
            TokenKind::Str => ExprKind::Str(self.string_literal()?),
            TokenKind::FuncName => {
                self.bump();
                ExprKind::FuncName
            }
            TokenKind::True | TokenKind::False => {
                let value = self.bump().kind == TokenKind::True;
                ExprKind::Bool(value)
            }
            TokenKind::Nullptr => {
                self.bump();
                ExprKind::Nullptr
            }
            TokenKind::LParen => self.parenthesized()?,
            TokenKind::Generic => self.generic()?,
            TokenKind::BuiltinOffsetof
            | TokenKind::BuiltinVaArg
            | TokenKind::BuiltinTypesCompatible
            | TokenKind::BuiltinChooseExpr => self.special_builtin()?,
            _ => return Err(self.expected_expression()),
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    fn expected_expression(&mut self) -> super::Failed {
        let message = format!("expected an expression, found {}", self.found());
        self.error(Diagnostic::error("syntax", self.place_of_missing(), message))
    }

    fn literal(&mut self, read: fn(&str) -> Result<ExprKind, String>) -> Parsed<ExprKind> {
        let text = self.lexer.text_of(self.tok.span);
        match read(text) {
            Ok(kind) => {
                self.bump();
                Ok(kind)
            }
            Err(message) => Err(self.error(Diagnostic::error("bad-literal", self.tok.span, message))),
        }
    }

    /// `( e )` or `({ ... })`.
    fn parenthesized(&mut self) -> Parsed<ExprKind> {
        let open = self.bump().span;
        if self.at(TokenKind::LBrace) {
            self.in_stmt_expr += 1;
            self.names.open();
            let block = self.block();
            self.names.close();
            self.in_stmt_expr -= 1;
            let block = block?;
            self.expect_closing(TokenKind::RParen, open)?;
            return Ok(ExprKind::StmtExpr(block));
        }
        let lone_name = self.tok;
        let inner = self.expression()?;
        self.expect_closing(TokenKind::RParen, open)?;
        // `(foo) x` can only have been meant as a cast.
        if matches!(inner.kind, ExprKind::Name(_))
            && matches!(
                self.tok.kind,
                TokenKind::Ident | TokenKind::Number | TokenKind::Str | TokenKind::Char
            )
        {
            let message = format!("unknown type name '{}'", lone_name.word);
            return Err(self.error(Diagnostic::error("unknown-type", lone_name.span, message)));
        }
        Ok(ExprKind::Paren(Box::new(inner)))
    }

    fn generic(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let open = self.expect(TokenKind::LParen, "after '_Generic'")?.span;
        let control = Box::new(self.assignment()?);
        let mut arms = Vec::new();
        while self.eat(TokenKind::Comma) {
            let ty = if self.eat(TokenKind::Default) { None } else { Some(self.type_name()?) };
            self.expect(TokenKind::Colon, "after the type of a '_Generic' association")?;
            let expr = self.assignment()?;
            arms.push(GenericArm { ty, expr });
        }
        self.expect_closing(TokenKind::RParen, open)?;
        if arms.is_empty() {
            return Err(self.error(Diagnostic::error(
                "syntax",
                open,
                "'_Generic' needs at least one association",
            )));
        }
        Ok(ExprKind::Generic { control, arms })
    }

    /// The built-ins that take types, and the one that chooses an expression.
    fn special_builtin(&mut self) -> Parsed<ExprKind> {
        let name = self.bump();
        let open = self.expect(TokenKind::LParen, &format!("after '{}'", name.word))?.span;
        let kind = match name.kind {
            TokenKind::BuiltinOffsetof => {
                let ty = Box::new(self.type_name_argument()?);
                self.expect_argument_comma()?;
                ExprKind::Offsetof { ty, path: self.offsetof_path()? }
            }
            TokenKind::BuiltinVaArg => {
                let list = Box::new(self.assignment()?);
                self.expect_argument_comma()?;
                ExprKind::VaArg { list, ty: Box::new(self.type_name_argument()?) }
            }
            TokenKind::BuiltinTypesCompatible => {
                let a = Box::new(self.type_name_argument()?);
                self.expect_argument_comma()?;
                ExprKind::TypesCompatible { a, b: Box::new(self.type_name_argument()?) }
            }
            _ => {
                let cond = Box::new(self.assignment()?);
                self.expect_argument_comma()?;
                let then = Box::new(self.assignment()?);
                self.expect_argument_comma()?;
                ExprKind::ChooseExpr { cond, then, other: Box::new(self.assignment()?) }
            }
        };
        self.expect_closing(TokenKind::RParen, open)?;
        Ok(kind)
    }

    fn type_name_argument(&mut self) -> Parsed<TypeName> {
        if self.type_name_starts(0) {
            return self.type_name();
        }
        if self.at(TokenKind::Ident) {
            let message = format!("unknown type name '{}'", self.tok.word);
            return Err(self.error(Diagnostic::error("unknown-type", self.tok.span, message)));
        }
        Err(self.unexpected("a type"))
    }

    fn expect_argument_comma(&mut self) -> Parsed<()> {
        self.expect(TokenKind::Comma, "and another argument").map(|_| ())
    }

    /// Indexing, calls, members and increments behind an expression.
    pub(super) fn postfix(&mut self, mut expr: Expr) -> Parsed<Expr> {
        let start = expr.span;
        loop {
            let kind = match self.tok.kind {
                TokenKind::LBracket => self.index(expr)?,
                TokenKind::LParen => self.call(expr)?,
                TokenKind::Dot => self.member_access(expr, false)?,
                TokenKind::Arrow => self.member_access(expr, true)?,
                TokenKind::PlusPlus => {
                    self.bump();
                    ExprKind::PostInc(Box::new(expr))
                }
                TokenKind::MinusMinus => {
                    self.bump();
                    ExprKind::PostDec(Box::new(expr))
                }
                _ => return Ok(expr),
            };
            self.extend_expr_chain()?;
            expr = Expr { kind, span: self.since(start) };
        }
    }

    fn index(&mut self, base: Expr) -> Parsed<ExprKind> {
        let open = self.bump().span;
        let index = Box::new(self.expression()?);
        self.expect_closing(TokenKind::RBracket, open)?;
        Ok(ExprKind::Index { base: Box::new(base), index })
    }

    fn call(&mut self, callee: Expr) -> Parsed<ExprKind> {
        let open = self.bump().span;
        let mut args = Vec::new();
        if !self.at(TokenKind::RParen) {
            loop {
                args.push(self.assignment()?);
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
        }
        self.end_of_arguments(open)?;
        Ok(ExprKind::Call { callee: Box::new(callee), args })
    }

    fn end_of_arguments(&mut self, open: Span) -> Parsed<()> {
        if self.eat(TokenKind::RParen) {
            return Ok(());
        }
        let message = format!("expected ',' or ')' in the arguments of a call, found {}", self.found());
        let diagnostic = Diagnostic::error("syntax", self.place_of_missing(), message)
            .note_at(open, "the arguments begin here");
        Err(self.error(diagnostic))
    }

    fn member_access(&mut self, base: Expr, arrow: bool) -> Parsed<ExprKind> {
        let operator = self.bump().kind;
        let field = self.expect_name(&format!("the name of a member after {}", operator.describe()))?;
        Ok(ExprKind::Member { base: Box::new(base), field: field.word, field_span: field.span, arrow })
    }
}
