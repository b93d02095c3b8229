//! Declaration specifiers: storage, qualifiers and the type they name, in any order.
//!
//! An identifier among them is a type only if no type was seen before it: that is what lets
//! `typedef int T; unsigned T;` declare a `T`.

use super::scope::NameKind;
use super::{Failed, Parsed, Parser};
use crate::ast::{Alignas, BasicType, DeclSpecs, Quals, StorageClass, TypeName, TypeSpec};
use crate::token::{Token, TokenKind};
use braid_base::{Diagnostic, Span};

/// Where specifiers stand: it decides what an unknown identifier can be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SpecPlace {
    File,
    Block,
    Member,
    Param,
    TypeName,
}

/// The keywords of a basic type, counted.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
struct Words {
    base: Option<TokenKind>,
    int: u8,
    short: u8,
    long: u8,
    signed: u8,
    unsigned: u8,
    complex: u8,
}

impl Words {
    fn any(self) -> bool {
        self != Words::default()
    }

    fn without_complex(self) -> Words {
        Words { complex: 0, ..self }
    }

    /// Counts a keyword; false if it is not one of a basic type.
    fn count(&mut self, kind: TokenKind) -> bool {
        let counter = match kind {
            TokenKind::Int => &mut self.int,
            TokenKind::Short => &mut self.short,
            TokenKind::Long => &mut self.long,
            TokenKind::Signed => &mut self.signed,
            TokenKind::Unsigned => &mut self.unsigned,
            TokenKind::Complex => &mut self.complex,
            TokenKind::Void
            | TokenKind::Bool
            | TokenKind::CharType
            | TokenKind::Float
            | TokenKind::Double
            | TokenKind::Int128 => {
                // Two of them can never combine; a count of `int` that is too high says so.
                if self.base.replace(kind).is_some() {
                    self.int = u8::MAX;
                }
                return true;
            }
            _ => return false,
        };
        *counter = counter.saturating_add(1);
        true
    }

    /// The type these words name together, if they do.
    fn basic_type(self) -> Option<BasicType> {
        let Words { base, int, short, long, signed, unsigned, complex } = self;
        if int > 1 || short > 1 || long > 2 || signed + unsigned > 1 || complex > 1 {
            return None;
        }
        let signless = signed + unsigned == 0;
        let sizeless = short + long + int == 0;
        let is_unsigned = unsigned == 1;
        let pick = |s, u| Some(if is_unsigned { u } else { s });
        let plain = match base {
            Some(TokenKind::Void) if signless && sizeless => Some(BasicType::Void),
            Some(TokenKind::Bool) if signless && sizeless => Some(BasicType::Bool),
            Some(TokenKind::CharType) if signless && sizeless => Some(BasicType::Char),
            Some(TokenKind::CharType) if sizeless => pick(BasicType::SChar, BasicType::UChar),
            Some(TokenKind::Float) if signless && sizeless => Some(BasicType::Float),
            Some(TokenKind::Double) if signless && sizeless => Some(BasicType::Double),
            Some(TokenKind::Double) if signless && long == 1 && short + int == 0 => {
                Some(BasicType::LongDouble)
            }
            Some(TokenKind::Int128) if sizeless => pick(BasicType::Int128, BasicType::UInt128),
            None => match (short, long) {
                (0, 0) if complex == 1 && signless && int == 0 => Some(BasicType::Double),
                (0, 0) => pick(BasicType::Int, BasicType::UInt),
                (1, 0) => pick(BasicType::Short, BasicType::UShort),
                (0, 1) => pick(BasicType::Long, BasicType::ULong),
                (0, 2) => pick(BasicType::LongLong, BasicType::ULongLong),
                _ => None,
            },
            _ => None,
        }?;
        match complex {
            0 => Some(plain),
            _ if matches!(plain, BasicType::Void | BasicType::Bool) => None,
            _ => Some(BasicType::Complex),
        }
    }
}

impl Parser<'_> {
    /// Whether a type name begins at the token `n` places ahead.
    pub(super) fn type_name_starts(&mut self, mut n: usize) -> bool {
        while self.peek_kind(n) == TokenKind::Extension {
            n += 1;
        }
        let token = self.peek(n);
        match token.kind {
            TokenKind::Ident => self.names.type_named(token.word).is_some(),
            TokenKind::Attribute | TokenKind::AutoType => true,
            kind => kind.starts_type(),
        }
    }

    /// Whether a declaration begins at the current token (attributes aside).
    pub(super) fn declaration_starts(&mut self) -> bool {
        let mut n = 0;
        while self.peek_kind(n) == TokenKind::Extension {
            n += 1;
        }
        let token = self.peek(n);
        match token.kind {
            TokenKind::Ident => self.names.type_named(token.word).is_some(),
            kind => kind.starts_declaration(),
        }
    }

    pub(super) fn decl_specs(&mut self, place: SpecPlace) -> Parsed<DeclSpecs> {
        let start = self.tok.span;
        let mut words = Words::default();
        let mut specs = DeclSpecs {
            storage: None,
            thread_local: false,
            inline: false,
            noreturn: false,
            is_constexpr: false,
            quals: Quals::default(),
            ty: TypeSpec::Implicit,
            alignas: Vec::new(),
            attrs: Vec::new(),
            span: start,
        };
        // A type that is not made of basic keywords; `words` must then stay empty.
        let mut named: Option<TypeSpec> = None;
        loop {
            let token = self.tok;
            self.check_end_of_body(named.as_ref())?;
            if self.storage_or_qualifier(token, &mut specs)? {
                continue;
            }
            if words.count(token.kind) {
                self.bump();
            } else if let Some(ty) = self.named_type(words, named.is_some(), place, &specs)? {
                if named.is_some() || words.without_complex().any() {
                    return Err(self.two_types(token.span));
                }
                named = Some(ty);
            } else {
                break;
            }
        }
        specs.ty = match named {
            Some(_) if words.without_complex().any() => return Err(self.two_types(self.since(start))),
            Some(TypeSpec::Basic(_)) if words.complex > 0 => TypeSpec::Basic(BasicType::Complex),
            Some(ty) => ty,
            None if words.any() => TypeSpec::Basic(self.basic_type(words, start)?),
            // `auto x = 1;` takes the type of the value.
            None if self.lexer.is_c23() && specs.storage == Some(StorageClass::Auto) => TypeSpec::Auto,
            None => TypeSpec::Implicit,
        };
        specs.span = self.since(start);
        Ok(specs)
    }

    /// `struct s { ... }` followed by a new declaration on the next line lacks its `;`.
    fn check_end_of_body(&mut self, named: Option<&TypeSpec>) -> Parsed<()> {
        let has_body = match named {
            Some(TypeSpec::Record(record)) => record.members.is_some(),
            Some(TypeSpec::Enum(spec)) => spec.enumerators.is_some(),
            _ => false,
        };
        let kind = self.tok.kind;
        let new_start = self.tok.first_on_line
            && kind.starts_declaration()
            && !matches!(kind, TokenKind::Const | TokenKind::Volatile | TokenKind::Atomic);
        if has_body && new_start {
            let behind = Span::new(self.previous.hi, self.previous.hi);
            let message = "expected ';' after the definition of a struct, union or enum";
            return Err(self.error(Diagnostic::error("syntax", behind, message)));
        }
        Ok(())
    }

    fn basic_type(&mut self, words: Words, start: Span) -> Parsed<BasicType> {
        words.basic_type().ok_or_else(|| {
            let span = self.since(start);
            self.error(Diagnostic::error("syntax", span, "these type specifiers cannot be combined"))
        })
    }

    fn two_types(&mut self, span: Span) -> Failed {
        self.error(Diagnostic::error(
            "syntax",
            span,
            "two types in one declaration; is a ';' or ',' missing?",
        ))
    }

    /// Takes one specifier that is not a type; false if the current token is none.
    fn storage_or_qualifier(&mut self, token: Token, specs: &mut DeclSpecs) -> Parsed<bool> {
        match token.kind {
            TokenKind::Typedef => self.storage(specs, StorageClass::Typedef)?,
            TokenKind::Extern => self.storage(specs, StorageClass::Extern)?,
            TokenKind::Static => self.storage(specs, StorageClass::Static)?,
            TokenKind::Auto => self.storage(specs, StorageClass::Auto)?,
            TokenKind::Register => self.storage(specs, StorageClass::Register)?,
            TokenKind::Constexpr => {
                // A constant with internal linkage or, in a block, without any: nobody can tell how long
                // it lives, unless by its address in a recursive function.
                specs.quals.is_const = true;
                specs.is_constexpr = true;
                if specs.storage.is_none() {
                    specs.storage = Some(StorageClass::Static);
                }
            }
            TokenKind::ThreadLocal => specs.thread_local = true,
            TokenKind::Inline => specs.inline = true,
            TokenKind::Noreturn => specs.noreturn = true,
            TokenKind::Extension => {}
            TokenKind::Atomic if self.peek_kind(1) == TokenKind::LParen => return Ok(false),
            kind if self.qualifier(kind, &mut specs.quals) => {}
            TokenKind::Alignas => {
                self.alignas(&mut specs.alignas)?;
                return Ok(true);
            }
            _ if self.at_attribute() => {
                self.attributes(&mut specs.attrs)?;
                return Ok(true);
            }
            _ => return Ok(false),
        }
        self.bump();
        Ok(true)
    }

    fn storage(&mut self, specs: &mut DeclSpecs, class: StorageClass) -> Parsed<()> {
        match specs.storage.replace(class) {
            Some(before) if before != class => {
                Err(self.error_here("two storage classes in one declaration".to_string()))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn qualifier(&self, kind: TokenKind, quals: &mut Quals) -> bool {
        match kind {
            TokenKind::Const => quals.is_const = true,
            TokenKind::Volatile => quals.is_volatile = true,
            TokenKind::Restrict => quals.is_restrict = true,
            TokenKind::Atomic => quals.is_atomic = true,
            _ => return false,
        }
        true
    }

    fn alignas(&mut self, out: &mut Vec<Alignas>) -> Parsed<()> {
        self.bump();
        let open = self.expect(TokenKind::LParen, "after '_Alignas'")?.span;
        if self.type_name_starts(0) {
            out.push(Alignas::Type(self.type_name()?));
        } else {
            out.push(Alignas::Expr(Box::new(self.conditional()?)));
        }
        self.expect_closing(TokenKind::RParen, open)?;
        Ok(())
    }

    /// A type other than the basic keywords at the current token.
    fn named_type(
        &mut self,
        words: Words,
        have_named: bool,
        place: SpecPlace,
        specs: &DeclSpecs,
    ) -> Parsed<Option<TypeSpec>> {
        let ty = match self.tok.kind {
            TokenKind::Struct | TokenKind::Union => TypeSpec::Record(Box::new(self.record_spec()?)),
            TokenKind::Enum => TypeSpec::Enum(Box::new(self.enum_spec()?)),
            TokenKind::Typeof => self.typeof_spec()?,
            TokenKind::Atomic => self.atomic_spec()?,
            TokenKind::AutoType => {
                self.bump();
                TypeSpec::Auto
            }
            TokenKind::Ident if have_named => return Ok(None),
            TokenKind::Ident => return self.identifier_as_type(words, place, specs),
            _ => return Ok(None),
        };
        Ok(Some(ty))
    }

    fn identifier_as_type(
        &mut self,
        words: Words,
        place: SpecPlace,
        specs: &DeclSpecs,
    ) -> Parsed<Option<TypeSpec>> {
        let name = self.tok.word;
        let ty = match self.names.type_named(name) {
            // `_Complex _Float128`: only the built-in names combine with a keyword.
            Some(NameKind::Builtin(basic)) if !words.without_complex().any() => TypeSpec::Basic(basic),
            _ if words.any() => return Ok(None),
            Some(_) => TypeSpec::Typedef(name),
            None if self.is_unknown_type(place, specs) => {
                // One report is enough: later uses are taken as the type that was meant.
                if self.names.assume_type(name) {
                    let message = format!("unknown type name '{name}'");
                    self.error(Diagnostic::error("unknown-type", self.tok.span, message));
                }
                TypeSpec::Basic(BasicType::Int)
            }
            None => return Ok(None),
        };
        self.bump();
        Ok(Some(ty))
    }

    /// Whether an identifier that is no type was clearly meant as one.
    fn is_unknown_type(&mut self, place: SpecPlace, specs: &DeclSpecs) -> bool {
        let next = self.peek_kind(1);
        match next {
            TokenKind::Ident => true,
            kind if kind.starts_declaration() => place != SpecPlace::File || !self.peek(1).first_on_line,
            TokenKind::Star => {
                place != SpecPlace::Block || specs.storage.is_some() || specs.quals != Quals::default()
            }
            _ => match place {
                SpecPlace::Param => specs.storage.is_none(),
                SpecPlace::Member => true,
                SpecPlace::File | SpecPlace::Block | SpecPlace::TypeName => false,
            },
        }
    }

    /// `typeof_unqual` is taken as `typeof`: the tree does not tell them apart.
    fn typeof_spec(&mut self) -> Parsed<TypeSpec> {
        self.bump();
        let open = self.expect(TokenKind::LParen, "after 'typeof'")?.span;
        let spec = if self.type_name_starts(0) {
            TypeSpec::TypeofType(Box::new(self.type_name()?))
        } else {
            TypeSpec::TypeofExpr(Box::new(self.expression()?))
        };
        self.expect_closing(TokenKind::RParen, open)?;
        Ok(spec)
    }

    fn atomic_spec(&mut self) -> Parsed<TypeSpec> {
        self.bump();
        let open = self.expect(TokenKind::LParen, "after '_Atomic'")?.span;
        let ty = self.type_name()?;
        self.expect_closing(TokenKind::RParen, open)?;
        Ok(TypeSpec::Atomic(Box::new(ty)))
    }

    pub(super) fn type_name(&mut self) -> Parsed<TypeName> {
        self.nested(|p| {
            let start = p.tok.span;
            let specs = p.decl_specs(SpecPlace::TypeName)?;
            let declarator = p.abstract_declarator()?;
            if let Some((name, span)) = declarator.name {
                return Err(p.error(Diagnostic::error(
                    "syntax",
                    span,
                    format!("a type is expected here, without the name '{name}'"),
                )));
            }
            Ok(TypeName { specs, declarator, span: p.since(start) })
        })
    }
}
