//! Declarators and parameter lists.
//!
//! The derivations are collected from the name outward: the suffixes of a level come before its
//! pointers, and a parenthesised declarator's own parts come before both.

use super::scope::NameKind;
use super::specs::SpecPlace;
use super::{Parsed, Parser};
use crate::ast::*;
use crate::token::TokenKind;
use braid_base::{Diagnostic, Span, Symbol};

/// Whether a declarator has a name: always, never, or (in parameters) as it comes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    Required,
    Optional,
}

/// Types derive from each other at most this often in one declarator; later stages recurse on it.
const MAX_PARTS: usize = super::NESTING_LIMIT as usize;

impl Parser<'_> {
    pub(super) fn declarator(&mut self) -> Parsed<Declarator> {
        self.declarator_with(Naming::Required)
    }

    /// A declarator that may lack its name, as in parameters and type names.
    pub(super) fn abstract_declarator(&mut self) -> Parsed<Declarator> {
        self.declarator_with(Naming::Optional)
    }

    pub(super) fn no_declarator(&self) -> Declarator {
        let span = Span::new(self.tok.span.lo, self.tok.span.lo);
        Declarator { name: None, parts: Vec::new(), attrs: Vec::new(), span }
    }

    fn declarator_with(&mut self, naming: Naming) -> Parsed<Declarator> {
        let mut declarator = self.no_declarator();
        declarator.span = self.tok.span;
        let start = self.tok.span;
        self.declarator_level(naming, &mut declarator)?;
        declarator.span =
            if self.previous.hi > start.lo { self.since(start) } else { Span::new(start.lo, start.lo) };
        Ok(declarator)
    }

    fn declarator_level(&mut self, naming: Naming, out: &mut Declarator) -> Parsed<()> {
        let mut pointers = Vec::new();
        self.attributes(&mut out.attrs)?;
        while self.eat(TokenKind::Star) {
            let mut quals = Quals::default();
            loop {
                if self.qualifier(self.tok.kind, &mut quals) {
                    self.bump();
                } else if self.at_attribute() {
                    self.attributes(&mut out.attrs)?;
                } else {
                    break;
                }
            }
            pointers.push(DeclaratorPart::Pointer { quals });
            self.check_parts(pointers.len())?;
        }
        self.direct_declarator(naming, out)?;
        self.declarator_suffixes(out)?;
        out.parts.extend(pointers.into_iter().rev());
        self.check_parts(out.parts.len())
    }

    fn check_parts(&mut self, parts: usize) -> Parsed<()> {
        if parts > MAX_PARTS {
            return Err(self.too_deep(super::NESTING_LIMIT, "derivations in one declarator"));
        }
        Ok(())
    }

    fn direct_declarator(&mut self, naming: Naming, out: &mut Declarator) -> Parsed<()> {
        let kind = self.tok.kind;
        match kind {
            TokenKind::Ident => {
                let token = self.bump();
                out.name = Some((token.word, token.span));
                Ok(())
            }
            TokenKind::LParen if naming == Naming::Required || !self.params_start(1) => {
                let open = self.bump().span;
                self.nested(|p| p.declarator_level(naming, out))?;
                self.expect_closing(TokenKind::RParen, open)?;
                Ok(())
            }
            _ if naming == Naming::Optional => Ok(()),
            _ => Err(self.unexpected("a name to declare")),
        }
    }

    /// Whether the token `n` places ahead begins (or ends) a parameter list rather than a declarator.
    fn params_start(&mut self, n: usize) -> bool {
        let token = self.peek(n);
        match token.kind {
            TokenKind::RParen | TokenKind::Ellipsis => true,
            TokenKind::Ident => self.names.type_named(token.word).is_some(),
            kind => kind.starts_declaration() || kind == TokenKind::Extension,
        }
    }

    fn declarator_suffixes(&mut self, out: &mut Declarator) -> Parsed<()> {
        loop {
            self.check_parts(out.parts.len())?;
            let kind = self.tok.kind;
            match kind {
                TokenKind::LBracket if self.peek_kind(1) == TokenKind::LBracket => {
                    self.attributes(&mut out.attrs)?
                }
                TokenKind::LBracket => {
                    let part = self.array_suffix()?;
                    out.parts.push(part);
                }
                TokenKind::LParen => {
                    let params = self.nested(Self::params)?;
                    out.parts.push(DeclaratorPart::Function(params));
                }
                _ => return Ok(()),
            }
        }
    }

    fn array_suffix(&mut self) -> Parsed<DeclaratorPart> {
        let open = self.bump().span;
        let mut quals = Quals::default();
        while self.at(TokenKind::Static) || self.qualifier(self.tok.kind, &mut quals) {
            self.bump();
        }
        let kind = self.tok.kind;
        let size = match kind {
            TokenKind::RBracket => ArraySize::Unknown,
            TokenKind::Star if self.peek_kind(1) == TokenKind::RBracket => {
                self.bump();
                ArraySize::Star
            }
            _ => ArraySize::Expr(Box::new(self.assignment()?)),
        };
        self.expect_closing(TokenKind::RBracket, open)?;
        Ok(DeclaratorPart::Array { size, quals })
    }

    fn params(&mut self) -> Parsed<Params> {
        let open = self.bump().span;
        if self.eat(TokenKind::RParen) {
            return Ok(Params::Unspecified);
        }
        if self.at(TokenKind::Ident) && self.names.type_named(self.tok.word).is_none() {
            let next = self.peek_kind(1);
            if matches!(next, TokenKind::Comma | TokenKind::RParen) {
                return self.identifier_list(open);
            }
        }
        self.names.open();
        let params = self.prototype(open);
        self.names.close();
        params
    }

    fn identifier_list(&mut self, open: Span) -> Parsed<Params> {
        let mut names = Vec::new();
        loop {
            let token = self.expect_name("the name of a parameter")?;
            names.push((token.word, token.span));
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect_closing(TokenKind::RParen, open)?;
        Ok(Params::Identifiers(names))
    }

    fn prototype(&mut self, open: Span) -> Parsed<Params> {
        let mut params = Vec::new();
        let mut variadic = false;
        loop {
            if self.eat(TokenKind::Ellipsis) {
                variadic = true;
                break;
            }
            match self.param() {
                Ok(param) => params.push(param),
                Err(_) => self.skip_list_element(TokenKind::RParen),
            }
            // GNU's forward declarations of parameters, `(int n; int a[n])`, only bring names into scope.
            if self.at(TokenKind::Semi) && self.peek_kind(1) != TokenKind::Eof && !self.peek(1).first_on_line
            {
                self.bump();
                params.clear();
            } else if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect_closing(TokenKind::RParen, open)?;
        if let [only] = params.as_slice()
            && !variadic
            && is_void(only)
        {
            params.clear();
        }
        Ok(Params::Prototype { params, variadic })
    }

    fn param(&mut self) -> Parsed<ParamDecl> {
        let start = self.tok.span;
        let specs = self.decl_specs(SpecPlace::Param)?;
        if self.tok.span.lo == start.lo {
            return Err(self.unexpected("a parameter declaration"));
        }
        let declarator = self.abstract_declarator()?;
        if let Some((name, _)) = declarator.name {
            self.names.declare(name, NameKind::Ordinary);
        }
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        if !matches!(self.tok.kind, TokenKind::Comma | TokenKind::RParen | TokenKind::Semi) {
            let found = self.found();
            let message = format!("expected ',' or ')' after the parameter, found {found}");
            return Err(self.error(Diagnostic::error("syntax", self.place_of_missing(), message)));
        }
        Ok(ParamDecl { specs, declarator, attrs, span: self.since(start) })
    }

    /// The names of a function's parameters, for the scope of its body.
    pub(super) fn declare_params(&mut self, declarator: &Declarator) {
        let Some(DeclaratorPart::Function(params)) = declarator.parts.first() else { return };
        let names: Vec<Symbol> = match params {
            Params::Unspecified => Vec::new(),
            Params::Identifiers(names) => names.iter().map(|(name, _)| *name).collect(),
            Params::Prototype { params, .. } => {
                params.iter().filter_map(|p| p.declarator.name.map(|(name, _)| name)).collect()
            }
        };
        for name in names {
            self.names.declare(name, NameKind::Ordinary);
        }
    }
}

/// The lone `void` of `(void)`.
fn is_void(param: &ParamDecl) -> bool {
    let ParamDecl { specs, declarator, attrs, .. } = param;
    matches!(specs.ty, TypeSpec::Basic(BasicType::Void))
        && specs.storage.is_none()
        && specs.quals == Quals::default()
        && declarator.name.is_none()
        && declarator.parts.is_empty()
        && attrs.is_empty()
}
