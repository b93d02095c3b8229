//! The parser: recursive descent over GNU C11/C17, one file per part of the grammar.
//!
//! It knows only which names are types ([`scope`]). A production that cannot go on reports one error
//! and gives [`Failed`]; the nearest list of statements, declarations, members, enumerators,
//! initialisers or parameters skips to its next element and goes on, so that one mistake gives one
//! message and the next mistake is still found. A second error at the same token is a consequence of
//! the first and is dropped.
//!
//! Later stages recurse over the tree, so its height is bounded: [`NESTING_LIMIT`] for what nests in
//! the text, [`CHAIN_LIMIT`] for what merely continues (`a + b + ...`, `else if`, stacked labels).

mod attr;
mod decl;
mod declarator;
mod expr;
mod init;
mod primary;
mod record;
mod scope;
mod specs;
mod stmt;
#[cfg(test)]
mod tests;

use crate::ast::TranslationUnit;
use crate::dialect::Dialect;
use crate::lex::Lexer;
use crate::text::join_spliced_lines;
use crate::token::{Token, TokenKind};
use braid_base::{Diagnostic, Diagnostics, SourceMap, Span};
use scope::Names;
use std::collections::VecDeque;
use std::rc::Rc;

/// How deep parentheses, blocks, initialisers, declarators and operators may nest.
pub const NESTING_LIMIT: u32 = 4_000;
/// How many operators, labels or `else if`s may follow each other in one expression or statement.
pub const CHAIN_LIMIT: u32 = 50_000;

/// Parses a preprocessed text of GNU C. Errors are in `diags`; what could be parsed is returned in any case.
/// Needs stack in proportion to the limits above (512 MiB is ample).
pub fn parse(sources: &mut SourceMap, name: &str, text: Rc<str>, diags: &mut Diagnostics) -> TranslationUnit {
    parse_as(Dialect::Gnu, sources, name, text, diags)
}

/// The same for a given dialect.
pub fn parse_as(
    dialect: Dialect,
    sources: &mut SourceMap,
    name: &str,
    text: Rc<str>,
    diags: &mut Diagnostics,
) -> TranslationUnit {
    let text = join_spliced_lines(text);
    let Some(base) = sources.add(name, text.clone()) else {
        let message = format!("{name}: more than 4 GiB of source text in all");
        diags.push(Diagnostic::error("source-too-large", Span::NONE, message));
        return TranslationUnit { items: Vec::new() };
    };
    let lexer = Lexer::new(sources, diags, name, &text, base, dialect);
    Parser::new(lexer).translation_unit()
}

/// An error has been reported; the caller recovers or passes it on.
#[derive(Debug)]
struct Failed;

type Parsed<T> = Result<T, Failed>;

struct Parser<'t> {
    lexer: Lexer<'t>,
    /// The current token, and those read beyond it.
    tok: Token,
    ahead: VecDeque<Token>,
    /// The span of the token before the current one.
    previous: Span,
    names: Names,
    depth: u32,
    expr_chain: u32,
    stmt_chain: u32,
    /// How many statement expressions the parser is in.
    in_stmt_expr: u32,
    /// The `{` of the blocks the parser is in.
    open_blocks: Vec<Span>,
    /// Statements were found at file scope: the next ones are no news.
    lost: bool,
    /// Where the last error was reported.
    error_at: Option<u32>,
    /// Where the last `;`, `{` or `}` taken stands: the start of the current statement, roughly.
    boundary: u32,
}

impl<'t> Parser<'t> {
    fn new(mut lexer: Lexer<'t>) -> Parser<'t> {
        let tok = lexer.next_token();
        Parser {
            previous: Span::new(tok.span.lo, tok.span.lo),
            lexer,
            tok,
            ahead: VecDeque::new(),
            names: Names::new(),
            depth: 0,
            expr_chain: 0,
            stmt_chain: 0,
            in_stmt_expr: 0,
            open_blocks: Vec::new(),
            lost: false,
            error_at: None,
            boundary: 0,
        }
    }

    fn translation_unit(mut self) -> TranslationUnit {
        let mut items = Vec::new();
        while !self.at(TokenKind::Eof) {
            let start = self.tok.span;
            self.expr_chain = 0;
            if self.external_item(&mut items).is_err() {
                self.skip_external_item(start);
            }
        }
        TranslationUnit { items }
    }

    // ---- tokens ----

    fn at(&self, kind: TokenKind) -> bool {
        self.tok.kind == kind
    }

    /// The token `n` places after the current one.
    fn peek(&mut self, n: usize) -> Token {
        if n == 0 {
            return self.tok;
        }
        while self.ahead.len() < n {
            let token = self.lexer.next_token();
            self.ahead.push_back(token);
        }
        self.ahead[n - 1]
    }

    fn peek_kind(&mut self, n: usize) -> TokenKind {
        self.peek(n).kind
    }

    fn bump(&mut self) -> Token {
        let next = match self.ahead.pop_front() {
            Some(token) => token,
            None => self.lexer.next_token(),
        };
        self.previous = self.tok.span;
        if matches!(self.tok.kind, TokenKind::Semi | TokenKind::LBrace | TokenKind::RBrace) {
            self.boundary = self.tok.span.lo;
        }
        std::mem::replace(&mut self.tok, next)
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    /// The span from `start` to the last token taken.
    fn since(&self, start: Span) -> Span {
        if self.previous.hi > start.lo { Span::new(start.lo, self.previous.hi) } else { start }
    }

    // ---- errors ----

    fn error(&mut self, mut diagnostic: Diagnostic) -> Failed {
        let here = self.tok.span.lo;
        // A statement with a broken token in it has been reported already.
        let follows_lexical = self.lexer.last_error > self.boundary;
        if self.error_at != Some(here) && !follows_lexical && !self.lexer.is_stopped() {
            self.error_at = Some(here);
            if let (TokenKind::Eof, Some(&open)) = (self.tok.kind, self.open_blocks.last()) {
                diagnostic = diagnostic.note_at(open, "this '{' is never closed");
            }
            self.lexer.diags.push(diagnostic);
            if self.lexer.diags.at_limit() {
                self.stop();
            }
        }
        Failed
    }

    fn error_here(&mut self, message: String) -> Failed {
        self.error(Diagnostic::error("syntax", self.tok.span, message))
    }

    /// "expected X, found Y" at the current token.
    fn unexpected(&mut self, expected: &str) -> Failed {
        let message = format!("expected {expected}, found {}", self.found());
        self.error_here(message)
    }

    fn found(&self) -> String {
        let token = self.tok;
        match token.kind {
            TokenKind::Ident => format!("'{}'", token.word),
            TokenKind::Number | TokenKind::Char | TokenKind::Str => {
                let text = self.lexer.text_of(token.span);
                let shown: String = text.chars().take(24).collect();
                format!(
                    "{} {shown}{}",
                    token.kind.describe(),
                    if shown.len() < text.len() { "..." } else { "" }
                )
            }
            _ if !token.word.as_str().is_empty() => format!("'{}'", token.word),
            other => other.describe().to_string(),
        }
    }

    /// Takes a token of this kind, or reports that it is missing after `context` ("after condition").
    fn expect(&mut self, kind: TokenKind, context: &str) -> Parsed<Token> {
        if self.at(kind) {
            return Ok(self.bump());
        }
        let space = if context.is_empty() { "" } else { " " };
        Err(self.unexpected(&format!("{}{space}{context}", kind.describe())))
    }

    /// Takes an identifier, called `what` in messages ("the name of a member").
    fn expect_name(&mut self, what: &str) -> Parsed<Token> {
        if self.at(TokenKind::Ident) {
            return Ok(self.bump());
        }
        Err(self.unexpected(what))
    }

    /// Takes the bracket that closes the one at `open`.
    fn expect_closing(&mut self, kind: TokenKind, open: Span) -> Parsed<Token> {
        if self.at(kind) {
            return Ok(self.bump());
        }
        let opening = match kind {
            TokenKind::RBrace => "'{'",
            TokenKind::RBracket => "'['",
            _ => "'('",
        };
        let message = format!("expected {}, found {}", kind.describe(), self.found());
        let diagnostic = Diagnostic::error("syntax", self.place_of_missing(), message)
            .note_at(open, format!("to match this {opening}"));
        Err(self.error(diagnostic))
    }

    /// At the end of the input the current token shows nothing; the end of the text before it does.
    fn place_of_missing(&self) -> Span {
        if self.at(TokenKind::Eof) { Span::new(self.previous.hi, self.previous.hi) } else { self.tok.span }
    }

    /// Takes the `;` that ends a statement or declaration. A missing one is reported just behind the
    /// last token; if the next token looks like a new start, parsing goes on as if it were there.
    fn expect_semi(&mut self, after: &str) -> Parsed<()> {
        if self.eat(TokenKind::Semi) {
            return Ok(());
        }
        let message = format!("expected ';' after {after}, found {}", self.found());
        let behind = Span::new(self.previous.hi, self.previous.hi);
        let failed = self.error(Diagnostic::error("syntax", behind, message));
        let fresh_start = self.tok.first_on_line || self.at(TokenKind::RBrace);
        if fresh_start && !self.at(TokenKind::Eof) { Ok(()) } else { Err(failed) }
    }

    fn stop(&mut self) {
        self.lexer.stop();
        self.ahead.clear();
        let end = self.previous.hi;
        self.tok = Token { kind: TokenKind::Eof, span: Span::new(end, end), ..self.tok };
    }

    // ---- limits ----

    /// Runs a production one level deeper.
    fn nested<T>(&mut self, production: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= NESTING_LIMIT {
            return Err(self.too_deep(NESTING_LIMIT, "levels"));
        }
        self.depth += 1;
        let result = production(self);
        self.depth -= 1;
        result
    }

    fn too_deep(&mut self, limit: u32, what: &str) -> Failed {
        let message = format!("the program is nested too deeply here: more than {limit} {what}");
        let failed = self.error(Diagnostic::error("nested-too-deeply", self.tok.span, message));
        self.stop();
        failed
    }

    /// Counts one more link of a chain of operators in the current expression.
    fn extend_expr_chain(&mut self) -> Parsed<()> {
        self.expr_chain += 1;
        if self.expr_chain > CHAIN_LIMIT {
            return Err(self.too_deep(CHAIN_LIMIT, "operators in one expression"));
        }
        Ok(())
    }

    fn extend_stmt_chain(&mut self) -> Parsed<()> {
        self.stmt_chain += 1;
        if self.stmt_chain > CHAIN_LIMIT {
            return Err(self.too_deep(CHAIN_LIMIT, "labels or 'else if's in a row"));
        }
        Ok(())
    }

    /// A new full expression begins, unless the parser is inside a larger one.
    fn begin_expr_chain(&mut self) {
        if self.in_stmt_expr == 0 {
            self.expr_chain = 0;
        }
    }

    // ---- recovery ----

    /// Skips past the `;` or block that ends the broken statement; stops before a `}` of the
    /// enclosing block.
    fn skip_statement(&mut self) {
        let mut braces = 0;
        loop {
            match self.tok.kind {
                TokenKind::Eof => return,
                TokenKind::RBrace if braces == 0 => return,
                TokenKind::Semi if braces == 0 => {
                    self.bump();
                    return;
                }
                TokenKind::LBrace => braces += 1,
                TokenKind::RBrace => {
                    braces -= 1;
                    if braces == 0 && self.peek_kind(1) != TokenKind::Else {
                        self.bump();
                        return;
                    }
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// Skips a broken declaration at file scope, up to the next thing that looks like one.
    fn skip_external_item(&mut self, start: Span) {
        let mut braces = 0u32;
        loop {
            let progress = self.tok.span.lo != start.lo;
            match self.tok.kind {
                TokenKind::Eof => return,
                TokenKind::Semi if braces == 0 => {
                    self.bump();
                    return;
                }
                TokenKind::LBrace => braces += 1,
                TokenKind::RBrace => {
                    braces = braces.saturating_sub(1);
                    // The `;` of `};` belongs to what was skipped.
                    if braces == 0 && self.peek_kind(1) != TokenKind::Semi {
                        self.bump();
                        return;
                    }
                }
                kind if braces == 0 && progress && self.tok.first_on_line && kind.starts_declaration() => {
                    return;
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// Skips to the next `,` or closing bracket of the current list, leaving it in place.
    fn skip_list_element(&mut self, close: TokenKind) {
        let mut depth = 0;
        loop {
            let kind = self.tok.kind;
            match kind {
                TokenKind::Eof => return,
                TokenKind::Comma if depth == 0 => return,
                _ if depth == 0 && kind == close => return,
                // A list in parentheses does not reach beyond its statement.
                TokenKind::Semi | TokenKind::LBrace | TokenKind::RBrace if close == TokenKind::RParen => {
                    return;
                }
                TokenKind::LParen | TokenKind::LBracket | TokenKind::LBrace => depth += 1,
                TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace if depth > 0 => depth -= 1,
                _ => {}
            }
            self.bump();
        }
    }

    /// Skips to the `)` of the header of an `if`, `while`, `for` or `switch`, and past it.
    fn skip_header(&mut self) {
        let mut depth = 0;
        loop {
            match self.tok.kind {
                TokenKind::Eof | TokenKind::LBrace | TokenKind::RBrace => return,
                TokenKind::LParen => depth += 1,
                TokenKind::RParen if depth == 0 => {
                    self.bump();
                    return;
                }
                TokenKind::RParen => depth -= 1,
                _ => {}
            }
            self.bump();
        }
    }
}
