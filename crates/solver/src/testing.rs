//! Pseudo-random numbers and random terms for the tests of this crate.

use braid_logic::{ArrayValue, Assignment, BvOp, Sort, Term, Terms, Value};

pub struct Rng {
    state: u64,
}

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) }
    }

    pub fn next(&mut self) -> u64 {
        braid_base::rng::split_mix(&mut self.state)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn bits(&mut self, width: usize) -> u128 {
        let value = u128::from(self.next()) << 64 | u128::from(self.next());
        value >> (128 - width)
    }
}

/// Random terms over a few symbols, through the public constructors.
pub struct Grower {
    pub terms: Terms,
    pub rng: Rng,
    pub symbols: Vec<Term>,
    /// All terms made, symbols included.
    pool: Vec<Term>,
    widths: Vec<u32>,
    arrays: Vec<(u32, u32)>,
}

impl Grower {
    /// A few symbols of each sort: Booleans, bit-vectors of these widths, arrays of these index and
    /// element widths.
    pub fn new(seed: u64, booleans: usize, widths: &[u32], arrays: &[(u32, u32)]) -> Grower {
        let mut terms = Terms::new();
        let mut symbols = Vec::new();
        for number in 0..booleans {
            symbols.push(terms.symbol(&format!("p{number}"), Sort::Bool));
        }
        for (number, width) in widths.iter().enumerate() {
            symbols.push(terms.symbol(&format!("x{number}"), Sort::bits(*width)));
        }
        for (number, (index, element)) in arrays.iter().enumerate() {
            symbols.push(terms.symbol(&format!("a{number}"), Sort::array(*index, *element)));
        }
        let pool = symbols.clone();
        let mut widths = widths.to_vec();
        widths.extend(arrays.iter().flat_map(|(index, element)| [*index, *element]));
        Grower { terms, rng: Rng::new(seed), symbols, pool, widths, arrays: arrays.to_vec() }
    }

    /// A term of this sort made before, or a constant.
    pub fn pick(&mut self, sort: Sort) -> Term {
        let fitting: Vec<Term> = self.pool.iter().copied().filter(|t| self.terms.sort(*t) == sort).collect();
        if !fitting.is_empty() && self.rng.below(8) != 0 {
            return fitting[self.rng.below(fitting.len())];
        }
        match self.value(sort) {
            Value::Bool(value) => self.terms.bool(value),
            Value::Bits { width, bits } => self.terms.bits(width.get(), bits),
            Value::Array(array) => {
                let element = self.terms.bits(array.element.get(), array.default_element());
                self.terms.const_array(array.index.get(), element)
            }
            Value::Int(value) => self.terms.int(value),
        }
    }

    pub fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.rng.below(2) == 0),
            Sort::BitVec(width) => Value::bits(width.get(), self.number(width.get())),
            Sort::Int => Value::Int(i128::from(self.rng.next() as i64)),
            Sort::Array { index, element } => {
                let mut array = ArrayValue::constant(index, element, self.rng.bits(element.get() as usize));
                for _ in 0..self.rng.below(4) {
                    let (index, element) = (self.number(index.get()), self.number(element.get()));
                    array.store(index, element);
                }
                Value::Array(array)
            }
        }
    }

    /// Small numbers and their negatives are the interesting ones.
    fn number(&mut self, width: u32) -> u128 {
        let value = match self.rng.below(3) {
            0 => self.rng.below(4) as u128,
            1 => (self.rng.below(4) as u128).wrapping_neg(),
            _ => self.rng.bits(width as usize),
        };
        value & (u128::MAX >> (128 - width))
    }

    fn width(&mut self) -> u32 {
        self.widths[self.rng.below(self.widths.len())]
    }

    /// One more term.
    pub fn grow(&mut self) -> Term {
        let term = match self.rng.below(if self.arrays.is_empty() { 10 } else { 13 }) {
            0..=1 => self.grow_bool(),
            2 => self.grow_predicate(),
            3..=6 => self.grow_binary(),
            7..=8 => self.grow_slice(),
            9 => self.grow_choice(),
            _ => self.grow_array(),
        };
        self.pool.push(term);
        term
    }

    fn grow_bool(&mut self) -> Term {
        let [a, b, c] = [(); 3].map(|()| self.pick(Sort::Bool));
        match self.rng.below(6) {
            0 => self.terms.and(a, b),
            1 => self.terms.or(a, b),
            2 => self.terms.xor(a, b),
            3 => self.terms.not(a),
            4 => self.terms.and_all([a, b, c]),
            _ => self.terms.or_all([a, b, c]),
        }
    }

    fn grow_predicate(&mut self) -> Term {
        let width = self.width();
        let [a, b] = [(); 2].map(|()| self.pick(Sort::bits(width)));
        match self.rng.below(4) {
            0 => self.terms.eq(a, b),
            1 => self.terms.ult(a, b),
            2 => self.terms.slt(a, b),
            _ => self.terms.sle(a, b),
        }
    }

    fn grow_binary(&mut self) -> Term {
        let width = self.width();
        let [a, b] = [(); 2].map(|()| self.pick(Sort::bits(width)));
        let op = BvOp::ALL[self.rng.below(BvOp::ALL.len())];
        self.terms.bv(op, a, b)
    }

    /// A term of one width made from one of another.
    fn grow_slice(&mut self) -> Term {
        let (from, to) = (self.width(), self.width());
        let a = self.pick(Sort::bits(from));
        match self.rng.below(3) {
            0 => self.terms.resize_signed(a, to),
            1 if from + to <= 128 => {
                let b = self.pick(Sort::bits(to));
                let both = self.terms.concat(a, b);
                let low = self.rng.below(from as usize + 1) as u32;
                self.terms.extract(both, low + to - 1, low)
            }
            1 => self.terms.bv_not(a),
            _ => self.terms.resize_unsigned(a, to),
        }
    }

    fn grow_choice(&mut self) -> Term {
        let like = self.pool[self.rng.below(self.pool.len())];
        let sort = self.terms.sort(like);
        let condition = self.pick(Sort::Bool);
        let [yes, no] = [(); 2].map(|()| self.pick(sort));
        self.terms.ite(condition, yes, no)
    }

    fn grow_array(&mut self) -> Term {
        let (index, element) = self.arrays[self.rng.below(self.arrays.len())];
        let [array, other] = [(); 2].map(|()| self.pick(Sort::array(index, element)));
        let place = self.pick(Sort::bits(index));
        match self.rng.below(4) {
            0 => self.terms.select(array, place),
            1 => self.terms.eq(array, other),
            _ => {
                let value = self.pick(Sort::bits(element));
                self.terms.store(array, place, value)
            }
        }
    }

    /// A random value for each symbol.
    pub fn assignment(&mut self) -> Assignment {
        let mut assignment = Assignment::new();
        for symbol in self.symbols.clone() {
            let value = self.value(self.terms.sort(symbol));
            assignment.set_term(&self.terms, symbol, value);
        }
        assignment
    }

    /// The constant term of a value.
    pub fn constant(&mut self, value: &Value) -> Term {
        match value {
            Value::Bool(value) => self.terms.bool(*value),
            Value::Bits { width, bits } => self.terms.bits(width.get(), *bits),
            Value::Int(value) => self.terms.int(*value),
            Value::Array(array) => {
                let default = self.terms.bits(array.element.get(), array.default_element());
                let mut term = self.terms.const_array(array.index.get(), default);
                for (index, element) in array.entries() {
                    let index = self.terms.bits(array.index.get(), index);
                    let element = self.terms.bits(array.element.get(), element);
                    term = self.terms.store(term, index, element);
                }
                term
            }
        }
    }
}
