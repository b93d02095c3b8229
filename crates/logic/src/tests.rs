//! Random terms: what the constructors make of an expression has the value of the expression.

use crate::narrow::Narrower;
use crate::random::{self, Pool};
use crate::ranges::{Fact, Range, Ranges};
use crate::rewrite::Substitution;
use crate::*;

/// Grows a pool and compares every member with evaluation.
fn check(seed: u64, widths: &[u32], members: usize) {
    let mut pool = Pool::new(seed, widths, 12);
    for _ in 0..members {
        pool.grow();
    }
    for (at, assignment) in pool.assignments.iter().enumerate() {
        let mut evaluator = Evaluator::new(&pool.terms, assignment);
        for member in &pool.members {
            let value = evaluator.value(member.term).expect("integers stay small");
            assert_eq!(
                value,
                member.values[at],
                "seed {seed}, widths {widths:?}, term {} {:?}",
                member.term,
                pool.terms.node(member.term)
            );
        }
    }
}

const FAMILIES: [&[u32]; 6] =
    [&[1, 2, 3], &[2, 4, 6], &[1, 7, 8], &[8, 16, 32], &[32, 64, 128], &[1, 31, 33, 65, 96, 127, 128]];

#[test]
fn simplified_terms_have_the_value_of_the_expression() {
    for seed in 0..120 {
        check(seed, FAMILIES[seed as usize % FAMILIES.len()], 250);
    }
}

#[test]
#[ignore = "long: a million members"]
fn simplified_terms_have_the_value_of_the_expression_long() {
    for seed in 1000..5000 {
        check(seed, FAMILIES[seed as usize % FAMILIES.len()], 300);
    }
}

#[test]
fn substitution_commutes_with_evaluation() {
    for seed in 0..60 {
        let mut pool = Pool::new(seed, FAMILIES[seed as usize % FAMILIES.len()], 4);
        for _ in 0..150 {
            pool.grow();
        }
        // Every symbol becomes some other member of its sort.
        let symbols: Vec<Term> = pool.terms.symbols().map(|s| pool.terms.symbol_term(s)).collect();
        let replacements: Vec<_> = symbols.iter().map(|s| pool.member(pool.terms.sort(*s))).collect();
        let mut assignments = vec![Assignment::new(); pool.assignments.len()];
        for (symbol, replacement) in symbols.iter().zip(&replacements) {
            for (at, value) in replacement.values.iter().enumerate() {
                assignments[at].set_term(&pool.terms, *symbol, value.clone());
            }
        }
        let pairs = symbols.iter().copied().zip(replacements.iter().map(|r| r.term));
        let mut substitution = Substitution::new(&pool.terms, pairs.collect::<Vec<_>>());
        for member in pool.members.clone() {
            let replaced = substitution.apply(&mut pool.terms, member.term);
            for (before, after) in pool.assignments.iter().zip(&assignments) {
                let left = evaluate(&pool.terms, replaced, before);
                let right = evaluate(&pool.terms, member.term, after);
                assert!(left == right || right.is_err() || left.is_err(), "seed {seed}: {left:?} {right:?}");
            }
        }
    }
}

/// A range around the values of a symbol, in one of several ways of saying it.
fn range_around(rng: &mut random::Rng, width: u32, values: &[u128]) -> Range {
    let signed = || values.iter().map(|v| bits::signed(width, *v));
    let (smin, smax) = (signed().min().unwrap(), signed().max().unwrap());
    let (umin, umax) = (*values.iter().min().unwrap(), *values.iter().max().unwrap());
    let ones = values.iter().fold(u128::MAX, |known, v| known & v);
    let zeros = values.iter().fold(u128::MAX, |known, v| known & !v);
    let (by_sign, by_size) = (Range::signed(width, smin, smax), Range::unsigned(width, umin, umax));
    match rng.below(5) {
        0 => Range::full(width),
        1 => by_sign,
        2 => by_size,
        3 => Range::known_bits(width, zeros, ones),
        _ => by_sign.meet(by_size).meet(Range::known_bits(width, zeros, ones)),
    }
}

/// Grows a pool over symbols in small ranges: all values are in their term's range, and narrowed terms
/// have the same value.
fn check_ranges(seed: u64, widths: &[u32], members: usize) {
    let mut pool = Pool::new(seed, widths, 12);
    pool.crowd();
    let blind = seed as usize / FAMILIES.len() % 3 == 2;
    let mut ranges = if blind { Ranges::ignoring_conditions() } else { Ranges::new() };
    for member in &pool.members {
        if let Some(width) = pool.terms.sort(member.term).width() {
            let values: Vec<u128> = member.values.iter().map(|v| v.as_bits().unwrap()).collect();
            ranges.assume(&pool.terms, member.term, range_around(&mut pool.rng, width, &values));
        }
    }
    for _ in 0..members {
        pool.grow();
    }
    let mut narrower = Narrower::new(ranges.clone());
    for member in pool.members.clone() {
        let narrow = narrower.narrow(&mut pool.terms, member.term);
        let fact = ranges.fact(&pool.terms, member.term);
        for (assignment, value) in pool.assignments.iter().zip(&member.values) {
            let node = pool.terms.node(member.term);
            let fits = match (fact, value) {
                (Fact::Bits(range), Value::Bits { bits, .. }) => range.contains(*bits),
                (Fact::Bool(known), Value::Bool(value)) => known.is_none_or(|known| known == *value),
                (Fact::Untracked, Value::Int(_) | Value::Array(_)) => true,
                (Fact::Bits(_) | Fact::Bool(_) | Fact::Untracked, _) => false,
            };
            assert!(fits, "seed {seed}, widths {widths:?}: {node:?} is {value:?}, not in {fact:?}");
            let found = evaluate(&pool.terms, narrow, assignment).expect("integers stay small");
            assert_eq!(found, *value, "seed {seed}, widths {widths:?}: {node:?} narrowed");
        }
    }
}

#[test]
fn ranges_hold_and_narrowed_terms_are_equal() {
    for seed in 0..120 {
        check_ranges(seed, FAMILIES[seed as usize % FAMILIES.len()], 200);
    }
}

#[test]
#[ignore = "long: a million members"]
fn ranges_hold_and_narrowed_terms_are_equal_long() {
    for seed in 1000..5000 {
        check_ranges(seed, FAMILIES[seed as usize % FAMILIES.len()], 250);
    }
}
