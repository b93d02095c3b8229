//! Values of terms.

use crate::bits;
use crate::sort::{Sort, Width};
use std::collections::BTreeMap;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    Bool(bool),
    /// Bits from the width up are zero.
    Bits {
        width: Width,
        bits: u128,
    },
    Int(i128),
    Array(ArrayValue),
}

impl Value {
    /// `bits` modulo 2^width.
    pub fn bits(width: u32, bits: u128) -> Value {
        Value::Bits { width: Width::new(width), bits: bits & bits::mask(width) }
    }

    /// What a symbol is taken to be if nothing is said about it: false, zero, zero everywhere.
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::BitVec(width) => Value::Bits { width, bits: 0 },
            Sort::Int => Value::Int(0),
            Sort::Array { index, element } => Value::Array(ArrayValue::constant(index, element, 0)),
        }
    }

    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Bits { width, .. } => Sort::BitVec(*width),
            Value::Int(_) => Sort::Int,
            Value::Array(array) => Sort::Array { index: array.index, element: array.element },
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(value) = self { Some(*value) } else { None }
    }

    pub fn as_bits(&self) -> Option<u128> {
        if let Value::Bits { bits, .. } = self { Some(*bits) } else { None }
    }

    pub fn as_int(&self) -> Option<i128> {
        if let Value::Int(value) = self { Some(*value) } else { None }
    }
}

/// An array: a default and the indices where it differs. Compared as functions.
#[derive(Clone, Debug)]
pub struct ArrayValue {
    pub index: Width,
    pub element: Width,
    default: u128,
    entries: BTreeMap<u128, u128>,
}

impl ArrayValue {
    /// `element` at every index.
    pub fn constant(index: Width, element: Width, value: u128) -> Self {
        ArrayValue { index, element, default: value & bits::mask(element.get()), entries: BTreeMap::new() }
    }

    pub fn select(&self, index: u128) -> u128 {
        self.entries.get(&index).copied().unwrap_or(self.default)
    }

    /// Indices and elements are taken modulo their widths.
    pub fn store(&mut self, index: u128, element: u128) {
        let element = element & bits::mask(self.element.get());
        let index = index & bits::mask(self.index.get());
        if element == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, element);
        }
    }

    /// The element at all indices not in [`Self::entries`].
    pub fn default_element(&self) -> u128 {
        self.default
    }

    /// The indices where the element is not the default one, in order.
    pub fn entries(&self) -> impl Iterator<Item = (u128, u128)> {
        self.entries.iter().map(|(i, e)| (*i, *e))
    }
}

impl PartialEq for ArrayValue {
    fn eq(&self, other: &Self) -> bool {
        if (self.index, self.element) != (other.index, other.element) {
            return false;
        }
        if self.default == other.default {
            return self.entries == other.entries;
        }
        // With different defaults they can only agree if the exceptions cover all indices.
        let mut keys: Vec<u128> = self.entries.keys().chain(other.entries.keys()).copied().collect();
        keys.sort_unstable();
        keys.dedup();
        let covers_all =
            u32::try_from(keys.len()).is_ok_and(|n| self.index.get() < 32 && n == 1 << self.index.get());
        covers_all && keys.iter().all(|k| self.select(*k) == other.select(*k))
    }
}

impl Eq for ArrayValue {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_functions() {
        let array = |index, default, entries: &[(u128, u128)]| {
            let mut value = ArrayValue::constant(Width::new(index), Width::new(8), default);
            entries.iter().for_each(|(i, e)| value.store(*i, *e));
            value
        };
        assert_eq!(array(1, 5, &[(0, 3)]), array(1, 3, &[(1, 5)]));
        assert_ne!(array(2, 5, &[(0, 3)]), array(2, 3, &[(1, 5)]));
        assert_eq!(array(8, 5, &[(0, 3), (0, 5)]), array(8, 5, &[]));
        assert_ne!(array(8, 5, &[]), array(9, 5, &[]));
        assert_eq!(array(8, 5, &[(256, 261)]), array(8, 5, &[(0, 5)]));
    }
}
