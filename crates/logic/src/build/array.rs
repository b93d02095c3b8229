//! Arrays: select over store is resolved as far as indices are plainly equal or plainly different.

use crate::node::{BvOp, Node};
use crate::sort::{Sort, Width};
use crate::store::{Term, Terms};

/// How many stores a select looks through.
const LOOK: usize = 64;

impl Terms {
    /// `element` at every index of this width. Some solvers (cvc5) take only a constant element.
    pub fn const_array(&mut self, index_width: u32, element: Term) -> Term {
        let sort = Sort::array(index_width, self.width(element));
        self.intern(Node::ConstArray(element), sort)
    }

    fn array_widths(&self, array: Term) -> (Width, Width) {
        match self.sort(array) {
            Sort::Array { index, element } => (index, element),
            sort @ (Sort::Bool | Sort::BitVec(_) | Sort::Int) => panic!("{sort} is no array"),
        }
    }

    pub fn select(&mut self, array: Term, index: Term) -> Term {
        let (index_width, element_width) = self.array_widths(array);
        assert_eq!(self.sort(index), Sort::BitVec(index_width), "the index has the array's index width");
        let mut at = array;
        for _ in 0..LOOK {
            match self.node(at) {
                Node::Store(_, i, element) if i == index => return element,
                Node::Store(base, i, _) if self.surely_different(i, index) => at = base,
                Node::ConstArray(element) => return element,
                _ => break,
            }
        }
        self.intern(Node::Select(at, index), Sort::BitVec(element_width))
    }

    pub fn store(&mut self, array: Term, index: Term, element: Term) -> Term {
        let (index_width, element_width) = self.array_widths(array);
        assert_eq!(self.sort(index), Sort::BitVec(index_width), "the index has the array's index width");
        assert_eq!(self.sort(element), Sort::BitVec(element_width), "the element has the array's width");
        match self.node(array) {
            Node::Store(base, i, _) if i == index => return self.store(base, index, element),
            Node::ConstArray(everywhere) if everywhere == element => return array,
            _ => {}
        }
        if self.node(element) == Node::Select(array, index) {
            return array;
        }
        self.intern(Node::Store(array, index, element), self.sort(array))
    }

    /// Different constants, or one term plus different constants.
    fn surely_different(&self, a: Term, b: Term) -> bool {
        let split = |t: Term| match self.node(t) {
            Node::Bits(value) => (None, value),
            Node::Binary(BvOp::Add, x, c) => self.as_bits(c).map_or((Some(t), 0), |value| (Some(x), value)),
            _ => (Some(t), 0),
        };
        let ((x, c), (y, d)) = (split(a), split(b));
        x == y && c != d
    }
}
