//! Random pointer terms against arithmetic on their values.

use super::*;
use crate::testing::Rng;
use braid_logic::{Assignment, Evaluator, Sort, Value};

/// A pool of pointer terms and the symbols they are made of.
struct Pool {
    layout: Layout,
    terms: Terms,
    rng: Rng,
    pointers: Vec<Term>,
}

impl Pool {
    fn new(layout: Layout, seed: u64) -> Pool {
        let mut pool = Pool { layout, terms: Terms::new(), rng: Rng(seed), pointers: Vec::new() };
        let null = pool.terms.bits(layout.pointer_bits, 0);
        pool.pointers.push(null);
        for object in 1..5 {
            let offset = pool.rng.below(40) as i64 - 8;
            let pointer = layout.address(&mut pool.terms, ObjectNo(object), offset);
            pool.pointers.push(pointer);
        }
        pool
    }

    /// A number, small, medium or of any size.
    fn number(&mut self) -> Term {
        let width = self.layout.pointer_bits;
        let part = [3, 8, 16, 31, width][self.rng.below(5) as usize];
        let name = format!("n{}.{part}", self.rng.below(3));
        let symbol = self.terms.symbol(&name, Sort::bits(part));
        let wide = if self.rng.below(2) == 0 {
            self.terms.sign_extend(symbol, width)
        } else {
            self.terms.zero_extend(symbol, width)
        };
        let scale = self.terms.bits(width, u128::from(self.rng.pick(&[1u32, 4, 8, 12])));
        self.terms.bv_mul(wide, scale)
    }

    fn grow(&mut self) {
        let (p, q) = (self.rng.pick(&self.pointers), self.rng.pick(&self.pointers));
        let new = match self.rng.below(5) {
            0 | 1 => {
                let condition = format!("c{}", self.rng.below(4));
                let condition = self.terms.symbol(&condition, Sort::Bool);
                self.terms.ite(condition, p, q)
            }
            2 => {
                let step = self.terms.bits(self.layout.pointer_bits, u128::from(self.rng.below(64)));
                self.terms.bv_add(p, step)
            }
            3 => {
                let number = self.number();
                self.terms.bv_add(p, number)
            }
            _ => {
                let number = self.number();
                self.terms.bv_sub(p, number)
            }
        };
        self.pointers.push(new);
    }

    fn assignment(&mut self) -> Assignment {
        let mut assignment = Assignment::new();
        for symbol in self.terms.symbols() {
            let term = self.terms.symbol_term(symbol);
            let value = match self.terms.sort(term).width() {
                Some(width) => Value::bits(width, self.rng.value(width)),
                None => Value::Bool(self.rng.below(2) == 0),
            };
            assignment.set(symbol, value);
        }
        assignment
    }
}

fn check(layout: Layout, seed: u64) {
    let mut pool = Pool::new(layout, seed);
    (0..25).for_each(|_| pool.grow());
    let width = layout.pointer_bits;
    let symbolic_len = pool.number();
    for pointer in pool.pointers.clone() {
        let object = ObjectNo(pool.rng.below(6) as u32);
        let size = pool.rng.pick(&[0u64, 1, 7, 40, 4096]);
        let constant_len = pool.terms.bits(width, u128::from(pool.rng.below(9)));
        let len = if pool.rng.below(2) == 0 { constant_len } else { symbolic_len };
        let terms = &mut pool.terms;
        let (is_in, offset_of) = (layout.is_in(terms, pointer, object), layout.offset_of(terms, pointer));
        let (offset_in, number) =
            (layout.offset_in(terms, pointer, object), layout.object_of(terms, pointer));
        let inside = layout.inside(terms, pointer, object, size, len);
        let candidates = layout.candidates(terms, pointer);
        for _ in 0..6 {
            let assignment = pool.assignment();
            let mut evaluator = Evaluator::new(&pool.terms, &assignment);
            let mut bits = |term| evaluator.bits(term).expect("no integers");
            let (address, len) = (bits(pointer), bits(len));
            let zone = ObjectNo((address >> layout.offset_bits) as u32);
            let offset = address as i128 - layout.base(zone) as i128;
            assert_eq!(bits(number), u128::from(zone.0));
            assert_eq!(braid_logic::bits::signed(width, bits(offset_of)), offset);
            if zone == object {
                assert_eq!(braid_logic::bits::signed(width, bits(offset_in)), offset);
            }
            assert!(candidates.as_ref().is_none_or(|list| list.contains(&zone)), "{candidates:?} {zone}");
            let fits = zone == object && offset >= 0 && offset as u128 + len <= u128::from(size);
            assert_eq!(evaluator.bool(is_in), Ok(zone == object));
            assert_eq!(evaluator.bool(inside), Ok(fits), "seed {seed}");
        }
    }
}

#[test]
fn pointers_are_numbers() {
    (0..120).for_each(|seed| check(Layout::new(8), seed));
    (0..120).for_each(|seed| check(Layout::new(4), 1000 + seed));
}

#[test]
fn constants_and_limits() {
    let mut terms = Terms::new();
    for layout in [Layout::new(4), Layout::new(8)] {
        let last = layout.max_objects();
        let address = layout.address(&mut terms, ObjectNo(last), layout.max_size() as i64);
        assert_eq!(layout.constant(&terms, address), Some((ObjectNo(last), layout.max_size() as i64)));
        let minus = layout.address(&mut terms, ObjectNo(7), -3);
        assert_eq!(layout.constant(&terms, minus), Some((ObjectNo(7), -3)));
        let end = terms.bits(layout.pointer_bits, u128::MAX);
        assert_eq!(layout.candidates(&terms, end), Some(vec![ObjectNo(last + 1)]));
    }
}

#[test]
fn candidates_of_choices_and_sums() {
    let layout = Layout::new(8);
    let mut terms = Terms::new();
    let (c, d) = (terms.symbol("c", Sort::Bool), terms.symbol("d", Sort::Bool));
    let (p, q) = (layout.address(&mut terms, ObjectNo(1), 0), layout.address(&mut terms, ObjectNo(9), 8));
    let null = terms.bits(64, 0);
    let inner = terms.ite(c, q, null);
    let pointer = terms.ite(d, p, inner);
    assert_eq!(layout.candidates(&terms, pointer), Some(vec![ObjectNo(0), ObjectNo(1), ObjectNo(9)]));
    let index = terms.symbol("i", Sort::bits(32));
    let index = terms.sign_extend(index, 64);
    let eight = terms.bits(64, 8);
    let offset = terms.bv_mul(index, eight);
    let element = terms.bv_add(p, offset);
    assert_eq!(layout.candidates(&terms, element), Some(vec![ObjectNo(1)]));
    let moved = terms.bv_add(pointer, eight);
    assert_eq!(layout.candidates(&terms, moved), Some(vec![ObjectNo(0), ObjectNo(1), ObjectNo(9)]));
    let far = terms.ite(d, p, q);
    let element = terms.bv_add(far, offset);
    assert_eq!(layout.candidates(&terms, element), Some(vec![ObjectNo(1), ObjectNo(9)]));
    // Null, less something, is no small number.
    let back = terms.bv_sub(pointer, eight);
    assert_eq!(
        layout.candidates(&terms, back),
        Some(vec![ObjectNo(1), ObjectNo(9), ObjectNo(layout.max_objects() + 1)])
    );
    let long = terms.symbol("l", Sort::bits(64));
    let lost = terms.bv_add(p, long);
    assert_eq!(layout.candidates(&terms, lost), None);
}

/// What is plain at the leaves of a choice stays plain, and branches elsewhere fall away.
#[test]
fn questions_go_below_choices() {
    let layout = Layout::new(8);
    let mut terms = Terms::new();
    let (c, d) = (terms.symbol("c", Sort::Bool), terms.symbol("d", Sort::Bool));
    let (p, q, r) = (
        layout.address(&mut terms, ObjectNo(1), 0),
        layout.address(&mut terms, ObjectNo(2), 8),
        terms.bits(64, 0),
    );
    let inner = terms.ite(d, q, r);
    let pointer = terms.ite(c, p, inner);
    let four = terms.bits(64, 4);
    let pointer = terms.bv_add(pointer, four);
    assert_eq!(layout.is_in(&mut terms, pointer, ObjectNo(1)), c);
    let offset = layout.offset_in(&mut terms, pointer, ObjectNo(2));
    assert_eq!(terms.as_bits(offset), Some(12));
    assert_eq!(layout.inside(&mut terms, pointer, ObjectNo(1), 8, four), c);
    let too_short = layout.inside(&mut terms, pointer, ObjectNo(1), 7, four);
    assert!(terms.is_false(too_short));
}

/// A tower of choices that share everything below: twice as many paths with each of its floors.
#[test]
fn sharing_is_seen() {
    let layout = Layout::new(8);
    let mut terms = Terms::new();
    let mut pointer = layout.address(&mut terms, ObjectNo(1), 0);
    for floor in 0..150 {
        let condition = terms.symbol(&format!("c{floor}"), Sort::Bool);
        let step = terms.bits(64, 8);
        let moved = terms.bv_add(pointer, step);
        pointer = terms.ite(condition, pointer, moved);
    }
    assert_eq!(layout.candidates(&terms, pointer), Some(vec![ObjectNo(1)]));
    // Conditions do not count, however large.
    let mut condition = terms.symbol("c", Sort::Bool);
    for i in 0..3000 {
        let x = terms.symbol(&format!("x{i}"), Sort::bits(32));
        let y = terms.symbol(&format!("y{i}"), Sort::bits(32));
        let less = terms.ult(x, y);
        condition = terms.eq(condition, less);
    }
    let (index, three) = (terms.symbol("i", Sort::bits(16)), terms.bits(16, 3));
    let index = terms.ite(condition, index, three);
    let index = terms.zero_extend(index, 64);
    let eight = terms.bits(64, 8);
    let step = terms.bv_mul(index, eight);
    let pointer = terms.bv_add(pointer, step);
    assert_eq!(layout.candidates(&terms, pointer), Some(vec![ObjectNo(1)]));
    let inside = layout.is_in(&mut terms, pointer, ObjectNo(1));
    assert!(terms.is_true(inside));
}
