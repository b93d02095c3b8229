//! Congruences of pointers: "a constant plus a multiple of a step".
//!
//! Members of different elements of one array of records lie at different remainders of the record's size, so two
//! accesses through arbitrary indices may still never meet. The domain is Granger's (Static analysis of arithmetical
//! congruences, 1989). Arithmetic that wraps keeps remainders of powers of two only. So a product counts only if it is
//! smaller than an object can be, in 64 bits: then an address and all that is added to it stay far from wrapping.

use braid_logic::{BvOp, Node, Term, Terms};

/// `offset` plus a multiple of `step`; a constant, if that is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Congruence {
    offset: i128,
    step: i128,
}

/// So many parts of a term are looked at.
const PARTS: u32 = 100;
/// No product is larger.
const LARGEST: i128 = 1 << 40;

const ANYTHING: Congruence = Congruence { offset: 0, step: 1 };

impl Congruence {
    /// The congruence of a number of the width of a pointer.
    pub fn of(terms: &Terms, term: Term) -> Congruence {
        find(terms, term, &mut PARTS.clone())
    }

    /// Returns true if `bytes` bytes here and `others` bytes there never overlap.
    pub fn is_apart(self, bytes: u32, other: Congruence, others: u32) -> bool {
        let step = gcd(self.step, other.step);
        let distance = other.offset - self.offset;
        let (bytes, others) = (i128::from(bytes), i128::from(others));
        if step == 0 {
            return distance >= bytes || -distance >= others;
        }
        let ahead = distance.rem_euclid(step);
        ahead >= bytes && step - ahead >= others
    }

    fn new(offset: i128, step: i128) -> Congruence {
        Congruence { offset: if step == 0 { offset } else { offset.rem_euclid(step) }, step }
    }

    fn plus(self, other: Congruence, sign: i128) -> Congruence {
        Congruence::new(self.offset + sign * other.offset, gcd(self.step, other.step))
    }

    fn times(self, factor: i128) -> Congruence {
        Congruence::new(self.offset * factor, self.step * factor.abs())
    }

    fn or(self, other: Congruence) -> Congruence {
        let step = gcd(gcd(self.step, other.step), self.offset - other.offset);
        Congruence::new(self.offset, step)
    }
}

fn find(terms: &Terms, term: Term, parts: &mut u32) -> Congruence {
    let Some(left) = parts.checked_sub(1) else { return ANYTHING };
    *parts = left;
    match terms.node(term) {
        Node::Bits(_) => terms
            .as_bits(term)
            .map_or(ANYTHING, |bits| Congruence::new(braid_logic::bits::signed(terms.width(term), bits), 0)),
        Node::Ite(_, yes, no) => find(terms, yes, parts).or(find(terms, no, parts)),
        Node::Binary(BvOp::Add, a, b) => find(terms, a, parts).plus(find(terms, b, parts), 1),
        Node::Binary(BvOp::Sub, a, b) => find(terms, a, parts).plus(find(terms, b, parts), -1),
        Node::Binary(BvOp::Mul, a, factor) => match terms.as_bits(factor) {
            Some(factor) if terms.width(a) == 64 => {
                let factor = braid_logic::bits::signed(64, factor);
                let range = terms.rough_range(a);
                let largest = range.smin().abs().max(range.smax().abs());
                let fits = largest.checked_mul(factor.abs()).is_some_and(|product| product < LARGEST);
                if fits { ANYTHING.times(factor) } else { ANYTHING }
            }
            Some(_) | None => ANYTHING,
        },
        Node::Concat(_, low) => match terms.as_bits(low) {
            Some(low_bits) => {
                let width = terms.width(low).min(100);
                Congruence::new(low_bits as i128, 1 << width)
            }
            None => ANYTHING,
        },
        _ => ANYTHING,
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use braid_logic::Sort;

    #[test]
    fn members_of_records_stay_apart() {
        let mut terms = Terms::new();
        let index = |terms: &mut Terms, name: &str| {
            let (symbol, three) = (terms.symbol(name, Sort::bits(64)), terms.bits(64, 3));
            terms.bv_and(symbol, three)
        };
        let member = |terms: &mut Terms, name: &str, offset: u128| {
            let (index, size) = (index(terms, name), terms.bits(64, 48));
            let (element, base) = (terms.bv_mul(index, size), terms.bits(64, 0x8000_0000 + offset));
            let pointer = terms.bv_add(base, element);
            Congruence::of(terms, pointer)
        };
        let (kind, next) = (member(&mut terms, "i", 16), member(&mut terms, "j", 40));
        assert!(kind.is_apart(4, next, 8) && next.is_apart(8, kind, 4));
        assert!(!kind.is_apart(4, member(&mut terms, "j", 16), 4));
        assert!(!kind.is_apart(25, next, 8));
        // An index of any size may wrap.
        let (any, size) = (terms.symbol("k", Sort::bits(64)), terms.bits(64, 48));
        let wild = terms.bv_mul(any, size);
        assert!(!kind.is_apart(4, Congruence::of(&terms, wild), 8));
    }
}
