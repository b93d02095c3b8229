//! What terms can be while ranges still grow.
//!
//! A symbol without a value is of a read that nothing leads to so far. A term *waits* if it depends on one: it is not asked
//! yet what it can be. To wait is never wrong: in the end every symbol has a value, and everything is asked once more.

use crate::guards::contains;
use braid_base::{HashMap, HashSet};
use braid_logic::ranges::{Fact, Possible, Ranges};
use braid_logic::{Node, Term, Terms};

/// What terms can be in one round.
pub struct Optimistic {
    pub ranges: Ranges,
    /// Symbols that have no value yet; and which terms are made of them.
    empty: HashSet<Term>,
    undetermined: HashMap<Term, bool>,
}

impl Optimistic {
    /// With what is known of symbols.
    pub fn new(terms: &Terms, known: &[(Term, Option<Possible>)]) -> Optimistic {
        let (mut ranges, mut empty) = (Ranges::following_few(), HashSet::default());
        for (symbol, known) in known {
            match known {
                Some(known) => ranges.assume_possible(terms, *symbol, known),
                None => _ = empty.insert(*symbol),
            }
        }
        Optimistic { ranges, empty, undetermined: HashMap::default() }
    }

    /// A symbol has its first value. What was asked before stays as it was until the next round.
    pub fn learn(&mut self, terms: &Terms, symbol: Term, known: &Possible) {
        if self.empty.remove(&symbol) {
            self.undetermined.remove(&symbol);
            self.ranges.assume_possible(terms, symbol, known);
        }
    }

    /// The values of a term, unless it is made of something that has none yet.
    pub fn possible(&mut self, terms: &Terms, term: Term) -> Option<Possible> {
        (self.empty.is_empty() || !self.is_undetermined(terms, term))
            .then(|| self.ranges.possible(terms, term))
    }

    /// Whether a guard may hold, as far as it is made of what has values.
    pub fn may_hold(&mut self, terms: &Terms, guard: Term) -> bool {
        let undetermined = !self.empty.is_empty() && self.is_undetermined(terms, guard);
        !undetermined && self.ranges.fact(terms, guard) != Fact::Bool(Some(false))
    }

    /// Whether a guard is false whatever else gets values.
    pub fn never_holds(&mut self, terms: &Terms, guard: Term) -> bool {
        !self.is_undetermined(terms, guard) && self.ranges.fact(terms, guard) == Fact::Bool(Some(false))
    }

    /// Whether a guard implies another. Of what has no values yet, everything is true.
    pub fn implies(&mut self, terms: &Terms, whole: Term, part: Term) -> bool {
        let mut stack = vec![part];
        while let Some(part) = stack.pop() {
            if self.is_true(terms, part)
                || contains(terms, whole, part, &mut |term| self.is_true(terms, term))
            {
                continue;
            }
            match terms.node(part) {
                Node::And(x, y) => stack.extend([x, y]),
                _ => return false,
            }
        }
        true
    }

    /// Whether a Bool is true; of what has no values yet, everything is.
    pub fn is_true(&mut self, terms: &Terms, term: Term) -> bool {
        (!self.empty.is_empty() && self.is_undetermined(terms, term))
            || self.ranges.fact(terms, term) == Fact::Bool(Some(true))
    }

    /// Whether a term depends on something that has no value yet.
    fn is_undetermined(&mut self, terms: &Terms, root: Term) -> bool {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.undetermined.contains_key(&term) {
                stack.pop();
                continue;
            }
            let (before, node) = (stack.len(), terms.node(term));
            let parts = self.parts_that_count(terms, node);
            stack.extend(parts.iter().filter(|part| !self.undetermined.contains_key(part)));
            if stack.len() == before {
                let undetermined =
                    self.empty.contains(&term) || self.depends_on_undetermined(terms, node, &parts);
                self.undetermined.insert(term, undetermined);
                stack.pop();
            }
        }
        self.undetermined[&root]
    }

    /// Of a choice, the condition, and once that is known, the side that is taken.
    fn parts_that_count(&mut self, terms: &Terms, node: Node) -> Vec<Term> {
        let Node::Ite(condition, a, b) = node else { return node.children().collect() };
        match self.undetermined.get(&condition) {
            None | Some(true) => vec![condition],
            Some(false) => match self.ranges.fact(terms, condition) {
                Fact::Bool(Some(true)) => vec![a],
                Fact::Bool(Some(false)) => vec![b],
                _ => vec![a, b],
            },
        }
    }

    fn depends_on_undetermined(&mut self, terms: &Terms, node: Node, parts: &[Term]) -> bool {
        let mut is_false = |part: &Term| {
            !self.undetermined[part] && self.ranges.fact(terms, *part) == Fact::Bool(Some(false))
        };
        let settled = matches!(node, Node::And(..)) && parts.iter().any(&mut is_false);
        !settled && parts.iter().any(|part| self.undetermined[part])
    }
}
