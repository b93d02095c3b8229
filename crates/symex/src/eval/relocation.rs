//! What taints promise: the same computation with objects elsewhere.
//!
//! Random straight-line computations run twice, with different numbers for the objects. A result that is
//! called plain must be the same number both times, one that is called an address the same place in the
//! same object. Results about which there is a question count as mixed, unless the question is whether a
//! pointer stays, and it does.

use super::*;

/// The numbers of four objects, in the two worlds.
const NUMBERS: [[u32; 4]; 2] = [[1, 2, 3, 4], [9, 3, 700, 2]];
const WIDTHS_USED: [u8; 4] = [1, 32, 64, 128];

struct Computation {
    terms: Terms,
    rng: Rng,
    /// Each in both worlds; always constants.
    values: Vec<[Value; 2]>,
}

impl Computation {
    fn new(seed: u64) -> Computation {
        let mut this = Computation { terms: Terms::new(), rng: Rng(seed), values: Vec::new() };
        for (first, second) in NUMBERS[0].into_iter().zip(NUMBERS[1]) {
            let both = [first, second].map(|number| Value {
                term: LAYOUT.address(&mut this.terms, ObjectNo(number), 8),
                taint: Taint::Address,
            });
            this.values.push(both);
        }
        for width in WIDTHS_USED {
            (0..4).for_each(|_| this.number(width));
        }
        this
    }

    fn number(&mut self, width: u8) {
        let number = match self.rng.below(4) {
            0 => self.rng.value(width.into()),
            1 => u128::from(self.rng.below(64)).wrapping_neg(),
            _ => u128::from(self.rng.below(64)),
        };
        let value = Value::plain(self.terms.bits(width.into(), number));
        self.values.push([value, value]);
    }

    /// A value of this width; every third time, if possible, an address.
    fn pick(&mut self, width: u8) -> [Value; 2] {
        let fits = |both: &&[Value; 2]| self.terms.width(both[0].term) == u32::from(width);
        let mut list: Vec<[Value; 2]> = self.values.iter().filter(fits).copied().collect();
        let addresses: Vec<[Value; 2]> =
            list.iter().filter(|both| both[0].taint == Taint::Address).copied().collect();
        if !addresses.is_empty() && self.rng.below(3) == 0 {
            list = addresses;
        }
        self.rng.pick(&list)
    }

    fn expression(&mut self) -> (Expr, [u8; 3]) {
        let (a, b, cond) = (reg(0), reg(1), reg(2));
        let width = self.rng.pick(&[32, 64, 64, 64, 64, 128]);
        let ty = Ty::Int(width);
        let integers = |word: &str| !works_on_floats(word);
        match self.rng.below(10) {
            0..=3 => {
                let op = self.rng.pick(BinOp::ALL);
                let op = if integers(op.word()) { op } else { BinOp::Sub };
                (Expr::Binary { op, ty, a, b }, [width, width, 1])
            }
            4 => (Expr::PtrAdd { ptr: a, offset: b }, [64, 64, 1]),
            5 => (Expr::PtrDiff { a, b }, [64, 64, 1]),
            6 => {
                let op = self.rng.pick(CmpOp::ALL);
                let op = if integers(op.word()) { op } else { CmpOp::Eq };
                (Expr::Compare { op, ty, a, b }, [width, width, 1])
            }
            7 => (Expr::Select { ty, cond, then: a, other: b }, [width, width, 1]),
            8 => {
                let to = self.rng.pick(&WIDTHS_USED);
                let op = match width.cmp(&to) {
                    std::cmp::Ordering::Less => self.rng.pick(&[CastOp::Zext, CastOp::Sext]),
                    std::cmp::Ordering::Equal => return (Expr::Use(a), [width, width, 1]),
                    std::cmp::Ordering::Greater => CastOp::Trunc,
                };
                (Expr::Cast { op, from: ty, to: Ty::Int(to), a }, [width, width, 1])
            }
            _ => {
                let op = self.rng.pick(&[UnOp::Not, UnOp::Neg, UnOp::Popcount, UnOp::Ctz]);
                (Expr::Unary { op, ty, a }, [width, width, 1])
            }
        }
    }

    fn step(&mut self) {
        let (e, widths) = self.expression();
        let operands = widths.map(|width| self.pick(width));
        let mut results = Vec::new();
        for values in [operands.map(|both| both[0]), operands.map(|both| both[1])] {
            let mut fetch = |_: &mut Terms, operand: Operand| match operand {
                Operand::Reg(reg) => values[reg.0 as usize],
                Operand::Const(_) => unreachable!("operands are registers"),
            };
            let result = expr(&mut self.terms, LAYOUT, &|_| 8, &mut fetch, &e).expect("it has a term");
            if result.defined.is_some_and(|defined| self.terms.is_false(defined)) {
                return;
            }
            results.push(self.settled(result));
        }
        let both = [results[0], results[1]];
        self.check(&e, both);
        // What is mixed stays so: a few of them will do.
        if both[0].taint != Taint::Mixed || self.rng.below(8) == 0 {
            self.values.push(both);
        }
    }

    fn settled(&self, result: Evaluated) -> Value {
        let zone = |term| LAYOUT.constant(&self.terms, term).map(|(object, _)| object);
        let holds = match result.asks {
            None => true,
            Some(Question::Stays { from, to }) => zone(from) == zone(to),
            Some(Question::Compare { .. } | Question::SameObject { .. } | Question::Numbers { .. }) => false,
        };
        if holds { result.value } else { Value { taint: Taint::Mixed, ..result.value } }
    }

    /// Where an address points: which of the four objects (or none), and the offset (or the number).
    fn place(&self, world: usize, value: Value) -> (Option<usize>, i64) {
        let bits = self.terms.as_bits(value.term).expect("constants") & bits::mask(64);
        let zone = (bits >> LAYOUT.offset_bits) as u32;
        let object = NUMBERS[world].iter().position(|number| *number == zone);
        let origin = if object.is_some() { LAYOUT.base(ObjectNo(zone)) } else { 0 };
        (object, bits.wrapping_sub(origin) as i64)
    }

    fn check(&self, e: &Expr, both: [Value; 2]) {
        match both[0].taint.join(both[1].taint) {
            Taint::None => assert_eq!(both[0].term, both[1].term, "{e:?}"),
            Taint::Address => {
                assert_eq!(self.place(0, both[0]), self.place(1, both[1]), "{e:?}");
            }
            Taint::Loaded | Taint::Mixed => {}
        }
    }
}

#[test]
fn plain_results_do_not_depend_on_where_objects_are() {
    let mut kinds = [0; 3];
    for seed in 0..100 {
        let mut computation = Computation::new(seed);
        (0..150).for_each(|_| computation.step());
        for both in &computation.values {
            match both[0].taint {
                Taint::None | Taint::Loaded => kinds[0] += 1,
                Taint::Address => kinds[1] += 1,
                Taint::Mixed => kinds[2] += 1,
            }
        }
    }
    assert!(kinds.iter().all(|count| *count > 500), "{kinds:?}");
}
