//! Declarations and function definitions, at file scope and in blocks.

use super::scope::NameKind;
use super::specs::SpecPlace;
use super::{Failed, Parsed, Parser};
use crate::ast::*;
use crate::literal;
use crate::token::TokenKind;
use braid_base::{Diagnostic, Span, Symbol};

/// What a declaration turned out to be.
pub(super) enum Declared {
    Declaration(Declaration),
    Function(Box<FunctionDef>),
}

impl Parser<'_> {
    pub(super) fn external_item(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        match self.tok.kind {
            TokenKind::Semi => {
                self.bump();
            }
            TokenKind::RBrace => {
                self.lost_at_file_scope(self.tok.span, "this '}' closes nothing".to_string());
                while self.eat(TokenKind::RBrace) {}
            }
            TokenKind::StaticAssert => items.push(Item::StaticAssert(self.static_assert()?)),
            TokenKind::Asm => items.push(Item::Asm(self.file_asm()?)),
            _ => match self.declaration(SpecPlace::File, Vec::new())? {
                Declared::Declaration(declaration) => items.push(Item::Declaration(declaration)),
                Declared::Function(function) => {
                    self.lost = false;
                    items.push(Item::Function(function));
                }
            },
        }
        Ok(())
    }

    /// A declaration or function definition; `attrs` were already read in front of it.
    pub(super) fn declaration(&mut self, place: SpecPlace, attrs: Vec<Attribute>) -> Parsed<Declared> {
        let start = attrs.first().map_or(self.tok.span, |a| a.span.to(self.tok.span));
        let first = self.tok.span.lo;
        let mut specs = self.decl_specs(place)?;
        let no_specs = self.tok.span.lo == first;
        let own = std::mem::replace(&mut specs.attrs, attrs);
        specs.attrs.extend(own);
        if self.at(TokenKind::Semi) {
            self.bump();
            return Ok(Declared::Declaration(Declaration {
                specs,
                declarators: Vec::new(),
                span: self.since(start),
            }));
        }
        if no_specs && !matches!(self.tok.kind, TokenKind::Ident | TokenKind::LParen | TokenKind::Star) {
            let message = format!("expected a declaration, found {}", self.found());
            return Err(self.lost_at_file_scope(self.tok.span, message));
        }
        let declarator = self.declarator()?;
        if no_specs && declarator.parts.is_empty() && !self.ends_implicit_int() {
            return Err(self.not_a_declaration(&declarator));
        }
        self.declare(&specs, &declarator);
        let mut attrs = Vec::new();
        let asm_label = self.asm_label_and_attributes(&mut attrs)?;
        if self.function_body_starts(&declarator) {
            return self.function_definition(specs, declarator, attrs, start).map(Declared::Function);
        }
        let mut declarators = vec![self.finish_declarator(declarator, asm_label, attrs)?];
        while self.eat(TokenKind::Comma) {
            declarators.push(self.init_declarator(&specs)?);
        }
        self.expect_semi("the declaration")?;
        Ok(Declared::Declaration(Declaration { specs, declarators, span: self.since(start) }))
    }

    /// Behind a lone name at file scope, what makes it a declaration with implicit `int`.
    fn ends_implicit_int(&self) -> bool {
        matches!(
            self.tok.kind,
            TokenKind::Semi | TokenKind::Comma | TokenKind::Eq | TokenKind::Asm | TokenKind::Attribute
        )
    }

    fn not_a_declaration(&mut self, declarator: &Declarator) -> Failed {
        let message = match declarator.name {
            Some((name, _)) => {
                format!("expected a declaration; '{name}' is neither a type nor followed by one")
            }
            None => "expected a declaration".to_string(),
        };
        self.lost_at_file_scope(declarator.span, message)
    }

    /// Something that is no declaration at file scope, usually because a function ended too early: the
    /// first such thing is reported, not the rest of that function.
    fn lost_at_file_scope(&mut self, span: Span, message: String) -> Failed {
        if std::mem::replace(&mut self.lost, true) {
            return Failed;
        }
        self.error(Diagnostic::error("syntax", span, message))
    }

    fn init_declarator(&mut self, specs: &DeclSpecs) -> Parsed<InitDeclarator> {
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let declarator = self.declarator()?;
        self.declare(specs, &declarator);
        let asm_label = self.asm_label_and_attributes(&mut attrs)?;
        self.finish_declarator(declarator, asm_label, attrs)
    }

    fn finish_declarator(
        &mut self,
        declarator: Declarator,
        asm_label: Option<Symbol>,
        attrs: Vec<Attribute>,
    ) -> Parsed<InitDeclarator> {
        let mut init = None;
        if self.eat(TokenKind::Eq) {
            self.begin_expr_chain();
            init = Some(self.initializer()?);
        }
        Ok(InitDeclarator { declarator, asm_label, attrs, init })
    }

    /// The name is in scope from here on, its own initialiser included.
    fn declare(&mut self, specs: &DeclSpecs, declarator: &Declarator) {
        if let Some((name, _)) = declarator.name {
            let is_typedef = specs.storage == Some(StorageClass::Typedef);
            self.names.declare(name, if is_typedef { NameKind::Typedef } else { NameKind::Ordinary });
        }
    }

    /// `__asm__("name")` and attributes, in either order.
    fn asm_label_and_attributes(&mut self, attrs: &mut Vec<Attribute>) -> Parsed<Option<Symbol>> {
        self.attributes(attrs)?;
        let mut label = None;
        if self.at(TokenKind::Asm) {
            self.bump();
            let open = self.expect(TokenKind::LParen, "after 'asm'")?.span;
            label = Some(Symbol::intern(&self.plain_string("as the assembler name")?));
            self.expect_closing(TokenKind::RParen, open)?;
            self.attributes(attrs)?;
        }
        Ok(label)
    }

    /// Adjacent string literals as text, where C wants text and no value.
    pub(super) fn plain_string(&mut self, context: &str) -> Parsed<String> {
        if !self.at(TokenKind::Str) {
            return Err(self.unexpected(&format!("a string literal {context}")));
        }
        let StrLit { units, .. } = self.string_literal()?;
        let bytes: Vec<u8> = units.into_iter().map(|unit| unit as u8).collect();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// All adjacent string literals as one; a prefix of one of them holds for all.
    pub(super) fn string_literal(&mut self) -> Parsed<StrLit> {
        let mut encoding = Encoding::Plain;
        let mut tokens = Vec::new();
        while self.at(TokenKind::Str) {
            let token = self.tok;
            let own = literal::string_encoding(self.lexer.text_of(token.span));
            if own != Encoding::Plain && encoding != Encoding::Plain && own != encoding {
                let message = "string literals with different prefixes cannot be joined".to_string();
                return Err(self.error_here(message));
            }
            if own != Encoding::Plain {
                encoding = own;
            }
            tokens.push(token.span);
            self.bump();
        }
        let mut units = Vec::new();
        for span in tokens {
            let text = self.lexer.text_of(span);
            if let Err(message) = literal::string_units(text, encoding, &mut units) {
                return Err(self.error(Diagnostic::error("bad-literal", span, message)));
            }
        }
        Ok(StrLit { units, encoding })
    }

    fn function_body_starts(&mut self, declarator: &Declarator) -> bool {
        match declarator.parts.first() {
            Some(DeclaratorPart::Function(_)) if self.at(TokenKind::LBrace) => true,
            Some(DeclaratorPart::Function(Params::Identifiers(_))) => self.declaration_starts(),
            _ => false,
        }
    }

    fn function_definition(
        &mut self,
        specs: DeclSpecs,
        declarator: Declarator,
        attrs: Vec<Attribute>,
        start: Span,
    ) -> Parsed<Box<FunctionDef>> {
        self.names.open();
        self.declare_params(&declarator);
        let rest = self.old_style_params().and_then(|params| Ok((params, self.block()?)));
        self.names.close();
        let (old_style_params, body) = rest?;
        let span = self.since(start);
        Ok(Box::new(FunctionDef { specs, declarator, attrs, old_style_params, body, span }))
    }

    fn old_style_params(&mut self) -> Parsed<Vec<Declaration>> {
        let mut params = Vec::new();
        while !self.at(TokenKind::LBrace) && self.declaration_starts() {
            match self.declaration(SpecPlace::Block, Vec::new())? {
                Declared::Declaration(declaration) => params.push(declaration),
                Declared::Function(function) => {
                    let message = "a function cannot be defined among the parameters of another";
                    return Err(self.error(Diagnostic::error("syntax", function.specs.span, message)));
                }
            }
        }
        if !self.at(TokenKind::LBrace) {
            return Err(self.unexpected("'{' to begin the function's body"));
        }
        Ok(params)
    }

    pub(super) fn static_assert(&mut self) -> Parsed<StaticAssert> {
        let start = self.bump().span;
        let open = self.expect(TokenKind::LParen, "after '_Static_assert'")?.span;
        let cond = Box::new(self.conditional()?);
        let mut message = None;
        if self.eat(TokenKind::Comma) {
            message = Some(self.plain_string("as the message")?);
        }
        self.expect_closing(TokenKind::RParen, open)?;
        self.expect_semi("'_Static_assert(...)'")?;
        Ok(StaticAssert { cond, message, span: self.since(start) })
    }

    fn file_asm(&mut self) -> Parsed<Span> {
        let start = self.tok.span;
        self.asm_statement()?;
        Ok(self.since(start))
    }
}
