//! Random terms: what the constructors make of an expression has the value of the expression.

use crate::random::Pool;
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
