//! What values a term can take: intervals and known bits.
//!
//! [`Ranges`] computes, for each term, an unsigned interval, a signed interval and the bits that are the
//! same in all values, each refining the others, from what is assumed about symbols (or other terms).
//! Wrap-around is respected: an interval that may wrap is given up, not bent. Everything is
//! an over-approximation: a value the term can take under the assumptions is always in its range.
//!
//! * [`mod@range`]: the lattice, one element per bit-vector.
//! * `transfer`: what each operation makes of the ranges of its arguments.
//! * [`mod@few`]: values one by one, where they are few and somebody said so.
//! * `facts`: a range as Booleans about a term, to be asserted.
//! * here: assumptions, and the memoised, iterative walk over terms.
//!
//! If the assumptions contradict each other every answer is right, and some consistent part of them is
//! used. Arrays and mathematical integers are not tracked; nor do conditions of `ite`s refine
//! their branches.

mod facts;
pub mod few;
pub mod range;
mod transfer;

pub use few::{Few, Possible};
pub use range::Range;

use crate::bits;
use crate::node::Node;
use crate::sort::Sort;
use crate::store::{Term, Terms};
use braid_base::HashMap;

/// Whether a comparison of two numbers of this width holds.
type Comparison = fn(u32, u128, u128) -> bool;

/// What is known of a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    /// A Boolean: its value, if it is known.
    Bool(Option<bool>),
    Bits(Range),
    /// An array or a mathematical integer.
    Untracked,
}

/// Facts about terms of one store, under assumptions.
#[derive(Clone, Default, Debug)]
pub struct Ranges {
    assumed: HashMap<Term, Range>,
    memo: HashMap<Term, Fact>,
    /// Terms with few values: assumed, and found. Nothing is looked for unless `follows_few`.
    assumed_few: HashMap<Term, Few>,
    few: HashMap<Term, Few>,
    follows_few: bool,
    /// Whether conditions of `ite`s count as unknown.
    ignores_conditions: bool,
}

impl Ranges {
    pub fn new() -> Self {
        Self::default()
    }

    /// Ranges that do not look into the conditions of `ite`s, nor into arrays and their indices: less
    /// exact, but the work is that of the data alone, however large the conditions are.
    pub fn ignoring_conditions() -> Self {
        Ranges { ignores_conditions: true, ..Self::default() }
    }

    /// Ranges that follow values one by one where they are few.
    pub fn following_few() -> Self {
        Ranges { follows_few: true, ..Self::default() }
    }

    /// Assumes what is known of a term, as far as [`Possible::facts`] says it.
    pub fn assume_possible(&mut self, terms: &Terms, term: Term, known: &Possible) {
        match &known.few {
            Some(few) => {
                self.follows_few = true;
                self.assume(terms, term, few.range());
                let other = self.assumed_few.remove(&term);
                let few = other.and_then(|other| other.common(few)).unwrap_or_else(|| few.clone());
                self.assumed_few.insert(term, few);
            }
            None => self.assume(terms, term, known.range.sayable()),
        }
    }

    /// What is known of a bit-vector term.
    pub fn possible(&mut self, terms: &Terms, term: Term) -> Possible {
        let range = self.range(terms, term);
        Possible { range, few: self.few_of(terms, term) }
    }

    /// Assumes that the values of `term`, usually a symbol, are in `range`, besides what is assumed
    /// already.
    pub fn assume(&mut self, terms: &Terms, term: Term, range: Range) {
        assert_eq!(terms.width(term), range.width(), "the range has the term's width");
        let known = self.assumed.get(&term).copied().unwrap_or(Range::full(range.width()));
        self.assumed.insert(term, known.meet(range));
        self.memo.clear();
        self.few.clear();
    }

    /// Assumes that `fact` holds, as far as it compares terms with constants; other conjuncts are
    /// ignored.
    pub fn assume_true(&mut self, terms: &Terms, fact: Term) {
        let mut pending = vec![fact];
        while let Some(fact) = pending.pop() {
            match terms.node(fact) {
                Node::And(a, b) => pending.extend([a, b]),
                Node::Not(inner) => self.assume_comparison(terms, inner, false),
                _ => self.assume_comparison(terms, fact, true),
            }
        }
    }

    fn assume_comparison(&mut self, terms: &Terms, comparison: Term, holds: bool) {
        let (Node::Eq(a, b) | Node::Ult(a, b) | Node::Slt(a, b)) = terms.node(comparison) else { return };
        let Some(width) = terms.sort(a).width() else { return };
        let node = terms.node(comparison);
        if let Some(bound) = terms.as_bits(b)
            && let Some(range) = transfer::below(node, width, bound, holds)
        {
            self.assume(terms, a, range);
        }
        if let Some(bound) = terms.as_bits(a)
            && let Some(range) = transfer::above(node, width, bound, holds)
        {
            self.assume(terms, b, range);
        }
    }

    /// The values of a bit-vector term; panics for other sorts.
    pub fn range(&mut self, terms: &Terms, term: Term) -> Range {
        match self.fact(terms, term) {
            Fact::Bits(range) => range,
            Fact::Bool(_) | Fact::Untracked => panic!("{term} is no bit-vector"),
        }
    }

    /// What is known of a term of any sort.
    pub fn fact(&mut self, terms: &Terms, root: Term) -> Fact {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.memo.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let node = terms.node(term);
            let skipped = if self.ignores_conditions { control(&node) } else { 0 };
            stack.extend(node.children().skip(skipped).filter(|t| !self.memo.contains_key(t)));
            if stack.len() == before {
                let fact = self.compute(terms, term);
                let fact = if self.follows_few { self.refine(terms, term, fact) } else { fact };
                self.memo.insert(term, fact);
                stack.pop();
            }
        }
        self.memo[&root]
    }

    /// What is known if the values are followed one by one.
    fn refine(&mut self, terms: &Terms, term: Term, fact: Fact) -> Fact {
        match fact {
            Fact::Bool(None) => Fact::Bool(self.decide_few(terms, term)),
            Fact::Bits(range) => {
                let found = self.compute_few(terms, term, range.width());
                let found = self.assumed_few.get(&term).cloned().or(found);
                let Some(found) = found.map(|few| few.within(range)) else { return fact };
                let refined = range.meet(found.range());
                self.few.insert(term, found);
                Fact::Bits(refined)
            }
            Fact::Bool(Some(_)) | Fact::Untracked => fact,
        }
    }

    /// The values of a term that has few of them.
    fn few_of(&self, terms: &Terms, term: Term) -> Option<Few> {
        match terms.as_bits(term) {
            Some(value) => Few::new(terms.width(term), [value]),
            None => self.few.get(&term).cloned(),
        }
    }

    fn compute_few(&self, terms: &Terms, term: Term, width: u32) -> Option<Few> {
        let of = |term: Term| self.few_of(terms, term);
        match terms.node(term) {
            Node::Ite(condition, a, b) => match self.condition(condition) {
                Some(true) => of(a),
                Some(false) => of(b),
                None => of(a)?.join(&of(b)?),
            },
            Node::Binary(op, a, b) => of(a)?.product(&of(b)?, width, |x, y| bits::binary(op, width, x, y)),
            Node::BvNot(a) => of(a)?.map(width, |x| !x & bits::mask(width)),
            Node::Concat(a, b) => of(a)?.above(&of(b)?),
            Node::Extract { hi, lo, of: a } => of(a)?.map(width, |x| bits::extract(hi.into(), lo.into(), x)),
            Node::ZeroExtend(a) => of(a)?.map(width, |x| x),
            Node::SignExtend(a) => {
                let from = terms.width(a);
                of(a)?.map(width, |x| bits::sign_extend(from, width, x))
            }
            _ => None,
        }
    }

    /// A comparison of terms with few values, if it is the same for all of them.
    fn decide_few(&self, terms: &Terms, term: Term) -> Option<bool> {
        let (a, b, compare): (Term, Term, Comparison) = match terms.node(term) {
            Node::Eq(a, b) => (a, b, |_, x, y| x == y),
            Node::Ult(a, b) => (a, b, |_, x, y| x < y),
            Node::Slt(a, b) => (a, b, bits::slt),
            _ => return None,
        };
        let (width, x, y) = (terms.sort(a).width()?, self.few_of(terms, a)?, self.few_of(terms, b)?);
        let both = x.product(&y, 1, |x, y| compare(width, x, y).into())?;
        match both.values() {
            [0] => Some(false),
            [1] => Some(true),
            _ => None,
        }
    }

    fn compute(&self, terms: &Terms, term: Term) -> Fact {
        match terms.sort(term) {
            Sort::Bool => Fact::Bool(self.compute_bool(terms, term)),
            Sort::BitVec(width) => {
                let computed = self.compute_bits(terms, term, width.get());
                Fact::Bits(self.assumed.get(&term).map_or(computed, |assumed| computed.meet(*assumed)))
            }
            Sort::Int | Sort::Array { .. } => Fact::Untracked,
        }
    }

    fn bool_of(&self, term: Term) -> Option<bool> {
        if let Fact::Bool(value) = self.memo[&term] { value } else { None }
    }

    /// What is known of an `ite`'s condition.
    fn condition(&self, term: Term) -> Option<bool> {
        if self.ignores_conditions { None } else { self.bool_of(term) }
    }

    fn bits_of(&self, term: Term) -> Range {
        let Fact::Bits(range) = self.memo[&term] else { unreachable!("{term} is a bit-vector") };
        range
    }

    fn compute_bool(&self, terms: &Terms, term: Term) -> Option<bool> {
        match terms.node(term) {
            Node::Bool(value) => Some(value),
            Node::Not(a) => self.bool_of(a).map(|value| !value),
            Node::And(a, b) => match (self.bool_of(a), self.bool_of(b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), other) | (other, Some(true)) => other,
                (None, None) => None,
            },
            Node::Eq(a, b) => match (self.memo[&a], self.memo[&b]) {
                (Fact::Bits(x), Fact::Bits(y)) => transfer::eq(x, y),
                (Fact::Bool(x), Fact::Bool(y)) => Some(x? == y?),
                (Fact::Bits(_) | Fact::Bool(_) | Fact::Untracked, _) => None,
            },
            Node::Ite(condition, a, b) => match self.condition(condition) {
                Some(true) => self.bool_of(a),
                Some(false) => self.bool_of(b),
                None => self.bool_of(a).filter(|value| self.bool_of(b) == Some(*value)),
            },
            Node::Ult(a, b) => transfer::ult(self.bits_of(a), self.bits_of(b)),
            Node::Slt(a, b) => transfer::slt(self.bits_of(a), self.bits_of(b)),
            Node::Symbol(_) | Node::IntLt(..) => None,
            node @ (Node::Bits(_)
            | Node::Int(_)
            | Node::Binary(..)
            | Node::BvNot(_)
            | Node::Concat(..)
            | Node::Extract { .. }
            | Node::ZeroExtend(_)
            | Node::SignExtend(_)
            | Node::Select(..)
            | Node::Store(..)
            | Node::ConstArray(_)
            | Node::IntAdd(..)
            | Node::IntMul(..)) => unreachable!("{node:?} is not Boolean"),
        }
    }

    fn compute_bits(&self, terms: &Terms, term: Term, width: u32) -> Range {
        match terms.node(term) {
            Node::Bits(value) => Range::constant(width, value),
            Node::Symbol(_) | Node::Select(..) => Range::full(width),
            Node::Ite(condition, a, b) => match self.condition(condition) {
                Some(true) => self.bits_of(a),
                Some(false) => self.bits_of(b),
                None => self.bits_of(a).join(self.bits_of(b)),
            },
            Node::Binary(op, a, b) => transfer::binary(op, self.bits_of(a), self.bits_of(b)),
            Node::BvNot(a) => transfer::not(self.bits_of(a)),
            Node::Concat(a, b) => transfer::concat(self.bits_of(a), self.bits_of(b)),
            Node::Extract { hi, lo, of } => transfer::extract(self.bits_of(of), hi.into(), lo.into()),
            Node::ZeroExtend(a) => transfer::zero_extend(self.bits_of(a), width),
            Node::SignExtend(a) => transfer::sign_extend(self.bits_of(a), width),
            node @ (Node::Bool(_)
            | Node::Int(_)
            | Node::Not(_)
            | Node::And(..)
            | Node::Eq(..)
            | Node::Ult(..)
            | Node::Slt(..)
            | Node::Store(..)
            | Node::ConstArray(_)
            | Node::IntAdd(..)
            | Node::IntMul(..)
            | Node::IntLt(..)) => unreachable!("{node:?} is no bit-vector"),
        }
    }
}

/// How many of the first arguments decide which data the term is, but are not part of it.
fn control(node: &Node) -> usize {
    match node {
        Node::Ite(..) => 1,
        Node::Select(..) => 2,
        _ => 0,
    }
}
