//! A function of a pointer, pushed below the choices the pointer is made of.
//!
//! A pointer that differs by path is a tree of `ite`s, often with an offset added on top. What one wants to
//! know of it is mostly constant at the leaves, so asking there gives small terms. Shared parts are visited
//! once; nothing recurses on the Rust stack.

use braid_base::{HashMap, HashSet};
use braid_logic::{BvOp, Node, Term, Terms};

/// A subterm and what is added to it on the way there.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Spot {
    term: Term,
    shift: Option<Term>,
}

enum Kind {
    /// The same pointer, spelled with a larger shift.
    Through(Spot),
    Choice(Term, Spot, Spot),
    Leaf,
}

/// `leaf` of the pointer if it is no choice; else `join(condition, yes, no)` of its branches.
pub fn fold<T: Copy>(
    terms: &mut Terms,
    pointer: Term,
    mut leaf: impl FnMut(&mut Terms, Term) -> T,
    mut join: impl FnMut(&mut Terms, Term, T, T) -> T,
) -> T {
    let root = Spot { term: pointer, shift: None };
    let mut memo: HashMap<Spot, T> = HashMap::default();
    let mut stack = vec![root];
    while let Some(&spot) = stack.last() {
        let result = match kind(terms, spot) {
            Kind::Leaf => {
                let term = shifted(terms, spot);
                leaf(terms, term)
            }
            Kind::Through(inner) => match memo.get(&inner) {
                Some(known) => *known,
                None => {
                    stack.push(inner);
                    continue;
                }
            },
            Kind::Choice(condition, yes, no) => match (memo.get(&yes), memo.get(&no)) {
                (Some(&yes), Some(&no)) => join(terms, condition, yes, no),
                (one, _) => {
                    let missing = if one.is_none() { yes } else { no };
                    stack.push(missing);
                    continue;
                }
            },
        };
        memo.insert(spot, result);
        stack.pop();
    }
    memo[&root]
}

/// So many choices are looked into one by one.
const FEW: usize = 100;

/// Whether the pointer is made of few choices, so that folding is cheap.
pub fn are_few(terms: &Terms, pointer: Term) -> bool {
    let mut seen: HashSet<Term> = HashSet::default();
    let mut stack = vec![pointer];
    while let Some(term) = stack.pop() {
        let branches = match terms.node(term) {
            Node::Ite(_, yes, no) => [yes, no],
            Node::Binary(BvOp::Add, a, b) => [a, b],
            _ => continue,
        };
        if seen.insert(term) {
            stack.extend(branches);
        }
        if seen.len() > FEW {
            return false;
        }
    }
    true
}

fn kind(terms: &mut Terms, spot: Spot) -> Kind {
    match terms.node(spot.term) {
        Node::Ite(condition, yes, no) => {
            let at = |term| Spot { term, shift: spot.shift };
            Kind::Choice(condition, at(yes), at(no))
        }
        Node::Binary(BvOp::Add, a, b) => {
            let (choice, rest) = match (is_choice(terms, a), is_choice(terms, b)) {
                (true, false) => (a, b),
                (false, true) => (b, a),
                (true, true) | (false, false) => return Kind::Leaf,
            };
            let shift = match spot.shift {
                None => rest,
                Some(more) => terms.bv_add(rest, more),
            };
            Kind::Through(Spot { term: choice, shift: Some(shift) })
        }
        _ => Kind::Leaf,
    }
}

fn is_choice(terms: &Terms, term: Term) -> bool {
    matches!(terms.node(term), Node::Ite(..))
}

fn shifted(terms: &mut Terms, spot: Spot) -> Term {
    match spot.shift {
        None => spot.term,
        Some(shift) => terms.bv_add(spot.term, shift),
    }
}
