//! The lexer: preprocessed C text to tokens, one at a time.
//!
//! Line markers (`# 12 "file.c" 2`, `#line 12`) go to the [`SourceMap`]; `#pragma pack` is kept for
//! the parser; the first `#pragma omp` of a text gets a warning; other pragmas and left-over directives are skipped, except those that show that the
//! text was never preprocessed (`#include`, `#if`), which are errors. Errors go to [`Diagnostics`];
//! once their limit is reached, or the text turns out to be binary, the lexer only gives the end of
//! input. It relies on [`crate::text`] having joined spliced lines, and looks at each byte once, so a
//! single line of many megabytes is no special case.

use crate::dialect::Dialect;
use crate::text::raw_byte;
use crate::token::{KEYWORDS, Token, TokenKind, punctuation};
use braid_base::{Diagnostic, Diagnostics, HashMap, SourceMap, Span, Symbol};

pub struct Lexer<'t> {
    pub diags: &'t mut Diagnostics,
    sources: &'t mut SourceMap,
    text: &'t str,
    /// Next byte of `text`.
    pos: usize,
    /// Global position of the first byte.
    base: u32,
    line_start: bool,
    words: HashMap<&'t str, (TokenKind, Symbol)>,
    no_word: Symbol,
    file: String,
    in_system_header: bool,
    stopped: bool,
    /// Where the last lexical error stood; 0 before the first.
    pub last_error: u32,
    stray_runs: u32,
    pack: Pack,
    dialect: Dialect,
    /// An OpenMP pragma was seen.
    openmp: bool,
}

/// The code of the warning about OpenMP pragmas.
pub const OPENMP: &str = "openmp";

/// After this many runs of characters that no C program holds, the text is given up.
const MAX_STRAY_RUNS: u32 = 5;

/// The state of `#pragma pack`.
#[derive(Default)]
struct Pack {
    current: Option<u8>,
    saved: Vec<Option<u8>>,
}

impl<'t> Lexer<'t> {
    /// `text` must be the newest buffer of `sources`, starting at global position `base`.
    pub fn new(
        sources: &'t mut SourceMap,
        diags: &'t mut Diagnostics,
        name: &str,
        text: &'t str,
        base: u32,
        dialect: Dialect,
    ) -> Lexer<'t> {
        let keywords = KEYWORDS.iter().filter(|(word, _)| dialect.has_keyword(word));
        let words = keywords.map(|&(word, kind)| (word, (kind, Symbol::intern(word)))).collect();
        Lexer {
            diags,
            sources,
            text,
            pos: 0,
            base,
            line_start: true,
            words,
            no_word: Symbol::intern(""),
            file: name.to_string(),
            in_system_header: false,
            stopped: false,
            last_error: 0,
            stray_runs: 0,
            pack: Pack::default(),
            dialect,
            openmp: false,
        }
    }

    pub(crate) fn is_c23(&self) -> bool {
        self.dialect.is_c23()
    }

    /// No more tokens, and no more errors: they would only be consequences.
    pub fn stop(&mut self) {
        self.stopped = true;
        self.pos = self.text.len();
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// The alignment limit that `#pragma pack` sets at this point.
    pub fn pack(&self) -> Option<u8> {
        self.pack.current
    }

    pub fn text_of(&self, span: Span) -> &'t str {
        self.text.get((span.lo - self.base) as usize..(span.hi - self.base) as usize).unwrap_or("")
    }

    pub fn next_token(&mut self) -> Token {
        loop {
            self.skip_blanks();
            if self.diags.at_limit() {
                self.stop();
            }
            let start = self.pos;
            let first_on_line = std::mem::replace(&mut self.line_start, false);
            let Some((kind, word)) = self.scan() else {
                self.line_start = first_on_line;
                continue;
            };
            let span = match kind {
                TokenKind::Eof => self.end_span(),
                _ => self.span_from(start),
            };
            return Token { kind, first_on_line, span, word };
        }
    }

    /// Right behind the last thing written, where something is missing if anything is.
    fn end_span(&self) -> Span {
        let end = self.base + self.text.trim_end().len() as u32;
        Span::new(end, end)
    }

    /// The token at `pos`, or `None` after something that is no token and was reported.
    fn scan(&mut self) -> Option<(TokenKind, Symbol)> {
        let Some(byte) = self.byte(0) else { return Some((TokenKind::Eof, self.no_word)) };
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => self.scan_word(),
            b'0'..=b'9' => Some(self.scan_number()),
            b'.' if self.byte(1).is_some_and(|b| b.is_ascii_digit()) => Some(self.scan_number()),
            b'"' => Some(self.scan_quoted(b'"', TokenKind::Str)),
            b'\'' => Some(self.scan_quoted(b'\'', TokenKind::Char)),
            b'\\' if matches!(self.byte(1), Some(b'u' | b'U')) => self.scan_word(),
            0x80.. => self.scan_word(),
            _ => match punctuation(&self.text.as_bytes()[self.pos..]) {
                Some((kind, length)) => {
                    self.pos += length;
                    Some((kind, self.no_word))
                }
                None => self.stray(),
            },
        }
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.pos + ahead).copied()
    }

    fn span_from(&self, start: usize) -> Span {
        Span::new(self.base + start as u32, self.base + self.pos as u32)
    }

    fn error(&mut self, code: &'static str, start: usize, message: impl Into<String>) {
        let span = self.span_from(start);
        self.last_error = span.lo;
        if !self.stopped {
            self.diags.push(Diagnostic::error(code, span, message));
        }
    }

    // ---- blanks, comments, directives ----

    fn skip_blanks(&mut self) {
        while let Some(byte) = self.byte(0) {
            match byte {
                b'\n' => {
                    self.pos += 1;
                    self.line_start = true;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.pos += 1,
                b'/' if self.byte(1) == Some(b'/') => self.pos = self.line_end(),
                b'/' if self.byte(1) == Some(b'*') => self.skip_comment(),
                b'#' if self.line_start => self.directive(1),
                b'%' if self.line_start && self.byte(1) == Some(b':') => self.directive(2),
                _ => break,
            }
        }
    }

    fn line_end(&self) -> usize {
        self.text[self.pos..].find('\n').map_or(self.text.len(), |i| self.pos + i)
    }

    fn skip_comment(&mut self) {
        let start = self.pos;
        match self.text[start + 2..].find("*/") {
            Some(length) => self.pos = start + 2 + length + 2,
            None => {
                self.pos = start + 2;
                self.error("unterminated-comment", start, "this comment is never closed: '*/' is missing");
                self.pos = self.text.len();
            }
        }
    }

    /// A line that begins with `#` (or its digraph, `skip` bytes long).
    fn directive(&mut self, skip: usize) {
        let start = self.pos;
        let end = self.line_end();
        let line = self.text[start + skip..end].trim();
        self.pos = end;
        let word_length = line.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(line.len());
        let (word, rest) = line.split_at(word_length);
        match word {
            "line" => self.line_marker(rest),
            "pragma" => {
                self.openmp_pragma(start, rest.trim());
                self.pragma(rest.trim());
            }
            "include" | "include_next" | "import" | "if" | "ifdef" | "ifndef" | "elif" | "else" | "endif" => {
                self.pos = start + skip;
                self.error(
                    "not-preprocessed",
                    start,
                    format!(
                        "'#{word}' in text that should already be preprocessed; name the file '.c', or run 'cc -E' on it first"
                    ),
                );
                self.pos = end;
            }
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => self.line_marker(line),
            _ => {}
        }
    }

    /// `12 "file" flags`: the line after this one is line 12 of the file; flag 3 marks system headers.
    fn line_marker(&mut self, text: &str) {
        let text = text.trim_start();
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        // Clamped so that adding a line count cannot overflow.
        let line = text[..digits].parse::<u32>().unwrap_or(1).min(1 << 30);
        let rest = text[digits..].trim_start();
        if let Some((file, flags)) = quoted_file(rest) {
            self.file = file;
            self.in_system_header = flags.split_ascii_whitespace().any(|flag| flag == "3");
        }
        let next_line = (self.pos + 1).min(self.text.len());
        self.sources.add_marker(self.base + next_line as u32, &self.file, line, self.in_system_header);
    }

    /// OpenMP makes threads of its own, which nobody looks at: the first pragma of a text says so.
    fn openmp_pragma(&mut self, start: usize, text: &str) {
        let is_openmp =
            text.strip_prefix("omp").is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()));
        if is_openmp && !self.openmp && !self.in_system_header && !self.stopped {
            self.openmp = true;
            let message = "OpenMP pragmas are ignored: the program is read as one without threads of OpenMP";
            self.diags.push(Diagnostic::warning(OPENMP, self.span_from(start), message));
        }
    }

    /// `#pragma pack(...)` changes layouts; every other pragma is ignored.
    fn pragma(&mut self, text: &str) {
        let Some(rest) = text.strip_prefix("pack") else { return };
        let Some(args) = rest.trim_start().strip_prefix('(').and_then(|r| r.split(')').next()) else {
            return;
        };
        let mut limit = None;
        let mut kept = false;
        for arg in args.split(',').map(str::trim) {
            match arg {
                "push" => {
                    self.pack.saved.push(self.pack.current);
                    kept = true;
                }
                "pop" => {
                    self.pack.current = self.pack.saved.pop().flatten();
                    kept = true;
                }
                _ => limit = arg.parse::<u8>().ok().filter(|n| n.is_power_of_two()).or(limit),
            }
        }
        if limit.is_some() || !kept {
            self.pack.current = limit;
        }
    }

    // ---- words ----

    fn scan_word(&mut self) -> Option<(TokenKind, Symbol)> {
        let start = self.pos;
        let bytes = self.text.as_bytes();
        let length = bytes[start..].iter().take_while(|&&b| is_word_byte(b)).count();
        self.pos += length;
        match self.byte(0) {
            Some(b'"' | b'\'') if matches!(&self.text[start..self.pos], "L" | "u" | "U" | "u8") => {
                let quote = self.byte(0).expect("just matched");
                Some(self.scan_quoted(quote, if quote == b'"' { TokenKind::Str } else { TokenKind::Char }))
            }
            Some(b'\\' | 0x80..) => self.scan_unusual_word(start),
            _ => self.word(&self.text[start..self.pos]),
        }
    }

    fn word(&mut self, text: &'t str) -> Option<(TokenKind, Symbol)> {
        if text == "_Pragma" {
            return self.skip_pragma_operator();
        }
        Some(*self.words.entry(text).or_insert_with(|| (TokenKind::Ident, Symbol::intern(text))))
    }

    /// `_Pragma("...")`, which a preprocessor usually has already turned into a line.
    fn skip_pragma_operator(&mut self) -> Option<(TokenKind, Symbol)> {
        let rest = &self.text[self.pos..];
        let end = rest.find('\n').unwrap_or(rest.len());
        if let Some(close) = rest[..end].find("\")") {
            self.pos += close + 2;
        }
        None
    }

    /// An identifier with universal character names or characters beyond ASCII.
    fn scan_unusual_word(&mut self, start: usize) -> Option<(TokenKind, Symbol)> {
        let mut name = self.text[start..self.pos].to_string();
        while let Some(c) = self.text[self.pos..].chars().next() {
            if c == '\\' {
                let Some((named, length)) = universal_name(&self.text[self.pos..]) else { break };
                name.push(named);
                self.pos += length;
            } else if c.is_ascii() {
                if !is_word_byte(c as u8) {
                    break;
                }
                name.push(c);
                self.pos += 1;
            } else if is_identifier_char(c) {
                name.push(c);
                self.pos += c.len_utf8();
            } else {
                break;
            }
        }
        if name.is_empty() {
            return self.stray();
        }
        let symbol = Symbol::intern(&name);
        Some((TokenKind::Ident, symbol))
    }

    // ---- literals ----

    /// A preprocessing number: everything that could belong to it; its parts are checked later.
    fn scan_number(&mut self) -> (TokenKind, Symbol) {
        let mut previous = 0;
        while let Some(byte) = self.byte(0) {
            let exponent_sign = matches!(byte, b'+' | b'-') && matches!(previous, b'e' | b'E' | b'p' | b'P');
            let separator = byte == b'\'' && self.is_c23() && self.byte(1).is_some_and(is_word_byte);
            if !(is_word_byte(byte) || byte == b'.' || exponent_sign || separator) {
                break;
            }
            previous = byte;
            self.pos += 1;
        }
        (TokenKind::Number, self.no_word)
    }

    /// From the opening quote at `pos` to the closing one; a newline ends it with an error.
    fn scan_quoted(&mut self, quote: u8, kind: TokenKind) -> (TokenKind, Symbol) {
        let start = self.pos;
        self.pos += 1;
        loop {
            match self.byte(0) {
                Some(b) if b == quote => {
                    self.pos += 1;
                    break;
                }
                Some(b'\\') if self.byte(1).is_some_and(|b| b != b'\n') => self.pos += 2,
                None | Some(b'\n') => {
                    self.error(
                        "unterminated-literal",
                        start,
                        format!("missing closing {} of this {}", char::from(quote), kind.describe()),
                    );
                    break;
                }
                Some(_) => self.pos += 1,
            }
        }
        // The escape skip works on bytes and may have ended inside a character.
        while !self.text.is_char_boundary(self.pos) {
            self.pos += 1;
        }
        (kind, self.no_word)
    }

    // ---- what is no token ----

    fn stray(&mut self) -> Option<(TokenKind, Symbol)> {
        let start = self.pos;
        let c = self.text[start..].chars().next()?;
        self.pos += c.len_utf8();
        if c.is_ascii_control() {
            let message =
                format!("byte 0x{:02x} does not belong in C source: is this a binary file?", c as u32);
            self.error("not-text", start, message);
            self.stop();
            return Some((TokenKind::Eof, self.no_word));
        }
        // One report for a whole run of them.
        while let Some(next) = self.text[self.pos..].chars().next() {
            if next != c && (next.is_ascii() || is_identifier_char(next)) {
                break;
            }
            self.pos += next.len_utf8();
        }
        let shown = match raw_byte(c) {
            Some(byte) => format!("byte 0x{byte:02x}"),
            None => format!("'{c}'"),
        };
        self.error("stray-character", start, format!("stray {shown} in program"));
        self.stray_runs += 1;
        if self.stray_runs >= MAX_STRAY_RUNS {
            self.error("not-text", start, "too many stray characters: this does not look like C source");
            self.stop();
        }
        None
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

fn is_identifier_char(c: char) -> bool {
    raw_byte(c).is_none() && (c.is_alphanumeric() || (c > '\u{300}' && !c.is_whitespace() && !c.is_control()))
}

/// `\uXXXX` or `\UXXXXXXXX` at the start of the text: the character and the length.
pub fn universal_name(text: &str) -> Option<(char, usize)> {
    let digits = match text.as_bytes().get(1)? {
        b'u' => 4,
        b'U' => 8,
        _ => return None,
    };
    let hex = text.get(2..2 + digits)?;
    if !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let c = char::from_u32(u32::from_str_radix(hex, 16).ok()?)?;
    Some((c, 2 + digits))
}

/// The file name of a line marker, unescaped, and the rest of the line.
fn quoted_file(text: &str) -> Option<(String, &str)> {
    let mut rest = text.strip_prefix('"')?.char_indices().peekable();
    let mut bytes = Vec::new();
    while let Some((at, c)) = rest.next() {
        match c {
            '"' => return Some((String::from_utf8_lossy(&bytes).into_owned(), &text[at + 2..])),
            '\\' => {
                let mut octal = None;
                for _ in 0..3 {
                    if let Some((_, digit)) = rest.next_if(|(_, d)| d.is_digit(8)) {
                        octal = Some(octal.unwrap_or(0) * 8 + digit.to_digit(8).unwrap_or(0));
                    }
                }
                match octal {
                    Some(value) => bytes.push(value as u8),
                    None => bytes.extend(rest.next().map(|(_, c)| c.to_string()).unwrap_or_default().bytes()),
                }
            }
            _ => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let mut sources = SourceMap::default();
        let mut diags = Diagnostics::default();
        let base = sources.add("t.c", text.into()).unwrap();
        let mut lexer = Lexer::new(&mut sources, &mut diags, "t.c", text, base, Dialect::default());
        let mut out = String::new();
        loop {
            let token = lexer.next_token();
            if token.kind == TokenKind::Eof {
                break;
            }
            out += &format!("{:?} {}\n", token.kind, lexer.text_of(token.span));
        }
        for diag in diags.iter() {
            out += &diag.render(&sources);
        }
        expected.assert_eq(&out);
    }

    #[test]
    fn words_numbers_and_literals() {
        check(
            "__const__ x$y 0x1p-3f .5e+3 1...2 L'a' u8\"s\\\"\" u8 caf\\u00e9 é%:",
            expect![[r#"
                Const __const__
                Ident x$y
                Number 0x1p-3f
                Number .5e+3
                Number 1...2
                Char L'a'
                Str u8"s\""
                Ident u8
                Ident caf\u00e9
                Ident é
                Percent %
                Colon :
            "#]],
        );
    }

    #[test]
    fn directives_and_comments() {
        check(
            "# 7 \"dir/a.c\" 1 3\nx /* c\n */ y // z\n#pragma omp parallel\n  # 1 \"b\\\\\\\"c.c\"\n@\n#include <stdio.h>\n_Pragma(\"x\") z",
            expect![[r#"
                Ident x
                Ident y
                Ident z
                b\"c.c:1:1: error: stray '@' in program [stray-character]
                 1 | @
                   | ^
                b\"c.c:2:1: error: '#include' in text that should already be preprocessed; name the file '.c', or run 'cc -E' on it first [not-preprocessed]
                 2 | #include <stdio.h>
                   | ^
            "#]],
        );
    }

    #[test]
    fn digraphs_and_long_operators() {
        check(
            "<: :> <% %> <<= >>= ... -> --- &&&",
            expect![[r#"
                LBracket <:
                RBracket :>
                LBrace <%
                RBrace %>
                ShlEq <<=
                ShrEq >>=
                Ellipsis ...
                Arrow ->
                MinusMinus --
                Minus -
                AmpAmp &&
                Amp &
            "#]],
        );
    }

    #[test]
    fn unterminated() {
        check(
            "\"abc\n'x\n\"\\",
            expect![[r#"
                Str "abc
                Char 'x
                Str "\
                t.c:1:1: error: missing closing " of this string literal [unterminated-literal]
                 1 | "abc
                   | ^~~~
                t.c:2:1: error: missing closing ' of this character constant [unterminated-literal]
                 2 | 'x
                   | ^~
                t.c:3:1: error: missing closing " of this string literal [unterminated-literal]
                 3 | "\
                   | ^~
            "#]],
        );
        check(
            "x /* never",
            expect![[r#"
                Ident x
                t.c:1:3: error: this comment is never closed: '*/' is missing [unterminated-comment]
                 1 | x /* never
                   |   ^~
            "#]],
        );
    }

    #[test]
    fn binary_data_is_one_error() {
        check(
            "\u{7f}ELF\u{2}\u{1}\u{1}\0\0\0garbage @@@@ \u{1}",
            expect![[r#"
                t.c:1:1: error: byte 0x7f does not belong in C source: is this a binary file? [not-text]
                 1 |  ELF      garbage @@@@  
                   | ^
            "#]],
        );
    }
}
