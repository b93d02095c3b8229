//! Diagnostics: what is wrong with the user's input, where, and what to do about it.
//!
//! Stages push into [`Diagnostics`] and go on; nothing here prints. [`Diagnostic::render`] gives
//! the text a person sees.

use crate::{SourceMap, Span};
use std::fmt::Write as _;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    Error,
    Warning,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub severity: Severity,
    /// A stable, short, kebab-case name of the kind of problem, such as `undeclared-name`.
    pub code: &'static str,
    pub span: Span,
    pub message: String,
    /// Further remarks; those with a span show their own source line.
    pub notes: Vec<(Option<Span>, String)>,
}

impl Diagnostic {
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Error, code, span, message: message.into(), notes: Vec::new() }
    }

    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    pub fn note(mut self, message: impl Into<String>) -> Diagnostic {
        self.notes.push((None, message.into()));
        self
    }

    pub fn note_at(mut self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.notes.push((Some(span), message.into()));
        self
    }

    /// The diagnostic as a compiler would show it: place, message, source line and caret.
    pub fn render(&self, sources: &SourceMap) -> String {
        let word = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let mut out = String::new();
        show(&mut out, sources, self.span, word, &format!("{} [{}]", self.message, self.code));
        for (span, note) in &self.notes {
            show(&mut out, sources, span.unwrap_or(Span::NONE), "note", note);
        }
        out
    }
}

/// Longest source line shown whole; beyond it a window around the caret is shown.
const SHOWN_COLUMNS: usize = 160;

fn show(out: &mut String, sources: &SourceMap, span: Span, word: &str, message: &str) {
    let Some(place) = (span != Span::NONE).then(|| sources.place(span.lo)).flatten() else {
        let _ = writeln!(out, "{word}: {message}");
        return;
    };
    let _ = writeln!(out, "{place}: {word}: {message}");
    let width = sources.text(span).lines().next().unwrap_or("").chars().count();
    if let Some(line) = sources.line_text(span.lo) {
        out.push_str(&excerpt(line, place.line, place.column, width));
    }
}

/// A source line with a caret under `column` (from 1), underlined over `width` characters. Where the column is not known
/// (0), all of the line is marked.
pub fn excerpt(line: &str, number: u32, column: u32, width: usize) -> String {
    if column == 0 {
        let indent = line.chars().take_while(|c| c.is_whitespace()).count();
        let marked = line.trim().chars().count();
        return excerpt(line, number, indent as u32 + 1, marked.max(1));
    }
    let column = column as usize - 1;
    let skipped =
        if line.chars().count() > SHOWN_COLUMNS { column.saturating_sub(SHOWN_COLUMNS / 2) } else { 0 };
    let shown: String = line
        .chars()
        .skip(skipped)
        .take(SHOWN_COLUMNS)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let number = number.to_string();
    let blank = " ".repeat(number.len());
    let width = width.clamp(1, shown.chars().count().saturating_sub(column - skipped).max(1));
    let indent = " ".repeat(column - skipped);
    format!(" {number} | {shown}\n {blank} | {indent}^{}\n", "~".repeat(width - 1))
}

/// The diagnostics of one run, with a limit on errors so that one mistake cannot flood the screen.
#[derive(Default, Debug)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
}

impl Diagnostics {
    /// After this many errors a stage should stop.
    pub const ERROR_LIMIT: usize = 20;

    pub fn push(&mut self, diagnostic: Diagnostic) {
        if diagnostic.severity == Severity::Error {
            self.errors += 1;
        }
        self.list.push(diagnostic);
    }

    /// Takes over what another stage, or another file, had to say.
    pub fn append(&mut self, other: Diagnostics) {
        self.errors += other.errors;
        self.list.extend(other.list);
    }

    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    pub fn error_count(&self) -> usize {
        self.errors
    }

    pub fn at_limit(&self) -> bool {
        self.errors >= Self::ERROR_LIMIT
    }

    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renders_line_and_caret() {
        let mut sources = SourceMap::default();
        let start = sources.add("t.c", "int main(void)\n{\n  retrun 0;\n}\n".into()).unwrap();
        let span = Span::new(start + 19, start + 25);
        let text = Diagnostic::error("syntax", span, "unknown type name 'retrun'")
            .note("did you mean 'return'?")
            .render(&sources);
        assert_eq!(
            text,
            "t.c:3:3: error: unknown type name 'retrun' [syntax]\n 3 |   retrun 0;\n   |   ^~~~~~\nnote: did you mean 'return'?\n"
        );
    }
}
