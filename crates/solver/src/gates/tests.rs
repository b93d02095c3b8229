//! Gates against truth tables: random nets, each output forced to the value that evaluation gives.

use super::*;
use crate::answer::Answer;
use crate::limits::Limits;
use crate::lit::Cnf;
use crate::sat::Sat;
use crate::testing::Rng;

const INPUTS: usize = 4;

/// A literal with its truth table over the inputs.
#[derive(Clone, Copy)]
struct Known {
    lit: Lit,
    table: u16,
}

fn inputs<S: Clauses>(gates: &mut Gates<S>) -> Vec<Known> {
    let table = |input: usize| (0..16u32).filter(|row| row >> input & 1 == 1).map(|row| 1u16 << row).sum();
    (0..INPUTS).map(|input| Known { lit: gates.new_input(), table: table(input) }).collect()
}

/// One more random gate over the known ones.
fn random_gate<S: Clauses>(gates: &mut Gates<S>, known: &[Known], rng: &mut Rng) -> Known {
    let mut pick = || {
        // Recent gates meet each other, which is where two-level rules apply.
        let window = known.len().min(8);
        let chosen = known[known.len() - 1 - rng.below(window)];
        let negate = rng.below(2) == 0;
        (chosen.lit.negate_if(negate), if negate { !chosen.table } else { chosen.table })
    };
    let [(a, ta), (b, tb), (c, tc), (d, td)] = [pick(), pick(), pick(), pick()];
    let (lit, table) = match rng.below(8) {
        0 | 1 => (gates.and(a, b), ta & tb),
        2 => (gates.or(a, b), ta | tb),
        3 => (gates.xor(a, b), ta ^ tb),
        4 => (gates.mux(a, b, c), ta & tb | !ta & tc),
        5 => (gates.majority(a, b, c), ta & tb | ta & tc | tb & tc),
        6 => (gates.parity(a, b, c), ta ^ tb ^ tc),
        _ => (gates.and_all(&[a, b, c, d]), ta & tb & tc & td),
    };
    Known { lit, table }
}

#[test]
fn random_nets_compute_what_they_say() {
    let mut rng = Rng::new(3);
    for _ in 0..60 {
        let mut gates = Gates::new(Sat::new());
        let mut known = inputs(&mut gates);
        known.push(Known { lit: gates.constant(true), table: u16::MAX });
        for _ in 0..30 {
            let next = random_gate(&mut gates, &known, &mut rng);
            known.push(next);
        }
        // Equal to the table, and never different from it: both, for each row.
        for row in 0..16 {
            let value = |k: &Known| k.lit.negate_if(k.table >> row & 1 == 0);
            let mut assumptions: Vec<Lit> = known[..INPUTS].iter().map(value).collect();
            let rest: Vec<Lit> = known[INPUTS..].iter().map(value).collect();
            let all = gates.and_all(&rest);
            assumptions.push(all);
            assert_eq!(gates.sink_mut().solve(&assumptions, &Limits::default()), Ok(Answer::Sat));
            *assumptions.last_mut().unwrap() = !all;
            if gates.as_constant(all) != Some(true) {
                assert_eq!(gates.sink_mut().solve(&assumptions, &Limits::default()), Ok(Answer::Unsat));
            }
        }
    }
}

#[test]
fn known_shapes_make_no_gate() {
    let mut gates = Gates::new(Cnf::new());
    let [x, y, z] = [(); 3].map(|()| gates.new_input());
    let (yes, no) = (gates.constant(true), gates.constant(false));
    let xy = gates.and(x, y);
    let x_not_y = gates.and(x, !y);
    let xor = gates.xor(x, y);
    let before = gates.sink().len();
    assert_eq!(gates.and(y, x), xy);
    assert_eq!(gates.and(xy, x), xy);
    assert_eq!(gates.and(!y, xy), no);
    assert_eq!(gates.and(!xy, !x), !x);
    assert_eq!(gates.and(!xy, x), x_not_y);
    assert_eq!(gates.and(!xy, !x_not_y), !x);
    assert_eq!(gates.and(xy, x_not_y), no);
    assert_eq!(gates.xor(!y, x), !xor);
    assert_eq!(gates.xor(xor, !x), !y);
    assert_eq!(gates.mux(x, y, y), y);
    assert_eq!(gates.mux(!x, !y, y), !xor);
    assert_eq!(gates.mux(x, y, no), xy);
    assert_eq!(gates.mux(z, yes, no), z);
    assert_eq!(gates.majority(x, no, y), xy);
    assert_eq!(gates.majority(x, z, !x), z);
    assert_eq!(gates.parity(x, no, !y), !xor);
    assert_eq!(gates.parity(z, x, z), x);
    assert_eq!(gates.and_all(&[yes, y, x, x]), xy);
    assert_eq!(gates.and_all(&[x, z, !x]), no);
    assert_eq!(gates.or_all(&[]), no);
    assert_eq!(gates.sink().len(), before);
}
