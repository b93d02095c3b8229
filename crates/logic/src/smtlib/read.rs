//! Values in a solver's answers.
//!
//! Read are `true`, `#b…`, `#x…`, `(_ bvN w)`, integers and `(- N)`, and arrays as stores on a constant
//! array. Stores nest as deep as an array has entries, so nothing here recurses. Other forms (functions,
//! `lambda`, `let`) are errors.

use super::token::{Token, tokens};
use crate::bits;
use crate::sort::{Sort, Width};
use crate::value::{ArrayValue, Value};
use std::fmt;

/// Why a text is no value of the expected sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// Where in the text, in bytes.
    pub position: usize,
    pub message: String,
}

impl ReadError {
    pub(super) fn new(position: usize, message: impl Into<String>) -> Self {
        ReadError { position, message: message.into() }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {} of the answer)", self.message, self.position)
    }
}

impl std::error::Error for ReadError {}

/// A text that is one value of this sort and nothing else.
pub fn read_value(text: &str, sort: Sort) -> Result<Value, ReadError> {
    let mut reader = Reader::new(text)?;
    let value = reader.value(sort)?;
    reader.end()?;
    Ok(value)
}

/// The answer to `(get-value (t1 t2 …))`, that is `((t1 v1) (t2 v2) …)`, for terms of these sorts. The
/// terms are not looked at: solvers answer in order.
pub fn read_get_value(text: &str, sorts: &[Sort]) -> Result<Vec<Value>, ReadError> {
    let mut reader = Reader::new(text)?;
    let mut values = Vec::new();
    reader.expect(Token::Open)?;
    for sort in sorts {
        reader.expect(Token::Open)?;
        reader.skip()?;
        values.push(reader.value(*sort)?);
        reader.expect(Token::Close)?;
    }
    reader.expect(Token::Close)?;
    reader.end()?;
    Ok(values)
}

struct Reader<'a> {
    tokens: Vec<(usize, Token<'a>)>,
    at: usize,
    length: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Result<Self, ReadError> {
        Ok(Reader { tokens: tokens(text)?, at: 0, length: text.len() })
    }

    fn peek(&self, ahead: usize) -> Option<Token<'a>> {
        self.tokens.get(self.at + ahead).map(|(_, token)| *token)
    }

    fn error(&self, message: impl Into<String>) -> ReadError {
        let position = self.tokens.get(self.at).map_or(self.length, |(position, _)| *position);
        ReadError::new(position, message)
    }

    fn next(&mut self) -> Result<Token<'a>, ReadError> {
        let token = self.peek(0).ok_or_else(|| self.error("the answer ends too early"))?;
        self.at += 1;
        Ok(token)
    }

    fn expect(&mut self, wanted: Token<'_>) -> Result<(), ReadError> {
        if self.peek(0) == Some(wanted) {
            self.at += 1;
            return Ok(());
        }
        Err(self.error(format!("expected {wanted:?}, found {:?}", self.peek(0))))
    }

    fn end(&self) -> Result<(), ReadError> {
        if self.at == self.tokens.len() { Ok(()) } else { Err(self.error("something follows the value")) }
    }

    fn atom(&mut self) -> Result<&'a str, ReadError> {
        match self.next()? {
            Token::Atom(text) => Ok(text),
            Token::Open | Token::Close => {
                self.at -= 1;
                Err(self.error("expected a word, found a parenthesis"))
            }
        }
    }

    /// Any expression.
    fn skip(&mut self) -> Result<(), ReadError> {
        let mut depth = 0usize;
        loop {
            match self.next()? {
                Token::Open => depth += 1,
                Token::Close if depth == 0 => {
                    self.at -= 1;
                    return Err(self.error("expected an expression, found ')'"));
                }
                Token::Close => depth -= 1,
                Token::Atom(_) => {}
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    fn value(&mut self, sort: Sort) -> Result<Value, ReadError> {
        match sort {
            Sort::Bool => self.bool().map(Value::Bool),
            Sort::BitVec(width) => Ok(Value::Bits { width, bits: self.bits(width)? }),
            Sort::Int => self.int().map(Value::Int),
            Sort::Array { index, element } => self.array(index, element).map(Value::Array),
        }
    }

    fn bool(&mut self) -> Result<bool, ReadError> {
        match self.atom()? {
            "true" => Ok(true),
            "false" => Ok(false),
            other => {
                self.at -= 1;
                Err(self.error(format!("'{other}' is no truth value")))
            }
        }
    }

    fn bits(&mut self, width: Width) -> Result<u128, ReadError> {
        let start = self.at;
        let (found_width, value) = if self.peek(0) == Some(Token::Open) {
            self.decimal_bits()?
        } else {
            let text = self.atom()?;
            literal_bits(text).ok_or_else(|| {
                self.at = start;
                self.error(format!("'{text}' is no bit-vector"))
            })?
        };
        if found_width != width.get() {
            self.at = start;
            return Err(self.error(format!("a bit-vector of {found_width} bits, not {width}")));
        }
        Ok(value)
    }

    /// `(_ bvN w)`
    fn decimal_bits(&mut self) -> Result<(u32, u128), ReadError> {
        self.expect(Token::Open)?;
        self.expect(Token::Atom("_"))?;
        let number = self.atom()?;
        let width = self.width()?.get();
        self.expect(Token::Close)?;
        let value = number.strip_prefix("bv").and_then(decimal).filter(|v| *v <= bits::mask(width));
        let value =
            value.ok_or_else(|| self.error(format!("'{number}' is no bit-vector of {width} bits")))?;
        Ok((width, value))
    }

    fn width(&mut self) -> Result<Width, ReadError> {
        let text = self.atom()?;
        let width = text.parse().ok().and_then(Width::try_new);
        width.ok_or_else(|| self.error(format!("'{text}' is no width of a bit-vector")))
    }

    fn int(&mut self) -> Result<i128, ReadError> {
        let negative = self.peek(0) == Some(Token::Open);
        if negative {
            self.expect(Token::Open)?;
            self.expect(Token::Atom("-"))?;
        }
        let text = self.atom()?;
        let size = decimal(text).ok_or_else(|| self.error(format!("'{text}' is no integer of 128 bits")))?;
        let value = if negative { 0i128.checked_sub_unsigned(size) } else { i128::try_from(size).ok() };
        if negative {
            self.expect(Token::Close)?;
        }
        value.ok_or_else(|| self.error(format!("'{text}' exceeds 128 bits")))
    }

    /// Stores around a constant array; the innermost is the first.
    fn array(&mut self, index: Width, element: Width) -> Result<ArrayValue, ReadError> {
        let mut stores = 0usize;
        while (self.peek(0), self.peek(1)) == (Some(Token::Open), Some(Token::Atom("store"))) {
            self.at += 2;
            stores += 1;
        }
        let mut array = self.constant_array(index, element)?;
        for _ in 0..stores {
            let at = self.bits(index)?;
            let value = self.bits(element)?;
            self.expect(Token::Close)?;
            array.store(at, value);
        }
        Ok(array)
    }

    /// `((as const (Array (_ BitVec i) (_ BitVec e))) v)`
    fn constant_array(&mut self, index: Width, element: Width) -> Result<ArrayValue, ReadError> {
        self.expect(Token::Open)?;
        self.expect(Token::Open)?;
        self.expect(Token::Atom("as"))?;
        self.expect(Token::Atom("const"))?;
        self.expect(Token::Open)?;
        self.expect(Token::Atom("Array"))?;
        for wanted in [index, element] {
            self.expect(Token::Open)?;
            self.expect(Token::Atom("_"))?;
            self.expect(Token::Atom("BitVec"))?;
            let found = self.width()?;
            if found != wanted {
                return Err(self.error(format!("an array over {found} bits, not {wanted}")));
            }
            self.expect(Token::Close)?;
        }
        self.expect(Token::Close)?;
        self.expect(Token::Close)?;
        let value = self.bits(element)?;
        self.expect(Token::Close)?;
        Ok(ArrayValue::constant(index, element, value))
    }
}

/// `#b…` or `#x…`: its width and value.
fn literal_bits(text: &str) -> Option<(u32, u128)> {
    let (digits, radix, per_digit) = match text.strip_prefix("#b") {
        Some(digits) => (digits, 2, 1),
        None => (text.strip_prefix("#x")?, 16, 4),
    };
    // The standard parser would take a sign.
    if digits.is_empty() || digits.len() > 128 || !digits.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    let width = digits.len() as u32 * per_digit;
    Some((width, u128::from_str_radix(digits, radix).ok()?))
}

fn decimal(text: &str) -> Option<u128> {
    if text.is_empty() || !text.chars().all(|c| c.is_ascii_digit()) { None } else { text.parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;
    use crate::smtlib::value_text;

    fn read(text: &str, sort: Sort) -> Result<Value, String> {
        read_value(text, sort).map_err(|e| e.to_string())
    }

    #[test]
    fn forms_of_values() {
        assert_eq!(read(" true ; yes\n", Sort::Bool), Ok(Value::Bool(true)));
        assert_eq!(read("#b0101", Sort::bits(4)), Ok(Value::bits(4, 5)));
        assert_eq!(read("#xfF", Sort::bits(8)), Ok(Value::bits(8, 255)));
        assert_eq!(read("(_ bv300 9)", Sort::bits(9)), Ok(Value::bits(9, 300)));
        assert_eq!(read("(- 5)", Sort::Int), Ok(Value::Int(-5)));
        let min = "(- 170141183460469231731687303715884105728)";
        assert_eq!(read(min, Sort::Int), Ok(Value::Int(i128::MIN)));
        let text =
            "(store (store ((as const (Array (_ BitVec 3) (_ BitVec 4))) #b0000) #b001 #x5) #b001 #x6)";
        let Ok(Value::Array(array)) = read(text, Sort::array(3, 4)) else { panic!("an array") };
        assert_eq!((array.select(1), array.select(2)), (6, 0));
        let values = read_get_value("(((bvadd |x y| #x01) #x02)\n (b false))", &[Sort::bits(8), Sort::Bool]);
        assert_eq!(values, Ok(vec![Value::bits(8, 2), Value::Bool(false)]));
    }

    #[test]
    fn nonsense_is_an_error() {
        let bits = Sort::bits(8);
        let huge = format!("#b{}", "1".repeat(1000));
        let deep = "(store ".repeat(100_000);
        for text in [
            "",
            "(",
            ")",
            "#x",
            "#b",
            "#xg0",
            "#x+1",
            "#x1",
            "(_ bv256 8)",
            "(_ bv1 0)",
            "(_ bv1 900)",
            "(_ bv-1 8)",
            "#xff #xff",
            "|#xff",
            "(error \"no\")",
            "é",
            "#xé",
            "\u{0}",
            huge.as_str(),
            "(_ bv1 8",
            "true",
        ] {
            assert!(read(text, bits).is_err(), "{text}");
        }
        for text in [deep.as_str(), "(store 1 2 3)", "((as const (Array Int Int)) 1)", "(lambda ((x Int)) x)"]
        {
            assert!(read(text, Sort::array(3, 4)).is_err());
        }
        for text in ["170141183460469231731687303715884105728", "-5", "(- )", "(- x)", "1.0", "(- 5", ""] {
            assert!(read(text, Sort::Int).is_err(), "{text}");
        }
        assert!(read_get_value("((x #x01)", &[bits]).is_err());
        assert!(read_get_value("((x #x01) (y #x01))", &[bits]).is_err());
        assert!(read_get_value("()", &[bits]).is_err());
        assert_eq!(read("sat", Sort::Bool).unwrap_err(), "'sat' is no truth value (at byte 0 of the answer)");
    }

    /// Values survive printing; what is cut or altered is an error or a value, never a panic.
    #[test]
    fn round_trip_and_damage() {
        let mut rng = Rng::new(7);
        for _ in 0..2000 {
            let width = 1 + rng.below(128) as u32;
            let value = match rng.below(4) {
                0 => Value::Int(rng.bits(128) as i128),
                1 => Value::bits(width, rng.bits(128)),
                2 => Value::Bool(rng.below(2) == 0),
                _ => {
                    let mut array = ArrayValue::constant(Width::new(width), Width::new(5), rng.value(5));
                    (0..rng.below(9)).for_each(|_| array.store(rng.value(width), rng.value(5)));
                    Value::Array(array)
                }
            };
            let text = value_text(&value);
            assert_eq!(read_value(&text, value.sort()), Ok(value.clone()), "{text}");
            let mut damaged: Vec<char> = text.chars().collect();
            for _ in 0..3 {
                let at = rng.below(damaged.len());
                match rng.below(3) {
                    0 => damaged.truncate(at.max(1)),
                    1 => damaged[at] = *rng.pick(&['(', ')', '#', 'x', '9', '|', '"', ' ', 'é']),
                    _ => damaged.insert(at, *rng.pick(&['(', ')', '#', '0', ';', '|'])),
                }
            }
            let damaged: String = damaged.into_iter().collect();
            let _ = read_value(&damaged, value.sort());
            let _ = read_get_value(&damaged, &[value.sort()]);
        }
    }
}
