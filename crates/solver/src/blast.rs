//! Bit-blasting: terms to literals and vectors of literals.
//!
//! Every term is translated once. Arguments have smaller indices than what they are arguments of, so
//! the new part of a term is collected and then translated in the order of indices; nothing recurses.
//!
//! Conjunctions are binary in terms and come in long chains. A conjunction whose only use is in another
//! one is absorbed into it, so a chain becomes one wide gate; shared prefixes keep their own gates, or
//! chains would cost the square of their length.
//!
//! Arrays have no vectors: see [`crate::arrays`]. Mathematical integers are refused.

use crate::answer::Failure;
use crate::arrays::Arrays;
use crate::circuits::{Bits, Shift};
use crate::divider::Dividers;
use crate::gates::Gates;
use crate::limits::Watch;
use crate::lit::{Clauses, Lit};
use braid_base::{HashMap, HashSet};
use braid_logic::{BvOp, Node, Sort, Term, Terms};
use std::rc::Rc;

/// The translation of a term.
#[derive(Clone, Debug)]
enum Image {
    Bool(Lit),
    Bits(Rc<[Lit]>),
    /// Read where it is used.
    Array,
}

/// Translates terms of one store into one set of clauses.
pub struct Blaster<S> {
    pub(crate) gates: Gates<S>,
    pub(crate) arrays: Arrays,
    dividers: Dividers,
    images: HashMap<Term, Image>,
}

/// How the new terms below some roots use each other.
#[derive(Default)]
struct Fresh {
    /// In the order of indices.
    order: Vec<Term>,
    /// Conjunctions with more than one use, or a use that is no conjunction.
    shared: HashMap<Term, bool>,
}

impl<S: Clauses> Blaster<S> {
    pub fn new(sink: S) -> Blaster<S> {
        Blaster {
            gates: Gates::new(sink),
            arrays: Arrays::default(),
            dividers: Dividers::default(),
            images: HashMap::default(),
        }
    }

    /// Demands that a Boolean term hold.
    pub fn assert(&mut self, terms: &Terms, term: Term, watch: &Watch) -> Result<(), Failure> {
        let mut pending = vec![term];
        while let Some(term) = pending.pop() {
            if let Node::And(a, b) = terms.node(term) {
                pending.extend([b, a]);
                continue;
            }
            match self.negated_conjunction(terms, term) {
                Some(conjunction) => self.assert_some_fail(terms, conjunction, watch)?,
                None => {
                    let literal = self.literal(terms, term, watch)?;
                    self.gates.add_clause(&[literal]);
                }
            }
        }
        self.settle_arrays(terms, watch)
    }

    /// Demands that one of the Boolean terms hold.
    pub fn assert_any(&mut self, terms: &Terms, any: &[Term], watch: &Watch) -> Result<(), Failure> {
        let mut clause = Vec::with_capacity(any.len());
        for term in any {
            let literal = self.literal(terms, *term, watch)?;
            match self.gates.as_constant(literal) {
                Some(true) => return Ok(()),
                Some(false) => {}
                None => clause.push(literal),
            }
        }
        self.gates.add_clause(&clause);
        Ok(())
    }

    /// The conjunction, not translated yet, of which a term is the negation.
    fn negated_conjunction(&self, terms: &Terms, term: Term) -> Option<Term> {
        let Node::Not(inner) = terms.node(term) else { return None };
        let is_new = matches!(terms.node(inner), Node::And(..)) && !self.images.contains_key(&inner);
        is_new.then_some(inner)
    }

    /// Demands that a conjunction fail: one clause, no gate for the conjunction itself.
    fn assert_some_fail(&mut self, terms: &Terms, conjunction: Term, watch: &Watch) -> Result<(), Failure> {
        let fresh = self.fresh_terms(terms, conjunction);
        let mut clause = Vec::new();
        let mut equal = None;
        for conjunct in self.conjuncts(terms, conjunction, &fresh) {
            match self.new_difference(terms, conjunct).filter(|_| equal.is_none()) {
                Some(pair) => equal = Some(pair),
                None => clause.push(!self.literal(terms, conjunct, watch)?),
            }
        }
        let Some((a, b)) = equal else {
            self.gates.add_clause(&clause);
            return Ok(());
        };
        let (a, b) = (self.bits(terms, a, watch)?, self.bits(terms, b, watch)?);
        for (x, y) in a.iter().zip(b.iter()) {
            for pair in [[!*x, *y], [*x, !*y]] {
                self.gates.add_clause(&[&clause, &pair[..]].concat());
            }
        }
        Ok(())
    }

    /// The sides of a negated equality of bit-vectors that is not translated yet: demanding the equality
    /// under conditions needs two clauses per bit and no gates.
    fn new_difference(&self, terms: &Terms, term: Term) -> Option<(Term, Term)> {
        let Node::Not(inner) = terms.node(term) else { return None };
        let Node::Eq(a, b) = terms.node(inner) else { return None };
        let is_new = terms.sort(a).width().is_some() && !self.images.contains_key(&inner);
        is_new.then_some((a, b))
    }

    /// The literal of a Boolean term.
    pub fn literal(&mut self, terms: &Terms, term: Term, watch: &Watch) -> Result<Lit, Failure> {
        self.translate(terms, term, watch)?;
        match self.images.get(&term) {
            Some(Image::Bool(literal)) => Ok(*literal),
            Some(Image::Bits(_) | Image::Array) | None => {
                Err(Failure::Internal(format!("{term} is used as a Boolean")))
            }
        }
    }

    /// The literals of a bit-vector term, the lowest bit first.
    pub fn bits(&mut self, terms: &Terms, term: Term, watch: &Watch) -> Result<Rc<[Lit]>, Failure> {
        self.translate(terms, term, watch)?;
        match self.images.get(&term) {
            Some(Image::Bits(bits)) => Ok(Rc::clone(bits)),
            Some(Image::Bool(_) | Image::Array) | None => {
                Err(Failure::Internal(format!("{term} is used as a bit-vector")))
            }
        }
    }

    /// The literal of a Boolean term that has been translated.
    pub fn known_literal(&self, term: Term) -> Option<Lit> {
        match self.images.get(&term)? {
            Image::Bool(literal) => Some(*literal),
            Image::Bits(_) | Image::Array => None,
        }
    }

    /// The literals of a bit-vector term that has been translated.
    pub fn known_bits(&self, term: Term) -> Option<&[Lit]> {
        match self.images.get(&term)? {
            Image::Bits(bits) => Some(bits),
            Image::Bool(_) | Image::Array => None,
        }
    }

    fn translate(&mut self, terms: &Terms, root: Term, watch: &Watch) -> Result<(), Failure> {
        if self.images.contains_key(&root) {
            return Ok(());
        }
        let fresh = self.fresh_terms(terms, root);
        for term in &fresh.order {
            let absorbed = *term != root && fresh.shared.get(term) == Some(&false);
            if absorbed {
                continue;
            }
            let stop = if is_large(terms.node(*term)) { watch.poll_all() } else { watch.poll() };
            if let Some(stop) = stop {
                return Err(Failure::Stopped(stop));
            }
            let image = self.image(terms, *term, &fresh)?;
            self.images.insert(*term, image);
        }
        Ok(())
    }

    /// The terms below a root that have no image yet.
    fn fresh_terms(&self, terms: &Terms, root: Term) -> Fresh {
        let mut fresh = Fresh::default();
        let mut seen: HashSet<Term> = HashSet::default();
        let mut pending = vec![root];
        seen.insert(root);
        while let Some(term) = pending.pop() {
            fresh.order.push(term);
            let in_conjunction = matches!(terms.node(term), Node::And(..));
            for child in terms.node(term).children() {
                if self.images.contains_key(&child) {
                    continue;
                }
                if let Node::And(..) = terms.node(child) {
                    // A second visit is a second use.
                    let alone = in_conjunction && !fresh.shared.contains_key(&child);
                    fresh.shared.insert(child, !alone);
                }
                if seen.insert(child) {
                    pending.push(child);
                }
            }
        }
        fresh.order.sort_unstable();
        fresh
    }

    /// What a conjunction is of, absorbed ones taken apart.
    fn conjuncts(&self, terms: &Terms, conjunction: Term, fresh: &Fresh) -> Vec<Term> {
        let mut found = Vec::new();
        let mut pending = vec![conjunction];
        while let Some(term) = pending.pop() {
            let open = term == conjunction || fresh.shared.get(&term) == Some(&false);
            if let (true, Node::And(a, b)) = (open, terms.node(term)) {
                pending.extend([b, a]);
            } else {
                found.push(term);
            }
        }
        found
    }

    /// The image of an argument. Arguments are translated before what they are arguments of.
    pub(crate) fn arg_bool(&self, term: Term) -> Lit {
        self.known_literal(term).expect("Boolean arguments are translated first")
    }

    pub(crate) fn arg_bits(&self, term: Term) -> Rc<[Lit]> {
        match self.images.get(&term) {
            Some(Image::Bits(bits)) => Rc::clone(bits),
            Some(Image::Bool(_) | Image::Array) | None => {
                unreachable!("bit-vector arguments are translated first")
            }
        }
    }

    fn image(&mut self, terms: &Terms, term: Term, fresh: &Fresh) -> Result<Image, Failure> {
        let sort = terms.sort(term);
        let image = match terms.node(term) {
            Node::Bool(value) => Image::Bool(self.gates.constant(value)),
            Node::Bits(value) => vector(self.gates.number(value, width_of(sort))),
            Node::Symbol(_) => self.symbol(terms, term)?,
            Node::Not(a) => Image::Bool(!self.arg_bool(a)),
            Node::And(..) => Image::Bool(self.conjunction(terms, term, fresh)),
            Node::Eq(a, b) => Image::Bool(self.equality(terms, a, b)?),
            Node::Ite(condition, yes, no) => self.choice(sort, condition, yes, no)?,
            Node::Binary(op, a, b) => vector(self.binary(op, a, b)),
            Node::BvNot(a) => vector(self.arg_bits(a).iter().map(|bit| !*bit).collect()),
            Node::Concat(high, low) => vector([&*self.arg_bits(low), &*self.arg_bits(high)].concat()),
            Node::Extract { hi, lo, of } => {
                vector(self.arg_bits(of)[usize::from(lo)..=usize::from(hi)].to_vec())
            }
            Node::ZeroExtend(a) => vector(self.extended(a, self.gates.constant(false), width_of(sort))),
            Node::SignExtend(a) => {
                let sign = *self.arg_bits(a).last().expect("vectors have at least one bit");
                vector(self.extended(a, sign, width_of(sort)))
            }
            Node::Ult(a, b) => {
                let (a, b) = (self.arg_bits(a), self.arg_bits(b));
                Image::Bool(self.gates.less(&a, &b))
            }
            Node::Slt(a, b) => {
                let (a, b) = (self.arg_bits(a), self.arg_bits(b));
                Image::Bool(self.gates.signed_less(&a, &b))
            }
            Node::Select(array, index) => {
                let index = self.arg_bits(index);
                Image::Bits(self.read(terms, array, &index))
            }
            Node::Store(_, index, _) => {
                let index = self.arg_bits(index);
                self.arrays.note_index(sort, &index);
                Image::Array
            }
            Node::ConstArray(_) => Image::Array,
            Node::Int(_) | Node::IntAdd(..) | Node::IntMul(..) | Node::IntLt(..) => return Err(no_integers()),
        };
        Ok(image)
    }

    fn symbol(&mut self, terms: &Terms, term: Term) -> Result<Image, Failure> {
        Ok(match terms.sort(term) {
            Sort::Bool => Image::Bool(self.gates.new_input()),
            Sort::BitVec(width) => vector(self.gates.new_inputs(width.get() as usize)),
            Sort::Array { .. } => {
                self.arrays.add_symbol(term);
                Image::Array
            }
            Sort::Int => return Err(no_integers()),
        })
    }

    fn conjunction(&mut self, terms: &Terms, term: Term, fresh: &Fresh) -> Lit {
        let conjuncts = self.conjuncts(terms, term, fresh);
        let literals: Vec<Lit> = conjuncts.into_iter().map(|conjunct| self.arg_bool(conjunct)).collect();
        self.gates.and_all(&literals)
    }

    fn equality(&mut self, terms: &Terms, a: Term, b: Term) -> Result<Lit, Failure> {
        Ok(match terms.sort(a) {
            Sort::Bool => {
                let (a, b) = (self.arg_bool(a), self.arg_bool(b));
                self.gates.iff(a, b)
            }
            Sort::BitVec(_) => {
                let (a, b) = (self.arg_bits(a), self.arg_bits(b));
                self.gates.equal(&a, &b)
            }
            Sort::Array { .. } => self.equal_arrays(terms, a, b),
            Sort::Int => return Err(no_integers()),
        })
    }

    fn choice(&mut self, sort: Sort, condition: Term, yes: Term, no: Term) -> Result<Image, Failure> {
        let condition = self.arg_bool(condition);
        Ok(match sort {
            Sort::Bool => {
                let (yes, no) = (self.arg_bool(yes), self.arg_bool(no));
                Image::Bool(self.gates.mux(condition, yes, no))
            }
            Sort::BitVec(_) => {
                let (yes, no) = (self.arg_bits(yes), self.arg_bits(no));
                vector(self.gates.mux_bits(condition, &yes, &no))
            }
            Sort::Array { .. } => Image::Array,
            Sort::Int => return Err(no_integers()),
        })
    }

    fn binary(&mut self, op: BvOp, a: Term, b: Term) -> Bits {
        let (a, b) = (self.arg_bits(a), self.arg_bits(b));
        let gates = &mut self.gates;
        match op {
            BvOp::Add => gates.add(&a, &b),
            BvOp::Sub => gates.sub(&a, &b),
            BvOp::Mul => gates.multiply(&a, &b),
            BvOp::Udiv => self.dividers.divide(gates, &a, &b).0,
            BvOp::Urem => self.dividers.divide(gates, &a, &b).1,
            BvOp::Sdiv => self.dividers.divide_signed(gates, &a, &b).0,
            BvOp::Srem => self.dividers.divide_signed(gates, &a, &b).1,
            BvOp::And => gates.and_bits(&a, &b),
            BvOp::Or => gates.or_bits(&a, &b),
            BvOp::Xor => gates.xor_bits(&a, &b),
            BvOp::Shl => gates.shift(Shift::Left, &a, &b),
            BvOp::Lshr => gates.shift(Shift::LogicalRight, &a, &b),
            BvOp::Ashr => gates.shift(Shift::ArithmeticRight, &a, &b),
        }
    }

    fn extended(&self, a: Term, fill: Lit, width: usize) -> Bits {
        let mut bits = self.arg_bits(a).to_vec();
        bits.resize(width, fill);
        bits
    }
}

fn vector(bits: Bits) -> Image {
    Image::Bits(bits.into())
}

/// Whether an operation may take thousands of gates by itself.
fn is_large(node: Node) -> bool {
    use BvOp::{Mul, Sdiv, Srem, Udiv, Urem};
    matches!(node, Node::Binary(Mul | Udiv | Urem | Sdiv | Srem, ..) | Node::Select(..))
}

/// The width of a sort that is known to be a bit-vector.
pub(crate) fn width_of(sort: Sort) -> usize {
    sort.width().expect("the term is a bit-vector") as usize
}

fn no_integers() -> Failure {
    Failure::Unsupported("mathematical integers; use an SMT solver (--solver z3)".to_string())
}
