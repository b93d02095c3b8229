//! Attributes: those that change meaning or layout are read here, all others are ignored silently.

use crate::check::Checker;
use crate::types::{DataModel, IntKind, QualType, TypeId, TypeKind};
use braid_base::{Span, Symbol};
use braid_syntax::ast::{self, Alignas, Attribute};

#[derive(Default, Clone)]
pub(crate) struct Attrs {
    pub packed: bool,
    /// `#pragma pack(n)`, which the parser passes on as an attribute.
    pub pragma_pack: Option<u64>,
    pub aligned: Option<u64>,
    pub noreturn: bool,
    pub constructor: Option<u32>,
    pub destructor: Option<u32>,
    pub weak: bool,
    pub used: bool,
    pub gnu_inline: bool,
    pub transparent_union: bool,
    pub cleanup: Option<(Symbol, Span)>,
    pub vector_size: Option<u64>,
    pub mode: Option<Symbol>,
}

/// GCC runs constructors without a priority last and destructors without one first.
const DEFAULT_PRIORITY: u32 = 65535;

/// What `aligned` without a number means on x86.
const BIGGEST_ALIGNMENT: u64 = 16;

/// Longest vector that is accepted, in bytes.
const MAX_VECTOR: u64 = 1 << 16;

impl Checker<'_> {
    pub fn attrs(&mut self, lists: &[&[Attribute]]) -> Attrs {
        let mut out = Attrs::default();
        for attribute in lists.iter().copied().flatten() {
            self.attribute(attribute, &mut out);
        }
        out
    }

    /// Attributes of declaration specifiers, with `_Alignas` and `_Noreturn`.
    pub fn spec_attrs(&mut self, specs: &ast::DeclSpecs) -> Attrs {
        let mut out = self.attrs(&[&specs.attrs]);
        out.noreturn |= specs.noreturn;
        for alignas in &specs.alignas {
            let align = match alignas {
                Alignas::Type(name) => {
                    let (ty, declared) = self.type_name(name);
                    self.alignment_of(ty, declared)
                }
                Alignas::Expr(e) => self.alignment_value(e),
            };
            // `_Alignas(0)` has no effect.
            out.aligned = out.aligned.max(align.filter(|a| *a > 0));
        }
        out
    }

    fn attribute(&mut self, attribute: &Attribute, out: &mut Attrs) {
        let first = attribute.args.first();
        match attribute.name.as_str() {
            "packed" => out.packed = true,
            "pragma_pack" => out.pragma_pack = first.and_then(|e| self.constant_u64(e)),
            "aligned" => {
                let align = match first {
                    None => Some(BIGGEST_ALIGNMENT),
                    Some(e) => self.alignment_value(e),
                };
                out.aligned = out.aligned.max(align);
            }
            "noreturn" => out.noreturn = true,
            "constructor" => out.constructor = Some(self.priority(first)),
            "destructor" => out.destructor = Some(self.priority(first)),
            "weak" => out.weak = true,
            "used" | "retain" => out.used = true,
            "gnu_inline" => out.gnu_inline = true,
            "transparent_union" => out.transparent_union = true,
            "cleanup" => out.cleanup = first.and_then(name_of).map(|name| (name, attribute.span)),
            "vector_size" => out.vector_size = first.and_then(|e| self.constant_u64(e)),
            "mode" => out.mode = first.and_then(name_of),
            _ => {}
        }
    }

    fn priority(&mut self, arg: Option<&ast::Expr>) -> u32 {
        arg.and_then(|e| self.constant_u64(e)).map_or(DEFAULT_PRIORITY, |p| p.min(u64::from(u32::MAX)) as u32)
    }

    fn constant_u64(&mut self, e: &ast::Expr) -> Option<u64> {
        let value = self.rvalue(e);
        self.require_int(&value, "attribute argument").and_then(|v| u64::try_from(v).ok())
    }

    fn alignment_value(&mut self, e: &ast::Expr) -> Option<u64> {
        let value = self.rvalue(e);
        let align = self.require_int(&value, "requested alignment")?;
        match u64::try_from(align) {
            Ok(0) => Some(0),
            Ok(align) if align.is_power_of_two() && align <= 1 << 28 => Some(align),
            _ => {
                self.error(
                    "bad-alignment",
                    e.span,
                    format!("requested alignment {align} is not a power of two"),
                );
                None
            }
        }
    }

    /// Applies `mode` and `vector_size` to the type a declaration names.
    pub fn apply_type_attrs(&mut self, base: QualType, attrs: &Attrs, span: Span) -> QualType {
        let mut qt = base;
        if let Some(mode) = attrs.mode {
            qt.ty = match self.mode_type(mode, qt) {
                Some(ty) => ty,
                None => {
                    self.error("unknown-mode", span, format!("unknown machine mode '{mode}'"));
                    self.common.error
                }
            };
        }
        if let Some(size) = attrs.vector_size {
            qt.ty = self.vector_type(qt, size, span);
        }
        qt
    }

    fn vector_type(&mut self, elem: QualType, size: u64, span: Span) -> TypeId {
        let width = self.types.layout(elem.ty).map_or(1, |l| l.size);
        // The size of an unsupported element type (`_Float16`) is not known: headers name such vectors.
        let is_open = self.types.is_unsupported(elem.ty);
        let fits = width > 0 && size.is_multiple_of(width) && (size / width).is_power_of_two();
        let is_possible = is_open || self.types.is_arithmetic(elem.ty) && fits;
        if !is_possible || size > MAX_VECTOR {
            let shown = self.types.show(elem);
            self.error("bad-vector", span, format!("a vector of {size} bytes of '{shown}' is not possible"));
            return self.common.error;
        }
        let name = Symbol::intern("vector");
        self.types.intern(TypeKind::Unsupported { name, size, align: size })
    }

    fn mode_type(&mut self, mode: Symbol, base: QualType) -> Option<TypeId> {
        let word = match self.types.model {
            DataModel::Lp64 => (IntKind::Long, IntKind::ULong),
            DataModel::Ilp32 => (IntKind::Int, IntKind::UInt),
        };
        let double = match self.types.model {
            DataModel::Lp64 => (IntKind::Long, IntKind::ULong),
            DataModel::Ilp32 => (IntKind::LongLong, IntKind::ULongLong),
        };
        let (signed, unsigned) = match mode.as_str().trim_matches('_') {
            "QI" | "byte" => (IntKind::SChar, IntKind::UChar),
            "HI" => (IntKind::Short, IntKind::UShort),
            "SI" => (IntKind::Int, IntKind::UInt),
            "DI" => double,
            "TI" => (IntKind::Int128, IntKind::UInt128),
            "word" | "pointer" | "unwind_word" => word,
            "SF" => return Some(self.common.float),
            "DF" => return Some(self.common.double),
            "XF" => return Some(self.common.long_double),
            "TF" | "SC" | "DC" | "XC" | "TC" => {
                let name = Symbol::intern("a machine mode without a C type");
                let wide = TypeKind::Unsupported { name, size: 16, align: 16 };
                return Some(self.types.intern(wide));
            }
            _ => return None,
        };
        let kind = if self.types.is_signed_type(base.ty) { signed } else { unsigned };
        Some(self.types.int(kind))
    }
}

fn name_of(e: &ast::Expr) -> Option<Symbol> {
    match &e.kind {
        ast::ExprKind::Name(name) => Some(*name),
        ast::ExprKind::Paren(inner) => name_of(inner),
        ast::ExprKind::Unary { op: ast::UnaryOp::AddrOf, operand } => name_of(operand),
        _ => None,
    }
}
