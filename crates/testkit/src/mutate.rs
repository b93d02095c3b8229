//! Damaged program texts: what an editor, a broken disk or a careless hand might leave.
//!
//! A mutant is a text with a few random edits of bytes, tokens or lines, sometimes spliced with another
//! text. Nothing is known about a mutant but that no tool may fall over it.

use crate::rng::Rng;

/// A damaged version of `text`; `other` is spliced in now and then.
pub fn mutant(rng: &mut Rng, text: &[u8], other: &[u8]) -> Vec<u8> {
    let mut result = text.to_vec();
    // Most mutants keep the syntax, or nothing behind the parser would ever see one.
    let gentle = !rng.one_in(4);
    for _ in 0..rng.range(1, 4) {
        result = match rng.below(12) {
            _ if gentle => replace_alike(rng, &result, other),
            0 => edit_bytes(rng, result),
            1..=7 => edit_tokens(rng, &result, other),
            8 | 9 => edit_lines(rng, &result),
            10 => splice(rng, &result, other),
            _ => cut(rng, result),
        };
    }
    result
}

const TYPES: &str = "int char short long unsigned signed float double void _Bool __int128";
const NUMBERS: &str = "0 1 2 7 -1 31 32 63 64 127 128 255 65535 65537 2147483647 2147483648 4294967295 \
    9223372036854775807 18446744073709551615 0x7fffffffffffffffL 1u 1ul 0.5 1e300 1e-300f 3.0L 'x' 1000000000000";
const OPERATORS: &str = "+ - * / % & | ^ < > == != <= >= << >> && || = += -= *= /= <<= >>= %= , ? :";
const KEYWORDS: &str = "struct union enum typedef static extern const volatile sizeof return if else for while do \
    switch case default goto break continue inline register auto restrict _Generic _Static_assert _Alignas _Alignof \
    _Atomic _Thread_local __typeof__ __attribute__ __extension__ __builtin_va_arg __builtin_offsetof asm";

/// Puts another token of the same kind in a token's place: a number for a number, a type for a type, a
/// name for a name, an operator for an operator.
fn replace_alike(rng: &mut Rng, text: &[u8], other: &[u8]) -> Vec<u8> {
    let mut list = tokens(text);
    let is_in = |words: &str, token: &[u8]| words.split_whitespace().any(|w| w.as_bytes() == token);
    let is_name = |token: &[u8]| {
        token.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
            && !is_in(TYPES, token)
            && !is_in(KEYWORDS, token)
    };
    let names: Vec<&[u8]> = list.iter().chain(&tokens(other)).copied().filter(|t| is_name(t)).collect();
    for _ in 0..20 {
        if list.is_empty() {
            break;
        }
        let at = rng.below(list.len());
        let token = list[at];
        let words = if is_in(TYPES, token) {
            TYPES
        } else if token[0].is_ascii_digit() {
            NUMBERS
        } else if is_in(OPERATORS, token) {
            OPERATORS
        } else if is_name(token) {
            list[at] = names[rng.below(names.len())];
            return list.concat();
        } else {
            continue;
        };
        let words: Vec<&str> = words.split_whitespace().collect();
        list[at] = rng.pick(&words).as_bytes();
        return list.concat();
    }
    edit_lines(rng, text)
}

fn edit_bytes(rng: &mut Rng, mut text: Vec<u8>) -> Vec<u8> {
    if text.is_empty() {
        return text;
    }
    let at = rng.below(text.len());
    match rng.below(4) {
        0 => drop(text.remove(at)),
        1 => text.insert(at, rng.next() as u8),
        2 => text[at] ^= 1 << rng.below(8),
        _ => text.insert(at, *rng.pick(b"(){}[];,*&\"'\\#\n\0")),
    }
    text
}

/// Words, numbers, runs of spaces, runs of operator signs and other single signs.
fn tokens(text: &[u8]) -> Vec<&[u8]> {
    let class = |b: u8| match b {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'0'..=b'9' => 1,
        b' ' | b'\t' | b'\n' => 2,
        b'+' | b'-' | b'/' | b'%' | b'|' | b'^' | b'<' | b'>' | b'=' | b'!' => 3,
        _ => 0,
    };
    let mut found = Vec::new();
    let mut start = 0;
    for end in 1..=text.len() {
        let same = end < text.len() && class(text[end]) == class(text[end - 1]) && class(text[end]) != 0;
        if !same {
            found.push(&text[start..end]);
            start = end;
        }
    }
    found
}

/// Words that meet a parser and a type checker in unexpected places.
const WORDS: &str = "int struct union enum typedef static void char const _Bool __int128 double long unsigned sizeof \
     return if else for while do switch case default goto break continue _Generic _Static_assert \
     __typeof__ __attribute__ _Alignas _Atomic extern 0 1 -1 65537 2147483648 18446744073709551615 \
     0x7fffffffffffffff 1e400 'a' \"s\" { } ( ) [ ] * & -> . ... ; , : ? = == << / % ++ ~ ! main x \
     ({ }) {0} [0] (void) _Complex asm (char*)";

fn edit_tokens(rng: &mut Rng, text: &[u8], other: &[u8]) -> Vec<u8> {
    let mut list = tokens(text);
    if list.is_empty() {
        return text.to_vec();
    }
    let theirs = tokens(other);
    let at = rng.below(list.len());
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let word = rng.pick(&words).as_bytes();
    match rng.below(7) {
        0 => drop(list.remove(at)),
        1 => list.insert(at, list[at]),
        2 => {
            let with = rng.below(list.len());
            list.swap(at, with);
        }
        3 => list[at] = word,
        4 => list.insert(at, word),
        5 => list[at] = list[rng.below(list.len())],
        _ if theirs.is_empty() => {}
        _ => list[at] = theirs[rng.below(theirs.len())],
    }
    // Neighbours that were apart should stay apart: "intx" is a duller mutant than "int x".
    let mut out = Vec::with_capacity(text.len() + 16);
    let is_word = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    for token in list {
        if is_word(out.last()) && is_word(token.first()) {
            out.push(b' ');
        }
        out.extend_from_slice(token);
    }
    out
}

fn edit_lines(rng: &mut Rng, text: &[u8]) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = text.split_inclusive(|b| *b == b'\n').collect();
    if lines.is_empty() {
        return text.to_vec();
    }
    let at = rng.below(lines.len());
    match rng.below(4) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at]),
        2 => {
            let with = rng.below(lines.len());
            lines.swap(at, with);
        }
        _ => lines[at] = lines[rng.below(lines.len())],
    }
    lines.concat()
}

fn splice(rng: &mut Rng, text: &[u8], other: &[u8]) -> Vec<u8> {
    let (here, there) = (rng.below(text.len() + 1), rng.below(other.len() + 1));
    [&text[..here], &other[there..]].concat()
}

fn cut(rng: &mut Rng, mut text: Vec<u8>) -> Vec<u8> {
    let (a, b) = (rng.below(text.len() + 1), rng.below(text.len() + 1));
    if rng.one_in(2) {
        text.truncate(a.max(b));
    } else {
        text.drain(a.min(b)..a.max(b).min(a.min(b) + 40));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_cover_the_text() {
        let text = b"int  x1 = a->b;\n";
        assert_eq!(tokens(text).concat(), text);
        assert_eq!(tokens(text)[2], b"x1");
    }

    #[test]
    fn mutants_repeat_and_differ() {
        let (text, other) = (b"int main(void) { return 0; }\n", b"struct s { int x; };\n");
        let draw = |seed| mutant(&mut Rng::new(seed), text, other);
        assert_eq!(draw(3), draw(3));
        let changed = (0..100).filter(|seed| draw(*seed) != text).count();
        assert!(changed > 80, "{changed} of 100 mutants differ from their origin");
    }

    #[test]
    fn empty_texts_are_no_trouble() {
        for seed in 0..200 {
            mutant(&mut Rng::new(seed), b"", b"");
        }
    }
}
