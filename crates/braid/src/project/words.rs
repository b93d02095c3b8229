//! A command as one string, split into words as a shell does it: blanks, quotes and backslashes. Nothing is
//! expanded.

use std::iter::Peekable;
use std::str::Chars;

/// The words of a command. The error says what is wrong with it.
pub fn split(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut chars = text.chars().peekable();
    loop {
        while chars.next_if(|c| c.is_ascii_whitespace()).is_some() {}
        if chars.peek().is_none() {
            return Ok(words);
        }
        words.push(word(&mut chars)?);
    }
}

fn word(chars: &mut Peekable<Chars<'_>>) -> Result<String, String> {
    let mut word = String::new();
    while let Some(c) = chars.next_if(|c| !c.is_ascii_whitespace()) {
        match c {
            '\'' => single_quoted(chars, &mut word)?,
            '"' => double_quoted(chars, &mut word)?,
            // At the very end it stands for itself.
            '\\' => word.push(chars.next().unwrap_or('\\')),
            _ => word.push(c),
        }
    }
    Ok(word)
}

fn single_quoted(chars: &mut Peekable<Chars<'_>>, word: &mut String) -> Result<(), String> {
    for c in chars {
        match c {
            '\'' => return Ok(()),
            _ => word.push(c),
        }
    }
    Err("the command has a ' without its partner".to_string())
}

fn double_quoted(chars: &mut Peekable<Chars<'_>>, word: &mut String) -> Result<(), String> {
    while let Some(c) = chars.next() {
        match c {
            '"' => return Ok(()),
            // Before anything else a backslash is an ordinary character.
            '\\' => word.push(chars.next_if(|next| "\"\\$`".contains(*next)).unwrap_or('\\')),
            _ => word.push(c),
        }
    }
    Err("the command has a \" without its partner".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_a_shell_does_it() {
        assert_eq!(split("  cc -c\ta.c \n"), Ok(vec!["cc".into(), "-c".into(), "a.c".into()]));
        assert_eq!(
            split(r#"-DA=\"x\" '-DB="y z"' "-DC='\"\n'""#).unwrap(),
            [r#"-DA="x""#, r#"-DB="y z""#, r#"-DC='"\n'"#]
        );
        assert_eq!(split(r"a\ b '' c\").unwrap(), ["a b", "", r"c\"]);
        assert_eq!(split("").unwrap(), [""; 0]);
    }

    #[test]
    fn quotes_come_in_pairs() {
        assert!(split("cc 'a.c").unwrap_err().contains('\''));
        assert!(split("cc \"a.c\\\"").unwrap_err().contains('"'));
    }
}
