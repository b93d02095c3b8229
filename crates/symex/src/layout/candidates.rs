//! Which zones a term can lie in.
//!
//! Each term is a set of intervals of addresses: a choice is the union, a sum the sums, anything else the
//! interval that [`Terms::rough_range`] knows. Intervals in one zone are joined, so a set is about as large as its
//! number of objects. Shared terms are visited once; nothing recurses on the Rust stack.

use super::Layout;
use crate::object::ObjectNo;
use braid_base::HashMap;
use braid_logic::bits;
use braid_logic::{BvOp, Node, Term, Terms};
use std::rc::Rc;

/// So many intervals a set has at most; beyond, nothing is known.
const LARGEST: usize = 1024;

/// The addresses from `low` on, modulo the pointer's width, `span` more than one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Interval {
    low: u128,
    span: u128,
}

/// All addresses a term can be; `None` if not known.
type Set = Option<Rc<[Interval]>>;

/// The zones, ascending; `None` if not known or if an interval crosses a border between zones.
pub fn zones(layout: Layout, terms: &Terms, pointer: Term) -> Option<Vec<ObjectNo>> {
    let mut finder = Finder { layout, terms, memo: HashMap::default() };
    let set = finder.set(pointer)?;
    let mut zones = Vec::with_capacity(set.len());
    for interval in set.iter() {
        let zone = finder.zone_of(*interval)?;
        if zones.last() != Some(&zone) {
            zones.push(zone);
        }
    }
    Some(zones)
}

struct Finder<'a> {
    layout: Layout,
    terms: &'a Terms,
    memo: HashMap<Term, Set>,
}

impl Finder<'_> {
    fn set(&mut self, root: Term) -> Set {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.memo.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            if let Some((a, b)) = parts(self.terms, term) {
                stack.extend([a, b].into_iter().filter(|t| !self.memo.contains_key(t)));
            }
            if stack.len() == before {
                let set = self.compute(term);
                self.memo.insert(term, set);
                stack.pop();
            }
        }
        self.memo[&root].clone()
    }

    fn compute(&self, term: Term) -> Set {
        self.combined(term).or_else(|| self.leaf(term))
    }

    /// A choice or a sum, from the sets of its parts.
    fn combined(&self, term: Term) -> Set {
        let (a, b) = parts(self.terms, term)?;
        let (a, b) = (self.memo[&a].clone()?, self.memo[&b].clone()?);
        let list: Vec<Interval> = match self.terms.node(term) {
            Node::Binary(op, ..) => {
                if a.len() * b.len() > LARGEST {
                    return None;
                }
                let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (*x, *y)));
                pairs.map(|(x, y)| self.sum(op, x, y)).collect()
            }
            _ => a.iter().chain(b.iter()).copied().collect(),
        };
        self.joined(list)
    }

    /// Sums, or differences.
    fn sum(&self, op: BvOp, x: Interval, y: Interval) -> Interval {
        let mask = bits::mask(self.layout.pointer_bits);
        let low = match op {
            BvOp::Sub => x.low.wrapping_sub(y.low.wrapping_add(y.span)),
            _ => x.low.wrapping_add(y.low),
        };
        Interval { low: low & mask, span: x.span + y.span }
    }

    /// What ranges know of a term.
    fn leaf(&self, term: Term) -> Set {
        let range = self.terms.rough_range(term);
        let unsigned = Interval { low: range.umin(), span: range.umax() - range.umin() };
        let low = range.smin() as u128 & bits::mask(self.layout.pointer_bits);
        let signed = Interval { low, span: range.smax().abs_diff(range.smin()) };
        let shorter = if signed.span < unsigned.span { signed } else { unsigned };
        self.joined(vec![shorter])
    }

    /// Intervals in ascending order, one for each zone that holds some; `None` if there are too many, or
    /// one is as large as a zone.
    fn joined(&self, mut list: Vec<Interval>) -> Set {
        list.sort_unstable();
        let mut joined: Vec<Interval> = Vec::with_capacity(list.len());
        for next in list {
            if next.span >> self.layout.offset_bits != 0 {
                return None;
            }
            match joined.last_mut().filter(|last| self.shares_zone(**last, next)) {
                Some(last) => last.span = last.span.max(next.low + next.span - last.low),
                None => joined.push(next),
            }
        }
        (joined.len() <= LARGEST).then(|| joined.into())
    }

    fn shares_zone(&self, a: Interval, b: Interval) -> bool {
        self.zone_of(a).is_some() && self.zone_of(a) == self.zone_of(b)
    }

    /// The zone the whole interval lies in.
    fn zone_of(&self, interval: Interval) -> Option<ObjectNo> {
        let (first, last) = (interval.low, interval.low + interval.span);
        (first >> self.layout.offset_bits == last >> self.layout.offset_bits).then(|| self.layout.zone(first))
    }
}

/// The arguments whose sets decide.
fn parts(terms: &Terms, term: Term) -> Option<(Term, Term)> {
    match terms.node(term) {
        Node::Ite(_, a, b) | Node::Binary(BvOp::Add | BvOp::Sub, a, b) => Some((a, b)),
        _ => None,
    }
}
