//! Pointers that may be arbitrary numbers.
//!
//! A pointer that is set on some paths only, or that is read from a block of which a part was written, is a choice
//! between addresses and arbitrary bits. Its taint is that of an address, and its bits may be those of one, by chance:
//! then it would seem to point into an object that the program never gave it.
//!
//! Arbitrary bits are symbols of two kinds: bytes of memory that was never written (`u…`, see
//! [`crate::contents::Initial`]), and choices of the program (`c!…`: inputs, uninitialised registers). Symbols of reads
//! are neither: what a read takes is asked where it is known who reads from whom.

use super::{Layout, choices};
use crate::contents::is_unwritten;
use crate::object::ObjectNo;
use braid_base::HashSet;
use braid_logic::{Node, Term, Terms};

/// So many parts of a term are looked at.
const PARTS: usize = 20_000;

impl Layout {
    /// Bool: the pointer is an arbitrary number where an object may lie.
    pub fn is_stray(self, terms: &mut Terms, pointer: Term) -> Term {
        if self.constant(terms, pointer).is_some() || !has_arbitrary_part(terms, pointer) {
            return terms.bool(false);
        }
        let leaf = |terms: &mut Terms, leaf: Term| {
            if !self.is_arbitrary(terms, leaf) {
                return terms.bool(false);
            }
            let object = self.object_of(terms, leaf);
            let number = self.is_no_address(terms, object);
            terms.not(number)
        };
        choices::fold(terms, pointer, leaf, |terms, condition, yes, no| terms.ite(condition, yes, no))
    }

    /// Returns true if the term is made of arbitrary symbols and of numbers that are no addresses. An element of an array
    /// counts if any element is arbitrary.
    fn is_arbitrary(self, terms: &Terms, term: Term) -> bool {
        let mut found = false;
        let mut parts = Parts::new(term);
        while let Some(part) = parts.next(terms) {
            match terms.node(part) {
                Node::Symbol(_) if is_arbitrary_symbol(terms, part) => found = true,
                Node::Symbol(_) => return false,
                Node::Bits(_) if self.is_address(terms, part) => return false,
                Node::Select(array, _) if has_arbitrary_part(terms, array) => return true,
                _ => {}
            }
        }
        found
    }

    /// Returns true if a constant of the width of a pointer is an address.
    fn is_address(self, terms: &Terms, constant: Term) -> bool {
        let object = self.constant(terms, constant).map_or(ObjectNo::NONE, |(object, _)| object);
        terms.width(constant) == self.pointer_bits
            && object != ObjectNo::NONE
            && object.0 <= self.max_objects()
    }
}

/// Returns true if an arbitrary symbol is a part of the term's value.
fn has_arbitrary_part(terms: &Terms, term: Term) -> bool {
    let mut parts = Parts::new(term);
    while let Some(part) = parts.next(terms) {
        if is_arbitrary_symbol(terms, part) {
            return true;
        }
    }
    false
}

fn is_arbitrary_symbol(terms: &Terms, term: Term) -> bool {
    let Node::Symbol(symbol) = terms.node(term) else { return false };
    is_unwritten(terms, symbol) || terms.symbol_name(symbol).starts_with("c!")
}

/// The parts of a term's value: conditions of choices and indices of arrays are none.
struct Parts {
    stack: Vec<Term>,
    seen: HashSet<Term>,
}

impl Parts {
    fn new(term: Term) -> Parts {
        Parts { stack: vec![term], seen: HashSet::default() }
    }

    fn next(&mut self, terms: &Terms) -> Option<Term> {
        loop {
            let term = self.stack.pop()?;
            if self.seen.len() >= PARTS || !self.seen.insert(term) {
                continue;
            }
            match terms.node(term) {
                Node::Ite(_, yes, no) => self.stack.extend([yes, no]),
                Node::Select(array, _) => self.stack.push(array),
                Node::Store(array, _, element) => self.stack.extend([array, element]),
                node => self.stack.extend(node.children()),
            }
            return Some(term);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use braid_logic::Sort;

    #[test]
    fn only_arbitrary_bits_stray() {
        let (mut terms, layout) = (Terms::new(), Layout::new(8));
        let [c, d] = ["p", "q"].map(|name| terms.symbol(name, Sort::Bool));
        let object = layout.address(&mut terms, ObjectNo(3), 0);
        let null = terms.bits(64, 0);
        let (read, input) = (terms.symbol("r!1", Sort::bits(64)), terms.symbol("c!2", Sort::bits(64)));
        let low = terms.symbol("u7.0", Sort::bits(32));
        let high = terms.symbol("u7.4", Sort::bits(32));
        let bytes = terms.concat(high, low);
        let eight = terms.bits(64, 8);
        let never = terms.bool(false);
        for clean in [object, null, read] {
            let either = terms.ite(c, clean, object);
            let moved = terms.bv_add(either, eight);
            let indexed = terms.bv_add(clean, input);
            for pointer in [either, moved] {
                assert_eq!(layout.is_stray(&mut terms, pointer), never);
            }
            if clean != null {
                assert_eq!(layout.is_stray(&mut terms, indexed), never);
            }
        }
        for number in [input, bytes] {
            let either = terms.ite(c, number, object);
            let all = terms.ite(d, null, either);
            let object = layout.object_of(&mut terms, number);
            let plain = layout.is_no_address(&mut terms, object);
            let looks = terms.not(plain);
            let here = terms.and(c, looks);
            assert_eq!(layout.is_stray(&mut terms, either), here);
            let not_null = terms.not(d);
            let there = terms.and(not_null, here);
            assert_eq!(layout.is_stray(&mut terms, all), there);
        }
    }
}
