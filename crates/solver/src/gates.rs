//! Gates: Boolean operations on literals, simplified, shared and written as clauses.
//!
//! Each operation first folds constants and looks at its operands' own gates (two levels, after
//! Brummayer and Biere: "Local Two-Level And-Inverter Graph Minimization without Blowup", MEMICS 2006),
//! then looks for an equal gate, and only then makes a variable with its clauses (Tseitin 1968).
//! Exclusive or, multiplexer, majority and parity of three are gates of their own with complete clause
//! sets: built of and-gates they would propagate less.
//!
//! Clauses are written in both directions. Writing only the direction in use (Plaisted and Greenbaum
//! 1986) would be wrong here: a gate may be used again later, under the other sign.

use crate::lit::{Clauses, Lit};
use braid_base::HashMap;

/// A gate in normal form: operands sorted, signs moved to the output where possible.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Gate {
    And(Lit, Lit),
    /// Three or more operands.
    Conjunction(Box<[Lit]>),
    Xor(Lit, Lit),
    /// If the first then the second else the third.
    Mux(Lit, Lit, Lit),
    Majority(Lit, Lit, Lit),
    Parity(Lit, Lit, Lit),
}

/// The operands of a variable's gate, where the rules look at them.
#[derive(Clone, Copy)]
enum Shape {
    And(Lit, Lit),
    Xor(Lit, Lit),
    Other,
}

/// Builds gates into something that takes clauses.
pub struct Gates<S> {
    sink: S,
    truth: Lit,
    gates: HashMap<Gate, Lit>,
    /// By variable number; variables made elsewhere are missing at the end.
    shapes: Vec<Shape>,
}

impl<S: Clauses> Gates<S> {
    pub fn new(mut sink: S) -> Gates<S> {
        let truth = sink.new_var().positive();
        sink.add_clause(&[truth]);
        Gates { sink, truth, gates: HashMap::default(), shapes: Vec::new() }
    }

    pub fn sink(&self) -> &S {
        &self.sink
    }

    /// What takes the clauses. Clauses added there directly are not looked at by simplification.
    pub fn sink_mut(&mut self) -> &mut S {
        &mut self.sink
    }

    pub fn into_sink(self) -> S {
        self.sink
    }

    pub fn constant(&self, value: bool) -> Lit {
        self.truth.negate_if(!value)
    }

    /// The value of a literal that is a constant.
    pub fn as_constant(&self, lit: Lit) -> Option<bool> {
        (lit.var() == self.truth.var()).then_some(lit == self.truth)
    }

    pub fn new_input(&mut self) -> Lit {
        self.sink.new_var().positive()
    }

    /// Demands that one of the literals hold.
    pub fn add_clause(&mut self, clause: &[Lit]) {
        self.sink.add_clause(clause);
    }

    fn shape(&self, lit: Lit) -> Shape {
        self.shapes.get(lit.var().number()).copied().unwrap_or(Shape::Other)
    }

    /// The output of a gate in normal form and whether it is new.
    fn gate(&mut self, gate: Gate, shape: Shape) -> (Lit, bool) {
        if let Some(output) = self.gates.get(&gate) {
            return (*output, false);
        }
        let output = self.sink.new_var().positive();
        let index = output.var().number();
        if let Shape::And(..) | Shape::Xor(..) = shape {
            self.shapes.resize(index, Shape::Other);
            self.shapes.push(shape);
        }
        self.gates.insert(gate, output);
        (output, true)
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (mut a, mut b) = (a, b);
        // Each step leaves a smaller conjunction, so this ends.
        loop {
            match self.simplify_and(a, b).or_else(|| self.simplify_and(b, a)) {
                Some(Simpler::Is(lit)) => return lit,
                Some(Simpler::And(first, second)) => (a, b) = (first, second),
                None => return self.new_and(a.min(b), a.max(b)),
            }
        }
    }

    fn new_and(&mut self, a: Lit, b: Lit) -> Lit {
        let (output, new) = self.gate(Gate::And(a, b), Shape::And(a, b));
        if new {
            self.sink.add_clause(&[!output, a]);
            self.sink.add_clause(&[!output, b]);
            self.sink.add_clause(&[output, !a, !b]);
        }
        output
    }

    /// One rule of the conjunction of `a` and `b`, looking into `a`'s gate (and `b`'s).
    fn simplify_and(&self, a: Lit, b: Lit) -> Option<Simpler> {
        let no = Simpler::Is(!self.truth);
        if a == self.truth || a == b {
            return Some(Simpler::Is(b));
        }
        if a == !self.truth || a == !b {
            return Some(no);
        }
        let Shape::And(x, y) = self.shape(a) else { return None };
        let other = match self.shape(b) {
            Shape::And(z, w) => Some((z, w)),
            Shape::Xor(..) | Shape::Other => None,
        };
        if a.is_negative() { rule_negative(x, y, b, other) } else { rule_positive(a, x, y, b, other, no) }
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// The conjunction of any number of literals, one variable for all.
    pub fn and_all(&mut self, lits: &[Lit]) -> Lit {
        let mut operands: Vec<Lit> = lits.iter().copied().filter(|lit| *lit != self.truth).collect();
        operands.sort();
        operands.dedup();
        let opposite = operands.windows(2).any(|pair| pair[0] == !pair[1]);
        if opposite || operands.contains(&!self.truth) {
            return !self.truth;
        }
        match operands[..] {
            [] => self.truth,
            [only] => only,
            [a, b] => self.and(a, b),
            [..] => self.new_conjunction(operands),
        }
    }

    fn new_conjunction(&mut self, operands: Vec<Lit>) -> Lit {
        let gate = Gate::Conjunction(operands.clone().into_boxed_slice());
        let (output, new) = self.gate(gate, Shape::Other);
        if new {
            for lit in &operands {
                self.sink.add_clause(&[!output, *lit]);
            }
            let mut all: Vec<Lit> = operands.into_iter().map(|lit| !lit).collect();
            all.push(output);
            self.sink.add_clause(&all);
        }
        output
    }

    pub fn or_all(&mut self, lits: &[Lit]) -> Lit {
        let negated: Vec<Lit> = lits.iter().map(|lit| !*lit).collect();
        !self.and_all(&negated)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let sign = a.is_negative() != b.is_negative();
        let (a, b) = (a.var().positive().min(b.var().positive()), a.var().positive().max(b.var().positive()));
        if a == b {
            return self.constant(sign);
        }
        // The constant is the first variable, so it sorts first.
        if a == self.truth {
            return b.negate_if(!sign);
        }
        for (pair, other) in [(a, b), (b, a)] {
            if let Shape::Xor(x, y) = self.shape(pair)
                && (x == other || y == other)
            {
                return if x == other { y } else { x }.negate_if(sign);
            }
        }
        let (output, new) = self.gate(Gate::Xor(a, b), Shape::Xor(a, b));
        if new {
            self.sink.add_clause(&[!output, a, b]);
            self.sink.add_clause(&[!output, !a, !b]);
            self.sink.add_clause(&[output, !a, b]);
            self.sink.add_clause(&[output, a, !b]);
        }
        output.negate_if(sign)
    }

    /// Whether two literals are equal.
    pub fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// `then` if `condition` holds, else `otherwise`.
    pub fn mux(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        let (c, t, e) = match condition.is_negative() {
            true => (!condition, otherwise, then),
            false => (condition, then, otherwise),
        };
        if c == self.truth || t == e {
            return t;
        }
        if t == !e {
            return self.iff(c, t);
        }
        // A branch that is constant, or the condition itself, leaves a conjunction or disjunction.
        if t == self.truth || t == c {
            return self.or(c, e);
        }
        if t == !self.truth || t == !c {
            return self.and(!c, e);
        }
        if e == self.truth || e == !c {
            return self.or(!c, t);
        }
        if e == !self.truth || e == c {
            return self.and(c, t);
        }
        let sign = t.is_negative();
        self.new_mux(c, t.negate_if(sign), e.negate_if(sign)).negate_if(sign)
    }

    fn new_mux(&mut self, c: Lit, t: Lit, e: Lit) -> Lit {
        let (output, new) = self.gate(Gate::Mux(c, t, e), Shape::Other);
        if new {
            self.sink.add_clause(&[!c, !t, output]);
            self.sink.add_clause(&[!c, t, !output]);
            self.sink.add_clause(&[c, !e, output]);
            self.sink.add_clause(&[c, e, !output]);
            // Not needed, but they propagate when the condition is open.
            self.sink.add_clause(&[!t, !e, output]);
            self.sink.add_clause(&[t, e, !output]);
        }
        output
    }

    /// Whether at least two of three hold: the carry of a full adder.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut operands = [a, b, c];
        operands.sort();
        let [a, b, c] = operands;
        if a == b || a == !b {
            return if a == b { a } else { c };
        }
        if b == c || b == !c {
            return if b == c { b } else { a };
        }
        match self.as_constant(a) {
            Some(true) => return self.or(b, c),
            Some(false) => return self.and(b, c),
            None => {}
        }
        // Majority is its own dual.
        let sign = a.is_negative();
        let [a, b, c] = operands.map(|lit| lit.negate_if(sign));
        let (output, new) = self.gate(Gate::Majority(a, b, c), Shape::Other);
        if new {
            for (x, y) in [(a, b), (a, c), (b, c)] {
                self.sink.add_clause(&[!x, !y, output]);
                self.sink.add_clause(&[x, y, !output]);
            }
        }
        output.negate_if(sign)
    }

    /// Whether an odd number of three hold: the sum of a full adder.
    pub fn parity(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let sign = a.is_negative() ^ b.is_negative() ^ c.is_negative();
        let mut operands = [a, b, c].map(|lit| lit.var().positive());
        operands.sort();
        let [a, b, c] = operands;
        if a == b {
            return c.negate_if(sign);
        }
        if b == c {
            return a.negate_if(sign);
        }
        if a == self.truth {
            return self.xor(b, c).negate_if(!sign);
        }
        let (output, new) = self.gate(Gate::Parity(a, b, c), Shape::Other);
        if new {
            for mask in 0..8u32 {
                // Each clause forbids one wrong row of the table.
                let bit = |n: u32| mask >> n & 1 == 1;
                let odd = mask.count_ones() % 2 == 1;
                let row =
                    [a.negate_if(bit(0)), b.negate_if(bit(1)), c.negate_if(bit(2)), output.negate_if(!odd)];
                self.sink.add_clause(&row);
            }
        }
        output.negate_if(sign)
    }

    /// Sum and carry of three bits.
    pub fn full_adder(&mut self, a: Lit, b: Lit, c: Lit) -> (Lit, Lit) {
        let before = self.gates.len();
        let (sum, carry) = (self.parity(a, b, c), self.majority(a, b, c));
        // Two new gates: neither was known, nor did it fold to something smaller.
        if self.gates.len() == before + 2 && [a, b, c].iter().all(|lit| self.as_constant(*lit).is_none()) {
            // Not needed, but without them two ones in sum and carry do not propagate to the inputs.
            for input in [a, b, c] {
                self.sink.add_clause(&[!sum, !carry, input]);
                self.sink.add_clause(&[sum, carry, !input]);
            }
        }
        (sum, carry)
    }
}

/// What a conjunction simplifies to.
enum Simpler {
    Is(Lit),
    And(Lit, Lit),
}

/// Rules for `(x and y) and b`, where `b` may be `(z and w)` or its negation.
fn rule_positive(a: Lit, x: Lit, y: Lit, b: Lit, other: Option<(Lit, Lit)>, no: Simpler) -> Option<Simpler> {
    if b == x || b == y {
        return Some(Simpler::Is(a));
    }
    if b == !x || b == !y {
        return Some(no);
    }
    let (z, w) = other.filter(|_| !b.is_negative())?;
    // One operand in common: the other gate adds only its second operand.
    if z == !x || z == !y || w == !x || w == !y {
        Some(no)
    } else if z == x || z == y {
        Some(Simpler::And(a, w))
    } else if w == x || w == y {
        Some(Simpler::And(a, z))
    } else {
        None
    }
}

/// Rules for `not (x and y) and b`, where `b` may be `(z and w)` or its negation.
fn rule_negative(x: Lit, y: Lit, b: Lit, other: Option<(Lit, Lit)>) -> Option<Simpler> {
    if b == !x || b == !y {
        return Some(Simpler::Is(b));
    }
    if b == x || b == y {
        return Some(Simpler::And(if b == x { !y } else { !x }, b));
    }
    let (z, w) = other?;
    if !b.is_negative() {
        if z == !x || z == !y || w == !x || w == !y {
            return Some(Simpler::Is(b));
        }
        if z == x || w == x {
            return Some(Simpler::And(!y, b));
        }
        return (z == y || w == y).then_some(Simpler::And(!x, b));
    }
    // Resolution: not (x and y) and not (x and not y) is not x.
    for (p, q) in [(x, y), (y, x)] {
        if (p == z && q == !w) || (p == w && q == !z) {
            return Some(Simpler::Is(!p));
        }
    }
    None
}

#[cfg(test)]
mod tests;
