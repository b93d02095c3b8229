//! Types as C text, for messages: `int (*)[3]`, `struct s *const`.
//!
//! Names of typedefs are gone by now, so the resolved type is shown.

use crate::types::{ArrayLen, FloatKind, FnType, IntKind, QualType, Quals, RecordKind, TypeKind, Types};

impl Types {
    pub fn show(&self, qt: QualType) -> String {
        self.show_around(qt, String::new())
    }

    /// Builds the text from the inside out: `inner` is the declarator collected so far.
    fn show_around(&self, qt: QualType, inner: String) -> String {
        match self.kind(qt.ty) {
            TypeKind::Pointer(to) => {
                let star = format!("*{}{}", quals_text(qt.quals), inner);
                let star = star.trim_end().to_owned();
                let needs_parens = matches!(self.kind(to.ty), TypeKind::Array { .. } | TypeKind::Function(_));
                self.show_around(*to, if needs_parens { format!("({star})") } else { star })
            }
            TypeKind::Array { elem, len } => {
                let len = match len {
                    ArrayLen::Known(n) => n.to_string(),
                    ArrayLen::Unknown => String::new(),
                    ArrayLen::Vla(_) => "*".to_owned(),
                };
                self.show_around(*elem, format!("{inner}[{len}]"))
            }
            TypeKind::Function(f) => {
                let params = self.show_params(f);
                self.show_around(f.ret, format!("{inner}({params})"))
            }
            _ => {
                let base = format!("{}{}", quals_text(qt.quals), self.show_base(qt));
                if inner.is_empty() { base } else { format!("{base} {inner}") }
            }
        }
    }

    fn show_params(&self, f: &FnType) -> String {
        if f.unprototyped {
            return String::new();
        }
        let mut parts: Vec<String> = f.params.iter().map(|p| self.show(*p)).collect();
        if f.variadic {
            parts.push("...".to_owned());
        }
        if parts.is_empty() { "void".to_owned() } else { parts.join(", ") }
    }

    fn show_base(&self, qt: QualType) -> String {
        match self.kind(qt.ty) {
            TypeKind::Error => "<error>".to_owned(),
            TypeKind::Void => "void".to_owned(),
            TypeKind::Bool => "_Bool".to_owned(),
            TypeKind::Int(kind) => int_name(*kind).to_owned(),
            TypeKind::Float(FloatKind::Float) => "float".to_owned(),
            TypeKind::Float(FloatKind::Double) => "double".to_owned(),
            TypeKind::Float(FloatKind::LongDouble) => "long double".to_owned(),
            TypeKind::Record(id) => {
                let record = &self.records[*id];
                let word = match record.kind {
                    RecordKind::Struct => "struct",
                    RecordKind::Union => "union",
                };
                tagged(word, record.tag)
            }
            TypeKind::Enum(id) => tagged("enum", self.enums[*id].tag),
            TypeKind::Unsupported { name, .. } => name.as_str().to_owned(),
            TypeKind::Pointer(_) | TypeKind::Array { .. } | TypeKind::Function(_) => {
                unreachable!("derived types are shown around their base")
            }
        }
    }
}

fn tagged(word: &str, tag: Option<braid_base::Symbol>) -> String {
    match tag {
        Some(tag) => format!("{word} {tag}"),
        None => format!("{word} <anonymous>"),
    }
}

fn quals_text(quals: Quals) -> String {
    let mut text = String::new();
    for (set, word) in [
        (quals.is_const, "const "),
        (quals.is_volatile, "volatile "),
        (quals.is_restrict, "restrict "),
        (quals.is_atomic, "_Atomic "),
    ] {
        if set {
            text.push_str(word);
        }
    }
    text
}

pub(crate) fn int_name(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Char => "char",
        IntKind::SChar => "signed char",
        IntKind::UChar => "unsigned char",
        IntKind::Short => "short",
        IntKind::UShort => "unsigned short",
        IntKind::Int => "int",
        IntKind::UInt => "unsigned int",
        IntKind::Long => "long",
        IntKind::ULong => "unsigned long",
        IntKind::LongLong => "long long",
        IntKind::ULongLong => "unsigned long long",
        IntKind::Int128 => "__int128",
        IntKind::UInt128 => "unsigned __int128",
    }
}
