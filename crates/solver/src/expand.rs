//! `let` in a solver's answer, written out.
//!
//! Some solvers abbreviate large array values: `(let ((a!1 (store …))) (store a!1 …))`. The reader of
//! values knows no names, so they are replaced here by what they stand for. Text from a solver is
//! input: nesting and size are bounded, and whatever is not well-formed is handed on as it is, for the
//! reader to complain about.

use std::borrow::Cow;

/// How deep bindings may nest.
const DEEPEST: usize = 2000;
/// How long the text may become.
const LONGEST: usize = 1 << 26;

/// The text without `let`; the text itself if there is none, or if it cannot be written out.
pub fn expand_lets(text: &str) -> Cow<'_, str> {
    if !text.contains("(let ") {
        return Cow::Borrowed(text);
    }
    let tokens = tokens(text);
    let mut expander = Expander { tokens: &tokens, at: 0, bindings: Vec::new() };
    let mut written = String::new();
    match expander.expression(&mut written, 0) {
        Some(()) if expander.at == tokens.len() => Cow::Owned(written),
        Some(()) | None => Cow::Borrowed(text),
    }
}

/// Parentheses and words; strings and quoted symbols are words.
fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '(' | ')' => 1,
            '|' | '"' => rest[1..].find(first).map_or(rest.len(), |end| end + 2),
            _ => rest.find(|c: char| c.is_whitespace() || "()|\"".contains(c)).unwrap_or(rest.len()),
        };
        found.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    found
}

struct Expander<'a> {
    tokens: &'a [&'a str],
    at: usize,
    /// Names and their expanded values; later ones hide earlier ones.
    bindings: Vec<(&'a str, String)>,
}

impl<'a> Expander<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let token = self.tokens.get(self.at).copied();
        self.at += 1;
        token
    }

    fn expect(&mut self, wanted: &str) -> Option<()> {
        (self.next()? == wanted).then_some(())
    }

    /// Writes one expression; nothing if it is not well-formed or becomes too large.
    fn expression(&mut self, written: &mut String, lets: usize) -> Option<()> {
        let mut depth = 0usize;
        loop {
            let begins_let = self.tokens.get(self.at..self.at + 2) == Some(&["(", "let"]);
            if begins_let {
                self.binding(written, lets)?;
            } else {
                let token = self.next()?;
                match token {
                    "(" => depth += 1,
                    ")" => depth = depth.checked_sub(1)?,
                    _ => {}
                }
                let bound = self.bindings.iter().rev().find(|(name, _)| *name == token);
                written.push_str(bound.map_or(token, |(_, value)| value));
            }
            written.push(' ');
            if written.len() > LONGEST {
                return None;
            }
            if depth == 0 {
                return Some(());
            }
        }
    }

    /// `(let ((name value) …) body)`; the values do not see each other's names.
    fn binding(&mut self, written: &mut String, lets: usize) -> Option<()> {
        if lets == DEEPEST {
            return None;
        }
        self.expect("(")?;
        self.expect("let")?;
        self.expect("(")?;
        let mut bound = Vec::new();
        while self.tokens.get(self.at) == Some(&"(") {
            self.at += 1;
            let name = self.next()?;
            let mut value = String::new();
            self.expression(&mut value, lets + 1)?;
            self.expect(")")?;
            bound.push((name, value));
        }
        self.expect(")")?;
        let outer = self.bindings.len();
        self.bindings.extend(bound);
        self.expression(written, lets + 1)?;
        self.bindings.truncate(outer);
        self.expect(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> String {
        let expanded = expand_lets(text).replace('(', " ( ").replace(')', " ) ");
        expanded.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn names_are_replaced() {
        assert_eq!(expand_lets("((x #b1))"), "((x #b1))");
        assert_eq!(words("((x (let ((a #b1) (b #b0)) (f a b a))))"), words("((x (f #b1 #b0 #b1)))"));
        let nested = "(let ((a (s c 1))) (let ((a (s a 2)) (b a)) (t a b)))";
        assert_eq!(words(nested), words("(t (s (s c 1) 2) (s c 1))"));
        assert_eq!(words("((|a b| (let ((c (g |a b|))) c)))"), words("((|a b| (g |a b|)))"));
    }

    #[test]
    fn nonsense_is_left_alone() {
        let deep = format!("{}x{}", "(let ((a ".repeat(100_000), ")) a)".repeat(100_000));
        let doubling = (0..60)
            .fold("x".to_string(), |body, n| format!("(let ((a{n} (f a{} a{})) ) {body})", n + 1, n + 1));
        for text in [
            "(let ",
            "(let x)",
            "(let ((a)) a)",
            "(let ((a 1)) a",
            "(let ((a 1)) a))",
            "(let ((a 1)) a) b",
            &deep,
        ] {
            assert_eq!(expand_lets(text), text);
        }
        assert!(expand_lets(&doubling).len() <= LONGEST);
    }
}
