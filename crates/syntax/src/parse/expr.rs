//! Expressions with operators: comma, assignment, conditional, binary, casts, unary.

use super::{Parsed, Parser};
use crate::ast::*;
use crate::token::TokenKind;
use braid_base::Span;

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let mut expr = self.assignment()?;
        while self.eat(TokenKind::Comma) {
            self.extend_expr_chain()?;
            let rhs = self.assignment()?;
            let span = expr.span.to(rhs.span);
            expr = Expr { kind: ExprKind::Comma(Box::new(expr), Box::new(rhs)), span };
        }
        Ok(expr)
    }

    pub(super) fn assignment(&mut self) -> Parsed<Expr> {
        let lhs = self.conditional()?;
        let op = match self.tok.kind {
            TokenKind::Eq => None,
            kind => match assignment_op(kind) {
                Some(op) => Some(op),
                None => return Ok(lhs),
            },
        };
        self.bump();
        let rhs = self.nested(Self::assignment)?;
        let span = lhs.span.to(rhs.span);
        Ok(Expr { kind: ExprKind::Assign { op, lhs: Box::new(lhs), rhs: Box::new(rhs) }, span })
    }

    pub(super) fn conditional(&mut self) -> Parsed<Expr> {
        let cond = self.binary(1)?;
        if !self.eat(TokenKind::Question) {
            return Ok(cond);
        }
        self.nested(|p| {
            let then = if p.at(TokenKind::Colon) { None } else { Some(Box::new(p.expression()?)) };
            p.expect(TokenKind::Colon, "between the branches of '?'")?;
            let other = p.conditional()?;
            let span = cond.span.to(other.span);
            Ok(Expr { kind: ExprKind::Cond { cond: Box::new(cond), then, other: Box::new(other) }, span })
        })
    }

    /// Operators that bind at least as tightly as `lowest`.
    fn binary(&mut self, lowest: u8) -> Parsed<Expr> {
        let mut lhs = self.cast()?;
        while let Some((op, binding)) = binary_op(self.tok.kind) {
            if binding < lowest {
                break;
            }
            self.extend_expr_chain()?;
            self.bump();
            let rhs = self.binary(binding + 1)?;
            let span = lhs.span.to(rhs.span);
            lhs = Expr { kind: ExprKind::Binary { op, lhs: Box::new(lhs), rhs: Box::new(rhs) }, span };
        }
        Ok(lhs)
    }

    /// A cast expression; every nesting of expressions in the text passes through here once.
    fn cast(&mut self) -> Parsed<Expr> {
        self.nested(|p| {
            if p.at(TokenKind::LParen) && p.type_name_starts(1) { p.cast_or_literal() } else { p.unary() }
        })
    }

    fn cast_or_literal(&mut self) -> Parsed<Expr> {
        let start = self.tok.span;
        let ty = self.parenthesized_type()?;
        if self.at(TokenKind::LBrace) {
            return self.compound_literal(ty, start);
        }
        let operand = Box::new(self.cast()?);
        let span = start.to(operand.span);
        Ok(Expr { kind: ExprKind::Cast { ty: Box::new(ty), operand }, span })
    }

    pub(super) fn parenthesized_type(&mut self) -> Parsed<TypeName> {
        let open = self.expect(TokenKind::LParen, "before the type")?.span;
        let ty = self.type_name()?;
        self.expect_closing(TokenKind::RParen, open)?;
        Ok(ty)
    }

    fn compound_literal(&mut self, ty: TypeName, start: Span) -> Parsed<Expr> {
        let init = self.init_list()?;
        let kind = ExprKind::CompoundLiteral { ty: Box::new(ty), init };
        self.postfix(Expr { kind, span: self.since(start) })
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.tok.span;
        let make: fn(Box<Expr>) -> ExprKind = match self.tok.kind {
            TokenKind::PlusPlus => ExprKind::PreInc,
            TokenKind::MinusMinus => ExprKind::PreDec,
            TokenKind::Amp => |operand| ExprKind::Unary { op: UnaryOp::AddrOf, operand },
            TokenKind::Star => |operand| ExprKind::Unary { op: UnaryOp::Deref, operand },
            TokenKind::Plus => |operand| ExprKind::Unary { op: UnaryOp::Plus, operand },
            TokenKind::Minus => |operand| ExprKind::Unary { op: UnaryOp::Minus, operand },
            TokenKind::Tilde => |operand| ExprKind::Unary { op: UnaryOp::BitNot, operand },
            TokenKind::Bang => |operand| ExprKind::Unary { op: UnaryOp::Not, operand },
            TokenKind::Real | TokenKind::Imag => |operand| ExprKind::RealImag { operand },
            TokenKind::Extension => {
                self.bump();
                return self.cast();
            }
            TokenKind::AmpAmp => return self.label_address(),
            TokenKind::Sizeof => return self.sizeof(ExprKind::SizeofType, ExprKind::SizeofExpr),
            TokenKind::Alignof => return self.sizeof(ExprKind::AlignofType, ExprKind::AlignofExpr),
            _ => {
                let primary = self.primary()?;
                return self.postfix(primary);
            }
        };
        self.bump();
        let operand = Box::new(self.cast()?);
        let span = start.to(operand.span);
        Ok(Expr { kind: make(operand), span })
    }

    fn label_address(&mut self) -> Parsed<Expr> {
        let start = self.bump().span;
        let label = self.expect_name("the name of a label")?;
        Ok(Expr { kind: ExprKind::LabelAddr(label.word), span: start.to(label.span) })
    }

    /// `sizeof` or `_Alignof`, of a type or of an expression.
    fn sizeof(
        &mut self,
        of_type: fn(Box<TypeName>) -> ExprKind,
        of_expr: fn(Box<Expr>) -> ExprKind,
    ) -> Parsed<Expr> {
        let start = self.bump().span;
        let operand = self.tok.span;
        let kind = if self.at(TokenKind::LParen) && self.type_name_starts(1) {
            let ty = self.parenthesized_type()?;
            // `sizeof (T){ ... }` is the size of a compound literal.
            if self.at(TokenKind::LBrace) {
                of_expr(Box::new(self.compound_literal(ty, operand)?))
            } else {
                of_type(Box::new(ty))
            }
        } else {
            of_expr(Box::new(self.nested(Self::unary)?))
        };
        Ok(Expr { kind, span: self.since(start) })
    }
}

fn assignment_op(kind: TokenKind) -> Option<BinaryOp> {
    Some(match kind {
        TokenKind::StarEq => BinaryOp::Mul,
        TokenKind::SlashEq => BinaryOp::Div,
        TokenKind::PercentEq => BinaryOp::Rem,
        TokenKind::PlusEq => BinaryOp::Add,
        TokenKind::MinusEq => BinaryOp::Sub,
        TokenKind::ShlEq => BinaryOp::Shl,
        TokenKind::ShrEq => BinaryOp::Shr,
        TokenKind::AmpEq => BinaryOp::BitAnd,
        TokenKind::CaretEq => BinaryOp::BitXor,
        TokenKind::PipeEq => BinaryOp::BitOr,
        _ => return None,
    })
}

/// The operator of a token and how tightly it binds.
fn binary_op(kind: TokenKind) -> Option<(BinaryOp, u8)> {
    Some(match kind {
        TokenKind::PipePipe => (BinaryOp::LogOr, 1),
        TokenKind::AmpAmp => (BinaryOp::LogAnd, 2),
        TokenKind::Pipe => (BinaryOp::BitOr, 3),
        TokenKind::Caret => (BinaryOp::BitXor, 4),
        TokenKind::Amp => (BinaryOp::BitAnd, 5),
        TokenKind::EqEq => (BinaryOp::Eq, 6),
        TokenKind::BangEq => (BinaryOp::Ne, 6),
        TokenKind::Lt => (BinaryOp::Lt, 7),
        TokenKind::Gt => (BinaryOp::Gt, 7),
        TokenKind::LtEq => (BinaryOp::Le, 7),
        TokenKind::GtEq => (BinaryOp::Ge, 7),
        TokenKind::Shl => (BinaryOp::Shl, 8),
        TokenKind::Shr => (BinaryOp::Shr, 8),
        TokenKind::Plus => (BinaryOp::Add, 9),
        TokenKind::Minus => (BinaryOp::Sub, 9),
        TokenKind::Star => (BinaryOp::Mul, 10),
        TokenKind::Slash => (BinaryOp::Div, 10),
        TokenKind::Percent => (BinaryOp::Rem, 10),
        _ => return None,
    })
}
