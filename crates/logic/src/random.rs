//! Random terms together with their values, for tests.
//!
//! A [`Pool`] grows by applying constructors to members; the value of each new member under every
//! assignment is computed from the *values* of its arguments, never from terms, so a wrong
//! simplification shows as a difference to evaluation.

use crate::*;
pub use braid_base::rng::Rng;

#[derive(Clone)]
pub struct Member {
    pub term: Term,
    pub values: Vec<Value>,
}

pub struct Pool {
    pub terms: Terms,
    pub assignments: Vec<Assignment>,
    pub members: Vec<Member>,
    pub rng: Rng,
    /// Whether the element of a constant array may be any term.
    pub any_const_array: bool,
    widths: Vec<u32>,
}

/// The index and element widths of the arrays.
const ARRAY: (u32, u32) = (3, 4);

impl Pool {
    /// Symbols of all sorts, with bit-vectors of these widths, and random values for them.
    pub fn new(seed: u64, widths: &[u32], assignments: usize) -> Pool {
        let mut pool = Pool {
            terms: Terms::new(),
            assignments: vec![Assignment::new(); assignments],
            members: Vec::new(),
            rng: Rng::new(seed),
            any_const_array: true,
            widths: widths.to_vec(),
        };
        let mut sorts = vec![Sort::Bool, Sort::Int, Sort::array(ARRAY.0, ARRAY.1)];
        sorts.extend(widths.iter().chain(&[ARRAY.0, ARRAY.1]).map(|w| Sort::bits(*w)));
        for sort in sorts {
            for _ in 0..3 {
                pool.add_symbol(sort);
            }
        }
        pool
    }

    /// Gives every bit-vector symbol values near each other, so that ranges are small.
    pub fn crowd(&mut self) {
        for at in 0..self.members.len() {
            let term = self.members[at].term;
            let Some(width) = self.terms.sort(term).width() else { continue };
            let base = self.rng.value(width);
            let reach = *self.rng.pick(&[1, 2, 5, 20, 100]);
            for i in 0..self.assignments.len() {
                let value = Value::bits(width, base.wrapping_add(self.rng.below(reach) as u128));
                self.assignments[i].set_term(&self.terms, term, value.clone());
                self.members[at].values[i] = value;
            }
        }
    }

    fn add_symbol(&mut self, sort: Sort) {
        let term = self.terms.fresh("v", sort);
        let mut values = Vec::new();
        for at in 0..self.assignments.len() {
            let value = self.random_value(sort);
            self.assignments[at].set_term(&self.terms, term, value.clone());
            values.push(value);
        }
        self.members.push(Member { term, values });
    }

    fn random_value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.rng.below(2) == 0),
            Sort::BitVec(width) => Value::bits(width.get(), self.rng.value(width.get())),
            Sort::Int => Value::Int(self.rng.below(20) as i128 - 10),
            Sort::Array { index, element } => {
                let mut array = ArrayValue::constant(index, element, self.rng.value(element.get()));
                for _ in 0..self.rng.below(4) {
                    array.store(self.rng.value(index.get()), self.rng.value(element.get()));
                }
                Value::Array(array)
            }
        }
    }

    /// A member of this sort; recent ones are more frequent, so terms grow.
    pub fn member(&mut self, sort: Sort) -> Member {
        let fitting: Vec<usize> =
            (0..self.members.len()).filter(|i| self.terms.sort(self.members[*i].term) == sort).collect();
        let from = if self.rng.below(2) == 0 { 0 } else { fitting.len() * 2 / 3 };
        let at = fitting[from + self.rng.below(fitting.len() - from)];
        self.members[at].clone()
    }

    fn any_width(&mut self) -> u32 {
        let widths = self.widths.clone();
        *self.rng.pick(&widths)
    }

    fn bits_member(&mut self) -> (u32, Member) {
        let width = self.any_width();
        (width, self.member(Sort::bits(width)))
    }

    fn push(&mut self, term: Term, values: Vec<Value>) {
        self.members.push(Member { term, values });
    }

    fn zip(&self, a: &Member, b: &Member, f: impl Fn(&Value, &Value) -> Value) -> Vec<Value> {
        a.values.iter().zip(&b.values).map(|(x, y)| f(x, y)).collect()
    }

    /// One more member, by a random operation.
    pub fn grow(&mut self) {
        match self.rng.below(14) {
            0 => self.grow_constant(),
            1 | 2 => self.grow_connective(),
            3 => self.grow_ite(),
            4 | 5 => self.grow_equality(),
            6 => self.grow_order(),
            7 | 8 => self.grow_binary(),
            9 => self.grow_overflow(),
            10 => self.grow_slice(),
            11 => self.grow_pieces(),
            12 => self.grow_array(),
            _ => self.grow_int(),
        }
    }

    fn grow_constant(&mut self) {
        let sort = match self.rng.below(6) {
            0 => Sort::Bool,
            1 => Sort::Int,
            _ => Sort::bits(self.any_width()),
        };
        let value = self.random_value(sort);
        let term = match &value {
            Value::Bool(b) => self.terms.bool(*b),
            Value::Bits { width, bits } => self.terms.bits(width.get(), *bits),
            Value::Int(i) => self.terms.int(*i),
            Value::Array(_) => unreachable!("not asked for"),
        };
        let values = vec![value; self.assignments.len()];
        self.push(term, values);
    }

    fn grow_connective(&mut self) {
        let (a, b) = (self.member(Sort::Bool), self.member(Sort::Bool));
        let t = &mut self.terms;
        type Rule = fn(bool, bool) -> bool;
        let (term, rule): (Term, Rule) = match self.rng.below(5) {
            0 => (t.and(a.term, b.term), |x, y| x && y),
            1 => (t.or(a.term, b.term), |x, y| x || y),
            2 => (t.xor(a.term, b.term), |x, y| x != y),
            3 => (t.implies(a.term, b.term), |x, y| !x || y),
            _ => (t.not(a.term), |x, _| !x),
        };
        let values = self.zip(&a, &b, |x, y| Value::Bool(rule(x.as_bool().unwrap(), y.as_bool().unwrap())));
        self.push(term, values);
    }

    fn grow_ite(&mut self) {
        let sort = match self.rng.below(6) {
            0 => Sort::Bool,
            1 => Sort::Int,
            2 => Sort::array(ARRAY.0, ARRAY.1),
            _ => Sort::bits(self.any_width()),
        };
        let (c, a, b) = (self.member(Sort::Bool), self.member(sort), self.member(sort));
        let term = self.terms.ite(c.term, a.term, b.term);
        let values = (0..c.values.len())
            .map(|i| if c.values[i] == Value::Bool(true) { a.values[i].clone() } else { b.values[i].clone() })
            .collect();
        self.push(term, values);
    }

    fn grow_equality(&mut self) {
        let sort = match self.rng.below(8) {
            0 => Sort::Bool,
            1 => Sort::Int,
            2 => Sort::array(ARRAY.0, ARRAY.1),
            _ => Sort::bits(self.any_width()),
        };
        let (a, b) = (self.member(sort), self.member(sort));
        let term = self.terms.eq(a.term, b.term);
        let values = self.zip(&a, &b, |x, y| Value::Bool(x == y));
        self.push(term, values);
    }

    fn grow_order(&mut self) {
        let (width, a) = self.bits_member();
        let b = self.member(Sort::bits(width));
        let t = &mut self.terms;
        type Rule = fn(u128, u128, i128, i128) -> bool;
        let (term, rule): (Term, Rule) = match self.rng.below(8) {
            0 => (t.ult(a.term, b.term), |x, y, _, _| x < y),
            1 => (t.ule(a.term, b.term), |x, y, _, _| x <= y),
            2 => (t.ugt(a.term, b.term), |x, y, _, _| x > y),
            3 => (t.uge(a.term, b.term), |x, y, _, _| x >= y),
            4 => (t.slt(a.term, b.term), |_, _, x, y| x < y),
            5 => (t.sle(a.term, b.term), |_, _, x, y| x <= y),
            6 => (t.sgt(a.term, b.term), |_, _, x, y| x > y),
            _ => (t.sge(a.term, b.term), |_, _, x, y| x >= y),
        };
        let values = self.zip(&a, &b, |x, y| {
            let (x, y) = (x.as_bits().unwrap(), y.as_bits().unwrap());
            Value::Bool(rule(x, y, bits::signed(width, x), bits::signed(width, y)))
        });
        self.push(term, values);
    }

    fn grow_binary(&mut self) {
        let (width, a) = self.bits_member();
        let b = self.member(Sort::bits(width));
        if self.rng.below(8) == 0 {
            let complement = self.rng.below(2) == 0;
            let term = if complement { self.terms.bv_not(a.term) } else { self.terms.bv_neg(a.term) };
            let rule = |x: u128| if complement { !x } else { x.wrapping_neg() };
            let values = self.zip(&a, &a, |x, _| Value::bits(width, rule(x.as_bits().unwrap())));
            return self.push(term, values);
        }
        let op = *self.rng.pick(&BvOp::ALL);
        let term = self.terms.bv(op, a.term, b.term);
        let values = self.zip(&a, &b, |x, y| {
            Value::bits(width, bits::binary(op, width, x.as_bits().unwrap(), y.as_bits().unwrap()))
        });
        self.push(term, values);
    }

    fn grow_overflow(&mut self) {
        let (width, a) = self.bits_member();
        let b = self.member(Sort::bits(width));
        let t = &mut self.terms;
        let kind = self.rng.below(8);
        let term = match kind {
            0 => t.uadd_overflow(a.term, b.term),
            1 => t.usub_overflow(a.term, b.term),
            2 => t.umul_overflow(a.term, b.term),
            3 => t.sadd_overflow(a.term, b.term),
            4 => t.ssub_overflow(a.term, b.term),
            5 => t.smul_overflow(a.term, b.term),
            6 => t.neg_overflow(a.term),
            _ => t.sdiv_overflow(a.term, b.term),
        };
        let values = self.zip(&a, &b, |x, y| {
            Value::Bool(overflows(kind, width, x.as_bits().unwrap(), y.as_bits().unwrap()))
        });
        self.push(term, values);
    }

    fn grow_slice(&mut self) {
        let (width, a) = self.bits_member();
        let to = self.any_width();
        match self.rng.below(4) {
            0 if to < width => {
                let lo = self.rng.below((width - to + 1) as usize) as u32;
                let term = self.terms.extract(a.term, lo + to - 1, lo);
                let values = self.zip(&a, &a, |x, _| Value::bits(to, x.as_bits().unwrap() >> lo));
                self.push(term, values);
            }
            1 if to >= width => {
                let term = self.terms.zero_extend(a.term, to);
                let values = self.zip(&a, &a, |x, _| Value::bits(to, x.as_bits().unwrap()));
                self.push(term, values);
            }
            2 if to >= width => {
                let term = self.terms.sign_extend(a.term, to);
                let values = self
                    .zip(&a, &a, |x, _| Value::bits(to, bits::signed(width, x.as_bits().unwrap()) as u128));
                self.push(term, values);
            }
            _ => {
                let (low_width, b) = self.bits_member();
                if !self.widths.contains(&(width + low_width)) {
                    return;
                }
                let term = self.terms.concat(a.term, b.term);
                let values = self.zip(&a, &b, |x, y| {
                    Value::bits(width + low_width, x.as_bits().unwrap() << low_width | y.as_bits().unwrap())
                });
                self.push(term, values);
            }
        }
    }

    /// Two slices of one member, put together again: often adjacent ones.
    fn grow_pieces(&mut self) {
        let (width, a) = self.bits_member();
        let cut = self.rng.below(width as usize) as u32;
        let gap = *self.rng.pick(&[0, 0, 0, 1, 2]);
        let top = (cut + 1 + gap + self.rng.below(4) as u32).min(width - 1);
        let (high_low, low_low) = (cut + 1 + gap, cut - self.rng.below(cut as usize + 1) as u32);
        if high_low > top || !self.widths.contains(&(top - high_low + 1 + cut - low_low + 1)) {
            return;
        }
        let t = &mut self.terms;
        let (high, low) = (t.extract(a.term, top, high_low), t.extract(a.term, cut, low_low));
        let term = t.concat(high, low);
        let (total, low_width) = (t.width(high) + t.width(low), t.width(low));
        let values = self.zip(&a, &a, |x, _| {
            let x = x.as_bits().unwrap();
            Value::bits(total, bits::extract(top, high_low, x) << low_width | bits::extract(cut, low_low, x))
        });
        assert_eq!(self.terms.width(term), total);
        self.push(term, values);
    }

    fn grow_array(&mut self) {
        let (sort, index_sort, element_sort) =
            (Sort::array(ARRAY.0, ARRAY.1), Sort::bits(ARRAY.0), Sort::bits(ARRAY.1));
        let (a, i, e) = (self.member(sort), self.member(index_sort), self.member(element_sort));
        let constructible = self.any_const_array || self.terms.is_constant(e.term);
        let kind = self.rng.below(if constructible { 5 } else { 4 });
        let term = match kind {
            0 | 1 => self.terms.select(a.term, i.term),
            2 | 3 => self.terms.store(a.term, i.term, e.term),
            _ => self.terms.const_array(ARRAY.0, e.term),
        };
        let apply = |at: usize| {
            let Value::Array(array) = &a.values[at] else { unreachable!("sorts") };
            let (i, e) = (i.values[at].as_bits().unwrap(), e.values[at].as_bits().unwrap());
            match kind {
                0 | 1 => Value::bits(ARRAY.1, array.select(i)),
                2 | 3 => {
                    let mut array = array.clone();
                    array.store(i, e);
                    Value::Array(array)
                }
                _ => Value::Array(ArrayValue::constant(Width::new(ARRAY.0), Width::new(ARRAY.1), e)),
            }
        };
        let values = (0..self.assignments.len()).map(apply).collect();
        self.push(term, values);
    }

    fn grow_int(&mut self) {
        let (a, b) = (self.member(Sort::Int), self.member(Sort::Int));
        // Products of products leave 128 bits; nothing is claimed then.
        let small = |m: &Member| m.values.iter().all(|v| v.as_int().unwrap().abs() < 1 << 40);
        if !small(&a) || !small(&b) {
            return;
        }
        let t = &mut self.terms;
        type Rule = fn(i128, i128) -> Value;
        let (term, rule): (Term, Rule) = match self.rng.below(6) {
            0 => (t.int_add(a.term, b.term), |x, y| Value::Int(x + y)),
            1 => (t.int_sub(a.term, b.term), |x, y| Value::Int(x - y)),
            2 => (t.int_mul(a.term, b.term), |x, y| Value::Int(x * y)),
            3 => (t.int_neg(a.term), |x, _| Value::Int(-x)),
            4 => (t.int_lt(a.term, b.term), |x, y| Value::Bool(x < y)),
            _ => (t.int_le(a.term, b.term), |x, y| Value::Bool(x <= y)),
        };
        let values = self.zip(&a, &b, |x, y| rule(x.as_int().unwrap(), y.as_int().unwrap()));
        self.push(term, values);
    }
}

/// The overflow predicates in exact arithmetic; `None` of a checked operation is beyond any width.
fn overflows(kind: usize, width: u32, x: u128, y: u128) -> bool {
    let (sx, sy) = (bits::signed(width, x), bits::signed(width, y));
    let unsigned = |r: Option<u128>| r.is_none_or(|r| r > bits::mask(width));
    let signed = |r: Option<i128>| r.is_none_or(|r| bits::signed(width, r as u128 & bits::mask(width)) != r);
    match kind {
        0 => unsigned(x.checked_add(y)),
        1 => unsigned(x.checked_sub(y)),
        2 => unsigned(x.checked_mul(y)),
        3 => signed(sx.checked_add(sy)),
        4 => signed(sx.checked_sub(sy)),
        5 => signed(sx.checked_mul(sy)),
        6 => signed(sx.checked_neg()),
        _ => sy == -1 && signed(sx.checked_neg()),
    }
}
