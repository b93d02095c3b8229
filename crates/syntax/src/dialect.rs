//! Which words are keywords: GNU C has some that a strict ISO program may use as names.

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    #[default]
    Gnu,
    /// `-std=c99` and later: `asm` and `typeof` are ordinary names.
    Iso,
    /// `-std=c89`: `inline` is one too.
    Iso89,
}

impl Dialect {
    /// The dialect of a compiler's `-std=` argument.
    pub fn of_std(std: &str) -> Dialect {
        match std {
            "c89" | "c90" | "iso9899:1990" | "iso9899:199409" => Dialect::Iso89,
            _ if std.starts_with("gnu") => Dialect::Gnu,
            _ => Dialect::Iso,
        }
    }

    pub(crate) fn has_keyword(self, word: &str) -> bool {
        match word {
            "asm" | "typeof" | "typeof_unqual" => self == Dialect::Gnu,
            "inline" => self != Dialect::Iso89,
            _ => true,
        }
    }
}
