//! One path of a thread, or several that have met.

use crate::{Memory, Objects, Value};
use braid_logic::{Node, Term, Terms};

/// Registers, memory and guard of a path; `P` is what an engine keeps of it besides.
#[derive(Clone, Debug)]
pub struct State<P> {
    /// Bool: the path is taken, and has come here.
    pub guard: Term,
    /// Registers of the frame; `None` was never set.
    pub regs: Vec<Option<Value>>,
    /// Addresses of the frame's objects.
    pub locals: Vec<Option<Term>>,
    /// Stack blocks of the frame, with the condition under which they were made.
    pub blocks: Vec<(Term, Term)>,
    pub memory: Memory,
    pub path: P,
}

impl<P: Clone> State<P> {
    /// The path as far as the condition holds.
    pub fn when(&self, terms: &mut Terms, condition: Term) -> State<P> {
        State { guard: terms.and(self.guard, condition), ..self.clone() }
    }

    /// Both paths as one; what the engine keeps of them must be the same.
    pub fn merge(terms: &mut Terms, objects: &Objects, a: State<P>, b: State<P>) -> State<P> {
        let (guard, cond) = join_guards(terms, a.guard, b.guard);
        let mut blocks = a.blocks;
        blocks.extend(b.blocks.into_iter().filter(|block| !blocks.contains(block)).collect::<Vec<_>>());
        let regs = a.regs.into_iter().zip(b.regs).map(|(a, b)| merge_values(terms, cond, a, b)).collect();
        let locals = a.locals.into_iter().zip(b.locals).map(|pair| match pair {
            (Some(a), Some(b)) => Some(terms.ite(cond, a, b)),
            (a, b) => a.or(b),
        });
        let locals = locals.collect();
        let memory = Memory::merge(terms, objects, cond, &a.memory, &b.memory);
        State { guard, regs, locals, blocks, memory, path: a.path }
    }
}

/// A register never set on one path is not read after both have met.
pub fn merge_values(terms: &mut Terms, cond: Term, a: Option<Value>, b: Option<Value>) -> Option<Value> {
    match (a, b) {
        (Some(a), Some(b)) if a == b => Some(a),
        (Some(a), Some(b)) => {
            Some(Value { term: terms.ite(cond, a.term, b.term), taint: a.taint.join(b.taint) })
        }
        (a, b) => a.or(b),
    }
}

/// How many conjuncts of a guard are looked at.
const LOOK: usize = 12;

/// The disjunction of two guards that exclude each other, and a condition that tells which one holds.
fn join_guards(terms: &mut Terms, a: Term, b: Term) -> (Term, Term) {
    let (of_a, of_b) = (conjuncts(terms, a), conjuncts(terms, b));
    for &part in &of_a {
        let negated = terms.not(part);
        if !of_b.contains(&negated) {
            continue;
        }
        // g & c, g & !c: the rest is common.
        if let (Node::And(x, y), Node::And(u, v)) = (terms.node(a), terms.node(b)) {
            let rest = |x, y, part| {
                if x == part {
                    Some(y)
                } else if y == part {
                    Some(x)
                } else {
                    None
                }
            };
            if let (Some(p), Some(q)) = (rest(x, y, part), rest(u, v, negated))
                && p == q
            {
                return (p, part);
            }
        }
        if a == part && b == negated {
            return (terms.bool(true), part);
        }
        return (terms.or(a, b), part);
    }
    (terms.or(a, b), a)
}

fn conjuncts(terms: &Terms, guard: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut waiting = vec![guard];
    while let Some(term) = waiting.pop() {
        if found.len() >= LOOK {
            break;
        }
        match terms.node(term) {
            Node::And(a, b) => waiting.extend([a, b]),
            _ => found.push(term),
        }
    }
    found
}
