//! A syntax tree as C text that parses to the same tree.
//!
//! Parentheses the user wrote are nodes of the tree; the printer adds others only where a tree that
//! was built or changed by the tool needs them. Assembly is copied from the source text, since the
//! tree keeps only what checking needs of it. Not kept by the tree, hence not printed: attributes of
//! enumerators, `static` in array parameters, whether `__real__` or `__imag__` was written.

mod decl;
mod expr;
mod stmt;
#[cfg(test)]
pub(crate) mod tests;

use crate::ast::{Item, TranslationUnit};
use braid_base::{SourceMap, Span};

/// Prints a translation unit; `sources` must hold the text it was parsed from.
pub fn print(unit: &TranslationUnit, sources: &SourceMap) -> String {
    let mut printer = Printer { out: String::new(), indent: 0, sources };
    for item in &unit.items {
        printer.item(item);
    }
    printer.out
}

struct Printer<'a> {
    out: String,
    indent: usize,
    sources: &'a SourceMap,
}

impl Printer<'_> {
    fn item(&mut self, item: &Item) {
        match item {
            Item::Declaration(declaration) => self.declaration(declaration),
            Item::Function(function) => self.function(function),
            Item::StaticAssert(assertion) => self.static_assert(assertion),
            Item::Asm(span) => self.assembly(*span),
        }
        self.out.push('\n');
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// A word or token with a blank between it and a word before it.
    fn word(&mut self, text: &str) {
        if self.out.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | ')' | '}' | '"')) {
            self.out.push(' ');
        }
        self.out.push_str(text);
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n("  ", self.indent));
    }

    /// Calls `each` for every element, with commas between.
    fn list<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.push(", ");
            }
            each(self, item);
        }
    }

    fn assembly(&mut self, span: Span) {
        let text = self.sources.text(span);
        // Without its source an empty template is all that can be said.
        let text = if text.is_empty() { "__asm__ volatile (\"\");" } else { text };
        self.out.push_str(text);
    }
}
