//! A growing set of elements: what it holds, in the order it came.
//!
//! Most sets are tiny and are searched; one that grows gets an index. A set holds at most a few offsets
//! of an object; then it holds all of it, which also ends cycles in which a pointer advances.

use super::graph::Element;
use crate::objects::ObjectId;
use braid_base::{HashMap, HashSet};

/// Offsets of one object in one set before they become `Any`.
const OFFSETS: usize = 8;

/// Elements up to which a set is searched.
const SMALL: usize = 12;

#[derive(Clone, Debug, Default)]
pub(super) struct Set {
    pub elements: Vec<Element>,
    index: Option<Box<Index>>,
}

#[derive(Clone, Debug, Default)]
struct Index {
    members: HashSet<Element>,
    /// How many offsets of an object are there.
    offsets: HashMap<ObjectId, usize>,
}

impl Set {
    pub fn contains(&self, element: Element) -> bool {
        match &self.index {
            Some(index) => index.members.contains(&element),
            None => self.elements.contains(&element),
        }
    }

    /// Whether no more offsets of the object fit in.
    pub fn is_full(&self, object: ObjectId, object_of: impl Fn(Element) -> ObjectId) -> bool {
        if self.elements.len() < OFFSETS {
            return false;
        }
        match &self.index {
            Some(index) => index.offsets.get(&object).is_some_and(|count| *count >= OFFSETS),
            None => self.elements.iter().filter(|element| object_of(**element) == object).count() >= OFFSETS,
        }
    }

    /// Puts in an element that is not there.
    pub fn insert(&mut self, element: Element, object_of: impl Fn(Element) -> ObjectId) {
        self.elements.push(element);
        match &mut self.index {
            Some(index) => index.insert(element, object_of(element)),
            None if self.elements.len() > SMALL => {
                let mut index = Index::default();
                self.elements.iter().for_each(|element| index.insert(*element, object_of(*element)));
                self.index = Some(Box::new(index));
            }
            None => {}
        }
    }
}

impl Index {
    fn insert(&mut self, element: Element, object: ObjectId) {
        self.members.insert(element);
        *self.offsets.entry(object).or_insert(0) += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_sets_answer_alike() {
        let mut set = Set::default();
        // Even elements belong to one object, odd ones to another.
        let object_of = |element: Element| ObjectId(element.0 % 2);
        for number in 0..2 * OFFSETS as u32 {
            assert!(!set.contains(Element(number)));
            assert!(!set.is_full(ObjectId(number % 2), object_of), "{number}");
            set.insert(Element(number), object_of);
            assert!((0..=number).all(|member| set.contains(Element(member))));
        }
        assert!(set.is_full(ObjectId(0), object_of) && set.is_full(ObjectId(1), object_of));
        assert!(!set.is_full(ObjectId(2), object_of));
        assert!(set.elements.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
