//! The whole way from terms to models, against evaluation.

use super::*;
use crate::limits::Stop;
use crate::testing::Grower;
use braid_logic::{Sort, evaluate};
use std::time::Instant;

fn none() -> Limits {
    Limits::default()
}

/// With the symbols fixed, every term has the value that evaluation gives, and can have no other.
fn check_against_evaluation(grower: &mut Grower, count: usize, assignments: usize) {
    let roots: Vec<Term> = (0..count).map(|_| grower.grow()).collect();
    let mut solver = Embedded::new();
    let mut wishes = Vec::new();
    for (number, root) in roots.iter().enumerate() {
        let expected = grower.terms.symbol(&format!("expected{number}"), grower.terms.sort(*root));
        let equal = grower.terms.eq(*root, expected);
        wishes.push((expected, equal));
    }
    let right = grower.terms.and_all(wishes.iter().map(|(_, equal)| *equal));
    let wrong = grower.terms.not(right);
    for _ in 0..assignments {
        let assignment = grower.assignment();
        let mut assumptions = Vec::new();
        for symbol in grower.symbols.clone() {
            let value = evaluate(&grower.terms, symbol, &assignment).unwrap();
            let constant = grower.constant(&value);
            assumptions.push(grower.terms.eq(symbol, constant));
        }
        for (root, (expected, _)) in roots.iter().zip(&wishes) {
            let value = evaluate(&grower.terms, *root, &assignment).unwrap();
            let constant = grower.constant(&value);
            assumptions.push(grower.terms.eq(*expected, constant));
        }
        assumptions.push(right);
        assert_eq!(solver.solve(&grower.terms, &assumptions, &none()), Ok(Answer::Sat));
        *assumptions.last_mut().unwrap() = wrong;
        assert_eq!(solver.solve(&grower.terms, &assumptions, &none()), Ok(Answer::Unsat));
    }
}

#[test]
fn random_terms_have_their_values() {
    for seed in 0..60 {
        let widths = [1, 3, 4, 8, 9].map(|w| w + (seed % 3) as u32);
        check_against_evaluation(&mut Grower::new(seed, 3, &widths, &[]), 40, 3);
    }
}

#[test]
fn random_terms_of_large_widths_have_their_values() {
    for (seed, widths) in [[31, 32, 33], [32, 64, 128], [1, 64, 127]].into_iter().enumerate() {
        check_against_evaluation(&mut Grower::new(seed as u64, 2, &widths, &[]), 25, 2);
    }
}

#[test]
fn random_arrays_have_their_values() {
    for seed in 0..60 {
        let mut grower = Grower::new(seed, 2, &[2, 5], &[(2, 3), (2, 3), (5, 2), (1, 1)]);
        check_against_evaluation(&mut grower, 30, 2);
    }
}

/// About a million of terms and assignments.
#[test]
#[ignore = "minutes"]
fn a_million_random_terms_have_their_values() {
    for seed in 1000..4500 {
        let widths = [1, 3, 4, 8].map(|w| w + (seed % 13) as u32);
        check_against_evaluation(&mut Grower::new(seed, 3, &widths, &[]), 60, 4);
        let mut grower = Grower::new(seed, 2, &[2, 7], &[(2, 3), (2, 3), (7, 2), (1, 1)]);
        check_against_evaluation(&mut grower, 20, 2);
    }
}

/// All assignments of a few small symbols.
fn satisfiable_by_trying(grower: &Grower, goal: Term) -> bool {
    let sizes: Vec<u32> = grower.symbols.iter().map(|s| symbol_bits(grower.terms.sort(*s))).collect();
    (0..1u128 << sizes.iter().sum::<u32>()).any(|mut code| {
        let mut assignment = Assignment::new();
        for (symbol, size) in grower.symbols.iter().zip(&sizes) {
            let value = decode(grower.terms.sort(*symbol), code & ((1 << size) - 1));
            assignment.set_term(&grower.terms, *symbol, value);
            code >>= size;
        }
        evaluate(&grower.terms, goal, &assignment) == Ok(Value::Bool(true))
    })
}

fn symbol_bits(sort: Sort) -> u32 {
    match sort {
        Sort::Bool => 1,
        Sort::BitVec(width) => width.get(),
        Sort::Array { index, element } => (1 << index.get()) * element.get(),
        Sort::Int => unreachable!("no integers here"),
    }
}

fn decode(sort: Sort, code: u128) -> Value {
    match sort {
        Sort::Bool => Value::Bool(code == 1),
        Sort::BitVec(width) => Value::bits(width.get(), code),
        Sort::Array { index, element } => {
            let mut array = braid_logic::ArrayValue::constant(index, element, 0);
            (0..1 << index.get()).for_each(|i| array.store(i, code >> (i as u32 * element.get())));
            Value::Array(array)
        }
        Sort::Int => unreachable!("no integers here"),
    }
}

/// Satisfiable exactly if some assignment does it; assertions pile up until none does.
#[test]
fn answers_agree_with_trying_everything() {
    let mut answers = [0; 2];
    for seed in 0..150 {
        let mut grower = Grower::new(seed, 1, &[2, 2], &[(1, 2), (1, 1)]);
        let mut solver = Embedded::new();
        let mut goal = grower.terms.bool(true);
        let mut left = 4;
        while left > 0 {
            let term = grower.grow();
            if grower.terms.sort(term) != Sort::Bool || grower.terms.is_constant(term) {
                continue;
            }
            left -= 1;
            let demand = if grower.rng.below(2) == 0 { term } else { grower.terms.not(term) };
            solver.assert(&grower.terms, demand).unwrap();
            goal = grower.terms.and(goal, demand);
            let answer = solver.solve(&grower.terms, &[], &none()).unwrap();
            let expected = satisfiable_by_trying(&grower, goal);
            assert_eq!(answer == Answer::Sat, expected, "seed {seed}");
            answers[usize::from(expected)] += 1;
            if expected {
                assert_eq!(solver.value(&grower.terms, goal), Ok(Value::Bool(true)));
            }
        }
    }
    assert!(answers.iter().all(|count| *count > 50), "{answers:?}");
}

#[test]
fn failed_assumptions_are_the_ones_to_blame() {
    let mut terms = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.symbol(name, Sort::bits(8)));
    let less = terms.ult(x, y);
    let mut solver = Embedded::new();
    solver.assert(&terms, less).unwrap();
    let nothing = terms.bits(8, 0);
    let wishes = [terms.eq(z, nothing), terms.eq(y, nothing), terms.ult(z, x)];
    assert_eq!(solver.solve(&terms, &wishes, &none()), Ok(Answer::Unsat));
    assert_eq!(solver.failed(), &wishes[1..2]);
    assert!(matches!(solver.value(&terms, x), Err(Failure::Internal(_))));
    assert_eq!(solver.solve(&terms, &wishes[2..], &none()), Ok(Answer::Sat));
    assert!(solver.failed().is_empty());
    let [x, y] = [x, y].map(|t| solver.value(&terms, t).unwrap().as_bits().unwrap());
    assert!(x < y);
    assert!(solver.statistics().variables > 24);
}

#[test]
fn integers_are_refused() {
    let mut terms = Terms::new();
    let n = terms.symbol("n", Sort::Int);
    let zero = terms.int(0);
    let positive = terms.int_lt(zero, n);
    let mut solver = Embedded::new();
    solver.assert(&terms, positive).unwrap();
    assert!(matches!(solver.solve(&terms, &[], &none()), Err(Failure::Unsupported(_))));
}

/// Arrays with many indices are compared without trying the indices one by one.
#[test]
fn large_arrays_are_compared_at_once() {
    let mut terms = Terms::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| terms.symbol(name, Sort::array(32, 8)));
    let [i, j] = ["i", "j"].map(|name| terms.symbol(name, Sort::bits(32)));
    let (seven, nine) = (terms.bits(8, 7), terms.bits(8, 9));
    let constant = terms.const_array(32, seven);
    let stored = terms.store(constant, i, nine);
    let moved = terms.store(b, j, nine);
    let demands = [terms.eq(a, stored), terms.eq(a, b), terms.ne(b, c), terms.eq(c, moved)];
    let mut solver = Embedded::new();
    demands.iter().for_each(|demand| solver.assert(&terms, *demand).unwrap());
    assert_eq!(solver.solve(&terms, &[], &none()), Ok(Answer::Sat));
    assert_eq!(solver.statistics().solves, 1, "the first model was right");
    let same = terms.eq(i, j);
    assert_eq!(solver.solve(&terms, &[same], &none()), Ok(Answer::Unsat));
    assert_eq!(solver.failed(), [same]);
}

/// Deep terms neither overflow the stack nor cost the square of their depth.
#[test]
fn deep_terms() {
    let mut terms = Terms::new();
    let mut solver = Embedded::new();
    let x = terms.symbol("x", Sort::bits(4));
    let (mut sum, mut path, mut array) = (x, terms.bool(true), terms.symbol("a", Sort::array(16, 4)));
    let mut either = terms.bool(false);
    for number in 0..20_000 {
        let y = terms.symbol(&format!("y{}", number % 500), Sort::bits(4));
        let p = terms.symbol(&format!("p{number}"), Sort::Bool);
        let next = terms.bv_xor(sum, y);
        sum = terms.ite(p, next, sum);
        // Every prefix is used again, so chains must not be copied.
        path = terms.and(path, p);
        let forbidden = terms.not(path);
        let place = terms.bits(16, number);
        array = terms.store(array, place, y);
        either = terms.or(either, forbidden);
    }
    let place = terms.bits(16, 7);
    let read = terms.select(array, place);
    let wish = terms.eq(read, sum);
    solver.assert(&terms, wish).unwrap();
    solver.assert(&terms, either).unwrap();
    assert_eq!(solver.solve(&terms, &[], &none()), Ok(Answer::Sat));
    let clauses = solver.statistics().clauses;
    assert!(clauses < 2_000_000, "{clauses}");
}

#[test]
fn limits_hold_while_formulas_are_built() {
    let mut terms = Terms::new();
    let mut solver = Embedded::new();
    let [mut x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::bits(128)));
    for _ in 0..50 {
        x = terms.bv_urem(y, x);
    }
    let goal = terms.eq(x, y);
    solver.assert(&terms, goal).unwrap();
    let late = Limits { deadline: Some(Instant::now()), ..none() };
    assert_eq!(solver.solve(&terms, &[], &late), Ok(Answer::Unknown(Stop::Deadline)));
    assert!(solver.statistics().clauses < 1000, "it stopped at once");
}

#[test]
fn literals_clauses_and_terms_meet() {
    let mut terms = Terms::new();
    let mut solver = Embedded::new();
    let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::bits(8)));
    let less = terms.ult(x, y);
    let watch = Watch::new(&none());
    let literal = solver.literal(&terms, less, &watch).unwrap();
    let bits = solver.bits(&terms, x, &watch).unwrap();
    let free = solver.new_var().positive();
    solver.add_clause(&[!free, literal]);
    solver.add_clause(&[!free, bits[7]]);
    assert_eq!(solver.solve_with_literals(&terms, &[], &[free], &none()), Ok(Answer::Sat));
    assert!(solver.literal_value(literal));
    assert_eq!(solver.value(&terms, less), Ok(Value::Bool(true)));
    assert!(solver.value(&terms, x).unwrap().as_bits().unwrap() >= 128);
    let not_less = terms.not(less);
    assert_eq!(solver.solve_with_literals(&terms, &[not_less], &[free], &none()), Ok(Answer::Unsat));
    assert_eq!(solver.failed(), [not_less]);
    assert_eq!(solver.sat().failed().len(), 2);
}

/// A clause of terms is the disjunction of them, whatever some are.
#[test]
fn clauses_of_terms() {
    let mut terms = Terms::new();
    let [a, b] = ["a", "b"].map(|name| terms.symbol(name, Sort::Bool));
    let (yes, no) = (terms.bool(true), terms.bool(false));
    let (not_a, not_b) = (terms.not(a), terms.not(b));
    let mut solver = Embedded::new();
    solver.assert_any([a, no, b, a]);
    solver.assert_any([no, yes, no, no]);
    assert_eq!(solver.solve(&terms, &[not_a], &none()), Ok(Answer::Sat));
    assert_eq!(solver.value(&terms, b), Ok(Value::Bool(true)));
    assert_eq!(solver.solve(&terms, &[not_a, not_b], &none()), Ok(Answer::Unsat));
    solver.assert_any([no; 4]);
    assert_eq!(solver.solve(&terms, &[], &none()), Ok(Answer::Unsat));
}
