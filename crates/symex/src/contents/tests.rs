//! Random accesses against plain bytes.

use super::*;
use crate::object::ObjectNo;
use crate::testing::Rng;
use braid_logic::{ArrayValue, Assignment, Evaluator, Sort, Width};
use std::collections::BTreeMap;

/// Each state is compared under so many assignments.
const WORLDS: usize = 3;

/// Contents, and their bytes in each world.
#[derive(Clone)]
struct State {
    contents: Contents,
    bytes: Vec<Vec<u8>>,
}

struct Test {
    terms: Terms,
    rng: Rng,
    size: u64,
    worlds: Vec<Assignment>,
    symbols: usize,
    /// Loads compared, and accesses refused.
    compared: usize,
    refused: usize,
}

impl Test {
    fn new(seed: u64, size: u64) -> Test {
        let worlds = vec![Assignment::new(); WORLDS];
        Test { terms: Terms::new(), rng: Rng(seed), size, worlds, symbols: 0, compared: 0, refused: 0 }
    }

    fn start(&mut self) -> State {
        let (initial, bytes) = match self.rng.below(3) {
            0 => (Initial::Zero, vec![vec![0; self.size as usize]; WORLDS]),
            1 => self.arbitrary(),
            _ => self.data(),
        };
        State { contents: Contents::new(self.size, initial), bytes }
    }

    fn data(&mut self) -> (Initial, Vec<Vec<u8>>) {
        let mut bytes = vec![0; self.size as usize];
        let mut data = BTreeMap::new();
        for _ in 0..self.rng.below(self.size.min(30) + 1) {
            let (at, byte) = (self.rng.below(self.size), self.rng.next() as u8);
            data.insert(at, byte);
            bytes[at as usize] = byte;
        }
        (Initial::Data(Rc::new(data)), vec![bytes; WORLDS])
    }

    fn arbitrary(&mut self) -> (Initial, Vec<Vec<u8>>) {
        let object = 7;
        let mut all = Vec::new();
        for world in 0..WORLDS {
            let bytes: Vec<u8> = (0..self.size).map(|_| self.rng.next() as u8).collect();
            if self.size > AS_SYMBOLS {
                let index = Width::new(origin::index_width(self.size));
                let mut value = ArrayValue::constant(index, Width::new(8), 0);
                bytes.iter().enumerate().for_each(|(i, byte)| value.store(i as u128, u128::from(*byte)));
                let symbol = self.terms.symbol("u7", Sort::Array { index, element: Width::new(8) });
                self.worlds[world].set_term(&self.terms, symbol, braid_logic::Value::Array(value));
            } else {
                for (i, byte) in bytes.iter().enumerate() {
                    let symbol = self.terms.symbol(&format!("u7.{i}"), Sort::bits(8));
                    let value = braid_logic::Value::bits(8, u128::from(*byte));
                    self.worlds[world].set_term(&self.terms, symbol, value);
                }
            }
            all.push(bytes);
        }
        (Initial::Arbitrary { object: ObjectNo(object) }, all)
    }

    /// A new symbol with a value in each world.
    fn symbol(&mut self, width: u32) -> Term {
        let symbol = self.terms.symbol(&format!("x{}", self.symbols), Sort::bits(width));
        self.symbols += 1;
        for world in 0..WORLDS {
            let value = braid_logic::Value::bits(width, self.rng.value(width));
            self.worlds[world].set_term(&self.terms, symbol, value);
        }
        symbol
    }

    fn bits(&self, world: usize, term: Term) -> u128 {
        Evaluator::new(&self.terms, &self.worlds[world]).bits(term).expect("no integers")
    }

    fn value(&mut self, bytes: u64) -> Term {
        let width = 8 * bytes as u32;
        if self.rng.below(3) == 0 {
            let value = self.rng.value(width);
            return self.terms.bits(width, value);
        }
        self.symbol(width)
    }

    /// A place for an access of `bytes`: known, or `first + step * (symbol % count)`.
    fn place(&mut self, bytes: u64, symbolic: bool) -> Place {
        let step = self.rng.pick(&[1, 2, 4, 4, 8, 12, 16]);
        let first = if self.rng.below(2) == 0 { 0 } else { self.rng.below(step) };
        let Some(room) = (self.size - bytes).checked_sub(first) else { return Place::At(0) };
        let count = room / step + 1;
        if !symbolic {
            let index = self.rng.below(count);
            return Place::At(first + step * index);
        }
        let symbol = self.symbol(64);
        let count = if self.rng.below(2) == 0 { count } else { count.min(1 + self.rng.below(8)) };
        let (count, step) = (self.terms.bits(64, u128::from(count)), self.terms.bits(64, u128::from(step)));
        let index = self.terms.bv_urem(symbol, count);
        let distance = self.terms.bv_mul(index, step);
        let first = self.terms.bits(64, u128::from(first));
        Place::Symbolic(self.terms.bv_add(distance, first))
    }

    fn at(&self, world: usize, place: Place) -> usize {
        match place {
            Place::At(at) => at as usize,
            Place::Symbolic(offset) => self.bits(world, offset) as usize,
        }
    }

    fn length(&mut self) -> u64 {
        let length = self.rng.pick(&[1, 1, 2, 3, 4, 4, 4, 5, 8, 8, 16, 10]);
        length.min(self.size)
    }

    fn load(&mut self, state: &State, symbolic: bool) {
        let bytes = self.length();
        let place = self.place(bytes, symbolic);
        let Ok(loaded) = state.contents.load(&mut self.terms, place, bytes as u32) else {
            self.refused += 1;
            return;
        };
        assert_eq!(self.terms.width(loaded.term), 8 * bytes as u32);
        for world in 0..WORLDS {
            let at = self.at(world, place);
            let expected = &state.bytes[world][at..at + bytes as usize];
            let found = self.bits(world, loaded.term).to_le_bytes();
            assert_eq!(&found[..bytes as usize], expected, "{place:?} {bytes}");
        }
        self.compared += 1;
    }

    fn store(&mut self, state: &mut State, symbolic: bool) {
        let bytes = self.length();
        let (place, term) = (self.place(bytes, symbolic), self.value(bytes));
        let value = Value::plain(term);
        if state.contents.store(&mut self.terms, place, bytes as u32, value).is_err() {
            self.refused += 1;
            return;
        }
        for world in 0..WORLDS {
            let at = self.at(world, place);
            let stored = self.bits(world, term).to_le_bytes();
            state.bytes[world][at..at + bytes as usize].copy_from_slice(&stored[..bytes as usize]);
        }
    }

    fn fill(&mut self, state: &mut State) {
        let whole = self.rng.below(5) == 0;
        let at = if whole { 0 } else { self.rng.below(self.size) };
        let len = if whole { self.size } else { self.rng.below(self.size - at + 1) };
        let term = self.value(1);
        if state.contents.fill(&mut self.terms, at, len, Value::plain(term)).is_err() {
            self.refused += 1;
            return;
        }
        for world in 0..WORLDS {
            let byte = self.bits(world, term) as u8;
            state.bytes[world][at as usize..(at + len) as usize].fill(byte);
        }
    }

    fn merge(&mut self, then: &State, other: &State) -> State {
        let bit = self.symbol(1);
        let cond = crate::value::truth(&mut self.terms, bit);
        let contents = Contents::merge(&mut self.terms, cond, &then.contents, &other.contents);
        let side = |world| if self.bits(world, bit) == 1 { &then.bytes[world] } else { &other.bytes[world] };
        State { contents, bytes: (0..WORLDS).map(|world| side(world).clone()).collect() }
    }

    /// Operations on a few states of one object that are copied from each other and merged.
    fn run(&mut self, steps: usize, symbolic: u64) {
        let mut states = vec![self.start()];
        for _ in 0..steps {
            let chosen = self.rng.below(states.len() as u64) as usize;
            let other = self.rng.below(states.len() as u64) as usize;
            let unknown = self.rng.below(100) < symbolic;
            match self.rng.below(12) {
                0..=4 => self.store(&mut states[chosen], unknown),
                5..=7 => self.load(&states[chosen].clone(), unknown),
                8 => self.fill(&mut states[chosen]),
                9 if states.len() < 4 => states.push(states[chosen].clone()),
                9 => states[chosen] = states[other].clone(),
                _ => states[chosen] = self.merge(&states[chosen].clone(), &states[other].clone()),
            }
        }
        for state in &states {
            (0..3).for_each(|_| self.load(state, false));
        }
    }
}

#[test]
fn known_places() {
    for seed in 0..300 {
        let size = [1, 3, 8, 16, 40, 600, 3000][seed as usize % 7];
        let mut test = Test::new(seed, size);
        test.run(60, 0);
        assert!(test.compared > 0 && test.refused == 0);
    }
}

#[test]
fn unknown_places_in_small_objects() {
    for seed in 0..200 {
        let size = [1, 4, 8, 12, 16, 20, 32][seed as usize % 7];
        let mut test = Test::new(seed, size);
        test.run(14, 60);
        assert!(test.compared > 0 && test.refused == 0);
    }
}

#[test]
fn unknown_places_in_large_objects() {
    let (mut compared, mut refused) = (0, 0);
    for seed in 0..120 {
        let size = [150, 300, 512, 514, 1000, 1030][seed as usize % 6];
        let mut test = Test::new(seed, size);
        test.run(16, 50);
        (compared, refused) = (compared + test.compared, refused + test.refused);
    }
    assert!(compared > 500 && refused == 0, "{compared} {refused}");
}

/// Nothing is done for bytes that are not touched; and too much is refused, not attempted.
#[test]
fn huge_objects() {
    let mut terms = Terms::new();
    let size = 1 << 38;
    let byte = |terms: &mut Terms, value| Value::plain(terms.bits(8, value));
    let index = terms.symbol("i", Sort::bits(64));
    let four = terms.bits(64, 4);
    let place = Place::Symbolic(terms.bv_mul(index, four));
    let word = Value::plain(terms.bits(32, 5));
    for initial in [Initial::Zero, Initial::Arbitrary { object: ObjectNo(3) }] {
        let mut contents = Contents::new(size, initial);
        let old = contents.clone();
        let one = byte(&mut terms, 1);
        contents.fill(&mut terms, 4, size / 4, one).expect("it has cells");
        assert!(contents.store(&mut terms, place, 4, word).is_err());
        contents.fill(&mut terms, 4, size - 8, one).expect("it has cells");
        let mut array = contents.clone();
        array.store(&mut terms, place, 4, word).expect("mostly one byte");
        let cond = terms.symbol("c", Sort::Bool);
        let merged = Contents::merge(&mut terms, cond, &contents, &old);
        assert!(merged.load(&mut terms, Place::At(1 << 20), 4).is_ok());
        let zero = byte(&mut terms, 0);
        contents.fill(&mut terms, 0, size, zero).expect("it has cells");
        contents.store(&mut terms, place, 4, word).expect("a constant array and a store");
        let back = contents.load(&mut terms, place, 4).expect("a select");
        assert_eq!(back, word);
    }
    assert!(terms.len() < 1000, "{}", terms.len());
}

#[test]
fn what_is_stored_is_loaded() {
    let mut terms = Terms::new();
    let mut contents = Contents::new(16, Initial::Arbitrary { object: ObjectNo(1) });
    let x = Value { term: terms.symbol("x", Sort::bits(32)), taint: Taint::Loaded };
    let p = Value { term: terms.symbol("p", Sort::bits(64)), taint: Taint::Address };
    contents.store(&mut terms, Place::At(4), 4, x).expect("small");
    contents.store(&mut terms, Place::At(8), 8, p).expect("small");
    assert_eq!(contents.load(&mut terms, Place::At(4), 4), Ok(x));
    assert_eq!(contents.load(&mut terms, Place::At(8), 8), Ok(p));
    // In two halves, and back.
    let low = contents.load(&mut terms, Place::At(8), 4).expect("small");
    let high = contents.load(&mut terms, Place::At(12), 4).expect("small");
    assert_eq!((low.taint, high.taint), (Taint::Mixed, Taint::Mixed));
    contents.store(&mut terms, Place::At(8), 4, low).expect("small");
    contents.store(&mut terms, Place::At(12), 4, high).expect("small");
    let whole = contents.load(&mut terms, Place::At(8), 8).expect("small");
    assert_eq!(whole, Value { taint: Taint::Mixed, ..p });
    let first = contents.load(&mut terms, Place::At(0), 1).expect("small");
    assert_eq!(first.term, terms.symbol("u1.0", Sort::bits(8)));
    let written = contents.written().expect("it has cells");
    let shape: Vec<(u64, u64)> = written.iter().map(|(at, bytes, _)| (*at, *bytes)).collect();
    assert_eq!(shape, [(4, 4), (8, 4), (12, 4)]);
    assert_eq!(contents.taint(), Taint::Mixed);
}

/// A store that changes nothing, and a merge of what is the same, keep sharing.
#[test]
fn copies_share() {
    let mut terms = Terms::new();
    let mut contents = Contents::new(4000, Initial::Zero);
    let x = Value::plain(terms.symbol("x", Sort::bits(32)));
    let y = Value::plain(terms.symbol("y", Sort::bits(32)));
    for at in (0..4000).step_by(4) {
        contents.store(&mut terms, Place::At(at), 4, x).expect("a known place");
    }
    let mut copy = contents.clone();
    copy.store(&mut terms, Place::At(40), 4, x).expect("a known place");
    assert!(copy.same(&contents));
    copy.store(&mut terms, Place::At(40), 4, y).expect("a known place");
    assert!(!copy.same(&contents));
    let cond = terms.symbol("c", Sort::Bool);
    let before = terms.len();
    let merged = Contents::merge(&mut terms, cond, &copy, &contents);
    assert_eq!(terms.len(), before + 1);
    let term = terms.ite(cond, y.term, x.term);
    assert_eq!(merged.load(&mut terms, Place::At(40), 4), Ok(Value::plain(term)));
}

/// Addresses keep their taint at unknown places, too, as long as they are not cut.
#[test]
fn taints_at_unknown_places() {
    let mut terms = Terms::new();
    let index = terms.symbol("i", Sort::bits(64));
    let eight = terms.bits(64, 8);
    let place = Place::Symbolic(terms.bv_mul(index, eight));
    let address = Value { term: terms.symbol("p", Sort::bits(64)), taint: Taint::Address };
    let plain = Value::plain(terms.symbol("n", Sort::bits(64)));
    for size in [32, 4096] {
        let mut contents = Contents::new(size, Initial::Zero);
        contents.store(&mut terms, place, 8, plain).expect("an array");
        assert_eq!(contents.load(&mut terms, place, 8).map(|v| v.taint), Ok(Taint::None));
        contents.store(&mut terms, place, 8, address).expect("an array");
        assert_eq!(contents.load(&mut terms, place, 8).map(|v| v.taint), Ok(Taint::Address));
        assert_eq!(contents.load(&mut terms, Place::At(8), 8).map(|v| v.taint), Ok(Taint::Address));
        assert_eq!(contents.load(&mut terms, Place::At(8), 4).map(|v| v.taint), Ok(Taint::Mixed));
        // What is left of an address that was partly overwritten is none.
        let half = Value::plain(terms.bits(32, 0));
        contents.store(&mut terms, Place::At(8), 4, half).expect("a known place");
        assert_eq!(contents.load(&mut terms, Place::At(8), 8).map(|v| v.taint), Ok(Taint::Mixed));
        assert_eq!(contents.taint(), Taint::Mixed);
    }
}

/// What is asked about an unknown place is what would be known about each.
#[test]
fn numbers_made_of_addresses() {
    let mut terms = Terms::new();
    let offset = terms.symbol("o", Sort::bits(64));
    let address = Value { term: terms.symbol("p", Sort::bits(64)), taint: Taint::Address };
    let mixed = Value { term: terms.symbol("m", Sort::bits(32)), taint: Taint::Mixed };
    let mut contents = Contents::new(400, Initial::Zero);
    contents.store(&mut terms, Place::At(8), 8, address).expect("a known place");
    contents.store(&mut terms, Place::At(24), 8, address).expect("a known place");
    contents.store(&mut terms, Place::At(28), 4, mixed).expect("a known place");
    for (bytes, pointer) in [(1, false), (4, false), (8, false), (8, true)] {
        let anywhere = contents.makes_number(&mut terms, Place::Symbolic(offset), bytes, pointer);
        for at in 0..=392 {
            let here = contents.makes_number(&mut terms, Place::At(at), bytes, pointer);
            let mut assignment = Assignment::new();
            assignment.set_term(&terms, offset, braid_logic::Value::bits(64, at.into()));
            let mut evaluator = Evaluator::new(&terms, &assignment);
            assert_eq!(evaluator.bool(anywhere), evaluator.bool(here), "{bytes} at {at}, {pointer}");
        }
    }
    let whole = contents.makes_number(&mut terms, Place::At(8), 8, true);
    assert!(terms.is_false(whole));
}

/// Merging an array with a later state of itself makes the stores in between conditional.
#[test]
fn arrays_and_their_successors() {
    for (seed, swapped) in (0..40).flat_map(|seed| [(seed, false), (seed, true)]) {
        let mut test = Test::new(seed, 700);
        let mut state = test.start();
        test.store(&mut state, true);
        let before = state.clone();
        (0..1 + seed % 5).for_each(|_| test.store(&mut state, true));
        let merged = if swapped { test.merge(&before, &state) } else { test.merge(&state, &before) };
        (0..12).for_each(|i| test.load(&merged, i % 3 == 0));
        assert_eq!(test.refused, 0);
    }
}

/// The last element of an array may be cut off by the end of the object.
#[test]
fn the_end_of_an_array() {
    let mut terms = Terms::new();
    let index = terms.symbol("i", Sort::bits(64));
    let four = terms.bits(64, 4);
    let place = Place::Symbolic(terms.bv_mul(index, four));
    let word = Value::plain(terms.bits(32, 5));
    let data = Initial::Data(Rc::new(BTreeMap::from([(1000, 7), (1001, 8)])));
    let mut contents = Contents::new(1002, data);
    contents.store(&mut terms, place, 4, word).expect("an array");
    let end = contents.load(&mut terms, Place::At(1000), 2).expect("an array");
    let mut assignment = Assignment::new();
    assignment.set_term(&terms, index, braid_logic::Value::bits(64, 3));
    assert_eq!(Evaluator::new(&terms, &assignment).bits(end.term), Ok(0x0807));
}

/// Where nothing is, nothing happens.
#[test]
fn outside() {
    let mut terms = Terms::new();
    let mut contents = Contents::new(2, Initial::Zero);
    let word = Value::plain(terms.bits(32, 5));
    let offset = Place::Symbolic(terms.symbol("o", Sort::bits(64)));
    for place in [Place::At(0), Place::At(u64::MAX), offset] {
        assert_eq!(contents.store(&mut terms, place, 4, word), Ok(()));
        assert!(contents.load(&mut terms, place, 4).is_ok());
    }
    let byte = Value::plain(terms.bits(8, 1));
    assert_eq!(contents.fill(&mut terms, 5, 10, byte), Ok(()));
    assert_eq!(contents.written(), Some(Vec::new()));
}
