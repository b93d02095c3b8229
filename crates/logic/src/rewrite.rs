//! Walks over terms: substitution, free symbols, size.

use crate::node::Node;
use crate::store::{SymbolId, Term, Terms};
use braid_base::{HashMap, HashSet};

impl Terms {
    /// The term with the same top over other arguments, in order, simplified anew.
    pub fn rebuild(&mut self, term: Term, args: &[Term]) -> Term {
        match (self.node(term), args) {
            (Node::Bool(_) | Node::Bits(_) | Node::Int(_) | Node::Symbol(_), []) => term,
            (Node::Not(_), &[a]) => self.not(a),
            (Node::And(..), &[a, b]) => self.and(a, b),
            (Node::Eq(..), &[a, b]) => self.eq(a, b),
            (Node::Ite(..), &[a, b, c]) => self.ite(a, b, c),
            (Node::Binary(op, ..), &[a, b]) => self.bv(op, a, b),
            (Node::BvNot(_), &[a]) => self.bv_not(a),
            (Node::Concat(..), &[a, b]) => self.concat(a, b),
            (Node::Extract { hi, lo, .. }, &[a]) => self.extract(a, hi.into(), lo.into()),
            (Node::ZeroExtend(_), &[a]) => self.zero_extend(a, self.width(term)),
            (Node::SignExtend(_), &[a]) => self.sign_extend(a, self.width(term)),
            (Node::Ult(..), &[a, b]) => self.ult(a, b),
            (Node::Slt(..), &[a, b]) => self.slt(a, b),
            (Node::Select(..), &[a, b]) => self.select(a, b),
            (Node::Store(..), &[a, b, c]) => self.store(a, b, c),
            (Node::ConstArray(_), &[e]) => {
                let crate::Sort::Array { index, .. } = self.sort(term) else {
                    unreachable!("constant arrays are arrays")
                };
                self.const_array(index.get(), e)
            }
            (Node::IntAdd(..), &[a, b]) => self.int_add(a, b),
            (Node::IntMul(..), &[a, b]) => self.int_mul(a, b),
            (Node::IntLt(..), &[a, b]) => self.int_lt(a, b),
            (node, args) => unreachable!("{node:?} does not have {} arguments", args.len()),
        }
    }

    /// The symbols in a term, in the order they were made.
    pub fn free_symbols(&self, roots: &[Term]) -> Vec<SymbolId> {
        let mut found: Vec<SymbolId> = self
            .post_order(roots)
            .into_iter()
            .filter_map(|t| if let Node::Symbol(id) = self.node(t) { Some(id) } else { None })
            .collect();
        found.sort_unstable();
        found
    }

    /// The parts of a conjunction, none of them a conjunction, each once, in the order they were made.
    pub fn conjuncts(&self, term: Term) -> Vec<Term> {
        let mut seen: HashSet<Term> = HashSet::default();
        let mut pending = vec![term];
        let mut found = Vec::new();
        while let Some(term) = pending.pop() {
            match self.node(term) {
                _ if !seen.insert(term) => {}
                Node::And(a, b) => pending.extend([a, b]),
                _ => found.push(term),
            }
        }
        found.sort_unstable();
        found
    }

    /// How many different terms occur in these, themselves included.
    pub fn dag_size(&self, roots: &[Term]) -> usize {
        self.post_order(roots).len()
    }

    /// Every term that occurs in these, once, arguments before what they are arguments of.
    pub fn post_order(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen: HashSet<Term> = HashSet::default();
        let mut pending: Vec<Term> = roots.to_vec();
        let mut found = Vec::new();
        while let Some(term) = pending.pop() {
            if seen.insert(term) {
                found.push(term);
                pending.extend(self.node(term).children());
            }
        }
        // Arguments are made before what they are arguments of.
        found.sort_unstable();
        found
    }
}

/// A substitution of terms for symbols, applied at once everywhere; remembers what it has rewritten, so
/// many terms with common parts cost no more than their union.
#[derive(Clone, Default, Debug)]
pub struct Substitution {
    memo: HashMap<Term, Term>,
}

impl Substitution {
    /// `pairs` of a symbol and what replaces it, of the same sort. What replaces a symbol is not
    /// rewritten itself.
    pub fn new(terms: &Terms, pairs: impl IntoIterator<Item = (Term, Term)>) -> Self {
        let mut memo = HashMap::default();
        for (symbol, replacement) in pairs {
            assert!(matches!(terms.node(symbol), Node::Symbol(_)), "only symbols are substituted");
            assert_eq!(terms.sort(symbol), terms.sort(replacement), "substitution keeps sorts");
            memo.insert(symbol, replacement);
        }
        Substitution { memo }
    }

    pub fn apply(&mut self, terms: &mut Terms, root: Term) -> Term {
        rebuild_bottom_up(terms, root, &mut self.memo, |terms, term, args| {
            let unchanged = terms.node(term).children().eq(args.iter().copied());
            if unchanged { term } else { terms.rebuild(term, args) }
        })
    }
}

/// Rewrites all parts of `root`, arguments first; `memo` holds what is already known and all that is found.
pub(crate) fn rebuild_bottom_up(
    terms: &mut Terms,
    root: Term,
    memo: &mut HashMap<Term, Term>,
    mut rewrite: impl FnMut(&mut Terms, Term, &[Term]) -> Term,
) -> Term {
    let mut stack = vec![root];
    let mut args = Vec::new();
    while let Some(&term) = stack.last() {
        if memo.contains_key(&term) {
            stack.pop();
            continue;
        }
        let before = stack.len();
        stack.extend(terms.node(term).children().filter(|t| !memo.contains_key(t)));
        if stack.len() == before {
            args.clear();
            args.extend(terms.node(term).children().map(|t| memo[&t]));
            let new = rewrite(terms, term, &args);
            memo.insert(term, new);
            stack.pop();
        }
    }
    memo[&root]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::Narrower;
    use crate::ranges::Ranges;
    use crate::{Assignment, Sort, evaluate, smtlib};

    #[test]
    fn parts_of_a_term() {
        let mut terms = Terms::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| terms.symbol(name, Sort::Bool));
        let or = terms.or(a, c);
        let all = terms.and_all([c, or, b, b]);
        assert_eq!(terms.conjuncts(all), [b, c]);
        let not_b = terms.not(b);
        let either = terms.or(a, not_b);
        let all = terms.and_all([c, either]);
        assert_eq!(terms.conjuncts(all), [c, either]);
        assert_eq!(terms.free_symbols(&[either]).len(), 2);
        assert_eq!(terms.dag_size(&[either]), 5);
    }

    /// Chains as deep as unwound loops make them; a recursive walk would overflow the stack.
    #[test]
    fn deep_terms() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", Sort::bits(32)), terms.symbol("y", Sort::bits(32)));
        let zero = terms.bits(32, 0);
        let one = terms.bits(32, 1);
        let mut deep = x;
        for step in 0..30_000 {
            let reset = terms.symbol(&format!("c{}", step % 50), Sort::Bool);
            let xored = terms.bv_xor(deep, y);
            let next = terms.bv_add(xored, one);
            deep = terms.ite(reset, zero, next);
        }
        let seven = terms.bits(32, 7);
        let reached = terms.eq(deep, seven);
        assert!(evaluate(&terms, reached, &Assignment::new()).is_ok());
        assert!(terms.dag_size(&[reached]) > 30_000);
        let replaced = Substitution::new(&terms, [(x, y)]).apply(&mut terms, reached);
        assert_ne!(replaced, reached);
        let narrow = Narrower::new(Ranges::new()).narrow(&mut terms, reached);
        assert!(terms.dag_size(&[narrow]) > 30_000);
        assert!(smtlib::script(&terms, &[reached]).lines().count() > 1000);
    }
}
