//! `struct`, `union` and `enum` specifiers.

use super::scope::NameKind;
use super::specs::SpecPlace;
use super::{Parsed, Parser};
use crate::ast::*;
use crate::token::TokenKind;
use braid_base::{Span, Symbol};

impl Parser<'_> {
    pub(super) fn record_spec(&mut self) -> Parsed<RecordSpec> {
        let keyword = self.bump();
        let kind = if keyword.kind == TokenKind::Union { RecordKind::Union } else { RecordKind::Struct };
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let tag = self.tag();
        let mut members = None;
        if self.at(TokenKind::LBrace) {
            self.pragma_pack(&mut attrs, keyword.span);
            members = Some(self.nested(Self::members)?);
            self.attributes(&mut attrs)?;
        } else if tag.is_none() {
            return Err(self.unexpected(&format!("a name or '{{' after {}", keyword.kind.describe())));
        }
        Ok(RecordSpec { kind, tag, members, attrs, span: self.since(keyword.span) })
    }

    /// `#pragma pack(n)` as attributes: `packed` for 1, else the pseudo-attribute `pragma_pack(n)`, which
    /// caps the alignment of every member.
    fn pragma_pack(&mut self, attrs: &mut Vec<Attribute>, span: Span) {
        let Some(limit) = self.lexer.pack() else { return };
        if limit == 1 {
            attrs.push(Attribute { name: Symbol::intern("packed"), args: Vec::new(), span });
            return;
        }
        let value = IntLit { value: u128::from(limit), unsigned: false, size: IntSize::Plain, decimal: true };
        let args = vec![Expr { kind: ExprKind::Int(value), span }];
        attrs.push(Attribute { name: Symbol::intern("pragma_pack"), args, span });
    }

    fn tag(&mut self) -> Option<(Symbol, Span)> {
        if !self.at(TokenKind::Ident) {
            return None;
        }
        let token = self.bump();
        Some((token.word, token.span))
    }

    fn members(&mut self) -> Parsed<Vec<MemberDecl>> {
        let open = self.bump().span;
        let mut members = Vec::new();
        while !self.at(TokenKind::RBrace) && !self.at(TokenKind::Eof) {
            let before = self.tok.span.lo;
            self.begin_expr_chain();
            let outside = matches!(self.tok.kind, TokenKind::Typedef | TokenKind::Extern | TokenKind::Static);
            if outside && self.tok.first_on_line {
                // No member begins like this: the `}` is missing, and the file goes on.
                break;
            }
            if self.member(&mut members).is_err() {
                self.skip_statement();
                if self.tok.span.lo == before {
                    self.bump();
                }
            }
        }
        self.expect_closing(TokenKind::RBrace, open)?;
        Ok(members)
    }

    fn member(&mut self, members: &mut Vec<MemberDecl>) -> Parsed<()> {
        if self.eat(TokenKind::Semi) {
            return Ok(());
        }
        if self.at(TokenKind::StaticAssert) {
            members.push(MemberDecl::StaticAssert(self.static_assert()?));
            return Ok(());
        }
        let start = self.tok.span;
        let specs = self.decl_specs(SpecPlace::Member)?;
        if self.tok.span.lo == start.lo {
            return Err(self.unexpected("the declaration of a member or '}'"));
        }
        let mut declarators = Vec::new();
        if !self.at(TokenKind::Semi) {
            loop {
                declarators.push(self.field_declarator()?);
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
        }
        // The last `;` may be missing, as in gcc.
        if !self.at(TokenKind::RBrace) {
            self.expect_semi("the member")?;
        }
        members.push(MemberDecl::Fields(FieldDecl { specs, declarators, span: self.since(start) }));
        Ok(())
    }

    fn field_declarator(&mut self) -> Parsed<FieldDeclarator> {
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let declarator = if self.at(TokenKind::Colon) { self.no_declarator() } else { self.declarator()? };
        let mut width = None;
        if self.eat(TokenKind::Colon) {
            width = Some(Box::new(self.conditional()?));
        }
        self.attributes(&mut attrs)?;
        Ok(FieldDeclarator { declarator, width, attrs })
    }

    pub(super) fn enum_spec(&mut self) -> Parsed<EnumSpec> {
        let keyword = self.bump();
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let tag = self.tag();
        let mut enumerators = None;
        if self.at(TokenKind::LBrace) {
            enumerators = Some(self.enumerators()?);
            self.attributes(&mut attrs)?;
        } else if tag.is_none() {
            return Err(self.unexpected("a name or '{' after 'enum'"));
        }
        Ok(EnumSpec { tag, enumerators, attrs, span: self.since(keyword.span) })
    }

    fn enumerators(&mut self) -> Parsed<Vec<Enumerator>> {
        let open = self.bump().span;
        let mut enumerators = Vec::new();
        while !self.at(TokenKind::RBrace) && !self.at(TokenKind::Eof) {
            self.begin_expr_chain();
            match self.enumerator() {
                Ok(enumerator) => enumerators.push(enumerator),
                Err(_) => self.skip_list_element(TokenKind::RBrace),
            }
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect_closing(TokenKind::RBrace, open)?;
        Ok(enumerators)
    }

    fn enumerator(&mut self) -> Parsed<Enumerator> {
        let token = self.expect_name("the name of an enumerator")?;
        let mut ignored = Vec::new();
        self.attributes(&mut ignored)?;
        let mut value = None;
        if self.eat(TokenKind::Eq) {
            value = Some(Box::new(self.conditional()?));
        }
        self.names.declare(token.word, NameKind::Ordinary);
        if !matches!(self.tok.kind, TokenKind::Comma | TokenKind::RBrace | TokenKind::Eof) {
            return Err(self.unexpected("',' or '}' after the enumerator"));
        }
        Ok(Enumerator { name: token.word, value, span: self.since(token.span) })
    }
}
