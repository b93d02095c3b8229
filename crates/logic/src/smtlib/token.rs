//! The tokens of SMT-LIB text.

use super::read::ReadError;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Token<'a> {
    Open,
    Close,
    /// A symbol, keyword, number or literal; a quoted symbol without its bars.
    Atom(&'a str),
}

/// The tokens with their positions in bytes.
pub fn tokens(text: &str) -> Result<Vec<(usize, Token<'_>)>, ReadError> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = match first {
            '(' | ')' => {
                found.push((at, if first == '(' { Token::Open } else { Token::Close }));
                1
            }
            ';' => rest.find('\n').unwrap_or(rest.len()),
            '|' | '"' => {
                let inner =
                    rest[1..].find(first).ok_or_else(|| ReadError::new(at, "a quote is not closed"))?;
                found.push((at, Token::Atom(&rest[1..1 + inner])));
                inner + 2
            }
            c if c.is_whitespace() => c.len_utf8(),
            _ => {
                let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';' | '|' | '"');
                let length = rest.find(ends).unwrap_or(rest.len());
                found.push((at, Token::Atom(&rest[..length])));
                length
            }
        };
        at += length;
    }
    Ok(found)
}
