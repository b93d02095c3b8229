//! Evaluation of terms during the optimistic iteration, while some reads have no value yet.
//!
//! A symbol without a value belongs to a read that no determined write reaches so far: the element "no value yet" of
//! conditional constant propagation (Wegman, Zadeck, TOPLAS 1991). A term is *undetermined* if it depends on such a
//! symbol; then it is not evaluated yet. Skipping a term is always sound, because every symbol has a value in the
//! end, and everything is evaluated once more then.

use crate::guards::contains;
use braid_base::{HashMap, HashSet};
use braid_logic::ranges::{Fact, Possible, Ranges};
use braid_logic::{Node, Term, Terms};

/// The values of terms in one round.
pub struct Optimistic {
    pub ranges: Ranges,
    /// The symbols without a value; and, as a memo, which terms are undetermined.
    empty: HashSet<Term>,
    undetermined: HashMap<Term, bool>,
}

impl Optimistic {
    /// Starts a round with what is known of symbols.
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

    /// Records the first values of a symbol. The results of terms that were evaluated before remain until the next
    /// round.
    pub fn learn(&mut self, terms: &Terms, symbol: Term, known: &Possible) {
        if self.empty.remove(&symbol) {
            self.undetermined.remove(&symbol);
            self.ranges.assume_possible(terms, symbol, known);
        }
    }

    /// The values of a term, unless it is undetermined.
    pub fn possible(&mut self, terms: &Terms, term: Term) -> Option<Possible> {
        (self.empty.is_empty() || !self.is_undetermined(terms, term))
            .then(|| self.ranges.possible(terms, term))
    }

    /// Returns true if a guard is determined and may hold.
    pub fn may_hold(&mut self, terms: &Terms, guard: Term) -> bool {
        let undetermined = !self.empty.is_empty() && self.is_undetermined(terms, guard);
        !undetermined && self.ranges.fact(terms, guard) != Fact::Bool(Some(false))
    }

    /// Returns true if a guard is false whatever values the remaining symbols get.
    pub fn never_holds(&mut self, terms: &Terms, guard: Term) -> bool {
        !self.is_undetermined(terms, guard) && self.ranges.fact(terms, guard) == Fact::Bool(Some(false))
    }

    /// Returns true if a guard implies another. Undetermined terms count as true.
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

    /// Returns true if a Bool is true. Undetermined terms count as true.
    pub fn is_true(&mut self, terms: &Terms, term: Term) -> bool {
        (!self.empty.is_empty() && self.is_undetermined(terms, term))
            || self.ranges.fact(terms, term) == Fact::Bool(Some(true))
    }

    /// Returns true if a term depends on a symbol without a value.
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

    /// The operands that matter: of an if-then-else the condition, and the side that is taken once the condition is
    /// known.
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

    /// Returns true if an operand is undetermined, unless another one makes a conjunction false.
    fn depends_on_undetermined(&mut self, terms: &Terms, node: Node, parts: &[Term]) -> bool {
        let mut is_false = |part: &Term| {
            !self.undetermined[part] && self.ranges.fact(terms, *part) == Fact::Bool(Some(false))
        };
        let settled = matches!(node, Node::And(..)) && parts.iter().any(&mut is_false);
        !settled && parts.iter().any(|part| self.undetermined[part])
    }
}
