//! The value of a term under an assignment of its symbols.
//!
//! Iterative and memoised; of an `ite` only the branch taken is evaluated. Arrays are kept as chains of
//! stores in an arena while evaluating, so that a chain of n stores costs n and not n² entries; they are
//! turned into maps only where arrays are compared or handed out.

use crate::bits;
use crate::node::Node;
use crate::sort::{Sort, Width};
use crate::store::{SymbolId, Term, Terms};
use crate::value::{ArrayValue, Value};
use braid_base::HashMap;
use std::fmt;

/// Values of symbols. Symbols without a value count as [`Value::zero`] (models need not mention symbols
/// that do not matter).
#[derive(Clone, Default, Debug)]
pub struct Assignment {
    values: HashMap<SymbolId, Value>,
}

impl Assignment {
    pub fn new() -> Self {
        Self::default()
    }

    /// `value` must be of the symbol's sort.
    pub fn set(&mut self, symbol: SymbolId, value: Value) {
        self.values.insert(symbol, value);
    }

    pub fn get(&self, symbol: SymbolId) -> Option<&Value> {
        self.values.get(&symbol)
    }

    /// Gives a value to a term that is a symbol; panics if it is none or the sorts differ.
    pub fn set_term(&mut self, terms: &Terms, symbol: Term, value: Value) {
        let Node::Symbol(id) = terms.node(symbol) else { panic!("only symbols are assigned") };
        assert_eq!(terms.sort(symbol), value.sort(), "values have their symbol's sort");
        self.set(id, value);
    }
}

/// A mathematical integer left the range of `i128`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntOverflow;

impl fmt::Display for IntOverflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an integer exceeds 128 bits")
    }
}

impl std::error::Error for IntOverflow {}

/// The value of one term. For many terms under one assignment keep an [`Evaluator`].
pub fn evaluate(terms: &Terms, term: Term, assignment: &Assignment) -> Result<Value, IntOverflow> {
    Evaluator::new(terms, assignment).value(term)
}

/// A value while evaluating; arrays are indices into the arena.
#[derive(Clone, Copy, Debug)]
enum Slot {
    Bool(bool),
    Bits(u128),
    Int(i128),
    Array(usize),
}

#[derive(Clone, Debug)]
enum ArrayNode {
    Whole(ArrayValue),
    Store { base: usize, index: u128, element: u128 },
}

/// Evaluates terms of one store under one assignment, remembering all it has computed.
pub struct Evaluator<'a> {
    terms: &'a Terms,
    assignment: &'a Assignment,
    memo: HashMap<Term, Slot>,
    arrays: Vec<ArrayNode>,
}

impl<'a> Evaluator<'a> {
    pub fn new(terms: &'a Terms, assignment: &'a Assignment) -> Self {
        Evaluator { terms, assignment, memo: HashMap::default(), arrays: Vec::new() }
    }

    pub fn value(&mut self, term: Term) -> Result<Value, IntOverflow> {
        self.run(term)?;
        Ok(match self.slot(term) {
            Slot::Bool(value) => Value::Bool(value),
            Slot::Bits(value) => Value::bits(self.terms.width(term), value),
            Slot::Int(value) => Value::Int(value),
            Slot::Array(at) => Value::Array(self.whole(at)),
        })
    }

    /// The value of a Boolean term; panics for other sorts.
    pub fn bool(&mut self, term: Term) -> Result<bool, IntOverflow> {
        Ok(self.value(term)?.as_bool().expect("the term is Boolean"))
    }

    /// The value of a bit-vector term; panics for other sorts.
    pub fn bits(&mut self, term: Term) -> Result<u128, IntOverflow> {
        Ok(self.value(term)?.as_bits().expect("the term is a bit-vector"))
    }

    fn run(&mut self, root: Term) -> Result<(), IntOverflow> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.memo.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            self.push_missing(term, &mut stack);
            if stack.len() == before {
                let slot = self.compute(term)?;
                self.memo.insert(term, slot);
                stack.pop();
            }
        }
        Ok(())
    }

    /// Pushes the arguments that `term` needs and that have no value yet.
    fn push_missing(&self, term: Term, stack: &mut Vec<Term>) {
        let node = self.terms.node(term);
        let mut need = |t: Term| {
            if !self.memo.contains_key(&t) {
                stack.push(t);
            }
        };
        if let Node::Ite(condition, yes, no) = node {
            match self.memo.get(&condition) {
                Some(Slot::Bool(true)) => need(yes),
                Some(Slot::Bool(false)) => need(no),
                Some(Slot::Bits(_) | Slot::Int(_) | Slot::Array(_)) => unreachable!("conditions are Boolean"),
                None => need(condition),
            }
        } else {
            node.children().for_each(need);
        }
    }

    fn slot(&self, term: Term) -> Slot {
        self.memo[&term]
    }

    fn slot_bool(&self, term: Term) -> bool {
        let Slot::Bool(value) = self.slot(term) else { unreachable!("{term} is Boolean") };
        value
    }

    fn slot_bits(&self, term: Term) -> u128 {
        let Slot::Bits(value) = self.slot(term) else { unreachable!("{term} is a bit-vector") };
        value
    }

    fn slot_int(&self, term: Term) -> i128 {
        let Slot::Int(value) = self.slot(term) else { unreachable!("{term} is an integer") };
        value
    }

    fn slot_array(&self, term: Term) -> usize {
        let Slot::Array(at) = self.slot(term) else { unreachable!("{term} is an array") };
        at
    }

    /// The value of a term whose needed arguments have values.
    fn compute(&mut self, term: Term) -> Result<Slot, IntOverflow> {
        let width = |t: Term| self.terms.width(t);
        Ok(match self.terms.node(term) {
            Node::Bool(value) => Slot::Bool(value),
            Node::Bits(value) => Slot::Bits(value),
            Node::Int(value) => Slot::Int(value),
            Node::Symbol(symbol) => self.symbol(symbol, self.terms.sort(term)),
            Node::Not(a) => Slot::Bool(!self.slot_bool(a)),
            Node::And(a, b) => Slot::Bool(self.slot_bool(a) && self.slot_bool(b)),
            Node::Eq(a, b) => Slot::Bool(self.equal(a, b)),
            Node::Ite(condition, yes, no) => self.slot(if self.slot_bool(condition) { yes } else { no }),
            Node::Binary(op, a, b) => {
                Slot::Bits(bits::binary(op, width(a), self.slot_bits(a), self.slot_bits(b)))
            }
            Node::BvNot(a) => Slot::Bits(!self.slot_bits(a) & bits::mask(width(a))),
            Node::Concat(a, b) => Slot::Bits(bits::concat(width(b), self.slot_bits(a), self.slot_bits(b))),
            Node::Extract { hi, lo, of } => {
                Slot::Bits(bits::extract(hi.into(), lo.into(), self.slot_bits(of)))
            }
            Node::ZeroExtend(a) => self.slot(a),
            Node::SignExtend(a) => Slot::Bits(bits::sign_extend(width(a), width(term), self.slot_bits(a))),
            Node::Ult(a, b) => Slot::Bool(self.slot_bits(a) < self.slot_bits(b)),
            Node::Slt(a, b) => Slot::Bool(bits::slt(width(a), self.slot_bits(a), self.slot_bits(b))),
            Node::Select(a, i) => Slot::Bits(self.select(self.slot_array(a), self.slot_bits(i))),
            Node::Store(a, i, e) => {
                let (base, index, element) = (self.slot_array(a), self.slot_bits(i), self.slot_bits(e));
                self.array(ArrayNode::Store { base, index, element })
            }
            Node::ConstArray(e) => {
                let (index, element) = self.array_sort(term);
                let whole = ArrayValue::constant(index, element, self.slot_bits(e));
                self.array(ArrayNode::Whole(whole))
            }
            Node::IntAdd(a, b) => {
                Slot::Int(self.slot_int(a).checked_add(self.slot_int(b)).ok_or(IntOverflow)?)
            }
            Node::IntMul(a, b) => {
                Slot::Int(self.slot_int(a).checked_mul(self.slot_int(b)).ok_or(IntOverflow)?)
            }
            Node::IntLt(a, b) => Slot::Bool(self.slot_int(a) < self.slot_int(b)),
        })
    }

    fn array_sort(&self, term: Term) -> (Width, Width) {
        let Sort::Array { index, element } = self.terms.sort(term) else {
            unreachable!("{term} is an array")
        };
        (index, element)
    }

    fn symbol(&mut self, symbol: SymbolId, sort: Sort) -> Slot {
        let value = self.assignment.get(symbol).cloned().unwrap_or_else(|| Value::zero(sort));
        match value {
            Value::Bool(value) => Slot::Bool(value),
            Value::Bits { bits, .. } => Slot::Bits(bits),
            Value::Int(value) => Slot::Int(value),
            Value::Array(whole) => self.array(ArrayNode::Whole(whole)),
        }
    }

    fn equal(&self, a: Term, b: Term) -> bool {
        match (self.slot(a), self.slot(b)) {
            (Slot::Bool(x), Slot::Bool(y)) => x == y,
            (Slot::Bits(x), Slot::Bits(y)) => x == y,
            (Slot::Int(x), Slot::Int(y)) => x == y,
            (Slot::Array(x), Slot::Array(y)) => x == y || self.whole(x) == self.whole(y),
            (Slot::Bool(_) | Slot::Bits(_) | Slot::Int(_) | Slot::Array(_), _) => {
                unreachable!("both sides have one sort")
            }
        }
    }

    fn array(&mut self, node: ArrayNode) -> Slot {
        self.arrays.push(node);
        Slot::Array(self.arrays.len() - 1)
    }

    fn select(&self, mut at: usize, wanted: u128) -> u128 {
        loop {
            match &self.arrays[at] {
                ArrayNode::Whole(whole) => return whole.select(wanted),
                ArrayNode::Store { index, element, .. } if *index == wanted => return *element,
                ArrayNode::Store { base, .. } => at = *base,
            }
        }
    }

    fn whole(&self, mut at: usize) -> ArrayValue {
        let mut stores = Vec::new();
        loop {
            match &self.arrays[at] {
                ArrayNode::Whole(whole) => {
                    let mut whole = whole.clone();
                    stores.iter().rev().for_each(|(index, element)| whole.store(*index, *element));
                    return whole;
                }
                ArrayNode::Store { base, index, element } => {
                    stores.push((*index, *element));
                    at = *base;
                }
            }
        }
    }
}
