//! Initialisers with designators, old and new.

use super::{Parsed, Parser};
use crate::ast::*;
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn initializer(&mut self) -> Parsed<Initializer> {
        if self.at(TokenKind::LBrace) {
            return Ok(Initializer::List(self.init_list()?));
        }
        Ok(Initializer::Expr(Box::new(self.assignment()?)))
    }

    /// `{ a, .b = 1, [3] = { ... }, }`
    pub(super) fn init_list(&mut self) -> Parsed<InitList> {
        self.nested(|p| {
            let open = p.bump().span;
            let mut items = Vec::new();
            while !p.at(TokenKind::RBrace) && !p.at(TokenKind::Eof) {
                p.begin_expr_chain();
                match p.init_item() {
                    Ok(item) => items.push(item),
                    Err(_) => p.skip_list_element(TokenKind::RBrace),
                }
                if !p.eat(TokenKind::Comma) {
                    break;
                }
            }
            p.expect_closing(TokenKind::RBrace, open)?;
            Ok(InitList { items, span: p.since(open) })
        })
    }

    fn init_item(&mut self) -> Parsed<InitItem> {
        let start = self.tok.span;
        let mut designators = Vec::new();
        if self.at(TokenKind::Ident) && self.peek_kind(1) == TokenKind::Colon {
            let token = self.bump();
            self.bump();
            designators.push(Designator::Field(token.word, token.span));
        } else {
            self.designators(&mut designators)?;
            let old_array_style =
                matches!(designators.as_slice(), [Designator::Index(_) | Designator::Range(..)]);
            if !designators.is_empty() && !self.eat(TokenKind::Eq) && !old_array_style {
                return Err(self.unexpected("'=' after the designator"));
            }
        }
        let init = self.initializer()?;
        if !matches!(self.tok.kind, TokenKind::Comma | TokenKind::RBrace) {
            return Err(self.unexpected("',' or '}' after the initializer"));
        }
        Ok(InitItem { designators, init, span: self.since(start) })
    }

    /// `.a`, `[1]`, `[1 ... 3]`, any number of them.
    fn designators(&mut self, out: &mut Vec<Designator>) -> Parsed<()> {
        loop {
            if self.eat(TokenKind::Dot) {
                let token = self.expect_name("the name of a member")?;
                out.push(Designator::Field(token.word, token.span));
            } else if self.at(TokenKind::LBracket) {
                out.push(self.index_designator()?);
            } else {
                return Ok(());
            }
        }
    }

    fn index_designator(&mut self) -> Parsed<Designator> {
        let open = self.bump().span;
        let first = Box::new(self.conditional()?);
        let designator = if self.eat(TokenKind::Ellipsis) {
            Designator::Range(first, Box::new(self.conditional()?))
        } else {
            Designator::Index(first)
        };
        self.expect_closing(TokenKind::RBracket, open)?;
        Ok(designator)
    }

    /// The second argument of `__builtin_offsetof`: `member.inner[2]`.
    pub(super) fn offsetof_path(&mut self) -> Parsed<Vec<Designator>> {
        let token = self.expect_name("the name of a member")?;
        let mut path = vec![Designator::Field(token.word, token.span)];
        loop {
            self.designators(&mut path)?;
            if !self.at(TokenKind::Arrow) {
                return Ok(path);
            }
            // `a->b` is `a[0].b` here.
            let arrow = self.bump().span;
            let zero = IntLit { value: 0, unsigned: false, size: IntSize::Plain, decimal: true };
            path.push(Designator::Index(Box::new(Expr { kind: ExprKind::Int(zero), span: arrow })));
            let token = self.expect_name("the name of a member")?;
            path.push(Designator::Field(token.word, token.span));
        }
    }
}
