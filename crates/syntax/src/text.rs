//! From the bytes of a file to the text the lexer reads.
//!
//! C source need not be UTF-8: a Latin-1 byte in a string literal must reach the program as that
//! byte. So that positions still work on a `str`, every byte that is not part of valid UTF-8 becomes
//! one private character ([`raw_byte`] turns it back). Backslash-newline pairs are removed without
//! moving any line: the removed bytes come back as blanks at the end of the joined line.

use std::rc::Rc;

/// First of the 256 characters that stand for bytes which are not UTF-8.
const RAW_BASE: u32 = 0x10_FF00;

/// The byte this character stands for, if it came from a byte that is not UTF-8.
pub fn raw_byte(c: char) -> Option<u8> {
    (c as u32).checked_sub(RAW_BASE).map(|b| b as u8)
}

fn raw_char(byte: u8) -> char {
    char::from_u32(RAW_BASE + u32::from(byte)).expect("the private range holds 256 characters")
}

/// Decodes a file's bytes; never fails. A byte order mark at the start is dropped.
pub fn decode(bytes: Vec<u8>) -> String {
    let text = match String::from_utf8(bytes) {
        Ok(text) if !text.contains(|c| raw_byte(c).is_some()) => text,
        Ok(text) => decode_lossless(text.as_bytes()),
        Err(error) => decode_lossless(error.as_bytes()),
    };
    match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_string(),
        None => text,
    }
}

fn decode_lossless(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            // A real character of the private range is kept as its bytes, so that decoding back is exact.
            if raw_byte(c).is_some() {
                text.extend(c.encode_utf8(&mut [0; 4]).bytes().map(raw_char));
            } else {
                text.push(c);
            }
        }
        text.extend(chunk.invalid().iter().map(|&b| raw_char(b)));
    }
    text
}

/// Removes backslash-newline pairs (blanks between the two are allowed, as in gcc). The text keeps
/// its length and its number of lines.
pub fn join_spliced_lines(text: Rc<str>) -> Rc<str> {
    let bytes = text.as_bytes();
    let Some(mut splice) = next_splice(bytes, 0) else { return text };
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    // Bytes and newlines taken out of the current logical line.
    let (mut removed, mut newlines) = (0, 0);
    loop {
        out.push_str(&text[copied..splice.0]);
        copied = splice.1;
        removed += splice.1 - splice.0;
        newlines += 1;
        let following = next_splice(bytes, copied);
        let line_end = bytes[copied..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |i| copied + i);
        if following.is_none_or(|(start, _)| start > line_end) {
            out.push_str(&text[copied..line_end]);
            out.extend(std::iter::repeat_n(' ', removed - newlines));
            out.extend(std::iter::repeat_n('\n', newlines));
            (copied, removed, newlines) = (line_end, 0, 0);
        }
        match following {
            Some(found) => splice = found,
            None => break,
        }
    }
    out.push_str(&text[copied..]);
    out.into()
}

/// The byte range of the next backslash, blanks, newline at or after `from`.
fn next_splice(bytes: &[u8], from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    while let Some(found) = bytes[at..].iter().position(|&b| b == b'\\') {
        let start = at + found;
        let blanks = bytes[start + 1..].iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r')).count();
        if bytes.get(start + 1 + blanks) == Some(&b'\n') {
            return Some((start, start + 2 + blanks));
        }
        at = start + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_decoding() {
        let text = decode(b"a\xe9\xc3\xa9\xf4\x8f\xbf\xbf".to_vec());
        let back: Vec<u8> = text
            .chars()
            .flat_map(|c| match raw_byte(c) {
                Some(b) => vec![b],
                None => c.to_string().into_bytes(),
            })
            .collect();
        assert_eq!(back, b"a\xe9\xc3\xa9\xf4\x8f\xbf\xbf");
        assert_eq!(decode(b"\xef\xbb\xbfint x;".to_vec()), "int x;");
    }

    #[test]
    fn splices_keep_length_and_lines() {
        let joined = |s: &str| join_spliced_lines(s.into()).to_string();
        assert_eq!(joined("a\\\nb\nc"), "ab \n\nc");
        assert_eq!(joined("x\\\n\\\r\ny\\\nz"), "xyz    \n\n\n");
        assert_eq!(joined("a\\\nb\nc\\ \nd\n"), "ab \n\ncd  \n\n");
        assert_eq!(joined("'\\n'\n"), "'\\n'\n");
    }
}
