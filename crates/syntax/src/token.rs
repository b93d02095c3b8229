//! Kinds of tokens, the table of keywords and the spelling of punctuation.
//!
//! A token is its kind and its span; the value of a literal is computed from its text when the
//! parser takes it ([`crate::literal`]). All GNU spellings of a keyword are one kind.

use braid_base::{Span, Symbol};

#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: TokenKind,
    /// Whether only blanks stand before it on its line.
    pub first_on_line: bool,
    pub span: Span,
    /// The text of an identifier or keyword; empty for other tokens.
    pub word: Symbol,
}

macro_rules! token_kinds {
    (
        other { $($other:ident $other_text:literal,)* }
        punctuation { $($punct:ident $punct_text:literal,)* }
        keywords { $($keyword:ident $first:literal $(| $spelling:literal)*,)* }
    ) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum TokenKind { $($other,)* $($punct,)* $($keyword,)* }

        impl TokenKind {
            /// How messages call a token of this kind.
            pub fn describe(self) -> &'static str {
                match self {
                    $(TokenKind::$other => $other_text,)*
                    $(TokenKind::$punct => concat!("'", $punct_text, "'"),)*
                    $(TokenKind::$keyword => concat!("'", $first, "'"),)*
                }
            }
        }

        pub const KEYWORDS: &[(&str, TokenKind)] = &[
            $(($first, TokenKind::$keyword), $(($spelling, TokenKind::$keyword),)*)*
        ];
    };
}

token_kinds! {
    other {
        Eof "end of input",
        Ident "identifier",
        Number "number",
        Char "character constant",
        Str "string literal",
    }
    punctuation {
        LParen "(", RParen ")", LBracket "[", RBracket "]", LBrace "{", RBrace "}",
        Comma ",", Semi ";", Colon ":", Question "?", Dot ".", Arrow "->", Ellipsis "...",
        Plus "+", PlusPlus "++", PlusEq "+=", Minus "-", MinusMinus "--", MinusEq "-=",
        Star "*", StarEq "*=", Slash "/", SlashEq "/=", Percent "%", PercentEq "%=",
        Amp "&", AmpAmp "&&", AmpEq "&=", Pipe "|", PipePipe "||", PipeEq "|=",
        Caret "^", CaretEq "^=", Tilde "~", Bang "!", BangEq "!=", Eq "=", EqEq "==",
        Lt "<", LtEq "<=", Shl "<<", ShlEq "<<=", Gt ">", GtEq ">=", Shr ">>", ShrEq ">>=",
    }
    keywords {
        Alignas "_Alignas" | "alignas",
        Alignof "_Alignof" | "alignof" | "__alignof" | "__alignof__",
        Asm "asm" | "__asm" | "__asm__",
        Atomic "_Atomic",
        Attribute "__attribute__" | "__attribute",
        Auto "auto",
        AutoType "__auto_type",
        Bool "_Bool" | "bool" | "__CPROVER_bool",
        Break "break",
        BuiltinChooseExpr "__builtin_choose_expr",
        BuiltinOffsetof "__builtin_offsetof",
        BuiltinTypesCompatible "__builtin_types_compatible_p",
        BuiltinVaArg "__builtin_va_arg",
        Case "case",
        CharType "char",
        Complex "_Complex" | "__complex" | "__complex__",
        Const "const" | "__const" | "__const__",
        Constexpr "constexpr",
        Continue "continue",
        Default "default",
        Do "do",
        Double "double",
        Else "else",
        Enum "enum",
        Extension "__extension__",
        Extern "extern",
        False "false",
        Float "float",
        For "for",
        FuncName "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__",
        Generic "_Generic",
        Goto "goto",
        If "if",
        Imag "__imag__" | "__imag",
        Inline "inline" | "__inline" | "__inline__",
        Int "int",
        Int128 "__int128",
        LabelDecl "__label__",
        Long "long",
        Noreturn "_Noreturn",
        Nullptr "nullptr",
        Real "__real__" | "__real",
        Register "register",
        Restrict "restrict" | "__restrict" | "__restrict__",
        Return "return",
        Short "short",
        Signed "signed" | "__signed" | "__signed__",
        Sizeof "sizeof",
        Static "static",
        StaticAssert "_Static_assert" | "static_assert",
        Struct "struct",
        Switch "switch",
        ThreadLocal "__thread" | "_Thread_local" | "thread_local" | "__CPROVER_thread_local",
        True "true",
        Typedef "typedef",
        Typeof "typeof" | "__typeof" | "__typeof__" | "typeof_unqual",
        Union "union",
        Unsigned "unsigned",
        Void "void",
        Volatile "volatile" | "__volatile" | "__volatile__",
        While "while",
    }
}

impl TokenKind {
    /// Whether a declaration can begin with this keyword.
    pub fn starts_declaration(self) -> bool {
        use TokenKind::*;
        self.starts_type()
            || matches!(
                self,
                Typedef
                    | Constexpr
                    | Extern
                    | Static
                    | Auto
                    | Register
                    | ThreadLocal
                    | Inline
                    | Noreturn
                    | Alignas
                    | AutoType
            )
    }

    /// Whether a type name can begin with this keyword.
    pub fn starts_type(self) -> bool {
        use TokenKind::*;
        matches!(
            self,
            Void | Bool
                | CharType
                | Short
                | Int
                | Long
                | Int128
                | Float
                | Double
                | Signed
                | Unsigned
                | Complex
                | Struct
                | Union
                | Enum
                | Typeof
                | Atomic
                | Const
                | Volatile
                | Restrict
        )
    }
}

/// The longest punctuation (or digraph) at the start of the bytes.
pub fn punctuation(bytes: &[u8]) -> Option<(TokenKind, usize)> {
    use TokenKind::*;
    let second = bytes.get(1).copied().unwrap_or(0);
    let third = bytes.get(2).copied().unwrap_or(0);
    let found = match (bytes[0], second, third) {
        (b'(', ..) => (LParen, 1),
        (b')', ..) => (RParen, 1),
        (b'[', ..) => (LBracket, 1),
        (b']', ..) => (RBracket, 1),
        (b'{', ..) => (LBrace, 1),
        (b'}', ..) => (RBrace, 1),
        (b',', ..) => (Comma, 1),
        (b';', ..) => (Semi, 1),
        (b':', b'>', _) => (RBracket, 2),
        (b':', ..) => (Colon, 1),
        (b'?', ..) => (Question, 1),
        (b'.', b'.', b'.') => (Ellipsis, 3),
        (b'.', ..) => (Dot, 1),
        (b'+', b'+', _) => (PlusPlus, 2),
        (b'+', b'=', _) => (PlusEq, 2),
        (b'+', ..) => (Plus, 1),
        (b'-', b'>', _) => (Arrow, 2),
        (b'-', b'-', _) => (MinusMinus, 2),
        (b'-', b'=', _) => (MinusEq, 2),
        (b'-', ..) => (Minus, 1),
        (b'*', b'=', _) => (StarEq, 2),
        (b'*', ..) => (Star, 1),
        (b'/', b'=', _) => (SlashEq, 2),
        (b'/', ..) => (Slash, 1),
        (b'%', b'>', _) => (RBrace, 2),
        (b'%', b'=', _) => (PercentEq, 2),
        (b'%', ..) => (Percent, 1),
        (b'&', b'&', _) => (AmpAmp, 2),
        (b'&', b'=', _) => (AmpEq, 2),
        (b'&', ..) => (Amp, 1),
        (b'|', b'|', _) => (PipePipe, 2),
        (b'|', b'=', _) => (PipeEq, 2),
        (b'|', ..) => (Pipe, 1),
        (b'^', b'=', _) => (CaretEq, 2),
        (b'^', ..) => (Caret, 1),
        (b'~', ..) => (Tilde, 1),
        (b'!', b'=', _) => (BangEq, 2),
        (b'!', ..) => (Bang, 1),
        (b'=', b'=', _) => (EqEq, 2),
        (b'=', ..) => (Eq, 1),
        (b'<', b'<', b'=') => (ShlEq, 3),
        (b'<', b'<', _) => (Shl, 2),
        (b'<', b'=', _) => (LtEq, 2),
        (b'<', b':', _) => (LBracket, 2),
        (b'<', b'%', _) => (LBrace, 2),
        (b'<', ..) => (Lt, 1),
        (b'>', b'>', b'=') => (ShrEq, 3),
        (b'>', b'>', _) => (Shr, 2),
        (b'>', b'=', _) => (GtEq, 2),
        (b'>', ..) => (Gt, 1),
        _ => return None,
    };
    Some(found)
}
