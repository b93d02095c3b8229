//! Attributes: `__attribute__((...))` and `[[...]]`, wherever gcc takes them.
//!
//! All are kept for `sema` to judge; of the `[[...]]` kind only those without a prefix or with `gnu::`.
//! An argument that is a type has no place in the tree and is dropped.

use super::{Parsed, Parser};
use crate::ast::{Attribute, Expr, ExprKind};
use crate::token::TokenKind;
use braid_base::Symbol;

impl Parser<'_> {
    pub(super) fn at_attribute(&mut self) -> bool {
        match self.tok.kind {
            TokenKind::Attribute => true,
            TokenKind::LBracket => self.peek_kind(1) == TokenKind::LBracket,
            _ => false,
        }
    }

    /// Any number of attributes at this point.
    pub(super) fn attributes(&mut self, out: &mut Vec<Attribute>) -> Parsed<()> {
        while self.at_attribute() {
            if self.at(TokenKind::Attribute) {
                self.gnu_attribute_list(out)?;
            } else {
                self.bracket_attribute_list(out)?;
            }
        }
        Ok(())
    }

    fn gnu_attribute_list(&mut self, out: &mut Vec<Attribute>) -> Parsed<()> {
        self.bump();
        self.expect(TokenKind::LParen, "after '__attribute__'")?;
        self.expect(TokenKind::LParen, "after '__attribute__('")?;
        while !self.at(TokenKind::RParen) {
            if !self.at(TokenKind::Comma) {
                let attribute = self.gnu_attribute()?;
                out.push(attribute);
            }
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RParen, "after attribute")?;
        self.expect(TokenKind::RParen, "after attribute list")?;
        Ok(())
    }

    fn gnu_attribute(&mut self) -> Parsed<Attribute> {
        let start = self.tok.span;
        let name = self.attribute_name()?;
        let mut args = Vec::new();
        if self.at(TokenKind::LParen) {
            self.attribute_args(&mut args)?;
        }
        Ok(Attribute { name, args, span: self.since(start) })
    }

    /// The name may be a keyword (`const`); the underscores of `__packed__` are stripped.
    fn attribute_name(&mut self) -> Parsed<Symbol> {
        let word = self.tok.word.as_str();
        if word.is_empty() {
            return Err(self.unexpected("the name of an attribute"));
        }
        self.bump();
        let bare = word.strip_prefix("__").and_then(|w| w.strip_suffix("__")).filter(|w| !w.is_empty());
        Ok(Symbol::intern(bare.unwrap_or(word)))
    }

    fn attribute_args(&mut self, args: &mut Vec<Expr>) -> Parsed<()> {
        let open = self.bump().span;
        while !self.at(TokenKind::RParen) {
            let ends = matches!(self.peek_kind(1), TokenKind::Comma | TokenKind::RParen);
            if ends && !self.tok.word.as_str().is_empty() {
                // A bare word is a name of the attribute's own language: `mode(SI)`, `format(printf, 1, 2)`.
                let token = self.bump();
                args.push(Expr { kind: ExprKind::Name(token.word), span: token.span });
            } else if self.type_name_starts(0) {
                self.type_name()?;
            } else {
                args.push(self.assignment()?);
            }
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect_closing(TokenKind::RParen, open)?;
        Ok(())
    }

    /// `[[ a, gnu::b(1), other::c(...) ]]`
    fn bracket_attribute_list(&mut self, out: &mut Vec<Attribute>) -> Parsed<()> {
        let open = self.bump().span;
        self.bump();
        while !self.at(TokenKind::RBracket) {
            if self.eat(TokenKind::Comma) {
                continue;
            }
            self.bracket_attribute(out)?;
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect_closing(TokenKind::RBracket, open)?;
        self.expect_closing(TokenKind::RBracket, open)?;
        Ok(())
    }

    fn bracket_attribute(&mut self, out: &mut Vec<Attribute>) -> Parsed<()> {
        let start = self.tok.span;
        let mut name = self.attribute_name()?;
        let mut prefix = None;
        if self.at(TokenKind::Colon) && self.peek_kind(1) == TokenKind::Colon {
            self.bump();
            self.bump();
            prefix = Some(name);
            name = self.attribute_name()?;
        }
        let mut args = Vec::new();
        match prefix.map(Symbol::as_str) {
            Some("gnu") if self.at(TokenKind::LParen) => self.attribute_args(&mut args)?,
            _ if self.at(TokenKind::LParen) => self.skip_balanced()?,
            _ => {}
        }
        if matches!(prefix.map(Symbol::as_str), None | Some("gnu")) {
            out.push(Attribute { name, args, span: self.since(start) });
        }
        Ok(())
    }

    /// Skips from `(` to its `)`.
    fn skip_balanced(&mut self) -> Parsed<()> {
        let open = self.tok.span;
        let mut depth = 0;
        loop {
            match self.tok.kind {
                TokenKind::LParen => depth += 1,
                TokenKind::RParen if depth == 1 => break,
                TokenKind::RParen => depth -= 1,
                TokenKind::Eof => break,
                _ => {}
            }
            self.bump();
        }
        self.expect_closing(TokenKind::RParen, open)?;
        Ok(())
    }
}
