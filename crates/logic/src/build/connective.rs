//! Boolean connectives and `ite`.
//!
//! Conjunction is binary and looks a few conjuncts deep into its arguments, so a path condition that
//! grows by one conjunct at a time costs constant work and shares its prefix. [`Terms::and_all`] builds
//! a balanced tree.

use crate::node::Node;
use crate::sort::Sort;
use crate::store::{Term, Terms};

/// How many nodes of a conjunction are looked at.
const LOOK: usize = 8;

impl Terms {
    pub fn not(&mut self, a: Term) -> Term {
        match self.node(a) {
            Node::Bool(value) => self.bool(!value),
            Node::Not(inner) => inner,
            _ => {
                assert_eq!(self.sort(a), Sort::Bool, "negation works on Booleans");
                self.intern(Node::Not(a), Sort::Bool)
            }
        }
    }

    pub fn and(&mut self, a: Term, b: Term) -> Term {
        assert_eq!((self.sort(a), self.sort(b)), (Sort::Bool, Sort::Bool), "conjunction works on Booleans");
        let (a, b) = self.ordered(a, b);
        if a == b || self.is_true(b) {
            return a;
        }
        if let Some(constant) = self.as_bool(a) {
            return if constant { b } else { a };
        }
        if self.is_false(b) {
            return b;
        }
        if self.are_complements(a, b) {
            return self.bool(false);
        }
        if let Some(simpler) = self.absorb(a, b) {
            return simpler;
        }
        if let Some(simpler) = self.absorb(b, a) {
            return simpler;
        }
        self.intern(Node::And(a, b), Sort::Bool)
    }

    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        assert_eq!(self.sort(a), Sort::Bool, "exclusive or works on Booleans");
        self.ne(a, b)
    }

    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// The conjunction of all, as a balanced tree; true if there are none.
    pub fn and_all(&mut self, conjuncts: impl IntoIterator<Item = Term>) -> Term {
        let mut row: Vec<Term> = conjuncts.into_iter().collect();
        row.sort_unstable();
        row.dedup();
        while row.len() > 1 {
            row = row
                .chunks(2)
                .map(|pair| if let [a, b] = pair { self.and(*a, *b) } else { pair[0] })
                .collect();
        }
        row.pop().unwrap_or_else(|| self.bool(true))
    }

    /// The disjunction of all, as a balanced tree; false if there are none.
    pub fn or_all(&mut self, disjuncts: impl IntoIterator<Item = Term>) -> Term {
        let negated: Vec<Term> = disjuncts.into_iter().map(|d| self.not(d)).collect();
        let none = self.and_all(negated);
        self.not(none)
    }

    pub(crate) fn are_complements(&self, a: Term, b: Term) -> bool {
        self.node(a) == Node::Not(b) || self.node(b) == Node::Not(a)
    }

    /// A simpler form of `whole & part`, if what `whole` says about `part` is found in a few steps.
    fn absorb(&mut self, whole: Term, part: Term) -> Option<Term> {
        match self.node(whole) {
            Node::And(..) if self.has_conjunct(whole, part) => Some(whole),
            Node::And(..) if self.has_complement(whole, part) => Some(self.bool(false)),
            Node::Not(inner) => match self.node(inner) {
                Node::And(x, y) => self.absorb_clause(x, y, part),
                Node::Eq(x, k) => self.absorb_disequality(x, k, part),
                _ => None,
            },
            Node::Eq(x, k) => self.absorb_equality(x, k, part),
            _ => None,
        }
    }

    /// `not (x & y) & part`.
    fn absorb_clause(&mut self, x: Term, y: Term, part: Term) -> Option<Term> {
        if self.has_complement(part, x) || self.has_complement(part, y) {
            return Some(part);
        }
        let rest = if self.has_conjunct(part, x) {
            y
        } else if self.has_conjunct(part, y) {
            x
        } else {
            return None;
        };
        let not_rest = self.not(rest);
        Some(self.and(part, not_rest))
    }

    /// `x == k & part` where `part` compares `x` with another constant.
    fn absorb_equality(&mut self, x: Term, k: Term, part: Term) -> Option<Term> {
        let contradicts = matches!(self.node(part), Node::Eq(y, j) if x == y && self.differ(k, j));
        contradicts.then(|| self.bool(false))
    }

    /// `x != k & part` where `part` fixes `x` to another constant.
    fn absorb_disequality(&mut self, x: Term, k: Term, part: Term) -> Option<Term> {
        let implied = matches!(self.node(part), Node::Eq(y, j) if x == y && self.differ(k, j));
        implied.then_some(part)
    }

    /// Whether both are constants, and different ones.
    fn differ(&self, a: Term, b: Term) -> bool {
        a != b && self.is_constant(a) && self.is_constant(b)
    }

    fn has_conjunct(&self, tree: Term, wanted: Term) -> bool {
        self.some_conjunct(tree, |t| t == wanted)
    }

    fn has_complement(&self, tree: Term, wanted: Term) -> bool {
        self.some_conjunct(tree, |t| self.are_complements(t, wanted))
    }

    /// Whether one of the first few nodes of a conjunction is as asked.
    fn some_conjunct(&self, tree: Term, found: impl Fn(Term) -> bool) -> bool {
        let mut queue = [tree; LOOK + 2];
        let (mut next, mut end) = (0, 1);
        while next < end {
            let term = queue[next];
            next += 1;
            if found(term) {
                return true;
            }
            if let Node::And(a, b) = self.node(term)
                && end + 2 <= queue.len()
            {
                (queue[end], queue[end + 1]) = (a, b);
                end += 2;
            }
        }
        false
    }

    /// `condition ? yes : no`, of any sort.
    pub fn ite(&mut self, condition: Term, yes: Term, no: Term) -> Term {
        assert_eq!(self.sort(condition), Sort::Bool, "conditions are Boolean");
        assert_eq!(self.sort(yes), self.sort(no), "both branches have one sort");
        match self.node(condition) {
            Node::Bool(true) => return yes,
            Node::Bool(false) => return no,
            Node::Not(opposite) => return self.ite(opposite, no, yes),
            _ => {}
        }
        let (yes, no) = self.prune_branches(condition, yes, no);
        if yes == no {
            return yes;
        }
        if self.sort(yes) == Sort::Bool
            && let Some(simpler) = self.ite_of_booleans(condition, yes, no)
        {
            return simpler;
        }
        if let Some(simpler) = self.ite_of_equation(condition, yes, no) {
            return simpler;
        }
        if let Some(simpler) = self.merge_nested(condition, yes, no) {
            return simpler;
        }
        self.intern(Node::Ite(condition, yes, no), self.sort(yes))
    }

    /// A branch that asks the same condition again knows the answer.
    fn prune_branches(&self, condition: Term, yes: Term, no: Term) -> (Term, Term) {
        let yes = match self.node(yes) {
            Node::Ite(c, x, _) if c == condition => x,
            _ => yes,
        };
        let no = match self.node(no) {
            Node::Ite(c, _, y) if c == condition => y,
            _ => no,
        };
        (yes, no)
    }

    fn ite_of_booleans(&mut self, condition: Term, yes: Term, no: Term) -> Option<Term> {
        let opposite = self.not(condition);
        if self.is_true(yes) || yes == condition {
            return Some(self.or(condition, no));
        }
        if self.is_false(yes) || yes == opposite {
            return Some(self.and(opposite, no));
        }
        if self.is_true(no) || no == opposite {
            return Some(self.or(opposite, yes));
        }
        if self.is_false(no) || no == condition {
            return Some(self.and(condition, yes));
        }
        self.are_complements(yes, no).then(|| self.eq(condition, yes))
    }

    /// `x == y ? x : y` is `y`, and `x == 1 ? 1 : 0` is `x` for one bit.
    fn ite_of_equation(&mut self, condition: Term, yes: Term, no: Term) -> Option<Term> {
        let Node::Eq(x, one) = self.node(condition) else { return None };
        if (yes, no) == (x, one) || (yes, no) == (one, x) {
            return Some(no);
        }
        if self.sort(x) != Sort::bits(1) || self.sort(yes) != Sort::bits(1) || self.as_bits(one) != Some(1) {
            return None;
        }
        match (self.as_bits(yes)?, self.as_bits(no)?) {
            (1, _) => Some(x),
            _ => Some(self.bv_not(x)),
        }
    }

    /// Two nested `ite`s with a common branch are one with a compound condition.
    fn merge_nested(&mut self, condition: Term, yes: Term, no: Term) -> Option<Term> {
        if let Node::Ite(inner, x, y) = self.node(yes) {
            if y == no {
                let both = self.and(condition, inner);
                return Some(self.ite(both, x, no));
            }
            if x == no {
                let not_inner = self.not(inner);
                let both = self.and(condition, not_inner);
                return Some(self.ite(both, y, no));
            }
        }
        if let Node::Ite(inner, x, y) = self.node(no) {
            if x == yes {
                let either = self.or(condition, inner);
                return Some(self.ite(either, yes, y));
            }
            if y == yes {
                let not_inner = self.not(inner);
                let either = self.or(condition, not_inner);
                return Some(self.ite(either, yes, x));
            }
        }
        None
    }
}
