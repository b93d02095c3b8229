//! Sorts of terms.

use std::fmt;

/// The width of a bit-vector: 1 to 128.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Width(u8);

impl Width {
    pub const MAX: u32 = 128;

    /// Panics unless `1 <= bits <= 128`: a width out of range is a bug of the caller, never input.
    pub fn new(bits: u32) -> Width {
        Self::try_new(bits).expect("bit-vectors have 1 to 128 bits")
    }

    pub fn try_new(bits: u32) -> Option<Width> {
        (1..=Self::MAX).contains(&bits).then_some(Width(bits as u8))
    }

    pub fn get(self) -> u32 {
        u32::from(self.0)
    }
}

impl fmt::Display for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    Bool,
    BitVec(Width),
    /// Mathematical integers. Constants are limited to 128 bits.
    Int,
    /// From bit-vectors to bit-vectors.
    Array {
        index: Width,
        element: Width,
    },
}

impl Sort {
    /// The sort of bit-vectors of this width.
    pub fn bits(width: u32) -> Sort {
        Sort::BitVec(Width::new(width))
    }

    pub fn array(index: u32, element: u32) -> Sort {
        Sort::Array { index: Width::new(index), element: Width::new(element) }
    }

    /// The width, if these are bit-vectors.
    pub fn width(self) -> Option<u32> {
        match self {
            Sort::BitVec(width) => Some(width.get()),
            Sort::Bool | Sort::Int | Sort::Array { .. } => None,
        }
    }
}

/// In SMT-LIB's notation.
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::BitVec(width) => write!(f, "(_ BitVec {width})"),
            Sort::Int => f.write_str("Int"),
            Sort::Array { index, element } => write!(f, "(Array (_ BitVec {index}) (_ BitVec {element}))"),
        }
    }
}
