//! Which words are keywords: GNU C has some that a strict ISO program may use as names.

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    #[default]
    Gnu,
    /// `-std=c99` and later: `asm` and `typeof` are ordinary names.
    Iso,
    /// `-std=c89`: `inline` is one too.
    Iso89,
    /// `-std=gnu23`: `bool`, `nullptr` and others are keywords.
    Gnu23,
    /// `-std=c23`: the same without `asm`.
    Iso23,
}

/// The words that became keywords with C23.
const NEW_IN_C23: [&str; 9] =
    ["alignas", "alignof", "bool", "constexpr", "false", "nullptr", "static_assert", "thread_local", "true"];

impl Dialect {
    /// The dialect of a compiler's `-std=` argument.
    pub fn of_std(std: &str) -> Dialect {
        match std {
            "c89" | "c90" | "iso9899:1990" | "iso9899:199409" => Dialect::Iso89,
            "gnu23" | "gnu2x" => Dialect::Gnu23,
            "c23" | "c2x" | "iso9899:2024" => Dialect::Iso23,
            _ if std.starts_with("gnu") => Dialect::Gnu,
            _ => Dialect::Iso,
        }
    }

    pub(crate) fn has_keyword(self, word: &str) -> bool {
        match word {
            "asm" => matches!(self, Dialect::Gnu | Dialect::Gnu23),
            "typeof" | "typeof_unqual" => self == Dialect::Gnu || self.is_c23(),
            "inline" => self != Dialect::Iso89,
            _ => self.is_c23() || !NEW_IN_C23.contains(&word),
        }
    }

    /// Returns true if the words of C23 are keywords and `auto` alone is a type.
    pub(crate) fn is_c23(self) -> bool {
        matches!(self, Dialect::Gnu23 | Dialect::Iso23)
    }
}
