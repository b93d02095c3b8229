//! The types of generated programs, with the facts of C that keep programs well-defined: widths,
//! promotions, common types.
//!
//! Plain `char` is signed and `long` has 64 bits, as on the machines the native compiler targets here.

/// Integer types, in order of rank (and signed before unsigned within one).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Int {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LLong,
    ULLong,
    I128,
    U128,
}

pub const INTS: [Int; 14] = [
    Int::Bool,
    Int::Char,
    Int::SChar,
    Int::UChar,
    Int::Short,
    Int::UShort,
    Int::Int,
    Int::UInt,
    Int::Long,
    Int::ULong,
    Int::LLong,
    Int::ULLong,
    Int::I128,
    Int::U128,
];

impl Int {
    pub fn name(self) -> &'static str {
        match self {
            Int::Bool => "_Bool",
            Int::Char => "char",
            Int::SChar => "signed char",
            Int::UChar => "unsigned char",
            Int::Short => "short",
            Int::UShort => "unsigned short",
            Int::Int => "int",
            Int::UInt => "unsigned",
            Int::Long => "long",
            Int::ULong => "unsigned long",
            Int::LLong => "long long",
            Int::ULLong => "unsigned long long",
            Int::I128 => "__int128",
            Int::U128 => "unsigned __int128",
        }
    }

    pub fn bits(self) -> u32 {
        match self {
            Int::Bool => 1,
            Int::Char | Int::SChar | Int::UChar => 8,
            Int::Short | Int::UShort => 16,
            Int::Int | Int::UInt => 32,
            Int::Long | Int::ULong | Int::LLong | Int::ULLong => 64,
            Int::I128 | Int::U128 => 128,
        }
    }

    pub fn signed(self) -> bool {
        matches!(self, Int::Char | Int::SChar | Int::Short | Int::Int | Int::Long | Int::LLong | Int::I128)
    }

    /// The type after the integer promotions.
    pub fn promoted(self) -> Int {
        if self.bits() < 32 { Int::Int } else { self }
    }

    /// The unsigned type of the same rank.
    pub fn unsigned(self) -> Int {
        match self {
            Int::Bool => Int::Bool,
            Int::Char | Int::SChar | Int::UChar => Int::UChar,
            Int::Short | Int::UShort => Int::UShort,
            Int::Int | Int::UInt => Int::UInt,
            Int::Long | Int::ULong => Int::ULong,
            Int::LLong | Int::ULLong => Int::ULLong,
            Int::I128 | Int::U128 => Int::U128,
        }
    }

    /// The type of arithmetic on the two (the usual arithmetic conversions).
    pub fn common(self, other: Int) -> Int {
        let (a, b) = (self.promoted(), other.promoted());
        let (low, high) = if a.rank() <= b.rank() { (a, b) } else { (b, a) };
        if low.rank() == high.rank() {
            return if low.signed() { high } else { low };
        }
        // The higher rank wins unless it is signed and cannot hold the other's values.
        if high.signed() && !low.signed() && high.bits() == low.bits() { high.unsigned() } else { high }
    }

    fn rank(self) -> u32 {
        match self {
            Int::Bool => 0,
            Int::Char | Int::SChar | Int::UChar => 1,
            Int::Short | Int::UShort => 2,
            Int::Int | Int::UInt => 3,
            Int::Long | Int::ULong => 4,
            Int::LLong | Int::ULLong => 5,
            Int::I128 | Int::U128 => 6,
        }
    }

    /// The constant 1 of this type.
    pub fn one(self) -> String {
        format!("(({})1)", self.name())
    }
}

/// What an expression can have as its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    Int(Int),
    /// By index; behaves as the integer type.
    Enum(usize, Int),
    Float,
    Double,
}

impl Scalar {
    /// The integer type it behaves as.
    pub fn int(self) -> Option<Int> {
        match self {
            Scalar::Int(int) | Scalar::Enum(_, int) => Some(int),
            Scalar::Float | Scalar::Double => None,
        }
    }
}

/// The type of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ty {
    Scalar(Scalar),
    Array(Box<Ty>, usize),
    Record(usize),
}

impl Ty {
    pub fn int(int: Int) -> Ty {
        Ty::Scalar(Scalar::Int(int))
    }
}

#[derive(Clone, Debug)]
pub struct Field {
    /// Empty for a bit-field without name.
    pub name: String,
    pub ty: Ty,
    pub bits: Option<u32>,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    pub name: String,
    pub union: bool,
    pub fields: Vec<Field>,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub name: String,
    pub constants: Vec<String>,
    /// Some constant is negative, so the type is signed.
    pub negative: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_arithmetic_conversions() {
        assert_eq!(Int::UShort.common(Int::Char), Int::Int);
        assert_eq!(Int::UInt.common(Int::Long), Int::Long);
        assert_eq!(Int::LLong.common(Int::ULong), Int::ULLong);
        assert_eq!(Int::Int.common(Int::UInt), Int::UInt);
        assert_eq!(Int::I128.common(Int::ULLong), Int::I128);
        assert_eq!(Int::Bool.common(Int::Bool), Int::Int);
    }
}
