//! Values of literals: numbers, character constants, strings.
//!
//! Each function takes the token's text. A problem comes back as a message; the caller knows the
//! span. Integers are read up to 128 bits; which type a constant gets is not decided here. Decimal
//! floating constants are rounded by Rust's (correct) parser directly to their precision, hexadecimal
//! ones by [`round_binary`]. A plain character constant has gcc's value on x86: `char` is signed, and
//! several characters are packed into an `int`.

use crate::ast::{Encoding, ExprKind, FloatLit, FloatSuffix, IntLit, IntSize};
use crate::lex::universal_name;
use crate::text::raw_byte;

/// A literal as messages show it: a few megabytes of digits help nobody.
fn shown(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_string(),
    }
}

/// The value of a preprocessing number.
pub fn number(text: &str) -> Result<ExprKind, String> {
    // C23's digit separators.
    let text = &text.replace('\'', "");
    let lower = text.to_ascii_lowercase();
    let hex = lower.starts_with("0x");
    let is_float = if hex {
        lower.contains(['.', 'p'])
    } else {
        !lower.starts_with("0b") && (lower.contains('.') || has_exponent(&lower))
    };
    match (is_float, hex) {
        (false, _) => integer(text, &lower),
        (true, false) => decimal_float(text, &lower),
        (true, true) => hex_float(text, &lower),
    }
}

fn has_exponent(text: &str) -> bool {
    text.find(|c: char| !c.is_ascii_digit()).is_some_and(|at| text[at..].starts_with('e'))
}

// ---- integers ----

fn integer(text: &str, lower: &str) -> Result<ExprKind, String> {
    let (radix, digits_at) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, 2),
        [b'0', b'b', ..] => (2, 2),
        [b'0', b'0'..=b'9', ..] => (8, 1),
        _ => (10, 0),
    };
    let body = &lower[digits_at..];
    let digits = body.find(|c: char| !c.is_digit(radix.max(10))).unwrap_or(body.len());
    let (digits, suffix) = body.split_at(digits);
    if digits.is_empty() {
        return Err(format!("no digits in the constant '{}'", shown(text)));
    }
    if let Some(bad) = digits.chars().find(|c| !c.is_digit(radix)) {
        let kind = if radix == 8 { "octal" } else { "binary" };
        return Err(format!("invalid digit '{bad}' in {kind} constant"));
    }
    let value = u128::from_str_radix(digits, radix)
        .map_err(|_| format!("integer constant '{}' does not fit in 128 bits", shown(text)))?;
    let Some((unsigned, size, imaginary)) = integer_suffix(suffix) else {
        return Err(format!(
            "invalid suffix '{}' on integer constant",
            shown(&text[text.len() - suffix.len()..])
        ));
    };
    if imaginary {
        return Ok(ExprKind::Float(FloatLit { value: value as f64, kind: FloatSuffix::Double, imaginary }));
    }
    Ok(ExprKind::Int(IntLit { value, unsigned, size, decimal: radix == 10 }))
}

/// `u`, `l`, `ll` and GNU's `i`/`j`, each at most once, in any order.
fn integer_suffix(mut suffix: &str) -> Option<(bool, IntSize, bool)> {
    let (mut unsigned, mut size, mut imaginary) = (false, IntSize::Plain, false);
    while let Some(first) = suffix.chars().next() {
        let mut length = 1;
        match first {
            'u' if !unsigned => unsigned = true,
            'l' if size == IntSize::Plain => {
                size = IntSize::Long;
                if suffix.starts_with("ll") {
                    size = IntSize::LongLong;
                    length = 2;
                }
            }
            'i' | 'j' if !imaginary => imaginary = true,
            _ => return None,
        }
        suffix = &suffix[length..];
    }
    Some((unsigned, size, imaginary))
}

// ---- floating constants ----

fn float_suffix(suffix: &str) -> Option<(FloatSuffix, bool)> {
    let imaginary = suffix.contains(['i', 'j']);
    let kind = match suffix.replacen(['i', 'j'], "", 1).as_str() {
        "f" | "f16" | "f32" => FloatSuffix::Float,
        "" | "f64" | "f32x" | "d" => FloatSuffix::Double,
        "l" | "f64x" | "w" => FloatSuffix::LongDouble,
        "f128" | "q" => FloatSuffix::Float128,
        _ => return None,
    };
    Some((kind, imaginary))
}

fn bad_float_suffix(text: &str, suffix: &str) -> String {
    format!("invalid suffix '{}' on floating constant", shown(&text[text.len() - suffix.len()..]))
}

fn decimal_float(text: &str, lower: &str) -> Result<ExprKind, String> {
    let mut end = lower.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(lower.len());
    if lower[end..].starts_with('e') {
        let sign = usize::from(lower[end + 1..].starts_with(['+', '-']));
        let digits = lower[end + 1 + sign..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return Err("the exponent has no digits".into());
        }
        end += 1 + sign + digits;
    }
    let (digits, suffix) = lower.split_at(end);
    let (kind, imaginary) = float_suffix(suffix).ok_or_else(|| bad_float_suffix(text, suffix))?;
    let invalid = || format!("'{}' is not a number", shown(text));
    let value = match kind {
        FloatSuffix::Float => f64::from(digits.parse::<f32>().map_err(|_| invalid())?),
        FloatSuffix::Double | FloatSuffix::LongDouble | FloatSuffix::Float128 => {
            digits.parse::<f64>().map_err(|_| invalid())?
        }
    };
    Ok(ExprKind::Float(FloatLit { value, kind, imaginary }))
}

fn hex_float(text: &str, lower: &str) -> Result<ExprKind, String> {
    let body = &lower[2..];
    let Some(p) = body.find('p') else {
        return Err("a hexadecimal floating constant needs an exponent".into());
    };
    let sign = usize::from(body[p + 1..].starts_with(['+', '-']));
    let digits = body[p + 1 + sign..].bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        return Err("the exponent has no digits".into());
    }
    let (exponent, suffix) = body[p + 1..].split_at(sign + digits);
    let (kind, imaginary) = float_suffix(suffix).ok_or_else(|| bad_float_suffix(text, suffix))?;
    // Beyond this the value is zero or infinite whatever the digits (a file has less than 2^32 of them).
    const HUGE: i64 = 1 << 40;
    let exponent = exponent.parse::<i64>().unwrap_or(if exponent.starts_with('-') { -HUGE } else { HUGE });
    let (mantissa, shift) =
        hex_mantissa(&body[..p]).ok_or_else(|| format!("'{}' is not a number", shown(text)))?;
    let exponent = exponent.clamp(-HUGE, HUGE) + shift;
    let value = match kind {
        FloatSuffix::Float => round_binary(mantissa, exponent, 24, -149, 127),
        FloatSuffix::Double | FloatSuffix::LongDouble | FloatSuffix::Float128 => {
            round_binary(mantissa, exponent, 53, -1074, 1023)
        }
    };
    Ok(ExprKind::Float(FloatLit { value, kind, imaginary }))
}

/// Hex digits with at most one point as `mantissa * 2^shift`; digits that do not fit set the lowest
/// bit, which is all that rounding needs to know of them.
fn hex_mantissa(text: &str) -> Option<(u128, i64)> {
    let (mut mantissa, mut shift, mut after_point, mut any) = (0u128, 0i64, false, false);
    for c in text.chars() {
        if c == '.' {
            if after_point {
                return None;
            }
            after_point = true;
            continue;
        }
        let digit = u128::from(c.to_digit(16)?);
        any = true;
        if mantissa >> 120 == 0 {
            mantissa = mantissa * 16 + digit;
            shift -= if after_point { 4 } else { 0 };
        } else {
            mantissa |= u128::from(digit != 0);
            shift += if after_point { 0 } else { 4 };
        }
    }
    any.then_some((mantissa, shift))
}

/// `mantissa * 2^exponent` rounded to nearest even, for a format with `precision` bits whose smallest
/// step is `2^lowest` and whose largest exponent is `highest`.
fn round_binary(mantissa: u128, exponent: i64, precision: i64, lowest: i64, highest: i64) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    let top = exponent + 127 - i64::from(mantissa.leading_zeros());
    let mut step = (top - (precision - 1)).max(lowest);
    let drop = step - exponent;
    let kept = match drop {
        ..=0 => {
            step = exponent;
            mantissa
        }
        1..=127 => {
            let (kept, rest, half) = (mantissa >> drop, mantissa & ((1 << drop) - 1), 1u128 << (drop - 1));
            kept + u128::from(rest > half || (rest == half && kept & 1 == 1))
        }
        _ => 0,
    };
    if kept == 0 {
        return 0.0;
    }
    if step + 127 - i64::from(kept.leading_zeros()) > highest {
        return f64::INFINITY;
    }
    let power = |e: i64| f64::from_bits(((e + 1023) as u64) << 52);
    if step >= -1022 { kept as f64 * power(step) } else { kept as f64 * power(-1022) * power(step + 1022) }
}

// ---- characters and strings ----

/// Splits `L"abc"` into its encoding and `abc`; a missing closing quote was reported by the lexer.
fn split_quotes(text: &str) -> (Encoding, &str) {
    let at = text.find(['"', '\'']).unwrap_or(0);
    let (encoding, rest) = (prefix_encoding(&text[..at]), &text[at..]);
    let quote = rest.chars().next().unwrap_or('"');
    let body = rest.strip_prefix(quote).unwrap_or(rest);
    (encoding, body.strip_suffix(quote).unwrap_or(body))
}

fn prefix_encoding(prefix: &str) -> Encoding {
    match prefix {
        "L" => Encoding::Wide,
        "u" => Encoding::Utf16,
        "U" => Encoding::Utf32,
        "u8" => Encoding::Utf8,
        _ => Encoding::Plain,
    }
}

pub fn string_encoding(text: &str) -> Encoding {
    split_quotes(text).0
}

/// Appends the code units of one string token, read in `encoding` (that of the whole concatenation).
pub fn string_units(text: &str, encoding: Encoding, units: &mut Vec<u32>) -> Result<(), String> {
    decode_body(split_quotes(text).1, encoding, units)
}

/// The value of a character constant.
pub fn character(text: &str) -> Result<ExprKind, String> {
    let (encoding, body) = split_quotes(text);
    let mut units = Vec::new();
    decode_body(body, encoding, &mut units)?;
    let Some(&last) = units.last() else { return Err("empty character constant".into()) };
    let value = match encoding {
        Encoding::Plain if units.len() == 1 => i64::from(last as u8 as i8),
        Encoding::Plain => i64::from(units.iter().fold(0u32, |value, &unit| value << 8 | unit) as i32),
        // wchar_t is a signed 32-bit type on every target we know.
        Encoding::Wide => i64::from(last as i32),
        Encoding::Utf8 | Encoding::Utf16 | Encoding::Utf32 => i64::from(last),
    };
    Ok(ExprKind::Char { value, encoding })
}

fn decode_body(body: &str, encoding: Encoding, units: &mut Vec<u32>) -> Result<(), String> {
    let mut rest = body;
    while let Some(c) = rest.chars().next() {
        if c == '\\' {
            rest = escape(rest, encoding, units)?;
            continue;
        }
        rest = &rest[c.len_utf8()..];
        match raw_byte(c) {
            Some(byte) => units.push(u32::from(byte)),
            None => push_char(c, encoding, units),
        }
    }
    Ok(())
}

fn push_char(c: char, encoding: Encoding, units: &mut Vec<u32>) {
    match encoding {
        Encoding::Plain | Encoding::Utf8 => {
            units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
        }
        Encoding::Utf16 => units.extend(c.encode_utf16(&mut [0; 2]).iter().map(|&u| u32::from(u))),
        Encoding::Wide | Encoding::Utf32 => units.push(c as u32),
    }
}

/// Reads the escape sequence at the start of `text`; gives the text behind it.
fn escape<'a>(text: &'a str, encoding: Encoding, units: &mut Vec<u32>) -> Result<&'a str, String> {
    let body = &text[1..];
    let Some(c) = body.chars().next() else { return Err("'\\' at the end of a literal".into()) };
    let simple = match c {
        'a' => 7,
        'b' => 8,
        't' => 9,
        'n' => 10,
        'v' => 11,
        'f' => 12,
        'r' => 13,
        'e' | 'E' => 27,
        '0'..='7' => {
            let digits = body.bytes().take(3).take_while(|b| matches!(b, b'0'..=b'7')).count();
            return unit_escape(body, 0, digits, 8, encoding, units);
        }
        'x' => {
            let digits = body[1..].bytes().take_while(u8::is_ascii_hexdigit).count();
            if digits == 0 {
                return Err("'\\x' without hexadecimal digits".into());
            }
            return unit_escape(body, 1, digits, 16, encoding, units);
        }
        'u' | 'U' => {
            let (named, length) = universal_name(text)
                .ok_or_else(|| format!("incomplete or invalid universal character name '\\{c}'"))?;
            push_char(named, encoding, units);
            return Ok(&text[length..]);
        }
        // Any other character stands for itself, as in gcc.
        _ => {
            match raw_byte(c) {
                Some(byte) => units.push(u32::from(byte)),
                None => push_char(c, encoding, units),
            }
            return Ok(&body[c.len_utf8()..]);
        }
    };
    units.push(simple);
    Ok(&body[1..])
}

/// `digits` digits of `body` from `at` on as one code unit; bits that do not fit are dropped, as gcc does.
fn unit_escape<'a>(
    body: &'a str,
    at: usize,
    digits: usize,
    radix: u32,
    encoding: Encoding,
    units: &mut Vec<u32>,
) -> Result<&'a str, String> {
    let value = body[at..at + digits]
        .chars()
        .fold(0u32, |value, c| value.wrapping_mul(radix).wrapping_add(c.to_digit(radix).unwrap_or(0)));
    units.push(match encoding {
        Encoding::Plain | Encoding::Utf8 => value & 0xff,
        Encoding::Utf16 => value & 0xffff,
        Encoding::Wide | Encoding::Utf32 => value,
    });
    Ok(&body[at + digits..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float(text: &str) -> f64 {
        match number(text) {
            Ok(ExprKind::Float(lit)) => lit.value,
            _ => panic!("{text} is no float"),
        }
    }

    fn int(text: &str) -> IntLit {
        match number(text) {
            Ok(ExprKind::Int(lit)) => lit,
            _ => panic!("{text} is no integer"),
        }
    }

    fn problem(text: &str) -> String {
        number(text).err().unwrap_or_default()
    }

    #[test]
    fn integers() {
        assert_eq!(int("0").value, 0);
        assert!(int("0").decimal);
        assert_eq!(int("0777").value, 0o777);
        assert_eq!(int("0b1011").value, 11);
        assert_eq!(int("0xdeadBEEFull").value, 0xdead_beef);
        assert_eq!(int("340282366920938463463374607431768211455").value, u128::MAX);
        for suffix in ["ull", "llu", "LLU", "Ull", "uLL"] {
            let lit = int(&format!("1{suffix}"));
            assert!(lit.unsigned && lit.size == IntSize::LongLong, "{suffix}");
        }
        assert_eq!(int("7Lu").size, IntSize::Long);
        assert_eq!(problem("089"), "invalid digit '8' in octal constant");
        assert_eq!(problem("1lll"), "invalid suffix 'lll' on integer constant");
        assert_eq!(problem("12ab"), "invalid suffix 'ab' on integer constant");
        assert_eq!(problem("0x"), "no digits in the constant '0x'");
        assert!(problem("340282366920938463463374607431768211456").contains("128 bits"));
    }

    #[test]
    fn floats() {
        assert_eq!(float("1."), 1.0);
        assert_eq!(float(".5e1"), 5.0);
        assert_eq!(float("1.e2"), 100.0);
        assert_eq!(float("09.5"), 9.5);
        assert_eq!(float("0.1f"), f64::from(0.1f32));
        assert_eq!(float("1.0F64x"), 1.0);
        assert_eq!(float("1e999"), f64::INFINITY);
        assert_eq!(problem("1e"), "the exponent has no digits");
        assert_eq!(problem("1.0g"), "invalid suffix 'g' on floating constant");
        assert!(problem("1.2.3").contains("not a number"));
    }

    #[test]
    fn hex_floats_round_to_even() {
        assert_eq!(float("0x1.8p1"), 3.0);
        assert_eq!(float("0x.1p4"), 1.0);
        assert_eq!(float("0x1p-1074"), f64::from_bits(1));
        assert_eq!(float("0x1p-1075"), 0.0);
        assert_eq!(float("0x1.8p-1075"), f64::from_bits(1));
        assert_eq!(float("0x1.fffffffffffffp1023"), f64::MAX);
        assert_eq!(float("0x1.fffffffffffff8p1023"), f64::INFINITY);
        assert_eq!(float("0x1.00000000000008p0"), 1.0);
        assert_eq!(float("0x1.000000000000081p0"), 1.0 + f64::EPSILON);
        assert_eq!(float("0x1.000001p0f"), 1.0);
        assert_eq!(float("0x1.0000011p0f"), 1.0 + f64::from(f32::EPSILON));
        assert_eq!(float("0x1p-149f"), f64::from(f32::from_bits(1)));
        assert_eq!(float("0x1.ffffffp127f"), f64::INFINITY);
        assert_eq!(
            float("0x123456789abcdef0123456789abcdef01p0"),
            0x123456789abcdef01234u128 as f64 * 2f64.powi(52)
        );
        assert_eq!(float("0x1p99999999999999999999"), f64::INFINITY);
        assert_eq!(problem("0x1.8"), "a hexadecimal floating constant needs an exponent");
    }

    #[test]
    fn characters() {
        let value = |text: &str| match character(text) {
            Ok(ExprKind::Char { value, .. }) => value,
            _ => panic!("{text} is no character"),
        };
        assert_eq!(value("'a'"), 97);
        assert_eq!(value("'\\377'"), -1);
        assert_eq!(value("'\\xff'"), -1);
        assert_eq!(value("'ab'"), 97 * 256 + 98);
        assert_eq!(value("'\\377\\377'"), 0xffff);
        assert_eq!(value("'\\''"), 39);
        assert_eq!(value("L'\\xffffffff'"), -1);
        assert_eq!(value("u'\\u20ac'"), 0x20ac);
        assert_eq!(value("'é'"), 0xc3a9);
        assert_eq!(value("L'é'"), 0xe9);
        assert_eq!(character("''").err().unwrap(), "empty character constant");
        assert_eq!(character("'\\x'").err().unwrap(), "'\\x' without hexadecimal digits");
    }

    #[test]
    fn strings() {
        let units = |text: &str| {
            let mut units = Vec::new();
            string_units(text, string_encoding(text), &mut units).unwrap();
            units
        };
        assert_eq!(units("\"a\\0b\\n\""), [97, 0, 98, 10]);
        assert_eq!(units("u\"\u{1F600}\""), [0xd83d, 0xde00]);
        assert_eq!(units("L\"\u{1F600}\""), [0x1F600]);
        assert_eq!(units("\"\u{10FFE9}\""), [0xe9]);
        assert_eq!(units("\"\\u00e9\""), [0xc3, 0xa9]);
    }
}
