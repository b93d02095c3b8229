//! Every expression against the interpreter's arithmetic, with constants and with symbols.

use super::*;
use crate::testing::Rng;
use braid_interp::arith;
use braid_interp::float as host;
use braid_interp::value::Value as Plain;
use braid_ir::{FitsOp, FuncId, GlobalId, LocalId, MathFn, RegId};
use braid_logic::{Assignment, Evaluator, Sort, bits};

const WIDTHS: [u8; 13] = [1, 2, 3, 7, 8, 16, 31, 32, 33, 63, 64, 127, 128];
const FLOATS: [Ty; 2] = [Ty::F32, Ty::F64];
const LAYOUT: Layout = Layout { pointer_bits: 64, offset_bits: 40 };

fn reg(index: u32) -> Operand {
    Operand::Reg(RegId(index))
}

fn works_on_floats(word: &str) -> bool {
    word.starts_with('f')
}

/// All expressions over up to three registers that have a term, with the types of the registers.
fn shapes() -> Vec<(Expr, Vec<Ty>)> {
    let (a, b) = (reg(0), reg(1));
    let mut list = Vec::new();
    for ty in WIDTHS.map(Ty::Int).into_iter().chain(FLOATS) {
        let is_float = FLOATS.contains(&ty);
        for &op in UnOp::ALL.iter().filter(|op| works_on_floats(op.word()) == is_float) {
            if op != UnOp::Bswap || ty.bits(8) % 8 == 0 {
                list.push((Expr::Unary { op, ty, a }, vec![ty]));
            }
        }
        for &op in BinOp::ALL.iter().filter(|op| works_on_floats(op.word()) == is_float) {
            list.push((Expr::Binary { op, ty, a, b }, vec![ty, ty]));
        }
        for &op in CmpOp::ALL.iter().filter(|op| works_on_floats(op.word()) == is_float) {
            list.push((Expr::Compare { op, ty, a, b }, vec![ty, ty]));
        }
        for (&op, signed) in FitsOp::ALL.iter().flat_map(|op| [(op, true), (op, false)]) {
            if !is_float {
                list.push((Expr::Fits { op, signed, ty, a, b }, vec![ty, ty]));
            }
        }
        for &f in MathFn::ALL.iter().filter(|_| is_float) {
            list.push((Expr::Math { f, ty, a, b }, vec![ty, ty]));
        }
        list.push((Expr::Use(a), vec![ty]));
        let select = Expr::Select { ty, cond: reg(2), then: a, other: b };
        list.push((select, vec![ty, ty, Ty::BOOL]));
    }
    list.push((Expr::PtrAdd { ptr: a, offset: b }, vec![Ty::Ptr, Ty::Int(64)]));
    list.push((Expr::PtrDiff { a, b }, vec![Ty::Ptr, Ty::Ptr]));
    for op in [CmpOp::Eq, CmpOp::Ne, CmpOp::Ult, CmpOp::Ule] {
        list.push((Expr::Compare { op, ty: Ty::Ptr, a, b }, vec![Ty::Ptr, Ty::Ptr]));
    }
    list.extend(casts().map(|(op, from, to)| (Expr::Cast { op, from, to, a }, vec![from])));
    list
}

fn casts() -> impl Iterator<Item = (CastOp, Ty, Ty)> {
    let types = || WIDTHS.map(Ty::Int).into_iter().chain(FLOATS).chain([Ty::Ptr]);
    let all = types().flat_map(move |from| types().map(move |to| (from, to)));
    let all = all.flat_map(|(from, to)| CastOp::ALL.iter().map(move |op| (*op, from, to)));
    all.filter(|(op, from, to)| cast_exists(*op, *from, *to))
}

fn cast_exists(op: CastOp, from: Ty, to: Ty) -> bool {
    let is_float = |ty: Ty| FLOATS.contains(&ty);
    match (op, from, to) {
        (CastOp::Trunc, Ty::Int(a), Ty::Int(b)) => a > b,
        (CastOp::Zext | CastOp::Sext, Ty::Int(a), Ty::Int(b)) => a < b,
        (CastOp::FloatToFloat, a, b) => is_float(a) && is_float(b) && a != b,
        (CastOp::FloatToSint | CastOp::FloatToUint, a, Ty::Int(_)) => is_float(a),
        (CastOp::SintToFloat | CastOp::UintToFloat, Ty::Int(_), b) => is_float(b),
        (CastOp::PtrToInt, Ty::Ptr, b) => b == Ty::Int(64),
        (CastOp::IntToPtr, a, Ty::Ptr) => a == Ty::Int(64),
        (CastOp::Forget, Ty::Int(a), Ty::Int(b)) => a == b,
        (CastOp::Bits, a, b) => is_float(a) && b == Ty::Int(a.bits(8) as u8),
        _ => false,
    }
}

/// What the interpreter says; `None` for a division by zero.
fn judge(e: &Expr, x: &[u128]) -> Option<u128> {
    let plain = |i: usize| Plain::plain(x[i]);
    let width = |ty: Ty| ty.bits(8) as u8;
    Some(match *e {
        Expr::Use(_) => x[0],
        Expr::Unary { op, ty: Ty::Int(width), .. } => arith::unary(op, width, x[0]),
        Expr::Unary { op, ty, .. } => host::unary(op, ty, plain(0)).bits,
        Expr::Binary { op, ty: Ty::Int(width), .. } => return arith::binary(op, width, x[0], x[1]).ok(),
        Expr::Binary { op, ty, .. } => host::binary(op, ty, plain(0), plain(1)).bits,
        Expr::Compare { op, ty: Ty::Ptr, .. } => arith::compare(op, 64, x[0], x[1]).into(),
        Expr::Compare { op, ty: Ty::Int(width), .. } => arith::compare(op, width, x[0], x[1]).into(),
        Expr::Compare { op, ty, .. } => host::compare(op, ty, plain(0), plain(1)).into(),
        Expr::Fits { op, signed, ty, .. } => arith::fits(op, signed, width(ty), x[0], x[1]).into(),
        Expr::Select { .. } => {
            if x[2] == 1 {
                x[0]
            } else {
                x[1]
            }
        }
        Expr::PtrAdd { .. } => arith::binary(BinOp::Add, 64, x[0], x[1]).ok()?,
        Expr::PtrDiff { .. } => arith::binary(BinOp::Sub, 64, x[0], x[1]).ok()?,
        Expr::Math { f, ty, .. } => host::math(f, ty, plain(0), plain(1)).bits,
        Expr::Cast { op, from, to, .. } => match op {
            CastOp::Trunc => x[0] & bits::mask(to.bits(8)),
            CastOp::Zext | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bits | CastOp::Forget => x[0],
            CastOp::Sext => arith::signed(width(from), x[0]) as u128 & bits::mask(to.bits(8)),
            CastOp::FloatToFloat => host::float_to_float(to, plain(0)).bits,
            CastOp::FloatToSint => host::to_sint(from, width(to), plain(0)).bits,
            CastOp::FloatToUint => host::to_uint(from, width(to), plain(0)).bits,
            CastOp::SintToFloat => host::from_sint(width(from), to, plain(0)).bits,
            CastOp::UintToFloat => host::from_uint(to, plain(0)).bits,
        },
        Expr::LocalAddr(_) | Expr::ThreadLocalAddr(_) | Expr::ObjectSize(_) => unreachable!("not among them"),
    })
}

fn is_nan(ty: Ty, x: u128) -> bool {
    if ty == Ty::F32 { f32::from_bits(x as u32).is_nan() } else { f64::from_bits(x as u64).is_nan() }
}

/// Which of two NaNs survives a commutative operation is the compiler's choice, also in the interpreter.
fn is_undetermined(e: &Expr, types: &[Ty], x: &[u128]) -> bool {
    let commutes = matches!(
        e,
        Expr::Binary { op: BinOp::FAdd | BinOp::FMul, .. }
            | Expr::Math { f: MathFn::Nextafter | MathFn::Remainder, .. }
    );
    commutes && is_nan(types[0], x[0]) && is_nan(types[1], x[1])
}

fn value(rng: &mut Rng, ty: Ty) -> u128 {
    if FLOATS.contains(&ty) { rng.float(ty.bits(8)) } else { rng.value(ty.bits(8)) }
}

/// Operands, often related to each other.
fn values(rng: &mut Rng, types: &[Ty]) -> Vec<u128> {
    let mut list: Vec<u128> = types.iter().map(|ty| value(rng, *ty)).collect();
    if list.len() > 1 && types[0] == types[1] && rng.below(8) == 0 {
        list[1] = list[0];
    }
    list
}

fn evaluate(terms: &mut Terms, e: &Expr, operands: &[Term]) -> Result<Evaluated, Unevaluated> {
    let mut fetch = |_: &mut Terms, operand: Operand| match operand {
        Operand::Reg(reg) => Value::plain(operands[reg.0 as usize]),
        Operand::Const(_) => unreachable!("operands are registers"),
    };
    expr(terms, LAYOUT, &|_| 16, &mut fetch, e)
}

/// Long division of binary64 takes thousands of terms.
fn is_expensive(e: &Expr) -> bool {
    matches!(e, Expr::Math { f: MathFn::Fmod | MathFn::Remainder, ty: Ty::F64, .. })
}

#[test]
fn constants_fold_to_what_the_interpreter_computes() {
    let mut rng = Rng(1);
    let mut compared = 0;
    for (e, types) in shapes() {
        let mut terms = Terms::new();
        for _ in 0..if is_expensive(&e) { 10 } else { 40 } {
            let x = values(&mut rng, &types);
            let operands: Vec<Term> =
                types.iter().zip(&x).map(|(ty, x)| terms.bits(ty.bits(8), *x)).collect();
            let Ok(result) = evaluate(&mut terms, &e, &operands) else { continue };
            assert_eq!((result.value.taint, result.asks), (Taint::None, None));
            let expected = judge(&e, &x);
            let defined = result.defined.is_none_or(|defined| terms.is_true(defined));
            assert_eq!(defined, expected.is_some(), "{e:?} of {x:x?}");
            if let Some(expected) = expected.filter(|_| !is_undetermined(&e, &types, &x)) {
                assert_eq!(terms.as_bits(result.value.term), Some(expected), "{e:?} of {x:x?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 20_000, "{compared}");
}

/// Registers are symbols, or one of them a constant.
#[test]
fn symbols_evaluate_to_what_the_interpreter_computes() {
    let mut rng = Rng(2);
    let mut compared = 0;
    for (e, types) in shapes() {
        let fixed_choices = if is_expensive(&e) || types.len() == 1 { 1 } else { 3 };
        for fixed in (0..fixed_choices).map(|i: usize| i.checked_sub(1)) {
            let mut terms = Terms::new();
            let constant = values(&mut rng, &types);
            let operands: Vec<Term> = (0..types.len())
                .map(|i| match fixed == Some(i) {
                    true => terms.bits(types[i].bits(8), constant[i]),
                    false => terms.symbol(&format!("x{i}"), Sort::bits(types[i].bits(8))),
                })
                .collect();
            let Ok(result) = evaluate(&mut terms, &e, &operands) else { continue };
            for _ in 0..if is_expensive(&e) { 10 } else { 20 } {
                let mut x = values(&mut rng, &types);
                let mut assignment = Assignment::new();
                for i in 0..types.len() {
                    if fixed == Some(i) {
                        x[i] = constant[i];
                    } else {
                        let value = braid_logic::Value::bits(types[i].bits(8), x[i]);
                        assignment.set_term(&terms, operands[i], value);
                    }
                }
                let mut evaluator = Evaluator::new(&terms, &assignment);
                let expected = judge(&e, &x);
                let defined = result.defined.is_none_or(|defined| evaluator.bool(defined) == Ok(true));
                assert_eq!(defined, expected.is_some(), "{e:?} of {x:x?}");
                if let Some(expected) = expected.filter(|_| !is_undetermined(&e, &types, &x)) {
                    assert_eq!(evaluator.bits(result.value.term), Ok(expected), "{e:?} of {x:x?}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 30_000, "{compared}");
}

#[test]
fn what_has_no_term() {
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::bits(64));
    for e in [Expr::LocalAddr(LocalId(0)), Expr::ThreadLocalAddr(GlobalId(0)), Expr::ObjectSize(reg(0))] {
        assert_eq!(evaluate(&mut terms, &e, &[x]), Err(Unevaluated::Context));
    }
    let approximate = MathFn::ALL.iter().filter(|f| {
        let e = Expr::Math { f: **f, ty: Ty::F64, a: reg(0), b: reg(1) };
        evaluate(&mut terms, &e, &[x, x]) == Err(Unevaluated::Approximate(f.word()))
    });
    assert_eq!(approximate.count(), MathFn::ALL.len() - 12);
}

#[test]
fn read_modify_write_and_coercion() {
    let mut rng = Rng(3);
    let mut terms = Terms::new();
    for width in WIDTHS {
        for (&op, _) in RmwOp::ALL.iter().flat_map(|op| (0..20).map(move |i| (op, i))) {
            let ty = Ty::Int(width);
            let (a, b) = (value(&mut rng, ty), value(&mut rng, ty));
            let (x, y) = (terms.bits(width.into(), a), terms.bits(width.into(), b));
            let new = rmw(&mut terms, LAYOUT, op, ty, Value::plain(x), Value::plain(y));
            let bits = arith::rmw_operation(op)
                .map_or(b, |binary| arith::binary(binary, width, a, b).expect("no division"));
            let expected = if op == RmwOp::Nand { !bits & bits::mask(width.into()) } else { bits };
            assert_eq!((terms.as_bits(new.term), new.taint), (Some(expected), Taint::None), "{op:?}");
        }
        for to in WIDTHS.map(Ty::Int).into_iter().chain(FLOATS).chain([Ty::Ptr]) {
            let a = value(&mut rng, Ty::Int(width));
            let x = terms.bits(width.into(), a);
            let result = coerce(&mut terms, LAYOUT, Value::plain(x), to);
            let expected = Plain::plain(a).coerced(to, 8).bits;
            assert_eq!(terms.as_bits(result.term), Some(expected));
        }
    }
}

#[path = "relocation.rs"]
mod relocation;

/// Two objects, 1 with alignment 16 and 2 with 4, and some values.
struct World {
    terms: Terms,
}

impl World {
    fn address(&mut self, object: u32, offset: i64) -> Value {
        Value { term: LAYOUT.address(&mut self.terms, ObjectNo(object), offset), taint: Taint::Address }
    }

    fn number(&mut self, value: u128) -> Value {
        Value::plain(self.terms.bits(64, value))
    }

    fn symbol(&mut self, name: &str, taint: Taint) -> Value {
        Value { term: self.terms.symbol(name, Sort::bits(64)), taint }
    }

    fn run(&mut self, e: Expr, values: &[Value]) -> (Taint, Option<Question>) {
        let mut fetch = |_: &mut Terms, operand: Operand| match operand {
            Operand::Reg(reg) => values[reg.0 as usize],
            Operand::Const(_) => unreachable!("operands are registers"),
        };
        let align = |object: ObjectNo| if object == ObjectNo(1) { 16 } else { 4 };
        let result = expr(&mut self.terms, LAYOUT, &align, &mut fetch, &e).expect("it has a term");
        (result.value.taint, result.asks)
    }

    fn binary(&mut self, op: BinOp, a: Value, b: Value) -> (Taint, Option<Question>) {
        self.run(Expr::Binary { op, ty: Ty::Int(64), a: reg(0), b: reg(1) }, &[a, b])
    }

    fn compare(&mut self, op: CmpOp, a: Value, b: Value) -> (Taint, Option<Question>) {
        self.run(Expr::Compare { op, ty: Ty::Ptr, a: reg(0), b: reg(1) }, &[a, b])
    }
}

#[test]
fn arithmetic_on_addresses() {
    let mut w = World { terms: Terms::new() };
    let (p, q, five) = (w.address(1, 0), w.address(2, 0), w.number(5));
    let loaded = w.symbol("l", Taint::Loaded);
    assert_eq!(w.binary(BinOp::Add, p, five), (Taint::Address, None));
    assert_eq!(w.binary(BinOp::Sub, p, five), (Taint::Address, None));
    assert_eq!(w.binary(BinOp::Sub, five, p), (Taint::Mixed, None));
    assert_eq!(w.binary(BinOp::Sub, p, q), (Taint::Mixed, None));
    let p8 = w.address(1, 8);
    assert_eq!(w.binary(BinOp::Sub, p8, p), (Taint::None, None));
    assert_eq!(w.binary(BinOp::Mul, p, five), (Taint::Mixed, None));
    assert_eq!(w.binary(BinOp::Mul, loaded, five), (Taint::Loaded, None));
    let seven = w.number(7);
    assert_eq!(w.binary(BinOp::And, p, seven), (Taint::None, None));
    assert_eq!(w.binary(BinOp::And, q, seven), (Taint::Mixed, None));
    let mask = w.number(u128::from(!7u64));
    assert_eq!(w.binary(BinOp::And, mask, p), (Taint::Address, None));
    let (one, eight) = (w.number(1), w.number(8));
    assert_eq!(w.binary(BinOp::Or, p, one), (Taint::Address, None));
    assert_eq!(w.binary(BinOp::Xor, one, q), (Taint::Address, None));
    assert_eq!(w.binary(BinOp::Xor, q, p), (Taint::Mixed, None));
    assert_eq!(w.binary(BinOp::URem, p, eight), (Taint::None, None));
    assert_eq!(w.binary(BinOp::URem, q, eight), (Taint::Mixed, None));
    let unknown = w.symbol("p", Taint::Address);
    assert_eq!(w.binary(BinOp::And, unknown, seven), (Taint::Mixed, None));
    let difference = Expr::PtrDiff { a: reg(0), b: reg(1) };
    assert_eq!(w.run(difference, &[p8, p]), (Taint::None, None));
    let asks = Question::SameObject { a: p.term, b: unknown.term };
    assert_eq!(w.run(difference, &[p, unknown]), (Taint::None, Some(asks)));
}

#[test]
fn addresses_that_may_leave_their_zone() {
    let mut w = World { terms: Terms::new() };
    let (p, unknown) = (w.address(1, 0), w.symbol("p", Taint::Address));
    let add = Expr::PtrAdd { ptr: reg(0), offset: reg(1) };
    let far = w.number(1 << 40);
    let to = w.address(2, 0).term;
    assert_eq!(w.run(add, &[p, far]), (Taint::Address, Some(Question::Stays { from: p.term, to })));
    let index = w.symbol("i", Taint::None);
    let to = w.terms.bv_add(p.term, index.term);
    assert_eq!(w.run(add, &[p, index]), (Taint::Address, Some(Question::Stays { from: p.term, to })));
    // Thirty-two bits of index cannot leave it, but an unknown pointer may be near the border.
    let small = w.terms.extract(index.term, 31, 0);
    let small = Value::plain(w.terms.sign_extend(small, 64));
    assert_eq!(w.run(add, &[p, small]), (Taint::Address, None));
    assert!(matches!(w.run(add, &[unknown, small]), (Taint::Address, Some(Question::Stays { .. }))));
    let field = w.number(24);
    assert_eq!(w.run(add, &[unknown, field]), (Taint::Address, None));
    let global = |offset| Const::Global(GlobalId(0), offset);
    let taint = |terms: &mut Terms, c| constant(terms, LAYOUT, &|_| ObjectNo(3), c).taint;
    assert_eq!(taint(&mut w.terms, global(8)), Taint::Address);
    assert_eq!(taint(&mut w.terms, global(1 << 39)), Taint::Mixed);
    assert_eq!(taint(&mut w.terms, Const::Null), Taint::None);
    let function = constant(&mut w.terms, LAYOUT, &|_| ObjectNo(3), Const::Func(FuncId(0)));
    assert_eq!(LAYOUT.constant(&w.terms, function.term), Some((ObjectNo(3), 0)));
}

#[test]
fn comparisons_ask() {
    let mut w = World { terms: Terms::new() };
    let (p, q, null) = (w.address(1, 0), w.address(2, 0), w.number(0));
    let p8 = w.address(1, 8);
    let mixed = w.symbol("m", Taint::Mixed);
    let loaded = w.symbol("l", Taint::Loaded);
    assert_eq!(w.compare(CmpOp::Ult, p, p8), (Taint::None, None));
    let asks = |equality, a: Value, b: Value| Some(Question::Compare { equality, a, b });
    assert_eq!(w.compare(CmpOp::Ult, p, q), (Taint::None, asks(false, p, q)));
    assert_eq!(w.compare(CmpOp::Ne, p, q), (Taint::None, asks(true, p, q)));
    assert_eq!(w.compare(CmpOp::Eq, null, p), (Taint::None, asks(true, null, p)));
    assert_eq!(w.compare(CmpOp::Eq, loaded, p), (Taint::Loaded, asks(true, loaded, p)));
    assert_eq!(w.compare(CmpOp::Eq, loaded, null), (Taint::Loaded, None));
    assert_eq!(w.compare(CmpOp::Eq, mixed, p), (Taint::Mixed, None));
    assert_eq!(w.compare(CmpOp::Eq, null, null), (Taint::None, None));
}

#[test]
fn casts_and_choices_of_addresses() {
    let mut w = World { terms: Terms::new() };
    let p = w.address(1, 0);
    let cast = |op, from, to| Expr::Cast { op, from, to, a: reg(0) };
    let narrow = cast(CastOp::Trunc, Ty::Int(64), Ty::Int(32));
    assert_eq!(w.run(narrow, &[p]), (Taint::Mixed, None));
    let wide = cast(CastOp::Zext, Ty::Int(64), Ty::Int(128));
    assert_eq!(w.run(wide, &[p]), (Taint::Address, None));
    assert_eq!(w.run(cast(CastOp::Forget, Ty::Int(64), Ty::Int(64)), &[p]), (Taint::None, None));
    assert_eq!(w.run(cast(CastOp::UintToFloat, Ty::Int(64), Ty::F64), &[p]), (Taint::Mixed, None));
    // Arithmetic on an address wider than a pointer is not followed.
    let term = w.terms.zero_extend(p.term, 128);
    let (wide, one) = (Value { term, ..p }, Value::plain(w.terms.bits(128, 1)));
    let add = Expr::Binary { op: BinOp::Add, ty: Ty::Int(128), a: reg(0), b: reg(1) };
    assert_eq!(w.run(add, &[wide, one]), (Taint::Mixed, None));
    assert_eq!(coerce(&mut w.terms, LAYOUT, wide, Ty::Ptr), p);
    assert_eq!(coerce(&mut w.terms, LAYOUT, p, Ty::Int(32)).taint, Taint::Mixed);
    let null = w.number(0);
    let choose = Expr::Select { ty: Ty::Ptr, cond: reg(2), then: reg(0), other: reg(1) };
    let cond = Value::plain(w.terms.symbol("c", Sort::bits(1)));
    assert_eq!(w.run(choose, &[p, null, cond]), (Taint::Address, None));
    let doubtful = Value { taint: Taint::Mixed, ..cond };
    assert_eq!(w.run(choose, &[null, null, doubtful]), (Taint::Mixed, None));
    let from_memory = Value { taint: Taint::Loaded, ..cond };
    assert_eq!(w.run(choose, &[null, null, from_memory]), (Taint::Loaded, None));
    let five = w.number(5);
    let rmw_taint = |w: &mut World, op, a, b| rmw(&mut w.terms, LAYOUT, op, Ty::Int(64), a, b).taint;
    assert_eq!(rmw_taint(&mut w, RmwOp::Add, p, five), Taint::Address);
    assert_eq!(rmw_taint(&mut w, RmwOp::Nand, p, five), Taint::Mixed);
    assert_eq!(rmw_taint(&mut w, RmwOp::Exchange, five, p), Taint::Address);
}

/// Pointers of four bytes.
#[test]
fn addresses_of_32_bits() {
    let layout = Layout::new(4);
    let mut terms = Terms::new();
    let p = Value { term: layout.address(&mut terms, ObjectNo(1), 0), taint: Taint::Address };
    let run = |terms: &mut Terms, e: Expr, a: Value, b: Value| {
        let mut fetch = |_: &mut Terms, o: Operand| if o == reg(0) { a } else { b };
        expr(terms, layout, &|_| 4, &mut fetch, &e).expect("it has a term")
    };
    let cast = |op, from, to| Expr::Cast { op, from, to, a: reg(0) };
    let wide = run(&mut terms, cast(CastOp::Zext, Ty::Int(32), Ty::Int(64)), p, p).value;
    assert_eq!((terms.width(wide.term), wide.taint), (64, Taint::Address));
    assert_eq!(run(&mut terms, cast(CastOp::Trunc, Ty::Int(64), Ty::Int(32)), wide, wide).value, p);
    let number = run(&mut terms, cast(CastOp::PtrToInt, Ty::Ptr, Ty::Int(32)), p, p).value;
    assert_eq!(number, p);
    let index = Value::plain(terms.symbol("i", Sort::bits(32)));
    let add = Expr::PtrAdd { ptr: reg(0), offset: reg(1) };
    let moved = run(&mut terms, add, p, index);
    assert!(matches!(moved.asks, Some(Question::Stays { .. })));
    let null = constant(&mut terms, layout, &|_| ObjectNo(1), Const::Null);
    assert_eq!(terms.width(null.term), 32);
    let same = coerce(&mut terms, layout, null, Ty::Ptr);
    assert_eq!(same, null);
}
