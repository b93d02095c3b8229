//! C types, interned, with their layout under a data model.
//!
//! All translation units of a program share one [`Types`], so a `TypeId` means the same everywhere.
//! Equal structural types have equal ids; records and enums are nominal. Qualifiers live beside the
//! id in [`QualType`]; `_Atomic` is a qualifier (GCC gives lock-free atomics their plain layout).

use crate::hir::LocalId;
use braid_base::{HashMap, IndexVec, Span, Symbol, define_ids};
pub use braid_syntax::ast::{Quals, RecordKind};

define_ids! {
    /// A type without qualifiers.
    TypeId "ty";
    /// A struct or union.
    RecordId "record";
    /// An enumeration.
    EnumId "enum";
}

/// The data model: LP64 or ILP32 (both little-endian, System V layout).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DataModel {
    #[default]
    Lp64,
    Ilp32,
}

impl DataModel {
    pub fn pointer_bytes(self) -> u64 {
        match self {
            DataModel::Lp64 => 8,
            DataModel::Ilp32 => 4,
        }
    }

    /// Objects must be smaller than this: half of what a program can address.
    pub fn size_limit(self) -> u64 {
        match self {
            DataModel::Lp64 => 1 << 47,
            DataModel::Ilp32 => 1 << 31,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct QualType {
    pub ty: TypeId,
    pub quals: Quals,
}

impl QualType {
    pub fn plain(ty: TypeId) -> QualType {
        QualType { ty, quals: Quals::default() }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum IntKind {
    /// Plain `char`: signed or not as the program is compiled, and a type of its own.
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatKind {
    Float,
    Double,
    /// Stored in 16 (12 on ILP32) bytes, computed as `double`.
    LongDouble,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// Stands for a type that was in error; everything is accepted on it silently.
    Error,
    Void,
    Bool,
    Int(IntKind),
    Float(FloatKind),
    Pointer(QualType),
    Array {
        elem: QualType,
        len: ArrayLen,
    },
    Function(FnType),
    Record(RecordId),
    Enum(EnumId),
    /// Complex numbers, `_Float128`, vector types: named in headers, unsupported in computations.
    /// Size and alignment as on the target, so that layouts containing them are right.
    Unsupported {
        name: Symbol,
        size: u64,
        align: u64,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayLen {
    Known(u64),
    /// `[]`: incomplete, or a flexible array member.
    Unknown,
    /// A variable-length array; the hidden local of type `size_t` holds its number of elements.
    Vla(LocalId),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FnType {
    pub ret: QualType,
    /// After adjustment (arrays and functions are pointers).
    pub params: Vec<QualType>,
    pub variadic: bool,
    /// `f()`: the parameters are not known; arguments get default promotions.
    pub unprototyped: bool,
}

#[derive(Clone, Debug)]
pub struct Record {
    pub kind: RecordKind,
    pub tag: Option<Symbol>,
    pub span: Span,
    /// `None` while incomplete.
    pub def: Option<RecordDef>,
}

#[derive(Clone, Debug)]
pub struct RecordDef {
    pub fields: Vec<Field>,
    pub size: u64,
    pub align: u64,
    /// The last member is a flexible array.
    pub flexible: bool,
}

#[derive(Clone, Debug)]
pub struct Field {
    /// `None` for an anonymous struct or union member; unnamed bit-fields are not listed.
    pub name: Option<Symbol>,
    pub ty: QualType,
    /// Byte offset in the record; for a bit-field, of the access unit in `bits`.
    pub offset: u64,
    pub bits: Option<BitField>,
    pub span: Span,
}

/// A bit-field is accessed by loading `unit_bytes` bytes (1 to 16, little-endian) at the field's
/// `offset` and taking `width` bits from bit `shift` on. The unit covers exactly the bytes the field
/// occupies, so an access never touches a neighbouring ordinary member.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BitField {
    pub unit_bytes: u8,
    pub shift: u8,
    pub width: u8,
    /// Bytes `[run_start, run_end)` of the record: the maximal run of adjacent bit-fields this one
    /// belongs to. C counts the run as one memory location; data races are judged on it.
    pub run_start: u64,
    pub run_end: u64,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub tag: Option<Symbol>,
    pub span: Span,
    /// The compatible integer type; `None` while incomplete.
    pub int: Option<IntKind>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    pub size: u64,
    pub align: u64,
}

/// The type table of a program.
pub struct Types {
    pub model: DataModel,
    /// Whether plain `char` is unsigned, in the whole program.
    pub unsigned_char: bool,
    kinds: IndexVec<TypeId, TypeKind>,
    interned: HashMap<TypeKind, TypeId>,
    pub records: IndexVec<RecordId, Record>,
    pub enums: IndexVec<EnumId, Enum>,
    /// `__builtin_va_list`, once a unit has named it.
    pub(crate) va_list: Option<TypeId>,
}

impl Types {
    pub fn new(model: DataModel) -> Types {
        Types {
            model,
            unsigned_char: false,
            kinds: IndexVec::new(),
            interned: HashMap::default(),
            records: IndexVec::new(),
            enums: IndexVec::new(),
            va_list: None,
        }
    }

    pub fn intern(&mut self, kind: TypeKind) -> TypeId {
        if let Some(&id) = self.interned.get(&kind) {
            return id;
        }
        let id = self.kinds.push(kind.clone());
        self.interned.insert(kind, id);
        id
    }

    pub fn kind(&self, ty: TypeId) -> &TypeKind {
        &self.kinds[ty]
    }

    pub fn pointer_to(&mut self, pointee: QualType) -> TypeId {
        self.intern(TypeKind::Pointer(pointee))
    }

    pub fn int(&mut self, kind: IntKind) -> TypeId {
        self.intern(TypeKind::Int(kind))
    }

    pub fn is_signed(&self, kind: IntKind) -> bool {
        use IntKind::*;
        match kind {
            Char => !self.unsigned_char,
            SChar | Short | Int | Long | LongLong | Int128 => true,
            UChar | UShort | UInt | ULong | ULongLong | UInt128 => false,
        }
    }

    pub fn int_bytes(&self, kind: IntKind) -> u64 {
        use IntKind::*;
        match kind {
            Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 4,
            Long | ULong => self.model.pointer_bytes(),
            LongLong | ULongLong => 8,
            Int128 | UInt128 => 16,
        }
    }

    /// The integer kind behind `_Bool`-free integer types and complete enums.
    pub fn as_int(&self, ty: TypeId) -> Option<IntKind> {
        match *self.kind(ty) {
            TypeKind::Int(kind) => Some(kind),
            TypeKind::Enum(id) => self.enums[id].int,
            _ => None,
        }
    }

    /// Size and alignment of a complete type of constant size; `None` for incomplete types,
    /// functions and variable-length arrays. (`void` and functions have GNU size 1, which `sema`
    /// applies in arithmetic; here they are `None`.)
    pub fn layout(&self, ty: TypeId) -> Option<Layout> {
        let same = |size| Some(Layout { size, align: size });
        match self.kind(ty) {
            TypeKind::Error => same(4),
            TypeKind::Void | TypeKind::Function(_) => None,
            TypeKind::Bool => same(1),
            TypeKind::Int(kind) => self.int_layout(*kind),
            TypeKind::Float(kind) => Some(self.float_layout(*kind)),
            TypeKind::Pointer(_) => same(self.model.pointer_bytes()),
            TypeKind::Array { elem, len: ArrayLen::Known(n) } => {
                let elem = self.layout(elem.ty)?;
                Some(Layout { size: elem.size.checked_mul(*n)?, align: elem.align })
            }
            TypeKind::Array { .. } => None,
            TypeKind::Record(id) => {
                let def = self.records[*id].def.as_ref()?;
                Some(Layout { size: def.size, align: def.align })
            }
            TypeKind::Enum(id) => self.int_layout(self.enums[*id].int?),
            TypeKind::Unsupported { size, align, .. } => Some(Layout { size: *size, align: *align }),
        }
    }

    fn int_layout(&self, kind: IntKind) -> Option<Layout> {
        let size = self.int_bytes(kind);
        // The i386 ABI aligns 8-byte scalars to 4 inside records; `sema` lowers the field alignment,
        // a lone object keeps its natural alignment.
        Some(Layout { size, align: size })
    }

    fn float_layout(&self, kind: FloatKind) -> Layout {
        match (kind, self.model) {
            (FloatKind::Float, _) => Layout { size: 4, align: 4 },
            (FloatKind::Double, _) => Layout { size: 8, align: 8 },
            (FloatKind::LongDouble, DataModel::Lp64) => Layout { size: 16, align: 16 },
            (FloatKind::LongDouble, DataModel::Ilp32) => Layout { size: 12, align: 4 },
        }
    }
}
