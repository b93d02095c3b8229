//! Just enough of Rust's lexical grammar to look at identifiers and strings outside comments.

/// A word or a string of a source text, with its line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    pub line: usize,
    pub kind: Kind,
    pub text: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Word,
    Str,
    /// A single sign.
    Sign,
}

/// The tokens of a text without comments and without items under `#[cfg(test)]`.
pub fn tokens(text: &str) -> Vec<Token> {
    without_tests(Lexer { rest: text, line: 1 }.run())
}

struct Lexer<'a> {
    rest: &'a str,
    line: usize,
}

impl Lexer<'_> {
    fn run(mut self) -> Vec<Token> {
        let mut found = Vec::new();
        while let Some(c) = self.rest.chars().next() {
            let line = self.line;
            let mut push = |kind, text: String| found.push(Token { line, kind, text });
            if self.rest.starts_with("//") {
                self.take(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                self.take(block_comment(self.rest));
            } else if let Some((length, content)) = string(self.rest) {
                let content = content.to_string();
                self.take(length);
                push(Kind::Str, content);
            } else if c == '\'' {
                self.take(quoted_char(self.rest));
            } else if c.is_alphanumeric() || c == '_' {
                let end =
                    self.rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest.len());
                push(Kind::Word, self.rest[..end].to_string());
                self.take(end);
            } else {
                if !c.is_whitespace() {
                    push(Kind::Sign, c.to_string());
                }
                self.take(c.len_utf8());
            }
        }
        found
    }

    fn take(&mut self, length: usize) {
        self.line += self.rest[..length].matches('\n').count();
        self.rest = &self.rest[length..];
    }
}

/// The length of a block comment, nested ones included.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        if text[at..].starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if text[at..].starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// The length and content of a string literal, if one begins here.
fn string(text: &str) -> Option<(usize, &str)> {
    let prefix = text.find('"').filter(|at| *at <= 12)?;
    let head = &text[..prefix];
    let hashes = head.trim_start_matches(['b', 'c', 'r']);
    let raw = head.contains('r');
    if head.len() - hashes.len() > 2 || !hashes.chars().all(|c| c == '#') || (!hashes.is_empty() && !raw) {
        return None;
    }
    let body = &text[prefix + 1..];
    if raw {
        let end = body.find(&format!("\"{hashes}"))?;
        return Some((prefix + 1 + end + 1 + hashes.len(), &body[..end]));
    }
    let mut escaped = false;
    for (at, c) in body.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some((prefix + 1 + at + 1, &body[..at])),
            _ => {}
        }
    }
    None
}

/// The length of a character literal, or of the quote of a lifetime.
fn quoted_char(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match chars.next() {
        Some((_, '\\')) => {
            let end = text[2..].char_indices().skip(1).find(|(_, c)| *c == '\'');
            end.map_or(1, |(at, _)| at + 3)
        }
        Some(_) => match chars.next() {
            Some((at, '\'')) => at + 1,
            _ => 1,
        },
        None => 1,
    }
}

/// Drops every item that follows `#[cfg(test)]`.
fn without_tests(tokens: Vec<Token>) -> Vec<Token> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let is = |offset: usize, text: &str| tokens.get(at + offset).is_some_and(|t| t.text == text);
        let attribute = ["#", "[", "cfg", "(", "test", ")", "]"];
        if attribute.iter().enumerate().all(|(offset, text)| is(offset, text)) {
            at = end_of_item(&tokens, at + attribute.len());
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    kept
}

/// The position after an item: its closing brace, or its semicolon.
fn end_of_item(tokens: &[Token], start: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match (token.kind, token.text.as_str()) {
            (Kind::Sign, "{") => depth += 1,
            (Kind::Sign, "}") if depth == 1 => return at + 1,
            (Kind::Sign, "}") => depth -= 1,
            (Kind::Sign, ";") if depth == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<String> {
        tokens(source).into_iter().filter(|t| t.kind != Kind::Sign).map(|t| t.text).collect()
    }

    #[test]
    fn comments_are_skipped_and_strings_are_whole() {
        assert_eq!(texts("a // b\n/* c /* d */ e */ \"f \\\" g\" h"), ["a", "f \\\" g", "h"]);
        assert_eq!(texts("r#\"x \"y\" z\"# b\"w\" 'a' '\\'' 'life b'\"'"), ["x \"y\" z", "w", "life", "b"]);
    }

    #[test]
    fn lines_count() {
        let found = tokens("a\n\n\"x\ny\"\nb");
        assert_eq!(found.iter().map(|t| t.line).collect::<Vec<_>>(), [1, 3, 5]);
    }

    #[test]
    fn test_items_are_skipped() {
        assert_eq!(
            texts("fn a() {}\n#[cfg(test)]\nmod tests { fn b() { {} } }\nfn c() {}"),
            ["fn", "a", "fn", "c"]
        );
        assert_eq!(texts("#[cfg(test)]\nuse x;\nfn c() {}"), ["fn", "c"]);
    }
}
