//! A cursor over one line of the text form: words, numbers, names, strings, punctuation.

use super::ParseError;

pub(super) struct Line<'a> {
    pub number: u32,
    text: &'a str,
    pos: usize,
}

pub(super) type Result<T> = std::result::Result<T, ParseError>;

impl<'a> Line<'a> {
    pub fn new(number: u32, text: &'a str) -> Line<'a> {
        let mut line = Line { number, text, pos: 0 };
        line.skip_blanks();
        line
    }

    pub fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        let column = self.text[..self.pos].chars().count() as u32 + 1;
        Err(ParseError { line: self.number, column, message: message.into() })
    }

    pub fn rest(&self) -> &'a str {
        &self.text[self.pos..]
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.pos += rest.len() - rest.trim_start().len();
        if self.rest().starts_with("//") {
            self.pos = self.text.len();
        }
    }

    fn advance(&mut self, bytes: usize) {
        self.pos += bytes;
        self.skip_blanks();
    }

    pub fn at_end(&self) -> bool {
        self.rest().is_empty()
    }

    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub fn finish(&self) -> Result<()> {
        if self.at_end() { Ok(()) } else { self.error("expected the end of the line") }
    }

    pub fn eat(&mut self, punctuation: &str) -> bool {
        let found = self.rest().starts_with(punctuation);
        if found {
            self.advance(punctuation.len());
        }
        found
    }

    pub fn expect(&mut self, punctuation: &str) -> Result<()> {
        if self.eat(punctuation) { Ok(()) } else { self.error(format!("expected '{punctuation}'")) }
    }

    /// Letters, digits, `_`, and `-` between letters.
    pub fn peek_word(&self) -> &'a str {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let is_word = |i: usize| {
            let next_is_letter = bytes.get(i + 1).is_some_and(u8::is_ascii_alphabetic);
            bytes[i].is_ascii_alphanumeric()
                || bytes[i] == b'_'
                || (bytes[i] == b'-' && i > 0 && next_is_letter)
        };
        &rest[..(0..bytes.len()).find(|&i| !is_word(i)).unwrap_or(bytes.len())]
    }

    pub fn word(&mut self) -> Result<&'a str> {
        let word = self.peek_word();
        if word.is_empty() {
            return self.error("expected a word");
        }
        self.advance(word.len());
        Ok(word)
    }

    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == word;
        if found {
            self.advance(word.len());
        }
        found
    }

    pub fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word) { Ok(()) } else { self.error(format!("expected '{word}'")) }
    }

    /// The word, translated by a table; `what` names the table in the message.
    pub fn choice<T>(&mut self, what: &str, table: impl Fn(&str) -> Option<T>) -> Result<T> {
        match table(self.peek_word()) {
            Some(item) => {
                self.advance(self.peek_word().len());
                Ok(item)
            }
            None => self.error(format!("expected {what}")),
        }
    }

    pub fn number<T: std::str::FromStr>(&mut self) -> Result<T> {
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        match self.rest()[..digits].parse() {
            Ok(value) => {
                self.advance(digits);
                Ok(value)
            }
            Err(_) => self.error("expected a number in range"),
        }
    }

    /// A number after a prefix, such as `s3`.
    pub fn id(&mut self, prefix: &str) -> Result<u32> {
        let word = self.peek_word();
        match word.strip_prefix(prefix).and_then(|digits| digits.parse().ok()) {
            Some(number) => {
                self.advance(word.len());
                Ok(number)
            }
            None => self.error(format!("expected '{prefix}' and a number")),
        }
    }

    /// The longest run of characters a constant can consist of.
    pub fn literal(&mut self) -> &'a str {
        let rest = self.rest();
        let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'+' | b'-');
        let run = &rest[..rest.bytes().take_while(|b| is_part(b)).count()];
        self.advance(run.len());
        run
    }

    /// A plain or quoted name.
    pub fn name(&mut self) -> Result<String> {
        if self.peek() == Some('"') {
            let start = self.pos;
            let bytes = self.string()?;
            return String::from_utf8(bytes).or_else(|_| {
                self.pos = start;
                self.error("a name must be UTF-8")
            });
        }
        let rest = self.rest();
        let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$');
        let name = &rest[..rest.bytes().take_while(|b| is_part(b)).count()];
        if name.is_empty() {
            return self.error("expected a name");
        }
        self.advance(name.len());
        Ok(name.to_string())
    }

    /// A quoted string; `\xx` is the byte with that hexadecimal number.
    pub fn string(&mut self) -> Result<Vec<u8>> {
        let bytes = self.rest().as_bytes();
        if bytes.first() != Some(&b'"') {
            return self.error("expected a string");
        }
        let mut value = Vec::new();
        let mut i = 1;
        loop {
            match bytes.get(i) {
                Some(b'"') => break,
                Some(b'\\') => {
                    let digits = bytes.get(i + 1..i + 3).and_then(|d| std::str::from_utf8(d).ok());
                    let Some(byte) = digits.and_then(|d| u8::from_str_radix(d, 16).ok()) else {
                        return self.error("expected two hexadecimal digits after '\\'");
                    };
                    value.push(byte);
                    i += 3;
                }
                Some(&byte) => {
                    value.push(byte);
                    i += 1;
                }
                None => return self.error("the string has no end"),
            }
        }
        self.advance(i + 1);
        Ok(value)
    }

    pub fn text(&mut self) -> Result<String> {
        if self.peek() == Some('"') { self.name() } else { self.error("expected a string") }
    }
}
