//! Statements and blocks.
//!
//! Stacked labels and `else if` chains are read in a loop and folded from the end: a generated
//! `switch` with thousands of cases must not need thousands of stack frames here.

use super::decl::Declared;
use super::specs::SpecPlace;
use super::{Parsed, Parser};
use crate::ast::*;
use crate::token::TokenKind;
use braid_base::{Diagnostic, Span, Symbol};

/// A label in front of a statement.
enum Label {
    Case { first: Box<Expr>, last: Option<Box<Expr>> },
    Default,
    Named { name: Symbol, attrs: Vec<Attribute> },
}

impl Parser<'_> {
    /// `{ ... }`; the caller opens and closes the scope.
    pub(super) fn block(&mut self) -> Parsed<Block> {
        let open = self.expect(TokenKind::LBrace, "")?.span;
        self.open_blocks.push(open);
        let contents = self.block_contents();
        if self.at(TokenKind::Eof) {
            let message = "the input ends inside a block: '}' is missing";
            self.error(Diagnostic::error("syntax", self.place_of_missing(), message));
        }
        self.open_blocks.pop();
        let (local_labels, items) = contents?;
        self.expect(TokenKind::RBrace, "")?;
        Ok(Block { items, local_labels, span: self.since(open) })
    }

    fn block_contents(&mut self) -> Parsed<(Vec<Symbol>, Vec<BlockItem>)> {
        let mut local_labels = Vec::new();
        while self.at(TokenKind::LabelDecl) {
            self.local_labels(&mut local_labels)?;
        }
        let mut items = Vec::new();
        while !self.at(TokenKind::RBrace) && !self.at(TokenKind::Eof) {
            let before = self.tok.span.lo;
            self.begin_expr_chain();
            if self.block_item(&mut items).is_err() {
                self.skip_statement();
                if self.tok.span.lo == before && !self.at(TokenKind::RBrace) {
                    self.bump();
                }
            }
        }
        Ok((local_labels, items))
    }

    fn local_labels(&mut self, out: &mut Vec<Symbol>) -> Parsed<()> {
        self.bump();
        loop {
            out.push(self.expect_name("the name of a label")?.word);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect_semi("'__label__'")
    }

    fn block_item(&mut self, items: &mut Vec<BlockItem>) -> Parsed<()> {
        if self.at(TokenKind::StaticAssert) {
            items.push(BlockItem::StaticAssert(self.static_assert()?));
            return Ok(());
        }
        let start = self.tok.span;
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        if !attrs.is_empty() && self.eat(TokenKind::Semi) {
            items.push(BlockItem::Stmt(Stmt { kind: StmtKind::Attribute, span: self.since(start) }));
        } else if self.block_declaration_starts() {
            items.push(match self.declaration(SpecPlace::Block, attrs)? {
                Declared::Declaration(declaration) => BlockItem::Declaration(declaration),
                Declared::Function(function) => BlockItem::NestedFunction(function),
            });
        } else {
            items.push(BlockItem::Stmt(self.statement()?));
        }
        Ok(())
    }

    fn block_declaration_starts(&mut self) -> bool {
        if self.at(TokenKind::Ident) {
            let next = self.peek_kind(1);
            // A type's name can still be a label; an unknown name in front of another is a type forgotten.
            let forgotten = next == TokenKind::Ident && !self.names.is_declared(self.tok.word);
            return next != TokenKind::Colon && (self.declaration_starts() || forgotten);
        }
        self.declaration_starts()
    }

    pub(super) fn statement(&mut self) -> Parsed<Stmt> {
        self.nested(|p| {
            let chain = p.stmt_chain;
            let result = p.labelled_statement();
            p.stmt_chain = chain;
            result
        })
    }

    fn labelled_statement(&mut self) -> Parsed<Stmt> {
        let mut labels = Vec::new();
        loop {
            let start = self.tok.span;
            let kind = self.tok.kind;
            let label = match kind {
                TokenKind::Case => self.case_label()?,
                TokenKind::Default => {
                    self.bump();
                    self.expect(TokenKind::Colon, "after 'default'")?;
                    Label::Default
                }
                TokenKind::Ident if self.peek_kind(1) == TokenKind::Colon => self.named_label()?,
                _ => break,
            };
            labels.push((label, start));
            self.extend_stmt_chain()?;
        }
        let mut stmt =
            if labels.is_empty() { self.unlabelled_statement()? } else { self.statement_after_label()? };
        for (label, start) in labels.into_iter().rev() {
            let span = start.to(stmt.span);
            let body = Box::new(stmt);
            let kind = match label {
                Label::Case { first, last } => StmtKind::Case { first, last, body },
                Label::Default => StmtKind::Default { body },
                Label::Named { name, attrs } => StmtKind::Label { name, attrs, body },
            };
            stmt = Stmt { kind, span };
        }
        Ok(stmt)
    }

    fn case_label(&mut self) -> Parsed<Label> {
        self.begin_expr_chain();
        self.bump();
        let first = Box::new(self.conditional()?);
        let mut last = None;
        if self.eat(TokenKind::Ellipsis) {
            last = Some(Box::new(self.conditional()?));
        }
        self.expect(TokenKind::Colon, "after 'case'")?;
        Ok(Label::Case { first, last })
    }

    fn named_label(&mut self) -> Parsed<Label> {
        let name = self.bump().word;
        self.bump();
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        Ok(Label::Named { name, attrs })
    }

    /// A label may stand before a declaration or the end of its block: it then labels nothing.
    fn statement_after_label(&mut self) -> Parsed<Stmt> {
        if self.at(TokenKind::RBrace) || self.at(TokenKind::StaticAssert) || self.block_declaration_starts() {
            let here = Span::new(self.previous.hi, self.previous.hi);
            return Ok(Stmt { kind: StmtKind::Empty, span: here });
        }
        self.unlabelled_statement()
    }

    fn unlabelled_statement(&mut self) -> Parsed<Stmt> {
        let start = self.tok.span;
        let keyword = self.tok.kind;
        let kind = match keyword {
            TokenKind::LBrace => {
                self.names.open();
                let block = self.block();
                self.names.close();
                StmtKind::Block(block?)
            }
            TokenKind::Semi => {
                self.bump();
                StmtKind::Empty
            }
            TokenKind::If => return self.if_statement(),
            TokenKind::While => {
                self.bump();
                let cond = self.condition("while")?;
                StmtKind::While { cond, body: Box::new(self.statement()?) }
            }
            TokenKind::Switch => {
                self.bump();
                let cond = self.condition("switch")?;
                StmtKind::Switch { cond, body: Box::new(self.statement()?) }
            }
            TokenKind::Do => self.do_while()?,
            TokenKind::For => {
                self.names.open();
                let statement = self.for_statement();
                self.names.close();
                statement?
            }
            TokenKind::Goto | TokenKind::Break | TokenKind::Continue | TokenKind::Return => self.jump()?,
            TokenKind::Asm => StmtKind::Asm(self.asm_statement()?),
            TokenKind::Else => {
                return Err(self.error_here("'else' without an 'if' before it".to_string()));
            }
            _ if self.at_attribute() => return self.attributed_statement(),
            _ => {
                let expr = Box::new(self.expression()?);
                self.expect_semi("the expression")?;
                StmtKind::Expr(expr)
            }
        };
        Ok(Stmt { kind, span: self.since(start) })
    }

    fn attributed_statement(&mut self) -> Parsed<Stmt> {
        let start = self.tok.span;
        let mut ignored = Vec::new();
        self.attributes(&mut ignored)?;
        if self.eat(TokenKind::Semi) {
            return Ok(Stmt { kind: StmtKind::Attribute, span: self.since(start) });
        }
        self.statement()
    }

    /// `( e )` of a header. A mistake inside is skipped up to the `)`, so that the body is still read.
    fn condition(&mut self, keyword: &str) -> Parsed<Box<Expr>> {
        let open = self.expect(TokenKind::LParen, &format!("after '{keyword}'"))?.span;
        match self.expression() {
            Ok(cond) if self.at(TokenKind::RParen) => {
                self.bump();
                Ok(Box::new(cond))
            }
            result => {
                if result.is_ok() {
                    let _ = self.expect_closing(TokenKind::RParen, open);
                }
                self.skip_header();
                let zero = IntLit { value: 0, unsigned: false, size: IntSize::Plain, decimal: true };
                let kind = ExprKind::Int(zero);
                Ok(Box::new(Expr { kind, span: open }))
            }
        }
    }

    fn if_statement(&mut self) -> Parsed<Stmt> {
        let mut arms = Vec::new();
        let mut last = None;
        loop {
            let start = self.bump().span;
            self.begin_expr_chain();
            let cond = self.condition("if")?;
            let then = Box::new(self.statement()?);
            arms.push((start, cond, then));
            if !self.eat(TokenKind::Else) {
                break;
            }
            if !self.at(TokenKind::If) {
                last = Some(Box::new(self.statement()?));
                break;
            }
            self.extend_stmt_chain()?;
        }
        let end = self.previous;
        let mut other = last;
        let mut arms = arms.into_iter().rev();
        let (start, cond, then) = arms.next().expect("the loop adds an arm before it ends");
        let mut stmt = Stmt { kind: StmtKind::If { cond, then, other }, span: start.to(end) };
        for (start, cond, then) in arms {
            other = Some(Box::new(stmt));
            stmt = Stmt { kind: StmtKind::If { cond, then, other }, span: start.to(end) };
        }
        Ok(stmt)
    }

    fn do_while(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let body = Box::new(self.statement()?);
        self.expect(TokenKind::While, "after the body of 'do'")?;
        let cond = self.condition("while")?;
        self.expect_semi("'do ... while (...)'")?;
        Ok(StmtKind::DoWhile { body, cond })
    }

    fn for_statement(&mut self) -> Parsed<StmtKind> {
        self.bump();
        self.expect(TokenKind::LParen, "after 'for'")?;
        let (init, cond, step) = match self.for_header() {
            Ok(header) => header,
            Err(_) => {
                self.skip_header();
                (ForInit::None, None, None)
            }
        };
        Ok(StmtKind::For { init, cond, step, body: Box::new(self.statement()?) })
    }

    #[allow(clippy::type_complexity)]
    fn for_header(&mut self) -> Parsed<(ForInit, Option<Box<Expr>>, Option<Box<Expr>>)> {
        let init = if self.eat(TokenKind::Semi) {
            ForInit::None
        } else if self.at(TokenKind::StaticAssert) {
            ForInit::StaticAssert(self.static_assert()?)
        } else if self.block_declaration_starts() {
            match self.declaration(SpecPlace::Block, Vec::new())? {
                Declared::Declaration(declaration) => ForInit::Declaration(declaration),
                Declared::Function(function) => {
                    let message = "a function cannot be defined in the header of 'for'";
                    return Err(self.error(Diagnostic::error("syntax", function.specs.span, message)));
                }
            }
        } else {
            let expr = Box::new(self.expression()?);
            self.expect(TokenKind::Semi, "after the first part of 'for'")?;
            ForInit::Expr(expr)
        };
        let cond = if self.at(TokenKind::Semi) { None } else { Some(Box::new(self.expression()?)) };
        self.expect(TokenKind::Semi, "after the condition of 'for'")?;
        let step = if self.at(TokenKind::RParen) { None } else { Some(Box::new(self.expression()?)) };
        self.expect(TokenKind::RParen, "to end the header of 'for'")?;
        Ok((init, cond, step))
    }

    fn jump(&mut self) -> Parsed<StmtKind> {
        let keyword = self.bump();
        let kind = match keyword.kind {
            TokenKind::Break => StmtKind::Break,
            TokenKind::Continue => StmtKind::Continue,
            TokenKind::Goto if self.eat(TokenKind::Star) => {
                StmtKind::GotoComputed(Box::new(self.expression()?))
            }
            TokenKind::Goto => StmtKind::Goto(self.expect_name("the label of 'goto'")?.word),
            _ if self.at(TokenKind::Semi) => StmtKind::Return(None),
            // `return` right before `}` or a new line lacks its `;`, not its value.
            _ if self.at(TokenKind::RBrace) => StmtKind::Return(None),
            _ => StmtKind::Return(Some(Box::new(self.expression()?))),
        };
        let what = match keyword.kind {
            TokenKind::Return if matches!(kind, StmtKind::Return(Some(_))) => {
                "the value of 'return'".to_string()
            }
            other => other.describe().to_string(),
        };
        self.expect_semi(&what)?;
        Ok(kind)
    }

    /// `asm volatile goto ("..." : outputs : inputs : clobbers : labels);` also at file scope.
    pub(super) fn asm_statement(&mut self) -> Parsed<AsmStmt> {
        self.bump();
        while matches!(
            self.tok.kind,
            TokenKind::Volatile | TokenKind::Inline | TokenKind::Goto | TokenKind::Const
        ) {
            self.bump();
        }
        let open = self.expect(TokenKind::LParen, "after 'asm'")?.span;
        let template = self.plain_string("as the assembler text")?;
        let mut sections = Vec::new();
        while self.eat(TokenKind::Colon) {
            sections.push(self.asm_section()?);
        }
        self.expect_closing(TokenKind::RParen, open)?;
        self.expect_semi("'asm (...)'")?;
        let mut sections = sections.into_iter();
        let (outputs, inputs) = (sections.next().unwrap_or_default(), sections.next().unwrap_or_default());
        Ok(AsmStmt { template, outputs, inputs })
    }

    /// The operands between two colons; elements without a value (clobbers, labels) are dropped.
    fn asm_section(&mut self) -> Parsed<Vec<AsmOperand>> {
        let mut operands = Vec::new();
        while !matches!(self.tok.kind, TokenKind::Colon | TokenKind::RParen | TokenKind::Eof) {
            let mut name = None;
            if self.eat(TokenKind::LBracket) {
                name = Some(self.expect_name("the name of an operand")?.word);
                self.expect(TokenKind::RBracket, "after the name of an operand")?;
            }
            if self.at(TokenKind::Str) {
                let constraint = self.plain_string("as the constraint of an operand")?;
                if self.eat(TokenKind::LParen) {
                    let value = self.expression()?;
                    self.expect(TokenKind::RParen, "after the operand")?;
                    operands.push(AsmOperand { name, constraint, value });
                }
            } else {
                self.expect_name("an operand of 'asm'")?;
            }
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        Ok(operands)
    }
}
