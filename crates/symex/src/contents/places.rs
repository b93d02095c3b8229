//! Accesses at an unknown place that can only be one of a few.
//!
//! A load is a choice between loads; a store makes each cell it might cover a choice between old and new.
//! Cells are as large as the distances between the places allow, so an array indexed by element stays
//! divided into elements.

use super::Place;
use super::cells::Cells;
use super::origin::Origin;
use crate::value::Value;
use braid_logic::ranges::Range;
use braid_logic::{BvOp, Node, Term, Terms};

/// So many places count as few.
const FEW: usize = 64;
/// So many are looked at to see whether they can be.
const LOOK: u64 = 4096;
/// So many nodes of an offset are looked at for its alignment, if it has too many for ranges.
const NODES: usize = 64;

/// The places at which an access of `bytes` can begin, ascending; `None` if there are many.
pub fn possible(terms: &Terms, offset: Term, size: u64, bytes: u64) -> Option<Vec<u64>> {
    let Some(last) = size.checked_sub(bytes) else { return Some(Vec::new()) };
    let range = terms.rough_range(offset);
    let step = 1u64 << alignment(terms, offset, &range).min(62);
    let low = u64::try_from(range.umin()).ok()?;
    let high = u64::try_from(range.umax()).unwrap_or(u64::MAX).min(last);
    let first = low.div_ceil(step).checked_mul(step)?;
    if first > high {
        return Some(Vec::new());
    }
    if (high - first) / step >= LOOK {
        return None;
    }
    let count = (high - first) / step + 1;
    let all = (0..count).map(|i| first + i * step);
    let list: Vec<u64> = all.filter(|place| range.contains(u128::from(*place))).collect();
    (list.len() <= FEW).then_some(list)
}

/// How many low bits of the offset are surely zero.
fn alignment(terms: &Terms, offset: Term, range: &Range) -> u32 {
    range.trailing_zeros().max(zeros_at_a_glance(terms, offset))
}

/// The same from the first few nodes: the least aligned summand or branch decides.
fn zeros_at_a_glance(terms: &Terms, offset: Term) -> u32 {
    let mut least = terms.width(offset);
    let mut pending = vec![offset];
    for _ in 0..NODES {
        let Some(term) = pending.pop() else { return least };
        let zeros = match terms.node(term) {
            Node::Binary(BvOp::Add | BvOp::Sub | BvOp::Or | BvOp::Xor, a, b) | Node::Ite(_, a, b) => {
                pending.extend([a, b]);
                continue;
            }
            Node::Bits(0) => continue,
            Node::Bits(value) => value.trailing_zeros(),
            Node::Binary(BvOp::Mul, _, factor) => {
                terms.as_bits(factor).map_or(0, |factor| factor.trailing_zeros())
            }
            Node::Concat(_, low) if terms.as_bits(low) == Some(0) => terms.width(low),
            Node::ZeroExtend(inner) | Node::SignExtend(inner) => {
                pending.push(inner);
                continue;
            }
            _ => 0,
        };
        least = least.min(zeros);
        if least == 0 {
            return 0;
        }
    }
    0
}

/// The largest power of two, up to 16, that divides the place and the number of bytes.
pub fn grain(terms: &Terms, place: Place, bytes: u64) -> u64 {
    let zeros = match place {
        Place::At(at) => at.trailing_zeros(),
        Place::Symbolic(offset) => alignment(terms, offset, &terms.rough_range(offset)),
    };
    1 << zeros.min(bytes.trailing_zeros()).min(4)
}

fn is_at(terms: &mut Terms, offset: Term, place: u64) -> Term {
    let place = terms.bits(terms.width(offset), u128::from(place));
    terms.eq(offset, place)
}

pub fn is_elsewhere(terms: &mut Terms, offset: Term, place: u64) -> Term {
    let here = is_at(terms, offset, place);
    terms.not(here)
}

/// A load of `bytes` at one of the places.
pub fn load(
    terms: &mut Terms,
    cells: &Cells,
    origin: &Origin,
    offset: Term,
    places: &[u64],
    bytes: u64,
) -> Value {
    // The last place needs no condition: it is one of them.
    let Some((last, rest)) = places.split_last() else { return super::nothing(terms, bytes as u32) };
    let mut result = cells.load(terms, origin, *last, bytes);
    for place in rest.iter().rev() {
        let (here, value) = (is_at(terms, offset, *place), cells.load(terms, origin, *place, bytes));
        result = Value::select(terms, here, value, result);
    }
    result
}

/// A store at one of the places.
pub fn store(
    terms: &mut Terms,
    cells: &mut Cells,
    origin: &Origin,
    offset: Term,
    places: &[u64],
    value: Value,
) {
    let bytes = u64::from(terms.width(value.term) / 8);
    if let [only] = places {
        return cells.store(terms, *only, bytes, value);
    }
    let grain = cell_size(places, bytes);
    for cell in covered(places, bytes, grain) {
        let mut new = cells.load(terms, origin, cell, grain);
        for place in places.iter().filter(|place| (**place..**place + bytes).contains(&cell)) {
            let here = is_at(terms, offset, *place);
            let piece = piece(terms, value, cell - place, grain);
            new = Value::select(terms, here, piece, new);
        }
        cells.store(terms, cell, grain, new);
    }
}

/// The largest power of two that divides the number of bytes and all distances between places.
fn cell_size(places: &[u64], bytes: u64) -> u64 {
    let distances = places.windows(2).map(|pair| (pair[1] - pair[0]).trailing_zeros());
    1 << distances.min().unwrap_or(63).min(bytes.trailing_zeros())
}

/// The cells that a store at one of the places can reach, ascending.
fn covered(places: &[u64], bytes: u64, grain: u64) -> Vec<u64> {
    let mut cells: Vec<u64> =
        places.iter().flat_map(|place| (0..bytes / grain).map(move |i| place + i * grain)).collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// `len` bytes of the value, from the byte `from` on.
fn piece(terms: &mut Terms, value: Value, from: u64, len: u64) -> Value {
    let width = terms.width(value.term);
    if u64::from(width) == 8 * len {
        return value;
    }
    let term = terms.extract(value.term, 8 * (from + len) as u32 - 1, 8 * from as u32);
    Value { term, taint: value.taint.blurred() }
}
