//! Implications between guards, the conditions under which nodes and accesses are executed.
//!
//! [`implies`] looks at the structure of the terms alone and is cheap. [`Prover`] asks a SAT solver about the
//! propositional abstraction of the terms, translated as Tseitin did (1968), with a budget of conflicts. Both are
//! incomplete: if the answer is false, the implication may hold all the same. The fault `either-way-will-do` makes
//! [`contains`] accept one side of an alternative; the test `values_one_way_only.c` notices.

use braid_base::HashMap;
use braid_base::faults::active;
use braid_base::ticks;
use braid_logic::{Node, Term, Terms};
use braid_solver::{Answer, Clauses, Limits, Lit, Sat};

/// The conflicts that one question to the SAT solver may take.
const EFFORT: u64 = 1000;
/// The largest number of parts of a guard that are considered.
const PARTS: usize = 256;

/// Returns true if `a` implies `b` by their structure.
pub fn implies(terms: &mut Terms, a: Term, b: Term) -> bool {
    terms.is_true(b) || contains(terms, a, b, &mut |_| false) || terms.and(a, b) == a
}

/// Returns true if `whole` contains `part` as a conjunct; in a disjunction, every side that can be true must contain
/// it. `is_true` tells Bools that are known to be true.
pub fn contains(terms: &Terms, whole: Term, part: Term, is_true: &mut dyn FnMut(Term) -> bool) -> bool {
    let goal = literal(terms, (part, true));
    let mut budget = PARTS;
    leads_to(terms, (whole, true), goal, is_true, &mut budget)
}

/// A Bool and its sign: false if the literal is its negation.
type Literal = (Term, bool);

fn leads_to(
    terms: &Terms,
    from: Literal,
    goal: Literal,
    is_true: &mut dyn FnMut(Term) -> bool,
    budget: &mut usize,
) -> bool {
    ticks::add(1);
    let (term, sign) = literal(terms, from);
    // Terms are numbered in the order of their construction, so a subterm has a smaller number than a term that
    // contains it.
    if (term, sign) == goal || *budget == 0 || term < goal.0 {
        return (term, sign) == goal;
    }
    *budget -= 1;
    let Node::And(x, y) = terms.node(term) else { return false };
    if sign {
        return leads_to(terms, (y, true), goal, is_true, budget)
            || leads_to(terms, (x, true), goal, is_true, budget);
    }
    // One of the two conjuncts is false; each that may be false must lead to the goal.
    let (x_holds, y_holds) = (is_true(x), is_true(y));
    let mut by = |side: Term| leads_to(terms, (side, false), goal, is_true, budget);
    match (x_holds, y_holds) {
        (true, true) => false,
        (true, false) => by(y),
        (false, true) => by(x),
        (false, false) if active("either-way-will-do") => by(x) || by(y),
        (false, false) => by(x) && by(y),
    }
}

/// Removes the negations around a literal's term.
fn literal(terms: &Terms, (mut term, mut sign): Literal) -> Literal {
    while let Node::Not(inner) = terms.node(term) {
        (term, sign) = (inner, !sign);
    }
    (term, sign)
}

/// Proves implications between guards in their propositional abstraction.
#[derive(Default)]
pub struct Prover {
    sat: Option<Sat>,
    literals: HashMap<Term, Lit>,
}

impl Prover {
    /// Returns true if `a` is proved to imply `b`.
    pub fn implies(&mut self, terms: &mut Terms, a: Term, b: Term) -> bool {
        if implies(terms, a, b) {
            return true;
        }
        let mut sat = self.sat.take().unwrap_or_default();
        let (a, b) = (self.literal(terms, &mut sat, a), self.literal(terms, &mut sat, b));
        let limits = Limits { conflicts: Some(EFFORT), ..Limits::default() };
        let answer = sat.solve(&[a, !b], &limits);
        self.sat = Some(sat);
        matches!(answer, Ok(Answer::Unsat))
    }

    /// A literal for a guard; every term that is neither a conjunction nor a negation is a free variable.
    fn literal(&mut self, terms: &Terms, sat: &mut Sat, root: Term) -> Lit {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            let known = |term: &Term| self.literals.get(term).copied();
            let new = match terms.node(term) {
                _ if known(&term).is_some() => known(&term),
                Node::Not(inner) => match known(&inner) {
                    Some(literal) => Some(!literal),
                    None => {
                        stack.push(inner);
                        None
                    }
                },
                Node::And(x, y) => match (known(&x), known(&y)) {
                    (Some(x), Some(y)) => {
                        let both = sat.new_var().positive();
                        sat.add_clause(&[!both, x]);
                        sat.add_clause(&[!both, y]);
                        sat.add_clause(&[both, !x, !y]);
                        Some(both)
                    }
                    _ => {
                        stack.extend([x, y]);
                        None
                    }
                },
                Node::Bool(value) => {
                    let constant = sat.new_var().positive();
                    sat.add_clause(&[if value { constant } else { !constant }]);
                    Some(constant)
                }
                _ => Some(sat.new_var().positive()),
            };
            if let Some(new) = new {
                self.literals.insert(term, new);
                stack.pop();
            }
        }
        self.literals[&root]
    }
}
