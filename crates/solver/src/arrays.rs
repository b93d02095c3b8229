//! Arrays without arrays: every read becomes a vector, related to the other reads by clauses.
//!
//! A read goes down the array term it reads from: past a store it is a choice between the stored
//! element and the read below, past an `ite` a choice between two reads, of a constant array its
//! element. At a symbol it is a fresh vector, and reads of one symbol at equal indices are equal
//! (Ackermann 1954).
//!
//! Equality of arrays: unequal arrays differ at a fresh index; equal ones agree at every index that
//! occurs with arrays of their sort, and at one more, fresh, kept apart from these, which stands for all
//! the others. All of these are consequences of the equality, so `unsat` is always right. Where there are
//! more indices than occur, they are also enough for `sat`. Where there are not, the model may break an
//! equality at some index; [`Blaster::refine_arrays`] adds that index, and there are few.

use crate::answer::Failure;
use crate::blast::{Blaster, width_of};
use crate::limits::Watch;
use crate::lit::{Clauses, Lit};
use braid_base::{HashMap, HashSet};
use braid_logic::{ArrayValue, Node, Sort, Term, Terms};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What is known of the arrays translated so far.
#[derive(Default)]
pub struct Arrays {
    /// Reads of each symbol, in the order they were made.
    reads: BTreeMap<Term, Vec<Read>>,
    memo: HashMap<Place, Rc<[Lit]>>,
    /// Indices that occur with arrays of each sort.
    indices: BTreeMap<Sort, Indices>,
    equalities: Vec<Equality>,
}

/// An array term and an index.
type Place = (Term, Rc<[Lit]>);

/// A read of a symbol.
#[derive(Clone)]
pub struct Read {
    pub index: Rc<[Lit]>,
    pub element: Rc<[Lit]>,
}

#[derive(Default)]
struct Indices {
    known: Vec<Rc<[Lit]>>,
    noted: HashSet<Rc<[Lit]>>,
    /// Stands for the indices that do not occur; made with the first equality.
    elsewhere: Option<Rc<[Lit]>>,
    /// How many of the known indices `elsewhere` has been kept apart from.
    apart: usize,
}

struct Equality {
    holds: Lit,
    left: Term,
    right: Term,
    sort: Sort,
    /// How many of the sort's indices it has been told about.
    told: usize,
}

impl Arrays {
    pub fn add_symbol(&mut self, symbol: Term) {
        self.reads.entry(symbol).or_default();
    }

    /// The symbols and their reads.
    pub fn symbols(&self) -> impl Iterator<Item = (Term, &[Read])> {
        self.reads.iter().map(|(symbol, reads)| (*symbol, &reads[..]))
    }

    /// The index that stands for all that do not occur, if there is one.
    pub fn elsewhere(&self, sort: Sort) -> Option<&[Lit]> {
        self.indices.get(&sort)?.elsewhere.as_deref()
    }

    /// Whether whole arrays are compared.
    pub fn compares_arrays(&self) -> bool {
        !self.equalities.is_empty()
    }

    /// An index occurs with arrays of this sort.
    pub fn note_index(&mut self, sort: Sort, index: &Rc<[Lit]>) {
        let indices = self.indices.entry(sort).or_default();
        if indices.noted.insert(Rc::clone(index)) {
            indices.known.push(Rc::clone(index));
        }
    }
}

impl<S: Clauses> Blaster<S> {
    /// The element of an array term at an index.
    pub(crate) fn read(&mut self, terms: &Terms, array: Term, index: &Rc<[Lit]>) -> Rc<[Lit]> {
        self.arrays.note_index(terms.sort(array), index);
        let array = self.skip(terms, array, index);
        let mut pending = vec![array];
        while let Some(term) = pending.last().copied() {
            let place = (term, Rc::clone(index));
            if self.arrays.memo.contains_key(&place) {
                pending.pop();
                continue;
            }
            match self.read_one(terms, term, index) {
                Ok(element) => {
                    self.arrays.memo.insert(place, element);
                    pending.pop();
                }
                Err(missing) => pending.push(missing),
            }
        }
        Rc::clone(&self.arrays.memo[&(array, Rc::clone(index))])
    }

    /// The array below that certainly has the same element at the index: past stores elsewhere and
    /// decided choices. Nothing is remembered of what is skipped, or long chains read at many constant
    /// places would fill the memory.
    fn skip(&mut self, terms: &Terms, array: Term, index: &[Lit]) -> Term {
        let mut array = array;
        loop {
            let (condition, yes, no) = match shape(terms, array) {
                Shape::Store(below, place, _) => {
                    let place = self.arg_bits(place);
                    (self.gates.equal(&place, index), array, below)
                }
                Shape::Choice(condition, yes, no) => (self.arg_bool(condition), yes, no),
                Shape::Symbol | Shape::Constant(_) => return array,
            };
            let next = match self.gates.as_constant(condition) {
                Some(true) => yes,
                Some(false) => no,
                None => array,
            };
            if next == array {
                return array;
            }
            array = next;
        }
    }

    /// One step of a read, or the array that must be read first.
    fn read_one(&mut self, terms: &Terms, array: Term, index: &Rc<[Lit]>) -> Result<Rc<[Lit]>, Term> {
        let (condition, yes, no) = match shape(terms, array) {
            Shape::Symbol => return Ok(self.read_symbol(terms, array, index)),
            Shape::Constant(element) => return Ok(self.arg_bits(element)),
            Shape::Store(below, place, element) => {
                let (place, element) = (self.arg_bits(place), self.arg_bits(element));
                let hit = self.gates.equal(&place, index);
                (hit, Ok(element), Err(self.skip(terms, below, index)))
            }
            Shape::Choice(condition, yes, no) => {
                let condition = self.arg_bool(condition);
                (condition, Err(self.skip(terms, yes, index)), Err(self.skip(terms, no, index)))
            }
        };
        self.choose(condition, yes, no, index)
    }

    /// A choice between elements, each given or to be read; a constant condition needs only one.
    fn choose(
        &mut self,
        condition: Lit,
        yes: Result<Rc<[Lit]>, Term>,
        no: Result<Rc<[Lit]>, Term>,
        index: &Rc<[Lit]>,
    ) -> Result<Rc<[Lit]>, Term> {
        let known = |side: Result<Rc<[Lit]>, Term>| match side {
            Ok(element) => Ok(element),
            Err(array) => self.arrays.memo.get(&(array, Rc::clone(index))).cloned().ok_or(array),
        };
        match self.gates.as_constant(condition) {
            Some(true) => known(yes),
            Some(false) => known(no),
            None => {
                let (yes, no) = (known(yes)?, known(no)?);
                Ok(self.gates.mux_bits(condition, &yes, &no).into())
            }
        }
    }

    fn read_symbol(&mut self, terms: &Terms, symbol: Term, index: &Rc<[Lit]>) -> Rc<[Lit]> {
        let (_, width) = array_widths(terms.sort(symbol));
        let element: Rc<[Lit]> = self.gates.new_inputs(width).into();
        self.arrays.add_symbol(symbol);
        let others = self.arrays.reads[&symbol].clone();
        for other in &others {
            let same = self.gates.equal(&other.index, index);
            self.imply_equal(same, &other.element, &element);
        }
        let read = Read { index: Rc::clone(index), element: Rc::clone(&element) };
        self.arrays.reads.entry(symbol).or_default().push(read);
        element
    }

    /// Clauses: if the condition holds, two vectors are equal.
    fn imply_equal(&mut self, condition: Lit, a: &[Lit], b: &[Lit]) {
        if self.gates.as_constant(condition) == Some(false) {
            return;
        }
        for (a, b) in a.iter().zip(b) {
            self.gates.add_clause(&[!condition, !*a, *b]);
            self.gates.add_clause(&[!condition, *a, !*b]);
        }
    }

    /// The literal of an equality of arrays.
    pub(crate) fn equal_arrays(&mut self, terms: &Terms, left: Term, right: Term) -> Lit {
        let sort = terms.sort(left);
        let (index_width, _) = array_widths(sort);
        let holds = self.gates.new_input();
        if self.arrays.elsewhere(sort).is_none() {
            let elsewhere: Rc<[Lit]> = self.gates.new_inputs(index_width).into();
            self.arrays.note_index(sort, &elsewhere);
            self.arrays.indices.entry(sort).or_default().elsewhere = Some(elsewhere);
        }
        let witness: Rc<[Lit]> = self.gates.new_inputs(index_width).into();
        let (a, b) = (self.read(terms, left, &witness), self.read(terms, right, &witness));
        let agree = self.gates.equal(&a, &b);
        self.gates.add_clause(&[holds, !agree]);
        self.arrays.equalities.push(Equality { holds, left, right, sort, told: 0 });
        holds
    }

    /// Tells every equality about the indices that are new to it.
    pub(crate) fn settle_arrays(&mut self, terms: &Terms, watch: &Watch) -> Result<(), Failure> {
        let sorts: Vec<Sort> = self.arrays.indices.keys().copied().collect();
        sorts.into_iter().for_each(|sort| self.keep_apart(sort));
        let mut at = 0;
        while let Some(equality) = self.arrays.equalities.get(at) {
            let (holds, left, right) = (equality.holds, equality.left, equality.right);
            let indices = self.arrays.indices.get(&equality.sort);
            let next = indices.and_then(|indices| indices.known.get(equality.told)).cloned();
            let Some(index) = next else {
                at += 1;
                continue;
            };
            if let Some(stop) = watch.poll_all() {
                return Err(Failure::Stopped(stop));
            }
            let (a, b) = (self.read(terms, left, &index), self.read(terms, right, &index));
            self.imply_equal(holds, &a, &b);
            self.arrays.equalities[at].told += 1;
        }
        Ok(())
    }

    /// The index that stands for the others differs from those that occur. Only from as many as leave one
    /// over: then it can be chosen so in every model, and nothing is lost.
    fn keep_apart(&mut self, sort: Sort) {
        let (width, _) = array_widths(sort);
        let room = 1usize.checked_shl(width as u32).map_or(usize::MAX, |count| count - 1);
        loop {
            let Some(indices) = self.arrays.indices.get_mut(&sort) else { return };
            let Some(elsewhere) = indices.elsewhere.clone() else { return };
            let Some(index) = indices.known.get(indices.apart).filter(|_| indices.apart < room) else {
                return;
            };
            let index = Rc::clone(index);
            indices.apart += 1;
            if index != elsewhere {
                let same = self.gates.equal(&elsewhere, &index);
                self.gates.add_clause(&[!same]);
            }
        }
    }

    /// Finds equalities that the solver's model claims and its values break, and adds the index where
    /// they do. `claims` is the model's value of a literal, `value` the value of an array term under
    /// the model. Tells whether anything was added.
    pub(crate) fn refine_arrays(
        &mut self,
        claims: impl Fn(&Self, Lit) -> bool,
        mut value: impl FnMut(Term) -> Option<ArrayValue>,
    ) -> bool {
        let mut added = false;
        for at in 0..self.arrays.equalities.len() {
            let equality = &self.arrays.equalities[at];
            let (left, right, sort) = (equality.left, equality.right, equality.sort);
            if !claims(self, equality.holds) {
                continue;
            }
            let (Some(left), Some(right)) = (value(left), value(right)) else { continue };
            if let Some(index) = difference(&left, &right) {
                let (width, _) = array_widths(sort);
                let index: Rc<[Lit]> = self.gates.number(index, width).into();
                let known = self.arrays.indices.get(&sort).map_or(0, |indices| indices.known.len());
                self.arrays.note_index(sort, &index);
                added |= self.arrays.indices.get(&sort).map_or(0, |indices| indices.known.len()) > known;
            }
        }
        added
    }
}

/// An index at which two arrays differ.
fn difference(left: &ArrayValue, right: &ArrayValue) -> Option<u128> {
    let keys: std::collections::BTreeSet<u128> =
        left.entries().chain(right.entries()).map(|(i, _)| i).collect();
    if let Some(index) = keys.iter().find(|index| left.select(**index) != right.select(**index)) {
        return Some(*index);
    }
    if left.default_element() == right.default_element() {
        return None;
    }
    // The first index that neither mentions.
    let largest = u128::MAX >> (128 - left.index.get());
    let gap = (0u128..).zip(&keys).find(|(expected, key)| expected != *key).map(|(expected, _)| expected);
    gap.or_else(|| u128::try_from(keys.len()).ok()).filter(|index| *index <= largest)
}

/// The ways to make an array.
enum Shape {
    Symbol,
    Constant(Term),
    /// Array below, index, element.
    Store(Term, Term, Term),
    /// Condition and the two arrays.
    Choice(Term, Term, Term),
}

fn shape(terms: &Terms, array: Term) -> Shape {
    match terms.node(array) {
        Node::Symbol(_) => Shape::Symbol,
        Node::ConstArray(element) => Shape::Constant(element),
        Node::Store(below, index, element) => Shape::Store(below, index, element),
        Node::Ite(condition, yes, no) => Shape::Choice(condition, yes, no),
        node @ (Node::Bool(_)
        | Node::Bits(_)
        | Node::Int(_)
        | Node::Not(_)
        | Node::And(..)
        | Node::Eq(..)
        | Node::Binary(..)
        | Node::BvNot(_)
        | Node::Concat(..)
        | Node::Extract { .. }
        | Node::ZeroExtend(_)
        | Node::SignExtend(_)
        | Node::Ult(..)
        | Node::Slt(..)
        | Node::Select(..)
        | Node::IntAdd(..)
        | Node::IntMul(..)
        | Node::IntLt(..)) => unreachable!("{node:?} is no array"),
    }
}

/// The widths of an array's index and element.
fn array_widths(sort: Sort) -> (usize, usize) {
    match sort {
        Sort::Array { index, element } => (index.get() as usize, element.get() as usize),
        Sort::Bool | Sort::BitVec(_) | Sort::Int => (0, width_of(sort)),
    }
}
