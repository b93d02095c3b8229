//! A few values, one by one: what pointers take, whose addresses lie far apart.

use super::Range;
use crate::store::{Term, Terms};
use std::rc::Rc;

/// So many values a set has at most.
pub const MOST: usize = 64;

/// Values of a bit-vector, ascending, at least one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Few {
    width: u32,
    values: Rc<[u128]>,
}

impl Few {
    /// `None` if there are none, or too many.
    pub fn new(width: u32, values: impl IntoIterator<Item = u128>) -> Option<Few> {
        let mut list: Vec<u128> = values.into_iter().collect();
        list.sort_unstable();
        list.dedup();
        (1..=MOST).contains(&list.len()).then(|| Few { width, values: list.into() })
    }

    pub fn values(&self) -> &[u128] {
        &self.values
    }

    /// The values of one or the other.
    pub fn join(&self, other: &Few) -> Option<Few> {
        if self == other {
            return Some(self.clone());
        }
        Few::new(self.width, self.values.iter().chain(&*other.values).copied())
    }

    /// The values of both, unless there are none.
    pub(super) fn common(&self, other: &Few) -> Option<Few> {
        let common = |value: &u128| other.values.binary_search(value).is_ok();
        Few::new(self.width, self.values.iter().copied().filter(common))
    }

    /// Values of this set above those of another.
    pub fn above(&self, low: &Few) -> Option<Few> {
        let both = |high: u128, other: u128| high << low.width | other;
        self.product(low, self.width + low.width, both)
    }

    /// What an operation makes of each value.
    pub(super) fn map(&self, width: u32, operation: impl Fn(u128) -> u128) -> Option<Few> {
        Few::new(width, self.values.iter().map(|value| operation(*value)))
    }

    /// What an operation makes of each pair of values.
    pub(super) fn product(
        &self,
        other: &Few,
        width: u32,
        operation: impl Fn(u128, u128) -> u128,
    ) -> Option<Few> {
        let pairs = self.values.iter().flat_map(|a| other.values.iter().map(move |b| (*a, *b)));
        Few::new(width, pairs.map(|(a, b)| operation(a, b)))
    }

    /// Those that are in a range, unless there are none.
    pub(super) fn within(self, range: Range) -> Few {
        let inside = self.values.iter().copied().filter(|value| range.contains(*value));
        Few::new(self.width, inside).unwrap_or(self)
    }

    /// Whether there is a common value.
    pub fn meets(&self, other: &Few) -> bool {
        self.values.iter().any(|value| other.values.binary_search(value).is_ok())
    }

    /// The smallest range that has them all.
    pub fn range(&self) -> Range {
        let each = self.values.iter().map(|value| Range::constant(self.width, *value));
        each.reduce(Range::join).expect("there is a value")
    }

    /// Bool: the term has one of them.
    pub fn fact(&self, terms: &mut Terms, term: Term) -> Term {
        let mut ways = Vec::new();
        for value in self.values.iter() {
            let value = terms.bits(self.width, *value);
            ways.push(terms.eq(term, value));
        }
        terms.or_all(ways)
    }
}

/// What is known of a term: a range, and its values if they are few.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Possible {
    pub range: Range,
    pub few: Option<Few>,
}

impl Possible {
    pub fn of(range: Range) -> Possible {
        Possible { range, few: None }
    }

    /// The values of one or the other.
    pub fn join(&self, other: &Possible) -> Possible {
        let few = self.few.as_ref().zip(other.few.as_ref()).and_then(|(a, b)| a.join(b));
        let range = few.as_ref().map_or_else(|| self.range.join(other.range), Few::range);
        Possible { range, few }
    }

    /// Values of this above those of another.
    pub fn above(&self, low: &Possible) -> Possible {
        let few = self.few.as_ref().zip(low.few.as_ref()).and_then(|(a, b)| a.above(b));
        let range = few.as_ref().map_or_else(|| self.range.above(low.range), Few::range);
        Possible { range, few }
    }

    /// Whether both may have a value in common.
    pub fn may_equal(&self, other: &Possible) -> bool {
        self.range.may_equal(other.range)
            && self.few.as_ref().zip(other.few.as_ref()).is_none_or(|(a, b)| a.meets(b))
    }

    /// Whether the value may be this one.
    pub fn contains(&self, value: u128) -> bool {
        let among = |few: &Few| few.values().binary_search(&value).is_ok();
        self.range.contains(value) && self.few.as_ref().is_none_or(among)
    }

    /// Whether it says something.
    pub fn is_partial(&self) -> bool {
        self.few.is_some() || self.range.sayable() != Range::full(self.range.width())
    }

    /// Bools that hold together if and only if the term is what [`super::Ranges::assume_possible`] assumes.
    pub fn facts(&self, terms: &mut Terms, term: Term) -> Vec<Term> {
        match &self.few {
            Some(few) => vec![few.fact(terms, term)],
            None => self.range.facts(terms, term),
        }
    }
}
