//! Questions about types: what kind they are, whether two are compatible, what their composite is.
//!
//! The rules are those of C11 6.2.7 with GCC's leniency: records and enums are nominal, an enum is
//! compatible with its integer type, an array of unknown length with any of the same element.
//! Relies on types being interned; knows nothing of expressions or declarations.

use crate::types::{
    ArrayLen, DataModel, FnType, IntKind, QualType, Quals, RecordId, TypeId, TypeKind, Types,
};

impl Types {
    pub fn is_error(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Error)
    }

    pub fn is_void(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Void)
    }

    pub fn is_bool(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Bool)
    }

    /// `_Bool`, the integer types and enums.
    pub fn is_integer(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Bool | TypeKind::Int(_) | TypeKind::Enum(_))
    }

    pub fn is_float(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Float(_))
    }

    pub fn is_arithmetic(&self, ty: TypeId) -> bool {
        self.is_integer(ty) || self.is_float(ty)
    }

    pub fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Pointer(_))
    }

    pub fn is_scalar(&self, ty: TypeId) -> bool {
        self.is_arithmetic(ty) || self.is_pointer(ty)
    }

    pub fn is_function(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Function(_))
    }

    pub fn is_array(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Array { .. })
    }

    pub fn is_record(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Record(_))
    }

    pub fn is_unsupported(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Unsupported { .. })
    }

    pub fn pointee(&self, ty: TypeId) -> Option<QualType> {
        match *self.kind(ty) {
            TypeKind::Pointer(to) => Some(to),
            _ => None,
        }
    }

    pub fn element(&self, ty: TypeId) -> Option<(QualType, ArrayLen)> {
        match *self.kind(ty) {
            TypeKind::Array { elem, len } => Some((elem, len)),
            _ => None,
        }
    }

    pub fn record_of(&self, ty: TypeId) -> Option<RecordId> {
        match *self.kind(ty) {
            TypeKind::Record(id) => Some(id),
            _ => None,
        }
    }

    pub fn fn_type(&self, ty: TypeId) -> Option<&FnType> {
        match self.kind(ty) {
            TypeKind::Function(f) => Some(f),
            _ => None,
        }
    }

    /// The function type behind a function or a pointer to one.
    pub fn callee_type(&self, ty: TypeId) -> Option<&FnType> {
        match self.pointee(ty) {
            Some(to) => self.fn_type(to.ty),
            None => self.fn_type(ty),
        }
    }

    /// Whether objects of the type can exist (variable-length arrays are complete).
    pub fn is_complete(&self, ty: TypeId) -> bool {
        match *self.kind(ty) {
            TypeKind::Void | TypeKind::Function(_) => false,
            TypeKind::Array { elem, len } => len != ArrayLen::Unknown && self.is_complete(elem.ty),
            TypeKind::Record(id) => self.records[id].def.is_some(),
            TypeKind::Enum(id) => self.enums[id].int.is_some(),
            TypeKind::Error
            | TypeKind::Bool
            | TypeKind::Int(_)
            | TypeKind::Float(_)
            | TypeKind::Pointer(_)
            | TypeKind::Unsupported { .. } => true,
        }
    }

    /// An array whose size is known only at run time.
    pub fn is_vla(&self, ty: TypeId) -> bool {
        match self.element(ty) {
            Some((_, ArrayLen::Vla(_))) => true,
            Some((elem, _)) => self.is_vla(elem.ty),
            None => false,
        }
    }

    /// Whether a variable-length array occurs anywhere in the type (C's "variably modified").
    pub fn is_variably_modified(&self, ty: TypeId) -> bool {
        match *self.kind(ty) {
            TypeKind::Array { len: ArrayLen::Vla(_), .. } => true,
            TypeKind::Array { elem, .. } => self.is_variably_modified(elem.ty),
            TypeKind::Pointer(to) => self.is_variably_modified(to.ty),
            TypeKind::Function(ref f) => self.is_variably_modified(f.ret.ty),
            _ => false,
        }
    }

    /// Signedness of an integer type; `_Bool` is unsigned.
    pub fn is_signed_type(&self, ty: TypeId) -> bool {
        self.as_int(ty).is_some_and(|kind| self.is_signed(kind))
    }

    /// Width in bits of the representation of an integer type or pointer.
    pub fn bits(&self, ty: TypeId) -> u32 {
        match self.kind(ty) {
            TypeKind::Pointer(_) => self.model.pointer_bytes() as u32 * 8,
            TypeKind::Bool => 8,
            _ => self.as_int(ty).map_or(32, |kind| self.int_bytes(kind) as u32 * 8),
        }
    }

    /// `size_t`.
    pub fn size_kind(&self) -> IntKind {
        match self.model {
            DataModel::Lp64 => IntKind::ULong,
            DataModel::Ilp32 => IntKind::UInt,
        }
    }

    /// Adds qualifiers; those of an array belong to its elements.
    pub fn qualify(&mut self, qt: QualType, quals: Quals) -> QualType {
        if quals == Quals::default() {
            return qt;
        }
        if let Some((elem, len)) = self.element(qt.ty) {
            let elem = self.qualify(elem, quals);
            return QualType::plain(self.intern(TypeKind::Array { elem, len }));
        }
        QualType { ty: qt.ty, quals: join_quals(qt.quals, quals) }
    }

    /// Unqualified type; for an array, with unqualified elements.
    pub fn unqualified(&mut self, qt: QualType) -> TypeId {
        match self.element(qt.ty) {
            Some((elem, len)) if elem.quals != Quals::default() || self.is_array(elem.ty) => {
                let elem = QualType::plain(self.unqualified(elem));
                self.intern(TypeKind::Array { elem, len })
            }
            _ => qt.ty,
        }
    }

    /// The type with every variable array length forgotten, as it appears in a function's type.
    pub fn erase_vla(&mut self, ty: TypeId) -> TypeId {
        match *self.kind(ty) {
            TypeKind::Array { elem, len } => {
                let elem = QualType { ty: self.erase_vla(elem.ty), quals: elem.quals };
                let len = if matches!(len, ArrayLen::Vla(_)) { ArrayLen::Unknown } else { len };
                self.intern(TypeKind::Array { elem, len })
            }
            TypeKind::Pointer(to) => {
                let inner = self.erase_vla(to.ty);
                self.pointer_to(QualType { ty: inner, quals: to.quals })
            }
            _ => ty,
        }
    }

    pub fn compatible_qual(&self, a: QualType, b: QualType) -> bool {
        same_quals(a.quals, b.quals) && self.compatible(a.ty, b.ty)
    }

    pub fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        match (self.kind(a), self.kind(b)) {
            (TypeKind::Error, _) | (_, TypeKind::Error) => true,
            (TypeKind::Enum(e), TypeKind::Int(k)) | (TypeKind::Int(k), TypeKind::Enum(e)) => {
                self.enums[*e].int == Some(*k)
            }
            (TypeKind::Pointer(x), TypeKind::Pointer(y)) => self.compatible_qual(*x, *y),
            (TypeKind::Array { elem: x, len: m }, TypeKind::Array { elem: y, len: n }) => {
                let lengths = match (m, n) {
                    (ArrayLen::Known(m), ArrayLen::Known(n)) => m == n,
                    _ => true,
                };
                lengths && self.compatible_qual(*x, *y)
            }
            (TypeKind::Function(f), TypeKind::Function(g)) => self.compatible_functions(f, g),
            _ => false,
        }
    }

    fn compatible_functions(&self, f: &FnType, g: &FnType) -> bool {
        if !self.compatible(f.ret.ty, g.ret.ty) {
            return false;
        }
        match (f.unprototyped, g.unprototyped) {
            (true, true) => true,
            (false, false) => f.variadic == g.variadic && self.same_params(f, g),
            (true, false) => self.old_style_matches(f, g),
            (false, true) => self.old_style_matches(g, f),
        }
    }

    fn same_params(&self, f: &FnType, g: &FnType) -> bool {
        f.params.len() == g.params.len()
            && f.params.iter().zip(&g.params).all(|(a, b)| self.compatible(a.ty, b.ty))
    }

    /// A K&R definition's recorded parameters against a prototype; with no record (`f()`), the
    /// prototype must survive default promotions.
    fn old_style_matches(&self, old: &FnType, new: &FnType) -> bool {
        if old.params.is_empty() {
            return !new.variadic && new.params.iter().all(|p| self.survives_promotion(p.ty));
        }
        // GCC accepts `int f(char); int f(c) char c; {}`: only the count is compared here.
        old.params.len() == new.params.len()
    }

    fn survives_promotion(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            TypeKind::Bool => false,
            TypeKind::Float(kind) => *kind != crate::types::FloatKind::Float,
            _ => self.as_int(ty).is_none_or(|kind| self.int_bytes(kind) >= 4),
        }
    }

    /// The composite of two compatible types: everything either of them knows.
    pub fn composite(&mut self, a: TypeId, b: TypeId) -> TypeId {
        if a == b {
            return a;
        }
        match (self.kind(a).clone(), self.kind(b).clone()) {
            (TypeKind::Error, _) => b,
            (TypeKind::Pointer(x), TypeKind::Pointer(y)) => {
                let ty = self.composite(x.ty, y.ty);
                self.pointer_to(QualType { ty, quals: join_quals(x.quals, y.quals) })
            }
            (TypeKind::Array { elem: x, len: m }, TypeKind::Array { elem: y, len: n }) => {
                let elem = QualType { ty: self.composite(x.ty, y.ty), quals: x.quals };
                let len = match (m, n) {
                    (ArrayLen::Known(_), _) => m,
                    (_, ArrayLen::Known(_)) => n,
                    (ArrayLen::Vla(_), _) => m,
                    (ArrayLen::Unknown, _) => n,
                };
                self.intern(TypeKind::Array { elem, len })
            }
            (TypeKind::Function(f), TypeKind::Function(g)) => self.composite_function(a, b, f, g),
            _ => a,
        }
    }

    fn composite_function(&mut self, a: TypeId, b: TypeId, f: FnType, g: FnType) -> TypeId {
        match (f.unprototyped, g.unprototyped) {
            (true, true) => {
                if f.params.is_empty() {
                    b
                } else {
                    a
                }
            }
            (true, false) => b,
            (false, true) => a,
            (false, false) => {
                let ret = QualType { ty: self.composite(f.ret.ty, g.ret.ty), quals: f.ret.quals };
                let params = f
                    .params
                    .iter()
                    .zip(&g.params)
                    .map(|(x, y)| QualType { ty: self.composite(x.ty, y.ty), quals: x.quals })
                    .collect();
                let ty = FnType { ret, params, variadic: f.variadic, unprototyped: false };
                self.intern(TypeKind::Function(ty))
            }
        }
    }
}

pub(crate) fn join_quals(a: Quals, b: Quals) -> Quals {
    Quals {
        is_const: a.is_const || b.is_const,
        is_volatile: a.is_volatile || b.is_volatile,
        is_restrict: a.is_restrict || b.is_restrict,
        is_atomic: a.is_atomic || b.is_atomic,
    }
}

/// Equal up to `restrict`, which changes neither values nor layout.
fn same_quals(a: Quals, b: Quals) -> bool {
    a.is_const == b.is_const && a.is_volatile == b.is_volatile && a.is_atomic == b.is_atomic
}
