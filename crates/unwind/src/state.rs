//! One path of a thread, or several that have met.

use braid_bounded::NodeId;
use braid_logic::{Node, Term, Terms};
use braid_symex::memory::Memory;
use braid_symex::object::Objects;
use braid_symex::{Taint, Value};

/// The atomic section a path is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Section {
    /// None before the first start of a thread.
    pub node: Option<NodeId>,
    pub depth: u32,
    /// Bool: the path has come to the section.
    pub outside: Term,
    /// Bool: the section is entered.
    pub entered: Term,
    /// Only tried, at the probe.
    pub trial: bool,
    /// A trial has shown where it would wait.
    pub tried: bool,
    /// Calls that were open when it began.
    pub began: usize,
}

/// A section that a path has come to while there were other threads.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub node: NodeId,
    /// Bool: the path has come to it; and it is entered.
    pub outside: Term,
    pub entered: Term,
    /// Something in it may have to wait.
    pub may_refuse: bool,
}

#[derive(Clone, Debug)]
pub struct State {
    /// Bool: the path is taken, and has come here.
    pub guard: Term,
    /// Registers of the frame; `None` was never set.
    pub regs: Vec<Option<Value>>,
    /// Addresses of the frame's objects.
    pub locals: Vec<Option<Term>>,
    /// Stack blocks of the frame, with the condition under which they were made.
    pub blocks: Vec<(Term, Term)>,
    pub memory: Memory,
    pub section: Option<Section>,
    /// A thread has been started, here or on another path.
    pub multi: bool,
}

impl State {
    /// Whether two paths can be followed as one.
    pub fn fits(&self, other: &State) -> bool {
        self.section == other.section && self.multi == other.multi
    }

    /// Both paths as one.
    pub fn merge(terms: &mut Terms, objects: &Objects, a: State, b: State) -> State {
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
        State { guard, regs, locals, blocks, memory, section: a.section, multi: a.multi }
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

/// A value nothing is known of.
pub fn plain(term: Term) -> Value {
    Value { term, taint: Taint::None }
}
