//! The rules, as a table: what is written on the left is built as what is written on the right.
//!
//! That a rule is right is checked elsewhere, by value; here, that it is applied.

use crate::smtlib::token::{Token, tokens};
use crate::*;

/// Builds an expression in SMT-LIB's notation with the constructors. Symbols: `p q r` are Booleans,
/// `x y z` have 8 bits, `b` has one, `w` 32, `m n` are integers, `a` is an array from 8 to 8 bits.
struct Builder<'a> {
    terms: &'a mut Terms,
    tokens: Vec<Token<'a>>,
    at: usize,
}

fn build<'a>(terms: &'a mut Terms, text: &'a str) -> Term {
    let tokens = tokens(text).unwrap().into_iter().map(|(_, token)| token).collect();
    let mut builder = Builder { terms, tokens, at: 0 };
    let term = builder.expression();
    assert_eq!(builder.at, builder.tokens.len(), "{text}");
    term
}

impl<'a> Builder<'a> {
    fn next(&mut self) -> Token<'a> {
        self.at += 1;
        self.tokens[self.at - 1]
    }

    fn atom(&mut self) -> &'a str {
        let Token::Atom(text) = self.next() else { panic!("expected a word at {}", self.at) };
        text
    }

    fn number(&mut self) -> u32 {
        self.atom().parse().unwrap()
    }

    fn expression(&mut self) -> Term {
        match self.next() {
            Token::Atom(word) => self.leaf(word),
            Token::Close => panic!("unexpected ) at {}", self.at),
            Token::Open => {
                let (name, parameters) = self.head();
                let mut args = Vec::new();
                while self.tokens[self.at] != Token::Close {
                    args.push(self.expression());
                }
                self.at += 1;
                self.apply(name, &parameters, &args)
            }
        }
    }

    /// `name` or `(_ name 1 2)`.
    fn head(&mut self) -> (&'a str, Vec<u32>) {
        if self.tokens[self.at] != Token::Open {
            return (self.atom(), Vec::new());
        }
        self.at += 2;
        let name = self.atom();
        let mut parameters = Vec::new();
        while self.tokens[self.at] != Token::Close {
            parameters.push(self.number());
        }
        self.at += 1;
        (name, parameters)
    }

    fn leaf(&mut self, word: &str) -> Term {
        let sort = match word {
            "true" | "false" => return self.terms.bool(word == "true"),
            "p" | "q" | "r" => Sort::Bool,
            "x" | "y" | "z" => Sort::bits(8),
            "b" => Sort::bits(1),
            "w" => Sort::bits(32),
            "m" | "n" => Sort::Int,
            "a" => Sort::array(8, 8),
            _ => return self.literal(word),
        };
        self.terms.symbol(word, sort)
    }

    fn literal(&mut self, word: &str) -> Term {
        if let Some(digits) = word.strip_prefix("#x") {
            return self.terms.bits(4 * digits.len() as u32, u128::from_str_radix(digits, 16).unwrap());
        }
        if let Some(digits) = word.strip_prefix("#b") {
            return self.terms.bits(digits.len() as u32, u128::from_str_radix(digits, 2).unwrap());
        }
        self.terms.int(word.parse().unwrap())
    }

    fn apply(&mut self, name: &str, parameters: &[u32], args: &[Term]) -> Term {
        let t = &mut *self.terms;
        match (name, parameters, args) {
            ("not", [], &[a]) => t.not(a),
            ("and", [], _) => t.and_all(args.iter().copied()),
            ("or", [], _) => t.or_all(args.iter().copied()),
            ("xor", [], &[a, b]) => t.xor(a, b),
            ("=>", [], &[a, b]) => t.implies(a, b),
            ("=", [], &[a, b]) => t.eq(a, b),
            ("ite", [], &[a, b, c]) => t.ite(a, b, c),
            ("concat", [], &[a, b]) => t.concat(a, b),
            ("extract", [hi, lo], &[a]) => t.extract(a, *hi, *lo),
            ("zero_extend", [more], &[a]) => t.zero_extend(a, t.width(a) + more),
            ("sign_extend", [more], &[a]) => t.sign_extend(a, t.width(a) + more),
            ("bvnot", [], &[a]) => t.bv_not(a),
            ("bvneg", [], &[a]) => t.bv_neg(a),
            ("bvult", [], &[a, b]) => t.ult(a, b),
            ("bvule", [], &[a, b]) => t.ule(a, b),
            ("bvslt", [], &[a, b]) => t.slt(a, b),
            ("bvsle", [], &[a, b]) => t.sle(a, b),
            ("select", [], &[a, i]) => t.select(a, i),
            ("store", [], &[a, i, e]) => t.store(a, i, e),
            ("const", [], &[e]) => t.const_array(8, e),
            ("+", [], &[a, b]) => t.int_add(a, b),
            ("-", [], &[a, b]) => t.int_sub(a, b),
            ("*", [], &[a, b]) => t.int_mul(a, b),
            ("<", [], &[a, b]) => t.int_lt(a, b),
            ("<=", [], &[a, b]) => t.int_le(a, b),
            (_, [], &[a, b]) => {
                let op = BvOp::ALL.into_iter().find(|op| format!("bv{op:?}").to_lowercase() == name);
                t.bv(op.unwrap_or_else(|| panic!("{name}")), a, b)
            }
            _ => panic!("{name} {parameters:?} of {} arguments", args.len()),
        }
    }
}

/// Each line: an expression, `-->`, and what it becomes.
fn check(table: &str) {
    let mut terms = Terms::new();
    // Symbols exist beforehand, so the order of arguments does not depend on the line.
    build(&mut terms, "(and p (or q r) (= x (bvadd y z)) (= b #b1) (= w #x00000001) (< m n) (= a a))");
    for line in table.lines().map(str::trim).filter(|l| !l.is_empty()) {
        let (left, right) = line.split_once("-->").unwrap();
        let (left, right) = (build(&mut terms, left), build(&mut terms, right));
        let text = |t: Term| smtlib::Printer::new().expression(&terms, t).1;
        assert!(left == right, "{line}\n  built: {}\n  meant: {}", text(left), text(right));
    }
}

#[test]
fn connectives() {
    check(
        "(not (not p)) --> p
         (and p true) --> p
         (and p false) --> false
         (and p (not p)) --> false
         (and q p) --> (and p q)
         (or p (not p)) --> true
         (or p p) --> p
         (and p (or p q)) --> p
         (or p (and p q)) --> p
         (and p (and p q)) --> (and p q)
         (and (not p) (and p q)) --> false
         (and p (or (not p) q)) --> (and p q)
         (and (and p r) (or (not p) q)) --> (and (and p r) q)
         (and (= x #x01) (= x #x02)) --> false
         (and (= x #x01) (not (= x #x02))) --> (= x #x01)
         (xor p p) --> false
         (xor p (not p)) --> true
         (= p (not q)) --> (not (= q p))
         (= p true) --> p
         (= p false) --> (not p)
         (=> p p) --> true
         (and) --> true
         (or) --> false",
    );
}

#[test]
fn choices() {
    check(
        "(ite true x y) --> x
         (ite p x x) --> x
         (ite (not p) x y) --> (ite p y x)
         (ite p true q) --> (or p q)
         (ite p false q) --> (and (not p) q)
         (ite p q false) --> (and p q)
         (ite p q true) --> (or (not p) q)
         (ite p p q) --> (or p q)
         (ite p q p) --> (and p q)
         (ite p q (not q)) --> (= p q)
         (ite p (ite p x y) z) --> (ite p x z)
         (ite p x (ite p y z)) --> (ite p x z)
         (ite p (ite q x y) y) --> (ite (and p q) x y)
         (ite p x (ite q x y)) --> (ite (or p q) x y)
         (ite (= x y) x y) --> y
         (ite (= b #b1) #b1 #b0) --> b
         (ite (= b #b1) #b0 #b1) --> (bvnot b)
         (= (ite p #x01 #x00) #x01) --> p
         (= (ite p #x01 #x00) #x00) --> (not p)
         (= (ite p #x01 #x00) #x02) --> false
         (= ((_ zero_extend 24) (ite p #x01 #x00)) #x00000001) --> p
         (= (ite p #x01 (ite q #x02 x)) #x02) --> (and (not p) (or q (= x #x02)))
         (= (ite p x y) x) --> (or p (= x y))
         (= (ite p #x01 #x02) (ite q #x01 #x02)) --> (= p q)
         (bvadd (ite p #x01 #x00) #x05) --> (ite p #x06 #x05)
         (bvult (ite p #x01 #x09) #x05) --> p",
    );
}

#[test]
fn sums_and_products() {
    check(
        "(bvadd #x05 x) --> (bvadd x #x05)
         (bvadd x #x00) --> x
         (bvadd (bvadd x #x05) #xfb) --> x
         (bvadd (bvadd x #x01) (bvadd y #x02)) --> (bvadd (bvadd x y) #x03)
         (bvsub x x) --> #x00
         (bvsub x #x01) --> (bvadd x #xff)
         (bvsub (bvadd x y) x) --> y
         (bvadd (bvsub x y) y) --> x
         (bvsub (bvadd x #x03) (bvadd x #x01)) --> #x02
         (bvneg (bvneg x)) --> x
         (bvadd x (bvneg y)) --> (bvsub x y)
         (= (bvadd x #x05) #x07) --> (= x #x02)
         (= (bvadd x #x05) (bvadd y #x05)) --> (= x y)
         (= (bvadd x y) x) --> (= y #x00)
         (= (bvsub x y) #x00) --> (= x y)
         (= (bvxor x #x0f) #xff) --> (= x #xf0)
         (= (bvmul x #x03) #x09) --> (= x #x03)
         (bvmul x #x00) --> #x00
         (bvmul x #x01) --> x
         (bvmul x #xff) --> (bvneg x)
         (bvmul x #x08) --> (concat ((_ extract 4 0) x) #b000)
         (bvmul (bvmul x #x03) #x05) --> (bvmul x #x0f)
         (bvudiv x #x10) --> ((_ zero_extend 4) ((_ extract 7 4) x))
         (bvudiv x #x00) --> #xff
         (bvurem x #x10) --> ((_ zero_extend 4) ((_ extract 3 0) x))
         (bvurem x #x01) --> #x00
         (bvurem x x) --> #x00
         (bvsdiv x #x01) --> x
         (bvsdiv x #xff) --> (bvneg x)
         (bvsrem x #x01) --> #x00
         (+ (+ m 2) 3) --> (+ m 5)
         (- m m) --> 0
         (* (* m 2) 3) --> (* m 6)
         (< (+ m 2) 5) --> (< m 3)
         (= (+ m 2) 5) --> (= m 3)
         (<= 3 2) --> false",
    );
}

#[test]
fn bits_and_slices() {
    check(
        "(bvand x #xff) --> x
         (bvand x #x00) --> #x00
         (bvand x (bvnot x)) --> #x00
         (bvor x (bvnot x)) --> #xff
         (bvand x (bvor x y)) --> x
         (bvor x (bvand y x)) --> x
         (bvxor x x) --> #x00
         (bvxor x #xff) --> (bvnot x)
         (bvxor (bvxor x y) x) --> y
         (bvand x #x0f) --> ((_ zero_extend 4) ((_ extract 3 0) x))
         (bvand (bvand x #xa5) #xf0) --> (bvand x #xa0)
         (bvor (concat x #x00) (concat #x00 y)) --> (concat x y)
         (bvshl x #x03) --> (concat ((_ extract 4 0) x) #b000)
         (bvshl x #x08) --> #x00
         (bvlshr x #x03) --> ((_ zero_extend 3) ((_ extract 7 3) x))
         (bvashr x #x03) --> ((_ sign_extend 3) ((_ extract 7 3) x))
         (bvashr x #xf0) --> ((_ sign_extend 7) ((_ extract 7 7) x))
         ((_ extract 7 0) x) --> x
         ((_ extract 2 1) ((_ extract 6 2) x)) --> ((_ extract 4 3) x)
         ((_ extract 7 0) (concat x y)) --> y
         ((_ extract 11 4) (concat x y)) --> (concat ((_ extract 3 0) x) ((_ extract 7 4) y))
         (concat ((_ extract 7 4) x) ((_ extract 3 0) x)) --> x
         (concat ((_ extract 7 5) x) (concat ((_ extract 4 0) x) y)) --> (concat x y)
         (concat #x0 x) --> ((_ zero_extend 4) x)
         ((_ extract 7 0) ((_ zero_extend 8) x)) --> x
         ((_ extract 15 8) ((_ zero_extend 8) x)) --> #x00
         ((_ extract 11 4) ((_ sign_extend 8) x)) --> ((_ sign_extend 4) ((_ extract 7 4) x))
         ((_ zero_extend 8) ((_ zero_extend 8) x)) --> ((_ zero_extend 16) x)
         ((_ sign_extend 8) ((_ zero_extend 8) x)) --> ((_ zero_extend 16) x)
         ((_ extract 7 0) (bvadd ((_ sign_extend 24) x) ((_ sign_extend 24) y))) --> (bvadd x y)
         (= (concat x y) #x0102) --> (and (= x #x01) (= y #x02))",
    );
}

#[test]
fn comparisons_and_arrays() {
    check(
        "(bvult x #x00) --> false
         (bvule x #xff) --> true
         (bvult x #x01) --> (= x #x00)
         (bvult #x00 x) --> (not (= x #x00))
         (bvult x x) --> false
         (bvslt x #x80) --> false
         (bvsle x #x7f) --> true
         (bvult ((_ zero_extend 8) x) ((_ zero_extend 8) y)) --> (bvult x y)
         (bvslt ((_ zero_extend 8) x) ((_ zero_extend 8) y)) --> (bvult x y)
         (bvslt ((_ sign_extend 8) x) ((_ sign_extend 8) y)) --> (bvslt x y)
         (bvslt ((_ sign_extend 8) x) #x0100) --> true
         (bvult ((_ zero_extend 8) x) #x0005) --> (bvult x #x05)
         (= ((_ zero_extend 8) x) #x0105) --> false
         (= ((_ sign_extend 8) x) #xff85) --> (= x #x85)
         (= ((_ sign_extend 8) x) #x0085) --> false
         (= b #b0) --> (not (= b #b1))
         (select (store a x y) x) --> y
         (select (store a #x01 y) #x02) --> (select a #x02)
         (select (store a (bvadd x #x01) y) x) --> (select a x)
         (select (const y) x) --> y
         (store (store a x y) x z) --> (store a x z)
         (store a x (select a x)) --> a",
    );
}

/// Operands of five bits in which rules look for something, over a symbol of five and one of three bits.
fn shapes(terms: &mut Terms) -> Vec<Term> {
    let (x, small) = (terms.symbol("x5", Sort::bits(5)), terms.symbol("x3", Sort::bits(3)));
    let [three, zeros] = [(5, 3), (2, 0)].map(|(width, value)| terms.bits(width, value));
    let low = terms.extract(x, 1, 0);
    let condition = terms.symbol("p", Sort::Bool);
    vec![
        x,
        terms.zero_extend(small, 5),
        terms.sign_extend(small, 5),
        terms.concat(small, zeros),
        terms.concat(small, low),
        terms.bv_add(x, three),
        terms.bv_sub(three, x),
        terms.bv_mul(x, three),
        terms.bv_and(x, three),
        terms.bv_or(x, three),
        terms.bv_not(x),
        terms.ite(condition, x, three),
    ]
}

/// Values of the symbols in [`shapes`], from nine bits.
fn shape_values(terms: &Terms, values: u128) -> Assignment {
    let mut assignment = Assignment::new();
    let parts = [
        ("x5", Value::bits(5, values)),
        ("x3", Value::bits(3, values >> 5)),
        ("p", Value::Bool(values >> 8 & 1 == 1)),
    ];
    for (name, value) in parts {
        assignment.set(terms.find_symbol(name).unwrap(), value);
    }
    assignment
}

/// Every operation on every shape and every constant, in both orders, for all values of the symbols.
#[test]
fn constants_meet_all_shapes() {
    let mut terms = Terms::new();
    let mut cases = Vec::new();
    for shape in shapes(&mut terms) {
        for constant in 0..32 {
            let k = terms.bits(5, constant);
            for op in BvOp::ALL {
                cases.push((op, shape, constant, terms.bv(op, shape, k), terms.bv(op, k, shape)));
            }
        }
    }
    let comparisons: Vec<[Term; 8]> = shapes(&mut terms)
        .into_iter()
        .flat_map(|shape| (0..32).map(move |constant| (shape, constant)))
        .map(|(a, constant)| {
            let k = terms.bits(5, constant);
            let less = [terms.ult(a, k), terms.ult(k, a), terms.slt(a, k), terms.slt(k, a)];
            let [ult, ugt, slt, sgt] = less;
            [a, k, terms.eq(a, k), ult, ugt, slt, sgt, terms.ne(k, a)]
        })
        .collect();
    for values in 0..512u128 {
        let assignment = shape_values(&terms, values);
        let mut evaluator = Evaluator::new(&terms, &assignment);
        for (op, shape, k, left, right) in &cases {
            let a = evaluator.bits(*shape).unwrap();
            let found = (evaluator.bits(*left).unwrap(), evaluator.bits(*right).unwrap());
            let expected = (bits::binary(*op, 5, a, *k), bits::binary(*op, 5, *k, a));
            assert_eq!(found, expected, "{op:?} of {:?} = {a} and {k}", terms.node(*shape));
        }
        for [a, k, equal, ult, ugt, slt, sgt, different] in &comparisons {
            let (x, y) = (evaluator.bits(*a).unwrap(), evaluator.bits(*k).unwrap());
            let found = [*equal, *ult, *ugt, *slt, *sgt, *different].map(|t| evaluator.bool(t).unwrap());
            let expected = [x == y, x < y, x > y, bits::slt(5, x, y), bits::slt(5, y, x), x != y];
            assert_eq!(found, expected, "comparisons of {:?} = {x} and {y}", terms.node(*a));
        }
    }
}
