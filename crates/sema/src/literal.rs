//! Literals: numbers, characters and strings, with their C types.
//!
//! Equal string literals of a unit share one object.

use crate::check::{Checker, int_const, node};
use crate::hir::{EntityId, Expr, ExprKind, StaticInit};
use crate::types::{ArrayLen, IntKind, QualType, Quals, TypeId, TypeKind};
use braid_base::Span;
use braid_syntax::ast::{self, Encoding, FloatSuffix, IntSize};

impl Checker<'_> {
    pub fn int_literal(&mut self, lit: ast::IntLit, span: Span) -> Expr {
        let kinds: &[IntKind] = match lit.size {
            IntSize::Plain => &[
                IntKind::Int,
                IntKind::UInt,
                IntKind::Long,
                IntKind::ULong,
                IntKind::LongLong,
                IntKind::ULongLong,
            ],
            IntSize::Long => &[IntKind::Long, IntKind::ULong, IntKind::LongLong, IntKind::ULongLong],
            IntSize::LongLong => &[IntKind::LongLong, IntKind::ULongLong],
        };
        let fits = |kind: IntKind| {
            let bits = self.types.int_bytes(kind) * 8 - u64::from(self.types.is_signed(kind));
            lit.value >> bits == 0
        };
        let allowed = |kind: IntKind| {
            let signed = self.types.is_signed(kind);
            if lit.unsigned { !signed } else { signed || !lit.decimal }
        };
        let kind = kinds.iter().copied().find(|k| allowed(*k) && fits(*k));
        let huge = if lit.unsigned || lit.value >> 127 != 0 { IntKind::UInt128 } else { IntKind::Int128 };
        let kind = kind.unwrap_or(huge);
        let ty = self.types.int(kind);
        if matches!(kind, IntKind::Int128 | IntKind::UInt128) {
            self.warn("large-constant", span, "integer constant is too large for 'long long'");
        }
        int_const(lit.value, ty, span)
    }

    pub fn float_literal(&mut self, lit: ast::FloatLit, span: Span) -> Expr {
        if lit.imaginary {
            let ty = self.basic_type(ast::BasicType::Complex);
            return self.unsupported("a complex constant".to_owned(), ty, span);
        }
        let ty = match lit.kind {
            FloatSuffix::Float => self.common.float,
            FloatSuffix::Double => self.common.double,
            FloatSuffix::LongDouble => self.common.long_double,
            FloatSuffix::Float128 => {
                let ty = self.basic_type(ast::BasicType::Float128);
                return self.unsupported("a '_Float128' constant".to_owned(), ty, span);
            }
        };
        node(ExprKind::Float(self.types.round_float(ty, lit.value)), ty, span)
    }

    pub fn char_literal(&mut self, value: i64, encoding: Encoding, span: Span) -> Expr {
        let ty = match encoding {
            Encoding::Plain => self.common.int,
            Encoding::Wide => self.common.wchar,
            Encoding::Utf8 => self.common.uchar,
            Encoding::Utf16 => self.common.char16,
            Encoding::Utf32 => self.common.char32,
        };
        // One character has been read as a signed one; several make an int.
        let signed = i64::from(i8::MIN)..0;
        let value = match encoding {
            Encoding::Plain if self.types.unsigned_char && signed.contains(&value) => value & 0xff,
            _ => value,
        };
        int_const(self.types.wrap(ty, value as i128 as u128), ty, span)
    }

    pub fn string_element(&self, encoding: Encoding) -> TypeId {
        match encoding {
            Encoding::Plain | Encoding::Utf8 => self.common.char,
            Encoding::Wide => self.common.wchar,
            Encoding::Utf16 => self.common.char16,
            Encoding::Utf32 => self.common.char32,
        }
    }

    /// Bytes of a string literal with its terminating zero.
    pub fn string_bytes(&self, lit: &ast::StrLit) -> Vec<u8> {
        let width = self.types.bits(self.string_element(lit.encoding)) as usize / 8;
        let units = lit.units.iter().chain(std::iter::once(&0));
        units.flat_map(|unit| unit.to_le_bytes().into_iter().take(width)).collect()
    }

    /// The string object; `limit` cuts it to that many bytes (it initialises a shorter array).
    pub fn string_literal(&mut self, lit: &ast::StrLit, limit: Option<u64>, span: Span) -> Expr {
        let elem = self.string_element(lit.encoding);
        let mut bytes = self.string_bytes(lit);
        if let Some(limit) = limit {
            bytes.truncate(limit as usize);
        }
        let id = self.string_object(elem, bytes, false, span);
        self.mention(id);
        Expr {
            kind: ExprKind::Str(id),
            ty: QualType { quals: Quals::default(), ..self.entities[id].ty },
            span,
        }
    }

    pub fn string_object(&mut self, elem: TypeId, bytes: Vec<u8>, is_const: bool, span: Span) -> EntityId {
        let key = (elem, bytes);
        if !is_const && let Some(&id) = self.strings.get(&key) {
            return id;
        }
        let width = u64::from(self.types.bits(elem) / 8);
        let size = key.1.len() as u64;
        let elem = QualType { ty: elem, quals: Quals { is_const, ..Quals::default() } };
        let ty = self.types.intern(TypeKind::Array { elem, len: ArrayLen::Known(size / width) });
        let init = StaticInit { size, data: vec![(0, key.1.clone())], relocs: Vec::new(), read_only: true };
        let id = self.anonymous_object(QualType::plain(ty), init, span);
        if !is_const {
            self.strings.insert(key, id);
        }
        id
    }
}
